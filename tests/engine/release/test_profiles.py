"""How a step ran is worked out from all its parameters: as in the paper, as recommended, or a person's own settings."""

from __future__ import annotations

from typing import Any

import pytest
from cases import case_rows

from ppdm_desktop.engine.errors import RecipeError
from ppdm_desktop.engine.methods.base.declaration import Method, all_methods, find_method
from ppdm_desktop.engine.methods.base.kept_rules import RULES_PARAMETER
from ppdm_desktop.engine.methods.base.parameters import ColumnsParameter, Parameter
from ppdm_desktop.engine.methods.base.step import OWN, PAPER, SAFE, Settings, effective_values
from ppdm_desktop.engine.recipe.models import ProfileName

NO_PAPER_OF_THEIRS = {
    "generalize",
    "suppress",
    "local-suppression",
    "full-domain",
    "pseudonymise",
    "date-shift",
    "top-bottom-code",
    "round",
    "rank-swap",
    "pram",
    "leave-out",
    "leave-out-rows",
}
"""Their source defines a notion or a standard and prints no settings."""
WITH = [method for method in all_methods().values() if method.profiles]
every_profile = pytest.mark.parametrize("method", WITH, ids=lambda method: method.id)


def other_values(parameter: Parameter, value: object) -> list[object]:
    """Return values that fit and are not the one a profile has."""
    low = getattr(parameter, "low", None)
    more = [low + 1, low + 7] if low is not None and getattr(parameter, "whole", False) else []
    columns = [["Pay", "Illness"]] if isinstance(parameter, ColumnsParameter) else []
    return [
        each
        for each in (*parameter.fit_values(), *columns, *more, 0.25, 0.75)
        if parameter.problem(each) is None and (value is None or each != value) and each != []
    ]


def mode_with(method: Method, written: dict[str, Any]) -> str:
    values = {each.name: written.get(each.name, each.default) for each in method.parameters}
    return method.mode(Settings((), values, frozenset(written)))


def test_every_method_of_a_paper_declares_both() -> None:
    assert {method.id for method in all_methods().values()} - {method.id for method in WITH} == NO_PAPER_OF_THEIRS
    for method in WITH:
        assert set(method.profiles) == {PAPER, SAFE}
        known = {each.name: each for each in method.parameters}
        for values in method.profiles.values():
            for name, value in values.items():
                assert known[name].problem(value) is None
                # That rules of the file are kept is recommended; which rules these are, the file says.
                assert not known[name].of_file or name == RULES_PARAMETER.name, "a profile says nothing of one file"
        if mode_with(method, dict(method.profiles[SAFE])) == SAFE:
            assert method.paper_fault is not None
            assert method.paper_price is not None


@every_profile
def test_any_other_value_makes_it_own_settings(method: Method) -> None:
    as_declared = {name: effective_values(method.parameters, values) for name, values in method.profiles.items()}
    for name, values in method.profiles.items():
        assert as_declared[mode_with(method, dict(values))] == as_declared[name]  # type: ignore[index]
        for parameter in method.parameters:
            if parameter.name not in as_declared[name]:
                continue
            others = other_values(parameter, as_declared[name][parameter.name])
            assert others, f"{method.id}: {parameter.name} cannot be changed"
            for other in others:
                changed = {**values, parameter.name: other}
                equal = [
                    key for key, each in as_declared.items() if each == effective_values(method.parameters, changed)
                ]
                assert name not in equal
                assert mode_with(method, changed) == (equal[0] if equal else OWN), f"{parameter.name} = {other!r}"


@every_profile
def test_what_belongs_to_the_file_is_left_aside(method: Method) -> None:
    paper = dict(method.profiles[PAPER])
    for parameter in method.parameters:
        if parameter.of_file:
            other = {"bounds": {"Number": [0, 90]}}.get(parameter.name, parameter.fit_values()[-1])
            assert mode_with(method, {**paper, parameter.name: other}) == PAPER


@pytest.mark.parametrize(
    ("id", "profile", "written", "mode"), case_rows("profiles-the-mode-of-what-is-written", lists=True)
)
def test_the_mode_of_what_is_written(id: str, profile: ProfileName | None, written: dict[str, Any], mode: str) -> None:
    method = find_method(id)
    assert mode_with(method, {**(method.profiles[profile] if profile else {}), **written}) == mode


@every_profile
def test_a_profile_writes_what_it_says_and_a_person_goes_first(method: Method) -> None:
    for name, values in method.profiles.items():
        assert method.merge_profile(name, {}) == dict(values)
    assert method.merge_profile(None, {}) == {}
    if "search" in {each.name for each in method.parameters}:
        assert method.merge_profile(PAPER, {"search": "exact"})["search"] == "exact"


def test_a_method_without_that_profile_refuses() -> None:
    with pytest.raises(RecipeError) as refused:
        find_method("suppress").merge_profile(PAPER, {})
    assert refused.value.id == "error.recipe.no-profile"
