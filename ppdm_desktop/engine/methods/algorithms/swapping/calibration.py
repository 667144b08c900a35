"""The calibrated search: costs for phase II that keep relationships as far as the swap cannot be undone by them.

Relationships are the tables attribute × category between each quasi-identifier and the swapped column. Wanted are
probabilities of each category for each record that minimise N · I-divergence of the naive Bayes joint
(``relations.divergence``) less temperature · entropy, with phase I's counts kept. The divergence is convex in the
tables and these are linear in the probabilities, so its gradient is a sum of one term for each attribute: a table of
costs for each attribute, found by averaged gradient steps. Choosing by these costs over the temperature with Gumbel
noise of scale 1 draws from exactly these probabilities.

Several temperatures are tried. Each setting is drawn completely, with the release's random numbers, and attacked as it
would be released. Among the settings for which retracing (guessing the true values) by naive Bayes and by gradient
boosting gains nothing over the same attack without the person's record, the one of least divergence is taken. If none
passes, records are chosen without regard to relationships.
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
    """The tables attribute × category of the confidential columns that are swapped together; each person counts once.

    Parameters
    ----------
    column
        One column, or several as one, with the attributes (the quasi-identifiers), whose missing values are a value of
        their own. Each of several columns has its own tables, because how the columns go together is kept anyway.
    """

    def __init__(self, column: ColumnInput) -> None:
        """Store the codes of the quasi-identifiers, and for each swapped column its category in each combination.

        Codes are stored from 1, with 0 for missing. A combination has one value of each of several columns that are
        swapped together. For a column swapped by itself, None is stored instead of its categories.
        """
        self.categories = column.categories
        self.codes = [codes.astype(np.int64) + 1 for codes in column.quasi]
        self.widths = [int(codes.max(initial=0)) + 1 for codes in self.codes]
        self.views: tuple[Ints | None, ...] = column.views or (None,)
        self._people = column.people

    @property
    def columns(self) -> int:
        """Number of columns that are swapped together."""
        return len(self.views)

    @property
    def shapes(self) -> list[tuple[int, int]]:
        """The shape of each table, (values of an attribute, categories of a column).

        The tables of all attributes with the first column come first, then those with the next column.
        """
        return [(values, self._count_categories(view)) for view in self.views for values in self.widths]

    def _count_categories(self, view: Ints | None) -> int:
        """Return the number of categories of one swapped column; ``view`` is its category in each combination.

        None stands for a column swapped by itself.
        """
        return self.categories if view is None else int(view.max(initial=0)) + 1

    def spread(self, tables: Sequence[Floats], rows: Ints) -> Floats:
        """Return, for each row and category, the sum of the table entries for the row's attributes and this category.

        float64, shape (rows, categories). ``tables`` has one table for each attribute and column, in the order of
        ``shapes``; if several columns are swapped together, the sum is over their tables as well.
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
        """Return the tables attribute × category of ``rows`` if each row counts with its own weight for every category.

        They have the shapes and order of ``shapes``.

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
        """Return the rows of some people, for each row the position of its person in ``records``, and the row's weight.

        A row weighs 1 / the number of rows of its person. All three have the same length. The rows rise, or are in the
        order of ``records`` if nobody has several rows.
        """
        people = self._people
        if not people.with_several:
            return records, np.arange(len(records)), np.ones(len(records))
        index = np.full(people.count, -1, dtype=np.int64)
        index[records] = np.arange(len(records))
        rows = np.flatnonzero(index[people.of_row] >= 0)
        return rows, index[people.of_row[rows]], 1.0 / people.sizes[people.of_row[rows]]

    def tables(self, released: Ints) -> list[Floats]:
        """Return the tables attribute × category for released categories, in the shapes of ``shapes``.

        Each person counts once; the rows of a person with several share this count equally.

        Parameters
        ----------
        released
            Category of each record; -1 where missing, which does not count.
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

        For several columns, their sum.
        """
        many = len(self.codes)
        ends = range(0, self.columns * many, max(many, 1))
        return sum(divergence(before[at : at + many], after[at : at + many]) for at in ends)


def divergence(before: Sequence[Floats], after: Sequence[Floats]) -> float:
    """Return the I-divergence, in nats, of the naive Bayes joint after a swap from that before (paper, G2).

    Never below 0. The joint of naive Bayes is P(c) · Π P(a | c), so the divergence is the sum over attributes of that
    between the tables attribute × category, less the repeated divergence of the categories alone. Half a record is
    added to each cell of an attribute's value that occurs before; other values do not count. Computed from the released
    tables; the paper's objective (12) approximates it (Li & Sarkar 2004).

    Parameters
    ----------
    before, after
        Tables as ``Relations.tables`` counts them, at least one.
    """
    total, of_categories = 0.0, 0.0
    for first, second in zip(before, after, strict=True):
        occurs = first.sum(axis=1) > 0
        before_shares, after_shares = first[occurs] + SMOOTHING, second[occurs] + SMOOTHING
        before_shares, after_shares = before_shares / before_shares.sum(), after_shares / after_shares.sum()
        total += float((before_shares * np.log(before_shares / after_shares)).sum())
        here, there = before_shares.sum(axis=0), after_shares.sum(axis=0)
        of_categories += float((here * np.log(here / there)).sum())
    return max(0.0, total - of_categories * (len(before) - 1) / len(before))


# --- calibration --------------------------------------------------------------------------

Leaning = Literal["even", "certain"]
"""Who changes more than relationships require: everybody equally, or those whose value is easily predicted."""

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
    """What calibration needs to know about the records that take part in a swap.

    Attributes
    ----------
    relations, before
        The tables attribute × category, and their entries before the swap.
    rows, truth, level, is_member
        Record, true category and privacy level of each participant, and whether it is a group's member, which must
        change.
    changes
        Number of unique records of each level that must change.
    others
        The tables of all records that do not take part.
    cooling
        Factor of each participant's costs: below 1 at a level that demands more randomness, 0 for uniform choice.
    plainness
        How predictable each participant's value is: by how many nats its most probable category exceeds the second.
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
        """Return the records that take part in a column's swap, with the tables and weights that calibration needs.

        The tables attribute × category are those of all records before the swap, and of the records that do not take
        part. The weights are a factor of each participant's costs (lower at a level that demands more randomness), and
        how predictable its category is.
        """
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

    It is the log of the ratio of the two largest probabilities by naive Bayes, at most 4, whichever category is the
    true one. Naive Bayes counts related attributes twice and is too sure of itself; one exponent, chosen by maximum
    likelihood, corrects this. ``truth`` are the true categories of ``rows``.
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
        """Return the mean negative log-likelihood of the true categories if posteriors are raised to an exponent."""
        return float((np.log(np.exp(exponent * log).sum(axis=1)) - exponent * true_log).mean())

    exponent = float(minimize_scalar(surprise, bounds=(0.02, 2.0), method="bounded").x)
    two = np.sort(exponent * log, axis=1)[:, -2:]
    return np.asarray(np.minimum(two[:, 1] - two[:, 0], _PLAINEST))


