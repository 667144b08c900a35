"""Test a Windows delivery in the rig: install archive and both installers, use them, and remove them again.

What lies on disk C: and stands in the registry is listed before and after. What each releases there is compared with
what this checkout releases on Linux from the same table, recipe and seed.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol

from delivery.installer import write_setup
from delivery.msi import write_msi
from delivery.problems import Stop
from delivery.screen import screen
from delivery.windows import COMMAND, NAME, WINDOW

from ppdm_desktop.cli.commands.self_test import LIST, list_of

PERSON = "here/person"
"""Where a person of the rig works."""
HOME = "users/root"
"""The folder, below disk C:, of the only user that the rig's chroot has."""
SETTINGS = f"prefix/drive_c/{HOME}/AppData/Local/{NAME}"
"""Settings and the list of releases: what a person made is no part of what a removal takes away."""
OF_INVENTED_DATA = ("--seed", "7", "--accept", "keys-and-draws=Everybody in this bundled sample is invented.")
JOBS = (
    ("--version",),
    ("self-test",),
    ("sample", "life-insurance", "--out", "people.csv"),
    ("inspect", "people.csv"),
    ("release", "people.csv", "--recipe", "people.recipe.toml", "--out", "out", *OF_INVENTED_DATA),
    ("verify", "out", "--input", "people.csv"),
    # At the end: the work itself changes none of its files either.
    ("self-test", "--files"),
)
OLDER, GONE = "0.0.9", "gone.txt"
"""A version that is put down before an installer, and a file that it alone has."""
LOOKS = {100: "1366x768", 125: "1600x900", 150: "1920x1080", 200: "2560x1440"}
"""Sizes of text in per cent, and the screen each is looked at on."""
_DOTS = 96
_PATIENCE = 150
"""Seconds in which a window has to stand still."""
_OF_WINE = (
    "system.reg [System\\\\ControlSet001\\\\Control\\\\Class\\\\{4D36E968-E325-11CE-BFC1-08002BE10318}\\\\0000]",
    "system.reg [System\\\\ControlSet001\\\\Control\\\\Session Manager]",
    "user.reg [Software\\\\Wine\\\\MenuFiles]",
)
"""Keys that Wine itself rewrites while anything runs, an unpacked archive as well: screen, session, menu."""
_OF_WINDOWS = (
    "windows/temp/",
    "windows/Installer/",
    "ProgramData/",
    f"{HOME}/Temp/~nsu",
    f"{HOME}/AppData/Local/Temp/",
)
"""Where Windows keeps account of installers, and what it clears itself at its next start."""


class Rig(Protocol):
    """The methods of the rig that are used here."""

    place: Path

    def wine(self, words: Sequence[str], place: str, environment: dict[str, str]) -> tuple[int, str]:
        """Run a Windows program; return its exit code and output."""

    def settle(self) -> None:
        """Wait until all programs in the rig have ended and the registry is on the disk."""


@dataclass(frozen=True)
class Way:
    """One way to install the program.

    Attributes
    ----------
    name
        What it is called here.
    program
        The folder below disk C: in which the program is then.
    put, remove
        What installs and removes it.
    put_older
        What installs an older version of two programs and ``GONE`` before; None where none is updated.
    """

    name: str
    program: str
    put: Callable[[], object]
    remove: Callable[[], object]
    put_older: Callable[[], object] | None = None


