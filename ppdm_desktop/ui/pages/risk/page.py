"""Page "Risk": who could be identified in the original, by which details, and what generalising would change."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.values import Names, Term
from ppdm_desktop.ui.charts.card import ChartCard
from ppdm_desktop.ui.page import Context, Page, Primary
from ppdm_desktop.ui.pages.risk.classes import ClassesCard, PeopleCard, SecretsCard, SetsCard
from ppdm_desktop.ui.pages.risk.counts import RiskCounts
from ppdm_desktop.ui.pages.risk.give_level_card import RaisedLevelStrip
from ppdm_desktop.ui.pages.risk.head import HeadPart
from ppdm_desktop.ui.pages.risk.heat import HeatCard
from ppdm_desktop.ui.pages.risk.logic import assess_original_risk
from ppdm_desktop.ui.pages.risk.outside import OutsideCard
from ppdm_desktop.ui.pages.risk.pairs import PairsCard
from ppdm_desktop.ui.pages.risk.texts import explain_empty_page
from ppdm_desktop.ui.pages.risk.what_if.card import WhatIfCard
from ppdm_desktop.ui.state.give_level import Whom
from ppdm_desktop.ui.state.session import Session
from ppdm_desktop.ui.widgets.basic import Strip, Text
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.layout import Placed, SideBySide, add_parts, stretch_part, vbox, widget_of
from ppdm_desktop.ui.widgets.scrolling import bring_in, put_back
from ppdm_desktop.ui.widgets.work import Skeleton
from ppdm_desktop.ui.work.chunked_work import ChunkedWork
from ppdm_desktop.ui.work.tasks import TaskOutcome

JOB = "risk"


class RiskPage(Page):
    """Page with headline and gauges, the maps, possible changes, and the people behind the figures."""

    step = "risk"

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._problem = ""
        self._stopped = False
        self._measured_reading: object = None
        self.strips = RiskStrips(self.session)
        self.raised_level = self.strips.raised_level
        self._empty = Text("", name="label_risk_empty")
        self.measuring = Skeleton("card_measuring")
        add_parts(self.outer, self.strips, self._empty, self.measuring)
        # What was counted before is drawn part by part, so that the window answers in between.
        self._chunks = ChunkedWork(self)
        self._body = QWidget()
        self._build_body()
        add_parts(self.outer, stretch_part(self._body), Placed())
        self.counts = RiskCounts(context.runner, self)
        self._connect_signals()

    def _build_body(self) -> None:
        """Create and lay out the cards of the page, in the part that is hidden before the risk is measured."""
        self.head = HeadPart(self.session)
        sides = SideBySide()
        self.heat = HeatCard(self.session)
        sides.add(self.heat, 60)
        self.pairs, self.changes = PairsCard(), WhatIfCard(self.context)
        sides.add(widget_of(vbox(self.pairs, stretch_part(self.changes), gap=12)), 40)
        below = SideBySide()
        self.classes, self.sets = ClassesCard(), SetsCard()
        below.add(self.classes, 50)
        below.add(self.sets, 50)
        self.outside = OutsideCard(self.context)
        self.secrets = SecretsCard()
        self.people = PeopleCard(self.session)
        vbox(self.head, self.outside, stretch_part(sides), below, self.secrets, self.people, on=self._body, gap=12)

    def _connect_signals(self) -> None:
        """Connect the signals of cards and messages with the page's methods."""
        self.strips.again.clicked.connect(self.measure)
        self.strips.retry.clicked.connect(self.measure)
        self.strips.columns.clicked.connect(partial(self.go.emit, "columns"))
        self.strips.levels.clicked.connect(partial(self.go.emit, "levels"))
        self.strips.as_it_is.clicked.connect(self.changes.untick)
        self.raised_level.show_there.clicked.connect(partial(self.go.emit, "levels"))
        self.heat.people_wanted.connect(self._on_equivalent)
        self.pairs.people_wanted.connect(self._on_unique_by)
        self.sets.people_wanted.connect(self._on_unique_by)
        self.classes.band_chosen.connect(self.heat.show_filter)
        for button in (self.head.more, self.heat.more, self.people.more):
            button.wanted.connect(self._on_more)
        self.counts.ready.connect(self._show_part)
        self.counts.failed.connect(self._on_count_failed)
        self.outside.measured.connect(self._show_head)
        self.changes.previewed.connect(self._show_assessment)
        self.changes.used.connect(partial(self.go.emit, "protect"))

    # --- page ---------------------------------------------------------------------------

    def title(self) -> str:
        """Return the title of the page."""
        return _("Risk")

    def purpose(self) -> str:
        """Return the sentence below the title that says what the page is for."""
        return _("Who could be recognised in the original, and from which details.")

    def primary(self) -> Primary:
        """Return the button that leads to Protect, enabled once the risk is measured, even if that is out of date.

        Beside it stands whether the risk is measured and of how many people (or groups of people). If it is out of
        date, that is said instead, in amber, even while it is being measured again.
        """
        label, assessment = _("Protect"), self.session.assessment
        if assessment is None:
            message = _("Measuring") if self.context.runner.is_running(JOB) else _("Not measured")
            return Primary(label, False, message, "note")
        if self.session.is_stale(assessment.basis):
            return Primary(label, True, _("Out of date: decisions changed"), "amber")
        if assessment.prepared.rows_are_groups:
            groups = assessment.prepared.table.rows
            return Primary(label, True, _("{n} {n:group|groups} of people", n=groups), "passed")
        total = int(assessment.risk.records)
        return Primary(label, True, _("Measured on {n} {n:person|people}", n=total), "passed")

    def on_primary(self) -> None:
        """Go to the page Protect."""
        self.go.emit("protect")

    def entered(self) -> None:
        """Measure the risk if that was not done for the present decisions, else continue counting its figures."""
        assessment = self.session.assessment
        if assessment is None or self.session.is_stale(assessment.basis):
            self.measure()
        else:
            self.counts.go_on()

    def file_opened(self) -> None:
        """Hide the source of the limits, clear the map, and show charts instead of tables: another file was opened."""
        self.head.forget()
        self.heat.forget()
        for card in self.findChildren(ChartCard):
            card.show_chart()

    def reading_changed(self) -> None:
        """Remove errors and messages, hide the list of people and scroll to the top, because the table was read anew.

        A level that was given to people stays in the recipe.
        """
        self._problem, self._stopped, self._measured_reading = "", False, None
        self.strips.forget()
        self.people.hide()
        put_back(self)

    def refresh(self) -> None:
        """Show the risk of the original or of the previewed change, and a message if it is out of date.

        The message on a given protection level is removed if levels were changed since.
        """
        self.raised_level.refresh()
        self.changes.show_original(self.session.assessment)
        self._show_assessment()

    # --- measuring ----------------------------------------------------------------------

    def measure(self) -> None:
        """Measure the risk for the present decisions in the background; nothing without a file.

        If texts of the column with protection levels have no meaning yet, a message says so instead. A measurement that
        is running is cancelled and replaced; earlier messages on failures are removed.
        """
        session = self.session
        path, reading, recipe = session.decisions.path, session.reading, session.decisions.recipe
        if path is None or reading is None:
            return
        if session.find_words_without_level():
            # Nothing is worked out while a person's level is not known.
            self._problem = _("Say what every word of the column means")
            self._stopped = False
            self._show_assessment()
            self.primary_changed.emit()
            return
        basis = session.basis()
        self._problem, self._stopped = "", False
        self._measured_reading = reading
        self.context.runner.start(JOB, partial(assess_original_risk, path, reading, recipe, basis), self._on_measured)
        self._show_strips()
        self.primary_changed.emit()

    def _on_measured(self, outcome: TaskOutcome) -> None:
        """Store the measured risk and refresh all pages, or show why measuring failed or that the user stopped it.

        Nothing happens if another table was read meanwhile.
        """
        if self._measured_reading is not self.session.reading:
            return
        if outcome.ok:
            self.session.assessment = outcome.result
            self.session.changed()
            return
        self._stopped = outcome.cancelled
        self._problem = "" if outcome.cancelled else outcome.message
        self._empty.setVisible(self.session.assessment is None and not self._problem)
        self._show_strips()
        self.primary_changed.emit()

    # --- showing ------------------------------------------------------------------------

    def _show_assessment(self) -> None:
        """Show the figures of the original or of the previewed change, and start to count missing figures.

        A text is shown instead if nothing is measured, or if rows are groups of people; but not beside a failure or
        while the risk is first measured. The list of people is hidden if other figures than before are shown. Counting
        starts only while the page is visible.
        """
        original, would_be = self.session.assessment, self.changes.would_be
        self._empty.setText(explain_empty_page(original))
        if original is not None and original.prepared.rows_are_groups:
            # Nobody is looked for in them, so there is nobody to count.
            original = would_be = None
        self.outside.show_assessment(original)
        population = self.session.decisions.recipe.population
        self.counts.with_order = population is not None and population.drawn != "everybody"
        before = self.counts.current
        self.counts.show(original, would_be or original)
        counted = self.counts.current
        self._body.setVisible(counted is not None)
        self._empty.setVisible(counted is None and not self._problem)
        self._show_strips()
        if counted is not before:
            self.people.hide()
        if counted is None:
            self._chunks.stop()
            self.heat.show_heat(None)
            self.changes.show_changes(None)
            return
        parts = [partial(self._show_part, part) for part in ("heat", "pairs", "sets", "order")]
        self._chunks.start([self._show_head, self._show_changes, self._show_groups, *parts])
        if self.isVisible():
            self.counts.go_on()

    def _show_groups(self) -> None:
        """Show the cards with group sizes and confidential columns, if the risk is measured."""
        if self.counts.current is not None:
            assessment = self.counts.current.assessment
            self.classes.show_classes(assessment)
            self.secrets.show_secrets(assessment)

    def _show_part(self, part: str) -> None:
        """Show a figure that was counted, or that it is being counted; nothing before the risk is measured.

        ``part`` is "heat" (map of risky values), "pairs" and "sets" (columns that single people out), "order" or
        "changes". "order" adds to the map how much unique people stand out beyond the file, or removes this while it is
        not counted or not wanted. "changes", or any other text, shows what changing each column would do, and headline
        and gauges.
        """
        counted = self.counts.current
        if counted is None:
            return
        if part == "heat":
            self.heat.show_heat(counted.heat, decided=self.changes.would_be is None)
        elif part == "pairs":
            self.pairs.show_pairs(counted.pairs)
        elif part == "sets":
            self.sets.show_sets(counted.sets)
        elif part == "order":
            self.heat.show_tenths(counted.order if self.counts.with_order else None)
        else:
            self._show_changes()
            self._show_head()

    def _show_head(self) -> None:
        """Show headline and gauges, with the estimated risk outside the file; nothing before the risk is measured."""
        counted, original = self.counts.current, self.counts.original
        if counted is not None and original is not None:
            self.head.show_figures(counted, original, self.outside.entry)

    def _show_changes(self) -> None:
        """Show how leaving out or generalising each column, and all ticked changes together, affect the risk.

        The risk is that of the original; nothing happens before it is measured. While the effects are still being
        counted, a text says so.
        """
        original = self.counts.original
        if original is not None:
            self.changes.show_changes(original.changes)

    def _show_measuring(self) -> None:
        """Show a placeholder with the columns others may know while the risk is first measured, else remove it.

        Meanwhile the text that stands on the empty page is hidden.
        """
        session = self.session
        is_running = self.context.runner.is_running(JOB) and self.counts.current is None
        doing = text = ""
        if is_running and session.reading is not None:
            doing = _("Measuring")
            columns = Names.of(session.with_role("quasi-identifier"))
            text = _("Details others may know: {columns}.", columns=columns)
        self.measuring.show_text(doing, text)
        if is_running:
            self._empty.hide()

    def _show_strips(self) -> None:
        """Show what is out of date, stopped, failed or previewed; a placeholder while the risk is first measured."""
        self._show_measuring()
        self.strips.show_state(
            running=self.context.runner.is_running(JOB),
            stopped=self._stopped,
            problem=self._problem,
            would_be=self.changes.would_be is not None,
        )

    # --- slots --------------------------------------------------------------------------

    def _on_count_failed(self, text: str) -> None:
        """Show ``text``, why a figure could not be counted, in the message on failures."""
        self._problem = text
        self._show_strips()

    def _on_equivalent(self, record: int, name: str) -> None:
        """List the people who match a record when its value in the column ``name`` is ignored, and scroll to the list.

        ``record`` is the record's index. Nothing happens before the risk is measured.
        """
        counted = self.counts.current
        if counted is not None:
            self.people.show_equivalent(counted.assessment, record, name, decided=self.changes.would_be is None)
            self._go_to_people()

    def _on_unique_by(self, names: tuple[str, ...]) -> None:
        """List the people who are unique by these columns, and scroll to the list.

        They are those of the previewed change, if one is displayed. Nothing happens before the risk is measured.
        """
        counted = self.counts.current
        if counted is not None:
            self.people.show_unique(counted.assessment, names, decided=self.changes.would_be is None)
            self._go_to_people()

    def _go_to_people(self) -> None:
        """Put the focus on the list of people, or on its close button if the list is hidden, and scroll there."""
        first = self.people.table if not self.people.table.isHidden() else self.people.close_button
        first.setFocus(Qt.FocusReason.OtherFocusReason)
        bring_in(self.people)

    def _on_more(self, whom: Whom, level: str) -> None:
        """Give people at least a protection level, and measure the risk again if that changed the recipe.

        The page scrolls to the message on it.
        """
        if self.raised_level.give(whom, level):
            self.measure()
        self._show_strips()
        bring_in(self.raised_level)


