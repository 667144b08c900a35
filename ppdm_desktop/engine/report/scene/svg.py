"""A scene as SVG: in the report and its PDF, and as a file of its own.

No script, no style sheet needed, no outside reference, no name, path or date: the same scene gives the same bytes.
Colours are those of light ground; lines, fills and shapes differ as well, for a black and white print.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from markupsafe import Markup

from ppdm_desktop.engine.report.drawing import (
    DARK,
    GROUND,
    INK,
    LIGHT,
    LINE,
    WIDTH,
    cut_name,
    figure,
    line,
    rect,
    rounded,
    words,
)
from ppdm_desktop.engine.report.scene.model import Image, Label, Points, Role, Rule, Scene, Steps
from ppdm_desktop.engine.report.scene.palettes import ON_LIGHT, band_of, spread
from ppdm_desktop.engine.report.scene.ticks import TICKS_ACROSS, TICKS_UP

_PLOT, _RIGHT, _LEGEND, _BANDS, _FOOT = 200.0, 12.0, 20.0, 46.0, 18.0
_LETTER = 6.4
"""Width of a letter of 12, on the average; a drawing knows no font."""
_CELL, _NAME = 12.0, 24
"""Of an image whose rows and columns have names: pixels of a cell, and the most letters of a name."""
_PASSED, _AMBER, _BLOCKS = "#1a7040", "#8a5300", "#b3261e"
_MARKS: dict[Role, tuple[str, str, str]] = {
    "original": ("square", GROUND, INK),
    "released": ("disc", DARK, DARK),
    "allowed": ("disc", _PASSED, GROUND),
    "reasons": ("diamond", _AMBER, GROUND),
    "stopped": ("triangle", GROUND, _BLOCKS),
}
"""Shape, fill and outline of a point."""
_SIZES = ((200, 3.0), (3_000, 1.6))
"""Up to how many points one is how large, half its width; 1 beyond."""


def as_figure(scene: Scene) -> Markup:
    """Return the drawing with its text alternative, and its sentences below."""
    parts, _width, height = _drawn(scene)
    return figure(parts, height, scene.title, scene.sentence, scene.source)


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
    several = len(scenes) > 1
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
    ground = Markup('<rect width="100%" height="100%" fill="{}"/>').format(GROUND)
    return str(Markup("").join([head, ground, *parts, Markup("</svg>")]))


def _wrapped(text: str, letters: float) -> list[str]:
    """Break a text into lines of about so many letters."""
    lines: list[str] = []
    for word in text.split():
        if lines and len(lines[-1]) + 1 + len(word) <= letters:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _drawn(scene: Scene) -> tuple[list[Markup], float, float]:
    """Return the parts of a drawing, its width and its height."""
    named = [mark for mark in scene.marks if isinstance(mark, Image) and scene.x.names]
    return _named_image(scene, named[0]) if named else _plot(scene)


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
        if isinstance(mark, Image):
            parts += _image(mark, frame.left, frame.top, frame.right - frame.left, frame.bottom - frame.top)
        elif isinstance(mark, Steps):
            parts.append(_steps(mark, frame))
        elif isinstance(mark, Points):
            parts += _points(mark, frame)
    parts += [part for rule in rules for part in _rule(rule, frame)]
    parts += [part for mark in scene.marks if isinstance(mark, Label) for part in _label(mark, frame)]
    parts.append(line(left, frame.bottom, frame.right, frame.bottom))
    for value, said in scene.x.ticks(TICKS_ACROSS):
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
        if isinstance(each, Steps) and each.role == "original":
            parts.append(rect("before", x, y + 4, 24, 10))
        elif isinstance(each, Steps) or each.joined:
            parts.append(_path(each.role, [(x, y + 9), (x + 24, y + 9)]))
        else:
            parts.append(_shape(each.role, x + 12, y + 9, 5.0))
        parts.append(words(x + 30, y + 13, each.name))
        x += wide
    return parts, y + _LEGEND if scene.series else 4.0


def _label(label: Label, frame: _Frame) -> list[Markup]:
    """Return what is written beside a mark, on the colour of the ground: lines give way."""
    x, y, wide = frame.x(label.x), frame.y(label.y), len(label.text) * _LETTER
    left = x + 9 + wide > WIDTH
    under = '<rect class="ground" x="{}" y="{}" width="{}" height="12" fill="{}"/>'
    start = x - 9 - wide if left else x + 9
    return [
        Markup(under).format(rounded(start), rounded(y - 6), rounded(wide), GROUND),
        words(x + (-9 if left else 9), y + 4, label.text, anchor="end" if left else "start", size=11),
    ]


def _rule(rule: Rule, frame: _Frame) -> list[Markup]:
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
        place = '<circle cx="{}" cy="{}" r="{}" fill="{}" stroke="{}"/>'
        return Markup(place).format(rounded(x), rounded(y), rounded(half), fill, stroke)
    corners = {
        "square": ((-1, -1), (1, -1), (1, 1), (-1, 1)),
        "diamond": ((0, -1.25), (1.25, 0), (0, 1.25), (-1.25, 0)),
        "triangle": ((0, -1.1), (1.1, 1), (-1.1, 1)),
    }[kind]
    path = " L".join(f"{rounded(x + across * half)} {rounded(y + down * half)}" for across, down in corners)
    return Markup('<path d="M{} Z" fill="{}" stroke="{}"/>').format(path, fill, stroke)


# --- images ------------------------------------------------------------------------------


def _bands(image: Image, unit: str) -> list[Markup]:
    """Return the legend of an image: what it measures, its colours, and what each of them stands for."""
    parts, wide = [words(0, 12, unit, soft=True, size=11)], (WIDTH - 4) / len(image.bands)
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
    for column, name in enumerate(scene.x.names):
        x = left + (column + 0.5) * _CELL + 3
        turned = '<text class="ink" x="{}" y="{}" fill="{}" font-size="9" transform="rotate(-90 {} {})">{}</text>'
        at = (rounded(x), rounded(top - 5))
        parts.append(Markup(turned).format(*at, INK, *at, cut_name(name, _NAME)))
    return parts, max(left + wide + 8, WIDTH), top + high + 8
