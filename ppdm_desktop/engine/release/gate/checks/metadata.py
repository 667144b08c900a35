"""Check that no data about this computer got into the release folder."""

from __future__ import annotations

import re

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.release.gate.base import Check, register
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import READING_AND_ROLES, CheckResult, VerdictText
from ppdm_desktop.engine.release.gate.stated_values import allowed_values, find_contained_words, select_revealing_words
from ppdm_desktop.engine.table.writing.registry import find_writer

_TIME = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}")


@register
class Metadata(Check):
    """No name of this computer, its user or the source's location is in the release."""

    id = "metadata"
    title = "Traces of this computer"
    order = 310
    cause = READING_AND_ROLES
    fix_on = "columns"
    figure_unit = "traces"
    red_for = "all"
    green = VerdictText.green("gate.metadata.green")
    red = VerdictText.red("gate.metadata.red")

    def judge(self, evidence: Evidence) -> CheckResult:
        """Return the result for names of user, computer, folder and source, and times, found outside the data cells.

        Red from the first one on. In the texts, words that the release must contain anyway do not count. Fails if no
        data file was written.
        """
        assert evidence.written is not None
        machine_words = evidence.host_metadata.machine_words
        writer = find_writer(evidence.written.format)
        traces = writer.traces(evidence.written.data, machine_words) if writer.looks_into_bytes else 0
        phrases = select_revealing_words(allowed_values(evidence), machine_words)
        for text in evidence.texts.made:
            traces += len(find_contained_words(text.casefold(), phrases))
            traces += len(_TIME.findall(text))
        figure = Figure(traces, unit="traces")
        return self.verdict(self.red if traces else self.green, figure, 0, traces=traces)
