"""Search for true values with less detail: a way to show each column that meets all demands and loses little.

A column's ways to be shown are its ladder; one way is a rung, and a choice is one rung for each column. A row is short
if its class has fewer people than the row asks for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import takewhile
from weakref import WeakKeyDictionary

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import GRID, Bools, Floats, Ints
from ppdm_desktop.engine.attacks.class_belief import Values
from ppdm_desktop.engine.identifiability.classes import Classes
from ppdm_desktop.engine.methods.algorithms.swapping.recount import levels_of
from ppdm_desktop.engine.methods.base.declaration import Method
from ppdm_desktop.engine.methods.generalize import Generalize
from ppdm_desktop.engine.methods.leave_out import LeaveOut
from ppdm_desktop.engine.methods.leave_out_rows import LeaveOutRows
from ppdm_desktop.engine.methods.local_suppression import LocalSuppression
from ppdm_desktop.engine.recipe.models import ATTRIBUTE_ROLES, StepSection
from ppdm_desktop.engine.release.candidate.model import Prepared
from ppdm_desktop.engine.release.disclosure.beliefs import values_of
from ppdm_desktop.engine.release.planning.class_counts import ClassCounts
from ppdm_desktop.engine.release.planning.ladders import Ladder, Rung, hides_common_name, ladder_of
from ppdm_desktop.engine.result_cache import hash_arrays
from ppdm_desktop.engine.table.column import Table

MOST_EVALUATIONS = 600
"""Number of choices that the greedy searches count, all starts together; as many again improve the best one, and prove
it.
"""
_LEAST_KEPT = 0.35
"""Largest loss of a rung from which a greedy search begins to keep its column."""
MOST_COMBINATIONS = 20_000
"""If there are at most this many choices, the best one is looked for until nothing better is left."""
PLANS = 3
_STARTS = 3
"""Of so many results of the greedy searches, the best ones, exchanges are looked for as well."""
_MOST_FAILURES = 3
"""After so many ways to show a column that are not allowed, or lose no less, it is made no finer."""
_OTHER_PAYS, _OTHER_COSTS = 0.5, 0.2
"""Another plan keeps a column with at most this share of the loss that it has in the best, and its whole loss is larger
by at most the second figure.
"""
_KEYS_COUNTED = 5
"""The share of cells that may be emptied is counted for at most this many columns: else everybody would lose a cell."""
_CELLS_BY_ROW = 2.0
"""Number of cells assumed to be emptied for each short row, as long as none were counted."""
_MORE_CELLS = 1.1
"""Factor on the cells that a short row cost in a choice that cost too many."""
_MOST_REFUSED, _REFUSED_ROWS = 16, 100_000
"""Number of choices that are set aside because their cells cannot be emptied; of small tables as many as have so many
rows together.
"""
_HOPELESS = 2
"""A choice with this many times as many rows in the way as are allowed is not refined."""
_DOING = "doing.suggesting"
_LAST_COUNTS: WeakKeyDictionary[Table, tuple[object, ClassCounts]] = WeakKeyDictionary()
"""For each table the counts of the last problem, with what they depend on."""
Choice = tuple[int, ...]
Priority = Callable[[int, int], float]


@dataclass(frozen=True, eq=False)
class TrueProblem:
    """The demands that a table with true values must meet.

    Attributes
    ----------
    table
        The input of the first step.
    keys
        Columns by which people can be found: classes are formed over them.
    demands
        int64, shape (rows,): number of people that each row's class must have.
    confidential
        The values of each confidential column, grouped as the gate judges them.
    share_limit
        Largest share of a class that may have one confidential value; 1 asks for two different values. The gate calls
        nine in ten people with one value one secret.
    most_emptied
        Share of the keys' cells that may be emptied, at most 0.04: if a single column is left, the step would refuse to
        empty more. If there are more than five keys, five keys' cells are counted.
    most_left_out
        Share of the rows that may be left out, because their class has one confidential value.
    weights
        Weight of a column's loss, 1 if not named.
    lowest
        Index of the first rung of a column's ladder that may be used, 0 if not named.
    detailed
        Columns that are not left out nor shown only roughly, unless ``lowest`` asks for it.
    """

    table: Table
    keys: tuple[str, ...]
    demands: Ints
    confidential: Mapping[str, Values] = field(default_factory=dict)
    share_limit: float = 1.0
    most_emptied: float = 0.02
    most_left_out: float = 0.0
    weights: Mapping[str, float] = field(default_factory=dict)
    lowest: Mapping[str, int] = field(default_factory=dict)
    detailed: frozenset[str] = frozenset()

    @classmethod
    def of(cls, prepared: Prepared) -> TrueProblem:
        """Return the search problem of a prepared input: its keys, the group sizes that rows ask for, and the secrets.

        Keys are the quasi-identifiers; in a public release all columns about people that are not confidential. The
        secrets are the confidential columns. Weights, limits and marks have their defaults.
        """
        table, public = prepared.table, prepared.type.is_public
        roles = ATTRIBUTE_ROLES - {"confidential"} if public else {"quasi-identifier"}
        sections = prepared.complete.columns
        secrets = {
            column.name: values_of(
                column, sections[column.name].tolerance if column.name in sections else None, lower=not public
            )
            for column in table.with_role("confidential")
        }
        keys = tuple(column.name for column in table.with_role(*roles))
        return cls(table, keys, levels_of(table).of("group").astype(np.int64), secrets)

    @cached_property
    def ladders(self) -> tuple[Ladder, ...]:
        """For each key its ladder, the ways to show it (rungs) that the search may use, finest first.

        Ways that hide a common name among rare ones are left out; of a column in ``detailed`` also rough ones
        (`_select_rungs`).
        """
        return tuple(self._select_rungs(ladder_of(self.table, name)) for name in self.keys)

    def _select_rungs(self, ladder: Ladder) -> Ladder:
        """Return a ladder without the ways of showing its column that the search must not use.

        Ways that hide a common name among rare ones always go. If the column must stay detailed (``detailed``), so do
        the rough ones, which keep little of its detail, and all coarser ways; but the way that ``lowest`` asks for and
        all finer ones stay, and so does all of a ladder whose finest way is rough.
        """
        column = self.table.column(ladder.column)
        ladder = replace(ladder, rungs=tuple(rung for rung in ladder.rungs if not hides_common_name(column, rung)))
        if ladder.column not in self.detailed or ladder.rungs[0].is_rough:
            return ladder
        fine = list(takewhile(lambda rung: not rung.is_rough, ladder.rungs))
        return replace(ladder, rungs=ladder.rungs[: max(len(fine), self.lowest.get(ladder.column, 0) + 1)])

    @property
    def importance(self) -> Mapping[str, float]:
        """Cost of an empty cell by column, for the columns in which it exceeds 1."""
        return {name: weight for name, weight in self.weights.items() if name in self.keys and weight > 1}


@dataclass(frozen=True, eq=False)
class TruePlan:
    """One way to show each column by which people can be found (key).

    Attributes
    ----------
    ladders
        The ways ("rungs") to show each key.
    choice
        The rung of each key, an index into its ladder.
    loss
        Weighted mean share of information that the keys lose, emptied cells included.
    emptied
        About how many cells have to be emptied.
    rows_left_out
        How many rows are left out.
    proven
        Whether it is proven that no other choice of rungs loses less.
    emptying
        Parameters of the step that empties cells.
    share_limit
        Share of people from which on a value that so many have is no secret; as in the problem.
    """

    ladders: tuple[Ladder, ...]
    choice: Choice
    loss: float
    emptied: int
    rows_left_out: int = 0
    proven: bool = False
    share_limit: float = 1.0
    emptying: Mapping[str, object] = field(default_factory=dict)

    @property
    def rungs(self) -> Mapping[str, int]:
        """The rung of each key by the key's name, as an index into its ladder."""
        return {ladder.column: rung for ladder, rung in zip(self.ladders, self.choice, strict=True)}

    @property
    def chosen(self) -> tuple[Rung, ...]:
        """The rung of each key, in the order of the ladders."""
        return tuple(ladder.rungs[rung] for ladder, rung in zip(self.ladders, self.choice, strict=True))

    @property
    def left_out(self) -> tuple[str, ...]:
        """Names of the keys that are not released."""
        return tuple(name for name, rung in self._pairs if rung.is_left_out)

    @property
    def _pairs(self) -> list[tuple[str, Rung]]:
        """Name of each key and the rung chosen for it, in the order of the ladders."""
        return [(ladder.column, rung) for ladder, rung in zip(self.ladders, self.chosen, strict=True)]

    def steps(self) -> tuple[StepSection, ...]:
        """Return the steps of the plan, in this order: generalise, leave columns out, empty cells, leave rows out.

        A step that has nothing to do is not among them, so the result may be empty.
        """
        coarser_steps = build_generalising_steps(dict(self._pairs))
        if self.left_out:
            coarser_steps.append(_build_step(LeaveOut(), self.left_out, {}))
        released = [name for name, rung in self._pairs if not rung.is_left_out]
        if self.emptied:
            coarser_steps.append(_build_step(LocalSuppression(), released, self.emptying))
        if self.rows_left_out:
            coarser_steps.append(_build_step(LeaveOutRows(), released, {"most": self.share_limit}))
        return tuple(coarser_steps)


