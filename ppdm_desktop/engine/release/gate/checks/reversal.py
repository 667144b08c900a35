"""Check that a method cannot be reversed: values recovered, noise filtered, groups undone."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ppdm_desktop.engine.arrays import on_grid
from ppdm_desktop.engine.attacks.comparison import (
    FILTER_LIMIT,
    FILTER_SERIOUS,
    REVERSAL_LIMIT,
    REVERSAL_SERIOUS,
)
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.methods.base.declaration import KnobKind
from ppdm_desktop.engine.recipe.release_type import ReleaseType
from ppdm_desktop.engine.release.attack_audit.base import Attack, find_attack, list_attacks_not_made, select_entries
from ppdm_desktop.engine.release.disclosure.column_belief import ColumnBelief
from ppdm_desktop.engine.release.disclosure.dependencies import Dependency, name_givers
from ppdm_desktop.engine.release.gate.base import (
    Check,
    Limits,
    are_few,
    quotation_of,
    register,
    state_right_guesses,
    to_people_count,
    to_sentence_number,
)
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import (
    AMBER,
    GREEN,
    RED,
    WHAT_IS_LEARNT,
    CheckResult,
    Colours,
    Direction,
    VerdictText,
)
from ppdm_desktop.engine.report.model import AttackEntry
from ppdm_desktop.engine.wording.catalogue import lazy, untranslated
from ppdm_desktop.engine.wording.values import LimitOf, Name, Ratio, Share, Term, Value, Versus

_ORDER = {GREEN: 0, AMBER: 1, RED: 2}
_ROUNDING = 1e-9
RESEARCH_SERIOUS = 0.40
"""Share of the error from noise that must remain after an attack if researchers get the file."""


@register
class Reversal(Check):
    """A method's changes cannot be reversed."""

    id = "reversal"
    title = "Undoing the protection"
    order = 170
    cause = WHAT_IS_LEARNT
    answered_by = (KnobKind.NOISE, KnobKind.EXCHANGE)
    source = lazy("Z. Huang, W. Du and B. Chen, Deriving private information from randomized data, SIGMOD 2005")
    fix_on = "protect"
    on_protection = True
    figure_unit = "share or ratio or people"
    figure_title = "figure.reversal"
    by_chance = True
    reads_file = False
    usual = Colours.of("gate.reversal.green", "gate.reversal.amber", "gate.reversal.red")
    guess = Colours.of("gate.reversal.green-guess", "gate.reversal.amber-guess", "gate.reversal.red-guess")
    noise = Colours.of("gate.reversal.green-noise", "gate.reversal.amber-noise", "gate.reversal.red-noise")
    bayes = Colours.of("gate.reversal.green-bayes", "gate.reversal.amber-bayes", "gate.reversal.red-bayes")
    groups = Colours.of("gate.reversal.green-groups", "gate.reversal.amber-groups", "gate.reversal.red-groups")
    of_attack = Colours.of("gate.reversal.green-attack", "gate.reversal.amber-attack", "gate.reversal.red-attack")
    amber_given = VerdictText.amber("gate.reversal.amber-given")
    red_given = VerdictText.red("gate.reversal.red-given")
    amber_small = VerdictText.amber("gate.reversal.amber-small")
    red_small = VerdictText.red("gate.reversal.red-small")
    amber_unsure = VerdictText.amber("gate.reversal.amber-unsure")
    not_applicable = VerdictText.not_applicable("gate.reversal.not-applicable")
    not_run = VerdictText.not_run("gate.reversal.not-run")

    def limits(self, type: ReleaseType, k_min: int) -> Limits:
        """Return the limits of the share recovered: green up to 0.05; red beyond 0.50, except within an organisation.

        Noise and groups have limits of their own.
        """
        return Limits(REVERSAL_LIMIT, None if type.is_internal else REVERSAL_SERIOUS)

    def direction_of(self, figure: Figure | None) -> Direction:
        """Return whether the limit of this figure is a minimum (for a remaining error) or a maximum (for others)."""
        return "at-least" if figure is not None and figure.unit == "ratio" else self.direction

    def judge(self, evidence: Evidence) -> CheckResult:
        """Return the result for the attack that reverses most: the worst colour, then the furthest beyond its limit.

        - Recovered values, guessed swaps and columns revealed by others are judged by the share of right guesses minus
          that of their control: guesses without the person's record, or one guess for everybody.
        - Noise is judged by the error that remains after the best guess from all released columns, as a share of the
          error from the noisy column alone.
        - Groups are judged by the share of people identified, minus chance, if it is more than their size and the
          release's limit allow.
        - Without any of these: not run if attacks are missing, else not applicable.

        In a release of fewer than 20 people a share is stated as a count (`_judge_few_people`), and nothing has an
        interval.
        """
        reversals = self._list_findings(evidence)
        if not reversals:
            not_made = list_attacks_not_made(evidence.candidate, evidence.attacks, check=self.id)
            return self.verdict(self.not_run if not_made else self.not_applicable)
        worst = max(reversals, key=lambda attack: (_ORDER[attack.text.status], on_grid(attack.excess)))
        if worst.entry is not None and (quotation := quotation_of(worst.entry)) is not None:
            worst = replace(worst, text=self.of_attack[_ORDER[worst.text.status]], arguments=quotation)
        if are_few(evidence) and worst.figure.unit == "share":
            return self._judge_few_people(worst)
        figure = replace(worst.figure, low=None, high=None) if are_few(evidence) else worst.figure
        result = self.verdict(worst.text, figure, worst.limit, is_gain=worst.is_gain, **worst.arguments)
        return replace(result, columns=worst.columns)

    def _list_findings(self, evidence: Evidence) -> list[_Reversed]:
        """Return the findings of attacks, of beliefs behind noise and of functional dependencies, each judged alone.

        A belief is what an intruder concludes about values under noise. Beliefs and dependencies are left out if the
        file read back does not have the released rows and columns, and beliefs also if no attack was made. Of
        dependencies only those count that reveal 95 % and gain more than the limit, without those between two noisy
        columns of the same content.
        """
        release_type = evidence.candidate.prepared.type
        reversals = [
            judged
            for entry in select_entries(self.id, evidence.attacks)
            for judged in _judge_attack(entry, release_type)
        ]
        # What attacks found stands also where the file could not be written whole; a belief is of what was written.
        if evidence.attacks and evidence.fits:
            reversals += [
                _judge_noise_belief(belief, release_type) for belief in evidence.beliefs if belief.ratio is not None
            ]
        if evidence.fits:
            by_dependencies = [
                _judge_dependency(dependency, evidence)
                for dependency in evidence.confidential_dependencies
                if dependency.reveals_column and dependency.manner != "twice"
            ]
            # Only what is found counts here: attacks that were left out are still lacking.
            reversals += [reversal for reversal in by_dependencies if reversal is not None]
        return reversals

    def _judge_few_people(self, worst: _Reversed) -> CheckResult:
        """Return the result in a release of fewer than 20 people, as a count without an interval.

        A finding on groups is amber or red, never green; a gain that may be chance is stated as unsure.
        """
        count, text = to_people_count(worst.figure), worst.text
        if text in self.groups:
            # What groups allow is compared with the upper end of an interval, which says nothing here.
            text = self.red_small if text == self.groups.red else self.amber_small
            return self.verdict(text, count, named=to_sentence_number(float(count.value or 0.0)), people=count.n or 0)
        if text == self.usual.amber and worst.entry is not None and _may_be_chance(worst.entry):
            text = self.amber_unsure
        allowed = math.floor(worst.limit * (count.n or 0) + _ROUNDING)
        return self.verdict(text, count, allowed, **worst.arguments)


