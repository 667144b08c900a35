"""Names of step curves: beside their own line, over nobody's."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFontMetrics

from ppdm_desktop.ui.charts.curves import Curves, StepCurve
from ppdm_desktop.ui.look.theme import theme

PEAK = (0.0, 0.0, 0.0, 0.0, 0.6, 0.1, 0.1, 0.1, 0.1, 0.0)
FLAT = (0.04, 0.06, 0.1, 0.14, 0.16, 0.16, 0.14, 0.1, 0.06, 0.04)
BETWEEN = (0.0, 0.0, 0.0, 0.0, 0.25, 0.22, 0.2, 0.2, 0.13, 0.0)


@pytest.mark.parametrize("scale", [1.0, 2.0])
@pytest.mark.parametrize("shapes", [(PEAK, FLAT, BETWEEN), (FLAT, BETWEEN, PEAK), (FLAT,), (FLAT, FLAT)])
def test_a_name_hides_no_line(qtbot: Any, scale: float, shapes: tuple[tuple[float, ...], ...]) -> None:
    theme().set_scale(scale)
    chart = Curves(name="chart", words="Curves")
    qtbot.addWidget(chart)
    names = ("original", "released", "worked out")
    curves = [StepCurve(name, shares) for name, shares in zip(names, shapes, strict=False)]
    chart.set_curves(range(11), curves, "Title")
    box, most = QRectF(40, 20, 400, 150), max(max(each) for each in shapes)

    def at(value: float, share: float) -> QPointF:
        return QPointF(box.left() + value / 10 * box.width(), box.bottom() - share / most * box.height())

    found = chart.name_places(QFontMetrics(theme().font(0.85)), box, at)
    labels = [each for each in found if each is not None]
    assert len(found) == len(curves)
    if len(shapes) == 3 and scale == 1.0:
        assert found[shapes.index(PEAK)] is not None
    assert not any(one.intersects(other) for n, one in enumerate(labels) for other in labels[:n])
    for curve in curves:
        corners = [at(edge, share) for n, share in enumerate(curve.shares) for edge in (n, n + 1)]
        for start, end in pairwise(corners):
            line = [start + (end - start) * (part / 40) for part in range(41)]
            assert not any(label.contains(point) for label in labels for point in line), curve.name
    chart.grab()
    theme().set_scale(1.0)
