"""Draw a scene as SVG, for the report, its PDF, and files.

No script, no style sheet needed, no outside reference, no name, path or date: the same scene gives the same bytes.
Colours are those of light ground; lines, fills and shapes differ as well, for a black and white print.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise, product

from markupsafe import Markup

from ppdm_desktop.engine.report.drawing import (
    DARK,
    GROUND,
    INK,
    LEFT,
    LETTERS,
    LIGHT,
    LINE,
    WIDTH,
    cut_name,
    draw_backing_stroke,
    draw_line,
    draw_rect,
    draw_text_line,
    fill_svg,
    join_points,
    round_coordinate,
    wrap_in_figure,
)
from ppdm_desktop.engine.report.scene.bands import ON_LIGHT, band_of, spread_colours
from ppdm_desktop.engine.report.scene.model import (
    Axis,
    Band,
    Bars,
    Image,
    Label,
    Mark,
    Matrix,
    Palette,
    Points,
    Role,
    Row,
    Rule,
    Scene,
    Steps,
)
from ppdm_desktop.engine.report.scene.ticks import TICKS_ACROSS, TICKS_UP, drop_overlapping_ticks

Palettes = Mapping[Palette, tuple[str, ...]]
_PLOT, _RIGHT, _LEGEND, _BANDS, _FOOT = 200.0, 12.0, 20.0, 46.0, 18.0
_GAP = 9.0
"""Between a mark and what is written beside it."""
_LETTER = 6.4
"""Width of a letter of 12, on the average; a drawing knows no font."""
_CELL, _NAME = 12.0, 24
"""Of an image whose rows and columns have names: pixels of a cell, and the most letters of a name."""
_MATRIX_ROW, _WIDEST_CELL, _LEAST_MATRIX = 24, 98.0, 420.0
_LEAST_CELL, _MATRIX_HEIGHT, _MOST_ABOVE = 18.0, 360.0, 140.0
"""Of a matrix with names above it; its rows become lower than usual beyond a height."""
_BARS_TOP, _BAR, _BETWEEN, _FIGURE_WIDTH, _BAR_LETTER = 26, 11, 10, 86, 5.6
_ROW_OF_FIGURES, _FIGURES = 30, 190
_LEAST_ROW, _FIGURE_LINE, _LEVEL_HEIGHT = 26, 14, 24
_MOST_NAMES, _LEAST_PLOT, _GOOD_PLOT = 0.38, 110, 170
"""Share of a width that names take at most, and the widths of bars below which figures or names give way."""
_TONES: dict[Role, str] = {
    "original": "before", "third": "third", "released": "after",
    "alarming": "alarming", "plain": "before", "guess": "guess",
}  # fmt: skip
"""Classes of bars in the page's style sheet."""
_PASSED, _AMBER, _BLOCKS, _LEVEL = "#1a7040", "#8a5300", "#b3261e", "#0b6b66"
_STATUS: dict[str, Role] = {"passed": "allowed", "amber": "reasons", "blocks": "stopped"}
"""The mark beside the word of a judgement."""
_MARKS: dict[Role, tuple[str, str, str]] = {
    "guess": ("square", GROUND, LINE),
    "original": ("square", GROUND, INK),
    "released": ("disc", DARK, DARK),
    "third": ("disc", GROUND, DARK),
    "allowed": ("disc", _PASSED, GROUND),
    "reasons": ("diamond", _AMBER, GROUND),
    "stopped": ("triangle", GROUND, _BLOCKS),
    "alarming": ("triangle", _BLOCKS, _BLOCKS),
}
"""Shape, fill and outline of a point."""
_SIZES = ((200, 3.0), (3_000, 1.6))
"""Up to how many points one is how large, half its width; 1 beyond."""
_PATH = 1_000
"""Most points of one path: Qt reads no longer ones."""
_POINT, _MOST_NAMED = 6.0, 3
"""Half the side of the box around a single point, and the most names of points at one place."""
_SIDES = ((1, 0), (-1, 0), (0, -1), (0, 1), (1, -1), (1, 1), (-1, -1), (-1, 1))
"""Sides of a mark at which a label may stand (to the right, downwards), those that are easiest to read first."""
_CLEARLY = 1.5
"""How many times as far a label is from other labelled marks as from its own, where there is room."""
_LINE_STEP = 4.0
"""Pixels between two places on a line where labels are kept away."""
_LEAST_NAMED = 10.0
"""Least side of a cell of an image beside which its name can be read."""


def _estimate_text_width(text: str) -> float:
    """Return the estimated width of a text in pixels of 12 pixel letters: 6.6 for each letter."""
    return 6.6 * len(text)


@dataclass(frozen=True)
class Sheet:
    """The column widths of a drawing whose rows have names, in pixels of 12 pixel letters.

    Attributes
    ----------
    width
        Of the whole drawing.
    left, letters
        Where the bars begin, and how many letters of a name stand on a line before them.
    figures
        What the figures behind the bars take.
    lines
        On how many lines figures stand below their bar instead; 0 where they stand behind it.
    least_row
        The least height of a row.
    wide
        Measures a text.
    """

    width: float
    left: float
    letters: int
    figures: float
    lines: int = 0
    least_row: float = 0
    wide: Callable[[str], float] = _estimate_text_width

    def small(self, text: str) -> float:
        """Return the width of a text in 11 pixel letters, in pixels."""
        return self.wide(text) * 11 / 12

    def shortened(self, text: str, limit: float) -> str:
        """Return a text without its middle where it is wider than the limit, in 11 pixel letters."""
        return text if self.small(text) <= limit else cut_name(text, max(int(limit * len(text) / self.small(text)), 2))

    def wrapped(self, text: str, limit: float) -> list[str]:
        """Return a text broken at blanks into lines that fit a width of ``limit`` pixels.

        A longer word has its own line.
        """
        return [text] if self.wide(text) <= limit else _wrap_text(text, limit * len(text) / self.wide(text))


@dataclass(frozen=True)
class Canvas:
    """The size and the colours of a plot with two axes, in pixels of 12 pixel letters.

    Attributes
    ----------
    width, height
        Of the whole drawing, and of what stands within the axes.
    wide
        Returns the width of a text.
    palettes
        The colours of bands.
    is_part
        Whether the scene is a part of its chart, so that marks beyond the axes are cut off.
    has_band_legend
        Whether the drawing explains the colours of bands.
    """

    width: float = WIDTH
    height: float = _PLOT
    wide: Callable[[str], float] = _estimate_text_width
    palettes: Palettes = field(default_factory=lambda: ON_LIGHT)
    is_part: bool = False
    has_band_legend: bool = True

    def small(self, text: str) -> float:
        """Return the width of a text in 11 pixel letters, in pixels; estimated where no measure was given."""
        return len(text) * _LETTER if self.wide is _estimate_text_width else self.wide(text) * 11 / 12

    def wrapped(self, text: str, limit: float) -> list[str]:
        """Return a text broken at blanks into lines that fit a width of ``limit`` pixels.

        A longer word has its own line.
        """
        return Sheet(self.width, 0, 0, 0, wide=self.wide).wrapped(text, limit)


