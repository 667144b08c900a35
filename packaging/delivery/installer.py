"""The installer for Windows: ``setup.exe``, made by ``makensis`` of ``nsis/setup.nsi`` and of what is written here.

It installs for one user, without rights of an administrator. Which files it puts down and removes is the list of the
bundle's own files, which types of files it names are those that the program reads, and its texts are the catalogue's.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from delivery.archive import entries
from delivery.version import PUBLISHER
from delivery.windows import COMMAND, NAME, OLDEST, PROJECT, WINDOW, packed_by, see_programs
from ppdm_desktop.cli.commands.self_test import LIST
from ppdm_desktop.engine.table.reading.registry import list_readable_suffixes
from ppdm_desktop.engine.wording.catalogue import _, list_languages, speak_language
from ppdm_desktop.ui.state.project import PROJECT_SUFFIX

TOOL = "makensis"
SCRIPT = Path(__file__).resolve().parent / "nsis" / "setup.nsi"
DRAWING = Path(__file__).resolve().parents[2] / "resources" / "icons" / "app.svg"
OF_NSIS = {"en": "English", "de": "German"}
"""What NSIS calls a language; it takes the one in which Windows speaks, and English where there is none."""


def write_setup(bundle: Path, file: Path, version: str, when: int) -> None:
    """Write a bundle as an installer.

    Parameters
    ----------
    bundle
        The folder that ``dev.py bundle`` made on Windows.
    file
        Where the installer is written.
    version
        The program's, as Windows lists it.
    when
        The time that stands in the installer, in seconds since 1970.

    Raises
    ------
    Stop
        Where ``makensis`` is not here or fails, or the bundle is none of Windows.
    """
    # Only now: drawing needs Qt, and nothing else of a delivery does.
    from delivery.icon import coloured, side_picture, windows_icon

    with tempfile.TemporaryDirectory(prefix="ppdm-setup-") as place:
        contents, icon, side = (Path(place) / name for name in ("contents.nsh", "setup.ico", "side.bmp"))
        # The mark at its start says that it is UTF-8.
        contents.write_text(contents_of(bundle, version), "utf-8-sig", newline="\n")
        drawing = coloured(DRAWING.read_text("utf-8"))
        icon.write_bytes(windows_icon(drawing))
        side.write_bytes(side_picture(drawing))
        given: dict[str, str | Path] = {
            **{"OUT": file.absolute(), "CONTENTS": contents, "ICON": icon, "SIDE": side, "BUNDLE": bundle.absolute()},
            **{"NAME": NAME, "COMMAND": COMMAND, "WINDOW": WINDOW, "PROJECT": PROJECT, "LIST": LIST},
        }
        words = ["-V2", "-NOCD", "-WX", "-INPUTCHARSET", "UTF8"]
        words += [*(f"-D{name}={value}" for name, value in given.items()), str(SCRIPT)]
        environment = {**os.environ, "SOURCE_DATE_EPOCH": str(when), "LC_ALL": "C.UTF-8"}
        packed_by(TOOL, words, environment, Path(place))


def contents_of(bundle: Path, version: str) -> str:
    """Return the part of the NSIS script that depends on the bundle: texts, version, size and files.

    Raises
    ------
    Stop
        Where a program is missing that the installer's entries lead to.
    """
    see_programs(bundle)
    size = sum(path.stat().st_size for _, path in entries(bundle) if path.is_file())
    defined = {
        "VERSION": version,
        "NUMBERS": _numbers(version),
        "PUBLISHER": PUBLISHER,
        "SIZE": str(size // 1024),
        "SUFFIX": PROJECT_SUFFIX,
        "OLDEST": str(OLDEST),
    }
    lines = [f"!define {name} {_quoted(text)}" for name, text in defined.items()]
    lines += [*_texts(), *_macro("PutFiles", _put(bundle)), *_macro("RemoveFiles", _remove(bundle))]
    key = "${CLASSES}\\Applications\\${WINDOW}\\SupportedTypes"
    types = (f'WriteRegStr HKCU "{key}" {_quoted(suffix)} ""' for suffix in (*list_readable_suffixes(), PROJECT_SUFFIX))
    return "\n".join([*lines, *_macro("SupportedTypes", types)]) + "\n"


def texts() -> dict[str, str]:
    """Return the installer's sentences in the current language, by the name that the script uses."""
    return {
        "Welcome": _(
            "This installs PPDM Desktop on this computer for you alone. It needs no administrator rights "
            "and changes none of your files."
        ),
        "ProjectFile": _("PPDM Desktop project"),
        "TooOld": _("This needs Windows 10 from version 1809, or Windows 11. Nothing was installed."),
        "AtWork": _("This setup is already running. Finish it first."),
        "IsRunning": _("PPDM Desktop is running. Close all its windows, then run this again."),
        "IsTaken": _("This folder holds other files. Choose an empty folder, or one that does not exist yet."),
        "NotWritten": _("Not all files could be written. Free some disk space, then run this again."),
        "NotRemoved": _("Not all files could be removed. Close what uses them, then run this again."),
    }


def _texts() -> Iterator[str]:
    """Yield script lines with the languages, then with the sentences in each."""
    spoken = [code for code in list_languages() if code in OF_NSIS]
    for code in spoken:
        yield f"!insertmacro MUI_LANGUAGE {OF_NSIS[code]}"
    for code in spoken:
        with speak_language(code):
            for name, text in texts().items():
                yield f"LangString {name} ${{LANG_{OF_NSIS[code].upper()}}} {_quoted(text)}"


def _put(bundle: Path) -> Iterator[str]:
    """Yield script lines that install each file, folder by folder."""
    folder = None
    for name in _files(bundle):
        parent = PurePosixPath(name).parent
        if parent != folder:
            folder = parent
            yield f"SetOutPath {_place(parent)}"
        # Where it is taken from is no text of the installer: nothing is escaped there.
        yield f'File "/oname={_escaped(PurePosixPath(name).name)}" "${{BUNDLE}}{os.sep}{name.replace("/", os.sep)}"'


def _remove(bundle: Path) -> Iterator[str]:
    """Yield script lines that remove each file, then each empty folder, innermost first."""
    names = [PurePosixPath(name) for name in _files(bundle)]
    for name in names:
        yield f"Delete {_place(name)}"
    folders = {folder for name in names for folder in name.parents}
    for folder in sorted(folders, key=lambda each: (-len(each.parts), each.as_posix())):
        yield f"RMDir {_place(folder)}"


def _files(bundle: Path) -> list[str]:
    """Return the paths of the files, sorted by folder."""
    names = [name for name, path in entries(bundle) if path.is_file()]
    return sorted(names, key=lambda name: (PurePosixPath(name).parent.as_posix(), name))


def _place(path: PurePosixPath) -> str:
    """Return a path below the installation folder as the script writes it."""
    return '"' + "\\".join(["$Place", *(_escaped(part) for part in path.parts)]) + '"'


def _macro(name: str, lines: Iterator[str]) -> list[str]:
    """Return a macro of the script as lines."""
    return [f"!macro {name}", *(f"  {line}" for line in lines), "!macroend"]


def _quoted(text: str) -> str:
    """Return a text in quotes as the script writes it."""
    return f'"{_escaped(text)}"'


def _escaped(text: str) -> str:
    """Return a text with the script's special characters escaped."""
    return text.replace("$", "$$").replace('"', '$\\"').replace("\n", "$\\n")


def _numbers(version: str) -> str:
    """Return a version as four numbers, as Windows compares it."""
    first = version.partition("+")[0].split(".")
    return ".".join(([part for part in first if part.isdigit()] + ["0"] * 4)[:4])
