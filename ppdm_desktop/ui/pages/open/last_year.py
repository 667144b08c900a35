"""Card on what became of each column of last year's project; the user can undo the transfer of each decision."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Signal

from ppdm_desktop.engine.release.start_like import Started, to_row_texts
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.ui.look.accessibility import join_label
from ppdm_desktop.ui.models.rows_model import RowsModel
from ppdm_desktop.ui.widgets.basic import Card
from ppdm_desktop.ui.widgets.inputs import Choice, check_box
from ppdm_desktop.ui.widgets.tables.form_table import FormTable


class LastYearCard(Card):
    """Table with the columns of an earlier project, and a box for each whose decisions are carried over.

    Signals
    -------
    changed
        (earlier columns that are not carried over, new column for each earlier column that the user matched by hand).
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
        self._model = RowsModel(["", _("Last time"), _("Now"), _("Because of"), _("What differs")])
        self.table = FormTable(
            self._model, name="table_last_year", label=_("Columns of last year"), stretch=4, controls=True
        )
        self.table.set_width(0, 44)
        self.table.set_width(2, 120)
        self.table.setWordWrap(True)
        self.body.addWidget(self.table)
        self.clear()

    def clear(self) -> None:
        """Hide the card, and forget which columns the user excluded or matched by hand."""
        self._undone: set[str] = set()
        self._chosen: dict[str, str] = {}
        self.hide()

    def show_started(self, started: Started) -> None:
        """Show the card, with a row for each column of last year's project as matched to this file (``started``).

        A row has a box, ticked if its decisions are carried over; an earlier column without any to carry over has none,
        unless the user just excluded it. An earlier column to which several new ones are similar has a choice of the
        new columns that are still free; one without a similar column has none.
        """
        taken = {row.match.new for row in started.rows}
        free = [name for name in started.reading.table.names if name not in taken]
        self._model.set_rows([])  # the controls go with the rows
        self._model.set_rows([("", *to_row_texts(row)) for row in started.rows])
        for index, row in enumerate(started.rows):
            old = row.match.old
            if row.is_carried or old in self._undone:
                tick = check_box(name=f"check_last_year_{old}", checked=row.is_carried)
                tick.setAccessibleName(old)
                tick.toggled.connect(partial(self._on_ticked, old))
                self.table.put(index, 0, tick)
            if row.match.why == "asked" and not row.match.new:
                choice = Choice(name=f"choice_last_year_{old}", label=join_label(_("Now"), old))
                choice.set_choices([("", _("Please choose")), *((name, name) for name in free)], "")
                choice.picked.connect(partial(self._on_chosen, old))
                self.table.put(index, 2, choice)
        self.show()

    def _on_chosen(self, old: str, name: str) -> None:
        """Store ``name`` as the new column for the earlier column ``old``, and send ``changed``; nothing for ""."""
        if name:
            self._chosen[old] = name
            self.changed.emit(frozenset(self._undone), dict(self._chosen))

    def _on_ticked(self, old: str, is_on: bool) -> None:
        """Store whether the decisions on an earlier column (``old``) are carried over, and send ``changed``."""
        (self._undone.discard if is_on else self._undone.add)(old)
        self.changed.emit(frozenset(self._undone), dict(self._chosen))
