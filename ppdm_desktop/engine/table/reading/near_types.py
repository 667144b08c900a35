"""Warnings about columns that are text only because a few cells are no numbers or dates.

Also finds labels that say that somebody gave no answer, so that their values may be taken as missing.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Callable, Collection, Sequence
from functools import cache
from importlib import resources

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.table.column import Column, is_number
from ppdm_desktop.engine.table.dates import DateFormat, guess_date_format
from ppdm_desktop.engine.table.kinds import present_texts
from ppdm_desktop.engine.table.reading.marks import MARKS, is_no_day
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Name, Names, Quoted, Terms

_PARTS = re.compile(r"[/|,;:()\[\]]|\s(?:or|oder|ou|o|eller|of|lub|nebo)\s")
_CODE_OF_NO_ANSWER = re.compile(r"-?[0-9]+(?=\D)|\.[a-z](?=\W)")
_SIGNS = re.compile(r"['’`´]")
_OTHERS = re.compile(r"[\W_]+")
_LETTERS = str.maketrans({"ł": "l", "ø": "o", "æ": "ae", "ı": "i", "đ": "d"})

Mark = tuple[str, str, int]
"""A text of a column, its label, and how many cells hold it."""


def plain_label(text: str) -> str:
    """Return a text in small letters without accents and apostrophes, with other signs made single blanks.

    "Don't know/refused." gives "dont know refused".
    """
    letters = unicodedata.normalize("NFKD", _SIGNS.sub("", text).casefold().translate(_LETTERS))
    return _OTHERS.sub(" ", "".join(letter for letter in letters if not unicodedata.combining(letter))).strip()


@cache
def _load_no_answer_phrases() -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the phrases that mean "no answer", and the beginnings of such phrases, simplified by `plain_label`."""
    raw = (resources.files("ppdm_desktop.resources") / "reading" / "no_answer.toml").read_bytes()
    phrases = [phrase for listed in tomllib.loads(raw.decode("utf-8")).values() for phrase in listed]
    whole = frozenset(plain_label(phrase) for phrase in phrases if not phrase.endswith("*"))
    return whole, tuple(plain_label(phrase) for phrase in phrases if phrase.endswith("*"))


def means_no_answer(label: str) -> bool:
    """Return whether a value's label says that there was no answer, as a whole or in each of its parts.

    True for "refused" in any capitals, for "9 = refused" (a code before it is ignored), and for "don't know / refused",
    where each of two or more parts says so.
    """
    whole, beginnings = _load_no_answer_phrases()
    label = _CODE_OF_NO_ANSWER.sub("", label.strip(), count=1) if _CODE_OF_NO_ANSWER.match(label.strip()) else label
    parts = [plain for part in (label, *_PARTS.split(label)) if (plain := plain_label(part))]
    is_known = [part in whole or part.startswith(beginnings) for part in parts]
    return bool(is_known) and (is_known[0] or (len(is_known) > 2 and all(is_known[1:])))


def find_no_answer_values(column: Column) -> tuple[Mark, ...]:
    """Return the values of a column that count as present although their labels say that there was no answer.

    Each is given as the text in the cells (the label where cells hold labels, else the code), the label, and the number
    of cells.
    """
    if not column.codebook:
        return ()
    counts = dict(zip(column.texts, column.text_counts.tolist(), strict=True))
    marks = ((label if label in counts else code, label) for code, label in column.codebook)
    return tuple(
        (text, label, counts[text])
        for text, label in marks
        if counts.get(text) and text not in column.missing_texts and means_no_answer(label)
    )


def ask_whether_missing(column: Column, marks: tuple[Mark, ...]) -> Note:
    """Return the question whether some values of a column are missing, whose labels say that there was no answer.

    ``marks`` are these values as texts, labels and numbers of cells, all of which the question states.
    """
    parts = [
        Note(
            "reading.part.no-answer" if text == label else "reading.part.code-of-no-answer",
            {"text": Quoted(text), "label": Quoted(label), "cells": cells},
        )
        for text, label, cells in marks
    ]
    cells = sum(cells for _, _, cells in marks)
    return Note(
        "reading.propose.no-answer", {"column": Name(column.name), "cells": cells, "parts": Terms(tuple(parts))}
    )


NEARLY_NUMBERS, NEARLY_DATES = "warning.read.nearly-numbers", "warning.read.nearly-dates"
NEARLY = frozenset((NEARLY_NUMBERS, NEARLY_DATES))
"""Warnings about columns that are read as numbers or dates once their source or its reading is corrected."""
_MOST_IN_THE_WAY = 5
_MOST = 20_000
_GLANCE = 200
_LEAST = 3
_MOSTLY = 0.5
_BLANKS = " \u00a0\u2009\u202f'’"
_CODE = re.compile(r"[-+]?0[0-9]+|[-+]?[0-9]{16,}")
_DATES = tuple(
    form
    for pattern in ("%Y-%m-%d", "%Y/%m/%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%m-%d-%Y")
    if (form := DateFormat.parse(pattern)) is not None
)


