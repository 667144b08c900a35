"""`bayes-swap`: Li & Sarkar's two phases of swapping confidential values, solved exactly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar, Final

import numpy as np

from ppdm_desktop.engine.errors import RecipeError
from ppdm_desktop.engine.identifiability.classes import quasi_identifier_classes
from ppdm_desktop.engine.methods.algorithms.swapping.balance import least_departure
from ppdm_desktop.engine.methods.algorithms.swapping.column import Exhaustive, Search, swap_codes
from ppdm_desktop.engine.methods.algorithms.swapping.demands import (
    LARGEST_BALANCED,
    ONE_MEMBER,
    changes_due,
    leaves_open,
    level_demands,
)
from ppdm_desktop.engine.methods.algorithms.swapping.greedy import GREEDY_LIMIT
from ppdm_desktop.engine.methods.algorithms.swapping.parameters import (
    BEST_SHARE,
    COUNTS_KEPT,
    GROUP_SHARE,
    NOT_PROTECTED,
    PROPORTION,
    TOGETHER,
    TargetedSwap,
)
from ppdm_desktop.engine.methods.algorithms.swapping.participants import (
    draw_member_counts,
    group_level,
    unit_input,
    units_of,
)
from ppdm_desktop.engine.methods.algorithms.swapping.recount import levels_of
from ppdm_desktop.engine.methods.algorithms.swapping.report import calibration_notes, details_of
from ppdm_desktop.engine.methods.algorithms.swapping.steps import (
    Swap,
    check_swap,
    swap_effect,
    swap_step,
)
from ppdm_desktop.engine.methods.base.declaration import Family, register
from ppdm_desktop.engine.methods.base.parameters import ChoiceParameter, NumberParameter
from ppdm_desktop.engine.methods.base.step import (
    PAPER,
    SAFE,
    Profiles,
    Proposal,
    Settings,
    StepResult,
    Suggestion,
)
from ppdm_desktop.engine.randomness import Key, StepStream
from ppdm_desktop.engine.table.column import Table
from ppdm_desktop.engine.wording.catalogue import lazy
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Name, Ratio

CALIBRATED: Final = "calibrated"
# Up to so many rows a trial is made for the form; it takes a few seconds.
_PRICED_UP_TO = 5_000


@register
class BayesSwap(TargetedSwap):
    """Swap confidential values so that the joint distribution suffers least (Li & Sarkar 2004).

    The paper solves phase I as a linear programme that may return fractions and rounds them,
    which can break the promised count; this program solves it in whole numbers. The paper's
    phase II search depends on where it starts; the exact search is a proven optimum of the paper's objective (12),
    which overshoots: relations come out stronger than they were, and can be retraced. The recommended profile
    calibrates: it minimises the divergence the paper aims at (G2) at a temperature at which retracing gains nothing. A
    recipe that names no search keeps the exact one.
    """

    id = "bayes-swap"
    title = lazy("Swap values, keeping relationships (Bayes)")
    summary = lazy(
        "Gives some of the people who could be recognised a different confidential value. It "
        "keeps the number of people with each value, or changes it as little as possible, and "
        "tries to keep relationships between columns."
    )
    promises = (
        *COUNTS_KEPT,
        lazy(
            "The number of people with each value stays the same or changes as little as possible, "
            "and the change is stated."
        ),
        lazy(
            "Without a share of your own: between one and nine in ten people who are shown a value "
            "really have it, where possible."
        ),
    )
    limits = NOT_PROTECTED
    expert = (
        BEST_SHARE,
        lazy(
            "Randomness of the selection: the scale of Gumbel noise that is added to each difference of probabilities."
        ),
        lazy(
            "The calibrated search minimises the I-divergence of the naive Bayes joint from the original’s. Naive "
            "Bayes and gradient boosting, refitted to the release, must stay within their control’s 95% interval."
        ),
    )
    family = Family.EXCHANGED
    compares_searches = True
    reads_levels = ("swap", "selection_noise")
    chances_follow_details = True
    public_parameters = frozenset({"proportion", "group_share", "search", "selection_noise", "balance", "together"})
    profiles: ClassVar[Profiles] = {
        PAPER: {
            "proportion": 0.5,
            "group_share": ONE_MEMBER,
            "search": "greedy",
            "selection_noise": 0,
            "balance": "separate",
        },
        SAFE: {"search": CALIBRATED},
    }
    paper_fault = lazy(
        "Anyone who repeats the paper’s calculation finds 92% of the true values of unique people (census data). "
        "Without the person’s record it would be 80%."
    )
    paper_price = lazy(
        "With the recommended settings, a decision tree is wrong for 43% of the census records instead of 31% "
        "(original: 19%)."
    )
    parameters = (
        PROPORTION,
        GROUP_SHARE,
        TOGETHER,
        ChoiceParameter(
            name="search",
            label=lazy("How to find the best swap"),
            help=lazy("How records and their new values are selected."),
            default="exact",
            choices={
                "calibrated": lazy(
                    "Keeps relationships as well as it can while attempts to undo the swap gain nothing."
                ),
                "exact": lazy("The least cost in the paper’s sense, with a proof."),
                "greedy": lazy("The paper’s rounds of swaps (its Table 2)."),
                "random-start": lazy("The paper’s rounds from ten random starts; the best is kept."),
            },
            names={
                "calibrated": lazy("calibrated"),
                "exact": lazy("exact"),
                "greedy": lazy("rounds of the paper"),
                "random-start": lazy("rounds from ten starts"),
            },
            advanced=True,
        ),
        NumberParameter(
            name="selection_noise",
            label=lazy("Randomness of the selection"),
            help=lazy("How strongly random choice decides which records change."),
            effect=lazy(
                "At 0, anyone who repeats the calculation can work out most changed records. 0.5 "
                "prevents this, with some loss of usefulness."
            ),
            default=0.5,
            low=0,
            level_key="selection_noise",
            advanced=True,
            scale=lazy("0: no random choice, recommended: 0.5"),
        ),
        ChoiceParameter(
            name="balance",
            label=lazy("Keep the number of people with each value"),
            help=lazy("Among which people the number with each value is kept."),
            default="pooled",
            choices={
                "pooled": lazy("Unique people and group members together."),
                "separate": lazy("Each separately, as in the paper."),
            },
            names={
                "pooled": lazy("for all together"),
                "separate": lazy("for unique people and groups separately"),
            },
            advanced=True,
        ),
    )

    def check(self, table: Table, settings: Settings) -> tuple[Note, ...]:
        """Return warnings about the swap; raise an error if it cannot work.

        They are on changed records that can be worked out, because the search is not calibrated and the randomness of
        the selection is 0 for a privacy level; on a share in the recipe that is too large; on the setting by which only
        one member of a group changes; and on several columns that are swapped one by one.

        Raises
        ------
        RecipeError
            Without quasi-identifiers, if all values of a column with two values would flip, if a column changes within
            people, if columns swapped together have too many combinations, if there are too many records for the
            paper's search, or if the recipe sets the randomness although the calibrated search chooses it.
        InputError
            When a column, or columns swapped together, have fewer than two values, or rows times values are more than
            60 million.
        """
        notes = check_swap(table, settings)
        if settings.values["search"] == CALIBRATED:
            if "selection_noise" in settings.written:
                raise RecipeError("error.swap.noise-is-calibrated")
            return tuple(notes)
        if settings.values["search"] != "exact":
            self._refuse_long_search(table, settings)
        levels = levels_of(table)
        temperatures = settings.demanded("selection_noise", "selection_noise", levels)
        if any(temperature == 0 and count for temperature, count in zip(temperatures, levels.counts)):
            notes.append(Note("note.bayes-swap.traceable"))
        return tuple(notes)

    def _refuse_long_search(self, table: Table, settings: Settings) -> None:
        """Raise RecipeError if the paper's search would take too long: for over 60 000 identifiable people in a column.

        They are unique people, and members of groups with equal quasi-identifiers and one confidential value. Columns
        that are swapped together count as one.
        """
        classes = quasi_identifier_classes(table)
        for unit in units_of(table, settings):
            identified = unit_input(table, unit, classes).identified()
            records = len(identified.unique) + len(identified.collective)
            if records > GREEDY_LIMIT:
                raise RecipeError(
                    "error.swap.search-too-long", column=unit.label, args={"records": records, "limit": GREEDY_LIMIT}
                )

    def proposal(self, table: Table, settings: Settings) -> Proposal | None:
        """Return a proposal to take the largest share that keeps all totals, if the recipe's share would change totals.

        It sets ``proportion`` to ``largest-balanced``. None if no total would change, or if the recipe does not set the
        share as a number.
        """
        if leaves_open(settings):
            return None
        departure = preview_departure(table, settings)
        if departure == 0:
            return None
        reason = Note("note.bayes-swap.propose-balanced", {"records": departure // 2})
        return Proposal(reason, {"proportion": LARGEST_BALANCED})

    def suggestions(self, table: Table) -> tuple[Suggestion, ...]:
        """Return two suggestions: to swap as much as the privacy levels demand, and to swap lightly.

        Lightly means a tenth of the unique people, and a tenth of the members of each group with one confidential
        value.
        """
        light = {"proportion": 0.1, "group_share": 0.1}
        return (
            Suggestion(lazy("Targeted swap")),
            Suggestion(lazy("Targeted swap for 1 in 10"), light),
        )

    def effect(self, table: Table, settings: Settings) -> Note:
        """Return a note on how many unique people, and groups with one confidential value, the swap can change.

        RecipeError if a column changes within people.
        """
        return Note("note.bayes-swap.effect", swap_effect(table, settings))

    def price(self, table: Table, settings: Settings) -> tuple[Note, ...]:
        """Return notes on what a calibrated swap would keep, and how many changed values could be worked out again.

        They come from a trial with fixed random draws that are never released. With more than 5000 rows, the only note
        says that this was not tried. () if the settings name another search. RecipeError if a column changes within
        people.
        """
        if settings.values["search"] != CALIBRATED:
            return ()
        if table.rows > _PRICED_UP_TO:
            return (Note("note.bayes-swap.not-foreseen", {"limit": _PRICED_UP_TO}),)
        detail = self._try_calibrated_swap(table, settings, rough=True)
        return tuple(
            note for name, figures in details_of(detail) for note in calibration_notes(name, figures, is_preview=True)
        )

    def frontier(self, table: Table, settings: Settings) -> Mapping[str, Mapping[str, Any]]:
        """Return, by column, what several searches achieve in a trial with fixed random draws that are never released.

        They are the calibrated and the random search, the step's own, the exact one for up to 100 000 people who take
        part, and the paper's for up to 2000. Columns without a unique person are left out.
        """
        detail = self._try_calibrated_swap(table, settings, rough=False)
        return {name: figures["calibration"] for name, figures in details_of(detail) if "calibration" in figures}

    def _try_calibrated_swap(self, table: Table, settings: Settings, *, rough: bool) -> Mapping[str, Any]:
        """Return the figures of a trial of the calibrated swap on this table, in the form of a step's ``detail``.

        The trial's random draws are fixed. If the settings name another search, the trial also measures it. ``rough``
        makes the trial shorter and less exact. RecipeError if a column changes within people.
        """
        trial = StepStream(Key.from_seed(0), "00" * 32, "00" * 32, 0)
        search = settings.values["search"]
        exhaustive = None if search == CALIBRATED else search
        swap = _make_swap(settings, how=CALIBRATED, rough=rough, exhaustive=exhaustive)
        return swap_step(table, settings, trial, swap).detail

    def run(self, table: Table, settings: Settings, streams: StepStream) -> StepResult:
        """Return the table with confidential values exchanged between some people, in each column of the step.

        Only people whose value the table would reveal take part: unique people, and members of groups with equal
        quasi-identifiers and one confidential value. Of these, the shares that the settings or privacy levels demand
        get another value (0.3 of 30 unique people are 9; of each group a share, or one member), so that the totals of
        values change as little as possible. All others, and people without a value, keep theirs. If the settings leave
        the share to the program (``largest-balanced``), the first notes say which shares it chose, one for each column.
        In a trial, the calibrated search is shorter and less exact. RecipeError if a column changes within people.
        """
        values = settings.values
        swap = _make_swap(settings, how=values["search"], rough=streams.is_trial)
        result = swap_step(table, settings, streams, swap)
        chosen: tuple[Note, ...] = ()
        if values["proportion"] == LARGEST_BALANCED:
            chosen = tuple(
                Note(
                    "note.bayes-swap.largest-balanced",
                    {
                        "column": Name(name),
                        "unique": Ratio(figures["proportion"]),
                        "members": Ratio(figures["group_share"]),
                    },
                )
                for name, figures in details_of(result.detail)
            )
        return replace(result, notes=(*chosen, *result.notes))


def _make_swap(settings: Settings, *, how: Search, rough: bool, exhaustive: Exhaustive | None = None) -> Swap:
    """Return the function that swaps one unit by the search ``how``; another search can be measured beside it.

    ``rough`` makes the calibrated search shorter and less exact.
    """
    pooled, leave_open = settings.values["balance"] == "pooled", leaves_open(settings)
    return partial(swap_codes, how=how, pooled=pooled, leave_open=leave_open, rough=rough, exhaustive=exhaustive)


_HALF = 0.5


def preview_departure(table: Table, settings: Settings) -> int:
    """Return by how much the totals of values have to change at least with these settings, summed over all columns.

    It is twice the number of records: one record too many here and one too few there count 2. Unique people and groups
    count together, even if the settings balance them separately, which can change more. Columns that are swapped
    together count as one, with one combination for each group. Counts that depend on random rounding are taken with a
    draw of one half, so the result can be off by a few records. It is meant for a recipe that sets ``proportion`` as a
    number; otherwise the privacy levels' own shares count.
    """
    levels = levels_of(table)
    classes = quasi_identifier_classes(table)
    total = 0
    for unit in units_of(table, settings):
        column_input = unit_input(table, unit, classes)
        categories, truth, level = column_input.categories, column_input.truth, column_input.level
        identified = column_input.identified()
        demands = level_demands(settings, levels, categories)
        cells = level[identified.unique] * categories + truth[identified.unique]
        available = np.bincount(cells, minlength=len(demands) * categories)
        available = available.reshape(len(demands), categories).astype(np.int64)
        changes = np.array(
            [changes_due(demand.swap, int(size), _HALF) for demand, size in zip(demands, available.sum(axis=1))],
            dtype=np.int64,
        )
        shares: list[Fraction] = [demand.group_share for demand in demands]
        due = draw_member_counts(identified, group_level(identified, level), shares, np.full(identified.groups, _HALF))
        # Every member of a group has the group's one value.
        value = np.zeros(identified.groups, dtype=np.int64)
        value[identified.group] = truth[identified.collective]
        forced = np.bincount(value, weights=due, minlength=categories).astype(np.int64)
        total += least_departure(available, changes, forced)
    return total
