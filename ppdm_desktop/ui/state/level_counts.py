"""Counts of people by privacy level for the page Protection levels; no widget here."""

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
from ppdm_desktop.engine.table.reduction import Records, prepare_records
from ppdm_desktop.ui.state.level_column import map_words_to_levels, words_in

MOST_UNKNOWN = 50


@dataclass(frozen=True, eq=False)
class LevelsBasis:
    """The prepared table in which people matched by rules are counted; reused until columns or people change.

    Attributes
    ----------
    records
        The source with roles and kinds and its people, before numbers are cut into groups: rules compare values as
        read.
    risk
        Risk of the table with numbers cut into groups: who is unique, and who is in a group with one confidential
        value.
    """

    reading: Reading
    columns: object
    people_by: object
    missing_rule: str
    records: Records
    risk: RiskFigures

    @classmethod
    def make(cls, reading: Reading, recipe: Recipe) -> LevelsBasis:
        """Return the table in which people are counted, prepared from a file and a recipe, with its risk.

        The recipe's roles, kinds and people apply. Rules are evaluated before numbers are cut into the recipe's groups;
        the risk is that after this. Raises a PpdmError if the columns do not fit or none is a quasi-identifier.
        """
        records = progress.part(0.0, 0.5).run(prepare_records, reading.table, recipe, reading.account.decimal)
        binned = progress.part(0.5, 0.8).run(apply_bins, records.table, records.recipe.columns)
        risk = table_risk(binned, recipe.risk.missing)
        return cls(reading, recipe.columns, _make_people_key(recipe), recipe.risk.missing, records, risk)

    @property
    def table(self) -> Table:
        """Table with one row for each person if rows were combined, else with every row as read."""
        return self.records.table

    @property
    def read(self) -> Table:
        """Table with every row as read, which rules and the level column refer to."""
        return self.records.read

    def fits(self, reading: Reading, recipe: Recipe) -> bool:
        """Return whether this prepared table was made from this file and equal decisions of a recipe.

        The decisions compared are those on columns, people and missing values.
        """
        same = self.reading is reading and self.missing_rule == recipe.risk.missing
        return same and self.columns == recipe.columns and self.people_by == _make_people_key(recipe)

    def statuses(self) -> Statuses:
        """Return two masks with an entry for each row as read: of uniquely and of collectively identifiable people.

        Uniquely: nobody else has the person's quasi-identifiers. Collectively: all who have them share the value of
        some confidential column. Nobody is both. Values are compared after numbers were cut into groups and, if the
        recipe says so, the rows of each person combined.
        """
        return Statuses(self.records.to_rows(self.risk.unique), self.records.to_rows(self.risk.collective))

    @property
    def people(self) -> int:
        """Number of people; the number of rows if no column identifies people."""
        return self.table.persons.count

    def people_among(self, records: Bools) -> int:
        """Return the number of people with at least one of these rows.

        ``records`` is a mask of the rows of ``table``, shape (rows,).
        """
        return self.table.persons.among(records)

    def select_rows(self, where: Sequence[Condition]) -> Bools:
        """Return a mask of the rows of ``table``, shape (rows,), that meet all conditions.

        The conditions are checked on the rows as read. If rows were combined, a person's row is marked if one of that
        person's rows meets them.
        """
        return self.records.of_rows(records_of_rule(self.read, where, self.statuses))

    def picked_by(self, rule: RowsRule) -> int:
        """Return the number of people with at least one of the rows that the user selected by number."""
        return self.people_among(self.records.of_rows(rows_in_spans(self.read.row_numbers, rule.spans())))


def _make_people_key(recipe: Recipe) -> object:
    """Return a value that is equal for recipes with equal settings on people, combined rows and shuffled rows."""
    input_section = recipe.input
    within = {name: section.within_person for name, section in input_section.repair.items()}
    return input_section.person, input_section.order_by, input_section.reduce, within, recipe.release.shuffle_rows


@dataclass(frozen=True)
class ColumnText:
    """A word of the level column ("" for empty cells), its number of people, and the level it means, if any."""

    text: str
    people: int
    level: str | None


