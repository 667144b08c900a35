"""Finding each record's privacy level: the strictest that the default, a column, a rule or a picked row asks for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date

import numpy as np
import numpy.typing as npt

from ppdm_desktop.engine.arrays import Bools, Codes, Floats, Ints, every_row
from ppdm_desktop.engine.errors import InputError, RecipeError
from ppdm_desktop.engine.recipe.models import Condition, PrivacySection, Scalar
from ppdm_desktop.engine.table.column import Column, Table, is_number, to_decimal
from ppdm_desktop.engine.table.dates import DateFormat
from ppdm_desktop.engine.table.levels import DEFAULT_LEVELS, Level, LevelMap, RecordLevels
from ppdm_desktop.engine.table.people import People
from ppdm_desktop.engine.wording.texts import Note, describe_kind, describe_role, level_title, list_level_labels
from ppdm_desktop.engine.wording.values import Name, Names, Quoted, Term, Terms, Value

_MOST_ROWS = 5

SOURCES = ("default", "column", "rules", "rows")


@dataclass(frozen=True)
class Statuses:
    """Which input records are uniquely or collectively identifiable, as two bool arrays of shape (rows,)."""

    unique: Bools
    collective: Bools


def resolve_levels(
    table: Table,
    privacy: PrivacySection,
    levels: LevelMap,
    statuses: Callable[[], Statuses],
    reduced: People | None = None,
) -> RecordLevels:
    """Return each record's privacy level: the strictest that is asked for it or for another row of the same person.

    If the recipe leaves the default level as built in, records for which nothing else in it asks for as much are marked
    as chosen by nobody.

    Parameters
    ----------
    table
        The source with roles and kinds, before bins (rules compare the values as read). If it tells people apart, all
        rows of a person have the strictest level of any of them.
    privacy
        The recipe's section ``[privacy]``.
    levels
        The levels that the names in ``privacy`` refer to.
    statuses
        Returns which records are identifiable; called only where a rule asks for it.
    reduced
        The person of each row, if the result is to have one level for each person; None for one level for each row.

    Raises
    ------
    RecipeError
        When a level, column or row does not exist, or a comparison is impossible for the column's kind.
    InputError
        When a text, or an empty cell, of the level column has no meaning; names rows and the number of people.
    """
    used_levels: dict[str, Level] = {}

    def index_of(level: Level) -> int:
        """Return the position of a level among those used so far; a new level is added at the end."""
        used_levels.setdefault(level.name, level)
        return list(used_levels).index(level.name)

    default = index_of(_find_named_level(levels, privacy.default, "privacy.default"))
    codes = np.full(table.rows, default, dtype=np.int32)
    source = np.zeros(table.rows, dtype=np.int8)
    unchosen = np.full(table.rows, _is_left_at_default(privacy))

    def raise_to(rows: Bools, level: int, by: str) -> None:
        """Give the marked rows a stricter level from the source ``by``; those not stricter before count as chosen."""
        strictness = [LevelMap.strictness(used) for used in used_levels.values()]
        is_stricter = np.array([used > strictness[level] for used in strictness], dtype=np.bool_)
        is_weaker = np.array([used < strictness[level] for used in strictness], dtype=np.bool_)
        unchosen[rows & ~is_stricter[codes]] = False
        changed = rows & is_weaker[codes]
        codes[changed] = level
        source[changed] = SOURCES.index(by)

    people = reduced or table.persons
    column = level_column(table, privacy)
    if column is not None:
        meant = _find_level_by_code(column, privacy, levels)
        _refuse_without_meaning(table, column, meant, people, privacy, levels)
        for code, level in meant.items():
            if level is not None:
                raise_to(column.codes == code, index_of(level), "column")
    for number, rule in enumerate(privacy.rules, start=1):
        level_index = index_of(_find_named_level(levels, rule.level, f"privacy.rules[{number}].level"))
        raise_to(records_of_rule(table, rule.where, statuses), level_index, "rules")
    for number, rows_rule in enumerate(privacy.rows, start=1):
        level_index = index_of(_find_named_level(levels, rows_rule.level, f"privacy.rows[{number}].level"))
        _refuse_beyond(table, rows_rule.spans())
        raise_to(rows_in_spans(table.row_numbers, rows_rule.spans()), level_index, "rows")
    strictness = np.array([LevelMap.strictness(used) for used in used_levels.values()], dtype=np.int64).reshape(-1, 2)
    rank = np.lexsort((strictness[:, 1], strictness[:, 0])).argsort()[codes]
    strictest = people.first_by(-rank)
    several = int(np.count_nonzero(rank[people.first_by(rank)] != rank[strictest]))
    is_default = ~people.with_any(~unchosen)
    rows = people.of_row if reduced is None else every_row(people.count)
    made = _sort_levels(list(used_levels.values()), codes[strictest][rows], source[strictest], is_default[rows])
    return replace(made, several_within=several)


def _refuse_beyond(table: Table, spans: Iterable[tuple[int, int]]) -> None:
    """Raise RecipeError if a span of row numbers ends beyond the table's last row."""
    last = int(table.row_numbers[-1]) if table.rows else 0
    beyond = next((high for _, high in spans if high > last), None)
    if beyond is not None:
        raise RecipeError("error.levels.no-such-row", row=beyond, args={"rows": last})


