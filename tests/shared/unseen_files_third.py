"""Twelve more ordinary files, written by someone who had not read how roles are suggested or texts are found.

A youth welfare office, a driving school, a psychotherapist, a professional pension fund, hunting licences, debt
counselling, a charity, a food bank, a clinical trial, parking permits, a help desk and seasonal workers from all over
Europe: in German and English, with the truth of every column and of every identifying text inside a cell. Nothing
here depends on the program: the files come from seeds and the standard library.

These files are never changed to suit a rule.
"""

import datetime
import hashlib
import random
import re
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from unseen_files import Planted, PlantedText, Truth, UnseenColumn, UnseenFile

_I, _K, _C, _N, _D = Truth.IDENTIFIER, Truth.KNOWN, Truth.CONFIDENTIAL, Truth.NEITHER, Truth.DECIDE

# -- people --------------------------------------------------------------------------------------------------------

_FIRST = {
    "de": (
        "Alexander Benno Cem Detlef Egon Friedhelm Gerd Henning Ingo Joachim Konrad Ludger Matthias Niklas Ole Paul "
        "Ralf Siegfried Tobias Wolfgang",
        "Astrid Brigitte Carmen Dagmar Edeltraud Frauke Gudrun Hannelore Ilse Jasmin Kerstin Lieselotte Meike Nicole "
        "Özlem Pia Roswitha Svenja Tanja Waltraud",
    ),
    "en": (
        "Adrian Barnaby Callum Desmond Elliot Francis Graham Howard Isaac Jerome Kieran Leonard Marcus Neil Oscar "
        "Percival Roderick Sanjay Tyrone Winston",
        "Abigail Bronwen Charlotte Daphne Esther Felicity Gemma Harriet Isobel Joyce Kayleigh Leanne Meera Nadia "
        "Ottilie Philippa Rhiannon Saoirse Theresa Winifred",
    ),
    "eu": (
        "Andrzej Bartosz Dragoş Étienne Giovanni Joost Krzysztof Luca Mihai Paweł Radu Stefano Thijs Zbigniew",
        "Agnieszka Bianca Chiara Danuta Élodie Femke Giulia Ioana Katarzyna Liesbeth Małgorzata Noémie Simona Zofia",
    ),
}
_LAST = {
    "de": "Albrecht Bachmeier Clausen Dörfler Engelhardt Fröhlich Gärtner Heßler Imhof Jansen Köhler Lohmann "
    "Mühlbauer Nguyen Ostermann Pfeiffer Rademacher Schönfeld Tiedemann Uhlig Voß Wieczorek Yilmaz Zeller Aydın",
    "en": "Abernathy Blackwood Chowdhury Drummond Eastwood Fitzgerald Goldsmith Hollingsworth Iqbal Kensington "
    "Lockhart McAllister Nightingale O'Donnell Pemberton Ravenscroft Singh Tattersall Umeh Wetherby Adeyemi",
    "eu": "Bianchi Ciobanu Dąbrowski Esposito Fontaine Ionescu Jankowska Lefèvre Moretti Popescu Roussel Szymański "
    "Vermeulen Wójcik Zieliński Marchetti Dijkstra Gauthier",
}
_PLACES = {
    "de": (("04109", "Leipzig"), ("01067", "Dresden"), ("07743", "Jena"), ("86150", "Augsburg"), ("94032", "Passau")),
    "en": (("BS3", "Bristol"), ("EX4", "Exeter"), ("BA2", "Bath"), ("TA1", "Taunton"), ("GL50", "Cheltenham")),
    "eu": (("63-100", "Śrem"), ("500123", "Braşov"), ("39012", "Meran"), ("67000", "Strasbourg"), ("6511", "Nijmegen")),
}
_STREETS = {
    "de": ("Mozartstr.", "Am Mühlbach", "Gartenweg", "Dresdner Straße", "Untere Zeile", "Bgm.-Huber-Ring"),
    "en": ("Orchard Close", "London Road", "Kingsway", "St. Mark's Rd", "Harbour View", "The Paddocks"),
    "eu": ("ul. Kościuszki", "Str. Lungă", "via Roma", "rue du Faubourg", "Molenstraat"),
}


@dataclass(frozen=True)
class _Person:
    key: str
    first: str
    last: str
    male: bool
    born: datetime.date
    street: str
    postcode: str
    town: str


def _name(rng: random.Random, land: str, male: bool) -> tuple[str, str]:
    return rng.choice(_FIRST[land][0 if male else 1].split()), rng.choice(_LAST[land].split())


def _people(
    rng: random.Random, count: int, land: str, key: Callable[[int], str], years: tuple[int, int] = (1940, 2004)
) -> list[_Person]:
    people: dict[str, _Person] = {}
    while len(people) < count:
        own = key(len(people))
        if own in people:
            continue
        male = rng.random() < 0.5
        first, last = _name(rng, land, male)
        start = datetime.date(years[0], 1, 1)
        born = _day(rng, start, (datetime.date(years[1], 12, 31) - start).days)
        postcode, town = rng.choice(_PLACES[land])
        house = str(rng.randrange(1, 120)) + rng.choice(("", "", "", "a", "b"))
        street = rng.choice(_STREETS[land])
        if land == "en":
            postcode += f" {rng.randrange(1, 9)}{rng.choice('ABDEFGHJLN')}{rng.choice('PQRSTUWXYZ')}"
        street = f"{house} {street}" if land == "en" else f"{street} {house}"
        people[own] = _Person(own, first, last, male, born, street, postcode, town)
    return list(people.values())


def _digits(rng: random.Random, count: int) -> str:
    return str(rng.randrange(1, 10)) + "".join(rng.choice("0123456789") for _ in range(count - 1))


def _day(rng: random.Random, first: datetime.date, days: int) -> datetime.date:
    return first + datetime.timedelta(days=rng.randrange(days))


def _since(rng: random.Random, year: int, years: float) -> datetime.date:
    return _day(rng, datetime.date(year, 1, 1), int(years * 365))


def _de(day: datetime.date) -> str:
    return f"{day:%d.%m.%Y}"


def _uk(day: datetime.date) -> str:
    return f"{day:%d/%m/%Y}"


def _us(day: datetime.date) -> str:
    return f"{day.month}/{day.day}/{day.year}"


def _sap(day: datetime.date) -> str:
    return f"{day:%Y%m%d}"


def _euro(amount: float) -> str:
    return f"{amount:,.2f}".replace(",", "_").replace(".", ",").replace("_", ".")


# -- identifying texts ---------------------------------------------------------------------------------------------

_PLAIN = str.maketrans(
    {
        **dict(zip("äöüßÄÖÜ", ("ae", "oe", "ue", "ss", "Ae", "Oe", "Ue"), strict=True)),
        **dict(zip("ıążśćółńęŞşéèÉĂăâŁ' ", "iazscolneSseeEAaaL--", strict=True)),
    }
)


