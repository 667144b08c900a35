"""Colour in bands: fixed edges, one step of a palette for each band (no Qt here)."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

from ppdm_desktop.engine.report.scene.bands import spread
from ppdm_desktop.engine.report.scene.model import Palette
from ppdm_desktop.ui.look.tokens import Tokens


def band_colours(tokens: Tokens, palette: Palette, bands: int) -> tuple[str, ...]:
    """Return one colour for each band, spread over the palette's steps; its ends are always used.

    Parameters
    ----------
    bands
        Number of bands, at most the steps the palette has (8, density and diverging 7).

    Raises
    ------
    ValueError
        When there are more bands than steps.
    """
    steps: tuple[str, ...] = getattr(tokens, palette)
    if not 1 <= bands <= len(steps):
        raise ValueError(f"{palette} has {len(steps)} steps, not {bands}")
    return spread(steps, bands, diverging=palette == "diverging")


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
