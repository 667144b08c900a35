"""How useful the release still is."""

from __future__ import annotations

from typing import Annotated

from ppdm_desktop.engine.figure import Figure, Measure, Message
from ppdm_desktop.engine.report.model.base import Part
from ppdm_desktop.engine.utility.clusters import ClusterAgreement
from ppdm_desktop.engine.utility.distributions import ColumnUtility
from ppdm_desktop.engine.utility.models.suite import Leaves
from ppdm_desktop.engine.utility.pairs import PairUtility
from ppdm_desktop.engine.wording.catalogue import later


class RuleEntry(Part):
    """A rule of the source, the rows in which it holds there, and the released rows that break it."""

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
    """How often one learner tells one column rightly from the others.

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
            later("report", "Original"),
            "people",
            help=later("report", "Learnt from original records, tested on other original records."),
            brief=later("cli", "original"),
            in_window=Measure(later("charts", "Original"), "people"),
        ),
    ]
    released_true_labels: Annotated[
        Figure,
        Measure(
            later("report", "Released, tested on the truth"),
            "people",
            help=later(
                "report",
                "Learnt from released records, tested on what is true of other people: the value of the release for "
                "an analyst.",
            ),
            brief=later("cli", "release"),
            in_window=Measure(later("charts", "Correct (original values)"), "people"),
        ),
    ]
    released_labels: Annotated[
        Figure,
        Measure(
            later("report", "Released, tested on the release"),
            "people",
            help=later(
                "report",
                "Learnt from released records, tested on what the release shows of other records: what an analyst "
                "would believe.",
            ),
            in_window=Measure(later("charts", "Correct (released values)"), "people"),
        ),
    ]
    baseline: Annotated[
        Figure,
        Measure(
            later("report", "Most common value"),
            "people",
            help=later("report", "Always the same answer. A learner that is no better has learnt nothing."),
            brief=later("cli", "most common value"),
            in_window=Measure(later("charts", "Most common value"), "people"),
        ),
    ]
    leaves: Leaves | None


class Utility(Part):
    """How useful the release still is; what analyses keep is None until they are tried out."""

    columns: list[ColumnUtility]
    pairs: PairUtility
    covariance_compatibility: Annotated[
        Figure | None,
        Measure(
            later("report", "Variances and relationships of numbers that were kept"),
            term=later("report", "covariance compatibility μ"),
            help=later(
                "report",
                "1 when the covariances of all pairs of numeric columns are unchanged, 0 when they have nothing in "
                "common.",
            ),
            in_window=Measure(
                later("charts", "Covariance of pairs of number columns"),
                term=later("charts", "covariance compatibility μ"),
                help=later("charts", "1: unchanged. 0: nothing in common with the original."),
            ),
        ),
    ] = None
    sse_sst: Annotated[
        Figure | None,
        Measure(
            later("report", "Squared change of the treated values"),
            term="SSE/SST",
            help=later(
                "report", "0 when nothing changed, 1 when every value became the mean of its column or moved as far."
            ),
            in_window=Measure(
                later("charts", "Part of the spread of the protected numbers that was lost"),
                term=later("charts", "information loss SSE/SST"),
                help=later("charts", "0: nothing. 1: as if everyone had the average value."),
            ),
        ),
    ] = None
    il1s: Annotated[
        Figure | None,
        Measure(
            later("report", "Mean change of the treated values"),
            term="IL1s",
            help=later("report", "In standard deviations of the column, times the square root of two."),
            in_window=Measure(
                later("charts", "Average change of a protected number"),
                term=later("charts", "IL1s, in standard deviations times √2"),
                help=later(
                    "charts", "0: no change. 1: about one and a half times the usual distance from the average."
                ),
            ),
        ),
    ] = None
    pmse: Annotated[
        Figure | None,
        Measure(
            later("report", "How well a model distinguishes the release from the original"),
            term="propensity score, pMSE",
            help=later("report", "0 when a model cannot distinguish released from original records."),
            in_window=Measure(
                later("charts", "Can a program distinguish the two tables?"),
                term=later("charts", "propensity score pMSE"),
                help=later("charts", "0: not at all. The higher, the better it can."),
                digits=4,
            ),
        ),
    ] = None
    models: list[ModelEntry] | None = None
    clusters: list[ClusterAgreement] | None = None
    rows_suppressed: int