def _email(rng: random.Random, land: str) -> str:
    first, last = (part.translate(_PLAIN).lower() for part in _name(rng, land, rng.random() < 0.5))
    last = last.replace("-", "")
    host = rng.choice(
        {
            "de": ("freenet.de", "gmx.net", "web.de", "stadt-leipzig.example.de", "bluewin.ch", "aon.at", "gmx.at"),
            "en": ("outlook.com", "sky.com", "talktalk.net", "bristol.ac.uk", "aol.com", "icloud.com"),
            "eu": ("wp.pl", "onet.pl", "libero.it", "orange.fr", "ziggo.nl", "yahoo.ro"),
        }[land]
    )
    return rng.choice(
        (
            f"{first}.{last}@{host}",
            f"{first[0]}.{last}@{host}",
            f"{last}.{first[0]}{rng.randrange(1, 99)}@{host}",
            f"{first}_{last}@{host}",
            f"{first}{rng.randrange(1950, 2005)}@{host}",
            f"{first.title()}-{last.title()}@{host}",
            f"fam.{last}@{host}",
            f"{first}{last}+anfrage@{host}",
            f"{first}.{last}@{host}".upper(),
        )
    )


def _phone(rng: random.Random, land: str) -> str:
    six, seven, eight = _digits(rng, 6), _digits(rng, 7), _digits(rng, 8)
    last = f"{rng.randrange(100, 1000)}"
    if land == "de":
        area = rng.choice(("0341", "0351", "03641", "0821", "0851", "030", "069"))
        cell = rng.choice(("0152", "0159", "0162", "0170", "0173", "0175", "0179"))
        return rng.choice(
            (
                f"{area} {six}",
                f"{area} / {six[:2]} {six[2:4]} {six[4:]}",
                f"{area}-{six}-{rng.randrange(10, 99)}",
                f"({area}) {six}",
                f"+49 {area[1:]} {six}",
                f"+49 ({area[1:]}) {six}",
                f"+49-{cell[1:]}-{seven}",
                f"0049{cell[1:]}{eight}",
                f"{cell} {seven}",
                f"{cell}{eight}",
                f"{cell}/{seven[:3]} {seven[3:]}",
                f"{cell}.{eight}",
                f"+43 664 {seven}",
                f"0043 1 {seven}",
                f"0664/{seven[:3]} {seven[3:5]} {seven[5:]}",
                f"+41 79 {seven[:3]} {seven[3:5]} {seven[5:]}",
                f"+41 (0)44 {seven[:3]} {seven[3:5]} {seven[5:]}",
                f"079 {seven[:3]} {seven[3:5]} {seven[5:]}",
            )
        )
    if land == "en":
        return rng.choice(
            (
                f"0117 496 0{last}",
                f"(0117) 4960{last}",
                f"01392 {six}",
                f"01823-{six}",
                f"07700 900{last}",
                f"07700 900 {last}",
                f"07{rng.choice('45789')}{eight}",
                f"+44 7700 900{last}",
                f"+44 (0) 117 496 0{last}",
                f"0044 7700 900{last}",
                f"+44-117-496-0{last}",
                f"(415) 555-0{last}",
                f"415.555.0{last}",
                f"1-415-555-0{last}",
                f"+1 (415) 555-0{last}",
                f"+353 87 {seven}",
            )
        )
    pairs = " ".join(eight[start : start + 2] for start in (0, 2, 4, 6))
    nine = f"{rng.randrange(500, 900)} {six[:3]} {six[3:]}"
    return rng.choice(
        (
            f"+48 {nine}",
            f"0048 {nine}",
            f"+40 7{rng.randrange(20, 60)} {six[:3]} {six[3:]}",
            f"+39 3{rng.randrange(20, 90)} {seven}",
            f"+33 6 {pairs}",
            f"06 {pairs}",
            f"+31 6 {eight}",
            f"+31 6-{eight}",
            f"+420 {nine}",
        )
    )


def _iban(rng: random.Random, land: str) -> str:
    country, account = rng.choice(
        {
            "de": [("DE", _digits(rng, 18)), ("DE", _digits(rng, 8) + "0" + _digits(rng, 9))] * 2
            + [("AT", _digits(rng, 16)), ("CH", "00" + _digits(rng, 3) + _digits(rng, 12)), ("LU", _digits(rng, 16))],
            "en": [("GB", "MIDL" + _digits(rng, 14)), ("GB", "LOYD" + _digits(rng, 14))]
            + [("IE", "BOFI" + _digits(rng, 14))],
            "eu": [
                ("PL", _digits(rng, 24)),
                ("RO", "BTRL" + _digits(rng, 16)),
                ("IT", "X" + _digits(rng, 22)),
                ("FR", _digits(rng, 23)),
                ("NL", "RABO0" + _digits(rng, 9)),
                ("BE", _digits(rng, 12)),
            ],
        }[land]
    )
    number = "".join(str(int(sign, 36)) for sign in account + country + "00")
    iban = f"{country}{98 - int(number) % 97:02d}{account}"
    spaced = " ".join(iban[start : start + 4] for start in range(0, len(iban), 4))
    return rng.choice((iban, spaced, spaced, iban.lower() if rng.random() < 0.1 else iban))


def _tax(rng: random.Random) -> str:
    chosen = rng.sample("0123456789", 9)
    chosen.append(rng.choice(chosen))
    rng.shuffle(chosen)
    while chosen[0] == "0":
        rng.shuffle(chosen)
    product = 10
    for digit in chosen:
        product = ((int(digit) + product) % 10 or 10) * 2 % 11
    plain = "".join(chosen) + str((11 - product) % 10)
    return rng.choice((plain, f"{plain[:2]} {plain[2:5]} {plain[5:8]} {plain[8:]}"))


def _cross(number: int) -> int:
    return number // 10 + number % 10


def _pension(rng: random.Random) -> str:
    office, letter = rng.choice(("08", "14", "18", "26", "53", "63")), rng.choice("ABDEFGHKLMNPRSTWZ")
    start, serial = office + f"{_since(rng, 1950, 52):%d%m%y}", f"{rng.randrange(99):02d}"
    signs = f"{start}{ord(letter) - 64:02d}{serial}"
    check = sum(_cross(int(sign) * int(weight)) for sign, weight in zip(signs, "212571212121", strict=True)) % 10
    return rng.choice((f"{start}{letter}{serial}{check}", f"{start[:2]} {start[2:]} {letter} {serial}{check}"))


