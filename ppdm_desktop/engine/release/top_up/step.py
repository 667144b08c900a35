"""The single step of a top-up: its guarantee, and how it is counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.methods.algorithms.condensation.change import Renewed
from ppdm_desktop.engine.methods.algorithms.condensation.recount import misplaced
from ppdm_desktop.engine.methods.algorithms.condensation.statistics import FILE_NAME, Layout, Statistics
from ppdm_desktop.engine.methods.base.step import Guarantee, LevelProof, Recount, Settings, StepResult
from ppdm_desktop.engine.methods.condensation import TOP_UP, Condensation
from ppdm_desktop.engine.release.attack_audit.inference import Inference
from ppdm_desktop.engine.release.attack_audit.linkage import Linkage
from ppdm_desktop.engine.release.attack_audit.nearest_record import NearestRecord
from ppdm_desktop.engine.table.column import Table
from ppdm_desktop.engine.table.writing import differing_cells
from ppdm_desktop.engine.wording.catalogue import lazy

EARLIER_LEVEL, ON_NEW_RECORDS = "earlier records", "inference-of-new-records"


@dataclass(frozen=True, eq=False)
class Merged(Renewed):
    """A top-up after it ran, in memory.

    Attributes
    ----------
    statistics
        Statistics of all groups, old and new; released rows are not yet assigned.
    group
        int64, shape (rows of the new release,): the group of each row.
    sizes, pmax
        Shape (groups,): number of records, and the largest group size that one of them asks for.
    old
        Number of records of the earlier release, which come first.
    untouched
        Number of rows repeated from the earlier release, which come first.
    expected
        The repeated rows, followed by rows with the values of each changed group.
    levels
        For each level of the new records: its name, what it asks for, the new records of that
        level that were added, the smallest group among theirs, and the source row of that record.
    files
        Files of the earlier release to store.
    """

    statistics: Statistics
    group: Ints
    sizes: Ints
    pmax: Ints
    old: int
    untouched: int
    expected: Table
    levels: tuple[tuple[str, float, int, float | None, int | None], ...]
    files: Mapping[str, bytes]


class TopUp(Condensation):
    """The method of a top-up: adds new records to a condensed release; not available in recipes."""

    id, title = TOP_UP
    summary = lazy(
        "New records join the groups of an earlier release, of which only statistics are left. "
        "A group is generated again only when enough new records have joined it."
    )
    # Guessing a person's value with and without their group says nothing of the artificial rows that
    # stand for earlier persons; this attack on the new records alone is not built.
    attacks = (NearestRecord.id, Linkage.id, ON_NEW_RECORDS)
    missing_attacks: ClassVar[Mapping[str, str]] = {ON_NEW_RECORDS: "attack.name.inference-of-new-records"}
    unfit_attacks = (Inference.id,)

    def recount(self, before: Table, after: Table, settings: Settings, detail: Mapping[str, Any]) -> Recount:
        """Return a recount without counts, because only the run itself knows the groups of earlier records."""
        return Recount(Guarantee("run", False, before.rows, None), ())

    def recount_run(self, before: Table, after: Table, settings: Settings, result: StepResult) -> Recount:
        """Return the numbers of records in too small groups, changed rows of unchanged groups, and misplaced values."""
        merged = result.kept
        if not isinstance(merged, Merged) or after.rows != len(merged.group):
            return self.recount(before, after, settings, result.detail)
        short = merged.sizes < merged.pmax
        off = int(merged.sizes[short].sum())
        first = np.arange(merged.untouched)
        for name in settings.columns:
            wanted, released_column = merged.expected.column(name), after.column(name)
            off += misplaced(wanted, released_column, merged.group)
            off += differing_cells([wanted.take(first)], [released_column.take(first)])
        least = float(merged.sizes.min(initial=after.rows))
        return Recount(Guarantee("run", off == 0, after.rows, least), _proofs(merged, settings, bool(short.any())))

    def internal_files(
        self, before: Table, settings: Settings, result: StepResult, row_order: Ints | None = None
    ) -> Mapping[str, bytes]:
        """Return the new statistics and the files needed to repeat the top-up."""
        merged = result.kept
        if not isinstance(merged, Merged):
            return {}
        statistics = merged.statistics
        released = merged.group[row_order] if row_order is not None else np.zeros(0, dtype=np.int64)
        layout = Layout(statistics.layout.strata, statistics.layout.stratum, released)
        return {FILE_NAME: replace(statistics, layout=layout).to_json(), **merged.files}


def _proofs(merged: Merged, settings: Settings, any_short: bool) -> tuple[LevelProof, ...]:
    """Return the guarantee for each level of the new records, and one for the earlier records."""
    columns = ", ".join(settings.columns)
    level_proofs = [
        LevelProof(name, columns, records, records, 0, asked, least, row, least is None or least >= asked)
        for name, asked, records, least, row in merged.levels
    ]
    tightest = int(np.argmin(merged.sizes - merged.pmax))
    asked, least = float(merged.pmax[tightest]), float(merged.sizes[tightest])
    level_proofs.append(
        LevelProof(EARLIER_LEVEL, columns, merged.old, merged.old, 0, asked, least, None, not any_short)
    )
    return tuple(level_proofs)
