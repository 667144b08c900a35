"""PDFs for background work, made in a separate process.

Qt locks objects that are connected or destroyed, and PySide may wait for the interpreter inside such a lock. With Qt
objects in two threads, both can wait for each other for ever. So background threads have no Qt objects, and pages are
laid out in another process.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
from collections.abc import Iterable, Iterator
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the process itself does without the engine
    from ppdm_desktop.engine.release.writing.export import Renderer

_MOST_SECONDS = 300.0
"""Time limit for one document in seconds; the longest report takes a few seconds on a busy machine."""
_GRACE = 5.0


@contextlib.contextmanager
def pdf_process(names: Iterable[str]) -> Iterator[dict[str, Renderer]]:
    """Yield, by document name, a function that turns an HTML page into PDF bytes in another process.

    All names have the same function. The process starts at its first call and ends with the block.

    Parameters
    ----------
    names
        File names of the documents to be made, among those that ``renderers.pdf_renderers`` returns.

    Notes
    -----
    Such a function raises EOFError if the process died, TimeoutError if it takes too long, and OSError or ValueError if
    a page cannot be sent or made.
    """
    with contextlib.ExitStack() as ending:
        process = _Process(ending)
        yield dict.fromkeys(names, process.render)


class _Process:
    """The process that makes PDFs, started at its first use; after a failure it is not used again."""

    def __init__(self, ending: contextlib.ExitStack) -> None:
        self._ending = ending
        self._ours: Connection | None = None

    def render(self, html: str) -> bytes:
        """Return an HTML page as a PDF, made by the process; the process is started at the first call.

        Raises TimeoutError if it takes longer than five minutes, ValueError if the page cannot be made, and EOFError or
        OSError if the process died or a page cannot be sent. After a timeout the connection is closed, so that all
        later calls fail.
        """
        ours = self._ours = self._ours or self._start_process()
        ours.send(html)
        if not ours.poll(_MOST_SECONDS):
            ours.close()
            raise TimeoutError
        if not (made := ours.recv_bytes()):
            raise ValueError("the page could not be made")
        return made

    def _start_process(self) -> Connection:
        """Start the process that makes PDFs, to be ended with the ``with`` block, and return the connection to it."""
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=_serve_pages, args=(theirs,), daemon=True, name="pdf")
        self._ending.callback(_end_process, process, ours)
        process.start()
        theirs.close()
        return ours


def _end_process(process: SpawnProcess, ours: Connection) -> None:
    """Close the connection so that the process stops by itself; kill it if it has not within five seconds."""
    ours.close()
    if process.pid is None:  # it could not be started
        return
    process.join(_GRACE)
    if process.is_alive():
        process.kill()
        process.join()
    process.close()


# --- in the process -----------------------------------------------------------------------


def _serve_pages(theirs: Connection) -> None:
    """Answer each HTML page that arrives on the connection with its PDF, until the connection is closed.

    An empty answer means that the page could not be made. This function runs in the separate process.
    """
    # What Qt prints while dying must not reach the user's terminal.
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    from ppdm_desktop.ui.pdf.application import has_application
    from ppdm_desktop.ui.pdf.writer import write_pdf

    can = has_application()
    with contextlib.suppress(EOFError, OSError):
        while True:
            html: str = theirs.recv()
            made = b""
            if can:
                with contextlib.suppress(Exception):
                    made = write_pdf(html)
            theirs.send_bytes(made)
