"""A quick verdict: the same object as of a candidate, from some of the rows and without attacks.

In fewer rows everybody has less company, so what passes here hardly fails on all rows; the reverse is possible.
"""

from __future__ import annotations

import dataclasses
import hashlib

import numpy as np

from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.models import StepSection
from ppdm_desktop.engine.release.candidate.model import Prepared
from ppdm_desktop.engine.release.candidate.pipeline import run_candidate
from ppdm_desktop.engine.release.evaluate.release_files import build_release_files
from ppdm_desktop.engine.release.gate import decide, run_gate
from ppdm_desktop.engine.release.measures.utility import measure
from ppdm_desktop.engine.release.verdict.make import verdict_of
from ppdm_desktop.engine.release.verdict.usefulness import usefulness_of
from ppdm_desktop.engine.report.model import Verdict


def some_rows(prepared: Prepared, most: int) -> Prepared:
    """Return a prepared input of at most so many rows, drawn by a fixed rule; it is for trying out only."""
    rows, people = prepared.table.rows, prepared.table.people
    if rows <= most:
        return prepared
    if people is None or not people.with_several:
        kept = np.sort(np.random.default_rng(0).choice(rows, most, replace=False)).astype(np.int64)
    else:
        # Whole people: without some of their rows nobody would be the person that they are.
        order = np.random.default_rng(0).permutation(people.count)
        chosen = np.zeros(people.count, dtype=np.bool_)
        chosen[order[np.cumsum(people.sizes[order]) <= most]] = True
        kept = np.flatnonzero(chosen[people.of_row]).astype(np.int64)
    return dataclasses.replace(prepared, original=prepared.original.take(kept), table=prepared.table.take(kept))


def quick_verdict(prepared: Prepared, steps: tuple[StepSection, ...], progress: Progress) -> Verdict:
    """Return the verdict on what steps make of a prepared input, without attacks.

    Parameters
    ----------
    prepared
        The input; its recipe's own steps do not matter.
    steps
        What is tried out.
    progress
        Reports the work.

    Raises
    ------
    InputError, RecipeError
        When a method cannot keep its promise on this table.
    Cancelled
        When the work was stopped.
    """
    trial = dataclasses.replace(prepared, recipe=prepared.recipe.model_copy(update={"steps": steps}))
    # Nothing drawn from it is ever released; a run gets a key of the system's, so it is judged as one.
    key = Key(hashlib.sha256(b"trial " + prepared.account.sha256.encode("ascii")).digest(), "system")
    candidate = run_candidate(trial, key, progress.part(0.0, 0.3), is_trial=True)
    measures = measure(candidate, progress.part(0.3, 0.35))
    evidence = build_release_files(candidate, measures, progress.part(0.35, 0.4), lambda name, data: data)
    results = run_gate(evidence, progress.part(0.4, 1.0))
    decision = decide(results, {}, prepared.account.sha256, "", type=prepared.type.id)
    useful = usefulness_of(candidate)
    return verdict_of(evidence, results, decision, useful, draft=True)
