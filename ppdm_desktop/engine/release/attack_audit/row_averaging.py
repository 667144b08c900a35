"""The attack that averages the rows of one person, where independent noise was added to a value that never changes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import GRID, Bools, Floats, Ints, find_first_smallest, on_grid
from ppdm_desktop.engine.attacks.averaging import compute_averaged_error
from ppdm_desktop.engine.attacks.comparison import FILTER_LIMIT, Severity, severity_of_filter
from ppdm_desktop.engine.attacks.noise_filter import ReflectedColumn, compute_rms_errors, error_figure, ratio_figure
from ppdm_desktop.engine.attacks.people_belief import MOSTLY
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.identifiability.classes import Members, equivalence_classes
from ppdm_desktop.engine.release.attack_audit.base import (
    AttackEvidence,
    make_empty_tail,
    pair_released_columns,
    register,
    released_with_role,
)
from ppdm_desktop.engine.release.attack_audit.noise_filter import NoiseAttack, NoiseFilter
from ppdm_desktop.engine.release.attack_audit.noise_filter_model import NoisyStep, noisy_steps
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.report.model import AttackEntry, Report, Sentence
from ppdm_desktop.engine.table.people import People
from ppdm_desktop.engine.wording.catalogue import lazy
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import LimitOf, Name, Names, Number, Value, Versus

_FROM_ALL = lazy("best linear guess from the mean of all rows of the person")
_WORKED_OUT = lazy("worked out from the noise and the numbers of rows, as too few people could be measured")
_FROM_ONE = lazy("best linear guess from one row of the person")
_MEAN = lazy("the mean, for everyone")
_RATIO = lazy("error of the mean of a person’s rows over that of one row")
_TAKEN_AWAY = lazy("error removed")

STEADY = 0.1
"""A value counts as the same in rows in which it strays by no more than this part of the noise."""
LEAST_PEOPLE = 20
"""Of fewer people luck could do much: no less is left than the noise and their numbers of rows make likely."""


@register
class RowAveraging(NoiseAttack):
    """Averages the released values in the rows of one person, where an intruder can link these rows.

    Rows can be linked by a code, by their order, or because nobody else has the same quasi-identifiers.
    """

    id = "row-averaging"
    title = "attack.name.row-averaging"
    sentences: ClassVar[Mapping[Severity, str]] = {
        "none": "attack.row-averaging.none",
        "some": "attack.row-averaging.some",
        "serious": "attack.row-averaging.serious",
        "total": "attack.row-averaging.total",
    }
    order = 65
    term = "attack.row-averaging.term"
    source = "attack.row-averaging.source"
    control = "attack.row-averaging.control"

    def why_not(self, candidate: Candidate) -> str | None:
        """Return None if somebody's rows show several noise draws on one value, else the id of the reason's text."""
        return None if self.run(AttackEvidence(candidate)) else "attack.why-not.no-draws"

    def run(self, evidence: AttackEvidence) -> tuple[AttackEntry, ...]:
        """Return a result for each noisy column in which people show several noise draws on one value.

        People with at least 2, 4, 8 … rows and different released values are judged separately, if more than half of
        them have one true value. The smallest remaining error counts, so that many people with few rows do not hide a
        few people with many. Empty where no rows can be linked.
        """
        candidate = evidence.candidate
        people, rows = candidate.persons, _linkable_rows(candidate)
        if not len(rows):
            return ()
        attack_entries = []
        for noisy in noisy_steps(candidate, NoiseFilter.id):
            for index in range(len(noisy.names)):
                progress.check()
                entry = _attack_column(noisy, index, people, rows)
                attack_entries += [entry] if entry is not None else []
        return tuple(attack_entries)

    def rule(self, result: AttackEntry, report: Report) -> Note:
        """Return the sentence that says below which error the attack counts as working: 0.90 of the control's error.

        The control's error is that of the estimate from one row.
        """
        return Note("attack.row-averaging.rule", {"allowed": Number(FILTER_LIMIT)})


@dataclass(frozen=True, eq=False)
class _Averaged:
    """Averages over the rows of people who have several; arrays of shape (people,).

    Attributes
    ----------
    rows
        int64: number of averaged rows of each person.
    truth, mean, from_one_row
        The mean true value, the mean of the released values, and the first of the released values.
    steady
        bool: whether the true value is nearly the same in all of these rows.
    expected
        For noise reflected at a bound: expected true value given all released values, and given one; shape (people, 2).
        None for other noise.
    """

    rows: Ints
    truth: Floats
    mean: Floats
    from_one_row: Floats
    steady: Bools
    expected: Floats | None = None

    def take(self, chosen: Bools) -> _Averaged:
        """Return the averages of the people flagged in ``chosen``, in their order; bool, shape (people,)."""
        expected = None if self.expected is None else self.expected[chosen]
        return _Averaged(
            self.rows[chosen],
            self.truth[chosen],
            self.mean[chosen],
            self.from_one_row[chosen],
            self.steady[chosen],
            expected,
        )


def _linkable_rows(candidate: Candidate) -> Ints:
    """Return the indices of the released rows that an intruder can link to other rows of the same person, ascending.

    If the release does not show who a row belongs to, these are rows in a class of equal quasi-identifiers that holds
    no other person; if a person has several such classes, the rows of the largest.
    """
    people = candidate.persons
    if candidate.links_rows or not people.with_several:
        return np.flatnonzero(people.sizes[people.of_row] > 1)
    names = released_with_role(candidate, "quasi-identifier")
    classes = equivalence_classes(pair_released_columns(candidate, names)[1], candidate.final.rows)
    members = Members.of_rows(classes, people)
    unique_members = np.flatnonzero(members.people[members.of_class] == 1)
    # Of a person who is unique in several classes, the rows of the largest.
    largest = unique_members[np.lexsort((-members.rows[unique_members], members.person[unique_members]))]
    first = largest[np.unique(members.person[largest], return_index=True)[1]]
    chosen = np.zeros(classes.count, dtype=np.bool_)
    chosen[members.of_class[first[members.rows[first] > 1]]] = True
    return np.flatnonzero(chosen[classes.ids])


def _attack_column(noisy: NoisyStep, index: int, people: People, rows: Ints) -> AttackEntry | None:
    """Return the audit's entry for one noisy column; None where averaging is no attack on the column.

    Averaging is no attack where the column varies no more than the noise. Nor is it where, of the people whose released
    values differ, at most half have a true value that stays within a tenth of the noise's standard deviation, whatever
    least number of rows is asked for. People with at least 2, 4, 8 … rows are judged one after the other; the entry is
    for the least number of rows with the smallest ratio of errors. Of fewer than 20 people the larger of the measured
    and the expected ratio counts. ``rows`` are the rows that can be linked.
    """
    name, size = noisy.names[index], float(noisy.sizes[index])
    every = noisy.seen[noisy.complete, index]
    middle, signal = float(every.mean()), max(float(every.var(ddof=1)) - size**2, 0.0)
    ratio_of_variances = signal / size**2 if size > 0 else 0.0
    if not ratio_of_variances:
        return None
    law = noisy.laws[index]
    all = _average_person_values(noisy.truth[:, index], noisy.seen[:, index], people, rows, size * STEADY, law)

    def estimate(of: _Averaged, draws: Ints | int) -> Floats:
        """Return the best estimate of each person's value from as many values as ``draws`` says.

        An array (the number of each person's rows) uses the mean of the rows; the number 1 uses the first row alone.
        The estimate is linear, or the expected value where noise is reflected.
        """
        if of.expected is not None:
            return np.asarray(of.expected[:, 1 if isinstance(draws, int) else 0])
        kept = draws / (draws + 1 / ratio_of_variances)
        return np.asarray(middle + kept * ((of.from_one_row if isinstance(draws, int) else of.mean) - middle))

    def blind(of: _Averaged) -> Floats:
        """Return the estimate of each person's value without the other rows, shape (people,).

        It is the estimate from one row, or the column's mean if that has the smaller error.
        """
        guesses = np.column_stack([estimate(of, 1), np.full(len(of.rows), middle)])
        return np.asarray(
            guesses[:, int(find_first_smallest(compute_rms_errors(of.truth[:, None], guesses)[None], size)[0])]
        )

    worst: tuple[Figure, int, _Averaged] | None = None
    least = 2
    while len(all.rows) and least <= int(all.rows.max()):
        many = all.take(all.rows >= least)
        steady = many.take(many.steady)
        if len(steady.rows) and len(steady.rows) > MOSTLY * len(many.rows):
            ratio = ratio_figure(steady.truth, estimate(steady, steady.rows), blind(steady))
            ratio = replace(ratio, method=_RATIO)
            if len(steady.rows) < LEAST_PEOPLE:
                likely = _compute_expected_ratio(steady.rows, ratio_of_variances)
                ratio = max(ratio, likely, key=lambda figure: on_grid(float(figure.value or 0.0)))
            if ratio.value is not None and (worst is None or ratio.value < float(worst[0].value or 0.0) - GRID):
                worst = ratio, least, steady
        least *= 2
    if worst is None:
        return None
    ratio, least, steady = worst
    guess, base = estimate(steady, steady.rows), blind(steady)
    return _build_entry(name, size, ratio, least, steady, guess, base, middle)


def _average_person_values(
    truth: Floats, seen: Floats, people: People, rows: Ints, strays: float, law: ReflectedColumn | None
) -> _Averaged:
    """Return the averages for each person who has several different released values.

    They are the number of rows averaged, the mean true and the mean released value, the first released value, whether
    the true values are ``steady``, and under reflected noise the expected true value from all rows and from one.

    Parameters
    ----------
    truth, seen
        True and released values of all rows, NaN where missing.
    people
        The people of all rows.
    rows
        Indices of the rows to average; rows without a true or a released value are left out.
    strays
        A person counts as ``steady`` if their true values differ from their mean by at most this.
    law
        The distribution of reflected noise; None for other noise.
    """
    rows = rows[~np.isnan(truth[rows]) & ~np.isnan(seen[rows])]
    if not len(rows):
        none = np.zeros(0)
        return _Averaged(none.astype(np.int64), none, none, none, none.astype(np.bool_))
    row_people = people.take(rows)
    true, released = truth[rows], seen[rows]
    mean = np.bincount(row_people.of_row, true) / row_people.sizes
    strayed = -row_people.least(-np.abs(true - mean[row_people.of_row]))
    different = ~row_people.constant(released)
    averaged = _Averaged(
        row_people.sizes,
        mean,
        np.bincount(row_people.of_row, released) / row_people.sizes,
        released[row_people.first_rows],
        strayed <= strays,
        None if law is None else _estimate_true_values(law, released, row_people),
    )
    return averaged.take(different)


def _estimate_true_values(law: ReflectedColumn, numbers: Floats, people: People) -> Floats:
    """Return the expected true value given all different released values of a person, and given the first alone.

    Shape (people, 2).
    """
    values = np.unique(numbers, return_inverse=True)[1].reshape(-1)
    once = np.unique(people.of_row * (int(values.max()) + 1) + values, return_index=True)[1]
    together = law.means_together(numbers[once], people.of_row[once], people.count)
    return np.column_stack([together, law.means(numbers[people.first_rows])])


def _compute_expected_ratio(rows: Ints, ratio_of_variances: float) -> Figure:
    """Return the error that theory expects with all rows of a person, divided by the error with one row.

    Errors are root mean squares over people. With 4 rows each and a ratio of variances of 1, it is the root of 1/5
    divided by the root of 1/2, or 0.63.

    Parameters
    ----------
    rows
        Number of rows of each person; their noise is independent.
    ratio_of_variances
        Variance of the true values divided by that of the noise.
    """
    values, people = np.unique(rows, return_counts=True)
    squares = np.array([compute_averaged_error(ratio_of_variances, int(value)) ** 2 for value in values])
    residual_error = math.sqrt(float((squares * people).sum() / people.sum()))
    return Figure(
        residual_error / compute_averaged_error(ratio_of_variances, 1), n=len(rows), unit="ratio", method=_WORKED_OUT
    )


def _build_entry(
    name: str, size: float, ratio: Figure, least: int, steady: _Averaged, guess: Floats, base: Floats, middle: float
) -> AttackEntry:
    """Return the audit's entry for one column from the estimates with all rows and with one row.

    The advantage is 1 - ``ratio``, and the ratio decides the severity. Success, control and chance are root mean square
    errors in standard deviations of the noise: of ``guess``, of ``base``, and of the column's mean.

    Parameters
    ----------
    name, size, middle
        The column, the standard deviation of its noise, and the mean of its released values.
    ratio
        Error of ``guess`` divided by that of ``base``, or the expected ratio where too few people were measured.
    least
        The least number of rows of the people judged.
    steady, guess, base
        The people judged, their estimates with all rows, and those with one row (or the column's mean for everybody,
        where that has the smaller error).
    """
    success = error_figure(steady.truth, guess, size, _FROM_ALL)
    control = error_figure(steady.truth, base, size, _FROM_ONE)
    chance = error_figure(steady.truth, np.full(len(guess), middle), size, _MEAN)
    value = float(ratio.value or 0.0)
    severity = severity_of_filter(value)
    ends = (None, None) if ratio.low is None or ratio.high is None else (1 - ratio.high, 1 - ratio.low)
    arguments: dict[str, Value] = {
        "column": Name(name),
        "people": len(steady.rows),
        "rows": least,
        "left": Number(float(success.value or 0.0)),
        "alone": Number(float(control.value or 0.0)),
        "ratio": Versus(value, FILTER_LIMIT, "ratio"),
        "allowed": LimitOf(value, FILTER_LIMIT, "ratio"),
    }
    return AttackEntry(
        id=RowAveraging.id,
        column=name,
        knows=Sentence.of(RowAveraging.knows, {"columns": Names((name,))}),
        success=success,
        control=control,
        chance=chance,
        advantage=Figure(1 - value, low=ends[0], high=ends[1], n=ratio.n, unit="share", method=_TAKEN_AWAY),
        tail=make_empty_tail(),
        sampled=len(steady.rows),
        severity=severity,
        sentence=Sentence.of(RowAveraging.sentences[severity], arguments),
        further={"ratio": ratio},
    )
