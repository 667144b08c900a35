"""Which two columns together single people out, as a triangle."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from PySide6.QtCore import Signal

from ppdm_desktop.engine.identifiability.pairs import Pairs
from ppdm_desktop.engine.wording.catalogue import say
from ppdm_desktop.ui.charts.card import ChartCard
from ppdm_desktop.ui.charts.matrix.chart import MatrixChart, MatrixLegend
from ppdm_desktop.ui.models.rows_model import RowsModel
from ppdm_desktop.ui.pages.risk.words import pairs_title
from ppdm_desktop.ui.state.number_words import count, shorten_common_prefix
from ppdm_desktop.ui.widgets.basic import Text
from ppdm_desktop.ui.widgets.batch_visibility import at_once

# Fixed, so that what would be can be held against what is.
EDGES = (1, 5, 20, 50, 100, 500, 5000)
_MOST_IN_TABLE = 500


def _band_labels() -> list[str]:
    """Return the legend's words: whole numbers of people."""
    inner = [count(low) if low + 1 == high else f"{count(low)}–{count(high - 1)}" for low, high in pairwise(EDGES)]
    return ["0", *inner, f"{count(EDGES[-1])}+"]


class PairsCard(ChartCard):
    """A triangle of all pairs of columns.

    Signals
    -------
    people_wanted
        (names) show the people who are alone by these two columns.
    """

    people_wanted = Signal(object)

    def __init__(self) -> None:
        words = say("risk", "People who are unique from two columns")
        model = RowsModel([say("risk", "Column"), say("risk", "With"), say("risk", "Unique people")], right=(2,))
        self.map = MatrixChart(name="heat_pairs", words=words)
        super().__init__("pairs", self.map, model, words=words)
        self.setProperty("topic", "figure.unique")
        self.bands = MatrixLegend(words)
        self.bands.set_bands(EDGES, "risk", _band_labels())
        self.legend.addWidget(self.bands)
        self._wait = Text(say("risk", "The pairs are being counted."), tone="text2")
        self._wait.setObjectName("label_pairs_wait")
        self.body.insertWidget(2, self._wait)
        self._pairs: Pairs | None = None
        self.map.chosen.connect(self._on_chosen)
        self.show_pairs(None, 0)

    def show_pairs(self, found: Pairs | None, records: int) -> None:
        """Show the pairs; None while they are being counted."""
        with at_once(self):
            self._show_pairs(found, records)

    def _show_pairs(self, found: Pairs | None, records: int) -> None:
        self._pairs = found
        there = found is not None and len(found.scope) > 1
        self._wait.setVisible(found is None)
        self.bands.setVisible(there)
        self.map.setVisible(there and not self.button.isChecked())
        self.table.setVisible(there and self.button.isChecked())
        for button in (self.button, self.keep):
            button.setVisible(there)
        if found is None:
            self.set_title(say("risk", "People who are unique from two columns"), "")
            self.set_print("")
            return
        title = pairs_title(found)
        if not there:
            self.set_title(title, say("risk", "Only one column is marked as known to others, so there are no pairs."))
            self.set_print("")
            return
        self.set_title(title, say("risk", "People who are unique from two columns, out of {n}", n=int(records)))
        below = np.tril(np.ones(found.alone.shape, dtype=np.bool_), -1)
        values = np.where(below, found.alone, np.nan)[1:, :-1]
        texts = [["" if np.isnan(value) else count(value) for value in row] for row in values]
        self.map.set_matrix(found.scope[1:], found.scope[:-1], values, texts, EDGES, "risk", title)
        best = found.strongest()
        if best is not None:
            self.map.set_current(best[0] - 1, best[1])
        names = shorten_common_prefix(found.scope)
        pairs = [
            (int(found.alone[row, column]), names[column], names[row])
            for row in range(1, len(found.scope))
            for column in range(row)
        ]
        pairs.sort(key=lambda each: -each[0])
        self.model.set_rows([(one, other, count(people)) for people, one, other in pairs[:_MOST_IN_TABLE]])
        self.set_print(say("risk", "people who are unique from these two columns · click a cell to list them"))

    def _on_chosen(self, row: int, column: int) -> None:
        if self._pairs is not None:
            self.people_wanted.emit((self._pairs.scope[column], self._pairs.scope[row + 1]))
