"""Lines above and below the column names that describe the columns: proposed to be left out, or joined to the names."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from cases import case_rows
from table_workbooks import cell, data, packed, row, xlsx_parts

from ppdm_desktop.engine.recipe.models import InputSection
from ppdm_desktop.engine.table.reading import Reading, read_source
from ppdm_desktop.engine.table.reading.proposals import propose_repairs

PEOPLE = 30
SEX = ["f", "m", "f"] * 10
AGE = [str(20 + index * 7 % 60) for index in range(PEOPLE)]
ID = [f"r{index}" for index in range(PEOPLE)]
TOWN = ["Ede", "Lier", "Ede"] * 10
TEXTS = [f"It was {word} here" for word in "abcdefghijklmnopqrstuvwxyzäöüß"]
LIKERT = ["Agree", "Disagree", "Neither"] * 10
PHONE, TABLET = ["Phone", "", ""] * 10, ["", "Tablet", ""] * 10
MOMENTS = [f"2024-03-{1 + index % 28:02d} 10:00:11" for index in range(PEOPLE)]
DECIMALS = [f"{1.5 + index / 100:.2f}".replace(".", ",") for index in range(PEOPLE)]
LANGUAGE = ["EN"] * PEOPLE


def table(tmp_path: Path, columns: Sequence[Sequence[str]], *lines: Sequence[str]) -> Path:
    """Write a file of these lines over these columns."""
    path = tmp_path / "source.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([*lines, *map(list, zip(*columns, strict=True))])
    return path


def proposed(reading: Reading) -> list[int]:
    """Return the rows that are proposed to be left out as lines of names."""
    return [line for leave in reading.account.rows_to_answer if leave.reason == "names" for line in leave.rows]


def taken(path: Path, reading: Reading) -> Reading:
    """Return the reading with all proposals about rows in force."""
    options = reading.options.model_copy(update={"sha256": reading.account.sha256})
    for proposal in propose_repairs(reading):
        options = proposal.taken(options) if proposal.kind == "rows" else options
    return read_source(path, InputSection.model_validate(options.model_dump()))


COLUMNS = {
    "sex": SEX, "age": AGE, "id": ID, "town": TOWN, "texts": TEXTS, "likert": LIKERT, "phone": PHONE,
    "tablet": TABLET, "moments": MOMENTS, "decimals": DECIMALS, "language": LANGUAGE,
}  # fmt: skip
DESCRIBED = {kind: rest for kind, *rest in case_rows("name-lines-described", lists=True)}


@pytest.mark.parametrize("kind", DESCRIBED)
def test_a_line_that_describes_the_columns_is_left_out_and_kept_as_labels(kind: str, tmp_path: Path) -> None:
    columns, lines, names, labels, kinds = DESCRIBED[kind]
    path = table(tmp_path, [COLUMNS[name] for name in columns], *lines)
    reading = read_source(path, InputSection())
    assert proposed(reading) == list(range(2, len(lines) + 1))
    assert not [note.id for note in reading.account.warnings if "nearly" in note.id]
    assert {proposal.kind for proposal in propose_repairs(reading)} == {"rows"}
    after = taken(path, reading)
    assert list(after.table.names) == names == list(reading.table.names)
    assert [column.label for column in after.table.columns] == labels
    assert [column.kind for column in after.table.columns] == kinds
    assert after.table.rows == PEOPLE
    assert not after.account.rows_to_answer
    found: dict[str, Any] = {"leave_out": [{"found": "names"}]}
    assert read_source(path, InputSection.model_validate(found)).table.columns[1].label == labels[1]


RECORDS: dict[str, list[list[str]]] = {
    "a rare town": [SEX, AGE, ["Hjo", *TOWN[1:]]],
    "an answer in words for a number": [SEX, ["unter 18", *AGE[1:]]],
    "two answers in words for numbers": [SEX, ["refused", *AGE[1:]], ["do not know", *AGE[1:]]],
    "the same word for all numbers": [["refused", *AGE[1:]], ["refused", *AGE[1:]]],
    "texts that never come again": [ID, TEXTS, [text[::-1] for text in TEXTS]],
    "a rare answer to each question": [["Sometimes", *LIKERT[1:]], ["Hjo", *TOWN[1:]], TEXTS],
    "rare words in every column": [["Hjo", *TOWN[1:]], ["Sailor", *SEX[1:]], ["Druid", *LIKERT[1:]]],
    "one constant column": [LANGUAGE, AGE, ["Hjo", *TOWN[1:]]],
    "an outcome called Response": [["Response", *["No response", "Response"] * 14, "Response"], AGE],
    "ids of one form": [ID, ["Hjo", *TOWN[1:]], ["unter 18", *AGE[1:]]],
    "too few rows": [column[:5] for column in (["a b", *AGE[1:]], ["c d", *AGE[1:]])],
}


@pytest.mark.parametrize("kind", RECORDS)
def test_a_first_person_stays_a_person(kind: str, tmp_path: Path) -> None:
    columns = RECORDS[kind]
    reading = read_source(table(tmp_path, columns, [f"c{index}" for index in range(len(columns))]), InputSection())
    assert proposed(reading) == []
    assert reading.table.rows == len(columns[0])


def test_who_says_that_it_is_a_person_gets_the_plain_names(tmp_path: Path) -> None:
    path = table(tmp_path, [ID, AGE, AGE, SEX], ["id", "a", "", "b"], ["", "years", "kg", "sex"])
    reading = read_source(path, InputSection())
    assert reading.table.names == ("id", "a: years", "a: kg", "b")
    options = reading.options.model_copy(update={"people": (2,), "sha256": reading.account.sha256})
    declined = read_source(path, options)
    assert (declined.table.names, proposed(declined)) == (("id", "a", "Column 3", "b"), [])


GROUPS: list[tuple[list[list[str]], list[str], int]] = case_rows("name-lines-groups", lists=True)  # fmt: skip


@pytest.mark.parametrize(("lines", "names", "unread"), GROUPS)
def test_groups_above_the_names_complete_names_that_are_shared(
    lines: list[list[str]], names: list[str], unread: int, tmp_path: Path
) -> None:
    path = table(tmp_path, [SEX, AGE, AGE, AGE, AGE], *lines)
    reading = read_source(path, InputSection())
    assert list(reading.table.names) == names
    said = {note.id: note.arguments for note in reading.account.warnings}
    assert said.get("warning.read.lines-above-header", {}).get("lines", 0) == unread
    assert list(read_source(path, reading.options).table.names) == names


def test_groups_in_a_workbook(tmp_path: Path) -> None:
    body = [
        row(index, *(cell(f"{at}{index}", value) for at, value in zip("ABCDE", ("f", 3, 4, 5, index))))
        for index in range(3, 9)
    ]
    names = zip("ABCDE", ("Sex", "Pulse", "Weight", "Pulse", "Weight"))
    top = [row(1, cell("B1", "Before"), cell("D1", "After")), row(2, *(cell(f"{at}2", name) for at, name in names))]
    path = tmp_path / "source.xlsx"
    for merged in ("", '<mergeCells><mergeCell ref="B1:C1"/><mergeCell ref="D1:E1"/></mergeCells>'):
        path.write_bytes(packed(xlsx_parts({"S": data(*top, *body) + merged})))
        reading = read_source(path, InputSection())
        assert reading.table.names == ("Sex", "Before: Pulse", "Before: Weight", "After: Pulse", "After: Weight")
        assert read_source(path, reading.options).table.names == reading.table.names