@dataclass(frozen=True)
class _Reversed:
    """The finding of one attack that reverses a method."""

    entry: AttackEntry | None
    """What the attack found; None if it was computed from the noise or a dependency and not by an attack."""
    text: VerdictText
    excess: float
    """How far beyond the limit, 1 at the limit, to compare findings."""
    figure: Figure
    limit: float
    arguments: Mapping[str, Any]
    is_gain: bool = False
    """Whether the figure is a difference of two shares of right guesses."""
    columns: tuple[str, ...] = ()
    """The revealed columns, if the sentence names others as well."""


def _judge_attack(entry: AttackEntry, release_type: ReleaseType) -> Iterator[_Reversed]:
    """Yield the finding of an attack: noise judged by the remaining error, groups by the limit, all else by the gain.

    Nothing is yielded if the attack has no such figure.
    """
    attack = find_attack(entry.id)
    if attack.unit == "ratio":
        if entry.further["ratio"].value is not None:
            yield _judge_filtered_noise(entry, release_type)
    elif entry.advantage.value is not None:
        yield (_judge_group_members if attack.kind == "finding" else _judge_recovered_values)(entry, release_type)


def _judge_recovered_values(entry: AttackEntry, release_type: ReleaseType) -> _Reversed:
    """Return the finding on recovered values, judged by the gain over the attack's control.

    Green up to 0.05, red beyond 0.50 outside the organisation, else amber. The gain itself counts, not the ends of its
    interval; a missing one counts as 0.
    """
    share = float(entry.advantage.value or 0.0)
    right, without = state_right_guesses(entry.success), state_right_guesses(entry.control)
    arguments: dict[str, Value] = {
        "column": Name(entry.column or ""),
        "success": right,
        "control": without,
        "allowed": _compute_allowed_gain(share, right, without),
    }
    # The share itself is compared with the limit: the ends of its interval, which stand with the attack, are not.
    judged = replace(entry.advantage, low=None, high=None)
    # What anyone can undo is compared with one guess for everyone, the others with a person's own record left out.
    texts = Reversal.guess if find_attack(entry.id).control == Attack.control else Reversal.usual
    text = texts.green if share <= REVERSAL_LIMIT + _ROUNDING else _choose_text_by_share(share, release_type, texts)
    return _Reversed(entry, text, share / REVERSAL_LIMIT, judged, REVERSAL_LIMIT, arguments, is_gain=True)


