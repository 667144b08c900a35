"""What becomes of damaged, made and odd files of every kind that the program opens.

For each kind a good file is changed in many ways (bytes, pieces, values, depth, odd signs) or replaced by what is no
file at all (pipe, folder, device, link, a file without end) and then opened as the program opens it. Each case is
read, or refused in words that name the file and say what to do. Anything else is a fault: an exception that nobody
put into words, or a case that does not end. The cases are the same each time.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import signal
import sys
import tomllib
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

import tomli_w

from ppdm_desktop.cli.language import usual_language
from ppdm_desktop.engine.errors import PpdmError
from ppdm_desktop.engine.methods.algorithms.condensation.statistics import FILE_NAME
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.load import read_recipe
from ppdm_desktop.engine.recipe.models import ReleaseSection
from ppdm_desktop.engine.release.storage.ledger import DrawEntry, LedgerEntry, read_draws, read_ledger, remember_draws
from ppdm_desktop.engine.release.storage.ledger import remember_release as remember
from ppdm_desktop.engine.release.sweep.rows_file import read_trial_key
from ppdm_desktop.engine.release.top_up.previous_release import read_earlier
from ppdm_desktop.engine.release.verify import read_rules_number
from ppdm_desktop.engine.release.verify_figure import printed_verdict
from ppdm_desktop.engine.release.writing.export import compare_files, read_manifest
from ppdm_desktop.engine.report.figures_and_limits import describe_measured_figure, format_limit
from ppdm_desktop.engine.samples import find_bundled_sample
from ppdm_desktop.engine.secret_files import KEY_TEXTS, read_digits, read_recipient_secret
from ppdm_desktop.engine.table.hierarchies import read_hierarchy
from ppdm_desktop.engine.table.reading import read_source
from ppdm_desktop.engine.table.writing.registry import release_formats
from ppdm_desktop.engine.wording.texts import explain, render

PROCESSOR_SECONDS, SECONDS = 20.0, 120.0
"""When a case counts as one that does not end: of the processor's time, and by the clock."""
READ, REFUSED, UNEXPECTED, HUNG = "read", "refused", "unexpected", "hung"


@dataclass(frozen=True)
class Kind:
    """A kind of file.

    Attributes
    ----------
    name
        Its name below the folder of a case.
    good
        The bytes of a good one.
    open
        Opens it, given the folder; what it returns is not looked at.
    shape
        How it is written, so that values in it can be changed: ``json``, ``toml`` or empty.
    lenient
        Whether a damaged one counts as absent, without a word.
    prepare
        Puts beside it what it needs there.
    """

    name: str
    good: bytes
    open: Callable[[Path], object]
    shape: str = ""
    lenient: bool = False
    prepare: Callable[[Path], None] | None = None


# --- the kinds ---------------------------------------------------------------------------------


