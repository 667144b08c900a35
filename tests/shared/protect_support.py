"""What the tests of Protect, Compare and Release share: a small table, and methods made for a test."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from ui_support import Person, go_through

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.methods.base.declaration import Method
from ppdm_desktop.engine.methods.base.parameters import ChoiceParameter, FlagParameter, NumberParameter, Parameter
from ppdm_desktop.engine.methods.base.step import Guarantee, Recount, Settings, StepResult
from ppdm_desktop.engine.randomness import StepStream
from ppdm_desktop.engine.table.column import Table
from ppdm_desktop.engine.wording.catalogue import Sentence, lazy
from ppdm_desktop.engine.wording.texts import Note

ROLES = {"quasi-identifier": ("age", "city"), "confidential": ("illness",)}


def small_csv(
    folder: Path,
    rows: int = 60,
    name: str = "people.csv",
    cities: Sequence[str] = ("Delft", "Ghent", "Bonn"),
    illnesses: Sequence[str] = ("flu", "cold"),
    youngest: int = 20,
) -> Path:
    """Write a table in which a good part of the people stand alone."""
    path = folder / name
    lines = ["age,city,illness,weight"]
    for row in range(rows):
        # One in three of each city, so that neither city nor weight tells the illness.
        ill = illnesses[0 if row * 5 % 9 < 3 else 1]
        lines.append(f"{youngest + (row * 7) % 31},{cities[row % 3]},{ill},{50 + row * 4 % 7}")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def at_step(window: Any, dialogs: Any, folder: Path, step: str, rows: int = 60) -> Person:
    """Take the small table to a step; on Protect to the methods."""
    person = Person(window, dialogs)
    go_through(person, small_csv(folder, rows), ROLES, until=step)
    if step == "protect":
        person.click("button_build_own")
    return person


HELP, EFFECT = lazy("h"), lazy("e")


class _ForTests(Method):
    paper = lazy("none")
    summary = lazy("Only for a test.")
    promises = (lazy("It promises nothing."),)
    limits = (lazy("It protects nobody."),)
    protects = "attribute"
    correspondence = "record"
    treatment = lazy("none")
    recipients_learn = lazy("The values are as in the source.")
    kinds = frozenset({"nominal", "ordinal"})

    def effect(self, table: Table, settings: Settings) -> Note:
        return Note("note.swap.one-member")

    def recount(self, before: Table, after: Table, settings: Settings, detail: Mapping[str, Any]) -> Recount:
        return Recount(Guarantee("file", True, before.rows), ())


class FailingMethod(_ForTests):
    """Says why it cannot."""

    id = "failing"
    title = lazy("A method that fails")

    def run(self, table: Table, settings: Settings, streams: StepStream) -> StepResult:
        raise InputError("error.swap.one-value", column=settings.columns[0])


class EndlessMethod(_ForTests):
    """Works until it is stopped."""

    id = "endless"
    title = lazy("A method that never ends")

    def run(self, table: Table, settings: Settings, streams: StepStream) -> StepResult:
        waiting = threading.Event()
        while True:
            progress.report(0.5, "doing.candidate")
            waiting.wait(0.01)


class EveryParameter(_ForTests):
    """Has a parameter of every type, in every form."""

    id = "every-parameter"
    title = lazy("A method with every parameter")
    parameters: ClassVar[tuple[Parameter, ...]] = (
        NumberParameter(
            name="share",
            label=lazy("A share"),
            help=HELP,
            effect=EFFECT,
            default=0.5,
            low=0,
            high=1,
            low_open=True,
        ),
        NumberParameter(name="count", help=HELP, effect=EFFECT, default=3, low=2, high=50, whole=True),
        NumberParameter(name="sd", help=HELP, effect=EFFECT, default=1.5, low=0, unit=lazy("years")),
        NumberParameter(
            name="anything",
            help=HELP,
            effect=EFFECT,
            default="auto",
            words={"auto": lazy("Chosen by itself.")},
        ),
        FlagParameter(name="flag", help=HELP, effect=EFFECT, default=True),
        ChoiceParameter(
            name="few",
            help=HELP,
            effect=EFFECT,
            default="a",
            choices={"a": lazy("First."), "b": lazy("Second.")},
        ),
        ChoiceParameter(
            name="many",
            help=HELP,
            effect=EFFECT,
            default="one",
            choices={x: Sentence(x) for x in ("one", "two", "three", "four")},
            advanced=True,
        ),
    )

    def run(self, table: Table, settings: Settings, streams: StepStream) -> StepResult:
        return StepResult(table, (), {})
