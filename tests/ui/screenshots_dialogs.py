"""Pictures of what stands beside or above a page: the help drawer of each page, Settings, adding new records."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QDialog
from top_up_support import condensed_release, table
from ui_support import Person, let_work

from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.pages.welcome.top_up import TopUpDialog
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


def top_up_pictures(person: Person, folder: Path, settings: Any) -> Iterator[tuple[str, Any]]:
    """Photograph adding new records: empty, refused, with the checks that wait for an answer."""
    folder.mkdir(parents=True, exist_ok=True)
    earlier, new, wrong = (
        condensed_release(folder, "release-of-october"),
        folder / "new-records.csv",
        folder / "other-columns.csv",
    )
    new.write_text(table(60, 30), encoding="utf-8")
    wrong.write_text("Age,Wage\n30,2000\n", encoding="utf-8")
    for name, appearance, scale, width, height in settings:
        theme().set_appearance(appearance)
        theme().set_scale(scale)
        person.window.resize(width, height)
        for state, file in (("", None), ("-refused", wrong), ("-checks", new)):
            dialog: Any = TopUpDialog(person.window, person.window.context)
            if file is not None:
                person.dialogs.will("folder", earlier)
                dialog.findChild(object, "button_top_up_folder").click()
                person.dialogs.will("open_file", file)
                dialog.findChild(object, "button_top_up_file").click()
                dialog.button_try.click()
                person.settle()
            yield from _of_dialog(dialog, f"top-up{state}-{name}")


def _of_dialog(dialog: QDialog, name: str) -> Iterator[tuple[str, Any]]:
    """Photograph a dialog as it opens, and close it."""
    dialog.show()
    let_work(60)
    yield name, photograph(dialog)
    dialog.close()
    dialog.deleteLater()
    let_work(10)
