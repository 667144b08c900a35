"""Each chart of a page alone, as it stands there, zoomed where it can be, and as it is saved."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QWidget
from ui_support import let_work

from ppdm_desktop.ui.charts.card import ChartCard
from ppdm_desktop.ui.charts.gauge import Gauge
from ppdm_desktop.ui.charts.plot import PlotView
from ppdm_desktop.ui.charts.record_heatmap import HeatView
from ppdm_desktop.ui.look.theme import theme
from tests.ui.photographs import photograph

SAVED = "light-100"
"""The look in which pictures to keep are made: they are the same in all."""
PAIR = "pair"
"""The card of two columns, which draws what suits them."""
CLOSER = 4.0
"""How many times narrower is what is seen of a zoomed plot."""


def charts_of(window: QWidget, seen: set[tuple[str, str]]) -> Iterator[tuple[str, QPixmap]]:
    """Yield every chart that is in sight, once in each look, with a name of its own.

    Parameters
    ----------
    window
        Where to look.
    seen
        Charts and looks that were photographed before; those that are now come to them.
    """
    look = f"{'dark' if theme().is_dark else 'light'}-{round(100 * theme().scale)}"
    for each in window.findChildren(QWidget):
        if not each.isVisible() or not isinstance(each, ChartCard | Gauge | HeatView):
            continue
        card = each if isinstance(each, ChartCard) else None
        if card is not None and card.button.isChecked():
            continue
        id = card.keep.objectName().removeprefix("button_keep_") if card is not None else each.objectName()
        if id == PAIR and card is not None:
            # Two numbers, a number and words, two words: each is a chart of its own.
            id = card.chart.objectName()
        if (id, look) in seen:
            continue
        seen.add((id, look))
        # The legend of the map of records stands beside it.
        around = each.parentWidget() if isinstance(each, HeatView) else None
        yield f"chart-{id}-{look}", photograph(around or each)
        plots = [plot for plot in each.findChildren(PlotView) if plot.isVisible()]
        if plots:
            plots[0].zoom(CLOSER)
            let_work(30)
            yield f"chart-{id}-zoomed-{look}", photograph(each)
            plots[0].zoom_out()
        if card is not None and look == SAVED:
            yield f"chart-{id}-saved", QPixmap.fromImage(card.picture().image())
