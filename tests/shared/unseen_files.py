"""Twenty ordinary files, written by someone who had not read how roles are suggested.

Hospitals, insurers, payroll offices, schools, housing associations, libraries, surveys and clubs, in German and
English, with the truth of every column and of every identifying text that stands inside a cell. Nothing here
depends on the program: the files come from seeds and the standard library.

These files are never changed to suit a rule. What the rules made of them when they first met them is written down in
the test; a fault of kind found by them is mended in the rules, and everything else stands as a known weakness.
"""

import csv
import datetime
import io
import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum


class Truth(StrEnum):
    """What a careful officer makes of a column when they know the file."""

    IDENTIFIER = "identifier"
    KNOWN = "known to others"
    CONFIDENTIAL = "confidential"
    NEITHER = "neither matters"
    DECIDE = "must be decided"


class Planted(StrEnum):
    """What kind of identifying text stands inside a cell."""

    EMAIL = "e-mail"
    PHONE = "phone"
    IBAN = "IBAN"
    NATIONAL_ID = "id number"
    OWN_KEY = "key of this file"
    NAME = "name"


@dataclass(frozen=True)
class UnseenColumn:
    """A column's heading and its truth; ``person_key``: its values stand for people, one value a person."""

    name: str
    truth: Truth
    person_key: bool = False


@dataclass(frozen=True)
class PlantedText:
    """An identifying text inside a cell of a column that does not consist of such texts; ``row`` counts from 0."""

    row: int
    column: str
    kind: Planted
    text: str


@dataclass(frozen=True)
class UnseenFile:
    """A file: its columns with their truth, its rows as texts and all that was planted in them."""

    name: str
    columns: tuple[UnseenColumn, ...]
    rows: tuple[tuple[str, ...], ...]
    planted: tuple[PlantedText, ...]
    delimiter: str

    def content(self) -> bytes:
        """The file as an office program writes it: UTF-8, comma or semicolon, a first line with the headings."""
        stream = io.StringIO(newline="")
        writer = csv.writer(stream, delimiter=self.delimiter)
        writer.writerow([column.name for column in self.columns])
        writer.writerows(self.rows)
        return stream.getvalue().encode()


# -- people --------------------------------------------------------------------------------------------------------

_GERMAN_FIRST = {
    "m": "Andreas Bernd Christoph Dieter Emre Florian Günter Hannes Jürgen Karl-Heinz Lukas Mehmet Norbert Oliver "
    "Piotr Rainer Sören Thomas Uwe Volker",
    "w": "Anneliese Birgit Claudia Dörte Elif Franziska Gisela Heike Ingrid Jana Käthe Leonie Magdalena Nadine Olga "
    "Petra Renate Sabine Ursula Yvonne",
}
_GERMAN_LAST = (
    "Ackermann Böhm Çelik Dietrich Ebert Faßbender Groß Hoffmann Iversen Jäger Kowalski Lindner Müller Neumann "
    "Özdemir Petersen Quandt Richter Schäfer Thiele Ulbrich Vogt Weißmüller Yıldız Zimmermann Brandstätter Krämer"
)
_ENGLISH_FIRST = {
    "m": "Alan Brian Craig Darren Edward Fergus Gareth Harpreet Ian Jamal Keith Liam Mohammed Nigel Owen Patrick "
    "Rajesh Stuart Terence William",
    "w": "Aisha Beverley Catherine Deborah Eleanor Fiona Gwen Heather Imogen Jacqueline Kirsty Lorraine Maureen "
    "Niamh Olivia Priya Rosemary Shauna Tracey Yvette",
}
_ENGLISH_LAST = (
    "Ashworth Bannister Cartwright Davies Ellington Fairclough Gallagher Hargreaves Ibrahim Jenkins Kavanagh "
    "Llewellyn MacDonald Nwosu O'Brien Patel Quigley Rutherford Sanderson Thwaite Underhill Vaughan Whitfield Yates"
)
_GERMAN_STREETS = "Bahnhofstraße|Lindenweg|Goethestr.|Am Anger|Hauptstraße|Schulgasse|Kirchplatz|Ulmenallee"
_ENGLISH_STREETS = "High Street|Station Road|Victoria Terrace|Mill Lane|Church View|Queen's Drive|The Crescent"
_GERMAN_TOWNS = (("38100", "Braunschweig"), ("38302", "Wolfenbüttel"), ("31134", "Hildesheim"), ("38518", "Gifhorn"))
_ENGLISH_TOWNS = (("LS6", "Leeds"), ("BD7", "Bradford"), ("HX1", "Halifax"), ("WF1", "Wakefield"))


@dataclass(frozen=True)
class _Person:
    first: str
    last: str
    sex: str
    born: datetime.date
    street: str
    postcode: str
    town: str
    key: str


def _people(
    rng: random.Random, count: int, german: bool, key: Callable[[int], str], youngest: int = 18
) -> list[_Person]:
    keys: set[str] = set()
    people = []
    streets = (_GERMAN_STREETS if german else _ENGLISH_STREETS).split("|")
    for number in range(count):
        sex = rng.choice("mw")
        first = rng.choice((_GERMAN_FIRST if german else _ENGLISH_FIRST)[sex].split())
        last = rng.choice((_GERMAN_LAST if german else _ENGLISH_LAST).split())
        born = datetime.date(2024 - youngest, 1, 1) - datetime.timedelta(days=rng.randrange(60 * 365))
        town = rng.choice(_GERMAN_TOWNS if german else _ENGLISH_TOWNS)
        house = rng.randrange(1, 140)
        street = f"{rng.choice(streets)} {house}" if german else f"{house} {rng.choice(streets)}"
        postcode = (
            town[0]
            if german
            else f"{town[0]} {rng.randrange(1, 9)}{rng.choice('ABDEFGHJLNP')}{rng.choice('QRSTUWXYZ')}"
        )
        own = key(number)
        while own in keys:
            own = key(number)
        keys.add(own)
        people.append(_Person(first, last, sex, born, street, postcode, town[1], own))
    return people


def _child(people: Sequence[_Person], years: int, rng: random.Random) -> list[_Person]:
    """The same people, but of one school's age: born within ``years`` years."""
    return [
        _Person(
            each.first,
            each.last,
            each.sex,
            datetime.date(2014, 9, 1) - datetime.timedelta(days=rng.randrange(years * 365)),
            each.street,
            each.postcode,
            each.town,
            each.key,
        )
        for each in people
    ]


def _digits(rng: random.Random, count: int) -> str:
    return str(rng.randrange(1, 10)) + "".join(rng.choice("0123456789") for _ in range(count - 1))


def _day(rng: random.Random, first: datetime.date, days: int) -> datetime.date:
    return first + datetime.timedelta(days=rng.randrange(days))


def _clock(rng: random.Random, first: int = 0) -> str:
    return f"{rng.randrange(first, 24):02d}:{rng.randrange(60):02d}"


def _de(day: datetime.date) -> str:
    return day.strftime("%d.%m.%Y")


def _uk(day: datetime.date) -> str:
    return day.strftime("%d/%m/%Y")


def _euro(amount: float) -> str:
    return f"{amount:,.2f}".replace(",", "_").replace(".", ",").replace("_", ".")


# -- identifying texts, with the check digits that the real ones have ---------------------------------------------


def _ascii(text: str) -> str:
    for umlaut, plain in zip(
        "äöüßÄÖÜÇçıİ'", ("ae", "oe", "ue", "ss", "Ae", "Oe", "Ue", "C", "c", "i", "I", ""), strict=True
    ):
        text = text.replace(umlaut, plain)
    return text


