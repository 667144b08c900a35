"""Comparison of original and release cell by cell. No Qt here."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Bools, Rows
from ppdm_desktop.engine.methods.base.declaration import Family
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.measures.generalised_columns import is_generalised
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.levels import RecordLevels
from ppdm_desktop.engine.utility.cells import merged_categories
from ppdm_desktop.engine.wording.texts import LevelLabels
from ppdm_desktop.ui.state.level_texts import read_level_labels

States = npt.NDArray[np.uint8]

SAME, GENERALISED, HIDDEN, CHANGED, REMOVED = 0, 1, 2, 3, 4


@dataclass(frozen=True, eq=False)
class Diff:
    """A comparison of the released columns before and after, with rows in the order of the original.

    Attributes
    ----------
    original, released
        Tables with the same columns and, if rows correspond, the same rows in the same order. A removed row is in both;
        its released cells are not shown.
    rows_correspond
        Whether each released row comes from one row of the original.
    states
        For each column the state of each cell: ``SAME``, ``GENERALISED``, ``HIDDEN``, ``CHANGED`` or ``REMOVED``. Empty
        if rows do not correspond.
    generalised, hidden, changed
        Masks, shape (rows,), of rows with at least one cell in this state; False for removed rows.
    counts
        Number of cells in each state (same, generalised, hidden, changed), without removed rows.
    levels
        Privacy level of each record, in the order shown; None if there are no levels.
    removed
        Mask of rows that are not released.
    groups
        Group index of each line if records were generated from groups of people: lines of a group show its people
        beside the records made from them. None otherwise.
    level_labels
        What the file calls each privacy level.
    """

    original: Table
    released: Table
    rows_correspond: bool
    states: tuple[States, ...]
    generalised: Bools
    hidden: Bools
    changed: Bools
    counts: tuple[int, int, int, int]
    levels: RecordLevels | None
    removed: Bools
    groups: Rows | None = None
    level_labels: LevelLabels = field(default_factory=dict)

    @cached_property
    def jumped_to(self) -> tuple[int, ...]:
        """Cell states at which "next change" stops: hidden, changed, removed; generalised only without these."""
        has_other_changes = bool(self.hidden.any() or self.changed.any() or self.removed.any())
        return (HIDDEN, CHANGED, REMOVED) if has_other_changes else (GENERALISED,)

    @property
    def released_rows(self) -> int:
        """Number of released rows."""
        return self.released.rows - int(self.removed.sum())

    def is_group_start(self, row: int) -> bool:
        """Return whether a line is the first of a group of people and the records made from it.

        Always False if the diff has no groups.
        """
        return self.groups is not None and (row == 0 or bool(self.groups[row] != self.groups[row - 1]))

    def state(self, row: int, column: int) -> int:
        """Return the state of the cell with these indices; always ``SAME`` if the diff has no cell states."""
        return int(self.states[column][row]) if self.states else SAME

    def cells(self, state: int) -> int:
        """Return the number of cells in a state (not ``REMOVED``), without removed rows."""
        return self.counts[state]


def restore_row_order(candidate: Candidate) -> Table:
    """Return a candidate's released columns with the rows in the original order, which the written file shuffles.

    Rows that a step removed are absent. Where groups of numbers were replaced by drawn numbers, the drawn ones are
    shown.
    """
    final, order = candidate.final, candidate.row_order
    positions = np.empty(len(order), dtype=np.int64)
    positions[order] = np.arange(len(order))
    columns = []
    for name in candidate.released_names:
        in_steps, written = final.column(name), candidate.released.column(name)
        drawn = written.kind == "numeric" and in_steps.kind != "numeric"
        columns.append(written.take(positions) if drawn else in_steps)
    return Table(tuple(columns), final.row_numbers, final.levels)


def make_diff(candidate: Candidate) -> Diff:
    """Return the comparison of a candidate's released table with its original; runs in the background."""
    return replace(_compare_candidate(candidate), level_labels=read_level_labels(candidate.prepared.recipe))