def _may_be_chance(entry: AttackEntry) -> bool:
    """Return whether an attack's gain may be chance, because its interval reaches 0; False without an interval."""
    return entry.advantage.low is not None and entry.advantage.low <= 0


def _compute_allowed_gain(share: float, right: Value, without: Value) -> int | LimitOf:
    """Return the gain that the limit allows: in people if both guesses are counts of the same people, else in points.

    In people it is 0.05 of their number, rounded down (2 of 55). ``share`` is the gain measured, ``right`` and
    ``without`` the right guesses with and without the release.
    """
    if isinstance(right, Share) and isinstance(without, Share) and right.of == without.of:
        return math.floor(REVERSAL_LIMIT * right.of + _ROUNDING)
    return LimitOf(share, REVERSAL_LIMIT, "points")


def _judge_filtered_noise(entry: AttackEntry, release_type: ReleaseType) -> _Reversed:
    """Return the finding on noise that an attack filters out, judged by the error that remains.

    Green from 0.90 on, else amber; red below 0.75 in a public release and below 0.40 in research.
    """
    return _judge_remaining_noise(entry, entry.column or "", entry.further["ratio"], Reversal.noise, release_type)


def _judge_noise_belief(belief: ColumnBelief, release_type: ReleaseType) -> _Reversed:
    """Return the finding on noise that an intruder reduces by Bayes' rule, judged by the error that remains.

    It is a ratio to the error of the best linear guess from the noisy column alone, with the limits of
    `_judge_remaining_noise`.
    """
    how = untranslated("Bayes' rule, {prior}", prior=Term(str(belief.prior)))
    ratio = Figure(belief.ratio, n=belief.people, unit="ratio", method=how)
    return _judge_remaining_noise(None, belief.column, ratio, Reversal.bayes, release_type)


