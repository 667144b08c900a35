"""Each check of the gate: green, amber, red on small tables."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cases import case_rows
from gate_cases import HandMade, check, evidence_of, grouped, make_candidate, proof, randomised, recipe_of, with_step
from old_books import Book, Rows, Styled, xls
from optional import existing
from planted_evidence import Shift

from ppdm_desktop.engine.attacks.uncertainty import WorstCaseGroup
from ppdm_desktop.engine.methods.base.step import Protection
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.load import parse_recipe
from ppdm_desktop.engine.recipe.release_type import RELEASE_TYPES
from ppdm_desktop.engine.release.candidate.model import Candidate, column_notes
from ppdm_desktop.engine.release.candidate.pipeline import prepare, run_candidate
from ppdm_desktop.engine.release.gate.base import all_checks, run_gate
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import CheckResult
from ppdm_desktop.engine.report.public import columns as public
from ppdm_desktop.engine.table.reading.import_log import READ_ONCE
from ppdm_desktop.engine.wording.catalogue import lazy
from ppdm_desktop.engine.wording.numbers import Numbers
from ppdm_desktop.engine.wording.texts import Note, all_texts, render
from ppdm_desktop.engine.wording.values import AttachedData, Name, Names, Share, Value, format_sentence_value

TWENTY = [str(i) for i in range(20)]
SAFE: dict[str, Any] = {"Q": ["a"] * 10 + ["b"] * 10, "C": ["x", "y"] * 10}
ROLES: dict[str, Any] = {"Q": "q", "C": "c"}
# Four people alone in their class, all with a value that gives them away.
ALONE: dict[str, Any] = {"Q": ["1", "2", "3", "4"], "C": ["x", "y", "x", "y"]}
NOMINAL: dict[str, Any] = {"Q": {"role": "q", "kind": "nominal"}, "C": "c"}


def status(given: Candidate | Evidence, id: str) -> str:
    return check(given, id).status


# --- one table, one verdict --------------------------------------------------------------------


@dataclass(frozen=True)
class Case:
    """A small table, and what one check says of its release."""

    check: str
    columns: Mapping[str, Sequence[str]]
    roles: Mapping[str, Any]
    status: str
    type: str = "research"
    figure: float | None = None
    sentence: str = ""
    more: Mapping[str, Any] = field(default_factory=dict)


def _bsn(rows: int) -> list[str]:
    """Numbers that pass the Dutch test of eleven, which one in eleven passes by chance."""
    weights = (9, 8, 7, 6, 5, 4, 3, 2, -1)
    numbers = map(str, range(110_000_000, 110_100_000))
    passing = (text for text in numbers if sum(int(d) * w for d, w in zip(text, weights, strict=True)) % 11 == 0)
    return [next(passing) for _ in range(rows)]


def noted(texts: Sequence[str], kind: str = "nominal") -> dict[str, Any]:
    """Return the arguments of a case: the safe table with a further column of some kind."""
    return {"columns": {**SAFE, "T": texts}, "roles": {**ROLES, "T": {"role": "o", "kind": kind}}}


def mails(count: int) -> dict[str, Any]:
    return noted([f"ann{i}@example.org" if i < count else f"word {i % 3}" for i in range(20)])


NUMERIC_C: dict[str, Any] = {"role": "c", "kind": "numeric"}
NAMES = [f"Person {i}" for i in range(20)]
WITH_TOTAL = {"Q": [*["1", "2"] * 75, "Total"], "C": [*["x", "y"] * 75, "x"]}
ONE_VALUE_OF_TEN = {"Q": ["a"] * 10 + ["b"] * 10, "C": ["x"] * 10 + ["x", "y"] * 5}
# Twenty people are alone in their class and guessed right; the lower end of 20 of 20, 0.861, is no red.
EXPOSED = {"Q": [f"q{i}" for i in range(20)] + ["a"] * 40, "C": ["x", "y", "z"] * 20}
# One in a hundred of 6,000 are sixty, and the lower end of 60 of 60 is 0.951.
MANY_EXPOSED = {"Q": [str(i) for i in range(6_000)], "C": ["x", "y", "z"] * 2_000}
# Fifteen of 75 holders are named, all rightly: fewer than a quarter.
FEW_HOLDERS = {"Q": [f"q{i}" for i in range(15)] + ["a"] * 735, "C": ["z"] * 75 + (["x", "y"] * 338)[:675]}
# Whoever knows C finds D; nobody stands out by Q.
TWO_SECRETS = {"Q": ["a"] * 60, "C": [str(i) for i in range(60)], "D": ["x", "y"] * 30}
READINGS = {"Q": ["a"] * 60, "C": [str(i) for i in range(60)]}
MEASURED = {"Q": "q", "C": {**NUMERIC_C, "measured": True}}
NOISE = {"steps": [{"method": "two-phase-noise"}]}
BOUNDED = {"Q": "q", "C": {**NUMERIC_C, "bounds": [0, 20]}}
SAME_Q = {"Q": ["a"] * 20, "C": TWENTY}
WITHOUT_SECRET = {name: "q" if role == "c" else role for name, role in ROLES.items()}
FEW_IDS = {
    "Q": ["a"] * 6000,
    "Id": [f"id{i}" if i < 50 else "none" for i in range(6000)],
    "T": ["y" if i < 50 else "n" for i in range(6000)],
}
CASES = [
    Case("roles-decided", SAFE, ROLES, "green"),
    Case("roles-decided", {**SAFE, "Z": TWENTY}, ROLES, "red", figure=1),
    Case("people-counted", SAFE, ROLES, "amber"),
    Case("people-counted", SAFE, ROLES, "green", more={"input": {"one_row_per_person": True}}),
    Case("rows-read", WITH_TOTAL, NOMINAL, "amber", sentence="amber-unanswered"),
    Case("rows-read", WITH_TOTAL, NOMINAL, "green", sentence="green-left-out",
         more={"input": {"leave_out": [{"found": "sum"}]}}),
    Case("rows-read", WITH_TOTAL, NOMINAL, "amber", sentence="amber-left-out", more={"input": {"last_row": 140}}),
    Case("identifiers-gone", {**SAFE, "Id": NAMES}, {**ROLES, "Id": "i"}, "green"),
    # 1 in 20 rows is over 1 %.
    Case("identifiers-gone", {**SAFE, "Id": NAMES, "T": ["-"] * 7 + [" PERSON 7"] + ["-"] * 12},
         {**ROLES, "Id": "i", "T": "o"}, "red", figure=1),
    Case("identifiers-gone", FEW_IDS, {"Q": "q", "Id": "i", "T": "o"}, "green"),
    Case("identifier-patterns", **mails(0), status="green", figure=0),
    Case("identifier-patterns", **mails(1), status="amber", figure=1),
    Case("identifier-patterns", **mails(20), status="red", figure=20),
    Case("identifier-patterns", **mails(1), status="red", type="public", figure=1),
    Case("identifier-patterns", **mails(3), status="amber", type="internal", figure=3),
    Case("identifier-patterns", **noted(_bsn(20), "numeric"), status="red"),
    # One of the two has the right check digit.
    Case("identifier-patterns", **noted(["378282246310005", "378282246310006"] * 10, "numeric"), status="amber"),
    Case("identifier-patterns", **noted([str(100_000_000 + 7919 * i) for i in range(20)], "numeric"), status="green"),
    Case("identifier-patterns", **noted([f"{100_000_000 + 7919 * i}.5" for i in range(20)], "numeric"), status="green"),
    Case("identifier-patterns",
         {**SAFE, "I": [str(100_001 + i) for i in range(20)], "T": [str(100_001 + (i + 7) % 20) for i in range(20)]},
         {**ROLES, "I": "i", "T": {"role": "o", "kind": "numeric"}}, "green"),
    *(Case("confidential-chosen", SAFE, WITHOUT_SECRET, "amber", type, 0) for type in RELEASE_TYPES),
    *(Case("confidential-chosen", SAFE, ROLES, "green", type) for type in RELEASE_TYPES),
    Case("confidential-chosen", SAFE, ROLES, "amber", figure=0, sentence="amber-left-out",
         more={"steps": [{"method": "leave-out", "columns": ["C"]}]}),
    *(
        Case("free-text", **noted(texts, "text"), status=status, type=type)
        for type, other in (("research", "amber"), ("public", "red"))
        for texts, status in (
            (["she said it hurt"] + ["no remark"] * 19, other),
            ([f"w{i}" for i in range(20)], other),
            (["she said it hurt"] * 20, "green"),
        )
    ),
    # The text of twelve rows is one person's.
    Case("free-text", {"Q": ["a"] * 60, "T": ["asked for her"] * 12 + ["no remark"] * 48,
                       "who": ["0"] * 12 + [str(row) for row in range(1, 49)]},
         {"Q": "q", "T": {"role": "o", "kind": "nominal"}, "who": "i"}, "amber", more={"input": {"person": "who"}}),
    Case("class-size", ALONE, NOMINAL, "amber", figure=1),
    Case("class-size", ALONE, NOMINAL, "amber", "internal", 1),
    Case("class-size", ALONE, NOMINAL, "red", "public", 1),
    # All four: more than a third, which not even colleagues may learn.
    *(Case("certain-disclosure", ALONE, NOMINAL, "red", type, 4) for type in ("research", "internal", "public")),
    Case("class-size", SAFE, ROLES, "green"),
    Case("certain-disclosure", SAFE, ROLES, "green"),
    # 10 < 11, but nobody's value is certain.
    Case("class-size", SAFE, ROLES, "amber", "public"),
    Case("certain-disclosure", {"Q": ["a", "a", "b", "b"], "C": ["x", "", "y", "y"]}, NOMINAL, "red", figure=2),
    *(
        Case("class-size", {"Q": SAFE["Q"] * 3, "C": SAFE["C"] * 3}, {"Q": role, "C": role}, "amber", type, figure,
             "amber-no-quasi", {"input": {"one_row_per_person": True}})
        for role, figure in (("o", 15), ("c", 60))
        for type in ("public", "research", "internal")
    ),
    Case("singling-out", TWO_SECRETS, {"Q": "q", "C": {"role": "c", "kind": "nominal"}, "D": "c"}, "amber", "public",
         1.0, "amber-one"),
    Case("near-identifiers", READINGS, {"Q": "q", "C": NUMERIC_C}, "red"),
    Case("near-identifiers", READINGS, MEASURED, "amber"),
    Case("near-identifiers", READINGS, {"Q": "q", "C": NUMERIC_C}, "red", "public"),
    Case("near-identifiers", READINGS, MEASURED, "red", "public"),
    *(Case("most-exposed", EXPOSED, NOMINAL, "amber", type, 1.0) for type in ("research", "internal")),
    Case("most-exposed", EXPOSED, NOMINAL, "red", "public", 1.0),
    Case("most-exposed", {**EXPOSED, "Q": ["a"] * 60}, NOMINAL, "green"),
    Case("most-exposed", MANY_EXPOSED, NOMINAL, "red", "public"),
    Case("most-exposed", MANY_EXPOSED, NOMINAL, "amber"),
    Case("rare-secret", FEW_HOLDERS, NOMINAL, "green", "public", 0.2),
    Case("formula-cells", SAFE, ROLES, "green", sentence="green"),
    Case("levels-met", SAFE, ROLES, "green"),
    Case("levels-met", ALONE, NOMINAL, "amber", figure=4, more={"privacy": {"default": "cautious"}}),
    # Classes of ten with two values.
    Case("levels-met", SAFE, ROLES, "green", more={"privacy": {"default": "cautious"}}),
    Case("levels-met", ONE_VALUE_OF_TEN, ROLES, "amber", figure=10, more={"privacy": {"default": "cautious"}}),
    Case("bounds-from-data", SAME_Q, {"Q": "q", "C": NUMERIC_C}, "amber", more=NOISE),
    *(Case(check, SAME_Q, BOUNDED, "green", more=NOISE)
      for check in ("bounds-from-data", "certain-disclosure", "levels-met", "reversible-method")),
    Case("rare-values", SAFE, ROLES, "green"),
    Case("rare-values", **noted(["u"] + ["v"] * 19), status="amber", figure=1),
    Case("rare-values", **noted(["99"] + ["5"] * 10 + ["1"] * 9, "numeric"), status="amber", figure=1),
    Case("rare-values", **noted(["3"] + ["5"] * 10 + ["1"] * 9, "numeric"), status="green"),
    # Neither rounding nor leaving other rows out hides a lone extreme.
    Case("rare-values", **noted(["99"] + ["7"] * 10 + ["5"] * 9, "numeric"), status="amber", figure=1,
         more={"steps": [{"method": "round", "columns": ["T"], "parameters": {"base": {"T": 2}}}]}),
    Case("rare-values", **noted(["9"] + ["7"] * 10 + ["5"] * 9, "numeric"), status="green",
         more={"steps": [{"method": "round", "columns": ["T"], "parameters": {"base": {"T": 2}}}]}),
    Case("rare-values", **noted(["99", ""] + ["5"] * 9 + ["1"] * 9, "numeric"), status="amber", figure=1,
         more={"steps": [{"method": "leave-out-rows", "columns": ["T"]}]}),
    # People, each counted once.
    Case("rare-values", {**SAFE, "T": ["u"] + ["v"] * 19, "U": ["x"] + ["y"] * 16 + ["z"] * 3},
         {**ROLES, "T": "o", "U": "o"}, "amber", figure=4),
    Case("rare-values", **noted([""] + ["v"] * 19), status="amber", figure=1),
    Case("diversity", {"Q": ["a"] * 10 + ["b"] * 10, "C": ["x", "y"] * 5 + ["x"] * 10},
         {"Q": "q", "C": {"role": "c", "kind": "nominal"}}, "not-applicable",
         more={"steps": [{"method": "condensation"}]}),
    Case("diversity", SAFE, {"Q": "q", "C": "o"}, "not-applicable"),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.check} {case.type}")
def test_what_a_check_says_of_a_table(tmp_path: Path, case: Case) -> None:
    found = check(make_candidate(tmp_path, case.columns, case.roles, case.type, **case.more), case.check)
    assert found.status == case.status
    assert case.figure is None or existing(found.figure).value == pytest.approx(case.figure)
    assert case.sentence in ("", found.sentence.id.removeprefix(f"gate.{case.check}."))


@pytest.mark.parametrize(
    ("total", "limited", "status"), case_rows("gate-checks-a-limited-part-follows-from-the-total-and", lists=True)
)
@pytest.mark.parametrize("kept", [True, False])
def test_a_limited_part_follows_from_the_total_and_the_other_part(
    tmp_path: Path, total: str, limited: list[str], status: str, kept: bool
) -> None:
    """Nine people earn most, each another sum; all others share theirs. Whether the rule is kept does not matter.

    A total of the parts as shown tells nothing more, though a single person may have the largest.
    """
    pay = [1000 + 10 * (row % 30) if row < 291 else 2000 + 7 * row for row in range(300)]
    bonus = [5 * (row % 7) for row in range(300)]
    columns: dict[str, list[Any]] = {
        "Q": ["a"] * 300,
        "Pay": pay,
        "Bonus": bonus,
        "Total": [a + b for a, b in zip(pay, bonus, strict=True)],
    }
    roles = {
        "Q": "q",
        "Pay": NUMERIC_C,
        "Bonus": NUMERIC_C,
        "Total": NUMERIC_C if total == "c" else "l",
    }
    steps = [{"method": "top-bottom-code", "columns": limited, "parameters": {"limits": {"Pay": [1000, 1290]}}}]
    texts = {name: [str(value) for value in values] for name, values in columns.items()}
    rules = [{"kind": "sum", "columns": ["Pay", "Bonus", "Total"], "kept": kept}]
    found = check(make_candidate(tmp_path, texts, roles, steps=steps, rules=rules), "rare-values")
    assert (found.status, "Pay" in found.columns or "Pay" in str(found.sentence)) == (status, status == "amber")


def computed() -> dict[str, tuple[dict[str, Any], bool]]:
    """Return tables with a number of which few have the largest values, and whether the other columns give them."""
    draw = np.random.default_rng(5)
    stay = np.where(np.arange(300) == 7, 400, np.arange(300) % 9)
    first = np.datetime64("2023-01-01") + np.arange(300) % 11
    one, two, three = draw.integers(20, 400, (3, 300))
    tall, heavy = draw.integers(150, 195, 300), np.round(draw.normal(75, 12, 300), 1)
    pay = np.round(draw.lognormal(8, 0.4, 300))
    noise = draw.lognormal(0, 0.2, 300)
    return {
        "days between dates": ({"Hidden": stay, "From": first, "To": first + stay}, True),
        "days between dates of years": (
            {
                "Hidden": stay,
                "From": first + 5 * one,
                "To": first + 5 * one + stay,
                **dict(zip("ABC", (two, three, pay))),
            },
            True,
        ),
        "product": ({"Hidden": one * two * three, "A": one, "B": two, "C": three}, True),
        "ratio": ({"Hidden": np.round(one * two / three, 2), "A": one, "B": two, "C": three}, True),
        "weight of a body": (
            {"Hidden": heavy, "Tall": tall, "Index": np.round(heavy / tall**2 * 10_000, 1)},
            True,
        ),
        "rest of a thousand": ({"Hidden": 1_000 - one - two, "A": one, "B": two}, True),
        "weighted mean": ({"Hidden": three, "A": one, "B": two, "Mean": one / 2 + two / 4 + three / 4}, True),
        "another currency": ({"Hidden": pay, "Dollars": np.round(1.08 * pay)}, True),
        "logarithm": ({"Hidden": pay, "Log": np.round(np.log10(pay), 3)}, True),
        "what goes with it": ({"Hidden": pay, "Spent": np.round(pay * noise)}, False),
        "nothing": ({"Hidden": one * two, "A": three}, False),
    }


@pytest.mark.parametrize("name", computed())
def test_a_limited_number_follows_from_columns_that_give_it(tmp_path: Path, name: str) -> None:
    table, is_given = computed()[name]
    columns = {"Q": ["a"] * 300, **{column: [str(value) for value in values] for column, values in table.items()}}
    dates = {"role": "c", "kind": "date"}
    roles = {"Q": "q", **{column: NUMERIC_C if column not in ("From", "To") else dates for column in table}}
    limits = {"Hidden": [int(end) for end in np.quantile(table["Hidden"], (0.05, 0.95))]}
    steps = [{"method": "top-bottom-code", "columns": ["Hidden"], "parameters": {"limits": limits}}]
    found = check(make_candidate(tmp_path, columns, roles, steps=steps), "rare-values")
    assert ("Hidden" in str(found.sentence.arguments["columns"])) == is_given


def test_a_rounded_number_is_not_given_by_what_says_less(tmp_path: Path) -> None:
    """Tenths of the people explain 95 % of the score; the score rounded to 20 explains more itself."""
    score = np.sort(np.random.default_rng(2).normal(500, 80, 600).round().astype(int))
    columns = {"Q": ["a"] * 600, "Score": [*map(str, score)], "Tenth": [str(row // 60) for row in range(600)]}
    roles = {"Q": "q", "Score": NUMERIC_C, "Tenth": {"role": "o", "kind": "numeric"}}
    for base, status in ((20, "green"), (200, "amber")):
        steps = [{"method": "round", "columns": ["Score"], "parameters": {"base": base}}]
        assert check(make_candidate(tmp_path, columns, roles, steps=steps), "dependencies").status == status


def test_a_range_that_a_whole_group_shows_is_said(tmp_path: Path) -> None:
    """In ward 0 everybody was in prison for 24 to 35 months, as were others; the exact month is not shown."""
    wards = [row % 20 for row in range(600)]
    months = [24 + row % 11 if ward == 0 else row * 7 % 60 for row, ward in enumerate(wards)]
    columns = {"Ward": [f"ward {ward}" for ward in wards], "Months": [str(number) for number in months]}
    steps = [{"method": "generalize", "columns": ["Months"], "parameters": {"width": {"Months": 12}}}]
    candidate = make_candidate(tmp_path, columns, {"Ward": "q", "Months": NUMERIC_C}, steps=steps)
    found = check(candidate, "certain-disclosure")
    assert (found.status, found.hits, found.of) == ("amber", 30, 600)


@pytest.mark.parametrize(("bonus", "status"), [("c", "green"), ("l", "amber")])
def test_the_largest_total_of_one_person_counts_only_where_a_part_is_not_shown(
    tmp_path: Path, bonus: str, status: str
) -> None:
    """Many have the highest pay and many the highest bonus, but one person has both, and so the largest total."""
    pay = [1000 + 10 * (row % 30) for row in range(300)]
    extra = [5 * (row // 30 % 7 if row % 30 != 29 or row == 209 else row // 30 % 6) for row in range(300)]
    columns = {"Pay": pay, "Bonus": extra, "Total": [a + b for a, b in zip(pay, extra, strict=True)]}
    assert columns["Total"].count(max(columns["Total"])) == 1
    texts = {"Q": ["a"] * 300, **{name: [str(value) for value in values] for name, values in columns.items()}}
    roles = {"Q": "q", "Pay": NUMERIC_C, "Bonus": NUMERIC_C if bonus == "c" else bonus, "Total": NUMERIC_C}
    found = check(make_candidate(tmp_path, texts, roles), "rare-values")
    assert (found.status, "Total" in str(found.sentence)) == (status, status == "amber")


@pytest.mark.parametrize(
    ("made", "figure"),
    [(["", *["v"] * 19], 1), ([*["v"] * 19, ""], 1), (["", "", *["v"] * 18], 0), (["v"] * 20, 0)],
)
def test_an_artificial_row_repeats_the_gap_of_one_person_only(tmp_path: Path, made: list[str], figure: int) -> None:
    """One person of the source has no T, everybody has a U; a gap in U is nobody's."""

    class Artificial(HandMade):
        correspondence = "none"

    columns = {**SAFE, "T": ["", *["v"] * 19], "U": ["w"] * 20}
    candidate = make_candidate(tmp_path, columns, {**ROLES, "T": "o", "U": "o"})
    for changes, expected in (({"T": made}, figure), ({"T": ["v"] * 20, "U": made}, 0)):
        found = check(with_step(candidate, changes, method=Artificial()), "rare-values")
        assert existing(found.figure).value == expected


