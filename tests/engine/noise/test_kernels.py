"""Kernels against plain numerical integration and against the draws themselves."""

from __future__ import annotations

import itertools
import math
from typing import Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import norm, uniform
from thoroughness import examples

from ppdm_desktop.engine.arrays import Floats
from ppdm_desktop.engine.noise.kernels import (
    Channel,
    NoiseLaw,
    cell_counts,
    cells_of,
    lattice_edges,
    level_kernel,
    mixed_kernel,
)
from ppdm_desktop.engine.noise.lattice import Lattice, nearest_on_grid
from ppdm_desktop.engine.randomness import Key, StepStream

KINDS: tuple[Literal["gaussian", "uniform"], ...] = ("gaussian", "uniform")


def below(law: NoiseLaw, at: float) -> float:
    """P(noise ≤ at), from another library."""
    if law.kind == "gaussian":
        return float(norm.cdf(at, scale=law.sd))
    half = math.sqrt(3) * law.sd
    return float(uniform.cdf(at, loc=-half, scale=2 * half))


def by_integration(law: NoiseLaw, x_edges: Floats, low: float, high: float) -> list[float]:
    """P(low ≤ W < high | X uniform in each cell)."""
    found = []
    for a, b in itertools.pairwise(x_edges):
        bends = [q - s for q in (low, high) for s in (-law.half_width, law.half_width) if a < q - s < b]
        value, _ = quad(lambda x: below(law, high - x) - below(law, low - x), a, b, points=bends or None)
        found.append(value / (b - a))
    return found


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("sd", [0.05, 0.25, 2.0])
def test_the_kernel_is_the_integral(kind: Literal["gaussian", "uniform"], sd: float) -> None:
    law = NoiseLaw(kind, sd)
    x_edges, w_edges = np.array([0.0, 0.2, 0.5, 1.0]), np.array([-0.4, -0.1, 0.3, 0.35, 1.2])
    kernel = level_kernel(law, x_edges, w_edges, cell_width=None)
    ends = np.concatenate(([-60.0], w_edges[1:-1], [60.0]))
    for row, (low, high) in enumerate(itertools.pairwise(ends)):
        assert kernel[row] == pytest.approx(by_integration(law, x_edges, low, high), abs=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_a_level_spreads_each_lattice_cell_evenly(kind: Literal["gaussian", "uniform"]) -> None:
    law, x_edges = NoiseLaw(kind, 0.3), np.array([0.0, 0.4, 1.0])
    w_edges = np.array([-0.9, -0.35, 0.15, 0.2, 0.9, 1.7])  # none on the lattice -0.5, 0, 0.5, ...
    kernel = level_kernel(law, x_edges, w_edges, cell_width=0.5, origin=-0.5)
    ends = np.concatenate(([-20.0], w_edges[1:-1], [20.0]))
    lattice = np.arange(-20.0, 20.0, 0.5)
    for row, (low, high) in enumerate(itertools.pairwise(ends)):
        expected = np.zeros(2)
        for cell in lattice:
            part = max(min(high, cell + 0.5) - max(low, cell), 0.0) / 0.5
            if part:
                expected += part * np.array(by_integration(law, x_edges, cell, cell + 0.5))
        assert kernel[row] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_the_kernel_of_hidden_levels_is_what_draws_give(kind: Literal["gaussian", "uniform"]) -> None:
    channels = [Channel(0.6, NoiseLaw(kind, 0.2), None), Channel(0.4, NoiseLaw(kind, 0.5), 0.8)]
    x_edges, w_edges = np.array([0.0, 0.3, 1.0]), np.linspace(-1, 2, 13)
    kernel = mixed_kernel(channels, x_edges, w_edges, origin=0.1)
    rng, n = np.random.default_rng(5), 200_000
    for cell in range(2):
        x = rng.uniform(x_edges[cell], x_edges[cell + 1], n)
        second = rng.random(n) < 0.4
        sd = np.where(second, 0.5, 0.2)
        half = math.sqrt(3) * sd
        w = x + (rng.normal(0, sd) if kind == "gaussian" else rng.uniform(-half, half))
        drawn = 0.1 + 0.8 * (np.floor((w - 0.1) / 0.8) + rng.random(n))
        seen = cell_counts(np.where(second, drawn, w), w_edges) / n
        assert seen == pytest.approx(kernel[:, cell], abs=5 * 0.5 / math.sqrt(n))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("at", [-3.0, -0.4, 0.0, 0.1, 2.5])
def test_density_cumulative_and_integral_belong_together(kind: Literal["gaussian", "uniform"], at: float) -> None:
    law, h = NoiseLaw(kind, 0.7), 1e-5
    ends = np.array([at - h, at + h])
    assert float(law.cumulative(np.array([at]))[0]) == pytest.approx(below(law, at), abs=1e-12)
    assert float(np.diff(law.integral(ends))[0]) / (2 * h) == pytest.approx(below(law, at), abs=1e-8)
    assert float(np.diff(law.cumulative(ends))[0]) / (2 * h) == pytest.approx(float(law.density(np.array([at]))[0]))


edges = st.lists(st.integers(-2000, 2000), min_size=2, max_size=12, unique=True).map(
    lambda whole: np.array(sorted(whole)) / 100.0
)
laws = st.builds(NoiseLaw, st.sampled_from(KINDS), st.floats(0.01, 50.0))


@given(laws, edges, edges, st.none() | st.floats(0.01, 30.0), st.floats(-5, 5))
def test_columns_are_distributions(
    law: NoiseLaw, x_edges: Floats, w_edges: Floats, width: float | None, origin: float
) -> None:
    kernel = level_kernel(law, x_edges, w_edges, cell_width=width, origin=origin)
    assert kernel.shape == (len(w_edges) - 1, len(x_edges) - 1)
    assert kernel.min() >= 0
    assert kernel.sum(axis=0) == pytest.approx(np.ones(len(x_edges) - 1), abs=1e-12)


@given(st.floats(0.01, 10.0), st.floats(-50, 50), st.floats(0.0, 80.0), st.floats(-3, 3))
def test_lattice_edges_cover_what_is_asked(width: float, low: float, length: float, origin: float) -> None:
    found = lattice_edges(width, low, low + length, origin=origin)
    assert found[0] <= low + 1e-9
    assert found[-1] >= low + length - 1e-9
    assert (found - origin) / width == pytest.approx(np.round((found - origin) / width), abs=1e-6)
    assert len(found) - 1 <= length / width + 2


def test_a_value_on_an_edge_belongs_above_and_the_ends_take_the_rest() -> None:
    edges = np.array([0.0, 1.0, 2.0, 3.0])
    assert cells_of(np.array([-7.0, 0.0, 1.0, 1.99, 2.0, 99.0]), edges).tolist() == [0, 0, 1, 1, 2, 2]
    assert cell_counts(np.array([-7.0, 99.0, 2.5]), edges).tolist() == [1, 0, 2]


def test_what_makes_no_sense_is_refused() -> None:
    law = NoiseLaw("gaussian", 1.0)
    for sd in (0.0, -1.0, math.nan, math.inf):
        with pytest.raises(ValueError, match="positive"):
            NoiseLaw("gaussian", sd)
    with pytest.raises(ValueError, match="rise"):
        level_kernel(law, np.array([0.0, 1.0, 1.0]), np.array([0.0, 1.0]), cell_width=None)
    with pytest.raises(ValueError, match="sum to 1"):
        mixed_kernel([Channel(0.5, law)], np.array([0.0, 1.0]), np.array([0.0, 1.0]))
    with pytest.raises(ValueError, match="positive width"):
        mixed_kernel([Channel(1.0, law, 0.0)], np.array([0.0, 1.0]), np.array([0.0, 1.0]))


# --- the cells of phase 2: widths in whole steps, nested, edges off the grid ----------------------


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
