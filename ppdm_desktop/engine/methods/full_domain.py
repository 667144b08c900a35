"""`full-domain`: finds the level of broader values for each column with which the least detail is lost.

A column's hierarchy has levels: 0 are the values themselves, higher levels are broader. All values of a column are
shown at the same level.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.errors import InputError, RecipeError
from ppdm_desktop.engine.methods.algorithms.generalisation.best_levels import (
    DOING,
    MOST_COMBINATIONS,
    BestLevels,
    Evaluated,
    LevelSearch,
)
from ppdm_desktop.engine.methods.algorithms.generalisation.column_levels import levels_of_column, recodings_of
from ppdm_desktop.engine.methods.algorithms.generalisation.recoding import Recoding, describe_rule
from ppdm_desktop.engine.methods.algorithms.generalisation.recount import (
    GROUPS_LARGE_ENOUGH,
    GroupMethod,
    find_demanded_sizes,
    refuse_partial,
)
from ppdm_desktop.engine.methods.base.declaration import Family, FigureLine, register
from ppdm_desktop.engine.methods.base.parameters import (
    ChoiceParameter,
    ColumnNumbersParameter,
    NumberParameter,
    make_smallest_group_parameter,
)
from ppdm_desktop.engine.methods.base.step import Recount, Settings, StepResult, Suggestion
from ppdm_desktop.engine.methods.local_suppression import LocalSuppression
from ppdm_desktop.engine.methods.suppress import Suppress
from ppdm_desktop.engine.randomness import StepStream
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.wording.catalogue import lazy
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Name, Number, Ratio, Share, Term, Value

EQUAL, CELLS, RECORDS = "equal", "cells", "records"
_REST: Mapping[str, type[LocalSuppression | Suppress]] = {CELLS: LocalSuppression, RECORDS: Suppress}
_IMPORTANCE = ColumnNumbersParameter(
    name="importance",
    label=lazy("Importance of columns"),
    help=lazy("How much detail lost in a column counts, from 0.1 to 10. Columns left out count 1."),
    default=EQUAL,
    words={EQUAL: lazy("All columns count the same.")},
    names={EQUAL: lazy("all the same")},
    advanced=True,
)


@register
class FullDomain(GroupMethod):
    """Choose one level of broader values for each quasi-identifier so that the least detail is lost, with a proof.

    `LevelSearch` does the search. People who still stand out lose single cells or are removed (``_REST``).
    """

    id = "full-domain"
    title = lazy("Find the best broader values")
    paper = lazy(
        "F. Kohlmayer, F. Prasser, C. Eckert, A. Kemper, K. A. Kuhn, Flash: Efficient, Stable and Optimal "
        "K-Anonymity, PASSAT 2012"
    )
    summary = lazy(
        "Tries all combinations of the columns’ lists of broader values and takes the one that keeps most detail."
    )
    promises = (
        GROUPS_LARGE_ENOUGH,
        lazy("Each column has one rule for everybody: all its values come from one level of its list."),
        lazy("No other combination of levels keeps more detail. Where this is not proven, the gap is reported."),
    )
    limits = (
        lazy("Every column needs a list of broader values. Dates, numbers and codes have one by themselves."),
        lazy("One rule applies to everyone, so common values become broader than they need to be."),
        lazy("The people with the same details can still all have the same confidential value."),
        lazy("People who stand out nevertheless lose single values, or are removed."),
        lazy("If people have several rows, people are counted."),
    )
    recipients_learn = lazy("Each value is shown as it is, as a broader one that contains it, or not at all.")
    family = Family.TRUE_VALUES
    holds_groups = True
    treatment = lazy("generalisation (one rule for the column) with suppression")
    leaves_values = "true"
    kinds = frozenset({"numeric", "ordinal", "nominal", "date"})
    public_parameters = frozenset({"k"})
    parameters = (
        make_smallest_group_parameter(),
        NumberParameter(
            name="most",
            label=lazy("Largest share to leave out"),
            help=lazy("The largest share of people who may stay in groups that are too small."),
            default=0.04,
            low=0,
            high=1,
        ),
        ChoiceParameter(
            name="rest",
            label=lazy("People left out"),
            help=lazy("What happens to people whose group stays too small."),
            effect=lazy("Empty cells keep everybody in the file; removed records keep all values of the others."),
            default=CELLS,
            choices={
                CELLS: lazy("Single cells are emptied, as few as possible."),
                RECORDS: lazy("Their records are removed."),
            },
            names={CELLS: lazy("empty cells"), RECORDS: lazy("remove records")},
        ),
        _IMPORTANCE,
    )

    def takes(self, table: Table, column: Column) -> bool:
        """Return whether the method can treat a column: if it has a list of broader values, or no value at all.

        Texts without categories are never treated.
        """
        return super().takes(table, column) and (not column.categories or len(recodings_of(column)) > 1)

    def check(self, table: Table, settings: Settings) -> tuple[Note, ...]:
        """Return no note.

        Raise an error for columns without a list of broader values, and for tables with too few people.

        Raises
        ------
        RecipeError
            When a quasi-identifier is left out, has values but no list, or changes within people whose rows can be
            linked, or a column with another role is treated.
        InputError
            When the table has fewer people than the group size that the recipe, or somebody's privacy level, demands.
        """
        refuse_partial(table, settings, self.title)
        self.refuse_unfit_people(table, settings)
        for name in settings.columns:
            if not self.takes(table, table.column(name)):
                raise RecipeError("error.full-domain.no-list", column=name, args={"column": Name(name)})
        asked, people = int(find_demanded_sizes(table, settings, "k").max(initial=0)), table.persons.count
        if asked > people and table.rows:
            raise InputError("error.method.too-few", args={"people": people, "group": asked})
        return ()

    def suggestions(self, table: Table) -> tuple[Suggestion, ...]:
        """Return the usual settings as the only suggestion, or nothing if the method does not suit the table.

        It does if every quasi-identifier has broader values (or no value at all), and at least one of them from a
        declared list; dates, numbers and codes have some without one.
        """
        columns = table.with_role("quasi-identifier")
        has_list = any(column.hierarchy is not None for column in columns)
        return (Suggestion(self.title),) if has_list and all(self.takes(table, column) for column in columns) else ()

    def effect(self, table: Table, settings: Settings) -> Note:
        """Return a note on how many combinations of levels there are, and how many people may be left out at most.

        The latter is the share ``most`` of all people, rounded down: 0.01 of 250 people are 2.
        """
        counts = [len(recodings_of(table.column(name))) for name in settings.columns]
        arguments: dict[str, Value] = {
            "combinations": math.prod(counts),
            "people": _compute_left_out_limit(table, settings),
        }
        return Note("note.full-domain.effect", arguments)

    def ineffective_parameters(self, table: Table, settings: Settings) -> frozenset[str]:
        """Return the name of the parameter ``importance`` if all columns count the same; otherwise nothing."""
        return frozenset() if settings.values["importance"] != EQUAL else frozenset({"importance"})

    def run(self, table: Table, settings: Settings, streams: StepStream) -> StepResult:
        """Return the table with each column at its best level, and the people left out emptied or removed.

        It makes no random draws. The step's figures are, by column, the level, the rule and an example, then the people
        left out and all people, the loss of detail and by how much it could be smaller (``gap``), the number of
        combinations, and the figures of what was done to the people left out. The errors are those of ``check`` and of
        the method that treats the people left out, and:

        Raises
        ------
        InputError
            When too many people would be left out even with the broadest values, or a broader text would be read as a
            missing value.
        """
        self.check(table, settings)
        search = _Search.of(table, settings)
        most = _compute_left_out_limit(table, settings)
        outcome = progress.part(0.0, 0.7).run(search.levels.run, most)
        if isinstance(outcome, Evaluated):
            share = Ratio(float(settings.values["most"]))
            raise InputError("error.full-domain.none-allowed", args={"people": outcome.left_out, "share": share})
        generalised = _recode_table(table, settings, outcome.best.levels)
        method, rest = _choose_rest_method(generalised, settings)
        last = progress.part(0.7, 1.0)
        if isinstance(method, LocalSuppression):
            result = last.run(method.empty_cells, generalised, rest)
        else:
            result = last.run(method.run, generalised, rest, streams)
        progress.report(1.0, DOING)
        detail = {
            "columns": {
                name: _column_detail(table.column(name), rules, level, finer)
                for name, rules, level, finer in zip(
                    settings.columns, search.recodings, outcome.best.levels, outcome.finer, strict=True
                )
            },
            "left_out": outcome.best.left_out,
            "people": table.persons.count,
            "loss": outcome.best.loss,
            "gap": outcome.gap,
            "combinations": search.levels.combinations,
            "rest": dict(result.detail),
        }
        return StepResult(result.table, result.protections, detail, notes=_list_notes(outcome, detail))

    def figure_lines(self, detail: Mapping[str, Any]) -> list[FigureLine]:
        """Return the figures of a step with labels.

        They are, for each column, the rule of its level and, above level 0, an example and how many people the next
        finer level would leave out; then the number of people left out, the loss of detail, and what was done to the
        people left out.
        """
        lines = []
        for name, of in detail["columns"].items():
            how = Term(describe_rule(of))
            before, after = (Term(text) for text in of["example"])
            figure = lazy("{how}", how=how)
            if of["finer_left_out"] is not None:
                figure = lazy(
                    "{how} ({before} → {after}); one level finer leaves out {finer} people instead of {people}",
                    how=how,
                    before=before,
                    after=after,
                    finer=int(of["finer_left_out"]),
                    people=int(detail["left_out"]),
                )
            lines.append(FigureLine(Term(name), figure))
        lines.append(
            FigureLine(lazy("People in groups that are too small"), Share(detail["left_out"], detail["people"]))
        )
        lines.append(FigureLine(lazy("Loss of detail"), Number(detail["loss"])))
        rest = LocalSuppression if "cells" in detail["rest"] else Suppress
        return [*lines, *rest().figure_lines(detail["rest"])]

    def recount(self, before: Table, after: Table, settings: Settings, detail: Mapping[str, Any]) -> Recount:
        """Return whether each value is empty or that of its column's level, and each group is large enough.

        Groups are people with equal quasi-identifiers. They are counted by the method that treated the people left out;
        removed records are not counted. ``worst`` is the number of people in the smallest group.
        """
        generalised = _recode_table(before, settings, [of["level"] for of in detail["columns"].values()])
        method, rest = _choose_rest_method(generalised, settings)
        return method.recount(generalised, after, rest, detail["rest"])


class _Search(NamedTuple):
    """The search for the best levels of a table, and for each column its recodings, one per level."""

    levels: LevelSearch
    recodings: list[list[Recoding]]

    @classmethod
    def of(cls, table: Table, settings: Settings) -> _Search:
        """Return the search for a step's columns, with the importance of columns from the settings.

        If the rows of a person can be linked, people are searched instead of rows, and people with different numbers of
        rows never form a group. Otherwise rows are searched, and the sizes of groups count people.
        """
        columns = [table.column(name) for name in settings.columns]
        recodings = [recodings_of(column) for column in columns]
        levels = [levels_of_column(column, rules) for column, rules in zip(columns, recodings, strict=True)]
        codes = np.stack([column.category_codes.astype(np.int64) for column in columns])
        demands, people = find_demanded_sizes(table, settings, "k"), table.persons
        who = part = None
        if people.linked:
            codes, demands, part = codes[:, people.first_rows], demands[people.first_rows], people.sizes
        elif people.with_several:
            who = people.of_row
        importance = settings.values["importance"]
        weights = np.array([_IMPORTANCE.of(importance, name) or 1.0 for name in settings.columns])
        return cls(LevelSearch(levels, codes, demands, weights, who=who, part=part), recodings)


def _compute_left_out_limit(table: Table, settings: Settings) -> int:
    """Return the largest number of people that may be left out: the share ``most`` of all people, rounded down."""
    return math.floor(float(settings.values["most"]) * table.persons.count + 1e-9)


def _recode_table(table: Table, settings: Settings, levels: Sequence[int]) -> Table:
    """Return the table with each column of the step shown at its level; level 0 leaves a column unchanged.

    ``levels`` are in the order of the step's columns.
    """
    columns = [table.column(name) for name in settings.columns]
    return table.replacing(
        *(recodings_of(column)[level].applied(column) for column, level in zip(columns, levels, strict=True) if level)
    )


def _choose_rest_method(generalised: Table, settings: Settings) -> tuple[LocalSuppression | Suppress, Settings]:
    """Return the method that treats the people left out (empties cells or removes records), and its settings.

    The settings demand the same group sizes and allow any share of cells or records, because the limit was checked
    before.
    """
    method = _REST[settings.values["rest"]]()
    written = {"k": settings.values["k"]} if "k" in settings.written else {}
    return method, method.settings(generalised, settings.columns, {**written, "most": 1})


def _column_detail(column: Column, recodings: list[Recoding], level: int, finer: int | None) -> dict[str, Any]:
    """Return what the report keeps of a column: its level, its rule, an example, and the cost of a finer level.

    The keys are ``level``, ``levels`` (the number of all), ``rule``, ``example`` (the most frequent value before and
    after, or two empty texts if the column has no value), and ``finer_left_out``, which is ``finer``.

    Parameters
    ----------
    recodings
        The column's recodings, one per level.
    level
        The chosen level.
    finer
        Number of people left out if this column were one level finer; None at level 0.
    """
    rule = recodings[level]
    common = int(column.category_counts.argmax()) if column.categories else None
    return {
        "level": level,
        "levels": len(recodings),
        "rule": rule.how_by_parts,
        "example": ["", ""] if common is None else [column.categories[common], rule.texts[common]],
        "finer_left_out": finer,
    }


def _list_notes(outcome: BestLevels, detail: Mapping[str, Any]) -> tuple[Note, ...]:
    """Return one note on the chosen levels: nothing was needed, they are best, or how far they may be from it.

    - Nothing was needed if every column is at level 0 and nobody is left out.
    - The levels are proven best if there were few enough combinations to try all, or if the bound leaves no gap.
    - Otherwise the note gives the gap: by how much the loss of detail could be smaller.
    """
    if not any(outcome.best.levels) and not outcome.best.left_out:
        return (Note("note.full-domain.nothing"),)
    arguments: dict[str, Value] = {"combinations": detail["combinations"], "people": outcome.best.left_out}
    if detail["combinations"] <= MOST_COMBINATIONS or not outcome.gap:
        return (Note("note.full-domain.proven", arguments),)
    return (Note("note.full-domain.bounded", {**arguments, "gap": Number(outcome.gap), "tried": outcome.evaluated}),)
