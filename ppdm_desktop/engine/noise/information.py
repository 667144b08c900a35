"""Privacy of a perturbed column, exact where the distribution and the noise are known.

Agrawal & Aggarwal (2001, section 2), Liu et al. (2008, section 3): the privacy of a value is
Π = 2^h with h its differential entropy in bits, the width of the interval that a uniform value
of the same uncertainty would have; what is left of it once the release is known is the
conditional privacy, and the privacy loss is the part that went, 1 - 2^(-I), I the mutual
information in bits. The tables of Liu et al. put nats there, which ``unit="nats"`` repeats.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

import numpy as np

from ppdm_desktop.engine.noise.kernels import Channel, Floats, NoiseLaw, checked, rising

Unit = Literal["bits", "nats"]
# Cells below this part of the noise's standard deviation count as no cells at all: that
# overstates the loss, by less than 1e-5.
_NARROW = 1.0 / 64
_NODES_MOST = 4000
_CHUNK = 2_000_000  # floats of one intermediate array


@dataclass(frozen=True)
class PrivacyLoss:
    """What a reader of the release learns about a value.

    Attributes
    ----------
    information_bits
        Mutual information of the original and the released value, in bits.
    loss
        1 - 2^(-I), at least 0 and below 1; with ``unit="nats"`` I is put there in nats.
    pi
        Privacy of the original before the release, in the column's unit.
    conditional_pi
        Privacy left after it, ``pi`` · (1 - ``loss``).
    """

    information_bits: float
    loss: float
    pi: float
    conditional_pi: float


def privacy_loss(information_bits: float, entropy_bits: float, unit: Unit = "bits") -> PrivacyLoss:
    """Make the figures from the mutual information and the original's entropy, both in bits.

    Information below 0 (an estimate can fall there) counts as 0.
    """
    information = max(information_bits, 0.0)
    kept = 2.0 ** -(information * math.log(2.0) if unit == "nats" else information)
    pi = 2.0**entropy_bits
    return PrivacyLoss(information, 1.0 - kept, pi, pi * kept)


def differential_entropy(edges: Floats, shares: Floats) -> float:
    """Return the entropy in bits of a value that is uniform inside each cell.

    Parameters
    ----------
    edges
        Rising, shape (T + 1,).
    shares
        Shares or counts of the cells, shape (T,).
    """
    prior = _Prior.of(edges, shares)
    return float(-np.sum(prior.shares * np.log2(prior.shares / prior.widths)))


def gaussian_loss(snr: float, sd: float = 1.0, unit: Unit = "bits") -> PrivacyLoss:
    """Return the loss for a normal original with normal noise and no phase 2: I = ½·log2(1 + snr).

    Parameters
    ----------
    snr
        Variance of the original over the variance of the noise.
    sd
        Standard deviation of the original.
    """
    entropy = 0.5 * math.log2(2.0 * math.pi * math.e * sd * sd)
    return privacy_loss(0.5 * math.log2(1.0 + snr), entropy, unit)


def channel_loss(
    x_edges: Floats,
    x_shares: Floats,
    law: NoiseLaw,
    *,
    cell_width: float | None = None,
    origin: float = 0.0,
    unit: Unit = "bits",
) -> PrivacyLoss:
    """Return the loss of one level: noise, then a uniform draw from the lattice cell.

    Parameters
    ----------
    x_edges, x_shares
        Cells of the original, shapes (T + 1,) and (T,); inside a cell it counts as uniform.
    law
        Noise of phase 1.
    cell_width, origin
        The lattice of phase 2; None leaves it out.
    unit
        ``"nats"`` repeats the slip of the paper's tables.
    """
    only = (Channel(1.0, law, cell_width),)
    return mixture_loss(x_edges, x_shares, only, origin=origin, level_known=False, unit=unit)


def mixture_loss(
    x_edges: Floats,
    x_shares: Floats,
    channels: Sequence[Channel],
    *,
    origin: float = 0.0,
    level_known: bool,
    unit: Unit = "bits",
) -> PrivacyLoss:
    """Return the loss when records have several levels, independent of their values.

    Parameters
    ----------
    channels
        What each level does; the shares sum to 1.
    level_known
        Whether the reader knows each record's level. Known levels give the mean of the levels'
        informations, hidden ones less.
    """
    prior = _Prior.of(x_edges, x_shares)
    channels = checked(channels)
    entropy = float(-np.sum(prior.shares * np.log2(prior.shares / prior.widths)))
    if level_known:
        alone = [_information(prior, (replace(each, share=1.0),), origin) for each in channels]
        return privacy_loss(sum(each.share * bits for each, bits in zip(channels, alone, strict=True)), entropy, unit)
    return privacy_loss(_information(prior, channels, origin), entropy, unit)


# --- integration ------------------------------------------------------------------------


@dataclass(frozen=True)
class _Prior:
    """The original: uniform inside each cell with a share above 0."""

    low: Floats
    high: Floats
    shares: Floats

    @classmethod
    def of(cls, edges: Floats, shares: Floats) -> _Prior:
        edges, shares = rising(edges), np.asarray(shares, dtype=np.float64)
        if shares.shape != (len(edges) - 1,) or not np.all(shares >= 0) or not 0 < shares.sum() < np.inf:
            raise ValueError("every cell needs a share, none below 0 and not all 0")
        used = shares > 0
        return cls(edges[:-1][used], edges[1:][used], shares[used] / shares.sum())

    @property
    def widths(self) -> Floats:
        return self.high - self.low

    @property
    def span(self) -> float:
        return float(self.high[-1] - self.low[0])


def _information(prior: _Prior, channels: Sequence[Channel], origin: float) -> float:
    """Return the mutual information in bits of the original and a value of hidden level."""
    channels = tuple(_without_narrow_cells(each, prior.span) for each in channels)
    if all(each.cell_width is None for each in channels):
        return max(_noisy_entropy(prior, channels) - _noise_entropy(channels), 0.0)
    return _cell_information(prior, _with_cells(channels), origin)


def _without_narrow_cells(channel: Channel, span: float) -> Channel:
    narrow = max(_NARROW * channel.law.sd, span / _NODES_MOST)
    if channel.cell_width is not None and channel.cell_width < narrow:
        return replace(channel, cell_width=None)
    return channel


def _with_cells(channels: Sequence[Channel]) -> tuple[Channel, ...]:
    """Give levels without phase 2 narrow cells that nest in the others'."""
    widths = [each.cell_width for each in channels if each.cell_width is not None]
    finest = min(widths)
    fine = finest / math.ceil(finest / (_NARROW * min(each.law.sd for each in channels)))
    return tuple(each if each.cell_width is not None else replace(each, cell_width=fine) for each in channels)


