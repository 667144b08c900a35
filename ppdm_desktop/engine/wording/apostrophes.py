"""The apostrophe of a sentence, distinguished from the straight quotation marks around a key or a sign."""

from __future__ import annotations

import re

APOSTROPHE = "\N{RIGHT SINGLE QUOTATION MARK}"
_QUOTED = re.compile(r"(?<!\w)'[^'\s]+'(?!\w)")
_STRAIGHT = re.compile(r"(?<=\w)'")


def with_apostrophes(text: str) -> str:
    """Return a sentence with curly apostrophes; keys, values and signs in straight marks stay: ``'order'``, ``';'``."""
    parts, end = [], 0
    for quoted in _QUOTED.finditer(text):
        parts += [_STRAIGHT.sub(APOSTROPHE, text[end : quoted.start()]), quoted[0]]
        end = quoted.end()
    return "".join([*parts, _STRAIGHT.sub(APOSTROPHE, text[end:])])
