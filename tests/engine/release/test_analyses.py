"""What analyses keep of a candidate: which rows are beside which, what a method's noise makes known, the pages."""

from __future__ import annotations

import json
import tempfile
import threading
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gate_cases import HandMade, make_candidate, with_step
from hypothesis import given, settings
from hypothesis import strategies as st
from optional import existing
from support import reasons_for

from ppdm_desktop.engine.errors import Cancelled, PpdmError
from ppdm_desktop.engine.progress import Progress, silent
from ppdm_desktop.engine.release.candidate.column_pairing import compared
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.measures.analyses import CLUSTERS, Analyses, analyse, known_noise
from ppdm_desktop.engine.release.measures.utility import measure
from ppdm_desktop.engine.release.reporting.utility import with_analyses
from ppdm_desktop.engine.release.writing.export import evaluate, export
from ppdm_desktop.engine.report.html import render_report

ROWS = 200
CREATED = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
NOISE: dict[str, Any] = {"method": "two-phase-noise", "columns": ["Wage"]}
CONFIRMED: dict[str, Any] = {"input": {"one_row_per_person": True}}


def people(rows: int = ROWS, seed: int = 4) -> dict[str, list[str]]:
    rng = np.random.default_rng(seed)
    ill = rng.integers(2, size=rows)
    wage = np.clip(np.rint(40 + 20 * ill + 8 * rng.normal(size=rows)), 1, 99).astype(int)
    return {
        "Sex": [f"s{v}" for v in rng.integers(2, size=rows)],
        "Age": [str(v) for v in rng.integers(20, 80, size=rows)],
        "Wage": [str(v) for v in wage],
        "Illness": [f"i{v}" for v in ill],
    }


ROLES: dict[str, Any] = {
    "Sex": "q",
    "Age": {"role": "q", "kind": "numeric"},
    "Wage": {"role": "c", "kind": "numeric", "bounds": [0, 100]},
    "Illness": "o",
}


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
    sides = compared(candidate_of(tmp_path))
    before, after = existing(sides.kept())
    assert [column.name for column in before] == ["Sex", "Age", "Wage", "Illness"]
    assert [column.values() for column in before] == [column.values() for column in after]


def test_drawn_numbers_lie_beside_their_own_row_too(tmp_path: Path) -> None:
    """The release is shuffled; each drawn wage must stand beside the wage whose bin it was drawn in."""
    bins = {"method": "cuts", "at": [30, 50, 70], "release": "draw"}
    candidate = candidate_of(tmp_path, roles={"Wage": {**ROLES["Wage"], "bins": bins}})
    before, after = existing(compared(candidate).kept())
    place = [column.name for column in before].index("Wage")
    one, other = (np.digitize(side[place].numbers, [30, 50, 70]) for side in (before, after))
    assert np.array_equal(one, other)
    assert before[place].values() != after[place].values()
    assert 0 < existing(analyse(candidate, silent()).sse_sst.value) < 0.5
    change = measure(candidate, silent()).pairs.correlation_max_change
    assert existing(change.value) < 0.25, "pairs are measured on rows that belong together"


def test_removed_rows_have_no_twin(tmp_path: Path) -> None:
    candidate = candidate_of(tmp_path)
    kept = np.arange(0, ROWS, 2)
    less = replace(
        candidate,
        final=candidate.final.take(kept),
        released=candidate.final.take(kept),
        row_order=np.arange(len(kept)),
    )
    sides = compared(less)
    assert np.array_equal(np.flatnonzero(existing(sides.twins) >= 0), kept)
    before, after = existing(sides.kept())
    assert [column.values() for column in before] == [column.values() for column in after]
    found = by_learner(analyse(less, silent()))["naive-bayes"].scores
    assert found.released_true_labels.n == ROWS
    assert found.released_labels.n == len(kept)


