"""Zhu, Li & Wu (2009): accuracy and disclosure of data-reconstruction beside Mondrian, a random choice, the original.

Run alone it prints each row as it comes: ``python -m tests.benchmarks.papers.zhu --keys 5``.

The paper's own tables are in no source at hand; the figures beside ours are those of the
specification's prototype (one ten-fold cross-validation, standard error about .016).
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from ppdm_desktop.engine.arrays import AnyInts, Floats, Ints
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
BOTH = "reconstruction (mean of both)"
EXPECTED: Mapping[tuple[str, str], Mapping[str, Mapping[str, tuple[float, ...]]]] = {
    ("Pima", "pregnancies, age"): {
        "naive Bayes": {
            ORIGINAL: (0.749,) * 3,
            MASKED: (0.746,) * 3,
            MONDRIAN: (0.749, 0.751, 0.746),
            RANDOM: (0.747, 0.723, 0.744),
            BAYES: (0.754, 0.759, 0.759),
        },
        "tree": {
            ORIGINAL: (0.714,) * 3,
            MASKED: (0.728,) * 3,
            MONDRIAN: (0.719, 0.719, 0.706),
            RANDOM: (0.665, 0.656, 0.691),
            TREE: (0.714, 0.734, 0.733),
        },
    },
    ("Pima", "pregnancies, bmi, age"): {
        "naive Bayes": {
            MONDRIAN: (0.746, 0.742, 0.741),
            RANDOM: (0.733, 0.719, 0.710),
            BAYES: (0.754, 0.755, 0.767),
        },
        "tree": {
            MONDRIAN: (0.716, 0.671, 0.678),
            RANDOM: (0.685, 0.675, 0.655),
            TREE: (0.720, 0.712, 0.717),
        },
    },
}
CHOICES = {TREE: "tree", BAYES: "naive-bayes", BOTH: "both"}
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
                found = _compared(table, quasi, k, keys, folds, (TREE, BAYES))
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


def lines(
    folder: Path,
    *,
    keys: int,
    first: int = 0,
    sets: int = 2,
    ks: Sequence[int] = KS,
    folds: int = FOLDS,
    sources: Sequence[str] = (),
    choices: Sequence[str] = (TREE, BAYES),
) -> Iterator[str]:
    """Compare, and yield every line as soon as it is known.

    Parameters
    ----------
    folder
        Where the public data sets are.
    keys, first
        So many keys, from a number on; each has its own folds.
    sets
        Sets of quasi-identifiers of each source, 1 or 2.
    ks
        Group sizes.
    folds
        So many of the ten.
    sources
        Names of data sets; all when left out.
    choices
        How records are chosen.
    """
    yield "## Zhu, Li & Wu 2009: data reconstruction beside k-anonymity"
    yield ""
    yield (
        f"{folds} of {FOLDS} folds, {keys} key(s), each with folds of its own. Accuracy on held-out records ± its "
        "standard error; verdicts at 95 % by the corrected resampled t test, paired by fold (Nadeau & Bengio 2003)."
    )
    for source in data.SOURCES:
        if sources and source.name not in sources:
            continue
        if not (folder / source.file).exists():
            yield f"{source.name} left out: {source.file} is not in {folder}."
            continue
        for quasi in source.quasi[:sets]:
            yield from _section(folder, source, quasi, range(first, first + keys), ks, folds, choices)


def _section(
    folder: Path,
    source: Source,
    quasi: Sequence[str],
    keys: range,
    ks: Sequence[int],
    folds: int,
    choices: Sequence[str],
) -> Iterator[str]:
    table = data.read(folder, source, quasi)
    counts = np.bincount(table.column(CLASS).category_codes)
    yield ""
    yield f"### {source.name}: quasi-identifiers {', '.join(quasi)}"
    yield ""
    yield f"{table.rows} records; always guessing the commonest class is right for {counts.max() / table.rows:.3f}."
    for k in ks:
        started = time.process_time()
        found = _compared(table, quasi, k, keys, folds, choices)
        yield ""
        yield from _accuracy(found, k, EXPECTED.get((source.name, ", ".join(quasi)), {}))
        yield ""
        yield from _verdicts(found, k, choices)
        yield ""
        yield from _disclosure(found, k)
        yield from _gate(found, k, choices)
        yield f"Processor time {time.process_time() - started:.0f} s."


Found = Mapping[str, Sequence[Mapping[str, float]]]


def _accuracy(found: Found, k: int, expected: Mapping[str, Mapping[str, tuple[float, ...]]]) -> Iterator[str]:
    yield f"| k = {k}: trained on | " + " | ".join(LEARNERS) + " | releases |"
    yield "|---" * (2 + len(LEARNERS)) + "|"
    for form, tests in found.items():
        cells = []
        for learner in LEARNERS:
            values = _values(tests, learner)
            told = expected.get(learner, {}).get(form)
            beside = "" if told is None or k not in KS else f" (prototype {told[KS.index(k)]:.3f})"
            cells.append(f"{np.nanmean(values):.3f} ± {_error(values):.3f}{beside}" if len(values) else "-")
        refused = sum("refused" in each for each in tests)
        yield f"| {form} | " + " | ".join(cells) + f" | {len(tests) - refused} of {len(tests)} |"


def _values(tests: Sequence[Mapping[str, float]], learner: str) -> Floats:
    return np.array([each.get(learner, np.nan) for each in tests])


def _error(values: Floats) -> float:
    there = values[~np.isnan(values)]
    return float(there.std(ddof=1) * np.sqrt(1 / len(there) + ONE_FOLD)) if len(there) > 1 else float("nan")


def _verdicts(found: Found, k: int, choices: Sequence[str]) -> Iterator[str]:
    """Yield, for each choice and learner, whether it is better than each rival."""
    yield f"| k = {k}: accuracy of | told by | " + " | ".join(f"against {rival}" for rival in RIVALS) + " |"
    yield "|---" * (2 + len(RIVALS)) + "|"
    for choice in choices:
        for learner in LEARNERS:
            cells = []
            for rival in RIVALS:
                apart = _values(found[choice], learner) - _values(found[rival], learner)
                apart = apart[~np.isnan(apart)]
                cells.append(verdict(apart, overlap=ONE_FOLD).words if len(apart) >= LEAST_TESTS else "too few")
            yield f"| {choice} | {learner} | " + " | ".join(cells) + " |"


def _disclosure(found: Found, k: int) -> Iterator[str]:
    """Yield what a group gives away: people in groups of one class, and how often its commonest class is right."""
    yield f"| k = {k}: released | people in groups of one class | guess by the group is right |"
    yield "|---|---|---|"
    for form, tests in found.items():
        if form in (ORIGINAL, MASKED):
            continue
        alone, right = (np.nanmean([each.get(key, np.nan) for each in tests]) for key in ("one class", "majority"))
        yield f"| {form} | {100 * alone:.1f} % | {right:.3f} |"


def _gate(found: Found, k: int, choices: Sequence[str]) -> Iterator[str]:
    """Yield what has to hold whatever comes out: no group of one class, no combination against a rule."""
    made = [each for choice in choices for each in found[choice] if "refused" not in each]
    alone, short = max(each["one class"] for each in made), sum(each["audit short"] for each in made)
    yield (
        f"Audit at k = {k}: {len(made)} releases, {short:g} combinations against a rule, people in groups of one class "
        f"{alone:g}: {'holds' if alone == short == 0 else 'DOES NOT HOLD'}."
    )


def _compared(
    table: Table, quasi: Sequence[str], k: int, keys: range, folds: int, choices: Sequence[str]
) -> dict[str, list[dict[str, float]]]:
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
            for choice in choices:
                makers[choice] = partial(data.reconstructed, train, test, k, own, CHOICES[choice])
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
    found.update(_attack(train.column(CLASS).category_codes, labels, released))
    found["audit short"] = float(released.audit["short"]) if released.audit is not None else 0.0
    return found


def _attack(secret: AnyInts, labels: Ints, released: Released) -> dict[str, float]:
    """Let an intruder guess every training person's class as the commonest of the group that is released of them."""
    groups, width = int(max(released.group.max(), released.shown.max())) + 1, int(labels.max()) + 1
    counts = np.bincount(released.shown * width + labels, minlength=groups * width).reshape(groups, width)
    there = counts.sum(axis=1) > 0
    guess = np.where(there, counts.argmax(axis=1), np.bincount(labels).argmax())
    alone = there & ((counts > 0).sum(axis=1) == 1)
    return {
        "one class": float(alone[released.group].mean()),
        "majority": float((guess[released.group] == secret).mean()),
    }


