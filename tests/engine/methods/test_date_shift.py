"""One shift of dates for each person: closed counts, random tables, planted failures, what is refused."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from swap_support import streams
from thoroughness import examples

from ppdm_desktop.engine.errors import PpdmError
from ppdm_desktop.engine.methods.base.declaration import find_method
from ppdm_desktop.engine.methods.base.step import Settings, StepResult
from ppdm_desktop.engine.methods.date_shift import DateShifts
from ppdm_desktop.engine.randomness import Key, RecipientSecret
from ppdm_desktop.engine.recipe.load import parse_recipe
from ppdm_desktop.engine.release.candidate.pipeline import prepare, run_candidate
from ppdm_desktop.engine.table.column import Column, NumberStyle, Table
from ppdm_desktop.engine.table.levels import DEFAULT_LEVELS, RecordLevels
from ppdm_desktop.engine.table.people import People
from ppdm_desktop.engine.table.person_ids import identify_people, with_ids_marked
from ppdm_desktop.engine.wording.texts import render

METHOD = find_method("date-shift")
START = date(2010, 1, 1)


def day(number: int, pattern: str = "%Y-%m-%d") -> str:
    return (START + timedelta(days=number)).strftime(pattern)


def dates(name: str, texts: list[str], pattern: str = "%Y-%m-%d", role: str = "quasi-identifier") -> Column:
    return Column.from_texts(name, texts, role=role, kind="date", date_format=pattern)


def table_of(*columns: Column, ids: list[str] | None = None, levels: list[int] | None = None) -> Table:
    rows = len(columns[0])
    codes = np.array(levels or [0] * rows, dtype=np.int32)
    table = Table(columns, np.arange(1, rows + 1), RecordLevels(DEFAULT_LEVELS, codes, {"default": rows}))
    if ids is None:
        return table
    table = replace(table, columns=(*columns, Column.from_texts("who", ids, role="identifier")))
    return with_ids_marked(table, ["who"]).with_people(identify_people(table, ["who"]))


def run(table: Table, seed: int = 1, secret: RecipientSecret | None = None, **parameters: Any) -> tuple[Settings, Any]:
    settings = METHOD.settings(table, None, parameters)
    METHOD.check(table, settings)
    return settings, METHOD.run(table, settings, replace(streams(seed), recipient=secret))


def holds(table: Table, settings: Settings, result: StepResult, after: Table | None = None) -> bool:
    return METHOD.recount(table, after or result.table, settings, result.detail).guarantee.holds


def shown(result: StepResult, column: str = "day") -> list[str]:
    return result.table.column(column).values()


GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "date_shift.json").read_text())


@pytest.mark.parametrize("case", GOLDEN["cases"], ids=lambda case: case["what"])
def test_possible_shifts_are_those_that_leave_all_dates_inside_the_bounds(case: dict[str, Any]) -> None:
    """Goldens of the specification: shifts that a reader cannot exclude, counted from released dates."""
    table = table_of(dates("day", [day(number) for number in case["dates"]]), ids=["a"] * len(case["dates"]))
    first, last = ((START + timedelta(days=number)).toordinal() for number in case["bounds"])
    shifts = DateShifts.of(table, ("day",), ((first, last),), GOLDEN["most"], case["every"])
    assert shifts.count_possible(shifts.possible(table)).tolist() == [case["possible"]]
    left = shifts._count_shifts_left(shifts._count_days_to_bounds(table), np.zeros(1, dtype=np.int64))
    assert left.tolist() == [case["possible"]]


@examples(300)
@given(
    seed=st.integers(0, 10**6),
    rows=st.integers(1, 60),
    pattern=st.sampled_from(["%Y-%m-%d", "%d.%m.%Y", "%m/%d/%y", "%d.%m.%Y %H:%M"]),
    several=st.booleans(),
    gaps=st.booleans(),
    weekday=st.booleans(),
)
def test_all_dates_of_a_person_move_alike(
    seed: int, rows: int, pattern: str, *, several: bool, gaps: bool, weekday: bool
) -> None:
    """Counted again in plain Python from the texts."""
    rng = np.random.default_rng(seed)
    whose = rng.integers(max(rows // 3, 1), size=rows).tolist() if several else list(range(rows))
    cells = [
        ["" if gaps and rng.random() < 0.2 else day(int(number), pattern) for number in rng.integers(4_000, size=rows)]
        for _ in range(2)
    ]
    columns = [dates(name, texts, pattern) for name, texts in zip(("day", "end"), cells, strict=True)]
    levels = rng.integers(4, size=rows).tolist()
    table = table_of(*columns, ids=[f"p{person}" for person in whose] if several else None, levels=levels)
    settings, result = run(table, seed, keep="weekday" if weekday else "nothing")
    assert holds(table, settings, result)
    form = columns[0].date_format
    assert form is not None
    moved: dict[int, set[int]] = {}
    for name, texts in zip(("day", "end"), cells, strict=True):
        for person, before, after in zip(whose, texts, shown(result, name), strict=True):
            assert (before == "") == (after == "")
            if before:
                moment, later = (date_of(text, pattern) for text in (before, after))
                moved.setdefault(person, set()).add((later - moment).days)
                assert before[10:] == after[10:], "the time of the day stays"
    largest = {person: max(DEFAULT_LEVELS[levels[row]].demand.noise for row in range(rows) if whose[row] == person)
               for person in moved}  # fmt: skip
    for person, shifts in moved.items():
        assert len(shifts) == 1
        assert abs(min(shifts)) <= round(183 * largest[person])
        assert not weekday or min(shifts) % 7 == 0


def date_of(text: str, pattern: str) -> date:
    from datetime import datetime

    return datetime.strptime(text, pattern).date()


def test_draws_are_uniform_and_depend_on_ids_and_not_on_the_order_of_rows() -> None:
    rows = 20_000
    table = table_of(
        dates("day", [day(2_000)] * rows + [day(0), day(4_000)]), ids=[f"p{n:06}" for n in range(rows + 2)]
    )
    _, result = run(table, most=10)
    counts = np.unique(shown(result)[:rows], return_counts=True)[1]
    assert len(counts) == 21
    assert (np.abs(counts - rows / 21) < 4 * (rows / 21) ** 0.5).all()
    turned = np.random.default_rng(1).permutation(table.rows)
    _, again = run(table.take(turned), most=10)
    assert shown(again) == np.array(shown(result))[turned].tolist()


def test_who_can_be_served_is_drawn_again_and_who_cannot_is_named() -> None:
    """Of 43 shifts within 40 possible days, at least ten have to be left."""
    table = table_of(dates("day", [day(number % 40) for number in range(400)]), levels=[1] * 400)
    _, result = run(table, most=14)
    proof = {entry.level: entry for entry in METHOD.recount(table, result.table, *_of(table, result, most=14)).levels}
    assert proof["cautious"].not_covered == 0
    assert not result.notes
    both_ends = table_of(dates("day", [day(0), day(3_000), day(1_000)]), ids=["a", "a", "b"])
    settings, result = run(both_ends)
    levels = METHOD.recount(both_ends, result.table, settings, result.detail).levels
    assert [(level.records, level.covered) for level in levels if level.records] == [(2, 1)]
    assert [(note.id, note.arguments["people"]) for note in result.notes] == [("note.date-shift.short", 1)]


def _of(table: Table, result: StepResult, **parameters: Any) -> tuple[Settings, Any]:
    return METHOD.settings(table, None, parameters), result.detail


def test_a_recipients_files_fit_together() -> None:
    secrets = [RecipientSecret.fresh() for _ in range(2)]
    first = table_of(dates("day", [day(1_000)] * 40), ids=[f"p{row}" for row in range(40)])
    second = table_of(dates("day", [day(1_000)] * 20 + [day(3_000)]), ids=[f"p{row}" for row in reversed(range(21))])
    parameters = {"recipient": "study", "earliest": "2000-01-01", "latest": "2025-01-01"}
    _, one = run(first, 1, secrets[0], **parameters)
    settings, other = run(second, 2, secrets[0], **parameters)
    assert shown(other)[:20] == shown(one)[20:0:-1]
    assert holds(second, settings, other)
    assert shown(run(first, 1, secrets[1], **parameters)[1]) != shown(one)
    assert one.reached == {"recipient_sha256": secrets[0].fingerprint}
    without_id = table_of(dates("day", [day(1_000)] * 9), ids=["a", *[""] * 8])
    assert len(set(shown(run(without_id, 1, secrets[0], **parameters)[1]))) > 2


AGES = Column.from_texts("age", ["30", "40", "50"], role="other", kind="numeric", style=NumberStyle.seen_in(["30"]))
BIRTHS = dates("day", ["1990-05-01", "1980-05-01", "1970-05-01"])


@pytest.mark.parametrize(
    ("columns", "parameters", "id"),
    [
        ([dates("day", ["2021", "2020"], "%Y")], {}, "error.date-shift.partial"),
        ([dates("day", ["05/2021", "06/2021"], "%m/%Y")], {}, "error.date-shift.partial"),
        ([dates("day", [day(0)]), dates("end", [day(9)])], {"columns": ["day"]}, "error.date-shift.true-dates"),
        ([dates("day", [day(0)]), dates("end", ["2021"], "%Y")], {"columns": ["day"]}, "error.date-shift.true-dates"),
        ([dates("day", [day(0)]), Column.from_texts("end", [day(9)], role="other")], {}, "error.date-shift.true-dates"),
        ([dates("day", [day(0)]), dates("end", ["2021"], "%Y")], {"columns": ["day"], "most": 182}, None),
        ([dates("day", [day(0)]), dates("end", [""])], {"columns": ["day"]}, None),
        ([dates("day", ["9999-12-31"])], {}, "error.date-shift.beyond"),
        ([dates("day", ["01.01.70"], "%d.%m.%y")], {}, "error.date-shift.beyond"),
        ([dates("day", [day(5)])], {"earliest": day(6)}, "error.date-shift.outside"),
        ([dates("day", [day(5)])], {"earliest": "2020-02-30"}, "error.date-shift.no-day"),
        ([dates("day", [day(5)])], {"most": 3, "keep": "weekday"}, "error.date-shift.no-shift"),
        ([dates("day", [day(5)])], {"recipient": "study"}, "error.date-shift.no-person"),
        ([dates("day", ["2020-01-01 10:00"], "%Y-%m-%d %H:%M")], {}, "note.date-shift.time"),
        ([BIRTHS, AGES], {}, "note.date-shift.year"),
        ([dates("day", ["", ""])], {}, None),
    ],
)
def test_what_is_refused_or_noted(columns: list[Column], parameters: dict[str, Any], id: str | None) -> None:
    table, treated = table_of(*columns), parameters.pop("columns", None)
    if id is not None and id.startswith("error"):
        with pytest.raises(PpdmError) as refused:
            METHOD.check(table, METHOD.settings(table, treated, parameters))
        assert refused.value.id == id
        assert render(id, refused.value.arguments).sentence
    else:
        notes = METHOD.check(table, METHOD.settings(table, treated, parameters))
        assert [note.id for note in notes] == ([] if id is None else [id])


def test_rows_of_unknown_people_are_refused_until_confirmed(tmp_path: Path) -> None:
    path = tmp_path / "source.csv"
    path.write_text("day,pay\n" + "".join(f"{day(37 * row)},{row % 3}\n" for row in range(60)))
    document: dict[str, Any] = {
        "recipe": 1,
        "columns": {"day": {"role": "quasi-identifier", "kind": "date"}, "pay": {"role": "confidential"}},
        "steps": [{"method": "date-shift"}],
        "release": {"type": "research"},
    }
    with pytest.raises(PpdmError) as refused:
        prepare(path, parse_recipe(document))
    assert refused.value.id == "error.step.people-unknown"
    confirmed = prepare(path, parse_recipe({**document, "input": {"one_row_per_person": True}}))
    assert run_candidate(confirmed, Key.from_seed(1)).steps[0].recount.guarantee.holds


def test_it_is_suggested_where_people_have_several_dates() -> None:
    days = [day(number) for number in (1, 2, 3)]
    assert METHOD.suggestions(table_of(dates("day", days), ids=["a", "a", "b"]))
    for table in (table_of(dates("day", days)), table_of(AGES, ids=["a", "a", "b"])):
        assert not METHOD.suggestions(table)
    assert isinstance(table_of(dates("day", days), ids=["a", "a", "b"]).people, People)
