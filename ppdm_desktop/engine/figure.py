"""A measured figure with what is needed to understand it: interval, number of observations, unit and method."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from inspect import get_annotations
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, BeforeValidator, PlainSerializer, PlainValidator

from ppdm_desktop.engine.wording.catalogue import untranslated
from ppdm_desktop.engine.wording.values import LazyText, as_data, from_data

Message = Annotated[LazyText, PlainValidator(from_data), PlainSerializer(as_data)]
"""A sentence with its values, which report.json keeps as data and each page says in its own language."""

Z_95 = 1.959963984540054
"""Half of a 95 % interval, in standard deviations of a normal law."""
SHARE, SHARE_OF_RECORDS, SHARE_RIGHT = "share", "share of records", "share told rightly"
"""Units of figures that may be so many of ``n`` records, as reports keep them: the last of what learners predict."""


@dataclass(frozen=True)
class Figure:
    """One measured quantity, or the reason why there is none.

    Attributes
    ----------
    value
        The quantity; None if it was not computed, with the reason in ``note``.
    low, high
        Ends of the 95 % interval; None when the value is exact.
    n
        Number of records, cells or draws that it is based on.
    unit
        Unit in words, for example ``records``, ``share`` or the unit of a column.
    method
        Method of measurement in words.
    note
        What a reader must know to understand the figure.
    """

    value: float | int | None
    low: float | None = None
    high: float | None = None
    n: int | None = None
    unit: str | None = None
    method: Message | None = None
    note: Message | None = None

    def __post_init__(self) -> None:
        """Raise ValueError for a missing value without a note, or for a value or interval end that is not finite.

        TypeError is raised for plain text as method or note. That ``low`` is below ``high`` is not checked.
        """
        if self.value is None and not self.note:
            raise ValueError("a figure without a value needs a note that says why")
        messages: tuple[object, ...] = (self.method, self.note)
        if any(isinstance(message, str) for message in messages):
            raise TypeError("what is said of a figure is a message, see `lazy` and `untranslated`")
        for number in (self.value, self.low, self.high):
            if number is not None and not math.isfinite(number):
                raise ValueError("a figure is a finite number; use None and a note instead")

    @classmethod
    def absent(cls, note: LazyText, *, unit: str | None = None, method: LazyText | None = None) -> Figure:
        """Return a figure without a value, with the reason as its note."""
        return cls(None, unit=unit, method=method, note=note)

    @property
    def reason(self) -> LazyText:
        """Why the figure has no value; only to be used if it has none."""
        assert self.note is not None
        return self.note

    def document(self) -> dict[str, Any]:
        """Return all fields of the figure as plain data for report.json; absent fields are None."""
        return {key: as_data(value) for key, value in vars(self).items()}


@dataclass(frozen=True)
class Measure:
    """How a figure is named and written, declared once at the dataclass field that contains the figure.

    Every table or list of such figures takes its headings and its cells from `measures_of`, so that both always agree.

    Attributes
    ----------
    heading
        Heading of the table column, or label of the line, with the figure.
    kind
        Format: ``number``, ``percent``, or ``people`` (a share of people, written as a count if there are fewer than
        100 of them).
    term
        The technical term, for experts.
    help
        Explanation of the figure for the user.
    width
        Width of the table column in the report; the first column has 22.
    brief
        Short heading for the terminal, which has space for few columns; a measure without one is not shown there.
    """

    heading: LazyText | str
    kind: Literal["number", "percent", "people"] = "number"
    term: LazyText | str = ""
    help: LazyText | str = ""
    width: int = 9
    brief: LazyText | None = None

    def __post_init__(self) -> None:
        """Raise ValueError for an empty heading, or a kind other than "number", "percent" and "people"."""
        if not getattr(self.heading, "english", self.heading) or self.kind not in ("number", "percent", "people"):
            raise ValueError(f"no heading or no such kind: {self.heading}, {self.kind}")


@cache
def measures_of(owner: type) -> Mapping[str, Measure]:
    """Return the measures that a class declares or inherits, by field name, in the order of the fields.

    Inherited fields come first; fields that hold no figure and have no measure are left out.

    Parameters
    ----------
    owner
        A dataclass or a part of the report; a field with a measure is ``Annotated[Figure, Measure(...)]``.

    Raises
    ------
    TypeError
        When a field with a figure has no measure, so that it would not be shown, or a field with a measure has a
        default in a dataclass, so that it might stay unfilled.
    """
    parents = [parent for parent in reversed(owner.__mro__) if parent not in BaseModel.__mro__]
    hints = {name: hint for parent in parents for name, hint in get_annotations(parent, eval_str=True).items()}
    measures = {name: data for name, hint in hints.items() for data in get_args(hint)[1:] if isinstance(data, Measure)}
    for name, hint in hints.items():
        if (name in vars(owner)) if name in measures else (Figure in (hint, *get_args(hint))):
            raise TypeError(f"{owner.__name__}.{name} is a figure without a measure, or may be left unfilled")
    return measures


def fill_missing_measures(owner: type) -> BeforeValidator:
    """Return a validator for stored figures that adds each measure of ``owner`` that they lack, as an absent figure.

    Stored figures are a dictionary by field name; anything else passes unchanged. They lack measures that the program
    did not have yet when it stored them, and the note of the absent figure says so.
    """
    absent = Figure.absent(untranslated("not measured by the version that made this release"))
    missing = dict.fromkeys(measures_of(owner), absent)
    return BeforeValidator(lambda stored: missing | stored if isinstance(stored, dict) else stored)


def brief_measures(owner: type) -> Mapping[str, Measure]:
    """Return the measures of a class that have a short heading, by field name; numbers come last.

    Shares and percentages come first; otherwise measures are in the order of the fields.
    """
    measures = {name: measure for name, measure in measures_of(owner).items() if measure.brief is not None}
    return dict(sorted(measures.items(), key=lambda item: item[1].kind == "number"))


def wilson(share: float, count: int) -> tuple[float, float]:
    """Return the ends of Wilson's 95 % interval (1927) for a share of ``count`` observations; 0 and 1 without any.

    For a share of 0 among 10 observations it is 0 to 0.28.
    """
    if not count:
        return 0.0, 1.0
    wide = 1 + Z_95**2 / count
    middle = (share + Z_95**2 / (2 * count)) / wide
    half = Z_95 / wide * math.sqrt(share * (1 - share) / count + Z_95**2 / (4 * count**2))
    return max(middle - half, 0.0), min(middle + half, 1.0)
