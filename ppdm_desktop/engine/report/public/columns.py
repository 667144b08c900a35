"""The data dictionary: released columns as recipients read about them.

Phrases by which measured figures enter a public text, and the terms of the data dictionary.

The base of what a recipient may read.

Which columns are only generalised and not otherwise changed.

A range is another word than the values it holds: counted word by word everything has moved, though nobody's value
became another one. Pages say so of such columns instead of the figure.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from pydantic import BaseModel, ConfigDict

from ppdm_desktop.engine.recipe.models import PSEUDONYM
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.writing.guard import guard
from ppdm_desktop.engine.wording.catalogue import Sentence, lazy, numbers_of
from ppdm_desktop.engine.wording.catalogue import language as spoken
from ppdm_desktop.engine.wording.values import Ratio


class Public(BaseModel):
    """A part of a public text: frozen, no key beyond those declared."""

    model_config = ConfigDict(extra="forbid", frozen=True)


BANDS = (1, 2, 5, 10, 25)
MOST_CATEGORIES = 50
SEPARATOR = " | "
EMPTY_CELL = lazy("(empty cell)")
NO_MEAN = lazy("does not apply")
GENERALISED = lazy("values are broader")
NONE_MISSING = lazy("(no value is missing)")
DICTIONARY = {
    "name": "name",
    "header": "original_header",
    "kind": "kind",
    "unit": "unit",
    "role": "role_class",
    "treatment": "treatment",
    "missing": "missing_code",
    "values": "bounds_or_categories",
    "note": "note",
    "rules": "what_always_holds",
    "settings": "settings",
    "codes": "codes_and_labels",
    "signs": "signs_in_values",
}
"""Headings of data-dictionary.csv, the same in every language, by the field of `PublicColumn` that they show."""
USED_WHERE_NEEDED = frozenset({"codes", "signs"})
"""Fields that the data dictionary has only if a column has something there."""
ROLE_CLASSES = {
    "quasi-identifier": lazy("Known to others"),
    "confidential": lazy("Confidential"),
    "other": lazy("released; neither confidential nor known to others"),
    PSEUDONYM: lazy("Code in place of an identifier"),
}
KINDS = {
    "numeric": lazy("number"),
    "ordinal": lazy("ranked category"),
    "nominal": lazy("category"),
    "date": lazy("date"),
    "text": lazy("text"),
}
SIGNS = (
    (re.compile(r"[<≤] .+"), "≤ A", lazy("A or less, for dates A or earlier; < A does not include A.")),
    (re.compile(r"≥ .+"), "≥ A", lazy("A or more, for dates A or later.")),
    *(
        (re.compile(rf"\[.+{separator} .+\{end}"), f"[A{separator} B{end}", meaning)
        for separator in ",;"
        for end, meaning in (("]", lazy("From A to B.")), (")", lazy("From A to B; B is not included.")))
    ),
    (re.compile(r"\{.+\}"), "{A, B}", lazy("One of these values.")),
    (re.compile(r"\*"), "*", lazy("Any value.")),
    (re.compile(r"[^(*]+\*+"), "A*", lazy("A value that begins with A; each * stands for one character.")),
    (re.compile(r".*\(\*\).*"), "(*)", lazy("One of the rarer values, which are not named.")),
    (re.compile(r".+ \(\?\)"), "A (?)", lazy("A, or no value.")),
    (re.compile(r".*[0-9]{4}-Q[0-9].*"), "2020-Q1", lazy("First quarter of 2020.")),
)
"""Signs that stand for several values: the form of such a text, how it is shown, and what it means."""
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
WAYS: Mapping[str, Sentence] = {
    "first": lazy("value in the first row"),
    "last": lazy("value in the last row"),
    "min": lazy("smallest value"),
    "max": lazy("largest value"),
    "mean": lazy("mean"),
    "sum": lazy("sum"),
    "most-frequent": lazy("most common value"),
}
"""How one value was made of a person's rows, by the recipe's word for it."""
FROM_ROWS = {
    **{id: lazy("From each person’s rows: {way}.", way=way) for id, way in WAYS.items()},
    "rows": lazy("This is the number of rows that each person had."),
}
"""How a column's value was made where the rows of each person became one; ``rows`` is the count of them."""
_NOT_CHANGED = lazy("It was not changed otherwise.")


def note_from_rows(way: str, note: str) -> str:
    """Return the description of a column's values, preceded by how they were made of each person's rows.

    ``way`` is a key of ``FROM_ROWS``. "As in the source" becomes "not changed otherwise".
    """
    return f"{FROM_ROWS[way]} {_NOT_CHANGED if note == str(AS_IN_SOURCE) else note}"


def phrase_fewer_than(k_min: int) -> str:
    """Return the phrase for a count below ``k_min``, "fewer than 5"; at least "fewer than 2"."""
    return mask_small_count(1, max(k_min, 2))


def mask_small_count(count: int, k_min: int) -> str:
    """Return a count as text, "fewer than 5" for one from 1 to below ``k_min``; 0 is stated."""
    return numbers_of(spoken()).fewer(count, k_min)


