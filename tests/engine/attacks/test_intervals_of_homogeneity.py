"""The intervals of what classes give away are those of a count: Wilson's, worked out here from its own formula."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ppdm_desktop.engine.attacks.homogeneity import homogeneity


def wilson(right: int, of: int) -> tuple[float, float]:
    share, z = right / of, 1.959963984540054
    middle = (share + z * z / (2 * of)) / (1 + z * z / of)
    half = z / (1 + z * z / of) * math.sqrt(share * (1 - share) / of + z * z / (4 * of * of))
    return middle - half, middle + half


def test_each_interval_is_that_of_so_many_people() -> None:
    """One class of two shows one value; the commonest value of each class is right of five, that of all of three."""
    found = homogeneity(np.array([0, 0, 1, 1, 2, 2, 2]), np.array([0, 0, 0, 1, 1, 2, 2]))
    for figure, right in ((found.one_valued, 2), (found.majority, 5), (found.baseline, 3)):
        assert (figure.low, figure.high) == pytest.approx(wilson(right, 7), abs=1e-6)
