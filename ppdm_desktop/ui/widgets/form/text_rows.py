"""Rows for a short text, and for the recipient whose secret is kept."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit

from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.ui.look.tips import plain_tip
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.form.row import ParameterRow


class TextRow(ParameterRow):
    """A text of one line; what does not fit is marked and not taken."""

    _shown = ""

    def build(self, line: QHBoxLayout) -> None:
        """Add the field."""
        self._edit = QLineEdit()
        self.name_control(self._edit)
        self._edit.editingFinished.connect(self._on_finished)
        line.addWidget(self._edit, 10)

    def show_value(self, value: object) -> None:
        """Show a text; one that is being typed is left alone."""
        if self._edit.text() != str(value):
            self._edit.setText(str(value))
        self._mark(wrong=False)

    @property
    def text(self) -> str:
        """What stands in the field."""
        return self._edit.text().strip()

    def _on_finished(self) -> None:
        fits = self.parameter.problem(self.text) is None
        self._mark(wrong=not fits)
        if fits and self.text != self._shown:
            self._shown = self.text
            self.tell(self.text)

    def set_written(self, value: object | None, otherwise: object | None = None) -> None:
        """Show a written text; where nothing is written, that of the profile, or the default."""
        default = self.parameter.default if otherwise is None else otherwise
        self._shown = str(default if value is None else value)
        super().set_written(value, otherwise)

    def _mark(self, *, wrong: bool) -> None:
        if bool(self._edit.property("wrong")) != wrong:
            self._edit.setProperty("wrong", wrong)
            self._edit.style().polish(self._edit)
        problem = self.parameter.problem(self.text)
        self._edit.setToolTip("" if problem is None else plain_tip(_("Enter {wanted}.", wanted=problem)))


class RecipientRow(TextRow):
    """The recipient's name, and the way to their secret.

    Signals
    -------
    secret_wanted
        A secret is to be drawn (True) or opened (False) for the recipient of this name, which may be empty.
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
        self.secret_wanted.emit(self.sender() is self._new, self.text)
