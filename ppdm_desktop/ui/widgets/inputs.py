"""Check boxes, text fields, lists, number fields and sliders that the mouse wheel does not change by accident."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPointF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QLineEdit,
    QSlider,
    QSpinBox,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QToolTip,
    QWidget,
)

from ppdm_desktop.ui.look.accessibility import AccessibleInfo, Role, announce_choice
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.look.tips import plain_tip
from ppdm_desktop.ui.widgets.basic import Text
from ppdm_desktop.ui.widgets.layout import Flow, Slot, connect

if TYPE_CHECKING:
    from PySide6.QtWidgets import QAbstractSpinBox as _OfASpinBox
    from PySide6.QtWidgets import QWidget as _OfAControl
else:
    _OfAControl = _OfASpinBox = object  # a widget has one class of Qt's only

_TEXT_MARGIN = 4
"""Space beside the text of a choice, in pixels at 100 % text size."""
_AT_ONCE = 20
"""Most entries of a list that are visible; a longer list scrolls."""


def check_box(
    label: str = "",
    *,
    name: str,
    topic: str | None = None,
    checked: bool = False,
    toggled: Slot | None = None,
    clicked: Slot | None = None,
) -> QCheckBox:
    """Return a new check box; ``toggled`` is called at every change, ``clicked`` only when the user clicks.

    ``topic`` is its help topic. ``name`` is its object name. Setting ``checked`` here calls neither.
    """
    box = QCheckBox(label)
    box.setObjectName(name)
    box.setProperty("topic", topic)
    box.setChecked(checked)
    connect(box.toggled, toggled)
    connect(box.clicked, clicked)
    return box


def line_edit(
    *,
    name: str,
    label: str = "",
    hint: str = "",
    topic: str | None = None,
    clear: bool = False,
    changed: Slot | None = None,
    finished: Slot | None = None,
) -> QLineEdit:
    """Return a new text field; ``hint`` is shown while it is empty, ``clear`` adds a button that clears it.

    ``name`` is the object name, ``label`` the accessible name, ``topic`` the help topic, if there is one. ``changed``
    is called with each new text, ``finished`` when Enter is pressed or the focus leaves.
    """
    edit = QLineEdit()
    edit.setObjectName(name)
    edit.setProperty("topic", topic)
    edit.setAccessibleName(label)
    edit.setPlaceholderText(hint)
    edit.setClearButtonEnabled(clear)
    connect(edit.textChanged, changed)
    connect(edit.editingFinished, finished)
    return edit


def add_caption(text: str, control: QWidget) -> QWidget:
    """Return a new widget with a label before a control, or above it if one line is too short for both."""
    return Flow(Text(text, tone="text2", wrap=False, buddy=control), control, gap=6)


class CalmWheel(_OfAControl):
    """Base of controls that ignore the mouse wheel unless they have the focus."""

    def set_names(self, name: str, label: str) -> None:
        """Set object name and accessible name, and let Tab and a click, but not the wheel, give the focus."""
        self.setObjectName(name)
        self.setAccessibleName(label)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Use the mouse wheel only if the control has the focus; otherwise the page around it scrolls."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


def _draw_arrow(widget: QWidget, name: str, centre_y: float) -> None:
    """Draw an arrow icon by its name at the right end of a control, because the style sheet draws none.

    ``centre_y`` is the height of its centre in pixels from the top.
    """
    pixmap = theme().pixmap(name, "text2" if widget.isEnabled() else "text3", 14)
    size = pixmap.deviceIndependentSize()
    painter = QPainter(widget)
    painter.drawPixmap(
        QPointF(widget.width() - theme().px(11) - size.width() / 2, centre_y - size.height() / 2), pixmap
    )
    painter.end()


class Choice(CalmWheel, QComboBox):
    """A combo box whose choices have a key and a label.

    Parameters
    ----------
    letters
        Width in letters; 0 for the width of the longest label.
    """

    picked = Signal(str)

    def __init__(self, *, name: str = "", label: str = "", letters: int = 0, picked: Slot | None = None) -> None:
        super().__init__()
        self.set_names(name, label)
        self.setMaxVisibleItems(_AT_ONCE)
        self.activated.connect(self._on_activated)
        if letters:
            self.set_letters(letters)
        connect(self.picked, picked)

    def set_choices(self, choices: Sequence[tuple[str, str]], current: str | None = None) -> None:
        """Replace the (key, label) choices and select ``current``, without sending a signal.

        None or an unknown key selects nothing.
        """
        with QSignalBlocker(self):
            self.clear()
            for key, text in choices:
                self.addItem(text, key)
            self.set_current(current)

    def set_current(self, key: str | None) -> None:
        """Select a choice by its key without sending a signal; None or an unknown key leaves nothing selected."""
        with QSignalBlocker(self):
            self.setCurrentIndex(self.findData(key))

    def set_letters(self, letters: int) -> None:
        """Set the least width of the box by a number of letters; longer labels no longer widen it, but are cut."""
        self.setMinimumContentsLength(letters)
        self.setSizeAdjustPolicy(self.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)

    @property
    def current(self) -> str:
        """Key of the selected choice; "" if nothing is selected."""
        data = self.currentData()
        return str(data) if data is not None else ""

    def sizeHint(self) -> QSize:
        """Return the size for the longest label and for the placeholder, which Qt calculates too small.

        If the width was set in letters, Qt's own size is returned.
        """
        hint, free = super().sizeHint(), self.placeholderText()
        if self.sizeAdjustPolicy() == self.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon:
            return hint
        measure = self.fontMetrics().horizontalAdvance
        widest = max((measure(self.itemText(index)) for index in range(self.count())), default=0)
        more = max(measure(free) - widest, 0) if free else 0
        return QSize(hint.width() + more + theme().px(_TEXT_MARGIN + 2), hint.height())

    def minimumSizeHint(self) -> QSize:
        """Return the same size as ``sizeHint``, because Qt's own would cut labels and ignore a change of text size."""
        return self.sizeHint()

    def showPopup(self) -> None:
        """Open the list of choices as wide as its longest label, but not wider than the screen."""
        view = self.view()
        bar = self.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent, None, view)
        margin = 2 * view.frameWidth() + (bar if self.count() > self.maxVisibleItems() else 0)
        view.setMinimumWidth(min(view.sizeHintForColumn(0) + margin, self.screen().availableGeometry().width()))
        super().showPopup()

    def accessible_info(self) -> AccessibleInfo:
        """Return what a screen reader says: the purpose and the selected choice."""
        return AccessibleInfo(Role.ComboBox, value=self._current_label, press=self.showPopup)

    def _on_activated(self, _index: int) -> None:
        """Announce the user's choice to screen readers, and send its key."""
        announce_choice(self)
        self.picked.emit(self.current)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the label, elided if needed, and the arrow."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        option.currentText = self._elide_label(option)
        painter = QStylePainter(self)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
        painter.end()
        _draw_arrow(self, "down", self.height() / 2)

    def _elide_label(self, option: QStyleOptionComboBox) -> str:
        """Return the label of the selected choice, or the placeholder, elided to the width of the box."""
        field = self.style().subControlRect(
            QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, self
        )
        available = field.width() - theme().px(_TEXT_MARGIN)
        if not option.currentIcon.isNull():
            available -= option.iconSize.width() + 4  # the style draws it first, with this gap
        return self.fontMetrics().elidedText(self._current_label, Qt.TextElideMode.ElideRight, available)

    @property
    def _current_label(self) -> str:
        """Label of the selected choice; the placeholder if nothing is selected."""
        return self.currentText() if self.currentIndex() >= 0 else self.placeholderText()

    def event(self, event: QEvent) -> bool:
        """Show the full label as the tooltip if it is cut and the box has no other tooltip.

        Return whether the event was handled.
        """
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip and not self.toolTip():
            option = QStyleOptionComboBox()
            self.initStyleOption(option)
            if self._elide_label(option) != self._current_label:
                QToolTip.showText(event.globalPos(), plain_tip(self._current_label), self)
                return True
        return super().event(event)


