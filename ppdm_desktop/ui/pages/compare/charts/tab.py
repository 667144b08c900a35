"""Tab "Distributions": each treated column, all pairs of columns, and each step with its proof."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QLayoutItem, QWidget

from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.measures.noise_reconstruction import reconstruction_curves
from ppdm_desktop.engine.report.charts_usefulness import Curve
from ppdm_desktop.engine.report.model import Report
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.page import Context
from ppdm_desktop.ui.pages.compare.charts.cards import (
    CurveChoice,
    CurveChoices,
    StepCard,
    curve_card,
    has_curves,
    marginal_card,
)
from ppdm_desktop.ui.pages.compare.charts.logic import Before, list_marginal_charts, summarise_changes
from ppdm_desktop.ui.pages.compare.charts.panel import PairsPanel
from ppdm_desktop.ui.state.finished_candidates import require_evaluation
from ppdm_desktop.ui.state.session import CandidateEntry
from ppdm_desktop.ui.widgets.basic import Text, clear_layout
from ppdm_desktop.ui.widgets.layout import STRETCH, FitsOnResize, Panel, add_parts, hbox, vbox
from ppdm_desktop.ui.work.chunked_work import ChunkedWork
from ppdm_desktop.ui.work.tasks import TaskOutcome

CURVES_JOB = "curves"
_TWO_FROM = 820


class ChartsTab(FitsOnResize, Panel):
    """Tab with charts in two columns if there is room, and below them a card for each step."""

    def __init__(self, context: Context) -> None:
        super().__init__(name="tab_charts")
        self._context = context
        self.summary = Text("", tone="text2")
        self._curves_wait = Text("", tone="text2", name="label_curves_wait")
        self._curves_wait.hide()
        self.choices = CurveChoices()
        self.choices.chosen.connect(self._on_curve_choice)
        self.choices.hide()
        column = vbox(self.summary, self._curves_wait, self.choices, on=self, margins=(0, 10, 0, 0), gap=12)
        self._column_row = hbox()
        self._columns = vbox(gap=12), vbox(gap=12)
        add_parts(self._column_row, *self._columns)
        self.pairs = PairsPanel(context)
        self._steps_title = Text(_("What each step did"), factor=1.15, semibold=True)
        self._steps = vbox(gap=12)
        add_parts(column, self._column_row, self.pairs, self._steps_title, self._steps, STRETCH)
        self._cards: list[QWidget] = []
        self._curve_cards: list[QWidget] = []
        self._across = 0
        self._chunks = ChunkedWork(self)
        self._entry: CandidateEntry | None = None
        self._candidate: Candidate | None = None
        self._counted_for: CandidateEntry | None = None
        self._counted: tuple[CurveChoice, tuple[Curve, ...]] | None = None
        theme().changed.connect(self._adapt_to_size)

    def forget(self) -> None:
        """Remove all cards and the summary, and forget the displayed candidate."""
        self._chunks.stop()
        self._entry = self._candidate = self._counted_for = self._counted = None
        self.summary.setText("")
        self._curves_wait.hide()
        self._remove_cards()
        self.pairs.forget()

    def _remove_cards(self) -> None:
        """Remove all cards of columns, steps and columns with noise."""
        for layout in (*self._columns, self._steps):
            clear_layout(layout)
        self._cards, self._curve_cards, self._across = [], [], 0

    def show_entry(self, entry: CandidateEntry | None) -> None:
        """Show the charts of a candidate piece by piece: summary, columns, columns with noise, pairs, steps.

        Nothing happens for None, or if the candidate is shown already.
        """
        if entry is None or (entry is self._entry and entry.candidate is self._candidate):
            return
        self._entry, self._candidate = entry, entry.candidate
        judged = require_evaluation(entry)
        charts = list_marginal_charts(judged)
        self.summary.setText(summarise_changes(judged))
        self._remove_cards()
        self._counted = None
        noisy = entry.candidate is not None and has_curves(entry.candidate)
        self.choices.setVisible(noisy)
        if noisy and entry.candidate is not None:
            self.choices.show_candidate(entry.candidate)
        self._chunks.start(
            [
                *(partial(self._add_card, chart, entry.display_name) for chart in charts),
                self._show_curves,
                partial(self.pairs.show_entry, entry),
                partial(self._show_steps, judged.report),
            ]
        )

    def _add_card(self, chart: Before, name: str) -> None:
        """Add the chart of one column of the candidate ``name``, and lay out all charts again."""
        self._cards.append(marginal_card(chart, name))
        self._across = 0
        self._adapt_to_size()

    def _show_steps(self, report: Report) -> None:
        """Add a card for each step, with its guarantee, figures and proof by level, or a text that there is no step.

        Cards that are there already stay; the caller removes them first.
        """
        for step in report.steps:
            proofs = [proof for proof in report.verdict.levels if proof.step == step.index]
            self._steps.addWidget(StepCard(step, proofs, report.privacy.level_labels))
        if not report.steps:
            self._steps.addWidget(Text(_("No method was applied.")))

    # --- noisy columns ------------------------------------------------------------------

    def _show_curves(self) -> None:
        """Show the reconstructed distributions of columns with noise; nothing if no column has noise.

        If those of the present choice are not known yet, they are computed in the background first. Cards that are
        there already stay; the caller removes them first.
        """
        entry = self._entry
        if entry is None or entry.candidate is None or not has_curves(entry.candidate):
            self._curves_wait.hide()
            return
        curves = self._find_cached_curves(entry)
        if curves is None:
            self._curves_wait.setText(_("Measuring"))
            self._curves_wait.show()
            self._counted_for = entry
            work = partial(_reconstruct_curves, entry.candidate, self.choices.choice)
            self._context.runner.start(CURVES_JOB, work, self._on_curves)
            return
        self._curves_wait.hide()
        self._curve_cards = [curve_card(curve) for curve in curves]
        self._across = 0
        self._adapt_to_size()

    def _find_cached_curves(self, entry: CandidateEntry) -> tuple[Curve, ...] | None:
        """Return the reconstructed distributions for the present choice, None if they have not been computed.

        For the default `CurveChoice` they are those stored with the candidate, or else those of its analyses, if run,
        which this call then stores with it. For any other choice, they are those computed last here, if these were
        computed for it.
        """
        if self.choices.choice == CurveChoice():
            if entry.curves is None and entry.analyses is not None:
                entry.curves = entry.analyses.reconstructions
            return entry.curves
        return self._counted[1] if self._counted is not None and self._counted[0] == self.choices.choice else None

    def _on_curve_choice(self) -> None:
        """Remove the cards of reconstructed distributions, and show those for the present choice."""
        for card in self._curve_cards:
            for column in self._columns:
                column.removeWidget(card)
            card.hide()
            card.deleteLater()
        self._curve_cards = []
        self._show_curves()

    def _on_curves(self, outcome: TaskOutcome) -> None:
        """Store the reconstructed distributions that were computed and show them, or show why they failed.

        Those of the usual choice are stored with their candidate, those of another choice by the tab, for the candidate
        on show only. Nothing is shown if another candidate is displayed by now.
        """
        entry = self._counted_for
        if outcome.ok and entry is not None:
            choice, curves = outcome.result
            if choice == CurveChoice():
                entry.curves = curves
            elif entry is self._entry:
                self._counted = choice, curves
        if entry is not self._entry:
            return
        if outcome.ok:
            self._on_curve_choice()
        else:
            stopped = _("Stopped. Nothing of this run is kept.")
            self._curves_wait.setText(stopped if outcome.cancelled else outcome.message)

    def _adapt_to_size(self) -> None:
        """Arrange the cards in one column, or in two of similar height if there are several and the tab is wide enough.

        Wide enough is 820 px at 100 % text size. Cards of columns with noise come first, and each card goes to the
        column that is shorter so far. Nothing happens if the cards are arranged in that number of columns already.
        """
        cards = [*self._curve_cards, *self._cards]
        across = 2 if self.width() >= theme().px(_TWO_FROM) and len(cards) > 1 else 1
        if across == self._across:
            return
        self._across = across
        # A card keeps its item: another one would go on giving the height it had when it was made.
        items: dict[QWidget | None, QLayoutItem] = {}
        for column in self._columns:
            while (item := column.takeAt(0)) is not None:
                items[item.widget()] = item
        gap = theme().px(12) if across == 2 else 0
        self._column_row.setSpacing(gap)
        self._column_row.setStretch(0, 1)
        self._column_row.setStretch(1, 1 if across == 2 else 0)
        wide = (self.width() - gap) // across
        ends = [0] * across
        for card in cards:
            # Where there is most room: a low card leaves no hole beside a high one.
            shortest = ends.index(min(ends))
            ends[shortest] += _compute_card_height(card, wide) + theme().px(12)
            if card in items:
                self._columns[shortest].addItem(items[card])
            else:
                self._columns[shortest].addWidget(card)
        for column in self._columns[:across]:
            column.addStretch(1)

    def minimumSizeHint(self) -> QSize:
        """Return a minimum size as wide as the widest card, since cards side by side can move below each other."""
        steps = [item.widget() for index in range(self._steps.count()) if (item := self._steps.itemAt(index))]
        parts = [*self._curve_cards, *self._cards, self.pairs, *(step for step in steps if step is not None)]
        widest = max(widget.minimumSizeHint().width() for widget in parts)
        return QSize(widest, super().minimumSizeHint().height())


def _compute_card_height(card: QWidget, wide: int) -> int:
    """Return the height in pixels that a card needs if it is ``wide`` pixels wide."""
    return (
        card.heightForWidth(wide)
        if card.hasHeightForWidth()
        else card.sizeHint().expandedTo(card.minimumSize()).height()
    )


def _reconstruct_curves(candidate: Candidate, choice: CurveChoice) -> tuple[CurveChoice, tuple[Curve, ...]]:
    """Return ``choice`` and the distributions of a candidate's noisy columns that are reconstructed by it."""
    return choice, reconstruction_curves(candidate, level_known=choice.level_known, by=choice.by)
