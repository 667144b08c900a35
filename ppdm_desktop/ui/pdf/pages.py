"""Cut documents that were laid out in one piece into pages.

Lines and charts are never cut, and table rows only if higher than a page; a heading stays with the text below it, a
chart with its sentence, and a continued table repeats its head. (Qt's own pages leave headings alone at the foot and
draw heads over text.)
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from PySide6.QtGui import QTextBlock, QTextDocument, QTextFormat, QTextFrame, QTextTable

_PADDING = 4.0
"""Space above the text of a row where a page may begin."""
_SHORT = 4
"""Most rows of a table that is kept on one page."""
_SLIM = 0.6
"""Share of a page that must be filled before a break above a row or paragraph is preferred."""


@dataclass(frozen=True)
class Laid:
    """A document laid out without pages, and the height in pixels at which it begins below the earlier documents."""

    document: QTextDocument
    top: float


@dataclass(frozen=True)
class Slice:
    """What a page shows: heights from ``top`` to ``bottom``, below ``head``, the repeated head of a continued table."""

    top: float
    bottom: float
    head: tuple[float, float] | None = None


@dataclass
class _Flow:
    """Heights, in pixels from the top of the first document, that decide where pages may break.

    Attributes
    ----------
    lines
        Top and bottom of every line of text and every chart, which must not be cut.
    breaks
        Heights at which a page may well begin, rising.
    forced
        Heights at which a page must begin, rising.
    tables
        For each table with a head: (top, bottom) of the head, and the bottom of the table.
    """

    lines: list[tuple[float, float]] = field(default_factory=list)
    breaks: list[float] = field(default_factory=list)
    forced: list[float] = field(default_factory=list)
    tables: list[tuple[tuple[float, float], float]] = field(default_factory=list)
    keeps_with_next: bool = False
    """Whether the last block should stay with the next one."""
    offset: float = 0.0
    """Top of the document that is being read."""


def content_height(document: QTextDocument) -> float:
    """Return the bottom of the last line or chart of a laid-out document plus 4, in pixels; nothing empty below counts.

    Qt adds an empty line below a table.
    """
    flow = _Flow()
    _read_frame(document.rootFrame(), document, flow)
    return max((bottom for _, bottom in flow.lines), default=0.0) + _PADDING


def split_into_pages(parts: Sequence[Laid], height: float) -> list[Slice]:
    """Return the slice of the documents that each page shows, from the first page; at least one.

    A page ends at the last position on it that is good for a break, such as before a paragraph, and always where a
    break is forced. If a table goes on, the next page repeats its head.

    Parameters
    ----------
    parts
        Documents, one below the other.
    height
        Height of a page in pixels.
    """
    flow = _Flow()
    for part in parts:
        flow.offset = part.top
        _read_frame(part.document.rootFrame(), part.document, flow)
    flow.lines.sort()
    end = max((bottom for _, bottom in flow.lines), default=0.0) + 2
    page_slices: list[Slice] = []
    top, head = 0.0, None
    while True:
        available = height - (head[1] - head[0] if head else 0.0)
        stop = next((start for start in flow.forced if start > top), end)
        if stop - top <= available or len(page_slices) > len(flow.lines):
            page_slices.append(Slice(top, stop, head))
            if stop == end:
                return page_slices
            top, head = stop, None
            continue
        bottom = _find_page_end(flow, top, top + available)
        page_slices.append(Slice(top, bottom, head))
        top, head = bottom, _find_table_head(flow, bottom)


def _read_frame(frame: QTextFrame, document: QTextDocument, flow: _Flow) -> None:
    """Add the heights of everything in a frame, inner frames included, to ``flow``, in reading order."""
    for child in _list_children(frame):
        if isinstance(child, QTextTable):
            _read_table(child, document, flow)
        elif isinstance(child, QTextFrame):
            _read_frame(child, document, flow)
        else:
            _read_block(child, document, flow)


def _list_children(frame: QTextFrame) -> Iterator[QTextBlock | QTextFrame]:
    """Yield the blocks and frames directly inside a frame."""
    block_iterator = frame.begin()
    while not block_iterator.atEnd():
        inner: QTextFrame | None = block_iterator.currentFrame()
        yield block_iterator.currentBlock() if inner is None else inner
        block_iterator += 1


def _list_block_lines(block: QTextBlock, document: QTextDocument, offset: float) -> list[tuple[float, float]]:
    """Return (top, bottom) of each line of a block in pixels, with ``offset`` added; empty if the block is empty."""
    top = offset + document.documentLayout().blockBoundingRect(block).top()
    laid = block.layout()
    rects = [laid.lineAt(index).rect() for index in range(laid.lineCount())]
    return [(top + rect.top(), top + rect.bottom()) for rect in rects] if block.length() > 1 else []


def _read_block(block: QTextBlock, document: QTextDocument, flow: _Flow) -> None:
    """Add the lines of a block to ``flow``, and the heights at which a page may or must break.

    At least two lines stay together before and after a break, and a heading or chart stays with what follows. A
    paragraph of three lines is never broken; one of four can break after the second.
    """
    lines = _list_block_lines(block, document, flow.offset)
    if not lines:
        return
    if block.blockFormat().pageBreakPolicy() & QTextFormat.PageBreakFlag.PageBreak_AlwaysBefore:
        flow.forced.append(lines[0][0] - 1)
    if not flow.keeps_with_next:
        # Items of a list stand close together: a page that began above the first line would cut the line before.
        before = flow.lines[-1][1] if flow.lines else 0.0
        flow.breaks.append(min(lines[0][0], max(lines[0][0] - 1, before)))
    # Two lines at least stand before a break and after it; a chart's sentence is seldom longer.
    flow.breaks += [top for top, _ in lines[2:-1]]
    flow.lines += lines
    is_chart = "\ufffc" in block.text()
    flow.keeps_with_next = is_chart or bool(block.blockFormat().headingLevel())


def _read_table(table: QTextTable, document: QTextDocument, flow: _Flow) -> None:
    """Add to ``flow`` the lines of a table, the heights at which a page may break, and the table's head.

    A page may break before the table, unless a heading stands above, and inside a table of more than four rows (its
    head not counted). Two rows at least stay together before a break, and two after it.
    """
    heads = table.format().headerRowCount()
    rows = [_list_row_lines(table, row, document, flow.offset) for row in range(table.rows())]
    lines = [line for row_lines in rows for line in row_lines]
    flow.lines += lines
    tops = [min((top for top, _ in row_lines), default=None) for row_lines in rows]
    # Two rows at least stand before a break and after it.
    inside = range(heads + 2, len(tops) - 1) if len(tops) - heads > _SHORT else range(0)
    starts = [*([] if flow.keeps_with_next else tops[:1]), *(tops[row] for row in inside)]
    flow.breaks += [top - _PADDING for top in starts if top is not None]
    bottom = max((low for _, low in lines), default=0.0)
    first = tops[heads] if heads < len(tops) else None
    if heads and tops[0] is not None and first is not None:
        flow.tables.append(((tops[0] - _PADDING, first - _PADDING), bottom))
    flow.keeps_with_next = False


def _list_row_lines(table: QTextTable, row: int, document: QTextDocument, offset: float) -> list[tuple[float, float]]:
    """Return (top, bottom) of each line of text in the cells that begin in a row, with ``offset`` added.

    A cell over several rows belongs to its first row, with all its lines.
    """
    lines = []
    for column in range(table.columns()):
        cell = table.cellAt(row, column)
        if cell.row() != row:
            continue
        block, last = cell.firstCursorPosition().block(), cell.lastCursorPosition().block()
        lines += _list_block_lines(block, document, offset)
        while block != last:
            block = block.next()
            lines += _list_block_lines(block, document, offset)
    return lines


def _find_page_end(flow: _Flow, top: float, limit: float) -> float:
    """Return the height at which the page that begins at ``top`` ends, at most ``limit``.

    It is the last good position for a break. If the page would then be at most 60 % full, it is between two lines, or
    ``limit`` if a single line is higher than the page.
    """
    good = flow.breaks[bisect_right(flow.breaks, limit) - 1] if flow.breaks and flow.breaks[0] <= limit else top
    if good > top + _SLIM * (limit - top):
        return good
    # Something is higher than the page, or nearly: cut it between two lines, wherever no line is hit.
    whole = limit
    for low, high in reversed(flow.lines[: bisect_right(flow.lines, (limit, limit))]):
        if low < whole < high:
            whole = low
    return whole if whole > top + 1 else limit


def _find_table_head(flow: _Flow, top: float) -> tuple[float, float] | None:
    """Return (top, bottom) of the head of the table that a page break at this height cuts; None if it cuts none."""
    return next((head for head, bottom in flow.tables if head[1] < top < bottom), None)
