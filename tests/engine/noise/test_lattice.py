"""The cells of phase 2: widths in whole steps, nested, edges off the grid."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from thoroughness import examples

from ppdm_desktop.engine.noise.lattice import Lattice, nearest_on_grid
from ppdm_desktop.engine.randomness import Key, StepStream

SPANS = st.tuples(st.integers(-(10**6), 10**6), st.integers(1, 10**6))
INTERVALS = st.lists(st.integers(1, 5000), min_size=1, max_size=5)


def lattice_of(bounds: tuple[int, int], most: int) -> Lattice:
    return Lattice.over(bounds[0], bounds[0] + bounds[1], most)


@examples(300)
@given(SPANS, INTERVALS)
def test_widths_follow_the_contract_and_nest(bounds: tuple[int, int], intervals: list[int]) -> None:
    lattice = lattice_of(bounds, max(intervals))
    assert lattice.finest == math.ceil(bounds[1] / max(intervals))
    widths = [lattice.width(each) for each in sorted(intervals, reverse=True)]
    for each, width in zip(sorted(intervals, reverse=True), widths):
        wanted = lattice.finest * 2 ** max(0, round(math.log2(bounds[1] / (each * lattice.finest))))
        assert width == wanted
    for finer, generalised in itertools.pairwise(widths):
        assert generalised % finer == 0
        grid = np.arange(lattice.first - 3 * generalised, lattice.first + 3 * generalised)
        fine, coarse = lattice.cell_of(grid, finer), lattice.cell_of(grid, generalised)
        # Two values of one fine cell are never in two coarse ones.
        assert np.array_equal(coarse, fine // (generalised // finer))


@examples(200)
@given(SPANS, INTERVALS, st.integers(0, 2**40))
def test_every_draw_is_in_its_own_cell_beyond_the_bounds_as_well(
    bounds: tuple[int, int], intervals: list[int], seed: int
) -> None:
    lattice = lattice_of(bounds, max(intervals))
    rng = np.random.default_rng(seed)
    perturbed = rng.normal(bounds[0], 2 * bounds[1], size=60)
    width = rng.choice([lattice.width(each) for each in intervals], size=60)
    draws = rng.integers(0, 2**40, size=60)
    grid = nearest_on_grid(perturbed)
    released = lattice.resample(lattice.start_of(grid, width), width, draws)
    assert lattice.holds(released, perturbed, width).all()
    # The same counted in plain numbers: no edge is on the grid.
    for w, r, own in zip(perturbed.tolist(), released.tolist(), width.tolist()):
        low = lattice.first - 0.5 + own * math.floor((w - (lattice.first - 0.5)) / own)
        assert low < r < low + own
    moved = released + width
    assert not lattice.holds(moved, perturbed, width).any()


@pytest.mark.parametrize(
    ("value", "expected"),
    [(0.5, 1), (-0.5, 0), (0.49999999999999994, 0), (-0.50000000000000011, -1), (2.5, 3), (1e15 + 0.5, 10**15 + 1)],
)
def test_halves_go_up_and_nothing_below_a_half_does(value: float, expected: int) -> None:
    assert nearest_on_grid(np.array([value]))[0] == expected
    if abs(value) < 1e15:
        lattice = Lattice(0, 10, 1)
        assert lattice.holds(np.array([expected]), np.array([value]), np.array([1])).all()


def test_the_draw_is_uniform_among_the_grid_values_of_each_width() -> None:
    lattice = Lattice.over(17, 90, 200)
    assert [lattice.width(each) for each in (200, 100, 50, 25, 10, 4)] == [1, 1, 2, 4, 8, 16]
    draws = StepStream(Key.from_seed(1), "00" * 32, "11" * 32, 1).stream("cells").integers(8, 80_000)
    for width in (1, 2, 8):
        released = lattice.resample(lattice.start_of(np.full(80_000, 40), width), np.full(80_000, width), draws)
        values, counts = np.unique(released, return_counts=True)
        assert len(values) == width
        assert abs(counts - 80_000 / width).max() < 4 * (80_000 / width) ** 0.5


@pytest.mark.parametrize(("first", "last", "most"), [(3, 3, 10), (4, 3, 10), (0, 9, 0)])
def test_no_lattice_without_width(first: int, last: int, most: int) -> None:
    with pytest.raises(ValueError, match="lattice"):
        Lattice.over(first, last, most)
