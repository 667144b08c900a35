"""The genetic search for the records that represent all others (Zhu, Li & Wu 2009, step 3).

A chromosome is a choice of m records, with a fixed number from each class. A child of two parents has every record that
both have, and is filled up at random with records that one of them has; mutation exchanges a few records for others.
Every generation draws from its own random stream, so that a search of g generations is the beginning of every longer
one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Bools, Floats, Ints
from ppdm_desktop.engine.randomness import StepStream

Fitness = Callable[[Bools], Floats]

ELITES = 2
SEARCHING = "progress.method.search"
_BLOCK = 1 << 16


@dataclass(frozen=True, eq=False)
class Evolution:
    """The result of a genetic search.

    Attributes
    ----------
    best
        bool, shape (records,): the fittest choice of all generations.
    curve
        Best fitness after each generation; the first entry is that of the random start.
    generations
        Number of generations.
    evaluations
        Number of choices whose fitness was measured.
    """

    best: Bools
    curve: tuple[float, ...]
    generations: int
    evaluations: int


@dataclass(frozen=True, eq=False)
class Quota:
    """How many records are chosen from one class.

    Attributes
    ----------
    records
        int64: the class's records that may be chosen, rising.
    chosen
        How many of them every choice has.
    """

    records: Ints
    chosen: int


def apportion_quotas(classes: Ints, shares: Ints, chosen: int) -> tuple[Quota, ...]:
    """Return how many records to choose from each class: in proportion to its people, by largest remainders.

    Of 10 records, 7 and 3 come from classes of 70 and 30 people. A class with fewer records than its share has all of
    them chosen, and the classes that lack most of theirs fill up: 8 and 2 if the second class has only 2 records.
    Quotas come in the order of the classes, and those without a record have none; of equal remainders the lower class
    fills up first.

    Parameters
    ----------
    classes
        int64, shape (records,): class of each record that may be chosen.
    shares
        int64, shape (classes,): number of people of each class in the whole table.
    chosen
        Total number of records to choose, at most as many as there are.
    """
    there = np.bincount(classes, minlength=len(shares))
    exact = chosen * shares / max(int(shares.sum()), 1)
    quotas = np.minimum(np.floor(exact).astype(np.int64), there)
    for _ in range(chosen - int(quotas.sum())):
        shortfall = np.where(quotas < there, exact - quotas, -np.inf)
        quotas[int(np.argmax(shortfall))] += 1
    return tuple(
        Quota(np.flatnonzero(classes == label), int(quotas[label])) for label in np.flatnonzero(there).tolist()
    )


def evolve(
    places: Sequence[Quota],
    fitness: Fitness,
    streams: StepStream,
    *,
    population: int,
    generations: int,
    mutation: float,
) -> Evolution:
    """Return the fittest choice of records that a genetic search finds, and how the search went.

    Every choice has the wanted number of records of each class. The result also has the best fitness at the start and
    after each generation, and the numbers of generations and of choices measured. The search ends before
    ``generations`` if a person asked for it.

    Parameters
    ----------
    places
        How many records of each class are chosen, and from which; ``records`` below are those of all classes.
    fitness
        Function from choices, bool, shape (choices, records), to the fitness of each, float64, shape (choices,).
    streams
        The step's random streams.
    population, generations
        Number of choices in a generation, and number of generations (at least one).
    mutation
        Share of a choice's records that are exchanged on average, in addition to one record.

    Returns
    -------
    Evolution
        Never worse than the best choice of the random start, because the two fittest choices are kept.
    """
    records = sum(len(quota.records) for quota in places)
    people = _choose_lowest_by_quota(_draw_uniform(streams, "first generation", population, records), places)
    worth = fitness(people)
    curve = [float(worth.max())]
    _report_generation(0, generations, curve[0], worth)
    reached = 0
    while reached < generations:
        reached += 1
        elite = np.argsort(-worth, kind="stable")[:ELITES]
        children = _breed_children(people, worth, places, mutation, streams, f"generation {reached}")
        people = np.concatenate([people[elite], children])
        worth = np.concatenate([worth[elite], fitness(children)])
        curve.append(float(worth.max()))
        _report_generation(reached, generations, curve[-1], worth)
        if progress.finishing():
            break
    best = people[int(np.argmax(worth))]
    return Evolution(best, tuple(curve), reached, population + reached * (population - ELITES))


def _report_generation(generation: int, generations: int, best: float, worth: Floats) -> None:
    """Report the progress of the search to the window: generations done, best and mean fitness.

    ``worth`` is the fitness of each choice.
    """
    progress.report(generation / generations, SEARCHING)
    progress.tell(
        SEARCHING, generation=float(generation), generations=float(generations), best=best, mean=float(worth.mean())
    )


def _draw_uniform(streams: StepStream, purpose: str, rows: int, records: int) -> Floats:
    """Return uniform random numbers from 0 to 1, float64, shape (rows, records).

    Blocks of rows have their own random streams, named after ``purpose``: a stream makes all of its numbers at once,
    during which the window would not respond.
    """
    height = max(1, _BLOCK // max(records, 1))
    drawn = np.empty((rows, records))
    for start in range(0, rows, height):
        part = drawn[start : start + height]
        part[:] = streams.stream(f"{purpose}, from {start}").uniform(part.size).reshape(part.shape)
    return drawn


def _breed_children(
    people: Bools, worth: Floats, places: Sequence[Quota], mutation: float, streams: StepStream, purpose: str
) -> Bools:
    """Return the children of a generation, bool, shape (len(people) - 2, records), with the quota of each class.

    The two missing ones are those kept from before. Each child has two parents, and each parent is the fitter of two
    choices drawn at random. Records that both parents have are kept, records that one has are kept by chance; then some
    records are exchanged by mutation.

    Parameters
    ----------
    people, worth
        The present choices, bool, shape (choices, records), and their fitness.
    places
        How many records of each class are chosen.
    mutation
        Share of records exchanged on average, in addition to one record.
    purpose
        Name of the generation's random streams.
    """
    count, records = len(people) - ELITES, people.shape[1]
    chosen = sum(quota.chosen for quota in places)
    rivals = streams.stream(purpose).integers(len(people), 4 * count).reshape(count, 2, 2)
    fitter = worth[rivals[:, :, 1]] > worth[rivals[:, :, 0]]
    parents = np.where(fitter, rivals[:, :, 1], rivals[:, :, 0])
    mother, father = people[parents[:, 0]], people[parents[:, 1]]
    # Both have it: kept. One has it: by chance. None has it: never needed.
    rank = _draw_uniform(streams, f"{purpose}, crossover", count, records) + 2.0 - mother - father
    rank[mother & father] = -1.0
    child = _choose_lowest_by_quota(rank, places)
    lost = child & (_draw_uniform(streams, f"{purpose}, lost", count, records) < mutation + 1.0 / chosen)
    rank = _draw_uniform(streams, f"{purpose}, gained", count, records)
    rank[child] = -1.0
    rank[lost] = 2.0
    return _choose_lowest_by_quota(rank, places)


def _choose_lowest_by_quota(rank: Floats, places: Sequence[Quota]) -> Bools:
    """Return, for each row, which entries of each class have the lowest ranks, as many as its quota.

    Bool, shape of ``rank``. Of equal entries, the first are taken. Records in no quota are never chosen.
    """
    chosen = np.zeros(rank.shape, dtype=np.bool_)
    for quota in places:
        if quota.chosen:
            chosen[:, quota.records] = _choose_lowest(rank[:, quota.records], quota.chosen)
    return chosen


def _choose_lowest(rank: Floats, chosen: int) -> Bools:
    """Return, for each row, which ``chosen`` entries have the lowest ranks; bool, shape of ``rank``.

    Of equal entries, the first are taken. If there are no more entries than ``chosen`` (at least 1), all are.
    """
    lowest = np.zeros(rank.shape, dtype=np.bool_)
    if chosen >= rank.shape[1]:
        lowest[:] = True
        return lowest
    kept = np.partition(rank, chosen - 1, axis=1)[:, chosen - 1 : chosen]
    lowest = rank < kept
    # Equal ranks at the edge (records both parents have): the first of them.
    shortfall = chosen - lowest.sum(axis=1, keepdims=True)
    edge = rank == kept
    return np.asarray(lowest | (edge & (np.cumsum(edge, axis=1) <= shortfall)))
