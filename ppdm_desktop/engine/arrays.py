"""Names for the types of arrays, so that each is said once.

`Ints` and `AnyInts` differ in width alone: what counts or numbers rows is int64 throughout, while what only
reads codes takes them in the width in which they come.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

Codes = npt.NDArray[np.int32]
"""Places in a tuple of distinct texts or categories, -1 for missing, as a column holds them."""

AnyInts = npt.NDArray[np.integer]
"""Codes or counts in any width."""

Rows = npt.NDArray[np.int64]
"""Row numbers of a table, from 0."""

Words = npt.NDArray[np.uint64]
"""64 bits at a time: random words, and bytes compared eight at once."""
