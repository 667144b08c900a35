"""Before and after: how strongly every two columns belong together, as matrices, and one pair looked into."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QCoreApplication, Qt, Signal

from ppdm_desktop.engine.utility.associations import CRAMER, MOST_ROWS, PEARSON, Associations
from ppdm_desktop.ui.charts.card import ChartCard
from ppdm_desktop.ui.charts.matrix.chart import MatrixLegend
from ppdm_desktop.ui.charts.matrix.row import MatrixRow
from ppdm_desktop.ui.charts.numbers import signed, strength
from ppdm_desktop.ui.state.number_words import count
from ppdm_desktop.ui.widgets.basic import Severity, Text
from ppdm_desktop.ui.widgets.tables.frozen_columns_table import NamedRows

STRENGTHS = (0.05, 0.1, 0.2, 0.3, 0.4, 0.6, 0.8)
CHANGES = (-0.3, -0.1, -0.02, 0.02, 0.1, 0.3)
KEPT_BELOW = 0.05
_STILL = 0.02


def _tr(text: str) -> str:
    return QCoreApplication.translate("Compare", text)


def measure_words(kind: str) -> str:
    """Return the exact term of a measure."""
    return {PEARSON: _tr("Pearson"), CRAMER: _tr("Cramér's V")}.get(kind, _tr("Correlation ratio"))


def pair_sentence(found: Associations, first: int, second: int) -> str:
    """Say what became of the tie between two columns."""
    one, other = found.names[first], found.names[second]
    before, after = float(found.before[first, second]), float(found.after[first, second])
    if before != before or after != after:
        words = _tr(
            "The tie between {one} and {other} has no figure: one of them shows a single value, or too few records "
            "have both"
        )
    elif before * after < 0 and min(abs(before), abs(after)) >= _STILL:
        words = _tr("The tie between {one} and {other} turned round, from {before} to {after}")
    elif abs(after) - abs(before) >= _STILL:
        words = _tr("The tie between {one} and {other} rose from {before} to {after}")
    elif abs(before) - abs(after) >= _STILL:
        words = _tr("The tie between {one} and {other} fell from {before} to {after}")
    elif strength(before) == strength(after):
        words = _tr("The tie between {one} and {other} is as strong as before: {before}")
    else:
        words = _tr("The tie between {one} and {other} is nearly as strong as before: {before}, now {after}")
    return words.format(one=one, other=other, before=strength(before), after=strength(after))


def pairs_title(found: Associations) -> str:
    """Say what changed most."""
    most = found.largest_change()
    if most is None:
        return _tr(
            "No two columns can be held against each other: they show a single value, or there are too few records"
        )
    if abs(found.change[most]) < _STILL:
        return _tr("Every tie between two columns is as strong as before, to {least}").format(least=f"{_STILL:g}")
    return pair_sentence(found, *most)


def pairs_chart(found: Associations, name: str) -> MatrixRow:
    """Return the empty matrices of all pairs: before, after, difference."""
    parts = [
        ("before", _tr("Before")),
        ("after", _tr("After, {name}").format(name=name)),
        ("change", _tr("Difference")),
    ]
    return MatrixRow(name="heat_pairs_change", words=pairs_title(found), parts=parts, first="change")


class PairsCard(ChartCard):
    """Strength of every pair: before, after, difference.

    Parameters
    ----------
    ranges
        Columns that are written coarser.
    chart
        The three matrices, where they were made beforehand.
    filled
        Whether the figures are put in at once; otherwise `pieces` does it bit by bit.

    Signals
    -------
    pair_chosen
        Names of the two columns somebody wants to look into.
    """

    pair_chosen = Signal(str, str)

    def __init__(
        self,
        found: Associations,
        name: str,
        ranges: Sequence[str] = (),
        *,
        chart: MatrixRow | None = None,
        filled: bool = True,
    ) -> None:
        title = pairs_title(found)
        chart = pairs_chart(found, name) if chart is None else chart
        headers = [
            self.tr("Column"),
            self.tr("with"),
            self.tr("Before"),
            self.tr("After"),
            self.tr("Difference"),
            self.tr("Measure"),
        ]
        model = NamedRows(headers, right=(2, 3, 4), names=2)
        super().__init__("pairs_change", chart, model, words=title)
        self.setObjectName("card_pairs_change")
        self.set_title(title)
        self._found, self._row = found, chart
        most = found.largest_change()
        shift = abs(float(found.change[most])) if most is not None else 0.0
        kept = shift < KEPT_BELOW
        self.body.insertWidget(
            0, Severity("passed" if kept else "amber", self.tr("Kept") if kept else self.tr("Shifted"))
        )
        self._legends = (MatrixLegend(self.tr("Strength of a tie")), MatrixLegend(self.tr("Difference of strength")))
        self._legends[0].set_bands(STRENGTHS, "amount")
        self._legends[1].set_bands(CHANGES, "diverging")
        for legend in self._legends:
            self.legend.addWidget(legend)
        chart.chosen.connect(self._on_chosen)
        chart.switch.chosen.connect(self._on_switched)
        self._show_legends()
        self.table.setTextElideMode(Qt.TextElideMode.ElideMiddle)  # long names often differ at their ends only
        self.set_print(self._small(found))
        hint = self.tr("A cell shows the pair below.")
        if not kept:
            hint += " " + self.tr("What to do: tell the recipient, or choose settings on Protect that change less.")
        self.body.addWidget(Text(hint, tone="text2", factor=0.9))
        if ranges:
            told = self.tr(
                "Written coarser and compared as words: {names}. Fewer words may look more or less strongly tied than "
                "the values behind them, and ranges that were made for the same groups look more strongly tied."
            )
            self.body.addWidget(Text(told.format(names=", ".join(ranges)), tone="text2", factor=0.9))
        if filled:
            for piece in self.pieces():
                piece()

    def pieces(self) -> list[Callable[[], object]]:
        """Return what puts the figures in, each for a turn of its own."""
        return [*(partial(self._fill, key) for key in self._row.charts), self._fill_table]

    def _fill(self, key: str) -> None:
        found, is_change = self._found, key == "change"
        values = {"before": found.before, "after": found.after, "change": found.change}[key]
        words, edges, palette = (signed, CHANGES, "diverging") if is_change else (strength, STRENGTHS, "amount")
        rows, columns = found.names[1:], found.names[:-1]
        # The lower triangle; without a figure a cell stays empty.
        below = [[values[i + 1, j] if j <= i else float("nan") for j in range(len(columns))] for i in range(len(rows))]
        texts = [["" if each != each else words(float(each)) for each in line] for line in below]
        grid = [[each if is_change else abs(each) for each in line] for line in below]
        chart = self._row.charts[key]
        chart.set_matrix(rows, columns, grid, texts, edges, palette, self.title.text())  # type: ignore[arg-type]
        most = found.largest_change()
        if most is not None:
            chart.set_current(most[1] - 1, most[0])

    def _fill_table(self) -> None:
        self.model.set_rows(pair_rows(self._found))

    def _small(self, found: Associations) -> str:
        parts = [
            self.tr(
                "0: nothing to do with each other, 1: one tells the other. Two numbers: Pearson's correlation; two "
                "columns of categories: Cramér's V; a number and categories: the correlation ratio, both corrected "
                "for chance. Records with a missing or hidden value take no part."
            )
        ]
        if any(found.change[i, j] != found.change[i, j] for i in range(len(found.names)) for j in range(i)):
            parts.append(
                self.tr("A pair without a figure has an empty cell: a column shows one value, or too few have both.")
            )
        if max(found.rows_before, found.rows_after) >= MOST_ROWS:
            parts.append(self.tr("Pairs with categories: {n} rows, drawn once.").format(n=count(MOST_ROWS)))
        if found.left_out:
            words = self.tr("Left out: {names}.")
            parts.append(words.format(names=", ".join(found.left_out[:6]) + (" …" if len(found.left_out) > 6 else "")))
        return " ".join(parts)

    def _on_chosen(self, row: int, column: int) -> None:
        self.pair_chosen.emit(self._found.names[column], self._found.names[row + 1])

    def _on_switched(self, _key: str) -> None:
        self._show_legends()

    def _show_legends(self) -> None:
        """Show the legend of the strengths, of the difference, or both."""
        together = self._row.together
        self._legends[0].setVisible(together or self._row.switch.current != "change")
        self._legends[1].setVisible(together or self._row.switch.current == "change")

    def resizeEvent(self, event: object) -> None:
        """Show the legends of what there is room for."""
        super().resizeEvent(event)  # type: ignore[arg-type]
        self._show_legends()


def pair_rows(found: Associations) -> list[tuple[str, ...]]:
    """Return every pair as a table, largest change first."""
    rows = []
    size = len(found.names)
    for i in range(size):
        for j in range(i + 1, size):
            change = float(found.change[i, j])
            figures = (strength(float(found.before[i, j])), strength(float(found.after[i, j])), signed(change))
            rows.append((abs(change) if change == change else -1.0, i, j, figures))
    rows.sort(key=lambda row: (-row[0], row[1], row[2]))
    return [(found.names[i], found.names[j], *figures, measure_words(found.kinds[i][j])) for _, i, j, figures in rows]