def build_generalising_steps(rungs: Mapping[str, Rung]) -> list[StepSection]:
    """Return a list with the step that shows columns as these rungs do; empty if none shows generalised values.

    ``rungs`` holds the way to show each column by its name.
    """
    parameters: dict[str, dict[str, object]] = {}
    for rung in rungs.values():
        for key, by_column in (rung.parameters or {}).items():
            parameters.setdefault(key, {}).update(by_column)
    generalised = [name for name, rung in rungs.items() if rung.parameters]
    return [_build_step(Generalize(), generalised, parameters)] if generalised else []


def _build_step(method: Method, columns: Sequence[str] | None, parameters: Mapping[str, object]) -> StepSection:
    """Return a step of a method with these columns and parameters; None lets the method choose its columns."""
    named = None if columns is None else tuple(columns)
    return method.new_step.model_copy(update={"columns": named, "parameters": dict(parameters)})


@dataclass(frozen=True, eq=False)
class _Tried:
    """A choice of rungs that was counted: its classes if made, rows short in them and left out, and its loss."""

    choice: Choice
    classes: Classes | None
    short: int
    left_out: int
    loss: float


def search_true_values(problem: TrueProblem, most: int = PLANS) -> tuple[TruePlan, ...]:
    """Return the plan that loses least, and others in which other columns lose detail, by rising loss; empty if none.

    The search is greedy, with an exact one after it if there are at most 20,000 choices. ``proven`` in the first plan
    says that nothing better can exist; in the others it says nothing about themselves.

    Parameters
    ----------
    problem
        The demands.
    most
        How many plans to return at most; never more than 3 come back.

    Raises
    ------
    Cancelled
        When the work was stopped.
    """
    search = _Search(problem)
    best = search.find_best()
    if best is None:
        return ()
    true_plans: list[TruePlan] = []
    for tried in (best, *search.list_alternatives(best))[:most]:
        plan = search.make_affordable_plan(tried)
        if plan is not None and all(plan.choice != true_plan.choice for true_plan in true_plans):
            true_plans.append(replace(plan, proven=plan.proven and tried is best))
    return tuple(sorted(true_plans, key=lambda plan: plan.loss))


