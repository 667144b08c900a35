"""Compare the files of a delivered program with its shipped list: changed, missing and added ones.

The list is what ``sha256sum`` writes and checks. It lies in the program's own folder, so a person who can change a file
can change the list; its own hash stands in ``SHA256SUMS`` of the delivery, with a copy of it.
"""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.files.opening import MANIFEST, PART_OF_PROGRAM, read_file

LIST = "FILES.sha256"
_LINE = re.compile(r"([0-9a-f]{64})  (\S.*)")


@dataclass(frozen=True)
class Comparison:
    """How a folder differs from a list of files.

    Attributes
    ----------
    listed
        How many files the list names.
    changed, missing, added
        Files whose bytes differ, that are not there, and that the list does not name, by their paths in the folder.
    list_hash
        SHA-256 of the list itself.
    """

    listed: int
    changed: tuple[str, ...]
    missing: tuple[str, ...]
    added: tuple[str, ...]
    list_hash: str

    @property
    def same(self) -> bool:
        """Return whether nothing differs."""
        return not (self.changed or self.missing or self.added)


def program_folder() -> Path | None:
    """Return the folder of a delivered program; None where it runs with an installed Python."""
    return Path(sys.executable).resolve().parent if getattr(sys, "frozen", False) else None


def list_of(folder: Path) -> str:
    """Return the list of a folder's files as ``sha256sum`` writes it, sorted by path."""
    return "".join(f"{_hash_of(folder / name)}  {name}\n" for name in sorted(_files(folder)))


def compare(folder: Path, shipped: Path) -> Comparison:
    """Return how a folder differs from a list.

    Raises
    ------
    InputError
        When the list is not there or is no such list.
    """
    try:
        data = read_file(shipped, MANIFEST)
    except OSError as error:
        raise InputError("error.files.no-list", file=str(shipped)) from error
    listed = _parsed(data, shipped)
    comparison = set(_files(folder))
    changed = [name for name in sorted(comparison & set(listed)) if _hash_of(folder / name) != listed[name]]
    return Comparison(
        len(listed),
        tuple(changed),
        tuple(sorted(set(listed) - comparison)),
        tuple(sorted(comparison - set(listed))),
        hashlib.sha256(data).hexdigest(),
    )


def _files(folder: Path) -> Iterator[str]:
    """Yield the paths of the files below a folder, without the list itself; broken links are included."""
    for path in folder.rglob("*"):
        if (path.is_symlink() and not path.is_dir()) or path.is_file():
            name = path.relative_to(folder).as_posix()
            if name != LIST:
                yield name


def _hash_of(path: Path) -> str:
    """Return a file's SHA-256; "", which no list contains, if it cannot be read."""
    try:
        return hashlib.sha256(read_file(path, PART_OF_PROGRAM)).hexdigest()
    except (OSError, InputError):
        return ""


def _parsed(data: bytes, shipped: Path) -> dict[str, str]:
    """Return the hash of each file that a list names, by path."""
    try:
        lines = data.decode("utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise InputError("error.files.no-list", file=str(shipped)) from error
    matches = [_LINE.fullmatch(line) for line in lines]
    if not matches or not all(matches):
        raise InputError("error.files.no-list", file=str(shipped))
    return {hit[2]: hit[1] for hit in matches if hit}
