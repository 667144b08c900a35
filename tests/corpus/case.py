"""One release and what the gate has to say of it: how a case is written down, made, judged and exported."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from support import not_analysed, write_columns

from ppdm_desktop.engine.errors import GateBlocked
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.load import parse_recipe
from ppdm_desktop.engine.recipe.release_type import RELEASE_TYPES
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.candidate.pipeline import prepare, run_candidate
from ppdm_desktop.engine.release.gate.base import all_checks
from ppdm_desktop.engine.release.top_up.previous_release import read_released
from ppdm_desktop.engine.release.writing.export import Exported, export
from ppdm_desktop.engine.table.column import Column
from tests.corpus.tables import Columns

ROLES = {
    "q": "quasi-identifier",
    "c": "confidential",
    "o": "other",
    "i": "identifier",
    "l": "privacy-level",
    "x": "left-out",
}
EVERY_TEXT = "all"
"""Stands in a case for what a recipe keeps where somebody has read every rare text of a column."""
Planting = Callable[[Candidate], Mapping[str, list[str]] | Candidate]
"""Returns whole columns, in the order of the source, that stand in the file in place of what the last step made; or
what a step that the program has not would have made of the candidate."""


@dataclass(frozen=True)
class Case:
    """One release and what is expected of it.

    Attributes
    ----------
    name
        The number it has in the list of releases to be judged, or a letter where it is one more, and what it is.
    table
        Makes the table; takes the folder of public data sets where ``data`` is set.
    columns
        Each column as the first letter of its role (``x`` left out), or a whole section of the recipe; "*" stands
        for every column that is not named.
    steps, type
        As in the recipe.
    blocked_by
        Checks that are red, all of them; nothing for an honest release, of which no check may be.
    ambers
        Of an honest release: the checks that want a reason, exactly these.
    more
        Further sections of the recipe, and ``files`` beside it, by name.
    planted
        What a faulty or wicked step would have written.
    seed
        Gives the key away, as ``--seed`` does; a key of the system's kind otherwise.
    data, slow
        Whether it needs the public data sets, and whether it takes more than about ten seconds.
    lesson
        What it teaches, where the name does not say it: which rule stops it, and what to do in its place.
    written
        Of a leak: that nothing stops it yet, as is known.
    kind
        What cases like it have in common; where nothing is given, a check that stops it, or its last method.
    may
        Of an honest release: further checks that may want a reason.
    earlier
        Cases whose releases were written before, and which the list of releases on this machine knows.
    compared
        Whether the owner names the last of them, so that both are compared.
    """

    name: str
    table: Callable[..., Columns]
    columns: Mapping[str, Any]
    steps: tuple[Mapping[str, Any], ...]
    type: str
    blocked_by: frozenset[str] = frozenset()
    ambers: frozenset[str] = frozenset()
    more: Mapping[str, Any] = field(default_factory=dict)
    planted: Planting | None = None
    seed: int | None = None
    data: bool = False
    slow: bool = False
    lesson: str = ""
    written: bool = False
    kind: str = ""
    may: frozenset[str] = frozenset()
    earlier: tuple[Case, ...] = ()
    compared: bool = False

    @property
    def leaks(self) -> bool:
        """Whether it has to be stopped."""
        return bool(self.blocked_by)

    def expects(self, ambers: Iterable[str]) -> bool:
        """Say whether an honest release may ask for reasons for just these checks."""
        return self.ambers <= set(ambers) <= self.ambers | self.may

    @property
    def key(self) -> Key:
        """The key it is made with, its own and always the same."""
        if self.seed is not None:
            return Key.from_seed(self.seed)
        return Key(hashlib.sha256(self.name.encode()).digest(), "system")


def names_of_every_run(corpus: Iterable[Case]) -> frozenset[str]:
    """Return the names of the cases that always run, the first quick one of each kind; the others are thorough."""
    quick = [case for case in corpus if not (case.slow or case.data)]
    first_of_kind = {case.kind or _kind_by_recipe(case): case.name for case in reversed(quick)}
    return frozenset(first_of_kind.values())


def _kind_by_recipe(case: Case) -> str:
    last_method = str(case.steps[-1]["method"]) if case.steps else "no step"
    return min(case.blocked_by, default=last_method)


def numeric(role: str = "c", **more: Any) -> dict[str, Any]:
    """Return the section of a column of numbers."""
    return {"role": role, "kind": "numeric", **more}


def step(method: str, columns: tuple[str, ...] | None = None, **parameters: Any) -> dict[str, Any]:
    """Return a step of a recipe."""
    found: dict[str, Any] = {"method": method, "parameters": parameters}
    return found if columns is None else {**found, "columns": list(columns)}


def files_of(case: Case, folder: Path, data: Path | None = None) -> tuple[Path, dict[str, Any]]:
    """Write a case's table into a folder and return it with the recipe as plain data."""
    columns = case.table(data) if case.data else case.table()
    path = folder / "people.csv"
    write_columns(path, columns)
    more = dict(case.more)
    for name, text in more.pop("files", {}).items():
        (folder / name).write_text(text, encoding="utf-8")
    sections = {
        name: {"role": given} if isinstance(given, str) else dict(given) for name, given in case.columns.items()
    }
    if unnamed := sections.pop("*", None):
        sections |= {name: dict(unnamed) for name in columns if name not in sections}
    for name, section in sections.items():
        if section.get("texts_read") == EVERY_TEXT:
            section["texts_read"] = _digest(columns[name], RELEASE_TYPES[case.type].k_min)
        section["role"] = ROLES.get(section["role"], section["role"])
        if section["role"] not in ("privacy-level", "left-out"):
            section.setdefault("kind", "nominal")
    return path, {
        "recipe": 1,
        "input": {"one_row_per_person": True},
        "columns": sections,
        "steps": [dict(each) for each in case.steps],
        **more,
        "release": {"type": case.type, **more.get("release", {})},
    }


