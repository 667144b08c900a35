"""Form for a text file that could not be read with the guessed options."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from ppdm_desktop.engine.errors import PpdmError
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.state.import_lines import delimiter_choices, encoding_choices
from ppdm_desktop.ui.widgets.basic import Card
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.inputs import Choice, WholeNumber
from ppdm_desktop.ui.widgets.layout import add_parts, align_left

if TYPE_CHECKING:
    from ppdm_desktop.engine.recipe.models import InputSection

GUESS = "guess"
FIXED_BY_OPTIONS = (
    "error.read.header-only",
    "error.read.header-quote",
    "error.read.no-header-row",
    "error.read.no-row-fits",
    "error.read.not-decodable",
    "error.read.nul",
    "error.read.unclosed-quote",
)
"""Errors that another delimiter, encoding or header row may fix."""


class ReadOtherwise(Card):
    """Form with encoding, delimiter and header row for a file that could not be read.

    Signals
    -------
    wanted
        Read the file (``Path``) with these options (``InputSection``).
    """

    wanted = Signal(object, object)

    def __init__(self) -> None:
        super().__init__(_("Read the file in another way"), name="card_read_otherwise")
        self._path: Path | None = None
        self.encoding = Choice(name="combo_otherwise_encoding")
        self.delimiter = Choice(name="combo_otherwise_delimiter")
        self.header = WholeNumber(name="spin_otherwise_header_row", bounds=(0, 1_048_576))
        self.header.setSpecialValueText(_("Detected automatically"))
        self._grid = QGridLayout()
        theme().gaps(self._grid, 12, 6)
        self._grid.setColumnStretch(1, 1)
        self._add_row(_("Text encoding"), self.encoding)
        self._add_row(_("Columns separated by"), self.delimiter)
        self._add_row(_("Column names are in row"), self.header)
        self.header.lineEdit().setAccessibleName(_("Column names are in row"))
        self.button = Button(_("Read again"), name="button_read_otherwise", icon="reset", clicked=self._on_again)
        add_parts(self.body, self._grid, align_left(self.button))
        self.hide()

    def _add_row(self, text: str, control: QWidget) -> None:
        """Add a labelled control to the form."""
        label = QLabel(text)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setBuddy(control)
        control.setAccessibleName(text)
        index = self._grid.rowCount()
        self._grid.addWidget(label, index, 0)
        self._grid.addWidget(control, index, 1)

    def offer(self, path: Path, tried: InputSection | None, error: PpdmError) -> None:
        """Show the form with the options that failed, or hide it if other options cannot help against this error.

        An option that was guessed is shown as "Detected automatically"; header row 0 means the same.

        Parameters
        ----------
        path
            The file.
        tried
            Options that failed; None if all were guessed.
        error
            Why the file could not be read.
        """
        if error.id not in FIXED_BY_OPTIONS:
            self.hide()
            return
        self._path = path
        encoding, delimiter = (None, None) if tried is None else (tried.encoding, tried.delimiter)
        guess = (GUESS, _("Detected automatically"))
        self.encoding.set_choices([guess, *encoding_choices(encoding)], encoding or GUESS)
        chosen = GUESS if delimiter is None else delimiter
        self.delimiter.set_choices([guess, *delimiter_choices(delimiter)], chosen)
        self.header.setValue((tried.header_row if tried is not None else None) or 0)
        self.show()

    def _on_again(self) -> None:
        """Send ``wanted`` with the file and the chosen reading options; an option to be guessed is None."""
        from ppdm_desktop.engine.recipe.models import InputSection

        encoding, delimiter = self.encoding.current, self.delimiter.current
        options = InputSection(
            encoding=None if encoding == GUESS else encoding,
            delimiter=None if delimiter == GUESS else delimiter,
            header_row=self.header.value() or None,
        )
        self.wanted.emit(self._path, options)