def _email(rng: random.Random, german: bool) -> str:
    first, last = _name_parts(rng, german)
    first, last = _ascii(first).lower(), _ascii(last).lower()
    host = rng.choice(
        ("gmx.de", "web.de", "t-online.de", "klinik-nord.example.de", "posteo.de")
        if german
        else ("gmail.com", "btinternet.com", "yahoo.co.uk", "st-marys.nhs.uk", "hotmail.com")
    )
    form = rng.randrange(6)
    if form == 0:
        return f"{first}.{last}@{host}"
    if form == 1:
        return f"{first[0]}_{last}{rng.randrange(60, 99)}@{host}"
    if form == 2:
        return f"{last}-{first}@{host}".upper() if rng.random() < 0.3 else f"{last}-{first}@{host}"
    if form == 3:
        return f"{first}+{rng.choice(('verein', 'news', 'club', 'post'))}@{host}"
    if form == 4:
        return f"{first.title()}.{last.title()}@{host}"
    return f"{last}{rng.randrange(1, 9)}@{host}"


def _phone(rng: random.Random, german: bool) -> str:
    if german:
        area = rng.choice(("0531", "05331", "030", "040", "089", "05121"))
        mobile = rng.choice(("0151", "0160", "0171", "0172", "0176", "0157"))
        number = _digits(rng, rng.choice((5, 6, 7)))
        long = _digits(rng, rng.choice((7, 8)))
        return rng.choice(
            (
                f"{area} {number}",
                f"{area}/{number}",
                f"{area}-{number}",
                f"({area}) {number}",
                f"+49 {area[1:]} {number}",
                f"0049 {area[1:]} {number}",
                f"{mobile} {long}",
                f"{mobile}/{long}",
                f"{mobile}-{long}",
                f"{mobile}{long}",
                f"+49 {mobile[1:]} {long}",
                f"+49{mobile[1:]}{long}",
                f"+49 (0){mobile[1:]} {long}",
                f"{mobile} {long[:3]} {long[3:5]} {long[5:]}",
            )
        )
    last = f"{rng.randrange(100, 1000)}"
    return rng.choice(
        (
            f"0113 496 0{last}",
            f"(0113) 496 0{last}",
            f"0113 4960{last}",
            f"01274 {_digits(rng, 6)}",
            f"020 7946 0{last}",
            f"07700 900{last}",
            f"07700900{last}",
            f"07{rng.randrange(100, 999)} {_digits(rng, 6)}",
            f"+44 7700 900{last}",
            f"+44 (0)113 496 0{last}",
            f"+447700900{last}",
            f"(617) 555-0{last}",
            f"617-555-0{last}",
            f"+1 617 555 0{last}",
        )
    )


def _iban(rng: random.Random, german: bool) -> str:
    country, account = rng.choice(
        (
            ("DE", _digits(rng, 8) + _digits(rng, 10)),
            ("DE", _digits(rng, 8) + _digits(rng, 10)),
            ("DE", _digits(rng, 8) + "00" + _digits(rng, 8)),
            ("AT", _digits(rng, 16)),
            ("NL", "INGB" + _digits(rng, 10)),
        )
        if german
        else (
            ("GB", "NWBK" + _digits(rng, 14)),
            ("GB", "BARC" + _digits(rng, 14)),
            ("IE", "AIBK" + _digits(rng, 14)),
        )
    )
    number = "".join(str(int(sign, 36)) for sign in account + country + "00")
    iban = f"{country}{98 - int(number) % 97:02d}{account}"
    spaced = " ".join(iban[start : start + 4] for start in range(0, len(iban), 4))
    return rng.choice((iban, spaced, spaced))


def _digit_sum(number: int) -> int:
    return number // 10 + number % 10


def _tax_number(rng: random.Random) -> str:
    """A German tax identification number: one digit twice, the eleventh checks the others (ISO 7064, mod 11, 10)."""
    chosen = rng.sample("0123456789", 9)
    chosen.insert(rng.randrange(9), rng.choice(chosen))
    while chosen[0] == "0":
        rng.shuffle(chosen)
    product = 10
    for digit in chosen:
        total = (int(digit) + product) % 10 or 10
        product = total * 2 % 11
    check = (11 - product) % 10
    plain = "".join(chosen) + str(check)
    return rng.choice((plain, f"{plain[:2]} {plain[2:5]} {plain[5:8]} {plain[8:]}"))


def _pension_number(rng: random.Random) -> str:
    """A German pension insurance number: office, birthday, letter, serial number, check digit."""
    office = rng.choice(("10", "15", "25", "44", "52", "65"))
    born = _day(rng, datetime.date(1945, 1, 1), 20000).strftime("%d%m%y")
    letter = rng.choice("ABDFGHKLMNPRSTW")
    serial = f"{rng.randrange(0, 99):02d}"
    signs = office + born + f"{ord(letter) - 64:02d}" + serial
    weights = (2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1)
    check = sum(_digit_sum(int(sign) * weight) for sign, weight in zip(signs, weights, strict=True)) % 10
    return rng.choice((f"{office}{born}{letter}{serial}{check}", f"{office} {born} {letter} {serial}{check}"))


def _health_number(rng: random.Random) -> str:
    """A German health insurance number: a letter, eight digits, a check digit."""
    letter, digits = rng.choice("ABCDEFGHJKLMNPRSTUVWXYZ"), _digits(rng, 8)
    signs = f"{ord(letter) - 64:02d}" + digits
    check = sum(_digit_sum(int(sign) * (1 + place % 2)) for place, sign in enumerate(signs)) % 10
    return f"{letter}{digits}{check}"


def _nhs_number(rng: random.Random) -> str:
    while True:
        digits = rng.choice("46") + _digits(rng, 8)
        check = 11 - sum(int(digit) * weight for digit, weight in zip(digits, range(10, 1, -1), strict=True)) % 11
        if check != 10:
            plain = digits + str(check % 11)
            return rng.choice((plain, f"{plain[:3]} {plain[3:6]} {plain[6:]}"))


def _insurance_number(rng: random.Random) -> str:
    """A British National Insurance number."""
    prefix = rng.choice("ABCEGHJKLMNPRSTWXYZ") + rng.choice("ABCEGHJKLMNPRSTWXYZ".replace("O", ""))
    if prefix in {"BG", "GB", "KN", "NK", "NT", "TN", "ZZ"}:
        prefix = "JX"
    digits = _digits(rng, 6)
    return rng.choice(
        (
            f"{prefix}{digits}{rng.choice('ABCD')}",
            f"{prefix} {digits[:2]} {digits[2:4]} {digits[4:]} {rng.choice('ABCD')}",
        )
    )


def _social_security(rng: random.Random) -> str:
    return f"{rng.randrange(100, 650)}-{rng.randrange(10, 99)}-{rng.randrange(1000, 9999)}"


def _name_parts(rng: random.Random, german: bool) -> tuple[str, str]:
    first = rng.choice((_GERMAN_FIRST if german else _ENGLISH_FIRST)[rng.choice("mw")].split())
    return first, rng.choice((_GERMAN_LAST if german else _ENGLISH_LAST).split())


# -- notes ---------------------------------------------------------------------------------------------------------


