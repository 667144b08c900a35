"""Changes of a recipe after which methods that refuse people with several rows can run."""

from __future__ import annotations

from dataclasses import dataclass

from ppdm_desktop.engine.recipe.models import ATTRIBUTE_ROLES, InputSection, ReduceSection, ReduceWay
from ppdm_desktop.engine.release.candidate.model import Prepared
from ppdm_desktop.engine.table.codes import codes_question
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.people import People
from ppdm_desktop.engine.wording.catalogue import Sentence, lazy
from ppdm_desktop.engine.wording.values import Names


@dataclass(frozen=True)
class Cure:
    """A change of the recipe that takes a refusal away.

    Attributes
    ----------
    title
        What it does, as a button says it.
    input
        The recipe's ``[input]`` with the change.
    """

    title: Sentence
    input: InputSection


def one_row_cures(prepared: Prepared) -> tuple[Cure, ...]:
    """Return the ways to make one row of each person, the simplest first; none where nobody has several rows."""
    given, people = prepared.recipe.input, prepared.table.several
    if people is None or given.person is None:
        return ()
    person = Names.of(given.person)
    first = given.model_copy(update={"reduce": ReduceSection(by="first")})
    cures = [Cure(lazy("Keep the first row of each {person}", person=person), first)]
    released = prepared.original.with_role(*ATTRIBUTE_ROLES)
    ways = {column.name: way for column in released if (way := _summary_way(column, people)) is not None}
    if "mean" in ways.values():
        averages = given.model_copy(update={"reduce": ReduceSection(by="first", columns=ways)})
        cures.append(Cure(lazy("Use the averages of each {person}", person=person), averages))
    return tuple(cures)


def _summary_way(column: Column, people: People) -> ReduceWay | None:
    """Return how a column that changes within people is summed up; None where the first row says enough."""
    if people.constant(column.category_codes).all():
        return None
    if column.kind == "numeric" and codes_question(column) != "codes":
        return "mean"
    return None if column.kind == "date" else "most-frequent"
