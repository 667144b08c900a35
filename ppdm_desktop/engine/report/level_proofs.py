"""What a step promised to a protection level and what was reached, in words."""

from __future__ import annotations

import math

from ppdm_desktop.engine.report.drawing import percent
from ppdm_desktop.engine.report.model import LevelProofEntry
from ppdm_desktop.engine.report.report_words import PROMISED, shown_number
from ppdm_desktop.engine.wording.catalogue import _, language, lazy, numbers_of
from ppdm_desktop.engine.wording.values import Term


def proof_cells(proof: LevelProofEntry, demand: str) -> tuple[str, str, str, str]:
    """Return four cells: people of the level, what was promised, what was reached, and whether the promise was kept.

    Parameters
    ----------
    demand
        What of the level map the step's method reads first, see `first_demand`.
    """
    write_figure = percent if demand == "swap" else shown_number
    promised = shown_number(None) if proof.demanded is None else write_figure(proof.demanded)
    if proof.asked is not None and proof.demanded is not None and not math.isclose(proof.asked, proof.demanded):
        promised = _("{promised} (asked for: {asked})", promised=Term(promised), asked=Term(write_figure(proof.asked)))
    reached = _("no one to count") if proof.least_achieved is None else write_figure(proof.least_achieved)
    # To keep a promise that is no amount, such as to leave a column out, is written as 1.
    if _is_no_promise(proof) or (demand not in PROMISED and proof.demanded == 1):
        promised = reached = shown_number(None)
    return numbers_of(language()).count(proof.records), promised, reached, _kept(proof, demand)


def _is_no_promise(proof: LevelProofEntry) -> bool:
    """Return whether a step treats all levels alike and promises them nothing."""
    return not proof.covered and not proof.demanded


def _kept(proof: LevelProofEntry, demand: str) -> str:
    """Return whether the promise to a level was kept, in words; of few people a share is rounded to whole people."""
    if not proof.met:
        return _("NO")
    if _is_no_promise(proof):
        return _("no promise by level")
    if proof.not_covered and not proof.covered:
        return _("nobody was treated")
    least, demanded = proof.least_achieved, proof.demanded
    below = least is not None and demanded is not None and least < demanded
    whole = demand == "swap" and below
    if not proof.not_covered:
        if demand == "intervals" and below and shown_number(least) != shown_number(demanded):
            return _("yes, apart from chance")
        if not whole:
            return _("yes")
        # Of so few people nobody had to change: 0 % beside the share that was promised would look like a breach.
        return _("yes, rounded to whole people") if least else _("yes, it was less than one person")
    left = (
        lazy("yes, rounded to whole people, but {n} {n:person was|people were} not treated")
        if whole
        else lazy("yes, but {n} {n:person was|people were} not treated")
    )
    return left.said(n=proof.not_covered)
