"""The manifest of a release folder: its files with hashes, and the comparison with the folder."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Literal

from ppdm_desktop.engine import decision_log
from ppdm_desktop.engine.dossier import PAPERS
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.files import opening
from ppdm_desktop.engine.files.opening import read_json
from ppdm_desktop.engine.release.evaluate.release_files import file_hash
from ppdm_desktop.engine.release.storage.atomic_folder import INTERNAL, MANIFEST, RELEASE, TEACHING
from ppdm_desktop.engine.release.writing.export import KEY, REPORT_JSON
from ppdm_desktop.engine.report.public.analysis_kit import KIT

DESTROYED = "key-destroyed.json"
_LONGEST = 255
"""Bytes that the name of a file may have on any disk."""
LOG = f"{INTERNAL}/{decision_log.FILE}"
_UNLISTED = frozenset({f"{INTERNAL}/{MANIFEST}", f"{INTERNAL}/{KEY}", f"{INTERNAL}/{DESTROYED}", LOG})

_PAPERS = (f"{PAPERS}/", f"{INTERNAL}/{PAPERS}/")
"""Folders of papers, which people edit."""


@dataclass(frozen=True)
class FileFinding:
    """A file that differs from the manifest: ``changed``, ``missing`` or ``extra``."""

    path: str
    state: Literal["changed", "missing", "extra"]


def read_manifest(directory: Path) -> dict[str, str]:
    """Return the SHA-256 of each file of a release folder, by its path inside.

    Raises
    ------
    InputError
        When the folder holds no release of this program.
    """
    try:
        document = read_json(directory / INTERNAL / MANIFEST, opening.MANIFEST)
        files = document["files"]
        well_formed = document["format"] == 1 and all(
            isinstance(path, str) and isinstance(sha, str) and _is_inside(path) for path, sha in files.items()
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        id = "error.verify.not-a-release" if directory.is_dir() else "error.verify.no-such-folder"
        raise InputError(id, file=str(directory)) from error
    if not well_formed:
        raise InputError("error.verify.not-a-release", file=str(directory))
    return dict(files)


def _is_inside(path: str) -> bool:
    """Return whether a manifest's path is a valid file path inside a release folder."""
    parts = PurePosixPath(path).parts
    inside = len(parts) == 2 and parts[0] in (RELEASE, TEACHING, INTERNAL)
    in_kit = len(parts) == 3 and parts[:2] == (RELEASE, KIT)
    spelt = all(len(os.fsencode(part)) <= _LONGEST for part in parts) and path.isprintable()
    return (inside or in_kit) and spelt and ".." not in parts and "\\" not in path


def compare_files(directory: Path, listed: dict[str, str]) -> tuple[FileFinding, ...]:
    """Return every file that differs from the manifest, and the log of decisions where it is not as printed."""
    file_findings: list[FileFinding] = []
    for path, sha in sorted(listed.items()):
        file = directory / path
        if not file.is_file():
            file_findings.append(FileFinding(path, "missing"))
        elif file.stat().st_size > opening.RELEASED.largest or file_hash(file) != sha:
            file_findings.append(FileFinding(path, "changed"))
    present = {
        entry.relative_to(directory).as_posix()
        for entry in directory.rglob("*")
        if entry.is_symlink() or not entry.is_dir()
    }
    unlisted = {path for path in present if path.startswith(_PAPERS)} | _UNLISTED
    file_findings += [FileFinding(path, "extra") for path in sorted(present - set(listed) - unlisted)]
    return (*file_findings, *_log_findings(directory))


def printed_log(directory: Path) -> tuple[int, str] | None:
    """Return length and head of the log of decisions as the report prints them; None where it prints none."""
    try:
        printed = read_json(directory / INTERNAL / REPORT_JSON, opening.REPORT)["log"]
        return None if printed is None else (int(printed["length"]), str(printed["head"]))
    except (OSError, InputError, ValueError, KeyError, TypeError):
        return None


def _log_findings(directory: Path) -> list[FileFinding]:
    """Return whether the log of decisions is missing, broken, or does not begin as the report prints it."""
    printed = printed_log(directory)
    try:
        log = decision_log.read_log(directory / LOG)
    except InputError:
        return [FileFinding(LOG, "changed")]
    if printed is None:
        return []
    length, head = printed
    if not log:
        return [FileFinding(LOG, "missing")]
    return [] if decision_log.head_of(log[:length]) == head and len(log) >= length else [FileFinding(LOG, "changed")]
