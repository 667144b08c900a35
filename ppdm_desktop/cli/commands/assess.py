"""``assess``: how identifiable the people in a file are, without running a method."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from ppdm_desktop.cli.console import Console, count, recipe_named, share
from ppdm_desktop.engine.recipe.load import read_recipe
from ppdm_desktop.engine.release.candidate.pipeline import prepare
from ppdm_desktop.engine.release.measures.assess import assess
from ppdm_desktop.engine.table.record_levels import idle_rules
from ppdm_desktop.engine.table.writing import release_formats

DESCRIPTION = "Count who can be identified in a file by the roles a recipe gives its columns."


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("input", type=Path, metavar="INPUT", help="the spreadsheet")
    parser.add_argument("--recipe", type=Path, required=True, metavar="R", help="the recipe that gives the roles")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(given: argparse.Namespace, console: Console) -> int:
    """Assess and print."""
    with recipe_named(given.recipe):
        prepared = prepare(given.input, read_recipe(given.recipe, formats=release_formats()), console.progress)
        found = assess(prepared)
    console.document(found)
    console.tell_reading(prepared.account)
    for note in (*idle_rules(prepared.read, prepared.recipe.privacy), *prepared.notes):
        console.warn(note.id, note.arguments)
    _headline(found, console)
    columns = found["per_confidential"]
    if columns:
        console.lines("", "By confidential column:")
        console.table(
            [
                [
                    name,
                    count(each["uniquely_identifiable"]),
                    count(each["collectively_identifiable"]),
                    count(each["collective_groups"]),
                    count(each["unidentifiable"]),
                    count(each["no_value"]),
                ]
                for name, each in columns.items()
            ],
            ["column", "alone", "in a group", "groups", "not identifiable", "no value"],
        )
    wide = found["all_released"]
    console.lines(
        "",
        f"Somebody who knew every released column but the confidential ones ({len(wide['scope'])} columns) would "
        f"find {count(wide['equivalence_classes'])} different people-patterns; the smallest group has {wide['k']}.",
    )
    if found["ignored_columns"]:
        console.lines(f"Columns left out of this: {', '.join(found['ignored_columns'])}")
    return 0


def _headline(found: dict[str, Any], console: Console) -> None:
    records = found["records"]
    if "most_rows" in found:
        console.lines(
            f"{count(found['rows'])} rows of {count(found['people'])} people; {count(found['with_several'])} have "
            f"several rows, the most {count(found['most_rows'])}."
        )
        if found["without_id"]:
            console.lines(f"{count(found['without_id'])} rows lack an id; each is counted as a person of its own.")
    elif "rows" in found:
        console.lines(f"{count(found['rows'])} rows became one row for each of {count(found['people'])} people.")
    if found["identifiable"] is None:
        alone = found["uniquely_identifiable"]
        console.lines(
            f"{count(alone)} of {count(records)} people ({share(alone / records)}) are the only one with their "
            f"combination of {', '.join(found['scope'])}."
        )
    else:
        known = found["identifiable"]
        console.lines(
            f"{count(known)} of {count(records)} people ({share(known / records)}) give away a confidential value to "
            f"anyone who knows their {', '.join(found['scope'])}:",
            f"  {count(found['uniquely_identifiable'])} are the only one with their combination "
            "(uniquely identifiable);",
            f"  {count(found['collectively_identifiable'])} share it with others who all have the same value "
            f"(collectively identifiable, {count(found['collective_groups'])} groups).",
        )
    risk = found["risk"]
    console.lines(
        f"The smallest group has {found['k']} (k-anonymity). Someone looking for one person is right with a chance of "
        f"{share(risk['prosecutor_mean'])} on average and {share(risk['prosecutor_max'])} at worst (prosecutor risk)."
    )
    _beside(found, console)


def _beside(found: dict[str, Any], console: Console) -> None:
    """Print the measure that does not judge, and the households."""
    judge = found.get("judged_by")
    if judge == "one_row":
        console.lines(
            "Counted for somebody who knows one row of a person. If somebody could put a person's rows together: "
            f"{count(found['all_rows']['unique_with_several'])} of {count(found['with_several'])} people with several "
            f"rows would be unique, {count(found['all_rows']['unique'])} people in all."
        )
    elif judge == "all_rows":
        console.lines(
            "The release lets somebody put a person's rows together: people are counted by all their rows. By one row "
            f"that is known, {count(found['one_row']['unique'])} of {count(found['people'])} people would be unique."
        )
    if (homes := found.get("households")) is not None:
        console.lines(
            f"Of {count(homes['count'])} households {count(homes['unique'])} are like no other; the chance that at "
            f"least one member is found is {share(homes['found_mean'])} on average (shown, not judged)."
        )