def word_of(column: Column, text: str) -> str:
    """Return the text in a cell of the privacy level column, without outer blanks; "" where the cell is missing."""
    return "" if text in column.missing_texts else text.strip()


def meaning_of(word: str, privacy: PrivacySection, levels: LevelMap) -> Level | None:
    """Return the privacy level that a word of the level column means; None where it has no meaning.

    If the recipe has ``[privacy.words]``, a word means what is written there, and a whole number that is not listed
    there means this group size. Without it, a word means the level with this name, or a whole number this group size.

    Raises
    ------
    RecipeError
        When the recipe gives the word a meaning that is no level.
    """
    if word in privacy.words:
        return _find_named_level(levels, privacy.words[word], f'privacy.words."{word}"')
    return levels.find(word) if not privacy.words or word.isdigit() else None


def _find_level_by_code(column: Column, privacy: PrivacySection, levels: LevelMap) -> dict[int, Level | None]:
    """Return the privacy level that each text of the level column means, by the text's code; None without a meaning.

    Only texts that occur are given. Without ``[privacy.words]`` in the recipe an empty cell asks for nothing and is
    left out.
    """
    used = np.flatnonzero(column.used_texts()).tolist()
    word_of_code = {code: word_of(column, column.texts[code]) for code in used}
    return {code: meaning_of(word, privacy, levels) for code, word in word_of_code.items() if word or privacy.words}


def _refuse_without_meaning(
    table: Table,
    column: Column,
    meant: dict[int, Level | None],
    people: People,
    privacy: PrivacySection,
    levels: LevelMap,
) -> None:
    """Raise InputError if a word of the level column has no meaning, naming up to five rows and the number of people.

    Empty cells are named only if all words have a meaning.

    Parameters
    ----------
    meant
        The level that each code of the column means, or None.
    levels
        The levels that the error names as known.
    """
    unmapped = [code for code, level in meant.items() if level is None]
    if not unmapped:
        return
    word_of_code = {code: word_of(column, column.texts[code]) for code in unmapped}
    # What is empty in several ways is one thing to say, and stated after the words.
    codes_with_text = [code for code in unmapped if word_of_code[code]]
    rows = np.flatnonzero(np.isin(column.codes, codes_with_text or unmapped))
    arguments: dict[str, Value] = {
        "people": len(np.unique(people.of_row[rows])),
        "rows": Terms(tuple(map(str, table.row_numbers[rows[:_MOST_ROWS]].tolist()))),
        "known": Terms(tuple(level.name for level in levels.named)),
    }
    row = int(table.row_numbers[rows[0]])
    if not codes_with_text:
        raise InputError("error.levels.no-word", column=column.name, row=row, args=arguments)
    arguments["found"] = Names.of([word_of_code[code] for code in codes_with_text])
    raise InputError("error.levels.unknown-text", column=column.name, row=row, args=arguments)


def rows_in_spans(numbers: Ints, spans: Sequence[tuple[int, int]]) -> Bools:
    """Return which row numbers lie in at least one of some spans, both ends included, bool, shape (rows,).

    Parameters
    ----------
    numbers
        Row numbers, shape (rows,), ascending.
    spans
        Pairs of first and last row number, such as (12, 12) and (40, 57).
    """
    edges = np.array(spans, dtype=np.int64).reshape(-1, 2)
    size = len(numbers) + 1
    begins = np.bincount(np.searchsorted(numbers, edges[:, 0], side="left"), minlength=size)
    ends = np.bincount(np.searchsorted(numbers, edges[:, 1], side="right"), minlength=size)
    return np.asarray(np.cumsum(begins - ends)[:-1] > 0)


