"""Planned versions: judged on all rows, the same when they are run again, and stricter only where a check asks."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import pandas as pd
import pytest
from cases import case_rows
from optional import existing

from ppdm_desktop.engine.errors import Cancelled
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.methods.base.declaration import Family, KnobKind, all_methods, methods_of
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.load import parse_recipe, write_recipe
from ppdm_desktop.engine.recipe.models import StepSection, ValueRuleSection
from ppdm_desktop.engine.release.candidate.model import Prepared
from ppdm_desktop.engine.release.candidate.pipeline import prepare, run_candidate, with_answers, with_steps
from ppdm_desktop.engine.release.evaluate.evaluate import evaluate
from ppdm_desktop.engine.release.gate.results import CheckResult
from ppdm_desktop.engine.release.planning.chains import Chains, find_lone_gap_column
from ppdm_desktop.engine.release.planning.drafts import WHOLE_VERSION, Draft, choose_turns
from ppdm_desktop.engine.release.planning.judging import Judge
from ppdm_desktop.engine.release.planning.knobs import MOST_NOTCHES, ChainKnobs
from ppdm_desktop.engine.release.planning.plan import plan, rejudge_versions, settle, version_of
from ppdm_desktop.engine.release.planning.search import TruePlan, TrueProblem, search_true_values
from ppdm_desktop.engine.release.planning.turning import Turning, answerable_checks
from ppdm_desktop.engine.release.planning.version import Planned, Version, best_versions_first
from ppdm_desktop.engine.release.storage.ledger import remember
from ppdm_desktop.engine.release.verdict.usefulness import count_losses_by_marks
from ppdm_desktop.engine.wording.texts import Note

KEY = Key(bytes(range(7, 39)), "system")
ROLES = {"age": "quasi-identifier", "town": "quasi-identifier", "ill": "confidential", "pay": "confidential"}


def prepared(folder: Path, *, rows: int = 400, person: str = "", **columns: Any) -> Prepared:
    draw = np.random.default_rng(3)
    values = {
        "who": draw.integers(0, 150, rows) if person else np.arange(rows),
        "age": draw.integers(18, 70, rows),
        "town": draw.choice([f"Town {number}" for number in range(8)], rows),
        "ill": draw.choice(["flu", "cold", "gout"], rows),
        "pay": np.round(draw.lognormal(8, 0.6, rows), -1).astype(int),
    }
    days = np.datetime64("2010-01-01") + draw.integers(0, 4_000, rows)
    values |= {
        name: days if column.get("kind") == "date" else draw.integers(1, 5, rows)
        for name, column in columns.items()
        if name not in values
    }
    if "union" in columns:
        values["union"] = draw.choice(["no", "yes"], rows, p=[0.88, 0.12])
    if "ward" in columns:
        values["ward"] = draw.choice(["east", "west", "psychiatry"], rows, p=[0.47, 0.47, 0.06])
        values["ill"] = np.where(values["ward"] == "psychiatry", "fear", values["ill"])
    lines = [",".join(values), *(",".join(map(str, row)) for row in zip(*values.values(), strict=True))]
    source = folder / "people.csv"
    source.write_text("\n".join(lines) + "\n", encoding="utf-8")
    roles = {name: ROLES.get(name, "confidential") for name in values if name != "who"}
    document = {
        "recipe": 1,
        "input": {"person": person} if person else {"one_row_per_person": True},
        "columns": {"who": {"role": "identifier"}}
        | {name: {"role": role, **columns.get(name, {})} for name, role in roles.items()},
        "release": {"type": "research", "agreement": True},
    }
    return prepare(source, parse_recipe(document), need_type=True)


def reasons(version: Version) -> int:
    return version.verdict.reasons_to_write


def planned(source: Prepared) -> tuple[Planned, list[Version]]:
    found: list[Version] = []
    return plan(source, (), found.append, KEY), found


def test_true_values_come_first_without_a_reason_and_run_again_as_shown(tmp_path: Path) -> None:
    source = prepared(tmp_path)
    result, found = planned(source)
    assert found[0].family is Family.TRUE_VALUES
    assert not found[0].verdict.reasons_to_write
    assert 2 <= len(result.versions) <= 6
    assert list(result.versions) == [version for version in best_versions_first(found) if version in result.versions]
    true = [version for version in result.versions if version.family is not Family.ARTIFICIAL]
    free = [existing(version.verdict.usefulness.useful.value) for version in true if not reasons(version)]
    with_reasons = [version.verdict.usefulness.useful.value for version in result.versions if reasons(version)]
    assert all(existing(useful) >= max(free) for useful in with_reasons)
    for version in result.versions:
        assert not version.verdict.blocking
        written = parse_recipe(tomllib.loads(write_recipe(with_steps(source, version.steps).recipe)))
        candidate = run_candidate(prepare(source.path, written), KEY)
        release = evaluate(candidate).report.verdict
        settled = settle(source, version)
        assert settled.verdict.data_sha256 == release.data_sha256 == version.verdict.data_sha256
        assert settled.verdict.checks == release.checks
        assert settled.verdict.usefulness == release.usefulness
        assert not settled.changed
    listed = [version.steps for version in found]
    others = plan(source, listed, found.append, KEY).versions
    assert not [version for version in others if version.steps in listed]


def test_versions_count_the_reason_that_an_earlier_release_asks_for(tmp_path: Path) -> None:
    source, ledger = prepared(tmp_path), tmp_path / "ledger.json"
    before = planned(source)[0].versions
    remember(run_candidate(with_steps(source, before[0].steps), Key.fresh()), ledger, "2026-01-01")
    result = plan(source, (), lambda version: None, KEY, ledger)
    after = result.versions
    assert [version.steps for version in after] == [version.steps for version in before]
    assert "last on 1 January 2026" in next(refusal.reason for refusal in result.refusals if not refusal.families)
    for version in after:
        release = evaluate(run_candidate(with_steps(source, version.steps), KEY), ledger=ledger).report.verdict
        assert reasons(version) == release.reasons_to_write > 0
        settled = settle(source, version, ledger).verdict
        assert [(check.id, check.status) for check in settled.checks] == [
            (check.id, check.status) for check in release.checks
        ]


def test_a_family_that_an_earlier_release_stops_keeps_its_columns_and_says_why(tmp_path: Path) -> None:
    source, ledger = prepared(tmp_path), tmp_path / "ledger.json"
    recipe = source.recipe.model_copy(update={"release": source.recipe.release.model_copy(update={"type": "public"})})
    source = prepare(source.path, recipe)
    steps = (StepSection(method="condensation"),)
    remember(run_candidate(with_steps(source, steps), Key.fresh()), ledger, "2026-01-01")
    result = plan(source, (), lambda version: None, KEY, ledger)
    assert Family.ARTIFICIAL not in {version.family for version in result.versions}
    (refusal,) = (refusal for refusal in result.refusals if Family.ARTIFICIAL in refusal.families)
    assert "last on 1 January 2026, with other random values in “ill” and “pay”" in refusal.reason


def test_without_an_agreement_the_version_is_offered_that_would_be_free_with_one(tmp_path: Path) -> None:
    signed = prepared(tmp_path, rows=600, hobby={"role": "other"}, shoes={"role": "other"}, car={"role": "other"})
    release = signed.recipe.release.model_copy(update={"agreement": False})
    source = with_answers(signed, signed.recipe.model_copy(update={"release": release}))
    assert all(version.reasons_if_signed is None for version in planned(signed)[0].versions)
    result, found = planned(source)
    (version,) = (version for version in result.versions if version.reasons_if_signed is not None)
    useful = [(each in result.versions, each.verdict.usefulness.useful.value) for each in found]
    assert sorted(useful, key=lambda each: each[1] or 0)[0] == min(useful)  # of seven the least useful is not listed
    assert (version.family, reasons(version) > 0, version.reasons_if_signed) == (Family.TRUE_VALUES, True, 0)
    (again,) = rejudge_versions(signed, [version], lambda version: None).versions
    assert reasons(again) == 0


def test_a_version_that_asks_for_other_reasons_once_settled_says_so(tmp_path: Path) -> None:
    source = prepared(tmp_path)
    version = version_of(source, (), KEY)
    for checks, changed in ((version.verdict.checks, False), ([], True)):
        shown = replace(version, verdict=version.verdict.model_copy(update={"checks": checks}))
        assert settle(source, shown).changed is changed


def test_a_version_is_free_of_reasons_whatever_the_roles_are(tmp_path: Path) -> None:
    versions = planned(prepared(tmp_path, religion={"role": "other"}))[0].versions
    assert versions[0].family is Family.TRUE_VALUES
    assert not versions[0].verdict.reasons_to_write
    assert "“religion” (3 ranges)" in str(versions[0].kept)


def test_groups_show_averages_of_their_own_people_in_public(tmp_path: Path) -> None:
    source = prepared(tmp_path)
    draft = Draft({(KnobKind.AVERAGED, WHOLE_VERSION): 1, (KnobKind.ENDS, "pay"): 1})
    groups = methods_of(Family.GROUPS)[0]
    for type, within in (("research", {}), ("public", {"within": "equal"})):
        recipe = source.recipe.model_copy(update={"release": source.recipe.release.model_copy(update={"type": type})})
        chain = existing(Chains(prepare(source.path, recipe)).chain(Family.GROUPS, groups, draft))
        assert [(step.method, step.columns) for step in chain.steps[1:]] == [("microaggregation", ("pay",))]
        assert chain.steps[-1].parameters == within


@pytest.mark.parametrize(
    ("turned", "mark", "left_out", "limited", "rounded"),
    [
        ({(KnobKind.ENDS, "pay"): 1}, None, (), ("pay", "bonus", "total"), ()),
        ({(KnobKind.ENDS, "total"): 1}, None, (), ("total", "bonus", "pay"), ()),
        ({(KnobKind.ENDS, "pay"): 1, (KnobKind.ROUNDING, "bonus"): 1}, None, ("total",), ("pay",), ("bonus",)),
        ({(KnobKind.ENDS, "pay"): 1, (KnobKind.ROUNDING, "bonus"): 1}, "keep", ("bonus",), ("pay",), ()),
        ({(KnobKind.ENDS, "wage"): 1}, None, ("rate",), ("wage",), ()),
        ({(KnobKind.ENDS, "rate"): 1}, None, ("hours",), ("rate",), ()),
        ({(KnobKind.ROUNDING, "bonus"): 1}, None, (), (), ("bonus",)),
        ({(KnobKind.ROUNDING, "pay"): 1}, None, (), (), ("pay", "total")),
        ({(KnobKind.ROUNDING, "total"): 1, (KnobKind.ROUNDING, "pay"): 2}, None, (), (), ("pay", "total")),
    ],
)
def test_what_gives_a_limited_number_is_limited_and_rounded_with_it_or_left_out(
    tmp_path: Path,
    turned: dict[tuple[KnobKind, str], int],
    mark: str | None,
    left_out: tuple[str, ...],
    limited: tuple[str, ...],
    rounded: tuple[str, ...],
) -> None:
    """Pay is at most the total, also among rounded numbers, because one step rounds both; so is bonus, by chance."""
    draw = np.random.default_rng(3)
    people = pd.DataFrame({"age": draw.integers(18, 70, 400), "ill": draw.choice(["flu", "cold"], 400)})
    people["pay"], people["bonus"] = draw.integers(20, 90, 400) * 100, draw.integers(1, 30, 400) * 10
    people["total"] = people["pay"] + people["bonus"]
    people["hours"], people["rate"] = draw.integers(10, 50, 400), draw.integers(120, 600, 400) / 10
    people["wage"] = people["hours"] * people["rate"]
    people.to_csv(tmp_path / "people.csv", index=False)
    secret = {"role": "confidential"}
    document: dict[str, Any] = {
        "recipe": 1,
        "input": {"one_row_per_person": True},
        "columns": {"age": {"role": "quasi-identifier"}} | dict.fromkeys(("ill", "pay", "bonus", "wage"), secret),
        "release": {"type": "research", "agreement": True},
    }
    document["columns"] |= dict.fromkeys(("hours", "rate"), {"role": "other"})
    document["columns"]["total"] = {**secret, **({"detail": mark} if mark else {})}
    chains = Chains(prepare(tmp_path / "people.csv", parse_recipe(document), need_type=True))
    chain = existing(chains.chain(Family.GROUPS, methods_of(Family.GROUPS)[0], Draft(turned)))
    columns_of = {step.method: step.columns or () for step in chain.steps}
    assert (columns_of.get("leave-out", ()), columns_of.get("top-bottom-code", ())) == (left_out, limited)
    assert (*sorted(columns_of.get("round", ())),) == rounded
    noisy = existing(chains.chain(Family.NOISE, methods_of(Family.NOISE)[0], Draft(turned)))
    treated = {name for step in noisy.steps if step.method != "leave-out" for name in step.columns or ()}
    assert treated.isdisjoint(left_out)


def test_a_refused_knob_of_the_version_is_not_turned_again(tmp_path: Path) -> None:
    chains = Chains(prepared(tmp_path))
    chain = existing(chains.chain(Family.TRUE_VALUES, None, Draft()))
    key = (KnobKind.GROUP_SIZE, WHOLE_VERSION)
    most = [ChainKnobs(chain, chains, stuck).get_strictest_degree(*key) for stuck in (frozenset(), frozenset({key}))]
    assert most == [MOST_NOTCHES[KnobKind.GROUP_SIZE], 0]


@pytest.mark.parametrize(("empty", "column"), case_rows("planned-versions-the-column-that-is-left-out-for-lone-empty"))
def test_the_column_that_is_left_out_for_lone_empty_cells(
    empty: dict[str, tuple[int, ...]], column: tuple[str, ...], tmp_path: Path
) -> None:
    source = prepared(tmp_path)
    frame = pd.read_csv(source.path, dtype=str)
    for name, rows in empty.items():
        frame.loc[list(rows), name] = ""
    frame.to_csv(source.path, index=False)
    assert find_lone_gap_column(prepare(source.path, source.recipe).table) == column


@pytest.mark.parametrize(("role", "shown"), [("other", ["(*)", "1", "2", "3", "4"]), ("confidential", None)])
def test_rare_words_outside_the_groups_are_merged_until_enough_people_have_them(
    tmp_path: Path, role: str, shown: list[str] | None
) -> None:
    source = prepared(tmp_path, club={"role": role, "kind": "nominal"})
    frame = pd.read_csv(source.path, dtype=str)
    frame.loc[:5, "club"] = ["chess", "chess", "rowing", "rowing", "rowing", "rowing"]
    frame.to_csv(source.path, index=False)
    source = prepare(source.path, source.recipe)
    chain = existing(Chains(source).chain(Family.TRUE_VALUES, None, Draft({(KnobKind.FEWER_VALUES, "club"): 1})))
    released = run_candidate(with_steps(source, chain.steps), KEY).released.column("club")
    assert (sorted(released.categories) if shown else None) == shown


def test_confidential_days_are_shown_more_broadly_before_they_are_left_out(tmp_path: Path) -> None:
    source = prepared(tmp_path, left={"kind": "date"})
    star = planned(source)[0].versions[0]
    assert star.family is Family.TRUE_VALUES
    released = run_candidate(with_steps(source, star.steps), star.key).released.column("left")
    assert 1 < len(released.categories) < len(source.table.column("left").categories)


def test_steps_that_drew_nothing_are_taken_over_from_the_run_before(tmp_path: Path) -> None:
    source = prepared(tmp_path)
    first, other = (
        with_steps(source, (StepSection(method="top-bottom-code", columns=("age",)), StepSection(**last)))
        for last in (
            {"method": "two-phase-noise", "columns": ("pay",)},
            {"method": "round", "columns": ("pay",), "parameters": {"base": 50}},
        )
    )
    earlier = run_candidate(first, KEY).steps
    again, fresh = (run_candidate(other, KEY, earlier=known) for known in (earlier, ()))
    assert again.steps[0] is earlier[0]
    assert again.steps[1] is not earlier[1]
    assert [column.texts for column in again.released.columns] == [column.texts for column in fresh.released.columns]
    drawn = run_candidate(first, KEY, earlier=earlier).steps
    assert [one is before for one, before in zip(drawn, earlier, strict=True)] == [True, False]


@pytest.mark.parametrize("method", ["mondrian", "two-phase-noise", "condensation"])
def test_a_whole_verdict_after_a_round_is_that_of_a_judge_who_saw_no_round(tmp_path: Path, method: str) -> None:
    source = prepared(tmp_path)
    columns = ("pay",) if method == "two-phase-noise" else None
    steps = (
        StepSection(method="round", columns=("pay",), parameters={"base": 50}),
        StepSection(method=method, columns=columns),
    )
    judge = Judge(source, KEY)
    judge.judge_again(steps, answerable_checks())
    after, fresh = judge.judge(steps), Judge(source, KEY).judge(steps)
    assert after.verdict == fresh.verdict
    assert after.results == fresh.results


def test_a_column_that_must_stay_detailed_keeps_more_values(tmp_path: Path) -> None:
    def values_of_age(age: str, town: str) -> int:
        source = prepared(tmp_path, age={"detail": age}, town={"detail": town})
        steps = planned(source)[1][0].steps
        released = Judge(source, KEY).judge(steps).candidate.released
        return len(released.column("age").categories) if "age" in released.names else 0

    assert values_of_age("keep", "may-go") > values_of_age("may-go", "keep")
    judge = Judge(prepared(tmp_path, age={"detail": "keep"}), KEY)
    lost = StepSection(method="leave-out", columns=("age",)), StepSection(method="leave-out", columns=("town",))
    assert [judge.judge((step,)).verdict.usefulness.marked_lost for step in lost] == [1, 0]


def test_a_confidential_column_goes_where_it_costs_the_others_more_than_itself(tmp_path: Path) -> None:
    def families_without_union(*known_names: str, **mark: str) -> set[Family]:
        known: dict[str, Any] = {
            name: {"role": "quasi-identifier"} for name in ("team", "floor", "shift", *known_names)
        }
        source = prepared(tmp_path, rows=1_200, union={"kind": "nominal", **mark}, **known)
        versions = planned(source)[0].versions
        tables = [run_candidate(with_steps(source, version.steps), version.key).released for version in versions]
        return {version.family for version, table in zip(versions, tables, strict=True) if "union" not in table.names}

    four = ("team", "floor", "shift", "site")
    assert families_without_union(*four, detail="keep") == set()
    assert families_without_union(*four) == {Family.TRUE_VALUES, Family.AVERAGES, Family.NOISE}


def test_marks_set_after_a_verdict_count_as_well(tmp_path: Path) -> None:
    source = prepared(tmp_path)
    candidate = run_candidate(with_steps(source, (StepSection(method="leave-out", columns=("age", "pay")),)), KEY)
    columns = source.recipe.columns
    for age, pay, counts in ((None, None, (0, 1)), ("keep", None, (1, 1)), (None, "may-go", (0, 0))):
        marks = {"age": age, "pay": pay}
        marked = columns | {name: columns[name].model_copy(update={"detail": mark}) for name, mark in marks.items()}
        losses = count_losses_by_marks(candidate, source.recipe.model_copy(update={"columns": marked}))
        assert (losses["marked_lost"], losses["secrets_gone"]) == counts


def test_before_a_column_that_must_stay_those_that_reveal_it_are_left_out(tmp_path: Path) -> None:
    source = prepared(tmp_path, rows=1_200, ward={"role": "quasi-identifier"}, ill={"detail": "keep"})
    chains = Chains(source)
    knobs = ChainKnobs(existing(chains.chain(Family.ARTIFICIAL, methods_of(Family.ARTIFICIAL)[0], Draft())), chains)
    assert knobs.list_columns_to_change(KnobKind.LEAVE_OUT, ["ill"]) == ["ward"]
    assert knobs.list_columns_to_change(KnobKind.LEAVE_OUT, ["ill", "pay"]) == ["pay"]
    stuck = replace(knobs, stuck=frozenset({(KnobKind.LEAVE_OUT, "ward")}))
    assert stuck.list_columns_to_change(KnobKind.LEAVE_OUT, ["ill"]) == ["ill"]


def test_the_costliest_column_that_need_not_stay_is_left_out_and_searched_without_rare_gaps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known: dict[str, Any] = {name: {"role": "quasi-identifier"} for name in ("team", "floor", "shift")}
    source = prepared(tmp_path, rows=1_200, union={"kind": "nominal"}, pay={"detail": "keep"}, **known)
    town = source.table.column("town").with_values(np.array([0]), [""])
    maker, searched = Chains(replace(source, table=source.table.replacing(town))), set[int]()

    def search(problem: TrueProblem, most: int) -> tuple[TruePlan, ...]:
        searched.add(problem.table.rows)
        return search_true_values(problem, most)

    module = sys.modules[Chains.__module__]
    monkeypatch.setattr(module, "count_rows_in_the_way", lambda *_: {"pay": 3, "union": 2, "ill": 1})
    monkeypatch.setattr(module, "search_true_values", search)
    gaps = {(KnobKind.GAPS, WHOLE_VERSION): 1}
    draft = maker.without_costliest_secret(existing(maker.chain(Family.TRUE_VALUES, None, Draft(gaps))))
    assert existing(draft).notches == gaps | {(KnobKind.LEAVE_OUT, "union"): 1}
    assert searched == {1_199}


def test_cancelling_keeps_what_was_found(tmp_path: Path) -> None:
    progress, found = Progress(), []

    def on_version(version: Version) -> None:
        found.append(version)
        progress.cancel()

    result = progress.run(plan, prepared(tmp_path), (), on_version, KEY)
    assert result.cancelled
    assert list(result.versions) == found
    assert len(found) == 1
    with pytest.raises(Cancelled):
        progress.check()


def test_a_refusal_is_told_once_with_its_cure(tmp_path: Path) -> None:
    source = prepared(tmp_path, person="who")
    result, _ = planned(source)
    reasons = [refusal.reason for refusal in result.refusals]
    assert len(reasons) == len(set(reasons)) > 0
    assert all(refusal.cure for refusal in result.refusals)
    first, averages = next(refusal.cures for refusal in result.refusals if refusal.cures)
    numbers = dict.fromkeys(("age", "pay"), "mean")
    assert averages.input.model_dump(exclude_defaults=True)["reduce"] == {
        "by": "first",
        "columns": numbers | dict.fromkeys(("town", "ill"), "most-frequent"),
    }
    cured = prepare(source.path, source.recipe.model_copy(update={"input": first.input}))
    again, found = planned(cured)
    assert not again.refusals
    assert Family.ARTIFICIAL in {version.family for version in found}


@pytest.mark.parametrize(("kept", "treated"), [(None, {"pay"}), (True, set()), (False, {"pay", "grade"})])
def test_likely_codes_and_numbers_with_a_kept_list_get_no_others(
    tmp_path: Path, kept: bool | None, treated: set[str]
) -> None:
    table = prepared(tmp_path, grade={"kind": "numeric"}).table
    if kept is not None:
        lists = (ValueRuleSection(kind="list", columns=(name,), kept=kept) for name in ("grade", "pay"))
        table = replace(table, rules=tuple(lists))
    methods = [method for method in all_methods().values() if method.invents_numbers]
    assert methods
    for method in methods:
        # Averages of numbers that follow one another are among them.
        wanted = treated | ({"grade"} if kept and method.family is Family.AVERAGES else set())
        assert {column.name for column in table.with_role("confidential") if method.takes(table, column)} == wanted
        assert {"grade"} & set(method.suggested_columns(table)) == {"grade"} & wanted


def test_averages_of_a_column_answered_as_numbers_stay_in_its_list(tmp_path: Path) -> None:
    source = prepared(tmp_path, grade={"kind": "numeric"})
    answer = ValueRuleSection(kind="list", columns=("grade",))
    source = prepare(source.path, source.recipe.model_copy(update={"rules": (answer,)}))
    (version,) = (version for version in planned(source)[0].versions if version.family is Family.AVERAGES)
    released = Judge(source, KEY).judge(version.steps).candidate.released.column("grade")
    assert released.kind == "numeric"
    assert set(released.counted_numbers()[0].tolist()) <= {1, 2, 3, 4}
    (averages,) = (step for step in version.steps if step.method == "microaggregation")
    assert averages.columns is None or "grade" in averages.columns


class OneNotch:
    """Knobs of which each can be turned once, in the column ``pay`` or for the whole version."""

    def notch(self, kind: KnobKind, column: str) -> int:
        return 0

    def get_strictest_degree(self, kind: KnobKind, column: str) -> int:
        return int(column in ("pay", WHOLE_VERSION) and kind not in (KnobKind.EXCHANGE, KnobKind.NOISE, KnobKind.GAPS))

    def list_columns_to_change(self, kind: KnobKind, columns: Sequence[str]) -> Sequence[str]:
        return columns

    def values(self, column: str) -> int:
        return len(column)


@pytest.mark.parametrize(
    ("checks", "turned"),
    [
        ([], {}),
        ([("roles-decided", ())], {}),
        ([("rare-values", ("age",))], {}),
        ([("rare-values", ("age", "pay"))], {"rare-values": {(KnobKind.ENDS, "pay"): 1}}),
        (
            [("class-size", ()), ("linkage", ())],
            dict.fromkeys(("class-size", "linkage"), {(KnobKind.GROUP_SIZE, ""): 1}),
        ),
        # In one column one knob at a time: the second check waits for the next round.
        ([("rare-values", ("pay",)), ("free-text", ("pay",))], {"rare-values": {(KnobKind.ENDS, "pay"): 1}}),
    ],
)
def test_each_check_turns_its_first_knob_that_can_be_turned(checks: list[Any], turned: dict[str, Any]) -> None:
    results = [CheckResult(id, "amber", None, None, Note("gate.x"), columns=columns) for id, columns in checks]
    assert choose_turns(results, OneNotch()) == turned


class RoundedOnce(OneNotch):
    """Knobs of which the column ``pay`` was rounded by one notch; it can be rounded further."""

    def notch(self, kind: KnobKind, column: str) -> int:
        return int(kind is KnobKind.ROUNDING)

    def get_strictest_degree(self, kind: KnobKind, column: str) -> int:
        return 4


def test_a_knob_named_twice_is_turned_further_in_its_later_place() -> None:
    result = CheckResult("near-identifiers", "amber", None, None, Note("gate.x"), columns=("pay",))
    assert choose_turns([result], RoundedOnce()) == {"near-identifiers": {(KnobKind.ENDS, "pay"): 1}}


@pytest.mark.parametrize(
    ("before", "after", "notch"), case_rows("planned-versions-a-knob-is-turned-again-as-far-as-the")
)
def test_a_knob_is_turned_again_as_far_as_the_figure_asks_for(before: float, after: float, notch: int) -> None:
    def result(gain: float) -> CheckResult:
        return CheckResult("inference", "amber", Figure(gain), 0.05, Note("gate.x"), columns=("pay",))

    turning = Turning(cast(Any, None), (), cast(Any, None), cast(Any, None), ())
    turning.as_far_as_needed({}, [result(before)], OneNotch())
    turning.turns = {"inference": {(KnobKind.ROUNDING, "pay"): 1}}
    turns = {"inference": {(KnobKind.ROUNDING, "pay"): 2}}
    assert turning.as_far_as_needed(turns, [result(after)], RoundedOnce()) == {
        "inference": {(KnobKind.ROUNDING, "pay"): notch}
    }
