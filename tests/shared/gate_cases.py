"""What the tests of gate, report and export share: candidates made by the pipeline, and steps made by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.methods.base.declaration import Correspondence, Method
from ppdm_desktop.engine.methods.base.step import Guarantee, LevelProof, Protection, Recount, Settings, StepResult
from ppdm_desktop.engine.randomness import Key, StepStream
from ppdm_desktop.engine.recipe.load import parse_recipe
from ppdm_desktop.engine.release.attack_audit.base import AttackEvidence, audit, find_attack, label_entries
from ppdm_desktop.engine.release.candidate.model import Candidate, StepRecord
from ppdm_desktop.engine.release.candidate.pipeline import prepare, run_candidate
from ppdm_desktop.engine.release.evaluate.release_files import build_release_files
from ppdm_desktop.engine.release.gate.base import find_check
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import CheckResult
from ppdm_desktop.engine.release.measures.utility import measure
from ppdm_desktop.engine.report.model import AttackEntry, AttackTail, Sentence
from ppdm_desktop.engine.table.column import Table
from ppdm_desktop.engine.wording.catalogue import lazy, untranslated
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Term

ROLES = {
    "q": "quasi-identifier",
    "c": "confidential",
    "o": "other",
    "i": "identifier",
    "l": "left-out",
    "p": "privacy-level",
}


class HandMade(Method):
    """A method of the tests; it does nothing by itself."""

    id = "hand-made"
    title = lazy("Hand-made change")
    paper = lazy("none")
    summary = lazy("for tests")
    promises = (lazy("nothing"),)
    limits = ()
    protects = "attribute"
    correspondence: ClassVar[Correspondence] = "record"
    treatment = lazy("randomisation (permutation)")
    recipients_learn = lazy("Some people got a different value. We do not say who.")
    kinds = frozenset({"nominal", "ordinal", "numeric", "text", "date"})
    public_parameters = frozenset({"proportion"})
    attacks: ClassVar[tuple[str, ...]] = ("rank",)

    def __init__(self, recount: Recount | None = None) -> None:
        self._recount = recount or Recount(Guarantee("file+original", True, 0), ())

    def effect(self, table: Table, settings: Settings) -> Note:
        return Note("none")

    def run(self, table: Table, settings: Settings, streams: StepStream) -> StepResult:
        raise NotImplementedError

    def recount(self, before: Table, after: Table, settings: Settings, detail: Mapping[str, Any]) -> Recount:
        return self._recount


def csv_of(columns: Mapping[str, Sequence[str]]) -> str:
    """Return CSV text of columns by name."""
    rows = [",".join(columns), *(",".join(row) for row in zip(*columns.values(), strict=True))]
    return "\n".join(rows) + "\n"


def recipe_of(columns: Mapping[str, Any], type: str = "research", **more: Any) -> dict[str, Any]:
    """Return a recipe; a column is the first letter of its role, or a whole section."""
    sections = {
        name: {"role": ROLES[given]} if isinstance(given, str) else {**given, "role": ROLES[given["role"]]}
        for name, given in columns.items()
    }
    document = {"recipe": 1, "columns": sections, **more}
    document["release"] = {"type": type, **more.get("release", {})}
    return document


def make_candidate(
    folder: Path,
    columns: Mapping[str, Sequence[str]],
    roles: Mapping[str, Any],
    type: str = "research",
    *,
    key: Key | None = None,
    source: str = "people-list.csv",
    **more: Any,
) -> Candidate:
    """Return a candidate of a small table."""
    folder.mkdir(exist_ok=True)
    path = folder / source
    path.write_text(csv_of(columns), encoding="utf-8")
    prepared = prepare(path, parse_recipe(recipe_of(roles, type, **more)), need_type=True)
    return run_candidate(prepared, key or Key(bytes(range(32)), "system"))


def with_step(
    candidate: Candidate,
    changes: Mapping[str, Sequence[str]],
    protections: Sequence[Protection] = (),
    *,
    method: Method | None = None,
    columns: Sequence[str] | None = None,
    detail: Mapping[str, Any] | None = None,
    recount: Recount | None = None,
) -> Candidate:
    """Return the candidate after one more step made by hand: whole columns in source order."""
    before = candidate.final
    everything = np.arange(before.rows)
    after = before.replacing(
        *(before.column(name).with_values(everything, list(values)) for name, values in changes.items())
    )
    method = method or HandMade(recount)
    from ppdm_desktop.engine.methods.base.step import Settings

    settings = Settings(tuple(columns or changes or {each.column: 1 for each in protections}), {"proportion": 0.5})
    result = StepResult(after, tuple(protections), dict(detail or {}))
    record = StepRecord(
        len(candidate.steps) + 1,
        method,
        settings,
        before,
        result,
        (),
        method.recount(before, after, settings, {}),
        0.0,
    )
    released = candidate.released.replacing(
        *(after.column(name).take(candidate.row_order) for name in changes if name in candidate.released)
    )
    return replace(candidate, steps=(*candidate.steps, record), final=after, released=released)


def randomised(column: str, treatment: Sequence[int], **more: Any) -> Protection:
    """Return a protection by the key's choice; -1 is an untreated record."""
    treated = np.array(treatment, dtype=np.int64)
    return Protection(column, "randomised", treated >= 0, treated, **more)


