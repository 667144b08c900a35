"""Two-phase noise: grid and cells, levels, bounds, covariance, what is refused, what is learned."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import partial
from typing import Any

import numpy as np
import pytest
from cases import case_rows
from hypothesis import given
from hypothesis import strategies as st
from number_support import applied, number_column
from swap_support import streams
from thoroughness import examples

from ppdm_desktop.engine.arrays import AnyInts
from ppdm_desktop.engine.errors import InputError, PpdmError, RecipeError
from ppdm_desktop.engine.methods.algorithms.noise_addition.covariance import preview_losses, released_column
from ppdm_desktop.engine.methods.algorithms.noise_addition.plan import plan_columns, round_outward
from ppdm_desktop.engine.methods.algorithms.noise_addition.recount import NoiseResult
from ppdm_desktop.engine.methods.base.declaration import find_method
from ppdm_desktop.engine.methods.base.step import StepResult
from ppdm_desktop.engine.noise.integration import channel_loss
from ppdm_desktop.engine.noise.kernels import NoiseLaw
from ppdm_desktop.engine.recipe.models import ValueRuleSection
from ppdm_desktop.engine.table.column import Column, NumberStyle, Table
from ppdm_desktop.engine.table.levels import DEFAULT_LEVELS, RecordLevels
from ppdm_desktop.engine.wording.texts import render

METHOD = find_method("two-phase-noise")
run = partial(applied, METHOD.id)


def levels(codes: Sequence[int] | AnyInts) -> RecordLevels:
    """The four named levels, one code a record."""
    return RecordLevels(DEFAULT_LEVELS, np.array(codes, dtype=np.int32), {"default": len(codes)}, DEFAULT_LEVELS)


def column_of(values: Iterable[object], name: str = "A", bounds: Any = None, step: float | None = None) -> Column:
    return replace(number_column(name, [str(value) for value in values], step), bounds=bounds)


def table_of(*columns: Column, codes: Sequence[int] | AnyInts | None = None) -> Table:
    rows = len(columns[0])
    return Table(columns, np.arange(1, rows + 1), levels(codes) if codes is not None else None)


def noise_of(table: Table, result: StepResult, name: str = "A") -> np.ndarray:
    return np.asarray(result.table.column(name).numbers - table.column(name).numbers)


def refusal(table: Table, **parameters: Any) -> PpdmError:
    with pytest.raises((InputError, RecipeError)) as refused:
        run(table, **parameters)
    assert render(refused.value.id, refused.value.arguments).remedy
    return refused.value


# --- grid and cells ---------------------------------------------------------------------


@st.composite
def small_tables(draw: st.DrawFn) -> Table:
    decimals, step = draw(st.sampled_from([(0, None), (2, None), (0, 5), (1, 0.5), (2, 0.25)]))
    offset = draw(st.sampled_from([-500, 0, 100_000]))
    values = draw(st.lists(st.one_of(st.none(), st.integers(-400, 400)), min_size=3, max_size=25))
    texts = ["" if each is None else f"{Decimal(each + offset).scaleb(-decimals):f}" for each in values]
    column = number_column("A", texts, step)
    ends = (Decimal(offset - 400).scaleb(-decimals), Decimal(offset + 400).scaleb(-decimals))
    if draw(st.booleans()):
        column = replace(column, bounds=(float(ends[0]), float(ends[1])))
    codes = draw(st.lists(st.integers(0, 3), min_size=len(values), max_size=len(values)))
    return table_of(column, codes=codes)


@examples(300)
@given(
    small_tables(),
    st.integers(0, 2**40),
    st.sampled_from(["gaussian", "uniform"]),
    st.sampled_from([None, 1, 2, 7, 40, 1000]),
    st.sampled_from(["two", "one"]),
    st.sampled_from(["safe", "faithful"]),
)
def test_every_value_on_the_grid_and_in_the_cell_of_its_own_level(
    table: Table, seed: int, noise: str, intervals: int | None, phases: str, mode: str
) -> None:
    parameters: dict[str, Any] = {"noise": noise, "phases": phases, "mode": mode}
    if intervals is not None:
        parameters["intervals"] = intervals
    column = table.column("A")
    known = {float(text) for text in column.values() if text}
    if len(known) < 2:
        assert refusal(table, **parameters).id == ("error.noise.constant" if known else "error.noise.no-value")
        return
    result = run(table, seed, **parameters)
    released = result.table.column("A")
    detail = result.detail["columns"]["A"]
    assert column.style is not None
    step, origin = column.style.step, Decimal(str(detail["origin"]))
    assert released.style == column.style
    assert isinstance(result, NoiseResult)
    assert result.cells is not None
    # The perturbed value once more, from the key alone.
    draws = streams(seed).stream("noise A")
    z = draws.normal(table.rows) if noise == "gaussian" else (2 * draws.uniform(table.rows) - 1) * 3**0.5
    assert table.levels is not None
    for row, (old, new) in enumerate(zip(column.values(), released.values(), strict=True)):
        assert (old == "") == (new == "")
        if not new:
            continue
        assert Decimal(new) % step == 0
        level = detail["levels"][table.levels.codes[row]]
        assert Decimal(new) == Decimal(f"{Decimal(new):.{column.style.decimals}f}")
        width = Decimal(str(level["width"]))
        perturbed = Decimal(float(old) + level["sd"] * float(z[row]))
        cell = (perturbed - origin) // width - (1 if (perturbed - origin) % width < 0 else 0)
        low = origin + cell * width
        slack = Decimal("1e-9")
        assert low - slack < Decimal(new) < low + width + slack
        assert abs(Decimal(new) - origin) % step == step / 2
        assert width % step == 0
        assert phases == "two" or width == step
    assert detail["no_value"] == column.values().count("")


def test_cells_of_the_levels_nest_and_start_half_a_step_below_the_bounds() -> None:
    table = table_of(column_of(range(0, 1001, 5), bounds=(0.0, 1000.0)), codes=[i % 4 for i in range(201)])
    detail = run(table).detail["columns"]["A"]
    assert (detail["origin"], detail["h"], detail["step"]) == (-0.5, 5, 1)
    assert [level["width"] for level in detail["levels"]] == [5, 10, 20, 40]
    assert [level["cells"] for level in detail["levels"]] == [201, 101, 51, 26]
    assert [level["noise"] for level in detail["levels"]] == [1, 1.5, 2, 3]
    written = run(table, intervals=60).detail["columns"]["A"]
    assert written["h"] == 17
    assert [level["width"] for level in written["levels"]] == [17, 17, 17, 34]


def test_the_finest_cells_are_those_of_the_map_whoever_is_in_the_table() -> None:
    column = column_of(range(0, 1001, 5), bounds=(0.0, 1000.0))
    only = (DEFAULT_LEVELS[3],)
    codes = np.zeros(201, dtype=np.int32)
    for named, width in ((DEFAULT_LEVELS, 40), ((), 40)):
        table = replace(table_of(column), levels=RecordLevels(only, codes, {}, named))
        assert run(table).detail["columns"]["A"]["levels"][0]["width"] == width
        assert run(table).detail["columns"]["A"]["h"] == (5 if named else 40)


# --- how much noise ---------------------------------------------------------------------


@pytest.mark.parametrize("noise", ["gaussian", "uniform"])
@pytest.mark.parametrize("snr", [0.5, 1.0, 4.0])
def test_sd_follows_the_ratio_and_the_level(noise: str, snr: float) -> None:
    rng = np.random.default_rng(4)
    values = rng.integers(0, 10_000, size=40_000)
    table = table_of(column_of(values, bounds=(0.0, 10_000.0)), codes=rng.integers(0, 4, size=40_000))
    for mode, factors in (("safe", [1, 1.5, 2, 3]), ("faithful", [1, 1, 1, 1])):
        result = run(table, noise=noise, snr=snr, mode=mode, phases="one")
        moved = noise_of(table, result)
        assert table.levels is not None
        for code, times in enumerate(factors):
            own = moved[table.levels.codes == code]
            wanted = times * values.std() / snr**0.5
            assert result.detail["columns"]["A"]["levels"][code]["sd"] == pytest.approx(wanted)
            assert own.std() == pytest.approx(wanted, rel=0.04)
            assert abs(own.mean()) < 4 * wanted / len(own) ** 0.5
            if noise == "uniform":
                assert np.abs(own).max() <= 3**0.5 * wanted + 0.5
    assert METHOD.mode(METHOD.settings(table, None, {"mode": "faithful"})) == "own"
    assert METHOD.mode(METHOD.settings(table, None, {})) == "safe"


def test_sd_by_column_and_ratio_for_the_rest() -> None:
    table = table_of(column_of(range(100)), column_of(range(0, 1000, 10), "B"))
    detail = run(table, sd={"B": 3.5}, snr=4.0).detail["columns"]
    assert detail["B"]["sd"] == 3.5
    assert detail["A"]["sd"] == pytest.approx(np.arange(100).std() / 2)
    assert detail["A"]["snr"] == pytest.approx(4.0)
    assert {each["sd"] for each in run(table, sd=2).detail["columns"].values()} == {2.0}
    notes = METHOD.check(table, METHOD.settings(table, None, {"sd": 2, "snr": 2.0}))
    assert "note.noise.ratio-unused" in [note.id for note in notes]


@pytest.mark.parametrize("key", ["sd", "bounds"])
def test_a_value_for_a_column_the_step_does_not_treat_is_refused(key: str) -> None:
    table = table_of(column_of(range(100)), column_of(range(100), "B"))
    given = 2.0 if key == "sd" else [0, 100]
    with pytest.raises(RecipeError) as refused:
        METHOD.settings(table, ["A"], {key: {"B": given}})
    assert (refused.value.id, refused.value.column) == ("error.step.value-for-untreated", "B")


def test_two_noise_levels_draw_independently() -> None:
    """Two recipes under one key: their noise correlates 0 within 4 standard errors (contract, "Test")."""
    from ppdm_desktop.engine.randomness import Key, StepStream

    rows = 20_000
    table = table_of(column_of(np.arange(rows) % 997))
    noises = []
    for digest, snr in (("11", 1.0), ("22", 4.0)):
        settings = METHOD.settings(table, None, {"snr": snr, "phases": "one"})
        stream = StepStream(Key.from_seed(7), "00" * 32, digest * 32, 1)
        noises.append(noise_of(table, METHOD.run(table, settings, stream)))
    assert abs(np.corrcoef(noises)[0, 1]) < 4 / rows**0.5


def test_low_bits_tell_nothing_of_zero_and_a_thousand() -> None:
    """The release of a column of 0 and 1000 depends on values and noise through whole steps only."""
    rng = np.random.default_rng(6)
    values = np.where(rng.random(20_000) < 0.5, 0, 1000)
    table = table_of(column_of(values, bounds=(0.0, 1000.0)))
    result = run(table, sd=1000, phases="one")
    released = result.table.column("A")
    # No digit but whole ones leaves the program, so no sum can be taken apart by its last bits.
    assert all(text.lstrip("-").isdigit() for text in released.values())
    numbers = released.numbers
    # What the attack compares: is the released number one that could only come from a zero?
    shared = np.intersect1d(numbers[values == 0], numbers[values == 1000])
    middle = (numbers > -500) & (numbers < 1500)
    found = np.isin(numbers[middle & (values == 0)], shared).mean()
    # Of those seen on one side only, chance alone decides (few records a number), not the value.
    other = np.isin(numbers[middle & (values == 1000)], shared).mean()
    assert found > 0.9
    assert abs(found - other) < 0.03


# --- several columns ---------------------------------------------------------------------


def related(rows: int = 30_000, missing: float = 0.0) -> Table:
    rng = np.random.default_rng(8)
    common = rng.normal(size=rows)
    columns = []
    for place, (name, scale) in enumerate((("A", 100), ("B", 2000), ("C", 30))):
        values = np.rint(scale * (common + 0.2 * (place + 1) * rng.normal(size=rows))).astype(int)
        texts = ["" if rng.random() < missing else str(value) for value in values]
        columns.append(column_of(texts, name))
    return table_of(*columns)


@pytest.mark.parametrize("missing", [0.0, 0.1])
def test_matched_noise_has_the_covariance_of_the_data(missing: float) -> None:
    table = related(missing=missing)
    result = run(table, phases="one")
    assert result.detail["covariance"]["kind"] == "matched"
    complete = np.logical_and.reduce([~column.missing for column in table.columns])
    before = np.array([column.numbers[complete] for column in table.columns])
    noise = np.array([noise_of(table, result, name)[complete] for name in "ABC"])
    assert np.corrcoef(noise) == pytest.approx(np.corrcoef(before), abs=0.02)
    assert np.cov(noise) == pytest.approx(np.array(result.detail["covariance"]["matrix"]), rel=0.06)
    if not missing:
        assert np.cov(noise) == pytest.approx(np.cov(before), rel=0.06)
    alone = run(table, covariance="independent", phases="one")
    apart = np.array([noise_of(table, alone, name)[complete] for name in "ABC"])
    assert np.abs(np.corrcoef(apart) - np.eye(3)).max() < 4 / complete.sum() ** 0.5


def test_matched_noise_resists_the_filter_that_undoes_independent_noise() -> None:
    """Linear posterior mean from all columns (methods page, A5): error in the noise's sd."""
    table = related()
    before = np.array([column.numbers for column in table.columns])
    errors = {}
    for covariance in ("independent", "matched"):
        result = run(table, covariance=covariance, phases="one")
        shown = np.array([result.table.column(name).numbers for name in "ABC"])
        matrix = np.array(result.detail["covariance"]["matrix"])
        total = np.cov(shown)
        centre = shown.mean(axis=1, keepdims=True)
        guess = centre + (total - matrix) @ np.linalg.solve(total, shown - centre)
        scale = np.sqrt(np.diag(matrix))[:, None]
        errors[covariance] = float(np.sqrt((((guess - before) / scale) ** 2).mean()))
    assert errors["matched"] == pytest.approx(0.707, abs=0.01)
    assert errors["independent"] < 0.62


