"""The local ledger of releases: which source was released when, by which recipe.

It holds hashes, column names and days, never data. Where it lies is the caller's choice; the
engine writes nothing there unless it is asked to.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path

from ppdm_desktop.engine.errors import InputError

FORMAT = 1


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
    """

    input_sha256: str
    recipe_sha256: str
    day: str
    columns: tuple[str, ...]


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


def remember_release(path: Path, entry: LedgerEntry) -> None:
    """Add a release; the file is replaced as a whole or stays as it was.

    Raises
    ------
    InputError
        As ``read_ledger``: a ledger that cannot be read is not written over.
    """
    entries = [*read_ledger(path), entry]
    document = {"format": FORMAT, "releases": [asdict(each) for each in entries]}
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f"{path.name}.new")
    with beside.open("w", encoding="utf-8") as file:
        json.dump(document, file, indent=1)
        file.flush()
        os.fsync(file.fileno())
    os.replace(beside, path)
