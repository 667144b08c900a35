"""The messages at the head of the Risk page."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.ui.pages.risk.give_level_card import GivenStrip
from ppdm_desktop.ui.state.session import Session
from ppdm_desktop.ui.widgets.basic import Strip
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.layout import vbox


class RiskStrips(QWidget):
    """What is out of date, went wrong, was decided, or is only looked at."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        whole = vbox(on=self, gap=8)
        self.stale = Strip("amber", name="strip_stale")
        self.again = Button(_("Measure again"), name="button_measure_again", icon="stale")
        self.stale.add_button(self.again)
        self.failed = Strip("blocks", name="strip_failed")
        self.retry = Button(_("Try again"), name="button_retry_risk")
        self.columns = Button(_("Go to Columns"), name="button_to_columns")
        self.failed.add_button(self.retry)
        self.levels = Button(_("Go to Protection levels"), name="button_to_levels")
        self.failed.add_button(self.columns)
        self.failed.add_button(self.levels)
        self.given = GivenStrip(session)
        self.what_if = Strip("note", name="strip_whatif")
        self.as_it_is = Button(_("Show the file as it is"), name="button_end_whatif")
        self.what_if.add_button(self.as_it_is)
        for strip in (self.stale, self.failed, self.given, self.what_if):
            whole.addWidget(strip)
            strip.hide()
        self.hide()

    def forget(self) -> None:
        """Take away what was said of decisions taken here."""
        self.given.forget()
        self._fit()

    def show_state(self, *, running: bool, stopped: bool, problem: str, would_be: bool) -> None:
        """Show how what is on the page stands to the decisions."""
        assessment = self._session.assessment
        if assessment is not None and self._session.is_stale(assessment.basis):
            again = _("Out of date: decisions changed. Measuring again…")
            self.stale.set("amber", again if running else _("Out of date: decisions changed"))
        elif stopped and not running:
            self.stale.set("note", _("Stopped. Nothing of this measurement was kept."))
        else:
            self.stale.set("amber", "")
        self.again.setVisible(not running)
        text = ""
        if problem:
            text = f"{problem} {_('Nothing was written. The original is unchanged.')}"
        self.failed.set("blocks", text)
        wait = bool(self._session.words_open())
        self.columns.setVisible(not wait)
        self.retry.setVisible(not wait)
        self.levels.setVisible(wait)
        note = _("Nothing is decided yet. All figures and maps show the file with the changes you ticked.")
        self.what_if.set("note", note if would_be else "")
        self._fit()

    def _fit(self) -> None:
        strips = (self.stale, self.failed, self.given, self.what_if)
        self.setVisible(any(not strip.isHidden() for strip in strips))
