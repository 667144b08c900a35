"""Finds the fewest records that have to be removed so that all others have a large enough class."""

from __future__ import annotations

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Floats, Ints
from ppdm_desktop.engine.identifiability.classes import Classes, row_sets
from ppdm_desktop.engine.table.people import People


def standing_out(classes: Classes, demands: Ints) -> Bools:
    """Return which records have to go because their class stays too small for them, bool, shape (records,).

    A class keeps its least demanding members: the largest m of which each demands at most m. No smaller number of
    records could be removed.

    Parameters
    ----------
    classes
        Classes of equal quasi-identifiers.
    demands
        Class each record asks for.
    """
    rows = len(demands)
    if not rows:
        return np.zeros(0, dtype=np.bool_)
    order = np.lexsort((demands, classes.ids))
    ids = classes.ids[order]
    starts = np.cumsum(classes.sizes) - classes.sizes
    rank = np.arange(rows) - starts[ids] + 1
    content = np.where(demands[order] <= rank, rank, 0)
    kept = np.maximum.reduceat(content, starts)
    is_small = np.empty(rows, dtype=np.bool_)
    is_small[order] = rank > kept[ids]
    return is_small


def hold_one_value(class_of: Ints, values: Ints, people: Floats, least: Floats) -> Bools:
    """Return which classes hold one value for so many people or more, bool, shape (classes,).

    Parameters
    ----------
    class_of, values, people
        Class and value of each pair, and how many people have them, shape (pairs,).
    least
        Shape (classes,).
    """
    width = int(values.max(initial=0)) + 1
    pairs, index = np.unique(class_of * width + values, return_inverse=True)
    held = np.bincount(index.reshape(-1), people, len(pairs))
    most = np.zeros(len(least))
    np.maximum.at(most, pairs // width, held)
    return np.asarray(most >= np.maximum(least, 1))


def rows_standing_out(classes: Classes, demands: Ints, people: People | None) -> Bools:
    """Return the rows to remove so that nobody who remains is in too small a class, bool, shape (rows,).

    Where a recipient could link a person's rows, all rows of people leave whose set of rows too few others have; else
    the rows of people too few of whom are in the row's class. No smaller number of people, or of people in a class,
    could be removed.

    Parameters
    ----------
    classes
        Rows with equal quasi-identifiers.
    demands
        How many people each row's person asks for, the same in all rows of one person.
    people
        Whose row each is; None where each row is another person.
    """
    if people is None:
        return standing_out(classes, demands)
    if people.linked:
        sets = row_sets(classes, people, ordered=people.in_order)
        alone = standing_out(sets, demands[people.first_rows])
        return alone[people.of_row]
    pairs, first, pair = np.unique(classes.ids * people.count + people.of_row, return_index=True, return_inverse=True)
    in_class = Classes(pairs // max(people.count, 1), classes.count)
    return np.asarray(standing_out(in_class, demands[first])[pair.reshape(-1)])


def with_company(
    out: Bools, classes: Classes, demands: Ints, blank: Bools, who: Ints | None = None, costs: Floats | None = None
) -> Bools | None:
    """Return which records to hide so that the hidden ones form a large enough class too; None if impossible.

    Hidden records are equivalent. Where they are too few for one of them, whole classes are hidden as well, the
    cheapest first, ties by row.

    Parameters
    ----------
    out
        Records that stand out.
    classes, demands
        As for ``standing_out``.
    blank
        Records that show no quasi-identifier anyway.
    who
        The person of each record, 0 and up; None where each is another. People are counted.
    costs
        What hiding each record costs; 1 where None.

    Returns
    -------
    The records to hide; None when all records together would be too few.
    """
    if not out.any():
        return out
    who = np.arange(len(out), dtype=np.int64) if who is None else who
    hidden = out | blank
    there_already = np.zeros(int(who.max()) + 1, dtype=np.bool_)
    there_already[who[hidden]] = True
    have, asked = int(there_already.sum()), int(demands[hidden].max())
    if have >= asked:
        return out
    rest = np.flatnonzero(~hidden)
    sizes = np.bincount(classes.ids[rest], None if costs is None else costs[rest], classes.count)
    first = np.full(classes.count, len(out), dtype=np.int64)
    np.minimum.at(first, classes.ids[rest], rest)
    most = np.zeros(classes.count, dtype=np.int64)
    np.maximum.at(most, classes.ids[rest], demands[rest])
    there = np.flatnonzero(first < len(out))
    order = there[np.lexsort((first[there], sizes[there]))]
    # A person joins with the first class that has a row of theirs.
    turn = np.full(classes.count, len(order), dtype=np.int64)
    turn[order] = np.arange(len(order))
    joins = np.full(len(there_already), len(order), dtype=np.int64)
    np.minimum.at(joins, who[rest], turn[classes.ids[rest]])
    joins[there_already] = len(order)
    coming = np.bincount(joins, minlength=len(order) + 1)[: len(order)]
    enough = have + np.cumsum(coming) >= np.maximum(np.maximum.accumulate(most[order]), asked)
    if not enough.any():
        return None
    joined = order[: int(np.argmax(enough)) + 1]
    return np.asarray(out | (~hidden & np.isin(classes.ids, joined)))
