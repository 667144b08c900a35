"""The columns or formula that reveal a hidden column, as a sentence names them."""

from __future__ import annotations

from ppdm_desktop.engine.release.disclosure.dependencies import Dependency
from ppdm_desktop.engine.wording.values import Names, Term


def given_by(dependency: Dependency) -> Names | Term:
    """Return the columns that reveal a hidden column, or the formula of them."""
    return Term(dependency.words) if dependency.manner == "formula" else Names.of(dependency.givers)
