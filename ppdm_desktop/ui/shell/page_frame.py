"""The title bar above a page, the action bar below it, and the widget between them that holds page and help."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QStackedWidget, QWidget

from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.ui.look.accessibility import announce, join_label
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.page import Page, Primary
from ppdm_desktop.ui.shell.help import HelpDrawer
from ppdm_desktop.ui.widgets.basic import IconLabel, Text, label_severity
from ppdm_desktop.ui.widgets.buttons import Button, IconButton
from ppdm_desktop.ui.widgets.elided import ElidedHeading
from ppdm_desktop.ui.widgets.folding import split_in_two_lines
from ppdm_desktop.ui.widgets.layout import FitsOnResize, add_parts, hbox, stretch_part, vbox
from ppdm_desktop.ui.widgets.scrolling import Area

_SHARED_AFTER = {QEvent.Type.Resize, QEvent.Type.ShowToParent, QEvent.Type.HideToParent}


class PageArea(QWidget):
    """Holds the page and the help drawer, between title bar and action bar.

    A page never scrolls sideways because of the help: if it would have to, it keeps its width, and the help covers its
    right side until the help is closed.
    """

    def __init__(self, stack: QStackedWidget, drawer: HelpDrawer) -> None:
        super().__init__()
        self._stack, self._drawer = stack, drawer
        for widget in (stack, drawer):
            widget.setParent(self)
        drawer.hide()
        drawer.installEventFilter(self)
        stack.currentChanged.connect(self.fit)
        theme().changed.connect(self.fit)

    def watch(self, area: Area) -> None:
        """Arrange page and help again whenever this scroll area would begin or cease to scroll sideways."""
        area.horizontalScrollBar().rangeChanged.connect(self.fit)

    @property
    def is_over(self) -> bool:
        """Whether the open help covers part of the page instead of standing beside it."""
        return not self._drawer.isHidden() and self._stack.width() == self.width()

    def covers(self, widget: QWidget) -> bool:
        """Return whether the help drawer hides a widget completely; False for widgets of the drawer itself."""
        if not self.is_over or self._drawer.isAncestorOf(widget):
            return False
        return widget.mapTo(self, QPoint(0, 0)).x() >= self._drawer.x()

    def sizeHint(self) -> QSize:
        """Return the preferred size of the pages."""
        return self._stack.sizeHint()

    def minimumSizeHint(self) -> QSize:
        """Return the minimum size of the pages."""
        return self._stack.minimumSizeHint()

    def fit(self) -> None:
        """Place page and help side by side, or the help over the right side of a page that would scroll sideways.

        Without open help the page has the whole area.
        """
        wide, high, help = self.width(), self.height(), self._drawer.width()
        side_by_side = not self._drawer.isHidden() and self._find_least_width() <= wide - help
        self._stack.setGeometry(0, 0, wide - help if side_by_side else wide, high)
        self._drawer.setGeometry(wide - help, 0, help, high)
        self._drawer.raise_()

    def _find_least_width(self) -> int:
        """Return the width in pixels below which the current page would scroll sideways.

        It is 0 if the page is in no scroll area.
        """
        area = self._stack.currentWidget()
        if not isinstance(area, QScrollArea) or (page := area.widget()) is None:
            return 0
        least = page.minimumWidth() or page.minimumSizeHint().width()
        return least + area.verticalScrollBar().sizeHint().width()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Arrange page and help when the help is shown, hidden or resized; return whether Qt should drop the event."""
        if watched is self._drawer and event.type() in _SHARED_AFTER:
            self.fit()
        return super().eventFilter(watched, event)

    def event(self, event: QEvent) -> bool:
        """Arrange page and help when one of them needs another size; return whether the event was handled."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.fit()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Place page and help for the new size."""
        super().resizeEvent(event)
        self.fit()


