"""Before and after: each treated column's values, and what every step did, with its proof."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.release.candidate import Candidate
from ppdm_desktop.engine.release.reconstructions import Curve, reconstruction_curves
from ppdm_desktop.ui.charts.card import ChartCard
from ppdm_desktop.ui.charts.paired_bars import Pair, PairedBars, PairLegend
from ppdm_desktop.ui.models.rows_model import RowsModel
from ppdm_desktop.ui.page import Context
from ppdm_desktop.ui.pages.compare_after import AfterStepsCard, after_rows
from ppdm_desktop.ui.pages.compare_curves import CurveCard, has_curves
from ppdm_desktop.ui.pages.compare_groups import GroupSizesCard
from ppdm_desktop.ui.pages.compare_logic import Before, judged_of, marginals, untouched
from ppdm_desktop.ui.pages.compare_steps import StepWordsOf, proof_headers, steps_of
from ppdm_desktop.ui.session import CandidateEntry
from ppdm_desktop.ui.tasks import TaskOutcome
from ppdm_desktop.ui.theme import theme
from ppdm_desktop.ui.widgets.basic import Card, Severity, Text, clear_layout
from ppdm_desktop.ui.widgets.form_table import FormTable
from ppdm_desktop.ui.words import count, percent

CURVES_JOB = "curves"
_TWO_FROM = 820


class MarginalCard(ChartCard):
    """One column's shares before and after."""

    def __init__(self, shown: Before, name: str) -> None:
        chart = PairedBars(name=f"chart_marginal_{shown.name}", words=shown.title)
        model = RowsModel([shown.name, self.tr("Original"), name, self.tr("Change")], right=(1, 2, 3))
        super().__init__(f"marginal_{shown.name}", chart, model, words=shown.title)
        self.set_title(shown.title)
        word = self.tr("Kept") if shown.kept else self.tr("Shifted")
        self.body.insertWidget(0, Severity("passed" if shown.kept else "amber", word))
        self.legend.addWidget(PairLegend(self.tr("original"), name))
        pairs = [Pair(*each) for each in zip(shown.labels, shown.before, shown.after, strict=True)]
        chart.set_pairs(pairs, shown.title)
        model.set_rows(
            [
                (pair.label, percent(pair.before), percent(pair.after), f"{100 * (pair.after - pair.before):+.1f}")
                for pair in pairs
            ]
        )
        self.set_print(shown.small)
        if not shown.kept:
            self.body.addWidget(
                Text(
                    self.tr("What to do: tell the recipient, or choose settings on Protect that change less."),
                    tone="text2",
                    factor=0.9,
                )
            )


class StepCard(Card):
    """What one step did: promise, recount, own figures, proof for each level."""

    def __init__(self, shown: StepWordsOf) -> None:
        super().__init__(self.tr("Step {n}: {title}").format(n=shown.index, title=shown.title), shown.what)
        self.setObjectName(f"card_step_{shown.index}")
        word = self.tr("Holds") if shown.holds else self.tr("Does not hold")
        self.body.addWidget(Severity("passed" if shown.holds else "blocks", word))
        self.body.addWidget(Text(shown.guarantee))
        if shown.detail:
            grid = QGridLayout()
            grid.setHorizontalSpacing(theme().px(14))
            grid.setVerticalSpacing(theme().px(2))
            grid.setColumnStretch(2, 1)
            grid.setColumnMinimumWidth(0, theme().px(200))
            for row, (words, figure) in enumerate(shown.detail):
                grid.addWidget(Text(words, tone="text2"), row, 0)
                grid.addWidget(Text(figure, wrap=False), row, 1)
            self.body.addLayout(grid)
        for note in shown.notes:
            self.body.addWidget(Text(f"•  {note}", tone="text2", factor=0.95))
        if shown.sizes is not None:
            self.body.addWidget(GroupSizesCard(shown.index, *shown.sizes))
        if shown.proof:
            self.body.addWidget(Text(self.tr("Proof for each privacy level"), semibold=True))
            model = RowsModel(proof_headers(), right=(2, 3, 4, 5), parent=self)
            model.set_rows(shown.proof)
            words = self.tr("Proof of step {n}").format(n=shown.index)
            self.body.addWidget(FormTable(model, name=f"table_proof_{shown.index}", words=words))


