"""Comparison of search strategies for a step that swaps values, computed on request and shown as a chart."""

from __future__ import annotations

from functools import partial

from ppdm_desktop.engine.methods.base.declaration import all_methods
from ppdm_desktop.engine.recipe.models import StepSection
from ppdm_desktop.engine.report.swap_frontier import searches_scene
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.ui.charts.card import ChartCard
from ppdm_desktop.ui.charts.drawn_view import DrawnView
from ppdm_desktop.ui.models.rows_model import RowsModel
from ppdm_desktop.ui.page import Context
from ppdm_desktop.ui.pages.protect.effect import EffectQuestion
from ppdm_desktop.ui.state.search_frontier import (
    Frontier,
    chart_points,
    compare_searches,
    frontier_sentences,
    table_headers,
    table_rows,
)
from ppdm_desktop.ui.widgets.basic import Strip, Text
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.inputs import Choice
from ppdm_desktop.ui.widgets.layout import Panel, vbox, widget_of
from ppdm_desktop.ui.widgets.work import WorkLine, describe_progress
from ppdm_desktop.ui.work.tasks import TaskOutcome, TaskProgress

JOB = "searches"


class FrontierPart(Panel):
    """Part with a button that compares search strategies, the progress, and the chart; cleared with the step."""

    def __init__(self, context: Context, effect: EffectQuestion) -> None:
        super().__init__(name="part_frontier")
        self._session, self._runner, self._effect = context.session, context.runner, effect
        self._compared: tuple[bytes, StepSection] | None = None
        self._is_running = False
        self.frontier: Frontier | None = None
        self._step: StepSection | None = None
        self.start = Button(_("Compare the searches"), name="button_compare_searches", clicked=self._on_start)
        text = _(
            "Tries each search on your file and shows what it keeps and what could be undone. Nothing is released."
        )
        self.about = Text(text, tone="text3", factor=0.85)
        line = widget_of(vbox(self.start, self.about, gap=4))
        self._work = WorkLine(job="searches")
        self._work.cancelled.connect(lambda: self._runner.cancel(JOB))
        self._doing = Text("", tone="text2", factor=0.9)
        self._failure = Strip("amber", "", name="strip_searches")
        self.columns = Choice(name="combo_frontier_column", label=_("Column"), letters=16, picked=self._on_column)
        column = vbox(line, self._work, self._doing, self._failure, self.columns, on=self, margins=(0, 4, 0, 0), gap=6)
        text = _("Searches of the swap")
        self.chart = DrawnView(name="chart_frontier", label=text)
        self._model = RowsModel(table_headers(), right=range(1, 7))
        self.card = ChartCard("frontier", self.chart, self._model, label=text)
        self.card.set_print(
            _(
                "Lower is better. Right of the dashed line, undoing the swap finds more true values than chance "
                "explains. The filled point is this step."
            )
        )
        column.addWidget(self.card)
        context.runner.progressed.connect(self._on_progressed)
        self._show_state()

    def forget(self) -> None:
        """Cancel the comparison, and remove its chart and its message."""
        if self._is_running:
            self._runner.cancel(JOB)
        self._compared, self._is_running, self.frontier = None, False, None
        self._failure.set("amber", "")
        self._show_state()

    def show_step(self, step: StepSection | None) -> None:
        """Offer the comparison for a step that is switched on and whose method has search strategies; else hide it.

        Results and messages for another step or earlier decisions are removed, and a comparison that runs for them is
        cancelled.
        """
        offered = step is not None and step.enabled and all_methods()[step.method].compares_searches
        self.setVisible(offered)
        self._step = step if offered else None
        if self._compared is not None and self._compared != (self._session.basis(), self._step):
            self.forget()

    # --- working ------------------------------------------------------------------------

    def _on_start(self) -> None:
        """Start to compare the search strategies for the step in the background, and show the progress.

        Nothing happens without a file or an offered step, or while a comparison runs.
        """
        session, step = self._session, self._step
        path, reading, recipe = session.decisions.path, session.reading, session.decisions.recipe
        if path is None or reading is None or step is None or self._is_running:
            return
        basis = session.basis()
        self._compared, self._is_running, self.frontier = (basis, step), True, None
        self._failure.set("amber", "")
        self._work.begin()
        self._doing.setText("")
        work = partial(compare_searches, path, reading, recipe, basis, self._effect.prepared(basis), step)
        self._runner.start(JOB, work, self._on_done)
        self._show_state()

    def _on_progressed(self, progress: TaskProgress) -> None:
        """Show how much of the comparison is done; progress of other background jobs is ignored."""
        if progress.job == JOB and self._is_running:
            self._work.show_share(progress.fraction)
            self._doing.setText(describe_progress(progress, _("Running")))

    def _on_done(self, outcome: TaskOutcome) -> None:
        """Show the comparison, unless it was forgotten meanwhile; a cancelled one shows nothing.

        If it failed, the reason is shown; if nobody is unique, that there is nothing to compare.
        """
        if self._is_running and not outcome.ok:
            self._failure.set("amber", "" if outcome.cancelled else outcome.message)
        elif self._is_running and not outcome.result.curves:
            self._failure.set("note", _("Nobody is unique, so there is no search to compare."))
        elif self._is_running:
            self.frontier = outcome.result
        self._is_running = False
        self._show_state()

    # --- showing ------------------------------------------------------------------------

    def _show_state(self) -> None:
        """Show the progress while the comparison runs, and the chart of one column if there is a result.

        If there are several columns, a list to choose the column is visible; the present choice is kept.
        """
        self._work.setVisible(self._is_running)
        self._doing.setVisible(self._is_running)
        self.start.setEnabled(not self._is_running)
        curves = self.frontier.curves if self.frontier is not None else {}
        self.columns.setVisible(len(curves) > 1)
        self.card.setVisible(bool(curves))
        if curves:
            names = list(curves)
            kept = self.columns.current if self.columns.current in curves else names[0]
            self.columns.set_choices([(name, name) for name in names], kept)
            self._show_column(kept)

    def _show_column(self, name: str) -> None:
        """Draw the search strategies for the column ``name``: what each preserves against what could be undone.

        The same figures are put into the table of the card, which turns to the chart. There must be a result for the
        column.
        """
        assert self.frontier is not None
        calibration = self.frontier.curves[name]
        title, costs = frontier_sentences(name, calibration)
        self.card.show_chart()
        self.card.set_title(title, costs)
        self.chart.set_scene(searches_scene(title, self.card.small, chart_points(calibration)))
        self._model.set_rows(table_rows(calibration))

    def _on_column(self, name: str) -> None:
        """Draw the search strategies for the chosen column; nothing before the comparison is done."""
        if self.frontier is not None and name in self.frontier.curves:
            self._show_column(name)