def warn_of_near_types(
    columns: Sequence[Column], decimal: str, row_numbers: Ints, name_lines: Collection[int] = ()
) -> list[Note]:
    """Return a warning for each nominal column whose values would be numbers or dates if some cells were different.

    Parameters
    ----------
    columns
        With their guessed kinds.
    decimal
        The file's decimal mark.
    row_numbers
        The source's number of each row, shape (rows,).
    name_lines
        Numbers of rows that probably describe the columns, and are ignored, since there is another question about them.

    Returns
    -------
    One warning for each such column, with the number of rows that do not fit and the first of them; numbers with
    grouped thousands have a warning of their own. There is none for columns with no such row, with a leading zero or
    with very long numbers, which are codes, or with more than 20,000 different texts.
    """
    notes = []
    for column in columns:
        progress.check()
        if column.kind != "nominal" or len(column.texts) > _MOST:
            continue
        texts = present_texts(column)
        problem = _find_unfit_texts(texts, decimal)
        if problem is not None:
            id, unfit = problem
            rows = row_numbers[np.array([text in unfit for text in column.texts], dtype=np.bool_)[column.codes]]
            rows = rows[~np.isin(rows, list(name_lines))] if name_lines else rows
            if not len(rows):
                continue
            notes.append(Note(id, {"columns": Names.of([column.name]), "rows": len(rows), "row": int(rows[0])}))
    return notes


def find_blocking_texts(column: Column, decimal: str) -> list[str]:
    """Return up to five texts without which a column would be numbers or dates, and which may mean "missing", sorted.

    Texts that often mean "missing" (NA) or say that there is no answer (refused) are left out, since other suggestions
    name them. The list is empty if more than five texts do not fit, or one of them has a digit and is no impossible day
    such as 00.00.0000; and for columns that are not nominal or have more than 20,000 texts.
    """
    if column.kind != "nominal" or len(column.texts) > _MOST:
        return []
    problem = _find_unfit_texts(present_texts(column), decimal)
    if problem is None or problem[0] not in NEARLY or not _may_be_missing(problem[1]):
        return []
    return sorted(text for text in problem[1].difference(MARKS) if not means_no_answer(text))


def _may_be_missing(unfit: frozenset[str]) -> bool:
    """Return whether texts may mean "missing": at most five, each without digits or no real day such as 00.00.0000."""
    return len(unfit) <= _MOST_IN_THE_WAY and all(is_no_day(text) or not any(map(str.isdigit, text)) for text in unfit)


def _find_unfit_texts(texts: Sequence[str], decimal: str) -> tuple[str, frozenset[str]] | None:
    """Return the id of the warning about a column of nearly only numbers or dates, and the unfit texts; else None.

    More than half of the texts, and at least three, must be numbers, or dates; for dates it is also enough that all
    texts with digits are dates and at most five others exist. Where some numbers have grouped thousands ("1,234"), the
    warning is ``warning.read.grouped-numbers``, and unfit are all texts that are no plain numbers, however few there
    are; but that of nearly numbers where most texts are plain numbers and some text is no number at all. None for a
    column of codes, and for one of plain numbers only or of dates only. ``texts`` are the different texts, and
    ``decimal`` is the decimal mark.
    """
    grouped = re.compile(rf"-?[1-9][0-9]{{0,2}}(?:([{_BLANKS}.,])[0-9]{{3}})(?:\1[0-9]{{3}})*(?:[.,][0-9]+)?")

    def plain(text: str) -> bool:
        """Return whether a text is a plain number."""
        return is_number(text, decimal)

    def thousands(text: str) -> bool:
        """Return whether a text is a number, with or without grouped thousands."""
        return plain(text) or grouped.fullmatch(text) is not None

    if any(map(_CODE.fullmatch, texts)) or all(map(plain, texts)):
        return None
    if (unfit := _find_few_unfit(texts, plain)) is not None:
        if all(map(thousands, texts)):
            return "warning.read.grouped-numbers", unfit
        return NEARLY_NUMBERS, unfit
    if (unfit := _find_few_unfit(texts, thousands)) is not None or (texts and all(map(thousands, texts))):
        return "warning.read.grouped-numbers", frozenset(text for text in texts if not plain(text))
    digit_texts = [text for text in texts if not is_no_day(text) and any(map(str.isdigit, text))]
    if 0 < len(texts) - len(digit_texts) <= _MOST_IN_THE_WAY and guess_date_format(digit_texts).format is not None:
        return NEARLY_DATES, frozenset(texts).difference(digit_texts)
    for form in _DATES:
        if (unfit := _find_few_unfit(texts, lambda text, form=form: form.read(text) is not None)) is not None:  # type: ignore[misc]
            return NEARLY_DATES, unfit
    return None


def _find_few_unfit(texts: Sequence[str], fits: Callable[[str], bool]) -> frozenset[str] | None:
    """Return the texts that ``fits`` refuses, if they keep a column from being of one type; else None.

    None where all texts fit, where fewer than three fit, or where not more than half of them do; also where not more
    than half of the first 200 fit, if there are more.
    """
    if len(texts) > _GLANCE and sum(map(fits, texts[:_GLANCE])) <= _MOSTLY * _GLANCE:
        return None
    unfit = frozenset(text for text in texts if not fits(text))
    fitting = len(texts) - len(unfit)
    return unfit if unfit and fitting >= _LEAST and fitting > _MOSTLY * len(texts) else None
