"""Check that no column holds text that people wrote freely, and that nobody read."""

from __future__ import annotations

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.recipe.release_type import ReleaseType
from ppdm_desktop.engine.release.gate.base import LOOKS_AT_EVERY_VALUE, Check, Limits, register
from ppdm_desktop.engine.release.gate.causes import READING_AND_ROLES
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import CheckResult, VerdictText
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.free_texts import is_free_text, texts_digest
from ppdm_desktop.engine.table.kinds import present_texts
from ppdm_desktop.engine.wording.catalogue import later
from ppdm_desktop.engine.wording.values import Names


@register
class FreeText(Check):
    """No released column holds what people wrote freely, unless someone read every text of it."""

    id = "free-text"
    title = "Free text"
    order = 70
    cause = READING_AND_ROLES
    source = later("check", "Own rule. Free text may name anyone, and no count shows it")
    fix_on = "columns"
    direction = "at-most"
    figure_unit = "columns"
    weight = LOOKS_AT_EVERY_VALUE
    needs = ("written-back", "file-limits")
    green = VerdictText.green("gate.free-text.green")
    green_read = VerdictText.green("gate.free-text.green-read")
    amber = VerdictText.amber("gate.free-text.amber")
    red = VerdictText.red("gate.free-text.red")
    not_run = VerdictText.not_run("gate.free-text.not-run")

    def limits(self, type: ReleaseType, k_min: int) -> Limits:
        """Return the edges of the colours: any is red where the public gets it."""
        return Limits(0, 0 if type.is_public else None)

    def judge(self, evidence: Evidence, progress: Progress) -> CheckResult:
        """Find released columns in which people wrote what they liked, whatever kind they are said to be.

        In public each counts; elsewhere those do of which not every text was read.
        """
        k_min = evidence.candidate.prepared.type.k_min
        # Nobody wrote a code: that it names a person is another check's business.
        written = [column for column in evidence.exported.columns if column.name not in evidence.shown_as_codes]
        free = [column for column in written if is_free_text(column, k_min, progress)]
        public = self.limits_of(evidence).red is not None
        read = [] if public else [column for column in free if _was_read(column, evidence)]
        found = [column.name for column in free if column not in read]
        figure = Figure(len(found), n=len(evidence.exported.columns), unit="columns")
        if found:
            return self.verdict(self.red if public else self.amber, figure, 0, columns=Names.of(found))
        if read:
            texts = sum(len(present_texts(column)) for column in read)
            names = Names.of([column.name for column in read])
            return self.verdict(self.green_read, figure, 0, columns=names, texts=texts)
        return self.verdict(self.green, figure, 0)


def _was_read(column: Column, evidence: Evidence) -> bool:
    """Say whether the owner read all texts of the source's column, and nothing but those is released."""
    prepared = evidence.candidate.prepared
    section = prepared.complete.columns.get(column.name)
    if section is None or section.texts_read is None:
        return False
    source = prepared.read.column(column.name)
    return section.texts_read == texts_digest(source) and set(present_texts(column)) <= set(present_texts(source))