@dataclass(frozen=True, eq=False)
class LevelCounts:
    """Privacy levels and numbers of people on the page Protection levels.

    Attributes
    ----------
    privacy
        The decisions on levels for which people were counted.
    levels
        Privacy level of each record; None if a decision cannot be carried out.
    error
        Why a decision cannot be carried out.
    unique_people
        Number of unique people at each level of ``levels.levels``.
    rules
        Mask of rows that each rule matches; None if the rule cannot be carried out.
    picked
        Number of people of each set of selected rows.
    texts
        Words of the level column: words before whole numbers and empty cells, then by number of people.
    """

    basis: LevelsBasis
    privacy: PrivacySection
    level_map: LevelMap
    levels: RecordLevels | None
    error: PpdmError | None
    unique_people: tuple[int, ...]
    rules: tuple[Bools | None, ...]
    picked: tuple[int, ...]
    texts: tuple[ColumnText, ...]

    @property
    def rule_counts(self) -> list[int | None]:
        """Number of people that each rule matches; None for a rule that cannot be carried out."""
        return [None if rule is None else self.basis.people_among(rule) for rule in self.rules]

    @property
    def people_without_rule(self) -> int:
        """Number of people that no rule matches; rules that cannot be evaluated match nobody."""
        counted = [rule for rule in self.rules if rule is not None]
        return self.basis.people - (self.basis.people_among(np.any(counted, axis=0)) if counted else 0)

    @property
    def people(self) -> list[int]:
        """Number of people at each level of ``levels.levels``; empty if levels cannot be computed."""
        return [] if self.levels is None else self.levels.people_at(self.basis.table.persons).tolist()

    @property
    def raised(self) -> int:
        """Number of people who have any stricter level than the weakest; 0 if levels cannot be computed."""
        if self.levels is None:
            return 0
        return sum(people for level, people in zip(self.levels.levels, self.people, strict=True) if level.rank > 0)


