"""The manifest of a release folder: which files it has, and whether they are as they were."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Literal

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.release.evaluate.release_files import file_hash
from ppdm_desktop.engine.release.storage.atomic_folder import INTERNAL, MANIFEST, RELEASE, TEACHING
from ppdm_desktop.engine.release.writing.export import KEY
from ppdm_desktop.engine.report.public.analysis_kit import KIT

DESTROYED = "key-destroyed.json"
_LARGEST_MANIFEST = 8 * 2**20
_UNLISTED = frozenset({f"{INTERNAL}/{MANIFEST}", f"{INTERNAL}/{KEY}", f"{INTERNAL}/{DESTROYED}"})


@dataclass(frozen=True)
class FileFinding:
    """A file that is not as the manifest says: ``changed``, ``missing`` or ``extra``."""

    path: str
    state: Literal["changed", "missing", "extra"]


def read_start(path: Path, most: int) -> bytes:
    """Return the beginning of a file, at most so many bytes."""
    with path.open("rb") as file:
        return file.read(most)


def read_manifest(directory: Path) -> dict[str, str]:
    """Return the SHA-256 of each file of a release folder, by its path inside.

    Raises
    ------
    InputError
        When the folder holds no release of this program.
    """
    try:
        document = json.loads(read_start(directory / INTERNAL / MANIFEST, _LARGEST_MANIFEST).decode("utf-8"))
        files = document["files"]
        well_formed = document["format"] == 1 and all(
            isinstance(path, str) and isinstance(sha, str) and _is_inside(path) for path, sha in files.items()
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        id = "error.verify.not-a-release" if directory.is_dir() else "error.verify.no-such-folder"
        raise InputError(id, file=str(directory)) from error
    if not well_formed:
        raise InputError("error.verify.not-a-release", file=str(directory))
    return dict(files)


def _is_inside(path: str) -> bool:
    parts = PurePosixPath(path).parts
    inside = len(parts) == 2 and parts[0] in (RELEASE, TEACHING, INTERNAL)
    in_kit = len(parts) == 3 and parts[:2] == (RELEASE, KIT)
    return (inside or in_kit) and ".." not in parts and "\\" not in path


def compare_files(directory: Path, listed: dict[str, str]) -> tuple[FileFinding, ...]:
    """Return every file that is not as the manifest says."""
    found: list[FileFinding] = []
    for path, sha in sorted(listed.items()):
        file = directory / path
        if not file.is_file():
            found.append(FileFinding(path, "missing"))
        elif file_hash(file) != sha:
            found.append(FileFinding(path, "changed"))
    present = {
        entry.relative_to(directory).as_posix()
        for entry in directory.rglob("*")
        if entry.is_symlink() or not entry.is_dir()
    }
    found += [FileFinding(path, "extra") for path in sorted(present - set(listed) - _UNLISTED)]
    return tuple(found)
