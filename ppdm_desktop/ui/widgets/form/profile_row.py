"""All settings of a method at once: as recommended, as in the paper, or a person's own."""

from __future__ import annotations

from PySide6.QtCore import Signal

from ppdm_desktop.engine.methods.base.declaration import Method
from ppdm_desktop.engine.methods.base.profiles import OWN, PAPER, SAFE, Mode
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.ui.widgets.basic import Text
from ppdm_desktop.ui.widgets.form.row import FormRow
from ppdm_desktop.ui.widgets.inputs import Choice
from ppdm_desktop.ui.widgets.layout import fill


class ProfileRow(FormRow):
    """The choice between the profiles of a method, with what is wrong with the paper's and what the other costs.

    Signals
    -------
    picked
        The profile that a person chose.
    """

    picked = Signal(str)

    def __init__(self, method: Method) -> None:
        text = _("All settings")
        self._choice = Choice(name="param_profile", words=text, picked=self._on_picked)
        super().__init__(text, "", self._choice)
        self._mode: Mode = SAFE
        self.fault, self.price = (Text("", tone="text2", factor=0.9) for _ in range(2))
        self.fault.setObjectName("text_paper_fault")
        self.price.setObjectName("text_paper_price")
        fill(self.right, self.fault, self.price)
        # Not shown by hand: a label that has no parent yet would be a window for a moment, and take the focus.
        if method.paper_fault is not None:
            self.fault.setText(_kept_together(_("As in the paper: {fault}", fault=method.paper_fault)))
        if method.paper_price is not None:
            self.price.setText(_kept_together(_("Recommended: {price}", price=method.paper_price)))

    def show_mode(self, mode: Mode) -> None:
        """Show whose settings these are; a person's own can be left, not chosen."""
        self._mode = mode
        choices: list[tuple[str, str]] = [
            (SAFE, _("recommended")),
            (PAPER, _("as in the paper")),
        ]
        if mode == OWN:
            choices.append((OWN, _("own settings")))
        self._choice.set_choices(choices, mode)

    def _on_picked(self, key: str) -> None:
        if key != self._mode and key != OWN:
            self.picked.emit(key)


def _kept_together(words: str) -> str:
    """Leave no per cent sign alone at the beginning of a line."""
    return words.replace(" %", "\N{NO-BREAK SPACE}%")
