"""Costs for phase II that bring the released relations as near to the original's as a temperature allows.

Wanted are chances of each record for each category that minimise N · I-divergence of the naive Bayes joint
(``relations.divergence``) less temperature · entropy, with phase I's counts kept. The divergence is convex in the
tables attribute × category and these are linear in the chances, so its gradient is a sum of one term for each
attribute: a table of costs for each attribute, found by averaged gradient steps. Choosing by these costs over the
temperature with Gumbel noise of scale 1 draws from exactly these chances.

The relations between each attribute and the swapped columns, and how far a swap changes them.

The calibrated search: of several temperatures the one that keeps most and cannot be retraced.

Each setting is drawn completely, with the key's numbers, and attacked as it would be released. Among the settings
whose retracing by naive Bayes and by gradient boosting gains nothing over the same attack without the person's
record, the one of least divergence is taken. Where none passes, records are chosen without regard to relations.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Bools, Floats, Ints
from ppdm_desktop.engine.methods.algorithms.swapping.participants import ColumnInput, Members, Streams
from ppdm_desktop.engine.methods.algorithms.swapping.problem import GROUP_MEMBER
from ppdm_desktop.engine.randomness import RandomStream
from ppdm_desktop.engine.retracing.trial import Trial, Tried, log_posteriors

# --- relations ----------------------------------------------------------------------------

# Added to every cell of a value that occurs, before and after: a pair that a swap wipes out costs much, not infinity.
SMOOTHING = 0.5


class Relations:
    """The tables attribute × category of the confidential columns swapped as one unit; each person counts once.

    Parameters
    ----------
    column
        One column, or several as one, with the attributes (the quasi-identifiers); a missing value of these is a
        value of its own. Of several columns each has its own tables: how the columns go together is what the
        combinations keep by themselves.
    """

    def __init__(self, column: ColumnInput) -> None:
        """Take the codes of the quasi-identifiers and the views by which the column is compared with them.

        Codes are stored from 1, with 0 for missing. A column swapped alone has one view, None.
        """
        self.categories = column.categories
        self.codes = [codes.astype(np.int64) + 1 for codes in column.quasi]
        self.widths = [int(codes.max(initial=0)) + 1 for codes in self.codes]
        self.views: tuple[Ints | None, ...] = column.views or (None,)
        self._people = column.people

    @property
    def columns(self) -> int:
        """Number of columns that are swapped as one."""
        return len(self.views)

    @property
    def shapes(self) -> list[tuple[int, int]]:
        """The shape of each table, (values of an attribute, categories of a column).

        All attributes with the first column come first, then with the next.
        """
        return [(values, self._count_categories(view)) for view in self.views for values in self.widths]

    def _count_categories(self, view: Ints | None) -> int:
        """Return the number of categories in one of the swapped columns, by its view; of the whole combination if None.

        A view holds the column's category in each combination.
        """
        return self.categories if view is None else int(view.max(initial=0)) + 1

    def spread(self, tables: Sequence[Floats], rows: Ints) -> Floats:
        """Return for each of ``rows`` the sum of its attributes' table entries, float64, shape (rows, categories).

        ``tables`` holds one table for each attribute and column, in the order of ``shapes``.
        """
        spread = np.zeros((len(rows), self.categories))
        for number, view in enumerate(self.views):
            part = spread if view is None else np.zeros((len(rows), self._count_categories(view)))
            for codes, table in zip(self.codes, tables[number * len(self.codes) :], strict=False):
                part += table[codes[rows]]
            if view is not None:
                spread += part[:, view]
        return spread

    def counted(self, weights: Floats, rows: Ints) -> list[Floats]:
        """Return the tables attribute × category of ``rows``, in which each row counts partly for every category.

        Shapes and order as in ``tables``.

        Parameters
        ----------
        weights
            What each row counts for each category, shape (rows, categories).
        rows
            The rows.
        """
        counted: list[Floats] = []
        for view in self.views:
            parts = weights if view is None else weights @ np.eye(self._count_categories(view))[view]
            for codes, values in zip(self.codes, self.widths, strict=True):
                columns = [np.bincount(codes[rows], column, values) for column in parts.T]
                counted.append(np.column_stack(columns).astype(np.float64, copy=False))
        return counted

    def rows_of(self, records: Ints) -> tuple[Ints, Ints, Floats]:
        """Return the rows of ``records``, for each row the position of its record in ``records``, and its weight.

        All of the same length. A row weighs 1 / the number of rows of its person.
        """
        people = self._people
        if not people.with_several:
            return records, np.arange(len(records)), np.ones(len(records))
        index = np.full(people.count, -1, dtype=np.int64)
        index[records] = np.arange(len(records))
        rows = np.flatnonzero(index[people.of_row] >= 0)
        return rows, index[people.of_row[rows]], 1.0 / people.sizes[people.of_row[rows]]

    def tables(self, released: Ints) -> list[Floats]:
        """Return the tables attribute × category, in the shapes of ``shapes``; each person counts once.

        Parameters
        ----------
        released
            Category of each record, -1 where missing: not counted.
        """
        records = np.flatnonzero(released >= 0)
        rows, record_index, weight = self.rows_of(records)
        tables = []
        for view in self.views:
            released_codes, width = released[records][record_index], self._count_categories(view)
            released_codes = released_codes if view is None else view[released_codes]
            for codes, values in zip(self.codes, self.widths, strict=True):
                cells = np.bincount(codes[rows] * width + released_codes, weight, values * width)
                tables.append(cells.reshape(values, width).astype(np.float64))
        return tables

    def divergence(self, before: Sequence[Floats], after: Sequence[Floats]) -> float:
        """Return the I-divergence between the tables before and after a swap, in nats.

        For several columns the sum over them.
        """
        many = len(self.codes)
        ends = range(0, self.columns * many, max(many, 1))
        return sum(divergence(before[at : at + many], after[at : at + many]) for at in ends)


def divergence(before: Sequence[Floats], after: Sequence[Floats]) -> float:
    """Return the I-divergence, in nats, of the naive Bayes joint after a swap from that before (paper, G2).

    The joint of naive Bayes is P(c) · Π P(a | c), so the divergence is the sum over attributes of that between the
    tables attribute × category, less the repeated divergence of the categories alone. Computed from the released
    tables; the paper's objective (12) approximates it (Li & Sarkar 2004).

    Never below 0.

    Parameters
    ----------
    before, after
        As ``Relations.tables`` counts them, at least one.
    """
    total, of_categories = 0.0, 0.0
    for first, second in zip(before, after, strict=True):
        held = first.sum(axis=1) > 0
        before_shares, after_shares = first[held] + SMOOTHING, second[held] + SMOOTHING
        before_shares, after_shares = before_shares / before_shares.sum(), after_shares / after_shares.sum()
        total += float((before_shares * np.log(before_shares / after_shares)).sum())
        here, there = before_shares.sum(axis=0), after_shares.sum(axis=0)
        of_categories += float((here * np.log(here / there)).sum())
    return max(0.0, total - of_categories * (len(before) - 1) / len(before))


# --- calibration --------------------------------------------------------------------------

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
        """Return the participants of a column's swap with the tables and weights that calibration needs."""
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
            _compute_predictability(column, members.rows, truth),
        )


