"""What analyses keep: learners, groups and the figures of the whole table, tried out when the user looks."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from ppdm_desktop.engine.recipe.models import LEARN_FROM
from ppdm_desktop.engine.release.measures.analyses import Analyses
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.values import Term
from ppdm_desktop.ui.charts.card import ChartCard
from ppdm_desktop.ui.charts.drawn_view import DrawnView
from ppdm_desktop.ui.models.rows_model import RowsModel
from ppdm_desktop.ui.page import Context
from ppdm_desktop.ui.pages.compare.analyses.logic import (
    TaskShown,
    analysing,
    cluster_headers,
    cluster_rows,
    clusters_print,
    clusters_title,
    figures_shown,
    learner_headers,
    learners_scene,
    tasks_shown,
    ways_to_learn,
)
from ppdm_desktop.ui.pages.compare.tab_order import reach_after
from ppdm_desktop.ui.state.finished_candidates import can_reconstruct, tried_analyses
from ppdm_desktop.ui.state.session import CandidateEntry
from ppdm_desktop.ui.widgets.basic import Card, Strip, Text, clear_layout
from ppdm_desktop.ui.widgets.buttons import Button, Segments
from ppdm_desktop.ui.widgets.layout import STRETCH, Panel, fill, hbox, stretched, vbox
from ppdm_desktop.ui.widgets.tables.form_table import FormTable
from ppdm_desktop.ui.widgets.tables.frozen_columns_table import NamedRows
from ppdm_desktop.ui.widgets.work import WorkLine, progress_words
from ppdm_desktop.ui.work.tasks import TaskOutcome, TaskProgress

JOB = "analyses"


class TaskCard(ChartCard):
    """One column that learners tell from the others."""

    def __init__(self, place: int, task_shown: TaskShown, name: str) -> None:
        chart = DrawnView(name=f"chart_learners_{place}", words=task_shown.title)
        headers = learner_headers()
        model = NamedRows(headers, right=range(1, len(headers) - 1))
        super().__init__(f"learners_{place}", chart, model, words=task_shown.title)
        self.setProperty("topic", "figure.predictions")
        self.setObjectName(f"card_learners_{place}")
        self.set_title(task_shown.title, f"{task_shown.target}: {task_shown.task}")
        scene = learners_scene(task_shown, name)
        chart.set_scene(scene)
        model.set_rows(task_shown.tables)
        self.set_scale("" if scene.x.low == 0 else _("The scale does not start at 0."))
        self.set_print(task_shown.small)
        if task_shown.remedy:
            self.body.addWidget(Text(task_shown.remedy, tone="text2", factor=0.9))


class UnmeasuredCard(Card):
    """One column of which nothing could be learnt: why, and no chart without a mark."""

    def __init__(self, place: int, task_shown: TaskShown) -> None:
        super().__init__(task_shown.title, f"{task_shown.target}: {task_shown.task}", name=f"card_learners_{place}")
        self.body.addWidget(Text(task_shown.small, tone="text2"))


class FiguresCard(Card):
    """The figures of the whole table, one a line, the exact term in small print below."""

    def __init__(self, analyses: Analyses) -> None:
        super().__init__(_("The table as a whole"), name="card_table_figures", topic="figure.analyses")
        for place, shown in enumerate(figures_shown(analyses)):
            figure = Text(shown.figure, semibold=True, wrap=False, name=f"figure_table_{place}")
            figure.setAccessibleName(f"{shown.words}: {shown.figure}")
            fill(self.body, hbox(stretched(Text(shown.words)), figure), Text(shown.reading, tone="text2", factor=0.95))
            if shown.term:
                self.body.addWidget(Text(shown.term, tone="text3", factor=0.85))


class ClustersCard(Card):
    """Whether k-means finds the same groups of similar people."""

    def __init__(self, analyses: Analyses) -> None:
        super().__init__(clusters_title(analyses), name="card_clusters")
        rows = cluster_rows(analyses)
        if not rows:
            self.body.addWidget(Text(_("No number column is released, so there are no groups to find."), tone="text2"))
            return
        headers = cluster_headers()
        model = RowsModel(headers, right=range(len(headers)), parent=self)
        model.set_rows(rows)
        self.table = FormTable(model, name="table_clusters", words=self.title.text(), stretch=-1)
        fill(self.body, self.table, Text(clusters_print(analyses), tone="text3", factor=0.85))


class AnalysesTab(Panel):
    """Tries the usual analyses on the candidate shown, once; keeps the result with the candidate."""

    def __init__(self, context: Context) -> None:
        super().__init__(name="tab_analyses")
        self._context = context
        self._entry: CandidateEntry | None = None
        self._running: CandidateEntry | None = None
        self._drawn: Analyses | None = None
        self._asked: set[tuple[int, str]] = set()
        self._kept: dict[tuple[int, str], Analyses] = {}
        self._said = Text("", name="label_analyses")
        column = vbox(self._said, on=self, margins=(0, 10, 0, 0), gap=12)
        self._learn_from = QWidget()
        text = _("Noisy columns")
        chosen = hbox(Text(text, tone="text2", wrap=False), on=self._learn_from)
        ways = ways_to_learn()
        self._ways = Segments([(key, short) for key, short, _ in ways], name="seg_learn_from", words=text)
        for key, _unused, full in ways:
            self._ways.set_name(key, full)
        self._ways.chosen.connect(self._on_way)
        chosen.addWidget(self._ways, 1)
        self._way_words = Text("", tone="text2", factor=0.9, name="label_learn_from")
        self._work = WorkLine(job="analyses", words=_("Progress of the analyses"))
        self._failed = Strip("blocks", name="strip_analyses")
        self._try = Button(_("Try the analyses"), name="button_try_analyses", clicked=self._start)
        self._cards = vbox(gap=12)
        fill(column, self._learn_from, self._way_words, self._work, self._failed, hbox(self._try, STRETCH), self._cards)
        column.addStretch(1)
        self._work.cancelled.connect(self._on_cancel)
        context.runner.progressed.connect(self._on_progressed)
        self._show_state()

    def forget(self) -> None:
        """Forget what was tried out, and the run under way."""
        self._running = None
        self._kept.clear()
        self.show_entry(None)

    def show_entry(self, entry: CandidateEntry | None) -> None:
        """Show a candidate; try it out when nobody did and nothing else is being tried."""
        if entry is not self._entry:
            self._failed.set("blocks", "")
        self._entry = entry
        if entry is not None and tried_analyses(entry, self._way) is None:
            # What was found in another way before is found again when that way is chosen again.
            entry.analyses = self._kept.get(self._question(entry), entry.analyses)
        wanted = (
            entry is not None and tried_analyses(entry, self._way) is None and self._question(entry) not in self._asked
        )
        if wanted and not self._context.runner.is_running(JOB):
            self._start()
        self._show_state()

    # --- working ------------------------------------------------------------------------

    def _start(self) -> None:
        entry = self._entry
        if entry is None or entry.candidate is None:
            return
        # Only once by itself: who stopped it or saw it fail asks again.
        self._asked.add(self._question(entry))
        self._running = entry
        self._failed.set("blocks", "")
        self._work.begin()
        self._context.runner.start(JOB, analysing(entry.candidate, self._way), self._on_done)
        self._show_state()

    @property
    def _way(self) -> LEARN_FROM:
        return self._context.session.decisions.recipe.utility.learn_from

    def _question(self, entry: CandidateEntry) -> tuple[int, str]:
        return entry.serial, self._way

    def _on_way(self, way: str) -> None:
        session = self._context.session
        utility = session.decisions.recipe.utility.model_copy(update={"learn_from": way})
        session.decide_recipe(_("Choose how models learn noisy columns"), utility=utility)
        self.show_entry(self._entry)

    def _on_cancel(self) -> None:
        self._said.setText(_("Stopping. The result of this run is not kept."))
        self._context.runner.cancel(JOB)

    def _on_progressed(self, progress: TaskProgress) -> None:
        if progress.job != JOB or self._running is None or self._running is not self._entry:
            return
        self._work.show_share(progress.fraction)
        if not self._work.is_stopping:
            self._said.setText(progress_words(progress, _("Trying the analyses")))

    def _on_done(self, outcome: TaskOutcome) -> None:
        entry, self._running = self._running, None
        if entry is not None and outcome.ok:
            analyses, candidate = outcome.result
            if entry.candidate is candidate:
                entry.analyses = analyses
                self._kept[entry.serial, analyses.learn_from] = analyses
        elif not outcome.cancelled and entry is self._entry:
            self._failed.set("blocks", outcome.words)
        if self.isVisible():
            self.show_entry(self._entry)
        else:
            self._show_state()

    # --- showing ------------------------------------------------------------------------

    def _show_state(self) -> None:
        entry = self._entry
        analyses = tried_analyses(entry, self._way) if entry is not None else None
        noisy = entry is not None and entry.candidate is not None and can_reconstruct(entry.candidate)
        self._learn_from.setVisible(noisy)
        self._way_words.setVisible(noisy)
        self._ways.set_current(self._way)
        self._way_words.setText(next(full for key, _, full in ways_to_learn() if key == self._way))
        running = self._context.runner.is_running(JOB) and self._running is not None
        mine = running and self._running is entry
        self._work.setVisible(mine)
        self._try.setVisible(entry is not None and analyses is None and not running)
        if analyses is not self._drawn:
            self._draw(analyses)
        text = ""
        if entry is None:
            text = _("The results appear here when a run is finished.")
        elif analyses is None and running and not mine and self._running is not None:
            text = _(
                "{other} is being analysed. {name} comes next.", other=Term(self._running.name), name=Term(entry.shown)
            )
        elif analyses is None and not running:
            text = _("Not tried yet. It can take some minutes. You can go on working.")
        elif mine:
            text = _("Trying the analyses")
        else:
            text = _(
                "A prediction model is trained on {name} only and tested on other people. The report gives the same "
                "figures.",
                name=Term(entry.shown),
            )
        self._said.setText(text)

    def _draw(self, analyses: Analyses | None) -> None:
        self._drawn = analyses
        clear_layout(self._cards)
        if analyses is None or self._entry is None:
            return
        tasks = tasks_shown(analyses)
        cards: list[QWidget] = []
        for place, task in enumerate(tasks):
            made = TaskCard(place, task, self._entry.shown) if task.measured else UnmeasuredCard(place, task)
            cards.append(made)
        if not tasks:
            cards.append(Text(_("No confidential column is released, so there is nothing to predict.")))
        cards += [ClustersCard(analyses), FiguresCard(analyses)]
        for card in cards:
            self._cards.addWidget(card)
        reach_after(self._try, *cards)