@dataclass
class _Notes:
    """Comments: quiet ones, and ones in which something identifying stands, remembered as it is written."""

    rng: random.Random
    german: bool
    keys: Sequence[str]
    quiet: Sequence[str]
    telling: Sequence[str]
    share: float = 0.4
    planted: list[PlantedText] = field(default_factory=list)

    def _fill(self, what: str) -> tuple[str, Planted | None]:
        rng = self.rng
        first, last = _name_parts(rng, self.german)
        day = _day(rng, datetime.date(2021, 1, 1), 1300)
        match what:
            case "email":
                return _email(rng, self.german), Planted.EMAIL
            case "phone":
                return _phone(rng, self.german), Planted.PHONE
            case "iban":
                return _iban(rng, self.german), Planted.IBAN
            case "tax":
                return _tax_number(rng), Planted.NATIONAL_ID
            case "pension":
                return _pension_number(rng), Planted.NATIONAL_ID
            case "health":
                return _health_number(rng), Planted.NATIONAL_ID
            case "nhs":
                return _nhs_number(rng), Planted.NATIONAL_ID
            case "nino":
                return _insurance_number(rng), Planted.NATIONAL_ID
            case "ssn":
                return _social_security(rng), Planted.NATIONAL_ID
            case "key":
                return rng.choice(self.keys), Planted.OWN_KEY
            case "name":
                return rng.choice((last, f"{first} {last}")), Planted.NAME
            case "day":
                return (_de if self.german else _uk)(day), None
            case "time":
                return f"{rng.randrange(7, 20):02d}:{rng.choice(('00', '15', '30', '45'))}", None
            case "dose":
                return f"{rng.choice((5, 10, 25, 40, 75, 100, 250, 500, 850, 1000))} mg", None
            case "money":
                amount = rng.randrange(5, 4000) + rng.choice((0, 0.5, 0.99))
                return (f"{_euro(amount)} €" if self.german else f"£{amount:,.2f}"), None
            case "small":
                return str(rng.randrange(2, 40)), None
            case "pressure":
                return f"{rng.randrange(105, 190)}/{rng.randrange(60, 110)}", None
            case "year":
                return str(rng.randrange(1998, 2025)), None
            case "room":
                return f"{rng.randrange(0, 4)}.{rng.randrange(1, 40):02d}", None
            case "isbn":
                body = "978" + rng.choice("03") + _digits(rng, 8)
                total = sum(int(sign) * (1 + 2 * (place % 2)) for place, sign in enumerate(body))
                return f"{body[:3]}-{body[3]}-{body[4:6]}-{body[6:]}-{-total % 10}", None
        raise KeyError(what)

    def write(self, row: int, column: str, empty: float = 0.3) -> str:
        """A comment for a cell; what identifies in it is added to ``planted``."""
        if self.rng.random() < empty:
            return ""
        template = self.rng.choice(self.telling if self.rng.random() < self.share else self.quiet)

        def put(found: re.Match[str]) -> str:
            text, kind = self._fill(found.group(1))
            if kind is not None:
                self.planted.append(PlantedText(row, column, kind, text))
            return text

        return re.sub(r"\{(\w+)\}", put, template)


def _file(
    name: str,
    truths: Mapping[str, Truth],
    person_keys: Sequence[str],
    rows: Sequence[Sequence[str]],
    notes: Sequence[_Notes],
    delimiter: str,
) -> UnseenFile:
    columns = tuple(UnseenColumn(heading, truth, heading in person_keys) for heading, truth in truths.items())
    if any(len(row) != len(columns) for row in rows):
        raise ValueError(f"{name}: a row has not as many cells as there are headings")
    planted = tuple(found for note in notes for found in note.planted)
    return UnseenFile(name, columns, tuple(tuple(row) for row in rows), planted, delimiter)


_I, _K, _C, _N, _D = Truth.IDENTIFIER, Truth.KNOWN, Truth.CONFIDENTIAL, Truth.NEITHER, Truth.DECIDE


# -- the files -----------------------------------------------------------------------------------------------------


def _hospital_stays() -> UnseenFile:
    """A German hospital's stays; a patient has several."""
    rng = random.Random("krankenhaus_aufenthalte")
    people = _people(rng, 90, True, lambda _: _digits(rng, 7))
    notes = _Notes(
        rng,
        True,
        [each.key for each in people],
        (
            "Verlauf unauffällig, RR {pressure}, Entlassung in gutem AZ.",
            "Metoprolol {dose} 1-0-1 weiter, Kontrolle in {small} Wochen beim HA.",
            "Nüchtern ab {time} Uhr, OP am {day}.",
            "Sturz im Bad, Rö o.B.",
            "verlegt von Station {small}",
            "Kostenzusage liegt vor, Eigenanteil {money}",
        ),
        (
            "Ehefrau ({name}) bitte anrufen: {phone}",
            "Tochter {name}, Tel. {phone}, Vollmacht liegt vor",
            "Befund an {email} geschickt.",
            "Vers.-Nr. {health} nachgetragen",
            "Verwechslung mit Pat. {key}! Akte prüfen",
            "RV-Nr. {pension} für Reha-Antrag, Sohn erreichbar unter {phone}",
            "Dr. {name} (HA) informiert am {day}",
            "Rückerstattung auf {iban}",
        ),
    )
    rows: list[tuple[str, ...]] = []
    for person in people:
        for _ in range(rng.choice((1, 1, 2, 3, 5))):
            admitted = _day(rng, datetime.date(2022, 1, 1), 700)
            rows.append(
                (
                    f"F{_digits(rng, 8)}",
                    person.key,
                    _de(person.born),
                    person.sex,
                    person.postcode,
                    _de(admitted),
                    _de(admitted + datetime.timedelta(days=rng.randrange(1, 25))),
                    rng.choice(("INN1", "INN2", "CHI", "GYN", "NEU", "GER")),
                    rng.choice(("I10.00", "E11.90", "J18.9", "F32.1", "C50.9", "S72.0", "K35.8", "B20")),
                    _euro(rng.lognormvariate(8, 0.6)),
                    str(max(0, int(rng.gauss(-40, 60)))),
                    notes.write(len(rows), "Bemerkung"),
                )
            )
    truths = {
        "Fallnr.": _I,
        "PID": _I,
        "Geb.-Dat.": _K,
        "Geschl.": _K,
        "PLZ": _K,
        "Aufnahme": _K,
        "Entlassung": _K,
        "Fachabt.": _K,
        "HD (ICD)": _C,
        "Erlös": _C,
        "Beatmungsstd.": _C,
        "Bemerkung": _D,
    }
    return _file("krankenhaus_aufenthalte", truths, ("PID",), rows, (notes,), ";")


def _appointments() -> UnseenFile:
    """A British practice's appointments; the NHS number repeats."""
    rng = random.Random("practice_appointments")
    people = _people(rng, 80, False, lambda _: _nhs_number(rng).replace(" ", ""), 2)
    notes = _Notes(
        rng,
        False,
        [each.key for each in people],
        (
            "BP {pressure}, repeat in {small} weeks",
            "Ramipril {dose} od, continue",
            "DNA x2, text reminder sent",
            "wound check, healing well",
            "seen at {time}, running late",
            "Rx charge {money} explained",
        ),
        (
            "call daughter {name} on {phone}",
            "Pt asked for results by email to {email}.",
            "new mobile {phone}",
            "NHS no {nhs} belongs to sibling - not this pt",
            "letter for employer, NI {nino}",
            "pls ring {phone} after 5pm (husband {name})",
            "wrong record? see {key}",
        ),
    )
    rows: list[tuple[str, ...]] = []
    for person in people:
        for _ in range(rng.choice((1, 2, 2, 4))):
            day = _day(rng, datetime.date(2023, 1, 1), 360)
            rows.append(
                (
                    person.key,
                    _uk(person.born),
                    {"m": "M", "w": "F"}[person.sex],
                    person.postcode,
                    _uk(day),
                    f"{rng.randrange(8, 18):02d}:{rng.choice(('00', '10', '20', '30', '40', '50'))}",
                    rng.choice(("GP", "Nurse", "HCA", "Pharmacist")),
                    rng.choice(("cough", "low mood", "contraception", "back pain", "rash", "diabetes review", "smear")),
                    rng.choice(("advice", "prescription", "referral", "sick note", "none")),
                    rng.choice(("Y", "N", "N", "N")),
                    notes.write(len(rows), "Free text"),
                )
            )
    truths = {
        "NHS No": _I,
        "D.O.B.": _K,
        "Sex": _K,
        "Post code": _K,
        "Appt date": _K,
        "Appt time": _K,
        "Seen by": _K,
        "Reason for visit": _C,
        "Outcome": _C,
        "Safeguarding": _C,
        "Free text": _D,
    }
    return _file("practice_appointments", truths, ("NHS No",), rows, (notes,), ",")


