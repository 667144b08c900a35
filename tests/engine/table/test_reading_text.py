"""Delimited text: what goes in comes out, whatever the dialect; what cannot be read is said."""

from __future__ import annotations

import csv
import io
import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest
from cases import case_rows
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from ppdm_desktop.engine.errors import Cancelled, InputError
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.recipe.models import InputSection
from ppdm_desktop.engine.table.reading import Reading, column_builder, delimited, hash_file, read_source
from ppdm_desktop.engine.table.reading.names import make_unique_names
from ppdm_desktop.engine.table.reading.near_types import NEARLY
from ppdm_desktop.engine.wording.texts import all_texts, explain
from ppdm_desktop.engine.wording.values import Names, Quoted


def read(tmp_path: Path, content: str | bytes, **options: Any) -> Reading:
    path = tmp_path / "source.csv"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_source(path, InputSection.model_validate(options))


def rows(reading: Reading) -> list[tuple[str, ...]]:
    return list(zip(*(column.values() for column in reading.table.columns)))


def refused(tmp_path: Path, content: str | bytes, **options: Any) -> InputError:
    with pytest.raises(InputError) as caught:
        read(tmp_path, content, **options)
    assert caught.value.id in all_texts()
    assert "source.csv" in explain(caught.value)
    return caught.value


# --- round trip -------------------------------------------------------------------------

SIGNS = st.sampled_from([*"abcxyz019 .,;|\t\"'\n\r-=é€ß猫𝕏", "\r\n", "Łó", "00", "1E5", "NA", "Null"])
TEXTS = st.lists(SIGNS, max_size=6).map("".join)
NAMES = st.lists(st.sampled_from("ABCDEFGH"), min_size=1, max_size=3).map("".join)


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[str], list[list[str]]]:
    width = draw(st.integers(1, 5))
    header = [f"{draw(NAMES)} name" for _ in range(width)]
    body = draw(st.lists(st.lists(TEXTS, min_size=width, max_size=width), min_size=1, max_size=12))
    return header, body


def written(header: list[str], body: list[list[str]], delimiter: str, quoting: Literal[0, 1, 2, 3], end: str) -> str:
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=delimiter, quoting=quoting, lineterminator=end)
    writer.writerow(header)
    writer.writerows(body)
    return out.getvalue()


@settings(max_examples=300)
@given(
    tables(),
    st.sampled_from([";", ",", "\t", "|"]),
    st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32"]),
)
@example((["A name"], [["1,5"], [""], ["x"]]), ",", csv.QUOTE_MINIMAL, "\n", "utf-8")
def test_texts_survive_every_dialect(
    tmp_path_factory: pytest.TempPathFactory,
    table: tuple[list[str], list[list[str]]],
    delimiter: str,
    quoting: Literal[0, 1, 2, 3],
    end: str,
    encoding: str,
) -> None:
    header, body = table
    if quoting == csv.QUOTE_MINIMAL:  # older writers leave a carriage return bare
        body = [[text.replace("\r", "") for text in row] for row in body]
    text = written(header, body, delimiter, quoting, end)
    folder = tmp_path_factory.mktemp("text")
    found = read(folder, text.encode(encoding), encoding=encoding, delimiter=delimiter, header_row=1)
    assert rows(found) == [tuple(row) for row in body]
    assert [column.header for column in found.table.columns] == header
    assert found.account.rows_unread == ()
    again = read(folder, text.encode(encoding), **found.options.model_dump(exclude_none=True))
    assert rows(again) == rows(found)
    assert [(c.name, c.kind) for c in again.table.columns] == [(c.name, c.kind) for c in found.table.columns]


PLAIN = st.text(alphabet="abcdefgh xyz", min_size=1, max_size=8).filter(str.strip)


@settings(max_examples=150)
@given(
    st.integers(2, 5).flatmap(
        lambda width: st.lists(st.lists(PLAIN, min_size=width, max_size=width), min_size=3, max_size=20)
    ),
    st.sampled_from([";", ",", "\t", "|"]),
    st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
)
def test_the_delimiter_is_found(
    tmp_path_factory: pytest.TempPathFactory, body: list[list[str]], delimiter: str, quoting: Literal[0, 1, 2, 3]
) -> None:
    header = [f"Name {place}" for place in range(len(body[0]))]
    found = read(tmp_path_factory.mktemp("text"), written(header, body, delimiter, quoting, "\n"))
    assert found.account.delimiter == delimiter
    assert rows(found) == [tuple(row) for row in body]


