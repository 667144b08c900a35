"""Suggested versions: planned in the background, shown as they are found, queued as many as wanted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QApplication, QHBoxLayout, QVBoxLayout, QWidget

from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.models import Recipe
from ppdm_desktop.engine.release.candidate.model import Prepared
from ppdm_desktop.engine.release.candidate.pipeline import prepare_reading
from ppdm_desktop.engine.release.planning.plan import plan
from ppdm_desktop.engine.release.planning.version import Planned, Steps, Version
from ppdm_desktop.engine.release.planning.words import blocking_words, reasons_words
from ppdm_desktop.engine.table.reading import Reading
from ppdm_desktop.engine.wording.catalogue import say
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.page import Context
from ppdm_desktop.ui.pages.protect.effect import EffectQuestion
from ppdm_desktop.ui.state.candidate_queue import CandidateQueue
from ppdm_desktop.ui.widgets.basic import Strip, Text
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.inputs import Choice
from ppdm_desktop.ui.widgets.work import WorkLine
from ppdm_desktop.ui.work.tasks import TaskOutcome, TaskProgress

JOB = "suggest"
_NAMED = 3
"""Checks named where they stop every version."""


def plan_for(
    path: Path,
    reading: Reading,
    recipe: Recipe,
    prepared: Prepared | None,
    queued: list[Steps],
    key: Key,
    on_found: Callable[[Version], None],
    progress: Progress,
) -> Planned:
    """Plan versions of a file (the work of job ``suggest``)."""
    if prepared is None:
        bare = recipe.model_copy(update={"steps": ()})
        prepared = prepare_reading(path, reading, bare, progress.part(0.0, 0.1))
    return plan(prepared, queued, progress.part(0.1, 1.0), on_found, key)


def version_words(version: Version) -> str:
    """Say what a version keeps and loses, and which reasons it asks for."""
    return " ".join((str(version.kept), version.verdict.usefulness.said, str(reasons_words(version.verdict))))


def nothing_words(planned: Planned, listed: Sequence[Steps]) -> str:
    """Say why there is no version to choose, or no further one."""
    said = [str(blocking_words(blocking)) for blocking in planned.blocking[:_NAMED]]
    said += [refusal.reason for refusal in planned.refusals]
    if listed and not said:
        return say("protect", "No more suggestions: every version that suits this file is already in the list.")
    return " ".join((say("protect", "No version of this file can be released."), *said))


def not_listed(versions: Sequence[Version], listed: Sequence[Steps]) -> tuple[Version, ...]:
    """Return the versions that are not in the list of candidates, the best first; a step that is off does not count."""
    known = [used(steps) for steps in listed]
    new = (version for version in versions if used(version.steps) not in known)
    return tuple(sorted(new, key=lambda version: version.standing))


def used(steps: Steps) -> Steps:
    """Return the steps of a chain that will run."""
    return tuple(step for step in steps if step.enabled)


class SuggestPart(QWidget):
    """The button, the versions as they are found, and the way to queue them."""

    version_found = Signal(bytes, object)

    def __init__(self, context: Context, queue: CandidateQueue, effect: EffectQuestion) -> None:
        super().__init__()
        self.setObjectName("part_suggest")
        self._context, self._queue, self._effect = context, queue, effect
        self._versions: tuple[Version, ...] = ()
        self._offered: tuple[Version, ...] = ()
        self._basis = b""
        column = QVBoxLayout(self)
        theme().space(column, 0, 0, 0, 0, 8)
        self.button = Button(say("protect", "Suggest versions"), name="button_suggest", icon="search")
        self.button.clicked.connect(self._on_wanted)
        column.addWidget(self.button)
        self._work = WorkLine(job="suggest", words=say("protect", "Progress of the suggestions"))
        self._work.cancelled.connect(self._on_cancel)
        self._work.hide()
        column.addWidget(self._work)
        self._said = Strip("note", "")
        self._said.setObjectName("strip_suggest")
        column.addWidget(self._said)
        column.addWidget(self._build_offer())
        context.runner.progressed.connect(self._on_progressed)
        self.version_found.connect(self._on_version)

    def _build_offer(self) -> QWidget:
        self._offer = QWidget()
        column = QVBoxLayout(self._offer)
        theme().space(column, 0, 0, 0, 0, 6)
        self._names = Text("", factor=0.95)
        self._names.setObjectName("label_suggested")
        column.addWidget(self._names)
        line = QHBoxLayout()
        words = Text(say("protect", "How many"), tone="text2", wrap=False)
        self.combo = Choice(name="combo_suggest_count", words=say("protect", "How many versions to run"))
        words.setBuddy(self.combo)
        line.addWidget(words)
        line.addWidget(self.combo, 1)
        column.addLayout(line)
        self._take = Button(
            say("protect", "Add to the queue"), name="button_queue_suggested", icon="plus", primary=True
        )
        self._take.clicked.connect(self._on_taken)
        column.addWidget(self._take)
        self._drop = Button(say("protect", "Not now"), name="button_drop_suggested")
        self._drop.clicked.connect(self._on_dropped)
        column.addWidget(self._drop)
        self._offer.hide()
        return self._offer

    # --- looking ------------------------------------------------------------------------

    def _on_wanted(self) -> None:
        session = self._context.session
        if session.reading is None or session.decisions.path is None:
            return
        basis = session.basis()
        self._versions, self._basis = (), basis
        work = partial(
            plan_for,
            session.decisions.path,
            session.reading,
            session.decisions.recipe,
            self._effect.prepared(basis),
            self._listed(),
            Key.fresh(),
            partial(self.version_found.emit, basis),
        )
        self._said.set("note", "")
        self._work.begin()
        self._context.runner.start(JOB, work, self._on_planned)
        self.refresh()

    def _listed(self) -> list[Steps]:
        """Return the chains in the list of candidates that rest on the decisions as they are."""
        session = self._context.session
        return [entry.recipe.steps for entry in session.candidates if not session.is_stale(entry.basis)]

    def _on_cancel(self) -> None:
        self._context.runner.cancel(JOB)

    def _on_progressed(self, progress: TaskProgress) -> None:
        if progress.job == JOB:
            self._work.show_share(progress.fraction)

    def _on_version(self, basis: bytes, version: Version) -> None:
        """Show a version as soon as it is found; what is found for other decisions is dropped."""
        if basis == self._basis:
            self._versions = (*self._versions, version)
            self.refresh()

    def _on_planned(self, outcome: TaskOutcome) -> None:
        if outcome.ok and not self._versions:
            self._said.set("note", nothing_words(outcome.result, self._listed()))
        elif not outcome.ok and not outcome.cancelled:
            self._said.set("blocks", outcome.words)
        self.refresh()

    # --- showing ------------------------------------------------------------------------

    def forget(self) -> None:
        """Drop what was suggested."""
        self._versions, self._offered, self._basis = (), (), b""
        self._said.set("note", "")

    @property
    def chosen(self) -> tuple[Version, ...]:
        """The versions that would be queued, the best first."""
        return self._offered[: int(self.combo.current or 0)]

    def refresh(self) -> None:
        """Show the state; versions of other decisions are dropped, and so is what was queued since."""
        working = self._context.runner.is_running(JOB)
        if self._versions and self._basis != self._context.session.basis():
            self._versions = ()
        offered = not_listed(self._versions, self._listed())
        if offered != self._offered:
            self._offered = offered
            self._show_offer()
        used = QApplication.focusWidget()
        held = used is not None and self.isAncestorOf(used)
        self._work.setVisible(working)
        self.button.setVisible(not working and not offered)
        self._offer.setVisible(bool(offered))
        if held and used is not None and not used.isVisible():
            # The keyboard goes on from what took the place of the button that was used.
            (self._work.button if working else self.combo if offered else self.button).setFocus()

    def _show_offer(self) -> None:
        self._names.setText(
            "\n\n".join(
                f"{number}. {version.name}\n{version_words(version)}" for number, version in enumerate(self._offered, 1)
            )
        )
        count = len(self._offered)
        words = [say("protect", "the first {n}", n=n) for n in range(1, count)] + [say("protect", "all {n}", n=count)]
        if count:
            self.combo.set_choices([(str(n), word) for n, word in enumerate(words, 1)], str(count))

    def _on_dropped(self) -> None:
        self._versions = ()
        self.refresh()
        self.button.setFocus()

    def _on_taken(self) -> None:
        chosen, self._versions = self.chosen, ()
        self._queue.add_all([(str(version.name), version.steps) for version in chosen], chosen[0].key)
        self.refresh()
        self.button.setFocus()
