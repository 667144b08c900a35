"""Labels that say that somebody gave no answer, and the proposal to take their values as missing."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from functools import cache
from importlib import resources

from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Name, Quoted, Terms

_PARTS = re.compile(r"[/|,;:()\[\]]|\s(?:or|oder|ou|o|eller|of|lub|nebo)\s")
_CODE = re.compile(r"-?[0-9]+(?=\D)|\.[a-z](?=\W)")
_SIGNS = re.compile(r"['’`´]")
_OTHERS = re.compile(r"[\W_]+")
_LETTERS = str.maketrans({"ł": "l", "ø": "o", "æ": "ae", "ı": "i", "đ": "d"})

Mark = tuple[str, str, int]
"""A text of a column, its label, and how many cells hold it."""


def plain_label(text: str) -> str:
    """Return a text in small letters with single blanks, without accents and signs."""
    letters = unicodedata.normalize("NFKD", _SIGNS.sub("", text).casefold().translate(_LETTERS))
    return _OTHERS.sub(" ", "".join(letter for letter in letters if not unicodedata.combining(letter))).strip()


@cache
def _phrases() -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the phrases that mean "no answer", and the beginnings of such."""
    raw = (resources.files("ppdm_desktop.resources") / "reading" / "no_answer.toml").read_bytes()
    phrases = [phrase for listed in tomllib.loads(raw.decode("utf-8")).values() for phrase in listed]
    whole = frozenset(plain_label(phrase) for phrase in phrases if not phrase.endswith("*"))
    return whole, tuple(plain_label(phrase) for phrase in phrases if phrase.endswith("*"))


def means_no_answer(label: str) -> bool:
    """Return whether the label of a value, or each of its parts, says that there was no answer."""
    whole, beginnings = _phrases()
    label = _CODE.sub("", label.strip(), count=1) if _CODE.match(label.strip()) else label
    parts = [plain for part in (label, *_PARTS.split(label)) if (plain := plain_label(part))]
    told = [part in whole or part.startswith(beginnings) for part in parts]
    return bool(told) and (told[0] or (len(told) > 2 and all(told[1:])))


def labelled_no_answer(column: Column) -> tuple[Mark, ...]:
    """Return the values of a column that are not missing yet, but whose labels say that there was no answer."""
    if not column.codebook:
        return ()
    counts = dict(zip(column.texts, column.text_counts.tolist(), strict=True))
    marks = ((label if label in counts else code, label) for code, label in column.codebook)
    return tuple(
        (text, label, counts[text])
        for text, label in marks
        if counts.get(text) and text not in column.missing_texts and means_no_answer(label)
    )


def question_of(column: Column, marks: tuple[Mark, ...]) -> Note:
    """Return the question whether values whose labels say that there was no answer are missing."""
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
