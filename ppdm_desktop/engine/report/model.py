"""The report, format 1: the one object that report.json, the pages and the window show.

Keys are never absent and their order is the order of the fields below. A section whose work
does not exist yet is None (or an empty list where the contract gives a list).
"""

from __future__ import annotations

import json
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from ppdm_desktop.engine.figure import Figure

Status = Literal["green", "amber", "red", "not-applicable", "not-run"]


class Part(BaseModel):
    """A part of the report: frozen, no key beyond those declared."""

    model_config = ConfigDict(extra="forbid", frozen=True, protected_namespaces=())


class Sentence(Part):
    """A sentence by text id, with its arguments."""

    id: str
    arguments: dict[str, Any]


class Program(Part):
    """What made the release."""

    version: str
    python: str
    libraries: dict[str, str]
    platform_class: str
    self_test: str | None


class Operator(Part):
    """Who answers for it; each None unless entered."""

    name: str | None
    note: str | None
    approver: str | None
    review_date: str | None


class UnreadRow(Part):
    """A row of the source that could not be read."""

    line: int
    reason: str


class Hidden(Part):
    """What the source hid from the eye."""

    rows: int
    columns: int
    sheets: int


class Input(Part):
    """The source and how it was read."""

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
    person_column: str | None
    persons: int | None


class Release(Part):
    """The released table and the thresholds it was judged by."""

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


class ColumnEntry(Part):
    """One column of the source and what became of it."""

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


class LevelDemand(Part):
    """What a level asks of the methods."""

    group: int
    intervals: int
    noise: float
    swap: float
    selection_noise: float | str


class LevelEntry(Part):
    """A level in use and how many records have it."""

    name: str
    demand: LevelDemand
    records: int


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


class GuaranteeEntry(Part):
    """What a step promised, recounted."""

    kind: str
    holds: bool
    checked: int
    worst: float | None


class StepEntry(Part):
    """One step as it ran."""

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


class LevelProofEntry(Part):
    """How one level's records were served by a step."""

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


class ClassSize(Part):
    """How many classes of equal records have one size."""

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


class RiskBlock(Part):
    """Risk of a table for one set of columns that a snooper is taken to know."""

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


class RiskScopes(Part):
    """The same figures for two snoopers: one knows the quasi-identifiers, one all but the confidential."""

    quasi_identifiers: RiskBlock | None
    released: RiskBlock | None


class RiskSide(Part):
    """Risk of one table."""

    scope: RiskScopes
    certain: int | None
    applies: bool


class Risk(Part):
    """Risk before and after."""

    before: RiskSide
    after: RiskSide


class AttackTail(Part):
    """Share of people the snooper is at least 95 % sure of and right about, and the same of the control."""

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


class AttackEntry(Part):
    """One attack made on the release.

    ``sampled`` is the number of people looked for; ``further`` holds figures of this attack's own.
    """

    id: str
    column: str | None
    knows: Sentence
    success: Figure
    control: Figure
    chance: Figure
    advantage: Figure
    tail: AttackTail
    tolerance: float | None
    sampled: int
    severity: Literal["none", "some", "serious", "total"]
    sentence: Sentence
    levels: list[AttackLevel]
    further: dict[str, Figure]


class QuantileEntry(Part):
    """One quantile before and after."""

    p: float
    before: float
    after: float


class ColumnUtilityEntry(Part):
    """How much one released column changed."""

    name: str
    kind: str
    mean_before: Figure
    mean_after: Figure
    sd_before: Figure
    sd_after: Figure
    quantiles: list[QuantileEntry]
    total_variation: Figure
    hellinger: Figure
    ks: Figure
    wasserstein: Figure


class PairUtilityEntry(Part):
    """What became of relations between columns."""

    i_divergence: Figure
    correlation_max_change: Figure
    correlation_mean_change: Figure


class LeavesEntry(Part):
    """Leaves of a decision tree grown on all records used."""

    original: Figure
    released: Figure


class ModelEntry(Part):
    """How often one learner tells one column rightly from the others."""

    task: str
    learner: str
    target: str
    folds: int
    original: Figure
    released_true_labels: Figure
    released_labels: Figure
    baseline: Figure
    leaves: LeavesEntry | None


class ClusterEntry(Part):
    """How far clusters found in the release are those of the original."""

    k: int
    by_sizes: Figure
    matched: Figure
    ari: Figure


class Utility(Part):
    """How useful the release still is."""

    columns: list[ColumnUtilityEntry]
    pairs: PairUtilityEntry
    covariance_compatibility: Figure | None
    sse_sst: Figure | None
    il1s: Figure | None
    pmse: Figure | None
    models: list[ModelEntry] | None
    clusters: list[ClusterEntry] | None
    rows_suppressed: int


class AcceptedEntry(Part):
    """The written reason that lets an amber check pass."""

    reason: str
    at: str | None
    figure: float | int | str | None


class CheckEntry(Part):
    """One check of the gate."""

    id: str
    status: Status
    figure: Figure | None
    limit: float | int | str | None
    sentence: Sentence
    accepted: AcceptedEntry | None


class DecisionEntry(Part):
    """What the gate decided."""

    released: bool
    blocked_by: list[str]
    accepted: list[str]


class FileEntry(Part):
    """One file of the release folder."""

    path: str
    sha256: str
    bytes: int


class Report(Part):
    """The whole report."""

    format: Literal[1]
    created: str
    program: Program
    operator: Operator
    input: Input
    recipe_sha256: str
    release: Release
    columns: list[ColumnEntry]
    privacy: Privacy
    steps: list[StepEntry]
    levels_proof: list[LevelProofEntry]
    risk: Risk
    attacks: list[AttackEntry] | None
    utility: Utility
    gate: list[CheckEntry]
    decision: DecisionEntry
    files: list[FileEntry]
    earlier_releases: list[dict[str, Any]] | None

    def document(self) -> dict[str, Any]:
        """Return the report as plain data, keys in order."""
        return self.model_dump(mode="json")

    def to_json(self) -> bytes:
        """Return the bytes of report.json."""
        return json.dumps(self.document(), ensure_ascii=False, indent=2, allow_nan=False).encode("utf-8") + b"\n"