def _compare_candidate(candidate: Candidate) -> Diff:
    """Return the comparison of a candidate with its original, without the file's words for privacy levels.

    If each released row comes from one original row, the cells get states, and rows that are missing count as removed.
    Otherwise the tables are compared by groups of people or, without groups, just set side by side, without cell
    states.
    """
    prepared = candidate.prepared
    released = restore_row_order(candidate)
    names = candidate.released_names
    source = prepared.original
    if not candidate.rows_correspond:
        return _compare_by_groups(candidate, released) or _compare_unlinked_tables(candidate, released)
    whole = released.rows == source.rows
    positions = np.zeros(source.rows, dtype=np.int64)
    removed = np.ones(source.rows, dtype=np.bool_)
    rows = np.searchsorted(source.row_numbers, released.row_numbers)
    positions[rows], removed[rows] = np.arange(released.rows), False
    if not whole:
        columns = tuple(column.take(positions) for column in released.columns) if released.rows else ()
        if not columns:  # nobody is released: any text will do, since none of them is shown
            columns = tuple(source.column(name) for name in names)
        released = Table(columns, source.row_numbers, prepared.table.levels)
    original = Table(tuple(source.column(name) for name in names), source.row_numbers, released.levels)
    states = []
    for done, name in enumerate(names):
        progress.report(done / len(names), "doing.utility")
        before = prepared.table.column(name)
        # A drawn number is set against the number, everything else against the bins the steps were given.
        after = released.column(name)
        drawn = after.kind == "numeric" and before.kind != "numeric"
        generalised_by = _shows_generalised(candidate, after)
        binned = not drawn and prepared.table.column(name) is not source.column(name)
        compared = _compute_cell_states(original.column(name) if drawn else before, after, binned, generalised_by)
        compared[removed] = REMOVED
        states.append(compared)
    generalised, hidden, changed = (
        _find_rows_with_state(states, state, released.rows) for state in (GENERALISED, HIDDEN, CHANGED)
    )
    cells = sum(
        (np.bincount(column_states, minlength=5) for column_states in states), start=np.zeros(5, dtype=np.int64)
    ).tolist()
    counts = (cells[SAME], cells[GENERALISED], cells[HIDDEN], cells[CHANGED])
    levels = released.levels
    return Diff(original, released, True, tuple(states), generalised, hidden, changed, counts, levels, removed)


def _shows_generalised(candidate: Candidate, released: Column) -> bool:
    """Return whether changed values of a released column are generalisations of the original ones.

    False if no step generalises the column, and for averages of numbers, which count as other values.
    """
    if not is_generalised(candidate, released.name):
        return False
    steps = (step for step in candidate.steps if released.name in step.settings.columns)
    return released.kind != "numeric" or all(step.method.family is not Family.AVERAGES for step in steps)


def _compare_unlinked_tables(candidate: Candidate, released: Table) -> Diff:
    """Return a comparison that just sets the two tables side by side, without cell states.

    It is for released rows that do not come from single rows. All masks are False and all counts 0.
    """
    source = candidate.prepared.original
    original = Table(tuple(source.column(name) for name in released.names), source.row_numbers, source.levels)
    none = np.zeros(released.rows, dtype=np.bool_)
    return Diff(original, released, False, (), none, none, none, (0, 0, 0, 0), released.levels, none)


def _compare_by_groups(candidate: Candidate, released: Table) -> Diff | None:
    """Return a comparison that shows, group by group, people beside the records generated from their group.

    It has no cell states. None unless exactly one step generated records from groups and all others kept the rows.
    """
    again = [step for step in candidate.steps if step.method.correspondence != "record"]
    groups = again[0].result.row_groups if len(again) == 1 else None
    if groups is None:
        return None
    step, source = again[0], candidate.prepared.original
    numbers = step.before.row_numbers
    if not np.array_equal(released.row_numbers, numbers) or len(groups) != len(numbers):
        return None
    order = np.argsort(groups, kind="stable").astype(np.int64)
    people = np.searchsorted(source.row_numbers, numbers[order])
    columns = tuple(source.column(name).take(people) for name in released.names)
    original = Table(columns, numbers[order], None)
    # New records have no number of an original row.
    new = Table(
        tuple(column.take(order) for column in released.columns), np.arange(1, len(order) + 1, dtype=np.int64), None
    )
    none = np.zeros(len(order), dtype=np.bool_)
    return Diff(original, new, False, (), none, none, none, (0, 0, 0, 0), None, none, groups[order].astype(np.int64))


def _compute_cell_states(before: Column, after: Column, binned: bool, generalised: bool) -> States:
    """Return the state of each cell of a column, uint8, shape (rows,): same, generalised, hidden or changed.

    ``binned`` says that numbers were cut into groups before the steps, so every present cell is at least generalised;
    ``generalised`` says that changed values are generalisations of the original ones. A value that is missing only
    afterwards is hidden; one that was missing before as well is the same.
    """
    states = np.zeros(len(after), dtype=np.uint8)
    if binned:
        states[:] = GENERALISED
        states[after.missing] = SAME
    if before is not after:
        first, second, _ = merged_categories(before, after)
        differs = first != second
        states[differs] = GENERALISED if generalised else CHANGED
        states[differs & (second < 0)] = HIDDEN
    return states


def _find_rows_with_state(states: list[States], state: int, rows: int) -> Bools:
    """Return a mask, shape (rows,), of the rows in which at least one column has this cell state."""
    matches = np.zeros(rows, dtype=np.bool_)
    for column_states in states:
        matches |= column_states == state
    return matches


# --- what is shown of it ----------------------------------------------------------------

EVERYTHING = "all"
KINDS = {
    "any": (GENERALISED, HIDDEN, CHANGED, REMOVED),
    "changed": (CHANGED,),
    "hidden": (HIDDEN,),
    "coarser": (GENERALISED,),
    "removed": (REMOVED,),
}


