"""The report, format 3: the one object that report.json, the pages and the window show.

Keys are never absent and their order is the order of the fields below. A part that was not measured is None, or an
empty list where the field is a list.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from numbers import Integral
from typing import Annotated, Any, Literal, Self

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, SerializerFunctionWrapHandler, field_validator, model_serializer

from ppdm_desktop.engine.figure import Figure, Measure, Message, fill_missing_measures
from ppdm_desktop.engine.identifiability.measures import Counts
from ppdm_desktop.engine.methods.base.step import Guarantee, Used
from ppdm_desktop.engine.recipe.models import Operator
from ppdm_desktop.engine.table.levels import Demand
from ppdm_desktop.engine.table.reading.import_log import Hidden, LeftOut, MarkOfColumn, RepairDone
from ppdm_desktop.engine.utility.clusters import ClusterAgreement
from ppdm_desktop.engine.utility.conclusions import Conclusions
from ppdm_desktop.engine.utility.distributions import ColumnUtility
from ppdm_desktop.engine.utility.models.suite import Leaves
from ppdm_desktop.engine.utility.pairs import PairUtility
from ppdm_desktop.engine.utility.whole_table import TableFigures
from ppdm_desktop.engine.wording.catalogue import _, lazy
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import LazyText, Ratio, Terms, Value, as_data, refuse_untyped, restore_values

Status = Literal["green", "amber", "red", "not-applicable", "not-run"]
Residual = Literal["", "certain", "everything", "found"]
"""Which half of the sentence on the residual risk a check's figure is: values revealed for certain, the same
to someone who knows all else that is released, and people found."""
INFINITE = "infinite"
"""How report.json writes a number without an end, of which JSON knows none."""


class Part(BaseModel):
    """A part of the report: frozen, no key beyond those declared."""

    model_config = ConfigDict(extra="forbid", frozen=True, protected_namespaces=(), from_attributes=True)

    @classmethod
    def copy_of(cls, measured: object, **fields: Any) -> Self:
        """Return a part filled from the attributes of ``measured`` that have its fields' names, and from ``fields``.

        ``fields`` override attributes; NumPy numbers among the attributes become Python ones. A field in neither gets
        its default. One without a default, an invalid value, and an unknown name in ``fields`` raise pydantic's
        ValidationError.
        """
        names = [name for name in cls.model_fields if name not in fields and hasattr(measured, name)]
        copied = {name: getattr(measured, name) for name in names}
        plain = {name: value.item() if isinstance(value, np.generic) else value for name, value in copied.items()}
        return cls.model_validate(plain | fields)


def _to_plain_value(value: object) -> object:
    """Return a value of a sentence as data for report.json: whole numbers as int, NumPy's too, others as plain data.

    A share, for example, becomes a mapping that names its kind (see `as_data`); what is plain already is unchanged.
    """
    if isinstance(value, int):
        return value
    return int(value) if isinstance(value, Integral) else as_data(value)


class Sentence(Part):
    """A sentence as the id of its text, and the values to be inserted."""

    id: str
    arguments: dict[str, object]

    @classmethod
    def of(cls, id: str, arguments: Mapping[str, Value] | None = None) -> Self:
        """Return a sentence with a text id and the values to be inserted, which stay data until it is translated.

        Raises
        ------
        TypeError
            When a value is a text or a bare float (a fault of the program).
        """
        refuse_untyped(id, arguments or {})
        return cls(id=id, arguments=dict(arguments or {}))

    @property
    def note(self) -> Note:
        """The sentence as a note with typed values, which can be written in the current language."""
        return Note(self.id, restore_values(self.arguments))

    @field_validator("arguments", mode="before")
    @classmethod
    def _to_plain_arguments(cls, arguments: object) -> object:
        """Return the arguments of a sentence as data from which it can be written again.

        Anything but a dict is returned unchanged; the validation that follows refuses it.
        """
        if not isinstance(arguments, dict):
            return arguments
        # NumPy's whole numbers are counts like any other.
        return {name: _to_plain_value(argument) for name, argument in arguments.items()}


RULES = 2
"""By which rules a release is made and judged; raised whenever the same recipe and key give another release."""


NOT_OURS = lazy("not part of PPDM Desktop").english
"""What is said of every plug-in, in whatever language a page is written."""


class PluginEntry(Part):
    """A plug-in that the recipe named; plug-ins are not part of PPDM Desktop."""

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


class LogEntry(Part):
    """The number of lines of the log of decisions when the release was written, and the hash of the last one."""

    length: int
    head: str


class UnreadRow(Part):
    """A row of the source that could not be read."""

    line: int
    reason: str


class PeopleEntry(Part):
    """The person of each row: the columns that identify people, and how many rows people have.

    Attributes
    ----------
    columns
        The columns whose values together are a person's id.
    count
        Number of people, including those without an id.
    with_several, most_rows
        Number of people with more than one row, and the largest number of rows that a person has.
    without_id
        Number of rows without an id; each counts as a different person.
    rows
        Number of rows of all people.
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
    """How the rows of each person were combined into one, as the recipe declares it."""

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
    rows_left_out: list[LeftOut] = []
    repairs: list[RepairDone] = []
    person_column: str | None
    persons: int | None
    people: PeopleEntry | None = None
    reduce: ReduceEntry | None = None
    missing_in_columns: list[MarkOfColumn] = []

    @property
    def records(self) -> int:
        """Return the number of protected records: people where their rows were reduced to one, else rows."""
        return self.people.count if self.people is not None and self.reduce is not None else self.rows_read


