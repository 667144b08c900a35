"""Check that no class of equal records reveals one confidential value (l-diversity, by what intruders conclude)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ppdm_desktop.engine.arrays import Bools
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.methods.base.declaration import KnobKind
from ppdm_desktop.engine.release.gate.base import Check, register
from ppdm_desktop.engine.release.gate.evidence import Evidence, is_quasi_regenerated
from ppdm_desktop.engine.release.gate.results import WHAT_IS_LEARNT, CheckResult, Colours, VerdictText
from ppdm_desktop.engine.wording.catalogue import lazy
from ppdm_desktop.engine.wording.values import Names


@register
class Diversity(Check):
    """No class of equal records reveals one confidential value of its members."""

    id = "diversity"
    title = "Different values in each group"
    order = 120
    cause = WHAT_IS_LEARNT
    answered_by = (
        KnobKind.VALUES_IN_GROUP,
        KnobKind.GROUP_SIZE,
        KnobKind.EXCHANGE,
        KnobKind.CLOSENESS,
        KnobKind.ROUNDING,
    )
    source = lazy("A. Machanavajjhala et al., l-diversity, ACM TKDD 1(1), 2007 (homogeneity)")
    fix_on = "protect"
    on_protection = True
    figure_unit = "groups"
    figure_title = "figure.diversity"
    by_chance = True
    usual = Colours.of("gate.diversity.green", "gate.diversity.amber", "gate.diversity.red")
    red_unprotected = VerdictText.red("gate.diversity.red-unprotected")
    not_applicable = VerdictText.not_applicable("gate.diversity.not-applicable")

    def judge(self, evidence: Evidence) -> CheckResult:
        """Return the result for classes in which one value has a probability of at least 0.9 for 9 of 10 people.

        A class consists of people with equal quasi-identifiers. The probability is the intruder's: a class that shows
        many values which mislead nobody reveals as much as one with a single value.

        The first rule that fits decides:

        - In a public release red if an unchanged column that is not confidential reveals one rare value of a whole
          class; for this no column need be confidential.
        - Not applicable without confidential columns, and if rows or quasi-identifiers are synthetic, because then no
          person's class is visible.
        - In a public release red if at most half of all other people have the value, in a class of at least k_min.
        - Amber if there are such classes, else green. In a public release a value of an unchanged column that is not
          confidential counts as well, if at most half of all people have it.
        """
        if (by_learnt := self._judge_rare_values(evidence)) is not None:
            return by_learnt
        made = not evidence.rows_correspond or is_quasi_regenerated(evidence)
        if not evidence.confidential or not evidence.judged.rows or made:
            return self.verdict(self.not_applicable)
        nearly = [(belief.column, belief.nearly) for belief in evidence.beliefs if belief.nearly is not None]
        if any(rows.any() for _, rows in nearly):
            return self._build_result(evidence, self.usual.red, nearly)
        classes = evidence.disclosed.by_others
        is_uniform = np.zeros(classes.count, dtype=np.bool_)
        columns = []
        sides = [(belief.column, belief.one_secret) for belief in evidence.beliefs]
        for column, rows in [*sides, *((learnt.column, learnt.one_value) for learnt in evidence.learnt)]:
            if rows is None:
                continue
            is_uniform[classes.ids[rows]] = True
            columns += [column] if rows.any() else []
        groups, people = int(is_uniform.sum()), evidence.people_among(is_uniform[classes.ids])
        figure = Figure(groups, n=classes.count, unit=self.figure_unit)
        if not groups:
            return self.verdict(self.usual.green, figure, 0, columns=Names.of(tuple(evidence.confidential)))
        counts: dict[str, Any] = {"groups": groups, "of": classes.count, "records": people}
        return self.verdict(self.usual.amber, figure, 0, columns=Names.of(columns), **counts)

    def _judge_rare_values(self, evidence: Evidence) -> CheckResult | None:
        """Return the red result if an unprotected column reveals one value in whole classes; None if no column does."""
        learnt = [(column.column, column.one_secret) for column in evidence.learnt if column.one_secret.any()]
        return self._build_result(evidence, self.red_unprotected, learnt) if learnt else None

    def _build_result(
        self, evidence: Evidence, text: VerdictText, by_column: Sequence[tuple[str, Bools]]
    ) -> CheckResult:
        """Return the result for classes of equal quasi-identifiers that reveal one value; its figure is their number.

        Parameters
        ----------
        evidence, text
            The evidence on the release, and the sentence.
        by_column
            For each column the rows in such classes, bool, shape (rows,).
        """
        classes = evidence.disclosed.by_others
        rows = np.logical_or.reduce([chosen for _, chosen in by_column])
        groups = len(np.unique(classes.ids[rows]))
        counts: dict[str, Any] = {"groups": groups, "of": classes.count, "records": evidence.people_among(rows)}
        figure = Figure(groups, n=classes.count, unit=self.figure_unit)
        columns = Names.of([column for column, chosen in by_column if chosen.any()])
        return self.verdict(text, figure, 0, columns=columns, **counts)
