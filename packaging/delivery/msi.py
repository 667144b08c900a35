"""The installer for all users of a computer with Windows: an ``.msi``, made by ``wixl`` of msitools.

It needs an administrator, and is what a department rolls out: silent by ``msiexec /i FILE /qn``, removed by
``msiexec /x FILE /qn``. Which files it puts down is the bundle's own list; Windows keeps account of what it installed
and takes that away again, folders where they are empty.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from xml.etree.ElementTree import Element, ElementTree, SubElement, indent

from delivery.archive import entries
from delivery.installer import DRAWING, texts
from delivery.problems import Stop
from delivery.version import PUBLISHER
from delivery.windows import NAME, OLDEST, PROJECT, WINDOW, packed_by, see_programs
from ppdm_desktop.engine.table.reading.registry import list_readable_suffixes
from ppdm_desktop.engine.wording.catalogue import SOURCE, speak_language
from ppdm_desktop.ui.state.project import PROJECT_SUFFIX

TOOL = "wixl"
_SPACE = uuid.UUID("0b0d4c39-6a53-5a0e-8d5b-6d3c6d4f2a11")
_UPGRADE = "{9C1B6C5E-3F0C-5B07-9C34-5D1C2A7E0F42}"
"""By this Windows knows that another version is the same program. It never changes."""
_UUID = re.compile(rb"\{[0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12}\}")
_TIME = b"\x40\x00\x00\x00"
"""Says in the properties of the file that a time follows: steps of 100 ns since 1601."""
_SINCE_1601 = 11_644_473_600
"""Seconds from there to 1970."""


def write_msi(bundle: Path, file: Path, version: str, when: int) -> None:
    """Write a bundle as an ``.msi`` installer.

    Parameters
    ----------
    bundle
        The folder that ``dev.py bundle`` made on Windows.
    file
        Where the installer is written.
    version
        The program's; Windows shows its first three numbers. Whatever version is installed gives way.
    when
        The time of every file in it, in seconds since 1970.

    Raises
    ------
    Stop
        Where ``wixl`` is not here or fails, or the bundle is none of Windows.
    """
    # Only now: drawing needs Qt, and nothing else of a delivery does.
    from delivery.icon import coloured, windows_icon

    see_programs(bundle)
    with tempfile.TemporaryDirectory(prefix="ppdm-msi-") as name:
        place = Path(name)
        # The times of the files stand in the archive that it holds.
        shutil.copytree(bundle, place / "program")
        for _, path in entries(place / "program"):
            os.utime(path, (when, when))
        (place / "program.ico").write_bytes(windows_icon(coloured(DRAWING.read_text("utf-8"))))
        source = place / "program.wxs"
        description(place / "program", version).write(source, "utf-8", xml_declaration=True)
        words = ["--arch", "x64", "--output", str(file.absolute()), str(source)]
        environment = {**os.environ, "TZ": "UTC", "LC_ALL": "C.UTF-8"}
        packed_by(TOOL, words, environment, place)
    file.write_bytes(settled(file.read_bytes(), _id("package", version), when))


def description(bundle: Path, version: str) -> ElementTree[Element]:
    """Return the XML that ``wixl`` reads: files, menu entry, file types and conditions."""
    numbers = [int(part) for part in version.partition("+")[0].split(".")][:3]
    with speak_language(SOURCE):
        said = texts()
    wix = Element("Wix", xmlns="http://schemas.microsoft.com/wix/2006/wi")
    about = {"Name": NAME, "Version": ".".join(map(str, numbers)), "Manufacturer": PUBLISHER, "Language": "1033"}
    product = _add(wix, "Product", Id=_id("product", version), UpgradeCode=_UPGRADE, **about)
    shown = {"InstallerVersion": "500", "Compressed": "yes", "InstallScope": "perMachine"}
    _add(product, "Package", Description=f"{NAME} {version}", **shown)
    _add(product, "Media", Id="1", Cabinet="program.cab", EmbedCab="yes")
    _add(product, "Icon", Id="program.ico", SourceFile="program.ico")
    for name, text in {"ARPPRODUCTICON": "program.ico", "ARPNOMODIFY": "1", "ARPNOREPAIR": "1"}.items():
        _add(product, "Property", Id=name, Value=text)
    # What Windows tells an installer of its own version stops at 8.1.
    build = _add(product, "Property", Id="BUILDOFWINDOWS")
    where = {"Root": "HKLM", "Key": r"SOFTWARE\Microsoft\Windows NT\CurrentVersion", "Name": "CurrentBuildNumber"}
    _add(build, "RegistrySearch", Id="BuildOfWindows", Type="raw", Win64="yes", **where)
    _add(product, "Condition", Message=said["TooOld"]).text = f"Installed OR BUILDOFWINDOWS >= {OLDEST}"
    # What is there is taken away first, newer or older: files of the same version would not be replaced.
    upgrade = _add(product, "Upgrade", Id=_UPGRADE)
    _add(upgrade, "UpgradeVersion", Property="EARLIER", Minimum="0.0.0", IncludeMinimum="yes")
    _add(_add(product, "InstallExecuteSequence"), "RemoveExistingProducts", After="InstallInitialize")
    root = _add(product, "Directory", Id="TARGETDIR", Name="SourceDir")
    programs = _add(root, "Directory", Id="ProgramFiles64Folder")
    components = [*_files(_add(programs, "Directory", Id="INSTALLDIR", Name=NAME), bundle)]
    menu = _add(root, "Directory", Id="ProgramMenuFolder")
    components.append(_shown_by_windows(menu, said["ProjectFile"]))
    feature = _add(product, "Feature", Id="Program", Level="1")
    for name in components:
        _add(feature, "ComponentRef", Id=name)
    indent(wix)
    return ElementTree(wix)


def _files(top: Element, bundle: Path) -> Iterator[str]:
    """Add each file to its folder in the XML; yield the id of its component."""
    folders = {PurePosixPath("."): top}
    for number, (name, path) in enumerate(entries(bundle)):
        inside = PurePosixPath(name)
        within = folders[inside.parent]
        if path.is_dir():
            folders[inside] = _add(within, "Directory", Id=f"d{number}", Name=_text(inside.name))
            continue
        component = _add(within, "Component", Id=f"c{number}", Guid=_id("file", name), Win64="yes")
        named = {"Name": _text(inside.name), "Source": _text(f"program/{name}")}
        _add(component, "File", Id=f"f{number}", KeyPath="yes", **named)
        yield f"c{number}"


def _shown_by_windows(menu: Element, project: str) -> str:
    """Add the menu entry and the file types to the XML; return the component's id."""
    component = _add(menu, "Component", Id="shown", Guid=_id("shown", ""), Win64="yes")
    program = f"[INSTALLDIR]{WINDOW}"
    _add(component, "Shortcut", Id="menu", Name=NAME, Target=program, WorkingDirectory="PersonalFolder")
    classes, application = r"Software\Classes", rf"Software\Classes\Applications\{WINDOW}"
    values = [
        (rf"{classes}\{PROJECT}", "", project),
        (rf"{classes}\{PROJECT}\DefaultIcon", "", f'"{program}",0'),
        (rf"{classes}\{PROJECT}\shell\open\command", "", f'"{program}" "%1"'),
        (rf"{classes}\{PROJECT_SUFFIX}\OpenWithProgids", PROJECT, ""),
        (application, "FriendlyAppName", NAME),
        (rf"{application}\shell\open\command", "", f'"{program}" "%1"'),
        # Named in the program's own key alone, so that "Open with" offers it and nothing is taken over.
        *((rf"{application}\SupportedTypes", suffix, "") for suffix in (*list_readable_suffixes(), PROJECT_SUFFIX)),
    ]
    for number, (key, name, text) in enumerate(values):
        named = {"Name": name} if name else {}
        first = {"KeyPath": "yes"} if number == 0 else {}
        _add(component, "RegistryValue", Root="HKLM", Key=key, Type="string", Value=text, **named, **first)
    return "shown"