@dataclass(frozen=True)
class Drawing:
    """A scene as SVG elements, with its size.

    Attributes
    ----------
    parts
        The elements.
    width, height
        Of the whole drawing.
    boxes
        Where each row of the scene stands: left, top, width and height.
    good_width
        The least width at which the figures of a matrix are written whole; 0 for all else.
    inside
        Left, top, width and height of what stands within the axes of a plot; None for all else.
    """

    parts: list[Markup]
    width: float
    height: float
    boxes: tuple[tuple[float, float, float, float], ...] = ()
    good_width: float = 0
    inside: tuple[float, float, float, float] | None = None

    def svg(self, family: str) -> str:
        """Return the drawing as an SVG text without background, title or margins, with its texts in a font family."""
        text = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {} {}" font-family="{}">'
        head = fill_svg(text, self.width, self.height, family)
        return str(Markup("").join([head, *self.parts, Markup("</svg>")]))


def as_figure(scene: Scene) -> Markup:
    """Return the drawing of a scene as an HTML figure with text alternative and caption."""
    drawing = draw(scene)
    return wrap_in_figure(drawing.parts, drawing.height, scene.title, scene.sentence, scene.source)


def as_figures(scenes: Iterable[Scene]) -> Markup:
    """Return the drawings of scenes as HTML, one below the other."""
    return Markup("").join(map(as_figure, scenes))


def to_svg_file(title: str, scenes: Sequence[Scene], small: str, family: str = "sans-serif") -> str:
    """Return the text of an SVG file with title, one or more scenes side by side, and small print below.

    Each scene has its own title above it where there are several. So has a single scene with a grid of cells, if its
    title is not ``title``. No file is written.

    Parameters
    ----------
    title
        The sentence that says what is shown.
    scenes
        At least one.
    small
        Unit, source and number, in small print.
    family
        Fonts of the words.
    """
    margin, gap, top = 16.0, 14.0, 16.0
    drawings = [draw(scene) for scene in scenes]
    wide = sum(drawing.width for drawing in drawings) + gap * (len(drawings) - 1)
    parts = [
        draw_text_line(margin, top + 14 + 18 * n, line, size=14) for n, line in enumerate(_wrap_text(title, wide / 7.6))
    ]
    top += 18 * len(parts) + 8
    several = len(scenes) > 1 or (scenes[0].grid and scenes[0].title != title)
    x, lowest = margin, top
    for scene, drawing in zip(scenes, drawings, strict=True):
        if several:
            parts.append(draw_text_line(x, top + 12, scene.title, soft=True))
        y = top + (20 if several else 0)
        parts.append(fill_svg('<g transform="translate({} {})">', x, y))
        parts += [*drawing.parts, Markup("</g>")]
        x, lowest = x + drawing.width + gap, max(lowest, y + drawing.height)
    foot = _wrap_text(small, wide / 5.4)
    parts += [draw_text_line(margin, lowest + 16 + 14 * n, line, size=10, soft=True) for n, line in enumerate(foot)]
    height = lowest + 16 + 14 * len(foot) + margin
    size = wide + 2 * margin, height
    head = fill_svg('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {} {}" width="{}" height="{}" ', *size, *size)
    described = " ".join(scene.sentence for scene in scenes)
    head += fill_svg('font-family="{}" role="img"><title>{}</title><desc>{}</desc>', family, title, described)
    ground = fill_svg('<rect width="{}" height="{}" fill="{}"/>', *size, GROUND)
    return str(Markup("").join([head, ground, *parts, Markup("</svg>")]))


def _wrap_text(text: str, letters: float) -> list[str]:
    """Return a text broken into lines of at most so many letters; only a longer word makes a longer line.

    Lines are broken at spaces and line breaks, never at a no-break space; several spaces count as one. Empty for "".
    """
    lines: list[str] = []
    for word in text.replace("\n", " ").split(" "):
        if not word:
            continue
        if lines and len(lines[-1]) + 1 + len(word) <= letters:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def draw(
    scene: Scene,
    width: float | None = None,
    wide: Callable[[str], float] = _estimate_text_width,
    palettes: Palettes = ON_LIGHT,
    *,
    height: float = _PLOT,
    is_part: bool = False,
) -> Drawing:
    """Return the drawing of a scene, in the size of a report page or within another width.

    Bars are drawn as rows, matrices and images with named cells as tables of colours, all else as a plot with axes. The
    colours of bands are explained in a legend only if ``width`` is None.

    Parameters
    ----------
    width
        Width in pixels of 12 pixel letters; names and figures get less room or their own lines in a narrow one. None
        for a report page; a matrix, and an image with many named columns, may then have another width.
    wide
        Returns the width of a text in these pixels, where a width is given.
    palettes
        The colours of bands, where a width is given.
    height
        Height within the axes of a plot, where a width is given.
    is_part
        Whether the scene is a part of its chart, where a width is given: marks beyond the axes of a plot are then
        covered, and the cells of an image with named cells fill the width.
    """
    if scene.bars:
        with_figures = any(mark.stacked or mark.dotted for mark in scene.bars)
        sheet = Sheet(WIDTH, LEFT, LETTERS, _FIGURES if with_figures else _FIGURE_WIDTH)
        if width is not None:
            sheet = _fit_sheet(scene, width, wide, with_figures=with_figures)
        return (_draw_figure_rows if with_figures else _draw_bar_chart)(scene, scene.bars, sheet)
    images = [mark for mark in scene.marks if isinstance(mark, Image)] if scene.x.names else []
    if images and isinstance(images[0], Matrix):
        if width is not None:
            return _draw_fitted_matrix(scene, images[0], width, wide, palettes)
        return Drawing(*_draw_matrix(scene, images[0]))
    if images:
        return _draw_named_image(scene, images[0], width, palettes, is_part=is_part)
    return _draw_plot(scene, Canvas() if width is None else Canvas(width, height, wide, palettes, is_part, False))


def _fit_sheet(scene: Scene, width: float, wide: Callable[[str], float], *, with_figures: bool) -> Sheet:
    """Return the layout of a chart of rows within a width: room for names on the left and for figures on the right.

    With ``with_figures`` (stacked bars, marks) the figures go below the bars, in as many lines as needed, where there
    is no room beside them. Names get at most 38 % of the width, or more as long as 170 pixels are left for the bars;
    longer ones are broken or shortened. ``wide`` returns the width of a text in pixels.
    """
    narrow = Sheet(width, 0, 0, 12, least_row=_LEAST_ROW, wide=wide)
    texts = [_build_row_text(scene, row) for row in scene.rows]
    texts = texts if with_figures else [text for mark in scene.bars for text in mark.texts]
    figures = max(map(narrow.small, texts), default=0.0) + 12 + 16 * any(row.status for row in scene.rows)
    level = _LEVEL_HEIGHT * any(row.level is not None for row in scene.rows)
    names = max(map(wide, scene.y.names), default=0.0) + 10 + level
    lines = 0
    if with_figures and width - min(names, width * _MOST_NAMES) - figures < _LEAST_PLOT:
        figures, lines = narrow.figures, max(len(narrow.wrapped(text, width)) for text in texts)
    left = min(names, max(width * _MOST_NAMES, width - figures - _GOOD_PLOT))
    letter = max((wide(name) / len(name) for name in scene.y.names if name), default=_LETTER)
    letters = max(int((left - 8 - level) / letter), 8) if left < names else LETTERS * 10
    return replace(narrow, left=left, letters=letters, figures=figures, lines=lines)


# --- a plot with two axes ----------------------------------------------------------------


