"""The only place where numbers become text, and also names, lists, days, sizes and durations.

Two promises hold for every function. Nothing is written as 0 or as 100 % that is not exactly this. And halves are
rounded up, based on the shortest decimal text of a number (0.145 and not the binary 0.14499…), so that people can
check a figure by hand. Neither Qt nor the system's locale is used: the same number gives the same text on every
computer.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, Context, Decimal
from typing import Literal, SupportsIndex, TypeGuard

from ppdm_desktop.engine.wording.locales import NO_BREAK, locale_of

FEW = 100
"""Of fewer records a share is stated as a count: a percentage would claim what they cannot show."""
ABSENT = "\N{EN DASH}"
"""What stands in a cell where nothing was measured."""
MINUS = "\N{MINUS SIGN}"
LONGEST_NAME = 36
"""A longer name is shortened in its middle."""
LONGEST_LIST = 5
"""Of more names the first four are named and the others counted."""

Real = float | Decimal
"""A number to write: also an int, and NumPy's numbers."""
Kind = Literal["share", "ratio", "points"]
"""What is compared with a limit: a share, a ratio of two figures, or a difference of shares."""
End = Literal["", "high", "low"]
"""Which end of an interval a figure is, if any: it is rounded outward, so that "at most" and "at least" stay true."""

# Wide enough that no float loses a digit, whatever the caller's own context of decimals is.
_WIDE = Context(prec=1_100, rounding=ROUND_HALF_UP)
_DIVISION = Context(prec=50, rounding=ROUND_HALF_UP)
_SAME = Decimal("1e-9")  # what sums of floats are off by, and what the release checks allow for
_ZERO, _ONE, _TEN, _HUNDRED = Decimal(0), Decimal(1), Decimal(10), Decimal(100)
_LEAST_PERCENT, _MOST_PERCENT, _MOST_WHOLE = Decimal("0.1"), Decimal("99.9"), Decimal(99)
_LEAST_NUMBER, _NEAR_ONE = Decimal("0.001"), Decimal("0.0005")
_FIRST_YEAR, _AFTER_LAST_YEAR = Decimal(1_900), Decimal(2_100)
_SMALLEST_TICK = 330  # decimals: no float is smaller
_THIRD = Decimal("33.333333333")  # of 100; 1/3 has no last digit
_SIZES = ("kB", "MB", "GB", "TB")


