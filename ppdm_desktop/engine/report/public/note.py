"""The release note: everything in it, gathered from what is allowed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ppdm_desktop.engine.recipe.models import PSEUDONYM
from ppdm_desktop.engine.recipe.release_type import RELEASE_TYPES
from ppdm_desktop.engine.report.public.columns import (
    GENERALISED,
    NO_MEAN,
    NO_TREATMENT,
    SEPARATOR,
    SWAPPED,
    Public,
    PublicColumn,
    is_generalised_column,
    is_sampled,
    is_synthetic,
    mask_small_count,
    to_change_band,
)
from ppdm_desktop.engine.table.column import Table
from ppdm_desktop.engine.table.kinds import all_numbers
from ppdm_desktop.engine.utility.distributions import ColumnUtility
from ppdm_desktop.engine.utility.pairs import PairUtility


class PublicStep(Public):
    """A method that was applied to released columns; ``treatment`` is its code, the rest is in the note's language."""

    title: str
    columns: tuple[str, ...]
    treatment: str
    treatment_text: str


class PublicUtility(Public):
    """The usefulness of one column, in bands, as recipients may know it."""

    name: str
    shares: str
    mean: str


class PublicNote(Public):
    """All that the release note says, in its language."""

    language: str
    day: str | None
    version: str
    type: str
    k_min: int
    data_file: str
    data_format: str
    data_sha256: str
    decimal: str
    delimiter: str
    rows: int
    columns_count: int
    guarded: bool
    guard: str
    shuffled: bool
    columns: list[PublicColumn]
    steps: list[PublicStep]
    utility: list[PublicUtility]
    relations: str
    related_columns: tuple[str, str] | None
    """The two columns whose correlation changed most; None where none changed or was measured."""
    rows_of_people: str | None = None
    """How many rows people had before they became one each, as far as it may be stated; None where each was one."""
    people: str | None = None
    """How many people the records are of, as far as it may be stated; None where each is another's."""
    teaching_copy: bool = False
    """Whether these data are for teaching only, and not for release."""
    agreement: bool = False
    """Whether the recipients sign that they will not link the data, look for people, or pass the data on."""
    first_row: bool = True
    """Whether a column's value is that of a person's first row where the columns say nothing else."""
    rows_are_groups: bool = False
    """Whether each row is a group of people, and none of them a person."""
    lost: str | None = None
    """What the data no longer show of the source, in short phrases; None where nothing is lost."""
    broken_rules: str | None = None
    """How many rows break a rule that holds in the source, in a sentence; None where there is no such rule."""
    obeys_rules: bool = False
    """Whether rules hold in the source and no row breaks one."""
    removed: tuple[str, ...] = ()
    """Which records steps left out of the file, a sentence for each step that removed some."""
    signs: tuple[tuple[str, str], ...] = ()
    """The signs that stand for several values in the data, each with what it means."""
    has_codes: bool = False
    """Whether a column holds codes in place of identifiers."""
    has_kit: bool = False
    """Whether the folder of the release holds an analysis kit."""

    @property
    def is_public(self) -> bool:
        """Whether anyone may get the data, so that nobody can be asked to keep them to themselves."""
        return RELEASE_TYPES[self.type].is_public

    @property
    def is_artificial(self) -> bool:
        """Whether a step generated records, so that the rows are artificial and each shows values of several people."""
        return any(is_synthetic(step.treatment) for step in self.steps)

    @property
    def rows_of_columns(self) -> list[tuple[PublicColumn, PublicUtility | None]]:
        """Return each column with its change in bands; None where none was measured."""
        changes = {change.name: change for change in self.utility}
        return [(column, changes.get(column.name)) for column in self.columns]

    @property
    def numbers_for_missing(self) -> list[tuple[str, str]]:
        """The numbers that stand for a missing value, such as -1, each with the name of its column before it."""
        marks = [(column.name, mark) for column in self.columns for mark in column.missing.split(SEPARATOR)]
        return [(name, mark) for name, mark in marks if all_numbers([mark], ".") or all_numbers([mark], ",")]

    @property
    def changed_columns(self) -> list[str]:
        """The names of the columns to which something was done."""
        return [column.name for column in self.columns if column.treatment != NO_TREATMENT.english]

    @property
    def is_swapped(self) -> bool:
        """Whether a step exchanged some values, chosen at random, and left others unchanged."""
        return any(step.treatment.endswith(SWAPPED) for step in self.steps)

    @property
    def is_copied(self) -> bool:
        """Return whether a step released copies of selected records."""
        return any(is_sampled(step.treatment) for step in self.steps)


