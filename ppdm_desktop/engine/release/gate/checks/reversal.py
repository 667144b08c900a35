"""Check of whether what a method did can be taken back: values recovered, noise filtered, groups undone."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ppdm_desktop.engine.attacks.comparison import (
    FILTER_LIMIT,
    FILTER_SERIOUS,
    REVERSAL_LIMIT,
    REVERSAL_SERIOUS,
)
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.recipe.release_type import ReleaseType
from ppdm_desktop.engine.release.attack_audit.base import Attack
from ppdm_desktop.engine.release.attack_audit.registry import entries_for, find_attack, not_made
from ppdm_desktop.engine.release.disclosure.beliefs import ColumnBelief
from ppdm_desktop.engine.release.disclosure.dependencies import Dependency
from ppdm_desktop.engine.release.gate.attack_figures import stated
from ppdm_desktop.engine.release.gate.base import Check, Limits, register
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.few_people import are_few, counted, right_for, whole
from ppdm_desktop.engine.release.gate.givers import given_by
from ppdm_desktop.engine.release.gate.results import AMBER, GREEN, NOT_APPLICABLE, NOT_RUN, RED, CheckResult, Direction
from ppdm_desktop.engine.report.model import AttackEntry
from ppdm_desktop.engine.tie_breaking import on_grid
from ppdm_desktop.engine.wording.catalogue import later
from ppdm_desktop.engine.wording.values import LimitOf, Name, Ratio, Share, Value, Versus

_ORDER = {GREEN: 0, AMBER: 1, RED: 2}
_ROUNDING = 1e-9
RESEARCH_SERIOUS = 0.40
"""Share of the error that has to be left where researchers get the file."""


@register
class Reversal(Check):
    """What a method did cannot be taken back."""

    id = "reversal"
    title = "Undoing the protection"
    order = 170
    source = later(
        "check", "Z. Huang, W. Du and B. Chen, Deriving private information from randomized data, SIGMOD 2005"
    )
    fix_on = "protect"
    on_protection = True
    direction = "at-most"
    figure_unit = "share or ratio or people"
    by_chance = True
    reads_file = False

    def limits(self, type: ReleaseType, k_min: int) -> Limits:
        """Return the edges of the colours of what is recovered; noise and groups have their own."""
        return Limits(REVERSAL_LIMIT, None if type.is_internal else REVERSAL_SERIOUS)

    def direction_of(self, figure: Figure | None) -> Direction:
        """Return the direction of the limit; of noise it is what is left that counts."""
        return "at-least" if figure is not None and figure.unit == "ratio" else self.direction

    def judge(self, evidence: Evidence, progress: Progress) -> CheckResult:
        """Judge the attack that takes back most.

        Recovered values and retraced swaps count as the share that is right less the share of a guess
        without the person's own record, and so does a column that others give away. Noise counts by what is left of
        it: the error of the best guess from all released columns as a share of the error from the noisy column
        alone. Groups count only
        where they name more people than their size and the release's limit allow; then by the share
        named, less chance.
        """
        release_type = evidence.candidate.prepared.type
        found = [each for entry in entries_for(self.id, evidence.attacks) for each in _judged(entry, release_type)]
        # What attacks found stands also where the file could not be written whole; a belief is of what was written.
        if evidence.attacks and evidence.fits:
            found += [_behind_noise(each, release_type) for each in evidence.beliefs if each.ratio is not None]
        if evidence.fits:
            given = [_given(each, evidence) for each in evidence.depends if each.gives and each.manner != "twice"]
            # Only what is found counts here: attacks that were left out are still lacking.
            found += [each for each in given if each.status != GREEN]
        if not found:
            lacking = not_made(evidence.candidate, evidence.attacks, progress, check=self.id)
            return self.verdict(NOT_RUN if lacking else NOT_APPLICABLE)
        worst = max(found, key=lambda attack: (_ORDER[attack.status], on_grid(attack.excess)))
        variant, words = worst.variant, worst.arguments
        if worst.entry is not None:
            variant, words = stated(worst.entry, worst.variant, **worst.arguments)
        if are_few(evidence) and worst.figure.unit == "share":
            return self._of_few(worst, variant, words)
        figure = replace(worst.figure, low=None, high=None) if are_few(evidence) else worst.figure
        return self.verdict(worst.status, figure, worst.limit, variant=variant, is_gain=worst.is_gain, **words)

    def _of_few(self, worst: _Reversed, variant: str, words: Mapping[str, Any]) -> CheckResult:
        """Return what was found among so few people as a count, which no interval goes with."""
        count = counted(worst.figure)
        if worst.entry is not None and variant == "" and worst.status == AMBER and _may_be_chance(worst.entry):
            variant = "unsure"
        if worst.entry is None or variant != "groups":
            return self.verdict(
                worst.status, count, math.floor(worst.limit * (count.n or 0) + _ROUNDING), variant=variant, **words
            )
        # What groups allow is held against the upper end of an interval, and that says nothing here.
        status = RED if worst.status == RED else AMBER
        named = whole(float(count.value or 0.0))
        return self.verdict(status, count, variant="small", named=named, people=count.n or 0)


@dataclass(frozen=True)
class _Reversed:
    """What one attack took back."""

    entry: AttackEntry | None
    """What the attack found; None where it was worked out from the noise itself."""
    status: str
    excess: float
    """How far beyond the limit, 1 at the limit, to tell which of several is worst."""
    figure: Figure
    limit: float
    variant: str
    arguments: Mapping[str, Any]
    is_gain: bool = False
    """Whether the figure is a share of right guesses less another."""


def _judged(entry: AttackEntry, release_type: ReleaseType) -> Iterator[_Reversed]:
    """Judge by what the attack is after: noise by the error left, a group's people by the limit, else by the gain."""
    attack = find_attack(entry.id)
    if attack.unit == "ratio":
        if entry.further["ratio"].value is not None:
            yield _filtered(entry, release_type)
    elif entry.advantage.value is not None:
        yield (_ungrouped if attack.kind == "finding" else _recovered)(entry, release_type)


