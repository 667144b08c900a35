"""Pima and what is released of it: masked, by Mondrian, by a random choice, and by data-reconstruction."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.identifiability.classes import classes_of_codes
from ppdm_desktop.engine.methods.algorithms.data_reconstruction.masks import numeric_cuts
from ppdm_desktop.engine.methods.algorithms.data_reconstruction.plan import Plan, plan_of
from ppdm_desktop.engine.methods.base.declaration import find_method
from ppdm_desktop.engine.methods.base.step import StepResult
from ppdm_desktop.engine.methods.data_reconstruction import Reconstruction
from ppdm_desktop.engine.randomness import Key, StepStream
from ppdm_desktop.engine.table.column import Column, NumberStyle, Table
from ppdm_desktop.engine.table.levels import DEFAULT_LEVELS, RecordLevels

CLASS = "class"
RECONSTRUCTION, MONDRIAN = "data-reconstruction", "mondrian"


@dataclass(frozen=True)
class Source:
    """A public data set, what others may know of its people, and what is to be told of them.

    Attributes
    ----------
    name, file
        What it is called, and its file.
    quasi
        Two sets of quasi-identifiers.
    label
        The column that is told. ``above`` makes two classes of a number.
    without
        Columns that are left out.
    """

    name: str
    file: str
    quasi: tuple[tuple[str, ...], tuple[str, ...]]
    label: str = CLASS
    above: float | None = None
    without: tuple[str, ...] = ()


SOURCES = (
    Source("Pima", "pima.csv", (("pregnancies", "age"), ("pregnancies", "bmi", "age"))),
    Source(
        "Haberman",
        "haberman.csv",
        (("age", "operation_year"), ("age", "operation_year", "positive_axillary_nodes")),
        "survival_status",
    ),
    # More than five drinks a day: the class of Liu et al.; the file's selector is the donors' split.
    Source("BUPA", "bupa.csv", (("mcv", "alkphos"), ("mcv", "alkphos", "gammagt")), "drinks", 5.0, ("selector",)),
)


def read(folder: Path, source: Source, quasi: Sequence[str]) -> Table:
    """Read a data set; ``quasi`` are known to others, the class is confidential."""
    with (folder / source.file).open(encoding="utf-8", newline="") as file:
        head, *rows = list(csv.reader(file))
    columns = []
    for place, name in enumerate(head):
        texts = [row[place] for row in rows]
        if name == source.label:
            if source.above is not None:
                texts = ["1" if float(text) > source.above else "0" for text in texts]
            columns.append(Column.from_texts(CLASS, texts, role="confidential"))
        elif name not in source.without:
            role = "quasi-identifier" if name in quasi else "other"
            style = NumberStyle.seen_in(texts)
            columns.append(Column.from_texts(name, texts, role=role, kind="numeric", style=style))
    return Table(tuple(columns), np.arange(1, len(rows) + 1))


def asking(table: Table, k: int) -> Table:
    """Return the table with one level for everybody that asks for groups of ``k``."""
    weakest = DEFAULT_LEVELS[0]
    level = replace(weakest, demand=replace(weakest.demand, group=k))
    return table.with_levels(RecordLevels.same_for_all(table.rows, level))


def streams(seed: int) -> StepStream:
    """Return a key's streams."""
    return StepStream(Key.from_seed(seed), "00" * 32, "11" * 32, 1)


@dataclass(frozen=True, eq=False)
class Released:
    """A training table as released, and where its people are.

    Attributes
    ----------
    table
        Released rows.
    test
        The held-out records in the same words.
    group
        int64, shape (training people,): each person's own combination, and
    shown
        int64, shape (released rows,): that of each released row, in the same numbers.
    audit
        The method's own audit, None for others.
    """

    table: Table
    test: Table
    group: Ints
    shown: Ints
    audit: dict[str, int] | None = None


def original(train: Table, test: Table) -> Released:
    """Everybody as they are, each alone."""
    everybody = np.arange(train.rows)
    return Released(train, test, everybody, everybody)


def mondrian(train: Table, test: Table, k: int, quasi: Sequence[str], l: int = 1) -> Released:  # noqa: E741
    """Classes of at least k people and l different answers that show the means of their members."""
    method = find_method(MONDRIAN)
    settings = method.settings(train, list(quasi), {"k": k, "l": l, "show": "centre"})
    method.check(train, settings)
    result = method.run(train, settings, streams(1))
    ranges = method.settings(train, list(quasi), {"k": k, "l": l})
    shown = _classes_of(method.run(train, ranges, streams(1)))
    return Released(result.table, test, shown, shown)


def _classes_of(result: StepResult) -> Ints:
    quasi = result.table.with_role("quasi-identifier")
    return classes_of_codes([column.category_codes for column in quasi], result.table.rows).ids


def masked(train: Table, test: Table, k: int) -> Released:
    """Everybody, with quasi-identifiers in ranges."""
    plan = _plan(train, k)
    everybody = np.arange(train.rows)
    return _copied(train, test, plan, everybody)


def random_choice(train: Table, test: Table, k: int, seed: int) -> Released:
    """One record in k drawn blindly, each k times."""
    rng = np.random.default_rng(seed)
    chosen = rng.permutation(train.rows)[: train.rows // k]
    copies = np.r_[np.repeat(chosen, k), rng.choice(chosen, train.rows - k * len(chosen))]
    return _copied(train, test, _plan(train, k), copies)


def reconstructed(train: Table, test: Table, k: int, seed: int, classifier: str) -> Released:
    """Return the method's own release."""
    method = find_method(RECONSTRUCTION)
    settings = method.settings(train, None, {"k": k, "classifier": classifier})
    method.check(train, settings)
    result = method.run(train, settings, streams(seed))
    assert method.recount_run(train, result.table, settings, result).guarantee.holds
    assert isinstance(result.in_memory, Reconstruction)
    made = _copied(train, test, result.in_memory.plan, result.in_memory.source)
    return replace(made, table=result.table, audit=dict(result.detail["cells"]))


def _plan(train: Table, k: int) -> Plan:
    return plan_of(train, find_method(RECONSTRUCTION).settings(train, None, {"k": k}))


def _copied(train: Table, test: Table, plan: Plan, copies: Ints) -> Released:
    """Return copies of records with ranges for numbers (no names are among Pima's quasi-identifiers)."""
    codes = [mask.codes for mask in plan.masks]
    group = classes_of_codes(codes, train.rows).ids
    shown = [mask.written(mask.codes).take(copies) for mask in plan.masks]
    told = []
    for mask in plan.masks:
        name = mask.column.name
        bins = numeric_cuts(train.column(name), train, CLASS, method="mdl", count=4)
        place = np.zeros(test.rows, dtype=np.int64) if bins is None else bins.find_bins(test.column(name).numbers)
        into = np.empty(sum(map(len, mask.groups)), dtype=np.int64)
        for rank, members in enumerate(mask.groups):
            into[list(members)] = rank
        told.append(mask.written(into[place]))
    return Released(train.take(copies).replacing(*shown), test.replacing(*told), group, group[copies])
