"""SPSS, Stata, SAS and Parquet: exact texts, labels, missing values, dates; what is left behind is said."""

from __future__ import annotations

import io
import struct
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyreadstat
import pytest
from pyarrow import parquet
from statistics_files import Known, all_known, arrow, frame, sas_data_set, spss, spss_by_hand, stata, transport

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.recipe.models import ColumnSection, InputSection, RepairSection
from ppdm_desktop.engine.table.codebook import CodeLabel, order_scale_labels
from ppdm_desktop.engine.table.kinds import apply_columns
from ppdm_desktop.engine.table.reading import Reading, read_source
from ppdm_desktop.engine.table.reading.base import read_with
from ppdm_desktop.engine.table.reading.child import read_in_child
from ppdm_desktop.engine.table.reading.proposals import propose_repairs
from ppdm_desktop.engine.table.reading.raw import RawTable
from ppdm_desktop.engine.table.reading.registry import all_readers, reader_of
from ppdm_desktop.engine.table.reading.statistics.statistics_reader import StatisticsReader, Unit
from ppdm_desktop.engine.wording.texts import all_texts, explain, render

KNOWN = all_known()


def read_here(data: bytes) -> RawTable:
    """Read in this process: what the child would say."""
    return reader_of(data).read(data, InputSection())


def texts_of(raw: RawTable) -> dict[str, list[str]]:
    return {
        name: [texts[code] for code in codes.tolist()]
        for name, (codes, texts) in zip(raw.headers, raw.columns, strict=True)
    }


def ids_of(raw: RawTable) -> list[str]:
    return [note.id.removeprefix("warning.read.") for note in raw.warnings]


def through_the_door(tmp_path: Path, data: bytes, **options: Any) -> Reading:
    path = tmp_path / "source"
    path.write_bytes(data)
    return read_source(path, InputSection(**options))


def refused(data: bytes) -> InputError:
    with pytest.raises(InputError) as caught:
        read_here(data)
    assert caught.value.id in all_texts()
    assert explain(caught.value)
    return caught.value


# --- texts ------------------------------------------------------------------------------


@pytest.mark.parametrize("known", [*KNOWN.values(), spss_by_hand()], ids=[*KNOWN, "spss by hand"])
def test_every_cell_is_the_text_that_was_written(known: Known) -> None:
    raw = read_here(known.data)
    assert texts_of(raw) == {name: list(values) for name, values in known.columns.items()}
    labels = dict(zip(raw.headers, raw.labels, strict=True)) if raw.labels else {}
    assert {name: label for name, label in labels.items() if label} == dict(known.labels)
    marks = dict(zip(raw.headers, raw.declared_missing, strict=True)) if raw.declared_missing else {}
    found = {name: frozenset(mark.text for mark in each) for name, each in marks.items() if each}
    assert found == dict(known.missing)
    assert raw.row_numbers.tolist() == list(range(2, len(raw.row_numbers) + 2))


def test_a_mark_keeps_its_label(tmp_path: Path) -> None:
    marks = through_the_door(tmp_path, stata(15).data).account.declared_missing
    assert {(each.column, each.mark, each.label, each.cells) for each in marks} == {
        ("answer", "refused", "refused", 1),
        ("answer", ".b", "", 1),
    }
    unlabelled = {"variable_value_labels": {"age": {999: "no"}}, "missing_ranges": {"age": [999]}}
    data = written(pyreadstat.write_sav, {"age": [30.0, 999.0, 41.0]}, ".sav", **unlabelled)
    raw = read_here(data)
    assert texts_of(raw) == {"age": ["30", "999", "41"]}, "no valid value has a label, so that codes stay"
    assert [(mark.text, mark.label) for mark in raw.declared_missing[0]] == [("999", "no")]
    assert "labels-kept" not in ids_of(raw)
    note = next(note for note in raw.warnings if note.id == "warning.read.own-missing")
    assert "“999 = no”" in render(note.id, note.arguments).sentence


def written(function: Any, columns: dict[str, Sequence[Any]], suffix: str, **options: Any) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"x{suffix}"
        function(pd.DataFrame(columns), str(path), **options)
        return path.read_bytes()


