"""Forecast of what an intruder learns by averaging several independent releases of one source."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.attacks.averaging import compute_averaged_error, compute_vote_success
from ppdm_desktop.engine.attacks.comparison import Severity
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.release.attack_audit.base import (
    Attack,
    AttackEvidence,
    Outcome,
    make_empty_tail,
    pair_released_columns,
    register,
    share_of,
    take_first_rows,
)
from ppdm_desktop.engine.release.candidate.model import Candidate, StepRecord
from ppdm_desktop.engine.report.model import AttackEntry, Report, Sentence
from ppdm_desktop.engine.utility.cells import merged_categories
from ppdm_desktop.engine.wording.catalogue import lazy
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Name, Number, Ratio, Value

RELEASES = 5
"""Releases the forecast speaks of, this one among them, where none was made before."""

_NOISE = lazy("error of the best linear guess, lowest protection level, from the ratio of variances")
_VOTES = lazy("the best guess from the votes of independent swaps, of the records that took part")
_MEAN = lazy("the mean, for everyone")
_TAKEN_AWAY = lazy("error removed")
_AS_RELEASED = lazy("the released value as it is")
_RANDOM = lazy("a released value taken at random")
_LESS_CONTROL = lazy("right answers of the attack, minus those of the comparison")
_NO_TAIL = lazy("a forecast from settings says nothing about single people")

MOST_VOTES = 7
"""A vote is counted out over so many releases at most; more of them are worth at least as much."""


@register
class Averaging(Attack):
    """Computes how much noise or swapping remains after averaging several independent releases of the source."""

    id = "averaging"
    title = "attack.name.averaging"
    sentences: ClassVar[Mapping[Severity, str]] = {
        "none": "attack.averaging.none-noise",
        "some": "attack.averaging.some-noise",
    }
    of_swaps: ClassVar[Mapping[Severity, str]] = {
        "none": "attack.averaging.none-swap",
        "some": "attack.averaging.some-swap",
    }
    """What is said of noise, and of swaps."""
    order = 100
    kind = "combining"
    term = "attack.averaging.term"
    source = "attack.averaging.source"
    knows = "attack.knows.several-releases"
    control = "attack.averaging.control"
    judged_by = "earlier-release"
    reads_earlier = True
    own_check = True
    unit = "share"
    on_foreign = True

    def why_not(self, candidate: Candidate) -> str | None:
        """Return None if a column has noise or swaps to average, else the id of the text that says why not."""
        return None if self.run(AttackEvidence(candidate)) else "attack.why-not.no-step"

    def run(self, evidence: AttackEvidence) -> tuple[AttackEntry, ...]:
        """Return a result for each noisy or swapped column of each step whose method declares this attack.

        If the ledger lists earlier releases, the result is for as many releases and this one. Otherwise it is a
        forecast for five releases and no fault of this release. No earlier file is read: the result follows from the
        noise's parameters, or from the share of treated people whose released value is still true. Swapped columns that
        are free text or not released, or in which nobody with a value was treated, are left out. Empty where released
        rows are not source rows, and without rows.
        """
        candidate, earlier = evidence.candidate, evidence.earlier
        attack_entries = []
        for step in candidate.steps:
            if self.id in step.method.attacks and candidate.rows_correspond and candidate.final.rows:
                for name in step.settings.columns:
                    progress.report(0.0, "doing.audit")
                    noisy = step.method.adds_known_noise
                    entry = (
                        _assess_noisy_column(step, name, earlier)
                        if noisy
                        else _assess_swapped_column(candidate, step, name, earlier)
                    )
                    attack_entries += [entry] if entry is not None else []
        return tuple(attack_entries)

    def outcome(self, result: AttackEntry) -> Outcome:
        """Return the outcome "forecast" for any result: the attack never works on a single release."""
        return "forecast"

    def rule(self, result: AttackEntry, report: Report) -> Note:
        """Return the note that this attack alone never fails a release; the parameters are not used."""
        return Note("attack.averaging.rule")


def _assess_noisy_column(step: StepRecord, name: str, earlier: int) -> AttackEntry:
    """Return the result for one noisy column: the error left after one release and after averaging several.

    ``earlier`` is the number of earlier releases; these and the present one are averaged, or five if there are none.
    Errors are in standard deviations of the noise, at the weakest privacy level.
    """
    ratio = float(step.result.detail["columns"][name]["snr"])
    releases = earlier + 1 if earlier else RELEASES
    single, together = compute_averaged_error(ratio, 1), compute_averaged_error(ratio, releases)
    arguments: dict[str, Value] = {
        "column": Name(name),
        "earlier": earlier,
        "releases": releases,
        "alone": Number(single),
        "together": Number(together),
    }
    return _build_entry(
        name,
        Figure(together, unit="noise sd", method=_NOISE),
        Figure(single, unit="noise sd", method=_NOISE),
        Figure(ratio**0.5, unit="noise sd", method=_MEAN),
        Figure(1 - together / single if single else 0.0, unit="share", method=_TAKEN_AWAY),
        Averaging.sentences,
        arguments,
    )


def _assess_swapped_column(candidate: Candidate, step: StepRecord, name: str, earlier: int) -> AttackEntry | None:
    """Return the result for a swapped column: how often the best guess from the values of several releases is right.

    The releases are the ``earlier`` ones and the present one, or five if there is none earlier; at most seven are
    counted. None where the column is not released or is free text, the step had another number of rows than the
    release, or no person with a value took part in the swapping.
    """
    before, after = pair_released_columns(candidate, [name])
    treated = [protection.treatment >= 0 for protection in step.result.protections if protection.column == name]
    if not before or not treated or len(treated[0]) != candidate.final.rows:
        return None
    truth, released_codes, names = merged_categories(before[0], after[0])
    rows = take_first_rows(candidate, np.flatnonzero(np.logical_or.reduce(treated) & (truth >= 0)))
    if not len(rows):
        return None
    kept = float((truth[rows] == released_codes[rows]).mean())
    releases = earlier + 1 if earlier else RELEASES
    together = compute_vote_success(kept, min(releases, MOST_VOTES), len(names))
    single = Figure(kept, n=len(rows), unit="share", method=_AS_RELEASED)
    arguments: dict[str, Value] = {
        "column": Name(name),
        "earlier": earlier,
        "releases": releases,
        "alone": share_of(single),
        "together": Ratio(together),
    }
    return _build_entry(
        name,
        Figure(together, n=len(rows), unit="share", method=_VOTES),
        single,
        Figure(1 / len(names), n=len(rows), unit="share", method=_RANDOM),
        Figure(together - kept, n=len(rows), unit="share", method=_LESS_CONTROL),
        Averaging.of_swaps,
        arguments,
    )


def _build_entry(
    name: str,
    success: Figure,
    control: Figure,
    chance: Figure,
    advantage: Figure,
    sentences: Mapping[Severity, str],
    arguments: Mapping[str, Value],
) -> AttackEntry:
    """Return the audit's entry for one column from its figures and the values of its sentence.

    The sentence is that of ``sentences`` for "some" if there are earlier releases, else for "none". So is the severity,
    but "none" where the advantage is 0; how bad it is, the gate's check of earlier releases judges.
    """
    severity: Severity = "some" if arguments["earlier"] else "none"
    return AttackEntry(
        id=Averaging.id,
        column=name,
        knows=Sentence.of(Averaging.knows, {"releases": arguments["releases"]}),
        success=success,
        control=control,
        chance=chance,
        advantage=advantage,
        tail=make_empty_tail(_NO_TAIL),
        sampled=0,
        severity=severity if advantage.value else "none",
        sentence=Sentence.of(sentences[severity], arguments),
    )
