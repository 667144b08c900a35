"""The attack audit against known truth: what each attack finds beside what it has to find.

Candidates go the whole way from a file, and two files through ``compare``. Run from the
repository's root; ``--quick`` takes about a minute and leaves the large ones out:

    python -m tests.benchmarks.attacks [--quick] [--data FOLDER]

A line that is not as expected ends with ``NOT SO``, and the command then ends with 1.
"""

from __future__ import annotations

import argparse
import csv
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from optional import existing

from ppdm_desktop.engine.attacks.comparison import paired_advantage
from ppdm_desktop.engine.attacks.gower import Values
from ppdm_desktop.engine.attacks.inference import Known, infer
from ppdm_desktop.engine.identifiability.classes import classes_of_codes, equivalence_classes
from ppdm_desktop.engine.progress import silent
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.load import parse_recipe
from ppdm_desktop.engine.recipe.models import Recipe
from ppdm_desktop.engine.release.attack_audit.base import AttackEvidence
from ppdm_desktop.engine.release.attack_audit.registry import find_attack
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.candidate.pipeline import prepare, run_candidate
from ppdm_desktop.engine.release.evaluate.evaluate import evaluate
from ppdm_desktop.engine.release.foreign.comparing import attacks_of_file
from ppdm_desktop.engine.report.model import AttackEntry
from ppdm_desktop.engine.retracing.naive_bayes import log_posteriors
from tests.benchmarks.papers.__main__ import DEFAULT_DATA
from tests.benchmarks.papers.census import CLASS, adult, census_table
from tests.corpus.tables import adult as corpus_adult

WINDOW_QUASI = ("age", "education", "marital-status", "occupation", "race", "sex", "native-country")
"""The roles of the window's tests (contract, section 7)."""
ABALONE = ("length", "diameter", "height", "whole_weight", "shucked_weight", "viscera_weight", "shell_weight")
FOUR = ("age", "sex", "occupation", "native-country")
PILED_UP = (("capital-gain", 0.28), ("capital-loss", 0.27))
"""Columns of which most people have nothing, and how much of the noise is left (verdict page, 2.7).

The page has .26 of the second, from one draw; six draws of the second implementation leave .254 to .286.
"""
BY_DRAW = 0.03
"""How far one draw of the noise may lie from that."""
Columns = Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class Line:
    """One figure beside what is expected of it."""

    what: str
    found: str
    expected: str
    holds: bool


