"""A release with a column that never goes below zero: file, curves, attacks, verdict."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gate_cases import make_candidate

from ppdm_desktop.engine.errors import InputError, RecipeError
from ppdm_desktop.engine.release.attack_audit.base import AttackEvidence
from ppdm_desktop.engine.release.attack_audit.noise_filter import NoiseFilter
from ppdm_desktop.engine.release.attack_audit.noise_filter_model import noisy_steps
from ppdm_desktop.engine.release.attack_audit.row_averaging import RowAveraging
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.disclosure.beliefs import belief_of
from ppdm_desktop.engine.release.disclosure.released import Released
from ppdm_desktop.engine.release.measures.noise_reconstruction import reconstruction_curves
from ppdm_desktop.engine.table.column import Table

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
    assert belief.left is not None
    assert 0 < belief.left < 1.5


def test_a_recipe_without_the_mark_draws_as_one_that_declines_it(tmp_path: Path) -> None:
    silent_one, declined, marked = (
        made(tmp_path / str(mark), mark=mark) for mark in (None, False, True)
    )  # fmt: skip
    assert silent_one.prepared.draws_sha256 == declined.prepared.draws_sha256 != marked.prepared.draws_sha256
    values = [each.final.column("Days").values() for each in (silent_one, declined, marked)]
    assert values[0] == values[1] != values[2]
    assert (silent_one.final.column("Days").numbers < 0).any(), "or the mark would change nothing here"


def test_values_below_zero_and_other_kinds_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError) as refused:
        made(tmp_path / "a", days=["3", "-2"] * 120)
    assert (refused.value.id, refused.value.row) == ("error.columns.below-zero", 3)
    roles = {"Sex": {"role": "q", "kind": "nominal", "not_negative": True}}
    with pytest.raises(RecipeError) as wrong:
        make_candidate(tmp_path / "b", {"Sex": ["a", "b"] * 60}, roles)
    assert wrong.value.id == "error.columns.key-without-kind"


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
