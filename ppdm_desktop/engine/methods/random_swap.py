"""`random-swap`: swaps as many values as `bayes-swap`, but at random (Li & Sarkar's method for comparison)."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import ClassVar

from ppdm_desktop.engine.methods.algorithms.swapping.column import random_codes
from ppdm_desktop.engine.methods.algorithms.swapping.demands import ONE_MEMBER
from ppdm_desktop.engine.methods.algorithms.swapping.parameters import (
    BEST_SHARE,
    COUNTS_KEPT,
    GROUP_SHARE,
    NOT_PROTECTED,
    PROPORTION,
    TOGETHER,
    TargetedSwap,
)
from ppdm_desktop.engine.methods.algorithms.swapping.steps import (
    check_swap,
    swap_effect,
    swap_step,
)
from ppdm_desktop.engine.methods.base.declaration import register
from ppdm_desktop.engine.methods.base.parameters import FlagParameter
from ppdm_desktop.engine.methods.base.step import PAPER, SAFE, Profiles, Settings, StepResult
from ppdm_desktop.engine.randomness import StepStream
from ppdm_desktop.engine.table.column import Table
from ppdm_desktop.engine.wording.catalogue import lazy
from ppdm_desktop.engine.wording.texts import Note


@register
class RandomSwap(TargetedSwap):
    """Replace values that identify a person by random ones, drawn by their shares (Li & Sarkar 2004, section 5)."""

    id = "random-swap"
    title = lazy("Swap values at random")
    summary = lazy(
        "Gives some of the people who could be recognised a random confidential value. Simple "
        "and hard to undo, but relationships between columns are lost."
    )
    promises = COUNTS_KEPT
    limits = (*NOT_PROTECTED, lazy("It keeps the number of people with each value only roughly."))
    expert = (BEST_SHARE,)
    reads_levels = ("swap",)
    chances_follow_details = True
    public_parameters = frozenset({"proportion", "group_share", "obey_groups", "together"})
    profiles: ClassVar[Profiles] = {PAPER: {"proportion": 0.5, "group_share": ONE_MEMBER}, SAFE: {}}
    paper_fault = lazy(
        "In groups of three or more, the majority still shows the true value. In census data, 55% of the people "
        "in groups are in such groups."
    )
    paper_price = lazy("With half of each group changed, more values change, and relationships become weaker.")
    parameters = (
        replace(PROPORTION, words={}),
        GROUP_SHARE,
        TOGETHER,
        FlagParameter(
            name="obey_groups",
            label=lazy("Change someone in every group"),
            help=lazy("Whether someone changes in each group whose members all have the same value."),
            effect=lazy(
                "Without it, the share applies to all these people together. Some groups then stay unprotected."
            ),
            default=True,
            advanced=True,
        ),
    )

    def check(self, table: Table, settings: Settings) -> tuple[Note, ...]:
        """Return warnings about the swap; raise an error if it cannot work.

        They are on groups that stay unprotected because the setting ``obey_groups`` is off, on a share in the recipe
        above (C - 1)/C for C values, on the setting by which only one member of a group changes, and on several columns
        that are swapped one by one.

        Raises
        ------
        RecipeError
            Without quasi-identifiers, if all values of a column with two values would flip, if a column changes within
            people, or if columns swapped together have more than 100 combinations.
        InputError
            When a column, or columns swapped together, have fewer than two values, or rows times values are more than
            60 million.
        """
        notes = check_swap(table, settings)
        if not settings.values["obey_groups"]:
            notes.append(Note("note.random-swap.groups-not-obeyed"))
        return tuple(notes)

    def effect(self, table: Table, settings: Settings) -> Note:
        """Return a note on how many unique people, and groups with one confidential value, the swap can change.

        RecipeError if a column changes within people.
        """
        return Note("note.random-swap.effect", swap_effect(table, settings))

    def run(self, table: Table, settings: Settings, streams: StepStream) -> StepResult:
        """Return the table with other confidential values, drawn at random, for some people who stand out.

        They are people who are unique in their quasi-identifiers, and members of groups with equal quasi-identifiers
        and the same confidential value. The settings and privacy levels say which share of them changes in each treated
        column (0.3 of 30 unique people are 9; below 20 people a fraction is rounded at random); in each such group at
        least one changes, unless the setting ``obey_groups`` is off. A new value is never the true one and is drawn in
        proportion to how often the other values occur; of columns swapped together, it is a combination. Nobody gives a
        value in exchange: all others keep theirs, so the totals of values are kept only roughly. RecipeError if a
        column of the step changes within a person.
        """
        swap = partial(random_codes, obey_groups=bool(settings.values["obey_groups"]))
        return swap_step(table, settings, streams, swap)
