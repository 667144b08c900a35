"""The report, format 3: the one object that report.json, the pages and the window show.

Keys are never absent and their order is the order of the fields below. A section whose work
does not exist yet is None (or an empty list where the contract gives a list).
"""

from __future__ import annotations

import json
from typing import Any, Literal

from ppdm_desktop.engine.report.model.attacks import AttackEntry, AttackLabels, AttackLevel, AttackTail
from ppdm_desktop.engine.report.model.base import INFINITE, Part, Sentence, Status
from ppdm_desktop.engine.report.model.gate import BetterEntry, CheckEntry, DecisionEntry, DrawsEntry, ReasonEntry
from ppdm_desktop.engine.report.model.outside import ExpertEntry, MapEntry, OutsideEntry
from ppdm_desktop.engine.report.model.protection import (
    GuaranteeEntry,
    LevelDemand,
    LevelEntry,
    LevelProofEntry,
    LevelSources,
    Privacy,
    StepEntry,
    UsedEntry,
)
from ppdm_desktop.engine.report.model.risk import (
    ClassSize,
    HouseholdsEntry,
    IdentifiableEntry,
    MeasureEntry,
    Risk,
    RiskBlock,
    RiskScopes,
    RiskSide,
)
from ppdm_desktop.engine.report.model.source import (
    RULES,
    ColumnEntry,
    FileEntry,
    Hidden,
    Input,
    LogEntry,
    Operator,
    PluginEntry,
    Program,
    Release,
    SafeHarborEntry,
    UnreadRow,
    WithinPerson,
)
from ppdm_desktop.engine.report.model.usefulness import (
    ModelEntry,
    RulesEntry,
    Utility,
)
from ppdm_desktop.engine.report.model.verdict import (
    ARTIFICIAL,
    CANDIDATE,
    ORIGINAL,
    BeliefEntry,
    ClassesEntry,
    ClassSizeEntry,
    DependsEntry,
    ExposedEntry,
    KnownEntry,
    LevelBeliefEntry,
    NearEntry,
    RareEntry,
    SetEntry,
    SingledEntry,
    TryFirstEntry,
    UsefulnessEntry,
    Verdict,
)

__all__ = [
    "ARTIFICIAL",
    "CANDIDATE",
    "INFINITE",
    "ORIGINAL",
    "RULES",
    "AttackEntry",
    "AttackLabels",
    "AttackLevel",
    "AttackTail",
    "BeliefEntry",
    "BetterEntry",
    "CheckEntry",
    "ClassSize",
    "ClassSizeEntry",
    "ClassesEntry",
    "ColumnEntry",
    "DecisionEntry",
    "DependsEntry",
    "DrawsEntry",
    "ExpertEntry",
    "ExposedEntry",
    "FileEntry",
    "GuaranteeEntry",
    "Hidden",
    "HouseholdsEntry",
    "IdentifiableEntry",
    "Input",
    "KnownEntry",
    "LevelBeliefEntry",
    "LevelDemand",
    "LevelEntry",
    "LevelProofEntry",
    "LevelSources",
    "LogEntry",
    "MapEntry",
    "MeasureEntry",
    "ModelEntry",
    "NearEntry",
    "Operator",
    "OutsideEntry",
    "Part",
    "PluginEntry",
    "Privacy",
    "Program",
    "RareEntry",
    "ReasonEntry",
    "Release",
    "Report",
    "Risk",
    "RiskBlock",
    "RiskScopes",
    "RiskSide",
    "SafeHarborEntry",
    "Sentence",
    "SetEntry",
    "SingledEntry",
    "Status",
    "StepEntry",
    "TryFirstEntry",
    "UnreadRow",
    "UsedEntry",
    "UsefulnessEntry",
    "Utility",
    "Verdict",
    "WithinPerson",
]


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
