"""Zhu, Li & Wu (2009): accuracy and disclosure of data-reconstruction beside Mondrian, a random choice, the original.

The paper's own tables are in no source at hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

import numpy as np

from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.table.column import Table
from ppdm_desktop.engine.utility.models.crossval import Learner
from ppdm_desktop.engine.utility.models.features import paired_records
from ppdm_desktop.engine.utility.models.naive_bayes import NaiveBayes
from ppdm_desktop.engine.utility.models.suite import DecisionTree
from tests.benchmarks.papers import zhu_data as data
from tests.benchmarks.papers.cells import Asked, Cell, Measured, NotAtHand
from tests.benchmarks.papers.verdicts import verdict
from tests.benchmarks.papers.zhu_data import CLASS, Released, Source

FOLDS = 10
KS = (3, 5, 10)
KEYS = 5
SHOWN = "Section 4"
LAST = "combinations against a rule"
SMALLEST_LEAF = 20
LEARNERS: Mapping[str, Learner] = {"naive Bayes": NaiveBayes(), "tree": DecisionTree(SMALLEST_LEAF)}
ORIGINAL, MASKED, MONDRIAN = "original", "masked only", "Mondrian, l = 1"
DIVERSE = "Mondrian, l = 2"
RANDOM, TREE, BAYES = "random choice, copied", "reconstruction (tree)", "reconstruction (naive Bayes)"
CHOICES = {TREE: "tree", BAYES: "naive-bayes"}
JUDGED = ((BAYES, "naive Bayes"), (TREE, "tree"))
"""What the paper chooses by, and who learns from it."""
DRAWN = (ORIGINAL, DIVERSE, RANDOM)
"""Beside what the paper chooses: no more lines than there are colours."""
RIVALS = (ORIGINAL, MONDRIAN, DIVERSE, RANDOM)
LEAST_TESTS = 5
"""Tests below which nothing is judged."""
ONE_FOLD = 1.0 / (FOLDS - 1)
"""Test records over training records of one fold."""


def cells(name: str, asked: Asked) -> Iterator[Cell]:
    """Yield, for a data set, its quasi-identifiers and each k, accuracies, and what a reconstruction gains over rivals.

    ``lower end`` and ``upper end`` are those of the 95 % interval of the gain (corrected resampled t, paired by fold):
    above 0 the reconstruction is better, below it is worse.
    """
    source = next(each for each in data.SOURCES if each.name == name)
    if not (asked.data / source.file).exists():
        raise NotAtHand(f"{source.file} is not in the folder of the data")
    shown = shown_of(source)
    keys = range(asked.seed, asked.seed + (1 if asked.quick else KEYS))
    folds = LEAST_TESTS if asked.quick else FOLDS
    for quasi in source.quasi[:1] if asked.quick else source.quasi:
        table = data.read(asked.data, source, quasi)
        for k in KS[:1] if asked.quick else KS:
            known = f"{', '.join(quasi)}, k = {k}"
            if asked.missing(shown, [f"{known}, {LAST}"]):
                found = _compared(table, quasi, k, keys, folds)
                yield from _cells_of(shown, known, found, k if quasi == source.quasi[0] else None)


def shown_of(source: Source) -> str:
    """Return what the paper's section is called for a data set; it has its figures of Pima alone."""
    return SHOWN if source is data.SOURCES[0] else f"{SHOWN}, {source.name}"


