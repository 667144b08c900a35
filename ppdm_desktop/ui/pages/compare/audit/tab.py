"""Tab "Attack audit": what an intruder who has everything but the key could find in a candidate."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QSize
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QTabWidget, QWidget

from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.evaluate.evaluate import Evaluation, evaluate
from ppdm_desktop.engine.report.model import Report
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.values import Term
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.look.tips import plain_tip
from ppdm_desktop.ui.page import Context
from ppdm_desktop.ui.pages.compare.audit.attack_rows import GroupCard
from ppdm_desktop.ui.pages.compare.audit.record import RecordDialog
from ppdm_desktop.ui.pages.compare.audit.states import WORKS, GroupShown, groups_shown, headline_of
from ppdm_desktop.ui.pages.compare.tab_order import reach_after
from ppdm_desktop.ui.state.finished_candidates import judged_of
from ppdm_desktop.ui.state.session import CandidateEntry
from ppdm_desktop.ui.widgets.basic import (
    SEVERITY_ICONS,
    SEVERITY_TOKENS,
    Card,
    Holder,
    IconLabel,
    Strip,
    Text,
    clear_layout,
)
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.layout import STRETCH, Panel, hbox, stretched, vbox
from ppdm_desktop.ui.widgets.work import WorkLine, progress_words
from ppdm_desktop.ui.work.chunked_work import ChunkedWork
from ppdm_desktop.ui.work.tasks import TaskOutcome, TaskProgress

JOB = "audit"


class AuditTab(Panel):
    """The attacks of the report by kind; a candidate without attacks is attacked on request."""

    def __init__(self, context: Context) -> None:
        super().__init__(name="tab_audit")
        self._context = context
        self._entry: CandidateEntry | None = None
        self._running: CandidateEntry | None = None
        self._drawn: Report | None = None
        self._chunks = ChunkedWork(self)
        self._dialog: RecordDialog | None = None
        self._tab: tuple[QTabWidget, int] | None = None
        self._works = False
        head = self._head()
        self._work = WorkLine(job="audit", label=_("Progress of the attack tests"))
        self._failed = Strip("blocks", name="strip_audit")
        self._run = Button(_("Run the attack tests"), name="button_run_audit", clicked=self._start)
        self._list = Holder(name="list_audit", label=_("Attacks on this version"))
        self._groups = vbox(on=self._list, gap=12)
        parts = (head, self._work, self._failed, hbox(self._run, STRETCH), self._list, STRETCH)
        vbox(*parts, on=self, margins=(0, 10, 0, 0), gap=12)
        self._work.cancelled.connect(self._on_cancel)
        context.runner.progressed.connect(self._on_progressed)
        theme().changed.connect(self._draw_mark)
        self._show_state()

    def _head(self) -> Card:
        """Return the card with the summary of all attacks."""
        card = Card(name="card_audit")
        self._icon = IconLabel("note", size=26)
        self._headline = Text("", semibold=True, factor=1.15, name="label_audit")
        self._said = Text("", tone="text2", factor=0.95, name="label_audit_knows")
        column = vbox(self._headline, self._said, gap=2)
        self.button_record = Button(_("Attack one record…"), name="button_attack_record", clicked=self._on_record)
        self._last: QWidget = self.button_record
        card.body.addLayout(hbox(self._icon, stretched(column), self.button_record, gap=12))
        return card

    def forget(self) -> None:
        """Clear the tab, cancel running attacks, and close the dialog of the attacked person."""
        self._running = None
        if self._dialog is not None:
            self._dialog.close()
            self._dialog.deleteLater()
            self._dialog = None
        self.show_entry(None)

    def show_entry(self, entry: CandidateEntry | None) -> None:
        """Show a candidate's attacks."""
        if entry is not self._entry:
            self._failed.set("blocks", "")
        self._entry = entry
        self._show_state()

    def mark_tab(self, tabs: QTabWidget, index: int, entry: CandidateEntry | None) -> None:
        """Mark the tab, visibly and for screen readers, if an attack on this candidate works."""
        self._tab = tabs, index
        report = judged_of(entry).report if entry is not None and entry.judged is not None else None
        self._works = (
            report is not None and bool(report.verdict.attacks) and headline_of(groups_shown(report))[0] == WORKS
        )
        name = _("Attack tests")
        text = _("Attack tests: an attack succeeded") if self._works else name
        tabs.tabBar().setAccessibleTabName(index, text)
        # A reader would say a tooltip that only repeats the tab a second time.
        hint = _("An attack succeeded") if self._works else name
        tabs.setTabToolTip(index, plain_tip(hint) if hint != tabs.tabText(index) else "")
        self._draw_mark()

    def _draw_mark(self) -> None:
        """Mark the tab with a warning icon if an attack succeeds."""
        if self._tab is not None:
            tabs, index = self._tab
            side = theme().px(16)
            tabs.setIconSize(QSize(side, side))
            tabs.setTabIcon(index, theme().icon("warning", "amber", 16) if self._works else QIcon())

    # --- working ------------------------------------------------------------------------

    def _start(self) -> None:
        """Attack the selected candidate in the background."""
        entry = self._entry
        if entry is None or entry.candidate is None:
            return
        self._running = entry
        self._failed.set("blocks", "")
        self._work.begin()
        self._context.runner.start(JOB, partial(_attacked, entry.candidate), self._on_done)
        self._show_state()

    def _on_cancel(self) -> None:
        """Stop the attacks and say that their result is not kept."""
        self._said.setText(_("Stopping. The result of this run is not kept."))
        self._context.runner.cancel(JOB)

    def _on_progressed(self, progress: TaskProgress) -> None:
        """Show the share of the attacks done, unless another version is being attacked."""
        if progress.job != JOB or self._running is None or self._running is not self._entry:
            return
        self._work.show_share(progress.fraction)
        if not self._work.is_stopping:
            self._said.setText(progress_words(progress, _("Attacking the release")))

    def _on_done(self, outcome: TaskOutcome) -> None:
        """Keep the attacks of the version they were started for, and show the present state."""
        entry, self._running = self._running, None
        if entry is not None and outcome.ok:
            judged, candidate = outcome.result
            if entry.candidate is candidate:
                entry.judged = judged
                self._context.session.changed()
        elif not outcome.cancelled and entry is self._entry:
            self._failed.set("blocks", outcome.words)
        self._show_state()

    # --- showing ------------------------------------------------------------------------

    def _show_state(self) -> None:
        """Show the attacks of the version if there are any, otherwise the button or the work's progress."""
        entry = self._entry
        report = judged_of(entry).report if entry is not None and entry.judged is not None else None
        made = report is not None and bool(report.verdict.attacks)
        running = self._context.runner.is_running(JOB) and self._running is not None
        mine = running and self._running is entry
        self._work.setVisible(mine)
        self._run.setVisible(report is not None and not made and not running)
        self.button_record.setVisible(entry is not None and entry.candidate is not None)
        self._list.setVisible(made)
        if report is not self._drawn:
            self._draw(report)
        if report is None or entry is None:
            self._set_head("note", _("No version yet."))
            self._said.setText(_("Once a run is finished, you see here what an intruder could still do."))
        elif not made:
            self._show_untested(entry, self._running if running and not mine else None)

    def _show_untested(self, entry: CandidateEntry, in_test: CandidateEntry | None) -> None:
        """Show that a version was not attacked yet; ``in_test`` is another version whose attacks must end first."""
        self._set_head("not-run", _("{name} has not been tested yet.", name=Term(entry.shown)))
        text = _("This takes a few seconds. You can go on working.")
        if in_test is not None:
            text = _("{other} is being tested. After that, you can test this version.", other=Term(in_test.name))
        self._said.setText(text)

    def _set_head(self, severity: str, text: str) -> None:
        """Show the summary sentence with the icon of its severity."""
        icon = SEVERITY_ICONS[severity]
        self._icon.set_icon(icon, SEVERITY_TOKENS[icon])
        self._headline.setText(text)

    def _draw(self, report: Report | None) -> None:
        """Build the groups of attacks one after the other, so that the window stays responsive."""
        self._drawn = report
        clear_layout(self._groups)
        self._chunks.stop()
        if report is None or not report.verdict.attacks:
            return
        groups = groups_shown(report)
        self._last = self.button_record
        self._set_head(*headline_of(groups))
        self._said.setText(
            _(
                "The intruder in these tests knows the method, its settings and the released file, but does not have "
                "the key."
            )
        )
        self._chunks.start([partial(self._add_group, report, group) for group in groups])

    def _add_group(self, report: Report, group: GroupShown) -> None:
        """Add the card of one group of attacks, next in the order of the Tab key."""
        card = GroupCard(report, group)
        self._groups.addWidget(card)
        self._last = reach_after(self._last, card)

    # --- one record ---------------------------------------------------------------------

    def _on_record(self) -> None:
        """Open the dialog that attacks one person."""
        entry = self._entry
        if entry is None or entry.candidate is None:
            return
        # Kept, because background work gives its results to it.
        if self._dialog is None:
            self._dialog = RecordDialog(self.window(), self._context)
        self._dialog.attack(entry.shown, entry.candidate)


def _attacked(candidate: Candidate) -> tuple[Evaluation, Candidate]:
    """Return the evaluation of a candidate with its attacks, and the candidate."""
    return evaluate(candidate), candidate
