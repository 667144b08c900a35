"""Fourteen invented tables about people, of the kinds that officers bring, with what always holds in each."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from tests.benchmarks.believable_truths import Truth

CITIES = {
    "Netherlands": "Delft Leiden Utrecht",
    "Belgium": "Ghent Antwerp",
    "Germany": "Bonn Essen Kiel",
    "France": "Lille",
}
JOBS = {
    "Sales": "representative manager assistant",
    "Research": "chemist engineer manager",
    "Office": "clerk assistant",
    "IT": "developer administrator manager",
    "Logistics": "driver packer",
}
DIAGNOSES = {
    "surgery": "fracture hernia appendicitis",
    "medicine": "pneumonia diabetes hypertension stroke",
    "children": "asthma fracture infection",
    "birth": "birth caesarean",
}
DEGREES = ("none", "school", "apprenticeship", "bachelor", "master")


class Draw:
    """Draws columns of one table."""

    def __init__(self, seed: int, rows: int) -> None:
        self.rng, self.rows = np.random.default_rng(seed), rows

    def pick(self, values: str, shares: Sequence[float] | None = None) -> np.ndarray:
        """Return words, the first ones more frequent where no shares are given."""
        words = values.split()
        weights = np.array(shares or 1 / np.arange(1, len(words) + 1) ** 0.7)
        return np.asarray(self.rng.choice(words, self.rows, p=weights / weights.sum()))

    def pick_by(self, keys: np.ndarray, words: Mapping[str, str]) -> np.ndarray:
        """Return for each row one of the words that go with its key."""
        return np.array([self.rng.choice(words[key].split()) for key in keys])

    def bell(self, middle: Any, spread: float, low: float, high: float, step: float = 1) -> np.ndarray:
        """Return multiples of a step around a middle, within a range."""
        values = np.round(self.rng.normal(middle, spread, self.rows) / step) * step
        values = np.asarray(np.clip(values, low, high))
        return values.round(2) if step < 1 else values.astype(int)

    def skewed(self, middle: Any, spread: float, step: int = 1, zero: float = 0.0) -> np.ndarray:
        """Return amounts with a long upper tail, a share of them zero."""
        values = middle * self.rng.lognormal(0, spread, self.rows)
        values = np.round(values / step) * (self.rng.random(self.rows) >= zero)
        return np.asarray(values).astype(int) * step

    def yes(self, score: Any, share: float = 0.5) -> np.ndarray:
        """Return yes more often where a score is high."""
        chance = 1 / (1 + np.exp(-np.asarray(score, dtype=float) - np.log(share / (1 - share))))
        return np.where(self.rng.random(self.rows) < chance, "yes", "no")

    def days(self, first: str, count: int) -> np.ndarray:
        """Return days of a period."""
        return np.datetime64(first) + self.rng.integers(0, count, self.rows)

    def answers(self, names: Sequence[str], mood: np.ndarray, low: int, high: int) -> dict[str, np.ndarray]:
        """Return answers on one scale, which go with a mood of mean 0 and spread 1."""
        middle, width = (low + high) / 2, (high - low) / 4
        return {name: self.bell(middle + width * mood * self.rng.uniform(0.2, 1), width, low, high) for name in names}


def scaled(values: np.ndarray) -> np.ndarray:
    """Return numbers with mean 0 and spread 1."""
    return np.asarray((values - values.mean()) / max(values.std(), 1e-9))


def _employees(draw: Draw) -> dict[str, Any]:
    country, department = draw.pick("Netherlands Belgium Germany France"), draw.pick(" ".join(JOBS))
    job, age = draw.pick_by(department, JOBS), draw.bell(41, 11, 18, 66)
    senior = (job == "manager") * 1.0
    salary = draw.skewed(30_000 + 250 * age + 18_000 * senior, 0.15, 500)
    bonus = draw.skewed(1_500 + 4_000 * senior, 0.5, 50, zero=0.45)
    hired = draw.days("2005-01-01", 6_000)
    last = hired + draw.rng.integers(30, 3_000, draw.rows)
    left = [day if has_left else None for day, has_left in zip(last, draw.rng.random(draw.rows) < 0.15, strict=True)]
    more = draw.answers(("satisfaction", "workload"), draw.rng.normal(0, 1, draw.rows), 0, 10)
    return {
        "age": age, "gender": draw.pick("female male diverse", (0.48, 0.51, 0.01)), "country": country,
        "city": draw.pick_by(country, CITIES), "department": department, "job": job, "hired": hired, "left": left,
        "salary": salary, "bonus": bonus, "total_pay": salary + bonus, "sick_days": draw.skewed(5, 0.9, zero=0.3),
        **more,
    }  # fmt: skip


def _survey(draw: Draw) -> dict[str, Any]:
    mood, age = draw.rng.normal(0, 1, draw.rows), draw.bell(46, 18, 12, 90)
    degree = np.where(age < 19, "none", draw.pick(" ".join(DEGREES), (0.1, 0.3, 0.3, 0.2, 0.1)))
    answers = draw.answers([f"q{number:02}" for number in range(1, 19)], mood, 0, 10)
    return {
        "age": age, "gender": draw.pick("woman man genderfluid", (0.52, 0.479, 0.001)), "degree": degree,
        "state": draw.pick("north south east west centre coast"), "household": draw.bell(2.3, 1.2, 1, 7),
        "works": draw.yes((age < 65) * 2 - 1), **answers, "votes": draw.yes(1.2 * mood + (age - 46) / 30, 0.6),
        "income_band": draw.pick("low middle high none"),
    }  # fmt: skip


def _stays(draw: Draw) -> dict[str, Any]:
    ward, age = draw.pick(" ".join(DIAGNOSES)), draw.bell(55, 21, 0, 98)
    age = np.where(ward == "children", age % 16, np.maximum(age, 18))
    admitted, nights = draw.days("2024-01-01", 700), draw.skewed(3 + age / 25, 0.6)
    rate = np.where(ward == "surgery", 900, 450)
    return {
        "age": age, "sex": np.where(ward == "birth", "F", draw.pick("F M")),
        "postcode": draw.bell(38_100, 30, 38_000, 38_199), "admitted": admitted, "discharged": admitted + nights,
        "ward": ward, "diagnosis": draw.pick_by(ward, DIAGNOSES), "nights": nights,
        "cost": draw.skewed(rate * (nights + 1), 0.2, 10), "insurance": draw.pick("public private none"),
        "intensive": draw.yes(age / 40 - 2, 0.3), "drugs": draw.skewed(3, 0.5),
        "weight": draw.bell(40 + age / 2, 12, 3, 140), "again": draw.yes(scaled(nights) + scaled(age), 0.25),
    }  # fmt: skip


def _loans(draw: Draw) -> dict[str, Any]:
    age, own = draw.bell(42, 12, 18, 75), draw.skewed(2_600, 0.4, 10)
    partner = draw.skewed(1_800, 0.4, 10, zero=0.5)
    amount = draw.skewed((own + partner) * 4, 0.5, 500)
    score = scaled(own + partner) - scaled(amount)
    return {
        "age": age, "sex": draw.pick("m f"), "married": draw.yes(partner > 0, 0.6), "children": draw.bell(1, 1, 0, 5),
        "degree": draw.pick(" ".join(DEGREES[1:])), "area": draw.pick("town village suburb"), "income": own,
        "partner_income": partner, "joint_income": own + partner, "amount": amount,
        "months": draw.rng.choice([12, 24, 36, 48, 60, 84], draw.rows), "history": draw.pick("good poor unknown"),
        "paid_back": draw.yes(1.3 * score, 0.75),
    }  # fmt: skip


def _school(draw: Draw) -> dict[str, Any]:
    talent = draw.rng.normal(0, 1, draw.rows)
    marks = {name: draw.bell(66 + 11 * talent, 8, 0, 100) for name in ("maths", "reading", "writing")}
    return {
        "gender": draw.pick("girl boy"), "class": draw.pick("9a 9b 10a 10b 10c"), "lunch": draw.pick("paid free"),
        "parents": draw.pick(" ".join(DEGREES)), "course": draw.pick("no yes"), **marks, "points": sum(marks.values()),
        "absent": draw.skewed(4, 0.8, zero=0.3),
    }  # fmt: skip


def _cards(draw: Draw) -> dict[str, Any]:
    limit = draw.skewed(150_000, 0.7, 10_000) + 10_000
    late = {f"late_{month}": draw.bell(-0.3, 1, -1, 8) for month in range(1, 7)}
    bills = {f"bill_{month}": draw.skewed(limit * 0.25, 0.8) for month in range(1, 7)}
    paid = {f"paid_{month}": draw.skewed(3_000, 1.1, zero=0.2) for month in range(1, 7)}
    return {
        "limit": limit, "sex": draw.pick("1 2"), "education": draw.pick("2 1 3 4"), "marriage": draw.pick("2 1 3"),
        "age": draw.bell(36, 9, 21, 79), **late, **bills, **paid,
        "default": draw.yes(sum(late.values()) / 2 - scaled(limit), 0.25),
    }  # fmt: skip


def _charges(draw: Draw) -> dict[str, Any]:
    age, weight, smoker = draw.bell(39, 14, 18, 64), draw.bell(30, 6, 16, 53, 0.1), draw.yes(0, 0.2)
    price = 260 * age + (smoker == "yes") * (12_000 + 600 * (weight - 25))
    return {
        "age": age, "sex": draw.pick("male female"), "bmi": weight, "children": draw.bell(1, 1.2, 0, 5),
        "smoker": smoker, "region": draw.pick("northeast northwest southeast southwest"),
        "charges": draw.skewed(np.maximum(price, 1_000), 0.2),
    }  # fmt: skip


def _telephone(draw: Draw) -> dict[str, Any]:
    contract, months = draw.pick("monthly yearly two-years"), draw.skewed(20, 0.8)
    net = draw.pick("fibre cable none")
    services = {
        name: np.where(net == "none", "no-net", draw.yes(0, 0.4))
        for name in ("security", "backup", "support", "films", "music")
    }
    fee = draw.bell(25 + 45 * (net == "fibre") + 20 * (net == "cable"), 6, 18, 120, 0.05)
    lost = draw.yes(1.5 * (contract == "monthly") - scaled(months) + (net == "fibre"), 0.2)
    return {
        "gender": draw.pick("F M"), "senior": draw.pick("0 1", (0.84, 0.16)), "partner": draw.yes(0),
        "children": draw.yes(0, 0.3), "months": months, "phone": draw.yes(2), "lines": draw.bell(1, 0.7, 0, 3),
        "net": net, **services, "contract": contract, "paperless": draw.yes(0, 0.6),
        "payment": draw.pick("transfer card cheque electronic"), "fee": fee, "paid": np.round(fee * months, 2),
        "calls": draw.skewed(60, 0.7), "lost": lost,
    }  # fmt: skip


def _census(draw: Draw) -> dict[str, Any]:
    age, degree = draw.bell(40, 14, 17, 90), draw.pick(" ".join(DEGREES[1:]))
    learned = np.array([DEGREES.index(name) for name in degree])
    gain = draw.skewed(6_000, 0.9, zero=0.91)
    return {
        "age": age, "work": draw.pick("private self state none"), "degree": degree, "school_years": 8 + 3 * learned,
        "marital": draw.pick("married single divorced widowed"),
        "branch": draw.pick("trade craft office service farm teaching"), "race": draw.pick("a b c d"),
        "sex": draw.pick("m f"), "gain": gain, "hours": draw.bell(40, 11, 1, 99),
        "land": draw.pick(" ".join(f"land{number:02}" for number in range(1, 31)), (40, *[1.0] * 29)),
        "rich": draw.yes(learned - 3 + scaled(age) + (gain > 0), 0.3),
    }  # fmt: skip


def _graduates(draw: Draw) -> dict[str, Any]:
    talent, born = draw.rng.normal(0, 1, draw.rows), draw.days("1988-01-01", 2_500)
    year = born.astype("datetime64[Y]").astype(int) + 1970
    tests = {
        name: draw.bell(500 + 80 * talent, 60, 100, 900, 5)
        for name in ("english", "logic", "quant", "code", "circuits")
    }
    traits = {f"trait_{name}": draw.bell(0, 1, -4, 4, 0.01) for name in ("open", "careful", "social", "kind", "calm")}
    return {
        "gender": draw.pick("m f"), "born": born,
        "state": draw.pick(" ".join(f"state{number}" for number in range(12))), "degree": draw.pick("bachelor master"),
        "subject": draw.pick("computing electronics machines civil"),
        "school_percent": draw.bell(75 + 8 * talent, 6, 40, 99, 0.1),
        "final_percent": draw.bell(70 + 7 * talent, 6, 40, 99, 0.1), "graduated": year + 22, **tests, **traits,
        "tier": draw.pick("2 1", (0.9, 0.1)), "salary": draw.skewed(300_000 * np.exp(0.3 * talent), 0.3, 5_000),
    }  # fmt: skip


def _screening(draw: Draw) -> dict[str, Any]:
    age, smokes = draw.bell(50, 9, 32, 70), draw.yes(0)
    upper = draw.bell(90 + age * 0.85, 17, 85, 250)
    sick = draw.yes(scaled(age) + scaled(upper) + (smokes == "yes"), 0.12)
    return {
        "male": draw.pick("0 1"), "age": age, "education": draw.pick("1 2 3 4"), "smokes": smokes,
        "cigarettes": np.where(smokes == "yes", draw.bell(15, 9, 1, 60), 0), "pressure_drugs": draw.yes(0, 0.03),
        "stroke": draw.yes(0, 0.006), "diabetes": draw.yes(0, 0.03), "cholesterol": draw.bell(236, 44, 107, 600),
        "upper": upper, "lower": np.minimum(draw.bell(upper * 0.6, 7, 45, 150), upper - 5),
        "bmi": draw.bell(26, 4, 15, 57, 0.1), "pulse": draw.bell(76, 12, 44, 143), "glucose": draw.skewed(80, 0.2),
        "sick": sick,
    }  # fmt: skip


def _marketing(draw: Draw) -> dict[str, Any]:
    wealth = draw.rng.normal(0, 1, draw.rows)
    spent = {
        f"spent_{name}": draw.skewed(100 * np.exp(wealth), 0.6, zero=0.05)
        for name in ("wine", "fruit", "meat", "fish", "sweets")
    }
    counts = {
        f"buys_{name}": draw.bell(4 + wealth, 2, 0, 14) for name in ("web", "shop", "catalogue", "offers", "visits")
    }
    taken = {f"campaign_{number}": draw.yes(wealth, 0.08) for number in range(1, 6)}
    return {
        "born": draw.bell(1969, 12, 1940, 1996), "degree": draw.pick(" ".join(DEGREES)),
        "marital": draw.pick("married together single divorced widow"),
        "income": draw.skewed(50_000 * np.exp(0.35 * wealth), 0.15), "kids": draw.bell(0.4, 0.6, 0, 2),
        "teens": draw.bell(0.5, 0.6, 0, 2), "since": draw.days("2012-07-01", 700),
        "recency": draw.rng.integers(0, 100, draw.rows), **spent, "spent": sum(spent.values()), **counts, **taken,
        "complains": draw.yes(0, 0.01), "country": draw.pick("ES CA US AUS GER IND SA ME"),
        "responds": draw.yes(1.2 * wealth, 0.15),
    }  # fmt: skip


def _offences(draw: Draw) -> dict[str, Any]:
    age, priors = draw.bell(34, 11, 18, 80), draw.skewed(3, 0.9, zero=0.3)
    jailed, nights = draw.days("2013-01-01", 700), draw.skewed(9, 1.2)
    return {
        "age": age, "sex": draw.pick("male female", (0.8, 0.2)), "race": draw.pick("a b c d e f"), "priors": priors,
        "juvenile": draw.skewed(1, 0.5, zero=0.9), "charge": draw.pick("theft drugs assault driving fraud arson"),
        "degree": draw.pick("felony misdemeanour"), "jailed": jailed, "freed": jailed + nights,
        "score": draw.bell(4 + priors / 3, 2, 1, 10), "again": draw.yes(scaled(priors) - scaled(age), 0.45),
    }  # fmt: skip


def _patients(draw: Draw) -> dict[str, Any]:
    mood, age = draw.rng.normal(0, 1, draw.rows), draw.bell(44, 15, 18, 85)
    first = draw.answers([f"before_{number:02}" for number in range(1, 16)], mood, 1, 5)
    second = draw.answers([f"after_{number:02}" for number in range(1, 16)], mood + 0.5, 1, 5)
    return {
        "age": age, "sex": draw.pick("f m"), "marital": draw.pick("married single divorced"),
        "district": draw.pick("n s e w"), "job": draw.pick("employed none pension student"),
        "disorder": draw.pick("depression anxiety addiction eating psychosis"), "drug": draw.yes(0), **first, **second,
        "sum_before": sum(first.values()), "sum_after": sum(second.values()), "recovered": draw.yes(1.5 * mood, 0.5),
    }  # fmt: skip


@dataclass(frozen=True)
class InventedTable:
    """A table that can be drawn in any size.

    Attributes
    ----------
    make
        Returns its columns.
    rows
        How many people it has.
    known, secret
        Columns that others know and confidential ones, parted by spaces; the others are "other".
    codes
        Columns whose numbers are codes.
    target
        What a model has to predict.
    truths
        What always holds.
    """

    make: Callable[[Draw], dict[str, Any]]
    rows: int
    known: str
    secret: str
    target: str
    codes: str = ""
    truths: tuple[Truth, ...] = ()

    def frame(self, seed: int, rows: int | None = None) -> pd.DataFrame:
        """Return the table with all cells as texts."""
        columns = self.make(Draw(seed, rows or self.rows))
        return pd.DataFrame(
            {name: ["" if value is None else str(value) for value in columns[name]] for name in columns}
        )


PUBLIC_FILES: Mapping[str, tuple[str, str, str]] = {
    "adult_train": (
        "age education education-num marital-status occupation race sex native-country",
        "class capital-gain capital-loss",
        "class",
    ),
    "pima": ("age pregnancies bmi", "class glucose", "class"),
    "haberman": ("age operation_year", "survival_status positive_axillary_nodes", "survival_status"),
    "casc_census": ("AGI FEDTAX", "PTOTVAL INTVAL", "TAXINC"),
    "bupa": ("mcv alkphos", "drinks selector", "selector"),
    "abalone": ("sex length rings", "whole_weight", "whole_weight"),
    "casc_tarragona": ("SALES LABOR.COSTS", "NET.PROFIT", "NET.PROFIT"),
}
"""By file of the folder of public data sets: columns that others know, confidential ones, and a model's target."""


