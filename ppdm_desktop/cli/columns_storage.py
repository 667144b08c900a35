"""Where a command keeps the columns: in memory, or encrypted on the disk if they may not fit in memory."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ppdm_desktop.cli.console import Console
from ppdm_desktop.engine.release.writing.disk_and_memory import check_store, should_keep_on_disk
from ppdm_desktop.engine.table.stored.code_store import CodeStore
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Term

AUTOMATIC, MEMORY, DISK = "automatic", "memory", "disk"


def add_columns_argument(parser: argparse.ArgumentParser) -> None:
    """Add the option ``--columns`` to the parser: whether columns are kept in memory or on the disk.

    Without it they are on the disk, encrypted and deleted at the end, if they may not fit in memory.
    """
    parser.add_argument(
        "--columns",
        choices=(AUTOMATIC, MEMORY, DISK),
        default=AUTOMATIC,
        help=_(
            "where the columns are kept during the work: on the disk, encrypted and removed at the end, or in memory "
            "(default: on the disk if they may not fit in memory)"
        ),
    )


@contextmanager
def provide_column_store(wanted: str, source: Path, console: Console, *, judged: bool) -> Iterator[CodeStore | None]:
    """Yield disk storage for the columns, deleted after the ``with`` block, or None to keep them in memory.

    They are kept in memory if ``wanted`` is ``memory``, or ``automatic`` and they fit in memory.

    Parameters
    ----------
    wanted
        Value of the option: ``memory``, ``disk`` or ``automatic``.
    source
        The file that is read.
    console
        Prints a note if the columns are on the disk without being asked for.
    judged
        Whether a release is made and evaluated, which needs more memory.

    Raises
    ------
    InputError
        When the disk has no space for them.
    """
    if wanted == MEMORY or (wanted == AUTOMATIC and not should_keep_on_disk(source, judged=judged)):
        yield None
        return
    with CodeStore() as store:
        check_store(store.path, source)
        if wanted == AUTOMATIC:
            console.warn(Note("note.stored.on-disk", {"folder": Term(str(store.path))}))
        yield store
