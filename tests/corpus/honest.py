"""Honest releases: none is stopped, and the checks that want a reason are exactly those that are named.

To add one is to add an entry. Where a release that somebody might think honest is stopped, its entry names the check
and says in its lesson what to do in its place.
"""

from __future__ import annotations

import csv
import io
import tomllib
from functools import partial
from typing import Any

from ppdm_desktop.engine.samples.registry import find_sample
from tests.corpus import tables
from tests.corpus.case import Case, numeric, step
from tests.corpus.honest_second_round import SECOND_ROUND_HONEST

QUASI = {"age": "q", "zip": "q", "sex": "q"}
ADULT_QUASI = ("age", "education", "marital-status", "occupation", "race", "sex", "native-country")
BROAD = ("age", "education-num", "marital-status", "race", "sex")


def _sample_table(id: str) -> tables.Columns:
    lines = list(csv.reader(io.StringIO(find_sample(id).make({}).decode("utf-8"))))
    return {name: [line[place] for line in lines[1:]] for place, name in enumerate(lines[0])}


def _sample(number: str, id: str, ambers: frozenset[str]) -> Case:
    recipe: dict[str, Any] = tomllib.loads(find_sample(id).recipe())
    return Case(
        f"{number} the sample {id}",
        partial(_sample_table, id),
        recipe["columns"],
        tuple(recipe["steps"]),
        recipe["release"]["type"],
        ambers=ambers,
    )


