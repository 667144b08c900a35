"""Make the program's fonts from DejaVu's: the same letters under a family name of their own.

    .venv/bin/python packaging/fonts.py FOLDER

FOLDER holds ``DejaVuSans.ttf``, ``DejaVuSans-Bold.ttf`` and ``DejaVuSansMono.ttf``, version 2.37. A system that has
DejaVu itself, perhaps in another version or without the bold face, would otherwise decide which letters are drawn.
Only the tables of names change; the licence allows that under another name and is kept beside the fonts.
"""

from __future__ import annotations

import struct
import sys
from pathlib import Path

OUT = Path(__file__).resolve().parent.parent / "resources" / "fonts"
FACES = {
    "DejaVuSans.ttf": "PpdmSans-Regular.ttf",
    "DejaVuSans-Bold.ttf": "PpdmSans-Bold.ttf",
    "DejaVuSansMono.ttf": "PpdmSansMono-Regular.ttf",
}
RENAMED = (("DejaVu", "PPDM"), ("DejaVuSans", "PpdmSans"))
"""In names that people read, and in the name of a file inside a PDF."""
_NAMES = frozenset({1, 3, 4, 6, 16})
"""Family, unique name, full name, PostScript's name and typographic family; copyright and licence stay."""
_POSTSCRIPT = 6
_MAGIC = 0xB1B0AFBA
_ENTRY = struct.Struct(">4sIII")
_RECORD = struct.Struct(">6H")


def renamed(font: bytes) -> bytes:
    """Return a TrueType font with other names; everything else is unchanged."""
    kind, count = font[:4], struct.unpack_from(">H", font, 4)[0]
    tables = {}
    for place in range(count):
        tag, _, start, length = _ENTRY.unpack_from(font, 12 + 16 * place)
        tables[tag] = font[start : start + length]
    tables[b"name"] = _names(tables[b"name"])
    tables[b"head"] = tables[b"head"][:8] + bytes(4) + tables[b"head"][12:]
    head, body = kind + font[4:12], b""
    start = 12 + 16 * count
    for tag, table in sorted(tables.items()):
        head += _ENTRY.pack(tag, _checksum(table), start + len(body), len(table))
        if tag == b"head":
            adjustment = start + len(body) + 8
        body += table + bytes(-len(table) % 4)
    whole = bytearray(head + body)
    struct.pack_into(">I", whole, adjustment, (_MAGIC - _checksum(bytes(whole))) % 2**32)
    return bytes(whole)


def _names(table: bytes) -> bytes:
    """Return the font's table of names with the new names."""
    _, count, texts = struct.unpack_from(">3H", table)
    records, store = b"", b""
    for place in range(count):
        platform, encoding, language, name, length, start = _RECORD.unpack_from(table, 6 + 12 * place)
        text = table[texts + start : texts + start + length]
        if name in _NAMES:
            coding = "mac_roman" if platform == 1 else "utf-16-be"
            text = text.decode(coding).replace(*RENAMED[name == _POSTSCRIPT]).encode(coding)
        records += _RECORD.pack(platform, encoding, language, name, len(text), len(store))
        store += text
    return struct.pack(">3H", 0, count, 6 + len(records)) + records + store


def _checksum(data: bytes) -> int:
    """Return the checksum of a font table."""
    padded = data + bytes(-len(data) % 4)
    return int(sum(struct.unpack(f">{len(padded) // 4}I", padded)) % 2**32)


def main() -> int:
    """Write the renamed fonts."""
    source = Path(sys.argv[1])
    for name, ours in FACES.items():
        (OUT / ours).write_bytes(renamed((source / name).read_bytes()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