@pytest.mark.thorough
@settings(max_examples=100)
@example([["\t", "", ""]], "\n")
@given(st.lists(st.lists(TEXTS, min_size=3, max_size=3), min_size=1, max_size=40), st.sampled_from(["\n", "\r\n"]))
def test_the_fast_way_and_the_careful_way_agree(
    tmp_path_factory: pytest.TempPathFactory, body: list[list[str]], end: str
) -> None:
    """A quote out of place in the last row sends the whole block the careful way."""
    assume(not any("\r" in text for row in body for text in row))
    text = written(["A", "B", "C"], body, ",", csv.QUOTE_MINIMAL, end)
    options = {"delimiter": ",", "header_row": 1, "encoding": "utf-8"}
    fast = read(tmp_path_factory.mktemp("fast"), text, **options)
    careful = read(tmp_path_factory.mktemp("careful"), text + f'x"y,2,3{end}', **options)
    assert rows(careful)[:-1] == rows(fast) == [tuple(row) for row in body]
    assert rows(careful)[-1] == ('x"y', "2", "3")


def test_values_that_other_readers_spoil_survive(tmp_path: Path) -> None:
    body = [
        ("007", "12345678901234567890", "NA", "Null", "1E5", "MAR1", "0.10", "+49", "TRUE"),
        ("010", "9007199254740993", "DE", "None", "2E10", "SEP2", "1.00", "-0", "false"),
        ("0", "0", "nan", "nil", "1", "1-2", "2", "1,5", ""),
    ]
    text = written([f"Name {place}" for place in range(9)], [list(row) for row in body], ";", 0, "\n")
    found = read(tmp_path, text)
    assert rows(found) == body
    kinds = [column.kind for column in found.table.columns]
    assert kinds == ["nominal"] * 6 + ["numeric", "nominal", "nominal"]
    assert found.table.column("Name 2").missing.sum() == 0


# --- encodings --------------------------------------------------------------------------

GERMAN = "Name;Straße;Größe\nJörg Müller;Königsallee;groß\nÄnne Weiß;Übergang;mäßig\n" * 1
FRENCH = "Nom;Prénom;Métier\nLefèvre;Zoé;élève\nGarçon;Noël;maître d’hôtel\n"
POLISH = "Imię;Miasto\nŁukasz;Łódź\nŚwiatosława;Gdańsk\nZażółć;gęślą jaźń\n"
RUSSIAN = "Имя;Город\nИван;Москва\nОльга;Санкт-Петербург\nЕкатерина;Новосибирск\n"
GREEK = "Όνομα;Πόλη\nΓιώργος;Αθήνα\nΜαρία;Θεσσαλονίκη\nΚατερίνα;Ηράκλειο\n"
JAPANESE = "名前;都市\n田中さん;東京都\n鈴木さん;大阪府\nこんにちは;ありがとうございます\n"


@pytest.mark.parametrize(("text", "encoding", "found"), case_rows("reading-text-encodings"))
def test_encodings(tmp_path: Path, text: str, encoding: str, found: str) -> None:
    reading = read(tmp_path, text.encode(encoding))
    assert reading.account.encoding == found
    lines = [line.split(";") for line in text.splitlines()]
    assert [column.header for column in reading.table.columns] == lines[0]
    assert rows(reading) == [tuple(line) for line in lines[1:]]
    guessed = any(remark.id == "warning.read.encoding-guessed" for remark in reading.account.warnings)
    assert guessed == (encoding.startswith("cp"))


def test_a_file_that_changes_its_encoding_is_refused_with_its_line(tmp_path: Path) -> None:
    good = "Straße;1\n".encode() * 50_000
    error = refused(tmp_path, b"Name;Zahl\n" + good + "Größe;2\n".encode("cp1252") * 10_000)
    assert error.id == "error.read.not-decodable"
    assert error.arguments["line"] == 50_002
    assert error.arguments["byte"] == 10 + len(good) + 3


def test_a_named_encoding_is_strict(tmp_path: Path) -> None:
    error = refused(tmp_path, b"\xef\xbb\xbfa;b\n1;\xff\n", encoding="utf-8")
    assert (error.id, error.arguments["line"], error.arguments["byte"]) == ("error.read.not-decodable", 2, 10)
    error = refused(tmp_path, b"a;b\n1;\x81\n", encoding="cp1252")
    assert (error.id, error.arguments["line"]) == ("error.read.not-decodable", 2)
    for name in ("klingon", "hex", "utf-7", "idna", "rot13"):
        assert refused(tmp_path, b"a;b\n1;2\n", encoding=name).id == "error.read.unknown-encoding"