def test_rows_made_anew_are_not_taken_for_source_rows(tmp_path: Path) -> None:
    candidate = candidate_of(tmp_path)
    step = with_step(candidate, {}, []).steps[0]

    class Again(HandMade):
        correspondence = "none"

    again = replace(candidate, steps=(replace(step, method=Again()),))
    assert compared(again).kept() is None
    found = analyse(again, silent())
    assert found.sse_sst.value is None
    assert found.il1s.note
    assert found.clusters[0].by_sizes.value == pytest.approx(1)
    assert found.clusters[0].matched.value is None
    scores = by_learner(found)["naive-bayes"].scores
    assert scores.released_true_labels.value > 0.75
    assert "too good" in str(scores.released_true_labels.note)


# --- figures --------------------------------------------------------------------------------------


def test_a_release_without_a_step_keeps_everything(tmp_path: Path) -> None:
    found = analyse(candidate_of(tmp_path), silent())
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
    assert found.covariance_compatibility.value == pytest.approx(1)
    assert found.pmse.value == pytest.approx(0, abs=1e-9)
    assert found.sse_sst.value is None, "nothing was treated"


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
    found = by_learner(analyse(candidate, silent()))
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
    plain, found = by_learner(analyse(plain_candidate, silent())), by_learner(analyse(candidate, silent()))
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
    report = with_analyses(evaluate(candidate, progress=silent()).report, analyse(candidate, silent()))
    page = render_report(report, in_full=True).decode("utf-8")
    assert "reconstructed" in page


def test_without_noise_there_is_nothing_to_reconstruct(tmp_path: Path) -> None:
    other = {"method": "microaggregation", "columns": ["Wage"]}
    found = analyse(candidate_of(tmp_path, other), silent(), learn_from="by-class")
    assert not any(each.learner.endswith("by-class") for each in found.models)


def test_curves_come_with_it(tmp_path: Path) -> None:
    found = analyse(candidate_of(tmp_path, NOISE), silent())
    assert [curve.column for curve in found.reconstructions] == ["Wage"]
    assert analyse(candidate_of(tmp_path), silent()).reconstructions == ()


def test_levels_weigh_by_their_records(tmp_path: Path) -> None:
    rules = {"rules": [{"where": [{"column": "Sex", "equals": "s1"}], "level": "paranoid"}]}
    candidate = candidate_of(tmp_path, NOISE, privacy=rules)
    detail = candidate.steps[0].result.detail["columns"]["Wage"]
    levels = {each["name"]: each for each in detail["levels"]}
    assert levels["paranoid"]["sd"] > 2 * levels["normal"]["sd"]
    share = people()["Sex"].count("s1") / ROWS
    expected = share * levels["paranoid"]["sd"] ** 2 + (1 - share) * levels["normal"]["sd"] ** 2
    assert known_noise(candidate)["Wage"].variance == pytest.approx(expected)


def test_noise_that_another_step_went_over_is_not_known_any_more(tmp_path: Path) -> None:
    again = {"method": "microaggregation", "columns": ["Wage"]}
    assert known_noise(candidate_of(tmp_path, NOISE, again)) == {}


def test_treated_numbers_are_compared_value_by_value(tmp_path: Path) -> None:
    found = analyse(candidate_of(tmp_path, NOISE), silent()).accuracy
    assert list(found) == ["Wage"]
    assert existing(found["Wage"].mean_accuracy.value) > 0.9
    assert found["Wage"].correlation.value == pytest.approx(0.5**0.5, abs=0.12), "signal to noise 1"


def test_a_target_that_is_not_released_is_named(tmp_path: Path) -> None:
    found = analyse(candidate_of(tmp_path, roles={"Illness": "l"}), silent())
    assert [each.target for each in found.models] == ["Illness"]
    assert str(found.models[0].scores.original.note) == "the column is not released"


