"""Labels, icons, severities, cards and message strips. All text in them is plain text."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QLabel,
    QLayout,
    QPushButton,
    QWidget,
)

from ppdm_desktop.engine.errors import PpdmError
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.texts import describe_location, render
from ppdm_desktop.ui.look.accessibility import AccessibleInfo, Role, announce, as_group, as_list, reorder_for_reading
from ppdm_desktop.ui.look.clipboard import copy_text
from ppdm_desktop.ui.look.theme import restyle, theme
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.layout import (
    STRETCH,
    FitsOnResize,
    Flow,
    Panel,
    add_parts,
    align_top,
    hbox,
    stretch_part,
    vbox,
)
from ppdm_desktop.ui.work.tasks import TaskOutcome

_LEAST_TEXT = 180
"""Least width of a strip's text beside its buttons, in pixels at 100 % text size."""
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


def label_severity(severity: str) -> str:
    """Return the words for a severity's icon: "Done", "Attention", "Problem", "Note" or "Not checked".

    "green" and "passed" give "Done", "amber" gives "Attention", "red" and "blocks" give "Problem". Raise KeyError for a
    severity that has no icon.
    """
    return {
        "passed": _("Done"),
        "warning": _("Attention"),
        "blocks": _("Problem"),
        "note": _("Note"),
        "unchecked": _("Not checked"),
    }[SEVERITY_ICONS[severity]]


class Text(QLabel):
    """A plain-text label that follows the theme's size.

    Parameters
    ----------
    text
        Shown as it is; never read as HTML.
    factor
        Font size relative to body text.
    tone
        Name of the theme's colour: ``text``, ``text2``, ``text3``, ``passed``, ``amber``, ``blocks``, ``accent``.
    sides, top
        Margins at left and right, and above, in pixels at 100 % text size.
    name
        Object name.
    buddy
        Control that the text labels.
    """

    def __init__(
        self,
        text: str = "",
        *,
        factor: float = 1.0,
        semibold: bool = False,
        tone: str = "text",
        wrap: bool = True,
        sides: float = 0,
        top: float = 0,
        name: str = "",
        buddy: QWidget | None = None,
    ) -> None:
        super().__init__()
        self.setObjectName(name)
        if buddy is not None:
            self.setBuddy(buddy)
        self._factor, self._semibold = factor, semibold
        self._sides, self._top = sides, top
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(wrap)
        self.setProperty("tone", tone)
        self.setText(text)
        self._apply_theme_style()
        theme().changed.connect(self._apply_theme_style)

    def _apply_theme_style(self) -> None:
        """Apply the theme's font and the label's margins, both scaled to the text size."""
        self.setFont(theme().font(self._factor, semibold=self._semibold))
        sides = theme().px(self._sides)
        self.setContentsMargins(
            sides, max(theme().compute_excess_height(self._factor), theme().px(self._top)), sides, 0
        )

    def setText(self, text: str) -> None:
        """Set the text and repaint the label, even if the text is the same."""
        super().setText(text)
        # Qt repaints what is within the margins only: the dots of a capital before it would stay above.
        self.update()

    def show_text(self, text: str) -> None:
        """Set the text, and hide the label while there is none."""
        self.setText(text)
        self.setVisible(bool(text))

    def set_tone(self, tone: str) -> None:
        """Set the colour by its name in the theme, such as ``text2``; do nothing if it has that colour already."""
        if restyle(self, "tone", tone):
            # Polishing brings back the font the label had when it was first shown.
            self._apply_theme_style()


class Heading(Text):
    """The title of a page or of a part of it."""

    def accessible_info(self) -> AccessibleInfo:
        """Return what a screen reader says: a heading, to which the user can jump."""
        return AccessibleInfo(Role.Heading, name=self.text())


