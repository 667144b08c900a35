"""What a recipient may read: the release note and the data dictionary, from a list of what is allowed.

Everything here comes from the released table, from parameters a method declares public and
from banded usefulness. Counts below the release type's smallest class are "fewer than".
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence

import numpy as np
from pydantic import BaseModel, ConfigDict

from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.writing.guard import guard
from ppdm_desktop.engine.utility.distributions import ColumnUtility
from ppdm_desktop.engine.utility.pairs import PairUtility

BANDS = (1, 2, 5, 10, 25)
MOST_CATEGORIES = 50
SEPARATOR = " | "
EMPTY_CELL = "(empty cell)"
NONE_MISSING = "(no value is missing)"
DICTIONARY_HEADER = (
    "name",
    "original_header",
    "kind",
    "unit",
    "role_class",
    "treatment",
    "missing_code",
    "bounds_or_categories",
    "note",
)
ROLE_CLASSES = {
    "quasi-identifier": "describes a person (may be known to others)",
    "confidential": "confidential",
    "other": "other",
}
KINDS = {
    "numeric": "number",
    "ordinal": "ordered category",
    "nominal": "category",
    "date": "date",
    "text": "text",
}
NO_TREATMENT = "none"
GROUPED = "generalisation (grouped into ranges)"
NOISE = "randomisation (noise addition)"
AS_IN_SOURCE = "values as in the source"
RANGES = "each value is the range it lies in"
DRAWN = "each number was drawn at random inside a range; it says no more than the range"
SOME_CHANGED = "some values were changed; which ones is not told"
NOISY = "every value carries random noise; look at many values together, not at one"
SYNTHETIC = "synthetic data"
"""How the treatment of a method begins that makes records anew."""
MADE_UP = "every value is made up from a group of people, or was another of the group's; no row is a person"
COARSER = "each value stands for a range, a set or a group that holds the true one"
LESS = "values as in the source; what stood out was removed"
COARSER_AND_LESS = "each value stands for a range, a set or a group that holds the true one; what stood out was removed"
_GENERALISED, _REMOVED, _AVERAGED = "generalisation", "suppression (of records", "microaggregation"
SAMPLED = "sampling"
"""How the treatment of a method begins that releases copies of chosen records."""
COPIED = "rows are copies of chosen records; values may have become ranges or have changed places between people"
COLUMN_NOTES = (AS_IN_SOURCE, RANGES, DRAWN, SOME_CHANGED, NOISY, MADE_UP, COPIED, COARSER, LESS, COARSER_AND_LESS)


class _Public(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class PublicColumn(_Public):
    """One row of the data dictionary."""

    name: str
    header: str
    kind: str
    unit: str
    role_class: str
    treatment: str
    missing_code: str
    values: str
    note: str


class PublicParameter(_Public):
    """A parameter that a recipient may know."""

    name: str
    value: str


class PublicStep(_Public):
    """A method that was applied."""

    title: str
    treatment: str
    columns: list[str]
    parameters: list[PublicParameter]


class PublicUtility(_Public):
    """What a recipient may expect of one column, in bands."""

    name: str
    shares: str
    mean: str


class PublicNote(_Public):
    """All that the release note says."""

    day: str | None
    version: str
    type: str
    k_min: int
    data_file: str
    data_format: str
    data_sha256: str
    decimal: str
    rows: int
    columns_count: int
    guarded: bool
    guard: str
    shuffled: bool
    columns: list[PublicColumn]
    steps: list[PublicStep]
    utility: list[PublicUtility]
    relations: str

    @property
    def is_made_up(self) -> bool:
        """Whether the rows are made-up ones, so that none belongs to a person."""
        return any(is_synthetic(step.treatment) for step in self.steps)

    @property
    def is_copied(self) -> bool:
        """Whether some step released copies of chosen records."""
        return any(is_sampled(step.treatment) for step in self.steps)


# --- phrases: the only way a measured figure enters a public text ------------------------


def fewer_than(k_min: int) -> str:
    """Return the phrase that stands for a small count."""
    return f"fewer than {k_min}"


def shown_count(count: int, k_min: int) -> str:
    """Return a count, or the phrase where it is small; nought is "none"."""
    if count == 0:
        return "none"
    return str(count) if count >= k_min else fewer_than(k_min)


def band(change: float | None) -> str:
    """Return a relative change as a band: unchanged, within 1, 2, 5, 10, 25 %, or more."""
    if change is None:
        return "not stated"
    if change == 0:
        return "unchanged"
    for edge in BANDS:
        if abs(change) <= edge / 100:
            return f"within {edge} %"
    return f"changed by more than {BANDS[-1]} %"


# --- columns -------------------------------------------------------------------------------


def category_counts(column: Column) -> list[tuple[str, int]]:
    """Return the texts of a released column with how many records show each, missing left out."""
    codes = column.category_codes
    counts = np.bincount(codes[codes >= 0], minlength=len(column.categories)).tolist()
    return list(zip(column.categories, counts, strict=True))


def stated_values(column: Column, bounds: tuple[float, float] | None, k_min: int) -> str:
    """Return declared bounds of a number, or the categories of anything else.

    A category held by fewer than ``k_min`` records is never named; nor is any number seen in
    the data.
    """
    if column.kind == "numeric":
        return f"{bounds[0]:.15g} to {bounds[1]:.15g}" if bounds is not None else ""
    if column.kind in ("text", "date"):
        return ""
    counted = category_counts(column)
    common = [name for name, count in counted if count >= k_min]
    if len(common) > MOST_CATEGORIES:
        return ""
    rest = [RARE_VALUES.format(k=k_min)] if len(common) < len(counted) else []
    return SEPARATOR.join([*common, *rest])


RARE_VALUES = "(further values, each held by fewer than {k} records)"


def missing_code(column: Column, k_min: int) -> str:
    """Return how a missing value looks in the released column; a rare mark is not named."""
    uses = np.bincount(column.codes, minlength=len(column.texts)).tolist()
    marks = sorted(
        text for text, count in zip(column.texts, uses, strict=True) if text in column.missing_texts and count >= k_min
    )
    named = [mark if mark.strip() else EMPTY_CELL for mark in marks]
    if named:
        return SEPARATOR.join(dict.fromkeys(named))
    return fewer_than(k_min) if column.missing.any() else NONE_MISSING


def is_synthetic(treatment: str) -> bool:
    """Say whether one of a column's treatments makes records anew."""
    return any(part.startswith(SYNTHETIC) for part in treatment.split("; "))


