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
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from PySide6.QtCore import QDate, QLocale

_PLACES = "en_US de_DE fr_FR es_ES it_IT nl_NL pt_BR pl_PL sv_SE da_DK cs_CZ tr_TR ja_JP zh_CN"
_NAMES = {
    "family": "family name|Familienname|nom de famille|apellido|cognome|familienaam|sobrenome|nazwisko|efternamn|"
    "efternavn|příjmení|soyadı|姓|姓氏",
    "given": "given name|Vorname|prénom|nombre de pila|prenome|voornaam|prenome|imię|förnamn|fornavn|křestní jméno|"
    "ön adı|名|名字",
    "mail": "email address|E-Mail-Adresse|adresse électronique|dirección de correo electrónico|indirizzo email|"
    "e-mailadres|endereço de e-mail|adres e-mail|e-postadress|e-mailadresse|e-mailová adresa|e-posta adresi|"
    "電子メールアドレス|电子邮件地址",
    "phone": "phone number|Telefonnummer|numéro de téléphone|número de teléfono|numero di telefono|telefoonnummer|"
    "número de telefone|numer telefonu|telefonnummer|telefonnummer|telefonní číslo|telefon numarası|電話番号|电话号码",
    "sex": "sex or gender|Geschlecht|sexe ou genre|sexo o género|sesso o genere|sekse of geslacht|sexo ou gênero|płeć|"
    "kön|køn|pohlaví|cinsiyeti|性別|性别",
    "born": "date of birth|Geburtsdatum|date de naissance|fecha de nacimiento|data di nascita|geboortedatum|"
    "data de nascimento|data urodzenia|födelsedatum|fødselsdato|datum narození|doğum tarihi|生年月日|出生日期",
    "job": "occupation|Tätigkeit|occupation|ocupación|occupazione|beroep|ocupação|zajęcie|sysselsättning|beskæftigelse|"
    "povolání|mesleği|職業|职业",
    "town": "residence|Wohnsitz|résidence|residencia|residenza|verblijfplaats|residência|miejsce zamieszkania|"
    "bostadsort|bopæl|bydliště|ikametgâh|居住地|居住地",
    "citizen": "country of citizenship|Land der Staatsangehörigkeit|pays de nationalité|país de nacionalidad|"
    "paese di cittadinanza|land van nationaliteit|país de nacionalidade|obywatelstwo|medborgarskap|statsborgerskab|"
    "státní občanství|vatandaşlığı|国籍|国籍",
    "tongue": "native language|Muttersprache|langue maternelle|lengua materna|lingua madre|moedertaal|língua materna|"
    "język ojczysty|modersmål|modersmål|rodný jazyk|ana dili|母語|母语",
    "children": "number of children|Kinderzahl|nombre d'enfants|número de hijos|numero di figli|aantal kinderen|"
    "número de filhos|liczba dzieci|antal barn|antal børn|počet dětí|çocuk sayısı|子供の数|子女数目",
    "illness": "medical condition|medizinischer Zustand|état médical|estado de salud|condizione medica|"
    "medische aandoening|condição médica|stan zdrowia|medicinskt tillstånd|helbredstilstand|zdravotní stav|tıbbi durum|"
    "病状|健康状况",
    "party": "member of political party|Parteimitgliedschaft|membre du parti politique|partido político|"
    "partito politico|lid van politieke partij|partido político|partia polityczna|politiskt parti|politisk parti|"
    "politická strana|siyasi parti|所属政党|所属政党",
    "income": "annual income|Jahreseinkommen|revenu annuel|ingresos anuales|reddito annuo|jaarinkomen|renda anual|"
    "roczny dochód|årsinkomst|årlig indkomst|roční příjem|yıllık gelir|年間所得|年收入",
    "file": "patient number|Patientennummer|numéro de patient|número de paciente|numero del paziente|patiëntnummer|"
    "número do paciente|numer pacjenta|patientnummer|patientnummer|číslo pacienta|hasta numarası|患者番号|患者编号",
    "zip": "postal code|Postleitzahl|code postal|código postal|codice postale|postcode|código postal|kod pocztowy|"
    "postnummer|postnummer|poštovní směrovací číslo|posta kodu|郵便番号|邮政编码",
    "health": "health|Gesundheit|santé|salud|salute|gezondheid|saúde|zdrowie|hälsa|sundhed|zdraví|sağlık|健康|健康",
    "opinion": "opinion|Meinung|opinion|opinión|opinione|mening|opinião|opinia|åsikt|holdning|názor|görüş|意見|意见",
    "seen": "date of visit|Besuchsdatum|date de la visite|fecha de visita|data della visita|datum bezoek|"
    "data da visita|data wizyty|besöksdatum|besøgsdato|datum návštěvy|ziyaret tarihi|訪問日|就诊日期",
}
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
_SCALES = {
    "health": "Very good/Good/Fair/Bad/Very bad|Sehr gut/Gut/Durchschnittlich/Schlecht/Sehr schlecht|"
    "Très bonne/Bonne/Moyenne/Mauvaise/Très mauvaise|Muy buena/Buena/Normal/Mala/Muy mala|"
    "Molto buona/Buona/Discreta/Cattiva/Molto cattiva|Zeer goed/Goed/Redelijk/Slecht/Zeer slecht|"
    "Muito boa/Boa/Razoável/Má/Muito má|Bardzo dobre/Dobre/Takie sobie/Złe/Bardzo złe|"
    "Mycket god/God/Någorlunda/Dålig/Mycket dålig|Meget godt/Godt/Rimeligt/Dårligt/Meget dårligt|"
    "Velmi dobrý/Dobrý/Ucházející/Špatný/Velmi špatný|Çok iyi/İyi/Orta/Kötü/Çok kötü|"
    "とても良い/良い/まあまあ/悪い/とても悪い|很好/好/一般/差/很差",
    "opinion": "Agree strongly/Agree/Neither agree nor disagree/Disagree/Disagree strongly|"
    "Stimme stark zu/Stimme zu/Weder noch/Lehne ab/Lehne stark ab|Tout à fait d'accord/Plutôt d'accord/"
    "Ni d'accord, ni pas d'accord/Plutôt pas d'accord/Pas du tout d'accord|Muy de acuerdo/De acuerdo/"
    "Ni de acuerdo ni en desacuerdo/En desacuerdo/Muy en desacuerdo|Molto d'accordo/D'accordo/"
    "Né d'accordo né contrario/Contrario/Molto contrario|"
    "Helemaal eens/Eens/Niet eens, niet oneens/Oneens/Helemaal oneens|"
    "Concordo totalmente/Concordo/Nem concordo nem discordo/Discordo/Discordo totalmente|Zdecydowanie się zgadzam/"
    "Zgadzam się/Ani się zgadzam, ani się nie zgadzam/Nie zgadzam się/Zdecydowanie się nie zgadzam|"
    "Instämmer starkt/Instämmer/Varken eller/Tar avstånd/Tar starkt avstånd|"
    "Meget enig/Enig/Hverken enig eller uenig/Uenig/Meget uenig|Rozhodně souhlasím/Souhlasím/"
    "Ani souhlasím, ani nesouhlasím/Nesouhlasím/Rozhodně nesouhlasím|Kesinlikle katılıyorum/Katılıyorum/"
    "Ne katılıyorum ne katılmıyorum/Katılmıyorum/Kesinlikle katılmıyorum|強く賛成/賛成/どちらでもない/反対/強く反対|"
    "非常同意/同意/既不同意也不反对/不同意/非常不同意",
}
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
