"""Singling out where it is not known which released row is whose."""

from __future__ import annotations

import numpy as np

from ppdm_desktop.engine.attacks.singling_out import Ints, singled_out
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.release.audits import singling_out
from ppdm_desktop.engine.release.audits.sides import listed, no_tail, of_hundred, released_with_role
from ppdm_desktop.engine.release.candidate import Candidate
from ppdm_desktop.engine.release.compared import compared
from ppdm_desktop.engine.report.model import AttackEntry, Sentence
from ppdm_desktop.engine.utility.cells import merged_categories

_HOW = "exactly one released record shows the person's true values; whose it is cannot be told"


def attack(candidate: Candidate, progress: Progress) -> tuple[AttackEntry, ...]:
    """Count the people whose true values exactly one released record shows.

    It may be theirs or somebody else's, so the share is the most that can be singled out.
    """
    found: list[AttackEntry] = []
    seen: list[list[str]] = []
    for roles in (("quasi-identifier",), ("quasi-identifier", "other")):
        progress.report(0.0, "doing.audit")
        both = compared(candidate)
        wanted = released_with_role(candidate, *roles)
        pairs = [
            merged_categories(one, other)[:2]
            for one, other in zip(both.before, both.after, strict=True)
            if one.name in wanted and one.kind != "text" and other.kind != "text"
        ]
        if pairs and wanted not in seen and candidate.final.rows:
            seen.append(wanted)
            found.append(_entry(wanted, pairs))
    return tuple(found)


def _entry(names: list[str], pairs: list[tuple[Ints, Ints]]) -> AttackEntry:
    people, records = len(pairs[0][0]), len(pairs[0][1])
    nobody = np.full(people, -1, dtype=np.int64)
    out = singled_out(
        [one.astype(np.int64) for one, _ in pairs], [other.astype(np.int64) for _, other in pairs], nobody
    )
    share = float(out.fooled.mean())
    severity = singling_out.severity_of_share(share)
    arguments = {"columns": listed(names), "records": int(out.fooled.sum()), "share": of_hundred(share)}
    unknown = "needs to know whose each released row is"
    return AttackEntry(
        id=singling_out.ID,
        column=None,
        knows=Sentence(id="attack.knows.columns", arguments={"columns": listed(names)}),
        success=Figure(share, n=people, unit="share", method=_HOW, note="the most there can be"),
        control=Figure.absent(unknown, unit="share"),
        chance=Figure(1.0 / records, n=records, unit="share", method="one released record taken blindly"),
        advantage=Figure(share - 1.0 / records, n=people, unit="share", method="success less chance"),
        tail=no_tail(unknown),
        tolerance=None,
        sampled=people,
        severity=severity,
        sentence=Sentence(id="attack.singling-out.at-most", arguments=arguments),
        levels=[],
        further={},
    )
