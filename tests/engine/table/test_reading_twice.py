"""Old workbooks are read by two readers: where they differ, the owner is asked, and nothing changes without a word."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cases import case_rows
from known_books import ERRORS, HEADER, Known, new_books, old_books, rows_of
from old_books import Book, Err, Rows, Styled, xls, xlsb
from table_workbooks import cell, data, ods, ods_cell, packed, row, xlsx_parts

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.recipe.models import InputSection
from ppdm_desktop.engine.table.reading import Reading, read_source
from ppdm_desktop.engine.table.reading.base import read_with
from ppdm_desktop.engine.table.reading.raw import RawTable
from ppdm_desktop.engine.table.reading.registry import reader_of
from ppdm_desktop.engine.table.reading.workbook.cell_reader import Cell, Cells, convert_reader_errors
from ppdm_desktop.engine.table.reading.workbook.cells import DateStyle, date_style
from ppdm_desktop.engine.table.reading.workbook.cross_checked import open_with_all_readers
from ppdm_desktop.engine.table.reading.workbook.grid import Sheet
from ppdm_desktop.engine.wording.texts import render
from ppdm_desktop.engine.wording.values import Name, Names

MAKERS = [pytest.param(xls, id="xls"), pytest.param(xlsb, id="xlsb")]
ASKED = Book({"data": rows_of(Styled(26.0, "[<50]d;0"), 60.0, Styled(-1.0, "[<50]d;0"))})


def raw(content: bytes, **options: Any) -> RawTable:
    """Read in this process, as the child does."""
    return read_with(reader_of(content), content, InputSection.model_validate(options))


def read(tmp_path: Path, content: bytes, **options: Any) -> Reading:
    """Read through the door, with the child process."""
    path = tmp_path / "source"
    path.write_bytes(content)
    return read_source(path, InputSection.model_validate(options))


def values(table: RawTable, place: int = 1) -> list[str]:
    codes, texts = table.columns[place]
    return [texts[code] for code in codes.tolist()]


def notes(table: RawTable) -> dict[str, dict[str, object]]:
    for note in table.warnings:
        render(note.id, note.arguments)
    return {note.id.removeprefix("warning.read."): dict(note.arguments) for note in table.warnings}


# --- what stands there ------------------------------------------------------------------


@pytest.mark.parametrize("known", [pytest.param(each, id=each.name) for each in (*old_books(), *new_books())])
def test_every_cell_is_read_as_it_is_shown_or_asked_about(known: Known) -> None:
    found = raw(known.data)
    assert values(found) == known.cells
    assert [each.column for each in found.second] == ([1] if known.differs else [])


FORMATS: list[tuple[str, DateStyle | None]] = case_rows("reading-twice-formats")


@pytest.mark.parametrize(("code", "style"), FORMATS)
def test_what_a_format_shows(code: str, style: DateStyle | None) -> None:
    assert date_style(164, code) == style


def test_a_format_for_conditional_formatting_is_no_format_of_a_cell() -> None:
    styles = (
        '<numFmts><numFmt numFmtId="164" formatCode="yyyy"/></numFmts>'
        '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="1"/></cellXfs>'
        '<dxfs><dxf><numFmt numFmtId="14" formatCode="0.00"/></dxf><dxf><numFmt numFmtId="164" formatCode="0"/></dxf>'
        '<dxf><numFmt numFmtId="1" formatCode="dd.mm.yyyy"/></dxf></dxfs>'
    )
    names = row(1, *(cell(f"{letter}1", letter) for letter in "abc"))
    inside = names + row(2, cell("A2", 42062, s="1"), cell("B2", 42062, s="2"), cell("C2", 42062, s="3"))
    found = raw(packed(xlsx_parts({"data": data(inside)}, styles=styles)))
    assert [values(found, place) for place in range(3)] == [["2015-02-27"], ["2015-02-27"], ["42062"]]


# --- errors -----------------------------------------------------------------------------


def in_every_format() -> Iterator[Any]:
    """Yield a table with two errors in the second column, one of them alone in its row, in each format."""
    errors: Rows = (HEADER, ("p0", 1.0), ("p1", Err(0x2A)), (None, Err(0x07)), ("p3", 2.0))
    yield pytest.param(xls(Book({"data": errors})), id="xls")
    yield pytest.param(xlsb(Book({"data": errors})), id="xlsb")
    inside = data(
        row(1, cell("A1", "id"), cell("B1", "value")),
        row(2, cell("A2", "p0"), cell("B2", 1)),
        row(3, cell("A3", "p1"), cell("B3", "#N/A", t="e")),
        row(4, cell("B4", "#DIV/0!", t="e")),
        row(5, cell("A5", "p3"), cell("B5", 2)),
    )
    yield pytest.param(packed(xlsx_parts({"data": inside})), id="xlsx")
    for name, error in (
        ("libreoffice", {"calcext__value_type": "error"}),
        ("excel", {"table__formula": "of:=1/0"}),
    ):
        lines = (
            ods_cell("id") + ods_cell("value"),
            ods_cell("p0") + ods_cell("1", "float", office__value="1"),
            ods_cell("p1") + ods_cell("#N/A", **error),
            ods_cell("", "") + ods_cell("#DIV/0!", **error),
            ods_cell("p3") + ods_cell("2", "float", office__value="2"),
        )
        rows = "".join(f"<table:table-row>{line}</table:table-row>" for line in lines)
        yield pytest.param(ods(f"<table:table table:name='data'>{rows}</table:table>"), id=f"ods-{name}")


@pytest.mark.parametrize("content", [*in_every_format()])
def test_errors_are_texts_that_are_counted_and_no_row_goes(content: bytes) -> None:
    found = raw(content)
    assert values(found) == ["1", "#N/A", "#DIV/0!", "2"]
    assert found.row_numbers.tolist() == [2, 3, 4, 5]
    assert notes(found)["error-cells"] == {"columns": Names.of(["value"]), "count": 2}
    assert not found.second


def test_a_text_that_looks_like_an_error_is_not_counted() -> None:
    found = raw(xls(Book({"data": rows_of("#N/A", "x")})))
    assert values(found) == ["#N/A", "x"]
    assert "error-cells" not in notes(found)
    assert [text for _, text in ERRORS][-1] == "#N/A"


# --- the question -----------------------------------------------------------------------


def test_only_rows_that_stay_are_asked_about(tmp_path: Path) -> None:
    content = xls(ASKED)
    digest = read(tmp_path, content).account.sha256
    for rows, left in (([2], [(4, "-1")]), ([2, 4], [])):
        found = read(tmp_path, content, sha256=digest, leave_out=[{"rows": rows, "reason": "other"}])
        assert [(each.row, each.first) for each in found.account.read_twice] == left


class Made:
    """A reader that says what it is made with; an exception among the rows is raised there."""

    def __init__(self, *rows: dict[int, Cell] | BaseException) -> None:
        self.names, self.hidden = ["data"], set[str]()
        self._rows = rows

    def cells(self, name: str, sheet: Sheet) -> Cells:
        for number, cells in enumerate(self._rows, start=1):
            with convert_reader_errors():
                if isinstance(cells, BaseException):
                    raise cells
            if cells:
                yield number, cells


class PanicException(BaseException):
    """What a reader written in Rust raises where it gives up: no ``Exception``."""


NAMES = {1: Cell("a"), 2: Cell("b")}


def held(one: Made, two: Made) -> Sheet:
    book = open_with_all_readers("xls", (lambda: one, lambda: two), lambda: None, 0)
    return book.read("data", None)


def test_a_cell_that_one_reader_does_not_see_is_asked_about() -> None:
    first = Made(NAMES, {1: Cell("x"), 2: Cell("1", True)}, {}, {1: Cell("z")})
    second = Made(NAMES, {1: Cell("x")}, {1: Cell("y")}, {1: Cell("z")})
    sheet = held(first, second)
    assert sheet.differing(1, 9) == [(2, 2), (3, 1)]
    codes, texts, typed = sheet.second(2, 2, 4) or ([], (), [])
    assert [texts[code] for code in codes] == ["", "", ""]
    assert len(typed) == 0
    codes, texts, _ = sheet.second(1, 2, 4) or ([], (), [])
    assert [texts[code] for code in codes] == ["x", "y", "z"]
    assert sheet.second(2, 3, 4) is None
    assert not sheet.is_read_once


@pytest.mark.parametrize(("mine", "theirs", "taken"), case_rows("reading-twice-two-ways-of-writing-one-moment-are-no"))
def test_two_ways_of_writing_one_moment_are_no_difference(mine: str, theirs: str, taken: str | None) -> None:
    sheet = held(Made(NAMES, {1: Cell(mine, True)}), Made(NAMES, {1: Cell(theirs, True)}))
    assert sheet.texts_of_row(2) == {1: taken or mine}
    assert sheet.differing(1, 9) == ([] if taken else [(2, 1)])


@pytest.mark.parametrize("fault", [PanicException("panicked"), ValueError("odd")], ids=["panic", "error"])
@pytest.mark.parametrize("place", [0, 1], ids=["first", "second"])
def test_a_reader_that_breaks_leaves_the_other_and_that_is_said(fault: BaseException, place: int) -> None:
    rows = ({1: Cell("a"), 2: Cell("b")}, {1: Cell("x"), 2: Cell("1", True)})
    readers = [Made(*rows), Made(*rows)]
    readers[place] = Made(rows[0], fault)
    sheet = held(*readers)
    assert sheet.is_read_once
    assert sheet.texts_of_row(2) == {1: "x", 2: "1"}
    with pytest.raises(InputError) as caught:
        held(Made(rows[0], fault), Made(rows[0], fault))
    assert caught.value.id == "error.read.broken-package"


def test_lack_of_memory_is_no_damage() -> None:
    with pytest.raises(MemoryError):
        held(Made(NAMES, MemoryError()), Made(NAMES))


@pytest.mark.parametrize("make", MAKERS)
def test_names_that_are_read_in_two_ways_are_said(make: Any) -> None:
    odd = Book({"data": (("id", Styled(26.0, "[<50]d;0"), "c"), ("x", "y", 1.0), ("z", "w", 2.0))})
    found = raw(make(odd), header_row=1)
    assert notes(found)["names-read-twice"]["count"] == 1
    assert not found.second


@pytest.mark.parametrize("make", MAKERS)
def test_foreign_readers_stay_in_the_child(tmp_path: Path, make: Any) -> None:
    path = tmp_path / "book"
    path.write_bytes(make(ASKED))
    program = (
        "import sys\nfrom pathlib import Path\n"
        "from ppdm_desktop.engine.recipe.models import InputSection\n"
        "from ppdm_desktop.engine.table.reading import read_source\n"
        "if __name__ == '__main__':\n"
        "    print(read_source(Path(sys.argv[1]), InputSection()).table.rows)\n"
        "    print(sorted({'xlrd', 'python_calamine'} & set(sys.modules)))\n"
    )
    script = tmp_path / "script.py"
    script.write_text(program)
    done = subprocess.run([sys.executable, str(script), str(path)], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:2] == ["3", "[]"]


# --- what cannot be read, and what is hidden --------------------------------------------


def test_a_locked_workbook_is_called_so(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path, xls(ASKED, locked=True))
    assert caught.value.id == "error.read.password"


@pytest.mark.parametrize(
    ("begin", "name"),
    [(b"\x09\x00\x04\x00\x02\x00\x10\x00", "Excel 2"), (b"\x09\x02\x06\x00\x00\x00\x10\x00\x00\x00", "Excel 3"),
     (b"\x09\x04\x06\x00\x00\x00\x00\x01\x00\x00", "Excel 4")],
)  # fmt: skip
def test_workbooks_before_excel_5_are_called_what_they_are(begin: bytes, name: str) -> None:
    with pytest.raises(InputError) as caught:
        reader_of(begin + bytes(100))
    assert (caught.value.id, str(caught.value.arguments["format"])) == ("error.read.old-excel", name)


LARGE: Rows = (("a", "b", "c"), *((f"p{place}", float(place), "x") for place in range(9)))
SMALL: Rows = (("p", "q"), ("r", "s"))


@pytest.mark.parametrize("make", MAKERS)
def test_hidden_sheets_are_named_and_can_be_chosen(make: Any) -> None:
    book = Book(
        {"notes": SMALL, "people": LARGE, "lists": SMALL, "codes": SMALL}, {"people": 1, "lists": 2, "codes": 1}
    )
    found = raw(make(book))
    assert found.sheet == "notes"
    assert notes(found)["hidden-table"] == {"sheet": Name("people"), "rows": 9, "columns": 3}
    assert notes(found)["hidden-sheets"] == {"count": 2, "sheets": Names.of(["lists", "codes"])}
    assert [each.name for each in found.sheets_seen if each.hidden] == ["people", "lists", "codes"]
    chosen = raw(make(book), sheet="people")
    assert (chosen.sheet, len(chosen.row_numbers)) == ("people", 9)
    assert "hidden-table" not in notes(chosen)


def test_a_hidden_sheet_is_read_where_all_others_are_empty() -> None:
    found = raw(xls(Book({"empty": (), "people": LARGE}, {"people": 2})))
    assert found.sheet == "people"
    assert notes(found)["hidden-sheet-read"] == {"sheet": Name("people")}
    assert "hidden-sheet-read" not in notes(
        raw(xls(Book({"empty": (), "people": LARGE}, {"people": 2})), sheet="people")
    )


@pytest.mark.parametrize("make", MAKERS)
def test_a_table_that_begins_further_right_and_down_is_no_difference(make: Any) -> None:
    rows: Rows = ((), (), (None, None, "a", "b"), (None, None, "x", 1.0), (), (None, None, "y", 2.0))
    found = raw(make(Book({"data": rows})))
    assert (found.headers, found.header_row, found.row_numbers.tolist()) == (("a", "b"), 3, [4, 6])
    assert values(found) == ["1", "2"]
    assert not found.second
    assert "names-read-twice" not in notes(found)
