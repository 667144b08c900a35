"""Singling out made on a candidate: by quasi-identifiers, and by all released columns but the confidential ones."""

from __future__ import annotations

import numpy as np

from ppdm_desktop.engine.attacks.comparison import NEARLY_ALL, Severity
from ppdm_desktop.engine.attacks.singling_out import singled_out
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.progress import Progress, silent
from ppdm_desktop.engine.release.attack_audit.column_pairs import (
    listed,
    no_tail,
    of_hundred,
    owners,
    released_with_role,
    sides,
)
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.report.model import AttackEntry, Sentence
from ppdm_desktop.engine.utility.cells import merged_categories

ID = "singling-out"
SERIOUS, SOME = 0.50, 0.0
_HOW = "exactly one released record shows the person's true values, and it is theirs"


def applies(candidate: Candidate, progress: Progress | None = None) -> bool:
    """Say whether anybody could be told by released columns that are not confidential."""
    names = released_with_role(candidate, "quasi-identifier", "other")
    return bool(candidate.final.rows and sides(candidate, names, progress or silent())[0])


def attack(candidate: Candidate, progress: Progress) -> tuple[AttackEntry, ...]:
    """Look for people whom exactly one released record shows, and who are its only source."""
    if not candidate.final.rows:
        return ()
    scopes = {"quasi": ("quasi-identifier",), "released": ("quasi-identifier", "other")}
    found: list[AttackEntry] = []
    seen: list[list[str]] = []
    for done, (scope, roles) in enumerate(scopes.items()):
        progress.report(done / len(scopes), "doing.audit")
        names = released_with_role(candidate, *roles)
        if names and names not in seen:
            seen.append(names)
            found += _entry(candidate, names, scope, progress)
    return tuple(found)


def _entry(candidate: Candidate, names: list[str], scope: str, progress: Progress) -> list[AttackEntry]:
    before, after = sides(candidate, names, progress)
    if not before:
        return []
    pairs = [merged_categories(one, other, progress)[:2] for one, other in zip(before, after, strict=True)]
    rows = candidate.final.rows
    owner = owners(candidate, progress)
    progress.check()
    own = np.full(rows, -1, dtype=np.int64)
    if owner is not None:
        single = np.bincount(owner)[owner] == 1
        own[single] = np.flatnonzero(single)
    progress.check()
    out = singled_out([one for one, _ in pairs], [other for _, other in pairs], own, progress)
    share, wrong = float(out.alone.mean()), float(out.fooled.mean())
    success = Figure(share, n=rows, unit="share", method=_HOW)
    control = Figure(wrong, n=rows, unit="share", method="exactly one record shows the values, and it is another's")
    severity = severity_of_share(share)
    return [
        AttackEntry(
            id=ID,
            column=None,
            knows=Sentence(id="attack.knows.columns", arguments={"columns": listed(names)}),
            success=success,
            control=control,
            chance=Figure(1.0 / rows, n=rows, unit="share", method="one released record taken blindly"),
            advantage=Figure(share - 1.0 / rows, n=rows, unit="share", method="success less chance"),
            tail=no_tail("whom a single record shows is singled out; there is nothing to be surer of"),
            tolerance=None,
            sampled=rows,
            severity=severity,
            sentence=Sentence(
                id=f"attack.singling-out.{severity}",
                arguments={
                    "columns": listed(names),
                    "records": int(out.alone.sum()),
                    "share": of_hundred(share),
                    "wrong": of_hundred(wrong),
                },
            ),
            levels=[],
            further={},
        )
    ]


def severity_of_share(share: float) -> Severity:
    """Rate singling out by the share of people singled out."""
    if share >= NEARLY_ALL:
        return "total"
    if share > SERIOUS:
        return "serious"
    return "some" if share > SOME else "none"
