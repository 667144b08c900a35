"""Texts that are, or hold, a person's address or number: e-mail, phone, IBAN, card, national identifiers and others.

Used to suggest roles and, on the released file, by the gate. ``count_patterns`` asks of whole cells,
``find`` looks inside texts. Check digits are tested on eight digits and more only.
"""

from __future__ import annotations

import ipaddress
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from stdnum import iban, luhn
from stdnum.be import nn
from stdnum.br import cpf
from stdnum.ch import ssn as ch_ahv
from stdnum.cn import ric
from stdnum.cz import rc
from stdnum.de import idnr
from stdnum.dk import cpr
from stdnum.es import dni, nie
from stdnum.exceptions import ValidationError
from stdnum.fi import hetu
from stdnum.fr import nir
from stdnum.gb import nhs, upn
from stdnum.it import codicefiscale
from stdnum.nl import bsn
from stdnum.no import fodselsnummer
from stdnum.pl import pesel
from stdnum.se import personnummer

from ppdm_desktop.engine.progress import Progress, silent
from ppdm_desktop.engine.table.national_numbers import (
    is_american_security_number,
    is_austrian_insurance_number,
    is_british_insurance_number,
    is_german_health_number,
    is_german_identity_card,
    is_german_pension_number,
)

E_MAIL, PHONE, IBAN, CARD, NATIONAL_ID = "e-mail", "phone", "iban", "card", "national-id"
UUID, HASH, IP, URL, COORDINATES = "uuid", "hash", "ip", "url", "coordinates"
PATTERNS = (E_MAIL, PHONE, IBAN, CARD, NATIONAL_ID, UUID, HASH, IP, URL)
"""What whole cells are tested for, in the order in which the first that nearly all pass counts."""

LEAST_DIGITS = 8
_LONGEST = 4096
_LONGEST_ID = 24
# The sign may be spelt out, as people do who fear to be written to: "anna(at)example.org".
_AT = r"(?:@| ?[(\[{](?:at|ät|@)[)\]}] ?)"
_E_MAIL = re.compile(rf"(?<![\w.+-])[\w.+-]{{1,64}}{_AT}(?:[\w-]{{1,63}}\.)+[^\W\d_]{{2,24}}(?![\w-])", re.IGNORECASE)
_IBAN = re.compile(r"(?<![^\W_])[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]){11,30}", re.IGNORECASE | re.ASCII)
_CARD = re.compile(r"(?<![\w.,+-])[0-9](?:[ -]?[0-9]){12,18}(?![0-9]|[.,-][0-9])")
_CARD_START = re.compile(r"4|5[1-5]|2(?:2[2-9]|[3-6]|7[01]|720)|3[47]|3(?:0|6|8)|35|6011|65|64[4-9]")
# Cards of thirteen digits are no longer issued, and the numbers of goods have as many.
_CARD_LENGTHS = {"4": (16, 19), "5": (16,), "2": (16,), "6": (16, 19), "3": (14, 15, 16)}
# An international number; one with its area code in brackets, or apart from the rest; French pairs; the North
# American grouping. Where nothing stands between the digits only a whole cell, or a word before it, makes it one.
_PHONE_FORMS = (
    r"(?:\+|00)[1-9](?:[ ./()-]{0,3}[0-9]){7,13}"
    r"|\(0[0-9]{1,5}\)(?: ?[/-] ?| )?[0-9](?:[ /.-]?[0-9]){3,9}"
    r"|0[1-9][0-9]{1,3}(?: ?[/-] ?| )[0-9](?:[ /-]?[0-9]){4,9}"
    r"|0[1-9][0-9]{3,4}(?: ?[/-] ?| )[0-9](?:[ /-]?[0-9]){3,9}"
    r"|01/[0-9]{6,9}|01[5-7][0-9]\.[0-9]{6,9}"
    r"|0[1-9](?P<apart>[ .-])[0-9]{2}(?:(?P=apart)[0-9]{2}){3}"
    r"|(?:1[ .-])?(?:\([2-9][0-9]{2}\) ?|[2-9][0-9]{2}[ .-])[2-9][0-9]{2}[ .-][0-9]{4}"
    r"|01[5-7][0-9]{8,9}|07[0-9]{9}"
)
_PHONE = re.compile(rf"(?<![\w+.,/-])(?:{_PHONE_FORMS})(?!\w|[.,][0-9])")
_PHONE_ALONE = re.compile(rf"{_PHONE_FORMS}|0[1-9][0-9]{{8,13}}")
_PHONE_AFTER_WORD = re.compile(
    r"(?<![^\W\d_])(?:tel|telefon|phone|fon|mobile?|handy|cell|fax|call|whatsapp)(?:nr|nummer|no|number)?\.?:? {0,2}"
    r"(?P<number>\+?[0-9]{8,15})(?!\w|[.,-][0-9])",
    re.IGNORECASE,
)
_UUID = re.compile(r"(?<![\w-])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![\w-])", re.IGNORECASE)
_HASH = re.compile(
    r"(?<!\w)(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])(?:[0-9a-f]{64}|[0-9a-f]{40}|[0-9a-f]{32})(?!\w)", re.IGNORECASE
)
_IP4 = re.compile(r"(?<![\w.,-])(?:[0-9]{1,3}\.){3}[0-9]{1,3}(?!\w|[.-][0-9])")
_IP6 = re.compile(r"(?<![\w:.])[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}(?![\w:])", re.IGNORECASE)
_URL = re.compile(r"(?<![^\W_])(?:https?://|www\.)[^\s<>\"']*[^\s<>\"'.,;:!?)\]]", re.IGNORECASE)
_DEGREES = r"[-+]?[0-9]{1,3}\.[0-9]{4,}"
_COORDINATES = re.compile(
    rf"(?<![\w.,+-])(?P<lat>{_DEGREES})°? ?[NS]?(?: ?[,;/] ?| )(?P<lon>{_DEGREES})(?:°? ?[EWO])?(?!\w|[.,][0-9])"
)
_DATE = re.compile(r"[0-9]{1,4}([-./])[0-9]{1,2}\1[0-9]{1,4}")
_DIGIT = re.compile(r"[0-9]")
# Of numbers without separators or letters about one in ten passes a test by chance, so they
# count only when a good part of the numbers passes the same test.
_BARE = re.compile(r"[0-9]+")
_MOST_PASS = 0.5
_CHANCE = 0.1
_SURE = 1e-3
_SAMPLE = 2000