def calibrated_costs(participants: Participants, temperature: float, leaning: Leaning, stream: RandomStream) -> Floats:
    """Return the participants' cost of each category, in units of the Gumbel noise that will be added to it.

    float64, shape (participants, categories); the lower a cost, the likelier is the category. A cost consists of what
    the move does to relationships, an amount for the category, and one for keeping the true value. The last two make
    the expected totals and numbers of changes right; a member of a group gets nothing for keeping its value.

    Parameters
    ----------
    participants
        The records that take part.
    temperature
        How many nats of divergence one nat of randomness is worth, above 0.
    leaning
        Whose amount for keeping the value differs from 0: with ``even`` it is the same for all records of a privacy
        level; with ``certain`` it grows with how predictable a record's value is, and is near 0 if nobody can guess it.
    stream
        Draws the records from which the costs are found, if there are more than 20,000.
    """
    records, width = len(participants.rows), participants.relations.categories
    weight = np.ones(records) if leaning == "even" else participants.plainness + _LEAST_PLAIN
    weight = np.where(participants.is_member, 0.0, weight)
    sample = np.arange(records)
    if records > _SAMPLE:
        sample = np.sort(stream.permutation(records)[:_SAMPLE])
    fitted = _fit_costs(participants, sample, temperature, weight)
    costs = (
        _sum_table_entries(participants, np.arange(records), fitted.tables)
        * (participants.cooling / temperature)[:, None]
    )
    kept_weight = fitted.keep[participants.level] * weight
    costs -= fitted.category
    costs[np.arange(records), participants.truth] -= kept_weight
    return np.asarray(costs.reshape(records, width))


@dataclass(frozen=True, eq=False)
class _Fitted:
    """Fitted costs of a swap: by attribute and category, by category, and for keeping a value at each privacy level."""

    tables: list[Floats]
    category: Floats
    keep: Floats


