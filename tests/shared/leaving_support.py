"""A condensed release of people of two kinds of wishes, and what an intruder who knows everything can work out."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from cases import case_text
from scipy.spatial import cKDTree
from support import not_analysed, reasons_for

from ppdm_desktop.engine.methods.algorithms.condensation.statistics import FILE_NAME, Statistics
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.load import read_recipe
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.candidate.pipeline import prepare, run_candidate
from ppdm_desktop.engine.release.gate.base import all_checks
from ppdm_desktop.engine.release.top_up.run import read_and_top_up
from ppdm_desktop.engine.release.writing.export import export

RECIPE = case_text("leaving-support-recipe.toml")
HEADER = "Age,Pay,Town,Level"
Person = tuple[float, float, str, int]


def people(seed: int, count: int, needs: tuple[int, ...]) -> list[Person]:
    """Invent so many people."""
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(count):
        lean = rng.normal()
        town = ("Delft", "Ghent", "Bonn")[int(rng.integers(3))]
        pay = round(2000 + 400 * lean + 50 * rng.normal(), 7)
        found.append((float(int(45 + 10 * lean + 3 * rng.normal())), pay, town, int(rng.choice(needs))))
    return found


def text_of(rows: list[Person]) -> str:
    """Return people as CSV."""
    lines = [f"{age:g},{pay:.7f},{town},{need}" for age, pay, town, need in rows]
    return "\n".join([HEADER, *lines]) + "\n"


def released(folder: Path, rows: list[Person], more: str = "", seed: int = 1) -> Path:
    """Release people and delete their file."""
    source, recipe = folder / "old.csv", folder / "recipe.toml"
    source.write_text(text_of(rows), encoding="utf-8")
    recipe.write_text(RECIPE.replace('algorithm = "tree"', 'algorithm = "tree"' + more), encoding="utf-8")
    prepared = prepare(source, read_recipe(recipe), need_type=True)
    candidate = run_candidate(prepared, Key.from_seed(seed))
    write(candidate, folder / "out1")
    source.unlink()
    return folder / "out1"


def write(candidate: Candidate, out: Path) -> None:
    """Export a candidate with a reason for every check."""
    export(candidate, out, accepts=reasons_for(all_checks()), analyses=not_analysed(), attacks=())


def changed(earlier: Path, joining: list[Person], leaving: list[Person], seed: int = 2) -> Candidate:
    """Add people to a release, and take others out."""
    new, gone = earlier.parent / f"new{seed}.csv", earlier.parent / f"gone{seed}.csv"
    new.write_text(text_of(joining), encoding="utf-8")
    gone.write_text(text_of(leaving), encoding="utf-8")
    files = new if joining else None, gone if leaving else None
    return read_and_top_up(earlier, *files, Key.from_seed(seed))


def statistics(out: Path) -> Statistics:
    """Return what is kept of a release."""
    return Statistics.from_json((out / "internal" / FILE_NAME).read_bytes())


def sums(found: Statistics) -> np.ndarray:
    """Return size and sum of numbers of every group: what an intruder has at worst, shape (groups, 1 + d)."""
    moments = found.moments
    return np.column_stack([moments.n, moments.n[:, None] * moments.mean])


def worked_out(releases: Sequence[Statistics], known: np.ndarray, fewer_than: int) -> Iterator[tuple[int, ...]]:
    """Try all ways of setting groups of releases against one another, and all small sets of people.

    Up to two groups of one release less up to two of another, for every two releases; and one group of each of three
    releases, added or taken off.

    Parameters
    ----------
    releases
        The exact statistics of two releases or more, in their order.
    known
        Every person's numbers, shape (people, d): the intruder knows them all, and asks who it was.
    fewer_than
        Sets of fewer people than that are looked for.

    Yields
    ------
    tuple of int
        A set of people whose sum was worked out.
    """
    records = np.column_stack([np.ones(len(known)), known])
    scale = np.abs(records).max(axis=0)
    held = [sums(each) for each in releases]
    sides = [np.concatenate([_subset_sums(each, size)[1] for size in (1, 2)]) for each in held]
    apart = [_apart(one, other) for one, other in itertools.combinations(sides, 2)]
    for one, other, third in itertools.combinations(held, 3):
        for sign, last in itertools.product((1, -1), repeat=2):
            apart.append(_apart(_apart(one, sign * other), last * third))
    differences = np.concatenate(apart) / scale
    tree = cKDTree(np.concatenate([differences, -differences]))
    for size in range(1, fewer_than):
        who, totals = _subset_sums(records, size)
        near, _ = tree.query(totals / scale, distance_upper_bound=1e-9)
        yield from map(tuple, who[np.isfinite(near)].tolist())


def _apart(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    return np.asarray((one[:, None, :] - other[None, :, :]).reshape(-1, one.shape[1]))


def _subset_sums(rows: np.ndarray, size: int) -> tuple[np.ndarray, np.ndarray]:
    if len(rows) < size:
        return np.zeros((0, size), dtype=np.int64), np.zeros((0, rows.shape[1]))
    which = np.array(list(itertools.combinations(range(len(rows)), size)))
    return which, rows[which].sum(axis=1)


def entered(candidate: Candidate, joining: list[Person]) -> list[Person]:
    """Return who of those who came is in the release now; the others wait."""
    waiting = {each["row"] for each in candidate.steps[0].result.detail["pending"]}
    return [each for row, each in enumerate(joining, start=2) if row not in waiting]