def _health(rng: random.Random) -> str:
    letter, digits = rng.choice("ABCDEFGHIJKLMNOPQRSTUVWXYZ"), _digits(rng, 8)
    signs = f"{ord(letter) - 64:02d}{digits}"
    return f"{letter}{digits}{sum(_cross(int(sign) * (1 + at % 2)) for at, sign in enumerate(signs)) % 10}"


def _nhs(rng: random.Random) -> str:
    while True:
        digits = rng.choice("467") + _digits(rng, 8)
        check = -sum(int(digit) * weight for digit, weight in zip(digits, range(10, 1, -1), strict=True)) % 11
        if check != 10:
            plain = f"{digits}{check}"
            return rng.choice((plain, f"{plain[:3]} {plain[3:6]} {plain[6:]}", f"{plain[:3]}-{plain[3:6]}-{plain[6:]}"))


def _nino(rng: random.Random) -> str:
    prefix, digits, suffix = rng.choice(("AB", "CE", "HJ", "LM", "NP", "RS", "WX", "YZ")), _digits(rng, 6), "ABCD"
    end = rng.choice(suffix)
    return rng.choice((f"{prefix}{digits}{end}", f"{prefix} {digits[:2]} {digits[2:4]} {digits[4:]} {end}"))


def _ssn(rng: random.Random) -> str:
    return f"{rng.choice((rng.randrange(1, 666), rng.randrange(667, 900))):03d}-{rng.randrange(1, 100):02d}-" + (
        f"{rng.randrange(1, 10000):04d}"
    )


def _nir(rng: random.Random) -> str:
    born = _since(rng, 1950, 50)
    body = f"{rng.choice('12')}{born:%y%m}{rng.randrange(21, 95):02d}"
    body += f"{rng.randrange(1, 400):03d}{rng.randrange(1, 600):03d}"
    check = f"{97 - int(body) % 97:02d}"
    return rng.choice((body + check, f"{body[0]} {body[1:3]} {body[3:5]} {body[5:7]} {body[7:10]} {body[10:]} {check}"))


def _fiscale(rng: random.Random) -> str:
    letters = "BCDFGLMNPRSTV"
    day = rng.randrange(1, 29) + rng.choice((0, 40))
    body = "".join(rng.choice(letters) for _ in range(6)) + f"{rng.randrange(50, 99)}{rng.choice('ABCDEHLMPRST')}"
    body += f"{day:02d}{rng.choice(('H501', 'F205', 'L219', 'A944', 'F839', 'Z129'))}"
    odd = (1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23)
    total = 0
    for at, sign in enumerate(body):
        value = int(sign) if sign.isdigit() else ord(sign) - 65
        total += value if at % 2 else odd[value]
    return body + chr(65 + total % 26)


def _bsn(rng: random.Random) -> str:
    while True:
        digits = _digits(rng, 8)
        check = sum(int(digit) * weight for digit, weight in zip(digits, range(9, 1, -1), strict=True)) % 11
        if check != 10:
            return f"{digits}{check}"


def _pesel(rng: random.Random) -> str:
    body = f"{_since(rng, 1950, 49):%y%m%d}{rng.randrange(10000):04d}"
    total = sum(int(digit) * int(weight) for digit, weight in zip(body, "1379137913", strict=True))
    return f"{body}{-total % 10}"


def _austrian(rng: random.Random) -> str:
    while True:
        serial, born = str(rng.randrange(100, 1000)), f"{_since(rng, 1945, 60):%d%m%y}"
        check = sum(int(sign) * int(weight) for sign, weight in zip(serial + born, "379584216", strict=True)) % 11
        if check != 10:
            return rng.choice((f"{serial}{check}{born}", f"{serial}{check} {born}"))


def _swiss(rng: random.Random) -> str:
    body = "756" + _digits(rng, 9)
    body += str(-sum(int(sign) * (1 + 2 * (at % 2)) for at, sign in enumerate(body)) % 10)
    return rng.choice((body, f"{body[:3]}.{body[3:7]}.{body[7:11]}.{body[11:]}"))


_NATIONAL: Mapping[str, Callable[[random.Random], str]] = {
    "tax": _tax,
    "pension": _pension,
    "health": _health,
    "nhs": _nhs,
    "nino": _nino,
    "ssn": _ssn,
    "nir": _nir,
    "fiscale": _fiscale,
    "bsn": _bsn,
    "pesel": _pesel,
    "austrian": _austrian,
    "swiss": _swiss,
}


def _harmless(rng: random.Random, what: str, land: str) -> str:
    """Something that looks like an identifying text and identifies nobody."""
    day, amount = _since(rng, 2021, 3.5), rng.randrange(4, 6000) + rng.choice((0, 0.5, 0.49, 0.99))
    choices = {
        "day": _uk(day) if land == "en" else _de(day),
        "money": f"£{amount:,.2f}" if land == "en" else f"{_euro(amount)} EUR",
        "small": str(rng.randrange(2, 30)),
        "time": f"{rng.randrange(7, 20):02d}:{rng.choice(('00', '15', '30', '45'))}",
        "article": f"{_digits(rng, 4)}-{_digits(rng, 3)}-{rng.randrange(1, 99):02d}",
        "invoice": f"{rng.choice(('RE', 'INV'))}{day:%Y}-{rng.randrange(1, 9000):05d}",
        "version": f"{rng.randrange(1, 24)}.{rng.randrange(20)}.{rng.randrange(40)}",
        "lot": f"{rng.choice('ABEFKX')}{rng.choice('CDHKR')}{_digits(rng, 4)}",
        "hours": rng.choice(("08:00-12:30", "9-17", "13.30-18.00", "10:00-14:00")),
        "room": f"{rng.choice('ABC')}{rng.randrange(4)}.{rng.randrange(1, 60):03d}",
        "place": f"{rng.uniform(47, 54):.5f}, {rng.uniform(6, 15):.5f}",
        "counter": f"{rng.randrange(10**7):012d}",
        "ean": "40" + _digits(rng, 11),
        "percent": f"{rng.randrange(1, 100)},{rng.randrange(10)} %",
        "code": f"0x{rng.randrange(16**8):08X}",
        "court": f"{rng.randrange(1, 40)} F {rng.randrange(10, 900)}/{rng.randrange(18, 25)}",
        "dose": f"{rng.choice((5, 10, 20, 37.5, 50, 75, 150))} mg",
    }
    return choices[what]


# -- notes ---------------------------------------------------------------------------------------------------------


