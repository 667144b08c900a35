"""What a version keeps, in the names of the file's columns."""

from __future__ import annotations

from ppdm_desktop.engine.recipe.models import ATTRIBUTE_ROLES
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.planning.chains import Chain, Chains
from ppdm_desktop.engine.wording.catalogue import Sentence, later
from ppdm_desktop.engine.wording.values import Name, Spoken, Term, Terms


def kept_words(chain: Chain, chains: Chains, candidate: Candidate) -> Sentence:
    """Return what recipients still see of a file, column by column.

    Parameters
    ----------
    chain, chains
        The version's steps, and the ladders of its columns.
    candidate
        What the steps made.
    """
    rungs = {} if chain.plan is None else chain.plan.rungs
    kept: list[Spoken] = []
    for column in candidate.prepared.table.with_role(*ATTRIBUTE_ROLES):
        if column.name in candidate.released.names:
            rung = chains.ladder(column).rungs[rungs[column.name]] if rungs.get(column.name) else None
            kept.append(Name(column.name) if rung is None else Term(rung.text))
    return later("method", "Kept: {columns}.", columns=Terms(tuple(kept)))
