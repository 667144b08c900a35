"""Cards of the tab "Distributions": one column before and after, one step, and noisy columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout

from ppdm_desktop.engine.methods.base.declaration import step_title
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.measures.noise_reconstruction import Curve, classes_to_reconstruct
from ppdm_desktop.engine.report.bars import Bar, bars_scene
from ppdm_desktop.engine.report.curves import curves_scene
from ppdm_desktop.engine.report.model import LevelProofEntry, Report, StepEntry
from ppdm_desktop.engine.report.scene.model import Role
from ppdm_desktop.engine.report.scene.shares import share_words
from ppdm_desktop.engine.wording.catalogue import _, lazy
from ppdm_desktop.engine.wording.texts import Said, render
from ppdm_desktop.engine.wording.values import Name, Ratio, Term
from ppdm_desktop.ui.charts.card import ChartCard, scene_card
from ppdm_desktop.ui.charts.legend import scene_legend
from ppdm_desktop.ui.charts.numbers import change_header, change_words
from ppdm_desktop.ui.charts.parts import PartsRow, parts_scene
from ppdm_desktop.ui.charts.plot import PlotView
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.pages.compare.charts.logic import Before
from ppdm_desktop.ui.pages.compare.groups import group_sizes_card, size_bands
from ppdm_desktop.ui.pages.compare.steps import (
    detail_lines,
    guarantee_words,
    proof_headers,
    proof_rows,
    sentence,
    settings_words,
)
from ppdm_desktop.ui.state.number_words import count, percent
from ppdm_desktop.ui.widgets.basic import Card, Severity, Text
from ppdm_desktop.ui.widgets.inputs import Choice, check_box
from ppdm_desktop.ui.widgets.layout import Panel, fill, hbox, stretched, vbox
from ppdm_desktop.ui.widgets.tables.frozen_columns_table import kept_table


def marginal_card(chart: Before, name: str) -> ChartCard:
    """Return the card of one column: its distribution before and after, or the widths of its ranges."""
    rows = None
    if chart.spans:
        of = chart.records[1]
        spans = [PartsRow(text, (share,), (share_words(share, of),), alarming=False) for text, share in chart.spans]
        scene = parts_scene(chart.title, chart.small, spans)
        headers = [_("A released range covers"), _("People")]
    else:
        before, after = (
            [Bar(share, of=of) for share in shares]
            for shares, of in zip((chart.before, chart.after), chart.records, strict=True)
        )
        drawn: list[tuple[Role, str, list[Bar]]] = [("original", _("original"), before), ("released", name, after)]
        scene = bars_scene(chart.title, chart.small, chart.labels, drawn)
        headers = [chart.name, _("Original"), name, change_header(*chart.records)]
        shares = zip(scene.rows, chart.before, chart.after, strict=True)
        rows = [(*row.cells, change_words(first, second, *chart.records)) for row, first, second in shares]
    topic, right = "figure.totals", range(1, len(headers))
    card = scene_card(f"marginal_{chart.name}", scene, headers, right=right, rows=rows, topic=topic)
    card.body.insertWidget(0, Severity(chart.severity, chart.word))
    if chart.remedy:
        card.body.addWidget(Text(chart.remedy, tone="text2", factor=0.9))
    return card


class StepCard(Card):
    """What one step did: guarantee, recount, figures of the method, and the proof for each level."""

    def __init__(self, step: StepEntry, proofs: Sequence[LevelProofEntry], said: Said) -> None:
        title = _("Step {n}: {title}", n=step.index, title=Term(step_title(step.method)))
        super().__init__(title, settings_words(step, said), name=f"card_step_{step.index}", topic="figure.levels")
        word = _("Promise kept") if step.guarantee.holds else _("Promise not kept")
        fill(self.body, Severity("passed" if step.guarantee.holds else "blocks", word), Text(guarantee_words(step)))
        self._grid = QGridLayout()
        self._grid.setColumnStretch(1, 1)
        if lines := detail_lines(step.method, step.detail):
            for row, (text, figure) in enumerate(lines):
                self._grid.addWidget(Text(text, tone="text2"), row, 0)
                self._grid.addWidget(Text(figure), row, 1)
            self._fit()
            theme().changed.connect(self._fit)
            self.body.addLayout(self._grid)
        for note in dict.fromkeys(map(sentence, step.notes)):
            self.body.addWidget(Text(f"•  {note}", tone="text2", factor=0.95))
        if bands := size_bands(step.detail, proofs, said):
            self.body.addWidget(group_sizes_card(step.index, step.detail, bands))
        if proofs:
            table = kept_table(
                proof_headers(),
                proof_rows(step, proofs, said),
                right=(2, 3, 4),
                names=2,
                name=f"table_proof_{step.index}",
                label=_("Evidence for step {n}", n=step.index),
                stretch=1,
            )
            table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
            fill(self.body, Text(_("Evidence for each protection level"), semibold=True), table)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Adapt the two parts of the card to the new width."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Give the labels one line each if there is room, but never more than half of the card."""
        theme().gaps(self._grid, 14, 2)
        self._grid.setColumnMinimumWidth(0, min(theme().px(285), self.width() // 2))


def after_headers() -> tuple[str, ...]:
    """Return the headings of ``table_after_steps``."""
    left = _("After step"), _("Records"), _("Groups"), _("Smallest group"), _("Unique"), _("At risk")
    return (*left, _("Changed most"), _("Change in totals"))


def after_rows(report: Report) -> list[tuple[str, ...]]:
    """Return a row for the original and for the table after each step; empty if the report has no such figures."""
    measured_steps = [
        (step, step.detail["after"]) for step in report.steps if isinstance(step.detail.get("after"), Mapping)
    ]
    rows = [
        (_("{n}  {title}", n=step.index, title=Term(step_title(step.method))), *_figures(after))
        for step, after in measured_steps
    ]
    return [_original(report), *rows] if rows else []


def _original(report: Report) -> tuple[str, ...]:
    """Return the table row of the original: records, groups and identifiable people."""
    block = report.risk.before.scope.quasi_identifiers
    if block is None:
        return (_("Original"), count(report.input.records), *["–"] * 6)
    entries = list(block.identifiable.values())
    identifiable = entries[0].uniquely + entries[0].collectively if len(entries) == 1 else None
    counts = (block.records, block.equivalence_classes, block.k, block.unique, identifiable)
    return (_("Original"), *map(_count_or_dash, counts), "–", "–")


def _figures(after: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the figures after a step as texts."""
    moved, shift = after.get("moved_column"), after.get("total_variation")
    counts = map(_count_or_dash, map(after.get, ("records", "equivalence_classes", "k", "alone", "identifiable")))
    column = "–" if not shift or moved is None else str(moved)
    return (*counts, column, percent(shift) if isinstance(shift, int | float) else "–")


def _count_or_dash(value: object) -> str:
    """Return a whole number as text, a dash for anything else."""
    return count(value) if isinstance(value, int) else "–"


def after_steps_card(rows: list[tuple[str, ...]]) -> Card:
    """Return the card "After each step"; the first of ``rows`` is the original."""
    card = Card(
        _("After each step"),
        _("What each step added and what it cost. The last one is the release."),
        name="card_after_steps",
    )
    text, right = _("Risk and usefulness after each step"), (1, 2, 3, 4, 5, 7)
    card.body.addWidget(kept_table(after_headers(), rows, right=right, name="table_after_steps", label=text, least=240))
    explained = _(
        "Groups: people with the same details others may know. Unique: nobody else has the same details. "
        "At risk: unique, or in a group where everyone has the same confidential value. Change in totals: "
        "in the column that changed most, since before the first step (total variation). Broader values "
        "count as changed."
    )
    card.body.addWidget(Text(explained, tone="text2", factor=0.9))
    if any("–" in row[2:6] for row in rows):
        dash = _(
            "– (a dash): not measured. Group sizes say nothing about artificial or noisy values. Without a "
            "column that others may know, or a confidential one, there is nothing to count. With several "
            "confidential columns, there is no single figure for the people at risk in the original."
        )
        card.body.addWidget(Text(dash, tone="text2", factor=0.9, name="label_after_dash"))
    return card


_NEAR, _MOSTLY = 0.05, 0.6
_HIGH = 250  # px at 100 %, of which sentence and names of axes take a third


def has_curves(candidate: Candidate) -> bool:
    """Return whether any released column has noise from which its distribution can be reconstructed."""
    released = set(candidate.released_names)
    return any(step.method.adds_known_noise and released & set(step.settings.columns) for step in candidate.steps)


def curve_title(curve: Curve) -> str:
    """Return a title on how far the distribution moved, as the share of people who would have to change value."""
    before, after = curve.l1_perturbed / 2, curve.l1_reconstructed / 2
    if after <= _NEAR:
        sentence = lazy(
            "{column}: a recipient can work out the distribution (difference {after}, as released {before})"
        )
    elif after <= _MOSTLY * before:
        sentence = lazy(
            "{column}: a recipient can work out most of the distribution (difference {after}, as released {before})"
        )
    else:
        sentence = lazy(
            ("{column}: a recipient can hardly work out the distribution (difference {after}, as released {before})"),
        )
    return sentence.said(column=Name(curve.column), before=Ratio(before), after=Ratio(after))


def curve_print(curve: Curve) -> str:
    """Return the small print of a reconstruction: unit, source and method."""
    how = lazy(
        "Worked out from the release and the known noise, without protection levels ({n} {n:round|rounds} of EM)."
    )
    if curve.level_known:
        how = lazy(
            "Worked out from the release, the known noise and all protection levels ({n} {n:round|rounds} of EM)."
        )
    parts = [
        _("Share of the records in each of {n} equal bands.", n=len(curve.edges) - 1),
        _(
            "Difference from the original (total variation): as released {before}, worked out {after}.",
            before=Ratio(curve.l1_perturbed / 2),
            after=Ratio(curve.l1_reconstructed / 2),
        ),
        how.said(n=curve.iterations),
    ]
    if curve.by is not None:
        parts.append(_("Each value of {column} was worked out on its own.", column=Name(curve.by)))
    if curve.beyond > 0:
        parts.append(_("{share} of the released values lie outside the chart.", share=Ratio(curve.beyond)))
    return " ".join(parts)


@dataclass(frozen=True)
class CurveChoice:
    """How distributions are reconstructed: with levels or without, for everybody or by classes of a column."""

    level_known: bool = False
    by: str | None = None


class CurveChoices(Panel):
    """Controls for how the distributions of noisy columns are reconstructed.

    Signals
    -------
    chosen
        The choice changed.
    """

    chosen = Signal()

    def __init__(self) -> None:
        super().__init__(name="choices_curves")
        text = _("Work out the distributions")
        self.by = Choice(name="combo_curves_by", label=text, picked=self.chosen, letters=10)
        self.levels = check_box(_("with every person’s protection level"), name="check_curves_levels")
        self.levels.setToolTip(_("A recipient does not have the protection levels."))
        self.levels.toggled.connect(self.chosen)
        vbox(hbox(Text(text, tone="text2"), stretched(self.by)), self.levels, on=self)

    @property
    def choice(self) -> CurveChoice:
        """The present choice; an empty column stands for everybody together."""
        return CurveChoice(self.levels.isChecked(), self.by.current or None)

    def show_candidate(self, candidate: Candidate) -> None:
        """Offer the choices that a candidate allows; the present choice is kept if it is among them."""
        names = classes_to_reconstruct(candidate)
        offered = [("", _("over all records together"))]
        offered += [(name, _("separately for each value of {column}", column=Name(name))) for name in names]
        kept = self.by.current
        self.by.set_choices(offered, kept if kept in names else "")


def curve_card(curve: Curve) -> ChartCard:
    """Return the chart of a column's original, released and reconstructed distribution, and what follows for use."""
    title = curve_title(curve)
    scene = curves_scene(
        title,
        curve_print(curve),
        title,
        curve.column,
        curve.edges.tolist(),
        curve.records,
        [
            ("original", _("original"), curve.original.tolist()),
            ("released", _("released"), curve.perturbed.tolist()),
            ("third", _("worked out"), curve.reconstructed.tolist()),
        ],
    )
    chart = PlotView(name=f"chart_curve_{curve.column}", label=title, high=_HIGH)
    headers = [curve.column, _("Original"), _("Released"), _("Worked out")]
    card = scene_card(f"curve_{curve.column}", scene, headers, right=(1, 2, 3), chart=chart)
    card.legend.addWidget(scene_legend(scene))
    remedy = _(
        "What to do: advise the recipient to work out shares and averages this way instead of reading them "
        "from the noisy values. This does not work out the value of one person."
    )
    for text in (*(render(note.id, note.arguments).sentence for note in curve.notes), remedy):
        card.body.addWidget(Text(text, tone="text2", factor=0.9))
    return card
