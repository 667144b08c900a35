"""Charts for the papers' page, written as SVG by hand: axes, lines, points, a legend; no library."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

Points = Sequence[tuple[float, float]]
Band = Sequence[tuple[float, float, float]]
"""Where, the lowest and the highest."""

WIDTH, HEIGHT = 720, 428
LEFT, TOP, BOTTOM = 74, 54, 58
LEGEND = 190
"""Width kept on the right for the names of the lines."""
MOST_MARKED = 40
"""Lines with more points than this are drawn without marks."""
# Okabe and Ito's colours, told apart by nearly everybody; dashes and marks tell them apart in print.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000", "#7a5cc0")
DASHES = ("", "7 4", "2 3", "9 3 2 3", "", "7 4", "2 3", "9 3 2 3")
MARKS = ("circle", "square", "diamond", "triangle")


def line_chart(
    title: str,
    x_label: str,
    y_label: str,
    series: Mapping[str, Points],
    path: Path,
    *,
    bands: Mapping[str, Band] | None = None,
    places: Mapping[float, str] | None = None,
) -> None:
    """Write a chart of lines.

    Parameters
    ----------
    title, x_label, y_label
        Words on the chart; the title is cut into lines where it is long.
    series
        Points (x, y) of each line by its name, x rising; points that are not finite part a line.
    path
        The SVG file.
    bands
        What lies between lowest and highest, by the name of its line.
    places
        What stands below the axis at which x, where x is no number; no line joins such places.

    Raises
    ------
    ValueError
        When there is no finite point at all.
    """
    finite = [point for points in series.values() for point in points if all(map(math.isfinite, point))]
    if not finite:
        raise ValueError("a chart needs a point")
    bands = bands or {}
    ends = [end for band in bands.values() for _, low, high in band for end in (low, high) if math.isfinite(end)]
    # Places with names keep half a place free on both sides, for the names.
    beside = [min(places) - 0.5, max(places) + 0.5] if places else []
    xs = _Axis([x for x, _ in finite] + beside, LEFT, WIDTH - LEGEND, pad=0.0)
    ys = _Axis([y for _, y in finite] + ends, HEIGHT - BOTTOM, TOP, pad=0.06)
    parts = [*_frame(title, x_label, y_label, xs, ys, places)]
    names: list[tuple[str, str, str, str]] = []
    drawn: list[list[str]] = []
    for number, (name, points) in enumerate(series.items()):
        colour, dash = COLOURS[number % len(COLOURS)], DASHES[number % len(DASHES)]
        mark = MARKS[number % len(MARKS)] if len(points) <= MOST_MARKED else ""
        if name in bands:
            parts += _band(bands[name], xs, ys, colour, joined=places is None)
        drawn.append(_line(points, xs, ys, colour, dash, mark, joined=places is None))
        names.append((name, colour, dash, mark))
    # Solid lines under dashed ones, so that of two lines upon each other both are seen.
    parts += [part for line in sorted(drawn, key=lambda line: "dasharray" in line[0]) for part in line]
    parts += _legend(names)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="DejaVu Sans, Arial, sans-serif" font-size="12">'
    )
    body = "\n".join([head, f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>', *parts, "</svg>"])
    path.write_text(body + "\n", encoding="utf-8")


def ticks(low: float, high: float, wanted: int = 7) -> list[float]:
    """Return round numbers that cover low to high: steps of 1, 2 or 5 times a power of ten."""
    span = high - low
    raw = span / max(wanted - 1, 1)
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= raw * (1 - 1e-9))
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [float(f"{number * step:.12g}") for number in range(first, last + 1)]


class _Axis:
    """Where numbers lie on the paper."""

    def __init__(self, values: Sequence[float], start: float, end: float, *, pad: float) -> None:
        low, high = min(values), max(values)
        if high - low <= 1e-12 * max(abs(low), abs(high), 1e-300):
            spread = abs(low) * 0.05 or 1.0
            low, high = low - spread, high + spread
        room = pad * (high - low)
        # Nothing below zero is shown where nothing lies there.
        self._low, self._high = max(low - room, 0.0) if low >= 0 else low - room, high + room
        self.ticks = [tick for tick in ticks(self._low, self._high) if self._low <= tick <= self._high]
        self._start, self._end = start, end

    def place(self, value: float) -> float:
        """Return the place of a number."""
        return self._start + (value - self._low) / (self._high - self._low) * (self._end - self._start)


def _frame(
    title: str, x_label: str, y_label: str, xs: _Axis, ys: _Axis, places: Mapping[float, str] | None
) -> list[str]:
    right, bottom = WIDTH - LEGEND, HEIGHT - BOTTOM
    parts = [
        f'<text x="12" y="{20 + 16 * row}" font-size="14" font-weight="bold" fill="#222">{escape(words)}</text>'
        for row, words in enumerate(_wrapped(title, 84)[:2])
    ]
    for tick in ys.ticks:
        y = ys.place(tick)
        parts.append(f'<line x1="{LEFT}" y1="{y:.1f}" x2="{right}" y2="{y:.1f}" stroke="#e3e6ea"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end" fill="#444">{_number(tick)}</text>')
    for tick in places or xs.ticks:
        x, words = xs.place(tick), escape(places[tick]) if places else _number(tick)
        parts.append(f'<line x1="{x:.1f}" y1="{bottom}" x2="{x:.1f}" y2="{bottom + 5}" stroke="#444"/>')
        parts.append(f'<text x="{x:.1f}" y="{bottom + 20}" text-anchor="middle" fill="#444">{words}</text>')
    middle = (TOP + bottom) / 2
    return [
        *parts,
        f'<path d="M{LEFT} {TOP}V{bottom}H{right}" fill="none" stroke="#444"/>',
        f'<text x="{(LEFT + right) / 2}" y="{HEIGHT - 16}" text-anchor="middle" fill="#222">{escape(x_label)}</text>',
        f'<text x="16" y="{middle}" text-anchor="middle" fill="#222" transform="rotate(-90 16 {middle})">'
        f"{escape(y_label)}</text>",
    ]


def _band(band: Band, xs: _Axis, ys: _Axis, colour: str, *, joined: bool) -> list[str]:
    """Fill what lies between lowest and highest, and mark both ends at each place."""
    known = [each for each in band if all(map(math.isfinite, each))]
    upper = [f"{xs.place(x):.1f},{ys.place(high):.1f}" for x, _, high in known]
    lower = [f"{xs.place(x):.1f},{ys.place(low):.1f}" for x, low, _ in reversed(known)]
    shape = f'<polygon class="band" points="{" ".join(upper + lower)}" fill="{colour}" fill-opacity="0.16"/>'
    parts = [shape] if joined else []
    return parts + [
        f'<line x1="{xs.place(x):.1f}" y1="{ys.place(low):.1f}" x2="{xs.place(x):.1f}" y2="{ys.place(high):.1f}" '
        f'stroke="{colour}" stroke-opacity="0.6"/>'
        for x, low, high in known
    ]


def _line(points: Points, xs: _Axis, ys: _Axis, colour: str, dash: str, mark: str, *, joined: bool) -> list[str]:
    commands, pen_down = [], False
    places = []
    for x, y in points:
        if not (math.isfinite(x) and math.isfinite(y)):
            pen_down = False
            continue
        px, py = xs.place(x), ys.place(y)
        commands.append(f"{'L' if pen_down else 'M'}{px:.1f} {py:.1f}")
        pen_down = joined
        places.append((px, py))
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    parts = [f'<path d="{"".join(commands)}" fill="none" stroke="{colour}" stroke-width="1.8"{dashed}/>']
    return parts + [_mark(mark, px, py, colour) for px, py in places if mark]


def _mark(mark: str, x: float, y: float, colour: str) -> str:
    if mark == "circle":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.4" fill="{colour}"/>'
    shape = {
        "square": ((-3, -3), (3, -3), (3, 3), (-3, 3)),
        "diamond": ((0, -4.4), (4.4, 0), (0, 4.4), (-4.4, 0)),
        "triangle": ((0, -4.2), (4, 3.2), (-4, 3.2)),
    }[mark]
    corners = " ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in shape)
    return f'<polygon points="{corners}" fill="{colour}"/>'


def _legend(names: Sequence[tuple[str, str, str, str]]) -> list[str]:
    parts, y = [], float(TOP + 6)
    x = WIDTH - LEGEND + 14
    for name, colour, dash, mark in names:
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        parts.append(f'<line x1="{x}" y1="{y}" x2="{x + 26}" y2="{y}" stroke="{colour}" stroke-width="1.8"{dashed}/>')
        if mark:
            parts.append(_mark(mark, x + 13, y, colour))
        rows = _wrapped(name, 21)
        for row, words in enumerate(rows):
            parts.append(f'<text x="{x + 33}" y="{y + 4 + 14 * row}" fill="#222">{escape(words)}</text>')
        y += 6 + 14 * len(rows)
    return parts


def _wrapped(words: str, width: int) -> list[str]:
    lines = [""]
    for word in words.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def _number(value: float) -> str:
    if value and (abs(value) >= 1e7 or abs(value) < 1e-4):
        return f"{value:.3g}"
    return f"{value:,.6g}" if abs(value) < 10_000 else f"{value:,.0f}"
