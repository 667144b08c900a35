"""Suggested candidates: looked for in the background, shown before they run, as many as wanted."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtWidgets import QApplication, QHBoxLayout, QVBoxLayout, QWidget

from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.recipe.models import Recipe
from ppdm_desktop.engine.release.candidate.model import Prepared
from ppdm_desktop.engine.release.candidate.pipeline import prepare_reading
from ppdm_desktop.engine.release.evaluate.suggestions import Looked, Steps, Suggested, running_order, suggest
from ppdm_desktop.engine.release.gate import all_checks
from ppdm_desktop.engine.table.reading import Reading
from ppdm_desktop.engine.wording.catalogue import later, say
from ppdm_desktop.engine.wording.values import Names, Ratio, Span, Terms
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
MOST, USUAL, FEW = 16, 12, 6
_NAMED = 3
"""Checks named where they stop every suggestion."""


@dataclass(frozen=True)
class Found:
    """What was found: suggestions that are not in the list, what stopped the others, and whether anything fits at all.

    ``rows`` is how many rows the file has.
    """

    looked: Looked
    fits: bool
    rows: int


def look_for(
    path: Path,
    reading: Reading,
    recipe: Recipe,
    prepared: Prepared | None,
    queued: list[Steps],
    progress: Progress,
) -> Found:
    """Find candidates worth a try (the work of job ``suggest``)."""
    if prepared is None:
        bare = recipe.model_copy(update={"steps": ()})
        prepared = prepare_reading(path, reading, bare, progress.part(0.0, 0.1))
    looked = suggest(prepared, queued, MOST, progress.part(0.1, 1.0))
    # Where nothing is found: was all of it queued already, or does nothing fit?
    fits = bool(looked.suggested) or bool(queued and suggest(prepared, (), 1, progress.part(1.0, 1.0)).suggested)
    return Found(looked, fits, prepared.table.rows)


def reason_words(each: Suggested) -> str:
    """Say why a suggestion is made and what it costs, by its trial."""
    verdict, before = each.verdict, each.before
    reached = []
    if verdict.certain_by_others is not None and before.certain_by_others is not None:
        reached.append(
            later(
                "protect",
                "revealed for certain {before} → {after}",
                before=before.certain_by_others,
                after=verdict.certain_by_others,
            )
        )
    if verdict.singled is not None and before.singled is not None:
        reached.append(
            later(
                "protect",
                "unique {before} → {after}",
                before=before.singled.by_others,
                after=verdict.singled.by_others,
            )
        )
    lines = []
    if reached:
        people = (
            later("protect", "Of {n} {n:row|rows}: {reached}.")
            if verdict.people_word == "rows"
            else later("protect", "Of {n} {n:person|people}: {reached}.")
        )
        lines.append(people.said(n=verdict.people, reached=Terms(tuple(reached))))
    usefulness, reasons = verdict.usefulness, verdict.reasons_to_write
    if usefulness.useful.value is not None:
        lines.append(say("protect", "Keeps {share}.", share=Ratio(float(usefulness.useful.value))))
    if reasons:
        lines.append(say("protect", "You would have to write {n} {n:reason|reasons}.", n=reasons))
    if usefulness.lost is not None:
        lines.append(str(usefulness.lost))
    return " ".join(lines)


def seconds_of(
    chosen: Sequence[Suggested], finished: Sequence[tuple[Steps, float]], tried: Mapping[str, float]
) -> float:
    """Return how long suggestions will take, going by the runs that are finished.

    A run takes as many times its trial as those did that were tried out, too; where none was, each takes their mean.

    Parameters
    ----------
    chosen
        What would run.
    finished
        Steps and seconds of the finished runs; at least one.
    tried
        Seconds of each trial, by the steps.
    """
    known = [(took, tried[str(used(steps))]) for steps, took in finished if str(used(steps)) in tried]
    trials = sum(trial for _, trial in known)
    if trials > 0:
        return sum(took for took, _ in known) / trials * sum(each.seconds for each in chosen)
    return sum(took for _, took in finished) / len(finished) * len(chosen)


def plan_words(chosen: tuple[Suggested, ...], seconds: float | None, finished: int) -> str:
    """Say how many runs there will be, and how long they take where runs that are finished tell."""
    slow = sum(each.slow for each in chosen)
    parts = []
    if seconds is None:
        parts.append(say("protect", "{n} {n:run|runs}, one after another. You can go on working.", n=len(chosen)))
    else:
        parts.append(
            say(
                "protect",
                "{n} {n:run|runs}, {time} judging by the {finished} finished so far.",
                n=len(chosen),
                time=Span(seconds),
                finished=finished,
            )
        )
    if slow:
        parts.append(say("protect", "{n} of them {n:takes|take} far longer than the others.", n=slow))
    return " ".join(parts)


def not_listed(found: tuple[Suggested, ...], listed: list[Steps]) -> tuple[Suggested, ...]:
    """Return the suggestions that are not in the list of candidates; a step that is off does not count."""
    known = [used(steps) for steps in listed]
    return tuple(each for each in found if used(each.steps) not in known)


def used(steps: Steps) -> Steps:
    """Return the steps of a chain that will run."""
    return tuple(step for step in steps if step.enabled)


class SuggestPart(QWidget):
    """The button, what was found, and the way to queue it."""

    def __init__(self, context: Context, queue: CandidateQueue, effect: EffectQuestion) -> None:
        super().__init__()
        self.setObjectName("part_suggest")
        self._context, self._queue, self._effect = context, queue, effect
        self._found: tuple[Suggested, ...] = ()
        self._tried: dict[str, float] = {}
        self._rows = 0
        self._offered: tuple[Suggested, ...] = ()
        self._basis = b""
        self._asked_for = b""
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

    def _build_offer(self) -> QWidget:
        self._offer = QWidget()
        column = QVBoxLayout(self._offer)
        theme().space(column, 0, 0, 0, 0, 6)
        line = QHBoxLayout()
        words = Text(say("protect", "How many"), tone="text2", wrap=False)
        self.combo = Choice(name="combo_suggest_count", words=say("protect", "How many versions to run"))
        words.setBuddy(self.combo)
        self.combo.picked.connect(self._on_count)
        line.addWidget(words)
        line.addWidget(self.combo, 1)
        column.addLayout(line)
        self._names = Text("", factor=0.95)
        self._names.setObjectName("label_suggested")
        column.addWidget(self._names)
        self._plan = Text("", tone="text2", factor=0.9)
        self._plan.setObjectName("label_suggest_plan")
        column.addWidget(self._plan)
        self._take = Button("", name="button_queue_suggested", icon="plus", primary=True)
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
        work = _work(
            session.decisions.path,
            session.reading,
            session.decisions.recipe,
            self._effect.prepared(basis),
            self._listed(),
        )
        self._asked_for = basis
        self._said.set("note", "")
        self._work.begin()
        self._context.runner.start(JOB, work, self._on_found)
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

    def _on_found(self, outcome: TaskOutcome) -> None:
        self._found, self._offered, self._basis = (), (), self._asked_for
        if outcome.ok:
            found: Found = outcome.result
            self._found, self._rows = found.looked.suggested, found.rows
            self._tried |= {str(used(each.steps)): each.seconds for each in self._found}
            if not self._found:
                self._said.set("note", self._nothing_words(fits=found.fits, blocking=found.looked.blocking))
        elif not outcome.cancelled:
            self._said.set("blocks", outcome.words)
        self.refresh()

    def _offer_now(self, offered: tuple[Suggested, ...]) -> None:
        """Offer a few, the usual number and all; what was picked stays picked while the offer shrinks."""
        picked, all_before = self.combo.current, str(len(self._offered))
        self._offered = offered
        counts = [n for n in (FEW, USUAL) if n < len(offered)] + [len(offered)]
        wanted = max((n for n in counts if n <= USUAL), default=counts[-1])
        if picked == all_before:
            wanted = counts[-1]
        elif picked in map(str, counts) and all_before != "0":
            wanted = int(picked)
        self.combo.set_choices([(str(n), self._count_words(n)) for n in counts], str(wanted))

    def _count_words(self, n: int) -> str:
        return say("protect", "all {n}", n=n) if n == len(self._offered) else say("protect", "the first {n}", n=n)

    def _nothing_words(self, *, fits: bool, blocking: Sequence[str] = ()) -> str:
        if blocking:
            titles = Names.of([str(all_checks()[id].title) for id in blocking[:_NAMED]])
            words = later(
                "protect",
                "No more suggestions: {checks} would stop the release of every other version that suits this file.",
            )
            if not fits:
                words = later(
                    "protect", "No suggestion: {checks} would stop the release of every version that suits this file."
                )
            return words.said(checks=titles)
        if fits:
            return say("protect", "No more suggestions: every version that suits this file is already in the list.")
        return say(
            "protect",
            "No suggestion: the file has too few people for the group sizes asked for, or no column suits any method.",
        )

    # --- showing ------------------------------------------------------------------------

    def forget(self) -> None:
        """Drop what was suggested, and how long it took."""
        self._found, self._offered, self._tried = (), (), {}
        self._basis = self._asked_for = b""
        self._said.set("note", "")

    @property
    def chosen(self) -> tuple[Suggested, ...]:
        """The suggestions that would be queued, in the order they would run."""
        wanted = int(self.combo.current or 0)
        return running_order(self._offered[:wanted])

    def refresh(self) -> None:
        """Show the state; an offer made for other decisions is dropped, and so is what was queued since."""
        working = self._context.runner.is_running(JOB)
        if self._found and self._basis != self._context.session.basis():
            self._found = ()
        offered = not_listed(self._found, self._listed()) if self._found else ()
        if self._found and not offered:
            self._found = ()
            self._said.set("note", self._nothing_words(fits=True))
        if offered and offered != self._offered:
            self._offer_now(offered)
        self._offered = offered
        used = QApplication.focusWidget()
        held = used is not None and self.isAncestorOf(used)
        self._work.setVisible(working)
        self.button.setVisible(not working and not self._found)
        self._offer.setVisible(bool(self._found) and not working)
        if self._found:
            self._show_offer()
        if held and used is not None and not used.isVisible():
            # The keyboard goes on from what took the place of the button that was used.
            (self._work.button if working else self.combo if self._found else self.button).setFocus()

    def _show_offer(self) -> None:
        chosen = self.chosen
        self._names.setText(
            "\n\n".join(f"{place}. {each.name}\n{reason_words(each)}" for place, each in enumerate(chosen, 1))
        )
        took = [(entry.recipe.steps, entry.took) for entry in self._context.session.finished() if entry.took > 0]
        seconds = seconds_of(chosen, took, self._tried) if len(took) > 1 else None
        words = plan_words(chosen, seconds, len(took))
        judged = max((each.verdict.rows for each in chosen), default=0)
        if judged < self._rows:
            words += " " + say(
                "protect", "Measured on {n} of {rows} rows, without attack tests.", n=judged, rows=self._rows
            )
        self._plan.setText(words)
        self._take.setText(say("protect", "Add {n} {n:version|versions} to the queue", n=len(chosen)))

    def _on_count(self, _key: str) -> None:
        self._show_offer()

    def _on_dropped(self) -> None:
        self._found = ()
        self.refresh()
        self.button.setFocus()

    def _on_taken(self) -> None:
        chosen, self._found = self.chosen, ()
        self._queue.add_all([(str(each.name), each.steps) for each in chosen])
        self.refresh()
        self.button.setFocus()


def _work(
    path: Path, reading: Reading, recipe: Recipe, prepared: Prepared | None, queued: list[Steps]
) -> Callable[[Progress], Found]:
    def work(progress: Progress) -> Found:
        return look_for(path, reading, recipe, prepared, queued, progress)

    return work
