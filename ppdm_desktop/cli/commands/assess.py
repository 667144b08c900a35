"""``assess``: print how identifiable the people in a file are, without running a method."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from ppdm_desktop.cli.columns_storage import add_columns_argument, provide_column_store
from ppdm_desktop.cli.console import Console, format_count, name_recipe_in_errors
from ppdm_desktop.cli.plugins_option import add_plugins_argument, switch_on_named
from ppdm_desktop.engine import progress
from ppdm_desktop.engine.recipe.load import read_recipe
from ppdm_desktop.engine.release.candidate.pipeline import prepare
from ppdm_desktop.engine.release.measures.assess import assess, describe_groups, describe_second_measure
from ppdm_desktop.engine.report.model import OutsideEntry
from ppdm_desktop.engine.report.outside_texts import describe_population_risk
from ppdm_desktop.engine.report.report_texts import SCOPES
from ppdm_desktop.engine.table.record_levels import warn_of_unmatched_rules
from ppdm_desktop.engine.table.writing.registry import release_formats
from ppdm_desktop.engine.wording.catalogue import SOURCE, _, speak_language
from ppdm_desktop.engine.wording.rows import choose_counted_unit
from ppdm_desktop.engine.wording.values import Names, Ratio, Share


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command ``assess`` to the parser."""
    parser.add_argument("input", type=Path, metavar="INPUT", help=_("the file with the data"))
    parser.add_argument("--recipe", type=Path, required=True, metavar="R", help=_("the recipe"))
    add_plugins_argument(parser)
    add_columns_argument(parser)
    parser.add_argument("--json", action="store_true", help=_("print one JSON document"))


def run(args: argparse.Namespace, console: Console) -> int:
    """Print how identifiable the people in a file are, and notes on the reading; return the exit code 0.

    If each row is a group of people, the figures of the groups are printed instead. Raise a PpdmError if the file or
    the recipe cannot be read, or if they do not fit each other.
    """
    with (
        name_recipe_in_errors(args.recipe),
        provide_column_store(args.columns, args.input, console, judged=False) as store,
    ):
        recipe = read_recipe(args.recipe, formats=release_formats())
        switch_on_named(args, recipe)
        prepared = progress.part(0.0, 0.8).run(prepare, args.input, recipe, store=store)
        progress.report(0.8, "doing.risk")
        with speak_language(SOURCE):
            assessment = progress.part(0.8, 1.0).run(assess, prepared)
        unmatched = warn_of_unmatched_rules(prepared.read, prepared.recipe.privacy)
    console.document(assessment)
    console.tell_reading(prepared.account)
    console.warn(*unmatched, *prepared.notes)
    if prepared.rows_are_groups:
        console.lines(describe_groups(assessment))
        return 0
    with choose_counted_unit(rows=recipe.input.counts_rows):
        _print_assessment(assessment, console)
    return 0


def _print_assessment(assessment: dict[str, Any], console: Console) -> None:
    """Print the risk figures of a file: in all, by confidential column, and the smallest group by all columns.

    The last is that by all released columns but the confidential ones. ``assessment`` is the command's JSON document.
    The risk outside the file is printed if it was assessed, and the columns not included come last.
    """
    _print_headline(assessment, console)
    if "outside" in assessment:
        console.lines(*describe_population_risk(OutsideEntry.model_validate(assessment["outside"])))
    columns = assessment["per_confidential"]
    if columns:
        console.lines("")
        console.table(
            [
                [
                    name,
                    format_count(column["uniquely_identifiable"]),
                    format_count(column["collectively_identifiable"]),
                    format_count(column["collective_groups"]),
                    format_count(column["unidentifiable"]),
                    format_count(column["no_value"]),
                ]
                for name, column in columns.items()
            ],
            [
                _("Confidential column"),
                _("Unique"),
                _("In a group with the same value"),
                _("Groups with the same value"),
                _("All others"),
                _("No value"),
            ],
        )
    wide = assessment["all_released"]
    console.lines(
        "",
        str(SCOPES[1][1]),
        "  " + _("Smallest group: {k}.", k=wide["k"]),
    )
    if assessment["ignored_columns"]:
        console.lines(_("Columns not included: {columns}.", columns=Names.of(assessment["ignored_columns"])))


def _tell_people(assessment: dict[str, Any], console: Console) -> None:
    """Print how many rows people have, or how many rows were combined into one for each person.

    Rows without a person's id, each of which counts as a separate person, are mentioned. Nothing is printed if each row
    is another person.
    """
    if "most_rows" in assessment:
        console.lines(
            _(
                "{rows} {rows:row|rows} of {people} {people:person|people}. {several} {several:person has|people have} "
                "more than one row, at most {most}.",
                rows=assessment["rows"],
                people=assessment["people"],
                several=assessment["with_several"],
                most=assessment["most_rows"],
            )
        )
        if assessment["without_id"]:
            console.lines(
                _(
                    "{n} {n:row has|rows have} no person’s number; each counts as a person.",
                    n=assessment["without_id"],
                )
            )
    elif "rows" in assessment:
        console.lines(
            _(
                "{rows} {rows:row was|rows were} combined into one row for each of {people} {people:person|people}.",
                rows=assessment["rows"],
                people=assessment["people"],
            )
        )


def _print_headline(assessment: dict[str, Any], console: Console) -> None:
    """Print the columns others may know, how many people are unique or have a value revealed, and the risk.

    Without confidential columns only unique people are counted. The risk is the size of the smallest group, and the
    mean and highest chance of being found. Before that the numbers of rows and people are printed, after it a second
    measure of risk and households, where they apply.
    """
    records = assessment["records"]
    _tell_people(assessment, console)
    console.lines(_("Details others may know: {columns}.", columns=Names.of(assessment["scope"])))
    unique = Share(assessment["uniquely_identifiable"], records)
    if assessment["identifiable"] is None:
        console.lines(_("Unique, with details nobody else has: {found:full}.", found=unique))
    else:
        console.lines(
            _(
                "A confidential value is revealed to anyone who knows these details: {found:full}.",
                found=Share(assessment["identifiable"], records),
            ),
            "  " + _("Unique, with details nobody else has: {found:full}.", found=unique),
            "  "
            + _(
                "Everyone in the group has the same value: {found:full} ({groups} {groups:group|groups}).",
                found=Share(assessment["collectively_identifiable"], records),
                groups=assessment["collective_groups"],
            ),
        )
    risk = assessment["risk"]
    console.lines(
        _("Smallest group: {k}.", k=assessment["k"]),
        _(
            "Chance of being found: {mean} on average, {most} at most.",
            mean=Ratio(risk["prosecutor_mean"]),
            most=Ratio(risk["prosecutor_max"]),
        ),
    )
    console.lines(*describe_second_measure(assessment))
