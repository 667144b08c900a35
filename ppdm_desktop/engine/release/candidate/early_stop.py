"""A search that was ended early: the length reached goes into the recipe."""

from __future__ import annotations

from dataclasses import replace

from ppdm_desktop.engine.recipe.models import Recipe
from ppdm_desktop.engine.release.candidate.effective import digest
from ppdm_desktop.engine.release.candidate.model import Prepared, StepRecord


def with_reached(prepared: Prepared, record: StepRecord) -> tuple[Prepared, StepRecord]:
    """Return the prepared input and the step as if the recipe had asked for what was reached.

    The digest that random draws depend on stays: lengths of searches are no part of it.
    """
    reached = dict(record.result.reached)
    settings = replace(
        record.settings,
        values={**record.settings.values, **reached},
        written=record.settings.written | frozenset(reached),
    )
    effective = dict(prepared.effective)
    effective["steps"] = [
        {**step, "parameters": dict(settings.values), "written": sorted(settings.written)}
        if step["place"] == record.index
        else step
        for step in effective["steps"]
    ]
    changed = replace(
        prepared,
        recipe=_written(prepared.recipe, record.index, reached),
        complete=_written(prepared.complete, record.index, reached),
        effective=effective,
        recipe_sha256=digest(effective),
    )
    return changed, replace(record, settings=settings)


def _written(recipe: Recipe, place: int, reached: dict[str, object]) -> Recipe:
    """Return the recipe with these parameters in its ``place``-th enabled step."""
    steps, enabled = [], 0
    for step in recipe.steps:
        enabled += step.enabled
        is_it = step.enabled and enabled == place
        steps.append(step.model_copy(update={"parameters": {**step.parameters, **reached}}) if is_it else step)
    return recipe.model_copy(update={"steps": tuple(steps)})