def _payroll() -> UnseenFile:
    """A German payroll master file; one row a person."""
    rng = random.Random("lohnstamm")
    people = _people(rng, 140, True, lambda number: f"{number * 7 + 10021:06d}")
    notes = _Notes(
        rng,
        True,
        [each.key for each in people],
        (
            "Elternzeit bis {day}",
            "Zulage {money} ab {day}",
            "Wechsel in Teilzeit, {small} Std./Woche",
            "Firmenwagen seit {year}",
            "VWL läuft aus",
        ),
        (
            "Pfändung, Gläubiger RA {name}, Tel. {phone}",
            "neue Bankverbindung {iban} ab {day}",
            "SV-Nr. korrigiert: {pension}",
            "IdNr {tax} fehlt noch in ELStAM",
            "private Mail {email}",
            "Vertretung für {name} (Pers.-Nr. {key})",
        ),
    )
    rows = [
        (
            person.key,
            person.last,
            person.first,
            _de(person.born),
            _de(_day(rng, datetime.date(1995, 1, 1), 10000)),
            rng.choice(("Einkauf", "Vertrieb", "Produktion", "IT", "Verwaltung")),
            rng.choice(("4100", "4200", "4300", "4410")),
            rng.choice(("I", "II", "III", "IV", "V", "VI")),
            rng.choice(("rk", "ev", "--", "--")),
            rng.choice(("0", "0,5", "1,0", "2,0")),
            _euro(rng.lognormvariate(8.1, 0.35)),
            _iban(rng, True),
            rng.choice(("AOK", "TK", "Barmer", "DAK", "IKK")),
            rng.choice(("", "", "", "", "30", "50", "80")),
            notes.write(row, "Bemerkungen"),
        )
        for row, person in enumerate(people)
    ]
    truths = {
        "Pers.-Nr.": _I,
        "Name": _I,
        "Vorname": _I,
        "geb. am": _K,
        "Eintritt": _K,
        "Abteilung": _K,
        "KSt": _K,
        "StKl": _C,
        "Konf.": _C,
        "KFB": _C,
        "Grundgehalt": _C,
        "Bankverbindung": _I,
        "Krankenkasse": _C,
        "GdB": _C,
        "Bemerkungen": _D,
    }
    return _file("lohnstamm", truths, ("Pers.-Nr.",), rows, (notes,), ";")


def _payroll_journal() -> UnseenFile:
    """A payroll journal: many bookings per employee."""
    rng = random.Random("lohnjournal")
    people = _people(rng, 40, True, lambda number: f"MA-{number + 301:04d}")
    notes = _Notes(
        rng,
        True,
        [each.key for each in people],
        ("lfd. Monat", "Nachberechnung {day}", "Korrektur Vormonat", "Überstd. {small}", "Sachbezug {money}"),
        (
            "Überw. {iban}",
            "Rückruf {phone} wg. Pfändung",
            "gehört zu {key}",
            "Steuer-ID {tax}",
            "lt. Mail von {email}",
        ),
        share=0.1,
    )
    rows: list[tuple[str, ...]] = []
    for person in people:
        for month in range(1, rng.choice((5, 8, 10))):
            code, label = rng.choice(
                (
                    ("1000", "Gehalt"),
                    ("1210", "Überstunden"),
                    ("2300", "VWL"),
                    ("8010", "Pfändung"),
                    ("4000", "Krankengeld"),
                )
            )
            rows.append(
                (
                    str(len(rows) + 1),
                    person.key,
                    f"{month:02d}/2024",
                    code,
                    label,
                    _euro(rng.lognormvariate(6, 1)),
                    rng.choice(("S", "H")),
                    notes.write(len(rows), "Buchungstext", 0.1),
                )
            )
    truths = {
        "lfd. Nr.": _N,
        "Mitarbeiter": _I,
        "Periode": _K,
        "LA": _C,
        "Lohnart": _C,
        "Betrag": _C,
        "S/H": _C,
        "Buchungstext": _D,
    }
    return _file("lohnjournal", truths, ("Mitarbeiter",), rows, (notes,), ";")


def _pupils() -> UnseenFile:
    """A German primary school's pupils."""
    rng = random.Random("schuelerliste")
    people = _child(_people(rng, 120, True, lambda _: f"S{rng.randrange(2019, 2024)}{_digits(rng, 4)}"), 5, rng)
    notes = _Notes(
        rng,
        True,
        [each.key for each in people],
        (
            "Ganztag bis {time} Uhr",
            "Buskarte ab {day}",
            "liest noch stockend, {small} Min. täglich üben",
            "Klassenfahrt bezahlt ({money})",
            "wechselt in Raum {room}",
        ),
        (
            "Vater allein sorgeberechtigt, Handy {phone}",
            "Mutter: {email}",
            "Geschwisterkind {key}",
            "Schulbegleitung Frau {name}, {phone}",
            "BuT-Antrag, Konto {iban}",
        ),
    )
    rows = [
        (
            person.key,
            f"{rng.randrange(1, 5)}{rng.choice('abc')}",
            _de(person.born),
            {"m": "männlich", "w": "weiblich"}[person.sex],
            rng.choice(("deutsch", "deutsch", "türkisch", "arabisch", "polnisch", "ukrainisch")),
            person.town,
            rng.choice(("ev.", "kath.", "isl.", "o.B.")),
            rng.choice(("", "", "", "Lernen", "Sprache", "ESE", "LRS")),
            *(str(rng.choice((1, 2, 2, 3, 3, 4, 5))) for _ in range(3)),
            str(max(0, int(rng.gauss(6, 6)))),
            rng.choice(("ja", "nein", "nein")),
            notes.write(row, "Notiz KL"),
        )
        for row, person in enumerate(people)
    ]
    truths = {
        "Schüler": _I,
        "Klasse": _K,
        "Geburtstag": _K,
        "Geschlecht": _K,
        "Muttersprache": _K,
        "Wohnort": _K,
        "Religion": _C,
        "Förderbedarf": _C,
        "Deutsch": _C,
        "Mathe": _C,
        "Sachkunde": _C,
        "Fehltage": _C,
        "BuT": _C,
        "Notiz KL": _D,
    }
    return _file("schuelerliste", truths, ("Schüler",), rows, (notes,), ";")


def _exam_results() -> UnseenFile:
    """Exam results of an English school: several rows a pupil."""
    rng = random.Random("exam_results")
    people = _child(_people(rng, 70, False, lambda _: f"{rng.choice('ABCDEFGHJK')}{_digits(rng, 12)}"), 2, rng)
    notes = _Notes(
        rng,
        False,
        [each.key for each in people],
        (
            "extra time {small} minutes",
            "remark requested {day}",
            "rest breaks, room {room}",
            "absent paper 2",
            "fee {money} paid",
        ),
        (
            "parent {name} emailed from {email}",
            "phone home: {phone}",
            "collusion with {key}?",
            "invigilator {name} reports phone",
        ),
    )
    rows: list[tuple[str, ...]] = []
    for number, person in enumerate(people):
        for subject in rng.sample(("Maths", "English", "Biology", "French", "History", "Art"), rng.choice((3, 4, 5))):
            rows.append(
                (
                    person.key,
                    f"{4001 + number}",
                    f"11{rng.choice('ABCD')}",
                    {"m": "M", "w": "F"}[person.sex],
                    subject,
                    rng.choice(("H", "F")),
                    str(min(100, max(0, int(rng.gauss(58, 16))))),
                    str(rng.randrange(1, 10)),
                    rng.choice(("N", "N", "N", "K", "E")),
                    rng.choice(("0", "0", "1")),
                    rng.choice(("WBRI", "APKN", "BCRB", "MWBC", "AIND")),
                    notes.write(len(rows), "Comment", 0.6),
                )
            )
    truths = {
        "UPN": _I,
        "Cand": _I,
        "Tutor group": _K,
        "Gender": _K,
        "Subject": _K,
        "Tier": _K,
        "Mark": _C,
        "Grade": _C,
        "SEN": _C,
        "FSM": _C,
        "Ethnicity": _C,
        "Comment": _D,
    }
    return _file("exam_results", truths, ("UPN", "Cand"), rows, (notes,), ",")


