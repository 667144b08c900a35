"""Where candidates stand: every figure is one of the report's, limits are those of the gate, nothing is made up."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.progress import silent
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.load import parse_recipe
from ppdm_desktop.engine.release.candidate.pipeline import prepare, run_candidate
from ppdm_desktop.engine.release.evaluate.evaluate import Evaluation, evaluate
from ppdm_desktop.engine.release.evaluate.scorecard import (
    RISKS,
    USES,
    WEIGHED,
    Scorecard,
    goodness_of,
    nearest,
    scorecard_of,
    scorecard_of_original,
)
from ppdm_desktop.engine.release.measures.analyses import analyse

COLUMNS = {
    "age": {"role": "quasi-identifier", "kind": "numeric"},
    "city": {"role": "quasi-identifier", "kind": "nominal"},
    "income": {"role": "confidential", "kind": "numeric"},
    "illness": {"role": "confidential", "kind": "nominal"},
}


def judged(folder: Path, *steps: str, **parameters: Any) -> tuple[Evaluation, Any]:
    draw = np.random.default_rng(2)
    rows = zip(
        draw.integers(20, 60, 240),
        draw.choice(["Delft", "Ghent", "Bonn"], 240),
        draw.integers(1_000, 5_000, 240),
        draw.choice(["flu", "cold", "ulcer"], 240),
        strict=True,
    )
    path = folder / "people.csv"
    path.write_text("\n".join([",".join(COLUMNS), *(",".join(map(str, row)) for row in rows)]) + "\n")
    document = {
        "recipe": 1,
        "columns": COLUMNS,
        "steps": [{"method": step, "parameters": parameters} for step in steps],
        "release": {"type": "research"},
    }
    candidate = run_candidate(prepare(path, parse_recipe(document), silent()), Key.from_seed(1), silent())
    return evaluate(candidate), candidate


def test_every_figure_is_one_of_the_report(tmp_path: Path) -> None:
    found, candidate = judged(tmp_path, "bayes-swap")
    scorecard = scorecard_of(found, None)
    assert set(scorecard.figures) == {*RISKS, *USES, "analyses"}
    after = found.report.risk.after
    block = after.scope.quasi_identifiers
    assert block is not None
    assert scorecard.upper("match") == block.prosecutor_mean
    assert scorecard.alone == block.unique
    assert scorecard.value("alone") == block.unique / 240
    assert scorecard.certain == after.certain
    assert scorecard.limit == 0.2
    change = found.report.utility.pairs.correlation_mean_change.value
    assert change is not None
    assert scorecard.value("relations") == pytest.approx(1 - change)
    variations = [float(each.total_variation.value or 0) for each in found.report.utility.columns]
    assert scorecard.value("detail") == pytest.approx(np.mean([1 - each for each in variations]))
    assert scorecard.blocked == sum(check.status == "red" for check in found.report.gate)
    assert math.isnan(scorecard.value("tree"))
    analyses = analyse(candidate, silent())
    tried = scorecard_of(found, analyses)
    trees = [each for each in analyses.models if each.learner == "decision-tree"]
    right = [each.scores.released_true_labels.value for each in trees]
    assert tried.value("tree") == pytest.approx(np.mean([each for each in right if each is not None]))
    assert 0 < tried.value("analyses") <= 1
    original = scorecard_of_original(found, analyses)
    assert original.value("tree") >= tried.value("tree") - 0.1
    assert original.upper("match") == found.report.risk.before.scope.quasi_identifiers.prosecutor_mean  # type: ignore[union-attr]
    assert original.value("detail") == 1


def test_a_risk_with_an_interval_is_judged_by_its_upper_end(tmp_path: Path) -> None:
    found, _ = judged(tmp_path, "microaggregation")
    scorecard = scorecard_of(found, None)
    entry = next(each for each in found.report.attacks or [] if each.id == "nearest-record")
    figure = entry.advantage if entry.advantage.value is not None else entry.success
    assert figure.high is not None
    assert scorecard.upper("reversal") == max(figure.high, 0.0)
    assert scorecard.upper("reversal") >= scorecard.value("reversal")


def test_coarser_values_cost_detail(tmp_path: Path) -> None:
    fine, _ = judged(tmp_path, "generalize", width=5.0)
    coarse, _ = judged(tmp_path, "generalize", width=20.0)
    assert scorecard_of(coarse, None).value("detail") < scorecard_of(fine, None).value("detail") < 1
    assert scorecard_of(coarse, None).upper("match") < scorecard_of(fine, None).upper("match")


def test_attacks_that_were_not_made_leave_open_what_they_would_say(tmp_path: Path) -> None:
    found, _ = judged(tmp_path, "bayes-swap")
    report = found.report.model_copy(update={"attacks": None})
    scorecard = scorecard_of(replace(found, report=report), None)
    assert all(math.isnan(scorecard.upper(name)) for name in ("match", "guess", "reversal"))
    assert "not-measured" in scorecard.short_of


# --- limits -----------------------------------------------------------------------------


def made(match: float | None = 0.1, *, high: float | None = None, levels: int = 0, blocked: int = 0) -> Scorecard:
    whole = Figure(1.0)
    figure = Figure.absent("nobody") if match is None else Figure(match, high=high)
    figures = {name: Figure(0.0) for name in RISKS} | {name: whole for name in (*USES, "analyses")} | {"match": figure}
    return Scorecard(figures, 100, 0, 0, 0.2, levels_short=levels, blocked=blocked)


def test_limits_are_the_match_the_levels_and_the_gate() -> None:
    assert made().short_of == ()
    assert made(0.2).short_of == ()
    assert made(0.15, high=0.21).short_of == ("match",)
    assert made(levels=1).short_of == ("levels",)
    assert made(blocked=2).short_of == ("blocked",)
    assert made(None).short_of == ("not-measured",)


def test_the_nearest_falls_short_of_fewest_limits_then_of_the_match_by_least() -> None:
    assert nearest([]) is None
    assert nearest([made(0.9, blocked=1), made(0.4), made(0.3)]) == 2
    assert nearest([made(0.3, levels=4), made(0.4)]) == 1
    assert nearest([made(None), made(0.4)]) == 1


def test_goodness_turns_risks_around(tmp_path: Path) -> None:
    found = goodness_of([made(0.25), made(0.1, high=0.3)])
    assert found.shape == (2, len(WEIGHED))
    assert found[:, 0].tolist() == [0.75, 0.7]
    assert goodness_of([]).shape == (0, len(WEIGHED))