def count_rows_in_the_way(problem: TrueProblem, plan: TruePlan) -> dict[str, int]:
    """Return for each confidential column how many rows are in classes of a plan that show one of its values.

    0 where no class does. Only classes large enough for some of their rows count, and those in which too many people
    have no value as well. The plan may be that of a problem in which fewer columns had to be hidden; its classes are
    counted before cells are emptied.
    """
    codes = [problem.table.column(name).category_codes for name in problem.keys]

    def count(values: Values) -> int:
        """Return how many rows are in classes of the plan that show one value of this confidential column."""
        counts = ClassCounts(
            problem.ladders, codes, problem.demands, (values,), problem.share_limit, problem.table.several
        )
        return counts.count_blocking_rows(plan.choice)[1]

    return {name: count(values) for name, values in problem.confidential.items()}


def _counts_of(problem: TrueProblem) -> ClassCounts:
    """Return the counts of a problem's table; those of the last problem if only what may be chosen differs.

    So the rounds of planning, which mostly forbid one more way to show a column, count no choice again.
    """
    secrets = tuple(problem.confidential.items())
    contents = [(name, hash_arrays(values.codes, values.high, values.reaching)) for name, values in secrets]
    ways = [[id(rung) for rung in ladder.rungs] for ladder in problem.ladders]
    mark = (problem.keys, ways, hash_arrays(problem.demands), contents, problem.share_limit)
    before, counts = _LAST_COUNTS.get(problem.table, (None, None))
    if counts is None or before != mark:
        codes = [problem.table.column(name).category_codes for name in problem.keys]
        values = tuple(problem.confidential.values())
        counts = ClassCounts(
            problem.ladders, codes, problem.demands, values, problem.share_limit, problem.table.several
        )
        _LAST_COUNTS[problem.table] = mark, counts
    return counts


