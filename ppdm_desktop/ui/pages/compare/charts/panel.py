"""Pairs of columns before and after: the matrices, the selected pair, and covariances of numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout

from ppdm_desktop.engine.utility.associations import Associations
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.ui.charts.matrix_row import MatrixRow
from ppdm_desktop.ui.charts.numbers import format_signed_change, format_strength, plain_number
from ppdm_desktop.ui.page import Context
from ppdm_desktop.ui.pages.compare.charts.detail import count_pair
from ppdm_desktop.ui.pages.compare.charts.pair import pair_card
from ppdm_desktop.ui.pages.compare.charts.pairs import PairsCard, pairs_chart
from ppdm_desktop.ui.state.finished_candidates import require_evaluation
from ppdm_desktop.ui.state.session import CandidateEntry
from ppdm_desktop.ui.widgets.basic import Card, Text, clear_layout
from ppdm_desktop.ui.widgets.layout import Panel, add_parts, vbox
from ppdm_desktop.ui.widgets.tables.form_table import make_table
from ppdm_desktop.ui.work.chunked_work import ChunkedWork
from ppdm_desktop.ui.work.tasks import TaskOutcome


def _compute_covariance_change(associations: Associations, i: int, j: int) -> float:
    """Return the size of a covariance's change, in units of the product of both standard deviations before.

    The result is NaN if one column did not vary before, or if the covariance before or after was not measured.

    Parameters
    ----------
    associations
        Associations of all pairs.
    i, j
        Indices of two number columns in ``associations.numeric``; i = j stands for a variance.
    """
    before, after = associations.covariance_before, associations.covariance_after
    scale = float(before[i, i] * before[j, j]) ** 0.5
    return abs(float(after[i, j] - before[i, j])) / scale if scale > 0 else float("nan")


def _rank_number_pairs(associations: Associations) -> list[tuple[float, int, int]]:
    """Return (change, i, j) for each pair of number columns, largest change of covariance first; change -1 if unknown.

    ``i`` and ``j`` (i ≤ j) are indices into ``associations.numeric``; i = j stands for the variance of a column.
    """
    size = len(associations.numeric)
    pairs = [(_compute_covariance_change(associations, i, j), i, j) for i in range(size) for j in range(i, size)]
    sortable = [(moved if moved == moved else -1.0, i, j) for moved, i, j in pairs]
    return sorted(sortable, key=lambda pair: -round(pair[0], 9))


def numbers_rows(associations: Associations) -> list[tuple[str, ...]]:
    """Return a table row for each pair of number columns, largest change of covariance first.

    The order is that of ``_rank_number_pairs``. A row has both columns, then before, after and change (after less
    before) of the correlation, then the same of the covariance. A column with itself is a row, too: its second text is
    "(variance)", its correlations are "", and its covariance is the variance. Unknown figures are a dash.
    """
    index_of = {name: index for index, name in enumerate(associations.names)}
    rows: list[tuple[str, ...]] = []
    for _unused, i, j in _rank_number_pairs(associations):
        first, second = associations.numeric[i], associations.numeric[j]
        a, b = index_of[first], index_of[second]
        before, after = float(associations.covariance_before[i, j]), float(associations.covariance_after[i, j])
        both_measured = before == before and after == after
        rows.append(
            (
                first,
                _("(variance)") if i == j else second,
                "" if i == j else format_strength(float(associations.before[a, b])),
                "" if i == j else format_strength(float(associations.after[a, b])),
                "" if i == j else format_signed_change(float(associations.after[a, b] - associations.before[a, b])),
                plain_number(before) if before == before else "–",
                plain_number(after) if after == after else "–",
                plain_number(after - before) if both_measured else "–",
            )
        )
    return rows


class NumbersCard(Card):
    """Table with correlation and covariance of each pair of number columns, before and after."""

    def __init__(self, associations: Associations) -> None:
        super().__init__(_("Spread and covariance of the number columns"), name="card_numbers_change")
        correlation, covariance = (
            (_("Correlation"), _("after"), _("change")),
            (_("Covariance"), _("after"), _("change")),
        )
        self.table = make_table(
            (_("Column"), _("With"), *correlation, *covariance),
            numbers_rows(associations),
            right=(2, 3, 4, 5, 6, 7),
            name="table_numbers_change",
            label=self.title.text(),
            stretch=-1,
            most_rows=10,
        )
        self.table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        text = _(
            "Pearson’s correlation and covariance (divided by n − 1) of all records that have both numbers. "
            "A covariance has the units of both columns, multiplied. The largest change comes first, measured "
            "in original standard deviations."
        )
        add_parts(self.body, self.table, Text(text, tone="text3", factor=0.85))


PAIR_JOB = "pair"


class PairsPanel(Panel):
    """Pairs of a candidate's columns before and after; the pair that changed most is selected at first."""

    def __init__(self, context: Context) -> None:
        super().__init__(name="panel_pairs")
        self._context = context
        self._entry: CandidateEntry | None = None
        self._asked_for: CandidateEntry | None = None
        self._associations: Associations | None = None
        self._chunks = ChunkedWork(self)
        self._chart: MatrixRow | None = None
        self._none = Text(_("Not measured: one column has a single value, or too few records have both."), tone="text2")
        column = vbox(Text(_("Relationships between columns"), factor=1.15, semibold=True), self._none, on=self, gap=12)
        self._matrix, self._pair, self._numbers = QVBoxLayout(), QVBoxLayout(), QVBoxLayout()
        for panel in (self._matrix, self._pair, self._numbers):
            column.addLayout(panel)
        self._wait = Text("", tone="text2", name="label_pair_wait")
        self._wait.hide()
        column.insertWidget(3, self._wait)

    def forget(self) -> None:
        """Remove all cards of pairs, stop building further ones, and show the text that nothing was measured.

        The result of a comparison that still runs is ignored.
        """
        self._chunks.stop()
        self._entry = self._asked_for = None
        self._associations, self._chart = None, None
        for panel in (self._matrix, self._pair, self._numbers):
            clear_layout(panel)
        self._wait.hide()
        self._none.show()

    def show_entry(self, entry: CandidateEntry) -> None:
        """Show the associations of all pairs of a candidate's columns, piece by piece, or a text if none were measured.

        Cards and messages shown before are removed first. If there are at least two number columns, their correlations
        and covariances are listed as well. Last, the pair that changed most is shown in detail, as by ``look_into``.
        """
        self._entry = entry
        measures = require_evaluation(entry).measures
        self._associations = associations = measures.associations
        for panel in (self._matrix, self._pair, self._numbers):
            clear_layout(panel)
        self._none.setVisible(associations is None)
        self._wait.hide()
        self._chunks.stop()
        if associations is None:
            return
        ranges = [column.name for column in measures.generalised if column.name in associations.names]
        pieces: list[Callable[[], object]] = [
            partial(self._make_matrices, associations, entry.display_name),
            partial(self._make_card, associations, entry.display_name, ranges),
        ]
        if len(associations.numeric) > 1:
            pieces.append(partial(self._add_numbers, associations))
        most = associations.largest_change()
        if most is not None:
            pieces.append(partial(self.look_into, associations.names[most[0]], associations.names[most[1]]))
        self._chunks.start(pieces)

    def _make_matrices(self, associations: Associations, name: str) -> None:
        """Create the three empty matrices for associations; ``name`` is the candidate's name."""
        self._chart = pairs_chart(associations, name)

    def _make_card(self, associations: Associations, name: str, ranges: Sequence[str]) -> None:
        """Create the card of all pairs, which is filled piece by piece before other waiting work, and then shown.

        Parameters
        ----------
        associations
            Associations of all pairs.
        name
            Name of the candidate.
        ranges
            Names of generalised columns.
        """
        card = PairsCard(associations, name, ranges, chart=self._chart, filled=False)
        card.pair_chosen.connect(self.look_into)
        self._chart = None
        self._chunks.first([*card.pieces(), partial(self._matrix.addWidget, card)])

    def _add_numbers(self, associations: Associations) -> None:
        """Add the card with correlation and covariance of the number columns."""
        self._numbers.addWidget(NumbersCard(associations))

    def look_into(self, first: str, second: str) -> None:
        """Compute what is drawn for a pair of columns (their names) in the background, and show its card afterwards.

        Nothing happens without a finished candidate.
        """
        entry = self._entry
        if entry is None or entry.candidate is None:
            return
        self._asked_for = entry
        self._wait.setText(_("Measuring"))
        self._wait.show()
        self._context.runner.start(PAIR_JOB, partial(count_pair, entry.candidate, first, second), self._on_pair)

    def _on_pair(self, outcome: TaskOutcome) -> None:
        """Show how two columns relate before and after, or that the comparison failed or was stopped.

        The former card then stays below that text. Nothing happens if another candidate is shown by now.
        """
        if self._asked_for is not self._entry or self._associations is None or self._entry is None:
            return
        if not outcome.ok:
            stopped = _("Stopped. Nothing of this run is kept.")
            self._wait.setText(stopped if outcome.cancelled else outcome.message)
            return
        self._wait.hide()
        clear_layout(self._pair)
        self._pair.addWidget(pair_card(outcome.result, self._associations, self._entry.display_name))
