"""Changes of a recipe after which methods can run that refuse people with several rows."""

from __future__ import annotations

from dataclasses import dataclass

from ppdm_desktop.engine.recipe.models import ATTRIBUTE_ROLES, InputSection, ReduceSection, ReduceWay
from ppdm_desktop.engine.release.candidate.model import Prepared
from ppdm_desktop.engine.table.codes import guess_codes_answer
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.people import People
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
    numbers and the most frequent categories. Empty if nobody has several rows, or if no column names the persons.
    """
    given, people = prepared.recipe.input, prepared.table.several
    if people is None or given.person is None:
        return ()
    person = Names.of(given.person)
    first = given.model_copy(update={"reduce": ReduceSection(by="first")})
    cures = [Cure(lazy("Keep the first row of each {person}", person=person), first)]
    released = prepared.original.with_role(*ATTRIBUTE_ROLES)
    ways = {column.name: way for column in released if (way := _choose_summary(column, people)) is not None}
    if "mean" in ways.values():
        averages = given.model_copy(update={"reduce": ReduceSection(by="first", columns=ways)})
        cures.append(Cure(lazy("Use the averages of each {person}", person=person), averages))
    return tuple(cures)


def _choose_summary(column: Column, people: People) -> ReduceWay | None:
    """Return how a column that varies within people is summarised.

    "mean" for numbers, "most-frequent" for categories and codes. None if the first row is enough: the column is
    constant within each person, or holds dates.
    """
    if people.constant(column.category_codes).all():
        return None
    if column.kind == "numeric" and guess_codes_answer(column) != "codes":
        return "mean"
    return None if column.kind == "date" else "most-frequent"
