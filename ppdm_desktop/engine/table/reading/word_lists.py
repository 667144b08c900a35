"""Words and signs that people write in cells, such as months and currencies, from ``resources/reading/words.toml``."""

from __future__ import annotations

import tomllib
import unicodedata
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

# Letters without an accent that Unicode could take off.
_LETTERS = str.maketrans({"ł": "l", "ı": "i", "ø": "o", "đ": "d", "æ": "ae", "’": "'", "‘": "'"})


class Currency(NamedTuple):
    """A currency's code, and the decimal mark usual in its countries; "" where both marks are usual."""

    code: str
    decimal: str


def fold_text(text: str) -> str:
    """Return a text in small letters without accents, with single blanks between words and none at its ends.

    " 3. Fête ２０２０" gives "3. fete 2020", "Straße" gives "strasse": full-width digits become plain ones.
    """
    text = " ".join(text.split())
    if text.isascii():
        return text.lower()
    parts = unicodedata.normalize("NFKD", text.casefold()).translate(_LETTERS)
    return " ".join(
        unicodedata.normalize("NFC", "".join(sign for sign in parts if not unicodedata.combining(sign))).split()
    )


@cache
def _load_word_lists() -> Mapping[str, Any]:
    """Return the program's word lists for reading cells, such as months and currencies."""
    raw = (resources.files("ppdm_desktop.resources") / "reading" / "words.toml").read_bytes()
    return tomllib.loads(raw.decode("utf-8"))


@cache
def load_month_numbers() -> Mapping[str, int]:
    """Return the number, 1 to 12, of each full or short name of a month in the languages of the word lists.

    All are in one mapping, such as "may" to 5, "mars" to 3; names are in small letters without accents.
    """
    return {
        fold_text(name): number
        for names_of_year in _load_word_lists()["months"].values()
        for number, names in enumerate(names_of_year, start=1)
        for name in names.split()
    }


@cache
def date_words(name: str) -> frozenset[str]:
    """Return one list of the words that occur in dates, in small letters without accents.

    ``name`` is the list's name in ``words.toml``, such as weekdays, morning, afternoon or zones.
    """
    listed = _load_word_lists()["dates"][name]
    return frozenset(fold_text(word) for word in (listed.split() if isinstance(listed, str) else listed))


@cache
def line_words(name: str) -> tuple[str, ...]:
    """Return the listed beginnings of lines that are not records, the longest first.

    ``name`` is ``sums`` for lines of totals, or ``few`` for short last lines such as "Checked by".
    """
    return tuple(sorted(_load_word_lists()["lines"][name], key=len, reverse=True))


@cache
def load_no_answer_marks() -> frozenset[str]:
    """Return the capitals that survey programs write for "don't know" and "no answer", such as NS, as they are."""
    return frozenset(_load_word_lists()["no-answer"]["capitals"].split())


@cache
def load_era_years() -> Mapping[str, int]:
    """Return for the sign of each calendar era, simplified by `fold_text`, the year before the era's first year."""
    return {fold_text(sign): int(year) for year, signs in _load_word_lists()["eras"].items() for sign in signs.split()}


@cache
def load_currencies() -> Mapping[str, Currency]:
    """Return the currency of each sign, code or name, with its usual decimal mark, by the sign in small letters.

    "us$" gives USD; "$" alone, which many currencies share, gives "$". The mark is "" where both are usual.
    """
    return {
        sign.casefold(): Currency(code, decimal)
        for code, (decimal, *signs) in _load_word_lists()["currencies"].items()
        for sign in signs
    }
