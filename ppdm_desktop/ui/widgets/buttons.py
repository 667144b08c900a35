"""Buttons with a text or only an icon, and choices side by side."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtWidgets import QBoxLayout, QButtonGroup, QPushButton, QSizePolicy, QToolButton

from ppdm_desktop.ui.look.accessibility import AccessibleInfo, Role, as_group
from ppdm_desktop.ui.look.theme import restyle, theme
from ppdm_desktop.ui.look.tips import plain_tip
from ppdm_desktop.ui.widgets.layout import FitsOnResize, Panel, Slot, connect, hbox


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
        label: str = "",
        checkable: bool = False,
        clicked: Slot | None = None,
    ) -> None:
        super().__init__(text)
        self.setObjectName(name)
        self.setAccessibleName(label)
        self.setCheckable(checkable)
        connect(self.clicked, clicked)
        self._icon_name = icon
        self.setProperty("primary", primary)
        self.setProperty("link", link)
        self.setAutoDefault(False)
        if link:
            self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
            self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._redraw_icon()
        theme().changed.connect(self._redraw_icon)

    def accessible_info(self) -> AccessibleInfo:
        """Return what a screen reader says: a button with its accessible name or else its label, without the tooltip.

        A button that can be checked is a check box, checked or not.
        """
        name = self.accessibleName() or self.text().replace("&", "")
        is_box = self.isCheckable()
        checked = self.isChecked() if is_box else None
        return AccessibleInfo(Role.CheckBox if is_box else Role.Button, name=name, checked=checked, press=self.click)

    def set_icon_name(self, icon: str) -> None:
        """Set the icon by its name and draw it; for an empty name the icon already drawn stays."""
        self._icon_name = icon
        self._redraw_icon()

    def show_label(self, label: str, *, compact: bool = False) -> None:
        """Show the button with its label, or as narrow as its icon with the label as the tooltip (``compact``)."""
        self.setText("" if compact else label)
        self.setToolTip(plain_tip(label) if compact else "")
        if restyle(self, "compact", compact):
            self.updateGeometry()

    def set_primary(self, primary: bool) -> None:
        """Make the button the page's primary button (True), or an ordinary one (False)."""
        if restyle(self, "primary", primary):
            self._redraw_icon()

    def _redraw_icon(self) -> None:
        """Draw the icon again for theme and text size; do nothing if the button has none."""
        if self._icon_name:
            side = theme().px(18)
            self.setIconSize(QSize(side, side))
            self.setIcon(theme().icon(self._icon_name, "on_accent" if self.property("primary") else "text2", 18))


class IconButton(QToolButton):
    """Button with an icon only; its text is tooltip and accessible name."""

    def __init__(self, icon: str, label: str, *, name: str = "", clicked: Slot | None = None) -> None:
        super().__init__()
        self.setObjectName(name)
        connect(self.clicked, clicked)
        self._icon_name = icon
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.set_label(label)
        self._redraw_icon()
        theme().changed.connect(self._redraw_icon)

    def accessible_info(self) -> AccessibleInfo:
        """Return what a screen reader says: a button with its accessible name, and not the tooltip again."""
        return AccessibleInfo(Role.Button, press=self.click)

    def set_label(self, text: str) -> None:
        """Set the same text as tooltip and accessible name."""
        self.setToolTip(plain_tip(text))
        self.setAccessibleName(text)

    def _redraw_icon(self) -> None:
        """Draw the icon again in the colour of the present theme and at the size for the present text size."""
        side = theme().px(20)
        self.setIconSize(QSize(side, side))
        self.setIcon(theme().icon(self._icon_name, "text2"))


class _Segment(QPushButton):
    """The button for one of a few choices side by side."""

    def accessible_info(self) -> AccessibleInfo:
        """Return what a screen reader says: one choice of several (a radio button), which Qt would call a check box."""
        name = self.accessibleName() or self.text().replace("&", "")
        return AccessibleInfo(Role.RadioButton, name=name, checked=self.isChecked(), press=self.click)