def main() -> int:
    """Print the comparison line by line."""
    parser = argparse.ArgumentParser(description="Zhu, Li & Wu beside Mondrian, a random choice and the original.")
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("PPDM_DATA", "../shared/data")))
    parser.add_argument("--keys", type=int, default=5, help="keys, each with ten folds of its own")
    parser.add_argument("--first", type=int, default=0, help="number of the first key")
    parser.add_argument("--folds", type=int, default=FOLDS, help="so many of the ten folds of each key")
    parser.add_argument("--sets", type=int, default=2, choices=(1, 2), help="sets of quasi-identifiers")
    parser.add_argument("--k", default=",".join(map(str, KS)), metavar="K,K", help="group sizes")
    parser.add_argument("--only", default="", metavar="NAME,NAME", help="some of the data sets")
    parser.add_argument("--both", action="store_true", help="also the choice by the mean of both learners")
    given = parser.parse_args()
    for line in lines(
        given.data,
        keys=given.keys,
        first=given.first,
        sets=given.sets,
        ks=[int(k) for k in given.k.split(",")],
        folds=given.folds,
        sources=[name for name in given.only.split(",") if name],
        choices=tuple(CHOICES) if given.both else (TREE, BAYES),
    ):
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
    return 0


MEASURED: Mapping[str, Measured] = {f"zhu-{each.name.lower()}": partial(cells, each.name) for each in data.SOURCES}

if __name__ == "__main__":
    sys.exit(main())
