"""`bayes-swap`: Li & Sarkar's two phases, solved exactly."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ppdm_desktop.engine.errors import RecipeError
from ppdm_desktop.engine.identifiability.classes import quasi_identifier_classes
from ppdm_desktop.engine.methods.algorithms.swapping.column import Swapped, swap_codes
from ppdm_desktop.engine.methods.algorithms.swapping.demands import (
    LARGEST_BALANCED,
    ONE_MEMBER,
    LevelDemand,
    leaves_open,
)
from ppdm_desktop.engine.methods.algorithms.swapping.expected_shift import foreseen_departure
from ppdm_desktop.engine.methods.algorithms.swapping.given import column_input
from ppdm_desktop.engine.methods.algorithms.swapping.greedy import GREEDY_LIMIT
from ppdm_desktop.engine.methods.algorithms.swapping.parameters import (
    COUNTS_KEPT,
    GROUP_SHARE,
    NOT_PROTECTED,
    PAPER,
    PROPORTION,
)
from ppdm_desktop.engine.methods.algorithms.swapping.participants import ColumnInput, Streams
from ppdm_desktop.engine.methods.algorithms.swapping.recount import levels_of, recount_swap
from ppdm_desktop.engine.methods.algorithms.swapping.steps import check_swap, recognised_swap, swap_effect, swap_step
from ppdm_desktop.engine.methods.base.declaration import Method
from ppdm_desktop.engine.methods.base.parameters import ChoiceParameter, NumberParameter
from ppdm_desktop.engine.methods.base.registry import register
from ppdm_desktop.engine.methods.base.step import Proposal, Protection, Recount, Settings, StepResult
from ppdm_desktop.engine.methods.base.suggestion import Suggestion
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.randomness import StepStream
from ppdm_desktop.engine.table.column import Table
from ppdm_desktop.engine.texts import Note

FAITHFUL: Mapping[str, Any] = {
    "proportion": 0.5,
    "group_share": ONE_MEMBER,
    "search": "greedy",
    "selection_noise": 0,
    "balance": "separate",
}
"""The parameters under which the step does what the paper does."""


@register
class BayesSwap(Method):
    """Swap confidential values so that the joint distribution suffers least (Li & Sarkar 2004).

    The paper solves phase I as a linear programme that may return fractions and rounds them,
    which can break the promised count; this program solves it in whole numbers. The paper's
    phase II search depends on where it starts; the default search is a proven optimum. What
    the paper does stands in ``FAITHFUL``.
    """

    id = "bayes-swap"
    title = "Swap values, keeping relations (Bayes)"
    paper = PAPER
    summary = (
        "Gives a share of the identifiable records another confidential value, chosen so that the number of "
        "records in each category stays the same and the relations to the other columns suffer least."
    )
    promises = (
        *COUNTS_KEPT,
        "The number of records in each category stays the same, or moves by the least that is possible, "
        "which is stated.",
        "Unless a share is written: where it can be, between one and nine in ten of those who are shown a value have "
        "it, level by level; a level then changes as many records as that allows.",
    )
    limits = NOT_PROTECTED
    protects = "attribute"
    correspondence = "record"
    several_rows = "people"
    treatment = "randomisation (permutation)"
    kinds = frozenset({"nominal", "ordinal"})
    reads_levels = ("swap", "selection_noise")
    public_parameters = frozenset({"proportion", "group_share", "search", "selection_noise", "balance"})
    attacks = ("inference", "rank", "averaging", "seed-search")
    parameters = (
        PROPORTION,
        GROUP_SHARE,
        ChoiceParameter(
            name="search",
            label="How the best swap is found",
            help="How the records and their new values are chosen.",
            effect="The exact search keeps the data most useful; the paper's stops at the first arrangement "
            "that no single swap improves.",
            default="exact",
            choices={
                "exact": "The best arrangement there is, with a proof.",
                "greedy": "The paper's rounds of swaps (its Table 2).",
                "random-start": "The paper's rounds from ten random starts, the best kept.",
            },
            advanced=True,
        ),
        NumberParameter(
            name="selection_noise",
            label="Make it hard to retrace",
            help="How much chance blurs the choice of records, as the scale of Gumbel noise on each "
            "difference of probabilities.",
            effect="At 0 whoever refits the same model can tell most changed records from unchanged ones; "
            "0.5 takes that away for some loss of usefulness, more with many categories.",
            default=0.5,
            low=0,
            level_key="selection_noise",
            advanced=True,
        ),
        ChoiceParameter(
            name="balance",
            label="Keep the totals",
            help="Over which records the number in each category is kept.",
            effect="Together, unique records make up for what the groups are forced to do.",
            default="pooled",
            choices={
                "pooled": "Unique records and group members together.",
                "separate": "Each on its own, as in the paper.",
            },
            advanced=True,
        ),
    )

    def check(self, table: Table, settings: Settings) -> tuple[Note, ...]:
        """Refuse what cannot work; warn of what can be undone.

        Raises
        ------
        RecipeError
            Without quasi-identifiers, when all of two values would flip, when a column changes within people,
            or when too many records take part for the paper's search.
        InputError
            When a column holds a single value or too many categories.
        """
        notes = check_swap(table, settings)
        if settings.values["search"] != "exact":
            self._refuse_long_search(table, settings)
        levels = levels_of(table)
        temperatures = settings.demanded("selection_noise", "selection_noise", levels)
        if any(each == 0 and count for each, count in zip(temperatures, levels.counts)):
            notes.append(Note("note.bayes-swap.traceable"))
        return tuple(notes)

    def _refuse_long_search(self, table: Table, settings: Settings) -> None:
        classes = quasi_identifier_classes(table)
        for name in settings.columns:
            found = column_input(table, name, classes).identified()
            records = len(found.unique) + len(found.collective)
            if records > GREEDY_LIMIT:
                raise RecipeError(
                    "error.swap.search-too-long", column=name, args={"records": records, "limit": GREEDY_LIMIT}
                )

    def proposal(self, table: Table, settings: Settings) -> Proposal | None:
        """Propose the largest balanced share where a written one would move records between categories."""
        if leaves_open(settings):
            return None
        departure = foreseen_departure(table, settings)
        if departure == 0:
            return None
        reason = Note("note.bayes-swap.propose-balanced", {"records": departure // 2})
        return Proposal(reason, {"proportion": LARGEST_BALANCED})

    def suggestions(self, table: Table) -> tuple[Suggestion, ...]:
        """Return the share that the levels ask for, and one in ten."""
        light = {"proportion": 0.1, "group_share": 0.1}
        return (
            Suggestion("Targeted swap", after="targeted swap"),
            Suggestion("Targeted swap of 1 in 10", light, after="targeted swap of 1 in 10"),
        )

    def effect(self, table: Table, settings: Settings) -> Note:
        """Say how many records are in reach."""
        return Note("note.bayes-swap.effect", swap_effect(table, settings))

    def run(self, table: Table, settings: Settings, streams: StepStream, progress: Progress) -> StepResult:
        """Swap each column from the step's input."""
        values = settings.values

        def swap(column: ColumnInput, demands: tuple[LevelDemand, ...], draws: Streams, part: Progress) -> Swapped:
            return swap_codes(
                column,
                demands,
                draws,
                part,
                how=values["search"],
                pooled=values["balance"] == "pooled",
                leave_open=leaves_open(settings),
            )

        result = swap_step(table, settings, streams, progress, swap)
        chosen: tuple[Note, ...] = ()
        if values["proportion"] == LARGEST_BALANCED:
            chosen = tuple(
                Note(
                    "note.bayes-swap.largest-balanced",
                    {"column": name, "percent": 100 * own["proportion"], "share": 100 * own["group_share"]},
                )
                for name, own in result.detail["columns"].items()
            )
        return StepResult(result.table, result.protections, result.detail, (*chosen, *result.notes))

    def recognised(self, before: Table, after: Table, settings: Settings) -> tuple[Protection, ...]:
        """Return the identifiable records: whether one of them changed was chosen."""
        return recognised_swap(before, settings)

    def recount(self, before: Table, after: Table, settings: Settings, detail: Mapping[str, Any]) -> Recount:
        """Count the promises from the two tables."""
        return recount_swap(before, after, settings, detail)
