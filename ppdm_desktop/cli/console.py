"""Output of all commands: text, JSON, progress on a terminal, and the log file."""

from __future__ import annotations

import json
import math
import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from ppdm_desktop.cli.streams import escape_to_one_line
from ppdm_desktop.engine.errors import InputError, PpdmError, RecipeError
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.wording.catalogue import _, language, numbers_of, speak_language
from ppdm_desktop.engine.wording.texts import Note, all_texts, explain, render
from ppdm_desktop.engine.wording.values import Reason, Span, Term, Terms

if TYPE_CHECKING:
    from ppdm_desktop.engine.table.reading import ImportLog

_BAR = 24
_WIDEST = 60
ABSENT = "–"
"""What stands in a cell of which nothing is known."""


class TerminalProgress:
    """Draws one line of progress on a terminal, and erases it at the end."""

    def __init__(self, stream: IO[str]) -> None:
        """Start the clock; nothing is drawn unless the stream is a terminal."""
        self._stream = stream
        self._language = language()
        self._active = stream.isatty()
        self._started = time.monotonic()
        self._drawn = 0.0

    def __call__(self, fraction: float, doing: str) -> None:
        """Draw the progress, at most ten times a second until all is done; do nothing if the stream is no terminal.

        ``fraction`` is the share done, 0 to 1; ``doing`` is the text id of what is being done. The line shows a bar,
        the percentage (rounded down) and what is being done; the remaining time is added after two seconds and 5 % of
        the work.
        """
        now = time.monotonic()
        if not self._active or (now - self._drawn < 0.1 and fraction < 1):
            return
        self._drawn = now
        full = int(fraction * _BAR)
        left = ""
        # A document may be in the making, in a language of its own.
        with speak_language(self._language):
            sentence = render(doing).sentence if doing in all_texts() else ""
            if 0.05 < fraction < 1 and now - self._started > 2:
                rest = Span((now - self._started) * (1 - fraction) / fraction)
                left = f"  {_('{time} left', time=rest)}"
            done = numbers_of(language()).percent(math.floor(100 * fraction) / 100)
        self._stream.write(f"\r\x1b[K[{'#' * full}{'.' * (_BAR - full)}] {done:>5} {sentence}{left}")
        self._stream.flush()

    def close(self) -> None:
        """Erase the progress line, if one was drawn."""
        if self._active and self._drawn:
            self._stream.write("\r\x1b[K")
            self._stream.flush()


