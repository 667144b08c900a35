"""Liu, Kantarcioglu & Thuraisingham (2008): Fig. 1, 2, 4, 6, 7 and Tables 2 to 9, paper beside ours."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np

from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.noise.moddemeijer import estimated_loss
from ppdm_desktop.engine.noise.redistribute import Redistributor
from ppdm_desktop.engine.utility.models.features import Records
from ppdm_desktop.engine.utility.models.learner import Learner
from ppdm_desktop.engine.utility.models.mlp import Network
from ppdm_desktop.engine.utility.models.naive_bayes import NaiveBayes
from ppdm_desktop.engine.utility.models.tree import DecisionTree
from tests.benchmarks.papers import liu_curves
from tests.benchmarks.papers.liu_data import CASES, Labelled, Perturbed, haberman, income, liver, perturb, synthetic
from tests.benchmarks.papers.plots import line_chart

FILES = ("adult_train.csv", "adult_test.csv", "haberman.csv", "bupa.csv")
SPLITS = 20
CELLS = 40
_TRAIN, _TEST = 66_000, 34_000

TABLE_3 = {
    ("tree", "Income"): (83.77, 78.39, 91.43, 26.30, 40.16),
    ("tree", "Haberman"): (71.89, 77.78, 99.67, 75.49, 75.49),
    ("tree", "Liver"): (79.42, 77.10, 97.68, 25.22, 23.48),
    ("naive Bayes", "Income"): (79.72, 77.89, 88.74, 24.06, 28.12),
    ("naive Bayes", "Haberman"): (74.84, 76.14, 99.67, 75.49, 75.49),
    ("naive Bayes", "Liver"): (79.97, 78.26, 99.71, 24.35, 24.35),
}
TABLE_4 = {
    "tree": ((79.69, 79.21, 79.09, 78.29, 78.47, 78.85), (76.65, 76.22, 77.13, 77.16, 77.67, 77.8)),
    "naive Bayes": ((78.29, 78.43, 78.24, 78.21, 78.18, 78.24), (77.34, 76.33, 77.42, 77.37, 77.46, 77.46)),
    "perceptron": ((79.76, 77.45, 78.5, 78.39, 78.79, 77.86), (76.96, 77.44, 77.75, 77.98, 78.12, 77.78)),
}
TABLES_5_6 = {
    "Income": {"tree": (77.73, 77.45, 83.29), "naive Bayes": (78.17, 77.46, 79.66), "perceptron": (78.1, 77.92, 82.43)},
    "Haberman": {
        "tree": (75.49, 75.49, 76.19),
        "naive Bayes": (75.49, 77.45, 75.82),
        "perceptron": (78.43, 74.51, 74.84),
    },
    "Liver": {"tree": (76.52, 73.91, 77.39), "naive Bayes": (79.13, 79.13, 78.84), "perceptron": (84.35, 74.78, 77.10)},
}
TABLES_7_TO_9 = {
    "Income": {
        "tree": ((78.69, 78.32, 78.41, 78.79, 78.28), (77.73, 77.61, 77.57, 77.46, 77.68)),
        "naive Bayes": ((78.21, 78.19, 78.16, 77.95, 78.2), (77.48, 78.19, 77.51, 77.87, 77.4)),
        "perceptron": ((77.15, 77.16, 77.2, 77.46, 77.17), (77.53, 77.56, 77.59, 77.49, 77.57)),
    },
    "Liver": {
        "tree": ((80.0, 80.0, 80.0, 80.0, 80.0), (80.87, 80.0, 80.0, 74.78, 80.0)),
        "naive Bayes": ((78.26, 78.26, 78.26, 78.26, 78.26), (79.13, 78.26, 79.13, 79.13, 78.26)),
        "perceptron": ((80.0, 80.87, 80.87, 77.39, 79.13), (78.26, 75.65, 78.26, 74.78, 74.78)),
    },
    "Haberman": {
        "tree": ((70.59, 71.57, 71.57, 71.57, 71.57), (73.53, 71.57, 71.57, 71.57, 71.57)),
        "naive Bayes": ((70.59, 70.59, 70.59, 72.55, 70.39), (66.67, 66.67, 66.67, 68.63, 71.57)),
        "perceptron": ((73.53, 73.53, 74.51, 72.55, 71.57), (68.63, 67.65, 68.63, 67.65, 68.63)),
    },
}
LOSSES_7_TO_9 = {
    "Income": (0.1592, 0.1590, 0.1577, 0.1513, 0.1597),
    "Liver": (0.1292, 0.1289, 0.1286, 0.1205, 0.1306),
    "Haberman": (0.1398, 0.1393, 0.1387, 0.1366, 0.1442),
}


def _tree(records: int) -> Learner:
    # C4.5 prunes what it grew; large leaves come nearest to that here.
    return DecisionTree(smallest_leaf=min(max(20, records // 100), 80))


LEARNERS: Mapping[str, Callable[[int], Learner]] = {
    "tree": _tree,
    "naive Bayes": lambda records: NaiveBayes(),
    "perceptron": lambda records: Network(),
}


def accuracy(learner: Learner, train: Floats, train_labels: Ints, tests: Iterable[Floats], labels: Ints) -> list[float]:
    """Return the accuracy in % of a learner trained once, on each version of the same test records."""
    model = learner.fit(Records.of_numbers(train), train_labels, 2)
    return [100 * float((model.predict(Records.of_numbers(test)) == labels).mean()) for test in tests]


def dealt(perturbed: Perturbed, labels: Ints, x: Floats) -> Floats:
    """Return records made of reconstructed values, dealt back by class (Agrawal & Srikant's ByClass)."""
    columns = []
    for column, noise in enumerate(perturbed.noise):
        low, high = float(x[:, column].min()), float(x[:, column].max())
        edges = np.linspace(low, high, CELLS + 1)
        origin = float(perturbed.origin[column])
        columns.append(
            Redistributor.of(perturbed.w[:, column], labels, noise, edges, origin=origin).redistribute("by-class")
        )
    return np.column_stack(columns)


def run(folder: Path, *, page: Path | None, seed: int = 0, quick: bool = False) -> list[str]:
    """Return the lines of this paper's part of the page.

    Parameters
    ----------
    folder
        Where the public data sets are; what needs them is left out with a message otherwise.
    page
        The page that is written; plots go beside it.
    seed
        First seed.
    quick
        Fewer repetitions and records.
    """
    lines = ["## Liu, Kantarcioglu & Thuraisingham (2008)", ""]
    lines += liu_curves.run(page, seed=seed, quick=quick)
    lines += _figure_6(page, seed, quick)
    if not all((folder / name).exists() for name in FILES):
        return [*lines, f"Tables 3 to 9 and Fig. 7 left out: {', '.join(FILES)} are not all in {folder}.", ""]
    train, test = income(folder)
    small = (haberman(folder), liver(folder))
    return [
        *lines,
        *_table_3(train, test, small, seed, quick),
        *_table_4(train, test, seed),
        *_tables_5_and_6(train, test, small, seed, quick),
        *_tables_7_to_9(train, test, small, seed, quick),
        *_figure_7(train, test, page, seed, quick),
    ]


def _figure_6(page: Path | None, seed: int, quick: bool) -> list[str]:
    share = 10 if quick else 1
    train_rows, rows = _TRAIN // share, (_TRAIN + _TEST) // share
    columns = ["original", *CASES]
    lines = [
        f"### Fig. 6: synthetic data, {train_rows:,} records to train, {rows - train_rows:,} to test, SNR 1",
        "",
        "Trained on values reconstructed by class and dealt back into records, tested on original values; accuracy in "
        "%. The paper draws it without figures and says: phase 2 makes no difference, the tree loses more than naive "
        'Bayes. "Corrected" is naive Bayes straight from the perturbed values, noise variance taken off.',
        "",
        "| function | learner | " + " | ".join(columns) + " | commonest class |",
        "|" + "---|" * (len(columns) + 3),
    ]
    series: dict[str, list[tuple[float, float]]] = {}
    for function in range(1, 6):
        data = synthetic(function, rows, seed)
        training, testing = data.take(np.arange(train_rows)), data.take(np.arange(train_rows, rows))
        found: dict[str, list[float]] = {"tree": [], "naive Bayes": [], "naive Bayes, corrected": []}
        for name in ("tree", "naive Bayes"):
            learner = LEARNERS[name](train_rows)
            found[name] += accuracy(learner, training.x, training.labels, [testing.x], testing.labels)
        found["naive Bayes, corrected"].append(found["naive Bayes"][0])
        for case in CASES.values():
            noisy = perturb(training.x, 1.0, case, seed + 1)
            values = dealt(noisy, training.labels, training.x)
            for name in ("tree", "naive Bayes"):
                learner = LEARNERS[name](train_rows)
                found[name] += accuracy(learner, values, training.labels, [testing.x], testing.labels)
            bayes = NaiveBayes(noisy.known)
            found["naive Bayes, corrected"] += accuracy(bayes, noisy.w, training.labels, [testing.x], testing.labels)
        commonest = 100 * max(float(testing.labels.mean()), 1 - float(testing.labels.mean()))
        for name, figures in found.items():
            cells = " | ".join(f"{each:.1f}" for each in figures)
            lines.append(f"| {function} | {name} | {cells} | {commonest:.1f} |")
            drawn = () if name.endswith("corrected") else (("original", 0), ("one phase", -1), ("case 4", -2))
            for which, place in drawn:
                series.setdefault(f"{name}, {which}", []).append((float(function), figures[place]))
    plot = _plot(page, "liu-fig6.svg", "Fig. 6: accuracy on the five functions", "function", "accuracy (%)", series)
    return [*lines, "", *plot]


def _splits(data: Labelled, seed: int, quick: bool) -> list[tuple[Labelled, Labelled]]:
    """Return random splits, two thirds to train."""
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(3 if quick else SPLITS):
        order = rng.permutation(len(data.labels))
        cut = 2 * len(order) // 3
        found.append((data.take(order[:cut]), data.take(order[cut:])))
    return found


def _pairs(
    train: Labelled, test: Labelled, small: Sequence[Labelled], seed: int, quick: bool
) -> dict[str, list[tuple[Labelled, Labelled]]]:
    return {"Income": [(train, test)], **{data.name: _splits(data, seed, quick) for data in small}}


def _mean(figures: Sequence[Sequence[float]]) -> list[str]:
    """Return means over the splits, with the standard deviation of one split where there are several."""
    table = np.array(figures)
    if len(table) == 1:
        return [f"{each:.2f}" for each in table[0]]
    means, sds = table.mean(axis=0), table.std(axis=0, ddof=1)
    return [f"{mean:.1f} ± {sd:.1f}" for mean, sd in zip(means, sds, strict=True)]


def _table_3(train: Labelled, test: Labelled, small: Sequence[Labelled], seed: int, quick: bool) -> list[str]:
    heads = ("original", "perturbed", "recon. test 1", "recon. test 2", "recon. test 3")
    lines = [
        "### Table 3: real data, SNR 1, reconstruction by class",
        "",
        "Accuracy in %, paper / ours. Recon. tests: trained on records dealt back by class, tested on (1) test records "
        "dealt back by class too, (2) the original test records, (3) the perturbed ones. The printed 91 to 99 % of "
        "test 1 are not reached when values are dealt back in order, as here. What can be shown of the printed tests 2 "
        "and 3 is that some are those of a classifier that always says the same: 75.49 is 77 of 102 (Haberman, both "
        "learners), 24.35 is 28 of 115 (Liver, naive Bayes). The cause is unknown.",
        "",
        "| learner | data | " + " | ".join(heads) + " |",
        "|" + "---|" * (len(heads) + 2),
    ]
    for name in ("tree", "naive Bayes"):
        for data, pairs in _pairs(train, test, small, seed, quick).items():
            figures = []
            for place, (training, testing) in enumerate(pairs):
                noisy, other = (
                    perturb(each.x, 1.0, {}, seed + 31 * place + at) for at, each in enumerate((training, testing))
                )
                values, test_values = (
                    dealt(noisy, training.labels, training.x),
                    dealt(other, testing.labels, training.x),
                )
                learner, labels = LEARNERS[name](len(training.labels)), testing.labels
                figures.append(
                    accuracy(learner, training.x, training.labels, [testing.x], labels)
                    + accuracy(learner, noisy.w, training.labels, [testing.x], labels)
                    + accuracy(learner, values, training.labels, [test_values, testing.x, other.w], labels)
                )
            cells = [f"{paper:.2f} / {own}" for paper, own in zip(TABLE_3[name, data], _mean(figures), strict=True)]
            lines.append(f"| {name} | {data} | " + " | ".join(cells) + " |")
    return [*lines, ""]


def _table_4(train: Labelled, test: Labelled, seed: int) -> list[str]:
    sizes = (1_000, 3_000, 5_000, 7_000, 9_000, 11_000)
    lines = [
        "### Table 4: Income, perturbed training records by size, SNR 1",
        "",
        "Accuracy in %, paper / ours.",
        "",
        "| learner | tested on | " + " | ".join(f"{size:,}" for size in sizes) + " |",
        "|" + "---|" * (len(sizes) + 2),
    ]
    order = np.random.default_rng(seed).permutation(len(train.labels))
    noisy, other = perturb(train.x, 1.0, {}, seed + 1), perturb(test.x, 1.0, {}, seed + 2)
    for name, make in LEARNERS.items():
        found = [
            accuracy(make(size), noisy.w[order[:size]], train.labels[order[:size]], [test.x, other.w], test.labels)
            for size in sizes
        ]
        for place, tested in enumerate(("original", "perturbed")):
            cells = [f"{paper:.2f} / {own[place]:.2f}" for paper, own in zip(TABLE_4[name][place], found, strict=True)]
            lines.append(f"| {name} | {tested} | " + " | ".join(cells) + " |")
    return [*lines, ""]


def _tables_5_and_6(train: Labelled, test: Labelled, small: Sequence[Labelled], seed: int, quick: bool) -> list[str]:
    lines = [
        "### Tables 5 and 6: trained on perturbed values, and on the original ones, SNR 1",
        "",
        "Accuracy in %, paper / ours. The last two columns are naive Bayes with the noise variance taken off, which "
        "the paper derives and, by its figures, did not use; it is for original records only.",
        "",
        "| data | learner | perturbed, on original | perturbed, on perturbed | original, on original | corrected, on "
        "original | corrected, on perturbed |",
        "|---|---|---|---|---|---|---|",
    ]
    for data, pairs in _pairs(train, test, small, seed, quick).items():
        for name, make in LEARNERS.items():
            figures, corrected = [], []
            for place, (training, testing) in enumerate(pairs):
                noisy = perturb(training.x, 1.0, {}, seed + 31 * place)
                other = perturb(testing.x, 1.0, {}, seed + 31 * place + 1)
                learner, labels = make(len(training.labels)), testing.labels
                both = [testing.x, other.w]
                figures.append(
                    accuracy(learner, noisy.w, training.labels, both, labels)
                    + accuracy(learner, training.x, training.labels, [testing.x], labels)
                )
                if name == "naive Bayes":
                    corrected.append(accuracy(NaiveBayes(noisy.known), noisy.w, training.labels, both, labels))
            cells = [f"{paper:.2f} / {own}" for paper, own in zip(TABLES_5_6[data][name], _mean(figures), strict=True)]
            cells += _mean(corrected) if corrected else ["", ""]
            lines.append(f"| {data} | {name} | " + " | ".join(cells) + " |")
    return [*lines, ""]


def _tables_7_to_9(train: Labelled, test: Labelled, small: Sequence[Labelled], seed: int, quick: bool) -> list[str]:
    lines = [
        "### Tables 7 to 9: each person's own level, SNR 1",
        "",
        "Accuracy in %, paper / ours; then the mean privacy loss over the attributes with nats put where bits belong, "
        "which fits the printed figures here and not in Table 2, and in bits.",
        "",
        "| data | learner, tested on | " + " | ".join(CASES) + " |",
        "|" + "---|" * (len(CASES) + 2),
    ]
    for data, pairs in _pairs(train, test, small, seed, quick).items():
        runs = [
            [
                (perturb(a.x, 1.0, case, seed + 31 * place), perturb(b.x, 1.0, case, seed + 31 * place + 1))
                for case in CASES.values()
            ]
            for place, (a, b) in enumerate(pairs)
        ]
        for name, make in LEARNERS.items():
            found = [
                [accuracy(make(len(a.labels)), noisy.w, a.labels, [b.x, other.w], b.labels) for noisy, other in cases]
                for (a, b), cases in zip(pairs, runs, strict=True)
            ]
            for at, tested in enumerate(("original", "perturbed")):
                own = _mean([[each[at] for each in split] for split in found])
                printed = TABLES_7_TO_9[data][name][at]
                cells = [f"{paper:.2f} / {mine}" for paper, mine in zip(printed, own, strict=True)]
                lines.append(f"| {data} | {name}, {tested} | " + " | ".join(cells) + " |")
        losses = {
            unit: np.mean(
                [[_loss(a.x, noisy.w, unit) for noisy, _ in cases] for (a, _), cases in zip(pairs, runs, strict=True)],
                axis=0,
            )
            for unit in ("nats", "bits")
        }
        cells = [f"{paper:.4f} / {own:.4f}" for paper, own in zip(LOSSES_7_TO_9[data], losses["nats"], strict=True)]
        lines.append(f"| {data} | privacy loss, nats put for bits | " + " | ".join(cells) + " |")
        lines.append(f"| {data} | privacy loss in bits | " + " | ".join(f"{own:.4f}" for own in losses["bits"]) + " |")
    return [*lines, ""]


def _loss(x: Floats, w: Floats, unit: str) -> float:
    losses = [estimated_loss(x[:, at], w[:, at], unit=unit).loss for at in range(x.shape[1])]  # type: ignore[arg-type]
    return float(np.mean(losses))


def _figure_7(train: Labelled, test: Labelled, page: Path | None, seed: int, quick: bool) -> list[str]:
    ratios = (0.5, 1.0, 2.0, 5.0, 10.0) if quick else (0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0)
    rows = np.random.default_rng(seed).permutation(len(train.labels))[:10_000]
    part = train.take(rows)
    lines = [
        "### Fig. 7: Income, 10,000 perturbed training records, accuracy by signal-to-noise ratio",
        "",
        "The paper draws it without figures and says that all three fall as the ratio falls.",
        "",
        "| learner, tested on original | " + " | ".join(f"{ratio:g}" for ratio in ratios) + " | no noise |",
        "|" + "---|" * (len(ratios) + 2),
    ]
    series: dict[str, list[tuple[float, float]]] = {}
    for name, make in LEARNERS.items():
        figures = [
            accuracy(make(len(rows)), perturb(part.x, ratio, {}, seed + 1).w, part.labels, [test.x], test.labels)[0]
            for ratio in ratios
        ]
        clean = accuracy(make(len(rows)), part.x, part.labels, [test.x], test.labels)[0]
        lines.append(f"| {name} | " + " | ".join(f"{each:.2f}" for each in (*figures, clean)) + " |")
        series[name] = list(zip(ratios, figures, strict=True))
    commonest = 100 * max(float(test.labels.mean()), 1 - float(test.labels.mean()))
    title = "Fig. 7: accuracy by signal-to-noise ratio"
    plot = _plot(
        page,
        "liu-fig7.svg",
        title,
        "variance of the data / of the noise",
        "accuracy (%)",
        series,
        {"commonest": commonest},
    )
    return [*lines, "", *plot]


def _plot(
    page: Path | None,
    name: str,
    title: str,
    x_label: str,
    y_label: str,
    series: dict[str, list[tuple[float, float]]],
    reference: dict[str, float] | None = None,
) -> list[str]:
    if page is None:
        return []
    line_chart(title, x_label, y_label, series, page.with_name(name), reference_lines=reference or {})
    return [f"![{title}]({name})", ""]
