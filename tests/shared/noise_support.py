"""What the tests of noise share."""

from __future__ import annotations

import numpy as np

from ppdm_desktop.engine.arrays import AnyInts, Floats
from ppdm_desktop.engine.noise.reconstruction import MOST, STOP, CellSystem, Noise, Reconstruction


def reconstruct_values(
    w: Floats,
    noise: Noise,
    x_edges: Floats,
    *,
    w_edges: Floats | None = None,
    origin: float = 0.0,
    reflected: bool = False,
    level_of: AnyInts | None = None,
    stop: float = STOP,
    most: int = MOST,
) -> Reconstruction:
    """Estimate the original distribution of perturbed values.

    Parameters
    ----------
    w
        Perturbed values, shape (n,), none missing.
    noise
        One law (no phase 2), or the channel of each privacy level with its share.
    x_edges
        Rising edges of the cells of the original, shape (T + 1,): its declared support.
    w_edges
        Cells of the perturbed value; None makes cells as wide as those of the original (see
        `default_edges`).
    origin
        Where the lattice of the levels starts.
    reflected
        Whether what fell below ``origin`` was reflected there.
    level_of
        Place in ``noise`` of each value's level, shape (n,), when it is known with the value; its
        counts then replace the shares of the channels. None: the levels are hidden.
    stop, most
        See `reconstruct`.
    """
    known = level_of is not None
    system = CellSystem.of(noise, x_edges, w_edges=w_edges, origin=origin, known=known, reflected=reflected)
    return system.reconstruct(np.asarray(w, dtype=np.float64), level_of, stop=stop, most=most)
