"""What gives a hidden column away, as a sentence names it."""

from __future__ import annotations

from ppdm_desktop.engine.release.disclosure.dependencies import Dependency
from ppdm_desktop.engine.wording.values import Names, Term


def given_by(dependency: Dependency) -> Names | Term:
    """Return what gives a hidden column away: the columns, or the formula of them."""
    return Term(dependency.words) if dependency.manner == "formula" else Names.of(dependency.givers)