def kinds(folder: Path) -> dict[str, Kind]:
    """Return every kind with a good file of each; ``folder`` is for making them."""
    release = folder / "release"
    _make_release(release)
    inside = {path.relative_to(release).as_posix(): path.read_bytes() for path in release.rglob("*") if path.is_file()}

    def rest(folder: Path) -> None:
        for name, data in inside.items():
            place = folder / name
            if not os.path.lexists(place):
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(data)

    def statistics(folder: Path) -> object:
        """The manifest is made to fit, as when a file is changed on purpose."""
        changed = folder / "internal" / FILE_NAME
        manifest = folder / "internal" / "manifest.json"
        if changed.is_file() and not changed.is_symlink() and changed.stat().st_size < 2**30:
            document = json.loads(manifest.read_bytes())
            document["files"][STATISTICS] = hashlib.sha256(changed.read_bytes()).hexdigest()
            manifest.write_text(json.dumps(document), "utf-8")
        return read_earlier(folder)

    digits = hashlib.sha256(b"fuzz").hexdigest().encode() + b"\n"
    hierarchy = "".join(f"{city};{'North' if n % 2 else 'South'};*\n" for n, city in enumerate("ABCDEFGH")).encode()
    made = {
        "recipe": Kind(
            "r.toml", _recipe(), lambda at: read_recipe(at / "r.toml", formats=release_formats()), shape="toml"
        ),
        "key": Kind("k.key", digits, lambda at: Key.from_hex(read_digits(at / "k.key", KEY_TEXTS), file="k.key")),
        "recipient's secret": Kind("s.key", digits, lambda at: read_recipient_secret(at / "s.key")),
        "hierarchy": Kind("h.csv", hierarchy, lambda at: read_hierarchy(at / "h.csv", "City", within=at)),
        "ledger": Kind("ledger.json", _ledger(folder), _both_of_ledger, shape="json"),
        "settings": Kind("settings.json", _SETTINGS, _settings, shape="json", lenient=True),
        "manifest": Kind(
            "internal/manifest.json",
            inside["internal/manifest.json"],
            lambda at: compare_files(at, read_manifest(at)),
            shape="json",
            prepare=rest,
        ),
        "report": Kind("internal/report.json", inside["internal/report.json"], _report, shape="json", prepare=rest),
        "earlier release": Kind(
            STATISTICS,
            inside[STATISTICS],
            statistics,
            shape="json",
            prepare=rest,
        ),
        "rows of a range": Kind("sweep.jsonl", _ROWS, lambda at: read_trial_key(at / "sweep.jsonl"), shape="json"),
    }
    if (project := _project(folder)) is not None:
        made["project"] = project
    return made


STATISTICS = f"internal/{FILE_NAME}"
_SETTINGS = json.dumps({"scale": 1.25, "appearance": "dark", "language": "de", "plugins": ["/a"]}).encode()
_ROWS = json.dumps({"format": "ppdm-sweep", "version": 1, "key": "ab" * 32, "values": [1, 2, 3]}).encode() + b"\n"


def _recipe() -> bytes:
    return find_bundled_sample().recipe().encode("utf-8")


def _ledger(folder: Path) -> bytes:
    path = folder / "ledger.json"
    remember(path, LedgerEntry("a" * 64, "b" * 64, "2026-01-02", ("Age", "City"), "c" * 64, (), None))
    drawn = DrawEntry("a" * 64, (("bayes-swap", ("City",)),), "d" * 64, "2026-01-02", "internal", {"linkage": "red"})
    remember_draws(path, [drawn], "2026-01-02")
    return path.read_bytes()


def _both_of_ledger(at: Path) -> object:
    return read_ledger(at / "ledger.json"), read_draws(at / "ledger.json")


def _settings(at: Path) -> object:
    from ppdm_desktop.ui.state.settings import read_settings

    return usual_language(at, {}), read_settings(at)


def _report(at: Path) -> object:
    printed = printed_verdict(at)
    lines = (
        [] if printed is None else [(describe_measured_figure(each), format_limit(each)) for each in printed[0].checks]
    )
    return read_rules_number(at), lines


def _make_release(out: Path) -> None:
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "shared"))
    from top_up_support import condensed_release

    condensed_release(out.parent, out.name)


def _project(folder: Path) -> Kind | None:
    try:
        from ppdm_desktop.ui.state.project import read_project, write_project
        from ppdm_desktop.ui.state.session import Session
    except ImportError:
        return None
    source, session = folder / "people.csv", Session()
    source.write_text("Age,City\n31,A\n32,B\n", "utf-8")
    recipe = read_recipe(folder / "recipe.toml")
    reading = read_source(source, recipe.input)
    recipe = recipe.model_copy(update={"release": ReleaseSection(type="internal")})
    session.opened(source, reading, recipe, frozenset({"Age"}))
    session.add_candidate(recipe, Key.fresh(), "2026-01-01T10:00:00")
    write_project(folder / "p.ppdm", session, "levels")
    return Kind("p.ppdm", (folder / "p.ppdm").read_bytes(), lambda at: read_project(at / "p.ppdm"), shape="json")


# --- the cases ---------------------------------------------------------------------------------

