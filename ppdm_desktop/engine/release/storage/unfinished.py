"""Leftovers of interrupted runs: releases being made, and private folders; found, moved back, or removed on request."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ppdm_desktop.engine.files.private import abandoned_folders
from ppdm_desktop.engine.release.storage.atomic_folder import Leftover, bring_back, find_leftovers, remove_leftover
from ppdm_desktop.engine.release.storage.disk import Disk
from ppdm_desktop.engine.release.storage.ledger import forget_unfinished, unfinished_folders


@dataclass(frozen=True)
class Unfinished:
    """Leftovers of interrupted runs on this computer.

    Attributes
    ----------
    releases
        Leftovers of releases that were being made; they may hold data and a key.
    folders
        Private temporary folders, which may hold data.
    """

    releases: tuple[Leftover, ...]
    folders: tuple[Path, ...]

    @property
    def paths(self) -> tuple[Path, ...]:
        """All existing leftover files and folders, those of releases first."""
        return (*(path for release in self.releases for path in release.paths), *self.folders)


def move_back_releases(ledger: Path | None, parents: Iterable[Path] = (), disk: Disk | None = None) -> tuple[Path, ...]:
    """Move back each release folder that was moved aside by an export which was to replace it and was interrupted.

    Nothing is removed. A folder stays aside where a new one has its name by now, or where it cannot be moved.

    Parameters
    ----------
    ledger
        The ledger, which lists folders in which releases were being made.
    parents
        Further folders to look in.
    disk
        The file operations.

    Returns
    -------
    tuple of Path
        The releases that were moved back.
    """
    disk = disk or Disk()
    return tuple(out for parent in _list_folders(ledger, parents) for out in bring_back(parent, disk))


def find_unfinished(ledger: Path | None, parents: Iterable[Path] = ()) -> Unfinished:
    """Return the leftovers of interrupted runs, next to releases and in the system's folder for temporary files.

    Searched are ``parents`` and the folders that the ledger lists; what a running process works on is not listed. A
    listed folder with neither leftovers nor a running export is removed from the list, unless it is not there now, as
    on a drive that was taken out.
    """
    releases = tuple(leftover for parent in _list_folders(ledger, parents) for leftover in find_leftovers(parent))
    if ledger is not None:
        forget_unfinished(ledger, unfinished_folders(ledger))
    return Unfinished(releases, abandoned_folders())


def remove_unfinished(unfinished: Unfinished, ledger: Path | None, disk: Disk | None = None) -> tuple[Path, ...]:
    """Remove leftovers of interrupted runs, after a person agreed; return the paths that are still there.

    A release folder that was moved aside is moved back, unless its name is taken. Folders in which nothing is left are
    removed from the ledger's list. Without a ledger only the files are removed.
    """
    disk = disk or Disk()
    for release_folder in unfinished.releases:
        with contextlib.suppress(OSError):
            remove_leftover(release_folder, disk)
    for folder in unfinished.folders:
        shutil.rmtree(folder, ignore_errors=True)
    left = tuple(path for path in unfinished.paths if path.exists())
    if ledger is not None:
        forget_unfinished(ledger, [release.parent for release in unfinished.releases])
    return left


def _list_folders(ledger: Path | None, parents: Iterable[Path]) -> tuple[Path, ...]:
    """Return the given folders, then those that the ledger lists, as absolute paths, each once."""
    paths = () if ledger is None else unfinished_folders(ledger)
    return tuple(dict.fromkeys(Path(path).absolute() for path in (*parents, *paths)))
