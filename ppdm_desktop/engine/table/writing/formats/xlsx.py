"""XLSX."""

from __future__ import annotations

from collections.abc import Sequence

from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.writing.base import LimitBreach, Writer, Written, decimal_of, register
from ppdm_desktop.engine.table.writing.limits import excel_limits
from ppdm_desktop.engine.wording.catalogue import lazy


@register
class Xlsx(Writer):
    """A workbook of one sheet: texts as text cells, numbers as numbers where nothing is lost."""

    id = "xlsx"
    title = "XLSX"
    order = 20
    suffix = ".xlsx"
    libraries = ("xlsxwriter", "defusedxml")
    release = True
    form = lazy("Excel workbook (XLSX), one sheet called data")
    takes_guard = False

    def limits(self, table: Table, progress: Progress) -> tuple[LimitBreach, ...]:
        """Measure the table against a worksheet."""
        return excel_limits(table, progress).breaches

    def write(self, table: Table, progress: Progress, *, guarded: bool = True) -> Written:
        """Write a table; the guard is not needed."""
        from ppdm_desktop.engine.table.writing.workbook import write_workbook

        decimal = decimal_of(table)
        return Written(write_workbook(table, progress, decimal), self.id, False, 0, decimal)

    def read_back(self, written: Written, progress: Progress) -> tuple[Column, ...]:
        """Read a file written by this class."""
        from ppdm_desktop.engine.table.writing.workbook import read_workbook

        return read_workbook(written.data, progress, written.decimal)

    def running_parts(self, data: bytes, progress: Progress) -> int:
        """Count parts with formulas, links, macros or objects."""
        from ppdm_desktop.engine.table.writing.package_parts import running_parts

        return running_parts(data, progress)

    def traces(self, data: bytes, words: Sequence[str]) -> int:
        """Look for words of the computer and for times."""
        from ppdm_desktop.engine.table.writing.package_parts import package_traces

        return package_traces(data, words)