def is_sampled(treatment: str) -> bool:
    """Say whether one of a column's treatments releases copies of chosen records."""
    return any(part.startswith(SAMPLED) for part in treatment.split("; "))


def _column_note(column: Column, treatment: str) -> str:
    """Say what the treatments of a column mean for its values."""
    grouped = DRAWN if column.kind == "numeric" else RANGES
    if treatment in (NO_TREATMENT, GROUPED):
        return AS_IN_SOURCE if treatment == NO_TREATMENT else grouped
    if is_synthetic(treatment):
        return MADE_UP
    if is_sampled(treatment):
        return COPIED
    parts = treatment.split("; ")
    if NOISE in parts:
        return NOISY
    left = [part for part in parts if not part.startswith(_REMOVED)]
    if not left:
        return LESS
    if all(part.startswith(_GENERALISED) and _AVERAGED not in part for part in left):
        return COARSER if left == parts else COARSER_AND_LESS
    return SOME_CHANGED


def public_column(
    column: Column,
    *,
    treatment: str,
    bounds: tuple[float, float] | None,
    k_min: int,
) -> PublicColumn:
    """Describe a released column from what is in the release and what was declared."""
    note = _column_note(column, treatment)
    return PublicColumn(
        name=column.name,
        header=column.header,
        kind=KINDS[column.kind],
        unit="",
        role_class=ROLE_CLASSES[column.role or "other"],
        treatment=treatment,
        missing_code=missing_code(column, k_min),
        values=stated_values(column, bounds, k_min),
        note=note,
    )


# --- usefulness ----------------------------------------------------------------------------


def public_utility(columns: Sequence[ColumnUtility]) -> list[PublicUtility]:
    """Return each column's usefulness in bands."""
    found = []
    for column in columns:
        before, after, sd = column.mean_before.value, column.mean_after.value, column.sd_before.value
        change = None
        if before is not None and after is not None:
            scale = abs(before) or sd or 1.0
            change = abs(after - before) / scale
        found.append(PublicUtility(name=column.name, shares=band(column.total_variation.value), mean=band(change)))
    return found


def public_relations(pairs: PairUtility) -> str:
    """Return the largest change of a correlation, in a band of hundredths of the scale 0 to 1."""
    return band(pairs.correlation_max_change.value)


def build_public_note(
    released: Table,
    *,
    facts: Mapping[str, object],
    columns: Sequence[PublicColumn],
    steps: Sequence[PublicStep],
    utility: Sequence[ColumnUtility],
    pairs: PairUtility,
    k_min: int,
) -> PublicNote:
    """Gather what the release note and the dictionary may say.

    Parameters
    ----------
    released
        The released table.
    facts
        ``day``, ``version``, ``type``, ``data_file``, ``data_format``, ``data_sha256``,
        ``decimal``, ``shuffled``, ``guarded`` and ``guarded_cells``.
    columns
        From ``public_column``.
    steps
        The methods with their public parameters.
    utility, pairs
        Measured figures; only their bands are kept.
    k_min
        Smallest count that may be told.
    """
    given = dict(facts)
    guarded = int(str(given.pop("guarded_cells")))
    return PublicNote.model_validate(
        {
            **given,
            "k_min": k_min,
            "rows": released.rows,
            "columns_count": len(released.columns),
            "guard": shown_count(guarded, k_min),
            "columns": list(columns),
            "steps": list(steps),
            "utility": public_utility(utility),
            "relations": public_relations(pairs),
        }
    )


def dictionary_csv(columns: Sequence[PublicColumn]) -> bytes:
    """Return the bytes of data-dictionary.csv: UTF-8, commas, CRLF, formula guard on."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(DICTIONARY_HEADER)
    for column in columns:
        cells = (
            column.name,
            column.header,
            column.kind,
            column.unit,
            column.role_class,
            column.treatment,
            column.missing_code,
            column.values,
            column.note,
        )
        writer.writerow([guard(cell) for cell in cells])
    return text.getvalue().encode("utf-8")
