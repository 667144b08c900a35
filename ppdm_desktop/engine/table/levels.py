"""Privacy levels: the map of what a level demands, and each record's own level.

A named level has five demands on the methods (contract, section 3) and one on what comes out.
A number as level is a demanded group size p (Aggarwal & Yu); its other demands are those of the weakest
named level whose ``group`` is at least p, else of the strictest.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ppdm_desktop.engine.arrays import Codes, Floats, Ints
from ppdm_desktop.engine.errors import RecipeError
from ppdm_desktop.engine.recipe.models import JUDGING_LEVEL_KEYS, LEVEL_KEYS, LevelSection
from ppdm_desktop.engine.table.people import People
from ppdm_desktop.engine.wording.level_titles import level_title
from ppdm_desktop.engine.wording.values import Name, Terms

UNIFORM = "uniform"


@dataclass(frozen=True)
class Demand:
    """What a level asks of the methods; see the contract's table of level keys.

    Attributes
    ----------
    group
        Smallest group or class, records.
    intervals
        Cells a domain is cut into in phase 2 of the noise; fewer are stricter.
    noise
        Multiplier of a step's standard deviation.
    swap
        Share of uniquely identifiable records that change.
    selection_noise
        Gumbel temperature of the choice of records, or ``"uniform"``, the strictest.
    doubt
        How many times smaller an intruder's doubt about a value may become at most; smaller is stricter. No method
        reads it: the release is judged by it.
    """

    group: int
    intervals: int
    noise: float
    swap: float
    selection_noise: float | str
    doubt: float = 20.0

    @property
    def temperature(self) -> float:
        """The selection noise as a number; ``"uniform"`` is infinite."""
        return float("inf") if self.selection_noise == UNIFORM else float(self.selection_noise)

    def at_least(self, other: Demand) -> bool:
        """Say whether this demand is as strict as another in every key."""
        return (
            self.group >= other.group
            and self.intervals <= other.intervals
            and self.noise >= other.noise
            and self.swap >= other.swap
            and self.temperature >= other.temperature
            and self.doubt <= other.doubt
        )


@dataclass(frozen=True)
class Level:
    """A level with its demand.

    Attributes
    ----------
    name
        The level's name, or ``group 7`` for a number.
    demand
        What it asks of the methods.
    rank
        Place in the map, 0 for the weakest; a number has the rank of the level whose other keys it takes.
    """

    name: str
    demand: Demand
    rank: int

    @property
    def is_weakest(self) -> bool:
        """Say whether a written step parameter stands for this level as it is."""
        return self.rank == 0


DEFAULT_LEVELS: tuple[Level, ...] = (
    Level("normal", Demand(5, 200, 1.0, 0.5, 0.5, 20.0), 0),
    Level("cautious", Demand(10, 100, 1.5, 0.6, 1.0, 10.0), 1),
    Level("extra-cautious", Demand(20, 50, 2.0, 0.7, 2.0, 5.0), 2),
    Level("paranoid", Demand(50, 25, 3.0, 1.0, UNIFORM, 3.0), 3),
)


@dataclass(frozen=True)
class LevelMap:
    """The named levels, weakest first."""

    named: tuple[Level, ...] = DEFAULT_LEVELS

    @classmethod
    def from_recipe(cls, sections: Mapping[str, LevelSection]) -> LevelMap:
        """Return the default map with a recipe's changes.

        A level the defaults do not have must give all five demands on the methods; its limit of doubt, left
        out, is that of the next weaker level. Levels are ordered by ``group``.

        Raises
        ------
        RecipeError
            When a new level is incomplete or a demand is weaker than that of a weaker level.
        """
        demands = {level.name: level.demand for level in DEFAULT_LEVELS}
        order = list(demands)
        added = {}
        for name, section in sections.items():
            given = {key: value for key in LEVEL_KEYS if (value := getattr(section, key)) is not None}
            lacking = [key for key in LEVEL_KEYS if key not in given and key not in JUDGING_LEVEL_KEYS]
            if name in demands:
                demands[name] = replace(demands[name], **given)
            elif lacking:
                raise RecipeError("error.levels.incomplete", args={"level": Name(name), "keys": Terms(tuple(lacking))})
            else:
                added[name] = Demand(**given)
        for name, demand in sorted(added.items(), key=lambda item: item[1].group):
            place = sum(demands[each].group <= demand.group for each in order)
            if sections[name].doubt is None:
                demand = replace(demand, doubt=demands[order[max(place - 1, 0)]].doubt)
            order.insert(place, name)
            demands[name] = demand
        for weaker, stricter in zip(order, order[1:], strict=False):
            if not demands[stricter].at_least(demands[weaker]):
                raise RecipeError(
                    "error.levels.not-monotone",
                    args={"weaker": Name(level_title(weaker)), "stricter": Name(level_title(stricter))},
                )
        return cls(tuple(Level(name, demands[name], rank) for rank, name in enumerate(order)))

    def find(self, text: str) -> Level | None:
        """Return the level a text names: a level's name, or a whole number as group size."""
        for level in self.named:
            if level.name == text:
                return level
        return self.of_number(int(text)) if text.isascii() and text.isdigit() and int(text) >= 1 else None

    def of_number(self, group: int) -> Level:
        """Return the level of a demanded group size."""
        base = next((each for each in self.named if each.demand.group >= group), self.named[-1])
        return Level(f"group {group}", replace(base.demand, group=group), base.rank)

    @staticmethod
    def strictness(level: Level) -> tuple[int, int]:
        """Return a sort key: by group, then by the named level whose other keys it takes."""
        return level.demand.group, level.rank


