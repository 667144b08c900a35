"""Statements for recipients about people with several rows, or whose rows were reduced to one."""

from __future__ import annotations

from ppdm_desktop.engine.release.candidate.model import Prepared
from ppdm_desktop.engine.table.people import People
from ppdm_desktop.engine.wording.catalogue import language, lazy, numbers_of

MORE_THAN_PEOPLE = lazy("more rows than people")
FEWER_THAN_ROWS = lazy("fewer people than records")


def find_reduction_way(prepared: Prepared, column: str) -> str | None:
    """Return how a column's value was computed from a person's rows, as the recipe names it, such as ``mean``.

    "rows" for the column that counts a person's rows. A column for which the recipe names no way of its own has the
    general one, "first" or "last". None if the rows of people were not reduced to one.
    """
    reduce = prepared.complete.input.reduce
    if prepared.reduced is None or reduce is None:
        return None
    return "rows" if column == reduce.rows else reduce.way(column)


def state_row_count(people: People, k_min: int) -> str | None:
    """Return the number of rows as stated to a recipient, in the current language; None if nobody had several rows.

    If there are fewer than ``k_min`` more rows than people, the words "more rows than people" are returned instead,
    because the number would reveal how few people had several: for 105 rows of 100 people, "105" if ``k_min`` is 5 or
    less.
    """
    beyond = people.rows - people.count
    if not beyond:
        return None
    return numbers_of(language()).count(people.rows) if beyond >= k_min else str(MORE_THAN_PEOPLE)


def state_people_count(people: People, k_min: int) -> str | None:
    """Return the number of people as stated to a recipient, in the current language; None if nobody has several rows.

    If there are fewer than ``k_min`` more rows than people, the words "fewer people than records" are returned instead,
    because the number would reveal how few people have several: for 105 rows of 100 people, "100" if ``k_min`` is 5 or
    less.
    """
    if not people.with_several:
        return None
    enough = people.rows - people.count >= k_min
    return numbers_of(language()).count(people.count) if enough else str(FEWER_THAN_ROWS)
