"""The local ledger of releases: which source was released when, by which recipe.

It holds hashes, column names and days, never data. Where it lies is the caller's choice; the
engine writes nothing there unless it is asked to.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.storage.file_lock import locked

FILE, FORMAT = "ledger.json", 1
_PATIENCE = 10.0
"""Seconds to wait for another process; entering a release takes some thousandths of one."""


@dataclass(frozen=True)
class LedgerEntry:
    """One release.

    Attributes
    ----------
    input_sha256
        Hash of the source file.
    recipe_sha256
        Hash of the effective recipe.
    day
        Day of the release, ISO.
    columns
        Names of the released columns.
    draw
        64 hexadecimal digits that two releases share when all their random draws are the same ones;
        nothing can be computed from them.
    """

    input_sha256: str
    recipe_sha256: str
    day: str
    columns: tuple[str, ...]
    draw: str


@dataclass(frozen=True)
class History:
    """What the ledger says of a candidate's source.

    Attributes
    ----------
    others
        Earlier releases of the source, oldest first, without those of the candidate itself: the same
        draws written once more give nothing new away.
    is_readable
        False where there is a ledger that cannot be read; then nothing is known.
    """

    others: tuple[LedgerEntry, ...]
    is_readable: bool = True

    def drawn_alike(self, recipe_sha256: str) -> int:
        """Return how many of them were made by a recipe."""
        return sum(entry.recipe_sha256 == recipe_sha256 for entry in self.others)


def draw_of(candidate: Candidate) -> str:
    """Return what tells the draws of a candidate from all others, by its key, source and recipe."""
    return candidate.streams.stream("ledger").words(4).astype("<u8").tobytes().hex()


def history_of(candidate: Candidate, path: Path) -> History:
    """Return what a ledger says of a candidate's source; a ledger that cannot be read says so."""
    try:
        found = earlier_releases(path, candidate.prepared.account.sha256)
    except InputError:
        return History((), is_readable=False)
    own = draw_of(candidate)
    return History(tuple(entry for entry in found if entry.draw != own))


def remember(candidate: Candidate, path: Path, day: str) -> None:
    """Enter a candidate that was released; one whose very draws were released before is not entered again.

    Raises
    ------
    InputError
        When the ledger cannot be read, or cannot be written.
    """
    prepared = candidate.prepared
    entry = LedgerEntry(
        prepared.account.sha256, prepared.recipe_sha256, day, candidate.released_names, draw_of(candidate)
    )
    try:
        remember_release(path, entry, once=True)
    except OSError as error:
        reason = error.strerror or "not writable"
        raise InputError("error.export.not-writable", file=str(path), args={"reason": reason}) from error


def read_ledger(path: Path) -> tuple[LedgerEntry, ...]:
    """Return all releases in the ledger, oldest first; none where there is no ledger yet.

    Raises
    ------
    InputError
        When the file is no ledger of this format.
    """
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return ()
    except (OSError, ValueError):
        raise InputError("error.ledger.unreadable", file=str(path)) from None
    try:
        if document["format"] != FORMAT:
            raise ValueError
        return tuple(
            LedgerEntry(
                str(entry["input_sha256"]),
                str(entry["recipe_sha256"]),
                date.fromisoformat(entry["day"]).isoformat(),
                tuple(str(name) for name in entry["columns"]),
                str(entry["draw"]),
            )
            for entry in document["releases"]
        )
    except (KeyError, TypeError, ValueError):
        raise InputError("error.ledger.unreadable", file=str(path)) from None


def earlier_releases(path: Path, input_sha256: str) -> tuple[LedgerEntry, ...]:
    """Return the releases of one source, oldest first.

    Raises
    ------
    InputError
        As ``read_ledger``.
    """
    return tuple(entry for entry in read_ledger(path) if entry.input_sha256 == input_sha256)


def remember_release(path: Path, entry: LedgerEntry, *, once: bool = False) -> None:
    """Add a release; the file is replaced as a whole or stays as it was.

    Of several processes one at a time reads, adds and writes, so that no entry is lost.

    Parameters
    ----------
    path
        The ledger.
    entry
        What was released.
    once
        Add nothing where an entry of the same draws is there.

    Raises
    ------
    InputError
        As ``read_ledger``: a ledger that cannot be read is not written over.
    OSError
        When it cannot be written, or another process held it for ten seconds.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with locked(path.with_name(f"{path.name}.lock"), _PATIENCE) as alone:
        if alone:
            # Left by a process that was ended while it wrote.
            for left in path.parent.glob(f"{path.name}.*.new"):
                left.unlink(missing_ok=True)
        entries = read_ledger(path)
        if not (once and any(each.draw == entry.draw for each in entries)):
            _write(path, [*entries, entry])


def _write(path: Path, entries: Sequence[LedgerEntry]) -> None:
    document = {"format": FORMAT, "releases": [asdict(each) for each in entries]}
    # A name of this process's own: where the disk knows no locks, two do not mix their files.
    beside = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        with beside.open("w", encoding="utf-8") as file:
            json.dump(document, file, indent=1)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except OSError:
        beside.unlink(missing_ok=True)
        raise
