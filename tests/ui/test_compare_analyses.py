"""What analyses keep, and what can be reconstructed: tried out when looked at, the same figures as in the report."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from cases import case_rows
from protect_support import small_csv
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from support import not_analysed
from ui_support import Person, find, go_through

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.recipe.models import StepSection
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.measures.analyses import Analyses
from ppdm_desktop.engine.utility.conclusions import Conclusions
from ppdm_desktop.engine.utility.models.crossval import Scores
from ppdm_desktop.engine.utility.models.suite import ModelResult
from ppdm_desktop.engine.wording.catalogue import lazy
from ppdm_desktop.ui.charts.card import ChartCard
from ppdm_desktop.ui.pages.compare.analyses import tab as analyses_tab
from ppdm_desktop.ui.pages.compare.analyses.logic import list_task_results
from ppdm_desktop.ui.pages.compare.analyses.tab import compare_models, to_recipe_models

NOISY = {"quasi-identifier": ("age", "city"), "confidential": ("illness", "weight")}
STEPS = (StepSection(method="bayes-swap", columns=("illness",)), StepSection(method="two-phase-noise"))


def at_compare(window: Any, dialogs: Any, folder: Path) -> Person:
    person = Person(window, dialogs)
    go_through(person, small_csv(folder), NOISY, until="compare", steps=STEPS)
    return person


def tab(person: Person, place: int, *, settle: bool = True) -> None:
    tabs = person.see("tabs_compare")
    QTest.mouseClick(tabs.tabBar(), Qt.MouseButton.LeftButton, pos=tabs.tabBar().tabRect(place).center())
    assert tabs.currentIndex() == place
    if settle:
        person.settle()


# --- analyses ---------------------------------------------------------------------------


# --- words, without a window --------------------------------------------------------------


NAIVE_BAYES = "naive-bayes", "learner.naive-bayes"


def share(value: float, half: float = 0.01) -> Figure:
    return Figure(value, value - half, value + half, n=1000)


def result(original: float, truth: float, baseline: float, learner: str = "naive-bayes") -> ModelResult:
    scores = Scores(share(original), share(truth), share(truth - 0.02), Figure(baseline, n=1000), 10)
    return ModelResult("income", lazy("which of its values"), learner, f"learner.{learner}", scores)


def made_up(*models: ModelResult) -> Analyses:
    return not_analysed(*(models or (result(0.8, 0.8, 0.6),)))


@pytest.mark.parametrize(("original", "truth", "word", "title"), case_rows("compare-analyses-what-became-of-a-learner"))
def test_what_became_of_a_learner(qapp: Any, original: float, truth: float, word: str, title: str) -> None:
    (task,) = list_task_results(made_up(result(original, truth, 0.6)))
    assert [row.word for row in task.rows] == [word]
    assert task.title == title
    assert bool(task.remedy) == (word in ("Less useful", "Lost"))


def test_wide_intervals_keep_nothing(qapp: Any) -> None:
    """Of 16 people 63% and 38% are no clear difference: that is no reason to say that nothing was lost."""
    scores = Scores(share(0.63, 0.24), share(0.38, 0.24), share(0.3, 0.2), Figure(0.38, n=16), 4)
    (task,) = list_task_results(made_up(ModelResult("income", lazy("which of its values"), *NAIVE_BAYES, scores)))
    assert [row.word for row in task.rows] == ["Not clear"]
    assert not task.remedy


# --- regressions ------------------------------------------------------------------------


def test_regressions_are_chosen_and_stand_in_the_report(window: Any, dialogs: Any, tmp_path: Path) -> None:
    """Somebody leaves the proposed regressions, writes one of their own, and finds it in the report."""
    person = at_compare(window, dialogs, tmp_path)
    tab(person, 2)
    for _ in range(2):  # there and back again before the first choice is worked out
        find(window, "check_curves_levels").click()
    person.settle()
    assert len(window.findChildren(ChartCard, "card_curve_weight")) == 1
    tab(person, 3)
    entry = person.session.candidates[0]
    assert entry.analyses is not None
    proposed = [(each.y, tuple(each.x)) for each in entry.analyses.conclusions]
    assert proposed == [("illness", ("age", "city")), ("weight", ("age", "city"))]
    person.click("button_leave_out_model_0")
    person.settle()
    assert [(each.y, each.x) for each in entry.analyses.conclusions] == [("weight", ["age", "city"])]
    choice = person.see("choice_model_y")
    assert {choice.itemData(place) for place in range(choice.count())} >= {"illness", "weight"}
    assert not person.see("button_add_model").isEnabled()
    person.click("check_model_x_2")
    person.click("button_add_model")
    person.settle()
    found = entry.analyses.conclusions[1]
    assert len(found.x) == 1
    assert person.session.decisions.recipe.utility.models == to_recipe_models(entry.analyses.conclusions)
    rows = find(window, "table_conclusions_1").model().rows
    assert [row[0] for row in rows] == [str(each.term) for each in found.coefficients]
    person.click("button_propose_models")
    person.settle()
    assert [(each.y, tuple(each.x)) for each in entry.analyses.conclusions] == proposed
    assert person.session.decisions.recipe.utility.models is None


def test_a_comparison_that_fails_for_another_version_is_followed_by_that_of_the_selected_one(
    window: Any, dialogs: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = at_compare(window, dialogs, tmp_path)
    tab(person, 3)
    first, shown = person.session.candidates[0], find(window, "tab_analyses")
    second = replace(first, candidate=replace(first.candidate), serial=first.serial + 1)
    is_selected = threading.Event()

    def fail_for_first(candidate: Candidate, models: Any) -> tuple[Conclusions, ...]:
        if candidate is first.candidate:
            is_selected.wait(20)
            raise InputError("error.recipe.nothing-released")
        return compare_models(candidate, models)

    monkeypatch.setattr(analyses_tab, "compare_models", fail_for_first)
    person.click("button_leave_out_model_0", settle=False)
    shown.show_entry(second)
    is_selected.set()
    person.settle()
    assert not person.sees("strip_analyses")
    assert len(second.analyses.conclusions) == 1, "without the regression that was left out"
    shown.show_entry(first)
    person.settle()
    assert person.sees("strip_analyses")
    assert len(first.analyses.conclusions) == 2
