"""A scene as SVG: in the report and its PDF, and as a file of its own.

No script, no style sheet needed, no outside reference, no name, path or date: the same scene gives the same bytes.
Colours are those of light ground; lines, fills and shapes differ as well, for a black and white print.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise

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
    band,
    cut_name,
    figure,
    line,
    rect,
    rounded,
    words,
)
from ppdm_desktop.engine.report.scene.bands import ON_LIGHT, band_of, spread
from ppdm_desktop.engine.report.scene.model import Band, Bars, Image, Label, Matrix, Points, Role, Rule, Scene, Steps
from ppdm_desktop.engine.report.scene.ticks import TICKS_ACROSS, TICKS_UP, without_overlap

_PLOT, _RIGHT, _LEGEND, _BANDS, _FOOT = 200.0, 12.0, 20.0, 46.0, 18.0
_GAP = 9.0
"""Between a mark and what is written beside it."""
_LETTER = 6.4
"""Width of a letter of 12, on the average; a drawing knows no font."""
_CELL, _NAME = 12.0, 24
"""Of an image whose rows and columns have names: pixels of a cell, and the most letters of a name."""
_MATRIX_ROW, _WIDEST_CELL, _LEAST_MATRIX = 24, 98.0, 420.0
"""Of a matrix with names above it."""
_BARS_TOP, _BAR, _BETWEEN, _FIGURE_ROOM, _BAR_LETTER = 26, 11, 10, 86, 5.6
_ROW_OF_FIGURES, _FIGURES = 30, 190
_TONES: dict[Role, str] = {
    "original": "before", "third": "third", "released": "after",
    "alarming": "alarming", "plain": "before", "guess": "guess",
}  # fmt: skip
"""Classes of bars in the page's style sheet."""
_PASSED, _AMBER, _BLOCKS = "#1a7040", "#8a5300", "#b3261e"
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


def as_figure(scene: Scene) -> Markup:
    """Return the drawing with its text alternative, and its sentences below."""
    parts, _width, height = _drawn(scene)
    return figure(parts, height, scene.title, scene.sentence, scene.source)


def as_figures(scenes: Iterable[Scene]) -> Markup:
    """Return drawings one below the other."""
    return Markup("").join(map(as_figure, scenes))