def test_the_byte_order_mark_is_no_part_of_the_first_name(tmp_path: Path) -> None:
    for options in ({}, {"encoding": "utf-8"}, {"encoding": "utf-8-sig"}):
        assert read(tmp_path, b"\xef\xbb\xbfa,b\n1,2\n", **options).table.names == ("a", "b")


# --- what is not a row ------------------------------------------------------------------


def test_ragged_rows_and_blank_lines_are_listed(tmp_path: Path) -> None:
    found = read(tmp_path, 'a,b,c\n1,2,3\n4,5\n"6\n6",7,8\n\n9,9,9,9\n10,11,12\n\n\n')
    assert rows(found) == [("1", "2", "3"), ("6\n6", "7", "8"), ("10", "11", "12")]
    assert found.table.row_numbers.tolist() == [2, 4, 7]
    listed = [(row.row, row.line, row.reason, row.amount) for row in found.account.rows_unread]
    assert listed == [
        (3, 3, "reason.unread.fields", 2),
        (5, 6, "reason.unread.blank", 0),
        (6, 7, "reason.unread.fields", 4),
    ]
    report = found.account.as_report()
    assert report["rows_unread"][0] == {"line": 3, "reason": "2 fields instead of 3"}
    assert list(report) == [
        "sha256", "bytes", "format", "sheet", "encoding", "delimiter", "decimal", "rows_read", "rows_unread",
        "columns_read", "missing_marks", "hidden", "header_row", "names_given", "rows_left_out", "repairs",
    ]  # fmt: skip


def test_a_quote_out_of_place_costs_its_row_only(tmp_path: Path) -> None:
    found = read(tmp_path, 'a,b\n1,2\n"x"y,4\n5,6\n')
    assert rows(found) == [("1", "2"), ("5", "6")]
    assert [(row.line, row.reason) for row in found.account.rows_unread] == [(3, "reason.unread.quote")]


def test_an_unclosed_quote_is_named_with_its_line(tmp_path: Path) -> None:
    text = "a;b\n" + "1;2\n" * 1000 + '"x;3\n' + "4;5\n" * 1000
    error = refused(tmp_path, text)
    assert (error.id, error.arguments["line"]) == ("error.read.unclosed-quote", 1002)
    closed_far_below = "a;b\n1;2\n" + '"x;3\n' + "4;5\n" * 400_000 + '";6\n'
    error = refused(tmp_path, closed_far_below)
    assert (error.id, error.arguments["line"]) == ("error.read.unclosed-quote", 3)


@pytest.mark.parametrize(
    ("content", "id"),
    [
        (b"", "error.read.empty"),
        (b"\n\n \n", "error.read.header-only"),
        (b"\n\n", "error.read.empty"),
        (b"a,b\n", "error.read.header-only"),
        (b"a,b\n\n\n", "error.read.header-only"),
        (b"a,b\n1,\x002\n", "error.read.nul"),
        (b"%PDF-1.7 ...", "error.read.other-format"),
        (b"<!DOCTYPE html><table><tr><td>1", "error.read.other-format"),
        (b"<?xml version='1.0'?><Workbook>", "error.read.other-format"),
        (b"\x1f\x8b\x08\x00", "error.read.other-format"),
        (b"PAR1....", "error.read.damaged"),
        (b"PARE....", "error.read.password"),
        (b"L\x00\x00\x00\x01\x14\x02\x00", "error.read.other-format"),
        (b"a,b\n1\n2\n3\n", "error.read.no-row-fits"),
    ],
)
def test_what_cannot_be_read_is_named(tmp_path: Path, content: bytes, id: str) -> None:
    options = {"delimiter": ","} if id == "error.read.no-row-fits" else {}
    assert refused(tmp_path, content, **options).id == id


def test_only_regular_files_are_opened(tmp_path: Path) -> None:
    def id_of(path: Path) -> str:
        with pytest.raises(InputError) as caught:
            read_source(path, InputSection())
        assert caught.value.id in all_texts()
        assert caught.value.file == str(path)
        with pytest.raises(InputError):
            hash_file(path)
        return caught.value.id

    assert id_of(tmp_path) == "error.read.folder"
    assert id_of(tmp_path / "nowhere.csv") == "error.read.no-such-file"
    for text in ("http://example.org/a.csv", "file:///etc/passwd", "\\\\server\\share\\a.csv", "a\0b"):
        assert id_of(Path(text)) in {f"error.read.{what}" for what in ("no-such-file", "network-path", "odd-name")}
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")
        assert id_of(tmp_path / "pipe") == "error.read.not-a-file"
        assert id_of(Path("/dev/zero")) == "error.read.not-a-file"
        loop = tmp_path / "loop"
        loop.symlink_to(loop)
        assert id_of(loop) == "error.read.unreadable"


