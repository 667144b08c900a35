"""Bookmarks and the language of a PDF that Qt wrote: Qt has neither, so they are added behind what it wrote."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ppdm_desktop.ui.pdf.continuing import continued, number_after, objects_of, trailer_of


@dataclass(frozen=True)
class Bookmark:
    """A place in a document.

    Attributes
    ----------
    level
        0 for those at the top; never more than one deeper than the bookmark before.
    title
        Its words.
    page
        From 0.
    down
        Points from the top edge of the page.
    """

    level: int
    title: str
    page: int
    down: float


def with_bookmarks(data: bytes, marks: Sequence[Bookmark], language: str) -> bytes:
    """Return a PDF of Qt's with bookmarks, shown when it is opened, and with its language.

    Raises
    ------
    ValueError
        When the file is not built as Qt builds them.
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
    """Return the numbers of the page objects in their order."""
    body = objects[node]
    kids = re.search(rb"/Kids\s*\[(.*?)\]", body, re.DOTALL)
    if kids is None:
        return [node]
    return [page for kid in re.findall(rb"(\d+) 0 R", kids[1]) for page in _pages(objects, int(kid))]


def _height(objects: dict[int, bytes], page: int) -> float:
    box = re.search(rb"/MediaBox \[0(?:\.0+)? 0(?:\.0+)? [\d.]+ ([\d.]+)\]", objects[page])
    if box is None:
        raise ValueError("no size of page")
    return float(box[1])


def _outline(marks: Sequence[Bookmark], pages: Sequence[int], height: float, first: int) -> dict[int, bytes]:
    """Return the objects of the bookmarks by number: the root first, then one for each mark."""
    parents, open_at = [], [-1]
    for place, mark in enumerate(marks):
        if mark.level > len(open_at) - 1:
            raise ValueError(f"{mark.title!r} is too deep")
        del open_at[mark.level + 1 :]
        parents.append(open_at[-1])
        open_at.append(place)
    children: dict[int, list[int]] = {}
    for place, parent in enumerate(parents):
        children.setdefault(parent, []).append(place)

    def number(place: int) -> int:
        return first + 1 + place

    def ends(place: int) -> bytes:
        inner = children.get(place, [])
        if not inner:
            return b""
        shown = len(inner) if place < 0 else -len(inner)  # what is below is folded at first
        return b"/First %d 0 R /Last %d 0 R /Count %d " % (number(inner[0]), number(inner[-1]), shown)

    made = {first: b"<< /Type /Outlines " + ends(-1) + b">>"}
    for place, mark in enumerate(marks):
        siblings = children[parents[place]]
        rank = siblings.index(place)
        title = (b"\xfe\xff" + mark.title.encode("utf-16-be")).hex().encode()
        body = b"<< /Title <%s> /Parent %d 0 R " % (title, number(parents[place]))
        if rank:
            body += b"/Prev %d 0 R " % number(siblings[rank - 1])
        if rank + 1 < len(siblings):
            body += b"/Next %d 0 R " % number(siblings[rank + 1])
        aim = b"/Dest [%d 0 R /XYZ null %.1f null] >>" % (pages[mark.page], height - mark.down)
        made[number(place)] = body + ends(place) + aim
    return made
