"""Correlation and covariance of number columns before and after."""

from __future__ import annotations

from PySide6.QtCore import Qt

from ppdm_desktop.engine.utility.associations import Associations
from ppdm_desktop.engine.wording.catalogue import _, lazy
from ppdm_desktop.engine.wording.values import Name, Number
from ppdm_desktop.ui.charts.numbers import plain_number, signed, strength
from ppdm_desktop.ui.pages.compare.charts.pairs import KEPT_BELOW
from ppdm_desktop.ui.widgets.basic import Card, Text
from ppdm_desktop.ui.widgets.layout import fill
from ppdm_desktop.ui.widgets.tables.frozen_columns_table import kept_table


def numbers_title(associations: Associations) -> str:
    """Return a sentence on the covariance that changed most, in units of the standard deviations before."""
    moved, i, j = next(iter(_number_pairs(associations)), (-1.0, 0, 0))
    if moved < 0:
        return _("No covariance: in each pair of number columns, one has only a single value")
    before, after = float(associations.covariance_before[i, j]), float(associations.covariance_after[i, j])
    if moved < KEPT_BELOW:
        return _("Spread and covariance of the numbers are unchanged")
    figures = {"before": Number(before), "after": Number(after)}
    if i == j:
        pattern = (
            lazy("{one} is spread more widely: variance {after} instead of {before}")
            if after > before
            else lazy("{one} is spread less widely: variance {after} instead of {before}")
        )
        return pattern.said(one=Name(associations.numeric[i]), **figures)
    pattern = lazy("The covariance of {one} and {other} changed most: {after} instead of {before}")
    return pattern.said(one=Name(associations.numeric[i]), other=Name(associations.numeric[j]), **figures)


def _moved(associations: Associations, i: int, j: int) -> float:
    """Return the change of a covariance in products of the standard deviations before; NaN where there is none."""
    before, after = associations.covariance_before, associations.covariance_after
    scale = float(before[i, i] * before[j, j]) ** 0.5
    return abs(float(after[i, j] - before[i, j])) / scale if scale > 0 else float("nan")


def _number_pairs(associations: Associations) -> list[tuple[float, int, int]]:
    """Return (change, i, j) of each pair of number columns, largest change of covariance first; -1 if unknown."""
    size = len(associations.numeric)
    pairs = [(_moved(associations, i, j), i, j) for i in range(size) for j in range(i, size)]
    sortable = [(moved if moved == moved else -1.0, i, j) for moved, i, j in pairs]
    return sorted(sortable, key=lambda pair: -round(pair[0], 9))


def numbers_rows(associations: Associations) -> list[tuple[str, ...]]:
    """Return correlation and covariance of every pair of numbers; a column with itself is its variance."""
    index_of = {name: index for index, name in enumerate(associations.names)}
    rows: list[tuple[str, ...]] = []
    for _unused, i, j in _number_pairs(associations):
        first, second = associations.numeric[i], associations.numeric[j]
        a, b = index_of[first], index_of[second]
        before, after = float(associations.covariance_before[i, j]), float(associations.covariance_after[i, j])
        both_known = before == before and after == after
        rows.append(
            (
                first,
                _("(variance)") if i == j else second,
                "" if i == j else strength(float(associations.before[a, b])),
                "" if i == j else strength(float(associations.after[a, b])),
                "" if i == j else signed(float(associations.after[a, b] - associations.before[a, b])),
                plain_number(before) if before == before else "–",
                plain_number(after) if after == after else "–",
                plain_number(after - before) if both_known else "–",
            )
        )
    return rows


class NumbersCard(Card):
    """Table with correlation and covariance of each pair of number columns, before and after."""

    def __init__(self, associations: Associations) -> None:
        super().__init__(numbers_title(associations), name="card_numbers_change")
        correlation, covariance = (
            (_("Correlation"), _("after"), _("change")),
            (_("Covariance"), _("after"), _("change")),
        )
        self.table = kept_table(
            (_("Column"), _("with"), *correlation, *covariance),
            numbers_rows(associations),
            right=(2, 3, 4, 5, 6, 7),
            names=2,
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
        fill(self.body, self.table, Text(text, tone="text3", factor=0.85))