def filter_diff_rows(diff: Diff, kind: str, column: int | None, level: int | None) -> Rows:
    """Return the rising indices, shape (rows,), of the rows with a kind of change and a privacy level.

    Both must hold. If rows do not correspond (released rows do not come from single original rows), all rows are
    returned.

    Parameters
    ----------
    diff
        The comparison.
    kind
        A key of ``KINDS``, or ``EVERYTHING``.
    column
        Index of the column in which the change has to be; None for any.
    level
        Index of the privacy level; None for any. It does not matter if there are no levels.
    """
    keep = np.ones(diff.released.rows, dtype=np.bool_)
    if kind != EVERYTHING and diff.rows_correspond:
        keep = _filter_rows_by_states(diff, KINDS[kind], column)
    if level is not None and diff.levels is not None and diff.rows_correspond:
        keep &= diff.levels.codes == level
    return np.flatnonzero(keep).astype(np.int64)


def _filter_rows_by_states(diff: Diff, wanted: tuple[int, ...], column: int | None) -> Bools:
    """Return a mask of the rows in which ``column``, or any column if it is None, has one of these cell states."""
    if column is not None:
        return np.asarray(np.isin(diff.states[column], wanted))
    whole = {GENERALISED: diff.generalised, HIDDEN: diff.hidden, CHANGED: diff.changed, REMOVED: diff.removed}
    matches = np.zeros(diff.released.rows, dtype=np.bool_)
    for state in wanted:
        matches |= whole[state]
    return matches


def find_change_stops(diff: Diff, rows: Rows, column: int | None) -> Rows:
    """Return the positions in ``rows``, rising, of the rows at which "next change" stops.

    They are rows with a hidden or changed value and removed rows; only if the whole comparison has none of these,
    generalised rows. If groups are shown, they are the first rows of groups. Empty where cells have no states.
    ``column`` is the index of the column in which the change must be; None for any.
    """
    if diff.groups is not None:
        return np.flatnonzero(np.diff(diff.groups, prepend=-1)).astype(np.int64)
    if not diff.states:
        return np.empty(0, dtype=np.int64)
    return np.flatnonzero(_filter_rows_by_states(diff, diff.jumped_to, column)[rows]).astype(np.int64)


def next_change(
    diff: Diff, rows: Rows, jumps: Rows, at: tuple[int, int], column: int | None, *, back: bool = False
) -> tuple[int, int] | None:
    """Return the next (displayed row, column) with a change after the current cell; None if no displayed row has one.

    Further columns of the same row come first, then the next row; after the last row it starts over at the first.
    Which changes count, and that groups count by their first rows, is said at ``find_change_stops``.

    Parameters
    ----------
    diff
        The comparison.
    rows, jumps
        The displayed rows, and the positions in them that ``find_change_stops`` returned.
    at
        The current cell: displayed row, column.
    column
        Search in this column only; None for all columns.
    back
        Search upwards.
    """
    if not len(jumps):
        return None
    columns = range(len(diff.states)) if column is None else [column]
    row, here = at
    marked = _list_stop_columns(diff, int(rows[row]), columns)
    inside = [position for position in marked if (position < here if back else position > here)]
    if inside:
        return row, inside[-1] if back else inside[0]
    if back:
        index = int(np.searchsorted(jumps, row)) - 1
        target = int(jumps[index])  # -1 is the last one: from the top it goes on at the end
    else:
        index = int(np.searchsorted(jumps, row, side="right"))
        target = int(jumps[index if index < len(jumps) else 0])
    marked = _list_stop_columns(diff, int(rows[target]), columns)
    return target, marked[-1] if back else marked[0]


def _list_stop_columns(diff: Diff, row: int, columns: range | list[int]) -> list[int]:
    """Return the columns among ``columns`` at which "next change" stops in a row.

    If groups are shown: column 0 if a group begins in this row, else none. Otherwise the first of ``columns`` if the
    row was removed, else all that changed.
    """
    if diff.groups is not None:
        return [0] if diff.is_group_start(row) else []
    if diff.removed[row]:
        return list(columns)[:1]  # a removed row is one place
    return [column for column in columns if diff.states[column][row] in diff.jumped_to]


def compute_change_density(diff: Diff, rows: Rows, buckets: int) -> tuple[list[float], list[float], list[float]]:
    """Return the shares of hidden, generalised and changed rows in equal parts of the displayed rows.

    Parameters
    ----------
    rows
        Indices of the displayed rows.
    buckets
        Wished number of parts; there are never more parts than rows.

    Returns
    -------
    hidden, generalised, changed
        One share (0 to 1) for each part, empty without rows or parts; rows that were removed count as hidden.
    """
    if not len(rows) or buckets < 1:
        return [], [], []
    edges = np.linspace(0, len(rows), min(buckets, len(rows)) + 1).astype(np.int64)
    sizes = np.maximum(np.diff(edges), 1)
    densities = []
    for flags in (diff.hidden | diff.removed, diff.generalised, diff.changed):
        running = np.concatenate([[0], np.cumsum(flags[rows])])
        densities.append([float(share) for share in (running[edges[1:]] - running[edges[:-1]]) / sizes])
    return densities[0], densities[1], densities[2]
