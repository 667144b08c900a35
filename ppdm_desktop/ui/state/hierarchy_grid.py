"""The grid in which the user builds a generalisation hierarchy: values, groups and people (no widget here)."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.files.saving import save_whole
from ppdm_desktop.engine.methods.algorithms.generalisation.column_levels import proposed_levels
from ppdm_desktop.engine.recipe.models import ColumnSection
from ppdm_desktop.engine.recipe.release_type import RELEASE_TYPES
from ppdm_desktop.engine.table.hierarchies import HierarchyDraft, Level, read_hierarchy
from ppdm_desktop.engine.table.kinds import present_texts
from ppdm_desktop.engine.table.person_ids import identify_people
from ppdm_desktop.ui.state.column_decisions import apply_sections
from ppdm_desktop.ui.state.session import Session

MOST_VALUES = 20_000
"""Most different values that the grid shows."""
_DOING = "doing.hierarchy"
_UNFIT = re.compile(r"[^\w.-]+")


@dataclass(frozen=True, eq=False)
class ValuePeople:
    """Pairs of a value and a person who has it, to count people in groups of values.

    Attributes
    ----------
    values
        int64, shape (pairs,): index of a value, once for each person who has it.
    people
        int64, shape (pairs,): index of that person.
    """

    values: Ints
    people: Ints

    def in_groups(self, texts: Sequence[str]) -> dict[str, int]:
        """Return the number of different people in each group of values, by the group's text.

        ``texts`` has the group of each value, by index of the value. A person with several values of a group counts
        once in it.
        """
        code_of = {text: code for code, text in enumerate(dict.fromkeys(texts))}
        groups = np.array([code_of[text] for text in texts], dtype=np.int64)[self.values]
        pairs = np.unique(groups * (int(self.people.max(initial=0)) + 1) + self.people)
        counts = np.bincount(pairs // (int(self.people.max(initial=0)) + 1), minlength=len(code_of))
        return dict(zip(code_of, counts.tolist(), strict=True))


@dataclass(frozen=True, eq=False)
class GridStart:
    """What the grid shows first for a column.

    Attributes
    ----------
    draft
        The hierarchy as it is, or one without groups.
    people
        Pairs of values and the people who have them.
    unlisted
        Values of the column that the hierarchy file did not have; they were put under the text for all.
    proposed
        Proposed levels of generalisation; empty for words.
    k_min
        The smallest group that the type of release allows.
    missing_texts
        Texts that mean an empty cell, and cannot name a group.
    """

    draft: HierarchyDraft
    people: ValuePeople
    unlisted: tuple[str, ...]
    proposed: tuple[Level, ...]
    k_min: int
    missing_texts: frozenset[str]


def open_grid(session: Session, name: str, section: ColumnSection, list_path: Path | None) -> Callable[[], GridStart]:
    """Return the work that reads a column, its people and its hierarchy file, if there is one, for the grid.

    The value that most people have comes first; without a column that identifies people each row counts as one person.
    The work raises a PpdmError if the file is no hierarchy.

    Parameters
    ----------
    session, name, section
        The session with the file, the column's name and its recipe entry.
    list_path
        File of the hierarchy; None to begin without one.
    """
    reading = session.reading
    assert reading is not None
    person = tuple(session.decisions.recipe.input.person or ())
    k_min = RELEASE_TYPES[session.decisions.recipe.release.type or "research"].k_min
    table = reading.table

    def work() -> GridStart:
        """Return the column as the grid first shows it, after reading its values, its people and its hierarchy file."""
        progress.report(0.0, _DOING)
        column = apply_sections(reading, {name: section}).column(name)
        progress.report(0.4, _DOING)
        who = identify_people(table, person).of_row if person else np.arange(table.rows)
        texts = present_texts(column)
        index = {text: code for code, text in enumerate(texts)}
        row_values = np.array([index.get(text, -1) for text in column.texts] or [-1], dtype=np.int64)[column.codes]
        there = row_values >= 0
        pairs = np.unique(row_values[there] * (len(who) + 1) + who[there])
        values, people = pairs // (len(who) + 1), pairs % (len(who) + 1)
        order = np.argsort(-np.bincount(values, minlength=len(texts)), kind="stable")
        rank = np.argsort(order)
        by_frequency = [texts[code] for code in order.tolist()]
        progress.report(0.7, _DOING)
        proposed = _to_value_levels(column.categories, proposed_levels(column), by_frequency)
        draft, unlisted = HierarchyDraft.of_values(by_frequency), tuple[str, ...]()
        if list_path is not None:
            hierarchy = read_hierarchy(list_path, name)
            draft = HierarchyDraft.of_hierarchy(hierarchy, by_frequency)
            unlisted = tuple(text for text in by_frequency if text not in hierarchy.generalised)
        progress.report(1.0, _DOING)
        missing = frozenset(column.missing_texts)
        return GridStart(draft, ValuePeople(rank[values], people), unlisted, proposed, k_min, missing)

    return work


def _to_value_levels(categories: Sequence[str], levels: Sequence[Level], values: Sequence[str]) -> tuple[Level, ...]:
    """Return levels of generalisation, given as a text for each category, as levels with a text for each value.

    Empty if a value is not among the categories.
    """
    if not set(values) <= set(categories):
        return ()
    index = {category: code for code, category in enumerate(categories)}
    return tuple(tuple(level[index[value]] for value in values) for level in levels)


def replace_levels_by_proposed(start: GridStart, draft: HierarchyDraft) -> HierarchyDraft:
    """Return a draft hierarchy of the same values with the proposed levels, and above them ``*`` for all values.

    A draft is a hierarchy that is being edited. There must be proposed levels. Values that only the hierarchy file has
    get the draft's text for all at each proposed level.
    """
    count = len(start.proposed[0])
    extra = (draft.levels[-1][0],) * (len(draft.values) - count)
    return HierarchyDraft.of_values(draft.values, [(*level, *extra) for level in start.proposed])


def save_list(draft: HierarchyDraft, column: str, folder: Path) -> Path:
    """Write a hierarchy as CSV into a folder and return the file's path, such as "age.levels-1a2b3c4d.csv".

    The file's name contains a hash of the content, so that no other hierarchy is overwritten.

    Raises
    ------
    OSError
        When it cannot be written.
    """
    data = draft.written()
    digest = hashlib.sha256(data).hexdigest()[:8]
    path = folder / f"{_UNFIT.sub('_', column)[:40]}.levels-{digest}.csv"
    save_whole(path, data, private=False)
    return path