class _Frame:
    """Converts values to pixel positions in a plot."""

    def __init__(self, scene: Scene, left: float, top: float, canvas: Canvas) -> None:
        """Place the axes of a scene in a frame whose upper left corner is given, in pixels."""
        self.left, self.top, self.right, self.bottom = left, top, canvas.width - _RIGHT, top + canvas.height
        self._x, self._y = scene.x, scene.y

    def x(self, value: float) -> float:
        """Return the horizontal pixel position of a value; values beyond the axis lie beyond the plot."""
        wide = self._x.high - self._x.low or 1.0
        return self.left + (value - self._x.low) / wide * (self.right - self.left)

    def y(self, value: float) -> float:
        """Return the vertical pixel position of a value, larger values further up."""
        return self.bottom - (value - self._y.low) / (self._y.high - self._y.low or 1.0) * (self.bottom - self.top)

    def box(self, row: Row) -> tuple[float, float, float, float]:
        """Return left, top, width and height in pixels of the mark of a row; all 0 where the row has no mark.

        A mark without extent gets a square of 12 pixels.
        """
        if row.at is None:
            return (0.0, 0.0, 0.0, 0.0)
        (x, y), (wide, high) = row.at, row.size
        half = 0.0 if any(row.size) else _POINT
        left, top = self.x(x - wide / 2) - half, self.y(y + high / 2) - half
        return (left, top, self.x(x + wide / 2) + half - left, self.y(y - high / 2) + half - top)

    @property
    def covers(self) -> list[Markup]:
        """Four rectangles in the background colour, as SVG elements, that hide what lies beyond the axes."""
        far = 4 * (self.right + self.bottom)
        sides = (
            (-far, -far, far + self.left, 2 * far),
            (self.right, -far, far, 2 * far),
            (-far, -far, 2 * far, far + self.top),
            (-far, self.bottom, 2 * far, far),
        )
        text = '<rect class="ground" x="{}" y="{}" width="{}" height="{}" fill="{}"/>'
        return [fill_svg(text, *side, GROUND) for side in sides]


def _draw_plot(scene: Scene, canvas: Canvas) -> Drawing:
    """Return the drawing of a plot with legend, axes, marks and labels; its boxes are those of the scene's rows.

    Marks beyond the axes are covered if the canvas shows only a part of the chart.
    """
    images = [mark for mark in scene.marks if isinstance(mark, Image)]
    upright = scene.y.ticks(TICKS_UP)
    left = max((canvas.small(label) for _, label in upright), default=0) + 12
    parts, legend = _draw_legend(scene, canvas)
    images = images if canvas.has_band_legend else []
    legend = _BANDS if images else legend
    y_name = canvas.wrapped(scene.y.name, canvas.width - left) if scene.y.name else []
    top = legend + (16.0 + 12.0 * (len(y_name) - 1) if y_name else 4.0) + (14.0 if scene.rules else 0.0)
    frame = _Frame(scene, left, top, canvas)
    parts += [part for image in images for part in _draw_band_legend(image, scene.unit, canvas.width, canvas.palettes)]
    parts += [draw_text_line(left, legend + 12 + 12 * n, label, soft=True, size=11) for n, label in enumerate(y_name)]
    for value, label in upright:
        parts.append(draw_line(left, frame.y(value), frame.right, frame.y(value), stroke=LIGHT))
        parts.append(draw_text_line(left - 6, frame.y(value) + 4, label, anchor="end", soft=True, size=11))
    marks = _draw_marks(scene, frame, canvas)
    parts = [*marks, *frame.covers, *parts] if canvas.is_part else [*parts, *marks]
    parts.append(draw_line(left, frame.bottom, frame.right, frame.bottom))
    parts += _draw_numbers_below(scene.x, frame, canvas)
    foot = frame.bottom + _FOOT
    for label in canvas.wrapped(scene.x.name, canvas.width) if scene.x.name else ():
        foot += 16
        parts.append(draw_text_line(frame.right, foot - 4, label, anchor="end", soft=True, size=11))
    inside = (frame.left, frame.top, frame.right - frame.left, canvas.height)
    return Drawing(parts, canvas.width, foot + 4, tuple(map(frame.box, scene.rows)), inside=inside)


def _draw_marks(scene: Scene, frame: _Frame, canvas: Canvas) -> list[Markup]:
    """Return the SVG elements of a plot, later ones on top: marks, then the dashed lines of its rules, then labels."""
    return [
        *(part for mark in scene.marks for part in _draw_mark(mark, frame, canvas)),
        *(part for rule in scene.rules for part in _draw_rule(rule, frame)),
        *_draw_labels(scene, frame, canvas),
    ]


def _draw_mark(mark: Mark, frame: _Frame, canvas: Canvas) -> list[Markup]:
    """Return the SVG elements of one area, image, step curve or series of points; none for limits and labels.

    Those are drawn later, above all marks.
    """
    if isinstance(mark, Band):
        return [_draw_band(mark, frame)]
    if isinstance(mark, Image):
        size = frame.right - frame.left, frame.bottom - frame.top
        return _draw_image_cells(mark, (frame.left, frame.top), size, canvas.palettes)
    if isinstance(mark, Steps):
        return [_draw_step_curve(mark, frame)]
    return _draw_points(mark, frame) if isinstance(mark, Points) else []


def _draw_numbers_below(axis: Axis, frame: _Frame, canvas: Canvas) -> list[Markup]:
    """Return the tick texts of a horizontal axis as SVG elements, as many as have room.

    Texts stand centred below their positions, but one that would leave the drawing on the right ends at its edge. Of an
    axis with marked positions, texts that would overlap are left out; of any other there are at most 8.
    """
    limit, most = frame.right - frame.left, TICKS_ACROSS
    while most > 1 and sum(canvas.small(f"{label}  ") for _, label in axis.ticks(most)) > limit and not axis.marked:
        most -= 1
    parts, ticks = [], axis.ticks(most)
    if axis.marked:
        ticks = drop_overlapping_ticks(ticks, frame.x, lambda label: canvas.small(f"{label} "))
    for value, label in ticks:
        x, half = frame.x(value), canvas.small(label) / 2
        anchor = "end" if x + half > canvas.width else "middle"
        x = canvas.width if anchor == "end" else x
        parts.append(draw_text_line(x, frame.bottom + 14, label, anchor=anchor, soft=True, size=11))
    return parts


def _draw_legend(scene: Scene, canvas: Canvas) -> tuple[list[Markup], float]:
    """Return the elements of the legend of the named series, on as many lines as needed, and its height in pixels.

    Each name has a rectangle, a point or a line before it, as its series is drawn. Without any series there are no
    elements, and the height is 4.
    """
    parts, x, y = [], 12.0, 0.0
    for series in scene.series:
        wide = 48 + canvas.wide(series.name)
        if x > 12 and x + wide > canvas.width:
            x, y = 12.0, y + 18
        if isinstance(series, Band) or (isinstance(series, Steps) and series.role == "original"):
            parts.append(draw_rect("before", x, y + 4, 24, 10))
        elif isinstance(series, Points) and not series.joined:
            parts.append(_draw_shape(series.role, x + 12, y + 9, 5.0))
        else:
            parts.append(_draw_path(series.role, [(x, y + 9), (x + 24, y + 9)]))
        lines = canvas.wrapped(series.name, canvas.width - x - 30)
        parts += [draw_text_line(x + 30, y + 13 + 14 * n, line) for n, line in enumerate(lines)]
        x, y = x + wide, y + 14 * (len(lines) - 1)
    return parts, y + _LEGEND if scene.series else 4.0


