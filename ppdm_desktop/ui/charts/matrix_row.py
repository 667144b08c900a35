"""A few small matrices side by side or, if there is no room, one of them with a switch."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from ppdm_desktop.engine.report.scene.model import Scene
from ppdm_desktop.ui.charts.drawn_view import DrawnView
from ppdm_desktop.ui.look.spoken import as_group
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.widgets.basic import Text
from ppdm_desktop.ui.widgets.buttons import Segments
from ppdm_desktop.ui.widgets.layout import STRETCH, Panel, hbox, vbox

_GAP = 14


class MatrixRow(Panel):
    """Matrices with captions.

    Parameters
    ----------
    name
        Object name; the matrices are ``<name>_<key>``, the switch ``<name>_shown``.
    label
        Accessible name of the whole.
    parts
        (key, caption) of each matrix, from the left.
    first
        Key of the matrix shown first if there is room for one only.

    Signals
    -------
    chosen
        Key of the cell that was chosen in any matrix.
    """

    spoken = as_group

    chosen = Signal(str)

    def __init__(self, *, name: str, label: str, parts: Sequence[tuple[str, str]], first: str) -> None:
        super().__init__(name=name, label=label)
        self.captions = dict(parts)
        column = vbox(on=self, gap=6)
        self.switch = Segments(parts, name=f"{name}_shown", label=label, chosen=self._on_switched)
        self.switch.set_current(first)
        column.addWidget(self.switch)
        row = hbox(gap=_GAP)
        self.charts: dict[str, DrawnView] = {}
        self._boxes: dict[str, QWidget] = {}
        self._labels: dict[str, Text] = {}
        for key, caption in parts:
            box = QWidget()
            heading = Text(caption, tone="text2", semibold=True, factor=0.9)
            chart = DrawnView(name=f"{name}_{key}", label=caption)
            chart.opened.connect(self._on_chosen)
            vbox(heading, chart, STRETCH, on=box, gap=2)
            row.addWidget(box, 1)
            self.charts[key], self._boxes[key], self._labels[key] = chart, box, heading
        column.addLayout(row)
        self._together: bool | None = None
        theme().changed.connect(self.fit)

    @property
    def together(self) -> bool:
        """Whether all matrices are shown side by side."""
        return bool(self._together)

    def _on_chosen(self, key: str) -> None:
        """Mark the same pair in all matrices, and report which one was chosen."""
        for chart in self.charts.values():
            chart.point_at(key)
        self.chosen.emit(key)

    def _on_switched(self, _key: str) -> None:
        """Decide anew whether the matrices stand side by side after a legend was switched."""
        self._together = None
        self.fit()

    def fit(self) -> None:
        """Show all matrices if their figures fit side by side, otherwise only the selected one."""
        needed = sum(chart.good_width() for chart in self.charts.values())
        together = self.width() >= needed + (len(self.charts) - 1) * theme().px(_GAP)
        if together == self._together:
            return
        self._together = together
        self.switch.setVisible(not together)
        for key, box in self._boxes.items():
            box.setVisible(together or key == self.switch.current)
            self._labels[key].setVisible(together)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show all matrices or one for the new width."""
        super().resizeEvent(event)
        self.fit()

    def minimumSizeHint(self) -> QSize:
        """Return the size of one matrix."""
        return QSize(theme().px(180), super().minimumSizeHint().height())

    @property
    def scenes(self) -> tuple[Scene, ...]:
        """The scenes of the visible matrices, from the left."""
        visible_keys = (key for key in self.charts if self.together or key == self.switch.current)
        return tuple(scene for key in visible_keys for scene in self.charts[key].scenes)