def try_all(rig: Rig, delivery: Path, pictures: Path | None) -> None:
    """Try each file of a delivery, and print what was seen.

    Parameters
    ----------
    rig
        The rig.
    delivery
        The folder that ``dev.py deliver`` wrote of a bundle of Windows.
    pictures
        Where pictures of the installed program's window are kept; None makes none.

    Raises
    ------
    Stop
        Where something did not work, differs, or is left.
    """
    expected = released_here(rig.place / "linux")
    for way in ways(rig, delivery):
        rig.settle()
        shutil.rmtree(rig.place / SETTINGS, ignore_errors=True)
        before = listing(rig)
        put_down(rig, way)
        work(rig, way, expected)
        if way.name == "msi":
            see_nothing_planted_is_loaded(rig, way)
            if pictures is not None:
                photographs(rig, way, pictures)
        shutil.rmtree(rig.place / SETTINGS, ignore_errors=True)
        way.remove()
        rig.settle()
        left = sorted(before.keys() ^ (after := listing(rig)).keys())
        left += sorted(name for name in before.keys() & after.keys() if before[name] != after[name])
        own = [name for name in left if not name.startswith((*_OF_WINDOWS, *_OF_WINE))]
        say(f"{way.name}: removed; {len(own)} files, folders or keys are not as before")
        for name in own:
            say(f"  {name}")


def put_down(rig: Rig, way: Way) -> None:
    """Install the program, over an older version if there is one.

    Raises
    ------
    Stop
        Where the older version was not put down, or a file that it alone has is still there.
    """
    gone = rig.place / "prefix" / "drive_c" / way.program / GONE
    if way.put_older is not None:
        way.put_older()
        if not gone.is_file():
            raise Stop(f"{way.name}: the older version was not put down.")
    begun = time.monotonic()
    way.put()
    if gone.exists():
        raise Stop(f"{way.name}: a file of the older version is still there.")
    how = "" if way.put_older is None else f", over version {OLDER}"
    say(f"{way.name}: put down in {time.monotonic() - begun:.0f} s{how}")


def older(archive: Path, place: Path) -> Path:
    """Write an older version to a folder: two programs, their list and ``GONE``; return the folder."""
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    with zipfile.ZipFile(archive) as packed:
        for name in (COMMAND, WINDOW):
            (place / name).write_bytes(packed.read(f"{archive.stem}/{name}"))
    (place / GONE).write_text("Only the older version has this.\n", "utf-8")
    (place / LIST).write_text(list_of(place), "utf-8", newline="\n")
    return place


def ways(rig: Rig, delivery: Path) -> list[Way]:
    """Return the possible ways to install a delivery; installers that could not be made are left out.

    Raises
    ------
    Stop
        Where there is none at all.
    """
    here = rig.place / "here" / "delivery"
    shutil.rmtree(here, ignore_errors=True)
    here.mkdir(parents=True)
    for file in delivery.iterdir():
        shutil.copy(file, here)
    disk = rig.place / "prefix" / "drive_c"
    own = f"{HOME}/AppData/Local/Programs/{NAME}"

    def unpack(archive: Path) -> None:
        """Unpack an archive to the folder of the portable program."""
        with zipfile.ZipFile(archive) as packed:
            packed.extractall(disk / "portable")

    def by(*words: str) -> Callable[[], object]:
        """Return a function that runs a command in the rig."""
        return partial(works, rig, words)

    made = rig.place / "here" / "older"

    def silently(file: Path) -> list[str]:
        """Return the command that installs a file silently."""
        name = of_windows(file, rig)
        return [name, "/S"] if file.suffix == ".exe" else ["msiexec", "/i", name, "/qn"]

    def put_older(write: Callable[[Path, Path, str, int], None], file: Path) -> None:
        """Install an older version by an installer made for it."""
        (archive,) = here.glob("*.zip")
        write(older(archive, made / "program"), file, OLDER, int(archive.stat().st_mtime))
        works(rig, silently(file))

    found = [
        *(
            Way("zip", f"portable/{file.stem}", partial(unpack, file), partial(shutil.rmtree, disk / "portable"))
            for file in here.glob("*.zip")
        ),
        *(
            Way(
                "setup",
                f"{own}/program",
                by(*silently(file)),
                by("C:\\" + f"{own}/uninstall.exe".replace("/", "\\"), "/S"),
                partial(put_older, write_setup, made / "older-setup.exe"),
            )
            for file in here.glob("*-setup.exe")
        ),
        *(
            Way(
                "msi",
                f"Program Files/{NAME}",
                by(*silently(file)),
                by("msiexec", "/x", of_windows(file, rig), "/qn"),
                partial(put_older, write_msi, made / "older.msi"),
            )
            for file in here.glob("*.msi")
        ),
    ]
    if not found:
        raise Stop(f"{delivery} holds no delivery for Windows.")
    return found


