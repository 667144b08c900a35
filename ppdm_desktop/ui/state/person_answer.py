"""Who is a person in a file, as a person says it on page Open (no Qt here)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ppdm_desktop.engine.recipe.models import RELEASED_ROLES, ColumnSection, InputSection, Recipe, ReduceSection
from ppdm_desktop.engine.table.people import People, people_by
from ppdm_desktop.engine.table.reading import Reading

By = Literal["first", "last"]


@dataclass(frozen=True)
class Answer:
    """What was said.

    Attributes
    ----------
    each_row
        Each row is another person.
    columns
        Whose row it is, by these columns; empty where no column says it.
    by
        The row of each person that is kept.
    """

    each_row: bool = False
    columns: tuple[str, ...] = ()
    by: By = "first"


def answer_of(options: InputSection) -> Answer:
    """Return what the recipe says."""
    return Answer(
        options.one_row_per_person,
        options.person or (),
        options.reduce.by if options.reduce is not None else "first",
    )


def answered(recipe: Recipe, answer: Answer) -> Recipe:
    """Return the recipe with an answer.

    How single columns are reduced stays while people are told apart as before; columns that tell whose row it is
    become identifiers where they would be released or nobody said what they are.
    """
    given = recipe.input
    changes: dict[str, object] = {"one_row_per_person": answer.each_row, "person": None, "reduce": None}
    if not answer.columns:
        options = given.model_copy(update={**changes, "order_by": None})
        return recipe.model_copy(update={"input": options})
    kept = given.reduce if given.reduce is not None and given.person == answer.columns else None
    reduce = ReduceSection(by=answer.by) if kept is None else kept.model_copy(update={"by": answer.by})
    changes |= {"one_row_per_person": False, "person": answer.columns, "reduce": reduce}
    if kept is None:
        changes["order_by"] = None
    columns = dict(recipe.columns)
    for name in answer.columns:
        section = columns.get(name)
        if section is None:
            columns[name] = ColumnSection(role="identifier")
        elif section.role in RELEASED_ROLES:
            columns[name] = section.model_copy(update={"role": "identifier"})
    return recipe.model_copy(update={"input": given.model_copy(update=changes), "columns": columns})


def number_of_rows(options: InputSection) -> str | None:
    """Return the name of the column that will hold the number of rows of each person; the file does not have it."""
    return options.reduce.rows if options.reduce is not None else None


def people_of(reading: Reading, columns: tuple[str, ...]) -> People | None:
    """Count the people whom columns tell apart; None where there is no such column."""
    if not columns or any(name not in reading.table for name in columns):
        return None
    return people_by(reading.table, columns)
