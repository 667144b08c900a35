"""The fresh set: twenty leaks and ten honest releases by somebody who knew the manual but no rule of the gate.

It was written after the rules and judged once. Here are its tables and, for each leak, what an intruder reads from
the released file. What was done to the tables stands in ``fresh.toml``.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from tests.corpus.case import Case
from tests.corpus.drawn import Draw, Generator, by, days, few, made, normal, pick, scattered, size_of, where, without
from tests.corpus.recipes import RECIPES, cases_of
from tests.corpus.tables import Columns

WORDS: dict[str, list[str]] = RECIPES["fresh_words"]
SURNAMES = tuple(map("".join, product(WORDS["surname_starts"], WORDS["surname_ends"])))
PLACES = [start + end for start, end in product(WORDS["place_starts"], WORDS["place_ends"])]
MEDICINES = {line.split()[0]: tuple(line.split()[1:]) for line in WORDS["medicines"]}
DIAGNOSIS_OF = {medicine: diagnosis for diagnosis, medicines in MEDICINES.items() for medicine in medicines}
DOCTORS = [f"Dr. {first[0]}. {last}" for first, last in zip(WORDS["first"] * 3, SURNAMES[::5], strict=False)][:40]
SEX, AREAS = ["f", "m"], ["North", "East", "South", "West"]


Facts = Callable[[Any], Any]
"""Reads known columns and a fact, the last column, from a table of texts."""


# --- columns --------------------------------------------------------------------------------------


def names(generator: Generator, table: Columns) -> Any:
    """Draw a different full name for everybody, the surname first."""
    every = [f"{last}, {first}" for last, first in product(SURNAMES, WORDS["first"])]
    return generator.permutation(np.array(every, dtype=object))[: size_of(table)]


def given_first(name: str) -> str:
    """Return a name as it is spoken."""
    return " ".join(reversed(name.split(", ")))


def computed(values: Callable[[Generator, Any], Any]) -> Draw:
    """Work a column out from the columns before it, given as a frame, and a generator."""
    return lambda generator, table: np.asarray(values(generator, pd.DataFrame(dict(table))))


def state_of_case(generator: Generator, table: Columns) -> Any:
    """Draw the state of a case, for one in twelve a sentence that names the client."""
    remarks = [generator.choice(WORDS["remarks"]).format(given_first(name)) for name in table["Client"]]
    return np.where(generator.random(len(remarks)) < 0.08, remarks, generator.choice(WORDS["states"], len(remarks)))


def digest(text: str) -> str:
    """Return the number that an association's web page says it makes of name and birthday."""
    return hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()[:12]


def distances(generator: Generator, table: Columns) -> Any:
    """Draw the distances of one home to three hospitals, in kilometres."""
    home = generator.random((size_of(table), 1, 2)) * 30
    return np.sqrt(((home - np.array([[3, 4], [26, 7], [14, 27]])) ** 2).sum(axis=2)).round(2)


def near(mean: Callable[[Any], Any] | float, sd: float, digits: int = 0) -> Draw:
    """Draw numbers about a mean that goes with what a person's other columns say."""

    def draw(generator: Generator, people: Any) -> Any:
        drawn = generator.normal(mean(people) if callable(mean) else mean, sd, len(people)).round(digits)
        return drawn if digits else drawn.astype(int)

    return computed(draw)


def by_score(labels: str, cuts: Sequence[float], score: Callable[[Any], Any], sd: float = 1) -> Draw:
    """Draw one of several ordered words, written "low|high", by a score that goes with the columns before it."""
    ordered = np.array(labels.split("|"), dtype=object)
    return computed(
        lambda generator, people: ordered[np.digitize(score(people) + generator.normal(0, sd, len(people)), cuts)]
    )


def opinion(weight: float) -> Draw:
    """Draw an answer that goes with what a person thinks in general."""
    return by_score("|".join(WORDS["agree"]), (-1.2, -0.4, 0.4, 1.2), lambda people: weight * people["view"], 0.8)


# --- tables that are not drawn column by column -----------------------------------------------------


def homes() -> Columns:
    """Return people with the way from their home to three hospitals."""
    diagnoses = pick("depression", "psychosis", "addiction", "anxiety", "eating disorder", "dementia")
    table = dict(made(scattered(1_000, Region=AREAS, Sex=SEX, Age=(18, 88)), Name=names, ways=distances)())
    ways = table.pop("ways").T
    table |= {f"Way to {name} (km)": way for name, way in zip(("St Anne", "Mercy", "University"), ways, strict=True)}
    return table | {"Diagnosis": diagnoses(np.random.default_rng(4), table)}


