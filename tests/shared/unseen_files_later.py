"""Twenty more files, written by someone who had read neither the rules nor what became of the first twenty.

A dental practice, blood donors, a court, a kindergarten, lenders, a union, a parish, ambulances, accidents at work,
benefits, the tax office, telephone contracts, electricity meters, hotel guests, air passengers, a genetic study, an SAP
leave register, refugees' housing, vaccinations and a panel survey, in German and English, with the truth of every
column and of every identifying text that stands inside a cell. They come from seeds and the standard library, and like
the first twenty they are never changed to suit a rule.
"""

import base64
import datetime
import hashlib
import random
import re
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from unseen_files import Planted, PlantedText, Truth, UnseenColumn, UnseenFile

_Random = random.Random
_I, _K, _C, _N, _D = Truth.IDENTIFIER, Truth.KNOWN, Truth.CONFIDENTIAL, Truth.NEITHER, Truth.DECIDE


# -- people --------------------------------------------------------------------------------------------------------

_FIRST: dict[str, dict[str, str]] = {
    "de": {
        "m": "Albrecht Benedikt Carsten Detlef Eckhard Felix Gernot Holger Ingo Joachim Konstantin Leopold Matthias "
        "Nils Otto Paul Ralf Siegfried Tobias Vincent Wolfgang Hans-Peter Cem Dariusz Yusuf",
        "w": "Adelheid Barbara Cornelia Dagmar Edeltraud Frauke Gertrud Hannelore Irmgard Jutta Katrin Liselotte "
        "Monika Natalie Ottilie Paula Regina Stefanie Therese Waltraud Anna-Lena Aylin Agnieszka Zeynep Marlene",
    },
    "en": {
        "m": "Arthur Barnaby Clive Desmond Elijah Frank Graham Howard Isaac Jermaine Kwame Leonard Marcus Neil Oscar "
        "Percy Quentin Roland Sanjay Trevor Vernon Wesley Xavier Yusuf Zach",
        "w": "Abigail Bernadette Charlotte Daphne Edith Florence Georgina Hermione Ingrid Josephine Keisha Lucinda "
        "Marjorie Nadia Odette Pauline Roxanne Simone Tamsin Ursula Verity Winifred Yasmin Zoe Mary-Ann",
    },
    "world": {
        "m": "Ahmad Oleksandr Mahmoud Bohdan Tesfaye Reza Karim Dmytro Yonas Farid Luca Pierre Jakub Joost",
        "w": "Oksana Fatima Iryna Samira Leila Kateryna Selam Parisa Zahra Nataliia Giulia Camille Zofia Femke",
    },
}
_LAST: dict[str, str] = {
    "de": "Albers Bachmaier Claußen Dörfler Eisenhut Freytag Gruber Hölzl Imhof Jansen Köhler Lübke Meißner Nowak "
    "Oberländer Pohl Rößler Schuster Tönnies Unger Voß Wiegand Zöllner Hartwig Stöckl Yilmaz Demir Wójcik Süß "
    "Schmidt-Lorenz Baumgärtner Fuchs Wolf Sommer Kaiser",
    "en": "Abernathy Blackwood Chowdhury Dunmore Easterbrook Featherstone Goodwin Hathaway Illingworth Jephson "
    "Kirkpatrick Lockhart McAllister Northcott O'Malley Pemberton Ramsbottom Stanhope Trelawney Upton Vickers "
    "Winterbourne Okafor Singh Begum Khan Young Price Marsh Walker-Jones",
    "world": "Shevchenko Al-Hassan Kovalenko Haidari Tekle Bondarenko Ahmadi Nasser Gebremedhin Melnyk Rossi "
    "Lefèvre Zieliński van-Dijk Hosseini Osman",
}
_STREETS = {
    "de": "Ahornweg|Schillerstr.|Am Mühlgraben|Bergstraße|Hinter der Kirche|Rosenstraße|Dresdner Str.|Kapellenweg",
    "en": "Church Lane|Albert Road|The Green|Park Avenue|Chapel Street|Elm Grove|Nelson Terrace|Orchard Close",
}
_TOWNS = {
    "de": (
        ("01067", "Dresden"),
        ("04109", "Leipzig"),
        ("09111", "Chemnitz"),
        ("02625", "Bautzen"),
        ("08056", "Zwickau"),
    ),
    "at": (("4020", "Linz"), ("4600", "Wels"), ("8010", "Graz"), ("1100", "Wien"), ("5020", "Salzburg")),
    "ch": (("8004", "Zürich"), ("3007", "Bern"), ("4051", "Basel"), ("9000", "St. Gallen"), ("6003", "Luzern")),
    "en": (("BS3", "Bristol"), ("EX4", "Exeter"), ("PL4", "Plymouth"), ("TR1", "Truro"), ("BA2", "Bath")),
    "us": (("43215", "Columbus"), ("44113", "Cleveland"), ("45202", "Cincinnati"), ("43604", "Toledo")),
}


@dataclass(frozen=True)
class _Somebody:
    first: str
    last: str
    sex: str
    born: datetime.date
    street: str
    postcode: str
    town: str
    key: str
    second: str


def _no_key(_: int) -> str:
    return ""


def _crowd(
    rng: _Random,
    count: int,
    place: str,
    key: Callable[[int], str],
    ages: tuple[int, int] = (18, 88),
    second: Callable[[int], str] = _no_key,
) -> list[_Somebody]:
    """``count`` people with one or two keys that are theirs alone."""
    tongue = {"de": "de", "at": "de", "ch": "de", "en": "en", "us": "en"}[place]
    seen: set[str] = {""}

    def fresh(make: Callable[[int], str], number: int) -> str:
        if make is _no_key:
            return ""
        found = make(number)
        while found in seen:
            found = make(number)
        seen.add(found)
        return found

    people = []
    for number in range(count):
        sex = rng.choice("mw")
        first, last = _called(rng, "world" if rng.random() < 0.07 else tongue, sex)
        born = datetime.date(2024, 1, 1) - datetime.timedelta(days=rng.randrange(ages[0] * 365, ages[1] * 365))
        code, town = rng.choice(_TOWNS[place])
        if place == "en":
            code = f"{code} {rng.randrange(1, 10)}{rng.choice('ABDEFGHJLNP')}{rng.choice('QRSTUWXYZ')}"
        elif place != "us":
            code = code[:-1] + rng.choice("0123456789")
        house, road = rng.randrange(1, 180), rng.choice(_STREETS[tongue].split("|"))
        street = f"{road} {house}{rng.choice(('', '', '', 'a', 'b'))}" if tongue == "de" else f"{house} {road}"
        people.append(_Somebody(first, last, sex, born, street, code, town, fresh(key, number), fresh(second, number)))
    return people


def _called(rng: _Random, tongue: str, sex: str = "") -> tuple[str, str]:
    return rng.choice(_FIRST[tongue][sex or rng.choice("mw")].split()), rng.choice(_LAST[tongue].split())


# -- small things --------------------------------------------------------------------------------------------------


def _figures(rng: _Random, count: int) -> str:
    return rng.choice("123456789") + "".join(rng.choices("0123456789", k=count - 1))


def _between(rng: _Random, first: tuple[int, int, int], days: int) -> datetime.date:
    return datetime.date(*first) + datetime.timedelta(days=rng.randrange(days))


def _second(rng: _Random) -> str:
    return f"{rng.randrange(24):02d}:{rng.randrange(60):02d}:{rng.randrange(60):02d}"


def _dot(day: datetime.date) -> str:
    return day.strftime("%d.%m.%Y")


def _short_dot(day: datetime.date) -> str:
    return day.strftime("%d.%m.%y")


def _slash(day: datetime.date) -> str:
    return day.strftime("%d/%m/%Y")


def _american(day: datetime.date) -> str:
    return f"{day.month}/{day.day}/{day.year}"


def _sap(day: datetime.date) -> str:
    return day.strftime("%Y%m%d")


_MONTHS = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"]


def _lettered(day: datetime.date) -> str:
    return f"{day.day:02d}-{_MONTHS[day.month - 1].title()}-{day.year}"


def _comma(amount: float, places: int = 2) -> str:
    return f"{amount:,.{places}f}".replace(",", "_").replace(".", ",").replace("_", ".")


def _swiss(amount: float) -> str:
    return f"{amount:,.2f}".replace(",", "'")


def _age(person: _Somebody, year: int = 2024) -> int:
    return year - person.born.year


def _luhn(body: str) -> str:
    """The check digit of cards, IMEIs and Swedish and Canadian persons."""
    total = 0
    for place, sign in enumerate(reversed(body)):
        digit = int(sign) * (2 - place % 2)
        total += digit - 9 if digit > 9 else digit
    return str(-total % 10)


def _weighed(body: str, weights: Sequence[int]) -> int:
    return sum(int(sign) * weight for sign, weight in zip(body, weights, strict=True))


def _plain_letters(text: str) -> str:
    for sign, plain in zip(
        "äöüßÄÖÜóńè'- ", ("ae", "oe", "ue", "ss", "Ae", "Oe", "Ue", "o", "n", "e", "", "", ""), strict=True
    ):
        text = text.replace(sign, plain)
    return text


# -- identifying texts, with the check digits of the real ones ----------------------------------------------------


def _mail(rng: _Random, tongue: str) -> str:
    first, last = (_plain_letters(part).lower() for part in _called(rng, tongue))
    hosts = {
        "de": "gmx.net web.de freenet.de t-online.de arcor.de outlook.de mailbox.org aon.at bluewin.ch "
        "stadt-musterstedt.example klinikum.example",
        "en": "gmail.com hotmail.co.uk aol.com icloud.com sky.com proton.me me.com students.example.ac.uk "
        "council.example.org.uk yahoo.com",
    }
    host = rng.choice(hosts.get(tongue, hosts["en"]).split())
    name = rng.choice(
        (
            f"{first}.{last}",
            f"{first}.{last}",
            f"{first[0]}.{last}",
            f"{last}.{first}",
            f"{first}_{last}{rng.randrange(50, 100)}",
            f"{first}{rng.randrange(1950, 2006)}",
            f"{last}-family",
            f"{first}{last[0]}",
            f"{first}.{last}+{rng.choice(('kita', 'work', 'flights', 'privat'))}",
        )
    )
    form = rng.random()
    if form < 0.05:
        return f"{name}(at){host}"
    if form < 0.12:
        return f"{name}@{host}".upper()
    if form < 0.2:
        return f"{name.title()}@{host}"
    return f"{name}@{host}"


def _call_german(rng: _Random) -> str:
    area = rng.choice(("0351", "0341", "0371", "03591", "0375", "030", "0711", "0221", "037208"))
    number = _figures(rng, rng.choice((5, 6, 7, 8)) if len(area) < 5 else rng.choice((4, 5)))
    mobile = rng.choice(("0152", "0159", "0162", "0163", "0170", "0173", "0174", "0175", "0177", "0178", "0179"))
    own = _figures(rng, rng.choice((7, 8)) if mobile[:3] != "015" else 8)
    pairs = " ".join(number[start : start + 2] for start in range(0, len(number), 2))
    own_pairs = " ".join(own[start : start + 2] for start in range(0, len(own), 2))
    return rng.choice(
        (
            f"{area} {number}",
            f"{area} / {number}",
            f"{area}/{number}",
            f"{area}-{number}",
            f"({area}) {number}",
            f"{area} {pairs}",
            f"{area}/{pairs}",
            f"{area} {number}-{rng.randrange(10, 99)}",
            f"+49 {area[1:]} {number}",
            f"+49 ({area[1:]}) {number}",
            f"+49-{area[1:]}-{number}",
            f"{mobile} {own}",
            f"{mobile} {own_pairs}",
            f"{mobile}/{own}",
            f"{mobile}-{own}",
            f"{mobile}{own}",
            f"+49{mobile[1:]}{own}",
            f"+49 {mobile[1:]} {own}",
            f"0049{mobile[1:]}{own}",
            f"+49 (0) {mobile[1:]} / {own}",
            f"{mobile}.{own}",
        )
    )


