"""Tab "Ranges": figures over the tried values as curves, the proposed value, and a button to use a value."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from ppdm_desktop.engine.release.sweep.curves import Proposal, propose_value
from ppdm_desktop.engine.release.sweep.run import SweepMeasure
from ppdm_desktop.engine.report.setting_texts import format_value
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.values import Term
from ppdm_desktop.ui.charts.card import ChartCard
from ppdm_desktop.ui.charts.ranges import RangeChart
from ppdm_desktop.ui.models.rows_model import RowsModel
from ppdm_desktop.ui.page import Context
from ppdm_desktop.ui.pages.compare.ranges.logic import (
    NOTHING,
    axis_of,
    caption_of,
    describe_failed_values,
    explain_range_curves,
    first_choices,
    headers_of,
    list_measures,
    note_beyond_limit,
    panel_of,
    table_rows,
    title_of,
    value_choices,
)
from ppdm_desktop.ui.state.range_trials import RangeTrials, is_out_of_date, step_is_there, use_value
from ppdm_desktop.ui.state.session import CandidateEntry
from ppdm_desktop.ui.state.tried_range import TriedRange
from ppdm_desktop.ui.widgets.basic import Card, Strip, Text
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.inputs import Choice, RoomyChoice, add_caption
from ppdm_desktop.ui.widgets.layout import Flow, Panel, add_parts, hbox, stretch_part, vbox
from ppdm_desktop.ui.widgets.work import WorkBar

_LETTERS = 35
"""Width of the list of measures in letters; the list is narrower where there is less room."""


class RangeRows(RowsModel):
    """Model of the table of runs, whose number of columns depends on what was measured."""

    def __init__(self) -> None:
        super().__init__(headers_of(()))

    def show_table(self, headers: Sequence[str], rows: Sequence[tuple[str, ...]]) -> None:
        """Replace headings and rows; if headings and number of rows are as before, the selection stays."""
        if list(headers) == self._headers:
            self.set_rows(rows)
            return
        self.beginResetModel()
        self._headers, self.rows = list(headers), list(rows)
        self._right = frozenset({1, *range(3, len(headers) - 1)})
        self.endResetModel()


class RangeCard(ChartCard):
    """Card with the curves and the choice of the two measures that they show."""

    def __init__(self) -> None:
        text = _("Figures over the values that were tried")
        self.range = RangeChart(name="chart_range", label=text)
        self.figures = RangeRows()
        super().__init__("range", self.range, self.figures, label=text, name="card_range", topic="page.compare")
        self.above = Choice(name="combo_range_above", label=_("Above"))
        self.below = Choice(name="combo_range_below", label=_("Below"))
        self.choices = Flow()
        for caption, choice in ((_("Above"), self.above), (_("Below"), self.below)):
            choice.set_letters(_LETTERS)
            self.choices.add(add_caption(caption, choice))
        self.body.insertWidget(2, self.choices)
        self.beyond = Strip("note", "", name="strip_range_beyond")
        self.body.insertWidget(self.body.indexOf(self.range) + 1, self.beyond)
        self.missing = Strip("note", "", name="strip_range_missing")
        self.body.insertWidget(self.body.indexOf(self.range) + 1, self.missing)
        # The choices stand above the drawing, but came into the card after it.
        order: list[QWidget] = [self.above, self.below, *self.range.plots, self.table, self.keep, self.button]
        for before, after in itertools.pairwise(order):
            QWidget.setTabOrder(before, after)


class RangesTab(Panel):
    """Tab with the results of trying a range of values, during the runs and afterwards.

    Signals
    -------
    range_wanted
        The user wants to try a range, which is done on the page Protect.
    """

    range_wanted = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__(name="tab_ranges")
        self._session = context.session
        self.trials = RangeTrials(context.session, context.runner, self)
        self.trials.changed.connect(self._on_changed)
        self._tried: TriedRange | None = None
        self._chosen: tuple[str, str] | None = None
        self._empty = Card(name="card_no_range")
        self._empty.body.addWidget(
            Text(_("No range was tried yet. On the Protect page, open a step and choose “Try a range”."), tone="text2")
        )
        self.to_protect = Button(_("Go to {page}", page=Term(_("Protect"))), name="button_range_protect", link=True)
        self.to_protect.clicked.connect(self.range_wanted)
        self._empty.body.addWidget(self.to_protect)
        self._stale = Strip("amber", "", name="strip_range_old")
        self._failed = Strip("blocks", "", name="strip_range_failed")
        self._work = QWidget()
        column = vbox(self._empty, self._stale, self._failed, self._work, on=self, margins=(0, 10, 0, 0), gap=12)
        self._build_work()
        self.card = RangeCard()
        self.card.above.picked.connect(self._on_figure)
        self.card.below.picked.connect(self._on_figure)
        self.card.range.picked.connect(self._on_point)
        self._use = QWidget()
        add_parts(column, self.card, self._use)
        self._build_use()
        column.addStretch(1)
        self.refresh()

    def _build_work(self) -> None:
        """Fill the row ``_work``: progress bar, number of runs, and the buttons to stop and continue the runs."""
        self._bar = WorkBar()
        self._note = Text("", tone="text2")
        self.stop = Button(_("Stop"), name="button_range_stop", icon="close", clicked=self.trials.stop)
        self.go_on = Button(_("Continue"), name="button_range_continue", clicked=self.trials.go_on)
        hbox(stretch_part(self._bar), stretch_part(self._note), self.stop, self.go_on, on=self._work, gap=8)

    def _build_use(self) -> None:
        """Fill ``_use``: the choice of a tried value, the button that uses it in the step, and its present value."""
        self.value = RoomyChoice(name="combo_range_value", label=_("Value"), least=22, picked=self._on_value)
        self.use = Button(_("Use this value"), name="button_range_use", icon="check", clicked=self._on_use)
        self._used = Text("", tone="text2", factor=0.9, name="label_range_use")
        vbox(Flow(add_caption(_("Value"), self.value), self.use), self._used, on=self._use, gap=4)

    # --- showing ------------------------------------------------------------------------

    def show_entry(self, entry: CandidateEntry | None) -> None:
        """Show the range that was tried; it does not depend on the candidate."""
        self.refresh()

    def forget(self) -> None:
        """Forget the chosen measures and the selected value, and show the range that the session has."""
        self._tried, self._chosen = None, None
        self.card.range.pick(None)
        self.refresh()

    def _on_changed(self) -> None:
        """Show the new state of the runs, if the tab is visible."""
        if self.isVisible():
            self.refresh()

    def refresh(self) -> None:
        """Show the results of the tried range of a setting reached so far, or only a text if no range was tried.

        If the range is another than before, the chosen measures and the selected value are forgotten. If decisions
        changed since, it is marked as out of date; why its runs failed is shown as well.
        """
        tried = self.trials.tried
        if tried is not self._tried:
            self._tried, self._chosen = tried, None
            self.card.range.pick(None)
        self._empty.setVisible(tried is None)
        for part in (self._work, self.card, self._use):
            part.setVisible(tried is not None)
        if tried is None:
            self._stale.set("amber", "")
            self._failed.set("blocks", "")
            return
        old = is_out_of_date(self._session, tried)
        self._stale.set("amber", _("Out of date: decisions changed") if old else "")
        self._failed.set("blocks", tried.error)
        self._show_work(tried)
        rows = tuple(tried.rows)
        proposal = propose_value(rows)
        self._show_figures(tried, proposal, list_measures(rows))
        self._offer_tried_values(tried, proposal)

    def _show_work(self, tried: TriedRange) -> None:
        """Show the progress and a stop button while the range is tried, afterwards the number of runs.

        A button to continue is shown if the runs were stopped or failed, and decisions and data are unchanged.
        """
        running = self.trials.is_running
        self._bar.setVisible(running)
        self._bar.show_share(tried.fraction)
        self._note.setText("" if running else caption_of(tried))
        self._note.setVisible(not running)
        self.stop.setVisible(running)
        self.stop.setEnabled(not tried.stopping)
        self.go_on.setVisible(self.trials.can_go_on)

    def _show_figures(self, tried: TriedRange, proposal: Proposal, sweep_measures: Sequence[SweepMeasure]) -> None:
        """Draw the chosen measures over the tried values, with table, captions and, after the runs, the proposed value.

        The measures of ``first_choices`` are drawn if the user chose none. If the upper measure was not measured, the
        first one is drawn instead; the lower chart is then left out if its measure was not measured or is the upper
        one.
        """
        running = self.trials.is_running
        title = title_of(tried, proposal)
        self.card.set_title(title, caption_of(tried) if running else "")
        ids = [measure.id for measure in sweep_measures]
        above, below = self._chosen or first_choices(sweep_measures)
        above = above if above in ids else first_choices(sweep_measures)[0]
        below = below if below in ids and below != above else NOTHING
        choices = [(sweep_measure.id, str(sweep_measure.title)) for sweep_measure in sweep_measures]
        _replace_choices(self.card.above, choices, above)
        lower_choices = [choice for choice in choices if choice[0] != above]
        _replace_choices(self.card.below, [(NOTHING, _("nothing more")), *lower_choices], below)
        self.card.choices.setVisible(bool(sweep_measures))
        values = tried.sweep.grid.values
        marked = values.index(proposal.value) if proposal.value is not None and not running else None
        panels = [panel_of(tried, measure) for measure in (above, below) if measure]
        self.card.range.set_range(axis_of(tried), panels, marked, title)
        self.card.beyond.set("note", note_beyond_limit(tried, [measure for measure in (above, below) if measure]))
        self.card.missing.set("note", describe_failed_values(tried))
        self.card.figures.show_table(headers_of(sweep_measures), table_rows(tried, sweep_measures))
        at_zero = all(scene.y.low == 0.0 for scene in self.card.range.scenes)
        self.card.set_scale("" if at_zero else _("The scale does not start at 0."))
        self.card.set_print(explain_range_curves(tried))

    def _offer_tried_values(self, tried: TriedRange, proposal: Proposal) -> None:
        """Offer the tried values, and show the step's present value.

        Selected is the value picked in the list or chart, else the proposed value, else the first. The button that uses
        a value is disabled if no run has a result yet, or if another method, or no step, stands at the step's index. In
        the latter case the present value is replaced by the remark that the range is out of date.
        """
        values = tried.sweep.grid.values
        at = self.card.range.current
        if at is None and proposal.value is not None:
            at = values.index(proposal.value)
        _replace_choices(self.value, value_choices(tried), "0" if at is None else str(at))
        there = step_is_there(self._session, tried)
        self.use.setEnabled(there and bool(tried.rows))
        if not there:
            text = _("Out of date: decisions changed")
        else:
            step = self._session.decisions.recipe.steps[tried.step_index]
            present = step.parameters.get(tried.parameter.name, tried.parameter.default)
            text = _("Now: {value}. Another value needs a new run.", value=Term(format_value(tried.parameter, present)))
        self._used.setText(text)

    # --- what a person does -------------------------------------------------------------

    def _on_figure(self, _key: str) -> None:
        """Draw the measures that were chosen for the two charts."""
        self._chosen = (self.card.above.current, self.card.below.current)
        self.refresh()

    def _on_point(self, index: int) -> None:
        """Select the value at this index, whose point was clicked."""
        self.value.set_current(str(index))

    def _on_value(self, key: str) -> None:
        """Mark the point of the value chosen from the list."""
        self.card.range.pick(int(key))

    def _on_use(self) -> None:
        """Set the selected value in the step whose setting was tried, as a decision; nothing without a range."""
        tried = self.trials.tried
        if tried is not None and self.value.current:
            use_value(self._session, tried, tried.sweep.grid.values[int(self.value.current)])


def _replace_choices(choice: Choice, choices: Sequence[tuple[str, str]], current: str) -> None:
    """Replace the choices of a list if they changed, and select ``current`` in any case.

    Unchanged choices are kept, because otherwise an open list would close.
    """
    if [(choice.itemData(n), choice.itemText(n)) for n in range(choice.count())] != list(choices):
        choice.set_choices(choices, current)
    else:
        choice.set_current(current)
