"""What is said of people who have several rows, or had them before they became one each."""

from __future__ import annotations

from ppdm_desktop.engine.release.candidate.model import Prepared
from ppdm_desktop.engine.table.people import People

MORE_THAN_PEOPLE = "more rows than people"
FEWER_THAN_ROWS = "fewer people than records"


def way_of(prepared: Prepared, column: str) -> str | None:
    """Return how a column's value was made of a person's rows, ``rows`` for their number.

    None where each row is a person.
    """
    reduce = prepared.complete.input.reduce
    if prepared.reduced is None or reduce is None:
        return None
    return "rows" if column == reduce.rows else reduce.way(column)


def rows_told(people: People, k_min: int) -> str | None:
    """Return how many rows a recipient may be told of: their number gives away how many people had several.

    None where nobody had several; a number of rows beyond one each that is smaller than the smallest group
    is not told.
    """
    beyond = people.rows - people.count
    if not beyond:
        return None
    return str(people.rows) if beyond >= k_min else MORE_THAN_PEOPLE


def people_told(people: People | None, k_min: int) -> str | None:
    """Return how many people a recipient may be told of whose rows are released: it gives away how many have several.

    None where nobody has several; a number of rows beyond one each that is smaller than the smallest group
    is not told.
    """
    if people is None or not people.with_several:
        return None
    return str(people.count) if people.rows - people.count >= k_min else FEWER_THAN_ROWS