def _call_alpine(rng: _Random) -> str:
    own, mobile = _figures(rng, 7), rng.choice(("650", "660", "664", "676", "699"))
    swiss = f"{rng.choice(('76', '77', '78', '79', '44', '31', '61'))}"
    return rng.choice(
        (
            f"0{mobile} {own}",
            f"0{mobile}/{own}",
            f"0{mobile} / {own[:3]} {own[3:5]} {own[5:]}",
            f"+43 {mobile} {own}",
            f"+43 ({mobile}) {own}",
            f"0043 {mobile} {own}",
            f"01/{_figures(rng, 7)}",
            f"0732 {_figures(rng, 6)}",
            f"+43 732 {_figures(rng, 6)}-{rng.randrange(10, 99)}",
            f"0{swiss} {own[:3]} {own[3:5]} {own[5:]}",
            f"+41 {swiss} {own[:3]} {own[3:5]} {own[5:]}",
            f"+41{swiss}{own}",
            f"0041 {swiss} {own[:3]} {own[3:5]} {own[5:]}",
            f"+41 (0){swiss} {own[:3]} {own[3:5]} {own[5:]}",
            f"0{swiss}/{own[:3]} {own[3:5]} {own[5:]}",
        )
    )


def _call_british(rng: _Random) -> str:
    six, three = _figures(rng, 6), _figures(rng, 3)
    return rng.choice(
        (
            f"0117 {three} {_figures(rng, 4)}",
            f"(0117) {three} {_figures(rng, 4)}",
            f"01392 {six}",
            f"01392-{six}",
            f"(01752) {six}",
            f"01872 {six[:3]} {six[3:]}",
            f"0207 {three} {_figures(rng, 4)}",
            f"020 7{three} {_figures(rng, 4)}",
            f"07{rng.randrange(300, 1000)} {six}",
            f"07{rng.randrange(300, 1000)} {six[:3]} {six[3:]}",
            f"07{rng.randrange(300, 1000)}{six}",
            f"+44 7{rng.randrange(300, 1000)} {six}",
            f"+447{rng.randrange(300, 1000)}{six}",
            f"+44 (0) 117 {three} {_figures(rng, 4)}",
            f"0044 7{rng.randrange(300, 1000)} {six}",
            f"07{rng.randrange(300, 1000)}-{six}",
        )
    )


def _call_american(rng: _Random) -> str:
    area, last = rng.choice(("212", "614", "216", "513", "419", "312")), f"{rng.randrange(100, 200):04d}"
    return rng.choice(
        (
            f"({area}) 555-{last}",
            f"({area})555-{last}",
            f"{area}-555-{last}",
            f"{area}.555.{last}",
            f"{area} 555 {last}",
            f"+1 {area} 555 {last}",
            f"+1-{area}-555-{last}",
            f"1-{area}-555-{last}",
            f"+1 ({area}) 555-{last}",
        )
    )


def _call_abroad(rng: _Random) -> str:
    two = [f"{rng.randrange(10, 100)}" for _ in range(4)]
    return rng.choice(
        (
            f"+33 6 {' '.join(two)}",
            f"0033 1 {' '.join(two)}",
            f"+39 347 {_figures(rng, 7)}",
            f"+31 6 {_figures(rng, 8)}",
            f"+31 20 {_figures(rng, 3)} {_figures(rng, 4)}",
            f"+48 601 {_figures(rng, 3)} {_figures(rng, 3)}",
            f"+90 532 {_figures(rng, 3)} {two[0]} {two[1]}",
            f"+34 612 {_figures(rng, 3)} {_figures(rng, 3)}",
            f"+380 67 {_figures(rng, 3)} {two[0]} {two[1]}",
            f"+353 87 {_figures(rng, 3)} {_figures(rng, 4)}",
            f"+45 {' '.join(two)}",
            f"00420 602 {_figures(rng, 3)} {_figures(rng, 3)}",
        )
    )


_CALLS: dict[str, tuple[Callable[[_Random], str], ...]] = {
    "de": (_call_german, _call_german, _call_german, _call_german, _call_alpine, _call_abroad),
    "at": (_call_alpine, _call_alpine, _call_german, _call_abroad),
    "en": (_call_british, _call_british, _call_british, _call_british, _call_american, _call_abroad),
    "us": (_call_american, _call_american, _call_american, _call_british, _call_abroad),
}


def _account(rng: _Random, tongue: str) -> str:
    """An IBAN of the right length for its country with its two check digits."""
    letters = "ABCDEFGHJKLMNPRSTUVWXYZ"
    makers: dict[str, Callable[[], str]] = {
        "DE": lambda: _figures(rng, 8) + f"{rng.randrange(10**7, 10**10):010d}",
        "AT": lambda: _figures(rng, 5) + f"{rng.randrange(10**6, 10**11):011d}",
        "CH": lambda: "00" + _figures(rng, 3) + f"{rng.randrange(10**6, 10**12):012d}",
        "NL": lambda: rng.choice(("ABNA", "RABO", "INGB")) + f"0{_figures(rng, 9)}",
        "FR": lambda: _figures(rng, 5) + _figures(rng, 5) + f"{rng.randrange(10**10):011d}" + _figures(rng, 2),
        "IT": lambda: rng.choice(letters) + "0" + _figures(rng, 4) + "0" + _figures(rng, 4) + f"{_figures(rng, 12)}",
        "ES": lambda: _figures(rng, 20),
        "PL": lambda: _figures(rng, 24),
        "BE": lambda: _figures(rng, 12),
        "GB": lambda: rng.choice(("LOYD", "MIDL", "HBUK", "NWBK")) + _figures(rng, 14),
        "IE": lambda: rng.choice(("BOFI", "AIBK")) + _figures(rng, 14),
        "LU": lambda: _figures(rng, 16),
    }
    weights = {
        "de": "DE DE DE DE DE DE AT CH NL FR PL IT",
        "at": "AT AT AT CH CH DE DE LU",
        "en": "GB GB GB GB IE FR ES BE DE NL",
        "us": "GB IE DE FR NL",
    }
    country = rng.choice(weights[tongue].split())
    body = makers[country]()
    number = "".join(str(int(sign, 36)) for sign in f"{body}{country}00")
    iban = f"{country}{98 - int(number) % 97:02d}{body}"
    form = rng.random()
    if form < 0.4:
        return iban
    if form < 0.45:
        return iban.lower()
    return " ".join(iban[start : start + 4] for start in range(0, len(iban), 4))


def _german_tax(rng: _Random) -> str:
    """German tax identification number: ten digits of which one stands twice, the eleventh by ISO 7064 mod 11, 10."""
    while True:
        body = rng.sample("0123456789", 9)
        body.insert(rng.randrange(10), rng.choice(body))
        if body[0] != "0":
            break
    product = 10
    for sign in body:
        product = ((int(sign) + product) % 10 or 10) * 2 % 11
    plain = "".join(body) + str((11 - product) % 10)
    return rng.choice((plain, plain, f"{plain[:2]} {plain[2:5]} {plain[5:8]} {plain[8:]}"))


def _cross(product: int) -> int:
    return product // 10 + product % 10


def _german_pension(rng: _Random) -> str:
    """German pension insurance number: office, birthday, initial, serial number, check digit."""
    office, born = rng.choice(("04", "14", "18", "49", "53", "89")), _between(rng, (1948, 1, 1), 19000)
    letter, serial = rng.choice("ABCDEFGHJKLMNOPRSTUVWZ"), f"{rng.randrange(100):02d}"
    signs = f"{office}{born:%d%m%y}{ord(letter) - 64:02d}{serial}"
    weights = (2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1)
    check = sum(_cross(int(sign) * weight) for sign, weight in zip(signs, weights, strict=True)) % 10
    return rng.choice(
        (
            f"{office}{born:%d%m%y}{letter}{serial}{check}",
            f"{office} {born:%d%m%y} {letter} {serial}{check}",
            f"{office} {born:%d%m%y} {letter}{serial}{check}",
        )
    )


def _german_health(rng: _Random) -> str:
    """German health insurance number: a letter, eight digits, a check digit."""
    letter, body = rng.choice("ABCDEFGHIJKLMNOPQRSTUVWXYZ"), _figures(rng, 8)
    check = sum(_cross(int(sign) * (1 + place % 2)) for place, sign in enumerate(f"{ord(letter) - 64:02d}{body}")) % 10
    return f"{letter}{body}{check}"


def _german_card(rng: _Random) -> str:
    """The number of a German identity card with its check digit (weights 7, 3, 1)."""
    body = rng.choice("LTCGH") + "".join(rng.choices("0123456789CFGHJKLMNPRTVWXYZ", k=8))
    return f"{body}{sum(int(sign, 36) * (7, 3, 1)[place % 3] for place, sign in enumerate(body)) % 10}"


def _austrian_social(rng: _Random) -> str:
    """Austrian social insurance number: three digits, a check digit, the birthday."""
    while True:
        serial, born = f"{rng.randrange(100, 1000)}", _between(rng, (1940, 1, 1), 28000)
        check = _weighed(f"{serial}{born:%d%m%y}", (3, 7, 9, 5, 8, 4, 2, 1, 6)) % 11
        if check < 10:
            return rng.choice((f"{serial}{check} {born:%d%m%y}", f"{serial}{check}{born:%d%m%y}"))


def _swiss_social(rng: _Random) -> str:
    """Swiss social insurance number: 756 and ten digits, the last one checks like an EAN's."""
    body = f"756{rng.randrange(10**9):09d}"
    plain = f"{body}{-sum(int(sign) * (1 + 2 * (place % 2)) for place, sign in enumerate(body)) % 10}"
    return rng.choice((f"{plain[:3]}.{plain[3:7]}.{plain[7:11]}.{plain[11:]}",) * 3 + (plain,))


def _nhs(rng: _Random) -> str:
    while True:
        body = rng.choice("4679") + f"{rng.randrange(10**8):08d}"
        check = -_weighed(body, range(10, 1, -1)) % 11
        if check < 10:
            plain = f"{body}{check}"
            return rng.choice((plain, f"{plain[:3]} {plain[3:6]} {plain[6:]}", f"{plain[:3]}-{plain[3:6]}-{plain[6:]}"))


def _nino(rng: _Random) -> str:
    while True:
        prefix = rng.choice("ABCEGHJKLMNOPRSTWXYZ") + rng.choice("ABCEGHJKLMNPRSTWXYZ")
        if prefix not in {"BG", "GB", "KN", "NK", "NT", "TN", "ZZ"}:
            break
    body, last = f"{rng.randrange(10**6):06d}", rng.choice("ABCD")
    return rng.choice(
        (
            f"{prefix}{body}{last}",
            f"{prefix}{body}{last}",
            f"{prefix} {body[:2]} {body[2:4]} {body[4:]} {last}",
            f"{prefix} {body} {last}",
            f"{prefix.lower()}{body}{last.lower()}",
        )
    )


def _ssn(rng: _Random) -> str:
    area = rng.choice([number for number in range(1, 900) if number != 666])
    parts = f"{area:03d}", f"{rng.randrange(1, 100):02d}", f"{rng.randrange(1, 10000):04d}"
    return rng.choice(("-".join(parts), "-".join(parts), "-".join(parts), " ".join(parts)))


def _nir(rng: _Random) -> str:
    """French social security number: sex, year, month, department, commune, serial number, key of mod 97."""
    parts = [
        rng.choice("12"),
        f"{rng.randrange(40, 100)}",
        f"{rng.randrange(1, 13):02d}",
        f"{rng.choice((13, 31, 33, 59, 67, 69, 75, 92)):02d}",
        f"{rng.randrange(1, 500):03d}",
        f"{rng.randrange(1, 900):03d}",
    ]
    parts.append(f"{97 - int(''.join(parts)) % 97:02d}")
    return rng.choice((" ".join(parts), "".join(parts)))


def _codice_fiscale(rng: _Random) -> str:
    """Italian tax code: six letters of the name, year, month letter, day, place of birth, check letter."""
    consonants = "BCDFGLMNPRSTVZ"
    day = rng.randrange(1, 29) + rng.choice((0, 40))
    body = "".join(rng.choices(consonants, k=6)) + f"{rng.randrange(40, 100)}{rng.choice('ABCDEHLMPRST')}{day:02d}"
    body += rng.choice(("H501", "F205", "L219", "D612", "A944", "Z112"))
    odd = (1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23)
    total = 0
    for place, sign in enumerate(body):
        value = int(sign) if sign.isdigit() else ord(sign) - 65
        total += value if place % 2 else odd[value]
    return f"{body}{chr(65 + total % 26)}"


def _bsn(rng: _Random) -> str:
    """Dutch citizen service number, by the eleven test."""
    while True:
        body = _figures(rng, 8)
        check = _weighed(body, range(9, 1, -1)) % 11
        if check < 10:
            return rng.choice((f"{body}{check}", f"{body[:4]}.{body[4:6]}.{body[6:]}{check}"))


