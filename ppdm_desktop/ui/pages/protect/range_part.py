"""Part of a step's card by which the user tries a range of values for one setting of the step.

A range is tried by one run for each value and each key; a key determines the random draws of a run.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QWidget

from ppdm_desktop.engine.errors import RecipeError
from ppdm_desktop.engine.methods.base.declaration import Method, all_methods
from ppdm_desktop.engine.methods.base.parameters import NumberParameter, Parameter
from ppdm_desktop.engine.recipe.models import StepSection, SweepSection
from ppdm_desktop.engine.release.sweep.run import Grid, Value
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.values import Term
from ppdm_desktop.ui.look.accessibility import join_label
from ppdm_desktop.ui.page import Context
from ppdm_desktop.ui.state.number_texts import percent
from ppdm_desktop.ui.state.range_trials import RangeTrials
from ppdm_desktop.ui.state.tried_range import (
    TriedRange,
    describe_problem,
    find_proposed_grid,
    list_triable_settings,
    parse_grid,
    proposed_values,
    values_text,
)
from ppdm_desktop.ui.widgets.basic import Text
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.inputs import RoomyChoice, WholeNumber, add_caption, check_box, line_edit
from ppdm_desktop.ui.widgets.layout import Flow, Panel, add_parts, hbox, stretch_part, vbox, widget_of
from ppdm_desktop.ui.widgets.work import WorkBar

_MOST_KEYS, _KEYS = 50, 3


def describe_cost(grid: Grid, keys: int) -> str:
    """Return how many runs a range needs, for example: 4 values with 3 keys each, up to 12 runs.

    A range is one setting of a step with the values to try; ``keys`` is how often each value is run, each time with
    another random key. There are fewer runs if the result of a value is not random: it is run only once.
    """
    values = len(grid.values)
    return _(
        "{values} {values:value|values} with {keys} {keys:key|keys} each: up to {runs} {runs:run|runs}.",
        values=values,
        keys=keys,
        runs=values * keys,
    )


def describe_runs_done(tried: TriedRange) -> str:
    """Return how many of all runs of a range are done, and the share of the work in per cent."""
    text = _("{done} of {all} {all:run|runs}", done=tried.done, all=tried.sweep.trials)
    return f"{text} · {percent(round(tried.fraction, 2))}"


class RangePart(Panel):
    """Part with a form for trying a range of values: setting, values, keys and switches, and the progress.

    Signals
    -------
    compare_wanted
        The user wants to see the results on the page Compare.
    """

    compare_wanted = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__(name="part_range")
        self._session = context.session
        self.trials = RangeTrials(context.session, context.runner, self)
        self.trials.changed.connect(self._on_changed)
        self._step_index = 0
        self._method: Method | None = None
        self._typed: tuple[int, str, str] | None = None
        self._taken: SweepSection | None = None
        self.opener = Button(_("Try a range"), name="button_range_open", link=True, icon="next", checkable=True)
        self.opener.clicked.connect(self._on_opened)
        self._inside = QWidget()
        vbox(self.opener, self._inside, on=self, margins=(0, 4, 0, 0), gap=8)
        self._build_form()
        self._inside.hide()

    def _build_form(self) -> None:
        """Create the form: setting, values, number of keys, switches for attacks and analyses, runs needed, progress.

        It also has the buttons that start and stop the runs and show their results.
        """
        column = vbox(on=self._inside, gap=6)
        text = _("One setting is run with several values. Nothing is released, and the step stays as it is.")
        column.addWidget(Text(text, tone="text2", factor=0.95))
        self.setting = RoomyChoice(name="combo_range_setting", label=_("Setting"), least=16, picked=self._on_setting)
        self.keys = WholeNumber(name="spin_range_keys", label=_("Keys for each value"), bounds=(1, _MOST_KEYS))
        self.keys.setValue(_KEYS)
        self.keys.valueChanged.connect(self._on_typed)
        first = Flow(add_caption(_("Setting"), self.setting), add_caption(_("Keys for each value"), self.keys))
        caption = Text(_("Values"), tone="text2")
        self.values = line_edit(name="edit_range_values", label=_("Values"), changed=self._on_typed)
        self.values.returnPressed.connect(self._on_start)
        caption.setBuddy(self.values)
        self.asked = Text(_("These values come from the recipe you opened."), tone="text2", factor=0.9)
        self.asked.setObjectName("label_range_asked")
        self.problem = Text("", tone="blocks", factor=0.9, name="label_range_problem")
        self.hint = Text("", tone="text3", factor=0.85)
        add_parts(column, first, caption, self.values, self.asked, self.problem, self.hint)
        typed = self._on_typed
        self.attacks = check_box(_("Attack tests"), name="check_range_attacks", checked=True, toggled=typed)
        self.models = check_box(_("Models (takes longer)"), name="check_range_models", toggled=typed)
        self.cost = Text("", tone="text2", factor=0.95, name="label_range_cost")
        self.start = Button("", name="button_range_start", clicked=self._on_start)
        self._bar = WorkBar()
        self.stop = Button(_("Stop"), name="button_range_part_stop", icon="close", clicked=self.trials.stop)
        self._work = widget_of(hbox(stretch_part(self._bar), self.stop, gap=8))
        self.reached = Text("", tone="text2", factor=0.9, name="label_range_reached")
        self.look = Button(
            _("Go to {page}", page=Term(_("Compare"))), name="button_range_look", link=True, clicked=self._on_look
        )
        add_parts(
            column, Flow(self.attacks, self.models), self.cost, Flow(self.start), self._work, self.reached, self.look
        )

    # --- showing ------------------------------------------------------------------------

    def forget(self) -> None:
        """Close the form, discard typed values, and set the number of keys and the switches to their defaults."""
        self._typed, self._method, self._taken = None, None, None
        self.opener.setChecked(False)
        self._on_opened()
        self.keys.setValue(_KEYS)
        self.attacks.setChecked(True)
        self.models.setChecked(False)

    def show_step(self, step: StepSection | None, index: int) -> None:
        """Offer the settings of a step of which several values can be tried, with values to try.

        The setting and the values are those of an opened recipe if it proposes any for this step, else those proposed
        by the program. What the user chose or typed for the same step stays, unless a recipe was opened since that
        proposes values; then the form is opened with its number of keys and switches too. The part is hidden if there
        is no step, the step is switched off, or no setting of it can be tried. ``index``, from 0, is that of the
        step.
        """
        method = all_methods()[step.method] if step is not None and step.enabled else None
        settings = list_triable_settings(method) if method is not None else ()
        self.setVisible(bool(settings))
        if method is None or not settings:
            self._method = None
            return
        another = (method, index) != (self._method, self._step_index)
        self._method, self._step_index = method, index
        to_try, asked = self._session.decisions.to_try, self._asked
        is_new = asked is not None and to_try is not self._taken
        names = [parameter.name for parameter in settings]
        kept = self._choose_setting(names, asked if is_new or another else None, another=another)
        self.setting.set_choices([(setting.name, setting.label_text) for setting in settings], kept)
        if to_try is not None and is_new:
            self._open_filled_form(to_try)
        self._propose_values()
        self._show_work()

    def _choose_setting(self, names: Sequence[str], asked: Grid | None, *, another: bool) -> str:
        """Return the name of the setting to select.

        It is the one that the recipe proposes, if it can be tried; else the one selected before, if the same step is
        shown; else the first.

        Parameters
        ----------
        names
            Settings that can be tried.
        asked
            Range that the recipe proposes, or None.
        another
            Whether another step than before is shown; then the former selection does not count.
        """
        if asked is not None and asked.parameter in names:
            return asked.parameter
        return self.setting.current if not another and self.setting.current in names else names[0]

    @property
    def _asked(self) -> Grid | None:
        """The range that the opened recipe proposes for the selected step, None if it proposes none."""
        decisions = self._session.decisions
        grid = find_proposed_grid(decisions.recipe, decisions.to_try)
        return grid if grid is not None and grid.step == self._step_index + 1 else None

    def _open_filled_form(self, to_try: SweepSection) -> None:
        """Open the form with the number of keys and the switches that the opened recipe proposes, without signals.

        More keys than 50 are cut to 50. The proposal is remembered, so that `show_step` does not apply it again. Typed
        values are forgotten, but stay in the field until `_propose_values` fills it, which the caller calls next.
        """
        self._taken, self._typed = to_try, None
        with QSignalBlocker(self.keys), QSignalBlocker(self.attacks), QSignalBlocker(self.models):
            self.keys.setValue(min(to_try.repeats, _MOST_KEYS))
            self.attacks.setChecked(to_try.attacks)
            self.models.setChecked(to_try.analyses)
        self.opener.setChecked(True)
        self._on_opened()

    @property
    def _parameter(self) -> Parameter | None:
        """The selected setting; None without a step or if the step's method has no setting that can be tried."""
        if self._method is None:
            return None
        settings = list_triable_settings(self._method)
        return next((setting for setting in settings if setting.name == self.setting.current), None)

    def _propose_values(self) -> None:
        """Fill the field with proposed values, and check them.

        Values that the user typed for this step and setting stay.
        """
        parameter = self._parameter
        if parameter is None:
            return
        if self._typed is None or self._typed[:2] != (self._step_index, parameter.name):
            text = values_text(parameter, self._list_proposed_values(parameter))
            with QSignalBlocker(self.values):
                self.values.setText(text)
            self._typed = None
        if not isinstance(parameter, NumberParameter):
            label = _("Separate values with semicolons.")
        else:
            label = _("Separate values with semicolons. 2..10/2 means from 2 to 10 in steps of 2.")
        self.hint.setText(label)
        self._check_typed_range()

    def _list_proposed_values(self, parameter: Parameter) -> Sequence[Value]:
        """Return the values proposed for a setting: those of the opened recipe, else some around its present value.

        The present value is the step's, or the default if the step has none. For a choice, a yes-or-no setting and a
        number with a fixed list of values, all possible values are proposed.
        """
        asked = self._asked
        if asked is not None and asked.parameter == parameter.name:
            return asked.values
        step = self._session.decisions.recipe.steps[self._step_index]
        return proposed_values(parameter, step.parameters.get(parameter.name, parameter.default))

    def _check_typed_range(self) -> Grid | None:
        """Return the typed range, None if it is invalid, and show the number of runs or what is wrong.

        The start button shows the number of values. It is disabled for an invalid range and while a range is being
        tried. A range is one setting of a step with the values to try.
        """
        parameter, grid, problem = self._parameter, None, ""
        if parameter is not None:
            try:
                grid = parse_grid(self._session.decisions.recipe, self._step_index, parameter, self.values.text())
            except RecipeError as error:
                problem = describe_problem(parameter, error)
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))
        self.values.setAccessibleDescription(problem)
        self.asked.setVisible(grid is not None and grid == self._asked)
        running = self.trials.is_running
        n = len(grid.values) if grid is not None else 0
        self.start.setText(_("Try {n} {n:value|values}", n=n))
        self.start.setEnabled(grid is not None and not running)
        self.cost.setVisible(grid is not None)
        if grid is not None:
            self.cost.setText(describe_cost(grid, self.keys.value()))
        return grid

    def _show_work(self) -> None:
        """Show the progress of the runs or, once they have ended, how many were done; with a link to the results.

        All of this is hidden if no range was tried.
        """
        tried = self.trials.tried
        running = self.trials.is_running
        self._work.setVisible(running)
        self.stop.setEnabled(tried is not None and not tried.stopping)
        self._bar.show_share(tried.fraction if tried is not None else 0.0)
        text = ""
        if tried is not None and running:
            text = describe_runs_done(tried)
        elif tried is not None:
            runs = _("{done} of {all} {all:run|runs}", done=tried.done, all=tried.sweep.trials)
            text = join_label(str(tried.parameter.label_text), runs)
        self.reached.setText(text)
        self.reached.setVisible(bool(text))
        self.look.setVisible(tried is not None)

    def _on_changed(self) -> None:
        """Show the new state of the runs, if the part is visible."""
        if self.isVisible():
            self._show_work()

    # --- what a person does -------------------------------------------------------------

    def _on_opened(self) -> None:
        """Show the form while its button is pressed, else hide it."""
        is_open = self.opener.isChecked()
        self.opener.set_icon_name("down" if is_open else "next")
        self._inside.setVisible(is_open)

    def _on_setting(self, _name: str) -> None:
        """Propose values for the chosen setting, which replace typed values."""
        self._typed = None
        self._propose_values()

    def _on_typed(self) -> None:
        """Check the values and show the number of runs, after any field changed.

        If the values changed, they are kept as typed for this step and setting.
        """
        parameter = self._parameter
        if parameter is not None and self.sender() is self.values:
            self._typed = (self._step_index, parameter.name, self.values.text())
        self._check_typed_range()

    def _on_start(self) -> None:
        """Start a run for each value and key, with attacks and analyses if ticked.

        Results of an earlier range are discarded. Nothing happens if the values are invalid or a range is being tried
        already.
        """
        grid = self._check_typed_range()
        if grid is not None and self.start.isEnabled():
            attacked, analysed = self.attacks.isChecked(), self.models.isChecked()
            self.trials.start(grid, self.keys.value(), attacked=attacked, analysed=analysed)

    def _on_look(self) -> None:
        """Ask to show the tried range on the page Compare; nothing if no range was tried.

        The range is marked as wanted (``is_wanted``), and ``compare_wanted`` is sent.
        """
        tried = self.trials.tried
        if tried is not None:
            tried.is_wanted = True
            self.compare_wanted.emit()
