"""Write LICENSES.txt for the bundle: every package in it, with its licence in full.

    .venv/bin/python packaging/licences.py build/bundle/ppdm-desktop OUT

reads PyInstaller's account of what it packed, finds the package of every file, and takes the licence
texts from the packages themselves. A package without any word on its licence is an error. Libraries of
the system that were packed (Debian, Ubuntu) bring the copyright file of their package.
"""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path

HERE = Path(__file__).resolve().parent
TEXTS = HERE / "licence-texts"
_LICENCE = re.compile(r"(licen[cs]e|copying|notice|copyright|authors)", re.IGNORECASE)
_RULE = "=" * 100

HEAD = """\
PPDM Desktop is licensed under the Apache License 2.0 (file LICENSE).

This folder also holds the software listed here, each under its own licence. Qt and PySide6 are used under
the GNU Lesser General Public License, version 3: they lie as separate files under _internal/PySide6 and
_internal/shiboken6 and may be exchanged for other builds of the same version. Their source code is offered
by the Qt Company at https://download.qt.io/official_releases/QtForPython/ and
https://download.qt.io/official_releases/qt/ (versions below). Third-party code inside Qt is listed at
https://doc.qt.io/qt-6/licenses-used-in-qt.html. The fonts of the window and of documents are DejaVu Sans and DejaVu
Sans Mono under another name; their licence lies beside them in _internal/ppdm_desktop/resources/fonts.

"""


class LicenceError(Exception):
    """Raised when a packed part has no licence."""


def main() -> int:
    """Write the licences; return the exit code."""
    work, out = Path(sys.argv[1]), Path(sys.argv[2])
    entries = packed(work)
    try:
        found = packages(entries)
        parts = [HEAD, _python()]
        parts += [package_text(found[name]) for name in sorted(found, key=str.casefold)]
        parts += [system_text(package, files) for package, files in sorted(system_packages(entries, found).items())]
    except LicenceError as error:
        print(error, file=sys.stderr)
        return 1
    out.write_text("\n".join(parts), "utf-8", newline="\n")
    print(f"{out.name}: Python, {len(found)} packages, {len(parts) - len(found) - 2} libraries of the system")
    return 0


def packed(work: Path) -> list[tuple[str, str]]:
    """Return name in the bundle and source file of everything PyInstaller packed."""
    entries: list[tuple[str, str]] = []
    for name in ("PYZ-00.toc", "COLLECT-00.toc"):
        found = ast.literal_eval((work / name).read_text("utf-8"))
        entries += [(entry[0], entry[1]) for part in found if isinstance(part, list) for entry in part]
    return [(name, source) for name, source in entries if source]


def packages(entries: list[tuple[str, str]]) -> dict[str, metadata.Distribution]:
    """Return the installed packages to which packed files belong, by name."""
    owner: dict[str, metadata.Distribution] = {}
    for distribution in metadata.distributions():
        for file in distribution.files or ():
            owner[str(Path(str(distribution.locate_file(file))).resolve())] = distribution
    found = {}
    for _, source in entries:
        known = owner.get(str(Path(source).resolve()))
        if known is not None and known.metadata["Name"] not in ("ppdm-desktop", "pyinstaller"):
            found[known.metadata["Name"]] = known
    return found


def package_text(distribution: metadata.Distribution) -> str:
    """Return one package's section: name, version, licence, texts."""
    about = distribution.metadata
    stated = stated_licence(distribution)
    files = [
        Path(str(distribution.locate_file(file)))
        for file in distribution.files or ()
        if _LICENCE.search(file.name) and file.suffix not in (".py", ".pyc", ".pyi", ".so", ".h")
    ]
    texts = [path.read_text("utf-8", "replace").strip() for path in sorted(files) if path.is_file()]
    if "LGPL-3.0" in stated and not texts:
        texts = [(TEXTS / f"{name}.txt").read_text("utf-8").strip() for name in ("LGPL-3.0", "GPL-3.0")]
    if not stated and not texts:
        raise LicenceError(f"{about['Name']} {about['Version']} says nothing of its licence.")
    stated = (stated or "see below").strip().splitlines()[0]
    source = source_of(distribution)
    where = f"Source: {source}\n" if source else ""
    head = f"{_RULE}\n{about['Name']} {about['Version']}: {stated}\n{where}{_RULE}\n"
    return head + "\n\n".join(dict.fromkeys(texts)) + "\n"


