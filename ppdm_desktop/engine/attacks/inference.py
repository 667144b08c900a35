"""Guesses a confidential value of a person from the release and from the person's quasi-identifiers.

The intruder knows the true quasi-identifiers and guesses in two steps. Naive Bayes, fitted to the released records,
shows which values go with such quasi-identifiers. The released records most like the person then add evidence,
weighted by how reliable such records are: how often the nearest record shows value r where the truth is t is learned
from other people, so the intruder is taken to be well informed. An intruder may do simpler things as well: guess the
commonest value of all, or of the records of a person's group. The guess that is right most often counts. What can be
guessed of anyone is no disclosure. So the control makes the very same guess without what was released of the person:
their record, or all records of their group, are left out of both steps. Only the gain over the control is due to the
person being in the release.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import GRID, AnyInts, Floats, Ints, every_row, find_first_largest
from ppdm_desktop.engine.attacks.gower import Different, Screen, Values, group_equal_records, range_scale

SURE = 0.95
_ROWS = 50_000
_LEAST = 1e-3
"""Least probability of a value by naive Bayes, which takes columns for independent and is too sure of itself."""
_LAPLACE = 0.5


@dataclass(frozen=True, eq=False)
class Side:
    """How often one kind of guess is right, with one entry for each target (an attacked person).

    Attributes
    ----------
    right
        1 where the likeliest value is the true one, else 0.
    sure_and_right
        1 where the guess is right and the intruder gives it a probability of at least 0.95 (`SURE`), else 0.
    """

    right: Floats
    sure_and_right: Floats


@dataclass(frozen=True, eq=False)
class Inferred:
    """Success of the attack, and of its control, which guesses without the records made from the target."""

    attack: Side
    control: Side


@dataclass(frozen=True, eq=False)
class Details:
    """Quasi-identifiers of people or of released records, in the forms that the intruder computes with.

    Attributes
    ----------
    values
        Quasi-identifiers as numbers and names.
    cells
        The same as codes for naive Bayes, one array for each column, -1 where missing.
    owner
        int64, shape (records,): number of the person, or of the group of people, that a record was made from.
    """

    values: Values
    cells: Sequence[AnyInts]
    owner: Ints

    def take(self, rows: Ints) -> Details:
        """Return the known values of some people or records, in the order of ``rows``."""
        return Details(self.values.take(rows), [codes[rows] for codes in self.cells], self.owner[rows])


def infer(
    targets: Details,
    truth: Ints,
    released: Details,
    released_codes: Ints,
    categories: int,
    near_rows: Neighbours | None = None,
    *,
    averaged: bool = False,
) -> Inferred:
    """Return for each target whether the intruder's guess of one confidential column is right, with its control.

    The control guesses without the records made from the target, or from the target's group. Attack and control each
    choose the best of several ways to guess, and also state whether a right guess was made with a probability of at
    least 0.95.

    Parameters
    ----------
    targets
        True quasi-identifiers of the attacked people.
    truth
        The attacked people's true categories, 0 and up; none missing.
    released
        Quasi-identifiers of the released records.
    released_codes
        Category of each released record, -1 where missing.
    categories
        Number of categories.
    near_rows
        The records nearest to these targets among those that show a category; searched when left out.
    averaged
        Whether the released quasi-identifiers are averages of groups, so that the nearest records are one group. This
        is also assumed where several released records have one owner.
    """
    clue = collect_clues(targets, released, released_codes, categories, near_rows)
    marginal = np.bincount(truth, minlength=categories) / max(len(truth), 1)
    grouped = averaged or len(np.unique(released.owner)) < len(released.owner)
    return Inferred(
        _choose_best_guess(clue.prior, clue.near, truth, marginal, grouped=grouped),
        _choose_best_guess(clue.prior_without, clue.near_without, truth, marginal, grouped=grouped),
    )


def _choose_best_guess(prior: Floats, near: Floats, truth: Ints, marginal: Floats, *, grouped: bool) -> Side:
    """Return for each target whether the best of three guesses is right: all clues, commonest value, nearest records.

    The result also says whether it is right and was made with a probability of at least 0.95.

    The best guess is the one that is right most often, the first of several in this order; for targets with even index
    this is learned from those with odd index, and the reverse. The third guess is tried only with ``grouped``, where
    records were made by groups and the nearest records of a person are the whole group. ``prior`` has the chances by
    naive Bayes and ``near`` counts the nearest records, both of shape (targets, categories); ``marginal`` is the share
    of each category among the attacked people.
    """
    sides = [_guess_by_learned_weights(prior, near, truth, len(marginal))]
    sides += [_guess_by_votes(votes, truth, marginal) for votes in (np.zeros_like(near), *([near] if grouped else []))]
    right, sure, odd = np.zeros(len(truth)), np.zeros(len(truth)), (np.arange(len(truth)) % 2).astype(np.bool_)
    for half in (odd, ~odd):
        # Which guess is best is learnt from other people than those who are guessed.
        best = max(sides, key=lambda side: float(side.right[~half].sum()))
        right[half], sure[half] = best.right[half], best.sure_and_right[half]
    return Side(right, sure)


def _guess_by_votes(votes: Floats, truth: Ints, marginal: Floats) -> Side:
    """Return for each target whether the category with most votes is its true one, and whether the guess is also sure.

    Sure means that at least 0.95 of the target's votes are for it; only right guesses are marked as sure. Of tied
    categories the commonest is guessed; a target without votes gets the commonest category of all, whose share among
    all people then has to be 0.95. ``votes`` are counts, shape (targets, categories); ``marginal`` is the share of each
    category among the attacked people.
    """
    chance = np.where(votes.any(axis=1, keepdims=True), _to_row_shares(votes), marginal)
    is_best = chance >= chance.max(axis=1, keepdims=True) - GRID
    return _score_guesses(chance, find_first_largest(np.where(is_best, marginal, -1.0)), truth)


def _score_guesses(chance: Floats, guess: Ints, truth: Ints) -> Side:
    """Return which guesses are right, and which are right and have a probability of at least 0.95 (``SURE``).

    ``chance`` has each target's probability of each category, ``guess`` and ``truth`` one category for each target.
    """
    right = guess == truth
    sure = chance[np.arange(len(truth)), guess] >= SURE - GRID
    return Side(right.astype(np.float64), (right & sure).astype(np.float64))


@dataclass(frozen=True, eq=False)
class Clues:
    """The evidence on each target's category, as arrays of shape (targets, categories).

    Attributes
    ----------
    prior, near
        Probability by naive Bayes, and how many of the nearest released records show each category.
    prior_without, near_without
        Both computed without the records made from the target.
    """

    prior: Floats
    near: Floats
    prior_without: Floats
    near_without: Floats


def collect_clues(
    targets: Details, released: Details, released_codes: Ints, categories: int, near_rows: Neighbours | None = None
) -> Clues:
    """Return naive Bayes probabilities and nearest records' votes for each target, with and without own records.

    All arrays have shape (targets, categories). Votes are numbers of records, 0 for a target without a nearest record.

    Parameters
    ----------
    targets
        True quasi-identifiers of the attacked people.
    released, released_codes
        The released records, and the category of each, -1 where missing.
    categories
        Number of categories.
    near_rows
        The records nearest to the targets among those that show a category; searched where None.
    """
    if near_rows is None:
        near_rows = find_near_records(targets, released, np.flatnonzero(released_codes >= 0))
    near, near_without = near_rows.votes(released_codes, categories)
    prior, prior_without = _fit_naive_bayes(targets, released, released_codes, categories)
    return Clues(prior, near, prior_without, near_without)


def weigh_clues(prior: Floats, near: Floats, learned: Floats, truth: Ints, categories: int) -> Floats:
    """Return each target's probability of each category from both kinds of evidence.

    The result is float64, shape (targets, categories). Each row sums to 1; it is all 0 where the prior times the
    evidence is 0 for every category. ``prior`` alone, scaled to sum 1, counts for a target without a nearest record
    that shows a category. Targets with one nearest record, with several that agree, and with several that differ are
    each weighed by what was learned from people of the same kind.

    Parameters
    ----------
    prior, near
        Probabilities by naive Bayes, and counts of the nearest records that show each category.
    learned, truth
        The nearest records' categories of other people, counted as in ``near``, and these people's true categories:
        from them the intruder learns what the nearest records are worth.
    categories
        Number of categories.
    """
    look, learned_look = _classify_agreement(near), _classify_agreement(learned)
    shares, taught = _to_row_shares(near), _to_row_shares(learned)
    chance = prior.copy()
    for kind in np.unique(look[look > 0]):
        here, like = look == kind, learned_look == kind
        chance[here] *= shares[here] @ _estimate_likelihood_ratio(taught[like], truth[like], categories)
    total = chance.sum(axis=1, keepdims=True)
    return np.asarray(chance / np.where(total > 0, total, 1.0))


def _to_row_shares(near: Floats) -> Floats:
    """Return counts as shares of their row's total; a row without counts stays at 0.

    Counts are whole numbers: a total below 1 would be taken as 1.
    """
    return np.asarray(near / np.maximum(near.sum(axis=1, keepdims=True), 1.0))


def _guess_by_learned_weights(prior: Floats, near: Floats, truth: Ints, categories: int) -> Side:
    """Return for each target whether naive Bayes with nearest records guesses right, and whether it is also sure.

    Sure means a probability of at least 0.95; only right guesses are marked as sure. Weights for targets with even
    index are learned from those with odd index, and the reverse. ``prior`` (probabilities) and ``near`` (counts) have
    shape (targets, categories), ``truth`` is each target's true category.
    """
    odd = (np.arange(len(truth)) % 2).astype(np.bool_)
    chance = prior.copy()
    for half in (odd, ~odd):
        chance[half] = weigh_clues(prior[half], near[half], near[~half], truth[~half], categories)
    return _score_guesses(chance, find_first_largest(chance), truth)


def _estimate_likelihood_ratio(near: Floats, truth: Ints, categories: int) -> Floats:
    """Return P(nearest record shows r | truth t) / P(nearest record shows r), shape (r, t).

    ``near`` has the share of each category among a target's nearest records, shape (targets, categories), ``truth`` the
    true category of each target. Half a target is added to each truth, which decides for a rare one: its nearest record
    shows the truth more often than chance by the amount that all targets have together, and otherwise follows the
    shares of the categories among all nearest records.
    """
    seen = np.zeros((categories, categories))
    for value in range(categories):
        seen[:, value] = near[truth == value].sum(axis=0)
    total = float(seen.sum())
    blind_shares = (seen.sum(axis=1) + _LAPLACE / categories) / (total + _LAPLACE)
    blind = float(blind_shares @ (seen.sum(axis=0) / max(total, 1.0)))
    agree = float(np.trace(seen)) / (total + 1.0)
    kept = max(agree - blind, 0.0) / max(1.0 - blind, 1e-12)
    counts = seen + _LAPLACE * ((1 - kept) * blind_shares[:, None] + kept * np.eye(categories))
    shares = counts / counts.sum(axis=0)
    anyhow = counts.sum(axis=1) / counts.sum()
    return np.asarray(shares / anyhow[:, None])


def _classify_agreement(near: Floats) -> Ints:
    """Return a code for each target: 0 without a nearest record, 1 for one, 2 for several that agree, 3 for others.

    ``near`` counts the nearest records that show each category, shape (targets, categories).
    """
    many, most = near.sum(axis=1), near.max(axis=1, initial=0.0)
    return np.select([many == 0, many == 1, most == many], [0, 1, 2], 3).astype(np.int64)


@dataclass(frozen=True, eq=False)
class Neighbours:
    """The released records nearest to each target, computed once for all confidential columns.

    Attributes
    ----------
    rows
        Indices of the released records that are searched, shape (records,).
    looks
        int64, shape (records,): number of the distinct combination of values of each record, 0 and up.
    targets
        Number of attacked people.
    with_own, without
        Each pair of a target and a nearest combination of values, with the target's own records and without them.
    own_pairs
        Each pair of a target and one of its own records (index into ``rows``) whose combination is in ``without``, so
        that it has to be subtracted.
    """

    rows: Ints
    looks: Ints
    targets: int
    with_own: tuple[Ints, Ints]
    without: tuple[Ints, Ints]
    own_pairs: tuple[Ints, Ints]

    def votes(self, released_codes: Ints, categories: int) -> tuple[Floats, Floats]:
        """Return how many nearest records show each category: the nearest of all, and of those not the target's own.

        Returns
        -------
        tuple of Floats and Floats
            Counts of shape (targets, categories) each. Only the records in ``rows`` are counted; each of these must
            show a category (no -1).
        """
        labels = released_codes if len(self.rows) == len(released_codes) else released_codes[self.rows]
        # Few of all looks are near anybody: only those are counted.
        near = np.unique(np.concatenate([self.with_own[1], self.without[1]]))
        look_index = np.full(int(self.looks.max(initial=-1)) + 1, -1, dtype=np.int64)
        look_index[near] = np.arange(len(near))
        counts = np.zeros(len(near) * categories)
        for low in range(0, len(labels), _ROWS):
            at = look_index[self.looks[low : low + _ROWS]]
            there = at >= 0
            counts += np.bincount(at[there] * categories + labels[low : low + _ROWS][there], minlength=len(counts))
        table = counts.reshape(len(near), categories)
        both_votes = np.zeros((2, self.targets, categories))
        for side, (who, look) in zip(both_votes, (self.with_own, self.without), strict=True):
            np.add.at(side, who, table[look_index[look]])
        np.subtract.at(both_votes[1], (self.own_pairs[0], labels[self.own_pairs[1]]), 1.0)
        return both_votes[0], both_votes[1]


def find_near_records(targets: Details, released: Details, rows: Ints) -> Neighbours:
    """Return the released records nearest to each target, with the target's own records and without them.

    Nearest is meant by Gower's distance (see `gower`), and all equally near records are included. Where ``rows`` is
    empty the result has no neighbours; where all of them are the target's own, there are none without these.

    Parameters
    ----------
    targets, released
        Quasi-identifiers of the attacked people and of the released records.
    rows
        Indices of the released records that are searched, rising.
    """
    count = len(targets.owner)
    nothing = np.zeros(0, dtype=np.int64)
    if not len(rows):
        return Neighbours(rows, nothing, count, (nothing, nothing), (nothing, nothing), (nothing, nothing))
    values, owner = released.values, released.owner
    if len(rows) < len(owner):
        values, owner = values.take(rows), owner[rows]
    looks = group_equal_records(values)
    progress.check()
    scale = range_scale(values.numbers)
    progress.check()
    different = Different(values, looks.first, scale)
    many = looks.sizes
    order, start, stop = _find_owner_rows(targets.owner, owner)
    progress.check()
    screen = Screen(Values(targets.values.numbers * scale, targets.values.codes), different)
    progress.check()
    pairs_by_side: list[list[tuple[Ints, Ints]]] = [[], [], []]
    for block in screen.blocks():
        low = int(block[0])
        progress.report(low / count, "doing.audit")
        look = screen.look(block)
        who, near, _ = look.nearest()
        pairs_by_side[0].append((low + who, near))
        mine: list[Ints] = []
        for block_index, target in enumerate(block.tolist()):
            own_rows = order[start[target] : stop[target]]
            class_ids, counts = np.unique(looks.ids[own_rows], return_counts=True)
            gone = class_ids[counts >= many[class_ids]]
            look.leave_out(block_index, gone)
            mine.append(own_rows[~np.isin(looks.ids[own_rows], gone)])
        who, near, least = look.nearest()
        pairs_by_side[1].append((low + who, near))
        who, own_rows = np.repeat(np.arange(len(block)), [len(part) for part in mine]), np.concatenate(mine)
        among = screen.exact(block[who], looks.ids[own_rows]) <= least[who] + GRID
        pairs_by_side[2].append((low + who[among], own_rows[among]))
    with_own, without, own_ones = (_join_pairs(pairs) for pairs in pairs_by_side)
    return Neighbours(rows, looks.ids, count, with_own, without, own_ones)


def _find_owner_rows(wanted: Ints, owner: Ints) -> tuple[Ints, Ints, Ints]:
    """Return row indexes sorted by owner, and where each wanted owner's rows begin and end (exclusive) in that order.

    Begin and end are equal for an owner without rows.
    """
    if bool((owner[1:] >= owner[:-1]).all()):
        order = every_row(len(owner))
    else:
        order = np.argsort(owner, kind="stable")
        owner = owner[order]
    return order, np.searchsorted(owner, wanted, "left"), np.searchsorted(owner, wanted, "right")


def _join_pairs(pairs: Sequence[tuple[Ints, Ints]]) -> tuple[Ints, Ints]:
    """Return pairs of arrays (targets, rows) joined into one array of targets and one of rows."""
    empty = np.zeros(0, dtype=np.int64)
    return np.concatenate([empty, *(who for who, _ in pairs)]), np.concatenate([empty, *(row for _, row in pairs)])


def _fit_naive_bayes(
    targets: Details, released: Details, released_codes: Ints, categories: int
) -> tuple[Floats, Floats]:
    """Return naive Bayes probabilities of each category, fitted with the target's own records and without them.

    Both arrays have shape (targets, categories). Records without a category (-1) are not used, 0.5 is added to each
    count, and a missing quasi-identifier counts as a value. No probability is below 0.001, so a row may sum to
    slightly more than 1.
    """
    rows = np.flatnonzero(released_codes >= 0)
    whole = len(rows) == len(released_codes)
    labels, owner = (released_codes, released.owner) if whole else (released_codes[rows], released.owner[rows])
    order, start, stop = _find_owner_rows(targets.owner, owner)
    # One line for each pair of target and own released record.
    lengths = stop - start
    person = np.repeat(np.arange(len(lengths)), lengths)
    inside = np.arange(len(person)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    mine = order[np.repeat(start, lengths) + inside]
    own_counts = np.zeros((len(lengths), categories))
    np.add.at(own_counts, (person, labels[mine]), 1.0)
    counts = np.bincount(labels, minlength=categories).astype(np.float64)
    logs = [np.log(np.tile(counts, (len(lengths), 1)) + _LAPLACE), np.log(counts - own_counts + _LAPLACE)]
    for cell, column in zip(targets.cells, released.cells, strict=True):
        progress.check()
        width = max(int(column.max(initial=-1)), int(cell.max(initial=-1))) + 2
        there = column if whole else column[rows]
        cells = np.zeros(width * categories, dtype=np.int64)
        for low in range(0, len(there), _ROWS):
            part = slice(low, low + _ROWS)
            keys = (there[part].astype(np.int64) + 1) * categories + labels[part]
            cells += np.bincount(keys, minlength=len(cells))
        table = cells.reshape(width, categories).astype(np.float64)
        same = there[mine] == cell[person]
        own_here = np.zeros_like(own_counts)
        np.add.at(own_here, (person[same], labels[mine[same]]), 1.0)
        seen = table[cell.astype(np.int64) + 1]
        logs[0] += np.log(seen + _LAPLACE) - np.log(counts + _LAPLACE * width)
        logs[1] += np.log(seen - own_here + _LAPLACE) - np.log(counts - own_counts + _LAPLACE * width)
    return _to_probabilities(logs[0]), _to_probabilities(logs[1])


def _to_probabilities(log: Floats) -> Floats:
    """Return probabilities from log weights, each row scaled to sum 1 and then raised to at least 0.001."""
    chances = np.exp(log - log.max(axis=1, keepdims=True))
    return np.asarray(np.maximum(chances / chances.sum(axis=1, keepdims=True), _LEAST))
