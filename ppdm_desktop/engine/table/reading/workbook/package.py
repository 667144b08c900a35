"""Checking the ZIP package of a workbook before its content is trusted.

Sizes are counted while inflating, never taken from the directory; entries must not overlap; no XML part may declare a
document type, since this allows entity bombs.
"""

from __future__ import annotations

import io
import itertools
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from xml.parsers import expat

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.wording.values import Quoted

MOST_PARTS = 10_000
MOST_BYTES = 2 * 2**30
MOST_RATIO = 200
RATIO_FROM = 10 * 2**20
_PIECE = 256 * 2**10
_LOCAL = struct.Struct("<4s5H3I2H")
_DECLARATIONS = tuple(
    word.encode(code) for word in ("<!DOCTYPE", "<!ENTITY") for code in ("ascii", "utf-16-le", "utf-16-be")
)
_XML_ENDINGS = (".xml", ".rels", ".vml", ".rdf")

Start = Callable[[str, dict[str, str]], None]
End = Callable[[str], None]
Text = Callable[[str], None]


@dataclass(frozen=True)
class _Part:
    """Where a part is in the package, whether it is stored uncompressed, and the size that it declares."""

    name: str
    begin: int
    end: int
    stored: bool
    declared: int


class Package:
    """A workbook's parts by name.

    Raises
    ------
    InputError
        When the directory is broken, or names too many, overlapping or encrypted parts.
    """

    def __init__(self, data: bytes) -> None:
        """Locate all parts of a file; nothing is inflated yet.

        Raises InputError for a damaged directory, a password, too many parts, parts that overlap or share a name, and
        those that `_locate_entry` refuses.
        """
        self._data = data
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                entries = archive.infolist()
        except (zipfile.BadZipFile, ValueError, struct.error, NotImplementedError, EOFError) as error:
            raise InputError("error.read.broken-package", args={"part": Quoted("directory")}) from error
        if len(entries) > MOST_PARTS:
            raise InputError("error.read.too-many-parts", args={"parts": len(entries), "most": MOST_PARTS})
        spans = []
        self._parts: dict[str, _Part] = {}
        for entry in entries:
            if entry.flag_bits & 1:
                raise InputError("error.read.password")
            part = self._locate_entry(entry)
            spans.append((entry.header_offset, part.end, entry.filename))
            name = entry.filename.replace("\\", "/").lstrip("/").casefold()
            if name in self._parts:
                raise InputError("error.read.harmful-part", args={"part": Quoted(entry.filename)})
            self._parts[name] = part
        spans.sort()
        for before, after in itertools.pairwise(spans):
            if after[0] < before[1]:
                raise InputError("error.read.harmful-part", args={"part": Quoted(after[2])})

    def _locate_entry(self, entry: zipfile.ZipInfo) -> _Part:
        """Return where an entry's bytes are in the file, whether they are compressed, and their declared full size.

        Raises InputError when its local header is not valid, its bytes end beyond the file, or it is neither deflated
        nor stored uncompressed.
        """
        head = self._data[entry.header_offset : entry.header_offset + _LOCAL.size]
        if len(head) < _LOCAL.size or not head.startswith(b"PK\x03\x04"):
            raise InputError("error.read.broken-package", args={"part": Quoted(entry.filename)})
        *_, name_length, extra_length = _LOCAL.unpack(head)
        begin = entry.header_offset + _LOCAL.size + name_length + extra_length
        end = begin + entry.compress_size
        if end > len(self._data) or entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise InputError("error.read.broken-package", args={"part": Quoted(entry.filename)})
        stored = entry.compress_type == zipfile.ZIP_STORED
        return _Part(entry.filename, begin, end, stored, entry.file_size)

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the parts in small letters."""
        return tuple(self._parts)

    def __contains__(self, name: str) -> bool:
        """Return whether there is a part of this name."""
        return name.lstrip("/").casefold() in self._parts

    def size(self, name: str) -> int:
        """Return the declared size of a part in bytes; 0 where there is none."""
        part = self._parts.get(name.lstrip("/").casefold())
        return part.declared if part is not None else 0

    def pieces(self, name: str) -> Iterator[bytes]:
        """Yield the uncompressed bytes of a part of the package, piece by piece.

        The name may begin with a slash, and upper and lower case are the same. A part that is stored uncompressed is
        yielded as it is, unchecked.

        Raises
        ------
        InputError
            When there is no such part, or it is damaged, or it inflates to more or fewer bytes than it declares, to
            more than 2 GiB, or, beyond 10 MiB, to more than 200 times its compressed size; the pieces before have been
            yielded then.
        """
        part = self._parts.get(name.lstrip("/").casefold())
        if part is None:
            raise InputError("error.read.broken-package", args={"part": Quoted(name)})
        if part.stored:
            yield from (self._data[at : min(at + _PIECE, part.end)] for at in range(part.begin, part.end, _PIECE))
            return
        unpacker = zlib.decompressobj(-zlib.MAX_WBITS)
        made = 0
        at = part.begin
        rest = b""
        while not unpacker.eof and (rest or at < part.end):
            if not rest:
                rest = self._data[at : min(at + _PIECE, part.end)]
                at += len(rest)
            try:
                piece = unpacker.decompress(rest, _PIECE * 4)
            except zlib.error as error:
                raise InputError("error.read.broken-package", args={"part": Quoted(part.name)}) from error
            rest = unpacker.unconsumed_tail
            made += len(piece)
            used = max(at - part.begin - len(rest), 1)
            if made > part.declared or made > MOST_BYTES:
                raise InputError("error.read.harmful-part", args={"part": Quoted(part.name), "times": made // used})
            if made > RATIO_FROM and made > MOST_RATIO * used:
                raise InputError("error.read.harmful-part", args={"part": Quoted(part.name), "times": made // used})
            yield piece
        if not unpacker.eof or made != part.declared:
            raise InputError("error.read.broken-package", args={"part": Quoted(part.name)})

    def check(self) -> None:
        """Inflate every part once to check that all can be read.

        Raises InputError for a part that is damaged or inflates to a wrong size, for more than 2 GiB altogether, and
        for document type or entity declarations in XML parts.
        """
        total = 0
        for name, part in self._parts.items():
            is_xml = name.endswith(_XML_ENDINGS)
            tail = b""
            for piece in self.pieces(name):
                total += len(piece)
                if total > MOST_BYTES:
                    raise InputError(
                        "error.read.too-large-inside", args={"most": MOST_BYTES // 2**20, "part": Quoted(part.name)}
                    )
                if is_xml:
                    window = tail + piece
                    if b"!" in window and any(word in window for word in _DECLARATIONS):
                        raise InputError("error.read.harmful-part", args={"part": Quoted(part.name)})
                    tail = window[-20:]

    def parse(self, name: str, start: Start, end: End | None = None, text: Text | None = None) -> None:
        """Parse an XML part and call the given functions at each start and end of an element and for each text.

        ``start`` gets the element's name and its attributes, ``end`` its name, ``text`` a piece of text. Names of
        attributes come with prefixes. Names of elements come without if the root element has a prefix, else as they are
        written.

        Raises
        ------
        InputError
            When the part is missing or damaged, is not well-formed, or declares a document type or an entity.
        """
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.buffer_size = 64 * 2**10

        def root(tag: str, attributes: dict[str, str]) -> None:
            """Handle the root element, and choose all handlers by it: those that remove prefixes only if it has one."""
            # Most programs write no prefix, and then the names need no work.
            parser.StartElementHandler = local_start if ":" in tag else start
            if end is not None:
                parser.EndElementHandler = local_end if ":" in tag else end
            parser.StartElementHandler(tag, attributes)

        def local_start(tag: str, attributes: dict[str, str]) -> None:
            """Call the start handler with the name without its prefix."""
            start(tag.rpartition(":")[2], attributes)

        def local_end(tag: str) -> None:
            """Call the end handler with the name without its prefix."""
            if end is not None:
                end(tag.rpartition(":")[2])

        def refuse(*_: object) -> None:
            """Raise InputError for a document type declaration."""
            raise InputError("error.read.harmful-part", args={"part": Quoted(name)})

        parser.StartElementHandler = root
        if text is not None:
            parser.CharacterDataHandler = text
        parser.StartDoctypeDeclHandler = refuse
        parser.EntityDeclHandler = refuse
        try:
            for piece in self.pieces(name):
                parser.Parse(piece, False)
            parser.Parse(b"", True)
        except (expat.ExpatError, ValueError, LookupError) as error:
            raise InputError("error.read.broken-package", args={"part": Quoted(name)}) from error
