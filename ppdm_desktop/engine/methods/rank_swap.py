"""`rank-swap`: exchanges values at random among people whose values have neighbouring ranks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Bools, Ints
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.methods.algorithms.digits.scaled import replace_values, to_units_of_column
from ppdm_desktop.engine.methods.algorithms.generalisation.recount import level_proofs
from ppdm_desktop.engine.methods.algorithms.people.within import treated_units
from ppdm_desktop.engine.methods.algorithms.swapping.parameters import ExchangeMethod
from ppdm_desktop.engine.methods.algorithms.swapping.rank_blocks import RankBlocks
from ppdm_desktop.engine.methods.algorithms.swapping.recount import group_demands, released_categories
from ppdm_desktop.engine.methods.algorithms.swapping.steps import KNOWN_BY_OTHERS, with_categories
from ppdm_desktop.engine.methods.base.declaration import Family, register
from ppdm_desktop.engine.methods.base.parameters import LARGER_HIDES_MORE, NumberParameter
from ppdm_desktop.engine.methods.base.step import Guarantee, LevelProof, Protection, Recount, Settings, StepResult
from ppdm_desktop.engine.randomness import Key, StepStream
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.wording.catalogue import Sentence, lazy
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Name, Names, Ratio, Terms

_DOING = "progress.method.write"


@register
class RankSwap(ExchangeMethod):
    """Exchange values at random within blocks of neighbouring ranks.

    Each value of a block is equally likely to be a person's true one. The original method by Moore, which exchanges
    pairs within a share of the ranks, allows no such statement.
    """

    id = "rank-swap"
    order = 2
    title = lazy("Exchange neighbouring values")
    paper = lazy("A. Hundepool et al., Statistical Disclosure Control, Wiley, 2012, section 3.4 (rank swapping)")
    summary = lazy("Exchanges values at random among people whose values are close, so that all totals stay the same.")
    promises = (
        lazy("The column keeps exactly its values: mean, spread and every count stay the same."),
        lazy("Each value is exchanged among at least as many people as the protection level of each of them asks for."),
    )
    limits = (
        lazy("A person whose neighbours all have the same value keeps it and is not protected."),
        lazy("Values stay close to the true ones: it hides the exact value, not whether it is high or low."),
        lazy("Relationships between columns become weaker."),
        KNOWN_BY_OTHERS,
        lazy(
            "If a person has several rows with one value, all their rows get the same one. Otherwise each row is "
            "treated."
        ),
    )
    recipients_learn = lazy("Values were exchanged among people with similar values.")
    family = Family.EXCHANGED
    values_label = lazy("exchanged for a close value")
    treatment = lazy("permutation (within ranks)")
    kinds = frozenset({"numeric", "ordinal"})
    roles = frozenset({"confidential", "quasi-identifier"})
    reads_levels = ("group",)
    counted_by_run = True
    public_parameters = frozenset({"window"})
    figure_labels: ClassVar[Mapping[str, Sentence]] = {
        "blocks": lazy("Groups of neighbours"),
        "smallest": lazy("People in the smallest group"),
        "moved": lazy("Values changed"),
        "among_equals": lazy("People whose neighbours all have the same value"),
        "no_value": lazy("Records without a value"),
    }
    parameters = (
        NumberParameter(
            name="window",
            label=lazy("Share of neighbours"),
            help=lazy("Values are exchanged among at least this share of the people, who have neighbouring values."),
            effect=LARGER_HIDES_MORE,
            default=0.05,
            low=0,
            high=1,
            low_open=True,
        ),
    )

    def check(self, table: Table, settings: Settings) -> tuple[Note, ...]:
        """Return a note that names columns with fewer than two different values, () without such; or raise an error.

        Raises
        ------
        RecipeError
            When a column changes within people whose rows can be linked.
        InputError
            When fewer people have a value in a column than one of them demands.
        """
        self.refuse_unfit_people(table, settings)
        constant = [name for name in settings.columns if not self._has_two_values(table, name)]
        return (Note("note.rank-swap.nothing", {"columns": Names.of(constant)}),) if constant else ()

    @staticmethod
    def _has_two_values(table: Table, name: str) -> bool:
        """Return whether a column has at least two different values.

        InputError if fewer people have a value than one of them demands.
        """
        column = table.column(name)
        present = ~column.missing
        people = int(np.count_nonzero(table.persons.with_any(present)))
        strictest = int(group_demands(table)[present].max(initial=0))
        if people < strictest:
            raise InputError("error.method.too-few", column=name, args={"people": people, "group": strictest})
        values = _to_whole_numbers(column)[present]
        return bool(len(values)) and bool((values != values[0]).any())

    def effect(self, table: Table, settings: Settings) -> Note:
        """Return a note on the correlation of each column's values before and after the exchange, from a trial draw.

        Negative correlations count as 0. Columns with fewer than two different values are left out; if no other is
        left, the note says that nothing changes. The draw is the same each time, and not that of the run. InputError if
        fewer people have a value than one of them demands.
        """
        trial, parts = StepStream(Key.from_seed(0), "00" * 32, "00" * 32, 0), []
        for name in settings.columns:
            if self._has_two_values(table, name):
                truth, exchanged, *_ = self._exchange_values(table, name, settings, trial)
                present = ~table.column(name).missing
                kept = float(np.corrcoef(truth[present], exchanged[present])[0, 1])
                parts.append(lazy("{column}: {kept}", column=Name(name), kept=Ratio(max(kept, 0.0))))
        if not parts:
            return Note("note.rank-swap.nothing", {"columns": Names.of(settings.columns)})
        return Note("note.rank-swap.effect", {"kept": Terms(tuple(parts))})

    def _exchange_values(
        self, table: Table, name: str, settings: Settings, streams: StepStream
    ) -> tuple[Ints, Ints, RankBlocks, Ints]:
        """Return each row's value before and after the exchange, the blocks of neighbours, and the index of each row's.

        Values are whole numbers, shape (rows,): units of the column's last digit, or codes of categories. They have no
        meaning where they are missing, and -1 is the index there. If the column is constant within people, all rows of
        a person get the same new value.
        """
        units, values = treated_units(table, name), _to_whole_numbers(table.column(name))
        rows = units.first_rows[~table.column(name).missing[units.first_rows]]
        people, demands = table.persons.of_row[rows], group_demands(table)[rows]
        blocks = RankBlocks.draw(
            values[rows], people, demands, settings.values["window"], streams.stream(f"rank-swap {name}")
        )
        exchanged = values[units.first_rows]
        exchanged[units.of_row[rows]] = blocks.permuted(values[rows])
        block_of_unit = np.full(units.count, -1, dtype=np.int64)
        block_of_unit[units.of_row[rows]] = blocks.of_unit
        return values, exchanged[units.of_row], blocks, block_of_unit[units.of_row]

    def run(self, table: Table, settings: Settings, streams: StepStream) -> StepResult:
        """Return the table with the values of each column exchanged at random within blocks of neighbouring ranks.

        Everybody with a value takes part and gets the value of somebody in the block, perhaps their own or an equal
        one; a block has at least as many people as its members demand, at least the share ``window`` of them, and at
        least two. If a column is constant within people, all rows of a person get the same value; otherwise each row
        takes part by itself. Rows without a value, and rows whose block has a single value, do not count as protected;
        if other rows do, a note counts the people of the latter. The step's figures are, by column, the number of
        blocks, the people in the smallest, the rows changed, the people in blocks with one value and the rows without a
        value. The blocks are kept in memory for ``recount_run``. The errors and further notes are those of ``check``.
        """
        progress.report(0.0, _DOING)
        notes, columns, detail = list(self.check(table, settings)), [], {}
        protections, kept = [], {}
        for index, name in enumerate(settings.columns):
            progress.report(index / len(settings.columns), _DOING)
            column = table.column(name)
            values, exchanged, blocks, block = self._exchange_values(table, name, settings, streams)
            is_numeric = column.kind == "numeric"
            columns.append(
                replace_values(column, exchanged, uniform=True) if is_numeric else with_categories(column, exchanged)
            )
            kept[name] = block
            protected = _find_mixed_rows(block, values)
            protections.append(Protection(name, "randomised", protected, np.where(protected, 0, -1).astype(np.int64)))
            equals = int(np.count_nonzero(table.persons.with_any(~protected & ~column.missing)))
            if equals and protected.any():
                notes.append(Note("note.rank-swap.equals", {"people": equals, "column": Name(name)}))
            detail[name] = {
                "blocks": len(blocks.people),
                "smallest": int(blocks.people.min(initial=table.rows)),
                "moved": int(np.count_nonzero((values != exchanged) & ~column.missing)),
                "among_equals": equals,
                "no_value": int(np.count_nonzero(column.missing)),
            }
        progress.report(1.0, _DOING)
        return StepResult(
            table.replacing(*columns), tuple(protections), {"columns": detail}, tuple(notes), in_memory=kept
        )

    def recount(self, before: Table, after: Table, settings: Settings, detail: Mapping[str, Any]) -> Recount:
        """Return whether each column still has the same values and missing cells, with proofs by privacy level.

        Rows that were exchanged as one must also show one value. The blocks of neighbours are known only to the run:
        verdict and proofs use the size of the smallest block that it reported in ``detail``, which must be as large as
        each person demands. ``worst`` is the number of departures in all columns: cells, units of rows and rows; 0 if
        there are none.
        """
        blocks = {name: np.where(before.column(name).missing, -1, 0) for name in settings.columns}
        smallest = {name: int(detail["columns"][name]["smallest"]) for name in settings.columns}
        return self._recount_blocks(before, after, blocks, smallest)

    def recount_run(self, before: Table, after: Table, settings: Settings, result: StepResult) -> Recount:
        """Return whether each block of neighbours keeps its values and has as many people as each of them demands.

        A block in which all have the same value may be smaller. ``worst`` is the number of departures.
        """
        assert isinstance(result.in_memory, Mapping)
        return self._recount_blocks(before, after, result.in_memory, {})

    def _recount_blocks(
        self, before: Table, after: Table, blocks: Mapping[str, Ints], stated: Mapping[str, int]
    ) -> Recount:
        """Return whether each block of neighbours still has its values, and the sizes reached at each level.

        A block with different values must also have as many people as each of them demands, missing cells must be the
        same, and rows that were exchanged as one must show one value. The size reached in a block with one value is 0.
        ``worst`` is the number of departures.

        Parameters
        ----------
        blocks
            By column, the index of each row's block; -1 for rows without a value.
        stated
            By column, the largest size with which any of its blocks is credited, even if it has more people; no limit
            for a column that is not named.
        """
        off, proofs, demands = 0, list[LevelProof](), group_demands(before)
        for name, block in blocks.items():
            column, released = before.column(name), after.column(name)
            truth, exchanged = _to_whole_numbers(column), _to_released_numbers(column, released)
            off += int(np.count_nonzero(column.missing != released.missing))
            units = treated_units(before, name)
            off += int(np.count_nonzero(~units.constant(exchanged)))
            rows = units.first_rows[block[units.first_rows] >= 0]
            by_truth, by_shown = (np.lexsort((values[rows], block[rows])) for values in (truth, exchanged))
            off += int(np.count_nonzero(truth[rows][by_truth] != exchanged[rows][by_shown]))
            pairs = np.unique(block * before.persons.count + before.persons.of_row)
            people = np.bincount(pairs[pairs >= 0] // before.persons.count, minlength=int(block.max(initial=0)) + 1)
            sizes = np.where(
                _find_mixed_rows(block, truth), np.minimum(people[block], stated.get(name, before.rows)), 0
            )
            off += int(np.count_nonzero((sizes > 0) & (sizes < demands)))
            proofs += level_proofs(before, [name], demands, sizes, firm=False)
        return Recount(Guarantee("run", off == 0, before.rows * len(blocks), float(off)), tuple(proofs))


def _to_whole_numbers(column: Column) -> Ints:
    """Return each row's value as a whole number that keeps the order of values; meaningless where it is missing."""
    return column.scaled.astype(np.int64) if column.kind == "numeric" else column.category_codes.astype(np.int64)


def _to_released_numbers(column: Column, released: Column) -> Ints:
    """Return each row's released value as a number comparable with those of ``_to_whole_numbers``.

    Numbers are in units of the original column's last digit. Of categories, a value that the column did not have
    becomes -2, and a missing one -1; if a numeric column was released as text, all rows get the lowest int64.
    """
    if column.kind != "numeric":
        return released_categories(column, released)
    return (
        to_units_of_column(released, column)
        if released.kind == "numeric"
        else np.full(len(column), np.iinfo(np.int64).min)
    )


def _find_mixed_rows(block: Ints, values: Ints) -> Bools:
    """Return which rows are in a block with at least two different values, bool, shape (rows,).

    ``block`` and ``values`` are the index of each row's block and its value, shape (rows,); block -1 is never marked.
    """
    count = int(block.max(initial=-1)) + 1
    low, high = np.full(count, np.iinfo(np.int64).max), np.full(count, np.iinfo(np.int64).min)
    present = np.flatnonzero(block >= 0)
    np.minimum.at(low, block[present], values[present])
    np.maximum.at(high, block[present], values[present])
    mixed = np.zeros(len(block), dtype=np.bool_)
    mixed[present] = (low < high)[block[present]]
    return mixed
