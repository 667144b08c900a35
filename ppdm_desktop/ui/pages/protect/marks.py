"""The marks of columns: which must stay detailed and which may lose detail. A change restarts the search."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from ppdm_desktop.engine.recipe.models import ATTRIBUTE_ROLES, DetailMark
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.values import Name, Term
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.state.column_decisions import mark_columns, short_name
from ppdm_desktop.ui.state.session import Session
from ppdm_desktop.ui.widgets.basic import Card, Text
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.flow import Flow
from ppdm_desktop.ui.widgets.release_type_card import type_words

_MARKS: tuple[DetailMark, ...] = ("keep", "may-go")


class MarksCard(Card):
    """A chip for each marked column, which removes its mark, and a button that marks another column.

    Signals
    -------
    order_changed
        Chips were added or removed, so the order of the Tab key has to be set again.
    """

    order_changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(name="card_marks")
        self.setAccessibleName(_("What must stay detailed, and what may go"))
        theme().space(self.body, 14, 8, 14, 8, 4)
        self._session = session
        self._shown: object = None
        self._line = Flow()
        self.body.addWidget(self._line)
        self._more: dict[DetailMark, Button] = {}

    def refresh(self) -> None:
        """Show the marks of the recipe."""
        recipe = self._session.decisions.recipe
        marks = {name: section.detail for name, section in recipe.columns.items() if section.detail is not None}
        state = (marks, recipe.release.type, self._unmarked())
        if state == self._shown:
            return
        self._shown = state
        used: QWidget | None = self.window().focusWidget()
        used_mark = used.property("mark") if used is not None and self._line.isAncestorOf(used) else None
        self._line.clear()
        for mark in _MARKS:
            title = _("What must stay detailed") if mark == "keep" else _("May go")
            self._line.add(Text(title, semibold=True, wrap=False))
            for name in (name for name, column_mark in marks.items() if column_mark == mark):
                self._line.add(self._chip(name, mark))
            more = Button(_("+ column"), name=f"button_mark_{mark}", clicked=self._on_more)
            more.setProperty("chip", "add")
            more.setProperty("mark", mark)
            more.setAccessibleDescription(title)
            more.setEnabled(bool(self._unmarked()))
            self._more[mark] = more
            self._line.add(more)
        if recipe.release.type is not None:
            who = _("For: {who}", who=Term(type_words(recipe.release.type)[0]))
            self._line.add(Text(who, tone="text2", factor=0.9, wrap=False))
        if used_mark is not None:
            self._more[used_mark].setFocus()
        self.order_changed.emit()

    @property
    def controls(self) -> list[QPushButton]:
        """The buttons of the card in reading order."""
        return [control for control in self._line.parts if isinstance(control, QPushButton)]

    def _unmarked(self) -> tuple[str, ...]:
        """Return the released columns without a mark, in the order of the file."""
        reading, columns = self._session.reading, self._session.decisions.recipe.columns
        names = reading.table.names if reading is not None else ()
        released = (name for name in names if name in columns and columns[name].role in ATTRIBUTE_ROLES)
        return tuple(name for name in released if columns[name].detail is None)

    def _chip(self, name: str, mark: DetailMark) -> Button:
        """Return the button that removes the mark of a column."""
        text = f"★ {short_name(name)}" if mark == "keep" else short_name(name)
        chip = Button(f"{text}  ×".replace("&", "&&"), name=f"chip_{mark}_{name}", clicked=self._on_chip)
        chip.setProperty("chip", mark)
        chip.setProperty("mark", mark)
        chip.setProperty("column", name)
        chip.setAccessibleName(_("{column}: take the mark away", column=Name(name)))
        return chip

    def _on_chip(self) -> None:
        """Remove the mark of the column whose button was pressed."""
        mark_columns(self._session, [str(self.sender().property("column"))], None)

    def _on_more(self) -> None:
        """Open the list of columns below the button."""
        mark = self.sender().property("mark")
        menu = QMenu(self)
        menu.setObjectName("menu_mark")
        menu.aboutToHide.connect(menu.deleteLater)
        for name in self._unmarked():
            action = QAction(name.replace("&", "&&"), menu)
            action.setData((name, mark))
            menu.addAction(action)
        menu.triggered.connect(self._on_marked)
        menu.popup(self._more[mark].mapToGlobal(QPoint(0, self._more[mark].height())))

    def _on_marked(self, action: QAction) -> None:
        """Mark a column as the menu says: keep its details, or give them up."""
        name, mark = action.data()
        mark_columns(self._session, [name], mark)
