"""Whether a column is the same in all rows of a person."""

from __future__ import annotations

from ppdm_desktop.engine.errors import SeveralRowsError
from ppdm_desktop.engine.methods.base.step import Settings
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.people import People
from ppdm_desktop.engine.wording.values import Name, Value


def has_one_value_each(column: Column, people: People) -> bool:
    """Return whether nobody has two different values in a column; missing values do not count."""
    return not people.split_by(column.category_codes, ~column.missing).any()


def treated_units(table: Table, name: str) -> People:
    """Return the units that get one new value each: people where a column is constant within them, else rows.

    A person who has a value in some rows only is not constant.
    """
    return People.identity(table.rows) if table.persons.varying(table.column(name).category_codes) else table.persons


def refuse_varying_if_linked(table: Table, settings: Settings) -> None:
    """Raise RecipeError for a column that changes within a person, if the release links the rows of a person.

    Nothing happens if it does not.

    Raises
    ------
    RecipeError
        Naming the column.
    """
    for name in settings.columns if table.persons.linked else ():
        if changing := table.persons.varying(table.column(name).category_codes):
            arguments: dict[str, Value] = {"column": Name(name), "people": changing}
            raise SeveralRowsError("error.mondrian.rows-put-together", column=name, args=arguments)


def refuse_varying(table: Table, settings: Settings) -> None:
    """Raise RecipeError for a column that changes within a person, who then has no single value to exchange.

    Raises
    ------
    RecipeError
        Naming the column.
    """
    for name in settings.columns:
        if changing := table.persons.varying(table.column(name).category_codes):
            raise SeveralRowsError("error.swap.varying", column=name, args={"column": Name(name), "people": changing})
