"""A booklet as PDF: chapters that begin on a page of their own, with pictures, contents and bookmarks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from PySide6.QtGui import QImage

from ppdm_desktop.ui.pdf.html import PaperPage, paper_page
from ppdm_desktop.ui.pdf.letters import font_family, writable
from ppdm_desktop.ui.pdf.outline import Bookmark, with_bookmarks
from ppdm_desktop.ui.pdf.pages import Laid, Slice, slices
from ppdm_desktop.ui.pdf.pictures import Picture, pictures_of, with_pictures
from ppdm_desktop.ui.pdf.writer import FOOT, HEIGHT, MARGIN, PER_INCH, WIDTH, laid, painted

_POINTS = 72.0 / PER_INCH
_SHRINK = 0.9
"""A booklet is set a little smaller than a record: letters of 8.1 points."""


@dataclass(frozen=True)
class Chapter:
    """A part of a booklet.

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
    """A chapter laid out: its parts, and what each of its pages shows."""

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
    """Return a booklet.

    Parameters
    ----------
    title, under
        What stands on the first page, and what stands below it.
    contents
        Heading of the list of chapters.
    language
        Code of the language that it is in.
    chapters
        In order.
    pictures
        By the names that the chapters use.

    Raises
    ------
    ValueError
        When the contents are longer than a page, or a picture is used in no chapter.
    """
    stood = dict(zip(pictures, pictures_of(pictures.values()), strict=True))
    made = [_set(f"<h1>{escape(each.title)}</h1>{each.body}", stood) for each in chapters]
    starts, page = [], 2
    for each in made:
        starts.append(page)
        page += len(each.pages)
    lines = "".join(
        f'<tr><td>{escape(chapter.title)}</td><td class="number">{start}</td></tr>'
        for chapter, start in zip(chapters, starts, strict=True)
    )
    front = (
        f"<h1>{escape(title)}</h1><p>{escape(under)}</p><h2>{escape(contents)}</h2>"
        f'<table class="contents">{lines}</table>'
    )
    first = _set(front, stood)
    if len(first.pages) != 1:
        raise ValueError("the contents take more than one page")
    sets = [first, *made]
    marks = [Bookmark(0, title, 0, 0.0)]
    for number, (chapter, each) in enumerate(zip(chapters, made, strict=True)):
        marks += _bookmarks(chapter.title, each, starts[number] - 1)
    sheets = [(each.parts, shown) for each in sets for shown in each.pages]
    paper = PaperPage(title=title, language=language)
    drawn = with_pictures(painted(paper, sheets, _SHRINK, f"{title} {language}"), stood.values())
    return with_bookmarks(drawn, marks, language)


def _set(html: str, pictures: Mapping[str, Picture]) -> _Set:
    parts = laid(paper_page(writable(html)), font_family() or "", (WIDTH - 2 * MARGIN) / _SHRINK, pictures)
    return _Set(parts, slices(parts, (HEIGHT - 2 * MARGIN - FOOT) / _SHRINK))


def _bookmarks(title: str, chapter: _Set, first: int) -> list[Bookmark]:
    """Return a chapter's bookmark and those of its headings, by page from 0 and place on it in points from the top."""
    bookmarks = [Bookmark(0, title, first, 0.0)]
    for part in chapter.parts:
        block = part.document.begin()
        while block.isValid():
            level = block.blockFormat().headingLevel()
            if level in (2, 3):
                top = part.top + part.document.documentLayout().blockBoundingRect(block).top()
                place = next(
                    n for n, page in enumerate(chapter.pages) if top < page.bottom or page is chapter.pages[-1]
                )
                shown = chapter.pages[place]
                head = shown.head[1] - shown.head[0] if shown.head else 0.0
                down = (MARGIN + _SHRINK * (head + max(top - shown.top, 0.0))) * _POINTS
                # Without a heading above it a small one stands right below the chapter.
                deep = min(level - 1, bookmarks[-1].level + 1)
                bookmarks.append(Bookmark(deep, block.text().replace("\u200b", ""), first + place, down))
            block = block.next()
    return bookmarks