def _is_left_at_default(privacy: PrivacySection) -> bool:
    """Return whether the recipe chooses neither a default level nor a group size for the basic level."""
    basic = DEFAULT_LEVELS[0].name
    section = privacy.levels.get(basic)
    return str(privacy.default) == basic and (section is None or section.group is None)


def _sort_levels(levels: list[Level], codes: Codes, source: npt.NDArray[np.int8], unchosen: Bools) -> RecordLevels:
    """Return the record levels with the weakest level first and without levels that no record has.

    ``codes`` are indices into ``levels``, shape (rows,); ``source`` are indices into ``SOURCES``, one for each person,
    which are only counted; ``unchosen`` tells of which rows nobody chose the level. Without rows the first level is
    kept.
    """
    used = [i for i in range(len(levels)) if (codes == i).any()] or [0]
    used.sort(key=lambda i: LevelMap.strictness(levels[i]))
    new = np.zeros(len(levels), dtype=np.int32)
    new[used] = np.arange(len(used), dtype=np.int32)
    counts = np.bincount(source, minlength=len(SOURCES))
    return RecordLevels(
        tuple(levels[i] for i in used),
        new[codes],
        {name: int(count) for name, count in zip(SOURCES, counts, strict=True)},
        unchosen=unchosen,
    )


def _find_named_level(levels: LevelMap, name: str | int, where: str) -> Level:
    """Return the level with a name or group size; raise RecipeError, naming the key ``where``, if there is none."""
    level = levels.find(str(name))
    if level is None:
        raise RecipeError(
            "error.levels.unknown-name",
            args={
                "key": Term(where),
                "found": Name(str(name)),
                "known": Terms(tuple(level.name for level in levels.named)),
            },
        )
    return level


def records_of_rule(table: Table, where: Sequence[Condition], statuses: Callable[[], Statuses]) -> Bools:
    """Return which records fulfil all conditions of a rule, bool, shape (rows,).

    ``statuses`` returns which records are identifiable.

    Raises
    ------
    RecipeError
        When a column does not exist, or a comparison is impossible for its kind.
    """
    rows = np.ones(table.rows, dtype=np.bool_)
    for condition in where:
        rows &= _find_matching_records(table, condition, statuses)
    return rows


def warn_of_unmatched_rules(table: Table, privacy: PrivacySection) -> tuple[Note, ...]:
    """Return a warning for each rule on values that matches no record.

    Parameters
    ----------
    table
        The source.
    privacy
        The recipe's section ``[privacy]``, which ``resolve_levels`` has accepted. Rules on who is identifiable are
        skipped, since it is good if they match nobody.
    """
    notes = []
    for number, rule in enumerate(privacy.rules, start=1):
        if any(condition.status is not None for condition in rule.where):
            continue
        rows = np.ones(table.rows, dtype=np.bool_)
        for condition in rule.where:
            rows &= _find_records_by_value(table, condition)
        if not rows.any():
            notes.append(
                Note(
                    "note.levels.rule-idle",
                    {"rule": number, "level": Term(level_title(rule.level, list_level_labels(privacy.words)))},
                )
            )
    return tuple(notes)


def level_column(table: Table, privacy: PrivacySection) -> Column | None:
    """Return the column that holds privacy levels; None where there is none.

    It is the column that the recipe names, or the only one with the role ``privacy-level``. Raises RecipeError where
    the named column does not exist or has another role, or several columns have the role and none is named.
    """
    by_role = table.with_role("privacy-level")
    if privacy.column is not None:
        column = table.column(privacy.column)
        if column.role != "privacy-level":
            raise RecipeError("error.levels.wrong-role", column=column.name, args={"role": describe_role(column.role)})
        return column
    if len(by_role) > 1:
        raise RecipeError(
            "error.levels.several-columns", args={"columns": Names.of([column.name for column in by_role])}
        )
    return by_role[0] if by_role else None


def _find_matching_records(table: Table, condition: Condition, statuses: Callable[[], Statuses]) -> Bools:
    """Return which records fulfil a condition on a value, or on being identifiable, bool, shape (rows,).

    ``statuses`` returns who is uniquely or collectively identifiable; it is called only where the condition asks for
    it.
    """
    if condition.status is not None:
        of_rows = statuses()
        return of_rows.unique if condition.status == "unique" else of_rows.collective
    return _find_records_by_value(table, condition)