def _pesel(rng: _Random) -> str:
    born = _between(rng, (1944, 1, 1), 25000)
    month = born.month + (20 if born.year > 1999 else 0)
    body = f"{born:%y}{month:02d}{born:%d}{rng.randrange(10000):04d}"
    return f"{body}{-_weighed(body, (1, 3, 7, 9, 1, 3, 7, 9, 1, 3)) % 10}"


def _dni(rng: _Random) -> str:
    number = rng.randrange(10**7, 10**8)
    return f"{number}{rng.choice(('', '', '-'))}{'TRWAGMYFPDXBNJZSQVHLCKE'[number % 23]}"


def _belgian(rng: _Random) -> str:
    born, serial = _between(rng, (1945, 1, 1), 19900), f"{rng.randrange(1, 998):03d}"
    return f"{born:%y.%m.%d}-{serial}.{97 - int(f'{born:%y%m%d}{serial}') % 97:02d}"


def _swedish(rng: _Random) -> str:
    born, serial = _between(rng, (1945, 1, 1), 20000), f"{rng.randrange(1000):03d}"
    return f"{rng.choice(('', '19'))}{born:%y%m%d}-{serial}{_luhn(f'{born:%y%m%d}{serial}')}"


_NATIONAL: dict[str, Callable[[_Random], str]] = {
    "tax": _german_tax,
    "pension": _german_pension,
    "health": _german_health,
    "card": _german_card,
    "social": _austrian_social,
    "ahv": _swiss_social,
    "nhs": _nhs,
    "nino": _nino,
    "ssn": _ssn,
    "nir": _nir,
    "cf": _codice_fiscale,
    "bsn": _bsn,
    "pesel": _pesel,
    "dni": _dni,
    "belgian": _belgian,
    "swedish": _swedish,
}


# -- texts that identify nobody ------------------------------------------------------------------------------------


def _ean(rng: _Random) -> str:
    body = rng.choice(("400", "401", "426", "500")) + f"{rng.randrange(10**9):09d}"
    return f"{body}{-sum(int(sign) * (1 + 2 * (place % 2)) for place, sign in enumerate(body)) % 10}"


def _money(rng: _Random, german: bool) -> str:
    amount = rng.choice((rng.randrange(3, 90), rng.randrange(100, 9000), rng.randrange(10**4, 10**5))) + rng.choice(
        (0, 0, 0.5, 0.95, 0.49)
    )
    if german:
        return rng.choice(
            (f"{_comma(amount)} €", f"EUR {_comma(amount)}", f"{int(amount)},- €", f"{_comma(amount)} Euro")
        )
    return rng.choice((f"£{amount:,.2f}", f"GBP {amount:.2f}", f"${amount:,.2f}", f"{int(amount)} pounds"))


_HARMLESS: dict[str, Callable[[_Random, bool], str]] = {
    "day": lambda rng, german: rng.choice(
        (_dot, _short_dot, datetime.date.isoformat) if german else (_slash, _lettered, datetime.date.isoformat)
    )(_between(rng, (2020, 1, 1), 1700)),
    "time": lambda rng, german: (
        f"{rng.randrange(6, 22):02d}{':' if not german else rng.choice(':.')}{rng.randrange(0, 12) * 5:02d}"
    ),
    "hours": lambda rng, german: (
        rng.choice(("Mo-Fr 8-12 u. 14-17.30 Uhr", "Di 09:00-12:30, Do 14:00-18:00", "tägl. 7.30-16 Uhr"))
        if german
        else rng.choice(("Mon-Fri 9-5", "0900-1730 Mon to Sat", "9.30am-4.15pm"))
    ),
    "dose": lambda rng, _: f"{rng.choice((2.5, 5, 20, 50, 80, 400, 600, 875))} mg",
    "small": lambda rng, _: str(rng.randrange(2, 60)),
    "year": lambda rng, _: str(rng.randrange(1995, 2025)),
    "money": _money,
    "pressure": lambda rng, _: f"{rng.randrange(100, 195)}/{rng.randrange(55, 115)}",
    "percent": lambda rng, german: f"{rng.randrange(1, 100)}{',' if german else '.'}{rng.randrange(10)} %",
    "room": lambda rng, _: rng.choice(
        (f"{rng.randrange(1, 5)}.{rng.randrange(1, 60):03d}", f"B{rng.randrange(100, 420)}")
    ),
    "article": lambda rng, _: rng.choice(
        (
            f"{rng.randrange(100, 999)}-{rng.randrange(1000, 9999)}-{rng.randrange(10, 99):02d}",
            f"{rng.randrange(10, 99)}.{rng.randrange(100, 999)}.{rng.randrange(100, 999)}",
            f"{rng.choice('ABKMT')}{rng.randrange(10**5, 10**6)}/{rng.randrange(1, 9)}",
            f"0{rng.randrange(10**5, 10**6)}",
        )
    ),
    "material": lambda rng, _: f"{rng.randrange(10**6, 10**8):018d}",
    "order": lambda rng, _: f"45{rng.randrange(10**8):08d}",
    "invoice": lambda rng, german: rng.choice(
        (
            f"{'RE' if german else 'INV'}-{rng.randrange(2020, 2025)}-{rng.randrange(100, 9999):05d}",
            f"{rng.randrange(2020, 2025)}/{rng.randrange(1000, 99999)}",
            f"{rng.randrange(10**6, 10**7)}",
        )
    ),
    "version": lambda rng, _: rng.choice(
        (
            f"v{rng.randrange(1, 9)}.{rng.randrange(20)}.{rng.randrange(40)}",
            f"{rng.randrange(1, 12)}.{rng.randrange(10)}.{rng.randrange(10)}.{rng.randrange(1000, 9999)}",
        )
    ),
    "lot": lambda rng, _: rng.choice(
        (
            f"{rng.choice(('FL', 'EX', 'PW', 'AB'))}{rng.randrange(1000, 9999)}",
            f"{rng.randrange(20, 25)}{rng.randrange(1, 53):02d}-{rng.randrange(100, 999)}",
            f"A21CE{rng.randrange(100, 999)}A",
            f"{rng.randrange(10**5, 10**6)}",
        )
    ),
    "coord": lambda rng, _: f"{rng.uniform(50.1, 51.6):.5f}, {rng.uniform(-3.9, 13.8):.5f}",
    "counter": lambda rng, _: _figures(rng, rng.choice((8, 9, 11, 12))),
    "ean": lambda rng, _: _ean(rng),
    "norm": lambda rng, _: rng.choice(("DIN EN ISO 9001:2015", "EN 60601-1", "BS 5839-1:2017", "ISO 13485:2016")),
    "law": lambda rng, german: (
        rng.choice(("§ 32 Abs. 4 EStG", "§ 44 SGB IX", "§ 7 Abs. 1 BUrlG", "Art. 6 DSGVO"))
        if german
        else rng.choice(("s.89 CJA 1967", "reg 4(2)", "Part 36", "s.17(1)(b)"))
    ),
}


# -- notes ---------------------------------------------------------------------------------------------------------


@dataclass
class _Pen:
    """Writes comments and remembers what identifies in them, as it was written.

    ``tongue`` says whose e-mail addresses, telephone numbers and accounts are written: de, at, en, us, or mix.
    ``capitals``: the program in which the comments are typed knows no small letters.
    """

    rng: _Random
    tongue: str
    keys: Sequence[str]
    quiet: Sequence[str]
    telling: Sequence[str]
    share: float = 0.3
    capitals: bool = False
    planted: list[PlantedText] = field(default_factory=list)

    def _named(self, tongue: str) -> str:
        rng = self.rng
        first, last = _called(rng, "world" if rng.random() < 0.1 else tongue)
        return rng.choice((last, last, f"{first} {last}", f"{first} {last}", f"{first[0]}. {last}", f"{last}, {first}"))

    def _text(self, what: str) -> tuple[str, Planted | None]:
        rng = self.rng
        place = rng.choice(("de", "en", "at")) if self.tongue == "mix" else self.tongue
        tongue = {"at": "de", "us": "en"}.get(place, place)
        if what == "email":
            return _mail(rng, tongue), Planted.EMAIL
        if what == "phone":
            return rng.choice(_CALLS[place])(rng), Planted.PHONE
        if what == "iban":
            return _account(rng, place), Planted.IBAN
        if what == "key":
            return rng.choice(self.keys), Planted.OWN_KEY
        if what == "name":
            return self._named(tongue), Planted.NAME
        if what in _NATIONAL:
            return _NATIONAL[what](rng), Planted.NATIONAL_ID
        return _HARMLESS[what](rng, tongue == "de"), None

    def fill(self, row: int, column: str, template: str) -> str:
        """The template with its blanks filled; what identifies is added to ``planted``."""

        def put(found: re.Match[str]) -> str:
            text, kind = self._text(found.group(1).lower())
            text = text.upper() if self.capitals else text
            if kind is not None:
                self.planted.append(PlantedText(row, column, kind, text))
            return text

        return re.sub(r"\{(\w+)\}", put, template)

    def write(self, row: int, column: str, empty: float = 0.3) -> str:
        """A comment for a cell: nothing, one remark or two, sometimes all in small letters or in capitals."""
        rng = self.rng
        if rng.random() < empty:
            return ""
        template = rng.choice(self.telling if rng.random() < self.share else self.quiet)
        if rng.random() < 0.18:
            template += rng.choice(("; ", " / ", ". ", " - ", " // ")) + rng.choice(self.quiet)
        case = rng.random()
        if self.capitals:
            template = template.upper()
        elif case < 0.1:
            template = template.lower()
        elif case < 0.14:
            template = template.upper()
        return self.fill(row, column, template)

    def stray(self, row: int, column: str, usual: str, templates: Sequence[str], chance: float = 0.03) -> str:
        """What belongs in the cell, or now and then a note that somebody wrote there because it was free."""
        if self.rng.random() < chance:
            return self.fill(row, column, self.rng.choice(templates))
        return usual


def _table(
    name: str,
    truths: Mapping[str, Truth],
    person_keys: Sequence[str],
    rows: Sequence[Sequence[str]],
    pens: Sequence[_Pen],
    delimiter: str,
) -> UnseenFile:
    columns = tuple(UnseenColumn(heading, truth, heading in person_keys) for heading, truth in truths.items())
    if any(len(row) != len(columns) for row in rows) or not set(person_keys) <= set(truths):
        raise ValueError(f"{name}: rows, headings and keys do not fit together")
    planted = tuple(found for pen in pens for found in pen.planted)
    return UnseenFile(name, columns, tuple(tuple(row) for row in rows), planted, delimiter)


# -- the files -----------------------------------------------------------------------------------------------------


def _dental_practice() -> UnseenFile:
    """Items billed by a German dental practice: many rows a patient."""
    rng = _Random("later zahnarzt")
    people = _crowd(rng, 95, "de", lambda number: f"{number * 3 + 412:07d}", (4, 86))
    pen = _Pen(
        rng,
        "de",
        [each.key for each in people],
        (
            "Ubistesin 1,7 ml, Ch.-B. {lot}",
            "HKP v. {day} genehmigt, Eigenanteil {money}",
            "BOP {percent}, PZR empf.",
            "Labor-Rg. {invoice} liegt bei",
            "Kofferdam, Füllung o.B.",
            "Implantat REF {article} LOT {lot}",
            "Recall in {small} Wo., Röntgengerät SW {version}",
            "Pat. wünscht Termin nach {time} Uhr",
        ),
        (
            "Pat. tel. nicht erreichbar ({phone})",
            "HKP an {email} gesendet am {day}",
            "Ratenzahlung, Einzug von {iban}, je {money}",
            "Karte defekt, Vers.-Nr. {health}",
            "Begleitung: Mutter Fr. {name}, Handy {phone}",
            "Ratenzahlung {iban}",
            "Fall gehört zu Pat. {key}, bitte umbuchen",
            "Überweiser Dr. {name}, Fax {phone}",
        ),
    )
    rows: list[tuple[str, ...]] = []
    for person in people:
        payer = rng.choice(("AOK PLUS", "BARMER", "TK", "DAK-G", "privat", "Beihilfe", "IKK class."))
        for _ in range(rng.choice((1, 2, 3, 4, 6))):
            row = len(rows)
            code, price = rng.choice(
                (("BEMA 13b", 39.5), ("GOZ 2197", 16.8), ("BEMA 43", 11.0), ("GOZ 9010", 401.3), ("Ä1", 10.7))
            )
            rows.append(
                (
                    person.key,
                    _short_dot(person.born),
                    person.sex,
                    pen.stray(row, "KASSE", payer, ("privat, Rg. an {email}", "Selbstz. {iban}"), 0.02),
                    _dot(_between(rng, (2023, 1, 1), 500)),
                    f"{rng.randrange(1, 5)}{rng.randrange(1, 9)}",
                    rng.choice(("", "", "o", "mod", "od", "b")),
                    code,
                    rng.choice(("", "2,3", "3,5", "1,0")),
                    _comma(price * rng.choice((1, 1, 2.3, 3.5))),
                    rng.choice(("c", "c", "f", "k", "x", "PA III")),
                    rng.choice(("ml", "kw", "ZFA2", "dh1")),
                    pen.write(row, "KOMM_FREI", 0.35),
                )
            )
    truths = {
        "PATNR": _I,
        "GEBDAT": _K,
        "G": _K,
        "KASSE": _C,
        "Beh.-Datum": _K,
        "Zahn": _C,
        "Flä.": _C,
        "Geb.-Pos.": _C,
        "Fkt.": _C,
        "Honorar (EUR)": _C,
        "Bef": _C,
        "Beh.": _D,
        "KOMM_FREI": _D,
    }
    return _table("zahnarzt_leistungen", truths, ("PATNR",), rows, (pen,), ";")


