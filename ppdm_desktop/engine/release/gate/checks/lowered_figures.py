"""Check that no setting of the recipe weakens the rule by which people count as revealed."""

from __future__ import annotations

from ppdm_desktop.engine.attacks.uncertainty import half_widths
from ppdm_desktop.engine.release.gate.base import Check, register
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import WHAT_IS_LEARNT, CheckResult, VerdictText
from ppdm_desktop.engine.table.levels import find_uncertainty_limit
from ppdm_desktop.engine.wording.texts import LevelTitle, Note, list_level_labels
from ppdm_desktop.engine.wording.values import Name, Number, Terms


@register
class LoweredFigures(Check):
    """No tolerance and no limit of certainty is weaker than the program's own."""

    id = "lowered-figures"
    title = "Settings that lower figures"
    cause = WHAT_IS_LEARNT
    order = 132
    fix_on = "columns"
    figure_unit = ""
    reads_file = False
    green = VerdictText.green("gate.lowered-figures.green")
    amber = VerdictText.amber("gate.lowered-figures.amber")

    def judge(self, evidence: Evidence) -> CheckResult:
        """Return the result that names each setting weaker than the program's own value.

        Amber if there are any, else green.
        """
        settings = _describe_low_tolerances(evidence) + _describe_high_demands(evidence)
        return self.verdict(self.amber, settings=Terms(tuple(settings))) if settings else self.verdict(self.green)


def _describe_low_tolerances(evidence: Evidence) -> list[Note]:
    """Return a note for each confidential numeric column whose tolerance in the recipe is too small.

    A guess within the tolerance counts as right. Too small is below the smallest tolerance that the program would
    choose from the column's values.
    """
    notes = []
    for name in [column.name for column in evidence.candidate.released.with_role("confidential")]:
        tolerance = evidence.candidate.prepared.column_section(name).tolerance
        truth = evidence.truth(name)
        if tolerance is None or truth.kind != "numeric" or not len(truth.categories):
            continue
        values, counts = truth.counted_numbers()
        step = float(truth.style.step) if truth.style is not None else 1.0
        rule = float(half_widths(values, values, counts / counts.sum(), step).min())
        if tolerance < rule:
            given = Number(float(tolerance))
            notes.append(Note("lowered.tolerance", {"column": Name(name), "given": given, "rule": Number(rule)}))
    return notes


def _describe_high_demands(evidence: Evidence) -> list[Note]:
    """Return a note for each privacy level that allows guesses more certain than the program's own limit for it.

    A level that is not built in has the limit of the weakest built-in one. Empty without levels.
    """
    levels = evidence.candidate.final.levels
    level_labels = list_level_labels(evidence.candidate.prepared.recipe.privacy.words)
    return [
        Note(
            "lowered.doubt",
            {
                "level": LevelTitle.of(level.name, level_labels),
                "given": Number(float(level.demand.doubt)),
                "rule": Number(find_uncertainty_limit(level)),
            },
        )
        for level in (() if levels is None else levels.levels)
        if level.demand.doubt > find_uncertainty_limit(level)
    ]