def test_uniform_noise_is_never_matched() -> None:
    table = related(200)
    assert refusal(table, noise="uniform", covariance="matched").id == "error.noise.matched-uniform"
    result = run(table, noise="uniform")
    assert result.detail["covariance"]["kind"] == "independent"
    notes = METHOD.check(table, METHOD.settings(table, None, {"noise": "uniform"}))
    assert "note.noise.filtered" in [note.id for note in notes]


def test_without_complete_records_there_is_nothing_to_match() -> None:
    one = ["1", "", "3", ""] * 10
    other = ["", "2", "", "7"] * 10
    table = table_of(column_of(one), column_of(other, "B"))
    assert refusal(table, covariance="matched").id == "error.noise.no-correlation"
    assert run(table).detail["covariance"]["kind"] == "independent"
    assert "note.noise.nothing-to-match" in [n.id for n in METHOD.check(table, METHOD.settings(table, None, {}))]


# --- bounds -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lowest", "highest", "expected"),
    [(17, 90, (10, 90)), (3120, 81_400, (0, 90_000)), (-0.7, 0.25, (-0.7, 0.3)), (5, 5, (5, 6)), (0, 0, (0, 1))],
)
def test_bounds_from_data_are_round(lowest: float, highest: float, expected: tuple[float, float]) -> None:
    assert tuple(map(float, round_outward(lowest, highest))) == expected


