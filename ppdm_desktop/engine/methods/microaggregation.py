"""`microaggregation`: forms groups of similar records and replaces their values by the group's mean or median."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import partial
from typing import Any, ClassVar, Literal

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Bools, Ints
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.identifiability.classes import classes_of_codes, equivalence_classes
from ppdm_desktop.engine.methods.algorithms.grouping.centres import compute_centres
from ppdm_desktop.engine.methods.algorithms.grouping.grouped_columns import (
    Ranked,
    cluster_groups,
    groups_within,
    information_loss,
    joint_groups,
    sorted_groups,
)
from ppdm_desktop.engine.methods.algorithms.grouping.kept_between import (
    RulesBetween,
    count_equal_records,
    count_off_centre,
)
from ppdm_desktop.engine.methods.algorithms.grouping.units import (
    Units,
    count_flagged_people,
    count_people_in_groups,
    split_by_constancy,
)
from ppdm_desktop.engine.methods.algorithms.swapping.recount import levels_of
from ppdm_desktop.engine.methods.base.declaration import Family, Knob, KnobKind, Method, register
from ppdm_desktop.engine.methods.base.kept_rules import KEPT, RULES_PARAMETER
from ppdm_desktop.engine.methods.base.parameters import (
    SMALLER_HIDES_MORE,
    ChoiceParameter,
    NumberParameter,
    make_smallest_group_parameter,
)
from ppdm_desktop.engine.methods.base.step import (
    PAPER,
    SAFE,
    Guarantee,
    LevelProof,
    Profiles,
    Protection,
    Recount,
    Settings,
    StepResult,
    Suggestion,
    Used,
    suggest_groups,
    used_groups,
)
from ppdm_desktop.engine.randomness import StepStream
from ppdm_desktop.engine.table.column import Column, Table, to_exact_decimal
from ppdm_desktop.engine.table.rules import find_spikes
from ppdm_desktop.engine.table.rules.numbers import do_averages_stay_in_list, find_number_step
from ppdm_desktop.engine.wording.catalogue import Sentence, lazy
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Name, Names, Value

CLUSTERS, UNIVARIATE, MULTIVARIATE, AUTOMATIC = "clusters", "univariate", "multivariate", "automatic"
ALL_RECORDS, EQUAL_RECORDS = "all", "equal"
SMALL_CLUSTER = 3
LEAST_GROUP = 2


@register
class Microaggregation(Method):
    """Replace the values of each record by the centre of its group, the mean or the median.

    Vijayarani & Tamilarasi 2011; Domingo-Ferrer & Mateo-Sanz 2002. The first paper prints one cluster's sum (36024)
    where its mean is meant (9006); means are released here. Its k-means depends on its start; here the best clusters
    are found.
    """

    id = "microaggregation"
    title = lazy("Replace values by the group average")
    paper = lazy(
        "S. Vijayarani and A. Tamilarasi, Confidential Numeric Data Protection in Privacy Preserving Data Mining, "
        "2011; J. Domingo-Ferrer and J. M. Mateo-Sanz, Practical Data-Oriented Microaggregation for "
        "Statistical Disclosure Control, IEEE TKDE 14(1), 2002"
    )
    summary = lazy(
        "Forms groups of similar records and replaces each value by the mean or median of its "
        "group. Each group is large enough for its most protected member."
    )
    promises = (
        lazy(
            "At least as many records share each value as the protection level asks for. Groups formed as clusters "
            "can be smaller."
        ),
        lazy("With the mean, the total of each group stays the same except for rounding."),
        lazy("No other column changes, and missing values stay missing."),
    )
    limits = (
        lazy("If the members of a group have similar values, their average still reveals them closely."),
        lazy("Columns averaged one by one can together still point to one person."),
        lazy("Differences within groups are lost: the spread shrinks, and relationships look stronger than they are."),
        lazy("Texts without a ranking cannot be averaged and are not treated."),
        lazy(
            "If people have several rows, groups are counted in people. A value that is the same in "
            "all rows of a person stays the same in all of them."
        ),
    )
    expert = (
        lazy(
            "With several protection levels, groups of one column are the best that follow the order "
            "of values. Other groups could be a little better."
        ),
        lazy(
            "For several columns together, no program can find the best groups of a large table. "
            "These lose 7 to 14% less than MDAV in two public tables (groups of 3, 5 and 10)."
        ),
        lazy("The paper prints the sum of one cluster, 36024, where its mean is 9006. This program shows means."),
    )
    several_rows = "people"
    recipients_learn = lazy("Each value was replaced by the average of a group of similar records.")
    protects = "both"
    family = Family.AVERAGES
    treatment = lazy("generalisation (microaggregation)")
    leaves_values = "true"
    kinds = frozenset({"numeric", "ordinal"})
    reads_levels = ("group",)
    knobs = (Knob(KnobKind.GROUP_COLUMNS, "within", (None, EQUAL_RECORDS)),)
    public_parameters = frozenset({"group", "mode", "clusters", "centre", "rules", "within"})
    counts = "values"
    worst_is = "group"
    unknown_file_parameters: ClassVar[Mapping[str, Any] | None] = {}
    attacks = ("nearest-record", "linkage", "inference")
    invents_numbers = True
    values_label = lazy("averages")
    hides_among_numbers = True
    keeps_rules = True
    profiles: ClassVar[Profiles] = {PAPER: {"mode": CLUSTERS}, SAFE: {RULES_PARAMETER.name: KEPT}}
    paper_fault = lazy(
        "A cluster can consist of one record, which then shows its true value. Clusters ignore protection levels."
    )
    paper_price = lazy(
        "It costs nothing here: groups of 5 lose 2% of the spread of 1,000 invented salaries, three clusters lose 22%."
    )
    parameters = (
        make_smallest_group_parameter(name="group", default=3),
        ChoiceParameter(
            name="mode",
            label=lazy("How to form groups"),
            help=lazy("Whether columns are grouped one by one or together."),
            effect=lazy("Together hides people better, but loses more detail. One by one loses least."),
            default=AUTOMATIC,
            choices={
                AUTOMATIC: lazy("One column: the best possible groups; several: together."),
                UNIVARIATE: lazy("Each column separately, with the best possible groups."),
                MULTIVARIATE: (
                    lazy(
                        "All columns together: nearest records first, then neighbouring groups exchange records "
                        "while this loses less detail."
                    )
                ),
                CLUSTERS: lazy("Each column in this many clusters, as in the paper. Protection levels are ignored."),
            },
            names={
                AUTOMATIC: lazy("automatic"),
                UNIVARIATE: lazy("column by column"),
                MULTIVARIATE: lazy("all columns together"),
                CLUSTERS: lazy("clusters"),
            },
        ),
        NumberParameter(
            name="clusters",
            label=lazy("Clusters"),
            help=lazy("The number of clusters in each column, if groups are formed as clusters."),
            effect=SMALLER_HIDES_MORE,
            default=3,
            low=2,
            whole=True,
            advanced=True,
            checked_with={"clusters": 2, "mode": "clusters"},
        ),
        ChoiceParameter(
            name="centre",
            label=lazy("Value shown"),
            help=lazy("Which value replaces those of a group."),
            effect=lazy("The mean keeps totals. A single large value hardly affects the median."),
            default="mean",
            choices={
                "mean": lazy("The mean, rounded as in the column."),
                "median": lazy("The median, rounded as in the column."),
            },
            names={"mean": lazy("mean"), "median": lazy("median")},
            advanced=True,
        ),
        ChoiceParameter(
            name="within",
            label=lazy("Who can share a value"),
            help=lazy("Whether a group may hold all records, or only records with the same other details."),
            effect=lazy("With the same details, nobody stands out by a value, but less detail is kept."),
            default=ALL_RECORDS,
            choices={
                ALL_RECORDS: lazy("All records."),
                EQUAL_RECORDS: lazy(
                    "Records alike in all quasi-identifiers and other columns; if these are too few, with others."
                ),
            },
            names={ALL_RECORDS: lazy("all records"), EQUAL_RECORDS: lazy("records with the same details")},
            silent_unless_written=True,
            advanced=True,
            checked_with={
                "within": EQUAL_RECORDS,
                "roles": dict.fromkeys(("Known 0", "Known 1", "Known 2", "Other"), "left-out"),
            },
        ),
        RULES_PARAMETER,
    )

    def default_columns(self, table: Table) -> tuple[str, ...]:
        """Return the names of the confidential columns that can be averaged: numbers and ordered categories.

        If there are none, such quasi-identifiers; () if there are none of these either.
        """
        for role in ("confidential", "quasi-identifier"):
            columns = tuple(column.name for column in table.with_role(role) if column.kind in self.kinds)
            if columns:
                return columns
        return ()

    def takes(self, table: Table, column: Column) -> bool:
        """Return whether the method treats a column by default: numbers and ranked categories, but no codes.

        Codes are those of `Method.takes`. They are treated as well if the recipe has a rule on the list of their values
        and they are whole numbers without gaps: an average is then always one of them.
        """
        return super().takes(table, column) or (column.kind in self.kinds and do_averages_stay_in_list(table, column))

    def check(self, table: Table, settings: Settings) -> tuple[Note, ...]:
        """Return notes on group sizes and on what the settings do not protect.

        Raise an error if too few people have values. The mode ``clusters`` demands no group size, so it raises no
        error. Where they apply, notes come on a group size in the recipe that is too small to be used, columns averaged
        in two sets because only some are constant within people, ignored privacy levels (clusters), groups of different
        demanded sizes that follow the order of values, columns averaged one by one, and untreated confidential columns
        of unordered categories.

        Raises
        ------
        InputError
            When fewer people have a value in all columns that are averaged together than one of them demands.
        """
        how, needs = _choose_mode(settings), _list_demanded_sizes(table, settings)
        notes: list[Note] = []
        if how != CLUSTERS:
            notes += settings.group_note("group", int(needs.min(initial=needs.max(initial=0))))
        sets = _list_column_sets(table, settings)
        for names in sets:
            units = Units.of(table, names)
            present = np.column_stack([~units.column(table.column(name)).missing for name in names])
            if how != CLUSTERS:
                _refuse_too_few(names, present, units.of_units(needs), units.who)
        if how == MULTIVARIATE and len(sets) > 1:
            same, changing = (Names.of(names) for names in sets)
            notes.append(Note("note.microaggregation.two-sets", {"same": same, "changing": changing}))
        if how == CLUSTERS:
            notes.append(Note("note.microaggregation.levels-not-read"))
        elif how == UNIVARIATE and len(set(needs.tolist())) > 1:
            notes.append(Note("note.microaggregation.contiguous"))
        if how != MULTIVARIATE and len(settings.columns) > 1:
            notes.append(Note("note.microaggregation.one-by-one"))
        return (*notes, *_untreated_note(table, settings))

    def suggestions(self, table: Table) -> tuple[Suggestion, ...]:
        """Return two suggestions: groups as large as the privacy levels demand, and of four times the least demand."""
        return suggest_groups(table, lambda group: lazy("Averages of groups of {group}", group=group), "group")

    def values_note(self, settings: Settings) -> Sentence:
        """Return what the note for the recipient says: that values are averages of groups, or medians."""
        if settings.values["centre"] == "median":
            return lazy("Each value was replaced by the median of a group of similar records.")
        return self.recipients_learn

    def effect(self, table: Table, settings: Settings) -> Note:
        """Return a note on the smallest number of records that will share a value.

        If the privacy levels demand different numbers, it also names the largest; in the mode ``clusters`` it names the
        number of clusters instead.
        """
        columns = Names.of(settings.columns)
        if _choose_mode(settings) == CLUSTERS:
            clusters = int(settings.values["clusters"])
            return Note("note.microaggregation.effect-clusters", {"columns": columns, "clusters": clusters})
        needs = _list_demanded_sizes(table, settings)
        least, most = (int(needs.min()), int(needs.max())) if len(needs) else (2, 2)
        if most <= least:
            return Note("note.microaggregation.effect", {"columns": columns, "least": least})
        return Note("note.microaggregation.effect-levels", {"columns": columns, "least": least, "most": most})

    def _list_used_values(self, table: Table, settings: Settings, detail: Mapping[str, Any] | None) -> Iterable[Used]:
        """Yield the group sizes demanded at each privacy level (none for clusters), then the mode.

        The mode is only given if the recipe leaves it to the program (``automatic``). All is known before the run.
        """
        if _choose_mode(settings) != CLUSTERS:
            yield from used_groups("group", levels_of(table), _list_demanded_sizes(table, settings))
        if settings.values["mode"] == AUTOMATIC:
            yield Used("mode", _choose_mode(settings), "program")

    def ineffective_parameters(self, table: Table, settings: Settings) -> frozenset[str]:
        """Return the name of the parameter without effect: ``group`` if clusters are formed, otherwise ``clusters``."""
        return frozenset({"group"} if _choose_mode(settings) == CLUSTERS else {"clusters"})

    def run(self, table: Table, settings: Settings, streams: StepStream) -> StepResult:
        """Return the table with each value replaced by the centre of its group; it makes no random draws.

        Columns that are averaged together use the same groups, and centres are corrected where rules between columns
        are kept. Missing values stay missing. In the mode ``clusters``, a note warns of a cluster of fewer than three
        people. The step's figures are the mode and, for each set of columns averaged together, the number of groups,
        the people in the smallest, the variation lost in percent, and the people or rows without a value. The errors
        are those of ``check``, and InputError if a released number would be read as a missing value.
        """
        self.check(table, settings)
        needs = _list_demanded_sizes(table, settings)
        sets = _list_column_sets(table, settings)
        changed: list[Column] = []
        protections: list[Protection] = []
        detail: dict[str, Any] = {"mode": _choose_mode(settings), "sets": []}
        if _choose_mode(settings) != CLUSTERS:
            detail |= settings.group_detail("group", int(needs.min(initial=needs.max(initial=0))))
        notes = []
        for index, names in enumerate(sets):
            with progress.part(index / len(sets), (index + 1) / len(sets)):
                units = Units.of(table, names)
                ranked = _rank_columns(table, names, units, settings)
                asked = units.of_units(needs)
                search = partial(_form_groups, settings=settings)
                pools = (
                    None if _choose_mode(settings) == CLUSTERS else _number_pools(table, ranked, units, asked, settings)
                )
                if pools is None:
                    group = search(ranked, asked, units.who)
                else:
                    group = groups_within(pools, ranked, asked, units.who, search)
                progress.report(0.9, "progress.method.write")
                sizes = count_people_in_groups(group, units.who, int(group.max(initial=-1)) + 1)
                centres_of_columns = [_compute_centres(column, group, settings.values["centre"]) for column in ranked]
                if (between := _make_rules_between(table, ranked, settings)) is not None:
                    centres_of_columns = between.kept(centres_of_columns, group)
                for column, centre in zip(ranked, centres_of_columns, strict=True):
                    progress.check()
                    changed.append(Ranked.of(table.column(column.column.name)).releasing(units.of_rows(centre)))
                    protections.append(_build_protection(column, group, asked, units))
                smallest = int(sizes.min(initial=len(asked)))
                figures = {"columns": list(names), "groups": len(sizes), "smallest": smallest}
                figures["information_loss"] = information_loss(ranked, group)
                figures["no_value"] = int(np.count_nonzero(group < 0))
                detail["sets"].append(figures)
                if _choose_mode(settings) == CLUSTERS and smallest < SMALL_CLUSTER:
                    arguments: dict[str, Value] = {"column": Name(names[0]), "smallest": smallest}
                    notes.append(Note("note.microaggregation.small-cluster", arguments))
        progress.report(1.0, "progress.method.write")
        return StepResult(table.replacing(*changed), tuple(protections), detail, tuple(notes))

    def infer_protections(self, before: Table, after: Table, settings: Settings) -> tuple[Protection, ...]:
        """Return the protections found in an already averaged file; groups are records with equal values.

        A row counts as protected if as many people as its privacy level demands share its values in the columns
        averaged together; a row without a value, if as many people have none.
        """
        needs, protections = _list_demanded_sizes(before, settings), []
        for names in _list_column_sets(before, settings):
            units = Units.of(before, names)
            released = [units.column(after.column(name)) for name in names]
            present = np.column_stack([~new.missing for new in released])
            shared = count_equal_records([new.codes.astype(np.int64) for new in released], present, units.who)
            group = equivalence_classes(released, len(present)).ids
            for name, has in zip(names, present.T, strict=True):
                protected = np.where(has, shared, count_flagged_people(~has, units.who)) >= units.of_units(needs)
                treatment = np.where(protected, group, -1)
                protections.append(Protection(name, "grouped", units.of_rows(protected), units.of_rows(treatment)))
        return tuple(protections)

    def recount(self, before: Table, after: Table, settings: Settings, detail: Mapping[str, Any]) -> Recount:
        """Return whether as many people as demanded share each released value, and it is the centre of their values.

        Columns that are averaged together count as one value. It may differ from the centre as far as kept rules
        between columns need. Values must be missing where they were. For clusters, no number of people is demanded, but
        there may not be more values than clusters. ``worst`` is the smallest number of people who share a value.
        """
        needs, clusters = _list_demanded_sizes(before, settings), _choose_mode(settings) == CLUSTERS
        sets = _list_column_sets(before, settings)
        off, worst, proofs = 0, before.rows, []
        for names in sets:
            units = Units.of(before, names)
            asked = units.of_units(needs)
            ranked = _rank_columns(before, names, units, settings)
            for name in names:
                new = after.column(name)
                off += int(np.count_nonzero(new.missing != before.column(name).missing)) + units.count_split_units(new)
            released = [units.column(after.column(name)) for name in names]
            if any(column.column.kind != new.kind for column, new in zip(ranked, released)):
                off += before.rows
                continue
            released_numbers = [column.to_integers(new) for column, new in zip(ranked, released)]
            present = np.column_stack([~new.missing for new in released])
            shared = count_equal_records([new.codes.astype(np.int64) for new in released], present, units.who)
            between = _make_rules_between(before, ranked, settings)
            steps = [column.step for column in ranked] if between is None else between.steps_off()
            for column, new, numbers, step in zip(ranked, released, released_numbers, steps, strict=True):
                gaps = int(np.count_nonzero(new.missing == column.known))
                off += 0 if gaps else count_off_centre(column, numbers, settings.values["centre"], step)
                if clusters:
                    values = len(np.unique(numbers[column.known]))
                    off += max(0, values - int(settings.values["clusters"]))
                else:
                    short = column.known & (shared < asked)
                    off += int(np.count_nonzero(short))
                worst = min(worst, int(shared[column.known].min(initial=worst)))
                proofs += _prove_levels(before, column, shared, asked, units, everyone=not clusters)
        kind: Literal["file", "run"] = "file" if len(sets) == 1 else "run"
        return Recount(Guarantee(kind, off == 0, before.rows * len(sets), float(worst)), tuple(proofs))


def _choose_mode(settings: Settings) -> str:
    """Return how groups are formed: ``multivariate`` (all columns together), ``univariate`` or ``clusters``.

    A mode of ``automatic`` means ``multivariate``, or ``univariate`` for a single column.
    """
    asked = str(settings.values["mode"])
    if asked == AUTOMATIC:
        return MULTIVARIATE if len(settings.columns) > 1 else UNIVARIATE
    return asked


def _list_column_sets(table: Table, settings: Settings) -> list[tuple[str, ...]]:
    """Return the names of the columns that are grouped together, one tuple for each set.

    If all columns are grouped together, columns that are constant within each person are the first set and the other
    columns the second; an empty set is left out. Otherwise each column is a set of its own.
    """
    if _choose_mode(settings) == MULTIVARIATE:
        return split_by_constancy(table, settings.columns)
    return [(name,) for name in settings.columns]


def _rank_columns(table: Table, names: Sequence[str], units: Units, settings: Settings) -> list[Ranked]:
    """Return the columns as whole numbers, one for each unit (person or row), in the order of ``names``.

    If rules are kept, the columns' averages will be rounded to the grid of their values.
    """
    columns = [table.column(name) for name in names]
    kept = settings.values[RULES_PARAMETER.name] == KEPT
    return [Ranked.of(units.column(column), _choose_grid(table, column) if kept else None) for column in columns]


def _make_rules_between(table: Table, ranked: Sequence[Ranked], settings: Settings) -> RulesBetween | None:
    """Return the rules between the columns that are averaged together; None if no such rule has to be kept.

    None has to be if the setting is off, medians are shown, or there is a single column.
    """
    is_kept = settings.values[RULES_PARAMETER.name] == KEPT and settings.values["centre"] == "mean"
    return RulesBetween.of(table, ranked) if is_kept and len(ranked) > 1 else None


def _choose_grid(table: Table, column: Column) -> Decimal | None:
    """Return the step of the grid of a numeric column's values, such as 50, to which its averages are rounded.

    None if they are rounded to the column's last digit: if there is no such grid, or a bound of the column is off it.
    None also for other columns.
    """
    grid = find_number_step(table, column) if column.kind == "numeric" else None
    fits = grid is not None and all(to_exact_decimal(end) % grid == 0 for end in column.bounds or ())
    return grid if fits else None


def _list_demanded_sizes(table: Table, settings: Settings) -> Ints:
    """Return the group size that each record demands, at least 2; int64, shape (records,)."""
    return settings.groups_asked("group", levels_of(table), LEAST_GROUP)


def _untreated_note(table: Table, settings: Settings) -> Iterator[Note]:
    """Yield a note on confidential columns with unordered categories that the step leaves untreated.

    Nothing without any.
    """
    nominal = [column.name for column in table.with_role("confidential") if column.kind == "nominal"]
    if left := [name for name in nominal if name not in settings.columns]:
        yield Note("note.microaggregation.no-order", {"columns": Names.of(left)})


def _refuse_too_few(names: tuple[str, ...], present: Bools, needs: Ints, who: Ints | None) -> None:
    """Raise InputError if fewer people have all values in these columns than a person with any of them demands.

    The error names the first column.

    Parameters
    ----------
    names
        Names of columns that are averaged together.
    present
        Whether each unit (person or row) has a value in each column, shape (units, columns); units without any do not
        count.
    needs
        The group size that each unit demands, shape (units,).
    who
        Index of each unit's person; None if every unit is one person.
    """
    complete, partly = present.all(axis=1), present.any(axis=1)
    asked, there = int(needs[partly].max(initial=1)), count_flagged_people(np.asarray(complete), who)
    if there < asked:
        raise InputError("error.method.too-few", column=names[0], args={"people": there, "group": asked})


def _number_equal_rows(table: Table, settings: Settings) -> Ints:
    """Return a number for each row, the same for rows with equal details, int64, shape (rows,).

    Details are the values of all columns with the role "quasi-identifier" or "other" that the step does not treat; an
    empty cell counts as a value.
    """
    columns = table.with_role("quasi-identifier", "other")
    codes = [column.category_codes for column in columns if column.name not in settings.columns]
    return classes_of_codes(codes, table.rows).ids


def _number_pools(table: Table, ranked: Sequence[Ranked], units: Units, needs: Ints, settings: Settings) -> Ints | None:
    """Return a number for each unit, equal for units that may share a group; None if all may. int64, shape (units,).

    A unit is a person or a row. If the settings keep rules between columns, people with a frequent special value, such
    as 0 for "no income", are averaged separately from the others. If only records with the same details may share a
    group, they are split in this way only where all parts are large enough, because a part that is too small would be
    grouped with people with other details.

    Parameters
    ----------
    ranked
        The columns that are averaged together, as whole numbers.
    units, needs
        The units of the rows, and the group size that each unit demands.
    """
    details = None
    if settings.values["within"] == EQUAL_RECORDS:
        details = units.of_units(_number_equal_rows(table, settings))
    is_kept = settings.values[RULES_PARAMETER.name] == KEPT
    numbers = {column.column.name: column.column.numbers for column in ranked if column.column.kind == "numeric"}
    spikes_of = find_spikes(table) if is_kept and numbers else {}
    spikes = [numbers[name] == spike for name, values in spikes_of.items() if name in numbers for spike in values]
    if not spikes or details is None:
        return classes_of_codes([spike.astype(np.int64) for spike in spikes], len(needs)).ids if spikes else details
    parts = classes_of_codes([details, *(spike.astype(np.int64) for spike in spikes)], len(needs))
    complete = np.all([column.known for column in ranked], axis=0)
    people = count_people_in_groups(np.where(complete, parts.ids, -1), units.who, parts.count)
    is_mixed = np.zeros(int(details.max(initial=0)) + 1, dtype=np.bool_)
    is_mixed[details[people[parts.ids] < needs]] = True
    return np.where(is_mixed[details], parts.count + details, parts.ids)


def _form_groups(ranked: Sequence[Ranked], needs: Ints, who: Ints | None, *, settings: Settings) -> Ints:
    """Return the index of each unit's group, formed as the settings say; -1 for a unit without a value.

    In the mode ``clusters``, the first column is cut into the number of clusters in the settings, whatever ``needs``
    says; in ``univariate``, into runs of neighbouring values; otherwise all columns are grouped by their values
    together, and a unit that lacks only some values has a group, too. int64, shape (units,), from 0.

    Parameters
    ----------
    ranked
        The columns that are averaged together, as whole numbers; with one column at a time, only the first is used.
    needs
        The group size that each unit (person or row) demands.
    who
        Index of each unit's person; None if every unit is one person.
    """
    with progress.part(0.0, 0.9):
        progress.report(0.0, "progress.method.groups")
        how = _choose_mode(settings)
        if how == CLUSTERS:
            return cluster_groups(ranked[0], int(settings.values["clusters"]))
        return sorted_groups(ranked[0], needs, who) if how == UNIVARIATE else joint_groups(ranked, needs, who)


def _compute_centres(ranked: Ranked, group: Ints, how: str) -> Ints:
    """Return the centre of each unit's group, int64, shape (units,); meaningless for units without a value.

    A unit is a person or a row. ``how`` is ``mean`` or ``median``; centres are rounded half up to the column's step,
    and are whole numbers in the units of ``ranked.values``. ``group`` is the index of each unit's group.
    """
    values = ranked.values.copy()
    _, group_index = np.unique(group[ranked.known], return_inverse=True)
    values[ranked.known] = compute_centres(ranked.values[ranked.known], group_index.reshape(-1), ranked.step, how)
    return values


def _count_sharing_people(ranked: Ranked, shared: Ints, who: Ints | None) -> Ints:
    """Return how many people share each unit's value, shape (units,); for a unit without a value, how many have none.

    ``shared`` is the number for units with a value; ``who`` is each unit's person, None if every unit is one person.
    """
    return np.where(ranked.known, shared, count_flagged_people(~ranked.known, who))


def _build_protection(ranked: Ranked, group: Ints, needs: Ints, units: Units) -> Protection:
    """Return the protection of a column: a unit counts as protected if its group has as many people as it demands.

    A unit without a value counts as protected if as many people as it demands have none.

    Parameters
    ----------
    ranked
        The column.
    group, needs
        Index of each unit's group, and the group size that the unit demands; shape (units,).
    units
        The unit (person or row) of each table row.
    """
    present = ranked.known
    sizes = count_people_in_groups(
        np.where(present, group, -1), units.who, max(int(group[present].max(initial=0)) + 1, 1)
    )
    shared = np.where(present, sizes[np.maximum(group, 0)], 0)
    protected = _count_sharing_people(ranked, shared, units.who) >= needs
    treatment = np.where(protected, np.where(present, group, len(sizes)), -1)
    return Protection(ranked.column.name, "grouped", units.of_rows(protected), units.of_rows(treatment))


def _prove_levels(
    table: Table, ranked: Ranked, shared: Ints, needs: Ints, units: Units, *, everyone: bool
) -> list[LevelProof]:
    """Return, for each privacy level, weakest first, how many of its people are protected in a column, and how well.

    How well is the smallest number of people who share the value of one of them; for a person without a value, how many
    have none. A person counts once, with the row that is protected least. A level's proof is met if this number is as
    large as its people demand, or if nobody is protected.

    Parameters
    ----------
    ranked
        The column.
    shared, needs
        How many people share each unit's value, and how many it demands; shape (units,).
    units
        The unit (person or row) of each table row.
    everyone
        Whether all people with a value count as protected; otherwise only those whose demand is met.
    """
    levels = levels_of(table)
    codes, numbers = units.of_units(levels.codes), units.of_units(table.row_numbers)
    reached = _count_sharing_people(ranked, shared, units.who)
    covered = reached >= needs
    if everyone:
        covered |= ranked.known
    counted = np.zeros(len(codes), dtype=np.bool_)
    counted[units.people.first_by(covered, reached)] = True
    level_proofs = []
    for index, level in enumerate(levels.levels):
        rows = np.flatnonzero((codes == index) & covered & counted)
        records = int(np.count_nonzero((codes == index) & counted))
        worst = int(rows[reached[rows].argmin()]) if len(rows) else None
        least = None if worst is None else float(reached[worst])
        asked = float(needs[codes == index].max() if (codes == index).any() else level.demand.group)
        number = None if worst is None else int(numbers[worst])
        met = least is None or least >= asked
        proof = LevelProof(
            level.name, ranked.column.name, records, len(rows), records - len(rows), asked, least, number, met
        )
        level_proofs.append(proof)
    return level_proofs