def _compute_predictability(column: ColumnInput, rows: Ints, truth: Ints) -> Floats:
    """Return how predictable each record's category is from all other records, in nats, shape (rows,).

    It is the log of the ratio of the two most probable categories by naive Bayes, at most 4. Naive Bayes counts related
    attributes twice and is too sure of itself; one exponent, chosen by maximum likelihood, corrects that. ``truth``
    holds the true categories of ``rows``.
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
        """Return the mean negative log-likelihood of the true categories with posteriors raised to an exponent."""
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
    fitted = _fit_costs(given, sample, temperature, weight)
    costs = _sum_table_entries(given, np.arange(records), fitted.tables) * (given.cooling / temperature)[:, None]
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


def _sum_table_entries(given: Participants, which: Ints, tables: list[Floats]) -> Floats:
    """Return for the participants ``which`` the sum of their attributes' table entries; the mean over a person's rows.

    float64, shape (which, categories).
    """
    rows, record_index, part = given.relations.rows_of(given.rows[which])
    spread = given.relations.spread(tables, rows)
    if len(rows) == len(which):
        return spread
    gathered = [np.bincount(record_index, column * part, len(which)) for column in spread.T]
    return np.column_stack(gathered)


def _fit_costs(given: Participants, which: Ints, temperature: float, weight: Floats) -> _Fitted:
    """Return the costs by attribute, category and level that reach the wanted chances, by gradient steps.

    ``which`` are the participants that they are fitted on, ``weight``, shape (participants,), how much more a record
    keeps its value where more are to keep theirs; 0 for members of groups, which all change.
    """
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
        start = -_sum_table_entries(given, which, tables) * (cooling / now)[:, None]
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


Draw = Callable[[Floats], Ints]
"""Takes costs of the participants, in units of the Gumbel noise; returns every record's category after both phases."""

LEAST_TEMPERATURE, RUNGS = 0.07, 13
"""The lowest temperature, and how many there are: each is the square root of two times the one before."""
# Every so many of the temperatures are tried, by the participants up to which.
_EVERY = ((5_000, 1), (100_000, 3))
_EVERY_OF_MANY = 6
_EVERY_WHEN_ROUGH = 3


@dataclass(frozen=True)
class Point:
    """The result of one search: how much it changes relations, and how well it can be retraced.

    Attributes
    ----------
    search
        ``calibrated``, ``random``, ``exact``, ``greedy`` or ``as-set`` (the step's own, where it is another), all
        on the same people and counts.
    divergence
        I-divergence of the naive Bayes joint from the original's, nats.
    bayes, boosting
        Retracing by each; boosting is None where nobody was attacked by it.
    """

    search: str
    divergence: float
    bayes: Tried
    boosting: Tried | None

    @property
    def gains_nothing(self) -> bool:
        """Whether no attack does better than the interval of the same attack without the person's record.

        An attack that was not made counts as gaining nothing.
        """
        return self.bayes.gains_nothing and (self.boosting is None or self.boosting.gains_nothing)