def _blood_donors() -> UnseenFile:
    """Donations to a German blood service; the donor's number has a check digit."""
    rng = _Random("later blutspende")

    def donor(_: int) -> str:
        body = _figures(rng, 8)
        return f"{body}-{_luhn(body)}"

    people = _crowd(rng, 130, "de", donor, (18, 72))
    pen = _Pen(
        rng,
        "de",
        [each.key for each in people],
        (
            "Beutelsystem REF {article}, LOT {lot}",
            "Synkope nach {small} min, erholt",
            "Hb-Gerät SN {counter} kalibriert {day}",
            "Rückstellung bis {day} wg. Tattoo",
            "Termin Mo-Do, Öffnungszeiten {hours}",
            "Fahrtkosten {money}",
            "Verf.anw. {version} beachten, RR {pressure}",
        ),
        (
            "Arztbrief per Mail: {email}",
            "Look-back: Spender unter {phone} informieren!!",
            "Aufwandsentsch. auf {iban}",
            "Doppelanlage mit {key}?",
            "Ausweis {card} vorgelegt",
            "Hausarzt Dr. {name} tel. {phone}",
            "HA {name} verständigt, Befund {email}",
            "poln. Spender, PESEL {pesel}",
        ),
    )
    rows: list[tuple[str, ...]] = []
    for person in people:
        group, weight = rng.choice(("A+", "0+", "B+", "AB+", "A-", "0-")), rng.gauss(78, 13)
        for _ in range(rng.choice((1, 1, 2, 3, 4))):
            rows.append(
                (
                    person.key,
                    f"D2790 {rng.randrange(22, 25)} {rng.randrange(10**6):06d} {rng.randrange(10)}",
                    str(person.born.year),
                    {"m": "M", "w": "W"}[person.sex],
                    person.postcode[:3],
                    group,
                    f"{rng.gauss(14.2, 1.1):.1f}".replace(".", ","),
                    f"{rng.randrange(105, 165)}/{rng.randrange(60, 99)}",
                    f"{max(50.0, weight + rng.gauss(0, 1)):.0f}",
                    rng.choice(("neg", "neg", "neg", "neg", "reaktiv HBc", "grenzw.")),
                    rng.choice(("", "", "", "R12", "R31", "D01")),
                    rng.choice(("ITS Dresden", "Mobil Bautzen", "Mobil Zwickau", "Uniklinik")),
                    f"{rng.choice(('22', '23'))}{rng.choice('ABC')}{_figures(rng, 4)}",
                    _between(rng, (2022, 1, 1), 800).isoformat(),
                    pen.write(len(rows), "Bem. Arzt/Pflege", 0.3),
                )
            )
    truths = {
        "Spender-Nr": _I,
        "Entn.Nr (ISBT128)": _I,
        "Gebj": _K,
        "M/W": _K,
        "PLZ3": _K,
        "BG": _C,
        "Hb [g/dl]": _C,
        "RR": _C,
        "kg": _K,
        "Infekt.serol.": _C,
        "Rückst.code": _C,
        "Spendeort": _K,
        "Chg. Beutel": _N,
        "entn_dat": _K,
        "Bem. Arzt/Pflege": _D,
    }
    return _table("blutspender", truths, ("Spender-Nr",), rows, (pen,), ";")


def _court_register() -> UnseenFile:
    """A magistrates' court register: one row an offence; the police number has a check letter."""
    rng = _Random("later court")

    def police(_: int) -> str:
        year, serial = rng.randrange(75, 100), rng.randrange(1, 600000)
        return f"{year}/{serial}{'ZABCDEFGHJKLMNPQRTUVWXY'[(year * 1000000 + serial) % 23]}"

    people = _crowd(rng, 125, "en", police, (18, 70))
    pen = _Pen(
        rng,
        "en",
        [each.key for each in people],
        (
            "adj to {day} {time} ct {room}",
            "costs {money}, 28 days to pay",
            "PSR ordered, {small} pages",
            "DVLA endorsement code TT99",
            "bail varied, report {hours}",
            "exhibit {article} destroyed",
            "CPS file {counter} served late",
            "time served, {law}",
        ),
        (
            "surety {name}, tel {phone}",
            "collection order - employer to deduct, NI {nino}",
            "interpreter booked via {email}",
            "compensation payable to {iban}",
            "Co-def see {key}",
            "complainant Ms {name} not to be contacted",
            "solicitor's mob {phone}\nemail {email}",
            "means form: nino {nino}, phone {phone}",
        ),
        share=0.35,
    )
    rows: list[tuple[str, ...]] = []
    for person in people:
        urn = f"{rng.choice(('52', '50', '55'))}{rng.choice('ABCDE')}{rng.choice('LMNP')}{_figures(rng, 5)}23"
        heard = _between(rng, (2023, 1, 9), 330)
        for _ in range(rng.choice((1, 1, 2, 3))):
            offence, sentence = (
                rng.choice(("RT88191", "TH68010", "CJ88116", "MD71530", "PU86166")),
                rng.choice(("Fine", "CO 12m", "Abs disch", "SSO 8wk", "Cond disch", "W/drawn")),
            )
            rows.append(
                (
                    f"{urn}-{len(rows) + 1}",
                    person.key,
                    person.last.upper(),
                    person.first,
                    _slash(person.born),
                    person.postcode,
                    rng.choice(("W1", "W1", "W9", "A2", "B1", "M1", "NS")),
                    offence,
                    rng.choice(("G", "G", "NG", "None", "Ind NG")),
                    _slash(heard),
                    str(rng.randrange(1, 9)),
                    sentence,
                    f"{rng.choice((40, 80, 120, 233, 440, 1000))}.00" if sentence == "Fine" else "",
                    rng.choice(("", "", "3", "6", "8")),
                    pen.write(len(rows), "LEGAL ADVISER NOTES", 0.25),
                )
            )
    truths = {
        "CASE URN/SEQ": _I,
        "PNCID": _I,
        "DEF SURNAME": _I,
        "FORENAME": _I,
        "D.O.B": _K,
        "DEF PCODE": _K,
        "ETHN 16+1": _C,
        "CJS CODE": _C,
        "PLEA": _C,
        "HRG DT": _K,
        "CT RM": _N,
        "RESULT": _C,
        "FINE (GBP)": _C,
        "PTS": _C,
        "LEGAL ADVISER NOTES": _D,
    }
    return _table("court_register", truths, ("PNCID",), rows, (pen,), ",")


def _kindergarten() -> UnseenFile:
    """Fees of a town's kindergartens: one row a child, with the parents' income."""
    rng = _Random("later kita")

    def voucher(number: int) -> str:
        body = f"2023{number * 11 + 170:05d}"
        return f"KG-{body[:4]}-{body[4:]}-{_weighed(body, range(2, 11)) % 10}"

    people = _crowd(rng, 260, "de", voucher, (1, 6))
    pen = _Pen(
        rng,
        "de",
        [each.key for each in people],
        (
            "Masernschutz nachgewiesen {day}",
            "Bringzeit bis {time}, Öffnung {hours}",
            "Essensgeld {money}/Monat",
            "Eingewöhnung läuft seit {small} Tagen",
            "Bescheid Nr. {invoice} zugest.",
            "Gruppenraum {room}, Garderobe {small}",
            "Widerspruch gem. {law}",
            "BuT bewilligt bis {day}",
        ),
        (
            "SEPA-Mandat: {iban}",
            "neue Handynr. Mama {phone}",
            "Vater: {email}",
            "Pflegemutter {name}, erreichbar {phone}",
            "Geschw. in Gruppe Bären: {key}",
            "Steuer-ID Vater {tax}",
            "Mutter {name} getrennt lebend, kein Umgang!",
            "Lastschrift zurück, Konto {iban} erloschen",
        ),
        share=0.45,
    )
    rows = []
    for row, person in enumerate(people):
        rows.append(
            (
                person.key,
                f"{person.last}, {person.first}",
                _dot(person.born),
                {"m": "J", "w": "M"}[person.sex],
                rng.choice(("Bären", "Igel", "Frösche", "Krippe 1", "Krippe 2", "Vorschule")),
                rng.choice(("25", "35", "40", "45")),
                pen.stray(
                    row,
                    "abholber.",
                    rng.choice(("Eltern", "Eltern", "Eltern, Oma", "nur Mutter", "JA fragen")),
                    ("Oma {name} {phone}", "Tante ({phone})"),
                    0.08,
                ),
                rng.choice(("dt.", "dt.", "dt.", "ukr.", "arab.", "vietn.", "russ.")),
                str(rng.choice((0, 0, 1, 1, 2, 3))),
                f"{_comma(rng.lognormvariate(10.8, 0.5))} €" if rng.random() < 0.9 else "k.A.",
                _comma(rng.choice((0, 52.5, 118, 164.8, 231.2))),
                rng.choice(("n", "n", "n", "n", "j")),
                rng.choice(("", "", "", "laktosefrei", "vegetarisch", "Nussallergie", "halal", "Epi-Pen!")),
                pen.write(row, "Bemerkg.", 0.25),
            )
        )
    truths = {
        "Gutschein-Nr.": _I,
        "Kind": _I,
        "Kind_geb": _K,
        "J/M": _K,
        "Gruppe": _K,
        "Std/Wo": _K,
        "abholber.": _D,
        "Fam.sprache": _K,
        "Geschw.": _K,
        "Eink. Eltern p.a.": _C,
        "Beitrag mtl.": _C,
        "Eingl.-hilfe": _C,
        "Essen/Allergie": _C,
        "Bemerkg.": _D,
    }
    return _table("kita_gebuehren", truths, ("Gutschein-Nr.",), rows, (pen,), ";")


