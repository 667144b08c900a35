"""Sentences about so few people that counts are stated instead of shares and intervals."""

from __future__ import annotations

import math
from dataclasses import replace

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.wording.numbers import FEW
from ppdm_desktop.engine.wording.values import Number, Ratio, Share, Versus

FEWEST = 20
"""People below which counts alone are given."""
PEOPLE = "people"
SHARE_OR_PEOPLE = f"share or {PEOPLE}"
_ROUNDING = 1e-9
_WHOLE = 1e-6
"""A share of people that was counted comes to a whole number of them, but for rounding."""


def are_few(evidence: Evidence) -> bool:
    """Return whether the release holds too few people for a share or an interval."""
    return evidence.candidate.final.persons.count < FEWEST


def share_of(evidence: Evidence, count: int, people: int, limit: float) -> tuple[Figure, float]:
    """Return a share of people and its limit; for few people the count and the limit in people.

    Parameters
    ----------
    evidence
        The evidence on the release.
    count, people
        Number of people counted, and number of all people.
    limit
        Largest share allowed.
    """
    if are_few(evidence):
        return Figure(count, n=people, unit=PEOPLE), math.floor(limit * people + _ROUNDING)
    return Figure(count / people, n=people, unit="share"), limit


def counted(figure: Figure) -> Figure:
    """Return a share of few people as a count without an interval."""
    return Figure(float(figure.value or 0.0) * (figure.n or 0), n=figure.n, unit=PEOPLE, method=figure.method)


def whole(count: float) -> int | Number:
    """Return a count for a sentence; ties between people may give fractions."""
    return round(count) if math.isclose(count, round(count), abs_tol=0.05) else Number(count)


def right_with_and_without(with_record: Figure, without: Figure) -> tuple[Share | Ratio, Share | Ratio]:
    """Return how many people an attack guesses right with and without a record, rounded so that the gain adds up."""
    right_with, right_without = right_for(with_record), right_for(without)
    assert not isinstance(right_with, Versus)
    assert not isinstance(right_without, Versus)
    success_pair = float(without.value or 0.0), float(with_record.value or 0.0)
    return replace(right_with, beside=success_pair[0]), replace(right_without, beside=success_pair[1])


def right_for(figure: Figure, limit: float | None = None) -> Share | Versus | Ratio:
    """Return how many people an attack guesses right: a number for few people, else a share.

    Parameters
    ----------
    figure
        The share, with the number of people.
    limit
        The limit, which decides how many digits are written; None without a limit.
    """
    share, people = float(figure.value or 0.0), figure.n or 0
    hits = share * people
    if 0 < people < FEW and math.isclose(hits, round(hits), abs_tol=_WHOLE):
        return Share(round(hits), people)
    return Ratio(share) if limit is None else Versus(share, limit)
