"""The option of a command that enables plug-ins."""

from __future__ import annotations

import argparse

from ppdm_desktop.cli.console import Console
from ppdm_desktop.engine.recipe.models import Recipe
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Quoted


def add_plugins_argument(parser: argparse.ArgumentParser) -> None:
    """Add the option ``--plugins``, which enables plug-ins, to the parser."""
    parser.add_argument(
        "--plugins",
        action="store_true",
        help=_("let installed methods, attacks and formats of others take part; a recipe names them under [plugins]"),
    )


def switch_on_named(args: argparse.Namespace, recipe: Recipe) -> None:
    """Enable the plug-ins that a recipe names if the option ``--plugins`` was given; else do nothing.

    Raises
    ------
    RecipeError
        When a plug-in is not installed or is refused.
    """
    if args.plugins and recipe.plugins.use:
        # Only here: who uses none needs none of what tests them.
        from ppdm_desktop import plugins

        plugins.switch_on(recipe.plugins.use)


def switch_on_all(args: argparse.Namespace, console: Console) -> tuple[str, ...]:
    """Enable all installed plug-ins if the option ``--plugins`` was given, and print why any was refused.

    Returns
    -------
    The names of the enabled plug-ins; empty without the option.
    """
    if not args.plugins:
        return ()
    from ppdm_desktop import plugins

    names = []
    for plugin in plugins.installed():
        if (why := plugins.why_refused(plugin.name)) is None:
            names.append(plugin.name)
        else:
            console.warn(Note("error.plugins.refused", {"plugin": Quoted(plugin.name), "reason": why}))
    return tuple(names)
