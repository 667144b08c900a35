"""Errors that the user may cause, each with a text id, a place and a remedy.

The sentences live in ``resources/texts/en.toml``; an error carries only the id and the arguments, so that the window
can show it in another language and a log can name it without a cell value.
"""

from __future__ import annotations

import errno
import re
from collections.abc import Mapping
from typing import Any

from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Value, refuse_untyped


class PpdmError(Exception):
    """A failure that is explained to the user in words.

    Parameters
    ----------
    id
        Text id, ``error.<area>.<what>``.
    file, column
        Where it happened, when known.
    row
        1-based data row of the source, when known.
    args
        Arguments of the sentence. Shown to the user, never logged.
    is_folder
        Whether it happened to a folder, which ``file`` then names.
    """

    exit_code = 1

    def __init__(
        self,
        id: str,
        *,
        file: str | None = None,
        column: str | None = None,
        row: int | None = None,
        args: Mapping[str, Value] | None = None,
        is_folder: bool = False,
    ) -> None:
        """Keep the id of the error's text, where the error lies and the values that the text names.

        ``is_folder`` says that ``file`` is a folder.
        """
        super().__init__(id)
        refuse_untyped(id, args or {})
        self.id = id
        self.file = file
        self.column = column
        self.row = row
        self.is_folder = is_folder
        self.arguments: dict[str, Value] = dict(args or {})

    def __reduce__(self) -> tuple[object, ...]:
        """Return the function and parts by which pickle rebuilds the error, so that it can cross a process border."""
        return (_rebuild_error, (type(self), self.id, self.file, self.column, self.row, self.arguments, self.is_folder))

    def log_line(self) -> str:
        """Return a line for the log: the id, whether a column is known, and the row, but never a value."""
        return f"{self.id} column={self.column is not None} row={self.row}"


def _rebuild_error(
    kind: type[PpdmError],
    id: str,
    file: str | None,
    column: str | None,
    row: int | None,
    args: dict[str, Value],
    is_folder: bool,
) -> PpdmError:
    """Return an error rebuilt from its parts, for pickling."""
    made = kind(id, file=file, column=column, row=row, args=args)
    made.is_folder = is_folder
    return made


class InputError(PpdmError):
    """An error in the source file or in what was asked of it (exit 2)."""

    exit_code = 2


class RecipeError(PpdmError):
    """An error in the recipe (exit 2)."""

    exit_code = 2


class SeveralRowsError(RecipeError):
    """Raised when a method cannot treat people who have several rows."""


class GateBlocked(PpdmError):
    """Raised when the gate blocks the release, or ``verify`` found a difference (exit 3).

    Parameters
    ----------
    id, args
        As of every error.
    report
        The report of the release that was not written, as plain data.
    notes
        Why reasons that were there did not count.
    """

    exit_code = 3

    def __init__(
        self,
        id: str,
        *,
        file: str | None = None,
        column: str | None = None,
        row: int | None = None,
        args: Mapping[str, Value] | None = None,
        report: dict[str, Any] | None = None,
        notes: tuple[Note, ...] = (),
    ) -> None:
        """Keep the report of the blocked release, None without one, and its notes, with what every error keeps."""
        super().__init__(id, file=file, column=column, row=row, args=args)
        self.report = report
        self.notes = notes

    def __reduce__(self) -> tuple[object, ...]:
        """Return the parts by which pickle rebuilds the error, with the report and the notes."""
        return (*super().__reduce__(), {"report": self.report, "notes": self.notes})


class Cancelled(PpdmError):
    """Raised when the user stopped the work; nothing was changed."""

    exit_code = 1

    def __init__(self) -> None:
        """Give the error its text id; it names no file, column or row."""
        super().__init__("error.work.cancelled")

    def __reduce__(self) -> tuple[object, ...]:
        """Return the parts of a cancellation: it has none."""
        return (Cancelled, ())


_STARVED = re.compile(r"memory|failed to map|can't start new thread", re.IGNORECASE)
"""How the system says that it has no memory for a library or a thread."""


def lacks_memory(error: BaseException) -> bool:
    """Return whether an error means that the machine has no memory left to load a library or start a process.

    True for MemoryError and errors with the number ENOMEM. An ImportError or RuntimeError has to speak of memory or a
    thread; an ImportError that does not is judged by the error that caused it.
    """
    if isinstance(error, ImportError | RuntimeError) and _STARVED.search(str(error)) is None:
        behind = error.__cause__ or error.__context__
        return isinstance(error, ImportError) and behind is not None and lacks_memory(behind)
    return isinstance(error, MemoryError | ImportError | RuntimeError) or getattr(error, "errno", None) == errno.ENOMEM
