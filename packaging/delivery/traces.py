"""Find traces of the machine and folder of a build in the files of a bundle, and inside its archives."""

from __future__ import annotations

import io
import re
import sys
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

_SYSTEM = ("/", "/usr", "/usr/local", "/opt")
"""Prefixes that say nothing of a machine: the same on many."""
_VERSION = re.compile(rb"(?<=[/\\])[0-9]+(\.[0-9]+)+$")


def traces_of_here(root: Path) -> list[bytes]:
    """Return the paths that no delivered file may contain.

    The checkout, its .venv, the Python behind it, the home folder.
    """
    places = {str(root), sys.prefix, sys.base_prefix, str(Path(sys.base_prefix).resolve()), str(Path.home())}
    # A home like "/root" stands in the paths of others, too: only one of two folders or more is a person's.
    telling = [each for each in places if each not in _SYSTEM and each.count("/") + each.count("\\") >= 2]
    return sorted(each.encode() for each in telling)


def neutral(data: bytes, traces: Sequence[bytes]) -> bytes:
    """Return data with each of these paths replaced by ``/usr/local``, filled up to the same length.

    A version at its end stays. Linkers let a text share the place of one that ends alike: ``3.11.7``, by which Python
    says its version, may be nothing but the end of ``/opt/ann/versions/3.11.7``.
    """
    for each in traces:
        version = _VERSION.search(each)
        end = version[0] if version else b""
        room = len(each) - len(end)
        data = data.replace(each, b"/usr/local".ljust(room, b"/")[:room] + end)
    return data


def find_traces(folder: Path, wanted: Sequence[bytes]) -> list[str]:
    """Return every place where one of the byte strings occurs in a folder: file, part of it, and the string."""
    found = []
    for path in sorted(folder.rglob("*")):
        if path.is_symlink() or not path.is_file():
            continue
        for part, data in _parts(path):
            found += [
                f"{path.relative_to(folder).as_posix()}{part}: {each.decode()}" for each in wanted if each in data
            ]
    return found


def _parts(path: Path) -> Iterator[tuple[str, bytes]]:
    """Yield a file's name and bytes, and those of the files inside it if it is a compressed archive."""
    data = path.read_bytes()
    yield "", data
    if data[:4] == b"PK\x03\x04" and zipfile.is_zipfile(io.BytesIO(data)):
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            for name in packed.namelist():
                yield f"!{name}", packed.read(name)
    if b"MEI\014\013\012\013\016" in data[-8192:]:
        yield from _frozen(path)


def _frozen(path: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the scripts and compiled modules that PyInstaller packed into a program."""
    from PyInstaller.archive.readers import CArchiveReader

    outer = CArchiveReader(str(path))
    for name, (*_, kind) in outer.toc.items():
        if kind == "z":
            inner = outer.open_embedded_archive(name)
            for module in inner.toc:
                yield f"!{module}", inner.extract(module, raw=True) or b""
        elif kind not in ("o", "d"):
            yield f"!{name}", outer.extract(name)
