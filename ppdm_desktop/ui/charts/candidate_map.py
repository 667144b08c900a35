"""The risk-utility map as a scene: each candidate by what an intruder can find and how useful it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine.report.scene.model import Axis, Label, Mark, Points, Role, Row, Rule, Scene
from ppdm_desktop.ui.look.spoken import in_sentences

RELEASED, REASONS, BLOCKED, ORIGINAL = "released", "released-with-reasons", "blocked", "original"
KINDS = (RELEASED, REASONS, BLOCKED, ORIGINAL)
"""Kinds of points: the outcome of a verdict, or the original."""
_ROLES: dict[str, Role] = {RELEASED: "allowed", REASONS: "reasons", BLOCKED: "stopped", ORIGINAL: "original"}
_WHOLE, _ABOVE = 1.0, 0.15
"""Upper end of the axes, and the space above it as a share of the drawn range."""


@dataclass(frozen=True)
class MapPoint:
    """One point of the map.

    Attributes
    ----------
    key
        Name of the candidate; empty for the original, which cannot be opened.
    label
        Text beside the point.
    risk, use
        Coordinates, 0 to 100.
    kind
        ``released``, ``released-with-reasons``, ``blocked`` or ``original``.
    words
        Name and figures, for the line above the drawing and for screen readers.
    frontier
        Whether no other point is better on both axes.
    """

    key: str
    label: str
    risk: float
    use: float
    kind: str
    words: str
    frontier: bool = False


@dataclass(frozen=True)
class MapAxes:
    """Titles of both axes, and the limit of the risk with its label (None without a limit)."""

    risk: str
    use: str
    limit: float | None = None
    limit_words: str = ""


def map_scene(
    points: Sequence[MapPoint],
    axes: MapAxes,
    title: str,
    *,
    cells: Sequence[tuple[str, ...]],
    names: Sequence[str],
    small: str = "",
    current: str = "",
) -> Scene:
    """Return the scene of the map.

    Parameters
    ----------
    points
        Points; the original has no key.
    axes
        Titles of the axes, and the limit.
    title
        Sentence that says what the map shows.
    cells
        The points as rows of a table.
    names
        Labels in the legend: one for each of ``KINDS``, and one for the frontier.
    small
        Small print below the map.
    current
        Key of the selected candidate, whose label is placed first.
    """
    risks, uses = ([getattr(point, key) / 100 for point in points] for key in ("risk", "use"))
    x, y = _axes(risks, uses, axes)
    marks: list[Mark] = []
    on_it = sorted((risk, use) for point, risk, use in zip(points, risks, uses, strict=True) if point.frontier)
    if len(set(on_it)) > 1:  # one place is no line, and the legend names none
        line = np.array(on_it)
        marks.append(Points("frontier", names[-1], line[:, 0], line[:, 1], joined=True))
    for kind, name in sorted(zip(KINDS, names, strict=False), key=lambda pair: pair[0] != ORIGINAL):
        places = [index for index, point in enumerate(points) if point.kind == kind]
        if places:
            at = np.array([(risks[index], uses[index]) for index in places])
            marks.append(Points(_ROLES[kind], name, at[:, 0], at[:, 1]))
    if axes.limit is not None:
        marks.append(Rule("limit", axes.limit / 100, axes.limit_words))
    for point, risk, use in zip(points, risks, uses, strict=True):
        weight = 2 if point.key and point.key == current else int(point.frontier)
        marks.append(Label(risk, use, point.label, weight))
    rows = [
        Row(cell, point.words, (risk, use), key=point.key)
        for cell, point, risk, use in zip(cells, points, risks, uses, strict=True)
    ]
    sentence = in_sentences([title, axes.risk, axes.use, axes.limit_words])
    return Scene(title, "", small, x, y, tuple(marks), sentence, tuple(rows))


def _axes(risks: Sequence[float], uses: Sequence[float], axes: MapAxes) -> tuple[Axis, Axis]:
    """Return both axes: the risk from 0, the usefulness from below its least value, both to a little above 100."""
    limits = [] if axes.limit is None else [axes.limit / 100]
    right = max(max([*risks, *limits], default=0.01) * 1.1, 0.01)
    low, high = min(uses, default=0.0), max(uses, default=1.0)
    spare = max((high - low) * 0.1, 0.02)
    low, high = max(low - spare, 0.0), high + spare
    high = max(min(high, _WHOLE + (_WHOLE - low) * _ABOVE), low + spare)
    return Axis(axes.risk, 0.0, right, percent=True), Axis(axes.use, low, high, percent=True)
