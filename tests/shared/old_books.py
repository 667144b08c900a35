"""Workbooks of Excel 97 and binary ones of Excel 2007, made record by record with the cells that a test wants."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from table_workbooks import PACKAGE, binary_record, packed, relation, wide


class Err(NamedTuple):
    """An error, by its number in the file."""

    code: int


class Styled(NamedTuple):
    """A number with its format: a number of Excel's own list, or a code."""

    value: float
    format: int | str


Value = str | float | bool | Err | Styled | None
Rows = Sequence[Sequence[Value]]
FIRST_OWN = 164


@dataclass
class Book:
    """What a workbook holds.

    Attributes
    ----------
    states
        0 for a sheet that is seen, 1 hidden, 2 very hidden; 0 where it says nothing.
    formats
        Codes under numbers of Excel's own list, which they then stand for.
    """

    sheets: Mapping[str, Rows]
    states: Mapping[str, int] = field(default_factory=dict)
    from_1904: bool = False
    formats: Mapping[int, str] = field(default_factory=dict)

    def numbers(self) -> dict[int | str, int]:
        """Return the number of each format that is used; the place in it, after the plain one, is its cell style."""
        found: dict[int | str, int] = {}
        for rows in self.sheets.values():
            for value in (value for row in rows for value in row if isinstance(value, Styled)):
                if isinstance(value.format, int):
                    found.setdefault(value.format, value.format)
                else:
                    codes = sum(isinstance(each, str) for each in found)
                    found.setdefault(value.format, FIRST_OWN + codes)
        return found

    def codes(self) -> dict[int, str]:
        """Return the code of each format of its own, by number."""
        own = {number: code for code, number in self.numbers().items() if isinstance(code, str)}
        return {**self.formats, **own}

    def style(self, value: Value) -> int:
        """Return the place of a cell's style."""
        return list(self.numbers()).index(value.format) + 1 if isinstance(value, Styled) else 0


# --- XLS --------------------------------------------------------------------------------


def _biff(number: int, *content: bytes) -> bytes:
    whole = b"".join(content)
    return struct.pack("<HH", number, len(whole)) + whole


def _begin(kind: int) -> bytes:
    return _biff(0x0809, struct.pack("<HHHHII", 0x0600, kind, 0x0DBB, 0x07CC, 0, 6))


def _text(text: str, length: str = "<H") -> bytes:
    return struct.pack(length, len(text)) + b"\x01" + text.encode("utf-16-le")


def _style(format: int, is_cell: bool) -> bytes:
    kind = 1 if is_cell else 0xFFF5
    return _biff(0x00E0, struct.pack("<HHHBBBBIIH", 0, format, kind, 0x20, 0, 0, 0, 0, 0, 0x20C0))


def _cell(row: int, column: int, style: int, value: Value) -> bytes:
    place = struct.pack("<HHH", row, column, style)
    if isinstance(value, Styled):
        value = value.value
    if isinstance(value, Err):
        return _biff(0x0205, place, bytes([value.code, 1]))
    if isinstance(value, bool):
        return _biff(0x0205, place, bytes([value, 0]))
    if isinstance(value, str):
        return _biff(0x0204, place, _text(value))
    assert value is not None
    return _biff(0x0203, place, struct.pack("<d", value))


def xls(book: Book, *, locked: bool = False) -> bytes:
    """Return a workbook of Excel 97; a locked one says so and is not encrypted."""
    # Fifteen styles of no cell come first, as Excel has it; then the plain one, then those of the book.
    head = [_biff(0x0042, struct.pack("<H", 1200)), _biff(0x0022, struct.pack("<H", book.from_1904))]
    if locked:
        head.insert(0, _biff(0x002F, struct.pack("<HHH", 1, 1, 1), bytes(48)))
    font = struct.pack("<HHHHHBBBB", 200, 0, 0x7FFF, 400, 0, 0, 0, 0, 0) + _text("Arial", "<B")
    head += [_biff(0x0031, font)] * 4
    head += [_biff(0x041E, struct.pack("<H", number), _text(code)) for number, code in book.codes().items()]
    head += [_style(0, False)] * 15 + [_style(0, True)]
    head += [_style(number, True) for number in book.numbers().values()]
    sheets = [_xls_sheet(book, rows) for rows in book.sheets.values()]
    names = [_text(name, "<B") for name in book.sheets]
    begin = _begin(5) + b"".join(head)
    at = len(begin) + sum(4 + 6 + len(name) for name in names) + 4
    listed = b""
    for (name, sheet), text in zip(zip(book.sheets, sheets), names):
        listed += _biff(0x0085, struct.pack("<IBB", at, book.states.get(name, 0), 0), text)
        at += len(sheet)
    return compound(begin + listed + _biff(0x000A) + b"".join(sheets))


