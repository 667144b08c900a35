"""Where the labels of a scatter stand: nearest to their own mark, over no other mark or label, off lines."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF

# Right, left, above, below, then the corners: in this order they are easiest to read.
_SIDES = ((1, 0), (-1, 0), (0, -1), (0, 1), (1, -1), (1, 1), (-1, -1), (-1, 1))
_FAR = (1.0, 2.2)


@dataclass(frozen=True)
class Wanted:
    """A label that wants a place.

    Attributes
    ----------
    at
        Middle of its mark.
    size
        Of the words.
    half
        Half the width of its mark.
    """

    at: QPointF
    size: QSizeF
    half: float


def group_points(points: Sequence[QPointF], apart: float) -> list[list[int]]:
    """Return which marks lie so close that one label serves them: groups of places, in the order of their first."""
    groups: list[list[int]] = []
    for place, point in enumerate(points):
        for group in groups:
            first = points[group[0]]
            if abs(first.x() - point.x()) <= apart and abs(first.y() - point.y()) <= apart:
                group.append(place)
                break
        else:
            groups.append([place])
    return groups


def place_labels(
    wanted: Sequence[Wanted], blocks: Sequence[QRectF], lines: Sequence[QLineF], box: QRectF, gap: float
) -> list[QRectF | None]:
    """Return a place for each label, None where there is none; the first ones choose first.

    Parameters
    ----------
    wanted
        Labels, the most important first.
    blocks
        What no label may cover: marks, and other words.
    lines
        Lines that are covered only where nothing else is free but a place that is nearer to another mark.
    box
        What no label may leave.
    gap
        Between a mark and its label.
    """
    taken: list[QRectF] = []
    found: list[QRectF | None] = []
    for each in wanted:
        best: tuple[tuple[int, int], QRectF] | None = None
        others = [other.at for other in wanted if other is not each]
        for far in _FAR:
            for side in _SIDES:
                rect = _beside(each, side, each.half + far * gap)
                if not box.contains(rect) or any(rect.intersects(other) for other in (*blocks, *taken)):
                    continue
                own = _away(rect, each.at)
                cost = sum(_away(rect, at) < own for at in others), sum(_crosses(line, rect) for line in lines)
                if best is None or cost < best[0]:
                    best = (cost, rect)
            if best is not None and best[0] == (0, 0):
                break
        found.append(best[1] if best is not None else None)
        if best is not None:
            taken.append(best[1])
    return found


def _away(rect: QRectF, at: QPointF) -> float:
    """Return how far a mark is from words: these are read as the name of the nearest."""
    across = max(rect.left() - at.x(), at.x() - rect.right(), 0.0)
    return math.hypot(across, max(rect.top() - at.y(), at.y() - rect.bottom(), 0.0))


def _beside(wanted: Wanted, side: tuple[int, int], off: float) -> QRectF:
    wide, high = wanted.size.width(), wanted.size.height()
    across, down = side
    x = wanted.at.x() + across * off - (wide / 2 if across == 0 else wide if across < 0 else 0)
    y = wanted.at.y() + down * off - (high / 2 if down == 0 else high if down < 0 else 0)
    return QRectF(x, y, wide, high)


def _crosses(line: QLineF, rect: QRectF) -> bool:
    """Say whether a line goes through a rectangle (what is left of it between each pair of sides; Liang and Barsky)."""
    first, last = 0.0, 1.0
    ends = (
        (line.x1(), line.dx(), rect.left(), rect.right()),
        (line.y1(), line.dy(), rect.top(), rect.bottom()),
    )
    for start, along, low, high in ends:
        if along == 0.0:
            if not low <= start <= high:
                return False
            continue
        one, other = (low - start) / along, (high - start) / along
        first, last = max(first, min(one, other)), min(last, max(one, other))
    return first <= last
