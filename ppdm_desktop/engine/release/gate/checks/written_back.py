"""Check that the data file holds the previewed table."""

from __future__ import annotations

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.release.gate.base import LOOKS_AT_EVERY_VALUE, Check, register
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import READING_AND_ROLES, CheckResult, VerdictText
from ppdm_desktop.engine.table.writing import count_differing_cells


@register
class WrittenBack(Check):
    """The data file read back equals the previewed table, cell by cell."""

    id = "written-back"
    title = "File matches the preview"
    order = 40
    cause = READING_AND_ROLES
    fix_on = "protect"
    figure_unit = "cells"
    red_for = "all"
    reads_file = False
    explains_unread = True
    weight = LOOKS_AT_EVERY_VALUE
    green = VerdictText.green("gate.written-back.green")
    red = VerdictText.red("gate.written-back.red")

    def judge(self, evidence: Evidence) -> CheckResult:
        """Return the result for the number of cells, headers included, that differ between preview and file read back.

        Red if there are any, else green; in a file that cannot be read all differ.
        """
        released = evidence.candidate.released if evidence.previewed is None else evidence.previewed
        cells = (released.rows + 1) * len(released.columns)
        if evidence.read_back is None:
            return self.verdict(self.red, Figure(cells, n=cells, unit="cells"), 0, cells=cells)
        different = count_differing_cells(evidence.read_back, released.columns)
        figure = Figure(different, n=cells, unit="cells")
        return self.verdict(self.red if different else self.green, figure, 0, cells=different or cells)
