"""Check that every person has the privacy level they asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Ints
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.identifiability.classes import find_class_extremes
from ppdm_desktop.engine.methods.base.declaration import KnobKind
from ppdm_desktop.engine.release.gate.base import Check, register
from ppdm_desktop.engine.release.gate.evidence import Evidence, limit_chance_certain
from ppdm_desktop.engine.release.gate.results import WHAT_IS_LEARNT, CheckResult, Colours, VerdictText
from ppdm_desktop.engine.table.levels import Level, RecordLevels, find_uncertainty_limit
from ppdm_desktop.engine.wording.texts import LevelLabels, LevelTitle, Note, list_level_labels
from ppdm_desktop.engine.wording.values import Terms


@dataclass(frozen=True, eq=False)
class LevelsShort:
    """For each privacy level, the number of people who lack what it promises.

    Attributes
    ----------
    levels
        The levels in use, weakest first.
    people
        Number of people at each level, shape (levels,).
    undertreated
        Number of people at each level to whom a step did not give what it had to; the largest number over all steps.
    guessable
        Number of people at each level whose value can be guessed with more certainty than their level allows; all 0 if
        ``undertreated`` is not, because then it is not computed.
    steps
        Numbers of the steps that gave a level less than they had to, or whose own guarantee does not hold.
    promises
        Whether every step's own guarantee holds.
    level_labels
        The file's own names of the levels.
    """

    levels: tuple[Level, ...]
    people: Ints
    undertreated: Ints
    guessable: Ints
    steps: tuple[int, ...]
    promises: bool
    level_labels: LevelLabels

    def describe_levels(self, unmet: Ints) -> Terms:
        """Return a phrase for each level at which people lack something, such as "3 of 5 at Very high", in level order.

        ``unmet`` is the number of such people at each level, shape (levels,).
        """
        return Terms(
            tuple(
                Note(
                    "level.short",
                    {"level": LevelTitle.of(level.name, self.level_labels), "short": count, "people": people},
                )
                for level, count, people in zip(self.levels, unmet.tolist(), self.people.tolist(), strict=True)
                if count
            )
        )


@register
class LevelsMet(Check):
    """Each privacy level got what it was promised, and guesses are no more certain than it allows."""

    id = "levels-met"
    title = "Everyone’s protection level"
    order = 95
    cause = WHAT_IS_LEARNT
    answered_by = (KnobKind.NOISE, KnobKind.SOURCE_GROUP, KnobKind.VALUES_IN_GROUP, KnobKind.GROUP_SIZE)
    fix_on = "levels"
    on_protection = True
    figure_unit = "records"
    figure_title = "figure.levels-met"
    by_chance = True
    usual = Colours.of("gate.levels-met.green", "gate.levels-met.amber", "gate.levels-met.red")
    amber_both = VerdictText.amber("gate.levels-met.amber-both")
    red_promise = VerdictText.red("gate.levels-met.red-promise")
    amber_doubt = VerdictText.amber("gate.levels-met.amber-doubt", "figure.levels-met-doubt")
    red_doubt = VerdictText.red("gate.levels-met.red-doubt", "figure.levels-met-doubt")

    def judge(self, evidence: Evidence) -> CheckResult:
        """Return the result for people who lack what their privacy level promises.

        - Red if a step did not give a level what it had to, if a step's own guarantee does not hold, or in a public
          release if too many people can be guessed with more certainty than their level allows.
        - Amber for others who can be guessed so, and for people above the weakest level of whom some column is not
          protected (`find_uncovered_records`).
        - Green if nobody lacks anything.

        The figure is the number of people to whom a step did not give enough; without such people, of those who can be
        guessed so, else of those with an unprotected column. Without levels everybody has the weakest one.
        """
        rows = evidence.released_people
        short = count_levels_short(evidence)
        # What a step owed goes before what it leaves: a level that lacks both is said to lack the first.
        unmet = short.undertreated if short.undertreated.any() else short.guessable
        count, everybody = int(unmet.sum()), int(short.people.sum())
        steps = Terms(tuple(map(str, short.steps)))
        arguments: dict[str, Any] = {
            "short": count,
            "people": everybody,
            "levels": short.describe_levels(unmet),
            "steps": steps,
        }
        figure, counted = Figure(count, n=rows, unit="records"), (count, rows)
        if short.undertreated.any():
            return self.verdict(self.usual.red, figure, 0, counted=counted, **arguments)
        if not short.promises:
            return self.verdict(self.red_promise, figure, 0, counted=counted, steps=steps)
        if self._has_too_little_uncertainty(evidence, short):
            return self.verdict(self.red_doubt, figure, 0, counted=counted, **arguments)
        uncovered = evidence.people_among(find_uncovered_records(evidence))
        if not unmet.any():
            figure = Figure(uncovered, n=rows, unit="records")
            text = self.usual.amber if uncovered else self.usual.green
            return self.verdict(text, figure, 0, counted=(uncovered, rows), records=uncovered)
        if not uncovered:
            return self.verdict(self.amber_doubt, figure, 0, counted=counted, **arguments)
        return self.verdict(self.amber_both, figure, 0, counted=counted, **arguments, records=uncovered)

    @staticmethod
    def _has_too_little_uncertainty(evidence: Evidence, short: LevelsShort) -> bool:
        """Return whether too many people above the weakest level can be guessed with more certainty than they allow.

        That is more than `limit_chance_certain` of the people above the weakest level, or one of them whose value is
        proved (`_find_confirmed_rows`). False unless the release is public.
        """
        if not evidence.candidate.prepared.type.is_public:
            return False
        above = np.array([not level.is_weakest for level in short.levels], dtype=np.bool_)
        confirmed = _find_confirmed_rows(evidence) & above[_find_level_indices(evidence)]
        most = limit_chance_certain(int(short.people[above].sum()))
        return bool(confirmed.any()) or int(short.guessable[above].sum()) > most


def count_levels_short(evidence: Evidence) -> LevelsShort:
    """Return for each privacy level how many people lack what it promises, counted in the written file.

    What only a step's run can count is taken over from the run. How certain guesses are is computed only if every step
    gave each level what it had to. Without levels there is one entry, the weakest level, for everybody.
    """
    codes = _find_level_indices(evidence)
    levels = _find_record_levels(evidence).levels
    rank_of_level = {level.name: index for index, level in enumerate(levels)}
    undertreated = np.zeros(len(levels), dtype=np.int64)
    steps = set()
    lines = [(count.step, count.level, count.short) for count in evidence.level_counts]
    known_steps = {step for step, _, _ in lines}
    for step, recount in zip(evidence.candidate.steps, evidence.recounts, strict=True):
        if not recount.guarantee.holds:
            steps.add(step.index)
        if step.index not in known_steps:
            # What only the run knows is counted by the run.
            lines += [(step.index, proof.level, 0 if proof.met else proof.covered) for proof in recount.levels]
    for number, level, unmet in lines:
        if unmet:
            steps.add(number)
            at = rank_of_level.get(level, 0)
            undertreated[at] = max(int(undertreated[at]), unmet)
    # What others believe takes long to work out, and a planned version that lacks more is not judged by it.
    guessable = np.zeros_like(undertreated)
    if not undertreated.any():
        guessable = np.bincount(codes[_find_guessable_rows(evidence)], minlength=len(levels)).astype(np.int64)
    promises = all(recount.guarantee.holds for recount in evidence.recounts)
    people = np.bincount(codes[evidence.first_rows], minlength=len(levels)).astype(np.int64)
    level_labels = list_level_labels(evidence.candidate.prepared.recipe.privacy.words)
    return LevelsShort(levels, people, undertreated, guessable, tuple(sorted(steps)), promises, level_labels)


def _find_record_levels(evidence: Evidence) -> RecordLevels:
    """Return the privacy levels of the released rows; one level for all rows if none were declared."""
    return evidence.candidate.final.levels or RecordLevels.same_for_all(evidence.candidate.final.rows)


def _find_level_indices(evidence: Evidence) -> Ints:
    """Return the index of each row's privacy level, 0 for the weakest; int64, shape (rows,)."""
    return _find_record_levels(evidence).codes.astype(np.int64)


