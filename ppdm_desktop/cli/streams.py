"""The standard streams as the program finds them: closed, or unable to write every letter."""

from __future__ import annotations

import io
import os
import sys


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
