"""What an intruder concludes about confidential values in synthetic records, from the rows nearest to a person.

Rows that were made from groups of people, or copied from chosen people, still reveal something about those people. What
counts is how much more they reveal about them than rows made from others.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ppdm_desktop.engine.arrays import GRID, Bools, Floats, Ints, find_first_largest, find_first_smallest
from ppdm_desktop.engine.attacks.class_belief import Values
from ppdm_desktop.engine.attacks.uncertainty import (
    CONFIRMED,
    NAMED,
    RARE_CATEGORY,
    RareSecret,
    Uncertainty,
    WorstCaseGroup,
    measure_rare_secret,
    measure_worst_case,
    uncertainty_ratio,
)
from ppdm_desktop.engine.release.attack_audit.base import pair_released_columns
from ppdm_desktop.engine.release.disclosure.column_belief import ColumnBelief
from ppdm_desktop.engine.release.disclosure.nearest_rows import NEIGHBOURS, Around, NearestRows
from ppdm_desktop.engine.release.disclosure.released import Released
from ppdm_desktop.engine.release.disclosure.singled_out import copy_of_person, list_identifying_columns, share_of_copies
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.utility.cells import merged_categories
from ppdm_desktop.engine.utility.models.crossval import sample_rows

MOST_TARGETS, FEWEST_TARGETS = 2_000, 300
"""Most people on whom the attack is tried, and the fewest in planning; of more, a fixed sample."""
_DRAFT_COMPARISONS = 30_000_000
"""Number of pairs of a person and a row that planning compares at most: below 15,000 rows it tries all of them."""


def artificial_belief(released: Released, name: str) -> ColumnBelief:
    """Return what two intruders conclude about one confidential column of a release of synthetic records.

    The first knows the quasi-identifiers, the second every released column but the confidential ones. Both look at the
    released rows nearest to the person by Gower's distance: at 1, 5 or 25 of them, whichever predicts released rows
    best from other released rows. Where rows are copies of people, they also look for people who are unique. The
    figures ``worst_case`` and ``rare`` of the result are those of the second intruder.
    """
    names = [column.name for column in released.table.columns if column.role != "confidential"]
    quasi = [column.name for column in released.table.with_role("quasi-identifier")]
    everything = _compute_belief(released, name, names)
    return everything if quasi == names else replace(everything, others=_compute_belief(released, name, quasi).others)


def _compute_belief(released: Released, name: str, names: list[str]) -> ColumnBelief:
    """Return what an intruder who knows the columns ``names`` of a person concludes about the column ``name``.

    Both intruders in the result are this one. The targets are a fixed sample of at most 2,000 people with a value, in
    planning of 300 to 2,000, the fewer the more rows are released; where rows are copies, only people who were copied
    are among them. Nothing is learned (ratio 1, no rare categories) if none of these columns is released, nobody has a
    value, or no row shows one.
    """
    candidate = released.candidate
    (truth,), (released_codes,) = pair_released_columns(candidate, [name], with_text=True)
    values, value_codes = _index_released_values(truth, released_codes)
    have = np.flatnonzero((values.codes >= 0) & np.isin(candidate.source_rows, released.people_rows))
    most = MOST_TARGETS
    if released.draft:
        most = int(np.clip(_DRAFT_COMPARISONS // max(len(value_codes), 1), FEWEST_TARGETS, MOST_TARGETS))
    of = have[sample_rows(len(have), most)]
    nothing = Uncertainty.unchanged(len(of))
    rows = _nearest_rows(released, tuple(names))
    if rows.knows_nothing or not len(of) or not (value_codes >= 0).any():
        worst_case = measure_worst_case(nothing, nothing.right)
        return ColumnBelief(name, "made-up", of, len(have), nothing, nothing, worst_case)
    count = _choose_neighbour_count(rows, value_codes, values)
    if rows.are_copies:
        around = rows.of_copied(of, count, value_codes, values.codes[of])
    else:
        around = rows.of_people(of, count)
    uncertainty, worst_case, rare = _compute_neighbour_belief(of, around, value_codes, values, released.k_min)
    if rows.are_copies:
        uncertainty = _add_unique_matches(released, names, of, uncertainty, value_codes, values)
    return ColumnBelief(name, "made-up", of, len(have), uncertainty, uncertainty, worst_case, rare)


def _nearest_rows(released: Released, names: tuple[str, ...]) -> NearestRows:
    """Return the search for the released rows nearest to people by these columns; it is built once and then reused."""
    if names not in released.nearest_rows_by_names:
        released.nearest_rows_by_names[names] = NearestRows(released.candidate, names)
    return released.nearest_rows_by_names[names]


def _add_unique_matches(
    released: Released, names: list[str], of: Ints, uncertainty: Uncertainty, value_codes: Ints, values: Values
) -> Uncertainty:
    """Return the uncertainty of an intruder who also finds people whose known values are unique in the source.

    The intruder takes a released row with these values as a copy of the person's record, with the frequency at which
    this is so in the file. This is tried with all known columns by which people can be found, and with those that are
    no quasi-identifiers. The remaining uncertainty about a person never grows.

    Parameters
    ----------
    released, names
        The table as written, and the columns that the intruder knows.
    of, uncertainty
        The targets' rows in ``final``, and the uncertainty about each from the nearest rows.
    value_codes, values
        Each released row's value as an index into the true values, and these values.
    """
    plain = [column for column in list_identifying_columns(released) if column.name in names]
    # Names that others may know change places among copies; what is left as it was may tell more without them.
    rest = [column for column in plain if column.role != "quasi-identifier"]
    for chosen in (plain, rest):
        rows = copy_of_person(released, chosen)
        share, row = share_of_copies(released, rows), rows[released.candidate.source_rows[of]]
        there = (row >= 0) & (value_codes[row] >= 0)
        guess = np.where(there, value_codes[row], 0)
        prior = values.window_shares[guess]
        ratios = uncertainty_ratio(share + (1 - share) * prior, prior)
        right = there & values.right(guess, values.codes[of])
        uncertainty = uncertainty.least(Uncertainty(np.where(there, ratios, 1.0), right, there & (share >= CONFIRMED)))
    return uncertainty


def _index_released_values(truth: Column, column: Column) -> tuple[Values, Ints]:
    """Return the column's true values, and the index of each released row's value in them, -1 where missing.

    True and released values are numbered together, so the codes can be compared; the second part has shape (rows,).
    `Values.of_numbers` says which guesses of a number are near enough to be right; of a category only the equal one is.
    """
    if truth.kind == column.kind == "numeric":
        step = float(truth.style.step) if truth.style is not None else 1.0
        both = Values.of_numbers(np.concatenate([truth.numbers, column.numbers]), step)
        codes = both.codes
        values = Values(codes[: len(truth)], both.count, both.low, both.high, both.names, True)
        return values, codes[len(truth) :]
    first, second, names = merged_categories(truth, column)
    return Values.of_categories(first, names), second


def _choose_neighbour_count(rows: NearestRows, value_codes: Ints, values: Values) -> int:
    """Return the number of nearest rows, 1, 5 or 25, that predicts the released values best.

    Each row of a sample is predicted by the most frequent value of its neighbours; if several numbers predict equally
    well, the smallest is returned. ``value_codes`` is each released row's index into ``values``.
    """
    tried, order = rows.of_rows()
    best, right = NEIGHBOURS[0], -1
    for most in NEIGHBOURS:
        votes = _compute_vote_shares(value_codes[order[:, :most]], values)
        guess = value_codes[order[np.arange(len(tried)), find_first_largest(votes)]]
        hits = int(values.right(np.maximum(guess, 0), value_codes[tried]).sum())
        if hits > right:
            best, right = most, hits
    return best


def _compute_vote_shares(value_codes: Ints, values: Values) -> Floats:
    """Return for each neighbour's value the share of neighbours for whom it would be a right guess; 0 if missing.

    Neighbours with the categories a, a and b have 2/3, 2/3 and 1/3; a number is also right for near numbers. Neighbours
    whose value is missing count in the denominator: a, a and a missing value have 2/3, 2/3 and 0. ``value_codes`` are
    the neighbours' indices into ``values``; both arrays have shape (targets, neighbours).
    """
    low = np.where(value_codes >= 0, values.low[value_codes], 0)[:, :, None]
    high = np.where(value_codes >= 0, values.high[value_codes], 0)[:, :, None]
    return np.asarray(((value_codes[:, None, :] >= low) & (value_codes[:, None, :] < high)).mean(axis=2))


def _compute_neighbour_belief(
    of: Ints, around: Around, value_codes: Ints, values: Values, k_min: int
) -> tuple[Uncertainty, WorstCaseGroup, tuple[RareSecret, ...]]:
    """Return what an intruder concludes about each target from its nearest rows.

    The guess is the value of a nearest row that the intruder believes in most compared with the control, who guesses
    from rows made of other people. The result is the uncertainty about each target, 1 if no nearest row shows a value;
    how often guesses about the people with the least uncertainty are right; and the holders of rare categories.

    Parameters
    ----------
    of
        The targets' rows in ``final``.
    around
        The rows nearest to each target, among all and among those made of others.
    value_codes, values
        Each released row's value as an index into the true values, and these values.
    k_min
        Weight of the prior in the control, and in the intruder's guess unless the rows are exact copies of the
        person's.
    """
    near, without, exact = around.near, around.without, around.exact
    most = without.shape[1]
    guess = np.where(near >= 0, value_codes[near], -1)
    part = near.shape[1] / np.maximum((near >= 0).sum(axis=1), 1)
    low = np.where(guess >= 0, values.low[guess], 0)[:, :, None]
    high = np.where(guess >= 0, values.high[guess], 0)[:, :, None]
    other_codes = value_codes[without][:, None, :]
    shares = ((other_codes >= low) & (other_codes < high)).mean(axis=2)
    prior = np.where(guess >= 0, values.window_shares[guess], 0.0)
    control = (most * shares + k_min * prior) / (most + k_min)
    # A few rows that agree prove nothing by themselves, so both sides are weighed with the prior in the same way;
    # but a copy of a person's own record is no guess.
    votes = _compute_vote_shares(guess, values) * part[:, None]
    belief = np.where(exact[:, None], votes, (most * votes + k_min * prior) / (most + k_min))
    ratios = np.where(guess >= 0, uncertainty_ratio(belief, control), np.inf)
    best, at = find_first_smallest(ratios), np.arange(len(of))
    codes = values.codes[of]
    right = values.right(np.maximum(guess[at, best], 0), codes)
    confirmed = exact & (belief[at, best] >= CONFIRMED)
    uncertainty = Uncertainty(np.where(np.isfinite(ratios[at, best]), ratios[at, best], 1.0), right, confirmed)
    blind = find_first_largest(_compute_vote_shares(value_codes[without], values))
    is_right: Bools = values.right(np.maximum(value_codes[without][at, blind], 0), codes)
    worst_case = measure_worst_case(uncertainty, is_right)
    return uncertainty, worst_case, tuple(_assess_rare_categories(codes, guess, part, values))


def _assess_rare_categories(codes: Ints, guesses: Ints, part: Floats, values: Values) -> list[RareSecret]:
    """Return for each rare category how well its holders are identified by the nearest rows; empty for numbers.

    Rare is a category that somebody but at most 10 % of the people with a value have, targets or not. A target is named
    as a holder if at least half of the nearest rows show it.

    Parameters
    ----------
    codes, values
        Each target's true value as an index into ``values``.
    guesses, part
        The nearest rows' values, shape (targets, neighbours), -1 without one; and for each target the number of
        neighbours divided by the number of those that are present, 1 if none is lacking.
    """
    if values.numeric:
        return []
    rare_secrets = []
    for code in np.flatnonzero((values.shares > 0) & (values.shares <= RARE_CATEGORY + GRID)).tolist():
        named = (guesses == code).mean(axis=1) * part >= NAMED - GRID
        rare_secrets.append(measure_rare_secret(str(values.names[code]), named, codes == code))
    return rare_secrets
