"""The sheets of a workbook as tiles: name, size and first cells of each; the one that is read is marked."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QGridLayout

from ppdm_desktop.engine.table.reading.import_log import SheetSeen
from ppdm_desktop.engine.wording.catalogue import _, lazy
from ppdm_desktop.engine.wording.values import Name
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.widgets.basic import Card, Text
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.flow import Flow
from ppdm_desktop.ui.widgets.layout import STRETCH, fill, vbox

_LONGEST = 14


class Sheets(Card):
    """One tile a sheet; shown where there are several.

    Signals
    -------
    picked
        Name of the sheet that is to be read.
    """

    picked = Signal(str)

    def __init__(self) -> None:
        super().__init__(_("Sheets"), _("One sheet is read. Here are the first cells of each sheet."))
        self.setObjectName("card_sheets")
        self._seen: tuple[SheetSeen, ...] = ()
        self._read: str | None = None
        self._tiles = Flow(gap=12, at_top=True)
        self._tiles.setObjectName("list_sheets")
        self.body.addWidget(self._tiles)
        self.hide()

    def show_sheets(self, seen: tuple[SheetSeen, ...], read: str | None) -> None:
        """Show the sheets of the file in hand and which one is read."""
        self.setVisible(len(seen) > 1)
        if (seen, read) == (self._seen, self._read):
            return
        self._seen, self._read = seen, read
        self._tiles.clear()
        for number, sheet in enumerate(seen):
            self._tiles.add(self._tile(number, sheet, sheet.name == read))

    def _tile(self, number: int, sheet: SheetSeen, is_read: bool) -> QFrame:
        tile = QFrame()
        tile.setObjectName(f"sheet_{number}")
        box = vbox(on=tile, gap=3)
        words = f"{_short(sheet.name, 2 * _LONGEST)}"
        size = lazy("{rows} {rows:row|rows}, {columns} {columns:column|columns}")
        if sheet.is_cut:
            size = lazy("first {rows} {rows:row|rows}, {columns} {columns:column|columns}")
        words_of_size = size.said(rows=sheet.rows, columns=sheet.columns)
        marks = [_("hidden")] * sheet.hidden + [_("is read")] * is_read
        button = Button(words, name=f"button_sheet_{number}", icon="passed" if is_read else None)
        button.setEnabled(not is_read and sheet.cells > 0)
        button.setProperty("sheet", sheet.name)
        button.setAccessibleName(", ".join([_("Read {sheet}", sheet=Name(sheet.name)), words_of_size, *marks]))
        button.clicked.connect(self._on_clicked)
        fill(box, button, Text(" · ".join([words_of_size, *marks]), factor=0.85, tone="text2", wrap=False))
        cells = QGridLayout()
        theme().gaps(cells, 10, 0)
        for row, texts in enumerate(sheet.corner):
            for column, text in enumerate(texts):
                cells.addWidget(Text(_short(text, _LONGEST), factor=0.8, tone="text3", wrap=False), row, column)
        fill(box, cells, STRETCH)
        return tile

    def _on_clicked(self) -> None:
        self.picked.emit(str(self.sender().property("sheet")))


def _short(text: str, most: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1] + "…"
