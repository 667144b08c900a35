"""Searching all texts of a column at once, joined, which is much faster than one by one."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ppdm_desktop.engine import progress

_AT_ONCE = 100_000
"""Texts joined between two looks at the stop sign."""


def may_match(pattern: re.Pattern[str], texts: Sequence[str]) -> bool:
    """Return whether some text may match a pattern; False is certain, True only possible.

    It is a quick test for many texts. It is also True where any text contains a NUL.

    Parameters
    ----------
    pattern
        Searched for in the joined texts, each of which has a NUL before and behind it: its start or end is written as
        NUL, not as ^ or $.
    texts
        Any number of texts.
    """
    for start in range(0, len(texts), _AT_ONCE):
        progress.check()
        part = texts[start : start + _AT_ONCE]
        joined = "\0".join(["", *part, ""])
        if joined.count("\0") > len(part) + 1 or pattern.search(joined) is not None:
            return True
    return False
