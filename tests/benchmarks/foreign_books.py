"""Workbooks that others made: what the program reads in them, held against two readers that it does not use so.

    python -m tests.benchmarks.foreign_books answers FOLDER    make FOLDER/NAME.answers.json for every workbook
    python -m tests.benchmarks.foreign_books compare FOLDER    read every workbook, print counts and each difference

Where a workbook has no such file, the answers are the cells that calamine and openpyxl or xlrd read alike.

The answers are made by Gnumeric (its command ``ssconvert`` has to be installed) and, by format, openpyxl, xlrd or
calamine. Only a cell that both read alike is an answer; the others are kept as ``undecided``, and a person who looked
at a workbook may write a cell there. XLSB has no answers: Gnumeric does not read it.

A difference is *silent* where the program reads a cell otherwise than both, or not at all, and asks nobody. Exit
status 1 where there is one, or where reading ends in something else than a table or a refusal in words.
The test ``tests/engine/table/test_foreign_books.py`` does the same with the folder ``foreign-books`` of the data.
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any, Literal

from ppdm_desktop.engine.errors import PpdmError
from ppdm_desktop.engine.table.reading.registry import reader_of
from ppdm_desktop.engine.table.reading.workbook.grid import address
from ppdm_desktop.engine.table.reading.workbook.workbook_reader import WorkbookReader

ANSWERS = ".answers.json"
_TICK = 2e-8
"""Days: half of the millisecond to which moments are written, and a little more."""
_DIGITS = 1e-14
"""Numbers are written with 15 digits, as spreadsheets show them."""
_LONGEST = 60
_MOST_MEMORY = 4 * 2**30
_MOMENT = re.compile(r"(?:(\d{4,})-(\d\d)-(\d\d))?T?(?:(\d+):(\d\d):(\d\d(?:\.\d+)?))?", re.ASCII)

Value = float | str | bool
Cells = dict[str, Value | dict[str, float | str]]
"""What stands at an address: a number, a text, a truth value, ``{"serial": days}`` or ``{"error": "#N/A"}``."""


# --- answers ----------------------------------------------------------------------------


def days(value: date | time | timedelta, from_1904: bool = False) -> float:
    """Return a moment or a length of time as a spreadsheet counts it, in days."""
    if isinstance(value, timedelta):
        return value / timedelta(days=1)
    if isinstance(value, time):
        value = datetime.combine(date.min, value)
        return (value - datetime.min) / timedelta(days=1)
    moment = value if isinstance(value, datetime) else datetime(value.year, value.month, value.day)
    if from_1904:
        return (moment - datetime(1904, 1, 1)) / timedelta(days=1)
    since = (moment - datetime(1899, 12, 30)) / timedelta(days=1)
    return since if since >= 61 else since - 1


def by_gnumeric(path: Path, form: Literal["raw", "automatic"]) -> dict[str, dict[str, str]]:
    """Return the cells of each sheet as Gnumeric writes them: raw, moments as numbers; else as they are shown.

    Raises
    ------
    subprocess.SubprocessError
        When it cannot read the workbook, or not in time.
    """
    found: dict[str, dict[str, str]] = {}
    with tempfile.TemporaryDirectory() as place:
        command = ["ssconvert", "-S", "-T", "Gnumeric_stf:stf_assistant"]
        command += ["-O", f"format={form} quoting-mode=always separator=, eol=unix", str(path), f"{place}/%n %s.csv"]
        subprocess.run(command, capture_output=True, check=True, timeout=_LONGEST)
        for written in Path(place).iterdir():
            with written.open(encoding="utf-8", newline="") as file:
                rows = list(csv.reader(file))
            found[written.stem.partition(" ")[2]] = {
                address(row, column): text
                for row, line in enumerate(rows, 1)
                for column, text in enumerate(line, 1)
                if text != ""
            }
    return found


def by_openpyxl(path: Path) -> dict[str, Cells]:
    """Return the cells of each worksheet of an XLSX file."""
    import openpyxl
    from openpyxl.utils.escape import unescape

    def value(cell: Any) -> Any:
        if cell.data_type == "e":
            return {"error": cell.value}
        return unescape(cell.value) if isinstance(cell.value, str) else plain(cell.value, from_1904)

    book = openpyxl.load_workbook(path, data_only=True)
    from_1904 = book.epoch.year == 1904
    return {
        sheet.title: {
            cell.coordinate: value(cell)
            for row in sheet.iter_rows()
            for cell in row
            if cell.value is not None and cell.value != ""
        }
        for sheet in book.worksheets
    }


def by_xlrd(path: Path) -> dict[str, Cells]:
    """Return the cells of each worksheet of an XLS file."""
    import xlrd

    def value(cell: Any) -> Any:
        if cell.ctype == xlrd.XL_CELL_ERROR:
            return {"error": xlrd.error_text_from_code[cell.value]}
        if cell.ctype == xlrd.XL_CELL_DATE:
            return {"serial": cell.value}
        return bool(cell.value) if cell.ctype == xlrd.XL_CELL_BOOLEAN else cell.value

    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        book = xlrd.open_workbook(str(path), formatting_info=True, logfile=nowhere)
        return {
            sheet.name: {
                address(row + 1, column + 1): value(cell)
                for row in range(sheet.nrows)
                for column, cell in enumerate(sheet.row(row))
                if cell.ctype not in (xlrd.XL_CELL_EMPTY, xlrd.XL_CELL_BLANK) and cell.value != ""
            }
            for sheet in book.sheets()
        }


def by_calamine(path: Path) -> dict[str, Cells]:
    """Return the cells of each worksheet of an ODS file."""
    from python_calamine import CalamineWorkbook

    book = CalamineWorkbook.from_path(str(path))
    return {
        name: {
            address(row, column): plain(value, from_1904=False)
            for row, line in enumerate(book.get_sheet_by_name(name).to_python(skip_empty_area=False), 1)
            for column, value in enumerate(line, 1)
            if value != ""
        }
        for name in book.sheet_names
    }


def plain(value: Any, from_1904: bool) -> Any:
    """Return what a reader found as an answer file writes it."""
    if isinstance(value, (bool, str)):
        return value
    if isinstance(value, (date, time, timedelta)):
        return {"serial": days(value, from_1904)}
    return float(value)


SECOND: Mapping[str, Callable[[Path], dict[str, Cells]]] = {
    ".xlsx": by_openpyxl,
    ".xlsm": by_openpyxl,
    ".xls": by_xlrd,
    ".ods": by_calamine,
}
"""The reader beside Gnumeric, by the ending of the file's name."""


