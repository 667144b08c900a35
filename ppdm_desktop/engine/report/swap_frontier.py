"""The frontier of a swap: what each search loses of the relations, against what an attempt to undo it gains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from ppdm_desktop.engine.report.drawing import DARK, GROUND, LEFT, WIDTH, figure, line, rounded, ticks, words
from ppdm_desktop.engine.report.report_words import SEARCHES
from ppdm_desktop.engine.wording.catalogue import later, say
from ppdm_desktop.engine.wording.values import Name, Number, Points, Term

_HEIGHT, _TOP, _BOTTOM, _RIGHT = 250, 20, 46, 30
_START = LEFT - 120
_LETTER = 7.0
"""Of a name, at most on average, in the drawing's own unit."""


def calibrations(detail: Mapping[str, Any]) -> list[tuple[str, str, Mapping[str, Any]]]:
    """Return what a step's detail holds of calibrated swaps.

    Parameters
    ----------
    detail
        The step's ``detail``.

    Returns
    -------
    Of each column, and of those that moved as one: its name, the way to it inside the detail, and what stands there.
    """
    columns = detail.get("columns")
    found = (
        [(str(name), f"columns.{name}", own) for name, own in columns.items()] if isinstance(columns, Mapping) else []
    )
    joint = detail.get("together")
    if isinstance(joint, Mapping):
        found.append((", ".join(joint["together"]), "together", joint))
    return [(name, path, own) for name, path, own in found if isinstance(own, Mapping) and "calibration" in own]


def beyond(point: Mapping[str, Any]) -> float:
    """Return by how much the more successful attempt exceeds its control's 95 % interval, a difference of shares.

    Negative inside the interval.

    Parameters
    ----------
    point
        An entry of ``detail.columns[].calibration.frontier``.
    """
    attacks = [point[name] for name in ("bayes", "boosting") if point[name] is not None]
    return max(float(each["success"] - each["high"]) for each in attacks)


def swap_frontier_chart(column: str, points: Sequence[Mapping[str, Any]]) -> Markup:
    """Draw each search as a point: to the right it can be undone, and upwards it loses relations.

    Parameters
    ----------
    column
        The swapped column.
    points
        The frontier of its calibration; at least one.
    """
    gains = [beyond(point) for point in points]
    losses = [float(point["divergence"]) for point in points]
    low, high = min(-0.01, *gains), max(0.01, *gains)
    most = max([*losses, 1e-9])
    width, height = WIDTH - _START - _RIGHT, _HEIGHT - _TOP - _BOTTOM
    floor = _TOP + height

    def across(value: float) -> float:
        return _START + (value - low) / (high - low) * width

    def up(value: float) -> float:
        return floor - value / most * height

    parts = [
        line(_START, floor, _START + width, floor),
        line(_START, _TOP, _START, floor),
        line(across(0.0), _TOP, across(0.0), floor, dashed=True, stroke=DARK),
        words(
            _START,
            _HEIGHT - 8,
            say("report", "Found beyond the control’s 95% interval, in percentage points"),
            soft=True,
        ),
        words(_START, _TOP - 6, say("report", "Divergence (nats)"), soft=True),
    ]
    for value, text in zip((low, 0.0, high), ticks((100 * low, 0.0, 100 * high)), strict=True):
        parts.append(words(across(value), floor + 16, text, anchor="middle", soft=True))
    for value, text in zip((0.0, most), ticks((0.0, most)), strict=True):
        parts.append(words(_START - 6, up(value) + 4, text, anchor="end", soft=True))
    spoken = []
    for point, gained, lost in zip(points, gains, losses, strict=True):
        search = SEARCHES.get(point["search"], Term(str(point["search"])))
        name = str(search)
        x, y = across(gained), up(lost)
        dot = '<circle class="mark" cx="{}" cy="{}" r="5" fill="{}" stroke="{}"/>'
        filled = DARK if point["search"] == "calibrated" else GROUND
        parts.append(Markup(dot).format(rounded(x), rounded(y), filled, DARK))
        at, anchor = _beside(x, name, across(0.0), _START + 0.7 * width)
        parts.append(words(at, y + 4, name, anchor=anchor))
        one = later("report", "{name}: divergence {lost}, found beyond the interval {gained}")
        spoken.append(one.said(name=search, lost=Number(lost), gained=Points(gained)))
    title = say("report", "What swaps of {column} lose, and what undoing them would find", column=Name(column))
    caption = say(
        "report",
        "The lower a point, the less the swap changes the relationships between columns. Right of the dashed line, an "
        "intruder who undoes the swap finds more true values than chance explains.",
    )
    return figure(parts, _HEIGHT, title, "; ".join(spoken), caption)


def _beside(x: float, name: str, dashed: float, last: float) -> tuple[float, str]:
    """Return where a point's name stands and its anchor: beside the point, and never on the dashed line."""
    gap, wide = 9.0, _LETTER * len(name)
    if x > last:
        return x - gap, "end"
    if not x + gap < dashed < x + gap + wide:
        return x + gap, "start"
    return (x - gap, "end") if x - gap - wide > _START else (dashed + gap, "start")
