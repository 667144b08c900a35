"""A card that is one large button, with labels inside."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QBoxLayout, QSizePolicy

from ppdm_desktop.ui.look.spoken import Role, Spoken
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.widgets.basic import Text
from ppdm_desktop.ui.widgets.layout import vbox


class LayoutButton(QAbstractButton):
    """A checkable button as large as its layout of labels, whose height depends on the width."""

    body: QBoxLayout

    def __init__(self, name: str, across: QSizePolicy.Policy) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        policy = QSizePolicy(across, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def seal(self) -> None:
        """Make the labels ignore the mouse, so that clicks reach the button."""
        for child in self.findChildren(Text):
            child.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def sizeHint(self) -> QSize:
        """Return the preferred size of the layout."""
        return self.body.totalSizeHint()

    def minimumSizeHint(self) -> QSize:
        """Return the least size of the layout."""
        return self.body.totalMinimumSize()

    def hasHeightForWidth(self) -> bool:
        """Return True: labels wrap, so the height depends on the width."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height that the labels need at a width, in pixels."""
        return self.body.totalHeightForWidth(width)


class CardButton(LayoutButton):
    """A card as a button; add labels to ``body``, then call ``seal``."""

    def __init__(self, name: str, text: str) -> None:
        super().__init__(name, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(text)
        self.body = vbox(on=self, margins=(12, 7, 12, 7), gap=2)
        theme().changed.connect(self.update)

    def spoken(self) -> Spoken:
        """Return what a screen reader says: one choice of several."""
        return Spoken(Role.RadioButton, checked=self.isChecked(), press=self.click)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the card, a bar if it is selected, and the focus ring."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colour = theme().colour
        chosen, focus = self.isChecked(), self.hasFocus()
        inside = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        radius = theme().px(6)
        ground = "selection" if chosen or (self.underMouse() and self.isEnabled()) else "surface"
        painter.setBrush(colour(ground if self.isEnabled() else "window"))
        width = 2 if focus else 1
        painter.setPen(QPen(colour("accent" if focus or chosen else "line"), width))
        painter.drawRoundedRect(inside, radius, radius)
        if chosen:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour("accent"))
            painter.drawRoundedRect(QRectF(inside.left(), inside.top(), theme().px(4), inside.height()), 2, 2)
        painter.end()
