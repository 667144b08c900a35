"""How useful the release still is."""

from __future__ import annotations

from ppdm_desktop.engine.figure import Figure, Message
from ppdm_desktop.engine.report.model.base import Part


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

    task: Message
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
