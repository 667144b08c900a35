"""What report.json says of a figure in English, said in the language of the document.

How a figure was found, and why there is none, is written into report.json, which is the same in every language. A page
in another language looks those words up here; what is not here stands on it as it stands in report.json.
"""

from __future__ import annotations

import re
import string
from functools import cache

from ppdm_desktop.engine.wording.apostrophes import with_apostrophes
from ppdm_desktop.engine.wording.catalogue import Sentence, language, later, numbers_of, translated
from ppdm_desktop.engine.wording.values import Term

TASKS = (
    later("report", "which of its values"),
    later("report", "which of its values (the {n} commonest, or another)"),
    later("report", "whether it is at least {middle}, the median of the original"),
    later("report", "whether it is above {middle}, the median of the original"),
    later("report", "its number to within one unit"),
    later("report", "its value"),
)
"""What a learner predicts of a column."""
REASONS = (
    later("report", "largest: {one} with {other}, {value}"),
    later("report", "largest: {one} with {other}, {value}; {n} further pairs not measured"),
    later("report", "largest: {value}, between “{one}” and “{other}”"),
    later("report", "largest: {value}, between “{one}” and “{other}”; {n} further pairs not measured"),
    later("report", "between “{one}” and “{other}”"),
    later("report", "in the columns’ own units it is {value}"),
    later("report", "between “{one}” and “{other}”; {n} further pairs not measured"),
    later("report", "{n} further pairs not measured"),
    later("report", "all entries of a covariance matrix are equal"),
    later("report", "all values are the same"),
    later("report", "analyses were not tried out yet"),
    later("report", "codes stand in place of the values"),
    later("report", "every column is constant"),
    later("report", "fewer than two records without a missing number"),
    later("report", "fewer than two records"),
    later("report", "needs at least two numeric columns that are not constant"),
    later("report", "needs at least two released columns"),
    later("report", "needs at least two values"),
    later("report", "needs two different values in each table"),
    later("report", "needs at least {k} records without gaps"),
    later("report", "fewer than {n} records with a value"),
    later("report", "a fixed sample of {n} rows"),
    later("report", "{n} of {all} records, drawn at random"),
    later("report", "constant columns left out: {n}"),
    later("report", "records with a missing number left out: {n}"),
    later("report", "missing cells left out: {n}"),
    later("report", "no value that could be made broader"),
    later("report", "no pair of columns can be compared"),
    later(
        "report",
        "the released records were chosen because they predict this column of the same people, so the figure would be "
        "too good",
    ),
    later("report", "no column that can be compared"),
    later("report", "no pair with a correlation in both tables"),
    later("report", "no record to attack"),
    later("report", "no record with a value"),
    later("report", "no released column can be compared"),
    later("report", "no released record to learn from or to test"),
    later("report", "no value to guess"),
    later("report", "no value was released"),
    later("report", "not released"),
    later("report", "released rows are not source rows"),
    later("report", "the data file could not be read back"),
    later("report", "the mean is zero"),
    later("report", "there was nothing to learn"),
    later("report", "this model is for records without noise, but released records contain it"),
    later("report", "this attack guesses numbers, without saying how sure it is"),
    later("report", "no column of numbers or ordered categories was treated"),
    later("report", "too few records for this figure to say anything"),
    later("report", "no confidential column is released"),
    later("report", "no column counts as known to others"),
    later("report", "only for numbers"),
    later("report", "only for numbers and ordered categories"),
    later("report", "needs a table of the whole population, which the program cannot read"),
    later("report", "no record has a value in both tables"),
    later("report", "no value in one of the tables"),
    later("report", "fewer than {n} records: too few for this way of learning"),
    later("report", "tested in only {n} parts: the rarest value has no more than {n} records"),
    later("report", "{n} of {all} corrected variances were too small and were raised to the least allowed"),
    later(
        "report",
        "too few records for this figure to say anything: a model of {terms} terms distinguishes any two tables that "
        "have {records} records together",
    ),
    later(
        "report",
        "two samples of the same people would give about {expected}; a model that is always right would give {most}",
    ),
    later("report", "the records tested may have helped to make those learnt from, so this may be too good"),
    later(
        "report",
        "released records made from the same originals can be used both to learn and to test, so this may be too good",
    ),
)
"""Why a figure is absent, or what has to be known beside it."""
EARLIER_REASONS = (
    later("report", "needs a population table, which this version does not read yet"),
    later("report", "success minus a blind guess"),
    later("report", "success minus control"),
    later("report", "success minus control, paired"),
)
"""The same as reports of earlier versions keep them; the engine writes other words today."""
AREAS = ("report", "audit", "charts", "compare")
"""Where else such words are declared, by those who write them into report.json."""


def in_words(english: str | None) -> str:
    """Say a text of report.json in the language spoken here; one that is not known, as it stands."""
    if not english:
        return ""
    english = with_apostrophes(english)  # reports of earlier versions have straight ones
    for pattern, sentence in _patterns():
        found = pattern.fullmatch(english)
        if found is not None and not any("; " in text for text in found.groups()):
            return sentence.said(**{name: _place(name, text) for name, text in found.groupdict().items()})
    if (said := next((said for area in AREAS if (said := translated(area, english)) is not None), None)) is not None:
        return said
    # What has to be known beside a figure may be two things.
    first, mark, rest = english.partition("; ")
    return f"{in_words(first)}{mark}{in_words(rest)}" if mark else english


def _place(name: str, text: str) -> Term:
    """Return what stood in a place; a median of five digits or more with its thousands apart.

    Four digits stay together, because they may be a year.
    """
    numbers = numbers_of(language())
    if name == "middle" and (found := re.fullmatch(r"(-?)(\d{5,})(\.\d+)?", text)) is not None:
        sign, whole, rest = found.groups(default="")
        return Term(sign + numbers.count(int(whole)) + rest.replace(".", numbers.locale.decimal))
    return _number(text)


def _number(text: str) -> Term:
    """Return what stood in a place; a number with the marks of the language spoken here, and no exponent."""
    if re.fullmatch(r"-?\d+(\.\d+)?e-?\d+", text):
        return Term(numbers_of(language()).number(float(text)))
    if re.fullmatch(r"\d{1,3}(,\d{3})+", text):
        return Term(numbers_of(language()).count(int(text.replace(",", ""))))
    mark = numbers_of(language()).locale.decimal
    return Term(text.replace(".", mark) if re.fullmatch(r"-?\d+\.\d+", text) else text)


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], Sentence], ...]:
    return tuple((_pattern(each.english), each) for each in (*TASKS, *REASONS, *EARLIER_REASONS))


def _pattern(english: str) -> re.Pattern[str]:
    words, seen = "", set[str]()
    for text, name, _, _ in string.Formatter().parse(english):
        words += re.escape(text)
        if name is not None:
            words += f"(?P={name})" if name in seen else f"(?P<{name}>.+?)"
            seen.add(name)
    return re.compile(words)
