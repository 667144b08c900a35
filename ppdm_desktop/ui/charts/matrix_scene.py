"""A small matrix as a scene: row and column names, and a figure on a colour in each cell."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ppdm_desktop.engine.arrays import Floats
from ppdm_desktop.engine.report.scene.bands import span_labels
from ppdm_desktop.engine.report.scene.model import Axis, Image, Matrix, Palette, Row, Scene
from ppdm_desktop.engine.wording.catalogue import _, language, numbers_of
from ppdm_desktop.engine.wording.values import Term
from ppdm_desktop.ui.state.number_words import shorten_common_prefix


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
    """Return the scene of a matrix; the rows of the scene are the cells with a value, line by line.

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

    Raises
    ------
    ValueError
        When names, values and texts do not fit together.
    """
    grid = np.asarray(values, dtype=np.float64)
    down, across = (tuple(name) for name in names)
    if grid.shape != (len(down), len(across)) or [len(row_texts) for row_texts in texts] != [len(across)] * len(down):
        raise ValueError(f"a matrix of {len(down)} by {len(across)} needs as many values and texts")
    rows = []
    for row, column in zip(*np.nonzero(~np.isnan(grid)), strict=True):
        figure = texts[row][column]
        said = _("{row} with {column}: {figure}", row=Term(down[row]), column=Term(across[column]), figure=Term(figure))
        at = (column + 0.5, len(down) - row - 0.5)
        rows.append(Row((across[column], down[row], figure), said, at, (1.0, 1.0), f"{row}:{column}"))
    spans = tuple(bands) or span_labels(edges)
    # One figure that takes many words would take the room of all cells: signs stand for them.
    in_signs = numbers_of(language()).in_signs
    descriptions = tuple(
        tuple("" if math.isnan(value) else in_signs(text) for value, text in zip(line, said, strict=True))
        for line, said in zip(grid.tolist(), texts, strict=True)
    )
    mark: Image = Matrix(grid, tuple(edges), palette, spans, descriptions)
    if as_image:
        mark, down = Image(grid[::-1], tuple(edges), palette, spans), down[::-1]
    else:
        short = shorten_common_prefix([*down, *across])
        down, across = tuple(short[: len(down)]), tuple(short[len(down) :])
    axes = Axis("", 0.0, float(len(across)), names=across), Axis("", 0.0, float(len(down)), names=down)
    return Scene(title, unit, small, *axes, (mark,), sentence or title, tuple(rows), grid=True)
