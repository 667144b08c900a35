"""What the release record asks for and only the owner knows; asked once for each project."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from ppdm_desktop.engine.recipe.models import OperatorSection
from ppdm_desktop.engine.report.record_fields import RECORD_FIELDS
from ppdm_desktop.engine.wording.catalogue import Sentence, _, lazy
from ppdm_desktop.ui.widgets.basic import Card
from ppdm_desktop.ui.widgets.buttons import Segments
from ppdm_desktop.ui.widgets.form.row import FormRow

FORM_FIELDS: Mapping[str, Sentence] = {
    **RECORD_FIELDS,
    "approver": lazy("Approved by"),
    "review_date": lazy("Review on"),
}
"""What each field is called, by its key in the recipe's ``[operator]``."""
_YES_OR_NO = "special_categories"
_ANSWERS: Mapping[str, bool | None] = {"": None, "yes": True, "no": False}


class RecordForm(Card):
    """A field for each line of the record that no figure can fill; an empty one stays a line to fill in by hand.

    Signals
    -------
    entered
        (key of ``[operator]``, what a person entered; None when they took it away).
    """

    entered = Signal(str, object)

    def __init__(self) -> None:
        super().__init__("", _("Only for your own folder. Each empty field is a line to fill in by hand."))
        self.setProperty("card", False)
        self.setAccessibleName(_("For the release record"))
        self.body.setContentsMargins(0, 0, 0, 0)
        self.setObjectName("card_record")
        self._edits: dict[str, QLineEdit] = {}
        for key, label in FORM_FIELDS.items():
            self.body.addWidget(self._row(key, str(label)))

    def _row(self, key: str, words: str) -> FormRow:
        control: QWidget
        if key == _YES_OR_NO:
            control = self._answer = Segments(
                [("", _("Not stated")), ("yes", _("Yes")), ("no", _("No"))], name=f"record_{key}"
            )
            self._answer.chosen.connect(self._on_answer)
        else:
            control = edit = QLineEdit()
            edit.setObjectName(f"record_{key}")
            edit.editingFinished.connect(partial(self._on_edited, key))
            self._edits[key] = edit
        row = FormRow(words, "")
        row.set_narrow(True)
        row.right.addWidget(control)
        row.label.setBuddy(control)
        control.setAccessibleName(words)
        return row

    def clear(self) -> None:
        """Empty every field, also one that is being typed in."""
        for edit in self._edits.values():
            edit.clear()
        self._answer.set_current("")

    def show_fields(self, given: OperatorSection) -> None:
        """Show what was entered; a field that is being typed in is left alone."""
        for key, edit in self._edits.items():
            text = getattr(given, key) or ""
            if not edit.hasFocus() and edit.text() != text:
                edit.setText(text)
                edit.setCursorPosition(0)
        said = next(answer for answer, value in _ANSWERS.items() if value is given.special_categories)
        self._answer.set_current(said)

    def _on_edited(self, key: str) -> None:
        self.entered.emit(key, self._edits[key].text().strip() or None)

    def _on_answer(self, answer: str) -> None:
        self.entered.emit(_YES_OR_NO, _ANSWERS[answer])
