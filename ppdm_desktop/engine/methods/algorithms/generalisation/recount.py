"""Recounts the promise of generalised quasi-identifiers: classes of the released table, level by level.

What the methods declare alike that make people equivalent to others by their quasi-identifiers.

Finds the fewest records that have to be removed so that all others have a large enough class.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Floats, Ints
from ppdm_desktop.engine.errors import InputError, RecipeError
from ppdm_desktop.engine.identifiability.classes import (
    Classes,
    count_people_alike,
    equivalence_classes,
    group_people_by_rows,
)
from ppdm_desktop.engine.methods.algorithms.people.within import refuse_varying_if_linked
from ppdm_desktop.engine.methods.algorithms.swapping.recount import levels_of
from ppdm_desktop.engine.methods.base.declaration import Method
from ppdm_desktop.engine.methods.base.step import LevelProof, Protection, Settings, Used, used_groups
from ppdm_desktop.engine.table.column import Table
from ppdm_desktop.engine.table.people import People
from ppdm_desktop.engine.wording.catalogue import Sentence, lazy
from ppdm_desktop.engine.wording.texts import role_words
from ppdm_desktop.engine.wording.values import Term, Value

# --- small classes ------------------------------------------------------------------------


def find_records_to_remove(classes: Classes, demands: Ints) -> Bools:
    """Return which records have to go because their class stays too small for them, bool, shape (records,).

    A class keeps its least demanding members: the largest m of which each demands at most m. No smaller number of
    records could be removed. Demands 2, 2 and 5 in a class of three: the record that asks for 5 has to go.

    Parameters
    ----------
    classes
        Classes of equal quasi-identifiers.
    demands
        The class size that each record asks for.
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
    """Return which classes have a value that so many people or more hold, bool, shape (classes,).

    Parameters
    ----------
    class_of, values, people
        Class and value of each pair, and how many people have them, shape (pairs,).
    least
        Shape (classes,): the number of people from which a class is flagged, at least 1.
    """
    width = int(values.max(initial=0)) + 1
    pairs, index = np.unique(class_of * width + values, return_inverse=True)
    held = np.bincount(index.reshape(-1), people, len(pairs))
    most = np.zeros(len(least))
    np.maximum.at(most, pairs // width, held)
    return np.asarray(most >= np.maximum(least, 1))


def find_rows_to_remove(classes: Classes, demands: Ints, people: People) -> Bools:
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
        Whose row each is.
    """
    if not people.with_several:
        return find_records_to_remove(classes, demands)
    if people.linked:
        sets = group_people_by_rows(classes, people, ordered=people.in_order)
        alone = find_records_to_remove(sets, demands[people.first_rows])
        return alone[people.of_row]
    pairs, first, pair = np.unique(classes.ids * people.count + people.of_row, return_index=True, return_inverse=True)
    in_class = Classes(pairs // max(people.count, 1), classes.count)
    return np.asarray(find_records_to_remove(in_class, demands[first])[pair.reshape(-1)])


def find_records_to_hide(
    out: Bools, classes: Classes, demands: Ints, blank: Bools, who: Ints | None = None, costs: Floats | None = None
) -> Bools | None:
    """Return which records to hide so that the hidden ones are a large enough class too; None if impossible.

    Hidden records are equivalent. Where they are too few for one of them, whole classes are hidden as well, the
    cheapest first, ties by row.

    ``out`` itself comes back where nobody stands out or the hidden ones are enough.

    Parameters
    ----------
    out
        Records that stand out.
    classes, demands
        As for ``find_records_to_remove``.
    blank
        Records that show no quasi-identifier anyway; they count as hidden, but are not added to the result.
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


# --- recount ------------------------------------------------------------------------------

_NUMBER = "group "  # how LevelMap.of_number calls a level


def find_demanded_sizes(table: Table, settings: Settings, parameter: str) -> Ints:
    """Return the group size that each record demands, int64, shape (records,).

    A written parameter holds for the weakest named level; a number as level is used as it is, or the parameter where
    that is larger.
    """
    levels = levels_of(table)
    asked = settings.demanded(parameter, "group", levels)
    level_groups = [level.demand.group if level.name.startswith(_NUMBER) else 0 for level in levels.levels]
    return np.maximum(np.array(asked, dtype=np.int64), np.array(level_groups, dtype=np.int64))[levels.codes]


def refuse_partial(table: Table, settings: Settings, method: Sentence, also: frozenset[str] = frozenset()) -> None:
    """Raise RecipeError for a step that leaves out a quasi-identifier, or that treats a column of another role.

    Columns of the roles in ``also`` may be treated with them. The values of a column left out would split the classes
    again.

    Raises
    ------
    RecipeError
        Naming the column.
    """
    for column in table.with_role("quasi-identifier"):
        if column.name not in settings.columns:
            raise RecipeError("error.generalising.left-over", column=column.name, args={"method": Term(method)})
    for name in settings.columns:
        role = table.column(name).role
        if role != "quasi-identifier" and role not in also:
            raise RecipeError(
                "error.generalising.not-quasi", column=name, args={"method": Term(method), "role": role_words(role)}
            )


def refuse_alone_by_number(people: People, demands: Ints) -> None:
    """Raise InputError if fewer people have a certain number of rows than one of these people demands as a group.

    Raises
    ------
    InputError
        Naming the smallest such number of rows.
    """
    asked = np.zeros(people.most_rows + 1, dtype=np.int64)
    np.maximum.at(asked, people.sizes, demands[people.first_rows])
    there = np.bincount(people.sizes, minlength=len(asked))
    short = np.flatnonzero((there > 0) & (there < asked))
    if len(short):
        arguments: dict[str, Value] = {
            "people": int(there[short].sum()),
            "rows": int(short[0]),
            "group": int(asked[short[0]]),
        }
        raise InputError("error.mondrian.alone-by-number", args=arguments)


def treated_classes(table: Table, settings: Settings) -> Classes:
    """Return the classes of rows that are equal in all columns of the step."""
    return equivalence_classes([table.column(name) for name in settings.columns], table.rows)


def count_alike_in_release(classes: Classes, people: People) -> Ints:
    """Return for each row how many people its person cannot be distinguished from in the release, itself included.

    int64, shape (rows,). Where the rows of a person can be put together, people with equal sets of rows are counted.

    Parameters
    ----------
    classes
        Of rows with equal quasi-identifiers.
    people
        Whose row each is and whether a recipient could put a person's rows together.
    """
    return count_people_alike(classes, people, linked=people.linked, ordered=people.in_order)


def level_proofs(
    before: Table, columns: Sequence[str], demands: Ints, sizes: Ints, *, removed: Bools | None = None, firm: bool
) -> tuple[LevelProof, ...]:
    """Return a line for each level, counted in people; a person with several rows counts by the worst one.

    Each proof is met where everybody covered reaches the demand; without ``firm`` it is always met.

    Parameters
    ----------
    before
        The step's input, which has every record.
    columns
        The step's columns.
    demands, sizes
        Of each record of the input: the people asked for in its class, and those reached.
    removed
        Records that are not released; they count as served. A person is gone with their last row.
    firm
        True when every record is promised its class, False when those without are not covered.
    """
    levels = levels_of(before)
    gone = np.zeros(before.rows, dtype=np.bool_) if removed is None else removed
    served = gone | (sizes >= demands)
    everybody = np.zeros(before.rows, dtype=np.bool_)
    everybody[before.persons.first_by(gone, served, sizes)] = True
    proofs = []
    for index, level in enumerate(levels.levels):
        rows = np.flatnonzero((levels.codes == index) & everybody)
        covered = len(rows) if firm else int(served[rows].sum())
        there = rows[~gone[rows]] if firm else rows[served[rows] & ~gone[rows]]
        worst = int(there[sizes[there].argmin()]) if len(there) else None
        proofs.append(
            LevelProof(
                level.name,
                ", ".join(columns),
                len(rows),
                covered,
                len(rows) - covered,
                float(demands[rows].max(initial=0) or level.demand.group),
                None if worst is None else float(sizes[worst]),
                None if worst is None else int(before.row_numbers[worst]),
                bool(served[rows].all()) if firm else True,
            )
        )
    return tuple(proofs)


def make_protections(columns: Sequence[str], ids: Ints, served: Bools) -> tuple[Protection, ...]:
    """Return a protection for each column, in which the records of a class share their values.

    ``ids`` is the class of each record, ``served`` says who is covered; the others get the class -1.
    """
    treatment = np.where(served, ids, -1)
    return tuple(Protection(name, "grouped", served, treatment) for name in columns)


# --- group method -------------------------------------------------------------------------

GROUPS_LARGE_ENOUGH = lazy(
    "For everyone, the group with the same released details is at least as large as their protection level asks for."
)


class GeneralisingMethod(Method):
    """A method after which shown values stand for disjoint sets of true ones, and groups can be counted."""

    several_rows = "people"
    protects = "identity"
    reads_levels = ("group",)
    worst_is = "group"
    attacks = ("linkage", "inference")

    def recodes(self, settings: Settings) -> bool:
        """Return True: every shown value stands for a set of true ones that no other shown value stands for."""
        return True


class GroupMethod(GeneralisingMethod):
    """A method that gives everybody a group of the size in its parameter ``k``, or the one their level demands."""

    def refuse_unfit_people(self, table: Table, settings: Settings) -> None:
        """Raise RecipeError for a column that changes within a person, if the release tells which rows belong together.

        Raises
        ------
        RecipeError
            Naming the column.
        """
        refuse_varying_if_linked(table, settings)

    def _list_used_values(self, table: Table, settings: Settings, detail: Mapping[str, Any] | None) -> Iterable[Used]:
        """Yield the group size k used for the people of each protection level."""
        yield from used_groups("k", levels_of(table), find_demanded_sizes(table, settings, "k"))
