"""Colour in bands: fixed edges, one step of a palette for each band (no Qt here)."""

from __future__ import annotations

import itertools
import math
from bisect import bisect_right
from collections.abc import Sequence
from typing import Literal

from ppdm_desktop.ui.charts.numbers import ticks
from ppdm_desktop.ui.look.tokens import Tokens

Palette = Literal["risk", "amount", "diverging"]


def band_colours(tokens: Tokens, palette: Palette, bands: int) -> tuple[str, ...]:
    """Return one colour for each band, spread over the palette's steps; its ends are always used.

    Parameters
    ----------
    bands
        Number of bands, at most the steps the palette has (8, diverging 7).

    Raises
    ------
    ValueError
        When there are more bands than steps.
    """
    steps: tuple[str, ...] = getattr(tokens, palette)
    if not 1 <= bands <= len(steps):
        raise ValueError(f"{palette} has {len(steps)} steps, not {bands}")
    if bands == 1:
        return (steps[len(steps) // 2 if palette == "diverging" else 0],)
    last = len(steps) - 1
    return tuple(steps[round(place * last / (bands - 1))] for place in range(bands))


def checked_edges(edges: Sequence[float], palette: Palette, tokens: Tokens) -> tuple[float, ...]:
    """Return the edges between bands.

    Raises
    ------
    ValueError
        When they do not rise, are no numbers, or are too many for the palette.
    """
    found = tuple(float(edge) for edge in edges)
    if not all(math.isfinite(edge) for edge in found) or any(b <= a for a, b in itertools.pairwise(found)):
        raise ValueError(f"edges must rise: {found}")
    band_colours(tokens, palette, len(found) + 1)
    return found


def band_of(value: float, edges: Sequence[float]) -> int:
    """Return the band of a value; a value on an edge belongs to the band above it."""
    return bisect_right(edges, value)


def number_words(value: float) -> str:
    """Write an edge of a band."""
    return ticks((value,))[0]


def span_labels(edges: Sequence[float]) -> tuple[str, ...]:
    """Return the bands' names: ``under 1``, ``1 to 5``, ``5 and more`` in signs (``< 1``, ``1–5``, ``≥ 5``)."""
    if not edges:
        return ("",)
    words = [number_words(edge) for edge in edges]
    dash = " – " if any(edge < 0 for edge in edges) else "–"
    inner = [f"{low}{dash}{high}" for low, high in itertools.pairwise(words)]
    return (f"< {words[0]}", *inner, f"≥ {words[-1]}")
