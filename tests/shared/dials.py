"""Releases in which the figure of a check is set to any value, to try its limits from both sides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from gate_cases import attack_entry, evidence_of, make_candidate, randomised, share, with_step
from planted_evidence import renewed
from verdict_cases import text_of

from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.attacks.uncertainty import RareSecret, Uncertainty, WorstCaseGroup
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.identifiability.classes import Classes
from ppdm_desktop.engine.recipe.release_type import ReleaseType
from ppdm_desktop.engine.release.disclosure.column_belief import ColumnBelief
from ppdm_desktop.engine.release.disclosure.dependencies import Dependency
from ppdm_desktop.engine.release.disclosure.singled_out import SingledOutCounts
from ppdm_desktop.engine.release.gate.base import Limits, find_check
from ppdm_desktop.engine.release.gate.draws import Draws
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import AMBER, GREEN
from ppdm_desktop.engine.release.storage.ledger import DrawEntry
from ppdm_desktop.engine.report.model import AttackEntry
from ppdm_desktop.testing import Dial

PEOPLE = 6_600
"""So many that every limit of every type is a whole number of people."""
ONE = 1 / PEOPLE


def uncertainty(certain: int) -> Uncertainty:
    """Return doubts of which some are proved and none of the others is less than before."""
    proved = np.arange(PEOPLE) < certain
    return Uncertainty(np.where(proved, 0.0, 1.0), proved, proved)


def belief(others: int = 0, everything: int = 0, **more: Any) -> ColumnBelief:
    rows: Ints = np.arange(PEOPLE, dtype=np.int64)
    exposed = more.pop("exposed", WorstCaseGroup(66, 0, 0))
    return ColumnBelief("C", "true", rows, PEOPLE, uncertainty(others), uncertainty(everything), exposed, **more)


class Dials:
    """The dial of each check; what it looks at is put in the place of what would be measured."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @cache  # noqa: B019 - one object a test session
    def _base(self, values: str = "") -> Evidence:
        rows = range(PEOPLE)
        columns = {"Q": ["a"] * PEOPLE, "O": [f"o{i % 4}" for i in rows], "C": [f"c{i % 3}" for i in rows]}
        roles = {name: {"role": name.lower(), "kind": "nominal"} for name in columns}
        candidate = make_candidate(self._folder / f"base{values}", columns, roles)
        if values == "swapped":
            candidate = with_step(candidate, {"C": columns["C"][::-1]}, [randomised("C", [0] * PEOPLE)])
        return evidence_of(candidate)

    def _set(self, type: ReleaseType, attacks: Sequence[AttackEntry] = (), base: str = "", **facts: object) -> Evidence:
        evidence = self._base(base)
        candidate = replace(evidence.candidate, prepared=replace(evidence.candidate.prepared, type=type))
        found = replace(evidence, candidate=candidate, attacks=tuple(attacks))
        # Where others find few, researchers are never red for what those learn who know more.
        found.__dict__.update(
            {"beliefs": (belief(),), "functional_dependencies": (), "others_find_few": False, **facts}
        )
        return found

    def all(self) -> dict[str, list[Dial]]:
        """Return them by check."""

        def people(make: Callable[[ReleaseType, int], Evidence]) -> Callable[[ReleaseType, float], Evidence]:
            return lambda type, figure: make(type, round(figure * PEOPLE))

        def secret(share: float) -> RareSecret:
            return RareSecret("c0", None, 1_000, 1_000, round(1_000 * share))

        def attacked(id: str, **figures: Any) -> AttackEntry:
            return attack_entry(id, column="C", **figures)

        def ratio_limits(type: ReleaseType) -> Limits:
            return Limits(0.90, None if type.is_internal else 0.75 if type.is_public else 0.40)

        def certain_limits(type: ReleaseType) -> Limits:
            return Limits(0, 0 if type.is_public else PEOPLE // 3 if type.is_internal else PEOPLE // 5)

        everything = (belief(others=PEOPLE, everything=PEOPLE),)
        nobody = np.zeros(PEOPLE, dtype=np.bool_)
        return {
            "class-size": [
                Dial(
                    1,
                    lambda type, k: self._set(
                        type, classes=Classes((np.arange(PEOPLE) >= k).astype(np.int64), 2), beliefs=everything
                    ),
                    direction="at-least",
                )
            ],
            "certain-disclosure": [
                Dial(1, lambda type, n: self._set(type, beliefs=(belief(others=int(n)),)), certain_limits)
            ],
            "certain-by-all": [Dial(ONE, people(lambda type, n: self._set(type, beliefs=(belief(everything=n),))))],
            "most-exposed": [
                Dial(
                    0.001,
                    lambda type, share: self._set(
                        type, beliefs=(belief(exposed=WorstCaseGroup(10**7, round(10**7 * share), 0)),)
                    ),
                )
            ],
            "rare-secret": [
                Dial(0.001, lambda type, share: self._set(type, beliefs=(belief(rare=(secret(share),)),))),
            ],
            "singling-out": [
                Dial(
                    ONE,
                    people(
                        lambda type, n: self._set(
                            type, singled_out=SingledOutCounts(PEOPLE, 0, n, n, n, ("O",)), beliefs=everything
                        )
                    ),
                )
            ],
            "near-identifiers": [Dial(ONE, people(self._alone))],
            "diversity": [
                Dial(1, lambda type, n: self._set(type, beliefs=(belief(one_secret=nobody | bool(n)),))),
            ],
            "linkage": [
                Dial(
                    0.0001,
                    lambda type, high: self._set(
                        type, [attacked("linkage", success=share(high, high))], beliefs=everything
                    ),
                )
            ],
            "inference": [
                Dial(
                    0.0001,
                    lambda type, gain: self._set(
                        type,
                        [
                            attacked(
                                "inference",
                                success=share(0.9),
                                control=share(0.2),
                                advantage=share(gain),
                                sampled=1_000,
                            )
                        ],
                    ),
                )
            ],
            "reversal": [
                Dial(
                    0.0001,
                    lambda type, gain: self._set(
                        type, [attacked("rank", success=share(0.9), control=share(0.2), advantage=share(gain))]
                    ),
                ),
                Dial(0.0001, self._filtered, ratio_limits, "at-least"),
                Dial(
                    0.0001,
                    lambda type, left: self._set(
                        type,
                        [attacked("rank", success=share(0.2), control=share(0.2), advantage=share(0.0))],
                        beliefs=(belief(ratio=left, residual_error=left, prior="rebuilt"),),
                    ),
                    ratio_limits,
                    "at-least",
                ),
            ],
            "dependencies": [
                Dial(
                    0.0001,
                    lambda type, found: self._set(
                        type,
                        base="swapped",
                        functional_dependencies=(Dependency("C", "formula", ("O",), "O", found, 10, 20, nobody, None),),
                    ),
                )
            ],
            "confidential-chosen": [Dial(1, lambda type, n: self._confidential(type, int(n)), direction="at-least")],
            "joined-or-left": [
                Dial(0.2, lambda type, share: self._joined(type, round(5 * share)), direction="at-least")
            ],
            "redrawn": [Dial(1, lambda type, draws: self._redrawn(type, int(draws)))],
        }

    def _redrawn(self, type: ReleaseType, draws: int) -> Evidence:
        """Let a check be green that the draw before did not pass, where there was one."""
        worse = DrawEntry("0" * 64, (("random-swap", ("C",)),), "other", "2026-01-01", type.id, {"inference": AMBER})
        passed = find_check("inference").verdict(text_of("inference", GREEN))
        known = Draws((worse,) if draws > 1 else (), draws)
        return replace(self._set(type, base="swapped"), draws=known, results=(passed,))

    def _joined(self, type: ReleaseType, people: int) -> Evidence:
        evidence = renewed(self._folder / f"joined{people}-{type.id}", people)
        candidate = replace(evidence.candidate, prepared=replace(evidence.candidate.prepared, type=type))
        return replace(evidence, candidate=candidate)

    @cache  # noqa: B019 - as above
    def _holding(self, confidential: int) -> Evidence:
        columns = {"Q": ["a"] * 40, "C": ["x", "y"] * 20, "D": ["v", "w"] * 20}
        roles = {name: "c" if name in "CD"[:confidential] else "o" for name in columns}
        return evidence_of(make_candidate(self._folder / f"holding{confidential}", columns, roles))

    def _confidential(self, type: ReleaseType, columns: int) -> Evidence:
        evidence = self._holding(columns)
        candidate = replace(evidence.candidate, prepared=replace(evidence.candidate.prepared, type=type))
        return replace(evidence, candidate=candidate)

    def _filtered(self, type: ReleaseType, left: float) -> Evidence:
        further = {"ratio": Figure(left, n=PEOPLE, unit="ratio")}
        return self._set(type, [attack_entry("noise-filter", column="C", further=further)])

    def _alone(self, type: ReleaseType, alone: int) -> Evidence:
        """Give some a value of their own in a column that counts as unknown to others; all others share one."""
        evidence = self._set(type)
        exported = evidence.exported
        values = [f"v{i}" if i < alone else "o" for i in range(PEOPLE)]
        column = exported.column("O").with_values(np.arange(PEOPLE), values)
        evidence.__dict__["judged"] = exported.replacing(column)
        evidence.truths["O"] = column
        return evidence