class Numbers:
    """Writes numbers in one language.

    Shares and probabilities are given as numbers between 0 and 1; None, NaN and infinity mean not measured.

    Parameters
    ----------
    language
        One of `ppdm_desktop.engine.wording.locales.LOCALES`.

    Raises
    ------
    ValueError
        When the program does not write this language. Methods raise it for a share that is outside 0 to 1 by more than
        rounding, and for an impossible count, interval or time.
    """

    def __init__(self, language: str) -> None:
        """Load the number signs and words of a language."""
        self.locale = locale_of(language)

    # --- counts and shares --------------------------------------------------------------

    def count(self, number: SupportsIndex) -> str:
        """Return a whole number as text, its digits grouped from 1,000 on."""
        return self._format_digits(Decimal(operator.index(number)))

    def place(self, number: SupportsIndex) -> str:
        """Return the number of a row, a line or a year as text, without grouping of digits."""
        return str(operator.index(number)).replace("-", MINUS)

    def percent(self, share: Real | None, end: End = "") -> str:
        """Return a share as a percentage: whole from 1 to 99 %, with one decimal nearer to 0 or 100 %.

        0 and 100 % are written only if exact: 0.0001 is "less than 0.1%" and 0.9999 "more than 99.9%", also as an end
        of an interval. None, NaN and infinity are "not measured".

        Parameters
        ----------
        share
            Number between 0 and 1; one that is outside by more than 1e-9 raises ValueError.
        end
            ``low`` or ``high`` if the share is an end of an interval, which is rounded outward.
        """
        x = _to_percentage(share)
        return self.none() if x is None else self._round_and_format_percent(x, _WAYS[end])

    def in_signs(self, figure: str) -> str:
        """Return a figure's text with "<" for "less than" and ">" for "more than", for narrow drawings: "< 0.1%"."""
        for phrase, sign in ((self.locale.phrases.less_than, "<"), (self.locale.phrases.more_than, ">")):
            figure = figure.replace(phrase.format(""), f"{sign}{NO_BREAK}")
        return figure

    def apart(self, share: Real | None, real: Real | None) -> str:
        """Return a share as text, precise enough that it fits a second share and their stated difference.

        It has the fewest decimals, at most two, with which both shares and their rounded difference in percentage
        points add up. Of 13.6 and 6.4 % the text is "13.6%": whole percentages would be 14 and 6 % with a difference of
        7. The text is that of `percent` where either share is None, or below 0.1 % or above 99.9 % without being
        exactly 0 or 100 %.

        Parameters
        ----------
        share, real
            Numbers between 0 and 1: the share to be written, and the second share.
        """
        x, y = _to_percentage(share), _to_percentage(real)
        if x is None or y is None or _find_near_ends(x) or _find_near_ends(y):
            return self.percent(share)
        difference = _WIDE.subtract(x, y)
        for places in range(3):
            ends = [_round_decimal(end, max(places, _percent_places(end))) for end in (x, y)]
            read = _WIDE.subtract(ends[0], ends[1])
            wanted = range(_points_places(difference) + 1)
            if all(_round_decimal(read, end) == _round_decimal(difference, end) for end in wanted) and not any(
                end in _ENDS["share"] and end != end_value for end, end_value in zip(ends, (x, y), strict=True)
            ):
                break
        return self._format_percent(ends[0])

    def share(self, hits: SupportsIndex, of: SupportsIndex) -> str:
        """Return a part of a whole as text: "3 of 7" if the whole is below 100, else the percentage ("3%").

        ValueError is raised if the part is not between 0 and the whole.
        """
        part, whole = _check_share_counts(hits, of)
        if whole < FEW:
            return self.locale.phrases.of.format(self.count(part), self.count(whole))
        return self.percent(_divide_counts(part, whole))

    def people(self, hits: SupportsIndex, of: SupportsIndex, *, rows: bool = False) -> str:
        """Return a share of people, or rows, with the noun: "3 of 7 people" below 100, else "3% of the people".

        With ``rows`` the noun is rows. ValueError is raised if the part is not between 0 and the whole.
        """
        part, whole = _check_share_counts(hits, of)
        phrases = self.locale.phrases
        if whole < FEW:
            noun = self.locale.plurals.form(whole, phrases.rows if rows else phrases.people)
            return phrases.of.format(self.count(part), noun.format(self.count(whole)))
        return (phrases.of_the_rows if rows else phrases.of_the_people).format(self.share(part, whole))

    def full(self, hits: SupportsIndex, of: SupportsIndex) -> str:
        """Return a count with its percentage, such as "12 of 300 (4%)"; only "3 of 7" if the whole is below 100.

        ValueError is raised if the part is not between 0 and the whole.
        """
        part, whole = _check_share_counts(hits, of)
        count = self.locale.phrases.of.format(self.count(part), self.count(whole))
        return count if whole < FEW else f"{count} ({self.percent(_divide_counts(part, whole))})"

    def between(self, low: Real | None, high: Real | None) -> str:
        """Return the interval of a share as text, "3% to 5%", its ends rounded outward.

        Ends below 0.1 % and above 99.9 % are "less than 0.1%" and "more than 99.9%", unless exactly 0 or 100 %. It is
        one percentage if both ends have the same text, and "not measured" where an end is None. ValueError is raised if
        ``low`` is above ``high``.
        """
        ends = _to_percentage(low), _to_percentage(high)
        if ends[0] is None or ends[1] is None:
            return self.none()
        if ends[0] > ends[1]:
            raise ValueError("the ends of an interval are given from low to high")
        below, above = (
            self._round_and_format_percent(ends[0], ROUND_FLOOR),
            self._round_and_format_percent(ends[1], ROUND_CEILING),
        )
        return below if below == above else self.locale.phrases.between.format(below, above)

    def chance(self, probability: Real | None) -> str:
        """Return a probability as text, such as "1 in 20" or "40 in 100"; None is "not measured".

        Up to 25 % it is "1 in n", above that "n in 100", with n rounded to the nearest whole number (0.22 is "1 in 5").
        But from a third to below 33.5 % it is "1 in 3", and what rounds to 50 % is "1 in 2". Below 0.1 % it is "less
        than 1 in 1,000", above 99 % "more than 99 in 100". "Never" and "always" are used only for exactly 0 and 1.
        ValueError is raised for a number more than 1e-9 outside 0 to 1.
        """
        x = _to_percentage(probability)
        if x is None:
            return self.none()
        phrases = self.locale.phrases
        if x in (_ZERO, _HUNDRED):
            return phrases.never if x == _ZERO else phrases.always
        if x < _LEAST_PERCENT:
            return phrases.less_than.format(phrases.one_in.format(self.count(1_000)))
        if x <= 25:
            return phrases.one_in.format(self._format_digits(_round_decimal(_DIVISION.divide(_HUNDRED, x), 0)))
        if x > _MOST_WHOLE:
            return phrases.more_than.format(phrases.in_hundred.format(99))
        of_hundred = _round_decimal(x, 0)
        # From a third on to where 34 begins: of 100 it would read as less than the third itself.
        if of_hundred == 33 and x >= _THIRD:
            return phrases.one_in.format(3)
        return phrases.one_in.format(2) if of_hundred == 50 else phrases.in_hundred.format(of_hundred)

    def fewer(self, number: SupportsIndex, minimum: SupportsIndex) -> str:
        """Return a count as text for the public: "fewer than 10" for 1 to 9 if ``minimum`` is 10, else the count.

        0 is written as 0. ValueError is raised for a count below 0.
        """
        count, least = operator.index(number), operator.index(minimum)
        if count < 0:
            raise ValueError("nothing is counted below 0")
        return self.locale.phrases.fewer_than.format(self.count(least)) if 0 < count < least else self.count(count)

    # --- differences --------------------------------------------------------------------

    def points(self, difference: Real | None, end: End = "") -> str:
        """Return a difference of shares in percentage points, with one decimal below 10 and between 99 and 100.

        Between 0 and 0.1 points it is "less than 0.1", between 99.9 and 100 "more than 99.9"; negative differences so
        near to 0 or 100 are a range, "−0.1 to 0". None is "not measured". ``end`` tells whether it is the lower or
        upper end of an interval, which is rounded outward: an upper end between 0 and 0.1 is 0.1.
        """
        return self._format_difference(difference, signed=False, way=_WAYS[end])

    def change(self, difference: Real | None) -> str:
        """Return a difference of shares with its sign, "+1.4 percentage points"; 0 is "no change".

        It is rounded as by `points`; None is "not measured".
        """
        return self._format_difference(difference, signed=True)

    def change_between(self, low: Real | None, high: Real | None) -> str:
        """Return the interval of a difference of shares as text: "−10 to +30 percentage points".

        Ends are rounded outward, to one decimal below 10 points and to whole points from there; both are always
        written, even if they are equal. If an end is None or not finite, the text is "not measured"; ValueError is
        raised if ``low`` is above ``high``.
        """
        if not _is_finite_number(low) or not _is_finite_number(high):
            return self.none()
        ends = [_to_display_unit(low, "points"), _to_display_unit(high, "points")]
        if ends[0] > ends[1]:
            raise ValueError("the ends of an interval are given from low to high")
        ways = (ROUND_FLOOR, ROUND_CEILING)
        rounded = [_round_decimal(x, 1 if x.copy_abs() < _TEN else 0, way) for x, way in zip(ends, ways, strict=True)]
        signed = [("+" if x > 0 else "") + self._format_digits(x, strip=True) for x in rounded]
        return self.locale.plurals.form(2, self.locale.phrases.points).format(
            self.locale.phrases.between.format(*signed)
        )

    # --- beside a limit -----------------------------------------------------------------

    def versus(self, figure: Real | None, limit: Real, kind: Kind = "share", end: End = "") -> tuple[str, str]:
        """Return a figure and its limit as texts, precise enough to show which of the two is larger.

        The figure has the fewest decimals that show whether it is above or below the *written* limit, at most two
        (ratios: three): 9.04 % against 9 % is "9.04%". If these are not enough, it is "just above" or "just below" the
        limit. A difference of less than a thousand-millionth counts as none, as in the release checks, but nothing is
        written as 0 or 100 % that is not exactly this. An end of an interval is rounded like in `between` and
        `change_between`.

        Parameters
        ----------
        figure, limit
            Figure and limit, of the same kind; None for a figure that was not measured.
        kind
            Whether both are shares, differences of shares (``points``) or plain numbers (``ratio``).
        end
            Which end of an interval the figure is, if any.

        Returns
        -------
        tuple
            The text of the figure and the text of the limit.
        """
        edge = _to_display_unit(limit, kind)
        rounded = _round_limit(edge, kind)
        edge_text = self._format_figure(rounded, kind)
        if not _is_finite_number(figure):
            return self.none(), edge_text
        x = _to_display_unit(figure, kind)
        order = _compare_with_limit(x, edge, kind)
        for reading in self._list_readings(x, kind, end):
            if reading.order(rounded) == order:
                return reading.text, edge_text
        if order == 0:
            return edge_text, edge_text
        phrases = self.locale.phrases
        return (phrases.just_above if order > 0 else phrases.just_below).format(edge_text), edge_text

    def compared(self, figure: Real | None, limit: Real, kind: Kind = "share") -> str:
        """Return a figure and its limit for a table cell, "20.4% / 20%", rounded as `versus` does."""
        return " / ".join(self.versus(figure, limit, kind))

    # --- what was measured --------------------------------------------------------------

    def number(self, value: Real | None) -> str:
        """Return a measured number with three significant digits and no exponent: 1234.5 is "1,230", 0.5 is "0.5".

        None, NaN and infinity are "not measured". If it is closer to 0 than 0.001 but not 0, the text is "less than
        0.001", or "−0.001 to 0" for a negative number.
        """
        if not _is_finite_number(value):
            return self.none()
        x = _to_decimal(value)
        phrases = self.locale.phrases
        if x != 0 and x.copy_abs() < _LEAST_NUMBER:
            least = self._format_digits(_LEAST_NUMBER)
            return (
                phrases.less_than.format(least)
                if x > 0
                else phrases.between.format(MINUS + least, self._format_digits(_ZERO))
            )
        return self._format_digits(_round_decimal(x, 2 - x.adjusted() if x else 0), strip=True)

    def exact(self, value: Real | None) -> str:
        """Return a number from the data as text with all its digits and without exponent.

        The text is "not measured" for None, NaN and infinite numbers. Digits are grouped from 1,000 on, except in
        numbers from 1,900 to below 2,100, which may be years: "1,850", but "1990".
        """
        if not _is_finite_number(value):
            return self.none()
        x = _to_decimal(value)
        digits = self._format_digits(x, strip=True)
        return digits.replace(self.locale.group, "") if _FIRST_YEAR <= x < _AFTER_LAST_YEAR else digits

    def amount(self, value: Real | None, unit: str) -> str:
        """Return a measured number with the column's unit, "1,000 EUR".

        Without a unit the text is the number alone; None is "not measured".
        """
        return f"{self.number(value)}{NO_BREAK}{unit}" if unit and _is_finite_number(value) else self.number(value)

    def ticks(self, values: Sequence[Real]) -> tuple[str, ...]:
        """Return the tick texts of an axis, all with as many decimals as the most precise needs; () without values.

        0, 0.5 and 1 give "0.0", "0.5" and "1.0".
        """
        numbers = [_to_decimal(value) for value in values]
        if not numbers:
            return ()
        spread = _WIDE.subtract(max(numbers), min(numbers)) or max(number.copy_abs() for number in numbers)
        crumb = _WIDE.multiply(spread, _SAME)
        places = next(
            (
                places
                for places in range(_SMALLEST_TICK)
                if all(_WIDE.subtract(number, _round_decimal(number, places)).copy_abs() <= crumb for number in numbers)
            ),
            _SMALLEST_TICK,
        )
        return tuple(self._format_digits(_round_decimal(number, places)) for number in numbers)

    def axis(self, values: Sequence[Real]) -> str:
        """Return the ticks of an axis as one text, separated by commas, for a chart's description."""
        return ", ".join(self.ticks(values))

    def none(self, *, cell: bool = False) -> str:
        """Return the text for "not measured".

        Parameters
        ----------
        cell
            Whether the text is for a table cell, where it is a dash.
        """
        return ABSENT if cell else self.locale.phrases.none

    # --- time and size ------------------------------------------------------------------

    def duration(self, seconds: Real) -> str:
        """Return a duration as rounded text, such as "about 1 hour 20 minutes"; raise ValueError below 0.

        It is rounded to whole seconds below 10 seconds, then to 5 seconds, from one minute to minutes, from one hour to
        5 minutes, and from 10 hours to hours: 4,000 seconds are "about 1 hour 5 minutes". Below one second the text is
        "less than a second".
        """
        x = _to_decimal(seconds)
        if x < 0:
            raise ValueError("no time is shorter than none")
        phrases = self.locale.phrases
        if x < 1:
            return phrases.less_than_a_second
        # To the second below ten, then to five seconds, minutes, five minutes, and from ten hours on to the hour.
        whole = _round_to_multiple(x, 1) if x < 10 else _round_to_multiple(x, 5)
        if whole >= 60:
            whole = max(60, _round_to_multiple(x, 60))
        if whole >= 3_600:
            whole = max(3_600, _round_to_multiple(x, 300))
        if whole >= 36_000:
            whole = max(36_000, _round_to_multiple(x, 3_600))
        hours, minutes, left = whole // 3_600, whole % 3_600 // 60, whole % 60
        parts = ((hours, phrases.hours), (minutes, phrases.minutes), (left, phrases.seconds))
        return phrases.about.format(
            " ".join(self._format_with_plural(number, forms) for number, forms in parts if number)
        )

    def size(self, bytes: SupportsIndex) -> str:
        """Return a file size in decimal units, 1 kB being 1,000 bytes: "18.3 MB"; raise ValueError below 0.

        It has at most one decimal, and none from 100 on ("183 MB"). Below 1,000 it is a number of bytes.
        """
        size = operator.index(bytes)
        if size < 0:
            raise ValueError("no file is smaller than empty")
        if size < 1_000:
            return self._format_with_plural(size, self.locale.phrases.bytes).replace(" ", NO_BREAK)
        thousands, amount = 0, _HUNDRED * _TEN
        while amount >= 1_000 and thousands < len(_SIZES):
            thousands += 1
            x = Decimal(size).scaleb(-3 * thousands, _WIDE)
            amount = _round_decimal(x, 1 if x < _HUNDRED else 0)
        return f"{self._format_digits(amount, strip=True)}{NO_BREAK}{_SIZES[thousands - 1]}"

    def day(self, year: int, month: int, day: int) -> str:
        """Return a day as text with the name of its month, "3 May 2024"; raise ValueError for no real day."""
        shown_date = date(year, month, day)
        return self.locale.day.format(
            day=shown_date.day, month=self.locale.months[shown_date.month - 1], year=shown_date.year
        )

    # --- names --------------------------------------------------------------------------

    def name(self, text: str) -> str:
        """Return the name of a column or file in quotes, its middle left out if it has more than 36 characters."""
        opening, closing = self.locale.quotes
        return f"{opening}{shorten_name(text)}{closing}"

    def path(self, text: str) -> str:
        """Return a path in quotes; if it is longer than 36 characters, folders are cut but never the file name."""
        opening, closing = self.locale.quotes
        return f"{opening}{shorten_path(text)}{closing}"

    def names(self, texts: Sequence[str]) -> str:
        """Return names as a text, each in quotes: "A, B and C"; more than five as "A, B, C, D and 4 more"."""
        return self.list([self.name(text) for text in texts])

    def list(self, texts: Sequence[str], *, all_named: bool = False) -> str:
        """Return texts joined to "A, B and C"; of more than five, the first four: "A, B, C, D and 4 more" for eight.

        With ``all_named`` all are written. The text for an empty list is a dash.
        """
        if len(texts) > LONGEST_LIST and not all_named:
            named = LONGEST_LIST - 1
            return self.locale.more_of_list.format(", ".join(texts[:named]), self.count(len(texts) - named))
        if len(texts) < 2:
            return texts[0] if texts else ABSENT
        return self.locale.last_of_list.format(", ".join(texts[:-1]), texts[-1])

    # --- inside -------------------------------------------------------------------------

    def _format_digits(self, number: Decimal, *, strip: bool = False) -> str:
        """Return a number as text with grouped digits and all its decimals; ``strip`` removes zeros at the end.

        1234.50 gives "1,234.50", or "1,234.5" with ``strip``; a negative number has a minus sign, not a hyphen.
        """
        whole, _, decimals = f"{number.copy_abs():f}".partition(".")
        if strip:
            decimals = decimals.rstrip("0")
        sign = MINUS if number < 0 else ""
        grouped = f"{int(whole):,}".replace(",", self.locale.group) if len(whole) > 3 else whole
        return f"{sign}{grouped}{self.locale.decimal}{decimals}" if decimals else f"{sign}{grouped}"

    def _format_with_plural(self, number: int, forms: Sequence[str]) -> str:
        """Return a number with the plural form of a word that goes with it, such as "3 rows".

        ``forms`` are the language's forms of the word, each with ``{}`` for the number.
        """
        return self.locale.plurals.form(number, forms).format(self.count(number))

    def _format_percent(self, value: Decimal) -> str:
        """Return an already rounded percentage as text, without zeros at the end of its decimals."""
        return self.locale.percent.format(self._format_digits(value, strip=True))

    def _round_and_format_percent(self, x: Decimal, way: str = ROUND_HALF_UP) -> str:
        """Return a percentage as text, rounded by the rules of `percent`; ``way`` is a rounding mode of ``decimal``.

        Below 0.1 and above 99.9 % ``way`` does not matter.
        """
        if ends := _find_near_ends(x):
            return self._format_percent_near_end(ends)
        return self._format_percent(_round_decimal(x, _percent_places(x), way))

    def _format_percent_near_end(self, ends: tuple[Decimal, Decimal]) -> str:
        """Return "less than 0.1%" for the range (0, 0.1), and "more than 99.9%" for (99.9, 100).

        ``ends`` is the range in which a percentage lies, from `_find_near_ends`.
        """
        phrases = self.locale.phrases
        if ends[0] == _ZERO:
            return phrases.less_than.format(self._format_percent(ends[1]))
        return phrases.more_than.format(self._format_percent(ends[0]))

    def _format_difference(self, difference: Real | None, *, signed: bool, way: str = ROUND_HALF_UP) -> str:
        """Return a difference of shares as text, rounded by the rules of `points`; None is "not measured".

        With ``signed`` a difference of 0 is "no change".
        """
        if not _is_finite_number(difference):
            return self.none()
        x = _to_display_unit(difference, "points")
        if signed and x == 0:
            return self.locale.phrases.no_change
        if not _is_small_upper_end(x, way) and (ends := _find_near_ends(x)):
            return self._format_points_near_end(ends, signed)
        return self._format_points(_round_decimal(x, _points_places(x), way), signed)

    def _format_points(self, value: Decimal, signed: bool = False) -> str:
        """Return rounded percentage points as text with the unit: "1 percentage point", "1.4 percentage points".

        With ``signed`` a plus stands before a positive number.
        """
        digits = self._format_digits(value, strip=True)
        # The form is that of the number as it is written: "1", but "1.4".
        written = Decimal(int(value)) if value == int(value) else value
        form = self.locale.plurals.form(written, self.locale.phrases.points)
        return form.format(f"+{digits}" if signed and value > 0 else digits)

    def _format_points_near_end(self, ends: tuple[Decimal, Decimal], signed: bool = False) -> str:
        """Return the text of a difference near 0 or 100 points: "less than 0.1", "more than 99.9", or a range.

        The range, such as "-0.1 to 0", is for negative differences. ``ends`` are the ends of the range it lies in, as
        from `_find_near_ends`.
        """
        phrases = self.locale.phrases
        if ends[0] == _ZERO:
            return phrases.less_than.format(self._format_points(ends[1], signed))
        if ends[0] > 0:
            return phrases.more_than.format(self._format_points(ends[0], signed))
        low, high = (self._format_digits(end, strip=True) for end in ends)
        return self.locale.plurals.form(2, phrases.points).format(phrases.between.format(low, high))

    def _format_figure(self, value: Decimal, kind: Kind) -> str:
        """Return a rounded figure as text: a percentage, a plain number (ratio), or points with the unit."""
        if kind == "share":
            return self._format_percent(value)
        return self._format_digits(value) if kind == "ratio" else self._format_points(value)

    def _list_readings(self, x: Decimal, kind: Kind, end: End = "") -> Iterator[_Reading]:
        """Yield the possible texts of a figure, each with the lowest and highest number it stands for, shortest first.

        For 9.04 % they are "9%" and "9.04%". No text says 0, 1 or 100 % unless the figure is exactly this. ``end``
        tells whether the figure is the lower or upper end of an interval, which is rounded outward.
        """
        if kind == "ratio":
            yield from self._list_near_end_ratios(x)
        is_bound = kind == "points" and _is_small_upper_end(x, _WAYS[end])
        ends = _find_near_ends(x) if kind != "ratio" and not is_bound else None
        if ends:
            yield _Reading(
                self._format_percent_near_end(ends) if kind == "share" else self._format_points_near_end(ends), *ends
            )
        first, behind = _TRIED[kind]
        if kind == "share":
            first = max(first, _percent_places(x))
        elif kind == "points" and end:
            first = max(first, _points_places(x))
        for places in range(first, behind):
            rounded = _round_decimal(x, places, _WAYS[end])
            if ends and not ends[0] < rounded < ends[1]:
                continue  # "less than 0.1%" elsewhere is not 0.1% here
            if rounded == x or rounded not in _ENDS[kind]:
                yield _Reading(self._format_figure(rounded, kind), rounded, rounded)

    def _list_near_end_ratios(self, x: Decimal) -> Iterator[_Reading]:
        """Yield the text for a ratio that rounding would turn into 0 or 1, with the range it stands for; else nothing.

        Ratios nearer to 0 than 0.001 give "less than 0.001" or "−0.001 to 0", those nearer to 1 than 0.0005 "just below
        1.00" or "just above 1.00". 0 and 1 themselves give nothing.
        """
        if _ZERO < x.copy_abs() < _LEAST_NUMBER:
            low, high = (_ZERO, _LEAST_NUMBER) if x > 0 else (_LEAST_NUMBER.copy_negate(), _ZERO)
            yield _Reading(self.number(x), low, high)
        elif _ZERO < _WIDE.subtract(x, _ONE).copy_abs() < _NEAR_ONE:
            phrases, exactly_one = self.locale.phrases, self._format_digits(Decimal("1.00"))
            if x < _ONE:
                yield _Reading(phrases.just_below.format(exactly_one), _WIDE.subtract(_ONE, _NEAR_ONE), _ONE)
            else:
                yield _Reading(phrases.just_above.format(exactly_one), _ONE, _WIDE.add(_ONE, _NEAR_ONE))


