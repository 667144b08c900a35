"""Chains of steps that others of the field build, too: levels counted again, laws of the verdict, what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gate_cases import evidence_of
from law_support import changed_columns, put_back, release_people, row_text, with_idle_step

from ppdm_desktop.engine.errors import RecipeError
from ppdm_desktop.engine.release.candidate.step_order import AFTER_NO_ROWS, UNDOES_GROUPS
from ppdm_desktop.engine.release.measures.level_recount import recount_levels

BROADER = {"method": "generalize", "columns": ["age"], "parameters": {"width": 10}}
EMPTIED = {"method": "local-suppression", "parameters": {"most": 1, "k": 3}}
BEST = {"method": "full-domain", "parameters": {"most": 0.2, "rest": "cells", "k": 3}}
CODED = {"method": "top-bottom-code", "columns": ["pay"]}
ROUNDED = {"method": "round", "columns": ["pay"]}
NOISE = {"method": "two-phase-noise", "columns": ["pay"]}
EXCHANGED = {"method": "rank-swap", "columns": ["pay"]}
CHANGED = {"method": "pram", "columns": ["ill"]}
CODES = {"method": "pseudonymise"}
MOVED = {"method": "date-shift", "columns": ["day"]}
MADE = {"method": "condensation"}


CHAINS = [
    (BROADER, EMPTIED),
    (BEST,),
    (CODED, NOISE),
    (CODED, ROUNDED),
    (EMPTIED, EXCHANGED),
    (EMPTIED, CHANGED),
    (CODES, MOVED),
]


@pytest.mark.parametrize("steps", CHAINS, ids=lambda steps: " ".join(step["method"] for step in steps))
def test_each_level_is_met_and_neither_idle_steps_nor_the_truth_improve_a_status(
    tmp_path: Path, steps: tuple[dict[str, Any], ...]
) -> None:
    """Laws L1 and L2 of the verdict; of the cells of each changed column a tenth is put back."""
    candidate = release_people(tmp_path, *steps, are_pairs=CODES in steps)
    counts = recount_levels(candidate, evidence_of(candidate).judged)
    assert counts
    assert all(count.met for count in counts)
    assert all(step.recount.guarantee.holds for step in candidate.steps)
    said, rng = row_text(candidate), np.random.default_rng(1)
    assert said.status["levels-met"] != "red"
    for in_front in (True, False):
        idle = row_text(with_idle_step(candidate, "pay", in_front=in_front))
        assert idle.status == said.status
    changed = changed_columns(candidate)
    assert changed
    for name in changed:
        assert row_text(put_back(candidate, name, 0.1, rng)).better_than(said) == {}, name


@pytest.mark.parametrize(
    ("steps", "refused"),
    [
        ((EMPTIED, BROADER), UNDOES_GROUPS),
        ((BEST, {**CODED, "columns": ["age"]}), UNDOES_GROUPS),
        ((BEST, EMPTIED), UNDOES_GROUPS),
        *(((MADE, step), AFTER_NO_ROWS) for step in (BEST, EMPTIED, MOVED, CODED, ROUNDED, EXCHANGED, CHANGED)),
    ],
)
def test_refused_when_the_recipe_is_read(tmp_path: Path, steps: tuple[dict[str, Any], ...], refused: str) -> None:
    with pytest.raises(RecipeError) as raised:
        release_people(tmp_path, *steps, are_pairs=CODES in steps)
    assert raised.value.id == refused
