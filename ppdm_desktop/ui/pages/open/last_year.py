"""Card with what became of each column of last year's project, each of which can be undone."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableWidget, QTableWidgetItem

from ppdm_desktop.engine.release.start_like import Row, Started, row_words
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.values import Name
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.widgets.basic import Card
from ppdm_desktop.ui.widgets.inputs import Choice
from ppdm_desktop.ui.work.chunked_work import timer

_ROWS_SHOWN = 8


class LastYearCard(Card):
    """Table of earlier columns, with a tick for what is carried over.

    Signals
    -------
    changed
        (earlier columns that are not to be carried, new column that a person named for others).
    """

    changed = Signal(object, object)

    def __init__(self) -> None:
        super().__init__(
            _("Start from last year"),
            _(
                "Take the tick away to undo a row. What differs waits for you on the Columns page. Reasons have to be "
                "written again."
            ),
            name="card_last_year",
        )
        self._undone: set[str] = set()
        self._chosen: dict[str, str] = {}
        self._rows: tuple[Row, ...] = ()
        self.table = QTableWidget(0, 4)
        self.table.setObjectName("table_last_year")
        self.table.setAccessibleName(_("Columns of last year"))
        self.table.setHorizontalHeaderLabels([_("Last time"), _("Now"), _("Because of"), _("What differs")])
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.verticalHeader().hide()
        # Row heights are known once the new width and text size have reached the table.
        self._later = timer(self, 0, self._fit_height)
        theme().changed.connect(self._later.start)
        self.table.setWordWrap(True)
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(3, QHeaderView.ResizeMode.Stretch)
        self.table.itemChanged.connect(self._on_ticked)
        self.body.addWidget(self.table)
        self.hide()

    def clear(self) -> None:
        """Hide the card and forget what was undone."""
        self._undone, self._chosen, self._rows = set(), {}, ()
        self.hide()

    def show_started(self, started: Started) -> None:
        """Show what became of each earlier column."""
        self._rows = started.rows
        taken = {row.match.new for row in started.rows}
        free = [name for name in started.reading.table.names if name not in taken]
        self.table.blockSignals(True)
        self.table.setRowCount(len(started.rows))
        for index, row in enumerate(started.rows):
            items = [QTableWidgetItem(text) for text in row_words(row)]
            for column, item in enumerate(items):
                self.table.setItem(index, column, item)
            item = items[0]
            if row.is_carried or row.match.old in self._undone:
                item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
                item.setCheckState(Qt.CheckState.Checked if row.is_carried else Qt.CheckState.Unchecked)
            if row.match.why == "asked" and not row.match.new:
                self.table.setCellWidget(index, 1, self._choice(row.match.old, free))
            else:
                self.table.removeCellWidget(index, 1)
        self.table.blockSignals(False)
        self.show()
        self._later.start()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Adapt the height of the table to lines that wrap."""
        super().resizeEvent(event)
        self._later.start()

    def _fit_height(self) -> None:
        """Make the table as high as its first rows."""
        self.table.resizeColumnsToContents()
        self.table.resizeRowsToContents()
        high = self.table.horizontalHeader().sizeHint().height() + 2 * self.table.frameWidth() + theme().px(4)
        heights = [self.table.rowHeight(index) for index in range(min(self.table.rowCount(), _ROWS_SHOWN))]
        if self.table.height() != high + sum(heights):
            self.table.setFixedHeight(high + sum(heights))

    def _choice(self, old: str, free: list[str]) -> Choice:
        """Return the list of new columns that an earlier one may be."""
        choice = Choice(name=f"choice_last_year_{old}", label=_("Which column is {name} now?", name=Name(old)))
        choice.set_choices([("", _("Please choose")), *((name, name) for name in free)], "")
        choice.picked.connect(partial(self._on_chosen, old))
        return choice

    def _on_chosen(self, old: str, name: str) -> None:
        if name:
            self._chosen[old] = name
            self.changed.emit(frozenset(self._undone), dict(self._chosen))

    def _on_ticked(self, item: QTableWidgetItem) -> None:
        old = self._rows[item.row()].match.old
        if item.checkState() == Qt.CheckState.Checked:
            self._undone.discard(old)
        else:
            self._undone.add(old)
        self.changed.emit(frozenset(self._undone), dict(self._chosen))
