"""Check of how much was removed: what is left must still stand for the whole."""

from __future__ import annotations

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import AMBER, GREEN, RED, CheckResult, verdict

LITTLE, MOST = 0.05, 0.50
_ROUNDING = 1e-12


def suppression(evidence: Evidence) -> CheckResult:
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
    return verdict("suppression", status, figure, LITTLE, **arguments)
