"""Archives of a folder that have the same bytes wherever and whenever they are made.

Entries are sorted by path, have one time, no owner, and one of two modes: what may be executed may be executed by all.
"""

from __future__ import annotations

import gzip
import os
import stat
import tarfile
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

_RUN, _READ = 0o755, 0o644


def entries(folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield the name and path of everything below a folder, in the same order on every system."""
    for path in sorted(folder.rglob("*"), key=lambda each: each.relative_to(folder).as_posix()):
        yield path.relative_to(folder).as_posix(), path


def mode_of(path: Path) -> int:
    """Return the mode of a file or folder in an archive."""
    return _RUN if path.is_dir() or path.stat().st_mode & stat.S_IXUSR else _READ


def write_tar(folder: Path, file: Path, top: str, when: int) -> None:
    """Write a folder as ``.tar.gz``.

    Parameters
    ----------
    folder
        What is packed; links in it stay links.
    file
        Where the archive is written.
    top
        The name of the folder that unpacking makes.
    when
        The time of every entry, in seconds since 1970.
    """
    with (
        file.open("wb") as raw,
        # No name and no time in the head of the compressed stream.
        gzip.GzipFile("", "wb", compresslevel=9, fileobj=raw, mtime=0) as squeezed,
        tarfile.open(fileobj=squeezed, mode="w", format=tarfile.GNU_FORMAT) as tar,
    ):
        tar.addfile(_tar_entry(top, folder, when))
        for name, path in entries(folder):
            entry = _tar_entry(f"{top}/{name}", path, when)
            if entry.isreg():
                with path.open("rb") as data:
                    tar.addfile(entry, data)
            else:
                tar.addfile(entry)


def _tar_entry(name: str, path: Path, when: int) -> tarfile.TarInfo:
    """Return the entry of a file, folder or link in the archive."""
    entry = tarfile.TarInfo(name)
    entry.mtime = when
    entry.uname = entry.gname = "root"
    if path.is_symlink():
        entry.type, entry.linkname, entry.mode = tarfile.SYMTYPE, os.readlink(path), 0o777
        return entry
    entry.mode = mode_of(path)
    if path.is_dir():
        entry.type = tarfile.DIRTYPE
    else:
        entry.size = path.stat().st_size
    return entry


def write_zip(folder: Path, file: Path, top: str, when: int) -> None:
    """Write a folder as ``.zip``; a link becomes a copy of its file, since Windows unpacks no links.

    Parameters
    ----------
    folder, file, top, when
        As in `write_tar`; a time before 1980, which a zip cannot hold, becomes the first day of that year.
    """
    date = max(datetime.fromtimestamp(when, UTC).timetuple()[:6], (1980, 1, 1, 0, 0, 0))
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for name, path in entries(folder):
            if path.is_dir():
                continue
            entry = zipfile.ZipInfo(f"{top}/{name}", date)
            entry.create_system = 3
            entry.external_attr = (stat.S_IFREG | mode_of(path)) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            packed.writestr(entry, path.read_bytes())
