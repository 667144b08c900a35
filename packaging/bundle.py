"""Make dist/ppdm-desktop, the folder that runs without Python, and try what came out.

Started by ``python3 packaging/dev.py bundle`` with the Python of ``.venv``. The trial runs the bundle
with an empty path and, where the system allows it, without any network.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path

import xlsxwriter
from delivery.icon import coloured, windows_icon, write_icons
from delivery.problems import Stop
from delivery.sbom import bill_of_materials
from delivery.traces import neutral, traces_of_here
from delivery.version import Commit
from delivery.windows import PROGRAMS, version_resource
from translations import compile_translations

from ppdm_desktop import __version__
from ppdm_desktop.cli.commands.self_test import LIST, list_of
from ppdm_desktop.engine.release.reporting.libraries import modules_of
from ppdm_desktop.engine.table.reading.registry import list_readable_suffixes
from ppdm_desktop.engine.wording.catalogue import list_languages

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "dist" / "ppdm-desktop"
WORK = ROOT / "build" / "bundle"
# SciPy no longer has this module; PyInstaller's list still does.
HARMLESS = ("scipy.special._cdflib",)
# Names that Windows itself answers to, and what only GTK's theme asks for, which is not packed.
NOT_MISSED = ("api-ms-win-", "ext-ms-win-", "libgdk-", "libgtk-")


def main(commit: Commit | None = None) -> int:
    """Build, complete and test the bundle; return the exit code."""
    try:
        commit = commit or Commit.of(ROOT)
        make_guides()
        build(commit)
        slim()
        extras(commit)
        (FOLDER / LIST).write_text(list_of(FOLDER), "utf-8", newline="\n")
        size = sum(path.lstat().st_size for path in FOLDER.rglob("*") if path.is_file() and not path.is_symlink())
        say(f"{FOLDER.relative_to(ROOT)}: {size / 1e6:.0f} MB")
        try_out()
    except Stop as problem:
        print(f"\n{problem}", file=sys.stderr)
        return 1
    return 0


def say(what: str) -> None:
    """Print what is being done."""
    print(f"bundle: {what}", flush=True)


def make_guides() -> None:
    """Make the printable guide in each language, in resources/guide, from where the bundle takes it."""
    for code in list_languages():
        say(f"the guide to print in {code} (a minute)")
        command = [sys.executable, "packaging/guide.py", "--language", code]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
        if done.returncode:
            raise Stop(f"The guide could not be made.\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
        say(done.stdout.strip())


def build(commit: Commit) -> None:
    """Run PyInstaller; a module that it does not find is an error."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    compile_translations()
    if sys.platform == "win32":
        shown_by_windows()
    WORK.mkdir(parents=True, exist_ok=True)
    log = WORK / "pyinstaller.log"
    say(f"PyInstaller (two minutes, under Wine longer; what it does stands in {log.relative_to(ROOT).as_posix()})")
    begun = time.monotonic()
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "INFO"]
    command += ["--distpath", str(FOLDER.parent), "--workpath", str(WORK), "packaging/ppdm-desktop.spec"]
    # Sets are listed in the same order on every run, and so are the files packed; times are the commit's.
    environment = {**os.environ, "PYTHONHASHSEED": "1", "SOURCE_DATE_EPOCH": str(commit.when)}
    with log.open("wb") as file:
        done = subprocess.run(command, stdout=file, stderr=file, check=False, cwd=ROOT, env=environment)
    lines = log.read_text("utf-8", errors="replace").splitlines()
    if done.returncode:
        raise Stop("PyInstaller failed:\n" + "\n".join(lines[-40:]))
    missing = [line for line in lines if "Hidden import" in line and "not found" in line]
    missing = [line for line in missing if not any(name in line for name in HARMLESS)]
    if missing:
        raise Stop("PyInstaller did not find everything:\n" + "\n".join(missing))
    say(f"built in {time.monotonic() - begun:.0f} s")
    libraries = sorted({line.split("'")[1] for line in lines if "could not resolve" in line})
    libraries = [name for name in libraries if not name.startswith(NOT_MISSED)]
    if libraries:
        say(
            f"not packed, because this machine lacks them: {', '.join(libraries)}. The window opens on a screen "
            "only where the system has them; to give the bundle away, install them here and build again."
        )


def shown_by_windows() -> None:
    """Write the icon and the version resources that Windows shows of the programs."""
    made = ROOT / "build" / "windows"
    made.mkdir(parents=True, exist_ok=True)
    drawing = (ROOT / "resources" / "icons" / "app.svg").read_text("utf-8")
    (made / "ppdm-desktop.ico").write_bytes(windows_icon(coloured(drawing)))
    for name, what in PROGRAMS.items():
        (made / f"{name}.version.txt").write_text(version_resource(name, what, __version__), "utf-8")