def test_bounds_of_the_step_stand_over_those_of_the_column_over_those_of_the_data() -> None:
    plain, declared = column_of(range(17, 91)), column_of(range(17, 91), bounds=(0.0, 120.0))
    guessed = run(table_of(plain)).detail["columns"]["A"]
    assert (guessed["bounds"], guessed["bounds_source"]) == ([10, 90], "data")
    shared = run(table_of(column_of([17] * 5 + [*range(18, 90)] + [90] * 5))).detail["columns"]["A"]
    assert (shared["bounds"], shared["bounds_source"]) == ([10, 90], "people")
    ways: tuple[tuple[dict[str, Any], list[int]], ...] = (({}, [0, 120]), ({"bounds": {"A": [10, 95]}}, [10, 95]))
    for parameters, expected in ways:
        found = run(table_of(declared), **parameters).detail["columns"]["A"]
        assert (found["bounds"], found["bounds_source"]) == (expected, "declared")
        assert found["origin"] == expected[0] - 0.5
    notes = METHOD.check(table_of(plain), METHOD.settings(table_of(plain), None, {}))
    assert "note.noise.bounds-from-data" in [note.id for note in notes]


def test_values_outside_their_bounds_are_refused_by_row() -> None:
    table = table_of(column_of([10, 11, 12, 99, 13, 120]))
    error = refusal(table, bounds={"A": [0, 98]})
    assert (error.id, error.column, error.row) == ("error.columns.outside-bounds", "A", 4)
    assert error.arguments["count"] == 2


