"""A parameter that does not fit: whole sentences, what is needed and what was found under labels of their own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from ppdm_desktop.engine.errors import RecipeError
from ppdm_desktop.engine.methods.base.registry import all_methods, find_method
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.wording.catalogue import speaking
from ppdm_desktop.engine.wording.texts import render

TABLE = Table(
    (
        Column.from_texts("a", ["x", "y"] * 6, role="confidential", kind="nominal"),
        Column.from_texts("b", [str(n) for n in range(12)], role="confidential", kind="numeric"),
    ),
    np.arange(2, 14),
)


def refusal(method: str, parameters: Mapping[str, Any]) -> str:
    with pytest.raises(RecipeError) as refused:
        find_method(method).settings(TABLE, None, parameters)
    return render(refused.value.id, refused.value.arguments).sentence


@pytest.mark.parametrize(
    ("method", "parameters", "words"),
    [
        ("random-swap", {"proportion": 1.5}, "Needed: a number above 0, at most 1. In the recipe: 1.5."),
        ("random-swap", {"proportion": "much"}, "Needed: a number above 0, at most 1. In the recipe: “much”."),
        ("random-swap", {"proportion": True}, "Needed: a number above 0, at most 1. In the recipe: true."),
        ("microaggregation", {"group": 2.5}, "In the recipe: 2.5."),
    ],
)
def test_what_is_needed_and_what_was_found_have_labels_of_their_own(
    method: str, parameters: Mapping[str, Any], words: str
) -> None:
    said = refusal(method, parameters)
    assert said.endswith(words), said
    (key,) = parameters
    assert said.startswith(f"In the method {method}, the value of the parameter {key} does not fit. Needed: ")


def test_every_method_says_in_both_languages_what_it_needs() -> None:
    tried = 0
    for method in all_methods().values():
        for parameter in method.parameters:
            problem = parameter.problem(object())
            if problem is None:
                continue
            tried += 1
            for code, verb in (("en", "must"), ("de", "muss")):
                with speaking(code):
                    said = str(problem)
                assert said
                assert verb not in said.split(), (method.id, parameter.name, said)
    assert tried > 20
