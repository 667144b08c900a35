"""Whether a column is constant within each person, that is, the same in all of the person's rows."""

from __future__ import annotations

from ppdm_desktop.engine.errors import SeveralRowsError
from ppdm_desktop.engine.methods.base.step import Settings
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.people import People
from ppdm_desktop.engine.wording.values import Name, Value


def has_one_value_each(column: Column, people: People) -> bool:
    """Return whether nobody has two different values in a column; missing values do not count."""
    return not people.flag_with_different_codes(column.category_codes, ~column.missing).any()


def treated_units(table: Table, name: str) -> People:
    """Return the units that each get one new value: people if the column is constant within people, else single rows.

    A person who has a value in only some of their rows is not constant.
    """
    return People.identity(table.rows) if table.persons.varying(table.column(name).category_codes) else table.persons


def refuse_varying_if_linked(table: Table, settings: Settings) -> None:
    """Raise RecipeError for a column that changes within a person, if recipients can link the rows of a person.

    If they cannot, nothing happens. A person with a value in only some of their rows counts as changing.

    Raises
    ------
    RecipeError
        Naming the first such column of the step, and how many people change in it.
    """
    for name in settings.columns if table.persons.linked else ():
        if changing := table.persons.varying(table.column(name).category_codes):
            arguments: dict[str, Value] = {"column": Name(name), "people": changing}
            raise SeveralRowsError("error.mondrian.rows-put-together", column=name, args=arguments)


def refuse_varying(table: Table, settings: Settings) -> None:
    """Raise RecipeError for a column that changes within a person, because there is no single value to exchange.

    A person with a value in only some of their rows counts as changing.

    Raises
    ------
    RecipeError
        Naming the first such column of the step, and how many people change in it.
    """
    for name in settings.columns:
        if changing := table.persons.varying(table.column(name).category_codes):
            raise SeveralRowsError("error.swap.varying", column=name, args={"column": Name(name), "people": changing})
