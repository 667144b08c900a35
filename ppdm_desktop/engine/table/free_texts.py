"""Columns of text that people wrote freely: which they are, and whether a person read every text of them."""

from __future__ import annotations

import hashlib
import json

import numpy as np

from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.kinds import present_texts

MANY_WORDS, MANY_DISTINCT = 3.0, 0.5
RARE_TEXTS, RARE_WORDS = 20, 2.0
"""So many texts that few share, of so many words on average, are no list to choose from."""


def is_free_text(column: Column, k_min: int, progress: Progress, kind: str | None = None) -> bool:
    """Say whether a column holds free text.

    One of kind text does by its many words, or many different texts. One of kind nominal does by the texts that few
    people share: a list of job titles has common ones, and its rare ones are short or few. Texts without a letter
    are numbers or dates, which other checks judge.

    Parameters
    ----------
    column
        Of any kind; only texts and categories can be written freely.
    k_min
        Of how many people the texts that count as shared are at least.
    progress
        Checked while texts are looked at.
    kind
        Taken for the column's, where given.
    """
    counts = _known_counts(column)
    known, kind = int(counts.sum()), kind or column.kind
    if kind not in ("text", "nominal") or not known:
        return False
    distinct = int(np.count_nonzero(counts)) / known
    words = np.array([len(text.split()) for text in progress.each(column.texts)], dtype=np.float64)
    if kind == "text":
        return float(words @ counts) / known >= MANY_WORDS or distinct >= MANY_DISTINCT
    lettered = np.array([any(map(str.isalpha, text)) for text in progress.each(column.texts)], dtype=np.bool_)
    rare = (counts > 0) & (counts < k_min) & lettered
    if int(rare.sum()) < RARE_TEXTS:
        return False
    return float(words[rare].mean()) >= RARE_WORDS or int(rare.sum()) / known >= MANY_DISTINCT


def _known_counts(column: Column) -> Ints:
    """Return in how many rows each text stands, 0 where it means that a value is missing."""
    gone = np.array([text in column.missing_texts for text in column.texts], dtype=np.bool_)
    return np.where(gone, 0, column.text_counts)


def texts_digest(column: Column) -> str:
    """Return the SHA-256 of a column's different texts, sorted by code point, as a JSON array in UTF-8.

    Missing cells hold no text, and rows do not matter: the digest says what there was to read.
    """
    texts = json.dumps(sorted(present_texts(column)), ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(texts.encode("utf-8", "surrogatepass")).hexdigest()


def rarest_first(column: Column) -> tuple[Ints, Ints]:
    """Return a column's different texts in the order in which they are read: those of fewest rows first.

    Returns
    -------
    tuple of Ints
        Places in ``texts``, equally rare ones by code point, and in how many rows each stands; missing left out.
    """
    counts = _known_counts(column)
    places = np.flatnonzero(counts)
    ordered = sorted(places.tolist(), key=lambda place: (int(counts[place]), column.texts[place]))
    return np.array(ordered, dtype=np.int64), counts[ordered]
