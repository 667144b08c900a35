"""The shares and the randomness that a swap used, for each level and column."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from ppdm_desktop.engine.methods.algorithms.swapping.demands import ONE_MEMBER, level_demands
from ppdm_desktop.engine.methods.algorithms.swapping.report import details_of
from ppdm_desktop.engine.methods.base.step import Settings, Used, Why
from ppdm_desktop.engine.table.levels import UNIFORM, RecordLevels


def used_by_swap(settings: Settings, levels: RecordLevels, detail: Mapping[str, Any]) -> Iterator[Used]:
    """Yield the values that a swap used for its level parameters.

    Parameters
    ----------
    settings, levels
        Of the step.
    detail
        As the run reports it.
    """
    columns = details_of(detail)
    for name, figures in columns:
        column = None if len(columns) == 1 else name
        demands = level_demands(settings, levels, max(len(figures["categories"]), 1))
        for index, level in enumerate(figures["levels"]):
            asked, demanded = float(level["asked"]), float(level["demanded"])
            follows = demands[index].follows
            why: Why = "program" if follows else "table" if demanded < asked else "levels"
            share = figures["proportion"] if follows else demanded
            yield Used("proportion", share, why, level["level"], column, asked if why == "table" else None)
            group = figures["group_share"] if levels.levels[index].is_weakest else float(demands[index].group_share)
            shared = group or ONE_MEMBER
            raised: Why = "set" if shared == settings.values["group_share"] else "levels"
            yield Used("group_share", shared, raised, level["level"], column)
            if "selection_noise" not in settings.values:
                continue
            if "calibration" in figures:
                noise = figures["calibration"]["temperature"]
                yield Used("selection_noise", math.inf if noise is None else noise, "program", level["level"], column)
            else:
                drawn = level["selection_noise"]
                yield Used("selection_noise", math.inf if drawn == UNIFORM else drawn, "levels", level["level"], column)
