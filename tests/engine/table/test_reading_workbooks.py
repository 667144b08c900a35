"""Workbooks: values as they are stored, what is hidden or left behind said."""

from __future__ import annotations

import datetime as dt
import io
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from cases import case_rows
from table_workbooks import OLD, TABLE, cell, data, ods, ods_cell, packed, row, xlsx_parts

from ppdm_desktop.engine.errors import Cancelled, InputError
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.recipe.models import InputSection
from ppdm_desktop.engine.table.reading import Reading, child, read_source
from ppdm_desktop.engine.table.reading.import_log import Hidden
from ppdm_desktop.engine.table.reading.registry import reader_of
from ppdm_desktop.engine.wording.texts import all_texts, render
from ppdm_desktop.engine.wording.values import Names


def read(tmp_path: Path, content: bytes, **options: Any) -> Reading:
    path = tmp_path / "source.xlsx"
    path.write_bytes(content)
    found = read_source(path, InputSection.model_validate(options))
    for remark in found.account.warnings:
        render(remark.id, remark.arguments)
    return found


def values(reading: Reading) -> dict[str, list[str]]:
    return {column.name: column.values() for column in reading.table.columns}


def warnings(reading: Reading) -> dict[str, dict[str, object]]:
    return {remark.id.removeprefix("warning.read."): dict(remark.arguments) for remark in reading.account.warnings}


def one(tmp_path: Path, inside: str, **parts: Any) -> Reading:
    return read(tmp_path, packed(xlsx_parts({"data": inside}, **parts)))


# --- cells ------------------------------------------------------------------------------

NUMBERS = case_rows("reading-workbooks-numbers")


def test_numbers_keep_the_digits_that_are_stored(tmp_path: Path) -> None:
    body = [row(place, cell(f"A{place}", raw)) for place, (raw, _) in enumerate(NUMBERS, start=2)]
    body = [line.replace(' t="inlineStr"', "").replace("<is><t>", "<v>").replace("</t></is>", "</v>") for line in body]
    found = one(tmp_path, data(row(1, cell("A1", "n")), *body))
    assert values(found) == {"n": [text for _, text in NUMBERS]}
    assert warnings(found)["digits-lost"] == {"columns": Names.of(["n"]), "count": 2}
    assert warnings(found)["digits-rounded"] == {"columns": Names.of(["n"]), "count": 1}


def test_texts_of_every_form(tmp_path: Path) -> None:
    strings = (
        "<si><t>plain</t></si><si><r><t>two </t></r><r><t>runs</t></r><rPh><t>hint</t></rPh></si>"
        '<si><t xml:space="preserve"> kept  </t></si><si><t>a_x000A_b_x005F_</t></si><si><t>Zo&#233; &amp; 猫</t></si>'
    )
    cells = [row(2 + place, cell(f"A{2 + place}", place, t="s")) for place in range(5)]
    more = [
        row(7, '<c r="A7" t="str"><f>X</f><v>0100</v></c>'),
        row(8, '<c r="A8" t="b"><v>1</v></c>'),
        row(9, '<c r="A9" t="b"><v>0</v></c>'),
        row(10, '<c r="A10" t="e"><v>#N/A</v></c>'),
        row(11, '<c r="A11" t="d"><v>2020-02-03</v></c>'),
        row(12, "<c><f>B1</f></c>"),
        row(13, cell("A13", "end")),
    ]
    found = one(tmp_path, data(row(1, cell("A1", "text"), cell("B1", "b")), *cells, *more), strings=strings)
    assert values(found)["text"] == [
        "plain", "two runs", " kept  ", "a\nb_", "Zoé & 猫", "0100", "TRUE", "FALSE", "#N/A", "2020-02-03", "end",
    ]  # fmt: skip
    said = warnings(found)
    assert said["error-cells"] == {"columns": Names.of(["text"]), "count": 1}
    assert said["formula-no-value"] == {"columns": Names.of(["text"]), "count": 1}
    assert said["blank-rows"] == {"count": 1, "row": 12}
    assert found.table.row_numbers.tolist() == [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13]


