"""Attacks at their edges, counted by hand: who is taken for somebody else, and what an empty cell hides."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gate_cases import made_by, make_candidate, with_step

from ppdm_desktop.engine.arrays import Floats
from ppdm_desktop.engine.attacks.comparison import paired_advantage
from ppdm_desktop.engine.attacks.singling_out import HIDDEN
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.release.attack_audit import rank, seed_search
from ppdm_desktop.engine.release.attack_audit.attack_person import attack_record
from ppdm_desktop.engine.release.attack_audit.prepared_attack import prepare_attack
from ppdm_desktop.engine.release.attack_audit.singling_out import _mark_hidden_cells
from ppdm_desktop.engine.release.attack_audit.truth_in_release import _build_text_column
from ppdm_desktop.engine.retracing.trial import Retraced
from ppdm_desktop.engine.table.column import Column

ROLES: dict[str, Any] = {"who": "i", "place": {"role": "q", "kind": "nominal"}, "ill": "c"}


def test_who_is_shown_by_the_rows_of_another_alone_is_taken_for_them(tmp_path: Path) -> None:
    """The first two exchanged their rows; the third is like one row of the fourth, whose other row is like nobody's."""
    columns = {
        "who": list("aabbccdd"),
        "place": ["p1", "p2", "p3", "p4", "p5", "p5", "p5", "p6"],
        "ill": ["x", "y"] * 4,
    }
    candidate = make_candidate(tmp_path, columns, ROLES, input={"person": "who"})
    swapped = with_step(candidate, {"place": ["p3", "p4", "p1", "p2", "p5", "p5", "p5", "p6"]})
    (result,) = [each for each in made_by("singling-out", swapped) if each.column is None]
    assert (result.success.value, result.control.value) == (0.25, 0.5)


@pytest.mark.parametrize(("true", "is_hidden"), [(0, True), (1, True), (-1, False)])
def test_an_empty_cell_hides_a_value_where_its_person_has_one(true: int, is_hidden: bool) -> None:
    """Of the first released record the person is known; of the second nobody is."""
    shown = _mark_hidden_cells(np.array([true, 0]), np.array([-1, 0]), ("a", "b"), np.array([0, -1]))
    assert shown.tolist() == [HIDDEN if is_hidden else -1, 0]


def test_a_released_value_hides_nothing() -> None:
    shown = _mark_hidden_cells(np.array([1, 1]), np.array([0, -1]), ("a", "b"), np.array([0, -1]))
    assert shown.tolist() == [0, -1], "the empty cell is that of nobody who is known"


def test_people_whose_rows_are_alike_fit_each_other(tmp_path: Path) -> None:
    """By what is known of them; by their illnesses as well, the second and third are alike and nobody else."""
    columns = {"who": list("aabbccdd"), "place": ["p1", "p2"] * 3 + ["p3", "p4"], "ill": list("yxxyxyxy")}
    candidate = make_candidate(tmp_path, columns, ROLES, input={"person": "who"}, release={"shuffle_rows": False})
    found = prepare_attack(candidate).all_rows
    assert found is not None
    assert found.fit.tolist() == [3, 3, 3, 1]
    assert found.own.tolist() == [True] * 4
    assert [(name, fit.tolist()) for name, fit in found.shown] == [("ill", [1, 2, 2, 1])]


@pytest.mark.parametrize(
    ("kind", "words", "texts", "found"),
    [
        ("ordinal", ("low", "high"), ("low", "high"), ("ordinal", ("low", "high"))),
        ("numeric", ("1", "9"), ("1", "9"), ("numeric", ("1", "9"))),
        ("ordinal", ("low", "high"), ("low", "odd"), ("nominal", None)),
    ],
)
def test_true_values_in_the_words_of_a_release_have_its_order_where_all_are_words_of_it(
    kind: Any, words: tuple[str, ...], texts: tuple[str, ...], found: tuple[str, tuple[str, ...] | None]
) -> None:
    true = replace(Column.from_texts("pay", ["1", "9", ""]), kind="numeric", labels_ordered=True)
    shown = replace(Column.from_texts("pay", words), kind=kind, order=words)
    made = _build_text_column(true, shown, np.array([0, 1, -1]), texts)
    assert (made.kind, made.order) == found
    assert made.values() == [*texts, ""]
    assert made.missing.tolist() == [False, False, True]
    assert not made.labels_ordered


def test_nobody_is_near_a_person_of_whom_nothing_is_known(tmp_path: Path) -> None:
    columns = {"place": ["p1", "p2", "p1"], "ill": ["x", "y", "x"]}
    candidate = make_candidate(tmp_path, columns, {"place": {"role": "o", "kind": "text"}, "ill": "c"})
    found = attack_record(prepare_attack(candidate), 3)
    assert (found.nearest, found.tied, found.own_tied, found.tied_people, found.farther) == ((), 0, 0, 0, None)
    assert (found.found, found.named) == (0.0, 0.0)


@pytest.mark.parametrize(("draws", "tried"), [(0, 50), (51 * 100, 51), (10**9, 2_000)])
def test_of_a_large_table_fewer_seeds_are_tried_and_fifty_at_least(
    draws: int, tried: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    columns = {"place": [f"p{each}" for each in range(100)], "ill": [f"i{each % 3}" for each in range(100)]}
    steps = [{"method": "random-swap", "columns": ["ill"]}]
    candidate = make_candidate(tmp_path, columns, {"place": "q", "ill": "c"}, steps=steps, key=Key.from_seed(10**9))
    monkeypatch.setattr(seed_search, "MOST_DRAWS", draws)
    assert [each.sampled for each in made_by("seed-search", candidate)] == [tried]


def test_a_search_that_is_right_as_often_as_what_is_shown_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second and fourth are found by it; only where more are shown truly is the search given up."""
    truth, shown, guess = np.array([0, 0, 1, 1]), np.array([0, 1, 1, 0]), np.array([1, 0, 0, 1])
    tried = Retraced(guess, guess, shown, np.zeros(4), np.ones(4))
    monkeypatch.setattr(rank, "_yield_attempts", lambda *_: iter([(tried, [])]))
    found: list[list[float]] = []

    def watched(right: Floats, model: Floats) -> Figure:
        found.append(right.tolist())
        return paired_advantage(right, model)

    monkeypatch.setattr(rank, "paired_advantage", watched)
    rank._build_entry(rank._Swapped([], [], truth, shown, 2, np.arange(4)), ("ill",))
    rank._build_entry(rank._Swapped([], [], truth, np.array([0, 0, 1, 0]), 2, np.arange(4)), ("ill",))
    assert found == [[0.0, 1.0, 0.0, 1.0], [1.0, 1.0, 1.0, 0.0]]
