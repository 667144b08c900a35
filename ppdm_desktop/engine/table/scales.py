"""Finding the order of the steps of a scale: "not at all" to "very", "never" to "always", or ranges of numbers."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import Any

from ppdm_desktop.engine.table.reading.near_types import plain_label

LEAST_STEPS, MOST_STEPS = 3, 15
_PLAINLY = 2.0
_LONGEST_NEGATION, _LONGEST_ENDING, _SHORTEST_STEM = 4, 3, 4
_STEP_NUMBER = re.compile(r"\(?[0-9]{1,2}\)? ?[-\u2013=:.)]* *(?=\D)")
_NUMBER = re.compile(r"[0-9]+(?:[.,' \u00a0\u202f][0-9]{3})*(?![0-9])")
_SPAN_SIGN = re.compile(r"[0-9]\W*[-\u2013/~] ?\W*[0-9]|[<>\u2264\u2265+]|[^\W\d_]{2}|[^\W\d_\x00-\u02ff]")
_THOUSANDS = re.compile(r"[.,' \u00a0\u202f]")
_NO_WORD_BREAKS = re.compile(r"[\u3040-\u9fff]")

Degree = tuple[float, str]
"""How strongly something holds, below zero where it does not, and what it is."""


def order_of_scale(texts: Sequence[str]) -> tuple[str, ...] | None:
    """Return the steps of a scale, lowest first; None where the texts are no scale or their order is not certain.

    Recognised are ranges ("18-24", "25-34", "35+"), scales from a list ("low", "medium", "high"), and degrees of one
    thing ("not satisfied", "neutral", "very satisfied"), whatever their capitals. A number before words ("1 = never")
    and an ending such as "and above" are ignored, unless texts would be equal without them. None, too, where two texts
    have the same step.

    Parameters
    ----------
    texts
        The different values of a column that are not missing; three to fifteen of them can be a scale.
    """
    if not LEAST_STEPS <= len(texts) <= MOST_STEPS:
        return None
    plain = {
        text: _compile_endings().sub("", plain_label(_STEP_NUMBER.sub("", text.strip(), count=1))) for text in texts
    }
    if len(set(plain.values())) < len(texts):
        plain = {text: plain_label(text) for text in texts}
    ranks = _rank_spans(texts) or _rank_by_list(plain) or _rank_by_degree(plain)
    if ranks is None or len(set(ranks.values())) < len(texts):
        return None
    return tuple(sorted(texts, key=ranks.__getitem__))


def _rank_spans(texts: Sequence[str]) -> dict[str, Any] | None:
    """Return a sort key for each text if all are ranges such as 18-24, 35+ or plain numbers, not all plain; else None.

    None, too, where ranges overlap in more than an end ("18-25" and "25-30" may), or an open range such as 35+ is
    neither the lowest nor the highest. A key is the lowest number, the highest, and how many numbers are written.
    """
    if not any(map(_SPAN_SIGN.search, texts)):
        return None
    ends = {text: [int(_THOUSANDS.sub("", number)) for number in _NUMBER.findall(text)] for text in texts}
    ordered = sorted(ends.values())
    if not all(len(span) in (1, 2) and span == sorted(set(span)) for span in ordered):
        return None
    if any(first[-1] > second[0] for first, second in pairwise(ordered)):
        return None
    # "under 18" and "65 and over" stand outside all spans.
    open_ended = [ends[text] for text in texts if len(ends[text]) == 1 and not text.isdigit()]
    if any(span not in (ordered[0], ordered[-1]) for span in open_ended):
        return None
    return {text: (span[0], span[-1], len(span)) for text, span in ends.items()}


def _rank_by_list(plain: Mapping[str, str]) -> dict[str, Any] | None:
    """Return each text's step, 0 for the lowest, in the first listed scale that contains all texts; else None.

    Several texts may have the same step, and steps may be without a text. ``plain`` maps each text to its simplified
    form, which is looked up.
    """
    for scale in _load_scales():
        if all(text in scale for text in plain.values()):
            return {written: scale[text] for written, text in plain.items()}
    return None


def _rank_by_degree(plain: Mapping[str, str]) -> dict[str, Any] | None:
    """Return for each text how strongly it affirms what all texts are about, negative if it denies it; else None.

    "very satisfied" and "dissatisfied" are both about being satisfied, and get 3 and -2; a text for the middle gets 0.
    A degree alone ("not at all") may be about anything, and several texts may get the same number. None where the texts
    are about different things, or several are the middle. ``plain`` maps each text to its simplified form.
    """
    middle = {written for written, text in plain.items() if _is_middle(text)}
    degrees = {written: _read_degree(text) for written, text in plain.items() if written not in middle}
    heads = sorted({head for _, head in degrees.values()}, key=len)
    positive = _find_positive_head(heads)
    if positive is None or len(middle) > 1:
        return None
    ranks: dict[str, Any] = dict.fromkeys(middle, 0.0)
    for written, (degree, head) in degrees.items():
        ranks[written] = degree if _is_same(head, positive) else -degree
    return ranks


def _is_middle(text: str) -> bool:
    """Return whether a text means the middle of a scale: it is or begins with a listed one, or repeats its first word.

    "neutral" is listed, "neither happy nor sad" begins like one, and "not this not that" repeats "not". ``text`` has to
    be simplified by `plain_label`.
    """
    whole, beginnings = _load_middle_words()
    first, _, rest = text.partition(" ")
    return text in whole or text.startswith(beginnings) or f" {first} " in f" {rest} "


def _read_degree(written: str) -> Degree:
    """Return how strongly a text says something, and what it says without the word for the degree.

    "very satisfied" gives 3.0, the degree of "very", and "satisfied". The degree is negative for words such as "not",
    and 2 where no word states it, as in "dissatisfied" or "no". Beside "yes" or "no" it is not negative, and the answer
    is what the text says. A text of nothing but words for the degree gives "" as what it says; of two such words the
    second changes the degree a little: "rather not" gives -1.2. ``written`` has to be simplified by `plain_label`;
    filler words in it are left out.
    """
    text = _compile_fillers().sub("", written).strip() or written
    if any(text in pair for pair in (*_load_word_pairs("opposites"), *_load_word_pairs("answers"))):
        return _PLAINLY, text
    if _NO_WORD_BREAKS.search(text):
        degree_word = next(
            (word for word in _load_degrees() if text.startswith(word) and _NO_WORD_BREAKS.search(word)), ""
        )
        return _load_degrees().get(degree_word, _PLAINLY), text.removeprefix(degree_word)
    for word, degree in _load_degrees().items():
        if f" {word} " in f" {text} ":
            head = " ".join(f" {text} ".replace(f" {word} ", " ", 1).split())
            first, _, rest = head.partition(" ")
            if any(first in pair for pair in _load_word_pairs("answers")) and (not rest or rest in _load_degrees()):
                return abs(degree), first
            further = _load_degrees().get(head)
            if further is None:
                return degree, head
            strength = abs(degree) * (1 + abs(further) / 10)
            return -strength if min(degree, further) < 0 else strength, ""
    return _PLAINLY, text


def _find_positive_head(heads: Sequence[str]) -> str | None:
    """Return the affirmative one of some statements: "satisfied" of "satisfied" and "dissatisfied".

    It is the first one that all others repeat or are the opposite of, or that they leave out because they are empty.
    ``heads`` have to be sorted by length. "" where all are empty; None where there is no such statement.
    """
    for positive in filter(None, heads):
        if all(_is_same(head, positive) or _is_opposite(head, positive) for head in heads):
            return positive
    return None if any(heads) else ""


def _is_same(head: str, positive: str) -> bool:
    """Return whether two texts differ in their ending at most, as ``satisfait`` and ``satisfaite``, or one is empty.

    True for equal texts, too. Of different ones the longer must be the shorter, which has four letters or more, with
    one to three letters behind it.
    """
    short, long = sorted((head, positive), key=len)
    return (
        head == positive
        or not short
        or (len(short) >= _SHORTEST_STEM and long.startswith(short) and len(long) - len(short) <= _LONGEST_ENDING)
    )


def _is_opposite(head: str, positive: str) -> bool:
    """Return whether a text is the opposite of a positive one: ``bad`` of ``good``, ``dissatisfied`` of ``satisfied``.

    The pair is listed as opposites or as no and yes, or ``head`` is ``positive``, of three letters or more, with one to
    four letters before it. Of texts of several words the last words are compared: ``quite bad`` is the opposite of
    ``good``. Listed pairs may also be whole texts.
    """
    low, high = (text.split(" ")[-1] if " " in text else text for text in (head, positive))
    if {(low, high), (head, positive)} & (_load_word_pairs("opposites") | _load_word_pairs("answers")):
        return True
    return high != low and low.endswith(high) and 0 < len(low) - len(high) <= _LONGEST_NEGATION and len(high) > 2


# --- word lists -------------------------------------------------------------------------


@cache
def _load_scale_lists() -> Mapping[str, Any]:
    """Return the program's lists for scales: known ``scales``, words for ``degrees``, and other ``words``."""
    raw = (resources.files("ppdm_desktop.resources") / "reading" / "scales.toml").read_bytes()
    return tomllib.loads(raw.decode("utf-8"))


