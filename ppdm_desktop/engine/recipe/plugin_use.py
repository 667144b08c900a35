"""Which plug-ins a recipe uses: only those that it names."""

from __future__ import annotations

from ppdm_desktop.engine import plugins
from ppdm_desktop.engine.errors import RecipeError
from ppdm_desktop.engine.recipe.models import PluginsSection, Recipe
from ppdm_desktop.engine.wording.values import Names, Quoted


def add_used_plugins(recipe: Recipe) -> Recipe:
    """Return the recipe with the plug-ins added to its list whose methods its steps use, sorted by name.

    Plug-ins that are not enabled are not added. The same recipe comes back where nothing is to be added.
    """
    owners = (plugins.of_method(step.method) for step in recipe.steps)
    lacking = {owner.name for owner in owners if owner is not None} - set(recipe.plugins.use)
    if not lacking:
        return recipe
    return recipe.model_copy(update={"plugins": PluginsSection(use=(*recipe.plugins.use, *sorted(lacking)))})


def refuse_others(recipe: Recipe) -> None:
    """Raise RecipeError for a plug-in that is named but not enabled, or whose method an enabled step uses unnamed.

    Raises
    ------
    RecipeError
        Naming them.
    """
    if lacking := plugins.not_on(recipe.plugins.use):
        raise RecipeError("error.plugins.off", args={"plugins": Names.of(lacking)})
    for section in recipe.steps:
        plugin = plugins.of_method(section.method) if section.enabled else None
        if plugin is not None and plugin.name not in recipe.plugins.use:
            raise RecipeError(
                "error.plugins.not-named", args={"method": Quoted(section.method), "plugin": Quoted(plugin.name)}
            )
