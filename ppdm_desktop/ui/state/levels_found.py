"""What the Protection levels page shows, derived from decisions by the engine; no widget here."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Bools, Rows
from ppdm_desktop.engine.errors import PpdmError
from ppdm_desktop.engine.identifiability.risk import RiskFigures, table_risk
from ppdm_desktop.engine.recipe.models import (
    LEVEL_KEYS,
    RISING_LEVEL_KEYS,
    Condition,
    LevelSection,
    PrivacySection,
    Recipe,
    RowsRule,
)
from ppdm_desktop.engine.table.bins import apply_bins
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.levels import DEFAULT_LEVELS, Demand, Level, LevelMap, RecordLevels
from ppdm_desktop.engine.table.reading import Reading
from ppdm_desktop.engine.table.record_levels import (
    Statuses,
    level_column,
    records_of_rule,
    resolve_levels,
    rows_in_spans,
    word_of,
)
from ppdm_desktop.engine.table.reduction import Records, records_of
from ppdm_desktop.ui.state.level_column import meanings, words_in

MOST_UNKNOWN = 50


@dataclass(frozen=True, eq=False)
class LevelsBasis:
    """What counting whom a rule finds needs; made once while columns stay as they are.

    Attributes
    ----------
    records
        The source with roles and kinds, before bins (rules compare the values as read), and its people.
    risk
        Risk of the binned table: who is alone, and the statuses rules may ask for.
    """

    reading: Reading
    columns: object
    people_by: object
    missing_rule: str
    records: Records
    risk: RiskFigures

    @classmethod
    def make(cls, reading: Reading, recipe: Recipe) -> LevelsBasis:
        """Apply roles, kinds and bins and measure once."""
        records = progress.part(0.0, 0.5).run(records_of, reading.table, recipe, reading.account.decimal)
        binned = progress.part(0.5, 0.8).run(apply_bins, records.table, records.recipe.columns)
        risk = table_risk(binned, recipe.risk.missing)
        return cls(reading, recipe.columns, _people_by(recipe), recipe.risk.missing, records, risk)

    @property
    def table(self) -> Table:
        """One row for each person where their rows became one, else every row."""
        return self.records.table

    @property
    def read(self) -> Table:
        """Every row as read: what rules and a column of levels are about."""
        return self.records.read

    def fits(self, reading: Reading, recipe: Recipe) -> bool:
        """Say whether it was made from the same reading, columns and people."""
        same = self.reading is reading and self.missing_rule == recipe.risk.missing
        return same and self.columns == recipe.columns and self.people_by == _people_by(recipe)

    def statuses(self) -> Statuses:
        """Return who is identifiable on the input."""
        return Statuses(self.records.to_rows(self.risk.unique), self.records.to_rows(self.risk.collective))

    @property
    def people(self) -> int:
        """Number of people; without a person column each row is another person's."""
        return self.table.rows if self.table.people is None else self.table.people.count

    def people_among(self, records: Bools) -> int:
        """Count the people who have one of these rows of the table."""
        people = self.table.people
        return int(np.count_nonzero(records if people is None else people.with_any(records)))

    def found_by(self, where: Sequence[Condition]) -> Bools:
        """Say whom conditions find, one for each row of the table."""
        return self.records.of_rows(records_of_rule(self.read, where, self.statuses))

    def picked_by(self, rule: RowsRule) -> int:
        """Count the people of whom picked spans hold a row."""
        return self.people_among(self.records.of_rows(rows_in_spans(self.read.row_numbers, rule.spans())))


def _people_by(recipe: Recipe) -> object:
    given = recipe.input
    within = {name: section.within_person for name, section in given.repair.items()}
    return given.person, given.order_by, given.reduce, within, recipe.release.shuffle_rows


@dataclass(frozen=True)
class ColumnText:
    """A word of the level column ("": an empty cell): how many people have it, and the level it means, if said."""

    text: str
    people: int
    level: str | None