STYLES = (
    '<numFmts><numFmt numFmtId="164" formatCode="dd/mm/yyyy\\ hh:mm"/>'
    '<numFmt numFmtId="165" formatCode="0.00&quot;d&quot;"/>'
    '<numFmt numFmtId="166" formatCode="[$-407]d. mmmm yyyy;@"/><numFmt numFmtId="167" formatCode="[h]:mm"/>'
    '<numFmt numFmtId="168" formatCode="[Red]General"/></numFmts>'
    '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>'
    '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="166"/>'
    '<xf numFmtId="167"/><xf numFmtId="20"/><xf numFmtId="168"/></cellXfs>'
)


@pytest.mark.parametrize(("style", "raw", "text", "text_1904"), case_rows("reading-workbooks-dates"))
def test_dates(style: int, raw: float, text: str, text_1904: str) -> None:
    inside = data(row(1, cell("A1", "d")), row(2, cell("A2", raw, s=str(style))))
    for book, expected in (("", text), ('<workbookPr date1904="1"/>', text_1904)):
        content = packed(xlsx_parts({"data": inside}, styles=STYLES, book=book))
        found = reader_of(content).read(content, InputSection())
        codes, texts = found.columns[0]
        assert texts[codes[0]] == expected


def test_what_openpyxl_writes_is_read_as_openpyxl_reads_it(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(["name", "born", "seen", "share", "ok", "note"])
    sheet.append(["Zoé", dt.date(1999, 12, 31), dt.datetime(2020, 2, 29, 13, 45, 10), 0.125, True, None])
    sheet.append(["007", dt.date(2001, 1, 2), dt.datetime(1900, 1, 1), -3, False, "=1+1"])
    out = io.BytesIO()
    book.save(out)
    found = read(tmp_path, out.getvalue())
    assert values(found) == {
        "name": ["Zoé", "007"],
        "born": ["1999-12-31", "2001-01-02"],
        "seen": ["2020-02-29T13:45:10", "1900-01-01T00:00:00"],
        "share": ["0.125", "-3"],
        "ok": ["TRUE", "FALSE"],
        "note": ["", ""],
    }
    assert [column.kind for column in found.table.columns[:4]] == ["nominal", "date", "date", "numeric"]
    assert warnings(found)["formula-no-value"] == {"columns": Names.of(["note"]), "count": 1}


# --- sheets, hidden things, headers -----------------------------------------------------


def test_a_sheet_with_a_lone_header_is_passed_over_unless_it_is_all_there_is(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.title = "notes"
    book.active.append(["made by", "on"])
    alone = io.BytesIO()
    book.save(alone)
    with pytest.raises(InputError, match="header-only"):
        read(tmp_path, alone.getvalue())
    data_sheet = book.create_sheet("people")
    for line in (["age", "city"], [30, "Delft"], [31, "Ghent"]):
        data_sheet.append(line)
    both = io.BytesIO()
    book.save(both)
    assert read(tmp_path, both.getvalue()).account.sheet == "people"


def test_hidden_rows_and_columns_are_read_and_said(tmp_path: Path) -> None:
    inside = '<cols><col min="2" max="3" hidden="1"/><col min="9" max="16384" hidden="true"/></cols>' + data(
        row(1, cell("A1", "a"), cell("B1", "b"), cell("C1", "c"), cell("D1", "d")),
        row(2, *(cell(f"{letter}2", 1) for letter in "ABCD"), hidden="1"),
        row(3, *(cell(f"{letter}3", 2) for letter in "ABCD")),
        row(90, hidden="1"),
    )
    found = one(tmp_path, inside)
    assert found.account.rows_read == 2
    assert found.account.hidden == Hidden(1, 2, 0)
    assert {"hidden-rows", "hidden-columns"} <= set(warnings(found))
    assert found.account.as_report()["hidden"] == {"rows": 1, "columns": 2, "sheets": 0}


def test_what_is_left_behind_is_said_and_does_not_cross_over(tmp_path: Path) -> None:
    parts = xlsx_parts({"data": TABLE}, book="<definedNames><definedName>MARKER</definedName></definedNames>")
    for name in (
        "xl/vbaProject.bin", "xl/externalLinks/externalLink1.xml", "xl/comments1.xml", "docProps/app.xml",
        "xl/pivotCache/pivotCacheDefinition1.xml", "xl/embeddings/oleObject1.bin", "xl/connections.xml",
        "xl/media/image1.png",
    ):  # fmt: skip
        parts[name] = "<x>MARKER</x>"
    found = read(tmp_path, packed(parts))
    assert found.account.format == "xlsm"
    kinds = {"macros", "links", "comments", "pivots", "objects", "connections", "pictures", "names"}
    assert {f"left-{kind}" for kind in kinds} == set(warnings(found))
    assert "MARKER" not in repr(found)
    assert values(found) == {"name": ["x"], "n": ["1"]}


def test_a_header_over_two_merged_rows_is_joined(tmp_path: Path) -> None:
    inside = data(
        row(1, cell("A1", "Name"), cell("B1", "Income")),
        row(2, cell("B2", "2019"), cell("C2", "2020 net")),
        row(3, cell("A3", "x"), cell("B3", 1), cell("C3", 2)),
    ).replace("2019", "gross")
    inside += '<mergeCells><mergeCell ref="A1:A2"/><mergeCell ref="B1:C1"/><mergeCell ref="B3:C3"/></mergeCells>'
    found = one(tmp_path, inside)
    assert list(values(found)) == ["Name", "Income: gross", "Income: 2020 net"]
    assert warnings(found)["header-merged"] == {"first": 1, "last": 2}
    assert warnings(found)["merged-cells"] == {"count": 1}
    assert found.table.row_numbers.tolist() == [3]
    again = read(tmp_path, (tmp_path / "source.xlsx").read_bytes(), **found.options.model_dump(exclude_none=True))
    assert values(again) == values(found)


def test_formula_results_are_flagged(tmp_path: Path) -> None:
    inside = TABLE.replace("</sheetData>", row(3, cell("A3", "y"), cell("B3", 7, formula="A1*2")) + "</sheetData>")
    assert warnings(one(tmp_path, inside))["formula-numbers"] == {"columns": Names.of(["n"]), "count": 1}


# --- ODS --------------------------------------------------------------------------------


def test_ods(tmp_path: Path) -> None:
    header = "".join(ods_cell(name) for name in ("name", "n", "day", "ok", "time"))
    first = (
        ods_cell("Zoé<text:s text:c='2'/>x<text:line-break/>y")
        + ods_cell("1,50", "float", office__value="1.50", table__formula="of:=1")
        + ods_cell("01.02.20", "date", office__date_value="2020-02-01")
        + ods_cell("WAHR", "boolean", office__boolean_value="true")
        + ods_cell("26:30", "time", office__time_value="PT26H30M00S")
    )
    second = (
        ods_cell("007").replace("</text:p>", "</text:p><text:p>second</text:p>")
        + "<table:table-cell office:value-type='float' office:value='9007199254740993'>"
        "<office:annotation><text:p>MARKER</text:p></office:annotation><text:p>9e15</text:p></table:table-cell>"
        + ods_cell("", "")
        + ods_cell("5:02", "time", office__time_value="PTH5M2S")
        + ods_cell("#N/A", "string", calcext__value_type="error")
    )
    tables = (
        '<table:table table:name="gone" table:style-name="h"><table:table-row>'
        + ods_cell("secret")
        + "</table:table-row></table:table>"
        '<table:table table:name="data"><table:table-column table:number-columns-repeated="2"/>'
        '<table:table-column table:visibility="collapse"/>'
        f"<table:table-row>{header}</table:table-row>"
        f"<table:table-row table:number-rows-repeated='2'>{first}</table:table-row>"
        f"<table:table-row table:visibility='filter'>{second}</table:table-row>"
        "<table:table-row table:number-rows-repeated='1048572'>"
        "<table:table-cell table:number-columns-repeated='16384'/></table:table-row></table:table>"
    )
    hidden = (
        '<office:automatic-styles><style:style style:name="h">'
        '<style:table-properties table:display="false"/></style:style></office:automatic-styles>'
    )
    found = read(tmp_path, ods(tables, hidden))
    assert (found.account.format, found.account.sheet) == ("ods", "data")
    assert values(found) == {
        "name": ["Zoé  x\ny", "Zoé  x\ny", "007\nsecond"],
        "n": ["1.5", "1.5", "9007199254740993"],
        "day": ["2020-02-01", "2020-02-01", ""],
        "ok": ["TRUE", "TRUE", "5:02"],
        "time": ["26:30:00", "26:30:00", "#N/A"],
    }
    assert found.account.hidden == Hidden(1, 1, 1)
    assert {"cut-emptiness", "error-cells", "digits-lost", "formula-numbers"} <= set(warnings(found))


# --- XLS --------------------------------------------------------------------------------


def test_xls(tmp_path: Path) -> None:
    found = read(tmp_path, OLD)
    assert (found.account.format, found.account.sheet, found.account.sheets) == ("xls", "data", ("hidden", "data"))
    assert found.account.header_row == 3
    assert values(found) == {
        "name": ["Zoé", "007"],
        "n": ["0.1", "1500"],
        "day": ["2020-01-31", "1999-12-01"],
        "ok": ["TRUE", "FALSE"],
        "err": ["", "x"],
    }
    assert {"legacy-format", "hidden-sheets"} <= set(warnings(found))


# --- the child process ------------------------------------------------------------------


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="needs a system that can hold a process")
@pytest.mark.parametrize("message", [1, 2])
def test_cancel_ends_the_child_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, message: int) -> None:
    """Asked to stop while it waits for the child to be there (1), or to have read the workbook (2)."""
    path = tmp_path / "source.xlsx"
    path.write_bytes(packed(xlsx_parts({"data": TABLE})))
    stop, too_late = threading.Event(), threading.Event()
    waits = 0
    rescues: list[threading.Timer] = []
    wait_for = child._receive_message

    def rescue(held: multiprocessing.process.BaseProcess) -> None:
        too_late.set()
        held.kill()

    def stopping(*arguments: Any) -> dict[str, Any]:
        nonlocal waits
        waits += 1
        if waits == message:
            # Held, the child neither answers nor ends: only whoever ends it gets any further.
            (process,) = multiprocessing.active_children()
            assert process.pid is not None
            os.kill(process.pid, signal.SIGSTOP)
            rescues.append(threading.Timer(20, rescue, [process]))
            rescues[0].start()
            stop.set()
        return wait_for(*arguments)

    monkeypatch.setattr(child, "_receive_message", stopping)
    with pytest.raises(Cancelled):
        Progress(cancel=stop).run(read_source, path, InputSection())
    rescues[0].cancel()
    assert not too_late.is_set()
    assert not multiprocessing.active_children()


@pytest.mark.skipif(not hasattr(signal, "SIGXCPU"), reason="needs a system that says how a process ended")
@pytest.mark.parametrize(
    ("ending", "why"),
    [("SIGXCPU", "too-slow"), ("SIGSEGV", "damaged"), ("SIGKILL", "memory"), ("SIGABRT", "memory")],
)
def test_the_cause_of_a_childs_death_is_said(ending: str, why: str) -> None:
    ended = multiprocessing.get_context("spawn").Process(target=signal.raise_signal, args=(getattr(signal, ending),))
    ended.start()
    assert child._find_exit_cause(ended) == f"error.read.{why}"
    assert f"error.read.{why}" in all_texts()


def test_a_plain_script_without_a_guard_reads_a_workbook(tmp_path: Path) -> None:
    one(tmp_path, TABLE)
    script = tmp_path / "plain.py"
    script.write_text("from ppdm_desktop import api\nprint(len(api.read('source.xlsx').columns))\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, script], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.stdout.strip(), done.stderr) == ("2", "")