@lru_cache
def _legendre(nodes: int) -> tuple[Floats, Floats]:
    return np.polynomial.legendre.leggauss(nodes)


def _gauss(breaks: Floats, nodes: int) -> tuple[Floats, Floats]:
    """Return Gauss-Legendre nodes and weights over each piece between breaks."""
    at, weight = _legendre(nodes)
    half = np.diff(breaks) / 2
    middle = (breaks[:-1] + breaks[1:]) / 2
    return (middle[:, None] + half[:, None] * at).ravel(), (half[:, None] * weight).ravel()


def _line(low: float, high: float, channels: Sequence[Channel], kinks: Sequence[Floats]) -> tuple[Floats, Floats]:
    """Return nodes and weights on [low, high] for densities that bend at the kinks of uniform noise."""
    pieces = min(math.ceil(2.0 * (high - low) / min(each.law.sd for each in channels)), _NODES_MOST)
    breaks = [np.linspace(low, high, pieces + 1)]
    for each in channels:
        if each.law.kind == "uniform":
            breaks += [at + shift for at in kinks for shift in (-each.law.half_width, each.law.half_width)]
    inside = np.unique(np.concatenate(breaks))
    return _gauss(inside[(inside >= low) & (inside <= high)], 6)


def _minus_f_log_f(density: Floats, weights: Floats) -> float:
    logs = np.log2(density, out=np.zeros_like(density), where=density > 0)
    return float(-np.sum(weights * density * logs))


def _noise_entropy(channels: Sequence[Channel]) -> float:
    """Return the entropy in bits of noise whose level is hidden."""
    if len({each.law for each in channels}) == 1:
        law = channels[0].law
        if law.kind == "uniform":
            return math.log2(2.0 * law.half_width)
        return 0.5 * math.log2(2.0 * math.pi * math.e * law.sd**2)
    reach = max(each.law.reach for each in channels)
    at, weights = _line(-reach, reach, channels, [np.zeros(1)])
    return _minus_f_log_f(sum((each.share * each.law.density(at) for each in channels), np.zeros_like(at)), weights)


