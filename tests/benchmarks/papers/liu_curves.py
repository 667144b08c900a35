"""Liu et al. (2008), Fig. 1, 2 and 4 (one column) and Table 2 (privacy loss)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from ppdm_desktop.engine.arrays import Floats
from ppdm_desktop.engine.noise.integration import channel_loss, mixture_loss
from ppdm_desktop.engine.noise.kernels import Channel, NoiseLaw, cell_counts, level_kernel
from ppdm_desktop.engine.noise.reconstruction import reconstruct
from ppdm_desktop.engine.randomness import RandomStream
from tests.benchmarks.papers.cells import Asked, Cell
from tests.benchmarks.papers.liu_data import BEYOND, CASES, perturb, synthetic
from tests.benchmarks.papers.moddemeijer import estimated_loss

SD = 0.25
_FINE = 200
_FEW, _RAW = "two phases, 6 intervals", "not reconstructed"
LOW, HIGH = -0.5, 1.5
COARSE = {25: 2, 50: 4, 100: 8, 200: 200}
"""Wider cells in place of the paper's, with which the order of the cases can be seen."""


def triangle(stream: RandomStream, records: int) -> Floats:
    """Return records of the triangle on [0, 1]."""
    return np.asarray((stream.uniform(records) + stream.uniform(records)) / 2)


def resampled(w: Floats, intervals: int, stream: RandomStream) -> Floats:
    """Return a uniform draw from each value's cell, the domain cut in so many."""
    width = (HIGH - LOW) / intervals
    return LOW + width * (np.floor((w - LOW) / width) + stream.uniform(len(w)))


def figures_1_and_2(asked: Asked) -> Iterator[Cell]:
    """Yield both distribution functions, and how far each number of intervals is from one phase."""
    stream = RandomStream(b"ppdm-1 liu figure 1 %d" % asked.seed)
    x = triangle(stream, 10_000)
    w = x + SD * stream.normal(len(x))
    sorted_w = np.sort(w)
    at = np.linspace(LOW, HIGH, 81)
    for value, share in zip(at.tolist(), (np.searchsorted(sorted_w, at) / len(w)).tolist(), strict=True):
        yield Cell("Fig. 1", f"one phase, share at or below {value:g}", share, "W", value)
    for intervals in (3, 6, 10, 20, 40, 200):
        other = np.sort(resampled(w, intervals, stream))
        both = np.concatenate((sorted_w, other))
        first, second = (np.searchsorted(each, both, side="right") / len(w) for each in (sorted_w, other))
        distance = float(np.abs(first - second).max())
        yield Cell("Fig. 1", f"largest distance, {intervals} intervals", distance)
        if intervals not in (3, 6, 20):
            continue
        for value, share in zip(at.tolist(), (np.searchsorted(other, at) / len(w)).tolist(), strict=True):
            yield Cell("Fig. 1", f"{intervals} intervals, share at or below {value:g}", share, f"{intervals}", value)
        inner = (both >= 0.2) & (both <= 0.8)
        yield Cell("Fig. 2", f"largest distance, {intervals} intervals", float(np.abs(first - second)[inner].max()))


def figure_4(asked: Asked) -> Iterator[Cell]:
    """Yield the sum of the absolute differences to the true shares of 20 cells, and the curves of the first run.

    The reader counts perturbed values in cells much finer than the intervals of phase 2, and takes the noise for that
    of one phase, as the paper does. In the intervals themselves both phases would count the same by construction.
    Six intervals stand beside the paper's forty: there the measure has to see a difference.
    """
    cells, runs = 20, 5 if asked.quick else 30
    x_edges, w_edges = np.linspace(0, 1, cells + 1), np.linspace(LOW, HIGH, _FINE + 1)
    true = _triangle_cumulative(x_edges)
    kernel = level_kernel(NoiseLaw("gaussian", SD), x_edges, w_edges, cell_width=None)
    inside = slice(cells // 2, cells // 2 + cells)
    distances: dict[str, list[float]] = {}
    middles = ((x_edges[:-1] + x_edges[1:]) / 2).tolist()
    for place in range(runs):
        stream = RandomStream(b"ppdm-1 liu figure 4 %d" % (asked.seed + place))
        x = triangle(stream, 10_000)
        w = x + SD * stream.normal(len(x))
        raw = (cell_counts(w, np.linspace(LOW, HIGH, 2 * cells + 1)) / len(w))[inside]
        shown = {
            "one phase": reconstruct(cell_counts(w, w_edges), kernel).shares,
            "two phases": reconstruct(cell_counts(resampled(w, 40, stream), w_edges), kernel).shares,
            _FEW: reconstruct(cell_counts(resampled(w, 6, stream), w_edges), kernel).shares,
            _RAW: raw,
        }
        for name, shares in shown.items():
            outside = 1 - float(raw.sum()) if name == _RAW else 0.0
            distances.setdefault(name, []).append(float(np.abs(shares - true).sum()) + outside)
        if place == 0:
            for name, shares in {"original": true, **shown}.items():
                for middle, share in zip(middles, shares.tolist(), strict=True):
                    yield Cell("Fig. 4", f"{name}, share around {middle:g}", share, name, middle)
    means = {name: float(np.mean(found)) for name, found in distances.items()}
    for name, mean in means.items():
        yield Cell("Fig. 4", name, mean)
    yield Cell("Fig. 4", "two phases less one", means["two phases"] - means["one phase"])
    yield Cell("Fig. 4", "two phases, part of what is not reconstructed", means["two phases"] / means[_RAW])


def _triangle_cumulative(edges: Floats) -> Floats:
    below = np.where(edges < 0.5, 2 * edges**2, 1 - 2 * (1 - edges) ** 2)
    return np.asarray(np.diff(below))


def exact_loss(case: Mapping[int, float], intervals: Mapping[int, int] | None = None) -> float:
    """Return the loss of a case by integration: uniform original, SNR 1, level hidden."""
    half = 3**0.5
    edges, shares = np.array([-half, half]), np.array([1.0])
    law = NoiseLaw("gaussian", 1.0)
    if not case:
        return channel_loss(edges, shares, law).loss
    reach = half + BEYOND
    width = {count: 2 * reach / (count if intervals is None else intervals[count]) for count in case}
    channels = [Channel(share, law, width[count]) for count, share in case.items()]
    return mixture_loss(edges, shares, channels, origin=-reach).loss


def table_2(asked: Asked) -> Iterator[Cell]:
    """Yield the loss of each case: estimated in bits, with nats put for bits, and exact by integration."""
    data = synthetic(1, 5_000 if asked.quick else 100_000, asked.seed)
    for name, case in CASES.items():
        if not asked.missing("Table 2", [f"{name}, exact, with 2, 4, 8 and 200 cells"]):
            continue
        w = perturb(data.x, 1.0, case, asked.seed + 1).w
        for unit, words in (("bits", "estimated"), ("nats", "estimated, nats put for bits")):
            losses = [estimated_loss(data.x[:, at], w[:, at], unit=unit).loss for at in range(w.shape[1])]  # type: ignore[arg-type]
            yield Cell("Table 2", f"{name}, {words}", float(np.mean(losses)))
        yield Cell("Table 2", f"{name}, exact, uniform original", exact_loss(case))
        yield Cell("Table 2", f"{name}, exact, with 2, 4, 8 and 200 cells", exact_loss(case, COARSE))
