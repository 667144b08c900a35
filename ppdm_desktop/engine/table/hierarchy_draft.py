"""A hierarchy in the making: values are grouped, level by level, and stay nested."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ppdm_desktop.engine.table.hierarchies import ANYTHING, Hierarchy

Level = tuple[str, ...]


@dataclass(frozen=True)
class HierarchyDraft:
    """A hierarchy while it is edited; each edit returns a new one in which equal texts have equal parents.

    Attributes
    ----------
    values
        The values, in the order in which they are shown.
    levels
        For each level from 1 on, the text of each value; at the last one all are equal.
    """

    values: tuple[str, ...]
    levels: tuple[Level, ...]

    @classmethod
    def of_values(cls, values: Sequence[str], levels: Sequence[Level] = ()) -> HierarchyDraft:
        """Return a draft of these levels and, above them, one text for all."""
        return cls(tuple(values), (*levels, (ANYTHING,) * len(values)))

    @classmethod
    def of_hierarchy(cls, hierarchy: Hierarchy, values: Sequence[str]) -> HierarchyDraft:
        """Return a draft of a hierarchy.

        Parameters
        ----------
        hierarchy
            The hierarchy.
        values
            In the order in which they are shown. Those that the hierarchy lacks have the text of its last level at
            every level; those that are only in the hierarchy follow.
        """
        top = next(iter(hierarchy.generalised.values()))[-1]
        in_file = set(values)
        all_values = (*values, *(value for value in hierarchy.generalised if value not in in_file))
        paths = [hierarchy.generalised.get(value, (top,) * hierarchy.height) for value in all_values]
        return cls(all_values, tuple(zip(*paths, strict=True)))

    @property
    def height(self) -> int:
        """Number of levels above the values."""
        return len(self.levels)

    def at(self, level: int) -> Level:
        """Return the text of each value at a level; level 0 is the values themselves."""
        return self.values if level == 0 else self.levels[level - 1]

    def grouped(self, level: int, rows: Collection[int], name: str) -> HierarchyDraft:
        """Return the draft in which some values have one text at a level, with all that share their finer texts.

        At level 0 and at the last level, a level is added for the group. A group of that name that exists already is
        joined, otherwise all take the broader texts of the first of the rows.
        """
        level = max(level, 1)
        if level >= self.height:
            return self.with_level(self.height - 1).grouped(self.height, rows, name)
        finer, texts = self.at(level - 1), self.at(level)
        chosen = {finer[row] for row in rows}
        members = [row for row in range(len(self.values)) if finer[row] in chosen or texts[row] == name]
        first = next((row for row in members if texts[row] == name), min(rows))
        return self._with_texts(level, dict.fromkeys(members, name), first)

    def ungrouped(self, level: int, rows: Collection[int]) -> HierarchyDraft:
        """Return the draft in which the groups of some values at a level are split into their finer texts."""
        if not 0 < level < self.height:
            return self
        texts, finer = self.at(level), self.at(level - 1)
        split = {texts[row] for row in rows}
        return self._with_texts(level, {row: finer[row] for row, text in enumerate(texts) if text in split})

    def with_level(self, below: int) -> HierarchyDraft:
        """Return the draft with one more level above another, which begins as its copy."""
        below = min(below, self.height - 1)
        return HierarchyDraft(self.values, (*self.levels[:below], self.at(below), *self.levels[below:]))

    def without_level(self, level: int) -> HierarchyDraft:
        """Return the draft without a level; the values and the last level stay."""
        if not 0 < level < self.height:
            return self
        return HierarchyDraft(self.values, (*self.levels[: level - 1], *self.levels[level:]))

    def written(self) -> bytes:
        """Return the hierarchy's file: a line for each value, fields separated by semicolons."""
        text = io.StringIO(newline="")
        csv.writer(text, delimiter=";", lineterminator="\n").writerows(zip(self.values, *self.levels, strict=True))
        return text.getvalue().encode("utf-8")

    def _with_texts(self, level: int, texts: dict[int, str], first: int | None = None) -> HierarchyDraft:
        """Return the draft with new texts of some values at a level, whose broader texts are those of one row."""
        levels = [list(level_texts) for level_texts in self.levels]
        for row, text in texts.items():
            levels[level - 1][row] = text
            if first is not None:
                for broader in levels[level:]:
                    broader[row] = broader[first]
        for finer, broader in pairwise(levels):
            parents: dict[str, str] = {}
            broader[:] = [parents.setdefault(child, parent) for child, parent in zip(finer, broader, strict=True)]
        return HierarchyDraft(self.values, tuple(map(tuple, levels)))
