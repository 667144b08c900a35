"""The verdict's part on privacy levels: what was promised to the people of each level, and what they got."""

from __future__ import annotations

import numpy as np

from ppdm_desktop.engine.methods.base.step import LevelProof
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.report import model


def level_proofs(evidence: Evidence) -> list[model.LevelProofEntry]:
    """Return an entry for each privacy level, step and column: what its people were promised and what they got.

    It is as counted in the released file; as counted during the run where no file can be read, or where a step was not
    counted in the file. The privacy loss is always that of the run. Entries are in the order of steps; figures that are
    infinite or not known are None.
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
    """Return a privacy level's guarantee as counted during the run of a step, in the form of the report.

    The number of records that fall short is 0 if the guarantee is met; if not, it is the number of all covered records,
    because the run does not count them one by one. What the level asks for (``asked``) is what the step had to give.
    Infinite figures become None.
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
    """Return a number as a float for the report; None for None, NaN and infinity."""
    return float(value) if value is not None and np.isfinite(value) else None
