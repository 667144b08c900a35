"""The system libraries that a Linux bundle needs, and the Debian packages that hold them.

Read from the ELF files with ``readelf``: the libraries they need and do not bring along, and the newest version of
glibc that any of them was linked to.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from delivery.problems import Stop
from ppdm_desktop.cli.display_check import PACKAGES

_ELF = b"\x7fELF"
_NEEDED = re.compile(r"\(NEEDED\).*\[(.+)\]")
_GLIBC = re.compile(rb"\0GLIBC_2\.(\d+)(?=\0)")
_OF_GLIBC = re.compile(r"(?:lib(?:c|m|pthread|dl|rt|util|resolv|crypt)|ld-linux[\w-]*)\.so\.\d+")


@dataclass(frozen=True)
class Asked:
    """What a bundle needs from the system.

    Attributes
    ----------
    glibc
        The lowest version that runs it, as in ``2.34``.
    packages
        Debian's packages of the libraries it does not bring, which only a window on a screen needs.
    """

    glibc: str
    packages: tuple[str, ...]


def is_elf(path: Path) -> bool:
    """Return whether a file is an ELF program or library."""
    with path.open("rb") as file:
        return file.read(4) == _ELF


def asked_of_the_system(folder: Path) -> Asked:
    """Return the libraries that the files of a bundle need and do not contain.

    Raises
    ------
    Stop
        Where ``readelf`` is not here, or a library is in no package that is known.
    """
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and not path.is_symlink() and is_elf(path)]
    brought = {path.name for path in folder.rglob("*.so*")}
    needed = _needed(files) - brought
    missing = sorted(name for name in needed if not _OF_GLIBC.fullmatch(name))
    unknown = [name for name in missing if name not in PACKAGES]
    if unknown:
        raise Stop(
            f"The bundle needs {', '.join(unknown)} of the system, and no Debian package is known for it.\n"
            "Add it to PACKAGES in ppdm_desktop/cli/display_check.py."
        )
    minors = {int(found) for path in files for found in _GLIBC.findall(path.read_bytes())}
    return Asked(f"2.{max(minors, default=17)}", tuple(sorted({PACKAGES[name] for name in missing})))


def _needed(files: Iterable[Path]) -> set[str]:
    """Return the names of the libraries that files declare as needed."""
    readelf = shutil.which("readelf")
    if readelf is None:
        raise Stop("readelf is needed to see which libraries the bundle asks for (Debian: apt-get install binutils).")
    listed = list(map(str, files))
    if not listed:
        return set()
    done = subprocess.run([readelf, "-d", *listed], capture_output=True, text=True, check=False)
    return set(_NEEDED.findall(done.stdout))
