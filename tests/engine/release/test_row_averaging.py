"""The rows of one person averaged: a release in which that undoes the noise is stopped, and no other one is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gate_cases import attacked, check, evidence_of, made_by, make_candidate

from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.attacks.averaging import compute_averaged_error
from ppdm_desktop.engine.release.attack_audit.base import AttackEvidence, find_attack
from ppdm_desktop.engine.release.attack_audit.noise_filter import NoiseFilter
from ppdm_desktop.engine.release.attack_audit.noise_filter_model import noisy_steps
from ppdm_desktop.engine.release.attack_audit.row_averaging import RowAveraging
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.disclosure.beliefs import belief_of
from ppdm_desktop.engine.release.disclosure.released import Released
from ppdm_desktop.engine.release.measures.noise_reconstruction import reconstruction_curves
from ppdm_desktop.engine.table.column import Table

SD = 15.0
ROLES: dict[str, Any] = {
    "who": "i",
    "place": {"role": "q", "kind": "nominal"},
    "income": {"role": "c", "kind": "numeric"},
}
NOISE: dict[str, Any] = {
    "method": "two-phase-noise",
    "columns": ["income"],
    "parameters": {"bounds": {"income": [0, 200]}, "sd": SD},
}


def noisy(
    folder: Path, sizes: Ints, *, strays: float = 0.0, in_order: bool = True, coded: bool = False, place: Any = None
) -> Candidate:
    """Release noisy incomes of people with so many rows each.

    An income is the same in all rows of a person but the first one's, so that noise is drawn for each row anew; or
    it strays by as much from row to row.
    """
    rng = np.random.default_rng(7)
    who = np.repeat(np.arange(len(sizes)), sizes)
    income = rng.normal(100, SD, len(sizes))[who] + rng.normal(0, strays, len(who))
    first = np.flatnonzero(who == 0)
    income[first] = rng.normal(100, SD, len(first))
    columns = {
        "who": who.astype(str).tolist(),
        "place": [str(each) for each in (rng.choice(list("xy"), len(sizes)) if place is None else place)[who]],
        "income": [str(each) for each in income.round().astype(int)],
    }
    steps = [{"method": "pseudonymise"}, NOISE] if coded else [NOISE]
    given: dict[str, Any] = {"input": {"person": "who"}, "release": {"shuffle_rows": not in_order}}
    return make_candidate(folder, columns, ROLES, "public", steps=steps, **given)


def some_with_many(many: int, rows: int, people: int = 400) -> Ints:
    sizes = np.ones(people, dtype=np.int64)
    sizes[: many + 1] = rows
    return sizes


@pytest.mark.thorough
@pytest.mark.parametrize(("many", "rows"), [(400, 12), (40, 12), (80, 40), (30, 100), (5, 60)])
@pytest.mark.parametrize("by", ["order", "code"])
def test_noise_that_the_mean_of_a_persons_rows_undoes_is_stopped(tmp_path: Path, many: int, rows: int, by: str) -> None:
    """Among 400 people it is a few whose noise comes off; before, every check was green on them."""
    sizes = some_with_many(many, rows) if many < 400 else np.full(400, rows)
    candidate = noisy(tmp_path, sizes, in_order=by == "order", coded=by == "code")
    assert candidate.links_rows
    (entry,) = made_by("row-averaging", candidate)
    # What an intruder gets who averages, worked out here from the released file and nothing else.
    released, whose = candidate.final.column("income").numbers, np.repeat(np.arange(len(sizes)), sizes)
    mean = np.bincount(whose, released) / sizes
    truth = np.bincount(whose, candidate.prepared.original.column("income").numbers) / sizes
    chosen = np.flatnonzero(sizes > 1)[1:]
    off = np.sqrt(np.mean((mean - truth)[chosen] ** 2)) / SD
    assert off < 1.6 / np.sqrt(rows)
    assert entry.sampled == len(chosen)
    assert float(entry.success.value or 0) == pytest.approx(off, rel=0.25 if many > 20 else 0.5)
    ratio = float(entry.further["ratio"].value or 0)
    likely = compute_averaged_error(1.0, rows) / compute_averaged_error(1.0, 1)
    # Among a handful luck is not taken for success.
    assert ratio == pytest.approx(likely, rel=0.4) if many > 20 else 0.95 * likely < ratio < 0.5
    found = check(attacked(candidate), "reversal")
    assert found.status == "red"
    assert found.figure is not None
    assert float(found.figure.value or 0) <= ratio


def test_noise_drawn_once_for_each_person_leaves_nothing_to_average(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    who = np.repeat(np.arange(150), 12)
    columns = {
        "who": who.astype(str).tolist(),
        "place": rng.choice(list("xy"), 150)[who].tolist(),
        "income": rng.normal(100, SD, 150).round().astype(int)[who].astype(str).tolist(),
    }
    given: dict[str, Any] = {"input": {"person": "who"}, "release": {"shuffle_rows": False}}
    candidate = make_candidate(tmp_path, columns, ROLES, "public", steps=[NOISE], **given)
    assert not made_by("row-averaging", candidate)
    why = find_attack("row-averaging").applies(candidate)
    assert why == "attack.why-not.no-draws"
    assert check(attacked(candidate), "reversal").status == "green"


def test_a_value_that_strays_a_little_is_averaged_as_well(tmp_path: Path) -> None:
    """A step up or down in each row would else make every value one that changes."""
    (entry,) = made_by("row-averaging", noisy(tmp_path, some_with_many(40, 12), strays=0.4))
    assert float(entry.further["ratio"].value or 0) < 0.6


def test_what_changes_from_row_to_row_is_not_averaged(tmp_path: Path) -> None:
    candidate = noisy(tmp_path, some_with_many(200, 12), strays=SD)
    assert not made_by("row-averaging", candidate)


@pytest.mark.parametrize("alone", [True, False])
def test_rows_that_nothing_marks_are_put_together_where_nobody_shares_them(tmp_path: Path, alone: bool) -> None:
    """Forty people with a place of their own each are as good as marked; where places are shared nothing is."""
    sizes = some_with_many(40, 12)
    place = np.arange(400) % 2
    if alone:
        place[:41] = 100 + np.arange(41)
    candidate = noisy(tmp_path, sizes, in_order=False, place=place)
    assert not candidate.links_rows
    entries = made_by("row-averaging", candidate)
    assert [entry.sampled for entry in entries] == ([40] if alone else [])
    if alone:
        assert check(attacked(candidate), "reversal").status == "red"
        assert check(evidence_of(candidate), "reversal").status != "red", "nothing else finds it"


def test_many_people_with_two_rows_do_not_hide_a_few_with_many(tmp_path: Path) -> None:
    sizes = np.full(400, 2, dtype=np.int64)
    sizes[:31] = 80
    (entry,) = made_by("row-averaging", noisy(tmp_path, sizes))
    assert entry.sentence.arguments["people"] == 30
    assert float(entry.further["ratio"].value or 0) < 0.3


# --- a release with a column that never goes below zero: file, curves, attacks, verdict -----------


NUMBER = {"role": "c", "kind": "numeric"}
STEP: dict[str, Any] = {"method": "two-phase-noise", "columns": ["Days", "Pay"], "parameters": {"snr": 1.0}}


def made(folder: Path, *, mark: bool | None = True, several: bool = False, days: list[str] | None = None) -> Candidate:
    rng = np.random.default_rng(7)
    ill = rng.integers(2, size=240)
    columns = {
        "Sex": [f"s{each}" for each in rng.integers(2, size=240)],
        "Days": days or [str(each) for each in rng.poisson(1 + 6 * ill)],
        "Pay": [str(each) for each in (300 + 40 * ill + 20 * rng.normal(size=240)).astype(int)],
    }
    roles: dict[str, Any] = {"Sex": "q", "Days": {**NUMBER, "not_negative": mark}, "Pay": NUMBER}
    given: dict[str, Any] = {"input": {"one_row_per_person": True}}
    if several:
        columns["Who"] = [f"w{row // 4}" for row in range(240)]
        columns["Days"] = [columns["Days"][row // 4] if row % 4 else str((row // 4) % 9) for row in range(240)]
        roles["Who"] = "i"
        given = {"input": {"person": "Who"}}
    release = {"type": "internal", "shuffle_rows": not several}
    if mark is None:
        del roles["Days"]["not_negative"]
    return make_candidate(folder, columns, roles, steps=[STEP], release=release, **given)


def released(candidate: Candidate) -> Released:
    names = candidate.released_names
    truth = candidate.prepared.table.column
    shown = tuple(candidate.final.column(name) for name in names)
    return Released(candidate, Table(shown, candidate.final.row_numbers, candidate.final.levels), truth)


def test_the_release_the_curves_and_the_attacks_know_the_law(tmp_path: Path) -> None:
    candidate = made(tmp_path)
    assert (candidate.final.column("Days").numbers >= 0).all()
    detail = candidate.steps[0].result.detail["columns"]
    assert detail["Days"]["reflected_at"] == -0.5
    assert detail["Days"]["bounds"][0] == 0
    assert detail["Days"]["bounds"][1] > candidate.prepared.table.column("Days").numbers.max()
    assert "reflected_at" not in detail["Pay"]
    (curve, _) = reconstruction_curves(candidate)
    assert curve.edges[0] >= -0.5, "no cell below zero is drawn"
    assert curve.reconstructed.sum() == pytest.approx(1.0)
    (noisy,) = noisy_steps(candidate, NoiseFilter.id)
    law, added = noisy.laws
    assert law is not None
    assert added is None
    np.testing.assert_allclose(law.kernel.sum(axis=0), 1.0)
    found = {each.column: each for each in NoiseFilter().run(AttackEvidence(candidate))}
    assert found["Days"].success.value is not None
    chance = found["Days"].chance.value
    assert chance is not None
    assert float(found["Days"].control.value or 9.0) < float(chance), "the law tells more than the mean of everybody"
    belief = belief_of(released(candidate), "Days")
    assert belief.family == "noise"
    assert belief.residual_error is not None
    assert 0 < belief.residual_error < 1.5


def test_a_recipe_without_the_mark_draws_as_one_that_declines_it(tmp_path: Path) -> None:
    silent_one, declined, marked = (
        made(tmp_path / str(mark), mark=mark) for mark in (None, False, True)
    )  # fmt: skip
    assert silent_one.prepared.draws_sha256 == declined.prepared.draws_sha256 != marked.prepared.draws_sha256
    values = [each.final.column("Days").values() for each in (silent_one, declined, marked)]
    assert values[0] == values[1] != values[2]
    assert (silent_one.final.column("Days").numbers < 0).any(), "or the mark would change nothing here"


def test_rows_of_one_person_are_averaged_by_law(tmp_path: Path) -> None:
    """Who knows the law takes, for each person, what it makes of all their rows; it tells more than one of them."""
    rng = np.random.default_rng(7)
    days = np.repeat(rng.poisson(2 + 6 * rng.integers(2, size=60)), 4)
    days[0] += 1  # or noise would be drawn once for each person
    columns = {
        "Sex": [f"s{each}" for each in rng.integers(2, size=240)],
        "Days": [str(each) for each in days],
        "Who": [f"w{row // 4}" for row in range(240)],
    }
    roles: dict[str, Any] = {"Sex": "q", "Days": {**NUMBER, "not_negative": True}, "Who": "i"}
    step = {**STEP, "columns": ["Days"]}
    more: dict[str, Any] = {"input": {"person": "Who"}, "release": {"type": "internal", "shuffle_rows": False}}
    candidate = make_candidate(tmp_path, columns, roles, steps=[step], **more)
    assert candidate.links_rows
    (noisy,) = noisy_steps(candidate, NoiseFilter.id)
    law, size = noisy.laws[0], noisy.sizes[0]
    assert law is not None
    (found,) = RowAveraging().run(AttackEvidence(candidate))
    shown = candidate.final.column("Days").numbers.reshape(60, 4)
    truth = days.reshape(60, 4)[:, 1].astype(float)
    apart = [each for each in range(1, 60) if len(set(shown[each])) > 1]
    once = [np.unique(shown[each]) for each in apart]
    guess = np.array([law.means_together(values, np.zeros(len(values), np.int64), 1)[0] for values in once])
    one = np.array([law.means(shown[each, :1])[0] for each in apart])
    error = np.sqrt(np.mean((guess - truth[apart]) ** 2))
    assert found.sampled == len(apart)
    assert float(found.success.value or 0) == pytest.approx(error / size)
    assert error < np.sqrt(np.mean((one - truth[apart]) ** 2))
    assert float(found.further["ratio"].value or 9) < 1
