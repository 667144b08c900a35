"""The source, the program and the released files in the report."""

from __future__ import annotations

from typing import Literal

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.report.model.base import Part
from ppdm_desktop.engine.wording.catalogue import lazy

RULES = 2
"""By which rules a release is made and judged; raised whenever the same recipe and key give another release."""


NOT_OURS = lazy("not part of PPDM Desktop").english
"""What is said of every plug-in, in whatever language a page is written."""


class PluginEntry(Part):
    """A plug-in that the recipe named; it is no part of PPDM Desktop."""

    distribution: str
    version: str
    publisher: str
    sha256: str
    note: str = NOT_OURS


class Program(Part):
    """The program and platform that made the release."""

    version: str
    rules: int
    python: str
    libraries: dict[str, str]
    platform_class: str
    self_test: str | None
    plugins: list[PluginEntry] = []


class Operator(Part):
    """Who is responsible for the release, its purpose and its recipients; each None unless entered."""

    name: str | None
    note: str | None
    approver: str | None
    review_date: str | None
    expires: str | None = None
    dataset: str | None = None
    controller: str | None = None
    purpose: str | None = None
    legal_basis: str | None = None
    recipient: str | None = None
    dpo: str | None = None
    categories_of_persons: str | None = None
    retention: str | None = None
    measures: str | None = None
    incident: str | None = None
    special_categories: bool | None = None


class LogEntry(Part):
    """The number of lines of the log of decisions when the release was written, and the hash of the last one."""

    length: int
    head: str


class UnreadRow(Part):
    """A row of the source that could not be read."""

    line: int
    reason: str


class Hidden(Part):
    """What the source hides from view: rows, columns or sheets."""

    rows: int
    columns: int
    sheets: int


class LeftOutRow(Part):
    """A row of the source that the owner left out."""

    row: int
    reason: str


class RepairEntry(Part):
    """A repair of a column: counts only, no values."""

    column: str
    kind: str
    cells: int
    unread: int


class OwnMarkEntry(Part):
    """A text that the source itself declares as missing in one column, with its label there."""

    column: str
    mark: str
    label: str
    cells: int


class PeopleEntry(Part):
    """The person of each row: the columns that identify people, and how many rows people have.

    Attributes
    ----------
    columns
        The columns that hold a person's id together.
    count
        People, those without an id among them.
    with_several, most_rows
        People with more than one row, and the rows of who has most.
    without_id
        Rows without an id, each taken for a person of its own.
    rows
        Rows of all of them.
    household
        The column that says who lives together.
    """

    columns: list[str]
    count: int
    with_several: int
    most_rows: int
    without_id: int
    rows: int
    household: str | None = None


class ReduceEntry(Part):
    """How the rows of each person were reduced to one, as the recipe declares it."""

    by: str
    order_by: str | None
    rows: str | None
    columns: dict[str, str]


class Input(Part):
    """The source and how it was read; ``name`` is the file's, without its folder."""

    name: str | None = None
    sha256: str
    bytes: int
    format: str
    sheet: str | None
    encoding: str | None
    delimiter: str | None
    decimal: str | None
    rows_read: int
    rows_unread: list[UnreadRow]
    columns_read: int
    missing_marks: list[str]
    hidden: Hidden
    header_row: int = 1
    names_given: int = 0
    rows_left_out: list[LeftOutRow] = []
    repairs: list[RepairEntry] = []
    person_column: str | None
    persons: int | None
    people: PeopleEntry | None = None
    reduce: ReduceEntry | None = None
    missing_in_columns: list[OwnMarkEntry] = []

    @property
    def records(self) -> int:
        """Return the number of protected records: people where their rows were reduced to one, else rows."""
        return self.people.count if self.people is not None and self.reduce is not None else self.rows_read


class Release(Part):
    """The released table and the thresholds it was judged by; with ``four_eyes`` a second person has to approve it."""

    type: str
    k_min: int
    threshold_source: str
    format: str
    rows: int
    columns: int
    shuffled: bool
    data_sha256: str | None
    key: Literal["kept", "destroyed", "seed"]
    draws_of_this_recipe: int | None
    teaching_copy: bool = False
    four_eyes: bool = False


class WithinPerson(Part):
    """Whether a column is constant within each person.

    Attributes
    ----------
    constant
        No person with several rows has two values.
    people_varying
        People who have.
    """

    constant: bool
    people_varying: int


class ColumnEntry(Part):
    """One column of the source and what was done to it; ``within_person`` only where people keep several rows."""

    name: str
    role: str | None
    kind: str
    treatment: str
    step: int | None
    missing: int
    distinct_before: int
    distinct_after: int | None
    changed: Figure
    released: bool
    within_person: WithinPerson | None = None


class FileEntry(Part):
    """One file of the release folder."""

    path: str
    sha256: str
    bytes: int


class SafeHarborEntry(Part):
    """A source column that a row of the Safe Harbor (45 CFR 164.514(b)(2)) asks for.

    Attributes
    ----------
    row, column
        Id of the row in its form, and the column's name.
    cells
        Released cells that still hold it; None where the column is not released.
    characters
        Of places the longest released text, in characters.
    """

    row: str
    column: str
    cells: int | None
    characters: int | None = None