def as_file(title: str, scenes: Sequence[Scene], small: str, family: str = "sans-serif") -> str:
    """Return a drawing of its own: title, one or more scenes beside each other, and what stands below.

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
    drawn = [_drawn(scene) for scene in scenes]
    wide = sum(width for _, width, _ in drawn) + gap * (len(drawn) - 1)
    parts = [words(margin, top + 14 + 18 * n, said, size=14) for n, said in enumerate(_wrapped(title, wide / 7.6))]
    top += 18 * len(parts) + 8
    several = len(scenes) > 1 or (scenes[0].grid and scenes[0].title != title)
    x, lowest = margin, top
    for scene, (inside, width, height) in zip(scenes, drawn, strict=True):
        if several:
            parts.append(words(x, top + 12, scene.title, soft=True))
        y = top + (20 if several else 0)
        parts.append(Markup('<g transform="translate({} {})">').format(rounded(x), rounded(y)))
        parts += [*inside, Markup("</g>")]
        x, lowest = x + width + gap, max(lowest, y + height)
    foot = _wrapped(small, wide / 5.4)
    parts += [words(margin, lowest + 16 + 14 * n, said, size=10, soft=True) for n, said in enumerate(foot)]
    height = lowest + 16 + 14 * len(foot) + margin
    head = Markup('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {} {}" width="{}" height="{}" ').format(
        *map(rounded, (wide + 2 * margin, height, wide + 2 * margin, height))
    )
    head += Markup('font-family="{}" role="img"><title>{}</title><desc>{}</desc>').format(
        family, title, " ".join(scene.sentence for scene in scenes)
    )
    ground = Markup('<rect width="{}" height="{}" fill="{}"/>').format(
        rounded(wide + 2 * margin), rounded(height), GROUND
    )
    return str(Markup("").join([head, ground, *parts, Markup("</svg>")]))


def _wrapped(text: str, letters: float) -> list[str]:
    """Break a text into lines of about so many letters, at no no-break space."""
    lines: list[str] = []
    for word in text.replace("\n", " ").split(" "):
        if not word:
            continue
        if lines and len(lines[-1]) + 1 + len(word) <= letters:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _drawn(scene: Scene) -> tuple[list[Markup], float, float]:
    """Return the parts of a drawing, its width and its height."""
    bars = [mark for mark in scene.marks if isinstance(mark, Bars)]
    images = [mark for mark in scene.marks if isinstance(mark, Image)] if scene.x.names else []
    if bars:
        return (_rows_of_figures if any(mark.stacked or mark.dotted for mark in bars) else _bar_rows)(scene, bars)
    if images and isinstance(images[0], Matrix):
        return _matrix(scene, images[0])
    return _named_image(scene, images[0]) if images else _plot(scene)


# --- a plot with two axes ----------------------------------------------------------------


class _Frame:
    """Where values stand in a plot."""

    def __init__(self, scene: Scene, left: float, top: float) -> None:
        self.left, self.top, self.right, self.bottom = left, top, WIDTH - _RIGHT, top + _PLOT
        self._x, self._y = scene.x, scene.y

    def x(self, value: float) -> float:
        wide = self._x.high - self._x.low or 1.0
        return self.left + (value - self._x.low) / wide * (self.right - self.left)

    def y(self, value: float) -> float:
        return self.bottom - (value - self._y.low) / (self._y.high - self._y.low or 1.0) * (self.bottom - self.top)


def _plot(scene: Scene) -> tuple[list[Markup], float, float]:
    images = [mark for mark in scene.marks if isinstance(mark, Image)]
    upright = scene.y.ticks(TICKS_UP)
    left = max((len(said) for _, said in upright), default=0) * _LETTER + 12
    rules = [mark for mark in scene.marks if isinstance(mark, Rule)]
    parts, legend = _legend(scene)
    legend = _BANDS if images else legend
    top = legend + (16.0 if scene.y.name else 4.0) + (14.0 if rules else 0.0)
    frame = _Frame(scene, left, top)
    parts += [part for image in images for part in _bands(image, scene.unit)]
    if scene.y.name:
        parts.append(words(left, legend + 12, scene.y.name, soft=True, size=11))
    for value, said in upright:
        parts.append(line(left, frame.y(value), frame.right, frame.y(value), stroke=LIGHT))
        parts.append(words(left - 6, frame.y(value) + 4, said, anchor="end", soft=True, size=11))
    for mark in scene.marks:
        if isinstance(mark, Band):
            parts.append(_band(mark, frame))
        elif isinstance(mark, Image):
            parts += _image(mark, frame.left, frame.top, frame.right - frame.left, frame.bottom - frame.top)
        elif isinstance(mark, Steps):
            parts.append(_steps(mark, frame))
        elif isinstance(mark, Points):
            parts += _points(mark, frame)
    parts += [part for rule in rules for part in _rule(rule, frame)]
    parts += [part for mark in scene.marks if isinstance(mark, Label) for part in _label(mark, frame, rules)]
    parts.append(line(left, frame.bottom, frame.right, frame.bottom))
    across = scene.x.ticks(TICKS_ACROSS)
    if scene.x.marked:
        across = without_overlap(across, frame.x, lambda said: (len(said) + 1) * _LETTER)
    for value, said in across:
        x, half = frame.x(value), len(said) * _LETTER / 2
        anchor = "end" if x + half > WIDTH else "middle"
        parts.append(words(WIDTH if anchor == "end" else x, frame.bottom + 14, said, anchor=anchor, soft=True, size=11))
    foot = frame.bottom + _FOOT
    if scene.x.name:
        foot += 16
        parts.append(words(frame.right, foot - 4, scene.x.name, anchor="end", soft=True, size=11))
    return parts, WIDTH, foot + 4


def _legend(scene: Scene) -> tuple[list[Markup], float]:
    """Return the series with their names, on as many lines as they take, and the height of these."""
    parts, x, y = [], 12.0, 0.0
    for each in scene.series:
        wide = 48 + 6.6 * len(each.name)
        if x > 12 and x + wide > WIDTH:
            x, y = 12.0, y + 18
        if isinstance(each, Band) or (isinstance(each, Steps) and each.role == "original"):
            parts.append(rect("before", x, y + 4, 24, 10))
        elif isinstance(each, Points) and not each.joined:
            parts.append(_shape(each.role, x + 12, y + 9, 5.0))
        else:
            parts.append(_path(each.role, [(x, y + 9), (x + 24, y + 9)]))
        parts.append(words(x + 30, y + 13, each.name))
        x += wide
    return parts, y + _LEGEND if scene.series else 4.0


def _label(label: Label, frame: _Frame, rules: Sequence[Rule]) -> list[Markup]:
    """Return what is written beside a mark, never on a dashed line and on the ground's colour: other lines give way."""
    x, y, wide = frame.x(label.x), frame.y(label.y), len(label.text) * _LETTER
    start = x - _GAP - wide if x + _GAP + wide > WIDTH else x + _GAP
    crossed = [dashed for dashed in (frame.x(rule.at) for rule in rules) if start < dashed < start + wide]
    if crossed:
        before = min(x, *crossed) - _GAP - wide
        start = before if before > frame.left else max(x, *crossed) + _GAP
    under = '<rect class="ground" x="{}" y="{}" width="{}" height="12" fill="{}"/>'
    left = start < x
    return [
        Markup(under).format(rounded(start), rounded(y - 6), rounded(wide), GROUND),
        words(start + (wide if left else 0), y + 4, label.text, anchor="end" if left else "start", size=11),
    ]


