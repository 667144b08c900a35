"""The decision whether a release may be written, from the checks' results and the owner's written reasons.

A written reason answers the checks of one cause. The module says which texts are valid as a reason, which findings a
reason is bound to, and when it no longer counts.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from typing import Literal

from ppdm_desktop.engine.errors import RecipeError
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.recipe.models import AcceptedCheck, AcceptSection
from ppdm_desktop.engine.recipe.release_type import RELEASE_TYPES
from ppdm_desktop.engine.release.gate.base import CHECKS, SHARED_TEXTS, find_cause, find_check, title_of_check
from ppdm_desktop.engine.release.gate.results import NEED_REASON, RED, Cause, CheckResult
from ppdm_desktop.engine.wording.catalogue import find_translation, list_languages, speak_language
from ppdm_desktop.engine.wording.numbers import ABSENT
from ppdm_desktop.engine.wording.texts import Note, Title, all_texts
from ppdm_desktop.engine.wording.values import LimitOf, Names, Number, Term, Value, Versus

LEAST_LETTERS, LEAST_DIFFERENT = 20, 10
LEAST_WORDS, LEAST_LONG_WORDS, LONG = 5, 4, 3
MOST_OF_ONE_WORD = 0.4
MOST_EQUAL = 3
"""Equal letters in a row that a word may have."""
LEAST_APART = 3
"""Words by which a reason differs from each other one of the release."""

_INSIDE_WORDS = "'’-"
_PLACEHOLDER = re.compile(r"\{[^{}:]*:?([^{}]*)\}")
_EQUAL_IN_A_ROW = re.compile(rf"(\w)\1{{{MOST_EQUAL}}}")
_DIGITS = {"share": 3, "ratio": 3}
_EXACT = 1e-9


# --- what is a reason ---------------------------------------------------------------------------


@lru_cache(maxsize=1_000)
def words_of(text: str) -> tuple[str, ...]:
    """Return the words of a text in order, in lower case, without punctuation; a word has at least one letter.

    Apostrophes and hyphens join the parts of a word, other signs separate words, and numbers are left out: "Don't reuse
    12 cells/rows" gives "dont", "reuse", "cells" and "rows".
    """
    kept = "".join(
        letter if unicodedata.category(letter)[0] in "LMN" else "" if letter in _INSIDE_WORDS else " "
        for letter in unicodedata.normalize("NFC", text).casefold()
    )
    return tuple(word for word in kept.split() if any(letter.isalpha() for letter in word))


@cache
def _empty_words() -> frozenset[str]:
    """Return the words of all phrases that say nothing as a reason, in all languages, in the form of ``words_of``.

    They are read from a bundled file.
    """
    raw = (resources.files("ppdm_desktop.resources") / "texts" / "empty-reasons.toml").read_bytes()
    phrases = [phrase for language in tomllib.loads(raw.decode("utf-8")).values() for phrase in language]
    return frozenset(word for phrase in phrases for word in words_of(phrase))


@cache
def _words_of_check(check: str) -> frozenset[str]:
    """Return the words of the titles and sentences that a check may use, those that all checks share included.

    In every language and in the form of ``words_of``; the names of placeholders count as words. ``check`` is its id.
    """
    check_words: set[str] = set()
    for id in (text.id for text in (*CHECKS.all()[check].texts(), *SHARED_TEXTS)):
        text = all_texts()[id]
        for english in (text.title, text.sentence):
            for sentence in (english, *_yield_translations(english)):
                check_words.update(words_of(_PLACEHOLDER.sub(r" \1 ", sentence).replace("|", " ")))
    return frozenset(check_words)


def _yield_translations(english: str) -> Iterator[str]:
    """Yield an English text in each language that has a translation of it; the English text itself comes first.

    A language without a translation yields nothing. Placeholders are not filled in.
    """
    for code in list_languages():
        with speak_language(code):
            translation = find_translation(english)
        if translation is not None:
            yield translation


def fault_of(cause: str, reason: str, other_reasons: Mapping[str, str]) -> Note | None:
    """Return a note on why a text is not valid as a reason; None if it is valid.

    The rules are of form only: whether a reason is true cannot be computed, but a text that would fit any finding
    explains none. The first that is broken is returned:

    - at least 20 letters,
    - at least five words,
    - no repetitions (`_repeats_itself`), and for each check of this cause a word that is neither in its texts nor in
      phrases that say nothing,
    - at least three words in one of the two that the other lacks, compared with each other reason.

    Parameters
    ----------
    cause
        Id of the cause that the reason is written for.
    reason
        The text.
    other_reasons
        The reasons of the release by cause, from which this one must differ; one for the same cause is ignored.
    """
    reason_words = words_of(reason)
    distinct_words = set(reason_words)
    letters = [letter for word in reason_words for letter in word if letter.isalpha()]
    if len(letters) < LEAST_LETTERS:
        return _describe_fault("error.accept.letters", cause, least=LEAST_LETTERS, n=LEAST_LETTERS - len(letters))
    if len(reason_words) < LEAST_WORDS:
        return _describe_fault("error.accept.words", cause, least=LEAST_WORDS, n=LEAST_WORDS - len(reason_words))
    checks = (check.id for check in CHECKS.all().values() if check.cause.id == cause)
    if _repeats_itself(reason_words) or any(
        distinct_words <= _words_of_check(check) | _empty_words() for check in checks
    ):
        return _describe_fault("error.accept.says-nothing", cause)
    for other_cause, text in other_reasons.items():
        theirs = set(words_of(text))
        if other_cause != cause and max(len(distinct_words - theirs), len(theirs - distinct_words)) < LEAST_APART:
            return _describe_fault("error.accept.like-another", cause, other=Term(other_cause), least=LEAST_APART)
    return None


def _repeats_itself(reason_words: Sequence[str]) -> bool:
    """Return whether the words repeat a letter or a word too often, or have too few different letters or long words.

    True for fewer than 10 different letters, the same letter or digit four times in a row, fewer than four different
    words of three or more characters, or one word that makes up more than 40 % of the words. At least one word is
    needed.
    """
    times_of_commonest = Counter(reason_words).most_common(1)[0][1]
    return (
        len({letter for word in reason_words for letter in word if letter.isalpha()}) < LEAST_DIFFERENT
        or any(_EQUAL_IN_A_ROW.search(word) for word in reason_words)
        or sum(len(word) >= LONG for word in set(reason_words)) < LEAST_LONG_WORDS
        or times_of_commonest > MOST_OF_ONE_WORD * len(reason_words) + _EXACT
    )


def _describe_fault(id: str, cause: str, **arguments: Value) -> Note:
    """Return the note with this text id on a fault in the reason for a cause."""
    return Note(id, {"check": Term(cause), **arguments})


# --- what it belongs to -------------------------------------------------------------------------


def round_judged_figure(figure: Figure | None) -> float | int | None:
    """Return the end of a figure's interval that is judged, rounded to the digits shown; None if nothing was measured.

    That is the upper end, or the value itself for a ratio or without an interval. A share is rounded to one decimal of
    its per cent (0.12345 to 0.123), a ratio to three decimals; any other figure to a whole number if it is one, to
    three decimals between 0 and 1, else to one.
    """
    if figure is None or figure.value is None:
        return None
    value = figure.value if figure.high is None or figure.unit == "ratio" else max(figure.high, figure.value)
    is_whole = float(value).is_integer()
    if is_whole and figure.unit not in _DIGITS:
        return int(value)
    return round(float(value), _DIGITS.get(figure.unit or "", 3 if 0 < value < 1 else 1))


def bind_reason(
    reason: str, results: Iterable[CheckResult], type: str, input_sha256: str, at: str | None = None
) -> AcceptSection:
    """Return a reason bound to the present findings, so that it no longer counts when they get worse.

    Parameters
    ----------
    reason
        The text.
    results
        The results that it answers; figure, limit and named columns of each are stored as printed.
    type, input_sha256
        Id of the release type, and hash of the input.
    at
        Time of writing in ISO format; None if not known.
    """
    checks = {
        result.id: AcceptedCheck(
            figure=round_judged_figure(result.figure),
            limit=_to_printed_limit(result.limit),
            columns=result.columns or None,
        )
        for result in results
    }
    return AcceptSection(reason=reason, input=input_sha256, at=at, type=type, checks=checks)


def is_bound(section: AcceptSection) -> bool:
    """Return whether a reason is bound to findings; one that somebody typed into a recipe is not."""
    return section.type is not None


def list_lapses(
    cause: Cause, section: AcceptSection, results: Iterable[CheckResult], type: str, input_sha256: str
) -> tuple[Note, ...]:
    """Return notes on why a cause's reason is not valid for the present findings; empty if it is valid.

    - The whole reason is invalid, with a single note, if the input or the release type differs, or if it is bound to no
      findings. A reason that states no input fits any.
    - Else there is a note for each check that it was not given for, or whose finding changed (`_compare_with_reason`).

    Parameters
    ----------
    cause, section
        The cause and its written reason.
    results
        The results of this cause that need a reason now.
    type, input_sha256
        Id of the release type, and hash of the input.
    """
    arguments: dict[str, Value] = {"id": Term(cause.id), "reason": Term(section.reason)}
    of_cause = {**arguments, "check": cause.title}
    if section.input not in (None, input_sha256):
        return (Note("warning.accept.other-input", of_cause),)
    if not is_bound(section):
        return (Note("warning.accept.not-confirmed", of_cause),)
    if section.type != type:
        return (
            Note(
                "warning.accept.other-finding",
                {**of_cause, "was": _name_release_type(section.type), "now": _name_release_type(type)},
            ),
        )
    notes = []
    for result in results:
        accepted = section.checks.get(result.id)
        of_check = {**arguments, "check": title_of_check(result.id)}
        if accepted is None:
            notes.append(Note("warning.accept.other-check", {**of_check, "cause": cause.title}))
        elif (lapsed := _compare_with_reason(accepted, result)) is not None:
            id, differing = lapsed
            notes.append(Note(id, {**of_check, **differing}))
    return tuple(notes)


def _compare_with_reason(accepted: AcceptedCheck, result: CheckResult) -> tuple[str, dict[str, Value]] | None:
    """Return why a reason no longer holds for a check's finding: text id and values; None if it still holds.

    It no longer holds if the limit is another one (lower or higher), a column is named that was not named then, the
    figure is worse as printed (4.11 % and 4.13 % are both printed as 4.1 %), only one of the two findings has a figure,
    or the stored figure is a text. It still holds for a better figure and for fewer columns.
    """
    limit = _to_printed_limit(result.limit)
    if not _is_same_figure(accepted.limit, limit):
        return "warning.accept.other-finding", _format_both_values(accepted.limit, limit, result)
    if not set(result.columns) <= set(accepted.columns or ()):
        columns: dict[str, Value] = {"was": Names.of(accepted.columns or ()), "now": Names.of(result.columns)}
        return "warning.accept.other-finding", columns
    now = round_judged_figure(result.figure)
    if isinstance(accepted.figure, str) or (accepted.figure is None) != (now is None):
        return "warning.accept.other-finding", _format_both_values(accepted.figure, now, result)
    if accepted.figure is not None and now is not None:
        worse = now - accepted.figure if result.direction == "at-most" else accepted.figure - now
        if worse > _EXACT:
            return "warning.accept.worse", _format_both_values(accepted.figure, now, result)
    return None


def _to_printed_limit(limit: float | str | None) -> float | int | str | None:
    """Return a limit as it is printed: a whole float as an int, any other float rounded to three decimals.

    Texts and None are returned unchanged.
    """
    if isinstance(limit, float):
        return int(limit) if limit.is_integer() else round(limit, 3)
    return limit


def _is_same_figure(first: float | str | None, second: float | str | None) -> bool:
    """Return whether two figures are equal up to rounding, or two texts are equal, or both are None."""
    if isinstance(first, int | float) and isinstance(second, int | float):
        return abs(first - second) < _EXACT
    return first == second


def _name_release_type(id: str | None) -> Value:
    """Return the name of the release type with this id; the id itself if there is no such type any more."""
    release_type = RELEASE_TYPES.get(id or "")
    return Title(release_type.title) if release_type is not None else Term(id or ABSENT)


def _format_both_values(was: float | str | None, now: float | str | None, result: CheckResult) -> dict[str, Value]:
    """Return the figures of a check when its reason was written (``was``) and today (``now``), for a sentence.

    Shares and ratios are written with as many digits as their difference needs; other figures as they are.
    """
    unit = result.figure.unit if result.figure is not None else None
    if isinstance(was, int | float) and isinstance(now, int | float) and unit in _DIGITS:
        kind: Literal["share", "ratio", "points"] = "ratio" if unit == "ratio" else "share"
        kind = "points" if kind == "share" and min(was, now) < 0 else kind
        return {"was": LimitOf(now, was, kind), "now": Versus(now, was, kind)}
    return {"was": _to_value(was), "now": _to_value(now)}


def _to_value(value: float | str | None) -> Value:
    """Return a figure, limit or text as a value of a sentence; None becomes the sign for "nothing".

    A whole number becomes an int (3.0 becomes 3), any other number a `Number`, a text a `Term`.
    """
    if value is None or isinstance(value, str):
        return Term(ABSENT if value is None else value)
    return int(value) if float(value).is_integer() else Number(value)


@dataclass(frozen=True)
class Decision:
    """The decision whether the release may be written.

    Attributes
    ----------
    released
        Whether the release may be written.
    blocked_by
        Ids of red checks, and of amber or not-run checks without a reason.
    accepted
        Ids of amber or not-run checks that a written reason lets pass.
    reasons
        The valid reasons by cause, as they will be recorded.
    notes
        Notes on reasons that had no effect.
    """

    released: bool
    blocked_by: tuple[str, ...]
    accepted: tuple[str, ...]
    reasons: Mapping[str, AcceptSection]
    notes: tuple[Note, ...]


def check_accepts(accepts: Mapping[str, AcceptSection], confirmed: Collection[str] = ()) -> None:
    """Raise RecipeError for reasons with an unknown cause, and for texts that are not valid as a reason.

    Parameters
    ----------
    accepts
        Written reasons by cause. A reason that is neither bound nor confirmed has no effect, so any text is allowed.
    confirmed
        Causes whose reason was given or confirmed for this very release.

    Raises
    ------
    RecipeError
        Naming the cause, and the rule that the text breaks.
    """
    for id in (*confirmed, *accepts):
        find_cause(id)
    texts = {id: section.reason for id, section in accepts.items() if id in confirmed or is_bound(section)}
    for id, text in texts.items():
        if (fault := fault_of(id, text, texts)) is not None:
            raise RecipeError(fault.id, args=fault.arguments)


def select_needing_reason(results: Sequence[CheckResult], cause: Cause) -> list[CheckResult]:
    """Return the results of a cause's checks that need a written reason: amber ones and those that did not run."""
    return [result for result in results if result.status in NEED_REASON and find_check(result.id).cause == cause]