def test_labels_that_would_join_two_values_are_not_used() -> None:
    data = written(
        pyreadstat.write_sav, {"a": [1, 2, 3]}, ".sav", variable_value_labels={"a": {1: "x", 2: "x", 3: "y"}}
    )
    raw = read_here(data)
    assert texts_of(raw) == {"a": ["1", "2", "3"]}
    assert "labels-alike" in ids_of(raw)
    codes = [CodeLabel(code, label) for code, label in zip("1234", "xyyz")]
    assert order_scale_labels(codes, "xyz", is_ranked=True) == ("x", "y", "z")
    assert order_scale_labels(codes, "xyw", is_ranked=True) is None


def test_labels_keep_their_codes_and_a_scale_its_order(tmp_path: Path) -> None:
    scale = {0: "0 no trust", 1: "1", 2: "2", 3: "3 full trust", 88: "Don't know"}
    columns: dict[str, Sequence[Any]] = {
        "trust": [3, 0, 1, 2, 88],
        "income": [-9, 1500, 1400, 20, -9],
        "region": [1, 2, 3, 1, 2],
    }
    labels = {"trust": scale, "income": {-9: "Refused"}, "region": {1: "North", 2: "South", 3: "East"}}
    reading = through_the_door(tmp_path, written(pyreadstat.write_dta, columns, ".dta", variable_value_labels=labels))
    trust, income, region = reading.table.columns
    assert (trust.kind, trust.order) == ("ordinal", tuple(scale.values()))
    assert (income.kind, income.codebook) == ("numeric", (("-9", "Refused"),))
    assert (region.kind, [code for code, _ in region.codebook]) == ("nominal", ["1", "2", "3"])
    assert "warning.read.nearly-numbers" not in [note.id for note in reading.account.warnings]
    proposed = {proposal.column: proposal for proposal in propose_repairs(reading)}
    assert {name: proposal.section for name, proposal in proposed.items()} == {
        "trust": RepairSection(missing=("Don't know",)),
        "income": RepairSection(missing=("-9",)),
    }
    taken = proposed["trust"].taken(proposed["income"].taken(reading.options))
    again = read_source(tmp_path / "source", taken)
    assert again.table.column("trust").order == tuple(scale.values())[:-1]
    assert again.table.column("income").missing.tolist() == [True, False, False, False, True]
    assert not propose_repairs(again)
    decided = apply_columns(again.table, {"trust": ColumnSection(role="other", kind="ordinal")})
    assert decided.column("trust").order == tuple(scale.values())[:-1]


@pytest.mark.parametrize(("measure", "kind"), [("ordinal", "ordinal"), ("nominal", "nominal")])
def test_codes_that_the_file_calls_ranks_are_ranks(tmp_path: Path, measure: str, kind: str) -> None:
    labels = {"answer": {1: "never", 2: "rarely", 3: "always"}}
    data = written(
        pyreadstat.write_sav,
        {"answer": [3, 1, 2]},
        ".sav",
        variable_value_labels=labels,
        variable_measure={"answer": measure},
    )
    column = through_the_door(tmp_path, data).table.columns[0]
    assert (column.kind, column.order) == (kind, ("never", "rarely", "always") if kind == "ordinal" else None)


@pytest.mark.parametrize(("weight", "name"), [(1, "GAPS"), (2, "RANGE"), (3, "BOTH"), (4, None), (0, None)])
def test_the_column_of_weights_is_named(tmp_path: Path, weight: int, name: str | None) -> None:
    reading = through_the_door(tmp_path, spss_by_hand(weight=weight).data)
    assert [column.name for column in reading.table.columns if column.is_weight] == ([name] if name else [])
    said = [render(note.id, note.arguments).sentence for note in reading.account.warnings if "weight" in note.id]
    assert [f"“{name}”" in sentence for sentence in said] == [True] * bool(name)


def test_the_column_of_weights_is_named_by_its_long_name(tmp_path: Path) -> None:
    data = bytearray(written(pyreadstat.write_sav, {"age": [30, 40], "weighting": [0.5, 1.5]}, ".sav"))
    data[76:80] = struct.pack("<i", 2)
    columns = through_the_door(tmp_path, bytes(data)).table.columns
    assert [column.name for column in columns if column.is_weight] == ["weighting"]