def _rule(rule: Rule, frame: _Frame) -> list[Markup]:
    if rule.level:
        y = frame.y(rule.at)
        said = words(frame.right, y - 4 if y > frame.top + 16 else y + 13, rule.words, anchor="end", size=11)
        return [line(frame.left, y, frame.right, y, dashed=True, stroke=INK), said]
    x = frame.x(rule.at)
    right = x > WIDTH * 0.6
    said = words(x - 4 if right else x + 4, frame.top - 4, rule.words, anchor="end" if right else "start", size=11)
    return [line(x, frame.top - 10, x, frame.bottom, dashed=True, stroke=INK), said]


def _steps(steps: Steps, frame: _Frame) -> Markup:
    corners = [
        (frame.x(edge), frame.y(height))
        for height, ends in zip(steps.heights, pairwise(steps.edges), strict=True)
        for edge in ends
    ]
    if not corners or steps.role != "original":
        return _path(steps.role, corners)
    path = " L".join(f"{rounded(x)} {rounded(y)}" for x, y in corners)
    shape = '<path class="bar-before" d="M{} {} L{} L{} {} Z" fill="{}" stroke="{}"/>'
    first, last, floor = rounded(corners[0][0]), rounded(corners[-1][0]), rounded(frame.bottom)
    return Markup(shape).format(first, floor, path, last, floor, LIGHT, LINE)


def _band(band: Band, frame: _Frame) -> Markup:
    """Return the ground between both lines; one place alone is a stroke."""
    upper = [(frame.x(x), frame.y(y)) for x, y in zip(band.x.tolist(), band.high.tolist(), strict=True)]
    lower = [(frame.x(x), frame.y(y)) for x, y in zip(band.x.tolist(), band.low.tolist(), strict=True)]
    path = " L".join(f"{rounded(x)} {rounded(y)}" for x, y in [*upper, *reversed(lower)])
    return Markup('<path class="bar-before" d="M{} Z" fill="{}" stroke="{}"/>').format(path, LIGHT, LINE)


def _path(role: Role, corners: Sequence[tuple[float, float]]) -> Markup:
    if not corners:
        return Markup("")
    path = " L".join(f"{rounded(x)} {rounded(y)}" for x, y in corners)
    thin = role == "released"
    dash = Markup(' stroke-dasharray="5 3"') if thin else Markup("")
    shape = '<path class="{}" d="M{}" style="fill:none" fill="none" stroke="{}" stroke-width="{}"{}/>'
    return Markup(shape).format("mark" if thin else "curve", path, INK if thin else DARK, 1 if thin else 2, dash)


