"""A sheet's filled cells, and turning them into a table; also an opened workbook of any format."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, count

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Codes, Ints
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.table.reading.header import JOINED, LOOKED_AT, Header, find_header, looks_like_value
from ppdm_desktop.engine.table.reading.import_log import READ_ONCE, Hidden, SheetSeen
from ppdm_desktop.engine.table.reading.name_lines import names_with_groups
from ppdm_desktop.engine.table.reading.raw import THIN_ROWS, RawTable, SecondReading
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Name, Names, Term

MOST_ROWS, MOST_COLUMNS = 1_048_576, 16_384
# An area of more cells than this must be filled at least to a twentieth.
_SPARSE_FROM = 20_000_000
_SPARSE = 20
_CORNER = 4
_MOST_CELLS = 400_000_000

# What is counted per column, and the text id that says it.
COUNTED = {
    "no-value": "warning.read.formula-no-value",
    "formula-number": "warning.read.formula-numbers",
    "error": "warning.read.error-cells",
    "beyond": "warning.read.digits-lost",
    "rounded": "warning.read.digits-rounded",
}


@dataclass(frozen=True)
class Span:
    """A merged area of cells; row and column numbers begin with 1, and both ends belong to it."""

    top: int
    left: int
    bottom: int
    right: int


class _Cells:
    """A column's cells as codes; a text cell and a stored number or date with the same text have two codes."""

    def __init__(self) -> None:
        """Begin with no cells."""
        number = count().__next__
        self.index: defaultdict[str, int] = defaultdict(number)
        self.typed: defaultdict[str, int] = defaultdict(number)
        self.rows = array("i")
        self.codes = array("i")

    def texts(self) -> list[str]:
        """Return the text of each code, in the order of codes.

        A text may occur twice: as that of text cells, and as that of stored numbers or dates.
        """
        texts_by_code = [""] * (len(self.index) + len(self.typed))
        for text, code in chain(self.index.items(), self.typed.items()):
            texts_by_code[code] = text
        return texts_by_code