@dataclass
class _Notes:
    """Comments of one column; what identifies in them is remembered as it is written."""

    rng: random.Random
    land: str
    keys: Sequence[str]
    column: str
    quiet: Sequence[str]
    telling: Sequence[str]
    share: float = 0.4
    planted: list[PlantedText] = field(default_factory=list)

    def _fill(self, what: str) -> tuple[str, Planted | None]:
        rng = self.rng
        if what in _NATIONAL:
            return _NATIONAL[what](rng), Planted.NATIONAL_ID
        match what:
            case "email":
                return _email(rng, self.land), Planted.EMAIL
            case "phone":
                return _phone(rng, self.land), Planted.PHONE
            case "iban":
                return _iban(rng, self.land), Planted.IBAN
            case "key":
                return rng.choice(self.keys), Planted.OWN_KEY
            case "name":
                first, last = _name(rng, self.land, rng.random() < 0.5)
                return rng.choice((f"{first} {last}", f"{last}, {first}")), Planted.NAME
            case "last":
                return _name(rng, self.land, True)[1], Planted.NAME
        return _harmless(rng, what, self.land), None

    def write(self, row: int, empty: float = 0.3) -> str:
        """A comment for the cell of ``row``."""
        if self.rng.random() < empty:
            return ""

        def put(found: re.Match[str]) -> str:
            text, kind = self._fill(found.group(1))
            if kind is not None:
                self.planted.append(PlantedText(row, self.column, kind, text))
            return text

        template = self.rng.choice(self.telling if self.rng.random() < self.share else self.quiet)
        return re.sub(r"\{(\w+)\}", put, template)


def _file(
    name: str,
    truths: Mapping[str, Truth],
    person_keys: Sequence[str],
    rows: Sequence[Sequence[str]],
    notes: Sequence[_Notes],
    delimiter: str = ";",
) -> UnseenFile:
    if any(len(row) != len(truths) for row in rows):
        raise ValueError(f"{name}: a row has not as many cells as there are headings")
    columns = tuple(UnseenColumn(heading, truth, heading in person_keys) for heading, truth in truths.items())
    planted = tuple(found for note in notes for found in note.planted)
    return UnseenFile(name, columns, tuple(tuple(row) for row in rows), planted, delimiter)


# -- the files -----------------------------------------------------------------------------------------------------


def _youth_welfare() -> UnseenFile:
    """A German youth welfare office: children in care, several measures each."""
    rng = random.Random("third jugendamt")
    people = _people(rng, 110, "de", lambda at: f"51.2-{at + 804:05d}/{rng.randrange(17, 25)}", (2006, 2022))
    notes = _Notes(
        rng,
        "de",
        [each.key for each in people],
        "Vermerk ASD",
        (
            "HPG am {day}, nächstes in {small} Wo.",
            "Kostenbeitrag {money} festgesetzt, s. {invoice}",
            "Az. Familiengericht {court}",
            "Umgang begleitet, Sa {hours}, Raum {room}",
            "Bericht der Schule liegt vor",
            "Ausdruck aus OK.JUG v{version}",
        ),
        (
            "KM erreichbar unter {phone}, KV unbekannt",
            "Pflegeeltern Fam. {last}, Pflegegeld an {iban}",
            "Vormund: {name} ({email})",
            "Geschwister unter {key} geführt",
            "Kind versichert über KM, {health}",
            "KM hat neue Nr {phone}, alte {phone} ungültig",
        ),
    )
    rows: list[tuple[str, ...]] = []
    for each in people:
        for _ in range(rng.choice((1, 1, 2, 3, 4))):
            start = max(_since(rng, 2019, 5), each.born)
            rows.append(
                (
                    each.key,
                    f"{each.last}, {each.first}",
                    _de(each.born),
                    "m" if each.male else "w",
                    rng.choice(("dt.", "dt.", "syr.", "afg.", "ukr.", "ungeklärt")),
                    f"{each.postcode} {each.town}",
                    rng.choice(("§ 19", "§ 27", "§ 31 SPFH", "§ 33", "§ 34", "§ 35a", "§ 42 ION")),
                    _de(start),
                    rng.choice(("", _de(start + datetime.timedelta(days=rng.randrange(30, 900))))),
                    rng.choice(("KM", "KV", "beide", "Vormund")),
                    rng.choice(("j", "n", "n", "")),
                    _euro(rng.lognormvariate(6.8, 0.8)),
                    rng.choice(("Grp Nord", "Grp Süd", "Grp Mitte")),
                    notes.write(len(rows)),
                )
            )
    truths = {
        "Aktenz.": _I,
        "Name, Vorname Kind": _I,
        "geb.": _K,
        "G": _K,
        "StA": _K,
        "PLZ/Ort": _K,
        "Hilfeart SGB VIII": _C,
        "Beginn": _K,
        "Ende": _K,
        "Sorger.": _C,
        "KWG (§8a)": _C,
        "mtl. Kosten [EUR]": _C,
        "Team": _N,
        "Vermerk ASD": _D,
    }
    return _file("jugendamt_hilfen", truths, ("Aktenz.",), rows, (notes,))


def _driving_school() -> UnseenFile:
    """A German driving school's learners, one row each."""
    rng = random.Random("third fahrschule")
    people = _people(rng, 260, "de", lambda at: f"FS{at + 1:04d}", (1975, 2007))
    notes = _Notes(
        rng,
        "de",
        [each.key for each in people],
        "BEMERKUNG",
        (
            "Sehtest fehlt noch",
            "Autobahnfahrt {day} {time}",
            "Lehrbuch Art. {article} ausgegeben",
            "Rechnung {invoice} offen ({money})",
            "Treffpunkt {place}",
            "App-Code {code}, Version {version}",
        ),
        (
            "Mutter zahlt, {phone}",
            "bitte nur per WhatsApp {phone}",
            "Lastschrift {iban}, Kontoinhaber {name}",
            "Mail neu: {email}",
            "fährt mit {key} zusammen zur Prüfung",
        ),
    )
    rows = [
        (
            each.key,
            each.last.upper(),
            each.first,
            _de(each.born),
            each.street,
            each.postcode,
            each.town,
            _phone(rng, "de"),
            rng.choice(("B", "B", "B197", "BF17", "A1", "A2", "BE", "C")),
            _de(_since(rng, 2022, 2)),
            str(rng.randrange(0, 40)),
            rng.choice(("best.", "best.", "n.b.", "")),
            str(rng.choice((0, 0, 2, 5, 9, 12, 24))),
            rng.choice(("", "", "Brille", "Hörgerät", "Automatik")),
            _euro(rng.gauss(0, 400)),
            notes.write(at),
        )
        for at, each in enumerate(people)
    ]
    truths = {
        "SCHUELER_NR": _I,
        "NACHNAME": _I,
        "VORNAME": _I,
        "GEBDAT": _K,
        "STRASSE": _K,
        "PLZ": _K,
        "ORT": _K,
        "TEL_MOBIL": _I,
        "KLASSE": _K,
        "ANMELDUNG": _K,
        "FAHRSTD": _C,
        "THEORIE": _C,
        "FEHLERPKT": _C,
        "AUFLAGE": _C,
        "SALDO_EUR": _C,
        "BEMERKUNG": _D,
    }
    return _file("fahrschule_schueler", truths, ("SCHUELER_NR",), rows, (notes,))


