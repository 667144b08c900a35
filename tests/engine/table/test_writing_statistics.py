"""Files of SPSS and Stata: every text comes back, other programs read the same, nothing else is in them."""

from __future__ import annotations

import datetime as dt
import io
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pyreadstat
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ppdm_desktop.engine.table.codebook import CodeLabel
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.writing import count_differing_cells, read_table, write_table
from ppdm_desktop.engine.table.writing.registry import find_writer
from ppdm_desktop.engine.table.writing.statistics import StatisticsWriter

FORMATS = ("sav", "dta")
TEXT = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=6)
NUMBER = st.one_of(
    st.integers(-(10**15), 10**15).map(str),
    st.decimals(-(10**9), 10**9, places=2).map(str),
    st.floats(-1e6, 1e6).map(lambda number: f"{number:.6f}".rstrip("0").rstrip(".")),
)
MARK = st.sampled_from(["", "NA", "-9", "k.A.", "."])
YES_NO = (CodeLabel("1", "yes"), CodeLabel("2", "no"), CodeLabel("9", "no answer"))


def table_of(*columns: Column) -> Table:
    return Table(columns, np.arange(1, len(columns[0]) + 1))


def read(format: str, data: bytes) -> tuple[Any, Any]:
    """What pyreadstat says of a file, days as days and missing values as they stand."""
    function = pyreadstat.read_sav if format == "sav" else pyreadstat.read_dta
    return function(io.BytesIO(data), output_format="dict", user_missing=True)


@pytest.mark.parametrize("format", FORMATS)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    texts=st.lists(TEXT, min_size=3, max_size=3),
    numbers=st.lists(NUMBER | MARK, min_size=3, max_size=3),
    names=st.lists(TEXT.filter(bool), min_size=3, max_size=3, unique=True),
    labels=st.lists(TEXT.filter(bool), min_size=3, max_size=3, unique=True),
)
def test_every_text_comes_back_or_the_table_is_refused(
    format: str, texts: list[str], numbers: list[str], names: list[str], labels: list[str]
) -> None:
    marks = frozenset({"", "NA", "-9", "k.A.", "."})
    codebook = tuple(CodeLabel(str(code), label) for code, label in enumerate(labels))
    table = table_of(
        replace(Column.from_texts(names[0], texts), label=labels[0]),
        Column.from_texts(names[1], numbers, kind="numeric", missing_texts=marks),
        Column.from_texts(names[2], labels, codebook=codebook),
    )
    writer = find_writer(format)
    if writer.limits(table):
        assert any(text != text.strip() or not text.isprintable() for text in (*texts, *labels, *names))
        return
    written = writer.write(table)
    assert count_differing_cells(read_table(written), table.columns) == 0
    assert writer.traces(written.data, ["nobody-of-that-name"]) == 0
    assert isinstance(writer, StatisticsWriter)
    named = writer.head(written.data) + "groß MÜLLER".encode()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(type(writer), "head", lambda *_: named)
        assert writer.traces(written.data, ["Groß", "Müller", "nobody"]) == 2


