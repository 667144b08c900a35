"""Check that people are counted, not rows."""

from __future__ import annotations

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.release.gate.base import Check, register
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import AMBER, GREEN, CheckResult


@register
class PeopleCounted(Check):
    """Each row is another person."""

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
        """Count the persons where a column tells them apart; else it has to be said that each row is one."""
        prepared = evidence.candidate.prepared
        given = prepared.complete.input
        if given.person is not None and given.person in prepared.original:
            person = prepared.original.column(given.person)
            persons = len(person.categories)
            figure = Figure(persons, n=len(person), unit="persons")
            if persons == len(person):
                return self.verdict(GREEN, figure)
            return self.verdict(AMBER, figure, variant="several", persons=persons, rows=len(person))
        return self.verdict(GREEN if given.one_row_per_person else AMBER)
