"""``compare``: what a file made by any tool keeps, and what it gives away."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from ppdm_desktop.cli.console import Console, count, recipe_named, share
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.recipe.load import read_recipe
from ppdm_desktop.engine.release.foreign import Comparison, compare
from ppdm_desktop.engine.report.model import AttackEntry, ColumnUtilityEntry, ModelEntry, RiskBlock, Verdict
from ppdm_desktop.engine.table.writing import release_formats
from ppdm_desktop.engine.texts import render

DESCRIPTION = (
    "Measure and attack a file that any tool made of ORIGINAL: who can be identified before and after, what analyses "
    "keep, and what a snooper could do. The recipe says what the columns are; its steps, if it has any, tell by which "
    "method the file was made, and are not run. Nothing is written."
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("original", type=Path, metavar="ORIGINAL", help="the source spreadsheet")
    parser.add_argument("released", type=Path, metavar="RELEASED", help="the file made of it, by any tool")
    parser.add_argument("--recipe", type=Path, required=True, metavar="R", help="the recipe that gives the roles")
    parser.add_argument(
        "--rows",
        default="aligned",
        metavar="HOW",
        help="which rows belong together: aligned (same rows, same order; the default), by=COLUMN (a column that "
        "tells rows apart in both files), or none",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(given: argparse.Namespace, console: Console) -> int:
    """Compare and print."""
    with recipe_named(given.recipe, {"error.compare.rows": "--rows"}):
        recipe = read_recipe(given.recipe, formats=release_formats())
        found = compare(given.original, given.released, recipe, given.rows, console.progress)
    console.document(found.document())
    for note in found.notes:
        console.warn(note.id, note.arguments)
    _tell_rows(found, console)
    _tell_risk(found, console)
    _tell_columns(found.utility.columns, console)
    _tell_models(found.utility.models or [], console)
    _tell_attacks(found.verdict.attacks or [], console)
    return 0


def _tell_rows(found: Comparison, console: Console) -> None:
    released, source = found.released_rows, found.input.records
    if found.matched is None:
        console.lines(f"{count(released)} released rows beside {count(source)} of the original, rows not matched.")
    else:
        console.lines(f"{count(found.matched)} of {count(released)} released rows matched with {count(source)} rows.")


def _tell_risk(found: Comparison, console: Console) -> None:
    console.lines("", "Who can be identified")
    before, after = found.risk.before, found.risk.after
    made_up = found.verdict.classes is not None and found.verdict.classes.made_up
    rows = []
    for title, one, other in (
        ("by what others may know", before.scope.quasi_identifiers, after.scope.quasi_identifiers),
        ("by all but confidential", before.scope.released, after.scope.released),
    ):
        rows += [[f"{title}: {what}", *cells] for what, *cells in _risk_rows(one, None if made_up else other)]
    console.table(rows, ["", "original", "released"])
    source, file = _certain(found.original), _certain(found.verdict)
    console.lines(f"  A confidential value is certain: {source} of the original, {file} released.")
    if not after.applies:
        console.lines("  Noise or made-up records: group sizes of the released file say little of people.")


def _risk_rows(before: RiskBlock | None, after: RiskBlock | None) -> list[list[str]]:
    if before is None:
        return []
    sides = [before, after]
    alone = [f"{count(side.unique)} ({share(side.unique / max(side.records, 1))})" if side else "-" for side in sides]
    rows = [
        ["alone with their values", *alone],
        ["smallest group", *(count(side.k) if side else "-" for side in sides)],
    ]
    for name in before.identifiable:
        cells = []
        for side in sides:
            own = side.identifiable.get(name) if side is not None else None
            cells.append("-" if own is None else count(own.uniquely + own.collectively))
        rows.append([f"identifiable for {name}", *cells])
    return rows


def _certain(verdict: Verdict) -> str:
    certain = verdict.certain_by_others
    return "not known" if certain is None else f"for {count(certain)} people"


def _tell_columns(columns: list[ColumnUtilityEntry], console: Console) -> None:
    console.lines("", "What became of each column")
    rows = [
        [
            each.name,
            _number(each.total_variation, as_share=True),
            _number(each.mean_before),
            _number(each.mean_after),
            _number(each.sd_before),
            _number(each.sd_after),
        ]
        for each in columns
    ]
    console.table(rows, ["column", "shares moved", "mean", "mean released", "spread", "spread released"])


def _tell_models(models: list[ModelEntry], console: Console) -> None:
    shown = [each for each in models if each.original.value is not None]
    if not shown:
        return
    console.lines("", "How often a column is told rightly from the others, learned from the original and the release")
    rows = [
        [
            f"{each.target}: {each.task}",
            each.learner,
            _number(each.original, as_share=True),
            _number(each.released_true_labels, as_share=True),
            _number(each.baseline, as_share=True),
        ]
        for each in shown
    ]
    console.table(rows, ["column", "by", "original", "release", "blindly"])


def _number(figure: Figure, *, as_share: bool = False) -> str:
    if figure.value is None:
        return "-"
    return share(float(figure.value)) if as_share else f"{figure.value:.4g}"


def _tell_attacks(attacks: Sequence[AttackEntry], console: Console) -> None:
    console.lines("", "What a snooper could do")
    order = ("total", "serious", "some", "none")
    for entry in sorted(attacks, key=lambda each: order.index(each.severity)):
        text = render(entry.sentence.id, entry.sentence.arguments)
        console.lines(f"{entry.severity:8} {text.title}: {text.sentence}")
        figures = [
            f"{title} {_figure(figure)}"
            for title, figure in (("success", entry.success), ("control", entry.control), ("chance", entry.chance))
            if figure.value is not None
        ]
        console.lines(f"{'':8} {', '.join(figures)}; {render(entry.knows.id, entry.knows.arguments).sentence}")


def _figure(figure: Figure) -> str:
    value, low, high = figure.value, figure.low, figure.high
    if figure.unit != "share":
        between = f" ({low:.3g} to {high:.3g})" if low is not None and high is not None else ""
        return f"{value:.3g} {figure.unit or ''}{between}".rstrip()
    between = f" ({share(low)} to {share(high)})" if low is not None and high is not None else ""
    return f"{share(float(value or 0.0))}{between}"
