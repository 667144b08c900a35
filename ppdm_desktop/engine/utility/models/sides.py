"""Original or released records cut into folds, with hashes of their content as cache keys."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, fields, is_dataclass
from functools import cached_property

import numpy as np

from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.result_cache import content_of
from ppdm_desktop.engine.utility.models.features import Records


@dataclass(frozen=True, eq=False)
class Side:
    """Records to learn from and to test, fold by fold.

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
        """Return the records outside a fold and their labels."""
        rows = np.flatnonzero(self.fold_of != fold)
        return self.records.take(rows), self.labels[rows]

    def held_out(self, fold: int) -> tuple[Records, Ints]:
        """Return the records of a fold and their labels."""
        rows = np.flatnonzero(self.fold_of == fold)
        return self.records.take(rows), self.labels[rows]

    @cached_property
    def seen(self) -> bytes:
        """A hash of the records and their folds; equal hashes have equal results."""
        return content_of_records(self.records, self.fold_of)

    @cached_property
    def whole(self) -> bytes:
        """A hash of the records, their folds and their labels."""
        return content_of_records(self.records, self.fold_of, self.labels)


def content_of_records(records: Records, *more: Ints | Floats) -> bytes:
    """Return a hash of records in order, and of further arrays that belong to them."""
    sizes = np.array(records.sizes, dtype=np.int64)
    return content_of(records.numbers, records.codes, sizes, records.ranked, *more)


def settings_of(learner: object) -> Hashable | None:
    """Return a cache key of a learner's type and settings; None where a setting is not a plain value."""
    if not is_dataclass(learner):
        return None
    values = tuple(getattr(learner, field.name) for field in fields(learner))
    if not all(value is None or isinstance(value, int | float | str) for value in values):
        return None
    return type(learner).__module__, type(learner).__qualname__, values