def _draw_labels(scene: Scene, frame: _Frame, canvas: Canvas) -> list[Markup]:
    """Return the labels as SVG elements, each at a free place beside its mark; one without a free place is left out.

    A place is free if it overlaps no mark of the scene's rows (where these are drawn), no vertical rule and no label
    placed before. A place on a line, or nearly as close to another labelled mark, is taken only where there is no
    other. Each label lies on a rectangle in the background colour.
    """
    taken = [frame.box(row) for row in scene.rows] if scene.has_marks else []
    taken += [(frame.x(rule.at), frame.top, 0.0, canvas.height) for rule in scene.rules if not rule.level]
    lines, labels = _line_boxes(scene, frame), _join_labels(scene, frame)
    parts: list[Markup] = []
    for at, text in labels:
        boxes = list(_label_boxes(at, canvas.small(text), frame, canvas))
        free = [(side, box) for side, box in boxes if not any(_is_overlapping(box, other) for other in taken)]
        others = [position for position, _ in labels if position != at]
        clear = [
            (side, box)
            for side, box in free
            if all(_measure_distance(box, position) > _CLEARLY * _measure_distance(box, at) for position in others)
        ]
        off_lines = [(side, box) for side, box in clear if not any(_is_overlapping(box, other) for other in lines)]
        for across, box in (off_lines or clear or free)[:1]:
            taken.append(box)
            start, top, wide, _ = box
            under = '<rect class="ground" x="{}" y="{}" width="{}" height="12" fill="{}"/>'
            parts.append(fill_svg(under, start, top, wide, GROUND))
            anchor = ("end", "middle", "start")[across + 1]
            parts.append(
                draw_text_line(start + (0, wide / 2, wide)[1 - across], top + 10, text, anchor=anchor, size=11)
            )
    return parts


def _measure_distance(box: tuple[float, float, float, float], at: tuple[float, float]) -> float:
    """Return the distance of a rectangle (left, top, width, height) from a point; 0 inside."""
    away = (max(box[axis] - at[axis], at[axis] - box[axis] - box[axis + 2], 0.0) for axis in (0, 1))
    return math.hypot(*away)


def _label_boxes(
    at: tuple[float, float], wide: float, frame: _Frame, canvas: Canvas
) -> Iterator[tuple[int, tuple[float, float, float, float]]]:
    """Yield places for a label beside the mark at ``at``, the best first: side (-1 left, 0, 1 right) and rectangle.

    A rectangle is left, top, ``wide`` and 12 pixels high. Those that leave the axes are left out, but on the right they
    may reach the edge of the drawing.
    """
    for far, (across, down) in product((_GAP, 2 * _GAP), _SIDES):
        start = at[0] + across * far - (across < 0) * wide - (across == 0) * wide / 2
        top = at[1] + down * far - 6 * (1 - down)
        if frame.left <= start and start + wide <= canvas.width and frame.top <= top <= frame.bottom - 12:
            yield across, (start, top, wide, 12.0)


def _line_boxes(scene: Scene, frame: _Frame) -> list[tuple[float, float, float, float]]:
    """Return squares (left, top, 2, 2) in pixels along the lines of a plot, their centres at most 4 pixels apart."""
    boxes = []
    for line_mark in scene.marks:
        if isinstance(line_mark, Points) and line_mark.joined:
            corners = [(frame.x(x), frame.y(y)) for x, y in zip(line_mark.x, line_mark.y, strict=True)]
            for start, end in pairwise(corners):
                steps = int(math.dist(start, end) / _LINE_STEP) + 1
                for step in range(steps + 1):
                    x, y = (a + (b - a) * step / steps for a, b in zip(start, end, strict=True))
                    boxes.append((float(x) - 1, float(y) - 1, 2.0, 2.0))
    return boxes


def _join_labels(scene: Scene, frame: _Frame) -> list[tuple[tuple[float, float], str]]:
    """Return (position in pixels, text) of the labels within the axes, those with the larger weight first.

    Labels within 6 pixels of an earlier one, across and down, share its position and one text: up to three names, then
    "+" and how many more, "A, B, C +2".
    """
    labels = sorted((mark for mark in scene.marks if isinstance(mark, Label)), key=lambda label: -label.weight)
    texts: dict[tuple[float, float], list[str]] = {}
    for label in labels:
        at = frame.x(label.x), frame.y(label.y)
        if frame.left - 1 <= at[0] <= frame.right + 1 and frame.top - 1 <= at[1] <= frame.bottom + 1:
            near = (position for position in texts if max(abs(position[0] - at[0]), abs(position[1] - at[1])) <= _POINT)
            texts.setdefault(next(near, at), []).append(label.text)
    return [
        (at, ", ".join(names[:_MOST_NAMED]) + (f" +{len(names) - _MOST_NAMED}" if len(names) > _MOST_NAMED else ""))
        for at, names in texts.items()
    ]


def _is_overlapping(first: tuple[float, float, float, float], second: tuple[float, float, float, float]) -> bool:
    """Return whether two rectangles (left, top, width, height) overlap."""
    return all(first[n] < second[n] + second[n + 2] and second[n] < first[n] + first[n + 2] for n in (0, 1))


def _draw_rule(rule: Rule, frame: _Frame) -> list[Markup]:
    """Return a dashed line across the plot and its text as SVG elements; empty where the line is left out.

    - A level rule is horizontal, its text at the right end; it is left out only where it lies above the axes.
    - Any other is vertical, its text above the plot, left of the line in the right part; it is left out where it lies
      left or right of the axes.
    """
    if rule.level:
        y = frame.y(rule.at)
        text_line = draw_text_line(
            frame.right, y - 4 if y > frame.top + 16 else y + 13, rule.text, anchor="end", size=11
        )
        return (
            [draw_line(frame.left, y, frame.right, y, dashed=True, stroke=INK), text_line] if y >= frame.top - 1 else []
        )
    x = frame.x(rule.at)
    right = x > (frame.right + _RIGHT) * 0.6
    text_line = draw_text_line(
        x - 4 if right else x + 4, frame.top - 4, rule.text, anchor="end" if right else "start", size=11
    )
    is_visible = frame.left - 1 <= x <= frame.right + 1
    return [draw_line(x, frame.top - 10, x, frame.bottom, dashed=True, stroke=INK), text_line] if is_visible else []


def _draw_step_curve(steps: Steps, frame: _Frame) -> Markup:
    """Return a step curve as an SVG element: of the original an area filled down to the axis, of other roles a line.

    "" for a curve without steps.
    """
    corners = [
        (frame.x(edge), frame.y(height))
        for height, ends in zip(steps.heights, pairwise(steps.edges), strict=True)
        for edge in ends
    ]
    if not corners or steps.role != "original":
        return _draw_path(steps.role, corners)
    outline = [(corners[0][0], frame.bottom), *corners, (corners[-1][0], frame.bottom)]
    return fill_svg('<path class="bar-before" d="M{} Z" fill="{}" stroke="{}"/>', join_points(outline), LIGHT, LINE)


