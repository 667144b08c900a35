"""Chains: the lists of steps for each family of versions, made from settings of a given strictness.

A family is a kind of values shown, such as true values or group averages. A draft says how strict each setting ("knob")
is, in degrees ("notches") from 0. A version's keys are the columns by which people can be found.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations

import numpy as np

from ppdm_desktop.engine.arrays import GRID, Bools
from ppdm_desktop.engine.methods.base.declaration import Family, Knob, KnobKind, Method, methods_of
from ppdm_desktop.engine.methods.leave_out_rows import MOST_LEFT_OUT, LeaveOutRows, rows_with_rare_gaps
from ppdm_desktop.engine.recipe.models import ATTRIBUTE_ROLES, StepSection
from ppdm_desktop.engine.release.candidate.model import Prepared
from ppdm_desktop.engine.release.disclosure.dependencies import compute_from_others
from ppdm_desktop.engine.release.disclosure.singled_out import may_be_known
from ppdm_desktop.engine.release.planning.drafts import WHOLE_VERSION, Draft
from ppdm_desktop.engine.release.planning.ladders import SHARE_LIMITS, Ladder, Rung, ladder_of
from ppdm_desktop.engine.release.planning.search import (
    PLANS,
    TruePlan,
    TrueProblem,
    build_generalising_steps,
    count_rows_in_the_way,
    search_true_values,
)
from ppdm_desktop.engine.release.planning.version import Steps
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.column_names import interpret_column_name
from ppdm_desktop.engine.table.rules import find_orders, find_rules
from ppdm_desktop.engine.table.rules.base import Survey
from ppdm_desktop.engine.table.rules.pairs import PairRule, SumRule

WEIGHTS = {"keep": 5.0, "may-go": 0.2}
"""Weight of the loss in a column that the owner marked to stay detailed or to go; 1 for all others."""
_WEIGHTS_BY_TRAIT = {"birth": 1.5, "sex": 1.5}
"""Weight of traits that nearly every analysis of people asks for, where the owner marked nothing."""
GROWTH = 1.4
"""Factor by which the smallest class grows with each degree of strictness of the group size."""
LEAST_SAVED = 1.0
"""A confidential column is left out for the others if these then keep more than so many whole columns' detail."""
LEAST_NAMED = 0.5
"""From so much on it is named as the costliest, and left out if the owner marked that it may go."""
LEAST_OWN_DETAIL = 0.2
"""Weight of a column that says hardly more than another column that follows from it."""
_DEMANDS = (KnobKind.GROUP_SIZE, KnobKind.VALUES_IN_GROUP, KnobKind.ALL_COLUMNS, KnobKind.ALL_ROWS)
"""Settings of the demands that classes must meet."""
_PER_COLUMN = (KnobKind.ENDS, KnobKind.ROUNDING, KnobKind.LEAVE_OUT)


@dataclass(frozen=True, eq=False)
class Chain:
    """The steps of a recipe that make one version of a file, with the strictness of the settings they were made from.

    Attributes
    ----------
    family
        The kind of values that the version shows, such as true values or group averages.
    draft
        How strict each setting ("knob") is.
    steps
        The steps: each applies one protection method to some columns.
    method
        The family's own method; None for true values.
    plan
        The result of the search for true values; None if nothing was searched.
    rank
        Index among the results of the search.
    """

    family: Family
    draft: Draft
    steps: Steps
    method: Method | None = None
    plan: TruePlan | None = None
    rank: int = 0