@dataclass(frozen=True, eq=False)
class RecordLevels:
    """Each record's level.

    Attributes
    ----------
    levels
        The levels in use, weakest first, with effective demands (after the lift to k_min).
    codes
        int32, shape (rows,): index into ``levels``.
    sources
        How many people each source decided (records, without a person column): ``default``, ``column``, ``rules``,
        ``rows``.
    named
        All levels of the map, weakest first, also those no record has; empty where no map is known.
    several_within
        People whose rows asked for different levels; each has the strictest.
    """

    levels: tuple[Level, ...]
    codes: Codes
    sources: Mapping[str, int]
    named: tuple[Level, ...] = ()
    several_within: int = 0

    @classmethod
    def same_for_all(cls, rows: int, level: Level = DEFAULT_LEVELS[0]) -> RecordLevels:
        """Give every record one level."""
        return cls((level,), np.zeros(rows, dtype=np.int32), {"default": rows})

    @cached_property
    def counts(self) -> Ints:
        """Records at each level, weakest first."""
        return np.bincount(self.codes, minlength=len(self.levels)).astype(np.int64)

    def people_at(self, people: People | None) -> Ints:
        """Count the people at each level, weakest first; a person has one level in all their rows.

        Parameters
        ----------
        people
            Whose records these are; None where each is another person's.
        """
        if people is None:
            return self.counts
        return np.bincount(self.codes[people.first_rows], minlength=len(self.levels)).astype(np.int64)

    def of(self, key: str) -> Floats:
        """Return one demand for each record, as floats (``"uniform"`` is infinite)."""
        if key == "selection_noise":
            values = [level.demand.temperature for level in self.levels]
        else:
            values = [float(getattr(level.demand, key)) for level in self.levels]
        return np.array(values, dtype=np.float64)[self.codes]

    def take(self, rows: Ints) -> RecordLevels:
        """Return the levels of these rows, in this order."""
        return replace(self, codes=self.codes[rows])

    def lifted(self, least_group: int) -> RecordLevels:
        """Raise every level's ``group`` to a floor; nothing else changes."""
        levels = tuple(
            replace(level, demand=replace(level.demand, group=max(level.demand.group, least_group)))
            for level in self.levels
        )
        return replace(self, levels=levels)