def slim() -> None:
    """Remove what nobody reads: symbols of libraries, and the path of the build's Python."""
    strip = shutil.which("strip")
    libraries = libraries_in(FOLDER / "_internal")
    # Wheels with a folder of libraries were rewritten for it; what is stripped of them is no longer loaded everywhere.
    own = [path.name for path in FOLDER.glob("_internal/*.libs")]
    rewritten = {module for name in own for module in modules_of(name.removesuffix(".libs"))} | set(own)
    wanted = [path for path in libraries if path.relative_to(FOLDER).parts[1] not in rewritten]
    if strip and wanted:
        before = sum(path.stat().st_size for path in wanted)
        done = subprocess.run(
            [strip, "--strip-unneeded", *map(str, wanted)], capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise Stop(f"The symbols could not be taken away.\n{done.stderr}")
        saved = before - sum(path.stat().st_size for path in wanted)
        say(f"symbols of {len(wanted)} libraries taken away: {saved / 1e6:.0f} MB")
    traces = traces_of_here(ROOT)
    for library in libraries:
        if any(each in library.read_bytes() for each in traces):
            library.write_bytes(neutral(library.read_bytes(), traces))


def libraries_in(folder: Path) -> list[Path]:
    """Return the shared libraries in a folder, recognised by their first bytes."""
    found = (path for path in sorted(folder.rglob("*.so*")) if path.is_file() and not path.is_symlink())
    return [path for path in found if path.read_bytes()[:4] == b"\x7fELF"]


def extras(commit: Commit) -> None:
    """Add licences and the bill of materials, and on Linux the files for installing it in the menu."""
    command = [sys.executable, "packaging/licences.py", str(WORK / "ppdm-desktop"), str(FOLDER / "LICENSES.txt")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    if done.returncode:
        raise Stop(f"The licences could not be listed.\n{done.stdout}{done.stderr}")
    say(done.stdout.strip())
    shutil.copy(ROOT / "LICENSE", FOLDER)
    (FOLDER / "SBOM.cdx.json").write_text(bill_of_materials(WORK / "ppdm-desktop", commit), "utf-8", newline="\n")
    if sys.platform == "linux":
        linux = ROOT / "packaging" / "delivery" / "linux"
        for name in ("install.sh", "uninstall.sh"):
            shutil.copy(linux / name, FOLDER)
        share = FOLDER / "share"
        for name, place in (("ppdm-desktop.desktop", "applications"), ("ppdm-desktop.xml", "mime/packages")):
            (share / place).mkdir(parents=True)
            shutil.copy(linux / name, share / place)
        write_icons(ROOT / "resources" / "icons" / "app.svg", share / "icons" / "hicolor")


def try_out() -> None:
    """Run the bundle without a Python on the path and without a network."""
    alone = without_network()
    say("trying it without Python on the path" + (" and without a network" if alone else ""))
    with tempfile.TemporaryDirectory(prefix="ppdm-bundle-") as name:
        place = Path(name)
        book, sample = place / "book.xlsx", place / "sample.csv"
        write_book(book)
        for words in (
            ["--version"],
            ["self-test", "--files"],
            ["self-test"],
            ["inspect", str(book)],
            *(["inspect", str(path)] for path in write_extras(place)),
            ["sample", "life-insurance", "--out", str(sample)],
            [],
            [str(sample)],
            [str(book)],
        ):
            attempt(place, alone, words)
        attempt(place, alone, [str(sample)], shows="chart")


def attempt(place: Path, alone: list[str], words: list[str], *, shows: str = "1") -> None:
    """Run the bundle once: a command, or a window that opens for a moment, with ``chart`` to draw one there."""
    program = FOLDER / ("ppdm-desktop.exe" if os.name == "nt" else "ppdm-desktop")
    environment = {key: os.environ[key] for key in ("SYSTEMROOT", "TEMP") if key in os.environ}
    environment.update(PATH=str(place), HOME=str(place), QT_QPA_PLATFORM="offscreen", LANG="C.UTF-8")
    environment.update(PPDM_DESKTOP_SMOKE=shows)
    if os.name == "nt":
        # Without a screen Qt has no fonts there but those it is shown, and measures boxes.
        environment["QT_QPA_FONTDIR"] = str(FOLDER / "_internal" / "ppdm_desktop" / "resources" / "fonts")
        environment["LOCALAPPDATA"] = str(place)
    begun = time.monotonic()
    done = subprocess.run(
        [*alone, str(program), *words],
        capture_output=True,
        text=True,
        check=False,
        cwd=place,
        env=environment,
        timeout=300,
    )
    what = " ".join(["ppdm-desktop", *(Path(word).name for word in words)])
    said = ", ".join(line.strip() for line in done.stdout.strip().splitlines()[-2:])
    say(f"{what} ({time.monotonic() - begun:.1f} s): {said}")
    if done.returncode:
        raise Stop(f"The bundle does not work: {what} ended with {done.returncode}.\n{done.stderr[-4000:]}")


def write_book(path: Path) -> None:
    """Write a small workbook, which the bundle reads in a second process."""
    book = xlsxwriter.Workbook(str(path))
    sheet = book.add_worksheet("People")
    for row, cells in enumerate([["Age", "City"], [30, "Delft"], [31, "Ghent"], [30, "Bonn"]]):
        sheet.write_row(row, 0, cells)
    book.close()


def write_extras(place: Path) -> list[Path]:
    """Write a file of each format that needs an optional library, for those installed here; return their paths."""
    written, known = [], list_readable_suffixes()
    if ".parquet" in known and find_spec("pyarrow"):
        import pyarrow
        import pyarrow.parquet

        written.append(place / "people.parquet")
        table = pyarrow.table({"Age": [30, 31, 30], "City": ["Delft", "Ghent", "Bonn"]})
        pyarrow.parquet.write_table(table, written[-1])
    if ".sav" in known and find_spec("pyreadstat"):
        import pandas
        import pyreadstat

        written.append(place / "people.sav")
        people = pandas.DataFrame({"Age": [30.0, 31.0, 30.0], "City": ["Delft", "Ghent", "Bonn"]})
        pyreadstat.write_sav(people, str(written[-1]))
    return written


def without_network() -> list[str]:
    """Return the words to put before a command so that it runs without a network; none where that is impossible."""
    unshare = shutil.which("unshare")
    for option in ("-n", "-rn"):
        if unshare and not subprocess.run([unshare, option, "/bin/true"], capture_output=True, check=False).returncode:
            return [unshare, option]
    return []


if __name__ == "__main__":
    sys.exit(main())
