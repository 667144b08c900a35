"""Shared parts of the attacks that identify people: samples of people, limits and severity.

A privacy level is a group size that was chosen for some people's records; attacks are also judged for each level.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.attacks.comparison import NEARLY_ALL, Severity, success_figure
from ppdm_desktop.engine.attacks.gower import Linked
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.recipe.release_type import RELEASE_TYPES
from ppdm_desktop.engine.release.attack_audit.base import (
    BLIND,
    LESS_CHANCE,
    Attack,
    Outcome,
    share_of,
    take_first_rows,
    take_largest_gains,
)
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.report.model import AttackEntry, AttackLevel, AttackTail, Report, Sentence
from ppdm_desktop.engine.table.levels import RecordLevels
from ppdm_desktop.engine.utility.models.crossval import sample_rows
from ppdm_desktop.engine.wording.catalogue import lazy
from ppdm_desktop.engine.wording.texts import Note, Title
from ppdm_desktop.engine.wording.values import LazyText, LimitOf, Names, Ratio, Value, Versus

MOST_OF_A_LEVEL = 500
"""Records of one level that are looked for, beside those of the sample of all."""
NO_CONTROL = lazy("without the release only a blind guess remains")


class NamingAttack(Attack):
    """Base class of attacks that identify people.

    The share of people identified is judged by one limit for everybody and one for each privacy level.
    """

    kind = "finding"
    unit = "share"
    how_named: ClassVar[LazyText]
    """How the probability of identifying a person is computed."""
    how_sure: ClassVar[LazyText]
    """When the intruder is sure of a person."""

    def outcome(self, result: AttackEntry) -> Outcome:
        """Return how the attack ended; it is ``withstood`` if it identified no more people than the limit allows."""
        return "withstood" if result.severity == "some" else super().outcome(result)

    def rule(self, result: AttackEntry, report: Report) -> Note:
        """Return the sentence that names the largest allowed share of identified people, and the limit's source.

        The limit is the release type's if it equals 1 / ``k_min`` (the type's least group size), else that of the
        weakest privacy level.
        """
        limit = self.limit(result, report)
        is_type_limit = limit == 1 / report.release.k_min
        id = "attack.rule.limit-of-type" if is_type_limit else "attack.rule.limit-of-level"
        recipient = Title(RELEASE_TYPES[report.release.type].title)
        return Note(id, {"limit": Ratio(limit), "type": recipient} if is_type_limit else {"limit": Ratio(limit)})

    def limit(self, result: AttackEntry, report: Report) -> float:
        """Return the largest allowed share of identified people: the highest limit of the result's privacy levels.

        Without levels it is 1 / ``k_min``, the least group size of the report's release type.
        """
        return max((level.limit for level in result.levels), default=1 / report.release.k_min)

    @classmethod
    def entry(
        cls,
        candidate: Candidate,
        columns: Sequence[str],
        linked: Linked,
        wanted: Ints,
        rows: Sequence[Ints],
        arguments: Mapping[str, Value],
        further: dict[str, Figure] | None = None,
    ) -> AttackEntry:
        """Return the audit's entry for the attacked people, with success, severity, sentence and each level's figures.

        The success is the mean probability with which the people of the sample are identified; of each person the row
        with the largest probability counts. The allowed share is 1 / the release type's least group size.

        Parameters
        ----------
        candidate
            The candidate release.
        columns
            The columns that the intruder knows.
        linked, wanted
            The attack's success on each attacked row, and the indices of these rows of ``candidate.final``, ascending;
            both of shape (rows,).
        rows
            Indices of all rows of the sampled people, and then of those attacked for each privacy level, weakest first
            (none without levels); all of them are in ``wanted``.
        arguments
            Values for the sentence that only this attack has.
        further
            Figures that only this attack has, by key; None for none.
        """
        sample, *of_levels = (take_largest_links(candidate, linked, wanted, some_rows) for some_rows in rows)
        success, *level_figures = (
            success_figure(people.gain, float(people.most.max(initial=0.0)), cls.how_named)
            for people in (sample, *of_levels)
        )
        chance, limit = 1.0 / candidate.persons.count, 1.0 / candidate.prepared.type.k_min
        levels = level_entries(candidate, level_figures, limit)
        severity = severity_of_naming(success, chance, limit, levels)
        values = {**arguments, **make_naming_values(success, chance, limit)}
        return AttackEntry(
            id=cls.id,
            knows=Sentence.of(cls.knows, {"columns": Names.of(columns)}),
            success=success,
            control=Figure.absent(NO_CONTROL, unit="share"),
            chance=Figure(chance, n=candidate.persons.count, unit="share", method=BLIND),
            advantage=subtract_chance(success, chance),
            tail=AttackTail(
                share_sure_and_right=success_figure((sample.gain >= NEARLY_ALL).astype(np.float64), 1.0, cls.how_sure),
                control=Figure.absent(NO_CONTROL, unit="share"),
            ),
            sampled=len(sample.gain),
            severity=severity,
            sentence=Sentence.of(cls.sentences[severity], values),
            levels=levels,
            further=further or {},
        )


def take_largest_links(candidate: Candidate, linked: Linked, wanted: Ints, rows: Ints) -> Linked:
    """Return for each person of ``rows`` the largest value of each linkage figure over the person's rows.

    Each figure is taken from the row where it is largest, so two figures may come from different rows. ``linked`` has
    the figures of the attacked rows ``wanted``, ascending, which include ``rows``.
    """
    indices = np.searchsorted(wanted, rows)
    gains = (linked.in_own_group, linked.gain, linked.most)
    return Linked(*(take_largest_gains(candidate, rows, gain[indices]) for gain in gains))


def make_naming_values(success: Figure, chance: float, limit: float) -> dict[str, Value]:
    """Return the values for a sentence on identified people, by the names that the sentence uses.

    - ``named``: the share of people identified.
    - ``most``: its upper confidence limit (the share itself if it has none), compared with the allowed share.
    - ``limit``: the allowed share.
    - ``chance``: the probability of picking the right record by chance.
    """
    most = float(success.value or 0.0) if success.high is None else success.high
    return {
        "named": share_of(success),
        "most": Versus(most, limit, end="high"),
        "limit": LimitOf(most, limit),
        "chance": Ratio(chance),
    }


def rows_of_levels(candidate: Candidate, most: int) -> list[Ints]:
    """Return for each privacy level, weakest first, the rows of the people to attack; an empty list without levels.

    The people are a fixed sample of each level, at most ``most`` and at most 500. All rows of a chosen person are
    returned, ascending.
    """
    people, levels = candidate.persons, candidate.final.levels
    if levels is None:
        return []
    rows_by_level = []
    for code in range(len(levels.levels)):
        # All rows of each person looked for: a level is the same in all of them.
        whose = take_first_rows(candidate, np.flatnonzero(levels.codes == code))
        chosen = np.zeros(people.count, dtype=np.bool_)
        chosen[people.of_row[whose[sample_rows(len(whose), min(most, MOST_OF_A_LEVEL))]]] = True
        rows_by_level.append(np.flatnonzero(chosen[people.of_row]))
    return rows_by_level


def level_entries(candidate: Candidate, figures: list[Figure], limit: float) -> list[AttackLevel]:
    """Return for each privacy level its number of people, the attack's success, its limit, and whether that is kept.

    The limit is kept if the success's upper confidence limit is within it, or if it has none. The limit of a level is
    ``limit`` or, if that is lower, 1 / the level's group size. Where everybody has the level only by default, its group
    size is the smaller of its own and the largest one that the recipe sets for a step, if any. ``figures`` has one
    success for each level, weakest first; the result is empty without levels or figures.
    """
    levels = candidate.final.levels
    if levels is None or not figures:
        return []
    attack_levels = []
    by_level = levels.take(take_first_rows(candidate, np.arange(candidate.final.rows)))
    for code, (level, records, success) in enumerate(
        zip(levels.levels, by_level.counts.tolist(), figures, strict=True)
    ):
        group = level.demand.group
        if levels.is_default[levels.codes == code].all():
            group = min(group, _find_largest_group_size(candidate, levels) or group)
        least = min(limit, 1.0 / max(group, 1))
        met = success.high is None or success.high <= least * (1 + 1e-9)
        attack_levels.append(AttackLevel(level=level.name, records=int(records), success=success, limit=least, met=met))
    return attack_levels


def _find_largest_group_size(candidate: Candidate, levels: RecordLevels) -> int:
    """Return the largest group size that the recipe sets for a step, raised to the release type's minimum; 0 for none.

    Ignored are steps that protect only against identification, and group sizes that the recipe leaves to privacy
    levels.
    """
    group_sizes = [
        max(int(step.settings.values[parameter.name]), levels.least_group)
        for step in candidate.steps
        for parameter in step.method.parameters
        if parameter.level_key == "group"
        and parameter.name in step.settings.written
        and step.method.protects != "identity"
    ]
    return max(group_sizes, default=0)


def severity_of_naming(success: Figure, chance: float, limit: float, levels: list[AttackLevel]) -> Severity:
    """Return the severity of an attack that identifies people.

    - ``total`` if at least 95 % are identified,
    - ``serious`` if the upper confidence limit exceeds ``limit``, or that of a privacy level exceeds the level's limit,
    - ``none`` if the lower confidence limit is at most ``chance``,
    - else ``some``.

    A missing value or end of the interval counts as 0.
    """
    value, low = (float(end or 0.0) for end in (success.value, success.low))
    if value >= NEARLY_ALL:
        return "total"
    if float(success.high or 0.0) > limit * (1 + 1e-09) or not all(level.met for level in levels):
        return "serious"
    return "none" if low <= chance else "some"


def subtract_chance(success: Figure, chance: float) -> Figure:
    """Return a success, and both ends of its interval, minus the probability of picking the right record by chance."""
    value, low, high = (None if end is None else end - chance for end in (success.value, success.low, success.high))
    return Figure(value, low=low, high=high, n=success.n, unit="share", method=LESS_CHANCE, note=success.note)
