"""Releases that leak, second round: every kind that slipped through, in its smallest example and two variants.

The first word of a name is its kind in the list of the second round. The variants hold another trade's data in
another language; each gives a check that knows the smallest example only a way to look past it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from ppdm_desktop.engine.release.candidate.model import Candidate
from tests.corpus.case import AGREED, Case, add_noise, roles, step, swap
from tests.corpus.drawn import (
    AGES,
    PAY,
    PAY_BOUNDS,
    REGIONS,
    about,
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
from tests.corpus.tables import Columns, german_credit, one_in_forty, remarks, remarks_read, two_answers, visits_of_few

PERSON_COLUMNS = "age:q postcode:q sex:q"
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


def leak(
    name: str,
    table: Callable[..., Columns],
    columns: Mapping[str, Any],
    steps: tuple[Mapping[str, Any], ...],
    blocked_by: str,
    type: str = "public",
    **more: Any,
) -> Case:
    """Return a case that has to be stopped, its kind the first word of its name."""
    return Case(name, table, columns, steps, type, frozenset(blocked_by.split()), kind=name.split()[0], **more)


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


def _by_size(text: str) -> tuple[float, str]:
    return (float(text) if text.replace(".", "").isdigit() else 0.0, text)


def spelt(*texts: str, column: str = "ward", group: str = "W5", elsewhere: float = 0.0) -> Callable[[], Columns]:
    """Return what draws wards one of which holds the same secret in several spellings, few of them elsewhere."""
    usual = ("asthma", "broken leg", "flu", "migraine", "gastritis")
    shares = [elsewhere / len(texts)] * len(texts) + [(1 - elsewhere) / len(usual)] * len(usual)
    return made(
        crossed(about(42, 36), **{column: [f"W{number}" for number in range(1, 9)], "band": AGES[:3]}),
        diagnosis=where({column: group}, pick(*texts), pick(*texts, *usual, shares=shares)),
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


def numbers_of(names: Iterable[str], month: str = "q") -> dict[str, Any]:
    """Return the sections of a month and of such people's columns."""
    return {"month": {"role": month, "kind": "date"}, **{name: roles("pay:C")["pay"] for name in names}}


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


def released_again(name: str, count: int, *tables: Callable[[], Columns]) -> Case:
    """Return a case before which the same people were released ``count`` times, with noise of their own each time."""
    columns = roles("age:q sex:q income:C", income=PAY_BOUNDS)
    case = leak(name, tables[-1], columns, add_noise("income"), "earlier-release")
    earlier = (replace(case, name=f"{name}, {number}", table=tables[0]) for number in range(count))
    return replace(case, earlier=tuple(earlier))


def later(changed: int, *, shuffled: bool = False) -> Callable[[], Columns]:
    """Return what draws `EMPLOYEES` some time later, when so many have left and as many joined."""

    def table() -> Columns:
        old, new = EMPLOYEES(), made(scattered(changed, age=10, sex=2), seed=42, income=PAY)()
        order = np.random.default_rng(5).permutation(2_000) if shuffled else np.arange(2_000)
        return {name: np.concatenate([old[name][changed:], new[name]])[order] for name in old}

    return table


EMPLOYEES = made(scattered(2_000, age=10, sex=2), income=PAY)
LEVELS = ("normal", "cautious", "extra-cautious", "paranoid")
YEARS = (step("generalize", ("month",), months=12),)
ANSWERS = ("yes", "no", "")

