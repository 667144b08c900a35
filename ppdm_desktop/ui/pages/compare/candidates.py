"""The table of candidates: figures of each beside the original, up to four of them ticked to be set side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from ppdm_desktop.ui.look.tips import plain_tip
from ppdm_desktop.ui.models.rows_model import Index, RowsModel
from ppdm_desktop.ui.pages.compare.scorecards import table_headers
from ppdm_desktop.ui.state.session import CandidateEntry
from ppdm_desktop.ui.widgets.tables.form_table import FormTable

MOST_TICKED = 4
_TICK = Qt.ItemDataRole.CheckStateRole


class CandidatesModel(RowsModel):
    """Rows of candidates, the original first; each but the original can be ticked.

    Signals
    -------
    ticked
        The candidates ticked changed.
    refused
        One more than ``MOST_TICKED`` was ticked.
    """

    ticked = Signal()
    refused = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(table_headers(), right=(2, 3, 4, 5, 6), parent=parent)
        self._shown: dict[str, int] = {}
        self._ticked: list[int] = []

    def show_candidates(self, entries: Sequence[CandidateEntry], rows: list[tuple[str, ...]]) -> None:
        """Show candidates in rows (one more for the original); ticks of those that are gone go."""
        self._shown = {entry.name: entry.serial for entry in entries}
        kept = [serial for serial in self._ticked if serial in self._shown.values()]
        gone, self._ticked = kept != self._ticked, kept
        self.set_rows(rows)
        if gone:
            self.ticked.emit()

    @property
    def names(self) -> list[str]:
        """The candidates, in the order of their rows."""
        return list(self._shown)

    @property
    def chosen(self) -> list[str]:
        """The candidates ticked, in the order of the rows."""
        return [name for name, serial in self._shown.items() if serial in self._ticked]

    def _name(self, index: Index) -> str:
        place = index.row() - (len(self.rows) - len(self._shown))
        return self.names[place] if 0 <= place < len(self._shown) else ""

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Let a candidate's first cell be ticked."""
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsUserCheckable if index.column() == 0 and self._name(index) else flags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return also whether a candidate is ticked, and its whole name."""
        if role == _TICK and index.column() == 0 and self._name(index):
            ticked = self._shown[self._name(index)] in self._ticked
            return Qt.CheckState.Checked if ticked else Qt.CheckState.Unchecked
        if role == Qt.ItemDataRole.ToolTipRole and index.column() == 0:
            return plain_tip(str(self.rows[index.row()][0]))
        return super().data(index, role)

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Tick or untick; never more than ``MOST_TICKED``."""
        serial = self._shown.get(self._name(index))
        if role != _TICK or serial is None:
            return False
        if serial in self._ticked:
            self._ticked.remove(serial)
        elif len(self._ticked) >= MOST_TICKED:
            self.refused.emit()
            return False
        else:
            self._ticked.append(serial)
        self.dataChanged.emit(index, index, [role])
        self.ticked.emit()
        return True


class CandidatesTable(FormTable):
    """The first column takes the spare width, but never less than a name needs; longer ones go on several lines."""

    def __init__(self, model: CandidatesModel, words: str) -> None:
        super().__init__(model, name="table_candidates", words=words, most_rows=14, least=170)
        self.setWordWrap(True)
        self.fit()
