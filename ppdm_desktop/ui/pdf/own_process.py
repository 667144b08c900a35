"""PDFs for work that runs beside the window: made in a process of their own.

Qt locks objects that are connected or destroyed, and PySide may ask for the interpreter inside such a lock. With
objects of Qt in two threads each can then wait for what the other holds, for ever. So work beside the window has
none, and a page is laid out where nothing else runs.
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
"""How long a page may take: the longest report takes some seconds, on a busy machine too."""
_GRACE = 5.0


@contextlib.contextmanager
def pdf_process(names: Iterable[str]) -> Iterator[dict[str, Renderer]]:
    """Give what makes each of these documents; the process begins with the first page and is ended with the block.

    Parameters
    ----------
    names
        File names of documents that can be made here (``renderers.pdf_renderers`` says which).

    A renderer raises EOFError where the process died, TimeoutError where it does not come to an end, and OSError
    or ValueError where a page cannot be sent or made.
    """
    with contextlib.ExitStack() as ending:
        process = _Process(ending)
        yield dict.fromkeys(names, process.render)


class _Process:
    """The process, once there is something to do; one that failed is not asked again."""

    def __init__(self, ending: contextlib.ExitStack) -> None:
        self._ending = ending
        self._ours: Connection | None = None

    def render(self, html: str) -> bytes:
        """Return a page as a PDF."""
        ours = self._ours = self._ours or self._begun()
        ours.send(html)
        if not ours.poll(_MOST_SECONDS):
            ours.close()
            raise TimeoutError
        if not (made := ours.recv_bytes()):
            raise ValueError("the page could not be made")
        return made

    def _begun(self) -> Connection:
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=_serve, args=(theirs,), daemon=True, name="pdf")
        self._ending.callback(_end, process, ours)
        process.start()
        theirs.close()
        return ours


def _end(process: SpawnProcess, ours: Connection) -> None:
    """Let the process go: it ends by itself when nobody asks any more, and is not waited for without end."""
    ours.close()
    if process.pid is None:  # it could not be started
        return
    process.join(_GRACE)
    if process.is_alive():
        process.kill()
        process.join()
    process.close()


# --- in the process -----------------------------------------------------------------------


def _serve(theirs: Connection) -> None:
    """Answer each page with its PDF until the input ends; an empty answer means that the page failed."""
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