def agree(text: str, shown: str, value: Any) -> bool:
    """Say whether Gnumeric's raw text, and what it shows, mean the same as what the other reader found."""
    if isinstance(value, dict) and "error" in value:
        return bool(text == value["error"])
    if isinstance(value, bool):
        return text == str(value).upper()
    if isinstance(value, str):
        return lines(value) in (lines(text), lines(unescaped(text)))
    try:
        number = float(text)
    except ValueError:
        return False
    is_moment_shown = re.search(r"\d[:/.-]\s?\d+[:/.-]|[a-zäöü]{3}|:\d\d", shown, re.IGNORECASE) is not None
    if isinstance(value, dict):
        return is_moment_shown and near(number, value["serial"], _TICK)
    return not is_moment_shown and near(number, value)


def answers(path: Path) -> dict[str, Any] | str:
    """Return the answers to a workbook, or why there are none."""
    second = SECOND.get(path.suffix.lower())
    if second is None:
        return "no second reader of this format"
    try:
        first, shown, other = by_gnumeric(path, "raw"), by_gnumeric(path, "automatic"), second(path)
    except Exception as error:  # whatever a foreign reader raises: then there are no answers
        return type(error).__name__
    sheets, undecided = {}, 0
    for name in first.keys() & other.keys():
        both = first[name].keys() | other[name].keys()
        kept = {
            place: other[name][place]
            for place in both
            if place in first[name]
            and place in other[name]
            and agree(first[name][place], shown[name].get(place, ""), other[name][place])
        }
        undecided += len(both) - len(kept)
        sheets[name] = {"cells": kept, "undecided": sorted(both - kept.keys())}
    return {"sheets": sheets, "undecided": undecided}


# --- what the program reads -------------------------------------------------------------


@dataclass
class Comparison:
    """What became of one workbook.

    Attributes
    ----------
    outcome
        ``read``, ``refused``, or the name of an error that nobody should see.
    cells, asked
        How many answers there are, and how many of them the program asks the owner about.
    silent
        Sheet, cell, answer and what the program reads, for each silent difference.
    """

    outcome: str
    cells: int = 0
    asked: int = 0
    silent: list[tuple[str, str, Any, str]] = field(default_factory=list)


def compare(path: Path, expected: Mapping[str, Any] | None) -> Comparison:
    """Read all sheets of a workbook as the program does, and hold them against the answers."""
    data = path.read_bytes()
    try:
        reader = reader_of(data)
        if not isinstance(reader, WorkbookReader):
            return Comparison("no workbook")
        book = reader.open_book(data, None, lambda: None)
        found = Comparison("read")
        for name in book.sheets:
            sheet = book.read(name, None)
            known = expected["sheets"].get(name) if expected else None
            if known is None:
                continue
            asked = {address(*place) for place in sheet.differing(1, sheet.last_row)}
            read = {
                address(row, column): text
                for row, line in sheet.first_rows(sheet.last_row).items()
                for column, text in line.items()
                if text != ""
            }
            found.cells += len(known["cells"])
            found.asked += len(asked)
            for place in (known["cells"].keys() | read.keys()) - asked - set(known["undecided"]):
                answer = known["cells"].get(place)
                if not same(answer, read.get(place)):
                    found.silent.append((name, place, answer, read.get(place, "")))
    except PpdmError:
        return Comparison("refused")
    except Exception as error:  # this is what is looked for
        return Comparison(type(error).__name__)
    return found