def stated_licence(distribution: metadata.Distribution) -> str:
    """Return the licence that a package declares in its metadata; "" without one."""
    about = distribution.metadata
    classifiers = [each for each in about.get_all("Classifier") or () if each.startswith("License ::")]
    fields = [str(value) for key in ("License-Expression", "License") for value in about.get_all(key) or ()]
    return fields[0] if fields else "; ".join(classifiers)


def source_of(distribution: metadata.Distribution) -> str:
    """Return where a package says that its source code is; "" without that."""
    named: dict[str, str] = {}
    for entry in distribution.metadata.get_all("Project-URL") or ():
        label, _, address = str(entry).partition(",")
        named[label.strip().casefold()] = address.strip()
    for word in ("source", "repository", "code", "github", "homepage"):
        for label, address in named.items():
            if word in label:
                return address
    return "".join(map(str, (distribution.metadata.get_all("Home-page") or ())[:1]))


def _python() -> str:
    """Return the section of Python itself."""
    places = [Path(sys.base_prefix) / "LICENSE.txt", *Path(sys.base_prefix).glob("lib/python3*/LICENSE.txt")]
    places += Path("/usr/share/doc").glob(f"python{sys.version_info[0]}.{sys.version_info[1]}*/copyright")
    for place in places:
        if place.is_file():
            head = f"{_RULE}\nPython {sys.version.split()[0]}: PSF-2.0\n{_RULE}\n"
            return head + place.read_text("utf-8", "replace").strip() + "\n"
    raise LicenceError("The licence of Python was not found beside it.")


def system_packages(entries: list[tuple[str, str]], found: dict[str, metadata.Distribution]) -> dict[str, list[str]]:
    """Return the system packages whose libraries were packed, each with the files."""
    dpkg = shutil.which("dpkg")
    places: dict[str, str] = {}
    for name, source in entries:
        path = Path(source)
        if path.is_absolute() and str(path).startswith(("/lib", "/usr/lib")):
            # A library may be known under the path it has, or under the one without /usr.
            for place in (str(path), str(path.resolve()), str(path).removeprefix("/usr")):
                places[place] = Path(name).name
    if dpkg is None or not places:
        return {}
    # Asked for all at once: dpkg reads all its lists for each question.
    said = subprocess.run([dpkg, "-S", *places], capture_output=True, text=True, check=False).stdout
    owner = {place: package for package, _, place in (line.partition(": ") for line in said.splitlines())}
    wanted: dict[str, set[str]] = {}
    for place, file in places.items():
        if place in owner:
            wanted.setdefault(owner[place].split(":")[0].split(",")[0], set()).add(file)
    return {package: sorted(files) for package, files in wanted.items()}


def system_text(package: str, files: list[str]) -> str:
    """Return one system package's section."""
    place = Path("/usr/share/doc") / package / "copyright"
    if not place.is_file():
        raise LicenceError(f"The system's package {package} ({', '.join(files)}) has no copyright file.")
    # Debian keeps the source of every version it ever shipped.
    ask = ["dpkg-query", "-W", "-f", "${source:Package} ${source:Version}", package]
    source = subprocess.run(ask, capture_output=True, text=True, check=False).stdout.strip()
    head = f"{_RULE}\nsystem library {package}: {', '.join(sorted(set(files)))}\n"
    head += f"Source: Debian source package {source}, kept at https://snapshot.debian.org\n{_RULE}\n"
    return head + place.read_text("utf-8", "replace").strip() + "\n"


if __name__ == "__main__":
    sys.exit(main())
