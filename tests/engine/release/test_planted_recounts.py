"""Released files and steps that break what a method promises: the recount of the written file sees each of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gate_cases import check, evidence_of
from law_support import PEOPLE_LEVELS, release_people

from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.methods import local_suppression, pram, round, top_bottom_code
from ppdm_desktop.engine.methods.algorithms.coarsening.shared_numbers import ColumnHolders
from ppdm_desktop.engine.methods.algorithms.swapping.rank_blocks import RankBlocks
from ppdm_desktop.engine.methods.date_shift import DateShifts
from ppdm_desktop.engine.randomness import RandomStream
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.table.column import Column, Table

PARAMETERS: dict[str, dict[str, Any]] = {
    "local-suppression": {"k": 3, "most": 1},
    "full-domain": {"k": 3, "most": 0.2, "rest": "cells"},
    "date-shift": {"keep": "weekday"},
    "top-bottom-code": {},
    "rank-swap": {},
    "pram": {},
    "round": {},
}
COLUMN = {
    "local-suppression": "age",
    "full-domain": "age",
    "date-shift": "day",
    "top-bottom-code": "pay",
    "rank-swap": "pay",
    "pram": "ill",
    "round": "pay",
}
"""The column that each method treats, or the one in which its failures are planted."""
DRAW_BLOCKS, COLUMN_HOLDERS = RankBlocks.draw, ColumnHolders.of
OF_ONE_ROW, OF_TWO_ROWS = 100, 7
"""Rows of people with one row and with two, where dates are shifted."""


def candidate_of(folder: Path, method: str) -> Candidate:
    """Release invented people by one method; for the shift of dates every third person has two rows."""
    step: dict[str, Any] = {"method": method, "parameters": PARAMETERS[method]}
    if COLUMN[method] != "age":
        step["columns"] = [COLUMN[method]]
    return release_people(folder, step, are_pairs=method == "date-shift")


def with_cells(evidence: Evidence, name: str, cells: dict[int, str]) -> Evidence:
    """Return the evidence of the file in which some cells of a column have other texts, by row of ``final``."""
    assert evidence.read_back is not None
    positions = np.argsort(evidence.candidate.row_order)[list(cells)]
    columns = [
        column.with_values(positions, list(cells.values())) if column.name == name else column
        for column in evidence.read_back
    ]
    return replace(evidence, as_written=tuple(columns))


def first(flags: np.ndarray[Any, Any]) -> int:
    """Return the first row of which something is true."""
    return int(np.flatnonzero(flags)[0])


# --- planted cells: each returns new texts by row, given the true and the shown column ----------------------


def gone(truth: Column, shown: Column) -> dict[int, str]:
    return {first(~shown.missing): ""}


def everything_true(truth: Column, shown: Column) -> dict[int, str]:
    return dict(enumerate(truth.values()))


def one_level_true(truth: Column, shown: Column) -> dict[int, str]:
    return {row: truth.text_at(row) for row in np.flatnonzero(PEOPLE_LEVELS == "cautious").tolist()}


def one_true(truth: Column, shown: Column) -> dict[int, str]:
    row = first(np.array(shown.values()) != np.array(truth.values()))
    return {row: truth.text_at(row)}


def one_of_another_row(truth: Column, shown: Column) -> dict[int, str]:
    row = first(~shown.missing)
    return {row: shown.text_at(first(~shown.missing & (shown.category_codes != shown.category_codes[row])))}


def ends_exchanged(truth: Column, shown: Column) -> dict[int, str]:
    low, high = int(shown.numbers.argmin()), int(shown.numbers.argmax())
    return {low: shown.text_at(high), high: shown.text_at(low)}


def largest_true(truth: Column, shown: Column) -> dict[int, str]:
    row = int(truth.numbers.argmax())
    return {row: truth.text_at(row)}


def ten_more_in_the_middle(truth: Column, shown: Column) -> dict[int, str]:
    row = int(np.argsort(truth.numbers)[len(truth) // 2])
    return {row: str(int(shown.numbers[row]) + 10)}


def tenth_of_one(truth: Column, shown: Column) -> dict[int, str]:
    return {3: f"{shown.text_at(3)[:-1]}.{shown.text_at(3)[-1]}"}


def one_date_by_a_week_more(truth: Column, shown: Column) -> dict[int, str]:
    return {OF_TWO_ROWS: str(np.datetime64(shown.text_at(OF_TWO_ROWS)) + 7)}


def all_dates_by_a_day_more(truth: Column, shown: Column) -> dict[int, str]:
    return {OF_ONE_ROW: str(np.datetime64(shown.text_at(OF_ONE_ROW)) + 1)}


def all_dates_years_later(truth: Column, shown: Column) -> dict[int, str]:
    return {OF_ONE_ROW: "2031-01-01"}


def a_new_word(truth: Column, shown: Column) -> dict[int, str]:
    return {5: "new"}


FILES = [
    ("local-suppression", one_true),
    ("local-suppression", one_of_another_row),
    ("local-suppression", everything_true),
    ("full-domain", one_true),
    ("full-domain", one_of_another_row),
    ("full-domain", everything_true),
    ("date-shift", one_date_by_a_week_more),
    ("date-shift", all_dates_by_a_day_more),
    ("date-shift", all_dates_years_later),
    ("date-shift", gone),
    ("date-shift", everything_true),
    ("top-bottom-code", largest_true),
    ("top-bottom-code", ten_more_in_the_middle),
    ("top-bottom-code", gone),
    ("rank-swap", ends_exchanged),
    ("rank-swap", one_of_another_row),
    ("rank-swap", gone),
    ("pram", a_new_word),
    ("pram", gone),
    ("pram", one_level_true),
    ("pram", everything_true),
    ("round", ten_more_in_the_middle),
    ("round", ends_exchanged),
    ("round", gone),
    ("round", tenth_of_one),
]


@pytest.mark.parametrize(("method", "planted"), FILES)
def test_the_recount_sees_what_a_file_shows_against_the_promise(
    tmp_path: Path, method: str, planted: Callable[[Column, Column], dict[int, str]]
) -> None:
    candidate = candidate_of(tmp_path, method)
    evidence, name = evidence_of(candidate), COLUMN[method]
    assert all(recount.guarantee.holds for recount in evidence.recounts)
    assert check(evidence, "levels-met").status != "red"
    cells = planted(candidate.prepared.table.column(name), candidate.final.column(name))
    spoilt = with_cells(evidence, name, cells)
    assert not spoilt.recounts[0].guarantee.holds
    assert check(spoilt, "levels-met").status == "red"


def pairs(values: Ints, people: Ints, demands: Ints, window: float, stream: RandomStream) -> RankBlocks:
    return DRAW_BLOCKS(values, people, np.full(len(demands), 2), 0.0, stream)


def of_people_who_ask_for_two(table: Table, name: str) -> ColumnHolders:
    holders = COLUMN_HOLDERS(table, name)
    return replace(holders, demands=np.full(holders.people, 2))


@pytest.mark.parametrize(
    ("method", "where", "name", "faulty"),
    [
        ("local-suppression", local_suppression, "fewest_blanks", lambda codes, *_, **__: np.zeros(codes.shape, bool)),
        ("full-domain", local_suppression, "fewest_blanks", lambda codes, *_, **__: np.zeros(codes.shape, bool)),
        ("date-shift", DateShifts, "drawn", lambda shifts, *_: np.zeros(shifts.people.count, np.int64)),
        ("top-bottom-code", top_bottom_code, "with_coded_ends", lambda column, _: column),
        ("top-bottom-code", ColumnHolders, "of", of_people_who_ask_for_two),
        ("rank-swap", RankBlocks, "draw", pairs),
        ("pram", pram, "with_categories", lambda column, _: column),
        ("round", round, "round_to_base", lambda values, _: values),
    ],
)
def test_the_recount_sees_what_a_faulty_step_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: str, where: Any, name: str, faulty: Any
) -> None:
    """Nothing is emptied, moved, limited, drawn again or rounded; two people are enough for a block or a limit."""
    monkeypatch.setattr(where, name, faulty)
    candidate = candidate_of(tmp_path, method)
    assert not candidate.steps[0].recount.guarantee.holds
    assert check(evidence_of(candidate), "levels-met").status == "red"