TAGS = (
    leak(
        "A1 HIV status called other, all details true",
        strangers(2_000, hiv=few(0.03, "positive", "negative")),
        roles(f"{PERSON_COLUMNS} income:C hiv:o", income=PAY_BOUNDS),
        add_noise("income"),
        "roles-overruled singling-out certain-disclosure",
    ),
    leak(
        "A1 serology under a name that says nothing, French",
        made(
            scattered(1_500, âge=(18, 90), code_postal=300, sexe=["F", "H"]),
            revenu=PAY,
            statut=few(0.04, "séropositif", "séronégatif"),
        ),
        roles("âge:q code_postal:q sexe:q revenu:C statut:o", revenu=PAY_BOUNDS),
        add_noise("revenu"),
        "singling-out certain-disclosure",
    ),
    leak(
        "A1 one in twenty unique, a true code beside them, Swedish",
        made(
            crossed(about(80), kommun=12, ålder=[*AGES[:2]]),
            ålder=where({"kommun": 3}, uniform(20, 80), lambda generator, table: table["ålder"]),
            lön=PAY,
            kod=pick(*"ABCDEF"),
        ),
        roles("kommun:q ålder:q lön:C kod:o", lön=PAY_BOUNDS),
        add_noise("lön"),
        "certain-disclosure",
    ),
    leak(
        "A1-quasi HIV status called known to others",
        strangers(2_000, hiv=few(0.03, "positive", "negative")),
        roles(f"{PERSON_COLUMNS} income:C hiv:q", income=PAY_BOUNDS),
        add_noise("income"),
        "roles-overruled singling-out",
    ),
    leak(
        "A1-quasi twelve diagnoses called known to others, German",
        made(scattered(1_500, Alter=(18, 90), PLZ=200, Geschlecht=["m", "w"]), Gehalt=PAY, Diagnose=codes(12)),
        roles("Alter:q PLZ:q Geschlecht:q Gehalt:C Diagnose:q", Gehalt=PAY_BOUNDS),
        add_noise("Gehalt"),
        "roles-overruled singling-out",
    ),
    leak(
        "A1-quasi the trade union called known to others, nobody unique, Spanish",
        made(scattered(2_400, edad=AGES, región=6), sueldo=PAY, sindicato=pick("sí", "no", shares=(0.3, 0.7))),
        roles("edad:q región:q sueldo:C sindicato:q", sueldo=PAY_BOUNDS),
        add_noise("sueldo"),
        "roles-overruled",
    ),
    leak(
        "A4 one village of one religion",
        made(
            crossed(40, village=60),
            income=PAY,
            religion=where({"village": 7}, pick("Bahá'í"), pick("Catholic", "Protestant", "none")),
        ),
        roles("village:q income:C religion:o", income=PAY_BOUNDS),
        add_noise("income"),
        "roles-overruled certain-disclosure diversity",
    ),
    leak(
        "A4 one town where everybody has card K, Italian",
        made(
            crossed(about(35, 12), comune=50),
            reddito=PAY,
            tessera=where({"comune": 31}, pick("K"), pick(*"ABC")),
        ),
        roles("comune:q reddito:C tessera:o", reddito=PAY_BOUNDS),
        add_noise("reddito"),
        "certain-disclosure diversity",
    ),
    leak(
        "A4 a plant where nearly everybody has code Z, one in a hundred elsewhere, Polish",
        made(
            crossed(about(30, 20), zakład=90),
            płaca=PAY,
            kod=where({"zakład": 8}, few(0.96, "Z", "A"), pick(*"ABCZ", shares=(0.33, 0.33, 0.33, 0.01))),
        ),
        roles("zakład:q płaca:C kod:o", płaca=PAY_BOUNDS),
        add_noise("płaca"),
        "diversity",
    ),
    leak(
        "register of a self-help group: who is listed is the secret",
        made(scattered(1_500, birth_year=(1930, 2006), town=200, sex=2), income=PAY),
        roles("birth_year:q town:q sex:q income:C", income=PAY_BOUNDS),
        add_noise("income"),
        "singling-out",
    ),
    leak(
        "register of donors by full name, known to others",
        made(scattered(400, signed_by=full_names(FIRST, LAST, 112), region=REGIONS), gift=PAY),
        roles("signed_by:q region:q gift:C", gift=PAY_BOUNDS),
        add_noise("gift"),
        "keys-released",
        "research",
    ),
    leak(
        "register with the contact of one in fifteen, surname first, Turkish",
        made(
            scattered(1_500, bölge=6, yaş=AGES),
            gelir=PAY,
            irtibat=where(
                {"bölge": 2},
                pick("danışma", *full_names(FAMILY, GIVEN, 18, ", "), shares=(0.6, *[0.4 / 18] * 18)),
                pick("danışma", "santral"),
            ),
        ),
        roles("bölge:q yaş:q gelir:C irtibat:o", gelir=PAY_BOUNDS),
        add_noise("gelir"),
        "keys-released",
    ),
)
VALUES = (
    leak(
        "B1 one ward's secret in five spellings",
        spelt("HIV positive", "hiv+", "HIV-positive", "positive (HIV)", "Hiv pos."),
        roles("ward:q band:q diagnosis:c"),
        (),
        "certain-disclosure",
    ),
    leak(
        "B1 spellings that others hold as well, Spanish",
        spelt("VIH positivo", "vih+", "Positivo VIH", "VIH: pos", elsewhere=0.03),
        roles("ward:q band:q diagnosis:c"),
        (),
        "certain-disclosure",
        lesson="As many holders live elsewhere, so only what the spellings mean makes them one.",
    ),
    leak(
        "B1 words that share no letter pattern, German",
        spelt("Schizophrenie", "F20", "psychotische Störung", "Wahnerkrankung", "Schub"),
        roles("ward:q band:q diagnosis:c"),
        (),
        "certain-disclosure",
        lesson="Nothing but where the holders are makes these values one.",
    ),
    leak(
        "B2 one ward's cancer in ten codes",
        made(
            crossed(about(119, 60), ward=8, band=AGES[:4]),
            code=where(
                {"ward": 5},
                pick(*(f"C50.{digit}" for digit in range(10))),
                pick_word("J45.0 J10.1 I10 K29.7 S82.3"),
            ),
        ),
        roles("ward:q band:q code:c"),
        (),
        "certain-disclosure",
    ),
    leak(
        "B2 codes without a point, as many of them elsewhere, Portuguese",
        made(
            crossed(about(60, 30), enfermaria=12, faixa=AGES[:3]),
            cid=where(
                {"enfermaria": 4},
                pick(*(f"F20{digit}" for digit in range(10))),
                pick_word("F200 F203 J450 J101 I10 K297", shares=(0.01, 0.01, *[0.245] * 4)),
            ),
        ),
        roles("enfermaria:q faixa:q cid:c"),
        (),
        "certain-disclosure",
    ),
    leak(
        "B2 eight tumours that a declared hierarchy calls one, Dutch",
        made(
            crossed(about(60, 30), afdeling=12, leeftijd=AGES[:3]),
            ziekte=where(
                {"afdeling": 4},
                pick(*TUMOURS),
                pick_word("griep astma jicht reuma melanoom sarcoom", shares=(*[0.24] * 4, 0.02, 0.02)),
            ),
        ),
        roles("afdeling:q leeftijd:q ziekte:c", ziekte={"hierarchy": "ziekte.csv"}),
        (),
        "certain-disclosure",
        more={
            "files": {
                "ziekte.csv": "".join(f"{tumour};kanker;*\n" for tumour in TUMOURS)
                + "griep;infectie;*\nastma;longen;*\njicht;gewricht;*\nreuma;gewricht;*\n"
            }
        },
    ),
    leak(
        "3-near operations of one ward within two days of four months",
        made(
            crossed(about(60, 30), ward=12, band=AGES[:3]),
            operated=where({"ward": 4}, days("2022-03-01", 2), days("2022-01-01", 120)),
        ),
        roles("ward:q band:q operated:c", operated={"kind": "date"}),
        (),
        "certain-disclosure",
    ),
    leak(
        "3-near the worst three of a hundred pain scores in one practice",
        made(
            crossed(about(60, 30), practice=12, band=AGES[:3]),
            pain=where({"practice": 4}, uniform(97, 100), uniform(0, 90)),
        ),
        roles("practice:q band:q pain:c", pain={"kind": "ordinal", "order": [str(score) for score in range(100)]}),
        (),
        "certain-disclosure",
    ),
    leak(
        "B4 the result is empty in one ward and nowhere else",
        made(crossed(about(40, 20), ward=20, band=AGES[:2]), result=where({"ward": 7}, pick(""), codes(4))),
        roles("ward:q band:q result:c"),
        (),
        "certain-disclosure",
    ),
    leak(
        "B4 no number in one clinic, noise on all others, Dutch",
        made(
            crossed(about(40, 20), polikliniek=20, leeftijd=AGES[:2]),
            bloedwaarde=where({"polikliniek": 7}, pick(""), PAY),
        ),
        roles("polikliniek:q leeftijd:q bloedwaarde:C", bloedwaarde=PAY_BOUNDS),
        add_noise("bloedwaarde"),
        "certain-disclosure",
    ),
    leak(
        "B4 nearly everybody of three small schools left the question open",
        made(
            crossed(about(40, 24), school=30, band=AGES[:2]),
            answer=where({"school": {3, 11, 20}}, few(0.96, "", "no"), pick(*ANSWERS, shares=(0.48, 0.49, 0.03))),
        ),
        roles("school:q band:q answer:c"),
        (),
        "diversity",
    ),
    leak(
        "B5 38 of 40 ill in one team",
        made(
            crossed(40, team=15, site=4),
            ill=where({"team": 6}, within(("team", "site"), yes=38, no=2), within(("team", "site"), yes=2, no=38)),
        ),
        roles("team:q site:q ill:c"),
        (),
        "diversity",
    ),
    leak(
        "B5 27 of 30 pregnant at one counter, one in ten at all others, Portuguese",
        made(
            crossed(30, balcão=30, turno=["manhã", "tarde"]),
            grávida=where(
                {"balcão": 6}, within(("balcão", "turno"), sim=27, não=3), within(("balcão", "turno"), sim=3, não=27)
            ),
        ),
        roles("balcão:q turno:q grávida:c"),
        (),
        "diversity",
    ),
    leak(
        "B5 11 of 12 with one of three diagnoses, Polish",
        made(
            crossed(12, oddział=50, zmiana=3),
            rozpoznanie=where(
                {"oddział": {6, 17}},
                within(("oddział", "zmiana"), depresja=11, nerwica=1),
                pick("depresja", "nerwica", "bezsenność"),
            ),
        ),
        roles("oddział:q zmiana:q rozpoznanie:c"),
        (),
        "diversity",
    ),
    leak(
        "B6 counselling for positives only",
        made(
            crossed(about(130, 80), ward=5, band=AGES[:3]),
            result=few(0.14, "positive", "negative"),
            counselling=where({"result": "positive"}, few(0.56), pick("no")),
        ),
        roles("ward:q band:q result:c counselling:o"),
        (),
        "certain-by-all",
    ),
    leak(
        "B6 two forms that prove it together, German",
        made(
            crossed(about(400, 300), Station=3, Altersgruppe=AGES[:2]),
            Befund=few(0.15, "positiv", "negativ"),
            Bogen=pick(*"AB"),
            Termin=where(
                {"Befund": "positiv", "Bogen": "B"},
                few(0.8, "T2", "T1"),
                where({"Bogen": "B"}, pick("T1"), pick("T1", "T2")),
            ),
        ),
        roles("Station:q Altersgruppe:q Befund:c Bogen:o Termin:o"),
        (),
        "certain-by-all",
    ),
    leak(
        "B6 three samples and more are taken of positives only",
        made(
            crossed(about(220, 150), clinic=4, band=AGES[:3]),
            infected=few(0.12),
            samples=where({"infected": "yes"}, uniform(0, 7), uniform(0, 3)),
        ),
        roles("clinic:q band:q infected:c samples:O"),
        (),
        "certain-by-all",
    ),
    leak(
        "B-common all of two wards negative where 17 in 20 are",
        made(
            crossed(about(40, 25), ward=20, band=AGES[:2]),
            test=where({"ward": {4, 5}}, pick("negative"), few(0.17, "positive", "negative")),
        ),
        roles("ward:q band:q test:c"),
        (),
        "certain-disclosure",
        lesson="Below nine in ten nothing is forgiven.",
    ),
)
PEOPLE = (
    leak(
        "C1 twelve visits of each of 120 people, the number removed",
        without(visits_of_few, "patient"),
        roles("region:q sex:q outcome:c"),
        (),
        "people-counted",
    ),
    leak(
        "C1 fourteen months of each customer, some groups hold two, Czech",
        made(
            crossed(lambda generator: int(generator.choice([14, 28], p=[0.7, 0.3])), okres=40, pohlaví=["ž", "m"]),
            útrata=pick("nízká", "střední", "vysoká"),
        ),
        roles("okres:q pohlaví:q útrata:c"),
        (),
        "people-counted",
    ),
    leak(
        "C1 fifteen shifts of each nurse, one in thirty swapped a shift",
        made(
            crossed(lambda generator: 15 + int(generator.choice([0, 1, -1], p=[0.96, 0.02, 0.02])), station=50, band=2),
            strain=codes(5),
        ),
        roles("station:q band:q strain:c"),
        (),
        "people-counted",
    ),
    leak(
        "C3 columns are people, months removed",
        salaries_by_name(full_names(FIRST, LAST, 48)),
        numbers_of(full_names(FIRST, LAST, 48), month="x"),
        (),
        "identifier-patterns",
    ),
    leak(
        "C3 columns are people, months by year",
        salaries_by_name(full_names(FIRST, LAST, 48)),
        numbers_of(full_names(FIRST, LAST, 48)),
        YEARS,
        "identifier-patterns",
        "research",
    ),
    leak(
        "C3 columns are people written with an underscore, in averages, Turkish",
        salaries_by_name(full_names(GIVEN, FAMILY, 12, "_"), 60),
        numbers_of(full_names(GIVEN, FAMILY, 12, "_"), month="x"),
        (step("microaggregation", full_names(GIVEN, FAMILY, 12, "_"), group=15),),
        "identifier-patterns",
    ),
    leak(
        "C3 columns are initials beside a column of months",
        salaries_by_name(INITIALS, 60),
        numbers_of(INITIALS),
        YEARS,
        "people-counted",
        "research",
        lesson="Nobody answered whether the columns stand for people.",
    ),
    leak(
        "C4 fifteen remarks with names, numbers and streets, Turkish",
        partial(remarks, *TURKISH),
        roles("ward:q sex:q illness:c remark:o"),
        (),
        "free-text identifier-patterns",
    ),
    leak(
        "C4 fourteen remarks with titles, handles and plates that somebody has read, many languages",
        partial(remarks, *PATTERNS),
        roles("ward:q sex:q illness:c remark:o", remark={"texts_read": remarks_read(*PATTERNS)}),
        (),
        "identifier-patterns",
        lesson="Texts with a finding stay red until they are emptied or replaced.",
    ),
    leak(
        "C4 eight remarks that name nobody and that everybody knows",
        partial(remarks, *STORIES),
        roles("ward:q sex:q illness:c remark:o"),
        (),
        "free-text",
    ),
    leak(
        "C4 more texts than anybody reads",
        partial(remarks, *MANY_STORIES),
        roles("ward:q sex:q illness:c remark:o", remark={"texts_read": remarks_read(*MANY_STORIES)}),
        (),
        "free-text",
    ),
)
DRAWS = (
    leak(
        "D1 a swap on rows sorted by the secret, their order kept",
        sorted_by(made(scattered(2_000, age=(18, 90), postcode=400, sex=2), answer=codes(4)), "answer"),
        roles(f"{PERSON_COLUMNS} answer:c"),
        swap("answer", proportion=0.8),
        "row-order",
        more={"release": {"shuffle_rows": False}},
    ),
    leak(
        "D1 noise on rows in the order of a register that anybody may read",
        made(scattered(2_000, region=REGIONS, band=AGES), income=PAY),
        roles("region:q band:q income:C", income=PAY_BOUNDS),
        add_noise("income"),
        "row-order",
        more={"release": {"shuffle_rows": False}},
    ),
    leak(
        "D1 a swap on rows in order of admission, French",
        made(scattered(3_000, âge=(18, 90), code=500, sexe=["F", "H"]), réponse=codes(4)),
        roles("âge:q code:q sexe:q réponse:c"),
        swap("réponse", proportion=0.8),
        "row-order",
        more={"release": {"shuffle_rows": False}},
    ),
    released_again("D2 five releases of one file, each with noise of its own", 4, EMPLOYEES),
    released_again("D2 the month after, one left and one joined", 1, EMPLOYEES, later(1)),
    released_again("D2 a quarter exchanged and all rows in another order", 1, EMPLOYEES, later(500, shuffled=True)),
    leak(
        "D4 ranges that end in the value of a member, euros",
        made(scattered(2_500, age=(18, 90)), value=lognormal(260_000, 0.5), diagnosis=codes(5)),
        roles("age:Q value:Q diagnosis:c"),
        (step("mondrian", k=11, l=3),),
        "rare-values",
        planted=_ends_of_members,
    ),
    leak(
        "D4 ranges that end in the birth day of a member",
        made(scattered(2_000, region=REGIONS), born=days("1940-01-01", 20_000), diagnosis=codes(5)),
        roles("region:q born:q diagnosis:c", born={"kind": "date"}),
        (step("mondrian", k=11, l=3),),
        "rare-values",
        planted=_ends_of_members,
    ),
    leak(
        "D4 ranges that end in the weight of a member, grams",
        made(
            scattered(1_500, height=(150, 200)),
            weight=normal(75_000, 12_000),
            diagnosis=codes(5),
        ),
        roles("height:Q weight:Q diagnosis:c"),
        (step("mondrian", k=11, l=3),),
        "rare-values",
        planted=_ends_of_members,
    ),
    leak(
        "E1 a tolerance of a thousandth on a salary",
        made(
            crossed(about(60, 40), ward=12, band=AGES[:3]),
            salary=where({"ward": 5}, uniform(519, 522), normal(520, 30)),
        ),
        roles("ward:q band:q salary:C", salary={"tolerance": 0.001}),
        (),
        "certain-disclosure",
    ),
    leak(
        "E1 a tolerance of half a minute on dialysis, Spanish",
        made(
            crossed(about(60, 40), centro=12, edad=AGES[:3]),
            minutos=where({"centro": {2, 9}}, uniform(238, 244), normal(180, 15)),
        ),
        roles("centro:q edad:q minutos:C", minutos={"tolerance": 0.5}),
        (),
        "certain-disclosure",
    ),
    leak(
        "E1 doubts that nobody can fall short of",
        one_in_forty,
        roles("place:q illness:c wish:l"),
        (),
        "levels-met",
        more={
            "privacy": {
                "column": "wish",
                "levels": {
                    level: {"doubt": 1_000_000} for level in ("normal", "cautious", "extra-cautious", "paranoid")
                },
            }
        },
    ),
    leak(
        "F1 a postcode that differs in every row, artificial rows",
        made(
            scattered(300, age=(18, 90), sex=2, town=3),
            postcode=lambda generator, table: generator.permutation(np.arange(10_000, 10_300)),
            status=few(0.5, "active", "inactive"),
        ),
        roles("postcode:q town:q sex:q age:Q status:c"),
        (step("condensation"),),
        "synthetic-values",
        "research",
        planted=partial(_true_values, "postcode status"),
    ),
    leak(
        "F1 one in eight comes from a village of its own, artificial rows by class, German",
        made(
            scattered(1_200, Alter=(18, 90), Gewicht=(50, 110)),
            Ort=lambda generator, table: np.where(
                generator.random(1_200) < 0.12,
                [f"Dorf{row}" for row in range(1_200)],
                generator.choice(["Ulm", "Köln"], 1_200),
            ),
            Befund=few(0.5, "ja", "nein"),
        ),
        roles("Alter:Q Gewicht:Q Ort:q Befund:c"),
        (step("condensation", None, group=20, per="class", **{"class": "Befund"}),),
        "synthetic-values",
        planted=partial(_true_values, "Ort Befund"),
    ),
    leak(
        "F1 trades of three people each, groups of twenty",
        made(
            scattered(1_000, age=(18, 66), height=(150, 200)),
            trade=lambda generator, table: generator.permutation([f"trade{min(row // 3, 40)}" for row in range(1_000)]),
            income=PAY,
        ),
        roles("age:Q height:O trade:q income:C"),
        (step("condensation", group=20),),
        "synthetic-values",
        "research",
        planted=partial(_true_values, "trade"),
    ),
)
LIMITS = (
    leak(
        "15-unique half of a skewed class changed, nearly everybody unique",
        partial(two_answers, 0.24),
        roles("age:q zip:q sex:q answer:c"),
        (step("bayes-swap", ("answer",), proportion=0.5, balance="separate"),),
        "singling-out",
        "research",
    ),
    leak(
        "15-unique passengers, one in five of the unique ones certain",
        made(
            scattered(900, age=(1, 80), sex=["female", "male"], port=["S", "C", "Q"], klass=3),
            survived=few(0.38),
            deck=where({"klass": 0}, codes(6), pick("unknown")),
        ),
        roles("age:q sex:q port:q klass:q survived:c deck:c"),
        (*swap("survived", proportion=0.5), *swap("deck", proportion=0.45)),
        "singling-out",
        "research",
    ),
    leak(
        "17-masses two mayors far above all others, noise on their pay",
        made(
            scattered(2_000, region=REGIONS, band=AGES),
            post=lambda generator, table: np.where(np.arange(2_000) < 2, "mayor", "clerk"),
            income=where({"post": "mayor"}, normal(6_200, 20), PAY),
        ),
        roles("region:q band:q post:q income:C", income=PAY_BOUNDS),
        add_noise("income"),
        "certain-disclosure",
    ),
    leak(
        "dominance one person earns most of what a group earns together",
        made(
            scattered(2_400, region=REGIONS, band=AGES),
            income=lambda generator, table: np.where(
                np.arange(2_400) < 1, 250_000, np.round(3_000 * generator.lognormal(0, 0.4, 2_400))
            ).astype(int),
        ),
        roles("region:q band:q income:C"),
        (step("microaggregation", ("income",), group=11),),
        "dominance",
    ),
    leak(
        "dominance two firms know each other by their common average, Italian",
        made(
            scattered(1_200, regione=8, settore=3),
            fatturato=lambda generator, table: np.concatenate(
                [[900_000, 840_000], generator.integers(2_000, 9_000, 1_198)]
            ),
        ),
        roles("regione:q settore:q fatturato:C"),
        (step("microaggregation", ("fatturato",), group=11),),
        "dominance",
    ),
    leak(
        "groups a row of four people",
        made(crossed(1, region=5, sex=2, band=AGES), count=uniform(4, 300), mean_pay=normal(3_000, 200)),
        roles("region:q sex:q band:q count:O mean_pay:C"),
        (),
        "class-size",
        more={"input": {"rows": "groups"}},
    ),
    leak(
        "groups everybody of a row of fifteen is ill",
        made(
            crossed(1, region=5, sex=2, band=AGES),
            count=where({"region": 3, "sex": 1}, pick(15), uniform(80, 600)),
            share_ill=where({"region": 3, "sex": 1}, pick(100), uniform(5, 40)),
        ),
        roles("region:q sex:q band:q count:O share_ill:C"),
        (),
        "certain-disclosure",
        more={"input": {"rows": "groups"}},
    ),
    leak(
        "agreement signed, age, sex and postcode called other",
        made(lambda generator: german_credit(), postcode=uniform(10_000, 10_300)),
        roles("months:x job:q housing:q age:o personal:o postcode:o amount:O risk:c"),
        (step("suppress", k=5),),
        "certain-by-all singling-out",
        "research",
        more=AGREED,
    ),
    leak(
        "agreement signed, nothing done",
        strangers(1_200, illness=codes(5)),
        roles(f"{PERSON_COLUMNS} income:x illness:c"),
        (),
        "certain-disclosure",
        "research",
        more=AGREED,
    ),
)
SECOND_ROUND_LEAKS = (*TAGS, *VALUES, *PEOPLE, *DRAWS, *LIMITS)