def _find_guessable_rows(evidence: Evidence) -> Bools:
    """Return who can be guessed with more certainty than their privacy level allows, by quasi-identifiers; (rows,).

    A person is marked at their first row only, and nobody whom no belief is about (`ColumnBelief.of`), such as people
    without a confidential value. For the public no level allows more certainty than the built-in level of its name. In
    other releases nobody is marked for a value that nine in ten people hold, unless the owner calls it a secret.
    """
    is_short = np.zeros(evidence.candidate.final.rows, dtype=np.bool_)
    limits = _find_record_levels(evidence).of("doubt")
    is_public = evidence.candidate.prepared.type.is_public
    if is_public:
        rule = np.array([find_uncertainty_limit(level) for level in _find_record_levels(evidence).levels])
        limits = np.minimum(limits, rule[_find_level_indices(evidence)])
    for belief in evidence.beliefs:
        short = belief.others.short_of(limits[belief.of])
        is_short[belief.of] |= short if is_public or belief.common is None else short & ~belief.common
    return is_short


def _find_confirmed_rows(evidence: Evidence) -> Bools:
    """Return whose confidential value is proved, and right, to someone who knows the quasi-identifiers.

    Bool, shape (rows,); each person is marked at their first row. A value that nearly everybody has counts, too.
    """
    is_confirmed = np.zeros(evidence.candidate.final.rows, dtype=np.bool_)
    for belief in evidence.beliefs:
        is_confirmed[belief.of] |= belief.others.confirmed & belief.others.right
    return is_confirmed


def find_uncovered_records(evidence: Evidence) -> Bools:
    """Return which rows above the weakest privacy level have a value that no step protects as much as the level asks.

    The result is bool, shape (rows,). Columns to be protected are the confidential ones and those that some step
    protects. A value also counts as protected if its person is among as many people with equal quasi-identifiers as the
    level asks for, and (in a column that is no quasi-identifier) these have several values. All are False without
    levels.
    """
    rows = evidence.candidate.final.rows
    is_uncovered = np.zeros(rows, dtype=np.bool_)
    levels = evidence.candidate.final.levels
    if levels is None or rows == 0:
        return is_uncovered
    above = np.array([not level.is_weakest for level in levels.levels], dtype=np.bool_)[levels.codes]
    if not above.any():
        return is_uncovered
    large = evidence.known_people >= levels.of("group")
    quasi = {column.name for column in evidence.judged.with_role("quasi-identifier")}
    names = [
        name for name in evidence.judged.names if name in evidence.confidential or name in evidence.protected_columns
    ]
    for name in names:
        diverse = np.ones(rows, dtype=np.bool_) if name in quasi else _find_diverse_rows(evidence, name)
        is_uncovered |= above & ~evidence.find_protected_rows(name) & ~(large & diverse)
    return is_uncovered


def _find_diverse_rows(evidence: Evidence, name: str) -> Bools:
    """Return which rows are in a class of equal quasi-identifiers with several values of the column; shape (rows,).

    Missing counts as a value.
    """
    codes = evidence.judged.column(name).category_codes
    classes = evidence.classes
    lowest, highest = find_class_extremes(classes, codes)
    return np.asarray((lowest < highest)[classes.ids])