class _Search:
    """The search: greedy from the coarsest choice, then exchanges of columns, then exact if there are few choices.

    A choice names for each column by which people can be found one way of showing it, its rung: 0 is the finest.
    Every choice counted goes through ``_count_classes``.
    """

    def __init__(self, problem: TrueProblem) -> None:
        """Compute losses, entropies and limits of the problem's ladders, with nothing counted or found yet.

        ``spent`` counts the choices tried so far and ``budget`` limits them; ``proven`` is False until the search ends.
        """
        table = problem.table
        columns = [table.column(name) for name in problem.keys]
        self._problem, self._ladders = problem, problem.ladders
        self._counts = _counts_of(problem)
        weights = np.array([problem.weights.get(name, 1.0) for name in problem.keys])
        self._losses = [
            weight * np.array([rung.loss for rung in ladder.rungs]) / weights.sum()
            for weight, ladder in zip(weights, problem.ladders, strict=True)
        ]
        self._bits = [
            np.array([_compute_entropy_bits(column.category_counts, rung) for rung in ladder.rungs])
            for column, ladder in zip(columns, problem.ladders, strict=True)
        ]
        self._top = tuple(len(ladder.rungs) - 1 for ladder in problem.ladders)
        self._lowest = tuple(
            min(problem.lowest.get(ladder.column, 0), top)
            for ladder, top in zip(problem.ladders, self._top, strict=True)
        )
        self._cell = 1.0 / max(len(weights) * table.rows, 1)
        # A row that is left out is missing from all other columns, too.
        others = len(table.with_role(*ATTRIBUTE_ROLES)) - len(columns)
        self._row = (1 + others / max(float(weights.sum()), 1.0)) / max(table.rows, 1)
        self._most_left_out = problem.most_left_out * table.rows
        self._most = problem.most_emptied * table.rows * min(len(columns), _KEYS_COUNTED)
        self._failed = np.zeros((0, len(columns)), dtype=np.int64)
        self._cells_by_row = _CELLS_BY_ROW
        self._cells: dict[Choice, int | None] = {}
        self._optima: list[_Tried] = []
        self._refused: set[Choice] = set()
        self._most_refused = max(_MOST_REFUSED, _REFUSED_ROWS // max(table.rows, 1))
        self.spent, self.proven = 0, False
        self.budget = MOST_EVALUATIONS

    def find_best(self) -> _Tried | None:
        """Return the best choice found, which loses least detail; None if not even the coarsest choice is allowed.

        A choice says how each column is shown; the coarsest mostly leaves all columns out. ``proven`` becomes True if
        no other choice can lose less.
        """
        top = self._count_classes(self._top, None)
        if top is None or not self._is_affordable(top):  # a level asks for more people than there are
            return None
        self._fill_greedy_optima(top)
        best = top
        for tried in self._optima:
            best = self._choose_better(best, tried)
        self.budget = self.spent + MOST_EVALUATIONS
        for tried in (best, *self._optima[:_STARTS]):
            self._cells_by_row = max(1.0, self._estimate_cells_by_row(best))
            best = self._choose_better(best, self._improve_by_exchange(tried))
            self.budget = self.spent + MOST_EVALUATIONS // 4
        self.budget = self.spent + MOST_EVALUATIONS
        return self._search_exactly(best)

    def _fill_greedy_optima(self, top: _Tried) -> None:
        """Fill `_optima` with the results of greedy searches, each different choice once, least loss first.

        A choice says how each column is shown. Searches begin with ``top``, by four orders of columns, and with choices
        that show one column alone; last with choices in which a column of the best result keeps more.
        """
        for priority in (self._compute_gain_by_bit, self._compute_gain, self._look_up_loss, self._prioritise_column):
            self._optima.append(self._lower_choice(top, priority))
        for column, ladder in enumerate(self._ladders):
            kept = [rung for rung, step in enumerate(ladder.rungs) if step.loss <= _LEAST_KEPT]
            self._lower_from(column, max([*kept[-1:], self._lowest[column]]))
        best = min(self._optima, key=lambda tried: tried.loss)
        for column in self._list_reducible_columns(best):
            self._lower_from(column, self._find_kept_rung(best, column))
        distinct = {tried.choice: tried for tried in self._optima}
        self._optima = sorted(distinct.values(), key=lambda tried: tried.loss)

    def _lower_from(self, column: int, rung: int) -> None:
        """Add to `_optima` the result of a greedy search that begins with one column at ``rung``, all others left out.

        Nothing is added if three quarters of the budget or more are spent, or the start is not allowed.
        """
        if 2 * (self.budget - self.spent) > MOST_EVALUATIONS // 2:
            start = self._count_classes((*self._top[:column], rung, *self._top[column + 1 :]), None)
            if start is not None:
                self._optima.append(self._lower_choice(start, self._compute_gain_by_bit))

    def _choose_better(self, best: _Tried, tried: _Tried | None) -> _Tried:
        """Return the better of two choices of how columns are shown; ``best`` if ``tried`` is None or not better.

        ``tried`` must lose less than ``best`` twice: first by the estimated number of cells to empty, then by the
        counted one. If the counted one is too large, it is made coarser until it fits, as long as it loses less by the
        estimate. If it is returned, its loss includes the counted cells and the rows to leave out.
        """
        while tried is not None and tried.loss < best.loss - GRID:
            if self._is_affordable(tried):
                cells = self._cells.get(tried.choice) or 0
                tried = replace(
                    tried,
                    loss=self._compute_lower_bound(tried.choice) + cells * self._cell + tried.left_out * self._row,
                )
                return tried if tried.loss < best.loss else best
            tried = self._raise_to_fit(tried)
        return best

    def _list_reducible_columns(self, best: _Tried) -> list[int]:
        """Return the indices of the columns that lose detail in a choice and could keep more, most lost first.

        A column could keep more if it has a rung at which it loses at most half as much.
        """
        lost = [float(losses[rung]) for losses, rung in zip(self._losses, best.choice, strict=True)]
        columns = [column for column, rung in enumerate(best.choice) if self._find_kept_rung(best, column) < rung]
        return sorted(columns, key=lambda column: -lost[column])

    def _find_kept_rung(self, best: _Tried, column: int) -> int:
        """Return the coarsest finer rung at which a column loses at most half as much as in a choice.

        The rung of the choice itself if there is none.
        """
        losses, rung = self._losses[column], best.choice[column]
        lower = [step for step in range(self._lowest[column], rung) if losses[step] <= _OTHER_PAYS * losses[rung]]
        return max(lower, default=rung)

    def _is_affordable(self, tried: _Tried) -> bool:
        """Return whether few enough cells must be emptied for a choice of how columns are shown; notes their number.

        The number is a rough count. A choice that needs too many, or for which emptying cells is not enough, is noted
        as refused, and False at once when asked again. False also, uncounted, for any choice with too small classes
        once `_most_refused` choices were refused (16, or 100,000 / rows if that is more).
        """
        if tried.choice in self._refused or (tried.short and len(self._refused) >= self._most_refused):
            return False
        cells, _ = self._count_blanks(tried)
        self._cells[tried.choice] = cells
        is_affordable = cells is not None and cells <= self._most
        if not is_affordable:
            self._refused.add(tried.choice)
        return is_affordable

    def _estimate_cells_by_row(self, tried: _Tried) -> float:
        """Return how many cells have to be emptied for each short row of a choice, as counted or else as assumed."""
        cells = self._cells.get(tried.choice)
        return self._cells_by_row if cells is None or not tried.short else cells / tried.short

    def _raise_to_fit(self, tried: _Tried) -> _Tried | None:
        """Return the first coarser choice in which few enough cells are expected to be emptied, or None.

        It is for a choice that needs too many. Expected is a number for each row in a too small class: 1.1 times that
        of the given choice, or of the search's assumption if its cells were not counted. With 200 cells for 100 such
        rows, a choice with 30 is expected to need 66. Cells are not counted here. Choices that leave out too many rows
        are passed over. None if no choice that is tried meets both conditions.
        """
        assumed, self._cells_by_row = self._cells_by_row, _MORE_CELLS * self._estimate_cells_by_row(tried)
        raised = self._raise_to_free_rows(tried)
        self._cells_by_row = assumed
        return raised

    def make_affordable_plan(self, tried: _Tried | None) -> TruePlan | None:
        """Return a choice (how each column is shown) as a plan, with exact numbers of emptied cells and lost rows.

        As long as too many cells would be emptied, columns are made coarser, one form at a time; the plan then has that
        choice. None for None, and if no coarser choice is good enough. How many cells a row needed is noted for the
        choices counted after it.
        """
        is_first = True
        while tried is not None:
            cells, left_out = self._count_blanks(tried, is_rough=False)
            if cells is not None and cells <= self._most:
                return TruePlan(
                    self._ladders,
                    tried.choice,
                    loss=self._compute_lower_bound(tried.choice) + cells * self._cell + left_out * self._row,
                    emptied=cells,
                    rows_left_out=left_out,
                    proven=self.proven and is_first,
                    share_limit=self._problem.share_limit,
                    emptying=self._build_emptying_settings(tried.choice),
                )
            if cells is not None:
                self._cells_by_row = _MORE_CELLS * cells / tried.short
            tried, is_first = self._raise_to_free_rows(tried), False
        return None

    def _raise_to_free_rows(self, tried: _Tried) -> _Tried | None:
        """Return the first allowed choice met when columns are made coarser, one rung of one column at a time.

        Each time it is the column that, for the detail it loses, frees most rows from classes smaller than they ask
        for; rungs with which too many rows would have to be left out are not climbed. At least one rung is climbed.
        None if nothing allowed is met until no further rung can be climbed.
        """
        choice, short = tried.choice, tried.short
        while choice != self._top:
            progress.check()
            raised = []
            for column, rung in enumerate(choice):
                if rung < self._top[column]:
                    higher = (*choice[:column], rung + 1, *choice[column + 1 :])
                    left, left_out, can_leave = self._counts.count_blocking_rows(higher)
                    if left_out <= self._most_left_out * can_leave:
                        freed = (short - left) / max(self._compute_gain(column, rung + 1), GRID)
                        raised.append((freed, left, higher))
            if not raised:
                return None
            _, short, choice = max(raised)
            if (eased := self._try_choice(choice, None)[0]) is not None:
                return eased
        return None

    def _build_emptying_settings(self, choice: Choice) -> Mapping[str, object]:
        """Return the parameters of the step that empties cells for a choice; empty if its defaults are enough.

        ``k`` is the smallest class size that a row asks for, and there if it is larger than the smallest that the
        privacy levels ask for. ``importance`` is there if emptying a cell of some released column costs more than 1:
        the cost by column.
        """
        kept = {ladder.column for ladder, rung, top in zip(self._ladders, choice, self._top, strict=True) if rung < top}
        importance = {name: cost for name, cost in self._problem.importance.items() if name in kept}
        least = int(self._problem.demands.min())
        k = {"k": least} if least > int(levels_of(self._problem.table).of("group").min()) else {}
        return {**k, **({"importance": importance} if importance else {})}

    def _count_blanks(self, tried: _Tried, *, is_rough: bool = True) -> tuple[int | None, int]:
        """Return how many cells to empty and how many rows to leave out for a choice: (12, 0).

        Left out are the rows of classes that show one confidential value once the cells are empty. (None, 0) if such a
        class cannot be left out, if the absence of the rows would reveal a value, or if they are too many. Without rows
        in too small classes no cell is emptied, and the rows are those that the choice leaves out anyway. With
        ``is_rough`` a few cells too many may be counted.
        """
        if not tried.short:
            return 0, tried.left_out
        costs = np.array([self._problem.importance.get(name, 1.0) for name in self._problem.keys])
        counted = self._counts.fewest_blanks(tried.choice, costs, is_rough=is_rough)
        return (None, 0) if counted is None or counted[1] > self._most_left_out else counted

    def list_alternatives(self, best: _Tried) -> list[_Tried]:
        """Return up to two choices in which a column that loses detail in the best one keeps more, and others less.

        A choice says how each column is shown. They are taken from the greedy results; the column loses at most half as
        much as in the best, and the whole loss is larger by at most 0.2. They are in the order of these columns.
        """
        tried_plans: list[_Tried] = []
        for column in self._list_reducible_columns(best):
            kept = self._find_kept_rung(best, column)
            for tried in self._optima:
                if tried.choice[column] <= kept and tried.loss <= best.loss + _OTHER_COSTS and tried not in tried_plans:
                    tried_plans.append(tried)
                    break
        return tried_plans[: PLANS - 1]

    def _count_classes(self, choice: Choice, classes: Classes | None) -> _Tried | None:
        """Return a choice with its classes counted; None if it is not allowed.

        A choice says how each column is shown. It is not allowed if too many rows are in too small classes or in
        classes that show one value, or if it was refused before. A choice that is far from allowed is noted, so that
        finer ones are not tried. Each call counts against the budget (``spent``) and reports progress. ``classes`` are
        its classes if known.
        """
        progress.report(min(self.spent / (2 * MOST_EVALUATIONS), 1.0), _DOING)
        self.spent += 1
        if choice in self._refused:
            return None
        tried, troubled = self._try_choice(choice, classes)
        if tried is None and troubled >= _HOPELESS * (self._most_left_out + self._most / self._cells_by_row):
            self._failed = np.vstack([self._failed, choice])
        return tried

    def _try_choice(self, choice: Choice, classes: Classes | None) -> tuple[_Tried | None, int]:
        """Return a choice with its loss and counts, or None if it is not allowed, and the number of rows in the way.

        Rows in the way are those in classes smaller than they ask for and those whose class shows one value. The choice
        is not allowed if the latter are more than may be left out, or are there and cannot be left out, or if the
        former would probably cost too many emptied cells.
        """
        if classes is None and not self._counts.knows(choice):
            classes = self._counts.classes(choice)
        short, left_out, can_leave = self._counts.count_blocking_rows(choice, classes)
        if left_out > self._most_left_out * can_leave or short * self._cells_by_row > self._most:
            return None, short + left_out
        loss = self._compute_lower_bound(choice) + short * self._cells_by_row * self._cell + left_out * self._row
        return _Tried(choice, classes, short, left_out, loss), short + left_out

    def _compute_lower_bound(self, choice: Choice) -> float:
        """Return the loss of a choice of rungs before any cell is emptied, a lower bound of its whole loss."""
        return float(sum(losses[rung] for losses, rung in zip(self._losses, choice, strict=True)))

    def _is_hopeless(self, choice: Choice) -> bool:
        """Return whether a choice is equal to or finer than one that was far from allowed.

        Then it is not allowed either, and need not be counted.
        """
        finer = np.ones(len(self._failed), dtype=np.bool_)
        for column, ladder in enumerate(self._ladders):
            finer &= ladder.refines[choice[column], self._failed[:, column]]
        return bool(finer.any())

    def _compute_gain(self, column: int, rung: int) -> float:
        """Return the loss saved by showing a column one rung finer than ``rung``."""
        return float(self._losses[column][rung] - self._losses[column][rung - 1])

    def _compute_gain_by_bit(self, column: int, rung: int) -> float:
        """Return the loss saved by showing a column one rung finer, for each bit of entropy that this adds."""
        bits = self._bits[column]
        return self._compute_gain(column, rung) / max(float(bits[rung - 1] - bits[rung]), 1e-6)

    def _look_up_loss(self, column: int, rung: int) -> float:
        """Return the loss of a column at a rung: the priority in a search in which all columns keep something."""
        return float(self._losses[column][rung])

    def _prioritise_column(self, column: int, rung: int) -> float:
        """Return the priority of a column in a search that makes one column as fine as possible before the next.

        ``rung`` is ignored.
        """
        return float(self._losses[column][-1] / max(self._bits[column][self._lowest[column]], 1e-6))

    def _lower_choice(self, tried: _Tried, priority: Priority, without: int | None = None) -> _Tried:
        """Return a choice made finer one rung at a time, always in the column with the highest priority.

        A choice says how each column is shown. A finer one is taken only if it is allowed and loses less; where it is
        not, that column stays as it is from then on. The column with index ``without`` is never changed. It ends when
        no column can be made finer or the budget of counted choices is spent. The same choice comes back if nothing
        helps.
        """
        still = {column for column, rung in enumerate(tried.choice) if rung > self._lowest[column]} - {without}
        while still and self.spent < self.budget:
            column = max(still, key=lambda each: (priority(each, tried.choice[each]), -each))
            lower = self._lower_column(tried, column)
            tried = lower or tried
            if lower is None or tried.choice[column] == self._lowest[column]:
                still.discard(column)
        return tried

    def _lower_column(self, tried: _Tried, column: int) -> _Tried | None:
        """Return a choice with one column finer, by the first finer rung that is allowed and loses less; else None.

        Rungs as fine as or finer than a choice or rung that failed are passed over. After three rungs that are not
        allowed, or lose no less, no further one is tried.
        """
        ladder, failed = self._ladders[column], list[int]()
        for rung in range(tried.choice[column] - 1, self._lowest[column] - 1, -1):
            choice = (*tried.choice[:column], rung, *tried.choice[column + 1 :])
            if ladder.refines[rung, failed].any() or self._is_hopeless(choice):
                continue
            classes = None
            if ladder.refines[rung, tried.choice[column]] and tried.classes is not None:
                classes = None if self._counts.knows(choice) else self._counts.refined(tried.classes, column, rung)
            lower = self._count_classes(choice, classes)
            if lower is not None and lower.loss < tried.loss:
                return lower
            failed.append(rung)
            if len(failed) == _MOST_FAILURES or self.spent >= self.budget:
                break
        return None

    def _improve_by_exchange(self, best: _Tried) -> _Tried:
        """Return a choice improved by trades between columns, or the same choice if none helps or the budget is spent.

        In a trade one column is shown by the next coarser rung, or left out; the others are made as fine as is then
        allowed, and the column is made finer again last. A choice says how each column is shown.
        """
        starts = self._list_coarser_choices(best.choice)
        while starts and self.spent < self.budget:
            column, choice = starts.pop(0)
            start = self._count_classes(choice, None)
            if start is None:
                continue
            tried = self._lower_choice(
                self._lower_choice(start, self._compute_gain_by_bit, without=column), self._compute_gain_by_bit
            )
            if tried.loss < best.loss - GRID:
                best, starts = tried, self._list_coarser_choices(tried.choice)
        return best

    def _list_coarser_choices(self, choice: Choice) -> list[tuple[int, Choice]]:
        """Return the choices with one column coarser, each with that column's index.

        First each column by one rung, then each left out; columns that are left out already are passed over.
        """
        released = [column for column, rung in enumerate(choice) if rung < self._top[column]]
        raised = [(column, choice[column] + 1) for column in released]
        raised += [(column, self._top[column]) for column in released]
        return [(column, (*choice[:column], rung, *choice[column + 1 :])) for column, rung in raised]

    def _search_exactly(self, best: _Tried) -> _Tried:
        """Return the best choice of how columns are shown, after trying choices by rising least possible loss.

        ``best`` comes back unchanged if there are more than 20,000 choices or none is better. The search ends early,
        with nothing proven, once the budget of counted choices is spent. Otherwise ``proven`` becomes True, unless
        there are confidential columns and cells may be emptied or rows left out.
        """
        widths = [top - low + 1 for low, top in zip(self._lowest, self._top, strict=True)]
        if np.prod([float(width) for width in widths]) > MOST_COMBINATIONS:
            return best
        choices = np.stack([axis.reshape(-1) for axis in np.indices(widths)], axis=1) + np.array(self._lowest)
        low = np.sum([losses[rungs] for losses, rungs in zip(self._losses, choices.T, strict=True)], axis=0)
        is_open = np.ones(len(choices), dtype=np.bool_)
        for failed in self._failed:
            is_open &= ~self._find_finer_choices(choices, failed)
        for index in np.argsort(low, kind="stable").tolist():
            if low[index] >= best.loss - GRID:
                break
            if is_open[index]:
                best = self._search_upwards(tuple(choices[index].tolist()), best, choices, is_open)
            if self.spent >= self.budget:
                return best
        self.proven = not (self._problem.confidential and (self._most or self._most_left_out))
        return best

    def _search_upwards(self, start: Choice, best: _Tried, choices: Ints, is_open: Bools) -> _Tried:
        """Return the better of ``best`` and what ``start`` becomes when made coarser while far from allowed.

        Each rung is climbed in the column that loses least by it. The climb ends once a choice is allowed or nearly,
        cannot lose less than ``best``, or the budget is spent. ``is_open``, shape (choices,), is changed: all choices
        as fine as one that is far from allowed become False.
        """
        climbed: Choice | None = start
        while (
            climbed is not None and self._compute_lower_bound(climbed) < best.loss - GRID and self.spent < self.budget
        ):
            failures = len(self._failed)
            tried = self._count_classes(climbed, None)
            if tried is not None and tried.loss < best.loss - GRID and self._is_affordable(tried):
                best = tried
            if len(self._failed) == failures:
                break
            is_open &= ~self._find_finer_choices(choices, np.array(climbed))
            climbed = self._raise_cheapest_column(climbed)
        return best

    def _find_finer_choices(self, choices: Ints, failed: Ints) -> Bools:
        """Return which choices are equal to or finer than ``failed``, bool of shape (choices,).

        Both hold indices of rungs: ``choices`` has shape (choices, columns), ``failed`` has shape (columns,).
        """
        finer = np.ones(len(choices), dtype=np.bool_)
        for column, ladder in enumerate(self._ladders):
            finer &= ladder.refines[choices[:, column], failed[column]]
        return finer

    def _raise_cheapest_column(self, choice: Choice) -> Choice | None:
        """Return a choice with one column a rung (way of showing it) coarser: the column that loses least by it.

        None if all columns are left out. Of equal ones it is the first column.
        """
        columns = [column for column, rung in enumerate(choice) if rung < self._top[column]]
        if not columns:
            return None
        column = min(columns, key=lambda each: self._compute_gain(each, choice[each] + 1))
        return (*choice[:column], choice[column] + 1, *choice[column + 1 :])


def _compute_entropy_bits(counts: Ints, rung: Rung) -> float:
    """Return the Shannon entropy, in bits, of the values that a rung shows for the records with a value.

    0 if all show one value, or if none has a value. ``counts`` is the number of records of each category.
    """
    shares: Floats = np.bincount(rung.codes_of_categories[:-1], counts) / max(int(counts.sum()), 1)
    shares = shares[shares > 0]
    return -float(shares @ np.log2(shares))
