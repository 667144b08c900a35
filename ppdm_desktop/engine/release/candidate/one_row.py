"""What is said of a source whose people had several rows, before they became one each."""

from __future__ import annotations

from ppdm_desktop.engine.release.candidate.model import Prepared
from ppdm_desktop.engine.table.people import People

MORE_THAN_PEOPLE = "more rows than people"


def way_of(prepared: Prepared, column: str) -> str | None:
    """Return how a column's value was made of a person's rows, ``rows`` for their number.

    None where each row is a person.
    """
    reduce = prepared.complete.input.reduce
    if prepared.people is None or reduce is None:
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
