"""``compare``: print what a file made by any tool preserves of its original, and what it reveals."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import get_args

from ppdm_desktop.cli.console import ABSENT, Console, format_count, name_recipe_in_errors
from ppdm_desktop.cli.plugins_option import add_plugins_argument, switch_on_named
from ppdm_desktop.engine.figure import Measure, brief_measures
from ppdm_desktop.engine.recipe.load import read_recipe
from ppdm_desktop.engine.recipe.models import LEARN_FROM
from ppdm_desktop.engine.release.foreign.comparing import Comparison, compare
from ppdm_desktop.engine.report.html import (
    coefficient_headings,
    coefficient_rows,
    conclusions_sentence,
    describe_model,
)
from ppdm_desktop.engine.report.model import ModelEntry, RiskBlock, Verdict
from ppdm_desktop.engine.report.report_texts import OUTCOMES, SCOPES, attack_figures, attack_outcome, write_measure
from ppdm_desktop.engine.table.writing.registry import release_formats
from ppdm_desktop.engine.utility.conclusions import Conclusions
from ppdm_desktop.engine.utility.distributions import ColumnUtility
from ppdm_desktop.engine.wording.catalogue import SOURCE, _, language, lazy, numbers_of, speak_language
from ppdm_desktop.engine.wording.rows import choose_counted_unit
from ppdm_desktop.engine.wording.texts import render_stored
from ppdm_desktop.engine.wording.values import Name

DESCRIPTION = lazy(
    "Measure and attack a file that any tool made from ORIGINAL. It says who can be identified before and after, what "
    "stays useful, and what an intruder could do. The recipe states the roles of the columns. Its steps, if any, state "
    "the method used and are not run. Nothing is written."
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command ``compare`` to the parser."""
    parser.add_argument("original", type=Path, metavar="ORIGINAL", help=_("the original file"))
    parser.add_argument("released", type=Path, metavar="RELEASED", help=_("the file made from it, by any tool"))
    parser.add_argument("--recipe", type=Path, required=True, metavar="R", help=_("the recipe"))
    parser.add_argument(
        "--rows",
        default="aligned",
        metavar="HOW",
        help=_(
            (
                "how rows of both files belong together: by their order (aligned, the default), by a column that is "
                "different in each row (by=COLUMN), or not at all (none)"
            ),
        ),
    )
    parser.add_argument(
        "--learn-from",
        choices=get_args(LEARN_FROM),
        help=_(
            "let models also learn from reconstructed distributions of noisy columns: over all records (global), "
            "by class, or at every branch (local)"
        ),
    )
    add_plugins_argument(parser)
    parser.add_argument("--json", action="store_true", help=_("print one JSON document"))


def run(args: argparse.Namespace, console: Console) -> int:
    """Compare a released file with its original and print the comparison; return the exit code 0.

    It has the matched rows, risk, usefulness, changes by column, predictions, regressions and attacks. Raise a
    PpdmError if a file or the recipe cannot be read, or if they do not fit each other.
    """
    with name_recipe_in_errors(args.recipe, {"error.compare.rows": "--rows"}):
        recipe = read_recipe(args.recipe, formats=release_formats())
        switch_on_named(args, recipe)
        if args.learn_from is not None:
            utility = recipe.utility.model_copy(update={"learn_from": args.learn_from})
            recipe = recipe.model_copy(update={"utility": utility})
        with speak_language(SOURCE):
            comparison = compare(args.original, args.released, recipe, args.rows)
            console.document(comparison.document())
    console.warn(*comparison.notes)
    _tell_rows(comparison, console)
    with choose_counted_unit(rows=comparison.verdict.counts_rows):
        _tell_risk(comparison, console)
        console.lines("", comparison.verdict.usefulness.summary)
        _tell_columns(comparison.utility.columns, console)
        _tell_models(comparison.utility.models or [], console)
        _tell_conclusions(comparison.utility.conclusions or [], console)
        _tell_attacks(comparison.verdict, console)
    return 0


def _tell_rows(comparison: Comparison, console: Console) -> None:
    """Print how many released rows were matched with rows of the original, or that rows were not matched."""
    released, source = comparison.released_rows, comparison.input.records
    if comparison.matched is None:
        console.lines(
            _(
                "{released} released {released:row|rows} compared with {source} of the original; rows not matched.",
                released=released,
                source=source,
            )
        )
    else:
        console.lines(
            _(
                "{matched} of {released} released {released:row|rows} matched with {source} of the original.",
                matched=comparison.matched,
                released=released,
                source=source,
            )
        )


