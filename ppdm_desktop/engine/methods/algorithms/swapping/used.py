"""Which shares and randomness a swap used, for each level and column, as its run reports them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from ppdm_desktop.engine.methods.algorithms.swapping.demands import ONE_MEMBER, level_demands
from ppdm_desktop.engine.methods.algorithms.swapping.report import details_of
from ppdm_desktop.engine.methods.base.step import Settings
from ppdm_desktop.engine.methods.base.used import Used, Why
from ppdm_desktop.engine.table.levels import UNIFORM, RecordLevels


def used_by_swap(settings: Settings, levels: RecordLevels, detail: Mapping[str, Any]) -> Iterator[Used]:
    """Return what a swap used of its level parameters.

    Parameters
    ----------
    settings, levels
        Of the step.
    detail
        As the run reports it.
    """
    columns = details_of(detail)
    for name, own in columns:
        column = None if len(columns) == 1 else name
        demands = level_demands(settings, levels, max(len(own["categories"]), 1))
        for place, each in enumerate(own["levels"]):
            asked, demanded = float(each["asked"]), float(each["demanded"])
            follows = demands[place].follows
            why: Why = "program" if follows else "table" if demanded < asked else "levels"
            share = own["proportion"] if follows else demanded
            yield Used("proportion", share, why, each["level"], column, asked if why == "table" else None)
            group = own["group_share"] if levels.levels[place].is_weakest else float(demands[place].group_share)
            shared = group or ONE_MEMBER
            raised: Why = "set" if shared == settings.values["group_share"] else "levels"
            yield Used("group_share", shared, raised, each["level"], column)
            if "selection_noise" not in settings.values:
                continue
            if "calibration" in own:
                found = own["calibration"]["temperature"]
                yield Used("selection_noise", math.inf if found is None else found, "program", each["level"], column)
            else:
                drawn = each["selection_noise"]
                yield Used("selection_noise", math.inf if drawn == UNIFORM else drawn, "levels", each["level"], column)
