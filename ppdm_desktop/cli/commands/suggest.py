"""``suggest``: find recipes ("versions") for a file that may be released."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import Any

from ppdm_desktop.cli.app_folder import ledger_file
from ppdm_desktop.cli.columns_storage import add_columns_argument, provide_column_store
from ppdm_desktop.cli.commands.release import add_key_arguments, choose_key
from ppdm_desktop.cli.console import Console, name_recipe_in_errors, write_new
from ppdm_desktop.cli.plugins_option import add_plugins_argument, switch_on_named
from ppdm_desktop.engine import progress
from ppdm_desktop.engine.recipe.load import read_recipe, write_recipe
from ppdm_desktop.engine.recipe.models import Recipe
from ppdm_desktop.engine.release.candidate.pipeline import prepare
from ppdm_desktop.engine.release.planning.plan import plan, settle
from ppdm_desktop.engine.release.planning.texts import (
    describe_blocking,
    describe_lost_marked,
    describe_reasons,
    describe_refusals,
)
from ppdm_desktop.engine.release.planning.version import Planned, Version, best_versions_first
from ppdm_desktop.engine.table.writing.registry import release_formats
from ppdm_desktop.engine.wording.catalogue import SOURCE, _, lazy, speak_language
from ppdm_desktop.engine.wording.values import Span, Term

DESCRIPTION = lazy(
    "Look for versions of a file that may be released, the best first. Each is judged on all rows, with attack tests. "
    "Nothing is released."
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command ``suggest`` to the parser."""
    parser.add_argument("input", type=Path, metavar="INPUT", help=_("the file with the data"))
    parser.add_argument("--recipe", type=Path, required=True, metavar="R", help=_("the recipe"))
    parser.add_argument("--write", type=Path, metavar="FOLDER", help=_("write each version into FOLDER as a recipe"))
    add_key_arguments(parser)
    add_plugins_argument(parser)
    add_columns_argument(parser)
    parser.add_argument("--json", action="store_true", help=_("print one JSON document"))


def run(args: argparse.Namespace, console: Console) -> int:
    """Search versions of a file, evaluate each as a release, and print them, best first; return the exit code 0.

    If a folder is named, each version is also written as a recipe. Raise a PpdmError if file and recipe do not fit, or
    if a recipe cannot be written.
    """
    key, ledger = choose_key(args.key_file, args.seed), ledger_file()
    with (
        name_recipe_in_errors(args.recipe),
        provide_column_store(args.columns, args.input, console, judged=False) as store,
    ):
        recipe = read_recipe(args.recipe, formats=release_formats())
        switch_on_named(args, recipe)
        to_read, to_plan, to_settle = progress.parts(1.0, 9.0, 5.0)
        prepared = to_read.run(prepare, args.input, recipe, need_type=True, store=store)
        planned = to_plan.run(plan, prepared, (), lambda version: None, key, ledger)
        parts = to_settle.parts(*[1.0] * len(planned.versions))
        settled = [
            part.run(settle, prepared, version, ledger) for version, part in zip(planned.versions, parts, strict=True)
        ]
    planned = replace(planned, versions=tuple(best_versions_first(settled)))
    print_versions(planned, console)
    with speak_language(SOURCE):
        console.document(_build_document(planned))
    if args.write is not None:
        _write_recipes(planned, recipe, args.write, console)
    return 0


def print_versions(planned: Planned, console: Console) -> None:
    """Print all versions found, or that none may be released, then which checks stop versions.

    For these checks the columns at fault and what is possible without them are named. The last lines say why some
    families of methods gave no version.
    """
    for number, version in enumerate(planned.versions, 1):
        _print_version(number, version, describe_lost_marked(version, planned.versions), console)
    if not planned.versions:
        console.lines(_("No version may be released."))
    for blocking in planned.blocking:
        console.lines(str(describe_blocking(blocking)))
    console.lines(*describe_refusals(planned, in_window=False).splitlines())


def _print_version(number: int, version: Version, lost_marked: str, console: Console) -> None:
    """Print a version with its number: name, recipients, what it keeps, usefulness, reasons needed, run time.

    ``lost_marked`` are lines on the columns marked to stay detailed that it does not keep, "" for none.
    """
    console.lines(
        "",
        f"{number}. {version.name} ({version.family.for_whom})",
        *(f"   {line}" for line in lost_marked.splitlines()),
        f"   {version.kept}",
        f"   {version.verdict.usefulness.summary}",
        *([] if version.costliest is None else [f"   {version.costliest}"]),
        f"   {describe_reasons(version.verdict)}",
        "   " + _("found in {time}", time=Span(version.seconds)),
    )


def _build_document(planned: Planned) -> dict[str, Any]:
    """Return the command's JSON document: versions, why families of methods gave none, and blocking checks."""
    return {
        "versions": [
            {
                "family": version.family.id,
                "name": str(version.name),
                "kept": str(version.kept),
                "lost": str(version.lost),
                "changed": version.changed,
                "seconds": round(version.seconds, 2),
                "steps": [step.model_dump(mode="json", exclude_none=True) for step in version.steps],
                "verdict": version.verdict.model_dump(mode="json"),
            }
            for version in planned.versions
        ],
        "refusals": [
            {
                "families": [family.id for family in refusal.families],
                "reason": refusal.reason,
                "cure": refusal.cure,
                "cures": [
                    {"title": str(cure.title), "input": cure.input.model_dump(mode="json", exclude_defaults=True)}
                    for cure in refusal.cures
                ],
            }
            for refusal in planned.refusals
        ],
        "blocking": [
            {
                "check": blocking.check,
                "columns": list(blocking.columns),
                "without": None if blocking.without is None else str(blocking.without.lost),
            }
            for blocking in planned.blocking
        ],
    }


def _write_recipes(planned: Planned, recipe: Recipe, folder: Path, console: Console) -> None:
    """Write each version as a recipe into a folder, which is made if needed, and print its path.

    Raise InputError if a file exists already or cannot be written; recipes written before it stay.
    """
    for number, version in enumerate(planned.versions, 1):
        path = folder / f"{number}-{version.family.id}.recipe.toml"
        text = write_recipe(recipe.model_copy(update={"steps": version.steps}))
        write_new(path, text, in_new_folder=True)
        console.lines(_("Recipe written: {file}", file=Term(str(path))))