@dataclass(frozen=True)
class _Reading:
    """A possible text of a figure, with the number or the range that a reader understands."""

    text: str
    low: Decimal
    high: Decimal

    def order(self, edge: Decimal) -> int | None:
        """Return -1, 0 or 1 if the text shows a number below, at or above a limit; None where it leaves this open.

        "less than 0.1%" is below a limit of 0.1 or more, and open for a limit of 0.05.
        """
        if self.low == self.high:
            return (self.low > edge) - (self.low < edge)
        return 1 if self.low >= edge else -1 if self.high <= edge else None


# What may be read only where it is exact, by kind and in the unit that is written; and the decimals of figures.
_ENDS: Mapping[Kind, tuple[Decimal, ...]] = {
    "share": (_ZERO, _HUNDRED),
    "points": (_ZERO, _HUNDRED, -_HUNDRED),
    "ratio": (_ZERO, _ONE),
}
_TRIED: Mapping[Kind, tuple[int, int]] = {"share": (0, 3), "points": (0, 3), "ratio": (2, 4)}
_WAYS: Mapping[End, str] = {"": ROUND_HALF_UP, "high": ROUND_CEILING, "low": ROUND_FLOOR}


def _round_limit(x: Decimal, kind: Kind) -> Decimal:
    """Return a limit rounded for display: shares and points to one decimal, ratios to two.

    One more decimal is used where it shows the limit exactly; for shares and points only below 1 and above 99 %, where
    0.05 % would be shown as twice as much (1/11 stays 9.1 %). More are used where the result would otherwise be an
    inexact 0, 1 or 100 %.
    """
    places = 2 if kind == "ratio" else 1
    if kind == "ratio" or not _ONE <= x.copy_abs() <= _MOST_WHOLE:
        places += 1 if _round_decimal(x, places) != x == _round_decimal(x, places + 1) else 0
    while (rounded := _round_decimal(x, places)) in _ENDS[kind] and rounded != x:
        places += 1
    return rounded