def _draw_band(band: Band, frame: _Frame) -> Markup:
    """Return the filled area between the lower and the upper line of a band as an SVG element."""
    upper = [(frame.x(x), frame.y(y)) for x, y in zip(band.x.tolist(), band.high.tolist(), strict=True)]
    lower = [(frame.x(x), frame.y(y)) for x, y in zip(band.x.tolist(), band.low.tolist(), strict=True)]
    path = join_points([*upper, *reversed(lower)])
    return fill_svg('<path class="bar-before" d="M{} Z" fill="{}" stroke="{}"/>', path, LIGHT, LINE)


def _draw_path(role: Role, corners: Sequence[tuple[float, float]]) -> Markup:
    """Return a line through points (in pixels) in the style of a role: thin and dashed for ``released``, else thick.

    "" without points.
    """
    if not corners:
        return Markup("")
    path = join_points(corners)
    thin = role == "released"
    dash = Markup(' stroke-dasharray="5 3"') if thin else Markup("")
    shape = '<path class="{}" d="M{}" style="fill:none" fill="none" stroke="{}" stroke-width="{}"{}/>'
    return Markup(shape).format("mark" if thin else "curve", path, INK if thin else DARK, 1 if thin else 2, dash)


def _draw_points(points: Points, frame: _Frame) -> list[Markup]:
    """Return the SVG elements of points: one line where they are joined, small dots for records, else a shape each."""
    corners = [(frame.x(x), frame.y(y)) for x, y in zip(points.x.tolist(), points.y.tolist(), strict=True)]
    if points.joined:
        return [_draw_path(points.role, corners)]
    return (
        _draw_records(points, corners) if points.records else [_draw_shape(points.role, x, y, 5.0) for x, y in corners]
    )


def choose_point_size(count: float) -> float:
    """Return the diameter in pixels of a dot that stands for one record.

    6 up to 200 records in a drawing, 3.2 up to 3,000, then 2.
    """
    return 2 * next((half for most, half in _SIZES if count <= most), 1.0)


def _draw_records(points: Points, corners: Sequence[tuple[float, float]]) -> list[Markup]:
    """Return many points as few SVG paths of at most 1,000 dots each: squares of the original, discs of other roles.

    ``corners`` are the points' positions in pixels. The dots are smaller the more records there are.
    """
    size = choose_point_size(points.records)
    square, disc = '<path stroke-linecap="square" d="{}" ', '<path stroke-linecap="round" d="{}" '
    start_tag, colour = (square, LINE) if points.role == "original" else (disc, DARK)
    text = start_tag + 'fill="none" stroke="{}" stroke-width="{}"/>'
    parts = []
    for start in range(0, len(corners), _PATH):
        path = "".join([f"M{round_coordinate(x)} {round_coordinate(y)}h.1" for x, y in corners[start : start + _PATH]])
        parts.append(Markup(text).format(path, colour, size))
    return parts


def _draw_shape(role: Role, x: float, y: float, half: float) -> Markup:
    """Return the shape of one point in the style of a role: square, disc, diamond or triangle, ``half`` its radius."""
    kind, fill, stroke = _MARKS[role]
    if kind == "disc":
        # A page's style sheet has colours for dark ground, in which the dark blue of print would be lost.
        tone = {"released": "bar-after", "third": "curve"}.get(role, "point")
        text = '<circle class="{}" cx="{}" cy="{}" r="{}" fill="{}" stroke="{}"/>'
        return fill_svg(text, tone, x, y, half, fill, stroke)
    corners = {
        "square": ((-1, -1), (1, -1), (1, 1), (-1, 1)),
        "diamond": ((0, -1.25), (1.25, 0), (0, 1.25), (-1.25, 0)),
        "triangle": ((0, -1.1), (1.1, 1), (-1.1, 1)),
    }[kind]
    path = join_points((x + across * half, y + down * half) for across, down in corners)
    return fill_svg('<path d="M{} Z" fill="{}" stroke="{}"/>', path, fill, stroke)


# --- images ------------------------------------------------------------------------------


def _draw_band_legend(image: Image, unit: str, limit: float = WIDTH, palettes: Palettes = ON_LIGHT) -> list[Markup]:
    """Return the legend of an image: its unit, and below it each colour with its label.

    The colours stand side by side in boxes of equal width, which together fill the width ``limit``, in pixels.
    """
    parts, wide = [draw_text_line(0, 12, unit, soft=True, size=11)], (limit - 4) / len(image.bands)
    for index, (colour, label) in enumerate(zip(_list_band_colours(image, palettes), image.bands, strict=True)):
        box = '<rect x="{}" y="18" width="{}" height="10" fill="{}" stroke="{}"/>'
        parts.append(fill_svg(box, index * wide, wide - 2, colour, LINE))
        parts.append(draw_text_line((index + 0.5) * wide, 40, label, anchor="middle", soft=True, size=10))
    return parts


def _list_band_colours(image: Image, palettes: Palettes = ON_LIGHT) -> tuple[str, ...]:
    """Return the colour of each band of an image, in rising order of the bands."""
    return spread_colours(palettes[image.palette], len(image.edges) + 1, diverging=image.palette == "diverging")


def _draw_image_cells(
    image: Image, at: tuple[float, float], size: tuple[float, float], palettes: Palettes = ON_LIGHT
) -> list[Markup]:
    """Return the rectangles of an image at a corner (left, top), row 0 lowest; NaN cells are left empty.

    ``size`` is width and height of the whole image, in pixels. Neighbours of one colour in a row become one rectangle.
    """
    colours = _list_band_colours(image, palettes)
    up, across = image.values.shape
    cell_width, step = size[0] / max(across, 1), size[1] / max(up, 1)
    text = '<rect x="{}" y="{}" width="{}" height="{}" fill="{}"/>'
    parts = []
    for row in range(up):
        y = at[1] + size[1] - (row + 1) * step
        bands = [None if math.isnan(value) else band_of(value, image.edges) for value in image.values[row].tolist()]
        start = 0
        for column in range(1, across + 1):
            if column == across or bands[column] != bands[start]:
                band = bands[start]
                if band is not None:
                    box = at[0] + start * cell_width, y, (column - start) * cell_width, step
                    parts.append(fill_svg(text, *box, colours[band]))
                start = column
    return parts


def _draw_named_image(
    scene: Scene, image: Image, width: float | None, palettes: Palettes, *, is_part: bool = False
) -> Drawing:
    """Return the drawing of an image with named rows and columns, with a box for the cell of each row of the scene.

    Rows of the scene without a position have no box. Names of more than 24 characters lose their middle.

    Parameters
    ----------
    width
        Width of the drawing, which then has no legend; None for cells of the usual size (12 pixels), with a legend. If
        cells beside the names would be narrower than 10 pixels, the names are left out and the cells fill the width.
    is_part
        Whether the scene is a part of its chart. Its cells then fill the given width, however few they are; else they
        are at most twice the usual size.
    """
    left, top = _NAME * _LETTER + 8, _NAME * _LETTER + 8
    up, across = image.values.shape
    cell, legend = _CELL, _draw_band_legend(image, scene.unit)
    if width is None:
        top += _BANDS
    else:
        cell, legend = min((width - left - 8) / max(across, 1), width if is_part else 2 * _CELL), []
        if cell < _LEAST_NAMED:
            cell, left, top = width / max(across, 1), 0.0, 0.0
    wide, high = across * cell, up * cell
    parts = [*legend, *_draw_image_cells(image, (left, top), (wide, high), palettes)]
    for row, name in enumerate(scene.y.names if left else ()):
        y = top + high - (row + 0.5) * cell + 3
        parts.append(draw_text_line(left - 5, y, cut_name(name, _NAME), anchor="end", size=9))
    parts += [
        _draw_turned_name(left + (column + 0.5) * cell + 3, top - 5, cut_name(name, _NAME))
        for column, name in enumerate(scene.x.names if left else ())
    ]
    corners = ((row.at[0] - 0.5, up - row.at[1] - 0.5) for row in scene.rows if row.at is not None)
    boxes = tuple((left + x * cell, top + y * cell, cell, cell) for x, y in corners)
    width = max(left + wide + 8, WIDTH) if width is None else width
    return Drawing(parts, width, top + high + 8, boxes, inside=(left, top, wide, high))


