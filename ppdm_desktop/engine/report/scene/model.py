"""The scene of a chart: axes, marks, a sentence and rows. Nothing here knows a colour, a pixel or a writer.

A series says by its role what it is; each writer has its own colours, lines and shapes for the roles. All words are
written in the language that is spoken when the scene is made.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ppdm_desktop.engine.arrays import Floats
from ppdm_desktop.engine.report.drawing import cut_name
from ppdm_desktop.engine.report.scene.ticks import percent_ticks, round_ticks
from ppdm_desktop.engine.wording.catalogue import language, numbers_of

Role = Literal[
    "original", "released", "third", "limit", "frontier", "allowed", "reasons", "stopped", "alarming", "plain", "guess"
]
"""What a series is. Three are the decisions of a verdict (released, released with reasons, blocked); then people who
need protection, people who need none, and what a blind guess finds."""
Palette = Literal["risk", "amount", "density", "diverging"]
_NAME = 24
"""The most letters of a cell's name at an axis."""


@dataclass(frozen=True)
class Axis:
    """One axis of a chart.

    Attributes
    ----------
    name
        What it measures; empty where the drawing's title says it.
    low, high
        Its ends, in the unit of the marks.
    percent
        Whether its values are shares, 0 to 1, which are written in per cent.
    of
        Of how few records they are shares: then their counts are written; 0 for per cent.
    names
        Of the cells from 0 to 1, from 1 to 2 and so on, in place of numbers.
    marked
        Places with words of their own, the only ones that have any; rising.
    """

    name: str
    low: float
    high: float
    percent: bool = False
    of: int = 0
    names: tuple[str, ...] = ()
    marked: tuple[tuple[float, str], ...] = ()

    def ticks(self, most: int, low: float | None = None, high: float | None = None) -> tuple[tuple[float, str], ...]:
        """Return at most ``most`` tick positions with their texts, rising, from ``low`` to ``high``, both included.

        Both are the axis's ends when left out. Numbers get round positions: 0%, 40%, 80% for shares from 0 to 1 and
        ``most`` 5. Named cells get their names at their middles (0.5, 1.5, ...), or none if more than ``most`` of these
        lie between ``low`` and ``high``. An axis with marked positions returns all of them between ``low`` and
        ``high``, however many. Names of more than 24 characters lose their middle.
        """
        low, high = self.low if low is None else low, self.high if high is None else high
        if self.marked:
            # A writer leaves out those that would overlap; how many there are says nothing of that.
            return tuple((at, cut_name(name, _NAME)) for at, name in self.marked if low <= at <= high)
        if self.names:
            middles = [(index + 0.5, name) for index, name in enumerate(self.names) if low <= index + 0.5 <= high]
            return tuple((at, cut_name(name, _NAME)) for at, name in middles) if len(middles) <= most else ()
        return self._list_number_ticks(most, low, high)

    def _list_number_ticks(self, most: int, low: float, high: float) -> tuple[tuple[float, str], ...]:
        """Return at most ``most`` round positions with their texts, in per cent for shares.

        On an axis of shares of few records (``of`` of them) the positions are shares of whole numbers of records, and
        the texts are these numbers: 0.5 of 16 has the text "8".
        """
        times = (self.of or 100.0) if self.percent else 1.0
        values = round_ticks(low * times, high * times, most)
        if self.of:
            values = [value for value in values if float(value).is_integer()]
        texts = percent_ticks(values) if self.percent and not self.of else numbers_of(language()).ticks(values)
        return tuple((value / times, text) for value, text in zip(values, texts, strict=True))


@dataclass(frozen=True)
class Steps:
    """One value for each cell of the horizontal axis, drawn as steps from 0.

    Attributes
    ----------
    edges
        Rising, one more than heights.
    """

    role: Role
    name: str
    edges: tuple[float, ...]
    heights: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class Points:
    """Points, or a line through them.

    Attributes
    ----------
    x, y
        Shape (points,); finite.
    joined
        Whether they are the corners of a line and no marks.
    records
        If each point is one record of a table, small and no mark of its own: how many the fullest of the drawings that
        are compared shows, by which the points of all have the same size. 0 for marks.
    """

    role: Role
    name: str
    x: Floats
    y: Floats
    joined: bool = False
    records: int = 0


@dataclass(frozen=True, eq=False)
class Band:
    """The area between two lines.

    Attributes
    ----------
    x, low, high
        Shape (places,); finite.
    """

    role: Role
    name: str
    x: Floats
    low: Floats
    high: Floats