def _compare_with_limit(x: Decimal, limit: Decimal, kind: Kind) -> int:
    """Return -1, 0 or 1 if a figure is below, equal to or above its limit, ignoring floating-point error.

    Both are in the unit of their text. They count as equal if they differ by at most 1e-9 as a ratio or share. Where
    one of them is exactly 0, 1 (ratios) or 100 %, they must be exactly equal.
    """
    ends = _ENDS[kind]
    tolerance = _SAME if kind == "ratio" else _SAME.scaleb(2, _WIDE)
    if x not in ends and limit not in ends and _WIDE.subtract(x, limit).copy_abs() <= tolerance:
        return 0
    return (x > limit) - (x < limit)


def _is_finite_number(value: Real | None) -> TypeGuard[Real]:
    """Return whether a value is a finite number: not None, NaN or infinite."""
    return value is not None and math.isfinite(value)


def _to_decimal(value: Real) -> Decimal:
    """Return a number as the Decimal of its shortest text, so that 0.145 is exactly 0.145."""
    return value if isinstance(value, Decimal) else Decimal(str(value))


def _to_display_unit(value: Real, kind: Kind) -> Decimal:
    """Return a number in the unit of its text: shares and differences times 100, ratios unchanged.

    A share that is outside 0 to 1 by at most 1e-9, by rounding errors, becomes 0 or 100; ValueError is raised for a
    share further outside.
    """
    x = _to_decimal(value)
    if kind == "ratio":
        return x
    if kind == "share" and not _ZERO <= x <= _ONE:
        if not -_SAME <= x <= _ONE + _SAME:
            raise ValueError(f"a share lies between 0 and 1, not at {x}")
        x = min(max(x, _ZERO), _ONE)
    return x.scaleb(2, _WIDE)


