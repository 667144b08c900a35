"""The mutual information of an original value and its noisy released value, and the privacy loss that follows from it.

The original counts as uniform inside the cells of a histogram. Phase 1 adds noise; phase 2 draws uniformly in a lattice
cell, so a released value reveals its cell and nothing else. Three ways of computing are used, each where it is quick
and exact:

- no cells, or cells that are narrow compared with normal noise: the difference of two entropies of smooth densities. A
  sum over narrow cells of a normal density widened by the cell equals its integral up to a part of exp(-2
  (π·sd/width)²), 4e-14 at the width used here;
- one level with wider cells or uniform noise: the entropy of the cells less their entropy given the original;
- several hidden levels, or reflected noise: the original on quadrature nodes, the cells of all levels cut at their
  common edges.

Agrawal & Aggarwal (2001, section 2), Liu et al. (2008, section 3): the privacy of a value is Π = 2^h, where h is its
differential entropy in bits: the width of the interval in which a uniform value is as uncertain. The privacy that
remains once the release is known is the conditional privacy; the privacy loss is the share that is lost, 1 - 2^(-I),
where I is the mutual information in bits. If I is inserted in nats (``unit="nats"``), the mean losses fit the printed
Tables 7 to 9 of Liu et al. (.161, .139 and .162 against .1597, .1306 and .1442, of which Haberman is 12 % off), not
their Table 2, which bits fit (.2835 to .2851 against .2816).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from ppdm_desktop.engine.arrays import Floats
from ppdm_desktop.engine.noise.kernels import Channel, NoiseLaw, select_used_channels, to_rising_edges

_SMOOTH = 0.8  # cells of at most this many standard deviations of normal noise are narrow
# Among hidden levels, cells below this part of the standard deviation count as no cells: that
# overstates the information (normal noise: the loss by less than 1e-5, uniform noise: 2e-3).
_NARROW = 1.0 / 64
_CELLS_MOST = 8000  # cells of one level with uniform noise; narrower ones count as none
_NODES_MOST = 4000
_CHUNK = 2_000_000  # floats of one intermediate array


@dataclass(frozen=True)
class Prior:
    """The distribution of the original as a histogram: uniform inside each cell with a positive share.

    Attributes
    ----------
    low, high, shares
        Lower ends, upper ends and shares of the cells, each of shape (cells,), in rising order; the shares sum to 1.
    """

    low: Floats
    high: Floats
    shares: Floats

    @classmethod
    def of(cls, edges: Floats, shares: Floats) -> Prior:
        """Return the distribution for cell edges, shape (T + 1,), and shares or counts of the cells, shape (T,).

        Cells with a share of 0 are left out. The others are divided by their sum, so counts and shares give the same
        result.

        Raises
        ------
        ValueError
            When the edges do not rise, or ``shares`` does not have one entry for each cell, has an entry that is
            negative, infinite or NaN, or has only zeros.
        """
        edges, shares = to_rising_edges(edges), np.asarray(shares, dtype=np.float64)
        if shares.shape != (len(edges) - 1,) or not np.all(shares >= 0) or not 0 < shares.sum() < np.inf:
            raise ValueError("every cell needs a share, none below 0 and not all 0")
        used = shares > 0
        return cls(edges[:-1][used], edges[1:][used], shares[used] / shares.sum())

    @property
    def widths(self) -> Floats:
        """Widths of the cells, shape (cells,)."""
        return self.high - self.low

    @property
    def span(self) -> float:
        """Distance from the lowest to the highest end of all cells."""
        return float(self.high[-1] - self.low[0])

    @property
    def entropy(self) -> float:
        """Differential entropy of the original value in bits."""
        return float(-np.sum(self.shares * np.log2(self.shares / self.widths)))

    def steps(self) -> tuple[Floats, Floats]:
        """Return all ends of cells, in rising order, and by how much the density rises at each, shape (points,) each.

        Falls are negative; between neighbouring cells of equal density the rise is 0.
        """
        edges = np.unique(np.concatenate((self.low, self.high)))
        heights = np.zeros(len(edges) + 1)
        heights[np.searchsorted(edges, self.low) + 1] = self.shares / self.widths
        return edges, np.diff(heights)


def mutual_information(prior: Prior, channels: Sequence[Channel], origin: float, *, reflected: bool = False) -> float:
    """Return the mutual information, in bits, of the original and a released value whose privacy level is unknown.

    It is 0 or more. Narrow cells are simplified:

    - With ``reflected``, narrow cells are widened a little, and levels without cells get narrow ones.
    - With a single level, cells of at most 0.8 standard deviations of normal noise count as a further uniform draw, and
      cells of uniform noise count as none if more than 8,000 could be released.
    - With several levels, cells narrower than 1/64 of the level's standard deviation (or 1/4,000 of the original's
      span, if that is wider) count as none, which overstates the result slightly. If others stay, every level without
      cells gets narrow ones.

    Parameters
    ----------
    prior
        The distribution of the original.
    channels
        The noise and cells of each level; their shares are above 0 and sum to 1.
    origin
        Where the cells of all levels start.
    reflected
        Whether noisy values below ``origin`` are reflected there, and at the upper end where a noise law has a period;
        the original lies between.
    """
    if reflected:
        return _compute_cell_information(prior, _widen_cells(prior, channels), origin, reflected=True)
    if len(channels) == 1:
        return max(_compute_level_information(prior, channels[0], origin), 0.0)
    narrow = [max(_NARROW * channel.law.sd, prior.span / _NODES_MOST) for channel in channels]
    channels = tuple(
        replace(channel, cell_width=None) if channel.cell_width is not None and channel.cell_width < limit else channel
        for channel, limit in zip(channels, narrow, strict=True)
    )
    if all(channel.cell_width is None for channel in channels):
        return max(_compute_smooth_information(prior, channels), 0.0)
    return _compute_cell_information(prior, _add_narrow_cells(channels), origin)


# --- one level --------------------------------------------------------------------------


def _compute_level_information(prior: Prior, channel: Channel, origin: float) -> float:
    """Return the mutual information, in bits, of the original and the released value at one privacy level.

    It is for releases in which all records have this level and noise is not reflected. ``channel`` has the noise and
    the width of the cells in which values are released (None without cells), ``origin`` is where these cells start.
    Rounding can make the result slightly negative; the caller replaces it by 0.
    """
    law, width = channel.law, channel.cell_width
    if width is None:
        return _compute_smooth_information(prior, (channel,))
    if law.kind == "gaussian" and width <= _SMOOTH * law.sd:
        return _compute_smooth_information(prior, (channel,), width)
    if law.kind == "uniform" and prior.span + 2 * law.reach > _CELLS_MOST * width:
        return _compute_smooth_information(prior, (replace(channel, cell_width=None),))
    edges = _build_lattice_edges(prior, law.reach, width, origin)
    places, rises = prior.steps()
    below = np.concatenate([law.integral(part[:, None] - places) @ rises for part in _split_array(edges, len(places))])
    mass = np.maximum(np.diff(below), 0.0)
    at, weights = _prior_nodes(prior, (channel,), (edges,))
    conditional = (
        _compute_uniform_entropy(law, width, origin, at)
        if law.kind == "uniform"
        else _compute_normal_entropy(law, width, origin, at)
    )
    return float(-np.sum(_x_log_x(mass)) - weights @ conditional)


def _compute_uniform_entropy(law: NoiseLaw, width: float, origin: float, at: Floats) -> Floats:
    """Return, for each original in ``at``, the entropy in bits of the released cell under uniform noise.

    Shape of ``at``. Cells have the width ``width`` and start at ``origin``. The noise covers whole cells and parts of
    two cells at its ends. If it stays in one cell, the entropy is 0.
    """
    low, high = (at - law.half_width - origin) / width, (at + law.half_width - origin) / width
    first, last = np.ceil(low), np.floor(high)
    whole = 2 * law.half_width / width
    ends = _x_log_x((first - low) / whole) + _x_log_x((high - last) / whole)
    return np.where(last < first, 0.0, -ends - (last - first) * _x_log_x(np.array(1 / whole)))


def _compute_normal_entropy(law: NoiseLaw, width: float, origin: float, at: Floats) -> Floats:
    """Return, for each original in ``at``, the entropy in bits of the released cell under normal noise.

    Shape of ``at``. Cells have the width ``width`` and start at ``origin``. Only cells within eight standard deviations
    of an original are counted.
    """
    start = np.floor((at - law.reach - origin) / width)
    cells = np.arange(math.ceil(2 * law.reach / width) + 2)
    values = []
    for part, first in zip(_split_array(at, len(cells)), _split_array(start, len(cells)), strict=True):
        edges = origin + width * (first[:, None] + cells)
        steps = np.diff(law.cumulative(edges - part[:, None]), axis=1)
        values.append(-_x_log_x(steps).sum(axis=1))
    return np.concatenate(values)


def _x_log_x(values: Floats) -> Floats:
    """Return x · log2(x) for each value, 0 for 0."""
    return np.asarray(values * np.log2(values, out=np.zeros_like(values), where=values > 0))


def _build_lattice_edges(prior: Prior, reach: float, width: float, origin: float) -> Floats:
    """Return the rising edges of all lattice cells that noisy values can reach, shape (cells + 1,).

    Noisy values lie at most ``reach`` outside the original's cells; lattice cells have the ``width`` and start at
    ``origin``.
    """
    first = math.floor((float(prior.low[0]) - reach - origin) / width)
    last = math.ceil((float(prior.high[-1]) + reach - origin) / width)
    return np.asarray(origin + width * np.arange(first, last + 1), dtype=np.float64)


def _split_array(values: Floats, columns: int) -> list[Floats]:
    """Return an array cut into consecutive parts, so that ``columns`` numbers for each entry of a part fit into memory.

    That is at most two million numbers per part; a part has at least one entry.
    """
    rows = max(_CHUNK // columns, 1)
    return [values[start : start + rows] for start in range(0, len(values), rows)]


# --- smooth densities -------------------------------------------------------------------


@lru_cache
def _compute_legendre_nodes(nodes: int) -> tuple[Floats, Floats]:
    """Return the nodes and weights of Gauss-Legendre quadrature on [-1, 1], each of shape (nodes,)."""
    return np.polynomial.legendre.leggauss(nodes)


def _compute_gauss_nodes(breaks: Floats, nodes: int) -> tuple[Floats, Floats]:
    """Return Gauss-Legendre nodes and weights for all intervals between neighbouring breaks, in order.

    ``nodes`` is the number for each interval; both arrays have shape ((breaks - 1) * nodes,).
    """
    at, weight = _compute_legendre_nodes(nodes)
    half = np.diff(breaks) / 2
    middle = (breaks[:-1] + breaks[1:]) / 2
    return (middle[:, None] + half[:, None] * at).ravel(), (half[:, None] * weight).ravel()


def _build_line_nodes(low: float, high: float, channels: Sequence[Channel], kinks: Floats) -> tuple[Floats, Floats]:
    """Return points and weights with which a density is integrated from ``low`` to ``high``, each of shape (points,).

    The interval is cut into pieces of at most half of the smallest standard deviation (4,000 pieces at most), and also
    where uniform noise around one of the ``kinks`` begins or ends; every piece has 6 Gauss-Legendre points.
    """
    pieces = min(math.ceil(2.0 * (high - low) / min(channel.law.sd for channel in channels)), _NODES_MOST)
    breaks = [np.linspace(low, high, pieces + 1)]
    for channel in channels:
        if channel.law.kind == "uniform":
            breaks += [kinks - channel.law.half_width, kinks + channel.law.half_width]
    inside = np.unique(np.concatenate(breaks))
    return _compute_gauss_nodes(inside[(inside >= low) & (inside <= high)], 6)


def _compute_smooth_information(prior: Prior, channels: Sequence[Channel], width: float = 0.0) -> float:
    """Return the mutual information in bits of original and noisy value, for privacy levels without cells.

    It is the entropy of the noisy value less that of the noise; the noise is not reflected. Rounding can make it
    slightly negative.

    Parameters
    ----------
    prior, channels
        The distribution of the original, and the noise of each level.
    width
        Width of narrow cells of a single level, whose effect is that of a further uniform draw of this width; 0 for no
        cells.
    """
    reach = max(channel.law.reach for channel in channels) + width
    places, rises = prior.steps()
    at, weights = _build_line_nodes(float(places[0]) - reach, float(places[-1]) + reach, channels, places)
    density = np.concatenate(
        [_compute_noisy_density(part, places, rises, channels, width) for part in _split_array(at, len(places))]
    )
    return _entropy(density, weights) - _noise_entropy(channels, reach, width)


def _compute_noisy_density(
    at: Floats, places: Floats, rises: Floats, channels: Sequence[Channel], width: float
) -> Floats:
    """Return the density of the noisy value at each point of ``at``, shape (points,).

    Parameters
    ----------
    places, rises
        The points where the density of the original jumps, and the jumps, as `Prior.steps` returns them.
    channels
        The noise of each level.
    width
        Width of a uniform draw that is added to the noise; 0 for none.
    """
    density = np.zeros_like(at)
    gaps = at[:, None] - places
    for channel in channels:
        if width:
            risen = (channel.law.integral(gaps + width / 2) - channel.law.integral(gaps - width / 2)) / width
        else:
            risen = channel.law.cumulative(gaps)
        density += channel.share * (risen @ rises)
    return np.maximum(density, 0.0)


def _noise_entropy(channels: Sequence[Channel], reach: float, width: float) -> float:
    """Return the entropy in bits of the noise alone if its level is unknown.

    A uniform draw of ``width`` is added to the noise (0 for none). The entropy is exact if all levels have the same
    noise and ``width`` is 0, otherwise integrated from -``reach`` to ``reach``.
    """
    if len({channel.law for channel in channels}) == 1 and not width:
        law = channels[0].law
        if law.kind == "uniform":
            return math.log2(2.0 * law.half_width)
        return 0.5 * math.log2(2.0 * math.pi * math.e * law.sd**2)
    at, weights = _build_line_nodes(-reach, reach, channels, np.zeros(1))
    density = np.zeros_like(at)
    for channel in channels:
        if width:
            density += (
                channel.share
                * (channel.law.cumulative(at + width / 2) - channel.law.cumulative(at - width / 2))
                / width
            )
        else:
            density += channel.share * channel.law.density(at)
    return _entropy(density, weights)


def _entropy(density: Floats, weights: Floats) -> float:
    """Return the differential entropy in bits, integrated from densities at points and their quadrature weights."""
    return float(-np.sum(weights * _x_log_x(density)))


# --- hidden levels ----------------------------------------------------------------------


def _add_narrow_cells(channels: Sequence[Channel]) -> tuple[Channel, ...]:
    """Return the levels; those without cells get narrow cells that nest in the narrowest cells of the others.

    At least one level must have cells. The new cells are at most 1/64 of the smallest standard deviation wide.
    """
    finest = min(channel.cell_width for channel in channels if channel.cell_width is not None)
    fine = finest / math.ceil(finest / (_NARROW * min(channel.law.sd for channel in channels)))
    return tuple(
        channel if channel.cell_width is not None else replace(channel, cell_width=fine) for channel in channels
    )


def _widen_cells(prior: Prior, channels: Sequence[Channel]) -> tuple[Channel, ...]:
    """Return the levels with cells that are not much narrower than the sum over cells can afford.

    The least width that it can afford is 1/64 of the smallest standard deviation, or 1/4,000 of the span of the
    original if that is wider. A level without cells gets it; narrower cells become the largest multiple of their width
    up to it; wider cells stay. For noise that is reflected at both ends, the width also divides the distance between
    the ends.
    """
    least = max(_NARROW * min(channel.law.sd for channel in channels), prior.span / _NODES_MOST)
    widened = []
    for channel in channels:
        cell_width = channel.cell_width
        width = least if cell_width is None else cell_width * max(math.floor(least / cell_width), 1)
        if channel.law.period is not None:
            width = _choose_dividing_width(width, cell_width, channel.law.period / 2)
        widened.append(replace(channel, cell_width=width))
    return tuple(widened)


def _choose_dividing_width(width: float, cell_width: float | None, span: float) -> float:
    """Return a cell width of at most about ``width`` that divides ``span`` into a whole number of cells.

    With a span of 10 and a ``width`` of 3 it is 2.5 (4 cells). If ``cell_width`` is given, the result is its largest
    multiple of this kind: 2 for a ``cell_width`` of 1.
    """
    if cell_width is None:
        return span / math.ceil(span / width)
    cells, most = round(span / cell_width), round(width / cell_width)
    return cell_width * max(times for times in range(1, most + 1) if cells % times == 0)


def _compute_cell_information(
    prior: Prior, channels: Sequence[Channel], origin: float, *, reflected: bool = False
) -> float:
    """Return the mutual information in bits of original and released value, for privacy levels that all have cells.

    It is 0 or more. The original is replaced by quadrature nodes; from there on the result is exact, so wider cells
    never reveal more than cells nested in them.

    Parameters
    ----------
    prior, channels
        The distribution of the original, and the noise and cells of each level.
    origin
        Where the cells of all levels start.
    reflected
        Whether noise is reflected at ``origin`` (and at the upper end, where a noise law has a period).
    """
    reach = max(channel.law.reach for channel in channels)
    edges = [_build_lattice_edges(prior, reach, _read_cell_width(channel), origin) for channel in channels]
    if reflected:
        edges = [
            edge[
                (edge > origin - 0.5 * _read_cell_width(channel))
                & (edge < _find_upper_mirror(channel, origin) + 0.5 * _read_cell_width(channel))
            ]
            for channel, edge in zip(channels, edges, strict=True)
        ]
    pieces, widths = _split_at_all_edges(edges, min(_read_cell_width(channel) for channel in channels))
    cell_index = [
        np.clip(np.floor((pieces - edge[0]) / _read_cell_width(channel)).astype(np.int64), 0, len(edge) - 2)
        for channel, edge in zip(channels, edges, strict=True)
    ]
    inside = [(pieces > edge[0]) & (pieces < edge[-1]) for edge in edges]
    bends = [np.concatenate((2.0 * origin - edge, edge)) for edge in edges] if reflected else edges
    at, weights = _prior_nodes(prior, channels, bends)
    marginal = np.zeros(len(pieces))
    minus_conditional = 0.0
    for chunk, weight in zip(_split_array(at, len(pieces)), _split_array(weights, len(pieces)), strict=True):
        density = np.zeros((len(chunk), len(pieces)))
        for channel, edge, cell, within in zip(channels, edges, cell_index, inside, strict=True):
            steps = np.diff(channel.law.cumulative(edge - chunk[:, None]), axis=1)
            if reflected:
                steps += np.diff(-channel.law.cumulative(2.0 * origin - edge - chunk[:, None]), axis=1)
            density += np.where(within, steps[:, cell] * (channel.share / _read_cell_width(channel)), 0.0)
        marginal += weight @ density
        minus_conditional += float(weight @ (_x_log_x(density) @ widths))
    return max(minus_conditional + _entropy(marginal, widths), 0.0)


def _find_upper_mirror(channel: Channel, origin: float) -> float:
    """Return the upper end at which the noise of a privacy level is reflected.

    Infinite if it is not reflected above.
    """
    return math.inf if channel.law.period is None else origin + channel.law.period / 2


def _read_cell_width(channel: Channel) -> float:
    """Return the width of the lattice cells of a privacy level, which must have cells."""
    assert channel.cell_width is not None
    return channel.cell_width


def _split_at_all_edges(edges: Sequence[Floats], finest: float) -> tuple[Floats, Floats]:
    """Return middle and width of each piece between neighbouring edges of all levels, from low to high.

    Both have shape (pieces,).

    Edges [0, 10] and [0, 4, 10] give the middles 2 and 7 and the widths 4 and 6. Edges nearer to each other than 1e-9
    of the width ``finest`` count as one.
    """
    every = np.unique(np.concatenate(edges))
    every = every[np.concatenate(([True], np.diff(every) > 1e-9 * finest))]
    return (every[:-1] + every[1:]) / 2, np.diff(every)


def _prior_nodes(prior: Prior, channels: Sequence[Channel], edges: Sequence[Floats]) -> tuple[Floats, Floats]:
    """Return points that stand for the original and their probabilities, which sum to 1; each of shape (points,).

    The points are Gauss-Legendre nodes of pieces, which are cut at the prior's cells, at every quarter of the smallest
    standard deviation (or every 1/4,000 of the prior's span, if that is wider), and where uniform noise starts or ends
    at one of the ``edges`` (one array per level).
    """
    smooth = max(min(channel.law.sd for channel in channels) / 4, prior.span / _NODES_MOST)
    parts = np.ceil(prior.widths / smooth).astype(np.int64)
    cell = np.repeat(np.arange(len(parts)), parts)
    step = np.arange(len(cell)) - np.repeat(np.cumsum(parts) - parts, parts)
    breaks = [prior.low[cell] + prior.widths[cell] * (step / parts[cell]), prior.high]
    for channel, edge in zip(channels, edges, strict=True):
        if channel.law.kind == "uniform":
            breaks += [edge - channel.law.half_width, edge + channel.law.half_width]
    every = np.unique(np.concatenate(breaks))
    every = every[(every >= prior.low[0]) & (every <= prior.high[-1])]
    # Narrow pieces need fewer nodes for the same error, where nothing bends.
    narrow = len(breaks) == 2 and float(np.max(np.diff(every))) <= smooth / 4
    at, weights = _compute_gauss_nodes(every, 2 if narrow else 4)
    home = np.searchsorted(prior.low, at, side="right") - 1
    inside = at < prior.high[home]
    return at[inside], (weights * prior.shares[home] / prior.widths[home])[inside]


# --- information --------------------------------------------------------------------------


@dataclass(frozen=True)
class PrivacyLoss:
    """How much privacy the values of a column lose by the release.

    Attributes
    ----------
    information_bits
        Mutual information I of the original and the released value, in bits.
    loss
        1 - 2^(-I), at least 0 and below 1.
    pi
        Privacy of the original before the release, in the column's unit.
    conditional_pi
        Privacy left after the release, ``pi`` · (1 - ``loss``).
    """

    information_bits: float
    loss: float
    pi: float
    conditional_pi: float


def privacy_loss(information_bits: float, entropy_bits: float) -> PrivacyLoss:
    """Return the privacy figures for a mutual information and the entropy of the original, both in bits.

    The loss is 1 - 2^(-information): 1 bit loses 0.5, 2 bits lose 0.75. Negative information, which an estimate can be,
    counts as 0.

    The result has the information in bits, the loss, Π = 2^entropy of the original, and Π · (1 - loss), the part of Π
    that remains uncertain after the release.
    """
    information = max(information_bits, 0.0)
    kept = 2.0**-information
    pi = 2.0**entropy_bits
    return PrivacyLoss(information, 1.0 - kept, pi, pi * kept)


def channel_loss(
    x_edges: Floats,
    x_shares: Floats,
    law: NoiseLaw,
    *,
    cell_width: float | None = None,
    origin: float = 0.0,
    reflected: bool = False,
) -> PrivacyLoss:
    """Return the privacy loss if all records have the same level: noise, then a uniform draw from the lattice cell.

    Parameters
    ----------
    x_edges, x_shares
        Edges and shares of the original's cells, shapes (T + 1,) and (T,); inside a cell it counts as uniform.
    law
        Noise of phase 1.
    cell_width, origin
        Width of the lattice cells of phase 2 and where they start; None as width leaves phase 2 out.
    reflected
        Whether noisy values below ``origin`` are reflected there, and at the upper end if ``law`` has a period.
    """
    only = (Channel(1.0, law, cell_width),)
    return mixture_loss(x_edges, x_shares, only, origin=origin, reflected=reflected)


def mixture_loss(
    x_edges: Floats,
    x_shares: Floats,
    channels: Sequence[Channel],
    *,
    origin: float = 0.0,
    reflected: bool = False,
) -> PrivacyLoss:
    """Return the privacy loss if records have several levels that a reader does not know and values do not decide.

    Parameters
    ----------
    x_edges, x_shares
        Edges of the original's cells, shape (T + 1,), and their shares or counts, shape (T,).
    channels
        The noise and cells of each level; their shares sum to 1, and levels with a share of 0 do not count.
    origin
        Where the cells of all levels start.
    reflected
        Whether noisy values below ``origin`` are reflected there, and at the upper end where a noise law has a period.

    Raises
    ------
    ValueError
        When edges do not rise, the shares of cells are unusable, the shares of levels are negative or do not sum to 1,
        or a lattice cell has no positive width.
    """
    prior = Prior.of(x_edges, x_shares)
    channels = select_used_channels(channels)
    return privacy_loss(mutual_information(prior, channels, origin, reflected=reflected), prior.entropy)
