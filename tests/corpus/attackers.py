"""Attackers that know a release and its source as tables, and nothing of how this program computes.

They work out again what a record prints, so that the two can be compared. In every table a row is a person, and row i
of the release is row i of the source unless a function says otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.model_selection import cross_val_predict

POINTS = 250
"""Values at which a distribution of numbers is held."""
ROUNDS = (4, 16, 64)
"""After so many rounds each a rebuilt distribution is tried out."""


# --- noise ----------------------------------------------------------------------------------------


def noise_left(released: pd.DataFrame, source: pd.DataFrame, column: str, sd: float) -> float:
    """Return how much of the noise on a column the best of several attackers leaves.

    Each guesses everybody's true number; what is left is the root mean square of the error, as a share of the
    noise. One draws a line; others know, or rebuild from the release, how the true numbers are distributed; all do
    the same once more on what the other released columns do not explain.

    Parameters
    ----------
    released, source
        The release and the source, row by row the same people.
    column
        The noisy column.
    sd
        Standard deviation of its noise, which every recipient is told.
    """
    shown, truth = released[column].to_numpy(float), source[column].to_numpy(float)
    explained = _explained(released, column)
    guesses = []
    for offset in (np.zeros(len(shown)), explained):
        rest, true_rest = shown - offset, truth - offset
        line = 1.0 - min(sd**2 / rest.var(), 1.0)
        guesses.append(offset + rest.mean() + line * (rest - rest.mean()))
        values = np.linspace(min(rest.min(), true_rest.min()), max(rest.max(), true_rest.max()), POINTS)
        likelihood = np.exp(-0.5 * ((rest[:, None] - values[None, :]) / sd) ** 2)
        priors = [_smoothed(true_rest, values), *_rebuilt(likelihood)]
        guesses += [offset + _posterior_mean(likelihood, prior, values) for prior in priors]
    return min(float(np.sqrt(np.mean((truth - guess) ** 2))) / sd for guess in guesses)


def _explained(released: pd.DataFrame, column: str) -> np.ndarray:
    """Return what the other released columns say of a column, each row guessed from the rows of other people."""
    others = released.drop(columns=column).apply(_as_numbers)
    shown = released[column].to_numpy(float)
    if others.empty:
        return np.full(len(shown), shown.mean())
    learner = HistGradientBoostingRegressor(max_iter=50, random_state=0)
    return np.asarray(cross_val_predict(learner, others, shown, cv=5))


def _as_numbers(values: pd.Series) -> np.ndarray:
    numbers = pd.to_numeric(values, errors="coerce")
    return np.asarray(pd.factorize(values)[0] if numbers.isna().any() else numbers)


def _smoothed(numbers: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return how numbers are distributed, values that many share as they are and all others smoothed."""
    nearest = np.abs(numbers[:, None] - values[None, :]).argmin(axis=1)
    counts = np.bincount(nearest, minlength=len(values)).astype(float)
    neighbours = np.convolve(counts, [1, 0, 1], mode="same")
    piled = (counts >= max(5.0, 0.02 * len(numbers))) & (counts > 2 * neighbours)
    spread = np.where(piled, 0.0, counts)
    width = 1.06 * max(float(numbers.std()), 1e-9) * len(numbers) ** -0.2
    kernel = np.exp(-0.5 * ((values - values.mean()) / width) ** 2)
    smooth = np.convolve(spread, kernel / kernel.sum(), mode="same")
    return np.where(piled, counts, 0.0) + smooth


def _rebuilt(likelihood: np.ndarray) -> Iterable[np.ndarray]:
    """Yield the distribution that makes the release likelier and likelier, round by round."""
    prior = np.full(likelihood.shape[1], 1.0 / likelihood.shape[1])
    for number in range(1, max(ROUNDS) + 1):
        weights = likelihood * prior
        prior = (weights / np.maximum(weights.sum(axis=1, keepdims=True), 1e-300)).mean(axis=0)
        if number in ROUNDS:
            yield prior


def _posterior_mean(likelihood: np.ndarray, prior: np.ndarray, values: np.ndarray) -> np.ndarray:
    weights = likelihood * prior
    return np.asarray(weights @ values / np.maximum(weights.sum(axis=1), 1e-300))


