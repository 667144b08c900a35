"""What each step of a candidate did, from the report's own figures. No widgets here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ppdm_desktop.engine.methods.base.declaration import Counted
from ppdm_desktop.engine.methods.base.registry import find_step_method, step_title
from ppdm_desktop.engine.report.model import LevelProofEntry, Report, StepEntry
from ppdm_desktop.engine.report.model import Sentence as SentenceEntry
from ppdm_desktop.engine.report.parameter_words import value_words
from ppdm_desktop.engine.wording.catalogue import Sentence, _, lazy, translated
from ppdm_desktop.engine.wording.level_titles import Said
from ppdm_desktop.engine.wording.texts import render_kept
from ppdm_desktop.engine.wording.values import Ratio, Term
from ppdm_desktop.ui.charts.numbers import plain_number
from ppdm_desktop.ui.pages.compare.details import detail_lines
from ppdm_desktop.ui.pages.compare.groups import SizeBand, size_bands
from ppdm_desktop.ui.state.level_names import level_words
from ppdm_desktop.ui.state.number_words import count, percent


@dataclass(frozen=True)
class StepWordsOf:
    """What one step did.

    Attributes
    ----------
    title, what
        The method, and its columns and settings.
    holds
        Whether the recount agreed.
    guarantee
        The promise and how it was recounted.
    detail, notes
        Its own figures as (words, figure), and sentences.
    proof
        For each level: level, column, records, covered, demanded, achieved, met.
    sizes
        Where the step made groups: the step's detail, and its groups by size.
    whole_records
        Whether a share is met that is less than demanded, because records are whole.
    """

    index: int
    title: str
    what: str
    holds: bool
    guarantee: str
    detail: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]
    proof: tuple[tuple[str, ...], ...]
    sizes: tuple[Mapping[str, Any], tuple[SizeBand, ...]] | None = None
    whole_records: bool = False


def steps_of(report: Report) -> list[StepWordsOf]:
    """Return what each step did, in words."""
    levels, said = report.verdict.levels, report.privacy.said
    return [_step(step, [level for level in levels if level.step == step.index], said) for step in report.steps]


def proof_headers() -> tuple[str, ...]:
    """Return the headings of a proof."""
    return (
        _("Protection level"),
        _("Column"),
        _("Records"),
        _("Protected"),
        _("Required"),
        _("Lowest reached"),
        _("Met"),
    )


_COUNTED_AGAIN: Mapping[tuple[Counted, bool], Sentence] = {
    ("records", True): lazy("Counted again on {n} {n:record|records}: the promise holds."),
    ("records", False): lazy("Counted again on {n} {n:record|records}: the promise does not hold."),
    ("values", True): lazy("Counted again on {n} {n:value|values}: the promise holds."),
    ("values", False): lazy("Counted again on {n} {n:value|values}: the promise does not hold."),
}
"""What a recount came to, by what it looked at."""


def _step(step: StepEntry, proofs: Sequence[LevelProofEntry], said: Said) -> StepWordsOf:
    method = find_step_method(step.method)
    parameters = {parameter.name: parameter for parameter in method.parameters} if method is not None else {}
    settings = [
        _("{name}: {value}", name=Term(parameters[name].shown_label), value=Term(words))
        for name, value in step.parameters.items()
        if name in parameters and (words := value_words(parameters[name], value))
    ]
    # The report keeps what was promised in English, in any language of the window.
    promised = translated(step.promise) or step.promise if step.promise else ""
    how = {
        "file": _("Anyone can check this from the released file."),
        "file+original": _("You can check this from the released file and the original."),
        "run": _("This can be checked from the secret key and the original."),
    }[step.guarantee.kind]
    counts: Counted = "records" if method is None else method.counts
    held = _COUNTED_AGAIN[counts, step.guarantee.holds].said(n=step.guarantee.checked)
    return StepWordsOf(
        step.index,
        step_title(step.method),
        " · ".join(filter(None, (", ".join(step.columns), *settings))),
        step.guarantee.holds,
        f"{promised} {held} {how}".strip(),
        tuple(detail_lines(step.method, step.detail)),
        tuple(dict.fromkeys(sentence(note) for note in step.notes)),
        tuple(_proof(each, said) for each in proofs),
        (step.detail, tuple(bands)) if (bands := size_bands(step.detail, proofs, said)) else None,
        any(_rounded(proof) for proof in proofs),
    )


def sentence(note: SentenceEntry) -> str:
    """Return a report's sentence in words."""
    text = render_kept(note.id, note.arguments)
    return f"{text.sentence} {text.window}".strip()


def _rounded(proof: LevelProofEntry) -> bool:
    demanded, achieved = proof.demanded, proof.least_achieved
    if not proof.met or proof.privacy_loss is not None or demanded is None or achieved is None:
        return False
    return achieved < demanded < 1


def _proof(proof: LevelProofEntry, said: Said) -> tuple[str, ...]:
    return (
        level_words(proof.level, said),
        proof.column,
        count(proof.records),
        count(proof.covered),
        *_demands(proof),
        _("yes") if proof.met else _("no"),
    )


def _demands(proof: LevelProofEntry) -> tuple[str, str]:
    """Return what was demanded and achieved; of noise it is a standard deviation, never a share."""
    if proof.privacy_loss is None:
        return _demand(proof.demanded), _demand(proof.least_achieved)
    demanded, achieved = (
        "–" if each is None else f"± {plain_number(each)}" for each in (proof.demanded, proof.least_achieved)
    )
    learnt = _("{achieved}, possible range reduced by {loss}", achieved=Term(achieved), loss=Ratio(proof.privacy_loss))
    return demanded, learnt


def _demand(value: float | None) -> str:
    if value is None:
        return "–"
    return percent(value) if 0 < value < 1 else plain_number(value)