def test_the_hash_notices_a_change(tmp_path: Path) -> None:
    found = read(tmp_path, "a,b\n1,2\n")
    path = tmp_path / "source.csv"
    assert hash_file(path) == found.account.sha256
    path.write_bytes(b"a,b\n1,3\n")
    assert hash_file(path) != found.account.sha256
    with pytest.raises(InputError) as caught:
        read_source(path, InputSection(sha256=found.account.sha256))
    assert caught.value.id == "error.read.other-file"


def test_cancel_stops_the_reading(tmp_path: Path) -> None:
    path = tmp_path / "source.csv"
    path.write_bytes(b"a,b\n" + b"1,2\n" * 10)
    stop = threading.Event()
    stop.set()
    with pytest.raises(Cancelled):
        Progress(cancel=stop).run(read_source, path, InputSection())


# --- header, names, marks, decimal ------------------------------------------------------


@given(st.lists(st.sampled_from(["a", "a#2", "a#3", "", " ", "Column 1", "Column 2", "b"]), max_size=9))
def test_names_are_unique(headers: list[str]) -> None:
    names = make_unique_names(headers)
    assert len(set(names)) == len(names) == len(headers)
    for header, name in zip(headers, names):
        assert name.startswith(header) or not header.strip()


@pytest.mark.parametrize(("text", "line"), case_rows("reading-text-the-header-row-is-found"))
def test_the_header_row_is_found(tmp_path: Path, text: str, line: int) -> None:
    found = read(tmp_path, text)
    assert found.account.header_row == found.options.header_row == line
    assert found.account.rows_read == len(text.splitlines()) - line
    above = [r.arguments["lines"] for r in found.account.warnings if r.id == "warning.read.lines-above-header"]
    assert above == ([line - 1] if line > 1 else [])


def test_a_header_row_can_be_named(tmp_path: Path) -> None:
    text = "x;y\nName;City\na;b\n"
    assert read(tmp_path, text, header_row=2).table.names == ("Name", "City")
    for row in (9, 4):
        assert refused(tmp_path, text, header_row=row).id == "error.read.no-header-row"


def test_only_empty_cells_are_missing_until_marks_are_named(tmp_path: Path) -> None:
    text = "country,n\nNA,1\nDE,?\n,3\n?,4\n"
    found = read(tmp_path, text)
    assert found.table.column("country").missing.tolist() == [False, False, True, False]
    assert found.table.column("n").kind == "nominal"
    suggested = {each.mark: (each.cells, each.columns) for each in found.account.suggested_missing}
    assert suggested == {"?": (2, ("country", "n")), "NA": (1, ("country",))}
    named = read(tmp_path, text, missing=["?"])
    assert named.account.missing_marks == ("", "?")
    assert named.table.column("country").missing.tolist() == [False, False, True, True]
    assert named.table.column("n").kind == "numeric"
    assert named.table.column("n").values() == ["1", "?", "3", "4"]


@pytest.mark.parametrize(
    ("texts", "decimal", "warning"), case_rows("reading-text-the-decimal-mark-is-found", lists=True)
)
def test_the_decimal_mark_is_found(tmp_path: Path, texts: list[str], decimal: str, warning: str | None) -> None:
    found = read(tmp_path, "x;word\n" + "".join(f"{text};w\n" for text in texts))
    assert found.account.decimal == found.options.decimal == decimal
    ids = [remark.id for remark in found.account.warnings]
    assert ids == ([warning] if warning else [])


def doubts(reading: Reading) -> list[tuple[str, object]]:
    return [(note.id, note.arguments) for note in reading.account.warnings]


@pytest.mark.parametrize("sign", list("~^!#&+:/=*\\"))
def test_an_unusual_sign_between_columns_is_pointed_out(tmp_path: Path, sign: str) -> None:
    text = "name~town~age\nAnn~Delft~34\nBo~Oslo~51\nCy~Rome~27\n".replace("~", sign)
    found = read(tmp_path, text)
    assert found.account.columns_read == 1
    assert doubts(found) == [("warning.read.one-column", {"sign": Quoted(sign), "columns": 3})]
    assert doubts(read(tmp_path, text, header_row=0))[1:] == doubts(found)
    again = read(tmp_path, text, delimiter=sign)
    assert again.table.names == ("name", "town", "age")
    assert doubts(again) == []


@pytest.mark.parametrize("text", case_rows("reading-text-a-sign-inside-values-is-not-taken-for-one"))
def test_a_sign_inside_values_is_not_taken_for_one_between_columns(tmp_path: Path, text: str) -> None:
    found = read(tmp_path, text)
    assert found.account.columns_read == 1
    assert "warning.read.one-column" not in [id for id, _ in doubts(found)]


