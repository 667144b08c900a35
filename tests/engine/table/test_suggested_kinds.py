"""Suggested kinds: scales in order, postcodes as categories."""

from __future__ import annotations

import random

import pytest
from cases import case_rows, case_text

from ppdm_desktop.engine.table.inspect import suggest_kinds
from ppdm_desktop.engine.table.roles import suggest_roles
from ppdm_desktop.engine.table.scales import order_of_scale
from tests.engine.table.test_kinds import table

SCALES = case_text("suggested-kinds-scales.txt")
NO_SCALES = case_text("suggested-kinds-no-scales.txt")


@pytest.mark.parametrize("scale", SCALES.strip().splitlines())
def test_the_steps_of_a_scale_are_put_in_order(scale: str) -> None:
    steps = scale.split("|")
    shuffled = random.Random(scale).sample(steps, len(steps))
    assert order_of_scale(shuffled) == tuple(steps)


@pytest.mark.parametrize("words", NO_SCALES.strip().splitlines())
def test_other_words_have_no_order(words: str) -> None:
    assert order_of_scale(words.split("|")) is None


@pytest.mark.parametrize(
    ("columns", "kind"),
    case_rows("suggested-kinds-kinds-go-beyond-what-values-prove", lists=True),
)
def test_kinds_go_beyond_what_values_prove(columns: dict[str, list[str]], kind: str) -> None:
    made = table(**{name: texts * 8 for name, texts in columns.items()})
    suggested = suggest_kinds(made, suggest_roles(made), ".")
    assert next(iter(suggested.values())).kind == kind


def test_the_order_is_suggested_with_the_kind() -> None:
    made = table(v=["often", "never", "rarely"])
    suggested = suggest_kinds(made, suggest_roles(made), ".")["v"]
    assert (suggested.order, suggested.reason) == (("never", "rarely", "often"), "reason.kind.scale")
    assert made.column("v").kind == "nominal", "the table stays as it is"