@dataclass(frozen=True, eq=False)
class Image:
    """Values of a grid that fills both axes, drawn as coloured bands.

    Attributes
    ----------
    values
        Shape (up, across), row 0 at the lower end; NaN cells stay empty.
    edges
        Rising values between the bands; a value on an edge belongs to the band above it.
    bands
        What the legend says of each band, one more than edges.
    """

    values: Floats
    edges: tuple[float, ...]
    palette: Palette
    bands: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Matrix(Image):
    """An image with a figure in every cell; row 0 is the upper one.

    Attributes
    ----------
    texts
        What stands in each cell, shape (rows, columns); a sign where there is no figure.
    numbered
        Whether the columns are the rows again, and have their numbers in place of names.
    """

    texts: tuple[tuple[str, ...], ...]
    numbered: bool = False


@dataclass(frozen=True)
class Bars:
    """A horizontal bar from 0 for each cell of the vertical axis.

    Attributes
    ----------
    values
        One for each cell; None where there is none.
    spans
        Ends of the interval of each, None where it has none.
    texts
        What stands behind each; empty where the rows say it.
    stacked
        Whether each begins where that of the series before it ends.
    dotted
        Whether only its end is drawn, as a mark: such a scale need not start at 0.
    """

    role: Role
    name: str
    values: tuple[float | None, ...]
    spans: tuple[tuple[float, float] | None, ...]
    texts: tuple[str, ...] = ()
    stacked: bool = False
    dotted: bool = False


@dataclass(frozen=True)
class Rule:
    """A straight line across the drawing with its text: a limit, a common value, a blind guess.

    Attributes
    ----------
    at
        Where it stands on the horizontal axis; on the vertical one where it is level.
    level
        Whether the line is horizontal.
    cells
        Of the vertical axis, through which alone it leads; all when empty.
    """

    role: Role
    at: float
    text: str
    level: bool = False
    cells: tuple[int, ...] = ()


@dataclass(frozen=True)
class Label:
    """A text next to a position; it is left out where there is no room.

    Attributes
    ----------
    weight
        Labels with a larger weight are placed first.
    """

    x: float
    y: float
    text: str
    weight: int = 0


Mark = Bars | Steps | Points | Band | Image | Rule | Label


@dataclass(frozen=True)
class Row:
    """One row of the chart as a table, and the mark it stands for.

    Attributes
    ----------
    cells
        As the table writes them.
    text
        The same in a sentence: what a screen reader says of the mark, and what stands above the drawing.
    at
        Its middle; None where it has no place in the drawing.
    size
        Its extent on both axes; 0 for a point.
    key
        What opens when it is chosen; empty where nothing does.
    level
        Filled bars of the mark of a privacy level, None where it has none.
    status
        How it is judged, a severity, of which the last cell is the word; empty where it is not.
    """

    cells: tuple[str, ...]
    text: str
    at: tuple[float, float] | None = None
    size: tuple[float, float] = (0.0, 0.0)
    key: str = ""
    level: int | None = None
    status: str = ""


@dataclass(frozen=True)
class Scene:
    """The whole content of a chart.

    Attributes
    ----------
    title
        Above the drawing.
    unit
        The quantity that the marks show, with its unit.
    source
        What stands below the drawing: where the figures come from, and what they mean.
    sentence
        The drawing in words, for people who do not see it.
    rows
        In reading order, which is the order in which keys step through their marks.
    grid
        Whether the rows are cells beside and above each other, between which keys move in both directions.
    """

    title: str
    unit: str
    source: str
    x: Axis
    y: Axis
    marks: tuple[Mark, ...]
    sentence: str
    rows: tuple[Row, ...]
    grid: bool = False

    @property
    def has_marks(self) -> bool:
        """Whether the chart shows single marks at free positions: points that are no line and no table's records."""
        return any(isinstance(mark, Points) and not mark.joined and not mark.records for mark in self.marks)

    @property
    def bars(self) -> tuple[Bars, ...]:
        """Return the bar series of a chart of rows."""
        return tuple(mark for mark in self.marks if isinstance(mark, Bars))

    @property
    def rules(self) -> tuple[Rule, ...]:
        """Return the straight reference lines of the drawing, such as limits."""
        return tuple(mark for mark in self.marks if isinstance(mark, Rule))

    def row_text(self, row: Row) -> str:
        """Return the text behind the marks of a row: its cells without name and status.

        Joined by " · " for stacked bars, else by " → ".
        """
        parts = any(mark.stacked for mark in self.bars)
        return (" · " if parts else " → ").join(row.cells[1 : len(row.cells) - bool(row.status)])

    @property
    def series(self) -> tuple[Bars | Steps | Points | Band, ...]:
        """The named series of the drawing (bars, steps, points, areas), in order; the legend lists them."""
        return tuple(mark for mark in self.marks if isinstance(mark, Bars | Steps | Points | Band) and mark.name)