def test_decimals_that_the_format_hides_are_read_and_said() -> None:
    data = written(pyreadstat.write_sav, {"a": [1.5, 1.2345]}, ".sav", variable_format={"a": "F8.2"})
    raw = read_here(data)
    assert texts_of(raw) == {"a": ["1.5", "1.2345"]}
    assert "more-decimals" in ids_of(raw)


def test_periods_of_stata_are_shown_as_stata_does() -> None:
    kinds = {"w": "%tw", "m": "%tm", "q": "%tq", "h": "%th", "y": "%ty", "leap": "%tC"}
    data = written(pyreadstat.write_dta, {name: [0, -1, 53] for name in kinds}, ".dta", variable_format=kinds)
    raw = read_here(data)
    assert texts_of(raw) == {
        "w": ["1960w1", "1959w52", "1961w2"],
        "m": ["1960m1", "1959m12", "1964m6"],
        "q": ["1960q1", "1959q4", "1973q2"],
        "h": ["1960h1", "1959h2", "1986h2"],
        "y": ["0", "-1", "53"],
        "leap": ["0", "-1", "53"],
    }
    odd = next(note for note in raw.warnings if note.id == "warning.read.odd-moments")
    assert "“leap”" in render(odd.id, odd.arguments).sentence


@pytest.mark.parametrize(
    ("id", "format", "unit"),
    [
        ("sas", "DATE9.", Unit.DAYS),
        ("sas", "YYMMDDD10", Unit.DAYS),
        ("sas", "E8601DA10.", Unit.DAYS),
        ("sas", "DATETIME22.2", Unit.SECONDS),
        ("sas", "E8601DT", Unit.SECONDS),
        ("sas", "TIME8.", Unit.DURATION),
        ("sas", "YEARS", None),  # formats of the owner's own
        ("sas", "DATEGRP", None),
        ("sas", "TIMELY5.", None),
        ("sas", "BEST12.", None),
        ("spss", "ADATE10", Unit.SECONDS),
        ("spss", "DTIME12.2", Unit.DURATION),
        ("spss", "F8.2", None),
        ("spss", "WKDAY3", None),
        ("stata", "%td", Unit.DAYS),
        ("stata", "%d", Unit.DAYS),
        ("stata", "%-tcHH:MM", Unit.MILLISECONDS),
        ("stata", "%tg", None),
        ("stata", "%9.0g", None),
    ],
)
def test_a_format_is_a_date_by_its_whole_name(id: str, format: str, unit: Unit | None) -> None:
    reader = all_readers()[id]
    assert isinstance(reader, StatisticsReader)
    clock = reader.clock(format)
    assert (clock.unit if clock is not None else None) is unit
    assert (clock is None) == (unit is None)


def test_a_file_that_does_not_say_its_letters_is_read_as_windows_does_and_says_so() -> None:
    western = stata(12).data.replace("Zoé".encode(), b"Zo\xe9\0")
    raw = read_here(western)
    assert texts_of(raw)["word"][2] == "Zoé"
    assert "encoding-assumed" in ids_of(raw)
    assert "encoding-assumed" not in ids_of(read_here(stata(12).data))
    raw = read_here(transport(8).data.replace("Zoé".encode(), b"Zo\xe9 "))
    assert texts_of(raw)["word"][2] == "Zoé"
    assert "encoding-assumed" in ids_of(raw)


# --- what is left behind ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("known", "wanted"),
    [
        (spss(compress=False), {"left-metadata", "left-measures"}),
        (spss_by_hand(), {"left-weight", "left-metadata"}),
        (spss_by_hand(weight=0), {"left-metadata"}),
        (stata(14), {"left-metadata"}),
        (sas_data_set(), {"left-metadata"}),
        (transport(5), {"left-metadata"}),
        (arrow(), {"left-zones"}),
    ],
    ids=lambda each: "" if isinstance(each, Known) else " ".join(sorted(each)),
)
def test_each_attribute_that_stays_behind_is_said(known: Known, wanted: set[str]) -> None:
    raw = read_here(known.data)
    assert {id for id in ids_of(raw) if id.startswith("left-")} == wanted
    for note in raw.warnings:
        assert render(note.id, note.arguments).sentence
        assert not {"Ward", "Elsewhere", "night"} & set(
            render(note.id, note.arguments).sentence.replace("“", " ").split()
        )


