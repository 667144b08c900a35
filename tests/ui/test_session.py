"""The session: decisions that can be undone, results that go stale, steps that say why not. No Qt."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.models import ColumnSection, InputSection, Recipe, StepSection
from ppdm_desktop.engine.table.reading import read_source
from ppdm_desktop.engine.wording.texts import all_texts
from ppdm_desktop.ui.state.reading import describe_reading, take_again
from ppdm_desktop.ui.state.session import STEPS, Assessment, Session, State

PEOPLE = "Name,Age,City,Illness\n" + "".join(
    f"P{i},{30 + i % 4},{('Delft', 'Ghent')[i % 2]},{('flu', 'cold')[i // 5]}\n" for i in range(10)
)


@pytest.fixture
def session(tmp_path: Path) -> Session:
    source = tmp_path / "people.csv"
    source.write_text(PEOPLE, "utf-8")
    made = Session()
    reading = read_source(source, InputSection())
    columns = {name: ColumnSection(role="other") for name in reading.table.names}
    made.opened(source, reading, Recipe(recipe=1, input=reading.options, columns=columns), frozenset())
    return made


def confirm(session: Session) -> None:
    session.set_column(["Name"], role="left-out")
    session.set_column(["Age", "City"], role="quasi-identifier")
    session.set_column(["Illness"], role="confidential")


def choose_type(session: Session) -> None:
    release = session.decisions.recipe.release.model_copy(update={"type": "internal"})
    session.decide_recipe(release=release)


def measure(session: Session) -> None:
    nothing: Any = SimpleNamespace()
    session.assessment = Assessment(session.basis(), nothing, nothing, {})
    session.changed()


def finish(session: Session) -> None:
    entry = session.add_candidate(session.decisions.recipe, Key.fresh(), "2026-01-01")
    entry.status = "done"
    session.changed()


def test_everything_can_be_undone_and_done_again(session: Session) -> None:
    seen = [session.decisions]
    confirm(session)
    choose_type(session)
    session.add_step(StepSection(method="bayes-swap"))
    for role in ("other", "identifier"):
        session.set_column(["City"], role=role)
        seen.append(session.decisions)
    last = session.decisions
    labels = []
    while session.can_undo is not None:
        labels.append(session.can_undo)
        session.undo()
    assert session.decisions == seen[0]
    assert labels == [
        "Columns: “City”",
        "Columns: “City”",
        "Protect: Swap values, keeping relationships (Bayes)",
        "Release",
        "Columns: “Illness”",
        "Columns: “Age” and “City”",
        "Columns: “Name”",
    ]
    while session.can_redo is not None:
        assert session.can_redo == labels.pop()
        session.redo()
    assert session.decisions == last
    session.undo()
    session.set_column(["City"], role="left-out")
    assert session.can_redo is None


def test_a_decision_that_changes_nothing_is_none(session: Session) -> None:
    confirm(session)
    label = session.can_undo
    calls: list[int] = []
    session.listen(lambda: calls.append(1))
    session.set_column(["Illness"], role="confidential")
    session.decide()
    assert session.can_undo == label
    assert not calls


def test_steps_open_one_after_another_and_say_why_not() -> None:
    session = Session()
    for step in STEPS:
        why = session.why_not(step)
        assert (why is None) == (step == "open")
        if why is not None:
            assert all_texts()[why].sentence
            assert session.state(step) is State.NOT_YET
    assert session.state("open") is State.READY


def test_states_along_the_way(session: Session) -> None:
    def states() -> list[str]:
        return [session.state(step).value for step in STEPS]

    no = "not-yet"
    assert states() == ["done", "ready", no, no, no, no, no]
    confirm(session)
    assert states() == ["done", "done", "ready", no, no, no, no]
    choose_type(session)
    assert states() == ["done", "done", "done", "ready", no, no, no]
    measure(session)
    assert states() == ["done", "done", "done", "done", "ready", no, no]
    finish(session)
    assert states() == ["done", "done", "done", "done", "done", "ready", no]
    session.decide(chosen="C1")
    assert states() == ["done", "done", "done", "done", "done", "done", "ready"]
    assert session.chosen is not None
    session.released = session.chosen.serial
    assert states() == ["done"] * 7
    finish(session)
    session.decide(chosen="C2")
    assert states() == [*["done"] * 6, "ready"], "another one was written"
    session.undo()
    assert states() == ["done"] * 7
    session.set_column(["City"], role="confidential")
    assert states() == ["done", "done", "done", "stale", "stale", "stale", "stale"]
    assert session.assessment is not None
    assert session.finished()
    session.undo()
    assert states() == ["done"] * 7


def test_a_run_that_is_not_done_cannot_be_chosen(session: Session) -> None:
    entry = session.add_candidate(session.decisions.recipe, Key.fresh(), "2026-01-01")
    session.decide(chosen=entry.name)
    seen = [session.chosen]
    for status in ("failed", "done"):
        entry.status = status
        seen.append(session.chosen)
    assert seen == [None, None, entry]
    assert session.candidate("C9") is None
    assert session.add_candidate(session.decisions.recipe, Key.fresh(), "2026-01-01").name == "C2"


def test_rereading_keeps_what_still_fits(session: Session) -> None:
    confirm(session)
    assert session.reading is not None
    assert session.decisions.path is not None
    session.decisions.path.write_text(PEOPLE.replace("City", "Town"), "utf-8")
    reading = read_source(session.decisions.path, InputSection(missing=("-",)))
    take_again(session, describe_reading(session.decisions.path, reading))
    assert session.unconfirmed() == ["Town"]
    assert session.with_role("confidential") == ["Illness"]
    assert "City" not in session.decisions.recipe.columns


def test_the_session_needs_no_qt(repository: Path) -> None:
    code = (
        "import sys; sys.modules['PySide6'] = None; "
        "import ppdm_desktop.ui.state.session, ppdm_desktop.ui.state.project, "
        "ppdm_desktop.ui.look.tokens, ppdm_desktop.ui.state.settings"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=repository)