def _points(points: Points, frame: _Frame) -> list[Markup]:
    corners = [(frame.x(x), frame.y(y)) for x, y in zip(points.x.tolist(), points.y.tolist(), strict=True)]
    if points.joined:
        return [_path(points.role, corners)]
    half = next((size for most, size in _SIZES if len(corners) <= most), 1.0) if points.records else 5.0
    return [_shape(points.role, x, y, half) for x, y in corners]


def _shape(role: Role, x: float, y: float, half: float) -> Markup:
    kind, fill, stroke = _MARKS[role]
    if role == "original" and half < 5:  # a record, and not the one mark of the original
        fill = stroke = LINE
    if kind == "disc":
        # A page's style sheet has colours for dark ground, in which the dark blue of print would be lost.
        tone = {"released": "bar-after", "third": "curve"}.get(role, "point")
        place = '<circle class="{}" cx="{}" cy="{}" r="{}" fill="{}" stroke="{}"/>'
        return Markup(place).format(tone, rounded(x), rounded(y), rounded(half), fill, stroke)
    corners = {
        "square": ((-1, -1), (1, -1), (1, 1), (-1, 1)),
        "diamond": ((0, -1.25), (1.25, 0), (0, 1.25), (-1.25, 0)),
        "triangle": ((0, -1.1), (1.1, 1), (-1.1, 1)),
    }[kind]
    path = " L".join(f"{rounded(x + across * half)} {rounded(y + down * half)}" for across, down in corners)
    return Markup('<path d="M{} Z" fill="{}" stroke="{}"/>').format(path, fill, stroke)


# --- images ------------------------------------------------------------------------------


def _bands(image: Image, unit: str, room: float = WIDTH) -> list[Markup]:
    """Return the legend of an image: what it measures, its colours, and what each of them stands for."""
    parts, wide = [words(0, 12, unit, soft=True, size=11)], (room - 4) / len(image.bands)
    for place, (colour, said) in enumerate(zip(_colours(image), image.bands, strict=True)):
        box = '<rect x="{}" y="18" width="{}" height="10" fill="{}" stroke="{}"/>'
        parts.append(Markup(box).format(rounded(place * wide), rounded(wide - 2), colour, LINE))
        parts.append(words((place + 0.5) * wide, 40, said, anchor="middle", soft=True, size=10))
    return parts


def _colours(image: Image) -> tuple[str, ...]:
    return spread(ON_LIGHT[image.palette], len(image.edges) + 1, diverging=image.palette == "diverging")


def _image(image: Image, left: float, top: float, wide: float, high: float) -> list[Markup]:
    """Return the cells of an image; neighbours of one colour in a row are one rectangle."""
    colours = _colours(image)
    up, across = image.values.shape
    one, step = wide / max(across, 1), high / max(up, 1)
    place = '<rect x="{}" y="{}" width="{}" height="{}" fill="{}"/>'
    parts = []
    for row in range(up):
        y = top + high - (row + 1) * step
        bands = [None if math.isnan(value) else band_of(value, image.edges) for value in image.values[row].tolist()]
        start = 0
        for column in range(1, across + 1):
            if column == across or bands[column] != bands[start]:
                band = bands[start]
                if band is not None:
                    at = map(rounded, (left + start * one, y, (column - start) * one, step))
                    parts.append(Markup(place).format(*at, colours[band]))
                start = column
    return parts


def _named_image(scene: Scene, image: Image) -> tuple[list[Markup], float, float]:
    """Return an image with a name at every row and above every column."""
    left, top = _NAME * _LETTER + 8, _BANDS + _NAME * _LETTER + 8
    up, across = image.values.shape
    wide, high = across * _CELL, up * _CELL
    parts = [*_bands(image, scene.unit), *_image(image, left, top, wide, high)]
    for row, name in enumerate(scene.y.names):
        y = top + high - (row + 0.5) * _CELL + 3
        parts.append(words(left - 5, y, cut_name(name, _NAME), anchor="end", size=9))
    parts += [_turned(left + (column + 0.5) * _CELL + 3, top - 5, name) for column, name in enumerate(scene.x.names)]
    return parts, max(left + wide + 8, WIDTH), top + high + 8


