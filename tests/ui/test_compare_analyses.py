"""What analyses keep, and what can be reconstructed: tried out when looked at, the same figures as in the report."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from protect_support import ROLES, small_csv
from pydantic import TypeAdapter
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QScrollArea
from support import not_analysed, reasons_for
from ui_support import Person, find, go_through, wait_until

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.figure import Figure, Measure, measures_of
from ppdm_desktop.engine.progress import Progress, silent
from ppdm_desktop.engine.recipe.models import StepSection
from ppdm_desktop.engine.release.measures.analyses import Analyses
from ppdm_desktop.engine.release.measures.noise_reconstruction import reconstruction_curves
from ppdm_desktop.engine.report.bars import Bar
from ppdm_desktop.engine.report.model import Utility
from ppdm_desktop.engine.utility.clusters import cluster_agreement
from ppdm_desktop.engine.utility.models.crossval import Scores
from ppdm_desktop.engine.utility.models.features import Records
from ppdm_desktop.engine.utility.models.suite import ModelResult
from ppdm_desktop.engine.utility.models.tasks import ITS_VALUE
from ppdm_desktop.engine.utility.separability import propensity_error
from ppdm_desktop.engine.wording.catalogue import lazy, speaking, untranslated
from ppdm_desktop.engine.wording.values import Exact, Number
from ppdm_desktop.ui.charts.drawn_view import DrawnView
from ppdm_desktop.ui.pages.compare.analyses import figures
from ppdm_desktop.ui.pages.compare.analyses.figures import cluster_rows, clusters_print, figures_shown
from ppdm_desktop.ui.pages.compare.analyses.logic import learners_scene, stated_share, tasks_shown
from ppdm_desktop.ui.pages.compare.analyses.tab import TaskCard, UnmeasuredCard

NOISY = {"quasi-identifier": ("age", "city"), "confidential": ("illness", "weight")}
AS_FIGURE = TypeAdapter(Figure)
STEPS = (StepSection(method="bayes-swap", columns=("illness",)), StepSection(method="two-phase-noise"))


def at_compare(window: Any, dialogs: Any, folder: Path, noisy: bool = True) -> Person:
    person = Person(window, dialogs)
    path = small_csv(folder)
    given = {"steps": STEPS} if noisy else {}
    go_through(person, path, NOISY if noisy else ROLES, until="compare", **given)  # type: ignore[arg-type]
    return person


def tab(person: Person, place: int, *, settle: bool = True) -> None:
    tabs = person.see("tabs_compare")
    QTest.mouseClick(tabs.tabBar(), Qt.MouseButton.LeftButton, pos=tabs.tabBar().tabRect(place).center())
    assert tabs.currentIndex() == place
    if settle:
        person.settle()


# --- analyses ---------------------------------------------------------------------------


def two_decimals(figure: float) -> str:
    """Write a figure as the window does: what is nearly 0 has no sign."""
    return f"{round(figure, 2) + 0.0:.2f}".replace("-", "−")


@pytest.mark.thorough
def test_the_tab_shows_the_figures_that_the_report_then_holds(
    window: Any, dialogs: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = at_compare(window, dialogs, tmp_path)
    tab(person, 3)
    entry = person.session.candidates[0]
    analyses = entry.analyses
    assert analyses is not None
    person.click("button_as_table_learners_0")
    rows = find(window, "table_learners_0_figures").model().rows

    def nothing_twice(*_given: Any) -> None:
        raise AssertionError("what was tried out is not tried out again")

    monkeypatch.setattr("ppdm_desktop.engine.release.writing.export.analyse", nothing_twice)
    tab(person, 0)
    person.click("button_choose_candidate")
    person.window.go_to("release")
    person.settle()
    for cause, reason in reasons_for(each.id for each in entry.judged.report.verdict.to_answer).items():
        person.type(f"reason_{cause}", reason)
    out = tmp_path / "out"
    person.type("edit_folder", str(out))
    person.click("button_write_release")
    report = json.loads((out / "internal" / "report.json").read_text(encoding="utf-8"))
    models, clusters = report["utility"]["models"], report["utility"]["clusters"]
    assert [each["target"] for each in models] == [each.target for each in analyses.models]
    first = [each for each in models if (each["target"], each["task"]) == (models[0]["target"], models[0]["task"])]
    for row, each in zip(rows, first, strict=True):
        figures = [
            AS_FIGURE.validate_python(each[key])
            for key in ("original", "released_true_labels", "released_labels", "baseline")
        ]
        assert list(row[1:5]) == [stated_share(figure) for figure in figures]
    shown = find(window, "table_clusters").model().rows
    assert [row[0] for row in shown] == [str(each["k"]) for each in clusters]
    assert [row[3] for row in shown] == [
        "–" if each["ari"]["value"] is None else two_decimals(each["ari"]["value"]) for each in clusters
    ]
    value = report["utility"]["covariance_compatibility"]["value"]
    assert find(window, "figure_table_0").text() == ("–" if value is None else f"{value:.3f}")


@pytest.mark.thorough
def test_it_is_tried_once_and_kept_with_the_candidate(
    window: Any, dialogs: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = at_compare(window, dialogs, tmp_path)
    calls = []

    def quick(candidate: Any, progress: Progress, **_more: Any) -> Analyses:
        calls.append(candidate)
        return made_up()

    monkeypatch.setattr("ppdm_desktop.ui.pages.compare.analyses.logic.analyse", quick)
    tab(person, 3)
    tab(person, 0)
    tab(person, 3)
    assert calls == [person.session.candidates[0].candidate]
    assert person.sees("card_learners_0")
    # Tab goes from the candidate through the cards before it leaves the page.
    reached, each = [], person.see("combo_candidate")
    while "button_back" not in reached:
        each = each.nextInFocusChain()
        reached.append(each.objectName())
    assert "button_as_table_learners_0" in reached


@pytest.mark.thorough
def test_stopping_keeps_nothing_and_it_can_be_tried_again(
    window: Any, dialogs: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = at_compare(window, dialogs, tmp_path)

    def waits(candidate: Any, progress: Progress, **_more: Any) -> Analyses:
        progress.report(0.25, "doing.models")
        while True:
            progress.check()

    monkeypatch.setattr("ppdm_desktop.ui.pages.compare.analyses.logic.analyse", waits)
    tab(person, 3, settle=False)
    wait_until(lambda: "25" in person.words("label_analyses"))
    person.click("button_cancel_analyses")
    assert person.session.candidates[0].analyses is None
    assert "Not tried yet" in person.words("label_analyses")
    assert not person.sees("button_cancel_analyses")
    monkeypatch.setattr("ppdm_desktop.ui.pages.compare.analyses.logic.analyse", lambda *_given, **_more: made_up())
    person.click("button_try_analyses")
    assert person.sees("card_learners_0")
    assert not person.sees("button_try_analyses")


@pytest.mark.thorough
def test_a_failure_is_said_in_words(window: Any, dialogs: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    person = at_compare(window, dialogs, tmp_path)

    def fails(candidate: Any, progress: Progress, **_more: Any) -> Analyses:
        raise InputError("error.noise.no-value", column="weight")

    monkeypatch.setattr("ppdm_desktop.ui.pages.compare.analyses.logic.analyse", fails)
    tab(person, 3)
    assert "weight" in find(window, "strip_analyses").text.text()
    assert person.sees("button_try_analyses")


@pytest.mark.thorough
def test_models_learn_from_reconstructed_distributions_when_asked(window: Any, dialogs: Any, tmp_path: Path) -> None:
    person = at_compare(window, dialogs, tmp_path)
    tab(person, 3)
    entry = person.session.candidates[0]
    before = entry.analyses
    assert before is not None
    assert before.learn_from == "released"
    person.click("seg_learn_from_by-class")
    person.settle()
    after = entry.analyses
    assert after is not None
    assert after.learn_from == person.session.decisions.recipe.utility.learn_from == "by-class"
    assert not person.session.is_stale(entry.basis), "what was made does not go out of date"
    more = {each.learner for each in after.models} - {each.learner for each in before.models}
    assert more
    assert all(each.endswith("-by-class") for each in more)
    assert "separately" in person.words("label_learn_from")
    person.session.undo()
    person.settle()
    assert entry.analyses is not None
    assert entry.analyses.learn_from == "released", "taken back, it is as it was"


@pytest.mark.thorough
def test_without_noise_nothing_is_asked_about_it(window: Any, dialogs: Any, tmp_path: Path) -> None:
    person = at_compare(window, dialogs, tmp_path, noisy=False)
    tab(person, 3)
    assert not person.sees("seg_learn_from")


# --- curves -----------------------------------------------------------------------------


@pytest.mark.thorough
def test_curves_are_worked_out_by_class_and_with_levels_when_asked(window: Any, dialogs: Any, tmp_path: Path) -> None:
    person = at_compare(window, dialogs, tmp_path)
    tab(person, 2)
    entry = person.session.candidates[0]
    kept = entry.curves
    box = person.see("combo_curves_by")
    names = [box.itemData(place) for place in range(box.count())]
    assert "city" in names
    person.choose("combo_curves_by", "city")
    person.settle()
    (by_class,) = reconstruction_curves(entry.candidate, silent(), by="city")
    chart = person.see("chart_curve_weight")
    np.testing.assert_array_equal(chart.scene.series[2].heights, by_class.reconstructed)
    person.click("check_curves_levels")
    person.settle()
    (known,) = reconstruction_curves(entry.candidate, silent(), by="city", level_known=True)
    np.testing.assert_array_equal(person.see("chart_curve_weight").scene.series[2].heights, known.reconstructed)
    assert entry.curves is kept, "the report's curves stay those of a recipient"


@pytest.mark.thorough
def test_curves_of_a_noisy_column_are_the_engines(window: Any, dialogs: Any, tmp_path: Path) -> None:
    person = at_compare(window, dialogs, tmp_path)
    tab(person, 2)
    (curve,) = person.session.candidates[0].curves
    chart = person.see("chart_curve_weight")
    for shown, given in zip(chart.scene.series, (curve.original, curve.perturbed, curve.reconstructed), strict=True):
        assert shown.edges == tuple(curve.edges.tolist())
        np.testing.assert_array_equal(shown.heights, given)
    assert chart.accessibleName().startswith("“weight”: ")
    for part in (": original ", ", released ", ", worked out "):
        assert chart.accessibleDescription().count(part) == 3
    person.click("button_as_table_curve_weight")
    rows = person.see("table_curve_weight_figures").model().rows
    assert len(rows) == len(curve.original)
    assert rows[0][1] == f"{round(60 * curve.original[0])} of 60"
    assert not person.sees("label_curves_wait")


@pytest.mark.thorough
def test_without_noise_there_are_no_curves(window: Any, dialogs: Any, tmp_path: Path) -> None:
    person = at_compare(window, dialogs, tmp_path, noisy=False)
    tab(person, 2)
    assert not person.sees("label_curves_wait")
    assert person.session.candidates[0].curves is None
    assert person.sees("chart_marginal_illness")


# --- words, without a window --------------------------------------------------------------


NAIVE_BAYES = "naive-bayes", "learner.naive-bayes"


def share(value: float, half: float = 0.01) -> Figure:
    return Figure(value, value - half, value + half, n=1000)


def result(original: float, truth: float, baseline: float, learner: str = "naive-bayes") -> ModelResult:
    scores = Scores(share(original), share(truth), share(truth - 0.02), Figure(baseline, n=1000), 10)
    return ModelResult("income", lazy("which of its values"), learner, f"learner.{learner}", scores)


def made_up(*models: ModelResult) -> Analyses:
    return not_analysed(*(models or (result(0.8, 0.8, 0.6),)))


def test_what_is_noted_of_a_figure_is_said_in_german_with_its_numbers() -> None:
    scores = Scores.absent(lazy("fewer than {n} records: too few for this way of learning", n=50))
    task = lazy("whether it is above {middle}, the median of the original", middle=Exact(4.5))
    noted = replace(result(0.8, 0.8, 0.6), task=task, scores=scores)
    note = lazy(
        "two samples of the same people would give about {expected}; a model that is always right would give {most}",
        expected=Number(0.049),
        most=Number(0.25),
    )
    analyses = replace(made_up(noted), pmse=Figure(0.2, note=note))
    with speaking("de"):
        (shown,) = tasks_shown(analyses)
        terms = [each.term for each in figures_shown(analyses)]
    assert "über 4,5 liegt" in shown.task
    assert "weniger als 50 Datensätze" in shown.small
    assert any("0,049" in term and "same people" not in term for term in terms)


FROM_OTHERS = "“income” cannot be predicted from the other columns"
NO_LONGER = "“income” can no longer be predicted: always guessing the most common value is"


@pytest.mark.parametrize(
    ("original", "truth", "word", "title"),
    [
        (0.80, 0.79, "Kept", "“income” can be predicted as well as from the original"),
        (0.80, 0.70, "Less useful", "“income” can be predicted less well: at best 70% correct instead of 80%"),
        (0.7104, 0.6847, "Less useful", "“income” can be predicted less well: at best 68% correct instead of 71%"),
        (0.80, 0.60, "Lost", f"{NO_LONGER} just as good"),
        (0.80, 0.50, "Lost", f"{NO_LONGER} better"),
        (
            0.60,
            0.55,
            "Nothing to keep",
            "“income” cannot be predicted from the other columns, not even in the original",
        ),
    ],
)
def test_what_became_of_a_learner(qapp: Any, original: float, truth: float, word: str, title: str) -> None:
    (task,) = tasks_shown(made_up(result(original, truth, 0.6)))
    assert [row.word for row in task.rows] == [word]
    assert task.title == title
    assert bool(task.remedy) == (word in ("Less useful", "Lost"))


def test_less_is_less_in_the_words_too(qapp: Any) -> None:
    """Two shares that round to the same per cent would say that nothing was lost."""
    models = result(0.844, 0.839, 0.6, "decision-tree"), result(0.80, 0.70, 0.6)
    (task,) = tasks_shown(made_up(*models))
    assert task.title == "“income” can be predicted less well: at best 83.9% correct instead of 84.4%"
    with speaking("de"):
        (task,) = tasks_shown(made_up(*models))
    assert "83,9" in task.title
    assert "84,4" in task.title


def test_wide_intervals_keep_nothing(qapp: Any) -> None:
    """Of 16 people 63% and 38% are no clear difference: that is no reason to say that nothing was lost."""
    scores = Scores(share(0.63, 0.24), share(0.38, 0.24), share(0.3, 0.2), Figure(0.38, n=16), 4)
    (task,) = tasks_shown(made_up(ModelResult("income", lazy("which of its values"), *NAIVE_BAYES, scores)))
    assert [row.word for row in task.rows] == ["Not clear"]
    assert task.title == "“income”: too few records to say whether it can still be predicted as well"
    assert not task.remedy


def test_a_column_that_is_not_released_is_said(qapp: Any) -> None:
    absent = ModelResult("income", ITS_VALUE, *NAIVE_BAYES, Scores.absent(untranslated("the column is not released")))
    (task,) = tasks_shown(made_up(absent))
    assert task.title == "“income”: nothing could be measured"
    assert task.rows[0].word == "Not measured"
    assert task.small == "Not measured: the column is not released."
    assert not task.measured
    assert tasks_shown(made_up())[0].measured


def test_a_chart_without_a_mark_is_not_drawn(window: Any, qtbot: Any) -> None:
    absent = ModelResult(
        "income", ITS_VALUE, *NAIVE_BAYES, Scores.absent(untranslated("fewer than 4 records with a value"))
    )
    card = UnmeasuredCard(0, tasks_shown(made_up(absent))[0])
    qtbot.addWidget(card)
    assert [label.text() for label in card.findChildren(QLabel) if label.text()] == [
        "“income”: nothing could be measured",
        "income: its value",
        "Not measured: fewer than 4 records with a value.",
    ]


def test_figures_that_short_tables_cannot_have_are_explained(qapp: Any) -> None:
    groups = tuple(cluster_agreement(np.eye(3), np.eye(3), k, silent()) for k in (2, 3, 4, 5))
    told = replace(made_up(), clusters=groups)
    assert [row[1] for row in cluster_rows(told)] == ["100%", "100%", "–", "–"]
    assert clusters_print(told).endswith("There are too few records for 4 or more groups.")
    assert "too few" not in clusters_print(replace(told, clusters=groups[:2]))
    again = tuple(cluster_agreement(np.eye(3), np.eye(3)[::-1], k, silent(), paired=False) for k in (2, 3))
    assert clusters_print(replace(told, clusters=again)).endswith("so none can stay in its group.")
    for rows, words in ((2, "Too few rows for an answer"), (400, "0: not at all")):
        drawn = np.random.default_rng(1).normal(size=(2, rows, 2))
        pmse = propensity_error(Records.of_numbers(drawn[0]), Records.of_numbers(drawn[1]), silent())
        shown = dict(zip(measures_of(Utility), figures_shown(replace(told, pmse=pmse)), strict=True))
        assert shown["pmse"].reading.startswith(words)


@pytest.mark.parametrize(("share", "words"), [(0.948, "95%"), (1.44, "1.44")])
def test_a_measure_is_written_as_it_declares(monkeypatch: pytest.MonkeyPatch, share: float, words: str) -> None:
    """A percentage without an exact term, and a ratio above one that no percentage can be."""
    monkeypatch.setattr(figures, "measures_of", lambda _: {"pmse": Measure("Range kept", "percent", help="Help")})
    (shown,) = figures_shown(replace(made_up(), pmse=Figure(share, n=3)))
    assert (shown.words, shown.figure, shown.term) == ("Range kept", words, "")


def test_figures_stand_below_the_words_where_there_is_no_room_beside(qtbot: Any) -> None:
    chart = DrawnView(name="chart", words="Learners")
    qtbot.addWidget(chart)
    kept = result(0.8, 0.79, 0.6)
    for width in (700, 330, 230):
        pictures = []
        for original in (0.8049, 0.8051):
            (task,) = tasks_shown(made_up(kept))
            row = replace(task.rows[0], original=replace(task.rows[0].original, value=original))
            # Marks this near are drawn at the same place: only what is written can differ.
            chart.set_scene(learners_scene(replace(task, rows=(row,)), "C1"))
            chart.resize(width, chart.sizeHint().height())
            pictures.append(chart.grab().toImage())
        assert pictures[0] != pictures[1], width


@pytest.mark.thorough
@pytest.mark.parametrize("scale", [0.75, 3.0])
def test_every_tab_fits_at_the_smallest_and_the_largest_text(
    make_window: Any, dialogs: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scale: float
) -> None:
    monkeypatch.setattr("ppdm_desktop.ui.pages.compare.analyses.logic.analyse", lambda *_given, **_more: made_up())
    window = make_window(1280, 800, scale=scale)
    person = at_compare(window, dialogs, tmp_path)
    tabs = person.see("tabs_compare")
    for place in range(tabs.count()):
        tabs.setCurrentIndex(place)
        person.settle()
        areas = [find(window, "area_compare")]
        areas += [tabs.currentWidget()] if isinstance(tabs.currentWidget(), QScrollArea) else []
        assert [area.horizontalScrollBar().maximum() for area in areas] == [0] * len(areas), tabs.tabText(place)


def test_the_dashed_lines_of_learners_that_take_fewer_records_are_named_together(qtbot: Any) -> None:
    (task,) = tasks_shown(made_up(result(0.8, 0.8, 0.762), result(0.8, 0.8, 0.768, "multilayer-perceptron")))
    chart = DrawnView(name="chart", words="Learners")
    qtbot.addWidget(chart)
    chart.set_scene(learners_scene(task, "C1"))
    assert chart.accessibleDescription().endswith("; 76%–77% always guessing the most common value")
    chart.set_scene(learners_scene(replace(task, rows=task.rows[:1]), "C1"))
    assert chart.accessibleDescription().endswith("; 76% always guessing the most common value")


@pytest.mark.parametrize(("lowest", "line"), [(0.4, "The scale does not start at 0."), (0.01, "")])
def test_a_scale_that_starts_at_0_is_not_said_to_start_elsewhere(qtbot: Any, lowest: float, line: str) -> None:
    (shown,) = tasks_shown(made_up(result(0.8, 0.7, lowest)))
    low = replace(shown.rows[0], truth=Bar(lowest), shown=Bar(lowest), baseline=lowest)
    card = TaskCard(0, replace(shown, rows=(low,)), "C1")
    qtbot.addWidget(card)
    assert card.scale_line.text() == line
    assert card.scale_line.isHidden() == (not line)


def test_the_title_speaks_of_what_the_recipient_can_learn(window: Any) -> None:
    def share(value: float) -> Figure:
        return Figure(value, value - 0.02, value + 0.02, 100, "share told rightly")

    none = Figure.absent(untranslated("not released"))
    weak = ModelResult("C", ITS_VALUE, *NAIVE_BAYES, Scores(share(0.9), share(0.5), none, share(0.5), 10))
    own = ModelResult(
        "C",
        ITS_VALUE,
        "nearest-group",
        "learner.nearest-group",
        Scores(share(0.9), share(0.9), none, share(0.5), 5),
        for_recipient=False,
    )
    (task,) = tasks_shown(not_analysed(weak, own))
    assert "can no longer be predicted" in task.title
    assert task.remedy
    assert [row.name for row in task.rows] == ["Naive Bayes", "Nearest of your groups"]