def _psychotherapy() -> UnseenFile:
    """A German psychotherapist's sessions; a client has many."""
    rng = random.Random("third psychotherapie")
    people = _people(rng, 48, "de", lambda _: hashlib.sha1(rng.randbytes(8)).hexdigest()[:10])
    notes = _Notes(
        rng,
        "de",
        [each.key for each in people],
        "Stichworte",
        (
            "Schlafprotokoll bespr., {small} Tage",
            "Sertralin {dose}, Abspr. m. Psychiater",
            "Ausfallhonorar {money}",
            "Sitzung um {time} in Raum {room}",
            "Exposition geplant f. {day}",
            "PHQ-9 {small}, GAF unverändert",
        ),
        (
            "Notfallkontakt Partner {phone}",
            "schrieb nachts Mail von {email}",
            "KK-Nr. {health} für PTV2",
            "kennt Pat. {key} privat!",
            "berichtet von Streit mit {name}",
            "Ausfallhon. zurück an {iban}",
            "Reha-Antrag, RVNR {pension}",
        ),
        share=0.35,
    )
    rows: list[tuple[str, ...]] = []
    for each in people:
        start = _since(rng, 2022, 1.5)
        code = rng.choice(("F32.1", "F33.2", "F40.01", "F41.1", "F43.1", "F60.31", "F50.0"))
        for session in range(rng.randrange(3, 15)):
            rows.append(
                (
                    each.key,
                    str(2023 - each.born.year),
                    "männl." if each.male else "weibl.",
                    each.postcode[:3],
                    _de(start + datetime.timedelta(days=7 * session)),
                    str(session + 1),
                    rng.choice(("35421", "35401", "35151", "23220")),
                    code,
                    str(rng.randrange(2, 27)),
                    rng.choice(("nein", "nein", "nein", "latent", "ja")),
                    rng.choice(("AOK", "TK", "PKV", "Beihilfe", "Selbstz.")),
                    notes.write(len(rows)),
                )
            )
    truths = {
        "Chiffre": _I,
        "Alter (J.)": _K,
        "Geschl": _K,
        "PLZ3": _K,
        "Sitzungsdat.": _K,
        "Sitz.Nr": _N,
        "GOP": _C,
        "Diagn.": _C,
        "PHQ9": _C,
        "Suizidalität": _C,
        "Kostentr.": _C,
        "Stichworte": _D,
    }
    return _file("pt_sitzungen", truths, ("Chiffre",), rows, (notes,))


def _pension_fund() -> UnseenFile:
    """A professional pension fund for Germany, Austria and Switzerland, from SAP; one row a member."""
    rng = random.Random("third versorgungswerk")
    people = _people(rng, 330, "de", lambda at: f"{300417 + at * 13:010d}", (1935, 1995))
    notes = _Notes(
        rng,
        "de",
        [each.key for each in people],
        "ZZTEXT1",
        (
            "Scheidung, VA {court}",
            "Beitragsstundung bis {day}",
            "Nachz. {money} lt. {invoice}",
            "Zählerst. {counter}",
            "Formular V{version} veraltet",
            "Teilrente {percent}",
        ),
        (
            "AHV {swiss}",
            "ö. SVNR {austrian}, Zeiten angefragt",
            "RV-Nr {pension}",
            "IdNr {tax} nachgemeldet",
            "Rente ab {day} auf {iban}",
            "Kto alt {iban} / neu {iban}",
            "Witwe: {name}, Tel {phone}",
            "Betreuer {email}",
            "s. auch {key}",
        ),
        share=0.55,
    )
    rows = []
    for at, each in enumerate(people):
        income = rng.lognormvariate(11, 0.5)
        rows.append(
            (
                "100",
                each.key,
                each.last,
                each.first,
                _sap(each.born),
                "1" if each.male else "2",
                rng.choice(("DE", "DE", "DE", "AT", "CH")),
                each.postcode,
                rng.choice(("ARZT", "ZAHN", "APOT", "TIER")),
                _sap(max(_since(rng, 1990, 30), each.born + datetime.timedelta(days=25 * 365))),
                rng.choice(("AKT", "AKT", "RENT", "BU", "HIBL")),
                _euro(income),
                f"{income * 0.0931:.2f}".replace(".", ","),
                f"{rng.uniform(1, 140):.4f}".replace(".", ","),
                "00000000" if rng.random() < 0.9 else _sap(_since(rng, 2015, 9)),
                notes.write(at),
            )
        )
    truths = {
        "MANDT": _N,
        "PARTNER": _I,
        "NAME_LAST": _I,
        "NAME_FIRST": _I,
        "BIRTHDT": _K,
        "XSEX": _K,
        "LAND1": _K,
        "POST_CODE1": _K,
        "BERUFSGR": _K,
        "BEITRDAT": _K,
        "STATUS": _C,
        "EINK_VJ": _C,
        "BEITR_MON": _C,
        "RENTENPKT": _C,
        "DEATHDT": _C,
        "ZZTEXT1": _D,
    }
    return _file("VW_BESTAND_EXPORT", truths, ("PARTNER",), rows, (notes,))


def _hunters() -> UnseenFile:
    """A German district's register of hunting licences and weapons; an owner may have several weapons."""
    rng = random.Random("third waffenregister")
    people = _people(rng, 150, "de", lambda at: f"P{rng.randrange(10**9, 10**10)}-{at % 10}", (1938, 2003))
    notes = _Notes(
        rng,
        "de",
        [each.key for each in people],
        "Bem",
        (
            "Aufbewahrung kontrolliert {day}",
            "Gebühr {money}, Kassenz. {counter}",
            "Revier {place}",
            "Munition Los {lot}",
            "Beschuss {invoice}",
            "Sprechzeit {hours}, Zi. {room}",
        ),
        (
            "Erbe: {name}, {phone}",
            "überlassen an NWR-ID {key}",
            "Anzeige durch Nachbar {last}, Tel. {phone}",
            "Antrag per Mail ({email})",
            "Erstattung {iban}",
        ),
        share=0.3,
    )
    rows: list[tuple[str, ...]] = []
    for each in people:
        licence = f"{rng.randrange(1, 400)}/{rng.randrange(2020, 2025)}"
        for _ in range(rng.choice((1, 2, 2, 3, 5))):
            rows.append(
                (
                    str(len(rows) + 1),
                    each.key,
                    f"{each.first} {each.last}",
                    _de(each.born),
                    each.town,
                    licence,
                    _de(_since(rng, 2024, 3)),
                    rng.choice(("Büchse", "Flinte", "Pistole", "Revolver", "komb. Waffe")),
                    rng.choice((".308 Win", "12/70", "9mm Luger", "8x57 IS", ".22 lfB")),
                    f"{rng.choice('ABCDFHKZ')}{rng.choice('ABCDFHKZ')}{_digits(rng, 6)}",
                    rng.choice(("i.O.", "i.O.", "i.O.", "Widerruf", "§ 41 Verbot", "psych. Gutachten")),
                    rng.choice(("0", "0", "0", "1", "2")),
                    notes.write(len(rows), 0.4),
                )
            )
    truths = {
        "Lfd": _N,
        "NWR-Personen-ID": _I,
        "Inhaber": _I,
        "Geburtsdatum": _K,
        "Wohnort": _K,
        "Jagdschein Nr/Jahr": _I,
        "gültig bis": _K,
        "Waffenart": _K,
        "Kal.": _K,
        "Herst.-Nr": _I,
        "Zuverlässigk.": _C,
        "BZR-Einträge": _C,
        "Bem": _D,
    }
    return _file("jagd_waffen", truths, ("NWR-Personen-ID",), rows, (notes,))