@dataclass(frozen=True, eq=False)
class LevelsFound:
    """The counts the page shows.

    Attributes
    ----------
    privacy
        The decisions they belong to.
    levels
        Each record's level, or None when a decision cannot be carried out.
    error
        Why not.
    alone
        People alone at each of ``levels.levels``.
    rules
        Whom each rule finds; None where the rule cannot be carried out.
    picked
        How many people each set of picked rows holds.
    texts
        What the level column holds: words before whole numbers and empty cells, then by people.
    """

    basis: LevelsBasis
    privacy: PrivacySection
    level_map: LevelMap
    levels: RecordLevels | None
    error: PpdmError | None
    alone: tuple[int, ...]
    rules: tuple[Bools | None, ...]
    picked: tuple[int, ...]
    texts: tuple[ColumnText, ...]

    @property
    def rule_counts(self) -> list[int | None]:
        """How many people each rule finds."""
        return [None if rule is None else self.basis.people_among(rule) for rule in self.rules]

    @property
    def people_without_rule(self) -> int:
        """How many people no rule finds."""
        counted = [rule for rule in self.rules if rule is not None]
        return self.basis.people - (self.basis.people_among(np.any(counted, axis=0)) if counted else 0)

    @property
    def unknown(self) -> list[ColumnText]:
        """The words of the level column that nobody gave a meaning yet."""
        return [text for text in self.texts if text.level is None]

    @property
    def people(self) -> list[int]:
        """How many people are at each of ``levels.levels``."""
        return [] if self.levels is None else self.levels.people_at(self.basis.table.persons).tolist()

    @property
    def raised(self) -> int:
        """How many people are above the weakest level in the map."""
        if self.levels is None:
            return 0
        return sum(people for level, people in zip(self.levels.levels, self.people, strict=True) if level.rank > 0)


def find_levels(reading: Reading, recipe: Recipe, levels_basis: LevelsBasis | None) -> LevelsFound:
    """Resolve everybody's level, and count what each decision does.

    Raises
    ------
    PpdmError
        When the columns themselves cannot be understood, or the level map is at fault.
    """
    basis = levels_basis
    if basis is None or not basis.fits(reading, recipe):
        basis = progress.part(0.0, 0.4).run(LevelsBasis.make, reading, recipe)
    progress.report(0.4, "doing.levels")
    privacy = recipe.privacy
    level_map = LevelMap.from_recipe(privacy.levels)
    rules: list[Bools | None] = []
    for rule in privacy.rules:
        progress.check()
        try:
            rules.append(basis.found_by(rule.where))
        except PpdmError:
            rules.append(None)
    progress.report(0.7, "doing.levels")
    levels: RecordLevels | None = None
    error: PpdmError | None = None
    texts: tuple[ColumnText, ...] = ()
    try:
        column = level_column(basis.read, privacy)
        if column is not None:
            texts = column_texts(column, privacy, level_map, basis.records)
        levels = resolve_levels(basis.read, privacy, level_map, basis.statuses, basis.records.reduced)
    except PpdmError as failure:
        error = failure
    alone: tuple[int, ...] = ()
    if levels is not None:
        lonely = basis.risk.matches == 1
        if basis.table.people is not None:
            first = np.zeros(len(lonely), dtype=np.bool_)
            first[basis.table.people.first_rows] = True
            lonely = lonely & first
        counts = np.bincount(levels.codes[lonely], minlength=len(levels.levels))
        alone = tuple(int(count) for count in counts)
    progress.report(1.0, "doing.levels")
    return LevelsFound(
        basis=basis,
        privacy=privacy,
        level_map=level_map,
        levels=levels,
        error=error,
        alone=alone,
        rules=tuple(rules),
        picked=tuple(basis.picked_by(rule) for rule in privacy.rows),
        texts=texts,
    )