@pytest.mark.parametrize("format", FORMATS)
def test_other_programs_read_labels_codes_numbers_days_and_missing_values(format: str) -> None:
    missing = frozenset({"", "-9", "NA", "no answer"})
    table = table_of(
        replace(Column.from_texts("answer", ["no", "yes", "no answer", ""]), codebook=YES_NO, label="Do you agree?"),
        replace(Column.from_texts("rated", ["no answer", "yes", "no", "no"]), codebook=YES_NO, missing_texts=missing),
        Column.from_texts("born on", ["1950-01-31", "", "2001-12-01", "1960-01-01"], kind="date"),
        Column.from_texts("pay", ["-9", "1200.50", "NA", "900.00"], kind="numeric", missing_texts=missing),
        Column.from_texts("text", ["007", "x", "", "Zoé"]),
    )
    columns, meta = read(format, write_table(table, format).data)
    assert meta.column_names == ["answer", "rated", "born_on", "pay", "text"]
    assert meta.column_labels == ["Do you agree?", None, "born on", None, None]
    assert columns["answer"] == [2, 1, 9, None]
    assert meta.variable_value_labels["answer"] == {1: "yes", 2: "no", 9: "no answer"}
    assert columns["born_on"] == [dt.date(1950, 1, 31), None, dt.date(2001, 12, 1), dt.date(1960, 1, 1)]
    pay = ["a", 1200.5, "b", 900] if format == "dta" else [-9, 1200.5, -1e9, 900]
    assert columns["pay"] == pay
    assert meta.variable_value_labels["pay"] == ({"a": "-9", "b": "NA"} if format == "dta" else {-1e9: "NA"})
    assert columns["text"] == ["007", "x", "", "Zoé"]
    if format == "sav":
        assert [each["lo"] for each in meta.missing_ranges["pay"]] == [-9, -1e9]
        assert [each["lo"] for each in meta.missing_ranges["rated"]] == [9]
    else:
        frame = pd.read_stata(io.BytesIO(write_table(table, format).data))
        assert frame["answer"].tolist()[:3] == ["no", "yes", "no answer"]
        assert frame["born_on"].dt.date.tolist()[::2] == [dt.date(1950, 1, 31), dt.date(2001, 12, 1)]


@pytest.mark.parametrize("format", FORMATS)
def test_a_file_tells_no_time_no_program_and_no_order_of_the_source(format: str) -> None:
    table = table_of(replace(Column.from_texts("a", ["no", "yes"]), codebook=YES_NO))
    turned = table_of(replace(Column.from_texts("a", ["yes", "no"]), codebook=YES_NO)).take(np.array([1, 0]))
    data = write_table(table, format).data
    assert write_table(turned, format).data == data, "which value stood first in the source shows in the file"
    year = str(dt.datetime.now().year).encode()
    assert not any(word in data for word in (b"ReadStat", b"http", b"ppdm", b"tmp", year))
    _, meta = read(format, data)
    assert meta.creation_time == dt.datetime(2000, 1, 1)
    assert not meta.file_label
    assert not meta.notes


@pytest.mark.parametrize(
    ("format", "name", "texts", "what"),
    [
        ("sav", "a", ["x ", "y"], "writing.limit.blank-ends"),
        ("sav", "a", ["x" * 40_000, "y"], "writing.limit.long-cells"),
        ("sav", "a b" * 100, ["x", "y"], "writing.limit.names"),
        ("dta", "How often? " * 10, ["x", "y"], "writing.limit.names"),
        ("dta", "a", ["x\0", "y"], "writing.limit.control-cells"),
    ],
)
def test_what_a_format_cannot_hold_is_named(format: str, name: str, texts: list[str], what: str) -> None:
    table = table_of(Column.from_texts(name, texts))
    assert [(breach.what, breach.count) for breach in find_writer(format).limits(table)] == [(what, 1)]
    with pytest.raises(ValueError, match="beyond"):
        write_table(table, format)


def test_a_workbook_has_its_labels_on_a_second_sheet() -> None:
    codebook = (*YES_NO, CodeLabel("3", "nobody said so"))
    table = table_of(replace(Column.from_texts("=a", ["no", "yes"]), codebook=codebook))
    written = write_table(table, "xlsx")
    sheets = pd.read_excel(io.BytesIO(written.data), sheet_name=None, dtype=str, engine="openpyxl")
    assert list(sheets) == ["data", "labels"]
    assert sheets["labels"].to_numpy().tolist() == [["=a", "1", "yes"], ["=a", "2", "no"]]
    assert count_differing_cells(read_table(written), table.columns) == 0
    assert find_writer("xlsx").running_parts(written.data) == 0
    plain = write_table(table_of(Column.from_texts("a", ["no"])), "xlsx")
    assert list(pd.read_excel(io.BytesIO(plain.data), sheet_name=None, engine="openpyxl")) == ["data"]
