"""`condensation`: artificial records, drawn from the statistics of groups of similar true records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.errors import RecipeError
from ppdm_desktop.engine.methods.algorithms.condensation.believable import Condensable, replace_categories
from ppdm_desktop.engine.methods.algorithms.condensation.coverage import DateGrid
from ppdm_desktop.engine.methods.algorithms.condensation.dynamic.groups import PAPER_RULE
from ppdm_desktop.engine.methods.algorithms.condensation.dynamic.resume import Dynamic, add_short_count, find_dynamic
from ppdm_desktop.engine.methods.algorithms.condensation.grouping import BEST, check_enough
from ppdm_desktop.engine.methods.algorithms.condensation.membership import Membership
from ppdm_desktop.engine.methods.algorithms.condensation.parameters import (
    EXPERT,
    FIGURE_LABELS,
    JOINING_LABELS,
    LIMITS,
    PAPER_FAULT,
    PAPER_PRICE,
    PARAMETERS,
    PROFILES,
    PROMISES,
    PUBLIC,
)
from ppdm_desktop.engine.methods.algorithms.condensation.recount import (
    count_misplaced_values,
    find_short_records,
    group_sizes,
)
from ppdm_desktop.engine.methods.algorithms.condensation.run import (
    Stratum,
    class_column,
    coverage_of,
    find_groups,
    regenerate_columns,
    strata_of,
)
from ppdm_desktop.engine.methods.algorithms.condensation.statistics import FILE_NAME, Layout, condense, statistics_of
from ppdm_desktop.engine.methods.algorithms.generalisation.recount import level_proofs
from ppdm_desktop.engine.methods.algorithms.swapping.recount import levels_of
from ppdm_desktop.engine.methods.base.declaration import (
    Family,
    FigureLine,
    Knob,
    KnobKind,
    Method,
    TopUpStep,
    labelled_lines,
    register,
)
from ppdm_desktop.engine.methods.base.step import (
    Guarantee,
    Profiles,
    Protection,
    Recount,
    Settings,
    StepResult,
    Suggestion,
    Used,
    least_group,
    suggest_groups,
    used_groups,
)
from ppdm_desktop.engine.randomness import StepStream
from ppdm_desktop.engine.recipe.models import RELEASED_ROLES
from ppdm_desktop.engine.table.column import Table
from ppdm_desktop.engine.wording.catalogue import Sentence, lazy
from ppdm_desktop.engine.wording.texts import Note, describe_kind
from ppdm_desktop.engine.wording.values import Name, Names, Ratio, Value

LEAST_GROUP = 2
TOP_UP = TopUpStep("top-up", lazy("Add new records to a condensed release"))
_SLOW_FROM = 1_000
"""With more records than this, only the fastest way of forming groups is suggested."""


@register
class Condensation(Method):
    """Release artificial records made from groups of true ones (Aggarwal & Yu 2005).

    Definition 2.1 counts "other records"; every algorithm and example of the paper counts the
    group itself, and so does this program: size(group(i)) >= max(2, p(i)).
    """

    id = "condensation"
    title = lazy("Replace groups of people by artificial records")
    paper = lazy(
        "C. C. Aggarwal and P. S. Yu, On Variable Constraints in Privacy Preserving Data Mining, "
        "SIAM International Conference on Data Mining, 2005"
    )
    summary = lazy(
        "Forms groups of similar records and creates the same number of artificial records with "
        "about the same averages, spread and relationships. Each group is large enough for its "
        "most protected member."
    )
    promises = PROMISES
    limits = LIMITS
    expert = EXPERT
    hides_among_numbers = True
    keeps_rules = True
    recipients_learn = lazy(
        "Every value was generated from a group of people or comes from one of them. Each row combines such values."
    )
    protects = "both"
    correspondence = "group"
    family = Family.ARTIFICIAL
    knobs = (
        Knob(KnobKind.SOURCE_GROUP, "group", (None, 10, 20, 40)),
        Knob(KnobKind.VALUES_IN_GROUP, "mix_confidential", (None, True)),
    )
    values_label = lazy("artificial")
    treatment = lazy("synthetic data (condensation: records regenerated from group statistics)")
    kinds = frozenset({"numeric", "ordinal", "nominal", "date"})
    reads_levels = ("group",)
    public_parameters = PUBLIC
    worst_is = "group"
    top_up = TOP_UP
    figure_labels: ClassVar[Mapping[str, Sentence]] = FIGURE_LABELS
    attacks = ("nearest-record", "linkage", "inference")
    parameters = PARAMETERS
    profiles: ClassVar[Profiles] = PROFILES
    paper_fault = PAPER_FAULT
    paper_price = PAPER_PRICE

    def default_columns(self, table: Table) -> tuple[str, ...]:
        """Return the names of all released columns, because a true one would identify people."""
        return tuple(column.name for column in table.columns if column.role in RELEASED_ROLES)

    def settings(self, table: Table, columns: Sequence[str] | None, parameters: Mapping[str, Any]) -> Settings:
        """Return checked columns and parameters, by default with all released columns; refuse steps that leave one out.

        Parameters
        ----------
        table
            The step's input.
        columns
            Names of columns in the recipe; None for all released ones.
        parameters
            Values in the recipe, by name.

        Raises
        ------
        RecipeError
            For a text column, a released column that is not treated, or whatever does not fit the method's declaration.
        """
        chosen = tuple(columns) if columns is not None else self.default_columns(table)
        for name in chosen:
            if name in table and table.column(name).kind == "text":
                raise RecipeError("error.condensation.text", column=name)
        settings_read = super().settings(table, chosen, parameters)
        uncovered = [name for name in self.default_columns(table) if name not in settings_read.columns]
        if uncovered:
            raise RecipeError(
                "error.condensation.uncovered", column=uncovered[0], args={"columns": Names.of(uncovered)}
            )
        return settings_read

    def check(self, table: Table, settings: Settings) -> tuple[Note, ...]:
        """Return notes on what the settings reveal; raise an error for tables with fewer records than a level demands.

        The notes are on a group size in the recipe that is below every demand and so not used, classes within which
        groups are formed (whoever finds out a person's group then knows the class), a smallest demanded group that does
        not exceed the number of numeric and date columns (unless the setting ``floor`` widens such groups), and the
        paper's rule for splitting groups.

        Raises
        ------
        RecipeError
            When groups are to be formed within classes, but the class column is not named or does not fit.
        InputError
            When a record demands a larger group than there are records, or a date does not fit its column's format.
        """
        if settings.values["per"] == "class":
            _check_class(table, settings)
        needs = find_needed_sizes(table, settings)
        check_enough(needs, _name_demanded_sizes(table, settings))
        for name in settings.columns:
            if table.column(name).kind == "date":
                DateGrid.of(table.column(name))
        notes = list(settings.group_note("group", int(needs.min(initial=needs.max(initial=0)))))
        divided = class_column(table, settings)
        if divided is not None:
            notes.append(Note("note.condensation.class-disclosed", {"column": Name(divided.name)}))
        made = sum(table.column(name).kind in ("numeric", "date") for name in settings.columns)
        least = int(needs.min(initial=needs.max(initial=LEAST_GROUP)))
        if least <= made and not settings.values["floor"]:
            notes.append(Note("note.condensation.no-floor", {"least": least, "columns": made}))
        if settings.values["dynamic"] and settings.values["split_rule"] == PAPER_RULE:
            notes.append(Note("note.condensation.paper-rule"))
        return tuple(notes)

    def suggestions(self, table: Table) -> tuple[Suggestion, ...]:
        """Return two suggestions: groups as large as the privacy levels demand, and of four times the least demand.

        With more than 1000 records both form groups by the fastest algorithm.
        """
        # Comparing every way to make groups takes several times as long as the fastest one.
        fast: dict[str, object] = {"algorithm": "tree"} if table.rows > _SLOW_FROM else {}
        return suggest_groups(
            table, lambda group: lazy("Artificial records from groups of {group}", group=group), "group", fast
        )

    def first_notch(self, knob: Knob, table: Table) -> int:
        """Return the index of the first of a knob's group sizes that exceeds the number of numeric and date columns.

        A knob is a parameter that planning makes stricter step by step; its notches are the values that it takes in
        turn. 0 if no size exceeds the number, and for knobs of something else. A size of None counts as the smallest
        size that the privacy levels demand. With 6 such columns, the sizes 5, 10 and 20 give 1. Columns are counted as
        a step with default settings treats them: a numeric column that a nominal one determines counts as nominal. The
        errors are those of ``settings``.
        """
        if knob.kind is not KnobKind.SOURCE_GROUP:
            return 0
        settings = self.settings(table, None, {})
        ready = _prepare_for_grouping(table, settings, find_needed_sizes(table, settings)).table
        made = sum(ready.column(name).kind in ("numeric", "date") for name in settings.columns)
        groups = [notch if isinstance(notch, int) else least_group(table) for notch in knob.notches]
        return next((at for at, group in enumerate(groups) if group > made), 0)

    def effect(self, table: Table, settings: Settings) -> Note:
        """Return a note on the numbers of records and columns, and the smallest demanded group.

        If the privacy levels demand different sizes, it also names the largest.
        """
        needs = find_needed_sizes(table, settings)
        least, most = (int(needs.min()), int(needs.max())) if len(needs) else (LEAST_GROUP, LEAST_GROUP)
        arguments: dict[str, Value] = {
            "records": table.rows,
            "columns": len(settings.columns),
            "least": least,
            "most": most,
        }
        id = "note.condensation.effect" if least == most else "note.condensation.effect-levels"
        return Note(id, arguments)

    def _list_used_values(self, table: Table, settings: Settings, detail: Mapping[str, Any] | None) -> Iterable[Used]:
        """Yield the group sizes demanded at each privacy level and, after ``best-of``, the chosen algorithms.

        An entry such as "group 5 at the level low" comes for each size that records of a level demand, mostly one; a
        level without people has none. Groups may become larger. After a run with ``best-of`` there is an entry for each
        algorithm chosen, several if parts of the table were grouped by different ones. ``detail`` has the figures of
        the run; it is None before the run, which yields sizes only.
        """
        yield from used_groups("group", levels_of(table), find_needed_sizes(table, settings))
        if detail is not None and settings.values["algorithm"] == BEST:
            won = [algorithm for algorithm in detail.get("algorithms", ()) if algorithm != BEST]
            yield from (Used("algorithm", algorithm, "data") for algorithm in won)

    def ineffective_parameters(self, table: Table, settings: Settings) -> frozenset[str]:
        """Return the names of parameters that have no effect.

        They are ``class`` if groups are not formed within classes, ``first_records`` and ``split_rule`` if records are
        not added one by one (``dynamic``), ``clip`` (stop at bounds) if only possible values are made (``common``), and
        ``mix_confidential`` if it is off or records are added one by one.
        """
        values = settings.values
        needless = {"class": values["per"] == "class", "clip": not values["common"]}
        needless |= dict.fromkeys(("first_records", "split_rule"), values["dynamic"])
        needless["mix_confidential"] = values["mix_confidential"] and not values["dynamic"]
        return frozenset(name for name, is_read in needless.items() if not is_read)

    def run(self, table: Table, settings: Settings, streams: StepStream) -> StepResult:
        """Return artificial records, as many as before, drawn from the statistics of groups of true records.

        The new record in a row comes from the group of the old record in this row, not from that record alone. If
        groups are formed within the classes of a column, this column keeps its labels, except in pooled rare classes.
        With the paper's rule for splitting, a group may have fewer records than one of its records demands. A note then
        says so, and the records that demand more do not count as protected. Other notes name rounded columns, rare
        classes that were condensed together, and groups with no more values in one of the numeric and date columns than
        there are such columns. The step's figures are the numbers and sizes of groups, how close they are, and how many
        such small groups there are. The errors are those of ``check``, and:

        Raises
        ------
        InputError
            When an artificial number would be read as a missing value.
        RuntimeError
            When a group is smaller than one of its records demands without this rule (a fault of the program); nothing
            is released then.
        """
        self.check(table, settings)
        needs = find_needed_sizes(table, settings)
        ready = _prepare_for_grouping(table, settings, needs)
        progress.report(0.0, "progress.method.groups")
        part = progress.part(0.0, 0.7)
        dynamic = part.run(find_dynamic, ready, settings, needs, streams) if settings.values["dynamic"] else None
        groups = part.run(find_groups, ready, settings, needs) if dynamic is None else dynamic.grouping
        short = len(find_short_records(groups.group, needs))
        if short and not (dynamic is not None and settings.values["split_rule"] == PAPER_RULE):
            raise RuntimeError("a group is smaller than one of its records asks for")
        condensed = condense(groups.coverage, groups.group, needs) if dynamic is None else dynamic.condensed
        columns = progress.part(0.7, 1.0).run(regenerate_columns, ready, settings, groups, condensed, streams)
        sizes = group_sizes(groups.group)
        protected = sizes >= needs
        protections = tuple(
            Protection(name, "grouped", protected, np.where(protected, groups.group, -1)) for name in settings.columns
        )
        notes = [_rounded_note(name, decimals) for name, decimals in ready.rounded.items()]
        notes += _note_pooled_classes(groups.strata, str(settings.values["class"]))
        if dynamic is not None and short:
            below = dynamic.detail["dynamic"]["groups_below_demand"]
            notes.append(Note("note.condensation.paper-short", {"groups": below, "records": short}))
        small = int(condensed.flat.sum())
        if small:
            arguments: dict[str, Value] = {"groups": small, "columns": groups.coverage.regenerated}
            id = "note.condensation.small-floored" if settings.values["floor"] else "note.condensation.small-open"
            notes.append(Note(id, arguments))
        detail = {
            **(groups.detail() if dynamic is None else add_short_count(dynamic.detail, short)),
            "pending": [],
            "regenerated": groups.coverage.regenerated,
            "small_groups": small,
            "small_records": int(np.count_nonzero(condensed.flat[groups.group])),
            "floor": bool(settings.values["floor"]),
            **settings.group_detail("group", int(needs.min(initial=needs.max(initial=0)))),
        }
        progress.report(1.0, "progress.method.write")
        return StepResult(table.replacing(*columns), protections, detail, tuple(notes), groups.group, dynamic)

    def figure_lines(self, detail: Mapping[str, Any]) -> list[FigureLine]:
        """Return the figures of the groups with labels, and of adding records to them one by one.

        Figures that the run does not have are left out.
        """
        share = {"ssq_share": Ratio(detail["ssq_share"])} if "ssq_share" in detail else {}
        joining = detail.get("dynamic", {})
        # Without a group below demand there are no records in one.
        below = joining.get("records_below_demand") if joining.get("groups_below_demand") else None
        lines = super().figure_lines({**detail, **share})
        return [*lines, *labelled_lines({**joining, "records_below_demand": below}, JOINING_LABELS)]

    def recount(self, before: Table, after: Table, settings: Settings, detail: Mapping[str, Any]) -> Recount:
        """Return whether each group is as large as its records demand, with the groups formed again from the input.

        The released values must also fit their groups, see ``_recount_groups``. If records joined groups one by one,
        the groups depend on the key and cannot be formed again. Then only the classes within which groups are formed
        (without them, the whole table) are checked in place of groups, and the records count as failing that the run
        itself stated to be in a group below their demand.

        ``worst`` is the size of the smallest group; where groups cannot be formed again, the size that the run stated.
        """
        needs = find_needed_sizes(before, settings)
        ready = _prepare_for_grouping(before, settings, needs)
        before = ready.table
        if not settings.values["dynamic"]:
            group = progress.make_silent_progress().run(find_groups, ready, settings, needs).group
            return _recount_groups(before, after, settings, needs, group, group)
        least = min((int(entry["size"]) for entry in detail["sizes"]), default=0)
        strata = np.zeros(before.rows, dtype=np.int64)
        for at, stratum in enumerate(strata_of(before, settings, needs)):
            strata[stratum.rows] = at
        noted = int(detail["dynamic"]["records_below_demand"]) if int(needs.max(initial=0)) > least else 0
        recount = _recount_groups(before, after, settings, needs, strata, strata, more=noted)
        return replace(recount, guarantee=replace(recount.guarantee, worst=float(least)))

    def recount_run(self, before: Table, after: Table, settings: Settings, result: StepResult) -> Recount:
        """Return whether each of the groups that the run keeps in memory is as large as its records demand.

        If groups were split, the parts share the categories of the original group by their counts; categories are then
        counted over all parts together. If the run keeps no groups, the result is that of ``recount``. ``worst`` is the
        size of the smallest group.
        """
        if result.row_groups is None:
            return self.recount(before, after, settings, result.detail)
        family = result.in_memory.family if isinstance(result.in_memory, Dynamic) else result.row_groups
        needs = find_needed_sizes(before, settings)
        ready = _prepare_for_grouping(before, settings, needs)
        return _recount_groups(ready.table, after, settings, needs, result.row_groups, family)

    def internal_names(self) -> tuple[str, ...]:
        """Return the name of the file with the group statistics."""
        return (FILE_NAME,)

    def internal_files(
        self, before: Table, settings: Settings, result: StepResult, row_order: Ints | None = None
    ) -> Mapping[str, bytes]:
        """Return the file of group statistics, by its name, from which records can be added to the release later.

        With it, a person's record can also be found and removed. Empty if the run made no groups.

        Parameters
        ----------
        before, settings, result
            The step's input, its settings, and what ``run`` returned.
        row_order
            Shape (rows,): the index of the row of ``before`` behind each released row, by which the file notes each
            released row's group; None if nothing is released.
        """
        group = result.row_groups
        if group is None:
            return {}
        needs = find_needed_sizes(before, settings)
        ready = _prepare_for_grouping(before, settings, needs)
        members = _build_membership(replace_categories(before, ready.replaced), settings, result, group, needs)
        before = ready.table
        if isinstance(result.in_memory, Dynamic):
            coverage, condensed = result.in_memory.grouping.coverage, result.in_memory.condensed
        else:
            coverage = coverage_of(ready, settings, needs)
            condensed = condense(coverage, group, needs)
        divided = class_column(before, settings)
        strata = strata_of(before, settings, needs)
        of_group = np.zeros(len(condensed.moments.n), dtype=np.int64)
        for at, stratum in enumerate(strata):
            of_group[group[stratum.rows]] = at
        released = group[row_order] if row_order is not None else np.zeros(0, dtype=np.int64)
        kept = statistics_of(
            coverage,
            divided,
            group,
            condensed,
            dict(settings.values),
            layout=Layout(tuple(stratum.labels for stratum in strata), of_group, released),
            members=members,
            replaced=ready.replaced,
            rules=[rule.section(kept=True, exact=True) for rule in ready.rules or ()],
        )
        return {FILE_NAME: kept.to_json()}


def find_needed_sizes(table: Table, settings: Settings) -> Ints:
    """Return the group size that each record's privacy level demands, at least 2; int64, shape (records,)."""
    return settings.groups_asked("group", levels_of(table), LEAST_GROUP)


def _prepare_for_grouping(table: Table, settings: Settings, needs: Ints) -> Condensable:
    """Return the table prepared for grouping, and what was changed; numbers with too many digits to write are rounded.

    Only if the setting ``common`` is on, rare categories are replaced, the rules between values that artificial records
    must keep are found, and a column that a nominal one determines may become nominal. ``needs`` is the group size that
    each record demands, shape (records,).
    """
    divided = class_column(table, settings)
    together, believable = settings.values["categories"] == "together", bool(settings.values["common"])
    by = None if divided is None else divided.name
    return Condensable.of(table, settings.columns, needs, by=by, together=together, believable=believable)


def _rounded_note(column: str, decimals: int) -> Note:
    """Return the note that a column was rounded to this number of decimals."""
    return Note("note.numbers.rounded", {"column": Name(column), "decimals": decimals})


def _build_membership(before: Table, settings: Settings, result: StepResult, group: Ints, needs: Ints) -> Membership:
    """Return a mark for each record, with its group, by which a person can be found and removed later.

    A mark is a keyed hash of the record's values in the step's columns. Groups that came from splitting one group count
    as one. ``before`` is the input with rare categories already replaced, ``group`` is the index of each record's
    group, ``needs`` the group size that it demands, both of shape (records,).
    """
    family = result.in_memory.family if isinstance(result.in_memory, Dynamic) else group
    of_group = np.zeros(int(group.max(initial=-1)) + 1, dtype=np.int64)
    of_group[group] = family
    return Membership.of_run(before, settings.columns, family, of_group, needs)


def _name_demanded_sizes(table: Table, settings: Settings) -> dict[int, str]:
    """Return, for each group size that records demand, the name of the weakest privacy level that demands it.

    It is the name in the recipe, such as ``normal``, not the title that a person reads.
    """
    levels, needs = levels_of(table), find_needed_sizes(table, settings)
    names: dict[int, str] = {}
    for code, level in reversed(list(enumerate(levels.levels))):
        names |= dict.fromkeys(np.unique(needs[levels.codes == code]).tolist(), level.name)
    return names


def _check_class(table: Table, settings: Settings) -> None:
    """Raise RecipeError for a class column that is not named, not treated, not of categories, or the only column."""
    name = str(settings.values["class"])
    if not name:
        raise RecipeError("error.condensation.no-class")
    column = table.column(name)
    if name not in settings.columns or column.kind not in ("nominal", "ordinal"):
        raise RecipeError("error.condensation.unfit-class", column=name, args={"kind": describe_kind(column.kind)})
    if len(settings.columns) < 2:
        raise RecipeError("error.condensation.only-class", column=name)


def _note_pooled_classes(strata: Sequence[Stratum], class_name: str) -> Iterator[Note]:
    """Yield a note for each set of rare classes whose records were condensed together; nothing if there is none.

    ``class_name`` is the name of the class column.
    """
    for pool in (stratum for stratum in strata if stratum.is_pool):
        arguments: dict[str, Value] = {
            "column": Name(class_name),
            "classes": len(pool.labels),
            "records": len(pool.rows),
        }
        yield Note("note.condensation.pooled", arguments)


def _recount_groups(
    before: Table, after: Table, settings: Settings, needs: Ints, group: Ints, family: Ints, more: int = 0
) -> Recount:
    """Return whether groups are as large as their records demand, and released values come from the right groups.

    Every record whose group is too small breaks the promise, and every value that does not fit: in a column of
    categories a group must show exactly its members' values, in others as many empty cells as they had, and numbers
    must be multiples of the column's step. Labels of rare classes that were condensed together are compared over all of
    these. If the number of rows changed, all records break it. ``worst`` is the size of the smallest group. The proofs
    for each privacy level count groups only, not values.

    Parameters
    ----------
    needs
        Group size that each record demands, shape (records,).
    group, family
        Index of each record's group, and of the set of groups that were split from one, within which values are
        compared; shape (records,).
    more
        Number of further departures from the promise.
    """
    off = before.rows
    if after.rows == before.rows == len(group):
        off = more + len(find_short_records(group, needs))
        divided = class_column(before, settings)
        for name in settings.columns:
            groups = family
            if divided is not None and divided.name == name:
                groups = family.copy()
                for stratum in strata_of(before, settings, needs):
                    if stratum.is_pool:
                        groups[stratum.rows] = int(family.max()) + 1
            off += count_misplaced_values(before.column(name), after.column(name), groups)
    least = float(group_sizes(group).min(initial=before.rows))
    proofs = level_proofs(before, settings.columns, needs, group_sizes(group), firm=True)
    return Recount(Guarantee("run", off == 0, before.rows, least), proofs)
