"""The groups of near records that are used in earnest: several searches, refined, the best result."""

from __future__ import annotations

from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.methods.algorithms.grouping.kd_batches import kd_batch_groups
from ppdm_desktop.engine.methods.algorithms.grouping.mdav import mdav_groups
from ppdm_desktop.engine.methods.algorithms.grouping.pca_tree import pca_tree_groups
from ppdm_desktop.engine.methods.algorithms.grouping.quality import within_ssq
from ppdm_desktop.engine.methods.algorithms.grouping.refinement import refine
from ppdm_desktop.engine.progress import Progress

WHOLE_LIMIT = 12_000
"""Records up to which MDAV, whose cost grows with the square of their number, is run as well."""
SEVERAL_LIMIT = 200_000
"""Records up to which several searches are refined at length; beyond, one is, and briefly."""


def near_groups(points: Floats, needs: Ints, progress: Progress) -> Ints:
    """Return each record's group, every group at least as large as each member asks for.

    Nearest records are gathered (MDAV where it can be afforded, k-d tree batches), the whole is
    cut along its main directions (PCA tree), neighbouring groups exchange records until little
    is gained, and the grouping with the fewest squares within is kept, the first of equals.
    What is done depends on the number of records alone, never on the time it takes.

    Parameters
    ----------
    points
        Standardised values, (records, columns); at least as many records as the largest need.
    needs
        How large a group each record asks for, 1 and up.
    progress
        Reports and stops.
    """
    count = len(points)
    if count > SEVERAL_LIMIT:
        found = kd_batch_groups(points, needs, progress.part(0.0, 0.4))
        return refine(points, needs, found, passes=1, progress=progress.part(0.4, 1.0))
    searches = [kd_batch_groups, pca_tree_groups]
    if count <= WHOLE_LIMIT:
        searches.insert(0, mdav_groups)
    refined = []
    for turn, search in enumerate(searches):
        part = progress.part(turn / len(searches), (turn + 1) / len(searches))
        found = search(points, needs, part.part(0.0, 0.4))
        refined.append(refine(points, needs, found, progress=part.part(0.4, 1.0)))
    return min(refined, key=lambda group: within_ssq(points, group))
