"""Invented tables with known answers, each by its own seed, for releases that leak and releases that do not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from tests.golden.people import VISIT_HEAD, visits

Columns = Mapping[str, Any]


def stays() -> Columns:
    """Return a hospital's stays, 2,864 rows of 2,000 people."""
    return {name: list(map(str, values)) for name, values in zip(VISIT_HEAD, zip(*visits(), strict=True), strict=True)}


def ward(seed: int = 3, n: int = 3_000) -> Columns:
    """People of wards; everybody in a few small groups of equal details has one illness."""
    rng = np.random.default_rng(seed)
    age, sex, ward = rng.integers(0, 12, n), rng.integers(0, 2, n), rng.integers(0, 20, n)
    ill = rng.integers(0, 5, n)
    return {"age": 20 + 5 * age, "sex": sex, "ward": ward, "cost": 100 * ill + 500}


def yes_no(seed: int = 1, n: int = 2_000, share: float = 0.02) -> Columns:
    """A rare yes or no beside age and place."""
    rng = np.random.default_rng(seed)
    return {
        "age": rng.integers(18, 90, n),
        "zip": rng.integers(1_000, 1_030, n),
        "sex": rng.integers(0, 2, n),
        "hiv": (rng.random(n) < share).astype(int),
    }


def patients(seed: int = 5, n: int = 1_500) -> Columns:
    """Columns that work like a name: a number, a place on the map, a birth date, a hash."""
    rng = np.random.default_rng(seed)
    days = np.datetime64("1930-01-01") + rng.integers(0, 30_000, n)
    return {
        "region": rng.integers(0, 4, n),
        "sex": rng.integers(0, 2, n),
        "patient_no": rng.permutation(np.arange(200_000, 200_000 + n)),
        "lat": np.round(rng.uniform(48, 52, n), 4),
        "dob": [str(day) for day in days],
        "hash": [f"{value:016x}" for value in rng.integers(2**60, 2**63, n)],
        "diagnosis": rng.integers(0, 5, n),
        "lon": np.round(rng.uniform(5, 10, n), 4),
    }


def patients_with(columns: Sequence[str]) -> Columns:
    """Return the patients' region, sex and diagnosis, and some of the other columns."""
    return {name: values for name, values in patients().items() if name in ("region", "sex", "diagnosis", *columns)}


def stays_by_day(seed: int = 9, n: int = 1_500, odd: int = 1_200) -> Columns:
    """Patients with the first and the last day of their care; of most the number of days is their own."""
    rng = np.random.default_rng(seed)
    lengths = np.concatenate([np.arange(20, 20 + odd), rng.integers(3, 8, n - odd)])
    first = np.datetime64("2010-01-01") + rng.integers(0, 3_000, n)
    return {
        "region": rng.integers(0, 4, n),
        "sex": rng.integers(0, 2, n),
        "first": first.astype(str).tolist(),
        "last": (first + rng.permutation(lengths)).astype(str).tolist(),
        "diagnosis": rng.integers(0, 5, n),
    }


def twelve_visits(seed: int = 10, people: int = 120) -> Columns:
    """People with twelve visits each, and a diagnosis that stays with them."""
    rng = np.random.default_rng(seed)
    who = np.repeat(np.arange(people), 12)
    day = np.datetime64("2012-01-01") + rng.integers(400, 2_600, people)[who] + np.tile(30 * np.arange(12), people)
    return {
        "who": who,
        "region": rng.integers(0, 4, people)[who],
        "day": day.astype(str).tolist(),
        "diagnosis": rng.integers(0, 5, people)[who],
    }


def pay(seed: int = 6, n: int = 3_000) -> Columns:
    """Pay that is hours times rate."""
    rng = np.random.default_rng(seed)
    hours, rate = rng.integers(20, 45, n), rng.integers(12, 60, n)
    return {"age": 5 * rng.integers(4, 13, n), "hours": hours, "rate": rate, "pay": hours * rate}


def measured(law: str, seed: int = 4, n: int = 4_000) -> Columns:
    """One confidential number beside age and sex, normal or lognormal."""
    rng = np.random.default_rng(seed)
    values = rng.normal(100, 15, n) if law == "normal" else 1_000 * rng.lognormal(0, 0.5, n)
    return {"age": rng.integers(0, 10, n), "sex": rng.integers(0, 2, n), "value": np.round(values).astype(int)}


