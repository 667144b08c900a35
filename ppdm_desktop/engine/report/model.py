"""The report, format 3: the one object that report.json, the pages and the window show.

Keys are never absent and their order is the order of the fields below. A section whose work
does not exist yet is None (or an empty list where the contract gives a list).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from numbers import Integral
from typing import Annotated, Any, Literal, Self

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, SerializerFunctionWrapHandler, field_validator, model_serializer

from ppdm_desktop.engine.figure import Figure, Measure, Message
from ppdm_desktop.engine.utility.clusters import ClusterAgreement
from ppdm_desktop.engine.utility.conclusions import Conclusions
from ppdm_desktop.engine.utility.distributions import ColumnUtility
from ppdm_desktop.engine.utility.models.suite import Leaves
from ppdm_desktop.engine.utility.pairs import PairUtility
from ppdm_desktop.engine.utility.whole_table import TableFigures
from ppdm_desktop.engine.wording.catalogue import _, lazy
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Ratio, Spoken, Terms, Value, as_data, refuse_untyped, restore_values

Status = Literal["green", "amber", "red", "not-applicable", "not-run"]
Residual = Literal["", "certain", "everything", "found"]
"""Which half of the sentence on the residual risk a check's figure is: values revealed for certain, the same
to someone who knows all else that is released, and people found."""
INFINITE = "infinite"
"""How report.json writes a number without an end, of which JSON knows none."""


class Part(BaseModel):
    """A part of the report: frozen, no key beyond those declared."""

    model_config = ConfigDict(extra="forbid", frozen=True, protected_namespaces=())

    @classmethod
    def copy_of(cls, measured: object, **fields: Any) -> Self:
        """Return the part with those of its fields that ``measured`` has as attributes, and with the given ones.

        Given fields win; NumPy numbers become plain ones. A missing or unfit field raises pydantic's ValidationError.
        """
        names = [name for name in cls.model_fields if name not in fields and hasattr(measured, name)]
        copied = {name: getattr(measured, name) for name in names}
        plain = {name: value.item() if isinstance(value, np.generic) else value for name, value in copied.items()}
        return cls.model_validate(plain | fields)


def _to_plain_value(value: object) -> object:
    """Return a value of a sentence as data for report.json, integers of NumPy as plain ones."""
    if isinstance(value, int):
        return value
    return int(value) if isinstance(value, Integral) else as_data(value)


class Sentence(Part):
    """A sentence by text id, with its arguments."""

    id: str
    arguments: dict[str, object]

    @classmethod
    def of(cls, id: str, arguments: Mapping[str, Value] | None = None) -> Self:
        """Return a sentence with its arguments kept as data.

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

        What is no dict is returned unchanged, for the validation to refuse.
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


class LevelDemand(Part):
    """The demands that a level makes on the methods."""

    group: int
    intervals: int
    noise: float
    swap: float
    selection_noise: float | str
    doubt: float = 20.0


