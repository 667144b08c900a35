"""What each step of a candidate did, from the report's own figures. No widgets here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ppdm_desktop.engine.methods.base.declaration import Counted
from ppdm_desktop.engine.methods.base.figure_lines import figure_lines
from ppdm_desktop.engine.methods.base.registry import find_step_method, step_title
from ppdm_desktop.engine.report.coarseness import coarseness_figures
from ppdm_desktop.engine.report.level_proofs import proof_cells
from ppdm_desktop.engine.report.model import LevelProofEntry, Report, StepEntry
from ppdm_desktop.engine.report.model import Sentence as SentenceEntry
from ppdm_desktop.engine.report.report_words import RECOUNTED_FROM, first_demand
from ppdm_desktop.engine.report.setting_words import step_settings
from ppdm_desktop.engine.wording.catalogue import Sentence, _, language, lazy, numbers_of, translated
from ppdm_desktop.engine.wording.level_titles import Said
from ppdm_desktop.engine.wording.texts import render_kept
from ppdm_desktop.engine.wording.values import Term, written
from ppdm_desktop.ui.pages.compare.groups import SizeBand, size_bands
from ppdm_desktop.ui.state.level_names import level_words
from ppdm_desktop.ui.state.number_words import count


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
        For each level: level, column, people, promised, reached, kept.
    sizes
        Where the step made groups: the step's detail, and its groups by size.
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


def steps_of(report: Report) -> list[StepWordsOf]:
    """Return what each step did, in words."""
    levels, said = report.verdict.levels, report.privacy.said
    return [_step(step, [level for level in levels if level.step == step.index], said) for step in report.steps]


def proof_headers() -> tuple[str, ...]:
    """Return the headings of a proof."""
    return (
        _("Protection level"),
        _("Column"),
        _("People"),
        _("Promised"),
        _("Reached"),
        _("Kept", "promise"),
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
    settings = [
        _("{name}: {value}", name=Term(setting.label), value=Term(setting.words))
        for setting in step_settings(step, method, said)
    ]
    # The report keeps what was promised in English, in any language of the window.
    promised = translated(step.promise) or step.promise if step.promise else ""
    how = RECOUNTED_FROM[step.guarantee.kind]
    counts: Counted = "records" if method is None else method.counts
    demand = first_demand(step)
    held = _COUNTED_AGAIN[counts, step.guarantee.holds].said(n=step.guarantee.checked)
    return StepWordsOf(
        step.index,
        step_title(step.method),
        " · ".join(filter(None, (", ".join(step.columns), *settings))),
        step.guarantee.holds,
        f"{promised} {held} {how}".strip(),
        tuple(detail_lines(step.method, step.detail)),
        tuple(dict.fromkeys(sentence(note) for note in step.notes)),
        tuple((level_words(proof.level, said), proof.column, *proof_cells(proof, demand)) for proof in proofs),
        (step.detail, tuple(bands)) if (bands := size_bands(step.detail, proofs, said)) else None,
    )


def sentence(note: SentenceEntry) -> str:
    """Return a report's sentence in words."""
    text = render_kept(note.id, note.arguments)
    return f"{text.sentence} {text.window}".strip()


Lines = list[tuple[str, str]]


def detail_lines(step: str, detail: Mapping[str, Any]) -> Lines:
    """Return the figures of a step, each with its label; of a method that this version does not have under their keys.

    Parameters
    ----------
    step
        What the report calls the step's method.
    detail
        The step's figures, as the report keeps them.
    """
    method = find_step_method(step)
    rest = {key: value for key, value in detail.items() if key not in ("asked", "used")}
    numbers = numbers_of(language())
    lines = [
        (f"{line.column}: {line.label}" if line.column else str(line.label), written(line.figure, numbers, "full"))
        for line in (figure_lines(rest, {}) if method is None else method.figure_lines(rest))
    ]
    if "asked" in detail:
        lines = [
            (_("Smallest group asked for"), count(detail["asked"])),
            (_("Smallest group used"), count(detail["used"])),
            *lines,
        ]
    coarseness = detail.get("coarseness")
    if not isinstance(coarseness, Mapping):
        return lines
    return lines + [(row.label, row.words) for row in coarseness_figures(coarseness)]
