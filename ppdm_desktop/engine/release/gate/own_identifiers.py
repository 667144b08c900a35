"""Search for the source's identifiers inside released texts.

Found are whole values of anybody, and in a person's own row also single words of the person's name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Bools, Ints
from ppdm_desktop.engine.table.column import Column

OWN_IDENTIFIER = "own-identifier"
LEAST_SIGNS = 6
WORDS_A_CELL = 2.0
_WORD = re.compile(r"\w+")
_LETTERS = re.compile(r"[^\W\d_]{4,}")
_NO_NAME = re.compile(r"[\d@]")
_MOSTLY = 0.95

Words = tuple[str, ...]


def _split_words(text: str) -> Words:
    """Return the words of a text, in lower case."""
    return tuple(_WORD.findall(text.casefold()))


@dataclass(frozen=True, eq=False)
class IdentifierRows:
    """The rows in which a released column contains identifiers of the source.

    Attributes
    ----------
    rows
        bool, shape (rows,): whether the row contains the whole identifier of anybody, or a word of its person's name.
    shows_own
        bool, shape (rows,): whether the row contains the whole identifier of its own person.
    """

    rows: Bools
    shows_own: Bools


@dataclass(frozen=True, eq=False)
class _Whole:
    """One identifier column.

    Attributes
    ----------
    codes
        Number of each row's value, shape (rows,); -1 for missing and short values.
    numbers
        Number of each value, by the words of the value.
    """

    codes: Ints
    numbers: Mapping[Words, int]


class SourceIdentifiers:
    """The identifiers of a source, to be searched for in released columns.

    Parameters
    ----------
    columns
        The source's identifier columns, with rows in the order of the release if each released row is a source row.
    rows_correspond
        Whether each released row is a source row; otherwise no row has a person of its own.
    """

    def __init__(self, columns: Sequence[Column], rows_correspond: bool) -> None:
        """Split the values of the identifier columns into words.

        If each released row is a source row, columns of names are also searched for word by word.
        """
        self._rows_correspond = rows_correspond
        self._whole = [_number_column_values(column) for column in columns]
        self._lengths = sorted({len(number) for identifier in self._whole for number in identifier.numbers})
        self._names = [column for column in columns if rows_correspond and _holds_names(column)]

    def find_in_column(self, column: Column) -> IdentifierRows:
        """Return which rows of a released column contain an identifier of anybody, and which contain their own.

        An identifier of at least 6 characters is found if its words follow one another, in upper or lower case. If
        cells have two or more words on average, a word of four or more letters of the row's own name counts for
        ``rows``, too, but not for ``shows_own``. Nothing is found in numbers (an amount of 100001 is no patient). In
        synthetic rows neither own identifiers nor names are found.
        """
        rows = np.zeros(len(column), dtype=np.bool_)
        own_rows = np.zeros(len(column), dtype=np.bool_)
        if not self._whole or column.kind == "numeric":
            return IdentifierRows(rows, own_rows)
        words_by_text = [
            _split_words(text) if text not in column.missing_texts else () for text in progress.each(column.texts)
        ]
        matches = [
            (code, *match)
            for code, words in enumerate(progress.each(words_by_text))
            for match in self._find_identifiers(words)
        ]
        if matches:
            holding = np.zeros(len(column.texts), dtype=np.bool_)
            holding[[code for code, _, _ in matches]] = True
            rows |= holding[column.codes]
        for index, whole in enumerate(self._whole if self._rows_correspond else ()):
            progress.check()
            width = len(whole.numbers)
            pairs = [code * width + number for code, of, number in matches if of == index]
            present = whole.codes >= 0
            own_rows |= present & np.isin(column.codes.astype(np.int64) * width + whole.codes, pairs)
        if _compute_mean_word_count(column, words_by_text) >= WORDS_A_CELL:
            for name in self._names:
                rows |= _find_own_names(column, words_by_text, name)
        return IdentifierRows(rows, own_rows)

    def _find_identifiers(self, words: Words) -> set[tuple[int, int]]:
        """Return the identifiers whose words follow one another in a text, as pairs (column index, value number).

        Both count from 0; values are numbered as in `_number_column_values`. ``words`` are the words of the text, in
        lower case.
        """
        matches = set()
        for length in self._lengths:
            for start in range(len(words) - length + 1):
                part = words[start : start + length]
                for index, identifier in enumerate(self._whole):
                    if (number := identifier.numbers.get(part)) is not None:
                        matches.add((index, number))
        return matches


def _number_column_values(column: Column) -> _Whole:
    """Return an identifier column with numbered values, split into words in lower case.

    Missing values, those shorter than 6 characters and those without a word are left out. Values with the same words,
    such as "Anna Smith" and "anna-smith", share a number.
    """
    numbers: dict[Words, int] = {}
    number_of_text = np.full(len(column.texts), -1, dtype=np.int64)
    for code, text in enumerate(progress.each(column.texts)):
        if text not in column.missing_texts and len(text.strip()) >= LEAST_SIGNS and (text_words := _split_words(text)):
            number_of_text[code] = numbers.setdefault(text_words, len(numbers))
    return _Whole(number_of_text[column.codes], numbers)


def _holds_names(column: Column) -> bool:
    """Return whether at least 95 % of an identifier column's different texts look like names; False without a text.

    A name has at least one run of four letters, no digit and no "@". Missing texts do not count.
    """
    present = [text for text in column.texts if text not in column.missing_texts]
    plain = sum(_NO_NAME.search(text) is None and _LETTERS.search(text) is not None for text in present)
    return bool(present) and plain >= _MOSTLY * len(present)


def _compute_mean_word_count(column: Column, words_by_text: Sequence[Words]) -> float:
    """Return the mean number of words in a column's cells that are not missing; 0 if all are.

    ``words_by_text`` has the words of each text of the column.
    """
    present = ~column.missing
    lengths = np.array([len(word) for word in words_by_text], dtype=np.float64)
    return float(lengths[column.codes][present].mean()) if present.any() else 0.0


def _find_own_names(column: Column, words_by_text: Sequence[Words], name: Column) -> Bools:
    """Return which rows contain a word of at least four letters of the row's own name, bool, shape (rows,).

    ``words_by_text`` has the words of each text of the column, in lower case; ``name`` is the column of names, in upper
    or lower case, with the same rows.
    """
    pairs, inverse = np.unique(column.codes.astype(np.int64) * len(name.texts) + name.codes, return_inverse=True)
    parts = [
        frozenset(_LETTERS.findall(text.casefold()) if text not in name.missing_texts else ())
        for text in progress.each(name.texts)
    ]
    is_contained = np.zeros(len(pairs), dtype=np.bool_)
    for index, pair in enumerate(progress.each(pairs.tolist())):
        code, name_code = divmod(pair, len(name.texts))
        is_contained[index] = not parts[name_code].isdisjoint(words_by_text[code])
    return np.asarray(is_contained[inverse.reshape(-1)])
