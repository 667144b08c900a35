"""Found versions as a person meets them: cards while the search goes on, chosen, compared, released, marked, undone."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flow_support import write_reasons
from optional import existing
from protect_support import EndlessMethod
from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QApplication, QMenu
from ui_support import Person, find, go_through, run_until_cancelled, wait_until

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.methods.base.declaration import METHODS, Family
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.release.gate.base import title_of_check
from ppdm_desktop.engine.release.planning.texts import describe_refusals, label_versions
from ppdm_desktop.engine.release.planning.version import Planned, Refusal, Version
from ppdm_desktop.ui.pages.protect.version_card import describe_outcome
from ppdm_desktop.ui.pages.protect.versions import VersionsPart, describe_current_search
from ppdm_desktop.ui.state import candidate_queue, version_search
from tests.golden.people import visits_csv

ROLES = {"quasi-identifier": ("age", "city"), "confidential": ("illness",)}
pytestmark = pytest.mark.plans


class Endless(EndlessMethod):
    """Is planned with, and never ends."""

    family = Family.GROUPS
    roles = frozenset({"quasi-identifier"})


@pytest.fixture
def source(tmp_path: Path) -> Path:
    draw, rows = np.random.default_rng(5), 300
    columns = draw.integers(18, 60, rows), draw.choice(["Delft", "Ghent"], rows), draw.choice(["flu", "cold"], rows)
    lines = ["age,city,illness", *(",".join(map(str, row)) for row in zip(*columns, strict=True))]
    path = tmp_path / "people.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def person(window: Any, dialogs: Any, source: Path) -> Person:
    person = Person(window, dialogs)
    go_through(person, source, ROLES, until="protect")
    return person


def shown(person: Person) -> tuple[Version, ...]:
    """Return the versions that a card is seen of."""
    part = find(person.window, "part_versions")
    assert [card.isVisible() for card in part.cards] == [place < len(part.versions) for place in range(len(part.cards))]
    return tuple(part.versions)


def ids(versions: tuple[Version, ...]) -> list[int]:
    """Return which versions these are: compared as a whole, a difference would print every check."""
    return [id(version.verdict) for version in versions]


def mark(person: Person, kind: str, column: str, *, settle: bool = True) -> None:
    """Mark a column with the list below the button."""
    person.click(f"button_mark_{kind}", settle=False)
    menu = person.window.findChild(QMenu, "menu_mark")
    (action,) = (action for action in menu.actions() if action.text() == column)
    menu.close()
    action.trigger()
    if settle:
        person.settle()


def test_a_version_is_chosen_and_released_as_it_was_found(person: Person, tmp_path: Path) -> None:
    versions = shown(person)
    assert len(versions) >= 2
    assert Family.TRUE_VALUES in {version.family for version in versions}
    assert person.session.candidates == [], "nothing runs before somebody asks for it"
    person.click("button_choose_2")
    (entry,) = person.session.candidates
    assert (entry.status, entry.key, entry.recipe.steps) == ("done", versions[1].key, versions[1].steps)
    run = entry.judged.report.verdict
    assert run.data_sha256 == versions[1].verdict.data_sha256
    assert entry.candidate.released is existing(versions[1].made).candidate.released, "the table is not made twice"
    assert run.reasons_to_write == versions[1].verdict.reasons_to_write
    assert person.session.chosen is entry
    person.click("button_undo")
    assert person.session.decisions.chosen is None
    person.click("button_choose_2")
    assert person.session.candidates == [entry], "it ran already"
    person.click("button_next")
    assert person.window.current == "release"
    person.type("edit_folder", str(tmp_path / "out"))
    write_reasons(person)
    person.click("button_write_release")
    report = json.loads((tmp_path / "out" / "internal" / "report.json").read_bytes())
    assert report["verdict"]["data_sha256"] == versions[1].verdict.data_sha256
    person.window.go_to("protect")
    assert ids(shown(person)) == ids(versions), "they stay in sight while they are judged again"
    person.settle()
    assert not set(ids(shown(person))) & set(ids(versions))


def test_a_card_says_why_its_run_failed_and_is_chosen_again(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(candidate_queue, "make_candidate", lambda *_, **__: [][0])
        person.click("button_choose_1")
    part = find(person.window, "part_versions")
    part.cards[0].show_progress(replace(part.states()[0], is_old=True))
    assert "Try again" in part.cards[0]._state.text(), "also while the version is judged again"
    person.click("button_choose_1")
    assert [entry.status for entry in person.session.candidates] == ["failed", "done"]


def test_the_families_tried_agree_with_the_share_of_the_work_done(person: Person) -> None:
    session, shares = person.session, [0.0]
    told: list[tuple[float, Mapping[str, float]]] = []
    asked = version_search._Asked(session.decisions.path, session.reading, session.decisions.recipe, None, None)
    work = progress.Progress(
        lambda share, doing: shares.append(share), figures=lambda doing, figures: told.append((shares[-1], figures))
    )
    planned: list[Planned] = []
    found = version_search.SearchState(Key.fresh())
    work.run(asked.plan, found, lambda version: None, planned.append, lambda version: None)
    *families, (end, last) = [(share, figures) for share, figures in told if "families" in figures]
    assert sorted(int(figures["family"]) for _, figures in families) == list(range(len(Family)))
    assert [figures["families"] for _, figures in families] == list(range(len(Family)))
    assert all(abs(share - figures["families"] / len(Family)) < 0.2 for share, figures in families)
    assert end > 0.85
    assert "family" not in last, "the last family is not said to be looked at any more"
    assert "family" not in describe_current_search(found)
    shares[:], found.earlier, found.planned = [0.0], version_search.SearchState(found.key, planned[0].versions), None
    found.earlier.planned = planned[0]
    work.run(asked.plan, found, lambda version: None, planned.append, lambda version: None)
    assert any(0.6 < share < 0.99 for share in shares), "judging again is all of the work"


def test_cards_keep_the_order_of_arrival_until_the_search_is_over_and_nobody_is_about_to_press_one(
    person: Person,
) -> None:
    part, versions = find(person.window, "part_versions"), shown(person)
    found, working = part.search.state, part.search._working
    planned, found.planned, found.versions = found.planned, None, ()
    part.search._working = found
    for version in versions[::-1]:
        part.search._on_version(found, version)
    assert ids(shown(person)) == ids(versions[::-1])
    assert find(person.window, "page_protect").primary().severity == "note", "the search goes on"
    assert "(family 1 of 6) · " in describe_current_search(replace(found, family=Family.TRUE_VALUES, families=0))
    part.search._working = working
    part.cards[1].choose.setFocus()
    part.search._on_planned(found, existing(planned))
    assert ids(shown(person)) == ids(versions[::-1]), "a button is about to be pressed"
    part.build_button.setFocus()
    QApplication.sendEvent(part._holder, QEvent(QEvent.Type.Leave))
    assert ids(shown(person)) == ids(versions)
    families = (Family.NOISE, Family.NOISE, Family.GROUPS, Family.NOISE)
    name, other = str(Family.NOISE.title), str(Family.GROUPS.title)
    labels = label_versions([replace(versions[0], family=family) for family in families])
    assert labels == [name, f"{name} (2)", other, f"{name} (3)"]


def test_one_version_is_seen_on_compare_and_another_adjusted(person: Person) -> None:
    versions = shown(person)
    person.click("button_see_2")
    assert person.window.current == "compare"
    assert find(person.window, "page_compare").selected_entry.recipe.steps == versions[1].steps
    person.click("button_back")
    person.click("button_adjust_1")
    assert person.session.decisions.recipe.steps == versions[0].steps
    assert person.sees("card_chain")
    person.click("button_undo")
    person.click("button_to_versions")
    assert ids(shown(person)) == ids(versions)
    person.click("button_next")
    assert [candidate.status for candidate in person.session.candidates] == ["done"] * len(versions)


def test_a_search_that_is_stopped_keeps_what_was_found(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    methods = {id: method for id, method in METHODS.all().items() if method.family is not Family.GROUPS}
    monkeypatch.setattr(METHODS, "_entries", methods | {Endless.id: Endless()})
    mark(person, "keep", "age", settle=False)
    wait_until(lambda: len(shown(person)) == 1)
    wait_until(lambda: "family 2 of 6" in person.words("label_searching"))
    person.click("button_stop_search")
    assert len(shown(person)) == 1
    assert not person.sees("button_stop_search")
    person.click("button_choose_1")
    assert person.session.chosen is not None
    monkeypatch.undo()
    person.click("button_search_again")
    assert len(shown(person)) >= 2


def test_a_late_answer_runs_no_version_again_and_judges_what_there_is(person: Person) -> None:
    versions = shown(person)
    person.click("button_choose_1")
    (entry,) = person.session.candidates
    serial, data = entry.serial, entry.judged.report.verdict.data_sha256
    assert entry.judged.report.verdict.counts_rows
    input = person.session.decisions.recipe.input.model_copy(update={"one_row_per_person": True})
    person.session.decide_recipe(input=input)
    person.settle()
    again = shown(person)
    assert {(repr(each.steps), each.key.bytes_) for each in again} == {
        (repr(each.steps), each.key.bytes_) for each in versions
    }
    assert not set(ids(again)) & set(ids(versions)), "judged by the answers of now"
    assert not any(version.verdict.counts_rows for version in again)
    assert {each.verdict.data_sha256 for each in again} == {each.verdict.data_sha256 for each in versions}
    (kept,) = person.session.candidates
    assert (kept.serial, kept.status, kept.judged.report.verdict.data_sha256) == (serial, "done", data)
    assert not person.session.is_stale(kept.basis)
    assert not kept.judged.report.verdict.counts_rows
    assert person.sees("button_search_again"), "other versions may be possible now"
    person.click("button_undo")
    assert ids(shown(person)) == ids(versions)
    assert person.session.chosen.judged.report.verdict.counts_rows


def test_a_late_agreement_judges_what_was_found_and_then_goes_on_looking(
    window: Any, dialogs: Any, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = Person(window, dialogs)
    go_through(person, source, ROLES, until="protect", kind="research")
    versions = shown(person)
    assert versions
    person.click("check_signed", settle=False)
    assert ids(shown(person)) == ids(versions), "they stay in sight while they are judged again"
    part = find(window, "part_versions")
    assert all(state.is_old for state in part.states())
    person.settle()
    assert not any(state.is_old for state in part.states())
    again = {repr(version.steps): version for version in shown(person)}
    assert {*again} >= {repr(version.steps) for version in versions}
    for version in versions:
        later = again[repr(version.steps)]
        assert later.verdict is not version.verdict
        assert existing(later.made).candidate.released is existing(version.made).candidate.released, "not run again"
    person.click("button_undo")
    assert ids(shown(person)) == ids(versions)
    methods = {id: method for id, method in METHODS.all().items() if method.family is not Family.GROUPS}
    monkeypatch.setattr(METHODS, "_entries", methods | {Endless.id: Endless()})
    mark(person, "keep", "age", settle=False)
    wait_until(lambda: len(shown(person)) == 1)
    before = shown(person)
    person.click("check_signed", settle=False)
    assert ids(shown(person)) == ids(before), "what an interrupted search found stays in sight as well"
    monkeypatch.undo()
    person.settle()
    assert person.session.decisions.recipe.release.agreement
    assert len(shown(person)) > 1
    assert not set(ids(shown(person))) & set(ids(before))


def test_a_cure_makes_one_row_of_each_person_and_versions_are_looked_for_again(
    window: Any, dialogs: Any, tmp_path: Path
) -> None:
    path = tmp_path / "visits.csv"
    path.write_text(visits_csv(people=150), encoding="utf-8")
    person = Person(window, dialogs)
    roles = {"quasi-identifier": ("sex", "age"), "confidential": ("outcome",), "identifier": ("person_nbr", "visit_id")}
    go_through(person, path, roles, until="protect", several_rows=True)
    before = {version.family for version in shown(person)}
    person.click("button_cure_1")
    assert person.session.decisions.recipe.input.reduce.by == "first"
    assert {version.family for version in shown(person)} - before
    assert not person.sees("button_cure_1")


def test_a_marked_column_that_is_not_kept_is_said_first(person: Person) -> None:
    mark(person, "keep", "age")
    part: VersionsPart = find(person.window, "part_versions")
    card, (first, second) = part.cards[0], part.versions[:2]
    assert not card._not_kept.isVisible()
    lost = replace(first, lost_marked=("age", "city"))
    kept, again = replace(second, lost_marked=("city",)), replace(first, lost_marked=())
    said = "Not kept although marked: "
    for versions, expected in (
        ((lost,), f"{said}“age” and “city”."),
        ((lost, kept), f"{said}“age”. Kept by: “{second.name}”.\n{said}“city”."),
        ((lost, again), f"{said}“age” and “city”. Kept by: “{first.name} (2)”."),
    ):
        state = part.search.state
        assert state is not None
        state.versions = versions
        part._show_cards()
        assert card._not_kept.isVisible()
        assert card._not_kept.word == expected
        assert card._not_kept.y() < card._kept_text.y()


def test_a_judgement_that_is_cancelled_leaves_the_earlier_one_out_of_date(
    person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    person.click("button_choose_1")
    (entry,) = person.session.candidates
    earlier = entry.judged
    monkeypatch.setattr(candidate_queue, "evaluate", run_until_cancelled)
    input = person.session.decisions.recipe.input.model_copy(update={"one_row_per_person": True})
    person.session.decide_recipe(input=input)
    queue = find(person.window, "part_versions")._queue
    assert queue.running is entry
    person.window._cancel_jobs()
    wait_until(lambda: queue.running is None)
    assert entry.status == "done"
    assert entry.judged is earlier
    assert person.session.is_stale(entry.basis)
    monkeypatch.undo()
    queue.again(entry)
    person.settle()
    assert not entry.judged.report.verdict.counts_rows


def test_marks_change_the_search_and_undo_brings_back_what_was_found(person: Person) -> None:
    before = shown(person)
    mark(person, "may-go", "city")
    assert person.session.decisions.recipe.columns["city"].detail == "may-go"
    after = shown(person)
    assert not set(ids(before)) & set(ids(after)), "looked for again"
    assert not person.session.is_stale(person.session.assessment.basis), "a mark changes nothing of what was measured"
    person.click("button_undo")
    assert ids(shown(person)) == ids(before)
    mark(person, "keep", "age")
    person.click("chip_keep_age")
    assert person.window.focusWidget().objectName() == "button_mark_keep", "the keyboard stays where the chip was"
    assert person.session.decisions.recipe.columns["age"].detail is None
    assert ids(shown(person)) == ids(before)


def test_versions_that_other_decisions_left_unsettled_are_settled_later(
    person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    search = find(person.window, "part_versions").search
    monkeypatch.setattr(version_search, "settle", run_until_cancelled)
    mark(person, "keep", "age", settle=False)
    wait_until(lambda: bool(search.state and search.state.unsettled))
    interrupted = search.state
    monkeypatch.undo()
    mark(person, "keep", "city")
    assert search.state is not interrupted
    person.click("button_undo")
    assert search.state is interrupted
    assert not interrupted.unsettled


def test_the_tab_key_goes_through_marks_and_cards_before_it_leaves_the_page(person: Person) -> None:
    part = find(person.window, "part_versions")
    expected = ["button_mark_keep", "button_mark_may-go"]
    expected += [button.objectName() for card in part.cards for button in card.buttons]
    order: list[str] = []
    widget = find(person.window, "page_protect").nextInFocusChain()
    while part.isAncestorOf(widget) or not order:
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isVisible():
            order.append(widget.objectName())
        widget = widget.nextInFocusChain()
    assert order == [*expected, "button_build_own"]
    assert person.window.focusWidget().objectName() == "button_mark_keep"


def test_a_version_that_may_not_be_released_is_not_recommended_and_names_its_check(person: Person) -> None:
    part = find(person.window, "part_versions")
    verdict = part.versions[0].verdict
    red = verdict.checks[0].model_copy(update={"status": "red"})
    stopped = verdict.model_copy(update={"checks": [red, *verdict.checks[1:]]})
    first, *others = part.versions
    part.search.state.unsettled = (first,)
    part._queue.judged.emit(first.steps, first.key, stopped)
    assert not part.search.state.unsettled
    assert [version.steps for version in part.versions] == [version.steps for version in (*others, first)]
    part.search.state.versions = tuple(replace(version, verdict=stopped) for version in part.versions)
    assert not any(state.is_best for state in part.states())
    assert describe_outcome(stopped) == ("blocks", f"May not be released: {title_of_check(red.id)}")
    causes = ("a", "b", "a")
    asking = [
        check.model_copy(update={"status": "amber", "cause": cause})
        for check, cause in zip(verdict.checks, causes, strict=False)
    ]
    titles = [title_of_check(check.id) for check in asking]
    sentence = describe_outcome(verdict.model_copy(update={"checks": asking}))[1]
    assert sentence == f"2 reasons: one for {titles[0]} and {titles[2]}; one for {titles[1]}"


def test_only_families_without_a_version_say_why(person: Person) -> None:
    versions = shown(person)
    missing = next(family for family in Family if family not in {version.family for version in versions})
    refusals = (Refusal((versions[0].family,), "no"), Refusal((missing,), "why"), Refusal((), "steps"))
    cancelled = Planned(versions, refusals, cancelled=True)
    assert describe_refusals(cancelled, in_window=True) == f"“{missing.title}”: why\nsteps"
    last = describe_refusals(Planned(versions[:1], refusals), in_window=True).splitlines()[-1]
    assert str(missing.title) not in last
    assert all(str(family.title) in last for family in Family if family not in {versions[0].family, missing})
