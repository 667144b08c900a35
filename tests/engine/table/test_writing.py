"""Written tables: exact round trips, the formula guard, workbooks without anything that runs."""

from __future__ import annotations

import contextlib
import csv
import io
import zipfile
from dataclasses import replace
from threading import Event
from typing import Any

import numpy as np
import openpyxl
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from ppdm_desktop.engine.errors import Cancelled
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.table.column import Column, NumberStyle, Table
from ppdm_desktop.engine.table.writing import count_differing_cells, read_table, write_table
from ppdm_desktop.engine.table.writing.base import UnreadableFile
from ppdm_desktop.engine.table.writing.delimited import read_delimited
from ppdm_desktop.engine.table.writing.guard import (
    count_guarded_cells,
    guard,
    needs_guard,
    runs_in_spreadsheet,
    runs_when_split,
    unguard,
    unguard_columns,
)
from ppdm_desktop.engine.table.writing.limits import MOST_CHARACTERS, MOST_COLUMNS, MOST_ROWS, ExcelLimits, excel_limits
from ppdm_desktop.engine.table.writing.workbook import read_workbook

CELL = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=6) | st.sampled_from(
    ["=1+1", "'=1+1", "''@x", "-5", "'-5", "+1.2", "\t", "\r", "\n", "＝A1", "007", "1E5", "NA", " ", '"', "_x0041_"]
)
EXCEL_CELL = CELL.filter(lambda text: not any(ord(c) < 32 and c not in "\t\r\n" for c in text)).filter(
    lambda text: "\ufffe" not in text and "\uffff" not in text
)


def make(columns: dict[str, list[str]], numeric: set[str] | tuple[Any, ...] = (), decimal: str = ".") -> Table:
    made = []
    for name, values in columns.items():
        more = {}
        if name in numeric:
            more = {"kind": "numeric", "style": NumberStyle.seen_in([v for v in values if v], decimal)}
        made.append(Column.from_texts(name, values, **more))
    rows = len(next(iter(columns.values())))
    return Table(tuple(made), np.arange(1, rows + 1))


def tables(cell: Any) -> Any:
    return (
        st.integers(1, 4)
        .flatmap(
            lambda width: st.integers(0, 5).flatmap(
                lambda height: st.tuples(
                    st.lists(cell.filter(bool), min_size=width, max_size=width, unique=True),
                    st.lists(st.lists(cell, min_size=height, max_size=height), min_size=width, max_size=width),
                )
            )
        )
        .map(lambda parts: make(dict(zip(*parts))))
    )


@given(CELL | st.text())
@example("'=1")
def test_unguard_gives_back_every_text(text: str) -> None:
    assert unguard(guard(text)) == text


@pytest.mark.parametrize(
    ("text", "runs"), [("=1+1", True), ("'=1+1", False), ("-5", False), ("-5-5", True), ("x", False), ("", False)]
)
def test_what_has_an_apostrophe_before_it_does_not_run(text: str, runs: bool) -> None:
    assert runs_in_spreadsheet(text) is runs
    assert not runs_in_spreadsheet(guard(text))


@given(st.text())
def test_guarded_text_never_starts_like_a_formula(text: str) -> None:
    shown = guard(text)
    if shown and shown[0] in "=+-@\t\r\n＝＋－＠":
        assert shown == text
        float(text.replace(",", "."))  # only plain numbers


@pytest.mark.parametrize("text", ["=1", "+a", "-a", "@x", "\tx", "\rx", "\nx", "＝1", "＋1", "－1", "＠1", "-1,234,5"])
def test_guard_adds_an_apostrophe(text: str) -> None:
    assert guard(text) == "'" + text


@pytest.mark.parametrize("text", ["-5", "+1.2", "-1,5", "", "a=1", "'x", "5", ".5"])
def test_guard_leaves_alone(text: str) -> None:
    assert guard(text) == text
    assert not needs_guard(text)


@pytest.mark.parametrize("text", ["x;=1+1", "x\t=1", "a;b;@sum", 'x;""=1""', "x;＝1", ";-1+2", "x;=cmd|' /C calc'!A0;"])
def test_a_formula_behind_another_separator_is_seen(text: str) -> None:
    assert runs_when_split(text)


@pytest.mark.parametrize("text", ["x;-5", "x;+1,5", "x;y", "x; =1", "a=1", "-;-", "x;'=1", "Mo-Fr, -1", ""])
def test_a_separator_without_a_formula_is_none(text: str) -> None:
    assert not runs_when_split(text)


def test_a_workbook_with_a_changed_byte_is_read_or_called_unreadable() -> None:
    data = write_table(Table((Column.from_texts("a", ["x", "y"]),), np.arange(1, 3)), "xlsx").data
    for position in range(len(data)):
        with contextlib.suppress(UnreadableFile):
            read_workbook(data[:position] + bytes([data[position] ^ 85]) + data[position + 1 :])


FILES = st.lists(
    st.sampled_from(["a", "bc", ",", ",", '"', '""', "\r\n", "\r\n", "\n", "\r", "\0", "é", " "]), max_size=24
)


@settings(max_examples=300)
@given(FILES.map("".join))
@example("a,b\r\n1,2\r\n\r\n")
@example("a\r\n\r\n")
@example('a,b\r\n"x\r\ny","1""2"\r\n')
@example("a\r\nb\0\r\nb\r\n")
def test_a_file_is_read_back_as_the_csv_module_reads_it(text: str) -> None:
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
        header, *rest = rows
        expected = [list(values) for values in zip(*rest, strict=True)] if rest else [[] for _ in header]
        assert len(expected) == len(header)
    except (csv.Error, ValueError, AssertionError):
        with pytest.raises(UnreadableFile):
            read_delimited(text.encode())
        return
    back = read_delimited(text.encode())
    assert [column.header for column in back] == header
    assert [list(column.values()) for column in back] == expected