def _turned(x: float, y: float, name: str, size: int = 9) -> Markup:
    """Return a name that stands upright above a column."""
    place = '<text class="ink" x="{}" y="{}" fill="{}" font-size="{}" transform="rotate(-90 {} {})">{}</text>'
    at = (rounded(x), rounded(y))
    return Markup(place).format(*at, INK, size, *at, cut_name(name, _NAME))


def _matrix(scene: Scene, matrix: Matrix) -> tuple[list[Markup], float, float]:
    """Return cells with their figures."""
    if matrix.numbered:
        return _square(scene, matrix)
    down, across = scene.y.names, scene.x.names
    longest = max((len(cut_name(name, _NAME)) for name in down), default=0)
    figures = max((len(said) for line in matrix.words for said in line), default=0)
    left, cell = longest * _LETTER + 10, max(figures * _LETTER + 8, 26.0)
    above = max((len(cut_name(name, _NAME)) for name in across), default=0) * _LETTER
    cell = max(cell, min((WIDTH - left) / max(len(across), 1), _WIDEST_CELL))
    turned = above > cell
    top = _BANDS + (above + 8 if turned else 18)
    wide = max(left + cell * len(across) + 4, _LEAST_MATRIX)
    parts = _bands(matrix, scene.unit, wide)
    for column, name in enumerate(across):
        x = left + cell * (column + 0.5)
        if turned:
            parts.append(_turned(x + 3, top - 5, name, 11))
        else:
            parts.append(words(x, top - 5, name, anchor="middle", size=11))
    for row, name in enumerate(down):
        y = top + _MATRIX_ROW * row
        parts.append(words(left - 6, y + _MATRIX_ROW / 2 + 3, cut_name(name, _NAME), anchor="end", size=11))
        for column in range(len(across)):
            x, size = left + cell * column, (cell - 1, _MATRIX_ROW - 1.0)
            parts += _figure_cell(matrix, (row, column), (x, y), size, 11)
    return parts, wide, top + _MATRIX_ROW * len(down) + 6


def _figure_cell(
    matrix: Matrix, cell: tuple[int, int], at: tuple[float, float], size: tuple[float, float], letters: int
) -> list[Markup]:
    """Return a cell in the colour of its band with its figure, if letters are to be written in it."""
    value = float(matrix.values[cell])
    if math.isnan(value):
        return []
    colour, (x, y), (wide, high) = _colours(matrix)[band_of(value, matrix.edges)], at, size
    place = '<rect x="{}" y="{}" width="{}" height="{}" fill="{}"/>'
    parts = [Markup(place).format(*map(rounded, (x, y, wide, high)), colour)]
    if letters:
        # Softer ink cannot be read on the middle steps.
        middle = (rounded(x + wide / 2), rounded(y + high / 2 + letters / 3), ink_on(colour))
        written = '<text x="{}" y="{}" text-anchor="middle" style="fill:{};font-size:{}px" font-size="{}">{}</text>'
        parts.append(Markup(written).format(*middle, letters, letters, matrix.words[cell[0]][cell[1]]))
    return parts


def _square(scene: Scene, matrix: Matrix) -> tuple[list[Markup], float, float]:
    """Return every name against every other; columns are numbered as the rows are."""
    names = scene.y.names
    cell, top = min(31.0, (WIDTH - LEFT) / max(len(names), 1)), _BANDS + 16
    letters = 0 if cell < 18 else 11 if cell >= 34 else 9 if cell >= 25 else 7
    parts = _bands(matrix, scene.unit)
    for row, name in enumerate(names):
        y, x = top + cell * row, LEFT + cell * row
        parts.append(words(x + cell / 2, top - 5, str(row + 1), anchor="middle", size=11, soft=True))
        parts.append(words(LEFT - 8, y + cell / 2 + 4, cut_name(f"{row + 1}  {name}", LETTERS), anchor="end"))
        for column, said in enumerate(matrix.words[row]):
            x = LEFT + cell * column
            if math.isnan(matrix.values[row, column]):
                # Not coloured, but not left white either: that there is no figure is something to say.
                parts.append(words(x + cell / 2 - 1, y + cell / 2 + 3, said, anchor="middle", soft=True, size=9))
            parts += _figure_cell(matrix, (row, column), (x, y), (cell - 2, cell - 2), letters)
    return parts, WIDTH, top + cell * len(names) + 6