def _loan_applications() -> UnseenFile:
    """Applications to an American lender: one row an application and a person."""
    rng = _Random("later loans")
    people = _crowd(
        rng,
        420,
        "us",
        lambda _: str(uuid.UUID(int=rng.getrandbits(128), version=4)),
        (19, 80),
        lambda _: f"{rng.randrange(100, 666):03d}-{rng.randrange(1, 100):02d}-{rng.randrange(1, 10000):04d}",
    )
    pen = _Pen(
        rng,
        "us",
        [each.key for each in people] + [each.second for each in people],
        (
            "stips cleared {day}",
            "VOE done, {small} yrs on job",
            "scorecard {version} override",
            "bank stmt shows {money} avg bal",
            "decline reason 0{small}",
            "branch open {hours}",
            "batch {counter} reprocessed",
            "DTI {percent} after payoff",
        ),
        (
            "co-borrower {name}, SSN {ssn}",
            "borrower prefers cell {phone}",
            "sent disclosures to {email}",
            "wire from overseas acct {iban}",
            "dupe of app {key}",
            "VOE w/ HR mgr {name} at {phone}",
            "ID theft alert - SSN {ssn} on file for someone else",
            "pls email {email} or txt {phone}",
        ),
        share=0.4,
    )
    rows = []
    for row, person in enumerate(people):
        score = int(min(849, max(480, rng.gauss(690, 60))))
        rows.append(
            (
                person.key,
                person.second,
                _american(person.born),
                person.postcode,
                rng.choice(("OH", "OH", "OH", "MI", "IN")),
                rng.choice(("teacher", "RN", "Truck Driver", "self employed", "Manager", "ups", "USPS", "retired", "")),
                rng.choice(("< 1 year", "1 year", "3 years", "7 years", "10+ years", "n/a")),
                f"{rng.lognormvariate(11, 0.45):.0f}",
                f"{max(0.0, rng.gauss(18, 8)):.2f}",
                str(score - score % 5),
                str(rng.randrange(4, 141) * 250),
                rng.choice((" 36 months", " 60 months")),
                rng.choice(("debt_consolidation", "medical", "car", "wedding", "home_improvement", "other")),
                f"{_between(rng, (2023, 3, 1), 200).isoformat()}T{_second(rng)}Z",
                rng.choice(("APPROVED", "DECLINED", "COUNTER", "WITHDRAWN")),
                rng.choice(("0", "0", "0", "1", "2")),
                pen.write(row, "uw_notes", 0.35),
            )
        )
    truths = {
        "application_id": _I,
        "applicant_ssn": _I,
        "dob": _K,
        "zip": _K,
        "addr_state": _K,
        "emp_title": _K,
        "emp_length": _K,
        "annual_inc_usd": _C,
        "dti": _C,
        "fico_range_low": _C,
        "loan_amnt": _C,
        "term": _N,
        "purpose": _C,
        "app_ts": _D,
        "decision": _C,
        "delinq_2yrs": _C,
        "uw_notes": _D,
    }
    return _table("loan_applications", truths, ("application_id", "applicant_ssn"), rows, (pen,), ",")


def _union_members() -> UnseenFile:
    """Members of a German trade union: one row a person, capitals throughout the headings."""
    rng = _Random("later gewerkschaft")
    people = _crowd(rng, 380, "de", lambda _: f"07{_figures(rng, 7)}", (17, 85))
    pen = _Pen(
        rng,
        "de",
        [each.key for each in people],
        (
            "Jubilar {year}, Urkunde bestellt",
            "Beitragsanpassung {money} ab {day}",
            "Rechtsschutz Az. {invoice}",
            "Tarifvertrag v. {day}, Erhöhung {percent}",
            "Streikliste {small}, Tor 3 {time} Uhr",
            "Sprechstunde {hours}",
            "Werbeartikel {article} versandt",
        ),
        (
            "Mitgl. umgezogen, neue Tel. {phone}",
            "Beitrag wieder von {iban}",
            "geworben durch {key}",
            "E-Mail {email} (nicht an Arbeitgeber!)",
            "BR-Vors. Koll. {name} zuständig",
            "Rentner, RV-Nr {pension}",
            "Streikgeld auf {iban} ausgez.",
            "Rückruf erbeten {phone} nach {time} Uhr",
            "Rentenbescheid RVNR {pension}, Koll. {name} hilft",
        ),
        share=0.4,
    )
    rows = []
    for row, person in enumerate(people):
        wage = rng.lognormvariate(8.15, 0.3)
        rows.append(
            (
                person.key,
                {"m": "KOLL.", "w": "KOLLN."}[person.sex],
                person.last,
                person.first,
                _dot(person.born),
                f"{person.postcode} {person.town}",
                rng.choice(("VW SACHSEN", "GF AUTOMOTIVE", "INFINEON", "BOMBARDIER", "ZF GETRIEBE", "RENTE")),
                rng.choice(("DD-SUED", "DD-NORD", "RIESA", "BAUTZEN")),
                f"E{rng.randrange(3, 15)}",
                f"{wage:.0f}",
                _comma(wage / 100),
                _sap(_between(rng, (1979, 1, 1), 16300)),
                rng.choice(("", "", "", "", "VL", "BR", "JAV", "SBV")),
                rng.choice(("0", "0", "3", "5", "11")),
                pen.write(row, "BEM_GS", 0.3),
            )
        )
    truths = {
        "MITGLNR": _I,
        "ANREDE": _K,
        "NACHNAME": _I,
        "VORNAME": _I,
        "GEB_DAT": _K,
        "PLZ_ORT": _K,
        "BETRIEB": _K,
        "OG": _K,
        "ENTGGR": _C,
        "BRUTTO_EUR": _C,
        "BEITR_1PZ": _C,
        "EINTRITT": _K,
        "FUNKTION": _K,
        "STREIKTAGE_23": _C,
        "BEM_GS": _D,
    }
    return _table("gewerkschaft_mitglieder", truths, ("MITGLNR",), rows, (pen,), ";")


def _parish_giving() -> UnseenFile:
    """The giving and pastoral list of an English parish: one row a parishioner, numbered by envelope."""
    rng = _Random("later parish")
    people = _crowd(rng, 215, "en", lambda number: str(number + 1001), (16, 95))
    pen = _Pen(
        rng,
        "en",
        [each.key for each in people],
        (
            "on flower rota, {small} Sundays",
            "home communion 1st Weds {time}",
            "banns read {day}",
            "pledge upped to {money}",
            "hymn book no {small}, pew heater PAT {article}",
            "faculty granted {year}",
            "hall key, office open {hours}",
        ),
        (
            "ring daughter {name} first: {phone}",
            "Standing order from {iban}",
            "envelope shared w. no. {key}",
            "newsletter to {email}",
            "recently bereaved, son's mobile {phone}",
            "churchwarden {name} visits Thurs",
            "Gift Aid query HMRC - NI no {nino}",
            "in Ward 4, NHS {nhs} for chaplaincy referral",
            "pays by transfer {iban} yearly",
        ),
        share=0.5,
    )
    rows = []
    for row, person in enumerate(people):
        rows.append(
            (
                person.key,
                rng.choice({"m": ("Mr", "Mr", "Dr", "Revd"), "w": ("Mrs", "Miss", "Ms", "Dr")}[person.sex]),
                person.last,
                f"{person.first[0]}.{rng.choice('ABCDEHJLMR')}.",
                pen.stray(row, "Address 1", person.street, ("c/o {name}, 4 The Green", "moved! tel {phone}"), 0.04),
                person.postcode,
                rng.choice(("CofE", "CofE", "CofE", "Meth", "RC", "none")),
                rng.choice(("Y", "Y", "N", "?")),
                _slash(_between(rng, (2001, 4, 6), 8000)) if rng.random() < 0.7 else "",
                f"£{rng.choice((5, 10, 20, 25, 40, 100))}.00",
                rng.choice(("mthly", "wkly", "qtly", "adhoc")),
                f"£{rng.lognormvariate(5.3, 0.9):,.2f}",
                pen.write(row, "Pastoral (CONFIDENTIAL)", 0.2),
            )
        )
    truths = {
        "Env No": _I,
        "Title": _K,
        "Surname": _I,
        "Inits": _K,
        "Address 1": _I,
        "P/code": _K,
        "Denom.": _C,
        "Elec roll": _C,
        "GA decl": _K,
        "Pledge": _C,
        "Freq": _N,
        "Given 2023": _C,
        "Pastoral (CONFIDENTIAL)": _D,
    }
    return _table("parish_giving", truths, ("Env No",), rows, (pen,), ",")


def _ambulance() -> UnseenFile:
    """Patient transports out of a German hospital system: headings and dates as SAP writes them."""
    rng = _Random("later krankentransport")
    people = _crowd(rng, 190, "de", lambda _: f"000{_figures(rng, 7)}", (0, 96))
    pen = _Pen(
        rng,
        "de",
        [each.key for each in people],
        (
            "Treppe 3. OG, Tragestuhl, {small} kg Gepäck",
            "Abfahrt {time}, Wartezeit {small} min",
            "Landeplatz RTH {coord}",
            "RR {pressure}, O2 2 l, Akku {percent}",
            "Transportschein fehlt, Zuzahlung {money}",
            "RTW 83-2, km-Stand {counter}",
            "Corpuls SW {version} Fehler E0{small}",
            "Dialyse {hours}",
        ),
        (
            "Schlüssel b. Nachbarin {name} ({phone})",
            "KVNR {health} lt. Karte",
            "Angehörige informiert Tel {phone}",
            "Rg. an Betreuer {name}, {email}",
            "falscher Patient angelegt, richtig {key}",
            "Selbstzahler überweist von {iban}",
            "ital. Urlauber, CF {cf}",
            "Tochter {phone}, Notruf v. {phone}",
            "frz. Pat., NIR {nir}, Rg {email}",
        ),
        share=0.35,
    )
    rows: list[tuple[str, ...]] = []
    for person in people:
        for _ in range(rng.choice((1, 1, 2, 3))):
            day = _between(rng, (2023, 1, 1), 365)
            row = len(rows)
            rows.append(
                (
                    f"23{rng.randrange(10**6, 10**7)}",
                    person.key,
                    _sap(person.born),
                    {"m": "1", "w": "2"}[person.sex],
                    pen.stray(
                        row,
                        "ABHOLORT",
                        rng.choice((f"{person.postcode} {person.street}", "Klinik Station 12", "Pflegeheim Elbblick")),
                        ("b. Tochter {name}, Handy {phone}", "Klingel {name}"),
                        0.03,
                    ),
                    rng.choice(("UKD NOTA", "DIALYSE NEUST", "REHA KREISCHA", "STR. THER.", "KH FRIEDR.")),
                    f"{_sap(day)} {rng.randrange(24):02d}{rng.randrange(60):02d}00",
                    str(rng.randrange(2, 90)),
                    rng.choice(("1", "2", "2", "3", "4", "5")),
                    rng.choice(("I63.9", "N18.5", "S72.10", "F10.0", "J44.1", "Z99.2", "R55")),
                    rng.choice(("", "", "", "MRSA", "C.diff", "COVID")),
                    _comma(rng.lognormvariate(5, 0.6)),
                    rng.choice(("109519005", "101575519", "108018007", "SZ")),
                    pen.write(row, "BEM_BESATZUNG", 0.25),
                )
            )
    truths = {
        "EINSATZNR": _I,
        "PATNR": _I,
        "GBDAT": _K,
        "GSCHL": _K,
        "ABHOLORT": _K,
        "ZIELORT": _K,
        "ALARM_TS": _K,
        "KM": _N,
        "NACA": _C,
        "VDIAG_ICD": _C,
        "INFEKT_KZ": _C,
        "RG_BETRAG": _C,
        "KOSTTR_IK": _C,
        "BEM_BESATZUNG": _D,
    }
    return _table("krankentransporte", truths, ("PATNR",), rows, (pen,), ";")


