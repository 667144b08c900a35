"""Texts that are somebody's address or number: e-mail, phone, IBAN, card, national identifiers.

Used to suggest roles and, on the released file, by the gate. Check digits are tested on
eight digits and more only.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from stdnum import iban, luhn
from stdnum.be import nn
from stdnum.br import cpf
from stdnum.ch import ssn as ch_ahv
from stdnum.cn import ric
from stdnum.cz import rc
from stdnum.de import idnr
from stdnum.dk import cpr
from stdnum.es import dni, nie
from stdnum.fi import hetu
from stdnum.fr import nir
from stdnum.gb import nhs
from stdnum.it import codicefiscale
from stdnum.nl import bsn
from stdnum.no import fodselsnummer
from stdnum.pl import pesel
from stdnum.se import personnummer
from stdnum.us import ssn

from ppdm_desktop.engine.progress import Progress, silent

E_MAIL, PHONE, IBAN, CARD, NATIONAL_ID = "e-mail", "phone", "iban", "card", "national-id"
PATTERNS = (E_MAIL, PHONE, IBAN, CARD, NATIONAL_ID)

LEAST_DIGITS = 8
_LONGEST = 4096
_LONGEST_ID = 24
_E_MAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@(?:[\w-]{1,63}\.)+[^\W\d_]{2,24}(?![\w-])")
_IBAN = re.compile(r"(?<![A-Z0-9])[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]){11,30}(?![A-Z0-9])")
_CARD = re.compile(r"(?<![0-9.,-])[0-9](?:[ -]?[0-9]){12,18}(?![0-9.,-])")
_CARD_START = re.compile(r"4|5[1-5]|2(?:2[2-9]|[3-6]|7[01]|720)|3[47]|3(?:0|6|8)|35|6011|65|64[4-9]")
_CARD_LENGTHS = {"4": (13, 16, 19), "5": (16,), "2": (16,), "6": (16, 19), "3": (14, 15, 16)}
# An international number, one that begins with 0, or one in the North American grouping.
_PHONE = re.compile(
    r"(?:(?:\+|00)[1-9][0-9]{0,2}[ ()/.-]*(?:\(0\))?(?:[ ()/.-]*[0-9]){6,12}"
    r"|\(?0[1-9][0-9]{0,4}\)?(?:[ /.-]*[0-9]){5,10}"
    r"|(?:1[ .-])?\(?[2-9][0-9]{2}\)?[ .-][2-9][0-9]{2}[ .-][0-9]{4})"
)
_DATE = re.compile(r"[0-9]{1,4}([-./])[0-9]{1,2}\1[0-9]{1,4}")
_DIGIT = re.compile(r"[0-9]")
# Of numbers without separators or letters about one in ten passes a test by chance, so they
# count only when a good part of the numbers passes the same test.
_BARE = re.compile(r"[0-9]+")
_BY_CHANCE = 0.5
_LEAST_BARE = 3
_SAMPLE = 2000


@dataclass(frozen=True)
class _NationalId:
    name: str
    form: re.Pattern[str]
    valid: Callable[[str], bool] = field(repr=False)


def _national(name: str, form: str, valid: Callable[[str], bool]) -> _NationalId:
    return _NationalId(name, re.compile(form, re.IGNORECASE | re.ASCII), valid)


NATIONAL_IDS: tuple[_NationalId, ...] = (
    _national("BE national number", r"\d{2}\.?\d{2}\.?\d{2}[- ]?\d{3}[. ]?\d{2}", nn.is_valid),
    _national("BR CPF", r"\d{3}\.?\d{3}\.?\d{3}-?\d{2}", cpf.is_valid),
    _national("CH AHV number", r"756\.?\d{4}\.?\d{4}\.?\d{2}", ch_ahv.is_valid),
    _national("CN resident number", r"\d{17}[\dX]", ric.is_valid),
    _national("CZ birth number", r"\d{6}/?\d{3,4}", rc.is_valid),
    _national("DE tax number", r"\d{2} ?\d{3} ?\d{3} ?\d{3}", idnr.is_valid),
    _national("DK CPR", r"\d{6}-\d{4}", cpr.is_valid),
    _national("ES DNI", r"\d{8}-?[A-Z]", dni.is_valid),
    _national("ES NIE", r"[XYZ]-?\d{7}-?[A-Z]", nie.is_valid),
    _national("FI HETU", r"\d{6}[-+A-FU-Y]\d{3}[0-9A-Y]", hetu.is_valid),
    _national("FR NIR", r"[12] ?\d{2} ?\d{2} ?(?:\d{2}|2[AB]) ?\d{3} ?\d{3} ?\d{2}", nir.is_valid),
    _national("GB NHS number", r"\d{3}[ -]?\d{3}[ -]?\d{4}", nhs.is_valid),
    _national("IT codice fiscale", r"[A-Z]{6}[0-9A-Z]{2}[A-Z][0-9A-Z]{2}[A-Z][0-9A-Z]{3}[A-Z]", codicefiscale.is_valid),
    _national("NL BSN", r"\d{8,9}|\d{4}\.\d{2}\.\d{3}", bsn.is_valid),
    _national("NO birth number", r"\d{6} ?\d{5}", fodselsnummer.is_valid),
    _national("PL PESEL", r"\d{11}", pesel.is_valid),
    _national("SE personal number", r"(?:\d{2})?\d{6}[-+]\d{4}|\d{12}", personnummer.is_valid),
    _national("US SSN", r"\d{3}-\d{2}-\d{4}", ssn.is_valid),
)  # fmt: skip


def _digits(text: str) -> int:
    return len(_DIGIT.findall(text))


def has_email(text: str) -> bool:
    """Say whether a text contains an e-mail address."""
    return "@" in text and _E_MAIL.search(text) is not None


def is_phone(text: str) -> bool:
    """Say whether a text is a phone number."""
    return _PHONE.fullmatch(text) is not None and LEAST_DIGITS <= _digits(text) <= 15 and _DATE.fullmatch(text) is None


def has_iban(text: str) -> bool:
    """Say whether a text contains an IBAN with the right check digits."""
    return any(iban.is_valid(found.group()) for found in _IBAN.finditer(text.upper()))


def has_card(text: str) -> bool:
    """Say whether a text contains a payment card number with the right check digit."""
    for found in _CARD.finditer(text):
        number = found.group().replace(" ", "").replace("-", "")
        if len(number) in _CARD_LENGTHS.get(number[0], ()) and _CARD_START.match(number) and luhn.is_valid(number):
            return True
    return False


def national_ids(text: str) -> list[str]:
    """Return the names of the national identifiers a text passes the test of."""
    if len(text) > _LONGEST_ID or sum(map(str.isalnum, text)) < LEAST_DIGITS or not _digits(text):
        return []
    return [each.name for each in NATIONAL_IDS if each.form.fullmatch(text) and each.valid(text)]


@dataclass(frozen=True)
class PatternCounts:
    """How many cells of a column pass each test.

    Attributes
    ----------
    cells
        Cells looked at: all that hold something.
    counts
        For each pattern the number of cells that pass.
    matching
        Cells that pass at least one.
    national
        For each national identifier the number of cells that pass.
    """

    cells: int
    counts: dict[str, int]
    matching: int
    national: dict[str, int]


def count_patterns(
    texts: Sequence[str], cells: Iterable[int] | None = None, progress: Progress | None = None
) -> PatternCounts:
    """Count the cells that pass e-mail, phone, IBAN, card and national identifier tests.

    Parameters
    ----------
    texts
        Distinct texts, or one a cell.
    cells
        How many cells hold each text; None for one each.
    progress
        Checked while texts are looked at.
    """
    counts = dict.fromkeys(PATTERNS, 0)
    total = matching = 0
    national: Counter[str] = Counter()
    bare: list[tuple[str, int, bool]] = []
    for text, number in _weighted(progress.each(texts) if progress is not None else texts, cells):
        shown = text.strip()[:_LONGEST]
        if not shown:
            continue
        total += number
        if len(shown) < LEAST_DIGITS and "@" not in shown and shown.isascii():
            continue  # too short for all but an address
        found = [name for name, test in _TESTS if test(shown)]
        if _BARE.fullmatch(shown):
            if len(shown) >= LEAST_DIGITS:
                bare.append((shown, number, bool(found)))
        elif names := national_ids(shown):
            national.update(dict.fromkeys(names, number))
            found.append(NATIONAL_ID)
        for name in found:
            counts[name] += number
        matching += number if found else 0
    for number, is_found, names in _bare_ids(bare, progress or silent()) if bare else ():
        national.update(dict.fromkeys(names, number))
        counts[NATIONAL_ID] += number
        matching += 0 if is_found else number
    return PatternCounts(total, counts, matching, dict(national))


def _bare_ids(bare: list[tuple[str, int, bool]], progress: Progress) -> Iterable[tuple[int, bool, list[str]]]:
    """Return the bare numbers that pass a test most of them pass: one by one they prove nothing."""
    if len(bare) < _LEAST_BARE:
        return
    sample = bare[:: max(1, len(bare) // _SAMPLE)]
    passed = Counter(name for text, _, _ in progress.each(sample) for name in national_ids(text))
    tests = [each for each in NATIONAL_IDS if passed[each.name] >= _BY_CHANCE * len(sample)]
    for text, number, is_found in progress.each(bare) if tests else ():
        names = [each.name for each in tests if each.form.fullmatch(text) and each.valid(text)]
        if names:
            yield number, is_found, names


_TESTS: tuple[tuple[str, Callable[[str], bool]], ...] = (
    (E_MAIL, has_email),
    (PHONE, is_phone),
    (IBAN, has_iban),
    (CARD, has_card),
)


def _weighted(texts: Iterable[str], cells: Iterable[int] | None) -> Iterable[tuple[str, int]]:
    if cells is None:
        return ((text, 1) for text in texts)
    return zip(texts, cells)
