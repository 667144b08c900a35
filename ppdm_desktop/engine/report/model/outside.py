"""What uniqueness in the file says of all the people it was drawn from, in the report."""

from __future__ import annotations

from typing import Literal

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.report.model.base import Part


class MapEntry(Part):
    """The risk by a table of all people, for someone who does not know who is in the file.

    Attributes
    ----------
    journalist_max, journalist_mean
        Highest chance of being found, and its mean over classes.
    marketer
        Share of people found on average by someone who looks for everybody.
    presence
        Largest share of the people with some details who are in the file.
    """

    journalist_max: float
    journalist_mean: float
    marketer: float
    presence: float


class ExpertEntry(Part):
    """Figures for experts: bounds that always hold, and models that disagree.

    Attributes
    ----------
    low, high
        Bounds of the share of unique people who are unique among all people too.
    zayatz, pitman, dankar
        The same share by three models.
    individual
        Mean risk of the unique people by Benedetti & Franconi.
    """

    low: float
    high: float
    zayatz: float
    pitman: float
    dankar: float
    individual: float


class OutsideEntry(Part):
    """The people the file was drawn from, and what being unique in the file means among them.

    Attributes
    ----------
    who, size, drawn
        As the owner says; the size is worked out of weights or a table where it was left out.
    by_table
        Whether there is a table of all people.
    theta
        The chance that a person with the details of somebody unique in the file is that person.
    f
        How many classes have one, two and three people.
    left_out
        How many of the unique people show no value somewhere, or are not in the release.
    kmap, expert
        By a table of all people, and for experts; None where they do not exist.
    """

    who: str
    size: int | None
    drawn: Literal["everybody", "random", "not-random"]
    by_table: bool
    theta: Figure
    f: list[int]
    left_out: int
    kmap: MapEntry | None
    expert: ExpertEntry | None
