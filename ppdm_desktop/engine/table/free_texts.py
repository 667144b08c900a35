"""Texts that people wrote freely: which the owner must read before release, and a digest of those read."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.people import People, count_holders

WRITTEN_KINDS: tuple[str, ...] = ("text", "nominal")
_LEAST_WORDS = 2
_MOSTLY_RARE, _LEAST_RARE = 0.5, 20
_WITHOUT_BLANKS = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]{6}")
"""A sentence in a script that puts no blanks between words, such as Chinese."""


def texts_to_read(column: Column, k_min: int, people: People) -> tuple[Ints, Ints]:
    """Return the texts of a column that its owner has to read before release, those of the fewest people first.

    - These are texts with at least two words that fewer than ``k_min`` people share. A word must contain a letter; a
      sentence in a script without blanks, such as Chinese, counts as two words.
    - Single words are added where at least 20 texts with a letter are rare, and they are at least half as many as the
      filled cells, so that the column is no list to choose from.
    - Texts without a letter are left out, since other checks judge numbers and dates, and so are missing texts.

    Parameters
    ----------
    column
        A column of any kind; only those of kind text or nominal give results.
    k_min
        A text is rare when fewer than this many people have it.
    people
        The person of each row.

    Returns
    -------
    tuple of Ints
        Indices into ``column.texts`` (equally rare texts in alphabetical order), and how many people have each text.
    """
    if column.kind not in WRITTEN_KINDS:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    gone = np.array([text in column.missing_texts for text in column.texts], dtype=np.bool_)
    counts = np.where(gone, 0, count_holders(column.codes, len(gone), people))
    rare = np.flatnonzero((counts > 0) & (counts < k_min)).tolist()
    word_counts = {code: _count_lettered_words(column.texts[code]) for code in progress.each(rare)}
    lettered = [code for code in rare if word_counts[code]]
    filled = int(column.text_counts[~gone].sum())
    least = 1 if len(lettered) >= max(_LEAST_RARE, _MOSTLY_RARE * filled) else _LEAST_WORDS
    listed = [code for code in lettered if word_counts[code] >= least]
    listed.sort(key=lambda code: (int(counts[code]), column.texts[code]))
    places = np.array(listed, dtype=np.int64)
    return places, counts[places]


def _count_lettered_words(text: str) -> int:
    """Return the number of words in a text that contain a letter.

    A text with six characters in a row of a script without blanks, such as Chinese, counts as at least two words.
    """
    count = sum(any(map(str.isalpha, word)) for word in text.split())
    return max(count, _LEAST_WORDS) if count and _WITHOUT_BLANKS.search(text) else count


def texts_digest(texts: Iterable[str]) -> str:
    """Return the SHA-256, in hexadecimal digits, of a set of texts in any order: it proves which texts were read."""
    document = json.dumps(sorted(texts), ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(document.encode("utf-8", "surrogatepass")).hexdigest()
