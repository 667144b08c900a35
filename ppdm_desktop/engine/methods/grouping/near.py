"""The groups of near records that microaggregation uses: several searches, the best result."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ppdm_desktop.engine.methods.grouping.kd_batches import kd_batch_groups
from ppdm_desktop.engine.methods.grouping.mdav import mdav_groups
from ppdm_desktop.engine.methods.grouping.pca_tree import pca_tree_groups
from ppdm_desktop.engine.methods.grouping.quality import within_ssq
from ppdm_desktop.engine.progress import Progress

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

WHOLE_LIMIT = 12_000
"""Records up to which every group is searched among all that are left."""


def near_groups(points: Floats, needs: Ints, progress: Progress) -> Ints:
    """Return each record's group, every group at least as large as each member asks for.

    Parameters
    ----------
    points
        Standardised values, (records, columns); at least as many records as the largest need.
    needs
        How large a group each record asks for, 1 and up.
    progress
        Reports and stops.
    """
    first = mdav_groups if len(points) <= WHOLE_LIMIT else kd_batch_groups
    found = [first(points, needs, progress.part(0.0, 0.5)), pca_tree_groups(points, needs, progress.part(0.5, 1.0))]
    return min(found, key=lambda group: within_ssq(points, group))
