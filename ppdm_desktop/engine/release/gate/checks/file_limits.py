"""Check that the table fits the limits of a worksheet and of the written format."""

from __future__ import annotations

from typing import Any

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.recipe.release_type import ReleaseType
from ppdm_desktop.engine.release.gate.base import Check, Limits, register
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import READING_AND_ROLES, CheckResult, VerdictText
from ppdm_desktop.engine.table.writing.limits import MOST_ROWS
from ppdm_desktop.engine.table.writing.registry import find_writer
from ppdm_desktop.engine.wording.catalogue import lazy
from ppdm_desktop.engine.wording.texts import Note, all_texts
from ppdm_desktop.engine.wording.values import Term, Terms


@register
class FileLimits(Check):
    """The table fits the program it is meant for."""

    id = "file-limits"
    title = "Size of the file"
    order = 300
    cause = READING_AND_ROLES
    source = lazy("Microsoft, Excel specifications and limits")
    fix_on = "columns"
    figure_unit = "rows with the header"
    reads_file = False
    explains_unread = True
    green = VerdictText.green("gate.file-limits.green")
    red = VerdictText.red("gate.file-limits.red")
    not_applicable = VerdictText.not_applicable("gate.file-limits.not-applicable")

    def limits(self, type: ReleaseType, k_min: int) -> Limits:
        """Return the limits for green and for red: the 1,048,576 rows of a worksheet, header included."""
        return Limits(MOST_ROWS, MOST_ROWS)

    def judge(self, evidence: Evidence) -> CheckResult:
        """Return the result for the numbers of rows, columns and long cells of the table.

        Red if the written format cannot hold the table. Else green within the limits of a worksheet, and not applicable
        beyond them, because the file is no workbook.
        """
        limits = evidence.limits
        figure = Figure(limits.rows, unit="rows with the header")
        arguments: dict[str, Any] = {
            "rows": limits.rows,
            "columns": limits.columns,
            "long": limits.long_cells,
            "control": limits.control_cells,
        }
        if evidence.breaches:
            parts = tuple(
                Note(breach.what, {"count": breach.count}) if breach.what in all_texts() else breach.what
                for breach in evidence.breaches
            )
            title = Term(find_writer(evidence.candidate.prepared.recipe.release.format).title)
            return self.verdict(self.red, figure, MOST_ROWS, format=title, parts=Terms(parts))
        return self.verdict(self.green if limits.are_met else self.not_applicable, figure, MOST_ROWS, **arguments)