NUMBERED = (
    Case(
        "1 default noise on normal values",
        partial(tables.measured, "normal"),
        {"age": "q", "sex": "q", "value": numeric(bounds=[0, 200])},
        (step("two-phase-noise", ("value",)),),
        "public",
    ),
    Case(
        "2 default noise on lognormal values",
        partial(tables.measured, "lognormal"),
        {"age": "q", "sex": "q", "value": numeric(bounds=[0, 20_000])},
        (step("two-phase-noise", ("value",)),),
        "public",
    ),
    Case(
        "3 matched noise on two numbers that go together",
        tables.two_related,
        {"age": "q", "sex": "q", "height": numeric(bounds=[100, 240]), "weight": numeric(bounds=[0, 160])},
        (step("two-phase-noise", ("height", "weight"), covariance="matched"),),
        "public",
    ),
    Case(
        "4 default noise on counts",
        tables.counts,
        {"age": "q", "sex": "q", "visits": numeric(bounds=[0, 30])},
        (step("two-phase-noise", ("visits",)),),
        "public",
    ),
    Case(
        "5 Mondrian, eleven alike, three secrets in each",
        tables.diagnoses,
        {"age": numeric("q", bounds=[0, 120]), "zip": numeric("q", bounds=[100, 200]), "sex": "q", "diagnosis": "c"},
        (step("mondrian", k=11, l=3),),
        "public",
        ambers=frozenset({"inference"}),
    ),
    Case(
        "6 hierarchies until eleven are alike",
        tables.diagnoses,
        {"age": numeric("q"), "zip": {"role": "q", "hierarchy": "zip.csv"}, "sex": "q", "diagnosis": "c"},
        (step("generalize", ("age",), width=15), step("generalize", ("zip",), level=1)),
        "public",
        more={"files": {"zip.csv": "".join(f"{zip};region {zip // 20};*\n" for zip in range(100, 180))}},
    ),
    Case(
        "7 one in eight removed until eleven are alike",
        tables.few_apart,
        {"age": "q", "zip": "q", "diagnosis": "c"},
        (step("suppress", k=11),),
        "public",
    ),
    Case(
        "7b broader ages and few empty cells, eleven alike",
        tables.few_apart,
        {"age": numeric("q"), "zip": "q", "diagnosis": "c"},
        (step("generalize", ("age",), width=20), step("local-suppression", k=11)),
        "public",
    ),
    Case(
        "7c the best levels, proven, eleven alike",
        tables.diagnoses,
        {
            "age": numeric("q"),
            "zip": {"role": "q", "hierarchy": "zip.csv"},
            "sex": {"role": "q", "hierarchy": "sex.csv"},
            "diagnosis": "c",
        },
        (step("full-domain", k=11),),
        "public",
        more={
            "files": {
                "zip.csv": "".join(f"{zip};region {zip // 20};*\n" for zip in range(100, 180)),
                "sex.csv": "0;*\n1;*\n",
            }
        },
    ),
    Case(
        "8 bins and pooled categories",
        tables.trades,
        {
            "age": numeric("q", bounds=[18, 80], bins={"method": "cuts", "at": [30, 45, 60]}),
            "trade": "q",
            "diagnosis": "c",
        },
        (step("generalize", ("trade",), rare=0.2),),
        "public",
    ),
    Case(
        "9 random swap of four even answers",
        tables.four_even,
        {**QUASI, "answer": "c"},
        (step("random-swap", ("answer",), proportion=0.75),),
        "research",
        ambers=frozenset({"class-size", "singling-out", "inference"}),
        may=frozenset({"most-exposed"}),
    ),
    Case(
        "10 Bayes swap of four even answers",
        tables.four_even,
        {**QUASI, "answer": "c"},
        (step("bayes-swap", ("answer",)),),
        "research",
        ambers=frozenset({"class-size", "singling-out", "inference", "reversal"}),
        may=frozenset({"most-exposed"}),
    ),
    _sample(
        "11",
        "life-insurance",
        frozenset({"class-size", "most-exposed", "singling-out", "inference", "reversal", "rare-values"}),
    ),
    _sample("12", "salary-offers", frozenset({"class-size", "singling-out"})),
    Case(
        "13 groups of twenty made anew",
        tables.six_numbers,
        {
            "number0": numeric("q"),
            **{f"number{at}": numeric("o") for at in range(1, 5)},
            "number5": numeric(),
            "class": "x",
        },
        (step("condensation", group=20),),
        "research",
    ),
    Case(
        "14 groups of twenty made anew, by class",
        tables.six_numbers,
        {
            "number0": numeric("q"),
            **{f"number{at}": numeric("o") for at in range(1, 6)},
            "class": "c",
        },
        (step("condensation", None, group=20, per="class", **{"class": "class"}),),
        "research",
        ambers=frozenset({"most-exposed"}),
    ),
    Case(
        "15 groups of eleven by averages of what others know",
        tables.diagnoses,
        {"age": numeric("q"), "zip": numeric("q"), "sex": numeric("q"), "diagnosis": "c"},
        (step("microaggregation", ("age", "zip", "sex"), group=11),),
        "public",
        ambers=frozenset({"inference"}),
    ),
    Case(
        "16 chosen records, nothing but what others know and the class",
        partial(tables.adult, names=(*ADULT_QUASI, "class")),
        {**dict.fromkeys(ADULT_QUASI, "q"), "age": numeric("q"), "class": "c"},
        (
            step(
                "data-reconstruction", None, **{"class": "class"}, generations=2, population=4, classifier="naive-bayes"
            ),
        ),
        "research",
        ambers=frozenset({"certain-disclosure", "certain-by-all", "levels-met"}),
        data=True,
    ),
    Case(
        "17 gains in four bins, eleven alike, then swapped",
        partial(tables.adult, names=(*BROAD, "capital-gain")),
        {
            **dict.fromkeys(BROAD, "q"),
            "age": numeric("q", bounds=[17, 90]),
            "education-num": numeric("q", bounds=[1, 16]),
            "capital-gain": numeric(bounds=[0, 99_999], bins={"method": "cuts", "at": [1, 5_000, 15_000]}),
        },
        (step("mondrian", k=11), step("random-swap", ("capital-gain",))),
        "public",
        data=True,
        ambers=frozenset({"diversity", "rare-values"}),
        lesson=(
            "After Mondrian nobody is unique and no group shows one answer only, so the swap changes nobody and "
            "protects nobody: that some groups show two of four answers wants a reason, or l = 3."
        ),
    ),
    Case(
        "18 visits reduced to one row per person",
        tables.stays,
        {
            "visit_id": "x",
            "person_nbr": "identifier",
            "region": "q",
            "sex": "q",
            "age": "q",
            "days": numeric("o"),
            "unit": "x",
            "outcome": "c",
        },
        (step("suppress", k=5), step("random-swap", ("outcome",))),
        "research",
        ambers=frozenset({"certain-by-all"}),
        may=frozenset({"most-exposed"}),
        more={
            "input": {
                "person": "person_nbr",
                "reduce": {"by": "first", "columns": {"days": "mean", "outcome": "most-frequent"}},
            }
        },
    ),
    Case(
        "19 no secret, eleven alike",
        tables.diagnoses,
        {"age": numeric("q", bounds=[0, 120]), "zip": numeric("q", bounds=[100, 200]), "sex": "q", "diagnosis": "q"},
        (step("mondrian", k=11),),
        "public",
        ambers=frozenset({"confidential-chosen"}),
    ),
    Case(
        "20 five broad columns and the class, twenty alike",
        partial(tables.adult, names=(*BROAD, "class")),
        {
            **dict.fromkeys(BROAD, "q"),
            "age": numeric("q", bounds=[17, 90]),
            "education-num": numeric("q", bounds=[1, 16]),
            "class": "c",
        },
        (step("mondrian", k=20, l=2, t=0.3),),
        "public-high-harm",
        ambers=frozenset({"diversity", "rare-values"}),
        data=True,
        lesson="Two answers in each group are not enough where one is nine in ten; nearness to the whole (t) is.",
    ),
    Case(
        "21 four levels of noise on normal values",
        tables.four_levels,
        {"age": "q", "sex": "q", "pressure": numeric(bounds=[0, 240]), "pulse": numeric(bounds=[0, 150]), "wish": "l"},
        (step("two-phase-noise", ("pressure", "pulse")),),
        "public",
        more={"privacy": {"column": "wish"}},
    ),
    Case(
        "22 a rare yes swapped, eleven alike by hierarchies",
        partial(tables.two_answers, 0.02),
        {"age": numeric("q"), "zip": {"role": "q", "hierarchy": "zip.csv"}, "sex": "q", "answer": "c"},
        (
            step("generalize", ("age",), width=15),
            step("generalize", ("zip",), level=1),
            step("random-swap", ("answer",)),
        ),
        "public",
        ambers=frozenset({"diversity"}),
        lesson=(
            "Alike groups of a hundred and more hide who said yes as well as the swap does; of a group in which nobody "
            "did, it is nearly known that nobody did, as it is of everybody."
        ),
        more={"files": {"zip.csv": "".join(f"{zip};region {zip // 20};*\n" for zip in range(1_000, 1_060))}},
    ),
    Case(
        "23 ends coded, then default noise on skewed incomes",
        tables.skewed_incomes,
        {"region": "q", "sex": "q", "band": "q", "income": numeric()},
        (step("top-bottom-code", ("income",)), step("two-phase-noise", ("income",))),
        "public",
        may=frozenset({"reversal"}),
    ),
    Case(
        "24 four even answers, seven in ten drawn again",
        tables.four_even,
        {"age": "q", "zip": "q", "sex": "q", "answer": "c"},
        (step("pram", ("answer",), swap=0.5325),),
        "research",
        ambers=frozenset({"class-size", "singling-out", "inference", "reversal"}),
    ),
    Case(
        "25 one date of each person moved by half a year",
        partial(tables.stays_by_day, n=3_000),
        {"region": "q", "sex": "q", "first": {"role": "q", "kind": "date"}, "last": "x", "diagnosis": "c"},
        (step("date-shift", earliest="2008-01-01", latest="2020-12-31"),),
        "public",
        ambers=frozenset({"class-size"}),
        lesson="Whoever knows a date finds dozens of people within a year of it, with all five diagnoses.",
    ),
    Case(
        "26 four answers changed by chance, of which each ward prefers one",
        tables.wards_apart,
        {"age": numeric("q"), "ward": "o", "answer": "c"},
        (step("pram", ("answer",), swap=0.2),),
        "public",
    ),
    Case(
        "26b the same four answers at two visits of each person",
        partial(tables.twice, tables.wards_apart),
        {"patient": "i", "visit": "o", "age": numeric("q"), "ward": "o", "answer": "c"},
        (step("pram", ("answer",), swap=0.2),),
        "public",
        more={"input": {"person": "patient"}},
    ),
    Case(
        "27 regions changed by chance and age bands exchanged among neighbours",
        tables.broad_details,
        {"region": "q", "band": {"role": "q", "kind": "ordinal"}, "sex": "q", "ill": "c"},
        (step("pram", ("region",), swap=0.3), step("rank-swap", ("band",))),
        "public",
    ),
)
HONEST = (*NUMBERED, *SECOND_ROUND_HONEST)