class Release(Part):
    """The released table and the limits that it was judged by.

    ``four_eyes`` means that a second person has to approve the release.
    """

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
        Whether no person with several rows has two different values.
    people_varying
        Number of people who have different values.
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
    """A source column that one row of the Safe Harbor form (45 CFR 164.514(b)(2)) requires to be removed or shortened.

    Attributes
    ----------
    row, column
        Id of the row in the form, and the column's name.
    cells
        Number of released cells that still show what the row asks for; None where the column is not released, or the
        file cannot be read.
    characters
        For columns of places: length of the longest such text in characters, without trailing signs that stand for
        digits no longer shown; None for other columns.
    """

    row: str
    column: str
    cells: int | None
    characters: int | None = None


class LevelEntry(Part):
    """A privacy level in use: how many records have it, and the words in the file that ask for it."""

    name: str
    demand: Demand
    records: int
    words: list[str] = []

    @model_serializer(mode="wrap")
    def _drop_empty_words(self, whole: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Return the entry as data, without the words if there are none."""
        fields: dict[str, Any] = whole(self)
        return fields if self.words else {key: value for key, value in fields.items() if key != "words"}


class LevelSources(Part):
    """How many records got their privacy level from each source, such as a column of the file or the default."""

    default: int
    column: int
    rules: int
    rows: int


class Privacy(Part):
    """The privacy levels that were asked for, and how many records have each."""

    default: str | int
    sources: LevelSources
    levels: list[LevelEntry]

    @property
    def level_labels(self) -> dict[str, list[str]]:
        """Return the words with which the file asks for each privacy level, by the level's name."""
        return {level.name: level.words for level in self.levels}


class StepEntry(Part):
    """One step of the recipe as it ran.

    ``parameters`` holds every parameter, with defaults filled in, and ``written`` only those that the recipe states.
    ``used`` holds the values that replaced them where privacy levels, columns or the program decided, and ``idle`` the
    parameters that had no effect. The last two are empty in older reports.
    """

    index: int
    method: str
    mode: str
    columns: list[str]
    parameters: dict[str, Any]
    correspondence: str
    protects: str
    promise: str | None
    guarantee: Guarantee
    notes: list[Sentence]
    seconds: float
    detail: dict[str, Any]
    written: list[str] = []
    used: list[Used] = []
    idle: list[str] = []


class LevelProofEntry(Part):
    """How one step protected the records of one privacy level, counted in the released file.

    ``asked`` is what the level and the recipe ask for, ``demanded`` what the step had to give; ``short`` counts the
    people who did not get what was promised, ``changed`` those whose value differs from before.
    """

    step: int
    column: str
    level: str
    records: int
    covered: int
    not_covered: int
    demanded: float | None
    least_achieved: float | None
    worst_row: int | None
    met: bool
    privacy_loss: float | None
    asked: float | None = None
    changed: int | None = None
    short: int = 0


class ClassSize(Part):
    """Number of equivalence classes with a given size."""

    size: int
    classes: int
    records: int


class MeasureEntry(Part):
    """Class sizes as seen by an intruder who knows one row of a person, or by one who knows all rows; in people.

    Attributes
    ----------
    judges
        Whether limits apply to this measure; else it is shown only.
    equivalence_classes
        Number of classes: of rows with equal values, or of people all of whose rows have equal values.
    k, unique, below_k_min
        Smallest class size in people; number of people alone in their class; number of people in classes smaller than
        the release type requires.
    unique_with_several
        Number of people alone in their class who have several rows.
    """

    judges: bool
    people: int
    equivalence_classes: int
    k: int
    unique: int
    unique_with_several: int
    below_k_min: int
    identifiable: dict[str, Counts]
    prosecutor_max: float
    prosecutor_mean: float
    l_distinct: int | None


class HouseholdsEntry(Part):
    """Risk of households, which is shown but not compared with a limit.

    Attributes
    ----------
    count, with_several
        Number of households, and of those with two people or more.
    unique
        Number of households whose details no other household has.
    found_mean, found_max
        Mean and largest probability that at least one member of a household is re-identified.
    """

    count: int
    with_several: int
    unique: int
    found_mean: float
    found_max: float


class RiskBlock(Part):
    """Risk of a table if an intruder knows one set of columns.

    Where people have several rows, ``records`` and all counts are numbers of people, and ``rows`` is their number of
    rows.
    """

    columns: list[str]
    records: int
    equivalence_classes: int
    k: int
    class_sizes: list[ClassSize]
    unique: int
    identifiable: dict[str, Counts]
    prosecutor_max: float
    prosecutor_mean: float
    share_over_threshold: float
    journalist_max: Figure
    journalist_mean: Figure
    marketer: float
    l_distinct: int | None
    l_entropy: Figure
    t_closeness: Figure
    unique_sets: list[list[str]] | None
    rows: int | None = None
    one_row: MeasureEntry | None = None
    all_rows: MeasureEntry | None = None
    households: HouseholdsEntry | None = None


class RiskScopes(Part):
    """The risk by two intruders: one knows the quasi-identifiers, the other all columns that are not confidential."""

    quasi_identifiers: RiskBlock | None
    released: RiskBlock | None


class RiskSide(Part):
    """Risk of one table, before or after."""

    scope: RiskScopes
    applies: bool


class Risk(Part):
    """Risk before and after."""

    before: RiskSide
    after: RiskSide


class MapEntry(Part):
    """Risk by an intruder who does not know who is in the file, computed from a table of the whole population.

    Attributes
    ----------
    journalist_max, journalist_mean
        Highest probability of re-identification, and its mean over classes.
    marketer
        Expected share of people re-identified by an intruder who looks for everybody.
    presence
        Largest share, over all classes, of the population's members who are in the file.
    """

    journalist_max: float
    journalist_mean: float
    marketer: float
    presence: float


class ExpertEntry(Part):
    """Figures for experts on population uniqueness: bounds that always hold, and estimates by several models.

    Attributes
    ----------
    low, high
        Bounds of the share of people unique in the file who are unique in the population, too.
    zayatz, pitman, dankar
        Estimates of this share by three models.
    individual
        Mean risk of the unique people by Benedetti & Franconi.
    """

    low: float
    high: float
    zayatz: float
    pitman: float
    dankar: float
    individual: float


class OutsideEntry(Part):
    """The population that the file was drawn from, and the risk of people who are unique in the file within it.

    Attributes
    ----------
    who, size, drawn
        Who they are, how many, and how they were drawn, as the owner states; a size left out is computed from weights
        or a table.
    by_table
        Whether there is a table of the population.
    theta
        Probability that a person of the population who has the details of somebody unique in the file is that person.
    f
        Number of classes with one, two and three people.
    left_out
        Number of unique people left out because a value is missing or they are not in the release.
    kmap, expert
        Figures from a table of the population, and figures for experts; None where they do not exist.
    """

    who: str
    size: int | None
    drawn: Literal["everybody", "random", "not-random"]
    by_table: bool
    theta: Figure
    f: list[int]
    left_out: int
    kmap: MapEntry | None
    expert: ExpertEntry | None


Outcome = Literal["withstood", "note", "works", "forecast"]


class AttackTail(Part):
    """Share of people about whom the attack is at least 95 % sure and right, and the same share for the control."""

    share_sure_and_right: Figure
    control: Figure


class AttackLevel(Part):
    """Result of an attack on the records of one privacy level.

    ``limit`` is the largest value allowed, and ``met`` tells whether the upper end of the figure's interval does not
    exceed it.
    """

    level: str
    records: int
    success: Figure
    limit: float
    met: bool


class AttackLabels(Part):
    """What an attack declares for the documents: its kind, and ids of texts.

    Attributes
    ----------
    kind
        Kind of attack, such as ``picking-out``; empty where it was not declared.
    title
        Name of the attack within a sentence; empty where it was not declared.
    control, chance
        Names of the figures with which its success is compared.
    figures
        What the attack's success measures; empty where it is a share of people or an error.
    further
        Name of each additional figure, by its key.
    outcome
        How the attack ended by its own criterion; None where it was not declared.
    judged_by
        The id of the check that judges it.
    """

    kind: str = ""
    title: str = ""
    control: str = "attack.control.one-guess"
    chance: str = "attack.chance.blind"
    figures: str = ""
    further: dict[str, str] = Field(default_factory=dict)
    outcome: Outcome | None = None
    judged_by: str = ""


class AttackEntry(Part):
    """One result of an attack on the release: on one column, or on all columns at once.

    Attributes
    ----------
    id
        Id of the attack.
    column
        The attacked column; None where it is not a single one.
    knows
        What the intruder knows, with the names of the columns.
    success
        Success of the attack: a share of people, a remaining error (unit ``noise sd``) or a count.
    control
        Success of the same attack without what is tested, such as the people's own records; absent, with the reason,
        where there is no control.
    chance
        Success of guessing without knowing anything about the person.
    advantage
        Success less control, or less chance where there is no control. The limit applies to it, except for an attack
        that re-identifies people, where it applies to the success.
    tail
        Share of people about whom the intruder is nearly sure and right.
    tolerance
        Largest error with which a guess at a number counts as right; 0 for the exact value, None where no number is
        guessed.
    sampled
        Number of attacked people; 0 where the result is computed without attacking anybody.
    severity
        Severity, by the limits of the check of this attack.
    sentence
        The result in a sentence.
    levels
        Results by privacy level, where levels have different limits; else empty.
    further
        Additional figures of this attack by key; ``ratio`` is the one that the limit applies to, if present.
    labels
        Texts that the attack declares for the documents; not in report.json.
    """

    id: str
    column: str | None = None
    knows: Sentence
    success: Figure
    control: Figure
    chance: Figure
    advantage: Figure
    tail: AttackTail
    tolerance: float | None = None
    sampled: int
    severity: Literal["none", "some", "serious", "total"]
    sentence: Sentence
    levels: list[AttackLevel] = Field(default_factory=list)
    further: dict[str, Figure] = Field(default_factory=dict)
    labels: AttackLabels = Field(default_factory=AttackLabels, exclude=True)


class ReasonEntry(Part):
    """The written reason that lets the amber checks of one cause pass.

    Attributes
    ----------
    cause, title
        Id of the cause, and the text id of its name.
    reason, at
        Text of the reason, and when it was recorded.
    checks
        The checks that the reason lets pass, each with the worst figure that it accepts.
    """

    cause: str
    title: str
    reason: str
    at: str | None
    checks: dict[str, float | int | str | None]


class CheckEntry(Part):
    """One check of the gate, which decides whether the data may be released.

    Attributes
    ----------
    cause
        The cause that the check belongs to; one written reason lets all checks of a cause pass.
    figure, limit, direction
        The measured figure, the limit that it is compared with, and whether it must be at most or at least the limit.
    hits, of
        Number of people found, and of how many; None where people are not counted.
    on_certificate
        Whether every page names the figure, even if the check passed; declared by the check, not in report.json.
    residual
        Which part of the residual risk the figure measures; declared by the check, not in report.json.
    figure_title
        Text id of the figure's name; empty where it is the check's title. Declared by the check, not in report.json.
    counts_singled
        Whether pages show the number of people singled out, counted in the same way for all verdicts, instead of the
        check's own count. Declared by the check, not in report.json.
    is_gain
        Whether the figure is a difference of two shares; in report.json only where True.
    is_agreed
        Whether the check passes only because of the agreement with the recipients; not in report.json.
    fix_on
        The page of the window where the user can correct it.
    """

    id: str
    cause: str
    status: Status
    figure: Figure | None
    limit: float | int | str | None
    direction: Literal["at-most", "at-least"]
    hits: int | None
    of: int | None
    sentence: Sentence
    fix_on: str
    on_certificate: bool = Field(default=False, exclude=True)
    residual: Residual = Field(default="", exclude=True)
    figure_title: str = Field(default="", exclude=True)
    counts_singled: bool = Field(default=False, exclude=True)
    is_agreed: bool = Field(default=False, exclude=True)
    is_gain: bool = Field(default=False, exclude_if=lambda gain: not gain)

    @property
    def judged_value(self) -> float | None:
        """The end of the figure's interval that is compared with the limit; None where no figure was measured.

        It is the upper end where the figure must not exceed the limit, the lower end where it must reach it, and the
        figure itself where it has no interval.
        """
        if self.figure is None or self.figure.value is None:
            return None
        end = self.figure.high if self.direction == "at-most" else self.figure.low
        return float(self.figure.value if end is None else end)

    @property
    def share(self) -> float | None:
        """The figure as a share from 0 (no risk) to 1; None where it was not measured or is no share.

        It is the end of the interval that is compared with the limit, cut off at 0 and 1. For a ratio (of protection
        left) it is 1 minus this end: 0.7 gives 0.3. For any other unit it is the people found divided by all people, at
        least 0, and None where people are not counted or there are none.
        """
        value = self.judged_value
        if value is None or self.figure is None:
            return None
        if self.figure.unit == "ratio":
            # What is left of the protection is measured, what can be taken off is the risk.
            return min(max(1.0 - value, 0.0), 1.0)
        if self.figure.unit != "share":
            # Fewer may be found with a record than without it: nothing is gained then.
            return max(self.hits / self.of, 0.0) if self.hits is not None and self.of else None
        return min(max(value, 0.0), 1.0)


class DecisionEntry(Part):
    """What the gate decided.

    Attributes
    ----------
    status
        ``released``, ``released-with-reasons``, ``blocked``, or ``not-judged`` where a gate does not apply.
    released
        Whether the data are released; False for a draft (a trial without release).
    blocked_by, accepted
        Checks that prevent the release, and those that a written reason lets pass.
    reasons
        The written reasons that count, in the order of their causes.
    """

    status: Literal["released", "released-with-reasons", "blocked", "not-judged"]
    released: bool
    blocked_by: list[str]
    accepted: list[str]
    reasons: list[ReasonEntry] = []

    def reason_for(self, check: str) -> ReasonEntry | None:
        """Return the written reason that lets a check pass; None where there is none."""
        return next((entry for entry in self.reasons if check in entry.checks), None)


class BetterEntry(Part):
    """An earlier run with other random draws that failed a check, in which the released run is better."""

    draw: int
    check: str
    status: Status


class DrawsEntry(Part):
    """How often the methods were run on these columns of the source with new random draws, since the day ``since``."""

    number: int
    tried: int
    since: str | None
    better_than_earlier: list[BetterEntry]
    key: Literal["os", "file", "seed"]


class RuleEntry(Part):
    """A rule of the source, the source rows in which it holds, and the released rows that break it."""

    kind: str
    columns: list[str]
    holds_in: int
    of: int
    broken: int


class RulesEntry(Part):
    """How many rows break at least one rule, in the release and in the source.

    Attributes
    ----------
    rows, rows_of_source
        All rows of the release, and of the source.
    broken
        Released rows that break a rule whatever values their rounded numbers, limits and ranges stand for.
    broken_as_printed
        Released rows that break a rule between columns if each number is taken as it is printed.
    """

    rows: int
    broken: int
    broken_as_printed: int
    rows_of_source: int
    broken_in_source: int
    rules: list[RuleEntry]


class ModelEntry(Part):
    """How often one learner predicts one column rightly from the others.

    ``text`` is the text id of what the learner is called and how it learns.
    """

    task: Message
    learner: str
    text: str
    target: str
    folds: int
    original: Annotated[
        Figure,
        Measure(
            lazy("Original"),
            "people",
            help=lazy("Learnt from original records, tested on other original records."),
            brief=lazy("Original"),
        ),
    ]
    released_true_labels: Annotated[
        Figure,
        Measure(
            lazy("Released, tested on the truth"),
            "people",
            help=lazy(
                "Learnt from released records, tested on what is true of other people: the value of the release for "
                "an analyst."
            ),
            brief=lazy("Released"),
        ),
    ]
    released_labels: Annotated[
        Figure,
        Measure(
            lazy("Released, tested on the release"),
            "people",
            help=lazy(
                "Learnt from released records, tested on what the release shows of other records: what an analyst "
                "would believe."
            ),
        ),
    ]
    baseline: Annotated[
        Figure,
        Measure(
            lazy("Most common value"),
            "people",
            help=lazy("Always the same answer. A learner that is no better has learnt nothing."),
            brief=lazy("Most common value"),
        ),
    ]
    leaves: Leaves | None


class ColumnsAndPairs(Part):
    """How far single columns and pairs of columns changed."""

    columns: list[Annotated[ColumnUtility, fill_missing_measures(ColumnUtility)]]
    pairs: PairUtility


class Utility(TableFigures, ColumnsAndPairs):
    """How useful the release still is; what analyses preserve is None until they were tried."""

    models: list[Annotated[ModelEntry, fill_missing_measures(ModelEntry)]] | None = None
    conclusions: list[Conclusions] | None = None
    clusters: list[Annotated[ClusterAgreement, fill_missing_measures(ClusterAgreement)]] | None = None
    rows_suppressed: int


ORIGINAL, CANDIDATE = "original", "candidate"
ARTIFICIAL = "released rows are nobody's"
"""Why there is no class size where rows are artificial."""


class CertaintyEntry(Part):
    """For how many people an intruder is sure of the value of a confidential column.

    Attributes
    ----------
    certain
        People whose value the intruder is sure of and right about.
    proved
        Those among ``certain`` for whom only one value is possible.
    wrong
        People whose value the intruder is sure of and wrong about, counted separately.
    """

    certain: int
    proved: int
    wrong: int


class WorstCaseEntry(Part):
    """The worst-case people, whose values are least uncertain.

    It has their number, and how many are guessed right with and without their own rows.
    """

    people: int
    right: int
    control: int


class RareEntry(Part):
    """A rare value, and how well an intruder can name the people who have it.

    Attributes
    ----------
    secret
        The category, or the number at which a tail of numbers begins.
    above
        For a tail: whether it lies above that number; None for a category.
    holders, named, right
        Number of people who have it, of people named as having it, and of those among them who do.
    recall
        Share of the people with the value who are named.
    """

    secret: str | float
    above: bool | None
    holders: int
    named: int
    right: int
    recall: float


class LevelBeliefEntry(Part):
    """What an intruder believes about the people of one privacy level."""

    level: str
    people: int
    certain_by_others: int
    certain_by_all: int


class BeliefEntry(Part):
    """What an intruder believes about the values of one confidential column.

    Attributes
    ----------
    column, family
        Name of the column, and the kind of protection that its released values show.
    people
        Number of people among whom these figures were counted: all who have a value, or a sample of them.
    by_others, by_all
        What two intruders are sure of: one knows the quasi-identifiers, the other all other released columns.
    exposed, rare
        The worst-case people, and the rare value whose holders are named best.
    left, ratio, prior
        For noise: error of the best guess in standard deviations of the noise, this error divided by that of the
        linear guess, and the name of the assumed prior distribution.
    by_level
        The beliefs about people of each level; empty without levels.
    """

    column: str
    family: str
    people: int
    by_others: CertaintyEntry
    by_all: CertaintyEntry
    exposed: WorstCaseEntry
    rare: RareEntry | None
    left: float | None
    ratio: float | None
    prior: str | None
    by_level: list[LevelBeliefEntry]


class SetEntry(Part):
    """A set of columns, and how many people have a unique combination of values in it."""

    columns: list[str]
    alone: int


class SingledEntry(Part):
    """Number of people whose values nobody else has, by what an intruder knows, of the people counted."""

    people: int
    by_others: int
    by_all_but_secret: int
    by_all_but_one: int
    by_all: int
    columns: list[str]
    sets: list[SetEntry]


class NearEntry(Part):
    """A column that nearly identifies people: how many are unique in it or share their value with few."""

    column: str
    alone: int
    few: int
    people: int


class TryFirstEntry(Part):
    """A person who is easiest to find in the release, as a row of the source, and the reason."""

    row: int
    why: Literal["by_others", "by_all", "singled"]


class DependencyEntry(Part):
    """A column that columns released unchanged predict: which columns, by which rule, and for how many people.

    ``share`` is the share predicted correctly less what chance gives, or the R² of a learner.
    """

    column: str
    manner: str
    givers: list[str]
    words: str
    share: float
    right: int
    people: int


class ClassSizeEntry(Part):
    """Class sizes by one measure: the smallest class, the people in classes below the limit, and the unique people."""

    k: int
    below: int
    alone: int


class ClassesEntry(Part):
    """Equivalence classes of quasi-identifiers, counted in people.

    Attributes
    ----------
    k, below, of
        Size of the smallest class, number of people in classes below the limit, and number of people counted, by the
        measure that the limit applies to. The first two are None where class sizes say nothing about risk.
    why
        Why class sizes say nothing.
    judged
        The measure that the limit applies to: ``all_rows`` where a person's rows can be linked in the release.
    one_row, all_rows
        Class sizes for an intruder who knows one row of a person, and for one who knows all rows; None where nobody
        has several rows.
    """

    k: int | None
    below: int | None
    of: int
    why: str | None
    judged: Literal["one_row", "all_rows"] = "one_row"
    one_row: ClassSizeEntry | None = None
    all_rows: ClassSizeEntry | None = None

    @property
    def artificial(self) -> bool:
        """Whether the released rows are synthetic, so that their equivalence classes say nothing about people."""
        return self.why == ARTIFICIAL


class UsefulnessEntry(Part):
    """The usefulness of the release in one figure for each aspect; every page shows these and no other.

    Attributes
    ----------
    columns, pairs
        Mean over source columns, and over pairs of columns, of the share of information that the release keeps, 0 to
        1.
    believable
        Share of released rows that break no rule which holds in the source.
    useful
        Geometric mean of these three, without those not measured.
    lost
        What the release no longer shows, in one sentence with the names of the columns; None where it is not known.
    learners
        How often each kind of learner predicts the confidential columns correctly, by the learner's id; empty before
        this was measured.
    analyses
        Mean of these as a share of what the original gives.
    marked_lost
        Number of columns marked as having to stay detailed that are gone or shown only roughly; not in report.json.
    secrets_gone
        Number of confidential columns that are gone; not in report.json.
    lost_detail
        Number of columns that are gone, shown only roughly or with changed values; not in report.json.
    """

    columns: Figure
    pairs: Figure
    believable: Figure
    useful: Figure
    lost: Message | None
    learners: dict[str, Figure]
    analyses: Figure
    marked_lost: int = Field(default=0, exclude=True)
    secrets_gone: int = Field(default=0, exclude=True)
    lost_detail: int = Field(default=0, exclude=True)

    @property
    def parts(self) -> Terms:
        """Those of three figures that were measured, as texts such as "92% of 13 columns", for use in a sentence.

        They are the information kept of columns ("92% of 13 columns") and of pairs ("80% of 78 pairs of columns"), and
        the share of believable rows ("99% of the rows believable"), in this order; empty if none was measured.
        """
        messages: list[LazyText] = []
        if self.columns.value is not None:
            kept = Ratio(float(self.columns.value))
            messages.append(lazy("{share} of {n} {n:column|columns}", share=kept, n=self.columns.n or 0))
        if self.pairs.value is not None:
            kept = Ratio(float(self.pairs.value))
            messages.append(lazy("{share} of {n} {n:pair|pairs} of columns", share=kept, n=self.pairs.n or 0))
        if self.believable.value is not None:
            kept = Ratio(float(self.believable.value))
            messages.append(lazy("{share} of the rows believable", share=kept))
        return Terms(tuple(messages))

    @property
    def figures_sentence(self) -> str:
        """The overall figure and those it is made of, in words in the current language; "" where it is not known.

        Example: "Useful: 90%. It keeps 92% of 13 columns and 99% of the rows believable."
        """
        if self.useful.value is None:
            return ""
        useful = Ratio(float(self.useful.value))
        return _("Useful: {share}. It keeps {parts}.", share=useful, parts=self.parts)

    @property
    def summary(self) -> str:
        """Return the figures and the losses in two sentences in the current language; empty where none is known."""
        return " ".join(filter(None, (self.figures_sentence, "" if self.lost is None else str(self.lost))))


class Verdict(Part):
    """What one table reveals, and whether it may be released.

    Attributes
    ----------
    subject
        ``original``: the source as it is, or ``candidate``: what its steps made of it.
    input_sha256, recipe_sha256, data_sha256
        Digests of the source, of the effective recipe and of the very bytes judged (None where the data file could not
        be written).
    type, k_min
        The release type (such as public or restricted), and the class size that it requires.
    people, rows, rows_released
        Numbers of people and rows of the source, and of released rows.
    people_known_by
        ``person-column``, ``confirmed`` (each row is another person, the owner says), ``groups`` (each is a group of
        people, the owner says) or ``assumed``.
    certain_by_others, certain_by_all
        Number of people of whom at least one confidential value is certain to an intruder who knows the
        quasi-identifiers, and to one who knows all other released columns; None where there is no confidential column
        or the rows are synthetic.
    beliefs, singled, near, depends, classes, attacks, levels, checks
        The measured figures, one list for each kind.
    outside
        The population that the file was drawn from; None where the recipe does not describe it. No check uses it.
    try_first
        Worst-case people, with whom somebody who tests the release should begin; None where rows are synthetic.
    usefulness, draws, decision
        Usefulness kept, number of attempts, and the decision.
    """

    subject: Literal["original", "candidate"]
    input_sha256: str
    recipe_sha256: str
    data_sha256: str | None
    type: str
    k_min: int
    people: int
    rows: int
    rows_released: int
    people_known_by: Literal["person-column", "confirmed", "groups", "assumed"]
    certain_by_others: int | None
    certain_by_all: int | None
    beliefs: list[BeliefEntry]
    singled: SingledEntry | None
    near: list[NearEntry]
    depends: list[DependencyEntry]
    classes: ClassesEntry | None
    outside: OutsideEntry | None = None
    attacks: list[AttackEntry] | None
    levels: list[LevelProofEntry]
    checks: list[CheckEntry]
    try_first: list[TryFirstEntry] | None = None
    usefulness: UsefulnessEntry
    draws: DrawsEntry
    decision: DecisionEntry

    def check(self, id: str) -> CheckEntry:
        """Return the entry of one check (its status, figure and limit) by the check's id.

        Raises
        ------
        KeyError
            When the gate has no such check.
        """
        for entry in self.checks:
            if entry.id == id:
                return entry
        raise KeyError(id)

    @property
    def figures(self) -> list[CheckEntry]:
        """The checks whose figures every page shows, whatever the result, in the order of the gate."""
        return [check for check in self.checks if check.on_certificate]

    @property
    def singled_out(self) -> tuple[int, int] | None:
        """Return how many people are unique in their released values, confidential columns aside, and of how many.

        The result is None where this was not counted.
        """
        singled = self.singled
        return None if singled is None or not singled.people else (singled.by_all_but_secret, singled.people)

    @property
    def blocking(self) -> list[CheckEntry]:
        """The checks with status ``red``, which block the release and which no written reason can answer."""
        return [check for check in self.checks if check.status == "red"]

    @property
    def to_answer(self) -> list[CheckEntry]:
        """The checks that need a written reason: status ``amber`` or ``not-run``."""
        return [check for check in self.checks if check.status in ("amber", "not-run")]

    @property
    def reasons_to_write(self) -> int:
        """Number of written reasons needed: one for each cause of the checks in `to_answer`, written or not."""
        return len({check.cause for check in self.to_answer})

    @property
    def counts_rows(self) -> bool:
        """Return whether rows are counted instead of people, since nobody confirmed that each row is another person."""
        return self.people_known_by in ("assumed", "groups")


class Report(Part):
    """The whole report."""

    format: Literal[3]
    created: str
    program: Program
    operator: Operator
    input: Input
    recipe_sha256: str
    release: Release
    columns: list[ColumnEntry]
    privacy: Privacy
    steps: list[StepEntry]
    verdict: Verdict
    original: Verdict | None
    risk: Risk
    utility: Utility
    rules: RulesEntry | None
    files: list[FileEntry]
    earlier_releases: list[dict[str, Any]] | None
    log: LogEntry | None = None
    safe_harbor: list[SafeHarborEntry] = []

    def document(self) -> dict[str, Any]:
        """Return the report as plain data, with keys in their fixed order."""
        return self.model_dump(mode="json")

    def to_json(self) -> bytes:
        """Return the bytes of report.json: UTF-8, indented, with a line feed at the end."""
        return json.dumps(self.document(), ensure_ascii=False, indent=2, allow_nan=False).encode("utf-8") + b"\n"
