"""Inverses without parameters, tried on columns of a file whose method is not declared.

A file of unknown origin may have been made by a method that anybody can undo: shifted digits, two added constants,
records averaged in groups, noise on correlated columns. Each inverse is tried where it can mean something:

- digits and constants on every column of numbers with changed values, unless the released values are
  already as near to the truth as the inverse brings them;
- the nearest record on all confidential or changed columns together;
- noise filtering where changes look like noise: most values changed, and the change does not depend on the true
  value. The noise is estimated from both files; an intruder would learn it from the file's maker.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Floats
from ppdm_desktop.engine.methods.base.registry import all_methods
from ppdm_desktop.engine.methods.base.step import Settings, StepResult
from ppdm_desktop.engine.release.attack_audit.base import Attack, AttackEvidence
from ppdm_desktop.engine.release.attack_audit.column_pairs import sides, untouched
from ppdm_desktop.engine.release.attack_audit.digit_inverse import DigitInverse
from ppdm_desktop.engine.release.attack_audit.nearest_record import NearestRecord
from ppdm_desktop.engine.release.attack_audit.noise_filter import NoiseFilter
from ppdm_desktop.engine.release.attack_audit.two_constant_search import TwoConstantSearch
from ppdm_desktop.engine.release.candidate.model import Candidate, StepRecord
from ppdm_desktop.engine.release.foreign.candidate import NOT_COUNTED
from ppdm_desktop.engine.report.model import AttackEntry
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.tie_breaking import GRID

NO_GAIN = 0.01
"""An inverse that brings no larger share of values back than the released values show is none."""
MOST_CHANGED, MOST_CORRELATED = 0.5, 0.1
"""Changes are taken for noise where so large a share of values changed, and go with the truth no more."""
_LEAST_RECORDS = 30

_OF_COLUMNS: tuple[Attack, ...] = (DigitInverse(), TwoConstantSearch())
"""Inverses that are tried on each number by itself."""


def tried_inverses(candidate: Candidate) -> tuple[AttackEntry, ...]:
    """Return the results of inverses tried on columns that no declared step treats; rows must be matched.

    Parameters
    ----------
    candidate
        The released file.
    """
    declared = {name for step in candidate.steps for name in step.settings.columns}
    free = [name for name in candidate.released_names if name not in declared]
    before, after = sides(candidate, free)
    changed = {column.name for column in after if not untouched(candidate, [column.name])}
    pairs = [(source, released) for source, released in zip(before, after, strict=True) if released.name in changed]
    numbers = [(source, released) for source, released in pairs if source.kind == released.kind == "numeric"]
    attack_entries: list[AttackEntry] = []
    for done, (source, released) in enumerate(numbers):
        with progress.part(0.6 * done / len(numbers), 0.6 * (done + 1) / len(numbers)):
            attack_entries += _undone(candidate, source, released)
    names = [column.name for column in after if column.role == "confidential" or column.name in changed]
    if names:
        attack_entries += progress.part(0.6, 0.9).run(_tried, NearestRecord(), candidate, names)
    noisy = [(source, released) for source, released in numbers if _looks_like_noise(source.numbers, released.numbers)]
    if noisy:
        attack_entries += progress.part(0.9, 1.0).run(_filtered, candidate, noisy)
    return tuple(attack_entries)


def _undone(candidate: Candidate, column: Column, released: Column) -> list[AttackEntry]:
    """Return the best result of each inverse on one column."""
    attack_entries = []
    for attack in _OF_COLUMNS:
        tries = _tried(attack, candidate, [column.name])
        best = max(tries, key=lambda entry: entry.success.value or 0.0, default=None)
        if best is not None and not _is_no_inverse(best, column.numbers, released.numbers):
            attack_entries.append(best)
    return attack_entries


def _is_no_inverse(entry: AttackEntry, truth: Floats, values: Floats) -> bool:
    """Return whether the released values are already as near to the truth as after the inverse."""
    present = ~np.isnan(truth)
    if entry.severity == "none" or not present.any():
        return False
    room = (entry.tolerance or 0.0) + 1e-9 * np.maximum(np.abs(truth[present]), 1e-300)
    with np.errstate(invalid="ignore"):
        as_shown = float((np.abs(values[present] - truth[present]) <= room).mean())
    return (entry.success.value or 0.0) <= as_shown + NO_GAIN


def _looks_like_noise(truth: Floats, values: Floats) -> bool:
    """Return whether changes look like noise: most values changed, independently of the true value."""
    both_present = ~(np.isnan(truth) | np.isnan(values))
    true, moved = truth[both_present], values[both_present] - truth[both_present]
    if len(true) < _LEAST_RECORDS or (moved != 0).mean() < MOST_CHANGED:
        return False
    if true.std() == 0 or moved.std() == 0 or values[both_present].std() == 0:
        return False
    with_truth = abs(float(np.corrcoef(true, moved)[0, 1]))
    with_shown = abs(float(np.corrcoef(values[both_present], moved)[0, 1]))
    # An average goes the other way round: what is left of a value goes with the value.
    return with_truth <= min(MOST_CORRELATED + 2 / math.sqrt(len(true)), with_shown) + GRID


def _filtered(candidate: Candidate, noisy: Sequence[tuple[Column, Column]]) -> list[AttackEntry]:
    """Return the noise-filter results on columns that look noisy, with the noise estimated from both files."""
    names = [released.name for _, released in noisy]
    moved = np.column_stack([released.numbers - source.numbers for source, released in noisy])
    moved = moved[~np.isnan(moved).any(axis=1)]
    if len(moved) < _LEAST_RECORDS:
        return []
    # One level and no cells: the covariance seen holds all that was done to the values.
    level = {"records": len(moved), "noise": 1.0, "width": 0.0}
    detail = {
        "covariance": {"columns": names, "matrix": np.atleast_2d(np.cov(moved, rowvar=False)).tolist()},
        "columns": {name: {"step": 0.0, "levels": [level]} for name in names},
    }
    return _tried(NoiseFilter(), candidate, names, detail)


def _tried(
    attack: Attack, candidate: Candidate, names: Sequence[str], detail: Mapping[str, Any] | None = None
) -> list[AttackEntry]:
    """Return the results of an attack made as if each method that declares the attack had made the file."""
    attack_entries: list[AttackEntry] = []
    for method in all_methods().values():
        written = method.unknown_file_parameters
        if written is None or attack.id not in method.attacks:
            continue
        values = {parameter.name: parameter.default for parameter in method.parameters} | dict(written)
        settings = Settings(tuple(names), values, frozenset(written))
        result = StepResult(candidate.final, (), detail or {})
        step = StepRecord(1, method, settings, candidate.prepared.table, result, (), NOT_COUNTED, 0.0)
        attack_entries += attack.run(AttackEvidence(replace(candidate, steps=(step,))))
    return attack_entries
