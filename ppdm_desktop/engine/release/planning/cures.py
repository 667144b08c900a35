"""Changes of a recipe after which methods can run that refuse people with several rows."""

from __future__ import annotations

from dataclasses import dataclass

from ppdm_desktop.engine.recipe.models import ATTRIBUTE_ROLES, InputSection, ReduceSection, ReduceWay
from ppdm_desktop.engine.release.candidate.model import Prepared
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.people import People
from ppdm_desktop.engine.table.rules.numbers import has_codes
from ppdm_desktop.engine.wording.catalogue import Sentence, lazy
from ppdm_desktop.engine.wording.values import Names


@dataclass(frozen=True)
class Cure:
    """A change of the recipe that removes the reason of a refusal.

    Attributes
    ----------
    title
        Text of the button that makes the change.
    input
        The recipe's ``[input]`` section after the change.
    """

    title: Sentence
    input: InputSection


def one_row_cures(prepared: Prepared) -> tuple[Cure, ...]:
    """Return the ways to reduce each person to one row, the simplest first.

    The first is to keep each person's first row; the second, if a number varies within people, is to use averages of
    numbers and the most frequent categories and codes, but the first row's dates. Empty if nobody has several rows, or
    if no column names the persons.
    """
    input_section, people = prepared.recipe.input, prepared.table.several
    if people is None or input_section.person is None:
        return ()
    person = Names.of(input_section.person)
    first = input_section.model_copy(update={"reduce": ReduceSection(by="first")})
    cures = [Cure(lazy("Keep the first row of each {person}", person=person), first)]
    released = prepared.original.with_role(*ATTRIBUTE_ROLES)
    summaries = {column.name: _choose_summary(prepared.table, column, people) for column in released}
    ways = {name: way for name, way in summaries.items() if way is not None}
    if "mean" in ways.values():
        averages = input_section.model_copy(update={"reduce": ReduceSection(by="first", columns=ways)})
        cures.append(Cure(lazy("Use the averages of each {person}", person=person), averages))
    return tuple(cures)


def _choose_summary(table: Table, column: Column, people: People) -> ReduceWay | None:
    """Return how a column that varies within people is summarised.

    "mean" for numbers, "most-frequent" for categories and codes. None if the first row is enough: the column is
    constant within each person, or holds dates.
    """
    if people.constant(column.category_codes).all():
        return None
    if column.kind == "numeric" and not has_codes(table, column):
        return "mean"
    return None if column.kind == "date" else "most-frequent"
