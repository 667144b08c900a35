"""Honest releases, second round: what an experienced person would publish, and what lies close to each new rule.

The first word of a name is the rule that a release lies close to; "row" is one of the list of releases that were
blocked for no reason. ``may`` names what the rules let a release be asked for; whatever else stops it is a fault.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from tests.corpus.case import AGREED, Case, add_noise, roles, step, swap
from tests.corpus.drawn import (
    AGES,
    PAY,
    PAY_BOUNDS,
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
    scattered,
    uniform,
    where,
)
from tests.corpus.tables import Columns, adult, breast_cancer, german_credit, remarks, remarks_read

FOUND = "class-size singling-out rare-values"
LEARNT = "certain-disclosure certain-by-all most-exposed diversity inference levels-met"
ADULT = ("age", "education-num", "marital-status", "race", "sex", "workclass", "hours-per-week", "class")


def honest(
    name: str,
    table: Callable[..., Columns],
    columns: Mapping[str, Any],
    steps: tuple[Mapping[str, Any], ...],
    may: str = "",
    type: str = "public",
    **more: Any,
) -> Case:
    """Return a case that must be written; its kind the first word of its name."""
    return Case(name, table, columns, steps, type, may=frozenset(may.split()), kind=name.split()[0], **more)


def average(column: str, group: int) -> dict[str, Any]:
    """Return the step that shows averages of so many people in place of a column's values."""
    return step("microaggregation", (column,), group=group)


NORMAL_PAY = made(scattered(2_500, region=REGIONS, sex=2, band=AGES[:4]), pay=PAY)
CLASSES = scattered(2_400, ward=5, band=AGES[:4], sex=2)
"""People in forty classes of about sixty."""
THIRTY = tuple(f"asked for an appointment at {hour} past {minute}" for hour in (8, 9, 10) for minute in range(10))
ICD = ("C1", "C2", "F1", "F2", "I1", "I2", "J1", "J2")
SAME_YEAR, NEXT_YEAR = (made(scattered(2_000, region=5, band=AGES), seed, pay=PAY) for seed in (41, 42))
PAID = roles("region:q band:q pay:C", pay=PAY_BOUNDS)
CREDIT = "age:Q personal:q job:q housing:q months:x"
TAKEN = "tumor-size:o inv-nodes:o node-caps:o deg-malig:o breast:o breast-quad:o irradiat:o"

