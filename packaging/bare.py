"""A delivery tried on a bare Debian: without Python, without a network, and with nothing left after its removal.

    packaging/bare.py dist/delivery                       as root, on Debian or Ubuntu: 5 minutes, 3 GB
    packaging/bare.py dist/delivery --picture window.png  also its window on a screen of its own, seen in a picture

A Debian of essential packages alone is laid into a folder. There the archive is unpacked and the package installed,
each runs as a person without rights and without a network, and both are taken away again. What lies on that system is
listed before and after. Then what the package recommends is installed, with a network, and the window opens.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from delivery.bare_debian import make_debian
from delivery.problems import Stop
from delivery.screen import screen

ROOT = Path(__file__).resolve().parent.parent
SYSTEM = "bookworm"
"""The oldest Debian that the wheels of Qt run on."""
PERSON = 1000
OF_THE_SYSTEM = ("proc", "sys", "dev", "tmp", "var/lib/dpkg", "var/log", "var/cache")
"""What any package changes, and what is no part of the disk."""
JOBS = (
    ("--version",),
    ("self-test", "--files"),
    ("self-test",),
    ("sample", "life-insurance", "--out", "people.csv"),
    ("inspect", "people.csv"),
    ("release", "people.csv", "--recipe", "people.recipe.toml", "--out", "out"),
    ("verify", "out", "--input", "people.csv"),
)


def main(arguments: Sequence[str]) -> int:
    """Try a delivery and print what was seen; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("delivery", type=Path, help="the folder that dev.py deliver wrote")
    parser.add_argument("--place", type=Path, metavar="DIR", default=ROOT / "build" / "bare", help="where it is laid")
    parser.add_argument(
        "--picture", type=Path, metavar="FILE", help="open the window on a screen and save what is seen"
    )
    given = parser.parse_args(arguments)
    try:
        if os.geteuid() != 0:
            raise Stop("This is done by root.")
        archive, package = (one(given.delivery, pattern) for pattern in ("*.tar.gz", "*.deb"))
        bare = Bare(given.place.absolute())
        bare.make()
        of_archive(bare, archive)
        of_package(bare, package)
        if given.picture:
            of_window(bare, package, given.picture.absolute())
    except Stop as problem:
        print(f"\n{problem}", file=sys.stderr)
        return 1
    return 0


def one(folder: Path, pattern: str) -> Path:
    """Return the only file of a folder that matches a pattern."""
    found = sorted(folder.glob(pattern))
    if len(found) != 1:
        raise Stop(f"{folder} holds {len(found)} files {pattern}, and there has to be one.")
    return found[0]


def say(what: str) -> None:
    """Print what was seen."""
    print(f"bare: {what}", flush=True)


class Bare:
    """A minimal Debian system in a folder.

    Parameters
    ----------
    place
        The folder.
    """

    def __init__(self, place: Path) -> None:
        self.place = place
        self.home = place / "srv" / "person"

    def make(self) -> None:
        """Install the system, and check that it has no Python."""
        begun = time.monotonic()
        make_debian(self.place, SYSTEM)
        self.home.mkdir(parents=True)
        os.chown(self.home, PERSON, PERSON)
        if python := [path for path in self.place.rglob("*python3*") if path.is_file()]:
            raise Stop(f"This Debian is not bare: {python[0]}")
        say(f"Debian {SYSTEM} of essential packages, without Python, in {time.monotonic() - begun:.0f} s")

    def run(
        self, *words: str, root: bool = False, network: bool = False, environment: dict[str, str] | None = None
    ) -> tuple[str, float]:
        """Return the output of a command in the system, and its processor seconds.

        Raises
        ------
        Stop
            When it does not end with 0.
        """
        # What is mounted for it is there for it alone, and goes with it.
        mounts = 'mount -t proc proc "$BARE/proc" && mount --rbind /dev "$BARE/dev"'
        mounts += ' && { [ ! -d "$BARE/tmp/.X11-unix" ] || mount --bind /tmp/.X11-unix "$BARE/tmp/.X11-unix"; }'
        person = [] if root else [f"--userspec={PERSON}:{PERSON}"]
        alone = [] if network else ["--net"]
        own = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root" if root else "/srv/person", "LANG": "C.UTF-8"}
        own |= {"BARE": str(self.place), "DEBIAN_FRONTEND": "noninteractive", **(environment or {})}
        line = f'{mounts} && exec chroot {" ".join(person)} "$BARE" sh -c \'cd "$HOME" && exec "$@"\' sh "$@"'
        before = os.times()
        done = subprocess.run(
            ["unshare", "--mount", *alone, "sh", "-c", line, "sh", *words],
            capture_output=True,
            text=True,
            check=False,
            env=own,
        )
        after = os.times()
        spent = after.children_user + after.children_system - before.children_user - before.children_system
        if done.returncode:
            raise Stop(f"{' '.join(words)} ended with {done.returncode}.\n{(done.stdout + done.stderr)[-3000:]}")
        return done.stdout, spent

    def listing(self) -> dict[str, str]:
        """Return what lies on the system: kind, rights, owner and content of each file, by path."""
        found = {}
        for folder, folders, files in os.walk(self.place):
            inside = Path(folder).relative_to(self.place)
            folders[:] = [name for name in folders if (inside / name).as_posix() not in OF_THE_SYSTEM]
            for name in (*folders, *files):
                path = Path(folder) / name
                about = path.lstat()
                content = ""
                if path.is_symlink():
                    content = os.readlink(path)
                elif path.is_file():
                    content = hashlib.sha256(path.read_bytes()).hexdigest()
                found[(inside / name).as_posix()] = f"{about.st_mode:o} {about.st_uid} {content}"
        return found


