"""Report figures and their intervals in words."""

from __future__ import annotations

from ppdm_desktop.engine.figure import Figure, Measure
from ppdm_desktop.engine.report.drawing import percent
from ppdm_desktop.engine.report.scene.shares import counted, records_of
from ppdm_desktop.engine.wording.catalogue import _, language, numbers_of
from ppdm_desktop.engine.wording.values import Number, Term


def shown_number(value: float | str | None) -> str:
    """Return a count or measured number in words; a text unchanged, and a dash for None."""
    numbers = numbers_of(language())
    if value is None:
        return numbers.none(cell=True)
    if isinstance(value, str):
        return value
    return numbers.count(int(value)) if float(value).is_integer() else numbers.number(value)


def kind_of(figure: Figure) -> str:
    """Return how a figure is written: ``change`` for differences, ``percent`` for shares, and so on."""
    if figure.unit != "share":
        return "number"
    return "change" if any(end is not None and end < 0 for end in (figure.value, figure.low)) else "percent"


def write_value(value: float, kind: str, of: int = 0) -> str:
    """Return a number in words of its kind.

    Parameters
    ----------
    kind
        ``count``, ``percent``, ``people`` (a share of people: of few the count itself), ``change``,
        ``noise`` (an error in units of the noise) or ``number``.
    of
        How many people it is a share of, for ``people``.
    """
    numbers = numbers_of(language())
    hits = counted(value, of) if kind == "people" else None
    if hits is not None:
        return numbers.share(hits, of)
    if kind in ("percent", "people"):
        return percent(float(value))
    # A gain of nothing is a figure, and no value that stayed as it was.
    if kind == "change":
        return numbers.change(float(value)) if value else numbers.points(0.0)
    if kind == "noise":
        return _("{error} × noise", error=Number(value))
    return shown_number(value)


def write_interval(figure: Figure, kind: str) -> str:
    """Return the ends of a figure's interval in words; empty where the figure is exact."""
    low, high = figure.low, figure.high
    if low is None or high is None or low >= high:
        return ""
    is_share = kind in ("percent", "people")
    if is_share and 0 <= low <= high <= 1:
        return numbers_of(language()).between(low, high)
    if kind == "change":
        return numbers_of(language()).change_between(low, high)
    ends = (percent(low, "low"), percent(high, "high")) if is_share else (shown_number(low), shown_number(high))
    return _("{low} to {high}", low=Term(ends[0]), high=Term(ends[1]))


def write_figure(figure: Figure, kind: str) -> str:
    """Return a figure with its 95 % interval in brackets; the reason where it was not measured."""
    if figure.value is None:
        return _("no figure: {why}", why=figure.reason)
    text, interval = write_value(float(figure.value), kind, figure.n or 0), write_interval(figure, kind)
    if not interval:
        return text
    return _("{figure} (95% interval: {interval})", figure=Term(text), interval=Term(interval))


def write_measure(figure: Figure, measure: Measure) -> str:
    """Return a figure for a table cell, as its measure writes it; a dash where it was not measured."""
    if figure.value is None:
        return numbers_of(language()).none(cell=True)
    return write_value(float(figure.value), measure.kind, records_of(figure))
