"""Whether a regression on the release comes to the same conclusions as on the original."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import Annotated, Literal

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Floats
from ppdm_desktop.engine.figure import Z_95, Figure, Measure, Message
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.day_numbers import day_floats
from ppdm_desktop.engine.table.ranges import range_ends
from ppdm_desktop.engine.utility.cells import merged_categories
from ppdm_desktop.engine.utility.regression import Fit, fit_linear, fit_logistic, independent_columns
from ppdm_desktop.engine.wording.catalogue import join_remarks, lazy
from ppdm_desktop.engine.wording.values import LazyText, Name, Names, Quoted, Terms

SEPARATED = 15.0
"""A logistic coefficient beyond it (of a number, per standard deviation) means that ones and zeros are separated."""
_ESTIMATE = "estimate"


@dataclass(frozen=True)
class Coefficient:
    """One coefficient of a regression, fitted on the original and on the release.

    Attributes
    ----------
    term
        Name of the column, with the category's name where it is an indicator of a category.
    original, released
        The coefficient with its 95 % interval.
    overlap
        Overlap of both confidence intervals, taken as wide as the original's: 1 where the coefficients are equal.
    is_kept
        Whether sign and significance at 5 % are the same; None where the coefficient could not be estimated.
    """

    term: Message
    original: Annotated[Figure, Measure(lazy("Original (95% interval)"))]
    released: Annotated[Figure, Measure(lazy("Released (95% interval)"))]
    overlap: Annotated[
        Figure,
        Measure(
            lazy("Overlap"),
            term=lazy("confidence interval overlap"),
            help=lazy("1: the same. Below 0: further apart than the original’s own interval is wide."),
        ),
    ]
    is_kept: bool | None


@dataclass(frozen=True)
class Conclusions:
    """One regression, fitted on the original and on the release, with the comparison of its conclusions.

    Attributes
    ----------
    y, x
        Name of the dependent column, and names of the explanatory columns.
    kind
        ``linear`` for numbers, ``logistic`` for two categories.
    coefficients
        The coefficients, without the constant.
    overlap
        Mean overlap of the coefficients.
    kept, of
        Number of conclusions that stay the same, and number of all conclusions.
    note
        Which terms were left out, and how ranges were read; None where there is nothing to say.
    """

    y: str
    x: list[str]
    kind: Literal["linear", "logistic"]
    coefficients: list[Coefficient]
    overlap: Annotated[Figure, Measure(lazy("Mean overlap"))]
    kept: int
    of: int
    note: Message | None = None


@dataclass(frozen=True, eq=False)
class _Terms:
    """The terms that one column adds to a regression: their names, and values before and after, shape (rows, terms)."""

    names: list[LazyText]
    before: Floats
    after: Floats
    note: LazyText | None = None


def compare_regressions(y: tuple[Column, Column], x: Sequence[tuple[Column, Column]]) -> Conclusions:
    """Return a regression of ``y`` on the columns ``x``, fitted on the original and on the release, side by side.

    It is linear where ``y`` is numeric, else logistic; of a date ``y`` no coefficient can be estimated. If ``y`` is no
    number, no date and does not have two categories, or if a version has too few complete rows or a single value of
    ``y``, there are no coefficients, the overlap is absent and the note says why. Terms that are linear combinations of
    others in either version are left out and named in the note, which also says how released ranges were read and which
    categories the release lacks.

    Parameters
    ----------
    y, x
        Dependent column and explanatory columns, each before and as released; rows need not correspond between the two.
    """
    answer, explaining = _build_response_terms(*y), [_build_column_terms(*pair) for pair in x]
    kind: Literal["linear", "logistic"] = "linear" if answer is not None and y[0].kind == "numeric" else "logistic"
    nothing = Conclusions(y[0].name, [pair[0].name for pair in x], kind, [], _make_absent_figure(), 0, 0)
    if answer is None:
        return replace(nothing, note=lazy("this column has neither numbers nor two values"))
    sides = [
        _build_design(answer.before, [terms.before for terms in explaining]),
        _build_design(answer.after, [terms.after for terms in explaining]),
    ]
    if any(len(side) <= design.shape[1] + 1 or len(np.unique(side)) < 2 for design, side in sides):
        return replace(nothing, note=lazy("too few complete rows, or one value only"))
    used = np.logical_and.reduce([independent_columns(design) for design, _ in sides])
    names = [name for terms in explaining for name in terms.names]
    coefficients = _fit_coefficients(list(compress(names, used[1:].tolist())), sides, used, kind)
    notes = _list_notes([answer, *explaining], tuple(compress(names, (~used[1:]).tolist())))
    return replace(_sum_up_regression(nothing, coefficients), note=join_remarks(*notes))


def _list_notes(columns: Sequence[_Terms], dropped: tuple[LazyText, ...]) -> list[LazyText]:
    """Return the remarks on the columns of a regression, in order, then one that names the terms left out, if any."""
    notes = [terms.note for terms in columns if terms.note is not None]
    if dropped:
        notes.append(lazy("left out, as it is missing or follows from the others: {terms}", terms=Terms(dropped)))
    return notes


def _sum_up_regression(regression: Conclusions, coefficients: list[Coefficient]) -> Conclusions:
    """Return a regression with its coefficients, their mean overlap, and how many of its conclusions stay.

    A conclusion stays if the coefficient keeps its sign and its significance. The result also has the number of
    conclusions. Coefficients that could not be estimated are listed but not counted; if there is no other, the overlap
    is absent.
    """
    overlaps = [float(entry.overlap.value) for entry in coefficients if entry.overlap.value is not None]
    judged = [entry.is_kept for entry in coefficients if entry.is_kept is not None]
    overlap = Figure(float(np.mean(overlaps)), n=len(overlaps)) if overlaps else _make_absent_figure()
    return replace(regression, coefficients=coefficients, overlap=overlap, kept=sum(judged), of=len(judged))


def _fit_coefficients(
    names: Sequence[LazyText], sides: Sequence[tuple[Floats, Floats]], used: Bools, kind: str
) -> list[Coefficient]:
    """Return the coefficients of the used terms before and after, each with its interval, but no constant.

    ``sides`` holds for each version the design matrix, shape (rows, terms), with the constant first, and the dependent
    values, shape (rows,). ``used`` flags the columns of the matrix to be fitted; ``names`` has the names of these
    without the constant, in the order of the result.
    """
    fit = fit_linear if kind == "linear" else fit_logistic
    fits = [fit(design[:, used], side) for design, side in sides]
    terms = sides[0][0][:, used]
    units = np.where(np.isin(terms, (0, 1)).all(axis=0), 1.0, terms.std(axis=0))
    units = units if kind == "logistic" else np.zeros(len(units))
    return [_build_coefficient(name, fits, index, float(units[index])) for index, name in enumerate(names, start=1)]


def _make_absent_figure() -> Figure:
    """Return an absent figure that says that nothing could be estimated."""
    return Figure.absent(lazy("nothing could be estimated"))


def interval_overlap(original: float, error: float, released: float) -> float:
    """Return the overlap of two coefficients' intervals, both as wide as the original's (Snoke et al. 2018).

    It is 1 for equal coefficients, 0 where they are one width of the interval (2 x 1.96 x ``error``) apart, and
    negative beyond.
    """
    return 1 - abs(released - original) / (2 * Z_95 * error)


def _build_coefficient(name: LazyText, fits: Sequence[Fit], index: int, unit: float) -> Coefficient:
    """Return one coefficient before and after with 95 % intervals, their overlap, and whether its conclusion stays.

    It stays if the sign is the same and it is significant in both or in neither. The figures are absent where it cannot
    be estimated: the standard error before is 0, a figure is not finite, or the size of either coefficient times
    ``unit`` exceeds ``SEPARATED``, because ones and zeros are then perfectly separated; whether the conclusion stays is
    then None. ``fits`` are the fit before and the fit after, and ``index`` is the coefficient's position in both.
    ``unit`` is the step of the term in a logistic regression: 1 for an indicator of 0 and 1, else the term's standard
    deviation before; it is 0 for linear regressions, which have no separation.
    """
    (original, error), (released, released_error) = (
        (float(fit.values[index]), float(fit.errors[index])) for fit in fits
    )
    cannot = any(abs(value) * unit > SEPARATED for value in (original, released))
    if cannot or not error > 0 or not all(map(math.isfinite, (original, error, released, released_error))):
        absent = Figure.absent(lazy("cannot be estimated"))
        return Coefficient(name, absent, absent, absent, None)
    ends = [
        Figure(value, value - Z_95 * width, value + Z_95 * width, unit=_ESTIMATE)
        for value, width in ((original, error), (released, released_error))
    ]
    same_sign = np.sign(original) == np.sign(released)
    same_significance = bool(fits[0].significant[index] == fits[1].significant[index])
    overlap = Figure(interval_overlap(original, error, released), unit="overlap")
    return Coefficient(name, ends[0], ends[1], overlap, bool(same_sign) and same_significance)


def _build_response_terms(before: Column, after: Column) -> _Terms | None:
    """Return the dependent column as numbers before and after; None where it has neither numbers nor two values.

    The values have shape (rows, 1). Numbers and dates (in days) are taken as they are, released ranges of numbers as
    their middles (open ones as their limits). Any other column, and one of which the release shows texts instead, needs
    two values in the original: it becomes 1 for the one that comes second in alphabetical order, 0 for the other; NaN
    where missing, or where the release shows a different text. So "no" and "yes" become 0 and 1.
    """
    if (numbers := _build_number_terms(before, after)) is not None:
        return numbers
    true, released, names = merged_categories(before, after)
    used = sorted(names[code] for code in np.unique(true[true >= 0]).tolist())
    if len(used) != 2:
        return None
    codes = (
        np.array([name == used[1] for name in names], dtype=np.float64),
        np.array([name in used for name in names]),
    )
    sides = [np.where((side >= 0) & codes[1][side], codes[0][side], np.nan)[:, None] for side in (true, released)]
    return _Terms([lazy("{column}", column=Name(before.name))], sides[0], sides[1])


def _build_column_terms(before: Column, after: Column) -> _Terms:
    """Return the terms of an explanatory column before and after: its numbers or days, or indicators of its categories.

    There is an indicator (0 or 1) for each category of the original, sorted by text, except the first. It is NaN in
    rows that are missing or show a text the original lacks. A column with a single category has no term. A note names
    categories that the release no longer shows, or says that released ranges are read as middles.
    """
    if (numbers := _build_number_terms(before, after)) is not None:
        return numbers
    true, released, names = merged_categories(before, after)
    used = list(np.unique(true[true >= 0]).tolist())
    released_codes = set(np.unique(released).tolist())
    ordered = sorted(used, key=lambda code: names[code])
    sides = []
    for side in (true, released):
        in_original = np.isin(side, used)
        sides.append(np.where(in_original[:, None], side[:, None] == np.array(ordered[1:], dtype=np.int64), np.nan))
    gone = [names[code] for code in ordered if code not in released_codes]
    note = lazy("no longer in {column}: {values}", column=Name(before.name), values=Names.of(gone)) if gone else None
    terms: list[LazyText] = [
        lazy("{column}: {value}", column=Name(before.name), value=Quoted(names[code])) for code in ordered[1:]
    ]
    return _Terms(terms, sides[0], sides[1], note)


def _build_number_terms(before: Column, after: Column) -> _Terms | None:
    """Return the values of a column of numbers or dates before and after; None for a column of categories.

    They have shape (rows, 1) each, dates in days, NaN where missing. A released range is read as its middle ("20-29" as
    24.5), an open one as its limit, and a note says so. None also where a released text has no digit, and for dates
    that are no dates in the release any more.
    """
    name: list[LazyText] = [lazy("{column}", column=Name(before.name))]
    if before.kind == after.kind == "date":
        return _Terms(name, day_floats(before)[:, None], day_floats(after)[:, None])
    if before.kind != "numeric":
        return None
    if after.kind == "numeric":
        return _Terms(name, before.numbers[:, None], after.numbers[:, None])
    middles = np.array([np.nan if text in after.missing_texts else _find_range_middle(text) for text in after.texts])
    used = after.used_texts() & np.array([text not in after.missing_texts for text in after.texts], dtype=np.bool_)
    if np.isnan(middles[used]).any():
        return None
    note = lazy("ranges of {column} are read as their middles, open ones as their limits", column=Name(before.name))
    return _Terms(name, before.numbers[:, None], middles[after.codes][:, None], note)


def _find_range_middle(text: str) -> float:
    """Return the middle of a range written as text, the limit of a range open at one end, NaN for text without digits.

    It is the middle of the first and the last number in the text: "20-29" gives 24.5, "65+" and "<65" give 65, and so
    does "room 65".
    """
    ends = range_ends(text)
    finite = [] if ends is None else [end for end in ends if math.isfinite(end)]
    return sum(finite) / len(finite) if finite else math.nan


def _build_design(answer: Floats, terms: Sequence[Floats]) -> tuple[Floats, Floats]:
    """Return the design matrix and the dependent values of a regression, for the rows without a missing value.

    The matrix begins with a column of ones. ``answer``, the dependent values, has shape (rows, 1) and comes back as
    (complete rows,); each of ``terms`` has shape (rows, terms of a column).
    """
    design, y = np.column_stack([np.ones(len(answer)), *terms]), answer[:, 0]
    complete = ~(np.isnan(design).any(axis=1) | np.isnan(y))
    return design[complete], y[complete]
