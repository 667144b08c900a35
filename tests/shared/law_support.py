"""Releases by every method, and what may be done to one without anybody being safer: for the laws of the verdict."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from gate_cases import HandMade, evidence_of, make_candidate
from support import write_columns

from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.methods.base.declaration import Method
from ppdm_desktop.engine.methods.base.step import Protection, Settings, StepResult
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.load import parse_recipe
from ppdm_desktop.engine.recipe.models import PSEUDONYM
from ppdm_desktop.engine.release.candidate.model import Candidate, StepRecord
from ppdm_desktop.engine.release.candidate.pipeline import prepare, run_candidate
from ppdm_desktop.engine.release.gate.base import find_check, run_gate
from ppdm_desktop.engine.table.column import Column, Table

WORSE = {"not-applicable": 0, "green": 0, "not-run": 0, "amber": 1, "red": 2}
"""How bad each status is."""
_COLUMNS = {
    "age": {"role": "quasi-identifier", "kind": "numeric", "bounds": [0, 100]},
    "city": {"role": "quasi-identifier", "kind": "nominal"},
    "car": {"role": "other", "kind": "nominal"},
    "pay": {"role": "confidential", "kind": "numeric", "bounds": [0, 10_000]},
    "ill": {"role": "confidential", "kind": "nominal"},
}


_PEOPLE = 240
PEOPLE_LEVELS = np.random.default_rng(1).choice(["normal", "cautious"], _PEOPLE, p=[0.75, 0.25])
"""The level that each of the people of ``release_people`` asks for."""


def release_people(folder: Path, *steps: dict[str, Any], are_pairs: bool = False) -> Candidate:
    """Run steps on 240 rows of invented people; where they are pairs, every third person has two rows and a day each.

    The columns are age, city, pay, ill and level, and for pairs also number and day.
    """
    rng = np.random.default_rng(5)
    columns = {
        "age": rng.integers(20, 70, _PEOPLE),
        "city": rng.integers(1_000, 1_004, _PEOPLE),
        "pay": np.round(rng.lognormal(8, 0.5, _PEOPLE), -1).astype(int),
        "ill": rng.choice(["a", "b", "c", "d"], _PEOPLE),
        "level": PEOPLE_LEVELS,
    }
    roles: dict[str, Any] = {
        "age": {"role": "q", "kind": "numeric", "bounds": [0, 100]},
        "city": {"role": "q", "kind": "nominal"},
        "pay": {"role": "c", "kind": "numeric", "bounds": [0, 100_000]},
        "ill": {"role": "c", "kind": "nominal"},
        "level": "p",
    }
    whose: dict[str, Any] = {"one_row_per_person": True}
    if are_pairs:
        person = np.arange(_PEOPLE) % (3 * _PEOPLE // 4)
        columns = {name: values[person] for name, values in columns.items()}
        columns |= {"number": person + 10_000, "day": np.datetime64("2015-01-01") + rng.integers(0, 900, _PEOPLE)}
        roles |= {"number": "i", "day": {"role": "o", "kind": "date"}}
        whose = {"person": ["number"]}
    texts = {name: [str(value) for value in values] for name, values in columns.items()}
    return make_candidate(folder, texts, roles, "internal", steps=list(steps), input=whose)


class Idle(HandMade):
    """A method that changes nothing, and that no attack is called for by."""

    id = "idle"
    attacks = ()


@dataclass(frozen=True)
class Said:
    """What the gate says of one release, attacks left out.

    Attributes
    ----------
    status
        By check.
    figure
        By check; NaN where there is none.
    """

    status: Mapping[str, str]
    figure: Mapping[str, float]

    def better_than(self, other: Said) -> dict[str, tuple[str, str]]:
        """Return the checks that are better here, with their status there and here."""
        return {
            id: (other.status[id], status)
            for id, status in self.status.items()
            if WORSE[status] < WORSE[other.status[id]]
        }


def row_text(candidate: Candidate) -> Said:
    """Judge a candidate by every check of the release itself; attacks, draws and earlier releases left out."""
    checks = [check for check in run_gate(evidence_of(candidate)) if not find_check(check.id).of_history]
    values = {check.id: None if check.figure is None else check.figure.value for check in checks}
    figures = {id: np.nan if value is None else float(value) for id, value in values.items()}
    return Said({check.id: check.status for check in checks}, figures)


def release_by(method: Method, folder: Path, seed: int, type: str = "public", rows: int = 300) -> Candidate:
    """Release invented people by one method, with the columns that it takes by itself."""
    rng = np.random.default_rng(seed)
    age = rng.choice([30, 40, 50, 60, *range(61, 71)], rows, p=[0.2, 0.2, 0.2, 0.2, *[0.02] * 10])
    columns = {
        "age": age,
        "city": rng.integers(1_000, 1_003, rows),
        "car": rng.integers(1_000, 1_004, rows),
        "pay": np.clip(np.round(rng.normal(4_000, 900, rows)), 0, 10_000).astype(int),
        "ill": rng.choice(["a", "b", "c", "d"], rows),
    }
    sections: dict[str, object] = dict(_COLUMNS)
    whose: dict[str, object] = {"one_row_per_person": True}
    if "identifier" in method.roles:
        # Every third person has two rows.
        columns["number"] = rng.permutation(np.arange(rows) % (3 * rows // 4)) + 10_000
        sections["number"], whose = {"role": "identifier"}, {"person": ["number"]}
    if method.kinds == {"date"}:
        columns["day"] = np.datetime64("2015-01-01") + rng.integers(0, 2_000, rows)
        sections["day"] = {"role": "confidential", "kind": "date"}
    folder.mkdir(exist_ok=True)
    path = folder / "people.csv"
    write_columns(path, columns)
    wanted = {parameter.name for parameter in method.parameters}
    told = {"width": 15, "generations": 2, "population": 4, "most": 1, "k": 3, "group": 3}
    step: dict[str, object] = {
        "method": method.id,
        "parameters": {name: value for name, value in told.items() if name in wanted},
    }
    if "width" in wanted or method.id == "leave-out":
        step["columns"] = ["age"]
    if method.id == "leave-out-rows":
        step["columns"] = ["car"]  # groups of all details are small, and too many of them show one value
    document = {
        "recipe": 1,
        "input": whose,
        "columns": sections,
        "steps": [step],
        "release": {"type": type},
    }
    prepared = prepare(path, parse_recipe(document), need_type=True)
    return run_candidate(prepared, Key(rng.bytes(32), "system"))


def with_idle_step(candidate: Candidate, name: str, *, in_front: bool) -> Candidate:
    """Return a candidate with one more step that names a column, says that it protects it, and changes no cell."""
    table = candidate.prepared.table if in_front else candidate.final
    method = Idle()
    treated = np.zeros(table.rows, dtype=np.int64)
    protection = Protection(name, "randomised", treated == 0, treated)
    settings, result = Settings((name,), {"proportion": 0.5}), StepResult(table, (protection,), {})
    idle = StepRecord(0, method, settings, table, result, (), method.recount(table, table, settings, {}), 0.0)
    steps = (idle, *candidate.steps) if in_front else (*candidate.steps, idle)
    return replace(candidate, steps=tuple(replace(each, index=at + 1) for at, each in enumerate(steps)))


def changed_columns(candidate: Candidate) -> list[str]:
    """Return the released columns of a record-by-record candidate in which some value is not the true one."""
    return [name for name in candidate.released_names if len(_changed(candidate, name))]


def _true(candidate: Candidate, name: str) -> list[str]:
    rows = np.searchsorted(candidate.prepared.table.row_numbers, candidate.final.row_numbers)
    return candidate.prepared.table.column(name).take(rows).values()


def _changed(candidate: Candidate, name: str) -> Ints:
    pairs = zip(_true(candidate, name), candidate.final.column(name).values(), strict=True)
    return np.flatnonzero([one != other for one, other in pairs])


def put_back(candidate: Candidate, name: str, share: float, rng: np.random.Generator) -> Candidate:
    """Return a candidate in which a share of the changed cells of a column, one at least, hold the truth again."""
    changed = _changed(candidate, name)
    back = rng.permutation(changed)[: max(1, round(share * len(changed)))]
    truth, column = _true(candidate, name), candidate.final.column(name)
    return with_column(candidate, column.with_values(back, [truth[row] for row in back.tolist()]))


def with_column(candidate: Candidate, column: Column) -> Candidate:
    """Return a candidate whose last step left another column."""
    last = candidate.steps[-1]
    after = candidate.final.replacing(column)
    record = replace(last, result=replace(last.result, table=after))
    released = candidate.released.replacing(column.take(candidate.row_order))
    return replace(candidate, steps=(*candidate.steps[:-1], record), final=after, released=released)


def rearranged(candidate: Candidate, rng: np.random.Generator) -> Candidate:
    """Return a candidate of the same release whose source stood in another order, of rows and of columns."""
    numbers = candidate.prepared.table.row_numbers
    other = dict(zip(numbers.tolist(), rng.permutation(numbers).tolist(), strict=True))

    def order_of(table: Table) -> tuple[Ints, Ints]:
        given = np.array([other[number] for number in table.row_numbers.tolist()], dtype=np.int64)
        order = np.argsort(given, kind="stable")
        return order, given[order]

    columns: dict[tuple[int, bytes], Column] = {}

    def moved(table: Table) -> Table:
        order, given = order_of(table)
        # A column that tables share stays one and the same: by that it is known as untouched.
        taken = [columns.setdefault((id(column), order.tobytes()), column.take(order)) for column in table.columns]
        levels = table.levels.take(order) if table.levels is not None else None
        people = table.people.take(order) if table.people is not None else None
        return Table(tuple(taken[::-1]), given, levels, people)

    def step_moved(step: StepRecord) -> StepRecord:
        result, (order, _) = step.result, order_of(step.result.table)
        place = np.argsort(order_of(step.before)[0])
        protections = tuple(
            replace(each, protected=each.protected[order], treatment=each.treatment[order])
            if len(each.protected) == len(order)
            else each
            for each in result.protections
        )
        groups = result.row_groups[order] if result.row_groups is not None else None
        copied = place[result.copied[order]] if result.copied is not None else None
        # What the run keeps for itself is in the old order; a method works it out again where it needs it.
        made = replace(
            result, table=moved(result.table), protections=protections, row_groups=groups, copied=copied, in_memory=None
        )
        return replace(step, before=moved(step.before), result=made)

    order, _ = order_of(candidate.final)
    place = np.argsort(order)
    prepared = candidate.prepared
    prepared = replace(prepared, table=moved(prepared.table), original=moved(prepared.original))
    released = replace(candidate.released, columns=candidate.released.columns[::-1])
    return replace(
        candidate,
        prepared=prepared,
        steps=tuple(step_moved(step) for step in candidate.steps),
        final=moved(candidate.final),
        released=released,
        row_order=place[candidate.row_order],
    )


def renamed(candidate: Candidate, rename: Callable[[str], str]) -> Candidate:
    """Return a candidate of the same release in which every name of a nominal column is another one.

    Codes in place of identifiers are no names: they have a form, by which a file shows that they are codes.
    """

    columns: dict[int, Column] = {}

    def change(column: Column) -> Column:
        if column.kind != "nominal" or column.order is not None or column.role == PSEUDONYM:
            return column
        return columns.setdefault(id(column), replace(column, texts=tuple(rename(text) for text in column.texts)))

    steps = tuple(
        replace(
            step,
            before=step.before.mapped(change),
            result=replace(step.result, table=step.result.table.mapped(change), in_memory=None),
        )
        for step in candidate.steps
    )
    prepared = candidate.prepared
    prepared = replace(prepared, table=prepared.table.mapped(change), original=prepared.original.mapped(change))
    return replace(
        candidate,
        prepared=prepared,
        steps=steps,
        final=candidate.final.mapped(change),
        released=candidate.released.mapped(change),
    )