class IconLabel(QLabel):
    """An icon that follows the theme; screen readers say its accessible name, if it has one."""

    def accessible_info(self) -> AccessibleInfo:
        """Return what a screen reader says: a graphic with its accessible name; hidden from it without a name."""
        return AccessibleInfo(Role.Graphic, hidden=not self.accessibleName())

    def __init__(self, name: str, token: str = "text2", size: int = 20) -> None:
        super().__init__()
        self._name, self._token, self._size = name, token, size
        self._redraw_icon()
        theme().changed.connect(self._redraw_icon)

    def set_icon(self, name: str, token: str) -> None:
        """Set the icon by its name and its colour by the name in the theme, and redraw it if one of them changed."""
        if (name, token) != (self._name, self._token):
            self._name, self._token = name, token
            self._redraw_icon()

    def set_severity(self, severity: str) -> None:
        """Show the icon of a severity, such as ``green`` or ``blocks``, in its colour."""
        icon = SEVERITY_ICONS[severity]
        self.set_icon(icon, SEVERITY_TOKENS[icon])

    def _redraw_icon(self) -> None:
        """Draw the icon again for theme and text size, and fix the label at the icon's size."""
        pixmap = theme().pixmap(self._name, self._token, self._size)
        self.setPixmap(pixmap)
        self.setFixedSize(pixmap.deviceIndependentSize().toSize())


class Severity(QWidget):
    """A severity shown as icon, colour and word, so that colour alone carries no meaning.

    Parameters
    ----------
    wrap
        Whether the text is a sentence that may wrap.
    """

    def __init__(self, severity: str, word: str, *, wrap: bool = False) -> None:
        super().__init__()
        self._icon = IconLabel("note")
        self._word = Text("", semibold=True, wrap=wrap)
        row = hbox(self._icon, on=self)
        if wrap:
            row.addWidget(self._word, 1)
        else:
            add_parts(row, self._word, STRETCH)
        self.set(severity, word)

    @property
    def word(self) -> str:
        """The severity in words, as shown beside the icon."""
        return self._word.text()

    def set(self, severity: str, word: str) -> None:
        """Show icon and colour of a severity such as ``green`` or ``blocks``, and the word in that colour."""
        self._icon.set_severity(severity)
        self._word.set_tone(SEVERITY_TOKENS[SEVERITY_ICONS[severity]])
        self._word.setText(word)


class Card(QFrame):
    """A surface with a thin outline, a title and a caption; ``body`` is its layout, ``topic`` its help topic."""

    def __init__(self, title: str = "", caption: str = "", *, name: str = "", topic: str | None = None) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setProperty("topic", topic)
        self.setProperty("card", True)
        self.body = vbox(on=self, margins=(14, 14, 14, 14), gap=8)
        self.title = Heading(title, semibold=True)
        self.caption = Text(caption, tone="text2", factor=0.95)
        # Into the card first: a widget without a parent that is made visible is a window of its own.
        add_parts(self.body, self.title, self.caption)
        self.set_title(title, caption)

    def accessible_info(self) -> AccessibleInfo:
        """Return what a screen reader says: a group named by its accessible name, or by its title if it has none."""
        return AccessibleInfo(Role.Grouping, name=self.accessibleName() or self.title.text())

    def showEvent(self, event: QShowEvent) -> None:
        """Put the widgets of the card into the order that screen readers follow; the Tab order stays."""
        super().showEvent(event)
        reorder_for_reading(self.body)

    def set_title(self, title: str, caption: str | None = None) -> None:
        """Set the title and the caption below it; "" hides either, and None leaves the caption as it is."""
        self.title.show_text(title)
        if caption is not None:
            self.caption.show_text(caption)