@pytest.mark.parametrize(
    ("values", "parameters", "expected"),
    [
        ([5] * 9, {}, "error.noise.constant"),
        (["0.1"] * 9, {}, "error.noise.constant"),
        (["-497.99", "", "-497.99", "-497.99"], {}, "error.noise.constant"),
        ([5] * 9, {"sd": {"A": 2.0}}, None),
        ([""] * 9, {}, "error.noise.no-value"),
        (range(9), {"bounds": {"A": [-1e300, 1e300]}}, "error.noise.bounds-too-wide"),
        (range(9), {"sd": 1e300}, "error.numeric.too-many-digits"),
        (range(9), {"snr": 1e-300}, "error.numeric.too-many-digits"),
        ([10**14, 2 * 10**14] * 5, {"snr": 0.001}, "error.numeric.too-many-digits"),
    ],
)
def test_what_cannot_be_done_is_said(values: Any, parameters: dict[str, Any], expected: str | None) -> None:
    table = table_of(column_of(values))
    if expected is None:
        assert run(table, **parameters).detail["columns"]["A"]["sd"] == 2.0
        return
    error = refusal(table, **parameters)
    assert (error.id, error.column) == (expected, "A")


# --- what is learned, proof ---------------------------------------------------------------


def test_the_loss_is_the_exact_one_before_and_after_the_run() -> None:
    values = np.arange(10_000)
    table = table_of(column_of(values, bounds=(0.0, 9_999.0)), codes=values % 4)
    settings = METHOD.settings(table, None, {})
    before = preview_losses(table, settings)
    assert [each.level for each in before] == ["normal", "cautious", "extra-cautious", "paranoid"]
    assert before[0].loss == pytest.approx(0.2910, abs=2e-4)
    assert [each.loss for each in before] == sorted((each.loss for each in before), reverse=True)
    edges = np.array([-0.5, 9_999.5])
    for each in before:
        exact = channel_loss(edges, np.ones(1), NoiseLaw("gaussian", each.sd), cell_width=each.width, origin=-0.5)
        assert each.loss == pytest.approx(exact.loss, abs=1e-4)
        assert each.pi == pytest.approx(10_000 * (1 - each.loss), rel=1e-3)
    result = run(table)
    told = result.detail["columns"]["A"]["levels"]
    assert [level["privacy_loss"] for level in told] == [each.loss for each in before]
    assert result.detail["privacy_loss"] == before[0].loss
    recount = METHOD.recount(table, result.table, settings, result.detail)
    assert [proof.privacy_loss for proof in recount.levels] == [each.loss for each in before]
    assert [proof.covered for proof in recount.levels] == [2500] * 4
    faithful = preview_losses(table, METHOD.settings(table, None, {"mode": "faithful"}))
    assert 0 < faithful[0].loss - faithful[3].loss < 0.01 * faithful[0].loss