def _sum_table_entries(participants: Participants, which: Ints, tables: list[Floats]) -> Floats:
    """Return the sum of the attributes' table entries for some participants, float64, shape (which, categories).

    For a person with several rows, it is the mean over the rows.
    """
    rows, record_index, part = participants.relations.rows_of(participants.rows[which])
    spread = participants.relations.spread(tables, rows)
    if len(rows) == len(which):
        return spread
    gathered = [np.bincount(record_index, column * part, len(which)) for column in spread.T]
    return np.column_stack(gathered)


def _fit_costs(participants: Participants, which: Ints, temperature: float, weight: Floats) -> _Fitted:
    """Return the costs by attribute, category and privacy level that lead to the wanted probabilities.

    They are found approximately, by a fixed number of gradient steps. Wanted are probabilities that change
    relationships little and stay random, where each category keeps its expected number of participants, and on each
    privacy level the expected number who change is what the level demands, in proportion to those in ``which``.

    Parameters
    ----------
    which
        Participants on whom the costs are fitted.
    weight
        Weight of each participant's amount for keeping its value, shape (participants,); 0 for members of groups, who
        all change.
    """
    relations, width = participants.relations, participants.relations.categories
    rows, record_index, part = relations.rows_of(participants.rows[which])
    truth, level, member = participants.truth[which], participants.level[which], participants.is_member[which]
    cooling, weight, index = participants.cooling[which], weight[which], np.arange(len(which))
    larger = len(participants.rows) / max(len(which), 1)
    levels = len(participants.changes)
    wanted = np.bincount(truth, minlength=width).astype(np.float64)
    unique = np.bincount(level[~member], minlength=levels).astype(np.float64)
    everybody = np.bincount(participants.level[~participants.is_member], minlength=levels)
    kept = unique * (1.0 - participants.changes / np.maximum(everybody, 1))
    tables = [np.zeros(shape) for shape in relations.shapes]
    category, keep = np.zeros(width), np.zeros(levels)
    for turn in range(_ROUNDS):
        progress.check()
        # Cooled down step by step: at a low temperature the first gradients would throw the chances about.
        now = max(temperature, _WARM * _COOLED**turn)
        start = -_sum_table_entries(participants, which, tables) * (cooling / now)[:, None]
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
            after = participants.others[number] + counts
            slope = -(participants.before[number] + SMOOTHING) / (after + SMOOTHING)
            tables[number] = (1.0 - share) * tables[number] + share * slope
    return _Fitted(tables, category, keep)


Draw = Callable[[Floats], Ints]
"""A function of the participants' costs, in units of the Gumbel noise, that returns every record's category after the
swap.
"""

LEAST_TEMPERATURE, RUNGS = 0.07, 13
"""The lowest temperature, and the number of temperatures; each is the square root of 2 times the one before."""
# Every so many of the temperatures are tried, by the participants up to which.
_EVERY = ((5_000, 1), (100_000, 3))
_EVERY_OF_MANY = 6
_EVERY_WHEN_ROUGH = 3


@dataclass(frozen=True)
class Point:
    """How much one search changes relationships, and how well its result can be retraced.

    Attributes
    ----------
    search
        ``calibrated``, ``random``, ``exact``, ``greedy`` or ``as-set`` (the search in the step's settings, if it is
        another one); all for the same people and numbers of changes.
    divergence
        I-divergence of the naive Bayes joint from the original's, in nats.
    bayes, boosting
        Success of retracing by naive Bayes and by gradient boosting; boosting is None if it was not tried.
    """

    search: str
    divergence: float
    bayes: Tried
    boosting: Tried | None

    @property
    def gains_nothing(self) -> bool:
        """Whether no attack succeeds beyond the interval of the same attack without the person's record.

        An attack that was not made counts as gaining nothing.
        """
        return self.bayes.gains_nothing and (self.boosting is None or self.boosting.gains_nothing)


@dataclass(frozen=True, eq=False)
class Calibration:
    """What the calibrated search chose.

    Attributes
    ----------
    temperature
        How many nats of divergence a nat of randomness is worth; None if records were chosen without regard to
        relationships, because every setting could be retraced.
    leaning
        Who changes more than relationships require; None in the same case.
    tried
        Number of settings tried.
    chosen
        The released result.
    frontier
        This result and those of the other searches, for the same people and numbers of changes.
    """

    temperature: float | None
    leaning: Leaning | None
    tried: int
    chosen: Point
    frontier: tuple[Point, ...]

    @property
    def kept_share(self) -> float | None:
        """Share of the relationships lost by a random choice that this choice keeps; below 0 if it loses more.

        It is 1 - divergence / divergence of the random choice; None if the random choice loses nothing.
        """
        random = next(point.divergence for point in self.frontier if point.search == "random")
        return 1.0 - self.chosen.divergence / random if random > 0 else None


