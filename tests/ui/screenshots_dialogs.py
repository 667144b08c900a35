"""Pictures of what stands beside or above a page: the help drawer of each page, and Settings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from PySide6.QtWidgets import QDialog
from ui_support import Person, let_work

from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.shell.settings_dialog import SettingsDialog
from ppdm_desktop.ui.state.session import STEPS
from tests.ui.photographs import photograph


def help_pictures(person: Person, settings: Any) -> Iterator[tuple[str, Any]]:
    """Photograph each page that can be opened, with its help beside it, in each setting."""
    window = person.window
    for name, appearance, scale, width, height in settings:
        theme().set_appearance(appearance)
        theme().set_scale(scale)
        window.resize(width, height)
        for step in ("welcome", *STEPS):
            if step != "welcome" and window.session.why_not(step) is not None:
                continue
            window.show_page(step)
            if not window.drawer.isVisible():
                window.toggle_help()
            person.settle()
            let_work(30)
            yield f"help-{step}-{name}", photograph(window)
            bar = window.drawer.findChild(object, "text_help").verticalScrollBar()
            if bar.maximum():
                bar.setValue(bar.maximum())
                let_work(30)
                yield f"help-{step}-end-{name}", photograph(window.drawer)
                bar.setValue(0)
        window.toggle_help()


def settings_pictures(person: Person, settings: Any) -> Iterator[tuple[str, Any]]:
    """Photograph the settings in each setting."""
    for name, appearance, scale, width, height in settings:
        theme().set_appearance(appearance)
        theme().set_scale(scale)
        person.window.resize(width, height)
        dialog = SettingsDialog(person.window, person.window._settings, _unchanged)
        yield from _of_dialog(dialog, f"settings-{name}")


def _unchanged(_settings: object) -> None:
    """Apply nothing: the picture's own setting stays."""


def _of_dialog(dialog: QDialog, name: str) -> Iterator[tuple[str, Any]]:
    """Photograph a dialog as it opens, and close it."""
    dialog.show()
    let_work(60)
    yield name, photograph(dialog)
    dialog.close()
    dialog.deleteLater()
    let_work(10)