def test_notes_of_the_program_that_wrote_parquet_are_named() -> None:
    table = pa.Table.from_pandas(frame())
    file = io.BytesIO()
    parquet.write_table(table.replace_schema_metadata({**table.schema.metadata, b"secret": b"Ward 7"}), file)
    raw = read_here(file.getvalue())
    assert ids_of(raw) == ["left-metadata"]
    assert texts_of(raw)["amount"] == ["1.5", "2.25", "", "-9", "0.1"]


# --- refusals ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "values",
    [
        pa.array([[1], [2]]),
        pa.array([{"a": 1}, {"a": 2}]),
        pa.array([[("k", 1)], []], pa.map_(pa.string(), pa.int64())),
        pa.array([b"x", b"y"]),
        pa.array([1, 2], pa.duration("s")),
        pa.array([1.0, float("inf")]),
    ],
    ids=["list", "record", "map", "bytes", "duration", "infinity"],
)
def test_what_is_no_text_number_or_date_is_refused_by_name(values: Any) -> None:
    file = io.BytesIO()
    parquet.write_table(pa.table({"plain": [1, 2], "odd": values}), file)
    error = refused(file.getvalue())
    assert error.id == "error.read.column-type"
    assert "“odd”" in explain(error)


def test_a_transport_file_of_two_tables_is_refused() -> None:
    data = transport(5).data
    assert refused(data + data[data.index(b"HEADER RECORD*******MEMBER") :]).arguments == {"count": 2}


def test_a_file_without_rows_is_refused() -> None:
    file = io.BytesIO()
    parquet.write_table(pa.table({"a": pa.array([], pa.int64())}), file)
    assert refused(file.getvalue()).id == "error.read.header-only"
    assert refused(spss_by_hand(rows=0).data).id == "error.read.header-only"


@pytest.mark.parametrize("known", [spss(compress=False), spss(compress=True), stata(15), transport(8), arrow()])
def test_a_file_that_is_cut_is_refused(known: Known) -> None:
    for share in (0.3, 0.6, 0.9, 0.99):
        assert refused(known.data[: int(len(known.data) * share)]).id.startswith("error.read.")


def test_an_old_file_of_stata_that_lost_its_labels_says_so() -> None:
    data = stata(12).data
    assert refused(data[: int(len(data) * 0.8)]).id == "error.read.damaged"
    assert "labels-lost" in ids_of(read_here(data[: int(len(data) * 0.9)]))
    assert "labels-lost" not in ids_of(read_here(data))


def claiming(id: str) -> bytes:
    """A file whose header claims a thousand million rows, where a table of that size would hold more than 1 GB."""
    if id == "spss":
        return spss_by_hand(claims=2**30).data
    if id == "stata":
        data = stata(15).data
        place = data.index(b"<N>") + 3
        return data[:place] + struct.pack("<Q", 2**30) + data[place + 8 :]
    data = sas_data_set().data
    rows = struct.pack("<I", 4)
    places = [place for place in range(0, len(data), 4) if data[place : place + 4] == rows]
    # The number of rows stands in the sub-header of the row's size, 24 bytes behind its mark.
    mark = data.index(b"\xf7\xf7\xf7\xf7")
    place = next(place for place in places if place > mark)
    return data[:place] + struct.pack("<I", 2**30) + data[place + 4 :]


@pytest.mark.parametrize("id", ["spss", "stata", "sas"])
def test_a_header_that_claims_a_gigabyte_costs_none(id: str) -> None:
    data = claiming(id)
    assert data != {"spss": spss_by_hand().data, "stata": stata(15).data, "sas": sas_data_set().data}[id]
    with pytest.raises(InputError) as caught:
        read_in_child(all_readers()[id], data, InputSection(), memory=2**28)
    assert caught.value.id in {"error.read.damaged", "error.read.memory"}


def test_what_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for id, library, known in (("spss", "pyreadstat", spss(compress=False)), ("parquet", "pyarrow", arrow())):
        with monkeypatch.context() as without:
            without.setitem(sys.modules, library, None)
            with pytest.raises(InputError) as caught:
                read_with(all_readers()[id], known.data, InputSection())
        assert caught.value.id == "error.read.extra-missing"
        assert "ppdm-desktop[statistics]" in explain(caught.value)
