"""Finding lines above and below the column names that say more about the columns: groups, questions, labels, units."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache, partial
from importlib import resources
from typing import NamedTuple

from ppdm_desktop.engine.arrays import AnyInts
from ppdm_desktop.engine.table.reading.header import LOOKED_AT, is_filled, looks_like_value
from ppdm_desktop.engine.table.reading.raw import RawTable
from ppdm_desktop.engine.table.reading.rows import LeaveOut
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Quoted, Terms

MOST_LINES = 3
_LEAST_BELOW = 5
_LEAST_WORDS_BELOW = 10
_NEARLY_ALL = 0.95
_CLEARLY = 10
_WORDS_OF_PHRASE = 3
_LEAST_WEAK = (1, 2, 4)
"""So many cells must be words that never occur again: beside one over numbers, with a phrase, and otherwise."""
_DIGIT = re.compile(r"\d")
_RUNS = re.compile(r"\d+|[^\W\d_]+")


class NameLines(NamedTuple):
    """Lines below the column names that describe the columns.

    Attributes
    ----------
    rows
        Their row numbers in the source.
    texts
        For each line, a text for each column.
    """

    rows: tuple[int, ...] = ()
    texts: tuple[tuple[str, ...], ...] = ()

    def without(self, is_settled: Callable[[int], bool]) -> NameLines:
        """Return the lines without those for whose row number ``is_settled`` is true."""
        kept = [(row, texts) for row, texts in zip(self.rows, self.texts, strict=True) if not is_settled(row)]
        return NameLines(tuple(row for row, _ in kept), tuple(texts for _, texts in kept))

    def to_leave(self) -> list[LeaveOut]:
        """Return the proposal to leave all these lines out, as a list of one; an empty list without lines.

        It states the rows and, as an example, the cell with the most words in the first of these lines.
        """
        if not self.rows:
            return []
        example = max((" ".join(text.split()) for text in self.texts[0]), key=lambda text: (text.count(" "), len(text)))
        rows = Terms(tuple(map(str, self.rows)))
        note = Note("reading.leave-out.name-lines", {"rows": rows, "value": Quoted(example)})
        return [LeaveOut(self.rows, "names", note)]


def find_name_lines(raw: RawTable) -> NameLines:
    """Return the lines directly below the column names that describe the columns; at most three, often none.

    Hardly any cell of such a line is like those of its column: it has words over numbers, or words that never occur
    again. A line that repeats the names exactly is not one of them. There is none in a table without names, or of a
    format in which no row of names is looked for, or with at most five rows; at least five rows must follow the lines.
    """
    if raw.header is None or not raw.header_row or len(raw.row_numbers) <= _LEAST_BELOW:
        return NameLines()
    columns = [
        [texts[code] for code in _read_first_codes(raw, index)[: LOOKED_AT + MOST_LINES].tolist()]
        for index, (_, texts) in enumerate(raw.columns)
    ]
    for lines in range(min(MOST_LINES, len(raw.row_numbers) - _LEAST_BELOW), 0, -1):
        if all(_is_describing_line(raw, columns, line, lines) for line in range(lines)):
            return to_name_lines(raw, range(lines))
    return NameLines()


def to_name_lines(raw: RawTable, indices: Sequence[int]) -> NameLines:
    """Return rows of a table, by their indices among its first rows, as lines that describe its columns.

    Indices count from 0 below the names. The lines have the rows' numbers in the source, and one text for each column.
    """
    texts = [
        [column_texts[int(_read_first_codes(raw, index)[row])] for index, (_, column_texts) in enumerate(raw.columns)]
        for row in indices
    ]
    return NameLines(tuple(raw.row_numbers[list(indices)].tolist()), tuple(map(tuple, texts)))


def _read_first_codes(raw: RawTable, index: int) -> AnyInts:
    """Return a column's codes, shape (rows,), or those of its first block of rows if they are stored on the disk."""
    return next(raw.stored[index].blocks())[1] if raw.stored else raw.columns[index][0]


