"""The verdict where people have several rows: every count is of people, held against pandas and brute force."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from cases import case_rows
from few_trees import grow_few_trees
from gate_cases import attacked, check, evidence_of, grouped, made_by, make_candidate, randomised, with_step
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from optional import existing
from thoroughness import every_third

from ppdm_desktop.engine.recipe.release_type import RELEASE_TYPES
from ppdm_desktop.engine.release.attack_audit.attack_person import attack_person, attack_record
from ppdm_desktop.engine.release.attack_audit.prepared_attack import prepare_attack
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.evaluate.evaluate import evaluate, remove_steps_and_bins
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.report.model import Verdict
from tests.golden.people import VISIT_HEAD, visits

PERSON: dict[str, Any] = {"input": {"person": "who"}}

ROLES: dict[str, Any] = {
    "who": "i",
    "place": {"role": "q", "kind": "nominal"},
    "age": {"role": "q", "kind": "nominal"},
    "thing": {"role": "o", "kind": "nominal"},
    "secret": {"role": "c", "kind": "nominal"},
}

STAYS: dict[str, Any] = {
    "visit_id": "l",
    "person_nbr": "i",
    "region": {"role": "q", "kind": "nominal"},
    "sex": {"role": "q", "kind": "nominal"},
    "age": {"role": "q", "kind": "nominal"},
    "days": {"role": "q", "kind": "numeric"},
    "unit": {"role": "o", "kind": "nominal"},
    "outcome": {"role": "c", "kind": "nominal"},
}

QUASI = ["region", "sex", "age", "days"]


@pytest.fixture(autouse=True)
def _few_trees(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is learnt from other columns is learnt by few trees: no law depends on how well."""
    grow_few_trees(monkeypatch)


def stays(
    folder: Path, *, people: int = 2000, type: str = "research", in_order: bool = False, given: Any = STAYS
) -> Candidate:
    rows = visits(people)
    columns = {name: [str(row[place]) for row in rows] for place, name in enumerate(VISIT_HEAD)}
    more: dict[str, Any] = {"input": {"person": "person_nbr"}, "release": {"shuffle_rows": not in_order}}
    return make_candidate(folder, columns, given, type, **more)


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    return pd.DataFrame(visits(), columns=list(VISIT_HEAD)).astype(str)


def people_in_class(table: pd.DataFrame, names: Sequence[str]) -> pd.Series[int]:
    return table.groupby(list(names))["person_nbr"].transform("nunique")


def sets_of_rows(table: pd.DataFrame, names: Sequence[str]) -> pd.Series[Any]:
    """Return each person's rows as a sorted tuple."""
    rows = pd.Series(list(map(tuple, table[list(names)].to_numpy())), index=table.index)
    return rows.groupby(table["person_nbr"]).agg(lambda own: tuple(sorted(own)))


def test_classes_and_whoever_is_alone_are_people(tmp_path: Path, table: pd.DataFrame) -> None:
    evidence = evidence_of(stays(tmp_path))
    size = people_in_class(table, QUASI)
    least = size.groupby(table["person_nbr"]).min()
    found = check(evidence, "class-size")
    assert found.figure is not None
    assert (found.figure.value, found.hits, found.of) == (least.min(), (least < 5).sum(), 2000) == (1, 718, 2000)
    plain = [*QUASI, "unit"]
    alone = (people_in_class(table, plain) == 1).groupby(table["person_nbr"]).any()
    assert evidence.singled_out.by_others == (least == 1).sum() == 192
    assert evidence.singled_out.by_all_but_secret == alone.sum()
    assert evidence.singled_out.people == 2000
    alone = (people_in_class(table, [*plain, "outcome"]) == 1).groupby(table["person_nbr"]).any()
    assert evidence.singled_out.by_all == alone.sum()


def test_whoever_is_told_their_outcome_is_a_person(tmp_path: Path, table: pd.DataFrame) -> None:
    """One row that is known: alone in a class, or in one that shows one outcome (192 and 139 in the golden table)."""
    evidence = evidence_of(stays(tmp_path))
    size, values = people_in_class(table, QUASI), table.groupby(QUASI)["outcome"].transform("nunique")
    told = ((size == 1) | (values == 1)).groupby(table["person_nbr"]).any()
    (belief,) = evidence.beliefs
    assert int((belief.others.confirmed & belief.others.right).sum()) == told.sum() == 192 + 139
    assert belief.people == len(belief.of) == 2000
    assert len(np.unique(table["person_nbr"].to_numpy()[belief.of])) == 2000


