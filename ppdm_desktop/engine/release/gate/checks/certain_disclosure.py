"""Check that nobody's confidential value is certain to someone who knows the quasi-identifiers."""

from __future__ import annotations

import numpy as np

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.methods.base.declaration import KnobKind
from ppdm_desktop.engine.release.disclosure.column_belief import take_uncertainty_by_quasi
from ppdm_desktop.engine.release.disclosure.groups_of_people import find_all_or_none
from ppdm_desktop.engine.release.gate.base import Check, register
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import WHAT_IS_LEARNT, CheckResult, Colours, VerdictText
from ppdm_desktop.engine.wording.catalogue import lazy
from ppdm_desktop.engine.wording.values import Names, Quoted, Share

TIMES_K_MIN = 2
"""A row that says something of all its people, or of none, must stand for this many times k_min people in public."""
ONE_IN_UNDER_AGREEMENT, ONE_IN_INTERNAL = 5, 3
"""Beyond one in so many people, values may not be certain even under an agreement, or to colleagues."""


def judge_common_value(
    check: Check, texts: tuple[VerdictText, VerdictText], evidence: Evidence, figure: Figure, common: tuple[int, Names]
) -> CheckResult:
    """Return a check's verdict where an intruder is certain only of values that at least nine in ten people have.

    Parameters
    ----------
    check
        The check.
    texts
        The verdict with the limit 0 for a public release, and the verdict without a limit for all others.
    evidence
        The release.
    figure, common
        The check's figure; the number of people of whom such a value is certain, and the columns that have one.
    """
    text, limit = (texts[0], 0) if evidence.candidate.prepared.type.is_public else (texts[1], None)
    counted = (common[0], evidence.people)
    return check.verdict(text, figure, limit, counted=counted, share=Share(*counted), common=common[1])


@register
class CertainDisclosure(Check):
    """Nobody's true confidential value is certain: proved, or with at most a twentieth of the uncertainty left."""

    id = "certain-disclosure"
    title = "Confidential values revealed"
    order = 110
    cause = WHAT_IS_LEARNT
    answered_by = (
        KnobKind.VALUES_IN_GROUP,
        KnobKind.GROUP_SIZE,
        KnobKind.EXCHANGE,
        KnobKind.ROUNDING,
        KnobKind.FEWER_VALUES,
    )
    source = lazy("A. Machanavajjhala et al., l-diversity, ACM TKDD 1(1), 2007 (positive disclosure)")
    fix_on = "protect"
    on_protection = True
    figure_unit = "records"
    red_for = "public"
    on_certificate = True
    residual = "certain"
    figure_title = "figure.certain"
    by_chance = True
    usual = Colours.of("gate.certain-disclosure.green", "gate.certain-disclosure.amber", "gate.certain-disclosure.red")
    green_common = VerdictText.green("gate.certain-disclosure.green-common")
    amber_common = VerdictText.amber("gate.certain-disclosure.amber-common")
    amber_group = VerdictText.amber("gate.certain-disclosure.amber-group")
    of_rows = Colours.of(
        "gate.certain-disclosure.green-rows", "gate.certain-disclosure.amber-rows", "gate.certain-disclosure.red-rows"
    )

    def judge(self, evidence: Evidence) -> CheckResult:
        """Return the result for people whose confidential value is certain by their quasi-identifiers.

        Values of unchanged columns that are no quasi-identifiers count as confidential, too, except within an
        organisation; in research only if they are more than chance explains.

        - Green if there are none. If only a value is certain that at least nine in ten people have, it is amber in a
          public release, else green.
        - Amber if the release type tolerates so few of them, or if only a group of values is certain (such as "one of
          two illnesses"). Else red.
        """
        certain, people = evidence.certain_records, evidence.people
        figure = Figure(certain, n=people, unit=self.figure_unit)
        common = evidence.common_certain(take_uncertainty_by_quasi)
        if common[0] and not certain:
            figure = Figure(common[0], n=people, unit=self.figure_unit)
            return judge_common_value(self, (self.amber_common, self.green_common), evidence, figure, common)
        if certain == 0:
            return self.verdict(self.usual.green, figure, 0, counted=(certain, people), records=certain)
        if certain == int(evidence.certain_meanings.sum()):
            of_groups = [belief for belief in evidence.beliefs if belief.meant is not None and belief.meant.any()]
            return self.verdict(
                self.amber_group,
                figure,
                0,
                counted=(certain, people),
                records=certain,
                columns=Names.of([belief.column for belief in of_groups]),
                meanings=Quoted(", ".join(text for belief in of_groups for text in belief.meanings)),
            )
        text = self.usual.amber if _is_tolerated(evidence) else self.usual.red
        columns = [belief.column for belief in evidence.beliefs if bool(belief.certain(belief.others).any())]
        if evidence.learnt_people.any():
            columns += [learnt.column for learnt in evidence.learnt if bool(learnt.certain.any())]
        return self.verdict(text, figure, 0, counted=(certain, people), records=certain, columns=Names.of(columns))

    def judge_groups(self, evidence: Evidence) -> CheckResult:
        """Return the result for the people of rows in which a confidential value holds for all of them, or for none.

        Not applicable if nothing says how many people rows stand for. Else green if there are none, else amber; red in
        a public release if the smallest such row stands for fewer than 2 * k_min people.
        """
        counts, type = evidence.people_in_rows, evidence.candidate.prepared.type
        if not counts.people:
            return super().judge_groups(evidence)
        columns, rows = [], np.zeros(evidence.judged.rows, dtype=np.bool_)
        for column in evidence.judged.with_role("confidential"):
            tells = find_all_or_none(evidence.disclosed, column, counts)
            rows |= tells
            columns += [column.name] if tells.any() else []
        people = int(counts.of_row[rows].sum())
        figure, counted = Figure(people, n=counts.people, unit=self.figure_unit), (people, counts.people)
        if not columns:
            return self.verdict(self.of_rows.green, figure, 0, counted=counted)
        least = TIMES_K_MIN * type.k_min
        is_red = type.is_public and int(counts.of_row[rows].min()) < least
        names, number = Names.of(columns), int(rows.sum())
        text = self.of_rows.red if is_red else self.of_rows.amber
        return self.verdict(text, figure, 0, counted=counted, rows=number, columns=names, least=least)


def _is_tolerated(evidence: Evidence) -> bool:
    """Return whether the release type tolerates that values of so few people are certain.

    - Public: at most 2 people or 1 in 1,000, whichever is more, as many as chance explains; counted once for
      confidential values and once for values of unchanged columns. None of these people may have a rare true value, and
      no confidential value may be proved.
    - In research, and within an organisation: confidential values of at most a fifth, or a third, of the people. Other
      values do not count.
    """
    type = evidence.candidate.prepared.type
    if type.is_public:
        return evidence.is_tolerated(take_uncertainty_by_quasi) and evidence.are_tolerated(evidence.learnt_people)
    # Unchanged columns that are not confidential count in public only (verdict-2.md, rules 1a and 15).
    one_in = ONE_IN_INTERNAL if type.is_internal else ONE_IN_UNDER_AGREEMENT
    return int(evidence.certain_confidential.sum()) * one_in <= evidence.people