def _is_describing_line(raw: RawTable, columns: Sequence[Sequence[str]], line: int, lines: int) -> bool:
    """Return whether a line below the column names describes the columns: questions, labels or units.

    Each filled cell gives one vote, by comparison with the rows below all ``lines`` such lines (`_judge_cell`):
    "strong", "weak" or "phrase" (which counts as weak) for a description, "neutral", or "fits" for a value.

    - False for a line that repeats the names, and if there are fewer than ten strong and weak votes for each vote
      "fits".
    - Otherwise True for two strong votes; or, if there are more weak votes than neutral ones, for one strong and one
      weak vote, two weak votes of which one is a phrase, or four weak votes.
    - But a line in which all filled cells have the same text needs a line above it (``line`` > 0) and strong votes
      only.

    ``line`` counts from 0. ``columns`` are the first texts of each column, beginning with these lines.
    """
    cells = [column[line] for column in columns]
    if all(cell == name for cell, name in zip(cells, raw.headers, strict=True) if cell.strip()):
        return False
    votes = _count_votes(raw, columns, cells, lines)
    strong, weak = votes["strong"], votes["weak"] + votes["phrase"]
    if votes["fits"] * _CLEARLY > strong + weak:
        return False
    if len({cell for cell in cells if is_filled(cell)}) < 2:
        return line > 0 and strong == votes.total() > 0  # a second line may hold one word
    if strong >= 2:
        return True
    enough = _LEAST_WEAK[0] if strong else _LEAST_WEAK[1] if votes["phrase"] else _LEAST_WEAK[2]
    return weak >= enough and votes["neutral"] < weak


def _count_votes(raw: RawTable, columns: Sequence[Sequence[str]], cells: Sequence[str], lines: int) -> Counter[str]:
    """Return how many cells of a line give which vote, such as "strong" or "fits" (see `_judge_cell`).

    Empty cells and marks such as NA give none, nor do cells over columns that hold nothing else below. ``lines`` is the
    number of lines below the names that are left out of the columns.
    """
    votes: Counter[str] = Counter()
    for index, (cell, name) in enumerate(zip(cells, raw.headers, strict=True)):
        below = [text for text in columns[index][lines:] if is_filled(text)]
        if below and is_filled(cell):
            votes[_judge_cell(cell, name, below, partial(_has_text_below, raw, index, lines))] += 1
    return votes


def _judge_cell(cell: str, name: str, below: Sequence[str], recurs: Callable[[str], bool]) -> str:
    """Return what a cell says about its line: "strong", "phrase" or "weak" for a description, "neutral" or "fits".

    - "fits": a value, a text that occurs below it (with others) or, over words that repeat, further down, or one with
      the shape of at least half of the dates or other texts with digits below.
    - "neutral": the only text that occurs below it, a text with digits over others with digits, or words over texts of
      which most differ, or that are fewer than ten.
    - "strong": what survey programs write, another spelling of the column's name, or words over numbers, dates or other
      texts with digits.
    - "phrase": over words that repeat, three or more words, longer than all of them; "weak": any other new text there.

    ``below`` are the filled cells below the line, and ``recurs`` tells whether a text occurs further down.
    """
    if set(below) == {cell}:
        return "neutral"  # an option of a question in which it may be ticked
    if looks_like_value(cell) or cell in below:
        return "fits"
    if _is_of_program(cell) or (cell != name and _reduce_to_letters(cell) == _reduce_to_letters(name)):
        return "strong"
    if sum(map(looks_like_value, below)) >= _NEARLY_ALL * len(below):
        return "strong"
    with_digits = sum(_DIGIT.search(text) is not None for text in below)
    if with_digits >= _NEARLY_ALL * len(below):
        return _judge_cell_over_digits(cell, below)
    if len(below) < _LEAST_WORDS_BELOW or 2 * len(set(below)) > len(below):
        return "neutral"
    if recurs(cell):
        return "fits"
    is_phrase = len(cell.split()) >= _WORDS_OF_PHRASE and len(cell) > max(map(len, below))
    return "phrase" if is_phrase else "weak"


def _judge_cell_over_digits(cell: str, below: Sequence[str]) -> str:
    """Return what a cell says about its line where at least 95 % of the texts below have digits, as dates have.

    It is "fits" if half of them have its shape, else "neutral" for a cell with a digit and "strong" for one without.
    """
    of_same_shape = sum(_reduce_to_shape(text) == _reduce_to_shape(cell) for text in below)
    return "fits" if 2 * of_same_shape >= len(below) else "neutral" if _DIGIT.search(cell) else "strong"


