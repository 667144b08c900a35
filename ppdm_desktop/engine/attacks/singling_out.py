"""Singling out: finds people whose true values are shown by exactly one released record.

An intruder who knows a person's true values looks for released records that show exactly these. A person is singled
out where exactly one record does and it is theirs (or was made from their group of one). A hidden cell matches every
value.

Also finds people who can be singled out by the number of days between their dates.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import AnyInts, Bools, Floats, Ints
from ppdm_desktop.engine.identifiability.classes import classes_of_codes

HIDDEN = -2
"""Code of a released cell that hides its value: it matches every value."""
_MOST_PATTERNS = 256
_NO_PERSON, _SEVERAL = -1, -2


@dataclass(frozen=True, eq=False)
class SingledOut:
    """The result for each person, float64, shape (people,) each.

    Attributes
    ----------
    identified
        1 where exactly one released record shows the person's values and it is their own.
    fooled
        1 where exactly one record shows the person's values and it is not their own: the intruder would be wrong.
    """

    identified: Floats
    fooled: Floats


def find_singled_out(true: Sequence[AnyInts], released_codes: Sequence[AnyInts], own_records: Ints) -> SingledOut:
    """Return for each person whether exactly one released record shows their true values, and whether it is theirs.

    The result has 1 or 0 for each person: ``identified`` where it is theirs, ``fooled`` where it is not, also for a
    person without a record. A missing value equals another missing one. Only records with the 256 commonest
    combinations of hidden columns are compared.

    Parameters
    ----------
    true
        Codes of the true values in the columns that the intruder knows (at least one), shape (people,) each, -1 where
        missing.
    released_codes
        Codes of the released values in the same columns, shape (records,) each; ``HIDDEN`` matches every value.
    own_records
        int64, shape (people,): released record that is the person's own, -1 where there is none.
    """
    only_records = find_only_holders(true, released_codes, np.arange(len(released_codes[0]), dtype=np.int64))
    is_single, mine = only_records >= 0, only_records == own_records
    return SingledOut((is_single & mine).astype(np.float64), (is_single & ~mine).astype(np.float64))


def find_only_holders(true: Sequence[AnyInts], released_codes: Sequence[AnyInts], holder: Ints) -> Ints:
    """Return for each row of true values the one person whose released records match it, int64, shape (rows,).

    It is -1 where no record matches, and -2 where records of several people match. A hidden cell matches every value;
    only records with the 256 commonest combinations of hidden columns are compared.

    Parameters
    ----------
    true, released_codes
        Codes of the true values, shape (rows,) for each column, and of the released values, shape (records,) for each
        column; equal codes are equal values, ``HIDDEN`` matches every value.
    holder
        Person of each released record, 0 and up, shape (records,).
    """
    rows = len(true[0])
    draw = np.full(rows, _NO_PERSON, dtype=np.int64)
    for columns, records in _group_by_hidden_cells(released_codes):
        progress.check()
        size = rows + len(records)
        # One column at a time: of a large table not all of them, put together, fit into memory.
        together = (
            np.concatenate([true[column], _select_records(released_codes[column], records)]) for column in columns
        )
        ids = classes_of_codes(together, size).ids if columns else np.zeros(size, dtype=np.int64)
        progress.check()
        target_ids, released = ids[:rows], ids[rows:]
        here = np.full(int(ids.max(initial=-1)) + 1, _NO_PERSON, dtype=np.int64)
        here[released] = holder[records]
        # Any one of the class was kept; a record of another holder shows that there are several.
        here[released[here[released] != holder[records]]] = _SEVERAL
        also = here[target_ids]
        draw = np.where(draw == _NO_PERSON, also, np.where((also == _NO_PERSON) | (also == draw), draw, _SEVERAL))
    return draw


def _select_records(codes: AnyInts, records: Ints) -> AnyInts:
    """Return the codes of the records at these indices; ``codes`` itself if all records are asked for."""
    return codes if len(records) == len(codes) else codes[records]


def _group_by_hidden_cells(released_codes: Sequence[AnyInts]) -> Iterator[tuple[list[int], Ints]]:
    """Yield, for each pattern of hidden cells, the indices of columns not hidden and of its records; commonest first.

    The records without hidden cells have a pattern, too. Records of all but the 256 commonest patterns are ignored: so
    many occur only where cells are hidden one by one, and then each is shared by few records.
    """
    hiding = [(column, codes == HIDDEN) for column, codes in enumerate(released_codes) if (codes == HIDDEN).any()]
    if not hiding:
        yield list(range(len(released_codes))), np.arange(len(released_codes[0]), dtype=np.int64)
        return
    patterns = classes_of_codes([hidden.astype(np.int64) for _, hidden in hiding], len(released_codes[0])).ids
    for pattern in np.argsort(-np.bincount(patterns), kind="stable").tolist()[:_MOST_PATTERNS]:
        records = np.flatnonzero(patterns == pattern).astype(np.int64)
        gone = {column for column, hidden in hiding if hidden[records[0]]}
        yield [column for column in range(len(released_codes)) if column not in gone], records


MOST_DATES = 20
"""So many dates of a person are compared, the earliest first."""


def days_after_first(unit: Ints, days: Ints, count: int) -> Ints:
    """Return the days from each unit's first date to all its dates, rising, shape (count, most dates); padded with -1.

    A unit is a row or a person. At most the earliest 20 dates of a unit are used, equal ones each for itself. A unit
    with days 10, 17 and 12 has the line 0, 2, 7; one without a date has only -1.

    Parameters
    ----------
    unit, days
        The unit of each date, and its day as a number; each of shape (dates,).
    count
        Number of units.
    """
    order = np.lexsort((days, unit))
    unit, days = unit[order], days[order]
    sizes = np.bincount(unit, minlength=count)
    starts = np.cumsum(sizes) - sizes
    position = np.arange(len(unit)) - starts[unit]
    kept = position < MOST_DATES
    after_first = np.full((count, min(int(sizes.max(initial=0)), MOST_DATES)), -1, dtype=np.int64)
    after_first[unit[kept], position[kept]] = (days - days[starts[unit]])[kept] if len(unit) else 0
    return after_first


def has_unique_dates(true: Ints, released: Ints, person: Ints) -> Bools:
    """Return for each unit whether its true days between all dates are released only in rows of its own person.

    A unit is a row or a person. All its dates count together, as days after the first (such as 0, 2, 7). The result has
    shape (units,). False for a unit with fewer than two dates, and where no released row shows these days.

    Parameters
    ----------
    true, released
        Days after the first date of the true and of the released rows, as ``days_after_first`` returns them, of the
        same units; both cut to the same number of dates, at least two.
    person
        The person of each unit.
    """
    columns = [np.concatenate([true[:, at], released[:, at]]) for at in range(true.shape[1])]
    codes = classes_of_codes(columns, 2 * len(true)).ids
    holder = find_only_holders([codes[: len(true)]], [codes[len(true) :]], person)
    return np.asarray((holder == person) & (true[:, 1] >= 0))


def has_unique_date_pair(true: Ints, released: Ints, person: Ints) -> Bools:
    """Return for each unit whether the days between some two true dates are released only in rows of its own person.

    A unit is a row or a person. ``True`` needs a pair of true dates whose difference, such as 5 days, lies between any
    two dates of a released row of this person and of no row of another person. False for a unit with fewer than two
    dates. The result has shape (units,).

    Parameters
    ----------
    true, released
        Days after the first date of the true and of the released rows, as ``days_after_first`` returns them, of the
        same units.
    person
        The person of each unit.
    """
    people = int(person.max(initial=0)) + 1
    pairs = [(first, second) for second in range(true.shape[1]) for first in range(second)]
    difference_keys = [
        (released[:, second] - released[:, first])[here] * people + person[here]
        for first, second in progress.each(pairs)
        if len(here := np.flatnonzero(released[:, second] >= 0))
    ]
    keys = np.unique(np.concatenate([np.zeros(0, dtype=np.int64), *difference_keys]))
    differences, first_key, holders = np.unique(keys // people, return_index=True, return_counts=True)
    is_unique = np.zeros(len(true), dtype=np.bool_)
    if not len(keys):
        return is_unique
    for first, second in progress.each(pairs):
        days_apart = true[:, second] - true[:, first]
        at = np.minimum(np.searchsorted(differences, days_apart), len(differences) - 1)
        is_single = (differences[at] == days_apart) & (holders[at] == 1) & (true[:, second] >= 0)
        is_unique |= is_single & (keys[first_key[at]] % people == person)
    return is_unique
