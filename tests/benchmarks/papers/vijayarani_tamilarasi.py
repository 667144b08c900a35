"""Vijayarani & Tamilarasi (2011): Table 2, and Fig. 2 to 4 on synthetic employees.

The paper's employees are not public and its figures are pictures without numbers, so what
can be compared is Table 2, value by value, and the sentences that say which method is best.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np

from ppdm_desktop.engine.samples.drawn import DEFAULT_SEED
from tests.benchmarks.papers.plots import line_chart
from tests.benchmarks.papers.vijayarani_measures import (
    CLUSTERS,
    COLUMNS,
    METHODS,
    PAPERS,
    SIZES,
    Compared,
    Result,
    Results,
    measured,
    numbers_table,
    protect,
)

GOLDEN = Path(__file__).resolve().parents[2] / "golden" / "vijayarani-tamilarasi.json"


def run(page: Path | None, *, seed: int = 0, quick: bool = False) -> list[str]:
    """Return this paper's lines of the page.

    Parameters
    ----------
    page
        The page that is written; plots go beside it. None: no plots.
    seed
        Added to the sample's own seed.
    quick
        The smallest and the largest size only.
    """
    sizes = (SIZES[0], SIZES[-1]) if quick else SIZES
    results = {size: measured(size, DEFAULT_SEED + seed) for size in sizes}
    return [
        "## Vijayarani & Tamilarasi 2011",
        "",
        *table_2(),
        *_employees(results, seed),
        *_figure_2(results, page),
        *_figure_3(results, page),
        *_figure_4(results, page),
    ]


# --- Table 2 ----------------------------------------------------------------------------


def table_2() -> list[str]:
    """Return the paper's worked example beside ours, and what is wrong in print."""
    golden = json.loads(GOLDEN.read_text(encoding="utf-8"))
    pay, printed = golden["original"], golden["printed"]
    table = numbers_table({"Income": [str(value) for value in pay]})

    def shown(compared: Compared) -> list[str]:
        return protect(table, compared).column("Income").values()

    plus, minus, unrounded, clusters = (shown(each) for each in METHODS[:4])
    noise = shown(Compared("additive noise", "additive-noise", {"rounding": "paper"}))
    means = _cluster_means(pay, clusters)
    lines = [
        "### Table 2 (printed / ours)",
        "",
        "| | original | Bit++ | Bit-- | additive noise | unrounded | microaggregation | its exact mean |",
        "|---|---|---|---|---|---|---|---|",
    ]
    off: dict[str, int] = {}
    for row, name in enumerate(golden["names"]):
        cells = []
        for key, ours in (("bpp", plus), ("bmm", minus), ("an", noise), ("ma", clusters)):
            theirs = printed[key][row]
            off[key] = off.get(key, 0) + (theirs is not None and str(theirs) != ours[row])
            cells.append(f"{theirs if theirs is not None else 'missing'} / {ours[row]}")
        cells.insert(3, f"{float(unrounded[row]):.2f}")
        cells.append(f"{means[row]:.2f}")
        lines.append(f"| {name} | {pay[row]} | {' | '.join(cells)} |")
    of = sum(value is not None for value in printed["bpp"])
    return [
        *lines,
        "",
        f"Of {of} printed values in each column we get {of - off['bpp']} (Bit++), {of - off['bmm']} (Bit--), "
        f"{of - off['an']} (additive noise, rounded half up at every step as the paper must have done) and "
        f"{of - off['ma']} (microaggregation).",
        "",
        "Faults in print:",
        "- Sita is missing from the table, but counted: without her the two noises would be "
        f"{_noises(pay[:-1])}, and no printed value would come out.",
        f"- 36024 is the sum of the lowest cluster (Arun, Ragul, Shankar, Sita); its mean is {means[3]:.0f}. The other "
        f"two are means. As printed, with Sita, the column's mean is {_printed_mean(printed['ma']):.1f} instead of "
        f"{np.mean(pay):.1f}.",
        '- "The sum of noise1 and noise2 is 0" (step xiii): what is 0 is the total over all records.',
        '- Digits are called bits, and the "MSB" is the first digit.',
        "",
    ]


def _noises(values: list[int]) -> str:
    mean = float(np.mean(values))
    high = int(np.count_nonzero(np.array(values) >= mean))
    return f"{2 * mean / high:.2f} and {2 * mean / (len(values) - high):.2f}"


