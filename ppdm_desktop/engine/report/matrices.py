"""Squares of coloured cells, each with its figure: what every column has to do with every other."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from markupsafe import Markup

from ppdm_desktop.engine.report.drawing import LEFT, LETTERS, LINE, WIDTH, cut_name, figure, rounded, words
from ppdm_desktop.engine.wording.catalogue import language, later, numbers_of, say
from ppdm_desktop.engine.wording.numbers import ABSENT
from ppdm_desktop.engine.wording.values import Name, Term

EMPTY = ABSENT
EMPTY_WORDS = later("report", "A dash means no figure: the column has only one value, or too few records.")
_HUNDREDTH = Decimal("0.01")
WHITE, BLACK = "#ffffff", "#000000"
"""Of figures in cells: softer ink cannot be read on the middle steps."""


@dataclass(frozen=True)
class Bands:
    """Colour steps with fixed edges, which the legend prints.

    Attributes
    ----------
    edges
        Rising; a value below the first has the first colour.
    colours
        One more than edges.
    dark
        Steps on which text is white.
    """

    edges: tuple[float, ...]
    colours: tuple[str, ...]
    dark: frozenset[int]

    def step(self, value: float) -> int:
        """Return the step of a value."""
        return bisect_right(self.edges, value)


def matrix(
    title: str,
    caption: str,
    names: Sequence[str],
    values: Sequence[Sequence[float | None]],
    bands: Bands,
    *,
    signed: bool = False,
) -> Markup:
    """Return a square of coloured cells, each with its figure.

    Parameters
    ----------
    names
        Of rows and columns; columns are numbered as the rows are.
    values
        One list for each row; None is a cell without a figure.
    bands
        Colours; the legend prints their edges.
    signed
        Write figures with their sign, and colour by it; else by the size.
    """
    cell = min(31.0, (WIDTH - LEFT) / max(len(names), 1))
    top = 46
    height = top + cell * len(names) + 6
    parts = _steps(bands, signed=signed)
    for place in range(len(names)):
        parts.append(words(LEFT + cell * (place + 0.5), top - 5, str(place + 1), anchor="middle", size=11, soft=True))
    for row, name in enumerate(names):
        y = top + cell * row
        label = cut_name(f"{row + 1}  {name}", LETTERS)
        parts.append(words(LEFT - 8, y + cell / 2 + 4, label, anchor="end"))
        for column, value in enumerate(values[row]):
            parts += _cell(LEFT + cell * column, y, cell, value, bands, signed)
    described = "; ".join(
        say(
            "report",
            "{name} with {other}: {figure}",
            name=Name(name),
            other=Name(names[column]),
            figure=Term(_signed(value, signed)),
        )
        for row, name in enumerate(names)
        for column, value in enumerate(values[row])
        if value is not None and column <= row
    )
    if any(value is None for row in values for value in row):
        caption = f"{caption} {EMPTY_WORDS}"
    return figure(parts, height, title, described, caption)


def _cell(x: float, y: float, size: float, value: float | None, bands: Bands, signed: bool) -> list[Markup]:
    if value is None:
        # Not coloured, but not left white either: that there is no figure is something to say.
        return [words(x + size / 2 - 1, y + size / 2 + 3, EMPTY, anchor="middle", soft=True, size=9)]
    step = bands.step(value if signed else abs(value))
    place = '<rect x="{}" y="{}" width="{}" height="{}" fill="{}"/>'
    parts = [Markup(place).format(rounded(x), rounded(y), rounded(size - 2), rounded(size - 2), bands.colours[step])]
    if size >= 18:
        text = _signed(value, signed)
        fill = WHITE if step in bands.dark else BLACK
        letters = 11 if size >= 34 else 9 if size >= 25 else 7
        written = '<text x="{}" y="{}" text-anchor="middle" style="fill:{};font-size:{}px" font-size="{}">{}</text>'
        at = (rounded(x + size / 2 - 1), rounded(y + size / 2 + letters / 3 - 1))
        parts.append(Markup(written).format(*at, fill, letters, letters, text))
    return parts


def signed_figure(value: float) -> str:
    """Write a coefficient with two decimals and its direction."""
    return _signed(value, signed=True)


def _signed(value: float, signed: bool) -> str:
    """Write a coefficient with two decimals; one that rounds to 0 has no sign."""
    rounded_value = Decimal(repr(float(value))).quantize(_HUNDREDTH, ROUND_HALF_UP)
    text, _ = numbers_of(language()).ticks([rounded_value, _HUNDREDTH])
    return f"+{text}" if signed and rounded_value > 0 else text


def _steps(bands: Bands, *, signed: bool) -> list[Markup]:
    width = (WIDTH - LEFT) / len(bands.colours)
    parts = []
    for step, colour in enumerate(bands.colours):
        place = '<rect x="{}" y="4" width="{}" height="10" fill="{}" stroke="{}"/>'
        parts.append(Markup(place).format(rounded(LEFT + width * step), rounded(width - 2), colour, LINE))
    for step, edge in enumerate(bands.edges):
        (shown,) = numbers_of(language()).ticks([edge])
        shown = f"+{shown}" if signed and edge > 0 else shown
        parts.append(words(LEFT + width * (step + 1) - 1, 26, shown, anchor="middle", size=10, soft=True))
    return parts
