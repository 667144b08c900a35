"""Finding personal addresses and numbers in texts: e-mail, phone, IBAN, card, national identifiers and others.

Each sort is a `TextPattern` in ``PATTERNS``, with its name. Role suggestions, the check before a release,
``inspect`` and the window read them there, so a new sort is one new entry. ``count_patterns`` tests whole cells,
``find_personal_data`` searches inside texts.
"""

from __future__ import annotations

import ipaddress
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
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
from stdnum.tr import tckimlik

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.table.national_numbers import (
    is_american_security_number,
    is_austrian_insurance_number,
    is_british_insurance_number,
    is_german_health_number,
    is_german_identity_card,
    is_german_pension_number,
)
from ppdm_desktop.engine.wording.texts import all_texts, declare_text

LEAST_DIGITS = 8
_LONGEST = 4096
_LONGEST_ID = 24
# The sign may be spelt out, as people do who fear to be written to: "anna(at)example.org".
_AT = r"(?:@| ?[(\[{](?:at|ät|@)[)\]}] ?)"
_E_MAIL = re.compile(rf"(?<![\w.+-])[\w.+-]{{1,64}}{_AT}(?:[\w-]{{1,63}}\.)+[^\W\d_]{{2,24}}(?![\w-])", re.IGNORECASE)
_IBAN = re.compile(r"(?<![^\W_])(?=([A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]){11,30}))", re.IGNORECASE | re.ASCII)
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
_WHOLE_PHONE = re.compile(rf"{_PHONE_FORMS}|0[1-9][0-9]{{8,13}}")
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
_HANDLE = re.compile(r"(?<![\w@./+-])@[A-Za-z_][\w.]{1,28}\w(?![\w@])")
_VEHICLE = re.compile(r"(?<!\w)(?=[A-Z0-9]*[0-9]{4}(?!\w))(?=[0-9]*[A-Z])[A-HJ-NPR-Z0-9]{17}(?!\w)")
# Upper case counts: "Frau Weber" names a person, "Frau und Mann" does not; nor does "Sr." in a list of jobs.
_TITLED = re.compile(
    r"(?<!\w)(?:Mr|Mrs|Ms|Mme|Mlle|Madame|Monsieur|Frau|Herrn?|Sr|Sra|Srta|Señora?|Signora?|Mevrouw|Bay|Bayan)\.? "
    r"(?!(?:Analyst|Associate|Consultant|Developer|Director|Engineer|Excel|Manager|Officer|Specialist)\b)"
    r"[A-ZÀ-ÖØ-ÞĞİŞČĎĚŇŘŠŤŮŽŁŚŹŻ][^\W\d_]+"
)
_STREET = re.compile(
    r"[^\W\d_]{3,}(?:straße|strasse|str\.|gasse|allee|weg|straat|laan|gracht) [0-9]{1,4}[a-z]?(?!\w)"
    r"|[^\W\d_]{3,} (?:Straße|Caddesi|Cad\.|Sokak|Sokağı|Sok\.|Bulvarı) (?:No:? ?)?[0-9]{1,4}(?!\w)"
    r"|(?<!\w)[0-9]{1,4},? (?:rue|avenue|boulevard|chemin) (?:de |du |des |d’|la |le )*[^\W\d_]{3,}"
    r"|(?<!\w)[0-9]{1,5} [A-Z][a-z]+ (?:Street|St|Road|Rd|Avenue|Ave|Lane|Drive)(?!\w)"
    r"|(?<!\w)(?:Calle|Rua|Via|Avenida|Carrera) [A-ZÀ-Þ]\w+(?: \w+){0,3},? [0-9]{1,4}(?!\w)"
)
# "17 F 288/21" is the file of a court.
_PLATE = re.compile(
    r"(?<![\w-])(?:[A-ZÄÖÜ]{1,3}-[A-Z]{1,2} [0-9]{1,4}[EH]?|(?:0[1-9]|[1-7][0-9]|8[01]) [A-Z]{1,3} [0-9]{2,5}"
    r"|[A-Z]{2}-[0-9]{3}-[A-Z]{1,2}|[A-Z]-[0-9]{3}-[A-Z]{2}|[0-9]{1,2}-[A-Z]{2,3}-[0-9]{1,2})(?![\w-]|/[0-9])"
)
_POSTCODE = re.compile(
    r"(?<![\w.,-])[1-9][0-9]{3} ?[A-Z]{2} [A-Z][a-z]{2,}"
    r"|(?<!\w)(?:nach|aus|in|from|to|à|en|de|da) (?![0-9]{3}00)(?P<place>[0-9]{5} [A-ZÀ-Þ][^\W\d_]{2,})"
)
_WORD = re.compile(r"[^\W\d_]{3,}")
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
    """A national identifier: its form, its check-digit test, and the words that may stand before it.

    Regular expressions are compiled at first use, since compiling all of them takes longer than showing a window.
    """

    name: str
    written: str
    valid: Callable[[str], bool] = field(repr=False)
    keywords: str
    bare: str = ""

    @cached_property
    def form(self) -> re.Pattern[str]:
        """The regular expression for a whole text that has the form of this identifier, in capitals or not."""
        return re.compile(self.written, re.IGNORECASE | re.ASCII)

    @cached_property
    def inside(self) -> re.Pattern[str]:
        """The regular expression that finds this identifier inside a text, with no letter or digit next to it."""
        return re.compile(rf"(?<![\w.,+/-])(?:{self.written}){_ENDS}", re.IGNORECASE | re.ASCII)

    @cached_property
    def after_word(self) -> re.Pattern[str]:
        """The regular expression that finds this identifier, as group ``number``, after a word for it such as "SSN"."""
        written = f"{self.written}|{self.bare}" if self.bare else self.written
        return re.compile(rf"(?<![^\W\d_])(?:{self.keywords}){_NUMBER_WORD}(?P<number>{written}){_ENDS}", re.IGNORECASE)


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
    _NationalId("TR TCKN", r"[1-9]\d{10}", tckimlik.is_valid, r"tc|t\.c\.|tckn|kimlik"),
    _NationalId("US SSN", r"\d{3}-\d{2}-\d{4}", is_american_security_number,
                 r"ssn|social security", r"\d{3} \d{2} \d{4}|\d{9}"),
)  # fmt: skip


