"""`pram`: post-randomisation; categories change at random so that the share of each stays the same on average."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Bools, Floats, Ints
from ppdm_desktop.engine.methods.algorithms.people.within import treated_units
from ppdm_desktop.engine.methods.algorithms.swapping.parameters import ExchangeMethod
from ppdm_desktop.engine.methods.algorithms.swapping.recount import levels_of, released_categories
from ppdm_desktop.engine.methods.algorithms.swapping.steps import KNOWN_BY_OTHERS, with_categories
from ppdm_desktop.engine.methods.base.declaration import Family, register
from ppdm_desktop.engine.methods.base.parameters import LARGER_HIDES_MORE, NumberParameter
from ppdm_desktop.engine.methods.base.step import (
    CategoryChances,
    Guarantee,
    LevelProof,
    Protection,
    Recount,
    Settings,
    StepResult,
    Used,
)
from ppdm_desktop.engine.randomness import StepStream
from ppdm_desktop.engine.table.column import Table
from ppdm_desktop.engine.table.levels import Level
from ppdm_desktop.engine.table.people import People
from ppdm_desktop.engine.wording.catalogue import Sentence, lazy
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Name, Names, Ratio, Terms

FEWEST_PEOPLE = 20
"""Fewest people from whose shares the values of a privacy level are drawn."""
BY_CHANCE = 1e-6
"""If a number of changed values is less likely than this to arise by chance, the promise counts as broken."""


class LevelChances(NamedTuple):
    """The probabilities with which the values of one privacy level change in one column.

    Attributes
    ----------
    redrawn
        Probability that a value is replaced by a random draw, from 0 to 1.
    counts
        int64, shape (categories,): number of people with each category, in whose shares values are drawn.
    asked
        Share of changed values that the level demands.
    """

    redrawn: float
    counts: Ints
    asked: float

    @classmethod
    def of(cls, asked: float, level: Level, counts: Ints) -> LevelChances:
        """Return the probabilities for a level with which enough values change and an intruder stays uncertain enough.

        A value is redrawn with the larger of two probabilities, at most 1: ``asked`` divided by the share that would
        change if all were redrawn, and 1 divided by the level's demand ``doubt``. If 0.2 have to change, half of the
        redrawn values change, and ``doubt`` is 5, these are 0.4 and 0.2, so 0.4 is taken. It is 0 if all people have
        the same category, or nobody has one.

        Parameters
        ----------
        asked
            Share of values that have to change on average.
        level
            The privacy level.
        counts
            Number of people with each category, shape (categories,).
        """
        most = _compute_redraw_change(counts)
        redrawn = min(1.0, max(asked / most, 1.0 / level.demand.doubt)) if most else 0.0
        return cls(redrawn, counts, asked)

    @property
    def shares(self) -> Floats:
        """Probability of each category in a random draw, float64, shape (categories,); all 0 without people."""
        return np.asarray(self.counts / max(int(self.counts.sum()), 1))

    @property
    def used(self) -> float:
        """Share of values that change on average; it is below ``redrawn``, because a draw can give the old value."""
        return self.redrawn * _compute_redraw_change(self.counts)

    def changing(self, codes: Ints) -> Floats:
        """Return, for each true category code, the probability that another category is released, shape (codes,)."""
        return np.asarray(self.redrawn * (1 - self.shares)[codes])


def _compute_redraw_change(counts: Ints) -> float:
    """Return the share of values that change on average if all are redrawn: 1 minus the sum of squared shares.

    ``counts`` are the people with each category, shape (categories,); 0 without people.
    """
    total = int(counts.sum())
    return 1.0 - float(((counts / total) ** 2).sum()) if total else 0.0


class _Categories(NamedTuple):
    """A column's categories, one per unit: a person, or a row if the column changes within people.

    Attributes
    ----------
    units
        The unit of each row.
    codes, level
        int64, shape (units,): code of the category (-1 if missing), and index of the privacy level.
    chances
        The probabilities of change for each level.
    """

    units: People
    codes: Ints
    level: Ints
    chances: tuple[LevelChances, ...]

    @classmethod
    def of(cls, table: Table, name: str, settings: Settings) -> _Categories:
        """Return the categories of a column by unit, and the probabilities of change for each privacy level.

        If a level has fewer than 20 units with a value, or only units with the same category, those of other levels are
        added to its counts (see `_pool_counts`).
        """
        column, units, levels = table.column(name), treated_units(table, name), levels_of(table)
        codes = column.category_codes[units.first_rows].astype(np.int64)
        level = levels.codes[units.first_rows].astype(np.int64)
        counts = np.zeros((len(levels.levels), len(column.categories)), dtype=np.int64)
        np.add.at(counts, (level[codes >= 0], codes[codes >= 0]), 1)
        asked = settings.demanded("swap", "swap", levels)
        chances = (
            LevelChances.of(share, each_level, _pool_counts(counts, index))
            for index, (each_level, share) in enumerate(zip(levels.levels, asked, strict=True))
        )
        return cls(units, codes, level, tuple(chances))

    def at(self, index: int) -> Bools:
        """Return which units have a value and the privacy level with this index, bool, shape (units,)."""
        return np.asarray((self.level == index) & (self.codes >= 0))


def _pool_counts(counts: Ints, index: int) -> Ints:
    """Return a level's counts by category plus those of other levels, until they reach 20 people and two categories.

    If they reach this alone, no others are added. Weaker levels (lower indices) are added first, from the nearest on,
    then stricter ones; all are added if they never suffice. ``counts`` has shape (levels, categories), the result
    int64, shape (categories,).
    """
    pooled = counts[index].copy()
    for neighbour in [*range(index - 1, -1, -1), *range(index + 1, len(counts))]:
        if pooled.sum() >= FEWEST_PEOPLE and np.count_nonzero(pooled) > 1:
            break
        pooled += counts[neighbour]
    return np.asarray(pooled)


@register
class Pram(ExchangeMethod):
    """Redraw values at random, in the shares of the people of the same privacy level (post-randomisation).

    After an intruder has seen a released value, the uncertainty about the true one is at least the uncertainty before
    times the probability of a redraw, for every person and value. The shares of the categories stay the same on
    average.
    """

    id = "pram"
    order = 1
    title = lazy("Change categories by chance")
    paper = lazy("J. M. Gouweleeuw et al., Journal of Official Statistics 14 (1998), 463–478 (post-randomisation)")
    summary = lazy("Gives each person by chance another category, so that the share of each stays the same on average.")
    promises = (
        lazy("For everybody, at least the stated share of an intruder’s doubt about the value stays."),
        lazy("On average, the share of each value stays as it is."),
    )
    limits = (
        lazy("Relationships between columns become weaker."),
        lazy("If nearly everybody has the same value, few values can change."),
        lazy("People with the same details and the same value can still be seen as a group."),
        KNOWN_BY_OTHERS,
        lazy(
            "The checks also estimate how frequent each value is in a town or another group, but only in columns with "
            "at most 100 different values."
        ),
        lazy(
            "If a person has several rows with one value, all their rows get the same one. Otherwise each row is "
            "treated."
        ),
    )
    recipients_learn = lazy("Values were changed by chance. We do not say whose.")
    family = Family.EXCHANGED
    values_label = lazy("exchanged")
    treatment = lazy("randomisation (post-randomisation)")
    kinds = frozenset({"nominal", "ordinal"})
    roles = frozenset({"confidential", "quasi-identifier"})
    reads_levels = ("swap", "doubt")
    counted_by_run = True
    public_parameters = frozenset({"swap"})
    figure_labels: ClassVar[Mapping[str, Sentence]] = {
        "changed": lazy("Values changed"),
        "doubt_left": lazy("Share of an intruder’s doubt that stays"),
        "no_value": lazy("Records without a value"),
    }
    parameters = (
        NumberParameter(
            name="swap",
            label=lazy("Share of changed values"),
            help=lazy("The share of the values that change on average."),
            effect=LARGER_HIDES_MORE,
            default=0.5,
            low=0,
            high=1,
            low_open=True,
            level_key="swap",
        ),
    )

    def check(self, table: Table, settings: Settings) -> tuple[Note, ...]:
        """Return a note on all columns with fewer than two values, and one on each column in which too few can change.

        Too few are fewer than a privacy level demands, even if every value is redrawn; the note names the smallest
        share that changes at such a level. Columns in which nothing can change have no such note.

        Raises
        ------
        RecipeError
            When a column changes within people whose rows can be linked.
        """
        self.refuse_unfit_people(table, settings)
        notes = []
        constant = [name for name in settings.columns if len(table.column(name).categories) < 2]
        if constant:
            notes.append(Note("note.pram.nothing", {"columns": Names.of(constant)}))
        for name in settings.columns:
            chances = _Categories.of(table, name, settings).chances
            capped = [level.used for level in chances if 0 < level.used < level.asked - 1e-9]
            if capped:
                notes.append(Note("note.pram.less", {"column": Name(name), "share": Ratio(min(capped))}))
        return tuple(notes)

    def effect(self, table: Table, settings: Settings) -> Note:
        """Return a note on the share of values that change on average in each column.

        The share is that of all levels together. A column with a single value has 0, and a column without a value is
        left out. If all columns are left out, the note says that nothing changes.
        """
        parts = []
        for name in settings.columns:
            categories = _Categories.of(table, name, settings)
            counts = np.bincount(categories.level[categories.codes >= 0], minlength=len(categories.chances))
            if total := int(counts.sum()):
                share = float(counts @ np.array([level.used for level in categories.chances])) / total
                parts.append(lazy("{column}: {share}", column=Name(name), share=Ratio(share)))
        if not parts:
            return Note("note.pram.nothing", {"columns": Names.of(settings.columns)})
        return Note("note.pram.effect", {"shares": Terms(tuple(parts))})

    def _list_used_values(self, table: Table, settings: Settings, detail: Mapping[str, Any] | None) -> Iterable[Used]:
        """Yield, for each column and privacy level, the share of values that change on average.

        If the level demands a larger share than can change, the entry also has the demand (``asked``). Columns and
        levels in which nothing can change have the share 0. ``detail`` is not used, so the entries are the same before
        and after a run.
        """
        levels = levels_of(table)
        for name in settings.columns:
            for level, chances in zip(levels.levels, _Categories.of(table, name, settings).chances, strict=True):
                asked = chances.asked if chances.used < chances.asked - 1e-9 else None
                yield Used("swap", round(chances.used, 6), "levels", level.name, name, asked)

    def run(self, table: Table, settings: Settings, streams: StepStream) -> StepResult:
        """Return the table with some values of each column, chosen at random, replaced by random draws.

        The probability of a replacement depends on the record's privacy level. Draws follow the counts of the values at
        this level (with other levels if it has too few people or one value), so a value may stay the same. If a column
        is constant within people, all rows of a person get the same value. Records of a level with probability 0 do not
        count as protected, nor do rows without a value, which stays missing. The step's figures are, by column, the
        rows changed, the smallest probability of a redraw above 0 at any level (``doubt_left``; 0 if no level has one)
        and the rows without a value. The notes and errors are those of ``check``.
        """
        progress.report(0.0, "progress.method.search")
        notes, columns, detail, protections = self.check(table, settings), [], {}, []
        for index, name in enumerate(settings.columns):
            progress.report(index / len(settings.columns), "progress.method.search")
            column, categories = table.column(name), _Categories.of(table, name, settings)
            draws = streams.stream(f"pram {name}").uniform(2 * len(categories.codes)).reshape(-1, 2)
            drawn, protected = categories.codes.copy(), np.zeros(len(categories.codes), dtype=np.bool_)
            for level, chances in enumerate(categories.chances):
                rows = np.flatnonzero(categories.at(level))
                protected[rows] = chances.redrawn > 0
                rows = rows[draws[rows, 0] < chances.redrawn]
                people = (draws[rows, 1] * chances.counts.sum()).astype(np.int64)
                drawn[rows] = np.searchsorted(np.cumsum(chances.counts), people, side="right")
            of_row = categories.units.of_row
            columns.append(with_categories(column, drawn[of_row]))
            protected_rows = protected[of_row]
            treatment = np.where(protected_rows, categories.level[of_row], -1)
            protections.append(Protection(name, "randomised", protected_rows, treatment))
            detail[name] = {
                "changed": int(np.count_nonzero(drawn[of_row] != column.category_codes)),
                "doubt_left": min((level.redrawn for level in categories.chances if level.redrawn), default=0.0),
                "no_value": int(np.count_nonzero(column.missing)),
            }
        progress.report(1.0, "progress.method.search")
        return StepResult(table.replacing(*columns), tuple(protections), {"columns": detail}, notes)

    def category_chances(self, table: Table, settings: Settings) -> dict[str, CategoryChances]:
        """Return, by column, how often a value is redrawn, and how probable each category is in such a draw.

        Both are probabilities. The first is averaged over all people with a value (over rows, if the column changes
        within people), the second over their redrawn values, so that levels with more redraws weigh more. Columns in
        which nothing can change are left out.
        """
        chances = {}
        for name in settings.columns:
            categories = _Categories.of(table, name, settings)
            people = np.array([int(categories.at(level).sum()) for level in range(len(categories.chances))])
            redrawn = people * np.array([level.redrawn for level in categories.chances]) / max(int(people.sum()), 1)
            if (total := float(redrawn.sum())) > 0:
                shares = sum(part * level.shares for part, level in zip(redrawn, categories.chances, strict=True))
                chances[name] = CategoryChances(total, np.asarray(shares / total))
        return chances

    def recount(self, before: Table, after: Table, settings: Settings, detail: Mapping[str, Any]) -> Recount:
        """Return whether the number of changed values at each privacy level is plausible, and nothing else changed.

        ``worst`` is the number of rows and values that break this: cells that gained or lost a value, values that the
        column did not have, and people who show several values of a column that is constant within people. If the
        number of changes at a level is implausible, all its values count. The proof of each column and level has the
        share of changes that is expected and the one counted (None without values).
        """
        off, proofs = 0, list[LevelProof]()
        for name in settings.columns:
            column, categories = before.column(name), _Categories.of(before, name, settings)
            released = released_categories(column, after.column(name))
            off += int(np.count_nonzero((released < 0) != column.missing)) + int(np.count_nonzero(released < -1))
            off += int(np.count_nonzero(~categories.units.constant(released)))
            changed = released[categories.units.first_rows] != categories.codes
            for index, (level, chances) in enumerate(zip(levels_of(before).levels, categories.chances, strict=True)):
                present = categories.at(index)
                people = before.persons.with_any(levels_of(before).codes == index)
                covered = (
                    before.persons.with_any(present[categories.units.of_row]) if chances.redrawn else people & False
                )
                expected = float(chances.changing(categories.codes[present]).sum())
                count, units = int(changed[present].sum()), int(present.sum())
                is_met = _may_be_chance(count, units, expected)
                off += 0 if is_met else units
                proofs.append(
                    LevelProof(
                        level.name,
                        name,
                        int(people.sum()),
                        int(covered.sum()),
                        int(people.sum()) - int(covered.sum()),
                        chances.used,
                        count / units if units else None,
                        None,
                        is_met,
                    )
                )
        return Recount(Guarantee("run", off == 0, before.rows * len(settings.columns), float(off)), tuple(proofs))


def _may_be_chance(count: int, units: int, expected: float) -> bool:
    """Return whether a number of changes is plausible for independent values.

    It is if Hoeffding's bound for a number so far above or below the expected one is at least 1e-6. True if there are
    no values; False for any change if none is expected, and for any value kept if all are expected to change.

    Parameters
    ----------
    count
        Number of changed values.
    units
        Number of values.
    expected
        Expected number of changed values.
    """
    if not units:
        return True
    share, mean = count / units, expected / units
    parts = ((share, mean), (1 - share, 1 - mean))
    if any(seen > 0 and chance <= 0 for seen, chance in parts):
        return False
    divergence = sum(seen * math.log(seen / chance) for seen, chance in parts if seen > 0)
    return math.exp(-units * divergence) >= BY_CHANCE
