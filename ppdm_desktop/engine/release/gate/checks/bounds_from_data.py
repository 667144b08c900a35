"""Check that the bounds of added noise were declared, and not taken from the data's extremes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.methods.base.declaration import KnobKind
from ppdm_desktop.engine.release.gate.base import Check, register
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import WHAT_IS_LEARNT, CheckResult, VerdictText
from ppdm_desktop.engine.wording.values import Names


@register
class BoundsFromData(Check):
    """Bounds of noise are declared and not taken from the data."""

    id = "bounds-from-data"
    title = "Lowest and highest possible values"
    order = 220
    cause = WHAT_IS_LEARNT
    answered_by = (KnobKind.ENDS,)
    fix_on = "protect"
    on_protection = True
    figure_unit = "columns"
    reads_file = False
    green_people = VerdictText.green("gate.bounds-from-data.green-people")
    green = VerdictText.green("gate.bounds-from-data.green")
    amber = VerdictText.amber("gate.bounds-from-data.amber")
    not_applicable = VerdictText.not_applicable("gate.bounds-from-data.not-applicable")

    def judge(self, evidence: Evidence) -> CheckResult:
        """Return the result for the number of columns whose noise has bounds taken from the data, rounded outward.

        Amber if there are any, not applicable without noise that needs bounds, else green: bounds were declared, or are
        values that several people share.
        """
        sources = dict.fromkeys(_yield_bound_origins(evidence))
        columns = {name for name, _ in sources}
        if not columns:
            return self.verdict(self.not_applicable)
        guessed = [name for name, source in sources if source == "data"]
        figure = Figure(len(guessed), n=len(columns), unit="columns")
        if guessed:
            return self.verdict(self.amber, figure, 0, columns=Names.of(guessed))
        shared = [name for name, source in sources if source == "people"]
        if shared:
            return self.verdict(self.green_people, figure, 0, columns=Names.of(shared))
        return self.verdict(self.green, figure, 0)


def _yield_bound_origins(evidence: Evidence) -> Iterator[tuple[str, str]]:
    """Yield (column, origin of its bounds) for every column that a step needed bounds for, in the order of the steps.

    The origin is "data" (the extremes of the column), "people" (values that several people share) or another.
    """
    for step in evidence.candidate.steps:
        columns = step.result.detail.get("columns")
        if not isinstance(columns, Mapping):
            continue
        for name, figures in columns.items():
            if isinstance(figures, Mapping) and "bounds_source" in figures:
                yield str(name), str(figures["bounds_source"])