def column_texts(
    column: Column, privacy: PrivacySection, levels: LevelMap, records: Records | None = None
) -> tuple[ColumnText, ...]:
    """Count the people who have each word of a level column, and say which level it means."""
    cell_texts = words_in(column)
    index_of = {word: number for number, word in enumerate(cell_texts)}
    of_code = np.array([index_of.get(word_of(column, text), 0) for text in column.texts], dtype=np.int64)
    codes = of_code[column.codes]
    whose = None if records is None else records.reduced or records.read.people
    if whose is not None and column.codes.size:
        width = len(cell_texts)
        codes = np.unique(whose.of_row * width + codes) % width
    counts = np.bincount(codes, minlength=len(cell_texts)).tolist()
    meant = meanings(cell_texts, privacy, levels)
    level_texts = [
        ColumnText(word, people, level.name if (level := meant[word]) is not None else None)
        for word, people in zip(cell_texts, counts, strict=True)
    ]
    # Its place does not hang on its meaning, so that a row does not jump away once it was given one.
    return tuple(
        sorted(level_texts, key=lambda entry: (not entry.text, entry.text.isdigit(), -entry.people, entry.text))
    )


def spans_of(numbers: Rows) -> tuple[int | str, ...]:
    """Write row numbers as the recipe does: single ones, and spans such as "40-57"."""
    if not len(numbers):
        return ()
    ordered = np.unique(numbers)
    breaks = np.flatnonzero(np.diff(ordered) > 1)
    starts = ordered[np.concatenate([[0], breaks + 1])].tolist()
    ends = ordered[np.concatenate([breaks, [len(ordered) - 1]])].tolist()
    return tuple(low if low == high else f"{low}-{high}" for low, high in zip(starts, ends, strict=True))


# --- the map of demands -----------------------------------------------------------------


@dataclass(frozen=True)
class Weaker:
    """A place where a stricter level would ask for less than a weaker one."""

    key: str
    stricter: str
    asks: float | str
    weaker: str
    than: float | str


def changed_map(named: Sequence[Level], name: str, key: str, value: float | str) -> tuple[Level, ...]:
    """Return the levels with one demand changed; levels that ask for exactly the same follow."""
    old = next(level.demand for level in named if level.name == name)
    return tuple(
        replace(level, demand=_with(level.demand, key, value))
        if level.name == name or (level.demand == old and not _is_default(level.name))
        else level
        for level in named
    )


def weaker_than_before(named: Sequence[Level]) -> list[Weaker]:
    """Return each demand that is weaker in a level than in the level before it, although levels should get stricter."""
    return [
        Weaker(key, stricter.name, getattr(stricter.demand, key), weaker.name, getattr(weaker.demand, key))
        for weaker, stricter in itertools.pairwise(named)
        for key in RISING_LEVEL_KEYS
        if not stricter.demand.as_strict(key, weaker.demand)
    ]


def with_others_moved(named: Sequence[Level], name: str, key: str) -> tuple[Level, ...]:
    """Return the levels with stricter ones raised, and weaker ones lowered, to one level's demand."""
    index = next(i for i, level in enumerate(named) if level.name == name)
    given = named[index].demand
    moved = []
    for i, level in enumerate(named):
        stricter, weaker = (level.demand, given) if i > index else (given, level.demand)
        fits = i == index or stricter.as_strict(key, weaker)
        moved.append(level if fits else replace(level, demand=_with(level.demand, key, getattr(given, key))))
    return tuple(moved)


def map_sections(named: Sequence[Level]) -> dict[str, LevelSection]:
    """Write a map as the recipe does: only what differs from the defaults."""
    defaults = {level.name: level.demand for level in DEFAULT_LEVELS}
    sections = {}
    for level in named:
        base = defaults.get(level.name)
        given = {
            key: getattr(level.demand, key)
            for key in LEVEL_KEYS
            if base is None or getattr(level.demand, key) != getattr(base, key)
        }
        if given:
            sections[level.name] = LevelSection.model_validate(given)
    return sections


def _with(demand: Demand, key: str, value: float | str) -> Demand:
    given: dict[str, Any] = {key: value}
    return replace(demand, **given)


def _is_default(name: str) -> bool:
    return any(level.name == name for level in DEFAULT_LEVELS)