def _add(within: Element, kind: str, **attributes: str) -> Element:
    """Return an element added below another one."""
    return SubElement(within, kind, attributes)


def _text(name: str) -> str:
    """Return a name with its dollar signs escaped."""
    return name.replace("$", "$$")


def settled(data: bytes, package: str, when: int) -> bytes:
    """Return an installer with a fixed identity and time instead of the random ones that ``wixl`` wrote.

    Raises
    ------
    Stop
        Where its properties are not found as expected.
    """
    found = [match for match in _UUID.finditer(data) if data.find(_TIME, match.end(), match.end() + 64) >= 0]
    if len(found) != 1:
        raise Stop(f"The properties of the installer were found {len(found)} times.")
    place = found[0]
    ticks = (when + _SINCE_1601) * 10_000_000
    head, tail = data[: place.start()] + package.encode(), data[place.end() :]
    times = [match.start() for match in re.finditer(re.escape(_TIME), tail[:64])]
    if len(times) != 2:
        raise Stop(f"The properties of the installer hold {len(times)} times, and there have to be two.")
    for start in times:
        tail = tail[: start + 4] + ticks.to_bytes(8, "little") + tail[start + 12 :]
    return head + tail


def _id(*what: str) -> str:
    """Return a UUID that is the same on every run."""
    return f"{{{str(uuid.uuid5(_SPACE, '/'.join(what))).upper()}}}"