# Up to three words may stand between: "SSN of the father 219-09-9998", "SVNR falsch, richtig 1237 010180".
_NUMBER_WORD = r"(?:[- ]?(?:nr|no|number|nummer|num))?\.?(?:,? [^\W\d_]{1,20}){0,3} {0,2}[:#=]? {0,2}"
_ENDS = r"(?![^\W_]|[.,/-][0-9])"


@dataclass(frozen=True)
class _NationalId:
    """An identifier; after its own ``words`` it may be written as ``bare`` as well.

    What is looked for is compiled when first looked for: compiling all of them takes longer than showing a window.
    """

    name: str
    written: str
    valid: Callable[[str], bool] = field(repr=False)
    words: str
    bare: str = ""

    @cached_property
    def form(self) -> re.Pattern[str]:
        """The whole of a text."""
        return re.compile(self.written, re.IGNORECASE | re.ASCII)

    @cached_property
    def inside(self) -> re.Pattern[str]:
        """Inside a text, standing by itself."""
        return re.compile(rf"(?<![\w.,+/-])(?:{self.written}){_ENDS}", re.IGNORECASE | re.ASCII)

    @cached_property
    def after_word(self) -> re.Pattern[str]:
        """Inside a text, after a word that names it."""
        written = f"{self.written}|{self.bare}" if self.bare else self.written
        return re.compile(rf"(?<![^\W\d_])(?:{self.words}){_NUMBER_WORD}(?P<number>{written}){_ENDS}", re.IGNORECASE)