def _debt_counselling() -> UnseenFile:
    """A German debt counselling service, one row a client."""
    rng = random.Random("third schuldnerberatung")
    people = _people(rng, 240, "de", lambda at: f"SB-{rng.randrange(19, 25)}-{at * 3 + 12:04d}", (1948, 2004))
    keys = [each.key for each in people]
    notes = _Notes(
        rng,
        "de",
        keys,
        "Notizen Erstgespräch",
        (
            "{small} Gläubiger, Ordner unsortiert",
            "P-Konto eingerichtet am {day}",
            "Inkasso Az {counter}, Forderung {money}",
            "Quote {percent} angeboten",
            "kommt wieder {day} um {time}",
            "Mahnbescheid {court}",
        ),
        (
            "P-Konto {iban}",
            "Pfändung auf {iban} (Sparkasse), Sachbearb. {last}, Tel. {phone}",
            "erreichbar {phone} oder {email}",
            "Steuer-ID {tax} für Vollstr. FA",
            "Ex-Mann {name}, ebenfalls Klient ({key})",
            "SV-Nummer lt. Ausweis {pension}",
        ),
        share=0.5,
    )
    follow = _Notes(
        rng,
        "de",
        keys,
        "To do",
        ("Schufa anfordern", "Wv. {day}", "Ratenplan {money}", "Kopie {invoice}"),
        ("Rückruf {phone}", "Bescheid an {email} senden", "mit {key} abgleichen"),
        share=0.3,
    )
    rows = [
        (
            each.key,
            f"{'Hr.' if each.male else 'Fr.'} {each.last}",
            f"{each.born:%m/%Y}",
            rng.choice(("led.", "verh.", "gesch.", "verw.", "getr. leb.")),
            str(rng.choice((0, 0, 1, 1, 2, 3, 5))),
            each.postcode,
            rng.choice(("ALG I", "Bürgergeld", "Lohn", "Rente", "selbst.", "Krankengeld")),
            f"{rng.lognormvariate(7.2, 0.3):.0f},- €",
            _euro(rng.lognormvariate(9.6, 0.9)),
            str(rng.randrange(1, 40)),
            rng.choice(("Scheidung", "Arbeitsl.", "Sucht", "Krankheit", "Konsum", "Selbst.")),
            rng.choice(("ja", "nein", "geplant")),
            notes.write(at, 0.2),
            follow.write(at, 0.5),
        )
        for at, each in enumerate(people)
    ]
    truths = {
        "Kl.-Nr.": _I,
        "Ratsuchende/r": _I,
        "Geb.monat": _K,
        "Fam.stand": _K,
        "Ki.": _K,
        "Plz": _K,
        "Einkommensart": _C,
        "Netto mtl.": _C,
        "Schulden ges.": _C,
        "Anz. Gl.": _C,
        "Ursache": _C,
        "InsO-Antrag": _C,
        "Notizen Erstgespräch": _D,
        "To do": _D,
    }
    return _file("schuldnerberatung", truths, ("Kl.-Nr.",), rows, (notes, follow))


def _donors() -> UnseenFile:
    """A British charity's gifts; a donor gives several times."""
    rng = random.Random("third donors")
    people = _people(rng, 170, "en", lambda at: f"URN{at + 20115:07d}")
    addresses: dict[str, None] = {}
    while len(addresses) < len(people):
        addresses[_email(rng, "en")] = None
    contact = dict(zip((each.key for each in people), addresses, strict=True))
    notes = _Notes(
        rng,
        "en",
        [each.key for each in people],
        "Gift notes",
        (
            "Raffle book {counter}",
            "Thank-you sent {day}",
            "Pledge of {money} over {small} months",
            "Merch order {article}, inv {invoice}",
            "CRM import v{version}",
            "shop open {hours}",
        ),
        (
            "In memory of {name}",
            "SO from a/c {iban}",
            "do not email, ring {phone}",
            "legacy enquiry - solicitor {name} {phone}",
            "duplicate of {key}, merge",
            "prefers {email}",
            "NI number given by mistake: {nino}",
        ),
        share=0.35,
    )
    rows: list[tuple[str, ...]] = []
    for each in people:
        for _ in range(rng.choice((1, 1, 2, 4, 6))):
            rows.append(
                (
                    f"{uuid.UUID(int=rng.getrandbits(128), version=4)}",
                    each.key,
                    "Mr" if each.male else rng.choice(("Mrs", "Ms", "Dr")),
                    each.first[0],
                    each.last,
                    contact[each.key],
                    each.postcode,
                    _uk(_since(rng, 2021, 3)),
                    f"£{rng.choice((5, 10, 15, 20, 25, 50, 100, 250, 1000)):,.2f}",
                    rng.choice(("DD", "Cash", "Chq", "CAF", "Online")),
                    rng.choice(("Y", "Y", "N")),
                    rng.choice(("XMAS22", "SPRING23", "LONDONMAR", "LEGACY", "WEB")),
                    notes.write(len(rows), 0.4),
                )
            )
    truths = {
        "TransactionGUID": _I,
        "ConstituentID": _I,
        "Title": _K,
        "Init": _K,
        "Surname": _I,
        "E-mail addr": _I,
        "Postcode": _K,
        "GiftDt": _K,
        "Amt (GBP)": _C,
        "PayMethod": _C,
        "GiftAid?": _C,
        "Appeal": _N,
        "Gift notes": _D,
    }
    return _file("donor_gifts_2021_23", truths, ("ConstituentID", "E-mail addr"), rows, (notes,), ",")