def ink_on(colour: str) -> str:
    """Return black or white, whichever reads better on a colour (WCAG 2)."""
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    red, green, blue = (each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in parts)
    light = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return "#000000" if (light + 0.05) / 0.05 > 1.05 / (light + 0.05) else "#ffffff"


# --- bars --------------------------------------------------------------------------------


def _bar_rows(scene: Scene, series: Sequence[Bars]) -> tuple[list[Markup], float, float]:
    """Return level bars, the series of a row one below the other, each with its figure."""
    rules = [mark for mark in scene.marks if isinstance(mark, Rule)]
    scale = (WIDTH - LEFT - _FIGURE_ROOM) / scene.x.high
    row = _BAR * len(series) + _BETWEEN
    top: float = _BARS_TOP + (16 if rules else 0)
    height = top + row * len(scene.y.names) + 8
    parts, more = _legend_of_rows(series)
    top += more
    height += more
    figures: list[Markup] = []
    lines = [LEFT + rule.at * scale for rule in rules]
    for place, label in enumerate(scene.y.names):
        y = top + row * place
        parts += _row_label(label, y, row)
        for n, each in enumerate(series):
            parts += _bar(each, place, y + 2 + n * _BAR, scale)
            figures += _figure(each, place, y + 2 + n * _BAR, scale, lines)
    parts.append(line(LEFT, top, LEFT, height - 8))
    for n, (rule, x) in enumerate(zip(rules, lines, strict=True)):
        parts.append(line(x, top - 4, x, height - 8, dashed=True, stroke=INK))
        right = x > WIDTH * 0.6
        at = x - 4 if right else x + 4
        parts.append(words(at, top - 6 - 12 * (n % 2), rule.words, anchor="end" if right else "start", size=11))
    return [*parts, *figures], WIDTH, height


def _legend_of_rows(series: Sequence[Bars]) -> tuple[list[Markup], float]:
    """Return the names of the series, and the height of the lines that they take beyond one."""
    parts, x, y = [], float(LEFT), 0.0
    for each in series:
        wide = 34 + 6.6 * len(each.name)
        if x > LEFT and x + wide > WIDTH + 18:
            x, y = float(LEFT), y + 16
        if each.name:
            mark = _shape(each.role, x + 5, y + 9, 4.0) if each.dotted else rect(_TONES[each.role], x, y + 4, 11, 10)
            parts += [mark, words(x + 16, y + 13, each.name)]
            x += wide
    return parts, y


