"""All readers and all formats that are refused, and which of them a file belongs to."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from ppdm_desktop.engine import plugins
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.table.reading.base import HEAD, READERS, Reader
from ppdm_desktop.engine.wording.values import Term


def all_readers() -> dict[str, Reader]:
    """Return every reader by its id, in the order in which lists show them."""
    return READERS.all()


def list_format_claims(head: bytes, named: Collection[str] = ()) -> list[tuple[int, Reader | Refusal]]:
    """Return how surely a file that begins with ``head`` is of each possible format, highest first.

    Each entry has the certainty, 1 to 100, and the reader, or the refusal of a format that is known and not read. Of
    equal ones a refusal comes first, and the reader of a plug-in last. ``named`` are the plug-ins whose readers may
    read the file.
    """
    readers, plugin_readers = [], []
    for reader in all_readers().values():
        plugin = plugins.of_reader(reader.id)
        if plugin is None:
            readers.append(reader)
        elif plugin.name in named:
            plugin_readers.append(reader)
    every: list[Reader | Refusal] = [*REFUSALS, *readers, *plugin_readers]
    claims = [(reader_or_refusal.claims(head), reader_or_refusal) for reader_or_refusal in every]
    return sorted((claim for claim in claims if claim[0]), key=lambda claim: claim[0], reverse=True)


def reader_of(data: bytes, named: Collection[str] = ()) -> Reader:
    """Return the reader for a file, by its first 4,096 bytes; that for delimited text if they show no other format.

    Parameters
    ----------
    data
        The whole file, or its beginning.
    named
        Names of plug-ins whose readers may read the file, too.

    Raises
    ------
    InputError
        When the file is empty, or of a format that is known and not read.
    """
    if not data:
        raise InputError("error.read.empty")
    _, claimant = list_format_claims(data[:HEAD], named)[0]
    if isinstance(claimant, Refusal):
        raise claimant.error()
    return claimant


def list_readable_suffixes() -> tuple[str, ...]:
    """Return the usual endings of the names of readable files, such as ``.csv``, in the order of lists."""
    return tuple(dict.fromkeys(suffix for reader in all_readers().values() for suffix in reader.suffixes))


def list_format_titles() -> tuple[str, ...]:
    """Return the display names of the formats that can be read, in the order of lists."""
    return tuple(reader.title for reader in all_readers().values())


_MARKED, _LOOKS_LIKE = 95, 80
_START = 512
_OLD_EXCEL = "error.read.old-excel"
_BLANK = b"\xef\xbb\xbf \t\r\n"


@dataclass(frozen=True)
class Refusal:
    """A known file format that is refused.

    Attributes
    ----------
    id
        Its short name.
    name
        Its name in the error message.
    marks
        A file of this format begins with one of these.
    pattern
        Or it begins with this, in small letters and without leading blanks and byte order mark.
    text
        Id of the error message.
    """

    id: str
    name: str
    marks: tuple[bytes, ...] = ()
    pattern: re.Pattern[bytes] | None = None
    text: str = "error.read.other-format"

    def claims(self, head: bytes) -> int:
        """Return how surely a file that begins with ``head`` is of this format.

        It is 95 for one with a mark of the format, 80 for one that matches its pattern, else 0.
        """
        if head.startswith(self.marks):
            return _MARKED
        start = head[:_START].lstrip(_BLANK).lower()
        return _LOOKS_LIKE if self.pattern is not None and self.pattern.match(start) else 0

    def error(self) -> InputError:
        """Return the error to raise for such a file."""
        return InputError(self.text, args={"format": Term(self.name)})


REFUSALS = (
    Refusal("pdf", "PDF", (b"%PDF",)),
    Refusal("sqlite", "SQLite", (b"SQLite format 3\0",)),
    Refusal("spss-locked", "SPSS", (b"\x1c\0\0\0\0\0\0\0ENCRYPTEDSAV",), text="error.read.password"),
    Refusal("parquet-locked", "Parquet", (b"PARE",), text="error.read.password"),
    Refusal("gzip", "gzip", (b"\x1f\x8b",)),
    Refusal("7-zip", "7-Zip", (b"7z\xbc\xaf\x27\x1c",)),
    Refusal("rar", "RAR", (b"Rar!",)),
    Refusal("bzip2", "bzip2", (b"BZh",)),
    Refusal("xz", "xz", (b"\xfd7zXZ\0",)),
    Refusal("zstandard", "Zstandard", (b"\x28\xb5\x2f\xfd",)),
    Refusal("png", "PNG", (b"\x89PNG",)),
    Refusal("jpeg", "JPEG", (b"\xff\xd8\xff",)),
    Refusal("gif", "GIF", (b"GIF8",)),
    Refusal("rtf", "RTF", (b"{\\rtf",)),
    Refusal("feather", "Feather", (b"ARROW1",)),
    Refusal("r", "R", (b"RDX",)),
    Refusal("elf", "program", (b"\x7fELF",)),
    Refusal("windows-shortcut", "Windows shortcut", (b"L\x00\x00\x00\x01\x14\x02\x00",)),
    Refusal("excel-2", "Excel 2", (b"\x09\x00\x04\x00",), text=_OLD_EXCEL),
    Refusal("excel-3", "Excel 3", (b"\x09\x02\x06\x00",), text=_OLD_EXCEL),
    Refusal("excel-4", "Excel 4", (b"\x09\x04\x06\x00",), text=_OLD_EXCEL),
    Refusal("html", "HTML", pattern=re.compile(rb"<(!doctype html|html|table|meta)")),
    Refusal("web-archive", "MHTML", pattern=re.compile(rb"mime-version:")),
    Refusal("json", "JSON", pattern=re.compile(rb"(\[\s*)?\{\s*(\"|\}|$)")),
    Refusal("xml", "XML", pattern=re.compile(rb"<\?xml")),
)
