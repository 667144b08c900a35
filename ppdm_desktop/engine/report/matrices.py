"""Squares of coloured cells, each with its figure: what every column has to do with every other."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from ppdm_desktop.engine.report.drawing import LEFT, LETTERS, LINE, WIDTH, cut_name, figure, rounded, words

EMPTY, EMPTY_WORDS = "–", "A dash: no figure, as for a column with one value only or too few records."
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
    told = "; ".join(
        f"{name} with {names[column]}: {_signed(value, signed)}"
        for row, name in enumerate(names)
        for column, value in enumerate(values[row])
        if value is not None and column <= row
    )
    if any(value is None for row in values for value in row):
        caption = f"{caption} {EMPTY_WORDS}"
    return figure(parts, height, title, told, caption)


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


def _signed(value: float, signed: bool) -> str:
    text = f"{value:+.2f}" if signed else f"{value:.2f}"
    return text if text not in ("+0.00", "-0.00") else "0.00"


def _steps(bands: Bands, *, signed: bool) -> list[Markup]:
    width = (WIDTH - LEFT) / len(bands.colours)
    parts = []
    for step, colour in enumerate(bands.colours):
        place = '<rect x="{}" y="4" width="{}" height="10" fill="{}" stroke="{}"/>'
        parts.append(Markup(place).format(rounded(LEFT + width * step), rounded(width - 2), colour, LINE))
    for step, edge in enumerate(bands.edges):
        shown = f"{edge:+g}" if signed else f"{edge:g}"
        parts.append(words(LEFT + width * (step + 1) - 1, 26, shown, anchor="middle", size=10, soft=True))
    return parts
