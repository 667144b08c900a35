"""What several releases of the source would give away together, step by step and column by column."""

from __future__ import annotations

import numpy as np

from ppdm_desktop.engine.attacks.averaging import error_left, vote_right
from ppdm_desktop.engine.attacks.comparison import Severity
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.release.attack_audit.column_pairs import no_tail, of_hundred, sides
from ppdm_desktop.engine.release.candidate.model import Candidate, StepRecord
from ppdm_desktop.engine.report.model import AttackEntry, Sentence
from ppdm_desktop.engine.utility.cells import merged_categories

ID = "averaging"
RELEASES = 5
"""Releases the forecast speaks of, this one among them, where none was made before."""

MOST_VOTES = 7
"""A vote is counted out over so many releases at most; more of them are worth at least as much."""


def attack(candidate: Candidate, progress: Progress, earlier: int = 0) -> tuple[AttackEntry, ...]:
    """Compute what an intruder with several releases of this source, drawn independently, would know.

    Where the ledger knows of ``earlier`` releases, of these and this one; else it is a forecast from
    the method's parameters, not a fault of this one release.
    """
    found = []
    for step in candidate.steps:
        if ID in step.method.attacks and candidate.rows_correspond:
            for name in step.settings.columns:
                progress.report(0.0, "doing.audit")
                noisy = "covariance" in step.result.detail
                entry = _noise(step, name, earlier) if noisy else _swap(candidate, step, name, earlier)
                found += [entry] if entry is not None else []
    return tuple(found)


def _noise(step: StepRecord, name: str, earlier: int) -> AttackEntry:
    ratio = float(step.result.detail["columns"][name]["snr"])
    releases = earlier + 1 if earlier else RELEASES
    alone, together = error_left(ratio, 1), error_left(ratio, releases)
    how = "error of the best linear guess, weakest privacy level, from the ratio of variances"
    arguments = {
        "column": name,
        "earlier": earlier,
        "releases": releases,
        "alone": f"{alone:.2f}",
        "together": f"{together:.2f}",
    }
    return _entry(
        name,
        Figure(together, unit="noise sd", method=how),
        Figure(alone, unit="noise sd", method=how),
        Figure(ratio**0.5, unit="noise sd", method="the mean, for everybody"),
        Figure(1 - together / alone if alone else 0.0, unit="share", method="error taken away"),
        Sentence(id=f"attack.averaging.{_severity(earlier)}-noise", arguments=arguments),
    )


def _swap(candidate: Candidate, step: StepRecord, name: str, earlier: int) -> AttackEntry | None:
    before, after = sides(candidate, [name])
    treated = [each.treatment >= 0 for each in step.result.protections if each.column == name]
    if not before or not treated or len(treated[0]) != candidate.final.rows:
        return None
    truth, shown, names = merged_categories(before[0], after[0])
    rows = np.flatnonzero(np.logical_or.reduce(treated) & (truth >= 0))
    if not len(rows):
        return None
    kept = float((truth[rows] == shown[rows]).mean())
    releases = earlier + 1 if earlier else RELEASES
    together = vote_right(kept, min(releases, MOST_VOTES), len(names))
    how = "the best guess from the votes of independent swaps, of the records that took part"
    arguments = {
        "column": name,
        "earlier": earlier,
        "releases": releases,
        "alone": of_hundred(kept),
        "together": of_hundred(together),
    }
    return _entry(
        name,
        Figure(together, n=len(rows), unit="share", method=how),
        Figure(kept, n=len(rows), unit="share", method="the released value as it stands"),
        Figure(1 / len(names), n=len(rows), unit="share", method="a value taken blindly"),
        Figure(together - kept, n=len(rows), unit="share", method="success less control"),
        Sentence(id=f"attack.averaging.{_severity(earlier)}-swap", arguments=arguments),
    )


def _severity(earlier: int) -> Severity:
    """Rate a forecast as nothing yet, and releases that were made as something: how bad is for the ledger's check."""
    return "some" if earlier else "none"


def _entry(
    name: str, success: Figure, control: Figure, chance: Figure, advantage: Figure, sentence: Sentence
) -> AttackEntry:
    return AttackEntry(
        id=ID,
        column=name,
        knows=Sentence(id="attack.knows.several-releases", arguments={"releases": sentence.arguments["releases"]}),
        success=success,
        control=control,
        chance=chance,
        advantage=advantage,
        tail=no_tail("a forecast from parameters says nothing of single people"),
        tolerance=None,
        sampled=0,
        severity=_severity(int(sentence.arguments["earlier"])),
        sentence=sentence,
        levels=[],
        further={},
    )