_TOKENS = (
    b"\x00",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"\r\n\r\n",
    b"[" * 3000,
    b"{" * 500,
    b'{"a":' * 2000,
    b"]" * 50,
    b"1e999",
    b"-1e-999",
    b"9" * 6000,
    b"NaN",
    b"-Infinity",
    b'"\\ud800"',
    b"\\u0000",
    b"'''",
    b'"""',
    b"a." * 4000,
    b"= ",
    b"[[x]]",
    b"recipe = 2",
    b"'; DROP",
    b"../../etc/passwd",
    b"\\\\host\\share\\x",
    b"//host/x",
    b"C:\\con",
    b"\x1b[2J",
    b";" * 999,
    "\u202e\u200b\ufeff".encode(),
    b"null",
    b"true",
    b"0x1f",
    b"1979-05-27T07:32:00Z",
    b"1_000",
    b"{}",
    b"[]",
    b"#",
    b"%s%n",
)
_VALUES: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    -1,
    1,
    2**63,
    -(2**70),
    10**300,
    1.5,
    float("inf"),
    float("nan"),
    "",
    " ",
    "\x00",
    "x" * 100_000,
    "a\nb",
    "\u202eabc",
    "\x1b[2J",
    [],
    {},
    [[]],
    [None],
    {"": ""},
    {"a": {"b": {"c": []}}},
    ["x"] * 5000,
    "1e5",
    "../x",
    "/etc/passwd",
    "\\\\host\\share",
    "2026-13-45",
    "ab" * 32,
    {"recipe": 1},
    [1, "a", None, {}],
)


def damaged(kind: Kind, draws: random.Random) -> bytes:
    """Return the bytes of one case."""
    data = kind.good
    for _ in range(draws.choice((1, 1, 1, 2, 3))):
        if kind.shape and draws.random() < 0.55:
            data = _other_value(data, kind.shape, draws)
        else:
            data = _other_bytes(data, draws)
    return data


def _other_bytes(data: bytes, draws: random.Random) -> bytes:
    start = draws.randrange(len(data) + 1)
    end = min(len(data), start + draws.choice((0, 1, 1, 2, 8, 64, 1000)))
    match draws.randrange(7):
        case 0:
            return data[:start]
        case 1:
            return data[:start] + data[end:]
        case 2:
            return data[:start] + data[start:end] * draws.choice((2, 3, 200)) + data[end:]
        case 3:
            return data[:start] + draws.randbytes(draws.choice((1, 1, 4, 100))) + data[end:]
        case 4 if data:
            place = draws.randrange(len(data))
            return data[:place] + bytes([data[place] ^ 1 << draws.randrange(8)]) + data[place + 1 :]
        case 5:
            return draws.choice(_TOKENS)
        case _:
            return data[:start] + draws.choice(_TOKENS) + data[end:]


def _other_value(data: bytes, shape: str, draws: random.Random) -> bytes:
    try:
        document = json.loads(data) if shape == "json" else tomllib.loads(data.decode("utf-8"))
    except (ValueError, RecursionError):
        return _other_bytes(data, draws)
    places = list(_places(document))
    if not places:
        return _other_bytes(data, draws)
    holder, at = draws.choice(places)
    match draws.randrange(5):
        case 0:
            del holder[at]
        case 1 if isinstance(holder, dict):
            holder[draws.choice(("", "x", f"{at}s", "__class__", "\u202e", "a" * 9000))] = holder.pop(at)
        case 2:
            other, place = draws.choice(places)
            holder[at] = json.loads(json.dumps(other[place], default=str)) if place in _keys(other) else []
        case 3:
            inner: Any = []
            for _ in range(draws.choice((5, 40, 500))):
                inner = [inner] if draws.random() < 0.5 else {"a": inner}
            holder[at] = inner
        case _:
            holder[at] = draws.choice(_VALUES)
    try:
        return json.dumps(document).encode() if shape == "json" else tomli_w.dumps(document).encode()
    except (TypeError, ValueError, RecursionError):
        return _other_bytes(data, draws)