@dataclass
class Sheet:
    """One sheet while it is read: its filled cells and its layout.

    Attributes
    ----------
    name
        Name of the sheet.
    merges
        The merged areas.
    hidden_rows, hidden_columns
        Numbers of the hidden rows, and first and last number of each span of hidden columns, from 1.
    counts
        For each kind of finding (such as ``error``), how often it occurs in which column.
    formatted_rows, formatted_columns
        The last row and column of the sheet when cells that are formatted but empty count, too.
    filled
        How many cells were added.
    is_read_once
        Whether its cells should have been compared with those of a second reader, and could not be.
    """

    name: str
    merges: list[Span] = field(default_factory=list)
    hidden_rows: list[int] = field(default_factory=list)
    hidden_columns: list[tuple[int, int]] = field(default_factory=list)
    counts: dict[str, dict[int, int]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(int)))
    formatted_rows: int = 0
    formatted_columns: int = 0
    filled: int = 0
    is_read_once: bool = False
    _columns: dict[int, _Cells] = field(default_factory=dict)
    _second: dict[int, dict[int, tuple[str, bool]]] = field(default_factory=lambda: defaultdict(dict))

    def add(self, row: int, column: int, text: str, typed: bool = False) -> None:
        """Add a filled cell; ``typed`` says whether it is stored as number, date or boolean.

        The rows of a column have to come in rising order, and each cell only once. ``text`` is "" where only a second
        reader finds the cell filled. Raises InputError for a cell beyond the rows and columns that a worksheet can
        have.
        """
        if row > MOST_ROWS or column > MOST_COLUMNS:
            raise InputError(
                "error.read.far-cell",
                args={
                    "sheet": Name(self.name),
                    "cell": Term(format_cell_address(row, column)),
                    "rows": row,
                    "columns": column,
                },
            )
        cells = self._columns.get(column)
        if cells is None:
            cells = self._columns[column] = _Cells()
        cells.rows.append(row)
        cells.codes.append((cells.typed if typed else cells.index)[text])
        self.filled += 1

    def differ(self, row: int, column: int, text: str, typed: bool) -> None:
        """Record how the second reader reads a cell, where this differs from the first reader.

        ``typed`` says whether the cell is stored as number, date or boolean.
        """
        self._second[column][row] = text, typed

    def differing(self, first: int, last: int) -> list[tuple[int, int]]:
        """Return row and column of the cells, in rows ``first`` to ``last``, that the two readers read differently."""
        return sorted((row, column) for column, rows in self._second.items() for row in rows if first <= row <= last)

    def look(self, is_hidden: bool, is_cut: bool = False) -> SheetSeen:
        """Return how the sheet looks: its size, its first texts, and whether it has the size of a table.

        A table has at least 5 rows below its header and 3 columns, or 50 rows and 2 columns. Of a table the rows below
        the header are counted, else all that have a filled cell; empty columns never count. ``is_cut`` says whether
        only its beginning was read, and comes back with the rest.
        """
        top = self.first_rows(LOOKED_AT + 1)
        corner = [tuple(text for _, text in sorted(row.items())[:_CORNER]) for row in list(top.values())[:_CORNER]]
        columns, rows, below = self.columns, 0, 0
        if columns:
            listed = [[row.get(column, "") for column in range(columns[0], columns[-1] + 1)] for row in top.values()]
            header = find_header(listed)
            filled = np.zeros(self.last_row + 1, dtype=np.bool_)
            for cells in self._columns.values():
                filled[np.frombuffer(cells.rows, dtype=np.intc)] = True
            rows = int(np.count_nonzero(filled))
            below = rows - header.candidate + (header.row == 0)
        width = len(columns)
        is_table = (below >= 5 and width >= 3) or (below >= 50 and width >= 2)
        return SheetSeen(
            self.name, is_hidden, below if is_table else rows, width, self.filled, tuple(corner), is_cut, is_table
        )

    def note_formatted_cell(self, row: int, column: int) -> None:
        """Record that the sheet extends to this cell, which is formatted but empty.

        The largest row and the largest column are kept, each for itself.
        """
        if row > self.formatted_rows:
            self.formatted_rows = row
        if column > self.formatted_columns:
            self.formatted_columns = column

    def note(self, what: str, column: int) -> None:
        """Count one more finding in a column; ``what`` is its kind, such as ``error``."""
        self.counts[what][column] += 1

    @property
    def columns(self) -> list[int]:
        """Numbers of the columns that are not empty, from 1, rising."""
        return sorted(self._columns)

    @property
    def last_row(self) -> int:
        """Return the number of the last row that is not empty; 0 for an empty sheet."""
        return max((max(cells.rows) for cells in self._columns.values()), default=0)

    def texts_of_row(self, row: int) -> dict[int, str]:
        """Return the texts of a row's filled cells by column number; an empty dict where it has none."""
        texts = {}
        for column, cells in self._columns.items():
            try:
                index = cells.rows.index(row)
            except ValueError:
                continue
            texts[column] = cells.texts()[cells.codes[index]]
        return texts

    def first_rows(self, most: int) -> dict[int, dict[int, str]]:
        """Return the texts of the first ``most`` rows that are not empty, by row and then by column, both from 1.

        Only filled cells are in the result: {1: {1: "age", 3: "town"}, 4: {1: "30"}}.
        """
        wanted = sorted({row for cells in self._columns.values() for row in cells.rows[: 2 * most]})[:most]
        last = wanted[-1] if wanted else 0
        rows: dict[int, dict[int, str]] = {row: {} for row in wanted}
        for column, cells in self._columns.items():
            texts = cells.texts()
            for row, code in zip(cells.rows, cells.codes):
                if row in rows:
                    rows[row][column] = texts[code]
                elif row > last:
                    break
        return rows

    def second(self, column: int, first: int, last: int) -> tuple[Codes, tuple[str, ...], Codes] | None:
        """Return a column's codes, texts, and codes of stored numbers or dates, as the second reader reads it.

        None where it reads the same as the first in rows ``first`` to ``last``, both included. The codes are those of
        all these rows, shape (last - first + 1,), also of rows on which both agree.
        """
        spots = {row: spot for row, spot in self._second.get(column, {}).items() if first <= row <= last}
        if not spots:
            return None
        codes, texts, typed = self.dense(column, first, last)
        is_typed = np.isin(np.arange(len(texts)), typed)
        code_of = {(text, bool(marked)): code for code, (text, marked) in enumerate(zip(texts, is_typed))}
        for row, spot in spots.items():
            codes[row - first] = code_of.setdefault(spot, len(code_of))
        used, renumbered = np.unique(codes, return_inverse=True)
        listed = list(code_of)
        still_typed = np.flatnonzero([listed[code][1] for code in used.tolist()]).astype(np.int32)
        return renumbered.reshape(-1).astype(np.int32), tuple(listed[code][0] for code in used.tolist()), still_typed

    def dense(self, column: int, first: int, last: int) -> tuple[Codes, tuple[str, ...], Codes]:
        """Return a column's codes and texts in rows ``first`` to ``last``, and the codes of stored numbers or dates.

        Both rows are included, so the codes have shape (last - first + 1,). An empty cell has the text ""; only texts
        that occur in these rows are returned.
        """
        cells = self._columns.get(column)
        if cells is None:
            return np.zeros(last - first + 1, dtype=np.int32), ("",), np.empty(0, dtype=np.int32)
        rows = np.frombuffer(cells.rows, dtype=np.intc)
        stored_codes = np.frombuffer(cells.codes, dtype=np.intc)
        inside = (rows >= first) & (rows <= last)
        empty = cells.index[""]
        codes = np.full(last - first + 1, empty, dtype=np.int32)
        codes[rows[inside] - first] = stored_codes[inside]
        used = np.unique(codes)
        texts = cells.texts()
        renumber = np.zeros(len(texts), dtype=np.int32)
        renumber[used] = np.arange(len(used), dtype=np.int32)
        typed = np.intersect1d(np.fromiter(cells.typed.values(), dtype=np.int64), used)
        return renumber[codes], tuple(texts[code] for code in used.tolist()), renumber[typed]


