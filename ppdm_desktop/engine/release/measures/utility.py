"""Usefulness of a candidate: its columns and pairs before and after, and what is drawn of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ppdm_desktop import __version__
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.release.candidate.column_pairing import compared
from ppdm_desktop.engine.release.candidate.iso20889 import (
    column_notes,
    protected_by,
    treatment_code,
    treatments,
    treatments_said,
)
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.candidate.one_row import people_stated, rows_stated, way_of
from ppdm_desktop.engine.release.candidate.public_settings import public_settings
from ppdm_desktop.engine.release.measures.analysis_kit import asks_for_kit
from ppdm_desktop.engine.release.measures.generalisation_cost import Coarseness, coarseness
from ppdm_desktop.engine.release.measures.generalised_columns import GeneralisedColumn, generalised_columns
from ppdm_desktop.engine.release.measures.losses import losses_stated
from ppdm_desktop.engine.release.measures.rules import broken_rules_stated, count_broken_rules
from ppdm_desktop.engine.release.measures.step_effects import AfterStep, after_steps
from ppdm_desktop.engine.report.charts import Marginal
from ppdm_desktop.engine.report.public import (
    PublicColumn,
    PublicNote,
    PublicParameter,
    PublicStep,
    build_public_note,
    public_column,
)
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.writing import find_writer
from ppdm_desktop.engine.utility.associations import Associations, associations
from ppdm_desktop.engine.utility.cells import MISSING_LABEL, shared_cells
from ppdm_desktop.engine.utility.distributions import ColumnUtility, all_column_utility
from ppdm_desktop.engine.utility.pairs import PairUtility, pair_utility
from ppdm_desktop.engine.wording.catalogue import speaking

MOST_CHARTS, MOST_BARS = 12, 20


@dataclass(frozen=True)
class Measures:
    """Figures of usefulness.

    Attributes
    ----------
    columns, pairs
        Of the released columns.
    marginals
        Charts of the columns that steps treated, at most ``MOST_CHARTS``.
    after_steps
        Risk and usefulness after each step of a chain; empty where there is one step at most.
    coarseness
        Cost of generalised quasi-identifiers and what their classes give away; None where none is.
    associations
        Strength of every pair of released columns before and after; None with fewer than two.
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


def measure(candidate: Candidate, progress: Progress, *, for_note: bool = False) -> Measures:
    """Measure the released columns against the source (bins applied; drawn numbers against numbers).

    Parameters
    ----------
    candidate, progress
        What is measured, and what it is reported to.
    for_note
        Whether only what recipients read is wanted, and no report.
    """
    sides = compared(candidate)
    before, after = sides.before, sides.after
    columns = all_column_utility(before, after, progress.part(0.0, 0.3))
    pairs = pair_utility(before, after, progress.part(0.3, 0.6))
    if for_note:
        return Measures(columns, pairs)
    ties = associations(before, after, progress.part(0.6, 0.7))
    treated = {name for step in candidate.steps for name in protected_by(candidate, step.index)}
    generalised = generalised_columns(candidate, sides, most_bars=MOST_BARS, progress=progress.part(0.7, 0.75))
    recoded = {each.name: each.marginal for each in generalised}
    charts = [
        recoded.get(other.name) or _marginal(one, other, progress)
        for one, other in zip(before, after, strict=True)
        if other.name in treated and other.kind != "text"
    ]
    chain = after_steps(candidate, progress.part(0.75, 0.9))
    cost = coarseness(candidate, progress.part(0.9, 1.0))
    return Measures(columns, pairs, tuple(charts[:MOST_CHARTS]), chain, cost, ties, generalised)


def _marginal(before: Column, after: Column, progress: Progress) -> Marginal:
    cells = shared_cells(before, after, most_values=MOST_BARS, on_public_grid=True, progress=progress)
    first, second = cells.shares()
    shown = [
        place for place, label in enumerate(cells.labels) if label != MISSING_LABEL or first[place] or second[place]
    ]
    return Marginal(
        after.name,
        tuple(cells.labels[place] for place in shown),
        tuple(float(first[place]) for place in shown),
        tuple(float(second[place]) for place in shown),
        (len(before), len(after)),
    )


def public_columns(candidate: Candidate) -> list[PublicColumn]:
    """Describe each released column for a recipient, in the language of the note."""
    prepared = candidate.prepared
    treated = treatments(candidate)
    with speaking(prepared.recipe.release.note_language):
        return _described(candidate, treated, treatments_said(candidate))


def _described(candidate: Candidate, treated: Mapping[str, str], said: Mapping[str, str]) -> list[PublicColumn]:
    prepared, notes = candidate.prepared, column_notes(candidate)
    found = []
    for column in candidate.released.columns:
        section = prepared.complete.columns.get(column.name)
        bounds = section.bounds if section is not None else None
        found.append(
            public_column(
                column,
                treatment=treated[column.name],
                note=notes[column.name],
                bounds=None if bounds is None else (float(bounds[0]), float(bounds[1])),
                k_min=prepared.type.k_min,
                made=way_of(prepared, column.name),
                treatment_said=said[column.name],
            )
        )
    return found


def public_note(
    candidate: Candidate, measures: Measures, *, data_name: str, data_sha256: str, guarded_cells: int
) -> PublicNote:
    """Gather what a recipient may read about a candidate, in the language of the note."""
    with speaking(candidate.prepared.recipe.release.note_language):
        return _public_note(candidate, measures, data_name, data_sha256, guarded_cells)


def _public_note(
    candidate: Candidate, measures: Measures, data_name: str, data_sha256: str, guarded_cells: int
) -> PublicNote:
    prepared = candidate.prepared
    release, rules = prepared.recipe.release, count_broken_rules(candidate)
    steps = [
        PublicStep(
            title=str(step.method.title),
            treatment=treatment_code(step.method),
            treatment_said=str(step.method.treatment),
            columns=protected_by(candidate, step.index),
            parameters=[PublicParameter(name=name, value=value) for name, value in public_settings(step)],
        )
        for step in candidate.steps
    ]
    facts = {
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
        "shuffled": candidate.is_shuffled,
        "guarded": release.formula_guard and find_writer(release.format).takes_guard,
        "guarded_cells": guarded_cells,
        "broken_rules": broken_rules_stated(candidate),
        "obeys_rules": rules is not None and not rules.broken,
    }
    if prepared.reduced is not None:
        assert prepared.complete.input.reduce is not None
        facts["rows_of_people"] = rows_stated(prepared.reduced, prepared.type.k_min)
        facts["first_row"] = prepared.complete.input.reduce.by == "first"
    facts["lost"] = losses_stated(candidate)
    facts["has_kit"] = asks_for_kit(candidate)
    facts["people"] = people_stated(candidate.released.people, prepared.type.k_min)
    return build_public_note(
        candidate.released,
        facts=facts,
        columns=public_columns(candidate),
        steps=steps,
        utility=measures.columns,
        pairs=measures.pairs,
        k_min=prepared.type.k_min,
    )