class Strip(FitsOnResize, QFrame):
    """A message with icon, sentence and buttons. Its kind is ``note``, ``amber``, ``blocks`` or ``passed``."""

    def __init__(self, kind: str = "note", text: str = "", *buttons: QPushButton, name: str = "") -> None:
        super().__init__()
        self.setObjectName(name)
        self._box = hbox(on=self, margins=(8, 8, 8, 8))
        self._icon = IconLabel("note")
        self.text = Text(text)
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._buttons = Flow(at_top=True)
        self._buttons.hide()
        add_parts(self._box, stretch_part(hbox(align_top(self._icon), stretch_part(self.text))), self._buttons)
        theme().changed.connect(self._adapt_to_size)
        self.set(kind, text)
        for button in buttons:
            self.add_button(button)

    def accessible_info(self) -> AccessibleInfo:
        """Return what a screen reader says: a notification, read when it appears."""
        return AccessibleInfo(Role.Notification)

    def set(self, kind: str, text: str) -> None:
        """Show a message with the colour and icon of its kind; an empty message hides the strip.

        A screen reader announces the message if it is new and the strip is visible.
        """
        is_news = text != self.text.text()
        restyle(self, "strip", kind)
        self._icon.set_severity(kind)
        self._icon.setAccessibleName(label_severity(kind))
        self.text.setText(text)
        self.setAccessibleName(text)
        if text and self.parent() is None:
            # Seen as soon as it is in a page; alone it would be a window of its own.
            self.setAttribute(Qt.WidgetAttribute.WA_WState_ExplicitShowHide, False)
        else:
            self.setVisible(bool(text))
        if is_news and self.isVisible():
            announce(self, text)

    def add_button(self, button: QPushButton) -> None:
        """Add a button at the right end of the strip, or below the text if the text would become too narrow."""
        self._buttons.add(button)
        self._buttons.show()
        self._adapt_to_size()

    def _adapt_to_size(self) -> None:
        """Put the buttons to the right of the text, or below it if the text would be narrower than 180 px.

        The width is measured at 100 % text size.
        """
        around = self._box.contentsMargins()
        wide = 0 if self._buttons.isHidden() else self._buttons.sizeHint().width()
        needed = wide + self._icon.width() + around.left() + around.right()
        down = wide > 0 and self.width() - needed < theme().px(_LEAST_TEXT)
        across, below = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._box.setDirection(below if down else across)
        self._buttons.setMinimumWidth(0 if down else wide)

    def event(self, event: QEvent) -> bool:
        """Place the buttons again when one came, went or changed its label; return whether the event was handled."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._adapt_to_size()
        return super().event(event)


class Together(QWidget):
    """Groups parts that a screen reader reads as one, such as a figure with its unit; needs an accessible name."""

    accessible_info = as_group


class Holder(Panel):
    """Contains the widgets that are the lines of a list.

    Parameters
    ----------
    name, label
        Object name and accessible name.
    """

    accessible_info = as_list


def clear_layout(layout: QLayout) -> None:
    """Remove all widgets, spaces and inner layouts of a layout; the layout itself stays.

    Widgets are hidden at once, and deleted when the event loop gets to it.
    """
    while (item := layout.takeAt(0)) is not None:
        if (widget := item.widget()) is not None:
            widget.hide()
            widget.deleteLater()
        elif (inner := item.layout()) is not None:
            clear_layout(inner)


class FailureStrip(Strip):
    """Red message that says why a job failed; it contains no cell values.

    Parameters
    ----------
    name
        Object name.
    disk
        Sentence on what is on disk after a failed job of this page.
    """

    def __init__(self, *, name: str, disk: str = "") -> None:
        super().__init__("blocks", name=name)
        self._disk = disk or _("Nothing was written. The original is unchanged.")
        self._details = ""
        self.add_button(Button(_("Copy details"), name=f"{name}_copy", link=True, clicked=self._on_copy))
        self.add_button(Button(_("Close"), name=f"{name}_close", link=True, clicked=self.clear))

    def set_outcome(self, outcome: TaskOutcome) -> None:
        """Show why a job failed; hide the message if the job succeeded or was cancelled.

        The error is shown with its sentence and remedy.
        """
        if outcome.error is None:
            self.clear()
        else:
            self.set_error(outcome.error)

    def set_error(self, error: PpdmError) -> None:
        """Show an error: where it occurred, what it is, what is on disk, and what would help.

        The text that the user can copy is the error's line for logs.
        """
        text = render(error.id, error.arguments)
        self._details = error.log_line()
        self.set("blocks", "\n".join(filter(None, (describe_location(error), text.sentence, self._disk, text.window))))

    def clear(self) -> None:
        """Hide the strip."""
        self.set("blocks", "")

    def _on_copy(self) -> None:
        """Copy the details of the failure to the clipboard."""
        copy_text(self._details)