def offices() -> Columns:
    """Return two rows for each office, with its head and without."""
    generator, rows = np.random.default_rng(9), []
    for place in PLACES[:110]:
        days_ill, ages = generator.poisson(9, generator.integers(13, 24)), generator.integers(28, 60, 23)
        with_head = np.append(days_ill, generator.choice([0, 2, 5, 40, 95, 130], p=[0.25, 0.25, 0.2, 0.1, 0.1, 0.1]))
        for scope, values in (("all staff", with_head), ("without management", days_ill)):
            count = len(values)
            rows.append((f"{place} office", scope, count, ages[:count].mean().round(1), values.mean().round(2)))
    titles = ("Office", "Scope", "Number of people", "Mean age", "Mean days of sick leave")
    return dict(zip(titles, zip(*rows, strict=True), strict=True))


def schools() -> Columns:
    """Return the sick days of each school, and of its teachers with a severe disability."""
    generator, rows = np.random.default_rng(10), []
    for place in [*PLACES, *(f"{place} II" for place in PLACES)]:
        disabled = int(generator.choice([0, 1, 6, 7, 9], p=[0.3, 0.35, 0.15, 0.1, 0.1]))
        days_ill = generator.choice([3, 12, 45, 80, 110], max(disabled, 1)).mean().round(1)
        means = generator.normal([46, 9], [3, 2]).round(1)
        count = generator.integers(18, 48)
        rows.append((f"School {place}", count, means[0], disabled, means[1], days_ill if disabled else ""))
    kind = "Sick days, mean"
    titles = (
        "School",
        "Number of people",
        "Mean age",
        "Of these with a severe disability",
        f"{kind} of all",
        f"{kind} with disability",
    )
    return dict(zip(titles, zip(*rows, strict=True), strict=True))


def visits() -> Columns:
    """Return a dozen and more visits of each patient, numbered."""
    patients = scattered(180, Village=PLACES[60:78], Sex=SEX, Age=(20, 80))
    people = pd.DataFrame(made(patients, Name=names, hiv=few(0.2, 1, 0))())
    generator = np.random.default_rng(11)
    rows = people.loc[people.index.repeat(generator.integers(12, 19, len(people)))]
    ill = generator.choice([*WORDS["hiv_services"], "flu shot"], len(rows))
    well = generator.choice([*WORDS["services"], "HIV test"], len(rows), p=[*[0.98 / 7] * 7, 0.02])
    rows = rows.assign(Visit=rows.groupby(level=0).cumcount() + 1, Service=np.where(rows["hiv"] == 1, ill, well))
    return dict(rows.drop(columns="hiv").sample(frac=1, random_state=2).items())


def modules() -> Columns:
    """Return both modules of a survey, one under the other, with the same weights."""
    areas = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"]
    people = pd.DataFrame(made(scattered(800, Region=areas, Age=(18, 78), Sex=SEX, Job=WORDS["jobs"]), Name=names)())
    generator = np.random.default_rng(20)
    people["Weight"] = np.exp(generator.normal(0, 0.4, len(people))).round(5)
    drugs = generator.choice(["never", "once", "monthly", "weekly"], len(people), p=[0.6, 0.2, 0.12, 0.08])
    income = generator.choice(["no", "a little", "much"], len(people), p=[0.6, 0.25, 0.15])
    first = people.assign(Module="A", Sex="not asked", Job="not asked", Answer=["drugs: " + text for text in drugs])
    second = people.assign(Module="B", Region="not asked", Age="", Answer=["undeclared income: " + t for t in income])
    return dict(pd.concat([first, second]).sample(frac=1, random_state=6).items())


def groups() -> Columns:
    """Return groups of people of a district, with shares of smokers rounded to five percent."""
    ages, educations = ("18-29", "30-44", "45-59", "60-74", "75+"), ("lower", "middle", "higher")
    frame = pd.DataFrame(product(PLACES[:12], ages, SEX, educations))
    frame.columns = ["District", "Age group", "Sex", "Education"]
    generator, rows = np.random.default_rng(1), len(frame)
    smokers = generator.normal(17 + 5 * (frame["Education"] == "lower") - 5 * (frame["Education"] == "higher"), 4)
    return dict(frame.items()) | {
        "Number of people": (generator.integers(34, 260, rows) / 10).round().astype(int) * 10,
        "Smokers in percent": (smokers.clip(5, 50) / 5).round().astype(int) * 5,
        "Mean satisfaction": generator.normal(6.8, 0.3, rows).round(1),
    }


