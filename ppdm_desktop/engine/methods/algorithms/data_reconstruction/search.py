"""The search for the records to release: fitness, exchange of unsafe records, copies, and a final check.

A cell is a combination of shown quasi-identifiers. Copies alone protect nobody: k copies of one record are one person.
So every released cell must stand for k people of the source, come from two different records and show two classes. A
selection is judged by the share of correct predictions, less a penalty for each cell with a single class.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Bools, Floats, Ints
from ppdm_desktop.engine.methods.algorithms.data_reconstruction.classifier_inputs import learner_for
from ppdm_desktop.engine.methods.algorithms.data_reconstruction.genes import Evolution, apportion_quotas, evolve
from ppdm_desktop.engine.methods.algorithms.data_reconstruction.learners import MOST_CELLS, Learner
from ppdm_desktop.engine.methods.algorithms.data_reconstruction.plan import Masked, Plan
from ppdm_desktop.engine.methods.base.step import Settings
from ppdm_desktop.engine.randomness import RandomStream, StepStream
from ppdm_desktop.engine.table.column import Table


def diversify_choice(chosen: Bools, cell: Ints, classes: Ints, stream: RandomStream) -> tuple[Bools, int]:
    """Return a choice of records that leaves no cell with one class only, and how many records were exchanged for this.

    A cell is a combination of shown quasi-identifiers. In a cell whose chosen records are several and of one class, one
    of them is replaced by a record of another class in the same cell. A cell with one chosen record is given up; other
    records are then chosen in cells that already show two classes, or, if there are none, two records of different
    classes in the cell with most records not chosen. If these are too few, fewer records are chosen. The number is that
    of the chosen records that were not chosen before, plus the missing ones. ``chosen`` itself is not changed.

    Parameters
    ----------
    chosen
        bool, shape (records,): which records are chosen, of those that may be; the arrays list no others.
    cell, classes
        int64, shape (records,): every record's cell and class; every cell has records of two classes or more.
    stream
        Decides which records are exchanged.
    """
    included = chosen.copy()
    rank = stream.permutation(len(chosen))
    for mixed_cell in _find_one_class_cells(included, cell, classes).tolist():
        inside = np.flatnonzero(cell == mixed_cell)
        mine = inside[included[inside]]
        candidates = inside[~included[inside] & (classes[inside] != classes[mine[0]])]
        included[mine[np.argmin(rank[mine])]] = False
        if len(mine) > 1:
            included[candidates[np.argmin(rank[candidates])]] = True
    shortfall = int(chosen.sum() - included.sum())
    while shortfall > 0:
        pool = np.flatnonzero(~included & np.isin(cell, np.unique(cell[included])))
        if len(pool):
            included[pool[np.argsort(rank[pool], kind="stable")[:shortfall]]] = True
        else:
            closed = np.flatnonzero(~included)
            if shortfall < 2 or not len(closed):
                break
            mixed_cell = int(np.bincount(cell[closed]).argmax())
            inside = closed[cell[closed] == mixed_cell]
            first = inside[np.argmin(rank[inside])]
            candidates = inside[classes[inside] != classes[first]]
            included[[first, candidates[np.argmin(rank[candidates])]]] = True
        shortfall = int(chosen.sum() - included.sum())
    return included, int((included & ~chosen).sum()) + max(shortfall, 0)


def _find_one_class_cells(chosen: Bools, cell: Ints, classes: Ints) -> Ints:
    """Return the cells whose chosen records all have the same class, rising; int64.

    Cells without a chosen record do not count. ``chosen``, ``cell`` and ``classes`` have shape (records,).
    """
    rows = np.flatnonzero(chosen)
    pairs = np.unique(np.stack([cell[rows], classes[rows]]), axis=1)
    cells, kinds = np.unique(pairs[0], return_counts=True)
    return np.asarray(cells[kinds == 1], dtype=np.int64)


def repeat_records(records: Ints, rows: int, stream: RandomStream) -> Ints:
    """Return the record that each released row copies, int64, shape (rows,), in random order.

    All records are copied equally often; the remaining rows are one further copy each of records drawn at random: for 3
    records and 7 rows, each record is copied twice and one of them a third time. With fewer rows than records, only so
    many records are copied, once.

    Parameters
    ----------
    records
        The chosen records, at least one.
    rows
        Number of released rows.
    stream
        Decides the further copies and the order.
    """
    often, rest = divmod(rows, len(records))
    lucky = stream.permutation(len(records))[:rest]
    copied = np.r_[np.repeat(records, often), records[lucky]]
    return np.asarray(copied[stream.permutation(rows)], dtype=np.int64)


# --- invariants ---------------------------------------------------------------------------

LEAST_RECORDS = 2
LEAST_CLASSES = 2


@dataclass(frozen=True)
class Audit:
    """The smallest counts over all released cells (combinations of shown quasi-identifiers).

    Attributes
    ----------
    cells
        Number of released cells.
    least_rows
        Fewest released rows of a cell.
    least_people
        Fewest people of the source in a released cell.
    least_records
        Fewest different records of the source that a cell's rows copy.
    least_classes
        Fewest different classes in a cell.
    short
        Number of cells that break at least one of the rules.
    """

    cells: int
    least_rows: int
    least_people: int
    least_records: int
    least_classes: int
    short: int

    @property
    def passed(self) -> bool:
        """Whether there is a released cell and none has too few rows, people, records or classes."""
        return self.cells > 0 and self.short == 0


def audit_cells(cell: Ints, record: Ints, classes: Ints, people: Ints, k: int) -> Audit:
    """Return the smallest numbers of rows, people, records and classes of any released cell.

    The result also says how many cells break a rule. A cell is a combination of shown quasi-identifiers. It breaks a
    rule with fewer than k rows, k people, two different records or two classes. All numbers are 0 without a released
    row.

    Parameters
    ----------
    cell
        int64, shape (released rows,): each row's cell, an index into ``people``.
    record
        int64, shape (released rows,): the record of the source that each row copies.
    classes
        int64, shape (released rows,): each row's class, -1 where missing (counts as no class).
    people
        int64, shape (cells,): people of the source in each cell.
    k
        Rows and people that a released cell needs.
    """
    rows = np.bincount(cell, minlength=len(people))
    released = np.flatnonzero(rows)
    records = _count_distinct_values(cell, record, len(people))
    kinds = _count_distinct_values(cell[classes >= 0], classes[classes >= 0], len(people))
    short = (rows < k) | (people < k) | (records < LEAST_RECORDS) | (kinds < LEAST_CLASSES)
    least = [int(counts[released].min()) if len(released) else 0 for counts in (rows, people, records, kinds)]
    return Audit(len(released), least[0], least[1], least[2], least[3], int(short[released].sum()))


def _count_distinct_values(cell: Ints, value: Ints, cells: int) -> Ints:
    """Return how many different values each cell has, int64, shape (cells,); 0 for a cell without rows.

    ``cell`` and ``value`` are those of each row, ``cells`` is the number of cells.
    """
    if not len(cell):
        return np.zeros(cells, dtype=np.int64)
    values = int(value.max()) + 1
    pairs = np.unique(cell.astype(np.int64) * values + value)
    return np.bincount(pairs // values, minlength=cells).astype(np.int64)


# --- search -------------------------------------------------------------------------------

MOST_PRICED = 25


@dataclass(frozen=True, eq=False)
class Chosen:
    """The chosen records, and how the search for them went.

    Attributes
    ----------
    records
        int64: rows of the step's input, rising.
    evolution
        How the search went.
    repaired
        Number of records exchanged after the search, so that no cell shows one class only.
    fitness
        Fitness of the final choice, after this exchange.
    """

    records: Ints
    evolution: Evolution
    repaired: int
    fitness: float


class ChoiceFitness:
    """The fitness of choices of records: share of correct predictions, less a penalty for each one-class cell."""

    def __init__(self, learner: Learner, labelled: Ints, eligible: Ints, cell: Ints, classes: Ints, price: float):
        """Prepare the fitness of choices.

        Parameters
        ----------
        learner
            The classifier, with the records that have a class.
        labelled, eligible
            Rising indexes of the rows that have a class, and of those among them that may be chosen.
        cell, classes
            Cell and class of every row.
        price
            Penalty for each cell whose chosen records have one class. If rows that may be chosen are in more than 25
            cells, it is reduced so that all cells together never cost more than 25 times the price.
        """
        self._learner = learner
        self._index_of = np.searchsorted(labelled, eligible)
        self._rows = len(labelled)
        _, self._cell = np.unique(cell[eligible], return_inverse=True)
        self._classes = classes[eligible]
        self._cells = int(self._cell.max(initial=-1)) + 1
        # Among very many cells the price of all would drown what the choice is made for.
        self._price = price * min(1.0, MOST_PRICED / max(self._cells, 1))
        self._width = int(self._classes.max(initial=0)) + 1
        self._together = max(1, MOST_CELLS // max(1, learner.entries))

    def __call__(self, choices: Bools) -> Floats:
        """Return the fitness of each choice, float64, shape (choices,).

        It is the share of records whose class is predicted correctly, less a penalty for each cell whose chosen records
        have one class. ``choices`` is bool, shape (choices, eligible records).
        """
        values = []
        for start in range(0, len(choices), self._together):
            progress.check()
            part = choices[start : start + self._together]
            members = np.zeros((len(part), self._rows), dtype=np.bool_)
            members[:, self._index_of] = part
            values.append(self._learner.correct(members) - self._price * self.one_class_cells(part))
        return np.concatenate(values)

    def one_class_cells(self, choices: Bools) -> Ints:
        """Return, for each choice, the number of cells whose chosen records all have the same class.

        Int64, shape (choices,). Cells without a chosen record do not count.
        """
        choice, record = np.nonzero(choices)
        size = self._cells * self._width
        keys = choice * size + self._cell[record] * self._width + self._classes[record]
        counts = np.bincount(keys, minlength=len(choices) * size).reshape(len(choices), self._cells, self._width)
        return np.asarray(((counts > 0).sum(axis=2) == 1).sum(axis=1), dtype=np.int64)


def choose_records(
    table: Table, plan: Plan, masked: Masked, settings: Settings, chosen: int, streams: StepStream
) -> Chosen:
    """Return the records that train the classifier best, as far as a genetic search finds them, and how it went.

    The search chooses from each class in proportion to its records with a known class, as far as enough may be chosen.
    After it, records are exchanged so that no cell (combination of quasi-identifiers) shows one class only; fewer than
    ``chosen`` may be left then. The result has the row indexes, rising, how the search went, how many records were
    exchanged, and the fitness after this.

    Parameters
    ----------
    table, plan, masked
        The step's input, what was decided about it, and its cells after names were exchanged.
    settings
        The step's settings.
    chosen
        Number of records to choose, at least two and at most as many as may be chosen.
    streams
        The step's random streams.
    """
    values = settings.values
    labelled, eligible = np.flatnonzero(plan.classes >= 0), np.flatnonzero(masked.eligible)
    quasi = {mask.column.name for mask in plan.masks}
    labelled_table = table.take(labelled)
    other_columns = [
        labelled_table.column(name) for name in settings.columns if name not in quasi and name != plan.class_column.name
    ]
    learner = learner_for(
        labelled_table,
        plan.class_column.name,
        [(codes[labelled], mask.ordered) for mask, codes in zip(plan.masks, masked.codes, strict=True)],
        other_columns,
        str(values["classifier"]),
        plan.k,
    )
    fitness = ChoiceFitness(learner, labelled, eligible, masked.cell, plan.classes, float(values["diversity"]))
    shares = np.bincount(plan.classes[labelled]).astype(np.int64)
    evolution = evolve(
        apportion_quotas(plan.classes[eligible], shares, chosen),
        fitness,
        streams,
        population=int(values["population"]),
        generations=int(values["generations"]),
        mutation=float(values["mutation"]),
    )
    cell, classes = masked.cell[eligible], plan.classes[eligible]
    best, repaired = diversify_choice(evolution.best, cell, classes, streams.stream("mending"))
    reached = float(fitness(best[None])[0]) if repaired else evolution.curve[-1]
    return Chosen(eligible[best], evolution, repaired, reached)
