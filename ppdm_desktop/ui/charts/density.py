"""Two number columns before and after: a point for every record or, above 20,000 records, their density in small cells.

Both sides have the same axes and colour bands, and are zoomed together. The arrow keys step through larger blocks, for
which a screen reader says the number of records.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.report.scene.bands import span_labels
from ppdm_desktop.engine.report.scene.model import Axis, Image, Mark, Points, Role, Row, Scene
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.values import Name, Number, Term
from ppdm_desktop.ui.charts.drawn_view import DrawnView
from ppdm_desktop.ui.look.accessibility import as_group, join_sentences
from ppdm_desktop.ui.state.number_texts import format_rounded_count
from ppdm_desktop.ui.widgets.basic import Text
from ppdm_desktop.ui.widgets.layout import Panel, SideBySide, vbox, widget_of

MOST_POINTS = 20_000
_EDGE = 0.03
_SIDE_BY_SIDE_FROM, _HIGH = 440, 210
"""Pixels at 100 % from which both sides stand beside each other, and the height of one within its axes."""
CELLS = (56, 40)
"""Number of cells of a density image, horizontally and vertically."""
BLOCKS = (8, 5)
"""Number of blocks, horizontally and vertically, that the keys step through; each covers whole cells."""
SHARES = (0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03)
"""Edges of the colour bands: share of the records in one cell."""


def label_bands() -> tuple[str, ...]:
    """Return the labels of the colour bands of a record density, as ranges in per cent, from the lowest."""
    return span_labels([round(100 * edge, 6) for edge in SHARES])


@dataclass(frozen=True, eq=False)
class Cloud:
    """The records of one side (original or release) as points, or counted in cells.

    Attributes
    ----------
    records
        Number of records with both values.
    points
        Values of both columns, shape (records, 2); None if cells are shown.
    cells
        Number of records in each small cell, shape (vertical, horizontal); None if points are shown.
    blocks
        Number of records in each of the larger blocks, shape (vertical, horizontal).
    """

    records: int
    points: Floats | None
    cells: Floats | None
    blocks: Ints


@dataclass(frozen=True, eq=False)
class Clouds:
    """The records of original and release with common axes.

    ``low`` and ``high`` are the ends of the axes (horizontal, vertical).
    """

    low: tuple[float, float]
    high: tuple[float, float]
    before: Cloud
    after: Cloud

    @property
    def as_points(self) -> bool:
        """Whether every record is drawn as a point, not counted in cells."""
        return self.before.points is not None


def build_clouds(before: tuple[Floats, Floats], after: tuple[Floats, Floats]) -> Clouds | None:
    """Return the records of original and release with common axes; None if no record has both values.

    Records are points if neither side has more than ``MOST_POINTS``, else both sides are counted in cells. The axes
    have a margin of 3 % around points, and none around cells. An axis on which all values are equal reaches 5 % of the
    value, at least 0.5, to both sides: 95 to 105 for 100.

    Parameters
    ----------
    before, after
        The values of two columns for each record, shape (records,), NaN where missing; a record without one of the two
        is left out.
    """
    sides = []
    for first, second in (before, after):
        is_known = ~(np.isnan(first) | np.isnan(second))
        sides.append(np.column_stack([first[is_known], second[is_known]]))
    together = [side for side in sides if len(side)]
    if not together:
        return None
    low = np.min([side.min(axis=0) for side in together], axis=0)
    high = np.max([side.max(axis=0) for side in together], axis=0)
    flat = high <= low
    as_points = max(len(side) for side in sides) <= MOST_POINTS
    # Points at the ends are drawn whole; cells reach from end to end.
    spare = np.where(flat, np.maximum(np.abs(high) * 0.05, 0.5), (high - low) * (_EDGE if as_points else 0.0))
    low, high = low - spare, high + spare
    made = []
    for side in sides:
        fine, blocks = (_count_records_in_cells(side, low, high, shape) for shape in (CELLS, BLOCKS))
        made.append(
            Cloud(len(side), side if as_points else None, None if as_points else fine.astype(np.float64), blocks)
        )
    return Clouds((float(low[0]), float(low[1])), (float(high[0]), float(high[1])), made[0], made[1])


def _count_records_in_cells(side: Floats, low: Floats, high: Floats, shape: tuple[int, int]) -> Ints:
    """Return the number of records in each cell of a grid, shape (vertical, horizontal), the lowest values first.

    ``side`` has shape (records, 2): horizontal and vertical values. ``low`` and ``high`` are the ends of both axes, and
    no value may lie beyond them; ``shape`` is (horizontal, vertical). A record at the upper end of an axis is counted
    in the last cell.
    """
    places = [
        np.minimum(((side[:, n] - low[n]) / (high[n] - low[n]) * shape[n]).astype(np.int64), shape[n] - 1)
        for n in (0, 1)
    ]
    counts = np.bincount(places[1] * shape[0] + places[0], minlength=shape[0] * shape[1])
    return counts.reshape(shape[1], shape[0]).astype(np.int64)


def cloud_scenes(clouds: Clouds, names: tuple[str, str], captions: tuple[str, str], small: str) -> tuple[Scene, Scene]:
    """Return the descriptions (scenes) of two charts: original and release.

    Records are drawn as points or as shares in cells. Both tables have a row for each block of the area in which either
    side has a record.

    Parameters
    ----------
    clouds
        The records of both sides.
    names
        Names of the two columns.
    captions
        Captions of the two sides.
    small
        Small print below the charts.
    """
    axes = tuple(Axis(names[n], clouds.low[n], clouds.high[n]) for n in (0, 1))
    ends = [np.linspace(clouds.low[n], clouds.high[n], BLOCKS[n] + 1) for n in (0, 1)]
    spans = [
        [_("{low} to {high}", low=Number(float(a)), high=Number(float(b))) for a, b in itertools.pairwise(end)]
        for end in ends
    ]
    size = (float(ends[0][1] - ends[0][0]), float(ends[1][1] - ends[1][0]))
    roles: tuple[Role, Role] = ("original", "released")
    most = max(clouds.before.records, clouds.after.records)
    scenes = []
    for side, role, caption in zip((clouds.before, clouds.after), roles, captions, strict=True):
        rows = [
            Row(
                (
                    spans[0][i],
                    spans[1][j],
                    *(format_rounded_count(int(cloud.blocks[j, i])) for cloud in (clouds.before, clouds.after)),
                ),
                _(
                    "{first} {across}, {second} {up}: {n} {n:record|records}",
                    first=Name(names[0]),
                    across=Term(spans[0][i]),
                    second=Name(names[1]),
                    up=Term(spans[1][j]),
                    n=int(side.blocks[j, i]),
                ),
                (float(ends[0][i]) + size[0] / 2, float(ends[1][j]) + size[1] / 2),
                size,
            )
            for j in reversed(range(BLOCKS[1]))
            for i in range(BLOCKS[0])
            if clouds.before.blocks[j, i] or clouds.after.blocks[j, i]
        ]
        mark: Mark
        if side.points is not None:
            mark = Points(role, "", side.points[:, 0], side.points[:, 1], records=most)
        else:
            assert side.cells is not None
            shares = np.where(side.cells > 0, side.cells / max(side.records, 1), np.nan)
            mark = Image(shares, SHARES, "density", label_bands())
        unit = "" if side.points is not None else _("Share of the records, in %")
        scenes.append(Scene(caption, unit, small, axes[0], axes[1], (mark,), caption, tuple(rows), grid=True))
    return scenes[0], scenes[1]


class DensityChart(Panel):
    """Chart with the original at the left and the release at the right; one below the other if there is no room."""

    accessible_info = as_group

    def __init__(self, *, name: str, label: str) -> None:
        super().__init__(name=name, label=label)
        self.captions = [Text("", tone="text2", semibold=True, factor=0.9) for _ in ("before", "after")]
        self.plots = [DrawnView(name=f"{name}_{side}", label=label, high=_HIGH) for side in ("before", "after")]
        sides = SideBySide(below=_SIDE_BY_SIDE_FROM, gap=(14, 14))
        for caption, plot, partner in zip(self.captions, self.plots, reversed(self.plots), strict=True):
            sides.add(widget_of(vbox(caption, plot, gap=2)), top=True)
            plot.zoomed.connect(partner.see)
        vbox(sides, on=self)

    def set_scenes(self, scenes: tuple[Scene, Scene], title: str, figures: str) -> None:
        """Draw the charts of original and release; a screen reader reads ``title`` and ``figures`` for both."""
        for scene, caption, plot in zip(scenes, self.captions, self.plots, strict=True):
            caption.setText(scene.title)
            plot.set_scene(scene)
        self.setAccessibleDescription(join_sentences([title, figures]))

    @property
    def scenes(self) -> tuple[Scene, ...]:
        """The descriptions of the charts that are drawn (original, release); empty before ``set_scenes``."""
        return tuple(scene for plot in self.plots for scene in plot.scenes)
