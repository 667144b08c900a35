"""Privacy of a perturbed column estimated from pairs of values (Moddemeijer 1989).

The figure of the tables of Liu et al. (2008). It depends on the number of cells and of records:
figures with different cells or records are not to be compared.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from ppdm_desktop.engine.arrays import Floats
from ppdm_desktop.engine.noise.integration import PrivacyLoss, privacy_loss

Unit = Literal["bits", "nats"]


def estimated_loss(x: Floats, w: Floats, *, cells: int | None = None, unit: Unit = "bits") -> PrivacyLoss:
    """Estimate the privacy loss from original and released values.

    Parameters
    ----------
    x, w
        Original and released values of the same records, shape (n,), none missing.
    cells
        Cells per axis m; None takes the smallest whole number from n^(1/3) on.
    unit
        ``"nats"`` puts nats where bits belong, which fits Tables 7 to 9 of the paper, not its Table 2.

    Raises
    ------
    ValueError
        When shapes differ, there are fewer than two records, or ``cells`` is below 1.
    """
    x, w = np.asarray(x, dtype=np.float64), np.asarray(w, dtype=np.float64)
    n = len(x)
    if x.shape != w.shape or n < 2:
        raise ValueError("the estimate needs two records or more, each with both values")
    m = cells_for(n) if cells is None else cells
    if m < 1:
        raise ValueError("the estimate needs at least one cell")
    entropy = _entropy_nats(x, m) / math.log(2.0)
    return privacy_loss(_information_nats(x, w, m) / (math.log(2.0) if unit == "bits" else 1.0), entropy)


def cells_for(records: int) -> int:
    """Return the cells per axis of the bin rule, ceil(n^(1/3)) (exact for whole cube roots)."""
    root = round(math.cbrt(records))
    return root if root**3 >= records else root + 1


def _places(values: Floats, cells: int) -> tuple[Floats, float]:
    """Return each value's cell and the cells' width; the axis is half a gap longer at both ends."""
    low, high = float(values.min()), float(values.max())
    if low == high:
        return np.zeros(len(values)), 0.0
    gap = (high - low) / (len(values) - 1)
    width = (high - low + gap) / cells
    return np.minimum(np.floor((values - (low - gap / 2)) / width), cells - 1), width


def _information_nats(x: Floats, w: Floats, cells: int) -> float:
    """Σ n_ij/n · ln(n_ij·n / (n_i·n_j)) - (m - 1)² / (2n)."""
    (x_cell, x_width), (w_cell, w_width) = _places(x, cells), _places(w, cells)
    if x_width == 0 or w_width == 0:
        return 0.0
    n = len(x)
    joint = np.bincount((x_cell * cells + w_cell).astype(np.int64), minlength=cells * cells).reshape(cells, cells)
    apart = np.outer(joint.sum(axis=1), joint.sum(axis=0))
    used = joint > 0
    logs = np.log(joint[used] * (n / apart[used]))
    return float(np.sum(joint[used] * logs) / n - (cells - 1) ** 2 / (2 * n))


def _entropy_nats(x: Floats, cells: int) -> float:
    """Return the entropy of the cells' histogram plus its bias, (m - 1) / (2n)."""
    place, width = _places(x, cells)
    if width == 0:
        return -math.inf
    n = len(x)
    shares = np.bincount(place.astype(np.int64), minlength=cells) / n
    shares = shares[shares > 0]
    return float(-np.sum(shares * np.log(shares / width)) + (cells - 1) / (2 * n))
