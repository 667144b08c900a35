"""The help: every topic is whole and leads somewhere, the search finds it by any of its words, F1 opens it."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QComboBox, QSpinBox, QWidget
from ui_support import FakeDialogs, Person, let_work, make_all_pages

from ppdm_desktop.engine.methods.base.declaration import all_methods
from ppdm_desktop.engine.release.attack_audit.base import all_attacks
from ppdm_desktop.engine.release.gate.base import all_checks
from ppdm_desktop.engine.wording.catalogue import list_languages, speak_language
from ppdm_desktop.engine.wording.help import PARTS, parse_topic, written_topics
from ppdm_desktop.ui.shell.settings_dialog import SettingsDialog
from ppdm_desktop.ui.state.help_topics import find_topic, search_topics, topic_ids
from ppdm_desktop.ui.state.settings import Settings
from ppdm_desktop.ui.state.step_texts import step_titles


@pytest.mark.parametrize("code", list_languages())
def test_every_page_figure_method_check_and_attack_has_four_parts(code: str) -> None:
    with speak_language(code):
        for id in topic_ids():
            topic = find_topic(id)
            assert topic.title.strip(), id
            wanted = ("what", "exact") if id.startswith("term.") else PARTS
            assert [name for name in wanted if not topic.parts.get(name, "").strip()] == [], id


def test_nothing_declared_is_without_a_topic() -> None:
    declared = {
        *(f"page.{step}" for step in ("welcome", *step_titles())),
        *(f"method.{id}" for id in all_methods()),
        *(f"check.{id}" for id in all_checks()),
        *(f"attack.{id}" for id in all_attacks()),
    }
    assert declared <= set(topic_ids())
    assert len(set(topic_ids())) == len(topic_ids())
    assert {id for id in written_topics() if id not in topic_ids()} == set(), "written of something that is not there"


def test_every_link_leads_to_a_topic() -> None:
    for id in topic_ids():
        assert set(find_topic(id).see) <= set(topic_ids()), id
        assert id not in find_topic(id).see


def test_a_file_out_of_order_is_refused() -> None:
    whole = "# T\n## what\na {b}\n### head\n- one\n2. two\n## exact\nx\nsee: page.risk, figure.found\n"
    topic = parse_topic("figure.t", whole)
    assert [(block.context, block.english) for block in topic.blocks()] == [
        ("help.figure.t", english) for english in ("T", "a {{b}}", "head", "one", "two", "x")
    ]
    assert topic.part("what") == "a {b}\n\n### head\n\n- one\n2. two"
    assert topic.see == ("page.risk", "figure.found")
    for wrong in ("# T\n## exact\nx\n## what\ny\n", "# T\ntext\n## what\n", "# T\n## why\n"):
        with pytest.raises(ValueError, match="figure"):
            parse_topic("figure.t", wrong)


# --- search -------------------------------------------------------------------------------


def test_what_people_type_is_found() -> None:
    assert search_topics("prosecutor")[0] == "figure.found"
    assert search_topics("snooper")[0] == "term.intruder"
    assert search_topics("Angreifer")[0] == "term.intruder"
    assert {"figure.smallest-group", "method.mondrian"} <= set(search_topics("k-anon"))
    assert search_topics("k-anon")[0] == "figure.smallest-group"
    assert "method.bit-plus-plus" in search_topics("bit++")
    for id in ("method.mondrian", "check.row-order", "attack.seed-search"):
        assert id in search_topics(id.partition(".")[2])


# --- the drawer ---------------------------------------------------------------------------


@pytest.fixture
def person(window: Any, dialogs: FakeDialogs) -> Person:
    return Person(window, dialogs)


def test_f1_opens_what_has_the_focus(person: Person) -> None:
    window = person.window
    person.press(Qt.Key.Key_F1)
    assert (window.drawer.isVisible(), window.drawer.topic) == (True, "page.welcome")
    person.press(Qt.Key.Key_F1)
    assert not window.drawer.isVisible()
    button = person.see("button_open_sample")
    button.parentWidget().setProperty("topic", "figure.found")
    button.setFocus()
    person.press(Qt.Key.Key_F1)
    assert window.drawer.topic == "figure.found"
    button.setProperty("topic", "figure.unique")
    person.press(Qt.Key.Key_F1)
    assert (window.drawer.isVisible(), window.drawer.topic) == (True, "figure.unique")
    person.press(Qt.Key.Key_Escape)
    assert not window.drawer.isVisible()


def test_links_and_the_search_work_by_keyboard(person: Person) -> None:
    window = person.window
    person.press(Qt.Key.Key_F1)
    shown, field = person.see("text_help"), person.see("edit_help_search")
    shown.setFocus()
    QTest.keyClick(shown, Qt.Key.Key_Tab)
    QTest.keyClick(shown, Qt.Key.Key_Return)
    assert window.drawer.topic == find_topic("page.welcome").see[0]
    assert find_topic("page.welcome").title in shown.toPlainText().splitlines()[0]
    person.press(Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert window.focusWidget() is field
    QTest.keyClicks(field, "prosecutor")
    assert find_topic("figure.found").title in shown.toPlainText()
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert (window.drawer.topic, field.text()) == ("figure.found", "")
    assert find_topic("figure.found").parts["what"] in shown.toPlainText()


# --- every figure has its topic -----------------------------------------------------------------


def test_every_setting_has_a_topic(person: Person) -> None:
    dialog = SettingsDialog(person.window, Settings(), lambda settings: None, person.window.context.ledger)
    wanted: list[str] = []
    dialog.help_wanted.connect(person.window._show_help_on)
    dialog.show()
    let_work(20)
    boxes = (dialog.check_copy, dialog.check_list)
    for control in (dialog.choice_language, dialog.choice_appearance, dialog.spin_scale, *boxes):
        control.setFocus()
        QTest.keyClick(control, Qt.Key.Key_F1)
        wanted.append(person.window.drawer.topic)
        assert person.window.drawer.isVisible()
    dialog.close()
    assert wanted == [
        "setting.language",
        "setting.appearance",
        "setting.text-size",
        "setting.copy-original",
        "setting.keep-list",
    ]
    controls = [each for each in dialog.findChildren(QWidget) if isinstance(each, QComboBox | QCheckBox | QSpinBox)]
    assert len(controls) == len(wanted), "a setting without help"
    read = {
        f"setting.{each}" for each in ("sheet", "encoding", "delimiter", "decimal", "header-row", "missing", "person")
    }
    written = {f"setting.{each}" for each in ("folder", "format", "released-by", "keep-key")}
    make_all_pages(person.window)
    used = {str(each.property("topic")) for each in person.window.findChildren(QWidget) if each.property("topic")}
    assert read | written <= used
    # By a question on Open, where a file is read in two ways; in the settings, where a package of others is installed.
    asked = {"setting.readings", "setting.plugins"}
    assert {id for id in topic_ids() if id.startswith("setting.")} <= used | set(wanted) | asked