class PageHead(FitsOnResize, QFrame):
    """Bar with title and purpose of the page and buttons: undo, redo, save, check the file, settings, help."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("page_head")
        self._check_label = _("How identifiable is this file?")
        self._tight = False
        self._title = ElidedHeading(factor=1.45, semibold=True)
        self._purpose = Text("", tone="text2")
        texts = self._texts = vbox(self._title, self._purpose, gap=0)
        row = self._row = hbox(stretch_part(texts), on=self, margins=(20, 8, 16, 8))
        self.button_undo = IconButton("undo", _("Undo"), name="button_undo")
        self.button_redo = IconButton("redo", _("Redo"), name="button_redo")
        self.button_save = IconButton("save", _("Save the project (Ctrl+S)"), name="button_save_project")
        self.button_check_file = Button(self._check_label, name="button_check_file", icon="search")
        self.button_settings = IconButton("gear", _("Settings"), name="button_settings")
        self.button_help = IconButton("help", _("Help (F1)"), name="button_help")
        add_parts(row, self.button_undo, self.button_redo, self.button_save, self.button_check_file)
        add_parts(row, self.button_settings, self.button_help)

    def show_page(self, page: Page) -> None:
        """Show a page's title and purpose."""
        self._title.setText(page.title())
        self._purpose.setText(page.purpose())
        self._adapt_to_size()

    def show_history(self, undo: str | None, redo: str | None) -> None:
        """Enable undo and redo, and show in their tooltips what they would do ("Undo: Protection levels").

        None disables the button.
        """
        self.button_undo.setEnabled(undo is not None)
        self.button_redo.setEnabled(redo is not None)
        self.button_undo.set_label(join_label(_("Undo"), undo) if undo else _("Undo"))
        self.button_redo.set_label(join_label(_("Redo"), redo) if redo else _("Redo"))

    def fit(self, *, low: bool, tight: bool) -> None:
        """Hide the page's purpose if the window is ``low``, and the text of the check button if it is ``tight``.

        Otherwise they are shown; but the button's text stays hidden if it would cut off the page's title.
        """
        self._tight = tight
        self._purpose.setVisible(not low)
        self.button_check_file.setAccessibleName(self._check_label)
        self._adapt_to_size()

    def _adapt_to_size(self) -> None:
        """Show the check button without its label if the window is narrow or the label would cut off the page's title.

        Without the label, the label is the tooltip.
        """
        # Measured with its words: without them the button keeps less room around its icon, too.
        self.button_check_file.show_label(self._check_label)
        # A new title dirties the outer layout only: this one would answer with what the title before needed.
        self._texts.invalidate()
        tight = self._tight or self._row.sizeHint().width() - self._compute_purpose_excess() > self.width()
        self.button_check_file.show_label(self._check_label, compact=tight)

    def _compute_purpose_excess(self) -> int:
        """Return by how many pixels the page's purpose is wider than its title; 0 if it is not wider or is hidden."""
        if self._purpose.isHidden():
            return 0
        return max(self._purpose.sizeHint().width() - self._title.sizeHint().width(), 0)


class ActionBar(FitsOnResize, QFrame):
    """Bar with Back, a message, Cancel, and the primary button of the page."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("action_bar")
        self._back_label, self._next_label = _("Back"), ""
        row = self._row = hbox(on=self, margins=(20, 8, 20, 8))
        self.button_back = Button(self._back_label, name="button_back", icon="back", label=self._back_label)
        self._icon = IconLabel("note", "accent")
        self.label_status = Text("", semibold=True, name="label_status")
        self.button_cancel = Button(_("Cancel"), name="button_cancel_job", icon="close")
        self.button_cancel.hide()
        self.button_next = Button("", name="button_next", primary=True)
        add_parts(
            row, self.button_back, self._icon, stretch_part(self.label_status), self.button_cancel, self.button_next
        )

    def show_primary(self, wish: Primary | None) -> None:
        """Show the page's primary button as described by ``wish``; None hides it.

        If a button that has the focus is disabled, the focus goes to Back.
        """
        self.button_next.setVisible(wish is not None)
        if wish is not None:
            self._next_label = wish.label
            self.button_next.setAccessibleName(wish.label)
            self.button_next.setObjectName(wish.name)
            if not wish.enabled and self.button_next.hasFocus():
                # Qt would take the keyboard to the first step of the rail.
                self.button_back.setFocus()
            self.button_next.setEnabled(wish.enabled)
        self._adapt_to_size()

    def show_cancel(self, *, visible: bool) -> None:
        """Show or hide the button that cancels running work, and adapt the bar if that changed."""
        if self.button_cancel.isHidden() == visible:
            self.button_cancel.setVisible(visible)
            self._adapt_to_size()

    def _adapt_to_size(self) -> None:
        """Hide the label of Back if the message would need more than about two lines, then fit the primary button."""
        back = self.button_back
        # Measured with its word: without it the button keeps less room around its icon, too.
        back.show_label(self._back_label)
        widgets = (self._icon, self.button_cancel, self.button_next)
        needed = sum(widget.sizeHint().width() for widget in widgets if not widget.isHidden())
        around = self._row.contentsMargins()
        gaps = around.left() + around.right() + 4 * self._row.spacing()
        status_width = self.label_status.fontMetrics().horizontalAdvance(self.label_status.text()) // 2
        tight = back.sizeHint().width() + needed + gaps + status_width > self.width()
        back.show_label(self._back_label, compact=tight)
        self._fold_next(gaps)

    def _fold_next(self, gaps: int) -> None:
        """Write the primary button on two lines if a word of the message would otherwise be cut, else on one.

        A label that cannot be split stays on one line. ``gaps`` are the pixels that margins and spacing take.
        """
        button, lines = self.button_next, split_in_two_lines(self._next_label)
        if button.text() != self._next_label:
            button.setText(self._next_label)
        widgets = (self.button_back, self._icon, self.label_status, self.button_cancel)
        least = sum(widget.minimumSizeHint().width() for widget in widgets if not widget.isHidden())
        if lines is not None and least + gaps + button.sizeHint().width() > self.width():
            button.setText("\n".join(lines))

    def show_message(self, message: str, severity: str, *, aloud: bool = True) -> None:
        """Show a message with its severity (``passed``, ``amber``, ``blocks``, ``note``); "" clears the message.

        With ``aloud`` a screen reader says the message at once if it is not the one shown before; pass False for
        messages that change many times a second.
        """
        is_news = aloud and message != self.label_status.text()
        self._icon.setAccessibleName(label_severity(severity))
        self._icon.set_severity(severity)
        self._icon.setVisible(bool(message))
        self.label_status.set_tone({"note": "text2"}.get(severity, severity))
        self.label_status.setText(message)
        self._adapt_to_size()
        if is_news:
            announce(self.label_status, message)
