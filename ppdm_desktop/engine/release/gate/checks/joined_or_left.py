"""Check of what two releases of the same groups reveal about people who joined or left in between."""

from __future__ import annotations

from typing import Any

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.attacks.differencing import Seen, compute_anonymity_sets
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.methods.algorithms.condensation.change import Change, Renewed
from ppdm_desktop.engine.recipe.release_type import ReleaseType
from ppdm_desktop.engine.release.gate.base import LOOKS_AT_EVERY_VALUE, Check, Limits, register
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import KEYS_AND_DRAWS, CheckResult, VerdictText


@register
class JoinedOrLeft(Check):
    """People who joined or left since the earlier release are hidden among as many others as they ask for."""

    id = "joined-or-left"
    title = "Who joined or left"
    order = 265
    cause = KEYS_AND_DRAWS
    fix_on = "open"
    direction = "at-least"
    figure_unit = "ratio"
    weight = LOOKS_AT_EVERY_VALUE
    green = VerdictText.green("gate.joined-or-left.green")
    red = VerdictText.red("gate.joined-or-left.red")
    not_applicable = VerdictText.not_applicable("gate.joined-or-left.not-applicable")

    def limits(self, type: ReleaseType, k_min: int) -> Limits:
        """Return the limits of the ratio of anonymity set size to the size asked for: below 1 is red."""
        return Limits(1, 1)

    def judge(self, evidence: Evidence) -> CheckResult:
        """Return the result of comparing the anonymity sets of those who joined or left with the sizes they ask for.

        Red if anybody is hidden among fewer people than they ask for; not applicable if nobody joined or left; else
        green. The figure is the smallest ratio of such a set to the size asked for.
        """
        changes = [
            step.result.in_memory.change
            for step in evidence.candidate.steps
            if isinstance(step.result.in_memory, Renewed)
        ]
        if not changes:
            return self.verdict(self.not_applicable)
        seen, needs, people = [], [], (0, 0)
        for change in changes:
            attack_entries = _find_anonymity_sets(change, evidence)
            seen += [attack_entries.joined, attack_entries.left]
            needs += [change.joined_needs, change.left_needs]
            people = people[0] + len(change.joined), people[1] + len(change.left)
        among, asked = np.concatenate(seen), np.concatenate(needs)
        if not len(among):
            return self.verdict(self.not_applicable)
        worst = int(np.argmin(among / asked))
        short = int(np.count_nonzero(among < asked))
        figure = Figure(float(among[worst] / asked[worst]), n=len(among), unit="ratio")
        arguments: dict[str, Any] = {
            "joined": people[0],
            "left": people[1],
            "among": int(among[worst]),
            "asked": int(asked[worst]),
        }
        if short:
            return self.verdict(self.red, figure, 1, people=short, **arguments)
        return self.verdict(self.green, figure, 1, **arguments)


def _find_anonymity_sets(change: Change, evidence: Evidence) -> Seen:
    """Return the anonymity set sizes of the people who joined, and of those who left, by the rows of both releases.

    Compared are the texts of the columns of the earlier release, ``change.before``.
    """
    columns = {column.name: column for column in evidence.read_back or ()}
    before = [column.values() for column in change.before]
    progress.check()
    after = [columns[column.name].values() for column in change.before]
    progress.check()
    return compute_anonymity_sets(
        list(zip(*before, strict=True)),
        change.before_group,
        list(zip(*after, strict=True)),
        change.after_group[evidence.candidate.row_order],
        family=change.family,
        origin=change.origin,
        from_rows=change.from_rows,
        joined=change.joined,
        left=change.left,
    )