# --- source ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("bad", "expected"), [(0, "green"), (1, "amber"), (5, "red")])
def test_rows_read(tmp_path: Path, bad: int, expected: str) -> None:
    candidate = make_candidate(tmp_path, SAFE, ROLES)
    path = tmp_path / "people-list.csv"
    lines = path.read_text().splitlines()
    path.write_text("\n".join(lines + ["a,b,c"] * bad) + "\n")
    prepared = prepare(path, candidate.prepared.recipe)
    again = run_candidate(prepared, candidate.key)
    assert status(again, "rows-read") == expected


@pytest.mark.parametrize(("readings", "expected"), [({}, "amber"), ({"C": "first"}, "green")])
def test_cells_that_are_read_in_two_ways(tmp_path: Path, readings: dict[str, str], expected: str) -> None:
    rows: Rows = (("Q", "C"), *((q, Styled(20.0 + n % 2, "[<50]d;0")) for n, q in enumerate(SAFE["Q"])))
    candidate = from_workbook(tmp_path, xls(Book({"data": rows})), readings=readings)
    result = check(candidate, "rows-read")
    assert result.status == expected
    if expected == "amber":
        assert result.sentence.id == "gate.rows-read.amber-read-twice"
        assert result.sentence.arguments["cells"] == len(SAFE["Q"])