class ChartsTab(QWidget):
    """Charts in two columns where there is room, then a card for each step."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.setObjectName("tab_charts")
        self._context = context
        column = QVBoxLayout(self)
        column.setContentsMargins(0, theme().px(10), 0, 0)
        column.setSpacing(theme().px(12))
        self.summary = Text("", tone="text2")
        column.addWidget(self.summary)
        self._curves_wait = Text("", tone="text2")
        self._curves_wait.setObjectName("label_curves_wait")
        self._curves_wait.hide()
        column.addWidget(self._curves_wait)
        self._grid = QGridLayout()
        self._grid.setSpacing(theme().px(12))
        column.addLayout(self._grid)
        self._steps_title = Text(self.tr("What each step did"), factor=1.15, semibold=True)
        column.addWidget(self._steps_title)
        self._steps = QVBoxLayout()
        self._steps.setSpacing(theme().px(12))
        column.addLayout(self._steps)
        column.addStretch(1)
        self._cards: list[QWidget] = []
        self._curve_cards: list[QWidget] = []
        self._across = 0
        self._entry: CandidateEntry | None = None
        self._candidate: Candidate | None = None
        self._counted_for: CandidateEntry | None = None

    def show_entry(self, entry: CandidateEntry | None) -> None:
        """Show a candidate's report."""
        if entry is None or (entry is self._entry and entry.candidate is self._candidate):
            return
        self._entry, self._candidate = entry, entry.candidate
        judged = judged_of(entry)
        charts = marginals(judged)
        same, all_columns = untouched(judged), len(judged.report.utility.columns)
        words = self.tr(
            "{same} of {all} released columns have the values they had; {n} shown here, largest shift first."
        )
        self.summary.setText(words.format(same=count(same), all=count(all_columns), n=len(charts)))
        clear_layout(self._grid)
        clear_layout(self._steps)
        self._cards = [MarginalCard(chart, entry.name) for chart in charts]
        self._curve_cards = []
        self._across = 0
        self._place()
        self._show_curves()
        if rows := after_rows(judged.report):
            self._steps.addWidget(AfterStepsCard(rows))
        steps = steps_of(judged.report)
        for step in steps:
            self._steps.addWidget(StepCard(step))
        if not steps:
            self._steps.addWidget(
                Text(self.tr("This candidate has no step: the columns are released as they are set."))
            )

    # --- noisy columns ------------------------------------------------------------------

    def _show_curves(self) -> None:
        """Show what can be reconstructed of noisy columns; count it in the background the first time."""
        entry = self._entry
        if entry is None or entry.candidate is None or not has_curves(entry.candidate):
            self._curves_wait.hide()
            return
        if entry.curves is None and entry.analyses is not None:
            entry.curves = entry.analyses.reconstructions
        if entry.curves is None:
            self._curves_wait.setText(
                self.tr("What a recipient can reconstruct of the noisy columns is being counted.")
            )
            self._curves_wait.show()
            self._counted_for = entry
            self._context.runner.start(CURVES_JOB, _curves_work(entry.candidate), self._on_curves)
            return
        self._curves_wait.hide()
        self._curve_cards = [CurveCard(curve) for curve in entry.curves]
        self._across = 0
        self._place()

    def _on_curves(self, outcome: TaskOutcome) -> None:
        entry = self._counted_for
        if outcome.ok and entry is not None:
            entry.curves = outcome.result
        if entry is not self._entry:
            return
        if outcome.ok:
            self._show_curves()
        else:
            stopped = self.tr("What a recipient can reconstruct was not counted: the work was stopped.")
            self._curves_wait.setText(stopped if outcome.cancelled else outcome.words)

    def _place(self) -> None:
        cards = [*self._curve_cards, *self._cards]
        across = 2 if self.width() >= theme().px(_TWO_FROM) and len(cards) > 1 else 1
        if across == self._across:
            return
        self._across = across
        while self._grid.takeAt(0) is not None:
            pass
        for place, card in enumerate(cards):
            # A card beside a higher one keeps its own height.
            self._grid.addWidget(card, place // across, place % across, Qt.AlignmentFlag.AlignTop)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Use two columns where there is room."""
        super().resizeEvent(event)
        self._place()


def _curves_work(candidate: Candidate) -> Callable[[Progress], tuple[Curve, ...]]:
    def work(progress: Progress) -> tuple[Curve, ...]:
        return reconstruction_curves(candidate, progress)

    return work
