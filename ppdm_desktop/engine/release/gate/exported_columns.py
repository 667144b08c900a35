"""Single columns of the exported file: dressed as the released ones, and how often they tell the truth."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ppdm_desktop.engine.arrays import AnyInts, Bools, Floats, Ints
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.table.column import MISSING, Column


def dressed(back: Column, released: Column, progress: Progress) -> Column:
    """Give a column read back the description of the released one, texts in its order."""
    place: dict[str, int] = {}
    for text in progress.each(released.texts):
        place.setdefault(text, len(place))
    into = np.array([place.setdefault(text, len(place)) for text in progress.each(back.texts)], dtype=np.int32)
    codes = into[back.codes] if len(into) else back.codes
    dressed = replace(released, codes=codes, texts=tuple(place))
    progress.check()
    if dressed.kind == "numeric":
        try:
            _ = dressed.numbers
        except ValueError:  # damaged file: no number any more, judged as text
            return replace(dressed, kind="nominal", style=None)
    return dressed


def share_true(treatment: Ints, shown: AnyInts, true: Bools) -> Floats:
    """Return the share of true values among records of the same treatment and released value, per record."""
    width = int(shown.max(initial=MISSING)) + 2
    cells = (treatment + 1) * width + (shown + 1)
    _, inverse, counts = np.unique(cells, return_inverse=True, return_counts=True)
    trues = np.bincount(inverse, weights=true.astype(np.float64), minlength=len(counts))
    return np.asarray((trues / counts)[inverse], dtype=np.float64)
