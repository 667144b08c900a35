"""Who is a person in a file, as a person says it on page Open (no Qt here)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ppdm_desktop.engine.recipe.models import RELEASED_ROLES, ColumnSection, InputSection, Recipe, ReduceSection
from ppdm_desktop.engine.table.kinds import present_texts
from ppdm_desktop.engine.table.people import People
from ppdm_desktop.engine.table.person_ids import people_by, written_alike
from ppdm_desktop.engine.table.reading import Reading

By = Literal["all", "first", "last"]


@dataclass(frozen=True)
class Answer:
    """What was said.

    Attributes
    ----------
    each_row
        Each row is another person.
    groups
        Each row is a group of people.
    people_count
        The column that counts the people of each group; empty where its name says so.
    columns
        Whose row it is, by these columns; empty where no column says it.
    by
        The rows of each person that are kept: all, or the first or last one.
    household
        The column that says who lives together; empty where none does.
    quota
        A fixed number of people was drawn from each group, so groups of one size are no visits.
    """

    each_row: bool = False
    columns: tuple[str, ...] = ()
    by: By = "all"
    household: str = ""
    quota: bool = False
    groups: bool = False
    people_count: str = ""


def answer_of(options: InputSection) -> Answer:
    """Return what the recipe says."""
    return Answer(
        options.one_row_per_person,
        options.person or (),
        options.reduce.by if options.reduce is not None else "all",
        options.household or "",
        options.quota,
        options.rows == "groups",
        options.people_count or "",
    )


def answered(recipe: Recipe, answer: Answer) -> Recipe:
    """Return the recipe with an answer.

    How single columns are reduced stays while people are distinguished as before; columns that tell whose row it is
    become identifiers where they would be released or nobody said what they are.
    """
    given = recipe.input
    changes: dict[str, object] = {
        "one_row_per_person": answer.each_row,
        "quota": answer.quota,
        "rows": "groups" if answer.groups else None,
        "people_count": answer.people_count or None,
        "least_count": given.least_count if answer.groups else None,
        "largest": given.largest if answer.groups else {},
        "person": None,
        "household": None,
        "reduce": None,
        "order_by": None,
    }
    if not answer.columns:
        # What was made the same in all rows of a person means nothing where nobody says whose they are.
        return recipe.model_copy(
            update={"input": given.model_copy(update={**changes, "repair": given.repairs_of_cells})}
        )
    kept = given.reduce if given.person == answer.columns else None
    changes |= {"one_row_per_person": False, "person": answer.columns, "household": answer.household or None}
    if answer.by != "all":
        changes["reduce"] = ReduceSection(by=answer.by) if kept is None else kept.model_copy(update={"by": answer.by})
        changes["order_by"] = given.order_by if kept is not None else None
    columns = dict(recipe.columns)
    for name in (*answer.columns, *((answer.household,) if answer.household else ())):
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


def ids_alike(reading: Reading, columns: tuple[str, ...]) -> int:
    """Return how many ids of these columns differ from another only in the form in which they are written."""
    present = [reading.table.column(name) for name in columns if name in reading.table]
    texts = [dict.fromkeys(present_texts(column), 1) for column in present if column.kind != "numeric"]
    return sum(len(written_alike(text)) for text in texts)
