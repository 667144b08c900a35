"""Phrases: the only way a measured figure enters a public text, and what the dictionary calls things."""

from __future__ import annotations

from ppdm_desktop.engine.recipe.models import PSEUDONYM

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
    PSEUDONYM: "code in place of an identifier",
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
GENERALISED = "each value stands for a range, a set or a group that holds the true one"
LESS = "values as in the source; what stood out was removed"
GENERALISED_AND_LESS = (
    "each value stands for a range, a set or a group that holds the true one; what stood out was removed"
)
SAMPLED = "sampling"
"""How the treatment of a method begins that releases copies of chosen records."""
COPIED = "rows are copies of chosen records; values may have become ranges or have changed places between people"
CODES = "codes in place of identifiers: the same code is the same person; this is personal data"
COLUMN_NOTES = (
    AS_IN_SOURCE,
    RANGES,
    DRAWN,
    SOME_CHANGED,
    NOISY,
    MADE_UP,
    COPIED,
    GENERALISED,
    LESS,
    GENERALISED_AND_LESS,
    CODES,
)
FROM_ROWS = {
    "first": "taken from each person's first row",
    "last": "taken from each person's last row",
    "min": "the smallest of each person's rows",
    "max": "the largest of each person's rows",
    "mean": "the mean of each person's rows",
    "sum": "the sum of each person's rows",
    "most-frequent": "the commonest of each person's rows",
    "rows": "how many rows each person had",
}
"""How a column's value was made where the rows of each person became one; ``rows`` is the count of them."""
_AS_MADE = "not changed otherwise"
RARE_VALUES = "(further values, each held by fewer than {k} records)"


def note_from_rows(way: str, note: str) -> str:
    """Return what a column's values are where they were first made of the rows of each person."""
    return f"{FROM_ROWS[way]}; {_AS_MADE if note == AS_IN_SOURCE else note}"


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
