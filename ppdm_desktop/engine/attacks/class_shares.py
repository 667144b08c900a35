"""What an intruder learns of an exchanged value from the shares of the values in the person's class.

Who knows how often each value becomes which other can undo this for a class: from the shares of the values that its
members show follow the shares of their true values. Where nearly all of a ward have one illness, a member who shows
another one has it, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import GRID, Bools, Floats, Ints
from ppdm_desktop.engine.attacks.class_belief import Tellings, Values
from ppdm_desktop.engine.attacks.doubt import doubt_ratio
from ppdm_desktop.engine.attacks.people_belief import row_weights
from ppdm_desktop.engine.table.people import People

if TYPE_CHECKING:
    from scipy.sparse import csr_array

SMALLEST_CLASS = 20
"""Smaller classes say too little of their true shares."""
MOST_CATEGORIES = 100
"""Columns with more values are not looked at: hardly a class shows each of them often enough."""
BY_CHANCE = 1e-3
"""A class whose shares chance explains more often than this is taken to be like all others."""
LEAST_CONTRADICTION = 0.1
"""Total variation between a class's estimated shares and what its members' rows tell, up to which the rows suffice."""
_UPDATES = 200


def with_class_shares(
    tell: Callable[[Ints], Tellings],
    values: Values,
    shown: Ints,
    divisions: Sequence[Ints],
    k_min: int,
    people: People,
    is_settled: Bools | None = None,
) -> Tellings:
    """Return observations of an intruder who also estimates the true shares within the classes of known values.

    The observations about the members of a class are its own where these shares contradict the others. All further
    observations are made without these people, of whom the intruder knows better.

    Parameters
    ----------
    tell
        Returns the observations without classes, given the shown category of each person, -1 where it is left out.
    values, shown
        The true values, of which each is one category, and the shown category of each person, -1 where missing.
    divisions
        Several divisions of the people into classes, each int64, shape (people,), -1 where a person has none.
    k_min
        Weight of all people's shares in the belief without the person's own row.
    people
        Whose row each entry of the others is. A person counts once in a class.
    is_settled
        Whose observation is already that of a class, bool, shape (people,): it only changes where less doubt is left.
    """
    from scipy.sparse import csr_array

    tellings, prior = tell(shown), values.shares
    present = np.flatnonzero((values.codes >= 0) & (shown >= 0))
    # A shown value that nobody has comes from a step that did more than exchange.
    if not 1 < values.count <= MOST_CATEGORIES or not len(present) or shown.max() >= values.count:
        return tellings
    codes, weights = shown[present], np.ones(len(shown)) if values.weights is None else values.weights
    chances = _chances(values.codes[present], codes, prior, weights[present])
    shown_shares = np.bincount(codes, weights[present], values.count) / weights[present].sum()
    contradiction, of_class = np.full(len(present), LEAST_CONTRADICTION), np.full(len(present), -1)
    counts, shares, classes = np.zeros((0, values.count)), np.zeros((0, values.count)), 0
    for division in divisions:
        progress.check()
        in_class = row_weights(division[present] + 1, people.take(present))
        index, of_division = _large_classes(division[present], codes, values.count, in_class)
        shares_of_division = _true_shares(of_division, chances, prior)
        inside = np.flatnonzero(index >= 0)
        members = csr_array(
            (in_class[inside], (index[inside], tellings.of[present[inside]])),
            shape=(len(of_division), tellings.shares.shape[0]),
        )
        told = (members @ tellings.shares).toarray()[:, : values.count] / of_division.sum(axis=1, keepdims=True)
        apart = np.abs(shares_of_division - told).sum(axis=1) / 2
        apart[_explained_by_chance(of_division, shown_shares)] = 0
        more = inside[apart[index[inside]] > contradiction[inside] + GRID]
        contradiction[more], of_class[more] = apart[index[more]], classes + index[more]
        counts, shares = np.concatenate([counts, of_division]), np.concatenate([shares, shares_of_division])
        classes = len(counts)
    better = np.flatnonzero(of_class >= 0)
    groups = _Groups(present[better], of_class[better], codes[better], counts, shares)
    if is_settled is not None and is_settled[groups.rows].any():
        beliefs, pair_of_row, _ = groups.beliefs(chances)
        doubt = _least_doubt(csr_array(beliefs), prior)[pair_of_row]
        doubt_of_rows = _least_doubt(tellings.shares, np.append(prior, 0.0))[tellings.of[groups.rows]]
        better = better[~is_settled[groups.rows] | (doubt < doubt_of_rows - GRID)]
        groups = _Groups(present[better], of_class[better], codes[better], counts, shares)
    if not len(better):
        return tellings
    shown_of_rest = shown.copy()
    shown_of_rest[groups.rows] = -1
    rest = np.delete(present, better)
    prior_of_rest = np.bincount(values.codes[rest], weights[rest], values.count)
    return groups.joined(tell(shown_of_rest), chances, prior, prior_of_rest / max(prior_of_rest.sum(), GRID), k_min)


class _Groups(NamedTuple):
    """People whose class tells more of them than their rows alone.

    Attributes
    ----------
    rows, of, codes
        int64, shape (members,): index of each person, their class and the category that they show.
    counts, shares
        People of each class who show each category, and their estimated true shares, shape (classes, categories).
    """

    rows: Ints
    of: Ints
    codes: Ints
    counts: Floats
    shares: Floats

    def beliefs(self, chances: Floats) -> tuple[Floats, Ints, Ints]:
        """Return the belief for each pair of class and shown category, each member's pair, and each pair's class."""
        pairs, pair_of_row = np.unique(self.of * len(chances) + self.codes, return_inverse=True)
        group, code = np.divmod(pairs, len(chances))
        beliefs = self.shares[group] * chances[:, code].T
        return beliefs / beliefs.sum(axis=1, keepdims=True), pair_of_row.reshape(-1), group

    def joined(self, rest: Tellings, chances: Floats, prior: Floats, prior_of_rest: Floats, k_min: int) -> Tellings:
        """Return the observations of the members, and of all others those of ``rest``."""
        from scipy.sparse import csr_array, vstack

        kept = rest.shares.shape[0]
        beliefs, pair_of_row, group = self.beliefs(chances)
        sizes = self.counts[group].sum(axis=1, keepdims=True)
        without = np.clip((sizes * self.shares[group] - beliefs + k_min * prior) / (sizes - 1 + k_min), 0, 1)
        of = rest.of.copy()
        of[self.rows] = kept + pair_of_row
        # The others have one belief without their own rows, each pair of class and shown category another.
        which = np.concatenate([np.zeros(kept, dtype=np.int64), 1 + np.arange(len(group))])
        indicator = csr_array((np.ones(len(which)), which, np.arange(len(which) + 1)))
        told, told_without = (
            csr_array(np.pad(part, ((0, 0), (0, 1)))) for part in (beliefs, np.vstack([prior_of_rest, without]))
        )
        return Tellings(of, vstack([rest.shares, told]).tocsr(), (indicator, told_without))


def _large_classes(ids: Ints, codes: Ints, width: int, weights: Floats) -> tuple[Ints, Floats]:
    """Return each row's class among those of many people, -1 elsewhere, and how many people of it show each category.

    A row counts as its weight of a person.
    """
    is_large = np.bincount(ids + 1, weights) >= SMALLEST_CLASS - GRID
    is_large[0] = False
    index = np.where(is_large, np.cumsum(is_large) - 1, -1)[ids + 1]
    inside = index >= 0
    counts = np.bincount(index[inside] * width + codes[inside], weights[inside], int(is_large.sum()) * width)
    return index, counts.reshape(-1, width).astype(np.float64)


def _chances(truth: Ints, shown: Ints, prior: Floats, weights: Floats) -> Floats:
    """Return how often each true category (rows) shows each category (columns), shape (categories, categories).

    To the people are added as many for each category as there are categories. Their values are drawn again as often
    as everybody's, in the shares of all, so that the chances of rare categories are not those of single people. A row
    counts as its weight of a person.
    """
    count = len(prior)
    pairs = np.bincount(truth * count + shown, weights, count * count).reshape(count, count)
    changed = float(weights[truth != shown].sum()) / float(weights.sum())
    drawn = min(changed / max(1.0 - float(prior @ prior), GRID), 1.0)
    added = (1 - drawn) * np.eye(count) + drawn * prior
    return np.asarray((pairs + count * added) / (pairs.sum(axis=1, keepdims=True) + count))


def _explained_by_chance(counts: Floats, shares: Floats) -> Bools:
    """Return which classes show the values as all people do but for chance, by the likelihood-ratio test, (classes,).

    Parameters
    ----------
    counts
        People of each class who show each category, shape (classes, categories).
    shares
        Share of all people who show each, shape (categories,).
    """
    from scipy.special import chdtrc, xlogy

    expected = counts.sum(axis=1, keepdims=True) * shares
    ratio = np.divide(counts, expected, out=np.ones_like(counts), where=expected > 0)
    deviance = 2 * xlogy(counts, ratio).sum(axis=1)
    return np.asarray(chdtrc(max(np.count_nonzero(shares) - 1, 1), deviance) > BY_CHANCE)


def _true_shares(counts: Floats, chances: Floats, prior: Floats) -> Floats:
    """Return the likeliest true shares of each class, shape (classes, categories); all people weigh as one member."""
    sizes = counts.sum(axis=1, keepdims=True)
    shares = np.tile(prior, (len(counts), 1))
    for _ in range(_UPDATES):
        progress.check()
        explained = np.divide(counts, shares @ chances, out=np.zeros_like(counts), where=counts > 0)
        updated = (shares * (explained @ chances.T) + prior) / (sizes + 1)
        moved = float(np.abs(updated - shares).max(initial=0.0))
        shares = updated
        if moved < 1e-4:
            break
    return shares


def _least_doubt(observations: csr_array, prior: Floats) -> Floats:
    """Return for each observation the least part of the doubt about a value that it leaves, shape (observations,)."""
    least = np.ones(observations.shape[0])
    rows = np.repeat(np.arange(len(least)), np.diff(observations.indptr))
    np.minimum.at(least, rows, doubt_ratio(observations.data, prior[observations.indices]))
    return least
