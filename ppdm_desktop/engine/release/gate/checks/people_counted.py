"""Check that people are counted, not rows."""

from __future__ import annotations

from typing import Any

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.release.gate.base import Check, register
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import AMBER, GREEN, CheckResult


@register
class PeopleCounted(Check):
    """Each row is another person, or has been made one."""

    id = "people-counted"
    former = ("one-row-per-person",)
    title = "People counted"
    order = 90
    source = "own rule: every count of rows is meant as a count of people"
    fix_on = "open"
    direction = "at-least"
    figure_unit = "persons"
    reads_file = False

    def judge(self, evidence: Evidence, progress: Progress) -> CheckResult:
        """Count the persons whose rows became one each; else it has to be said that each row is another's."""
        prepared = evidence.candidate.prepared
        people = prepared.people
        if people is None:
            return self.verdict(GREEN if prepared.complete.input.one_row_per_person else AMBER)
        figure = Figure(people.count, n=people.rows, unit="persons")
        told: dict[str, Any] = {
            "rows": people.rows,
            "persons": people.count,
            "several": people.with_several,
            "most": people.most_rows,
        }
        if people.without_id:
            return self.verdict(AMBER, figure, variant="without-id", without=people.without_id, **told)
        return self.verdict(GREEN, figure, variant="reduced", **told)
