"""The answer on the page Open to the question who is a person in the file (no Qt here)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ppdm_desktop.engine.recipe.models import RELEASED_ROLES, ColumnSection, InputSection, Recipe, ReduceSection
from ppdm_desktop.engine.table.kinds import present_texts
from ppdm_desktop.engine.table.people import People
from ppdm_desktop.engine.table.person_ids import find_spelling_variants, identify_people
from ppdm_desktop.engine.table.reading import Reading

By = Literal["all", "first", "last"]


@dataclass(frozen=True)
class Answer:
    """The user's answer to the question who is a person in the file.

    Attributes
    ----------
    is_row_a_person
        Each row is another person.
    groups
        Each row is a group of people.
    people_count
        Column with the number of people in each group; empty if a column is recognised by its name.
    columns
        Columns that identify the person of a row; empty if there are none.
    by
        Which rows of each person are used: all, or the first or last one.
    household
        Column that identifies the household; empty if there is none.
    quota
        A fixed number of people was drawn from each group, so equal group sizes do not suggest visits.
    """

    is_row_a_person: bool = False
    columns: tuple[str, ...] = ()
    by: By = "all"
    household: str = ""
    quota: bool = False
    groups: bool = False
    people_count: str = ""


def answer_of(options: InputSection) -> Answer:
    """Return the recipe's answer to who is a person.

    Where the recipe says nothing, fields are empty or False, and all rows of a person are used ("all").
    """
    return Answer(
        options.one_row_per_person,
        options.person or (),
        options.reduce.by if options.reduce is not None else "all",
        options.household or "",
        options.quota,
        options.rows == "groups",
        options.people_count or "",
    )


def apply_person_answer(recipe: Recipe, answer: Answer) -> Recipe:
    """Return a copy of the recipe changed according to the answer to who is a person.

    - With columns that identify people, rows do not count as people. These columns and that of households become
      identifiers if they would be released or have no role. Settings on combining rows stay only if the columns are
      the same as before and one row of each person is used.
    - Without such columns, all settings that need them are removed.
    """
    input_section = recipe.input
    changes: dict[str, object] = {
        "one_row_per_person": answer.is_row_a_person,
        "quota": answer.quota,
        "rows": "groups" if answer.groups else None,
        "people_count": answer.people_count or None,
        "least_count": input_section.least_count if answer.groups else None,
        "largest": input_section.largest if answer.groups else {},
        "person": None,
        "household": None,
        "reduce": None,
        "order_by": None,
    }
    if not answer.columns:
        # What was made the same in all rows of a person means nothing where nobody says whose they are.
        return recipe.model_copy(
            update={"input": input_section.model_copy(update={**changes, "repair": input_section.repairs_of_cells})}
        )
    kept = input_section.reduce if input_section.person == answer.columns else None
    changes |= {"one_row_per_person": False, "person": answer.columns, "household": answer.household or None}
    if answer.by != "all":
        changes["reduce"] = ReduceSection(by=answer.by) if kept is None else kept.model_copy(update={"by": answer.by})
        changes["order_by"] = input_section.order_by if kept is not None else None
    columns = dict(recipe.columns)
    for name in (*answer.columns, *((answer.household,) if answer.household else ())):
        section = columns.get(name)
        if section is None:
            columns[name] = ColumnSection(role="identifier")
        elif section.role in RELEASED_ROLES:
            columns[name] = section.model_copy(update={"role": "identifier"})
    return recipe.model_copy(update={"input": input_section.model_copy(update=changes), "columns": columns})


def find_row_count_column(options: InputSection) -> str | None:
    """Return the name of the column that counts each person's combined rows; None without one."""
    return options.reduce.rows if options.reduce is not None else None


def people_of(reading: Reading, columns: tuple[str, ...]) -> People | None:
    """Return which person each row belongs to, by id columns (rows with equal ids are one person).

    None if no column is named or one is not in the table. Several columns form one id together. A row in which one of
    them is missing is a person of its own.
    """
    if not columns or any(name not in reading.table for name in columns):
        return None
    return identify_people(reading.table, columns)


def count_similar_ids(reading: Reading, columns: tuple[str, ...]) -> int:
    """Return how many ids are probably another spelling of a different id in the same column: 1 for "A1" and "a1".

    Of several spellings of an id all but one are counted. The columns are searched one by one and their counts added;
    number columns, and columns that are not in the table, count 0.
    """
    present = [reading.table.column(name) for name in columns if name in reading.table]
    texts = [dict.fromkeys(present_texts(column), 1) for column in present if column.kind != "numeric"]
    return sum(len(find_spelling_variants(text)) for text in texts)
