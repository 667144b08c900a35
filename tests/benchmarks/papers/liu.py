"""Liu, Kantarcioglu & Thuraisingham (2008): Fig. 6 and 7 and Tables 3 to 9."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import numpy as np

from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.noise.reconstruction import CellSystem, Redistributor
from ppdm_desktop.engine.utility.models.crossval import Learner
from ppdm_desktop.engine.utility.models.features import Records
from ppdm_desktop.engine.utility.models.naive_bayes import NaiveBayes
from ppdm_desktop.engine.utility.models.suite import DecisionTree, Network
from tests.benchmarks.papers.cells import Asked, Cell, NotAtHand
from tests.benchmarks.papers.liu_data import CASES, Labelled, Perturbed, haberman, income, liver, perturb, synthetic
from tests.benchmarks.papers.moddemeijer import estimated_loss

FILES = ("adult_train.csv", "adult_test.csv", "haberman.csv", "bupa.csv")
SPLITS = 20
CELLS = 40
SIZES = (1_000, 3_000, 5_000, 7_000, 9_000, 11_000)
RATIOS = (0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0)
TABLES = {"Income": "Table 7", "Liver": "Table 8", "Haberman": "Table 9"}
_TRAIN, _TEST = 66_000, 34_000
_QUICK_ROWS = 1_500


def _tree(records: int) -> Learner:
    # C4.5 prunes what it grew; large leaves come nearest to that here.
    return DecisionTree(smallest_leaf=min(max(20, records // 100), 80))


LEARNERS: Mapping[str, Callable[[int], Learner]] = {
    "naive Bayes": lambda records: NaiveBayes(),
    "tree": _tree,
    "perceptron": lambda records: Network(),
}
"""The quickest first."""
_TWO = ("naive Bayes", "tree")


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
        system = CellSystem.of(noise, edges, origin=origin)
        columns.append(Redistributor(perturbed.w[:, column], labels, system).redistribute("by-class"))
    return np.column_stack(columns)


def figure_6(asked: Asked) -> Iterator[Cell]:
    """Yield the accuracy on the five functions, trained on what is reconstructed by class and dealt back.

    ``corrected`` is naive Bayes straight from the perturbed values, noise variance taken off.
    """
    share = 40 if asked.quick else 1
    train_rows, rows = _TRAIN // share, (_TRAIN + _TEST) // share
    shown = "Fig. 6"
    gaps, losses = [], []
    for function in range(1, 3 if asked.quick else 6):
        data = synthetic(function, rows, asked.seed)
        training, testing = data.take(np.arange(train_rows)), data.take(np.arange(train_rows, rows))
        found: dict[tuple[str, str], float] = {}
        for name in _TWO:
            learner = LEARNERS[name](train_rows)
            found[name, "original"] = accuracy(learner, training.x, training.labels, [testing.x], testing.labels)[0]
        for case, shares in CASES.items():
            noisy = perturb(training.x, 1.0, shares, asked.seed + 1)
            values = dealt(noisy, training.labels, training.x)
            for name in _TWO:
                learner = LEARNERS[name](train_rows)
                found[name, case] = accuracy(learner, values, training.labels, [testing.x], testing.labels)[0]
            bayes = NaiveBayes(noisy.known)
            found["corrected", case] = accuracy(bayes, noisy.w, training.labels, [testing.x], testing.labels)[0]
        for (name, case), value in found.items():
            yield Cell(shown, f"function {function}, {name}, {case}", value, f"{name}, {case}", float(function))
        gaps += [abs(found[name, "case 4"] - found[name, "one phase"]) for name in _TWO]
        losses += [[found[name, "original"] - found[name, "one phase"] for name in _TWO]]
    yield Cell(shown, "case 4 and one phase, largest difference", max(gaps))
    bayes_loss, tree_loss = np.mean(losses, axis=0)
    yield Cell(shown, "what the tree loses more than naive Bayes", float(tree_loss - bayes_loss))


def _sets(asked: Asked) -> dict[str, list[tuple[Labelled, Labelled]]]:
    """Return training and test records by data set; of the small ones random splits, two thirds to train.

    Raises
    ------
    NotAtHand
        When a file is missing.
    """
    if gone := [name for name in FILES if not (asked.data / name).exists()]:
        raise NotAtHand(f"{', '.join(gone)}: not in the folder of the data")
    train, test = income(asked.data)
    if asked.quick:
        train, test = (each.take(np.arange(_QUICK_ROWS)) for each in (train, test))
    return {
        **{data.name: _splits(data, asked) for data in (haberman(asked.data), liver(asked.data))},
        "Income": [(train, test)],
    }


def _splits(data: Labelled, asked: Asked) -> list[tuple[Labelled, Labelled]]:
    rng = np.random.default_rng(asked.seed)
    found = []
    for _ in range(2 if asked.quick else SPLITS):
        order = rng.permutation(len(data.labels))
        cut = 2 * len(order) // 3
        found.append((data.take(order[:cut]), data.take(order[cut:])))
    return found


def _learners(asked: Asked) -> Mapping[str, Callable[[int], Learner]]:
    return {name: LEARNERS[name] for name in _TWO} if asked.quick else LEARNERS


def _means(figures: Sequence[Sequence[float]]) -> list[float]:
    return [float(each) for each in np.mean(np.array(figures), axis=0)]


def table_3(asked: Asked) -> Iterator[Cell]:
    """Yield accuracies; the tests of reconstruction: on test records dealt back too, original ones, perturbed ones."""
    heads = ("original", "perturbed", "test 1", "test 2", "test 3")
    for data, pairs in _sets(asked).items():
        for name in _TWO:
            whats = [f"{name}, {data}, {head}" for head in heads]
            if not asked.missing("Table 3", whats):
                continue
            figures = []
            for place, (training, testing) in enumerate(pairs):
                noisy, other = (
                    perturb(each.x, 1.0, {}, asked.seed + 31 * place + at)
                    for at, each in enumerate((training, testing))
                )
                values = dealt(noisy, training.labels, training.x)
                test_values = dealt(other, testing.labels, training.x)
                learner, labels = LEARNERS[name](len(training.labels)), testing.labels
                figures.append(
                    accuracy(learner, training.x, training.labels, [testing.x], labels)
                    + accuracy(learner, noisy.w, training.labels, [testing.x], labels)
                    + accuracy(learner, values, training.labels, [test_values, testing.x, other.w], labels)
                )
            yield from (Cell("Table 3", what, value) for what, value in zip(whats, _means(figures), strict=True))


def table_4(asked: Asked) -> Iterator[Cell]:
    """Yield the accuracy on Income by the number of perturbed training records."""
    ((train, test),) = _sets(asked)["Income"]
    order = np.random.default_rng(asked.seed).permutation(len(train.labels))
    noisy, other = perturb(train.x, 1.0, {}, asked.seed + 1), perturb(test.x, 1.0, {}, asked.seed + 2)
    for name, make in _learners(asked).items():
        for size in SIZES[:1] if asked.quick else SIZES:
            whats = [f"{name}, {size} records, on {tested}" for tested in ("original", "perturbed")]
            if not asked.missing("Table 4", whats):
                continue
            rows = order[:size]
            found = accuracy(make(size), noisy.w[rows], train.labels[rows], [test.x, other.w], test.labels)
            yield from (Cell("Table 4", what, value) for what, value in zip(whats, found, strict=True))


def tables_5_and_6(asked: Asked) -> Iterator[Cell]:
    """Yield accuracies trained on perturbed and on original values; ``corrected``: the noise variance taken off."""
    for data, pairs in _sets(asked).items():
        for name, make in _learners(asked).items():
            whats = [f"{data}, {name}, on {tested}" for tested in ("original", "perturbed")]
            if not asked.missing("Table 5", whats):
                continue
            figures, corrected = [], []
            for place, (training, testing) in enumerate(pairs):
                noisy = perturb(training.x, 1.0, {}, asked.seed + 31 * place)
                other = perturb(testing.x, 1.0, {}, asked.seed + 31 * place + 1)
                learner, labels, both = make(len(training.labels)), testing.labels, [testing.x, other.w]
                figures.append(
                    accuracy(learner, noisy.w, training.labels, both, labels)
                    + accuracy(learner, training.x, training.labels, [testing.x], labels)
                )
                if name == "naive Bayes":
                    corrected.append(accuracy(NaiveBayes(noisy.known), noisy.w, training.labels, both, labels))
            *on, clean = _means(figures)
            yield Cell("Table 6", f"{data}, {name}", clean)
            if corrected:
                for what, value in zip(whats, _means(corrected), strict=True):
                    yield Cell("Table 5", what.replace(name, "naive Bayes, corrected"), value)
            yield from (Cell("Table 5", what, value) for what, value in zip(whats, on, strict=True))


def tables_7_to_9(asked: Asked) -> Iterator[Cell]:
    """Yield accuracies and losses where each person chooses a level: nats put where bits belong, and bits."""
    for data, pairs in _sets(asked).items():
        shown = TABLES[data]
        for case, shares in CASES.items():
            names = _learners(asked)
            wanted = {name: [f"{name}, on {tested}, {case}" for tested in ("original", "perturbed")] for name in names}
            loss = [f"privacy loss, {case}", f"privacy loss in bits, {case}"]
            if not asked.missing(shown, [*loss, *(what for whats in wanted.values() for what in whats)]):
                continue
            runs = [
                [perturb(each.x, 1.0, shares, asked.seed + 31 * place + at) for at, each in enumerate(pair)]
                for place, pair in enumerate(pairs)
            ]
            for unit, what in zip(("nats", "bits"), loss, strict=True):
                found = [_loss(a.x, noisy.w, unit) for (a, _), (noisy, _) in zip(pairs, runs, strict=True)]
                yield Cell(shown, what, float(np.mean(found)))
            for name, make in names.items():
                if not asked.missing(shown, wanted[name]):
                    continue
                figures = [
                    accuracy(make(len(a.labels)), noisy.w, a.labels, [b.x, other.w], b.labels)
                    for (a, b), (noisy, other) in zip(pairs, runs, strict=True)
                ]
                yield from (Cell(shown, what, value) for what, value in zip(wanted[name], _means(figures), strict=True))


def _loss(x: Floats, w: Floats, unit: str) -> float:
    losses = [estimated_loss(x[:, at], w[:, at], unit=unit).loss for at in range(x.shape[1])]  # type: ignore[arg-type]
    return float(np.mean(losses))


def figure_7(asked: Asked) -> Iterator[Cell]:
    """Yield the accuracy on Income by the ratio of signal to noise, 10,000 perturbed training records."""
    ((train, test),) = _sets(asked)["Income"]
    rows = np.random.default_rng(asked.seed).permutation(len(train.labels))[:10_000]
    part = train.take(rows)
    shown = "Fig. 7"
    yield Cell(shown, "commonest class", 100 * max(float(test.labels.mean()), 1 - float(test.labels.mean())))
    for name, make in _learners(asked).items():
        ratios = (RATIOS[0], RATIOS[-1]) if asked.quick else RATIOS
        if not asked.missing(shown, [f"{name}, largest ratio less smallest"]):
            continue
        found = []
        for ratio in ratios:
            noisy = perturb(part.x, ratio, {}, asked.seed + 1).w
            found += accuracy(make(len(rows)), noisy, part.labels, [test.x], test.labels)
            yield Cell(shown, f"{name}, ratio {ratio:g}", found[-1], name, ratio)
        yield Cell(shown, f"{name}, no noise", accuracy(make(len(rows)), part.x, part.labels, [test.x], test.labels)[0])
        yield Cell(shown, f"{name}, largest ratio less smallest", found[-1] - found[0])
