"""The Debian package: the bundle below /usr/lib, a command, the menu entry, the icon and the types of files.

It has no scripts of its own: the menu, the types and the icons are taken up by the packages of the system that watch
these folders, and given up again when the package is removed.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from delivery.archive import entries, mode_of
from delivery.libraries import asked_of_the_system
from delivery.problems import Stop
from delivery.version import PUBLISHER

PACKAGE = "ppdm-desktop"
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}

CONTROL = """\
Package: {package}
Version: {version}
Architecture: {architecture}
Maintainer: {publisher}
Installed-Size: {size}
Depends: libc6 (>= {glibc})
Recommends: {packages}
Section: science
Priority: optional
Description: release a dataset without exposing anyone in it
 Reads a spreadsheet about people, shows how many of them could be recognised,
 protects it with a published method, attacks the result, and writes one folder
 to share and one for the records. Works on one computer, without a network.
 .
 It brings all it needs but the libraries that open a window on a screen.
"""


def write_deb(bundle: Path, file: Path, version: str, machine: str, when: int) -> None:
    """Write a bundle as a Debian package.

    Parameters
    ----------
    bundle
        The folder that ``dev.py bundle`` made.
    file
        Where the package is written.
    version
        As Debian compares versions.
    machine
        The processor, as Linux calls it.
    when
        The time of every file, in seconds since 1970.

    Raises
    ------
    Stop
        Where ``dpkg-deb`` is not here, or fails.
    """
    dpkg = shutil.which("dpkg-deb")
    if dpkg is None:
        raise Stop("dpkg-deb is not here.")
    asked = asked_of_the_system(bundle)
    with tempfile.TemporaryDirectory(prefix="ppdm-deb-") as place:
        root = Path(place) / "root"
        lay_out(bundle, root)
        size = sum(path.lstat().st_size for _, path in entries(root) if path.is_file()) // 1024 + 1
        control = CONTROL.format(
            package=PACKAGE,
            publisher=PUBLISHER,
            version=version,
            architecture=ARCHITECTURES[machine],
            size=size,
            glibc=asked.glibc,
            packages=", ".join((*asked.packages, "desktop-file-utils", "shared-mime-info")),
        )
        sums = [
            f"{hashlib.md5(path.read_bytes(), usedforsecurity=False).hexdigest()}  {name}\n"
            for name, path in entries(root)
            if path.is_file() and not path.is_symlink()
        ]
        (root / "DEBIAN").mkdir()
        (root / "DEBIAN" / "control").write_text(control, "utf-8", newline="\n")
        (root / "DEBIAN" / "md5sums").write_text("".join(sums), "utf-8", newline="\n")
        settle(root, when)
        # One thread: how the work is shared would show in the compressed bytes.
        command = [dpkg, "--root-owner-group", "-Zxz", "--threads-max=1", "--build", str(root), str(file)]
        environment = {**os.environ, "SOURCE_DATE_EPOCH": str(when)}
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
        if done.returncode:
            raise Stop(f"dpkg-deb failed:\n{done.stderr}")


def lay_out(bundle: Path, root: Path) -> None:
    """Copy the files of a bundle to where they lie on an installed system."""
    shutil.copytree(bundle, root / "usr" / "lib" / PACKAGE, symlinks=True)
    command = root / "usr" / "bin" / PACKAGE
    command.parent.mkdir(parents=True)
    command.symlink_to(f"../lib/{PACKAGE}/{PACKAGE}")
    shutil.copytree(bundle / "share", root / "usr" / "share")
    papers = root / "usr" / "share" / "doc" / PACKAGE
    papers.mkdir(parents=True)
    shutil.copy(bundle / "LICENSES.txt", papers / "copyright")


def settle(root: Path, when: int) -> None:
    """Set time and mode of a folder and everything in it."""
    for path in (root, *(path for _, path in entries(root))):
        if not path.is_symlink():
            path.chmod(mode_of(path))
        os.utime(path, (when, when), follow_symlinks=False)
