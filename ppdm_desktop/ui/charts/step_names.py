"""Where the names of step curves stand: at a cell in which their curve is ahead, over nobody's line."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QRectF, QSizeF

from ppdm_desktop.engine.arrays import Floats


def name_places(
    across: Floats, heights: Floats, sizes: Sequence[QSizeF], box: QRectF, gap: float
) -> list[QRectF | None]:
    """Return where each name stands: above a cell in which its curve is the highest, or beside it; None without room.

    Parameters
    ----------
    across
        Pixels of the edges, shape (cells + 1,).
    heights
        Pixels of each curve in each cell, shape (curves, cells); less is higher.
    sizes
        Of the names.
    box
        The drawing.
    gap
        Between a name and its line.
    """
    taken: list[QRectF] = []
    found: list[QRectF | None] = []
    middles = (across[:-1] + across[1:]) / 2

    def hides_a_line(label: QRectF) -> bool:
        first = int(np.searchsorted(across[1:], label.left()))
        beneath = heights[:, first : int(np.searchsorted(across[:-1], label.right(), "right"))]
        if not beneath.size:
            return False
        return bool(((beneath.min(axis=1) < label.bottom()) & (beneath.max(axis=1) > label.top())).any())

    for curve, size in enumerate(sizes):
        others = np.delete(heights, curve, axis=0)
        ahead = others.min(axis=0, initial=box.bottom()) - heights[curve]
        # A name of what is out of sight would stand at the edge, beside a line of another.
        seen = (middles >= box.left()) & (middles <= box.right()) & (heights[curve] >= box.top())
        ahead_at = np.argsort(-ahead, kind="stable").tolist()
        cells = [cell for cell in ahead_at if seen[cell] and (ahead[cell] > 0 or not len(others))]
        labels = (
            label
            for cell in cells
            for label in _beside_cell(across[cell : cell + 2], heights[curve, cell], size, box, gap)
            if not any(label.intersects(each) for each in taken) and not hides_a_line(label)
        )
        label = next(labels, None)
        found.append(label)
        taken += [label] if label is not None else []
    return found


def _beside_cell(ends: Floats, height: float, size: QSizeF, box: QRectF, gap: float) -> list[QRectF]:
    """Return the places of a name at a cell: above its middle, then at its right and its left end."""
    (left, right), wide, high = ends.tolist(), size.width(), size.height()
    corners = (
        ((left + right - wide) / 2, height - high - gap / 3),
        (right + gap, height - high / 2),
        (left - wide - gap, height - high / 2),
    )
    return [
        QRectF(min(max(x, box.left() + 2), box.right() - wide), min(max(y, box.top()), box.bottom() - high), wide, high)
        for x, y in corners
        if wide < box.width() and high < box.height()
    ]
