"""The standard streams as the program finds them: closed, or unable to write every letter."""

from __future__ import annotations

import io
import os
import sys
import unicodedata

_JOINERS = "\u200c\u200d"
"""Scripts need these two; every other sign without a shape is shown as an escape."""


def one_line(text: str) -> str:
    """Return a text that a terminal shows on one line, as it stands.

    Names come from the file. A line end would break the message in two, a control character
    could move or hide what a terminal shows, and a change of direction what a person reads.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_shown, text))


def _shown(sign: str) -> str:
    if sign in _JOINERS or unicodedata.category(sign) not in ("Cc", "Cf", "Cs", "Zl", "Zp"):
        return sign
    return sign.encode("unicode_escape").decode("ascii")


def prepare_streams() -> None:
    """Make the standard streams take any text.

    A closed one is opened on nothing, lowest first, so that no file of ours gets its number and
    with it what is meant for a terminal. What an encoding lacks is written as an escape.
    """
    for name in ("stdin", "stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            mode = "r" if name == "stdin" else "w"
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - it stays open
        elif name != "stdin" and isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
