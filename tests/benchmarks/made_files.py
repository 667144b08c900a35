"""Files as people in fourteen languages keep them, made from a seed, each with its truth, for ``own_files``.

Column names are the labels that Wikidata gives its properties of people; days and amounts are written as the Unicode
locale data (of Qt) write them; sums are named as Excel names them in pivot tables; scales, and answers that were not
given, are those of the European Social Survey. None of these words is taken from the program's lists.
"""

from __future__ import annotations

import csv
import io
import json
import random
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from cases import case_text
from PySide6.QtCore import QDate, QLocale

_PLACES = "en_US de_DE fr_FR es_ES it_IT nl_NL pt_BR pl_PL sv_SE da_DK cs_CZ tr_TR ja_JP zh_CN"
_LABELS = tomllib.loads(case_text("made-files.toml"))
_NAMES: dict[str, str] = _LABELS["names"]
_ROLES: dict[str, Any] = {
    **dict.fromkeys(("family", "given", "mail", "phone", "file"), "identifier"),
    **dict.fromkeys(("sex", "born", "job", "town", "citizen", "tongue", "children", "zip"), "known"),
    **dict.fromkeys(("illness", "party", "income", "health"), "confidential"),
    "opinion": ["confidential", "undecided"],
    "seen": ["known", "confidential", "undecided"],
}
_SUMS = (
    "Grand Total|Gesamtergebnis|Total général|Total general|Totale complessivo|Eindtotaal|Total Geral|Suma końcowa|"
    "Totalsumma|Hovedtotal|Celkový součet|Genel Toplam|総計|总计"
)
_NONE = (
    "Refusal|Verweigert|Refus|Se niega a contestar|Rifiuto|Weigert|Recusa|Odmowa odpowiedzi|Vägrar|Vil ikke svare|"
    "Odmítnutí|Reddetti|回答拒否|拒绝回答"
)
_NO_IDEA = (
    "Don't know|Weiß nicht|Ne sait pas|No sabe|Non so|Weet niet|Não sabe|Nie wiem|Vet ej|Ved ikke|Neví|Bilmiyor|"
    "わからない|不知道"
)
_SIGNED = (
    "Prepared by:|Erstellt von:|Établi par :|Elaborado por:|Redatto da:|Opgesteld door:|Elaborado por:|Sporządził:|"
    "Upprättad av:|Udarbejdet af:|Vypracoval:|Hazırlayan:|作成者：|制表人："
)
_WORDS = {
    "sex": "female male|weiblich männlich|féminin masculin|femenino masculino|femminile maschile|vrouwelijk mannelijk|"
    "feminino masculino|kobieta mężczyzna|kvinna man|kvinde mand|žena muž|kadın erkek|女性 男性|女 男",
    "job": "teacher farmer baker nurse|Lehrer Landwirt Bäcker Pfleger|enseignant agriculteur boulanger infirmier|"
    "maestro agricultor panadero enfermero|insegnante agricoltore panettiere infermiere|leraar boer bakker verpleger|"
    "professor agricultor padeiro enfermeiro|nauczyciel rolnik piekarz pielęgniarz|lärare bonde bagare sköterska|"
    "lærer landmand bager sygeplejerske|učitel zemědělec pekař ošetřovatel|öğretmen çiftçi fırıncı hemşire|"
    "教師 農家 パン屋 看護師|教师 农民 面包师 护士",
}
_SCALES: dict[str, str] = _LABELS["scales"]
_ENCODINGS = {"pl": "cp1250", "cs": "cp1250", "tr": "cp1254", "ja": "cp932", "zh": "gb18030"}
_SYLLABLES = "ba den fi gor hal jen ka lom mi nor pe ros sa tur vel win"
_CJK = "林森田中山川村井石松周吴郑王冯陈沈韩杨朱"


