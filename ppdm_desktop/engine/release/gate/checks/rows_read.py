"""Check that the whole source was read."""

from __future__ import annotations

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.release.gate.base import Check, register
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import READING_AND_ROLES, CheckResult, Colours, VerdictText
from ppdm_desktop.engine.table.reading import ImportLog
from ppdm_desktop.engine.wording.values import Names

MOST_UNREAD = 0.05
MOST_LEFT_OUT = 0.01


@register
class RowsRead(Check):
    """Every row of the source was read, and every row read is a record."""

    id = "rows-read"
    title = "Rows read"
    order = 20
    cause = READING_AND_ROLES
    fix_on = "open"
    figure_unit = "rows"
    reads_file = False
    usual = Colours.of("gate.rows-read.green", "gate.rows-read.amber", "gate.rows-read.red")
    green_left_out = VerdictText.green("gate.rows-read.green-left-out")
    amber_left_out = VerdictText.amber("gate.rows-read.amber-left-out")
    amber_read_once = VerdictText.amber("gate.rows-read.amber-read-once")
    amber_read_twice = VerdictText.amber("gate.rows-read.amber-read-twice")
    amber_unanswered = VerdictText.amber("gate.rows-read.amber-unanswered")

    def judge(self, evidence: Evidence) -> CheckResult:
        """Return the result for rows of the source that are not in the table, or perhaps should not be.

        - Red if more than 5 % of all rows could not be read, amber if any could not.
        - If all were read, amber if questions about rows (sums, repeated names, ambiguous cells) are unanswered, if a
          second reader failed or differed, or if the owner left out more than 1 % of the rows; else green.
        """
        account = evidence.candidate.prepared.account
        unread, total = len(account.rows_unread), account.rows_read + len(account.rows_unread)
        figure = Figure(unread, n=total, unit="rows")
        if unread == 0:
            return self._judge_complete_source(account, total)
        text = self.usual.red if unread > MOST_UNREAD * total else self.usual.amber
        return self.verdict(text, figure, 0, rows=unread, total=total, line=account.rows_unread[0].line)

    def _judge_complete_source(self, account: ImportLog, total: int) -> CheckResult:
        """Return the result for a source whose rows could all be read; ``total`` is the number of rows read.

        Amber for the first of these that holds: unanswered questions, cells read differently by a second reader, a
        second reader that failed, more than 1 % of the rows (read and left out together) left out. Else green.
        """
        asked = [row for question in account.rows_to_answer if question.must_be_answered for row in question.rows]
        if asked:
            figure = Figure(len(asked), n=total, unit="rows")
            return self.verdict(self.amber_unanswered, figure, 0, rows=len(asked), line=asked[0])
        if account.read_twice:
            cells = sum(column.cells for column in account.read_twice)
            columns = Names.of([column.column for column in account.read_twice])
            figure = Figure(cells, n=total, unit="rows")
            return self.verdict(self.amber_read_twice, figure, 0, cells=cells, columns=columns)
        if account.is_read_once:
            return self.verdict(self.amber_read_once, Figure(total, n=total, unit="rows"), 0)
        left = [row_left_out.row for row_left_out in account.rows_left_out]
        figure = Figure(0, n=total, unit="rows")
        if not left:
            return self.verdict(self.usual.green, figure, 0, rows=total)
        of_source = total + len(left)
        most = int(MOST_LEFT_OUT * of_source)
        text = self.green_left_out if len(left) <= most else self.amber_left_out
        figure = Figure(len(left), n=of_source, unit="rows")
        return self.verdict(text, figure, most, rows=len(left), total=of_source, line=left[0])
