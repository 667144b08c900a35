"""Checks the promise of generalised quasi-identifiers: the size of each person's group, by privacy level.

A class is a set of rows with equal quasi-identifiers. The module also finds the fewest records whose removal makes all
remaining classes large enough, and has the declarations that the grouping methods share.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Floats, Ints
from ppdm_desktop.engine.errors import InputError, RecipeError
from ppdm_desktop.engine.identifiability.classes import (
    Classes,
    equivalence_classes,
    find_anonymity_set_sizes,
    group_people_by_rows,
)
from ppdm_desktop.engine.methods.algorithms.people.within import refuse_varying_if_linked
from ppdm_desktop.engine.methods.algorithms.swapping.recount import levels_of
from ppdm_desktop.engine.methods.base.declaration import Method, make_role_error
from ppdm_desktop.engine.methods.base.step import LevelProof, Protection, Settings, Used, used_groups
from ppdm_desktop.engine.table.column import Table
from ppdm_desktop.engine.table.people import People
from ppdm_desktop.engine.wording.catalogue import Sentence, lazy
from ppdm_desktop.engine.wording.values import Term, Value

# --- small classes ------------------------------------------------------------------------


def find_records_to_remove(classes: Classes, demands: Ints) -> Bools:
    """Return which records have to be removed because their class is too small for them, bool, shape (records,).

    A class keeps its least demanding members: the largest m of which each demands at most m. No smaller number of
    records could be removed. For example, of demands 2, 2 and 5 in a class of three, the record that demands 5 is
    removed.

    Parameters
    ----------
    classes
        Classes of equal quasi-identifiers.
    demands
        The class size that each record demands.
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


