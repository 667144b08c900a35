"""What a step will do to the table, in words, computed in the background shortly after the settings changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.errors import PpdmError
from ppdm_desktop.engine.methods.base.declaration import Method, find_method
from ppdm_desktop.engine.methods.base.step import Settings
from ppdm_desktop.engine.recipe.models import Recipe, StepSection
from ppdm_desktop.engine.release.candidate.model import Prepared
from ppdm_desktop.engine.release.candidate.pipeline import prepare_reading
from ppdm_desktop.engine.report.setting_texts import format_value
from ppdm_desktop.engine.table.column import Table
from ppdm_desktop.engine.table.reading import Reading
from ppdm_desktop.engine.wording.catalogue import lazy
from ppdm_desktop.engine.wording.texts import Note, explain, render
from ppdm_desktop.engine.wording.values import Term, Terms
from ppdm_desktop.ui.page import Context
from ppdm_desktop.ui.state.level_texts import label_level
from ppdm_desktop.ui.work.chunked_work import make_timer
from ppdm_desktop.ui.work.tasks import TaskOutcome


@dataclass(frozen=True, eq=False)
class Effect:
    """What a step will do to the table, in words.

    Attributes
    ----------
    basis
        Digest of the decisions that ``prepared`` was made for.
    prepared
        The table as it is before the first step, kept for the next computation.
    sentence
        What the settings do, and what they cost in usefulness.
    warnings
        What the method warns of.
    refusal
        Why the step cannot run, or empty.
    levels
        For each parameter that depends on the protection level: (its values by level, in words; its value for the
        weakest level). None if the step cannot run.
    proposal
        (reason, parameters) that the method proposes instead; None if it proposes nothing.
    """

    basis: bytes
    prepared: Prepared
    sentence: str = ""
    warnings: tuple[str, ...] = ()
    refusal: str = ""
    levels: Mapping[str, tuple[str, object]] | None = None
    proposal: tuple[str, Mapping[str, object]] | None = None


def preview_step_effect(
    path: Path, reading: Reading, recipe: Recipe, basis: bytes, prepared: Prepared | None, step: StepSection
) -> Effect:
    """Return the effect that a step has on the table as it is before the first step; earlier steps are not considered.

    A step that cannot run gives an effect with the reason in ``refusal``. An error while preparing the table is raised.
    It runs in the background as the job ``effect``.

    Parameters
    ----------
    path, reading
        The file, and its table as read.
    recipe
        The decisions.
    basis
        Digest of these decisions.
    prepared
        The table before the first step; None to prepare it here.
    step
        The step.
    """
    if prepared is None:
        prepared = prepare_reading(path, reading, recipe.model_copy(update={"steps": ()}))
    progress.check()
    method = find_method(step.method)
    try:
        settings = method.read_step_settings(prepared.table, step)
        warnings = tuple(_format_note(note) for note in method.check(prepared.table, settings))
        progress.check()
        sentence = _format_note(method.effect(prepared.table, settings))
        suggestion = method.proposal(prepared.table, settings)
        prices = [_format_note(note) for note in method.price(prepared.table, settings)]
    except PpdmError as error:
        return Effect(basis, prepared, refusal=keep_percent_together(explain(error, window=True)))
    level_lines = _describe_level_values(method, settings, prepared.table) if prepared.table.levels is not None else {}
    proposal = (_format_note(suggestion.reason), suggestion.parameters) if suggestion is not None else None
    return Effect(basis, prepared, " ".join([sentence, *prices]), warnings, "", level_lines, proposal)


def _format_note(note: Note) -> str:
    """Return a note of a method as text with its remedy, with no-break spaces before per cent signs."""
    text = render(note.id, note.arguments)
    return keep_percent_together(f"{text.sentence} {text.window}".strip())


def keep_percent_together(text: str) -> str:
    """Return the text with no-break spaces before per cent signs."""
    return text.replace(" %", "\N{NO-BREAK SPACE}%")


def _describe_level_values(method: Method, settings: Settings, table: Table) -> dict[str, tuple[str, object]]:
    """Return the values of a method's settings that differ by protection level, by name of the parameter.

    Each is (the values of all levels in one sentence, the value of the weakest level), for example ("Each protection
    level uses its own value: Normal: 5, Cautious: 10.", 5). For a value that the step sets itself, the sentence says
    that it applies to the weakest level. Parameters without values by level are left out.
    """
    lines = {}
    used = method.used(table, settings)
    for parameter in method.parameters:
        by_level = [(value.level, value.value) for value in used if value.parameter == parameter.name and value.level]
        if not by_level:
            continue
        parts = [
            lazy("{name}: {value}", name=Term(label_level(level)), value=Term(format_value(parameter, value)))
            for level, value in by_level
        ]
        pattern = (
            lazy("By protection level: {levels}. Your value applies to the weakest level.")
            if parameter.name in settings.written
            else lazy("Each protection level uses its own value: {levels}.")
        )
        lines[parameter.name] = (pattern.format(levels=Terms(tuple(parts), all_named=True)), by_level[0][1])
    return lines


_JOB = "effect"
_AFTER_LAST_KEY_MS = 300


class EffectQuestion(QObject):
    """Computes the effect of the selected step in the background, and keeps the prepared table for the next request.

    Signals
    -------
    answered
        The ``Effect`` of the step.
    failed
        Why there is no effect, in words; empty if the request was cancelled.
    """

    answered = Signal(object)
    failed = Signal(str)

    def __init__(self, context: Context, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._prepared: tuple[bytes, Prepared] | None = None
        self._asked: tuple[bytes, StepSection] | None = None
        self._wait = make_timer(self, _AFTER_LAST_KEY_MS, self._start_computation)

    def ask(self, step: StepSection) -> None:
        """Request the effect of a step, which is computed 0.3 seconds after the last call.

        Nothing happens if the last request was for the same step under the same decisions.
        """
        asked = (self._context.session.basis(), step)
        if asked != self._asked:
            self._asked = asked
            self._wait.start()

    def forget(self) -> None:
        """Forget which step was requested last, so that its effect can be requested again."""
        self._asked = None

    def clear(self) -> None:
        """Cancel a request that has not started, and discard the prepared table."""
        self._wait.stop()
        self._asked, self._prepared = None, None

    def stop_waiting(self) -> bool:
        """Cancel a request that has not started; return whether there was one.

        The same step can then be requested again. A computation that is running already goes on.
        """
        waiting = self._wait.isActive()
        if waiting:
            self._wait.stop()
            self._asked = None
        return waiting

    def prepared(self, basis: bytes) -> Prepared | None:
        """Return the table before the first step for decisions with the digest ``basis``, None if not prepared yet.

        A table that the risk assessment prepared is used as well.
        """
        if self._prepared is not None and self._prepared[0] == basis:
            return self._prepared[1]
        assessment = self._context.session.assessment
        return assessment.prepared if assessment is not None and assessment.basis == basis else None

    def _start_computation(self) -> None:
        """Compute the effect of the requested step in the background, in place of a computation that still runs.

        The table before the first step is prepared, too, unless that was done already. Nothing happens without a
        request or a file.
        """
        decisions, reading = self._context.session.decisions, self._context.session.reading
        if self._asked is None or reading is None or decisions.path is None:
            return
        basis, step = self._asked
        prepared = self.prepared(basis)
        work = partial(preview_step_effect, decisions.path, reading, decisions.recipe, basis, prepared, step)
        self._context.runner.start(_JOB, work, self._on_done)

    def _on_done(self, outcome: TaskOutcome) -> None:
        """Send ``answered`` with the effect of the step, or ``failed`` with the reason ("" after a cancellation).

        If the decisions of ``Session.basis`` changed meanwhile, or no effect is wanted any more, the effect is not
        sent, and only the table prepared for it is kept.
        """
        if not outcome.ok:
            self.failed.emit("" if outcome.cancelled else outcome.message)
            if outcome.cancelled:
                self._asked = None
            return
        effect: Effect = outcome.result
        self._prepared = (effect.basis, effect.prepared)
        if self._asked is not None and self._asked[0] == effect.basis:
            self.answered.emit(effect)
