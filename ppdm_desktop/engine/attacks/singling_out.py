"""Singling out: people whose true values exactly one released record shows.

An intruder who knows a person's true values looks for released records that show just these. A person is singled out
where exactly one record does and it is theirs (or was made from their group of one). A hidden cell matches every
value.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import AnyInts, Floats, Ints
from ppdm_desktop.engine.identifiability.classes import classes_of_codes

HIDDEN = -2
"""Code of a released cell that hides its value: it matches every value."""
_MOST_PATTERNS = 256
_NOBODY, _SEVERAL = -1, -2


@dataclass(frozen=True, eq=False)
class SingledOut:
    """The result for each person, float64, shape (people,) each.

    Attributes
    ----------
    alone
        1 where exactly one released record shows the person's values and it is their own.
    fooled
        1 where exactly one shows them and it is another person's: the intruder would be wrong.
    """

    alone: Floats
    fooled: Floats


def singled_out(true: Sequence[AnyInts], released_codes: Sequence[AnyInts], own_records: Ints) -> SingledOut:
    """Return for each person whether exactly one released record shows their true values, and whether it is theirs.

    Parameters
    ----------
    true
        Codes of the known columns, one at the least, true values, shape (people,) each, -1 where missing.
    released_codes
        The same columns as released, shape (records,) each; equal codes are equal values, ``HIDDEN`` is every value.
    own_records
        int64, shape (people,): released record that is the person's own, -1 where there is none.
    """
    only_records = only_holder(true, released_codes, np.arange(len(released_codes[0]), dtype=np.int64))
    is_single, mine = only_records >= 0, only_records == own_records
    return SingledOut((is_single & mine).astype(np.float64), (is_single & ~mine).astype(np.float64))


def only_holder(true: Sequence[AnyInts], released_codes: Sequence[AnyInts], holder: Ints) -> Ints:
    """Return for each row of true values the only holder of released records that match it, int64, shape (rows,).

    Negative where no record matches, or records of several holders.

    Parameters
    ----------
    true, released_codes
        As in ``singled_out``; true values of shape (rows,).
    holder
        Whose each released record is, 0 and up, shape (records,).
    """
    rows = len(true[0])
    draw = np.full(rows, _NOBODY, dtype=np.int64)
    for columns, records in _by_pattern(released_codes):
        progress.check()
        size = rows + len(records)
        # One column at a time: of a large table not all of them, put together, fit into memory.
        together = (
            np.concatenate([true[column], _select_records(released_codes[column], records)]) for column in columns
        )
        ids = classes_of_codes(together, size).ids if columns else np.zeros(size, dtype=np.int64)
        progress.check()
        target_ids, released = ids[:rows], ids[rows:]
        here = np.full(int(ids.max(initial=-1)) + 1, _NOBODY, dtype=np.int64)
        here[released] = holder[records]
        # Any one of the class was kept; a record of another holder shows that there are several.
        here[released[here[released] != holder[records]]] = _SEVERAL
        also = here[target_ids]
        draw = np.where(draw == _NOBODY, also, np.where((also == _NOBODY) | (also == draw), draw, _SEVERAL))
    return draw


def _select_records(codes: AnyInts, records: Ints) -> AnyInts:
    """Return the codes of some records; the same array where these are all of them."""
    return codes if len(records) == len(codes) else codes[records]


def _by_pattern(released_codes: Sequence[AnyInts]) -> Iterator[tuple[list[int], Ints]]:
    """Yield for each pattern of hidden cells the columns that are not hidden and the records; commonest first.

    Records with patterns beyond ``_MOST_PATTERNS`` are ignored: there are so many only where cells are hidden one by
    one, and few records have any one of them.
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