def trial() -> Columns:
    """Return three visits of each patient of a trial."""
    people = pd.DataFrame(made(scattered(500, Sex=SEX, Age=(30, 80), Arm=["standard", "new"]))())
    generator = np.random.default_rng(12)
    base = 125 + 0.3 * (people["Age"] - 50) + generator.normal(0, 12, len(people))
    people["Patient no."] = [f"P{10_000 + 7 * number}" for number in range(len(people))]
    rows = people.loc[people.index.repeat(3)].assign(Visit=np.tile([1, 2, 3], len(people)))
    lowered = 4 * (rows["Arm"] == "new") * (rows["Visit"] - 1)
    pressure = base.loc[rows.index] - lowered + generator.normal(0, 6, len(rows))
    return dict(rows.assign(**{"Systolic pressure": pressure.round().astype(int)}).items())


TABLES: dict[str, Callable[..., Columns]] = {
    "l01 a payroll key that the handbook explains": made(
        scattered(
            2_000,
            Site=["North works", "South works", "Harbour", "City office"],
            Department=["Print shop", "Dispatch", "Accounts", "Sales", "Maintenance"],
            Age=(20, 65),
        ),
        Name=names,
        Overtime=pick("none", "low", "medium", "high", shares=(0.3, 0.3, 0.25, 0.15)),
        **{
            "Payroll key": where(
                {"Department": "Print shop"},
                pick("B2"),
                pick("A1", "A2", "B1", "C1", "B2", shares=(0.3, 0.3, 0.2, 0.15, 0.05)),
            )
        },
    ),
    "l02 the day of the clinic, five spellings": made(
        scattered(2_600, Village=PLACES[:2], Sex=SEX, Age=(20, 80), Day=["Mon", "Tue", "Wed", "Thu", "Fri"]),
        Patient=names,
        at_clinic=where({"Day": "Thu"}, few(0.98), pick("no")),
        Diagnosis=where({"at_clinic": "yes"}, pick(*WORDS["hiv"]), pick(*WORDS["common"])),
    ),
    "l03 one reason in three languages, for researchers": made(
        scattered(800, Gemeinde=PLACES[20:28], Geschlecht=SEX, Alter=(18, 70)),
        Anlass=where(
            {"Gemeinde": set(PLACES[20:22])},
            pick(*WORDS["alcohol"]),
            pick(*WORDS["troubles"], *WORDS["alcohol"][:2]),
        ),
        **{"Nom / Name": names},
    ),
    "l04 distances to three hospitals": homes,
    "l05 names in the state of the case": made(
        scattered(900, District=["Centre", "North", "South", "East"], Sex=SEX, Age=(18, 75)),
        Client=names,
        Debt=pick("under 5000", "5000 to 20000", "over 20000", shares=(0.4, 0.4, 0.2)),
        **{"State of the case": state_of_case},
    ),
    "l06 a hash of name and birthday": made(
        scattered(1_000, Region=AREAS, Sex=SEX),
        Name=names,
        Born=days("1945-01-01", 20_000),
        Therapy=pick("none", "antidepressant", "antipsychotic", "methadone", "interferon"),
        **{"Data set no.": computed(lambda generator, people: (people["Name"] + people["Born"]).map(digest))},
    ),
    "l07 averages of a count that change nothing": made(
        scattered(
            700,
            Branch=PLACES[40:52],
            Sex=SEX,
            Age=(19, 66),
            Job=["guard", "driver", "reception", "dog handler", "clerk"],
        ),
        Name=names,
        **{"Entries in criminal register": pick(0, 1, 2, 3, 5, shares=(0.78, 0.11, 0.06, 0.03, 0.02))},
    ),
    "l08 doctors who are not rows": made(
        scattered(1_600, District=["Centre", "North", "South", "East"], Sex=SEX, Age=(18, 85)),
        Patient=names,
        drunk=few(0.4),
        **{
            "Treated by": pick(*DOCTORS),
            "Finding": where(
                {"Treated by": set(DOCTORS[:12]), "drunk": "yes"},
                pick("impaired by alcohol"),
                pick("unfounded", "communication", "delay", "wrong treatment", "bill"),
            ),
        },
    ),
    "l09 two means whose difference is one person": offices,
    "l10 a mean of one person": schools,
    "l11 visits counted as people": visits,
    "l12 many numbers that mean poisoned": made(
        scattered(1_400, Sex=SEX, Age=(1, 80)),
        Name=names,
        Quarter=pick(*WORDS["quarters"], shares=(0.12, 0.2, 0.2, 0.16, 0.16, 0.16)),
        **{
            "Lead in blood": computed(
                lambda generator, people: np.where(
                    people["Quarter"] == "Hüttenweg",
                    generator.normal(66, 2, len(people)),
                    generator.lognormal(1.3, 0.55, len(people)),
                ).round(1)
            )
        },
    ),
    "l13 a running total": made(
        scattered(420, Sex=SEX, Age=(25, 90)),
        Donor=names,
        Donation=pick(
            *(20, 25, 30, 50, 75, 100, 150, 200, 250, 300, 500, 1_000, 5_000),
            shares=(0.1, 0.1, 0.1, 0.15, 0.1, 0.1, 0.08, 0.07, 0.06, 0.05, 0.05, 0.03, 0.01),
        ),
        **{"Account after entry": computed(lambda generator, people: 18_240 + people["Donation"].astype(int).cumsum())},
    ),
    "l14 a pass issued on a birthday": made(
        scattered(900, Municipality=PLACES[80:86], Sex=SEX),
        Name=names,
        Born=days("1930-01-01", 7_300),
        **{
            "Senior pass since": by(
                "Born", lambda born: f"{int(born[:4]) + 65}{born[4:8]}{min(int(born[8:]), 28):02d}"
            ),
            "Reason for care": pick("none", "dementia", "incontinence", "depression", "stroke", "addiction"),
        },
    ),
    "l15 the medicine beside a swapped diagnosis": made(
        scattered(900, District=PLACES[90:98], Sex=SEX, Age=(18, 85)),
        Patient=names,
        Diagnosis=pick(*MEDICINES, shares=(0.25, 0.1, 0.1, 0.1, 0.3, 0.15)),
        Medicine=computed(
            lambda generator, people: [MEDICINES[diagnosis][generator.integers(2)] for diagnosis in people["Diagnosis"]]
        ),
    ),
    "l16 years since school, which are the age": made(
        scattered(850, Municipality=PLACES[100:108], Sex=SEX, Age=(20, 70)),
        Name=names,
        **{
            "Years since compulsory school": by("Age", lambda age: age - 16),
            "Treatment last year": pick(*WORDS["treatments"]),
        },
    ),
    "l17 copies that keep a function only one person has": made(
        scattered(1_600, Region=AREAS, Sex=SEX, Age=(25, 70)),
        Name=names,
        Function=computed(
            lambda generator, people: [
                *generator.permutation([f"{office} {place}" for office, place in product(WORDS["offices"], PLACES)])[
                    :500
                ],
                *generator.choice(["clerk", "driver", "nurse", "farmer", "sales", "builder", "none"], 1_100),
            ]
        ),
        Insolvent=few(0.4),
    ),
    "l18 artificial rows that keep an employer of one": made(
        scattered(700, Sex=SEX, Age=(20, 65)),
        Name=names,
        Employer=computed(
            lambda generator, people: [
                *(f"{generator.choice(WORDS['shops'])} {surname}" for surname in SURNAMES[:200]),
                *generator.choice(["Steel works", "Hospital", "Town hall", "Post"], 500),
            ]
        ),
        BMI=near(26, 4, 1),
        **{"Addiction therapy": few(0.2)},
    ),
    "l19 a number that only the ill have, for researchers": made(
        scattered(900, District=PLACES[110:118], Sex=SEX, Age=(18, 85)),
        Patient=names,
        infected=few(0.13),
        Cholesterol=normal(200, 35),
        CD4=where({"infected": "yes"}, normal(480, 120), pick("")),
    ),
    "l20 one weight in both modules of a survey": modules,
    "h01 a table of groups": groups,
    "h02 a survey in broad classes": made(
        scattered(2_400, Region=AREAS, Sex=SEX, Age=(20, 80)),
        **{
            "Self-rated health": by_score(
                "very good|good|fair|poor", (-0.7, 0.4, 1.3), lambda people: 0.03 * (people["Age"] - 50)
            )
        },
    ),
    "h03 ranges in groups of twenty": made(
        scattered(2_000, Sex=SEX, Age=(18, 85)),
        **{
            "Household income (EUR)": computed(
                lambda generator, people: generator.lognormal(7.8, 0.4, len(people)).round(-1).astype(int)
            ),
            "Reason for visit": pick(
                *("back pain", "infection", "injury", "heart", "stomach"), shares=(0.28, 0.24, 0.2, 0.16, 0.12)
            ),
        },
    ),
    "h04 artificial rows of groups of fifteen": made(
        scattered(1_500, Sex=SEX, Age=(20, 80)),
        Height=near(lambda people: 165 + 12 * (people["Sex"] == "m"), 6.5),
        Weight=near(lambda people: 0.9 * (people["Height"] - 100) + 0.15 * people["Age"], 9),
        **{"Systolic pressure": near(lambda people: 91 + 0.45 * people["Age"] + 0.2 * people["Weight"], 11)},
    ),
    "h05 noise on pay, agreement": made(
        scattered(1_800, Sex=SEX, Age=(20, 66)),
        Name=names,
        Education=pick("school", "vocational", "degree", shares=(0.3, 0.45, 0.25)),
        **{
            "Monthly pay": computed(
                lambda generator, people: (
                    generator.lognormal(7.6, 0.3, len(people))
                    * np.exp(0.25 * (people["Education"] == "degree") + 0.006 * people["Age"])
                ).astype(int)
            )
        },
    ),
    "h06 answers swapped, agreement": made(
        scattered(1_900, Region=AREAS, Sex=SEX, Age=(20, 80), Education=["low", "middle", "high"]),
        Depression=by_score("none|mild|severe", (0.8, 1.7), lambda people: 0.6 * (people["Education"] == "low")),
    ),
    "h07 averages of five for colleagues": made(
        scattered(1_200, Sex=SEX, Age=(20, 65)),
        Name=names,
        Department=pick("production", "sales", "office", "logistics", shares=(0.4, 0.2, 0.2, 0.2)),
        **{
            "Sick days": computed(lambda generator, people: generator.negative_binomial(2, 0.15, len(people))),
            "Overtime hours": computed(
                lambda generator, people: np.abs(generator.normal(60, 40, len(people))).round().astype(int)
            ),
        },
    ),
    "h08 limits and rounding": made(
        scattered(2_500, Settlement=["rural", "town", "city"], Sex=SEX, Age=(18, 90)),
        **{"Health spending": computed(lambda generator, people: generator.lognormal(5.6, 0.7, len(people)).round(2))},
    ),
    "h09 opinions that go together": made(
        scattered(1_600, Sex=SEX, Age=(18, 80)),
        view=near(lambda people: 0.015 * (people["Age"] - 50), 1, 3),
        **{
            "I trust the council": opinion(0.8),
            "I trust the police": opinion(0.7),
            "Taxes are fair": opinion(0.6),
        },
    ),
    "h10 a trial of three visits each, agreement": trial,
}


