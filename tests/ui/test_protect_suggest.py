"""Suggested candidates as a person meets them: found, shown before they run, queued, run one after another."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from protect_support import EndlessMethod, FailingMethod, at_step
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from ui_support import Person, go_through, wait_until
from verdict_cases import made_verdict

from ppdm_desktop.engine.methods.base.registry import METHODS
from ppdm_desktop.engine.methods.base.suggestion import Suggestion
from ppdm_desktop.engine.recipe.models import StepSection
from ppdm_desktop.engine.release.evaluate.suggestions import Suggested
from ppdm_desktop.engine.release.gate import all_checks
from ppdm_desktop.engine.table.column import Table
from ppdm_desktop.engine.wording.catalogue import later, numbers_of
from ppdm_desktop.engine.wording.values import Term
from ppdm_desktop.ui.pages.protect.suggest import reason_words, seconds_of
from ppdm_desktop.ui.state.project import read_project, write_project
from ppdm_desktop.ui.state.session import CandidateEntry, Session

ROLES = {"quasi-identifier": ("age", "city"), "confidential": ("illness",)}


class Endless(EndlessMethod):
    """Is suggested, and never ends."""

    def suggestions(self, table: Table) -> tuple[Suggestion, ...]:
        return (Suggestion(later("method", "Waits for ever")),)


class Failing(FailingMethod):
    """Is suggested, and fails although its check lets it pass."""

    def suggestions(self, table: Table) -> tuple[Suggestion, ...]:
        return (Suggestion(later("method", "Fails")),)


def only(monkeypatch: pytest.MonkeyPatch, *methods: Any) -> None:
    kept = {id: each for id, each in METHODS.all().items() if id in ("bayes-swap", "random-swap", "mondrian")}
    monkeypatch.setattr(METHODS, "_found", kept | {each.id: each for each in methods})


@pytest.fixture
def endless(monkeypatch: pytest.MonkeyPatch) -> None:
    only(monkeypatch, Endless())


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> None:
    only(monkeypatch, Failing())


def people(folder: Path, rows: int = 300) -> Path:
    draw = np.random.default_rng(5)
    lines = ["age,city,illness"]
    cities = draw.choice(["Delft", "Ghent", "Bonn"], rows)
    for age, city, illness in zip(
        draw.integers(18, 60, rows), cities, draw.choice(["flu", "cold", "ulcer"], rows), strict=True
    ):
        lines.append(f"{age},{city},{illness}")
    path = folder / "people.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def person(window: Any, dialogs: Any, tmp_path: Path) -> Person:
    person = Person(window, dialogs)
    go_through(person, people(tmp_path), ROLES, until="protect")
    return person


def named(person: Person) -> list[str]:
    """Return the lines that name a suggestion; below each stands why it is made and what it costs."""
    return [line for line in person.words("label_suggested").splitlines() if line[:1].isdigit()]


def offer_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Offer whatever fits, as if nothing were ever found against it."""
    verdict = made_verdict(amber=("class-size",))
    where = "ppdm_desktop.engine.release.evaluate.suggestions.quick_verdict"
    monkeypatch.setattr(where, lambda prepared, steps, progress: verdict)


def statuses(person: Person) -> list[str]:
    return [entry.status for entry in person.session.candidates]


