"""Workbooks that others made are read as two other readers read them, or their owner is asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from cases import case_rows
from foreign_books import answered, books, compare
from known_books import rows_of
from old_books import Book, Err, Styled, xls


@pytest.mark.slow
def test_nothing_is_read_otherwise_without_a_word(data_folder: Path) -> None:
    folder = data_folder / "foreign-books"
    if not folder.is_dir():
        pytest.skip("no workbooks of others are here: put them into the folder foreign-books of the data")
    wrong = {}
    for path in books(folder):
        found = compare(path, answered(path))
        if found.silent or found.outcome not in ("read", "refused", "no workbook"):
            wrong[path.name] = found
    assert not wrong


# --- the comparison itself can find one -------------------------------------------------


def of(tmp_path: Path, *cells: Any) -> Path:
    path = tmp_path / "book.xls"
    path.write_bytes(xls(Book({"data": rows_of(*cells)})))
    return path


def expected(*values: Any, undecided: tuple[str, ...] = ()) -> dict[str, Any]:
    cells: dict[str, Any] = {"A1": "id", "B1": "value"}
    for row, value in enumerate(values, 2):
        cells |= {f"A{row}": f"p{row - 2}", f"B{row}": value}
    return {"sheets": {"data": {"cells": {k: v for k, v in cells.items() if v is not None}, "undecided": undecided}}}


RIGHT = (1.5, "x", True, {"error": "#N/A"}, {"serial": 42062.5})


@pytest.mark.parametrize(("place", "wrong"), case_rows("foreign-books-each-kind-of-difference-is-found"))
def test_each_kind_of_difference_is_found(tmp_path: Path, place: int, wrong: Any) -> None:
    path = of(tmp_path, 1.5, "x", True, Err(0x2A), Styled(42062.5, 22))
    answers = [*RIGHT[:place], wrong, *RIGHT[place + 1 :]]
    assert [spot for _, spot, *_ in compare(path, expected(*answers)).silent] == [f"B{place + 2}"]


def test_a_refusal_in_words_is_told_from_a_failure(tmp_path: Path) -> None:
    path = tmp_path / "book.xls"
    path.write_bytes(xls(Book({"data": rows_of(1.0)}))[:600])
    assert compare(path, None).outcome == "refused"
