"""Small parts every page uses: labels, cards, strips, buttons, segments. All text is plain text."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QDoubleSpinBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QPushButton,
    QSizePolicy,
    QSpinBox,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ppdm_desktop.ui.theme import theme

SEVERITY_ICONS = {
    "green": "passed",
    "passed": "passed",
    "amber": "warning",
    "red": "blocks",
    "blocks": "blocks",
    "note": "note",
    "not-run": "unchecked",
    "not-applicable": "unchecked",
}
SEVERITY_TOKENS = {
    "passed": "passed",
    "warning": "amber",
    "blocks": "blocks",
    "note": "accent",
    "unchecked": "text3",
}


class Text(QLabel):
    """A plain-text label that keeps its size when the theme changes.

    Parameters
    ----------
    text
        Shown as it is; never read as HTML.
    factor
        Size relative to body text.
    tone
        Token of the colour: ``text``, ``text2``, ``text3``, ``passed``, ``amber``, ``blocks``, ``accent``.
    """

    def __init__(
        self,
        text: str = "",
        *,
        factor: float = 1.0,
        semibold: bool = False,
        tone: str = "text",
        wrap: bool = True,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._factor, self._semibold = factor, semibold
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(wrap)
        self.setProperty("tone", tone)
        self.setText(text)
        self._restyle()
        theme().changed.connect(self._restyle)

    def _restyle(self) -> None:
        self.setFont(theme().font(self._factor, semibold=self._semibold))

    def set_tone(self, tone: str) -> None:
        """Change the colour by token."""
        if self.property("tone") != tone:
            self.setProperty("tone", tone)
            self.style().unpolish(self)
            self.style().polish(self)
            # Polishing brings back the font the label had when it was first shown.
            self._restyle()


class IconLabel(QLabel):
    """An icon that follows the theme; give it an accessible name where it says something."""

    def __init__(self, name: str, token: str = "text2", size: int = 20, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name, self._token, self._size = name, token, size
        self._redraw()
        theme().changed.connect(self._redraw)

    def set_icon(self, name: str, token: str) -> None:
        """Show another icon or colour."""
        if (name, token) != (self._name, self._token):
            self._name, self._token = name, token
            self._redraw()

    def _redraw(self) -> None:
        pixmap = theme().pixmap(self._name, self._token, self._size)
        self.setPixmap(pixmap)
        self.setFixedSize(pixmap.deviceIndependentSize().toSize())


class Severity(QWidget):
    """A severity in icon, colour and word, so that no meaning hangs on colour alone."""

    def __init__(self, severity: str, word: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon = IconLabel("note")
        self._word = Text("", semibold=True, wrap=False)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self._icon)
        row.addWidget(self._word)
        row.addStretch(1)
        self.set(severity, word)

    def set(self, severity: str, word: str) -> None:
        """Show another severity."""
        icon = SEVERITY_ICONS[severity]
        self._icon.set_icon(icon, SEVERITY_TOKENS[icon])
        self._word.set_tone({"note": "accent", "unchecked": "text3"}.get(icon, SEVERITY_TOKENS[icon]))
        self._word.setText(word)


class Card(QFrame):
    """A surface with a thin outline; ``body`` is its layout."""

    def __init__(self, title: str = "", caption: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("card", True)
        self.body = QVBoxLayout(self)
        theme().space(self.body, 14, 14, 14, 14, 8)
        self.title = Text(title, semibold=True)
        self.caption = Text(caption, tone="text2", factor=0.95)
        # Into the card first: a widget without a parent that is made visible is a window of its own.
        self.body.addWidget(self.title)
        self.body.addWidget(self.caption)
        self.title.setVisible(bool(title))
        self.caption.setVisible(bool(caption))

    def set_title(self, title: str, caption: str | None = None) -> None:
        """Change the sentence at the head."""
        self.title.setText(title)
        self.title.setVisible(bool(title))
        if caption is not None:
            self.caption.setText(caption)
            self.caption.setVisible(bool(caption))


class Strip(QFrame):
    """A message in the page: icon, sentence, buttons. ``kind``: note, amber, blocks, passed."""

    def __init__(self, kind: str = "note", text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._row = QHBoxLayout(self)
        theme().space(self._row, 10, 10, 10, 10)
        self._icon = IconLabel("note")
        self.text = Text(text)
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._row.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        self._row.addWidget(self.text, 1)
        self.set(kind, text)

    def set(self, kind: str, text: str) -> None:
        """Show another message; an empty one hides the strip."""
        self.setProperty("strip", kind)
        self.style().unpolish(self)
        self.style().polish(self)
        icon = SEVERITY_ICONS[kind]
        self._icon.set_icon(icon, SEVERITY_TOKENS[icon])
        self.text.setText(text)
        self.setAccessibleName(text)
        if text and self.parent() is None:
            # Seen as soon as it is in a page; alone it would be a window of its own.
            self.setAttribute(Qt.WidgetAttribute.WA_WState_ExplicitShowHide, False)
        else:
            self.setVisible(bool(text))

    def add_button(self, button: QPushButton) -> None:
        """Put a button at the right end."""
        self._row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)


class Button(QPushButton):
    """A push button with an optional icon that follows the theme."""

    def __init__(
        self,
        text: str,
        *,
        name: str = "",
        icon: str | None = None,
        primary: bool = False,
        link: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(text, parent)
        self.setObjectName(name)
        self._icon_name, self._primary = icon, primary
        self.setProperty("primary", primary)
        self.setProperty("link", link)
        self.setAutoDefault(False)
        if link:
            self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
            self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._redraw()
        theme().changed.connect(self._redraw)

    def set_icon_name(self, icon: str) -> None:
        """Show another icon."""
        self._icon_name = icon
        self._redraw()

    def set_primary(self, primary: bool) -> None:
        """Make it the button that leads on, or an ordinary one."""
        if primary != self._primary:
            self._primary = primary
            self.setProperty("primary", primary)
            self.style().unpolish(self)
            self.style().polish(self)
            self._redraw()

    def _redraw(self) -> None:
        if self._icon_name:
            side = theme().px(18)
            self.setIconSize(QSize(side, side))
            self.setIcon(theme().icon(self._icon_name, "on_accent" if self._primary else "text2", 18))


class IconButton(QToolButton):
    """An icon-only button: its words are tooltip and accessible name."""

    def __init__(self, icon: str, words: str, *, name: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._icon_name = icon
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.set_words(words)
        self._redraw()
        theme().changed.connect(self._redraw)

    def set_words(self, words: str) -> None:
        """Change tooltip and accessible name."""
        self.setToolTip(words)
        self.setAccessibleName(words)

    def _redraw(self) -> None:
        side = theme().px(20)
        self.setIconSize(QSize(side, side))
        self.setIcon(theme().icon(self._icon_name, "text2"))


class Segments(QWidget):
    """A few choices side by side, one of them chosen."""

    chosen = Signal(str)

    def __init__(self, choices: Sequence[tuple[str, str]], *, name: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._group = QButtonGroup(self)
        self._buttons: dict[str, QPushButton] = {}
        row = QHBoxLayout(self)
        row.setContentsMargins(1, 0, 0, 0)
        row.setSpacing(0)
        for key, words in choices:
            button = QPushButton(words)
            button.setCheckable(True)
            button.setProperty("segment", True)
            button.setProperty("choice", key)
            button.setObjectName(f"{name}_{key}")
            button.setAutoDefault(False)
            self._group.addButton(button)
            self._buttons[key] = button
            row.addWidget(button)
        row.addStretch(1)
        self._group.buttonClicked.connect(self._on_clicked)
        if choices:
            self._buttons[choices[0][0]].setChecked(True)

    def _on_clicked(self, button: QPushButton) -> None:
        self.chosen.emit(str(button.property("choice")))

    @property
    def current(self) -> str:
        """The chosen key."""
        button = self._group.checkedButton()
        return str(button.property("choice")) if button is not None else ""

    def set_current(self, key: str) -> None:
        """Choose without telling anybody."""
        self._buttons[key].setChecked(True)

    def set_words(self, key: str, words: str) -> None:
        """Change the words of one choice."""
        self._buttons[key].setText(words)


def _keep_wheel_for_focus(widget: QWidget, event: QWheelEvent) -> bool:
    """Ignore the wheel on a control that has no focus, so that scrolling changes nothing."""
    if not widget.hasFocus():
        event.ignore()
        return True
    return False


def _draw_arrow(widget: QWidget, name: str, centre_y: float) -> None:
    """Draw a small arrow at the right end of a control (the style sheet draws none)."""
    pixmap = theme().pixmap(name, "text2" if widget.isEnabled() else "text3", 14)
    size = pixmap.deviceIndependentSize()
    painter = QPainter(widget)
    painter.drawPixmap(
        QPointF(widget.width() - theme().px(11) - size.width() / 2, centre_y - size.height() / 2), pixmap
    )
    painter.end()


class Choice(QComboBox):
    """A combo box of (key, words) that the wheel cannot change by accident."""

    picked = Signal(str)

    def __init__(self, *, name: str = "", words: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(words)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.activated.connect(self._on_activated)

    def set_choices(self, choices: Sequence[tuple[str, str]], current: str | None = None) -> None:
        """Replace the choices without telling anybody."""
        self.blockSignals(True)
        self.clear()
        for key, words in choices:
            self.addItem(words, key)
        self.set_current(current)
        self.blockSignals(False)

    def set_current(self, key: str | None) -> None:
        """Choose without telling anybody; an unknown key leaves nothing chosen."""
        self.blockSignals(True)
        self.setCurrentIndex(self.findData(key))
        self.blockSignals(False)

    @property
    def current(self) -> str:
        """The chosen key, empty when nothing is chosen."""
        data = self.currentData()
        return str(data) if data is not None else ""

    def _on_activated(self, _index: int) -> None:
        self.picked.emit(self.current)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Add the arrow."""
        super().paintEvent(event)
        _draw_arrow(self, "down", self.height() / 2)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Ignore the wheel without focus."""
        if not _keep_wheel_for_focus(self, event):
            super().wheelEvent(event)


class WholeNumber(QSpinBox):
    """A spin box that the wheel cannot change by accident."""

    def __init__(self, *, name: str = "", words: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(words)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setKeyboardTracking(False)
        # A style sheet gives the field of a spin box no left padding.
        self.lineEdit().setTextMargins(theme().px(7), 0, 0, 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Add the arrows."""
        super().paintEvent(event)
        _draw_arrow(self, "up", self.height() * 0.3)
        _draw_arrow(self, "down", self.height() * 0.7)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Ignore the wheel without focus."""
        if not _keep_wheel_for_focus(self, event):
            super().wheelEvent(event)


class Number(QDoubleSpinBox):
    """A spin box for fractions that the wheel cannot change by accident."""

    def __init__(self, *, name: str = "", words: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(words)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setKeyboardTracking(False)
        # A style sheet gives the field of a spin box no left padding.
        self.lineEdit().setTextMargins(theme().px(7), 0, 0, 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Add the arrows."""
        super().paintEvent(event)
        _draw_arrow(self, "up", self.height() * 0.3)
        _draw_arrow(self, "down", self.height() * 0.7)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Ignore the wheel without focus."""
        if not _keep_wheel_for_focus(self, event):
            super().wheelEvent(event)


def clear_layout(layout: QLayout) -> None:
    """Remove and delete everything in a layout."""
    while (item := layout.takeAt(0)) is not None:
        if (widget := item.widget()) is not None:
            widget.hide()
            widget.deleteLater()
        elif (inner := item.layout()) is not None:
            clear_layout(inner)