# --- attacks --------------------------------------------------------------------------------------


def _unique(*columns: str) -> Facts:
    """Return what reads the last of some columns by all others."""
    return lambda table: table[list(columns)]


def _one_value(column: str, meant: str, *known: str) -> Facts:
    """Return what reads by some columns whether a text begins with or contains one of several words."""
    return lambda table: table[list(known)].assign(fact=table[column].str.contains(meant))


def _named_client(table: Any) -> Any:
    known = table["State of the case"].str.extract(r"([A-Z][a-z]+ [A-Z][a-z]+)(?:'s|:| |$)")[0]
    return pd.DataFrame({"name": known, "fact": table["Debt"]}).dropna()


def _drunk_on_duty(table: Any) -> Any:
    found = table.loc[table["Finding"] == "impaired by alcohol", "Treated by"].value_counts()
    return pd.DataFrame({"name": found.index, "fact": found.to_numpy() >= 3})


def _head_of_office(table: Any) -> Any:
    count, mean = table["Number of people"].astype(float), table["Mean days of sick leave"].astype(float)
    sums = (count * mean).round().groupby([table["Office"], table["Scope"]]).sum().unstack()
    return pd.DataFrame({"office": sums.index, "fact": (sums["all staff"] - sums["without management"]).to_numpy()})