def test_a_workbook_that_one_reader_only_can_read(tmp_path: Path) -> None:
    rows: Rows = (("Q", "C"), *zip(SAFE["Q"], SAFE["C"], strict=True))
    candidate = from_workbook(tmp_path, xls(Book({"data": rows})))
    assert status(candidate, "rows-read") == "green"
    account = candidate.prepared.account
    note = Note(READ_ONCE, {"sheet": Name("data")})
    prepared = replace(candidate.prepared, account=replace(account, warnings=(*account.warnings, note)))
    result = check(replace(candidate, prepared=prepared), "rows-read")
    assert result.sentence.id == "gate.rows-read.amber-read-once"


def from_workbook(folder: Path, content: bytes, **options: Any) -> Candidate:
    path = folder / "people.xls"
    path.write_bytes(content)
    recipe = parse_recipe(recipe_of(NOMINAL, "research", input=options))
    return run_candidate(prepare(path, recipe, need_type=True), Key(bytes(range(32)), "system"))


def test_source_unchanged(tmp_path: Path) -> None:
    candidate = make_candidate(tmp_path, SAFE, ROLES)
    assert status(candidate, "source-unchanged") == "green"
    (tmp_path / "people-list.csv").write_text("Q,C\n")
    assert status(candidate, "source-unchanged") == "red"
    (tmp_path / "people-list.csv").unlink()
    assert status(candidate, "source-unchanged") == "red"


# --- the data file -------------------------------------------------------------------------------


@pytest.mark.parametrize("format", ["csv", "xlsx", "sav", "dta"])
def test_written_back(tmp_path: Path, format: str) -> None:
    evidence = evidence_of(make_candidate(tmp_path, SAFE, ROLES, release={"format": format}))
    assert status(evidence, "written-back") == "green"
    column = existing(evidence.read_back)[1]
    damaged = column.with_values(np.array([3]), ["z"])
    found = check(replace(evidence, as_written=(existing(evidence.read_back)[0], damaged)), "written-back")
    assert (found.status, existing(found.figure).value) == ("red", 1)
    assert status(replace(evidence, as_written=None), "written-back") == "red"


def test_checks_of_the_file_are_not_run_without_one(tmp_path: Path) -> None:
    evidence = replace(evidence_of(make_candidate(tmp_path, SAFE, ROLES)), as_written=None)
    results = {result.id: result for result in run_gate(evidence)}
    assert tuple(results) == tuple(all_checks())
    assert results["class-size"].status == "not-run"
    assert results["written-back"].status == "red"
    assert all(result.sentence.id in all_texts() for result in results.values())


def test_row_order(tmp_path: Path) -> None:
    assert status(make_candidate(tmp_path, SAFE, ROLES), "row-order") == "green"
    for type, after_a_draw in (("research", "amber"), ("public", "red")):
        in_order = make_candidate(tmp_path, SAFE, ROLES, type, release={"shuffle_rows": False})
        assert status(in_order, "row-order") == "amber"
        assert status(with_step(in_order, {}, columns=("C",)), "row-order") == after_a_draw


def test_formula_cells(tmp_path: Path) -> None:
    risky = {**SAFE, "T": ["=1+1", "-5", "'@x", *["t"] * 17]}
    roles = {**ROLES, "T": {"role": "o", "kind": "nominal"}}
    found = check(make_candidate(tmp_path, risky, roles), "formula-cells")
    assert (found.status, existing(found.figure).value, found.sentence.arguments["cells"]) == ("green", 0, 2)
    raw = check(make_candidate(tmp_path, risky, roles, release={"formula_guard": False}), "formula-cells")
    assert (raw.status, existing(raw.figure).value, raw.limit) == ("amber", 1, 0)
    # In a German Excel a semicolon separates columns: the guard before the text does not reach behind it.
    split = {**risky, "T": ["a;=1+1", "a;-5", "'@x", *["t"] * 17]}
    cut = check(make_candidate(tmp_path, split, roles), "formula-cells")
    assert (cut.status, existing(cut.figure).value) == ("amber", 1)
    assert cut.sentence.id == "gate.formula-cells.amber-split"
    assert status(make_candidate(tmp_path, split, roles, release={"format": "xlsx"}), "formula-cells") == "green"
    workbook = evidence_of(make_candidate(tmp_path, risky, roles, release={"format": "xlsx"}))
    assert status(workbook, "formula-cells") == "green"
    import io
    import zipfile

    stream = io.BytesIO(existing(workbook.written).data)
    with zipfile.ZipFile(stream, "a") as package:
        package.writestr("xl/worksheets/sheet2.xml", "<c><f>1+1</f></c>")
    written = existing(workbook.written).holding(stream.getvalue())
    assert status(replace(workbook, written=written), "formula-cells") == "red"
    assert check(replace(workbook, written=written), "formula-cells").limit == 0
    assert status(replace(workbook, written=written), "metadata") == "red"


def test_file_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert status(make_candidate(tmp_path, SAFE, ROLES), "file-limits") == "green"
    from ppdm_desktop.engine.table.writing import limits

    monkeypatch.setattr(limits, "MOST_ROWS", 20)
    assert status(make_candidate(tmp_path, SAFE, ROLES), "file-limits") == "not-applicable"
    evidence = evidence_of(make_candidate(tmp_path, SAFE, ROLES, release={"format": "xlsx"}))
    assert status(evidence, "file-limits") == "red"
    results = {result.id: result.status for result in run_gate(evidence)}
    assert results["written-back"] == "red"
    assert results["release-text"] == "not-run"


# --- identifiers ---------------------------------------------------------------------------------


def said(value: Value) -> str:
    """Return a value of a sentence in words."""
    return format_sentence_value(value, Numbers("en"))


def test_one_to_one_with_an_identifier_that_repeats(tmp_path: Path) -> None:
    rows = 120
    ids = [f"id{i % 60}" for i in range(rows)]
    columns = {
        "Q": ["a"] * rows,
        "Id": ids,
        "T": [f"t{(i * 7) % 60}" for i in (int(x[2:]) for x in ids)],
        "U": [f"u{i % 59}" for i in range(rows)],
    }
    found = check(make_candidate(tmp_path, columns, {"Q": "q", "Id": "i", "T": "o", "U": "o"}), "identifiers-gone")
    assert found.status == "red"
    assert found.sentence.arguments["columns"] == Names(("T",))


