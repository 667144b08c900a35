"""A booklet as PDF: chapters that start on a new page, pictures, table of contents and bookmarks.

Qt compresses pictures as photographs, which blurs letters and takes three times the space. So a placeholder of a unique
size is drawn for each picture, and replaced by the picture in the file that Qt wrote. What Qt does not write is
appended to its file (an incremental update, ISO 32000-1, 7.5.6): existing bytes are not changed; an appended object
replaces an earlier one with the same number.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QObject, QRect, QRectF, QSizeF
from PySide6.QtGui import QImage, QPainter, QPyTextObject, QTextDocument, QTextFormat

from ppdm_desktop.ui.pdf.html import PaperPage, paper_page
from ppdm_desktop.ui.pdf.letters import font_family, replace_missing_letters
from ppdm_desktop.ui.pdf.pages import Laid, Slice, split_into_pages
from ppdm_desktop.ui.pdf.writer import FOOT, HEIGHT, MARGIN, PER_INCH, WIDTH, lay_out_sections, paint_pdf

Bytes = npt.NDArray[np.uint8]
PICTURE = "picture:"
COLOURS = 256
_LEAST = 3  # px of the narrowest stand-in: no other image in a document is so low and so narrow
_POINTS = 72.0 / PER_INCH
_SHRINK = 0.9
"""Scale of a booklet relative to other documents: letters of 8.1 points."""
_TRAILER = re.compile(rb"trailer\s*<<(.*?)>>\s*startxref\s*(\d+)", re.DOTALL)
_OBJECT = re.compile(rb"(?m)^(\d+) 0 obj\s*\n(.*?)\nendobj", re.DOTALL)


@dataclass(frozen=True)
class Chapter:
    """A chapter of a booklet.

    Attributes
    ----------
    title
        Its heading, which the body does not repeat.
    body
        HTML; each ``h2`` and ``h3`` becomes a bookmark, and ``<img src="picture:NAME" width="60">`` a picture of
        60 per cent of the width.
    """

    title: str
    body: str


@dataclass(frozen=True)
class _Set:
    """A chapter after layout: its parts, and the slice of them on each page."""

    parts: Sequence[Laid]
    pages: Sequence[Slice]


def write_booklet(
    title: str,
    under: str,
    contents: str,
    language: str,
    chapters: Sequence[Chapter],
    pictures: Mapping[str, QImage],
) -> bytes:
    """Return a booklet as a PDF file.

    Parameters
    ----------
    title, under
        Title and subtitle on the first page.
    contents
        Heading of the table of contents.
    language
        Language code of the text.
    chapters
        Chapters in order.
    pictures
        Pictures by the names that the chapters use.

    Raises
    ------
    ValueError
        When the contents are longer than a page, or a picture is used in no chapter.
    """
    stood = dict(zip(pictures, pictures_of(pictures.values()), strict=True))
    made = [_lay_out_chapter(f"<h1>{escape(chapter.title)}</h1>{chapter.body}", stood) for chapter in chapters]
    starts, page = [], 2
    for part in made:
        starts.append(page)
        page += len(part.pages)
    lines = "".join(
        f'<tr><td>{escape(chapter.title)}</td><td class="number">{start}</td></tr>'
        for chapter, start in zip(chapters, starts, strict=True)
    )
    front = (
        f"<h1>{escape(title)}</h1><p>{escape(under)}</p><h2>{escape(contents)}</h2>"
        f'<table class="contents">{lines}</table>'
    )
    first = _lay_out_chapter(front, stood)
    if len(first.pages) != 1:
        raise ValueError("the contents take more than one page")
    sets = [first, *made]
    marks = [Bookmark(0, title, 0, 0.0)]
    for number, (chapter, part) in enumerate(zip(chapters, made, strict=True)):
        marks += _bookmarks(chapter.title, part, starts[number] - 1)
    sheets = [(chapter_set.parts, page) for chapter_set in sets for page in chapter_set.pages]
    paper = PaperPage(title=title, language=language)
    drawn = with_pictures(paint_pdf(paper, sheets, _SHRINK, f"{title} {language}"), stood.values())
    return with_bookmarks(drawn, marks, language)


def _lay_out_chapter(html: str, pictures: Mapping[str, Picture]) -> _Set:
    """Return the layout of a chapter, and which part of it stands on each page."""
    width = (WIDTH - 2 * MARGIN) / _SHRINK
    parts = lay_out_sections(
        paper_page(replace_missing_letters(html)), font_family() or "", width, partial(Pictures, pictures)
    )
    return _Set(parts, split_into_pages(parts, (HEIGHT - 2 * MARGIN - FOOT) / _SHRINK))


def _bookmarks(title: str, chapter: _Set, first: int) -> list[Bookmark]:
    """Return the bookmarks of a chapter and of its headings; ``first`` is the index of its first page."""
    bookmarks = [Bookmark(0, title, first, 0.0)]
    for part in chapter.parts:
        block = part.document.begin()
        while block.isValid():
            level = block.blockFormat().headingLevel()
            if level in (2, 3):
                top = part.top + part.document.documentLayout().blockBoundingRect(block).top()
                index = next(
                    n for n, page in enumerate(chapter.pages) if top < page.bottom or page is chapter.pages[-1]
                )
                slice_shown = chapter.pages[index]
                head = slice_shown.head[1] - slice_shown.head[0] if slice_shown.head else 0.0
                down = (MARGIN + _SHRINK * (head + max(top - slice_shown.top, 0.0))) * _POINTS
                # Without a heading above it a small one stands right below the chapter.
                deep = min(level - 1, bookmarks[-1].level + 1)
                bookmarks.append(Bookmark(deep, block.text().replace("\u200b", ""), first + index, down))
            block = block.next()
    return bookmarks


@dataclass(frozen=True)
class Bookmark:
    """A bookmark of a PDF.

    Attributes
    ----------
    level
        0 for the top level; at most one more than the bookmark before.
    title
        Its text.
    page
        Index of the page, from 0.
    down
        Distance from the top edge of the page in points.
    """

    level: int
    title: str
    page: int
    down: float


def with_bookmarks(data: bytes, marks: Sequence[Bookmark], language: str) -> bytes:
    """Return a PDF written by Qt with its language, and with bookmarks that a reader shows at once.

    Raises
    ------
    ValueError
        When the file is not structured as Qt's files are.
    """
    fields, _ = trailer_of(data)
    root, size = number_after(fields, b"Root"), number_after(fields, b"Size")
    objects = objects_of(data)
    catalog = objects[root]
    pages = _pages(objects, number_after(catalog, b"Pages"))
    added = _outline(marks, pages, _height(objects, pages[0]), size)
    ends = b"\n/Outlines %d 0 R\n/PageMode /UseOutlines\n/Lang (%s)\n/ViewerPreferences << /DisplayDocTitle true >>\n>>"
    added[root] = catalog.rstrip().removesuffix(b">>") + ends % (size, language.encode("ascii"))
    return continued(data, added)


def _pages(objects: dict[int, bytes], node: int) -> list[int]:
    """Return the object numbers of the pages in their order; ``node`` is the root of the page tree."""
    body = objects[node]
    kids = re.search(rb"/Kids\s*\[(.*?)\]", body, re.DOTALL)
    if kids is None:
        return [node]
    return [page for kid in re.findall(rb"(\d+) 0 R", kids[1]) for page in _pages(objects, int(kid))]


def _height(objects: dict[int, bytes], page: int) -> float:
    """Return the height of a page in points."""
    box = re.search(rb"/MediaBox \[0(?:\.0+)? 0(?:\.0+)? [\d.]+ ([\d.]+)\]", objects[page])
    if box is None:
        raise ValueError("no size of page")
    return float(box[1])


def _outline(marks: Sequence[Bookmark], pages: Sequence[int], height: float, first: int) -> dict[int, bytes]:
    """Return the PDF objects of the bookmarks by number: the root first, then one for each bookmark.

    Parameters
    ----------
    pages
        Object numbers of the pages.
    height
        Height of a page in points.
    first
        Object number of the root.
    """
    parents, open_at = [], [-1]
    for position, mark in enumerate(marks):
        if mark.level > len(open_at) - 1:
            raise ValueError(f"{mark.title!r} is too deep")
        del open_at[mark.level + 1 :]
        parents.append(open_at[-1])
        open_at.append(position)
    children: dict[int, list[int]] = {}
    for position, parent in enumerate(parents):
        children.setdefault(parent, []).append(position)

    def number(index: int) -> int:
        return first + 1 + index

    def ends(index: int) -> bytes:
        inner = children.get(index, [])
        if not inner:
            return b""
        count = len(inner) if index < 0 else -len(inner)  # what is below is folded at first
        return b"/First %d 0 R /Last %d 0 R /Count %d " % (number(inner[0]), number(inner[-1]), count)

    made = {first: b"<< /Type /Outlines " + ends(-1) + b">>"}
    for position, mark in enumerate(marks):
        siblings = children[parents[position]]
        rank = siblings.index(position)
        title = (b"\xfe\xff" + mark.title.encode("utf-16-be")).hex().encode()
        body = b"<< /Title <%s> /Parent %d 0 R " % (title, number(parents[position]))
        if rank:
            body += b"/Prev %d 0 R " % number(siblings[rank - 1])
        if rank + 1 < len(siblings):
            body += b"/Next %d 0 R " % number(siblings[rank + 1])
        aim = b"/Dest [%d 0 R /XYZ null %.1f null] >>" % (pages[mark.page], height - mark.down)
        made[number(position)] = body + ends(position) + aim
    return made


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


# --- pictures ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Picture:
    """A picture and its placeholder.

    Attributes
    ----------
    image
        The picture.
    stand_in
        Placeholder, one pixel high, with a width no other has.
    """

    image: QImage
    stand_in: QImage


def pictures_of(images: Iterable[QImage]) -> list[Picture]:
    """Return each image with a small stand-in that is replaced by it in the finished PDF."""
    pictures = []
    for index, image in enumerate(images):
        stand_in = QImage(_LEAST + index, 1, QImage.Format.Format_RGB32)
        stand_in.fill(index)
        pictures.append(Picture(image, stand_in))
    return pictures


def with_pictures(data: bytes, pictures: Iterable[Picture]) -> bytes:
    """Return a PDF written by Qt with the placeholders replaced by the pictures.

    Raises
    ------
    ValueError
        When a placeholder is not in the file.
    """
    objects = objects_of(data)
    places = {
        (_field(body, b"Width"), _field(body, b"Height")): number
        for number, body in objects.items()
        if b"/Subtype /Image" in body[:400]
    }
    added = {}
    for picture in pictures:
        size = (picture.stand_in.width(), picture.stand_in.height())
        if size not in places:
            raise ValueError(f"no image of {size}")
        added[places[size]] = _packed(picture.image)
    return continued(data, added)


def _field(body: bytes, name: bytes) -> int:
    """Return the whole number of a named field in a PDF object."""
    return int(body.partition(b"/" + name + b" ")[2].split()[0])


def _packed(image: QImage) -> bytes:
    """Return an image as a PDF object: its most common colours, and for each pixel the nearest of them."""
    palette, pixels = reduced(image)
    raw = zlib.compress(pixels.tobytes(), 9)
    head = (
        f"<< /Type /XObject /Subtype /Image /Width {image.width()} /Height {image.height()} /BitsPerComponent 8 "
        f"/ColorSpace [/Indexed /DeviceRGB {len(palette) - 1} <{palette.tobytes().hex()}>] "
        f"/Filter /FlateDecode /Length {len(raw)} >>\nstream\n"
    )
    return head.encode("ascii") + raw + b"\nendstream"


def reduced(image: QImage) -> tuple[Bytes, Bytes]:
    """Return the commonest colours of a picture and the nearest of them for each pixel.

    Returns
    -------
    palette
        uint8, shape (colours, 3).
    pixels
        uint8, shape (height, width).
    """
    plain = image.convertToFormat(QImage.Format.Format_RGB888)
    lines = np.frombuffer(plain.constBits(), np.uint8).reshape(plain.height(), plain.bytesPerLine())
    pixels = lines[:, : 3 * plain.width()].reshape(-1, 3).astype(np.int32)
    codes = pixels @ np.array([65536, 256, 1], dtype=np.int32)
    colours, places, counts = np.unique(codes, return_inverse=True, return_counts=True)
    apart = np.stack([colours >> 16, colours >> 8 & 255, colours & 255], axis=1)
    palette = apart[np.argsort(-counts, kind="stable")[:COLOURS]]
    far = ((apart[:, None, :] - palette[None, :, :]) ** 2).sum(axis=2)
    nearest = far.argmin(axis=1).astype(np.uint8)
    return palette.astype(np.uint8), nearest[places.ravel()].reshape(plain.height(), plain.width())


class Pictures(QPyTextObject):
    """Draws the placeholders of the images of a document that are named ``picture:NAME``.

    Parameters
    ----------
    pictures
        The pictures by name.
    room
        Largest size on a page; a picture takes the share of its width that the image element states in per cent.
    parent
        The document.
    """

    def __init__(self, pictures: Mapping[str, Picture], room: QSizeF, parent: QObject) -> None:
        super().__init__(parent)
        self._pictures, self._wide = pictures, room.width()

    def _picture(self, form: QTextFormat) -> Picture:
        """Return the picture that an image element stands for."""
        return self._pictures[form.toImageFormat().name().removeprefix(PICTURE)]

    def intrinsicSize(  # noqa: N802 - Qt's own name
        self, document: QTextDocument, position: int, form: QTextFormat
    ) -> QSizeF:
        """Return the size of a picture on the page."""
        image = self._picture(form).image
        wide = self._wide * min(form.toImageFormat().width() or 100.0, 100.0) / 100.0
        return QSizeF(wide, wide * image.height() / max(image.width(), 1))

    def drawObject(  # noqa: N802 - Qt's own name
        self, painter: QPainter, rect: QRectF | QRect, document: QTextDocument, position: int, form: QTextFormat
    ) -> None:
        """Draw the placeholder of a picture."""
        painter.drawImage(QRectF(rect), self._picture(form).stand_in)
