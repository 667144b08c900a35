"""Releases that leak: each must be stopped by the checks that it names, for the type that it names.

The numbers are those of the list of releases that the verdict is held against; letters are further ones. To add
one is to add an entry.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
from gate_cases import randomised, with_step

from ppdm_desktop.engine.release.candidate.model import Candidate
from tests.corpus import tables
from tests.corpus.case import Case, numeric, step
from tests.corpus.leaking_second_round import SECOND_ROUND_LEAKS

QUASI = {"age": "q", "zip": "q", "sex": "q"}
KNOWN_BANDS = {"region": "q", "band": {"role": "q", "kind": "ordinal"}, "sex": "q", "ill": "c"}
BROAD = dict.fromkeys(("region", "sex", "band"), "q")
DATE = {"role": "q", "kind": "date"}
NEAR = {"region": "q", "sex": "q", "diagnosis": "c"}
ADULT_QUASI = ("age", "education", "marital-status", "occupation", "race", "sex", "native-country")
ADULT_FOUR = ("age", "sex", "occupation", "native-country")
PAPER = {
    "proportion": 0.5,
    "group_share": "one-member",
    "search": "greedy",
    "selection_noise": 0,
    "balance": "separate",
}


def _truth(name: str, candidate: Candidate) -> dict[str, list[str]]:
    return {name: candidate.prepared.table.column(name).values()}


def _other_answer(name: str, candidate: Candidate) -> dict[str, list[str]]:
    values = candidate.prepared.table.column(name).values()
    one, other = sorted(set(values))
    return {name: [other if value == one else one for value in values]}


def _one_in_each_group(name: str, candidate: Candidate) -> dict[str, list[str]]:
    """Give one member of each group of five somebody else's value."""
    values = np.array(candidate.prepared.table.column(name).values(), dtype=object)
    first = np.arange(0, len(values), 5)
    values[first] = np.roll(values[first], 1)
    return {name: values.tolist()}


def _cut_at_second_largest(name: str, candidate: Candidate) -> dict[str, list[str]]:
    values = list(map(int, candidate.prepared.table.column(name).values()))
    limit = sorted(set(values))[-2]
    return {name: [str(min(value, limit)) for value in values]}


def _renamed(name: str, candidate: Candidate) -> dict[str, list[str]]:
    values = candidate.prepared.table.column(name).values()
    known = sorted(set(values))
    other = dict(zip(known, [*known[1:], known[0]], strict=True))
    return {name: [other[value] for value in values]}


def _recoded(name: str, candidate: Candidate) -> dict[str, list[str]]:
    return {name: [str(2 * int(value) + 70) for value in candidate.prepared.table.column(name).values()]}


def _nearly_the_truth(name: str, candidate: Candidate) -> dict[str, list[str]]:
    """Put all but one in fifty values back."""
    values = np.array(candidate.prepared.table.column(name).values(), dtype=object)
    values[::50] = np.array(candidate.final.column(name).values(), dtype=object)[::50]
    return {name: values.tolist()}


def _true_where_alone(name: str, candidate: Candidate) -> dict[str, list[str]]:
    """Put a column's emptied values back: the empty cells of another then match anything, but nobody shows the same."""
    return {name: candidate.prepared.table.column(name).values()}


def _true_for(name: str, level: str, candidate: Candidate) -> dict[str, list[str]]:
    """Put the values of everybody of one level back."""
    levels = candidate.final.levels
    assert levels is not None
    chosen = np.array([each.name == level for each in levels.levels])[levels.codes]
    truth, shown = (
        np.array(table.column(name).values(), dtype=object) for table in (candidate.prepared.table, candidate.final)
    )
    return {name: np.where(chosen, truth, shown).tolist()}