def _to_percentage(share: Real | None) -> Decimal | None:
    """Return a share times 100; None if it is None or not finite. Raise ValueError if it is outside 0 to 1."""
    return _to_display_unit(share, "share") if _is_finite_number(share) else None


def _round_decimal(x: Decimal, places: int, way: str = ROUND_HALF_UP) -> Decimal:
    """Return a number rounded to ``places`` decimals, half away from zero unless ``way`` is another rounding mode."""
    return x.quantize(_ONE.scaleb(-places, _WIDE), rounding=way, context=_WIDE)


def _round_to_multiple(x: Decimal, step: int) -> int:
    """Return a number rounded to the nearest multiple of ``step``, half up."""
    return step * int(_round_decimal(_DIVISION.divide(x, Decimal(step)), 0))


def _percent_places(x: Decimal) -> int:
    """Return the number of decimals of a percentage: none from 1 to 99, else one."""
    return 0 if _ONE <= x <= _MOST_WHOLE else 1


def _points_places(x: Decimal) -> int:
    """Return the number of decimals of a difference in points: one below 10 and between 99 and 100, else none."""
    size = x.copy_abs()
    return 1 if size < _TEN or _MOST_WHOLE < size < _HUNDRED else 0


def _find_near_ends(x: Decimal) -> tuple[Decimal, Decimal] | None:
    """Return the range to state for a percentage near 0 or 100; None for other numbers, and for exactly 0 and 100.

    It is (0, 0.1) for a number between these and (99.9, 100) for a number between these. For negative numbers both
    ends are negative, with the lower end first.
    """
    size = x.copy_abs()
    if _ZERO < size < _LEAST_PERCENT:
        ends = _ZERO, _LEAST_PERCENT
    elif _MOST_PERCENT < size < _HUNDRED:
        ends = _MOST_PERCENT, _HUNDRED
    else:
        return None
    return ends if x > 0 else (ends[1].copy_negate(), ends[0].copy_negate())