def _cluster_means(pay: list[int], shown: list[str]) -> list[float]:
    """Return each record's exact cluster mean; the released text tells the cluster."""
    return [float(np.mean([p for p, other in zip(pay, shown, strict=True) if other == mine])) for mine in shown]


def _printed_mean(values: list[int | None]) -> float:
    """Return the mean of the printed column, Sita with her cluster's 36024."""
    return float(np.mean([36024 if value is None else value for value in values]))


# --- employees --------------------------------------------------------------------------


def _employees(results: Results, seed: int) -> list[str]:
    largest = max(results)
    lines = [
        "### The employees",
        "",
        f"Sample `employees` with seed {DEFAULT_SEED + seed}: salary lognormal about education and job, income tax by "
        "brackets from the salary, weeks worked uniform from 0 to 52. The paper's employees are not public; its "
        "figures show no numbers. Averages are over the three columns. Additive noise is not rounded: rounded as in "
        "Table 2 its two constants are 0 for weeks worked, and nothing would change.",
        "",
        f"By column, {largest:,} records, percent (mean: statistical accuracy; changed: the paper's privacy "
        "protection; near: within 1 % of the truth; recovered: exact for whoever only has the release; sizes, "
        "matched: 3 clusters):",
        "",
        "| column | method | mean | sd ratio | changed | near | recovered | sizes | matched | ARI |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for name in COLUMNS:
        for method, result in results[largest].items():
            own = {measure: values[name] for measure, values in result.values.items()}
            sizes, matched, ari = (result.clusters[3, figure][name] for figure in ("by_sizes", "matched", "ari"))
            lines.append(
                f"| {name} | {method} | {100 * own['mean']:.3f} | {own['sd']:.4f} | {100 * own['changed']:.1f} | "
                f"{100 * own['near']:.1f} | {100 * own['recovered']:.1f} | {100 * sizes:.2f} | {100 * matched:.2f} | "
                f"{ari:.3f} |"
            )
    return [*lines, ""]


def _figure_2(results: Results, page: Path | None) -> list[str]:
    def value(result: Result) -> float:
        return 100 * result.mean("mean")

    orders = {size: _order(found, value) for size, found in results.items()}
    first = sum(order[0][0] == "additive noise" for order in orders.values())
    clusters = max(dict(order)["additive noise"] - dict(order)[PAPERS[3]] for order in orders.values())
    digits = min(dict(order)["additive noise"] - dict(order)["Bit++"] for order in orders.values())
    return [
        "### Fig. 2, statistical accuracy (percent, average over the columns)",
        "",
        *_by_size(results, value, 3),
        "",
        *_chart(
            results, value, page, "vijayarani-fig2.svg", "Fig. 2. Statistical accuracy", "percent of the mean kept"
        ),
        f"The paper says additive noise is best at every size. Of its four methods it comes first at {first} of "
        f"{len(results)} sizes here, so {_verdict(first == len(results))}. Bit++ is at least {digits:.2f} points "
        f"behind, microaggregation at most {clusters:.3f}, because means keep totals but for rounding. With a sum in "
        "place of a mean, as printed in Table 2, it would be far off.",
        "",
    ]


def _figure_3(results: Results, page: Path | None) -> list[str]:
    def value(result: Result) -> float:
        return 100 * result.mean("changed")

    largest = results[max(results)]
    plus, noise = largest["Bit++"], largest["additive noise"]
    best = _order(largest, value)[0]
    counted = best[0] == "Bit++"
    return [
        "### Fig. 3, privacy protection (percent of values changed, average over the columns)",
        "",
        *_by_size(results, value, 2),
        "",
        *_chart(results, value, page, "vijayarani-fig3.svg", "Fig. 3. Privacy protection", "percent of values changed"),
        "Beside it, what the figure does not see:",
        "",
        "| records | method | within 1 % of the truth | recovered exactly |",
        "|---|---|---|---|",
        *(
            f"| {size:,} | {name} | {100 * result.mean('near'):.1f} | {100 * result.mean('recovered'):.1f} |"
            for size, found in results.items()
            for name, result in found.items()
        ),
        "",
        f"The paper says Bit++ protects best. Of its four methods {best[0]} changes most values ({best[1]:.1f} %, "
        f"Bit++ {value(plus):.1f} %: single digits stay as they are), so {_verdict(counted)}. And changed values are "
        f"no measure of protection: anybody takes Bit++ back without a key ({100 * plus.mean('recovered'):.0f} % "
        f"recovered); of additive noise, {100 * noise.mean('near'):.1f} % of the values are within 1 % of the truth "
        f"and {100 * noise.mean('recovered'):.1f} % are recovered to the last digit by whoever has the release alone.",
        "",
    ]


def _figure_4(results: Results, page: Path | None) -> list[str]:
    def value(result: Result) -> float:
        return 100 * result.agreement("by_sizes")

    largest = max(results)
    lines = [
        "### Fig. 4, clustering accuracy (percent, average over the columns; by sizes / matched / ARI)",
        "",
        "| records | clusters | " + " | ".join(each.name for each in METHODS) + " |",
        "|---|---|" + "---|" * len(METHODS),
    ]
    for size, found in results.items():
        for k in CLUSTERS:
            cells = [
                f"{100 * result.agreement('by_sizes', k):.2f} / {100 * result.agreement('matched', k):.2f} / "
                f"{result.agreement('ari', k):.3f}"
                for result in found.values()
            ]
            lines.append(f"| {size:,} | {k} | {' | '.join(cells)} |")
    order = _order(results[largest], value)
    matched = _order(results[largest], lambda result: 100 * result.agreement("matched"))
    bits, clusters = results[largest]["Bit++"], results[largest][PAPERS[3]]
    return [
        *lines,
        "",
        *_chart(
            results, value, page, "vijayarani-fig4.svg", "Fig. 4. Clusters of equal size, mean of 2 to 6", "percent"
        ),
        *_chart(
            results,
            lambda result: 100 * result.agreement("matched"),
            page,
            "vijayarani-fig4-matched.svg",
            "Beside Fig. 4. Records in corresponding clusters, mean of 2 to 6",
            "percent",
        ),
        *_by_clusters(results[largest], page, largest),
        f"The paper says Bit++ clusters best. At {largest:,} records, over 2 to 6 clusters, the order of its four "
        f"methods by its own figure is {_listed(order)}, so {_verdict(order[0][0] == 'Bit++')}. By records in "
        f"corresponding clusters it is {_listed(matched)}. Equal sizes flatter: Bit++ has {value(bits):.2f} by sizes, "
        f"{100 * bits.agreement('matched'):.2f} matched, ARI {bits.agreement('ari'):.3f}. The means of three clusters "
        f"agree with three clusters ({100 * clusters.agreement('matched', 3):.2f} matched), not with two "
        f"({100 * clusters.agreement('matched', 2):.2f}) or six ({100 * clusters.agreement('matched', 6):.2f}); best "
        f"groups of 3, which the paper does not have, keep them all "
        f"({100 * results[largest][METHODS[4].name].agreement('matched'):.2f}).",
        "",
    ]


def _order(found: Mapping[str, Result], value: Callable[[Result], float]) -> list[tuple[str, float]]:
    """Return the paper's four methods, the best first."""
    return sorted(((name, value(found[name])) for name in PAPERS), key=lambda pair: -pair[1])


def _listed(order: list[tuple[str, float]]) -> str:
    return ", ".join(f"{name} {figure:.2f}" for name, figure in order)


def _verdict(holds: bool) -> str:
    return "this sentence holds" if holds else "this sentence does not hold on these employees"


def _by_size(results: Results, value: Callable[[Result], float], digits: int) -> list[str]:
    lines = [
        "| records | " + " | ".join(each.name for each in METHODS) + " |",
        "|---|" + "---|" * len(METHODS),
    ]
    for size, found in results.items():
        lines.append(f"| {size:,} | {' | '.join(f'{value(result):.{digits}f}' for result in found.values())} |")
    return lines


def _by_clusters(found: Mapping[str, Result], page: Path | None, size: int) -> list[str]:
    if page is None:
        return []
    title, name = f"Records in corresponding clusters by number of clusters, {size:,} records", "vijayarani-fig4-k.svg"
    series = {
        method: [(float(k), 100 * result.agreement("matched", k)) for k in CLUSTERS] for method, result in found.items()
    }
    line_chart(title, "clusters", "percent", series, page.with_name(name))
    return [f"![{title}]({name})", ""]


def _chart(
    results: Results, value: Callable[[Result], float], page: Path | None, name: str, title: str, y_label: str
) -> list[str]:
    if page is None:
        return []
    series = {
        each.name: [(float(size), value(found[each.name])) for size, found in results.items()] for each in METHODS
    }
    line_chart(title, "records", y_label, series, page.with_name(name))
    return [f"![{title}]({name})", ""]
