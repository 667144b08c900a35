"""`local-suppression`: empties as few cells as possible until everybody's group of equal records is large enough."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Bools, Floats, Ints
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.methods.algorithms.generalisation.fewest_blanks import bound_row_costs, fewest_blanks
from ppdm_desktop.engine.methods.algorithms.generalisation.labels import missing_text
from ppdm_desktop.engine.methods.algorithms.generalisation.recount import (
    GROUPS_LARGE_ENOUGH,
    GroupMethod,
    find_demanded_sizes,
    find_released_set_sizes,
    find_rows_to_remove,
    level_proofs,
    make_protections,
    treated_classes,
)
from ppdm_desktop.engine.methods.algorithms.swapping.recount import same_values
from ppdm_desktop.engine.methods.base.declaration import Family, FigureLine, labelled_lines, register
from ppdm_desktop.engine.methods.base.parameters import (
    ColumnNumbersParameter,
    NumberParameter,
    make_smallest_group_parameter,
)
from ppdm_desktop.engine.methods.base.step import Guarantee, Recount, Settings, StepResult, Suggestion
from ppdm_desktop.engine.randomness import StepStream
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.wording.catalogue import Sentence, lazy
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Name, Ratio, Share, Value

EQUAL, OFF = "equal", "off"
_DOING = "progress.method.search"
_ROUNDING = 1e-6
"""By how much a number of cells may differ from a whole one by rounding alone: 0.29 * 100 is below 29."""
SUGGESTED_COLUMNS = 12
"""Largest number of quasi-identifiers for which the search tries every set of columns."""
_IMPORTANCE = ColumnNumbersParameter(
    name="importance",
    label=lazy("Importance of columns"),
    help=lazy("What an empty cell of a column costs, from 1 to 100. Columns left out cost 1."),
    default=EQUAL,
    words={EQUAL: lazy("All columns cost the same.")},
    names={EQUAL: lazy("all the same")},
    advanced=True,
    checked_with={"importance": {"Known 0": 7}, "most": 0.5},
)


@register
class LocalSuppression(GroupMethod):
    """Empty as few quasi-identifier cells as possible until every group of equal records is as large as demanded.

    An empty cell counts as a value of its own, even if risk is counted with a missing value that matches anything: an
    intruder who knows a person's true details can tell such rows apart. `fewest_blanks` does the search.
    """

    id = "local-suppression"
    title = lazy("Empty the fewest cells")
    paper = lazy(
        "L. Willenborg, T. de Waal, Elements of Statistical Disclosure Control, Springer 2001 (local suppression)"
    )
    summary = lazy("Empties single cells, as few as possible, until enough people have the same released details.")
    promises = (
        GROUPS_LARGE_ENOUGH,
        lazy("Nobody is removed, and no value is changed: a cell shows the truth or nothing."),
    )
    limits = (
        lazy("Empty cells show that a person was recognisable or asked for more protection."),
        lazy("The people with the same details can still all have the same confidential value."),
        lazy("The number of empty cells is close to the smallest possible one, but not always equal to it."),
        lazy("An empty cell counts as a value. Programs that let it match anything empty fewer cells."),
        lazy("Used alone on many columns, it takes most of a table away. Use broader values first."),
        lazy(
            "If people have several rows, people are counted. If their rows could be linked, all rows of a person "
            "are emptied alike."
        ),
    )
    recipients_learn = lazy("Single cells of people who could be recognised are empty.")
    family = Family.TRUE_VALUES
    holds_groups = True
    treatment = lazy("suppression (of cells)")
    leaves_values = "unchanged"
    kinds = frozenset({"numeric", "ordinal", "nominal", "date", "text"})
    public_parameters = frozenset({"k"})
    figure_labels: ClassVar[Mapping[str, Sentence]] = {
        "bound": lazy("Cells that every method would have to empty"),
        "smallest": lazy("People in the smallest group"),
    }
    parameters = (
        make_smallest_group_parameter(),
        _IMPORTANCE,
        NumberParameter(
            name="most",
            label=lazy("Largest share to empty"),
            help=lazy("The largest share of the cells that may be emptied. If more is needed, the step is refused."),
            effect=lazy("A smaller share keeps the table useful."),
            default=0.2,
            low=0,
            high=1,
        ),
    )

    def check(self, table: Table, settings: Settings) -> tuple[Note, ...]:
        """Return a note if no cell has to be emptied; raise an error if emptying cells cannot make groups large enough.

        Raises
        ------
        RecipeError
            When a quasi-identifier is left out, a treated column changes within people whose rows can be linked, or a
            confidential column is treated.
        InputError
            When there are fewer people than a group needs or, where rows can be linked, too few people with the same
            number of rows.
        """
        self.refuse_too_few_people(table, settings)
        return () if _find_small_class_rows(table, settings).any() else (Note("note.local-suppression.nothing"),)

    def suggestions(self, table: Table) -> tuple[Suggestion, ...]:
        """Return the usual settings as the only suggestion; nothing if there are more than twelve quasi-identifiers."""
        if len(table.with_role("quasi-identifier")) > SUGGESTED_COLUMNS:
            return ()
        return (Suggestion(self.title),)

    def effect(self, table: Table, settings: Settings) -> Note:
        """Return a note on how many rows are in groups that are too small, and how many cells may be emptied at most.

        Rows also count whose group is too small without these. The cells are the share ``most`` of all cells of the
        step's columns, rounded down: 0.05 of 50 cells are 2.
        """
        rows, all = int(_find_small_class_rows(table, settings).sum()), table.rows * len(settings.columns)
        arguments: dict[str, Value] = {"records": rows, "cells": _count_allowed_cells(settings, all), "all": all}
        return Note("note.local-suppression.effect", arguments)

    def price(self, table: Table, settings: Settings) -> tuple[Note, ...]:
        """Return a note on how many cells would be emptied, and in which column the most; () if none would be.

        It searches for the cells, which takes as long as in ``run``, and ignores the limit ``most``. InputError if
        there are fewer people than one of them demands in a group.
        """
        emptied = _Emptied.of(table, settings)
        arguments: dict[str, Value] = {"cells": emptied.cells, "all": emptied.all, "column": Name(emptied.worst_column)}
        return (Note("note.local-suppression.price", arguments),) if emptied.cells else ()

    def ineffective_parameters(self, table: Table, settings: Settings) -> frozenset[str]:
        """Return the name of the parameter ``importance`` if all columns cost the same; otherwise nothing."""
        return frozenset() if settings.values["importance"] != EQUAL else frozenset({"importance"})

    def run(self, table: Table, settings: Settings, streams: StepStream) -> StepResult:
        """Return the table with cells emptied so that groups are large enough; it makes no random draws.

        The search empties few cells, the most important columns least, but not always the fewest. If cells are emptied,
        a note gives their number and a lower bound for any method. All rows count as protected. The step's figures are
        the number of emptied cells (also by column), of all cells, the bound, and the people in the smallest group. The
        errors are those of ``check``, and:

        Raises
        ------
        InputError
            When more cells would have to be emptied than the parameter ``most`` allows.
        """
        self.check(table, settings)
        emptied = progress.part(0.0, 0.7).run(_Emptied.of, table, settings)
        most = Ratio(float(settings.values["most"]))
        if emptied.cells > _count_allowed_cells(settings, emptied.all):
            share = Ratio(emptied.cells / emptied.all)
            arguments: dict[str, Value] = {"cells": emptied.cells, "all": emptied.all, "percent": share, "most": most}
            raise InputError("error.local-suppression.too-many", args=arguments)
        bound = progress.part(0.7, 1.0).run(emptied.least_cells)
        result = _build_result(table, settings, emptied)
        progress.report(1.0, _DOING)
        done = Note("note.local-suppression.done", {"cells": emptied.cells, "bound": bound})
        detail = {"cells": emptied.cells, "all": emptied.all, "bound": bound, **result.detail}
        return replace(result, detail=detail, notes=(done,) if emptied.cells else ())

    def empty_cells(self, table: Table, settings: Settings) -> StepResult:
        """Return the table with cells emptied, however many they are, and without the lower bound, which takes long.

        The errors are those of ``check``.
        """
        self.check(table, settings)
        return _build_result(table, settings, _Emptied.of(table, settings))

    def figure_lines(self, detail: Mapping[str, Any]) -> list[FigureLine]:
        """Return, with labels, how many cells were emptied, a lower bound, and the size of the smallest group.

        The number of emptied cells comes in total and by column, without columns in which none was emptied. The bound
        is how many cells every method has to empty, at least; it is left out if it was not computed.
        """
        emptied = lazy("Cells emptied")
        return [
            FigureLine(emptied, Share(detail["cells"], detail["all"])),
            *(FigureLine(emptied, int(of["cells"]), name) for name, of in detail["columns"].items() if of["cells"]),
            *labelled_lines(detail, self.figure_labels),
        ]

    def column_note(self, settings: Settings, detail: Mapping[str, Any], name: str) -> Sentence | None:
        """Return what the note for the recipient says about one column; None where none of its cells was emptied."""
        return self.recipients_learn if detail["columns"][name]["cells"] else None

    def recount(self, before: Table, after: Table, settings: Settings, detail: Mapping[str, Any]) -> Recount:
        """Return whether every group is as large as its members demand, and every released cell is true or empty.

        How many cells were emptied does not matter. ``worst`` is the number of people in the smallest group with equal
        values in the step's columns, an empty cell being a value.
        """
        demands = find_demanded_sizes(before, settings, "k")
        classes = treated_classes(after, settings)
        sizes = find_released_set_sizes(classes, before.persons)
        off = int(np.count_nonzero(sizes < demands))
        for name in settings.columns:
            released = after.column(name)
            off += int(np.count_nonzero(~same_values(before.column(name), released) & ~released.missing))
        proofs = level_proofs(before, settings.columns, demands, sizes, firm=True)
        return Recount(Guarantee("file", off == 0, before.rows, float(sizes.min(initial=before.rows))), proofs)


def _count_allowed_cells(settings: Settings, cells: int) -> int:
    """Return how many of some cells may be emptied: the share ``most`` of them, rounded down."""
    return math.floor(float(settings.values["most"]) * cells + _ROUNDING)


def _build_result(table: Table, settings: Settings, emptied: _Emptied) -> StepResult:
    """Return the step's result: the table with the chosen cells emptied, and its figures.

    These are the numbers of emptied cells and of all cells, of emptied cells by column, and of people in the smallest
    group; there are no notes. Every row counts as protected.
    """
    names = settings.columns
    columns = [_empty_cells(table.column(name), emptied.mask[:, at]) for at, name in enumerate(names)]
    after = table.replacing(*columns) if emptied.cells else table
    classes = treated_classes(after, settings)
    detail = {
        "cells": emptied.cells,
        "all": emptied.all,
        "columns": {name: {"cells": int(emptied.mask[:, at].sum())} for at, name in enumerate(names)},
        "smallest": int(find_released_set_sizes(classes, after.persons).min(initial=after.rows)),
    }
    everybody = np.ones(after.rows, dtype=np.bool_)
    return StepResult(after, make_protections(names, classes.ids, everybody), detail)


class _Part(NamedTuple):
    """Units (rows or people) that can be in the same group, as input of ``fewest_blanks``.

    Attributes
    ----------
    rows
        The row that stands for each unit.
    of
        Index of each table row's unit, shape (rows of the table,); -1 if the row is not in this part.
    codes, demands, who
        For each unit, the codes of its values, the group size that it demands, and its person's index (``who`` is None
        if every unit is one person).
    """

    rows: Ints
    of: Ints
    codes: Ints
    demands: Ints
    who: Ints | None


class _Emptied(NamedTuple):
    """The cells to empty, and the parts of the table that were searched for them.

    Attributes
    ----------
    mask
        Whether each cell is to be emptied, shape (rows, columns).
    parts
        The parts, searched one by one.
    columns
        Names of the columns.
    """

    mask: Bools
    parts: tuple[_Part, ...]
    columns: tuple[str, ...]

    @classmethod
    def of(cls, table: Table, settings: Settings) -> _Emptied:
        """Return the cells to empty, found by a search of each part of the table.

        If the rows of a person can be linked, the same cells are emptied in all of them. InputError if a part has fewer
        people than one of them demands.
        """
        mask = np.zeros((table.rows, len(settings.columns)), dtype=np.bool_)
        parts, weights = tuple(_split_into_parts(table, settings)), _list_column_weights(settings)
        for index, part in enumerate(parts):
            share = progress.part(index / len(parts), (index + 1) / len(parts))
            blanks = share.run(fewest_blanks, part.codes, part.demands, weights, who=part.who)
            mask[part.of >= 0] = blanks[part.of[part.of >= 0]]
        return cls(mask, parts, settings.columns)

    @property
    def cells(self) -> int:
        """Number of cells to empty."""
        return int(self.mask.sum())

    @property
    def all(self) -> int:
        """Number of cells of the treated columns, emptied or not."""
        return self.mask.size

    @property
    def worst_column(self) -> str:
        """Name of the column with the most cells to empty; the first one if several have as many."""
        return self.columns[int(self.mask.sum(axis=0).argmax())]

    def least_cells(self) -> int:
        """Return a lower bound of the number of cells that any method has to empty.

        Weights of columns do not matter.
        """
        least = 0.0
        for part in self.parts:
            rows = np.bincount(part.of[part.of >= 0], minlength=len(part.rows))
            ones = np.ones(len(self.columns))
            least += float((bound_row_costs(part.codes, part.demands, ones, who=part.who) * rows).sum())
        return math.ceil(least - _ROUNDING)


def _split_into_parts(table: Table, settings: Settings) -> Iterator[_Part]:
    """Yield the parts of the table that are searched separately.

    All rows are one part, unless recipients can link the rows of a person: then the people with the same number of rows
    are one part, with the first row of each. People with the fewest rows come first.
    """
    codes = np.stack([_rank_values(table.column(name)) for name in settings.columns], axis=1)
    demands, people = find_demanded_sizes(table, settings, "k"), table.persons
    if not people.linked:
        every = np.arange(table.rows, dtype=np.int64)
        yield _Part(every, every, codes, demands, people.of_row if people.with_several else None)
        return
    for length in np.unique(people.sizes).tolist():
        whose = people.sizes == length
        unit = np.where(whose, np.cumsum(whose) - 1, -1)
        rows = people.first_rows[whose]
        yield _Part(rows, unit[people.of_row], codes[rows], demands[rows], None)


def _rank_values(column: Column) -> Ints:
    """Return the rank of each row's value among the column's sorted values, -1 if missing.

    Row order does not matter.
    """
    ranks = np.argsort(np.argsort(np.array(column.categories, dtype=object)))
    return np.append(ranks, -1)[column.category_codes].astype(np.int64)


def _list_column_weights(settings: Settings) -> Floats:
    """Return the importance of each column of the step, float64, shape (columns,).

    1 if the settings have none for it.
    """
    importance = settings.values["importance"]
    return np.array([_IMPORTANCE.of(importance, name) or 1.0 for name in settings.columns])


def _find_small_class_rows(table: Table, settings: Settings) -> Bools:
    """Return which rows are, before the step, in a group with fewer people than they demand, bool, shape (rows,).

    Rows are also marked whose group would be too small without these. If the rows of a person can be linked, all rows
    of the person are marked.
    """
    demands = find_demanded_sizes(table, settings, "k")
    return find_rows_to_remove(treated_classes(table, settings), demands, table.persons)


def _empty_cells(column: Column, gone: Bools) -> Column:
    """Return the column with the marked cells emptied; all missing cells then have the text that most of them had.

    It is empty if the column has no text for missing values. ``gone`` marks the cells, bool, shape (rows,).
    """
    mark, rows = missing_text(column), np.flatnonzero(gone | column.missing)
    return replace(column.with_values(rows, [mark] * len(rows)), missing_texts=column.missing_texts | {mark})
