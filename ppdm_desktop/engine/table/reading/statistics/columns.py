"""Turning one column of a statistics program, with its labels and missing values, into codes and texts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count

import numpy as np

from ppdm_desktop.engine.arrays import Codes, Ints
from ppdm_desktop.engine.table.codebook import CodeLabel
from ppdm_desktop.engine.table.reading.raw import DeclaredMissing

Value = float | str
"""What a cell holds: a number, a text, or the letter of a missing value of Stata and SAS."""


@dataclass(frozen=True, eq=False)
class Made:
    """A column as codes and texts, with notes on its labels and missing values.

    Attributes
    ----------
    codes, texts, typed
        Code of each row, shape (rows,); the distinct texts; and the codes of texts that are stored numbers or dates.
    marks
        The texts that the file calls missing.
    labels
        What became of the value labels: ``used`` in place of the codes, ``kept`` apart since some value has none,
        ``alike`` where two values have the same, or empty without labels.
    codebook
        The codes that occur and have a label, in their order.
    """

    codes: Codes
    texts: tuple[str, ...]
    typed: Codes
    marks: tuple[DeclaredMissing, ...] = ()
    labels: str = ""
    codebook: tuple[CodeLabel, ...] = ()


@dataclass(frozen=True)
class Meaning:
    """What a file says about the values of a column: labels and missing values.

    Attributes
    ----------
    labels
        The label of each value that has one.
    ranges
        Lowest and highest value, both included, of each range that the owner declared missing.
    letters
        The letters that stand for a missing value, such as a for ``.a``.
    """

    labels: Mapping[Value, str] = field(default_factory=dict)
    ranges: Sequence[tuple[Value, Value]] = ()
    letters: frozenset[str] = frozenset()

    def is_missing(self, value: Value) -> bool:
        """Return whether a value means "missing": it is one of ``letters``, or lies in one of ``ranges``.

        ``letters`` are special missing values, such as "a" to "z" in Stata. Texts are compared with ranges of texts
        only, numbers with those of numbers; the ends of a range belong to it.
        """
        if value in self.letters:
            return True
        return any(
            isinstance(value, str) == isinstance(low, str) and low <= value <= high  # type: ignore[operator]
            for low, high in self.ranges
        )


def code_distinct_values(values: Sequence[Value | None]) -> tuple[Codes, list[Value | None]]:
    """Return a code for each value, int32, shape (values,), and the distinct values in order of appearance.

    NaN counts as None: 5, NaN, 5, None give [0, 1, 0, 1] and [5, None].
    """
    index: defaultdict[Value | None, int] = defaultdict(count().__next__)
    codes = np.fromiter(
        (index[None if value != value else value] for value in values), dtype=np.int32, count=len(values)
    )
    return codes, list(index)


def make_column_of_values(
    codes: Codes,
    values: Sequence[Value | None],
    meaning: Meaning,
    write: Callable[[Sequence[float]], list[str]],
) -> Made:
    """Return a column from its distinct values, written as labels or as numbers.

    Labels replace codes only if every value that occurs and is not missing has a label, and no two values would get the
    same text, so that nothing is lost. Other texts stay as they are, None is "", and the letter of a missing value has
    a dot (``.a``). With the texts come the codes of stored numbers (none if labels are used), what texts mean
    "missing", what became of the labels, and the labels of all codes that occur.

    Parameters
    ----------
    codes, values
        From ``code_distinct_values``.
    meaning
        Labels and missing values.
    write
        Returns the texts of distinct numbers; it gets all at once, since how one is written depends on the others.
    """
    typed = [code for code, value in enumerate(values) if isinstance(value, float | int)]
    numbers = [value for value in values if isinstance(value, float | int)]
    written = dict(zip(numbers, write(numbers), strict=True))
    filled, missing = _split_off_missing(meaning, values)
    labelled = [value for value in filled if _find_label(meaning, value)]

    def coded(value: Value) -> str:
        """Return the text of a value without its label: a text, a number, or a missing letter with its dot (``.a``)."""
        if isinstance(value, str):
            return f".{value}" if value in meaning.letters else value
        return written[value]

    text_of = {value: _find_label(meaning, value) or coded(value) for value in (*filled, *missing)}
    labels = _choose_use_of_labels(len(labelled), len(filled), are_distinct=len(set(text_of.values())) == len(text_of))
    use = labels == "used"
    texts = ["" if value is None or value == "" else text_of[value] if use else coded(value) for value in values]
    marks = _list_missing_marks(meaning, values, texts, np.bincount(codes, minlength=len(values)))
    in_order = sorted(text_of, key=lambda value: (isinstance(value, str), value))
    codebook = tuple(CodeLabel(coded(value), label) for value in in_order if (label := _find_label(meaning, value)))
    return Made(codes, tuple(texts), np.array([] if use else typed, dtype=np.int32), marks, labels, codebook)


def _split_off_missing(meaning: Meaning, values: Sequence[Value | None]) -> tuple[list[Value], set[Value]]:
    """Return the values that are present, and the set of those that the file calls missing.

    None and the empty text are in neither.
    """
    present = [value for value in values if value is not None]
    missing = {value for value in present if meaning.is_missing(value)}
    return [value for value in present if value not in missing and value != ""], missing


def _choose_use_of_labels(labelled: int, filled: int, *, are_distinct: bool) -> str:
    """Return what becomes of a column's value labels.

    - "": no present value has one.
    - ``kept``: some present value has no label, so codes stay in the cells and labels are kept apart.
    - ``used``: labels replace the codes.
    - ``alike``: they would, but two values would get the same text, so codes stay.

    ``labelled`` and ``filled`` count the distinct present values with a label, and all of them.
    """
    if not labelled:
        return ""
    if labelled < filled:
        return "kept"
    return "used" if are_distinct else "alike"


def _list_missing_marks(
    meaning: Meaning, values: Sequence[Value | None], texts: Sequence[str], cells: Ints
) -> tuple[DeclaredMissing, ...]:
    """Return the values that mean "missing", with text, label and number of cells, in the order of ``values``.

    ``texts`` and ``cells`` are the text and the number of cells of each value.
    """
    return tuple(
        DeclaredMissing(text, _find_label(meaning, value), int(count))
        for value, text, count in zip(values, texts, cells, strict=True)
        if value is not None and meaning.is_missing(value)
    )


def _find_label(meaning: Meaning, value: Value) -> str:
    """Return the label of a value without outer blanks; "" where it has none."""
    return meaning.labels.get(value, "").strip()