def test_bytes_that_are_no_text_are_refused() -> None:
    for rows in (1, 300):
        with pytest.raises(UnreadableFile):
            read_delimited(b"a,b\r\n" + b"x,\xff\r\n" * rows)


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None, max_examples=60)
@given(tables(EXCEL_CELL))
def test_xlsx_round_trip_and_nothing_runs(table: Any) -> None:
    written = write_table(table, "xlsx")
    assert count_differing_cells(read_table(written), table.columns) == 0
    assert written.data == write_table(table, "xlsx").data
    sheet = openpyxl.load_workbook(io.BytesIO(written.data))["data"]
    cells = [cell for row in sheet.iter_rows() for cell in row]
    assert all(cell.data_type in "sn" and cell.hyperlink is None for cell in cells)
    with zipfile.ZipFile(io.BytesIO(written.data)) as package:
        assert all(info.date_time == (1980, 1, 1, 0, 0, 0) for info in package.infolist())
        sheet_xml = package.read("xl/worksheets/sheet1.xml")
        assert b"<f>" not in sheet_xml
        assert b"hyperlink" not in sheet_xml


@pytest.mark.parametrize("delimiter", [",", ";"])
@pytest.mark.parametrize("names", ["a", "ab", ",;", ";a", '"b'])
def test_csv_round_trip_in_small_blocks(monkeypatch: pytest.MonkeyPatch, delimiter: str, names: str) -> None:
    from ppdm_desktop.engine.table.writing import delimited

    monkeypatch.setattr(delimited, "_BLOCK", 3)
    cells = {name: [f'={i % 4 + place};,"x' for i in range(10)] for place, name in enumerate(names)}
    table = replace(make(cells), delimiter=delimiter)
    written = write_table(table, "csv")
    assert written.guarded_cells == 10 * len(names)
    rows = list(
        csv.reader(io.StringIO(written.data.decode(), newline=""), delimiter=delimiter if names != "a" else ",")
    )
    assert rows[0] == list(names)
    assert count_differing_cells(read_table(written), table.columns) == 0


@pytest.mark.parametrize("decimal", [".", ","])
def test_xlsx_numbers_are_numbers_with_their_decimals(decimal: str) -> None:
    texts = [
        t.replace(".", decimal) for t in ["5", "5.0", "-1.25", "", "0.1", "999999999999999", "-0", "123456789.123456"]
    ]
    table = make({"n": texts}, numeric={"n"}, decimal=decimal)
    written = write_table(table, "xlsx")
    assert read_table(written)[0].values() == texts
    sheet = openpyxl.load_workbook(io.BytesIO(written.data))["data"]
    values = [sheet.cell(row, 1).value for row in range(2, 10)]
    assert values == [5, 5, -1.25, None, 0.1, 999999999999999, "-0", 123456789.123456]
    assert sheet["A3"].number_format == "0.0"


def test_codes_that_look_like_numbers_stay_text() -> None:
    table = make({"code": ["007", "1E5", "NA", "12345678901234567890", "5"]})
    written = write_table(table, "xlsx")
    sheet = openpyxl.load_workbook(io.BytesIO(written.data))["data"]
    assert [sheet.cell(row, 1).data_type for row in range(2, 7)] == ["s"] * 5


def test_rows_without_a_value_are_counted() -> None:
    table = make({"a": ["", "x", "", ""], "b": ["", "", "y", ""]})
    for format in ("csv", "xlsx"):
        assert count_differing_cells(read_table(write_table(table, format)), table.columns) == 0


def test_limits() -> None:
    assert excel_limits(make({"a": ["x"]})).are_met
    assert not excel_limits(make({"a": ["x" * (MOST_CHARACTERS + 1)]})).are_met
    assert excel_limits(make({"a": ["x" * MOST_CHARACTERS]})).are_met
    assert not excel_limits(make({"a": ["𝄞" * (MOST_CHARACTERS // 2 + 1)]})).are_met
    assert excel_limits(make({"a": ["\x01", "\x01"]})).control_cells == 2
    assert not ExcelLimits(MOST_ROWS + 1, 1, 0, 0).are_met
    assert not ExcelLimits(1, MOST_COLUMNS + 1, 0, 0).are_met
    with pytest.raises(ValueError):
        write_table(make({"a": ["\x01"]}), "xlsx")


def test_differing_cells_counts() -> None:
    one = make({"a": ["1", "2"], "b": ["x", "y"]})
    other = make({"a": ["1", "3"], "c": ["x", "y"]})
    assert count_differing_cells(one.columns, one.columns) == 0
    assert count_differing_cells(one.columns, other.columns) == 2
    assert count_differing_cells(one.columns, other.columns[:1]) == 4


def test_guarded_cells_are_counted_and_freed_by_each_use_and_the_stop_sign_is_seen() -> None:
    column = Column.from_texts("=a", ["=1", "x", "=1", "'=2", ""])
    table = Table((column,), np.arange(1, 6))
    assert count_guarded_cells(table) == 4, "the header, two uses of one text, and what looks guarded already"
    (freed,) = unguard_columns([replace(column, name="'=a", header="'=a", texts=tuple(map(guard, column.texts)))])
    assert (freed.name, freed.values()) == ("=a", column.values())
    stopped, many = Event(), Column.from_texts("a", [str(number) for number in range(20_000)])
    stopped.set()
    for act in (
        lambda: count_guarded_cells(Table((many,), np.arange(1, 20_001))),
        lambda: unguard_columns([many]),
    ):
        with pytest.raises(Cancelled):
            Progress(cancel=stopped).run(act)