def of_windows(path: Path, rig: Rig) -> str:
    """Return the Windows path of a file in the rig."""
    return "Z:\\win\\" + path.relative_to(rig.place).as_posix().replace("/", "\\")


def works(rig: Rig, words: Sequence[str], place: str = "here") -> str:
    """Run a program that must end with exit code 0, wait for all that it started, and return its output."""
    code, said = rig.wine(words, place, {})
    if code:
        raise Stop(f"{' '.join(words)} ended with {code}.\n{said[-3000:]}")
    return said


def work(rig: Rig, way: Way, expected: dict[str, bytes]) -> None:
    """Make a release with the program, and compare it with the expected files."""
    person = rig.place / PERSON
    shutil.rmtree(person, ignore_errors=True)
    program = "C:\\" + f"{way.program}/{COMMAND}".replace("/", "\\")
    for words in JOBS:
        begun = time.monotonic()
        said = works(rig, [program, *words], PERSON)
        last = " ".join(said.strip().splitlines()[-1:])
        say(f"{way.name}: {' '.join(words)} ({time.monotonic() - begun:.0f} s): {last}")
    found = files_of(person / "out" / "release")
    differing = sorted(name for name in expected.keys() | found.keys() if found.get(name) != expected.get(name))
    if differing:
        raise Stop(f"{way.name}: not as released on Linux: {', '.join(differing)}")
    say(f"{way.name}: the {len(found)} files of release have the bytes of Linux")


PLANTED = """#include <windows.h>
int WINAPI DllMain(HINSTANCE library, DWORD why, void *more) {
    CloseHandle(CreateFileA("C:\\\\planted.txt", GENERIC_WRITE, 0, 0, CREATE_ALWAYS, 0, 0));
    return 1;
}
"""
"""A library that leaves a mark as soon as it is loaded."""
PYTHON_PLANTED = "open('C:/planted.txt', 'w').close()\n"


def see_nothing_planted_is_loaded(rig: Rig, way: Way) -> None:
    """Check that planted libraries next to the table are not loaded by the program.

    Raises
    ------
    Stop
        Where one of them was loaded, or the mark that would tell cannot be left.
    """
    person, mark = rig.place / PERSON, rig.place / "prefix" / "drive_c" / "planted.txt"
    source = person / "planted.c"
    source.write_text(PLANTED, "utf-8")
    library = person / "planted.dll"
    compiled = subprocess.run(
        ["x86_64-w64-mingw32-gcc", "-shared", "-o", str(library), str(source)], capture_output=True, check=False
    )
    if compiled.returncode:
        raise Stop(f"The library could not be compiled.\n{compiled.stderr.decode()}")
    rig.wine(["rundll32", "planted.dll,none"], PERSON, {})
    if not mark.exists():
        raise Stop("The planted library leaves no mark, so nothing would be seen.")
    mark.unlink()
    program = rig.place / "prefix" / "drive_c" / way.program
    names = {path.name for path in program.rglob("*.dll")} | {path.name for path in program.rglob("*.pyd")}
    names |= asked_for(path for end in ("*.exe", "*.dll", "*.pyd") for path in program.rglob(end))
    for name in names:
        if not (person / name).exists():
            os.link(library, person / name)
    for module in ("numpy", "encodings", "sitecustomize", "usercustomize", "ppdm_desktop"):
        (person / f"{module}.py").write_text(PYTHON_PLANTED, "utf-8")
    base = "C:\\" + way.program.replace("/", "\\")
    works(rig, [f"{base}\\{COMMAND}", "inspect", "people.csv"], PERSON)
    with screen("1366x768") as display:
        code, _ = rig.wine(
            [f"{base}\\{WINDOW}", "people.csv"], PERSON, {"DISPLAY": display, "PPDM_DESKTOP_SMOKE": "chart"}
        )
    if code or mark.exists():
        raise Stop("The window did not open." if code else "A library that was planted beside the table was loaded.")
    for each in (*names, source.name, library.name):
        (person / each).unlink(missing_ok=True)
    say(f"{way.name}: {len(names)} libraries and 5 modules planted beside the table, none was loaded")


