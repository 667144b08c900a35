"""What the audit says where released rows were made from nobody in particular (data reconstruction). No widget here.

There is no right match and no record to leave out, so linkage and inference cannot be made; what
is no describing column is released as the chosen people have it, and that is said.
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from ppdm_desktop.engine.release.attack_audit.column_pairs import listed
from ppdm_desktop.engine.report.model import Report

LINKAGE, INFERENCE = "linkage", "inference"
_MOST_NAMES = 6


def _tr(text: str) -> str:
    return QCoreApplication.translate("CompareAudit", text)


@dataclass(frozen=True)
class Unmade:
    """A line without an attack.

    Attributes
    ----------
    kind, key
        The kind of attack it stands with, and its name among the lines.
    is_made
        False for an attack that cannot be made; else something to be noted.
    headline, second
        What holds, and why.
    """

    kind: str
    key: str
    is_made: bool
    headline: str
    second: str


def unmade_lines(report: Report) -> list[Unmade]:
    """Return what is said in place of linkage and inference; nothing where rows correspond to people or groups."""
    if all(step.correspondence != "none" for step in report.steps):
        return []
    quasi = [each for each in report.columns if each.released and each.role == "quasi-identifier"]
    secret = [each for each in report.columns if each.released and each.role == "confidential"]
    touched = {name for step in report.steps if step.correspondence != "none" for name in step.columns}
    exact = [
        each.name
        for each in report.columns
        if each.released and each.role in ("confidential", "other") and each.name not in touched
    ]
    found = []
    if quasi:
        found.append(
            Unmade(
                LINKAGE,
                "no_match",
                False,
                _tr("There is no right match to look for."),
                _tr(
                    "No released row belongs to one person: the records of a few chosen people stand for all, several "
                    "times each, with describing values coarser or exchanged."
                ),
            )
        )
    if exact:
        found.append(
            Unmade(
                LINKAGE,
                "chosen",
                True,
                _tr("The other values of the chosen people are released as they are."),
                _tr("Whoever knows a rare one of them may recognise a chosen person: {columns}.").format(
                    columns=listed(exact, most=_MOST_NAMES)
                ),
            )
        )
    if secret:
        found.append(
            Unmade(
                INFERENCE,
                "no_control",
                False,
                _tr("No guess with a person's own record can be held against one without it."),
                _tr(
                    "No released row is a person's own, so there is none to leave out. What goes with what can still "
                    "be learnt from the release, and guessed of anybody."
                ),
            )
        )
    return found