ROWS = (
    honest(
        "row normal pay in averages of fifteen",
        NORMAL_PAY,
        roles("region:q sex:q band:q pay:C"),
        (average("pay", 15),),
    ),
    honest(
        "row normal pay in averages of five",
        NORMAL_PAY,
        roles("region:q sex:q band:q pay:C"),
        (average("pay", 5),),
        type="research",
    ),
    honest(
        "row borrowers in groups of eleven, amounts in averages of eleven",
        german_credit,
        roles(f"{CREDIT} amount:C risk:c"),
        (step("mondrian", k=11, l=2), average("amount", 11)),
        "most-exposed singling-out diversity inference",
    ),
    honest(
        "row top-coded incomes in averages of eleven",
        made(scattered(2_000, age=(18, 80), sex=2, zip=(100, 180)), income=lognormal(2_500, 0.5, 5_500)),
        roles("age:Q sex:q zip:Q income:C", age={"bounds": [0, 120]}, zip={"bounds": [100, 200]}),
        (step("mondrian", k=11, l=3), average("income", 11)),
        "most-exposed inference",
    ),
    honest(
        "row noise on incomes that are lognormal",
        made(scattered(3_000, region=REGIONS, sex=2, band=AGES), income=lognormal(2_500, 0.4)),
        roles("region:q sex:q band:q income:C", income={"bounds": [0, 20_000]}),
        add_noise("income", snr=4),
        "rare-secret reversal",
    ),
    honest(
        "row a rare illness evenly spread",
        made(crossed(about(150), ward=12, band=AGES[:4]), ill=few(0.015)),
        roles("ward:q band:q ill:c"),
        (),
        "certain-disclosure certain-by-all diversity levels-met",
    ),
    honest(
        "row census in groups of ten, hours and workclass other, agreement",
        partial(adult, names=ADULT),
        roles(
            "age:Q education-num:Q marital-status:q race:q sex:q workclass:o hours-per-week:O class:c",
            **{"age": {"bounds": [17, 90]}, "education-num": {"bounds": [1, 16]}},
        ),
        (step("mondrian", k=10, l=2),),
        "most-exposed diversity reversal rare-values dependencies",
        "research",
        data=True,
        more=AGREED,
    ),
    *(
        honest(
            f"row borrowers in groups of five, amounts other, {title}",
            german_credit,
            roles(f"{CREDIT} amount:O risk:c"),
            (step("mondrian", k=5, l=2),),
            f"{may} most-exposed diversity rare-values",
            "research",
            more=more,
        )
        for title, may, more in (
            ("agreement", "", AGREED),
            ("no agreement", "certain-by-all singling-out near-identifiers", {}),
        )
    ),
    honest(
        "row seven clinical columns, agreement",
        breast_cancer,
        roles(f"age:q menopause:q {TAKEN} class:c"),
        (step("suppress", k=5),),
        "most-exposed rare-values",
        "research",
        more=AGREED,
    ),
    honest(
        "row forty groups of people with their mean pay",
        made(crossed(1, region=REGIONS, sex=2, band=AGES[:4]), count=uniform(80, 601), mean_pay=normal(3_000, 200)),
        roles("region:q sex:q band:q count:O mean_pay:C"),
        (),
        more={"input": {"rows": "groups"}},
    ),
)
NEAR = (
    honest(
        "1 five even illnesses in classes of sixty",
        made(CLASSES, illness=codes(5)),
        roles("ward:q band:q sex:q illness:c"),
        (),
    ),
    honest(
        "1 a province that follows from the town",
        made(scattered(2_400, town=24, sex=2), province=by("town", lambda town: f"P{town // 6}"), pay=PAY),
        roles("town:q sex:q province:o pay:C", pay=PAY_BOUNDS),
        add_noise("pay"),
    ),
    honest(
        "1 pay in three broad bands, known to others",
        made(scattered(2_400, region=REGIONS, sex=2), salary=uniform(1_500, 5_500), illness=codes(5)),
        roles("region:q sex:q salary:Q illness:c", salary={"bins": {"method": "cuts", "at": [2_500, 4_000]}}),
        (),
    ),
    honest(
        "1 wide file of measurements, agreement",
        made(
            scattered(600, band=AGES[:3], sex=2, region=REGIONS[:3]),
            sodium=normal(140, 3),
            potassium=normal(42, 4),
            glucose=normal(95, 12),
            ferritin=normal(120, 40),
            albumin=normal(44, 3),
            response=codes(4),
        ),
        roles(
            "band:q sex:q region:q sodium:O potassium:O glucose:O ferritin:O albumin:O response:c",
            **dict.fromkeys(("sodium", "potassium", "glucose", "ferritin", "albumin"), {"measured": True}),
        ),
        (),
        "rare-values",
        "research",
        more=AGREED,
    ),
    honest(
        "1 one in twenty unique, noise on what they earn",
        made(
            crossed(about(80), town=24),
            age=where({"town": 3}, uniform(20, 80), pick("under 40", "over 40")),
            pay=PAY,
        ),
        roles("town:q age:q pay:C", pay=PAY_BOUNDS),
        add_noise("pay"),
        FOUND,
    ),
    honest(
        "1 hospitals and towns of two words",
        made(
            CLASSES,
            home=pick("New York", "Los Angeles", "Santa Clara", "Bad Homburg", "Den Haag", "San Marino"),
            illness=codes(5),
        ),
        roles("ward:q band:x sex:x home:q illness:c"),
        (),
    ),
    honest(
        "2 spellings that are everywhere",
        made(CLASSES, illness=pick("HIV positive", "hiv+", "flu", "asthma", "gout", shares=(0.1, 0.1, 0.3, 0.3, 0.2))),
        roles("ward:q band:q sex:q illness:c"),
        (),
    ),
    honest(
        "2 forty codes of eight illnesses, evenly spread",
        made(
            CLASSES,
            code=pick(*(f"{start}0.{part}" for start in ICD for part in range(5))),
        ),
        roles("ward:q band:q sex:q code:c"),
        (),
    ),
    honest(
        "3 five ordered answers",
        made(CLASSES, answer=pick(*"12345")),
        roles("ward:q band:q sex:q answer:c", answer={"kind": "ordinal", "order": [*"12345"]}),
        (),
    ),
    honest(
        "3 days most of which lie in one month",
        made(CLASSES, vaccinated=where({"ward": 9}, days("2022-01-01", 365), days("2021-03-01", 31))),
        roles("ward:q band:q sex:q vaccinated:c", vaccinated={"kind": "date"}),
        (),
    ),
    honest(
        "3 days of three months",
        made(CLASSES, operated=days("2022-01-01", 90)),
        roles("ward:q band:q sex:q operated:c", operated={"kind": "date"}),
        (),
    ),
    honest(
        "4 one result in twelve missing at random",
        made(CLASSES, result=pick("", *"ABCD", shares=(0.08, 0.23, 0.23, 0.23, 0.23))),
        roles("ward:q band:q sex:q result:c"),
        (),
    ),
    honest(
        "4 a sample that one ward did not take",
        made(CLASSES, result=where({"ward": 3}, pick(""), pick(*"ABCD"))),
        roles("ward:q band:q sex:q result:c"),
        (),
        LEARNT,
        "research",
    ),
    honest(
        "5 four in five of one team, half elsewhere",
        made(
            crossed(about(42, 36), team=15, site=4),
            ill=where({"team": 6}, few(0.8), few(0.5)),
        ),
        roles("team:q site:q ill:c"),
        (),
        "diversity",
    ),
    honest(
        "6 counselling for more positives than negatives",
        made(
            CLASSES,
            infected=few(0.3),
            counselling=where({"infected": "yes"}, few(0.6), few(0.1)),
        ),
        roles("ward:q band:q sex:q infected:c counselling:o"),
        (),
    ),
    honest(
        "7 a quota of fifty from each group, confirmed",
        made(crossed(50, region=REGIONS, band=AGES, sex=2), answer=codes(4)),
        roles("region:q band:q sex:q answer:c"),
        (),
        "people-counted",
        more={"input": {"one_row_per_person": True, "quota": True}},
    ),
    honest(
        "8 twelve months of visits beside one another",
        made(
            scattered(2_400, region=REGIONS, band=AGES[:4]),
            **{f"visits_{month}": pick(0, 1, shares=(0.6, 0.4)) for month in ("jan", "apr", "jul")},
            pay=PAY,
        ),
        roles("region:q band:q visits_jan:O visits_apr:O visits_jul:O pay:C", pay=PAY_BOUNDS),
        add_noise("pay"),
    ),
    honest(
        "9 one phrase of many words that hundreds share",
        made(CLASSES, remark=pick("came as planned", "did not come", "called the day before"), illness=codes(5)),
        roles("ward:q band:q sex:q remark:o illness:c"),
        (),
    ),
    honest(
        "9 thirty remarks that somebody has read",
        partial(remarks, *THIRTY, n=3_100),
        roles("ward:q sex:q illness:c remark:o", remark={"texts_read": remarks_read(*THIRTY)}),
        (),
        "certain-by-all most-exposed near-identifiers rare-values",
    ),
    honest(
        "10 broader ages in the order of the source",
        made(scattered(2_400, age=(20, 80), sex=2), illness=codes(5)),
        roles("age:Q sex:q illness:c"),
        (step("generalize", ("age",), width=15),),
        "row-order",
        more={"release": {"shuffle_rows": False}},
    ),
    replace(
        honest("11 the same file with the same key once more", SAME_YEAR, PAID, add_noise("pay")),
        earlier=(honest("11 the same file with the same key once more", SAME_YEAR, PAID, add_noise("pay")),),
    ),
    replace(
        honest("11 other people, a year later", NEXT_YEAR, PAID, add_noise("pay"), "redrawn"),
        earlier=(honest("11 the year before", SAME_YEAR, PAID, add_noise("pay")),),
    ),
    honest(
        "12 ranges of house values in groups of eleven",
        made(scattered(2_500, age=(18, 90)), value=lognormal(260_000, 0.5), diagnosis=codes(5)),
        roles("age:Q value:Q diagnosis:c"),
        (step("mondrian", k=11, l=3),),
        "inference",
    ),
    honest(
        "13 a tolerance wider than the rule's",
        made(CLASSES, pay=PAY),
        roles("ward:q band:q sex:q pay:C", pay={"tolerance": 800, **PAY_BOUNDS}),
        add_noise("pay"),
    ),
    honest(
        "14 artificial rows with towns that hundreds share",
        made(scattered(1_500, age=(18, 90), weight=(50, 110), height=(150, 200)), town=pick("Ulm", "Köln"), pay=PAY),
        roles("age:Q weight:O height:O town:q pay:C"),
        (step("condensation", group=20),),
        "most-exposed",
        "research",
    ),
    honest(
        "14 artificial rows of people one in eight of whom lives in a village of their own",
        made(
            scattered(1_200, age=(18, 90), weight=(50, 110)),
            town=lambda generator, table: np.where(
                generator.random(1_200) < 0.12, [f"village{row}" for row in range(1_200)], "Ulm"
            ),
            pay=PAY,
        ),
        roles("age:Q weight:O town:q pay:C"),
        (step("condensation", group=20),),
        "most-exposed",
        "research",
    ),
    honest(
        "15 nearly everybody unique, noise on what they earn",
        made(scattered(2_000, age=(18, 90), postcode=400, sex=2), pay=PAY),
        roles("age:q postcode:q sex:q pay:C", pay=PAY_BOUNDS),
        add_noise("pay"),
        f"{FOUND} inference",
        "research",
    ),
    honest(
        "15 nearly everybody unique, four even answers swapped",
        made(scattered(4_000, age=(18, 80), code=60, sex=2), answer=codes(4)),
        roles("age:q code:q sex:q answer:c"),
        swap("answer", proportion=0.75),
        f"{FOUND} {LEARNT}",
        "research",
    ),
    honest(
        "16 most people have no badge, and the column says none",
        made(
            CLASSES,
            badge=lambda generator, table: np.where(
                generator.random(len(table["ward"])) < 0.8, "none", generator.integers(10**6, 10**7, len(table["ward"]))
            ),
            allergy=pick("none", "pollen", "nuts", "dust"),
        ),
        roles("ward:q band:q sex:q badge:i allergy:c"),
        (),
    ),
    honest(
        "19 nine in ten have no flag in any class",
        made(CLASSES, flag=few(0.06)),
        roles("ward:q band:q sex:q flag:c"),
        (),
        "diversity levels-met",
        "research",
    ),
    honest(
        "dominance one person earns most of a group's sum",
        made(
            scattered(2_400, region=REGIONS, band=AGES),
            pay=lambda generator, table: np.where(
                np.arange(2_400) < 1, 200_000, np.round(3_000 * generator.lognormal(0, 0.4, 2_400))
            ).astype(int),
        ),
        roles("region:q band:q pay:C"),
        (average("pay", 5),),
        "dominance most-exposed",
        "research",
    ),
    honest(
        "22 a hundred and eighty people, too few to be sure",
        made(scattered(180, region=REGIONS[:3], sex=2), answer=codes(4)),
        roles("region:q sex:q answer:c"),
        (),
        "inference",
    ),
)
SECOND_ROUND_HONEST = (*ROWS, *NEAR)
