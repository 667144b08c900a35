"""A range of values as the window keeps it: what is typed, rows that stream, stopping, going on, what makes it old."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from cases import case_rows
from optional import existing
from protect_support import small_csv
from PySide6.QtCore import QObject
from ui_support import wait_until

from ppdm_desktop.engine.errors import InputError, RecipeError
from ppdm_desktop.engine.methods.base.declaration import all_methods
from ppdm_desktop.engine.methods.base.parameters import NumberParameter, Parameter
from ppdm_desktop.engine.recipe.models import ColumnSection, InputSection, Recipe, StepSection
from ppdm_desktop.engine.release.sweep.run import Sweep, SweepRow
from ppdm_desktop.engine.table.reading import read_source
from ppdm_desktop.engine.wording.catalogue import speak_language
from ppdm_desktop.ui.state.range_trials import RangeTrials, is_out_of_date, step_is_there, use_value
from ppdm_desktop.ui.state.session import Session
from ppdm_desktop.ui.state.tried_range import (
    DONE,
    FAILED,
    RUNNING,
    STOPPED,
    describe_problem,
    list_triable_settings,
    parse_grid,
    proposed_values,
    values_text,
)
from ppdm_desktop.ui.work.tasks import TaskRunner

STEPS = (StepSection(method="microaggregation", columns=("age",)), StepSection(method="random-swap"))


def opened(session: Session, folder: Path, steps: tuple[StepSection, ...] = STEPS) -> None:
    """Open the small table with its roles and a chain, ready to be protected."""
    source = small_csv(folder)
    reading = read_source(source, InputSection(one_row_per_person=True))
    roles = {"age": ("quasi-identifier", "numeric"), "city": ("quasi-identifier", None)}
    columns = {name: ColumnSection(role=role, kind=kind) for name, (role, kind) in roles.items()}  # type: ignore[arg-type]
    columns |= {"illness": ColumnSection(role="confidential"), "weight": ColumnSection(role="other", kind="numeric")}
    recipe = Recipe(recipe=1, input=reading.options, columns=columns, steps=steps)
    recipe = recipe.model_copy(update={"release": recipe.release.model_copy(update={"type": "internal"})})
    session.opened(source, reading, recipe, frozenset(columns))


@pytest.fixture
def session(tmp_path: Path) -> Session:
    made = Session()
    opened(made, tmp_path)
    return made


@pytest.fixture
def trials(qapp: Any, session: Session) -> Iterator[RangeTrials]:
    parent = QObject()
    runner = TaskRunner(parent, file_number=lambda: session.file_number)
    yield RangeTrials(session, runner, parent)
    assert runner.stop_all()


def setting(method: str, name: str) -> Parameter:
    return next(each for each in list_triable_settings(all_methods()[method]) if each.name == name)


GROUP, SHARE = setting("microaggregation", "group"), setting("random-swap", "proportion")


# --- what is typed --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("place", "language", "text", "values"),
    case_rows("tried-range-numbers-and-shares-as-a-person-types-them"),
)
def test_numbers_and_shares_as_a_person_types_them(
    session: Session, place: int, language: str, text: str, values: tuple[float, ...]
) -> None:
    parameter = (GROUP, SHARE)[place]
    with speak_language(language):
        grid = parse_grid(session.decisions.recipe, place, parameter, text)
    assert (grid.step, grid.parameter, grid.values) == (place + 1, parameter.name, values)


@pytest.mark.parametrize(
    ("parameter", "place", "text", "words"),
    [
        (GROUP, 0, "", "Write at least one value."),
        (GROUP, 0, " ; ", "Write at least one value."),
        (GROUP, 0, "three", "three"),
        (GROUP, 0, "3; 2.5", "2.5"),
        (GROUP, 0, "3; 1,000", "1,000"),
        (SHARE, 1, "50%; 130%", "1.3"),
        (setting("microaggregation", "centre"), 0, "middle", "middle"),
        (GROUP, 0, "2..1000", "At most 200"),
    ],
)
def test_what_does_not_fit_is_said_in_words(
    session: Session, parameter: Parameter, place: int, text: str, words: str
) -> None:
    with pytest.raises(RecipeError) as caught:
        parse_grid(session.decisions.recipe, place, parameter, text)
    said = describe_problem(parameter, caught.value)
    assert words in said
    assert "--" not in said
    assert "command" not in said


@pytest.mark.parametrize("method", sorted(all_methods()))
def test_every_setting_has_values_to_begin_with_that_can_be_read_again(session: Session, method: str) -> None:
    steps = (StepSection(method=method),)
    recipe = session.decisions.recipe.model_copy(update={"steps": steps})
    for parameter in list_triable_settings(all_methods()[method]):
        for present in (parameter.default, 0, 1, 7.5):
            if parameter.problem(present) is not None:
                continue
            proposed = proposed_values(parameter, present)
            assert len(proposed) >= (1 if isinstance(parameter, NumberParameter) else 2), parameter.name
            assert all(parameter.problem(each) is None for each in proposed), parameter.name
            for language in ("en", "de"):
                with speak_language(language):
                    text = values_text(parameter, proposed)
                    assert parse_grid(recipe, 0, parameter, text).values == pytest.approx(proposed), (text, language)


def test_the_present_value_is_among_those_that_are_proposed() -> None:
    assert proposed_values(GROUP, 6) == (3, 4, 6, 9, 12)
    assert 0.2 in proposed_values(SHARE, 0.2)


# --- rows, stopping, going on ---------------------------------------------------------------


def test_rows_stream_and_a_stop_loses_none(trials: RangeTrials, session: Session) -> None:
    grid = parse_grid(session.decisions.recipe, 1, SHARE, "20%; 60%")
    trials.start(grid, 3, attacked=False)
    tried = existing(trials.tried)
    assert (tried.status, tried.sweep.trials) == (RUNNING, 6)
    seen: list[int] = []
    trials.changed.connect(lambda: seen.append(len(tried.rows)))
    wait_until(lambda: len(tried.rows) >= 2)
    trials.stop()
    wait_until(lambda: tried.status != RUNNING)
    assert tried.status == STOPPED
    assert any(0 < each < 6 for each in seen), "no row reached the window before the end"
    kept = list(tried.rows)
    assert 2 <= len(kept) < 6
    assert tried.done == len(kept)
    assert trials.can_go_on
    trials.go_on()
    wait_until(lambda: tried.status != RUNNING)
    assert (tried.status, len(tried.rows), tried.done) == (DONE, 6, 6)
    assert tried.rows[: len(kept)] == kept
    assert sorted((row.value, row.repeat) for row in tried.rows) == [(v, n) for v in (0.2, 0.6) for n in (1, 2, 3)]
    # Each key draws for itself.
    assert len({row.figures["columns"] for row in tried.rows}) > 2
    assert not trials.can_go_on


def test_what_fits_no_value_is_said_and_rows_before_stay(
    trials: RangeTrials, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lost(sweep: Sweep, known: Sequence[SweepRow] = ()) -> Iterator[SweepRow]:
        yield SweepRow(0.2, 1, "released", drawn=True)
        raise InputError("error.swap.one-value", column="age")

    monkeypatch.setattr(Sweep, "rows", lost)
    trials.start(parse_grid(session.decisions.recipe, 1, SHARE, "20%; 60%"), 1, attacked=False)
    tried = existing(trials.tried)
    wait_until(lambda: tried.status != RUNNING)
    assert (tried.status, len(tried.rows)) == (FAILED, 1)
    assert tried.error
    assert trials.can_go_on


# --- what it depends on ---------------------------------------------------------------------


@pytest.fixture
def ended(trials: RangeTrials, session: Session) -> RangeTrials:
    trials.start(parse_grid(session.decisions.recipe, 1, SHARE, "50%"), 1, attacked=False)
    wait_until(lambda: not trials.is_running)
    return trials


def test_its_own_value_does_not_make_it_old_and_anything_else_does(ended: RangeTrials, session: Session) -> None:
    tried = existing(ended.tried)
    use_value(session, tried, 0.5)
    assert session.decisions.recipe.steps[1].parameters == {"proportion": 0.5}
    assert not is_out_of_date(session, tried)
    session.undo()
    assert session.decisions.recipe.steps == STEPS
    changes: dict[str, Callable[[], None]] = {
        "a column": lambda: session.set_column(["city"], role="other"),
        "another step": lambda: session.decide_recipe(steps=STEPS[::-1]),
        "another setting": lambda: session.decide_recipe(
            steps=(STEPS[0], STEPS[1].model_copy(update={"columns": ("city",)}))
        ),
    }
    for label, change in changes.items():
        change()
        assert is_out_of_date(session, tried), label
        assert step_is_there(session, tried) == (label != "another step"), label
        session.undo()
        assert not is_out_of_date(session, tried), label
