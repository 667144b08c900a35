"""The file format CSV for released tables."""

from __future__ import annotations

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.writing.base import LimitBreach, Writer, Written, decimal_of, register
from ppdm_desktop.engine.table.writing.delimited import read_delimited, write_delimited
from ppdm_desktop.engine.table.writing.guard import count_guarded_cells
from ppdm_desktop.engine.wording.catalogue import lazy


@register
class Csv(Writer):
    """Delimited text, which every program reads and which holds any table."""

    id = "csv"
    title = "CSV"
    order = 10
    suffix = ".csv"
    release = True
    form = lazy("CSV: UTF-8 text without a byte-order mark, columns separated by {sign}, lines ended by CR LF")
    takes_guard = True
    read_by_kit = True

    def limits(self, table: Table) -> tuple[LimitBreach, ...]:
        """Return no limits, since CSV can hold any table."""
        return ()

    def write(self, table: Table, *, guarded: bool = True) -> Written:
        """Return a table as CSV bytes; if ``guarded``, texts that a spreadsheet would execute get an apostrophe."""
        data = progress.part(0.0, 0.9).run(write_delimited, table, guarded=guarded)
        return Written(data, self.id, guarded, count_guarded_cells(table) if guarded else 0, decimal_of(table))

    def read_back(self, written: Written) -> tuple[Column, ...]:
        """Return the columns of a file written by this class, with the apostrophes of the formula guard.

        Raises UnreadableFile for bytes that are no such file.
        """
        return read_delimited(written.data)
