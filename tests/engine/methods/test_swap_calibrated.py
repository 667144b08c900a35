"""The calibrated search: the divergence it minimises, what it keeps, and that it cannot be retraced."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from several_rows_support import people_of
from swap_support import column_input, few_temperatures, streams
from thoroughness import examples

from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.errors import RecipeError
from ppdm_desktop.engine.identifiability.classes import quasi_identifier_classes
from ppdm_desktop.engine.methods import bayes_swap
from ppdm_desktop.engine.methods.algorithms.swapping.calibration import (
    SMOOTHING,
    Participants,
    Relations,
    calibrated_costs,
    divergence,
)
from ppdm_desktop.engine.methods.algorithms.swapping.demands import level_demands
from ppdm_desktop.engine.methods.algorithms.swapping.participants import draw_participants
from ppdm_desktop.engine.methods.base.declaration import find_method
from ppdm_desktop.engine.methods.base.step import StepResult
from ppdm_desktop.engine.retracing.trial import retrace
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.levels import DEFAULT_LEVELS, RecordLevels

BAYES = find_method("bayes-swap")


@pytest.fixture(autouse=True)
def few(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """All tests but the one that counts them try few temperatures."""
    if "thirteen" not in request.node.name:
        few_temperatures(monkeypatch)


def leaning_table(rows: int, categories: int, seed: int, lean: float = 0.6) -> Table:
    """Mostly unique records whose five attributes lean on the confidential value, as far as ``lean``."""
    rng = np.random.default_rng(seed)
    value = rng.integers(categories, size=rows)
    columns = []
    for index in range(5):
        shown = np.where(rng.random(rows) < lean, value + rng.integers(2, size=rows), rng.integers(6, size=rows))
        columns.append(Column.from_texts(f"Q{index}", [f"q{code}" for code in shown], role="quasi-identifier"))
    columns.append(Column.from_texts("S", [f"v{code}" for code in value], role="confidential"))
    return Table(tuple(columns), np.arange(1, rows + 1), RecordLevels.same_for_all(rows))


def swapped(table: Table, seed: int = 1, **parameters: Any) -> StepResult:
    settings = BAYES.settings(table, None, parameters)
    BAYES.check(table, settings)
    return BAYES.run(table, settings, streams(seed))


def codes(table: Table, name: str = "S") -> Ints:
    column = table.column(name)
    place = {text: at for at, text in enumerate(sorted(set(column.texts)))}
    return np.array([place[text] for text in column.values()])


def quasi(table: Table) -> list[Ints]:
    return [column.category_codes.astype(np.int64) for column in table.with_role("quasi-identifier")]


def joint(attributes: Sequence[Ints], shown: Ints, widths: Sequence[int], categories: int) -> dict[Any, float]:
    """The naive Bayes joint over all cells, from smoothed tables, cell by cell."""
    tables = []
    for codes_, width in zip(attributes, widths):
        cells = np.full((width, categories), SMOOTHING)
        np.add.at(cells, (codes_, shown), 1.0)
        tables.append(cells / cells.sum())
    found = {}
    for cell in itertools.product(*(range(width) for width in widths), range(categories)):
        *values, c = cell
        prior = tables[0][:, c].sum()
        chance = prior
        for table, value in zip(tables, values):
            chance *= table[value, c] / table[:, c].sum()
        found[cell] = chance
    return found


@given(st.integers(0, 10_000), st.integers(2, 4))
@examples(40)
def test_the_divergence_is_that_of_the_joint_worked_out_cell_by_cell(seed: int, categories: int) -> None:
    rng = np.random.default_rng(seed)
    widths, rows = (2, 2, 2), 40
    attributes = [np.r_[np.arange(width), rng.integers(width, size=rows - width)] for width in widths]
    shown = rng.integers(categories, size=rows)
    after = rng.integers(categories, size=rows)
    table = Table(
        (
            *(
                Column.from_texts(f"Q{at}", [str(v) for v in q], role="quasi-identifier")
                for at, q in enumerate(attributes)
            ),
            Column.from_texts("S", [str(v) for v in (*range(categories), *shown)][:rows], role="confidential"),
        ),
        np.arange(1, rows + 1),
        RecordLevels.same_for_all(rows),
    )
    relations = Relations(replace(column_input(table, "S", quasi_identifier_classes(table)), categories=categories))
    mine = divergence(relations.tables(shown), relations.tables(after))
    one, other = joint(attributes, shown, widths, categories), joint(attributes, after, widths, categories)
    # Tables of equal size and smoothing say the same of the categories, so the joint is well defined.
    assert mine == pytest.approx(sum(p * np.log(p / other[cell]) for cell, p in one.items()), abs=1e-9)


@pytest.mark.parametrize("categories", [2, pytest.param(3, marks=pytest.mark.thorough)])
def test_it_keeps_more_than_chance_and_an_attack_of_its_own_gains_nothing(categories: int) -> None:
    table = leaning_table(400, categories, categories)
    truth, known = codes(table), quasi(table)
    kept = []
    for seed in (1, 2):
        result = swapped(table, seed, search="calibrated")
        detail = result.detail["columns"]["S"]
        points = {point["search"]: point for point in detail["calibration"]["frontier"]}
        assert points["calibrated"]["divergence"] < points["random"]["divergence"]
        assert detail["calibration"]["temperature"] is not None
        kept.append(detail["calibration"]["kept"])
        shown = codes(result.table)
        relations = Relations(column_input(table, "S", quasi_identifier_classes(table)))
        wanted = divergence(relations.tables(truth), relations.tables(shown))
        assert points["calibrated"]["divergence"] == pytest.approx(wanted)
        unique = column_input(table, "S", quasi_identifier_classes(table)).identified().unique
        changed = int((truth[unique] != shown[unique]).sum())
        assert changed == detail["m"]
        found = retrace(known, shown, categories, unique, changed)
        control = float((found.control_guess == truth[unique]).mean())
        for guess in (found.guess, found.guess_of_all):
            half = 1.96 * np.sqrt(control * (1 - control) / len(unique)) + 2.0 / len(unique)
            assert float((guess == truth[unique]).mean()) <= control + half
    assert min(kept) > 0.1


def test_people_with_several_rows_are_swapped_whole() -> None:
    table = leaning_table(160, 2, 7)
    doubled = Table(
        tuple(column.take(np.repeat(np.arange(160), 2)) for column in table.columns),
        np.arange(1, 321),
        RecordLevels.same_for_all(320),
        people_of(np.repeat(np.arange(160), 2).tolist()),
    )
    settings = BAYES.settings(doubled, None, {"search": "calibrated"})
    result = BAYES.run(doubled, settings, streams())
    shown = codes(result.table)
    assert np.array_equal(shown[::2], shown[1::2])
    assert result.detail["columns"]["S"]["calibration"]["kept"] is not None


def test_a_recipe_that_names_no_search_keeps_the_exact_one() -> None:
    table = leaning_table(120, 3, 2)
    silent_, named = swapped(table), swapped(table, search="exact")
    assert np.array_equal(codes(silent_.table), codes(named.table))
    assert "calibration" not in silent_.detail["columns"]["S"]
    assert BAYES.new_step.profile == "safe"
    assert BAYES.profiles["safe"] == {"search": "calibrated"}


def test_written_randomness_is_refused_beside_the_search_that_chooses_it() -> None:
    table = leaning_table(60, 2, 1)
    with pytest.raises(RecipeError) as refused:
        swapped(table, search="calibrated", selection_noise=0.5)
    assert refused.value.id == "error.swap.noise-is-calibrated"
    swapped(table, search="exact", selection_noise=0.5)


def test_a_level_that_asks_for_uniform_choice_is_not_led_by_relations() -> None:
    table = leaning_table(300, 3, 6)
    strict = RecordLevels((DEFAULT_LEVELS[0], DEFAULT_LEVELS[-1]), (np.arange(300) % 2).astype(np.int32), {})
    assert strict.levels[1].demand.selection_noise == "uniform"
    given_ = column_input(replace(table, levels=strict), "S", quasi_identifier_classes(table))
    demands = level_demands(BAYES.settings(table, None, {}), strict, 3)
    members = draw_participants(given_, demands, streams().stream)
    here = Participants.of(given_, members)
    costs = calibrated_costs(here, 0.2, "even", streams().stream("sample"))
    uniform = (here.level == 1) & ~here.is_member
    others = costs[uniform]
    apart = others + 0.0
    apart[np.arange(len(apart)), here.truth[uniform]] = np.nan
    # What is left are multipliers of categories, the same for each record.
    assert np.nanmax(np.nanstd(apart, axis=0)) < 1e-9
    assert costs[(here.level == 0) & ~here.is_member].std(axis=0).max() > 0.1


def test_of_a_large_table_the_form_says_that_nothing_was_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bayes_swap, "_PRICED_UP_TO", 299)
    table = leaning_table(300, 3, 3)
    (note,) = BAYES.price(table, BAYES.settings(table, None, {"search": "calibrated"}))
    assert note.id == "note.bayes-swap.not-foreseen"
    assert note.arguments == {"limit": 299}
    assert BAYES.price(table, BAYES.settings(table, None, {})) == ()
