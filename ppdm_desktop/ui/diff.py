"""Original beside released, cell by cell: what became of each cell. No Qt here."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.release.candidate import Candidate
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.levels import RecordLevels
from ppdm_desktop.engine.utility.cells import merged_categories

States = npt.NDArray[np.uint8]
Bools = npt.NDArray[np.bool_]
Rows = npt.NDArray[np.int64]

SAME, COARSER, HIDDEN, CHANGED = 0, 1, 2, 3
_GENERALISES, _REMOVES = "generalisation", "suppression"


@dataclass(frozen=True, eq=False)
class Diff:
    """Two tables of the released columns in the original order.

    Attributes
    ----------
    original, released
        The same columns; the same rows in the same order where rows correspond.
    rows_correspond
        Whether each released row is one row of the original.
    states
        For each column, what became of each cell: ``SAME``, ``COARSER``, ``HIDDEN`` or ``CHANGED``.
        Empty where rows do not correspond.
    hidden, changed, coarser
        Rows with at least one such cell.
    counts
        Number of cells by state.
    levels
        Each record's privacy level.
    """

    original: Table
    released: Table
    rows_correspond: bool
    states: tuple[States, ...]
    coarser: Bools
    hidden: Bools
    changed: Bools
    counts: tuple[int, int, int, int]
    levels: RecordLevels | None

    def state(self, row: int, column: int) -> int:
        """Return what became of one cell."""
        return int(self.states[column][row]) if self.states else SAME

    def cells(self, state: int) -> int:
        """Return how many cells have a state."""
        return self.counts[state]


def released_in_order(candidate: Candidate) -> Table:
    """Return the released columns in the original order; the rows are shuffled only in the file."""
    final, order = candidate.final, candidate.row_order
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    columns = []
    for name in candidate.released_names:
        shown, written = final.column(name), candidate.released.column(name)
        drawn = written.kind == "numeric" and shown.kind != "numeric"
        columns.append(written.take(place) if drawn else shown)
    return Table(tuple(columns), final.row_numbers, final.levels)


def make_diff(candidate: Candidate, progress: Progress) -> Diff:
    """Compare a candidate with its original (the work of job ``diff``)."""
    prepared = candidate.prepared
    released = released_in_order(candidate)
    names = candidate.released_names
    source = prepared.original
    rows_correspond = all(step.method.correspondence == "record" for step in candidate.steps)
    if not rows_correspond:
        original = Table(tuple(source.column(name) for name in names), source.row_numbers, source.levels)
        none = np.zeros(released.rows, dtype=np.bool_)
        return Diff(original, released, False, (), none, none, none, (0, 0, 0, 0), released.levels)
    rows = np.searchsorted(source.row_numbers, released.row_numbers)
    whole = released.rows == source.rows
    original = Table(
        tuple(source.column(name) if whole else source.column(name).take(rows) for name in names),
        released.row_numbers,
        released.levels,
    )
    states = []
    for done, name in enumerate(names):
        progress.report(done / len(names), "doing.compare")
        before = prepared.table.column(name)
        before = before if whole else before.take(rows)
        # A drawn number is set against the number, everything else against the bins the steps were given.
        shown = released.column(name)
        drawn = shown.kind == "numeric" and before.kind != "numeric"
        coarser_by = _generalised_by(candidate, name)
        binned = not drawn and prepared.table.column(name) is not source.column(name)
        states.append(_states(original.column(name) if drawn else before, shown, binned, coarser_by))
    coarser, hidden, changed = (_any(states, state, released.rows) for state in (COARSER, HIDDEN, CHANGED))
    found = sum((np.bincount(each, minlength=4) for each in states), start=np.zeros(4, dtype=np.int64)).tolist()
    counts = (found[SAME], found[COARSER], found[HIDDEN], found[CHANGED])
    return Diff(original, released, True, tuple(states), coarser, hidden, changed, counts, released.levels)


def _generalised_by(candidate: Candidate, name: str) -> bool:
    treatments = [step.method.treatment for step in candidate.steps if name in step.settings.columns]
    left = [each for each in treatments if not each.startswith(_REMOVES)]  # what it removes is seen as hidden
    return bool(left) and all(each.startswith(_GENERALISES) for each in left)


def _states(before: Column, after: Column, binned: bool, generalised: bool) -> States:
    found = np.zeros(len(after), dtype=np.uint8)
    if binned:
        found[:] = COARSER
        found[after.missing] = SAME
    if before is not after:
        first, second, _ = merged_categories(before, after)
        differs = first != second
        found[differs] = COARSER if generalised else CHANGED
        found[differs & (second < 0)] = HIDDEN
    return found


def _any(states: list[States], state: int, rows: int) -> Bools:
    found = np.zeros(rows, dtype=np.bool_)
    for each in states:
        found |= each == state
    return found


# --- what is shown of it ----------------------------------------------------------------

EVERYTHING = "all"
KINDS = {"any": (COARSER, HIDDEN, CHANGED), "changed": (CHANGED,), "hidden": (HIDDEN,), "coarser": (COARSER,)}


def rows_shown(diff: Diff, kind: str, column: int | None, level: int | None) -> Rows:
    """Return the rows of a filter: by what became of them, in one column or any, and by level."""
    keep = np.ones(diff.released.rows, dtype=np.bool_)
    if kind != EVERYTHING and diff.rows_correspond:
        keep = _rows_with(diff, KINDS[kind], column)
    if level is not None and diff.levels is not None and diff.rows_correspond:
        keep &= diff.levels.codes == level
    return np.flatnonzero(keep).astype(np.int64)


def _rows_with(diff: Diff, wanted: tuple[int, ...], column: int | None) -> Bools:
    if column is not None:
        return np.asarray(np.isin(diff.states[column], wanted))
    whole = {COARSER: diff.coarser, HIDDEN: diff.hidden, CHANGED: diff.changed}
    found = np.zeros(diff.released.rows, dtype=np.bool_)
    for state in wanted:
        found |= whole[state]
    return found


def jump_rows(diff: Diff, rows: Rows, column: int | None) -> Rows:
    """Return the places among the rows shown that hold a hidden or another value."""
    if not diff.states:
        return np.empty(0, dtype=np.int64)
    return np.flatnonzero(_rows_with(diff, (HIDDEN, CHANGED), column)[rows]).astype(np.int64)


def next_change(
    diff: Diff, rows: Rows, jumps: Rows, at: tuple[int, int], column: int | None, *, back: bool = False
) -> tuple[int, int] | None:
    """Return the next (view row, column) with a hidden or another value; at the end it begins anew.

    Parameters
    ----------
    rows, jumps
        The rows shown, and the places among them from ``jump_rows``.
    at
        The current cell.
    column
        Look in this column only.
    back
        Look upwards.
    """
    if not len(jumps):
        return None
    columns = range(len(diff.states)) if column is None else [column]
    row, here = at
    inside = [each for each in _marked(diff, int(rows[row]), columns) if (each < here if back else each > here)]
    if inside:
        return row, inside[-1] if back else inside[0]
    if back:
        place = int(np.searchsorted(jumps, row)) - 1
        found = int(jumps[place])  # -1 is the last one: from the top it goes on at the end
    else:
        place = int(np.searchsorted(jumps, row, side="right"))
        found = int(jumps[place if place < len(jumps) else 0])
    marked = _marked(diff, int(rows[found]), columns)
    return found, marked[-1] if back else marked[0]


def _marked(diff: Diff, row: int, columns: range | list[int]) -> list[int]:
    return [each for each in columns if diff.states[each][row] >= HIDDEN]


def density(diff: Diff, rows: Rows, buckets: int) -> tuple[list[float], list[float]]:
    """Return for each bucket of the rows shown the share of rows with a hidden, and with another value."""
    if not len(rows) or buckets < 1:
        return [], []
    edges = np.linspace(0, len(rows), buckets + 1).astype(np.int64)
    sizes = np.maximum(np.diff(edges), 1)
    found = []
    for flags in (diff.hidden, diff.changed):
        running = np.concatenate([[0], np.cumsum(flags[rows])])
        found.append([float(each) for each in (running[edges[1:]] - running[edges[:-1]]) / sizes])
    return found[0], found[1]
