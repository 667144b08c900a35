"""People who are unique in a release: nobody else in the source shows the same released values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import itemgetter

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Bools, Ints
from ppdm_desktop.engine.identifiability.classes import classes_of_codes, count_class_people, group_people_by_rows
from ppdm_desktop.engine.identifiability.near_identifiers import RevealingSet, find_identifying_sets
from ppdm_desktop.engine.release.disclosure.released import Released, shows_generalised
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.column_names import interpret_column_name
from ppdm_desktop.engine.utility.cells import merged_categories

MOSTLY_TRUE = 0.9
"""A column with a larger share of true cells distinguishes people although a few cells were changed."""


@dataclass(frozen=True)
class SingledOutCounts:
    """Numbers of people who are unique in the columns that are released truly or generalised.

    Attributes
    ----------
    people
        Number of people of whom the release holds a row.
    by_others
        Unique by the quasi-identifiers.
    by_all_but_secret
        Unique by every released column that is not confidential.
    by_all_but_one
        Unique by every released column except one confidential one, the worst choice; as ``by_all_but_secret`` if there
        is only one.
    by_all
        Unique by every released column.
    columns
        Names of the columns of ``by_all_but_secret``.
    sets
        The column that makes most people unique, then the best pair with it and the best three, up to the first that
        makes half of the people unique.
    unique_by_known
        Which rows (or source people if rows are copies) are unique by the quasi-identifiers and all columns whose names
        suggest that others know them, whatever their role.
    by_known, known_columns
        The number of these people, and the names of the columns.
    columns_but_one
        Names of the columns of ``by_all_but_one``.
    """

    people: int
    by_others: int
    by_all_but_secret: int
    by_all_but_one: int
    by_all: int
    columns: tuple[str, ...]
    sets: tuple[RevealingSet, ...] = ()
    unique_by_known: Bools = field(compare=False, repr=False, default_factory=lambda: np.zeros(0, np.bool_))
    by_known: int = 0
    known_columns: tuple[str, ...] = ()
    columns_but_one: tuple[str, ...] = ()


def list_identifying_columns(released: Released) -> list[Column]:
    """Return the written columns with true or generalised values, by which a person can be looked for.

    - Columns in which a step replaced numbers or categories are left out: they identify nobody for certain. They are
      kept if more than 90 % of the cells are true or empty.
    - Quasi-identifiers with exchanged values are kept, because they identify those who show their own, and so are
      numbers that rise with the true ones, such as averages of neighbours.
    - For synthetic rows, columns that show only values of the source; none if a step made them from groups.
    """
    if not released.rows_correspond:
        source = released.candidate.prepared.table
        return (
            []
            if any(step.result.row_groups is not None for step in released.candidate.steps)
            else [
                column
                for column in released.table.columns
                if set(column.categories) <= set(source.column(column.name).categories)
            ]
        )
    columns = []
    for column in released.table.columns:
        truth = released.truth(column.name)
        broader = (
            _is_only_generalised(released, column) or shows_generalised(truth, column) or _is_monotonic(truth, column)
        )
        if broader or _has_true_values(released, column):
            columns.append(column)
    return columns


def _is_only_generalised(released: Released, column: Column) -> bool:
    """Return whether every step that changed a column generalised or removed its values; True if none changed it."""
    treatments = (step.method.treatment.english for step in released.changing_steps(column.name))
    return all(treatment.startswith(("generalisation", "suppression")) for treatment in treatments)


def _is_monotonic(truth: Column, column: Column) -> bool:
    """Return whether the released number never falls where the true one rises, as in averages of neighbours.

    Also True if at most one row has both numbers; False for columns that are not numeric.
    """
    if not truth.kind == column.kind == "numeric":
        return False
    true, seen = truth.numbers, column.numbers
    both_present = ~np.isnan(true) & ~np.isnan(seen)
    order = np.lexsort((seen[both_present], true[both_present]))
    return bool((np.diff(seen[both_present][order]) >= 0).all())


def _has_true_values(released: Released, column: Column) -> bool:
    """Return whether more than 90 % of a column's cells are true or empty.

    Always True for a quasi-identifier whose values were exchanged.
    """
    return column.name in released.exchanged or compute_true_share(released, column) > MOSTLY_TRUE


def compute_true_share(released: Released, column: Column) -> float:
    """Return the share of a column's cells that show the source's value or are empty; 1 without rows."""
    true = released.is_true_value(column.name) | column.missing
    return float(true.mean()) if len(true) else 1.0


def list_unreplaced_columns(released: Released) -> list[Column]:
    """Return the columns by which a person can be looked for, without numeric ones in which a step replaced a number.

    A replaced number, such as an average, identifies anyone who can be matched with it, but it is nobody's own value.
    Columns that were only rounded, limited or emptied stay, and for synthetic rows nothing is left out.
    """
    if not released.rows_correspond:
        return list_identifying_columns(released)
    return [
        column
        for column in list_identifying_columns(released)
        if column.kind != "numeric"
        or released.is_coarsened(column.name)
        or bool((released.is_true_value(column.name) | column.missing).all())
    ]


def may_be_known(column: Column) -> bool:
    """Return whether others may know a column: a quasi-identifier by role or name, or a date.

    A date does not count if it is confidential.
    """
    if column.role == "quasi-identifier" or interpret_column_name(column.header, column.label).roles[:1] == (
        "quasi-identifier",
    ):
        return True
    return column.kind == "date" and column.role != "confidential"


def count_singled_out(released: Released) -> SingledOutCounts:
    """Return how many source people are unique by several sets of columns; 0 for a set without columns.

    The sets are the quasi-identifiers, all columns that are not confidential, all but one confidential column (the
    worst choice), all columns, and those that others may know. Only columns by which a person can be looked for take
    part (`list_identifying_columns`). Where rows are copies, the second set is also tried without quasi-identifiers,
    and the larger number counts. The result also has the names of the columns, and sets of up to three columns that are
    not confidential and make many people unique (`search_smallest_sets`).
    """
    columns = list_identifying_columns(released)
    quasi_identifiers = [column for column in columns if column.role == "quasi-identifier"]
    plain = [column for column in columns if column.role != "confidential"]
    secret = [column for column in columns if column.role == "confidential"]

    def count(chosen: Sequence[Column]) -> int:
        """Return the number of people who are unique by the chosen columns; 0 without columns."""
        progress.check()
        return _count_unique_people(released, chosen) if chosen else 0

    known_columns = _known_columns(released)
    unique_by_known = _are_unique(released, known_columns)
    by_known = released.people.among(unique_by_known) if released.rows_correspond else int(unique_by_known.sum())
    by_others = by_known if len(known_columns) == len(quasi_identifiers) else count(quasi_identifiers)
    by_plain = count(plain)
    if not released.rows_correspond:
        # Names that others may know change places among copies; what is left as it was may tell more without them.
        by_plain = max(by_plain, count([column for column in plain if column.role != "quasi-identifier"]))
    all_but_one, but_one = by_plain, plain
    for left in secret if len(released.confidential) > 1 else ():
        if all_but_one == released.people_count:
            break  # There is nobody more to be singled out.
        others = [column for column in columns if column.name != left.name]
        all_but_one, but_one = max((all_but_one, but_one), (count(others), others), key=itemgetter(0))
    return SingledOutCounts(
        released.people_count,
        by_others,
        by_plain,
        all_but_one,
        count(columns),
        _names_of(plain),
        search_smallest_sets(released, plain),
        unique_by_known,
        by_known,
        _names_of(known_columns),
        _names_of(but_one),
    )


def _names_of(columns: Sequence[Column]) -> tuple[str, ...]:
    """Return the names of columns."""
    return tuple(column.name for column in columns)


def _known_columns(released: Released) -> list[Column]:
    """Return the columns by which a person can be looked for that others may know, by role or name or as a date."""
    return [column for column in list_identifying_columns(released) if may_be_known(column)]


def count_unique_by_known(released: Released) -> int:
    """Return the number of people who are unique by the columns that others may know."""
    return _count_unique_people(released, _known_columns(released))


def search_smallest_sets(released: Released, columns: Sequence[Column]) -> tuple[RevealingSet, ...]:
    """Return the sets of columns that make most people unique: the best one, then the best pair with it, and so on.

    The search stops at the first set that makes half of the people unique, at the latest at three columns. Sets at the
    end that make no more people unique than the one before are left out.
    """
    return find_identifying_sets(columns, released.people.count, lambda chosen: _count_unique_people(released, chosen))


def _count_unique_people(released: Released, columns: Sequence[Column]) -> int:
    """Return the number of people with a unique row by ``columns``, or with a unique set of rows if rows are linked.

    The result is stored for later calls.
    """
    names = frozenset(column.name for column in columns)
    if names not in released.unique_counts:
        released.unique_counts[names] = released.people.among(_are_unique(released, columns))
    return released.unique_counts[names]


def _are_unique(released: Released, columns: Sequence[Column]) -> Bools:
    """Return which rows (or source people if rows are copies) are unique in these columns, bool.

    Rows that only one person has count as unique. In a column that is mostly true or whose values were exchanged (but
    not one that was only generalised or emptied), only rows with the true value or an empty cell count; of copies, only
    those made from the person. If the rows of a person can be linked, all of them together are compared. All are False
    without columns.
    """
    rows = released.table.rows
    if not columns:
        return np.zeros(rows, dtype=np.bool_)
    if released.rows_correspond:
        classes = classes_of_codes((column.category_codes for column in columns), rows)
        people = released.people
        if released.candidate.links_rows:
            record_sets = group_people_by_rows(classes, people, ordered=released.candidate.keeps_order)
            is_unique = (record_sets.size_of_record == 1)[people.of_row]
        else:
            is_unique = (count_class_people(classes, people) == 1)[classes.ids]
        for candidate in columns:
            progress.check()
            # Who shows another person's value in a column that is mostly true is not found by it.
            if _has_true_values(released, candidate) and not _is_only_generalised(released, candidate):
                is_unique = is_unique & (released.is_true_value(candidate.name) | candidate.missing)
        return np.asarray(is_unique)
    row = copy_of_person(released, columns)
    return np.asarray((row >= 0) & _is_copy(released, row))


def copy_of_person(released: Released, columns: Sequence[Column]) -> Ints:
    """Return for each source person the index of a released row with values that only this person has, else -1.

    It is the first such row; only people of the source are compared. It is a copy of the person's record, unless values
    were exchanged among copies. All -1 without columns. Shape (source rows,).

    Parameters
    ----------
    released
        A table whose rows are copies.
    columns
        Released columns by which people are looked for, mapped to the values of the source.
    """
    source, rows = released.candidate.prepared.table, released.table.rows
    copied_person = np.full(source.rows, -1, dtype=np.int64)
    if not columns:
        return copied_person
    pairs: list[Ints] = []
    for column in columns:
        first, second, _ = merged_categories(source.column(column.name), column)
        pairs.append(np.concatenate([first, second]))
    ids = classes_of_codes(pairs, source.rows + rows).ids
    first_row = np.full(int(ids.max(initial=-1)) + 1, -1, dtype=np.int64)
    first_row[ids[source.rows :][::-1]] = np.arange(rows)[::-1]
    holders = np.bincount(ids[: source.rows], minlength=len(first_row))[ids[: source.rows]]
    copied_person[:] = np.where(holders == 1, first_row[ids[: source.rows]], -1)
    return copied_person


def share_of_copies(released: Released, row: Ints) -> float:
    """Return the share of the rows found by `copy_of_person` that really are copies of the person; 1 if none was found.

    ``row`` is the result of `copy_of_person`, shape (source rows,).
    """
    there = row >= 0
    return float(_is_copy(released, row)[there].mean()) if there.any() else 1.0


def _is_copy(released: Released, row: Ints) -> Bools:
    """Return for each source person whether the released row at this index is a copy of their record, bool.

    The result for an index of -1 has no meaning.
    """
    assert released.copied is not None
    return np.asarray(released.copied[row] == np.arange(len(row)))
