"""Groups from the strictest records down: an alternative to the paper's way up.

The record that asks for most and lies farthest from the middle gathers its nearest, of
any privacy level; so nobody has to be moved afterwards, and every record finds a group
large enough.
"""

from __future__ import annotations

import numpy as np

from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.methods.algorithms.condensation.clusters import Clusters, nearest
from ppdm_desktop.engine.methods.algorithms.condensation.pool import Pool
from ppdm_desktop.engine.progress import Progress


def top_down_groups(points: Floats, needs: Ints, progress: Progress) -> Ints:
    """Return each record's group, 0 and up, every group as large as each member asks for.

    Time grows with the square of the number of records.

    Parameters
    ----------
    points
        Standardised values, (records, columns); at least as many records as the largest demand.
    needs
        How large a group each record asks for, 1 or more.
    progress
        Reports and stops.
    """
    clusters = Clusters(points)
    pool = Pool(points, np.arange(len(points)))
    from_middle = ((points - points.mean(axis=0)) ** 2).sum(axis=1)
    order = np.lexsort((np.arange(len(points)), -from_middle, -needs))
    for done, seed in enumerate(order.tolist()):
        if done % 64 == 0:
            progress.report(1 - len(pool) / len(points), "progress.grouping.search")
        if not pool.holds(seed):
            continue
        need = int(needs[seed])
        if len(pool) >= need:
            clusters.form(pool.take_around(seed, need))
        else:
            # All groups so far were made for demands as large as this one or larger,
            # or are the rest of such a demand; only those large enough may take it.
            wide = np.flatnonzero(clusters.sizes >= need - 1)
            pool.take_around(seed, 1)
            which, _ = nearest(points[[seed]], clusters.centres[wide])
            clusters.join(seed, int(wide[which[0]]))
    return clusters.labels()