def _cells_of(shown: str, known: str, found: Found, drawn: int | None) -> Iterator[Cell]:
    """Yield what came out of one k; ``drawn`` is where its accuracies stand in the drawing."""
    for form, tests in found.items():
        for learner in LEARNERS:
            values = _values(tests, learner)
            is_drawn = drawn is not None and (form in DRAWN or (form, learner) in JUDGED)
            line = f"{form}, {learner}" if is_drawn else ""
            words = f"± {_error(values):.3f}"
            yield Cell(shown, f"{known}, {form}, {learner}", float(np.nanmean(values)), line, drawn, words)
    for choice, learner in JUDGED:
        for rival in RIVALS:
            apart = _values(found[choice], learner) - _values(found[rival], learner)
            gain = verdict(apart[~np.isnan(apart)], overlap=ONE_FOLD)
            what = f"{known}, {learner}, {choice} over {rival}"
            yield Cell(shown, what, gain.mean, words=gain.words)
            yield Cell(shown, f"{what}, lower end", gain.mean - gain.half)
            yield Cell(shown, f"{what}, upper end", gain.mean + gain.half)
    alone = float(np.nanmean([each.get("one class", np.nan) for each in found[MONDRIAN]]))
    yield Cell(shown, f"{known}, people in groups of one class, {MONDRIAN}", alone)
    made = [each for choice, _ in JUDGED for each in found[choice] if "refused" not in each]
    yield Cell(shown, f"{known}, people in groups of one class", max(each["one class"] for each in made))
    yield Cell(shown, f"{known}, {LAST}", sum(each["audit short"] for each in made))


Found = Mapping[str, Sequence[Mapping[str, float]]]


def _values(tests: Sequence[Mapping[str, float]], learner: str) -> Floats:
    return np.array([each.get(learner, np.nan) for each in tests])


def _error(values: Floats) -> float:
    there = values[~np.isnan(values)]
    return float(there.std(ddof=1) * np.sqrt(1 / len(there) + ONE_FOLD)) if len(there) > 1 else float("nan")


def _compared(table: Table, quasi: Sequence[str], k: int, keys: range, folds: int) -> dict[str, list[dict[str, float]]]:
    labels = table.column(CLASS).category_codes
    found: dict[str, list[dict[str, float]]] = {}
    for key in keys:
        order = np.lexsort((np.random.default_rng([key, 7]).permutation(table.rows), labels))
        fold_of = np.empty(table.rows, dtype=np.int64)
        fold_of[order] = np.arange(table.rows) % FOLDS
        for fold in range(folds):
            train = data.asking(table.take(np.flatnonzero(fold_of != fold)), k)
            test = table.take(np.flatnonzero(fold_of == fold))
            own = 1000 * key + fold
            makers: dict[str, Callable[[], Released]] = {
                ORIGINAL: partial(data.original, train, test),
                MASKED: partial(data.masked, train, test, k),
                MONDRIAN: partial(data.mondrian, train, test, k, quasi),
                DIVERSE: partial(data.mondrian, train, test, k, quasi, 2),
                RANDOM: partial(data.random_choice, train, test, k, own),
            }
            for choice, classifier in CHOICES.items():
                makers[choice] = partial(data.reconstructed, train, test, k, own, classifier)
            for form, make in makers.items():
                found.setdefault(form, []).append(_tried(train, make))
    return found


def _tried(train: Table, make: Callable[[], Released]) -> dict[str, float]:
    """Measure a release; what the program refuses to make is counted."""
    try:
        return _measured(train, make())
    except InputError:
        return {"refused": 1.0}


def _measured(train: Table, released: Released) -> dict[str, float]:
    known, to_tell = (
        [column for column in side.columns if column.name != CLASS] for side in (released.table, released.test)
    )
    taught, asked = paired_records(known, to_tell)
    classes = {text: code for code, text in enumerate(train.column(CLASS).categories)}
    labels, true = (
        np.array([classes[text] for text in side.column(CLASS).values()], dtype=np.int64)
        for side in (released.table, released.test)
    )
    found = {
        name: float((learner.fit(taught, labels, len(classes)).predict(asked) == true).mean())
        for name, learner in LEARNERS.items()
    }
    found["one class"] = _share_in_groups_of_one_class(labels, released)
    found["audit short"] = float(released.audit["short"]) if released.audit is not None else 0.0
    return found


def _share_in_groups_of_one_class(labels: Ints, released: Released) -> float:
    """Return the share of training people whose group shows one class alone."""
    groups, width = int(max(released.group.max(), released.shown.max())) + 1, int(labels.max()) + 1
    counts = np.bincount(released.shown * width + labels, minlength=groups * width).reshape(groups, width)
    alone = (counts > 0).sum(axis=1) == 1
    return float(alone[released.group].mean())


MEASURED: Mapping[str, Measured] = {f"zhu-{each.name.lower()}": partial(cells, each.name) for each in data.SOURCES}
