"""Tab "Attack audit": what an intruder who has everything but the secret key could find in a candidate."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QSize
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QTabWidget, QWidget

from ppdm_desktop.engine.report.model import Report
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.ui.look.accessibility import join_label
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.look.tips import plain_tip
from ppdm_desktop.ui.page import Context
from ppdm_desktop.ui.pages.compare.audit.attack_rows import GroupCard
from ppdm_desktop.ui.pages.compare.audit.record import RecordDialog
from ppdm_desktop.ui.pages.compare.audit.states import WORKS, AttackGroup, group_attacks, headline_of
from ppdm_desktop.ui.pages.compare.tab_order import set_tab_order_after
from ppdm_desktop.ui.state.finished_candidates import require_evaluation
from ppdm_desktop.ui.state.session import CandidateEntry
from ppdm_desktop.ui.widgets.basic import (
    Card,
    Holder,
    IconLabel,
    Text,
    clear_layout,
)
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.layout import STRETCH, Panel, hbox, stretch_part, vbox
from ppdm_desktop.ui.work.chunked_work import ChunkedWork


class AuditTab(Panel):
    """Tab with the attacks of the report, grouped by kind."""

    def __init__(self, context: Context) -> None:
        super().__init__(name="tab_audit")
        self._context = context
        self._entry: CandidateEntry | None = None
        self._drawn: Report | None = None
        self._chunks = ChunkedWork(self)
        self._dialog: RecordDialog | None = None
        self._tab: tuple[QTabWidget, int] | None = None
        self._works = False
        self._list = Holder(name="list_audit", label=_("Attack tests"))
        self._groups = vbox(on=self._list, gap=12)
        vbox(self._build_summary_card(), self._list, STRETCH, on=self, margins=(0, 10, 0, 0), gap=12)
        theme().changed.connect(self._draw_mark)
        self._show_state()

    def _build_summary_card(self) -> Card:
        """Return the card for the summary of all attacks, empty at first, with the button that attacks one record."""
        card = Card(name="card_audit")
        self._icon = IconLabel("note", size=26)
        self._headline = Text("", semibold=True, factor=1.15, name="label_audit")
        self._known_text = Text("", tone="text2", factor=0.95, name="label_audit_knows")
        column = vbox(self._headline, self._known_text, gap=2)
        self.button_record = Button(_("Attack one record…"), name="button_attack_record", clicked=self._on_record)
        self._last: QWidget = self.button_record
        card.body.addLayout(hbox(self._icon, stretch_part(column), self.button_record, gap=12))
        return card

    def forget(self) -> None:
        """Clear the tab, and close and delete the dialog that attacks one person."""
        if self._dialog is not None:
            self._dialog.close()
            self._dialog.deleteLater()
            self._dialog = None
        self.show_entry(None)

    def show_entry(self, entry: CandidateEntry | None) -> None:
        """Show the attacks on a candidate; None stands for no candidate."""
        self._entry = entry
        self._show_state()

    def mark_tab(self, tabs: QTabWidget, index: int, entry: CandidateEntry | None) -> None:
        """Mark the tab at ``index``, by an icon and for screen readers, if an attack on this candidate works.

        The mark is removed if no attack works or the candidate is not judged yet, and for None.
        """
        self._tab = tabs, index
        report = require_evaluation(entry).report if entry is not None and entry.judged is not None else None
        self._works = (
            report is not None and bool(report.verdict.attacks) and headline_of(group_attacks(report))[0] == WORKS
        )
        name = _("Attack tests")
        text = join_label(name, _("An attack succeeded")) if self._works else name
        tabs.tabBar().setAccessibleTabName(index, text)
        # A reader would say a tooltip that only repeats the tab a second time.
        hint = _("An attack succeeded") if self._works else name
        tabs.setTabToolTip(index, plain_tip(hint) if hint != tabs.tabText(index) else "")
        self._draw_mark()

    def _draw_mark(self) -> None:
        """Put a warning icon on this tab if an attack succeeds, else remove it; nothing before ``mark_tab``."""
        if self._tab is not None:
            tabs, index = self._tab
            side = theme().px(16)
            tabs.setIconSize(QSize(side, side))
            tabs.setTabIcon(index, theme().icon("warning", "amber", 16) if self._works else QIcon())

    # --- working ------------------------------------------------------------------------

    # --- showing ------------------------------------------------------------------------

    def _show_state(self) -> None:
        """Show the attacks on the candidate, or why there are none, and the button that attacks one record.

        There are none if no candidate is selected, it is not judged yet, or no attack applies to it. The button is
        shown only for a finished candidate.
        """
        entry = self._entry
        report = require_evaluation(entry).report if entry is not None and entry.judged is not None else None
        made = report is not None and bool(report.verdict.attacks)
        self.button_record.setVisible(entry is not None and entry.candidate is not None)
        self._list.setVisible(made)
        if report is not self._drawn:
            self._build_groups(report)
        if report is None:
            self._set_head("note", _("No version is finished yet"))
            self._known_text.setText(_("The results appear here when a run is finished."))
        elif not made:
            self._set_head("not-run", _("No attack test applies to this version."))
            self._known_text.setText("")

    def _set_head(self, severity: str, text: str) -> None:
        """Show the summary sentence of the attacks with the icon of its severity."""
        self._icon.set_severity(severity)
        self._headline.setText(text)

    def _build_groups(self, report: Report | None) -> None:
        """Show the summary of a report's attacks, and build the card of each kind in small pieces of work.

        Cards of an earlier report are removed. None, or a report without attacks, leaves no cards.
        """
        self._drawn = report
        clear_layout(self._groups)
        self._chunks.stop()
        if report is None or not report.verdict.attacks:
            return
        groups = group_attacks(report)
        self._last = self.button_record
        self._set_head(*headline_of(groups))
        self._known_text.setText(
            _(
                "The intruder in these tests knows the method, its settings and the released file, but does not have "
                "the key."
            )
        )
        self._chunks.start([partial(self._add_group, report, group) for group in groups])

    def _add_group(self, report: Report, group: AttackGroup) -> None:
        """Add the card of one kind of attacks, and put it next in the order of the Tab key."""
        card = GroupCard(report, group)
        self._groups.addWidget(card)
        self._last = set_tab_order_after(self._last, card)

    # --- one record ---------------------------------------------------------------------

    def _on_record(self) -> None:
        """Open the dialog that attacks one person of the candidate; nothing happens without a candidate."""
        entry = self._entry
        if entry is None or entry.candidate is None:
            return
        # Kept, because background work gives its results to it.
        if self._dialog is None:
            self._dialog = RecordDialog(self.window(), self._context)
        self._dialog.attack(entry.display_name, entry.candidate)