def skewed_incomes(seed: int = 4, n: int = 3_000) -> Columns:
    """One confidential number beside three details, lognormal with a spread of .75."""
    rng = np.random.default_rng(seed)
    details = {name: rng.integers(0, values, n) for name, values in (("region", 5), ("sex", 2), ("band", 4))}
    return {**details, "income": np.round(2_500 * rng.lognormal(0, 0.75, n)).astype(int)}


def scattered_numbers(seed: int = 7, n: int = 1_500) -> Columns:
    """A number of each person's own, far from those of others, beside two details."""
    rng = np.random.default_rng(seed)
    return {
        "region": rng.integers(0, 4, n),
        "sex": rng.integers(0, 2, n),
        "number": 200_000 + rng.choice(700_000, n, replace=False),
        "diagnosis": rng.integers(0, 5, n),
    }


def diagnoses(seed: int = 2, n: int = 4_000) -> Columns:
    """Five even diagnoses beside three details."""
    rng = np.random.default_rng(seed)
    return {
        "age": rng.integers(18, 80, n),
        "zip": rng.integers(100, 180, n),
        "sex": rng.integers(0, 2, n),
        "diagnosis": [f"d{value}" for value in rng.integers(0, 5, n)],
    }


def classes_of_one_secret(seed: int = 8, k: int = 11, groups: int = 60) -> Columns:
    """Groups of eleven equal people who share one diagnosis."""
    rng = np.random.default_rng(seed)
    group = np.repeat(np.arange(groups), k)
    secret = rng.integers(0, 5, groups)[group]
    return {"place": group, "sex": group % 2, "diagnosis": [f"d{value}" for value in secret]}


