"""Areas that are pressed as a whole: a card that is one of several choices, and a line that unfolds more."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QBoxLayout, QFrame, QSizePolicy, QWidget

from ppdm_desktop.ui.look.accessibility import AccessibleInfo, Role
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.widgets.basic import IconLabel, Text
from ppdm_desktop.ui.widgets.layout import add_parts, hbox, stretch_part, vbox


class LayoutButton(QAbstractButton):
    """A checkable button that contains labels in a layout and is as large as the layout."""

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
        """Make all labels that were added so far ignore the mouse, so that clicks reach the button."""
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

    def accessible_info(self) -> AccessibleInfo:
        """Return what a screen reader says: one choice of several (a radio button) that is selected or not."""
        return AccessibleInfo(Role.RadioButton, checked=self.isChecked(), press=self.click)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the card's ground and outline, with a bar at the left if it is selected.

        The outline is thicker if the card has the focus. The ground is highlighted if the card is selected or, unless
        disabled, under the pointer.
        """
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


class FoldLine(LayoutButton):
    """The line that unfolds content when pressed: optional icon, title, caption and an arrow."""

    def __init__(self, name: str, icon: str, token: str) -> None:
        super().__init__(name, QSizePolicy.Policy.Preferred)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.body = hbox(on=self, margins=(4, 4, 4, 4), gap=10)
        if icon:
            self.body.addWidget(IconLabel(icon, token, 18), 0, Qt.AlignmentFlag.AlignTop)
        self.title, self.caption = Text("", semibold=True), Text("", tone="text2", factor=0.9)
        self._arrow = IconLabel("next", "text2", 16)
        add_parts(self.body, stretch_part(vbox(self.title, self.caption, gap=0)), self._arrow)
        for label in self.findChildren(QWidget):
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.toggled.connect(self._on_toggled)
        theme().changed.connect(self.updateGeometry)

    def accessible_info(self) -> AccessibleInfo:
        """Return what a screen reader says: a check box that unfolds the content below."""
        return AccessibleInfo(Role.CheckBox, name=self.accessibleName(), checked=self.isChecked(), press=self.click)

    def set_label(self, title: str, caption: str) -> None:
        """Set title and caption, and both as the accessible name; an empty caption takes no space."""
        self.title.setText(title)
        self.caption.show_text(caption)
        self.setAccessibleName(f"{title}. {caption}" if caption else title)

    def _on_toggled(self, is_open: bool) -> None:
        """Show an arrow down if the content was unfolded, else an arrow to the right."""
        self._arrow.set_icon("down" if is_open else "next", "text2")

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw a background while the pointer is over the line, and a ring while it has the focus."""
        painter = QPainter(self)
        if self.underMouse():
            painter.fillRect(self.rect(), theme().colour("selection"))
        if self.hasFocus():
            painter.setPen(QPen(theme().colour("accent"), 2))
            painter.drawRect(self.rect().adjusted(1, 1, -1, -1))
        painter.end()


class Fold(QFrame):
    """A line and the content that it unfolds (``body``), folded at first.

    Parameters
    ----------
    name
        Object name of the line.
    icon, token
        Icon before the title and the name of its colour in the theme; empty for none.
    card
        Whether the widget looks like a card.
    """

    def __init__(self, name: str, icon: str = "", token: str = "text2", *, card: bool = False) -> None:
        super().__init__()
        self.setProperty("card", card)
        around = 8 if card else 0
        self.line = FoldLine(name, icon, token)
        self.inside = QWidget()
        self.body = vbox(on=self.inside, margins=(4, 0, 4, 4), gap=6)
        self.inside.hide()
        vbox(self.line, self.inside, on=self, margins=(around, around, around, around), gap=6)
        self.line.toggled.connect(self.inside.setVisible)

    def set_label(self, title: str, caption: str = "") -> None:
        """Set title and caption of the line; an empty caption takes no space."""
        self.line.set_label(title, caption)

    def set_open(self, is_open: bool) -> None:
        """Unfold the content (True) or fold it."""
        self.line.setChecked(is_open)
