"""Conversion of another program's columns to the description of the source's columns, so that values can be compared.

Programs write the same value in many ways: another decimal mark, seventeen digits, an exponent, ``NA`` for a gap.
Equal values get the source's own text. Values that do not fit the source's kind (a range for a number, a broader
place) become names, ranges in their order.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.dates import DateFormat, guess_date_format
from ppdm_desktop.engine.table.kinds import present_texts
from ppdm_desktop.engine.table.numbers import NumberStyle, decimals_of, is_number, to_decimal
from ppdm_desktop.engine.table.ranges import range_ends
from ppdm_desktop.engine.table.writing import unguard

GAPS = frozenset({"NA", "<NA>", "N/A", "#N/A", "NaN", "nan", "NULL", "Null", "null", "None", "NaT"})
"""What other tools write for a missing value."""
_NUMBER = re.compile(r"[-+]?[0-9]*(?:[.,][0-9]*)?(?:[eE][-+]?[0-9]+)?")
_EXACT_DIGITS = 15
_MANY = 65_536


@dataclass(frozen=True, eq=False)
class Dressed:
    """A released column converted for comparison, and what had to be assumed.

    Attributes
    ----------
    column
        The column with the source's kind and role; kind ``nominal`` where its values are of another kind.
    gaps
        Texts taken for missing values though the source's recipe does not declare them.
    other_kind
        Whether the values are not of the source's kind.
    """

    column: Column
    gaps: tuple[str, ...]
    other_kind: bool


def dressed(source: Column, column: Column, decimal: str) -> Dressed:
    """Return a released column with the metadata of the source's column.

    Parameters
    ----------
    source
        The source's column, with kind and role.
    column
        The column as read from the released file.
    decimal
        Decimal mark of the released file.
    """
    source_texts = frozenset(source.texts)
    column = _without_guard(column, source_texts)
    gaps = tuple(text for text in present_texts(column) if text in GAPS and text not in source_texts)
    missing = source.missing_texts | frozenset(gaps)
    plain = replace(
        column,
        name=source.name,
        header=source.header,
        label=source.label,
        role=source.role,
        missing_texts=missing,
        kind="nominal",
        style=None,
    )
    texts = present_texts(plain)
    fit = {"numeric": _as_numbers, "ordinal": _as_ordered, "date": _as_dates}.get(source.kind, _as_names)
    made = fit(source, plain, texts, decimal)
    return Dressed(_in_order(plain, source.kind) if made is None else made, gaps, made is None)


def _in_order(column: Column, kind: str) -> Column:
    """Return a column of ranges sorted by the numbers in them; other columns as names, unchanged."""
    ranges = [(range_ends(text), text) for text in present_texts(column)]
    ends = sorted((range_end, text) for range_end, text in ranges if range_end is not None)
    if kind not in ("numeric", "ordinal", "date") or not ranges or len(ends) < len(ranges):
        return column
    return replace(column, kind="ordinal", order=tuple(text for _, text in ends))


def _without_guard(column: Column, texts: frozenset[str]) -> Column:
    """Return a column with the formula guard removed from texts that equal a source text without it."""
    bare = [text if text in texts or unguard(text) not in texts else unguard(text) for text in column.texts]
    return column if tuple(bare) == column.texts else replace(column, texts=tuple(bare))


def _rewritten(column: Column, new: Mapping[str, str]) -> Column:
    """Return a column with some texts replaced; texts that become equal share a code."""
    code_of_text: dict[str, int] = {}
    into = [code_of_text.setdefault(new.get(text, text), len(code_of_text)) for text in column.texts]
    codes = np.array(into, dtype=np.int32)[column.codes] if into else column.codes
    return replace(column, codes=codes, texts=tuple(code_of_text))


def _as_names(source: Column, column: Column, texts: Sequence[str], decimal: str) -> Column:
    """Return the released column with the source's kind and order."""
    return replace(column, kind=source.kind, order=source.order)


def _as_numbers(source: Column, column: Column, texts: Sequence[str], decimal: str) -> Column | None:
    """Return the released column as numbers, equal values in the source's spelling; None where a text is no number."""
    style = source.style or NumberStyle()
    plain = number_texts(texts, decimal, style.decimal)
    if plain is None:
        return None
    source_texts = frozenset(source.texts)
    if not source_texts.issuperset(plain.values()):
        by_value: dict[Decimal, str] = {}
        for text in present_texts(source):
            by_value.setdefault(to_decimal(text, style.decimal), text)
        plain = {
            text: new if new in source_texts else by_value.get(to_decimal(new, style.decimal), new)
            for text, new in plain.items()
        }
    decimals = max((decimals_of(new, style.decimal) for new in plain.values()), default=0)
    if decimals > style.decimals:
        style = NumberStyle(style.decimal, decimals, Decimal(1).scaleb(-decimals))
    return replace(_rewritten(column, plain), kind="numeric", style=style, bounds=source.bounds)


def number_texts(texts: Sequence[str], decimal: str, wanted: str) -> dict[str, str] | None:
    """Return each number text in plain digits with another decimal mark; None where one is no number.

    Numbers with more than 15 digits are rounded to 15, the precision of a 64-bit float.
    """
    rewritten: dict[str, str] = {}
    for index, text in enumerate(texts):
        if index % _MANY == 0:
            progress.check()
        if decimal == wanted and is_number(text, decimal):
            rewritten[text] = text
            continue
        new = _plain_digits(text.strip(), decimal)
        if new is None:
            return None
        rewritten[text] = new.replace(".", wanted)
    return rewritten


def _plain_digits(text: str, decimal: str) -> str | None:
    """Return a number in plain digits with a decimal point; None where it is no number."""
    if _NUMBER.fullmatch(text) is None or ("." if decimal == "," else ",") in text:
        return None
    try:
        value = Decimal(text.replace(decimal, "."))
    except InvalidOperation:
        return None
    if len(value.as_tuple().digits) > _EXACT_DIGITS:
        value = Decimal(f"{float(value):.{_EXACT_DIGITS}g}")
    written = f"{value:f}"
    if "." in written and ("e" in text.lower() or len(text) > _EXACT_DIGITS):
        written = written.rstrip("0").rstrip(".")
    return written if is_number(written) else None


def _as_ordered(source: Column, column: Column, texts: Sequence[str], decimal: str) -> Column | None:
    """Return the released column with the source's order; None where it has other values."""
    order = source.order or source.categories
    if not set(texts) <= set(order):
        return None
    return replace(column, kind="ordinal", order=order)


def _as_dates(source: Column, column: Column, texts: Sequence[str], decimal: str) -> Column | None:
    """Return the released column as dates in the source's format; None where a text is no date."""
    source_format = DateFormat.parse(source.date_format) if source.date_format is not None else None
    if source_format is None:
        return None
    moments = {text: source_format.read(text) for text in texts}
    if not all(moments.values()):
        form = guess_date_format(texts).format
        moments = {text: form.read(text) for text in texts} if form is not None else moments
        if not all(moments.values()):
            return None
        source_dates = {source_format.read(text): text for text in present_texts(source)}
        new = {text: source_dates.get(moment) or _written(moment, source_format) for text, moment in moments.items()}
        column = _rewritten(column, new)
        moments = {text: source_format.read(text) for text in new.values()}
        if not all(moments.values()):
            return None
    ranked = sorted(moments, key=lambda text: (moments[text], text))
    return replace(column, kind="date", order=tuple(ranked), date_format=source_format.pattern)


def _written(moment: tuple[object, str] | None, form: DateFormat) -> str:
    """Return a moment as text in a date format."""
    assert moment is not None
    return f"{moment[0]:{form.pattern}}"