class RoomyChoice(Choice):
    """A combo box as wide as its longest label if there is room; it gets narrower before anything has to scroll."""

    def __init__(self, *, name: str = "", label: str = "", least: int = 8, picked: Slot | None = None) -> None:
        super().__init__(name=name, label=label, picked=picked)
        self.set_letters(least)

    def sizeHint(self) -> QSize:
        """Return the size for the longest label, or for the minimum number of letters if that is wider."""
        hint, metrics = super().sizeHint(), self.fontMetrics()
        margin = hint.width() - self.minimumContentsLength() * metrics.horizontalAdvance("X")
        widest = max((metrics.horizontalAdvance(self.itemText(index)) for index in range(self.count())), default=0)
        return QSize(max(hint.width(), margin + widest + theme().px(_TEXT_MARGIN + 2)), hint.height())

    def minimumSizeHint(self) -> QSize:
        """Return the size for the minimum number of letters, in which longer labels are cut."""
        return super().sizeHint()

    def set_choices(self, choices: Sequence[tuple[str, str]], current: str | None = None) -> None:
        """Replace the choices without sending a signal, and ask the layout for the width of the new labels."""
        super().set_choices(choices, current)
        self.updateGeometry()


class _Spin(CalmWheel, _OfASpinBox):
    """Base of spin boxes for numbers."""

    def _set_up(self, name: str, text: str) -> None:
        """Set object name, accessible name and behaviour of the box.

        While the user types, no signal is sent; the number counts when Enter is pressed or the focus leaves.
        """
        self.set_names(name, text)
        self.setKeyboardTracking(False)
        theme().changed.connect(self._indent_text)
        self._indent_text()

    def _indent_text(self) -> None:
        """Indent the text of the field, which style sheets cannot do."""
        # A style sheet gives the field of a spin box no left padding.
        self.lineEdit().setTextMargins(theme().px(7), 0, 0, 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the box with its arrows."""
        super().paintEvent(event)
        _draw_arrow(self, "up", self.height() * 0.3)
        _draw_arrow(self, "down", self.height() * 0.7)


class WholeNumber(_Spin, QSpinBox):
    """A spin box for whole numbers; ``bounds`` are the lowest and the highest allowed number."""

    def __init__(
        self,
        *,
        name: str = "",
        label: str = "",
        bounds: tuple[int, int] = (0, 99),
        value: int = 0,
        changed: Slot | None = None,
    ) -> None:
        super().__init__()
        self._set_up(name, label)
        self.setRange(*bounds)
        self.setValue(value)
        connect(self.valueChanged, changed)


class Number(_Spin, QDoubleSpinBox):
    """A spin box for decimal numbers."""

    def __init__(self, *, name: str = "", label: str = "") -> None:
        super().__init__()
        self._set_up(name, label)

    def textFromValue(self, value: float) -> str:
        """Return the number in the format of the locale without trailing zeros."""
        text, point = super().textFromValue(value), self.locale().decimalPoint()
        return text.rstrip("0").removesuffix(point) if point in text else text


class Slider(CalmWheel, QSlider):
    """A horizontal slider."""

    def __init__(self, *, name: str, label: str = "", bounds: tuple[int, int] = (0, 99), page: int = 1) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.set_names(name, label)
        self.setRange(*bounds)
        self.setPageStep(page)