class Calibrator:
    """Draws, measures and attacks settings of the calibrated search for one column.

    Parameters
    ----------
    column, members
        The column, and the records that take part.
    streams
        Function from a purpose to its random stream.
    rough
        Whether fewer temperatures are tried, to preview a swap before it is made.
    """

    def __init__(self, column: ColumnInput, members: Members, streams: Streams, *, rough: bool = False) -> None:
        """Prepare two attacks on the column, with draws of the stream ``calibration``; nothing is tried yet."""
        self._rough = rough
        self._participants = Participants.of(column, members)
        self._streams = streams
        quasi_codes = [codes[column.people.first_rows].astype(np.int64) for codes in column.quasi]
        unique, stream = members.identified.unique, streams("calibration")
        self._trial = Trial(quasi_codes, column.truth, column.categories, unique, stream, column.views)

    def divergence(self, released: Ints) -> float:
        """Return the I-divergence, in nats, of the relationships after the swap from those before.

        ``released`` is the category of each record, -1 where missing.
        """
        relations = self._participants.relations
        return relations.divergence(self._participants.before, relations.tables(released))

    def point(self, search: str, released: Ints) -> Point:
        """Return how much released categories change relationships, and how well two attacks retrace them.

        ``search`` is the name of the search that made them.
        """
        bayes = self._trial.attack_by_bayes(released)
        return Point(search, self.divergence(released), bayes, self._trial.attack_by_boosting(released))

    def settings(self) -> list[tuple[Leaning, float]]:
        """Return the pairs (leaning, temperature) to try, fewer for more records.

        All temperatures with the leaning ``even`` come first, rising, then those with ``certain``. The leaning says who
        changes more than relationships require: everybody equally, or those whose value is easily predicted. There are
        13 temperatures from 0.07 to 4.48; every third is tried for more than 5,000 participants (and in a rough
        search), every sixth for more than 100,000.
        """
        records = len(self._participants.rows)
        every = next((step for most, step in _EVERY if records <= most), _EVERY_OF_MANY)
        every = max(every, _EVERY_WHEN_ROUGH) if self._rough else every
        rungs = range(0, RUNGS, every)
        leanings: tuple[Leaning, ...] = ("even", "certain")
        return [(leaning, LEAST_TEMPERATURE * 2 ** (rung / 2)) for leaning in leanings for rung in rungs]

    def costs(self, leaning: Leaning, temperature: float) -> Floats:
        """Return the participants' costs for a setting, float64, shape (participants, categories)."""
        return calibrated_costs(self._participants, temperature, leaning, self._streams("calibration-sample"))

    def search(self, draw: Draw) -> tuple[Floats, Leaning | None, float | None, int, Point]:
        """Return costs, leaning and temperature of the chosen setting, the number of settings tried, and the result.

        A setting is a leaning and a temperature; all are tried. The one with the least divergence is chosen of those
        for which no attack gains anything. If there is none, the costs are those of a random swap (all 0), leaning and
        temperature are None, and the result is that of the random swap. The costs are without noise. ``draw`` is a
        function from costs to the category of each record.
        """
        settings = self.settings()
        trials = []
        for done, (leaning, temperature) in enumerate(settings):
            with progress.part(0.6 * done / len(settings), 0.6 * (done + 1) / len(settings)):
                progress.report(0.0, "progress.method.search")
                released = draw(self.costs(leaning, temperature))
                trials.append((self.divergence(released), leaning, temperature, released))
        # The least divergence first: most settings need no attack by boosting, which takes longest.
        trials.sort(key=lambda trial: trial[:3])
        for done, (_, leaning, temperature, released) in enumerate(trials):
            with progress.part(0.6 + 0.4 * done / len(trials), 0.6 + 0.4 * (done + 1) / len(trials)):
                progress.report(0.0, "progress.method.search")
                if not self._trial.attack_by_bayes(released).gains_nothing:
                    continue
                point = self.point("calibrated", released)
                if point.gains_nothing:
                    return self.costs(leaning, temperature), leaning, temperature, len(trials), point
        flat = self.flat()
        return flat, None, None, len(trials), self.point("calibrated", progress.part(1.0, 1.0).run(draw, flat))

    def flat(self) -> Floats:
        """Return costs of 0, shape (participants, categories), with which a swap is random."""
        return np.zeros((len(self._participants.rows), self._participants.relations.categories))