@dataclass(frozen=True)
class Source:
    """A file to be released, and people of the same kind who are not in it.

    Attributes
    ----------
    name
        What it is called.
    people, held_out
        The file and the other people, all cells as texts.
    known, secret, target, codes, truths
        As of ``InventedTable``.
    path
        The file itself where a recipe for each type lies beside it; then nobody is held out.
    """

    name: str
    people: pd.DataFrame
    held_out: pd.DataFrame
    known: str
    secret: str
    target: str
    codes: str = ""
    truths: tuple[Truth, ...] = ()
    path: Path | None = None

    def recipe(self, type: str) -> dict[str, Any]:
        """Return the recipe beside the file, or one without steps with the roles that a sensible person would give."""
        if self.path is not None:
            return tomllib.loads(self.path.with_suffix(f".{type}.toml").read_text(encoding="utf-8"))
        return recipe_of(list(self.people), self.known, self.secret, type, codes=self.codes)


def sources(data: Path | None, only: Sequence[str] = ()) -> Iterator[Source]:
    """Yield a folder's files with recipes beside, or else the invented tables and the folder's public data sets.

    Of the latter a quarter is held out.
    """
    own_files = sorted(data.glob("*.research.toml")) if data is not None else []
    for path in (recipe.with_name(recipe.name.replace(".research.toml", ".csv")) for recipe in own_files):
        if not only or path.stem in only:
            frame = pd.read_csv(path, dtype=str, keep_default_na=False)
            yield Source(path.stem, frame, frame.iloc[:0], "", "", "", path=path)
    if own_files:
        return
    for name, table in TABLES.items():
        if not only or name in only:
            people, held_out = table.frame(1), table.frame(2, 4_000)
            yield Source(name, people, held_out, table.known, table.secret, table.target, table.codes, table.truths)
    for name, (known, secret, target) in PUBLIC_FILES.items() if data is not None else ():
        if data is not None and (not only or name in only):
            frame = pd.read_csv(data / f"{name}.csv", dtype=str, keep_default_na=False)
            held_out = frame.sample(frac=0.25, random_state=1)
            yield Source(name, frame.drop(held_out.index), held_out, known, secret, target)