def column_letters(column: int) -> str:
    """Return the letters of a column number: 1 is A, 27 is AA."""
    letters = ""
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def format_cell_address(row: int, column: int) -> str:
    """Return the address of a cell, such as ``B7``."""
    return f"{column_letters(column)}{row}"


def tabulate(sheet: Sheet, header_row: int | None) -> RawTable:
    """Return a sheet as a table: its header is found, empty margins are removed, and row numbers are kept.

    Blank rows inside the table are left out, empty columns are kept. Warnings say what is doubtful, hidden or damaged.
    The sheet has to have a cell.

    Parameters
    ----------
    sheet
        The sheet.
    header_row
        Number of the row that the user named: 0 for none, None to find it.

    Raises
    ------
    InputError
        When a far cell makes the sheet much larger than its content, when the header row is empty, or when there is no
        row below it.
    """
    _refuse_far_cell(sheet)
    left, right = sheet.columns[0], sheet.columns[-1]
    width = right - left + 1
    top, numbers, header = _find_header(sheet, header_row, left, right)
    header_row = numbers[header.row - 1] if header.row else 0
    single, below = _read_labels(sheet, header_row, left, right) if header_row else ([""] * width, next(iter(top)))
    labels = _add_group_names(sheet, header_row - 1, left, single) if below == 1 else single
    has_groups = labels != single
    warnings = _header_notes(header_row - has_groups, below + has_groups, labels)
    warnings += header.notes(numbers[header.candidate - 1], width)
    above = sum(row < header_row for row in top) - has_groups
    warnings += [Note("warning.read.lines-above-header", {"lines": above})] if above else []
    first, last = header_row + below, sheet.last_row
    if last < first:
        raise InputError("error.read.header-only")
    dense = [sheet.dense(left + index, first, last) for index in range(width)]
    columns = [(codes, texts) for codes, texts, _ in dense]
    second = _second_readings(sheet, left, right, first)
    filled, holds = _count_filled(columns, second, last - first + 1)
    kept, blank = np.flatnonzero(holds), np.flatnonzero(~holds)
    if len(blank):
        columns = [(codes[kept], texts) for codes, texts in columns]
        second = [replace(reading, codes=reading.codes[kept]) for reading in second]
        warnings.append(Note("warning.read.blank-rows", {"count": len(blank), "row": first + int(blank[0])}))
    warnings += _list_tail_notes(filled[kept], width, sheet, first + kept)
    warnings += _list_finding_notes(sheet, labels, left, header_row)
    warnings += _list_double_reading_notes(sheet, first)
    hidden = [row for row in sheet.hidden_rows if first <= row <= last]
    hidden_columns = sum(max(0, min(right, high) - max(left, low) + 1) for low, high in sheet.hidden_columns)
    warnings += _hidden_notes(len(hidden), hidden_columns)
    return RawTable(
        headers=tuple(labels),
        columns=tuple(columns),
        typed=tuple(typed for _, _, typed in dense),
        second=tuple(second),
        row_numbers=(first + kept).astype(np.int64),
        header_row=header_row,
        header=header,
        warnings=tuple(warnings),
        decimal=".",
        sheet=sheet.name,
        hidden=Hidden(len(hidden), hidden_columns),
    )