def test_a_value_moved_out_of_its_cell_or_off_the_grid_is_found() -> None:
    table = table_of(column_of(range(0, 1000, 5), bounds=(0.0, 1000.0)), codes=[i % 4 for i in range(200)])
    settings = METHOD.settings(table, None, {"intervals": 10})
    result = METHOD.run(table, settings, streams())
    column = result.table.column("A")
    moved = result.table.replacing(column.with_values(np.array([3]), [str(int(column.numbers[3]) + 1000)]))
    assert METHOD.recount(table, moved, settings, result.detail).guarantee.holds
    found = METHOD.recount_run(table, moved, settings, result)
    assert not found.guarantee.holds
    assert not any(proof.met for proof in found.levels)
    lost = result.table.replacing(column.with_values(np.array([3]), [""]))
    assert not METHOD.recount(table, lost, settings, result.detail).guarantee.holds


def test_a_run_with_less_noise_than_a_level_asks_is_found() -> None:
    table = table_of(column_of(range(0, 1000, 5), bounds=(0.0, 1000.0)), codes=[i % 4 for i in range(200)])
    faithful = METHOD.settings(table, None, {"mode": "faithful"})
    result = METHOD.run(table, faithful, streams())
    safe = METHOD.settings(table, None, {})
    proofs = METHOD.recount(table, result.table, safe, result.detail).levels
    assert [proof.met for proof in proofs] == [True, False, False, False]