class LevelEntry(Part):
    """A level in use: how many records have it, and the words in the file that mean it."""

    name: str
    demand: LevelDemand
    records: int
    words: list[str] = []

    @model_serializer(mode="wrap")
    def _drop_empty_words(self, whole: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Return the entry as data, without the words if there are none."""
        fields: dict[str, Any] = whole(self)
        return fields if self.words else {key: value for key, value in fields.items() if key != "words"}


class LevelSources(Part):
    """How many records each source of levels decided."""

    default: int
    column: int
    rules: int
    rows: int


class Privacy(Part):
    """The privacy that records asked for."""

    default: str | int
    sources: LevelSources
    levels: list[LevelEntry]

    @property
    def said(self) -> dict[str, list[str]]:
        """Return the file's words for each level, by the level's name."""
        return {level.name: level.words for level in self.levels}


class GuaranteeEntry(Part):
    """What a step promised, recounted."""

    kind: str
    holds: bool
    checked: int
    worst: float | None


class UsedEntry(Part):
    """A value used for a parameter, for which level and column (None: all), and what decided it."""

    parameter: str
    value: Any
    why: str
    level: str | None = None
    column: str | None = None
    asked: Any = None


class StepEntry(Part):
    """One step as it ran.

    ``parameters`` holds every parameter, defaults filled in, and ``written`` those that the recipe wrote; ``used`` what
    stood for them where levels, columns or the program decided, and ``idle`` those that changed nothing. Reports made
    before these were kept have neither.
    """

    index: int
    method: str
    mode: str
    columns: list[str]
    parameters: dict[str, Any]
    correspondence: str
    protects: str
    promise: str | None
    guarantee: GuaranteeEntry
    notes: list[Sentence]
    seconds: float
    detail: dict[str, Any]
    written: list[str] = []
    used: list[UsedEntry] = []
    idle: list[str] = []


class LevelProofEntry(Part):
    """How the records of one level were protected by a step, counted from the file.

    ``demanded`` is what the step had to give, ``asked`` what the level map and the recipe ask for; ``short`` counts
    the people who lack what was promised, ``changed`` those whose value is another than before.
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
    """How many equivalence classes have one size."""

    size: int
    classes: int
    records: int


class IdentifiableEntry(Part):
    """Identifiable records of one confidential column."""

    uniquely: int
    collectively: int
    groups: int
    unidentifiable: int
    no_value: int


class MeasureEntry(Part):
    """What someone learns who knows one row of a person, or all of them; in people.

    Attributes
    ----------
    judges
        Whether limits are held against this measure, or it stands beside.
    equivalence_classes
        Classes of rows that look the same, or of people all of whose rows do.
    k, unique, below_k_min
        Fewest people from whom a person cannot be distinguished; people alone; people below the release type's limit.
    unique_with_several
        People alone who have several rows.
    """

    judges: bool
    people: int
    equivalence_classes: int
    k: int
    unique: int
    unique_with_several: int
    below_k_min: int
    identifiable: dict[str, IdentifiableEntry]
    prosecutor_max: float
    prosecutor_mean: float
    l_distinct: int | None


class HouseholdsEntry(Part):
    """Households, which are shown and not judged.

    Attributes
    ----------
    count, with_several
        Households, and those of two people or more.
    unique
        Households like no other.
    found_mean, found_max
        Chance that at least one member is found.
    """

    count: int
    with_several: int
    unique: int
    found_mean: float
    found_max: float


class RiskBlock(Part):
    """Risk of a table for one set of columns that an intruder is taken to know, by the measure that judges.

    Where people have several rows, ``records`` and all counts are of people, and ``rows`` says how many rows they have.
    """

    columns: list[str]
    records: int
    equivalence_classes: int
    k: int
    class_sizes: list[ClassSize]
    unique: int
    identifiable: dict[str, IdentifiableEntry]
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
    """The same figures for two intruders: one knows the quasi-identifiers, one all but the confidential."""

    quasi_identifiers: RiskBlock | None
    released: RiskBlock | None


class RiskSide(Part):
    """Risk of one table."""

    scope: RiskScopes
    applies: bool


class Risk(Part):
    """Risk before and after."""

    before: RiskSide
    after: RiskSide


class MapEntry(Part):
    """The risk by a table of all people, for someone who does not know who is in the file.

    Attributes
    ----------
    journalist_max, journalist_mean
        Highest chance of being found, and its mean over classes.
    marketer
        Share of people found on average by someone who looks for everybody.
    presence
        Largest share of the people with some details who are in the file.
    """

    journalist_max: float
    journalist_mean: float
    marketer: float
    presence: float


class ExpertEntry(Part):
    """Figures for experts: bounds that always hold, and models that disagree.

    Attributes
    ----------
    low, high
        Bounds of the share of unique people who are unique among all people too.
    zayatz, pitman, dankar
        The same share by three models.
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
    """The people the file was drawn from, and what being unique in the file means among them.

    Attributes
    ----------
    who, size, drawn
        As the owner says; the size is worked out of weights or a table where it was left out.
    by_table
        Whether there is a table of all people.
    theta
        The chance that a person with the details of somebody unique in the file is that person.
    f
        How many classes have one, two and three people.
    left_out
        How many of the unique people show no value somewhere, or are not in the release.
    kmap, expert
        By a table of all people, and for experts; None where they do not exist.
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
    """People of whom the intruder is at least 95 % sure and right, as a share, and the same for the control."""

    share_sure_and_right: Figure
    control: Figure


class AttackLevel(Part):
    """An attack on the records of one privacy level.

    ``limit`` is what the figure is held against, and ``met`` whether the upper end of its
    interval keeps to it.
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
        What the intruder is after, such as ``picking-out``; empty where nobody declared it.
    title
        What it is called within a sentence; empty where nobody declared it.
    control, chance
        Names of the figures with which its success is compared.
    figures
        What its success is; empty where that is a share of people, or an error.
    further
        What each of its own figures is called.
    outcome
        How the attack ended by its own criterion; None where nobody declared it.
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
    """One result of an attack made on the release: of one column, or of all at once.

    Attributes
    ----------
    id
        Id of the attack.
    column
        What was attacked; None where it is no single column.
    knows
        What the intruder holds, with the columns of this release.
    success
        What the attack reached: a share of people, an error left (``noise sd``) or a count.
    control
        The same attack on the same people without what is tested, such as their own records; absent, with
        the reason, where there is none.
    chance
        What someone reaches who knows nothing of the person.
    advantage
        Success less control, or less chance where there is no control. What is judged, but of an attack that
        names people, whose success is.
    tail
        People the intruder is nearly sure of, and right about.
    tolerance
        How far off a guess at a number still counts as right; 0 for the very value, None where no number is
        guessed.
    sampled
        People looked for; 0 where it is worked out without looking for anybody.
    severity
        How bad it is, against the limits of the check that judges it.
    sentence
        What was found.
    levels
        The same by privacy level, where levels have limits of their own; else empty.
    further
        Figures of this attack's own; ``ratio`` where that is what is judged.
    labels
        What the attack declares to be said of it; no part of report.json.
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
        Id of the cause, and the text id of what it is called.
    reason, at
        Its text, and when it was recorded.
    checks
        The checks that it answers, each with the worst figure that it accepts.
    """

    cause: str
    title: str
    reason: str
    at: str | None
    checks: dict[str, float | int | str | None]


class CheckEntry(Part):
    """One check of the gate.

    Attributes
    ----------
    cause
        The cause that it belongs to; one written reason answers all checks of a cause.
    figure, limit, direction
        What was measured, what it was held against, and from which side.
    hits, of
        The people it speaks of, and of how many; None where it counts nobody.
    on_certificate
        Whether every page names its figure, whatever was found; declared by the check, and no part of report.json.
    residual
        Which half of the sentence on the residual risk its figure is, declared by the check; no part of it either.
    figure_title
        Text id of what its figure is called, declared by the check; empty where that is the check's title. No part of
        report.json.
    counts_singled
        Whether pages give who is picked out as its figure, counted in one way, whatever count it judged; declared by
        the check, and no part of report.json.
    is_gain
        Whether its figure is a share less another, and no share of people; stands in report.json only where it is so.
    is_agreed
        Whether only the agreement with the recipients lets it pass; no part of report.json.
    fix_on
        The page where it is corrected.
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
        """The interval's end that is compared with the limit; the figure itself where it is exact, None without one.

        The end is the upper one where the figure must not exceed the limit, the lower one where it must reach it.
        """
        if self.figure is None or self.figure.value is None:
            return None
        end = self.figure.high if self.direction == "at-most" else self.figure.low
        return float(self.figure.value if end is None else end)

    @property
    def share(self) -> float | None:
        """Return the figure as a share from 0 (no risk) to 1; None where it was not measured or is no share.

        It is the end of the interval that is judged. A ratio counts as 1 minus its value, a count as hits of all.
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
        Whether data may leave, and do: not of a draft.
    blocked_by, accepted
        Checks that stand against it, and those that a written reason lets pass.
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
    """An earlier draw that failed a check in which the released draw is better."""

    draw: int
    check: str
    status: Status


class DrawsEntry(Part):
    """How often the same methods were run on the same columns of the source; ``since`` is the first known day."""

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
    """How many rows break at least one rule, in the release and in the source."""

    rows: int
    broken: int
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
            brief=lazy("original"),
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
            brief=lazy("Release"),
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

    columns: list[ColumnUtility]
    pairs: PairUtility


class Utility(TableFigures, ColumnsAndPairs):
    """How useful the release still is; what analyses preserve is None until they were tried."""

    models: list[ModelEntry] | None = None
    conclusions: list[Conclusions] | None = None
    clusters: list[ClusterAgreement] | None = None
    rows_suppressed: int


ORIGINAL, CANDIDATE = "original", "candidate"
ARTIFICIAL = "released rows are nobody's"
"""Why there is no class size where rows are artificial."""


class KnownEntry(Part):
    """How many people's values one intruder is sure of.

    Attributes
    ----------
    certain
        People whose value the intruder is sure of and right about.
    proved
        Those of them for whom only one value is possible.
    wrong
        People whose value the intruder is sure of and wrong about, counted separately.
    """

    certain: int
    proved: int
    wrong: int


class ExposedEntry(Part):
    """The people whose values are least uncertain.

    How many, and how many are guessed right, with and without their rows.
    """

    people: int
    right: int
    control: int


class RareEntry(Part):
    """A rare value, and how well its holders are named.

    Attributes
    ----------
    secret
        The category, or the limit of a tail of numbers.
    above
        For a tail: whether it lies above the limit; None for a category.
    holders, named, right
        People who hold it, people named as holders, and the holders among them.
    recall
        Share of the holders that is named.
    """

    secret: str | float
    above: bool | None
    holders: int
    named: int
    right: int
    recall: float


class LevelBeliefEntry(Part):
    """What an intruder believes of the people of one privacy level."""

    level: str
    people: int
    certain_by_others: int
    certain_by_all: int


class BeliefEntry(Part):
    """What an intruder believes of one confidential column.

    Attributes
    ----------
    column, family
        Name of the column, and the kind of protection that its released values show.
    people
        Number of people among whom these figures were counted: all who have a value, or a sample of them.
    by_others, by_all
        What intruders are sure of who know the quasi-identifiers, and who know all else that is released.
    exposed, rare
        The people most at risk, and the rare value whose holders are named best.
    left, ratio, prior
        Of noise: error of the best guess in standard deviations of the noise, the same over that of the linear
        guess, and what the intruder started from.
    by_level
        The beliefs about people of each level; empty without levels.
    """

    column: str
    family: str
    people: int
    by_others: KnownEntry
    by_all: KnownEntry
    exposed: ExposedEntry
    rare: RareEntry | None
    left: float | None
    ratio: float | None
    prior: str | None
    by_level: list[LevelBeliefEntry]


class SetEntry(Part):
    """A set of columns, and how many people are unique in it."""

    columns: list[str]
    alone: int


class SingledEntry(Part):
    """How many people are the only ones with their values, by what an intruder knows, and of how many."""

    people: int
    by_others: int
    by_all_but_secret: int
    by_all_but_one: int
    by_all: int
    columns: list[str]
    sets: list[SetEntry]


class NearEntry(Part):
    """A column that may work like a name: people unique in it, and people who share their value with few."""

    column: str
    alone: int
    few: int
    people: int


class TryFirstEntry(Part):
    """A person of the release who is easiest to find, by a row of the source, and why."""

    row: int
    why: Literal["by_others", "by_all", "singled"]


class DependsEntry(Part):
    """A column that unchanged released columns predict: which columns, by which rule, and for how many people.

    ``share`` is the share predicted correctly less chance, or R² of a learner.
    """

    column: str
    manner: str
    givers: list[str]
    words: str
    share: float
    right: int
    people: int


class ClassSizeEntry(Part):
    """The size of equivalence classes by one measure: smallest class, people below the limit, and unique people."""

    k: int
    below: int
    alone: int


class ClassesEntry(Part):
    """Equivalence classes of quasi-identifiers, counted in people.

    Attributes
    ----------
    k, below, of
        People in the smallest, people below the limit, and of how many; by the measure that judges. The first two are
        None where class sizes say nothing.
    why
        Why they say nothing.
    judged
        Which measure judges: ``all_rows`` where the release allows a person's rows to be put together.
    one_row, all_rows
        What is found by someone who knows one row of a person, and by someone who knows all of them; None where
        nobody has several.
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
        Mean over source columns, and over their pairs, of what the release keeps of each: 0 nothing to 1 all.
    believable
        Share of released rows that break no rule which held in the source.
    useful
        Geometric mean of the three, as far as they are counted.
    lost
        What the release no longer shows, in one sentence with the names of the columns; None where it is not known.
    learners
        How often each kind of learner tells the confidential columns rightly, by its id; empty before it was tried.
    analyses
        The same as a share of what the original gives, in the mean.
    marked_lost
        How many columns that must stay detailed are left out or show broader values; no part of report.json.
    """

    columns: Figure
    pairs: Figure
    believable: Figure
    useful: Figure
    lost: Message | None
    learners: dict[str, Figure]
    analyses: Figure
    marked_lost: int = Field(default=0, exclude=True)

    @property
    def parts(self) -> Terms:
        """Return the figures that were measured with their base: ``92% of 13 columns, 83% of 78 pairs``.

        Empty if none was.
        """
        said: list[Spoken] = []
        if self.columns.value is not None:
            kept = Ratio(float(self.columns.value))
            said.append(lazy("{share} of {n} {n:column|columns}", share=kept, n=self.columns.n or 0))
        if self.pairs.value is not None:
            kept = Ratio(float(self.pairs.value))
            said.append(lazy("{share} of {n} {n:pair|pairs} of columns", share=kept, n=self.pairs.n or 0))
        if self.believable.value is not None:
            kept = Ratio(float(self.believable.value))
            said.append(lazy("{share} of the rows believable", share=kept))
        return Terms(tuple(said))

    @property
    def figures_said(self) -> str:
        """The figures in one sentence in the current language; "" where the overall figure is not known."""
        if self.useful.value is None:
            return ""
        useful = Ratio(float(self.useful.value))
        return _("Useful: {share}. It keeps {parts}.", share=useful, parts=self.parts)

    @property
    def said(self) -> str:
        """Return the figures and the losses in two sentences in the current language; empty where none is known."""
        return " ".join(filter(None, (self.figures_said, "" if self.lost is None else str(self.lost))))


class Verdict(Part):
    """What one table reveals, and whether it may be released.

    Attributes
    ----------
    subject
        ``original``: the source as it is, or ``candidate``: what its steps made of it.
    input_sha256, recipe_sha256, data_sha256
        Digests of the source, of the effective recipe and of the very bytes judged (None where the data file could
        not be written).
    type, k_min
        The release type it is judged under.
    people, rows, rows_released
        People and rows of the source, and the rows that leave.
    people_known_by
        ``person-column``, ``confirmed`` (each row is another person, the owner says), ``groups`` (each is a group of
        people, the owner says) or ``assumed``.
    certain_by_others, certain_by_all
        People of whom at least one confidential value is certain to those who know what others know, and to those
        who know all else that is released; None where no confidential column is, or nobody's rows are known.
    beliefs, singled, near, depends, classes, attacks, levels, checks
        The measured figures, one list for each kind.
    outside
        The people outside the file; None where the recipe does not say who they are. No check reads it.
    try_first
        Worst-case people, with whom somebody who tests the release should begin; None where rows are nobody's.
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
    depends: list[DependsEntry]
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
        """Return the verdict of one check by its id.

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
    def picked_out(self) -> tuple[int, int] | None:
        """Return how many people nobody else has the released details of, confidential values aside, and of how many.

        None where that was not counted.
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
        """How many written reasons are needed: one for each cause of the checks `to_answer`, written already or not."""
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