def released_frame(table: Any) -> pd.DataFrame:
    """Return the columns of a table of the program, of this commit or an older one, as texts."""
    return pd.DataFrame({column.name: np.array(column.texts, dtype=object)[column.codes] for column in table.columns})


def recipe_of(names: Sequence[str], known: str, secret: str, type: str, *, codes: str = "") -> dict[str, Any]:
    """Return a recipe as plain data: columns by role, parted by spaces, and whose numbers are codes."""
    roles = dict.fromkeys(names, "other")
    for role, of_role in (("quasi-identifier", known), ("confidential", secret)):
        roles |= dict.fromkeys(of_role.split(), role)
    kinds = dict.fromkeys(codes.split(), {"kind": "nominal"})
    return {
        "recipe": 1,
        "input": {"one_row_per_person": True},
        "columns": {name: {"role": role, **kinds.get(name, {})} for name, role in roles.items()},
        "release": {"type": type, **({"agreement": True} if type == "research" else {})},
    }


def _within(names: str, low: float, high: float = np.inf) -> tuple[Truth, ...]:
    return tuple(Truth("range", (name,), low=low, high=high) for name in names.split())


def _together(first: str, second: str, words_of: Mapping[str, str]) -> Truth:
    pairs = frozenset((key, word) for key, words in words_of.items() for word in words.split())
    return Truth("pair", (first, second), pairs)