def grouped(column: str, rows: int) -> Protection:
    """Return a protection by groups for every record."""
    return Protection(column, "grouped", np.ones(rows, dtype=bool), np.full(rows, -1))


def proof(met: bool, *, holds: bool = True, level: str = "normal", records: int = 1) -> Recount:
    """Return a recount with one level's proof."""
    line = LevelProof(level, "C", records, records, 0, 0.5, 0.4, 1, met)
    return Recount(Guarantee("file+original", holds, records), (line,))


def made_by(id: str, candidate: Candidate) -> tuple[AttackEntry, ...]:
    """Return what one attack finds."""
    return find_attack(id).run(AttackEvidence(candidate))


def evidence_of(candidate: Candidate) -> Evidence:
    """Gather the evidence of a candidate in memory."""
    return build_release_files(candidate, measure(candidate), lambda _, data: data)


def attacked(candidate: Candidate) -> Evidence:
    """Gather the evidence of a candidate after every attack on it."""
    return replace(evidence_of(candidate), attacks=audit(candidate))


def attack_entry(id: str, **figures: Any) -> AttackEntry:
    """Return what an attack could have found, which is nothing; figures are left out or given by name."""
    none = Figure.absent(untranslated("made by hand"), unit="share")
    shown = {each: figures.get(each, none) for each in ("success", "control", "chance", "advantage")}
    entry = AttackEntry(
        id=id,
        column=figures.get("column"),
        knows=Sentence.of("attack.knows.release-alone", {"columns": Term("none")}),
        **shown,
        tail=AttackTail(share_sure_and_right=none, control=none),
        tolerance=None,
        sampled=figures.get("sampled", 100),
        severity="none",
        sentence=Sentence.of("attack.seed-search.none"),
        levels=figures.get("levels", []),
        further=figures.get("further", {}),
    )
    return label_entries([entry])[0]


def share(value: float, high: float | None = None, n: int = 100) -> Figure:
    """Return a share with the upper end of its interval."""
    return Figure(value, low=None if high is None else min(value, 0.0), high=high, n=n, unit="share")


def check(candidate_or_evidence: Candidate | Evidence, id: str) -> CheckResult:
    """Return one check's verdict, and prove that its text exists and can be filled."""
    from ppdm_desktop.engine.wording.texts import render

    given = candidate_or_evidence
    evidence = given if isinstance(given, Evidence) else evidence_of(given)
    result = find_check(id).judge(evidence)
    text = render(result.sentence.id, result.sentence.arguments)
    assert text.title
    assert text.sentence
    assert bool(text.remedy) == (result.status in ("amber", "red", "not-run")) or result.status == "not-applicable"
    return result