def _is_small_upper_end(x: Decimal, way: str) -> bool:
    """Return whether a number is the upper end of an interval and between 0 and 0.1, both exclusive.

    Such an end is written as 0.1. ``way`` is a rounding mode of ``decimal``; upper ends have ROUND_CEILING.
    """
    return way == ROUND_CEILING and _ZERO < x < _LEAST_PERCENT


def _check_share_counts(hits: SupportsIndex, of: SupportsIndex) -> tuple[int, int]:
    """Return both counts of a share; raise ValueError if the part is not between 0 and the whole."""
    part, whole = operator.index(hits), operator.index(of)
    if not 0 <= part <= whole:
        raise ValueError(f"{part} of {whole} is no share")
    return part, whole


def _divide_counts(part: int, whole: int) -> Decimal:
    """Return part / whole with 50 significant digits, more than any share of records needs; it is rounded only once."""
    return _DIVISION.divide(Decimal(part), Decimal(whole))


def shorten_name(text: str) -> str:
    """Return a name shortened to at most 36 characters, with … in place of its middle if it was longer."""
    if len(text) <= LONGEST_NAME:
        return text
    end = (LONGEST_NAME - 1) // 2
    return f"{text[: LONGEST_NAME - 1 - end]}\N{HORIZONTAL ELLIPSIS}{text[-end:]}"


