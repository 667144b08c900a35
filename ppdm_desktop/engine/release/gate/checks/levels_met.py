"""Check that each person has the level they asked for."""

from __future__ import annotations

import numpy as np

from ppdm_desktop.engine.arrays import Bools
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.identifiability.classes import lowest_and_highest
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.release.gate.base import Check, register
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import AMBER, GREEN, RED, CheckResult


@register
class LevelsMet(Check):
    """Each covered record has its level, and the rest asked for no more than the weakest."""

    id = "levels-met"
    title = "Each person's level"
    order = 130
    source = "own rule: each step's promise to each level, counted again on the file"
    fix_on = "levels"
    direction = "at-most"
    figure_unit = "records"
    needs = ("written-back", "file-limits")

    def judge(self, evidence: Evidence, progress: Progress) -> CheckResult:
        """Count the records whose level is not kept, or else those that asked for more and are served by no step."""
        broken = [
            (step.index, proof)
            for step, recount in zip(evidence.candidate.steps, evidence.recounts, strict=True)
            for proof in recount.levels
            if not proof.met
        ]
        failed = [
            step.index
            for step, recount in zip(evidence.candidate.steps, evidence.recounts, strict=True)
            if not recount.guarantee.holds
        ]
        rows = evidence.candidate.final.rows
        if broken or failed:
            steps = sorted({step for step, _ in broken} | set(failed))
            figure = Figure(sum(proof.covered for _, proof in broken), n=rows, unit="records")
            levels = sorted({proof.level for _, proof in broken})
            return self.verdict(
                RED,
                figure,
                0,
                steps=", ".join(map(str, steps)),
                levels=", ".join(levels) or "all",
            )
        lacking = uncovered_above_weakest(evidence)
        count = int(lacking.sum())
        figure = Figure(count, n=rows, unit="records")
        return self.verdict(AMBER if count else GREEN, figure, 0, records=count)


def uncovered_above_weakest(evidence: Evidence) -> Bools:
    """Say which records above the weakest level have a protected column that nothing serves."""
    rows = evidence.candidate.final.rows
    lacking = np.zeros(rows, dtype=np.bool_)
    levels = evidence.candidate.final.levels
    if levels is None or rows == 0:
        return lacking
    above = np.array([not level.is_weakest for level in levels.levels], dtype=np.bool_)[levels.codes]
    if not above.any():
        return lacking
    large = evidence.classes.size_of_record >= levels.of("group")
    quasi = {column.name for column in evidence.judged.with_role("quasi-identifier")}
    names = [
        name for name in evidence.judged.names if name in evidence.confidential or name in evidence.protected_columns
    ]
    for name in names:
        diverse = np.ones(rows, dtype=np.bool_) if name in quasi else _several_values(evidence, name)
        lacking |= above & ~evidence.served(name) & ~(large & diverse)
    return lacking


def _several_values(evidence: Evidence, name: str) -> Bools:
    codes = evidence.judged.column(name).category_codes
    classes = evidence.classes
    lowest, highest = lowest_and_highest(classes, codes)
    return np.asarray((lowest < highest)[classes.ids])
