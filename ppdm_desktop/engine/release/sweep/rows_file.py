"""The rows of a sweep on disk, one JSON document on each line, so that an interruption loses no finished row.

A sweep runs a recipe with several values of one parameter and several keys; a row is the result for one value and key.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ppdm_desktop import __version__
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.files.opening import ROWS, parse_json, read_file
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.release.candidate.model import to_canonical_json
from ppdm_desktop.engine.release.sweep.run import Sweep, SweepRow
from ppdm_desktop.engine.wording.values import Reason

FORMAT = "ppdm-sweep"
VERSION = 1
FILE = "sweep.jsonl"
"""Its name in the folder that a person chooses."""


class RowsFile:
    """A file of a sweep's rows, new or continued, to which rows are added one by one.

    Parameters
    ----------
    path
        The file.
    sweep
        The sweep; a file of another sweep is refused.
    resume
        Whether to continue an existing file.

    Raises
    ------
    InputError
        When the file exists and is not to be continued, when it holds another sweep, or when it cannot be
        read or written.
    """

    def __init__(self, path: Path, sweep: Sweep, *, resume: bool) -> None:
        """Read an existing file's rows into ``stored_rows``, or start a new file with a line that names the sweep.

        A missing folder is made. A last line that was cut off is removed from an existing file.

        Raises
        ------
        InputError
            When the file exists and ``resume`` is False, is of another sweep or damaged, or cannot be written.
        """
        self._path = path
        self.stored_rows: tuple[SweepRow, ...] = ()
        head = describe_sweep_identity(sweep)
        if path.exists() and not resume:
            raise InputError("error.sweep.exists", file=str(path))
        try:
            if path.exists():
                self.stored_rows = self._read_rows(head)
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                self._append_document(head)
        except OSError as error:
            raise InputError("error.output.not-written", file=str(path), args={"reason": Reason.of(error)}) from error

    def add(self, row: SweepRow) -> None:
        """Append a row and wait until it is on the disk, so that a power cut loses no row that was shown.

        ``stored_rows`` has the earlier rows only; this one is not added to it.

        Raises
        ------
        InputError
            When the file cannot be written.
        """
        try:
            self._append_document(asdict(row))
        except OSError as error:
            reason = Reason.of(error)
            raise InputError("error.output.not-written", file=str(self._path), args={"reason": reason}) from error

    def _append_document(self, document: Mapping[str, Any]) -> None:
        """Append a document as one line of JSON and wait until it is on the disk; raise OSError where that fails."""
        with self._path.open("a", encoding="utf-8", newline="\n") as file:
            file.write(json.dumps(document, ensure_ascii=False, allow_nan=False) + "\n")
            file.flush()
            os.fsync(file.fileno())

    def _read_rows(self, head: Mapping[str, Any]) -> tuple[SweepRow, ...]:
        """Return all rows of the file but the first line; a last line that was cut off is removed from the file.

        The first line must equal ``head``, which identifies the sweep. Otherwise, or if the file is damaged elsewhere,
        InputError is raised and nothing changed.
        """
        first, rows, torn = _read_lines(self._path)
        if first != head:
            raise InputError("error.sweep.other", file=str(self._path))
        if torn is not None:
            # The last line was cut off while it was written.
            os.truncate(self._path, torn)
        return rows

    @staticmethod
    def rows_in(path: Path) -> tuple[SweepRow, ...]:
        """Return the rows of a sweep's file, whatever the sweep was.

        Raises
        ------
        InputError
            When it is no sweep's file, or damaged.
        OSError
            When it does not exist or cannot be read.
        """
        return _read_lines(path)[1]


def _read_lines(path: Path) -> tuple[object, tuple[SweepRow, ...], int | None]:
    """Return a file's first line as plain data, its rows, and the length to cut the file to, or None.

    The length is that of the complete lines in bytes; it is None unless the last line was cut off (does not end with a
    line break), and that line is not among the rows. Raises InputError for any other damage, and OSError where the file
    cannot be read.
    """
    text = read_file(path, ROWS)
    whole, mark, _ = text.rpartition(b"\n")
    try:
        documents = [parse_json(line, ROWS, path) for line in whole.split(b"\n")]
        rows = tuple(SweepRow(**{**document, "blocking": tuple(document["blocking"])}) for document in documents[1:])
    except (ValueError, TypeError, KeyError) as error:
        raise InputError("error.sweep.damaged", file=str(path)) from error
    end = len(whole) + len(mark)
    return documents[0], rows, end if end < len(text) else None


def describe_sweep_identity(sweep: Sweep) -> dict[str, Any]:
    """Return what identifies a sweep: program version, source, recipe, parameter and values, key, and what is measured.

    Another version may draw or measure in another way, so its rows are never combined with these. The number of keys is
    not part of it: a sweep can be continued with more of them.
    """
    recipe = hashlib.sha256(to_canonical_json(sweep.recipe.model_dump(mode="json"))).hexdigest()
    return {
        "format": FORMAT,
        "version": VERSION,
        "program": __version__,
        "input_sha256": sweep.reading.account.sha256,
        "recipe_sha256": recipe,
        "step": sweep.grid.step,
        "parameter": sweep.grid.parameter,
        "values": list(sweep.grid.values),
        "key": sweep.key.hex(),
        "attacked": sweep.attacked,
        "analysed": sweep.analysed,
    }


def read_trial_key(path: Path) -> Key | None:
    """Return the key of the sweep in a file, so that it can be continued; None where there is no such file.

    Raises
    ------
    InputError
        When the file cannot be read or is no sweep.
    """
    try:
        document = parse_json(read_file(path, ROWS).partition(b"\n")[0], ROWS, path)
        return Key(bytes.fromhex(document["key"]), "system")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InputError("error.output.not-written", file=str(path), args={"reason": Reason.of(error)}) from error
    except (ValueError, TypeError, KeyError) as error:
        raise InputError("error.sweep.damaged", file=str(path)) from error
