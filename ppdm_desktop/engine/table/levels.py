"""Privacy levels (how much protection a person asked for), what each demands, and the level of each record.

A named level makes five demands on the methods (contract, section 3) and one on the released table. A level may also be
a number: the demanded group size p (Aggarwal & Yu). Its other demands are those of the weakest named level whose
``group`` is at least p, or of the strictest where there is none.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Codes, Floats, Ints
from ppdm_desktop.engine.errors import RecipeError
from ppdm_desktop.engine.recipe.models import LEVEL_KEYS, RISING_LEVEL_KEYS, LevelSection
from ppdm_desktop.engine.table.people import People
from ppdm_desktop.engine.wording.texts import level_title
from ppdm_desktop.engine.wording.values import Name, Number, Term, Value

UNIFORM = "uniform"


@dataclass(frozen=True)
class Demand:
    """The demands that a privacy level makes on the methods and on the released table; the contract lists the keys.

    Attributes
    ----------
    group
        Smallest group or class, in records.
    intervals
        Number of cells into which the domain of a value is divided in phase 2 of the noise; fewer are stricter.
    noise
        Multiplier of a method's standard deviation.
    swap
        Share of the uniquely identifiable records that change.
    selection_noise
        Temperature of the Gumbel noise with which records are chosen, or ``"uniform"``, the strictest.
    doubt
        By what factor an intruder's uncertainty about a value may shrink at most; smaller is stricter. No method uses
        it: the released table is judged by it.
    """

    group: int
    intervals: int
    noise: float
    swap: float
    selection_noise: float | str
    doubt: float = 20.0

    @property
    def temperature(self) -> float:
        """The selection noise as a number, which is infinite for ``"uniform"``."""
        return float("inf") if self.selection_noise == UNIFORM else float(self.selection_noise)

    def is_at_least_as_strict(self, key: str, demand: Demand) -> bool:
        """Return whether this demand is at least as strict as ``demand`` in one key, the name of a field.

        A group of 10 is stricter than one of 5; so is a higher value of all keys but ``intervals`` and ``doubt``, where
        a lower one is stricter. Equal values count as strict enough.
        """
        if key == "selection_noise":
            return self.temperature >= demand.temperature
        if key in ("intervals", "doubt"):
            return bool(getattr(self, key) <= getattr(demand, key))
        return bool(getattr(self, key) >= getattr(demand, key))


@dataclass(frozen=True)
class Level:
    """A privacy level with its demands.

    Attributes
    ----------
    name
        The level's name, or ``group 7`` for a number.
    demand
        The level's demands.
    rank
        Position among the named levels, 0 for the weakest; a number has the rank of the level whose other demands it
        takes.
    """

    name: str
    demand: Demand
    rank: int

    @property
    def is_weakest(self) -> bool:
        """Return whether this is the weakest level, of rank 0, which demands no more than the recipe's own settings."""
        return self.rank == 0


DEFAULT_LEVELS: tuple[Level, ...] = (
    Level("normal", Demand(5, 200, 1.0, 0.5, 0.5, 20.0), 0),
    Level("cautious", Demand(10, 100, 1.5, 0.6, 1.0, 10.0), 1),
    Level("extra-cautious", Demand(20, 50, 2.0, 0.7, 2.0, 5.0), 2),
    Level("paranoid", Demand(50, 25, 3.0, 1.0, UNIFORM, 3.0), 3),
)


def find_uncertainty_limit(level: Level) -> float:
    """Return the factor by which an intruder's uncertainty may shrink at most at the built-in level of this name.

    A level that is not built in has the limit of the weakest one.
    """
    return next((built_in.demand.doubt for built_in in DEFAULT_LEVELS if built_in.name == level.name), Demand.doubt)


@dataclass(frozen=True)
class LevelMap:
    """The named privacy levels, weakest first."""

    named: tuple[Level, ...] = DEFAULT_LEVELS

    @classmethod
    def from_recipe(cls, sections: Mapping[str, LevelSection]) -> LevelMap:
        """Return the privacy levels of a recipe: the built-in levels with the recipe's changes and additions.

        A new level needs to state only the demands that differ. The others come from the built-in level next below it
        (the weakest one if it is below all), except ``doubt``, which comes from the next weaker level. Levels are
        ordered by ``group``.

        Raises
        ------
        RecipeError
            When a new level states nothing, or a level is less strict in ``group`` or ``doubt`` than a weaker one.
        """
        built_in = {level.name: level.demand for level in DEFAULT_LEVELS}
        added = {}
        for name, section in sections.items():
            level_values = {key: value for key in LEVEL_KEYS if (value := getattr(section, key)) is not None}
            if name in built_in:
                built_in[name] = replace(built_in[name], **level_values)
            elif level_values:
                added[name] = level_values
            else:
                raise RecipeError("error.levels.incomplete", args={"level": Name(name)})
        demands, order = dict(built_in), list(built_in)
        new = {name: _on_next_below(level_values, list(built_in.values())) for name, level_values in added.items()}
        for name, demand in sorted(new.items(), key=lambda item: item[1].group):
            position = sum(demands[earlier].group <= demand.group for earlier in order)
            if "doubt" not in added[name]:
                demand = replace(demand, doubt=demands[order[max(position - 1, 0)]].doubt)
            order.insert(position, name)
            demands[name] = demand
        for weaker, stricter in itertools.pairwise(order):
            for key in RISING_LEVEL_KEYS:
                if not demands[stricter].is_at_least_as_strict(key, demands[weaker]):
                    arguments: dict[str, Value] = {
                        "weaker": Name(level_title(weaker)),
                        "stricter": Name(level_title(stricter)),
                        "key": Term(key),
                        "asks": Number(float(getattr(demands[stricter], key))),
                        "than": Number(float(getattr(demands[weaker], key))),
                    }
                    raise RecipeError("error.levels.not-monotone", args=arguments)
        return cls(tuple(Level(name, demands[name], rank) for rank, name in enumerate(order)))

    def find(self, text: str) -> Level | None:
        """Return the level that a text names; None if it names none.

        The name of a level comes first. Otherwise "7", or any whole number from 1, is a level that asks for groups of
        7.
        """
        for level in self.named:
            if level.name == text:
                return level
        return self.of_number(int(text)) if text.isascii() and text.isdigit() and int(text) >= 1 else None

    def of_number(self, group: int) -> Level:
        """Return the level that demands groups of ``group`` records, called ``group 7`` for 7.

        Its other demands are those of the weakest named level whose group is at least as large, else of the strictest.
        """
        base = next((level for level in self.named if level.demand.group >= group), self.named[-1])
        return Level(f"group {group}", replace(base.demand, group=group), base.rank)

    @staticmethod
    def strictness(level: Level) -> tuple[int, int]:
        """Return a sort key for how strict a level is: its group size, then its rank among the named levels."""
        return level.demand.group, level.rank