def _find_records_by_value(table: Table, condition: Condition) -> Bools:
    """Return which records fulfil a condition on a column's value, bool, shape (rows,).

    The condition is one of these: the cell is missing, equals a value, equals one of several values, or is at least a
    bound, at most a bound or between two, which are included. A missing cell fulfils only the first. Raises RecipeError
    where the column does not exist, or the comparison is impossible for its kind.
    """
    assert condition.column is not None
    column = table.column(condition.column)
    if condition.missing:
        return column.missing
    if condition.equals is not None:
        return _find_rows_with_values(column, (condition.equals,))
    if condition.in_ is not None:
        return _find_rows_with_values(column, condition.in_)
    if condition.between is not None:
        low, high = condition.between
        return _find_rows_at_least(column, low) & _find_rows_at_most(column, high)
    if condition.at_least is not None:
        return _find_rows_at_least(column, condition.at_least)
    assert condition.at_most is not None
    return _find_rows_at_most(column, condition.at_most)


def _find_rows_at_least(column: Column, bound: Scalar) -> Bools:
    """Return which rows have a value of at least ``bound``, bool, shape (rows,); False where it is missing."""
    ranks, edge = _place_on_scale(column, bound)
    return np.asarray(ranks >= edge)


def _find_rows_at_most(column: Column, bound: Scalar) -> Bools:
    """Return which rows have a value of at most ``bound``, bool, shape (rows,); False where it is missing."""
    ranks, edge = _place_on_scale(column, bound)
    return np.asarray(ranks <= edge)


def _find_rows_with_values(column: Column, wanted: tuple[Scalar, ...]) -> Bools:
    """Return which rows have one of the wanted values, bool, shape (rows,); False where the value is missing.

    Numeric columns are compared by number, others by text.
    """
    if column.kind == "numeric":
        numbers = [_to_comparable_number(column, value) for value in wanted]
        return np.asarray(np.isin(column.numbers, numbers) & ~column.missing)
    texts = {str(value) for value in wanted}
    flags = np.array([text in texts for text in column.texts], dtype=np.bool_)
    return np.asarray(flags[column.codes] & ~column.missing)


def _to_comparable_number(column: Column, value: Scalar) -> float:
    """Return a value from the recipe as a float: a number, or a text that is one with the column's decimal mark.

    Raises RecipeError for any other value.
    """
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    mark = column.style.decimal if column.style else "."
    if isinstance(value, str) and is_number(value, mark):
        return float(to_decimal(value, mark))
    raise RecipeError(
        "error.levels.not-comparable",
        column=column.name,
        args={"found": Quoted(str(value)), "kind": describe_kind("numeric")},
    )


def _place_on_scale(column: Column, bound: Scalar) -> tuple[Floats, float]:
    """Return each row's position on the column's scale, shape (rows,), NaN where missing, and the position of a bound.

    The position is the number, the rank from 0 in an ordinal column, or the day number of a date, whose bound must be
    written as in ISO. Raises RecipeError for a column of another kind, and for a bound that is not on the scale.
    """
    if column.kind == "numeric":
        return column.numbers, _to_comparable_number(column, bound)
    if column.kind == "ordinal" and column.order is not None and str(bound) in column.order:
        rank_of = {text: float(rank) for rank, text in enumerate(column.order)}
        return _look_up_numbers(column, rank_of), rank_of[str(bound)]
    if column.kind == "date":
        edge = _parse_iso_day(str(bound))
        if edge is not None:
            form = DateFormat.parse(column.date_format) if column.date_format is not None else None
            days = {text: day for text in column.texts if (day := _parse_day(text, form)) is not None}
            return _look_up_numbers(column, days), edge
    raise RecipeError(
        "error.levels.not-comparable",
        column=column.name,
        args={"found": Quoted(str(bound)), "kind": describe_kind(column.kind)},
    )


def _look_up_numbers(column: Column, number_of: dict[str, float]) -> Floats:
    """Return for each row the number that ``number_of`` gives its text, shape (rows,); NaN where there is none."""
    per_text = np.array([number_of.get(text, np.nan) for text in column.texts], dtype=np.float64)
    per_row = per_text[column.codes]
    per_row[column.missing] = np.nan
    return per_row


def _parse_day(text: str, form: DateFormat | None) -> float | None:
    """Return the day number of a date text (1 is 1 January of year 1); None where it is no date.

    ``form`` is the column's date format; with None the text has to be an ISO date.
    """
    if form is None:
        return _parse_iso_day(text)
    moment = form.read(text)
    return float(moment[0].toordinal()) if moment is not None else None


def _parse_iso_day(text: str) -> float | None:
    """Return the day number of an ISO date with or without time (1 is 1 January of year 1); None for no date."""
    try:
        return float(date.fromisoformat(text[:10]).toordinal())
    except ValueError:
        return None
