"""Check of the smallest class of equal released quasi-identifiers (k-anonymity)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.identifiability.classes import equivalence_classes
from ppdm_desktop.engine.methods.base.declaration import KnobKind
from ppdm_desktop.engine.recipe.release_type import ReleaseType
from ppdm_desktop.engine.release.disclosure.column_belief import take_uncertainty_by_quasi
from ppdm_desktop.engine.release.gate.base import Check, Limits, register
from ppdm_desktop.engine.release.gate.evidence import Evidence, is_quasi_regenerated
from ppdm_desktop.engine.release.gate.results import WHO_IS_FOUND, CheckResult, Remedy, VerdictText
from ppdm_desktop.engine.wording.catalogue import lazy, untranslated
from ppdm_desktop.engine.wording.values import Name, Names

FEWEST_IN_A_ROW = 3
"""A row that is a group of people must stand for at least this many, for any recipient."""


@register
class ClassSize(Check):
    """Every class of equal quasi-identifiers has at least k_min people."""

    id = "class-size"
    title = "Group size"
    order = 100
    cause = WHO_IS_FOUND
    answered_by = (KnobKind.GROUP_SIZE,)
    source = lazy("L. Sweeney, k-anonymity: a model for protecting privacy, IJUFKS 10(5), 2002")
    fix_on = "protect"
    on_protection = True
    direction = "at-least"
    figure_unit = "records"
    figure_title = "figure.class-size"
    by_chance = True
    green = VerdictText.green("gate.class-size.green")
    amber = VerdictText.amber("gate.class-size.amber")
    amber_dominated = VerdictText.amber("gate.class-size.amber-dominated")
    amber_no_quasi = VerdictText.amber("gate.class-size.amber-no-quasi")
    amber_open = VerdictText.amber("gate.class-size.amber-open")
    amber_partly = VerdictText.amber("gate.class-size.amber-partly")
    amber_groups = VerdictText.amber("gate.class-size.amber-groups")
    red = VerdictText.red("gate.class-size.red")
    red_partly = VerdictText.red("gate.class-size.red-partly")
    red_groups = VerdictText.red("gate.class-size.red-groups")
    green_counted = VerdictText.green("gate.class-size.green-counted")
    amber_declared = VerdictText.amber("gate.class-size.amber-declared")
    red_counted = VerdictText.red("gate.class-size.red-counted")
    red_not_counted = VerdictText.red("gate.class-size.red-not-counted")
    not_applicable_regenerated = VerdictText.not_applicable("gate.class-size.not-applicable-regenerated")

    def limits(self, type: ReleaseType, k_min: int) -> Limits:
        """Return the limits in people: below ``k_min`` is amber, and red in a public release."""
        return Limits(k_min, k_min if type.is_public else None)

    def judge(self, evidence: Evidence) -> CheckResult:
        """Return the result for the smallest class of people with equal quasi-identifiers; its figure is their number.

        The first rule that fits decides:

        - No rows: green.
        - Without quasi-identifiers all people are one class: amber, or green if steps left all of them out and all
          columns that are not confidential make large classes, too.
        - All quasi-identifiers are synthetic: not applicable.
        - At least k_min people: green; amber if somebody has more than 1 / k_min of the rows of their
          class.
        - Fewer: amber if there are confidential values and they stay uncertain to an intruder, else red in a public
          release and amber in others.
        """
        least = self.limits_of(evidence).green
        set_sizes, people = evidence.known_people, evidence.released_people
        k = int(set_sizes.min(initial=evidence.judged.rows))
        small = evidence.people_among(set_sizes < least)
        figure = Figure(k, n=people, unit=self.figure_unit)
        arguments: dict[str, Any] = {"k": k, "k_min": int(least), "records": small}
        counted = (small, people)
        if evidence.judged.rows and not evidence.judged.with_role("quasi-identifier"):
            return self._judge_as_one_class(evidence, least, arguments)
        if evidence.judged.rows and not evidence.rows_correspond and is_quasi_regenerated(evidence):
            return self.verdict(self.not_applicable_regenerated)
        if k >= least or evidence.judged.rows == 0:
            if most := self._count_dominating_people(evidence, least):
                arguments["people"] = most
                return self.verdict(self.amber_dominated, figure, counted=(most, people), **arguments)
            return self.verdict(self.green, figure, least, counted=counted, **arguments)
        if evidence.confidential and evidence.is_tolerated(take_uncertainty_by_quasi):
            return self.verdict(self.amber, figure, least, counted=counted, **arguments)
        certain = [belief.column for belief in evidence.beliefs if bool(belief.others.certain.any())]
        text = self._choose_small_class_text(evidence, certain)
        if text in (self.red_partly, self.amber_partly):
            arguments["open"] = evidence.certain_records
        return self.verdict(text, figure, least, counted=counted, columns=Names.of(certain), **arguments)

    def _choose_small_class_text(self, evidence: Evidence, certain: Sequence[str]) -> VerdictText:
        """Return the sentence for a class that is too small: red if the release type has a red limit, else amber.

        ``certain`` names the columns in which a value is certain to an intruder. There is one sentence without such a
        column, one if a step protects all of them, and one for others.
        """
        is_red = self.limits_of(evidence).red is not None
        if not certain:
            return self.red_groups if is_red else self.amber_groups
        if evidence.protected_columns.issuperset(certain):
            # A method treats the column, and yet the value of some is certain.
            return self.red_partly if is_red else self.amber_partly
        return self.red if is_red else self.amber_open

    def judge_groups(self, evidence: Evidence) -> CheckResult:
        """Return the result for the smallest number of people that one row stands for.

        Suppressed rows are left out. Red if it is smaller than allowed (3 or k_min, whichever is more) or if nothing
        counts the people. Amber if only the recipe declares the number, which is red in a public release. Else green.
        """
        counts, type = evidence.people_in_rows, evidence.candidate.prepared.type
        least = max(FEWEST_IN_A_ROW, type.k_min)
        if not counts.column and (type.is_public or not counts.people):
            return self.verdict(self.red_not_counted, k_min=least)
        sizes = counts.of_row[~counts.suppressed]
        k, small = (int(sizes.min()) if len(sizes) else int(least), int(sizes[sizes < least].sum()))
        figure = Figure(k, n=counts.people, unit=self.figure_unit)
        text = self.red_counted if k < least else self.green_counted if counts.column else self.amber_declared
        counted = (small, counts.people)
        limit = least if counts.column or k < least else None
        return self.verdict(text, figure, limit, counted=counted, k=k, k_min=least, column=Name(counts.column))

    def _count_dominating_people(self, evidence: Evidence, least: float) -> int:
        """Return the number of people who have more than 1 / ``least`` of the rows of their class.

        A large class does not hide a person to whom most of its rows belong: with ``least`` 5 and a class of 10 rows, a
        person with 3 of them counts, one with 2 does not. 0 if every person has one row, or if the release links each
        person's rows.
        """
        people = evidence.disclosed.people
        if not people.with_several or evidence.candidate.links_rows:
            return 0
        classes = evidence.classes
        _, back, rows = np.unique(classes.ids * people.count + people.of_row, return_inverse=True, return_counts=True)
        dominating_rows = rows[back.reshape(-1)]
        return evidence.people_among(dominating_rows * least > classes.size_of_record)

    def _judge_as_one_class(self, evidence: Evidence, least: float, arguments: dict[str, Any]) -> CheckResult:
        """Return the result for a release without quasi-identifiers, in which all people would be one class.

        Its figure is the smallest class by every released column that is not confidential. Amber; green if steps left
        out all quasi-identifiers and that class has at least ``least`` people.

        Parameters
        ----------
        evidence, least
            The evidence on the release, and the smallest size allowed.
        arguments
            Values for the placeholders of the green sentence.
        """
        public_columns = [column for column in evidence.judged.columns if column.role != "confidential"]
        set_sizes = evidence.anonymity_set_sizes(equivalence_classes(public_columns, evidence.judged.rows))
        people = evidence.released_people
        k, small = int(set_sizes.min()), evidence.people_among(set_sizes < least)
        note = untranslated("by all released columns that are not confidential")
        figure = Figure(k, n=people, unit=self.figure_unit, note=note)
        had_quasi = bool(evidence.candidate.prepared.table.with_role("quasi-identifier"))
        text = self.green if k >= least and had_quasi else self.amber_no_quasi
        return self.verdict(text, figure, least, counted=(small, people), **arguments | {"k": k, "records": small})

    def remedy(self, result: CheckResult, evidence: Evidence) -> tuple[Remedy, ...]:
        """Return the ways to correct a finding, by default those of every check.

        If no quasi-identifier is released, they lead to the page for columns and their roles instead.
        """
        remedies = super().remedy(result, evidence)
        if evidence.fits and not evidence.judged.with_role("quasi-identifier"):
            return tuple(Remedy(remedy.text, "columns") for remedy in remedies)
        return remedies