def _judge_dependency(dependency: Dependency, evidence: Evidence) -> _Reversed | None:
    """Return the finding that other columns reveal a hidden one, by its gain over guessing the most frequent value.

    The gain is the share of right values minus the share of the most frequent one, as in 0.98 - 0.60. None if it is
    within the limit of 0.05; red beyond 0.50 outside the organisation, else amber.
    """
    truth = evidence.truth(dependency.column)
    counts = truth.category_counts
    blind = int(counts.max(initial=0)) / max(int(counts.sum()), 1)
    success = dependency.right / max(dependency.people, 1)
    share = success - blind
    if share <= REVERSAL_LIMIT + _ROUNDING:
        return None
    figure = Figure(
        share,
        n=dependency.people,
        unit="share",
        method=untranslated("given by other columns, less the commonest value"),
    )
    arguments: dict[str, Value] = {
        "given": name_givers(dependency),
        "column": Name(dependency.column),
        "right": Share(dependency.right, dependency.people),
        "control": Ratio(blind),
    }
    red = _is_red(share, evidence.candidate.prepared.type)
    text = Reversal.red_given if red else Reversal.amber_given
    columns = (dependency.column,)
    return _Reversed(
        None, text, share / REVERSAL_LIMIT, figure, REVERSAL_LIMIT, arguments, is_gain=True, columns=columns
    )


def _judge_remaining_noise(
    entry: AttackEntry | None, column: str, ratio: Figure, texts: Colours, release_type: ReleaseType
) -> _Reversed:
    """Return the finding on noise by the remaining error, a share of the error without the attack.

    Green from 0.90 on, else amber; red below 0.75 in a public release and below 0.40 in research, never within an
    organisation. A missing ratio counts as 0.
    """
    residual_ratio = float(ratio.value or 0.0)
    ratio_words, allowed = Versus(residual_ratio, FILTER_LIMIT, "ratio"), LimitOf(residual_ratio, FILTER_LIMIT, "ratio")
    arguments: dict[str, Value] = {"column": Name(column), "ratio": ratio_words, "allowed": allowed}
    serious = FILTER_SERIOUS if release_type.is_public else None if release_type.is_internal else RESEARCH_SERIOUS
    if residual_ratio >= FILTER_LIMIT - _ROUNDING:
        text = texts.green
    else:
        text = texts.red if serious is not None and residual_ratio < serious - _ROUNDING else texts.amber
    excess = (1 - residual_ratio) / (1 - FILTER_LIMIT)
    return _Reversed(entry, text, excess, ratio, FILTER_LIMIT, arguments)


def _judge_group_members(entry: AttackEntry, release_type: ReleaseType) -> _Reversed:
    """Return the finding on identified members of groups.

    Green if the upper end of the interval of people identified is within 1 / k_min and every privacy level is within
    its limit. Else judged by the share identified, minus chance: red beyond 0.50 outside the organisation, else amber.
    """
    share, most = float(entry.advantage.value or 0.0), 1.0 / release_type.k_min
    high = entry.success.high if entry.success.high is not None else float(entry.success.value or 0.0)
    kept = high <= most * (1 + _ROUNDING) and all(level.met for level in entry.levels)
    arguments: dict[str, Value] = {
        "named": state_right_guesses(entry.success, most),
        "most": Versus(high, most, end="high"),
        "chance": state_right_guesses(entry.chance),
        "allowed": LimitOf(high, most),
    }
    text = Reversal.groups.green if kept else _choose_text_by_share(share, release_type, Reversal.groups)
    excess = min(share / REVERSAL_LIMIT, 1.0) if kept else share / REVERSAL_LIMIT
    return _Reversed(entry, text, excess, entry.success, most, arguments)


def _choose_text_by_share(share: float, release_type: ReleaseType, texts: Colours) -> VerdictText:
    """Return the red sentence for a share beyond 0.50 outside the organisation, else the amber one."""
    return texts.red if _is_red(share, release_type) else texts.amber


def _is_red(share: float, release_type: ReleaseType) -> bool:
    """Return whether a share recovered is red: beyond 0.50, and not within an organisation."""
    return share > REVERSAL_SERIOUS + _ROUNDING and not release_type.is_internal
