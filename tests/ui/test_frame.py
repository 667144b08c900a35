"""The bars around a page, the help beside it and the settings: nothing is cut where there is little room."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QLabel, QPushButton, QWidget
from ui_support import let_work

from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.page import Primary
from ppdm_desktop.ui.pages.protect.queue import QueueRow
from ppdm_desktop.ui.shell.page_frame import ActionBar, PageHead
from ppdm_desktop.ui.shell.rail import ScoreCard
from ppdm_desktop.ui.shell.settings_dialog import SettingsDialog
from ppdm_desktop.ui.state.settings import Settings
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.elided import Elided, ElidedHeading
from ppdm_desktop.ui.widgets.failure import FailureStrip


class _Page:
    def title(self) -> str:
        return "Privacy levels"

    def purpose(self) -> str:
        return "Some people need more protection than others. Say who, and how much."


def test_the_check_leaves_out_its_words_before_the_title_is_cut(qtbot: Any) -> None:
    outer = QWidget()
    qtbot.addWidget(outer)
    head = PageHead()
    head.setParent(outer)
    outer.show()
    page: Any = _Page()
    head.show_page(page)
    head.fit(low=False, tight=False)
    for wide in (theme().px(900), theme().px(480), theme().px(900)):
        head.resize(wide, theme().px(60))
        let_work(20)
        assert head._title.width() >= head._title.sizeHint().width()
        assert (head.button_check_file.text() == "") == (wide < theme().px(600))
        assert head.button_check_file.accessibleName() == "How identifiable is this file?"
    head.fit(low=True, tight=True)
    assert head.button_check_file.text() == ""


def test_the_check_leaves_out_its_words_where_another_page_has_a_longer_title(qtbot: Any) -> None:
    outer = QWidget()
    qtbot.addWidget(outer)
    head = PageHead()
    head.setParent(outer)
    outer.show()
    short, long = _Page(), _Page()
    short.title = lambda: "Risk"  # type: ignore[method-assign]
    long.title = lambda: "Protection levels"  # type: ignore[method-assign]
    head.fit(low=True, tight=False)
    head.show_page(short)  # type: ignore[arg-type]
    head.resize(2000, theme().px(60))
    let_work(20)
    head.resize(head._row.sizeHint().width() + 4, theme().px(60))
    let_work(20)
    assert head.button_check_file.text()
    for _ in range(2):
        head.show_page(long)  # type: ignore[arg-type]
        let_work(20)
        assert head._title.shown() == head._title.text()
        assert not head.button_check_file.text()


def test_a_strip_puts_its_buttons_below_where_they_would_squeeze_its_text(qtbot: Any) -> None:
    strip = FailureStrip(name="strip")
    qtbot.addWidget(strip)
    strip.set("blocks", "This folder already exists. Nothing was written. Choose another name, or replace it.")
    strip.add_button(Button("Replace the earlier release…", name="replace"))
    strip.show()
    below = []
    for wide in (900, 480, 900):
        strip.resize(theme().px(wide), theme().px(200))
        let_work(20)
        below.append(strip._copy.mapTo(strip, QPoint(0, 0)).y() > strip.text.y() + strip.text.height() / 2)
        assert strip.text.width() >= theme().px(180)
    assert below == [False, True, False]


def test_back_leaves_out_its_word_before_the_way_on_is_cut(qtbot: Any) -> None:
    outer = QWidget()
    qtbot.addWidget(outer)
    bar = ActionBar()
    bar.setParent(outer)
    outer.show()
    bar.say("Every person has a level", "passed")
    bar.show_primary(Primary("Privacy levels", True, "", "passed"))
    for wide in (theme().px(900), theme().px(340), theme().px(900)):
        bar.resize(wide, theme().px(80))
        let_work(20)
        assert bar.button_next.width() >= bar.button_next.sizeHint().width()
        assert (bar.button_back.text() == "") == (wide < theme().px(400))
        assert bar.button_back.accessibleName() == "Back"


@pytest.mark.parametrize("scale", [1.0, 2.0, 3.0])
def test_help_takes_a_share_of_a_narrow_window_only(window: Any, scale: float) -> None:
    theme().set_scale(scale)
    try:
        window.resize(1280, 800)
        window.toggle_help()
        let_work(30)
        assert window.drawer.width() == min(theme().px(300), round(window.width() * 0.36))
        window.resize(1500, 800)
        let_work(30)
        assert window.drawer.width() == min(theme().px(300), round(window.width() * 0.36))
        window.toggle_help()
    finally:
        theme().set_scale(1.0)


def test_help_covers_a_page_that_would_have_to_scroll_to_the_side(window: Any) -> None:
    """The page keeps its width under it; the bars round it keep theirs beside it, too."""
    page, room, drawer = window._pages["welcome"], window.room, window.drawer
    window.toggle_help()
    let_work(30)
    assert not room.is_over
    assert window.stack.width() == room.width() - drawer.width()
    assert window.head.width() == window.bar.width() == room.width()
    page.setMinimumWidth(room.width() - drawer.width() + 20)
    let_work(30)
    assert room.is_over
    assert window.stack.width() == room.width()
    assert drawer.geometry() == room.rect().adjusted(room.width() - drawer.width(), 0, 0, 0)
    assert window._areas["welcome"].horizontalScrollBar().maximum() == 0
    page.setMinimumWidth(0)
    window.resize(window.width() + 1, window.height())
    let_work(30)
    assert not room.is_over
    window.toggle_help()
    let_work(30)
    assert window.stack.width() == room.width()


def test_what_the_tab_key_reaches_is_not_left_under_the_help(window: Any) -> None:
    page, room = window._pages["welcome"], window.room
    far = QPushButton("far", page)
    far.setGeometry(room.width() - 80, 10, 60, 30)
    far.show()
    page.setMinimumWidth(room.width() - 30)
    window.toggle_help()
    let_work(30)
    assert room.is_over
    assert room.covers(far)
    before = far.previousInFocusChain()
    assert isinstance(before, QWidget)
    far.setFocus()
    window.focusNextPrevChild(False)
    assert not window.drawer.isHidden(), "what was reached stands beside it"
    window.focusNextPrevChild(True)
    assert far.hasFocus() or window.focusWidget() is far
    assert window.drawer.isHidden()


@pytest.mark.thorough
@pytest.mark.parametrize("language", ["en", "de", "qps"])
@pytest.mark.parametrize("scale", [1.0, 2.0])
@pytest.mark.parametrize("grows", [True, False])
def test_no_words_of_the_settings_are_cut(make_window: Any, scale: float, language: str, grows: bool) -> None:
    window = make_window(language=language)
    told: list[Settings] = []
    if not grows:
        theme().set_scale(scale)
    dialog = SettingsDialog(window, Settings(), told.append)
    dialog.show()
    theme().set_scale(scale)
    try:
        let_work(30)
        assert dialog._area.horizontalScrollBar().maximum() == 0, "nothing scrolls sideways"
        assert dialog.width() >= theme().px(420)
        for label in dialog.findChildren(QLabel):
            if not label.wordWrap():
                assert label.width() >= label.sizeHint().width(), label.text()
        assert dialog.check_copy.width() >= dialog.check_copy.minimumSizeHint().width()
        assert dialog.rect().contains(dialog.check_copy.geometry())
        assert {label.buddy().objectName() for label in dialog.findChildren(QLabel) if label.buddy() is not None} == {
            "choice_language",
            "choice_appearance",
            "spin_scale",
        }
        dialog.check_copy.click()
        assert told[-1].copy_original
    finally:
        theme().set_scale(1.0)
        dialog.close()
        dialog.deleteLater()


def test_a_path_is_cut_in_its_middle(qtbot: Any) -> None:
    path = "work/of/somebody/of/the/year/release-of-october"
    for is_path in (True, False):
        label = Elided(path, is_path=is_path)
        qtbot.addWidget(label)
        label.resize(theme().px(160), 20)
        assert label.shown() != path
        assert label.shown().endswith("october") == is_path


def test_the_title_ends_in_dots_before_the_buttons_go(qtbot: Any) -> None:
    outer = QWidget()
    qtbot.addWidget(outer)
    head = PageHead()
    head.setParent(outer)
    outer.show()
    page: Any = _Page()
    head.show_page(page)
    head.fit(low=True, tight=True)
    head.resize(head.minimumSizeHint().width() + theme().px(40), theme().px(60))
    let_work(20)
    title = head._title
    assert isinstance(title, ElidedHeading)
    assert title.shown().endswith("…")
    assert title.toolTip() == title.spoken().name == "Privacy levels"
    for button in (head.button_check_file, head.button_help):
        assert button.width() >= button.minimumSizeHint().width()
        assert button.geometry().right() <= head.width()


def test_a_button_without_its_words_keeps_little_room_beside_its_icon(qtbot: Any) -> None:
    button = Button("", icon="search")
    qtbot.addWidget(button)
    button.show()
    wide = button.sizeHint().width()
    button.set_compact(True)
    assert button.sizeHint().width() < wide
    button.set_compact(False)
    assert button.sizeHint().width() == wide


def test_a_version_stands_on_one_line_of_the_score(qtbot: Any) -> None:
    card = ScoreCard("Aktueller Stand")
    qtbot.addWidget(card)
    card.set_lines([("Einmalig", "73 %"), ("Gewählt", "Variante 16")])
    card.setFixedWidth(theme().px(190))
    card.show()
    let_work(20)
    figure = card._lines[1][1]
    assert figure.width() >= figure.fontMetrics().horizontalAdvance("Variante 16")
    assert figure.height() < 2 * figure.fontMetrics().height()
    # What has no room beside each other goes on below, uncut.
    card.setFixedSize(theme().px(230), theme().px(200))
    card.set_lines([("Einmalig", "73 %"), ("Ausgewählte Variante", "Variante 16, umbenannt")])
    let_work(20)
    for label in card._lines[1]:
        assert label.wordWrap()
        assert label.width() >= label.minimumSizeHint().width()
        assert label.height() >= label.heightForWidth(label.width())
    assert not card._lines[0][1].wordWrap()


def test_the_way_on_takes_two_lines_before_it_is_cut(qtbot: Any) -> None:
    outer = QWidget()
    qtbot.addWidget(outer)
    bar = ActionBar()
    bar.setParent(outer)
    outer.show()
    bar.say("Begründungen fehlen", "amber")
    bar.show_primary(Primary("Freigabe jetzt schreiben", False, "", "amber"))
    button = bar.button_next
    for wide, words in (
        (theme().px(700), "Freigabe jetzt schreiben"),
        (theme().px(375), "Freigabe jetzt\nschreiben"),
        (theme().px(700), "Freigabe jetzt schreiben"),
    ):
        bar.resize(wide, theme().px(80))
        let_work(20)
        assert button.text() == words
        assert button.accessibleName() == "Freigabe jetzt schreiben"
        assert button.width() >= button.minimumSizeHint().width()
        assert button.height() >= button.minimumSizeHint().height()


def test_the_state_of_a_run_goes_on_below_before_it_widens_the_page(qtbot: Any) -> None:
    row = QueueRow("C1")
    qtbot.addWidget(row)
    row.show()
    least = []
    for words in ("aktuell", "Nicht mehr aktuell"):
        row._status.set("amber", words)
        let_work(10)
        least.append(row.minimumSizeHint().width())
    assert least[1] == least[0]
