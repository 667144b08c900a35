"""Figures for several values of one setting: a plot for each figure, one below another, zoomed together."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QSizePolicy

from ppdm_desktop.engine.report.scene.model import Axis, Band, Mark, Points, Row, Rule, Scene
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.ui.charts.drawn_view import DrawnView
from ppdm_desktop.ui.look.accessibility import as_group, join_sentences
from ppdm_desktop.ui.widgets.layout import Panel, vbox

_LEAST_SPAN, _HIGH, _MARGIN = 0.02, 130, 0.07
_HALF_BAR = 0.12
"""Half the width of the bar of a value that is a word; neighbouring values are 1 apart."""


@dataclass(frozen=True)
class RangePoint:
    """A figure at one value of the setting, summarised over runs with several keys.

    Attributes
    ----------
    index
        Index of the value on the axis, from 0.
    mean, low, high
        Mean, lowest and highest figure.
    text
        Mean, lowest and highest figure as text.
    """

    index: int
    mean: float
    low: float
    high: float
    text: str


@dataclass(frozen=True)
class RangePanel:
    """One figure for all values of the setting, shown as one plot.

    Attributes
    ----------
    title
        Name of the figure.
    points
        One point for each value at which the figure was measured.
    is_share
        Whether the figure is a share, written in per cent.
    limit, limit_text
        The limit of a check (None without one) and its label.
    """

    title: str
    points: tuple[RangePoint, ...]
    is_share: bool
    limit: float | None = None
    limit_text: str = ""


@dataclass(frozen=True)
class RangeAxis:
    """The values of the setting that was tried.

    Attributes
    ----------
    title
        Name of the setting.
    labels
        Each value as text.
    at
        Position of each value on the axis: its number, or its index if values are words.
    named
        Whether values are words; points are then not joined by lines.
    """

    title: str
    labels: tuple[str, ...]
    at: tuple[float, ...]
    named: bool = False


def range_scene(axis: RangeAxis, panel: RangePanel, marked: int | None) -> Scene:
    """Return the description (scene) of a plot of one figure over all tried values of a setting.

    The mean of several runs is a line, with a band from the lowest to the highest figure. The line is interrupted at
    values without a figure. A setting whose values are words has bars from the lowest to the highest figure instead,
    with the mean as a dot. Lines show the figure's limit and the proposed value, if there are any. Rows are the values
    with a figure, in ascending order, with their index in the axis as key.

    Parameters
    ----------
    axis
        The values of the setting.
    panel
        The figure at each value.
    marked
        Index of the proposed value, None without one.
    """
    order = sorted(range(len(axis.at)), key=lambda index: (axis.at[index], index))
    points = {point.index: point for point in panel.points}
    runs = _split_into_runs(order, points)
    every = [point for run in runs for point in run]
    marks = _range_marks(axis, runs)
    if marked is not None:
        marks.append(Rule("allowed", axis.at[marked], _("proposed value")))
    if panel.limit is not None:
        marks.append(Rule("limit", panel.limit, panel.limit_text, level=True))
    rows = tuple(
        Row(
            (axis.labels[point.index], point.text),
            f"{axis.labels[point.index]}: {panel.title} {point.text}",
            (axis.at[point.index], point.mean),
            key=str(point.index),
        )
        for point in every
    )
    left, right = min(axis.at, default=0.0), max(axis.at, default=1.0)
    # Dots and words of both ends are whole, in large letters too.
    spare = _MARGIN * (right - left) if right > left and not axis.named else 0.5
    ticks = tuple((axis.at[index], axis.labels[index]) for index in order)
    across = Axis(axis.title, left - spare, right + spare, marked=ticks)
    up = Axis(panel.title, *_compute_axis_ends(panel), percent=panel.is_share)
    sentence = "; ".join(row.text for row in rows)
    return Scene(panel.title, "", "", across, up, tuple(marks), sentence, rows)


def _range_marks(axis: RangeAxis, runs: Sequence[Sequence[RangePoint]]) -> list[Mark]:
    """Return the shapes that draw means and bands: lines and areas, or dots and bars if the values are words.

    Only the first of each kind has a name, for the legend. ``runs`` are sequences of points that a line may join.
    Without points the list is empty.
    """
    marks: list[Mark] = []
    names = (_("lowest to highest"), _("mean"))
    every = [point for run in runs for point in run]
    if axis.named:
        for point in every:
            x = axis.at[point.index] + np.array([-_HALF_BAR, _HALF_BAR])
            band = names[0] if point is every[0] else ""
            marks.append(Band("released", band, x, np.full(2, point.low), np.full(2, point.high)))
    else:
        for index, run in enumerate(runs):
            x, mean, low, high = np.array(
                [(axis.at[point.index], point.mean, point.low, point.high) for point in run]
            ).T
            band, line = names if index == 0 else ("", "")
            marks += [Band("released", band, x, low, high), Points("frontier", line, x, mean, joined=True)]
    if every:
        x, mean = np.array([(axis.at[point.index], point.mean) for point in every]).T
        marks.append(Points("released", names[1] if axis.named else "", x, mean))
    return marks


def _split_into_runs(order: Sequence[int], points: dict[int, RangePoint]) -> list[list[RangePoint]]:
    """Return the points split into runs of neighbouring values, which a line may join.

    ``order`` has the indices of the values; a value without a point ends a run, and no run is empty.
    """
    runs: list[list[RangePoint]] = [[]]
    for index in order:
        if index in points:
            runs[-1].append(points[index])
        elif runs[-1]:
            runs.append([])
    return [run for run in runs if run]


def _compute_axis_ends(panel: RangePanel) -> tuple[float, float]:
    """Return the lower and upper end of a plot's vertical axis: all figures and the limit with a margin of a tenth.

    If no figure is negative, the axis does not begin below 0; if no share is above 1, it ends at 1.02 at most. Figures
    from 0.2 to 0.7 give 0.15 to 0.75. The ends are (0, 1) if there is no valid axis.
    """
    values = [value for point in panel.points for value in (point.low, point.high)]
    values += [panel.limit] if panel.limit is not None else []
    low, high = min(values, default=0.0), max(values, default=1.0)
    spare = max((high - low) * 0.1, (_LEAST_SPAN - (high - low)) / 2, abs(high) * 1e-6)
    down, up = low - spare, high + spare
    if panel.is_share:
        down, up = max(down, 0.0) if low >= 0 else down, min(up, 1.02) if high <= 1 else up
    elif low >= 0:
        down = max(down, 0.0)
    return (down, up) if math.isfinite(down) and math.isfinite(up) and up > down else (0.0, 1.0)


class RangeChart(Panel):
    """Plots of several figures; Enter or a click on a dot selects its value in all of them.

    Signals
    -------
    picked
        Emitted with the index, from 0, of the value that the user selected.
    """

    accessible_info = as_group

    picked = Signal(int)

    def __init__(self, *, name: str, label: str) -> None:
        super().__init__(name=name, label=label)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        column = vbox(on=self, gap=4)
        self.plots = [DrawnView(name=f"{name}_{side}", label=label, high=_HIGH) for side in ("above", "below")]
        for plot, partner in zip(self.plots, reversed(self.plots), strict=True):
            column.addWidget(plot)
            plot.opened.connect(self._on_opened)
            plot.zoomed.connect(lambda x, _y, to=partner: to.see(x, to.axes[1]))
        self.current: int | None = None
        self.marked: int | None = None
        self.axis, self.panels = RangeAxis("", (), ()), tuple[RangePanel, ...]()

    def set_range(self, axis: RangeAxis, panels: Sequence[RangePanel], marked: int | None, title: str) -> None:
        """Draw a plot for each of these figures, over the same values of a setting.

        Parameters
        ----------
        axis
            The values.
        panels
            The figures, from the top; at most two. A plot without a figure is hidden.
        marked
            Index of the proposed value, None without one.
        title
            Title, for screen readers.
        """
        self.axis, self.panels, self.marked = axis, tuple(panels), marked
        if self.current is not None and self.current >= len(axis.labels):
            self.current = None
        for index, plot in enumerate(self.plots):
            plot.setVisible(index < len(panels))
            if index < len(panels):
                plot.set_scene(range_scene(axis, panels[index], marked), self._current)
        self.setAccessibleDescription(join_sentences([title, *(scene.sentence for scene in self.scenes)]))

    @property
    def scenes(self) -> tuple[Scene, ...]:
        """The descriptions of all visible plots, from the top."""
        return tuple(scene for plot in self.plots if not plot.isHidden() for scene in plot.scenes)

    @property
    def _current(self) -> str:
        """Key of the selected point; empty if none is selected."""
        return "" if self.current is None else str(self.current)

    def pick(self, index: int | None) -> None:
        """Select the value with this index in all plots (None: no value), without sending a signal."""
        self.current = index
        for plot in self.plots:
            plot.set_scene(plot.scene, self._current)

    def _on_opened(self, key: str) -> None:
        """Select the value whose point was opened in a plot, and send its index."""
        self.pick(int(key))
        self.picked.emit(int(key))