def _count_digits(text: str) -> int:
    """Return how many digits a text holds."""
    return len(_DIGIT.findall(text))


def has_email(text: str) -> bool:
    """Return whether a text contains an e-mail address, such as "anna@example.org" or "anna(at)example.org"."""
    return _E_MAIL.search(text) is not None


def is_phone(text: str) -> bool:
    """Return whether a whole text is written like a phone number, with 8 to 15 digits, and is no date."""
    return _WHOLE_PHONE.fullmatch(text) is not None and _may_be_called(text)


def _may_be_called(text: str) -> bool:
    """Return whether a text has 8 to 15 digits, as phone numbers have, and is no date."""
    return LEAST_DIGITS <= _count_digits(text) <= 15 and _DATE.fullmatch(text) is None


def _find_ibans(text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end (exclusive) of the IBANs in a text whose length and check digits are correct.

    Single blanks between the signs and small letters are allowed.
    """
    found_until = 0
    for match in _IBAN.finditer(text):
        written = match[1] if match.start() >= found_until else ""
        for length in range(len(written), 14, -1):
            after = text[match.start() + length : match.start() + length + 1]
            ends = not after.isalnum() and written[length - 1] != " "
            if ends and _is_iban(written[:length].upper()):
                found_until = match.start() + length
                yield match.start(), found_until
                break


def _is_iban(text: str) -> bool:
    """Return whether a text has the length and check digits of an IBAN of a known country.

    Small letters count as capitals; blanks, hyphens and points are ignored.
    """
    try:
        iban.validate(text, check_country=False)
    except ValidationError:
        return False
    return True


def has_iban(text: str) -> bool:
    """Return whether a text contains an IBAN with correct check digits."""
    return next(_find_ibans(text), None) is not None


def _find_card_numbers(text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end (exclusive) of every payment card number in a text.

    Its first digits, its length and its check digit must be valid. A blank or a hyphen may stand between two digits.
    """
    for match in _CARD.finditer(text):
        number = match.group().replace(" ", "").replace("-", "")
        if len(number) in _CARD_LENGTHS.get(number[0], ()) and _CARD_START.match(number) and luhn.is_valid(number):
            yield match.span()


def has_card(text: str) -> bool:
    """Return whether a text contains a payment card number with a correct check digit."""
    return next(_find_card_numbers(text), None) is not None


def is_ip(text: str) -> bool:
    """Return whether a text is an IPv4 or IPv6 address; False for short ones that no machine has, as ``10:20::``."""
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return False
    # "::" and "10:20::" are addresses of nobody's machine, and times are written so.
    return address.version == 4 or not address.is_reserved or len(text.replace(":", "")) >= LEAST_DIGITS


def national_ids(text: str) -> list[str]:
    """Return the names of the national identifiers that a whole text may be: those whose form and check digit fit.

    A text may fit several. "219-09-9998" gives ["US SSN"]. The British insurance number has no check digit. Empty for
    other texts, such as those with fewer than eight letters and digits, without any digit, with blanks around, or with
    more than 24 characters.
    """
    if len(text) > _LONGEST_ID or sum(map(str.isalnum, text)) < LEAST_DIGITS or not _count_digits(text):
        return []
    return [
        national_id.name for national_id in NATIONAL_IDS if national_id.form.fullmatch(text) and national_id.valid(text)
    ]


# Most texts hold none of these signs, and need no second look.
_SIX_DIGITS = r"[0-9](?:[^0-9]{0,3}[0-9]){5}"
_LETTERED_ID = r"[A-Z0-9]{9}[- ]?[0-9]"
_ID_SIGN = rf"{_SIX_DIGITS}|{_LETTERED_ID}"
_MAY_HOLD_ID = re.compile(_ID_SIGN, re.IGNORECASE)


def _make_span_finder(form: re.Pattern[str]) -> Callable[[str], Iterator[tuple[int, int]]]:
    """Return a function that yields start and end of every match of ``form`` in a text."""
    return lambda text: (match.span() for match in form.finditer(text))


def _make_sentence_finder(form: re.Pattern[str]) -> Callable[[str], Iterator[tuple[int, int]]]:
    """Return a function that yields start and end (exclusive) of each match of ``form`` in a text that also has a word.

    The word, of three letters or more, stands anywhere before or behind the match: a match without any could be any
    code.
    """

    def spans(text: str) -> Iterator[tuple[int, int]]:
        """Yield start and end of each match that has a word of three letters or more somewhere before or after it."""
        for match in form.finditer(text):
            if _WORD.search(text[: match.start()]) or _WORD.search(text[match.end() :]):
                yield match.span()

    return spans


def _make_whole_matcher(form: re.Pattern[str]) -> Callable[[str], bool]:
    """Return a function that tells whether a whole text matches ``form``."""
    return lambda text: form.fullmatch(text) is not None


def _find_phone_numbers(text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end (exclusive) of every phone number in a text.

    If the whole text is one, apart from blanks around it, only this is yielded. Inside a text, digits without
    separators count only after a word such as "Tel", or if they begin as +49, 0049, 0171 or 07 do: an international
    number, or a German or British mobile number. A number may be yielded twice.
    """
    bare = text.strip()
    if is_phone(bare):
        start = text.index(bare)
        yield start, start + len(bare)
        return
    for match in _PHONE.finditer(text):
        if _may_be_called(match.group()):
            yield match.span()
    for match in _PHONE_AFTER_WORD.finditer(text):
        yield match.span("number")


def _find_national_ids(text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end (exclusive) of every national identifier in a text that passes its check-digit test.

    Digits without letters or separators count only after a word that names the identifier, such as "SSN". A number is
    yielded once for each kind of identifier and way of finding it that fits.
    """
    if _MAY_HOLD_ID.search(text) is None:
        return
    for national_id in NATIONAL_IDS:
        for match in national_id.inside.finditer(text):
            if not _BARE.fullmatch(match.group()) and national_id.valid(match.group()):
                yield match.span()
        for match in national_id.after_word.finditer(text):
            if national_id.valid(match.group("number")):
                yield match.span("number")


def _find_ip_addresses(text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end (exclusive) of every IPv4 and then every IPv6 address in a text, as ``is_ip`` judges them."""
    for pattern in (_IP4, _IP6):
        for match in pattern.finditer(text):
            if is_ip(match.group()):
                yield match.span()


def _find_coordinates(text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end (exclusive) of each pair of latitude and longitude in degrees in a text.

    Both are written with a point and at least four decimals, the latitude first, with a blank, comma, semicolon or
    slash between: ``52.5200, 13.4050``. Latitudes are up to 90, longitudes up to 180, both with either sign. Two
    numbers between -1 and 1 are taken for shares and left out.
    """
    for match in _COORDINATES.finditer(text):
        latitude, longitude = abs(float(match["lat"])), abs(float(match["lon"]))
        if latitude <= 90 and longitude <= 180 and max(latitude, longitude) > 1:
            yield match.span()


def _has_own_form(text: str) -> bool:
    """Return whether a whole text is a national identifier that has letters or separators, not digits alone."""
    return _BARE.fullmatch(text) is None and bool(national_ids(text))


def _find_bare_ids(numbers: Sequence[str]) -> Iterator[int]:
    """Yield the indices of plain numbers that are probably national identifiers, judged by all of them together.

    Such a number passes the test of an identifier that at least half of a sample of the numbers pass, more than chance
    explains. Nothing is yielded where no test is passed so often.
    """
    if not numbers:
        return
    from scipy.special import bdtrc

    sample = numbers[:: max(1, len(numbers) // _SAMPLE)]
    passed = Counter(name for text in progress.each(sample) for name in national_ids(text))
    tests = [
        national
        for national in NATIONAL_IDS
        if passed[national.name] >= _MOST_PASS * len(sample)
        and float(bdtrc(passed[national.name] - 1, len(sample), _CHANCE)) * len(NATIONAL_IDS) < _SURE
    ]
    for index, text in enumerate(progress.each(numbers)) if tests else ():
        if any(national.form.fullmatch(text) and national.valid(text) for national in tests):
            yield index


# --- what there is ----------------------------------------------------------------------


@dataclass(frozen=True)
class TextPattern:
    """One sort of address or number that points at a person: how it is found, and the sentences about it.

    Attributes
    ----------
    id
        Its name in reports and in the output of ``inspect``.
    plural
        Id of the message with the name of several, inside a sentence, such as "e-mail addresses".
    sign
        A regular expression, matched without regard to case, that matches somewhere in every text with one of this
        sort. It must be quick, since it is tried on all texts.
    spans
        Yields start and end of each one inside a text.
    is_cell
        Tells whether a whole cell is one; None where whole cells are not tested.
    is_short
        Whether one may have fewer than 8 characters.
    precedence
        Sorts with a higher number are looked for first in a text, and hide later findings that overlap them; 0 hides
        nothing.
    bare
        Yields which of a column's plain numbers, by index, are of this sort, judged together; None where none can be.
    """

    id: str
    plural: str
    sign: str
    spans: Callable[[str], Iterator[tuple[int, int]]] = field(repr=False)
    is_cell: Callable[[str], bool] | None = field(default=None, repr=False)
    is_short: bool = False
    precedence: int = 0
    bare: Callable[[Sequence[str]], Iterator[int]] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        """Raise ValueError if the text whose id is ``plural`` is empty, or has a placeholder to be filled in."""
        name = all_texts()[self.plural].sentence
        if not name.strip() or "{" in name:
            raise ValueError(f"{self.id}: plural is a name without places to fill")


PATTERNS: Mapping[str, TextPattern] = {
    pattern.id: pattern
    for pattern in (
        TextPattern(
            "e-mail",
            plural=declare_text("pattern.e-mail", sentence="e-mail addresses"),
            sign=r"@|[(\[{][aä]t[)\]}]",
            spans=_make_span_finder(_E_MAIL),
            is_cell=has_email,
            is_short=True,
            precedence=8,
        ),
        TextPattern(
            "phone",
            plural=declare_text("pattern.phone", sentence="phone numbers"),
            sign=_SIX_DIGITS,
            spans=_find_phone_numbers,
            is_cell=is_phone,
        ),
        TextPattern(
            "iban",
            plural=declare_text("pattern.iban", sentence="account numbers (IBAN)"),
            sign=_ID_SIGN,
            spans=_find_ibans,
            is_cell=has_iban,
            precedence=6,
        ),
        TextPattern(
            "card",
            plural=declare_text("pattern.card", sentence="card numbers"),
            sign=_SIX_DIGITS,
            spans=_find_card_numbers,
            is_cell=has_card,
            precedence=3,
        ),
        TextPattern(
            "national-id",
            plural=declare_text("pattern.national-id", sentence="national identity numbers"),
            sign=_ID_SIGN,
            spans=_find_national_ids,
            is_cell=_has_own_form,
            bare=_find_bare_ids,
        ),
        TextPattern(
            "uuid",
            plural=declare_text("pattern.uuid", sentence="computer-made identifiers (UUID)"),
            sign=_ID_SIGN,
            spans=_make_span_finder(_UUID),
            is_cell=_make_whole_matcher(_UUID),
            precedence=5,
        ),
        TextPattern(
            "hash",
            plural=declare_text("pattern.hash", sentence="fingerprints of data (hashes)"),
            sign=r"[0-9a-f]{32}",
            spans=_make_span_finder(_HASH),
            is_cell=_make_whole_matcher(_HASH),
            precedence=4,
        ),
        TextPattern(
            "ip",
            plural=declare_text("pattern.ip", sentence="IP addresses"),
            sign=r":|(?:[0-9]+\.){3}",
            spans=_find_ip_addresses,
            is_cell=lambda text: (":" in text or len(text) >= LEAST_DIGITS) and is_ip(text),
            is_short=True,
            precedence=1,
        ),
        TextPattern(
            "url",
            plural=declare_text("pattern.url", sentence="web addresses"),
            sign=r":|www\.",
            spans=_make_span_finder(_URL),
            is_cell=_make_whole_matcher(_URL),
            precedence=7,
        ),
        TextPattern(
            "coordinates",
            plural=declare_text("pattern.coordinates", sentence="coordinates"),
            sign=_SIX_DIGITS,
            spans=_find_coordinates,
            precedence=2,
        ),
        TextPattern(
            "handle",
            plural=declare_text("pattern.handle", sentence="names in networks (@)"),
            sign="@",
            spans=_make_span_finder(_HANDLE),
        ),
        TextPattern(
            "vehicle",
            plural=declare_text("pattern.vehicle", sentence="vehicle numbers"),
            sign=r"[a-z0-9]{17}",
            spans=_make_span_finder(_VEHICLE),
        ),
        TextPattern(
            "titled-name",
            plural=declare_text("pattern.titled-name", sentence="titles with a name"),
            sign=r"\b(?:m[rs]|mrs|mme|mlle|madame|monsieur|frau|herrn?|sra?|srta|señora?|signora?|mevrouw|bay|bayan)\b",
            spans=_make_span_finder(_TITLED),
        ),
        TextPattern(
            "street",
            plural=declare_text("pattern.street", sentence="streets with a number"),
            sign=r"[a-zß.:o] [0-9]|[0-9],? [a-z]",
            spans=_make_span_finder(_STREET),
        ),
        TextPattern(
            "plate",
            plural=declare_text("pattern.plate", sentence="licence plates"),
            sign=r"[a-zäöü0-9]-[a-z]{1,2} [0-9]|[0-9] [a-z]{1,3} [0-9]|[a-z0-9]-[a-z0-9]{2,3}-[a-z0-9]",
            spans=_make_sentence_finder(_PLATE),
        ),
        TextPattern(
            "postcode-place",
            plural=declare_text("pattern.postcode-place", sentence="postcodes with a place"),
            sign=r"[0-9]{4} ?[a-z]{2} |[0-9]{5} [^\W\d_]",
            spans=_make_sentence_finder(_POSTCODE),
        ),
    )
}
"""Every sort by id, in the order in which whole cells are asked: the first that nearly all pass counts."""

_ANY_SIGN = re.compile("|".join(dict.fromkeys(pattern.sign for pattern in PATTERNS.values())), re.IGNORECASE)
_BY_PRECEDENCE = sorted(PATTERNS.values(), key=lambda pattern: -pattern.precedence)
_CELL_TESTS = [(pattern.id, pattern.is_cell, pattern.is_short) for pattern in PATTERNS.values() if pattern.is_cell]
_SHORT_CELL_TESTS = [test for test in _CELL_TESTS if test[2]]


# --- whole cells ------------------------------------------------------------------------


@dataclass(frozen=True)
class PatternCounts:
    """How many cells of a column are personal addresses or numbers of each sort.

    Attributes
    ----------
    cells
        Number of cells that were looked at, which are all that are not blank.
    counts
        For the id of each pattern, the number of cells that are one.
    """

    cells: int
    counts: dict[str, int]


def count_patterns(texts: Sequence[str]) -> PatternCounts:
    """Return how many cells of a column are an e-mail address, a phone number or another sort of ``PATTERNS``.

    Counts are by the id of each sort, 0 where there is none; with them comes the number of cells. They are always 0 for
    sorts that are found inside texts only, such as coordinates, handles and streets. For e-mail addresses, IBANs and
    card numbers a cell counts that contains one, for the others the whole cell must be one. A cell may be counted for
    several sorts; only its first 4,096 characters are looked at, and a cell of fewer than eight is tested for e-mail
    and IPv6 addresses only. Plain numbers are counted as national identifiers where enough cells of the column pass the
    same test.

    Parameters
    ----------
    texts
        One text for each cell; blank texts do not count as cells, and blanks around a text are ignored.
    """
    counts = dict.fromkeys(PATTERNS, 0)
    cells = [cell for text in texts if (cell := text.strip()[:_LONGEST])]
    for cell in progress.each(cells):
        for id, is_cell, _ in _CELL_TESTS if len(cell) >= LEAST_DIGITS else _SHORT_CELL_TESTS:
            counts[id] += is_cell(cell)
    numbers = [cell for cell in cells if _is_bare(cell)]
    for pattern in PATTERNS.values():
        if pattern.bare is not None:
            counts[pattern.id] += sum(1 for _ in pattern.bare(numbers))
    return PatternCounts(len(cells), counts)


def _is_bare(text: str) -> bool:
    """Return whether a text is a plain number of at least eight digits."""
    return len(text) >= LEAST_DIGITS and _BARE.fullmatch(text) is not None


# --- inside texts -----------------------------------------------------------------------


@dataclass(frozen=True)
class Finding:
    """A piece of a text that points at a person.

    Attributes
    ----------
    kind
        Id of its sort in ``PATTERNS``.
    start, end
        Where the piece begins and ends in the text, as in a slice.
    """

    kind: str
    start: int
    end: int


def find_personal_data(text: str) -> list[Finding]:
    """Return the pieces of personal data found in a text, ordered by where each begins.

    Digits without separators or letters may be an amount or an order number: they are a phone number only as a whole
    text, after a word such as "Tel" or with a beginning such as +49 or 0171, and a national identifier only after a
    word such as "SSN". Left out are pieces inside longer ones, and pieces that overlap one of a sort that is searched
    earlier and takes precedence. The same piece may be reported once for each of several sorts.

    Parameters
    ----------
    text
        At most the first 4,096 characters are looked at.
    """
    text = text[:_LONGEST]
    if _ANY_SIGN.search(text) is None:
        return []
    findings: list[Finding] = []
    for pattern in _BY_PRECEDENCE:
        for start, end in pattern.spans(text):
            # Digits in the middle of an IBAN are no phone number of their own.
            if not any(
                start < earlier.end and earlier.start < end
                for earlier in findings
                if PATTERNS[earlier.kind].precedence > 0
            ):
                findings.append(Finding(pattern.id, start, end))
    outermost = {finding for finding in findings if not any(_is_inside_other(finding, outer) for outer in findings)}
    return sorted(outermost, key=lambda finding: (finding.start, finding.end, finding.kind))


def _is_inside_other(finding: Finding, outer: Finding) -> bool:
    """Return whether a finding lies inside a longer one, so that it is not reported; False for equal pieces."""
    return (
        outer.start <= finding.start
        and finding.end <= outer.end
        and finding.end - finding.start < outer.end - outer.start
    )


def find_in(texts: Sequence[str], doing: str = "") -> dict[int, list[Finding]]:
    """Return the pieces of personal data found in each text, by the text's index; texts without any are left out.

    Besides what ``find_personal_data`` finds in a single text, texts that are plain numbers of at least eight digits
    count as national identifiers if they pass a test that at least half of a sample of them pass. These pieces come
    last in the list of their text.

    Parameters
    ----------
    texts
        Different texts of one column.
    doing
        Id of the message under which progress is reported; empty for no report.
    """
    findings = {
        index: matches
        for index, text in enumerate(progress.each(texts, doing))
        if (matches := find_personal_data(text))
    }
    numbers = [
        (index, text.strip())
        for index, text in enumerate(texts)
        if len(text) >= LEAST_DIGITS and _is_bare(text.strip())
    ]
    for pattern in PATTERNS.values():
        for position in pattern.bare([text for _, text in numbers]) if pattern.bare is not None else ():
            index, number = numbers[position]
            start = texts[index].index(number)
            findings.setdefault(index, []).append(Finding(pattern.id, start, start + len(number)))
    return findings