def test_rows_that_can_be_put_together_are_judged_together(tmp_path: Path, table: pd.DataFrame) -> None:
    evidence = evidence_of(stays(tmp_path, in_order=True))
    assert evidence.candidate.links_rows
    rows = pd.Series(list(map(tuple, table[QUASI].to_numpy())), index=table.index)
    sequences = rows.groupby(table["person_nbr"]).agg(tuple)
    alike = sequences.map(sequences.value_counts())
    found = check(evidence, "class-size")
    assert (found.hits, found.of) == ((alike < 5).sum(), 2000)
    assert evidence.singled_out.by_others == (alike == 1).sum()
    assert evidence.certain_records >= (alike == 1).sum()


def test_a_code_puts_rows_together_without_their_order(
    tmp_path: Path, table: pd.DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    candidate = stays(tmp_path)
    assert not candidate.links_rows
    coded = replace(candidate.released.column("unit"), role="pseudonym")
    assert replace(candidate, released=candidate.released.replacing(coded)).links_rows
    assert not candidate.keeps_order
    monkeypatch.setattr(Candidate, "links_rows", True)
    evidence = evidence_of(candidate)
    sets = sets_of_rows(table, QUASI)
    alike = sets.map(sets.value_counts())
    assert evidence.singled_out.by_others == (alike == 1).sum() == 616
    assert check(evidence, "class-size").hits == (alike < 5).sum() == 1112
    # Whoever is alike with people of one and the same multiset of outcomes is told all of them, at the least.
    whole = sets_of_rows(table, [*QUASI, "outcome"])
    pure = whole.groupby(sets).transform("nunique") == 1
    assert pure.sum() == 616 + 131
    assert evidence.certain_records >= pure.sum()


def test_the_verdict_holds_both_measures(tmp_path: Path) -> None:
    candidate = stays(tmp_path)
    verdict = evaluate(candidate, attacks=()).report.verdict
    assert (verdict.people, verdict.rows, verdict.rows_released) == (2000, 2864, 2864)
    assert verdict.people_known_by == "person-column"
    classes = existing(verdict.classes)
    assert classes.one_row is not None
    assert classes.all_rows is not None
    assert (classes.judged, classes.k, classes.below, classes.of) == ("one_row", 1, 718, 2000)
    assert (classes.one_row.alone, classes.one_row.below) == (192, 718)
    assert (classes.all_rows.alone, classes.all_rows.below) == (616, 1112)


def test_the_original_is_judged_by_the_measure_of_its_release(tmp_path: Path) -> None:
    report = evaluate(stays(tmp_path, people=150)).report
    assert report.original is not None
    assert report.original.classes == report.verdict.classes
    assert not remove_steps_and_bins(stays(tmp_path / "again", people=20).prepared).recipe.release.shuffle_rows


def test_columns_that_work_like_a_name_and_rare_values_count_people(tmp_path: Path, table: pd.DataFrame) -> None:
    evidence = evidence_of(stays(tmp_path))
    holders = table.groupby("unit")["person_nbr"].nunique()
    unit = next(each for each in evidence.near if each.column == "unit")
    assert (unit.unique_people, unit.few, unit.people) == (0, (holders < 5).sum(), 2000)
    rare = pd.Series(False, index=table.index)
    for name in ("region", "sex", "age", "unit", "outcome"):
        rare |= table[name].map(table.groupby(name)["person_nbr"].nunique()) < 5
    days = table["days"].astype(int)
    ends = table["days"].map(table.groupby("days")["person_nbr"].nunique()) < 5
    rare |= ends & days.isin([days.min(), days.max()])
    assert check(evidence, "rare-values").hits == rare.groupby(table["person_nbr"]).any().sum()


def test_attacks_look_for_people(tmp_path: Path, table: pd.DataFrame) -> None:
    candidate = stays(tmp_path)
    by_quasi, by_all = made_by("singling-out", candidate)
    assert (by_quasi.sampled, by_all.sampled) == (2000, 2000)
    assert round(float(by_quasi.success.value or 0) * 2000) == 192
    alone = (people_in_class(table, [*QUASI, "unit"]) == 1).groupby(table["person_nbr"]).any()
    assert round(float(by_all.success.value or 0) * 2000) == alone.sum()
    linked = made_by("singling-out", stays(tmp_path / "linked", in_order=True))[0]
    assert round(float(linked.success.value or 0) * 2000) == 634
    (guessed,) = made_by("inference", candidate)
    assert guessed.sampled == 2000


# --- small tables ----------------------------------------------------------------------------------


def small(folder: Path, columns: Mapping[str, Sequence[str]], *, type: str = "research", **more: Any) -> Candidate:
    return make_candidate(folder, columns, ROLES, type, **{**PERSON, **more})


def test_somebody_alone_with_several_values_is_told_all_of_them(tmp_path: Path) -> None:
    columns = {
        "who": ["a", "a", "a", *map(str, range(20))],
        "place": ["x"] * 3 + ["y"] * 20,
        "age": ["1"] * 23,
        "thing": ["t"] * 23,
        "secret": ["u", "v", "w", *("u", "v") * 10],
    }
    evidence = evidence_of(small(tmp_path, columns))
    assert evidence.certain_records == 1
    assert bool(evidence.certain_people[0])
    found = check(evidence, "class-size")
    assert (found.hits, found.of) == (1, 21)


def test_whoever_has_most_rows_of_a_class_is_counted(tmp_path: Path) -> None:
    columns = {
        "who": ["a"] * 10 + list("bcdefghij"),
        "place": ["x"] * 19,
        "age": ["1"] * 19,
        "thing": ["t"] * 19,
        "secret": ["u", "v"] * 5 + list("uvuvuvuvu"),
    }
    found = check(small(tmp_path, columns), "class-size")
    assert (found.status, found.sentence.id, found.hits) == ("amber", "gate.class-size.amber-dominated", 1)
    few = {name: [*values[6:]] for name, values in columns.items()}
    assert check(small(tmp_path / "few", few), "class-size").status == "amber"
    fewer = {name: [*values[8:]] for name, values in columns.items()}
    assert check(small(tmp_path / "fewer", fewer), "class-size").status == "green"


@st.composite
def tables(draw: st.DrawFn) -> dict[str, list[str]]:
    people = draw(st.integers(2, 9))
    rows = draw(st.lists(st.integers(1, 4), min_size=people, max_size=people))
    who = [str(person) for person, times in enumerate(rows) for _ in range(times)]
    if len(who) == people:
        who.append("0")
    count = len(who)
    letters = st.sampled_from("abc")
    texts = {name: draw(st.lists(letters, min_size=count, max_size=count)) for name in ("place", "age", "secret")}
    order = draw(st.permutations(range(count)))
    found = {"who": who, "thing": ["t"] * count, **texts}
    return {name: [found[name][place] for place in order] for name in ROLES}


few_runs = settings(
    max_examples=25,
    derandomize=True,
    phases=[Phase.generate],
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)


def believed(columns: Mapping[str, Sequence[str]], k_min: int) -> dict[str, bool]:
    """Say of each person whether they are certain, by the formula of section 2 in plain Python."""
    rows = list(zip(columns["who"], columns["place"], columns["age"], columns["secret"], strict=True))
    people = sorted({row[0] for row in rows})

    def mean(person: str, inside: list[tuple[str, str, str, str]], value: str) -> float:
        return float(np.mean([row[3] == value for row in inside if row[0] == person]))

    found = dict.fromkeys(people, False)
    only = {person: {row[3] for row in rows if row[0] == person} for person in people}
    common = [value for value in "abc" if sum(held == {value} for held in only.values()) >= 0.9 * len(people)]
    for person, place, age, secret in rows:
        inside = [row for row in rows if row[1:3] == (place, age)]
        there = sorted({row[0] for row in inside})
        best: tuple[float, str, float] | None = None
        for value in "abc":
            own = mean(person, inside, value) if len(there) > 1 else float(secret == value)
            others = sum([mean(each, inside, value) for each in there if each != person])
            belief = (own + others) / len(there)
            everybody = sum([mean(each, rows, value) for each in people])
            prior = min(max((everybody - own) / max(len(people) - 1, 1), 0.0), 1.0)
            control = (others + k_min * prior) / (len(there) - 1 + k_min)
            ratio = (1 - belief) / (1 - control) if control < 1 - 1e-12 else float(belief < 1 - 1e-9)
            if best is None or ratio < best[0] - 1e-12:
                best = (ratio, value, belief)
        assert best is not None
        ratio, value, belief = best
        # What nine in ten people have in all of their rows is no secret of theirs.
        found[person] |= (
            only[person] != set(common) and value == secret and (belief >= 1 - 1e-9 or ratio <= 1 / 20 + 1e-12)
        )
    return found


@few_runs
@given(tables())
def test_certain_people_are_those_of_the_formula(columns: dict[str, list[str]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        evidence = evidence_of(small(Path(folder), columns))
        expected = believed(columns, 5)
    whose = [columns["who"][row] for row in np.flatnonzero(evidence.certain_people)]
    assert sorted(whose) == sorted(person for person, sure in expected.items() if sure)


# --- law L5 ----------------------------------------------------------------------------------------


def released_by(family: str, folder: Path, columns: Mapping[str, Sequence[str]], shown: Sequence[str]) -> Candidate:
    """Release a table of people whose secret was treated by something of one family."""
    numeric = family in ("noise", "averages")
    secret = {"role": "c", "kind": "numeric", "bounds": [0, 200]} if numeric else ROLES["secret"]
    candidate = make_candidate(folder, columns, {**ROLES, "secret": secret}, **PERSON)
    rows = len(columns["who"])
    if family == "true":
        return candidate
    if family == "noise":
        own = {"law": "gaussian", "levels": [{"sd": 15.0, "width": 1.0}], "step": 1.0, "bounds": [0, 200]}
        treated = [replace(randomised("secret", [0] * rows), manner="noise")]
        return with_step(candidate, {"secret": shown}, treated, detail={"columns": {"secret": own}})
    protections = [grouped("secret", rows)] if family == "averages" else []
    if family == "swapped":
        protections = [randomised("secret", [0] * rows)]
    return with_step(candidate, {"secret": shown}, protections)


def counts(candidate: Candidate) -> dict[str, Any]:
    """Return every count of people in a verdict, attacks left out."""
    found = evaluate(candidate, attacks=()).report.verdict
    assert found.singled is not None
    return {
        "certain": (found.certain_by_others, found.certain_by_all),
        "beliefs": [each.model_dump() for each in found.beliefs],
        "singled": found.singled.model_dump(),
        "near": [each.model_dump() for each in found.near],
        "classes": found.classes and found.classes.model_dump(),
        "checks": {each.id: (each.status, each.hits, each.of) for each in found.checks if each.id != "people-counted"},
    }


@pytest.mark.parametrize("in_order", [False, True])
@pytest.mark.parametrize("family", every_third(["swapped", "true", "coarse", "averages", "noise"]))
@settings(
    max_examples=2,
    derandomize=True,
    phases=[Phase.generate],
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(seed=st.integers(0, 10_000), constant=st.booleans())
def test_copies_of_everybodys_rows_change_no_count(family: str, in_order: bool, seed: int, constant: bool) -> None:
    """Law L5: each row of each person stands there three times instead of once, in the source and in the file."""
    rng = np.random.default_rng(seed)
    sizes = rng.choice([1, 1, 1, 2, 3, 5], 80)
    who = np.repeat(np.arange(80), sizes)
    numeric = family in ("noise", "averages")
    draw = rng.normal(100, 15, len(who)).round().astype(int) if numeric else rng.choice(list("abcd"), len(who))
    secret = draw[np.searchsorted(who, who)] if constant else draw
    if family == "noise":
        shown = np.clip(secret + rng.normal(0, 15, len(who)).round().astype(int), 0, 200)
    elif family == "averages":
        shown = np.round(secret / 10) * 10
        shown = shown.astype(int)
    elif family == "swapped":
        shown = np.where(rng.random(len(who)) < 0.5, rng.permutation(secret), secret)
    else:
        shown = np.where(rng.random(len(who)) < 0.6, "*", secret)
    columns = {
        "who": who.astype(str),
        "place": rng.choice(list("xy"), len(who)),
        "age": rng.choice(list("1234"), len(who)),
        "thing": rng.choice(list("mn"), len(who)),
        "secret": secret.astype(str),
    }
    said = []
    for times in (1, 3):
        many = {name: np.repeat(values, times).tolist() for name, values in columns.items()}
        with tempfile.TemporaryDirectory() as folder:
            candidate = released_by(family, Path(folder), many, np.repeat(shown.astype(str), times).tolist())
            if in_order:
                candidate = replace(candidate, judged_linked=True)
            said.append(counts(candidate))
    assert said[0] == said[1]


def test_one_row_each_changes_no_figure(tmp_path: Path) -> None:
    """A person column of which nobody has two rows changes nothing but who is said to have counted."""
    rng = np.random.default_rng(8)
    columns = {
        "who": [f"p{place}" for place in range(200)],
        "place": rng.choice(list("xyz"), 200).tolist(),
        "age": rng.choice(list("1234"), 200).tolist(),
        "thing": rng.choice(list("mnop"), 200).tolist(),
        "secret": rng.choice(list("abcd"), 200).tolist(),
    }
    found: list[Verdict] = []
    for place, said in enumerate(({"person": "who"}, {"one_row_per_person": True})):
        steps = [{"method": "random-swap", "columns": ["secret"]}]
        candidate = make_candidate(tmp_path / str(place), columns, ROLES, input=said, steps=steps)
        found.append(evaluate(candidate).report.verdict)
    left_out = {"people_known_by", "recipe_sha256", "checks", "attacks", "beliefs", "data_sha256", "singled", "depends"}
    one, other = (each.model_dump(exclude=left_out) for each in found)
    assert one == other
    assert one["classes"]["one_row"] is None


# --- draws on one value ----------------------------------------------------------------------------


def incomes(folder: Path, *, repeated: bool) -> Evidence:
    """Twelve rows of each of 400 people with one income, and noise on each row, or one draw of it in all of them."""
    rng = np.random.default_rng(5)
    who = np.repeat(np.arange(400), 12)
    income = rng.normal(100, 15, 400).round().astype(int)[who]
    noise = rng.normal(0, 15, len(who))
    noise = noise[np.searchsorted(who, who)] if repeated else noise
    shown = np.clip(income + noise.round().astype(int), 0, 200)
    columns = {
        "who": who.astype(str).tolist(),
        "place": rng.choice(list("xy"), 400)[who].tolist(),
        "age": rng.choice(list("12"), 400)[who].tolist(),
        "thing": ["t"] * len(who),
        "secret": income.astype(str).tolist(),
    }
    return evidence_of(released_by("noise", folder, columns, shown.astype(str).tolist()))


def test_independent_draws_on_one_value_multiply_and_a_repeated_one_counts_once(tmp_path: Path) -> None:
    (once,) = incomes(tmp_path / "once", repeated=True).beliefs
    (often,) = incomes(tmp_path / "often", repeated=False).beliefs
    # One draw leaves about 0.71 of the noise, twelve leave 1 / sqrt(13) of it, 0.28.
    assert once.residual_error == pytest.approx(0.71, abs=0.08)
    assert often.residual_error == pytest.approx(0.28, abs=0.04)
    assert once.ratio == pytest.approx(1.0, abs=0.1)
    assert often.ratio is not None
    assert often.ratio < 0.5
    assert once.people == often.people == 400


def test_twelve_noises_on_one_income_are_stopped(tmp_path: Path) -> None:
    for repeated in (True, False):
        found = incomes(tmp_path / str(repeated), repeated=repeated).candidate
        public = replace(found, prepared=replace(found.prepared, type=RELEASE_TYPES["public"]))
        assert (check(attacked(public), "reversal").status == "red") == (not repeated)


def test_independent_swaps_of_one_value_multiply(tmp_path: Path) -> None:
    rng = np.random.default_rng(6)
    who = np.repeat(np.arange(150), 12)
    secret = rng.choice(list("abcd"), 150)[who]
    shown = np.where(rng.random(len(who)) < 0.5, rng.permutation(secret), secret)
    once = shown[np.searchsorted(who, who)]
    place = rng.choice(list("xyz"), 150)[who]
    columns = {
        "who": who.astype(str).tolist(),
        "place": place.tolist(),
        "age": (who % 50).astype(str).tolist(),
        "thing": ["t"] * len(who),
        "secret": secret.tolist(),
    }
    found = []
    for name, values in (("once", once), ("often", shown)):
        (belief,) = evidence_of(released_by("swapped", tmp_path / name, columns, values.tolist())).beliefs
        assert belief.family == "swapped"
        found.append(belief.worst_case)
    assert found[1].right == found[1].people >= 20
    assert found[0].right < found[0].people


# --- who is a person -------------------------------------------------------------------------------


def patients(splitting: bool = False, key: str = "patient") -> dict[str, list[str]]:
    rng = np.random.default_rng(4)
    who = np.repeat(np.arange(120), 12)
    return {
        key: who.astype(str).tolist(),
        "sex": rng.choice(["f", "m"], 120)[who].tolist(),
        "region": rng.choice(list("nsew"), 120)[who].tolist(),
        "case": (np.arange(len(who)) // 2).astype(str).tolist(),
        "ill": rng.choice(list("abc"), len(who)).tolist(),
    }


def roles(key: str = "patient") -> dict[str, Any]:
    quasi = {"role": "q", "kind": "nominal"}
    return {key: "i", "sex": quasi, "region": quasi, "case": "i", "ill": {"role": "c", "kind": "nominal"}}


@pytest.mark.parametrize(
    ("key", "given", "type", "status", "variant"),
    case_rows("people-verdict-a-column-that-repeats-as-people-do"),
)
def test_a_column_that_repeats_as_people_do(
    tmp_path: Path, key: str, given: dict[str, Any], type: str, status: str, variant: str
) -> None:
    candidate = make_candidate(tmp_path, patients(key=key), roles(key), type, input=given)
    found = check(candidate, "people-counted")
    assert (found.status, found.sentence.id) == (status, f"gate.people-counted.{variant}")


@pytest.mark.parametrize(("said", "variant"), [({"one_row_per_person": True}, "green"), ({}, "amber-weak")])
@pytest.mark.parametrize("type", ["research", "public"])
def test_a_town_that_fixes_its_county_is_nobody_once_the_owner_said_so(
    tmp_path: Path, type: str, said: dict[str, Any], variant: str
) -> None:
    rng = np.random.default_rng(4)
    town = rng.integers(0, 40, 400)
    columns = {
        "town": town.astype(str).tolist(),
        "county": (town % 7).astype(str).tolist(),
        "country": (town % 3).astype(str).tolist(),
        "ill": rng.choice(list("abc"), 400).tolist(),
    }
    given: dict[str, Any] = {name: {"role": "q", "kind": "nominal"} for name in ("town", "county", "country")}
    given["ill"] = {"role": "c", "kind": "nominal"}
    candidate = make_candidate(tmp_path, columns, given, type, input=said)
    assert check(candidate, "people-counted").sentence.id == f"gate.people-counted.{variant}"


def without_numbers(rows_of_each: Sequence[int]) -> dict[str, list[str]]:
    """Rows of 120 people of whom town, age and sex are known to others, and more columns stay as they are."""
    rng = np.random.default_rng(5)
    people = np.arange(120)
    lasting = {"town": people % 10, "age": people // 10 % 6, "sex": people // 60}
    lasting |= {"blood": rng.integers(0, 8, 120), "job": rng.integers(0, 12, 120)}
    lasting |= {"county": people % 10 // 2, "coast": people % 10 // 4}
    who = np.repeat(people, rows_of_each)
    return {
        **{name: values[who].astype(str).tolist() for name, values in lasting.items()},
        "ill": rng.choice(list("abc"), len(who)).tolist(),
    }


@pytest.mark.parametrize(
    ("rows_of_each", "columns", "given", "type", "variant"),
    case_rows("people-verdict-rows-without-a-number-may-be-visits", lists=True),
)
def test_rows_without_a_number_may_be_visits(
    tmp_path: Path, rows_of_each: list[int], columns: str, given: dict[str, Any], type: str, variant: str
) -> None:
    table = without_numbers(rows_of_each)
    known = dict.fromkeys(("town", "age", "sex"), "q") | dict.fromkeys(columns.split(), "o") | {"ill": "c"}
    table = {name: table[name] for name in known}
    roles = {name: {"role": role, "kind": "nominal"} for name, role in known.items()}
    found = check(make_candidate(tmp_path, table, roles, type, input=given), "people-counted")
    assert (found.status, found.sentence.id) == (variant.split("-")[0], f"gate.people-counted.{variant}")


def test_rows_without_an_id_are_said(tmp_path: Path) -> None:
    columns = patients()
    columns["patient"][3] = ""
    found = check(make_candidate(tmp_path, columns, roles(), input={"person": "patient"}), "people-counted")
    assert found.sentence.id == "gate.people-counted.amber-without-id"
    assert found.sentence.arguments["without"] == 1


# --- one person, and the figures of a release -----------------------------------------------------


def test_a_person_is_attacked_by_all_their_rows(tmp_path: Path) -> None:
    columns = patients()
    candidate = make_candidate(tmp_path, columns, roles(), input={"person": "patient"})
    attack, numbers = prepare_attack(candidate), candidate.prepared.table.row_numbers.tolist()
    found = attack_person(attack, numbers[13])
    assert [each.number for each in found.records] == numbers[12:24]
    assert found.records[1] == attack_record(attack, numbers[13])
    assert all(each.group_size == 1 for each in found.records)
    assert attack.correspondence == "record"
    people: dict[tuple[str, str], set[str]] = {}
    for sex, region, person in zip(columns["sex"], columns["region"], columns["patient"], strict=True):
        people.setdefault((sex, region), set()).add(person)
    assert attack.set_sizes[13] == len(people[columns["sex"][13], columns["region"][13]])


@pytest.mark.parametrize("in_order", [False, True])
def test_who_fits_all_rows_of_a_person_is_counted_as_pandas_does(
    tmp_path: Path, table: pd.DataFrame, in_order: bool
) -> None:
    candidate = stays(tmp_path, in_order=in_order)
    attack = prepare_attack(candidate)
    numbers = candidate.prepared.table.row_numbers

    def whole(names: Sequence[str]) -> pd.Series[Any]:
        rows = pd.Series(list(map(tuple, table[list(names)].to_numpy())), index=table.index)
        # Who keeps the order knows it.
        return rows.groupby(table["person_nbr"]).agg(tuple if in_order else lambda own: tuple(sorted(own)))

    known, all_of_it = whole(QUASI), whole([*QUASI, "outcome"])
    several = table.groupby("person_nbr").size()
    several = several[several > 1]
    picked = several.sort_values(ascending=False).index[:3].tolist() + several.index[:25].tolist()
    alone = 0
    for person in picked:
        at = int(np.flatnonzero(table["person_nbr"].to_numpy() == person)[-1])
        found = attack_person(attack, int(numbers[at]))
        assert (found.linked, len(found.records)) == (in_order, several[person])
        assert found.together is not None
        assert found.together.own
        assert (found.together.rows, found.together.fit) == (several[person], (known == known[person]).sum())
        assert found.together.shown == (("outcome", (all_of_it == all_of_it[person]).sum()),)
        alone += found.together.fit == 1
        # By one row: whose rows show the same, in people.
        for record, row in zip(found.records, np.flatnonzero(table["person_nbr"].to_numpy() == person), strict=True):
            same = (table[QUASI] == table.loc[row, QUASI]).all(axis=1)
            assert record.tied_people == table.loc[same, "person_nbr"].nunique()
            assert (record.tied, record.own_tied) == (same.sum(), (same & (table["person_nbr"] == person)).sum())
    assert 0 < alone < len(picked)


def test_whom_changed_rows_no_longer_fit_is_said_so(tmp_path: Path) -> None:
    """The rows of one person show another's place: all of theirs fit nobody, those of the others as before."""
    candidate = make_candidate(tmp_path, patients(), roles(), input={"person": "patient"})
    regions = candidate.final.column("region")
    texts = [regions.texts[code] for code in regions.codes.tolist()]
    changed = with_step(candidate, {"region": ["Q"] * 12 + texts[12:]})
    attack, numbers = prepare_attack(changed), candidate.prepared.table.row_numbers.tolist()
    first, second = (attack_person(attack, numbers[row]).together for row in (0, 12))
    assert first is not None
    assert second is not None
    assert not first.own
    assert second.own
    before = existing(attack_person(prepare_attack(candidate), numbers[0]).together)
    assert before.own
    assert first.fit == before.fit - 1
