"""What several releases of the source would give away together, step by step and column by column."""

from __future__ import annotations

import numpy as np

from ppdm_desktop.engine.attacks.averaging import error_left, vote_right
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.release.audits.sides import no_tail, of_hundred, sides
from ppdm_desktop.engine.release.candidate import Candidate, StepRecord
from ppdm_desktop.engine.report.model import AttackEntry, Sentence
from ppdm_desktop.engine.utility.cells import merged_categories

ID = "averaging"
RELEASES = 5
"""Releases the forecast speaks of, this one among them."""


def attack(candidate: Candidate, progress: Progress) -> tuple[AttackEntry, ...]:
    """Foretell what a snooper with several releases of this source, drawn independently, would know.

    It is a forecast from the method's parameters, not a fault of this one release: releases made
    before are the business of the ledger and its check.
    """
    found = []
    for step in candidate.steps:
        if ID in step.method.attacks and candidate.rows_correspond:
            for name in step.settings.columns:
                progress.report(0.0, "doing.audit")
                entry = _noise(step, name) if "covariance" in step.result.detail else _swap(candidate, step, name)
                found += [entry] if entry is not None else []
    return tuple(found)


def _noise(step: StepRecord, name: str) -> AttackEntry:
    ratio = float(step.result.detail["columns"][name]["snr"])
    alone, together = error_left(ratio, 1), error_left(ratio, RELEASES)
    how = "error of the best linear guess, weakest privacy level, from the ratio of variances"
    arguments = {"column": name, "releases": RELEASES, "alone": f"{alone:.2f}", "together": f"{together:.2f}"}
    return _entry(
        name,
        Figure(together, unit="noise sd", method=how),
        Figure(alone, unit="noise sd", method=how),
        Figure(ratio**0.5, unit="noise sd", method="the mean, for everybody"),
        Figure(1 - together / alone if alone else 0.0, unit="share", method="error taken away"),
        Sentence(id="attack.averaging.none-noise", arguments=arguments),
    )


def _swap(candidate: Candidate, step: StepRecord, name: str) -> AttackEntry | None:
    before, after = sides(candidate, [name])
    treated = [each.treatment >= 0 for each in step.result.protections if each.column == name]
    if not before or not treated or len(treated[0]) != candidate.final.rows:
        return None
    truth, shown, names = merged_categories(before[0], after[0])
    rows = np.flatnonzero(np.logical_or.reduce(treated) & (truth >= 0))
    if not len(rows):
        return None
    kept = float((truth[rows] == shown[rows]).mean())
    together = vote_right(kept, RELEASES, len(names))
    how = "a vote among independent swaps of the records that took part"
    arguments = {"column": name, "releases": RELEASES, "alone": of_hundred(kept), "together": of_hundred(together)}
    return _entry(
        name,
        Figure(together, n=len(rows), unit="share", method=how),
        Figure(kept, n=len(rows), unit="share", method="the released value as it stands"),
        Figure(1 / len(names), n=len(rows), unit="share", method="a value taken blindly"),
        Figure(together - kept, n=len(rows), unit="share", method="success less control"),
        Sentence(id="attack.averaging.none-swap", arguments=arguments),
    )


def _entry(
    name: str, success: Figure, control: Figure, chance: Figure, advantage: Figure, sentence: Sentence
) -> AttackEntry:
    return AttackEntry(
        id=ID,
        column=name,
        knows=Sentence(id="attack.knows.several-releases", arguments={"releases": RELEASES}),
        success=success,
        control=control,
        chance=chance,
        advantage=advantage,
        tail=no_tail("a forecast from parameters says nothing of single people"),
        tolerance=None,
        sampled=0,
        severity="none",
        sentence=sentence,
        levels=[],
        further={},
    )