def _xls_sheet(book: Book, rows: Rows) -> bytes:
    width = max((len(row) for row in rows), default=0)
    parts = [_begin(0x10), _biff(0x0200, struct.pack("<IIHHH", 0, len(rows), 0, width, 0))]
    for number, row in enumerate(rows):
        parts += [
            _cell(number, place, 15 + book.style(value), value) for place, value in enumerate(row) if value is not None
        ]
    return b"".join([*parts, _biff(0x000A)])


def compound(stream: bytes, name: str = "Workbook") -> bytes:
    """Return a compound file that holds one stream."""
    sector, end, free = 512, 0xFFFFFFFE, 0xFFFFFFFF
    stream = stream.ljust(max(4096, -(-len(stream) // sector) * sector), b"\0")
    sectors = len(stream) // sector
    tables = 1
    while tables * 128 < tables + 1 + sectors:
        tables += 1
    chain = [0xFFFFFFFD] * tables + [end] + [tables + 2 + place for place in range(sectors - 1)] + [end]
    chain += [free] * (tables * 128 - len(chain))
    head = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16) + struct.pack("<HHHHH6x", 0x3E, 3, 0xFFFE, 9, 6)
    head += struct.pack("<IIIIIIIII", 0, tables, tables, 0, 4096, end, 0, end, 0)
    head += struct.pack("<109I", *range(tables), *[free] * (109 - tables))
    entries = b""
    for title, kind, child, start, size in (("Root Entry", 5, 1, end, 0), (name, 2, free, tables + 1, len(stream))):
        label = (title + "\0").encode("utf-16-le")
        entries += label.ljust(64, b"\0") + struct.pack("<HBBIII", len(label), kind, 1, free, free, child)
        entries += bytes(36) + struct.pack("<IQ", start, size)
    for _ in range(2):
        entries += bytes(64) + struct.pack("<HBBIII", 0, 0, 0, free, free, free) + bytes(36) + struct.pack("<IQ", 0, 0)
    return head + struct.pack(f"<{len(chain)}I", *chain) + entries + stream


# --- XLSB -------------------------------------------------------------------------------


def xlsb(book: Book) -> bytes:
    """Return a binary workbook of Excel 2007; its texts are shared, as Excel writes them."""
    texts: dict[str, int] = {}
    parts: dict[str, str | bytes] = {}
    listed, related = [], ""
    for number, (name, rows) in enumerate(book.sheets.items(), start=1):
        state = book.states.get(name, 0)
        listed.append((156, struct.pack("<II", state, number) + wide(f"rId{number}") + wide(name)))
        related += relation(f"rId{number}", "worksheet", f"worksheets/sheet{number}.bin")
        parts[f"xl/worksheets/sheet{number}.bin"] = _xlsb_sheet(book, rows, texts)
    parts["xl/workbook.bin"] = _part(
        (131, b""), (153, struct.pack("<III", book.from_1904, 0, 0)), (143, b""), *listed, (144, b""), (132, b"")
    )
    parts["xl/_rels/workbook.bin.rels"] = f'<Relationships xmlns="{PACKAGE}">{related}</Relationships>'
    strings = [(19, b"\0" + wide(text)) for text in texts]
    parts["xl/sharedStrings.bin"] = _part((159, struct.pack("<II", len(texts), len(texts))), *strings, (160, b""))
    codes = [(44, struct.pack("<H", number) + wide(code)) for number, code in book.codes().items()]
    styles = [(47, struct.pack("<HH", 0, number) + bytes(12)) for number in (0, *book.numbers().values())]
    parts["xl/styles.bin"] = _part(
        (278, b""), (615, struct.pack("<I", len(codes))), *codes, (616, b""),
        # A style of no cell shows dates: it must not count.
        (626, struct.pack("<I", 1)), (47, struct.pack("<HH", 0xFFFF, 14) + bytes(12)), (627, b""),
        (617, struct.pack("<I", len(styles))), *styles, (618, b""), (279, b""),
    )  # fmt: skip
    return packed(parts)


def _part(*records: tuple[int, bytes]) -> bytes:
    return b"".join(binary_record(*each) for each in records)


def _xlsb_sheet(book: Book, rows: Rows, texts: dict[str, int]) -> bytes:
    width = max((len(row) for row in rows), default=1)
    inside: list[tuple[int, bytes]] = []
    for number, row in enumerate(rows):
        inside.append((0, struct.pack("<I", number) + bytes(21)))
        for place, value in enumerate(row):
            head = struct.pack("<II", place, book.style(value))
            if isinstance(value, Styled):
                value = value.value
            if isinstance(value, Err):
                inside.append((3, head + bytes([value.code])))
            elif isinstance(value, bool):
                inside.append((4, head + bytes([value])))
            elif isinstance(value, str):
                inside.append((7, head + struct.pack("<I", texts.setdefault(value, len(texts)))))
            elif value is not None:
                inside.append((5, head + struct.pack("<d", value)))
    size = struct.pack("<IIII", 0, max(len(rows) - 1, 0), 0, max(width - 1, 0))
    return _part((129, b""), (148, size), (145, b""), *inside, (146, b""), (130, b""))