def to_change_band(change: float | None) -> str:
    """Return a relative change as a band in words: "unchanged", at most 1, 2, 5, 10 or 25 %, or more than 25 %.

    In English, 0.03 and -0.03 give "changed by at most 5%"; exactly 0.05 does so, too. None gives "not stated".
    """
    if change is None:
        return str(lazy("not stated"))
    if change == 0:
        return str(lazy("unchanged"))
    for edge in BANDS:
        if abs(change) <= edge / 100:
            return str(lazy("changed by at most {edge}", edge=Ratio(edge / 100)))
    return str(lazy("changed by more than {edge}", edge=Ratio(BANDS[-1] / 100)))


class PublicColumn(Public):
    """One row of the data dictionary, in the language of the note.

    Attributes
    ----------
    treatment
        What was done to it, in English; the data dictionary shows it in the language of the note.
    unit
        The sign that was taken off its numbers when the file was read, such as "EUR"; "" without one.
    rules
        What holds for its values in every row of the release.
    settings
        What the steps that treated it were set to, as far as recipients may know it.
    codes
        The codes of its values with their labels, where the source has such.
    signs
        The signs in its values that stand for several values, each with what it means.
    """

    name: str
    header: str
    kind: str
    unit: str
    role: str
    treatment: str
    missing: str
    values: str
    note: str
    rules: str = ""
    settings: str = ""
    codes: str = ""
    signs: str = ""


def signs_in(texts: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Return the signs that occur in these texts, each with what it means in the current language."""
    signs = list(texts)
    return tuple((sign, str(meaning)) for form, sign, meaning in SIGNS if any(map(form.fullmatch, signs)))


def new_texts(source: Table, released: Column) -> set[str]:
    """Return the categories of a released column that are not among those of the same column in the source.

    Examples are ranges such as "[20, 30)" and sets such as "{A, B}". Only categories that occur count. Empty for
    numbers, dates and texts, and for a column that the source does not have.
    """
    if released.kind not in ("ordinal", "nominal") or released.name not in source:
        return set()
    return set(released.categories) - set(source.column(released.name).categories)


def describe_signs(source: Table, released: Column) -> str:
    """Return the signs in a released column that stand for several values, each with what it means, as one text."""
    return SEPARATOR.join(f"{sign}: {meaning}" for sign, meaning in signs_in(new_texts(source, released)))


def category_counts(column: Column) -> list[tuple[str, int]]:
    """Return the categories of a released column that occur, each with its number of records, in category order.

    Missing cells are left out.
    """
    codes = column.category_codes
    counts = np.bincount(codes[codes >= 0], minlength=len(column.categories)).tolist()
    return list(zip(column.categories, counts, strict=True))


def describe_public_values(column: Column, bounds: tuple[float, float] | None, k_min: int) -> str:
    """Return the declared bounds of a number, or the categories of any other column, as text.

    Bounds are written "[0, 120]", categories are joined by " | ". A category held by fewer than ``k_min`` records is
    never named (a phrase stands for all of these); nor is any number seen in the data. The text is empty for numbers
    without bounds, texts, dates, pseudonyms, and columns with more than 50 categories that could be named.
    """
    if column.kind == "numeric":
        return f"[{bounds[0]:.15g}, {bounds[1]:.15g}]" if bounds is not None else ""
    if column.kind in ("text", "date") or column.role == PSEUDONYM:
        return ""
    counted = category_counts(column)
    common = [name for name, count in counted if count >= k_min]
    if len(common) > MOST_CATEGORIES:
        return ""
    rest = [str(lazy("(more values, each in fewer than {k} records)", k=k_min))] if len(common) < len(counted) else []
    return SEPARATOR.join([*common, *rest])


def describe_public_codes(column: Column, k_min: int) -> str:
    """Return the codes with the labels of their values, such as ``1 = yes``, joined by `` | ``.

    Codes of fewer than ``k_min`` records are left out.
    """
    return SEPARATOR.join(f"{code} = {label}" for code, label in column.list_codes_in_use(max(k_min, 1)))


def missing_code(column: Column, k_min: int) -> str:
    """Return how a missing value is written in the released column; several marks are joined by `` | ``.

    An empty or blank mark is written as "(empty cell)". A mark of fewer than ``k_min`` cells is not named: if there are
    only such marks, the text is "fewer than 5" (for ``k_min`` 5). Without a missing value it is "(no value is
    missing)". The phrases are in the current language.
    """
    marks: list[str] = []
    if not column.missing_texts.isdisjoint(column.texts):
        uses = zip(column.texts, column.text_counts.tolist(), strict=True)
        marks = sorted(text for text, count in uses if text in column.missing_texts and count >= k_min)
    named = [mark if mark.strip() else str(EMPTY_CELL) for mark in marks]
    if named:
        return SEPARATOR.join(dict.fromkeys(named))
    return phrase_fewer_than(k_min) if column.missing.any() else str(NONE_MISSING)


def is_synthetic(treatment: str) -> bool:
    """Return whether one of a column's treatments, separated by "; ", generates records."""
    return any(part.startswith(SYNTHETIC) for part in treatment.split("; "))