def _food_bank() -> UnseenFile:
    """A British food bank's vouchers, one row a voucher, families come again."""
    rng = random.Random("third foodbank")
    people = _people(rng, 190, "en", lambda at: f"HH/{at + 1:03d}/{rng.choice('ABCDEFGHJK')}", (1945, 2005))
    notes = _Notes(
        rng,
        "en",
        [each.key for each in people],
        "comments",
        (
            "no cooker, kettle box",
            "baby milk lot {lot}, bb {day}",
            "fuel voucher {money}",
            "{small} bags, collected {time}",
            "EAN {ean} out of stock",
            "halal",
        ),
        (
            "deliver - ring {phone} first",
            "support worker {name}, {email}",
            "UC delayed, NINo {nino}",
            "hosp discharge, NHS {nhs}",
            "same address as {key}",
            "refund fuel top-up to {iban}",
        ),
        share=0.45,
    )
    rows: list[tuple[str, ...]] = []
    for each in people:
        for _ in range(rng.choice((1, 1, 2, 3))):
            day = _since(rng, 2022, 2)
            rows.append(
                (
                    f"E-{rng.randrange(16**6):06X}",
                    each.key,
                    each.first,
                    str(each.born.year),
                    each.postcode.split()[0],
                    f"{day:%d-%b-%y}",
                    str(rng.choice((1, 1, 2, 3))),
                    str(rng.choice((0, 0, 1, 2, 3, 4))),
                    rng.choice(
                        ("Low income", "Benefit delay", "Debt", "Homeless", "Sickness", "Domestic abuse", "NRPF")
                    ),
                    rng.choice(("CAB", "GP", "School", "Job Centre", "Church", "Social svcs")),
                    rng.choice(("Wht Brit", "Wht Other", "Blk Afr", "Asian", "Mixed", "PNTS")),
                    f"{rng.uniform(8, 48):.1f}",
                    notes.write(len(rows)),
                )
            )
    truths = {
        "voucher_code": _I,
        "household ref": _I,
        "First name": _I,
        "YOB": _K,
        "PC district": _K,
        "date issued": _K,
        "adults": _K,
        "kids": _K,
        "Crisis reason": _C,
        "Referrer": _C,
        "ethnicty": _C,
        "weight (kg)": _N,
        "comments": _D,
    }
    return _file("foodbank_vouchers", truths, ("household ref",), rows, (notes,), ",")


def _trial() -> UnseenFile:
    """A clinical trial's adverse events, as statisticians get them; several per subject."""
    rng = random.Random("third trial")
    sites = ("1001", "1002", "2001", "2007", "3003")
    people = _people(rng, 130, "en", lambda at: f"BX774-{rng.choice(sites)}-{at + 1:03d}", (1940, 2003))
    notes = _Notes(
        rng,
        "en",
        [each.key for each in people],
        "AECOMNT",
        (
            "IP kit {counter}, batch {lot}",
            "resolved without sequelae",
            "dose reduced to {dose} on {day}",
            "eCRF v{version} query closed",
            "lab {time}, repeat in {small} days",
            "CTCAE grade changed, see {invoice}",
        ),
        (
            "spouse phoned site, callback {phone}",
            "PI {name} notified by {email}",
            "subject is the same person as {key}",
            "hospital record NHS {nhs} attached",
            "US site: SSN {ssn} on source doc - redact",
            "travel refund to {iban}",
        ),
        share=0.3,
    )
    rows: list[tuple[str, ...]] = []
    for each in people:
        arm, weight = rng.choice(("A", "B", "PBO")), rng.gauss(76, 14)
        for number in range(rng.choice((1, 2, 3, 4, 7))):
            start = _since(rng, 2022, 1.8)
            rows.append(
                (
                    "BX774-301",
                    each.key,
                    str(number + 1),
                    str(2022 - each.born.year),
                    "M" if each.male else "F",
                    rng.choice(("WHITE", "WHITE", "ASIAN", "BLACK OR AFRICAN AMERICAN", "NOT REPORTED")),
                    arm,
                    f"{weight:.1f}",
                    rng.choice(
                        ("Nausea", "Headache", "ALT increased", "Depression", "Rash", "Neutropenia", "COVID-19")
                    ),
                    rng.choice(("MILD", "MODERATE", "SEVERE")),
                    rng.choice(("N", "N", "N", "Y")),
                    start.isoformat(),
                    rng.choice((start.isoformat(), (start + datetime.timedelta(days=12)).isoformat(), "")),
                    notes.write(len(rows)),
                )
            )
    truths = {
        "STUDYID": _N,
        "USUBJID": _I,
        "AESEQ": _N,
        "AGE": _K,
        "SEX": _K,
        "RACE": _K,
        "ARMCD": _C,
        "WEIGHTBL (kg)": _K,
        "AEDECOD": _C,
        "AESEV": _C,
        "AESER": _C,
        "AESTDTC": _K,
        "AEENDTC": _K,
        "AECOMNT": _D,
    }
    return _file("adae_bx774", truths, ("USUBJID",), rows, (notes,), ",")


def _parking() -> UnseenFile:
    """A British council's residents' parking permits, one row a permit holder."""
    rng = random.Random("third parking")
    people = _people(rng, 280, "en", lambda _: f"{rng.randrange(10**8, 10**9)}", (1938, 2005))
    notes = _Notes(
        rng,
        "en",
        [each.key for each in people],
        "Officer remarks",
        (
            "Bay suspended {day}, {hours}",
            "meter {counter} faulty",
            "paid {money} ref {invoice}",
            "bay at {place}",
            "PCN machine sw {version}",
            "docs seen at counter {time}",
        ),
        (
            "Carer {name} uses bay, mob {phone}",
            "holder emailed from {email}",
            "see acct {key} same household",
            "DWP letter, NI {nino}",
            "refund BACS intl {iban}",
            "complaint - {last} rang from {phone}",
        ),
        share=0.45,
    )
    rows = [
        (
            each.key,
            f"{each.first} {each.last}",
            each.street,
            each.postcode,
            f"{rng.choice('ABEFKLMVWY')}{rng.choice('ADFJKNXY')}{rng.randrange(10, 74)} "
            + "".join(rng.choice("ABCDEFGHJKLMNOPRSTUVWXYZ") for _ in range(3)),
            rng.choice(("FORD FOCUS", "VW GOLF", "NISSAN LEAF", "FIAT 500", "KIA CEED", "VAUXHALL CORSA")),
            f"{rng.choice((0, 89, 99, 119, 134, 148))}",
            rng.choice(("1N", "2A", "7C", "CENTRAL", "HARB")),
            _uk(_since(rng, 2023, 1)),
            rng.choice(("STD", "STD", "2ND CAR", "BLUE BADGE", "CARER", "BIZ")),
            rng.choice(("", "", "", "HRMC", "PIP", "WPMS")),
            str(rng.choice((0, 0, 0, 1, 2, 5))),
            f"{rng.choice((0, 45, 70, 112)):.2f}",
            notes.write(at),
        )
        for at, each in enumerate(people)
    ]
    truths = {
        "ACCOUNT": _I,
        "PERMIT HOLDER": _I,
        "ADDR LINE 1": _K,
        "PCODE": _K,
        "VRM": _I,
        "MAKE/MODEL": _K,
        "CO2 (g/km)": _K,
        "ZONE": _K,
        "Valid from": _K,
        "PERMIT TYPE": _K,
        "Disab. benefit": _C,
        "unpaid PCNs": _C,
        "FEE £": _N,
        "Officer remarks": _D,
    }
    return _file("resident_permits", truths, ("ACCOUNT",), rows, (notes,), ",")