def same(answer: Any, text: str | None) -> bool:
    """Say whether a text of the program means an answer; None is an empty cell."""
    if answer is None or text is None:
        return (text or "").strip() == "" and (answer is None or (isinstance(answer, str) and not answer.strip()))
    if isinstance(answer, bool):
        return text.upper() == str(answer).upper()
    if isinstance(answer, str):
        return lines(text) == lines(answer)
    if isinstance(answer, dict):
        return text == answer["error"] if "error" in answer else is_moment(text, answer["serial"])
    try:
        return near(float(text), answer)
    except ValueError:
        return False


def is_moment(text: str, serial: float) -> bool:
    """Say whether a text is the moment of a serial number, whichever day the workbook counts from."""
    parts = _MOMENT.fullmatch(text)
    if parts is None:
        return False
    year, month, day, hours, minutes, seconds = parts.groups()
    clock = (int(hours) * 3600 + int(minutes) * 60 + float(seconds)) / 86_400 if hours else 0.0
    if year is None:
        return near(clock, serial, _TICK)
    if (year, month, day) == ("1900", "02", "29"):
        return near(60 + clock, serial, _TICK)
    midnight = date(int(year), int(month), int(day))
    return any(near(days(midnight, epoch) + clock, serial, _TICK) for epoch in (False, True))


def near(one: float, other: float, within: float = 0.0) -> bool:
    """Say whether two numbers are the same as far as they are written."""
    return math.isclose(one, other, rel_tol=_DIGITS, abs_tol=within)


def unescaped(text: str) -> str:
    """Return a text with signs that XLSX writes as ``_x000D_`` in their place."""
    return re.sub(r"_x([0-9A-Fa-f]{4})_", lambda found: chr(int(found[1], 16)), text)


def lines(text: str) -> str:
    """Return a text with its lines ended in one way."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


# --- the command ------------------------------------------------------------------------


def books(folder: Path) -> list[Path]:
    """Return the workbooks of a folder."""
    return sorted(path for path in folder.iterdir() if not path.name.endswith(ANSWERS) and path.is_file())


def answered(path: Path) -> Mapping[str, Any] | None:
    """Return the answers kept beside a workbook, else those of two other readers; None where there are none."""
    beside = path.with_name(path.name + ANSWERS)
    return dict(json.loads(beside.read_text("utf-8"))) if beside.exists() else by_both(path)


def by_both(path: Path) -> Mapping[str, Any] | None:
    """Return as answers the cells that calamine and another reader read alike; None where not both read the format."""
    second = SECOND.get(path.suffix.lower(), by_calamine)
    if second is by_calamine:
        return None
    try:
        first, other = by_calamine(path), second(path)
    except Exception:  # whatever a foreign reader raises: then there are no answers
        return None
    sheets = {}
    for name in first.keys() & other.keys():
        kept = {place: cell for place, cell in other[name].items() if first[name].get(place) == cell}
        sheets[name] = {"cells": kept, "undecided": sorted((first[name].keys() | other[name].keys()) - kept.keys())}
    return {"sheets": sheets}


def _answer(path: Path) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = answers(path)
    if isinstance(made, str):
        return made
    path.with_name(path.name + ANSWERS).write_text(json.dumps(made, ensure_ascii=False), "utf-8")
    return "answered"


def _compare(path: Path) -> Comparison:
    return compare(path, answered(path))


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("what", choices=("answers", "compare"))
    parser.add_argument("folder", type=Path)
    given = parser.parse_args()
    found = books(given.folder)
    with ProcessPoolExecutor(2, initializer=_capped) as pool:
        if given.what == "answers":
            if shutil.which("ssconvert") is None:
                parser.error("ssconvert (of Gnumeric) is not installed")
            print(dict(Counter(pool.map(_answer, found)).most_common()))
            return 0
        return 1 if any(list(told(zip(found, pool.map(_compare, found))))) else 0


def _capped() -> None:
    """Take no more memory than a child that reads may, where the system can hold a process to it."""
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))


def told(results: Iterator[tuple[Path, Comparison]]) -> Iterator[bool]:
    """Print the results as they come and all together; yield for each whether something is wrong with it."""
    counts: Counter[tuple[str, str]] = Counter()
    cells = asked = silent = 0
    for path, each in results:
        counts[path.suffix.lower(), each.outcome] += 1
        cells, asked, silent = cells + each.cells, asked + each.asked, silent + len(each.silent)
        for sheet, place, answer, text in each.silent[:3]:
            print(f"{path.name} {sheet}!{place}: {answer!r} is read as {text!r} ({len(each.silent)} such)")
        if each.outcome not in ("read", "refused", "no workbook"):
            print(f"{path.name}: {each.outcome}")
            yield True
        yield bool(each.silent)
    for (ending, outcome), number in sorted(counts.items()):
        print(f"{ending:6} {outcome:20} {number:6}")
    print(f"{cells} answers, {asked} cells asked about, {silent} silent differences")


if __name__ == "__main__":
    sys.exit(main())
