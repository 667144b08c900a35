"""Roles and kinds of columns on screen as icon, letter and word, so that colour alone carries no meaning."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from ppdm_desktop.engine.recipe.models import KINDS, ROLES
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.ui.look.accessibility import as_text
from ppdm_desktop.ui.look.theme import theme

LETTERS = {
    "identifier": "I",
    "quasi-identifier": "Q",
    "confidential": "C",
    "other": "O",
    "privacy-level": "L",
    "left-out": "X",
}
ROLE_OF_LETTER = {letter: role for role, letter in LETTERS.items()}
UNDECIDED = "?"
"""Shown in place of a role that is undecided."""


def describe_role(role: str) -> str:
    """Return the name of a column's role on screen, such as "Known to others" for ``quasi-identifier``.

    The undecided role ``?`` gives "Your decision". Raise KeyError for an unknown one.
    """
    return {
        UNDECIDED: _("Your decision"),
        "identifier": _("Names a person"),
        "quasi-identifier": _("Known to others"),
        "confidential": _("Confidential"),
        "other": _("Neither"),
        "privacy-level": _("Protection level"),
        "left-out": _("Left out"),
    }[role]


def role_colour(role: str) -> QColor:
    """Return the theme's colour for a column's role; amber for the undecided role ``?``."""
    t = theme()
    return t.colour("amber") if role == UNDECIDED else QColor(t.tokens.roles[role])


def format_pill(role: str) -> str:
    """Return the text on a role's label (pill): letter and name, such as "I Names a person" or "? Your decision"."""
    return f"{LETTERS.get(role, UNDECIDED)} {describe_role(role)}"


def role_meaning(role: str) -> str:
    """Return the meaning of a column's role in a few words; raise KeyError for an undecided or unknown one."""
    return {
        "identifier": _("names a person directly; never released"),
        "quasi-identifier": _("known to others; several together can point to one person (quasi-identifier)"),
        "confidential": _("what nobody should learn about a person"),
        "other": _("released; neither confidential nor known to others"),
        "privacy-level": _("holds each person’s protection level; never released"),
        "left-out": _("left out; never released"),
    }[role]


def describe_kind(kind: str) -> str:
    """Return the name of a column's kind on screen: "Number" for ``numeric``; raise KeyError for an unknown one."""
    return {
        "numeric": _("Number"),
        "ordinal": _("Ranked"),
        "nominal": _("Text"),
        "date": _("Date"),
        "text": _("Free text"),
    }[kind]


def role_choices() -> list[tuple[str, str]]:
    """Return (role, label such as "Q   Known to others") of every role, in the order of ``ROLES``."""
    return [(role, f"{LETTERS[role]}   {describe_role(role)}") for role in ROLES]


def kind_choices() -> list[tuple[str, str]]:
    """Return (kind, label such as "Number") of every kind, in the order of ``KINDS``."""
    return [(kind, describe_kind(kind)) for kind in KINDS]


def pill_size(role: str) -> QSize:
    """Return the size in pixels of a role's label (pill), with icon and text, at the present text size."""
    t = theme()
    text = format_pill(role)
    wide = QFontMetrics(t.font(0.9, semibold=True)).horizontalAdvance(text)
    return QSize(wide + t.px(37), round(t.h * 1.35))


def paint_pill(painter: QPainter, box: QRectF, role: str) -> None:
    """Draw a role's label (pill) at the left of a rectangle, vertically centred: icon, letter and name in colour.

    The name is cut with "…" if the rectangle is too narrow; the role ``left-out`` has a dashed outline.
    """
    t = theme()
    size = pill_size(role)
    wide = min(float(size.width()), box.width())
    pill = QRectF(box.left() + 1, box.center().y() - size.height() / 2 + 1, wide - 2, size.height() - 2)
    colour = role_colour(role)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    pen = QPen(colour, 1.2)
    if role == "left-out":
        pen.setStyle(Qt.PenStyle.DashLine)
    painter.setPen(pen)
    painter.setBrush(t.colour("surface"))
    painter.drawRoundedRect(pill, pill.height() / 2, pill.height() / 2)
    side = t.px(15)
    icon = t.pixmap("warning" if role == UNDECIDED else role, colour.name(), 15)
    painter.drawPixmap(round(pill.left() + t.px(8)), round(pill.center().y() - side / 2), icon)
    font = t.font(0.9, semibold=True)
    painter.setFont(font)
    painter.setPen(colour)
    text = format_pill(role)
    available = pill.adjusted(t.px(28), 0, -t.px(4), 0)
    elided = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, round(available.width()) + 2)
    painter.drawText(available, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, elided)
    painter.restore()


class RolePill(QWidget):
    """A role's label (pill) as a widget; its accessible name is letter and name of the role."""

    accessible_info = as_text

    def __init__(self, role: str) -> None:
        super().__init__()
        self._role = role
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.set_role(role)
        theme().changed.connect(self._set_pill_size)

    def set_role(self, role: str) -> None:
        """Set the role (``?`` if undecided), and the accessible name and size of its label."""
        self._role = role
        self.setAccessibleName(format_pill(role))
        self._set_pill_size()

    def _set_pill_size(self) -> None:
        """Set the size of the pill for the text size."""
        self.setFixedSize(pill_size(self._role))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the pill."""
        paint_pill(QPainter(self), QRectF(self.rect()), self._role)
