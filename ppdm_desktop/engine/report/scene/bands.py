"""Bands of values: their colours and their labels."""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ppdm_desktop.engine.wording.catalogue import language, numbers_of

if TYPE_CHECKING:
    from ppdm_desktop.engine.report.scene.model import Palette

RISK = ("#FFF9EA", "#FDE9BE", "#F9D08A", "#F0AE57", "#DB8230", "#B5551C", "#7E3312", "#4A1B0B")
AMOUNT = ("#F3F7FA", "#D9E7F1", "#B4D0E4", "#86B3D2", "#5592BC", "#2E72A3", "#155181", "#0A3156")
DENSITY = ("#C3D9EA", "#A3C6DF", "#7FAECF", "#5592BC", "#2E72A3", "#155181", "#0A3156")
"""Of cells on empty ground: a single record is seen."""
DIVERGING = ("#0A4C80", "#4A8ABB", "#A3C7E0", "#F3F3F1", "#F3BE85", "#C8712A", "#7E3512")
ON_LIGHT: dict[Palette, tuple[str, ...]] = {"risk": RISK, "amount": AMOUNT, "density": DENSITY, "diverging": DIVERGING}


def spread_colours(steps: Sequence[str], bands: int, *, diverging: bool = False) -> tuple[str, ...]:
    """Return one colour for each band, spread over a palette so that both of its ends are used.

    Three bands of seven colours get the first, fourth and seventh. A single band gets the first colour, or the middle
    one of a diverging palette.

    Parameters
    ----------
    steps
        The colours there are.
    bands
        Number of bands, at most as many as steps.
    diverging
        Whether a single band is of the middle colour, and not of the first.
    """
    if bands == 1:
        return (steps[len(steps) // 2 if diverging else 0],)
    last = len(steps) - 1
    return tuple(steps[round(band * last / (bands - 1))] for band in range(bands))


def band_of(value: float, edges: Sequence[float]) -> int:
    """Return the index of the band of a value among rising edges, 0 below the first; on an edge the band above it."""
    return bisect_right(edges, value)


def span_labels(edges: Sequence[float]) -> tuple[str, ...]:
    """Return the labels of bands in signs, one more than edges: 1 and 5 give ``< 1``, ``1–5``, ``≥ 5``.

    Edges are rising. If one is below 0, the dashes have spaces around them (``-5 – 5``). A single "" without edges.
    """
    if not edges:
        return ("",)
    texts = [numbers_of(language()).ticks((edge,))[0] for edge in edges]
    dash = " – " if any(edge < 0 for edge in edges) else "–"
    inner = [f"{low}{dash}{high}" for low, high in itertools.pairwise(texts)]
    return (f"< {texts[0]}", *inner, f"≥ {texts[-1]}")