def test_confidential_columns_are_told_by_default_and_few_whole_numbers_to_within_one(tmp_path: Path) -> None:
    columns = people()
    columns["Wage"] = [str(int(v) // 10) for v in columns["Wage"]]
    found = analyse(candidate_of(tmp_path, columns=columns, targets=()), silent())
    assert {each.target for each in found.models} == {"Wage"}
    near = [each for each in found.models if str(each.task) == "its number to within one unit"]
    assert [each.learner for each in near] == ["nearest-1", "nearest-5"]
    assert all(0.3 < existing(each.scores.original.value) < 1 for each in near)


@pytest.mark.parametrize(
    ("columns", "roles"),
    [
        ({"A": ["x", "y", "x"]}, {"A": "c"}),
        ({"A": ["1", "1", "1"], "B": ["u", "u", "u"]}, {"A": {"role": "c", "kind": "numeric"}, "B": "q"}),
        ({"A": ["", "", ""], "B": ["1", "2", "3"]}, {"A": "c", "B": {"role": "q", "kind": "numeric"}}),
        ({"A": ["a", "b", "c"], "B": ["1", "2", "3"]}, {"A": "c", "B": {"role": "c", "kind": "numeric"}}),
        ({"A": ["a"], "B": ["1"]}, {"A": "c", "B": {"role": "c", "kind": "numeric"}}),
    ],
    ids=["one column", "constant", "all missing", "three rows", "one row"],
)
def test_small_tables_have_words_instead_of_figures(
    tmp_path: Path, columns: dict[str, list[str]], roles: dict[str, Any]
) -> None:
    candidate = make_candidate(tmp_path, columns, roles, **CONFIRMED)
    found = analyse(candidate, silent())
    assert found.models
    for each in found.models:
        for figure in (each.scores.original, each.scores.released_true_labels, each.scores.baseline):
            assert figure.value is None
            assert figure.note
    report = with_analyses(evaluate(candidate).report, found)
    assert b"What analyses keep" in render_report(report, in_full=True)


CELL = st.one_of(st.just(""), st.integers(-9, 99).map(str))
STEPS = st.sampled_from(
    [
        [],
        [{"method": "bayes-swap", "columns": ["C"]}],
        [{"method": "microaggregation", "columns": ["N", "M"], "parameters": {"group": 2}}],
        [{"method": "two-phase-noise", "columns": ["N"]}],
        [{"method": "condensation"}],
    ]
)


@pytest.mark.thorough
@settings(max_examples=20, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("ab"), CELL, CELL, st.sampled_from(["", "x", "y", "z"])), min_size=1), STEPS)
def test_whatever_can_be_released_can_be_analysed(rows: Any, steps: Any) -> None:
    columns = {name: [row[place] for row in rows] for place, name in enumerate("QNMC")}
    number = {"role": "c", "kind": "numeric", "bounds": [-20, 120]}
    with tempfile.TemporaryDirectory() as folder:
        try:
            candidate = make_candidate(
                Path(folder),
                columns,
                {"Q": "q", "N": number, "M": number, "C": "c"},
                "internal",
                steps=steps,
                **CONFIRMED,
            )
        except PpdmError:
            return
        found = analyse(candidate, silent())
        assert {each.target for each in found.models} == {"N", "M", "C"}
        json.loads(with_analyses(evaluate(candidate).report, found).to_json())


# --- report, progress -----------------------------------------------------------------------------


@pytest.mark.thorough
def test_the_export_holds_what_the_window_measured(tmp_path: Path) -> None:
    candidate = candidate_of(tmp_path / "in", NOISE, type="internal")
    measured = analyse(candidate, silent())
    shown = with_analyses(evaluate(candidate, created=CREATED).report, measured)
    checks = shown.verdict.checks
    accepts = reasons_for(check.id for check in checks if check.status in ("amber", "not-run"))
    (tmp_path / "place").mkdir()
    done = export(candidate, tmp_path / "place/one", accepts=accepts, created=CREATED)
    known = export(candidate, tmp_path / "place/two", accepts=accepts, created=CREATED, analyses=measured)
    assert done.report["utility"] == known.report["utility"] == shown.document()["utility"]
    keys = "task learner target folds original released_true_labels released_labels baseline leaves"
    assert " ".join(done.report["utility"]["models"][0]) == keys
    assert list(done.report["utility"]["clusters"][0]) == ["k", "by_sizes", "matched", "ari"]
    page = (tmp_path / "place/one/internal/annex.html").read_text(encoding="utf-8")
    assert 'data-key="utility.models.0.released_true_labels.value"' in page
    assert evaluate(candidate).report.utility.models is None


