"""Check that no column released as it was gives away what a method hides in another."""

from __future__ import annotations

from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.recipe.release_type import ReleaseType
from ppdm_desktop.engine.release.gate.base import Check, Limits, register
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.functional_dependence import NEARLY_ONE, Fixed, fixes
from ppdm_desktop.engine.release.gate.results import AMBER, GREEN, NOT_APPLICABLE, RED, CheckResult
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.utility.models.crossval import sample_rows

LIMIT = 0.95
MOST_ROWS = 50_000
MOST_NAMED = 6
_ROUNDING = 1e-12


@register
class Dependencies(Check):
    """No column released as it was gives away what a method hides in another."""

    id = "dependencies"
    title = "Columns that give others away"
    order = 210
    source = "own rule: what another column tells is not hidden"
    fix_on = "columns"
    direction = "at-most"
    figure_unit = "share"
    needs = ("written-back", "file-limits")

    def limits(self, type: ReleaseType, k_min: int) -> Limits:
        """Return the edges of the colours; every record told, or nearly all of a number, is red for the public."""
        return Limits(LIMIT, NEARLY_ONE if type.is_public else None)

    def judge(self, evidence: Evidence, progress: Progress) -> CheckResult:
        """Look for columns that no step protects and that fix one that a step does.

        What a protected column hides is its true value. So the released values of the others are held
        against it where released rows are source rows, and against the released ones where they are
        not. A column released in bins hides its number like one that a step treats. Of more than
        `MOST_ROWS` records a fixed sample is looked at.
        """
        protected = [name for name in evidence.judged.names if name in evidence.protected_columns]
        others = [
            column for column in evidence.judged.columns if column.name not in protected and column.kind != "text"
        ]
        sections = evidence.candidate.prepared.complete.columns
        protected += [each.name for each in others if each.name in sections and sections[each.name].bins is not None]
        if not any(giver.name != name for name in protected for giver in others):
            return self.verdict(NOT_APPLICABLE)
        rows = sample_rows(evidence.judged.rows, MOST_ROWS)
        givers = [_taken(giver, rows) for giver in others]
        found: list[tuple[Fixed, str, str]] = []
        best = Fixed(0.0, False)
        for name in protected:
            hidden = _taken(_hidden(evidence, name), rows)
            for giver in givers:
                if giver.name == name:
                    continue
                each = fixes(giver, hidden)
                best = max(best, each, key=lambda fixed: (fixed.share, fixed.every))
                if each.share >= LIMIT - _ROUNDING:
                    found.append((each, giver.name, name))
        method = "records told rightly by others that share the value, or R²; the strongest of all pairs of columns"
        figure = Figure(best.share, n=len(rows), unit="share", method=method)
        if not found:
            return self.verdict(GREEN, figure, LIMIT, percent=_percent(best.share))
        found.sort(key=lambda each: (-each[0].share, each[1], each[2]))
        shown = "; ".join(
            f'"{giver}" gives away "{name}" ({_percent(each.share)} %)' for each, giver, name in found[:MOST_NAMED]
        )
        more = f" and {len(found) - MOST_NAMED} more" if len(found) > MOST_NAMED else ""
        is_red = self.limits_of(evidence).red is not None and any(each.every for each, _, _ in found)
        return self.verdict(RED if is_red else AMBER, figure, LIMIT, pairs=shown + more)


def _taken(column: Column, rows: Ints) -> Column:
    return column if len(rows) == len(column) else column.take(rows)


def _hidden(evidence: Evidence, name: str) -> Column:
    if evidence.rows_correspond:
        return evidence.candidate.prepared.original.column(name).take(evidence.source_rows)
    return evidence.judged.column(name)


def _percent(share: float) -> str:
    return "100" if share >= 1 else f"{min(100 * share, 99.9):.3g}"
