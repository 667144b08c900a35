"""Protect: choose methods, set them, and run candidates in the background."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QTimer
from PySide6.QtGui import QHideEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QVBoxLayout, QWidget

from ppdm_desktop.engine.methods.declaration import Method
from ppdm_desktop.engine.methods.registry import all_methods
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.recipe.models import StepSection
from ppdm_desktop.engine.release.candidate import Prepared
from ppdm_desktop.ui.page import Context, Page, Primary
from ppdm_desktop.ui.pages.protect_chain import ChainStrip, title_of
from ppdm_desktop.ui.pages.protect_logic import (
    Effect,
    Fit,
    all_fits,
    described,
    foresee,
    moved,
    protects_words,
    replaced,
    with_parameter,
)
from ppdm_desktop.ui.pages.protect_methods import MethodList
from ppdm_desktop.ui.pages.protect_order import order_problem
from ppdm_desktop.ui.pages.protect_points import PointCard
from ppdm_desktop.ui.pages.protect_queue import QueueCard
from ppdm_desktop.ui.queue import CandidateQueue
from ppdm_desktop.ui.tasks import TaskOutcome
from ppdm_desktop.ui.theme import theme
from ppdm_desktop.ui.widgets.basic import Card, Strip, Text
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.form import MethodForm

_JOB = "effect"
_AFTER_LAST_KEY_MS = 300
_NARROW = 900


class ProtectPage(Page):
    """Methods at the left, the candidate being built in the middle, the queue at the right."""

    step = "protect"

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.queue = CandidateQueue(context.session, context.runner, self, ledger=context.ledger)
        self._method: str = ""
        self._place: int | None = None
        self._fits: dict[str, Fit] = {}
        self._fits_for: bytes = b""
        self._prepared: tuple[bytes, Prepared] | None = None
        self._asked: tuple[bytes, StepSection] | None = None
        self._proposed: dict[str, object] = {}
        self._build()
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.setInterval(_AFTER_LAST_KEY_MS)
        self._wait.timeout.connect(self._start_effect)

    def title(self) -> str:
        """Return the page's title."""
        return self.tr("Protect")

    def purpose(self) -> str:
        """Return what the page is for."""
        return self.tr("Build a candidate from one or several methods. Runs go on in the background.")

    def primary(self) -> Primary:
        """Lead on once a run has finished."""
        session = self.session
        done = len(session.finished())
        words = self.tr("Compare {n} candidates").format(n=done) if done > 1 else self.tr("Compare")
        running = self.queue.running
        if running is not None:
            return Primary(words, done > 0, self.tr("{name} is running").format(name=running.name), "note")
        if done:
            return Primary(
                words, True, self.tr("{n} of {all} runs finished").format(n=done, all=len(session.candidates)), "passed"
            )
        return Primary(words, False, self.tr("Add a candidate to the queue"), "amber")

    def on_primary(self) -> None:
        """Go to Compare."""
        self.go.emit("compare")

    # --- building -----------------------------------------------------------------------

    def _build(self) -> None:
        self.stale = Strip("amber", "")
        self.outer.addWidget(self.stale)
        self._columns = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._columns.setSpacing(theme().px(12))
        self.outer.addLayout(self._columns, 1)
        self.methods = MethodList(all_methods())
        self.methods.chosen.connect(self._on_method)
        self._columns.addWidget(self.methods, 5)
        middle = QWidget()
        column = QVBoxLayout(middle)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme().px(12))
        column.addWidget(self._build_chain())
        column.addWidget(self._build_form())
        column.addWidget(self._build_points())
        column.addStretch(1)
        self._columns.addWidget(middle, 9)
        right = QVBoxLayout()
        self.queue_card = QueueCard(self.session, self.queue)
        right.addWidget(self.queue_card)
        right.addStretch(1)
        self._columns.addLayout(right, 6)

    def _build_chain(self) -> Card:
        card = Card()
        card.setObjectName("card_chain")
        self._chain_card = card
        self.chain = ChainStrip()
        self.chain.chosen.connect(self._on_step)
        self.chain.removed.connect(self._on_removed)
        self.chain.moved.connect(self._on_moved)
        self.chain.switched.connect(self._on_switched)
        card.body.addWidget(self.chain)
        self.order = Strip("blocks", "")
        self.order.setObjectName("strip_order")
        self.button_order = Button(self.tr("Move it"), name="button_mend_order")
        self.button_order.clicked.connect(self._on_mend)
        self.order.add_button(self.button_order)
        card.body.addWidget(self.order)
        row = QHBoxLayout()
        self._chain_note = Text("", tone="text2", factor=0.9)
        row.addWidget(self._chain_note, 1)
        self.button_add = Button(self.tr("Add to queue"), name="button_add_to_queue", icon="plus", primary=True)
        self.button_add.clicked.connect(self._on_add)
        row.addWidget(self.button_add)
        card.body.addLayout(row)
        return card

    def _build_form(self) -> Card:
        card = self._form_card = Card()
        self._about = Text("", tone="text3", factor=0.85)
        self._summary = Text("", tone="text2")
        self.button_use = Button("", name="button_use_method", icon="plus", primary=True)
        self.button_use.clicked.connect(self._on_use)
        self.effect = Strip("note", "")
        self.effect.setObjectName("effect_step")
        self.proposal = Strip("amber", "")
        self.proposal.setObjectName("strip_proposal")
        self.button_proposal = Button(self.tr("Use it"), name="button_use_proposal")
        self.button_proposal.clicked.connect(self._on_proposal)
        self.proposal.add_button(self.button_proposal)
        self.warnings = Strip("amber", "")
        self.warnings.setObjectName("strip_warnings")
        self.form = MethodForm()
        self.form.changed.connect(self._on_parameter)
        self.form.cleared.connect(self._on_reset)
        self.form.columns_changed.connect(self._on_columns)
        for widget in (
            self._about,
            self._summary,
            self.button_use,
            self.effect,
            self.proposal,
            self.warnings,
            self.form,
        ):
            card.body.addWidget(widget)
        return card

    def _build_points(self) -> QWidget:
        holder = QWidget()
        row = self._points = QBoxLayout(QBoxLayout.Direction.LeftToRight, holder)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme().px(12))
        self.promises = PointCard("card_promises", self.tr("Promises"), "passed", "passed")
        self.limits = PointCard("card_limits", self.tr("Does not"), "warning", "amber")
        row.addWidget(self.promises, 1)
        row.addWidget(self.limits, 1)
        self._points_holder = holder
        return holder

    # --- showing ------------------------------------------------------------------------

    @property
    def _steps(self) -> tuple[StepSection, ...]:
        return self.session.decisions.recipe.steps

    @property
    def _step(self) -> StepSection | None:
        return self._steps[self._place] if self._place is not None else None

    def _settle(self) -> None:
        """Keep the place looked at inside the chain, which undo may have changed."""
        steps = self._steps
        if self._place is not None and (
            self._place >= len(steps) or (self._method and steps[self._place].method != self._method)
        ):
            self._place = None
        if self._place is None and self._method:
            self._place = next((n for n, each in enumerate(steps) if each.method == self._method), None)
        if self._place is None and steps and not self._method:
            self._place = 0
        if self._place is not None:
            self._method = steps[self._place].method
        if not self._method:
            fitting = [id for id, fit in self._fits.items() if fit.count]
            self._method = fitting[0] if fitting else next(iter(self._fits), "")

    def refresh(self) -> None:
        """Show the chain, the form and the queue."""
        session = self.session
        if session.reading is None:
            return
        basis = session.basis()
        if basis != self._fits_for:
            self._fits_for = basis
            self._fits = all_fits(described(session.reading, session.decisions.recipe))
        self._settle()
        self.methods.show_fits(self._fits, frozenset(step.method for step in self._steps if step.enabled), self._method)
        self._show_chain()
        self._show_form()
        self.queue_card.refresh()
        self.queue.start_next()

    def _show_chain(self) -> None:
        steps = self._steps
        used = [step for step in steps if step.enabled]
        title = {
            0: self.tr("New candidate: no step yet") if not steps else self.tr("New candidate: every step is off"),
            1: self.tr("New candidate: one step"),
        }.get(len(used), self.tr("New candidate: {n} steps, in this order").format(n=len(used)))
        if used and len(used) < len(steps):
            title = self.tr("{title}; {off} off").format(title=title, off=len(steps) - len(used))
        self._chain_card.set_title(title)
        self.chain.show_steps(steps, self._place)
        problem = order_problem(steps)
        self.order.set("blocks", problem.sentence if problem is not None else "")
        self.button_order.setVisible(problem is not None and problem.by != 0)
        if problem is not None:
            note = self.tr("Nothing can be queued before the order is right.")
        elif used:
            note = self.tr("Each run draws with its own key; nothing is drawn again later.")
        else:
            note = self.tr("Without a step the file is judged as its columns are set.")
        self._chain_note.setText(note)
        self.button_add.setEnabled(problem is None)
        # One accent at a time: first a step, then the queue.
        self.button_add.set_primary(bool(steps) and self._step is not None)

    def _show_form(self) -> None:
        method = all_methods().get(self._method)
        self._form_card.setVisible(method is not None)
        self._points_holder.setVisible(method is not None)
        if method is None:
            return
        fit = self._fits[method.id]
        step = self._step
        self._form_card.set_title(method.title)
        self._about.setText(f"{method.id}  ·  {protects_words(method)}  ·  {method.paper}")
        self._summary.setText(method.summary)
        self.promises.show_points(method.promises)
        self.limits.show_points(method.limits)
        self.button_use.setVisible(step is None)
        self.button_use.setText(self.tr("Use as step {n}").format(n=sum(each.enabled for each in self._steps) + 1))
        self.button_use.setEnabled(fit.count > 0)
        self.form.setVisible(step is not None)
        if step is None:
            for strip in (self.effect, self.proposal):
                strip.set("note", "")
            self.warnings.set("amber", fit.reason)
            self._asked = None
            return
        self.form.show_method(method)
        columns = [(each.name, each.kind, each.reason) for each in fit.columns]
        self.form.set_values(step.parameters, columns, step.columns if step.columns is not None else fit.default)
        self._ask_effect(step)

    # --- the effect sentence ------------------------------------------------------------

    def _ask_effect(self, step: StepSection) -> None:
        asked = (self.session.basis(), step)
        if asked != self._asked:
            self._asked = asked
            self._wait.start()

    def _start_effect(self) -> None:
        session = self.session
        if self._asked is None or session.reading is None or session.decisions.path is None:
            return
        basis, step = self._asked
        self.context.runner.start(_JOB, self._effect_work(basis, step), self._on_effect)

    def _effect_work(self, basis: bytes, step: StepSection) -> Callable[[Progress], Effect]:
        decisions, reading = self.session.decisions, self.session.reading
        path = decisions.path
        assert path is not None
        assert reading is not None
        prepared = self._prepared[1] if self._prepared is not None and self._prepared[0] == basis else None
        known = self.session.assessment
        if prepared is None and known is not None and known.basis == basis:
            prepared = known.prepared

        def work(progress: Progress) -> Effect:
            return foresee(path, reading, decisions.recipe, basis, prepared, step, progress)

        return work

    def _on_effect(self, outcome: TaskOutcome) -> None:
        if not outcome.ok:
            self.effect.set("note", "")
            self.proposal.set("amber", "")
            self.warnings.set("blocks", outcome.words if not outcome.cancelled else "")
            self._asked = None if outcome.cancelled else self._asked
            return
        found: Effect = outcome.result
        self._prepared = (found.basis, found.prepared)
        if self._asked is None or self._asked[0] != found.basis:
            return
        self.effect.set("note", found.sentence)
        later = any(step.enabled for step in self._steps[: self._place or 0])
        words = found.refusal or " ".join(found.warnings)
        if words and later:
            # Looked at before the first step; what the steps before do may well mend it.
            words = self.tr("On the table before the first step: {words}").format(words=words)
        self.warnings.set("blocks" if found.refusal and not later else "amber", words)
        self._proposed = dict(found.proposal[1]) if found.proposal is not None else {}
        self.proposal.set("amber", found.proposal[0] if found.proposal is not None else "")
        self.form.set_levels(found.levels or {})

    # --- deciding -----------------------------------------------------------------------

    def _decide(self, label: str, steps: tuple[StepSection, ...]) -> None:
        self.session.decide_recipe(label, steps=steps)

    def _on_method(self, id: str) -> None:
        self._method = id
        self._place = next((n for n, each in enumerate(self._steps) if each.method == id), None)
        self.refresh()

    def _on_step(self, place: int) -> None:
        self._place, self._method = place, self._steps[place].method
        self.refresh()

    def _on_use(self) -> None:
        self._place = len(self._steps)
        self._decide(
            self.tr("Add step {title}").format(title=self._current_method().title),
            (*self._steps, StepSection(method=self._method)),
        )
        if self.form.columns is not None:
            self.form.columns.setFocus()

    def _on_removed(self, place: int) -> None:
        title = all_methods()[self._steps[place].method].title
        self._place = None
        steps = (*self._steps[:place], *self._steps[place + 1 :])
        self._decide(self.tr("Remove step {title}").format(title=title), steps)

    def _on_moved(self, place: int, by: int) -> None:
        self._place, self._method = place + by, self._steps[place].method
        self._decide(self.tr("Move {title}").format(title=title_of(self._steps[place])), moved(self._steps, place, by))

    def _on_switched(self, place: int, on: bool) -> None:
        step = self._steps[place]
        words = self.tr("Switch on {title}") if on else self.tr("Switch off {title}")
        self._place, self._method = place, step.method
        changed = step.model_copy(update={"enabled": on})
        self._decide(words.format(title=title_of(step)), replaced(self._steps, place, changed))

    def _on_mend(self) -> None:
        problem = order_problem(self._steps)
        if problem is not None and problem.by:
            self._on_moved(problem.place, problem.by)

    def _on_parameter(self, name: str, value: object) -> None:
        self._set_parameters(self.tr("Set {name}").format(name=name), {name: value})

    def _on_reset(self, name: str) -> None:
        self._set_parameters(self.tr("Reset {name}").format(name=name), {name: None})

    def _on_proposal(self) -> None:
        self._set_parameters(self.tr("Take the proposal"), self._proposed)

    def _set_parameters(self, label: str, values: dict[str, object]) -> None:
        step = self._step
        if step is None or self._place is None:
            return
        for name, value in values.items():
            step = with_parameter(step, name, value)
        self._decide(label, replaced(self._steps, self._place, step))

    def _on_columns(self, columns: tuple[str, ...]) -> None:
        step = self._step
        if step is None or self._place is None:
            return
        default = self._fits[step.method].default
        names = self.session.reading.table.names if self.session.reading is not None else ()
        ordered = tuple(name for name in names if name in columns)
        chosen = None if set(ordered) == set(default) else ordered
        changed = step.model_copy(update={"columns": chosen})
        self._decide(self.tr("Choose columns"), replaced(self._steps, self._place, changed))

    def _on_add(self) -> None:
        self.queue.add(self.session.decisions.recipe)

    def _current_method(self) -> Method:
        return all_methods()[self._method]

    # --- size ---------------------------------------------------------------------------

    def hideEvent(self, event: QHideEvent) -> None:
        """Leave the effect sentence until the page is looked at again."""
        super().hideEvent(event)
        if self._wait.isActive():
            self._wait.stop()
            self._asked = None
            self._dirty = True

    def resizeEvent(self, event: QResizeEvent) -> None:
        """One column where the page is narrow for its text."""
        super().resizeEvent(event)
        narrow = self.width() < theme().px(_NARROW)
        across, down = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._columns.setDirection(down if narrow else across)
        self._points.setDirection(down if self.width() < theme().px(560) else across)