def _tell_risk(comparison: Comparison, console: Console) -> None:
    """Print the risk before and after, for two kinds of knowledge, and the people revealed for certain.

    Others may know the quasi-identifiers, or all released columns but the confidential one. A kind that was not
    measured is left out. If released rows are artificial, the risk after is a dash. If there is noise or rows are
    artificial, a last line says that group sizes mean little.
    """
    before, after = comparison.risk.before, comparison.risk.after
    artificial = comparison.verdict.classes is not None and comparison.verdict.classes.artificial
    for scope, title in SCOPES:
        if getattr(before.scope, scope) is not None:
            console.lines("", str(title))
            rows = _risk_rows(getattr(before.scope, scope), None if artificial else getattr(after.scope, scope))
            console.table(rows, ["", _("Original"), _("Released")])
    console.lines("", _("Confidential values revealed for certain"))
    console.table(
        [[_("People"), _describe_certain_people(comparison.original), _describe_certain_people(comparison.verdict)]],
        ["", _("Original"), _("Released")],
    )
    if not after.applies:
        console.lines(_("The file has noise or artificial records: its group sizes say little about people."))


def _risk_rows(before: RiskBlock, after: RiskBlock | None) -> list[list[str]]:
    """Return the lines of the risk table, each with a label and the figures before and after.

    They are unique people, the smallest group and, for each confidential column, the people whose value is revealed. A
    dash stands for a missing figure.
    """
    sides = [before, after]
    writer = numbers_of(language())
    rows = [
        [_("Unique"), *(writer.full(side.unique, side.records) if side else ABSENT for side in sides)],
        [_("Smallest group"), *(format_count(side.k) if side else ABSENT for side in sides)],
    ]
    for name in before.identifiable:
        cells = []
        for side in sides:
            identifiable = side.identifiable.get(name) if side is not None else None
            cells.append(
                ABSENT if identifiable is None else format_count(identifiable.uniquely + identifiable.collectively)
            )
        rows.append([_("{column} revealed", column=Name(name)), *cells])
    return rows


def _describe_certain_people(verdict: Verdict) -> str:
    """Return the number of people whose confidential value is certain to others; "not known" if not measured."""
    certain = verdict.certain_by_others
    return _("not known") if certain is None else format_count(certain)


def _tell_columns(columns: list[ColumnUtility], console: Console) -> None:
    """Print a table of the figures that compare each column before and after."""
    console.lines("", _("What changed in each column"))
    measures = brief_measures(ColumnUtility)
    rows = [[column.name, *_format_figures(column, measures)] for column in columns]
    console.table(rows, [_("Column"), *_list_headings(measures)])


def _tell_models(models: list[ModelEntry], console: Console) -> None:
    """Print the accuracy of models trained on the original and on the release.

    Models that were not measured on the original are left out; nothing is printed if none is left.
    """
    scored = [model for model in models if model.original.value is not None]
    if not scored:
        return
    console.lines("", _("Predictions still correct, learned from the original and from the release"))
    measures = brief_measures(ModelEntry)
    rows = [[f"{model.target}: {model.task}", model.learner, *_format_figures(model, measures)] for model in scored]
    console.table(rows, [_("Column"), _("Learner"), *_list_headings(measures)])


def _tell_conclusions(conclusions: Sequence[Conclusions], console: Console) -> None:
    """Print for each regression how many conclusions are the same, and a table of its coefficients before and after.

    The table is left out where there are no coefficients.
    """
    for model in conclusions:
        console.lines("", describe_model(model), f"  {conclusions_sentence(model)}")
        if model.coefficients:
            console.table(coefficient_rows(model), coefficient_headings())


def _list_headings(measures: Mapping[str, Measure]) -> list[str]:
    """Return the short headings of measures, in the order of the mapping."""
    return [str(measure.brief) for measure in measures.values()]


def _format_figures(entry: ColumnUtility | ModelEntry, measures: Mapping[str, Measure]) -> list[str]:
    """Return an entry's figures as texts, one for each measure; a dash if the measure has no figure."""
    return [write_measure(getattr(entry, key), measure) for key, measure in measures.items()]


def _tell_attacks(verdict: Verdict, console: Console) -> None:
    """Print every attack, the most serious first: title, outcome, result, figures, what the intruder knows."""
    console.lines("", _("What an intruder could do"))
    ended = [(attack_outcome(entry, verdict.checks), entry) for entry in verdict.attacks or []]
    for outcome, entry in sorted(ended, key=lambda pair: list(OUTCOMES).index(pair[0]), reverse=True):
        text = render_stored(entry.sentence.id, entry.sentence.arguments)
        knows = render_stored(entry.knows.id, entry.knows.arguments).sentence
        console.lines("", f"{text.title} ({OUTCOMES[outcome]})", f"  {text.sentence}")
        console.lines(*(f"  {row.label}: {row.text}" for row in attack_figures(entry)))
        console.lines(f"  {knows}")