def _on_next_below(level_values: Mapping[str, Any], built_in: Sequence[Demand]) -> Demand:
    """Return the demands of a new level: the given ones, and the others from the strictest built-in level below it.

    A level with ``group`` 12 takes the rest from the built-in level with ``group`` 10. A built-in level is below when
    the new one is at least as strict in the given ``group`` and ``doubt``, or in the other given demands where neither
    is given; if none is, the weakest serves.
    """
    by = [key for key in RISING_LEVEL_KEYS if key in level_values] or list(level_values)
    completed = replace(built_in[0], **level_values)
    below = [demand for demand in built_in if all(completed.is_at_least_as_strict(key, demand) for key in by)]
    return replace(below[-1] if below else built_in[0], **level_values)


@dataclass(frozen=True, eq=False)
class RecordLevels:
    """The privacy level of each record.

    Attributes
    ----------
    levels
        The levels in use, weakest first, with their groups already raised to the smallest group that is allowed.
    codes
        int32, shape (rows,): index into ``levels``.
    sources
        How many people (records, without a person column) got their level from each source: ``default``, ``column``,
        ``rules``, ``rows``.
    named
        All levels that the recipe knows, weakest first, also those that no record has; empty where they are not known.
    several_within
        Number of people whose rows asked for different levels; each person has the strictest of them.
    unchosen
        bool, shape (rows,): whether nobody chose the record's level, so that it has the default one; a group size in
        the recipe's settings then counts instead. None where every level was chosen.
    least_group
        The smallest group that the type of release allows.
    """

    levels: tuple[Level, ...]
    codes: Codes
    sources: Mapping[str, int]
    named: tuple[Level, ...] = ()
    several_within: int = 0
    unchosen: Bools | None = None
    least_group: int = 1

    @classmethod
    def same_for_all(cls, rows: int, level: Level = DEFAULT_LEVELS[0]) -> RecordLevels:
        """Return levels in which all of ``rows`` records have the same level, which counts as chosen by nobody."""
        codes = np.zeros(rows, dtype=np.int32)
        return cls((level,), codes, {"default": rows}, unchosen=np.ones(rows, dtype=np.bool_))

    @property
    def is_default(self) -> Bools:
        """Return for each record whether its level is the default that nobody chose, bool, shape (rows,)."""
        return np.zeros(len(self.codes), dtype=np.bool_) if self.unchosen is None else self.unchosen

    @cached_property
    def counts(self) -> Ints:
        """The number of records with each level, int64, shape (levels,), in the order of ``levels``."""
        return np.bincount(self.codes, minlength=len(self.levels)).astype(np.int64)

    def people_at(self, people: People) -> Ints:
        """Return the number of people with each privacy level, weakest first, shape (levels,).

        A person has the same level in all rows.
        """
        return np.bincount(self.codes[people.first_rows], minlength=len(self.levels)).astype(np.int64)

    def of(self, key: str) -> Floats:
        """Return for each record the value that its privacy level demands in one key, as floats, shape (records,).

        ``key`` is the name of the demand, such as ``"group"`` (the smallest group, in records). For
        ``"selection_noise"`` the value is the temperature, infinite for ``"uniform"``.
        """
        if key == "selection_noise":
            values = [level.demand.temperature for level in self.levels]
        else:
            values = [float(getattr(level.demand, key)) for level in self.levels]
        return np.array(values, dtype=np.float64)[self.codes]

    def take(self, rows: Ints) -> RecordLevels:
        """Return the levels of the rows with the given indices, in this order."""
        unchosen = None if self.unchosen is None else self.unchosen[rows]
        return replace(self, codes=self.codes[rows], unchosen=unchosen)

    def with_least_group(self, least_group: int) -> RecordLevels:
        """Return the levels of the records with every ``group`` in ``levels`` raised to at least ``least_group``.

        Levels that ask for groups of 3 and 10 ask for 5 and 10 after ``with_least_group(5)``. The attribute
        ``least_group`` becomes 5 as well, unless it is higher; the levels in ``named`` stay as they are.
        """
        levels = tuple(
            replace(level, demand=replace(level.demand, group=max(level.demand.group, least_group)))
            for level in self.levels
        )
        return replace(self, levels=levels, least_group=max(self.least_group, least_group))
