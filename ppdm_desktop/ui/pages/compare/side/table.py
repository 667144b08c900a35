"""The table of candidates side by side: the figures' names stay in view while it scrolls sideways."""

from __future__ import annotations

from ppdm_desktop.ui.widgets.tables.form_table import FormTable
from ppdm_desktop.ui.widgets.tables.frozen_columns_table import Corner, NamedRows, NamesAtLeft


class NamedTable(FormTable):
    """A form table that always has its rows' names at the left; the other columns share the width alike."""

    _corner: Corner | None = None

    def __init__(self, model: NamedRows, *, name: str, words: str, most_rows: int) -> None:
        super().__init__(model, name=name, words=words, stretch=-1, most_rows=most_rows)
        self._names = NamesAtLeft(self)
        self.setVerticalHeader(self._names)
        self.setColumnHidden(0, True)
        self._names.show()
        self._corner = Corner(self)
        self.fit()

    def fit(self) -> None:
        """Set heights and widths, and the room of the names."""
        self._needed: dict[int, int] = {}
        super().fit()
        current = self.currentIndex()
        if current.isValid() and current.column() == 0:
            self.selectionModel().setCurrentIndex(
                self.model().index(current.row(), 1), self.selectionModel().SelectionFlag.NoUpdate
            )

    def _share_width(self) -> None:
        """Give the names what they need up to a share of the width, and the rest to the columns shown."""
        if self._corner is None:
            return
        columns = range(1, self.model().columnCount())
        if not self._needed:
            self._needed = {column: self.columnWidth(column) for column in columns}
        wide = min(self._names.wanted_width(0), self._names.widest_of(self.width()))
        if wide > 0 and wide != self._names.width():
            self._names.setFixedWidth(wide)
            self.updateGeometries()
        shown = [column for column in columns if not self.isColumnHidden(column)]
        spare = self.width() - wide - 2 * self.frameWidth() - sum(self._needed[column] for column in shown)
        for column in shown:
            self.setColumnWidth(column, self._needed[column] + max(spare // len(shown), 0))

    def updateGeometries(self) -> None:
        """Keep the heading above the names."""
        super().updateGeometries()
        if self._corner is not None:
            self._corner.place()
