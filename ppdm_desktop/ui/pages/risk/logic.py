"""Figures of the page Risk, derived from the risk assessment; no widgets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Bools, Ints, Rows
from ppdm_desktop.engine.identifiability.beyond_the_file import compute_log_probability, rank_in_tenths
from ppdm_desktop.engine.identifiability.contributions import (
    Contributions,
    Pairs,
    count_unique_by_pairs,
    find_equivalent_records,
    find_unique_rows,
    measure_contributions,
)
from ppdm_desktop.engine.identifiability.risk import table_risk
from ppdm_desktop.engine.identifiability.unique_sets import UniqueSets, smallest_unique_sets
from ppdm_desktop.engine.identifiability.what_if import Change, WhatIf, changed_table, try_single_changes
from ppdm_desktop.engine.recipe.models import Recipe
from ppdm_desktop.engine.release.candidate.pipeline import prepare_reading, with_answers
from ppdm_desktop.engine.release.measures.assess import assess, assess_risk
from ppdm_desktop.engine.release.measures.outside import assess_outside
from ppdm_desktop.engine.report.model import OutsideEntry
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.reading import Reading
from ppdm_desktop.ui.state.session import Assessment

# Every release type's smallest class (3, 5, 11, 20) is an edge, so that the limit falls between two bands.
BAND_STARTS = (1, 2, 3, 5, 11, 20, 50)
BEYOND = "beyond"
"""Key of the filter that orders the unique people by how much they stand out beyond the file."""


def assess_original_risk(path: Path, reading: Reading, recipe: Recipe, basis: bytes) -> Assessment:
    """Return the risk assessment of the original; steps of the recipe are not applied.

    Parameters
    ----------
    path, reading
        The file, and its table as read.
    recipe
        The decisions.
    basis
        The decisions as bytes, stored in the result to notice later changes.

    Raises
    ------
    PpdmError
        If the decisions cannot be carried out.
    """
    progress.report(0.02, "doing.risk")
    prepared = progress.part(0.02, 0.35).run(prepare_reading, path, reading, recipe.model_copy(update={"steps": ()}))
    progress.report(0.35, "doing.risk")
    risk = table_risk(prepared.table, prepared.recipe.risk.missing)
    progress.report(0.55, "doing.risk")
    document = progress.make_silent_progress().run(assess, prepared, risk)
    progress.report(1.0, "doing.risk")
    return Assessment(basis, prepared, risk, document)


def assess_with_changes(assessment: Assessment, changes: Sequence[Change]) -> Assessment:
    """Return the risk assessment as it would be if columns were left out or generalised; the recipe stays unchanged.

    It is computed anew for the changed table, without the figures for an intruder who knows all released columns.

    Raises
    ------
    RecipeError
        If no column is left that an intruder could know.
    ValueError
        If two changes are of the same column.
    """
    progress.report(0.05, "doing.risk")
    prepared = replace(assessment.prepared, table=changed_table(assessment.prepared.table, changes))
    progress.report(0.3, "doing.risk")
    risk = table_risk(prepared.table, prepared.recipe.risk.missing)
    progress.report(1.0, "doing.risk")
    return Assessment(assessment.basis, prepared, risk, assess_risk(risk))


def assess_population_risk(assessment: Assessment, recipe: Recipe) -> OutsideEntry | None:
    """Return what being unique in the original means among all people, by the recipe's answer on the population.

    None if the recipe has no answer.

    Raises
    ------
    PpdmError
        If the answer does not fit the file.
    """
    return assess_outside(with_answers(assessment.prepared, recipe))


def rank_beyond_file(assessment: Assessment, unique_sets: UniqueSets) -> Ints:
    """Return for each row by how much its unique person stands out beyond the file, in tenths, shape (rows,).

    Tenth 1 has the unique people who stand out most, tenth 10 those who stand out least; 0 marks people who are not
    unique. Each unique row is ranked for itself.
    """
    risk = assessment.risk
    unique = np.flatnonzero(risk.matches == 1)
    tenth = np.zeros(risk.rows, dtype=np.int64)
    if len(unique):
        usual = compute_log_probability([column.category_codes for column in list_quasi_columns(assessment)], risk.rows)
        tenth[unique] = rank_in_tenths(usual, risk.people.of_rows(unique_sets.scores), unique)
    return tenth


def list_quasi_columns(assessment: Assessment) -> tuple[Column, ...]:
    """Return the quasi-identifiers, which an intruder is assumed to know, in the order of the table."""
    return assessment.prepared.table.with_role("quasi-identifier")


@dataclass(frozen=True, eq=False)
class Heatmap:
    """The figures of the heatmap, and the indices of all records in its order (see ``build_heatmap``)."""

    assessment: Assessment
    contributions: Contributions
    order: Rows


def build_heatmap(assessment: Assessment) -> Heatmap:
    """Return for each record how many people match it when each quasi-identifier in turn is ignored, as a ``Heatmap``.

    The record's own person is counted. The result also has the indices of all records, sorted by the largest of a
    record's numbers: first those that match most people when one column is ignored, equal ones by index.
    """
    table = assessment.prepared.table
    contributions = progress.part(0, 0.9).run(
        measure_contributions, list_quasi_columns(assessment), assessment.risk.people, assessment.risk.missing_rule
    )
    order = contributions.ranked(np.arange(table.rows, dtype=np.int64))
    progress.report(1.0, "doing.risk")
    return Heatmap(assessment, contributions, order)


def count_unique_by_pair(assessment: Assessment) -> Pairs:
    """Return how many people are unique by each pair of quasi-identifiers and, on the diagonal, by each single one."""
    risk = assessment.risk
    return count_unique_by_pairs(list_quasi_columns(assessment), risk.people, risk.missing_rule)


def find_unique_sets(assessment: Assessment) -> UniqueSets:
    """Return the smallest sets of quasi-identifiers that single people out, smallest first.

    The result is not complete (``complete``) if larger sets were not searched.
    """
    risk = assessment.risk
    return smallest_unique_sets(list_quasi_columns(assessment), risk.people, risk.missing_rule)


def compute_change_effects(assessment: Assessment) -> WhatIf:
    """Return the effect on the risk of each single change of a quasi-identifier: left out or generalised."""
    risk, secrets = assessment.risk, assessment.prepared.table.with_role("confidential")
    return try_single_changes(list_quasi_columns(assessment), secrets, risk.people, risk.missing_rule)


def find_rows_unique_by(assessment: Assessment, names: Sequence[str]) -> Rows:
    """Return the indices of rows whose combination of values in these quasi-identifiers belongs to a single person.

    The indices rise; all rows of a person can be among them. Names that are no quasi-identifiers are ignored. The
    recipe's rule says whether missing values match every value or only each other.
    """
    columns = [column for column in list_quasi_columns(assessment) if column.name in names]
    risk = assessment.risk
    return find_unique_rows(columns, risk.people, risk.missing_rule)


def count_people_of_rows(assessment: Assessment, rows: Rows) -> int:
    """Return the number of different people to whom these rows (indices) belong."""
    return len(np.unique(assessment.risk.people.of_row[rows]))


@dataclass(frozen=True)
class ClassBand:
    """Groups of ``low`` to ``high`` people (None: no upper end), with the numbers of groups and people."""

    low: int
    high: int | None
    classes: int
    people: int

    @property
    def key(self) -> str:
        """The key of the band as a filter of the heatmap, such as "size-5" for the band from 5 people."""
        return f"size-{self.low}"


def class_bands(assessment: Assessment) -> list[ClassBand]:
    """Return how many groups and how many people there are in each band of group sizes, smallest sizes first.

    Bands start at 1, 2, 3, 5, 11, 20 and 50 people; those above the largest group are left out, empty ones between are
    not. Groups are the engine's; people are counted by how many people they match. These sizes differ if missing values
    match every value, or if people have several rows (then the smallest group of a person counts), so that a band can
    have groups but no people.
    """
    sizes, matches = assessment.risk.judged.sizes, assessment.risk.judged.matches
    bands = []
    largest = int(matches.max(initial=0))
    for low, following in zip(BAND_STARTS, (*BAND_STARTS[1:], None), strict=True):
        if low > max(largest, 1):
            break
        high = following - 1 if following is not None else None
        classes, people = sizes >= low, matches >= low
        if high is not None:
            classes, people = classes & (sizes <= high), people & (matches <= high)
        bands.append(ClassBand(low, high, int(classes.sum()), int(people.sum())))
    return bands


def flag_filter_records(assessment: Assessment, key: str) -> Bools:
    """Return a mask of the records that a filter of the heatmap shows, shape (rows,).

    The keys are ``alone`` (unique), ``beyond`` (unique as well), ``below`` (groups below the limit), ``collective``
    (groups with a single confidential value; no record without a confidential column), ``all`` and ``size-<low>``. Any
    other key is taken for ``all``, but a size that ``class_bands`` does not return raises StopIteration.
    """
    matches = assessment.risk.matches
    if key in ("alone", BEYOND):
        return np.asarray(matches == 1)
    if key == "below":
        return np.asarray(matches < assessment.prepared.type.k_min)
    if key == "collective":
        return assessment.risk.collective
    if key.startswith("size-"):
        band = next(class_band for class_band in class_bands(assessment) if class_band.key == key)
        return np.asarray((matches >= band.low) & (matches <= (band.high or np.iinfo(np.int64).max)))
    return np.ones(len(matches), dtype=np.bool_)


def first_filter(assessment: Assessment) -> str:
    """Return the first filter that shows anybody: ``alone`` (unique), ``below`` (small groups) or else ``all``.

    "Small" means smaller than the limit of the release type.
    """
    return next((key for key in ("alone", "below") if flag_filter_records(assessment, key).any()), "all")


def find_matches_without(assessment: Assessment, record: int, name: str) -> Rows:
    """Return the indices of the records that match a record when its value in one column is ignored.

    The record itself is among them. ``record`` is its index, ``name`` the name of the column.
    """
    return find_equivalent_records(list_quasi_columns(assessment), record, name, assessment.risk.missing_rule)


def reorder_table_columns(table: Table, first: Sequence[str]) -> Table:
    """Return the table with the columns ``first`` first, then quasi-identifiers, confidential columns, and all others.

    Within each of these four kinds columns keep the table's order, whatever the order of ``first``. The levels and the
    people that the table has beside its columns are dropped.
    """
    order = {"quasi-identifier": 1, "confidential": 2}

    def sort_key(column: Column) -> int:
        """Return a column's sort key: 0 if it is in ``first``, then rising by its role."""
        return 0 if column.name in first else order.get(column.role or "", 3)

    return Table(tuple(sorted(table.columns, key=sort_key)), table.row_numbers)


def choose_column_to_omit(contributions: Contributions) -> tuple[str, int] | None:
    """Return (column, number of people still unique) for the column whose removal leaves fewest unique people.

    None without columns.
    """
    left = contributions.count_unique_without()
    return min(left.items(), key=lambda item: item[1]) if left else None
