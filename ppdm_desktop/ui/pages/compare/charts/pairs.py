"""How strongly each pair of columns is associated before and after, as matrices in which a pair can be selected."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from PySide6.QtCore import Qt, Signal

from ppdm_desktop.engine.report.scene.model import Palette
from ppdm_desktop.engine.utility.associations import CRAMER, MOST_ROWS, PEARSON, Associations
from ppdm_desktop.engine.wording.catalogue import _, lazy
from ppdm_desktop.engine.wording.values import Name, Names, Term
from ppdm_desktop.ui.charts.card import ChartCard
from ppdm_desktop.ui.charts.legend import BandLegend
from ppdm_desktop.ui.charts.matrix_row import MatrixRow, cells_scene
from ppdm_desktop.ui.charts.numbers import format_signed_change, format_strength
from ppdm_desktop.ui.look.accessibility import join_label
from ppdm_desktop.ui.models.rows_model import RowsModel
from ppdm_desktop.ui.widgets.basic import Severity, Text
from ppdm_desktop.ui.widgets.layout import FitsOnResize

STRENGTHS = (0.05, 0.1, 0.2, 0.3, 0.4, 0.6, 0.8)
CHANGES = (-0.3, -0.1, -0.02, 0.02, 0.1, 0.3)
KEPT_BELOW = 0.05
_STILL = 0.02


def name_measure(kind: str) -> str:
    """Return the displayed name of an association measure; an unknown ``kind`` is named correlation ratio."""
    return {PEARSON: _("Pearson"), CRAMER: _("Cramér’s V")}.get(kind, _("Correlation ratio"))


def pair_sentence(associations: Associations, first: int, second: int) -> str:
    """Return a sentence on the association of two columns (by index) before and after, or that it was not measured."""
    first_name, second_name = associations.names[first], associations.names[second]
    before, after = float(associations.before[first, second]), float(associations.after[first, second])
    if before != before or after != after:
        unmeasured = _("Not measured: one column has a single value, or too few records have both.")
        return join_label(f"{first_name}, {second_name}", unmeasured)
    return _(
        "{one} and {other}: strength of the relationship {before} before, {after} after",
        one=Name(first_name),
        other=Name(second_name),
        before=Term(format_strength(before)),
        after=Term(format_strength(after)),
    )


def pairs_title(associations: Associations) -> str:
    """Return a sentence on the association that changed most.

    It says that all are unchanged if none changed by 0.02 or more, or that no two columns can be compared.
    """
    most = associations.largest_change()
    if most is None:
        return _("Not measured: one column has a single value, or too few records have both.")
    if abs(associations.change[most]) < _STILL:
        return _(
            "All relationships between columns are unchanged (within {least})", least=Term(format_strength(_STILL))
        )
    return pair_sentence(associations, *most)


def pairs_chart(associations: Associations, name: str) -> MatrixRow:
    """Return three empty matrices for all pairs: before, after (titled with the candidate's ``name``), difference."""
    parts = [
        ("before", _("Before")),
        ("after", _("After, {name}", name=Term(name))),
        ("change", _("Difference")),
    ]
    return MatrixRow(name="heat_pairs_change", label=pairs_title(associations), parts=parts, first="change")


class PairsCard(FitsOnResize, ChartCard):
    """Card with three matrices of the association of each pair of columns: before, after and difference.

    Parameters
    ----------
    ranges
        Columns that are generalised.
    chart
        The three matrices, if they were made beforehand.
    filled
        Whether the figures are drawn at once; otherwise by the calls that ``pieces`` returns.

    Signals
    -------
    pair_chosen
        Names of the two columns that the user selected.
    """

    pair_chosen = Signal(str, str)

    def __init__(
        self,
        associations: Associations,
        name: str,
        ranges: Sequence[str] = (),
        *,
        chart: MatrixRow | None = None,
        filled: bool = True,
    ) -> None:
        title = pairs_title(associations)
        chart = pairs_chart(associations, name) if chart is None else chart
        headers = [
            _("Column"),
            _("With"),
            _("Before"),
            _("After"),
            _("Difference"),
            _("Measure"),
        ]
        model = RowsModel(headers, right=(2, 3, 4))
        topic = "figure.relationships"
        super().__init__("pairs_change", chart, model, label=title, name="card_pairs_change", topic=topic)
        self.set_title(title)
        self._associations, self._row = associations, chart
        most = associations.largest_change()
        shift = abs(float(associations.change[most])) if most is not None else 0.0
        kept = shift < KEPT_BELOW
        self.body.insertWidget(0, Severity("passed" if kept else "amber", _("Kept") if kept else _("Changed")))
        self._units = _("Strength of a relationship"), _("Change in strength")
        strengths, changes = self._units
        self._legends = (BandLegend(strengths, STRENGTHS, "amount"), BandLegend(changes, CHANGES, "diverging"))
        for legend in self._legends:
            self.legend.addWidget(legend)
        chart.chosen.connect(self._on_chosen)
        chart.switch.chosen.connect(self._adapt_to_size)
        self._adapt_to_size()
        self.table.setTextElideMode(Qt.TextElideMode.ElideMiddle)  # long names often differ at their ends only
        self.set_print(self._describe_measures(associations))
        hint = _("Choose a cell to see its two columns below.")
        if not kept:
            hint += " " + _(
                "What to do: inform the recipient, or choose settings on the Protect page that change less."
            )
        self.body.addWidget(Text(hint, tone="text2", factor=0.9))
        if ranges:
            sentence = lazy(
                "Broader values, compared as text: {names}. Their relationships may look stronger or weaker than those "
                "of the original values. Ranges made for the same groups look more strongly related."
            )
            self.body.addWidget(Text(sentence.format(names=Names.of(ranges)), tone="text2", factor=0.9))
        if filled:
            for piece in self.pieces():
                piece()

    def pieces(self) -> list[Callable[[], object]]:
        """Return four calls that draw the three matrices and fill the table, to be made one by one.

        In this way the window stays responsive.
        """
        return [*(partial(self._draw_matrix, key) for key in self._row.charts), self._fill_table]

    def _draw_matrix(self, key: str) -> None:
        """Draw one matrix (``before``, ``after`` or ``change``) as a triangle, and point at the pair that changed most.

        It is the lower triangle. The colours of associations leave out their sign, which their texts keep; a difference
        keeps it in both. A pair that was not measured has an empty cell.
        """
        associations, is_change = self._associations, key == "change"
        values = {"before": associations.before, "after": associations.after, "change": associations.change}[key]
        format_value, edges = (format_signed_change, CHANGES) if is_change else (format_strength, STRENGTHS)
        palette: Palette = "diverging" if is_change else "amount"
        rows, columns = associations.names[1:], associations.names[:-1]
        # The lower triangle; without a figure a cell stays empty.
        below = [[values[i + 1, j] if j <= i else float("nan") for j in range(len(columns))] for i in range(len(rows))]
        texts = [["" if value != value else format_value(float(value)) for value in line] for line in below]
        grid = np.array(below, dtype=np.float64)
        scene = cells_scene(
            self._row.captions[key],
            (rows, columns),
            grid if is_change else np.abs(grid),
            texts,
            edges,
            palette,
            unit=self._units[is_change],
            sentence=self.title.text(),
        )
        chart = self._row.charts[key]
        chart.set_scene(scene)
        most = associations.largest_change()
        if most is not None:
            chart.point_at(f"{most[1] - 1}:{most[0]}")

    def _fill_table(self) -> None:
        """Fill the table with the association of each pair, largest change first."""
        self.model.set_rows(pair_rows(self._associations))

    def _describe_measures(self, associations: Associations) -> str:
        """Return the small print below the matrices: how to read the measures, then at most three remarks.

        The remarks say that some pairs were not measured; that pairs with a text column were measured on ``MOST_ROWS``
        randomly chosen rows, if the original or the release has that many; and which columns are not included.
        """
        parts = [
            _(
                "0: unrelated; 1: one column predicts the other. Two number columns: Pearson’s correlation. Two text "
                "columns: Cramér’s V. A number and a text column: the correlation ratio. The last two are corrected "
                "for chance. Records with a missing or hidden value are not counted."
            )
        ]
        if any(
            associations.change[i, j] != associations.change[i, j]
            for i in range(len(associations.names))
            for j in range(i)
        ):
            parts.append(_("Not measured: one column has a single value, or too few records have both."))
        if max(associations.rows_before, associations.rows_after) >= MOST_ROWS:
            parts.append(_("Pairs with a text column: measured on {n} randomly chosen rows.", n=MOST_ROWS))
        if associations.left_out:
            parts.append(_("Columns not included: {columns}.", columns=Names.of(associations.left_out)))
        return " ".join(parts)

    def _on_chosen(self, key: str) -> None:
        """Send ``pair_chosen`` with the names of the two columns of the cell that has this key."""
        row, column = map(int, key.split(":"))
        self.pair_chosen.emit(self._associations.names[column], self._associations.names[row + 1])

    def _adapt_to_size(self) -> None:
        """Show the legend of strengths, of differences, or both, depending on which matrices are visible.

        Both are shown if all matrices stand side by side, else that of the single matrix on show.
        """
        together = self._row.together
        self._legends[0].setVisible(together or self._row.switch.current != "change")
        self._legends[1].setVisible(together or self._row.switch.current == "change")


def pair_rows(associations: Associations) -> list[tuple[str, ...]]:
    """Return a table row for each pair: both columns, association before and after, change, and the measure.

    The largest change, up or down, comes first, pairs that were not measured last; unknown figures are a dash. The
    change is that of the strength: a correlation from -0.3 to -0.1 changes by -0.2 (see ``Associations.change``).
    """
    rows = []
    size = len(associations.names)
    for i in range(size):
        for j in range(i + 1, size):
            change = float(associations.change[i, j])
            figures = (
                format_strength(float(associations.before[i, j])),
                format_strength(float(associations.after[i, j])),
                format_signed_change(change),
            )
            rows.append((abs(change) if change == change else -1.0, i, j, figures))
    rows.sort(key=lambda row: (-row[0], row[1], row[2]))
    return [
        (associations.names[i], associations.names[j], *figures, name_measure(associations.kinds[i][j]))
        for _, i, j, figures in rows
    ]
