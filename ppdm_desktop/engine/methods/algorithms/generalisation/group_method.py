"""What the methods declare alike that make people equivalent to others by their quasi-identifiers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ppdm_desktop.engine.methods.algorithms.generalisation.recount import demanded_groups
from ppdm_desktop.engine.methods.algorithms.people.within import refuse_varying_if_linked
from ppdm_desktop.engine.methods.algorithms.swapping.recount import levels_of
from ppdm_desktop.engine.methods.base.declaration import Method
from ppdm_desktop.engine.methods.base.step import Settings
from ppdm_desktop.engine.methods.base.used import Used, used_groups
from ppdm_desktop.engine.table.column import Table
from ppdm_desktop.engine.wording.catalogue import lazy

GROUPS_LARGE_ENOUGH = lazy(
    "For everyone, the group with the same released details is at least as large as their protection level asks for."
)


class GeneralisingMethod(Method):
    """A method after which shown values stand for disjoint sets of true ones, and groups can be counted."""

    several_rows = "people"
    protects = "identity"
    reads_levels = ("group",)
    worst_is = "group"
    attacks = ("linkage", "inference")

    def recodes(self, settings: Settings) -> bool:
        """Return that shown values stand for disjoint sets of true ones."""
        return True


class GroupMethod(GeneralisingMethod):
    """A method that gives everybody a group of the size in its parameter ``k``, or the one their level demands."""

    def refuse_unfit_people(self, table: Table, settings: Settings) -> None:
        """Refuse a column that changes within a person where the release tells which rows belong together.

        Raises
        ------
        RecipeError
            Naming the column.
        """
        refuse_varying_if_linked(table, settings)

    def _found_values(self, table: Table, settings: Settings, detail: Mapping[str, Any] | None) -> Iterable[Used]:
        yield from used_groups("k", levels_of(table), demanded_groups(table, settings, "k"))
