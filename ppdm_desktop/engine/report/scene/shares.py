"""Shares of records as charts write them: of fewer than 100 records the count, else the percentage."""

from __future__ import annotations

from collections.abc import Iterable

from ppdm_desktop.engine.figure import SHARE, SHARE_OF_RECORDS, SHARE_RIGHT, Figure
from ppdm_desktop.engine.report.drawing import percent
from ppdm_desktop.engine.wording.catalogue import language, numbers_of
from ppdm_desktop.engine.wording.numbers import FEW
from ppdm_desktop.engine.wording.values import Ratio, Share

_EXACT = 1e-9
"""Sums of shares miss a whole count by less."""


def recover_count(share: float | None, of: int) -> int | None:
    """Return the whole number behind a share of fewer than 100 records: 6 for 0.375 of 16, and 0 for 0 of 16.

    None for 100 records and more, without records (``of`` 0), without a share, and where share times records is no
    whole number from 0 to ``of``.

    Parameters
    ----------
    share
        Of the records; None where it was not measured.
    of
        How many records there are; 0 where nothing is known of them.
    """
    if share is None or not 0 < of < FEW:
        return None
    hits = round(share * of)
    return hits if 0 <= hits <= of and abs(share * of - hits) < _EXACT * of else None


def common_base(shares: Iterable[tuple[float, int]]) -> int:
    """Return the number of records if all shares are whole counts of the same fewer than 100 records; else 0.

    Parameters
    ----------
    shares
        Each with the number of records it is of.
    """
    bases = {of if recover_count(share, of) is not None else 0 for share, of in shares}
    return bases.pop() if len(bases) == 1 else 0


def format_share_of(share: float, of: int) -> str:
    """Return a share in words: "6 of 16" for a whole count of fewer than 100 records, else a percentage."""
    hits = recover_count(share, of)
    return percent(share) if hits is None else numbers_of(language()).share(hits, of)


def format_estimate(share: float, of: int) -> str:
    """Return an estimated share in words: "5.55 of 16" for fewer than 100 records, else a percentage.

    A percentage also where the number of records is not known (0). A whole count is written as an exact share is: "6 of
    16".
    """
    if not 0 < of < FEW or recover_count(share, of) is not None:
        return format_share_of(share, of)
    numbers = numbers_of(language())
    return numbers.locale.phrases.of.format(numbers.number(share * of), numbers.count(of))


def share_value(share: float, of: int, beside: float | None = None) -> Share | Ratio:
    """Return a share of records as the value of a sentence.

    It is a count where it is a whole count of fewer than 100 records, else a percentage.

    Parameters
    ----------
    share, of
        The share, and the number of records it is of.
    beside
        Another share in the same sentence, from which it is to differ in the words as well.
    """
    hits = recover_count(share, of)
    return Ratio(share, beside=beside) if hits is None else Share(hits, of)


def count_base_records(figure: Figure) -> int:
    """Return of how many records a figure is a share; 0 where it is no counted share."""
    return figure.n or 0 if figure.unit in (SHARE, SHARE_OF_RECORDS, SHARE_RIGHT) else 0
