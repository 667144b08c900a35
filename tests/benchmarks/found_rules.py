"""Which rules are found in 30 invented tables with planted rules and near-rules: precision and recall by kind.

    python -m tests.benchmarks.found_rules [--tables 30] [-v]

Each table has 300 to 5,000 rows and draws for each kind whether a rule is planted, and whether something stands there
that only looks like one (97 to 99.5 % of rows, or a short list by chance). A rule that was found is right where it
holds in 20,000 other people drawn by the same law: in 99.8 % of their rows, a range in 99 %; of a spike its share has
to come again. Whether it holds is counted by ``tests.benchmarks.believable_truths``.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ppdm_desktop.engine.recipe.load import parse_recipe
from ppdm_desktop.engine.release.candidate.pipeline import prepare
from ppdm_desktop.engine.table.rules import KINDS, ValueRule, find_rules
from ppdm_desktop.engine.table.rules.conditional import FilledRule, LimitsRule
from ppdm_desktop.engine.table.rules.pairs import PairRule, YearsRule
from ppdm_desktop.engine.table.rules.products import ProductRule
from tests.benchmarks.believable_truths import Truth
from tests.benchmarks.useful_tables import recipe_of

_OTHER_PEOPLE, _HOLDS = 20_000, {"range": 0.99}
Columns = dict[str, Any]
Planted = set[tuple[str, tuple[str, ...]]]


class Law:
    """Draws the columns of one table: what is planted by the table's number, the rows by another seed."""

    def __init__(self, number: int, seed: int, rows: int) -> None:
        self.law = np.random.default_rng(number)
        self.rng, self.rows = np.random.default_rng([number, seed]), rows
        self.columns: Columns = {}
        self.planted: Planted = set()
        self.near: Planted = set()

    def draw(self) -> pd.DataFrame:
        """Return the table; ``planted`` and ``near`` then name its rules and what only looks like one."""
        for add in (
            _pair,
            _never_together,
            _order,
            _sum,
            _range,
            _grid,
            _list,
            _spike,
            _long_sum,
            _product,
            _ranges,
            _limits,
            _filled,
        ):
            for is_rule in (True, False):
                if self.law.random() < 0.6:
                    add(self, is_rule)
        for index in range(int(self.law.integers(1, 4))):
            self.columns[f"word {index}"] = self.words(int(self.law.integers(3, 60)))
            self.columns[f"number {index}"] = self.rng.normal(0, 1_000, self.rows).round(1)
        return pd.DataFrame({name: list(map(str, values)) for name, values in self.columns.items()})

    def put(self, kind: str, is_rule: bool, *columns: Any) -> None:
        """Add the columns of a rule or of a near-rule."""
        names = tuple(f"{kind} {'rule' if is_rule else 'near'} {place}" for place in range(len(columns)))
        self.columns |= dict(zip(names, columns, strict=True))
        (self.planted if is_rule else self.near).add((kind.split()[-1], names))

    def words(self, count: int) -> np.ndarray:
        """Return words, few of them frequent."""
        shares = self.law.dirichlet(np.full(count, 2.0))
        return self.rng.choice([f"w{place}" for place in range(count)], self.rows, p=shares)

    def some(self, low: float, high: float) -> np.ndarray:
        """Say which rows are exceptions, a share between two."""
        return self.rng.random(self.rows) < self.law.uniform(low, high)


