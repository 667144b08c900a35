"""Which columns are only generalised and not otherwise changed.

A range is another word than the values it holds: counted word by word everything has moved, though nobody's value
became another one. Pages say so of such columns instead of the figure.
"""

from __future__ import annotations

from ppdm_desktop.engine.report.public.columns import GROUPED

_GENERALISED, _REMOVED, _AVERAGED = "generalisation", "suppression", "microaggregation"


def is_generalised_column(treatment: str) -> bool:
    """Return whether a column shows broader values than the source; one already grouped when read counts as unchanged.

    Parameters
    ----------
    treatment
        All that was done to a column, as the report has it, separated by semicolons.
    """
    kept = [part for part in treatment.split("; ") if not part.startswith(_REMOVED)]
    generalised = bool(kept) and all(part.startswith(_GENERALISED) and _AVERAGED not in part for part in kept)
    return generalised and kept != [GROUPED.english]
