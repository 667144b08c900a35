"""Releases that leak: each must be stopped by the checks that it names, for the type that it names.

Of the first round, the numbers are those of the list of releases that the verdict is held against; letters are
further ones. They stand in ``first_round.toml``; here is what a faulty or wicked step would have written. To add one is
to add an entry.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from gate_cases import randomised, with_step

from ppdm_desktop.engine.release.candidate.model import Candidate
from tests.corpus.leaking_second_round import SECOND_ROUND_LEAKS
from tests.corpus.recipes import first_round


def _truth(name: str, candidate: Candidate) -> dict[str, list[str]]:
    return {name: candidate.prepared.table.column(name).values()}


def _other_answer(name: str, candidate: Candidate) -> dict[str, list[str]]:
    values = candidate.prepared.table.column(name).values()
    one, other = sorted(set(values))
    return {name: [other if value == one else one for value in values]}


def _one_in_each_group(name: str, candidate: Candidate) -> dict[str, list[str]]:
    """Give one member of each group of five somebody else's value."""
    values = np.array(candidate.prepared.table.column(name).values(), dtype=object)
    first = np.arange(0, len(values), 5)
    values[first] = np.roll(values[first], 1)
    return {name: values.tolist()}


def _cut_at_second_largest(name: str, candidate: Candidate) -> dict[str, list[str]]:
    values = list(map(int, candidate.prepared.table.column(name).values()))
    limit = sorted(set(values))[-2]
    return {name: [str(min(value, limit)) for value in values]}


def _renamed(name: str, candidate: Candidate) -> dict[str, list[str]]:
    values = candidate.prepared.table.column(name).values()
    known = sorted(set(values))
    other = dict(zip(known, [*known[1:], known[0]], strict=True))
    return {name: [other[value] for value in values]}


def _recoded(name: str, candidate: Candidate) -> dict[str, list[str]]:
    return {name: [str(2 * int(value) + 70) for value in candidate.prepared.table.column(name).values()]}


def _nearly_the_truth(name: str, candidate: Candidate) -> dict[str, list[str]]:
    """Put all but one in fifty values back."""
    values = np.array(candidate.prepared.table.column(name).values(), dtype=object)
    values[::50] = np.array(candidate.final.column(name).values(), dtype=object)[::50]
    return {name: values.tolist()}


def _true_where_alone(name: str, candidate: Candidate) -> dict[str, list[str]]:
    """Put a column's emptied values back: the empty cells of another then match anything, but nobody shows the same."""
    return {name: candidate.prepared.table.column(name).values()}


def _true_for(name: str, level: str, candidate: Candidate) -> dict[str, list[str]]:
    """Put the values of everybody of one level back."""
    levels = candidate.final.levels
    assert levels is not None
    chosen = np.array([each.name == level for each in levels.levels])[levels.codes]
    truth, shown = (
        np.array(table.column(name).values(), dtype=object) for table in (candidate.prepared.table, candidate.final)
    )
    return {name: np.where(chosen, truth, shown).tolist()}


def _pooled(name: str, candidate: Candidate) -> dict[str, list[str]]:
    """Change as many as all levels together asked for, but hardly anybody of the strictest."""
    found = _true_for(name, "paranoid", candidate)[name]
    truth, shown = (table.column(name).values() for table in (candidate.prepared.table, candidate.final))
    lost = sum(one != two for one, two in zip(found, shown, strict=True))
    values = sorted(set(truth))
    for place in range(len(found) - 1, -1, -1):
        if lost and found[place] == truth[place]:
            found[place] = values[(values.index(truth[place]) + 1) % len(values)]
            lost -= 1
    return {name: found}


def _noise_on_each_row(name: str, sd: float, candidate: Candidate) -> Candidate:
    """Draw noise anew for each row, and say so."""
    column = candidate.final.column(name)
    rng, rows = np.random.default_rng(5), candidate.final.rows
    values = np.clip(column.numbers + rng.normal(0, sd, rows), 0, 200).round().astype(int)
    detail = {"law": "gaussian", "levels": [{"sd": sd, "width": 1.0}], "step": 1.0, "bounds": [0, 200]}
    treated = replace(randomised(name, [0] * rows), manner="noise")
    return with_step(candidate, {name: values.astype(str).tolist()}, [treated], detail={"columns": {name: detail}})


def _moved_row_by_row(name: str, candidate: Candidate) -> dict[str, list[str]]:
    """Move each date by a shift of its own."""
    days = np.array(candidate.prepared.table.column(name).values(), dtype="datetime64[D]")
    return {name: (days + np.random.default_rng(5).integers(-183, 184, len(days))).astype(str).tolist()}


_PLANTED: Mapping[str, Callable[..., Any]] = {
    "cut_at_second_largest": _cut_at_second_largest,
    "moved_row_by_row": _moved_row_by_row,
    "nearly_the_truth": _nearly_the_truth,
    "noise_on_each_row": _noise_on_each_row,
    "one_in_each_group": _one_in_each_group,
    "other_answer": _other_answer,
    "pooled": _pooled,
    "recoded": _recoded,
    "renamed": _renamed,
    "true_for": _true_for,
    "true_where_alone": _true_where_alone,
    "truth": _truth,
}
"""What a faulty or wicked step would have written, by the name that ``first_round.toml`` gives it."""
_FILES = {
    "23 broader words": {"jobs.csv": "".join(f"job{job};group{job};*\n" for job in range(100))},
    "I3 best levels": {"villages.csv": "".join(f"{village};district {village // 4};*\n" for village in range(240))},
}
LEAKING = (*first_round("first_leaks", _FILES, _PLANTED), *SECOND_ROUND_LEAKS)
