"""Privacy loss: golden figures, plain numerical integration, and what must hold for any column."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from ppdm_desktop.engine.arrays import Floats
from ppdm_desktop.engine.noise.integration import (
    channel_loss,
    mixture_loss,
    privacy_loss,
)
from ppdm_desktop.engine.noise.kernels import Channel, NoiseLaw
from tests.benchmarks.papers.moddemeijer import estimated_loss

GOLDEN: dict[str, Any] = json.loads((Path(__file__).parents[2] / "golden" / "liu.json").read_text(encoding="utf-8"))
EXACT = GOLDEN["exact"]
ROOT3 = math.sqrt(3)
LAW = NoiseLaw("gaussian", 1.0)
UNIFORM = np.linspace(-ROOT3, ROOT3, 201)
EVEN = np.full(200, 1 / 200)
LOW, DOMAIN = -ROOT3 - 4.26, 2 * (ROOT3 + 4.26)
# Liu et al., Table 2: shares of the four attitudes.
CASES = {
    "case1": (1, 0, 0, 0),
    "case2": (0.9, 0.1, 0, 0),
    "case3": (0.8, 0.1, 0.05, 0.05),
    "case4": (0.7, 0.2, 0.05, 0.05),
}


def levels(shares: Sequence[float], intervals: Sequence[int], sds: Sequence[float] = (1, 1, 1, 1)) -> list[Channel]:
    return [
        Channel(share, NoiseLaw("gaussian", sd), DOMAIN / cells)
        for share, cells, sd in zip(shares, intervals, sds, strict=True)
    ]


def test_uniform_original_with_normal_noise() -> None:
    for edges, shares in ((np.array([-ROOT3, ROOT3]), np.ones(1)), (UNIFORM, EVEN)):
        found = channel_loss(edges, shares, LAW)
        assert found.information_bits == pytest.approx(EXACT["mi_uniform_plus_gauss_snr1_bits"], abs=1e-9)
        assert found.loss == pytest.approx(EXACT["ploss_uniform_plus_gauss_snr1"], abs=1e-9)
        assert found.pi == pytest.approx(2 * ROOT3)
        assert found.conditional_pi == pytest.approx(2 * ROOT3 * (1 - found.loss))


def test_normal_original_with_normal_noise() -> None:
    edges = np.linspace(-8, 8, 1601)
    found = channel_loss(edges, np.diff(norm.cdf(edges)), LAW)
    assert found.loss == pytest.approx(EXACT["ploss_gaussian_snr1"], abs=1e-5)
    assert found.pi == pytest.approx(math.sqrt(2 * math.pi * math.e), rel=1e-4)


def test_uniform_original_with_equal_uniform_noise() -> None:
    # The sum is triangular: h = log2(2c) + 1/(2 ln 2), so I = 1/(2 ln 2).
    found = channel_loss(np.array([-ROOT3, ROOT3]), np.ones(1), NoiseLaw("uniform", 1.0))
    assert found.information_bits == pytest.approx(0.5 / math.log(2), abs=1e-5)


@pytest.mark.parametrize("case", CASES)
def test_the_cases_of_table_2(case: str) -> None:
    expected = EXACT["ploss_cases_uniform_snr1_domain_pm(sqrt3+4.26)sd_levels_25_50_100_200"][case]
    channels = levels(CASES[case], (200, 100, 50, 25))
    hidden = mixture_loss(UNIFORM, EVEN, channels, origin=LOW)
    assert hidden.loss == pytest.approx(expected["level_hidden"], abs=6e-6)


@pytest.mark.parametrize(
    ("name", "intervals"),
    [
        ("ploss_cases_intervals_5_10_20_200", (200, 20, 10, 5)),
        ("ploss_cases_intervals_2_4_8_200", (200, 8, 4, 2)),
    ],
)
def test_the_cases_with_wide_cells(name: str, intervals: tuple[int, ...]) -> None:
    found = [mixture_loss(UNIFORM, EVEN, levels(CASES[case], intervals), origin=LOW).loss for case in CASES]
    assert found == pytest.approx([EXACT[name][case] for case in CASES], abs=6e-6)
    assert found == sorted(found, reverse=True)


@pytest.mark.parametrize("kind", ["gaussian", "uniform"])
@pytest.mark.parametrize("width", [0.05, 0.4, 1.5, 6.0])
def test_cells_against_a_plain_sum(kind: str, width: float) -> None:
    law = NoiseLaw(kind, 0.7)  # type: ignore[arg-type]
    edges, shares, origin = np.array([0.0, 0.5, 1.0, 3.0]), np.array([0.2, 0.0, 0.8]), 0.3
    places, weights = [], []
    for low, high, share in zip(edges[:-1], edges[1:], shares, strict=True):
        places.append(low + (np.arange(4000) + 0.5) / 4000 * (high - low))
        weights.append(np.full(4000, share / 4000))
    x, weight = np.concatenate(places), np.concatenate(weights)
    cells = origin + width * np.arange(math.floor(-7 / width), math.ceil(10 / width) + 1)
    joint = weight[:, None] * np.diff(law.cumulative(cells - x[:, None]), axis=1)
    apart = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0)
    used = joint > 0
    plain = float(np.sum(joint[used] * np.log2(joint[used] / apart[used])))
    found = channel_loss(edges, shares, law, cell_width=width, origin=origin)
    assert found.information_bits == pytest.approx(plain, abs=2e-5)


@pytest.mark.parametrize("kind", ["gaussian", "uniform"])
@pytest.mark.parametrize("width", [0.03, 0.3, 0.55, 0.57, 2.0])
def test_a_level_split_in_two_equal_ones_is_the_same(kind: Any, width: float) -> None:
    """One level and hidden levels are worked out in different ways."""
    edges, shares, law = np.array([0.0, 0.5, 1.0, 3.0]), np.array([0.2, 0.0, 0.8]), NoiseLaw(kind, 0.7)
    one = channel_loss(edges, shares, law, cell_width=width, origin=0.1)
    halves = [Channel(0.5, law, width), Channel(0.5, law, width)]
    both = mixture_loss(edges, shares, halves, origin=0.1)
    assert one.information_bits == pytest.approx(both.information_bits, abs=1e-5 if kind == "uniform" else 1e-8)


def test_hidden_levels_against_a_plain_sum() -> None:
    channels = [Channel(0.5, NoiseLaw("gaussian", 0.3), 0.25), Channel(0.5, NoiseLaw("gaussian", 0.9), 1.0)]
    x = (np.arange(4000) + 0.5) / 4000 * 2
    fine = np.arange(-8.0, 10.0001, 0.25)
    wide = np.arange(-8.0, 10.0001, 1.0)
    density = 0.5 * np.diff(channels[0].law.cumulative(fine - x[:, None]), axis=1)
    density += 0.5 * np.repeat(np.diff(channels[1].law.cumulative(wide - x[:, None]), axis=1), 4, axis=1) / 4
    joint = density / len(x)
    used = joint > 0
    plain = float(np.sum(joint[used] * np.log2((joint / (joint.sum(axis=0) / len(x)))[used])))
    found = mixture_loss(np.array([0.0, 2.0]), np.ones(1), channels, origin=0.0)
    assert found.information_bits == pytest.approx(plain, abs=1e-6)


def test_levels_without_cells_against_a_plain_sum() -> None:
    laws = (NoiseLaw("gaussian", 0.3), NoiseLaw("gaussian", 0.9))
    x, w = (np.arange(600) + 0.5) / 600 * 2, np.linspace(-8, 10, 2001)
    density = np.sum([0.5 * law.density(w - x[:, None]) for law in laws], axis=0)
    marginal = density.mean(axis=0)
    logs = np.log2(density / marginal, out=np.zeros_like(density), where=density > 0)
    plain = float(np.sum((density * logs).mean(axis=0)) * (w[1] - w[0]))
    channels = [Channel(0.5, law) for law in laws]
    found = mixture_loss(np.array([0.0, 2.0]), np.ones(1), channels)
    assert found.information_bits == pytest.approx(plain, abs=1e-6)
    # One of the two released through very narrow cells is nearly the same, never more.
    partly = [channels[0], Channel(0.5, laws[1], 0.02)]
    cut = mixture_loss(np.array([0.0, 2.0]), np.ones(1), partly).information_bits
    assert plain - 1e-4 < cut <= plain + 1e-6


columns = st.lists(st.integers(0, 20), min_size=1, max_size=12).filter(any)
kinds = st.sampled_from(["gaussian", "uniform"])


@given(columns, kinds, st.floats(0.05, 5.0), st.none() | st.floats(0.01, 8.0), st.integers(2, 4))
def test_a_coarser_lattice_never_shows_more(
    counts: list[int], kind: Any, sd: float, width: float | None, times: int
) -> None:
    edges, law = np.linspace(0.0, 2.0, len(counts) + 1), NoiseLaw(kind, sd)
    shares = np.array(counts, dtype=float)
    bare = channel_loss(edges, shares, law)
    fine = channel_loss(edges, shares, law, cell_width=width)
    coarse = channel_loss(edges, shares, law, cell_width=(width or 0.3) * times)
    for each in (bare, fine, coarse):
        assert 0 <= each.loss < 1
        assert each.information_bits >= 0
        assert each.conditional_pi <= each.pi * (1 + 1e-12)
    assert fine.information_bits <= bare.information_bits + 2e-5
    assert coarse.information_bits <= fine.information_bits + 2e-5


def test_negative_information_loses_nothing() -> None:
    assert privacy_loss(-0.1, 1.0).loss == 0


@pytest.mark.parametrize("shares", [[-1.0, 2.0], [0.0, 0.0], [1.0], [math.nan, 1.0]])
def test_a_column_without_shares_is_refused(shares: list[float]) -> None:
    with pytest.raises(ValueError, match="share"):
        channel_loss(np.array([0.0, 1.0, 2.0]), np.array(shares), LAW)


# --- the estimate -----------------------------------------------------------------------


def by_loops(x: Floats, w: Floats, m: int) -> float:
    """Moddemeijer's information in nats, one record at a time."""
    n = len(x)
    gap_x, gap_w = (x.max() - x.min()) / (n - 1), (w.max() - w.min()) / (n - 1)
    joint = [[0] * m for _ in range(m)]
    for a, b in zip(x, w, strict=True):
        i = min(int((a - x.min() + gap_x / 2) / (x.max() - x.min() + gap_x) * m), m - 1)
        j = min(int((b - w.min() + gap_w / 2) / (w.max() - w.min() + gap_w) * m), m - 1)
        joint[i][j] += 1
    total = 0.0
    for i in range(m):
        for j in range(m):
            if joint[i][j]:
                down = sum(row[j] for row in joint)
                total += joint[i][j] / n * math.log(joint[i][j] * n / (sum(joint[i]) * down))
    return total - (m - 1) ** 2 / (2 * n)