def _only_one_disabled(table: Any) -> Any:
    alone = table["Of these with a severe disability"] == "1"
    return table.loc[alone, ["School", "Sick days, mean with disability"]]


def _visits_of_one(table: Any) -> Any:
    details = ["Village", "Sex", "Age"]
    marked = table.assign(first=table["Visit"] == "1", hiv=table["Service"].isin(WORDS["hiv_services"]))
    groups = marked.groupby(details)[["first", "hiv"]].sum().reset_index()
    return groups.loc[groups["first"] == 1, details].assign(fact=groups["hiv"] >= 2)


def _differences(table: Any) -> Any:
    balances = np.sort(table["Account after entry"].astype(int))
    return pd.DataFrame({"place on the plaque": np.arange(1, len(balances)).astype(str), "fact": np.diff(balances)})


def _joined_modules(table: Any) -> Any:
    first, second = (table[table["Module"] == module] for module in "AB")
    joined = first.merge(second, on="Weight", suffixes=("", "_b"))
    return joined[["Region", "Age", "Sex_b", "Job_b"]].assign(fact=joined["Answer"] + joined["Answer_b"])


ATTACKS: dict[str, Facts] = {
    "l01": _one_value("Payroll key", "B2", "Site", "Department", "Age"),
    "l02": _one_value("Diagnosis", "HIV|AIDS|B20|immunodef", "Village", "Sex", "Age", "Day"),
    "l03": _one_value("Anlass", "lkohol|alco|Trinken|désintox", "Gemeinde", "Geschlecht", "Alter"),
    "l04": _unique(*(f"Way to {name} (km)" for name in ("St Anne", "Mercy", "University")), "Diagnosis"),
    "l05": _named_client,
    "l06": _unique("Data set no.", "Therapy"),
    "l07": _unique("Branch", "Sex", "Age", "Job", "Entries in criminal register"),
    "l08": _drunk_on_duty,
    "l09": _head_of_office,
    "l10": _only_one_disabled,
    "l11": _visits_of_one,
    "l12": lambda table: table[["Quarter", "Sex", "Age"]].assign(fact=table["Lead in blood"].astype(float) > 45),
    "l13": _differences,
    "l14": _unique("Municipality", "Senior pass since", "Reason for care"),
    "l15": lambda table: table[["District", "Sex", "Age"]].assign(fact=table["Medicine"].map(DIAGNOSIS_OF)),
    "l16": _unique("Municipality", "Sex", "Years since compulsory school", "Treatment last year"),
    "l17": _unique("Function", "Insolvent"),
    "l18": _unique("Employer", "Addiction therapy"),
    "l19": lambda table: table[["District", "Sex", "Age"]].assign(fact=table["CD4"] != ""),
    "l20": _joined_modules,
}
"""What an intruder reads from a file, by the beginning of a case's name: known columns, and last a fact."""


