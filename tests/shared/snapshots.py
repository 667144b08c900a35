"""Snapshots: kept texts of what the program shows and writes. Wording is tested by them and nowhere else.

They lie in ``tests/golden/snapshots``. After a change of wording that was meant, write them again and read the
difference in git:

    python -m pytest tests/ui/test_snapshots.py tests/engine/report/test_output_snapshots.py \
        tests/cli/test_command_snapshots.py --write-snapshots
"""

from __future__ import annotations

import difflib
import json
import re
from calendar import month_name
from collections.abc import Iterator, Mapping, Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from ppdm_desktop import __version__
from ppdm_desktop.engine.wording.values import from_data

FOLDER = Path(__file__).resolve().parent.parent / "golden" / "snapshots"
WRITE_OPTION = "--write-snapshots"
TOLERANCE = 1e-5
"""Largest relative difference of two decimal figures that count as equal: processors add in different orders."""

_DIGITS = 5
_WIDTH = 120
_LONGEST_LIST = 20
_DECIMAL = re.compile(r"(?<![\w.])-?\d+\.\d+(?:e[+-]\d+)?(?![\w.]*\w)")
_VOLATILE = (
    (re.compile(r"\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?Z"), "TIME"),
    (re.compile(r"\b20[2-9]\d-\d{2}-\d{2} \d{2}:\d{2}\b"), "TIME"),
    (re.compile(r"\b\d{1,2}:\d{2}\b"), "TIME"),
    (re.compile(rf"\b\d{{1,2}} ({'|'.join(month_name[1:])}) 20\d\d"), "DAY"),
    (re.compile(r"\b[\d.]+ (kB|MB)\b"), "SIZE"),
    (re.compile(r"\bnumpy \d[^|\n]*"), "LIBRARIES"),
    (re.compile(r"\bPython \d[\w.]*"), "Python VERSION"),
    (re.compile(r"\b(linux|windows|win32|darwin|macos)-\w+", re.I), "PLATFORM"),
)


def compare(name: str, text: str, *, write: bool) -> str:
    """Return how a text differs from its snapshot, as a unified diff; empty when it does not.

    Parameters
    ----------
    name
        Path of the snapshot below ``FOLDER``, without its ending.
    text
        What the program shows or writes now.
    write
        Write the text as the new snapshot if it differs, and report nothing.
    """
    path = FOLDER / f"{name}.txt"
    text = text.rstrip() + "\n"
    kept = path.read_text("utf-8") if path.is_file() else ""
    if is_same(kept, text):
        return ""
    if write:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
        return ""
    lines = difflib.unified_diff(
        kept.splitlines(), text.splitlines(), f"kept: {path.relative_to(FOLDER)}", "now", lineterm=""
    )
    return "\n".join(lines)


def is_same(kept: str, text: str) -> bool:
    """Say whether two texts are equal but for the last digits of their decimal figures."""
    if kept == text:
        return True
    if _DECIMAL.split(kept) != _DECIMAL.split(text):
        return False
    pairs = zip(map(float, _DECIMAL.findall(kept)), map(float, _DECIMAL.findall(text)), strict=True)
    return all(abs(before - now) <= TOLERANCE * max(abs(before), abs(now)) for before, now in pairs)


def left_over(folder: str, names: Sequence[str]) -> list[str]:
    """Return the snapshots in a folder that no test has a name for."""
    paths = (path.relative_to(FOLDER).with_suffix("").as_posix() for path in (FOLDER / folder).rglob("*.txt"))
    return sorted(set(paths) - {f"{folder}/{name}" for name in names})


def without_volatile(text: str, folders: Mapping[Path, str]) -> str:
    """Replace what changes from run to run by fixed words: folders, times and versions.

    Parameters
    ----------
    folders
        The word for each folder of this run, the innermost first.
    """
    for folder, word in folders.items():
        text = text.replace(str(folder), word)
    for pattern, word in _VOLATILE:
        text = pattern.sub(word, text)
    return text.replace(__version__, "VERSION")


# --- data and pages as text -------------------------------------------------------------


def outline(data: Any) -> str:
    """Return plain data as indented lines, sorted by name.

    Sentences are written in English, figures with five digits; fields without a value and ``seconds`` are left out.
    A list of more than 20 numbers or texts is shortened to the first five and its length.
    """
    return "\n".join(_outline(_shortened(data), "", ""))


def _shortened(data: Any) -> Any:
    if isinstance(data, float):
        return float(f"{data:.{_DIGITS}g}")
    if isinstance(data, dict) and data.get("is") in ("sentence", "remarks"):
        return str(from_data(data))
    if isinstance(data, dict):
        return {name: _shortened(value) for name, value in data.items() if value is not None and name != "seconds"}
    if isinstance(data, list):
        if len(data) > _LONGEST_LIST and not any(isinstance(value, dict) for value in data):
            return [*map(_shortened, data[:5]), f"… {len(data)} in all"]
        return [_shortened(value) for value in data]
    return data


def _outline(data: Any, indent: str, label: str) -> Iterator[str]:
    line = indent + label + json.dumps(data, ensure_ascii=False, sort_keys=True)
    if len(line) <= _WIDTH or not data or not isinstance(data, dict | list):
        yield line
        return
    if label:
        yield (indent + label).rstrip()
    named = (
        [(f"{name}: ", data[name]) for name in sorted(data)] if isinstance(data, dict) else [("- ", v) for v in data]
    )
    for name, value in named:
        yield from _outline(value, indent + " " * bool(label), name)


class _PageText(HTMLParser):
    """Collects the text of a page: a line for each block, the cells of a table's row in one line.

    Of a chart its title and description are taken, not the letters drawn in it.
    """

    SILENT = ("style", "script", "head", "text")
    BLOCKS = ("p", "div", "h1", "h2", "h3", "h4", "li", "tr", "caption", "dt", "dd", "br", "section", "table",
              "summary", "header", "footer", "svg", "title", "desc", "figcaption", "ul", "ol", "dl")  # fmt: skip

    def __init__(self) -> None:
        super().__init__()
        self.text = ""
        self._silent = 0

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self._silent += tag in self.SILENT
        if tag in self.BLOCKS:
            self.text += "\n"
        elif tag in ("td", "th"):
            self.text += " | "

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in self.SILENT
        if tag in self.BLOCKS:
            self.text += "\n"

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.text += re.sub(r"\s+", " ", data)


def page_text(page: bytes) -> str:
    """Return the text of an HTML page, one line for each paragraph and each row of a table."""
    parser = _PageText()
    parser.feed(page.decode("utf-8"))
    lines = (re.sub(r" +", " ", line).strip(" |") for line in parser.text.splitlines())
    return "\n".join(line for line in lines if line)
