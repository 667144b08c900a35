"""What a version keeps and loses, in the names of the file's columns."""

from __future__ import annotations

from dataclasses import dataclass

from ppdm_desktop.engine.recipe.models import ATTRIBUTE_ROLES
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.planning.chains import Chain, Chains
from ppdm_desktop.engine.wording.catalogue import Sentence, later
from ppdm_desktop.engine.wording.values import Name, Term, Terms


@dataclass(frozen=True)
class Changes:
    """What recipients still see of a file and what they no longer see."""

    kept: Sentence
    lost: Sentence


def changes_of(chain: Chain, chains: Chains, candidate: Candidate) -> Changes:
    """Return what a version keeps and loses.

    Parameters
    ----------
    chain, chains
        The version's steps, and the ladders of its columns.
    candidate
        What the steps made.
    """
    kept: list[Sentence] = []
    lost: list[Sentence] = []
    rungs = {} if chain.plan is None else chain.plan.rungs
    for column in candidate.prepared.table.with_role(*ATTRIBUTE_ROLES):
        if column.name not in candidate.released.names:
            lost.append(later("method", "{column}", column=Name(column.name)))
        elif rungs.get(column.name):
            kept.append(chains.ladder(column).rungs[rungs[column.name]].text)
        else:
            kept.append(later("method", "{column}", column=Name(column.name)))
    table, released = candidate.prepared.table, candidate.released
    emptied = sum(
        int(column.missing.sum()) - int(table.column(column.name).missing.sum()) for column in released.columns
    )
    removed = table.rows - released.rows
    if emptied > 0 and not removed:
        lost.append(later("method", "{n} {n:cell|cells}", n=emptied))
    if removed > 0:
        lost.append(later("method", "{n} {n:row|rows}", n=removed))
    nothing = later("method", "You lose no column and no cell.")
    return Changes(
        later("method", "Kept: {columns}.", columns=Terms(tuple(map(Term, kept)))),
        later("method", "You lose: {columns}.", columns=Terms(tuple(map(Term, lost)))) if lost else nothing,
    )