@dataclass(frozen=True, eq=False)
class Chains:
    """Makes the chains of one file; each search is made once and its result stored, also for other marks of columns."""

    prepared: Prepared
    _first_notches: dict[Method, dict[KnobKind, int]] = field(default_factory=dict, init=False)
    _most_notches: dict[tuple[str, KnobKind, str], int] = field(default_factory=dict, init=False)

    # --- columns ----------------------------------------------------------------------------

    @cached_property
    def released(self) -> tuple[Column, ...]:
        """The columns of the table that are released and describe people.

        These are quasi-identifiers, confidential columns and those with role ``other``.
        """
        return tuple(self.prepared.table.with_role(*ATTRIBUTE_ROLES))

    def column(self, name: str) -> Column | None:
        """Return a released column by name; None for any other."""
        return next((column for column in self.released if column.name == name), None)

    def keys(self, draft: Draft) -> tuple[Column, ...]:
        """Return the columns by which people can be found; the stricter the draft, the more there are.

        It is the set of `sets_of_keys` at the draft's degree for these columns; the last one for higher degrees.
        """
        notch = max(draft.notch(KnobKind.ALL_COLUMNS), draft.notch(KnobKind.GROUP_COLUMNS))
        return self.sets_of_keys[min(notch, len(self.sets_of_keys) - 1)]

    @cached_property
    def sets_of_keys(self) -> tuple[tuple[Column, ...], ...]:
        """Sets of columns by which people can be found: quasi-identifiers, then all released not confidential columns.

        In a public release there is only the second set. If recipients sign an agreement, there is a set between the
        two: the quasi-identifiers with dates and with columns whose names say that others may know them. Equal sets are
        listed once.
        """
        everything = tuple(column for column in self.released if column.role in {"quasi-identifier", "other"})
        if self.prepared.type.is_public:
            return (everything,)
        known_by_role = tuple(column for column in everything if column.role == "quasi-identifier")
        sets = [known_by_role]
        if self.prepared.recipe.release.agreement:
            sets.append(tuple(column for column in everything if column in known_by_role or may_be_known(column)))
        return tuple(dict.fromkeys((*sets, everything)))

    @cached_property
    def must_stay(self) -> frozenset[str]:
        """Names of the columns that the owner marked to stay detailed."""
        sections = self.prepared.recipe.columns
        return frozenset(name for name, section in sections.items() if section.detail == "keep")

    @cached_property
    def _pairs(self) -> tuple[frozenset[str], ...]:
        """Pairs of columns of which some values never occur together, such as ward and diagnosis."""
        return tuple(frozenset(rule.columns) for rule in find_rules(self.prepared.table) if isinstance(rule, PairRule))

    def list_revealing(self, names: Collection[str]) -> list[str]:
        """Return the names of released columns that may be left out and exclude some values of a column in ``names``.

        Example: a ward in which only one diagnosis occurs reveals it. Confidential columns, those that must stay
        detailed and ``names`` themselves are not among them. They are in the order of the table.
        """
        paired = frozenset[str]().union(*(pair for pair in self._pairs if not pair.isdisjoint(names)))
        paired -= self.must_stay.union(names)
        return [column.name for column in self.released if column.name in paired and column.role != "confidential"]

    @property
    def confidential(self) -> tuple[Column, ...]:
        """The released confidential columns."""
        return tuple(column for column in self.released if column.role == "confidential")

    def ladder(self, column: Column) -> Ladder:
        """Return the ways to release a column, by rising loss: unchanged, generalised if it can be, left out.

        Nearly unique categories without a generalised form can only be left out.
        """
        return ladder_of(self.prepared.table, column.name)

    def generalised_rungs(self, column: Column) -> tuple[Rung, ...]:
        """Return the ways to generalise a column in which every value shown has at least k_min records, finest first.

        A way to release a column is called a rung. The finest, which leaves it unchanged, and the last, which leaves it
        out, are never among them. Empty for columns that can be rounded instead.
        """
        for method, knob in column_knobs():
            can_round = knob.kind is KnobKind.ROUNDING and method.takes(self.prepared.table, column)
            if can_round and self.most_notches(method, knob, column):
                return ()
        counts = column.category_counts
        fewest = [
            (rung, np.bincount(rung.codes_of_categories[:-1], counts)) for rung in self.ladder(column).rungs[1:-1]
        ]
        return tuple(rung for rung, people in fewest if people.min() >= self.prepared.type.k_min)

    # --- records with rare gaps --------------------------------------------------------------

    @cached_property
    def can_leave_out_rows(self) -> bool:
        """Whether some records have a rare pattern of empty cells, but at most 5 % of all."""
        return 0 < int(np.count_nonzero(self._rare_gaps)) <= MOST_LEFT_OUT * self.prepared.table.rows

    @cached_property
    def _rare_gaps(self) -> Bools:
        """Which records have a rare pattern of empty cells, bool, shape (rows,)."""
        return rows_with_rare_gaps(self.prepared.table, self._gap_step.columns or ())

    @property
    def _gap_step(self) -> StepSection:
        """The step that leaves out records with rare patterns of empty cells in the released columns."""
        names = tuple(column.name for column in self.released)
        return LeaveOutRows().new_step.model_copy(update={"columns": names})

    @cached_property
    def _without_gaps(self) -> Chains:
        """The chains of the table without records with rare patterns of empty cells; groups are then searched in it."""
        return Chains(replace(self.prepared, table=self.prepared.table.take(np.flatnonzero(~self._rare_gaps))))

    # --- chains -----------------------------------------------------------------------------

    def chain(self, family: Family, method: Method | None, draft: Draft, rank: int = 0) -> Chain | None:
        """Return the steps of a family of versions for settings of a given strictness, as a chain.

        None if its method has no column to treat, or if true values cannot meet the demands; never for groups and
        artificial rows, whose demands are not searched. If the draft leaves out rows with rare patterns of empty cells,
        the step that does so comes first, and the others are planned for the table without these rows.

        Parameters
        ----------
        family, method
            The family, and its method; None for true values.
        draft
            How strict each setting is.
        rank
            0 for the best result of the search for true values; 1 and 2 for results in which other columns lose detail.
            If there are fewer results, the last one is taken.
        """
        if draft.notch(KnobKind.GAPS):
            chain = self._without_gaps.chain(family, method, _keep_rare_gaps(draft), rank)
            return None if chain is None else replace(chain, draft=draft, steps=(self._gap_step, *chain.steps))
        if method is None:
            if not self._search_plans(draft):
                return None
            plan = self._find_plan(draft, rank)
            of_columns = self._build_column_steps(draft, without=plan.left_out if plan is not None else ())
            return Chain(family, draft, (*of_columns, *_list_plan_steps(plan)), plan=plan, rank=rank)
        if family is Family.GROUPS:
            return Chain(family, draft, self._grouping_steps(method, draft), method)
        if family is Family.ARTIFICIAL:
            draft = self._raise_to_start(method, draft)
            left_out = self._build_column_steps(draft, (KnobKind.LEAVE_OUT,))
            return Chain(family, draft, (*left_out, self._build_step(method, draft)), method)
        return self._build_treatment_chain(family, method, draft, rank)

    def _raise_to_start(self, method: Method, draft: Draft) -> Draft:
        """Return a draft in which each of a method's settings is at least as strict as the method wants to begin.

        A draft says how strict each setting is, in notches from 0. Where a method wants to begin at 2, a notch of 1
        becomes 2, and 3 stays.
        """
        if method not in self._first_notches:
            table = self.prepared.table
            self._first_notches[method] = {knob.kind: method.first_notch(knob, table) for knob in method.knobs}
        first = self._first_notches[method]
        return draft.with_notches({(kind, WHOLE_VERSION): max(at, draft.notch(kind)) for kind, at in first.items()})

    def most_notches(self, method: Method, knob: Knob, column: Column) -> int:
        """Return by how many notches (degrees of strictness) a method's setting can be made stricter in a column.

        It is computed once for each method, kind of setting and column.
        """
        key = (method.id, knob.kind, column.name)
        if key not in self._most_notches:
            self._most_notches[key] = method.most_notches(knob, self.prepared.table, column)
        return self._most_notches[key]

    def _grouping_steps(self, method: Method, draft: Draft) -> Steps:
        """Return the steps of a version in groups: on single columns, generalising, forming groups, then averaging.

        Groups are formed over the columns by which people can be found, as far as the method takes them. ``draft`` says
        how strict each setting is, which columns are left out, and which are averaged.
        """
        gone = draft.columns(KnobKind.LEAVE_OUT)
        keys = (column for column in self.keys(draft) if column.name not in gone)
        treated = tuple(column.name for column in keys if column.kind in method.kinds)
        averaged = self.averaged(draft)
        before = (*self._build_column_steps(draft, without=averaged), *self._build_generalising_step(draft, treated))
        return (*before, self._build_step(method, draft, treated), *self._build_averaging_step(draft, averaged))

    def _build_treatment_chain(self, family: Family, method: Method, draft: Draft, rank: int) -> Chain | None:
        """Return a chain that makes classes with true values and then treats confidential columns by a method.

        A chain is the steps of one version, made from a draft (how strict each setting is). Values are exchanged only
        in the columns for which the draft asks for it, perhaps in none; other methods treat every confidential column
        they can. None if the method can treat no column, or if no classes were found. ``rank`` is 0 for the best
        classes; 1 and 2 for classes in which other columns lose detail. The chain itself always states rank 0.
        """
        draft = self._hide_computed(draft, ()) if family is Family.NOISE else draft
        treated = fitting = self.fitting(method, draft)
        # At first classes need not hide what the method treats; the first notch asks for it as with true values.
        notch = draft.notch(KnobKind.VALUES_IN_GROUP)
        asked = draft.with_notches({(KnobKind.VALUES_IN_GROUP, WHOLE_VERSION): max(notch - 1, 0)})
        exempt = () if notch else fitting
        if not fitting or not self._search_plans(asked, exempt):
            return None
        plan = self._find_plan(asked, rank, exempt)
        if family is Family.EXCHANGED:
            treated = tuple(name for name in fitting if draft.notch(KnobKind.EXCHANGE, name))
        # Rounded or limited parts would no longer add up to their total, which averages keep.
        before = self._build_column_steps(draft, without=() if family is Family.NOISE else treated)
        treating = (self._build_step(method, draft, treated),) if treated else ()
        return Chain(family, draft, (*before, *_list_plan_steps(plan), *treating), method, plan)

    def turned(self, chain: Chain, draft: Draft) -> Chain | None:
        """Return the chain of the same family, method and rank for another draft; None if there is none."""
        return self.chain(chain.family, chain.method, draft, chain.rank)

    def fitting(self, method: Method | None, draft: Draft) -> tuple[str, ...]:
        """Return the names of the confidential columns that a method can treat and the draft does not leave out.

        A draft says how strict each setting of a version is. Empty without a method.
        """
        return tuple(
            column.name
            for column in self.confidential
            if method is not None
            and method.takes(self.prepared.table, column)
            and not draft.notch(KnobKind.LEAVE_OUT, column.name)
        )

    def averaged(self, draft: Draft) -> tuple[str, ...]:
        """Return the names of the confidential numeric columns to be shown as group averages.

        Empty if the draft (how strict each setting of a version is) does not ask for averages. Columns that the draft
        leaves out, or that cannot be averaged, are not among them.
        """
        if not draft.notch(KnobKind.AVERAGED):
            return ()
        fitting = self.fitting(methods_of(Family.AVERAGES)[0], draft)
        return tuple(column.name for column in self.confidential if column.kind == "numeric" and column.name in fitting)

    def _build_averaging_step(self, draft: Draft, columns: tuple[str, ...]) -> Steps:
        """Return a tuple with the step that shows numbers as averages of groups; empty without columns.

        In a public release, or if the draft (how strict each setting is) asks for groups by all columns, groups consist
        of records that are equal in all other columns; otherwise of any records.
        """
        by_all = int(self.prepared.type.is_public or draft.notch(KnobKind.GROUP_COLUMNS) > 0)
        asked = Draft({(KnobKind.GROUP_COLUMNS, WHOLE_VERSION): by_all})
        return (self._build_step(methods_of(Family.AVERAGES)[0], asked, columns),) if columns else ()

    def _build_step(self, method: Method, draft: Draft, columns: tuple[str, ...] | None = None) -> StepSection:
        """Return a step of a method: its first suggested parameters, with settings as strict as the draft says.

        The degrees of strictness in the draft replace suggested parameters: degree 0 takes a setting's first value, and
        a degree above its strictest takes the last. A setting without a value at that degree keeps the suggested
        parameter. Only degrees for the whole version count, not those for single columns. ``columns`` None lets the
        method choose its columns.
        """
        parameters = dict(next((suggestion.parameters for suggestion in method.suggestions(self.prepared.table)), {}))
        for knob in method.knobs:
            value = knob.notches[min(draft.notch(knob.kind), len(knob.notches) - 1)]
            if value is not None:
                parameters[knob.parameter] = value
        return method.new_step.model_copy(update={"columns": columns, "parameters": parameters})

    def _build_column_steps(
        self, draft: Draft, kinds: Iterable[KnobKind] = _PER_COLUMN, without: tuple[str, ...] = ()
    ) -> Steps:
        """Return the steps that treat single columns, one for each method and degree of strictness in the draft.

        They limit the lowest and highest values, round, or leave columns out; with ``KnobKind.ENDS`` in ``kinds`` there
        is also one that generalises columns other than those by which people can be found, and totals are limited like
        their parts or left out. Numbers with a fixed order between them are rounded equally far. A column that is left
        out gets no other step. Empty if the draft asks for none of it.

        Parameters
        ----------
        draft
            How strict each setting is.
        kinds
            The kinds of settings for which steps are made.
        without
            Names of columns that are not treated.
        """
        steps = []
        draft = self._round_alike(self._hide_computed(draft, without) if KnobKind.ENDS in kinds else draft)
        for method, knob in column_knobs():
            if knob.kind not in kinds:
                continue
            by_notch: defaultdict[int, list[str]] = defaultdict(list)
            for column, notch in draft.columns(knob.kind).items():
                if column not in without and not self._is_left_out(draft, column, knob.kind):
                    by_notch[notch].append(column)
            for notch, columns in sorted(by_notch.items()):
                value = knob.notches[min(notch, len(knob.notches)) - 1]
                parameters = {} if value is None else {knob.parameter: value}
                steps.append(StepSection(method=method.id, columns=tuple(columns), parameters=parameters))
        keys = {column.name for column in self.keys(draft)}
        others = [column.name for column in self.released if column.name not in {*keys, *without}]
        return (*steps, *(self._build_generalising_step(draft, others) if KnobKind.ENDS in kinds else ()))

    def _round_alike(self, draft: Draft) -> Draft:
        """Return a draft that rounds numbers with a fixed order between them equally far.

        Example: where systolic pressure is never below diastolic and only one of them is rounded, at degree 2, both get
        degree 2; of degrees 1 and 3 both get 3. One step then rounds them, which keeps the order. Pairs with a column
        that cannot be rounded are left as they are, and nothing changes if the draft rounds no column.
        """
        notches = dict(draft.columns(KnobKind.ROUNDING))
        rounding = next(method for method, knob in column_knobs() if knob.kind is KnobKind.ROUNDING)
        fitting = {*self.fitting(rounding, draft)}
        orders = [pair for pair in find_orders(self.prepared.table) if fitting.issuperset(pair)] if notches else []
        for pair in (pair for _ in orders for pair in orders if notches.keys() & {*pair}):
            notches |= dict.fromkeys(pair, max(notches.get(name, 0) for name in pair))
        return draft.with_notches({(KnobKind.ROUNDING, name): notch for name, notch in notches.items()})

    def _hide_computed(self, draft: Draft, without: Collection[str]) -> Draft:
        """Return a draft in which no number whose extreme values are limited can be computed from other columns.

        - If a total and its parts are all confidential, all are limited as far as the one that is limited most: the
          total is then computed from the parts as shown. Not so if one of them is rounded or in ``without`` (columns
          that another step treats).
        - Of other columns that determine each other, one is left out, a confidential one only if all are: if possible
          one that is not limited, then the one with most different values. A column that must stay detailed, or is a
          quasi-identifier or key, is never chosen. Nothing is left out if no column remains, or if the chosen one is in
          ``without`` or the last confidential column.
        """
        gone, untouched = {*draft.columns(KnobKind.LEAVE_OUT)}, {*without, *draft.columns(KnobKind.ROUNDING)}
        secrets = {column.name for column in self.confidential}
        for names, is_sum in self._computed_sets.items():
            strictest = max((draft.notch(KnobKind.ENDS, name) for name in names - {*without}), default=0)
            if not strictest or gone & names:
                continue
            if is_sum and names <= secrets - untouched:
                draft = draft.with_notches({(KnobKind.ENDS, name): strictest for name in sorted(names)})
                continue
            revealing = self._choose_revealing(draft, names - secrets or names)
            if revealing not in without and secrets - gone - {revealing}:
                gone.add(revealing)
        return draft.with_notches({(KnobKind.LEAVE_OUT, name): 1 for name in sorted(gone) if name})

    @cached_property
    def _computed_sets(self) -> dict[frozenset[str], bool]:
        """Sets of columns in which one number is computed from the others; True for a sum, False for other formulas.

        Example: {wage, bonus, total} with True if total = wage + bonus in every row.
        """
        table = self.prepared.table
        sets = {frozenset(rule.columns): True for rule in find_rules(table) if isinstance(rule, SumRule)}
        survey, rows, shown = Survey.of(table), table.persons.first_rows, np.ones(table.rows, dtype=np.bool_)
        for column in survey.measured("numeric"):
            givers, _ = compute_from_others(survey, column, rows, lambda _: shown)
            if givers:
                sets.setdefault(frozenset((column.name, *givers)), False)
        return sets

    def _choose_revealing(self, draft: Draft, names: Collection[str]) -> str:
        """Return the one column in ``names`` to leave out: without limited ends if possible, then with most values.

        "" if there is none: columns that must stay detailed, that are not released, quasi-identifiers and the draft's
        other keys (columns by which people can be found) are never chosen.
        """
        barred = self.must_stay.union(column.name for column in self.keys(draft))
        columns = [column for column in self.released if column.name in names and column.name not in barred]
        free = [column for column in columns if column.role != "quasi-identifier"]
        ranks = {column.name: (not draft.notch(KnobKind.ENDS, column.name), len(column.categories)) for column in free}
        return max(ranks, key=lambda name: ranks[name], default="")

    def _build_generalising_step(self, draft: Draft, names: Collection[str]) -> Steps:
        """Return a tuple with one step that generalises columns in ``names`` as far as the draft says; or empty.

        Degree 1 is a column's finest generalised form; a degree beyond the coarsest form takes the coarsest. Left out
        are columns that the draft leaves out, that are not released, or that have no generalised form.
        """
        rungs = dict[str, Rung]()
        for name, notch in draft.columns(KnobKind.FEWER_VALUES).items():
            column = self.column(name)
            if column is None or name not in names or draft.notch(KnobKind.LEAVE_OUT, name):
                continue
            if generalised_rungs := self.generalised_rungs(column):
                rungs[name] = generalised_rungs[min(notch, len(generalised_rungs)) - 1]
        return tuple(build_generalising_steps(rungs))

    def _is_left_out(self, draft: Draft, column: str, kind: KnobKind) -> bool:
        """Return whether the draft leaves a column out, so that its settings of this kind do not matter.

        False for the setting that leaves it out.
        """
        return kind is not KnobKind.LEAVE_OUT and draft.notch(KnobKind.LEAVE_OUT, column) > 0

    # --- the search for true values ---------------------------------------------------------

    @property
    def _plans(self) -> dict[object, tuple[TruePlan, ...]]:
        """The results of all searches in the file, which stay when only marks of columns or answers change."""
        plans: dict[object, tuple[TruePlan, ...]] = self.prepared.of_source.setdefault(Chains, {})
        return plans

    def _search_plans(self, draft: Draft, treated: tuple[str, ...] = ()) -> bool:
        """Search for plans of true values for a draft and store them; return whether there is one, or none is needed.

        A search that was made before is not repeated. None is needed if the draft has no columns by which people can be
        found. Values of the columns in ``treated`` need not be hidden in classes, because the family's own method hides
        them.
        """
        key = self._make_search_key(draft, treated)
        if key not in self._plans and (problem := self._build_search_problem(draft, treated)) is not None:
            # Of plans in which other columns pay, only versions with true values are made.
            self._plans[key] = self._search_detailed_plans(problem, 1 if treated else PLANS)
        return key not in self._plans or bool(self._plans[key])

    def _search_detailed_plans(self, problem: TrueProblem, most: int) -> tuple[TruePlan, ...]:
        """Return the plans that a search for true values finds, if need be with fewer columns kept detailed.

        First all columns in ``problem.detailed`` must stay detailed; if that allows no plan, all but one of them, and
        so on. Of sets of equally many columns the one is taken whose best plan loses least. At most ``most`` plans;
        empty if none is possible even with no column kept detailed.
        """
        for count in range(len(problem.detailed), -1, -1):
            problems = (
                replace(problem, detailed=frozenset(names)) for names in combinations(sorted(problem.detailed), count)
            )
            searched = [plans for plans in (search_true_values(eased, most) for eased in problems) if plans]
            if searched:
                return min(searched, key=lambda plans: plans[0].loss)
        return ()

    def _find_plan(self, draft: Draft, rank: int, treated: tuple[str, ...] = ()) -> TruePlan | None:
        """Return the plan of this rank that an earlier search for the same draft found, or its last one.

        None if it found none.
        """
        plans = self._plans.get(self._make_search_key(draft, treated), ())
        return plans[min(rank, len(plans) - 1)] if plans else None

    def with_all_rows(self, chain: Chain) -> Draft | None:
        """Return a chain's draft with all rows kept, in place of its demands on classes, if that loses less; else None.

        Demands on classes are larger classes, more different values in a class, more columns as keys, and keeping all
        rows. Other settings stay. None also if the chain has no plan of true values, if its draft has no such demand,
        or if no plan is found.
        """
        if chain.plan is None or not any(chain.draft.notch(kind) for kind in _DEMANDS):
            return None
        draft = chain.draft.with_notches({(kind, WHOLE_VERSION): int(kind is KnobKind.ALL_ROWS) for kind in _DEMANDS})
        plan = self._search_best_plan(draft)
        return draft if plan is not None and plan.loss < chain.plan.loss else None

    def without_costliest_secret(self, chain: Chain) -> Draft | None:
        """Return a chain's draft that also leaves out the confidential column that costs the other columns most detail.

        None where `find_costliest_secret` names no column, or if the others would not gain more than the detail of one
        whole column, unless the owner marked that the column may go.
        """
        costliest = self.find_costliest_secret(chain)
        if costliest is None:
            return None
        name, saved, _ = costliest
        draft = chain.draft.with_notches({(KnobKind.LEAVE_OUT, name): 1})
        return draft if saved > LEAST_SAVED or name in self._list_dispensable() else None

    def may_go(self, draft: Draft) -> bool:
        """Return whether a draft leaves out a column that the owner marked as one that may go."""
        return not self._list_dispensable().isdisjoint(draft.columns(KnobKind.LEAVE_OUT))

    def _list_dispensable(self) -> set[str]:
        """Return the names of the columns that the owner marked as those that may go."""
        return {name for name, section in self.prepared.recipe.columns.items() if section.detail == "may-go"}

    def find_costliest_secret(self, chain: Chain) -> tuple[str, float, TruePlan] | None:
        """Return the confidential column that costs the other columns most detail, what they gain without it, and how.

        It is the one whose values show in the classes of most rows, of those that need not stay detailed. The gain is
        counted in whole columns; the third part is the best plan without it. None if the gain is at most half a column,
        if fewer than two confidential columns are released or all must stay detailed, and for a chain without a plan of
        true values.
        """
        chains = self._without_gaps if chain.draft.notch(KnobKind.GAPS) else self
        problem = chains._build_search_problem(chain.draft, ())
        if chain.plan is None or problem is None or len(problem.confidential) < 2:
            return None
        finest = self._search_best_plan(chain.draft, tuple(problem.confidential))
        columns = sum(problem.weights.get(name, 1.0) for name in problem.keys)
        if finest is None or (chain.plan.loss - finest.loss) * columns <= LEAST_NAMED:
            return None
        in_the_way = count_rows_in_the_way(problem, finest)
        costliest = max(in_the_way.keys() - self.must_stay, key=lambda name: (in_the_way[name], name), default="")
        draft = chain.draft.with_notches({(KnobKind.LEAVE_OUT, costliest): 1})
        plan = self._search_best_plan(draft) if costliest else None
        saved = 0.0 if plan is None else (chain.plan.loss - plan.loss) * columns
        return (costliest, saved, plan) if plan is not None and saved > LEAST_NAMED else None

    def _search_best_plan(self, draft: Draft, treated: tuple[str, ...] = ()) -> TruePlan | None:
        """Return the best plan of true values for a draft; None if there is none.

        It is searched in the table without records with rare gaps if the draft leaves these out. ``treated`` is as in
        ``_search_plans``.
        """
        chains = self._without_gaps if draft.notch(KnobKind.GAPS) else self
        return chains._find_plan(draft, 0, treated) if chains._search_plans(draft, treated) else None

    def count_plans(self, draft: Draft) -> int:
        """Return how many plans of true values the search for a draft found; 0 if it found none or was not made.

        If the draft leaves out rows with rare patterns of empty cells, it is the search in the table without these
        rows.
        """
        if draft.notch(KnobKind.GAPS):
            return self._without_gaps.count_plans(_keep_rare_gaps(draft))
        return len(self._plans.get(self._make_search_key(draft), ()))

    def _make_search_key(self, draft: Draft, treated: tuple[str, ...] = ()) -> object:
        """Return a hashable key of everything on which the search for true values depends.

        It consists of the table, the columns by which people can be found with the owner's marks, the draft's demands
        on classes, its least degrees of generalisation, the columns it leaves out, and the columns in ``treated``,
        which another method hides.
        """
        kinds, sections = (*_DEMANDS, KnobKind.FEWER_VALUES), self.prepared.recipe.columns
        left_out = tuple(sorted(draft.columns(KnobKind.LEAVE_OUT)))
        names = [column.name for column in self.keys(draft) if column.name not in left_out]
        marks = tuple((name, sections[name].detail if name in sections else None) for name in names)
        demands = tuple(tuple(sorted(draft.columns(kind).items())) for kind in kinds)
        return self.prepared.table, marks, demands, left_out, treated

    @cached_property
    def _default_weights(self) -> dict[str, float]:
        """Weights of columns in the search by name, as far as the program sets them itself; all others have weight 1.

        Age and sex count 1.5. A column from which another follows (a town decides its country) counts by the share of
        its entropy that the other does not show, at least 0.2: with 5 bits for the town and 2 for the country 0.6,
        because without the town the country still says a part of it. Of several such weights the smallest counts. Marks
        of the owner take precedence elsewhere.
        """
        traits = {column.name: interpret_column_name(column.header, column.label).trait for column in self.released}
        weights = {name: _WEIGHTS_BY_TRAIT[trait] for name, trait in traits.items() if trait in _WEIGHTS_BY_TRAIT}
        for rule in find_rules(self.prepared.table):
            first, second = self.column(rule.columns[0]), self.column(rule.columns[-1])
            if isinstance(rule, PairRule) and rule.decides and first is not None and second is not None:
                own = 1.0 - _entropy_of(second) / max(_entropy_of(first), GRID)
                weights[first.name] = min(weights.get(first.name, 1.0), max(own, LEAST_OWN_DETAIL))
        return weights

    def _build_search_problem(self, draft: Draft, treated: tuple[str, ...]) -> TrueProblem | None:
        """Return the search problem of a draft (settings to try): its keys, demands and weights; None without keys.

        Values of columns that are left out or ``treated`` need not be hidden in classes. No rows may be left out if
        people have several rows or the draft asks for all rows, otherwise at most 5 %.
        """
        gone = draft.columns(KnobKind.LEAVE_OUT)
        keys = [column for column in self.keys(draft) if column.name not in gone]
        if not keys:
            return None
        notch, least = draft.notch(KnobKind.GROUP_SIZE), self.prepared.type.k_min
        problem = TrueProblem.of(self.prepared)
        sections = self.prepared.recipe.columns
        marks = {name: section.detail for name, section in sections.items() if section.detail is not None}
        return replace(
            problem,
            keys=tuple(column.name for column in keys),
            demands=np.maximum(problem.demands, math.ceil(least * GROWTH**notch) if notch else 0),
            confidential={
                name: values for name, values in problem.confidential.items() if name not in {*gone, *treated}
            },
            most_left_out=0.0 if problem.table.several is not None or draft.notch(KnobKind.ALL_ROWS) else MOST_LEFT_OUT,
            share_limit=SHARE_LIMITS[draft.notch(KnobKind.VALUES_IN_GROUP)],
            weights=self._default_weights | {name: WEIGHTS[mark] for name, mark in marks.items()},
            lowest=draft.columns(KnobKind.FEWER_VALUES),
            detailed=self.must_stay.intersection(column.name for column in keys),
        )


