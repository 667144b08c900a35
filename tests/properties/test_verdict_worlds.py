"""Worlds whose truth is known: what the verdict says of people is held against whoever knows everything.

Noise: "at most x of y people are guessed right" is held against an intruder who knows the law that the whole
population follows. Swaps, classes and people picked out are counted one by one, and have to be equal.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from worlds import CLASS_WORLDS, PICKED_WORLDS, SWAP_WORLDS, class_world, noise_worlds, picked_world, swap_world


@pytest.mark.thorough
@pytest.mark.slow
def test_at_most_so_many_are_guessed_right_behind_noise() -> None:
    """Verdict page, section 10: the bound of the worse prior holds in 95 % of the worlds and is never twice as high."""
    found = np.array([world.bound() for world in noise_worlds()])
    assert np.mean(found >= 1) >= 0.95
    assert np.median(found) <= 1.25
    assert found.max() <= 2


@pytest.mark.parametrize("world", range(CLASS_WORLDS))
def test_classes_are_counted_exactly(world: int) -> None:
    """Who is certain in a class of equal details is so for whoever counts by hand."""
    counted = class_world(world)
    assert counted.ours == counted.by_hand


@pytest.mark.parametrize("world", range(SWAP_WORLDS))
def test_the_drawn_pools_of_a_swap_are_counted_exactly(world: int) -> None:
    """Whoever knows who was drawn of each pool is right about as many people as the belief is, and as certain."""
    counted = swap_world(world)
    assert counted.right == counted.able
    assert counted.ours == counted.by_hand


@pytest.mark.parametrize("world", range(PICKED_WORLDS))
def test_people_picked_out_are_counted_exactly(world: int, tmp_path: Path) -> None:
    """Nobody else shows the same values: counted from the lines of the file, column by column as they were released."""
    found, counted = picked_world(world, tmp_path)
    assert {name: getattr(found, name) for name in counted} == counted