NATIONAL_IDS: tuple[_NationalId, ...] = (
    _NationalId("AT insurance number", r"\d{4} \d{6}", is_austrian_insurance_number,
                 r"sv|svnr|(?:mit)?vers\.?|(?:mit)?versicher(?:t|ung)s?", r"\d{10}"),
    _NationalId("BE national number", r"\d{2}\.?\d{2}\.?\d{2}[- ]?\d{3}[. ]?\d{2}", nn.is_valid,
                 r"rijksregister|registre national|numéro national"),
    _NationalId("BR CPF", r"\d{3}\.?\d{3}\.?\d{3}-?\d{2}", cpf.is_valid, r"cpf"),
    _NationalId("CH AHV number", r"756\.?\d{4}\.?\d{4}\.?\d{2}", ch_ahv.is_valid, r"ahv|avs|navs"),
    _NationalId("CN resident number", r"\d{17}[\dX]", ric.is_valid, r"身份证|resident id"),
    _NationalId("CZ birth number", r"\d{6}/?\d{3,4}", rc.is_valid, r"rodné číslo|rč"),
    _NationalId("DE health insurance number", r"[A-Z]\d{9}", is_german_health_number, r"kvnr|versicherten|vers"),
    _NationalId("DE identity card", r"[CFGHJ-NPRTV-Z0-9]{9}[- ]?\d", is_german_identity_card,
                 r"(?:personal)?ausweis|(?:reise)?pass|passport|id card|perso"),
    _NationalId("DE pension number", r"\d{2} ?\d{6} ?[A-Z] ?\d{3}", is_german_pension_number, r"rv|sv|rvnr|svnr"),
    _NationalId("DE tax number", r"\d{2} ?\d{3} ?\d{3} ?\d{3}", idnr.is_valid,
                 r"steuer-?id|idnr|steueridentifikation|tax id|steuerliche identifikation"),
    _NationalId("DK CPR", r"\d{6}-\d{4}", cpr.is_valid, r"cpr", r"\d{10}"),
    _NationalId("ES DNI", r"\d{8}-?[A-Z]", dni.is_valid, r"dni|nif"),
    _NationalId("ES NIE", r"[XYZ]-?\d{7}-?[A-Z]", nie.is_valid, r"nie"),
    _NationalId("FI HETU", r"\d{6}[-+A-FU-Y]\d{3}[0-9A-Y]", hetu.is_valid, r"hetu|henkilötunnus"),
    _NationalId("FR NIR", r"[12] ?\d{2} ?\d{2} ?(?:\d{2}|2[AB]) ?\d{3} ?\d{3} ?\d{2}", nir.is_valid,
                 r"nir|sécu|sécurité sociale|insee"),
    _NationalId("GB NHS number", r"\d{3}[ -]?\d{3}[ -]?\d{4}", nhs.is_valid, r"nhs"),
    _NationalId("GB insurance number", r"[A-Z]{2} ?\d{2} ?\d{2} ?\d{2} ?[A-D]", is_british_insurance_number,
                 r"ni|nino|national insurance"),
    _NationalId("GB pupil number", r"[A-Z]\d{11}[\dA-Z]", upn.is_valid, r"upn"),
    _NationalId("IT codice fiscale", r"[A-Z]{6}[0-9A-Z]{2}[A-Z][0-9A-Z]{2}[A-Z][0-9A-Z]{3}[A-Z]",
                 codicefiscale.is_valid, r"codice fiscale|cf"),
    _NationalId("NL BSN", r"\d{8,9}|\d{4}\.\d{2}\.\d{3}", bsn.is_valid, r"bsn|burgerservice"),
    _NationalId("NO birth number", r"\d{6} ?\d{5}", fodselsnummer.is_valid, r"fødsels|fnr|personnummer"),
    _NationalId("PL PESEL", r"\d{11}", pesel.is_valid, r"pesel"),
    _NationalId("SE personal number", r"(?:\d{2})?\d{6}[-+]\d{4}|\d{12}", personnummer.is_valid,
                 r"personnummer|pnr", r"\d{10}"),
    _NationalId("US SSN", r"\d{3}-\d{2}-\d{4}", is_american_security_number,
                 r"ssn|social security", r"\d{3} \d{2} \d{4}|\d{9}"),
)  # fmt: skip


def _digits(text: str) -> int:
    return len(_DIGIT.findall(text))


def has_email(text: str) -> bool:
    """Say whether a text contains an e-mail address."""
    return "@" in text and _E_MAIL.search(text) is not None


def is_phone(text: str) -> bool:
    """Say whether a text is a phone number."""
    return _PHONE_ALONE.fullmatch(text) is not None and _may_be_called(text)


def _may_be_called(text: str) -> bool:
    return LEAST_DIGITS <= _digits(text) <= 15 and _DATE.fullmatch(text) is None


