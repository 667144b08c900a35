"""Declarations shared by the methods that exchange values: the paper, parameters, promises and limits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ppdm_desktop.engine.methods.algorithms.people.within import refuse_varying, refuse_varying_if_linked
from ppdm_desktop.engine.methods.algorithms.swapping.demands import LARGEST_BALANCED, ONE_MEMBER
from ppdm_desktop.engine.methods.algorithms.swapping.recount import levels_of, recount_swap
from ppdm_desktop.engine.methods.algorithms.swapping.report import list_used_values, swap_lines
from ppdm_desktop.engine.methods.algorithms.swapping.steps import find_swap_protections
from ppdm_desktop.engine.methods.base.declaration import FigureLine, Method
from ppdm_desktop.engine.methods.base.parameters import ColumnsParameter, NumberParameter
from ppdm_desktop.engine.methods.base.step import Protection, Recount, Settings, Suggestion, Used
from ppdm_desktop.engine.table.column import Table
from ppdm_desktop.engine.wording.catalogue import lazy

PAPER = lazy(
    "X.-B. Li and S. Sarkar, A Data Perturbation Approach to Privacy Protection in Data Mining, ICIS 2004, paper 80"
)

PROPORTION = NumberParameter(
    name="proportion",
    label=lazy("Share of unique people"),
    public_label=lazy("Share of values swapped among those who take part"),
    help=lazy("Share of the unique people who get a different value."),
    effect=lazy(
        "A larger share hides the true values better, up to a limit. A smaller share keeps the data more useful."
    ),
    default=0.5,
    low=0,
    high=1,
    low_open=True,
    level_key="swap",
    words={
        LARGEST_BALANCED: lazy(
            "The largest share that keeps the number of people with each value; if there is none, "
            "the share that comes nearest."
        )
    },
    names={LARGEST_BALANCED: lazy("largest balanced share")},
)
GROUP_SHARE = NumberParameter(
    name="group_share",
    label=lazy("Share of each group"),
    public_label=lazy("Share of values swapped in each group that had one value"),
    help=lazy(
        "Share of the people who get a different value in each group whose members all have the "
        "same value; at least one person."
    ),
    effect=lazy("If only one person changes, most people of a group of three or more still show the true value."),
    default=0.5,
    low=0,
    high=1,
    low_open=True,
    words={ONE_MEMBER: lazy("Exactly one person of each group, as in the paper.")},
    names={ONE_MEMBER: lazy("one person")},
)
TOGETHER = ColumnsParameter(
    name="together",
    label=lazy("Columns that move together"),
    help=lazy("Columns whose values move as one: a person gets all of them from the same combination."),
    effect=lazy("Together, the relationships between these columns stay as they are. One by one, they are lost."),
    default=(),
    silent_unless_written=True,
    checked_with={"together": ["Secret", "Other"], "roles": {"Other": "confidential"}},
)
COUNTS_KEPT = (
    lazy("At each protection level, exactly the stated share of the unique people gets a different value."),
    lazy(
        (
            "In each group whose members all have the same value, the share of people that you set gets a "
            "different value: at least one person."
        ),
    ),
    lazy("No other record and no other column changes."),
)
NOT_PROTECTED = (
    lazy("It does not hide who is in the file: the details that others may know stay as they are."),
    lazy(
        "It does not protect people in mixed groups: if nine of ten have the same value, a guess "
        "is still right nine times in ten."
    ),
    lazy(
        "Confidential columns are swapped one by one unless you let them move together. One by one, the relationships "
        "between them are lost."
    ),
    lazy("Where columns move together, the combination of values changes. One of the values may stay the same."),
    lazy(
        "If people have several rows, all rows of a person change together. Only columns with "
        "one value per person can be swapped."
    ),
)
BEST_SHARE = lazy(
    "With C values, the share (C − 1)/C hides the true value best: shown and true value are then unrelated."
)
"""Remark for experts about every swap."""


class ExchangeMethod(Method):
    """A method that gives people the values of others, in one column at a time or in several together."""

    several_rows = "people"
    protects = "attribute"
    counts = "values"
    attacks = ("inference", "rank", "averaging", "seed-search")

    def refuse_unfit_people(self, table: Table, settings: Settings) -> None:
        """Raise an error if recipients can link a person's rows and a column of the step differs among them.

        Raises
        ------
        RecipeError
            Naming the column.
        """
        refuse_varying_if_linked(table, settings)

    def suggestions(self, table: Table) -> tuple[Suggestion, ...]:
        """Return the method without parameters, labelled with its title, as the only suggestion.

        Privacy levels decide all.
        """
        return (Suggestion(self.title),)


class TargetedSwap(ExchangeMethod):
    """A swap of the values of those people whose confidential value the table would reveal."""

    paper = PAPER
    recipients_learn = lazy("Some people got a different value. We do not say who.")
    values_label = lazy("exchanged")
    treatment = lazy("randomisation (permutation)")
    kinds = frozenset({"nominal", "ordinal"})

    def refuse_unfit_people(self, table: Table, settings: Settings) -> None:
        """Raise an error if a column of the step differs among a person's rows, even if recipients cannot link them.

        Raises
        ------
        RecipeError
            Naming the column.
        """
        refuse_varying(table, settings)

    def _list_used_values(self, table: Table, settings: Settings, detail: Mapping[str, Any] | None) -> Iterable[Used]:
        """Return the values of the parameters that privacy levels decide: what they demand, or what a run used.

        Before a run, ``detail`` is None or empty; values are then those of all columns. After it, there is a value for
        each of these parameters, unit (a column, or several swapped together) and level.
        """
        if not detail:
            return super()._list_used_values(table, settings, detail)
        return list_used_values(settings, levels_of(table), detail)

    def infer_protections(self, before: Table, after: Table, settings: Settings) -> tuple[Protection, ...]:
        """Return, for each column, the rows that count as protected: those of people whose value could be recognised.

        These are unique people and, unless the settings ignore groups, groups with one confidential value; only some of
        their values were changed.
        """
        return find_swap_protections(before, settings)

    def recount(self, before: Table, after: Table, settings: Settings, detail: Mapping[str, Any]) -> Recount:
        """Return whether the swap kept its promises, counted from the tables before and after it.

        The shares of changed values are compared for each privacy level, see ``recount_swap``.
        """
        return recount_swap(before, after, settings, detail)

    def figure_lines(self, detail: Mapping[str, Any]) -> list[FigureLine]:
        """Return the figures of each swapped column, or of columns swapped together, with labels."""
        return swap_lines(detail)
