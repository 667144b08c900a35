"""Names of step curves: beside their own line, over nobody's."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF, QSizeF

from ppdm_desktop.ui.charts.step_names import name_places

PEAK = (0.0, 0.0, 0.0, 0.0, 0.6, 0.1, 0.1, 0.1, 0.1, 0.0)
FLAT = (0.04, 0.06, 0.1, 0.14, 0.16, 0.16, 0.14, 0.1, 0.06, 0.04)
BETWEEN = (0.0, 0.0, 0.0, 0.0, 0.25, 0.22, 0.2, 0.2, 0.13, 0.0)


@pytest.mark.parametrize("scale", [1.0, 2.0])
@pytest.mark.parametrize("shapes", [(PEAK, FLAT, BETWEEN), (FLAT, BETWEEN, PEAK), (FLAT,), (FLAT, FLAT)])
def test_a_name_hides_no_line(scale: float, shapes: tuple[tuple[float, ...], ...]) -> None:
    box, most = QRectF(40, 20, 400, 150), max(max(each) for each in shapes)
    across = box.left() + np.linspace(0, box.width(), 11)
    heights = np.array([[box.bottom() - share / most * box.height() for share in each] for each in shapes])
    found = name_places(across, heights, [QSizeF(44 * scale, 14 * scale)] * len(shapes), box, 3 * scale)
    labels = [each for each in found if each is not None]
    assert len(found) == len(shapes)
    if len(shapes) == 3 and scale == 1.0:
        assert found[shapes.index(PEAK)] is not None
    assert not any(one.intersects(other) for n, one in enumerate(labels) for other in labels[:n])
    for line in heights:
        corners = [QPointF(across[edge], line[n]) for n in range(10) for edge in (n, n + 1)]
        for start, end in pairwise(corners):
            points = [start + (end - start) * (part / 40) for part in range(41)]
            assert not any(label.contains(point) for label in labels for point in points)