def shorten_path(text: str) -> str:
    """Return a path; if it has more than 36 characters, as much of its beginning as fits, … and the file name.

    A file name is never cut, so the result may stay longer, and a path without folders is returned as it is.
    """
    if len(text) <= LONGEST_NAME:
        return text
    cut = max(text.rstrip("/\\").rfind(sign) for sign in "/\\")
    end = text[max(cut, 0) :]
    most_start = max(LONGEST_NAME - 1 - len(end), 0)
    return f"{text[:most_start]}\N{HORIZONTAL ELLIPSIS}{end}" if cut > 0 else text


# --- numbers that a person types --------------------------------------------------------


class UnreadableNumber(ValueError):
    """Raised for a typed number that cannot be read, with the reason for the window.

    Attributes
    ----------
    why
        ``ambiguous``: a mark before three digits may separate thousands or decimals. ``exponent``: written like 1e5.
        ``not-a-number``: anything else.
    readings
        Numbers that may have been meant, as text; empty where this is unknown.
    """

    def __init__(self, why: Literal["ambiguous", "exponent", "not-a-number"], readings: tuple[str, ...] = ()) -> None:
        """Store why the number cannot be read, and which numbers may have been meant."""
        super().__init__(why)
        self.why = why
        self.readings = readings

    def __reduce__(self) -> tuple[object, ...]:
        """Return how to rebuild the error from both attributes, so that it can be pickled for another process."""
        return (UnreadableNumber, (self.why, self.readings))


