"""Phrases by which measured figures enter a public text, and the terms of the data dictionary.

A sentence's English text is its code: the dictionary has it in every language, the note says it in its own.
"""

from __future__ import annotations

from ppdm_desktop.engine.recipe.models import PSEUDONYM
from ppdm_desktop.engine.wording.catalogue import language as spoken
from ppdm_desktop.engine.wording.catalogue import lazy, numbers_of
from ppdm_desktop.engine.wording.values import Ratio

BANDS = (1, 2, 5, 10, 25)
MOST_CATEGORIES = 50
SEPARATOR = " | "
EMPTY_CELL = lazy("(empty cell)")
NO_MEAN = lazy("does not apply")
NONE_MISSING = lazy("(no value is missing)")
DICTIONARY = {
    "name": "name",
    "original_header": "header",
    "kind": "kind",
    "unit": "unit",
    "role_class": "role_class",
    "treatment": "treatment",
    "missing_code": "missing_code",
    "bounds_or_categories": "values",
    "note": "note",
    "settings": "settings",
}
"""Columns of data-dictionary.csv by their heading, each with the field of `PublicColumn` that it shows."""
CODES = {"codes_and_labels": "codes"}
"""The last column of data-dictionary.csv, where the source has codes with labels."""
DICTIONARY_HEADER = tuple(DICTIONARY)
ROLE_CLASSES = {
    "quasi-identifier": "known to others",
    "confidential": "confidential",
    "other": "other",
    PSEUDONYM: "code in place of an identifier",
}
"""Codes of the dictionary, the same in every language."""
KINDS = {
    "numeric": lazy("number"),
    "ordinal": lazy("ranked category"),
    "nominal": lazy("category"),
    "date": lazy("date"),
    "text": lazy("text"),
}
NO_TREATMENT = lazy("none")
GROUPED = lazy("generalisation (grouped into ranges)")
LEFT_OUT = lazy("suppression (column left out)")
AS_IN_SOURCE = lazy("The values are as in the source.")
RANGES = lazy("Each value is the range that contains the true number.")
DRAWN = lazy("Each number was drawn at random inside a range. It says no more than the range.")
SWAPPED = "(permutation)"
"""How the treatment of a method ends that changes some people's values and not others'."""
SYNTHETIC = "synthetic data"
"""How the treatment of a method begins whose records are artificial."""
SAMPLED = "sampling"
"""How the treatment of a method begins that releases copies of selected records."""
BINNED_FIRST = lazy("Numbers were grouped into ranges first.")
FROM_ROWS = {
    "first": lazy("This is the value in each person’s first row."),
    "last": lazy("This is the value in each person’s last row."),
    "min": lazy("This is the smallest value in each person’s rows."),
    "max": lazy("This is the largest value in each person’s rows."),
    "mean": lazy("This is the mean of each person’s rows."),
    "sum": lazy("This is the sum of each person’s rows."),
    "most-frequent": lazy("This is the most common value in each person’s rows."),
    "rows": lazy("This is the number of rows that each person had."),
}
"""How a column's value was made where the rows of each person became one; ``rows`` is the count of them."""
_NOT_CHANGED = lazy("It was not changed otherwise.")


def note_from_rows(way: str, note: str) -> str:
    """Return the description of a column's values, preceded by how they were made of each person's rows."""
    return f"{FROM_ROWS[way]} {_NOT_CHANGED if note == str(AS_IN_SOURCE) else note}"


def rare_values(k_min: int) -> str:
    """Return the phrase for categories too rare to be named."""
    return str(lazy("(more values, each in fewer than {k} records)", k=k_min))


def fewer_than(k_min: int) -> str:
    """Return the phrase for a count below ``k_min``."""
    return shown_count(1, max(k_min, 2))


def shown_count(count: int, k_min: int) -> str:
    """Return a count as text, or the phrase where it is below ``k_min``."""
    return numbers_of(spoken()).fewer(count, k_min)


def band(change: float | None) -> str:
    """Return a relative change as a band: unchanged, within 1, 2, 5, 10 or 25 %, or more."""
    if change is None:
        return str(lazy("not stated"))
    if change == 0:
        return str(lazy("unchanged"))
    for edge in BANDS:
        if abs(change) <= edge / 100:
            return str(lazy("changed by at most {edge}", edge=Ratio(edge / 100)))
    return str(lazy("changed by more than {edge}", edge=Ratio(BANDS[-1] / 100)))
