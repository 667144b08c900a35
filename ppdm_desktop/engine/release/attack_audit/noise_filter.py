"""Noise filtering made on a candidate with noisy columns."""

from __future__ import annotations

import numpy as np

from ppdm_desktop.engine.arrays import Floats
from ppdm_desktop.engine.attacks.comparison import severity_of_filter
from ppdm_desktop.engine.attacks.noise_filter import error_figure, ratio_figure
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.release.attack_audit.column_pairs import listed, no_tail
from ppdm_desktop.engine.release.attack_audit.noise_filter_model import NOISE_FILTER, FilteredStep, filtered_steps
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.report.model import AttackEntry, Sentence

ID = NOISE_FILTER


def attack(candidate: Candidate, progress: Progress) -> tuple[AttackEntry, ...]:
    """Guess the values behind every noisy column from all released columns.

    At most `MOST_RECORDS` complete records, a fixed sample, are fitted and guessed. A step whose
    column a later one changed again is passed over.
    """
    found: list[AttackEntry] = []
    for noisy in filtered_steps(candidate, progress):
        progress.check()
        truth, base, guess = noisy.truth[noisy.rows], noisy.alone(noisy.rows), noisy.together(noisy.rows)
        others = [name for name in candidate.released_names if name not in noisy.names]
        found += [_entry(noisy, place, truth, base, guess, others) for place in range(len(noisy.names))]
    return tuple(found)


def _entry(
    noisy: FilteredStep, place: int, truths: Floats, bases: Floats, guesses: Floats, others: list[str]
) -> AttackEntry:
    name, size = noisy.names[place], float(noisy.sizes[place])
    truth, base, guess = truths[:, place], bases[:, place], guesses[:, place]
    success = error_figure(truth, guess, size, "best linear guess from all released columns")
    control = error_figure(truth, base, size, "best linear guess from the column alone")
    mean = np.full(len(truth), noisy.seen[noisy.rows, place].mean())
    chance = error_figure(truth, mean, size, "the mean, for everybody")
    ratio = ratio_figure(truth, guess, base)
    severity = severity_of_filter(float(ratio.value) if ratio.value is not None else 0.0)
    advantage = Figure.absent(ratio.note or "no ratio of errors", unit="share")
    if ratio.value is not None and ratio.low is not None and ratio.high is not None:
        advantage = Figure(
            1 - ratio.value, low=1 - ratio.high, high=1 - ratio.low, n=ratio.n, unit="share", method="error taken away"
        )
    arguments = {
        "column": name,
        "others": len(noisy.names) - 1 + len(others),
        "left": f"{float(success.value or 0.0):.2f}",
        "alone": f"{float(control.value or 0.0):.2f}",
        "ratio": f"{float(ratio.value or 0.0):.2f}",
    }
    return AttackEntry(
        id=ID,
        column=name,
        knows=Sentence(
            id="attack.knows.noisy",
            arguments={"columns": listed([*noisy.names, *others])},
        ),
        success=success,
        control=control,
        chance=chance,
        advantage=advantage,
        tail=no_tail(),
        tolerance=None,
        sampled=len(truth),
        severity=severity,
        sentence=Sentence(id=f"attack.noise-filter.{severity}", arguments=arguments),
        levels=[],
        further={"ratio": ratio},
    )