def _find_header(
    sheet: Sheet, header_row: int | None, left: int, right: int
) -> tuple[dict[int, dict[int, str]], list[int], Header]:
    """Return the texts of the first rows, the numbers of the rows looked at, and the header found among them.

    The texts are those of the first 201 rows that are not empty, by row and column. The header's positions count from 1
    among the rows looked at: these rows, but only from ``header_row`` on if the user named one. ``header_row`` is 0 for
    none, None to find it. Raises InputError when the row that it names is empty.
    """
    top = sheet.first_rows(LOOKED_AT + 1)
    numbers = list(top)
    if header_row:
        labels = sheet.texts_of_row(header_row)
        if not any(text.strip() for text in labels.values()):
            raise InputError("error.read.no-header-row", args={"line": header_row})
        numbers = [row for row in top if row >= header_row]
        if not numbers:
            numbers, top = [header_row], {**top, header_row: labels}
    rows = [[top[row].get(column, "") for column in range(left, right + 1)] for row in numbers]
    return top, numbers, find_header(rows, header_row if not header_row else 1)


def _second_readings(sheet: Sheet, left: int, right: int, first: int) -> list[SecondReading]:
    """Return the columns, from ``left`` to ``right``, that a second reader reads differently from row ``first`` on."""
    readings = ((index, sheet.second(left + index, first, sheet.last_row)) for index in range(right - left + 1))
    return [SecondReading(index, *reading) for index, reading in readings if reading is not None]


def _count_filled(
    columns: Sequence[tuple[Codes, tuple[str, ...]]], second: Sequence[SecondReading], rows: int
) -> tuple[Ints, Bools]:
    """Return how many cells of each row are filled, and whether the row has a filled cell by either reader.

    Both have shape (rows,). The number counts only cells as the first reader reads them, so it may be 0 in a row that
    the second reader finds filled.
    """
    filled = np.zeros(rows, dtype=np.int64)
    for codes, texts in columns:
        empty = texts.index("") if "" in texts else -1
        filled += codes != empty
    holds = filled > 0
    for reading in second:
        holds |= np.array([text != "" for text in reading.texts])[reading.codes]
    return filled, holds


def _header_notes(header_row: int, rows: int, labels: list[str]) -> list[Note]:
    """Return up to two warnings: that the header takes several rows, and that a column name looks like a value.

    ``header_row`` is the number of the header's first row, 0 without a header; ``rows`` is how many rows it takes, and
    ``labels`` are the column names.
    """
    notes = []
    if header_row and rows > 1:
        notes.append(Note(JOINED, {"first": header_row, "last": header_row + rows - 1}))
    if any(map(looks_like_value, labels)):
        notes.append(Note("warning.read.header-holds-values", {}))
    return notes


def _hidden_notes(rows: int, columns: int) -> list[Note]:
    """Return warnings about hidden rows and hidden columns, where there are any, with their numbers."""
    counts = {"warning.read.hidden-rows": rows, "warning.read.hidden-columns": columns}
    return [Note(id, {"count": count}) for id, count in counts.items() if count]


def _refuse_far_cell(sheet: Sheet) -> None:
    """Raise InputError when one far cell makes the sheet much larger than its content.

    That is so for more than 400 million cells, and for more than 20 million if fewer than one in twenty is filled.
    """
    rows, columns = sheet.last_row, sheet.columns
    area = rows * (columns[-1] - columns[0] + 1)
    if area > _MOST_CELLS or area > max(_SPARSE_FROM, _SPARSE * sheet.filled):
        raise InputError(
            "error.read.far-cell",
            args={
                "sheet": Name(sheet.name),
                "cell": Term(format_cell_address(rows, columns[-1])),
                "rows": rows,
                "columns": columns[-1],
            },
        )


def _read_labels(sheet: Sheet, row: int, left: int, right: int) -> tuple[list[str], int]:
    """Return the column names, "" for an empty one, and how many rows they take: two or one.

    They take two where a header cell is merged with the one below it, or cells beside each other are merged and the
    next row has texts. Then both texts are joined as "Group: name", equal ones written once; a second row that holds a
    value does not belong to the header.
    """
    top = _spread_merged_texts(sheet, row)
    merged = [span for span in sheet.merges if span.top == row and span.left <= right and span.right >= left]
    second = sheet.texts_of_row(row + 1)
    deep = any(span.bottom > row for span in merged)
    wide = any(span.right > span.left for span in merged)
    is_double = (deep or (wide and bool(second))) and not any(map(looks_like_value, second.values()))
    if not is_double:
        return [top.get(column, "") for column in range(left, right + 1)], 1
    lower = _spread_merged_texts(sheet, row + 1)
    labels = []
    for column in range(left, right + 1):
        parts = dict.fromkeys(part for part in (top.get(column, ""), lower.get(column, "")) if part.strip())
        labels.append(": ".join(parts))
    return labels, 2