def _recovered(entry: AttackEntry, release_type: ReleaseType) -> _Reversed:
    share = float(entry.advantage.value or 0.0)
    right, without = right_for(entry.success), right_for(entry.control)
    arguments: dict[str, Value] = {
        "column": Name(entry.column or ""),
        "success": right,
        "control": without,
        "allowed": _more_allowed(share, right, without),
    }
    status = GREEN if share <= REVERSAL_LIMIT + _ROUNDING else _by_share(share, release_type)
    # The share itself is held against the limit: the ends of its interval, which stand with the attack, are not.
    judged = replace(entry.advantage, low=None, high=None)
    # What anyone can undo is compared with one guess for everyone, the others with a person's own record left out.
    variant = "guess" if find_attack(entry.id).control == Attack.control else ""
    return _Reversed(entry, status, share / REVERSAL_LIMIT, judged, REVERSAL_LIMIT, variant, arguments, is_gain=True)


def _may_be_chance(entry: AttackEntry) -> bool:
    """Say whether among so few people the attack may have gained nothing, as is said of the attack itself."""
    return entry.advantage.low is not None and entry.advantage.low <= 0


def _more_allowed(share: float, right: Value, without: Value) -> int | LimitOf:
    """Return how much more is allowed, in what the sentence says it is more of: people, or percentage points."""
    if isinstance(right, Share) and isinstance(without, Share) and right.of == without.of:
        return math.floor(REVERSAL_LIMIT * right.of + _ROUNDING)
    return LimitOf(share, REVERSAL_LIMIT, "points")


def _filtered(entry: AttackEntry, release_type: ReleaseType) -> _Reversed:
    return _noise_left(entry, entry.column or "", entry.further["ratio"], "noise", release_type)


def _behind_noise(belief: ColumnBelief, release_type: ReleaseType) -> _Reversed:
    """Judge noise by the intruder who applies Bayes' rule to each value, under the worse of the priors."""
    how = f"Bayes' rule, {belief.prior}"
    ratio = Figure(belief.ratio, n=belief.people, unit="ratio", method=how)
    return _noise_left(None, belief.column, ratio, "bayes", release_type)


def _given(given: Dependency, evidence: Evidence) -> _Reversed:
    """Judge what other columns give of a hidden one, less a guess at the value that most people have."""
    truth = evidence.truth(given.column)
    counts = truth.category_counts
    blind = int(counts.max(initial=0)) / max(int(counts.sum()), 1)
    success = given.right / max(given.people, 1)
    share = success - blind
    figure = Figure(share, n=given.people, unit="share", method="given by other columns, less the commonest value")
    arguments: dict[str, Value] = {
        "given": given_by(given),
        "column": Name(given.column),
        "right": Share(given.right, given.people),
        "control": Ratio(blind),
    }
    release_type = evidence.candidate.prepared.type
    status = GREEN if share <= REVERSAL_LIMIT + _ROUNDING else _by_share(share, release_type)
    return _Reversed(None, status, share / REVERSAL_LIMIT, figure, REVERSAL_LIMIT, "given", arguments, is_gain=True)


def _noise_left(
    entry: AttackEntry | None, column: str, ratio: Figure, variant: str, release_type: ReleaseType
) -> _Reversed:
    left = float(ratio.value or 0.0)
    ratio_words, allowed = Versus(left, FILTER_LIMIT, "ratio"), LimitOf(left, FILTER_LIMIT, "ratio")
    arguments: dict[str, Value] = {"column": Name(column), "ratio": ratio_words, "allowed": allowed}
    serious = FILTER_SERIOUS if release_type.is_public else None if release_type.is_internal else RESEARCH_SERIOUS
    if left >= FILTER_LIMIT - _ROUNDING:
        status = GREEN
    else:
        status = RED if serious is not None and left < serious - _ROUNDING else AMBER
    excess = (1 - left) / (1 - FILTER_LIMIT)
    return _Reversed(entry, status, excess, ratio, FILTER_LIMIT, variant, arguments)


def _ungrouped(entry: AttackEntry, release_type: ReleaseType) -> _Reversed:
    share, most = float(entry.advantage.value or 0.0), 1.0 / release_type.k_min
    high = entry.success.high if entry.success.high is not None else float(entry.success.value or 0.0)
    kept = high <= most * (1 + _ROUNDING) and all(level.met for level in entry.levels)
    arguments: dict[str, Value] = {
        "named": right_for(entry.success, most),
        "most": Versus(high, most, end="high"),
        "chance": right_for(entry.chance),
        "allowed": LimitOf(high, most),
    }
    status = GREEN if kept else _by_share(share, release_type)
    excess = min(share / REVERSAL_LIMIT, 1.0) if kept else share / REVERSAL_LIMIT
    return _Reversed(entry, status, excess, entry.success, most, "groups", arguments)


def _by_share(share: float, release_type: ReleaseType) -> str:
    return RED if share > REVERSAL_SERIOUS + _ROUNDING and not release_type.is_internal else AMBER
