"""Errors that the user may cause, each with the id of its text, the place where it happened, and a remedy.

The sentences are in ``resources/texts/en.toml``. An error has only the id and the values to be inserted, so that the
window can show it in a different language and a log can name it without a cell value.
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
        File and column in which it happened, if known.
    row
        Data row of the source, counted from 1, if known.
    args
        Values to be inserted into the sentence; shown to the user, never logged.
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
    ) -> None:
        """Store the id of the error's text, where the error happened, and the values to be inserted into the text.

        The values are kept as ``arguments``, a dictionary that is empty for None. Raises TypeError for a value of
        ``args`` that no sentence can hold, such as a plain text or float.
        """
        super().__init__(id)
        refuse_untyped(id, args or {})
        self.id = id
        self.file = file
        self.column = column
        self.row = row
        self.arguments: dict[str, Value] = dict(args or {})

    def __reduce__(self) -> tuple[object, ...]:
        """Return how pickle rebuilds the error (a function and its arguments), so that processes can exchange it."""
        return (_rebuild_error, (type(self), self.id, self.file, self.column, self.row, self.arguments))

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
) -> PpdmError:
    """Return an error of class ``kind`` with these attributes; pickle calls it to rebuild an error."""
    return kind(id, file=file, column=column, row=row, args=args)


class InputError(PpdmError):
    """An error in a file, or in what the user asked the program to do with it (exit code 2)."""

    exit_code = 2


class RecipeError(PpdmError):
    """An error in the recipe (exit code 2)."""

    exit_code = 2


class SeveralRowsError(RecipeError):
    """Raised when a method cannot treat people who have several rows."""


class GateBlocked(PpdmError):
    """Raised when the gate blocks the release, or ``verify`` finds a difference (exit code 3).

    Parameters
    ----------
    id, args
        Id of the error's text, and values to be inserted into it.
    report
        The report of the release that was not written, as plain data; None without one.
    notes
        Why existing written reasons were not accepted.
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
        """Store the report of the blocked release and its notes, in addition to the attributes of every error."""
        super().__init__(id, file=file, column=column, row=row, args=args)
        self.report = report
        self.notes = notes

    def __reduce__(self) -> tuple[object, ...]:
        """Return how pickle rebuilds the error, including the report and the notes."""
        return (*super().__reduce__(), {"report": self.report, "notes": self.notes})


class Cancelled(PpdmError):
    """Raised in work that the user stopped; nothing was changed."""

    exit_code = 1

    def __init__(self) -> None:
        """Set the error's text id; it names no file, column or row."""
        super().__init__("error.work.cancelled")

    def __reduce__(self) -> tuple[object, ...]:
        """Return how pickle rebuilds the error: the class without arguments."""
        return (Cancelled, ())


_STARVED = re.compile(r"memory|failed to map|can't start new thread", re.IGNORECASE)
"""How the system says that it has no memory for a library or a thread."""


def lacks_memory(error: BaseException) -> bool:
    """Return whether an error means that the machine has no memory left to load a library or start a process.

    It does for a MemoryError, for errors with the number ENOMEM, and for an ImportError or RuntimeError whose text
    contains "memory", "failed to map" or "can't start new thread" (in capitals, too). For any other ImportError the
    error that caused it decides; it is False without one.
    """
    if isinstance(error, ImportError | RuntimeError) and _STARVED.search(str(error)) is None:
        behind = error.__cause__ or error.__context__
        return isinstance(error, ImportError) and behind is not None and lacks_memory(behind)
    return isinstance(error, MemoryError | ImportError | RuntimeError) or getattr(error, "errno", None) == errno.ENOMEM
