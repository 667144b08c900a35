"""The verdict's part on privacy levels: what each was promised, and what it got."""

from __future__ import annotations

import numpy as np

from ppdm_desktop.engine.methods.base.step import LevelProof
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.report import model


def level_proofs(evidence: Evidence) -> list[model.LevelProofEntry]:
    """Return what each privacy level got, for each step and column, as counted in the file.

    As counted by the run where no file can be read or a step was not counted in it.
    """
    counts = evidence.level_counts if evidence.fits else ()
    entries = []
    for step in evidence.candidate.steps:
        step_counts = [count for count in counts if count.step == step.index]
        proofs = step.recount.levels
        losses = {(proof.column, proof.level): proof.privacy_loss for proof in proofs}
        entries += [
            model.LevelProofEntry.copy_of(
                count,
                records=count.people,
                not_covered=count.people - count.covered,
                demanded=to_finite(count.demand),
                least_achieved=to_finite(count.least),
                privacy_loss=to_finite(losses.get((count.column, count.level))),
                asked=to_finite(count.asked),
            )
            for count in step_counts
        ]
        entries += [_run_proof(step.index, proof) for proof in proofs if not step_counts]
    return entries


def _run_proof(step: int, proof: LevelProof) -> model.LevelProofEntry:
    """Return a level's guarantee as counted by the run of a step, in the form of the report.

    ``short`` are all records covered where it is not met, else 0.
    """
    return model.LevelProofEntry.copy_of(
        proof,
        step=step,
        demanded=to_finite(proof.demanded),
        least_achieved=to_finite(proof.least_achieved),
        privacy_loss=to_finite(proof.privacy_loss),
        asked=to_finite(proof.demanded),
        short=0 if proof.met else int(proof.covered),
    )


def to_finite(value: float | None) -> float | None:
    """Return a number for the report; None for None, NaN and infinity."""
    return float(value) if value is not None and np.isfinite(value) else None
