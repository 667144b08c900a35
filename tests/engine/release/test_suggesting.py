"""Suggested candidates: they fit the file, none fails, none comes twice, and tables of every kind get their own."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from swap_support import few_temperatures
from verdict_cases import made_verdict

from ppdm_desktop.engine.errors import Cancelled
from ppdm_desktop.engine.methods.base.registry import all_methods, find_method
from ppdm_desktop.engine.methods.base.suggestion import Suggestion
from ppdm_desktop.engine.progress import Progress, silent
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.load import parse_recipe
from ppdm_desktop.engine.release.candidate.model import Prepared
from ppdm_desktop.engine.release.candidate.pipeline import prepare, run_candidate
from ppdm_desktop.engine.release.candidate.step_order import misplaced_step
from ppdm_desktop.engine.release.disclosure import side_information
from ppdm_desktop.engine.release.evaluate import suggestions as suggesting
from ppdm_desktop.engine.release.evaluate.quick_verdict import quick_verdict
from ppdm_desktop.engine.release.evaluate.suggestions import Suggested, running_order, suggest
from ppdm_desktop.engine.report.model import Verdict
from ppdm_desktop.engine.wording.catalogue import later

KINDS = {
    "age": ("quasi-identifier", "numeric"),
    "city": ("quasi-identifier", "nominal"),
    "sex": ("quasi-identifier", "nominal"),
    "income": ("confidential", "numeric"),
    "illness": ("confidential", "nominal"),
    "visits": ("other", "numeric"),
}


def prepared(
    folder: Path, rows: int = 160, *, level: str = "normal", drop: tuple[str, ...] = (), unique: bool = False
) -> Prepared:
    draw = np.random.default_rng(5)
    columns: dict[str, Any] = {
        "age": draw.integers(18, 90, rows),
        "city": draw.choice(["Delft", "Ghent", "Bonn", "Lille", "Turku"], rows, p=[0.4, 0.3, 0.2, 0.08, 0.02]),
        "sex": draw.choice(["f", "m"], rows),
        "income": draw.integers(1_000, 9_000, rows),
        "illness": draw.choice(["flu", "cold", "ulcer"], rows),
        "visits": draw.integers(0, 9, rows),
    }
    if unique:
        columns["age"] = np.arange(rows) + 18
    path = folder / "people.csv"
    lines = [",".join(map(str, row)) for row in zip(*columns.values(), strict=True)]
    path.write_text("\n".join([",".join(columns), *lines]) + "\n", encoding="utf-8")
    roles = {name: ("left-out" if name in drop else role, kind) for name, (role, kind) in KINDS.items()}
    document = {
        "recipe": 1,
        "columns": {name: {"role": role, "kind": kind} for name, (role, kind) in roles.items()},
        "privacy": {"default": level},
        "release": {"type": "research"},
    }
    return prepare(path, parse_recipe(document), silent())


def methods_of(found: tuple[Suggested, ...]) -> set[str]:
    return {step.method for each in found for step in each.steps}


def everything(prepared: Prepared, queued: Sequence[Any] = (), most: int = 50) -> tuple[Suggested, ...]:
    return suggest(prepared, queued, most, silent()).suggested


@pytest.fixture(autouse=True)
def quick_trials(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is offered is tested here; how far a swap is calibrated and an intruder learns is tested elsewhere."""
    few_temperatures(monkeypatch)
    monkeypatch.setattr(side_information, "_TREES", (4, 8))