def test_progress_rises_to_its_end_and_stops_when_asked(tmp_path: Path) -> None:
    candidate = candidate_of(tmp_path, NOISE)
    reported = []
    analyse(candidate, Progress(lambda share, doing: reported.append((share, doing))))
    shares = [share for share, _ in reported]
    assert shares == sorted(shares)
    assert shares[0] < 0.05
    assert shares[-1] == pytest.approx(1)
    assert max(np.diff(shares)) < 0.1
    assert {doing for _, doing in reported} >= {"doing.models", "doing.clusters", "doing.utility"}
    event = threading.Event()

    def listen(share: Any, doing: Any) -> None:
        if share > 0.3:
            event.set()

    with pytest.raises(Cancelled):
        analyse(candidate, Progress(listen, event))


# --- statistics of groups, used directly ----------------------------------------------------------


CONDENSED: dict[str, Any] = {"method": "condensation", "parameters": {"algorithm": "tree"}}
ALL_NUMBERS: dict[str, Any] = {**ROLES, "Illness": {"role": "c", "kind": "nominal"}}


@pytest.mark.thorough
def test_statistics_of_groups_are_learned_from_without_the_records_asked(tmp_path: Path) -> None:
    """Of labels that nothing tells, a record's own group would tell its own: there must be nothing to gain."""
    rng = np.random.default_rng(8)
    columns = {**people(), "Coin": [f"c{v}" for v in rng.integers(2, size=ROWS)]}
    columns["Wage"], columns["Age"] = (
        [str(v) for v in rng.integers(0, 100, size=ROWS)],
        [str(v) for v in rng.integers(20, 80, size=ROWS)],
    )
    by_class = {**CONDENSED, "parameters": {"algorithm": "tree", "per": "class", "class": "Coin"}}
    roles = {**ALL_NUMBERS, "Coin": {"role": "c", "kind": "nominal"}}
    found = by_learner(
        analyse(candidate_of(tmp_path, by_class, columns=columns, roles=roles, targets=("Coin",)), silent()), "Coin"
    )
    for learner in ("nearest-group", "gaussian-mixture"):
        share = existing(found[learner].scores.released_true_labels.value)
        assert 0.35 < share < 0.65
        assert not found[learner].for_recipient
    assert existing(found["nearest-1"].scores.released_true_labels.value) > 0.6


@pytest.mark.parametrize("target", ["Illness", "Wage"])
def test_statistics_of_groups_tell_names_and_sides_of_the_middle(tmp_path: Path, target: str) -> None:
    candidate = candidate_of(tmp_path, CONDENSED, roles=ALL_NUMBERS, targets=(target,))
    analyses = analyse(candidate, silent())
    models, found = analyses.models, by_learner(analyses, target)
    for learner in ("nearest-group", "gaussian-mixture"):
        scores = found[learner].scores
        assert existing(scores.released_true_labels.value) > 0.7
        assert existing(scores.baseline.value) < 0.6
        assert "only you" in str(scores.released_true_labels.note)
        assert scores.released_labels.value is None
    tasks = [(each.target, each.task) for each in models]
    assert sorted(set(tasks), key=tasks.index) == [each for at, each in enumerate(tasks) if at == tasks.index(each)]


def test_nothing_is_learned_from_statistics_where_something_else_was_done(tmp_path: Path) -> None:
    found = by_learner(analyse(candidate_of(tmp_path, NOISE), silent()))
    assert "nearest-group" not in found