def _entropy_of(column: Column) -> float:
    """Return the entropy of a column's values in bits, missing ones left out; 0 without values."""
    shares = column.category_counts / max(int(column.category_counts.sum()), 1)
    return float(-(shares[shares > 0] @ np.log2(shares[shares > 0])))


def find_lone_gap_column(released: Table) -> tuple[str, ...]:
    """Return a one-element tuple: the column whose removal leaves fewest rows with a unique pattern of empty cells.

    A pattern is unique if only one person has it: the only one with an empty age and an empty town. If recipients can
    link a person's rows, the patterns of these count together. Empty tuple if removing any one column leaves as many
    such rows as there are now, or if there are none. Of equal columns the first is returned.
    """
    names = tuple(column.name for column in released.columns if column.missing.any())
    lone = {name: _count_rare_gaps(released, [other for other in names if other != name]) for name in names}
    best = min(lone, key=lambda name: lone[name], default=None)
    return () if best is None or lone[best] >= _count_rare_gaps(released, names) else (best,)


def _count_rare_gaps(table: Table, names: Sequence[str]) -> int:
    """Return the number of rows with a rare pattern of empty cells in these columns."""
    return int(np.count_nonzero(rows_with_rare_gaps(table, tuple(names))))


def column_knobs() -> list[tuple[Method, Knob]]:
    """Return the settings of single columns (limited ends, rounding, leaving out), each with its method."""
    methods = methods_of(Family.TRUE_VALUES)
    return [(method, knob) for method in methods for knob in method.knobs if knob.kind in _PER_COLUMN]


def _keep_rare_gaps(draft: Draft) -> Draft:
    """Return a draft whose setting that leaves out records with rare patterns of empty cells is off."""
    return draft.with_notches({(KnobKind.GAPS, WHOLE_VERSION): 0})


def _list_plan_steps(plan: TruePlan | None) -> Steps:
    """Return the steps that carry out a plan; empty for None."""
    return () if plan is None else plan.steps()