class Workshop:
    """Candidates and comparisons of tables given by their columns, in a folder that goes away."""

    def __init__(self, folder: Path, data: Path) -> None:
        self._folder = folder
        self.data = data
        self._files = 0

    def write(self, columns: Columns) -> Path:
        """Write a table."""
        self._files += 1
        path = self._folder / f"table-{self._files}.csv"
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(columns)
            writer.writerows(zip(*columns.values(), strict=True))
        return path

    def recipe(self, roles: Mapping[str, Any], *steps: Mapping[str, Any]) -> Recipe:
        """Return a recipe of columns, each with a role or a whole section, and steps."""
        sections = {name: {"role": given} if isinstance(given, str) else given for name, given in roles.items()}
        return parse_recipe({"recipe": 1, "columns": sections, "steps": list(steps), "release": {"type": "internal"}})

    def made(self, columns: Columns, roles: Mapping[str, Any], *steps: Mapping[str, Any], seed: int = 1) -> Candidate:
        """Return the candidate of a table."""
        prepared = prepare(self.write(columns), self.recipe(roles, *steps), silent())
        return run_candidate(prepared, Key.from_seed(seed), silent())

    def compared(self, columns: Columns, shown: Columns, roles: Mapping[str, Any]) -> tuple[AttackEntry, ...]:
        """Return what ``compare`` finds when it attacks another file made of a table."""
        return attacks_of_file(self.write(columns), self.write(shown), self.recipe(roles), "aligned", silent())

    def abalone(self) -> dict[str, list[str]]:
        """Read the measurements of the Abalone file, and the number of rings."""
        with (self.data / "abalone.csv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        return {name: [row[name] for row in rows] for name in (*ABALONE, "rings")}


def attacked(candidate: Candidate, id: str) -> dict[str | None, AttackEntry]:
    """Return what one attack finds, by column."""
    return {entry.column: entry for entry in find_attack(id).run(AttackEvidence(candidate), silent())}


def numeric(role: str) -> dict[str, str]:
    """Return a numeric column of a role."""
    return {"role": role, "kind": "numeric"}


def value(figure: Any) -> float:
    """Return a figure's value."""
    assert figure.value is not None, figure.note
    return float(figure.value)


# --- what anybody undoes ----------------------------------------------------------------------------


def digits(shop: Workshop, quick: bool) -> Iterator[Line]:
    """Digit shifts, undone by shifting back."""
    columns = shop.abalone()
    roles = {name: numeric("confidential") for name in columns}
    for method in ("bit-plus-plus", "bit-minus-minus"):
        found = attacked(shop.made(columns, roles, {"method": method}), "digit-inverse")
        worst = min(value(entry.success) for entry in found.values())
        yield Line(f"{method}, Abalone, {len(found)} columns", f"{worst:.2%} recovered", "100 %", worst == 1.0)
    number = np.random.default_rng(1).integers(1, 10**9, 1_000 if quick else 100_000)
    entry = attacked(
        shop.made({"x": list(map(str, number))}, {"x": numeric("confidential")}, {"method": "bit-plus-plus"}),
        "digit-inverse",
    )["x"]
    share = value(entry.success)
    yield Line(f"bit-plus-plus, {len(number):,} numbers up to 10^9", f"{share:.2%} recovered", "100 %", share == 1.0)


def constants(shop: Workshop, quick: bool) -> Iterator[Line]:
    """Two constants, unrounded."""
    for count in (100, 1_000) if quick else (100, 1_000, 20_000):
        shares = []
        for seed in range(5 if quick else 10):
            rng = np.random.default_rng(seed)
            numbers = np.maximum(rng.lognormal(10, 0.6, count).round().astype(int), 1)
            entry = attacked(
                shop.made(
                    {"pay": list(map(str, numbers))},
                    {"pay": numeric("confidential")},
                    {"method": "additive-noise", "parameters": {"rounding": "none"}},
                ),
                "two-constant-search",
            )["pay"]
            shares.append(value(entry.success))
        worst = min(shares)
        what = f"additive-noise unrounded, n = {count:,}, worst of {len(shares)}"
        yield Line(what, f"{worst:.2%} recovered", "100 %", worst == 1.0)


# --- swaps --------------------------------------------------------------------------------------------


def swaps(shop: Workshop, quick: bool) -> Iterator[Line]:
    """Swaps retraced by the rank attack, beside simple Bayes on the original."""
    table = census_table(shop.data, seed=1, bins=10)
    columns = {column.name: column.values() for column in table.columns}
    roles: dict[str, Any] = {column.name: {"role": column.role, "kind": "nominal"} for column in table.columns}
    yield from _swapped(shop, "Adult as the page has it", columns, roles, 0.922, 0.02)
    if quick:
        return
    whole = adult(shop.data)
    train = {name: values[:32_561] for name, values in whole.items()}
    roles = {name: {"role": "other"} for name in train}
    roles |= {name: {"role": "quasi-identifier"} for name in WINDOW_QUASI}
    roles |= {CLASS: {"role": "confidential"}} | {
        name: {"role": "left-out"} for name in ("fnlwgt", "relationship", "education-num")
    }
    yield from _swapped(shop, "Adult, 7 quasi-identifiers", train, roles, None, 0.0)


def _swapped(
    shop: Workshop, title: str, columns: Columns, roles: Mapping[str, Any], expected: float | None, room: float
) -> Iterator[Line]:
    for noise in (0, None):
        parameters: dict[str, Any] = {"proportion": 0.5} | ({} if noise is None else {"selection_noise": noise})
        step = {"method": "bayes-swap", "columns": [CLASS], "parameters": parameters}
        candidate = shop.made(columns, roles, step)
        entry = attacked(candidate, "rank")[CLASS]
        share, control = value(entry.success), value(entry.control)
        original = _bayes_on_original(candidate)
        found = f"{share:.1%} (without the person {control:.1%}, Bayes on the original {original:.1%})"
        what = f"bayes-swap p = 0.5, {title}, selection noise {'by default' if noise is None else noise}"
        if noise is None:
            yield Line(what, found, "near Bayes on the original", abs(share - original) < 0.03)
        elif expected is not None:
            yield Line(what, found, f"about {expected:.0%}", abs(share - expected) < room)
        else:
            # Groups force more out of one value than into it, which an intruder has to guess: with the numbers
            # known it would be 93 %.
            yield Line(what, found, "well above Bayes on the original", share > original + 0.02)


def _bayes_on_original(candidate: Candidate) -> float:
    """How often simple Bayes fitted to the original tells the class of the records that stand alone."""
    table = candidate.prepared.table
    quasi = table.with_role("quasi-identifier")
    known = [column.category_codes.astype(np.int64) for column in quasi]
    truth = table.column(CLASS).category_codes.astype(np.int64)
    alone = np.flatnonzero(equivalence_classes(quasi, table.rows).size_of_record == 1)
    told = log_posteriors(known, truth, 2, alone, silent(), smoothing=0.0, leave_out=False).argmax(axis=1)
    return float((told == truth[alone]).mean())


# --- noise and groups ------------------------------------------------------------------------------------


def noise(shop: Workshop, quick: bool) -> Iterator[Line]:
    """Noise filtered out of Abalone."""
    columns = shop.abalone()
    roles = {name: numeric("confidential") for name in ABALONE} | {"rings": "left-out"}
    for kind, expected in (("independent", 0.45), ("matched", 0.70)):
        step = {"method": "two-phase-noise", "columns": list(ABALONE), "parameters": {"covariance": kind}}
        found = attacked(shop.made(columns, roles, step), "noise-filter").values()
        left, alone = (
            float(np.sqrt(np.mean([value(getattr(entry, side)) ** 2 for entry in found])))
            for side in ("success", "control")
        )
        what = f"BE-DR on Abalone, {kind} noise"
        said = f"{left:.3f} of the noise left (from a column alone {alone:.3f})"
        yield Line(what, said, f"about {expected:.2f}", abs(left - expected) < 0.02)


def piled_up(shop: Workshop, quick: bool) -> Iterator[Line]:
    """Noise taken off by Bayes' rule where most people have nothing: capital gains and losses of Adult.

    What is left of the noise is the verdict's own figure: the worst of what is rebuilt from the release, known from
    a register, or foretold by the other columns.
    """
    columns = corpus_adult(shop.data, (*FOUR, *(name for name, _ in PILED_UP)))
    roles: dict[str, Any] = {name: {"role": "quasi-identifier", "kind": "nominal"} for name in FOUR}
    for name, expected in PILED_UP:
        own = {**{other: columns[other] for other in FOUR}, name: columns[name]}
        step = {"method": "two-phase-noise", "columns": [name]}
        verdict = evaluate(shop.made(own, {**roles, name: numeric("confidential")}, step), attacks=()).report.verdict
        found = next(each for each in verdict.beliefs if each.column == name)
        assert found.left is not None
        assert found.ratio is not None
        said = f"{found.left:.3f} of the noise left (by the linear guess {found.left / found.ratio:.3f})"
        holds = abs(found.left - expected) <= BY_DRAW
        yield Line(f"Bayes' rule on Adult {name}, default noise", said, f"about {expected:.2f}", holds)


def groups(shop: Workshop, quick: bool) -> Iterator[Line]:
    """Condensed people looked for by all their values."""
    columns = shop.abalone()
    roles = {name: numeric("quasi-identifier") for name in ABALONE} | {"rings": numeric("confidential")}
    for least in (2, 5, 20) if quick else (2, 5, 10, 20):
        step = {"method": "condensation", "parameters": {"group": least}}
        prepared = prepare(shop.write(columns), shop.recipe(roles, step), silent())
        candidate = run_candidate(_with_least_group(prepared, least), Key.from_seed(1), silent())
        sizes = np.bincount(existing(candidate.steps[0].result.row_groups))
        linked = attacked(candidate, "linkage")[None]
        nearest = attacked(candidate, "nearest-record")[None]
        most = max(value(linked.success), value(nearest.success))
        said = f"linkage {value(linked.success):.4f}, nearest record {value(nearest.success):.4f}"
        what = f"condensation p = {least} (smallest group {sizes[sizes > 0].min()}), Abalone"
        yield Line(what, said, f"at most {1 / least:.3f}", most <= 1 / least)


def _with_least_group(prepared: Any, least: int) -> Any:
    """Return the input with groups below those of the release type, which a release would lift."""
    levels = prepared.table.levels
    weak = [replace(level, demand=replace(level.demand, group=least)) for level in levels.levels]
    lowered = replace(levels, levels=tuple(weak))
    return replace(prepared, table=prepared.table.with_levels(lowered))


# --- two files --------------------------------------------------------------------------------------------


def copies(shop: Workshop, quick: bool) -> Iterator[Line]:
    """A copy, and columns that have nothing to do with the original, through ``compare``."""
    columns = shop.abalone()
    roles = {name: numeric("quasi-identifier") for name in ABALONE} | {"rings": numeric("confidential")}
    found = shop.compared(columns, columns, roles)
    by_id = {entry.id: entry for entry in found}
    for id in ("singling-out", "inference"):
        share = value(by_id[id].success)
        yield Line(f"a copy of Abalone, {id}", f"{share:.2%}", "100 %", share == 1.0)
    rows = len(columns["rings"])
    rng = np.random.default_rng(3)
    drawn = {name: [values[row] for row in rng.integers(0, rows, rows)] for name, values in columns.items()}
    for entry in shop.compared(columns, drawn, roles):
        if entry.id in ("digit-inverse", "two-constant-search", "linkage", "nearest-record", "singling-out"):
            gain, base = value(entry.success), value(entry.control if entry.control.value is not None else entry.chance)
            said = f"{gain:.2%} against {base:.2%}"
            name = f"{entry.id} {entry.column or ''}".strip()
            yield Line(f"pure noise, {name}", said, "chance", entry.severity in ("none", "some") and gain < base + 0.01)
        elif entry.id == "inference":
            low, high = float(entry.advantage.low or 0), float(entry.advantage.high or 0)
            said = f"{value(entry.advantage):+.2%} ({low:+.2%} to {high:+.2%})"
            yield Line("pure noise, inference of rings", said, "0 in the interval", low <= 0 <= high)


def useless(shop: Workshop, quick: bool) -> Iterator[Line]:
    """Intervals of inference that miss zero though the release tells nothing of the person."""
    tables = 60 if quick else 400
    for title, release in (
        ("values dealt out anew", _permuted_again),
        ("other people's records", _other_people),
        ("one value for all", _one_value),
    ):
        above = below = 0
        middle = []
        for seed in range(tables):
            rng = np.random.default_rng(seed)
            rows, categories = int(rng.integers(100, 1_500)), int(rng.integers(2, 7))
            people, truth = _people(rng, rows, categories)
            released, shown = release(rng, people, truth, categories)
            found = infer(people, truth, released, shown, categories, silent())
            alike = classes_of_codes(people.cells, rows).ids
            advantage = paired_advantage(found.attack.right, found.control.right, alike=alike)
            above += float(advantage.low or 0) > 0
            below += float(advantage.high or 0) < 0
            middle.append(value(advantage))
        said = f"{above} above and {below} below zero of {tables}, mean {np.mean(middle):+.4f}"
        # 2.5 % a side: three standard deviations above that is too many.
        most = tables * 0.05 + 3 * np.sqrt(tables * 0.05 * 0.95)
        yield Line(f"inference, {title}", said, f"at most 5 % missed ({most:.0f})", above + below <= most)


def _people(rng: np.random.Generator, rows: int, categories: int) -> tuple[Known, Any]:
    """Random people: some names, some numbers, a value that leans on them more or less."""
    names, figures = int(rng.integers(1, 4)), int(rng.integers(0, 3))
    codes = rng.integers(0, rng.integers(3, 40), (rows, names)).astype(np.int64)
    numbers = rng.normal(0, 1, (rows, figures)).round(int(rng.integers(0, 3)))
    leaning = (codes.sum(axis=1) + (numbers > 0).sum(axis=1)) % categories
    truth = np.where(rng.random(rows) < rng.random(), leaning, rng.integers(0, categories, rows)).astype(np.int64)
    cells = [*codes.T, *(np.digitize(column, [-0.7, 0.0, 0.7]).astype(np.int64) for column in numbers.T)]
    return Known(Values(numbers, codes), cells, np.arange(rows)), truth


def _permuted_again(rng: np.random.Generator, people: Known, truth: Any, categories: int) -> tuple[Known, Any]:
    return people, rng.permutation(truth)


def _other_people(rng: np.random.Generator, people: Known, truth: Any, categories: int) -> tuple[Known, Any]:
    """Records drawn from the same columns, each by itself, put in anybody's place."""
    rows = len(truth)
    order = [rng.integers(0, rows, rows) for _ in range(people.values.codes.shape[1] + people.values.numbers.shape[1])]
    names = people.values.codes.shape[1]
    codes = np.column_stack(
        [np.zeros((rows, 0), dtype=np.int64), *(people.values.codes[order[at], at] for at in range(names))]
    )
    numbers = np.column_stack(
        [np.zeros((rows, 0)), *(column[order[names + at]] for at, column in enumerate(people.values.numbers.T))]
    )
    cells = [cell[order[at]] for at, cell in enumerate(people.cells)]
    return Known(Values(numbers, codes), cells, people.owner), truth[rng.integers(0, rows, rows)]


def _one_value(rng: np.random.Generator, people: Known, truth: Any, categories: int) -> tuple[Known, Any]:
    return people, np.zeros(len(truth), dtype=np.int64)


CASES: tuple[Callable[[Workshop, bool], Iterator[Line]], ...] = (
    digits,
    constants,
    swaps,
    noise,
    piled_up,
    groups,
    copies,
    useless,
)


def main() -> int:
    """Print every line; 1 when one is not as expected."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="smaller tables, fewer repeats")
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("PPDM_DATA", DEFAULT_DATA)))
    given = parser.parse_args()
    amiss = 0
    with tempfile.TemporaryDirectory(prefix="ppdm-attacks-") as folder:
        shop = Workshop(Path(folder), given.data)
        for case in CASES:
            try:
                for line in case(shop, given.quick):
                    amiss += not line.holds
                    end = "" if line.holds else "   NOT SO"
                    print(f"{line.what:<74} {line.found:<58} expected: {line.expected}{end}", flush=True)
            except FileNotFoundError as error:
                print(f"{case.__name__}: left out, {error.filename} is not there", flush=True)
    return int(amiss > 0)


if __name__ == "__main__":
    sys.exit(main())
