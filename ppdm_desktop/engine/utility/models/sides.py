"""One side of what is learned: the original's records or the release's, cut into folds, and known by their content."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, fields, is_dataclass
from functools import cached_property

import numpy as np

from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.utility.kept import content_of
from ppdm_desktop.engine.utility.models.features import Records


@dataclass(frozen=True, eq=False)
class Side:
    """Records that are learned from and asked of, fold by fold.

    Attributes
    ----------
    records
        Those that take part.
    labels
        The label of each.
    fold_of
        The fold in which each is held out.
    """

    records: Records
    labels: Ints
    fold_of: Ints

    def others(self, fold: int) -> tuple[Records, Ints]:
        """Return the records outside a fold, with their labels."""
        rows = np.flatnonzero(self.fold_of != fold)
        return self.records.take(rows), self.labels[rows]

    def held_out(self, fold: int) -> tuple[Records, Ints]:
        """Return the records of a fold, with their labels."""
        rows = np.flatnonzero(self.fold_of == fold)
        return self.records.take(rows), self.labels[rows]

    @cached_property
    def seen(self) -> bytes:
        """A hash of the records and their folds."""
        return content_of_records(self.records, self.fold_of)

    @cached_property
    def whole(self) -> bytes:
        """A hash of the records, their folds and their labels."""
        return content_of_records(self.records, self.fold_of, self.labels)


def content_of_records(records: Records, *more: Ints | Floats) -> bytes:
    """Return a hash of records, in their order, and of what else belongs to them."""
    sizes = np.array(records.sizes, dtype=np.int64)
    return content_of(records.numbers, records.codes, sizes, records.ranked, *more)


def settings_of(learner: object) -> Hashable | None:
    """Return what a learner does follows from, beside what it is shown; None where it holds more than plain values."""
    if not is_dataclass(learner):
        return None
    values = tuple(getattr(learner, field.name) for field in fields(learner))
    if not all(value is None or isinstance(value, int | float | str) for value in values):
        return None
    return type(learner).__module__, type(learner).__qualname__, values