def people_found(case: Case, released: Any, source: Any) -> int:
    """Count the people of whom an intruder learns the truth: nine in ten rows that may be theirs agree in it.

    Parameters
    ----------
    case
        A leak of this set.
    released, source
        The release and the source as texts, their rows in any order. A release of artificial rows shows what it shows.
    """
    facts = ATTACKS[case.name.split()[0]]
    shown, true = facts(released).astype(str), facts(source).astype(str)
    *known, fact = true.columns
    for name in known:
        labels = {
            value: label for label in shown[name].unique() for value in true[name].unique() if _fits(value, label)
        }
        true[name] = true[name].map(labels)
    shares = shown.groupby(known)[fact].value_counts(normalize=True)
    guesses = shares[shares >= 0.9].reset_index(level=-1)[fact].rename("guess")
    joined = true.join(guesses, on=known, how="inner")
    return int(((joined["guess"] == joined[fact]) & ~joined[fact].isin(("False", "0", "no"))).sum())


def _fits(value: str, label: str) -> bool:
    """Say whether a value is one of those that a released label stands for."""
    ends = [float(end) for end in re.findall(r"\d+(?:\.\d+)?", label)]
    if value == label or not ends or not label.startswith(tuple("[<≤≥>")):
        return value == label
    number = float(value or "nan")
    tests = {"[": ends[0] <= number <= ends[-1] - label.endswith(")"), "≥": number >= ends[0], "≤": number <= ends[0]}
    return tests.get(label[0], number < ends[0])


HELPERS = ("at_clinic", "drunk", "infected", "view")
"""Columns by which others are drawn, and which no file has."""
TABLES = {name: without(table, *HELPERS) for name, table in TABLES.items()}
FRESH_LEAKS, FRESH_HONEST = (
    tuple(
        replace(case, kind="fresh")
        for case in cases_of(corpus, {name: table for name, table in TABLES.items() if name[0] == initial}).values()
    )
    for corpus, initial in (("fresh_leaking", "l"), ("fresh_honest", "h"))
)