def decide(
    results: Sequence[CheckResult],
    accepts: Mapping[str, AcceptSection],
    input_sha256: str,
    at: str,
    *,
    type: str,
    confirmed: Collection[str] = (),
) -> Decision:
    """Return the decision whether the release may be written, from the checks' results and the written reasons.

    It may if no check is red, and each result that needs a reason (amber or not run) has a valid one. The decision also
    lists the checks that block, those that a reason lets pass, the valid reasons, and notes on reasons that do not
    count or are not needed, and on red checks, which no reason lets pass.

    Parameters
    ----------
    results
        The results of all checks.
    accepts
        Written reasons by cause; each is valid only for the findings it was given for (`list_lapses`).
    input_sha256
        Hash of the input.
    at
        Time to record for reasons without one.
    type
        Id of the release type.
    confirmed
        Causes whose reason was given or confirmed for this release; the reason is then bound to the findings.

    Raises
    ------
    RecipeError
        For an unknown cause, or a text that is not valid as a reason of a bound or confirmed one.
    """
    check_accepts(accepts, confirmed)
    notes: list[Note] = []
    reasons: dict[str, AcceptSection] = {}
    for id, section in accepts.items():
        cause = find_cause(id)
        red = [result for result in results if result.status == RED and find_check(result.id).cause == cause]
        unanswered = select_needing_reason(results, cause)
        notes += [Note("warning.accept.red", {"check": title_of_check(result.id)}) for result in red]
        if not unanswered:
            notes += [] if red else [Note("warning.accept.not-needed", {"cause": cause.title})]
            continue
        counts = section
        if id in confirmed:
            counts = bind_reason(section.reason, unanswered, type, input_sha256, section.at)
        elif why := list_lapses(cause, section, unanswered, type, input_sha256):
            notes += why
            continue
        reasons[id] = counts.model_copy(update={"input": input_sha256, "at": section.at or at})
    accepted = tuple(
        result.id for result in results if result.status in NEED_REASON and find_check(result.id).cause.id in reasons
    )
    blocked = tuple(
        result.id for result in results if result.status in (RED, *NEED_REASON) and result.id not in accepted
    )
    return Decision(not blocked, blocked, accepted, reasons, tuple(notes))
