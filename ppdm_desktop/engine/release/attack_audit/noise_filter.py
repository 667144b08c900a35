"""The noise-filter attack, made on a candidate with noisy columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import GRID, Floats
from ppdm_desktop.engine.attacks.comparison import FILTER_LIMIT, Severity, severity_of_filter
from ppdm_desktop.engine.attacks.noise_filter import error_figure, ratio_figure
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.release.attack_audit.base import (
    Attack,
    AttackEvidence,
    make_empty_tail,
    register,
)
from ppdm_desktop.engine.release.attack_audit.noise_filter_model import NoisyStep, filtered_steps, noisy_steps
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.report.model import AttackEntry, Report, Sentence
from ppdm_desktop.engine.wording.catalogue import lazy, untranslated
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import LimitOf, Name, Names, Number, Term, Value, Versus

BY_BAYES = "attack.noise-filter.bayes"
_TOGETHER = lazy("best linear guess from all released columns")
_LINEAR_GUESS = lazy("best linear guess from the column alone")
_MEAN = lazy("the mean, for everyone")
_NO_RATIO = lazy("no ratio of errors")
_TAKEN_AWAY = lazy("error removed")


class NoiseAttack(Attack):
    """Base class of attacks that reduce noise.

    Such an attack is rated by the remaining error as a share of the error without the attack.
    """

    further: ClassVar[Mapping[str, str]] = {"ratio": "attack.further.ratio"}
    kind = "undoing"
    knows = "attack.knows.noisy"
    chance = "attack.chance.average"
    least_residual = FILTER_LIMIT
    judged_by = "reversal"
    unit = "ratio"
    undoes = True
    on_foreign = True


@register
class NoiseFilter(NoiseAttack):
    """Estimates the true values of every noisy column by linear regression on all released columns."""

    id = "noise-filter"
    title = "attack.name.noise-filter"
    sentences: ClassVar[Mapping[Severity, str]] = {
        "none": "attack.noise-filter.none",
        "some": "attack.noise-filter.some",
        "serious": "attack.noise-filter.serious",
        "total": "attack.noise-filter.total",
    }
    order = 60
    term = "attack.noise-filter.term"
    source = "attack.noise-filter.source"
    control = "attack.noise-filter.control"
    own_check = True
    on_person = True

    def why_not(self, candidate: Candidate) -> str | None:
        """Return None if a step added noise that can be filtered out, else the id of the text that says why not."""
        return None if noisy_steps(candidate, self.id) else "attack.why-not.no-step"

    def run(self, evidence: AttackEvidence) -> tuple[AttackEntry, ...]:
        """Return one result for each noisy column of each step: the error of a linear estimate from all columns.

        The filter is fitted to, and judged on, a fixed sample of at most 50,000 complete records, one a person. Noisy
        columns that are not released are left out. A step is ignored where none of its columns is released, a later
        step changed one of these again, one is not numeric as released, or fewer than 10 people have a complete record.
        Empty where released rows are not source rows.
        """
        candidate = evidence.candidate
        attack_entries: list[AttackEntry] = []
        for noisy in filtered_steps(candidate, self.id):
            progress.check()
            truth, base, guess = noisy.truth[noisy.rows], noisy.separately(noisy.rows), noisy.together(noisy.rows)
            rest = [name for name in candidate.described_names if name not in noisy.names]
            attack_entries += [
                _build_entry(noisy, index, truth, base, guess, rest) for index in range(len(noisy.names))
            ]
        return tuple(attack_entries)

    def rule(self, result: AttackEntry, report: Report) -> Note:
        """Return the sentence that says below which error the attack counts as working: 0.90 of the control's error.

        The control's error is that of the best linear estimate from the column alone.
        """
        return Note("attack.noise-filter.rule", {"allowed": Number(FILTER_LIMIT)})


def _build_entry(
    noisy: NoisyStep, index: int, truths: Floats, bases: Floats, guesses: Floats, rest: list[str]
) -> AttackEntry:
    """Return the audit's entry for one noisy column: errors of the filter, of the column alone and of the mean.

    They are its success, control and chance: root mean square errors in standard deviations of the noise. The first
    divided by the second is ``further["ratio"]``, by which the severity is judged, and the advantage is 1 - that ratio.
    The severity is ``total`` where the column alone leaves no error, so that there is no ratio.

    Parameters
    ----------
    noisy, index
        The noisy columns with their filter, and the position of this column among them.
    truths, bases, guesses
        True values, estimates from each column alone and from all columns, shape (sample, columns).
    rest
        Names of the other released columns.
    """
    name, size = noisy.names[index], float(noisy.sizes[index])
    truth, base, guess = truths[:, index], bases[:, index], guesses[:, index]
    success = error_figure(truth, guess, size, _TOGETHER)
    control = error_figure(truth, base, size, _LINEAR_GUESS)
    mean = np.full(len(truth), noisy.seen[noisy.rows, index].mean())
    chance = error_figure(truth, mean, size, _MEAN)
    ratio = ratio_figure(truth, guess, base)
    severity = severity_of_filter(float(ratio.value) if ratio.value is not None else 0.0)
    advantage = Figure.absent(ratio.note or _NO_RATIO, unit="share")
    if ratio.value is not None and ratio.low is not None and ratio.high is not None:
        advantage = Figure(
            1 - ratio.value, low=1 - ratio.high, high=1 - ratio.low, n=ratio.n, unit="share", method=_TAKEN_AWAY
        )
    remains = float(ratio.value or 0.0)
    arguments: dict[str, Value] = {
        "column": Name(name),
        "others": len(noisy.names) - 1 + len(rest),
        "left": Number(float(success.value or 0.0)),
        "alone": Number(float(control.value or 0.0)),
        "ratio": Versus(remains, FILTER_LIMIT, "ratio"),
        "allowed": LimitOf(remains, FILTER_LIMIT, "ratio"),
    }
    return AttackEntry(
        id=NoiseFilter.id,
        column=name,
        knows=Sentence.of(NoiseFilter.knows, {"columns": Names.of([*noisy.names, *rest])}),
        success=success,
        control=control,
        chance=chance,
        advantage=advantage,
        tail=make_empty_tail(),
        sampled=len(truth),
        severity=severity,
        sentence=Sentence.of(NoiseFilter.sentences[severity], arguments),
        further={"ratio": ratio},
    )


def with_best_guess(entry: AttackEntry, residual_error: float, ratio: float, prior: str, people: int) -> AttackEntry:
    """Return the entry with the figures of the Bayes estimate, if its error is smaller than the linear filter's.

    Success, advantage, ratio, severity and sentence are exchanged; control, chance and number of people stay. They are
    also exchanged where the linear filter has no ratio of errors. Otherwise ``entry`` itself is returned.

    Parameters
    ----------
    entry
        The result of the linear filter.
    residual_error, ratio
        Error of the Bayes estimate, in standard deviations of the noise, and divided by the error of the linear
        estimate from the column alone.
    prior, people
        Name of the prior distribution, and number of values estimated.
    """
    linear = entry.further["ratio"].value
    if linear is not None and linear <= ratio + GRID:
        return entry
    how = untranslated("Bayes' rule, {prior}", prior=Term(prior))
    arguments: dict[str, Value] = {
        "column": Name(entry.column or ""),
        "left": Number(residual_error),
        "ratio": Versus(ratio, FILTER_LIMIT, "ratio"),
        "allowed": LimitOf(ratio, FILTER_LIMIT, "ratio"),
    }
    return entry.model_copy(
        update={
            "success": Figure(residual_error, n=people, unit="noise sd", method=how),
            "advantage": Figure(1 - ratio, n=people, unit="share", method=_TAKEN_AWAY),
            "further": {**entry.further, "ratio": Figure(ratio, n=people, unit="ratio", method=how)},
            "severity": severity_of_filter(ratio),
            "sentence": Sentence.of(BY_BAYES, arguments),
        }
    )
