"""`suppress`: removes records that too few others resemble."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Bools
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.identifiability.classes import Classes, quasi_identifier_classes
from ppdm_desktop.engine.methods.algorithms.generalisation.recount import (
    GROUPS_LARGE_ENOUGH,
    GroupMethod,
    find_demanded_sizes,
    find_released_set_sizes,
    find_rows_to_remove,
    level_proofs,
    make_protections,
    refuse_partial,
)
from ppdm_desktop.engine.methods.algorithms.swapping.recount import same_values
from ppdm_desktop.engine.methods.base.declaration import FigureLine, labelled_lines, register
from ppdm_desktop.engine.methods.base.parameters import NumberParameter, make_smallest_group_parameter
from ppdm_desktop.engine.methods.base.step import Guarantee, Recount, Settings, StepResult, Suggestion
from ppdm_desktop.engine.randomness import StepStream
from ppdm_desktop.engine.table.column import Table
from ppdm_desktop.engine.wording.catalogue import Sentence, lazy
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Ratio, Share, Value

_DOING = "progress.method.search"


@register
class Suppress(GroupMethod):
    """Remove records that share their quasi-identifiers with too few people.

    As few records as possible are removed: of a group with equal quasi-identifiers, the members that demand the
    smallest group stay (``find_rows_to_remove``).
    """

    id = "suppress"
    title = lazy("Remove rare records")
    paper = lazy(
        "L. Sweeney, Achieving k-Anonymity Privacy Protection Using Generalization and Suppression, IJUFKS 10(5), 2002"
    )
    summary = lazy("Removes records that too few others resemble.")
    promises = (
        GROUPS_LARGE_ENOUGH,
        lazy("Only as many records are removed as needed, and never more than the share allowed."),
        lazy("All other records stay unchanged."),
    )
    limits = (
        lazy("Removed people are missing from every count, and rare kinds of people disappear first."),
        lazy("Anyone who knows that a person was in the source can see that this person was removed."),
        lazy("The people with the same details can still all have the same confidential value."),
        lazy("Used alone on many columns, it takes most of a table away. Use broader values first."),
        lazy(
            "If people have several rows, people are counted. Single rows are removed, or all rows "
            "of a person if they could be linked."
        ),
    )
    recipients_learn = lazy("Records of people who could be recognised were removed.")
    record_by_record = True
    removes_records = True
    treatment = lazy("suppression (of records that stand out)")
    leaves_values = "unchanged"
    kinds = frozenset({"numeric", "ordinal", "nominal", "date", "text"})
    public_parameters = frozenset({"k"})
    figure_labels: ClassVar[Mapping[str, Sentence]] = {"smallest": lazy("People in the smallest group")}
    parameters = (
        make_smallest_group_parameter(),
        NumberParameter(
            name="most",
            label=lazy("Largest share to remove"),
            help=lazy("The largest share of the records that may be removed. If more is needed, the step is refused."),
            effect=lazy("A smaller share keeps the table useful."),
            default=0.5,
            low=0,
            high=1,
        ),
    )

    def check(self, table: Table, settings: Settings) -> tuple[Note, ...]:
        """Return a note if no record is removed; raise an error if more would be removed than allowed.

        The share removed is that of the rows, or of the people who lose a row if this is larger.

        Raises
        ------
        RecipeError
            When a quasi-identifier is left out, or a column with another role is treated.
        InputError
            When more than the allowed share, or every record, would be removed.
        """
        refuse_partial(table, settings, self.title)
        lost = _Lost.of(table, self._find_removed_records(table, settings))
        if lost.rows and lost.rows == table.rows:
            raise InputError("error.suppress.nothing-left", args={"records": lost.rows})
        if lost.share > float(settings.values["most"]):
            shares = {"percent": Ratio(lost.share), "most": Ratio(float(settings.values["most"]))}
            raise InputError("error.suppress.too-many", args={**lost.arguments, **shares})
        return () if lost.rows else (Note("note.suppress.nothing"),)

    def suggestions(self, table: Table) -> tuple[Suggestion, ...]:
        """Return the method without parameters as the only suggestion."""
        return (Suggestion(lazy("Remove rare records")),)

    def effect(self, table: Table, settings: Settings) -> Note:
        """Return a note on how many records would be removed.

        If people have several rows, it also says how many people are affected.
        """
        lost = _Lost.of(table, self._find_removed_records(table, settings))
        id = "note.suppress.effect-people" if table.persons.with_several else "note.suppress.effect"
        return Note(id, lost.arguments)

    def run(self, table: Table, settings: Settings, streams: StepStream) -> StepResult:
        """Return the table without the records to be removed; it makes no random draws.

        If there are none, the table is returned unchanged. All remaining rows count as protected. The step's figures
        are the records removed and those there before, the people in the smallest group left and, if people have
        several rows, how many people lose rows, how many lose all, and how many there were. The errors are those of
        ``check``; its note is left out.
        """
        progress.report(0.0, _DOING)
        self.check(table, settings)
        gone = self._find_removed_records(table, settings)
        progress.report(0.5, _DOING)
        detail: dict[str, Any] = {"records": int(gone.sum()), "rows": table.rows}
        if table.persons.with_several:
            lost = _Lost.of(table, gone)
            detail |= {"people": lost.people, "people_gone": lost.vanished, "people_before": table.persons.count}
        after = table.take(np.flatnonzero(~gone)) if gone.any() else table
        classes = quasi_identifier_classes(after)
        detail["smallest"] = int(find_released_set_sizes(classes, after.persons).min(initial=after.rows))
        progress.report(1.0, _DOING)
        everybody = np.ones(after.rows, dtype=np.bool_)
        return StepResult(after, make_protections(settings.columns, classes.ids, everybody), detail)

    def figure_lines(self, detail: Mapping[str, Any]) -> list[FigureLine]:
        """Return, with labels, how many records were removed and the size of the smallest group that is left.

        If people have several rows, also how many people lost a row, and how many lost all.
        """
        lines = [FigureLine(lazy("Records removed"), Share(detail["records"], detail["rows"]))]
        if "people" in detail:
            people = lazy(
                "{n} of {all}, of whom {gone} are gone completely",
                n=int(detail["people"]),
                all=int(detail["people_before"]),
                gone=int(detail["people_gone"]),
            )
            lines.append(FigureLine(lazy("People these rows belong to"), people))
        return [*lines, *labelled_lines(detail, self.figure_labels)]

    def recount(self, before: Table, after: Table, settings: Settings, detail: Mapping[str, Any]) -> Recount:
        """Return whether the remaining groups are as large as their members demand, and no remaining value is changed.

        Only values in the step's columns are compared, and no record may be new. ``worst`` is the number of people in
        the smallest remaining group. If a record is new or comes twice, nothing else is compared, and ``worst`` is the
        number of rows in that group. Removed records count as protected.
        """
        demands = find_demanded_sizes(before, settings, "k")
        kept = np.isin(before.row_numbers, after.row_numbers)
        order = np.argsort(after.row_numbers, kind="stable")
        there = np.flatnonzero(kept)
        there = there[np.argsort(before.row_numbers[there], kind="stable")]
        off = abs(after.rows - len(there))
        classes = quasi_identifier_classes(after)
        sizes, worst = np.zeros(before.rows, dtype=np.int64), classes.smallest
        if off == 0:
            sizes[there] = find_released_set_sizes(
                Classes(classes.ids[order], classes.count), before.persons.take(there)
            )
            worst = int(sizes[there].min(initial=len(there)))
            off += int(np.count_nonzero(sizes[there] < demands[there]))
            for name in settings.columns:
                old, new = before.column(name).take(there), after.column(name).take(order)
                off += int(np.count_nonzero(~same_values(old, new)))
        proofs = level_proofs(before, settings.columns, demands, sizes, removed=~kept, firm=True)
        return Recount(Guarantee("file", off == 0, before.rows, float(worst)), proofs)

    def _find_removed_records(self, table: Table, settings: Settings) -> Bools:
        """Return which records have to be removed, bool, shape (records,): those in groups smaller than they demand.

        Records are also removed whose group would be too small without these. If the rows of a person can be linked,
        groups are people with equal sets of rows, and all rows of a person are removed.
        """
        return find_rows_to_remove(
            quasi_identifier_classes(table), find_demanded_sizes(table, settings, "k"), table.persons
        )


@dataclass(frozen=True)
class _Lost:
    """How many rows are removed, how many people lose a row, and how many lose all their rows.

    ``share`` is the share of removed rows or of people who lose a row, whichever is larger.
    """

    rows: int
    people: int
    vanished: int
    share: float

    @classmethod
    def of(cls, table: Table, gone: Bools) -> _Lost:
        """Return the numbers of removed rows, of people who lose a row and of people who lose all, and the share lost.

        The share is that of the rows, or of the people who lose a row if this is larger: if 2 of 20 rows belong to 2 of
        10 people, it is 0.2. ``gone`` marks the removed rows, bool, shape (rows,).
        """
        with_gaps, whole = table.persons.with_any(gone), ~table.persons.with_any(~gone)
        share = max(float(gone.mean()), float(with_gaps.mean())) if table.rows else 0.0
        return cls(int(gone.sum()), int(with_gaps.sum()), int(whole.sum()), share)

    @property
    def arguments(self) -> dict[str, Value]:
        """The figures that messages insert, by name.

        They are the removed rows (``records``), the ``share`` lost, the ``people`` who lose a row, and those who lose
        all their rows (``vanished``).
        """
        return {
            "records": self.rows,
            "share": Ratio(self.share),
            "people": self.people,
            "vanished": self.vanished,
        }
