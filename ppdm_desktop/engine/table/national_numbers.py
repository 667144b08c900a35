"""Tests of national numbers of people that python-stdnum lacks or tests otherwise, mainly of German insurance."""

from __future__ import annotations

import re
from datetime import date

from stdnum.at import vnr
from stdnum.us import ssn

_PENSION = re.compile(r"(\d{2})(\d{2})(\d{2})(\d{2})([A-Z])(\d{2})(\d)")
_PENSION_WEIGHTS = (2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1)
_LATEST_DAY, _LATEST_MONTH = 31 + 2 * 32, 12
_HEALTH = re.compile(r"([A-Z])(\d{8})(\d)")
_CARD = re.compile(r"([CFGHJ-NPRTV-Z0-9]{9})(\d)")
_NI_NUMBER = re.compile(r"(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\d{6}[A-D]")


def _compact_text(text: str) -> str:
    """Return a text without blanks, in capital letters."""
    return text.replace(" ", "").upper()


def _digit_sum(number: int) -> int:
    """Return the digit sum of a number below 100."""
    return number // 10 + number % 10


def _format_letter_index(letter: str) -> str:
    """Return the position of a capital letter in the alphabet as two digits: ``A`` gives ``01``."""
    return f"{ord(letter) - ord('A') + 1:02d}"


def is_german_pension_number(text: str) -> bool:
    """Return whether a text is a German pension insurance number with a correct check digit.

    It consists of office, birthday, initial, serial number and check digit (VKVV, section 2). An unknown day or month
    is 00, and 32 or 64 is added to the day where its numbers were used up. Blanks and small letters are allowed.
    """
    match = _PENSION.fullmatch(_compact_text(text))
    if match is None:
        return False
    office, day, month, year, letter, serial, check = match.groups()
    if int(day) > _LATEST_DAY or int(month) > _LATEST_MONTH or office == "00":
        return False
    digits = office + day + month + year + _format_letter_index(letter) + serial
    total = sum(_digit_sum(int(digit) * weight) for digit, weight in zip(digits, _PENSION_WEIGHTS, strict=True))
    return total % 10 == int(check)


def is_german_health_number(text: str) -> bool:
    """Return whether a text is the lasting part of a German health insurance number with a correct check digit.

    By section 290 SGB V this is a letter, eight digits and a check digit. Blanks and small letters are allowed.
    """
    match = _HEALTH.fullmatch(_compact_text(text))
    if match is None:
        return False
    digits = _format_letter_index(match[1]) + match[2]
    return sum(_digit_sum(int(digit) * (1 + position % 2)) for position, digit in enumerate(digits)) % 10 == int(
        match[3]
    )


def is_german_identity_card(text: str) -> bool:
    """Return whether a text is a German identity card or passport number, with a letter and a correct check digit.

    The check digit follows ICAO Doc 9303, part 3, section 4.9. Blanks, hyphens and small letters are allowed.
    """
    match = _CARD.fullmatch(_compact_text(text).replace("-", ""))
    if match is None or match[1].isdigit():
        return False
    return sum(int(sign, 36) * (7, 3, 1)[position % 3] for position, sign in enumerate(match[1])) % 10 == int(match[2])


def is_american_security_number(text: str) -> bool:
    """Return whether a text is a valid US Social Security number, with hyphens, with blanks or with neither."""
    digits = text.replace("-", "").replace(" ", "")
    return ssn.is_valid(f"{digits[:3]}-{digits[3:5]}-{digits[5:]}")


def is_british_insurance_number(text: str) -> bool:
    """Return whether a text has the form of a British National Insurance number, which has no check digit.

    Blanks and small letters are allowed; prefixes that are never given out are refused (HMRC manual NIM39110).
    """
    return _NI_NUMBER.fullmatch(_compact_text(text)) is not None


def is_austrian_insurance_number(text: str) -> bool:
    """Return whether a text is an Austrian social insurance number with correct check digit, day and month.

    Blanks are allowed, and 29 February in any year.
    """
    digits = _compact_text(text)
    if len(digits) != len("1237010180") or not vnr.is_valid(digits):
        return False
    try:
        date(2000, int(digits[6:8]), int(digits[4:6]))
    except ValueError:
        return False
    return True
