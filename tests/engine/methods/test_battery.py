"""What every method must pass; a later method passes through it without being listed."""

from __future__ import annotations

import itertools
import json
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from swap_support import random_table, streams

from ppdm_desktop.engine.errors import Cancelled, InputError, RecipeError
from ppdm_desktop.engine.methods.base.declaration import Method
from ppdm_desktop.engine.methods.base.registry import all_methods
from ppdm_desktop.engine.methods.base.step import Settings, StepResult
from ppdm_desktop.engine.progress import Progress, silent
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.numbers import NumberStyle
from ppdm_desktop.engine.table.person_ids import with_ids_marked
from ppdm_desktop.engine.wording.texts import all_texts, render

METHODS = list(all_methods().values())
SETTINGS_IN_DRAWS = Path(__file__).parents[2] / "golden" / "settings_in_draws.json"
"""Settings that every draw of a method depends on, written in the recipe or not."""
every_method = pytest.mark.parametrize("method", METHODS, ids=lambda method: method.id)
every_parameter = pytest.mark.parametrize(
    ("method", "parameter"),
    [(method, parameter) for method in METHODS for parameter in method.parameters],
    ids=lambda part: part.id if isinstance(part, Method) else part.name,
)


def table_for(method: Method, seed: int = 3, rows: int = 160) -> Table:
    """A table with every kind of column, in the roles a method of this sort protects."""
    rng = np.random.default_rng(seed)
    # A method that removes what stands out needs a table in which most does not.
    table = random_table(rng, rows, width=2 if "suppression" in method.treatment.english else 6, levels=3)
    numbers = Column.from_texts("Number", [str(n) for n in rng.integers(10, 99, size=rows)])
    numbers = replace(numbers, role="confidential", kind="numeric", style=NumberStyle.seen_in(numbers.texts))
    numbers = replace(numbers, bounds=(0.0, 100.0))
    table = replace(table, columns=(*table.columns, numbers))
    if "identifier" not in method.roles:
        return table
    # Some people have several rows, and a few rows do not say whose they are.
    ids = [str(n) if n % 20 else "" for n in rng.integers(rows // 2, size=rows)]
    number = Column.from_texts("Id", ids, role="identifier")
    return with_ids_marked(replace(table, columns=(*table.columns, number)), ["Id"])


def settled(method: Method, table: Table, **parameters: Any) -> Settings:
    return method.settings(table, None, parameters)


def done(method: Method, table: Table, settings: Settings, seed: int = 1) -> StepResult:
    method.check(table, settings)
    return method.run(table, settings, streams(seed), silent())


def texts(table: Table) -> dict[str, list[str]]:
    return {column.name: column.values() for column in table.columns}


@every_method
def test_declares_itself_completely(method: Method) -> None:
    described = method.describe()
    assert described["id"] == method.id
    assert all(described[key] for key in ("title", "paper", "summary", "promises", "limits", "applies_to"))
    names = [parameter.name for parameter in method.parameters]
    assert len(set(names)) == len(names)
    assert set(names) >= method.public_parameters
    for parameter in method.parameters:
        assert str(parameter.help).endswith(".")
        assert str(parameter.effect).endswith(".")
        assert parameter.problem(parameter.default) is None


@every_parameter
def test_unfit_values_are_refused_by_name(method: Method, parameter: object) -> None:
    table = table_for(method)
    for value in parameter.unfit_values():  # type: ignore[attr-defined]
        with pytest.raises(RecipeError) as refused:
            settled(method, table, **{parameter.name: value})  # type: ignore[attr-defined]
        assert str(refused.value.arguments["key"]) == parameter.name  # type: ignore[attr-defined]
        assert render(refused.value.id, refused.value.arguments).sentence


@pytest.mark.thorough
@every_parameter
def test_fit_values_run_or_are_refused_in_words(method: Method, parameter: object) -> None:
    table = table_for(method)
    for value in parameter.fit_values():  # type: ignore[attr-defined]
        assert parameter.problem(value) is None  # type: ignore[attr-defined]
        settings = settled(method, table, **{parameter.name: value})  # type: ignore[attr-defined]
        refusal, result = None, None
        try:
            result = done(method, table, settings)
        except (RecipeError, InputError) as refused:
            refusal = render(refused.id, refused.arguments).sentence
        assert refusal or result
        if result is None:
            continue
        recount = method.recount(table, result.table, settings, result.detail)
        assert recount.guarantee.holds, recount.guarantee


@every_method
def test_unknown_parameter_is_refused(method: Method) -> None:
    with pytest.raises(RecipeError) as refused:
        settled(method, table_for(method), no_such_parameter=1)
    assert refused.value.id == "error.recipe.unknown-parameter"


@every_method
def test_input_is_never_changed_and_untouched_columns_are_shared(method: Method) -> None:
    table = table_for(method)
    before = texts(table)
    arrays = [column.codes.copy() for column in table.columns]
    settings = settled(method, table)
    result = done(method, table, settings)
    assert texts(table) == before
    for column, codes in zip(table.columns, arrays, strict=True):
        assert np.array_equal(column.codes, codes)
    for name in set(table.names) & set(result.table.names):
        if name not in settings.columns and result.table.rows == table.rows:
            assert result.table.column(name) is table.column(name)
        elif name not in settings.columns and method.correspondence == "record":
            left = np.searchsorted(table.row_numbers, result.table.row_numbers)
            assert result.table.column(name).values() == table.column(name).take(left).values()


@every_method
def test_same_key_same_result_and_another_key_another(method: Method) -> None:
    table = table_for(method)
    settings = settled(method, table)
    first, again = done(method, table, settings), done(method, table, settings)
    assert texts(first.table) == texts(again.table)
    assert first.detail == again.detail
    others = [texts(done(method, table, settings, seed).table) for seed in range(2, 6)]
    keyed = method.tells_rows_apart or any(
        protection.manner in ("randomised", "noise") for protection in first.protections
    )
    keyless = "reversible" in method.treatment.english or not keyed
    assert keyless or any(other != texts(first.table) for other in others)


@every_method
def test_guarantee_holds_when_recounted_and_fails_when_broken(method: Method) -> None:
    table = table_for(method)
    settings = settled(method, table)
    result = done(method, table, settings)
    recount = method.recount(table, result.table, settings, result.detail)
    assert recount.guarantee.holds
    assert recount.guarantee.checked > 0
    # What protects nobody proves nothing to any level.
    assert bool(recount.levels) == (method.protects != "nothing")
    assert all(proof.met for proof in recount.levels)
    assert all(proof.records == proof.covered + proof.not_covered for proof in recount.levels)
    if recount.guarantee.kind != "run":
        untouched = method.recount(table, table, settings, result.detail)
        assert not untouched.guarantee.holds


@every_method
def test_the_worst_figure_is_what_the_method_says_it_is(method: Method) -> None:
    """The report names it by what the method declares: a group is counted in records, and nothing broken is 0."""
    table = table_for(method)
    settings = settled(method, table)
    found = method.recount(table, done(method, table, settings).table, settings, done(method, table, settings).detail)
    worst, checked = found.guarantee.worst, found.guarantee.checked
    assert worst is not None
    fits = {
        "departures": worst == 0,
        "group": worst >= 1 and worst == int(worst) and worst <= table.rows,
        "privacy": 0 < worst < 1,
        "total": 0 <= worst < 1,
    }
    assert fits[method.worst_is], (method.worst_is, worst)
    assert (checked <= table.rows) if method.counts == "records" else checked > 0


@every_method
def test_protections_speak_of_the_columns_and_records(method: Method) -> None:
    table = table_for(method)
    settings = settled(method, table)
    result = done(method, table, settings)
    protected = set() if method.protects == "nothing" else set(settings.columns)
    assert {protection.column for protection in result.protections} == protected
    for protection in result.protections:
        assert protection.served.dtype == np.bool_
        assert len(protection.served) == len(protection.treatment) == result.table.rows
        assert (protection.treatment[protection.served] >= 0).all()


@every_method
def test_cancelling_stops_and_leaves_the_input(method: Method) -> None:
    table = table_for(method)
    before = texts(table)
    settings = settled(method, table)
    stop = threading.Event()
    stop.set()
    with pytest.raises(Cancelled):
        method.run(table, settings, streams(), Progress(cancel=stop))
    # Stopped at each report in turn, so that every stage is stopped once.
    reports = 0

    def count(_fraction: float, _doing: str) -> None:
        nonlocal reports
        reports += 1

    method.run(table, settings, streams(), Progress(count))
    for turn in range(1, reports + 1, max(1, reports // 8)):
        event, seen = threading.Event(), 0

        def stop_at(_fraction: float, _doing: str, turn: int = turn, event: threading.Event = event) -> None:
            nonlocal seen
            seen += 1
            if seen == turn:
                event.set()

        if turn < reports:
            with pytest.raises(Cancelled):
                method.run(table, settings, streams(), Progress(stop_at, event))
    assert texts(table) == before


@every_method
def test_progress_rises_to_the_end_and_is_named(method: Method) -> None:
    table = table_for(method)
    seen: list[tuple[float, str]] = []
    method.run(table, settled(method, table), streams(), Progress(lambda *at: seen.append(at)))
    assert seen
    assert seen[-1][0] == pytest.approx(1.0)
    assert all(0.0 <= fraction <= 1.0 for fraction, _ in seen)
    assert all(later[0] >= sooner[0] - 1e-9 for sooner, later in itertools.pairwise(seen))
    assert {doing for _, doing in seen if doing} <= set(all_texts())


@every_method
def test_notes_and_effect_are_in_the_texts(method: Method) -> None:
    table = table_for(method)
    settings = settled(method, table)
    notes = [*method.check(table, settings), method.effect(table, settings), *done(method, table, settings).notes]
    for note in notes:
        assert render(note.id, note.arguments).sentence


@every_method
def test_order_of_rows_matters_only_through_the_key(method: Method) -> None:
    """With the rows in another order the same things are promised and kept."""
    table = table_for(method)
    turned = table.take(np.random.default_rng(1).permutation(table.rows))
    settings = settled(method, table)
    result = done(method, turned, settings)
    recount = method.recount(turned, result.table, settings, result.detail)
    first = done(method, table, settings)
    straight = method.recount(table, first.table, settings, first.detail)
    assert recount.guarantee.holds
    assert [(proof.level, proof.records, proof.covered) for proof in recount.levels] == [
        (proof.level, proof.records, proof.covered) for proof in straight.levels
    ]


@every_method
def test_unfit_columns_are_refused(method: Method) -> None:
    table = table_for(method)
    with pytest.raises(RecipeError):
        method.settings(table, ["No such column"], {})
    for column in table.columns:
        if column.kind not in method.kinds:
            with pytest.raises(RecipeError) as refused:
                method.settings(table, [column.name], {})
            assert refused.value.column == column.name


def test_a_new_setting_leaves_the_draws_of_recipes_that_do_not_write_it() -> None:
    """A setting that came later is `silent_unless_written`, or old recipes would be drawn anew under their key."""
    expected = json.loads(SETTINGS_IN_DRAWS.read_text("utf-8"))
    in_draws = {
        method.id: [each.name for each in method.parameters if each.moves_draws and not each.silent_unless_written]
        for method in METHODS
    }
    assert {id: names for id, names in in_draws.items() if id in expected} == expected
