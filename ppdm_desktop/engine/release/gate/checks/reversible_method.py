"""Check that no step can be undone exactly without a key, and that its choices cannot be retraced."""

from __future__ import annotations

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.methods.base.declaration import Method
from ppdm_desktop.engine.release.candidate.model import PubliclyReversible, StepRecord
from ppdm_desktop.engine.release.gate.base import Check, register
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import KEYS_AND_DRAWS, CheckResult, Colours, VerdictText
from ppdm_desktop.engine.wording.catalogue import lazy
from ppdm_desktop.engine.wording.values import Names, Terms


@register
class ReversibleMethod(Check):
    """No step can be undone exactly without a key, and its choices cannot be retraced."""

    id = "reversible-method"
    title = "Methods that can be undone"
    order = 180
    cause = KEYS_AND_DRAWS
    source = lazy("A. Kerckhoffs, La cryptographie militaire, 1883 (only the key may be secret)")
    fix_on = "protect"
    on_protection = True
    figure_unit = "columns"
    red_for = "outside"
    reads_file = False
    usual = Colours.of("gate.reversible-method.green", "gate.reversible-method.amber", "gate.reversible-method.red")
    amber_traceable = VerdictText.amber("gate.reversible-method.amber-traceable")

    def judge(self, evidence: Evidence) -> CheckResult:
        """Return the result for columns that anybody can change back, and for steps whose choices can be retraced.

        Columns that can be changed back are amber; red if no other step protects one of them and the type has a red
        limit. Choices that can be retraced are amber. Else green.
        """
        reversible: dict[str, Method] = {}
        firm: set[str] = set()
        traceable: list[str] = []
        for step in evidence.candidate.steps:
            undone = _list_reversible_columns(step)
            for name in undone:
                reversible.setdefault(name, step.method)
            for protection in step.result.protections:
                if protection.column not in undone and (step, protection) in evidence.protections:
                    firm.add(protection.column)
                if protection.traceable and protection.column not in traceable:
                    traceable.append(protection.column)
        if reversible:
            return self._judge_reversible_columns(evidence, reversible, firm)
        figure = Figure(0, unit="columns")
        if traceable:
            return self.verdict(self.amber_traceable, figure, 0, columns=Names.of(traceable))
        return self.verdict(self.usual.green, figure, 0)

    def _judge_reversible_columns(
        self, evidence: Evidence, reversible: dict[str, Method], firm: set[str]
    ) -> CheckResult:
        """Return the result for columns that anybody can change back.

        Red if one of them is not in ``firm`` (the columns that another step protects as well) and the release type has
        a red limit; else amber. ``reversible`` holds the method by column.
        """
        unprotected = [name for name in reversible if name not in firm]
        is_red = bool(unprotected) and self.limits_of(evidence).red is not None
        used = {method.id: method.title for method in reversible.values()}
        methods = Terms(tuple(used[id] for id in sorted(used)))
        columns = Names.of(unprotected if is_red else tuple(reversible))
        figure = Figure(len(reversible), unit="columns")
        return self.verdict(self.usual.red if is_red else self.usual.amber, figure, 0, methods=methods, columns=columns)


def _list_reversible_columns(step: StepRecord) -> list[str]:
    """Return the columns treated by the step that anybody can change back without a key.

    Empty for a method that cannot be undone.
    """
    if not isinstance(step.method, PubliclyReversible):
        return []
    return [
        name
        for name in step.settings.columns
        if step.method.undo(step.result.table.column(name), step.settings) is not None
    ]
