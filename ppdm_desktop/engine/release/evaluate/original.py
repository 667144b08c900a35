"""The untouched original, judged as if it were released unchanged, for comparison with candidates."""

from __future__ import annotations

import dataclasses
import hashlib
from datetime import UTC, datetime

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.models import ColumnSection
from ppdm_desktop.engine.release.attack_audit.registry import audit
from ppdm_desktop.engine.release.candidate.effective import GROUP_KEYS, digest
from ppdm_desktop.engine.release.candidate.model import Candidate, Prepared
from ppdm_desktop.engine.release.candidate.pipeline import run_candidate
from ppdm_desktop.engine.release.evaluate.release_files import build_release_files
from ppdm_desktop.engine.release.gate import decide, run_gate
from ppdm_desktop.engine.release.measures.utility import measure
from ppdm_desktop.engine.release.verdict.make import verdict_of
from ppdm_desktop.engine.release.verdict.usefulness import usefulness_of_original
from ppdm_desktop.engine.report.model import ORIGINAL, Verdict

NO_KEY = Key(hashlib.sha256(b"ppdm-1 the original, nothing is drawn").digest(), "system")
"""Stands where a candidate has its key: the original draws nothing, so its verdict is the same whatever the key is."""


def untouched(prepared: Prepared) -> Prepared:
    """Return a prepared input without its steps and bins: the source with its roles, levels and release type.

    Its rows stay in source order.
    """

    def plain(columns: dict[str, ColumnSection]) -> dict[str, ColumnSection]:
        """Return the column sections without bins."""
        return {name: section.model_copy(update={"bins": None}) for name, section in columns.items()}

    recipe, complete = (
        recipe.model_copy(
            update={
                "steps": [],
                "accept": {},
                "columns": plain(recipe.columns),
                "release": recipe.release.model_copy(update={"shuffle_rows": False}),
            }
        )
        for recipe in (prepared.recipe, prepared.complete)
    )
    effective = {**prepared.effective, "steps": [], "columns": "as read"}
    return dataclasses.replace(
        prepared,
        recipe=recipe,
        complete=complete,
        table=prepared.original,
        effective=effective,
        recipe_sha256=original_key(prepared),
        notes=(),
    )


def original_key(prepared: Prepared) -> str:
    """Return the digest of everything that the verdict on the original depends on; steps do not count."""
    columns = {name: section.model_dump(mode="json") for name, section in sorted(prepared.complete.columns.items())}
    for section in columns.values():
        section["bins"] = None
    # Only where people have several rows does it matter in which order a release would have them.
    order = {"shuffled": prepared.recipe.release.shuffle_rows} if prepared.table.several is not None else {}
    return digest(
        {
            **order,
            **prepared.complete.input.model_dump(mode="json", include=set(GROUP_KEYS), exclude_defaults=True),
            **{key: value for key, value in prepared.effective.items() if key not in ("steps", "columns")},
            "input": prepared.account.sha256,
            "type": prepared.type.id,
            "columns": columns,
        }
    )


def verdict_of_original(candidate: Candidate, *, attacked: bool = True) -> Verdict:
    """Return the verdict on the untouched source of a candidate.

    Parameters
    ----------
    candidate
        Any candidate of the source: its roles, levels and release type hold.
    attacked
        Whether to make the attacks that are made on every release.

    Raises
    ------
    Cancelled
        When the work was stopped.
    """
    # As for the candidate (`evaluate_files`).
    to_prepare, to_measure, to_write, to_attack, to_judge = progress.parts(
        1.0, 4.0, 4.0, 10.0 if attacked else 0.0, 25.0
    )
    source = to_prepare.run(run_candidate, untouched(candidate.prepared), NO_KEY)
    # Its rows stand in their own order; judged it is as what comes of it, whose rows may not.
    in_order = not candidate.prepared.recipe.release.shuffle_rows
    source = dataclasses.replace(source, judged_linked=in_order)
    measures = to_measure.run(measure, source, for_verdict=True)
    evidence = to_write.run(build_release_files, source, measures, lambda name, data: data)
    if attacked:
        evidence = dataclasses.replace(evidence, attacks=to_attack.run(audit, source))
    results = to_judge.run(run_gate, evidence)
    stamp = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    decision = decide(results, {}, source.prepared.account.sha256, stamp, type=source.prepared.type.id)
    return verdict_of(evidence, results, decision, usefulness_of_original(), subject=ORIGINAL, draft=True)
