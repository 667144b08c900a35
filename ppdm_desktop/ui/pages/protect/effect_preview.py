"""Compute what a step will do to the table, in words, before it runs; no widget here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.errors import PpdmError
from ppdm_desktop.engine.methods.base.declaration import Method, find_method
from ppdm_desktop.engine.methods.base.step import Settings
from ppdm_desktop.engine.recipe.models import Recipe, StepSection
from ppdm_desktop.engine.release.candidate.model import Prepared
from ppdm_desktop.engine.release.candidate.pipeline import prepare_reading
from ppdm_desktop.engine.report.parameter_words import value_words
from ppdm_desktop.engine.table.column import Table
from ppdm_desktop.engine.table.reading import Reading
from ppdm_desktop.engine.wording.catalogue import lazy
from ppdm_desktop.engine.wording.texts import Note, explain, render
from ppdm_desktop.engine.wording.values import Term, Terms
from ppdm_desktop.ui.state.level_names import level_words


@dataclass(frozen=True, eq=False)
class Effect:
    """What a step will do to the table, in words.

    Attributes
    ----------
    basis
        Digest of the decisions that ``prepared`` was made for.
    prepared
        The table before the first step, kept so that the next key press need not make it again.
    sentence
        What the settings do.
    warnings
        What the method warns of.
    refusal
        Why the step cannot run, or empty.
    levels
        For each parameter that depends on the level: the value for each level in use, in words, and the value of
        the weakest level.
    """

    basis: bytes
    prepared: Prepared
    sentence: str = ""
    warnings: tuple[str, ...] = ()
    refusal: str = ""
    levels: Mapping[str, tuple[str, object]] | None = None
    proposal: tuple[str, Mapping[str, object]] | None = None


def foresee(
    path: Path, reading: Reading, recipe: Recipe, basis: bytes, prepared: Prepared | None, step: StepSection
) -> Effect:
    """Return the effect that a step would have on the table before the first step (the work of job ``effect``)."""
    if prepared is None:
        prepared = prepare_reading(path, reading, recipe.model_copy(update={"steps": ()}))
    progress.check()
    method = find_method(step.method)
    try:
        settings = method.settings_of(prepared.table, step)
        warnings = tuple(_sentence(note) for note in method.check(prepared.table, settings))
        progress.check()
        sentence = _sentence(method.effect(prepared.table, settings))
        suggestion = method.proposal(prepared.table, settings)
        prices = [_sentence(note) for note in method.price(prepared.table, settings)]
    except PpdmError as error:
        return Effect(basis, prepared, refusal=_refusal(error))
    level_lines = _level_lines(method, settings, prepared.table) if prepared.table.levels is not None else {}
    proposal = (_sentence(suggestion.reason), suggestion.parameters) if suggestion is not None else None
    return Effect(basis, prepared, " ".join([sentence, *prices]), warnings, "", level_lines, proposal)


def _refusal(error: PpdmError) -> str:
    """Return why a preview is not possible, as text whose names do not break."""
    return kept_together(explain(error, window=True))


def _sentence(note: Note) -> str:
    """Return a note of a method as text, with its numbers formatted."""
    text = render(note.id, note.arguments)
    return kept_together(f"{text.sentence} {text.window}".strip())


def kept_together(text: str) -> str:
    """Return the text with spaces before per cent signs made unbreakable."""
    return text.replace(" %", "\N{NO-BREAK SPACE}%")


def _level_lines(method: Method, settings: Settings, table: Table) -> dict[str, tuple[str, object]]:
    """Return the values by level of each parameter that depends on levels: (text, value of the weakest level)."""
    lines = {}
    used = method.used(table, settings)
    for parameter in method.parameters:
        by_level = [(value.level, value.value) for value in used if value.parameter == parameter.name and value.level]
        if not by_level:
            continue
        parts = [
            lazy("{name}: {value}", name=Term(level_words(level)), value=Term(value_words(parameter, value)))
            for level, value in by_level
        ]
        pattern = (
            lazy("By protection level: {levels}. Your value applies to the weakest level.")
            if parameter.name in settings.written
            else lazy("Each protection level uses its own value: {levels}.")
        )
        lines[parameter.name] = (pattern.said(levels=Terms(tuple(parts))), by_level[0][1])
    return lines