@dataclass(frozen=True, eq=False)
class Calibration:
    """The choice of the calibrated search.

    Attributes
    ----------
    temperature
        Nats of divergence that a nat of randomness is worth; None where records were chosen without regard to
        relations because every setting could be retraced.
    leaning
        Who changes beyond what the relations ask for; None as above.
    tried
        Settings drawn.
    chosen
        The point released.
    frontier
        That point and those of the other searches, on the same draw of people and counts.
    """

    temperature: float | None
    leaning: Leaning | None
    tried: int
    chosen: Point
    frontier: tuple[Point, ...]

    @property
    def kept(self) -> float | None:
        """Share of the relations lost by a random choice that this choice keeps; below 0 where it loses more.

        It is 1 - divergence / divergence of the random choice; None where the random choice loses none.
        """
        random = next(point.divergence for point in self.frontier if point.search == "random")
        return 1.0 - self.chosen.divergence / random if random > 0 else None


class Calibrator:
    """Draws, measures and attacks settings of the search for one column.

    Parameters
    ----------
    column, members
        The column and who takes part.
    streams
        The key's stream for a purpose.
    rough
        Try fewer temperatures: what a swap would come to, before it is made.
    """

    def __init__(self, column: ColumnInput, members: Members, streams: Streams, *, rough: bool = False) -> None:
        """Prepare a trial on the column's true values with draws of the stream ``calibration``.

        Nothing is tried yet.
        """
        self._rough = rough
        self._given = Participants.of(column, members)
        self._streams = streams
        quasi_codes = [codes[column.people.first_rows].astype(np.int64) for codes in column.quasi]
        unique, stream = members.identified.unique, streams("calibration")
        self._trial = Trial(quasi_codes, column.truth, column.categories, unique, stream, column.views)

    def divergence(self, released: Ints) -> float:
        """Return the I-divergence, in nats, of the relations of the released categories from those of the true ones.

        ``released`` is the category of each record, -1 where missing.
        """
        relations = self._given.relations
        return relations.divergence(self._given.before, relations.tables(released))

    def point(self, search: str, released: Ints) -> Point:
        """Return the divergence of categories that a search would release, and how well two attacks retrace them."""
        bayes = self._trial.by_bayes(released)
        return Point(search, self.divergence(released), bayes, self._trial.by_boosting(released))

    def settings(self) -> list[tuple[Leaning, float]]:
        """Return the (leaning, temperature) pairs to try, fewer for more records.

        All temperatures of the leaning ``even`` come first, rising, then those of ``certain``. A leaning says who
        changes beyond what relations require: everybody equally, or those whose value is easily predicted.
        """
        records = len(self._given.rows)
        every = next((step for most, step in _EVERY if records <= most), _EVERY_OF_MANY)
        every = max(every, _EVERY_WHEN_ROUGH) if self._rough else every
        rungs = range(0, RUNGS, every)
        leanings: tuple[Leaning, ...] = ("even", "certain")
        return [(leaning, LEAST_TEMPERATURE * 2 ** (rung / 2)) for leaning in leanings for rung in rungs]

    def costs(self, leaning: Leaning, temperature: float) -> Floats:
        """Return the costs of the participants for a setting, float64, shape (participants, categories)."""
        return calibrated_costs(self._given, temperature, leaning, self._streams("calibration-sample"))

    def search(self, draw: Draw) -> tuple[Floats, Leaning | None, float | None, int, Point]:
        """Return costs, leaning and temperature of the chosen setting, the number of settings tried, and its measures.

        ``draw`` is a function from costs to a released column. Chosen is the least divergence at which no attack gains
        anything; where there is none, costs are those of a random swap, and leaning and temperature None.
        """
        settings = self.settings()
        trials = []
        for done, (leaning, temperature) in enumerate(settings):
            with progress.part(0.6 * done / len(settings), 0.6 * (done + 1) / len(settings)):
                progress.report(0.0, "progress.swap.calibrate")
                released = draw(self.costs(leaning, temperature))
                trials.append((self.divergence(released), leaning, temperature, released))
        # The least divergence first: most settings need no attack by boosting, which takes longest.
        trials.sort(key=lambda trial: trial[:3])
        for done, (_, leaning, temperature, released) in enumerate(trials):
            with progress.part(0.6 + 0.4 * done / len(trials), 0.6 + 0.4 * (done + 1) / len(trials)):
                progress.report(0.0, "progress.swap.calibrate")
                if not self._trial.by_bayes(released).gains_nothing:
                    continue
                point = self.point("calibrated", released)
                if point.gains_nothing:
                    return self.costs(leaning, temperature), leaning, temperature, len(trials), point
        flat = self.flat()
        return flat, None, None, len(trials), self.point("calibrated", progress.part(1.0, 1.0).run(draw, flat))

    def flat(self) -> Floats:
        """Return costs of 0 for all participants and categories, shape (participants, categories): a random swap."""
        return np.zeros((len(self._given.rows), self._given.relations.categories))
