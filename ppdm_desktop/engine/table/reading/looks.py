"""Recognising that texts look like dates or amounts although they were not understood as such."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from ppdm_desktop.engine.table.reading.amounts import CODE
from ppdm_desktop.engine.table.reading.date_forms import read_date
from ppdm_desktop.engine.table.reading.word_lists import load_currencies

_SAMPLE = 2_000
_HALF = 0.5
_MOST_NAMES = 40
"""Names of months and days of the week in two languages; more words are no dates."""
_DIGITS = ("%Y%m%d", "%d%m%Y", "%m%d%Y")
_DAY = re.compile(
    r"(?:[0-9]{4}[-./] ?[0-9]{1,2}[-./] ?[0-9]{1,2}|[0-9]{1,2}[-./] ?[0-9]{1,2}[-./] ?(?:[0-9]{2}){1,2})\.?(?:[ T,].*)?"
    r"|\D{0,4}[0-9]{1,4} ?[年년].*"
)
_YEAR = r"(?:1[6-9]|20|21)[0-9]{2}"
_NAMED_DAY = re.compile(
    rf"(?:[^\W\d_]+[.,]* )?(?:[0-9]{{1,2}}[^\W\d_]{{0,2}}[-. /]{{0,3}}(?:[^\W\d_]{{1,3}} )?[^\W\d_]{{3,}}"
    rf"|[^\W\d_]{{3,}}\.? [0-9]{{1,2}})\W{{0,3}}(?:[^\W\d_]{{1,3}} )?{_YEAR}\b.*"
    rf"|{_YEAR}\W{{1,2}}(?:[^\W\d_]\W+)?[^\W\d_]{{3,}}\W{{1,2}}[0-9]{{1,2}}\b.*"
)
_WORD = re.compile(r"[^\W\d_]{3,}")
_AMOUNT = re.compile(
    r"(?P<before>[^\d#_]{0,12}?)(?:0|[1-9][0-9]*)(?P<marks>(?:[.,'’ \u00a0\u2009\u202f][0-9]{2,3})*(?:[.,][0-9]+)?"
    r"(?:[eE][-+]?[0-9]{1,2})?)(?P<behind>[^\d#_]{0,12})"
)
_MARK = re.compile(r"[^0-9]")
_PARTS = re.compile(r"[\s/(]+")
_SIGN_BEFORE = re.compile(r"[-+(<>≤≥~≈]+\s*")


def classify_texts(texts: Sequence[str]) -> Literal["dates", "amounts"] | None:
    """Return "dates" or "amounts" if more than half of the texts look like this; else None.

    Numbers with a unit look like amounts if they have decimals or thousands. Plain whole numbers and codes look like
    neither, unless all texts are digits that can be read as dates. Texts with more than 40 different words are no
    dates. Of many texts about 2,000 are looked at.
    """
    sample = [text.strip() for text in texts[:: max(1, len(texts) // _SAMPLE)]]
    if not sample:
        return None
    if all(map(str.isdigit, sample)):
        is_days = any(all(read_date(text, form, None) is not None for text in sample) for form in _DIGITS)
        return "dates" if is_days and len(sample[0]) > 1 else None
    if sum(map(_is_day, sample)) > _HALF * len(sample):
        names = {word.casefold() for text in sample for word in _WORD.findall(text)}
        return "dates" if len(names) <= _MOST_NAMES else None
    return "amounts" if sum(map(_is_amount, sample)) > _HALF * len(sample) else None


def _is_day(text: str) -> bool:
    """Return whether a text has the form of a date; any word may stand for the month."""
    return _DAY.fullmatch(text) is not None or _NAMED_DAY.fullmatch(text) is not None


def _is_amount(text: str) -> bool:
    """Return whether a text is a number with a currency, per cent, thousands or decimals, or after < or a minus.

    Plain digits and codes are none. With other letters before the number, more than one mark must be in it.
    """
    match = _AMOUNT.fullmatch(text)
    if match is None or text.isdigit() or CODE.fullmatch(text):
        return False
    before, behind = match["before"], match["behind"]
    if "%" in behind or _SIGN_BEFORE.fullmatch(before):
        return True
    around = f"{before} {behind}".casefold()
    if any(part in load_currencies() for part in _PARTS.split(around)):
        return True
    return bool(match["marks"]) and (not any(map(str.isalpha, before)) or len(_MARK.findall(match["marks"])) > 1)