@dataclass
class _Column:
    """A column with its truth: plain values (None where nobody answered), and texts that mean no answer."""

    name: str
    texts: list[str]
    kind: Any
    role: Any
    plain: list[str | None]
    missing: list[str] = field(default_factory=list)

    def answer_not(self, draw: random.Random, mark: str) -> None:
        """Replace an eighth of the cells by a text for no answer."""
        self.missing.append(mark)
        for row in draw.sample(range(len(self.texts)), max(3, len(self.texts) // 8)):
            self.texts[row], self.plain[row] = mark, None

    def truth(self, position: int) -> dict[str, Any]:
        """Return what ``own_files`` compares."""
        facts = {"kind": self.kind, "role": self.role, "values": self.plain[:3], "position": position}
        return {**facts, "missing": [mark for mark in self.missing if mark in self.texts]}


class _Maker:
    """Makes the columns of one file in one language."""

    def __init__(self, number: int, seed: int) -> None:
        self.draw = random.Random(f"{seed}/{number}")
        places = _PLACES.split()
        self.place = number % len(places)
        self.locale = QLocale(places[self.place])
        self.language = places[self.place][:2]
        self.rows = self.draw.randrange(60, 180)

    def said(self, texts: str) -> str:
        """Return the text of this language."""
        return texts.split("|")[self.place]

    def column(self, what: str, kind: Any, one: Callable[[], tuple[str, str]]) -> _Column:
        """Return a column of as many cells as the file has people; ``one`` makes a text and its plain form."""
        texts, plain = zip(*(one() for _ in range(self.rows)), strict=True)
        name = self.said(_NAMES[what])
        name = {0: name, 1: name.capitalize(), 2: name.upper()}[self.draw.randrange(3)] if name.isascii() else name
        return _Column(name, list(texts), kind, _ROLES[what], list(plain))

    def word(self) -> str:
        """Return a name that was made up."""
        parts = _CJK if self.language in ("ja", "zh") else _SYLLABLES.split()
        return "".join(self.draw.sample(parts, 2)).capitalize()

    def words(self, what: str, choices: Sequence[str], kind: str = "nominal") -> _Column:
        """Return a column of words that repeat."""
        return self.column(what, kind, lambda: (choice := self.draw.choice(choices), choice))

    def days(self, what: str, first: int, last: int) -> _Column:
        """Return a column of days as the language writes them: short, in words, or with the year in four digits."""
        short, long = map(self.locale.dateFormat, (QLocale.FormatType.ShortFormat, QLocale.FormatType.LongFormat))
        full = short if "yyyy" in short else short.replace("yy", "yyyy")
        form = self.draw.choice((full, long, full.replace("yyyy", "yy"), ""))

        def one() -> tuple[str, str]:
            """Return a day as it is written, and as ISO."""
            day = date(first, 1, 1) + timedelta(days=self.draw.randrange(365 * (last - first)))
            text = self.locale.toString(QDate(day.year, day.month, day.day), form)
            return text or f"{day:%d%b%Y}".upper(), day.isoformat()

        return self.column(what, "date", one)

    def amounts(self) -> _Column:
        """Return a column of amounts with the currency of the country."""

        def one() -> tuple[str, str]:
            """Return an amount as it is written, and as a number."""
            amount = self.draw.randrange(8_000, 90_000) + (self.language != "ja") * self.draw.randrange(100) / 100
            return self.locale.toCurrencyString(amount), str(amount)

        return self.column("income", "numeric", one)

    def texts(self, what: str) -> _Column:
        """Return a column of names, addresses of e-mail, or telephone numbers."""

        def one() -> tuple[str, str]:
            """Return a text twice."""
            name, number = self.word(), self.draw.randrange(10**9, 10**10)
            return ({"mail": f"{name}.{number % 99}@example.org", "phone": f"0{number}"}.get(what, name),) * 2

        return self.column(what, ["nominal", "text"], one)

    def columns(self) -> list[_Column]:
        """Return the columns of people's files, some of them."""
        towns = [self.word() for _ in range(12)]
        made = [self.texts(what) for what in self.draw.sample(("family", "given", "mail", "phone"), 2)]
        made += [self.words("sex", self.said(_WORDS["sex"]).split()), self.days("born", 1935, 2006), self.amounts()]
        made += [self.words("job", self.said(_WORDS["job"]).split()), self.words("town", towns)]
        made += [self.words("zip", [str(self.draw.randrange(1000, 99999)) for _ in range(15)])]
        made += [self.words(what, self.said(_SCALES[what]).split("/"), "ordinal") for what in _SCALES]
        made += [self.words(what, towns[:5]) for what in self.draw.sample(("citizen", "tongue", "illness", "party"), 2)]
        return [*made, self.column("children", "numeric", lambda: (number := str(self.draw.randrange(5)), number))]


def _second_lines(columns: Sequence[_Column], style: int) -> list[list[str]]:
    """Return the lines below the names as survey programs write them: questions, kinds of answers, or labels."""
    names = [column.name for column in columns]
    if style == 1:
        return [["Response" if at % 2 else "Open-Ended Response" for at in range(len(names))]]
    for at, column in enumerate(columns, start=1):
        column.name = f"Q{at}" if style == 0 else f"v{at:02d}"
    return [names, [f'{{"ImportId":"QID{at}"}}' for at in range(len(names))]] if style == 0 else [names]


def write(folder: Path, count: int, seed: int = 44) -> None:
    """Write files and ``truth.json`` into a folder."""
    truths = {}
    for number in range(count):
        maker, style = _Maker(number, seed), number * 7 % 8
        columns, behind, person = maker.columns(), [], None
        before = _second_lines(columns, style) if style in (0, 1, 2) else []
        if style in (3, 4):
            total = sum(float(text) for text in columns[-1].plain if text)
            behind = [[maker.said(_SUMS), *[""] * (len(columns) - 2), f"{total:.0f}"]]
            behind += [[maker.said(_SIGNED) + " " + maker.word(), *[""] * (len(columns) - 1)]] * (style == 4)
        if style == 5:
            columns, person = _visits(maker, columns)
        if style in (2, 3, 6):
            columns[-1].answer_not(maker.draw, maker.draw.choice(("-9", "99", "-99", "999")))
            columns[-5].answer_not(maker.draw, maker.said(_NONE))
            columns[4].answer_not(maker.draw, maker.said(_NO_IDEA))
        name = f"{number + 1:02d}_{maker.language}.csv"
        (folder / name).write_bytes(_file(maker, columns, before, behind, in_old=number % 3 == 0))
        people, first = len(columns[0].texts), 2 + len(before)
        lines = [*range(2, first), *range(first + people, first + people + len(behind))]
        facts = {column.name: column.truth(at) for at, column in enumerate(columns, start=1)}
        truths[name] = {"rows_that_are_no_people": lines, "people": people, "person": person, "columns": facts}
    (folder / "truth.json").write_text(json.dumps(truths, ensure_ascii=False), encoding="utf-8")


def _visits(maker: _Maker, columns: list[_Column]) -> tuple[list[_Column], str]:
    """Return the columns with one to four rows a person and a key, and the name of the key."""
    times = [maker.draw.randrange(1, 5) for _ in range(maker.rows)]
    rows = [row for row, often in enumerate(times) for _ in range(often)]
    for column in columns:
        column.texts, column.plain = [column.texts[row] for row in rows], [column.plain[row] for row in rows]
    keys = [f"{row * 37 % 9973:04d}-{maker.language}" for row in rows]
    maker.rows = len(rows)
    key = _Column(maker.said(_NAMES["file"]), keys, ["nominal", "text"], "identifier", list(keys))
    return [key, *columns, maker.days("seen", 2021, 2024)], key.name


def _file(maker: _Maker, columns: Sequence[_Column], before: Any, behind: Any, *, in_old: bool) -> bytes:
    """Return a file of separated values as the programs of a country save it."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=";" if maker.locale.decimalPoint() == "," else ",", lineterminator="\r\n")
    cells = zip(*(column.texts for column in columns), strict=True)
    writer.writerows([[column.name for column in columns], *before, *cells, *behind])
    text = out.getvalue().replace("\u202f", "\u00a0")
    try:
        return text.encode(_ENCODINGS.get(maker.language, "cp1252") if in_old else "utf-8-sig")
    except UnicodeEncodeError:
        return text.encode()