def _pooled(name: str, candidate: Candidate) -> dict[str, list[str]]:
    """Change as many as all levels together asked for, but hardly anybody of the strictest."""
    found = _true_for(name, "paranoid", candidate)[name]
    truth, shown = (table.column(name).values() for table in (candidate.prepared.table, candidate.final))
    lost = sum(one != two for one, two in zip(found, shown, strict=True))
    values = sorted(set(truth))
    for place in range(len(found) - 1, -1, -1):
        if lost and found[place] == truth[place]:
            found[place] = values[(values.index(truth[place]) + 1) % len(values)]
            lost -= 1
    return {name: found}


def _noise_on_each_row(name: str, sd: float, candidate: Candidate) -> Candidate:
    """Draw noise anew for each row, and say so."""
    column = candidate.final.column(name)
    rng, rows = np.random.default_rng(5), candidate.final.rows
    values = np.clip(column.numbers + rng.normal(0, sd, rows), 0, 200).round().astype(int)
    detail = {"law": "gaussian", "levels": [{"sd": sd, "width": 1.0}], "step": 1.0, "bounds": [0, 200]}
    treated = replace(randomised(name, [0] * rows), manner="noise")
    return with_step(candidate, {name: values.astype(str).tolist()}, [treated], detail={"columns": {name: detail}})


def _moved_row_by_row(name: str, candidate: Candidate) -> dict[str, list[str]]:
    """Move each date by a shift of its own."""
    days = np.array(candidate.prepared.table.column(name).values(), dtype="datetime64[D]")
    return {name: (days + np.random.default_rng(5).integers(-183, 184, len(days))).astype(str).tolist()}


