"""Before and after: the card of one column, and the card of one step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout

from ppdm_desktop.engine.methods.base.registry import step_title
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.measures.noise_reconstruction import Curve, classes_to_reconstruct
from ppdm_desktop.engine.report.bars import Bar, bars_scene
from ppdm_desktop.engine.report.curves import curves_scene
from ppdm_desktop.engine.report.model import Report
from ppdm_desktop.engine.report.scene.shares import share_words
from ppdm_desktop.engine.wording.catalogue import _, lazy
from ppdm_desktop.engine.wording.texts import render
from ppdm_desktop.engine.wording.values import Name, Ratio, Term
from ppdm_desktop.ui.charts.card import ChartCard
from ppdm_desktop.ui.charts.drawn_view import DrawnView
from ppdm_desktop.ui.charts.legend import scene_legend
from ppdm_desktop.ui.charts.numbers import change_header, change_words
from ppdm_desktop.ui.charts.parts import PartsRow, parts_scene
from ppdm_desktop.ui.charts.plot import PlotView
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.pages.compare.charts.logic import Before
from ppdm_desktop.ui.pages.compare.groups import GroupSizesCard
from ppdm_desktop.ui.pages.compare.steps import StepWordsOf, proof_headers
from ppdm_desktop.ui.state.number_words import count, percent
from ppdm_desktop.ui.widgets.basic import Card, Severity, Text
from ppdm_desktop.ui.widgets.inputs import Choice, check_box
from ppdm_desktop.ui.widgets.layout import Panel, fill, hbox, stretched, vbox
from ppdm_desktop.ui.widgets.tables.frozen_columns_table import KeptTable, NamedRows


class MarginalCard(ChartCard):
    """One column: its shares before and after, or how wide its ranges are."""

    def __init__(self, shown: Before, name: str) -> None:
        if shown.spans:
            of = shown.records[1]
            spans = [
                PartsRow(words, (share,), (share_words(share, of),), alarming=False) for words, share in shown.spans
            ]
            scene = parts_scene(shown.title, shown.small, spans)
            model = NamedRows([_("A released range covers"), _("People")], right=(1,))
        else:
            before, after = (
                [Bar(share, of=of) for share in shares]
                for shares, of in zip((shown.before, shown.after), shown.records, strict=True)
            )
            scene = bars_scene(
                shown.title, shown.small, shown.labels, [("original", _("original"), before), ("released", name, after)]
            )
            model = NamedRows([shown.name, _("Original"), name, change_header(*shown.records)], right=(1, 2, 3))
        chart = DrawnView(name=f"chart_marginal_{shown.name}", words=shown.title)
        super().__init__(f"marginal_{shown.name}", chart, model, words=shown.title)
        chart.set_scene(scene)
        self.setProperty("topic", "figure.totals")
        self.set_title(shown.title)
        self.body.insertWidget(0, Severity(shown.severity, shown.word))
        if shown.spans:
            model.set_rows([row.cells for row in scene.rows])
        else:
            changes = (
                change_words(before, after, *shown.records)
                for before, after in zip(shown.before, shown.after, strict=True)
            )
            model.set_rows([(*row.cells, change) for row, change in zip(scene.rows, changes, strict=True)])
        self.set_print(shown.small)
        if shown.remedy:
            self.body.addWidget(Text(shown.remedy, tone="text2", factor=0.9))


class StepCard(Card):
    """What one step did: promise, recount, own figures, proof for each level."""

    def __init__(self, step_words_of: StepWordsOf) -> None:
        super().__init__(
            _("Step {n}: {title}", n=step_words_of.index, title=Term(step_words_of.title)), step_words_of.what
        )
        self.setObjectName(f"card_step_{step_words_of.index}")
        self.setProperty("topic", "figure.levels")
        word = _("Promise kept") if step_words_of.holds else _("Promise not kept")
        fill(self.body, Severity("passed" if step_words_of.holds else "blocks", word), Text(step_words_of.guarantee))
        self._grid = QGridLayout()
        self._grid.setColumnStretch(1, 1)
        if step_words_of.detail:
            for row, (text, figure) in enumerate(step_words_of.detail):
                self._grid.addWidget(Text(text, tone="text2"), row, 0)
                self._grid.addWidget(Text(figure), row, 1)
            self._fit()
            theme().changed.connect(self._fit)
            self.body.addLayout(self._grid)
        for note in step_words_of.notes:
            self.body.addWidget(Text(f"•  {note}", tone="text2", factor=0.95))
        if step_words_of.sizes is not None:
            self.body.addWidget(GroupSizesCard(step_words_of.index, *step_words_of.sizes))
        if step_words_of.proof:
            model = NamedRows(proof_headers(), right=(2, 3, 4), parent=self, names=2)
            model.set_rows(step_words_of.proof)
            text = _("Evidence for step {n}", n=step_words_of.index)
            table = KeptTable(model, name=f"table_proof_{step_words_of.index}", words=text, stretch=1)
            table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
            fill(self.body, Text(_("Evidence for each protection level"), semibold=True), table)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the new width."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Give the words one line each while there is room, never more than half of the card."""
        theme().gaps(self._grid, 14, 2)
        self._grid.setColumnMinimumWidth(0, min(theme().px(285), self.width() // 2))


def after_headers() -> tuple[str, ...]:
    """Return the headings of ``table_after_steps``."""
    return (
        _("After step"),
        _("Records"),
        _("Groups"),
        _("Smallest group"),
        _("Unique"),
        _("At risk"),
        _("Changed most"),
        _("Change in totals"),
    )


def after_rows(report: Report) -> list[tuple[str, ...]]:
    """Return the original and what every step left; nothing where the report has no such figures."""
    found = [(step, step.detail["after"]) for step in report.steps if isinstance(step.detail.get("after"), Mapping)]
    if not found:
        return []
    rows = [_original(report)]
    for step, after in found:
        title = Term(step_title(step.method))
        rows.append((_("{n}  {title}", n=step.index, title=title), *_figures(after)))
    return rows


def _original(report: Report) -> tuple[str, ...]:
    block = report.risk.before.scope.quasi_identifiers
    if block is None:
        return (_("Original"), count(report.input.records), *["–"] * 6)
    entries = list(block.identifiable.values())
    identifiable = entries[0].uniquely + entries[0].collectively if len(entries) == 1 else None
    return (
        _("Original"),
        count(block.records),
        count(block.equivalence_classes),
        count(block.k),
        count(block.unique),
        _count(identifiable),
        "–",
        "–",
    )


def _figures(after: Mapping[str, Any]) -> tuple[str, ...]:
    moved, shift = after.get("moved_column"), after.get("total_variation")
    still = not shift
    return (
        _count(after.get("records")),
        _count(after.get("equivalence_classes")),
        _count(after.get("k")),
        _count(after.get("alone")),
        _count(after.get("identifiable")),
        "–" if still or moved is None else str(moved),
        percent(shift) if isinstance(shift, int | float) else "–",
    )


def _count(value: object) -> str:
    return count(value) if isinstance(value, int) else "–"


class AfterStepsCard(Card):
    """The table "After each step", with its headings in words."""

    def __init__(self, rows: list[tuple[str, ...]]) -> None:
        super().__init__(
            _("After each step"),
            _("What each step added and what it cost. The last one is the release."),
            name="card_after_steps",
        )
        model = NamedRows(after_headers(), right=(1, 2, 3, 4, 5, 7), parent=self)
        model.set_rows(rows)
        text = _("Risk and usefulness after each step")
        self.table = KeptTable(model, name="table_after_steps", words=text, least=240)
        self.body.addWidget(self.table)
        self.body.addWidget(
            Text(
                _(
                    "Groups: people with the same details others may know. Unique: nobody else has the same details. "
                    "At risk: unique, or in a group where everyone has the same confidential value. Change in totals: "
                    "in the column that changed most, since before the first step (total variation). Broader values "
                    "count as changed."
                ),
                tone="text2",
                factor=0.9,
            )
        )
        if any("–" in row[2:6] for row in rows):
            dash = Text(
                _(
                    "– (a dash): not measured. Group sizes say nothing about artificial or noisy values. Without a "
                    "column that others may know, or a confidential one, there is nothing to count. With several "
                    "confidential columns, there is no single figure for the people at risk in the original."
                ),
                tone="text2",
                factor=0.9,
                name="label_after_dash",
            )
            self.body.addWidget(dash)


_NEAR, _MOSTLY = 0.05, 0.6
_HIGH = 250  # px at 100 %, of which sentence and names of axes take a third


def has_curves(candidate: Candidate) -> bool:
    """Say whether any released column got noise that can be reconstructed from."""
    released = set(candidate.released_names)
    return any(step.method.adds_known_noise and released & set(step.settings.columns) for step in candidate.steps)


def curve_title(curve: Curve) -> str:
    """Say what the curves show; half the sum of differences is the share of people who would have to move."""
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
    """Return unit, source and method in small print."""
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
    """How curves are reconstructed: with every privacy level or without, over all records or by a column's classes."""

    level_known: bool = False
    by: str | None = None


class CurveChoices(Panel):
    """What is used to reconstruct the distributions of noisy columns.

    Signals
    -------
    chosen
        Something else is to be used.
    """

    chosen = Signal()

    def __init__(self) -> None:
        super().__init__(name="choices_curves")
        text = _("Work out the distributions")
        self.by = Choice(name="combo_curves_by", words=text, picked=self.chosen, letters=10)
        self.levels = check_box(_("with every person’s protection level"), name="check_curves_levels")
        self.levels.setToolTip(_("A recipient does not have the protection levels."))
        self.levels.toggled.connect(self.chosen)
        vbox(hbox(Text(text, tone="text2"), stretched(self.by)), self.levels, on=self)

    @property
    def choice(self) -> CurveChoice:
        """What is chosen; an empty key is over all records."""
        return CurveChoice(self.levels.isChecked(), self.by.current or None)

    def show_candidate(self, candidate: Candidate) -> None:
        """Offer what a candidate allows, and keep what was chosen where it still can be."""
        names = classes_to_reconstruct(candidate)
        offered = [("", _("over all records together"))]
        offered += [(name, _("separately for each value of {column}", column=Name(name))) for name in names]
        kept = self.by.current
        self.by.set_choices(offered, kept if kept in names else "")


class CurveCard(ChartCard):
    """One noisy column."""

    def __init__(self, curve: Curve) -> None:
        title, small = curve_title(curve), curve_print(curve)
        names = (_("original"), _("released"), _("worked out"))
        scene = curves_scene(
            title,
            small,
            title,
            curve.column,
            curve.edges.tolist(),
            curve.records,
            [
                ("original", names[0], curve.original.tolist()),
                ("released", names[1], curve.perturbed.tolist()),
                ("third", names[2], curve.reconstructed.tolist()),
            ],
        )
        chart = PlotView(name=f"chart_curve_{curve.column}", words=title, high=_HIGH)
        headers = [
            curve.column,
            _("Original"),
            _("Released"),
            _("Worked out"),
        ]
        model = NamedRows(headers, right=(1, 2, 3))
        super().__init__(f"curve_{curve.column}", chart, model, words=title)
        self.setObjectName(f"card_curve_{curve.column}")
        self.set_title(title)
        self.legend.addWidget(scene_legend(scene))
        chart.set_scene(scene)
        model.set_rows([row.cells for row in scene.rows])
        self.set_print(small)
        for note in curve.notes:
            self.body.addWidget(Text(render(note.id, note.arguments).sentence, tone="text2", factor=0.9))
        self.body.addWidget(
            Text(
                _(
                    "What to do: advise the recipient to work out shares and averages this way instead of reading them "
                    "from the noisy values. This does not work out the value of one person."
                ),
                tone="text2",
                factor=0.9,
            )
        )