class Console:
    """Where a command writes: results to stdout, everything else to stderr.

    Parameters
    ----------
    as_json
        Print one JSON document on stdout and nothing else.
    log
        File to which ids, counts and positions are added, never a cell value; None for no log.
    """

    def __init__(self, *, as_json: bool = False, log: Path | None = None) -> None:
        """Set up output in the current language, with a progress line on the terminal; nothing is printed yet.

        With ``as_json`` only the result is printed, as JSON; ``log`` is the log file.
        """
        self.as_json = as_json
        self._language = language()
        self._log = log
        self.released: Path | None = None
        """Folder of the release, once it is complete."""
        self._bar = TerminalProgress(sys.stderr)
        self.progress = Progress(self._bar)

    def lines(self, *lines: str) -> None:
        """Print lines for a person, with control characters escaped; do nothing with ``--json``."""
        if not self.as_json:
            self._bar.close()
            _write_text("".join(escape_to_one_line(line) + "\n" for line in lines))

    def table(self, rows: Sequence[Sequence[object]], head: Sequence[str]) -> None:
        """Print a table with aligned columns, columns of numbers to the right; do nothing with ``--json``.

        Names of more than 60 characters in the first column are shortened in the middle.
        """
        cells = [list(map(str, head)), *([escape_to_one_line(str(cell)) for cell in row] for row in rows)]
        cells = [[_shorten_name(first), *rest] for first, *rest in cells]
        widths = [max(len(row[i]) for row in cells) for i in range(len(head))]
        numeric = [all(_is_figure(row[i]) for row in cells[1:]) for i in range(len(head))]
        lines = []
        for row in cells:
            parts = [
                cell.rjust(width) if right else cell.ljust(width)
                for cell, width, right in zip(row, widths, numeric, strict=True)
            ]
            lines.append("  " + "  ".join(parts).rstrip())
        self.lines(*lines)

    def document(self, document: Mapping[str, Any]) -> None:
        """Print a document as indented JSON if ``--json`` was given; otherwise do nothing."""
        if self.as_json:
            self._bar.close()
            plain = (sys.stdout.encoding or "").lower().replace("-", "") != "utf8"
            _write_text(json.dumps(document, ensure_ascii=plain, indent=2, allow_nan=False) + "\n")

    def warn(self, *notes: Note) -> None:
        """Print warnings or notes on stderr, in the language of the command, and add their ids to the log."""
        self._bar.close()
        for note in notes:
            with speak_language(self._language):
                text = render(note.id, note.arguments)
                message = " ".join(part for part in (text.sentence, text.remedy) if part)
                sys.stderr.write(_("note: {what}", what=Term(escape_to_one_line(message))) + "\n")
            self.log(note.id)

    def error(self, error: PpdmError) -> None:
        """Print an error on stderr (where, what, how to fix it), and add it to the log without cell values.

        The progress bar is closed first.
        """
        self._bar.close()
        with speak_language(self._language):
            sys.stderr.write(error_line(explain(error)))
        self.log(error.log_line())

    def open_log(self, paths: Sequence[Path]) -> None:
        """Check, before the work starts, that the log file can be written, if a log was asked for.

        The file is created if it does not exist. Raise InputError if it cannot be written, or is one of ``paths``, the
        files of the command; nothing is logged then.
        """
        if (log := self._log) is None:
            return
        self._log = None
        for path in paths:
            if _is_same_file(log, path):
                raise InputError("error.log.other-file", file=str(log))
        try:
            log.open("a", encoding="utf-8").close()
        except OSError as error:
            reason = Reason.of(error)
            raise InputError("error.output.not-written", file=str(log), args={"reason": reason}) from error
        self._log = log

    def tell_reading(self, account: ImportLog) -> None:
        """Print a note on stderr for everything that was left out or undecided when a file was read.

        The last note lists the lines of rows that could not be read, if there are any.
        """
        self.warn(*account.warnings)
        if account.rows_unread:
            lines = Terms(tuple(str(row.line) for row in account.rows_unread))
            self.warn(Note("note.read.rows-unread", {"rows": len(account.rows_unread), "lines": lines}))

    def log(self, line: str) -> None:
        """Add a line to the log file, if there is one; errors while writing are ignored."""
        if self._log is not None:
            # The log is a help, not the work: a disk that fills up meanwhile must not hide the outcome.
            with suppress(OSError), self._log.open("a", encoding="utf-8") as file:
                file.write(line + "\n")

    def close(self) -> None:
        """Erase the progress line."""
        self._bar.close()


def _write_text(text: str) -> None:
    """Write a text to stdout and flush it.

    Raises
    ------
    PpdmError
        When stdout cannot take the text, for example because of a full disk; later output is then discarded.
    BrokenPipeError
        When the program that reads stdout has ended.
    """
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        # What is left in the buffer would be tried again, and complained about, at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        reason = Reason.of(error)
        raise PpdmError("error.output.not-written", args={"reason": reason}) from error


def _is_same_file(path: Path, second: Path) -> bool:
    """Return whether two paths lead to the same file, symbolic links followed; the files need not exist."""
    with suppress(OSError):
        return path.samefile(second)
    return os.path.realpath(path) == os.path.realpath(second)


@contextmanager
def name_recipe_in_errors(path: Path, asked: Mapping[str, str] | None = None) -> Iterator[None]:
    """Add the recipe's file name to every RecipeError inside the ``with`` block that names no file yet.

    Parameters
    ----------
    path
        Path of the recipe.
    asked
        Command-line option to name instead, by text id of an error that the option causes.
    """
    try:
        yield
    except RecipeError as error:
        error.file = error.file or (asked or {}).get(error.id) or str(path)
        raise


def _shorten_name(text: str) -> str:
    """Return a name of at most 60 characters: in a longer name "…" replaces the middle."""
    return text if len(text) <= _WIDEST else f"{text[: _WIDEST - 21]}…{text[-20:]}"


def _is_figure(text: str) -> bool:
    """Return whether a cell's text is a number, a percentage, a dash or empty, so that it may be aligned right."""
    plain = text.translate(dict.fromkeys(map(ord, ",.%-–−\u00a0")))
    return plain.isdigit() or not plain


def error_line(text: str) -> str:
    """Return the line, with a line feed, that reports an error in the current language."""
    return _("error: {what}", what=Term(escape_to_one_line(text))) + "\n"


def format_count(number: int) -> str:
    """Return a count as text in the current language, its digits grouped, such as "1,080"."""
    return numbers_of(language()).count(number)


def write_new(path: Path, text: str, *, in_new_folder: bool = False) -> None:
    """Write a text in UTF-8 to a new file; raise InputError if the file exists or cannot be written.

    With ``in_new_folder`` missing folders above the file are created.
    """
    try:
        if in_new_folder:
            path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except OSError as error:
        raise InputError("error.output.not-written", file=str(path), args={"reason": Reason.of(error)}) from error
