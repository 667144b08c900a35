"""What each step of a candidate did, from the report's own figures. No widgets here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QCoreApplication

from ppdm_desktop.engine.methods.base.registry import all_methods
from ppdm_desktop.engine.report.model import LevelProofEntry, Report, Sentence, StepEntry
from ppdm_desktop.engine.texts import plural, render
from ppdm_desktop.engine.wording.level_titles import Said
from ppdm_desktop.ui.pages.compare.details import detail_lines
from ppdm_desktop.ui.pages.compare.groups import SizeBand, size_bands
from ppdm_desktop.ui.state.level_disclosure import loss_words
from ppdm_desktop.ui.state.level_names import level_words
from ppdm_desktop.ui.state.number_words import count, percent
from ppdm_desktop.ui.state.parameter_words import value_words


def _tr(text: str) -> str:
    return QCoreApplication.translate("Compare", text)


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
    return [_step(step, [each for each in levels if each.step == step.index], said) for step in report.steps]


def proof_headers() -> tuple[str, ...]:
    """Return the headings of a proof."""
    return (
        _tr("Level"),
        _tr("Column"),
        _tr("Records"),
        _tr("Covered"),
        _tr("Demanded"),
        _tr("Least achieved"),
        _tr("Met"),
    )


def _step(step: StepEntry, proofs: Sequence[LevelProofEntry], said: Said) -> StepWordsOf:
    method = all_methods().get(step.method)
    title = method.title if method is not None else step.method
    parameters = {each.name: each for each in method.parameters} if method is not None else {}
    settings = ", ".join(
        f"{parameters[name].shown_label.lower()} {words}"
        for name, value in step.parameters.items()
        if name in parameters and (words := value_words(parameters[name], value))
    )
    how = {
        "file": _tr("anyone can recount it from the released file"),
        "file+original": _tr("you can recount it from the released file and the original"),
        "run": _tr("it can be recounted from the key and the input"),
    }[step.guarantee.kind]
    on = plural(step.guarantee.checked, _tr("Recounted on 1 record"), _tr("Recounted on {n} records"))
    pattern = _tr("{on}: it holds ({how}).") if step.guarantee.holds else _tr("{on}: it does not hold ({how}).")
    return StepWordsOf(
        step.index,
        title,
        _tr("{columns} · {settings}").format(columns=", ".join(step.columns), settings=settings),
        step.guarantee.holds,
        f"{step.promise or ''} {pattern.format(on=on.format(n=count(step.guarantee.checked)), how=how)}".strip(),
        tuple(detail_lines(step.method, step.detail)),
        tuple(dict.fromkeys(sentence(note) for note in step.notes)),
        tuple(_proof(each, said) for each in proofs),
        (step.detail, tuple(bands)) if (bands := size_bands(step.detail, proofs, said)) else None,
        any(_rounded(proof) for proof in proofs),
    )


def sentence(note: Sentence) -> str:
    """Return a report's sentence in words."""
    text = render(note.id, note.arguments)
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
        _tr("yes") if proof.met else _tr("no"),
    )


def _demands(proof: LevelProofEntry) -> tuple[str, str]:
    """Return what was demanded and achieved; of noise it is a standard deviation, never a share."""
    if proof.privacy_loss is None:
        return _demand(proof.demanded), _demand(proof.least_achieved)
    demanded, achieved = ("–" if each is None else f"± {each:.4g}" for each in (proof.demanded, proof.least_achieved))
    learnt = _tr("{achieved}, an analyst learns {loss}").format(achieved=achieved, loss=loss_words(proof.privacy_loss))
    return demanded, learnt


def _demand(value: float | None) -> str:
    if value is None:
        return "–"
    return percent(value) if 0 < value < 1 else f"{value:g}"
