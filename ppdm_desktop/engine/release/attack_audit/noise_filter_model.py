"""The linear filter that estimates the true values behind a step's noise: fitting and prediction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.attacks.noise_filter import Filter, ReflectedColumn, fit_filter
from ppdm_desktop.engine.attacks.noisy_column import LevelNoise
from ppdm_desktop.engine.noise.kernels import NoiseLaw
from ppdm_desktop.engine.release.attack_audit.base import is_untouched, pair_released_columns, take_first_rows
from ppdm_desktop.engine.release.candidate.model import Candidate, StepRecord
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.utility.models.crossval import sample_rows
from ppdm_desktop.engine.utility.models.features import Encoder, Records, paired_records

MOST_RECORDS = 50_000
LEAST_RECORDS = 10


@dataclass(frozen=True, eq=False)
class NoisyStep:
    """The noisy columns of one step with their true values and a filter; rows as in the released table.

    Attributes
    ----------
    step
        The step that added the noise.
    names
        The noisy columns.
    rest
        The other released columns, before the steps and as released.
    truth, seen
        True and released values of the noisy columns, shape (rows, columns), NaN where missing.
    complete
        int64: index of one row of each person, without missing values in these columns.
    noisy
        Mean of the person's other rows in these columns, shape (rows, columns); shape (rows, 0) where nobody could link
        a person's rows.
    """

    step: StepRecord
    names: list[str]
    rest: list[tuple[Column, Column]]
    truth: Floats
    seen: Floats
    complete: Ints
    noisy: Floats

    @cached_property
    def laws(self) -> list[ReflectedColumn | None]:
        """The noise distribution of each column whose noise is reflected at a bound; None for other columns.

        They are in the order of ``names``.
        """
        columns = self.step.result.detail["columns"]
        return [
            _find_noise_distribution(columns[name], self.seen[self.complete, index], self.truth[self.complete, index])
            for index, name in enumerate(self.names)
        ]

    @cached_property
    def noise(self) -> Floats:
        """Covariance matrix of the noise, averaged over privacy levels; rounding to cells counts as noise."""
        return _average_noise_covariance(self.step.result.detail, self.names)

    @property
    def sizes(self) -> Floats:
        """Standard deviation of the noise of each column, shape (columns,)."""
        return np.sqrt(np.diag(self.noise))

    @cached_property
    def rows(self) -> Ints:
        """Indices of a fixed sample of at most 50,000 complete records, to which the filter is fitted; int64."""
        return self.complete[sample_rows(len(self.complete), MOST_RECORDS)]

    @cached_property
    def _others(self) -> tuple[Records, Encoder] | None:
        """The released columns without this noise, and their encoding as numbers; None where there are none."""
        if not self.rest:
            return None
        _, records = paired_records([source for source, _ in self.rest], [released for _, released in self.rest])
        return records, Encoder.fit(records.take(self.rows))

    @cached_property
    def filter(self) -> Filter:
        """The linear filter fitted to the sample."""
        return fit_filter(self.seen[self.rows], self._build_unchanged_matrix(self.rows), self.noise, self.laws)

    def separately(self, rows: Ints) -> Floats:
        """Return estimates of these rows' true values, each from its own noisy column alone; shape (rows, columns)."""
        return self.filter.separately(self.seen[rows])

    def together(self, rows: Ints) -> Floats:
        """Return estimates of these rows' true values from all released columns; shape (rows, columns)."""
        return self.filter.together(self.seen[rows], self._build_unchanged_matrix(rows))

    @cached_property
    def off(self) -> Floats:
        """Absolute errors of the estimates from all columns in the sample, in standard deviations of the noise.

        The shape is (sampled records, noisy columns).
        """
        return np.abs(self.together(self.rows) - self.truth[self.rows]) / self.sizes

    def _build_unchanged_matrix(self, rows: Ints) -> Floats:
        """Return a matrix of the released columns without noise in ``rows``, followed by the columns of ``noisy``."""
        if self._others is None:
            return self.noisy[rows]
        records, encoder = self._others
        matrix = encoder.matrix(records.take(rows)).astype(np.float64)
        return np.column_stack([matrix, self.noisy[rows]]) if self.noisy.shape[1] else matrix


def noisy_steps(candidate: Candidate, attack: str) -> list[NoisyStep]:
    """Return every step whose noise can be filtered out, in the order of the steps.

    A step is skipped where none of its columns is released, where a later step changed one of them again, where one is
    not numeric as released, or where fewer than 10 people have a complete record. Empty where released rows are not
    source rows.

    Parameters
    ----------
    candidate
        The candidate release.
    attack
        Id of an attack; only steps whose method declares this attack are returned.
    """
    if not candidate.rows_correspond:
        return []
    steps = [step for step in candidate.steps if attack in step.method.attacks]
    candidates = (_find_noisy_columns(candidate, step) for step in steps)
    return [noisy for noisy in candidates if noisy is not None]


def filtered_steps(candidate: Candidate, attack: str) -> list[NoisyStep]:
    """Return every step found by `noisy_steps`, after fitting its filter.

    Parameters
    ----------
    candidate
        The candidate release.
    attack
        Id of an attack; only steps whose method declares this attack are returned.

    Raises
    ------
    Cancelled
        When the work was stopped.
    """
    steps = noisy_steps(candidate, attack)
    for done, noisy in enumerate(steps):
        progress.report(done / len(steps), "doing.audit")
        _ = noisy.filter
    return steps


