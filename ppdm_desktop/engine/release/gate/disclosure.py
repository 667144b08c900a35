"""Checks of what an intruder learns: class size, certain values, each record's level."""

from __future__ import annotations

from typing import Any

import numpy as np

from ppdm_desktop.engine.arrays import Bools
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.identifiability.classes import equivalence_classes, lowest_and_highest
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import AMBER, GREEN, RED, CheckResult, named, verdict


def class_size(evidence: Evidence) -> CheckResult:
    """Check the smallest class of released quasi-identifiers."""
    release_type = evidence.candidate.prepared.type
    k, least = evidence.classes.smallest, release_type.k_min
    small = int((evidence.classes.size_of_record < least).sum())
    figure = Figure(k, n=evidence.judged.rows, unit="records")
    arguments: dict[str, Any] = {"k": k, "k_min": least, "records": small}
    if evidence.judged.rows and not evidence.judged.with_role("quasi-identifier"):
        return _nothing_known(evidence, least)
    if k >= least or evidence.judged.rows == 0:
        return verdict("class-size", GREEN, figure, least, **arguments)
    if quasi_regenerated(evidence):
        return verdict("class-size", GREEN, figure, least, variant="regenerated", **arguments)
    lacking = open_columns(evidence)
    if evidence.confidential and not lacking:
        return verdict("class-size", AMBER, figure, least, **arguments)
    status = RED if release_type.is_public else AMBER
    variant = "" if status == RED else "open"
    if lacking and evidence.protected_columns.issuperset(lacking):
        # A method treats the column and yet leaves some with a value that is surely true, or surely not.
        variant = "partly"
        arguments["open"] = int(np.logical_or.reduce([evidence.open_records(name) for name in lacking]).sum())
    return verdict(
        "class-size",
        status,
        figure,
        least,
        variant=variant,
        columns=named(lacking) if lacking else "no confidential column",
        **arguments,
    )


def open_columns(evidence: Evidence) -> list[str]:
    """Return the confidential columns with records of one-valued classes neither randomised nor grouped."""
    return [
        name
        for name in evidence.confidential
        if name not in evidence.protected_columns or evidence.open_records(name).any()
    ]


def _nothing_known(evidence: Evidence, least: int) -> CheckResult:
    """Judge a release in which no column counts as known to others: one class of all would prove nothing.

    What is shown is the smallest class by every released column that is not confidential.
    """
    shown = [column for column in evidence.judged.columns if column.role != "confidential"]
    sizes = equivalence_classes(shown, evidence.judged.rows).size_of_record
    k, small = int(sizes.min()), int((sizes < least).sum())
    figure = Figure(k, n=evidence.judged.rows, unit="records", note="by all released columns that are not confidential")
    return verdict("class-size", AMBER, figure, least, variant="no-quasi", k=k, k_min=least, records=small)


def quasi_regenerated(evidence: Evidence) -> bool:
    """Say whether some step made every released quasi-identifier anew."""
    quasi = {column.name for column in evidence.judged.with_role("quasi-identifier")}
    return bool(quasi) and any(
        step.method.correspondence != "record" and quasi <= set(step.settings.columns)
        for step in evidence.candidate.steps
    )


def certain_disclosure(evidence: Evidence) -> CheckResult:
    """Count the records whose true confidential value is certain."""
    certain = evidence.certain_records
    figure = Figure(certain, n=evidence.judged.rows, unit="records")
    if certain == 0:
        return verdict("certain-disclosure", GREEN, figure, 0, records=certain)
    columns = [name for name in evidence.confidential if evidence.certain(name).any()]
    status = RED if evidence.candidate.prepared.type.is_public else AMBER
    return verdict("certain-disclosure", status, figure, 0, records=certain, columns=named(columns))


def levels_met(evidence: Evidence) -> CheckResult:
    """Check that each covered record has its level and the rest asked for no more than the weakest."""
    broken = [
        (step.index, proof)
        for step, recount in zip(evidence.candidate.steps, evidence.recounts, strict=True)
        for proof in recount.levels
        if not proof.met
    ]
    failed = [
        step.index
        for step, recount in zip(evidence.candidate.steps, evidence.recounts, strict=True)
        if not recount.guarantee.holds
    ]
    rows = evidence.candidate.final.rows
    if broken or failed:
        steps = sorted({step for step, _ in broken} | set(failed))
        figure = Figure(sum(proof.covered for _, proof in broken), n=rows, unit="records")
        levels = sorted({proof.level for _, proof in broken})
        return verdict(
            "levels-met",
            RED,
            figure,
            0,
            steps=", ".join(map(str, steps)),
            levels=", ".join(levels) or "all",
        )
    lacking = uncovered_above_weakest(evidence)
    count = int(lacking.sum())
    figure = Figure(count, n=rows, unit="records")
    return verdict("levels-met", AMBER if count else GREEN, figure, 0, records=count)


def uncovered_above_weakest(evidence: Evidence) -> Bools:
    """Say which records above the weakest level have a protected column that nothing serves."""
    rows = evidence.candidate.final.rows
    lacking = np.zeros(rows, dtype=np.bool_)
    levels = evidence.candidate.final.levels
    if levels is None or rows == 0:
        return lacking
    above = np.array([not level.is_weakest for level in levels.levels], dtype=np.bool_)[levels.codes]
    if not above.any():
        return lacking
    large = evidence.classes.size_of_record >= levels.of("group")
    quasi = {column.name for column in evidence.judged.with_role("quasi-identifier")}
    names = [
        name for name in evidence.judged.names if name in evidence.confidential or name in evidence.protected_columns
    ]
    for name in names:
        diverse = np.ones(rows, dtype=np.bool_) if name in quasi else _several_values(evidence, name)
        lacking |= above & ~evidence.served(name) & ~(large & diverse)
    return lacking


def _several_values(evidence: Evidence, name: str) -> Bools:
    codes = evidence.judged.column(name).category_codes
    classes = evidence.classes
    lowest, highest = lowest_and_highest(classes, codes)
    return np.asarray((lowest < highest)[classes.ids])
