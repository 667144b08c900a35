"""Check that the source could be read to its end."""

from __future__ import annotations

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.release.gate.base import Check, register
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import AMBER, GREEN, RED, CheckResult

MOST_UNREAD = 0.05


@register
class RowsRead(Check):
    """Every row of the source was read."""

    id = "rows-read"
    title = "Rows read"
    order = 20
    source = "own rule: a source that was misread cannot be judged"
    fix_on = "open"
    direction = "at-most"
    figure_unit = "rows"
    reads_file = False

    def judge(self, evidence: Evidence, progress: Progress) -> CheckResult:
        """Count the rows of the source that could not be read; red where they are more than `MOST_UNREAD` of all."""
        account = evidence.candidate.prepared.account
        unread, total = len(account.rows_unread), account.rows_read + len(account.rows_unread)
        figure = Figure(unread, n=total, unit="rows")
        if unread == 0:
            return self.verdict(GREEN, figure, 0, rows=total)
        lines = ", ".join(str(row.line) for row in account.rows_unread[:10]) + (", …" if unread > 10 else "")
        status = RED if unread > MOST_UNREAD * total else AMBER
        return self.verdict(status, figure, 0, rows=unread, total=total, lines=lines)
