"""Tab "Analyses": prediction models, clusters, regressions and measures of the whole table for one candidate."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtWidgets import QWidget

from ppdm_desktop.engine.figure import measures_of
from ppdm_desktop.engine.one_thread import one_thread
from ppdm_desktop.engine.recipe.models import LEARN_FROM, RegressionSection
from ppdm_desktop.engine.release.candidate.model import Candidate, match_source_columns
from ppdm_desktop.engine.release.measures.analyses import MOST_MODELS, Analyses, compare_conclusions, may_be_explained
from ppdm_desktop.engine.report.html import (
    coefficient_headings,
    coefficient_rows,
    conclusions_sentence,
    describe_model,
)
from ppdm_desktop.engine.report.report_texts import write_measure
from ppdm_desktop.engine.utility.conclusions import Conclusions
from ppdm_desktop.engine.utility.separability import is_uninformative
from ppdm_desktop.engine.utility.whole_table import TableFigures
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.values import Term
from ppdm_desktop.ui.charts.card import scene_card
from ppdm_desktop.ui.look.accessibility import join_label
from ppdm_desktop.ui.look.tips import plain_tip
from ppdm_desktop.ui.models.rows_model import RowsModel
from ppdm_desktop.ui.page import Context
from ppdm_desktop.ui.pages.compare.analyses.logic import (
    TaskResult,
    analyse_candidate,
    cluster_headers,
    cluster_rows,
    clusters_title,
    explain_clusters,
    learner_headers,
    learners_scene,
    list_task_results,
    ways_to_learn,
)
from ppdm_desktop.ui.pages.compare.tab_order import set_tab_order_after
from ppdm_desktop.ui.state.column_decisions import short_name
from ppdm_desktop.ui.state.finished_candidates import can_reconstruct, find_valid_analyses
from ppdm_desktop.ui.state.session import CandidateEntry
from ppdm_desktop.ui.widgets.basic import Card, Strip, Text, clear_layout
from ppdm_desktop.ui.widgets.buttons import Button, Segments
from ppdm_desktop.ui.widgets.inputs import Choice, check_box
from ppdm_desktop.ui.widgets.layout import STRETCH, Flow, Panel, add_parts, hbox, stretch_part, vbox
from ppdm_desktop.ui.widgets.tables.form_table import FormTable
from ppdm_desktop.ui.widgets.work import WorkLine, describe_progress
from ppdm_desktop.ui.work.tasks import TaskOutcome, TaskProgress

Models = tuple[RegressionSection, ...]


def compare_models(candidate: Candidate, models: Models | None) -> tuple[Conclusions, ...]:
    """Return the results of each regression on the original and on a candidate, in the order of the models.

    Regressions with a column that is not released are left out.

    Parameters
    ----------
    candidate
        The protected version.
    models
        Regressions to fit; None fits those that the program proposes.

    Raises
    ------
    RecipeError
        If a regression names a column that the source does not have.
    """
    with one_thread():
        return compare_conclusions(candidate, match_source_columns(candidate), models)


def to_recipe_models(conclusions: Sequence[Conclusions]) -> Models:
    """Return compared regressions in the form in which a recipe stores them."""
    return tuple(RegressionSection(y=entry.y, x=tuple(entry.x)) for entry in conclusions)


def conclusions_card(index: int, conclusions: Conclusions, leave_out: Callable[[], None]) -> Card:
    """Return the card of one regression: how many of its conclusions stay the same, and a button to leave it out.

    The title names the columns. A note and a table of coefficients are on the card only if ``conclusions`` has them.

    Parameters
    ----------
    index
        Number of the regression, for the names of widgets.
    conclusions
        The regression on the original and on the release.
    leave_out
        Called by the button.
    """
    card = Card(describe_model(conclusions), conclusions_sentence(conclusions), name=f"card_conclusions_{index}")
    if conclusions.note is not None:
        card.body.addWidget(Text(str(conclusions.note), tone="text2", factor=0.9))
    headings = coefficient_headings()
    if conclusions.coefficients:
        model = RowsModel(headings, right=range(1, len(headings) - 1), parent=card)
        model.set_rows(coefficient_rows(conclusions))
        name = f"table_conclusions_{index}"
        card.body.addWidget(FormTable(model, name=name, label=card.title.text(), stretch=0))
    button = Button(_("Leave out"), name=f"button_leave_out_model_{index}", clicked=leave_out)
    button.setAccessibleName(join_label(button.text(), card.title.text()))
    add_parts(card.body, hbox(button, STRETCH))
    return card


class ModelChoice(Card):
    """Card in which the user adds a regression: the column to explain, and the columns that explain it."""

    def __init__(self, candidate: Candidate, models: Models, choose: Callable[[Models | None], None]) -> None:
        super().__init__(
            _("Would the analysis come out the same?"),
            _(
                "Each regression is fitted on the original and on the release. Overlap: 1 where both agree, below 0 "
                "where they are further apart than the original is uncertain."
            ),
            name="card_model_choice",
        )
        self._models, self._choose = models, choose
        columns = [candidate.prepared.table.column(name) for name in candidate.described_names]
        columns.sort(key=lambda column: column.role != "confidential")
        answers = [column.name for column in columns if may_be_explained(column)]
        self._answer = Choice(name="choice_model_y", label=_("Column to explain"), picked=self._on_changed)
        self._answer.set_choices([(name, short_name(name)) for name in answers], answers[0] if answers else None)
        self._boxes = {
            column.name: check_box(short_name(column.name), name=f"check_model_x_{number}", toggled=self._on_changed)
            for number, column in enumerate(column for column in columns if column.kind != "text")
        }
        for name, box in self._boxes.items():
            if box.text() != name:
                box.setToolTip(plain_tip(name))
        self._add = Button(_("Compare this analysis too"), name="button_add_model", clicked=self._on_add)
        proposed = Button(_("Use the proposed ones"), name="button_propose_models", clicked=partial(choose, None))
        label = Text(_("Column to explain"), tone="text2", wrap=False)
        add_parts(self.body, hbox(label, self._answer, STRETCH), Text(_("Explained by"), tone="text2"))
        add_parts(self.body, Flow(*self._boxes.values()), hbox(self._add, proposed, STRETCH))
        self._on_changed()

    @property
    def _chosen(self) -> tuple[str, ...]:
        """Names of the ticked explaining columns, without the column to be explained."""
        return tuple(name for name, box in self._boxes.items() if box.isChecked() and name != self._answer.current)

    def _on_changed(self, *_args: object) -> None:
        """Forbid the explained column among the explaining ones, and enable the button for a complete regression.

        The button stays disabled once ``MOST_MODELS`` regressions are compared.
        """
        for name, box in self._boxes.items():
            box.setEnabled(name != self._answer.current)
        self._add.setEnabled(bool(self._answer.current and self._chosen) and len(self._models) < MOST_MODELS)

    def _on_add(self) -> None:
        """Ask, by the function ``choose``, for the present regressions and one with the chosen columns after them."""
        self._choose((*self._models, RegressionSection(y=self._answer.current, x=self._chosen)))


def conclusions_cards(
    candidate: Candidate, conclusions: Sequence[Conclusions], choose: Callable[[Models | None], None]
) -> list[QWidget]:
    """Return the card in which regressions are chosen, followed by a card for each compared regression.

    Parameters
    ----------
    candidate
        Protected version whose columns can be chosen.
    conclusions
        The compared regressions.
    choose
        Called with the regressions that the user wants; None for those that the program proposes.
    """
    models = to_recipe_models(conclusions)
    cards: list[QWidget] = [ModelChoice(candidate, models, choose)]
    for index, entry in enumerate(conclusions):
        left = (*models[:index], *models[index + 1 :])
        cards.append(conclusions_card(index, entry, partial(choose, left)))
    return cards


JOB, MODELS_JOB = "analyses", "conclusions"


def task_card(index: int, task: TaskResult, name: str) -> Card:
    """Return the card of one prediction task: how well each learner predicts, or why nothing was measured.

    Parameters
    ----------
    index
        Number of the task, for the names of widgets.
    task
        The task with its results.
    name
        Name of the candidate.
    """
    caption = f"{task.target}: {task.task}"
    if not task.measured:
        card = Card(task.title, caption, name=f"card_learners_{index}")
        card.body.addWidget(Text(task.small, tone="text2"))
        return card
    headers, scene = learner_headers(), learners_scene(task, name)
    right, topic = range(1, len(headers) - 1), "figure.predictions"
    chart_card = scene_card(f"learners_{index}", scene, headers, right=right, rows=task.tables, topic=topic)
    chart_card.set_title(task.title, caption)
    chart_card.set_scale("" if scene.x.low == 0 else _("The scale does not start at 0."))
    if task.remedy:
        chart_card.body.addWidget(Text(task.remedy, tone="text2", factor=0.9))
    return chart_card


def figures_card(analyses: Analyses) -> Card:
    """Return the card with the measures of the table as a whole, each with an explanation and its exact term.

    If the table has so few rows that any two tables could be distinguished, the card says so instead of the
    explanation.
    """
    card = Card(_("The table as a whole"), name="card_table_figures", topic="figure.analyses")
    for index, (key, measure) in enumerate(measures_of(TableFigures).items()):
        figure, heading = getattr(analyses.table, key), str(measure.heading)
        label = Text(write_measure(figure, measure), semibold=True, wrap=False, name=f"figure_table_{index}")
        label.setAccessibleName(f"{heading}: {label.text()}")
        reading = _("Too few rows for an answer: any two tables this short can be distinguished.")
        if not is_uninformative(figure):
            reading = str(measure.help)
        add_parts(card.body, hbox(stretch_part(Text(heading)), label), Text(reading, tone="text2", factor=0.95))
        if term := " · ".join(str(part) for part in (measure.term, figure.note) if part):
            card.body.addWidget(Text(term, tone="text3", factor=0.85))
    return card


def clusters_card(analyses: Analyses) -> Card:
    """Return the card that compares clusters of similar records before and after.

    Without figures on clusters it has only a title, which says that they could not be compared.
    """
    card = Card(clusters_title(analyses), name="card_clusters")
    rows = cluster_rows(analyses)
    if not rows:
        return card
    headers = cluster_headers()
    model = RowsModel(headers, right=range(len(headers)), parent=card)
    model.set_rows(rows)
    table = FormTable(model, name="table_clusters", label=card.title.text(), stretch=-1)
    add_parts(card.body, table, Text(explain_clusters(analyses), tone="text3", factor=0.85))
    return card


class AnalysesTab(Panel):
    """Tab that runs the analyses of the selected candidate once, and stores the result in the candidate."""

    def __init__(self, context: Context) -> None:
        super().__init__(name="tab_analyses")
        self._context = context
        self._entry: CandidateEntry | None = None
        self._running: CandidateEntry | None = None
        self._compared: tuple[Candidate | None, Models | None] = None, None
        self._drawn: Analyses | None = None
        self._asked: set[tuple[int, str]] = set()
        self._analyses_by_key: dict[tuple[int, str], Analyses] = {}
        self._summary = Text("", name="label_analyses")
        column = vbox(self._summary, on=self, margins=(0, 10, 0, 0), gap=12)
        self._learn_from = QWidget()
        text = _("Noisy columns")
        chosen = hbox(Text(text, tone="text2", wrap=False), on=self._learn_from)
        ways = ways_to_learn()
        self._ways = Segments([(key, short) for key, short, _ in ways], name="seg_learn_from", label=text)
        for key, _unused, full in ways:
            self._ways.set_name(key, full)
        self._ways.chosen.connect(self._on_way)
        chosen.addWidget(self._ways, 1)
        self._way_text = Text("", tone="text2", factor=0.9, name="label_learn_from")
        self._work = WorkLine(job="analyses")
        self._failed = Strip("blocks", name="strip_analyses")
        self._try = Button(_("Try the analyses"), name="button_try_analyses", clicked=self._start_analyses)
        self._cards = vbox(gap=12)
        add_parts(
            column, self._learn_from, self._way_text, self._work, self._failed, hbox(self._try, STRETCH), self._cards
        )
        column.addStretch(1)
        self._work.cancelled.connect(self._on_cancel)
        context.runner.progressed.connect(self._on_progressed)
        self._show_state()

    def forget(self) -> None:
        """Forget all results, and show the tab as without a candidate."""
        self._running = None
        self._analyses_by_key.clear()
        self.show_entry(None)

    def show_entry(self, entry: CandidateEntry | None) -> None:
        """Show the analyses of a candidate (a protected version of the file); None stands for no candidate.

        They are started if the candidate has none for the present way of learning, they were not tried before, and no
        other analyses run. Its regressions are compared if the recipe has others now.
        """
        if entry is not self._entry:
            self._failed.set("blocks", "")
        self._entry = entry
        if entry is not None and find_valid_analyses(entry, self._learning_way) is None:
            # What was found in another way before is found again when that way is chosen again.
            entry.analyses = self._analyses_by_key.get(self._result_key(entry), entry.analyses)
        wanted = (
            entry is not None
            and find_valid_analyses(entry, self._learning_way) is None
            and self._result_key(entry) not in self._asked
        )
        if wanted and not self._context.runner.is_running(JOB):
            self._start_analyses()
        self._show_state()
        self._compare_models()

    # --- working ------------------------------------------------------------------------

    def _start_analyses(self) -> None:
        """Run all analyses of the selected candidate in the background; nothing if there is none or it is not finished.

        They are not started by themselves again, even if they fail or are stopped.
        """
        entry = self._entry
        if entry is None or entry.candidate is None:
            return
        # Only once by itself: who stopped it or saw it fail asks again.
        self._asked.add(self._result_key(entry))
        self._running = entry
        self._failed.set("blocks", "")
        self._work.begin()
        self._context.runner.start(JOB, partial(analyse_candidate, entry.candidate, self._learning_way), self._on_done)
        self._show_state()

    @property
    def _learning_way(self) -> LEARN_FROM:
        """What models are trained on in columns with noise, as set in the recipe (see ``ways_to_learn``)."""
        return self._context.session.decisions.recipe.utility.learn_from

    def _result_key(self, entry: CandidateEntry) -> tuple[int, str]:
        """Return the key under which a candidate's results are stored: its serial number and the way of learning."""
        return entry.serial, self._learning_way

    def _on_way(self, way: str) -> None:
        """Write into the recipe what models are trained on in columns with noise, and show the analyses made that way.

        ``way`` is one of the recipe values of ``ways_to_learn``. If there are none made that way, they are started as
        by ``show_entry``.
        """
        session = self._context.session
        utility = session.decisions.recipe.utility.model_copy(update={"learn_from": way})
        session.decide_recipe(utility=utility)
        self.show_entry(self._entry)

    def _on_models(self, models: Models | None) -> None:
        """Write into the recipe which regressions are compared (None: those the program proposes), and compare them."""
        session = self._context.session
        utility = session.decisions.recipe.utility.model_copy(update={"models": models})
        session.decide_recipe(utility=utility)
        self._compare_models()

    def _compare_models(self) -> None:
        """Compare the regressions of the recipe in the background, unless the candidate has the results of just these.

        Nothing happens while a comparison runs, or before the candidate was analysed.
        """
        entry, wanted = self._entry, self._context.session.decisions.recipe.utility.models
        analyses = None if entry is None else entry.analyses
        if entry is None or entry.candidate is None or analyses is None or analyses.models_asked == wanted:
            return
        if not self._context.runner.is_running(MODELS_JOB):
            self._compared = entry.candidate, wanted
            self._context.runner.start(MODELS_JOB, partial(compare_models, entry.candidate, wanted), self._on_compared)

    def _on_compared(self, outcome: TaskOutcome) -> None:
        """Store and show the compared regressions of the selected candidate, or show why the comparison failed.

        Nothing happens if the comparison was cancelled, or if the selected candidate was not analysed. The result or
        the failure of another candidate's comparison, or the failure for regressions that are no longer wanted, is
        dropped. The selected one's regressions are then compared if need be.
        """
        entry, (candidate, models) = self._entry, self._compared
        if entry is None or entry.analyses is None or outcome.cancelled:
            return
        if entry.candidate is candidate and outcome.ok:
            entry.analyses = replace(entry.analyses, conclusions=outcome.result, models_asked=models)
            self._analyses_by_key[self._result_key(entry)] = entry.analyses
            self._failed.set("blocks", "")
            self._show_state()
        elif entry.candidate is candidate and models == self._context.session.decisions.recipe.utility.models:
            self._failed.set("blocks", outcome.message)
            return
        self._compare_models()

    def _on_cancel(self) -> None:
        """Cancel the analyses, and show "Stopping" until they have ended."""
        self._summary.setText(_("Stopping"))
        self._context.runner.cancel(JOB)

    def _on_progressed(self, progress: TaskProgress) -> None:
        """Show the progress of the analyses if they belong to the selected candidate; other jobs are ignored.

        While the analyses are being stopped, only the bar moves.
        """
        if progress.job != JOB or self._running is None or self._running is not self._entry:
            return
        self._work.show_share(progress.fraction)
        if not self._work.is_stopping:
            self._summary.setText(describe_progress(progress, _("Trying the analyses")))

    def _on_done(self, outcome: TaskOutcome) -> None:
        """Store finished analyses in their candidate, and show the selected candidate's analyses or why they failed.

        The result is dropped if the candidate was made again meanwhile. If the tab is visible, the selected candidate's
        analyses are then started if it has none.
        """
        entry, self._running = self._running, None
        if entry is not None and outcome.ok:
            analyses, candidate = outcome.result
            if entry.candidate is candidate:
                entry.analyses = analyses
                self._analyses_by_key[entry.serial, analyses.learn_from] = analyses
        elif not outcome.cancelled and entry is self._entry:
            self._failed.set("blocks", outcome.message)
        if self.isVisible():
            self.show_entry(self._entry)
        else:
            self._show_state()

    # --- showing ------------------------------------------------------------------------

    def _show_state(self) -> None:
        """Show the selected candidate's analyses, or the button that starts them, or their progress.

        The button is visible if it has none and no analyses run; the progress, if the running ones are of this
        candidate. The choice of what models learn from is visible only if a column has noise; analyses made with
        another choice do not count then.
        """
        entry = self._entry
        analyses = find_valid_analyses(entry, self._learning_way) if entry is not None else None
        noisy = entry is not None and entry.candidate is not None and can_reconstruct(entry.candidate)
        self._learn_from.setVisible(noisy)
        self._way_text.setVisible(noisy)
        self._ways.set_current(self._learning_way)
        self._way_text.setText(next(full for key, _, full in ways_to_learn() if key == self._learning_way))
        running = self._context.runner.is_running(JOB) and self._running is not None
        mine = running and self._running is entry
        self._work.setVisible(mine)
        self._try.setVisible(entry is not None and analyses is None and not running)
        if analyses is not self._drawn:
            self._build_cards(analyses)
        self._summary.setText(self._describe_state(analyses, self._running if running else None))

    def _describe_state(self, analyses: Analyses | None, running: CandidateEntry | None) -> str:
        """Return a line on the selected candidate's analyses: not tried, running, waiting, or how they were made.

        They wait while those of another candidate run. Without a selected candidate the line says so.
        """
        entry = self._entry
        if entry is None:
            return _("The results appear here when a run is finished.")
        if analyses is None and running is not None and running is not entry:
            return _("Waiting")
        if analyses is None and running is None:
            return _("Not tried yet. It can take some minutes. You can go on working.")
        if running is entry:
            return _("Trying the analyses")
        return _(
            "A prediction model is trained on {name} only and tested on other people. The report gives the same "
            "figures.",
            name=Term(entry.display_name),
        )

    def _build_cards(self, analyses: Analyses | None) -> None:
        """Replace the cards by those of these analyses: predictions, regressions, clusters, the table as a whole.

        None, or no selected candidate, leaves no card. If nothing could be predicted, a text says why.
        """
        self._drawn = analyses
        clear_layout(self._cards)
        if analyses is None or self._entry is None:
            return
        cards: list[QWidget] = [
            task_card(index, task, self._entry.display_name) for index, task in enumerate(list_task_results(analyses))
        ]
        if not cards:
            cards.append(Text(_("No confidential column is released, so there is nothing to predict.")))
        if self._entry.candidate is not None:
            cards += conclusions_cards(self._entry.candidate, analyses.conclusions, self._on_models)
        cards += [clusters_card(analyses), figures_card(analyses)]
        add_parts(self._cards, *cards)
        set_tab_order_after(self._try, *cards)
