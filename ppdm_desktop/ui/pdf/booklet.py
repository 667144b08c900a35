"""A booklet as PDF: chapters that start on a new page, pictures, table of contents and bookmarks."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from PySide6.QtGui import QImage

from ppdm_desktop.ui.pdf.continuing import continued, number_after, objects_of, trailer_of
from ppdm_desktop.ui.pdf.html import PaperPage, paper_page
from ppdm_desktop.ui.pdf.letters import font_family, writable
from ppdm_desktop.ui.pdf.pages import Laid, Slice, slices
from ppdm_desktop.ui.pdf.pictures import Picture, pictures_of, with_pictures
from ppdm_desktop.ui.pdf.writer import FOOT, HEIGHT, MARGIN, PER_INCH, WIDTH, laid, painted

_POINTS = 72.0 / PER_INCH
_SHRINK = 0.9
"""Scale of a booklet relative to other documents: letters of 8.1 points."""


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
    drawn = with_pictures(painted(paper, sheets, _SHRINK, f"{title} {language}"), stood.values())
    return with_bookmarks(drawn, marks, language)


def _lay_out_chapter(html: str, pictures: Mapping[str, Picture]) -> _Set:
    """Return the layout of a chapter, and which part of it stands on each page."""
    parts = laid(paper_page(writable(html)), font_family() or "", (WIDTH - 2 * MARGIN) / _SHRINK, pictures)
    return _Set(parts, slices(parts, (HEIGHT - 2 * MARGIN - FOOT) / _SHRINK))


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