def _rows_of_figures(scene: Scene, series: Sequence[Bars]) -> tuple[list[Markup], float, float]:
    """Return one row for each label: its parts or marks, and behind them what its row says."""
    legend, more = _legend_of_rows(series)
    right, top = WIDTH - _FIGURES, _BARS_TOP + 4 + more
    foot = top + _ROW_OF_FIGURES * len(scene.y.names)

    def at(value: float) -> float:
        return LEFT + (value - scene.x.low) / ((scene.x.high - scene.x.low) or 1.0) * (right - LEFT)

    spread = any(any(mark.spans) for mark in series)
    parts = [*legend, line(LEFT, top, LEFT, foot)]
    for place, (label, row) in enumerate(zip(scene.y.names, scene.rows, strict=True)):
        y = top + _ROW_OF_FIGURES * place
        said = " · ".join([scene.said_of(row), *row.cells[-1:]]) if row.status else scene.said_of(row)
        parts += [*_row_label(label, y, _ROW_OF_FIGURES), words(WIDTH, y + 19, said, anchor="end", size=11)]
        start = 0.0
        if series[0].dotted:
            parts.append(line(LEFT, y + _ROW_OF_FIGURES / 2, right, y + _ROW_OF_FIGURES / 2, stroke=LIGHT))
        for n, mark in enumerate(series):
            value, span = mark.values[place], mark.spans[place]
            if value is None:
                continue
            middle = y + _ROW_OF_FIGURES * ((n + 1) / (len(series) + 1) if mark.dotted and spread else 0.5)
            if not mark.dotted:
                parts.append(rect(_TONES[mark.role], at(start), middle - 6, at(start + value) - at(start), 12))
                start += value
            if span is not None:
                ends = at(max(span[0], scene.x.low)), at(span[1])
                parts += [band(ends[0] - 1, middle, ends[1] + 1), line(ends[0], middle, ends[1], middle, stroke=INK)]
                parts += [line(x, middle - 3, x, middle + 3, stroke=INK) for x in ends]
            if mark.dotted:
                parts.append(_shape(mark.role, at(value), middle, 4.0))
    for rule in scene.rules:
        if rule.level:
            y = top + _ROW_OF_FIGURES * rule.at
            parts += [line(0, y, WIDTH, y, dashed=True, stroke=INK), words(0, y - 3, rule.words, size=10)]
            continue
        for cell in rule.cells or range(len(scene.y.names)):
            y = top + _ROW_OF_FIGURES * cell
            parts.append(line(at(rule.at), y + 1, at(rule.at), y + _ROW_OF_FIGURES - 1, dashed=True, stroke=INK))
    if spread or series[0].dotted:
        for value, said in scene.x.ticks(TICKS_UP):
            parts.append(words(at(value), foot + 13, said, anchor="middle", soft=True, size=11))
        foot += 16
    for rule in scene.rules:
        if rule.words and not rule.level:
            parts.append(words(at(rule.at), foot + 13, rule.words, anchor="middle", size=11))
            foot += 15
    return parts, WIDTH, foot + 8


def _row_label(label: str, y: float, row: float) -> list[Markup]:
    """Return a label in two lines at most."""
    lines = [label]
    if len(label) > LETTERS:
        space = label.rfind(" ", 0, LETTERS + 1)
        first = label[:space] if space > 8 else label[:LETTERS]
        lines = [first, cut_name(label[len(first) :].strip(), LETTERS)]
    first_line = y + row / 2 - 1 - 6 * (len(lines) - 1) + 3
    return [words(LEFT - 8, first_line + 12 * n, each, anchor="end") for n, each in enumerate(lines)]


def _bar(series: Bars, place: int, y: float, scale: float) -> list[Markup]:
    value, span = series.values[place], series.spans[place]
    if value is None:
        return []
    parts = [rect(_TONES[series.role], LEFT, y, _width(value, scale), _BAR - 2)]
    if span is not None:
        low, high, middle = LEFT + max(span[0], 0) * scale, LEFT + span[1] * scale, y + (_BAR - 2) / 2
        # On a band of the ground's colour, so that the part on the bar is seen as well.
        parts.append(band(low - 1, middle, high + 1))
        parts.append(line(low, middle, high, middle, stroke=INK))
        parts += [line(x, middle - 3, x, middle + 3, stroke=INK) for x in (low, high)]
    return parts


def _width(value: float, scale: float) -> float:
    return max(value * scale, 0.5 if value > 0 else 0)


def _figure(series: Bars, place: int, y: float, scale: float, lines: Sequence[float]) -> list[Markup]:
    """Return what is written behind a bar; a line that would go through it gives way."""
    value, span, said = series.values[place], series.spans[place], series.words[place]
    if value is None:
        return [words(LEFT + 5, y + 9, said, soft=True, size=11)]
    end = LEFT + max(_width(value, scale), span[1] * scale if span is not None else 0)
    start, until = end + 3, end + 7 + _BAR_LETTER * len(said)
    crossed = any(start <= x <= until for x in lines)
    under = [band(start, y + (_BAR - 2) / 2, until, _BAR)] if crossed else []
    return [*under, words(end + 5, y + 9, said, size=11)]
