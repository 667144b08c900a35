"""Usefulness of a candidate: its columns and pairs of columns before and after, and the data of their charts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ppdm_desktop import __version__
from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import on_grid
from ppdm_desktop.engine.attacks.homogeneity import Homogeneity, measure_homogeneity
from ppdm_desktop.engine.identifiability.classes import equivalence_classes
from ppdm_desktop.engine.identifiability.risk import table_risk
from ppdm_desktop.engine.recipe.models import ATTRIBUTE_ROLES
from ppdm_desktop.engine.release.candidate.model import (
    Candidate,
    column_notes,
    describe_treatments,
    list_column_steps,
    list_treated_columns,
    list_treatment_terms,
    list_units,
    match_source_columns,
    removal_notes,
)
from ppdm_desktop.engine.release.candidate.one_row import find_reduction_way, state_people_count, state_row_count
from ppdm_desktop.engine.release.candidate.public_settings import describe_settings
from ppdm_desktop.engine.release.measures.analysis_kit import asks_for_kit
from ppdm_desktop.engine.release.measures.generalised_columns import (
    GeneralisedColumn,
    generalised_columns,
    is_coarsened,
    is_generalised,
)
from ppdm_desktop.engine.release.measures.losses import state_losses
from ppdm_desktop.engine.release.measures.rules import count_broken_rules, state_broken_rules, state_rules
from ppdm_desktop.engine.report.charts import Marginal
from ppdm_desktop.engine.report.public.columns import (
    PublicColumn,
    describe_signs,
    dictionary_csv,
    new_texts,
    public_column,
    signs_in,
)
from ppdm_desktop.engine.report.public.note import PublicNote, PublicStep, build_public_note
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.writing.registry import find_writer
from ppdm_desktop.engine.utility.associations import Associations, compare_associations
from ppdm_desktop.engine.utility.cells import MISSING_LABEL, merged_categories, shared_cells, total_variation
from ppdm_desktop.engine.utility.distributions import ColumnUtility, all_column_utility
from ppdm_desktop.engine.utility.generalisation import Generalisation, measure_generalisation
from ppdm_desktop.engine.utility.pairs import NO_PAIRS, PairUtility, pair_utility
from ppdm_desktop.engine.wording.catalogue import speak_language


@dataclass(frozen=True, eq=False)
class Coarseness:
    """Information loss and homogeneity of a release by its quasi-identifiers.

    Attributes
    ----------
    step
        Index of the last step that generalised quasi-identifiers or removed records; figures are those after all steps.
    generalisation
        Granularity, entropy, discernibility, and average class size.
    homogeneity
        How homogeneous each released confidential column is within classes of equal quasi-identifiers.
    """

    step: int
    generalisation: Generalisation
    homogeneity: Mapping[str, Homogeneity]

    def document(self) -> dict[str, Any]:
        """Return the figures as plain data for the report.

        It has each figure of generalisation by its name, the granularity of each column under ``by_column``, and under
        ``homogeneity``, for each confidential column, the figures ``one_valued``, ``majority`` and ``baseline``.
        """
        generalisation = self.generalisation
        figures = ("granularity", "entropy", "entropy_kept", "discernibility", "average_class")
        return {
            **{name: getattr(generalisation, name).document() for name in figures},
            "by_column": dict(generalisation.by_column),
            "homogeneity": {
                name: {part: getattr(figures, part).document() for part in ("one_valued", "majority", "baseline")}
                for name, figures in self.homogeneity.items()
            },
        }


def measure_coarseness(candidate: Candidate) -> Coarseness | None:
    """Return information loss and homogeneity of a candidate by its quasi-identifiers.

    None if no step generalised or suppressed quasi-identifiers, without quasi-identifiers, where released rows are no
    source rows, and if no row is left. Figures are those after all steps; homogeneity is by released confidential
    column.
    """
    progress.check()
    final, before = candidate.final, candidate.prepared.table
    quasi = [column.name for column in final.with_role("quasi-identifier")]
    steps = [
        step.index
        for step in candidate.steps
        if step.method.leaves_values != "changed" and set(quasi) & set(step.settings.columns)
    ]
    if not candidate.rows_correspond or not steps or not quasi or not final.rows:
        return None
    rows = candidate.source_rows
    twins = np.full(before.rows, -1, dtype=np.int64)
    twins[rows] = np.arange(final.rows)
    quasi_columns = [final.column(name) for name in quasi]
    k_min = candidate.prepared.type.k_min
    cost = progress.part(0.0, 0.7).run(
        measure_generalisation, [before.column(name) for name in quasi], quasi_columns, twins, k_min
    )
    progress.report(0.7, "doing.utility")
    ids = equivalence_classes(quasi_columns, final.rows).ids
    homogeneity = {}
    for column in final.with_role("confidential"):
        progress.check()
        true, released, _ = merged_categories(before.column(column.name).take(rows), column)
        homogeneity[column.name] = measure_homogeneity(ids, released, true)
    return Coarseness(steps[-1], cost, homogeneity)


@dataclass(frozen=True)
class AfterStep:
    """Risk and usefulness of the table after one step, by the recipe's rule for missing values.

    Attributes
    ----------
    step
        1-based index of the step.
    records
        Number of records left.
    equivalence_classes, k, alone
        Number of classes of equal quasi-identifiers, people in the smallest class, and unique people. None without a
        quasi-identifier or a row, or if this or an earlier step made new records or added noise to quasi-identifiers,
        so that class sizes mean nothing.
    identifiable
        Number of uniquely and collectively identifiable people; None as above or without a confidential column.
    moved_column, total_variation
        The column about people whose distribution changed most since before the first step, and its total variation
        distance. The name is None without a change (distance 0), both are None if no column can be compared. Free text
        and columns that are only generalised do not count.
    """

    step: int
    records: int
    equivalence_classes: int | None
    k: int | None
    alone: int | None
    identifiable: int | None
    moved_column: str | None
    total_variation: float | None

    def document(self) -> dict[str, Any]:
        """Return the figures by name as plain data for the report."""
        return asdict(self)


def measure_after_steps(candidate: Candidate) -> tuple[AfterStep, ...]:
    """Return the figures after every step, in order; empty for fewer than two steps.

    Numbers of classes, of people in the smallest class, and of unique and identifiable people are None from the first
    step on that makes groups or synthetic rows or adds noise to a quasi-identifier, and without quasi-identifiers or
    rows; that of identifiable people also without a confidential column.
    """
    if len(candidate.steps) < 2:
        return ()
    by_step, counts_speak = [], True
    for index, step in enumerate(candidate.steps):
        progress.report(index / len(candidate.steps), "doing.utility")
        table = step.result.table
        quasi = {column.name for column in table.with_role("quasi-identifier")}
        noisy = {protection.column for protection in step.result.protections if protection.manner == "noise"}
        counts_speak &= step.method.correspondence == "record" and not quasi & noisy
        by_step.append(_measure_after_step(candidate, step.index, table, counts_speak=bool(quasi) and counts_speak))
    return tuple(by_step)


def _measure_after_step(candidate: Candidate, step: int, table: Table, *, counts_speak: bool) -> AfterStep:
    """Return the figures of the table after one step.

    Figures of classes are given only if ``counts_speak`` (they mean something) and a row is left, else None. The column
    about people whose distribution changed most since before the first step is named, unless none did; free text and
    columns shown in ranges are not compared. ``step`` is the step's index from 1, ``table`` its result.
    """
    classes = k = alone = identifiable = None
    if counts_speak and table.rows:
        risk = table_risk(table, candidate.prepared.recipe.risk.missing)
        classes, k, alone = risk.judged.classes, risk.k, risk.unique_people
        identifiable = risk.judged.overall.identifiable if risk.judged.overall is not None else None
    moved = {}
    for column in table.columns:
        # A range is another word than the values it holds: none of them moved.
        in_ranges = is_coarsened(candidate, column.name)
        in_ranges |= column.kind != "numeric" and is_generalised(candidate, column.name)
        if column.role in ATTRIBUTE_ROLES and column.kind != "text" and not in_ranges:
            cells = shared_cells(candidate.prepared.table.column(column.name), column)
            moved[column.name] = total_variation(*cells.shares())
    worst = max(moved, key=lambda name: on_grid(moved[name]), default=None)
    shift = None if worst is None else float(moved[worst])
    return AfterStep(step, table.rows, classes, k, alone, identifiable, worst if shift else None, shift)


MOST_CHARTS, MOST_BARS = 12, 20


@dataclass(frozen=True)
class Measures:
    """Figures of usefulness.

    Attributes
    ----------
    columns, pairs
        Figures of the released columns, and of pairs of them.
    marginals
        Distributions of treated columns for charts, the 12 that changed most, largest change first.
    after_steps
        Risk and usefulness after each step; empty if there is one step at most.
    coarseness
        Information loss of generalised quasi-identifiers and homogeneity of their classes; None without any.
    associations
        Strength of association of every pair of released columns before and after; None with fewer than two.
    generalised
        Columns that are generalised and not otherwise changed.
    """

    columns: tuple[ColumnUtility, ...]
    pairs: PairUtility
    marginals: tuple[Marginal, ...] = ()
    after_steps: tuple[AfterStep, ...] = ()
    coarseness: Coarseness | None = None
    associations: Associations | None = None
    generalised: tuple[GeneralisedColumn, ...] = ()


def measure(candidate: Candidate, *, for_verdict: bool = False) -> Measures:
    """Return figures of the released columns compared with the source's, to which bins are applied first.

    They are figures of columns and of pairs of columns, associations, charts of the treated columns that changed most,
    the figures after each step, how coarse the quasi-identifiers are, and the generalised columns. Numbers drawn inside
    bins are compared with the source's numbers.

    Parameters
    ----------
    candidate
        The candidate release.
    for_verdict
        Whether only a verdict is wanted: then only single columns are measured and all else is empty or None, because
        no check reads it.
    """
    sides = match_source_columns(candidate)
    before, after = sides.before, sides.after
    columns = progress.part(0.0, 0.3).run(all_column_utility, before, after)
    if for_verdict:
        return Measures(columns, NO_PAIRS)
    pairs = progress.part(0.3, 0.6).run(pair_utility, before, after)
    ties = progress.part(0.6, 0.7).run(compare_associations, before, after)
    treated = {name for step in candidate.steps for name in list_treated_columns(candidate, step.index)}
    generalised = progress.part(0.7, 0.75).run(generalised_columns, candidate, sides, most_bars=MOST_BARS)
    generalised_by_name = {column.name: column for column in generalised}
    changes = {column.name: column.total_variation.value or 0.0 for column in columns}
    changes |= {name: column.change for name, column in generalised_by_name.items()}
    drawn = [
        (source, released)
        for source, released in zip(before, after, strict=True)
        if released.name in treated and released.kind != "text"
    ]
    drawn.sort(key=lambda sides: -on_grid(changes[sides[1].name]))
    charts = [
        (released.name in generalised_by_name and generalised_by_name[released.name].marginal)
        or _build_marginal(source, released)
        for source, released in drawn[:MOST_CHARTS]
    ]
    chain = progress.part(0.75, 0.9).run(measure_after_steps, candidate)
    cost = progress.part(0.9, 1.0).run(measure_coarseness, candidate)
    return Measures(columns, pairs, tuple(charts), chain, cost, ties, generalised)


def _build_marginal(before: Column, after: Column) -> Marginal:
    """Return a column's distribution before and after, for a chart.

    Of more than 20 texts the 20 most frequent before have a bar each and the others share one. More than 20 different
    numbers are cut into at most 20 ranges of about equally many records before, with rounded ends that may be
    published. Missing values have a bar of their own, if there are any.
    """
    cells = shared_cells(before, after, most_values=MOST_BARS, on_public_grid=True)
    first, second = cells.shares()
    label_indices = [
        index for index, label in enumerate(cells.labels) if label != MISSING_LABEL or first[index] or second[index]
    ]
    return Marginal(
        after.name,
        tuple(cells.labels[index] for index in label_indices),
        tuple(float(first[index]) for index in label_indices),
        tuple(float(second[index]) for index in label_indices),
        (len(before), len(after)),
    )


def public_dictionary(candidate: Candidate, *, is_draft: bool = False) -> bytes:
    """Return the data dictionary, a CSV file that describes each released column, as bytes.

    It is UTF-8, in the language of the note for recipients, and has the data's delimiter. The dictionary of a draft,
    which is only looked at and not released, does not state which rules hold in every row.
    """
    with speak_language(candidate.prepared.recipe.release.note_language):
        treatments, columns = describe_treatments(candidate), _describe_columns(candidate, is_draft=is_draft)
        columns = [column.model_copy(update={"treatment": treatments[column.name]}) for column in columns]
        return dictionary_csv(columns, candidate.released.delimiter)


def _describe_columns(candidate: Candidate, *, is_draft: bool = False) -> list[PublicColumn]:
    """Return the description of each released column in the current language, in the order of the release.

    Only treatments are in English. With ``is_draft``, for a dictionary that is not released, it does not state which
    rules hold in every row.
    """
    prepared, notes = candidate.prepared, column_notes(candidate)
    treated, units = list_treatment_terms(candidate), list_units(candidate)
    rules = {} if is_draft else state_rules(candidate)
    described = []
    for column in candidate.released.columns:
        bounds = prepared.column_section(column.name).bounds
        described.append(
            public_column(
                column,
                treatment=treated[column.name],
                note=notes[column.name],
                bounds=None if bounds is None else (float(bounds[0]), float(bounds[1])),
                k_min=prepared.type.k_min,
                made=find_reduction_way(prepared, column.name),
                unit=units.get(column.name, ""),
                rules=rules.get(column.name, ""),
                settings=describe_settings(candidate, column.name),
                signs=describe_signs(prepared.original, column),
            )
        )
    return described


def _list_public_steps(candidate: Candidate) -> list[PublicStep]:
    """Return the methods that were applied, each once with the released columns of all its steps.

    Columns that are not released or that a step did not change are left out, and so are methods without any column,
    unless they remove records. Methods are in the order of their first step. Titles are in the current language; the
    treatment is given as a code and in words.
    """
    columns: dict[str, list[str]] = {}
    methods = {step.method.id: step.method for step in candidate.steps}
    for step in candidate.steps:
        columns_left = [name for name in step.settings.columns if name in candidate.released]
        names = [name for name in columns_left if step in list_column_steps(candidate, name)]
        if names or step.method.removes_records:
            columns.setdefault(step.method.id, []).extend(names)
    return [
        PublicStep(
            title=str(method.title),
            columns=tuple(dict.fromkeys(columns[id])),
            treatment=method.treatment.english,
            treatment_text=str(method.treatment),
        )
        for id, method in methods.items()
        if id in columns
    ]


def public_note(
    candidate: Candidate, measures: Measures, *, data_name: str, data_sha256: str, guarded_cells: int
) -> PublicNote:
    """Return everything that a recipient may read about a candidate, in the language of the note.

    Parameters
    ----------
    candidate, measures
        The candidate and its figures of usefulness.
    data_name, data_sha256
        Name and hash of the data file.
    guarded_cells
        Number of cells that were written so that no spreadsheet takes them for a formula.
    """
    with speak_language(candidate.prepared.recipe.release.note_language):
        prepared = candidate.prepared
        release, rules = prepared.recipe.release, count_broken_rules(candidate)
        facts: dict[str, object] = {
            "language": release.note_language,
            "day": prepared.recipe.operator.release_day,
            "version": __version__,
            "type": prepared.type.id,
            "data_file": data_name,
            "teaching_copy": release.teaching_copy,
            "rows_are_groups": prepared.rows_are_groups,
            "agreement": release.agreement and prepared.type.relies_on_agreement,
            "data_format": release.format,
            "data_sha256": data_sha256,
            "decimal": next((column.style.decimal for column in candidate.released.columns if column.style), "."),
            "delimiter": candidate.released.delimiter,
            "shuffled": candidate.is_shuffled,
            "guarded": release.formula_guard and find_writer(release.format).takes_guard,
            "guarded_cells": guarded_cells,
            "broken_rules": state_broken_rules(candidate),
            "obeys_rules": rules is not None and not rules.broken,
            "signs": signs_in(
                text for column in candidate.released.columns for text in new_texts(prepared.original, column)
            ),
            "removed": removal_notes(candidate),
        }
        if prepared.reduced is not None:
            assert prepared.complete.input.reduce is not None
            facts["rows_of_people"] = state_row_count(prepared.reduced, prepared.type.k_min)
            facts["first_row"] = prepared.complete.input.reduce.by == "first"
        facts["lost"] = state_losses(candidate)
        facts["has_kit"] = asks_for_kit(candidate)
        facts["people"] = state_people_count(candidate.released.persons, prepared.type.k_min)
        return build_public_note(
            candidate.released,
            facts=facts,
            columns=_describe_columns(candidate),
            steps=_list_public_steps(candidate),
            utility=measures.columns,
            pairs=measures.pairs,
            k_min=prepared.type.k_min,
        )