def _draw_turned_name(x: float, y: float, name: str, size: int = 9) -> Markup:
    """Return a name written upwards (turned by 90 degrees) at a position, as an SVG element."""
    text = '<text class="ink" x="{}" y="{}" fill="{}" font-size="{}" transform="rotate(-90 {} {})">{}</text>'
    return fill_svg(text, x, y, INK, size, x, y, name)


def _draw_matrix(scene: Scene, matrix: Matrix) -> tuple[list[Markup], float, float]:
    """Return the elements of a matrix with legend, names and figures, and its width and height in pixels.

    Column names are turned upwards where one is wider than its column. A numbered matrix is drawn as a square instead,
    its columns headed by numbers.
    """
    if matrix.numbered:
        return _draw_square_matrix(scene, matrix)
    down, across = scene.y.names, scene.x.names
    longest = max((len(cut_name(name, _NAME)) for name in down), default=0)
    figures = max((len(label) for line in matrix.texts for label in line), default=0)
    left, cell = longest * _LETTER + 10, max(figures * _LETTER + 8, 26.0)
    above = max((len(cut_name(name, _NAME)) for name in across), default=0) * _LETTER
    cell = max(cell, min((WIDTH - left) / max(len(across), 1), _WIDEST_CELL))
    turned = above > cell
    top = _BANDS + (above + 8 if turned else 18)
    wide = max(left + cell * len(across) + 4, _LEAST_MATRIX)
    parts = _draw_band_legend(matrix, scene.unit, wide)
    for column, name in enumerate(across):
        x = left + cell * (column + 0.5)
        if turned:
            parts.append(_draw_turned_name(x + 3, top - 5, cut_name(name, _NAME), 11))
        else:
            parts.append(draw_text_line(x, top - 5, name, anchor="middle", size=11))
    for row, name in enumerate(down):
        y = top + _MATRIX_ROW * row
        parts.append(draw_text_line(left - 6, y + _MATRIX_ROW / 2 + 3, cut_name(name, _NAME), anchor="end", size=11))
        for column in range(len(across)):
            x, size = left + cell * column, (cell - 1, _MATRIX_ROW - 1.0)
            parts += _draw_figure_cell(matrix, (row, column), (x, y), size, 11)
    return parts, wide, top + _MATRIX_ROW * len(down) + 6


def _draw_fitted_matrix(
    scene: Scene, matrix: Matrix, width: float, wide: Callable[[str], float], palettes: Palettes
) -> Drawing:
    """Return the drawing of a matrix within a width, without legend; figures that lack room are left out.

    ``wide`` returns the width of a text in pixels. Column names that do not fit are turned upwards, and names that are
    too long are shortened. The drawing also has the box of the cell of each row of the scene, and the width at which
    all row names and figures would fit (``good_width``).
    """
    sheet, down, across = Sheet(width, 0, 0, 0, wide=wide), scene.y.names, scene.x.names
    names = max(map(sheet.small, down), default=0.0) + 10
    figure = max(max((sheet.small(text) for line in matrix.texts for text in line), default=0.0) + 6, _LEAST_CELL)
    left = min(names, width * _MOST_NAMES)
    above = max(map(sheet.small, across), default=0.0)
    cell = min((width - left) / max(len(across), 1), max(_WIDEST_CELL, figure, min(above + 7, _MOST_ABOVE)))
    row = min(float(_MATRIX_ROW), max(_MATRIX_HEIGHT / max(len(down), 1), 12.0))
    letters = int(min(11 * cell / figure, 11, row - 3))
    small = int(min(cell, row - 1, 11))
    turned = above + 6 > cell
    top = min(above, _MOST_ABOVE) + 8 if turned else 18.0
    parts, boxes = [], {}
    for column, name in enumerate(across):
        x = left + cell * (column + 0.5)
        if turned:
            parts.append(_draw_turned_name(x + small / 3, top - 4, sheet.shortened(name, _MOST_ABOVE), small))
        else:
            parts.append(draw_text_line(x, top - 5, name, anchor="middle", size=11))
    for index, name in enumerate(down):
        y = top + row * index
        label = sheet.shortened(name, left - 8)
        parts.append(draw_text_line(left - 6, y + row / 2 + 3, label, anchor="end", size=min(11, int(row))))
        for column in range(len(across)):
            corner, size = (left + cell * column, y), (cell - 1, row - 1)
            parts += _draw_figure_cell(matrix, (index, column), corner, size, letters if letters >= 8 else 0, palettes)
            boxes[f"{index}:{column}"] = (*corner, cell, row)
    whole = names + figure * len(across)
    rows = tuple(boxes[scene_row.key] for scene_row in scene.rows)
    return Drawing(parts, width, top + row * len(down) + 2, rows, whole)


def _draw_figure_cell(
    matrix: Matrix,
    cell: tuple[int, int],
    at: tuple[float, float],
    size: tuple[float, float],
    letters: int,
    palettes: Palettes = ON_LIGHT,
) -> list[Markup]:
    """Return one coloured cell of a matrix as SVG elements, with its figure if ``letters`` is not 0; none for NaN.

    ``cell`` is row and column, ``at`` the upper left corner, ``size`` width and height, ``letters`` the size of the
    figure, all in pixels.
    """
    value = float(matrix.values[cell])
    if math.isnan(value):
        return []
    colour, (x, y), (wide, high) = _list_band_colours(matrix, palettes)[band_of(value, matrix.edges)], at, size
    text = '<rect x="{}" y="{}" width="{}" height="{}" fill="{}"/>'
    parts = [fill_svg(text, x, y, wide, high, colour)]
    if letters:
        # Softer ink cannot be read on the middle steps.
        middle = x + wide / 2, y + high / 2 + letters / 3, choose_ink_colour(colour)
        written = '<text x="{}" y="{}" text-anchor="middle" style="fill:{};font-size:{}px" font-size="{}">{}</text>'
        parts.append(fill_svg(written, *middle, letters, letters, matrix.texts[cell[0]][cell[1]]))
    return parts


