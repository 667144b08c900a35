"""Page "Protect": the versions that the program found, or the methods with which the user builds a version."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial, reduce

from PySide6.QtCore import Qt
from PySide6.QtGui import QHideEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout

from ppdm_desktop.engine.errors import PpdmError
from ppdm_desktop.engine.methods.base.declaration import Method, all_methods
from ppdm_desktop.engine.methods.base.recipients import recipient_of
from ppdm_desktop.engine.recipe.models import StepSection, SweepSection
from ppdm_desktop.engine.release.planning.version import Version, list_checks_to_answer
from ppdm_desktop.engine.release.storage.atomic_folder import check_apart
from ppdm_desktop.engine.secret_files import create_recipient_secret, read_recipient_secret
from ppdm_desktop.engine.table.reading import Reading
from ppdm_desktop.engine.wording.catalogue import _, lazy
from ppdm_desktop.engine.wording.texts import explain
from ppdm_desktop.engine.wording.values import Term
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.page import Context, Page, Primary
from ppdm_desktop.ui.pages.protect.chain import ChainCard
from ppdm_desktop.ui.pages.protect.effect import Effect, EffectQuestion
from ppdm_desktop.ui.pages.protect.form import FormCard, MethodPoints
from ppdm_desktop.ui.pages.protect.frontier_part import FrontierPart
from ppdm_desktop.ui.pages.protect.methods import MethodList
from ppdm_desktop.ui.pages.protect.queue import QueueCard
from ppdm_desktop.ui.pages.protect.range_part import RangePart
from ppdm_desktop.ui.pages.protect.versions import VersionsPart
from ppdm_desktop.ui.state.candidate_queue import DONE, RUNNING, WAITING, CandidateQueue
from ppdm_desktop.ui.state.session import CandidateEntry
from ppdm_desktop.ui.state.step_chain import (
    Fit,
    all_fits,
    apply_decided_roles,
    move_step,
    replace_step,
    with_parameter,
    with_profile,
)
from ppdm_desktop.ui.state.tried_range import find_proposed_grid
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.layout import STRETCH, SideBySide, add_parts, align_left, stretch_part, vbox, widget_of
from ppdm_desktop.ui.widgets.scrolling import put_back, show_start

_NARROW = 864
"""Page width in pixels (at 100 % text size) below which methods, steps and queue stand below one another."""
_STRETCHES = (5, 9, 6)


class ProtectPage(Page):
    """Page with a card for each version that the program found, or with methods, steps and queue side by side."""

    step = "protect"

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.queue = CandidateQueue(context.session, context.runner, self, ledger=context.ledger)
        self._method: str = ""
        self._picked = False  # whether a person chose the method looked at
        self._asked_to_build: bool | None = None  # what a person chose to look at; None before
        self._wanted: tuple[StepSection, ...] = ()
        self._step_index: int | None = None
        self._fits: dict[str, Fit] = {}
        self._fits_for: bytes = b""
        self._to_try: SweepSection | None = None
        self.effect = EffectQuestion(context, self)
        self._build_parts()
        self.effect.answered.connect(self._on_effect)
        self.effect.failed.connect(self.form_card.show_failure)

    def title(self) -> str:
        """Return the title of the page."""
        return _("Protect")

    def purpose(self) -> str:
        """Return the sentence below the title that says what the page is for."""
        return _("Versions that keep the most. Nothing is written yet.")

    def primary(self) -> Primary:
        """Return the button that leads to Release if a version is chosen, else to Compare.

        The button to Release is disabled until the run of the chosen version is done. That to Compare is enabled if
        versions were found, a run is finished or a range of values was tried. While methods and steps are shown instead
        of versions, neither a chosen version nor those found count. Its message counts the versions found and those
        that need no reason, and says if a search goes on.
        """
        if (chosen := self._find_chosen_run()) is not None:
            is_done = chosen.status == DONE
            sentence = lazy("{name} is chosen") if is_done else lazy("{name} is running")
            state_text = sentence.format(name=Term(chosen.display_name))
            return Primary(_("Release", "verb"), is_done, state_text, "passed" if is_done else "note")
        states = [] if self.is_building else self.versions.states()
        text = _("Compare")
        if states:
            free = sum(not (state.verdict.blocking or list_checks_to_answer(state.verdict)) for state in states)
            text_of = lazy("{n} {n:version|versions} found; {free} {free:needs|need} no reason")
            if any(len(state.verdict.to_answer) > len(list_checks_to_answer(state.verdict)) for state in states):
                text_of = lazy("{n} {n:version|versions} found; {free} {free:needs|need} no further reason")
            state_text = text_of.format(n=len(states), free=free)
            if self.versions.search.is_working:
                return Primary(text, True, f"{_('Looking for versions worth trying')} · {state_text}", "note")
            return Primary(text, True, state_text, "passed" if free else "amber")
        return self._make_compare_button(text)

    def _make_compare_button(self, text: str) -> Primary:
        """Return the button that leads to Compare while no found version is shown, with ``text`` as its label.

        That is before a version was found, and while methods and steps are shown instead. It is enabled once a run has
        finished or a range of values was tried. Its message names the running version, else counts finished ones, else
        says that versions are searched, else that one has to be added.
        """
        was_tried, finished = self.session.tried is not None, len(self.session.finished())
        if self.queue.running is not None:
            running = Term(self.queue.running.display_name)
            return Primary(text, finished > 0 or was_tried, _("{name} is running", name=running), "note")
        if finished:
            total = len(self.session.candidates)
            state_text = _("{n} of {total} {total:version|versions} finished", n=finished, total=total)
            return Primary(text, True, state_text, "passed")
        if self.versions.search.is_working:
            return Primary(text, was_tried, _("Looking for versions worth trying"), "note")
        return Primary(text, was_tried, _("Add a version first"), "amber")

    def on_primary(self) -> None:
        """Go to Release if a version was chosen, else to Compare.

        Before going to Compare, versions that are shown as cards and have no run, or one that failed, was cancelled or
        is out of date, are queued.
        """
        if self._find_chosen_run() is not None:
            self.go.emit("release")
            return
        if not self.is_building:
            self.versions.run_all()
        self.go.emit("compare")

    def _find_chosen_run(self) -> CandidateEntry | None:
        """Return the run of the chosen version if it waits, runs or is done, otherwise None.

        None also if no version is chosen, or while methods and steps are shown instead of versions.
        """
        if self.is_building:
            return None
        states = (state for state in self.versions.states() if state.is_chosen)
        entries = (state.entry for state in states if state.entry is not None)
        return next((entry for entry in entries if entry.status in (WAITING, RUNNING, DONE)), None)

    # --- building -----------------------------------------------------------------------

    def _build_parts(self) -> None:
        """Create and connect the parts of the page: versions, methods, steps, settings, ranges, and the queue."""
        self.versions = VersionsPart(self.context, self.queue, self)
        self.versions.see_wanted.connect(partial(self.go.emit, "compare"))
        self.versions.adjust_wanted.connect(self._on_adjust)
        self.versions.build_wanted.connect(partial(self._look_at, building=True))
        self.versions.changed.connect(self.primary_changed)
        self._to_versions = Button(_("Versions that were found"), name="button_to_versions", icon="back")
        self._to_versions.clicked.connect(partial(self._look_at, building=False))
        # One column as well where the three need more than the page has: it never scrolls to the side.
        self._columns = SideBySide(below=_NARROW)
        add_parts(self.outer, self.versions, align_left(self._to_versions), stretch_part(self._columns))
        self.methods = MethodList(all_methods())
        self.methods.chosen.connect(self._on_method)
        self._columns.add(self.methods, _STRETCHES[0])
        self.chain_card = ChainCard()
        self.chain_card.chosen.connect(self._on_step)
        self.chain_card.removed.connect(self._on_removed)
        self.chain_card.moved.connect(self._on_moved)
        self.chain_card.switched.connect(self._on_switched)
        self.chain_card.add_wanted.connect(self._on_add)
        self.form_card = FormCard()
        self.form_card.use_wanted.connect(self._on_use)
        self.form_card.proposed.connect(self._set_parameters)
        self.form_card.form.changed.connect(lambda name, value: self._set_parameters({name: value}))
        self.form_card.form.cleared.connect(lambda name: self._set_parameters({name: None}))
        self.form_card.form.columns_changed.connect(self._on_columns)
        self.form_card.form.secret_wanted.connect(self._on_secret)
        self.form_card.form.profile_picked.connect(self._on_profile)
        self.range_part = RangePart(self.context)
        self.range_part.compare_wanted.connect(self.on_primary)
        self.frontier_part = FrontierPart(self.context, self.effect)
        add_parts(self.form_card.body, self.frontier_part, self.range_part)
        self.points = MethodPoints()
        self._columns.add(widget_of(vbox(self.chain_card, self.form_card, self.points, STRETCH, gap=12)), _STRETCHES[1])
        self.queue_card = QueueCard(self.session, self.queue)
        self._columns.add(widget_of(vbox(self.queue_card, STRETCH)), _STRETCHES[2])

    # --- showing ------------------------------------------------------------------------

    @property
    def _steps(self) -> tuple[StepSection, ...]:
        """The steps in the recipe."""
        return self.session.decisions.recipe.steps

    @property
    def _step(self) -> StepSection | None:
        """The selected step, None if the selected method has no step."""
        return self._steps[self._step_index] if self._step_index is not None else None

    def _select_existing_step(self) -> None:
        """Correct the selection after steps changed, so that the selected step exists and has the selected method.

        If it does not, the first step with that method is selected; without one, the first step, unless the user chose
        the method. If no method is selected then, the first in the list that can treat the file is selected, or else
        the first of all methods.
        """
        steps = self._steps
        if self._step_index is not None and (
            self._step_index >= len(steps) or (self._method and steps[self._step_index].method != self._method)
        ):
            self._step_index = None
        if self._step_index is None and self._method:
            self._step_index = next((n for n, step in enumerate(steps) if step.method == self._method), None)
        if self._step_index is None and steps and not self._picked:
            self._step_index = 0
        if self._step_index is not None:
            self._method = steps[self._step_index].method
        if not self._method:
            # The first of the list as it is shown.
            fitting = [id for id in self.methods.cards if self._fits[id].count]
            self._method = fitting[0] if fitting else next(iter(self._fits), "")

    def file_opened(self) -> None:
        """Forget the selected method and step, and all versions, runs and results, because another file was opened."""
        self._method, self._picked, self._step_index = "", False, None
        self._asked_to_build, self._wanted = None, ()
        self._fits, self._fits_for, self._to_try = {}, b"", None
        self.queue.forget()
        self.effect.clear()
        self.versions.forget()
        self.queue_card.forget()
        self.form_card.forget()
        self.range_part.forget()
        self.frontier_part.forget()

    def reading_changed(self) -> None:
        """Clear the search for methods and scroll to the top, because the table was read anew."""
        self.methods.edit_find.clear()
        put_back(self)

    def refresh(self) -> None:
        """Show either the versions found or methods, steps and queue, and start the next run of the queue.

        The user chooses which of the two is shown. Before a choice, methods and steps are shown if the recipe has
        steps, else the versions. If the user asks on the page Risk for a version with certain changes, the choice is
        forgotten and the versions are shown, because it will be one of them. Nothing happens without a file.
        """
        session = self.session
        if session.reading is None:
            return
        if session.decisions.wanted != self._wanted:
            self._wanted, self._asked_to_build = session.decisions.wanted, None
        self.versions.setVisible(not self.is_building)
        for widget in (self._to_versions, self._columns):
            widget.setVisible(self.is_building)
        if self.is_building:
            self._show_builder(session.reading)
        else:
            self.versions.refresh()
        self.queue.start_next()

    @property
    def is_building(self) -> bool:
        """Whether methods and steps are shown instead of versions.

        That is as the user chose; before a choice, if the recipe has steps and the page Risk asked for none.
        """
        has_steps = bool(self._steps) and not self._wanted
        return has_steps if self._asked_to_build is None else self._asked_to_build

    def _show_builder(self, reading: Reading) -> None:
        """Show methods, steps, settings and queue for the present recipe.

        If an opened recipe proposes a range to try, the step with its setting is selected first. Which columns each
        method can treat is determined again only if the decisions changed.
        """
        session = self.session
        basis = session.basis()
        if basis != self._fits_for:
            self._fits_for = basis
            self._fits = all_fits(apply_decided_roles(reading, session.decisions.recipe))
        self._look_at_asked()
        self._select_existing_step()
        self.methods.show_fits(self._fits, frozenset(step.method for step in self._steps if step.enabled), self._method)
        self.chain_card.show_steps(self._steps, self._step_index)
        self._show_form()
        self.queue_card.refresh()

    def _look_at_asked(self) -> None:
        """Select the step for which the opened recipe proposes a range of values to try; nothing if it proposes none.

        This is done once for each proposal, so that another step can be selected afterwards.
        """
        decisions = self.session.decisions
        if decisions.to_try is self._to_try:
            return
        self._to_try = decisions.to_try
        asked = find_proposed_grid(decisions.recipe, decisions.to_try)
        if asked is not None:
            self._step_index = asked.step - 1
            self._method = self._steps[self._step_index].method

    def _show_form(self) -> None:
        """Show the selected method with the settings of its step, and request the step's effect.

        Without a step the method is shown with a button to add it. Without a method its cards are hidden.
        """
        method = all_methods().get(self._method)
        self.form_card.setVisible(method is not None)
        self.points.setVisible(method is not None)
        if method is None:
            return
        step = self._step
        self.points.show_method(method)
        number = sum(step.enabled for step in self._steps) + 1
        self.form_card.show_method(method, self._fits[method.id], step, number)
        self.range_part.show_step(step, self._step_index or 0)
        self.frontier_part.show_step(step)
        if step is None:
            self.effect.forget()
        else:
            self.effect.ask(step)

    def _on_effect(self, effect: Effect) -> None:
        """Show the effect of the step, and whether it ignores earlier steps that are switched on."""
        has_earlier_steps = any(step.enabled for step in self._steps[: self._step_index or 0])
        self.form_card.show_effect(effect, has_earlier_steps=has_earlier_steps)

    # --- from versions to methods and back ------------------------------------------------

    def _look_at(self, *, building: bool) -> None:
        """Show methods and steps (``building`` is True) or the versions, and put the focus there."""
        self._asked_to_build = building
        self.refresh()
        self.primary_changed.emit()
        show_start(self)
        (self.methods.edit_find if building else self.versions.build_button).setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_adjust(self, version: Version) -> None:
        """Replace the recipe's steps by those of a version, select the first, and show them for editing."""
        self._step_index, self._picked, self._asked_to_build = 0, True, True
        self._method = ""
        self._set_steps(version.steps)
        self._look_at(building=True)

    # --- deciding -----------------------------------------------------------------------

    def _set_steps(self, steps: tuple[StepSection, ...]) -> None:
        """Put changed steps into the recipe, as a decision that can be undone."""
        self.session.decide_recipe(steps=steps)

    def _on_method(self, id: str) -> None:
        """Select the method with this id, and the first step that uses it; no step if none does."""
        self._method, self._picked = id, True
        self._step_index = next((n for n, step in enumerate(self._steps) if step.method == id), None)
        self.refresh()

    def _on_step(self, index: int) -> None:
        """Select the step at this index, and its method."""
        self._step_index, self._method = index, self._steps[index].method
        self.refresh()

    def _on_use(self) -> None:
        """Add a step with the selected method and its recommended settings at the end, as a decision, and select it.

        The choice of its columns gets the focus, if there is one.
        """
        self._step_index = len(self._steps)
        self._set_steps((*self._steps, self._current_method().new_step))
        if self.form_card.form.columns is not None:
            self.form_card.form.columns.setFocus()

    def _on_removed(self, index: int) -> None:
        """Remove the step at this index from the recipe, as a decision.

        Then the first step with the selected method is selected; if there is none, the method without a step.
        """
        self._step_index, self._picked = None, True
        self._set_steps((*self._steps[:index], *self._steps[index + 1 :]))

    def _on_moved(self, index: int, by: int) -> None:
        """Move the step at this index by ``by`` positions, and select it."""
        self._step_index, self._method = index + by, self._steps[index].method
        self._set_steps(move_step(self._steps, index, by))

    def _on_switched(self, index: int, on: bool) -> None:
        """Switch the step at this index on or off, and select it."""
        self._step_index, self._method = index, self._steps[index].method
        self._change_step(lambda step: step.model_copy(update={"enabled": on}))

    def _on_profile(self, name: str) -> None:
        """Give the selected step the settings of a profile of its method; nothing without a step.

        Settings that depend on the file, or that a run finds, are kept. ``name`` is the id of the profile that follows
        the method's paper; any other text stands for the recommended profile.
        """
        self._change_step(lambda step: with_profile(step, self._current_method(), name))

    def _set_parameters(self, values: Mapping[str, object]) -> None:
        """Set parameters of the selected step, by name, as one decision; nothing without a step.

        The value None resets a parameter to the value of the step's profile, else to its default.
        """
        items = values.items()
        self._change_step(lambda step: reduce(lambda changed, item: with_parameter(changed, *item), items, step))

    def _change_step(self, change: Callable[[StepSection], StepSection]) -> None:
        """Replace the selected step by what ``change`` returns for it, as a decision; nothing without a step."""
        if self._step_index is not None:
            self._set_steps(replace_step(self._steps, self._step_index, change(self._steps[self._step_index])))

    def _on_secret(self, is_new: bool, name: str) -> None:
        """Create or open the file with a recipient's secret.

        The step stores the secret's fingerprint and the recipient's name, the session the secret itself. Nothing
        happens if the user cancels or the method needs no secret; a failure is shown.

        Parameters
        ----------
        is_new
            Whether to create a secret instead of opening one.
        name
            Name of the recipient, from which the file name is proposed; if it is empty, the step gets the file's name.
        """
        asked = recipient_of(self._current_method())
        if asked is None:
            return
        patterns = "*.secret"
        dialogs, title = self.context.dialogs, _("The recipient’s secret")
        source = self.session.decisions.path
        if is_new and source is not None:
            path = dialogs.save_file(self, title, source.with_name(f"{name or 'recipient'}.secret"), patterns)
        else:
            path = dialogs.open_file(self, title, patterns)
        if path is None:
            return
        try:
            if is_new:
                check_apart(path)
            secret = create_recipient_secret(path) if is_new else read_recipient_secret(path)
        except PpdmError as error:
            self.form_card.show_failure(explain(error, window=True))
            return
        self.session.secrets[secret.fingerprint] = secret
        values = {asked.name: name or path.stem, asked.mark: secret.fingerprint}
        self._set_parameters(values)

    def _on_columns(self, columns: tuple[str, ...]) -> None:
        """Set the columns of the selected step, in the order of the file; nothing without a step.

        If they are the method's default columns, the step names no columns.
        """
        step = self._step
        if step is None:
            return
        default = self._fits[step.method].default
        names = self.session.reading.table.names if self.session.reading is not None else ()
        ordered = tuple(name for name in names if name in columns)
        chosen = None if set(ordered) == set(default) else ordered
        self._change_step(lambda step: step.model_copy(update={"columns": chosen}))

    def _on_add(self) -> None:
        """Queue the present steps as a candidate."""
        self.queue.add(self.session.decisions.recipe)

    def _current_method(self) -> Method:
        """Return the selected method."""
        return all_methods()[self._method]

    # --- size ---------------------------------------------------------------------------

    def hideEvent(self, event: QHideEvent) -> None:
        """Cancel a waiting request for the effect of a step when the page is hidden.

        It is made again when the page is shown.
        """
        super().hideEvent(event)
        if self.effect.stop_waiting():
            self._dirty = True

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put promises and limits of the method below each other if the page is narrow, else side by side.

        Narrow means less than 560 px at 100 % text size.
        """
        super().resizeEvent(event)
        across, down = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self.points.set_direction(down if self.width() < theme().px(560) else across)
