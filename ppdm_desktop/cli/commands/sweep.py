"""``sweep``: run a recipe with several values of one setting, each with several keys."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ppdm_desktop.cli.commands.release import add_key_arguments, choose_key
from ppdm_desktop.cli.console import ABSENT, Console, format_count, name_recipe_in_errors
from ppdm_desktop.cli.plugins_option import add_plugins_argument, switch_on_named
from ppdm_desktop.engine import progress
from ppdm_desktop.engine.errors import RecipeError
from ppdm_desktop.engine.recipe.load import read_recipe, read_sweep_section
from ppdm_desktop.engine.recipe.models import SweepSection
from ppdm_desktop.engine.release.candidate.pipeline import refuse_without_type
from ppdm_desktop.engine.release.sweep.curves import Proposal, curves_of, propose_value
from ppdm_desktop.engine.release.sweep.rows_file import FILE, RowsFile, describe_sweep_identity, read_trial_key
from ppdm_desktop.engine.release.sweep.run import MEASURES, Sweep, SweepRow, read_grid
from ppdm_desktop.engine.release.sweep.texts import (
    OUTCOMES,
    describe_proposal,
    format_sweep_figure,
    list_check_titles,
    written_value,
)
from ppdm_desktop.engine.table.reading import read_source
from ppdm_desktop.engine.table.writing.registry import release_formats
from ppdm_desktop.engine.wording.catalogue import SOURCE, _, language, lazy, speak_language
from ppdm_desktop.engine.wording.rows import choose_counted_unit
from ppdm_desktop.engine.wording.values import Span, Term

DESCRIPTION = lazy(
    "Try a range of values for one setting of a recipe. Each value is run with several keys, measured, attacked and "
    "judged as a release would be. Nothing is released. The value that keeps most within the limits is proposed."
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command ``sweep`` to the parser."""
    parser.add_argument("input", type=Path, metavar="INPUT", help=_("the file with the data"))
    parser.add_argument("--recipe", type=Path, required=True, metavar="R", help=_("the recipe"))
    parser.add_argument(
        "--over",
        metavar="SETTING=VALUES",
        help=_("what to try: group=3,5,10, or ratio=0.5..2/0.5 (from, to, by); 2:group=… for the second step"),
    )
    parser.add_argument("--repeats", type=_parse_repeats, metavar="N", help=_("keys for each value (default 3)"))
    add_key_arguments(parser)
    parser.add_argument("--analyses", action="store_true", help=_("also train models on each outcome (takes longer)"))
    parser.add_argument("--no-attacks", action="store_true", help=_("leave out the attack tests"))
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help=_("a folder of your own that keeps each row as it comes")
    )
    parser.add_argument("--resume", action="store_true", help=_("continue what DIR holds, without repeating its rows"))
    add_plugins_argument(parser)
    parser.add_argument("--json", action="store_true", help=_("print one JSON document"))


def _parse_repeats(text: str) -> int:
    """Return the number of repeats in a text, from 1 to 1,000; raise ValueError for any other text."""
    number = int(text)
    if not 1 <= number <= 1_000:
        raise ValueError(text)
    return number


def run(args: argparse.Namespace, console: Console) -> int:
    """Run the recipe with each value and several keys, print each result as it comes, then measures and the best value.

    Returns the exit code 0. The best value is the one proposed to the user; there may be none. With ``--out`` the
    results are kept in a file; with ``--resume`` those in the file of an earlier run are used instead of running them
    again. Raise a PpdmError if the options, the file or the recipe do not fit.
    """
    kept = None if args.out is None else args.out / FILE
    earlier = read_trial_key(kept) if kept is not None and args.resume else None
    chosen = args.key_file is not None or args.seed is not None
    # A replicate even here: a file of rows never holds a key that anything is released with.
    key = choose_key(args.key_file, args.seed).replicate(0) if chosen or earlier is None else earlier
    with name_recipe_in_errors(args.recipe, dict.fromkeys(_OF_OPTION, "--over")):
        recipe = read_recipe(args.recipe, formats=release_formats())
        refuse_without_type(recipe)
        asked = _choose_values_to_try(args)
        grid = read_grid(recipe, asked.over)
        switch_on_named(args, recipe)
        reading = progress.part(0.0, 0.05).run(read_source, args.input, recipe.input, plugins=recipe.plugins.use)
        sweep = Sweep(args.input, reading, recipe, grid, asked.repeats, key, asked.attacks, analysed=asked.analyses)
        file = None if kept is None else RowsFile(kept, sweep, resume=args.resume)
        rows = list(() if file is None else file.stored_rows)
        console.lines(
            _(
                "Trying {values} {values:value|values} of {setting} with {keys} {keys:key|keys} each.",
                values=len(grid.values),
                setting=Term(grid.parameter),
                keys=asked.repeats,
            )
        )
        for row in rows:
            _print_run(row, console)
        code = language()
        with speak_language(SOURCE), progress.part(0.05, 1.0):
            for row in sweep.rows(rows):
                if file is not None:
                    file.add(row)
                rows.append(row)
                with speak_language(code):
                    _print_run(row, console)
    proposal = propose_value(rows)
    console.document(_build_document(sweep, rows, proposal))
    with choose_counted_unit(rows=recipe.input.counts_rows):
        _print_summary(sweep, rows, proposal, console)
    return 0


