"""What Windows shows of a program: its name and version among the properties of the file."""

from __future__ import annotations

PROGRAMS = {
    "ppdm-desktop": "PPDM Desktop, command line",
    "ppdm-desktop-window": "PPDM Desktop",
}
"""The programs of the folder, and what each is called where Windows lists what runs."""
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
        "ProductName": "PPDM Desktop",
        "ProductVersion": version,
    }
    rows = ", ".join(f"StringStruct({key!r}, {text!r})" for key, text in texts.items())
    place = f"{_BRITISH:04X}{_UNICODE:04X}"
    return (
        f"VSVersionInfo(ffi=FixedFileInfo(filevers={tuple(numbers)}, prodvers={tuple(numbers)}, mask=0x3F, flags=0, "
        f"OS=0x40004, fileType=1, subtype=0, date=(0, 0)), kids=[StringFileInfo([StringTable({place!r}, [{rows}])]), "
        f"VarFileInfo([VarStruct('Translation', [{_BRITISH}, {_UNICODE}])])])\n"
    )
