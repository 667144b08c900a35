"""Texts on what each step of a candidate did, from the figures of the report; no widget here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ppdm_desktop.engine.methods.base.declaration import Counted, figure_lines, find_step_method
from ppdm_desktop.engine.report.coarseness import coarseness_figures
from ppdm_desktop.engine.report.level_proofs import proof_cells
from ppdm_desktop.engine.report.model import LevelProofEntry, StepEntry
from ppdm_desktop.engine.report.model import Sentence as SentenceEntry
from ppdm_desktop.engine.report.report_words import RECOUNTED_FROM, first_demand
from ppdm_desktop.engine.report.setting_words import step_settings
from ppdm_desktop.engine.wording.catalogue import Sentence, _, language, lazy, numbers_of, translated
from ppdm_desktop.engine.wording.texts import Said, render_kept
from ppdm_desktop.engine.wording.values import Term, written
from ppdm_desktop.ui.state.level_names import level_words
from ppdm_desktop.ui.state.number_words import count


def proof_headers() -> tuple[str, ...]:
    """Return the headings of the table that proves a guarantee by level."""
    names = _("Protection level"), _("Column"), _("People")
    return (*names, _("Promised"), _("Reached"), _("Kept", "promise"))


def proof_rows(step: StepEntry, proofs: Sequence[LevelProofEntry], said: Said) -> list[tuple[str, ...]]:
    """Return for each level of a step: level, column, people, guaranteed, reached, and whether it holds."""
    demand = first_demand(step)
    return [(level_words(proof.level, said), proof.column, *proof_cells(proof, demand)) for proof in proofs]


_COUNTED_AGAIN: Mapping[tuple[Counted, bool], Sentence] = {
    ("records", True): lazy("Counted again on {n} {n:record|records}: the promise holds."),
    ("records", False): lazy("Counted again on {n} {n:record|records}: the promise does not hold."),
    ("values", True): lazy("Counted again on {n} {n:value|values}: the promise holds."),
    ("values", False): lazy("Counted again on {n} {n:value|values}: the promise does not hold."),
}
"""Sentences on the result of a recount, by what was recounted and whether it agreed."""


def settings_words(step: StepEntry, said: Said) -> str:
    """Return the columns and settings of a step as one text."""
    settings = [
        _("{name}: {value}", name=Term(setting.label), value=Term(setting.words))
        for setting in step_settings(step, find_step_method(step.method), said)
    ]
    return " · ".join(filter(None, (", ".join(step.columns), *settings)))


def guarantee_words(step: StepEntry) -> str:
    """Return what a step guarantees, whether a recount agreed, and how it was computed."""
    method = find_step_method(step.method)
    # The report keeps what was promised in English, in any language of the window.
    promised = translated(step.promise) or step.promise if step.promise else ""
    counts: Counted = "records" if method is None else method.counts
    held = _COUNTED_AGAIN[counts, step.guarantee.holds].said(n=step.guarantee.checked)
    return f"{promised} {held} {RECOUNTED_FROM[step.guarantee.kind]}".strip()


def sentence(note: SentenceEntry) -> str:
    """Return a sentence of the report as text."""
    text = render_kept(note.id, note.arguments)
    return f"{text.sentence} {text.window}".strip()


Lines = list[tuple[str, str]]


def detail_lines(step: str, detail: Mapping[str, Any]) -> Lines:
    """Return the figures of a step with their labels; figures of an unknown method are labelled by their keys.

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