# --- guessing by groups ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Guessed:
    """How often a confidential value is guessed right, as shares of all people.

    Attributes
    ----------
    success
        With the release: the commonest value of the person's own group.
    control
        The same without this person's record.
    marginal
        The commonest value of all, for everybody.
    """

    success: float
    control: float
    marginal: float

    @property
    def gain(self) -> float:
        """What being in the release adds."""
        return self.success - max(self.control, self.marginal)


def guessed_by_group(released: pd.DataFrame, source: pd.DataFrame, known: Sequence[str], secret: str) -> Guessed:
    """Guess everybody's secret by the commonest value of the group that the release puts them into.

    Parameters
    ----------
    released, source
        The release and the source, row by row the same people.
    known
        Columns that others know, released as averages or other values that a group shares.
    secret
        A confidential column with categories.
    """
    truth, shown = source[secret].astype(str), released[secret].astype(str)
    group = released.groupby(list(known), dropna=False).ngroup()
    counts = pd.crosstab(group, shown)
    by_group = counts.idxmax(axis=1).reindex(group).to_numpy()
    commonest = shown.value_counts().idxmax()
    marginal = truth.value_counts().iloc[0] / len(truth)
    rest = counts.loc[group].to_numpy().copy()
    rest[np.arange(len(group)), counts.columns.get_indexer(shown)] -= 1
    # Where the others of the group are even or nobody is left, the commonest value of all is the guess.
    at = rest.argmax(axis=1)
    best = rest.max(axis=1)
    is_clear = (best > 0) & ((rest == best[:, None]).sum(axis=1) == 1)
    without = np.where(is_clear, counts.columns.to_numpy()[at], commonest)
    success = float((by_group == truth.to_numpy()).mean())
    return Guessed(success, float((without == truth.to_numpy()).mean()), float(marginal))


# --- certainty ------------------------------------------------------------------------------------


def certain_people(released: pd.DataFrame, source: pd.DataFrame, known: Sequence[str], secret: str, k_min: int) -> int:
    """Count the people whose secret is certain to someone who knows certain columns of them.

    The secret is released as it is. A person is certain where the group that agrees with them in the known columns
    shows their value so often that at most a twentieth is left of the doubt that the same group without them leaves.

    Parameters
    ----------
    released, source
        The release and the source, row by row the same people.
    known
        Names of the released columns that the attacker knows, such as every one that is not confidential.
    secret
        A confidential column with categories.
    k_min
        Smallest group of the type of release, by whose number of people the whole file is weighed in.
    """
    truth, shown = source[secret].astype(str).to_numpy(), released[secret].astype(str)
    group = released.groupby(list(known), dropna=False).ngroup() if known else pd.Series(0, index=released.index)
    size = group.map(group.value_counts()).to_numpy(float)
    holders = shown.groupby([group, shown]).transform("size").to_numpy(float)
    everybody = shown.map(shown.value_counts()).to_numpy(float)
    share_of_others = (everybody - 1) / (len(shown) - 1)
    belief = holders / size
    before = (holders - 1 + k_min * share_of_others) / (size - 1 + k_min)
    is_certain = (1 - belief <= (1 - before) / 20 + 1e-12) | (belief >= 1 - 1e-9)
    return int((is_certain & (shown.to_numpy() == truth)).sum())


# --- exact values -----------------------------------------------------------------------------------


def ends_held_by_one(released: pd.DataFrame, source: pd.DataFrame, column: str) -> int:
    """Count the people whose own number, which nobody else has, ends a range that the release shows."""
    ends = {float(end) for label in released[column].astype(str) for end in re.findall(r"-?\d+(?:\.\d+)?", label)}
    numbers = source[column].astype(float)
    return int(numbers[~numbers.duplicated(keep=False)].isin(ends).sum())


def rare_values_kept(released: pd.DataFrame, source: pd.DataFrame, column: str, fewest: int) -> int:
    """Count the released rows, whoever they are made from, that show a value of fewer people than ``fewest``."""
    holders = source[column].astype(str).value_counts()
    return int(released[column].astype(str).isin(holders[holders < fewest].index).sum())
