"""Matrices as charts: one alone, and several side by side or, without room, one at a time with a switch."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QWidget

from ppdm_desktop.engine.arrays import Floats
from ppdm_desktop.engine.report.scene.bands import span_labels
from ppdm_desktop.engine.report.scene.model import Axis, Image, Matrix, Palette, Row, Scene
from ppdm_desktop.engine.wording.catalogue import _, language, numbers_of
from ppdm_desktop.engine.wording.values import Term
from ppdm_desktop.ui.charts.drawn_view import DrawnView
from ppdm_desktop.ui.look.accessibility import as_group
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.state.number_texts import shorten_common_prefix
from ppdm_desktop.ui.widgets.basic import Text
from ppdm_desktop.ui.widgets.buttons import Segments
from ppdm_desktop.ui.widgets.layout import STRETCH, FitsOnResize, Panel, hbox, vbox


def cells_scene(
    title: str,
    names: tuple[Sequence[str], Sequence[str]],
    values: Floats,
    texts: Sequence[Sequence[str]],
    edges: Sequence[float],
    palette: Palette,
    *,
    bands: Sequence[str] = (),
    unit: str = "",
    sentence: str = "",
    small: str = "",
    as_image: bool = False,
) -> Scene:
    """Return the description (scene) of a matrix chart; its rows are the cells with a value, line by line from the top.

    Each cell has the key "row:column" with its indices from 0: "0:2" is the third cell of the first line. Unless
    ``as_image``, words with which all long names begin are replaced by "…".

    Parameters
    ----------
    title
        Title above the matrix.
    names
        Names of the rows, from the top, and of the columns.
    values
        Shape (rows, columns); NaN cells stay empty, so a triangle is a matrix with NaN beyond its diagonal.
    texts
        Text of each cell, also for screen readers.
    edges, palette
        Rising values between the colour bands, and their colours: ``risk`` (higher is worse), ``amount`` (neutral) or
        ``diverging`` (less, same, more).
    bands
        Label of each band in the legend; by default the range between its edges.
    unit, small
        What is measured, and the small print.
    sentence
        What the matrix shows, if its title is not a sentence.
    as_image
        True if there are too many cells for figures: colours only, with column names below.
    """
    grid = np.asarray(values, dtype=np.float64)
    down, across = (tuple(name) for name in names)
    rows = []
    for row, column in zip(*np.nonzero(~np.isnan(grid)), strict=True):
        figure = texts[row][column]
        description = _(
            "{row} with {column}: {figure}", row=Term(down[row]), column=Term(across[column]), figure=Term(figure)
        )
        at = (column + 0.5, len(down) - row - 0.5)
        rows.append(Row((across[column], down[row], figure), description, at, (1.0, 1.0), f"{row}:{column}"))
    spans = tuple(bands) or span_labels(edges)
    # One figure that takes many words would take the room of all cells: signs stand for them.
    in_signs = numbers_of(language()).in_signs
    descriptions = tuple(
        tuple("" if math.isnan(value) else in_signs(text) for value, text in zip(line, description, strict=True))
        for line, description in zip(grid.tolist(), texts, strict=True)
    )
    mark: Image = Matrix(grid, tuple(edges), palette, spans, descriptions)
    if as_image:
        mark, down = Image(grid[::-1], tuple(edges), palette, spans), down[::-1]
    else:
        short = shorten_common_prefix([*down, *across])
        down, across = tuple(short[: len(down)]), tuple(short[len(down) :])
    axes = Axis("", 0.0, float(len(across)), names=across), Axis("", 0.0, float(len(down)), names=down)
    return Scene(title, unit, small, *axes, (mark,), sentence or title, tuple(rows), grid=True)


_GAP = 14


class MatrixRow(FitsOnResize, Panel):
    """Matrices with captions side by side; if there is no room, one of them and a switch.

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
        Emitted with the key of the cell that was chosen in any matrix.
    """

    accessible_info = as_group

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
        theme().changed.connect(self._adapt_to_size)

    @property
    def together(self) -> bool:
        """Whether all matrices are shown side by side."""
        return bool(self._together)

    def _on_chosen(self, key: str) -> None:
        """Make the cell with this key current in all matrices, and send its key."""
        for chart in self.charts.values():
            chart.point_at(key)
        self.chosen.emit(key)

    def _on_switched(self, _key: str) -> None:
        """Show the matrix that was selected with the switch."""
        self._together = None
        self._adapt_to_size()

    def _adapt_to_size(self) -> None:
        """Show all matrices if their figures fit side by side, else the chosen one and the switch that chooses it."""
        needed = sum(chart.good_width() for chart in self.charts.values())
        together = self.width() >= needed + (len(self.charts) - 1) * theme().px(_GAP)
        if together == self._together:
            return
        self._together = together
        self.switch.setVisible(not together)
        for key, box in self._boxes.items():
            box.setVisible(together or key == self.switch.current)
            self._labels[key].setVisible(together)

    def minimumSizeHint(self) -> QSize:
        """Return a width for one matrix, 180 px at 100 % text size, with the usual height."""
        return QSize(theme().px(180), super().minimumSizeHint().height())

    @property
    def scenes(self) -> tuple[Scene, ...]:
        """The descriptions of the visible matrices, from left to right."""
        visible_keys = (key for key in self.charts if self.together or key == self.switch.current)
        return tuple(scene for key in visible_keys for scene in self.charts[key].scenes)