def _draw_square_matrix(scene: Scene, matrix: Matrix) -> tuple[list[Markup], float, float]:
    """Return the elements of a square matrix with legend, and its width and height in pixels.

    Rows have a number from 1 and a name, columns only the number. A cell without a figure (NaN) is not coloured, but
    its text is written in soft ink. Figures are left out where cells are narrower than 18 pixels.
    """
    names = scene.y.names
    cell, top = min(31.0, (WIDTH - LEFT) / max(len(names), 1)), _BANDS + 16
    letters = 0 if cell < 18 else 11 if cell >= 34 else 9 if cell >= 25 else 7
    parts = _draw_band_legend(matrix, scene.unit)
    for row, name in enumerate(names):
        y, x = top + cell * row, LEFT + cell * row
        parts.append(draw_text_line(x + cell / 2, top - 5, str(row + 1), anchor="middle", size=11, soft=True))
        parts.append(draw_text_line(LEFT - 8, y + cell / 2 + 4, cut_name(f"{row + 1}  {name}", LETTERS), anchor="end"))
        for column, label in enumerate(matrix.texts[row]):
            x = LEFT + cell * column
            if math.isnan(matrix.values[row, column]):
                # Not coloured, but not left white either: that there is no figure is something to say.
                parts.append(
                    draw_text_line(x + cell / 2 - 1, y + cell / 2 + 3, label, anchor="middle", soft=True, size=9)
                )
            parts += _draw_figure_cell(matrix, (row, column), (x, y), (cell - 2, cell - 2), letters)
    return parts, WIDTH, top + cell * len(names) + 6


def choose_ink_colour(colour: str) -> str:
    """Return ``#000000`` or ``#ffffff``, whichever has more contrast on a colour like ``#12588c`` (WCAG 2)."""
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    red, green, blue = (
        channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4 for channel in parts
    )
    light = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return "#000000" if (light + 0.05) / 0.05 > 1.05 / (light + 0.05) else "#ffffff"


# --- bars --------------------------------------------------------------------------------


def _draw_bar_chart(scene: Scene, series: Sequence[Bars], sheet: Sheet) -> Drawing:
    """Return the drawing of a bar chart, the bars of one label one below the other, with dashed lines for limits.

    Each bar has its figure behind it. Each row of the scene has a box as wide as the drawing.
    """
    rules = [mark for mark in scene.marks if isinstance(mark, Rule)]
    scale = (sheet.width - sheet.left - sheet.figures) / scene.x.high
    row = max(_BAR * len(series) + _BETWEEN, sheet.least_row)
    first_bar = (row - _BAR * len(series)) / 2 - 3
    top: float = _BARS_TOP + (16 if rules else 0)
    height = top + row * len(scene.y.names) + 8
    parts, more = _draw_row_legend(series, sheet)
    top += more
    height += more
    figures: list[Markup] = []
    lines = [sheet.left + rule.at * scale for rule in rules]
    for index, label in enumerate(scene.y.names):
        y = top + row * index
        parts += _draw_row_label(label, y, row, sheet)
        for n, mark in enumerate(series):
            at = (sheet.left, y + first_bar + n * _BAR)
            parts += _draw_bar(mark, index, at, scale)
            figures += _draw_bar_figure(mark, index, at, scale, lines)
    parts.append(draw_line(sheet.left, top, sheet.left, height - 8))
    for n, (rule, x) in enumerate(zip(rules, lines, strict=True)):
        parts.append(draw_line(x, top - 4, x, height - 8, dashed=True, stroke=INK))
        right = x > sheet.width * 0.6
        at_words = x - 4 if right else x + 4
        anchor = "end" if right else "start"
        parts.append(draw_text_line(at_words, top - 6 - 12 * (n % 2), rule.text, anchor=anchor, size=11))
    boxes = tuple((0.0, top + row * index, sheet.width, row) for index in range(len(scene.rows)))
    return Drawing([*parts, *figures], sheet.width, height, boxes)


def _draw_row_legend(series: Sequence[Bars], sheet: Sheet) -> tuple[list[Markup], float]:
    """Return the elements of the legend of the series, and the height of its lines beyond the first, in pixels.

    A series without a name is left out.
    """
    start = float(sheet.left) if sheet.width >= WIDTH else 1.0
    parts, x, y = [], start, 0.0
    for mark in series:
        wide = 34 + sheet.wide(mark.name)
        if x > start and x + wide > sheet.width + 18:
            x, y = start, y + 16
        if mark.name:
            piece = (
                _draw_shape(mark.role, x + 5, y + 9, 4.0)
                if mark.dotted
                else draw_rect(_TONES[mark.role], x, y + 4, 11, 10)
            )
            lines = sheet.wrapped(mark.name, sheet.width - start - 16)
            parts += [piece, *(draw_text_line(x + 16, y + 13 + 14 * n, text) for n, text in enumerate(lines))]
            x, y = x + wide, y + 14 * (len(lines) - 1)
    return parts, y


def _build_row_text(scene: Scene, row: Row) -> str:
    """Return the text behind or below the marks of a row, with the word of its status last."""
    return " · ".join([scene.row_text(row), *row.cells[-1:]]) if row.status else scene.row_text(row)


def _draw_figure_rows(scene: Scene, series: Sequence[Bars], sheet: Sheet) -> Drawing:
    """Return the drawing of rows with stacked bars or marks, their texts behind or below.

    The scale is at the foot where there are marks or intervals. Lines of limits cross the rows, with their words below;
    level rules lie between rows. Each row has a box as wide as the drawing.
    """
    legend, more = _draw_row_legend(series, sheet)
    top = (_BARS_TOP + 4 if legend else 4) + more
    row_height = _ROW_OF_FIGURES + _FIGURE_LINE * sheet.lines
    right = sheet.width - sheet.figures
    tops = [top + row_height * index + _compute_lines_height(scene, index) for index in range(len(scene.y.names))]
    foot = max(tops, default=top) + row_height

    def at(value: float) -> float:
        """Return the horizontal pixel position of a value."""
        share = (value - scene.x.low) / ((scene.x.high - scene.x.low) or 1.0)
        return sheet.left + share * (right - sheet.left)

    has_spans = any(any(mark.spans) for mark in series)
    parts = [*legend, draw_line(sheet.left, top, sheet.left, foot)]
    for row_index, (label, row) in enumerate(zip(scene.y.names, scene.rows, strict=True)):
        y = tops[row_index]
        parts += [
            *_draw_row_label(label, y, _ROW_OF_FIGURES, sheet),
            *_draw_level_sign(row, y),
            *_draw_row_text(scene, row, y, sheet),
        ]
        if series[0].dotted:
            parts.append(draw_line(sheet.left, y + _ROW_OF_FIGURES / 2, right, y + _ROW_OF_FIGURES / 2, stroke=LIGHT))
        parts += _draw_row_marks(scene, row_index, y, at, apart=has_spans)
    parts += _draw_row_rules(scene, tops, at, sheet)
    if has_spans or series[0].dotted:
        for value, line in drop_overlapping_ticks(scene.x.ticks(TICKS_UP), at, lambda line: sheet.small(f"{line}  ")):
            parts.append(draw_text_line(at(value), foot + 13, line, anchor="middle", soft=True, size=11))
        foot += 16
    for rule in scene.rules:
        if rule.text and not rule.level:
            for line in sheet.wrapped(rule.text, sheet.width):
                half = sheet.small(line) / 2
                x = min(max(at(rule.at), half), sheet.width - half)
                parts.append(draw_text_line(x, foot + 13, line, anchor="middle", size=11))
                foot += 15
    return Drawing(parts, sheet.width, foot + 8, tuple((0.0, y, sheet.width, row_height) for y in tops))