def test_found_shown_and_queued_as_many_as_wanted(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    offer_all(monkeypatch)
    person.click("button_suggest")
    listed = named(person)
    assert len(listed) == 12
    assert person.words("button_queue_suggested") == "Add 12 versions to the queue"
    assert person.words("label_suggest_plan").startswith("12 runs, one after another")
    person.choose("combo_suggest_count", "6")
    listed = named(person)
    assert len(listed) == 6
    person.click("button_queue_suggested")
    assert statuses(person) == ["done"] * 6
    assert [f"{n}. {entry.title}" for n, entry in enumerate(person.session.candidates, 1)] == listed
    assert all(entry.took > 0 for entry in person.session.candidates)
    assert all(entry.judged.report.verdict.attacks for entry in person.session.candidates)
    assert not person.sees("label_suggested")
    # The second time only others are offered, and how long they take is known from these.
    person.click("button_suggest")
    again = {line.split(". ", 1)[1] for line in named(person)}
    assert again
    assert not again & {entry.title for entry in person.session.candidates}
    assert "judging by the 6 finished so far" in person.words("label_suggest_plan")
    person.click("button_drop_suggested")
    assert len(person.session.candidates) == 6
    assert person.sees("button_suggest")


@pytest.mark.thorough
def test_each_says_why_it_is_made_and_what_it_costs(person: Person) -> None:
    person.click("button_suggest")
    part: Any = person.window.findChild(object, "part_suggest")
    lines = [line for line in person.words("label_suggested").splitlines() if line]
    assert len(lines) == 2 * len(part.chosen) > 0
    for each, words in zip(part.chosen, lines[1::2], strict=True):
        assert each.verdict.blocking == []
        assert words == reason_words(each)
        assert words.startswith("Of 300 ")
        assert "Keeps " in words


@pytest.mark.thorough
def test_where_everything_would_be_blocked_the_checks_are_named(
    person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    verdict = made_verdict(red=("near-identifiers", "class-size"))
    where = "ppdm_desktop.engine.release.evaluate.suggestions.quick_verdict"
    monkeypatch.setattr(where, lambda prepared, steps, progress: verdict)
    person.click("button_suggest")
    words = person.see("strip_suggest").text.text()
    assert words.startswith("No suggestion: ")
    for id in ("near-identifiers", "class-size"):
        assert str(all_checks()[id].title) in words


def suggested(name: str, seconds: float, **more: Any) -> Suggested:
    words = later("method", "{first}, then {next}", first=Term(name), next=Term(name))
    before = made_verdict(certain_by_others=40)
    return Suggested(words, (StepSection(method=name),), False, made_verdict(**more), before, seconds)


def test_the_time_told_follows_the_trials_where_runs_were_tried() -> None:
    short, long = suggested("mondrian", 1.0), suggested("two-phase-noise", 9.0)
    tried = {str(each.steps): each.seconds for each in (short, long)}
    # A run of the short one took three times its trial: so will the long one's.
    assert seconds_of([long], [(short.steps, 3.0)], tried) == pytest.approx(27.0)
    by_hand = (StepSection(method="random-swap"),)
    assert seconds_of([short, long], [(by_hand, 4.0)], tried) == pytest.approx(8.0)


@pytest.mark.thorough
def test_what_is_queued_by_hand_leaves_the_offer(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    offer_all(monkeypatch)
    person.click("button_suggest")
    part: Any = person.window.findChild(object, "part_suggest")
    every = part.combo.itemData(part.combo.count() - 1)
    person.choose("combo_suggest_count", every)
    first, *others = part.chosen
    person.session.decide_recipe("Use the first", steps=first.steps)
    person.settle()
    assert len(part.chosen) == int(every)
    person.click("button_add_to_queue")
    assert part.chosen == tuple(others)
    assert str(first.name) not in [line.split(". ", 1)[1] for line in named(person)]
    assert person.words("button_queue_suggested") == f"Add {len(others)} versions to the queue"
    person.click("button_remove_C1")
    assert first in part.chosen


@pytest.mark.thorough
def test_a_short_choice_stays_short_while_the_offer_shrinks(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    offer_all(monkeypatch)
    person.click("button_suggest")
    part: Any = person.window.findChild(object, "part_suggest")
    person.choose("combo_suggest_count", "6")
    first = part.chosen[0]
    person.session.decide_recipe("Use the first", steps=first.steps)
    person.click("button_add_to_queue")
    assert len(part.chosen) == 6
    assert first not in part.chosen


@pytest.mark.thorough
def test_an_offer_that_is_all_queued_says_so(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    offer_all(monkeypatch)
    person.click("button_suggest")
    part: Any = person.window.findChild(object, "part_suggest")
    queue = person.window.findChild(object, "page_protect").queue
    every = part.combo.itemData(part.combo.count() - 1)
    person.choose("combo_suggest_count", every)
    queue.add_all([(str(each.name), each.steps) for each in part.chosen])
    queue.cancel_all()
    person.settle()
    assert not person.sees("label_suggested")
    assert person.see("strip_suggest").text.text().startswith("No more suggestions")
    assert person.sees("button_suggest")


@pytest.mark.thorough
def test_an_offer_made_for_other_decisions_is_dropped(person: Person) -> None:
    person.click("button_suggest")
    assert person.sees("label_suggested")
    person.session.set_column("city", ["city"], role="other")
    person.settle()
    assert not person.sees("label_suggested")
    assert person.sees("button_suggest")


@pytest.mark.thorough
def test_three_people_get_none(window: Any, dialogs: Any, tmp_path: Path) -> None:
    person = at_step(window, dialogs, tmp_path, "protect", rows=3)
    person.click("button_suggest")
    assert "too few people" in person.see("strip_suggest").text.text()
    assert not person.session.candidates
    # Something in the list does not make it fit.
    person.click("button_add_to_queue")
    person.click("button_suggest")
    assert "too few people" in person.see("strip_suggest").text.text()


@pytest.mark.thorough
def test_the_keyboard_stays_with_the_suggestions(person: Person) -> None:
    button = person.see("button_suggest")
    button.setFocus()
    QTest.keyClick(button, Qt.Key.Key_Space)
    person.settle()
    assert QApplication.focusWidget() is person.see("combo_suggest_count")


@pytest.mark.thorough
def test_one_that_fails_says_why_and_the_others_go_on(
    failing: None, person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    person.click("button_suggest")
    assert "Fails" not in person.words("label_suggested"), "its trial failed"
    person.click("button_drop_suggested")
    offer_all(monkeypatch)
    person.click("button_suggest")
    person.click("button_queue_suggested")
    found = {entry.title: entry for entry in person.session.candidates}
    assert found["Fails"].status == "failed"
    assert "illness" in found["Fails"].error
    assert all(entry.status == "done" for title, entry in found.items() if title != "Fails")
    assert len(found) > 3


@pytest.mark.thorough
def test_all_can_be_cancelled_at_once(endless: None, person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    offer_all(monkeypatch)
    person.click("button_suggest")
    person.click("button_queue_suggested", settle=False)
    wait_until(lambda: "running" in statuses(person) and person.sees("button_cancel_all"))
    waiting = next(entry for entry in person.session.candidates if entry.title == "Waits for ever")
    wait_until(lambda: waiting.status == "running", 60)
    done = statuses(person).count("done")
    person.click("button_cancel_all")
    assert statuses(person).count("done") == done
    assert set(statuses(person)) <= {"done", "cancelled"}
    assert waiting.status == "cancelled"
    assert not person.sees("button_cancel_all")


@pytest.mark.thorough
def test_titles_are_kept_in_the_project_and_renaming_can_be_undone(
    person: Person, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    offer_all(monkeypatch)
    session: Session = person.session
    person.click("button_suggest")
    person.choose("combo_suggest_count", "6")
    person.click("button_queue_suggested")
    first: CandidateEntry = session.candidates[0]
    given = first.title
    session.rename("Rename", first.name, "For the hospital")
    assert first.title == "For the hospital"
    write_project(tmp_path / "p.ppdm", session, "protect")
    found = read_project(tmp_path / "p.ppdm")
    assert found.titles[first.name] == "For the hospital"
    assert found.titles[session.candidates[1].name] == session.candidates[1].title
    session.undo()
    assert first.title == given


@pytest.mark.thorough
def test_a_number_is_not_given_again_to_another_candidate_with_the_title_of_one_removed(person: Person) -> None:
    session: Session = person.session
    person.click("button_add_to_queue")
    session.rename("Rename", "C1", "Mine")
    person.click("button_remove_C1")
    person.click("button_add_to_queue")
    assert [(entry.name, entry.title) for entry in session.candidates] == [("C2", "")]


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.4, "less than a second"), (22, "about 20 seconds"), (58, "about 1 minute"), (150, "about 3 minutes")],
)
def test_a_rough_time_is_rounded(seconds: float, words: str) -> None:
    assert numbers_of("en").duration(seconds) == words
