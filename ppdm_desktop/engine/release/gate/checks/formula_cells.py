"""Check that text which a spreadsheet would run as a formula is guarded or stored as text."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.release.gate.base import LOOKS_AT_EVERY_VALUE, Check, register
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import READING_AND_ROLES, CheckResult, VerdictText
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.writing.guard import (
    count_guarded_cells,
    may_need_guard,
    may_run_when_split,
    runs_in_spreadsheet,
    runs_when_split,
)
from ppdm_desktop.engine.table.writing.registry import find_writer
from ppdm_desktop.engine.wording.catalogue import lazy


@register
class FormulaCells(Check):
    """No cell is run as a formula by a spreadsheet."""

    id = "formula-cells"
    title = "Cells a spreadsheet could run"
    order = 290
    cause = READING_AND_ROLES
    source = lazy("OWASP, CSV injection")
    fix_on = "release"
    figure_unit = "cells or parts of the workbook"
    weight = LOOKS_AT_EVERY_VALUE
    green = VerdictText.green("gate.formula-cells.green")
    green_workbook = VerdictText.green("gate.formula-cells.green-workbook")
    amber = VerdictText.amber("gate.formula-cells.amber")
    amber_split = VerdictText.amber("gate.formula-cells.amber-split")
    red = VerdictText.red("gate.formula-cells.red")

    def judge(self, evidence: Evidence) -> CheckResult:
        """Return the result for cells of a text file, or parts of a workbook, that a spreadsheet would run as formulas.

        Red for a workbook with such parts. Amber for a text file with such cells or, if it has none, with cells a part
        of which would run in a program that separates columns by another sign. Else green.
        """
        assert evidence.written is not None
        writer = find_writer(evidence.written.format)
        if not writer.takes_guard:
            parts = writer.running_parts(evidence.written.data)
            figure = Figure(parts, unit="parts of the workbook")
            risky = count_guarded_cells(evidence.candidate.released)
            if parts:
                return self.verdict(self.red, figure, 0, parts=parts)
            return self.verdict(self.green_workbook, figure, 0, cells=risky)
        columns = evidence.as_written or ()
        running = progress.part(0.0, 0.5).run(_count_formula_cells, columns, runs_in_spreadsheet, may_need_guard)
        split = progress.part(0.5, 1.0).run(_count_formula_cells, columns, runs_when_split, may_run_when_split)
        figure = Figure(running or split, unit="cells")
        if running:
            return self.verdict(self.amber, figure, 0, cells=running)
        if split:
            return self.verdict(self.amber_split, figure, 0, cells=split)
        guarded = evidence.written.guarded_cells
        return self.verdict(self.green, figure, 0, cells=guarded)


def _count_formula_cells(
    columns: Sequence[Column], runs: Callable[[str], bool], may_run: Callable[[Sequence[str]], bool]
) -> int:
    """Return the number of cells and headers that would be run as a formula.

    Parameters
    ----------
    columns
        The columns to search.
    runs
        Tells whether a text would be run.
    may_run
        Tells quickly whether any of several texts might; if not, only the column's header is searched.
    """
    count = 0
    for index, column in enumerate(columns):
        progress.report(index / len(columns), "doing.gate")
        count += runs(column.name)
        if may_run(column.texts):
            texts = zip(progress.each(column.texts), column.text_counts.tolist(), strict=True)
            count += sum(uses for text, uses in texts if runs(text))
    return count