_ANSWERS = " ".join(f"q{number:02}" for number in range(1, 19))
_BEFORE_AND_AFTER = " ".join(f"{when}_{number:02}" for when in ("before", "after") for number in range(1, 16))
_BILLS = " ".join(f"{name}_{month}" for month in range(1, 7) for name in ("bill", "paid"))
TABLES: Mapping[str, InventedTable] = {
    "employees": InventedTable(
        _employees,
        1_000,
        "age gender country city department job hired",
        "salary bonus total_pay left sick_days satisfaction",
        "salary",
        truths=(
            _together("country", "city", CITIES),
            _together("department", "job", JOBS),
            Truth("order", ("hired", "left")),
            Truth("sum", ("salary", "bonus", "total_pay")),
            *_within("satisfaction", 0, 10),
            *_within("bonus", 0),
        ),
    ),
    "survey": InventedTable(
        _survey,
        1_778,
        "age gender degree state household works",
        "votes income_band q01 q02",
        "votes",
        truths=(*_within(_ANSWERS, 0, 10), *_within("household", 1)),
    ),
    "stays": InventedTable(
        _stays,
        5_000,
        "age sex postcode admitted ward",
        "diagnosis cost intensive again",
        "again",
        truths=(
            _together("ward", "diagnosis", DIAGNOSES),
            Truth("order", ("admitted", "discharged")),
            *_within("cost nights", 0),
            *_within("age", 0, 98),
        ),
    ),
    "loans": InventedTable(
        _loans,
        4_000,
        "age sex married children degree area",
        "income partner_income joint_income amount history paid_back",
        "paid_back",
        truths=(
            Truth("sum", ("income", "partner_income", "joint_income")),
            Truth("order", ("income", "joint_income")),
            *_within("children", 0, 5),
        ),
    ),
    "school": InventedTable(
        _school,
        800,
        "gender class parents",
        "lunch maths reading writing points",
        "maths",
        truths=_within("maths reading writing", 0, 100),
    ),
    "cards": InventedTable(
        _cards,
        30_000,
        "sex education marriage age",
        "limit default",
        "default",
        codes="sex education marriage",
        truths=(*_within(_BILLS, 0), *_within("age", 21), *_within("limit", 0)),
    ),
    "charges": InventedTable(
        _charges,
        1_338,
        "age sex children region",
        "smoker charges",
        "charges",
        truths=(*_within("charges", 0), *_within("children", 0, 5)),
    ),
    "telephone": InventedTable(
        _telephone,
        7_000,
        "gender senior partner children",
        "fee paid lost",
        "lost",
        codes="senior",
        truths=(
            _together("net", "films", {"none": "no-net", "fibre": "yes no", "cable": "yes no"}),
            *_within("paid", 0),
        ),
    ),
    "census": InventedTable(
        _census,
        12_000,
        "age degree school_years marital branch race sex land",
        "gain rich",
        "rich",
        truths=(
            _together("degree", "school_years", {DEGREES[place]: str(8 + 3 * place) for place in range(1, 5)}),
            *_within("gain", 0),
        ),
    ),
    "graduates": InventedTable(
        _graduates,
        2_998,
        "gender born state degree subject graduated",
        "salary",
        "salary",
        codes="tier",
        truths=(*_within("final_percent", 0, 100), *_within("english", 100, 900)),
    ),
    "screening": InventedTable(
        _screening,
        4_240,
        "male age education",
        "smokes stroke diabetes sick",
        "sick",
        codes="male education",
        truths=(Truth("order", ("lower", "upper")), *_within("cigarettes", 0)),
    ),
    "marketing": InventedTable(
        _marketing,
        2_240,
        "born degree marital kids teens country",
        "income",
        "responds",
        truths=(*_within("recency", 0, 99), *_within("spent_wine spent_fruit spent_meat", 0)),
    ),
    "offences": InventedTable(
        _offences,
        6_172,
        "age sex race",
        "priors juvenile charge score again",
        "again",
        truths=(Truth("order", ("jailed", "freed")), *_within("score", 1, 10), *_within("priors", 0)),
    ),
    "patients": InventedTable(
        _patients,
        700,
        "age sex marital district job",
        "disorder drug recovered sum_before sum_after",
        "recovered",
        truths=_within(_BEFORE_AND_AFTER, 1, 5),
    ),
}