def find_classes_with_common_value(class_of: Ints, values: Ints, people: Floats, least: Floats) -> Bools:
    """Return which classes have a value that at least ``least`` people have, bool, shape (classes,).

    Parameters
    ----------
    class_of, values, people
        Class and value of each pair, and the number of people who have it, shape (pairs,), in any order; the numbers
        of a pair that occurs several times are added.
    least
        Shape (classes,): the number of people from which on a class is marked. A number below 1 counts as 1, so a
        class without people is never marked.
    """
    width = int(values.max(initial=0)) + 1
    pairs, index = np.unique(class_of * width + values, return_inverse=True)
    holders = np.bincount(index.reshape(-1), people, len(pairs))
    most = np.zeros(len(least))
    np.maximum.at(most, pairs // width, holders)
    return np.asarray(most >= np.maximum(least, 1))


def find_rows_to_remove(classes: Classes, demands: Ints, people: People) -> Bools:
    """Return which rows have to be removed so that everybody left is in a large enough class, bool, shape (rows,).

    If recipients can link the rows of a person, all rows of a person are removed whose whole set of rows is shared by
    too few people (the person included). Otherwise, a row is removed if its class has too few people for the row's
    person, who may keep other rows. No smaller number of people, or of people in a class, could be removed.

    Parameters
    ----------
    classes
        Rows with equal quasi-identifiers.
    demands
        How many people each row's person demands, the same in all rows of one person.
    people
        The person of each row.
    """
    if not people.with_several:
        return find_records_to_remove(classes, demands)
    if people.linked:
        sets = group_people_by_rows(classes, people, ordered=people.in_order)
        is_removed = find_records_to_remove(sets, demands[people.first_rows])
        return is_removed[people.of_row]
    pairs, first, pair = np.unique(classes.ids * people.count + people.of_row, return_index=True, return_inverse=True)
    in_class = Classes(pairs // max(people.count, 1), classes.count)
    return np.asarray(find_records_to_remove(in_class, demands[first])[pair.reshape(-1)])


def find_records_to_hide(
    out: Bools, classes: Classes, demands: Ints, blank: Bools, who: Ints | None = None, costs: Floats | None = None
) -> Bools | None:
    """Return which records to hide so that the hidden ones are together as many people as each of them demands.

    None if this is impossible. Hidden records show no quasi-identifier, so they are all equal. If they are too few for
    one of them, whole classes are hidden as well, the cheapest first (by the sum of the costs of their records that
    are not hidden yet), ties by the first such row. If they are enough, or ``out`` has no record, ``out`` itself is
    returned.

    Parameters
    ----------
    out
        Records to hide in any case, bool, shape (records,).
    classes, demands
        Classes of equal quasi-identifiers, and the class size that each record demands.
    blank
        Records that show no quasi-identifier anyway; they count as hidden, but are not added to the result.
    who
        Index of each record's person, from 0 on; None if each record is a different person. People are counted.
    costs
        What hiding each record costs; 1 if None.

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

    It is what the record's privacy level demands. A size in the recipe replaces the demand of the weakest level there
    is, even if it is smaller; any other level, also the weakest one in use or one given as a number, demands the larger
    of this size and its own. ``parameter`` is the name of the parameter with the size.
    """
    levels = levels_of(table)
    asked = settings.demanded(parameter, "group", levels)
    level_groups = [level.demand.group if level.name.startswith(_NUMBER) else 0 for level in levels.levels]
    return np.maximum(np.array(asked, dtype=np.int64), np.array(level_groups, dtype=np.int64))[levels.codes]


def refuse_partial(table: Table, settings: Settings, method: Sentence, also: frozenset[str] = frozenset()) -> None:
    """Raise RecipeError for a step that leaves out a quasi-identifier, or treats a column with an unfit role.

    The values of a quasi-identifier left out would split the groups again. Columns with a role in ``also`` may be
    treated together with the quasi-identifiers. ``method`` is the method's title, for the message.

    Raises
    ------
    RecipeError
        Naming the column.
    """
    for column in table.with_role("quasi-identifier"):
        if column.name not in settings.columns:
            raise RecipeError("error.generalising.left-over", column=column.name, args={"method": Term(method)})
    for name in settings.columns:
        column = table.column(name)
        if column.role != "quasi-identifier" and column.role not in also:
            raise make_role_error(method, column, ("quasi-identifier", *also))


def refuse_rare_row_counts(people: People, demands: Ints) -> None:
    """Raise InputError if fewer people have the same number of rows than one of these people demands as a group.

    ``demands`` is the group size that each row's person demands, shape (rows,).

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
    """Return the rows grouped into classes that are equal in all columns of the step."""
    return equivalence_classes([table.column(name) for name in settings.columns], table.rows)


def find_released_set_sizes(classes: Classes, people: People) -> Ints:
    """Return for each row the size of its person's anonymity set in the release, the person included.

    int64, shape (rows,). If recipients can link the rows of a person, people with equal sets of rows are counted.

    Parameters
    ----------
    classes
        Rows with equal quasi-identifiers.
    people
        The person of each row, and whether recipients can link a person's rows.
    """
    return find_anonymity_set_sizes(classes, people, linked=people.linked, ordered=people.in_order)


def level_proofs(
    before: Table, columns: Sequence[str], demands: Ints, sizes: Ints, *, removed: Bools | None = None, firm: bool
) -> tuple[LevelProof, ...]:
    """Return a proof for each privacy level, counted in people; a person with several rows counts by the worst row.

    A proof names the level, the columns and the worst row, and says how many of the level's people count as protected,
    which group size is demanded, and the smallest that a protected person reached (None if nobody did; released rows
    only). It is met if everybody who counts as protected reaches the demand; without ``firm`` it is always met.

    Parameters
    ----------
    before
        The step's input, which has every record.
    columns
        The step's columns.
    demands, sizes
        For each record of the input, the number of people that it demands in its group, and the number reached.
    removed
        Records that are not released; they count as protected. A person is gone with their last row.
    firm
        True if every record was promised its group; False if records with a smaller group do not count as protected.
    """
    levels = levels_of(before)
    gone = np.zeros(before.rows, dtype=np.bool_) if removed is None else removed
    protected = gone | (sizes >= demands)
    everybody = np.zeros(before.rows, dtype=np.bool_)
    everybody[before.persons.first_by(gone, protected, sizes)] = True
    proofs = []
    for index, level in enumerate(levels.levels):
        rows = np.flatnonzero((levels.codes == index) & everybody)
        covered = len(rows) if firm else int(protected[rows].sum())
        there = rows[~gone[rows]] if firm else rows[protected[rows] & ~gone[rows]]
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
                bool(protected[rows].all()) if firm else True,
            )
        )
    return tuple(proofs)


def make_protections(columns: Sequence[str], ids: Ints, protected: Bools) -> tuple[Protection, ...]:
    """Return for each column which records count as protected, and their class, whose records share their values.

    ``ids`` is the class of each record, and ``protected`` says which records count as protected; the others get class
    -1.
    """
    treatment = np.where(protected, ids, -1)
    return tuple(Protection(name, "grouped", protected, treatment) for name in columns)


# --- group method -------------------------------------------------------------------------

GROUPS_LARGE_ENOUGH = lazy(
    "For everyone, the group with the same released details is at least as large as their protection level asks for."
)


class GeneralisingMethod(Method):
    """A method whose shown values stand for sets of true values that do not overlap, so that groups can be counted."""

    several_rows = "people"
    protects = "identity"
    reads_levels = ("group",)
    worst_is = "group"
    attacks = ("linkage", "inference")

    def shows_disjoint_sets(self, settings: Settings) -> bool:
        """Return True: each shown value stands for a set of true values that overlaps with no other value's set."""
        return True


class GroupMethod(GeneralisingMethod):
    """A method that gives everybody a group as large as its parameter ``k``, or as their privacy level demands."""

    def refuse_unfit_people(self, table: Table, settings: Settings) -> None:
        """Raise an error if recipients can link a person's rows and a column of the step differs among them.

        Raises
        ------
        RecipeError
            Naming the column.
        """
        refuse_varying_if_linked(table, settings)

    def refuse_too_few_people(self, table: Table, settings: Settings) -> None:
        """Raise an error if no groups of the demanded sizes can be formed from the columns of the step.

        Raises
        ------
        RecipeError
            When a quasi-identifier is left out, a treated column changes within people whose rows can be linked, or a
            confidential column is treated.
        InputError
            When there are fewer people than a group needs or, where rows can be linked, too few people with the same
            number of rows.
        """
        refuse_partial(table, settings, self.title, also=frozenset({"other"}))
        demands = find_demanded_sizes(table, settings, "k")
        asked, people = int(demands.max(initial=0)), table.persons.count
        if asked > people:
            raise InputError("error.method.too-few", args={"people": people, "group": asked})
        if table.persons.linked:
            self.refuse_unfit_people(table, settings)
            refuse_rare_row_counts(table.persons, demands)

    def _list_used_values(self, table: Table, settings: Settings, detail: Mapping[str, Any] | None) -> Iterable[Used]:
        """Yield the group sizes k that the records of each privacy level demand; they are known before the run.

        Groups may become larger. A level without people has no entry.
        """
        yield from used_groups("k", levels_of(table), find_demanded_sizes(table, settings, "k"))
