"""What is said of people who have several rows, or had them before they became one each."""

from __future__ import annotations

from ppdm_desktop.engine.release.candidate.model import Prepared
from ppdm_desktop.engine.table.people import People
from ppdm_desktop.engine.wording.catalogue import language, lazy, numbers_of

MORE_THAN_PEOPLE = lazy("more rows than people")
FEWER_THAN_ROWS = lazy("fewer people than records")


def way_of(prepared: Prepared, column: str) -> str | None:
    """Return how a column's value was made of a person's rows, ``rows`` for their number.

    None where each row is a person.
    """
    reduce = prepared.complete.input.reduce
    if prepared.reduced is None or reduce is None:
        return None
    return "rows" if column == reduce.rows else reduce.way(column)


def rows_stated(people: People, k_min: int) -> str | None:
    """Return how many rows are stated to a recipient: their number gives away how many people had several.

    None where nobody had several; a number of rows beyond one each that is smaller than the smallest group
    is not stated.
    """
    beyond = people.rows - people.count
    if not beyond:
        return None
    return numbers_of(language()).count(people.rows) if beyond >= k_min else str(MORE_THAN_PEOPLE)


def people_stated(people: People | None, k_min: int) -> str | None:
    """Return of how many people rows are released, as stated to a recipient: it gives away how many have several.

    None where nobody has several; a number of rows beyond one each that is smaller than the smallest group
    is not stated.
    """
    if people is None or not people.with_several:
        return None
    enough = people.rows - people.count >= k_min
    return numbers_of(language()).count(people.count) if enough else str(FEWER_THAN_ROWS)
