"""`top-bottom-code`: extreme numbers are replaced by a limit that enough people reach."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.methods.algorithms.coarsening.shared_numbers import (
    BOTH,
    BOTTOM,
    LIMIT,
    MEAN,
    TOP,
    CoarseningMethod,
    CodedEnd,
    coded_columns,
    coded_values,
    compare_means,
    find_rows_shared_by_too_few,
    protections_of,
    recount_sharing,
    rows_at_ends,
    unchanged_note,
    with_coded_ends,
)
from ppdm_desktop.engine.methods.algorithms.digits.scaled import style_of, to_units_of_column
from ppdm_desktop.engine.methods.base.declaration import Knob, KnobKind, register
from ppdm_desktop.engine.methods.base.parameters import (
    LARGER_HIDES_MORE,
    ChoiceParameter,
    ColumnBoundsParameter,
    FlagParameter,
    NumberParameter,
)
from ppdm_desktop.engine.methods.base.step import Recount, Settings, StepResult, Used, Why
from ppdm_desktop.engine.randomness import StepStream
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.wording.catalogue import Sentence, lazy
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Name, Number, Terms, to_year_or_amount


@register
class TopBottomCode(CoarseningMethod):
    """Show values beyond a limit as the limit, with as many people at each limit as each of them demands."""

    id = "top-bottom-code"
    title = lazy("Limit extreme values")
    paper = lazy("A. Hundepool et al., Statistical Disclosure Control, Wiley, 2012, section 3.3")
    summary = lazy(
        "Shows the highest and the lowest numbers as a limit, so that nobody stands out by an extreme value."
    )
    promises = (
        lazy("At least as many people show each limit as the protection level of each of them asks for."),
        lazy(
            "All values between the limits stay unchanged, but for totals, which are the sums of their limited parts."
        ),
    )
    limits = (
        lazy("It promises nothing for values between the limits."),
        lazy("The mean and the spread become smaller, because extreme values are cut."),
        lazy("If people have several rows, people are counted."),
    )
    recipients_learn = lazy("The highest or lowest values are shown as one number: their mean or a limit.")
    knobs = (Knob(KnobKind.ENDS, "share", (0.01, 0.03, 0.05, 0.1)),)
    treatment = lazy("generalisation (top and bottom coding)")
    leaves_values = "true"
    public_parameters = frozenset({"ends", "limits", "show"})
    figure_labels: ClassVar[Mapping[str, Sentence]] = {
        "lowest": lazy("Lowest limit"),
        "people_below": lazy("People at or below it"),
        "highest": lazy("Highest limit"),
        "people_above": lazy("People at or above it"),
        "cells": lazy("Values changed"),
        "mean_before": lazy("Mean before"),
        "mean_after": lazy("Mean after"),
        "no_value": lazy("Records without a value"),
    }
    parameters = (
        ChoiceParameter(
            name="ends",
            label=lazy("Ends"),
            help=lazy("Which extreme values are limited."),
            default=BOTH,
            choices={
                BOTH: lazy("The highest and the lowest values."),
                TOP: lazy("The highest values only."),
                BOTTOM: lazy("The lowest values only."),
            },
            names={
                BOTH: lazy("both"),
                TOP: lazy("highest values"),
                BOTTOM: lazy("lowest values"),
            },
        ),
        ColumnBoundsParameter(
            name="limits",
            label=lazy("Limits"),
            help=lazy("Values below the first limit or above the second are shown as the limit."),
            effect=lazy("Without limits, the fewest values change that the protection levels need."),
            default={},
        ),
        NumberParameter(
            name="share",
            label=lazy("Smallest share at each end"),
            help=lazy("Each limit is a round number that at least this share of the people show."),
            effect=LARGER_HIDES_MORE,
            default=0,
            low=0,
            high=0.5,
            high_open=True,
            checked_with={"share": 0.3},
        ),
        ChoiceParameter(
            name="show",
            label=lazy("What is shown"),
            help=lazy("Which number stands for the values at an end."),
            effect=lazy("The mean of the values keeps the total of the column."),
            default=LIMIT,
            choices={
                LIMIT: lazy("The limit itself."),
                MEAN: lazy("The mean of the values at this end, if no single one dominates it."),
            },
            names={LIMIT: lazy("limit"), MEAN: lazy("mean")},
        ),
        FlagParameter(
            name="totals",
            label=lazy("Work out totals"),
            help=lazy("A total is the sum of its parts as they are shown, if all of them are limited in this step."),
            effect=lazy("Otherwise a limited part can be worked out from its total and the other parts."),
            default=True,
            silent_unless_written=True,
            checked_with={"totals": False, "share": 0.1, "roles": dict.fromkeys(("Score", "Total"), "confidential")},
        ),
    )

    def column_note(self, settings: Settings, detail: Mapping[str, Any], name: str) -> Sentence | None:
        """Return what the note for the recipient says about a column: its limits, or that its values are sums.

        It gives each limit that was used; if means are shown at the ends, it says so without the limits. Values are
        sums of limited parts if the column has no limit of its own, but some of its values changed. None where no value
        changed.

        Parameters
        ----------
        settings, detail
            The step's settings, and the figures of its result.
        name
            The column.
        """
        figures = detail["columns"].get(name, {})
        ends = figures.get("lowest"), figures.get("highest")
        known = [number for number in (*ends, figures.get("mean_before")) if number is not None]
        low, high = (None if end is None else to_year_or_amount(end, map(round, known)) for end in ends)
        if settings.values["show"] == MEAN and (low or high):
            return self.recipients_learn
        below = lazy("Values below {limit} are shown as {limit}.", limit=low) if low else None
        above = lazy("Values above {limit} are shown as {limit}.", limit=high) if high else None
        if below and above:
            return lazy("{stop} {need}", stop=below, need=above)
        if below or above:
            return below or above
        return lazy("Each value is the sum of its parts as they are shown.") if figures.get("cells") else None

    def shows_disjoint_sets(self, settings: Settings) -> bool:
        """Return whether each shown value stands for a set of true values that overlaps with no other value's set.

        That is not so for totals that are computed from their parts; a total and two parts need three columns.
        """
        return not settings.values["totals"] or len(settings.columns) < 3  # a total and two parts

    def check(self, table: Table, settings: Settings) -> tuple[Note, ...]:
        """Return a note on columns that stay unchanged, and one on those that show the limit instead of the mean.

        They show the limit where one person's value would dominate the mean. A limit from the recipe that nobody
        reaches is no error: its end stays unchanged. Limits of a column whose values are all equal are not looked at.

        Raises
        ------
        RecipeError
            For a limit from the recipe that is not a multiple of the column's step.
        InputError
            When fewer people have a value, or reach a limit from the recipe (but at least one does), than one of them
            demands, when the two limits meet or cross, or when a number shown would be read as a missing value.
        """
        coded = list(coded_columns(table, settings))
        unchanged = [
            column.name for column, ends in coded if with_coded_ends(column, ends) is table.column(column.name)
        ]
        by_limit = [column.name for column, ends in coded if any(end.is_dominated for end in ends)]
        return (
            *unchanged_note("note.top-bottom-code.nothing", unchanged),
            *unchanged_note("note.top-bottom-code.dominated", by_limit),
        )

    def effect(self, table: Table, settings: Settings) -> Note:
        """Return a note on the limits of each column and how many people reach them, or that nothing changes.

        An end at which no cell changes is left out. The errors are those of ``check``.
        """
        parts = []
        for column, ends in coded_columns(table, settings):
            parts += [
                lazy(
                    "{column}: {people} {people:person|people} at {limit} or beyond",
                    column=Name(column.name),
                    people=end.people,
                    limit=Number(end.limit / 10 ** style_of(column).decimals),
                )
                for end in ends
                if end.changes
            ]
        if not parts:
            return unchanged_note("note.top-bottom-code.nothing", settings.columns)[0]
        return Note("note.top-bottom-code.effect", {"ends": Terms(tuple(parts))})

    def _list_used_values(self, table: Table, settings: Settings, detail: Mapping[str, Any] | None) -> Iterable[Used]:
        """Yield the limits used in each column, and whether the recipe or the privacy levels decided them.

        Nothing before the run; columns without a limit have no entry. A column with one limit has it alone, else both,
        lowest first.
        """
        for name, figures in (detail or {}).get("columns", {}).items():
            limits = [figures[key] for key in ("lowest", "highest") if figures[key] is not None]
            if limits:
                why: Why = "set" if name in settings.values["limits"] else "levels"
                yield Used("limits", limits if len(limits) > 1 else limits[0], why, column=name)

    def run(self, table: Table, settings: Settings, streams: StepStream) -> StepResult:
        """Return the table with the values at each end replaced by the limit or by their mean.

        A total whose parts are all treated by the step changes by as much as its parts, so that it stays their sum
        where it was, unless the setting ``totals`` is off. It makes no random draws. Numbers shown at the ends become
        the column's declared bounds, if both are then known and differ. A row at an end counts as protected if as many
        people as its person's privacy level demands show the same number, and the rarest number of the person; other
        rows do not. The step's figures are, by column, the limits with the people who reach them, the changed cells,
        the means before and after, and the rows without a value. The errors are those of ``check``.
        """
        progress.report(0.0, "progress.method.write")
        notes = self.check(table, settings)
        changed, detail, coarse = [], {}, {}
        for index, (column, ends) in enumerate(coded_columns(table, settings)):
            progress.report(index / len(settings.columns), "progress.method.write")
            changed.append(with_coded_ends(column, ends))
            coarse[column.name] = rows_at_ends(column, ends)
            before = table.column(column.name)
            cells = int(np.count_nonzero(before.scaled != changed[-1].scaled))
            figures = {**_build_limit_figures(column, ends), "cells": cells}
            detail[column.name] = {**figures, **compare_means(before, changed[-1])}
        after = table.replacing(*changed)
        progress.report(1.0, "progress.method.write")
        return StepResult(after, protections_of(table, after, coarse), {"columns": detail}, notes)

    def recount(self, before: Table, after: Table, settings: Settings, detail: Mapping[str, Any]) -> Recount:
        """Return whether cells at or beyond a limit show the number for that end, and all other cells are unchanged.

        As many people must show this number as each of them demands, counted in ``after``; the proofs by privacy level
        count them, too. A total must have changed by as much as its limited parts. ``worst`` is the number of cells
        that break any of these rules; in a column that is no longer numeric, all cells count.
        """
        off, coarse = 0, {}
        for column, ends in coded_columns(before, settings):
            released = after.column(column.name)
            coarse[column.name] = rows_at_ends(column, ends)
            if released.kind != "numeric":
                off += before.rows
                continue
            wrong = np.where(column.missing, 0, coded_values(column.scaled, ends)) != to_units_of_column(
                released, column
            )
            wrong |= find_rows_shared_by_too_few(before, released, coarse[column.name])
            off += int(np.count_nonzero(wrong | (column.missing != released.missing)))
        return recount_sharing(before, after, coarse, off=off)


def _build_limit_figures(column: Column, ends: Iterable[CodedEnd]) -> dict[str, Any]:
    """Return the limits of a column and the numbers of people at them or beyond, as plain data for the report.

    The keys are ``lowest`` and ``highest`` (limits in the column's unit), ``people_below`` and ``people_above``. Both
    are None for an end that has no limit, or at which no cell changes.
    """
    unit = 10 ** style_of(column).decimals
    figures: dict[str, Any] = {"lowest": None, "people_below": None, "highest": None, "people_above": None}
    for end in (end for end in ends if end.changes):
        limit, people = ("highest", "people_above") if end.sign > 0 else ("lowest", "people_below")
        figures |= {limit: end.limit / unit, people: end.people}
    return figures
