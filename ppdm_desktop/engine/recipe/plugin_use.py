"""Which plug-ins a recipe may use: only those that it names."""

from __future__ import annotations

from ppdm_desktop.engine import plugins
from ppdm_desktop.engine.errors import RecipeError
from ppdm_desktop.engine.recipe.models import PluginsSection, Recipe
from ppdm_desktop.engine.wording.values import Names, Quoted


def add_used_plugins(recipe: Recipe) -> Recipe:
    """Return the recipe with the plug-ins of its steps' methods added at the end of its list of plug-ins.

    The added ones are sorted by name; steps that are switched off count as well. Plug-ins that are not enabled on this
    computer are not added. If nothing is missing, the same recipe comes back.
    """
    owners = (plugins.of_method(step.method) for step in recipe.steps)
    missing = {owner.name for owner in owners if owner is not None} - set(recipe.plugins.use)
    if not missing:
        return recipe
    return recipe.model_copy(update={"plugins": PluginsSection(use=(*recipe.plugins.use, *sorted(missing)))})


def refuse_others(recipe: Recipe) -> None:
    """Raise RecipeError if a recipe names a plug-in that is not enabled, or uses a plug-in that it does not name.

    Raises
    ------
    RecipeError
        Naming all plug-ins that are not enabled; if all are, the first method whose plug-in the recipe does not name.
        Steps that are switched off are not looked at, but every plug-in that the recipe names is.
    """
    if missing := plugins.not_on(recipe.plugins.use):
        raise RecipeError("error.plugins.off", args={"plugins": Names.of(missing)})
    for section in recipe.steps:
        plugin = plugins.of_method(section.method) if section.enabled else None
        if plugin is not None and plugin.name not in recipe.plugins.use:
            raise RecipeError(
                "error.plugins.not-named", args={"method": Quoted(section.method), "plugin": Quoted(plugin.name)}
            )
