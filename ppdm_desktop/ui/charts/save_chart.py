"""The small menu of a chart: copy it, save it as PNG or SVG."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from ppdm_desktop.engine.wording.catalogue import say
from ppdm_desktop.engine.wording.values import Name, Reason
from ppdm_desktop.ui.charts.picture import PNG, SVG, Picture, write_whole
from ppdm_desktop.ui.look.clipboard import copy_image
from ppdm_desktop.ui.look.spoken import Role, Spoken
from ppdm_desktop.ui.page import Context
from ppdm_desktop.ui.widgets.buttons import IconButton

_LONGEST_NAME = 60


def context_of(widget: QWidget) -> Context | None:
    """Return what the page (or window) a widget stands on works with."""
    parent = widget.parentWidget()
    while parent is not None:
        found = getattr(parent, "context", None)
        if isinstance(found, Context):
            return found
        parent = parent.parentWidget()
    return None


def file_name(id: str) -> str:
    """Return a file name every system accepts, without its ending."""
    plain = re.sub(r"[^\w-]+", "-", id).strip("-_")[:_LONGEST_NAME]
    return f"chart-{plain or 'figure'}"


class SaveChartButton(IconButton):
    """Copies a picture or saves it; what happened is reported in a sentence.

    Parameters
    ----------
    id
        The chart's short name; the button is ``button_keep_<id>``.
    picture
        Called when the picture is wanted.

    Signals
    -------
    reported
        Kind (``passed`` or ``blocks``) and sentence.
    """

    reported = Signal(str, str)

    def __init__(self, id: str, picture: Callable[[], Picture]) -> None:
        super().__init__("keep", "", name=f"button_keep_{id}")
        self.set_words(say("charts", "Copy or save this chart as a picture"))
        self._id, self._picture = id, picture
        self.setStyleSheet("QToolButton::menu-indicator { image: none; }")
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self)
        menu.setObjectName(f"menu_keep_{id}")
        menu.setAccessibleName(say("charts", "Copy or save this chart as a picture"))
        for key, words in (
            ("copy", say("charts", "Copy")),
            (PNG, say("charts", "Save as PNG…")),
            (SVG, say("charts", "Save as SVG…")),
        ):
            action = QAction(words, menu)
            action.setData(key)
            menu.addAction(action)
        menu.triggered.connect(self._on_chosen)
        self.setMenu(menu)

    def spoken(self) -> Spoken:
        """Speak as what opens a menu."""
        return Spoken(Role.ButtonMenu, press=self.showMenu)

    def _on_chosen(self, action: QAction) -> None:
        key = str(action.data())
        if key == "copy":
            self.copy()
        else:
            self.save(key)

    def copy(self) -> None:
        """Put the picture on the clipboard."""
        copy_image(self._picture().image())
        self.reported.emit("passed", say("charts", "The picture was copied. You can paste it where you need it."))

    def save(self, kind: str) -> None:
        """Ask where to and write the picture as ``png`` or ``svg``."""
        context = context_of(self)
        if context is None:
            return
        source = context.session.decisions.path
        suggestion = (source.parent if source is not None else Path()) / f"{file_name(self._id)}.{kind}"
        filters = say("charts", "PNG images (*.png)") if kind == PNG else say("charts", "SVG drawings (*.svg)")
        path = context.dialogs.save_file(self, say("charts", "Save the chart"), suggestion, filters)
        if path is None:
            return
        path = Path(path)
        if path.suffix.lower() != f".{kind}":
            path = path.with_name(f"{path.name}.{kind}")
            if path.exists() and not self._may_replace(context, path):
                return
        if source is not None and _same_file(path, source):
            self.reported.emit(
                "blocks", say("charts", "Not saved, because this is your original file. Choose another name.")
            )
            return
        picture = self._picture()
        try:
            write_whole(path, picture.png() if kind == PNG else picture.svg())
        except OSError as error:
            self.reported.emit(
                "blocks",
                say(
                    "charts",
                    "The picture was not saved: {reason}. Choose another folder or free some disk space, then save "
                    "again.",
                    reason=Reason(str(error).rstrip(".")),
                ),
            )
            return
        self.reported.emit("passed", say("charts", "Saved as {name}.", name=Name(path.name)))

    def _may_replace(self, context: Context, path: Path) -> bool:
        """Ask before a file is replaced whose name the system's own dialog did not see."""
        buttons = [("keep", say("charts", "Keep the file")), ("replace", say("charts", "Replace the file"))]
        question = say("charts", "Replace {name}?", name=Name(path.name))
        return (
            context.dialogs.ask(self, question, say("charts", "A file with this name already exists."), buttons, "keep")
            == "replace"
        )


def _same_file(first: Path, second: Path) -> bool:
    try:
        return first.exists() and first.samefile(second)
    except OSError:
        return False