def _tenants() -> UnseenFile:
    """A German housing association's tenancies."""
    rng = random.Random("mieterliste")
    people = _people(
        rng,
        110,
        True,
        lambda number: f"{rng.randrange(100, 140)}.{number // 8 + 1:02d}.{number % 8 + 1:02d}.{rng.randrange(1, 5)}",
    )
    notes = _Notes(
        rng,
        True,
        [each.key for each in people],
        (
            "Ratenplan {money} mtl. bis {day}",
            "Nachbar beschwert sich über Lärm",
            "Zähler getauscht am {day}",
            "Balkon {small} qm, nachgemessen",
            "Termin Schornsteinfeger {time}",
        ),
        (
            "Miete kommt von {iban} (Jobcenter)",
            "Schlüssel bei Fam. {name}, {phone}",
            "Betreuer: {name}, {email}",
            "SCHUFA-Auskunft, IdNr. {tax}",
            "Untermieter {name} gemeldet",
            "Handwerker soll vorher {phone} anrufen",
            "Umzug aus {key}",
        ),
        share=0.35,
    )
    rows = [
        (
            person.key,
            f"{person.last}, {person.first}",
            person.street,
            rng.choice(("EG", "1. OG", "2. OG", "3. OG", "DG")),
            rng.choice(("li", "mi", "re")),
            f"{rng.randrange(32, 110)},{rng.randrange(0, 100):02d}",
            str(rng.randrange(1, 6)),
            f"{rng.randrange(1, 6)}",
            _de(_day(rng, datetime.date(1988, 1, 1), 12500)),
            _euro(rng.gauss(520, 120)),
            _euro(max(0.0, rng.gauss(-300, 500))),
            rng.choice(("0", "0", "0", "1", "2", "3")),
            rng.choice(("ja", "nein")),
            notes.write(row, "Vermerk"),
        )
        for row, person in enumerate(people)
    ]
    truths = {
        "Vertrag": _I,
        "Mieter": _I,
        "Anschrift": _I,
        "Etage": _K,
        "Lage": _K,
        "Wfl. qm": _K,
        "Zimmer": _K,
        "Pers. im HH": _K,
        "Einzug": _K,
        "Kaltmiete": _C,
        "Rückstand": _C,
        "Mahnstufe": _C,
        "WBS": _C,
        "Vermerk": _D,
    }
    return _file("mieterliste", truths, ("Vertrag", "Mieter"), rows, (notes,), ";")


def _repairs() -> UnseenFile:
    """Repairs of a British housing association: several jobs a tenancy."""
    rng = random.Random("repairs")
    people = _people(rng, 75, False, lambda _: f"T{_digits(rng, 5)}/{rng.randrange(1, 4)}")
    notes = _Notes(
        rng,
        False,
        [each.key for each in people],
        (
            "boiler pressure {small} psi, reset",
            "damp in bedroom {small}, survey booked {day}",
            "AM slot before {time}",
            "kitchen tap dripping",
            "recharge {money} to tenant",
            "lift out of order, 3rd visit",
        ),
        (
            "ring before attending {phone}",
            "tenant {name} is housebound, keysafe by door",
            "access via {name} next door {phone}",
            "photos sent from {email}",
            "refund to {iban}",
            "dup of job for {key}",
            "(mob {phone})",
        ),
        share=0.35,
    )
    rows: list[tuple[str, ...]] = []
    for person in people:
        for _ in range(rng.choice((1, 2, 3, 4))):
            rows.append(
                (
                    f"WO{_digits(rng, 7)}",
                    person.key,
                    f"1000{_digits(rng, 8)}" if not rows or rows[-1][1] != person.key else rows[-1][2],
                    _day(rng, datetime.date(2023, 1, 1), 500).isoformat(),
                    rng.choice(("Plumbing", "Electrical", "Joinery", "Heating", "Damp & mould")),
                    rng.choice(("Emergency", "Urgent", "Routine")),
                    notes.write(len(rows), "Job description", 0.05),
                    rng.choice(("Open", "Closed", "No access")),
                    f"{rng.lognormvariate(4.5, 0.8):.2f}",
                    rng.choice(("", "", "", "Mobility", "Mental health", "Hearing", "Young child")),
                )
            )
    truths = {
        "Order": _I,
        "Tenancy Ref": _I,
        "UPRN": _I,
        "Reported": _K,
        "Trade": _K,
        "Priority": _K,
        "Job description": _D,
        "Status": _N,
        "Cost": _C,
        "Vulnerability": _C,
    }
    return _file("repairs", truths, ("Tenancy Ref", "UPRN"), rows, (notes,), ",")


def _loans() -> UnseenFile:
    """Loans of a public library: several rows a borrower."""
    rng = random.Random("library_loans")
    people = _people(rng, 60, False, lambda _: f"2{_digits(rng, 13)}", 8)
    notes = _Notes(
        rng,
        False,
        [each.key for each in people],
        (
            "renewed to {day}",
            "cover torn, {money} waived",
            "ISBN {isbn} on order",
            "reserved shelf {small}",
            "returned in book drop {time}",
        ),
        (
            "collects for {name}",
            "left msg on {phone}",
            "overdue letter bounced, try {email}",
            "card reported stolen, new card {key}",
        ),
        share=0.2,
    )
    rows: list[tuple[str, ...]] = []
    for person in people:
        for _ in range(rng.choice((1, 2, 4, 6))):
            day = _day(rng, datetime.date(2024, 1, 1), 200)
            rows.append(
                (
                    person.key,
                    str(person.born.year),
                    person.postcode.split()[0],
                    f"3{_digits(rng, 13)}",
                    rng.choice(
                        ("Living with HIV", "Wolf Hall", "Divorce: a guide", "Emma", "Debt free in a year", "Gardens")
                    ),
                    rng.choice(("Fiction", "Health", "Law", "Children", "Religion")),
                    day.isoformat(),
                    (day + datetime.timedelta(days=21)).isoformat(),
                    rng.choice(("Central", "Headingley", "Armley", "Mobile van")),
                    f"{max(0.0, rng.gauss(-1, 3)):.2f}",
                    notes.write(len(rows), "staff note", 0.5),
                )
            )
    truths = {
        "borrower": _I,
        "yob": _K,
        "outcode": _K,
        "item barcode": _D,
        "title": _C,
        "class": _C,
        "issued": _K,
        "due": _K,
        "branch": _K,
        "fine": _C,
        "staff note": _D,
    }
    return _file("library_loans", truths, ("borrower",), rows, (notes,), ",")


