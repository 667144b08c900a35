"""Whether a column's values can lie below zero: proposed by the program, decided by a person."""

from __future__ import annotations

from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.values import Name
from ppdm_desktop.ui.page import Context
from ppdm_desktop.ui.state.column_decisions import below_zero
from ppdm_desktop.ui.widgets.basic import Text
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.inputs import check_box
from ppdm_desktop.ui.widgets.layout import STRETCH, Panel, hbox, vbox, widget_of


class NotBelowZero(Panel):
    """A mark on a column of numbers, and two answers where it is proposed."""

    def __init__(self, context: Context) -> None:
        super().__init__(topic="figure.not-below-zero")
        self._session = context.session
        self._column = ""
        self.check = check_box(_("Never below zero"), name="check_not_negative", toggled=self._decide)
        self.words = Text("", factor=0.92, tone="text2", name="label_not_negative")
        self.button_yes = Button(_("Yes, never"), name="button_not_negative_yes", icon="check", clicked=self._on_yes)
        self.button_no = Button(_("No"), name="button_not_negative_no", clicked=self._on_no)
        self._answers = widget_of(hbox(self.button_yes, self.button_no, STRETCH, gap=8))
        vbox(self.check, self.words, self._answers, on=self, gap=4)
        self.hide()

    def show_column(self, name: str) -> None:
        """Show what was decided of a column, or ask."""
        self._column = name
        found = below_zero(self._session, name)
        self.setVisible(found is not None)
        if found is None:
            return
        self.check.blockSignals(True)
        self.check.setChecked(bool(found.marked))
        self.check.blockSignals(False)
        self.words.setText(found.words)
        self.check.setAccessibleDescription(found.words)
        self._answers.setVisible(found.asks)
        asked = _("Can {column} lie below zero?", column=Name(name))
        for button in (self.button_yes, self.button_no):
            button.setAccessibleDescription(asked)

    def _on_yes(self) -> None:
        self._decide(True)

    def _on_no(self) -> None:
        self._decide(False)

    def _decide(self, never: bool) -> None:
        label = (
            _("{column} is never below zero", column=Name(self._column))
            if never
            else _("{column} can be below zero", column=Name(self._column))
        )
        self._session.set_column(label, [self._column], confirm=False, not_negative=never)