def _pair(law: Law, is_rule: bool) -> None:
    """Add a word that decides another, as a city its country; else in all but a few rows."""
    count = int(law.law.integers(6, 40))
    of_word = law.law.integers(0, max(count // 4, 2), count)
    first = law.words(count)
    second = of_word[[int(word[1:]) for word in first]]
    exceptions = law.some(0.005, 0.03)
    if not is_rule:
        second = np.where(exceptions, law.rng.integers(0, count, law.rows), second)
    law.put("decided pair", is_rule, first, [f"c{value}" for value in second])


def _never_together(law: Law, is_rule: bool) -> None:
    """Add two words of which a third of the pairs never occur; else they are only rare."""
    first, second = law.rng.integers(0, 6, law.rows), law.rng.integers(0, 6, law.rows)
    barred, exceptions = (first + second) % 3 == 0, law.some(0.02, 0.1)
    moved = barred if is_rule else barred & ~exceptions
    second = np.where(moved, (second + 1) % 6, second)
    law.put("exclusive pair", is_rule, [f"a{value}" for value in first], [f"b{value}" for value in second])


def _order(law: Law, is_rule: bool) -> None:
    """Add two days of which the first is at most the second; else in all but a few rows."""
    first = np.datetime64("2010-01-01") + law.rng.integers(0, 3_000, law.rows)
    gap, exceptions = law.rng.exponential(law.law.uniform(20, 2_000), law.rows).astype(int), law.some(0.005, 0.03)
    second = first + (gap if is_rule else np.where(exceptions, -gap - 1, gap))
    law.put("order", is_rule, first, second)


def _sum(law: Law, is_rule: bool) -> None:
    """Add two amounts and their sum; else with a rebate in a few rows."""
    first, second = (law.rng.lognormal(law.law.uniform(3, 9), 0.6, law.rows).astype(int) for _ in range(2))
    rebate = law.some(0.005, 0.05) * law.rng.integers(1, 20, law.rows)
    law.put("sum", is_rule, first, second, first + second - (0 if is_rule else rebate))


def _long_sum(law: Law, is_rule: bool) -> None:
    """Add four to eight amounts, often zero, or answers from 0 to 10 or 3, and their sum; else one is left out."""
    count, end = int(law.law.integers(4, 9)), int(law.law.choice([0, 0, 3, 10]))
    shares = law.law.uniform(0.02, 0.9, count)[:, None]
    parts = law.rng.binomial(end or 1, shares, (count, law.rows))
    if not end:
        parts *= law.rng.lognormal(law.law.uniform(3, 9), 0.6, parts.shape).astype(int)
    left_out = law.some(0.005, 0.05) if not is_rule else False
    law.put("long sum", is_rule, *parts, parts.sum(axis=0) - left_out * np.maximum(parts[0], 1))


def _range(law: Law, is_rule: bool) -> None:
    """Add answers of a scale from 0 to 20 or more; else amounts of any size, of which nothing is planted."""
    end = int(law.law.integers(20, 101))
    values = law.rng.normal(end / 2, end / 3, law.rows).round()
    law.put("range", is_rule, (np.clip(values, 0, end) if is_rule else values).astype(int))


def _grid(law: Law, is_rule: bool) -> None:
    """Add amounts in steps of 5 to 500; else exact in a few rows."""
    step, exceptions = int(law.law.choice([5, 10, 50, 500])), law.some(0.03, 0.1)
    values = step * law.rng.lognormal(4, 0.6, law.rows).astype(int)
    law.put("grid", is_rule, values + (0 if is_rule else exceptions * law.rng.integers(1, step, law.rows)))


def _list(law: Law, is_rule: bool) -> None:
    """Add codes; else counts without an end."""
    codes = law.law.choice(np.arange(1, 30), int(law.law.integers(3, 10)), replace=False)
    law.put("list", is_rule, law.rng.choice(codes, law.rows) if is_rule else law.rng.poisson(4, law.rows) + 40)


def _spike(law: Law, is_rule: bool) -> None:
    """Add amounts of which many are zero; else a twentieth."""
    share = law.law.uniform(0.2, 0.6) if is_rule else law.law.uniform(0.02, 0.06)
    zero = law.rng.random(law.rows) < share
    law.put("spike", is_rule, np.where(zero, 0, law.rng.lognormal(6, 1, law.rows).round(2)))


def _product(law: Law, is_rule: bool) -> None:
    """Add two amounts and a product, a quotient or an index of both, rounded; else with a rebate in a few rows."""
    power, decimals = float(law.law.choice([1, -1, -2, 0.5])), int(law.law.integers(0, 3))
    first = law.rng.lognormal(law.law.uniform(3, 9), 0.6, law.rows).round(1) + 1
    second = law.rng.lognormal(law.law.uniform(1, 3), 0.4, law.rows).round(2) + 1
    factor = float(law.law.choice([1, 100, 0.19, 703])) * (1 if power > 0 else 100)
    rebate = 0 if is_rule else law.some(0.005, 0.05) * 0.1
    law.put("product", is_rule, first, second, (factor * first * second**power * (1 - rebate)).round(decimals))


def _ranges(law: Law, is_rule: bool) -> None:
    """Add ages or amounts and a word for each of their ranges; else another word in a few rows."""
    scale = int(law.law.choice([1, 1000]))
    numbers = (law.rng.normal(50, 15, law.rows) * scale).astype(int)
    of_row = np.searchsorted(np.sort(law.law.choice(np.arange(25, 76, 5), 3, replace=False)) * scale, numbers, "right")
    others = 0 if is_rule else law.some(0.005, 0.03)
    law.put("ranges pair", is_rule, numbers, [f"r{value}" for value in (of_row + others) % 4])


def _limits(law: Law, is_rule: bool) -> None:
    """Add a kind of flat and its rooms, of which each kind has its own numbers; else others in a few rows."""
    first, width = law.rng.integers(0, 4, law.rows), int(law.law.integers(2, 5))
    others = 0 if is_rule else law.some(0.01, 0.03) * law.rng.integers(-6, 7, law.rows)
    rooms = np.maximum(3 * first + law.rng.integers(0, width + 2, law.rows) + others, 0)
    law.put("limits", is_rule, [f"k{value}" for value in first], rooms)


def _filled(law: Law, is_rule: bool) -> None:
    """Add a yes or no, and an amount for yes; else for some of no, too."""
    yes, exceptions = law.rng.random(law.rows) < law.law.uniform(0.2, 0.8), law.some(0.01, 0.05)
    amounts = law.rng.lognormal(6, 1, law.rows).round(2)
    filled = yes if is_rule else yes | exceptions
    law.put("filled", is_rule, np.where(yes, "yes", "no"), np.where(filled, amounts.astype(str), ""))


def holds(rule: ValueRule, source: pd.DataFrame, people: pd.DataFrame) -> bool:
    """Say whether a rule that was found in a table holds among other people of the same law."""
    kind, columns, given = rule.id, rule.columns, rule.parameters
    numbers = pd.to_numeric(people[columns[0]], errors="coerce")
    if kind == "product":
        assert isinstance(rule, ProductRule)
        *parts, total = (pd.to_numeric(people[name]).to_numpy() for name in columns)
        made = rule.factor * np.prod([part**power for part, power in zip(parts, rule.powers, strict=True)], axis=0)
        return bool((np.abs(made - total) <= 0.501 * rule.step).mean() >= 0.998)
    if isinstance(rule, PairRule) and rule.ranges:
        starts, words = zip(*rule.ranges, strict=True)
        expected = np.array(words)[np.searchsorted(starts, numbers, side="right") - 1]
        return bool((people[columns[1]] == expected).mean() >= 0.998)
    if kind == "limits":
        assert isinstance(rule, LimitsRule)
        ends = people[columns[0]].map({text: (low, high) for text, low, high in rule.limits})
        low, high = np.array([(-np.inf, np.inf) if isinstance(pair, float) else pair for pair in ends]).T
        measured = days_or_numbers(people[columns[1]])
        return bool(((measured < low) | (measured > high)).mean() <= 0.002)
    if kind == "years":
        assert isinstance(rule, YearsRule)
        return bool((numbers + pd.to_numeric(people[columns[1]], errors="coerce") < rule.least).mean() <= 0.002)
    if kind == "filled":
        assert isinstance(rule, FilledRule)
        must_be_empty = people[columns[0]].isin([text or "" for text in rule.texts])
        return bool((must_be_empty & (people[columns[1]] != "")).mean() <= 0.002)
    if kind == "spike":
        return bool((numbers == given["value"]).mean() >= 0.09)
    if kind == "grid":
        return bool(np.isclose(numbers / given["step"], np.rint(numbers / given["step"])).mean() >= 0.985)
    truth = Truth(kind, columns)
    if kind == "range" and not isinstance(given["low"], str):
        truth = Truth(kind, columns, low=given["low"], high=given["high"])
    elif kind == "range":
        low, high = ((pd.Timestamp(given[end]) - pd.Timestamp(0)).days for end in ("low", "high"))
        truth = Truth(kind, columns, low=low, high=high)
    elif kind == "list":
        truth = Truth(kind, columns, values=frozenset(given["values"]))
    elif kind == "pair":
        counts = pd.crosstab(source[columns[0]], source[columns[1]])
        by_chance = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / len(source)
        occurs = (counts > 0) if getattr(rule, "decides", False) else (counts > 0) | (by_chance < 5)
        truth = Truth(kind, columns, frozenset(map(tuple, occurs.stack()[lambda cell: cell].index)))
    return bool(1 - truth.broken(source, people).mean() >= _HOLDS.get(kind, 0.998))


def days_or_numbers(values: pd.Series) -> np.ndarray:
    """Return numbers, or days since 1970, NaN where missing."""
    found = pd.to_numeric(values, errors="coerce")
    if found.notna().any():
        return np.asarray(found)
    return np.asarray((pd.to_datetime(values) - pd.Timestamp("1970-01-01")) / pd.Timedelta(days=1))


def judge_table(number: int, counts: dict[str, Counter[str]], verbose: bool) -> None:
    """Count the rules found in one table."""
    rows = int(np.exp(np.random.default_rng(number).uniform(np.log(300), np.log(5_000))))
    law = Law(number, 1, rows)
    table, people = law.draw(), Law(number, 2, _OTHER_PEOPLE).draw()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "people.csv"
        table.to_csv(path, index=False)
        recipe = parse_recipe(recipe_of([], "", "", "research"))
        rules = find_rules(prepare(path, recipe).original)
    is_right = {rule: holds(rule, table, people) for rule in rules}
    found_names = {(rule.id, frozenset(rule.columns)) for rule in rules}
    for kind, columns in law.planted:
        is_found = (kind, frozenset(columns)) in found_names
        counts[kind].update(planted=1, recalled=is_found)
        if verbose and not is_found:
            print(f"{number} ({rows} rows): {kind} of {', '.join(columns)} not found")
    for rule in rules:
        counts[rule.id].update(found=1, right=is_right[rule])
        if verbose and not is_right[rule]:
            print(f"{number} ({rows} rows): {rule.id} of {', '.join(rule.columns)} {rule.parameters} is none")
    for kind, columns in law.near:
        taken = [rule for rule in rules if rule.id == kind and set(rule.columns) <= set(columns)]
        counts[kind].update(near=1, taken=any(not is_right[rule] for rule in taken))


def main(arguments: Sequence[str]) -> int:
    """Print a line for each kind of rule."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tables", type=int, default=30)
    parser.add_argument("-v", "--verbose", action="store_true", help="name what is missing and what is wrong")
    options = parser.parse_args(arguments)
    counts: dict[str, Counter[str]] = {kind.id: Counter() for kind in KINDS}
    for number in range(options.tables):
        judge_table(number, counts, options.verbose)
    counts["all"] = sum(counts.values(), Counter())
    print(
        "| kind | planted | of them found | recall | found | of them right | precision | near-rules | taken for one |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    for kind, count in counts.items():
        recall = f"{count['recalled'] / max(count['planted'], 1):.3f}"
        precision = f"{count['right'] / max(count['found'], 1):.3f}"
        figures = (count["planted"], count["recalled"], recall, count["found"], count["right"], precision)
        print(f"| {kind} | {' | '.join(map(str, figures))} | {count['near']} | {count['taken']} |")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
