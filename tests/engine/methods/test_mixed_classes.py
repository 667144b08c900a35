"""Cells that are emptied where a class of equal rows shows one confidential value."""

from __future__ import annotations

import numpy as np
import pytest

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