@pytest.mark.parametrize("m", [1, 3, 7])
def test_the_estimate_against_loops(m: int) -> None:
    rng = np.random.default_rng(m)
    x = rng.normal(size=400)
    w = x + rng.normal(size=400) * 0.4
    expected = max(by_loops(x, w, m), 0) / math.log(2)
    assert estimated_loss(x, w, cells=m).information_bits == pytest.approx(expected, abs=1e-12)


def mean_loss(path: Path, names: Sequence[str], records: int, seeds: int) -> tuple[float, float]:
    """Mean loss over columns and draws at SNR 1, the paper's nats and bits."""
    with path.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    columns = [np.array([float(row[name]) for row in rows]) for name in names]
    nats, bits = [], []
    for seed in range(seeds):
        rng = np.random.default_rng(seed)
        chosen = rng.permutation(len(rows))[:records]
        for column in columns:
            x = column[chosen]
            w = x + rng.normal(0, x.std(), records)
            nats.append(estimated_loss(x, w, unit="nats").loss)
            bits.append(estimated_loss(x, w).loss)
    return float(np.mean(nats)), float(np.mean(bits))


def test_income_as_in_table_7(data_folder: Path) -> None:
    names = ["age", "fnlwgt", "education-num", "capital-gain", "capital-loss", "hours-per-week"]
    nats, bits = mean_loss(data_folder / "adult_train.csv", names, 32_561, 2)
    mean, sd = GOLDEN["mc"]["A2_income_nats_in_2pow"]["one"]
    assert nats == pytest.approx(mean, abs=3 * sd)
    assert bits == pytest.approx(GOLDEN["mc"]["A2_income_bits"]["one"]["mean"], abs=0.002)


def test_haberman_as_in_table_9(data_folder: Path) -> None:
    names = ["age", "operation_year", "positive_axillary_nodes"]
    nats, bits = mean_loss(data_folder / "haberman.csv", names, 204, 60)
    mean_nats, mean_bits, sd = GOLDEN["mc"]["A2_haberman_[nats,bits,sd]"]["haberman_n204"]["one"]
    assert nats == pytest.approx(mean_nats, abs=3 * sd / math.sqrt(60))
    assert bits == pytest.approx(mean_bits, abs=4.5 * sd / math.sqrt(60))