def _noisy_entropy(prior: _Prior, channels: Sequence[Channel]) -> float:
    """Return the entropy in bits of the original plus noise of hidden level."""
    reach = max(each.law.reach for each in channels)
    low, high = float(prior.low[0]) - reach, float(prior.high[-1]) + reach
    edges = np.unique(np.concatenate((prior.low, prior.high)))
    heights = np.zeros(len(edges) + 1)
    heights[np.searchsorted(edges, prior.low) + 1] = prior.shares / prior.widths
    rises = np.diff(heights)  # the density of X, as a sum of steps at the edges
    at, weights = _line(low, high, channels, [edges])
    density = np.zeros_like(at)
    rows = max(_CHUNK // len(edges), 1)
    for start in range(0, len(at), rows):
        gaps = at[start : start + rows, None] - edges
        for each in channels:
            density[start : start + rows] += each.share * (each.law.cumulative(gaps) @ rises)
    return _minus_f_log_f(np.maximum(density, 0.0), weights)


def _cell_information(prior: _Prior, channels: Sequence[Channel], origin: float) -> float:
    """Return the mutual information in bits when every level has cells.

    The original is put on quadrature nodes; from there on all is exact, so that a coarser lattice
    never shows more than one that it is nested in.
    """
    reach = max(each.law.reach for each in channels)
    low, high = float(prior.low[0]) - reach, float(prior.high[-1]) + reach
    first = [math.floor((low - origin) / _width(each)) for each in channels]
    cells = [math.ceil((high - origin) / _width(each)) - start for each, start in zip(channels, first, strict=True)]
    edges: list[Floats] = [
        np.asarray(origin + _width(each) * np.arange(start, start + count + 1), dtype=np.float64)
        for each, start, count in zip(channels, first, cells, strict=True)
    ]
    pieces, widths = _common_pieces(edges, min(_width(each) for each in channels))
    place = [
        np.clip(np.floor((pieces - own[0]) / _width(each)).astype(np.int64), 0, count - 1)
        for each, own, count in zip(channels, edges, cells, strict=True)
    ]
    inside = [(pieces > own[0]) & (pieces < own[-1]) for own in edges]
    at, weights = _prior_nodes(prior, channels, edges)
    rows = max(_CHUNK // len(pieces), 1)
    marginal = np.zeros(len(pieces))
    minus_conditional = 0.0
    for start in range(0, len(at), rows):
        chunk, weight = at[start : start + rows], weights[start : start + rows]
        density = np.zeros((len(chunk), len(pieces)))
        for each, own, cell, within in zip(channels, edges, place, inside, strict=True):
            steps = np.diff(each.law.cumulative(own - chunk[:, None]), axis=1)
            density += np.where(within, steps[:, cell] * (each.share / _width(each)), 0.0)
        np.maximum(density, 0.0, out=density)
        marginal += weight @ density
        logs = np.log2(density, out=np.zeros_like(density), where=density > 0)
        minus_conditional += float(weight @ ((density * logs) @ widths))
    return max(minus_conditional + _minus_f_log_f(marginal, widths), 0.0)


def _width(channel: Channel) -> float:
    assert channel.cell_width is not None
    return channel.cell_width


def _common_pieces(edges: Sequence[Floats], finest: float) -> tuple[Floats, Floats]:
    """Return middle and width of the pieces between the edges of all levels together."""
    every = np.unique(np.concatenate(edges))
    every = every[np.concatenate(([True], np.diff(every) > 1e-9 * finest))]
    return (every[:-1] + every[1:]) / 2, np.diff(every)


def _prior_nodes(prior: _Prior, channels: Sequence[Channel], edges: Sequence[Floats]) -> tuple[Floats, Floats]:
    """Put the original on nodes: points and their shares, which sum to 1."""
    smooth = max(min(each.law.sd for each in channels) / 4, prior.span / _NODES_MOST)
    parts = np.ceil(prior.widths / smooth).astype(np.int64)
    cell = np.repeat(np.arange(len(parts)), parts)
    step = np.arange(len(cell)) - np.repeat(np.cumsum(parts) - parts, parts)
    breaks = [prior.low[cell] + prior.widths[cell] * (step / parts[cell]), prior.high]
    for each, own in zip(channels, edges, strict=True):
        if each.law.kind == "uniform":
            breaks += [own - each.law.half_width, own + each.law.half_width]
    every = np.unique(np.concatenate(breaks))
    every = every[(every >= prior.low[0]) & (every <= prior.high[-1])]
    # Narrow pieces need fewer nodes for the same error, where nothing bends.
    narrow = len(breaks) == 2 and float(np.max(np.diff(every))) <= smooth / 4
    at, weights = _gauss(every, 2 if narrow else 4)
    home = np.searchsorted(prior.low, at, side="right") - 1
    inside = at < prior.high[home]
    return at[inside], (weights * prior.shares[home] / prior.widths[home])[inside]
