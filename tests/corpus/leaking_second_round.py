"""Releases that leak, second round: every kind that slipped through, in its smallest example and two variants.

Here are their tables; what was done to them, and which checks have to stop them, stands in ``second_round.toml``. The
variants hold another trade's data in another language, and each gives a check that knows the smallest example only a
way to look past it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from ppdm_desktop.engine.release.candidate.model import Candidate
from tests.corpus.drawn import (
    AGES,
    PAY,
    REGIONS,
    about,
    by,
    codes,
    crossed,
    days,
    few,
    lognormal,
    made,
    normal,
    pick,
    pick_word,
    scattered,
    sorted_by,
    uniform,
    where,
    within,
    without,
)
from tests.corpus.recipes import cases_of, with_changes
from tests.corpus.tables import Columns, german_credit, one_in_forty, remarks, two_answers, visits_of_few

FIRST, LAST, GIVEN, FAMILY, TUMOURS, INITIALS = map(
    str.split,
    (
        "Anna Maria Peter Thomas Julia Michael Laura Jan Sarah David Paul Nina Eva Lukas Emma Daniel",
        "Müller Schmidt Fischer Weber Meyer Wagner Becker Schulz Hoffmann Koch Richter Klein Wolf Neumann",
        "Ayşe Fatma Mehmet Mustafa Zeynep Elif Ahmet Emine Hüseyin Murat Merve Hatice",
        "Yılmaz Kaya Demir Şahin Çelik Öztürk Aydın Arslan Doğan Kılıç",
        "melanoom sarcoom glioom lymfoom myeloom carcinoom blastoom thymoom",
        "ABe CDi EFo GHu IKa LMe NOi PQo RSu TUa VWe XYi",
    ),
)


def strangers(count: int, **columns: Any) -> Callable[[], Columns]:
    """Return what draws people of whom nearly everybody is unique, each with a pay."""
    return made(scattered(count, age=(18, 90), postcode=400, sex=2), income=PAY, **columns)


def _true_values(names: str, candidate: Candidate) -> dict[str, list[str]]:
    """Put what is true of the people of the source into some columns, one person after the other."""
    return {name: candidate.prepared.table.column(name).values() for name in names.split()}


def _ends_of_members(candidate: Candidate) -> dict[str, list[str]]:
    """Let each range that has two ends begin and end with the value of a member of its group."""
    final, source = candidate.final, candidate.prepared.table
    names = [column.name for column in final.columns if column.role == "quasi-identifier"]
    groups: dict[tuple[str, ...], list[int]] = {}
    for row, group in enumerate(zip(*(final.column(name).values() for name in names), strict=True)):
        groups.setdefault(group, []).append(row)
    labels = {name: np.array(final.column(name).values(), dtype=object) for name in names}
    for name in names:
        values = np.array(source.column(name).values(), dtype=object)
        for rows in groups.values():
            if labels[name][rows[0]].startswith("["):
                low, high = (end(values[rows], key=_by_size) for end in (min, max))
                labels[name][rows] = f"[{low}, {high}]"
    return {name: texts.tolist() for name, texts in labels.items()}


def _mark_drug(number: int, drug: Any) -> str:
    return "x" if drug == number else "-"


def _by_size(text: str) -> tuple[float, str]:
    return (float(text) if text.replace(".", "").isdigit() else 0.0, text)


def spelt(*texts: str, where_held: dict[str, Any], elsewhere: float = 0.0) -> Callable[[], Columns]:
    """Return what draws wards some of which hold the same secret in several spellings, few of them elsewhere."""
    usual = ("asthma", "broken leg", "flu", "migraine", "gastritis")
    shares = [elsewhere / len(texts)] * len(texts) + [(1 - elsewhere) / len(usual)] * len(usual)
    return made(
        crossed(about(42, 36), ward=16, band=AGES[:3]),
        diagnosis=where(where_held, pick(*texts), pick(*texts, *usual, shares=shares)),
    )


def salaries_by_name(names: Iterable[str], months: int = 36) -> Callable[[], Columns]:
    """Return what draws a table of which each column is a person and each row a month; three pays change about."""

    def table() -> Columns:
        generator = np.random.default_rng(3)
        pays = {name: 50 * generator.integers(50, 80) for name in names}
        month = np.arange(months)
        return {
            "month": [f"{2_020 + number // 12}-{number % 12 + 1:02d}-01" for number in month],
            **{name: pay + 50 * ((month + generator.integers(0, 3)) % 3) for name, pay in pays.items()},
        }

    return table


def full_names(first: Iterable[str], last: list[str], count: int, between: str = " ") -> tuple[str, ...]:
    """Return different full names."""
    return tuple(f"{name}{between}{last[number % len(last)]}" for number, name in zip(range(count), 9 * list(first)))


TURKISH = tuple(
    f"{given} {family}, {what}"
    for (given, family), what in zip(
        zip(GIVEN * 2, FAMILY * 2),
        (
            *(f"TC 1000000014{number}" for number in range(6)),
            *(f"plaka 34 ABC {number}" for number in range(120, 125)),
            *(f"Atatürk Caddesi No {number}" for number in range(11, 15)),
        ),
    )
)
PATTERNS = (
    "Mme Dubois a rappelé",
    "Frau Weber rief an",
    "Herr Klein war da",
    "Mrs Koch was upset",
    "Sra. Lima ligou",
    "Sr. Costa veio tarde",
    "writes as @anna_k91",
    "posts as @jan.fischer",
    "moved to 1017 AB Amsterdam",
    "zieht nach 89073 Ulm",
    "woont Kerkstraat 12",
    "kenteken XK-421-B",
    "fährt B-MW 1234",
    "vehicle WVWZZZ1JZXW000001",
)
STAGES, STAGE_SHARES = "I IIa IIb IIIa IIIb IV", (0.35, 0.25, 0.25, 0.05, 0.05, 0.05)
STORIES = (
    "the mayor's youngest daughter",
    "plays the organ in our church",
    "won the lottery last spring",
    "runs the only bakery here",
    "her twin brother drowned in May",
    "was on television as a cook",
    "the priest of the next village",
    "lost a leg in the mine",
)
MANY_STORIES = tuple(f"was seen with neighbour {number} at the fair" for number in range(230))


def later(left: int, joined: int | None = None, *, shuffled: bool = False) -> Callable[[], Columns]:
    """Return what draws `EMPLOYEES` some time later, so many have left and so many, or as many, joined."""

    def table() -> Columns:
        old, new = EMPLOYEES(), made(scattered(left if joined is None else joined, age=10, sex=2), income=PAY)()
        rows = len(old["age"]) - left + len(new["age"])
        order = np.random.default_rng(5).permutation(rows) if shuffled else np.arange(rows)
        return {name: np.concatenate([old[name][left:], new[name]])[order] for name in old}

    return table


EMPLOYEES = made(scattered(2_000, age=10, sex=2), income=PAY)
ANSWERS = ("yes", "no", "")

TABLES: dict[str, Callable[..., Columns]] = {
    "A1 HIV status called other, all details true": strangers(2_000, hiv=few(0.03, "positive", "negative")),
    "A1 serology under a name that says nothing, French": made(
        scattered(1_500, âge=(18, 90), code_postal=300, sexe=["F", "H"]),
        revenu=PAY,
        statut=few(0.04, "séropositif", "séronégatif"),
    ),
    "A1 one in twenty unique, a true code beside them, Swedish": made(
        crossed(about(80), kommun=12, ålder=[*AGES[:2]]),
        ålder=where({"kommun": 3}, uniform(20, 80), lambda generator, table: table["ålder"]),
        lön=PAY,
        kod=pick(*"ABCDEF"),
    ),
    "A1-quasi HIV status called known to others": strangers(2_000, hiv=few(0.03, "positive", "negative")),
    "A1-quasi twelve diagnoses called known to others, German": made(
        scattered(1_500, Alter=(18, 90), PLZ=200, Geschlecht=["m", "w"]), Gehalt=PAY, Diagnose=codes(12)
    ),
    "A1-quasi the trade union called known to others, nobody unique, Spanish": made(
        scattered(2_400, edad=AGES, región=6), sueldo=PAY, sindicato=pick("sí", "no", shares=(0.3, 0.7))
    ),
    "A4 one village of one religion": made(
        crossed(40, village=60),
        income=PAY,
        religion=where({"village": 7}, pick("Bahá'í"), pick("Catholic", "Protestant", "none")),
    ),
    "A4 one town where everybody has card K, Italian": made(
        crossed(about(35, 12), comune=50),
        reddito=PAY,
        tessera=where({"comune": 31}, pick("K"), pick(*"ABC")),
    ),
    "A4 a plant where nearly everybody has code Z, one in a hundred elsewhere, Polish": made(
        crossed(about(30, 20), zakład=90),
        płaca=PAY,
        kod=where({"zakład": 8}, few(0.96, "Z", "A"), pick(*"ABCZ", shares=(0.33, 0.33, 0.33, 0.01))),
    ),
    "A4-other a paragraph of the penal code that one in six people were tried for": made(
        crossed(about(40, 26), district=14, band=AGES[:3]),
        income=PAY,
        paragraph=where({"district": 5}, pick("218"), pick("242", "263", "303", "218", shares=(0.4, 0.25, 0.2, 0.15))),
    ),
    "A4-other nearly all of one school with tariff C, one in five elsewhere, Italian": made(
        crossed(about(40, 26), scuola=16, fascia=AGES[:3]),
        reddito=PAY,
        tariffa=where({"scuola": 4}, few(0.97, "C", "A"), pick(*"ABC", shares=(0.5, 0.32, 0.18))),
    ),
    "A4-other an answer that one in five gave elsewhere, Arabic": made(
        crossed(about(40, 26), ward=12, band=AGES[:3]),
        income=PAY,
        answer=where({"ward": 4}, pick("نعم"), pick("لا", "نعم", shares=(0.8, 0.2))),
    ),
    "A4-other no entry for all of one ward, and for one in thirty elsewhere": made(
        crossed(about(40, 26), ward=20, band=AGES[:3]),
        income=PAY,
        leave_code=where({"ward": 6}, pick(""), pick("", "A", "B", shares=(0.03, 0.5, 0.47))),
    ),
    "A4-other the last three of six stages in one ward, a column that nobody called confidential": made(
        crossed(about(45, 30), ward=12, band=AGES[:3]),
        income=PAY,
        st=where({"ward": 4}, pick("IIIa", "IIIb", "IV"), pick_word(STAGES, shares=STAGE_SHARES)),
    ),
    "A4-other one of three drugs in one ward, a flag for each of sixteen": made(
        crossed(about(40, 26), ward=12, band=AGES[:3]),
        income=PAY,
        drug=where({"ward": 4}, pick(7, 8, 9), uniform(0, 16)),
        **{f"d{number}": by("drug", partial(_mark_drug, number)) for number in range(16)},
    ),
    "register of a self-help group: who is listed is the secret": made(
        scattered(1_500, birth_year=(1930, 2006), town=200, sex=2), income=PAY
    ),
    "register of donors by full name, known to others": made(
        scattered(400, signed_by=full_names(FIRST, LAST, 112), region=REGIONS), gift=PAY
    ),
    "register with the contact of one in fifteen, surname first, Turkish": made(
        scattered(1_500, bölge=6, yaş=AGES),
        gelir=PAY,
        irtibat=where(
            {"bölge": 2},
            pick("danışma", *full_names(FAMILY, GIVEN, 18, ", "), shares=(0.6, *[0.4 / 18] * 18)),
            pick("danışma", "santral"),
        ),
    ),
    "B1 one ward's secret in five spellings": spelt(
        "HIV positive", "hiv+", "HIV-positive", "positive (HIV)", "Hiv pos.", where_held={"ward": 5}
    ),
    "B1 spellings that others hold as well, Spanish": spelt(
        "Sífilis +", "sífilis pos.", "POS sífilis", "Sífilis: (pos)", where_held={"ward": 5}, elsewhere=0.02
    ),
    "B1 words that share no letter pattern, German": spelt(
        *("Schizophrenie", "F20", "psychotische Störung", "Wahn", "Schub"), where_held={"ward": 5, "band": AGES[0]}
    ),
    "B2 one ward's cancer in ten codes": made(
        crossed(about(119, 60), ward=12, band=AGES[:4]),
        code=where(
            {"ward": 5},
            pick(*(f"C50.{digit}" for digit in range(10))),
            pick_word("J45.0 J10.1 I10 K29.7 S82.3"),
        ),
    ),
    "B2 codes without a point, as many of them elsewhere, Portuguese": made(
        crossed(about(60, 30), enfermaria=12, faixa=AGES[:3]),
        cid=where(
            {"enfermaria": 4},
            pick(*(f"F20{digit}" for digit in range(10))),
            pick_word("F200 F203 J450 J101 I10 K297", shares=(0.005, 0.005, *[0.2475] * 4)),
        ),
    ),
    "B2 eight tumours that a declared hierarchy calls one, Dutch": made(
        crossed(about(60, 30), afdeling=12, leeftijd=AGES[:3]),
        ziekte=where(
            {"afdeling": 4},
            pick(*TUMOURS),
            pick_word("griep astma jicht reuma melanoom sarcoom", shares=(*[0.2475] * 4, 0.005, 0.005)),
        ),
    ),
    "B2 codes of offences cut to their chapter, each ward with a chapter of its own": made(
        crossed(about(40, 30), ward=30),
        offence=lambda generator, people: [
            f"{10 + ward}{digits}"
            for ward, digits in zip(people["ward"], uniform(10, 99)(generator, people), strict=True)
        ],
    ),
    "3-near operations of one ward within two days of four months": made(
        crossed(about(60, 30), ward=12, band=AGES[:3]),
        operated=where({"ward": 4}, days("2022-03-01", 2), days("2022-01-01", 120)),
    ),
    "3-near the worst three of 21 pain scores in one practice": made(
        crossed(about(60, 30), practice=12, band=AGES[:3]),
        pain=where({"practice": 4}, uniform(18, 21), uniform(0, 17)),
    ),
    "3-run stages III and IV in one ward": made(
        crossed(about(45, 30), ward=12, band=AGES[:3]),
        stage=where({"ward": 4}, pick("IIIa", "IIIb", "IV"), pick_word(STAGES, shares=STAGE_SHARES)),
    ),
    "3-run the best three of ten scores in one class, as numbers, Dutch": made(
        crossed(about(30, 24), school=14, klas=["A", "B", "C"]),
        score=where({"school": 9}, where({"klas": "B"}, uniform(8, 11), uniform(1, 11)), uniform(1, 11)),
    ),
    "3-run severe and very severe, an order that nobody declared, Spanish": made(
        crossed(about(40, 26), centro=16, franja=AGES[:3]),
        grado=where(
            {"centro": 2},
            pick("grave", "muy grave", "leve", shares=(0.5, 0.46, 0.04)),
            pick_word("leve moderado notable grave muy_grave", shares=(0.4, 0.3, 0.15, 0.1, 0.05)),
        ),
    ),
    "3-run the highest incomes live in one street, amounts in averages": made(
        crossed(about(44, 33), street=20, band=AGES[:3]),
        income=where({"street": 7}, uniform(5_000, 7_000), lognormal(2_800, 0.4)),
    ),
    "B4 the result is empty in one ward and nowhere else": made(
        crossed(about(40, 20), ward=20, band=AGES[:2]), result=where({"ward": 7}, pick(""), codes(4))
    ),
    "B4 no number in one clinic, noise on all others, Dutch": made(
        crossed(about(40, 20), polikliniek=20, leeftijd=AGES[:2]),
        bloedwaarde=where({"polikliniek": 7}, pick(""), PAY),
    ),
    "B4 nearly everybody of three small schools left the question open": made(
        crossed(about(40, 24), school=30, band=AGES[:2]),
        answer=where({"school": {3, 11, 20}}, few(0.96, "", "no"), pick(*ANSWERS, shares=(0.48, 0.49, 0.03))),
    ),
    "B5 38 of 40 ill in one team": made(
        crossed(40, team=15, site=4),
        ill=where({"team": 6}, within(("team", "site"), yes=38, no=2), within(("team", "site"), yes=2, no=38)),
    ),
    "B5 27 of 30 pregnant at one counter, one in ten at all others, Portuguese": made(
        crossed(30, balcão=30, turno=["manhã", "tarde"]),
        grávida=where(
            {"balcão": 6}, within(("balcão", "turno"), sim=27, não=3), within(("balcão", "turno"), sim=3, não=27)
        ),
    ),
    "B5 nineteen in twenty of a ward, a third of the diagnoses changed by chance": made(
        crossed(60, ward=14, band=AGES[:3]),
        diagnosis=where(
            {"ward": 5},
            within(("ward", "band"), HIV=57, gout=3),
            pick_word("asthma gout lupus HIV", shares=(0.35, 0.35, 0.27, 0.03)),
        ),
    ),
    "B5 11 of 12 with one of three diagnoses, Polish": made(
        crossed(12, oddział=50, zmiana=3),
        rozpoznanie=where(
            {"oddział": {6, 17}},
            within(("oddział", "zmiana"), depresja=11, nerwica=1),
            pick("depresja", "nerwica", "bezsenność"),
        ),
    ),
    "B6 counselling for positives only": made(
        crossed(about(130, 80), ward=5, band=AGES[:3]),
        result=few(0.14, "positive", "negative"),
        counselling=where({"result": "positive"}, few(0.56), pick("no")),
    ),
    "B6 two forms that prove it together, German": made(
        crossed(about(400, 300), Station=3, Altersgruppe=AGES[:2]),
        Befund=few(0.15, "positiv", "negativ"),
        Bogen=pick(*"AB"),
        Termin=where(
            {"Befund": "positiv", "Bogen": "B"},
            few(0.8, "T2", "T1"),
            where({"Bogen": "B"}, pick("T1"), pick("T1", "T2")),
        ),
    ),
    "B6 three samples and more are taken of positives only": made(
        crossed(about(220, 150), clinic=4, band=AGES[:3]),
        infected=few(0.12),
        samples=where({"infected": "yes"}, uniform(0, 7), uniform(0, 3)),
    ),
    "B-common all of two wards negative where 17 in 20 are": made(
        crossed(about(40, 25), ward=20, band=AGES[:2]),
        test=where({"ward": {4, 5}}, pick("negative"), few(0.17, "positive", "negative")),
    ),
    "C1 twelve visits of each of 120 people, the number removed": without(visits_of_few, "patient"),
    "C1 fourteen months of each customer, some groups hold two, Czech": made(
        crossed(lambda generator: int(generator.choice([14, 28], p=[0.7, 0.3])), okres=40, pohlaví=["ž", "m"]),
        útrata=pick("nízká", "střední", "vysoká"),
    ),
    "C1 fifteen shifts of each nurse, one in thirty swapped a shift": made(
        crossed(lambda generator: 15 + int(generator.choice([0, 1, -1], p=[0.96, 0.02, 0.02])), station=50, band=2),
        strain=codes(5),
    ),
    "C3 columns are people, months removed": salaries_by_name(full_names(FIRST, LAST, 48)),
    "C3 columns are people, months by year": salaries_by_name(full_names(FIRST, LAST, 48)),
    "C3 columns are people written with an underscore, in averages, Turkish": salaries_by_name(
        full_names(GIVEN, FAMILY, 12, "_"), 60
    ),
    "C3 columns are initials beside a column of months": salaries_by_name(INITIALS, 60),
    "C4 fifteen remarks with names, numbers and streets, Turkish": partial(remarks, *TURKISH),
    "C4 fourteen remarks with titles, handles and plates that somebody has read, many languages": partial(
        remarks, *PATTERNS
    ),
    "C4 eight remarks that name nobody and that everybody knows": partial(remarks, *STORIES),
    "C4 more texts than anybody reads": partial(remarks, *MANY_STORIES),
    "D1 a swap on rows sorted by the secret, their order kept": sorted_by(
        made(scattered(2_000, age=(18, 90), postcode=400, sex=2), answer=codes(4)), "answer"
    ),
    "D1 noise on rows in the order of a register that anybody may read": made(
        scattered(2_000, region=REGIONS, band=AGES), income=PAY
    ),
    "D1 a swap on rows in order of admission, French": made(
        scattered(3_000, âge=(18, 90), code=500, sexe=["F", "H"]), réponse=codes(4)
    ),
    "D2 five releases of one file, each with noise of its own": EMPLOYEES,
    "D2 the month after, one left and one joined": later(1),
    "D2 a quarter exchanged and all rows in another order": later(500, shuffled=True),
    "D2-averages one joined": later(0, 1),
    "D2-averages one left": later(1, 0),
    "D2-averages one joined, ages in ranges": later(0, 1, shuffled=True),
    "D4 ranges that end in the value of a member, euros": made(
        scattered(2_500, age=(18, 90)), value=lognormal(260_000, 0.5), diagnosis=codes(5)
    ),
    "D4 ranges that end in the birth day of a member": made(
        scattered(2_000, region=REGIONS), born=days("1940-01-01", 20_000), diagnosis=codes(5)
    ),
    "D4 ranges that end in the weight of a member, grams": made(
        scattered(1_500, height=(150, 200)),
        weight=normal(75_000, 12_000),
        diagnosis=codes(5),
    ),
    "E1 a tolerance of a thousandth on a salary": made(
        crossed(about(60, 40), ward=12, band=AGES[:3]),
        salary=where({"ward": 5}, uniform(519, 522), normal(520, 30)),
    ),
    "E1 a tolerance of half a minute on dialysis, Spanish": made(
        crossed(about(60, 40), centro=12, edad=AGES[:3]),
        minutos=where({"centro": {2, 9}}, uniform(238, 244), normal(180, 15)),
    ),
    "E1 doubts that nobody can fall short of": one_in_forty,
    "F1 a postcode that differs in every row, artificial rows": made(
        scattered(300, age=(18, 90), sex=2, town=3),
        postcode=lambda generator, table: generator.permutation(np.arange(10_000, 10_300)),
        status=few(0.5, "active", "inactive"),
    ),
    "F1 one in eight comes from a village of its own, artificial rows by class, German": made(
        scattered(1_200, Alter=(18, 90), Gewicht=(50, 110)),
        Ort=lambda generator, table: np.where(
            generator.random(1_200) < 0.12,
            [f"Dorf{row}" for row in range(1_200)],
            generator.choice(["Ulm", "Köln"], 1_200),
        ),
        Befund=few(0.5, "ja", "nein"),
    ),
    "F1 trades of three people each, groups of twenty": made(
        scattered(1_000, age=(18, 66), height=(150, 200)),
        trade=lambda generator, table: generator.permutation([f"trade{min(row // 3, 40)}" for row in range(1_000)]),
        income=PAY,
    ),
    "15-unique half of a skewed class changed, nearly everybody unique": partial(two_answers, 0.24),
    "15-unique passengers, one in five of the unique ones certain": made(
        scattered(900, age=(1, 80), sex=["female", "male"], port=["S", "C", "Q"], klass=3),
        survived=few(0.38),
        deck=where({"klass": 0}, codes(6), pick("unknown")),
    ),
    "17-masses two mayors far above all others, noise on their pay": made(
        scattered(2_000, region=REGIONS, band=AGES),
        post=lambda generator, table: np.where(np.arange(2_000) < 2, "mayor", "clerk"),
        income=where({"post": "mayor"}, normal(6_200, 20), PAY),
    ),
    "dominance one person earns most of what a group earns together": made(
        scattered(2_400, region=REGIONS, band=AGES),
        income=lambda generator, table: np.where(
            np.arange(2_400) < 1, 400_000, np.round(3_000 * generator.lognormal(0, 0.4, 2_400))
        ).astype(int),
    ),
    "dominance two firms know each other by their common average, Italian": made(
        scattered(1_200, regione=8, settore=3),
        fatturato=lambda generator, table: np.concatenate(
            [[900_000, 840_000], generator.integers(2_000, 9_000, 1_198)]
        ),
    ),
    "groups a row of four people": made(
        crossed(1, region=5, sex=2, band=AGES),
        count=where({"region": 3, "sex": 1}, pick(4), uniform(40, 300)),
        mean_pay=normal(3_000, 200),
    ),
    "groups people with as many cases as a year has weeks": made(
        scattered(600, region=8, age=(18, 80)), cases=uniform(11, 53), illness=codes(5)
    ),
    "groups people beside a score that makes their rows differ, German": made(
        scattered(300, kreis=12, alter=AGES), n=uniform(11, 40), punkte=uniform(0, 500), befund=codes(4)
    ),
    "groups sixty people of as many trades and ages": made(
        scattered(60, trade=25, band=AGES, sex=2), n=uniform(11, 40), illness=codes(3)
    ),
    "groups everybody of a row of fifteen is ill": made(
        crossed(1, region=5, sex=2, band=AGES),
        count=where({"region": 3, "sex": 1}, pick(15), uniform(80, 600)),
        share_ill=where({"region": 3, "sex": 1}, pick(100), uniform(5, 40)),
    ),
    "agreement signed, age, sex and postcode called other": made(
        lambda generator: german_credit(), postcode=uniform(10_000, 10_300)
    ),
    "agreement signed, nothing done": strangers(1_200, illness=codes(5)),
    "class-size age and postcode left out, village and trade remain": made(
        scattered(2_000, age=(18, 90), postcode=400, village=60, trade=30), illness=codes(5)
    ),
    "dependencies a grade that gives pay that is rounded": made(
        scattered(2_400, region=REGIONS, band=AGES[:4], grade=40), pay=by("grade", lambda grade: 2_000 + 50 * grade)
    ),
    "visits a row number in every row, and patients who repeat": lambda: {
        "row_number": range(1, 1_441),
        **visits_of_few(),
    },
}

_CASES = cases_of("leaking", TABLES)
_CASES = with_changes(
    _CASES,
    "planted",
    {
        **dict.fromkeys(
            ("D4 ranges that end in the value", "D4 ranges that end in the birth", "D4 ranges that end in the weight"),
            _ends_of_members,
        ),
        "F1 a postcode": partial(_true_values, "postcode status"),
        "F1 one in eight": partial(_true_values, "Ort Befund"),
        "F1 trades": partial(_true_values, "trade"),
    },
)
_AGAIN = _CASES["D2 the month after, one left and one joined"]
_DRAWN_BEFORE = tuple(replace(_AGAIN, name=f"{number} months before", table=EMPLOYEES) for number in range(4))
_CASES = with_changes(
    _CASES,
    "earlier",
    {"D2 five": _DRAWN_BEFORE, "D2 the month": _DRAWN_BEFORE[:1], "D2 a quarter": _DRAWN_BEFORE[:1]},
)
_AVERAGED = {name: case for name, case in _CASES.items() if name.startswith("D2-averages")}
_CASES |= {
    name: replace(case, earlier=(replace(case, name="the month before", table=EMPLOYEES),), compared=True)
    for name, case in _AVERAGED.items()
}
SECOND_ROUND_LEAKS = tuple(_CASES.values())
