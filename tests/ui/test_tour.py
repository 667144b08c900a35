"""The guided tour: what each stop says and waits for."""

from __future__ import annotations

import csv
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from flow_support import write_reasons
from optional import existing
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from ui_support import FakeDialogs, Person, let_work, wait_until

from ppdm_desktop.engine.samples import find_bundled_sample
from ppdm_desktop.ui.pages.compare.page import ComparePage
from ppdm_desktop.ui.state.finished_candidates import require_evaluation
from ppdm_desktop.ui.state.session import State
from ppdm_desktop.ui.state.tour import STOPS

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "tour.csv"
Make = Callable[..., Any]


def golden() -> dict[str, str]:
    """Return what each stop says, by the id of the stop."""
    with GOLDEN.open(encoding="utf-8", newline="") as file:
        return {row["stop"]: row["en"] for row in csv.DictReader(file)}


def sample_file() -> Path:
    path = find_bundled_sample().file()
    assert path is not None
    return path


def by_hand(person: Person, stop: str) -> None:
    """Do what a stop asks for with mouse and keys."""
    if stop == "sample":
        person.click("button_open_sample")
    elif stop == "people":
        person.tick("check_one_row_per_person")
    elif stop in ("known", "secret"):
        for row in range(3) if stop == "known" else (3,):
            person.click_row("table_columns", row, 1)
            person.press(Qt.Key.Key_Q if stop == "known" else Qt.Key.Key_C)
    elif stop == "type":
        person.click("type_research")
    elif stop == "cell":
        person.click_row("heat_records", 0, 1)
    elif stop == "method":
        for name in ("button_build_own", "method_bayes-swap", "button_use_method", "button_add_to_queue"):
            person.click(name)
    elif stop == "verdict":
        person.click("button_choose_candidate")
    elif stop == "attacks":
        bar = person.see("tabs_compare").tabBar()
        place = person.window.findChild(ComparePage).tab_names.index("audit")
        QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.tabRect(place).center())
    elif stop == "gate":
        assert write_reasons(person)
    elif stop == "release":
        person.click("button_write_release")
    person.settle()


def assert_said(person: Person, stop: str) -> None:
    """Compare what is said at a stop with the golden file, with this run's figures."""
    text, chosen = golden()[stop], person.session.finished()
    if chosen:
        verdict = require_evaluation(chosen[-1]).report.verdict
        guess = next(each for each in verdict.attacks or () if each.id == "inference")
        text = text.format(
            certain=verdict.certain_by_others,
            found=round(16 * existing(guess.success.value)),
            control=round(16 * existing(guess.control.value)),
            reasons=len(verdict.to_answer),
        )
    assert person.words("label_tour") == text


def framed(window: Any, name: str) -> bool:
    """Say whether the frame is round a control that can be seen."""
    control, frame = window.findChild(QWidget, name), window.tour.frame
    middle = control.mapTo(window, control.rect().center())
    seen = control.visibleRegion().boundingRect().height() >= control.height()
    return bool(frame.isVisible() and frame.geometry().contains(middle) and seen)


def test_the_whole_tour(window: Any, dialogs: FakeDialogs, tmp_path: Path) -> None:
    person = Person(window, dialogs)
    before = sample_file().read_bytes()
    person.click("button_tour")
    for number, stop in enumerate(STOPS, start=1):
        assert window.current == stop.page
        wait_until(partial(stop.is_there, person.session), what=stop.id)
        let_work(200)
        assert f"{number}" in person.words("label_tour_place")
        if stop.id != "release":
            assert_said(person, stop.id)
        assert window.tour.frame.isVisible(), f"nothing is framed at {stop.id}"
        if stop.deeds:
            assert not person.see("button_tour_next").isEnabled(), f"{stop.id} waits for nothing"
        by_hand(person, stop.id)
        wait_until(person.see("button_tour_next").isEnabled, what=f"{stop.id} to be done")
        if stop.id == "release":
            assert_said(person, stop.id)
            wait_until(lambda: framed(window, "button_open_certificate"), what="the release record to be framed")
        person.click("button_tour_next")
    assert not person.sees("tour_strip")
    assert window.tour.tour is None
    assert not window.tour.frame.isVisible()
    assert person.session.state("release") is State.DONE
    # Nothing outside the folder of this window: no settings, no ledger, no release beside the sample.
    private = window.context.private_folder
    assert list(private.rglob("release/data.csv"))
    assert Path(person.session.decisions.folder).is_relative_to(private)
    assert not list(tmp_path.rglob("*"))
    assert sample_file().read_bytes() == before


def test_it_can_be_left_anywhere_and_a_page_be_found_again(make_window: Make, dialogs: FakeDialogs) -> None:
    window = make_window()
    person = Person(window, dialogs)
    person.click("button_help")
    person.click("button_help_tour")
    assert not person.sees("drawer_help")
    person.click("button_tour_deed")
    wait_until(person.see("button_tour_next").isEnabled)
    person.click("button_tour_next")
    window.show_page("welcome")
    let_work(300)
    assert not window.tour.frame.isVisible()
    person.click("button_tour_deed")
    assert window.current == "open"
    assert not person.session.decisions.recipe.input.one_row_per_person, "going there does nothing else"
    person.click("button_tour_leave")
    assert not person.sees("tour_strip")
    assert person.session.reading is not None
    window.close()
    assert not dialogs.asked, "the sample is nothing to be saved"


def test_what_was_open_is_asked_about_first(make_window: Make, dialogs: FakeDialogs, tmp_path: Path) -> None:
    window = make_window()
    person = Person(window, dialogs)
    mine = tmp_path / "mine.csv"
    mine.write_bytes(sample_file().read_bytes())
    person.open(mine)
    person.tick("check_one_row_per_person")
    window.show_page("welcome")
    person.click("button_tour")
    dialogs.will("ask", "stay")
    person.click("button_tour_deed")
    let_work(300)
    assert person.session.decisions.path == mine
    assert not person.session.rehearses
    assert not person.see("button_tour_next").isEnabled()
