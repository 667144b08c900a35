"""`data-reconstruction`: releases k or more copies of a few selected records instead of all records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, ClassVar

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.errors import InputError, RecipeError
from ppdm_desktop.engine.identifiability.classes import classes_of_codes, equivalence_classes
from ppdm_desktop.engine.methods.algorithms.data_reconstruction.classifier_inputs import BOTH, NAIVE_BAYES, TREE
from ppdm_desktop.engine.methods.algorithms.data_reconstruction.genes import ELITES
from ppdm_desktop.engine.methods.algorithms.data_reconstruction.masks import EQUAL_FREQUENCY, MDL
from ppdm_desktop.engine.methods.algorithms.data_reconstruction.plan import (
    PAPER_SETTINGS,
    Masked,
    Plan,
    choose_class_column,
    find_needed_group_sizes,
    list_quasi_identifiers,
    mask_records,
    needed_k,
    plan_of,
)
from ppdm_desktop.engine.methods.algorithms.data_reconstruction.search import (
    LEAST_RECORDS,
    Audit,
    Chosen,
    audit_cells,
    choose_records,
    repeat_records,
)
from ppdm_desktop.engine.methods.algorithms.swapping.recount import FOREIGN, index_texts, levels_of
from ppdm_desktop.engine.methods.base.declaration import Family, FigureLine, Method, labelled_lines, register
from ppdm_desktop.engine.methods.base.parameters import (
    KNOWN_BY_NUMBER,
    LARGER_HIDES_MORE,
    SMALLER_HIDES_MORE,
    ChoiceParameter,
    ColumnParameter,
    NumberParameter,
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
    used_groups,
)
from ppdm_desktop.engine.randomness import StepStream
from ppdm_desktop.engine.recipe.models import RELEASED_ROLES
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.exact_numbers import distinct_values
from ppdm_desktop.engine.wording.catalogue import lazy
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Name, Names, Number, Share, Value

LEAST_CHOSEN = 2
_SLOW_FROM = 500
"""With more records than this, the search takes far longer than other methods."""


@dataclass(frozen=True, eq=False)
class Reconstruction:
    """What a run keeps in memory until the export.

    Attributes
    ----------
    plan
        The class column, k, and how quasi-identifiers are grouped.
    source
        int64, shape (released rows,): the row of the step's input that each released row copies.
    """

    plan: Plan
    source: Ints


@register
class DataReconstruction(Method):
    """Release k copies of records that are selected to train a classifier well (Zhu, Li & Wu 2009).

    Only the paper's abstract, introduction and outline were available. How values are cut into ranges, exchanged,
    weighted and checked is this program's own choice.
    """

    id = "data-reconstruction"
    title = lazy("Release copies of a few selected records")
    paper = lazy(
        "D. Zhu, X.-B. Li and S. Wu, Identity disclosure protection: A data reconstruction approach for "
        "privacy-preserving data mining, Decision Support Systems 48(1), 2009"
    )
    summary = lazy(
        "Selects about one record in k: those that together train a prediction model best. "
        "Details that others may know become less exact. Each selected record is released k "
        "times."
    )
    promises = (
        lazy(
            "Every released combination of these details is in the file at least k times. "
            "At least k people of the source have it."
        ),
        lazy("Behind every released combination are at least two different people and at least two classes."),
        lazy("k is at least the largest group that any protection level asks for."),
        lazy("If one of these rules cannot be kept, the run fails and nothing is released."),
        lazy(
            "The release has as many rows as the source. Classes keep their shares where enough "
            "people of each can be selected."
        ),
    )
    limits = (
        lazy(
            "Only about one person in k is in the release, k times. No row can be looked up or linked to another file."
        ),
        lazy(
            "All other columns are released exactly as they are for the selected people. A rare "
            "value still shows, as often as it was copied."
        ),
        lazy(
            "On three public data sets, models learned from it predicted no better than models learned from "
            "groups of people with the same details."
        ),
        lazy(
            "k copies of one record look like k people but are one. Averages and counts are less "
            "certain than the number of rows suggests."
        ),
        lazy("It cannot be used if people have several rows: each released record stands for one person."),
        lazy(
            "The selection favours records that help to predict one column. Other questions may be answered less well."
        ),
        lazy("Texts are exchanged at random within a class. Their relationships to other columns become weaker."),
    )
    expert = (
        lazy(
            "The fitness of the search is measured on the training records. It is too good and does not measure "
            "accuracy."
        ),
        lazy(
            "The sources only outline the steps of the paper. Cuts, shares and weights here are those of this program."
        ),
    )
    recipients_learn = lazy(
        "The rows are copies of selected records. Values may be ranges, or may have been swapped between people."
    )
    protects = "both"
    correspondence = "none"
    hides_among_numbers = True
    family = Family.ARTIFICIAL
    values_label = lazy("artificial")
    treatment = lazy("sampling (selected records repeated), generalisation and permutation")
    kinds = frozenset({"numeric", "ordinal", "nominal", "date", "text"})
    reads_levels = ("group",)
    public_parameters = frozenset({"k", "mask", "swap_share", "class", "classifier"})
    chosen_for = "class"
    worst_is = "group"
    attacks = ("linkage", "inference", "singling-out")
    parameters = (
        NumberParameter(
            name="k",
            label=lazy("Copies and smallest group"),
            help=lazy(
                "How often each selected record is released, and how many people each released combination has at "
                "least."
            ),
            effect=LARGER_HIDES_MORE,
            default=5,
            low=2,
            whole=True,
            unit=lazy("records"),
            level_key="group",
        ),
        ColumnParameter(
            name="class",
            label=lazy("Class column"),
            help=lazy(
                "The confidential column that the release should help to predict. If empty, the first suitable one is "
                "used."
            ),
            default="",
            of_file=True,
            checked_with={"class": "Other"},
        ),
        ChoiceParameter(
            name="mask",
            label=lazy("How to cut numbers"),
            help=lazy("How ranges are found for numbers and dates that others may know."),
            default=MDL,
            choices={
                MDL: lazy("Where the classes differ most, if that pays; otherwise at the median."),
                EQUAL_FREQUENCY: lazy("Ranges with about the same number of records."),
            },
            names={MDL: lazy("by class"), EQUAL_FREQUENCY: lazy("equal shares")},
            checked_with={"mask": "equal-frequency", "k": 2, "roles": KNOWN_BY_NUMBER},
        ),
        NumberParameter(
            name="ranges",
            label=lazy("Number of ranges"),
            help=lazy("How many ranges with the same number of records."),
            effect=SMALLER_HIDES_MORE,
            default=4,
            low=2,
            whole=True,
            advanced=True,
            checked_with={"ranges": 2, "mask": "equal-frequency", "roles": KNOWN_BY_NUMBER},
        ),
        NumberParameter(
            name="swap_share",
            label=lazy("Texts exchanged"),
            help=lazy("Share of the records of each class whose texts are exchanged, column by column."),
            effect=LARGER_HIDES_MORE,
            default=0.2,
            low=0,
            high=1,
        ),
        ChoiceParameter(
            name="classifier",
            label=lazy("What the selection is good for"),
            help=lazy("The prediction model that the selected records should train well."),
            default=BOTH,
            choices={
                BOTH: lazy("The mean of a decision tree and naive Bayes."),
                TREE: lazy("A decision tree."),
                NAIVE_BAYES: lazy("Naive Bayes; the fastest."),
            },
            names={
                BOTH: lazy("both models"),
                TREE: lazy("decision tree"),
                NAIVE_BAYES: lazy("naive Bayes"),
            },
        ),
        NumberParameter(
            name="population",
            label=lazy("Selections in each round"),
            help=lazy("How many selections the search compares in each round."),
            effect=lazy("A larger number gives better results, but takes longer."),
            default=30,
            low=ELITES + 2,
            whole=True,
            advanced=True,
        ),
        NumberParameter(
            name="generations",
            label=lazy("Rounds of the search"),
            help=lazy(
                "How often selections are combined and changed. You can end the search earlier; the best is kept."
            ),
            effect=lazy("A larger number gives better results, but takes longer."),
            default=40,
            low=1,
            whole=True,
            advanced=True,
            stops_early=True,
        ),
        NumberParameter(
            name="mutation",
            label=lazy("Random change"),
            help=lazy("Share of the selected records that are exchanged at random in each round, plus one record."),
            default=0.02,
            low=0,
            high=0.5,
            advanced=True,
        ),
        NumberParameter(
            name="diversity",
            label=lazy("Weight of mixed classes"),
            help=lazy("What a combination with one class costs a selection, in shares of records predicted correctly."),
            default=0.02,
            low=0,
            high=1,
            advanced=True,
        ),
    )
    profiles: ClassVar[Profiles] = {PAPER: PAPER_SETTINGS, SAFE: {}}
    paper_fault = lazy(
        "The search takes no notice of groups with one value only. In a random selection, 37% of the groups "
        "were like this (Pima data, k = 10). Ranges end at members’ own values."
    )
    paper_price = lazy(
        "Each such group counts like 2% wrong predictions, so a selection that predicts slightly better can lose."
    )

    def default_columns(self, table: Table) -> tuple[str, ...]:
        """Return the names of all released columns, because records are copied as a whole."""
        return tuple(column.name for column in table.columns if column.role in RELEASED_ROLES)

    def settings(self, table: Table, columns: Sequence[str] | None, parameters: Mapping[str, Any]) -> Settings:
        """Return checked columns and parameters; refuse steps that leave out a released column.

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
            For a released column that is not treated, if there is no quasi-identifier or no fitting class column (one
            with 2 to 20 values), or for whatever does not fit the method's declaration.
        """
        settings_read = super().settings(table, columns, parameters)
        missing = [name for name in self.default_columns(table) if name not in settings_read.columns]
        if missing:
            raise RecipeError("error.reconstruction.uncovered", column=missing[0], args={"columns": Names.of(missing)})
        if not list_quasi_identifiers(table, settings_read):
            raise RecipeError("error.reconstruction.no-quasi")
        chosen = choose_class_column(table, str(settings_read.values["class"]))
        if chosen.name not in settings_read.columns:
            raise RecipeError("error.reconstruction.unfit-class", column=chosen.name, args={"most": 20})
        return settings_read

    def check(self, table: Table, settings: Settings) -> tuple[Note, ...]:
        """Return notes on what the step will do; raise an error for tables that are too small for k.

        The notes are on a k in the recipe that is too small to be used, the class column if the recipe does not name
        it, and columns that are released exactly: all but the quasi-identifiers and the class.

        Raises
        ------
        RecipeError
            When no column can be the class, or the column that the recipe names cannot.
        InputError
            When fewer than 2 k records have a class.
        """
        k = needed_k(table, settings)
        column = choose_class_column(table, str(settings.values["class"]))
        rows = int((~column.missing).sum())
        if rows < LEAST_CHOSEN * k:
            raise InputError("error.reconstruction.too-few", args={"records": rows, "k": k, "needed": LEAST_CHOSEN * k})
        notes = list(settings.group_note("k", k))
        if not settings.values["class"]:
            notes.append(Note("note.reconstruction.class", {"column": Name(column.name)}))
        quasi = {column.name for column in list_quasi_identifiers(table, settings)}
        exact = [name for name in settings.columns if name not in quasi and name != column.name]
        if exact:
            notes.append(Note("note.reconstruction.exact", {"columns": Names.of(exact)}))
        return tuple(notes)

    def suggestions(self, table: Table) -> tuple[Suggestion, ...]:
        """Return the usual settings as the only suggestion; with more than 500 records, with the fastest classifier."""
        fast: dict[str, object] = {"classifier": "naive-bayes"} if table.rows > _SLOW_FROM else {}
        return (Suggestion(self.title, fast),)

    def effect(self, table: Table, settings: Settings) -> Note:
        """Return a note on how many records will be selected: at most the number of rows / k, rounded down.

        With 103 rows and k = 5 they are 20. RecipeError if no column can be the class that the selected records are to
        predict.
        """
        k = needed_k(table, settings)
        column = choose_class_column(table, str(settings.values["class"]))
        arguments: dict[str, Value] = {
            "records": table.rows,
            "chosen": table.rows // k,
            "k": k,
            "column": Name(column.name),
        }
        return Note("note.reconstruction.effect", arguments)

    def _list_used_values(self, table: Table, settings: Settings, detail: Mapping[str, Any] | None) -> Iterable[Used]:
        """Yield k, the largest group size that any record demands, and the class column if the recipe does not name it.

        The same k holds for all privacy levels. For a table without people, there is no entry for k. RecipeError if the
        recipe names no class column and none can be the class.
        """
        of_levels = used_groups("k", levels_of(table), find_needed_group_sizes(table, settings))
        if of_levels:  # every record is copied as often as the most demanding one asks for
            yield replace(max(of_levels, key=lambda value_used: int(value_used.value)), level=None)
        if not settings.values["class"]:
            yield Used("class", choose_class_column(table, "").name, "program")

    def run(self, table: Table, settings: Settings, streams: StepStream) -> StepResult:
        """Return as many rows as before, all copies of selected records with less exact quasi-identifiers.

        Some quasi-identifiers are also exchanged between people (the setting ``swap_share``); all other columns are
        copied exactly. The rows come in random order. The result is checked before it is returned. If a person ended
        the search early, the number of rounds is in the result's ``reached``.
        Notes and figures are those of ``_list_notes`` and ``_build_detail``. The errors are those of ``check``, and:

        Raises
        ------
        InputError
            When fewer than two records have quasi-identifiers that can be released, the check finds a combination that
            must not be, or a date with hours contains more than the format of its column says.
        """
        self.check(table, settings)
        progress.report(0.0, "progress.method.groups")
        plan = plan_of(table, settings)
        masked = mask_records(plan, float(settings.values["swap_share"]), streams)
        eligible = int(masked.eligible.sum())
        most = min(table.rows // plan.k, eligible)
        if most < LEAST_CHOSEN:
            raise InputError("error.reconstruction.no-cells", args={"k": plan.k})
        chosen = progress.part(0.05, 0.95).run(choose_records, table, plan, masked, settings, most, streams)
        source = repeat_records(chosen.records, table.rows, streams.stream("copies"))
        progress.report(0.95, "progress.method.write")
        audited = audit_cells(masked.cell[source], source, plan.classes[source], masked.people, plan.k)
        if not audited.passed:
            raise InputError("error.reconstruction.cosmetic", args={"cells": audited.short, "k": plan.k})
        released = table.replacing(*_build_released_columns(table, settings, plan, masked, source))
        reached = chosen.evolution.generations
        early = reached < settings.values["generations"]
        progress.report(1.0, "progress.method.write")
        return StepResult(
            released,
            _list_protections(released, settings, plan, masked.cell[source]),
            _build_detail(settings, plan, masked, chosen, audited),
            _list_notes(table, plan, masked, chosen, source, settings, early=early),
            in_memory=Reconstruction(plan, source),
            reached={"generations": reached} if early else {},
            copied=source,
        )

    def preview(self, table: Table, settings: Settings) -> Mapping[str, Any]:
        """Return the name of the class column, and the text that the training score is not an accuracy."""
        chosen = choose_class_column(table, str(settings.values["class"])).name
        return {"class": chosen, "fitness": {"measured": "on the records that taught it; no accuracy"}}

    def map_to_output_domain(self, before: Table, settings: Settings, result: StepResult) -> Table:
        """Return all input records with quasi-identifiers shown as ranges or joined values, but no values exchanged."""
        plan = result.in_memory.plan if isinstance(result.in_memory, Reconstruction) else plan_of(before, settings)
        return before.replacing(*(mask.written(mask.codes) for mask in plan.masks))

    def figure_lines(self, detail: Mapping[str, Any]) -> list[FigureLine]:
        """Return the figures of the search and of the released combinations of quasi-identifiers, with labels."""
        return reconstruction_lines(detail)

    def recount(self, before: Table, after: Table, settings: Settings, detail: Mapping[str, Any]) -> Recount:
        """Return whether every released combination of quasi-identifiers has enough rows, people and classes.

        See ``recount_combinations``.
        """
        return recount_combinations(before, after, plan_of(before, settings), None)

    def recount_run(self, before: Table, after: Table, settings: Settings, result: StepResult) -> Recount:
        """Return whether every released combination of quasi-identifiers has enough rows, people, classes and records.

        ``recount`` does not know which records were copied and can only compare their classes. The run knows it; if its
        copies are not in memory, the result is that of ``recount``.
        """
        if not isinstance(result.in_memory, Reconstruction):
            return self.recount(before, after, settings, result.detail)
        return recount_combinations(before, after, result.in_memory.plan, result.in_memory.source)


def _build_released_columns(table: Table, settings: Settings, plan: Plan, masked: Masked, source: Ints) -> list[Column]:
    """Return the released columns in the step's order: grouped quasi-identifiers, and copies of all other columns.

    Quasi-identifiers are shown as they are after the exchange between people. ``source`` is the row of the input that
    each released row copies.
    """
    released_columns = {
        mask.column.name: mask.written(codes).take(source) for mask, codes in zip(plan.masks, masked.codes, strict=True)
    }
    return [released_columns.get(name) or table.column(name).take(source) for name in settings.columns]


def _list_protections(released: Table, settings: Settings, plan: Plan, cell: Ints) -> tuple[Protection, ...]:
    """Return for each column which rows count as protected: all of them, with one exception.

    In a confidential column that is not the class, a row counts only if its combination of quasi-identifiers shows
    several values of this column, an empty cell being one. ``cell`` is the index of each released row's combination.
    """
    everybody = np.ones(released.rows, dtype=np.bool_)
    protections = []
    for name in settings.columns:
        column = released.column(name)
        protected = everybody
        if column.role == "confidential" and name != plan.class_column.name:
            values = equivalence_classes([column], released.rows).ids
            width = int(values.max()) + 1
            pairs = distinct_values(cell.astype(np.int64) * width + values)[0]
            several = np.bincount(pairs // width, minlength=int(cell.max()) + 1) > 1
            protected = several[cell]
        protections.append(Protection(name, "grouped", protected, np.where(protected, cell, -1)))
    return tuple(protections)


def _build_detail(settings: Settings, plan: Plan, masked: Masked, chosen: Chosen, audited: Audit) -> dict[str, Any]:
    """Return the figures for the report as plain data.

    - ``k``, ``class``: the group size that was used, and the name of the class column.
    - ``asked``, ``used``: the group size in the recipe and the used one; only if the recipe gives one.
    - ``chosen``, ``mended``: how many records were selected, and how many of them were exchanged after the search.
    - ``fitness``: the training scores and the length of the search.
    - ``cells``: the check of the released combinations.
    - ``ranges``: the number of groups left in each quasi-identifier.
    - ``people_left_out``: the number of people whose combination cannot be in the release.
    """
    evolution = chosen.evolution
    return {
        "k": plan.k,
        **settings.group_detail("k", plan.k),
        "class": plan.class_column.name,
        "chosen": len(chosen.records),
        "fitness": {
            "classifier": settings.values["classifier"],
            "measured": "on the records that taught it; no accuracy",
            "start": evolution.curve[0],
            "best": evolution.curve[-1],
            "released": chosen.fitness,
            "by_generation": list(evolution.curve),
            "generations": evolution.generations,
            "evaluations": evolution.evaluations,
        },
        "cells": asdict(audited),
        "ranges": {mask.column.name: len(mask.groups) for mask in plan.masks},
        "mended": chosen.repaired,
        "people_left_out": masked.left_out,
    }


def _list_notes(
    table: Table, plan: Plan, masked: Masked, chosen: Chosen, source: Ints, settings: Settings, *, early: bool
) -> tuple[Note, ...]:
    """Return notes on people left out, values joined into one, classes that disappeared, and a search that ended early.

    They come in this order; those that do not apply are left out. Joined values are those of quasi-identifiers, where
    too many combinations had too few people or a single class.
    """
    notes = []
    if masked.left_out:
        share = Share(masked.left_out, table.rows)
        notes.append(Note("note.reconstruction.left-out", {"people": masked.left_out, "share": share}))
    joined = [mask.column.name for mask in plan.masks if len(mask.groups) < sum(map(len, mask.groups))]
    if joined:
        notes.append(Note("note.reconstruction.joined", {"columns": Names.of(joined), "k": plan.k}))
    known_classes = plan.classes[plan.classes >= 0]
    gone = len(np.unique(known_classes)) - len(np.unique(plan.classes[source]))
    if gone:
        notes.append(
            Note("note.reconstruction.classes-gone", {"classes": gone, "column": Name(plan.class_column.name)})
        )
    if early:
        arguments: dict[str, Value] = {"reached": chosen.evolution.generations, "asked": settings.values["generations"]}
        notes.append(Note("note.reconstruction.ended-early", arguments))
    return tuple(notes)


def reconstruction_lines(detail: Mapping[str, Any]) -> list[FigureLine]:
    """Return the figures of the search, the released combinations and the joined values, with labels.

    ``detail`` has the figures of the step.
    """
    fitness = detail["fitness"]
    score = lazy(
        "{start} at the start, {best} after {n} {n:round|rounds}, {released} for the released records",
        start=Number(fitness["start"]),
        best=Number(fitness["best"]),
        n=int(fitness["generations"]),
        released=Number(fitness["released"]),
    )
    column = Name(str(detail["class"]))
    cell_labels = {
        "cells": lazy("Released combinations"),
        "least_rows": lazy("Rows of the rarest combination"),
        "least_people": lazy("People in the original with a combination, at least"),
        "least_records": lazy("Different selected records in a combination, at least"),
        "least_classes": lazy("Different values of {column} in a combination, at least", column=column),
    }
    ranges = {name: lazy("{column}: ranges or values left", column=Name(name)) for name in detail["ranges"]}
    selected = lazy("Selected records, each released at least {k} {k:time|times}", k=int(detail["k"]))
    exchanged = lazy("Records exchanged so that no combination has only one value")
    left_out = lazy("People whose combination is not in the release")
    return [
        *labelled_lines(detail, {"chosen": selected}),
        FigureLine(lazy("Training score (not accuracy)"), score),
        *labelled_lines(detail["cells"], cell_labels),
        *labelled_lines(detail["ranges"], ranges),
        *labelled_lines(detail, {"mended": exchanged, "people_left_out": left_out}),
    ]


def recount_combinations(before: Table, after: Table, plan: Plan, sources: Ints | None) -> Recount:
    """Return whether every released combination of quasi-identifiers has enough rows, people and classes.

    These are at least k rows, k people of the input, two classes and two copied records; the output must also have as
    many rows as the input. ``worst`` is the smallest number of rows or people of any combination; None if a released
    text is not one that the groups can have.

    Parameters
    ----------
    before, after
        The step's input, and its output as exported.
    plan
        The class column, k and groups of quasi-identifiers, decided again from the input.
    sources
        The row that each released row copies; None if only the tables are known. Then rows with different classes count
        as copies of different records.
    """
    counted = _audit_combinations(before, after, plan, sources)
    holds = counted is not None and counted.passed and after.rows == before.rows
    worst = None if counted is None else float(min(counted.least_rows, counted.least_people))
    proofs = _prove_levels(before, plan, worst, holds)
    return Recount(Guarantee("file+original", holds, before.rows, worst), proofs)


def _audit_combinations(before: Table, after: Table, plan: Plan, sources: Ints | None) -> Audit | None:
    """Return the counts of the released combinations; None if a released text is not one that the groups can have.

    People with a combination are counted in the input, rows and classes in the output. ``sources`` is the row that each
    released row copies; if it is None or has another length, rows with different classes count as copies of different
    records.
    """
    columns = [after.column(mask.column.name) for mask in plan.masks]
    released_codes = [
        index_texts(released, mask.labels, released.missing_texts)
        for mask, released in zip(plan.masks, columns, strict=True)
    ]
    if any((codes == FOREIGN).any() for codes in released_codes):
        return None
    rows = before.rows
    cells = classes_of_codes([np.r_[mask.codes, codes] for mask, codes in zip(plan.masks, released_codes, strict=True)],
                             rows + after.rows)  # fmt: skip
    people = np.bincount(cells.ids[:rows], minlength=cells.count).astype(np.int64)
    classes = after.column(plan.class_column.name).category_codes.astype(np.int64)
    if sources is None or len(sources) != after.rows:
        # Rows of different classes are copies of different records.
        sources = np.where(classes < 0, -1, classes)
    return audit_cells(cells.ids[rows:], sources, classes, people, plan.k)


def _prove_levels(table: Table, plan: Plan, worst: float | None, holds: bool) -> tuple[LevelProof, ...]:
    """Return for each privacy level, weakest first, whether its demand is met, over all quasi-identifiers together.

    A level is met if the promise ``holds`` and ``worst``, the fewest rows or people of any released combination, is at
    least the largest demand of the level's records (2 for a level without records). If ``worst`` is None (unknown), no
    level is met.
    """
    levels = levels_of(table)
    names = ", ".join(mask.column.name for mask in plan.masks)
    asked = [int(plan.groups[levels.codes == code].max(initial=LEAST_RECORDS)) for code in range(len(levels.levels))]
    return tuple(
        LevelProof(
            level.name,
            names,
            records,
            records,
            0,
            float(group),
            worst,
            None,
            holds and worst is not None and worst >= group,
        )
        for level, records, group in zip(levels.levels, levels.counts.tolist(), asked, strict=True)
    )