@cache
def _load_degrees() -> Mapping[str, float]:
    """Return the degree that each listed word expresses, the words with most letters first.

    4 for "completely", 3 for "very", 0.5 for "slightly", and below zero for words that deny, such as -2 for "not".
    Words of all languages are in one list, and may be several words, such as "not at all". The words are simplified by
    `plain_label` and have no filler words, so texts must be, too, to be looked up.
    """
    degrees = {
        _compile_fillers().sub("", plain_label(word)).strip(): float(degree)
        for degree, listed in _load_scale_lists()["degrees"].items()
        for word in listed.split(",")
    }
    return dict(sorted(degrees.items(), key=lambda item: -len(item[0])))


@cache
def _load_middle_words() -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the words for the middle of a scale, such as "neutral", and the beginnings of such texts, simplified.

    A beginning ends with a blank where it has to be a whole word. Words of all languages are in one list.
    """
    listed = [word.strip() for word in _load_scale_lists()["words"]["middle"].split(",")]
    whole = frozenset(plain_label(word) for word in listed if not word.endswith("*"))
    return whole, tuple(plain_label(word) + " " * word.endswith(" *") for word in listed if word.endswith("*"))


@cache
def _load_word_pairs(name: str) -> frozenset[tuple[str, str]]:
    """Return pairs of opposite words, the lower one first; ``name`` is the list ``opposites`` or ``answers``."""
    pairs = (pair.split(" ") for pair in _load_scale_lists()["words"][name])
    return frozenset((plain_label(low), plain_label(high)) for low, high in pairs)


@cache
def _compile_endings() -> re.Pattern[str]:
    """Return the regular expression for listed words such as "and above" at the end of a step."""
    words = sorted(map(plain_label, _load_scale_lists()["words"]["endings"].split(",")), key=len, reverse=True)
    return re.compile(rf"\s?(?:{'|'.join(filter(None, words))})$")


@cache
def _compile_fillers() -> re.Pattern[str]:
    """Return the regular expression for listed words that say nothing about a step, each with a blank behind it."""
    words = sorted(map(plain_label, _load_scale_lists()["words"]["fillers"].split(",")), key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(words)})\b ?")


@cache
def _load_scales() -> tuple[Mapping[str, int], ...]:
    """Return the listed scales, each with the position of every word's step, 0 for the lowest.

    A step may have several words. They are simplified by `plain_label`, so texts must be, too, to be looked up.
    """
    return tuple(
        {plain_label(word): step_index for step_index, step in enumerate(steps) for word in step.split("|")}
        for steps in _load_scale_lists()["scales"].values()
    )
