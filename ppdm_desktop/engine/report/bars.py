"""Horizontal bars: the series of a row one below the other, each with its figure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from ppdm_desktop.engine.report.drawing import (
    INK,
    LEFT,
    LETTERS,
    WIDTH,
    band,
    cut_name,
    figure,
    line,
    percent,
    rect,
    words,
)
from ppdm_desktop.engine.wording.catalogue import language, numbers_of, say
from ppdm_desktop.engine.wording.values import Term

_TOP, _BAR, _GAP = 26, 11, 10
_FIGURE_ROOM = 86
_LETTER = 5.6


@dataclass(frozen=True)
class Bar:
    """One value of a series, with the ends of its interval where it has one."""

    value: float | None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Series:
    """The bars of one kind, one for each row.

    Attributes
    ----------
    name
        As the legend says it.
    tone
        ``before`` (light, outlined), ``third`` (middle) or ``after`` (dark).
    bars
        One for each row; a value that is None is left out and said to be missing.
    """

    name: str
    tone: str
    bars: Sequence[Bar]


def grouped_bars(
    title: str,
    caption: str,
    labels: Sequence[str],
    series: Sequence[Series],
    *,
    marks: Sequence[tuple[str, float]] = (),
    shown: Callable[[float], str] = percent,
) -> Markup:
    """Return horizontal bars, the series of a row one below the other, each with its figure.

    Parameters
    ----------
    labels
        One for each row.
    series
        Of values from 0 up.
    marks
        Vertical lines over all rows, such as a limit: what each is, and where it stands.
    shown
        Writes a value; shares as percentages when left out.
    """
    tall = [bar.high or bar.value for each in series for bar in each.bars if bar.value is not None]
    most = max([*tall, *(value for _, value in marks), 1e-9])
    scale = (WIDTH - LEFT - _FIGURE_ROOM) / most
    row = _BAR * len(series) + _GAP
    top = _TOP + (16 if marks else 0)
    height = top + row * len(labels) + 8
    parts = _legend(series)
    figures: list[Markup] = []
    lines = [LEFT + value * scale for _, value in marks]
    for place, label in enumerate(labels):
        y = top + row * place
        parts += _label(label, y, row)
        for n, each in enumerate(series):
            bar, y_bar = each.bars[place], y + 2 + n * _BAR
            parts += _bar(each.tone, bar, y_bar, scale)
            figures += _figure(bar, y_bar, scale, shown, lines)
    parts.append(line(LEFT, top, LEFT, height - 8))
    for n, (name, value) in enumerate(marks):
        x = LEFT + value * scale
        parts.append(line(x, top - 4, x, height - 8, dashed=True, stroke=INK))
        right = x > WIDTH * 0.6
        parts.append(
            words(x - 4 if right else x + 4, top - 6 - 12 * (n % 2), f"{name} {shown(value)}",
                  anchor="end" if right else "start", size=11)
        )  # fmt: skip
    return figure([*parts, *figures], height, title, _described(labels, series, marks, shown), caption)


def _described(
    labels: Sequence[str],
    series: Sequence[Series],
    marks: Sequence[tuple[str, float]],
    shown: Callable[[float], str],
) -> str:
    rows = [
        f"{label}: " + ", ".join(f"{each.name} {_stated(each.bars[place], shown)}" for each in series)
        for place, label in enumerate(labels)
    ]
    return "; ".join([*rows, *(f"{name} {shown(value)}" for name, value in marks)])


def _stated(bar: Bar, shown: Callable[[float], str]) -> str:
    if bar.value is None:
        return numbers_of(language()).none()
    return shown(bar.value) if bar.low is None or bar.high is None else f"{shown(bar.value)} ({_ends(bar, shown)})"


def _ends(bar: Bar, shown: Callable[[float], str]) -> str:
    low, high = float(bar.low or 0), float(bar.high or 0)
    if shown is percent and 0 <= low <= high <= 1:
        return numbers_of(language()).between(low, high)
    return say("report", "{low} to {high}", low=Term(shown(low)), high=Term(shown(high)))


def _legend(series: Sequence[Series]) -> list[Markup]:
    parts, x = [], float(LEFT)
    for each in series:
        parts += [rect(each.tone, x, 4, 11, 10), words(x + 16, 13, each.name)]
        x += 34 + 6.6 * len(each.name)
    return parts


def _label(label: str, y: float, row: float) -> list[Markup]:
    lines = _lines(label)
    first = y + row / 2 - 1 - 6 * (len(lines) - 1) + 3
    return [words(LEFT - 8, first + 12 * n, line, anchor="end") for n, line in enumerate(lines)]


def _lines(label: str) -> list[str]:
    """Break a label into two lines at most."""
    if len(label) <= LETTERS:
        return [label]
    space = label.rfind(" ", 0, LETTERS + 1)
    first = label[:space] if space > 8 else label[:LETTERS]
    return [first, cut_name(label[len(first) :].strip(), LETTERS)]


def _bar(tone: str, bar: Bar, y: float, scale: float) -> list[Markup]:
    if bar.value is None:
        return []
    parts = [rect(tone, LEFT, y, _width(bar.value, scale), _BAR - 2)]
    if bar.low is not None and bar.high is not None:
        low, high, middle = LEFT + max(bar.low, 0) * scale, LEFT + bar.high * scale, y + (_BAR - 2) / 2
        # On a band of the ground's colour, so that the part on the bar is seen as well.
        parts.append(band(low - 1, middle, high + 1))
        parts.append(line(low, middle, high, middle, stroke=INK))
        parts += [line(x, middle - 3, x, middle + 3, stroke=INK) for x in (low, high)]
    return parts


def _width(value: float, scale: float) -> float:
    return max(value * scale, 0.5 if value > 0 else 0)


def _figure(bar: Bar, y: float, scale: float, shown: Callable[[float], str], lines: Sequence[float]) -> list[Markup]:
    """Return what is written behind a bar; a line that would go through it gives way."""
    if bar.value is None:
        return [words(LEFT + 5, y + 9, numbers_of(language()).none(), soft=True, size=11)]
    end = LEFT + _width(bar.value, scale)
    if bar.low is not None and bar.high is not None:
        end = max(end, LEFT + bar.high * scale)
    text = shown(bar.value)
    start, until = end + 3, end + 7 + _LETTER * len(text)
    crossed = any(start <= x <= until for x in lines)
    under = [band(start, y + (_BAR - 2) / 2, until, _BAR)] if crossed else []
    return [*under, words(end + 5, y + 9, text, size=11)]
