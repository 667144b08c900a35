"""The formula guard: text that a spreadsheet would run is kept from running, and can be given back.

A text is guarded when, after any number of apostrophes, it starts with ``= + - @``, tab,
carriage return, line feed, or the full-width form of one of the four signs; it gets one
more apostrophe in front. Taking one apostrophe away from every such text that has one gives
back the original exactly, also for texts that started with an apostrophe themselves.
A text that is a plain number (``-5``, ``+1.2``) is left alone.
"""

from __future__ import annotations

import re

APOSTROPHE = "'"
_RISKY = re.compile("'*[=+\\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")
_GUARDED = re.compile("'+[=+\\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")
_PLAIN_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)(?:[eE][+-]?[0-9]+)?", re.ASCII)


def needs_guard(text: str) -> bool:
    """Say whether the guard changes a text."""
    return _RISKY.match(text) is not None and _PLAIN_NUMBER.fullmatch(text) is None


def runs_in_spreadsheet(text: str) -> bool:
    """Say whether a spreadsheet program may run a text as it stands, without an apostrophe before it."""
    return not text.startswith(APOSTROPHE) and needs_guard(text)


def guard(text: str) -> str:
    """Return a text as it is written to a delimited file."""
    return APOSTROPHE + text if needs_guard(text) else text


def unguard(text: str) -> str:
    """Return the text that ``guard`` was given."""
    return text[1:] if _GUARDED.match(text) is not None else text