def asked_for(libraries: Iterable[Path]) -> set[str]:
    """Return the names of the libraries that other libraries mention."""
    found = set()
    for path in libraries:
        found |= {name.decode() for name in re.findall(rb"[A-Za-z0-9_.-]{2,40}\.(?:dll|DLL)(?=\0)", path.read_bytes())}
    return found


def released_here(place: Path) -> dict[str, bytes]:
    """Release the same table on Linux and return the recipient's files by path."""
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    # A person of their own, who has released nothing before.
    own = {**os.environ, "HOME": str(place), "XDG_CONFIG_HOME": str(place / "config")}
    for words in (words for words in JOBS if words[0] in ("sample", "release")):
        command = [sys.executable, "-m", "ppdm_desktop", *words]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=place, env=own)
        if done.returncode:
            raise Stop(f"{' '.join(words)} ended with {done.returncode} here.\n{done.stdout}{done.stderr}")
    return files_of(place / "out" / "release")


def files_of(folder: Path) -> dict[str, bytes]:
    """Return the bytes of a folder's files by path."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def listing(rig: Rig) -> dict[str, str]:
    """Return the sizes of files on disk C: and the values in the registry, by path or key."""
    prefix = rig.place / "prefix"
    found = {}
    for path in (prefix / "drive_c").rglob("*"):
        about = path.lstat()
        name = path.relative_to(prefix / "drive_c").as_posix()
        found[name] = "folder" if path.is_dir() else str(about.st_size)
    for hive in ("user.reg", "system.reg"):
        key = ""
        for line in (prefix / hive).read_text("utf-8", errors="replace").splitlines():
            if line.startswith("["):
                key = f"{hive} {line.rpartition(']')[0]}]"
                found[key] = ""
            elif key and not line.startswith("#"):
                found[key] += line
    return found


def photographs(rig: Rig, way: Way, pictures: Path) -> None:
    """Save a picture of the window at each text size, as soon as it stands still."""
    pictures.mkdir(parents=True, exist_ok=True)
    program = "C:\\" + f"{way.program}/{WINDOW}".replace("/", "\\")
    desktop = "HKCU\\Control Panel\\Desktop"
    for size, screen_size in LOOKS.items():
        dots = str(_DOTS * size // 100)
        works(rig, ["reg", "add", desktop, "/v", "LogPixels", "/t", "REG_DWORD", "/d", dots, "/f"])
        rig.settle()
        with screen(screen_size) as display:
            child = os.fork()
            if child == 0:
                os.setsid()
                rig.wine([program, "people.csv"], PERSON, {"DISPLAY": display})
                os._exit(0)
            shown = pictures / f"window-{size}.png"
            seen(shown, display)
            rig.wine(["taskkill", "/f", "/im", WINDOW], "here", {})
            os.waitpid(child, 0)
        say(f"{way.name}: window at {size} %: {shown}")
    works(rig, ["reg", "delete", desktop, "/v", "LogPixels", "/f"])


def seen(file: Path, display: str) -> None:
    """Save a picture of a screen once it shows something and nothing moves."""
    before, still = -1, 0
    for _ in range(_PATIENCE // 5):
        time.sleep(5)
        subprocess.run(["import", "-window", "root", str(file)], check=True, env={**os.environ, "DISPLAY": display})
        size = file.stat().st_size
        still = still + 1 if size == before and size > 20_000 else 0
        before = size
        if still == 2:
            return
    raise Stop(f"The window did not come to rest: {file}")


def say(what: str) -> None:
    """Print what was seen."""
    print(f"windows: {what}", flush=True)