def _ibans(text: str) -> Iterator[tuple[int, int]]:
    """Return where a text holds an IBAN: what follows it may be a word like any other."""
    for found in _IBAN.finditer(text):
        written = found.group()
        for length in range(len(written), 14, -1):
            after = text[found.start() + length : found.start() + length + 1]
            ends = not after.isalnum() and written[length - 1] != " "
            if ends and _is_iban(written[:length].upper()):
                yield found.start(), found.start() + length
                break


def _is_iban(text: str) -> bool:
    """Say whether length and check digits are right; a bank's own check digits inside are not asked."""
    try:
        iban.validate(text, check_country=False)
    except ValidationError:
        return False
    return True


def has_iban(text: str) -> bool:
    """Say whether a text contains an IBAN with the right check digits."""
    return next(_ibans(text), None) is not None


def _cards(text: str) -> Iterator[tuple[int, int]]:
    for found in _CARD.finditer(text):
        number = found.group().replace(" ", "").replace("-", "")
        if len(number) in _CARD_LENGTHS.get(number[0], ()) and _CARD_START.match(number) and luhn.is_valid(number):
            yield found.span()


def has_card(text: str) -> bool:
    """Say whether a text contains a payment card number with the right check digit."""
    return next(_cards(text), None) is not None


def is_ip(text: str) -> bool:
    """Say whether a text is an internet address, of the older or the newer form."""
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return False
    # "::" and "10:20::" are addresses of nobody's machine, and times are written so.
    return address.version == 4 or len(text.replace(":", "")) >= LEAST_DIGITS


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
    """Count the cells that pass each test: e-mail, phone, IBAN, card, national identifier and the others.

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
    for place, names in _bare_ids([text for text, _, _ in bare], progress or silent()):
        _, number, is_found = bare[place]
        national.update(dict.fromkeys(names, number))
        counts[NATIONAL_ID] += number
        matching += 0 if is_found else number
    return PatternCounts(total, counts, matching, dict(national))


def _bare_ids(bare: Sequence[str], progress: Progress) -> Iterator[tuple[int, list[str]]]:
    """Return which bare numbers pass a test that most pass, and not by chance: one by one they prove nothing."""
    if not bare:
        return
    from scipy.special import bdtrc

    sample = bare[:: max(1, len(bare) // _SAMPLE)]
    passed = Counter(name for text in progress.each(sample) for name in national_ids(text))
    tests = [
        each
        for each in NATIONAL_IDS
        if passed[each.name] >= _MOST_PASS * len(sample)
        and float(bdtrc(passed[each.name] - 1, len(sample), _CHANCE)) * len(NATIONAL_IDS) < _SURE
    ]
    for place, text in enumerate(progress.each(bare)) if tests else ():
        names = [each.name for each in tests if each.form.fullmatch(text) and each.valid(text)]
        if names:
            yield place, names


_TESTS: tuple[tuple[str, Callable[[str], bool]], ...] = (
    (E_MAIL, has_email),
    (PHONE, is_phone),
    (IBAN, has_iban),
    (CARD, has_card),
    (UUID, lambda text: _UUID.fullmatch(text) is not None),
    (HASH, lambda text: _HASH.fullmatch(text) is not None),
    (IP, is_ip),
    (URL, lambda text: _URL.fullmatch(text) is not None),
)


def _weighted(texts: Iterable[str], cells: Iterable[int] | None) -> Iterable[tuple[str, int]]:
    if cells is None:
        return ((text, 1) for text in texts)
    return zip(texts, cells)


# --- inside texts -----------------------------------------------------------------------


@dataclass(frozen=True)
class Finding:
    """Something in a text that points at a person.

    Attributes
    ----------
    kind
        One of ``PATTERNS`` or ``coordinates``.
    start, end
        Where in the text it stands, as in a slice.
    """

    kind: str
    start: int
    end: int


# Most texts hold none of these signs, and need no second look.
_SIX_DIGITS = r"[0-9](?:[^0-9]{0,3}[0-9]){5}"
_LETTERED_ID = r"[A-Z0-9]{9}[- ]?[0-9]"
_MAY_HOLD = re.compile(
    rf"[@:]|[(\[{{][aä]t[)\]}}]|{_LETTERED_ID}|www\.|(?:[0-9]+\.){{3}}|{_SIX_DIGITS}|[0-9a-f]{{32}}", re.IGNORECASE
)
_MAY_HOLD_ID = re.compile(rf"{_SIX_DIGITS}|{_LETTERED_ID}", re.IGNORECASE)


def find(text: str) -> list[Finding]:
    """Return what a text holds that points at a person, in the order of where it begins.

    A number without separators or letters is one only as a whole text or after its own word
    ("SSN 219099998"): inside a text it may be an amount or an order.

    Parameters
    ----------
    text
        At most the first 4,096 signs are looked at.
    """
    text = text[:_LONGEST]
    if _MAY_HOLD.search(text) is None:
        return []
    found: list[Finding] = []
    for kind, spans in _PLACES:
        for start, end in spans(text):
            # Digits in the middle of an IBAN are no phone number of their own.
            if not any(start < each.end and each.start < end for each in found if each.kind in _COVERS):
                found.append(Finding(kind, start, end))
    outermost = {each for each in found if not any(_within(each, other) for other in found)}
    return sorted(outermost, key=lambda each: (each.start, each.end, each.kind))


def _within(one: Finding, other: Finding) -> bool:
    """Say whether a finding is a mere part of another, as some digits of a phone number pass other tests."""
    return other.start <= one.start and one.end <= other.end and one.end - one.start < other.end - other.start


def _spans(pattern: re.Pattern[str]) -> Callable[[str], Iterator[tuple[int, int]]]:
    return lambda text: (found.span() for found in pattern.finditer(text))


def _phones(text: str) -> Iterator[tuple[int, int]]:
    bare = text.strip()
    if is_phone(bare):
        start = text.index(bare)
        yield start, start + len(bare)
        return
    for found in _PHONE.finditer(text):
        if _may_be_called(found.group()):
            yield found.span()
    for found in _PHONE_AFTER_WORD.finditer(text):
        yield found.span("number")


def _ids(text: str) -> Iterator[tuple[int, int]]:
    if _MAY_HOLD_ID.search(text) is None:
        return
    for each in NATIONAL_IDS:
        for found in each.inside.finditer(text):
            if not _BARE.fullmatch(found.group()) and each.valid(found.group()):
                yield found.span()
        for found in each.after_word.finditer(text):
            if each.valid(found.group("number")):
                yield found.span("number")


def _ips(text: str) -> Iterator[tuple[int, int]]:
    for pattern in (_IP4, _IP6):
        for found in pattern.finditer(text):
            if is_ip(found.group()):
                yield found.span()


def _coordinates(text: str) -> Iterator[tuple[int, int]]:
    """Return pairs of degrees; two shares between -1 and 1 are none, and nobody lives where they would be."""
    for found in _COORDINATES.finditer(text):
        latitude, longitude = abs(float(found["lat"])), abs(float(found["lon"]))
        if latitude <= 90 and longitude <= 180 and max(latitude, longitude) > 1:
            yield found.span()


_PLACES: tuple[tuple[str, Callable[[str], Iterator[tuple[int, int]]]], ...] = (
    (E_MAIL, _spans(_E_MAIL)),
    (URL, _spans(_URL)),
    (IBAN, _ibans),
    (UUID, _spans(_UUID)),
    (HASH, _spans(_HASH)),
    (CARD, _cards),
    (COORDINATES, _coordinates),
    (IP, _ips),
    (NATIONAL_ID, _ids),
    (PHONE, _phones),
)
_COVERS = (E_MAIL, URL, IBAN, UUID, HASH, CARD, COORDINATES, IP)


def find_in(texts: Sequence[str], progress: Progress) -> dict[int, list[Finding]]:
    """Return what each of a column's different texts holds, by place; texts that hold nothing are left out.

    Beside what ``find`` sees, bare numbers are national identifiers where most of them pass the same test.

    Parameters
    ----------
    texts
        Different texts of one column.
    progress
        Checked while texts are looked at.
    """
    found = {place: each for place, text in enumerate(progress.each(texts)) if (each := find(text))}
    bare = [
        (place, text.strip())
        for place, text in enumerate(texts)
        if len(text) >= LEAST_DIGITS and _BARE.fullmatch(text.strip()) and len(text.strip()) >= LEAST_DIGITS
    ]
    for place, _names in _bare_ids([text for _, text in bare], progress):
        place, shown = bare[place]
        start = texts[place].index(shown)
        found.setdefault(place, []).append(Finding(NATIONAL_ID, start, start + len(shown)))
    return found
