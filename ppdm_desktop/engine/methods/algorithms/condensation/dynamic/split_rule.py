"""When a group that records join is split: the safe rule, and the paper's (Aggarwal & Yu 2005, equation 3.2)."""

from __future__ import annotations

from typing import Literal

SplitRule = Literal["safe", "paper"]
SAFE: SplitRule = "safe"
PAPER_RULE: SplitRule = "paper"


def splits(n: int, pmax: int, psum: float, rule: SplitRule) -> bool:
    """Return whether a group has to be split.

    Parameters
    ----------
    n, pmax, psum
        Its records, the largest group any member asks for, and the sum of what members ask.
    rule
        ``safe``: n is at least 2 pmax, so that both parts are as large as every member asks for.
        ``paper``: n is at least 2 psum / n, twice the average demand (equation 3.2), which leaves
        records in parts that are too small; for reproduction only.
    """
    return n >= 2 * pmax if rule == SAFE else n >= 2 and n * n >= 2 * psum
