"""Columns that are numbers or dates but for a few cells are named with the first row that stands in the way."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ppdm_desktop.engine.recipe.models import InputSection
from ppdm_desktop.engine.table.reading import read_source
from ppdm_desktop.engine.table.reading.near_types import NEARLY
from ppdm_desktop.engine.wording.values import Names


def said(tmp_path: Path, values: list[str], **options: Any) -> list[tuple[str, object, object]]:
    path = tmp_path / "x.csv"
    path.write_text("v;w\n" + "".join(f"{value};word\n" for value in values), encoding="utf-8")
    reading = read_source(path, InputSection(delimiter=";", **options))
    assert reading.table.column("v").kind != "numeric"
    return [
        (each.id, each.arguments["row"], each.arguments.get("rows"))
        for each in reading.account.warnings
        if each.id in NEARLY or "grouped" in each.id
    ]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["34", "35", "4e", "36", "4e", "7f"], ("warning.read.nearly-numbers", 4, 3)),
        (["1", "2", "3", "inf", "NaN"], ("warning.read.curable-numbers", 5, 2)),
        (["1", "2", "3", "refused", "4"], ("warning.read.curable-numbers", 5, 1)),
        (["1", "2", "3", "4", "12,5 %"], ("warning.read.curable-numbers", 6, 1)),
        (["1 000", "2 345", "12 000"], ("warning.read.grouped-numbers", 2, 3)),
        (["999", "1\u00a0000", "12\u00a0000"], ("warning.read.grouped-numbers", 3, 2)),
        (["1.234,50", "1.000,00", "12.345.678,90"], ("warning.read.grouped-numbers", 2, 3)),
        (["2020-02-28", "2020-02-29", "2020-03-01", "2020-02-30"], ("warning.read.nearly-dates", 5, 1)),
        (["01.02.2020", "03.04.2020", "13.04.2020", "unknown"], ("warning.read.curable-dates", 5, 1)),
        (["01.02.2020", "03.04.2020", "13.04.2020", "00.00.0000"], ("warning.read.curable-dates", 5, 1)),
    ],
)
def test_what_stands_in_the_way_is_named(values: list[str], expected: tuple[str, int, int], tmp_path: Path) -> None:
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
