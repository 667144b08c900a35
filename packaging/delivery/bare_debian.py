"""A minimal Debian system in a folder, made with ``debootstrap`` from the package mirror of this machine."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from delivery.problems import Stop


def make_debian(place: Path, system: str, *more: str) -> None:
    """Install a Debian with only its essential packages, and further ones, into a folder.

    Parameters
    ----------
    place
        The folder; what was there is removed.
    system
        Which Debian, by its name.
    more
        Packages that are installed as well.

    Raises
    ------
    Stop
        Where ``debootstrap`` is not here or fails, or apt takes nothing from a mirror of Debian.
    """
    tool = shutil.which("debootstrap")
    if tool is None:
        raise Stop("debootstrap is not here (Debian: apt-get install debootstrap).")
    shutil.rmtree(place, ignore_errors=True)
    include = [f"--include={','.join(more)}"] if more else []
    done = subprocess.run(
        [tool, "--variant=minbase", *include, system, str(place), mirror()], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise Stop(f"debootstrap ended with {done.returncode}.\n{(done.stdout + done.stderr)[-3000:]}")
    shutil.copy("/etc/resolv.conf", place / "etc")
    for settings in Path("/etc/apt/apt.conf.d").glob("*proxy*"):
        shutil.copy(settings, place / "etc" / "apt" / "apt.conf.d")


def mirror() -> str:
    """Return the address of the Debian mirror that apt uses here."""
    command = ["apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages"]
    try:
        said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        raise Stop("This needs apt-get: run it on Debian or Ubuntu.") from error
    mirrors = [line for line in said.splitlines() if line.rstrip("/").endswith("/debian")]
    if not mirrors:
        raise Stop("apt-get here takes nothing from a mirror of Debian.")
    return mirrors[0]