def _readers() -> UnseenFile:
    """Readers of a German library, with the PIN of their account."""
    rng = random.Random("bibliothek_leser")
    people = _people(rng, 130, True, lambda _: f"LA{_digits(rng, 6)}", 6)
    notes = _Notes(
        rng,
        True,
        [each.key for each in people],
        (
            "Ausweis verlängert bis {day}",
            "Gebühr {money} erlassen",
            "Fernleihe ISBN {isbn}",
            "Mahnung {small} verschickt",
        ),
        ("Adresse unbekannt, Tel. {phone} tot", "Einzug von {iban}", "Ausweis von Mutter {key}", "Frau {name} holt ab"),
    )
    rows = [
        (
            person.key,
            "".join(rng.choice("0123456789") for _ in range(4)),
            {"m": "Herr", "w": "Frau"}[person.sex],
            str(person.born.year),
            person.town,
            rng.choice(("Erw.", "Kind", "Student", "Rentner", "Sozialpass")),
            f"{_ascii(person.first).lower()}.{_ascii(person.last).lower()}{row}@example.org"
            if rng.random() < 0.8
            else "",
            _euro(max(0.0, rng.gauss(-2, 6))),
            str(rng.randrange(0, 90)),
            _de(_day(rng, datetime.date(2024, 1, 1), 365)),
            notes.write(row, "Sperrvermerk", 0.5),
        )
        for row, person in enumerate(people)
    ]
    truths = {
        "Ausweis": _I,
        "PIN": _I,
        "Anrede": _K,
        "Jahrgang": _K,
        "Ort": _K,
        "Gruppe": _C,
        "Kontakt": _I,
        "offene Gebühr": _C,
        "Ausleihen 2024": _C,
        "gültig bis": _N,
        "Sperrvermerk": _D,
    }
    return _file("bibliothek_leser", truths, ("Ausweis", "Kontakt"), rows, (notes,), ";")


def _health_survey() -> UnseenFile:
    """An online survey on health: one answer a row."""
    rng = random.Random("health_survey")
    people = _people(
        rng,
        200,
        False,
        lambda _: "R_" + "".join(rng.choices("abcdefghkmnpqrstuvwxyzABCDEFGHJKLMNPQRST123456789", k=15)),
    )
    notes = _Notes(
        rng,
        False,
        [each.key for each in people],
        (
            "no",
            "n/a",
            "waiting lists are too long, {small} months!",
            "I stopped smoking in {year}",
            "thank you for asking",
            "prescriptions cost me {money} a month",
        ),
        (
            "please contact me {email}",
            "My name is {name} and I am very unhappy with my GP",
            "call me {phone}",
            "my NHS number is {nhs} please look it up",
            "SSN {ssn}",
        ),
        share=0.15,
    )
    rows = [
        (
            person.key,
            f"2024-0{rng.randrange(3, 6)}-{rng.randrange(1, 29):02d} {_clock(rng, 6)}:{rng.randrange(60):02d}",
            f"{rng.randrange(2, 220)}.{rng.randrange(256)}.{rng.randrange(256)}.{rng.randrange(1, 255)}",
            rng.choice(("18-24", "25-34", "35-44", "45-54", "55-64", "65+")),
            rng.choice(("Woman", "Man", "Non-binary", "Prefer not to say")),
            rng.choice(("North East", "Yorkshire", "London", "Wales", "Scotland")),
            rng.choice(("GCSE", "A level", "Degree", "Other")),
            rng.choice(("<15k", "15-30k", "30-50k", "50k+")),
            rng.choice(("Never", "Ex-smoker", "Current")),
            str(rng.randrange(0, 28)),
            str(rng.randrange(1, 6)),
            rng.choice(("Yes", "No")),
            notes.write(row, "Q12_open", 0.5),
        )
        for row, person in enumerate(people)
    ]
    truths = {
        "ResponseId": _I,
        "RecordedDate": _D,
        "IPAddress": _I,
        "Q1_age": _K,
        "Q2_gender": _K,
        "Q3_region": _K,
        "Q4_edu": _K,
        "Q5_income": _C,
        "Q6_smoking": _C,
        "PHQ9": _C,
        "Q8": _D,
        "Q9_abused": _C,
        "Q12_open": _D,
    }
    return _file("health_survey", truths, ("ResponseId",), rows, (notes,), ",")


def _staff_survey() -> UnseenFile:
    """A German staff survey with a personal code."""
    rng = random.Random("mitarbeiterbefragung")
    people = _people(
        rng, 150, True, lambda _: "".join(rng.choices("ABCDEFGHKLMNPRSTUVWXYZ", k=4)) + f"{rng.randrange(1, 32):02d}"
    )
    notes = _Notes(
        rng,
        True,
        [each.key for each in people],
        (
            "Mehr Homeoffice bitte.",
            "Kantine ist zu teuer ({money} für ein Essen)",
            "seit {year} keine Beförderung",
            "Meetings nach {time} Uhr abschaffen",
            "Alles gut.",
        ),
        (
            "Mein Chef {name} mobbt Kollegen.",
            "Rückfragen gern an {email}!",
            "Bitte um Rückruf: {phone}",
            "Fragen Sie {name} aus dem Einkauf",
        ),
        share=0.2,
    )
    rows = [
        (
            person.key,
            rng.choice(("Werk 1", "Werk 2", "Zentrale")),
            rng.choice(("ja", "nein", "nein", "nein")),
            rng.choice(("unter 30", "30-39", "40-49", "50 und älter")),
            rng.choice(("< 2 J.", "2-5 J.", "> 5 J.")),
            *(str(rng.randrange(1, 6)) for _ in range(5)),
            rng.choice(("1", "2", "9")),
            notes.write(row, "Was möchten Sie uns noch sagen?", 0.4),
        )
        for row, person in enumerate(people)
    ]
    truths = {
        "Code": _I,
        "Standort": _K,
        "Führungskraft": _K,
        "Alter": _K,
        "Betriebszugehörigkeit": _K,
        "v1": _D,
        "v2": _D,
        "v3": _D,
        "v4": _D,
        "v5": _D,
        "kündigungsabsicht": _C,
        "Was möchten Sie uns noch sagen?": _D,
    }
    return _file("mitarbeiterbefragung", truths, ("Code",), rows, (notes,), ";")


def _sports_club() -> UnseenFile:
    """Members of a German sports club."""
    rng = random.Random("sportverein")
    people = _people(rng, 160, True, lambda number: str(number * 3 + 17), 5)
    notes = _Notes(
        rng,
        True,
        [each.key for each in people],
        (
            "Trainer-C seit {year}",
            "Beitrag ermäßigt auf {money}",
            "pausiert bis {day}",
            "Spind {small}",
            "Halle {time}",
        ),
        (
            "Eltern: {name}, {phone}",
            "gesetzl. Vertreter {email}",
            "Lastschrift geplatzt, neu: {iban}",
            "Notfallkontakt {phone}",
            "geworben von Nr. {key}",
        ),
    )
    rows = [
        (
            person.key,
            person.first,
            person.last,
            _de(person.born),
            person.street,
            person.postcode,
            person.town,
            rng.choice(("Fußball", "Turnen", "Handball", "Rehasport", "Schwimmen")),
            rng.choice(("aktiv", "passiv", "Ehrenmitglied")),
            _euro(rng.choice((48, 72, 96, 120))),
            _iban(rng, True),
            _phone(rng, True) if rng.random() < 0.7 else "",
            _de(_day(rng, datetime.date(1990, 1, 1), 12000)),
            rng.choice(("", "", "", "Asthma", "Epilepsie", "Bienenstich-Allergie")),
            notes.write(row, "Sonstiges", 0.4),
        )
        for row, person in enumerate(people)
    ]
    truths = {
        "Mitgl.": _I,
        "Vorname": _I,
        "Nachname": _I,
        "Geb.": _K,
        "Straße": _I,
        "PLZ": _K,
        "Ort": _K,
        "Sparte": _K,
        "Status": _K,
        "Beitrag": _C,
        "Konto": _I,
        "Mobil": _I,
        "Beitritt": _K,
        "Gesundheit": _C,
        "Sonstiges": _D,
    }
    return _file("sportverein", truths, ("Mitgl.",), rows, (notes,), ";")


