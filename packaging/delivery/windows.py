"""Names and version resources of the Windows programs, for both installers."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from delivery.problems import Stop

NAME = "PPDM Desktop"
PROGRAMS = {
    "ppdm-desktop": "PPDM Desktop, command line",
    "ppdm-desktop-window": NAME,
}
"""The programs of the folder, and what each is called where Windows lists what runs."""
COMMAND, WINDOW = (f"{name}.exe" for name in PROGRAMS)
PROJECT = "PPDMDesktop.Project"
"""What Windows calls the type of a project's file."""
OLDEST = 17763
"""The build of Windows 10 version 1809, the first with a library that Qt needs."""
_BRITISH, _UNICODE = 0x0809, 1200


def version_resource(name: str, what: str, version: str) -> str:
    """Return a version resource as PyInstaller reads it.

    Parameters
    ----------
    name
        The program's file, without its ending.
    what
        What Windows calls it.
    version
        The program's version, such as ``0.2.0``.
    """
    numbers = ([int(part) for part in version.split(".") if part.isdigit()] + [0] * 4)[:4]
    texts = {
        "FileDescription": what,
        "FileVersion": version,
        "InternalName": name,
        "LegalCopyright": "Apache-2.0",
        "OriginalFilename": f"{name}.exe",
        "ProductName": NAME,
        "ProductVersion": version,
    }
    rows = ", ".join(f"StringStruct({key!r}, {text!r})" for key, text in texts.items())
    place = f"{_BRITISH:04X}{_UNICODE:04X}"
    return (
        f"VSVersionInfo(ffi=FixedFileInfo(filevers={tuple(numbers)}, prodvers={tuple(numbers)}, mask=0x3F, flags=0, "
        f"OS=0x40004, fileType=1, subtype=0, date=(0, 0)), kids=[StringFileInfo([StringTable({place!r}, [{rows}])]), "
        f"VarFileInfo([VarStruct('Translation', [{_BRITISH}, {_UNICODE}])])])\n"
    )


def see_programs(bundle: Path) -> None:
    """Raise Stop if a bundle lacks a program to which an installer's entries lead.

    Raises
    ------
    Stop
        Naming what is missing.
    """
    missing = [name for name in (COMMAND, WINDOW) if not (bundle / name).is_file()]
    if missing:
        raise Stop(f"{bundle} holds no program for Windows: {', '.join(missing)} is not there.")


def packed_by(tool: str, words: Sequence[str], environment: Mapping[str, str], place: Path) -> None:
    """Run an external program that makes an installer.

    Parameters
    ----------
    tool
        The program.
    words
        What it is given.
    environment
        Its environment.
    place
        The folder it works in.

    Raises
    ------
    Stop
        Where it is not here, or fails.
    """
    found = shutil.which(tool)
    if found is None:
        raise Stop(f"{tool} is not here.")
    done = subprocess.run(
        [found, *words], capture_output=True, text=True, check=False, cwd=place, env=dict(environment)
    )
    if done.returncode:
        raise Stop(f"{tool} failed:\n{(done.stdout + done.stderr)[-3000:]}")
