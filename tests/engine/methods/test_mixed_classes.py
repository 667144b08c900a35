"""Cells that are emptied where a class of equal rows shows one confidential value."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from gate_cases import make_candidate

from ppdm_desktop.engine.errors import RecipeError
from ppdm_desktop.engine.identifiability.classes import classes_of_codes
from ppdm_desktop.engine.methods.algorithms.generalisation.mixed_classes import classes_of_one_value, mix_classes
from ppdm_desktop.engine.progress import silent

ALIKE, MIXED = [0] * 5, [0, 0, 1, 1, 1, 0, 1, 1]


@pytest.mark.parametrize(
    ("codes", "secret", "demand", "cells"),
    [
        ([[0, 0]] * 8, MIXED, 5, 0),  # nothing to do
        ([[0, 0]] * 5 + [[0, 1]] * 8, ALIKE + MIXED, 5, 6),  # one row of the other value joins them
        ([[0, 0]] * 5 + [[0, 1]] * 5, [0] * 5 + [1] * 5, 5, 10),  # both show one value
        ([[-1, -1]] * 5 + [[0, 1]] * 8, ALIKE + MIXED, 5, 2),  # they are empty already
    ],
)
def test_as_few_cells_as_a_mixed_class_takes_are_emptied(
    codes: list[list[int]], secret: list[int], demand: int, cells: int
) -> None:
    table, values = np.array(codes), np.array(secret)
    rows = np.random.default_rng(3).permutation(len(table))
    table, values = table[rows], values[rows]
    demands, mask = np.full(len(table), demand), np.zeros(table.shape, dtype=np.bool_)
    mask = mix_classes(table, mask, demands, np.ones(2), [values], 0.9, silent())
    classes = classes_of_codes(np.where(mask, -1, table).T, len(table))
    assert mask.sum() == cells
    assert not classes_of_one_value([values], classes, 0.9).any()
    assert classes.sizes.min() >= demand


def test_an_intruder_who_knows_the_method_learns_more_than_a_class_shows() -> None:
    """Four groups of six with one value are emptied; whoever knows that they had six people knows why."""
    people = [[ward, band] for ward in range(12) for band in range(3)]
    sizes = [6 if ward % 3 == 0 and band == 2 else 16 for ward, band in people]
    codes = np.repeat(np.array(people), sizes, axis=0)
    is_alike = (codes[:, 0] % 3 == 0) & (codes[:, 1] == 2)
    secret = np.where(is_alike, 3, np.random.default_rng(4).integers(4, size=len(codes)))
    mask = mix_classes(codes, np.zeros(codes.shape, bool), np.full(len(codes), 5), np.ones(2), [secret], 0.9, silent())
    shown = np.where(mask, -1, codes)
    classes = classes_of_codes(shown.T, len(codes))
    told, share_shown = [], []
    for ward, band in np.unique(codes[mask.any(axis=1)], axis=0).tolist():
        if not ((shown[:, 0] == ward) & (shown[:, 1] == band)).any():
            fits = ((shown == [ward, band]) | (shown < 0)).all(axis=1)
            counts = np.bincount(secret[fits])
            truth = secret[(codes == [ward, band]).all(axis=1)]
            told += (truth == counts.argmax()).tolist()
            share_shown.append(counts.max() / counts.sum())
    assert len(told) == 24
    assert all(told), "certain for who knows the method"
    assert max(share_shown) < 0.9, "and not by what the class shows, by which the gate judges"
    assert not classes_of_one_value([secret], classes, 0.9).any()


def test_so_only_an_internal_release_may_ask_for_it(tmp_path: Path) -> None:
    columns = {"Ward": ["a", "b"] * 60, "Ill": ["x", "y", "z"] * 40}
    roles = {"Ward": "q", "Ill": "c"}
    step = {"method": "local-suppression", "parameters": {"one_value": 0.9}}
    for kind in ("research", "public"):
        with pytest.raises(RecipeError) as refused:
            make_candidate(tmp_path / kind, columns, roles, kind, steps=[step])
        assert refused.value.id == "error.step.only-internal"
    make_candidate(tmp_path / "internal", columns, roles, "internal", steps=[step])