def _accident_book() -> UnseenFile:
    """The accident book of a British manufacturer: two columns of free text."""
    rng = _Random("later accidents")

    def payroll(_: int) -> str:
        body = _figures(rng, 5)
        return f"P{body}{'ABCDEFGHJKL'[_weighed(body, (6, 5, 4, 3, 2)) % 11]}"

    people = _crowd(rng, 150, "en", payroll, (17, 68))
    said = _Pen(
        rng,
        "en",
        [each.key for each in people],
        (
            "slipped on wet floor nr bay {room}",
            "caught L hand in press, guard part no {article} missing",
            "trapped finger, line 4 fw {version}",
            "pallet ({small} kg) fell off racking at {time}",
            "splash of coolant lot {lot} in eye",
            "tripped over hose. Reported late {day}",
            "cut by box ean {ean}",
        ),
        (
            "witness {name} saw it, {phone}",
            "IP taken home by wife {name}, call {phone}",
            "pushed by {name} (works no {key})",
            "agency worker, NINO {nino}, slipped on oil",
            "CCTV clip sent to {email}, time {time}",
            "hurt back lifting w/ {name}",
        ),
        share=0.3,
    )
    after = _Pen(
        rng,
        "en",
        [each.key for each in people],
        (
            "toolbox talk {day}",
            "PO {order} raised for new guard",
            "insurer notified, reserve {money}",
            "RAMS rev {version}",
            "CAPA {invoice} closed",
            "no further action",
        ),
        (
            "sick pay to {iban}",
            "physio report from {email}",
            "A&E discharge, NHS no. {nhs}",
            "union rep {name} on {phone}",
            "Polish worker, PESEL {pesel}",
            "claim via {name} Solicitors {email}",
            "also hurt: {key}",
        ),
        share=0.35,
    )
    rows: list[tuple[str, ...]] = []
    for person in people:
        role, shift = (
            rng.choice(("Operative", "FLT driver", "Fitter", "Cleaner", "Supervisor", "Temp")),
            rng.choice("ABC"),
        )
        band = ("16-24", "25-34", "35-44", "45-54", "55+")[min(4, max(0, (_age(person) - 15) // 10))]
        for _ in range(rng.choice((1, 1, 1, 2, 3))):
            row = len(rows)
            rows.append(
                (
                    f"ACC{row + 1:05d}",
                    person.key,
                    role,
                    f"{shift} shift",
                    band,
                    f"{_slash(_between(rng, (2019, 1, 1), 1900))} {rng.randrange(24):02d}:{rng.randrange(60):02d}",
                    rng.choice(("Press shop", "Goods in", "Yard", "Canteen", "Paint line")),
                    rng.choice(("Hand/finger", "Back", "Eye", "Foot", "Head", "Multiple")),
                    rng.choice(("Cut", "Sprain", "Burn", "Fracture", "Amputation", "Contusion")),
                    rng.choice(("0", "0", "1", "4", "8", "21")),
                    rng.choice(("Y", "N", "N", "N")),
                    said.write(row, "What happened (own words)", 0.05),
                    after.write(row, "Follow up", 0.3),
                )
            )
    truths = {
        "Entry no": _I,
        "Works No.": _I,
        "Job": _K,
        "Shift": _K,
        "Age band": _K,
        "Date/time": _K,
        "Location": _K,
        "Body part": _C,
        "Injury": _C,
        "Days lost": _C,
        "RIDDOR?": _C,
        "What happened (own words)": _D,
        "Follow up": _D,
    }
    return _table("accident_book", truths, ("Works No.",), rows, (said, after), ",")


def _disability_benefits() -> UnseenFile:
    """Assessments for a British disability benefit; the key is the National Insurance number itself."""
    rng = _Random("later benefits")
    people = _crowd(rng, 170, "en", lambda _: _nino(rng).upper().replace(" ", ""), (16, 66))
    pen = _Pen(
        rng,
        "en",
        [each.key for each in people],
        (
            "MR requested {day}, {law}",
            "arrears {money} paid",
            "PA4 rev {version} returned",
            "tribunal {time} room {room}",
            "moving around: {small} metres aided",
            "takes amitriptyline {dose} nocte",
            "award letter barcode {counter}",
            "helpline {hours}\nno reply",
        ),
        (
            "appointee is {name} (mother) {phone}",
            "GP letter quotes NHS no {nhs}",
            "pay into a/c {iban}",
            "clmt asks for emails only: {email}",
            "linked to partner's claim {key}",
            "CPN {name}\ntel {phone}",
            "Irish a/c {iban}, clmt moved",
            "wrong NINO quoted {nino}",
            "support worker {email}, {phone}",
        ),
        share=0.4,
    )
    rows: list[tuple[str, ...]] = []
    for person in people:
        area = f"E0101{rng.randrange(1000, 9999)}"
        condition = rng.choice(("Anxiety/depression", "Osteoarthritis", "MS", "Autism", "Epilepsy", "ME/CFS", "Stroke"))
        for round_number in range(1, rng.choice((2, 2, 3, 4))):
            rows.append(
                (
                    person.key,
                    f"PIP{_figures(rng, 7)}/{round_number}",
                    _lettered(person.born),
                    {"m": "Male", "w": "Female"}[person.sex],
                    area,
                    condition,
                    str(rng.randrange(0, 25)),
                    str(rng.choice((0, 4, 8, 10, 12))),
                    rng.choice(("0.00", "72.65", "108.55", "101.75", "184.30")),
                    _lettered(_between(rng, (2021, 1, 1), 1000)),
                    rng.choice(("F2F", "Telephone", "Paper", "Video")),
                    rng.choice(("Y", "N", "N", "N", "N")),
                    pen.write(len(rows), "CM remarks", 0.25),
                )
            )
    truths = {
        "NINo": _I,
        "Claim/rd": _I,
        "DoB": _K,
        "Sex": _K,
        "LSOA11CD": _K,
        "Primary condn": _C,
        "DL pts": _C,
        "MOB pts": _C,
        "GBP pw": _C,
        "Dec. date": _K,
        "Assmt channel": _N,
        "SRTI": _C,
        "CM remarks": _D,
    }
    return _table("disability_benefits", truths, ("NINo",), rows, (pen,), ",")


def _tax_office() -> UnseenFile:
    """Extracts of a German tax office: a row a person and year, two numbers a person."""
    rng = _Random("later finanzamt")
    people = _crowd(
        rng,
        160,
        "de",
        lambda _: _german_tax(rng).replace(" ", ""),
        (20, 90),
        lambda _: f"{rng.randrange(200, 240)}/{rng.randrange(100, 300)}/{rng.randrange(10000, 99999)}",
    )
    pen = _Pen(
        rng,
        "de",
        [each.key for each in people] + [each.second for each in people],
        (
            "Bescheid v. {day} unter VdN",
            "Anl. V fehlt, Frist {day}",
            "GdB anerk. gem. {law}",
            "Verspätungszuschlag {money}",
            "ELSTER-Ticket {counter}, Version {version}",
            "Belege S. 1-{small} zurück",
            "Zimmer {room}, Sprechzeiten {hours}",
            "Handw.leistung Rg. {invoice} gekürzt",
        ),
        (
            "Stpfl. bittet um Rückruf {phone}",
            "Erst. auf Konto {iban}",
            "Ehegatte IdNr. {tax}",
            "Kind IdNr {tax} doppelt beantragt",
            "StB {name} bevollm., {email}",
            "vgl. StNr. / IdNr. {key}",
            "abw. Bankverb. {iban} lt. Schr. v. {day}",
            "Einspruch per E-Mail ({email}) unzulässig",
            "Erbe: {name}, Tel. {phone}",
        ),
    )
    rows: list[tuple[str, ...]] = []
    for person in people:
        faith, first = rng.choice(("VD", "VD", "EV", "RK", "LT")), rng.choice((2020, 2021, 2022))
        for year in range(first, 2023):
            income = rng.lognormvariate(10.4, 0.6)
            rows.append(
                (
                    person.key,
                    person.second,
                    str(year),
                    str(person.born.year),
                    rng.choice(("A", "B", "B", "D", "E")),
                    faith,
                    rng.choice(("", "", "", "50", "80")),
                    rng.choice(("14612000", "14625020", "14523320", "14713000")),
                    _comma(income, 0),
                    _comma(rng.gauss(-500, 4000), 0),
                    _comma(income * 0.84, 0),
                    _comma(max(0.0, income * 0.22 - 2200), 2),
                    _comma(rng.gauss(-300, 900), 2),
                    rng.choice(("03", "07", "11", "RMS")),
                    pen.write(len(rows), "HINW_TEXT", 0.3),
                )
            )
    truths = {
        "IDNR": _I,
        "STNR": _I,
        "VZ": _K,
        "GEBJ": _K,
        "VERANL": _K,
        "REL": _C,
        "GDB": _C,
        "AGS": _K,
        "EINK_NSA": _C,
        "EINK_VUV": _C,
        "ZVE": _C,
        "ESTFESTS": _C,
        "NACHZ_ERST": _C,
        "SGL": _D,
        "HINW_TEXT": _D,
    }
    return _table("est_auszug", truths, ("IDNR", "STNR"), rows, (pen,), ";")


def _telephone_contracts() -> UnseenFile:
    """Contracts of a Swiss telephone company, headings and notes half German, half English."""
    rng = _Random("later telecom")
    people = _crowd(
        rng,
        460,
        "ch",
        lambda number: f"CH-{rng.randrange(2015, 2025)}-{number * 13 + 4512:07d}",
        (16, 90),
        lambda _: f"417{rng.choice('6789')}{_figures(rng, 7)}",
    )
    pen = _Pen(
        rng,
        "mix",
        [each.key for each in people] + [each.second for each in people],
        (
            "Router FW {version}, reboot ok",
            "SIM swap done {day}",
            "Roaming pack {money}",
            "shop hours {hours}",
            "Gerät EAN {ean} retour",
            "NPS {small}, escalated to 2nd level",
            "Ticket {counter} closed",
            "Kulanz, s. Rg. {invoice}",
        ),
        (
            "customer called from {phone} re: bill",
            "Kd. möchte Rg. an {email}",
            "LSV+ neu {iban}",
            "AHV-Nr. {ahv} auf Formular angegeben",
            "Bonitätsauskunft: AHV {ahv}",
            "contract transferred to Mr {name} ({key})",
            "pls contact via {email} or {phone}",
            "refund -> {iban}",
            "Port-in von {phone}, bisher {name}",
        ),
        share=0.35,
    )
    rows = []
    for row, person in enumerate(people):
        device = f"35{_figures(rng, 12)}"
        rows.append(
            (
                person.key,
                person.second,
                f"{device}{_luhn(device)}",
                _dot(_between(rng, (2008, 1, 1), 5900)),
                rng.choice(("de", "de", "fr", "it", "en")),
                person.postcode,
                str(person.born.year),
                rng.choice(("swiss mobile M", "swiss mobile L", "Prepaid", "Business S")),
                f"CHF {rng.choice((29, 49, 65, 89)):.2f}",
                f"{rng.lognormvariate(8.4, 1):.0f}",
                _swiss(rng.lognormvariate(4, 1.6)),
                rng.choice(("0", "0", "0", "1", "2", "Betreibung")),
                f"0.{rng.randrange(1000):03d}",
                rng.choice(("16.4.1", "17.0.3", "S918BXXU2", "n/a")),
                pen.write(row, "Agent note / Bemerkung", 0.3),
            )
        )
    truths = {
        "Contract_ID": _I,
        "MSISDN": _I,
        "IMEI": _I,
        "Kd. seit": _K,
        "Spr.": _K,
        "NPA": _K,
        "YoB": _K,
        "Abo": _C,
        "ARPU": _C,
        "Data MB (Ø3M)": _C,
        "Roaming YTD": _C,
        "Mahnst.": _C,
        "churn_p": _C,
        "OS ver": _N,
        "Agent note / Bemerkung": _D,
    }
    return _table("telco_contracts_ch", truths, ("Contract_ID", "MSISDN", "IMEI"), rows, (pen,), ";")


def _electricity_meters() -> UnseenFile:
    """Readings of electricity meters: many rows a customer, three numbers that stand for the customer."""
    rng = _Random("later zaehler")

    def location(_: int) -> str:
        body = "5" + _figures(rng, 9)
        odd, even = sum(map(int, body[::2])), sum(map(int, body[1::2]))
        return f"{body}{-(odd + 2 * even) % 10}"

    people = _crowd(rng, 85, "de", location, (22, 88), lambda _: f"1EMH00{_figures(rng, 8)}")
    customers = {person.key: f"K{number * 17 + 20033}" for number, person in enumerate(people)}
    pen = _Pen(
        rng,
        "de",
        [each.key for each in people] + [each.second for each in people] + list(customers.values()),
        (
            "Zählerschrank KG, Raum {room}",
            "Stand geschätzt, Differenz {money}",
            "GWA-Firmware {version}",
            "Plombe {lot} erneuert {day}",
            "Wandlerfaktor {small}",
            "Ablesung zw. {time} und 18 Uhr",
            "Sperrauftrag {order} storniert",
            "Trafostation {coord}",
            "Display zeigt {counter}",
        ),
        (
            "Zutritt über Hausmeister {name}, {phone}",
            "Guthaben auf {iban}",
            "Kunde mailt Stand: {email}",
            "Zählertausch, alt {key}",
            "Mieterin Fr. {name} ausgezogen",
            "Abschlag senken, Rückruf {phone}",
            "Vorkasse, Einzahlung von {iban}, Fr. {name}",
            "Ausweisnr. {card} notiert",
        ),
        share=0.22,
    )
    rows: list[tuple[str, ...]] = []
    for person in people:
        reading, prepaid = rng.randrange(500, 60000), rng.choice((48, 65, 92, 120, 210))
        members, pump = str(rng.randrange(1, 6)), rng.choice(("", "", "WP", "WB", "PV"))
        for month in range(1, rng.choice((5, 7, 9, 13))):
            used = max(0, int(rng.gauss(250, 90)))
            reading += used
            rows.append(
                (
                    person.key,
                    person.second,
                    customers[person.key],
                    _short_dot(datetime.date(2023, month, rng.randrange(1, 28))),
                    f"{reading:08d}",
                    str(used),
                    _comma(prepaid),
                    person.postcode,
                    rng.choice(("Basis", "Öko24", "Öko24", "GrundV")),
                    members,
                    pump,
                    rng.choice(("1.8.0", "1.8.0", "2.8.0")),
                    pen.write(len(rows), "Hinweis Ableser", 0.45),
                )
            )
    truths = {
        "MaLo": _I,
        "Zählernr.": _I,
        "KdNr": _I,
        "Abl.dat.": _K,
        "Stand (kWh)": _C,
        "Verbr.": _C,
        "Abschl. €": _C,
        "PLZ Lieferst.": _K,
        "Tarif": _C,
        "Pers.": _K,
        "WP/WB/PV": _K,
        "OBIS": _N,
        "Hinweis Ableser": _D,
    }
    return _table("zaehlerstaende", truths, ("MaLo", "Zählernr.", "KdNr"), rows, (pen,), ";")


def _hotel_guests() -> UnseenFile:
    """Guests of an Austrian hotel, in the two languages of its front desk; some come back."""
    rng = _Random("later hotel")
    letters = "CFGHJKLMNPRTVWXYZ"
    people = _crowd(
        rng,
        240,
        "at",
        lambda number: f"GP{number * 5 + 88001}",
        (18, 85),
        lambda _: f"{rng.choice(letters)}{rng.choice(letters)}{_figures(rng, 6)}{rng.choice(letters)}",
    )
    pen = _Pen(
        rng,
        "mix",
        [each.key for each in people] + [each.second for each in people],
        (
            "late check-out {time}",
            "allergic to feathers, room {room} pls",
            "Spa {hours}",
            "extra bed {money}",
            "Anreise ca. {time}, Garage {small}",
            "Wein Art. {article} aufs Zimmer",
            "Rg. {invoice} auf Firma",
            "Hund {small} kg, Aufpreis {money}",
            "Protel {version}: rate override",
        ),
        (
            "arriving with {name}, mobile {phone}",
            "invoice to {email}",
            "Anzahlung retour {iban}",
            "Chauffeur Hr. {name} {phone}",
            "same company as {key}",
            "Personalausweis {card} fotografiert",
            "Begleitperson {name}, DNI {dni}",
            "lost property: please mail {email}, {phone}",
            "deposit came from {iban}",
            "Ital. Meldezettel CF {cf}",
            "Belgian guest, rijksregister {belgian}",
        ),
        share=0.38,
    )
    rows: list[tuple[str, ...]] = []
    for person in people:
        nation = rng.choice(("A", "A", "D", "D", "CH", "I", "GB", "NL", "CZ"))
        for _ in range(rng.choice((1, 1, 1, 2, 3))):
            arrival = _between(rng, (2023, 12, 1), 260)
            row = len(rows)
            rows.append(
                (
                    f"{rng.choice(('B', 'W', 'X'))}{_figures(rng, 6)}",
                    person.key,
                    person.last,
                    person.first,
                    nation,
                    _dot(person.born),
                    person.second,
                    _short_dot(arrival),
                    _short_dot(arrival + datetime.timedelta(days=rng.randrange(1, 12))),
                    f"{rng.randrange(1, 5)}{rng.randrange(1, 30):02d}",
                    _comma(rng.choice((119, 139, 168, 219, 345))),
                    _comma(max(0.0, rng.gauss(12, 18))),
                    pen.stray(
                        row, "VIP/Source", rng.choice(("", "", "OTA", "Stammgast", "VIP2", "Exped.")), ("via {email}",)
                    ),
                    rng.choice(("", "", "", "vegan", "gluten free", "kosher", "no pork", "Nüsse!")),
                    pen.write(row, "Remarks/Wünsche", 0.25),
                )
            )
    truths = {
        "Res.No": _I,
        "Profile ID": _I,
        "Familienname": _I,
        "Vorname": _I,
        "Nat.": _K,
        "Geb.dat": _K,
        "Reisedok.": _I,
        "Arr.": _K,
        "Dep.": _K,
        "Zi.": _K,
        "Rate EUR": _C,
        "Minibar": _C,
        "VIP/Source": _D,
        "Diet": _C,
        "Remarks/Wünsche": _D,
    }
    return _table("hotelgaeste", truths, ("Profile ID", "Reisedok."), rows, (pen,), ";")


def _air_passengers() -> UnseenFile:
    """Passengers of an airline: a row a flight; travellers of one booking share the locator."""
    rng = _Random("later passengers")
    people = _crowd(
        rng,
        210,
        "en",
        lambda _: f"125{_figures(rng, 10)}",
        (2, 84),
        lambda _: _figures(rng, 9),
    )
    pen = _Pen(
        rng,
        "en",
        [each.key for each in people] + [each.second for each in people],
        (
            "SSR WCHR CFM {day}",
            "BAG TAG {counter} DELAYED",
            "UPGRADE VOUCHER {money}",
            "SEAT CHG DUE ACFT SWAP {time}",
            "FARE RULE {law}",
            "EMD {counter} ISSUED",
            "DUTY FREE ITEM {article}",
            "LOUNGE {hours}",
        ),
        (
            "CTCM {phone}",
            "CTCE {email}",
            "TRVL WITH INFANT {name}",
            "REFUND TO IBAN {iban}",
            "SPLIT FROM TKT {key}",
            "TSA REDRESS, SSN {ssn} GIVEN BY PAX",
            "EMERGENCY CTC {name} {phone}",
            "OSI YY DAUGHTER OF {name}",
            "DUTCH RESIDENT BSN {bsn}",
            "EU261 CLAIM {email} IBAN {iban}",
            "SE PAX PNO {swedish}",
        ),
        share=0.4,
        capitals=True,
    )
    rows: list[tuple[str, ...]] = []
    locator = ""
    for number, person in enumerate(people):
        if number % 3 != 1:
            locator = "".join(rng.choices("ABCDEFGHJKLMNPQRSTUVWXYZ23456789", k=6))
        surname = _plain_letters(person.last).upper()
        title = {"m": "MR", "w": "MRS"}[person.sex]
        country = rng.choice(("GBR", "GBR", "GBR", "IRL", "USA", "IND", "DEU"))
        tier = rng.choice(("", "", "BLUE", "SLVR", "GOLD"))
        for _ in range(rng.choice((1, 2, 2, 4))):
            flown = _between(rng, (2024, 2, 1), 150)
            rows.append(
                (
                    locator,
                    person.key,
                    f"{surname}/{_plain_letters(person.first).upper()} {title}",
                    person.second,
                    country,
                    f"{person.born:%d}{_MONTHS[person.born.month - 1]}{person.born:%y}",
                    {"m": "M", "w": "F"}[person.sex],
                    f"BA{rng.choice((117, 238, 902, 1478, 2760)):04d}",
                    f"{flown:%d}{_MONTHS[flown.month - 1]}{flown:%y}",
                    rng.choice(("LHR-JFK", "BRS-AMS", "LHR-FRA", "LGW-AGP", "EXT-DUB")),
                    f"{rng.randrange(1, 42)}{rng.choice('ABCDEF')}",
                    f"{rng.lognormvariate(5.4, 0.7):.2f}",
                    rng.choice(("", "", "", "VGML", "KSML", "MOML", "WCHR", "MEDA", "UMNR")),
                    tier,
                    pen.write(len(rows), "OSI/RMK", 0.3),
                )
            )
    truths = {
        "REC_LOC": _I,
        "TKT_NBR": _I,
        "PAX_NAME": _I,
        "DOC_NBR": _I,
        "DOC_CTRY": _K,
        "DOB": _K,
        "SEX": _K,
        "FLT": _K,
        "DEP_DT": _K,
        "OND": _K,
        "SEAT": _K,
        "FARE_GBP": _C,
        "SSR": _C,
        "FF_TIER": _C,
        "OSI/RMK": _D,
    }
    return _table("pnr_passengers", truths, ("TKT_NBR", "DOC_NBR"), rows, (pen,), ",")


def _genetic_study() -> UnseenFile:
    """Variants found in a study of rare diseases: several rows a participant, who is written as a hash."""
    rng = _Random("later genetics")
    people = _crowd(rng, 110, "en", lambda number: hashlib.sha256(f"later {number}".encode()).hexdigest()[:24], (0, 75))
    pen = _Pen(
        rng,
        "en",
        [each.key for each in people],
        (
            "benign per ClinVar {day}",
            "chr17:{counter} low depth {small}x",
            "reagent lot {lot}, QC {percent}",
            "re-called with pipeline {version}",
            "VUS, rs{counter}",
            "kit cat no {article}",
            "MAF 0.00{small}, ACMG PM2 PP3",
            "coverage report {invoice}",
        ),
        (
            "incidental finding, phone family on {phone}",
            "father is {key}",
            "consent withdrawn by email from {email}",
            "referring clinician Dr {name}, {email}",
            "NHS number on tube {nhs} -> relabel",
            "travel refunded to {iban}",
            "US cousin enrolled, SSN on form {ssn}",
            "proband's aunt {name} affected ({phone})",
            "Dutch cohort BSN {bsn} must be removed",
            "Spanish centre sent DNI {dni}",
            "reimburse {iban}",
        ),
        share=0.3,
    )
    rows: list[tuple[str, ...]] = []
    for number, person in enumerate(people):
        ethnicity = rng.choice(("White British", "White British", "Pakistani", "Black African", "Mixed", "Not stated"))
        centre = rng.choice(("BRS", "EXE", "CDF", "OXF"))
        sign = rng.choice(("HP:0001250", "HP:0003002", "HP:0001644", "HP:0002027", "HP:0000717"))
        for _ in range(rng.choice((1, 2, 3, 5))):
            gene, change = rng.choice(
                (
                    ("BRCA1", "c.68_69del"),
                    ("CFTR", "c.1521_1523del"),
                    ("HTT", "CAG(43)"),
                    ("LDLR", "c.313+1G>A"),
                    ("TTN", "c.83911C>T"),
                    ("SCN1A", "c.2589+3A>T"),
                )
            )
            rows.append(
                (
                    person.key,
                    f"FAM{number // 3 + 101:04d}",
                    f"S{rng.randrange(20, 24)}-{_figures(rng, 6)}.{rng.randrange(1, 4)}",
                    {"m": "1", "w": "2"}[person.sex],
                    str(_age(person)),
                    ethnicity,
                    centre,
                    gene,
                    change,
                    rng.choice(("het", "het", "hom", "hemi")),
                    rng.choice(("P", "LP", "VUS", "VUS", "LB")),
                    sign,
                    f"run{rng.randrange(110, 160)}",
                    rng.choice(("GRCh38_v2.3.1", "GRCh38_v2.4.0")),
                    pen.write(len(rows), "curator_comment", 0.3),
                )
            )
    truths = {
        "pseudo_sha": _I,
        "fam_id": _I,
        "sample_bc": _I,
        "sex_birth": _K,
        "age_recr": _K,
        "ethn_selfrep": _C,
        "centre": _K,
        "gene": _C,
        "hgvs_c": _C,
        "zyg": _C,
        "acmg": _C,
        "hpo_main": _C,
        "seq_batch": _N,
        "pipeline": _N,
        "curator_comment": _D,
    }
    return _table("rare_variants", truths, ("pseudo_sha",), rows, (pen,), ",")


def _leave_register() -> UnseenFile:
    """Infotype 2001 of an SAP payroll: absences with the technical names of the fields."""
    rng = _Random("later pa2001")
    people = _crowd(
        rng,
        125,
        "de",
        lambda number: f"{number * 9 + 40117:08d}",
        (18, 66),
        lambda _: f"{rng.choice('DXS')}{rng.randrange(10**6):06d}",
    )
    pen = _Pen(
        rng,
        "de",
        [each.key for each in people] + [each.second for each in people],
        (
            "Resturlaub {small} T verfällt {day}",
            "eAU abgerufen {day}",
            "WE-Gespräch {time} Uhr Raum {room}",
            "Workflow {counter} genehmigt",
            "EFZ endet {day}, dann KrG",
            "Sonderurlaub {law}",
            "ESS {version} Fehler, manuell",
            "Urlaubsgeld {money}",
        ),
        (
            "Vertretung {name} (Pnr {key})",
            "erreichbar im Urlaub: {phone}",
            "AU per Mail von {email}",
            "SVNR {pension} an KK gemeldet",
            "KV-Nr. {health}, eAU fehlt",
            "Pfändung KrG, {iban}",
            "BEM abgelehnt, privat {phone}",
            "Grenzgänger FR, NIR {nir}",
            "Zusch. überw. {iban}; AN {name}",
            "poln. AN PESEL {pesel}",
        ),
        share=0.25,
    )
    leaders = [each.key for each in people[:12]]
    rows: list[tuple[str, ...]] = []
    for person in people:
        centre, group, leader = (
            f"00{rng.randrange(41, 49)}{rng.choice(('10', '20'))}",
            rng.choice(("1", "1", "2", "9")),
            rng.choice(leaders),
        )
        plant = rng.choice(("DD01", "DD01", "L002"))
        for _ in range(rng.choice((1, 2, 4, 6, 8))):
            kind, label = rng.choice(
                (
                    ("0100", "Erholungsurlaub"),
                    ("0100", "Erholungsurlaub"),
                    ("0200", "Krank mit AU"),
                    ("0210", "Krank o. AU"),
                    ("0230", "Kur/Heilverf."),
                    ("0500", "Mutterschutz"),
                    ("0630", "Unbez. Url."),
                )
            )
            start = _between(rng, (2022, 1, 1), 900)
            length = rng.choice((1, 1, 2, 3, 5, 10, 15, 42))
            rows.append(
                (
                    person.key,
                    person.second,
                    group,
                    plant,
                    centre,
                    _sap(start),
                    _sap(start + datetime.timedelta(days=length)),
                    kind,
                    label,
                    f"{length},00",
                    f"{rng.randrange(0, 31)},00000",
                    leader,
                    "100",
                    pen.write(len(rows), "ITXEX_TEXT", 0.45),
                )
            )
    truths = {
        "PERNR": _I,
        "USRID": _I,
        "PERSG": _K,
        "WERKS": _K,
        "KOSTL": _K,
        "BEGDA": _K,
        "ENDDA": _K,
        "AWART": _C,
        "ATEXT": _C,
        "KALTG": _C,
        "QUOTA_REST": _C,
        "GEN_DURCH": _I,
        "MANDT": _N,
        "ITXEX_TEXT": _D,
    }
    return _table("pa2001_abwesenheiten", truths, ("PERNR", "USRID"), rows, (pen,), ";")


def _refugee_housing() -> UnseenFile:
    """Beds in a German town's housing of refugees: one row a person and stay."""
    rng = _Random("later unterkunft")
    drawn = _crowd(
        rng,
        230,
        "de",
        lambda _: f"{rng.randrange(13, 25)}{_figures(rng, 10)}",
        (0, 75),
        lambda _: f"DE{_figures(rng, 8)}",
    )
    pen = _Pen(
        rng,
        "de",
        [each.key for each in drawn] + [each.second for each in drawn],
        (
            "Umverteilung am {day}",
            "Bett {small}, Matratze Inv. {article}",
            "Erstausst. {money} ausgez.",
            "Büro {hours}",
            "Termin BAMF {day} {time}, Zi {room}",
            "Hausverbot {small} Tage",
            "Waschm. defekt, Auftrag {order}",
            "Krankenschein Q{small}",
        ),
        (
            "Bruder {name} in Haus 4, Tel. {phone}",
            "Konto eröffnet {iban}",
            "RAin {name}, Mail {email}",
            "gehört zu AZR {key}",
            "WhatsApp {phone}",
            "Steuer-ID {tax} zugeteilt",
            "eGK {health}",
            "Vormund {name} ({email})",
            "Dolmetscher anrufen: {phone}",
            "Lohn auf {iban} seit {day}",
        ),
        share=0.42,
    )
    rows: list[tuple[str, ...]] = []
    family = ""
    for number, person in enumerate(drawn):
        first, last = _called(rng, "world", person.sex)
        family = family if number % 3 else last
        nation = rng.choice(("SYR", "SYR", "AFG", "UKR", "UKR", "ERI", "IRN", "IRQ"))
        people_of = rng.choice(("Kurde", "Araber", "Hazara", "Tigrinya", "Ukrainer", "k.A.", "Roma"))
        faith = rng.choice(("isl.", "isl.", "orth.", "jesid.", "chr.", "o.A."))
        need = rng.choice(("", "", "", "UMA", "Folteropfer", "schwanger", "LGBTI", "PTBS"))
        for _ in range(rng.choice((1, 1, 1, 2))):
            arrival = _between(rng, (2021, 6, 1), 1000)
            rows.append(
                (
                    person.key,
                    person.second,
                    f"F{number // 3 + 12:03d}",
                    f"{family.upper()}, {first}",
                    _dot(person.born) if rng.random() < 0.85 else f"01.01.{person.born.year}",
                    person.sex,
                    nation,
                    people_of,
                    faith,
                    rng.choice(("Gestattung", "Duldung", "§24", "§25(2)", "GFK", "abgel.")),
                    f"{rng.choice('ABC')} / {rng.randrange(1, 40):02d}",
                    _dot(arrival),
                    _dot(arrival + datetime.timedelta(days=rng.randrange(20, 500))) if rng.random() < 0.5 else "",
                    rng.choice(("410,00", "369,00", "512,00", "0,00")),
                    need,
                    pen.write(len(rows), "Notiz Soz.betr.", 0.25),
                )
            )
    truths = {
        "AZR-Nr": _I,
        "EAE-Kz": _I,
        "Fam": _I,
        "NAME, Vorn.": _I,
        "geb": _K,
        "m/w": _K,
        "StA": _K,
        "Volkszug.": _C,
        "Rel.": _C,
        "Aufenth.": _C,
        "Haus/Zi": _K,
        "von": _K,
        "bis": _K,
        "AsylbLG €/M": _C,
        "vulnerabel": _C,
        "Notiz Soz.betr.": _D,
    }
    return _table("unterkunft_belegung", truths, ("AZR-Nr", "EAE-Kz"), rows, (pen,), ";")


def _vaccinations() -> UnseenFile:
    """An Austrian register of vaccinations: a row a dose, with the social insurance number and a hashed number."""
    rng = _Random("later impfregister")
    people = _crowd(
        rng,
        200,
        "at",
        lambda _: _austrian_social(rng).replace(" ", ""),
        (1, 92),
        lambda number: base64.b64encode(hashlib.sha1(f"bPK {number}".encode()).digest()).decode(),
    )
    pen = _Pen(
        rng,
        "at",
        [each.key for each in people] + [each.second for each in people],
        (
            "Ch.B. {lot} n. lesbar",
            "Impfstelle {hours}",
            "Selbstbehalt {money}",
            "PZN {counter}, EAN {ean}",
            "2. Dosis ab {day}",
            "e-Impfpass {version} offline",
            "Lokalreakt. {small} mm, Parac. {dose}",
            "Raum {room}, Kühlkette {percent}",
        ),
        (
            "Mutter {name} bittet um Anruf {phone}",
            "Zertifikat an {email}",
            "SVNR falsch, richtig {social}",
            "Doppeleintrag mit {key}",
            "Refund. an {iban}",
            "dt. Gast, KVNR {health}",
            "CH-Bürgerin AHV {ahv}",
            "Hausarzt Dr. {name}, {phone}",
            "mitvers. bei {social}, Mail {email}",
            "Honorar Dr. {name} {iban}",
        ),
        share=0.3,
    )
    rows: list[tuple[str, ...]] = []
    for person in people:
        town = rng.choice(("40101", "40301", "60101", "90001", "50101"))
        reason = rng.choice(("Standard", "Standard", "HCW", "immunsuppr.", "gravid", "Chemo"))
        for dose in range(1, rng.choice((2, 3, 3, 4, 5))):
            rows.append(
                (
                    person.key,
                    person.second,
                    str(person.born.year),
                    {"m": "M", "w": "W"}[person.sex],
                    town,
                    _between(rng, (2021, 1, 1), 1100).isoformat(),
                    rng.choice(("Comirnaty", "Spikevax", "FSME-Immun", "Gardasil 9", "MMRVaxPro", "Hexyon")),
                    rng.choice(("FE6208", "EX8679", "ET7205", "3004221", "VNR1S09E", "U0142")),
                    f"D{dose}",
                    rng.choice(("Ord.", "Impfstraße", "Betrieb", "Schule", "PH")),
                    rng.choice(("", "", "", "Fieber", "Anaphyl.", "Myokard.")),
                    reason,
                    pen.write(len(rows), "Anm.", 0.4),
                )
            )
    truths = {
        "SVNR": _I,
        "bPK-GH": _I,
        "GJ": _K,
        "Geschl": _K,
        "GKZ": _K,
        "Impfdat": _K,
        "Impfstoff": _C,
        "Charge": _N,
        "Dosis#": _C,
        "Setting": _K,
        "NW": _C,
        "Indik.": _C,
        "Anm.": _D,
    }
    return _table("eimpfpass_auszug", truths, ("SVNR", "bPK-GH"), rows, (pen,), ";")


def _panel_survey() -> UnseenFile:
    """A household panel: a row a person and wave, variables with the short names of such studies."""
    rng = _Random("later panel")
    people = _crowd(rng, 180, "en", lambda number: str(68001367 + number * 408 * 7), (31, 95))
    pen = _Pen(
        rng,
        "en",
        [each.key for each in people],
        (
            "inapplicable",
            "refused, dk",
            "R says pay is {money} per wk",
            "moved in {year}",
            "CAPI {version} froze at {time}",
            "lorry driver / HGV class {small}",
            "works {hours}",
            "interviewer start {coord}",
            "{small} hrs overtime",
        ),
        (
            "resp gave stable contact {name} {phone}",
            "incentive by BACS {iban}",
            "prefers web survey, {email}",
            "quoted NI number {nino} for linkage",
            "NHS no {nhs} consent given",
            "split off from pidp {key}",
            "works with {name}, same firm",
            "call back on {phone}",
            "voucher to {email}, not husband {name}",
            "Irish move, acct {iban}",
        ),
        share=0.28,
    )
    missing = ("-9", "-8", "-2", "-1")
    rows: list[tuple[str, ...]] = []
    for number, person in enumerate(people):
        first = rng.randrange(1, 4)
        race = rng.choice((1, 1, 1, 2, 3, 9, 14, 97))
        region = str(rng.randrange(1, 13))
        for wave in range(first, first + rng.choice((1, 3, 4, 6))):
            rows.append(
                (
                    person.key,
                    str(68006807 + number // 2 * 6800 + wave * 10),
                    "abcdefghijklm"[wave],
                    f"{rng.randrange(1, 29):02d}{_MONTHS[rng.randrange(12)].lower()}{2010 + wave}",
                    {"m": "1", "w": "2"}[person.sex],
                    str(_age(person, 2010 + wave)),
                    region,
                    str(rng.randrange(1, 11)),
                    rng.choice(missing) if rng.random() < 0.1 else str(rng.choice((1, 2, 2, 2, 4, 4, 6, 8))),
                    rng.choice(missing) if rng.random() < 0.15 else f"{rng.lognormvariate(7.3, 0.6):.2f}",
                    rng.choice(missing) if rng.random() < 0.1 else str(rng.randrange(0, 37)),
                    rng.choice(missing) if rng.random() < 0.2 else str(rng.randrange(1, 8)),
                    str(race),
                    f"{rng.uniform(0.2, 3.1):.6f}",
                    str(rng.randrange(1, 8)),
                    pen.write(len(rows), "oth_verbatim", 0.35),
                )
            )
    truths = {
        "pidp": _I,
        "hidp": _I,
        "wave": _N,
        "istrtdat": _K,
        "sex_dv": _K,
        "age_dv": _K,
        "gor_dv": _K,
        "hhsize": _K,
        "jbstat": _K,
        "fimngrs_dv": _C,
        "scghq1_dv": _C,
        "vote4": _C,
        "racel_dv": _C,
        "indinus_lw": _N,
        "sclfsato": _C,
        "oth_verbatim": _D,
    }
    return _table("panel_waves", truths, ("pidp",), rows, (pen,), ",")


_FILES: tuple[Callable[[], UnseenFile], ...] = (
    _dental_practice,
    _blood_donors,
    _court_register,
    _kindergarten,
    _loan_applications,
    _union_members,
    _parish_giving,
    _ambulance,
    _accident_book,
    _disability_benefits,
    _tax_office,
    _telephone_contracts,
    _electricity_meters,
    _hotel_guests,
    _air_passengers,
    _genetic_study,
    _leave_register,
    _refugee_housing,
    _vaccinations,
    _panel_survey,
)


def unseen_files_later() -> list[UnseenFile]:
    """All twenty, the same at every call."""
    return [make() for make in _FILES]
