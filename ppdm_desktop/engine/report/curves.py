"""Charts of distributions as step curves."""

from __future__ import annotations

from collections.abc import Sequence

from ppdm_desktop.engine.report.scene.model import Axis, Role, Row, Scene, Steps
from ppdm_desktop.engine.report.scene.shares import estimate_words
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.numbers import FEW
from ppdm_desktop.engine.wording.values import Number

_SPARE = 1.04
Series = tuple[Role, str, Sequence[float]]
"""What a curve is, its name, and one share for each cell."""


def curves_scene(
    title: str, source: str, sentence: str, column: str, edges: Sequence[float], of: int, drawn: Sequence[Series]
) -> Scene:
    """Return a chart of step curves over the same cells, from 0, with the shares of each cell as a row.

    Parameters
    ----------
    title, source, sentence
        Of the scene.
    column
        The column whose values the cells divide.
    edges
        Of the cells, rising.
    of
        How many records the shares are of; of fewer than 100 counts are written.
    drawn
        At most three curves.

    Raises
    ------
    ValueError
        When a curve has not one share for each cell.
    """
    cells = len(edges) - 1
    if any(len(shares) != cells for _, _, shares in drawn):
        raise ValueError("a curve has one share for each cell")
    most = max([share for _, _, shares in drawn for share in shares] or [0.0]) or 1.0
    rows = []
    for cell in range(cells):
        span = _("{low} to {high}", low=Number(float(edges[cell])), high=Number(float(edges[cell + 1])))
        figures = [estimate_words(float(shares[cell]), of) for _, _, shares in drawn]
        said = ", ".join(f"{name} {figure}" for (_, name, _), figure in zip(drawn, figures, strict=True))
        middle, wide = (edges[cell] + edges[cell + 1]) / 2, edges[cell + 1] - edges[cell]
        rows.append(Row((span, *figures), f"{span}: {said}", (float(middle), most / 2), (float(wide), most)))
    low, high = (float(edges[0]), float(edges[-1])) if cells > 0 else (0.0, 1.0)
    marks = tuple(
        Steps(role, name, tuple(map(float, edges)), tuple(map(float, shares))) for role, name, shares in drawn
    )
    few = of if 0 < of < FEW else 0
    unit = _("records, {n} in all", n=few) if few else _("share of the records")
    # The highest step is drawn whole.
    x, y = Axis(column, low, high), Axis(unit, 0.0, most * _SPARE, percent=True, of=few)
    return Scene(title, unit, source, x, y, marks, sentence, tuple(rows))