def _find_noisy_columns(candidate: Candidate, step: StepRecord) -> NoisyStep | None:
    """Return the released columns to which one step added noise, with their true and released values.

    It also has the other released columns, one row with all numbers of each person who has such a row, and the mean of
    the person's other rows for each row. None where a later step changed one of them, one is not numeric as released,
    none is released, or fewer than 10 people have a complete record.
    """
    before, after = pair_released_columns(candidate, candidate.described_names)
    by_name = {source.name: (source, released) for source, released in zip(before, after, strict=True)}
    names = [name for name in step.settings.columns if name in by_name]
    changed_later = {
        name
        for later_step in candidate.steps
        if later_step.index > step.index
        for name in later_step.settings.columns
        if not is_untouched(later_step.before.column(name), later_step.result.table.column(name))
    }
    wanted = [by_name[name] for name in names]
    if not names or changed_later.intersection(names) or any(released.kind != "numeric" for _, released in wanted):
        return None
    truth = np.column_stack([source.numbers for source, _ in wanted])
    seen = np.column_stack([released.numbers for _, released in wanted])
    complete = take_first_rows(candidate, np.flatnonzero(~np.isnan(truth).any(axis=1) & ~np.isnan(seen).any(axis=1)))
    if len(complete) < LEAST_RECORDS:
        return None
    rest = [pair for name, pair in by_name.items() if name not in names]
    return NoisyStep(step, names, rest, truth, seen, complete.astype(np.int64), _average_other_rows(candidate, seen))


def _average_other_rows(candidate: Candidate, seen: Floats) -> Floats:
    """Return for each row the mean released values of the same person's other rows, shape (rows, columns).

    A person's rows with the same released value repeat one noise draw and count once. Where the person has no other
    released value, the mean of all rows is taken (0 if nobody has a value). The shape is (rows, 0) where an intruder
    cannot link a person's rows. ``seen`` are the released values, shape (rows, columns).
    """
    people = candidate.persons
    if not candidate.links_rows:
        return np.zeros((len(seen), 0))
    means = np.empty_like(seen)
    for index, numbers in enumerate(seen.T):
        values = np.unique(numbers, return_inverse=True)[1].reshape(-1)
        present = ~np.isnan(numbers)
        once = np.zeros(len(numbers), dtype=np.bool_)
        keys = people.of_row * (int(values.max(initial=0)) + 1) + values
        once[np.unique(keys, return_index=True)[1]] = True
        once &= present
        sums = np.bincount(people.of_row[once], numbers[once], people.count)[people.of_row]
        draws = np.bincount(people.of_row[once], minlength=people.count)[people.of_row]
        rest = np.where(present, sums - np.where(present, numbers, 0.0), sums)
        count = np.where(present, draws - 1, draws)
        with np.errstate(divide="ignore", invalid="ignore"):
            means[:, index] = np.where(count > 0, rest / count, numbers[present].mean() if present.any() else 0.0)
    return means


def _find_noise_distribution(detail: Mapping[str, Any], seen: Floats, truth: Floats) -> ReflectedColumn | None:
    """Return what an intruder knows of a column with reflected noise; None where the noise is not reflected.

    It is the law of the noise, from the step's public parameters, and the distribution of true values rebuilt from
    ``seen``.

    Parameters
    ----------
    detail
        The step's public parameters of the column.
    seen, truth
        Released and true values, shape (records,), none missing; true values only widen the bounds where they lie
        outside.
    """
    if "reflected_at" not in detail:
        return None
    records = np.array([level["records"] for level in detail["levels"]], dtype=np.float64)
    step, (low, high) = float(detail["step"]), detail["bounds"]
    levels = [
        LevelNoise(NoiseLaw(detail["law"], float(level["sd"]), detail.get("period")), max(float(level["width"]), step))
        for level in detail["levels"]
    ]
    bounds = min(float(low), float(truth.min())), max(float(high), float(truth.max()))
    shares = (records / max(records.sum(), 1.0)).tolist()
    return ReflectedColumn.of(seen, levels, shares, step, float(detail["reflected_at"]), bounds)


def _average_noise_covariance(detail: Mapping[str, Any], names: list[str]) -> Floats:
    """Return the covariance matrix of the noise, averaged over privacy levels, shape (names, names).

    The variances include what the method's rounding to cells adds. ``detail`` has the step's public parameters.
    """
    columns = detail["covariance"]["columns"]
    places = [columns.index(name) for name in names]
    weakest = np.array(detail["covariance"]["matrix"], dtype=np.float64)[np.ix_(places, places)]
    levels_by_column = [detail["columns"][name]["levels"] for name in names]
    shares = np.array([level["records"] for level in levels_by_column[0]], dtype=np.float64)
    shares /= max(shares.sum(), 1.0)
    larger = np.array([level["noise"] / levels_by_column[0][0]["noise"] for level in levels_by_column[0]])
    total = weakest * float((shares * larger**2).sum())
    for index, (name, levels) in enumerate(zip(names, levels_by_column, strict=True)):
        width = np.array([level["width"] for level in levels])
        step = detail["columns"][name]["step"]
        # What cutting into cells adds, and the draw inside the cell (contract, section 1).
        total[index, index] += float((shares * (width**2 / 12 + (width**2 - step**2) / 12)).sum())
    return np.asarray(total)