# --- public data sets -------------------------------------------------------------------


def _many_different(rows: int, seed: int) -> tuple[list[str], bytes]:
    """Return the fields of a column in which most of a block differ, some long, some in quotes, and its file."""
    draw = np.random.default_rng(seed)
    fields = [f"v{number}" for number in draw.integers(0, rows // 2, rows).tolist()]
    for place in draw.integers(0, rows, 9).tolist():
        fields[place] = "a long text that does not fit into four words of eight" if place % 2 else 'with "quotes"'
    lines = [f'1,"{field.replace(chr(34), chr(34) * 2)}"' if '"' in field else f"1,{field}" for field in fields]
    return fields, ("n,word\n" + "\n".join(lines) + "\n").encode()


@pytest.mark.parametrize("share", [0.3, 1.0], ids=["most-differ", "numbered"])
@pytest.mark.parametrize("seed", range(3))
def test_texts_that_wait_are_numbered_in_parts_as_they_are_at_once(
    monkeypatch: pytest.MonkeyPatch, seed: int, share: float
) -> None:
    fields, data = _many_different(4_000, seed)
    monkeypatch.setattr(delimited, "_BLOCK", 4_096)
    monkeypatch.setattr(column_builder, "_ENOUGH_ROWS", 100)
    at_once = delimited.read_delimited(data, InputSection()).columns[1]
    monkeypatch.setattr(column_builder, "_WAITING_ROWS", 900)
    numbered: list[bool] = []
    number = column_builder.ColumnBuilder._number_waiting_rows

    def noted(builder: column_builder.ColumnBuilder) -> None:
        monkeypatch.setattr(column_builder, "_MANY_SHARE", share)
        number(builder)
        monkeypatch.setattr(column_builder, "_MANY_SHARE", 0.3)
        numbered.append(not builder._waits_to_end)

    monkeypatch.setattr(column_builder.ColumnBuilder, "_number_waiting_rows", noted)
    codes, texts = delimited.read_delimited(data, InputSection()).columns[1]
    assert numbered
    assert all(numbered) == (share == 1.0)
    assert [texts[code] for code in codes.tolist()] == fields
    assert texts == at_once[1]
    assert codes.tolist() == at_once[0].tolist()


# --- columns that are numbers or dates but for a few cells are named with the first row that stands in the way ---


def said(tmp_path: Path, values: Sequence[str], **options: Any) -> list[tuple[str, object, object]]:
    path = tmp_path / "x.csv"
    path.write_text("v;w\n" + "".join(f"{value};word\n" for value in values), encoding="utf-8")
    reading = read_source(path, InputSection(delimiter=";", **options))
    assert reading.table.column("v").kind != "numeric"
    return [
        (each.id, each.arguments["row"], each.arguments.get("rows"))
        for each in reading.account.warnings
        if each.id in NEARLY or "grouped" in each.id
    ]


@pytest.mark.parametrize(("values", "expected"), case_rows("reading-text-what-stands-in-the-way-is-named"))
def test_what_stands_in_the_way_is_named(
    values: tuple[str, ...], expected: tuple[str, int, int], tmp_path: Path
) -> None:
    assert said(tmp_path, values) == [expected]


@pytest.mark.parametrize(
    "values",
    [
        ["red", "green", "blue", "7"],
        ["0123", "4567", "8910", "A12"],
        ["12345678901234567", "1", "2", "x"],
        ["1", "x"],
        ["1", "2", "3", "a", "b", "c"],
    ],
)
def test_words_and_codes_are_left_in_peace(values: list[str], tmp_path: Path) -> None:
    assert said(tmp_path, values) == []


def test_a_mark_that_means_missing_stands_in_nobodys_way(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("v,w\n1,a\n2,b\n?,c\n3,d\n", encoding="utf-8")
    reading = read_source(path, InputSection(missing=("?",)))
    assert reading.table.column("v").kind == "numeric"
    assert reading.account.warnings == ()


def test_the_same_note_on_several_columns_is_one(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("a,b,c\n" + "1,2,x\n" * 4 + "3,x,x\ny,4,x\n5,6,x\n", encoding="utf-8")
    notes = [note for note in read_source(path, InputSection()).account.warnings if note.id in NEARLY]
    assert [note.arguments for note in notes] == [{"columns": Names.of(["a", "b"]), "rows": 2, "row": 6}]
    assert "Columns “a” and “b” look like numbers, but 2 cells contain something else" in str(notes[0])
