"""Noisy columns on Before and after: original, released, and what anybody can reconstruct of the distribution."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QLocale

from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.measures.noise_reconstruction import METHOD, Curve
from ppdm_desktop.engine.texts import render
from ppdm_desktop.ui.charts.card import ChartCard
from ppdm_desktop.ui.charts.curves import Curves, StepCurve, curve_legend
from ppdm_desktop.ui.state.number_words import of_hundred, percent
from ppdm_desktop.ui.widgets.basic import Text
from ppdm_desktop.ui.widgets.tables.frozen_columns_table import NamedRows

_NEAR, _MOSTLY = 0.05, 0.6


def _tr(text: str) -> str:
    return QCoreApplication.translate("Compare", text)


def has_curves(candidate: Candidate) -> bool:
    """Say whether any released column got noise that can be reconstructed from."""
    released = set(candidate.released_names)
    return any(step.method.id == METHOD and released & set(step.settings.columns) for step in candidate.steps)


def curve_title(curve: Curve) -> str:
    """Say what the curves show; half the sum of differences is the share of people who would have to move."""
    before, after = curve.l1_perturbed / 2, curve.l1_reconstructed / 2
    if after <= _NEAR:
        words = _tr(
            "{column}: a recipient can reconstruct the distribution, off by {after} people (released: {before})"
        )
    elif after <= _MOSTLY * before:
        words = _tr(
            "{column}: a recipient can reconstruct most of the distribution, off by {after} people (released: {before})"
        )
    else:
        words = _tr("{column}: reconstructing helps little, off by {after} people (released: {before})")
    return words.format(column=curve.column, before=of_hundred(before), after=of_hundred(after))


def curve_print(curve: Curve) -> str:
    """Return unit, source and method in small print."""
    how = _tr("Reconstructed from the release and the known noise, without anybody's privacy level ({n} rounds of EM).")
    if curve.level_known:
        how = _tr("Reconstructed from the release, the known noise and everybody's privacy level ({n} rounds of EM).")
    parts = [
        _tr("Share of people in each of {n} equal cells.").format(n=len(curve.edges) - 1),
        _tr("Off by (total variation): released {before}, reconstructed {after}.").format(
            before=percent(curve.l1_perturbed / 2), after=percent(curve.l1_reconstructed / 2)
        ),
        how.format(n=curve.iterations),
    ]
    if curve.beyond > 0:
        parts.append(_tr("{n} of the released values lie outside the drawing.").format(n=percent(curve.beyond)))
    return " ".join(parts)


def span_words(low: float, high: float) -> str:
    """Write a cell's ends."""
    first, last = (QLocale().toString(each, "g", 8).replace("-", "−") for each in (low, high))
    return _tr("{low} to {high}").format(low=first, high=last)


class CurveCard(ChartCard):
    """One noisy column."""

    def __init__(self, curve: Curve) -> None:
        title = curve_title(curve)
        chart = Curves(name=f"chart_curve_{curve.column}", words=title)
        headers = [curve.column, self.tr("Original"), self.tr("Released"), self.tr("Reconstructed")]
        model = NamedRows(headers, right=(1, 2, 3))
        super().__init__(f"curve_{curve.column}", chart, model, words=title)
        self.setObjectName(f"card_curve_{curve.column}")
        self.set_title(title)
        names = (self.tr("original"), self.tr("released"), self.tr("reconstructed"))
        self.legend.addWidget(curve_legend(names))
        shares = (curve.original, curve.perturbed, curve.reconstructed)
        steps = [StepCurve(name, tuple(each.tolist())) for name, each in zip(names, shares, strict=True)]
        chart.set_curves(curve.edges.tolist(), steps, title)
        edges = curve.edges.tolist()
        model.set_rows(
            [
                (span_words(edges[cell], edges[cell + 1]), *(percent(float(each[cell])) for each in shares))
                for cell in range(len(edges) - 1)
            ]
        )
        self.set_print(curve_print(curve))
        for note in curve.notes:
            self.body.addWidget(Text(render(note.id, note.arguments).sentence, tone="text2", factor=0.9))
        self.body.addWidget(
            Text(
                self.tr(
                    "What to do: tell the recipient to reconstruct shares and averages rather than read them off "
                    "the noisy values. What one person's value was cannot be reconstructed this way."
                ),
                tone="text2",
                factor=0.9,
            )
        )