@pytest.mark.parametrize(
    ("identifiers", "texts", "expected"),
    [
        (lambda row: "yes" if row % 9 else "no", lambda row: "yes" if row % 3 else "no", "green"),
        (lambda row: f"badge{row}" if row % 5 == 0 else "none", lambda row: "none" if row % 2 else "pollen", "green"),
        (lambda row: f"badge{row}" if row % 5 == 0 else "none", lambda row: "none" if row % 5 else "has", "green"),
        (lambda row: "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[row % 26], lambda row: "ABCDEFGH"[row % 8], "green"),
        (
            lambda row: f"badge{row}" if row % 5 == 0 else "none",
            lambda row: f"badge{row}" if row % 5 == 0 else "",
            "red",
        ),
        (lambda row: f"Ann {row // 12}", lambda row: f"ann {row // 12}" if row < 36 else "-", "red"),
    ],
    ids=["two answers", "filled cells", "whether filled", "letters", "badges", "visits"],
)
def test_only_values_that_point_at_few_repeat_an_identifier(
    tmp_path: Path, identifiers: Callable[[int], str], texts: Callable[[int], str], expected: str
) -> None:
    """Sharing "yes", "none" or a letter with a column of identifiers names nobody; sharing a badge or a name does."""
    rows = range(600)
    columns = {"Q": ["a"] * 600, "Id": [*map(identifiers, rows)], "T": [*map(texts, rows)]}
    assert status(make_candidate(tmp_path, columns, {"Q": "q", "Id": "i", "T": "o"}), "identifiers-gone") == expected


@pytest.mark.parametrize(
    ("slips", "blanks", "expected"),
    [(0, 0, "red"), (3, 0, "red"), (0, 6, "red"), (30, 0, "green"), (0, 150, "green")],
)
def test_a_few_slips_do_not_hide_a_mirror_of_an_identifier(
    tmp_path: Path, slips: int, blanks: int, expected: str
) -> None:
    rows = 300
    mirror = [f"t{(i % 60) * 7 % 60}" for i in range(rows)]
    for row in range(slips):
        mirror[row * 7] = f"t{row % 3}"
    if blanks:
        # The codes of whole persons are missing.
        mirror = ["" if i % 60 < blanks // 5 else text for i, text in enumerate(mirror)]
    columns = {"Q": ["a"] * rows, "Id": [f"id{i % 60}" for i in range(rows)], "T": mirror}
    candidate = make_candidate(tmp_path, columns, {"Q": "q", "Id": "i", "T": "o"})
    assert status(candidate, "identifiers-gone") == expected


def test_no_name_of_a_method_turns_what_stands_for_an_identifier_into_a_code(tmp_path: Path) -> None:
    class Pseudonymise(HandMade):
        id = "pseudonymise"

    ids = [f"id{i % 60}" for i in range(120)]
    columns = {"Q": ["a"] * 120, "Id": ids, "T": [f"x{text}" for text in ids]}
    candidate = make_candidate(tmp_path, columns, {"Q": "q", "Id": "i", "T": "o"})
    assert status(candidate, "identifiers-gone") == "red"
    assert status(with_step(candidate, {}, method=Pseudonymise(), columns=["T"]), "identifiers-gone") == "red"


PEOPLE = [
    f"{given} {family}"
    for given in ("Ann", "Ben", "Cleo", "Dora")
    for family in ("Adler", "Brandt", "Celik", "Dorn", "Fink")
]


@pytest.mark.parametrize(
    ("comment", "kinds", "rows", "research"), case_rows("gate-checks-what-stands-inside-a-text", lists=True)
)
def test_what_stands_inside_a_text(
    tmp_path: Path, comment: str, kinds: Sequence[str], rows: Sequence[int], research: str
) -> None:
    """A whole identifier in its own person's row is never accepted; a word of somebody else's name may be a place."""
    columns = {**SAFE, "I": [f"P{10001 + i}" for i in range(20)], "W": [*PEOPLE[:-1], "unknown"]}
    columns["T"] = [comment if i == 2 else f"unknown words {i % 3}" for i in range(20)]
    roles = {**ROLES, "I": "i", "W": "i", "T": {"role": "o", "kind": "nominal"}}
    for type, expected in (("research", research), ("public", "red" if rows else "green")):
        candidate = make_candidate(tmp_path, columns, roles, type, input={"missing": ["unknown"]})
        found = check(candidate, "identifier-patterns")
        assert (found.status, existing(found.figure).value) == (expected, len(rows))
        wanted = [{"column": "T", "kind": kind, "cells": 1, "texts": 1, "rows": rows} for kind in kinds]
        assert found.sentence.arguments.get("found", AttachedData([])) == AttachedData(wanted)
        assert comment not in render(found.sentence.id, found.sentence.arguments).sentence


class Broader(HandMade):
    """A method that releases broader values."""

    treatment = lazy("generalisation (local)")


@pytest.mark.parametrize(("type", "expected"), [("internal", "amber"), ("research", "amber"), ("public", "red")])
def test_keys_released(tmp_path: Path, type: str, expected: str) -> None:
    """Whatever role and kind a key is given, it is one; what stands under it has to be the true values."""
    key = {**SAFE, "patient_nbr": [str(7 * i % 20 + 100) for i in range(20)]}
    for section in (
        {"role": "o", "kind": "nominal"},
        {"role": "q", "kind": "numeric"},
        {"role": "c", "kind": "numeric"},
    ):
        candidate = make_candidate(tmp_path, key, {**ROLES, "patient_nbr": section}, type)
        found = check(candidate, "keys-released")
        assert (found.status, existing(found.figure).value, found.limit) == (expected, 1, 0)
        assert "patient_nbr" in render(found.sentence.id, found.sentence.arguments).sentence
    named = {"role": "o", "kind": "nominal"}
    moved = with_step(make_candidate(tmp_path, key, {**ROLES, "patient_nbr": named}, type), {"patient_nbr": TWENTY})
    assert status(moved, "keys-released") == "green", "other values stand there"
    slip = with_step(
        make_candidate(tmp_path, key, {**ROLES, "patient_nbr": named}, type),
        {"patient_nbr": [*key["patient_nbr"][:-1], "999"]},
    )
    assert status(slip, "keys-released") == expected, "one changed cell hides nobody in the others"
    broad = with_step(
        make_candidate(tmp_path, key, {**ROLES, "patient_nbr": named}, type),
        {"patient_nbr": ["100 to 109", "110 to 119"] * 10},
        method=Broader(),
    )
    assert status(broad, "keys-released") == "green", "a range is nobody's number"
    ranges = {"role": "q", "kind": "numeric", "bins": {"method": "cuts", "at": [105, 110]}}
    assert status(make_candidate(tmp_path, key, {**ROLES, "patient_nbr": ranges}, type), "keys-released") == "green"
    assert status(make_candidate(tmp_path, key, {**ROLES, "patient_nbr": "i"}, type), "keys-released") == "green"
    assert status(make_candidate(tmp_path, SAFE, ROLES, type), "keys-released") == "green"


@pytest.mark.parametrize(
    ("name", "section", "type", "expected"), case_rows("gate-checks-a-sensitive-name-under-another-role", lists=True)
)
def test_a_sensitive_name_under_another_role(tmp_path: Path, name: str, section: Any, type: str, expected: str) -> None:
    columns = {**SAFE, name: [str(row % 8) for row in range(20)]}
    candidate = make_candidate(tmp_path, columns, {**ROLES, name: section}, type)
    assert status(candidate, "roles-overruled") == expected
    if expected != "green":
        other_values = with_step(candidate, {name: [str((row + 1) % 8) for row in range(20)]})
        assert status(other_values, "roles-overruled") == "green", "other values stand there"


def _in_wards(flags: Sequence[Sequence[str]], **more: Sequence[str]) -> dict[str, list[str]]:
    """Return a table of people in wards of the given flags, with an even confidential answer."""
    ward = [f"w{place}" for place, texts in enumerate(flags) for _ in texts]
    flag = [text for texts in flags for text in texts]
    answer = [str(row % 5) for row in range(len(ward))]
    return {"ward": ward, "flag": flag, "answer": answer, **{name: [*texts] for name, texts in more.items()}}


EVEN = ["a", "b"] * 20
SINGLE_WARDS = [[text] for text in "abababab"]


@pytest.mark.parametrize(
    ("flags", "section", "type", "expected"),
    [
        ([*[EVEN] * 10, *SINGLE_WARDS], "o", "public", ("red", "green")),
        ([*[EVEN] * 10, *SINGLE_WARDS], "o", "research", ("amber", "green")),
        (
            [*[EVEN] * 10, *SINGLE_WARDS],
            {"role": "o", "kind": "nominal", "measured": True},
            "research",
            ("green", "green"),
        ),
        ([*[EVEN] * 10, *SINGLE_WARDS], "o", "internal", ("green", "green")),
        ([*[EVEN] * 10, *SINGLE_WARDS[:2]], "o", "research", ("green", "green")),
        ([*[EVEN] * 10, ["z"] * 40], "o", "public", ("red", "red")),
        ([*[EVEN] * 10, ["z"] * 40], "o", "research", ("green", "green")),
        ([*[EVEN] * 10, ["z"] * 37 + ["a"] * 3], "o", "public", ("green", "red")),
        ([*[EVEN] * 10, ["z"] * 30 + ["a"] * 10], "o", "public", ("green", "green")),
        ([[f"province {ward // 2}"] * 40 for ward in range(24)], "o", "public", ("green", "green")),
        ([*[["no"] * 40] * 10, *[["no"]] * 8], "o", "public", ("green", "green")),
        ([*[EVEN] * 5, ["z"] * 40], "o", "public", ("red", "red")),
        ([*[EVEN] * 2, ["z"] * 40], "o", "public", ("green", "green")),
        ([*[EVEN] * 5, *[["z"] * 40] * 5, *[["y"] * 40] * 5], "o", "public", ("green", "green")),
        ([*[EVEN] * 10, [""] * 40], "o", "public", ("red", "red")),
        ([*[EVEN] * 5, [""] * 40], "o", "public", ("green", "green")),
    ],
    ids=[
        *("unique", "unique in research", "measured", "colleagues", "two of research"),
        *("one ward", "one ward in research", "nearly one ward", "three in four", "town and province", "common"),
        *("one in six", "one in three", "most wards have one", "empty", "many empty"),
    ],
)
def test_what_is_learnt_from_a_column_without_protection(
    tmp_path: Path, flags: list[list[str]], section: Any, type: str, expected: tuple[str, str]
) -> None:
    roles = {"ward": "q", "flag": section, "answer": "c"}
    candidate = make_candidate(tmp_path, _in_wards(flags), roles, type)
    # The answers give nobody away, so whatever is said is said of the flag.
    evidence = evidence_of(candidate)
    evidence.__dict__["certain_confidential"] = np.zeros(candidate.final.rows, dtype=np.bool_)
    evidence.__dict__["beliefs"] = ()
    found = check(evidence, "certain-disclosure"), check(evidence, "diversity")
    assert (found[0].status, found[1].status if found[1].status == "red" else "green") == expected
    if found[0].status != "green":
        assert "flag" in str(found[0].sentence.arguments["columns"])


@pytest.mark.parametrize(("holders", "expected"), [(2, False), (40, True)])
def test_nobody_who_stands_out_is_tolerated_in_public(tmp_path: Path, holders: int, expected: bool) -> None:
    posts = ["mayor"] * holders + ["clerk"] * (400 - holders)
    roles = dict(zip(("ward", "flag", "answer", "post"), "qoco", strict=True))
    for type, is_tolerated in (("public", expected), ("research", True)):
        candidate = make_candidate(tmp_path, _in_wards([EVEN] * 10, post=posts), roles, type)
        assert evidence_of(candidate).are_tolerated(np.arange(400) < 2) is is_tolerated


@pytest.mark.parametrize(
    ("name", "role", "type", "unique", "changed", "expected"),
    case_rows("gate-checks-people-singled-out-by-what-others-know"),
)
def test_people_singled_out_by_what_others_know(
    tmp_path: Path, name: str, role: str, type: str, unique: int, changed: str, expected: str
) -> None:
    """Whatever protects their secrets, too many are no public release; in research it is their secrets that count."""
    rows = range(500)
    generator = np.random.default_rng(4)
    columns = {
        name: [f"v{row}" if row < unique else f"v{row % 5}x" for row in rows],
        "answer": [*generator.choice([*"abcde"], 500)],
    }
    candidate = make_candidate(tmp_path, columns, {name: {"role": role, "kind": "nominal"}, "answer": "c"}, type)
    evidence = evidence_of(candidate)
    if changed:
        evidence.__dict__["beliefs"] = ()
    result = check(evidence, "singling-out")
    known = result.sentence.id in ("gate.singling-out.red-known", "gate.singling-out.red-unprotected")
    assert (result.status if known or result.status != "red" else "red") == expected


@pytest.mark.parametrize("empty", [0, 100])
def test_half_of_research_is_unique_behind_noise(tmp_path: Path, empty: int) -> None:
    """The limits of research are counted on the unique people alone, also where others have no value."""
    generator = np.random.default_rng(6)
    columns = {
        "age": [str(row) if row < 300 else "0" for row in range(400)],
        "pay": ["" if row < empty else str(pay) for row, pay in enumerate(generator.integers(0, 9_000, 400))],
    }
    roles = {"age": "q", "pay": {"role": "c", "kind": "numeric", "bounds": [0, 9_000]}}
    steps = [{"method": "two-phase-noise", "columns": ["pay"]}]
    found = check(make_candidate(tmp_path, columns, roles, "research", steps=steps), "singling-out")
    assert found.status == "amber"


@pytest.mark.parametrize("type", ["internal", "research", "public"])
@pytest.mark.parametrize(
    ("texts", "stopped"),
    [
        (
            [f"{given} {family}" for given in ("Anna", "Jan", "Eva", "Elif") for family in ("Weber", "Kaya") * 2]
            + [""] * 4,
            True,
        ),
        ([*["desk"] * 19, "Anna Weber"], False),
        (["New York", "Los Angeles", "Santa Clara", "Bad Homburg", "Maria Hilf"] * 4, False),
    ],
    ids=["names", "a single name", "towns"],
)
@pytest.mark.parametrize("role", ["q", "o", "c"])
def test_full_names_are_no_details(tmp_path: Path, texts: list[str], type: str, role: str, stopped: bool) -> None:
    candidate = make_candidate(tmp_path, {**SAFE, "contact": texts}, {**ROLES, "contact": role}, type)
    names = check(candidate, "keys-released").sentence.id == "gate.keys-released.red-names"
    assert names is (stopped and type != "internal")


def test_free_text_said_to_be_a_category(tmp_path: Path) -> None:
    """Rare texts are found whatever kind they are said to be; a list of job titles, rare ones too, is none."""
    nominal = {"Q": "q", "T": {"role": "o", "kind": "nominal"}}

    def free(texts: list[str]) -> str:
        return status(make_candidate(tmp_path, {"Q": ["a"] * len(texts), "T": texts}, nominal), "free-text")

    assert free(["asked for her"] * 4 + ["no remark"] * 96) == "amber"
    assert free(["asked for her"] * 5 + ["no remark"] * 95) == "green", "five people share it"
    assert free(["12 34", "Halle 5", "5 %"] + ["no remark"] * 97) == "green", "two words with letters are two words"
    assert free(["她说她在柏林见过他"] + ["no remark"] * 99) == "amber", "words without blanks"
    titles = [f"title{i}" for i in range(40)]
    assert free(titles + ["clerk"] * 60) == "green"
    assert free(titles + ["clerk"] * 40) == "amber"  # half of the cells are different
    assert free([f"{1000 + i}" for i in range(100)]) == "green"  # numbers, which other checks judge


def test_no_more_rare_texts_are_public_than_anybody_reads(tmp_path: Path) -> None:
    def found(number: int) -> str:
        texts = [f"asked for doctor {i}" for i in range(number)] + ["no remark"] * 300
        columns = {"Q": ["a"] * len(texts), "T": texts}
        candidate = make_candidate(tmp_path, columns, {"Q": "q", "T": read_by_somebody(texts[:number])}, "public")
        return status(candidate, "free-text")

    assert (found(200), found(201)) == ("green", "red")


SAID = [f"asked for doctor {i}" for i in range(20)]


def read_by_somebody(texts: list[str], kind: str = "text") -> dict[str, Any]:
    """Return a column whose texts were read: the digest is worked out here, as the page on people says it."""
    known = sorted({text for text in texts if text})
    digest = hashlib.sha256(json.dumps(known, ensure_ascii=False, separators=(",", ":")).encode()).hexdigest()
    return {"role": "o", "kind": kind, "texts_read": digest}


@pytest.mark.parametrize("kind", ["text", "nominal"])
def test_free_text_that_somebody_read(tmp_path: Path, kind: str) -> None:
    def found(texts: list[str], section: dict[str, Any], type: str = "research") -> CheckResult:
        roles = {**ROLES, "T": section}
        return check(make_candidate(tmp_path, {**SAFE, "T": texts}, roles, type), "free-text")

    section = read_by_somebody(SAID, kind)
    result = found(SAID, section)
    assert (result.status, existing(result.figure).value) == ("green", 0)
    assert "20 texts" in render(result.sentence.id, result.sentence.arguments).sentence
    assert found(list(reversed(SAID)), section).status == "green", "the order of rows is no other text"
    for texts in ([*SAID[:-1], "asked for Doctor 19"], [*SAID[:-1], SAID[0]], [*SAID[:-1], f"{SAID[-1]} "]):
        assert found(texts, {**section, "kind": "text"}).status == "amber", texts[-1]
    assert found(SAID, {**section, "texts_read": "0" * 64}).status == "amber"
    for to_all in ("public", "public-high-harm"):
        assert found(SAID, section, to_all).status == "green"
        assert found(SAID, {**section, "texts_read": "0" * 64}, to_all).status == "red"


def test_a_text_that_nobody_wrote_was_read_by_nobody(tmp_path: Path) -> None:
    """A step may write what stands nowhere in the source; what it leaves out was read all the same."""
    roles = {**ROLES, "T": read_by_somebody(SAID)}
    candidate = make_candidate(tmp_path, {**SAFE, "T": SAID}, roles)
    assert status(with_step(candidate, {"T": [*SAID[:-1], SAID[0]]}), "free-text") == "green"
    assert status(with_step(candidate, {"T": [*SAID[:-1], "asked for Mrs Lee"]}), "free-text") == "amber"


def test_only_the_columns_that_nobody_read_are_named(tmp_path: Path) -> None:
    roles = {**ROLES, "T": read_by_somebody(SAID), "U": {"role": "o", "kind": "text"}}
    result = check(make_candidate(tmp_path, {**SAFE, "T": SAID, "U": SAID}, roles), "free-text")
    assert (result.status, existing(result.figure).value) == ("amber", 1)
    sentence = render(result.sentence.id, result.sentence.arguments).sentence
    assert "“U”" in sentence
    assert "“T”" not in sentence


def test_having_read_moves_no_draw_and_is_kept_in_the_recipe(tmp_path: Path) -> None:
    plain = make_candidate(tmp_path, {**SAFE, "T": SAID}, {**ROLES, "T": {"role": "o", "kind": "text"}})
    read = make_candidate(tmp_path, {**SAFE, "T": SAID}, {**ROLES, "T": read_by_somebody(SAID)})
    assert plain.prepared.recipe_sha256 == read.prepared.recipe_sha256
    assert plain.prepared.draws_sha256 == read.prepared.draws_sha256
    assert read.prepared.complete.columns["T"].texts_read == read_by_somebody(SAID)["texts_read"]


def test_a_person_with_several_rows_keeps_what_was_read(tmp_path: Path) -> None:
    """The owner reads every row's text, and the first row of each person is released: nothing new stands there."""
    columns = {**SAFE, "T": SAID, "who": [str(row // 2) for row in range(20)]}
    roles = {**ROLES, "T": read_by_somebody(SAID), "who": "i"}
    more: dict[str, Any] = {"input": {"person": "who", "reduce": {"by": "first"}}}
    assert status(make_candidate(tmp_path, columns, roles, **more), "free-text") == "green"
    roles["T"] = read_by_somebody(SAID[::2])
    assert status(make_candidate(tmp_path, columns, roles, **more), "free-text") == "amber"


# --- class size and certainty -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("alone", "research", "internal"),
    [(0, "green", "green"), (6, "amber", "amber"), (7, "red", "amber"), (10, "red", "amber"), (11, "red", "red")],
)
def test_a_fifth_or_a_third_may_be_certain_but_not_in_public(
    tmp_path: Path, alone: int, research: str, internal: str
) -> None:
    """Of 30 people some are alone in their class; the others share one that shows both values alike."""
    columns = {"Q": [str(i) for i in range(alone)] + ["a"] * (30 - alone), "C": ["x", "y"] * 15}
    for type, expected in (("research", research), ("internal", internal), ("public", "red" if alone else "green")):
        found = check(make_candidate(tmp_path, columns, NOMINAL, type), "certain-disclosure")
        assert (found.status, existing(found.figure).value) == (expected, alone)


def test_randomised_uniques_pass_in_amber(tmp_path: Path) -> None:
    """Two of four records changed, half of each released value true."""
    candidate = make_candidate(tmp_path, ALONE, NOMINAL, "public")
    swapped = with_step(candidate, {"C": ["y", "x", "x", "y"]}, [randomised("C", [0, 0, 0, 0])])
    assert status(swapped, "class-size") == "amber"
    assert status(swapped, "certain-disclosure") == "green"


def test_a_flip_of_every_value_is_undone_by_anybody(tmp_path: Path) -> None:
    """No released value is true and there are two, so each gives the other away."""
    flip = {"C": ["y", "x", "y", "x"]}
    for type, expected in (("public", "red"), ("research", "amber")):
        flipped = with_step(make_candidate(tmp_path, ALONE, NOMINAL, type), flip, [randomised("C", [0, 0, 0, 0])])
        certain = check(flipped, "certain-disclosure")
        assert (certain.status, existing(certain.figure).value) == ("red", 4)
        found = check(flipped, "class-size").sentence
        # A method treats the column, and leaves nothing open.
        assert (found.id, found.arguments["open"]) == (f"gate.class-size.{expected}-partly", 4)


@pytest.mark.parametrize(
    "declared",
    [
        randomised("C", [0, 0, 0, 0]),
        randomised("C", [0, 0, 0, -1]),
        randomised("C", [0, 0, 1, 1]),
        grouped("C", 4),
        Protection("C", "noise", np.ones(4, dtype=bool), np.zeros(4, dtype=np.int64)),
    ],
)
def test_what_a_step_declares_is_not_believed(tmp_path: Path, declared: Protection) -> None:
    candidate = make_candidate(tmp_path, ALONE, NOMINAL, "public")
    still = with_step(candidate, {}, [declared])
    assert existing(check(still, "certain-disclosure").figure).value == 4
    assert status(still, "class-size") == "red"
    # Each shown value stands for one x and one y, whoever is said to have been treated.
    mixed = with_step(candidate, {"C": ["y", "x", "x", "y"]}, [declared])
    assert existing(check(mixed, "certain-disclosure").figure).value == 0


def test_class_size_of_regenerated_columns_does_not_apply(tmp_path: Path) -> None:
    class Condense(HandMade):
        correspondence = "group"

    candidate = make_candidate(tmp_path, ALONE, NOMINAL, "public")
    made = with_step(candidate, {}, [grouped("Q", 4), grouped("C", 4)], method=Condense(), columns=["Q", "C"])
    assert check(made, "class-size").sentence.id == "gate.class-size.not-applicable-regenerated"


# --- everything known but the secret ----------------------------------------------------------------


BOTH: dict[str, Any] = {"Q": {"role": "q", "kind": "nominal"}, "O": {"role": "o", "kind": "nominal"}, "C": "c"}


@pytest.mark.parametrize(("alone", "type", "expected"), case_rows("gate-checks-certain-by-all"))
def test_certain_by_all(tmp_path: Path, alone: int, type: str, expected: str) -> None:
    """All look the same to others; by a further column some are alone."""
    columns = {"Q": ["a"] * 60, "O": [f"o{i}" if i < alone else "o" for i in range(60)], "C": ["x", "y"] * 30}
    candidate = make_candidate(tmp_path, columns, BOTH, type)
    found = check(candidate, "certain-by-all")
    assert (found.status, found.sentence.arguments.get("share", Share(0, 60))) == (expected, Share(alone, 60))
    assert status(candidate, "certain-disclosure") == "green"
    picked = check(candidate, "singling-out")
    # Beyond the limit it is red only where a secret goes with it, and never where an agreement can forbid it.
    beyond = "red" if type == "public" and alone / 60 > 1 / 11 else "amber"
    assert (picked.status, existing(picked.figure).value) == (beyond if alone else "green", alone / 60)


@pytest.mark.parametrize(("alone", "few", "type", "expected", "figure"), case_rows("gate-checks-near-identifiers"))
def test_near_identifiers(tmp_path: Path, alone: int, few: int, type: str, expected: str, figure: float) -> None:
    values = [f"a{i}" for i in range(alone)] + [f"f{i // 10}" for i in range(few)] + ["o"] * (60 - alone - few)
    columns = {"Q": ["a"] * 60, "O": values, "C": ["x", "y"] * 30}
    found = check(make_candidate(tmp_path, columns, BOTH, type), "near-identifiers")
    assert found.status == expected
    assert existing(found.figure).value == pytest.approx(figure)
    told = found.sentence.arguments
    assert (told["alone"], told["few"]) == (Share(alone, 60), Share(alone + few, 60))


def test_two_columns_that_work_like_a_name_together(tmp_path: Path) -> None:
    """Eight by eight places: each line is shared by eight, and nobody shares a place."""
    places = {"Lat": [str(i // 8) for i in range(64)], "Lon": [str(i % 8) for i in range(64)]}
    columns = {"Q": ["a"] * 64, "Sex": ["f", "m"] * 32, **places, "C": ["x", "y"] * 32}
    roles = {"Q": "q", "C": "c", **dict.fromkeys(("Sex", "Lat", "Lon"), {"role": "o", "kind": "nominal"})}
    candidate = make_candidate(tmp_path, columns, roles)
    found = check(candidate, "near-identifiers")
    assert (found.sentence.id, existing(found.figure).value) == ("gate.near-identifiers.amber-set", 1.0)
    assert found.sentence.arguments["columns"] == Names(("Lat", "Lon"))
    picked = evidence_of(candidate).singled_out
    assert [(each.columns, each.unique_people) for each in picked.sets] == [(("Lat",), 0), (("Lat", "Lon"), 64)]
    alone = check(candidate, "singling-out")
    assert (alone.sentence.id, alone.sentence.arguments["set"]) == ("gate.singling-out.red-set", Names(("Lat", "Lon")))
    # Coarser by half, two share a place: nobody is alone by any set.
    broad = {**columns, "Lon": [str(i % 8 // 2) for i in range(64)], "Sex": ["f"] * 64}
    assert [each.unique_people for each in evidence_of(make_candidate(tmp_path, broad, roles)).singled_out.sets] == [0]


@pytest.mark.parametrize(
    ("people", "right", "control", "expected", "limit"), case_rows("gate-checks-all-of-the-most-exposed-are-counted")
)
def test_all_of_the_most_exposed_are_counted(
    tmp_path: Path, people: int, right: int, control: int, expected: str, limit: float | None
) -> None:
    evidence = evidence_of(make_candidate(tmp_path, {"Q": ["a"] * 60, "C": ["x", "y", "z"] * 20}, NOMINAL, "public"))
    exposed = WorstCaseGroup(people, right, control)
    evidence.__dict__["beliefs"] = (replace(evidence.beliefs[0], worst_case=exposed),)
    found = check(evidence, "most-exposed")
    figure = existing(found.figure)
    assert (found.status, found.limit, figure.value, figure.high) == (expected, limit, right / people, None)


def test_a_small_table_counts_the_most_exposed(tmp_path: Path) -> None:
    for type, expected in (("public", "red"), ("research", "amber")):
        found = check(make_candidate(tmp_path, ALONE, NOMINAL, type), "most-exposed")
        assert found.sentence.id == f"gate.most-exposed.{expected}-few"
        assert (found.sentence.arguments["right"], existing(found.figure).value, found.limit) == (Share(4, 4), 4, None)
    # Nobody is guessed right, and still so few people tell nothing.
    nobody = {"Q": ["a"] * 3, "C": ["x", "y", "z"]}
    assert check(make_candidate(tmp_path, nobody, NOMINAL, "public"), "most-exposed").status == "amber"


def test_few_people_are_told_as_counts(tmp_path: Path) -> None:
    """Nineteen people have counts and no shares; twenty have shares."""
    for rows in (19, 20):
        columns = {"Q": ["a"] * rows, "C": ["x", "y"] * (rows // 2) + ["x"] * (rows % 2), "O": ["o"] * rows}
        columns["O"] = [f"o{i}" if i < 5 else "o" for i in range(rows)]
        candidate = make_candidate(tmp_path, columns, BOTH, "public")
        expected: tuple[str, float, float] = ("people", 5, 0) if rows < 20 else ("share", 5 / rows, 0.01)
        for id in ("singling-out", "near-identifiers", "certain-by-all"):
            found = check(candidate, id)
            figure = existing(found.figure)
            assert (figure.unit, figure.value) == expected[:2]
        assert check(candidate, "singling-out").limit == expected[2]


@pytest.mark.parametrize(("named", "type", "expected"), case_rows("gate-checks-rare-secret"))
def test_rare_secret(tmp_path: Path, named: int, type: str, expected: str) -> None:
    """One in ten holds z; those alone in their class are named and the others share a large class."""
    rest = 10 * 29 - named
    values = ["z"] * named + ["z"] * (29 - named) + (["x", "y"] * 290)[:261]
    columns = {"Q": [f"q{i}" for i in range(named)] + ["a"] * rest, "C": values}
    swapped = make_candidate(tmp_path, columns, NOMINAL, type)
    found = check(swapped, "rare-secret")
    # Whoever knows all details but the secret knows the row of those who are alone.
    assert found.status == expected
    assert (found.sentence.arguments["named"], found.sentence.arguments["right"]) == (named, named)


@pytest.mark.parametrize(("type", "expected"), [("research", "red"), ("public", "red"), ("internal", "amber")])
def test_reversible_method(tmp_path: Path, type: str, expected: str) -> None:
    candidate = make_candidate(tmp_path, ALONE, NOMINAL, type)
    shifted = with_step(candidate, {"C": ["+x", "+y", "+x", "+y"]}, [randomised("C", [0] * 4)], method=Shift())
    assert status(shifted, "reversible-method") == expected
    assert existing(check(shifted, "certain-disclosure").figure).value == 4  # the shift hides nothing
    both = with_step(shifted, {"C": ["+y", "+x", "+x", "+y"]}, [randomised("C", [0] * 4)])
    assert status(both, "reversible-method") == "amber"
    assert status(candidate, "reversible-method") == "green"


def test_a_choice_that_can_be_retraced_is_amber(tmp_path: Path) -> None:
    candidate = make_candidate(tmp_path, ALONE, NOMINAL)
    swapped = with_step(candidate, {"C": ["y", "x", "x", "y"]}, [randomised("C", [0] * 4, traceable=True)])
    found = check(swapped, "reversible-method")
    assert found.sentence.id == "gate.reversible-method.amber-traceable"


# --- levels ------------------------------------------------------------------------------------------


def test_levels_met(tmp_path: Path) -> None:
    candidate = make_candidate(tmp_path, SAFE, ROLES)
    assert status(candidate, "levels-met") == "green"
    assert status(with_step(candidate, {}, [], recount=proof(True), columns=["C"]), "levels-met") == "green"
    short = check(with_step(candidate, {}, [], recount=proof(False), columns=["C"]), "levels-met")
    assert (short.status, said(short.sentence.arguments["levels"])) == ("red", "1 of 20 at Basic")
    broken = check(with_step(candidate, {}, [], recount=proof(True, holds=False), columns=["C"]), "levels-met")
    assert (broken.status, broken.sentence.id) == ("red", "gate.levels-met.red-promise")


def test_each_level_is_left_the_doubt_it_asks_for(tmp_path: Path) -> None:
    everybody = check(make_candidate(tmp_path, ALONE, NOMINAL), "levels-met")
    assert (everybody.status, said(everybody.sentence.arguments["levels"])) == ("amber", "4 of 4 at Basic")
    # In two classes of 30 alike 28 show the same: most doubt is gone, the same for everybody.
    table = {
        "Q": ["a"] * 30 + ["b"] * 30,
        "C": ["x"] * 28 + ["y"] * 2 + ["x"] * 2 + ["y"] * 28,
        "L": ["paranoid", "normal"] * 30,
    }
    roles = {**ROLES, "L": "p"}

    def found(type: str, **limits: Any) -> tuple[str, object]:
        levels = {"paranoid": {"doubt": limits["paranoid"]}, "normal": {"doubt": limits["normal"]}}
        levels |= {name: {"doubt": limits["normal"]} for name in ("cautious", "extra-cautious")}
        result = check(make_candidate(tmp_path, table, roles, type, privacy={"levels": levels}), "levels-met")
        lacking = result.sentence.arguments.get("levels")
        if result.status == "red":
            assert result.limit == 0, "nobody may be left less doubt than the level asks for"
        return result.status, None if lacking is None else said(lacking)

    def least(type: str) -> float:
        return float(evidence_of(make_candidate(tmp_path, table, roles, type)).beliefs[0].others.ratio.min())

    beyond, within = 0.99 / least("research"), 1.01 / least("research")
    assert found("research", paranoid=within, normal=within)[0] == "amber"  # nobody serves the paranoid
    assert found("research", paranoid=within, normal=within)[1] is None
    assert found("research", paranoid=beyond, normal=within) == ("amber", "28 of 30 at Very high")
    assert found("research", paranoid=beyond, normal=beyond) == ("amber", "28 of 30 at Basic and 28 of 30 at Very high")
    beyond, within = 0.99 / least("public"), 1.01 / least("public")
    assert found("public", paranoid=beyond, normal=within) == ("red", "28 of 30 at Very high")
    alone = {**table, "L": ["normal"] * 60}
    level = {name: {"doubt": beyond} for name in ("normal", "cautious")} | {"extra-cautious": {"doubt": 1.5}}
    level |= {"paranoid": {"doubt": 1.2}}
    basic = check(make_candidate(tmp_path, alone, roles, "public", privacy={"levels": level}), "levels-met")
    assert (basic.status, basic.sentence.id) == ("amber", "gate.levels-met.amber-doubt")


def test_the_limit_of_doubt_moves_no_draw(tmp_path: Path) -> None:
    plain = make_candidate(tmp_path, ALONE, NOMINAL)
    judged = make_candidate(tmp_path, ALONE, NOMINAL, privacy={"levels": {"paranoid": {"doubt": 2}}})
    assert judged.prepared.draws_sha256 == plain.prepared.draws_sha256


def test_records_that_a_step_covers_are_not_counted(tmp_path: Path) -> None:
    candidate = make_candidate(tmp_path, ALONE, NOMINAL, privacy={"default": "cautious"})
    served = with_step(candidate, {"C": ["y", "x", "x", "y"]}, [randomised("C", [0, 0, 0, -1])])
    assert existing(check(served, "levels-met").figure).value == 1


def test_recount_sees_the_exported_file(tmp_path: Path) -> None:
    seen = []

    class Looks(HandMade):
        def recount(self, before: Any, after: Any, settings: Any, detail: Any) -> Any:
            seen.append((before.column("C").values(), after.column("C").values()))
            return super().recount(before, after, settings, detail)

    candidate = with_step(
        make_candidate(tmp_path, ALONE, NOMINAL),
        {"C": ["y", "x", "x", "y"]},
        [randomised("C", [0] * 4)],
        method=Looks(),
    )
    evidence = evidence_of(candidate)
    place = list(candidate.row_order).index(2)
    damaged = existing(evidence.read_back)[1].with_values(np.array([place]), ["y"])
    check(replace(evidence, as_written=(existing(evidence.read_back)[0], damaged)), "levels-met")
    assert seen[-1] == (["x", "y", "x", "y"], ["y", "x", "y", "y"])


# --- bounds of noise ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("sources", "expected"), case_rows("gate-checks-bounds-from-data"))
def test_bounds_from_data(tmp_path: Path, sources: dict[str, str], expected: str) -> None:
    detail = {"columns": {name: {"bounds_source": source} for name, source in sources.items()}}
    for type in ("public", "internal"):
        candidate = make_candidate(tmp_path / type, SAFE, ROLES, type)
        found = check(with_step(candidate, {}, columns=["C"], detail=detail), "bounds-from-data")
        assert found.status == expected
        if sources:
            assert (existing(found.figure).value, existing(found.figure).n) == (
                list(sources.values()).count("data"),
                len(sources),
            )
    assert status(with_step(candidate, {}, columns=["C"], detail={"columns": ["C"]}), "bounds-from-data") == (
        "not-applicable"
    )


def test_the_note_may_name_each_number_that_means_no_answer(tmp_path: Path) -> None:
    answers = ["99"] * 8 + ["-1"] * 8 + [str(answer % 7) for answer in range(24)]
    columns = {"Q": ["a", "b"] * 20, "C": answers}
    roles = {"Q": "q", "C": {"role": "c", "kind": "numeric"}}
    candidate = make_candidate(tmp_path, columns, roles, input={"missing": ["", "99", "-1"]})
    note = evidence_of(candidate).texts.note.decode("utf-8")
    assert '<span class="v">99</span>' in note
    assert '<span class="v">-1</span>' in note
    assert status(candidate, "release-text") == "green"


@pytest.mark.parametrize("name", ["base", "default", "none"])
def test_a_folder_that_is_called_as_a_word_of_the_note_s_own_policy_tells_nothing(tmp_path: Path, name: str) -> None:
    candidate = make_candidate(tmp_path / name, SAFE, ROLES)
    assert status(candidate, "release-text") == "green"
    assert status(candidate, "metadata") == "green"


# --- rare values, key, audit ---------------------------------------------------------------


def test_a_step_that_changes_nothing_hides_no_rare_value(tmp_path: Path) -> None:
    rare = make_candidate(tmp_path, **noted(["u"] + ["v"] * 19))
    assert status(with_step(rare, {}, [grouped("T", 20)]), "rare-values") == "amber"
    assert status(with_step(rare, {"T": ["w"] * 20}, [grouped("T", 20)]), "rare-values") == "green"
    gap = check(make_candidate(tmp_path, **noted([""] + ["v"] * 19)), "rare-values")
    assert gap.sentence.arguments["patterns"] == 1


def _released_as_words(made: Candidate, name: str) -> Candidate:
    final, released = (
        table.replacing(replace(table.column(name), kind="nominal", style=None, date_format=None))
        for table in (made.final, made.released)
    )
    return replace(made, final=final, released=released)


def test_a_range_that_ends_in_the_value_of_one_person(tmp_path: Path) -> None:
    values = [str(200_000 + 1_237 * row) for row in range(19)] + ["500000"]
    number = {"role": "o", "kind": "numeric"}
    candidate = _released_as_words(
        make_candidate(tmp_path, {**SAFE, "House": values}, {**ROLES, "House": number}), "House"
    )

    def printed(low: str, high: str) -> int:
        labels = [f"[{low}, {high}]"] * 10 + ["≥ 210000"] * 10
        found = check(with_step(candidate, {"House": labels}, [grouped("House", 20)]), "rare-values")
        assert (found.status == "green") == (found.sentence.id == "gate.rare-values.green")
        return int(str(found.sentence.arguments.get("printed", 0)))

    assert printed("200000", "211133") == 1  # 211,133 is the tenth person's; 200,000 is round, though one person's
    assert printed("201237", "211133") == 2
    assert printed("200000", "215000") == 0
    assert printed("200000", "212370") == 0  # the value of somebody who shows another range


@pytest.mark.parametrize(("day_in_june", "people"), [("06", 0), ("07", 10)])
def test_ranges_of_dates_of_one_width_end_in_nobodys_value(tmp_path: Path, day_in_june: str, people: int) -> None:
    ends = [f"2020-{month:02d}-{day_in_june if month == 6 else '06'}" for month in range(1, 12)]
    values = [text for end in ends[:10] for text in (end, f"{end[:8]}17")]
    seen = {"role": "o", "kind": "date"}
    candidate = _released_as_words(make_candidate(tmp_path, {**SAFE, "Seen": values}, {**ROLES, "Seen": seen}), "Seen")
    labels = [f"{low} to {high}" for low, high in pairwise(ends) for _ in range(2)]
    found = check(with_step(candidate, {"Seen": labels}, [grouped("Seen", 20)]), "rare-values")
    assert found.sentence.arguments.get("printed", 0) == people


def test_an_end_of_a_stated_range_that_is_somebodys_own_value(tmp_path: Path) -> None:
    born = ["1931-04-02"] + ["1940-01-01"] * 9 + ["1950-06-30"] * 9 + ["1962-11-17"]
    candidate = make_candidate(tmp_path, {**SAFE, "Born": born}, {**ROLES, "Born": {"role": "o", "kind": "nominal"}})

    def ends(early: str, late: str) -> int:
        ranges = [early] * 10 + [late] * 10
        found = check(with_step(candidate, {"Born": ranges}, [grouped("Born", 20)]), "rare-values")
        assert existing(found.figure).value == found.sentence.arguments["ends"]
        return int(existing(existing(found.figure).value))

    assert ends("1931-04-02 to 1944-12-31", "1945-01-01 to 1962-11-17") == 2
    assert ends("[1930-01-01, 1945-01-01)", "[1945-01-01, 1962-11-17]") == 1
    assert ends("1930s and 1940s", "later") == 0
    # Of numbers, the bounds: one person is 99 years old.
    numbers = {**SAFE, "Age": ["99"] + ["20"] * 10 + ["30"] * 9}
    for bounds, expected in (([20, 99], 1), ([0, 120], 0)):
        number = {"role": "o", "kind": "numeric", "bounds": bounds}
        aged = make_candidate(tmp_path, numbers, {**ROLES, "Age": number})
        moved = with_step(aged, {"Age": ["50"] * 20}, [grouped("Age", 20)])
        assert check(moved, "rare-values").sentence.arguments["ends"] == expected


def test_values_that_only_moved_records_show_are_counted(tmp_path: Path) -> None:
    candidate = make_candidate(tmp_path, ALONE, NOMINAL)
    moved = with_step(candidate, {"C": ["z", "y", "x", "y"]}, [randomised("C", [0] * 4)])
    assert check(moved, "rare-values").sentence.arguments["moved"] == 1


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("key", "type", "expected"),
    [
        (Key.fresh(), "public", "green"),
        (Key(Key.fresh().bytes_, "file"), "public", "green"),
        (Key(Key.from_seed(2**20 - 1).bytes_, "file"), "public", "red"),
        (Key(Key.from_seed(2**20 - 1).bytes_, "file"), "research", "amber"),
        (Key(Key.from_seed(2**20).bytes_, "file"), "public", "green"),
        (Key(bytes(32), "file"), "public", "red"),
        (Key(bytes(range(32)), "file"), "internal", "amber"),
        (Key.from_seed(1), "research", "amber"),
        (Key.from_seed(1), "internal", "amber"),
        (Key.from_seed(1), "public", "red"),
    ],
)
def test_guessable_key(tmp_path: Path, key: Key, type: str, expected: str) -> None:
    found = check(make_candidate(tmp_path, SAFE, ROLES, type, key=key), "guessable-key")
    assert found.status == expected
    # How the digits of a file were drawn is not known, and is not said.
    assert (found.sentence.id == "gate.guessable-key.green-file") == (expected == "green" and key.origin == "file")


# --- a copy of the source, and the texts ----------------------------------------------------------------


def test_the_dictionary_says_that_numbers_were_drawn(tmp_path: Path) -> None:
    columns = {"Q": SAFE["Q"], "C": [str(i) for i in range(20)]}
    bins = {"method": "equal-frequency", "count": 2}
    notes = {}
    for release in ("category", "draw"):
        section = {"role": "c", "kind": "numeric", "bounds": [0, 50], "bins": {**bins, "release": release}}
        candidate = make_candidate(tmp_path, columns, {"Q": "q", "C": section})
        assert status(candidate, "release-text") == "green"
        notes[release] = column_notes(candidate)["C"]
    assert notes == {"category": str(public.RANGES), "draw": str(public.DRAWN)}


# --- diversity --------------------------------------------------------------------------------------------


def two_groups(first: Sequence[str], second: Sequence[str]) -> dict[str, list[str]]:
    return {
        "Q": ["a"] * len(first) + ["b"] * len(second),
        "C": [*first, *second],
        "O": ["o"] * (len(first) + len(second)),
    }


DIVERSE: dict[str, Any] = {"Q": "q", "C": "c", "O": "o"}


@pytest.mark.parametrize(
    ("first", "second", "groups"),
    [
        (["x", "y"], ["x", "y"], 0),
        (["x", "y"], ["x", "x"], 1),
        (["x"], ["y"], 2),
        (["x"] * 8 + ["y", "z"], ["x"] * 9 + ["y"], 1),  # eight of ten are no secret yet, nine of ten are
        (["x", ""], ["y", ""], 0),  # nothing said is an answer, too
        (["x", "x"], ["y", "y", "x"], 1),
    ],
)
@pytest.mark.parametrize("type", ["public", "research"])
def test_diversity(tmp_path: Path, first: Sequence[str], second: Sequence[str], groups: int, type: str) -> None:
    found = check(make_candidate(tmp_path, two_groups(first, second), DIVERSE, type), "diversity")
    assert (found.status, found.limit) == ("amber" if groups else "green", 0)
    assert existing(found.figure).value == groups
    if groups == 1:
        assert found.sentence.arguments["records"] in (len(first), len(second))


@pytest.mark.parametrize(("type", "status"), [("public", "amber"), ("research", "green")])
@pytest.mark.parametrize("common", ["x", "0"])
def test_a_value_of_nine_in_ten_people_is_no_secret_of_a_group(
    tmp_path: Path, type: str, status: str, common: str
) -> None:
    """In the first group all have it, in the second four of five."""
    kind = {"Q": "q", "C": {"role": "c", "kind": "numeric" if common == "0" else "nominal"}, "O": "o"}
    rest = ["1", "2", "3", "4"] if common == "0" else ["y", "z", "y", "z"]
    columns = two_groups([common] * 20, [common] * 16 + rest)
    assert check(make_candidate(tmp_path, columns, kind, type), "diversity").status == status


@pytest.mark.parametrize(
    ("others", "lowest", "type", "status"), case_rows("gate-checks-neighbouring-numbers-are-one-secret-where")
)
def test_neighbouring_numbers_are_one_secret_where_few_people_have_them(
    tmp_path: Path, others: int, lowest: int, type: str, status: str
) -> None:
    """A hundred people have the lowest numbers: of all people a third have such numbers, a sixth, or nobody else."""
    numbers = [str(lowest + place * (1000 - lowest) // others) for place in range(others)]
    columns = two_groups([str(place) for place in range(100)], numbers)
    kind = {"Q": "q", "C": {"role": "c", "kind": "numeric"}, "O": "o"}
    assert check(make_candidate(tmp_path, columns, kind, type), "diversity").status == status


def test_diversity_counts_what_is_believed_and_not_what_is_shown(tmp_path: Path) -> None:
    """Swapped among many, one shown value tells little; shown as several that everybody can turn back, it tells all."""
    rows = 400
    columns = {"Q": [f"q{place // 10}" for place in range(rows)], "C": ["x", "y"] * (rows // 2)}
    candidate = make_candidate(tmp_path, columns, {"Q": "q", "C": {"role": "c", "kind": "nominal"}})
    one_shown = ["x" if place // 10 % 2 else "y" for place in range(rows)]
    swapped = with_step(candidate, {"C": one_shown}, [randomised("C", [0] * rows)])
    assert status(swapped, "diversity") == "green"
    assert status(with_step(candidate, {}, [randomised("C", [0] * rows)], columns=["C"]), "diversity") == "green"
    alike = make_candidate(tmp_path / "alike", {**columns, "C": one_shown}, {"Q": "q", "C": "c"})
    assert existing(check(alike, "diversity").figure).value == 40
    # A step that changes nothing hides nothing.
    idle = with_step(alike, {}, [randomised("C", [0] * rows)], columns=["C"])
    assert existing(check(idle, "diversity").figure).value == 40