def _add_group_names(sheet: Sheet, row: int, left: int, names: Sequence[str]) -> list[str]:
    """Return the column names joined with the groups in the row ``row`` above, if this makes more of them different."""
    groups = _spread_merged_texts(sheet, row)
    return names_with_groups([groups.get(left + index, "") for index in range(len(names))], names)


def _spread_merged_texts(sheet: Sheet, row: int) -> dict[int, str]:
    """Return a row's texts by column, each merged text repeated in the empty columns of its area.

    "Before" in an area over the columns 2 and 3 comes back for both. Only areas that begin in this row count.
    """
    texts = dict(sheet.texts_of_row(row))
    for span in sheet.merges:
        if span.top == row and span.left in texts and span.right - span.left < MOST_COLUMNS:
            for column in range(span.left, span.right + 1):
                texts.setdefault(column, texts[span.left])
    return texts


def _list_tail_notes(filled: Ints, width: int, sheet: Sheet, rows: Ints) -> Iterable[Note]:
    """Yield up to two warnings: on last rows that are less than half filled, and on formatted cells beyond the table.

    Beyond it are columns to its right, and rows from the second below it.

    The first is left out for a table of one or two columns, and where all rows are so. ``filled`` is the number of
    filled cells of each row, ``rows`` are the row numbers.
    """
    thin = filled * 2 < width
    count = len(thin) - 1 - int(np.flatnonzero(~thin)[-1]) if (~thin).any() else 0
    if width > 2 and count:
        yield Note(THIN_ROWS, {"count": count, "row": int(rows[-count])})
    if sheet.formatted_rows > rows[-1] + 1 or sheet.formatted_columns > sheet.columns[-1]:
        yield Note(
            "warning.read.cut-emptiness",
            {
                "cell": Term(
                    format_cell_address(
                        max(sheet.formatted_rows, int(rows[-1])),
                        max(sheet.formatted_columns, sheet.columns[-1]),
                    )
                ),
                "last": Term(format_cell_address(int(rows[-1]), sheet.columns[-1])),
            },
        )


def _list_finding_notes(sheet: Sheet, labels: list[str], left: int, header_row: int) -> Iterable[Note]:
    """Yield a warning for each column and kind of finding, with the number of such cells in the column.

    The kinds are: a formula without a stored value, a number computed by a formula, an error, a number above 2**53, and
    a number that was rounded. A column is named by its label in ``labels``, which begin at the column number ``left``,
    or else by its letters (``C``). A last warning counts merged areas below the row ``header_row``, and those that
    begin above or in it and end at least two rows below it.
    """
    for what, id in COUNTED.items():
        for column, number in sorted(sheet.counts.get(what, {}).items()):
            index = column - left
            label = labels[index] if 0 <= index < len(labels) and labels[index].strip() else ""
            yield Note(id, {"columns": Names.of([label or column_letters(column)]), "count": number})
    merged = sum(span.bottom > header_row + 1 or span.top > header_row for span in sheet.merges)
    if merged:
        yield Note("warning.read.merged-cells", {"count": merged})


def _list_double_reading_notes(sheet: Sheet, first: int) -> Iterable[Note]:
    """Yield up to two warnings: only one reader could read the sheet; two readings differ above row ``first``.

    Some sheets are read by two readers that are compared. ``first`` is the first row below the column names, so the
    second warning is about these names and what is above them; it has the number of cells that differ and the address
    of the first of them, such as ``B2``.
    """
    if sheet.is_read_once:
        yield Note(READ_ONCE, {"sheet": Name(sheet.name)})
    above = sheet.differing(1, first - 1)
    if above:
        row, column = above[0]
        yield Note(
            "warning.read.names-read-twice", {"count": len(above), "cell": Term(format_cell_address(row, column))}
        )


@dataclass(frozen=True, eq=False)
class Book:
    """An opened workbook of any format: its sheets and how to read them.

    Attributes
    ----------
    format
        Name of the format in the account of the reading.
    sheets, hidden
        Names of all sheets in their order, and of the hidden ones.
    read
        Returns the sheet of a name; with a number, only so many of its rows.
    size
        How many bytes have to be read for all sheets.
    left
        Warnings about what is not kept of the workbook.
    """

    format: str
    sheets: list[str]
    hidden: set[str]
    read: Callable[[str, int | None], Sheet]
    left: tuple[Note, ...] = ()
    size: int = 0