def public_utility(columns: Sequence[ColumnUtility], described: Sequence[PublicColumn]) -> list[PublicUtility]:
    """Return for each column, in bands, how far its mean and the shares of its values (total variation) changed.

    They are in the order of ``columns``. The shares of a column that ``described`` has as generalised only say that its
    values are broader; they are "not stated" where not measured. The change of a mean is a share of the absolute mean
    before, or of the standard deviation before where that mean is 0 (of 1 where both are 0). It is "not stated" where
    only one side has a mean, and "does not apply" where neither side has one.
    """
    public_utilities = []
    generalised = {column.name for column in described if is_generalised_column(column.treatment)}
    for column in columns:
        before, after, sd = column.mean_before.value, column.mean_after.value, column.sd_before.value
        # What has no mean has not lost it.
        mean = str(NO_MEAN)
        if before is not None and after is not None:
            scale = abs(before) or sd or 1.0
            mean = to_change_band(abs(after - before) / scale)
        elif before is not None or after is not None:
            mean = to_change_band(None)
        shares = str(GENERALISED) if column.name in generalised else to_change_band(column.total_variation.value)
        public_utilities.append(PublicUtility(name=column.name, shares=shares, mean=mean))
    return public_utilities


def build_public_note(
    released: Table,
    *,
    facts: Mapping[str, object],
    columns: Sequence[PublicColumn],
    steps: Sequence[PublicStep],
    utility: Sequence[ColumnUtility],
    pairs: PairUtility,
    k_min: int,
) -> PublicNote:
    """Return the release note's content, gathered from allowed sources.

    It is the facts, columns and steps as given, the table's numbers of rows and columns, whether it has pseudonyms, a
    band for each utility figure, the pair of columns whose correlation changed most (None if none changed), and the
    number of cells that the formula guard marked (an apostrophe in front of what a spreadsheet might execute), such as
    "fewer than 5" where it is from 1 to below k_min. An unknown fact raises pydantic's ValidationError.

    Parameters
    ----------
    released
        The released table.
    facts
        ``language``, ``day``, ``version``, ``type``, ``data_file``, ``data_format``, ``data_sha256``,
        ``decimal``, ``delimiter``, ``shuffled``, ``guarded`` and ``guarded_cells`` have to be there; all other fields
        of `PublicNote` with a default may be, such as ``removed``, ``lost``, ``rows_of_people`` or ``people``.
    columns
        From ``public_column``.
    steps
        The methods with their public parameters.
    utility, pairs
        Measured figures; only their bands are kept.
    k_min
        Smallest count that may be stated.
    """
    note_facts = dict(facts)
    guarded = int(str(note_facts.pop("guarded_cells")))
    return PublicNote.model_validate(
        {
            **note_facts,
            "k_min": k_min,
            "rows": released.rows,
            "columns_count": len(released.columns),
            "guard": mask_small_count(guarded, k_min),
            "columns": list(columns),
            "has_codes": bool(released.with_role(PSEUDONYM)),
            "steps": list(steps),
            "utility": public_utility(utility, columns),
            "relations": to_change_band(pairs.correlation_max_change.value),
            "related_columns": pairs.changed_most if pairs.correlation_max_change.value else None,
        }
    )
