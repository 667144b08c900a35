"""Numbers in charts as text, in the format of the window's language."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

from ppdm_desktop.engine.wording.catalogue import _, language, numbers_of
from ppdm_desktop.engine.wording.numbers import FEW


def change_header(before: int, after: int) -> str:
    """Return the heading of a column of changes: "Change (records)" or "Change (percentage points)".

    It is records if both versions have the same number of records, below 100.
    """
    if _has_same_few_records(before, after):
        return _("Change (records)")
    return _("Change (percentage points)")


def format_change(share_before: float, share_after: float, before: int, after: int) -> str:
    """Return the change of a share of the records with sign, in the unit named by ``change_header``.

    That is records if both numbers of records are equal and below 100, else percentage points: from 0.4 to 0.5 of 20
    records it is "+2", of 5,000 records "+10.0".

    Parameters
    ----------
    share_before, share_after
        The shares before and after, 0 to 1.
    before, after
        Number of records before and after.
    """
    change = share_after - share_before
    return (
        _format_with_sign(round(change * after), 0)
        if _has_same_few_records(before, after)
        else _format_with_sign(100 * change, 1)
    )


def _has_same_few_records(before: int, after: int) -> bool:
    """Return whether both files have the same number of records, fewer than ``FEW``, so that counts say more."""
    return before == after < FEW


def plain_number(value: float) -> str:
    """Return a measured number with three significant digits in the user's language: 38.6, 1,080, 0.0023."""
    return numbers_of(language()).number(value)


def format_strength(value: float | None) -> str:
    """Return the strength of an association as text with two decimals; a dash for None or NaN."""
    if value is None or value != value:
        return numbers_of(language()).none(cell=True)
    return format_decimals(value, 2)


def format_signed_change(value: float | None) -> str:
    """Return a change with sign and two decimals; without sign if it rounds to 0; a dash for None or NaN."""
    if value is None or value != value:
        return numbers_of(language()).none(cell=True)
    return _format_with_sign(value, 2)


def format_decimals(value: float, places: int) -> str:
    """Return a number as text with a fixed number of decimals in the user's language, half rounded away from 0."""
    smallest = Decimal(1).scaleb(-places)
    rounded = Decimal(str(float(value))).quantize(smallest, rounding=ROUND_HALF_UP)
    # Beside the smallest step every number has as many decimals as that.
    return numbers_of(language()).ticks((rounded, smallest))[0]


def _format_with_sign(value: float, places: int) -> str:
    """Return a number with ``places`` decimals in the user's language, "+" in front if it rounds above 0."""
    text = format_decimals(value, places)
    return f"+{text}" if value > 0 and any(word in "123456789" for word in text) else text
