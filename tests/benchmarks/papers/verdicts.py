"""The judgement on a paired comparison: better, no difference or worse at 95 %."""

from __future__ import annotations

import math
from dataclasses import dataclass

from scipy.stats import t

from ppdm_desktop.engine.arrays import Floats

BETTER, SAME, WORSE = "better", "no difference", "worse"


@dataclass(frozen=True)
class Verdict:
    """A mean difference, the half width of its interval, and what it says."""

    mean: float
    half: float
    word: str

    @property
    def words(self) -> str:
        """The verdict as a cell of a table."""
        return f"{self.word} ({self.mean:+.3f} ± {self.half:.3f})"


def verdict(differences: Floats, *, overlap: float = 0.0) -> Verdict:
    """Judge differences between two ways on the same tests.

    Parameters
    ----------
    differences
        Shape (tests,): one way less the other, test by test; two at least.
    overlap
        Of tests that share training records, test records over training records: the variance is then
        widened by it (Nadeau & Bengio 2003, corrected resampled t). 0 where each test stands for itself.
    """
    tests = len(differences)
    mean = float(differences.mean())
    error = math.sqrt(float(differences.var(ddof=1)) * (1 / tests + overlap))
    half = float(t.ppf(0.975, tests - 1)) * error
    word = SAME if abs(mean) <= half else (BETTER if mean > 0 else WORSE)
    return Verdict(mean, half, word)
