"""Workbooks that others made: what the program reads in them, held against readers that it does not use so.

The answers to a workbook stand beside it in ``NAME.answers.json``. Where there is no such file, they are the cells that
calamine and openpyxl or xlrd read alike; the others are ``undecided``, and a person who looked at a workbook may write
a cell there. A difference is *silent* where the program reads a cell otherwise than both and asks nobody.
"""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any

from ppdm_desktop.engine.errors import PpdmError
from ppdm_desktop.engine.table.reading.registry import reader_of
from ppdm_desktop.engine.table.reading.workbook.grid import format_cell_address
from ppdm_desktop.engine.table.reading.workbook.workbook_reader import WorkbookReader

ANSWERS = ".answers.json"
_TICK = 2e-8
"""Days: half of the millisecond to which moments are written, and a little more."""
_DIGITS = 1e-14
"""Numbers are written with 15 digits, as spreadsheets show them."""
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
                format_cell_address(row + 1, column + 1): value(cell)
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
            format_cell_address(row, column): plain(value, from_1904=False)
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
"""The other reader, by the ending of the file's name."""


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
            asked = {format_cell_address(*place) for place in sheet.differing(1, sheet.last_row)}
            read = {
                format_cell_address(row, column): text
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


def lines(text: str) -> str:
    """Return a text with its lines ended in one way."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


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