def villages_of_one_secret(seed: int = 8, districts: int = 60, village: int = 6) -> Columns:
    """Districts of four villages, too small each, in which all people share one diagnosis."""
    secret = np.random.default_rng(seed).integers(0, 5, districts)
    person = np.arange(4 * village * districts)
    return {"village": person // village, "diagnosis": [f"d{value}" for value in secret[person // (4 * village)]]}


def numbered(seed: int = 6, n: int = 3_000, edge: int = 12) -> Columns:
    """Patients by number, but for the first and last dozen, who share one: so it is not a number for each."""
    rng = np.random.default_rng(seed)
    number = np.clip(rng.permutation(n), edge - 1, n - edge)
    return {
        "region": rng.integers(0, 4, n),
        "sex": rng.integers(0, 2, n),
        "patient_no": 200_000 + number,
        "diagnosis": rng.integers(0, 5, n),
    }


def names(seed: int = 5, n: int = 1_500) -> Columns:
    """Names made of few first and last ones, so that hardly anybody's is their own and nearly everybody's is rare."""
    rng = np.random.default_rng(seed)
    first = np.minimum(rng.zipf(1.3, n) - 1, 39)
    last = rng.integers(0, 25, n)
    return {
        "region": rng.integers(0, 4, n),
        "sex": rng.integers(0, 2, n),
        "name": [f"Given{one} Family{other}" for one, other in zip(first, last, strict=True)],
        "diagnosis": rng.integers(0, 5, n),
    }


def adult(data: Path, names: tuple[str, ...], n: int = 8_000) -> Columns:
    """Some columns of the census extract Adult, 8,000 people of it."""
    import pandas

    table = pandas.read_csv(data / "adult_train.csv").sample(n, random_state=1)
    return {name: [str(value) for value in table[name]] for name in names}


def viral_load(seed: int = 1, n: int = 2_000, share: float = 0.02) -> Columns:
    """Nothing found in most, a thousand or so in the few who are infected."""
    rng = np.random.default_rng(seed)
    infected = rng.random(n) < share
    return {
        "age": rng.integers(18, 90, n),
        "zip": rng.integers(1_000, 1_030, n),
        "sex": rng.integers(0, 2, n),
        "load": np.where(infected, np.round(rng.normal(1_000, 60, n)), 0).astype(int),
    }


def jobs(seed: int = 9, n: int = 2_000) -> Columns:
    """A hundred jobs beside age and sex."""
    rng = np.random.default_rng(seed)
    return {
        "age": 5 * rng.integers(4, 16, n),
        "sex": rng.integers(0, 2, n),
        "job": [f"job{value}" for value in rng.integers(0, 100, n)],
        "diagnosis": rng.integers(0, 5, n),
    }


def two_answers(share: float, seed: int = 10, n: int = 3_000) -> Columns:
    """Yes or no beside details that make nearly everybody unique."""
    rng = np.random.default_rng(seed)
    return {
        "age": rng.integers(18, 90, n),
        "zip": rng.integers(1_000, 1_060, n),
        "sex": rng.integers(0, 2, n),
        "answer": np.where(rng.random(n) < share, "yes", "no"),
    }


def fives_alike(seed: int = 12, groups: int = 300, size: int = 5) -> Columns:
    """Groups of equal people who share one diagnosis."""
    rng = np.random.default_rng(seed)
    group = np.repeat(np.arange(groups), size)
    return {"place": group, "diagnosis": [f"d{value}" for value in rng.integers(0, 4, groups)[group]]}


def ranked(seed: int = 13, n: int = 1_000) -> Columns:
    """Pays in a file that somebody sorted by them."""
    rng = np.random.default_rng(seed)
    return {
        "age": 5 * rng.integers(4, 13, n),
        "sex": rng.integers(0, 2, n),
        "pay": np.sort(rng.integers(900, 9_000, n)),
    }


def hospital_stays(seed: int = 14, n: int = 2_000, others: int = 40) -> Columns:
    """Three details, forty further columns of a hospital's file, and whether the person came back."""
    rng = np.random.default_rng(seed)
    return {
        "age": rng.integers(18, 90, n),
        "race": rng.integers(0, 5, n),
        "gender": rng.integers(0, 2, n),
        **{f"drug{at}": rng.integers(0, 4, n) for at in range(others - 8)},
        **{f"count{at}": rng.poisson(6, n) for at in range(8)},
        "readmitted": [("no", "soon", "later")[value] for value in rng.integers(0, 3, n)],
    }


def many_numbers(seed: int = 15, n: int = 600, columns: int = 14) -> Columns:
    """More numbers of each person than a group has people."""
    rng = np.random.default_rng(seed)
    return {f"number{at}": np.round(rng.normal(100, 15, n), 1) for at in range(columns)}


def two_related(seed: int = 16, n: int = 4_000) -> Columns:
    """Two normal numbers that go together, beside age and sex."""
    rng = np.random.default_rng(seed)
    first = rng.normal(0, 1, n)
    second = 0.7 * first + np.sqrt(1 - 0.49) * rng.normal(0, 1, n)
    return {
        "age": rng.integers(0, 10, n),
        "sex": rng.integers(0, 2, n),
        "height": np.round(170 + 10 * first).astype(int),
        "weight": np.round(75 + 12 * second).astype(int),
    }


def counts(seed: int = 17, n: int = 4_000) -> Columns:
    """Visits in a year, five on average."""
    rng = np.random.default_rng(seed)
    return {"age": rng.integers(0, 10, n), "sex": rng.integers(0, 2, n), "visits": rng.poisson(5, n)}


def few_apart(seed: int = 18, n: int = 4_000, apart: float = 0.12) -> Columns:
    """Most people in large groups of equal details, some with details of their own."""
    rng = np.random.default_rng(seed)
    alone = rng.random(n) < apart
    return {
        "age": np.where(alone, rng.integers(18, 90, n), 10 * rng.integers(2, 8, n)),
        "zip": np.where(alone, rng.integers(1_000, 1_900, n), 100 * rng.integers(10, 16, n)),
        "diagnosis": [f"d{value}" for value in rng.integers(0, 5, n)],
    }


def trades(seed: int = 19, n: int = 4_000) -> Columns:
    """Ages, and trades of which a few are common and many are rare."""
    rng = np.random.default_rng(seed)
    return {
        "age": rng.integers(18, 80, n),
        "trade": [f"trade{value}" for value in np.minimum(rng.geometric(0.3, n), 30)],
        "diagnosis": [f"d{value}" for value in rng.integers(0, 5, n)],
    }


def four_even(seed: int = 20, n: int = 4_000) -> Columns:
    """Four even answers beside details that make many unique."""
    rng = np.random.default_rng(seed)
    return {
        "age": rng.integers(18, 80, n),
        "zip": rng.integers(100, 130, n),
        "sex": rng.integers(0, 2, n),
        "answer": [f"a{value}" for value in rng.integers(0, 4, n)],
    }


def one_ward(seed: int = 30, n: int = 4_000, ward: int = 300) -> Columns:
    """Ages, a ward in which nearly everybody has the worst of four grades, which nobody else has, and an illness."""
    rng = np.random.default_rng(seed)
    wards, grade = rng.integers(0, 12, n), rng.choice(3, n, p=[0.5, 0.3, 0.2])
    wards[:ward] = 99
    grade[: ward * 19 // 20] = 3
    return {
        "age": rng.integers(18, 90, n),
        "ward": wards,
        "grade": grade,
        "ill": np.where(grade == 3, "yes", "no").tolist(),
    }


def wards_apart(seed: int = 31, n: int = 4_000) -> Columns:
    """Ages, wards and one of four answers, of which each ward gives one about twice as often as each other."""
    rng = np.random.default_rng(seed)
    wards = rng.integers(0, 20, n)
    answer = np.where(rng.random(n) < 0.2, wards % 4, rng.integers(0, 4, n))
    return {"age": 5 * rng.integers(4, 18, n), "ward": wards, "answer": [f"a{value}" for value in answer]}


def twice(table: Callable[[], Columns]) -> Columns:
    """Each person of a table with a number and two visits, at which everything else is the same."""
    columns = {name: [value for value in values for _ in range(2)] for name, values in table().items()}
    rows = range(len(next(iter(columns.values()))))
    return {"patient": [10_000 + row // 2 for row in rows], "visit": [1 + row % 2 for row in rows], **columns}


twice_one_ward = partial(twice, one_ward)
twice_wards_apart = partial(twice, wards_apart)


def broad_details(seed: int = 32, n: int = 4_000, alike: int = 0) -> Columns:
    """Regions, age bands, sexes and one of five illnesses; region 9 has so many people, who all have the first one."""
    rng = np.random.default_rng(seed)
    regions, ill = rng.integers(0, 4, n), rng.integers(0, 5, n)
    regions[:alike], ill[:alike] = 9, 0
    return {
        "region": regions,
        "band": rng.integers(0, 3, n),
        "sex": rng.integers(0, 2, n),
        "ill": [f"i{value}" for value in ill],
    }


def six_numbers(seed: int = 21, n: int = 2_000) -> Columns:
    """Six numbers that share two causes, and a class that hangs on one of them."""
    rng = np.random.default_rng(seed)
    causes = rng.normal(size=(n, 2))
    values = causes @ rng.normal(size=(2, 6)) + rng.normal(size=(n, 6))
    numbers = {f"number{at}": np.round(50 + 10 * values[:, at]).astype(int) for at in range(6)}
    return {**numbers, "class": np.where(causes[:, 0] + rng.normal(size=n) > 0, "yes", "no")}


def four_levels(seed: int = 22, n: int = 4_000) -> Columns:
    """Two normal numbers of people each of whom asked for a level of protection."""
    rng = np.random.default_rng(seed)
    levels = np.array(["normal", "cautious", "extra-cautious", "paranoid"])
    return {
        "age": rng.integers(0, 10, n),
        "sex": rng.integers(0, 2, n),
        "pressure": np.round(rng.normal(120, 15, n)).astype(int),
        "pulse": np.round(rng.normal(75, 10, n)).astype(int),
        "wish": levels[rng.choice(4, n, p=[0.7, 0.15, 0.1, 0.05])],
    }


def levels_apart(seed: int = 24, n: int = 300, strictest: int = 5) -> Columns:
    """People who are alone with their details, few of whom asked for the strictest level."""
    rng = np.random.default_rng(seed)
    return {
        "number": np.arange(n),
        "answer": [f"a{value}" for value in rng.integers(0, 4, n)],
        "wish": np.where(np.arange(n) < strictest, "paranoid", "normal"),
    }


def one_in_forty(seed: int = 25, places: int = 26) -> Columns:
    """Places of forty people, 39 of whom have one illness; all want the strictest level."""
    rng = np.random.default_rng(seed)
    place = np.repeat(np.arange(places), 40)
    other = np.zeros(len(place), dtype=bool)
    other[np.arange(places) * 40 + rng.integers(0, 40, places)] = True
    return {"place": place, "illness": (place + other) % 2, "wish": ["paranoid"] * len(place)}


def visits_of_few(seed: int = 26, people: int = 120, each: int = 12) -> Columns:
    """Twelve visits of each of 120 people: region and sex hide twelve rows, all of one person."""
    rng = np.random.default_rng(seed)
    who = np.repeat(np.arange(people), each)
    return {
        "patient": who,
        "region": (np.arange(people) // 2)[who],
        "sex": (np.arange(people) % 2)[who],
        "outcome": rng.integers(0, 4, people * each),
    }


def incomes_in_visits(seed: int = 27, people: int = 300, each: int = 12) -> Columns:
    """One income of each person in all of their twelve rows."""
    rng = np.random.default_rng(seed)
    who = np.repeat(np.arange(people), each)
    return {
        "patient": who,
        "region": rng.integers(0, 3, people)[who],
        "sex": rng.integers(0, 2, people)[who],
        "income": np.round(rng.normal(100, 15, people)).astype(int)[who],
    }


def bands(seed: int = 23, n: int = 3_000) -> Columns:
    """Pay in five bands far apart, beside details that make many unique."""
    rng = np.random.default_rng(seed)
    return {
        "age": rng.integers(18, 80, n),
        "zip": rng.integers(100, 130, n),
        "sex": rng.integers(0, 2, n),
        "pay": 1_000 * rng.integers(1, 6, n),
    }


def one_far_off(seed: int = 24, n: int = 2_000) -> Columns:
    """Pays, and one that is a hundred times the others."""
    rng = np.random.default_rng(seed)
    pay = np.round(rng.lognormal(8, 0.4, n)).astype(int)
    pay[7] = 400_000
    return {
        "age": rng.integers(20, 65, n),
        "sex": rng.integers(0, 2, n),
        "zip": rng.integers(1_000, 1_200, n),
        "pay": pay,
    }


def clusters(seed: int = 25, groups: int = 60, size: int = 11) -> Columns:
    """Groups of people who live close to one another and all have the same illness."""
    rng = np.random.default_rng(seed)
    group = np.repeat(np.arange(groups), size)
    centres = rng.uniform(0, 1_000, (groups, 2))
    place = np.round(centres[group] + rng.normal(0, 0.5, (len(group), 2)), 1)
    ill = rng.integers(0, 5, groups)[group]
    return {"east": place[:, 0], "north": place[:, 1], "illness": [f"d{value}" for value in ill]}


def pay_of_place(seed: int = 26, n: int = 3_000) -> Columns:
    """Pay that the place decides but for a few coins."""
    rng = np.random.default_rng(seed)
    zip = rng.integers(0, 40, n)
    pay = 1_000 + 250 * rng.permutation(40)[zip] + rng.integers(0, 5, n)
    return {"zip": 1_000 + zip, "sex": rng.integers(0, 2, n), "pay": pay}


def with_percentile(seed: int = 27, n: int = 3_000) -> Columns:
    """Pay, and in which hundredth of the pays it lies."""
    rng = np.random.default_rng(seed)
    pay = np.round(rng.lognormal(8, 0.4, n)).astype(int)
    rank = np.argsort(np.argsort(pay, kind="stable"), kind="stable")
    return {"age": 5 * rng.integers(4, 13, n), "sex": rng.integers(0, 2, n), "percentile": rank * 100 // n, "pay": pay}


def rare_apart(seed: int = 28, n: int = 3_000, rare: int = 30) -> Columns:
    """Large groups of equal details, and some people with details of their own who all have one illness."""
    rng = np.random.default_rng(seed)
    apart = np.arange(n) < rare
    return {
        "age": np.where(apart, rng.integers(91, 105, n), 10 * rng.integers(2, 8, n)),
        "zip": np.where(apart, rng.integers(2_000, 3_000, n), 100 * rng.integers(10, 16, n)),
        "illness": np.where(apart, "rare", [f"d{value}" for value in rng.integers(0, 5, n)]),
    }


def noted(seed: int = 29, n: int = 2_000) -> Columns:
    """An illness, and a sentence that somebody wrote about it."""
    rng = np.random.default_rng(seed)
    ill = rng.integers(0, 4, n)
    words = ("has trouble with the heart", "came with a broken leg", "was treated for asthma", "suffers from gout")
    whose = ("The patient", "This person", "A regular visitor")
    return {
        "age": 5 * rng.integers(4, 13, n),
        "sex": rng.integers(0, 2, n),
        "illness": [f"d{value}" for value in ill],
        "note": [f"{whose[at % 3]} {words[value]}." for at, value in enumerate(ill)],
    }


def copied(seed: int = 2, n: int = 4_000) -> Columns:
    """Five even diagnoses beside three details, and the same diagnoses in codes."""
    table = dict(diagnoses(seed, n))
    return {**table, "code": [f"{'KXBQM'[int(each[1])]}-{each[1]}" for each in table["diagnosis"]]}


def measured_twice(seed: int = 4, n: int = 4_000) -> Columns:
    """One confidential number in two columns."""
    table = dict(measured("normal", seed, n))
    return {**table, "again": table["value"]}


def two_currencies(seed: int = 9, n: int = 4_000) -> Columns:
    """A salary in two currencies, each rounded to whole units."""
    rng = np.random.default_rng(seed)
    euro = np.round(30_000 * rng.lognormal(0, 0.4, n))
    return {
        "age": rng.integers(0, 10, n),
        "sex": rng.integers(0, 2, n),
        "euro": euro.astype(int),
        "dollar": np.round(1.0837 * euro).astype(int),
    }


def parts_of_a_total(seed: int = 10, n: int = 3_000) -> Columns:
    """Three amounts and their total."""
    rng = np.random.default_rng(seed)
    parts = [np.round(1_000 * rng.lognormal(0, 0.6, n)).astype(int) for _ in range(3)]
    names = dict(zip("abc", parts, strict=True))
    return {"age": rng.integers(0, 10, n), "sex": rng.integers(0, 2, n), **names, "total": sum(parts)}


def german_credit(seed: int = 31, n: int = 1_000) -> Columns:
    """A thousand borrowers in the shape of the public set German credit."""
    rng = np.random.default_rng(seed)
    months = np.clip(6 * rng.poisson(3.5, n), 6, 60)
    amount = np.clip(np.round(180 * months * rng.lognormal(-0.25, 0.5, n)), 250, 18_000).astype(int)
    bad = rng.random(n) < np.clip(0.12 + 0.008 * months, 0, 0.8)
    return {
        "age": np.clip(np.round(19 + rng.gamma(2.0, 8.0, n)), 19, 75).astype(int),
        "personal": rng.choice(
            ["male single", "female", "male married", "male divorced"], n, p=[0.55, 0.31, 0.09, 0.05]
        ),
        "job": rng.choice(["skilled", "unskilled", "management", "none"], n, p=[0.63, 0.2, 0.15, 0.02]),
        "housing": rng.choice(["own", "rent", "free"], n, p=[0.71, 0.18, 0.11]),
        "months": months,
        "amount": amount,
        "risk": np.where(bad, "bad", "good"),
    }


def breast_cancer(seed: int = 32, n: int = 286) -> Columns:
    """Patients in the shape of the public set Breast cancer: seven clinical columns, and whether it came back."""
    rng = np.random.default_rng(seed)
    back = rng.random(n) < 0.3
    worse = back.astype(int) + rng.integers(0, 3, n)
    return {
        "age": rng.choice(["30-39", "40-49", "50-59", "60-69"], n, p=[0.14, 0.32, 0.34, 0.2]),
        "menopause": rng.choice(["premeno", "ge40"], n, p=[0.55, 0.45]),
        "tumor-size": [
            f"{5 * size}-{5 * size + 4}" for size in np.clip(rng.normal(4.5 + back, 2, n), 0, 10).astype(int)
        ],
        "inv-nodes": [f"{3 * count}+" for count in np.minimum(rng.poisson(0.3 + 0.6 * back), 5)],
        "node-caps": np.where(rng.random(n) < 0.1 + 0.25 * back, "yes", "no"),
        "deg-malig": np.clip(worse, 1, 3),
        "breast": rng.choice(["left", "right"], n),
        "breast-quad": rng.choice(["left low", "left up", "right up", "right low", "central"], n),
        "irradiat": np.where(rng.random(n) < 0.16 + 0.2 * back, "yes", "no"),
        "class": np.where(back, "recurrence", "no recurrence"),
    }


USUAL_REMARKS = ("came as planned", "did not come", "called the day before", "wants a letter", "was sent home")


def remarks(*rare: str, seed: int = 33, n: int = 1_200) -> Columns:
    """Remarks of five phrases, and some that one person wrote each, beside an illness."""
    rng = np.random.default_rng(seed)
    texts = np.concatenate([np.array(rare, dtype=object), rng.choice(USUAL_REMARKS, n - len(rare)).astype(object)])
    return {
        "ward": rng.integers(0, 6, n),
        "sex": rng.integers(0, 2, n),
        "illness": [f"d{value}" for value in rng.integers(0, 5, n)],
        "remark": rng.permutation(texts),
    }
