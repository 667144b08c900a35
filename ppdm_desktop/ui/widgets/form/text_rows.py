"""Form rows for a short text, and for a recipient with a secret."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit

from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.ui.look.tips import plain_tip
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.form.row import ParameterRow


class TextRow(ParameterRow):
    """Row with a one-line text; an invalid text is marked and not used."""

    _shown = ""

    def build(self, line: QHBoxLayout) -> None:
        """Add the field."""
        self._edit = QLineEdit()
        self.name_control(self._edit)
        self._edit.editingFinished.connect(self._on_finished)
        line.addWidget(self._edit, 10)

    def show_value(self, value: object) -> None:
        """Show a text, without overwriting one that is being edited."""
        if self._edit.text() != str(value):
            self._edit.setText(str(value))
        self._mark(wrong=False)

    @property
    def text(self) -> str:
        """The text in the field."""
        return self._edit.text().strip()

    def _on_finished(self) -> None:
        """Tell the typed text if it is valid, otherwise mark it."""
        fits = self.parameter.problem(self.text) is None
        self._mark(wrong=not fits)
        if fits and self.text != self._shown:
            self._shown = self.text
            self.tell(self.text)

    def set_written(self, value: object | None, otherwise: object | None = None) -> None:
        """Show the text in the recipe; without one, that of the profile, or the default."""
        default = self.parameter.default if otherwise is None else otherwise
        self._shown = str(default if value is None else value)
        super().set_written(value, otherwise)

    def _mark(self, *, wrong: bool) -> None:
        """Mark the field as wrong with the reason as its tooltip, or remove the mark."""
        if bool(self._edit.property("wrong")) != wrong:
            self._edit.setProperty("wrong", wrong)
            self._edit.style().polish(self._edit)
        problem = self.parameter.problem(self.text)
        self._edit.setToolTip("" if problem is None else plain_tip(_("Enter {wanted}.", wanted=problem)))


class RecipientRow(TextRow):
    """Row with a recipient's name and buttons for the recipient's secret.

    Signals
    -------
    secret_wanted
        (True to create or False to open a secret, the recipient's name, which may be empty).
    """

    secret_wanted = Signal(bool, str)

    def build(self, line: QHBoxLayout) -> None:
        """Add the field and the two buttons."""
        super().build(line)
        self._new = Button(_("New recipient…"), name="button_new_recipient", link=True)
        self._open = Button(_("Open the recipient’s secret…"), name="button_open_secret", link=True)
        for button in (self._new, self._open):
            self.below.addWidget(button)
            button.clicked.connect(self._on_wanted)
        self.below.addStretch(1)

    def _on_wanted(self) -> None:
        """Report that a recipient's secret is to be created or opened, and the recipient."""
        self.secret_wanted.emit(self.sender() is self._new, self.text)