def _tickets() -> UnseenFile:
    """An American and British employer's HR help desk: tickets, several per employee."""
    rng = random.Random("third helpdesk")
    people = _people(rng, 140, "en", lambda _: f"{rng.choice('abcdkmst')}{rng.choice('aeiou')}{_digits(rng, 5)}")
    salaries = {each.key: rng.lognormvariate(11.1, 0.4) for each in people}
    notes = _Notes(
        rng,
        "en",
        [each.key for each in people],
        "body_excerpt",
        (
            "Client crashes after update to {version}, error {code}",
            "Badge doesn't open room {room}",
            "Invoice {invoice} over {money} still not approved",
            "PTO balance shows {small} days, should be more",
            "asset tag {counter} / part {article}",
            "desk only staffed {hours}",
        ),
        (
            "Please change direct deposit, my SSN is {ssn}",
            "New cell {phone}, thanks, {name}",
            "W-2 shows wrong SSN ({ssn})",
            "UK payroll: NI {nino}, bank {iban}",
            "reply to my private mail {email} pls",
            "my manager {name} (uid {key}) approved it",
            "call me: {phone}",
        ),
        share=0.4,
    )
    rows: list[tuple[str, ...]] = []
    for each in people:
        for _ in range(rng.choice((1, 2, 3, 5))):
            opened = datetime.datetime.combine(
                _since(rng, 2023, 1), datetime.time(rng.randrange(24), rng.randrange(60))
            )
            rows.append(
                (
                    f"HRC{len(rows) + 88401:07d}",
                    each.key,
                    _us(each.born),
                    rng.choice(("CA", "TX", "NY", "UK-LON", "UK-MAN")),
                    rng.choice(("Eng", "Sales", "Ops", "Legal", "Fin")),
                    f"${salaries[each.key]:,.0f}",
                    f"{opened:%Y-%m-%dT%H:%M:00Z}",
                    rng.choice(("leave-medical", "payroll", "harassment", "benefits", "access", "parental")),
                    rng.choice(("P1", "P2", "P3", "P4")),
                    str(rng.randrange(1, 9000)),
                    rng.choice(("1", "2", "3", "4", "5", "")),
                    notes.write(len(rows), 0.1),
                )
            )
    truths = {
        "ticket_no": _I,
        "requester_uid": _I,
        "DOB (m/d/y)": _K,
        "loc": _K,
        "dept": _K,
        "base_sal": _C,
        "opened_at": _K,
        "category": _C,
        "prio": _N,
        "mins_to_close": _N,
        "csat": _C,
        "body_excerpt": _D,
    }
    return _file("hr_helpdesk_dump", truths, ("requester_uid",), rows, (notes,), ",")


def _seasonal_workers() -> UnseenFile:
    """Seasonal workers from all over Europe on German farms; headings half German, half English."""
    rng = random.Random("third erntehelfer")

    def key(at: int) -> str:
        body = f"{24000 + at}"
        return f"{body}-{sum(int(sign) * weight for sign, weight in zip(body, (2, 3, 4, 5, 6), strict=True)) % 11 % 10}"

    people = _people(rng, 320, "eu", key, (1958, 2005))
    notes = _Notes(
        rng,
        "eu",
        [each.key for each in people],
        "Bemerkung/remarks",
        (
            "Anreise {day} {time}, Bus",
            "room {room}, deposit {money}",
            "gloves Art. {article}",
            "Feld {place}",
            "Charge {lot} Erdbeeren, {small} Kisten",
            "Scanner {code} FW {version}",
        ),
        (
            "PESEL {pesel}",
            "cod. fisc. {fiscale}",
            "BSN {bsn}, A1 fehlt",
            "NIR {nir}",
            "dt. IdNr {tax}",
            "Lohn auf {iban}",
            "Konto der Ehefrau: {iban}",
            "emergency: {name} {phone}",
            "Tel. {phone}",
            "mail {email}",
            "reist mit {key}",
        ),
        share=0.6,
    )
    rows = [
        (
            each.key,
            each.last,
            each.first,
            _de(each.born) if rng.random() < 0.8 else each.born.isoformat(),
            "M" if each.male else "F",
            rng.choice(("PL", "RO", "RO", "IT", "FR", "NL")),
            f"{rng.choice(('ZS', 'ZT', 'EH', 'XA'))}{_digits(rng, 7)}",
            each.town,
            f"KW{rng.randrange(12, 40)}",
            str(rng.randrange(10, 70)),
            f"{rng.uniform(12.41, 16.9):.2f}".replace(".", ","),
            _euro(rng.uniform(300, 5200)),
            rng.choice(("neg.", "neg.", "pos.", "-")),
            rng.choice(("H1", "H2", "C3", "C4")),
            notes.write(at, 0.15),
        )
        for at, each in enumerate(people)
    ]
    truths = {
        "Worker-ID": _I,
        "Nazwisko/Name": _I,
        "Vorname": _I,
        "Geb.dat.": _K,
        "M/F": _K,
        "Nat.": _K,
        "Ausweis-Nr": _I,
        "Heimatort": _K,
        "Start (KW)": _K,
        "Days": _K,
        "€/h": _C,
        "Brutto ges.": _C,
        "TBC-Test": _C,
        "Unterkunft": _K,
        "Bemerkung/remarks": _D,
    }
    return _file("erntehelfer_2024", truths, ("Worker-ID", "Ausweis-Nr"), rows, (notes,))


_FILES: tuple[Callable[[], UnseenFile], ...] = (
    _youth_welfare,
    _driving_school,
    _psychotherapy,
    _pension_fund,
    _hunters,
    _debt_counselling,
    _donors,
    _food_bank,
    _trial,
    _parking,
    _tickets,
    _seasonal_workers,
)


def unseen_files_third() -> list[UnseenFile]:
    """All twelve, the same at every call."""
    return [make() for make in _FILES]
