"""What tests of the attack audit on Compare share: the way to its tab, and one person attacked."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from ui_support import Person, find, wait_until

from ppdm_desktop.ui.pages.compare.audit.tab import AuditTab


def to_audit(person: Person) -> None:
    tabs = person.see("tabs_compare")
    place = next(at for at in range(tabs.count()) if tabs.widget(at).findChild(AuditTab) is not None)
    QTest.mouseClick(tabs.tabBar(), Qt.MouseButton.LeftButton, pos=tabs.tabBar().tabRect(place).center())
    assert tabs.currentIndex() == place
    person.settle()


def dialog_of(person: Person) -> Any:
    person.click("button_attack_record")
    dialog = person.see("dialog_attack_record")
    wait_until(dialog.picker.button.isEnabled)
    return dialog


def rows_of(dialog: Any, name: str) -> list[tuple[str, ...]]:
    return find(dialog, name).model().rows  # type: ignore[no-any-return]


def attacked(person: Person, dialog: Any, row: int) -> None:
    dialog.picker.number.setValue(row)
    QTest.mouseClick(dialog.picker.button, Qt.MouseButton.LeftButton)
    person.settle()
