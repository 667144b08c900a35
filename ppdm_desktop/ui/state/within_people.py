"""Which columns are the same in all rows of a person, and what makes them so (no Qt here)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.recipe.models import InputSection, RepairSection, WithinPersonWay
from ppdm_desktop.engine.table.person_ids import people_by
from ppdm_desktop.engine.table.reading import Reading


def count_varying(reading: Reading, person: tuple[str, ...]) -> Callable[[Progress], Mapping[str, int]]:
    """Return work that counts, for each column as read, the people who have two different values in it."""

    def work(progress: Progress) -> Mapping[str, int]:
        table = reading.table
        people = people_by(table, person)
        found = {}
        for place, column in enumerate(table.columns):
            progress.report(place / len(table.columns), "doing.within-person")
            found[column.name] = people.varying(column.category_codes)
        return found

    return work


def with_way(options: InputSection, column: str, way: WithinPersonWay | None) -> InputSection:
    """Return reading options that make a column the same in all rows of a person, or no longer."""
    repairs = dict(options.repair)
    section = repairs.pop(column, RepairSection()).model_copy(update={"within_person": way})
    if way is not None or section.in_reading:
        repairs[column] = section
    return options.model_copy(update={"repair": repairs})
