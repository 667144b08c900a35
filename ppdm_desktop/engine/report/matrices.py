"""Charts of a square matrix of coloured cells, such as correlations of all columns."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal

import numpy as np

from ppdm_desktop.engine.arrays import Floats
from ppdm_desktop.engine.report.scene.bands import span_labels
from ppdm_desktop.engine.report.scene.model import Axis, Matrix, Row, Scene
from ppdm_desktop.engine.wording.catalogue import _, language, lazy, numbers_of
from ppdm_desktop.engine.wording.numbers import ABSENT
from ppdm_desktop.engine.wording.values import Name, Term

EMPTY_WORDS = lazy("A dash means no figure: the column has only one value, or too few records.")
_HUNDREDTH = Decimal("0.01")


def matrix_scene(
    title: str, source: str, names: Sequence[str], values: Floats, edges: tuple[float, ...], *, signed: bool = False
) -> Scene:
    """Return a chart of a square matrix: coloured cells, each with its figure.

    Parameters
    ----------
    names
        Of rows and columns; columns are numbered as the rows are.
    values
        Shape (names, names); NaN is a cell without a figure.
    edges
        Between the colours; the legend prints them.
    signed
        Write figures with their sign, and colour by it; else by the size.
    """
    texts = [[ABSENT if value != value else _signed(float(value), signed) for value in line] for line in values]
    rows = []
    for row, name in enumerate(names):
        for column in range(row + 1):
            if values[row, column] == values[row, column]:
                said = _(
                    "{name} with {other}: {figure}",
                    name=Name(name),
                    other=Name(names[column]),
                    figure=Term(texts[row][column]),
                )
                at = (column + 0.5, len(names) - row - 0.5)
                rows.append(Row((name, names[column], texts[row][column]), said, at, (1.0, 1.0)))
    if np.isnan(values).any():
        source = f"{source} {EMPTY_WORDS}"
    cells = Matrix(
        values if signed else np.abs(values), edges, "diverging" if signed else "amount", span_labels(edges),
        tuple(map(tuple, texts)), numbered=True,
    )  # fmt: skip
    axis = Axis("", 0.0, float(len(names)), names=tuple(names))
    sentence = "; ".join(row.words for row in rows)
    return Scene(title, "", source, axis, axis, (cells,), sentence, tuple(rows), grid=True)


def signed_figure(value: float) -> str:
    """Return a coefficient with two decimals and its sign."""
    return _signed(value, signed=True)


def _signed(value: float, signed: bool) -> str:
    """Return a coefficient with two decimals; one that rounds to 0 has no sign."""
    rounded_value = Decimal(repr(float(value))).quantize(_HUNDREDTH, ROUND_HALF_UP)
    text, _ = numbers_of(language()).ticks([rounded_value, _HUNDREDTH])
    return f"+{text}" if signed and rounded_value > 0 else text
