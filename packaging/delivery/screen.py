"""A virtual screen for trying programs."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from delivery.problems import Stop


@contextmanager
def screen(size: str) -> Iterator[str]:
    """Open a virtual screen and yield its name for ``DISPLAY``.

    Parameters
    ----------
    size
        Width and height, as in ``1366x768``.

    Raises
    ------
    Stop
        Where no screen can be opened.
    """
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", f"{size}x24", "-nolisten", "tcp"]
    process = subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL)
    os.close(writing)
    try:
        with os.fdopen(reading) as said:
            number = said.readline().strip()
        if not number:
            raise Stop("Xvfb opened no screen.")
        yield f":{number}"
    finally:
        process.terminate()
        process.wait()