def _draw_row_rules(scene: Scene, tops: Sequence[float], at: Callable[[float], float], sheet: Sheet) -> list[Markup]:
    """Return the elements of the rules of a chart of rows: lines between rows, and limits that cross the bars.

    A level rule is a dashed horizontal line above the row whose index (from 0) it has as its position, with its text at
    the left. Any other is a dashed vertical line through the rows of its cells, or through all rows if it names none;
    its text is not drawn here. ``tops`` has the top of each row, ``at`` turns a value into x, both in pixels.
    """
    parts: list[Markup] = []
    for rule in scene.rules:
        if rule.level:
            y, end = tops[int(rule.at)] - _FIGURE_LINE / 2, sheet.small(rule.text)
            parts += [
                draw_text_line(0, y + 4, rule.text, size=11),
                draw_line(end + 6, y, sheet.width, y, dashed=True, stroke=INK),
            ]
            continue
        for cell in rule.cells or range(len(scene.y.names)):
            y = tops[cell]
            parts.append(draw_line(at(rule.at), y + 1, at(rule.at), y + _ROW_OF_FIGURES - 1, dashed=True, stroke=INK))
    return parts


def _compute_lines_height(scene: Scene, index: int) -> float:
    """Return the height in pixels that level lines need above a row: 14 for each at this row or an earlier one."""
    return _FIGURE_LINE * sum(rule.level and rule.at <= index for rule in scene.rules)


def _draw_row_text(scene: Scene, row: Row, y: float, sheet: Sheet) -> list[Markup]:
    """Return the text of a row with its status sign as SVG elements.

    The text stands at the right end of the row, or in lines below the bars if the layout ``sheet`` has lines for it.
    The sign is left of the text; a row without a status has none.
    """
    label = _build_row_text(scene, row)
    lines = sheet.wrapped(label, sheet.width) if sheet.lines else [label]
    first = y + (_ROW_OF_FIGURES + 8 if sheet.lines else 19)
    parts = [
        draw_text_line(sheet.width, first + _FIGURE_LINE * n, text, anchor="end", size=11)
        for n, text in enumerate(lines)
    ]
    if row.status in _STATUS:
        x = sheet.width - max(map(sheet.small, lines)) - 10
        parts.append(_draw_shape(_STATUS[row.status], max(x, 6.0), first - 4, 4.5))
    return parts


def _draw_level_sign(row: Row, y: float) -> list[Markup]:
    """Return the sign of a privacy level: four rising bars, of which the first ``row.level`` (0 to 4) are filled.

    Nothing is returned for a row without a level (None). ``y`` is the top of the row.
    """
    if row.level is None:
        return []
    text = '<rect x="{}" y="{}" width="3.5" height="{}" fill="{}" stroke="{}"/>'
    heights = (4.8, 7.2, 9.6, 12.0)
    fills = [_LEVEL] * row.level + [GROUND] * (len(heights) - row.level)
    return [
        Markup(text).format(0.5 + 5 * n, round_coordinate(y + 21 - height), height, fill, _LEVEL)
        for n, (height, fill) in enumerate(zip(heights, fills, strict=True))
    ]


def _draw_row_marks(scene: Scene, index: int, y: float, at: Callable[[float], float], *, apart: bool) -> list[Markup]:
    """Return the bars or marks of a row with their intervals; nothing for a series without a value.

    Stacked bars begin where the one before ends. With ``apart`` marks are set one below the other. An interval that
    begins below the axis is drawn from the axis on. ``index`` is that of the row, from 0, ``y`` its top, and ``at``
    turns a value into x.
    """
    parts: list[Markup] = []
    start, series = 0.0, scene.bars
    for n, mark in enumerate(series):
        value, span = mark.values[index], mark.spans[index]
        if value is None:
            continue
        middle = y + _ROW_OF_FIGURES * ((n + 1) / (len(series) + 1) if mark.dotted and apart else 0.5)
        if not mark.dotted:
            parts.append(draw_rect(_TONES[mark.role], at(start), middle - 6, at(start + value) - at(start), 12))
            start += value
        if span is not None:
            parts += _draw_interval(at(max(span[0], scene.x.low)), at(span[1]), middle)
        if mark.dotted:
            parts.append(_draw_shape(mark.role, at(value), middle, 4.0))
    return parts


def _draw_row_label(label: str, y: float, row: float, sheet: Sheet) -> list[Markup]:
    """Return the label of a row, on two lines if it is too long for one; a rest that is too long loses its middle."""
    lines = [label]
    if len(label) > sheet.letters:
        space = label.rfind(" ", 0, sheet.letters + 1)
        first = label[:space] if space > sheet.letters // 3 else label[: sheet.letters]
        lines = [first, cut_name(label[len(first) :].strip(), sheet.letters)]
    first_line = y + row / 2 - 1 - 6 * (len(lines) - 1) + 3
    return [draw_text_line(sheet.left - 8, first_line + 12 * n, text, anchor="end") for n, text in enumerate(lines)]


def _draw_bar(series: Bars, index: int, at: tuple[float, float], scale: float) -> list[Markup]:
    """Return the elements of bar ``index`` of a series, with a thin line for its interval; none without a value.

    ``at`` is its upper left corner; ``scale`` is pixels for each unit. An interval that begins below 0 is drawn from 0
    on.
    """
    (left, y), value, span = at, series.values[index], series.spans[index]
    if value is None:
        return []
    parts = [draw_rect(_TONES[series.role], left, y, _compute_bar_width(value, scale), _BAR - 2)]
    if span is not None:
        parts += _draw_interval(left + max(span[0], 0) * scale, left + span[1] * scale, y + (_BAR - 2) / 2)
    return parts


def _draw_interval(low: float, high: float, y: float) -> list[Markup]:
    """Return a horizontal line with a stroke at both ends, as SVG elements.

    It lies on a band of the ground's colour, so that the part on a bar is seen as well.
    """
    line = [draw_backing_stroke(low - 1, y, high + 1), draw_line(low, y, high, y, stroke=INK)]
    return [*line, *(draw_line(x, y - 3, x, y + 3, stroke=INK) for x in (low, high))]


def _compute_bar_width(value: float, scale: float) -> float:
    """Return the width of a bar in pixels, at least half a pixel for a value above 0."""
    return max(value * scale, 0.5 if value > 0 else 0)


def _draw_bar_figure(
    series: Bars, index: int, at: tuple[float, float], scale: float, lines: Sequence[float]
) -> list[Markup]:
    """Return the figure behind a bar and its interval, on background colour where a line would cross it.

    Without a value its text stands where the bar would begin. ``at`` is the upper left corner of the bar, ``scale``
    pixels for each unit, and ``lines`` the horizontal positions of lines.
    """
    (left, y), value, span, label = at, series.values[index], series.spans[index], series.texts[index]
    if value is None:
        return [draw_text_line(left + 5, y + 9, label, soft=True, size=11)]
    end = left + max(_compute_bar_width(value, scale), span[1] * scale if span is not None else 0)
    start, until = end + 3, end + 7 + _BAR_LETTER * len(label)
    crossed = any(start <= x <= until for x in lines)
    under = [draw_backing_stroke(start, y + (_BAR - 2) / 2, until, _BAR)] if crossed else []
    return [*under, draw_text_line(end + 5, y + 9, label, size=11)]