def ledger_of(case: Case, folder: Path, data: Path | None = None) -> Path | None:
    """Write the releases that came before a case, and return the list of releases; None where none came before.

    One that the gate stops is not written, so the list does not know it.
    """
    if not case.earlier:
        return None
    ledger = folder / "ledger.json"
    for number, earlier in enumerate(case.earlier):
        source = folder / f"earlier-{number}"
        source.mkdir()
        with suppress(GateBlocked):
            exported(candidate_of(earlier, source, data), source / "out", ledger)
    return ledger


def earlier_of(case: Case, folder: Path) -> tuple[Column, ...] | None:
    """Return the last release that `ledger_of` wrote, where the owner names it."""
    return read_released(folder / f"earlier-{len(case.earlier) - 1}" / "out") if case.compared else None


def _digest(texts: Iterable[Any], k_min: int) -> str:
    """Return what a recipe keeps of a column's rare texts of two or more words once somebody has read them."""
    rare = sorted(text for text, count in Counter(texts).items() if count < k_min and " " in text)
    return hashlib.sha256(json.dumps(rare, ensure_ascii=False, separators=(",", ":")).encode()).hexdigest()


def candidate_of(case: Case, folder: Path, data: Path | None = None) -> Candidate:
    """Write a case's table into a folder and make its release."""
    path, document = files_of(case, folder, data)
    prepared = prepare(path, parse_recipe(document), need_type=True)
    made = run_candidate(prepared, case.key)
    found = {} if case.planted is None else case.planted(made)
    return found if isinstance(found, Candidate) else with_cells(made, found)


def with_cells(candidate: Candidate, columns: Mapping[str, list[str]]) -> Candidate:
    """Return a candidate whose last step left other values in some columns, given in the order of ``final``."""
    if not columns:
        return candidate
    last = candidate.steps[-1]
    everything = np.arange(candidate.final.rows)
    after = candidate.final.replacing(
        *(candidate.final.column(name).with_values(everything, values) for name, values in columns.items())
    )
    recount = last.method.recount_run(last.before, after, last.settings, last.result)
    record = replace(last, result=replace(last.result, table=after), recount=recount)
    released = candidate.released.replacing(*(after.column(name).take(candidate.row_order) for name in columns))
    return replace(candidate, steps=(*candidate.steps[:-1], record), final=after, released=released)


def reasons() -> dict[str, str]:
    """Return a reason for every cause there is, so that nothing but red stops a release."""
    rules = {check.cause.id: (type(check).__doc__ or "").split(".")[0] for check in all_checks().values()}
    return {id: f"The hospital's board weighed what follows and can live with it: {rule}" for id, rule in rules.items()}


def exported(
    candidate: Candidate, out: Path, ledger: Path | None = None, earlier: tuple[Column, ...] | None = None
) -> Exported:
    """Export a release for good, every check that may be answered for answered for.

    Raises
    ------
    GateBlocked
        When a check is red.
    """
    created = datetime(2026, 1, 1, tzinfo=UTC)
    how: dict[str, Any] = {"created": created, "analyses": not_analysed(), "ledger": ledger, "earlier": earlier}
    return export(candidate, out, accepts=reasons(), **how)
