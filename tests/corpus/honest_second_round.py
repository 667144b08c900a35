"""Honest releases, second round: what an experienced person would publish, and what lies close to each new rule.

Here are their tables; what was done to them, and what they may be asked, stands in ``second_round.toml``. The first
word of a name is the rule that a release lies close to; "row" is one of those that were blocked for no reason.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

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
    uniform,
    where,
)
from tests.corpus.recipes import cases_of, with_changes
from tests.corpus.tables import Columns, adult, breast_cancer, german_credit, remarks

ADULT = ("age", "education-num", "marital-status", "race", "sex", "workclass", "hours-per-week", "class")
NORMAL_PAY = made(scattered(2_500, region=REGIONS, sex=2, band=AGES[:4]), pay=PAY)
CLASSES = scattered(2_400, ward=5, band=AGES[:4], sex=2)
"""People in forty classes of about sixty."""
SAME_YEAR, NEXT_YEAR = (made(scattered(count, region=5, band=AGES), pay=PAY) for count in (2_000, 2_100))
THIRTY = tuple(f"asked for an appointment at {hour} past {minute}" for hour in (8, 9, 10) for minute in range(10))
ICD = ("C1", "C2", "F1", "F2", "I1", "I2", "J1", "J2")
TABLES: dict[str, Callable[..., Columns]] = {
    "row normal pay in averages of fifteen": NORMAL_PAY,
    "row normal pay in averages of five": NORMAL_PAY,
    "row borrowers in groups of eleven, amounts in averages of eleven": german_credit,
    "row top-coded incomes in averages of eleven": made(
        scattered(2_000, age=(18, 80), sex=2, zip=(100, 180)), income=lognormal(2_500, 0.5, 5_500)
    ),
    "row noise on incomes that are lognormal": made(
        scattered(3_000, region=REGIONS, sex=2, band=AGES), income=lognormal(2_500, 0.4)
    ),
    "row a rare illness evenly spread": made(crossed(about(150), ward=12, band=AGES[:4]), ill=few(0.015)),
    "row census in groups of ten, hours and workclass other, agreement": partial(adult, names=ADULT),
    "row borrowers in groups of five, amounts other, agreement": german_credit,
    "row borrowers in groups of five, amounts other, no agreement": german_credit,
    "row seven clinical columns, agreement": breast_cancer,
    "row forty groups of people with their mean pay": made(
        crossed(1, region=REGIONS, sex=2, band=AGES[:4]), count=uniform(80, 601), mean_pay=normal(3_000, 200)
    ),
    "groups forty of which one is suppressed": made(
        crossed(1, region=REGIONS, sex=2, band=AGES[:4]),
        count=where({"region": "isles", "sex": 1, "band": AGES[3]}, pick(""), uniform(80, 601)),
        mean_pay=where({"region": "isles", "sex": 1, "band": AGES[3]}, pick(""), normal(3_000, 200)),
    ),
    "groups districts in their regions, some without a count, over three years": made(
        crossed(lambda generator: int(generator.random() < 0.8), district=60, year=(2021, 2024)),
        region=by("district", lambda district: f"R{district // 8}"),
        count=uniform(60, 500),
        mean_pay=normal(3_000, 200),
    ),
    "1 five even illnesses in classes of sixty": made(CLASSES, illness=codes(5)),
    "1 a province that follows from the town": made(
        scattered(2_400, town=24, sex=2), province=by("town", lambda town: f"P{town // 6}"), pay=PAY
    ),
    "1 a hospital that most towns have only one of": made(
        scattered(2_400, town=24, sex=2),
        clinic_code=lambda generator, table: [
            f"K{town // 4 if town % 3 else generator.integers(0, 6)}" for town in table["town"]
        ],
        pay=PAY,
    ),
    "1 a zone that follows from the tariff, and products of all groups": made(
        scattered(2_400, region=REGIONS, band=AGES),
        tariff=pick(*"ABCDEF"),
        zone=by("tariff", lambda tariff: f"Z{'ABCDEF'.index(tariff) // 2}"),
        product=pick(*(f"P{number}" for number in range(40))),
        pay=PAY,
    ),
    "1 twelve flags, three of them more often for the old": made(
        scattered(2_400, region=REGIONS, band=AGES),
        pay=PAY,
        **{f"f{number}": where({"band": AGES[5]}, few(0.6 if number < 3 else 0.1), few(0.1)) for number in range(12)},
    ),
    "1 pay in three broad bands, known to others": made(
        scattered(2_400, region=REGIONS, sex=2), salary=uniform(1_500, 5_500), illness=codes(5)
    ),
    "1 wide file of measurements, agreement": made(
        scattered(600, band=AGES[:3], sex=2, region=REGIONS[:3]),
        sodium=normal(140, 3),
        potassium=normal(42, 4),
        glucose=normal(95, 12),
        ferritin=normal(120, 40),
        albumin=normal(44, 3),
        response=codes(4),
    ),
    "1 one in twenty unique, noise on what they earn": made(
        crossed(about(80), town=24),
        age=where({"town": 3}, uniform(20, 80), pick("under 40", "over 40")),
        pay=PAY,
    ),
    "1 hospitals and towns of two words": made(
        CLASSES,
        home=pick("New York", "Los Angeles", "Santa Clara", "Bad Homburg", "Den Haag", "San Marino"),
        illness=codes(5),
    ),
    "2 spellings that are everywhere": made(
        CLASSES, illness=pick("HIV positive", "hiv+", "flu", "asthma", "gout", shares=(0.1, 0.1, 0.3, 0.3, 0.2))
    ),
    "2 forty codes of eight illnesses, evenly spread": made(
        CLASSES,
        code=pick(*(f"{start}0.{part}" for start in ICD for part in range(5))),
    ),
    "3 five ordered answers": made(CLASSES, answer=pick(*"12345")),
    "3 days most of which lie in one week": made(
        CLASSES, late=few(0.05), vaccinated=where({"late": "yes"}, days("2022-04-01", 5), days("2021-03-01", 8))
    ),
    "3 stages that go with age": made(
        CLASSES,
        stage=where(
            {"band": AGES[3]},
            pick_word("I II III IV", shares=(0.1, 0.2, 0.4, 0.3)),
            pick_word("I II III IV", shares=(0.4, 0.35, 0.2, 0.05)),
        ),
    ),
    "3 degrees that go with age": made(
        CLASSES,
        degree=where(
            {"band": AGES[0]},
            pick_word("none school trade master", shares=(0.3, 0.5, 0.15, 0.05)),
            pick_word("none school trade bachelor master", shares=(0.1, 0.2, 0.3, 0.25, 0.15)),
        ),
    ),
    "3 days of three months": made(CLASSES, operated=days("2022-01-01", 90)),
    "4 one result in twelve missing at random": made(
        CLASSES, result=pick("", *"ABCD", shares=(0.08, 0.23, 0.23, 0.23, 0.23))
    ),
    "4 a sample that one ward did not take": made(CLASSES, result=where({"ward": 3}, pick(""), pick(*"ABCD"))),
    "5 four in five of one team, half elsewhere": made(
        crossed(about(42, 36), team=15, site=4),
        ill=where({"team": 6}, few(0.8), few(0.5)),
    ),
    "6 counselling for more positives than negatives": made(
        CLASSES,
        infected=few(0.3),
        counselling=where({"infected": "yes"}, few(0.6), few(0.1)),
    ),
    "7 a quota of fifty from each group, confirmed": made(
        crossed(50, region=REGIONS, band=AGES, sex=2), answer=codes(4)
    ),
    "8 three months of visits beside one another": made(
        scattered(2_400, region=REGIONS, band=AGES[:4]),
        **{f"visits_{month}": pick(0, 1, shares=(0.6, 0.4)) for month in ("jan", "apr", "jul")},
        pay=PAY,
    ),
    "8 ten scores beside the month of admission, agreement": made(
        scattered(1_200, month=[f"2024-{month:02d}" for month in range(1, 7)], sex=2),
        **{f"score_{number}": pick(0, 1, 2, 3) for number in range(10)},
        response=codes(4),
    ),
    "9 one phrase of many words that hundreds share": made(
        CLASSES, remark=pick("came as planned", "did not come", "called the day before"), illness=codes(5)
    ),
    "9 thirty remarks that somebody has read": partial(remarks, *THIRTY, n=3_100),
    "10 broader ages in the order of the source": made(scattered(2_400, age=(20, 80), sex=2), illness=codes(5)),
    "10 noise on rows in the order of the source": NORMAL_PAY,
    "11 the same file with the same key once more": SAME_YEAR,
    "11 other people, a year later": NEXT_YEAR,
    "11 averages of other people, a year later": NEXT_YEAR,
    "12 ranges of house values in groups of eleven": made(
        scattered(2_500, age=(18, 90)), value=lognormal(260_000, 0.5), diagnosis=codes(5)
    ),
    "13 a tolerance wider than the rule's": made(CLASSES, pay=PAY),
    "14 artificial rows with towns that hundreds share": made(
        scattered(1_500, age=(18, 90), weight=(50, 110), height=(150, 200)), town=pick("Ulm", "Köln"), pay=PAY
    ),
    "14 artificial rows of people one in eight of whom lives in a village of their own": made(
        scattered(1_200, age=(18, 90), weight=(50, 110)),
        town=lambda generator, table: np.where(
            generator.random(1_200) < 0.12, [f"village{row}" for row in range(1_200)], "Ulm"
        ),
        pay=PAY,
    ),
    "15 nearly everybody unique, noise on what they earn": made(
        scattered(2_000, age=(18, 90), postcode=400, sex=2), pay=PAY
    ),
    "15 nearly everybody unique, four even answers swapped": made(
        scattered(4_000, age=(18, 80), code=60, sex=2), answer=codes(4)
    ),
    "16 most people have no badge, and the column says none": made(
        CLASSES,
        badge=lambda generator, table: np.where(
            generator.random(len(table["ward"])) < 0.8, "none", generator.integers(10**6, 10**7, len(table["ward"]))
        ),
        allergy=pick("none", "pollen", "nuts", "dust"),
    ),
    "19 nine in ten have no flag in any class": made(CLASSES, flag=few(0.06)),
    "dominance one person earns most of a group's sum": made(
        scattered(2_400, region=REGIONS, band=AGES),
        pay=lambda generator, table: np.where(
            np.arange(2_400) < 1, 200_000, np.round(3_000 * generator.lognormal(0, 0.4, 2_400))
        ).astype(int),
    ),
    "22 a hundred and eighty people, too few to be sure": made(
        scattered(180, region=REGIONS[:3], sex=2), answer=codes(4)
    ),
    "class-size age and postcode left out, six regions and four services remain": made(
        scattered(2_000, age=(18, 90), postcode=400, region=6, service=4), illness=codes(5)
    ),
    "dependencies a grade that gives pay of which one in ten is coded": made(
        scattered(2_400, region=REGIONS, band=AGES[:4], grade=40), pay=by("grade", lambda grade: 2_000 + 50 * grade)
    ),
    "visits an interview number in every row, and towns that give the county": made(
        scattered(400, town=40),
        interview_number=lambda generator, table: np.arange(10_000, 10_400),
        county=by("town", lambda town: town % 7),
        country=by("town", lambda town: town % 3),
        answer=codes(3),
    ),
}
_CASES = cases_of("honest", TABLES)
_SAME = _CASES["11 the same file with the same key once more"]
_CASES = with_changes(
    _CASES, "earlier", {"11 the same": (_SAME,), "11 other": (replace(_SAME, name="11 the year before"),)}
)
_AVERAGES = _CASES["11 averages of other people, a year later"]
_CASES[_AVERAGES.name] = replace(
    _AVERAGES, earlier=(replace(_AVERAGES, name="averages of the year before", table=SAME_YEAR),), compared=True
)
SECOND_ROUND_HONEST = tuple(_CASES.values())
