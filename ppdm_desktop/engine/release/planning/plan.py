"""Planning versions of a file, one family after another, each judged on all rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.release.candidate.model import Prepared
from ppdm_desktop.engine.release.planning.version import Planned, Steps, Version


def plan(
    prepared: Prepared,
    queued: Sequence[Steps],
    progress: Progress,
    on_found: Callable[[Version], None],
    key: Key | None = None,
) -> Planned:
    """Return versions of a file that may be released, the best first.

    Parameters
    ----------
    prepared
        The input with roles, kinds, bins and levels; its recipe's steps do not matter.
    queued
        Chains that there are already; none of them is returned again.
    progress
        Reports work units done. Cancelling ends the work; what was found by then is returned.
    on_found
        Called with each version as it is found.
    key
        The key of all versions; drawn from the system when left out.
    """
    return Planned(())