def _choose_values_to_try(args: argparse.Namespace) -> SweepSection:
    """Return what to try: the setting, its values and options, from the command line, else from ``[sweep]``.

    ``[sweep]`` is a table of the recipe. Attacks are left out, and analyses run, if command line or table say so. Raise
    RecipeError if neither names values.
    """
    written = read_sweep_section(args.recipe)
    if args.over is None and written is None:
        raise RecipeError("error.sweep.nothing-to-try")
    sweep = written or SweepSection(over=args.over)
    return SweepSection(
        over=args.over or sweep.over,
        repeats=args.repeats or sweep.repeats,
        attacks=sweep.attacks and not args.no_attacks,
        analyses=sweep.analyses or args.analyses,
    )


_OF_OPTION = (
    "error.sweep.form",
    "error.sweep.no-parameter",
    "error.sweep.several-steps",
    "error.sweep.value",
    "error.sweep.too-many",
)


def _print_run(row: SweepRow, console: Console) -> None:
    """Print the outcome and time of the run with one value and one key, and what stopped it.

    That is the reason of a refusal, or the checks that stopped the release; nothing in other runs.
    """
    head = _(
        "{value}, key {n:place}: {outcome} ({time})",
        value=Term(written_value(row.value)),
        n=row.repeat,
        outcome=Term(str(OUTCOMES[row.outcome])),
        time=Span(row.seconds),
    )
    console.lines(head)
    if row.why:
        console.lines("  " + row.why)
    if row.blocking:
        checks = list_check_titles(row.blocking)
        console.lines(f"  {_('Stopped by')}: {checks}")


def _print_summary(sweep: Sweep, rows: Sequence[SweepRow], proposal: Proposal, console: Console) -> None:
    """Print for each measure a table with mean, lowest, highest and number of keys by value, then the proposal.

    A measure without any figure is left out. A value without a figure has dashes and 0 keys.
    """
    curves = {curve.measure: {point.value: point for point in curve.points} for curve in curves_of(rows)}
    values = list(dict.fromkeys(row.value for row in rows))
    for measure in MEASURES:
        if measure.id not in curves:
            continue
        table = []
        for value in values:
            point = curves[measure.id].get(value)
            band = () if point is None else (point.mean, point.low, point.high)
            figures = [format_sweep_figure(measure, figure) for figure in band] or [ABSENT] * 3
            table.append([written_value(value), *figures, format_count(0 if point is None else point.keys)])
        console.lines("", str(measure.title))
        console.table(table, [_("Value"), _("mean"), _("lowest"), _("highest"), _("keys")])
    sentences = describe_proposal(proposal, attacked=sweep.attacked)
    console.lines("", " ".join(sentence.format() for sentence in sentences))


def _build_document(sweep: Sweep, rows: Sequence[SweepRow], proposal: Proposal) -> dict[str, Any]:
    """Return the command's JSON document: what was tried, every run, each measure's mean and range, the proposed value.

    The key is not in it.
    """
    head = {key: value for key, value in describe_sweep_identity(sweep).items() if key != "key"}
    return {
        **head,
        "repeats": sweep.repeats,
        "rows": [asdict(row) for row in rows],
        "curves": [asdict(curve) for curve in curves_of(rows)],
        "proposal": asdict(proposal),
    }