@pytest.mark.parametrize(
    ("values", "rules", "kept", "step", "below"),
    case_rows("two-phase-noise-recommended-noise-stays-on-the-grid-and-in"),
)
def test_recommended_noise_stays_on_the_grid_and_in_the_range(
    values: str, rules: tuple[str, ...], kept: str, step: int, below: bool
) -> None:
    rng = np.random.default_rng(8)
    lowest = {"tens": 0, "far": 90_000, "signed": -900, "scale": 1}[values]
    true = rng.integers(1, 11, size=2000) if values == "scale" else lowest + 10 * rng.integers(0, 90, size=2000)
    column = column_of(true)
    sections = tuple(
        ValueRuleSection.model_validate({"kind": kind, "columns": ("A",), "kept": False}) for kind in rules
    )
    table = replace(table_of(column), rules=sections)
    result = run(table, rules=kept)
    shown = result.table.column("A").numbers
    assert (bool((shown < 0).any()), result.detail["columns"]["A"]["step"]) == (below, step)
    assert bool((shown % 10 == 0).all()) == (step == 10)
    stays = kept == "kept" and "range" not in rules
    assert ("period" in result.detail["columns"]["A"]) == stays
    assert bool(((shown >= true.min()) & (shown <= true.max())).all()) == stays


@pytest.mark.parametrize(
    ("noise", "released"),
    [(-3, 0), (-4, 0), (-7, 3), (97, 100), (98, 100), (104, 94), (-210, 4), (210, 11)],
)
def test_noise_is_reflected_half_a_step_outside_both_ends(noise: int, released: int) -> None:
    table = table_of(column_of(range(101), bounds=(0, 100)))
    plan = plan_columns(table, METHOD.settings(table, None, {"rules": "kept", "phases": "one"}))[0]
    assert plan.span == 101
    codes, noises = np.zeros(101, dtype=np.int32), np.full(101, noise / plan.levels[0].sd)
    assert released_column(plan, codes, noises, streams())[0].numbers[3] == released


def test_decimals_that_cannot_be_written_are_left_out_and_said() -> None:
    rng = np.random.default_rng(5)
    table = table_of(number_column("A", [f"{value:.15f}" for value in rng.random(300)]))
    assert refusal(table).id == "error.numeric.too-many-digits"
    result = run(table, rules="kept")
    assert result.table.column("A").style == NumberStyle.written(14)
    notes = METHOD.check(table, METHOD.settings(table, None, {"rules": "kept"}))
    assert ("note.numbers.rounded", 14) in [(note.id, note.arguments.get("decimals")) for note in notes]
