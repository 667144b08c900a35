"""Append objects to a PDF that Qt wrote (an incremental update, ISO 32000-1, 7.5.6).

Existing bytes are not changed; an appended object replaces an earlier one with the same number.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_TRAILER = re.compile(rb"trailer\s*<<(.*?)>>\s*startxref\s*(\d+)", re.DOTALL)
_OBJECT = re.compile(rb"(?m)^(\d+) 0 obj\s*\n(.*?)\nendobj", re.DOTALL)


def objects_of(data: bytes) -> dict[int, bytes]:
    """Return the content of a PDF's objects by number, each in its latest version."""
    return {int(hit[1]): hit[2] for hit in _OBJECT.finditer(data)}


def trailer_of(data: bytes) -> tuple[bytes, int]:
    """Return the fields of the last trailer, and the byte offset of its cross-reference table.

    Raises
    ------
    ValueError
        When there is no trailer as Qt writes it.
    """
    trailer = _TRAILER.search(data, data.rfind(b"trailer"))
    if trailer is None:
        raise ValueError("no trailer")
    return trailer[1], int(trailer[2])


def number_after(text: bytes, name: bytes) -> int:
    """Return the whole number in the first "/name number" of a PDF's text.

    Raises
    ------
    ValueError
        When the name does not occur.
    """
    hit = re.search(rb"/" + name + rb" (\d+)", text)
    if hit is None:
        raise ValueError(f"no /{name.decode()}")
    return int(hit[1])


def continued(data: bytes, added: Mapping[int, bytes]) -> bytes:
    """Return a PDF with new or replaced objects appended, by number; unchanged without objects."""
    fields, before = trailer_of(data)
    if not added:
        return data
    out = bytearray(data if data.endswith(b"\n") else data + b"\n")
    table = bytearray(b"xref\n")
    for number in sorted(added):
        table += b"%d 1\n%010d 00000 n \n" % (number, len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, added[number])
    size = max(number_after(fields, b"Size"), max(added) + 1)
    kept = re.sub(rb"\s*/Prev \d+", b"", re.sub(rb"/Size \d+", b"/Size %d" % size, fields.strip()))
    table += b"trailer\n<<\n%s\n/Prev %d\n>>\nstartxref\n%d\n%%%%EOF\n" % (kept, before, len(out))
    return bytes(out + table)
