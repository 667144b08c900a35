"""Amounts as people write them: with currency, groups of thousands, a minus before or behind, brackets or per cent.

An amount is: optional sign, a currency sign, digits in groups of three (in India of two: 2,56,888.00) with one and the
same sign between them or without groups, a decimal mark with digits, a currency or per cent sign, a minus behind;
brackets mean minus. Codes are no amounts: there is no zero before another digit, no exponent, and at most 15 digits
before the mark. A fraction with more digits than a number may have, as computers write it, is rounded.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache
from itertools import product

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.recipe.models import Minus, RepairSection
from ppdm_desktop.engine.table.exact_numbers import MOST_DIGITS
from ppdm_desktop.engine.table.reading.marks import MARKS, guess_missing_words
from ppdm_desktop.engine.table.reading.word_lists import load_currencies

GROUPS = (".", ",", "'", "\u2019", " ", "\u00a0", "\u2009", "\u202f")
"""Signs that stand between groups of three digits."""
MOST_REST = 0.05
"""A column holds amounts when at most this share of its cells does not."""
_MINUS = "\u2212-"
_FULL_WIDTH = str.maketrans("０１２３４５６７８９，．", "0123456789,.")
_NUMBER = re.compile(r"[0-9][0-9.,]*")
CODE = re.compile(r"[^\W\d_]{1,2}[0-9]+|\+[0-9][0-9 ()/-]{8,}", re.ASCII)
"""R1001 is a code, though R is a currency, and +420 721 473 566 is a telephone number."""
_GAP = r"[ \t\u00a0\u2009\u202f]*"
_INDIAN = r"|[1-9][0-9]?(?:,[0-9]{2})+,[0-9]{3}"


@cache
def _compile_currency_signs() -> re.Pattern[str]:
    """Return the regular expression that matches every currency sign or code, the longest first, in any case."""
    signs = sorted(load_currencies(), key=len, reverse=True)
    return re.compile("|".join(re.escape(sign) for sign in signs), re.IGNORECASE)


@dataclass(frozen=True)
class AmountForm:
    """How a column writes its amounts: marks, currencies, per cent and minus (explained at ``RepairSection``)."""

    decimal: str
    thousands: str | None = None
    strip: tuple[str, ...] = ()
    percent: bool = False
    minus: tuple[Minus, ...] = ("leading",)

    @classmethod
    def of(cls, section: RepairSection) -> AmountForm:
        """Return the way of writing amounts that a repair in the recipe declares.

        Where it says nothing, the decimal mark is a point, a minus stands in front, and there are no thousands
        separators, currencies or per cent signs.
        """
        return cls(
            section.decimal or ".",
            section.thousands,
            section.strip or (),
            section.percent is not None,
            section.minus if section.minus is not None else ("leading",),
        )

    def section(self) -> RepairSection:
        """Return the repair, as a section of the recipe, that declares this way of writing amounts.

        The decimal mark is always stated; other settings with their usual values, such as a minus in front, are left
        out (None). ``percent`` is False where per cent signs are left out of the numbers, since they are not divided by
        100.
        """
        written = {
            "decimal": self.decimal,
            "thousands": self.thousands,
            "strip": self.strip or None,
            "percent": False if self.percent else None,
            "minus": self.minus if self.minus != ("leading",) else None,
        }
        return RepairSection.model_validate(written)

    def expression(self) -> re.Pattern[str]:
        """Return the regular expression for a whole amount written in this way, with its currencies and with blanks.

        It checks no signs: "5-" and "(5" match even where a minus stands in front only, and `read` refuses them. Its
        groups are ``open`` and ``close`` (brackets), ``sign`` and ``second`` (the sign before and behind a currency in
        front), ``whole`` (with thousands separators), ``fraction``, and ``last`` (a minus at the end).
        """
        strip = "|".join(re.escape(sign) for sign in sorted(self.strip, key=len, reverse=True))
        before = rf"(?:(?:{strip}){_GAP})?" if strip else ""
        behind = "|".join(filter(None, (strip, "%" if self.percent else "")))
        groups = rf"|[1-9][0-9]{{0,2}}(?:{re.escape(self.thousands)}[0-9]{{3}})+" if self.thousands else ""
        groups += _INDIAN if self.thousands == "," else ""
        return re.compile(
            rf"(?P<open>\()?{_GAP}(?P<sign>[+{_MINUS}])?{_GAP}{before}(?P<second>[+{_MINUS}])?"
            rf"(?P<whole>0|[1-9][0-9]*{groups})(?:{re.escape(self.decimal)}(?P<fraction>[0-9]+))?"
            + (rf"(?:{_GAP}(?:{behind}))?" if behind else "")
            + rf"{_GAP}(?P<last>[{_MINUS}])?{_GAP}(?P<close>\))?",
            re.ASCII,
        )

    def read(self, texts: Sequence[str], decimal: str = ".") -> list[str | None]:
        """Return each text as a plain number such as ``-1234.5``, or None where it is no amount written in this way.

        ``decimal`` is the decimal mark of the result. Digits and marks of full width count as plain ones. A fraction
        that makes more than 15 digits in all is rounded; more than 15 digits before the mark are no amount.
        """
        match = self.expression().fullmatch
        return [self._to_plain_number(match(_to_half_width(text.strip())), decimal) for text in texts]

    def _to_plain_number(self, match: re.Match[str] | None, decimal: str) -> str | None:
        """Return a matched amount as a plain number with the decimal mark ``decimal``; None where it is not valid.

        It is not valid without a match, if signs or brackets contradict each other, if its minus is not written in this
        way, or if the whole part has more than 15 digits, also after rounding. A fraction that makes more than 15
        digits in all is rounded.
        """
        if match is None or bool(match["open"]) != bool(match["close"]) or (match["sign"] and match["second"]):
            return None
        sign = match["sign"] or match["second"] or ""
        negative = self._is_negative(match, sign)
        if negative is None:
            return None
        whole = match["whole"].replace(self.thousands, "") if self.thousands else match["whole"]
        fraction = match["fraction"] or ""
        if len((whole + fraction).lstrip("0")) > MOST_DIGITS >= len(whole):
            whole, _, fraction = f"{Decimal(f'{whole}.{fraction}'):.{MOST_DIGITS - len(whole)}f}".partition(".")
            fraction = fraction.rstrip("0")
        if len(whole) > MOST_DIGITS:
            return None
        return _format_number(whole, fraction, decimal, negative=negative)

    def _is_negative(self, match: re.Match[str], sign: str) -> bool | None:
        """Return whether a matched amount is negative; None where its minus is not valid.

        It is not valid if it is written in a way that the column does not use, in two ways at once, or together with a
        plus: ``-5-``, ``+(5)``. ``sign`` is the sign before the number, "" without one.
        """
        written = {"leading": sign and sign in _MINUS, "trailing": match["last"], "brackets": match["open"]}
        ways = {way for way, is_written in written.items() if is_written}
        return None if len(ways) > 1 or not ways <= set(self.minus) or (ways and sign == "+") else bool(ways)


def _to_half_width(text: str) -> str:
    """Return a text with full-width digits and marks, as in Japan and China, replaced by plain ones."""
    return text if text.isascii() else text.translate(_FULL_WIDTH)


def _format_number(whole: str, fraction: str, decimal: str, *, negative: bool) -> str:
    """Return the text of a number from its digits before and behind the mark; zero has no sign."""
    sign = "-" if negative and (whole + fraction).strip("0") else ""
    return f"{sign}{whole}{decimal + fraction if fraction else ''}"


@dataclass(frozen=True)
class AmountGuess:
    """The ways of writing amounts under which nearly all cells of a column are amounts, with their numbers.

    Attributes
    ----------
    forms
        One way for each different reading of the column; a single one when nothing is in doubt.
    read
        For each way the number of each text, or None where the text is no amount.
    currencies
        The currency signs if there are several currencies, whose numbers must not be added up; else empty.
    """

    forms: tuple[AmountForm, ...]
    read: tuple[tuple[str | None, ...], ...]
    currencies: tuple[str, ...] = ()


def guess_amounts(
    counts: Mapping[str, int], decimal: str = ".", *, thousands_first: bool = False
) -> AmountGuess | None:
    """Return the ways in which a column may write amounts, with each text's number by each way; None where it has none.

    If the amounts are in several currencies, their signs are returned as well.

    Parameters
    ----------
    counts
        Number of cells with each distinct text.
    decimal
        The decimal mark of the returned numbers.
    thousands_first
        Whether a reading of 1.234 as a whole number comes before that as a fraction.

    Returns
    -------
    None when, for every pair of decimal mark and thousands separator, more than 5 % of the cells are no amounts; also
    when more than 5 % have no digit, or all are codes such as R1001. Cells that often mean "missing" are not counted.
    If all currencies in the cells have the same usual decimal mark, only readings with it are returned, if there are
    any.
    """
    texts = list(counts)
    words = guess_missing_words(counts)
    counted = {text: number for text, number in counts.items() if text not in MARKS and text not in words}
    if not _nearly_all_have_digits(counted) or all(map(CODE.fullmatch, counted)):
        return None
    signs = _find_currency_signs(texts)
    plain = AmountForm(".", None, signs, any("%" in text for text in texts), _find_minus_forms(texts))
    best = _find_best_readings(plain, texts, counted, decimal)
    if not best:
        return None
    named = {load_currencies()[sign.casefold()] for sign in signs}
    marks = {currency.decimal for currency in named}
    usual = {read: form for read, form in best.items() if marks == {form.decimal}}
    best = dict(sorted((usual or best).items(), key=lambda item: thousands_first and not item[1].thousands))
    several = len({currency.code for currency in named}) > 1
    return AmountGuess(tuple(best.values()), tuple(best), signs if several else ())


def _nearly_all_have_digits(counts: Mapping[str, int]) -> bool:
    """Return whether at least 95 % of the cells have a digit, as amounts do; False without cells.

    ``counts`` is the number of cells of each text, so frequent texts count more than rare ones.
    """
    cells = sum(counts.values())
    with_digits = sum(number for text, number in counts.items() if any(map(str.isdigit, text)))
    return cells > 0 and with_digits >= (1 - MOST_REST) * cells


def _find_currency_signs(texts: Sequence[str]) -> tuple[str, ...]:
    """Return the currency signs around the numbers of some texts, each spelling once, in order of appearance."""
    around = dict.fromkeys(_NUMBER.sub("0", text) for text in texts if any(map(str.isdigit, text)))
    return tuple(dict.fromkeys(sign for text in around for sign in _compile_currency_signs().findall(text)))


def _find_best_readings(
    plain: AmountForm, texts: Sequence[str], counted: Mapping[str, int], decimal: str
) -> dict[tuple[str | None, ...], AmountForm]:
    """Return the readings of a column's amounts that leave at most 5 % of the cells unread, each with its form.

    Every pair of decimal mark and thousands separator is tried: "1.234" may be 1.234 or 1234. The key is the number of
    each text, None where it is unread. A reading is left out where another one gives the same numbers and more. Empty
    where no pair reads enough cells.
    """
    signs = set(_to_half_width("".join(texts)))
    present = [sign for sign in GROUPS if sign in signs]
    most_rest = MOST_REST * sum(counted.values())
    form_of: dict[tuple[str | None, ...], AmountForm] = {}
    for mark, group in product(".,", (None, *present)):
        progress.check()
        if mark != group:
            form = replace(plain, decimal=mark, thousands=group)
            read = tuple(form.read(texts, decimal))
            if sum(counted.get(text, 0) for text, number in zip(texts, read) if number is None) <= most_rest:
                form_of.setdefault(read, form)
    return {
        read: form for read, form in form_of.items() if not any(_is_fuller_reading(better, read) for better in form_of)
    }


def _find_minus_forms(texts: Sequence[str]) -> tuple[Minus, ...]:
    """Return the ways of writing negative amounts that a column's texts suggest; ``leading`` is always the first.

    A minus at the end of some text adds ``trailing``, an opening bracket at the beginning ``brackets``: "5-" and "(3)"
    give all three.
    """
    trailing: tuple[Minus, ...] = ("trailing",) if any(text.rstrip()[-1:] in tuple(_MINUS) for text in texts) else ()
    brackets: tuple[Minus, ...] = ("brackets",) if any(text.lstrip().startswith("(") for text in texts) else ()
    return ("leading", *trailing, *brackets)


def _is_fuller_reading(first: Sequence[str | None], second: Sequence[str | None]) -> bool:
    """Return whether the first reading of some texts has every number of the second one, and more."""
    return first != second and all(other_text is None or text == other_text for text, other_text in zip(first, second))