_PLAIN = re.compile(r"(?P<whole>[0-9]*)(?:(?P<mark>[.,])(?P<decimals>[0-9]+))?")
_EXPONENT = re.compile(r"(?P<number>[0-9.,]+)[eE](?P<power>[+-]?[0-9]+)")
_LONGEST_POWER = 15  # a longer row of zeros helps nobody to see what was typed


def read_number(text: str, language: str) -> Decimal:
    """Return the number in a text that a person typed.

    Decimals may follow the language's decimal mark or a point. Digits may be grouped by the language's own mark only:
    "1,048,576" and "1,000.5" in English, "1.048.576" and "1.000,5" in German. A single mark that is not the language's
    decimal mark, with digits before it and exactly three behind, is ambiguous and raises an error: "1,000" in English,
    "1.000" and even "0.125" in German.

    Parameters
    ----------
    text
        What was typed; space around it is ignored.
    language
        One of `ppdm_desktop.engine.wording.locales.LOCALES`.

    Raises
    ------
    UnreadableNumber
        When the text is ambiguous, has an exponent, or is not a number in this language ("1,5" in English). Its
        ``readings`` are the possible plain forms, empty where these are unknown.
    """
    locale = locale_of(language)
    typed = text.strip()
    sign = "-" if typed[:1] in ("-", MINUS) else ""
    digits = typed[1:] if typed[:1] in ("-", MINUS, "+") else typed

    plain = _PLAIN.fullmatch(digits)
    if plain and digits:
        whole, decimals = plain["whole"], plain["decimals"] or ""
        if plain["mark"] not in (None, locale.decimal):
            _refuse_unclear_mark(sign, whole, plain["mark"], decimals, locale.decimal)
        return Decimal(f"{sign}{whole or 0}.{decimals or 0}")
    mark, group = re.escape(locale.decimal), re.escape(locale.group)
    if re.fullmatch(f"[1-9][0-9]{{0,2}}({group}[0-9]{{3}})+({mark}[0-9]+)?", digits):
        return Decimal(sign + digits.replace(locale.group, "").replace(locale.decimal, "."))
    if match := _EXPONENT.fullmatch(digits):
        raise UnreadableNumber("exponent", _expand_exponent(sign, match["number"], match["power"], language))
    raise UnreadableNumber("not-a-number")


def _refuse_unclear_mark(sign: str, whole: str, mark: str, decimals: str, decimal: str) -> None:
    """Raise UnreadableNumber for a mark that is not the language's decimal mark; do nothing for a clear point.

    ``whole`` is before the mark, ``decimals`` behind it; ``decimal`` is the language's mark. With digits before it and
    exactly three behind, the mark may separate thousands, so the number is ambiguous: "1.500" in German. Otherwise a
    point is accepted as decimal mark (nothing is raised), and with a comma it is not a number.
    """
    as_decimal = f"{sign}{whole or 0}{decimal}{decimals}"
    if whole and len(decimals) == 3:
        as_group = (f"{sign}{whole}{decimals}",) if len(whole) < 4 and whole[0] != "0" else ()
        raise UnreadableNumber("ambiguous", (*as_group, as_decimal))
    if mark != ".":
        raise UnreadableNumber("not-a-number", (as_decimal,))


def _expand_exponent(sign: str, number: str, power: str, language: str) -> tuple[str, ...]:
    """Return the plain form of a number typed with an exponent, as a tuple: ("100000",) for 1e5.

    The tuple is empty where the number before the exponent is unreadable, or the exponent is beyond ±15.
    """
    if abs(int(power[:4])) > _LONGEST_POWER:
        return ()
    try:
        read = read_number(number, language).scaleb(int(power[:4]), _WIDE)
    except UnreadableNumber:
        return ()
    return (sign + f"{read:f}".replace(".", locale_of(language).decimal),)