NUMBERED = (
    Case(
        "1 idle averages on a ward",
        tables.ward,
        {"age": "q", "sex": "q", "ward": "q", "cost": numeric()},
        (step("microaggregation", ("cost",), group=3),),
        "public",
        frozenset({"certain-disclosure"}),
    ),
    Case(
        "2 averages of equal answers",
        tables.yes_no,
        {**QUASI, "hiv": numeric()},
        (step("microaggregation", ("hiv",), group=5),),
        "public",
        frozenset({"certain-disclosure"}),
    ),
    Case(
        "3 noise below half a step, bounds declared",
        tables.yes_no,
        {**QUASI, "hiv": numeric(bounds=[0, 1])},
        (step("two-phase-noise", ("hiv",)),),
        "public",
        frozenset({"certain-disclosure"}),
    ),
    Case(
        "4 noise below half a step, bounds from data",
        tables.yes_no,
        {**QUASI, "hiv": numeric()},
        (step("two-phase-noise", ("hiv",)),),
        "public",
        frozenset({"certain-disclosure", "rare-secret"}),
    ),
    Case(
        "5 default noise on gains that most people do not have",
        partial(tables.adult, names=(*ADULT_FOUR, "capital-gain")),
        {**dict.fromkeys(ADULT_FOUR, "q"), "capital-gain": numeric()},
        (step("two-phase-noise", ("capital-gain",)),),
        "public",
        frozenset({"reversal"}),
        data=True,
    ),
    Case(
        "6 default noise on gains and losses",
        partial(tables.adult, names=(*ADULT_FOUR, "capital-gain", "capital-loss")),
        {**dict.fromkeys(ADULT_FOUR, "q"), "capital-gain": numeric(), "capital-loss": numeric()},
        (step("two-phase-noise", ("capital-gain", "capital-loss")),),
        "research",
        frozenset({"reversal"}),
        data=True,
    ),
    Case(
        "7 a patient number that a dozen share at either end",
        tables.numbered,
        {**NEAR, "patient_no": numeric("o")},
        (step("random-swap", ("diagnosis",)),),
        "public",
        frozenset({"near-identifiers"}),
    ),
    Case(
        "8 the five strictest of three hundred left true",
        tables.levels_apart,
        {"number": "q", "answer": "c", "wish": "l"},
        (step("random-swap", ("answer",)),),
        "research",
        frozenset({"levels-met"}),
        more={"privacy": {"column": "wish"}},
        planted=partial(_true_for, "answer", "paranoid"),
    ),
    Case(
        "9 all levels one half, counted over all of them together",
        partial(tables.levels_apart, strictest=60),
        {"number": "q", "answer": "c", "wish": "l"},
        (step("bayes-swap", ("answer",)),),
        "research",
        frozenset({"levels-met"}),
        more={
            "privacy": {
                "column": "wish",
                "levels": {name: {"swap": 0.5} for name in ("cautious", "extra-cautious", "paranoid")},
            }
        },
        planted=partial(_pooled, "answer"),
    ),
    Case(
        "10 chosen records with a weight of their own",
        partial(tables.adult, names=(*ADULT_QUASI, "fnlwgt", "capital-gain", "hours-per-week", "class")),
        {
            **dict.fromkeys(ADULT_QUASI, "q"),
            "age": numeric("q"),
            "fnlwgt": numeric("o"),
            "capital-gain": numeric("o"),
            "hours-per-week": numeric("o"),
            "class": "c",
        },
        (
            step(
                "data-reconstruction", None, **{"class": "class"}, generations=2, population=4, classifier="naive-bayes"
            ),
        ),
        "research",
        frozenset({"certain-by-all", "singling-out"}),
        data=True,
    ),
    Case(
        "11 twelve visits of each of 120 people, each said to be a person",
        tables.visits_of_few,
        {"patient": "x", "region": "q", "sex": "q", "outcome": "c"},
        (),
        "public",
        frozenset({"people-counted"}),
        lesson="Counted by patient the smallest group is one person, not twelve.",
    ),
    Case(
        "11 twelve visits of each of 120 people, told apart",
        tables.visits_of_few,
        {"patient": "identifier", "region": "q", "sex": "q", "outcome": "c"},
        (),
        "public",
        frozenset({"class-size", "certain-disclosure"}),
        more={"input": {"person": "patient"}},
    ),
    Case(
        "12 the infected stand out from behind the noise",
        tables.viral_load,
        {**QUASI, "load": numeric()},
        (step("two-phase-noise", ("load",)),),
        "public",
        frozenset({"rare-secret"}),
    ),
    *(
        Case(
            name,
            lambda columns=columns: {
                key: values for key, values in tables.patients().items() if key in (*NEAR, *columns)
            },
            {**NEAR, **columns},
            (step("random-swap", ("diagnosis",)),),
            "public",
            frozenset({"near-identifiers"}),
        )
        for name, columns in (
            ("13 a patient number", {"patient_no": "o"}),
            ("14 a place on the map", {"lat": numeric("o"), "lon": numeric("o")}),
            ("15 a birth date", {"dob": {"role": "o", "kind": "date"}}),
            ("16 a birth date as words", {"dob": "o"}),
            ("18 a hash", {"hash": "o"}),
        )
    ),
    Case(
        "17 names",
        tables.names,
        {**NEAR, "name": "o"},
        (step("random-swap", ("diagnosis",)),),
        "public",
        frozenset({"near-identifiers"}),
    ),
    *(
        Case(
            f"19 recoded copy of a swapped column, {type}",
            tables.copied,
            {**QUASI, "diagnosis": "c", "code": "o"},
            (step("random-swap", ("diagnosis",), proportion=0.75),),
            type,
            frozenset({"dependencies"}),
        )
        for type in ("public", "research")
    ),
    Case(
        "20 hours times rate give the pay",
        tables.pay,
        {"age": "q", "hours": numeric("o"), "rate": numeric("o"), "pay": numeric()},
        (step("two-phase-noise", ("pay",)),),
        "research",
        frozenset({"reversal", "dependencies"}),
    ),
    Case(
        "23 broader words that one value has each",
        tables.jobs,
        {"age": "q", "sex": "q", "job": {"role": "q", "hierarchy": "jobs.csv"}, "diagnosis": "c"},
        (step("generalize", ("job",), level=1),),
        "public",
        frozenset({"certain-disclosure"}),
        more={"files": {"jobs.csv": "".join(f"job{at};group{at};*\n" for at in range(100))}},
    ),
    Case(
        "24 a swap among equal values",
        tables.diagnoses,
        {**QUASI, "diagnosis": "c"},
        (step("random-swap", ("diagnosis",)),),
        "public",
        frozenset({"certain-disclosure"}),
        planted=partial(_truth, "diagnosis"),
    ),
    Case(
        "25 noise of two constants, unrounded",
        partial(tables.measured, "normal"),
        {"age": "q", "sex": "q", "value": numeric()},
        (step("additive-noise", ("value",), rounding="none"),),
        "public",
        frozenset({"reversible-method", "reversal"}),
    ),
    Case(
        "26 digits shifted",
        partial(tables.measured, "normal"),
        {"age": "q", "sex": "q", "value": numeric()},
        (step("bit-plus-plus", ("value",)),),
        "public",
        frozenset({"reversible-method"}),
    ),
    Case(
        "27 two categories, all flipped",
        partial(tables.two_answers, 0.4),
        {**QUASI, "answer": "c"},
        (step("random-swap", ("answer",)),),
        "public",
        frozenset({"certain-disclosure"}),
        planted=partial(_other_answer, "answer"),
    ),
    Case(
        "28 groups of five alike, one changed in each",
        tables.fives_alike,
        {"place": "q", "diagnosis": "c"},
        (step("random-swap", ("diagnosis",)),),
        "research",
        frozenset({"certain-disclosure"}),
        planted=partial(_one_in_each_group, "diagnosis"),
    ),
    Case(
        "29 half of a skewed class changed",
        partial(tables.two_answers, 0.24),
        {**QUASI, "answer": "c"},
        (step("bayes-swap", ("answer",), proportion=0.5, balance="separate"),),
        "public",
        frozenset({"certain-disclosure"}),
    ),
    *(
        Case(
            f"30 the paper's five parameters, {type}",
            partial(tables.adult, names=(*ADULT_QUASI, "class")),
            {**dict.fromkeys(ADULT_QUASI, "q"), "class": "c"},
            (step("bayes-swap", ("class",), **PAPER),),
            type,
            frozenset({"certain-disclosure"}),
            data=True,
            slow=True,
        )
        for type in ("public", "research")
    ),
    Case(
        "31 two noisy copies of one column",
        tables.measured_twice,
        {"age": "q", "sex": "q", "value": numeric(), "again": numeric()},
        (step("two-phase-noise", ("value",)), step("two-phase-noise", ("again",))),
        "public",
        frozenset({"dependencies"}),
    ),
    Case(
        "32 salary in two currencies, one noisy",
        tables.two_currencies,
        {"age": "q", "sex": "q", "euro": numeric(), "dollar": numeric("o")},
        (step("two-phase-noise", ("euro",)),),
        "public",
        frozenset({"dependencies"}),
    ),
    Case(
        "33 three parts and their total, one part noisy",
        tables.parts_of_a_total,
        {"age": "q", "sex": "q", "a": numeric("o"), "b": numeric("o"), "total": numeric("o"), "c": numeric()},
        (step("two-phase-noise", ("c",)),),
        "research",
        frozenset({"dependencies"}),
    ),
    Case(
        "34 rows sorted by the secret, order kept, seed as key",
        tables.ranked,
        {"age": "q", "sex": "q", "pay": numeric()},
        (step("two-phase-noise", ("pay",)),),
        "public",
        frozenset({"guessable-key"}),
        more={"release": {"shuffle_rows": False}},
        seed=7,
    ),
    Case(
        "35 eleven alike, one secret",
        tables.classes_of_one_secret,
        {"place": "q", "sex": "q", "diagnosis": "c"},
        (),
        "public",
        frozenset({"certain-disclosure"}),
    ),
    Case(
        "36 thirty-nine of forty alike, the strictest level",
        tables.one_in_forty,
        {"place": "q", "illness": "c", "wish": "l"},
        (),
        "public",
        frozenset({"levels-met"}),
        more={"privacy": {"column": "wish"}},
        lesson="A third of the doubt is left at the strictest level at least: `doubt` of the level map says so.",
    ),
    Case(
        "37 noise switched off for one level",
        tables.four_levels,
        {"age": "q", "sex": "q", "pressure": numeric(bounds=[0, 240]), "pulse": "x", "wish": "l"},
        (step("two-phase-noise", ("pressure",)),),
        "research",
        frozenset({"levels-met"}),
        more={"privacy": {"column": "wish"}},
        planted=partial(_true_for, "pressure", "extra-cautious"),
    ),
    Case(
        "38 twelve rows of each person, noise of its own on one income in each",
        tables.incomes_in_visits,
        {"patient": "identifier", "region": "q", "sex": "q", "income": numeric(bounds=[0, 200])},
        (),
        "public",
        frozenset({"reversal"}),
        more={"input": {"person": "patient"}},
        planted=partial(_noise_on_each_row, "income", 15.0),
        lesson="Twelve draws on one value leave a quarter of the noise; one draw for each person leaves all of it.",
    ),
    Case(
        "39 groups no larger than the columns made anew, no floor",
        tables.many_numbers,
        {"number0": numeric("q"), **{f"number{at}": numeric("o") for at in range(1, 13)}, "number13": numeric()},
        (step("condensation", group=2, floor=False),),
        "public",
        frozenset({"small-groups"}),
    ),
    Case(
        "40 forty other columns as they were",
        tables.hospital_stays,
        {
            "age": numeric("q"),
            "race": "q",
            "gender": "q",
            **{f"drug{at}": "o" for at in range(32)},
            **{f"count{at}": numeric("o") for at in range(8)},
            "readmitted": "c",
        },
        (step("mondrian", k=5),),
        "public",
        frozenset({"certain-by-all", "singling-out"}),
    ),
)
FURTHER = (
    Case(
        "A three clusters, one of them a single person",
        tables.one_far_off,
        {"age": "q", "sex": "q", "zip": "q", "pay": numeric()},
        (step("microaggregation", ("pay",), mode="clusters", clusters=3),),
        "public",
        frozenset({"certain-disclosure"}),
    ),
    Case(
        "B made anew from neighbours who all have the same illness",
        tables.clusters,
        {"east": numeric("q"), "north": numeric("q"), "illness": "c"},
        (step("condensation", group=11),),
        "public",
        frozenset({"inference"}),
    ),
    Case(
        "C uniform noise narrower than the gaps between bands of pay",
        tables.bands,
        {**QUASI, "pay": numeric(bounds=[0, 6_000])},
        (step("two-phase-noise", ("pay",), noise="uniform", snr=25),),
        "public",
        frozenset({"certain-by-all", "reversal"}),
    ),
    Case(
        "D noise of a twentieth of the spread",
        partial(tables.measured, "normal"),
        {"age": "q", "sex": "q", "value": numeric(bounds=[0, 200])},
        (step("two-phase-noise", ("value",), snr=400),),
        "public",
        frozenset({"rare-secret"}),
    ),
    Case(
        "E one person in fifty swapped",
        tables.four_even,
        {**QUASI, "answer": "c"},
        (step("random-swap", ("answer",), proportion=0.02),),
        "public",
        frozenset({"certain-disclosure"}),
    ),
    Case(
        "F noise on a pay by which the rows are sorted, their order kept",
        tables.ranked,
        {"age": "q", "sex": "q", "pay": numeric(bounds=[0, 10_000])},
        (step("two-phase-noise", ("pay",)),),
        "public",
        frozenset({"reversal"}),
        more={"release": {"shuffle_rows": False}},
    ),
    Case(
        "G dozens alike, hundreds of different pays that are nearly the same",
        tables.pay_of_place,
        {"zip": "q", "sex": "q", "pay": numeric()},
        (),
        "public",
        frozenset({"certain-disclosure"}),
    ),
    Case(
        "H a percentile beside the noise",
        tables.with_percentile,
        {"age": "q", "sex": "q", "percentile": numeric("o"), "pay": numeric(bounds=[0, 40_000])},
        (step("two-phase-noise", ("pay",)),),
        "public",
        frozenset({"reversal"}),
    ),
    Case(
        "I details emptied of just those who have the rare illness",
        tables.rare_apart,
        {"age": "q", "zip": "q", "illness": "c"},
        (step("local-suppression", k=11),),
        "public",
        frozenset({"certain-disclosure"}),
    ),
    Case(
        "I2 cells emptied until an empty one that matches anything gives eleven alike",
        tables.few_apart,
        {"age": "q", "zip": "q", "diagnosis": "c"},
        (step("local-suppression", k=11),),
        "public",
        frozenset({"levels-met"}),
        planted=partial(_true_where_alone, "age"),
        lesson="Whoever knows a person’s age finds the one row that shows it: an empty cell is a value of its own.",
    ),
    Case(
        "I3 best levels with large groups, each of one diagnosis",
        tables.villages_of_one_secret,
        {"village": {"role": "q", "hierarchy": "villages.csv"}, "diagnosis": "c"},
        (step("full-domain", k=11),),
        "public",
        frozenset({"certain-disclosure"}),
        more={"files": {"villages.csv": "".join(f"{n};district {n // 4};*\n" for n in range(240))}},
    ),
    Case(
        "J averages of gains that most people do not have",
        partial(tables.adult, names=(*ADULT_FOUR, "capital-gain")),
        {**dict.fromkeys(ADULT_FOUR, "q"), "capital-gain": numeric()},
        (step("microaggregation", ("capital-gain",), group=11),),
        "public",
        frozenset({"certain-disclosure"}),
        data=True,
    ),
    Case(
        "K a second swap that takes the first one back",
        tables.four_even,
        {**QUASI, "answer": "c"},
        (step("random-swap", ("answer",), proportion=0.75), step("random-swap", ("answer",), proportion=0.75)),
        "public",
        frozenset({"certain-disclosure"}),
        planted=partial(_nearly_the_truth, "answer"),
    ),
    Case(
        "L a second noise that takes the first one off",
        partial(tables.measured, "normal"),
        {"age": "q", "sex": "q", "value": numeric(bounds=[0, 200])},
        (step("two-phase-noise", ("value",)), step("two-phase-noise", ("value",))),
        "public",
        frozenset({"rare-secret", "reversal"}),
        planted=partial(_nearly_the_truth, "value"),
    ),
    Case(
        "M secrets renamed by something that calls itself a swap",
        tables.four_even,
        {**QUASI, "answer": "c"},
        (step("random-swap", ("answer",)),),
        "public",
        frozenset({"certain-disclosure"}),
        planted=partial(_renamed, "answer"),
    ),
    Case(
        "N pay recoded by something that calls itself noise",
        tables.bands,
        {**QUASI, "pay": numeric(bounds=[0, 20_000])},
        (step("two-phase-noise", ("pay",)),),
        "public",
        frozenset({"certain-disclosure"}),
        planted=partial(_recoded, "pay"),
    ),
    Case(
        "O a note that names the illness",
        tables.noted,
        {"age": "q", "sex": "q", "illness": "c", "note": {"role": "o", "kind": "text"}},
        (step("random-swap", ("illness",)),),
        "public",
        frozenset({"certain-by-all"}),
    ),
    Case(
        "P five broad columns and the class, twenty alike, nine in ten of a group with one answer",
        partial(tables.adult, names=("age", "education-num", "marital-status", "race", "sex", "class")),
        {
            **dict.fromkeys(("marital-status", "race", "sex"), "q"),
            "age": numeric("q", bounds=[17, 90]),
            "education-num": numeric("q", bounds=[1, 16]),
            "class": "c",
        },
        (step("mondrian", k=20, l=2),),
        "public-high-harm",
        frozenset({"diversity"}),
        data=True,
        lesson="Two answers in each group are not enough where one of them is nine in ten.",
    ),
    Case(
        "Q top coding at the second-largest value",
        tables.skewed_incomes,
        {**BROAD, "income": numeric()},
        (step("top-bottom-code", ("income",), ends="top"),),
        "public",
        frozenset({"levels-met"}),
        planted=partial(_cut_at_second_largest, "income"),
    ),
    Case(
        "R a number of each person's own, rounded to 2",
        tables.scattered_numbers,
        {"region": "q", "sex": "q", "diagnosis": "c", "number": numeric("o")},
        (step("round", ("number",), base=2),),
        "public",
        frozenset({"certain-by-all", "near-identifiers", "singling-out"}),
    ),
    Case(
        "S a rare yes or no of which one in fifty is drawn again",
        tables.yes_no,
        {**QUASI, "hiv": "c"},
        (step("pram", ("hiv",), swap=0.0001),),
        "public",
        frozenset({"certain-disclosure", "certain-by-all"}),
        more={"privacy": {"levels": {"normal": {"doubt": 50}}}},
        kind="pram",
    ),
    Case(
        "T numbers exchanged among neighbours, nine in ten of whom have nothing",
        partial(tables.viral_load, share=0.1),
        {**QUASI, "load": numeric()},
        (step("rank-swap", ("load",)),),
        "public",
        frozenset({"certain-disclosure"}),
        kind="rank-swap",
        lesson="Those who have a load have close ones: an exchange among them, or among people with 0, hides nothing.",
    ),
    Case(
        "U dates moved, the days between them each person's own",
        tables.stays_by_day,
        {"region": "q", "sex": "q", "diagnosis": "c", **dict.fromkeys(("first", "last"), DATE)},
        (step("date-shift"),),
        "public",
        frozenset({"near-identifiers", "singling-out"}),
        kind="days between dates",
        lesson="What moves together keeps its distance; show the length of stay in classes instead of a date.",
    ),
    Case(
        "V each of a person's twelve visits moved by itself",
        tables.twelve_visits,
        {"who": "i", "region": "q", "day": DATE, "diagnosis": "c"},
        (step("date-shift"),),
        "research",
        frozenset({"levels-met"}),
        more={"input": {"person": "who"}},
        planted=partial(_moved_row_by_row, "day"),
        kind="dates moved row by row",
    ),
    Case(
        "W an illness changed by chance, which nearly a whole ward has and nobody else",
        tables.one_ward,
        {"age": numeric("q"), "ward": "o", "grade": "x", "ill": "c"},
        (step("pram", ("ill",), swap=0.06),),
        "public",
        frozenset({"rare-secret"}),
        kind="chances undone in a ward",
        lesson="The chances are published: who knows the ward undoes them for all of it. Leave the ward out.",
    ),
    Case(
        "W2 the same illness at two visits of each person",
        partial(tables.twice, tables.one_ward),
        {"patient": "i", "visit": "o", "age": numeric("q"), "ward": "o", "grade": "x", "ill": "c"},
        (step("pram", ("ill",), swap=0.06),),
        "public",
        frozenset({"rare-secret"}),
        more={"input": {"person": "patient"}},
        kind="chances undone in a ward of people with several rows",
    ),
    Case(
        "X grades exchanged among neighbours, of which a ward has the worst",
        tables.one_ward,
        {"age": numeric("q"), "ward": "o", "grade": numeric(), "ill": "x"},
        (step("rank-swap", ("grade",), window=0.12),),
        "public",
        frozenset({"rare-secret"}),
        kind="ranks undone in a ward",
    ),
    Case(
        "Y regions changed by chance, of which one has a single illness",
        partial(tables.broad_details, alike=200),
        KNOWN_BANDS,
        (step("pram", ("region",), swap=0.3),),
        "public",
        frozenset({"certain-by-all", "certain-disclosure", "diversity"}),
        kind="chances undone for a region",
        lesson="Each region shows all illnesses; yet the shares of those whose region it is follow from the chances.",
    ),
)
LEAKING = (*NUMBERED, *FURTHER, *SECOND_ROUND_LEAKS)
