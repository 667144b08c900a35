"""Finding each record's privacy level: the strictest that the default, a column, a rule or a picked row asks for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date

import numpy as np
import numpy.typing as npt

from ppdm_desktop.engine.arrays import Bools, Codes, Floats, Ints, every_row
from ppdm_desktop.engine.errors import InputError, RecipeError
from ppdm_desktop.engine.recipe.models import Condition, PrivacySection, Scalar, is_day
from ppdm_desktop.engine.table.column import Column, Table, is_number, to_decimal
from ppdm_desktop.engine.table.day_numbers import day_floats
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
    """Return each record's privacy level: the strictest that is asked for it or for any row of the same person.

    A level says how large the group must be in which a record is hidden. It can come from the default, a level column,
    rules on values and lists of rows; the strictest wins, whatever its source. Where several sources ask for it, the
    first of these counts as its source. If the recipe leaves the default level as built in, records count as chosen by
    nobody unless something else in the recipe asks for at least this level for them or another row of the person.

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

    Returns
    -------
    The levels in use, weakest first, and the index of each record's level among them. It also counts the people by
    the source of their level, and the people whose rows asked for different levels.

    Raises
    ------
    RecipeError
        When a level, column or row does not exist, a comparison is impossible for the column's kind, or the level
        column is not clear (``level_column``).
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
        """Give the marked rows this level, with the source ``by``, unless theirs is as strict or stricter.

        Marked rows whose level was not stricter before, those that already had this level too, count as chosen by
        somebody.
        """
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
    """Raise RecipeError if a span ends beyond the row number of the table's last row; it names the first such."""
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
    there means a group size. Without it, a word means the level with this name, or a whole number from 1 a group size:
    "7" means groups of 7 records.

    Raises
    ------
    RecipeError
        When the recipe gives the word a meaning that is no level.
    """
    if word in privacy.words:
        return _find_named_level(levels, privacy.words[word], f'privacy.words."{word}"')
    return levels.find(word) if not privacy.words or word.isdigit() else None


def _find_level_by_code(column: Column, privacy: PrivacySection, levels: LevelMap) -> dict[int, Level | None]:
    """Return the privacy level that each text of the level column means, by the text's code; None if it means none.

    Only texts that occur are in the result. An empty cell asks for nothing and is left out, unless the recipe has
    ``[privacy.words]``: then it needs a meaning like any other.
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
    """Raise InputError if a text of the level column has no meaning; name the texts, rows and number of people.

    Up to five rows are named. If both texts and empty cells lack a meaning, rows and people are those of the texts, and
    the error is about these only.

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

    Example: of the rows 2, 3, 5 and 9, the spans (3, 5) and (9, 9) hold the last three.

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
    """Return whether the recipe leaves the default level as built in: the basic level, with its built-in group size.

    False where it names another default level, or states a group size for the basic level, even the built-in one.
    """
    basic = DEFAULT_LEVELS[0].name
    section = privacy.levels.get(basic)
    return str(privacy.default) == basic and (section is None or section.group is None)


def _sort_levels(levels: list[Level], codes: Codes, source: npt.NDArray[np.int8], unchosen: Bools) -> RecordLevels:
    """Return the record levels with the weakest level first and without levels that no record has.

    ``codes`` are the levels of the records as indices into ``levels``, shape (rows,). ``source`` says for each person
    where the level came from, as indices into ``SOURCES``, and is only counted. ``unchosen`` marks the rows whose level
    nobody chose. Without rows the first level is kept.
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


def records_of_rule(table: Table, where: Sequence[Condition], statuses: Callable[[], Statuses] | None) -> Bools:
    """Return which records fulfil all conditions of a rule, bool, shape (rows,); without conditions all of them.

    ``statuses`` returns which records are identifiable; it is called only where a condition asks for it, and may be
    None where none does.

    Raises
    ------
    RecipeError
        When a column does not exist, or a comparison is impossible for its kind.
    """
    rows = np.ones(table.rows, dtype=np.bool_)
    for condition in where:
        if condition.status is None:
            rows &= _find_records_by_value(table, condition)
            continue
        assert statuses is not None, "only the caller knows who is identifiable"
        rows &= statuses().unique if condition.status == "unique" else statuses().collective
    return rows


def warn_of_unmatched_rules(table: Table, privacy: PrivacySection) -> tuple[Note, ...]:
    """Return a warning for each of the recipe's rules on values that matches no record, with the rule's number from 1.

    Rules on who is identifiable are skipped, since it is good if they match nobody.

    Parameters
    ----------
    table
        The source.
    privacy
        The recipe's section ``[privacy]``, which ``resolve_levels`` has accepted.
    """
    notes = []
    for number, rule in enumerate(privacy.rules, start=1):
        is_on_values = all(condition.status is None for condition in rule.where)
        if is_on_values and not records_of_rule(table, rule.where, statuses=None).any():
            title = Term(level_title(rule.level, list_level_labels(privacy.words)))
            notes.append(Note("note.levels.rule-idle", {"rule": number, "level": title}))
    return tuple(notes)


def level_column(table: Table, privacy: PrivacySection) -> Column | None:
    """Return the column that holds privacy levels; None where there is none.

    It is the column that the recipe names, or the only one with the role ``privacy-level``. Raises RecipeError where
    the named column does not exist or has another role, and where several columns have the role and the recipe names
    none.
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
    low, high = condition.between or (condition.at_least, condition.at_most)
    rows = np.ones(table.rows, dtype=np.bool_)
    if low is not None:
        ranks, edge = _place_on_scale(column, low)
        rows &= ranks >= edge
    if high is not None:
        ranks, edge = _place_on_scale(column, high)
        rows &= ranks <= edge
    return rows


def _find_rows_with_values(column: Column, wanted: tuple[Scalar, ...]) -> Bools:
    """Return which rows have one of the wanted values, bool, shape (rows,); False where the value is missing.

    A numeric column is compared by number ("5" finds 5.0), any other by the exact text. Raises RecipeError where a
    value is no number and the column is numeric.
    """
    if column.kind == "numeric":
        numbers = [_to_comparable_number(column, value) for value in wanted]
        return np.asarray(np.isin(column.numbers, numbers) & ~column.missing)
    texts = {str(value) for value in wanted}
    flags = np.array([text in texts for text in column.texts], dtype=np.bool_)
    return np.asarray(flags[column.codes] & ~column.missing)


def _to_comparable_number(column: Column, value: Scalar) -> float:
    """Return a value from the recipe as a float: a number, or a text that is one with the column's decimal mark.

    "2,5" gives 2.5 in a column with decimal commas. Raises RecipeError for any other value, such as true or "many".
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
    """Return each row's position on the column's scale, shape (rows,), NaN where missing, and that of ``bound``.

    The position is the number, the rank from 0 in an ordinal column, or the day of a date, 1 for 0001-01-01; the bound
    of dates must be written as YYYY-MM-DD. A value without a position, such as a text outside the order, gives NaN.
    Raises RecipeError for a column of another kind, and for a bound that is not on the scale.
    """
    if column.kind == "numeric":
        return column.numbers, _to_comparable_number(column, bound)
    if column.kind == "ordinal" and column.order is not None and str(bound) in column.order:
        rank_of = {text: float(rank) for rank, text in enumerate(column.order)}
        return _look_up_numbers(column, rank_of), rank_of[str(bound)]
    if column.kind == "date" and is_day(str(bound)):
        return day_floats(column), float(date.fromisoformat(str(bound)).toordinal())
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