class RiskStrips(QWidget):
    """Messages: what is out of date, failed, was decided, or is only a preview."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.again = Button(_("Measure again"), name="button_measure_again", icon="stale")
        self.stale = Strip("amber", "", self.again, name="strip_stale")
        self.retry = Button(_("Measure again"), name="button_retry_risk")
        self.columns = Button(_("Go to {page}", page=Term(_("Columns"))), name="button_to_columns")
        self.levels = Button(_("Go to {page}", page=Term(_("Protection levels"))), name="button_to_levels")
        self.failed = Strip("blocks", "", self.retry, self.columns, self.levels, name="strip_failed")
        self.raised_level = RaisedLevelStrip(session)
        self.as_it_is = Button(_("Show the file as it is"), name="button_end_whatif")
        self.what_if = Strip("note", "", self.as_it_is, name="strip_whatif")
        vbox(self.stale, self.failed, self.raised_level, self.what_if, on=self, gap=8)
        self.hide()

    def forget(self) -> None:
        """Remove the message on people who were given a protection level."""
        self.raised_level.forget()
        self._hide_if_empty()

    def show_state(self, *, running: bool, stopped: bool, problem: str, would_be: bool) -> None:
        """Show whether figures are out of date, stopped, failed or those of a preview.

        They are out of date if decisions changed since they were measured, whether or not they are being measured
        again. This takes precedence over "stopped", which is not shown while they are being measured. A failure offers
        a second try and the page on columns; while texts of the level column have no meaning, only the page on levels.
        Without any message the area is hidden.

        Parameters
        ----------
        running
            Whether the risk is being measured; the button to measure again is then hidden.
        stopped
            Whether the user stopped the measurement.
        problem
            Why the measurement failed, "" if it did not.
        would_be
            Whether a previewed change is displayed.
        """
        assessment = self._session.assessment
        if assessment is not None and self._session.is_stale(assessment.basis):
            self.stale.set("amber", _("Out of date: decisions changed"))
        elif stopped and not running:
            self.stale.set("note", _("Stopped. Nothing of this run is kept."))
        else:
            self.stale.set("amber", "")
        self.again.setVisible(not running)
        text = ""
        if problem:
            text = f"{problem} {_('Nothing was written. The original is unchanged.')}"
        self.failed.set("blocks", text)
        wait = bool(self._session.find_words_without_level())
        self.columns.setVisible(not wait)
        self.retry.setVisible(not wait)
        self.levels.setVisible(wait)
        note = _("Nothing is decided yet. All figures and maps show the file with the changes you ticked.")
        self.what_if.set("note", note if would_be else "")
        self._hide_if_empty()

    def _hide_if_empty(self) -> None:
        """Show the area of messages if it has any, else hide it."""
        strips = (self.stale, self.failed, self.raised_level, self.what_if)
        self.setVisible(any(not strip.isHidden() for strip in strips))
