"""What is said of so few people that a share or an interval would say nothing: counts alone."""

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
    """Say whether the release holds too few people for a share or an interval."""
    return evidence.candidate.final.persons.count < FEWEST


def share_of(evidence: Evidence, count: int, people: int, limit: float) -> tuple[Figure, float]:
    """Return a share of people and its limit; of few people the count, and how many the limit comes to.

    Parameters
    ----------
    evidence
        The release.
    count, people
        So many of so many.
    limit
        The most that is allowed, as a share.
    """
    if are_few(evidence):
        return Figure(count, n=people, unit=PEOPLE), math.floor(limit * people + _ROUNDING)
    return Figure(count / people, n=people, unit="share"), limit


def counted(figure: Figure) -> Figure:
    """Return a share of few people as the count that it stands for, without its interval."""
    return Figure(float(figure.value or 0.0) * (figure.n or 0), n=figure.n, unit=PEOPLE, method=figure.method)


def whole(count: float) -> int | Number:
    """Return a count for a sentence; a tie between several people makes a part of one."""
    return round(count) if math.isclose(count, round(count), abs_tol=0.05) else Number(count)


def right_with_and_without(with_record: Figure, without: Figure) -> tuple[Share | Ratio, Share | Ratio]:
    """Return for how many people an attack is right with a record and without it, written so that the gain adds up."""
    right_with, right_without = right_for(with_record), right_for(without)
    assert not isinstance(right_with, Versus)
    assert not isinstance(right_without, Versus)
    success_pair = float(without.value or 0.0), float(with_record.value or 0.0)
    return replace(right_with, beside=success_pair[0]), replace(right_without, beside=success_pair[1])


def right_for(figure: Figure, limit: float | None = None) -> Share | Versus | Ratio:
    """Return for how many people an attack is right: of few their number, else the share.

    Parameters
    ----------
    figure
        The share, on so many people.
    limit
        What it is held against, so that it is written as finely as that needs; None where it is held against nothing.
    """
    share, people = float(figure.value or 0.0), figure.n or 0
    hits = share * people
    if 0 < people < FEW and math.isclose(hits, round(hits), abs_tol=_WHOLE):
        return Share(round(hits), people)
    return Ratio(share) if limit is None else Versus(share, limit)
