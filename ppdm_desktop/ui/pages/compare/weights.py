"""A weight for each criterion, and the candidate that is best by these weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QSizePolicy

from ppdm_desktop.engine.release.evaluate.scorecard import WEIGHED, goodness_of
from ppdm_desktop.engine.utility.frontier import weigh
from ppdm_desktop.engine.wording.catalogue import _, lazy
from ppdm_desktop.engine.wording.values import Term, Terms
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.pages.compare.criteria import name_criterion
from ppdm_desktop.ui.pages.compare.scorecards import Placed, choose_best_candidate, explain_blocked_release
from ppdm_desktop.ui.widgets.basic import Card, Strip, Text
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.inputs import Slider
from ppdm_desktop.ui.widgets.layout import add_parts

MOST = 10
USUAL = (5, 5, 5, 5, 5, 5)


@dataclass(frozen=True)
class Outcome:
    """Result of weighing the candidates.

    Attributes
    ----------
    best
        Name of the candidate that wins, empty if there is none.
    kind, words
        Severity and sentence.
    """

    best: str
    kind: str
    words: str


def outcome_of(placed: Sequence[Placed], weights: Sequence[float]) -> Outcome:
    """Return which candidate is best by the weights; only candidates that may be released can win.

    The winner is "" without candidates, with all weights 0, if none may be released, or if nothing weighed was measured
    for all. The usual weights prefer few reasons, then usefulness.

    Parameters
    ----------
    placed
        The candidates.
    weights
        0 to 10 for each criterion, in the order of ``WEIGHED``.
    """
    if not placed:
        return Outcome("", "note", "")
    scorecards = [candidate.scorecard for candidate in placed]
    can_win = np.array([scorecard.is_within for scorecard in scorecards], dtype=np.bool_)
    weighing = weigh(goodness_of(scorecards), np.array(weights, dtype=np.float64), can_win)
    if not any(weights):
        return Outcome("", "note", _("Every weight is 0. Move a slider to say what matters to you."))
    if not can_win.any():
        near = choose_best_candidate(placed)
        said = _("No version may be released, so none can be best. {name} comes closest.", name=Term(near.entry.shown))
        return Outcome("", "amber", f"{said} {explain_blocked_release(near.scorecard)}")
    if tuple(weights) == USUAL:
        entry = choose_best_candidate(placed).entry
        sentence = lazy("{name} is best: fewest reasons to write, then most useful.")
        return Outcome(entry.name, "passed", sentence.said(name=Term(entry.shown)))
    left_out = [
        name_criterion(WEIGHED[index]) for index, weight in enumerate(weights) if weight and not weighing.counted[index]
    ]
    remark = ""
    if left_out:
        remark = _("Not counted, because it was not measured for every version: {names}.", names=Terms(tuple(left_out)))
    if weighing.winner is None:
        return Outcome("", "note", remark)
    winner = placed[weighing.winner]
    parts = [
        _(
            "With your weights, {name} is best ({score} of 100 points).",
            name=Term(winner.entry.shown),
            score=_to_whole_points(float(weighing.scores[weighing.winner])),
        )
    ]
    runners_up = [index for index in np.flatnonzero(can_win).tolist() if index != weighing.winner]
    if runners_up:
        second = max(runners_up, key=lambda index: (float(weighing.scores[index]), -index))
        best, score = (_to_whole_points(float(weighing.scores[index])) for index in (weighing.winner, second))
        sentence = (
            lazy("{name} is very close.")
            if score == best
            else lazy("{name} follows with {score} {score:point|points}.")
        )
        parts.append(sentence.said(name=Term(placed[second].entry.shown), score=score))
    return Outcome(winner.entry.name, "passed", " ".join([*parts, remark]).strip())


def _to_whole_points(score: float) -> int:
    """Return a score (0 to 1) as whole points out of 100; 0 and 100 only if they are exact."""
    whole = round(100 * score)
    return min(max(whole, 1), 99) if 0 < score < 1 else whole


class _Weight(Slider):
    """Slider that the mouse wheel does not move.

    Signals
    -------
    settled
        It was moved by a key or a click, or released.
    """

    settled = Signal()

    def __init__(self, criterion: str, label: str) -> None:
        text = _("Weight of: {criterion}", criterion=Term(label))
        super().__init__(name=f"weight_{criterion}", label=text, bounds=(0, MOST), page=2)
        theme().bound(self, least_wide=80)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.valueChanged.connect(self._on_moved)
        self.sliderReleased.connect(self.settled)

    def _on_moved(self, _value: int) -> None:
        """Send ``settled`` if the slider was moved by a key or a click, not while it is dragged."""
        # While it is held, it is only tried out.
        if not self.isSliderDown():
            self.settled.emit()


class WeightsCard(Card):
    """A slider for each criterion; moving one does not measure anything again.

    Signals
    -------
    changed
        The weights changed.
    settled
        A slider was released or moved by a key.
    """

    changed = Signal()
    settled = Signal()

    def __init__(self) -> None:
        super().__init__(
            _("What matters to you"),
            _("0 means it does not count. Only versions that may be released can be best."),
            name="card_weights",
        )
        grid = QGridLayout()
        theme().gaps(grid, 10, 4)
        grid.setColumnStretch(1, 1)
        self.sliders: dict[str, _Weight] = {}
        self._values: dict[str, Text] = {}
        for row, (criterion, weight) in enumerate(zip(WEIGHED, USUAL, strict=True)):
            text = name_criterion(criterion)
            slider = _Weight(criterion, text)
            slider.setValue(weight)
            slider.valueChanged.connect(self._on_moved)
            slider.settled.connect(self.settled)
            self.sliders[criterion] = slider
            self._values[criterion] = Text(str(weight), wrap=False)
            self._values[criterion].setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            theme().bound(self._values[criterion], least_wide=20)
            grid.addWidget(Text(text), row, 0)
            grid.addWidget(slider, row, 1)
            grid.addWidget(self._values[criterion], row, 2)
        self.button = Button(_("Show the best version"), name="button_show_best")
        self.strip = Strip("note", "", self.button, name="strip_weights")
        add_parts(self.body, grid, self.strip)
        self.button.hide()

    @property
    def weights(self) -> tuple[int, ...]:
        """The weights in the order of ``WEIGHED``."""
        return tuple(self.sliders[criterion].value() for criterion in WEIGHED)

    @property
    def decided(self) -> tuple[tuple[str, int], ...]:
        """The weights as (criterion, weight) for the decisions; empty if all are the defaults."""
        return () if self.weights == USUAL else tuple(zip(WEIGHED, self.weights, strict=True))

    def show_weights(self, decided: Sequence[tuple[str, int]]) -> None:
        """Set the sliders to the decided weights; other criteria get the default."""
        weights = dict(zip(WEIGHED, USUAL, strict=True)) | dict(decided)
        for criterion, slider in self.sliders.items():
            with QSignalBlocker(slider):
                slider.setValue(weights[criterion])
            self._values[criterion].setText(str(slider.value()))

    def show_outcome(self, outcome: Outcome) -> None:
        """Show which version is best with the present weights, and the button that opens it, if there is one."""
        self.strip.set(outcome.kind, outcome.words)
        self.button.setVisible(bool(outcome.best))

    def _on_moved(self, _value: int) -> None:
        """Show the weights as numbers, and send ``changed``."""
        for criterion, slider in self.sliders.items():
            self._values[criterion].setText(str(slider.value()))
        self.changed.emit()