def _golf_club() -> UnseenFile:
    """Rounds played at a golf club: several rows a member."""
    rng = random.Random("golf_rounds")
    people = _people(rng, 55, False, lambda _: f"GC-{_digits(rng, 4)}-{rng.choice('ABCDEFGH')}")
    notes = _Notes(
        rng,
        False,
        [each.key for each in people],
        (
            "rain delay {time}",
            "lost ball hole {small}",
            "competition fee {money}",
            "buggy hired",
            "qualifying round {day}",
        ),
        (
            "marker {name}",
            "guest of {key}",
            "disputed card, ring {phone}",
            "card photo from {email}",
            "winnings to {iban}",
        ),
        share=0.2,
    )
    rows: list[tuple[str, ...]] = []
    for person in people:
        for _ in range(rng.choice((2, 3, 5, 8))):
            rows.append(
                (
                    person.key,
                    {"m": "Mr", "w": "Ms"}[person.sex],
                    str((datetime.date(2024, 6, 1) - person.born).days // 365),
                    _uk(_day(rng, datetime.date(2024, 4, 1), 180)),
                    f"{rng.randrange(7, 17):02d}:{rng.randrange(0, 6)}0",
                    f"{max(0.0, rng.gauss(18, 8)):.1f}",
                    str(int(rng.gauss(88, 9))),
                    rng.choice(("White", "Yellow", "Red")),
                    f"{rng.choice((0, 12, 25, 40)):.2f}",
                    notes.write(len(rows), "remarks", 0.6),
                )
            )
    truths = {
        "member": _I,
        "title": _K,
        "age": _K,
        "played on": _K,
        "tee time": _K,
        "hcp": _K,
        "gross": _N,
        "tees": _N,
        "bar tab": _C,
        "remarks": _D,
    }
    return _file("golf_rounds", truths, ("member",), rows, (notes,), ",")


def _claims() -> UnseenFile:
    """Motor claims of an insurer: some policies claim several times."""
    rng = random.Random("motor_claims")
    people = _people(rng, 100, False, lambda _: f"POL{_digits(rng, 8)}")
    notes = _Notes(
        rng,
        False,
        [each.key for each in people],
        (
            "excess {money} applies",
            "third party at fault, liability admitted {day}",
            "vehicle recovered at {time}",
            "engineer's report: {small}% of value",
            "TP insurer silent since {year}",
        ),
        (
            "TP driver {name}, {phone}",
            "solicitor's email {email}",
            "pay to {iban}",
            "NI no. {nino} for loss of earnings",
            "linked to {key}, possible fraud ring",
            "US visitor, SSN {ssn}",
            "insd prefers calls: {phone}; do not email",
        ),
        share=0.35,
    )
    rows: list[tuple[str, ...]] = []
    for person in people:
        letters = "".join(rng.choices("ABCDEFGHJKLMNPRSTUVWXYZ", k=3))
        plate = f"{rng.choice('YWA')}{rng.choice('ABDEJLN')}{rng.randrange(10, 73)} {letters}"
        job = rng.choice(("Teacher", "Plumber", "Nurse", "Retired", "Student", "Driver", "Vicar"))
        for _ in range(rng.choice((1, 1, 1, 2, 3))):
            rows.append(
                (
                    f"CLM/{rng.randrange(20, 25)}/{_digits(rng, 6)}",
                    person.key,
                    plate,
                    _uk(person.born),
                    person.postcode,
                    job,
                    _uk(_day(rng, datetime.date(2020, 1, 1), 1700)),
                    rng.choice(("Rear-end", "Theft", "Windscreen", "Fire", "Whiplash")),
                    f"{rng.lognormvariate(7.2, 0.9):.2f}",
                    f"{rng.lognormvariate(6.5, 1.1):.2f}",
                    rng.choice(("0", "0", "0", "0", "1")),
                    rng.choice(("0", "0", "0", "3", "6", "9")),
                    notes.write(len(rows), "Adjuster log", 0.2),
                )
            )
    truths = {
        "Claim": _I,
        "Policy": _I,
        "Reg": _I,
        "Insured DOB": _K,
        "Risk postcode": _K,
        "Occupation": _K,
        "Date of loss": _K,
        "Peril": _K,
        "Paid": _C,
        "Reserve": _C,
        "SIU flag": _C,
        "Conviction points": _C,
        "Adjuster log": _D,
    }
    return _file("motor_claims", truths, ("Policy", "Reg"), rows, (notes,), ",")


def _prescriptions() -> UnseenFile:
    """Prescriptions billed to a German health insurer: several rows a person."""
    rng = random.Random("rezeptabrechnung")
    people = _people(rng, 85, True, lambda _: _health_number(rng), 1)
    notes = _Notes(
        rng,
        True,
        [each.key for each in people],
        ("Aut idem", "Retax {money}", "Noctu {time}", "Dosierung {dose} fehlt", "Rezept v. {day}"),
        (
            "falsche Karte, richtig: {health}",
            "RS Praxis {phone}",
            "Rezept per Mail an {email}",
            "Erstattung {iban}",
            "Vers. {name} verstorben",
        ),
        share=0.15,
    )
    rows: list[tuple[str, ...]] = []
    for person in people:
        for _ in range(rng.choice((1, 3, 4, 6))):
            rows.append(
                (
                    person.key,
                    str(person.born.year),
                    {"m": "1", "w": "2"}[person.sex],
                    person.postcode[:3],
                    f"{rng.randrange(1, 5)}/2023",
                    f"{rng.choice((171234501, 271998703, 381176203, 384429901))}",
                    f"{rng.choice((4711001, 1126111, 3967062, 9900751, 5703772)):08d}",
                    rng.choice(("N02BE01", "C07AB02", "A10BA02", "N06AB04", "J05AR20", "L01XC02")),
                    str(rng.choice((1, 1, 1, 2, 3))),
                    _euro(rng.lognormvariate(3.4, 1.1)),
                    rng.choice(("0", "1")),
                    notes.write(len(rows), "Prüfhinweis", 0.5),
                )
            )
    truths = {
        "KVNR": _I,
        "Gebj.": _K,
        "G": _K,
        "Region": _K,
        "Quartal": _K,
        "LANR": _K,
        "PZN": _C,
        "ATC": _C,
        "Menge": _C,
        "Taxe": _C,
        "befreit": _C,
        "Prüfhinweis": _D,
    }
    return _file("rezeptabrechnung", truths, ("KVNR",), rows, (notes,), ";")


def _care_home() -> UnseenFile:
    """Care reports of a German nursing home: many rows a resident, who is written by initials and room."""
    rng = random.Random("pflegeheim")
    people = _people(
        rng,
        45,
        True,
        lambda number: f"{'ABCDEFGHKLMNPRSTUVWZ'[number % 20]}.{rng.choice('ABEGHIKLMRSW')}. Zi {number + 101}",
        60,
    )
    notes = _Notes(
        rng,
        True,
        [each.key for each in people],
        (
            "RR {pressure}, hat gut gegessen",
            "Trinkmenge {small}00 ml",
            "unruhig ab {time}, Pipamperon {dose} gegeben",
            "Gewicht stabil seit {day}",
            "Lagerung alle 2 Std.",
            "Sturz ohne Folgen",
        ),
        (
            "Sohn {name} war da, Tel. {phone}",
            "Betreuerin per {email} informiert",
            "Frau {name} hat geholfen",
            "Taschengeldkonto {iban}",
            "Pflegekasse: {health} fehlt auf Antrag",
            "Enkelin ruft an ({phone})",
        ),
        share=0.2,
    )
    rows: list[tuple[str, ...]] = []
    for person in people:
        religion, degree = rng.choice(("ev", "rk", "ohne")), str(rng.randrange(2, 6))
        for _ in range(rng.choice((3, 5, 7))):
            rows.append(
                (
                    person.key,
                    f"WB {rng.randrange(1, 4)}",
                    str(person.born.year),
                    religion,
                    degree,
                    _de(_day(rng, datetime.date(2024, 1, 1), 90)),
                    rng.choice(("F", "S", "N")),
                    rng.choice(("ok", "ok", "auff.", "Arzt")),
                    rng.choice(("-", "-", "Gitter", "Gurt")),
                    notes.write(len(rows), "Bericht", 0.02),
                    "".join(rng.choice("abcdefghklmnprstw") for _ in range(3)),
                )
            )
    truths = {
        "Bewohner": _I,
        "Bereich": _K,
        "Jg.": _K,
        "Konfession": _C,
        "Pflegegrad": _C,
        "Datum": _K,
        "Schicht": _N,
        "Zustand": _C,
        "FEM": _C,
        "Bericht": _D,
        "Hdz.": _D,
    }
    return _file("pflegeheim", truths, ("Bewohner",), rows, (notes,), ";")


def _laboratory() -> UnseenFile:
    """Laboratory results in long form: many rows a patient."""
    rng = random.Random("lab_results")
    people = _people(
        rng, 50, False, lambda _: f"{rng.randrange(10, 99)}-{rng.randrange(10, 99)}-{rng.randrange(10, 99)}", 1
    )
    notes = _Notes(
        rng,
        False,
        [each.key for each in people],
        (
            "haemolysed sample",
            "repeat in {small} hours",
            "phoned to ward at {time}",
            "ref range changed {day}",
            "on metformin {dose}",
        ),
        (
            "phoned to Dr {name} ext, mobile {phone}",
            "copy to {email}",
            "sample mislabelled, belongs to {key}",
            "NHS {nhs} on form",
        ),
        share=0.15,
    )
    rows: list[tuple[str, ...]] = []
    for person in people:
        for _ in range(rng.choice((3, 5, 8))):
            test, unit, middle = rng.choice(
                (("HbA1c", "mmol/mol", 45.0), ("K", "mmol/L", 4.3), ("CRP", "mg/L", 20.0), ("HIV Ag/Ab", "", 0.0))
            )
            value = (
                rng.choice(("negative", "positive")) if not unit else f"{max(0.1, rng.gauss(middle, middle / 4)):.1f}"
            )
            rows.append(
                (
                    person.key,
                    f"{rng.randrange(23, 25)}L{_digits(rng, 7)}",
                    {"m": "M", "w": "F"}[person.sex],
                    str((datetime.date(2024, 1, 1) - person.born).days // 365),
                    rng.choice(("A&E", "Ward 7", "Oncology", "GP", "Antenatal")),
                    f"{_day(rng, datetime.date(2023, 6, 1), 300).isoformat()}T{_clock(rng)}",
                    test,
                    value,
                    unit,
                    rng.choice(("", "", "H", "L")),
                    notes.write(len(rows), "result_comment", 0.6),
                )
            )
    truths = {
        "MRN": _I,
        "accession": _I,
        "sex": _K,
        "age_yrs": _K,
        "location": _K,
        "collected": _K,
        "test": _C,
        "value": _C,
        "units": _N,
        "flag": _C,
        "result_comment": _D,
    }
    return _file("lab_results", truths, ("MRN",), rows, (notes,), ",")


def _absences() -> UnseenFile:
    """Absences from a British employer's HR system: several rows an employee, with login, badge and a token."""
    rng = random.Random("hr_absence")
    people = _people(rng, 70, False, lambda _: f"{rng.choice('EC')}{_digits(rng, 6)}")
    notes = _Notes(
        rng,
        False,
        [each.key for each in people],
        (
            "RTW meeting {day} {time}",
            "fit note for {small} days",
            "occupational health referral",
            "half pay from {day}",
            "SSP {money}",
        ),
        (
            "spoke to partner {name} on {phone}",
            "sick note sent from {email}",
            "cover by {name} ({key})",
            "NI {nino} sent to DWP",
            "hospital contact no: {phone}",
        ),
    )
    rows: list[tuple[str, ...]] = []
    for person in people:
        login = f"{_ascii(person.last).lower()[:6]}{_ascii(person.first).lower()[0]}{rng.randrange(1, 9)}"
        badge = "".join(rng.choice("0123456789ABCDEF") for _ in range(8))
        token = "".join(rng.choice("0123456789abcdef") for _ in range(32))
        department, band = rng.choice(("Finance", "Estates", "Legal", "IT")), f"Band {rng.randrange(2, 9)}"
        for _ in range(rng.choice((1, 2, 4))):
            rows.append(
                (
                    person.key,
                    login,
                    badge,
                    token,
                    department,
                    band,
                    rng.choice(("Leeds", "York", "Hull")),
                    _uk(_day(rng, datetime.date(2022, 1, 1), 900)),
                    str(rng.choice((1, 2, 3, 5, 10, 20, 60))),
                    rng.choice(("Stress", "Flu", "Back", "Surgery", "Bereavement", "Pregnancy related")),
                    rng.choice(("Full", "Half", "Nil")),
                    notes.write(len(rows), "Manager comments", 0.2),
                )
            )
    truths = {
        "Assignment": _I,
        "User": _I,
        "Badge": _I,
        "Session": _I,
        "Dept": _K,
        "Band": _K,
        "Site": _K,
        "From": _K,
        "Days": _C,
        "Reason": _C,
        "Pay": _C,
        "Manager comments": _D,
    }
    return _file("hr_absence", truths, ("Assignment", "User", "Badge", "Session"), rows, (notes,), ",")


def _students() -> UnseenFile:
    """Examinations of a German university: several rows a student."""
    rng = random.Random("pruefungsamt")
    people = _people(rng, 65, True, lambda _: _digits(rng, 7))
    notes = _Notes(
        rng,
        True,
        [each.key for each in people],
        (
            "Attest vom {day} anerkannt",
            "Nachteilsausgleich {small} Min.",
            "3. Versuch, mündl. am {day} um {time}",
            "Raum {room}",
            "BAföG-Rückforderung {money}",
        ),
        (
            "Täuschungsversuch mit {key}",
            "Anwalt {name}, {phone}",
            "Widerspruch per Mail ({email})",
            "Semesterbeitrag zurück an {iban}",
            "IdNr. {tax} für Hilfskraftvertrag",
        ),
        share=0.2,
    )
    rows: list[tuple[str, ...]] = []
    for person in people:
        course, nation = (
            rng.choice(("BWL", "Informatik", "Medizin", "Jura")),
            rng.choice(("D", "D", "D", "TR", "CN", "IND")),
        )
        for _ in range(rng.choice((2, 3, 5))):
            rows.append(
                (
                    person.key,
                    course,
                    str(rng.randrange(1, 13)),
                    nation,
                    f"{rng.randrange(10, 36) / 10:.1f}".replace(".", ","),
                    rng.choice(("ja", "nein")),
                    rng.choice(("Analysis I", "Statistik", "Anatomie", "BGB AT", "Buchführung")),
                    rng.choice(("WS 22/23", "SS 23", "WS 23/24")),
                    rng.choice(("1,0", "1,7", "2,3", "3,0", "3,7", "4,0", "5,0")),
                    rng.choice(("1", "1", "2", "3")),
                    notes.write(len(rows), "Aktennotiz", 0.5),
                )
            )
    truths = {
        "Matr.": _I,
        "Studiengang": _K,
        "FS": _K,
        "Staatsang.": _K,
        "HZB": _C,
        "BAföG": _C,
        "Prüfung": _K,
        "Sem.": _K,
        "Note": _C,
        "Versuch": _C,
        "Aktennotiz": _D,
    }
    return _file("pruefungsamt", truths, ("Matr.",), rows, (notes,), ";")


_FILES: tuple[Callable[[], UnseenFile], ...] = (
    _hospital_stays,
    _appointments,
    _payroll,
    _payroll_journal,
    _pupils,
    _exam_results,
    _tenants,
    _repairs,
    _loans,
    _readers,
    _health_survey,
    _staff_survey,
    _sports_club,
    _golf_club,
    _claims,
    _prescriptions,
    _care_home,
    _laboratory,
    _absences,
    _students,
)


def unseen_files() -> list[UnseenFile]:
    """All twenty, the same at every call."""
    return [make() for make in _FILES]
