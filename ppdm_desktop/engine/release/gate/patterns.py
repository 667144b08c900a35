"""Texts that look like somebody's e-mail, phone, bank account, card or national number.

Numbers with a check digit are looked for in cells of eight digits and more. A test that is
nothing but a check digit lets one random number in about ten pass; it counts only in columns
where at least half of the numbers of that length pass.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module

import numpy as np

from ppdm_desktop.engine.table.column import Column

LEAST_DIGITS = 8
_WEAK_SHARE = 0.5
_EMAIL = re.compile(r"[^\s@,;<>\"']+@[^\s@,;<>\"']+\.[^\W\d_]{2,}")
_DATE = re.compile(r"\d{1,4}[-./ ]\d{1,2}[-./ ]\d{1,4}(?:[T ]\d{1,2}:\d{2}(?::\d{2})?)?")
_PHONE = re.compile(
    r"(?<![\w.])(?:"
    r"(?:\+|00)[1-9]\d{0,3}[ ()./-]{0,2}\d[\d ()./-]{5,16}\d"  # international
    r"|\(0?\d{2,5}\)[ ./-]?\d[\d ./-]{4,12}\d"  # area code in brackets
    r"|0\d{1,4}[ /-]\d[\d /-]{4,12}\d"  # area code with a leading nought
    r"|\d{3}[-. ]\d{3}[-. ]\d{4}"  # ten digits in three groups
    r")(?![\w])"
)
_IBAN = re.compile(r"[A-Z]{2}\d{2}(?:[ ]?[A-Z0-9]){11,30}")
_CARD = re.compile(r"(?<!\d)[3-6]\d{3}(?:[ -]?\d){9,15}(?!\d)")
# Structured national numbers: a date, a region or letters inside, besides the check digit.
_STRUCTURED = (
    "at.vnr",
    "be.nn",
    "bg.egn",
    "br.cpf",
    "cn.ric",
    "cz.rc",
    "dk.cpr",
    "ee.ik",
    "es.dni",
    "es.nie",
    "fi.hetu",
    "fr.nir",
    "it.codicefiscale",
    "no.fodselsnummer",
    "pl.pesel",
    "ro.cnp",
    "se.personnummer",
    "us.ssn",
)
_CHECK_DIGIT_ONLY = ("ca.sin", "ch.ssn", "de.idnr", "nl.bsn", "pt.nif", "au.tfn")
_US_SSN = re.compile(r"\d{3}-\d{2}-\d{4}")


@dataclass(frozen=True)
class PatternCount:
    """Cells of a column that look like identifiers, and what they look like."""

    cells: int
    kinds: frozenset[str]


@cache
def _test(module: str) -> Callable[[str], bool]:
    found = import_module(f"stdnum.{module}").is_valid
    return lambda text: bool(found(text))


def _digits(text: str) -> int:
    return sum(character.isdigit() for character in text)


def _kinds_of(text: str) -> tuple[set[str], bool]:
    """Return the certain kinds of one text, and whether some check digit alone would pass."""
    kinds: set[str] = set()
    if "@" in text and _EMAIL.search(text):
        kinds.add("e-mail address")
    digits = _digits(text)
    if digits < LEAST_DIGITS - 1:
        return kinds, False
    if _DATE.fullmatch(text.strip()):
        return kinds, False
    if _PHONE.search(text):
        kinds.add("phone number")
    if digits < LEAST_DIGITS:
        return kinds, False
    upper = text.upper()
    if any(_test("iban")(found[0]) for found in _IBAN.finditer(upper)):
        kinds.add("bank account (IBAN)")
    if any(_is_card(found[0]) for found in _CARD.finditer(text)):
        kinds.add("card number")
    stripped = text.strip()
    if len(stripped) <= 24 and _is_national(stripped):
        kinds.add("national number")
    weak = len(stripped) <= 18 and any(_test(module)(stripped) for module in _CHECK_DIGIT_ONLY)
    return kinds, weak


def _is_card(text: str) -> bool:
    bare = re.sub(r"[ -]", "", text)
    return 13 <= len(bare) <= 19 and _test("luhn")(bare)


def _is_national(text: str) -> bool:
    for module in _STRUCTURED:
        if module == "us.ssn" and not _US_SSN.fullmatch(text):
            continue  # nine digits alone have no check digit at all
        if _test(module)(text):
            return True
    return False


def count_patterns(column: Column) -> PatternCount:
    """Count the cells of a column that look like an identifier of a person."""
    uses = np.bincount(column.codes, minlength=len(column.texts)).tolist()
    cells, kinds = 0, set()
    weak_cells = long_numbers = 0
    for text, use in zip(column.texts, uses, strict=True):
        if not use or text in column.missing_texts:
            continue
        found, weak = _kinds_of(text)
        if found:
            cells += use
            kinds |= found
        else:
            weak_cells += use * weak
        long_numbers += use * (_digits(text) >= LEAST_DIGITS)
    if weak_cells and weak_cells >= _WEAK_SHARE * long_numbers:
        cells += weak_cells
        kinds.add("national number")
    return PatternCount(cells, frozenset(kinds))
