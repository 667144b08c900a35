"""Check that people are counted, not rows."""

from __future__ import annotations

from typing import Any

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.release.gate.base import LOOKS_AT_EVERY_VALUE, Check, register
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import AMBER, GREEN, RED, CheckResult
from ppdm_desktop.engine.table.suspected_people import SuspectedPeople, splits, suspected_people
from ppdm_desktop.engine.wording.catalogue import later
from ppdm_desktop.engine.wording.values import Name, Ratio


@register
class PeopleCounted(Check):
    """Each row is another person, or it is known whose it is."""

    id = "people-counted"
    title = "People counted"
    order = 90
    source = later("check", "Own rule. Every count of rows is meant as a count of people")
    fix_on = "open"
    direction = "at-least"
    figure_unit = "persons"
    reads_file = False
    weight = LOOKS_AT_EVERY_VALUE

    def judge(self, evidence: Evidence, progress: Progress) -> CheckResult:
        """Hold what was said of people against the columns that repeat as people do.

        Where nobody was distinguished, a column that is hardly anything but a person's key must not repeat; where
        people were, they must not be parts of such a column's people.
        """
        prepared = evidence.candidate.prepared
        given = prepared.complete.input
        if given.person is None:
            return self._of_rows(evidence, suspected_people(prepared.read, progress))
        named = {given.household, *given.person}
        people = prepared.reduced or prepared.read.people
        assert people is not None
        known: dict[str, Any] = {
            "rows": people.rows,
            "persons": people.count,
            "several": people.with_several,
            "most": people.most_rows,
        }
        figure = Figure(people.count, n=people.rows, unit="persons")
        kept = "several" if prepared.reduced is None else ""
        # One row of each of them: what stays as it is with a person repeats in their own rows, and is nobody.
        for each in suspected_people(prepared.read.take(people.first_rows), progress):
            if not each.strong or each.column in named or not splits(people, prepared.read.column(each.column)):
                continue
            status = RED if each.named and prepared.type.is_public else AMBER
            words: dict[str, Any] = {"column": Name(each.column), "values": each.values, "people": people.count}
            return self.verdict(status, figure, variant="splits", **words)
        if people.without_id:
            variant = f"{kept}-without-id" if kept else "without-id"
            return self.verdict(AMBER, figure, variant=variant, without=people.without_id, **known)
        return self.verdict(GREEN, figure, variant=kept or "reduced", **known)

    def _of_rows(self, evidence: Evidence, suspects: tuple[SuspectedPeople, ...]) -> CheckResult:
        """Judge a file of which nobody said that people have several rows."""
        if not suspects:
            confirmed = evidence.candidate.prepared.complete.input.one_row_per_person
            return self.verdict(GREEN if confirmed else AMBER)
        worst = suspects[0]
        figure = Figure(worst.values, n=worst.rows, unit="persons")
        words: dict[str, Any] = {"column": Name(worst.column), "values": worst.values, "rows": worst.rows}
        if worst.alike is not None:
            words |= {"beside": Name(worst.alike.column), "share": Ratio(worst.alike.share)}
        variant = "weak" if not worst.strong else "alike" if worst.alike is not None else "named"
        return self.verdict(RED if worst.strong else AMBER, figure, variant=variant, **words)