def find_levels(reading: Reading, recipe: Recipe, levels_basis: LevelsBasis | None) -> LevelCounts:
    """Return the privacy level of each record, and the number of people that each decision on levels concerns.

    A rule that cannot be evaluated has None instead of its rows. If the levels of records cannot be determined,
    ``levels`` is None and ``error`` says why. ``levels_basis`` is an earlier basis, which is reused if it was made from
    the same file and columns.

    Raises
    ------
    PpdmError
        When the columns do not fit, none is a quasi-identifier, or the definitions of levels contradict each other.
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
            rules.append(basis.select_rows(rule.where))
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
    unique_people: tuple[int, ...] = ()
    if levels is not None:
        first_rows = basis.table.persons.first_rows
        lonely = first_rows[basis.risk.matches[first_rows] == 1]
        counts = np.bincount(levels.codes[lonely], minlength=len(levels.levels))
        unique_people = tuple(int(count) for count in counts)
    progress.report(1.0, "doing.levels")
    return LevelCounts(
        basis=basis,
        privacy=privacy,
        level_map=level_map,
        levels=levels,
        error=error,
        unique_people=unique_people,
        rules=tuple(rules),
        picked=tuple(basis.picked_by(rule) for rule in privacy.rows),
        texts=texts,
    )


def column_texts(
    column: Column, privacy: PrivacySection, levels: LevelMap, records: Records | None = None
) -> tuple[ColumnText, ...]:
    """Return the words of a level column with their number of people and the level each means (None if none).

    Words come before whole numbers, and empty cells come last; within these, words with more people come first, then in
    alphabetical order. A person whose rows have several words counts for each. Without ``records`` each row counts as
    one person.
    """
    cell_texts = words_in(column)
    index_of = {word: number for number, word in enumerate(cell_texts)}
    of_code = np.array([index_of.get(word_of(column, text), 0) for text in column.texts], dtype=np.int64)
    codes = of_code[column.codes]
    whose = None if records is None else records.reduced or records.read.people
    if whose is not None and column.codes.size:
        width = len(cell_texts)
        codes = np.unique(whose.of_row * width + codes) % width
    counts = np.bincount(codes, minlength=len(cell_texts)).tolist()
    meant = map_words_to_levels(cell_texts, privacy, levels)
    level_texts = [
        ColumnText(word, people, level.name if (level := meant[word]) is not None else None)
        for word, people in zip(cell_texts, counts, strict=True)
    ]
    # Its place does not hang on its meaning, so that a row does not jump away once it was given one.
    return tuple(
        sorted(level_texts, key=lambda entry: (not entry.text, entry.text.isdigit(), -entry.people, entry.text))
    )


def spans_of(numbers: Rows) -> tuple[int | str, ...]:
    """Return row numbers in the recipe's form: 3, 40, 41, 42 become (3, "40-42"), and 7, 8 become ("7-8",).

    They are sorted, and each number counts once; empty for no number.
    """
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
    """A demand that is weaker in a stricter privacy level than in a weaker one.

    ``asks`` is the value in the level ``stricter``, ``than`` that in the level ``weaker``.
    """

    key: str
    stricter: str
    asks: float | str
    weaker: str
    than: float | str


def change_level_demand(named: Sequence[Level], name: str, key: str, value: float | str) -> tuple[Level, ...]:
    """Return the privacy levels with demand ``key`` of level ``name`` changed to ``value``.

    Added levels whose demands all equal those of that level are changed with it. Raise StopIteration if there is no
    such level.
    """
    old = next(level.demand for level in named if level.name == name)
    return tuple(
        replace(level, demand=_change_demand(level.demand, key, value))
        if level.name == name or (level.demand == old and not _is_default(level.name))
        else level
        for level in named
    )


def find_weakened_demands(named: Sequence[Level]) -> list[Weaker]:
    """Return each demand that is weaker in a privacy level than in the level before it.

    ``named`` are the levels, weakest first. The list is empty if no demand gets weaker. Only the demands that must not
    fall from level to level are compared, such as the size of groups.
    """
    return [
        Weaker(key, stricter.name, getattr(stricter.demand, key), weaker.name, getattr(weaker.demand, key))
        for weaker, stricter in itertools.pairwise(named)
        for key in RISING_LEVEL_KEYS
        if not stricter.demand.is_at_least_as_strict(key, weaker.demand)
    ]


def align_other_demands(named: Sequence[Level], name: str, key: str) -> tuple[Level, ...]:
    """Return the privacy levels so that demand ``key`` never gets weaker, without changing level ``name``.

    Stricter levels that demand less than that level get its value, and so do weaker ones that demand more. For groups
    of 5, 10, 20 and 50 with 20 changed to 8, the second becomes 8, too. ``named`` are the levels, weakest first.
    """
    index = next(i for i, level in enumerate(named) if level.name == name)
    demand = named[index].demand
    moved = []
    for i, level in enumerate(named):
        stricter, weaker = (level.demand, demand) if i > index else (demand, level.demand)
        fits = i == index or stricter.is_at_least_as_strict(key, weaker)
        moved.append(level if fits else replace(level, demand=_change_demand(level.demand, key, getattr(demand, key))))
    return tuple(moved)


def map_sections(named: Sequence[Level]) -> dict[str, LevelSection]:
    """Return the recipe's entries for privacy levels by name, with only what differs from the built-in levels.

    An added level has all its demands; a built-in level without a difference is left out.
    """
    defaults = {level.name: level.demand for level in DEFAULT_LEVELS}
    sections = {}
    for level in named:
        base = defaults.get(level.name)
        level_values = {
            key: getattr(level.demand, key)
            for key in LEVEL_KEYS
            if base is None or getattr(level.demand, key) != getattr(base, key)
        }
        if level_values:
            sections[level.name] = LevelSection.model_validate(level_values)
    return sections


def _change_demand(demand: Demand, key: str, value: float | str) -> Demand:
    """Return a copy of a privacy level's demands with one of them changed."""
    level_values: dict[str, Any] = {key: value}
    return replace(demand, **level_values)


def _is_default(name: str) -> bool:
    """Return whether this is the name of one of the built-in levels."""
    return any(level.name == name for level in DEFAULT_LEVELS)
