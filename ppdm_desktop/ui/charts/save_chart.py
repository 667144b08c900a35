"""The menu of a chart: copy the picture, or save it as PNG or SVG.

The picture is drawn anew, not taken from the screen: whole even if zoomed, on white, with title and small print. The
files contain no name, path or date.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, Signal
from PySide6.QtGui import QAction, QColor, QImage, QImageWriter, QPainter
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from ppdm_desktop.engine.files.saving import save_whole
from ppdm_desktop.engine.report.scene.model import Scene
from ppdm_desktop.engine.report.scene.svg import to_svg_file
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.values import Name, Reason
from ppdm_desktop.ui.look.accessibility import AccessibleInfo, Role
from ppdm_desktop.ui.look.clipboard import copy_image
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.look.tokens import LIGHT
from ppdm_desktop.ui.page import Context
from ppdm_desktop.ui.widgets.buttons import IconButton
from ppdm_desktop.ui.widgets.scrolling import ancestors

PNG, SVG = "png", "svg"
SHARPNESS = 2
_LONGEST_NAME = 60


@dataclass(frozen=True)
class Picture:
    """What the saved picture of a chart contains.

    Attributes
    ----------
    title
        The title sentence.
    scenes
        Descriptions of the charts to draw, from left to right.
    small
        Small print: unit, source and number.
    """

    title: str
    scenes: tuple[Scene, ...]
    small: str

    def svg(self) -> bytes:
        """Return the picture as an SVG file, UTF-8 bytes."""
        return to_svg_file(self.title, self.scenes, self.small, theme().font().family()).encode("utf-8")

    def image(self) -> QImage:
        """Return the picture at twice the size of the drawing, on a light background, with pixel ratio 2."""
        drawing = QSvgRenderer(QByteArray(self.svg()))
        image = QImage(drawing.defaultSize() * SHARPNESS, QImage.Format.Format_RGB32)
        image.fill(QColor(LIGHT.surface))
        painter = QPainter(image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        drawing.render(painter)
        painter.end()
        image.setDevicePixelRatio(SHARPNESS)
        return image

    def png(self) -> bytes:
        """Return the picture as the bytes of a PNG file."""
        buffer = QBuffer()
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        QImageWriter(buffer, QByteArray(b"png")).write(self.image())
        return bytes(buffer.data().data())


def context_of(widget: QWidget) -> Context | None:
    """Return what the nearest page or window around a widget shares (session, runner, dialogs); None outside of one."""
    contexts = (getattr(parent, "context", None) for parent in ancestors(widget))
    return next((context for context in contexts if isinstance(context, Context)), None)


def make_file_name(id: str) -> str:
    """Return the file name ``chart-<id>`` without suffix; each run of signs but letters, digits, _ and - is one hyphen.

    Hyphens and _ at both ends of ``id`` are left out, and it is cut after 60 signs; if nothing is left, the name is
    ``chart-figure``.
    """
    plain = re.sub(r"[^\w-]+", "-", id).strip("-_")[:_LONGEST_NAME]
    return f"chart-{plain or 'figure'}"


class SaveChartButton(IconButton):
    """Button with a menu that copies or saves a chart's picture, and reports the result in a sentence.

    Parameters
    ----------
    id
        The chart's short name; the button is ``button_keep_<id>``.
    picture
        Function that returns the picture, called when it is needed.

    Signals
    -------
    reported
        Emitted with the severity (``passed`` or ``blocks``) and a sentence on the result.
    """

    reported = Signal(str, str)

    def __init__(self, id: str, picture: Callable[[], Picture]) -> None:
        super().__init__("keep", "", name=f"button_keep_{id}")
        self.set_label(_("Copy or save this chart as a picture"))
        self._id, self._picture = id, picture
        self.setStyleSheet("QToolButton::menu-indicator { image: none; }")
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self)
        menu.setObjectName(f"menu_keep_{id}")
        menu.setAccessibleName(_("Copy or save this chart as a picture"))
        for key, text in (
            ("copy", _("Copy")),
            (PNG, _("Save as PNG…")),
            (SVG, _("Save as SVG…")),
        ):
            action = QAction(text, menu)
            action.setData(key)
            menu.addAction(action)
        menu.triggered.connect(self._on_chosen)
        self.setMenu(menu)

    def accessible_info(self) -> AccessibleInfo:
        """Return what a screen reader says: a button that opens a menu."""
        return AccessibleInfo(Role.ButtonMenu, press=self.showMenu)

    def _on_chosen(self, action: QAction) -> None:
        """Copy the chart or save it, as the menu's action says: its data are "copy", "png" or "svg"."""
        key = str(action.data())
        if key == "copy":
            self.copy()
        else:
            self.save(key)

    def copy(self) -> None:
        """Copy the picture to the clipboard, and send ``reported`` with the sentence that it was copied."""
        copy_image(self._picture().image())
        self.reported.emit("passed", _("The picture was copied. You can paste it where you need it."))

    def save(self, kind: str) -> None:
        """Ask for a file, write the picture as ``png`` or ``svg``, and send ``reported`` on whether it was saved.

        Nothing happens if the user cancels or the button is in no page. The source file is never overwritten.
        """
        context = context_of(self)
        if context is None:
            return
        source = context.session.decisions.path
        suggestion = (source.parent if source is not None else Path()) / f"{make_file_name(self._id)}.{kind}"
        title = _("Save as PNG…") if kind == PNG else _("Save as SVG…")
        path = context.dialogs.save_file(self, title, suggestion, f"*.{kind}")
        if path is None:
            return
        if source is not None and _is_same_file(path, source):
            self.reported.emit("blocks", _("Not saved, because this is your original file. Choose another name."))
            return
        picture = self._picture()
        try:
            save_whole(path, picture.png() if kind == PNG else picture.svg(), private=False)
        except OSError as error:
            self.reported.emit(
                "blocks",
                _(
                    "The picture was not saved: {reason}. Choose another folder or free some disk space, then save "
                    "again.",
                    reason=Reason.of(error),
                ),
            )
            return
        self.reported.emit("passed", _("Saved as {name}.", name=Name(path.name)))


def _is_same_file(first: Path, second: Path) -> bool:
    """Return whether both paths lead to the same existing file; False if that cannot be found out."""
    try:
        return first.exists() and first.samefile(second)
    except OSError:
        return False
