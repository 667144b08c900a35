"""Singling out, trying guessable keys, and lining up several releases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from cases import case_rows

from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.attacks.averaging import error_left, shows_less_than_chance, vote_right
from ppdm_desktop.engine.attacks.singling_out import HIDDEN, only_holder, singled_out
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.release.attack_audit.seed_search import people_needed, search_seeds


def test_singling_out_by_hand() -> None:
    true = [np.array([0, 0, 1, 2, -1]), np.array([5, 5, 5, 6, 6])]
    shown = [np.array([0, 0, 1, 3, 2]), np.array([5, 5, 5, 6, 6])]
    found = singled_out(true, shown, np.array([0, 1, 2, 3, 4]))
    # Two alike; one alone; one whose values now stand on somebody else; one whose gap was filled.
    assert found.alone.tolist() == [0, 0, 1, 0, 0]
    assert found.fooled.tolist() == [0, 0, 0, 1, 0]


def test_a_hidden_cell_stands_in_nobodys_way() -> None:
    """A star in one column protects nobody whom the other columns show."""
    true = [np.array([27, 31, 27, 40]), np.array([1, 2, 3, 3])]
    shown = [np.array([HIDDEN, HIDDEN, HIDDEN, 40]), np.array([1, 2, 3, 3])]
    found = singled_out(true, shown, np.arange(4))
    # The first two by their second value; the third alone shows 27 or hides it; the last fits two records.
    assert found.alone.tolist() == [1, 1, 1, 0]
    assert found.fooled.tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize("seed", range(20))
def test_singling_out_is_that_of_looking_at_every_record(seed: int) -> None:
    rng = np.random.default_rng(seed)
    width, people, records = int(rng.integers(1, 4)), int(rng.integers(1, 12)), int(rng.integers(1, 12))
    true = [rng.integers(-1, 3, people) for _ in range(width)]
    shown = [rng.choice([HIDDEN, -1, 0, 1, 2], records) for _ in range(width)]
    own = rng.integers(-1, records, people)
    found = singled_out(true, shown, own)
    for person in range(people):
        fits = [
            record
            for record in range(records)
            if all(other[record] in (HIDDEN, one[person]) for one, other in zip(true, shown, strict=True))
        ]
        assert found.alone[person] == (len(fits) == 1 and fits[0] == own[person])
        assert found.fooled[person] == (len(fits) == 1 and fits[0] != own[person])


@pytest.mark.parametrize("seed", range(20))
def test_the_only_holder_is_that_of_looking_at_every_record(seed: int) -> None:
    """People have several rows, some cells of which are hidden: one person's rows show it, or not one person's."""
    rng = np.random.default_rng(seed)
    width, rows, records = int(rng.integers(1, 4)), int(rng.integers(1, 12)), int(rng.integers(1, 12))
    true = [rng.integers(-1, 3, rows) for _ in range(width)]
    shown = [rng.choice([HIDDEN, -1, 0, 1, 2], records) for _ in range(width)]
    holder = rng.integers(0, 4, records)
    found = only_holder(true, shown, holder)
    for row in range(rows):
        holders = {
            int(holder[record])
            for record in range(records)
            if all(other[record] in (HIDDEN, one[row]) for one, other in zip(true, shown, strict=True))
        }
        assert ({int(found[row])} == holders) if len(holders) == 1 else found[row] < 0


def test_people_who_left_the_release_are_not_singled_out() -> None:
    found = singled_out([np.array([0, 1])], [np.array([1])], np.array([-1, 0]))
    assert found.alone.tolist() == [0, 1]


@pytest.mark.parametrize("seed", [0, 137, 999])
def test_a_key_from_a_number_is_found_by_what_a_few_people_show(seed: int) -> None:
    rows, known = 500, np.arange(12)
    values = np.random.default_rng(1).integers(0, 30, rows)

    def order(number: Any) -> Any:
        return np.argsort(np.frombuffer(Key.from_seed(number).bytes_ * 16, np.uint8)[:rows] * 1.0, kind="stable")

    released = values[order(seed)]

    def fits(number: Any) -> Any:
        place = np.empty(rows, dtype=np.int64)
        place[order(number)] = np.arange(rows)
        return np.array_equal(released[place[known]], values[known])

    assert search_seeds(range(1_000), fits) == seed
    assert search_seeds(range(seed), fits) is None


def test_how_many_known_people_are_enough() -> None:
    assert people_needed([1 / 2] * 60) == 40
    assert people_needed([1 / 1024] * 4) == 4
    assert people_needed([1.0] * 100) is None
    assert people_needed([]) is None


def averaged(releases: Sequence[Floats], noise_variance: float) -> Floats:
    """Return the best linear guess at one column from several noisy copies of it, row by row.

    Parameters
    ----------
    releases
        The same column of each release, rows lined up.
    noise_variance
        Variance of the noise of one release; it is independent between releases.
    """
    middle = np.mean(np.stack(releases), axis=0)
    left = noise_variance / len(releases)
    seen = float(middle.var(ddof=1))
    kept = max(seen - left, 0.0) / seen if seen > 0 else 0.0
    return np.asarray(middle.mean() + kept * (middle - middle.mean()))


def voted(releases: Sequence[Ints], categories: int, kept: float = 1.0) -> Ints:
    """Return the likeliest category of each row: the commonest among several releases, the first's where equal.

    Where swapping shows the truth less often than chance (``kept``, as in `vote_right`) the rarest is
    the likeliest.
    """
    votes = np.zeros((len(releases[0]), categories), dtype=np.float64)
    rows = np.arange(len(releases[0]))
    for place, codes in enumerate(releases):
        known = codes >= 0
        votes[rows[known], codes[known]] += 1.0 + (0.5 if place == 0 else 0.0)
    against = shows_less_than_chance(kept, categories)
    return np.asarray(votes.argmin(axis=1) if against else votes.argmax(axis=1), dtype=np.int64)


@pytest.mark.parametrize("releases", [1, 2, 5])
@pytest.mark.parametrize("signal_to_noise", [0.5, 1.0, 4.0])
def test_noise_averages_out_as_foretold(releases: int, signal_to_noise: float) -> None:
    rng = np.random.default_rng(releases)
    truth = rng.normal(0, np.sqrt(signal_to_noise), 40_000)
    copies = [truth + rng.normal(0, 1, len(truth)) for _ in range(releases)]
    left = float(np.sqrt(((averaged(copies, 1.0) - truth) ** 2).mean()))
    assert left == pytest.approx(error_left(signal_to_noise, releases), rel=0.02)


def test_of_a_constant_column_nothing_is_left_to_guess() -> None:
    assert error_left(0.0, 3) == 0.0
    assert averaged([np.full(4, 7.0), np.full(4, 7.0)], 1.0).tolist() == [7.0] * 4


@pytest.mark.parametrize(
    ("kept", "releases", "values"),
    case_rows("smaller-attacks-swaps-are-voted-away-as-foretold"),
)
def test_swaps_are_voted_away_as_foretold(kept: float, releases: int, values: int) -> None:
    rng = np.random.default_rng(releases)
    truth = rng.integers(0, values, 40_000)
    other = [(truth + rng.integers(1, values, len(truth))) % values for _ in range(releases)]
    copies = [np.where(rng.random(len(truth)) < kept, truth, wrong) for wrong in other]
    right = (voted(copies, values, kept) == truth).mean()
    assert right == pytest.approx(vote_right(kept, releases, values), abs=0.01)
    assert right >= max(kept, 1 / values) - 0.01, "a guess from all releases is no worse than one or none"


def test_a_vote_leaves_out_what_is_missing() -> None:
    assert voted([np.array([-1, 0]), np.array([1, 1])], 2).tolist() == [1, 0]
