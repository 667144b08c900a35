"""Check of earlier releases of the same source."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.release.disclosure.differencing import compare_with_earlier
from ppdm_desktop.engine.release.gate.base import Check, register
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import KEYS_AND_DRAWS, CheckResult, Colours, VerdictText
from ppdm_desktop.engine.release.storage.ledger import LedgerEntry, drawn_columns
from ppdm_desktop.engine.wording.values import Day, Names


@register
class EarlierRelease(Check):
    """The source was not released before."""

    id = "earlier-release"
    title = "Released before"
    order = 260
    cause = KEYS_AND_DRAWS
    fix_on = "release"
    figure_unit = "releases"
    reads_file = False
    of_history = True
    usual = Colours.of("gate.earlier-release.green", "gate.earlier-release.amber", "gate.earlier-release.red")
    not_compared = VerdictText.amber("gate.earlier-release.amber-not-compared")
    green_compared = VerdictText.green("gate.earlier-release.green-compared")
    amber_differs = VerdictText.amber("gate.earlier-release.amber-differs")
    red_differs = VerdictText.red("gate.earlier-release.red-differs")
    not_applicable = VerdictText.not_applicable("gate.earlier-release.not-applicable")
    not_run = VerdictText.not_run("gate.earlier-release.not-run")

    def judge(self, evidence: Evidence) -> CheckResult:
        """Return the result for earlier releases of the same source; the first rule that fits decides.

        - The owner names an earlier release, and a difference of group averages reveals somebody's value: red in a
          public release, else amber. This needs no ledger (this computer's list of releases), nor an entry in it.
        - Without a ledger: not applicable; with one that cannot be read: not run.
        - The ledger has no earlier release of the source or of a version of it: green. Repeats of the same draws do not
          count.
        - In a public release, a confidential column has random draws in both releases: red, since several draws
          average out.
        - The only earlier release is of another version of the source, and the owner's was compared: green.
        - Else: amber.
        """
        is_compared = evidence.earlier is not None and evidence.fits
        differing = compare_with_earlier(evidence.disclosed, evidence.earlier or ()) if is_compared else None
        if differing is not None and differing.columns:
            text = self.red_differs if evidence.candidate.prepared.type.is_public else self.amber_differs
            figure = Figure(1, unit="releases")
            return self.verdict(text, figure, 0, people=differing.people, columns=Names.of(differing.columns))
        if evidence.history is None:
            return self.verdict(self.not_applicable)
        if not evidence.history.is_readable:
            return self.verdict(self.not_run)
        return self._judge_history(evidence, evidence.history.others, is_compared=differing is not None)

    def _judge_history(self, evidence: Evidence, earlier: Sequence[LedgerEntry], *, is_compared: bool) -> CheckResult:
        """Return the result by the ledger's earlier releases; its figure is their number.

        Green if there are none, red if the release is public and an earlier one has random draws on the same
        confidential column, else amber. A single earlier release of another version of the source is green if it was
        compared.

        Parameters
        ----------
        evidence, earlier
            The evidence on the release, and the earlier releases.
        is_compared
            Whether the rows of an earlier release were compared with this one.
        """
        figure = Figure(len(earlier), unit="releases")
        if not earlier:
            return self.verdict(self.usual.green, figure, 0)
        arguments: dict[str, Any] = {"releases": len(earlier), "day": Day(date.fromisoformat(earlier[-1].day))}
        candidate = evidence.candidate
        drawn = set(drawn_columns(candidate))
        again = [name for entry in earlier for name in entry.drawn if name in drawn]
        if again and candidate.prepared.type.is_public:
            return self.verdict(self.usual.red, figure, 0, columns=Names.of(list(dict.fromkeys(again))), **arguments)
        source = candidate.prepared.account.sha256
        is_other_version = all(entry.input_sha256 != source for entry in earlier)
        if is_compared and is_other_version and len(earlier) == 1:
            return self.verdict(self.green_compared, figure)
        return self.verdict(self.not_compared if is_other_version else self.usual.amber, figure, 0, **arguments)
