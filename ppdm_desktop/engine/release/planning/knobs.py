"""The settings ("knobs") of a chain of steps: how strict each is, and how strict it can be.

Strictness is counted in degrees ("notches") from 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ppdm_desktop.engine.methods.base.declaration import Family, KnobKind
from ppdm_desktop.engine.release.planning.chains import Chain, Chains, column_knobs, find_lone_gap_column
from ppdm_desktop.engine.release.planning.drafts import ONE_COLUMN, WHOLE_VERSION, Draft
from ppdm_desktop.engine.release.planning.ladders import SHARE_LIMITS
from ppdm_desktop.engine.table.column import Column, Table

MOST_NOTCHES = {KnobKind.GROUP_SIZE: 5, KnobKind.VALUES_IN_GROUP: len(SHARE_LIMITS) - 1}
"""How many degrees stricter the demands of the search for true values can become."""

FEW = 12
"""Numbers with at most this many different values are codes, which are not treated together with other numbers."""


@dataclass(frozen=True, eq=False)
class ChainKnobs:
    """The settings of a chain of steps.

    Attributes
    ----------
    chain, chains
        The chain, and the maker of the file's chains.
    stuck
        Settings, by kind and column, that are made no stricter: a method refused, or it made a passed check fail.
    released
        The table that the chain releases; None if it is not known.
    """

    chain: Chain
    chains: Chains
    stuck: frozenset[tuple[KnobKind, str]] = frozenset()
    released: Table | None = None

    def notch(self, kind: KnobKind, column: str) -> int:
        """Return how strict a setting of the chain is in a column: 0 is off, higher is stricter.

        It is the degree that the draft asks for. For generalised values it is the degree that the search chose, if that
        is higher. A setting of the whole version has the column name "".
        """
        asked = self.chain.draft.notch(kind, column)
        if kind is KnobKind.FEWER_VALUES and self.chain.plan is not None:
            return max(asked, self.chain.plan.rungs.get(column, 0))
        return asked

    def get_strictest_degree(self, kind: KnobKind, column: str) -> int:
        """Return the strictest degree of a setting in a column of this chain, or in the whole version (column "").

        0 if the setting cannot be changed there, or is in ``stuck``: making it stricter failed before.
        """
        if (kind, column) in self.stuck:
            return 0
        return (
            self._find_strictest_notch(kind)
            if column == WHOLE_VERSION
            else self._find_strictest_in_column(kind, column)
        )

    def list_columns_to_change(self, kind: KnobKind, columns: Sequence[str]) -> Sequence[str]:
        """Return the columns in which a setting is made stricter for a check that names these columns.

        They are the same columns, except in four cases:

        - For rounding in a public release all confidential numbers with more than 12 different values are added: of
          two dependent numbers, the exact one would reveal the rounded one.
        - For limiting ends in groups all these numbers are added if one of them is named, because an attack on one
          column would find as much in the next.
        - For generalising and leaving out, columns that must stay detailed give way to others, if `_choose_cheaper`
          names some.
        - If a column is to be left out and none is named, it is the one whose empty cells identify people. Empty if
          there is none, or if the released table is not known.
        """
        if kind is KnobKind.LEAVE_OUT and not columns:
            return () if self.released is None else find_lone_gap_column(self.released)
        if kind in ONE_COLUMN:
            return self._choose_cheaper(kind, columns) or columns
        numbers = [
            column.name
            for column in self.chains.confidential
            if column.kind == "numeric" and len(column.categories) > FEW
        ]
        is_public_rounding = kind is KnobKind.ROUNDING and self.chains.prepared.type.is_public
        limits_groups = kind is KnobKind.ENDS and self.chain.family is Family.GROUPS
        if not (is_public_rounding or (limits_groups and set(columns) & set(numbers))):
            return columns
        return tuple(dict.fromkeys((*columns, *numbers)))

    def _choose_cheaper(self, kind: KnobKind, columns: Sequence[str]) -> list[str]:
        """Return the columns to generalise or leave out in place of those that must stay detailed; empty without any.

        They are the columns in ``columns`` that need not stay detailed. If there are none and a column is to be left
        out, they are columns outside ``columns`` that reveal one of these and can be left out.
        """
        others = [name for name in columns if name not in self.chains.must_stay]
        if others or kind is not KnobKind.LEAVE_OUT:
            return others
        return [name for name in self.chains.list_revealing(columns) if self.get_strictest_degree(kind, name)]

    def make_coarsest_draft(self) -> Draft:
        """Return the chain's draft with every confidential column as coarse as the chain allows.

        Each is rounded, limited at its ends and generalised to the strictest degree of that setting; degree 0 where it
        has none. Other columns and settings stay.
        """
        kinds, names = (KnobKind.ENDS, KnobKind.ROUNDING, KnobKind.FEWER_VALUES), self.chains.confidential
        return self.chain.draft.with_notches(
            {(kind, column.name): self.get_strictest_degree(kind, column.name) for kind in kinds for column in names}
        )

    def values(self, column: str) -> int:
        """Return the number of different values by which a column distinguishes people; 0 if it is not released.

        It is the number of different values in the source, missing not counted; but 1 if the draft shows the column as
        averages of all people who are equal in the other columns.
        """
        released_column, draft = self.chains.column(column), self.chain.draft
        if draft.notch(KnobKind.GROUP_COLUMNS) and column in self.chains.averaged(draft):
            return 1
        return 0 if released_column is None else len(released_column.categories)

    def _find_strictest_notch(self, kind: KnobKind) -> int:
        """Return the strictest degree of a setting that belongs to the whole version; 0 if it has no such setting.

        - Leaving out rows with rare patterns of empty cells has one degree, where that is possible.
        - A setting of the chain's method has as many as the method declares.
        - Otherwise, if the chain has searched for classes with true values, their size has five, and the number of
          different values in them has one, or two if a method treats the classes.
        - More columns as keys have as many as there are further sets of keys; in groups that are averaged at least one.
        """
        if kind is KnobKind.GAPS:
            return int(self.chains.can_leave_out_rows)
        method = self.chain.method
        for knob in () if method is None else method.knobs:
            if knob.kind is kind:
                is_of_keys = kind is KnobKind.GROUP_COLUMNS and not knob.parameter
                # Averages can be those of all who show the same, even if no further columns can become keys.
                is_averaged = self.chain.draft.notch(KnobKind.AVERAGED)
                return max(len(self.chains.sets_of_keys) - 1, is_averaged) if is_of_keys else len(knob.notches) - 1
        if self.chain.plan is None:
            return 0
        if kind is KnobKind.ALL_COLUMNS:
            return len(self.chains.sets_of_keys) - 1
        return MOST_NOTCHES.get(kind, 0) + (kind is KnobKind.VALUES_IN_GROUP and method is not None)

    def _find_strictest_in_column(self, kind: KnobKind, name: str) -> int:
        """Return the strictest degree of a setting in one column; 0 if the setting cannot be changed there.

        - Exchanging values and leaving the column out have one degree.
        - A key (column by which classes are searched) can only be generalised or left out. Generalising has as many
          degrees as the column has generalised forms, and one more, which leaves it out.
        - In other columns only forms count in which every value shown has at least the release type's smallest class
          size (k_min) of records.
        - In synthetic records, and in quasi-identifiers except in the family of groups, only exchanging and leaving out
          are possible.
        - Rounding and limiting ends have as many degrees as the method offers for the column.
        """
        column = self.chains.column(name)
        if column is None or self._is_out_of_reach(kind, name):
            return 0
        if kind is KnobKind.EXCHANGE:
            return int(self._is_exchanged(column))
        if kind is KnobKind.LEAVE_OUT:
            return int(self._can_leave_out(column))
        if self.chain.plan is not None and column in self.chains.keys(self.chain.draft):
            return len(self.chains.ladder(column).rungs) - 1 if kind is KnobKind.FEWER_VALUES else 0
        is_generalised = column.role == "quasi-identifier" and self.chain.family is not Family.GROUPS
        if self.chain.family is Family.ARTIFICIAL or is_generalised:
            return 0
        if kind is KnobKind.FEWER_VALUES:
            return len(self.chains.generalised_rungs(column))
        fitting = (
            self.chains.most_notches(method, knob, column)
            for method, knob in column_knobs()
            if knob.kind is kind and method.takes(self.chains.prepared.table, column) and column.role in method.roles
        )
        return max(fitting, default=0)

    def _is_out_of_reach(self, kind: KnobKind, name: str) -> bool:
        """Return whether a setting has no effect in a column: the draft leaves it out, or its averages are shown.

        Averages matter only for limiting ends and rounding: these treat single values, which an averaged column does
        not show.
        """
        draft, family = self.chain.draft, self.chain.family
        averaged = self.chains.averaged(draft)
        if family is Family.AVERAGES:
            averaged = self.chains.fitting(self.chain.method, draft)
        is_averaged = kind in (KnobKind.ENDS, KnobKind.ROUNDING) and name in averaged
        return is_averaged or draft.notch(KnobKind.LEAVE_OUT, name) > 0

    def _can_leave_out(self, column: Column) -> bool:
        """Return whether a column can be left out.

        False only for the last confidential column that is still released.
        """
        gone = self.chain.draft.columns(KnobKind.LEAVE_OUT)
        secrets_left = sum(secret.name not in gone for secret in self.chains.confidential)
        return column.role != "confidential" or secrets_left > 1

    def _is_exchanged(self, column: Column) -> bool:
        """Return whether values of this column can be exchanged in this chain.

        True for a confidential column of a kind that the chain's method takes, if the chain is of the family that
        exchanges values; False otherwise.
        """
        method = self.chain.method
        fits = self.chain.family is Family.EXCHANGED and column.role == "confidential"
        return fits and method is not None and column.kind in method.kinds