def _has_text_below(raw: RawTable, index: int, lines: int, text: str) -> bool:
    """Return whether a column's text occurs below its first ``lines`` rows, in its first block of rows."""
    return bool((_read_first_codes(raw, index)[lines:] == raw.columns[index][1].index(text)).any())


def _reduce_to_letters(text: str) -> str:
    """Return the letters and digits of a text in small letters, to compare "StartDate" with "Start Date"."""
    return "".join(filter(str.isalnum, text.casefold()))


def _reduce_to_shape(text: str) -> str:
    """Return a text with a 9 for each number and an a for each word: ``AB-12`` becomes ``a-9``."""
    return _RUNS.sub(lambda match: "9" if match[0].isdigit() else "a", text)


@cache
def _load_program_cells() -> tuple[tuple[str, ...], frozenset[str]]:
    """Return the beginnings of cells that only survey programs write, as written, and whole cells in small letters."""
    raw = (resources.files("ppdm_desktop.resources") / "reading" / "name-lines.toml").read_text(encoding="utf-8")
    listed = tomllib.loads(raw)
    return tuple(listed["begins"]), frozenset(map(str.casefold, listed["words"]))


def _is_of_program(cell: str) -> bool:
    """Return whether a cell is, or begins with, what survey programs write below the names and describes nothing."""
    begins, cells = _load_program_cells()
    return cell.startswith(begins) or cell.strip().casefold() in cells


# --- names and labels from them ---------------------------------------------------------


def labels_from(lines: NameLines, names: Sequence[str]) -> list[str]:
    """Return a label for each column: the first text of the lines that its name does not end with; "" without one.

    A column "Use: Phone" over "Phone" and "in hours" gets "in hours". Cells that survey programs write below the names
    are left out.
    """
    labels = []
    for index, name in enumerate(names):
        joined = (" ".join(texts[index].split()) for texts in lines.texts)
        labels.append(next((text for text in joined if not name.endswith(text) and not _is_of_program(text)), ""))
    return labels


def complete_names(names: Sequence[str], lines: NameLines) -> list[str]:
    """Return the column names, with empty or repeated ones completed from the first line below them.

    An empty name belongs to the question at its left: "Which do you use?", "" over "Phone", "Tablet" become "Which do
    you use?: Phone" and "Which do you use?: Tablet". If there is no name at its left, or no text below it in this line,
    it becomes the first text below it in any line, else "". Without lines the names are unchanged.
    """
    if not lines.texts:
        return list(names)
    below = [text.strip() for text in lines.texts[0]]
    groups = _fill_groups_right(names, below)
    shared = Counter(groups)
    anything = [next(filter(None, map(str.strip, texts)), "") for texts in zip(*lines.texts, strict=True)]
    return [
        f"{group}: {text}" if group and text and shared[group] > 1 else group or first
        for group, text, first in zip(groups, below, anything, strict=True)
    ]


def names_with_groups(above: Sequence[str], names: Sequence[str]) -> list[str]:
    """Return the column names joined with the groups in the line above, if this makes more of them different.

    A name such as "Response" counts as empty, as survey programs write it below the question. "", "Before", "",
    "After", "" over "Name", "Pulse", "Weight", "Pulse", "Weight" becomes "Name", "Before: Pulse", "Before: Weight",
    "After: Pulse", "After: Weight". Otherwise, and if a group looks like a number or date, the names are unchanged.
    """
    plain = [name.strip() for name in names]
    groups = _fill_groups_right([*above, *[""] * len(names)][: len(names)], plain)
    full = [f"{group}: {name}" if group and name else group or name for group, name in zip(groups, plain, strict=True)]
    differing = {name for name in plain if name and not _is_of_program(name)}
    are_needed = len({*full} - {""}) > len(differing) and not any(map(looks_like_value, filter(None, groups)))
    return full if are_needed else list(names)


def _fill_groups_right(groups: Sequence[str], columns: Sequence[str]) -> list[str]:
    """Return groups in which an empty cell above a filled one gets the group at its left.

    "Use", "", "Age", "" over "Phone", "Tablet", "years", "" becomes "Use", "Use", "Age", "". ``groups`` and ``columns``
    are the cells of two lines, one above the other, with as many cells each.
    """
    filled: list[str] = []
    for group, column in zip(groups, columns, strict=True):
        filled.append(group.strip() or (filled[-1] if filled and column.strip() else ""))
    return filled