def compared(before: dict[str, str], after: dict[str, str]) -> list[str]:
    """Return the paths that differ between two listings."""
    return sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))


def jobs(bare: Bare, program: str) -> None:
    """Make a release with the program, as a user without rights and without a network."""
    for words in JOBS:
        said, spent = bare.run(program, *words)
        last = " ".join(said.strip().splitlines()[-1:])
        say(f"{' '.join(words)} ({spent:.1f} s of processor): {last}")
    # What a person made is a person's: it is no part of what a removal has to leave behind.
    for path in (bare.home / "out", bare.home / ".config", *bare.home.glob("people*")):
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)


def of_archive(bare: Bare, archive: Path) -> None:
    """Unpack the archive, install it for one user, use it, and remove it."""
    before = bare.listing()
    shutil.copy(archive, bare.home)
    bare.run("tar", "-xzf", archive.name)
    (bare.home / archive.name).unlink()
    folder = archive.name.removesuffix(".tar.gz")
    bare.run(f"./{folder}/install.sh")
    shutil.rmtree(bare.home / folder)
    jobs(bare, "/srv/person/.local/bin/ppdm-desktop")
    bare.run(".local/lib/ppdm-desktop/uninstall.sh", "--with-settings")
    said_left("the archive", before, bare.listing())


def of_package(bare: Bare, package: Path) -> None:
    """Install the package without network and recommended packages, use it, and remove it."""
    before = bare.listing()
    shutil.copy(package, bare.place / "tmp")
    bare.run("dpkg", "--install", f"/tmp/{package.name}", root=True)
    say(f"installed by dpkg: {len(compared(before, bare.listing()))} files and folders more")
    jobs(bare, "ppdm-desktop")
    bare.run("dpkg", "--purge", "ppdm-desktop", root=True)
    said_left("the package", before, bare.listing())


def said_left(what: str, before: dict[str, str], after: dict[str, str]) -> None:
    """Print that nothing is left; raise Stop with the paths left or changed.

    Raises
    ------
    Stop
        Naming what is left or has changed.
    """
    left = compared(before, after)
    if left:
        raise Stop(f"After the removal of {what} these are not as before: {', '.join(left[:20])}")
    say(f"{what} removed, {len(before)} files and folders are as they were")


def of_window(bare: Bare, package: Path, picture: Path) -> None:
    """Install the package with its recommended packages, open the window on a virtual screen, and save a picture."""
    bare.run("apt-get", "update", "-q", root=True, network=True)
    bare.run("apt-get", "install", "-y", "-q", f"/tmp/{package.name}", root=True, network=True)
    (bare.place / "tmp" / ".X11-unix").mkdir(exist_ok=True)
    bare.run("ppdm-desktop", "sample", "life-insurance", "--out", "people.csv")
    with ExitStack() as stack:
        display = stack.enter_context(screen("1366x768"))
        shown = {"DISPLAY": display}
        said, spent = bare.run("ppdm-desktop", "people.csv", environment={**shown, "PPDM_DESKTOP_SMOKE": "1"})
        say(f"window on a screen, without a network ({spent:.1f} s of processor): {', '.join(said.split(chr(10))[:2])}")
        command = "ppdm-desktop people.csv & sleep 25; kill $!; wait"
        looking = subprocess.Popen(
            ["sh", "-c", f"sleep 20; import -window root {picture}"], env={**os.environ, "DISPLAY": display}
        )
        bare.run("sh", "-c", command + "; true", environment=shown)
        looking.wait()
    say(f"seen: {picture}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
