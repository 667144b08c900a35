"""What analyses keep of a candidate: which rows are beside which, what a method's noise makes known, the pages."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cases import case_rows
from gate_cases import HandMade, make_candidate, with_step
from ill_people import CONFIRMED, NOISE, ROLES, people
from optional import existing

from ppdm_desktop.engine.errors import Cancelled
from ppdm_desktop.engine.figure import measures_of
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.release.candidate.model import Candidate, match_source_columns
from ppdm_desktop.engine.release.measures.analyses import CLUSTERS, Analyses, analyse, known_noise
from ppdm_desktop.engine.release.reporting.build import with_analyses
from ppdm_desktop.engine.release.writing.export import evaluate
from ppdm_desktop.engine.report.html import render_report

ROWS = 200


def candidate_of(
    folder: Path,
    *steps: Any,
    columns: dict[str, list[str]] | None = None,
    roles: dict[str, Any] | None = None,
    targets: tuple[str, ...] = ("Illness",),
    **more: Any,
) -> Candidate:
    utility: dict[str, Any] = {"utility": {"targets": list(targets)}} if targets else {}
    return make_candidate(
        folder, columns or people(), {**ROLES, **(roles or {})}, steps=list(steps), **utility, **CONFIRMED, **more
    )


def by_learner(found: Analyses, target: str = "Illness") -> dict[str, Any]:
    return {each.learner: each for each in found.models if each.target == target and "one unit" not in str(each.task)}


# --- what lies beside what ------------------------------------------------------------------------


def test_released_rows_are_beside_their_own_source_rows(tmp_path: Path) -> None:
    sides = match_source_columns(candidate_of(tmp_path))
    before, after = existing(sides.match_rows())
    assert [column.name for column in before] == ["Sex", "Age", "Wage", "Illness"]
    assert [column.values() for column in before] == [column.values() for column in after]


def test_removed_rows_have_no_twin(tmp_path: Path) -> None:
    candidate = candidate_of(tmp_path)
    kept = np.arange(0, ROWS, 2)
    less = replace(
        candidate,
        final=candidate.final.take(kept),
        released=candidate.final.take(kept),
        row_order=np.arange(len(kept)),
    )
    sides = match_source_columns(less)
    assert np.array_equal(np.flatnonzero(existing(sides.twins) >= 0), kept)
    before, after = existing(sides.match_rows())
    assert [column.values() for column in before] == [column.values() for column in after]
    found = by_learner(analyse(less))["naive-bayes"].scores
    assert found.released_true_labels.n == ROWS
    assert found.released_labels.n == len(kept)


def test_rows_made_anew_are_not_taken_for_source_rows(tmp_path: Path) -> None:
    candidate = candidate_of(tmp_path)
    step = with_step(candidate, {}, []).steps[0]

    class Again(HandMade):
        correspondence = "none"

    again = replace(candidate, steps=(replace(step, method=Again()),))
    assert match_source_columns(again).match_rows() is None
    found = analyse(again)
    assert existing(found.table.sse_sst).value is None
    assert existing(found.table.il1s).note
    assert found.clusters[0].by_sizes.value == pytest.approx(1)
    assert found.clusters[0].matched.value is None
    scores = by_learner(found)["naive-bayes"].scores
    assert scores.released_true_labels.value > 0.75
    assert "too good" in str(scores.released_true_labels.note)


# --- figures --------------------------------------------------------------------------------------


def test_a_release_without_a_step_keeps_everything(tmp_path: Path) -> None:
    found = analyse(candidate_of(tmp_path))
    for each in found.models:
        scores = each.scores
        assert scores.original == scores.released_true_labels
        assert scores.original.value == scores.released_labels.value
    learners = by_learner(found)
    assert list(learners) == ["naive-bayes", "decision-tree", "multilayer-perceptron", "nearest-1", "nearest-5"]
    assert learners["naive-bayes"].scores.original.value > 0.8 > 0.7 > learners["naive-bayes"].scores.baseline.value
    leaves = learners["decision-tree"].leaves
    assert leaves.original.value == leaves.released.value > 1
    assert [each.k for each in found.clusters] == list(CLUSTERS)
    assert all(each.ari.value == pytest.approx(1) for each in found.clusters)
    assert existing(found.table.covariance_compatibility).value == pytest.approx(1)
    assert existing(found.table.pmse).value == pytest.approx(0, abs=1e-9)
    assert existing(found.table.sse_sst).value is None, "nothing was treated"


def test_the_noise_of_two_phase_noise_is_known_to_naive_bayes(tmp_path: Path) -> None:
    candidate = candidate_of(tmp_path, {**NOISE, "parameters": {"snr": 1.0}})
    noise = known_noise(candidate)
    detail = candidate.steps[0].result.detail["columns"]["Wage"]
    (level,) = [each for each in detail["levels"] if each["records"]]
    assert list(noise) == ["Wage"]
    assert noise["Wage"].variance == pytest.approx(level["sd"] ** 2)
    assert noise["Wage"].cell_term == pytest.approx((2 * level["width"] ** 2 - detail["step"] ** 2) / 12)
    wage = np.array(people()["Wage"], dtype=float)
    assert noise["Wage"].variance == pytest.approx(wage.var(), rel=0.05), "signal to noise 1"
    found = by_learner(analyse(candidate))
    corrected = found["naive-bayes-corrected"].scores
    assert corrected.released_labels.value is None
    assert corrected.released_labels.note
    assert corrected.released_true_labels.note is None, "no variance fell on its floor"
    assert corrected.original == found["naive-bayes"].scores.original


RECONSTRUCTED = {
    "global": {"naive-bayes-global", "decision-tree-global", "multilayer-perceptron-global", "nearest-5-global"},
    "by-class": {
        "naive-bayes-by-class",
        "decision-tree-by-class",
        "multilayer-perceptron-by-class",
        "nearest-5-by-class",
    },
    "local": {"naive-bayes-by-class", "decision-tree-local", "multilayer-perceptron-by-class", "nearest-5-by-class"},
}


@pytest.mark.parametrize(
    "way", [pytest.param(way, marks=[pytest.mark.thorough] * (way != "local")) for way in RECONSTRUCTED]
)
def test_learners_learn_from_reconstructed_distributions_where_the_recipe_says_so(tmp_path: Path, way: str) -> None:
    wish: dict[str, Any] = {"utility": {"targets": ["Illness"], "learn_from": way}}
    step = {**NOISE, "parameters": {"snr": 1.0}}
    columns = people(1000)
    plain_candidate = candidate_of(tmp_path / "a", step, columns=columns)
    candidate = make_candidate(tmp_path / "b", columns, ROLES, steps=[step], **wish, **CONFIRMED)
    assert candidate.prepared.recipe_sha256 == plain_candidate.prepared.recipe_sha256, "it moves no draw"
    plain, found = by_learner(analyse(plain_candidate)), by_learner(analyse(candidate))
    assert set(found) - set(plain) == RECONSTRUCTED[way]
    for learner, result in plain.items():
        assert found[learner].scores == result.scores, "the others are measured as before"
    for learner in RECONSTRUCTED[way]:
        beside = next(
            plain[each]
            for each in ("naive-bayes", "decision-tree", "multilayer-perceptron", "nearest-5")
            if learner.startswith(each)
        )
        scores = found[learner].scores
        assert scores.original == beside.scores.original
        assert scores.baseline == beside.scores.baseline
        assert scores.released_labels.value is None, "its model is for records without noise"
    tree = next(each for each in RECONSTRUCTED[way] if each.startswith("decision-tree"))
    gained = existing(found[tree].scores.released_true_labels.value)
    assert gained > existing(plain["decision-tree"].scores.released_true_labels.value) + 0.02
    report = with_analyses(evaluate(candidate).report, analyse(candidate))
    page = render_report(report, in_full=True).decode("utf-8")
    assert "reconstructed" in page
    utility = report.utility
    part: Any
    for part in (utility, *utility.columns, *existing(utility.models), *existing(utility.clusters)):
        for key, measure in measures_of(part.__class__).items():
            value = getattr(part, key).value
            assert measure.kind == "number" or value is None or 0 <= value <= 1, f"{key} is no {measure.kind}"


def test_noise_that_another_step_went_over_is_not_known_any_more(tmp_path: Path) -> None:
    again = {"method": "microaggregation", "columns": ["Wage"]}
    assert known_noise(candidate_of(tmp_path, NOISE, again)) == {}


def test_a_target_that_is_not_released_is_named(tmp_path: Path) -> None:
    found = analyse(candidate_of(tmp_path, roles={"Illness": "l"}))
    assert [each.target for each in found.models] == ["Illness"]
    assert str(found.models[0].scores.original.note) == "the column is not released"


def test_confidential_columns_are_told_by_default_and_few_whole_numbers_to_within_one(tmp_path: Path) -> None:
    columns = people()
    columns["Wage"] = [str(int(v) // 10) for v in columns["Wage"]]
    found = analyse(candidate_of(tmp_path, columns=columns, targets=()))
    assert {each.target for each in found.models} == {"Wage"}
    near = [each for each in found.models if str(each.task) == "its number to within one unit"]
    assert [each.learner for each in near] == ["nearest-1", "nearest-5"]
    assert all(0.3 < existing(each.scores.original.value) < 1 for each in near)


@pytest.mark.parametrize(
    ("columns", "roles"),
    case_rows("analyses-small-tables-have-words-instead-of-figures", lists=True),
    ids=["one column", "constant", "all missing", "three rows", "one row"],
)
def test_small_tables_have_words_instead_of_figures(
    tmp_path: Path, columns: dict[str, list[str]], roles: dict[str, Any]
) -> None:
    candidate = make_candidate(tmp_path, columns, roles, **CONFIRMED)
    found = analyse(candidate)
    assert found.models
    for each in found.models:
        for figure in (each.scores.original, each.scores.released_true_labels, each.scores.baseline):
            assert figure.value is None
            assert figure.note
    report = with_analyses(evaluate(candidate).report, found)
    assert b"What analyses keep" in render_report(report, in_full=True)


# --- report, progress -----------------------------------------------------------------------------


def test_progress_rises_to_its_end_and_stops_when_asked(tmp_path: Path) -> None:
    candidate = candidate_of(tmp_path, NOISE)
    reported = []
    Progress(lambda share, doing: reported.append((share, doing))).run(analyse, candidate)
    shares = [share for share, _ in reported]
    assert shares == sorted(shares)
    assert shares[0] < 0.05
    assert shares[-1] == pytest.approx(1)
    assert max(np.diff(shares)) < 0.1
    assert {doing for _, doing in reported} == {"doing.utility"}
    event = threading.Event()

    def listen(share: Any, doing: Any) -> None:
        if share > 0.3:
            event.set()

    with pytest.raises(Cancelled):
        Progress(listen, event).run(analyse, candidate)


# --- statistics of groups, used directly ----------------------------------------------------------


def test_nothing_is_learned_from_statistics_where_something_else_was_done(tmp_path: Path) -> None:
    found = by_learner(analyse(candidate_of(tmp_path, NOISE)))
    assert "nearest-group" not in found
