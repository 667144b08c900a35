"""Check of how much was removed: what is left must still stand for the whole."""

from __future__ import annotations

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.recipe.release_type import ReleaseType
from ppdm_desktop.engine.release.gate.base import Check, Limits, register
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import AMBER, GREEN, RED, CheckResult

LITTLE, MOST = 0.05, 0.50
_ROUNDING = 1e-12


@register
class Suppression(Check):
    """What is left still stands for the whole."""

    id = "suppression"
    title = "What was removed"
    order = 240
    source = "own rule: what is left has to stand for the whole"
    fix_on = "protect"
    direction = "at-most"
    figure_unit = "share"
    needs = ("written-back", "file-limits")

    def limits(self, type: ReleaseType, k_min: int) -> Limits:
        """Return the edges of the colours."""
        return Limits(LITTLE, MOST)

    def judge(self, evidence: Evidence, progress: Progress) -> CheckResult:
        """Measure the share of records, or of one column's values, that the source has and the release lacks.

        A value is removed with its record or by itself. Where records were made anew, only their
        number is compared.
        """
        source = evidence.candidate.prepared.table
        rows = evidence.judged.rows
        shares = {"": 1 - rows / source.rows if source.rows else 0.0}
        if evidence.rows_correspond:
            for column in evidence.exported.columns:
                had = source.rows - int(source.column(column.name).missing.sum())
                if had:
                    shares[column.name] = 1 - (rows - int(column.missing.sum())) / had
        worst = max(shares, key=lambda name: shares[name])
        share = max(shares[worst], 0.0)
        figure = Figure(share, n=source.rows, unit="share", method="of the records, or of the values of one column")
        arguments = {"percent": f"{100 * share:.1f}", "column": f'"{worst}"' if worst else "any"}
        status = GREEN if share <= LITTLE + _ROUNDING else AMBER if share <= MOST + _ROUNDING else RED
        return self.verdict(status, figure, LITTLE, **arguments)
