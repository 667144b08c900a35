"""Shares of the cells of one axis, drawn as steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from ppdm_desktop.engine.report.drawing import (
    DARK,
    INK,
    LIGHT,
    LINE,
    WIDTH,
    figure,
    line,
    percent,
    rect,
    rounded,
    ticks,
    words,
)


@dataclass(frozen=True)
class Curve:
    """Shares of the cells of one axis, drawn as steps.

    Attributes
    ----------
    name
        As the legend says it.
    look
        ``filled``, ``dashed`` or ``line``.
    shares
        One for each cell.
    """

    name: str
    look: str
    shares: Sequence[float]


def curves(title: str, caption: str, edges: Sequence[float], drawn: Sequence[Curve], described: str) -> Markup:
    """Return step curves over cells of equal width, with the axis' ends and middle in figures."""
    left, bottom, top = 46.0, 190.0, 30.0
    most = max([share for each in drawn for share in each.shares] or [0.0]) or 1.0
    width = (WIDTH - left - 12) / max(len(edges) - 1, 1)
    parts: list[Markup] = []
    x = left
    for each in drawn:
        parts += [_sample(each, x), words(x + 30, 13, each.name)]
        x += 48 + 6.6 * len(each.name)
    for each in drawn:
        points = []
        for place, share in enumerate(each.shares):
            y = bottom - (bottom - top) * share / most
            points += [(left + width * place, y), (left + width * (place + 1), y)]
        parts.append(_path(each.look, points, bottom))
    parts.append(line(left, bottom, WIDTH - 12, bottom))
    middle = len(edges) // 2
    places = (0, middle, len(edges) - 1)
    for place, tick in zip(places, ticks([edges[place] for place in places]), strict=True):
        anchor = "start" if place == 0 else "end" if place == len(edges) - 1 else "middle"
        parts.append(words(left + width * place, bottom + 14, tick, anchor=anchor, size=11))
    parts.append(words(left - 6, top + 8, percent(most), anchor="end", size=10))
    parts.append(words(left - 6, bottom, percent(0), anchor="end", size=10))
    return figure(parts, bottom + 22, title, described, caption)


def _sample(curve: Curve, x: float) -> Markup:
    if curve.look == "filled":
        return rect("before", x, 4, 24, 10)
    return _path(curve.look, [(x, 9), (x + 24, 9)], 9)


def _path(look: str, points: Sequence[tuple[float, float]], bottom: float) -> Markup:
    if not points:
        return Markup("")
    path = " L".join(f"{rounded(x)} {rounded(y)}" for x, y in points)
    if look == "filled":
        shape = '<path class="bar-before" d="M{} {} L{} L{} {} Z" fill="{}" stroke="{}"/>'
        return Markup(shape).format(
            rounded(points[0][0]), rounded(bottom), path, rounded(points[-1][0]), rounded(bottom), LIGHT, LINE
        )
    dash = Markup(' stroke-dasharray="5 3"') if look == "dashed" else Markup("")
    kind, stroke, wide = ("mark", INK, 1) if look == "dashed" else ("curve", DARK, 2)
    shape = '<path class="{}" d="M{}" style="fill:none" fill="none" stroke="{}" stroke-width="{}"{}/>'
    return Markup(shape).format(kind, path, stroke, wide, dash)