@pytest.fixture
def unjudged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Offer whatever fits, as if nothing were ever found against it: here the chains are looked at."""
    verdict = made_verdict()
    monkeypatch.setattr(suggesting, "quick_verdict", lambda prepared, steps, progress: verdict)


@pytest.fixture
def people(tmp_path: Path) -> Prepared:
    return prepared(tmp_path)


def test_none_fails_none_is_blocked_and_each_has_words_of_its_own(people: Prepared) -> None:
    looked = suggest(people, (), 50, silent())
    found = looked.suggested
    assert found
    assert looked.blocking, "some would be blocked, and are not offered"
    assert len({each.name for each in found}) == len(found)
    for place, each in enumerate(found):
        assert misplaced_step(each.steps) is None
        assert each.verdict.blocking == []
        assert each.seconds > 0
        run = replace(people, recipe=people.recipe.model_copy(update={"steps": each.steps}))
        candidate = run_candidate(run, Key.from_seed(place), silent())
        assert len(candidate.steps) == len(each.steps)


@pytest.mark.thorough
def test_where_all_are_alone_no_suggestion_leaves_them_so(tmp_path: Path) -> None:
    rows = 200
    people = prepared(tmp_path, rows, drop=("income",), unique=True)
    original = quick_verdict(people, (), silent())
    assert original.singled is not None
    assert original.singled.by_others == rows
    found = everything(people)
    assert found
    for each in found:
        assert each.verdict.singled is not None
        assert each.verdict.singled.by_others < 0.95 * each.verdict.singled.people
        # A swap alone changes nobody's describing columns.
        assert any(find_method(step.method).protects != "attribute" for step in each.steps)


def test_everybody_alone_is_not_worth_it_though_nothing_blocks() -> None:
    verdict = made_verdict()
    assert verdict.singled is not None
    for alone, worth in ((94, True), (95, False), (100, False)):
        singled = verdict.singled.model_copy(update={"by_others": alone})
        assert suggesting._is_worth_it(verdict.model_copy(update={"singled": singled})) == worth
    assert not suggesting._is_worth_it(made_verdict(red=("rare-secret",)))
    assert suggesting._is_worth_it(made_verdict(amber=("class-size",)))


def test_what_some_of_the_rows_stop_is_tried_on_more_of_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    people = prepared(tmp_path, 300)
    tried: list[int] = []

    def verdict(prepared: Prepared, steps: Any, progress: Progress) -> Verdict:
        if steps:
            tried.append(prepared.table.rows)
        return made_verdict(red=("linkage",) if prepared.table.rows < 200 else ())

    monkeypatch.setattr(suggesting, "quick_verdict", verdict)
    monkeypatch.setattr(suggesting, "TRIED_ROWS", 100)
    monkeypatch.setattr(suggesting, "TRIED_AGAIN_ROWS", 250)
    looked = suggest(people, (), 50, silent())
    assert len(looked.suggested) == suggesting.ENOUGH
    assert set(tried) == {100, 250}
    assert tried.count(250) == suggesting.ENOUGH
    assert all(each.before.rows == each.verdict.rows for each in looked.suggested)
    assert looked.blocking == ("linkage",)


def test_no_two_have_one_name(people: Prepared, unjudged: None, monkeypatch: pytest.MonkeyPatch) -> None:
    swap = type(find_method("random-swap"))
    twice = tuple(Suggestion(later("method", "A swap"), {"proportion": each}) for each in (0.5, 0.4))
    monkeypatch.setattr(swap, "suggestions", lambda self, table: twice)
    assert [str(each.name) for each in everything(people)].count("A swap") == 1


def test_chains_hide_who_it_is_first_and_protect_the_secret_last(people: Prepared, unjudged: None) -> None:
    chains = [each for each in everything(people) if len(each.steps) > 1]
    assert chains
    for each in chains:
        first, *_, last = [find_method(step.method) for step in each.steps]
        assert (first.protects, first.correspondence) == ("identity", "record")
        assert last.protects in ("identity", "attribute")
        assert ", then " in str(each.name)
    assert any(find_method(each.steps[-1].method).protects == "attribute" for each in chains)
    assert not any(
        step.method == "mondrian" and len(each.steps) > 1 and each.steps[1].method == "suppress"
        for each in chains
        for step in each.steps[:1]
    ), "after groups that are large enough nothing is left to remove"


def test_what_is_queued_already_is_not_suggested_again(people: Prepared, unjudged: None) -> None:
    first = everything(people, most=6)
    again = everything(people, [each.steps for each in first])
    assert not {each.name for each in first} & {each.name for each in again}
    assert len(first) + len(again) == len(everything(people))
    # A step switched off does not make another candidate, nor do columns that are the usual ones.
    step = first[0].steps[0]
    usual = find_method(step.method).default_columns(people.table)
    same = (step.model_copy(update={"columns": usual}), step.model_copy(update={"enabled": False}))
    assert first[0].name not in {each.name for each in everything(people, [same])}


def test_only_numbers_are_confidential(tmp_path: Path, unjudged: None) -> None:
    found = everything(prepared(tmp_path, drop=("illness",)))
    assert "two-phase-noise" in methods_of(found)
    assert not {"bayes-swap", "random-swap"} & methods_of(found)


def test_nothing_is_confidential(tmp_path: Path, unjudged: None) -> None:
    found = everything(prepared(tmp_path, drop=("illness", "income")))
    assert found
    assert all(find_method(id).protects != "attribute" for id in methods_of(found))


def test_too_few_people_get_no_suggestion(tmp_path: Path) -> None:
    assert everything(prepared(tmp_path, rows=3)) == ()


def test_levels_are_in_the_words_and_in_the_parameters(tmp_path: Path, unjudged: None) -> None:
    names = {str(each.name) for each in everything(prepared(tmp_path, rows=600, level="extra-cautious"))}
    assert "Same details in groups of 20" in names
    assert "Same details in groups of 80" in names


def test_what_can_be_undone_exactly_is_not_suggested(people: Prepared, unjudged: None) -> None:
    assert not {"bit-plus-plus", "bit-minus-minus", "additive-noise"} & methods_of(everything(people))


def test_slow_ones_run_last_and_on_many_rows_come_last(
    people: Prepared, unjudged: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ppdm_desktop.engine.methods.condensation._SLOW_FROM", 10)
    found = everything(people, most=16)
    ordered = running_order(found)
    assert sorted(str(each.name) for each in ordered) == sorted(str(each.name) for each in found)
    slow = [each.slow for each in ordered]
    assert any(slow)
    assert slow == sorted(slow)
    few = everything(people, most=9)
    assert any(each.slow for each in few)
    monkeypatch.setattr(suggesting, "MANY_ROWS", 10)
    assert not any(each.slow for each in everything(people, most=9))


@pytest.mark.thorough
@pytest.mark.parametrize("place", [0.0, 0.3, 0.6])
def test_can_be_stopped(people: Prepared, place: float) -> None:
    cancel = threading.Event()

    def stop(fraction: float, _doing: str) -> None:
        if fraction >= place:
            cancel.set()

    with pytest.raises(Cancelled):
        suggest(people, (), 16, Progress(stop, cancel))


@pytest.mark.parametrize("method", all_methods().values(), ids=lambda method: method.id)
def test_every_suggestion_names_parameters_that_exist_and_fit(method: Any, people: Prepared) -> None:
    known = {parameter.name: parameter for parameter in method.parameters}
    for each in method.suggestions(people.table):
        assert str(each.words)[0].isupper()
        assert len(str(each.words)) <= 50
        assert each.after is None or str(each.after)[0].islower()
        for name, value in each.parameters.items():
            assert known[name].problem(value) is None
