"""Masks of released quasi-identifiers: their finest values joined into groups, each with a label."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.table.column import Column

Group = tuple[int, ...]

ANYTHING = "any value"
_MANY, _FEW = 8, 3


@dataclass(frozen=True, eq=False)
class Mask:
    """A column's finest values and the groups into which they are joined.

    Attributes
    ----------
    column
        The column as the step found it.
    values
        int64, shape (rows,): each record's finest value, -1 where missing.
    groups
        Which finest values are shown as one, each rising; for an ordered column neighbours only,
        lowest group first.
    ordered
        Whether groups are ranges; only neighbours are joined then.
    swapped
        Whether the column's values change places between records before the release.
    name_of
        Gives the label of a group.
    """

    column: Column
    values: Ints
    groups: tuple[Group, ...]
    ordered: bool
    swapped: bool
    name_of: Callable[[Group], str]

    @property
    def codes(self) -> Ints:
        """Group of each record, -1 where missing; int64, shape (rows,)."""
        rank_of = np.full(sum(map(len, self.groups)) + 1, -1, dtype=np.int64)
        for rank, group in enumerate(self.groups):
            rank_of[list(group)] = rank
        return rank_of[self.values]

    @property
    def labels(self) -> tuple[str, ...]:
        """The text of each group; no two are equal."""
        if len(self.groups) == 1 and len(self.groups[0]) > 1:
            return (ANYTHING,)
        labels: list[str] = []
        for group in self.groups:
            label = self.name_of(group)
            while label in labels or label in self.column.missing_texts:
                label += " (joined)"
            labels.append(label)
        return tuple(labels)

    def joined(self, *members: int) -> Mask:
        """Return the mask with the groups of these indexes joined; in an ordered column they are neighbours."""
        merged = tuple(sorted(value for member in members for value in self.groups[member]))
        rest = [group for index, group in enumerate(self.groups) if index not in members]
        return replace(self, groups=tuple(sorted((*rest, merged))))

    def written(self, codes: Ints) -> Column:
        """Return a column that shows the groups of these codes, and one text for all missing values."""
        labels = self.labels
        gone = self._gap
        texts = labels if gone is None else (*labels, gone)
        masked_codes = np.where(codes < 0, len(labels), codes).astype(np.int32)
        made = replace(self.column, codes=masked_codes, texts=texts)
        if all(len(group) == 1 for group in self.groups) and self.column.kind != "date" and not self._is_cut:
            return made
        kind = "ordinal" if self.ordered else "nominal"
        order = labels if self.ordered else None
        return replace(made, kind=kind, order=order, style=None, date_format=None, labels_ordered=self.ordered)

    @property
    def _is_cut(self) -> bool:
        """Whether the finest values are ranges of numbers rather than values."""
        return self.column.kind == "numeric" and self.labels != self.column.categories

    @property
    def _gap(self) -> str | None:
        """The most frequent text of missing cells; None without missing cells."""
        missing = self.column.missing
        if not missing.any():
            return None
        uses = np.bincount(self.column.codes[missing], minlength=len(self.column.texts))
        return self.column.texts[int(np.argmax(uses))]


def listed(names: Sequence[str]) -> Callable[[Group], str]:
    """Return a function that labels a group by its values, or by what is not in it: ``a or b``, ``other than c``."""

    def name(group: Group) -> str:
        rest = sorted(set(range(len(names))) - set(group))
        if len(group) > _MANY and 0 < len(rest) <= _FEW:
            return "other than " + " or ".join(names[value] for value in rest)
        return " or ".join(names[value] for value in group)

    return name


def spanned(names: Sequence[str]) -> Callable[[Group], str]:
    """Return a function that labels a group by its ends: ``a to c``."""
    return lambda group: names[group[0]] if len(group) == 1 else f"{names[group[0]]} to {names[group[-1]]}"
