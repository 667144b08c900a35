"""Costs for phase II that bring the released relations as near to the original's as a temperature allows.

Wanted are chances of each record for each category that minimise N · I-divergence of the naive Bayes joint
(``relations.divergence``) less temperature · entropy, with phase I's counts kept. The divergence is convex in the
tables attribute × category and these are linear in the chances, so its gradient is a sum of one term for each
attribute: a table of costs for each attribute, found by averaged gradient steps. Choosing by these costs over the
temperature with Gumbel noise of scale 1 draws from exactly these chances.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Bools, Floats, Ints
from ppdm_desktop.engine.methods.algorithms.swapping.participants import ColumnInput, Members
from ppdm_desktop.engine.methods.algorithms.swapping.problem import GROUP_MEMBER
from ppdm_desktop.engine.methods.algorithms.swapping.relations import SMOOTHING, Relations
from ppdm_desktop.engine.randomness import RandomStream
from ppdm_desktop.engine.retracing.naive_bayes import log_posteriors

Leaning = Literal["even", "certain"]
"""Who changes beyond what the relations require: everybody equally, or those whose value is easily predicted."""

_ROUNDS = 60
_BALANCING = 6
_AVERAGED = 20
_WARM, _COOLED = 1.0, 0.9
_SAMPLE = 20_000
# How plain a value counts at most, in nats between the likeliest and the second category.
_PLAINEST = 4.0
# Everybody's weight besides: a record of which nothing is known must be able to change as well.
_LEAST_PLAIN = 0.02
_STEP = 2.0


@dataclass(frozen=True, eq=False)
class Participants:
    """The data of a swap's participants that calibration needs.

    Attributes
    ----------
    relations, before
        The tables of the column, as they are before the swap.
    rows, truth, level, is_member
        Record, true category and level of each participant, and whether it must change (a group's member).
    changes
        Changes due among the unique records of each level.
    others
        The tables of everybody else.
    cooling
        What the costs of each are multiplied by: below 1 for a level that asks for more randomness, 0 for uniform.
    plainness
        By how many nats the likeliest category of each exceeds the second, by all other records.
    """

    relations: Relations
    before: list[Floats]
    rows: Ints
    truth: Ints
    level: Ints
    is_member: Bools
    changes: Ints
    others: list[Floats]
    cooling: Floats
    plainness: Floats

    @classmethod
    def of(cls, column: ColumnInput, members: Members) -> Participants:
        """Return the participants of a column's swap."""
        relations = Relations(column)
        rest = column.truth.copy()
        rest[members.rows] = -1
        truth = column.truth[members.rows]
        temperatures = np.array([demand.temperature for demand in members.demands])
        weakest = temperatures[0] if 0 < temperatures[0] < np.inf else 1.0
        with np.errstate(divide="ignore"):
            cooling = np.minimum(1.0, weakest / temperatures)
        return cls(
            relations,
            relations.tables(column.truth),
            members.rows,
            truth,
            members.level.astype(np.int64),
            members.demand == GROUP_MEMBER,
            members.changes,
            relations.tables(rest),
            np.where(np.isinf(temperatures), 0.0, cooling)[members.level],
            _plainness(column, members.rows, truth),
        )


def _plainness(column: ColumnInput, rows: Ints, truth: Ints) -> Floats:
    """Return how predictable each record's category is from all other records, in nats, by rescaled naive Bayes.

    Naive Bayes counts related attributes twice and is too sure of itself; one exponent, chosen by maximum likelihood,
    corrects that.
    """
    from scipy.optimize import minimize_scalar  # late: SciPy takes long to load

    if not len(rows):
        return np.zeros(0)
    quasi_codes = [codes[column.people.first_rows].astype(np.int64) for codes in column.quasi]
    log = log_posteriors(
        quasi_codes, column.truth, column.categories, rows, smoothing=SMOOTHING, leave_out=True, views=column.views
    )
    log -= log.max(axis=1, keepdims=True)
    true_log = log[np.arange(len(rows)), truth]

    def surprise(exponent: float) -> float:
        return float((np.log(np.exp(exponent * log).sum(axis=1)) - exponent * true_log).mean())

    exponent = float(minimize_scalar(surprise, bounds=(0.02, 2.0), method="bounded").x)
    two = np.sort(exponent * log, axis=1)[:, -2:]
    return np.asarray(np.minimum(two[:, 1] - two[:, 0], _PLAINEST))


def calibrated_costs(given: Participants, temperature: float, leaning: Leaning, stream: RandomStream) -> Floats:
    """Return costs, in units of the Gumbel noise that will blur them, shape (participants, categories).

    Parameters
    ----------
    given
        Who takes part.
    temperature
        Nats of divergence that one nat of randomness is worth, above 0.
    leaning
        Who changes beyond what the relations ask for. ``certain``: in proportion to how plain the value is. A
        record that nobody can guess then keeps or changes its value as the relations have it, whatever its truth;
        an intruder's best guess of a plain one stays what it is without the record.
    stream
        Draws the records that the costs are found from, where there are more than 20,000.
    """
    records, width = len(given.rows), given.relations.categories
    weight = np.ones(records) if leaning == "even" else given.plainness + _LEAST_PLAIN
    weight = np.where(given.is_member, 0.0, weight)
    sample = np.arange(records)
    if records > _SAMPLE:
        sample = np.sort(stream.permutation(records)[:_SAMPLE])
    fitted = _fit(given, sample, temperature, weight)
    costs = _spread(given, np.arange(records), fitted.tables) * (given.cooling / temperature)[:, None]
    kept_weight = fitted.keep[given.level] * weight
    costs -= fitted.category
    costs[np.arange(records), given.truth] -= kept_weight
    return np.asarray(costs.reshape(records, width))


@dataclass(frozen=True, eq=False)
class _Fitted:
    """A fitted preference of the swap: effects of attributes, of categories, and of keeping a value."""

    tables: list[Floats]
    category: Floats
    keep: Floats


def _spread(given: Participants, which: Ints, tables: list[Floats]) -> Floats:
    """Return for each record the sum of its attributes' table entries; the mean over the rows of a person."""
    rows, record_index, part = given.relations.rows_of(given.rows[which])
    spread = given.relations.spread(tables, rows)
    if len(rows) == len(which):
        return spread
    gathered = [np.bincount(record_index, column * part, len(which)) for column in spread.T]
    return np.column_stack(gathered)


def _fit(given: Participants, which: Ints, temperature: float, weight: Floats) -> _Fitted:
    """Return the costs by attribute, category and level that reach the wanted chances, by gradient steps."""
    relations, width = given.relations, given.relations.categories
    rows, record_index, part = relations.rows_of(given.rows[which])
    truth, level, member = given.truth[which], given.level[which], given.is_member[which]
    cooling, weight, index = given.cooling[which], weight[which], np.arange(len(which))
    larger = len(given.rows) / max(len(which), 1)
    levels = len(given.changes)
    wanted = np.bincount(truth, minlength=width).astype(np.float64)
    unique = np.bincount(level[~member], minlength=levels).astype(np.float64)
    everybody = np.bincount(given.level[~given.is_member], minlength=levels)
    kept = unique * (1.0 - given.changes / np.maximum(everybody, 1))
    tables = [np.zeros(shape) for shape in relations.shapes]
    category, keep = np.zeros(width), np.zeros(levels)
    for turn in range(_ROUNDS):
        progress.check()
        # Cooled down step by step: at a low temperature the first gradients would throw the chances about.
        now = max(temperature, _WARM * _COOLED**turn)
        start = -_spread(given, which, tables) * (cooling / now)[:, None]
        start[index[member], truth[member]] = -np.inf
        for _ in range(_BALANCING):
            scores = start + category
            scores[index, truth] += np.where(member, 0.0, keep[level] * weight)
            scores -= scores.max(axis=1, keepdims=True)
            chances = np.exp(scores)
            chances /= chances.sum(axis=1, keepdims=True)
            apart = np.log((wanted + 1e-9) / (chances.sum(axis=0) + 1e-9))
            category += 0.9 * np.clip(apart, -_STEP, _STEP)
            category -= category.mean()
            true_chances = chances[index, truth]
            steep = np.bincount(level, np.where(member, 0.0, true_chances * (1.0 - true_chances) * weight), levels)
            short = kept - np.bincount(level, np.where(member, 0.0, true_chances), levels)
            keep += np.clip(short / np.maximum(steep, 1e-6), -0.5, 0.5)
        share = 2.0 / (turn + 2) if turn < _AVERAGED else min(0.1, 2.0 * now)
        of_row = chances[record_index] * (part * larger)[:, None]
        for number, counts in enumerate(relations.counted(of_row, rows)):
            after = given.others[number] + counts
            slope = -(given.before[number] + SMOOTHING) / (after + SMOOTHING)
            tables[number] = (1.0 - share) * tables[number] + share * slope
    return _Fitted(tables, category, keep)
