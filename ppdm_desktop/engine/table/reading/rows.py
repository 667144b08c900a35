"""Finding rows of the source that are no records: sums, notes below the table, repeated column names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import AnyInts, Bools, Codes, Floats, Ints
from ppdm_desktop.engine.recipe.models import Findable
from ppdm_desktop.engine.table.column import Column, decimals_of, is_number
from ppdm_desktop.engine.table.exact_numbers import text_floats
from ppdm_desktop.engine.table.reading.amounts import guess_amounts
from ppdm_desktop.engine.table.reading.word_lists import line_words
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Name, Quoted, Value

_LABEL = re.compile(r"[^\W\d_][^\d:：]{1,40}[:：].*|[\W_]{4,}")
_LEAST_NUMBERS = 5
_LEAST_NOT_ZERO = 3
_LEAST_WIDTH, _LEAST_WORDS = 3, 3
_MOST_SHARE = 1 / 3
_MOST_CANDIDATES = 200
_MOST_TEXTS = 200_000
_LAST = 3
_BLANK = ("", " ", "  ", "\u00a0")


@dataclass(frozen=True)
class LeaveOut:
    """Rows that are probably no records; the user decides about them.

    Attributes
    ----------
    rows
        Their numbers in the source, rising.
    reason
        ``sum``, ``note``, ``repeated-names`` or ``names`` (lines that describe the columns), as in the recipe.
    evidence
        A sentence on what was found.
    """

    rows: tuple[int, ...]
    reason: Findable
    evidence: Note

    @property
    def must_be_answered(self) -> bool:
        """Whether the user must decide, as for all reasons but ``note``, since such a row would count as a person."""
        return self.reason != "note"


def propose_row_removals(columns: Sequence[Column], typed: Sequence[Codes], row_numbers: Ints) -> tuple[LeaveOut, ...]:
    """Return proposals to leave out rows that are probably no records.

    - A *sum* has a word such as "total" in its first filled cell, unless more than a third of the rows (and more than
      five) have one. Or more than half of its cells are empty (of the last three rows: a cell of a nearly always filled
      column), and a number equals the sum of at least five numbers above it. With a word it may be their mean as well.
    - A *note* has one filled cell of three words or more, or few cells such as "Checked by:". It is at the end, or it
      occurs again except for its numbers, as "Page 2 of 5" does. A table of one or two columns has none.
    - *Repeated names* equal the column names in at least half of the named columns, and in two.

    If more than 200 rows may be sums, those that only have many empty cells are none, and only the first 200 of the
    others are compared with the numbers above; rows with a word are proposed in any case. Each sum is a proposal of its
    own, by row; then follow all repeated names, and all notes, as one proposal each.

    Parameters
    ----------
    columns, typed
        As read, before repairs, and for each the codes that came from cells stored as numbers.
    row_numbers
        The source's number of each row, int64, shape (rows,).
    """
    rows = len(row_numbers)
    if not rows or not columns:
        return ()
    # Of a hundred million rows each byte counts: twice the number of columns is the most that is held.
    counts = np.dtype(np.int16 if 2 * len(columns) < np.iinfo(np.int16).max else np.int32)
    filled: AnyInts = np.zeros(rows, dtype=counts)
    named: AnyInts = np.zeros(rows, dtype=counts)
    unopened = np.ones(rows, dtype=np.bool_)
    has_sum_word = np.zeros(rows, dtype=np.bool_)
    always: AnyInts = np.zeros(rows, dtype=counts)
    full_columns = 0
    for column in columns:
        progress.check()
        here = _find_filled_rows(column)
        filled += here
        if rows - np.count_nonzero(here) <= max(_LAST, 0.05 * rows):
            full_columns += 1
            always += here
        _mark_sum_words(column, unopened & here, has_sum_word)
        unopened &= ~here
        if column.header.strip() and column.header in column.texts:
            named += column.codes == column.texts.index(column.header)
    labels = sum(bool(column.header.strip()) for column in columns)
    repeated = (2 * named >= labels) & (named >= 2)
    if has_sum_word.sum() > max(_LEAST_NUMBERS, _MOST_SHARE * rows):
        has_sum_word[:] = False  # a category of this name, not sums
    thin = (2 * filled < len(columns)) & (filled > 0)
    gaps = np.zeros(rows, dtype=np.bool_)
    gaps[-_LAST:] = always[-_LAST:] < full_columns
    evidence: dict[int, Note] = {}
    looked = np.flatnonzero((has_sum_word | thin | gaps) & ~repeated)
    if len(looked) > _MOST_CANDIDATES:
        looked = np.flatnonzero((has_sum_word | gaps) & ~repeated)[:_MOST_CANDIDATES]
    if len(looked):
        for column, of_numbers in zip(columns, typed, strict=True):
            progress.check()
            _note_sums(column, of_numbers, looked, has_sum_word, ~repeated, row_numbers, evidence)
    for row in np.flatnonzero(has_sum_word & ~repeated).tolist():
        evidence.setdefault(row, Note("reading.leave-out.sum-word", {"row": int(row_numbers[row])}))
    sums = sorted(evidence)
    notes = _find_note_rows(columns, filled, set(sums) | set(np.flatnonzero(repeated).tolist()))
    rows_left_out = [LeaveOut((int(row_numbers[row]),), "sum", evidence[row]) for row in sums]
    rows_left_out += _leave_together(row_numbers[repeated], "repeated-names", "reading.leave-out.names")
    rows_left_out += _leave_together(row_numbers[notes], "note", "reading.leave-out.note")
    return tuple(rows_left_out)


def _leave_together(numbers: Ints, reason: Findable, id: str) -> list[LeaveOut]:
    """Return one proposal to leave out all rows that have the same reason, in a list; an empty list without rows.

    ``numbers`` are row numbers, ``id`` is that of the sentence.
    """
    rows = tuple(numbers.tolist())
    return [LeaveOut(rows, reason, Note(id, {"count": len(rows), "row": rows[0]}))] if rows else []


@cache
def _compile_line_words() -> tuple[re.Pattern[str], re.Pattern[str], frozenset[str]]:
    """Return two expressions for the first cells of lines that are no records, and beginnings of words such as "total".

    The first matches cells that begin a line of sums, the second those that begin a short last line ("Checked by"). The
    beginnings are the first two letters of all words for sums, in small, capital and mixed letters.
    """
    sums, few = (
        re.compile(rf"\W*(?:{'|'.join(map(re.escape, line_words(name)))})", re.IGNORECASE) for name in ("sums", "few")
    )
    pairs = {word[:2] for word in line_words("sums")}
    return sums, few, frozenset([*pairs, *map(str.upper, pairs), *map(str.capitalize, pairs)])


def _begins_with_word(text: str, expression: re.Pattern[str]) -> bool:
    """Return whether a text begins with a match of ``expression`` that is a whole word.

    In scripts without blanks, such as Chinese, the match may be a part of a word.
    """
    match = expression.match(text)
    return match is not None and (match[0][-1] > "\u2000" or not text[match.end() : match.end() + 1].isalnum())


def _find_filled_rows(column: Column) -> Bools:
    """Return in which rows a column has a text, bool, shape (rows,); one or two blanks or a no-break space are none.

    Texts that mean "missing", such as NA, count as filled here.
    """
    blank = [column.texts.index(text) for text in _BLANK if text in column.texts]
    if not blank:
        return np.ones(len(column), dtype=np.bool_)
    flags = np.ones(len(column.texts), dtype=np.bool_)
    flags[blank] = False
    return flags[column.codes]


def _mark_sum_words(column: Column, first: Bools, has_sum_word: Bools) -> None:
    """Set ``has_sum_word`` in the rows whose first filled cell, in this column, begins with a word such as "total".

    Blanks may stand before the word, other signs not; it must be whole ("Totals" is none), small letters or capitals.
    ``first`` says in which rows this column has the first filled cell; both have shape (rows,).
    """
    if not first.any():
        return
    sums, _, pairs = _compile_line_words()
    codes = [
        code
        for code, text in enumerate(column.texts)
        if (text[:2] in pairs or text[:1] in _BLANK) and _begins_with_word(text, sums)
    ]
    if codes:
        flags = np.zeros(len(column.texts), dtype=np.bool_)
        flags[codes] = True
        has_sum_word |= first & flags[column.codes]


def _note_sums(
    column: Column,
    typed: Codes,
    looked: Ints,
    means_too: Bools,
    counted: Bools,
    row_numbers: Ints,
    evidence: dict[int, Note],
) -> None:
    """Add a sentence to ``evidence`` for each row whose number in this column is the sum or mean of numbers above it.

    These are the numbers after the last such row of the column: at least five, of which at least three are not zero.
    A sum or mean may differ by half a unit of the last decimal of the row's number. A row that has a sentence already
    keeps it. A column that holds no amounts, or more than 200,000 different texts, adds none.

    Parameters
    ----------
    typed
        Codes of the column's cells stored as numbers.
    looked
        Indices of the rows to look at, rising.
    means_too
        Rows in which a mean counts, too, shape (rows,).
    counted
        Rows that decide how the column writes numbers, shape (rows,).
    row_numbers
        The source's number of each row, which the sentence names, shape (rows,).
    evidence
        The sentences by row index, to which these are added.
    """
    if len(column.texts) > _MOST_TEXTS or not any(column.texts[code].strip() for code in column.codes[looked].tolist()):
        return
    plain = _read_plain_numbers(column, typed, counted)
    if plain is None:
        return
    of_rows = _to_floats(plain)[column.codes]
    begin = 0
    for row in looked.tolist():
        above = of_rows[begin:row]
        above = above[~np.isnan(above)]
        number = of_rows[row]
        text = plain[int(column.codes[row])]
        if text is None or len(above) < _LEAST_NUMBERS or np.count_nonzero(above) < _LEAST_NOT_ZERO:
            continue
        near = 0.5 * 10.0 ** -decimals_of(text) * 1.001
        total = float(above.sum())
        is_sum = abs(number - total) < near
        if is_sum or (means_too[row] and abs(number - total / len(above)) < near):
            written = column.texts[int(column.codes[row])]
            arguments: dict[str, Value] = {
                "row": int(row_numbers[row]),
                "column": Name(column.name),
                "value": Quoted(written),
                "count": len(above),
            }
            evidence.setdefault(row, Note("reading.leave-out.sum" if is_sum else "reading.leave-out.mean", arguments))
            begin = row + 1


def _to_floats(texts: Sequence[str | None]) -> Floats:
    """Return the number in each text as a float, NaN where it is None, shape (texts,).

    ``texts`` are plain numbers with a decimal point.
    """
    values: Floats = np.full(len(texts), np.nan)
    numbers = [code for code, text in enumerate(texts) if text is not None]
    values[numbers] = text_floats([texts[code] or "" for code in numbers], ".")
    return values


def _read_plain_numbers(column: Column, typed: Codes, counted: Bools) -> list[str | None] | None:
    """Return the number of each code as text, None where it is no number; None for a column that holds no amounts.

    "1.234,50 €" gives "1234.50". ``typed`` are the codes of cells stored as numbers, which keep their text. ``counted``
    are the rows whose other texts decide how amounts are written, and whether the column holds any; without such texts
    only the stored numbers are returned.
    """
    counts = np.bincount(column.codes[counted], minlength=len(column.texts))
    typed_codes = frozenset(typed.tolist())
    plain: list[str | None] = [None] * len(column.texts)
    count_of_text: dict[str, int] = {}
    for code, (text, number) in enumerate(zip(column.texts, counts.tolist())):
        if code in typed_codes:
            plain[code] = text if is_number(text) else None
        elif number and text.strip():
            count_of_text[text] = int(number)
    if count_of_text:
        guess = guess_amounts(count_of_text)
        if guess is None:
            return None
        read = dict(zip(count_of_text, guess.read[0], strict=True))
        plain = [read.get(text) if number is None else number for text, number in zip(column.texts, plain)]
    return plain


def _find_note_rows(columns: Sequence[Column], filled: AnyInts, ignored: set[int]) -> list[int]:
    """Return the indices of rows that are notes, rising: few cells of words, at the end or numbered ("Page 2 of 5").

    A numbered note occurs again with other, or the same, numbers. Of the rows with fewer than half of their cells
    filled, the last 200 are looked at. There are none in a table of fewer than three columns. Rows in ``ignored`` are
    no notes, but notes above them may still be at the end.
    """
    if len(columns) < _LEAST_WIDTH:
        return []
    text_of_row: dict[int, str] = {}
    for row in np.flatnonzero((filled > 0) & (2 * filled < len(columns)))[-_MOST_CANDIDATES:].tolist():
        cells = [text for column in columns if (text := column.text_at(row)).strip()]
        if row not in ignored and _is_note(cells):
            text_of_row[row] = re.sub("[0-9]+", "0", " ".join(cells))
    seen = Counter(text_of_row.values())
    notes = {row for row, text in text_of_row.items() if "0" in text and seen[text] > 1}
    for row in range(len(filled) - 1, -1, -1):
        if row not in text_of_row and row not in ignored:
            break
        notes |= {row} & text_of_row.keys()
    return sorted(notes)


def _is_note(cells: Sequence[str]) -> bool:
    """Return whether the filled cells of a line are a note; False for a line without filled cells.

    They are if there is a single one of three words or more, if the first begins as short last lines do ("Checked by"),
    or if all are labels such as "Date:", "Date: 3 May" or "____".
    """
    if not cells:
        return False
    if len(cells) == 1 and len(cells[0].split()) >= _LEAST_WORDS:
        return True
    return _begins_with_word(cells[0], _compile_line_words()[1]) or all(map(_LABEL.fullmatch, cells))