class Segments(FitsOnResize, Panel):
    """A few choices side by side, one of them selected; they go below each other if there is no room."""

    accessible_info = as_group

    chosen = Signal(str)

    def __init__(
        self, choices: Sequence[tuple[str, str]], *, name: str = "", label: str = "", chosen: Slot | None = None
    ) -> None:
        super().__init__(name=name, label=label)
        connect(self.chosen, chosen)
        self._group = QButtonGroup(self)
        self._buttons: dict[str, QPushButton] = {}
        self._left_out: frozenset[str] = frozenset()
        self._row = hbox(on=self, gap=0)
        for index, (key, label) in enumerate(choices, start=1):
            button = _Segment(label)
            button.setCheckable(True)
            # Two that meet share one line, the left one's right border.
            button.setProperty("segment", "last" if index == len(choices) else "joined")
            button.setProperty("choice", key)
            button.setObjectName(f"{name}_{key}")
            button.setAutoDefault(False)
            self._group.addButton(button)
            self._buttons[key] = button
            self._row.addWidget(button)
        self._row.addStretch(1)
        self._group.buttonClicked.connect(self._on_clicked)
        if choices:
            self._buttons[choices[0][0]].setChecked(True)
        theme().changed.connect(self._adapt_to_size)

    def minimumSizeHint(self) -> QSize:
        """Return the width of the widest visible choice, because they can go below each other; the height is Qt's."""
        wide = max((button.minimumSizeHint().width() for button in self._visible_buttons()), default=0)
        return QSize(wide, super().minimumSizeHint().height())

    def sizeHint(self) -> QSize:
        """Return the width of all visible choices side by side, with Qt's height."""
        return QSize(self._compute_row_width(), super().sizeHint().height())

    def _visible_buttons(self) -> list[QPushButton]:
        """Return the buttons of all choices that were not hidden by ``set_visible``, in the order of the choices."""
        return [button for key, button in self._buttons.items() if key not in self._left_out]

    @property
    def one_column(self) -> bool:
        """Whether the choices are below each other."""
        return self._row.direction() == QBoxLayout.Direction.TopToBottom

    def _compute_row_width(self) -> int:
        """Return the width in pixels of all visible choices side by side, with a pixel to spare for each.

        It is one pixel larger while the choices are below each other, so that the arrangement does not flip back and
        forth.
        """
        offered = self._visible_buttons()
        # In a column each choice has its own border at the right, a pixel that it has not in a row; a width asked for
        # before may still have it. So a row wants a pixel more for each, and a column that would be one another.
        spare = len(offered) + 1 if self.one_column else len(offered)
        return sum(button.sizeHint().width() for button in offered) + spare

    def _adapt_to_size(self) -> None:
        """Arrange the choices in a row if there is room, else in a column."""
        down = self.width() < self._compute_row_width()
        if down == self.one_column:
            return
        self._row.setDirection(QBoxLayout.Direction.TopToBottom if down else QBoxLayout.Direction.LeftToRight)
        self._style_end_buttons()
        self.updateGeometry()

    def _style_end_buttons(self) -> None:
        """Give the last visible choice the outline of an end, and the others one that joins the next choice.

        In a column all choices have the outline of an end.
        """
        offered = self._visible_buttons()
        for button in offered:
            restyle(button, "segment", "last" if self.one_column or button is offered[-1] else "joined")

    def event(self, event: QEvent) -> bool:
        """Arrange visible choices again when one got another label, was shown or was hidden.

        Return whether the event was handled, as Qt does.
        """
        if event.type() == QEvent.Type.LayoutRequest and self.isVisible():
            self._adapt_to_size()
        return super().event(event)

    def _on_clicked(self, button: QPushButton) -> None:
        """Send the key of the clicked button's choice, also if it was selected already."""
        self.chosen.emit(str(button.property("choice")))

    @property
    def current(self) -> str:
        """Key of the selected choice, empty if nothing is selected."""
        button = self._group.checkedButton()
        return str(button.property("choice")) if button is not None else ""

    def set_current(self, key: str) -> None:
        """Select a choice by its key without sending a signal; raise KeyError for an unknown key."""
        self._buttons[key].setChecked(True)

    def set_label(self, key: str, text: str) -> None:
        """Set the label of the choice with this key."""
        self._buttons[key].setText(text)

    def set_name(self, key: str, text: str) -> None:
        """Set the full name of a choice whose label is short, for its tooltip and screen readers.

        The tooltip is removed if the name equals the label.
        """
        short = self._buttons[key].text() != text
        self._buttons[key].setAccessibleName(text if short else "")
        self._buttons[key].setToolTip(plain_tip(text) if short else "")

    def set_visible(self, key: str, visible: bool) -> None:
        """Show or hide a choice by its key, and give the last visible choice the outline of an end."""
        self._buttons[key].setVisible(visible)
        self._left_out = self._left_out - {key} if visible else self._left_out | {key}
        self._style_end_buttons()
