"""Columns that give others away: made tables, and the slow way of counting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gate_cases import HandMade, check, evidence_of, grouped, make_candidate, randomised, with_step
from hypothesis import given, settings
from hypothesis import strategies as st
from optional import existing

from ppdm_desktop.engine.attacks.dependence import CountedSets, find_determining_formula, find_determining_sets
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import CheckResult
from ppdm_desktop.engine.wording.catalogue import lazy
from ppdm_desktop.engine.wording.values import Name, Names, Share, Term

ROWS = 60

RNG = np.random.default_rng(4)

TYPES = ("public", "research", "internal")


def changed(
    folder: Path, columns: dict[str, list[str]], roles: dict[str, Any], hidden: str, type: str = "research"
) -> Evidence:
    """Judge a table in which a column is swapped, so that its released values say nothing."""
    candidate = make_candidate(folder, columns, roles, type)
    released = list(np.random.default_rng(1).permutation(columns[hidden]))
    return evidence_of(with_step(candidate, {hidden: released}, [randomised(hidden, [0] * len(released))]))


def status_of(folder: Path, columns: dict[str, list[str]], roles: dict[str, Any], hidden: str, **more: str) -> str:
    return check(changed(folder, columns, roles, hidden, **more), "dependencies").status


def share_of(result: CheckResult) -> float:
    return float(existing(existing(result.figure).value))


CITY = [str(name) for name in RNG.choice(["Delft", "Bonn", "Ghent", "Lille"], ROWS)]

ILL = [str(name) for name in RNG.choice(["flu", "cold", "ulcer"], ROWS)]

NUMERIC = {"role": "o", "kind": "numeric"}


@pytest.mark.parametrize("type", TYPES)
def test_a_copy_under_another_name(tmp_path: Path, type: str) -> None:
    columns = {"City": CITY, "Ill": ILL, "Code": [text.upper() for text in ILL]}
    evidence = changed(tmp_path, columns, {"City": "q", "Ill": "c", "Code": "o"}, "Ill", type)
    found = check(evidence, "dependencies")
    assert found.status == ("amber" if type == "internal" else "red")
    assert (share_of(found), found.limit) == (1.0, 0.5 if type == "public" else 0.95)
    said = found.sentence.arguments
    assert (said["given"], said["column"], said["right"]) == (Names(("Code",)), Name("Ill"), Share(ROWS, ROWS))
    # What another column gives is taken back as well, and known to whoever knows the row.
    assert check(evidence, "reversal").status == ("amber" if type == "internal" else "red")
    (belief,) = evidence.beliefs
    assert int((belief.all.confirmed & belief.all.right).sum()) == ROWS


@pytest.mark.parametrize(("type", "status"), [("public", "amber"), ("research", "green")])
def test_a_medicine_that_tells_most_diagnoses(tmp_path: Path, type: str, status: str) -> None:
    """Of four medicines, three are given for one disease each; the fourth is given for any."""
    rng = np.random.default_rng(6)
    ill = rng.integers(0, 3, 400)
    medicine = np.where(rng.random(400) < 0.2, 3, ill)
    columns = {"Medicine": [f"m{x}" for x in medicine], "Ill": [f"i{x}" for x in ill]}
    found = check(changed(tmp_path, columns, {"Medicine": "o", "Ill": "c"}, "Ill", type), "dependencies")
    assert found.status == status
    assert share_of(found) == pytest.approx(0.8, abs=0.05)


def test_two_columns_together(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    one, other = rng.integers(0, 2, 200), rng.integers(0, 2, 200)
    columns = {"A": [f"a{x}" for x in one], "B": [f"b{x}" for x in other], "Ill": [f"i{x}" for x in one ^ other]}
    found = check(changed(tmp_path, columns, {"A": "o", "B": "o", "Ill": "c"}, "Ill"), "dependencies")
    assert (found.status, found.sentence.arguments["given"]) == ("red", Names(("A", "B")))
    assert status_of(tmp_path / "one", {k: columns[k] for k in ("A", "Ill")}, {"A": "o", "Ill": "c"}, "Ill") == "green"


def test_a_number_nobody_shares_fixes_nothing_by_itself(tmp_path: Path) -> None:
    columns = {"City": CITY, "Ill": ILL, "Number": [f"n{i}" for i in range(ROWS)]}
    assert status_of(tmp_path, columns, {"City": "q", "Ill": "c", "Number": "o"}, "Ill") == "green"


def test_nearly_every_record_is_listed_and_never_red(tmp_path: Path) -> None:
    """Two of a hundred pairs that share a code have two illnesses: 98 of 100 people are told, chance tells few."""
    rng = np.random.default_rng(3)
    ill = np.repeat(rng.integers(0, 12, 100), 2)
    ill[[0, 2]] = (ill[[0, 2]] + 1) % 12
    columns = {"Code": [f"c{i // 2}" for i in range(200)], "Ill": [f"i{x}" for x in ill]}
    found = check(changed(tmp_path, columns, {"Code": "o", "Ill": "c"}, "Ill", "public"), "dependencies")
    assert found.status == "amber"
    assert found.sentence.arguments["right"] == Share(196, 200)
    assert 0.95 <= share_of(found) < 0.98


def test_what_most_people_have_is_no_dependency(tmp_path: Path) -> None:
    columns = {"City": CITY, "Ill": ["no"] * 59 + ["yes"]}
    assert status_of(tmp_path, columns, {"City": "q", "Ill": "c"}, "Ill") == "green"


@pytest.mark.parametrize("type", TYPES)
def test_the_year_of_birth_beside_a_moved_age(tmp_path: Path, type: str) -> None:
    age = [str(value) for value in RNG.integers(20, 90, ROWS)]
    born = [str(2026 - int(value)) for value in age]
    roles = {"Age": {"role": "q", "kind": "numeric"}, "Born": NUMERIC, "Ill": "c"}
    found = check(changed(tmp_path, {"Age": age, "Born": born, "Ill": ILL}, roles, "Age", type), "dependencies")
    assert found.status == ("amber" if type == "internal" else "red")
    assert (found.sentence.arguments["given"], found.sentence.arguments["column"]) == (Term("Born"), Name("Age"))


@pytest.mark.parametrize(("noise", "expected"), [(60, "amber"), (500, "green")])
def test_a_number_that_can_be_foretold_is_listed(tmp_path: Path, noise: float, expected: str) -> None:
    rng = np.random.default_rng(5)
    pay = rng.normal(3000, 500, 400).round()
    tax = (pay + rng.normal(0, noise, 400)).round()
    columns = {"Pay": [f"{x:.0f}" for x in pay], "Tax": [f"{x:.0f}" for x in tax]}
    roles = {"Pay": {"role": "c", "kind": "numeric"}, "Tax": NUMERIC}
    evidence = changed(tmp_path, columns, roles, "Pay", "public")
    for draft in (False, True):
        found = check(replace(evidence, draft=draft), "dependencies")
        # Planning learns nothing that the source shows to be no giver.
        looked_at = "none" if draft and expected == "green" else "learned"
        assert (found.status, found.sentence.id) == (expected, f"gate.dependencies.{expected}-{looked_at}")
        share = np.corrcoef(pay, tax)[0, 1] ** 2 if looked_at == "learned" else 0.0
        assert share_of(found) == pytest.approx(share, abs=0.02)


def test_a_number_released_in_bins_is_hidden_too(tmp_path: Path) -> None:
    age = [str(value) for value in RNG.integers(20, 90, ROWS)]
    bins = {"method": "equal-width", "count": 4}
    columns = {"Age": age, "Born": [str(2026 - int(value)) for value in age]}
    roles = {"Age": {"role": "q", "kind": "numeric", "bounds": [0, 120], "bins": bins}, "Born": NUMERIC}
    found = check(evidence_of(make_candidate(tmp_path, columns, roles)), "dependencies")
    assert (found.status, share_of(found)) == ("red", 1.0)


def test_two_copies_hidden_apart_and_hidden_together(tmp_path: Path) -> None:
    """Changed by randomness of their own, two copies tell what neither does; changed alike, they tell nothing more."""
    rng = np.random.default_rng(6)
    pay = [str(value) for value in rng.integers(1000, 9000, 300)]
    roles = {name: {"role": "c", "kind": "numeric"} for name in ("Pay", "Again")}
    candidate = make_candidate(tmp_path, {"Pay": pay, "Again": pay}, roles)
    hidden = [randomised(name, [0] * 300) for name in ("Pay", "Again")]
    one, other = (list(rng.permutation(pay)) for _ in range(2))
    apart = check(evidence_of(with_step(candidate, {"Pay": one, "Again": other}, hidden)), "dependencies")
    assert (apart.status, apart.sentence.id) == ("red", "gate.dependencies.red-twice")
    together = check(evidence_of(with_step(candidate, {"Pay": one, "Again": one}, hidden)), "dependencies")
    assert together.status == "green"


def test_averages_are_nobodys_own_value_and_give_nothing(tmp_path: Path) -> None:
    """Pay and tax, each averaged in groups of five: the average pay foretells the tax, and is no pay."""
    rng = np.random.default_rng(7)
    pay = np.sort(rng.integers(1_000, 9_000, 300))
    tax = pay // 3
    means = [np.repeat(side.reshape(-1, 5).mean(axis=1).round().astype(int), 5) for side in (pay, tax)]
    roles = {name: {"role": "c", "kind": "numeric"} for name in ("Pay", "Tax")}
    candidate = make_candidate(tmp_path, {"Pay": [str(x) for x in pay], "Tax": [str(x) for x in tax]}, roles)
    shown = {name: [str(x) for x in side] for name, side in zip(roles, means, strict=True)}
    averaged = with_step(candidate, shown, [grouped(name, 300) for name in roles], method=Averages())
    assert check(evidence_of(averaged), "dependencies").status == "green"
    half = with_step(candidate, {"Tax": shown["Tax"]}, [grouped("Tax", 300)], method=Averages())
    assert check(evidence_of(half), "dependencies").status == "red"


@pytest.mark.parametrize(
    ("rows", "text", "status"),
    [
        ((0, 1), "NL or DE", "amber"),
        ((98, 99), "NL or DE", "green"),  # the other people's countries are shown anyway
        (range(49), "NL (?)", "not-applicable"),  # true for all who have one
    ],
    ids=["revealed", "hidden", "no value"],
)
def test_of_broader_words_only_what_is_hidden_counts(
    tmp_path: Path, rows: Sequence[int], text: str, status: str
) -> None:
    city, country = ["Delft"] * 49 + ["Bonn"] * 49 + ["Baarle"] * 2, ["NL"] * 49 + ["DE"] * 49 + ["NL", "DE"]
    candidate = make_candidate(tmp_path, {"City": city, "Country": country}, {"City": "o", "Country": "q"})
    shown = [text if row in rows else name for row, name in enumerate(country)]
    broader = with_step(candidate, {"Country": shown}, [grouped("Country", 100)], method=Averages())
    assert check(evidence_of(broader), "dependencies").status == status


@pytest.mark.parametrize(("rare", "status"), [(2, "green"), (48, "amber")])
def test_a_set_of_a_common_and_a_rare_value_gives_nothing_more_away(tmp_path: Path, rare: int, status: str) -> None:
    """Half of the people show {f, x}; the ward tells which of the two, but who guesses f is as often right."""
    sex = ["m"] * 100 + ["x"] * rare + ["f"] * (100 - rare)
    ward = ["A"] * 100 + ["B"] * rare + ["C"] * (96 - rare) + ["D", "E", "F", "G"]
    candidate = make_candidate(tmp_path, {"Sex": sex, "Ward": ward}, {"Sex": "q", "Ward": "o"})
    shown = [text if text == "m" else "{f, x}" for text in sex]
    broader = with_step(candidate, {"Sex": shown}, [grouped("Sex", 100)], method=Averages())
    assert check(evidence_of(broader), "dependencies").status == status


@pytest.mark.parametrize(("hides_exceptions", "status"), [(False, "amber"), (True, "green")])
def test_of_emptied_cells_only_their_own_predictions_count(tmp_path: Path, hides_exceptions: bool, status: str) -> None:
    """Pay follows from age but for ten people, who are hidden, or ten others are."""
    age = np.random.default_rng(5).integers(20, 80, 1_000)
    pay = 100 * age + np.random.default_rng(6).integers(0, 100, 1_000)
    pay[:10] += np.where(age[:10] < 50, 2_000, -2_000)
    columns = {"Age": [str(x) for x in age], "Pay": [str(x) for x in pay]}
    candidate = make_candidate(tmp_path, columns, {"Age": NUMERIC, "Pay": {"role": "q", "kind": "numeric"}})
    hidden = range(10) if hides_exceptions else range(10, 20)
    shown = {"Pay": ["" if row in hidden else text for row, text in enumerate(columns["Pay"])]}
    evidence = evidence_of(with_step(candidate, shown, [grouped("Pay", 1_000)], method=Averages()))
    assert check(evidence, "dependencies").status == status


class Averages(HandMade):
    """Replaces numbers by averages, which is said to be generalisation."""

    treatment = lazy("generalisation (microaggregation)")


@pytest.mark.parametrize(("hides_more", "listed"), [(False, ["Pay"]), (True, ["Ill"])])
def test_what_is_hidden_of_few_is_listed_only_where_nothing_is_revealed_more(
    tmp_path: Path, hides_more: bool, listed: list[str]
) -> None:
    """A tenth of the pays shows a limit and follows from the tax; the illness of everybody follows from a code."""
    pay = np.random.default_rng(7).permutation(np.arange(1_000, 1_000 + ROWS))
    columns = {"Pay": [str(x) for x in pay], "Tax": [str(2 * x) for x in pay]}
    columns |= {"Ill": ILL, "Code": [text.upper() for text in ILL]}
    roles = {"Pay": {"role": "c", "kind": "numeric"}, "Tax": NUMERIC, "Ill": "c", "Code": "o"}
    candidate = make_candidate(tmp_path, columns, roles)
    shown = {"Pay": [str(min(x, 1_053)) for x in pay]}
    candidate = with_step(candidate, shown, [grouped("Pay", ROWS)], method=Limited())
    if hides_more:
        ill = {"Ill": list(np.random.default_rng(1).permutation(ILL))}
        candidate = with_step(candidate, ill, [randomised("Ill", [0] * ROWS)])
    evidence = evidence_of(candidate)
    assert [dependency.column for dependency in evidence.functional_dependencies] == listed
    assert share_of(check(evidence, "dependencies")) == (1.0 if hides_more else pytest.approx(0.1, abs=0.02))


class Limited(HandMade):
    """Shows high numbers as a limit."""

    coarsens_numbers = True


def test_it_does_not_apply(tmp_path: Path) -> None:
    copy = make_candidate(tmp_path, {"City": CITY, "Ill": ILL}, {"City": "q", "Ill": "c"})
    assert check(evidence_of(copy), "dependencies").status == "not-applicable"
    # A step that changes nothing hides nothing, whatever it says of itself.
    idle = with_step(copy, {}, [grouped("Ill", ROWS)], columns=["Ill"])
    assert check(evidence_of(idle), "dependencies").status == "not-applicable"


# --- the figures themselves ------------------------------------------------------------------------


def by_hand(givers: Sequence[Sequence[int]], hidden: Sequence[int]) -> tuple[int, int]:
    """Count people who share their combination, and those of them whose combination shows one value."""
    together: dict[tuple[int, ...], list[int]] = {}
    for combination, value in zip(zip(*givers, strict=True), hidden, strict=True):
        together.setdefault(combination, []).append(value)
    shared = [values for values in together.values() if len(values) > 1]
    return sum(map(len, shared)), sum(len(values) for values in shared if len(set(values)) == 1)


@pytest.mark.thorough
@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(0, 2)), min_size=20, max_size=90))
def test_people_in_combinations_of_one_value_counted_by_hand(rows: Any) -> None:
    one, other, hidden = (np.array(column, dtype=np.int64) for column in zip(*rows, strict=True))
    (found,) = find_determining_sets([one, other], [hidden])
    if found is None:
        return
    chosen = [[one, other][place].tolist() for place in found.columns]
    shared, right = by_hand(chosen, hidden.tolist())
    assert (found.shared, int(found.revealed.sum())) == (shared, right)
    assert found.share <= right / shared + 1e-12


def test_what_was_counted_before_changes_nothing() -> None:
    rng = np.random.default_rng(10)
    stay, before, after = ([rng.integers(0, width, 600) for width in widths] for widths in ((5, 12), (9, 4), (7, 9)))
    lacking = np.where(rng.random(600) < 0.1, -1, stay[0] * 12 + stay[1])
    hidden = [lacking, stay[0] % 2 + after[1] // 3, rng.integers(0, 2, 600)]
    counted = CountedSets()
    find_determining_sets([*before, *stay], hidden, counted=counted)
    again, anew = (find_determining_sets([*stay, *after], hidden, counted=counts) for counts in (counted, None))
    for known, new in zip(again, anew, strict=True):
        assert known is not None
        assert new is not None
        assert (known.columns, known.share, known.shared) == (new.columns, new.share, new.shared)
        assert np.array_equal(known.revealed, new.revealed)


@pytest.mark.parametrize("share", [0.5, 0.05, 0.005])
def test_chance_gives_nothing_among_hundreds_of_sets(share: float) -> None:
    for seed in range(8):
        rng = np.random.default_rng(seed)
        givers = [rng.integers(0, width, 2_000) for width in (2, 3, 5, 9, 14, 30, 60, 120, 12, 7)]
        (found,) = find_determining_sets(givers, [(rng.random(2_000) < share).astype(np.int64)])
        assert found is None or found.share < 0.95


N = 3_000


def drawn(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


def tables() -> dict[str, tuple[Any, float, list[Any], str]]:
    """Return hidden numbers, their step, the columns beside them, and the formula that gives them."""
    rng = drawn(6)
    hours, rate = rng.integers(20, 45, N), rng.integers(12, 60, N)
    a, b, c = (np.round(rng.lognormal(7, 0.6, N)) for _ in range(3))
    euro = np.round(rng.lognormal(10, 0.4, N))
    age = rng.integers(20, 90, N)
    few = rng.random(N) < 0.03
    return {
        "product": (hours * rate, 1, [age, hours, rate], "y × z"),
        "product but for a few": (np.where(few, age, hours * rate), 1, [age, hours, rate], "y × z"),
        "rest of a total": (c, 1, [age, a, b, a + b + c], "y + z − t"),
        "another currency": (euro, 1, [age, np.round(1.0837 * euro)], "y"),
        "ratio": (np.round(a / b, 2), 0.01, [age, b, a], "z / y"),
        "product and more": (hours * rate + a, 1, [hours, rate, a], "x × y + z"),
        "difference": (a - b, 1, [age, a, b], "y − z"),
    }


@pytest.mark.parametrize("name", tables())
def test_formulas(name: str) -> None:
    hidden, step, givers, words = tables()[name]
    matrix = np.column_stack(givers).astype(np.float64)
    found = existing(find_determining_formula(np.asarray(hidden, dtype=np.float64), step, matrix))
    assert found.form.format(["x", "y", "z", "t"]) == words
    right = 1.0 if "few" not in name else 0.97
    assert found.revealed.mean() == pytest.approx(right, abs=0.006)
    apart = np.abs(np.asarray(hidden, dtype=np.float64) - found.guesses)
    assert (apart[found.revealed] <= step / 2 * 1.001).all()


def test_no_formula_where_there_is_none() -> None:
    rng = drawn(8)
    others = rng.normal(0, 100, (N, 8)).round()
    assert find_determining_formula(rng.normal(0, 50, N).round(), 1.0, others) is None
    # Nearly right is not right: noise of two steps hides what half a step would tell.
    noisy = others[:, 0] + rng.normal(0, 4, N).round()
    found = find_determining_formula(noisy, 1.0, others)
    assert found is None or found.share < 0.5


def test_missing_values_are_not_told() -> None:
    rng = drawn(9)
    one = rng.integers(0, 500, 400).astype(np.float64)
    hidden = 3 * one + 7
    one[:40], hidden[40:60] = np.nan, np.nan
    found = existing(find_determining_formula(hidden, 1.0, one[:, None]))
    assert (found.people, int(found.revealed.sum()), found.share) == (340, 340, 1.0)
