"""How useful the release still is."""

from __future__ import annotations

from typing import Annotated

from ppdm_desktop.engine.figure import Figure, Measure, Message
from ppdm_desktop.engine.report.model.base import Part
from ppdm_desktop.engine.utility.clusters import ClusterAgreement
from ppdm_desktop.engine.utility.conclusions import Conclusions
from ppdm_desktop.engine.utility.distributions import ColumnUtility
from ppdm_desktop.engine.utility.models.suite import Leaves
from ppdm_desktop.engine.utility.pairs import PairUtility
from ppdm_desktop.engine.utility.whole_table import TableFigures
from ppdm_desktop.engine.wording.catalogue import lazy


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
            brief=lazy("release"),
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
            brief=lazy("most common value"),
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
