"""Written reasons: what makes a text one, what a reason belongs to, and when it does not count any more."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Mapping
from functools import cache
from importlib import resources

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.recipe.models import AcceptSection
from ppdm_desktop.engine.release.gate.results import CheckResult
from ppdm_desktop.engine.texts import Note, all_texts

LEAST_LETTERS, LEAST_DIFFERENT = 20, 10
LEAST_WORDS, LEAST_LONG_WORDS, LONG = 5, 4, 3
MOST_OF_ONE_WORD = 0.4
MOST_EQUAL = 3
"""Equal letters in a row that a word may have."""
LEAST_APART = 3
"""Words by which a reason differs from each other one of the release."""

_INSIDE_WORDS = "'’-"
_PLACE = re.compile(r"\{[^{}:]*:?([^{}]*)\}")
_EQUAL_IN_A_ROW = re.compile(rf"(\w)\1{{{MOST_EQUAL}}}")
_DIGITS = {"share": 3, "ratio": 3}
_EXACT = 1e-9


# --- what is a reason ---------------------------------------------------------------------------


def words_of(text: str) -> list[str]:
    """Return the words of a text: case-folded, without punctuation, at least one letter in each."""
    kept = "".join(
        each if unicodedata.category(each)[0] in "LMN" else "" if each in _INSIDE_WORDS else " "
        for each in unicodedata.normalize("NFC", text).casefold()
    )
    return [word for word in kept.split() if any(letter.isalpha() for letter in word)]


@cache
def _empty_words() -> frozenset[str]:
    """Return the words of which a text says nothing, of all languages."""
    raw = (resources.files("ppdm_desktop.resources") / "texts" / "empty-reasons.toml").read_bytes()
    phrases = [each for language in tomllib.loads(raw.decode("utf-8")).values() for each in language]
    return frozenset(word for phrase in phrases for word in words_of(phrase))


@cache
def _own_words(check: str) -> frozenset[str]:
    """Return the words by which a check itself tells what it found."""
    said = [
        part
        for id, text in all_texts().items()
        if id.startswith(f"gate.{check}.")
        for part in (text.title, text.sentence)
    ]
    return frozenset(word for part in said for word in words_of(_PLACE.sub(r" \1 ", part).replace("|", " ")))


def fault_of(check: str, reason: str, others: Mapping[str, str]) -> Note | None:
    """Say why a text is no reason, by text id; None where it is one.

    The rules are of form: nobody can compute whether a reason is true, but a text that could stand under any
    finding says nothing about this one, and whoever reads the release later learns nothing from it.

    Parameters
    ----------
    check
        Id of the check that it is written for.
    reason
        The text.
    others
        The other reasons of the release, by check.
    """
    words = words_of(reason)
    letters = [letter for word in words for letter in word if letter.isalpha()]
    found = set(words)
    if len(letters) < LEAST_LETTERS:
        return _fault("letters", check, least=LEAST_LETTERS, lacking=LEAST_LETTERS - len(letters))
    if len(set(letters)) < LEAST_DIFFERENT:
        return _fault("different-letters", check, least=LEAST_DIFFERENT)
    if any(_EQUAL_IN_A_ROW.search(word) for word in words):
        return _fault("equal-letters", check, most=MOST_EQUAL)
    if len(words) < LEAST_WORDS:
        return _fault("words", check, least=LEAST_WORDS, lacking=LEAST_WORDS - len(words))
    if sum(len(word) >= LONG for word in found) < LEAST_LONG_WORDS:
        return _fault("different-words", check, least=LEAST_LONG_WORDS, letters=LONG)
    commonest, times = Counter(words).most_common(1)[0]
    if times > MOST_OF_ONE_WORD * len(words) + _EXACT:
        return _fault("repeated-word", check, word=commonest)
    if found <= _own_words(check) | _empty_words():
        return _fault("says-nothing", check)
    for other, text in others.items():
        theirs = set(words_of(text))
        if other != check and max(len(found - theirs), len(theirs - found)) < LEAST_APART:
            return _fault("like-another", check, other=other, least=LEAST_APART)
    return None


def _fault(rule: str, check: str, **arguments: object) -> Note:
    return Note(f"error.accept.{rule}", {"check": check, **arguments})


# --- what it belongs to -------------------------------------------------------------------------


def printed(figure: Figure | None) -> float | int | None:
    """Return what is printed of a figure: the end of its interval that is judged, with the digits that are shown.

    A share is shown with one decimal of its per cent, a ratio with three; None where nothing was measured.
    """
    if figure is None or figure.value is None:
        return None
    value = figure.value if figure.high is None or figure.unit == "ratio" else max(figure.high, figure.value)
    is_whole = float(value).is_integer()
    if is_whole and figure.unit not in _DIGITS:
        return int(value)
    return round(float(value), _DIGITS.get(figure.unit or "", 3 if 0 < value < 1 else 1))


def bound(reason: str, result: CheckResult, type: str, input_sha256: str, at: str | None = None) -> AcceptSection:
    """Return a reason bound to what it was given for: figure as printed, limit, type, columns and input."""
    return AcceptSection(
        reason=reason,
        input=input_sha256,
        at=at,
        type=type,
        figure=printed(result.figure),
        limit=_plain(result.limit),
        columns=result.columns or None,
    )


def is_bound(section: AcceptSection) -> bool:
    """Say whether a reason names what it was given for; those of version 0.1.0 do not."""
    return section.type is not None


def lapsed(section: AcceptSection, result: CheckResult, type: str, input_sha256: str) -> Note | None:
    """Say why a reason does not count for what was found now, by text id; None where it counts.

    It lapses when the figure is worse by one printed digit than the one it was given for (or than the bound
    that its owner wrote in its place), when input, type or limit are others, and when a column is named that
    it was not given for; one column fewer is nothing that anybody had to accept.
    """
    told = {"check": result.id, "reason": section.reason}
    if section.input not in (None, input_sha256):
        return Note("warning.accept.other-input", told)
    if not is_bound(section):
        return Note("warning.accept.not-confirmed", told)
    if section.type != type:
        return Note("warning.accept.other-type", {**told, "was": section.type, "now": type})
    limit = _plain(result.limit)
    if not _same(section.limit, limit):
        return Note("warning.accept.other-limit", {**told, "was": _shown(section.limit), "now": _shown(limit)})
    if not set(result.columns) <= set(section.columns or ()):
        columns = {"was": ", ".join(section.columns or ("–",)), "now": ", ".join(result.columns or ("–",))}
        return Note("warning.accept.other-columns", {**told, **columns})
    now = printed(result.figure)
    if isinstance(section.figure, str) or (section.figure is None) != (now is None):
        return Note("warning.accept.other-figure", {**told, "was": _shown(section.figure), "now": _shown(now)})
    if section.figure is not None and now is not None:
        worse = now - section.figure if result.direction == "at-most" else section.figure - now
        if worse > _EXACT:
            return Note("warning.accept.worse", {**told, "was": _shown(section.figure), "now": _shown(now)})
    return None


def _plain(limit: float | int | str | None) -> float | int | str | None:
    """Return a limit as it is printed, so that it is the same in the recipe as in the next run."""
    if isinstance(limit, float):
        return int(limit) if limit.is_integer() else round(limit, 3)
    return limit


def _same(one: float | int | str | None, other: float | int | str | None) -> bool:
    if isinstance(one, int | float) and isinstance(other, int | float):
        return abs(one - other) < _EXACT
    return one == other


def _shown(value: float | int | str | None) -> str:
    return "–" if value is None else value if isinstance(value, str) else f"{value:.6g}"