def _keys(holder: Any) -> Any:
    return holder if isinstance(holder, dict) else range(len(holder))


def _places(document: Any) -> Iterator[tuple[Any, Any]]:
    for at in list(_keys(document)) if isinstance(document, dict | list) else []:
        yield document, at
        yield from _places(document[at])


ODD: Mapping[str, Callable[[Path], None]] = {
    **({"pipe": lambda path: os.mkfifo(path)} if hasattr(os, "mkfifo") else {}),
    "folder": lambda path: path.mkdir(),
    "link to nothing": lambda path: path.symlink_to("nothing"),
    "link to itself": lambda path: path.symlink_to(path.name),
    "link to zeros without end": lambda path: path.symlink_to("/dev/zero"),
    "link to the terminal": lambda path: path.symlink_to("/dev/tty"),
    "link to a file of the system": lambda path: path.symlink_to("/etc/passwd"),
    "link to a process": lambda path: path.symlink_to("/proc/self/mem"),
    "link to the kernel's messages": lambda path: path.symlink_to("/proc/kmsg"),
    "huge": lambda path: os.close(_huge(path)),
    "empty": lambda path: path.touch(),
}


def _huge(path: Path) -> int:
    descriptor = os.open(path, os.O_CREAT | os.O_WRONLY)
    os.truncate(path, 2**40)
    return descriptor


# --- one case ----------------------------------------------------------------------------------


class _Late(BaseException):
    """A case that does not end."""


@contextmanager
def _limited() -> Iterator[None]:
    def late(number: int, frame: FrameType | None) -> None:
        raise _Late

    before = [(each, signal.signal(each, late)) for each in (signal.SIGPROF, signal.SIGALRM)]
    signal.setitimer(signal.ITIMER_PROF, PROCESSOR_SECONDS)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        for each, handler in before:
            signal.signal(each, handler)


def outcome(kind: Kind, folder: Path) -> tuple[str, str]:
    """Open the file of one case; return how it ended, and by which id or fault."""
    try:
        with _limited():
            kind.open(folder)
    except _Late:
        return HUNG, ""
    except PpdmError as error:
        if kind.lenient:
            return UNEXPECTED, f"{error.id}: to be taken as absent"
        return _in_words(error, kind, folder)
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        return UNEXPECTED, f"{type(error).__name__} {Path(place.filename).name}:{place.lineno}"
    return READ, ""


def _in_words(error: PpdmError, kind: Kind, folder: Path) -> tuple[str, str]:
    words = explain(error)
    if str(folder) not in words and Path(kind.name).name not in words:
        return UNEXPECTED, f"{error.id}: no file named"
    if not render(error.id, error.arguments).remedy:
        return UNEXPECTED, f"{error.id}: no remedy"
    words.encode("utf-8")
    return REFUSED, error.id


def fuzz(kind: Kind, cases: int, seed: int, work: Path) -> tuple[Counter[str], Counter[str]]:
    """Open so many cases; return how many ended how, and the ids and faults they ended by.

    Parameters
    ----------
    kind
        What is opened.
    cases
        How many damaged files, beside one of each odd sort.
    seed
        Chooses the cases.
    work
        A folder for them.
    """
    draws = random.Random(f"{seed} {kind.name}")
    ended, by = Counter[str](), Counter[str]()
    odd = list(ODD.values())
    for number in range(cases):
        folder = work / f"{number}"
        place = folder / kind.name
        place.parent.mkdir(parents=True)
        if number < len(odd):
            odd[number](place)
        else:
            place.write_bytes(damaged(kind, draws))
        if kind.prepare is not None:
            kind.prepare(folder)
        how, why = outcome(kind, folder)
        ended[how] += 1
        by[f"{how} {why}".strip()] += 1
        if how in (READ, REFUSED):
            _remove(folder)
    return ended, by


def _remove(folder: Path) -> None:
    for path in sorted(folder.rglob("*"), key=lambda each: -len(each.parts)):
        path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()
    folder.rmdir()
