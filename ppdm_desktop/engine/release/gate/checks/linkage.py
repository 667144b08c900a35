"""Check of how many people an intruder finds in the release."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ppdm_desktop.engine.arrays import on_grid
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.methods.base.declaration import KnobKind
from ppdm_desktop.engine.recipe.release_type import ReleaseType
from ppdm_desktop.engine.release.attack_audit.base import find_row_owners, list_attacks_not_made, select_entries
from ppdm_desktop.engine.release.disclosure.column_belief import take_uncertainty_by_quasi
from ppdm_desktop.engine.release.gate.base import (
    ROUNDING,
    SHARE_OR_PEOPLE,
    Check,
    Limits,
    are_few,
    compute_limited_share,
    quotation_of,
    register,
    state_right_guesses,
    to_people_count,
    to_sentence_number,
    upper_end,
)
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import RED, WHO_IS_FOUND, CheckResult, Colours, VerdictText
from ppdm_desktop.engine.report.model import AttackEntry
from ppdm_desktop.engine.wording.catalogue import lazy, untranslated
from ppdm_desktop.engine.wording.texts import LevelTitle, Note, list_level_labels
from ppdm_desktop.engine.wording.values import LimitOf, Names, Share, Versus


@register
class Linkage(Check):
    """People are found no more often than the limit allows."""

    id = "linkage"
    title = "Finding a person in the release"
    order = 150
    cause = WHO_IS_FOUND
    answered_by = (KnobKind.GROUP_SIZE, KnobKind.NOISE)
    source = lazy("Article 29 Working Party, Opinion 05/2014 (WP 216), linkability")
    fix_on = "protect"
    on_protection = True
    figure_unit = SHARE_OR_PEOPLE
    on_certificate = True
    residual = "found"
    figure_title = "figure.found"
    by_chance = True
    usual = Colours.of("gate.linkage.green", "gate.linkage.amber", "gate.linkage.red")
    attack = Colours.of("gate.linkage.green-attack", "gate.linkage.amber-attack", "gate.linkage.red-attack")
    red_alone = VerdictText.red("gate.linkage.red-alone")
    amber_few = VerdictText.amber("gate.linkage.amber-few")
    red_few = VerdictText.red("gate.linkage.red-few")
    amber_small = VerdictText.amber("gate.linkage.amber-small")
    red_small = VerdictText.red("gate.linkage.red-small")
    amber_level = VerdictText.amber("gate.linkage.amber-level")
    red_level = VerdictText.red("gate.linkage.red-level")
    not_applicable = VerdictText.not_applicable("gate.linkage.not-applicable")
    not_applicable_synthetic = VerdictText.not_applicable("gate.linkage.not-applicable-anew")
    not_applicable_classes = VerdictText.not_applicable("gate.linkage.not-applicable-classes")
    not_run_stopped = VerdictText.not_run("gate.linkage.not-run-stopped")

    def limits(self, type: ReleaseType, k_min: int) -> Limits:
        """Return the limits as shares of people found: 1 / ``k_min``, both for green and for red."""
        return Limits(1.0 / k_min, 1.0 / k_min)

    def judge(self, evidence: Evidence) -> CheckResult:
        """Return the result for the share of people whose record an attack finds, among all and at each privacy level.

        The upper end of the 95 % interval is judged, and the share furthest beyond its limit is reported: amber if the
        intruder still learns no confidential value, else red, also without a confidential column. Within all limits it
        is green, with the share among all. In a release of fewer than 20 people the count is judged, which is amber or
        red. Without an attack the result is not run or not applicable.
        """
        entries = select_entries(self.id, evidence.attacks)
        if not entries:
            return self._judge_without_attack(evidence)
        shares = self._list_success_shares(evidence, entries)
        if are_few(evidence):
            return self._judge_few_people(shares, evidence)
        worst = max(shares, key=lambda share: on_grid(share.excess))
        if worst.excess <= 1 + ROUNDING:
            # Within every limit everybody's share is given: a level's may rest on a few people.
            worst = max((share for share in shares if share.level is None), key=lambda share: on_grid(share.excess))
        quotation = quotation_of(worst.entry)
        if worst.excess <= 1 + ROUNDING:
            text = self.usual.green if quotation is None else self.attack.green
            return self.verdict(
                text, worst.success, worst.limit, counted=worst.people, **(quotation or {}), **worst.arguments()
            )
        return self._judge_beyond_limit(worst, quotation, evidence)

    def _judge_beyond_limit(self, worst: _Share, quotation: dict[str, Any] | None, evidence: Evidence) -> CheckResult:
        """Return the result for a share of people found that is beyond its limit.

        Amber if confidential values stay uncertain to the intruder (`Evidence.is_tolerated`); else red, also without a
        confidential column.

        Parameters
        ----------
        worst
            The share.
        quotation
            An attack's own sentence to quote; None if the check describes the attack itself.
        evidence
            The evidence on the release.
        """
        hidden = bool(evidence.confidential) and evidence.is_tolerated(take_uncertainty_by_quasi)
        revealed = [belief.column for belief in evidence.beliefs if bool(belief.others.certain.any())]
        is_few = (worst.success.value or 0.0) <= worst.limit
        red = self.red_few if is_few else self.usual.red if revealed else self.red_alone
        amber = self.amber_few if is_few else self.usual.amber
        if quotation is not None:
            red, amber = self.attack.red, self.attack.amber
        arguments: dict[str, Any] = {**(quotation or {"columns": Names.of(revealed)}), **worst.arguments()}
        return self._name_level(amber if hidden else red, worst, arguments, worst.success, worst.limit)

    def _name_level(
        self,
        text: VerdictText,
        worst: _Share,
        arguments: dict[str, Any],
        figure: Figure,
        limit: float | None = None,
    ) -> CheckResult:
        """Return the result with a sentence on the share of people found; a share at a privacy level names its level.

        ``text`` is the sentence and ``arguments`` are its values. For everybody's share the result has this sentence as
        it is; for a level's share it has another one of the same status, which names the level and then quotes this
        sentence. ``figure`` and ``limit`` are what the result states.
        """
        if worst.level is None:
            return self.verdict(text, figure, limit, counted=worst.people, **arguments)
        of_level = self.red_level if text.status == RED else self.amber_level
        sentence = Note(text.id, arguments)
        return self.verdict(of_level, figure, limit, counted=worst.people, level=worst.level, sentence=sentence)

    def _judge_without_attack(self, evidence: Evidence) -> CheckResult:
        """Return the result if no attack was made: not run if one that applies was stopped, else not applicable.

        If quasi-identifiers are released (then unchanged, as the attack does not apply), it states how many people are
        expected to be found by class sizes; for synthetic rows it states that no row is anybody's.
        """
        if list_attacks_not_made(evidence.candidate, (), check=self.id):
            return self.verdict(self.not_run_stopped)
        fits = evidence.fits and evidence.judged.rows and evidence.judged.with_role("quasi-identifier")
        if fits and find_row_owners(evidence.candidate) is None:
            return self.verdict(self.not_applicable_synthetic)
        return self._judge_by_classes(evidence) if fits else self.verdict(self.not_applicable)

    def _list_success_shares(self, evidence: Evidence, entries: Sequence[AttackEntry]) -> list[_Share]:
        """Return the share of people found by each attack, then those at single privacy levels, each with its limit.

        Levels at which nobody was looked for are left out.
        """
        limit = self.limits_of(evidence).green
        shares = [_Share(entry, None, entry.success, limit) for entry in entries]
        level_labels = list_level_labels(evidence.candidate.prepared.recipe.privacy.words)
        return shares + [
            _Share(entry, LevelTitle.of(level.level, level_labels), level.success, level.limit)
            for entry in entries
            for level in entry.levels
            if level.success.value is not None
        ]

    def _judge_by_classes(self, evidence: Evidence) -> CheckResult:
        """Return the result "not applicable" with the people expected to be found: the sum of 1 / class size.

        A class is a group of equal quasi-identifiers; in classes of 4, 3 and 1 people, 3 are expected to be found. The
        sum over all people, rounded, is given as a share, or as a count for fewer than 20 people.
        """
        people = evidence.released_people
        # Of so many who look the same one is right: each person adds 1 / their number.
        expected_right = round(float(np.sum(1.0 / evidence.known_people[evidence.first_rows])))
        share, _ = compute_limited_share(evidence, expected_right, people, 1.0)
        mean = replace(share, method=untranslated("1 / size of the class, mean"))
        counts = (expected_right, people)
        return self.verdict(self.not_applicable_classes, mean, counted=counts, share=Share(*counts))

    def _judge_few_people(self, shares: Sequence[_Share], evidence: Evidence) -> CheckResult:
        """Return the result for fewer than 20 people, by the count alone: red beyond the limit, else amber.

        Judged is the share that is largest as a multiple of its limit, without its interval. Beyond the limit it is
        amber, too, if confidential values stay uncertain to the intruder.
        """
        worst = max(shares, key=lambda share: on_grid(float(share.success.value or 0.0) / share.limit))
        count = to_people_count(worst.success)
        beyond = float(worst.success.value or 0.0) > worst.limit * (1 + ROUNDING)
        hidden = bool(evidence.confidential) and evidence.is_tolerated(take_uncertainty_by_quasi)
        is_red = beyond and not hidden
        arguments: dict[str, Any] = worst.arguments()
        if (quotation := quotation_of(worst.entry)) is not None:
            text = self.attack.red if is_red else self.attack.amber
            arguments |= quotation
        else:
            text = self.red_small if is_red else self.amber_small
            arguments["found"] = to_sentence_number(float(count.value or 0.0))
        return self._name_level(text, worst, arguments, count)


@dataclass(frozen=True)
class _Share:
    """A share of people found by an attack, with its limit."""

    entry: AttackEntry
    level: LevelTitle | None
    """Whose share it is; None for everybody's."""
    success: Figure
    limit: float

    def arguments(self) -> dict[str, Any]:
        """Return the values of the sentence by name.

        They are the share found (``found``; a count if it is a whole number of fewer than 100 people), the upper end of
        its interval (``most``; the share itself without one), the limit (``allowed``) and the number of people looked
        for (``people``).
        """
        high = upper_end(self.success)
        return {
            "found": state_right_guesses(self.success, self.limit),
            "most": Versus(high, self.limit, end="high"),
            "allowed": LimitOf(high, self.limit),
            "people": self.success.n or 0,
        }

    @property
    def people(self) -> tuple[int, int]:
        """Number of people found, rounded, and number of people looked for."""
        of = int(self.success.n or 0)
        return round(float(self.success.value or 0.0) * of), of

    @property
    def excess(self) -> float:
        """The upper end of the interval as a multiple of the limit."""
        return float(upper_end(self.success)) / self.limit