def is_sampled(treatment: str) -> bool:
    """Return whether one of a column's treatments, separated by "; ", releases copies of selected records."""
    return any(part.startswith(SAMPLED) for part in treatment.split("; "))


def column_note(column: Column, *, binned: bool, steps: Sequence[Sentence], removed: bool) -> str:
    """Return what the values of a released column are, in the current language.

    - Without steps: that they are as in the source or, if ``binned``, ranges or numbers drawn inside ranges.
    - With steps that only removed records or values: the same, and then what the steps say.
    - With other steps: what the steps say, preceded, if ``binned``, by a sentence that numbers were grouped first.

    Equal sentences are stated once.

    Parameters
    ----------
    binned
        Whether its numbers were grouped into ranges when the file was read.
    steps
        What each step that treated it says of its values, in their order.
    removed
        Whether these steps only removed records or values.
    """
    grouped = DRAWN if column.kind == "numeric" else RANGES
    whole = grouped if binned else AS_IN_SOURCE
    if not steps:
        return str(whole)
    before = [whole] if removed else [BINNED_FIRST] if binned else []
    return " ".join(dict.fromkeys(str(note) for note in (*before, *steps)))


def public_column(
    column: Column,
    *,
    treatment: str,
    note: str,
    bounds: tuple[float, float] | None,
    k_min: int,
    made: str | None = None,
    unit: str = "",
    rules: str = "",
    settings: str = "",
    signs: str = "",
) -> PublicColumn:
    """Return the dictionary entry of a released column, in the current language except for ``treatment``.

    Everything in it stands in the release or was declared. Names, kind, role, marks of missing values, values and codes
    are taken from the column, the rest from the arguments.

    Parameters
    ----------
    treatment, unit
        What was done to it, in English, and the sign that was taken off its numbers.
    note
        What its values are, from ``column_note``.
    bounds
        Lowest and highest possible value, where they were declared.
    k_min
        Smallest count that may be stated.
    rules, settings, signs
        What holds in every row, the settings of its steps, and what the signs in its values mean, as recipients may
        know them.
    made
        How its value was made of a person's rows, a key of ``FROM_ROWS``; None where each row is a person.
    """
    if made is not None:
        note = note_from_rows(made, note)
    return PublicColumn(
        name=column.name,
        header=column.label or column.header,
        kind=str(KINDS[column.kind]),
        unit=unit,
        role=str(ROLE_CLASSES[column.role or "other"]),
        treatment=treatment,
        missing=missing_code(column, k_min),
        values=describe_public_values(column, bounds, k_min),
        note=note,
        rules=rules,
        settings=settings,
        codes=describe_public_codes(column, k_min),
        signs=signs,
    )


def dictionary_headings(columns: Sequence[PublicColumn]) -> dict[str, str]:
    """Return the headings of the data dictionary by field; codes and signs only if there are any."""
    unused = {field for field in USED_WHERE_NEEDED if not any(getattr(column, field) for column in columns)}
    return {field: heading for field, heading in DICTIONARY.items() if field not in unused}


def dictionary_csv(columns: Sequence[PublicColumn], delimiter: str) -> bytes:
    """Return the bytes of data-dictionary.csv: UTF-8, CRLF, one line for each column below a line of headings.

    The texts are written as they are in ``columns``, but one that a spreadsheet might execute has an apostrophe in
    front. Headings are the same in every language; codes and signs are left out if no column has any.
    """
    headings = dictionary_headings(columns)
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=delimiter, lineterminator="\r\n")
    writer.writerow(headings.values())
    for column in columns:
        writer.writerow([guard(getattr(column, field)) for field in headings])
    return text.getvalue().encode("utf-8")


def read_dictionary(dictionary: bytes, delimiter: str) -> list[list[str]]:
    """Return the cells of a data dictionary by line, the headings first."""
    text = io.StringIO(dictionary.decode("utf-8-sig"), newline="")
    return list(csv.reader(text, delimiter=delimiter))


_GENERALISED, _REMOVED, _AVERAGED = "generalisation", "suppression", "microaggregation"


def is_generalised_column(treatment: str) -> bool:
    """Return whether all that was done to a column is to show broader values.

    True for "generalisation (rounding)" and for "generalisation (rounding); suppression (of cells)": emptied cells and
    removed records do not count. False where nothing else was done ("none", "suppression (of cells)"), where values
    were averaged in groups (microaggregation), and where numbers were only grouped when read.

    Parameters
    ----------
    treatment
        All that was done to a column, in English as the report has it, separated by "; ".
    """
    kept = [part for part in treatment.split("; ") if not part.startswith(_REMOVED)]
    generalised = bool(kept) and all(part.startswith(_GENERALISED) and _AVERAGED not in part for part in kept)
    return generalised and kept != [GROUPED.english]
