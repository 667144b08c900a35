"""Runs all learners on all target columns of a table and its release.

A decision tree (entropy) and its number of leaves.

A small neural network: one hidden layer.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.noise.reconstruction import CellSystem
from ppdm_desktop.engine.result_cache import RESULTS
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.utility.models.crossval import (
    Always,
    Classifier,
    Learner,
    Scores,
    Side,
    cross_validate,
    find_obstacle,
    make_learner_key,
    sample_rows,
)
from ppdm_desktop.engine.utility.models.features import Encoder, Records, list_number_columns, paired_records
from ppdm_desktop.engine.utility.models.naive_bayes import NaiveBayes, NaiveBayesModel, Noise
from ppdm_desktop.engine.utility.models.nearest import NearestNeighbours, NearestNumber
from ppdm_desktop.engine.utility.models.reconstructed import NoisyColumns, Way, learners_reconstructing
from ppdm_desktop.engine.utility.models.tasks import ITS_VALUE, Task, tasks_of
from ppdm_desktop.engine.wording.catalogue import Sentence, join_remarks, lazy, untranslated
from ppdm_desktop.engine.wording.values import LazyText

# --- mlp ----------------------------------------------------------------------------------

SEED = 20


@dataclass(frozen=True, eq=False)
class NetworkModel:
    """A fitted network."""

    encoder: Encoder
    network: Any

    def predict(self, records: Records) -> Ints:
        """Return the label with the largest output for each record, int64, shape (records,)."""
        return np.asarray(self.network.predict(_to_sparse_matrix(self.encoder, records)), dtype=np.int64)


def _to_sparse_matrix(encoder: Encoder, records: Records) -> Any:
    """Return the encoded records as a sparse float64 matrix, shape (records, width); most indicators are 0."""
    from scipy.sparse import csr_array

    return csr_array(encoder.matrix(records).astype(np.float64))


@dataclass(frozen=True)
class Network:
    """A multilayer perceptron with one hidden layer (scikit-learn, L-BFGS).

    Attributes
    ----------
    hidden
        Units of the hidden layer.
    iterations
        The search stops after so many; it is meant to stop early, not to converge.
    """

    hidden: int = 8
    iterations: int = 40
    most_rows: int = 2_000
    fewest_rows: int = 50
    id: ClassVar[str] = "multilayer-perceptron"

    @property
    def method(self) -> LazyText:
        """Settings in a few words, for reports: neurons, steps and start."""
        return untranslated(
            "one hidden layer of {neurons}, at most {steps} steps of L-BFGS, fixed start",
            neurons=self.hidden,
            steps=self.iterations,
        )

    def fit(self, records: Records, labels: Ints, classes: int) -> Classifier:
        """Return a network fitted to the records; a constant classifier if there is only one label.

        Of ``labels``, 0 .. classes-1, those that do not occur are never predicted.
        """
        from sklearn.exceptions import ConvergenceWarning
        from sklearn.neural_network import MLPClassifier

        if len(np.unique(labels)) < 2:
            return Always(int(labels[0]))
        encoder = Encoder.fit(records)
        network = MLPClassifier((self.hidden,), solver="lbfgs", alpha=1e-2, max_iter=self.iterations, random_state=SEED)
        with warnings.catch_warnings():
            # The cap on the steps is wanted: it is what keeps the network from learning noise.
            warnings.simplefilter("ignore", ConvergenceWarning)
            network.fit(_to_sparse_matrix(encoder, records), labels)
        return NetworkModel(encoder, network)


# --- suite --------------------------------------------------------------------------------

# --- tree ---------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class TreeModel:
    """A fitted decision tree.

    Attributes
    ----------
    leaves
        Number of leaves.
    """

    encoder: Encoder
    tree: Any
    leaves: int

    def predict(self, records: Records) -> Ints:
        """Return the commonest training label of each record's leaf, int64, shape (records,)."""
        return np.asarray(self.tree.predict(to_tree_input(self.encoder, records)), dtype=np.int64)


def to_tree_input(encoder: Encoder, records: Records) -> npt.NDArray[np.float32]:
    """Return records as a tree's input, float32, shape (records, columns): numbers, and each category as a number.

    Numbers are standardised (0 where missing), followed by their indicators of missing values. Of each nominal column
    the frequent categories are numbered from 0 in the order of the list; all others share the next number, and missing
    has the last. With one matrix column for each nominal column, and not for each category, a tree grows several times
    as fast.
    """
    return np.hstack([encoder.standardised(records).astype(np.float32), encoder.names(records).T.astype(np.float32)])


@dataclass(frozen=True)
class DecisionTree:
    """A decision tree that lowers the entropy of the label most at each split (scikit-learn).

    Categories are ranks in the order of their list.

    Attributes
    ----------
    smallest_leaf
        Fewest training records in a leaf.
    """

    smallest_leaf: int = 5
    most_rows: int = 10_000
    fewest_rows: int = 2
    id: ClassVar[str] = "decision-tree"

    @property
    def method(self) -> LazyText:
        """Settings in a few words, for reports: how the tree is grown."""
        return untranslated(
            "entropy; at least {n} training records in a leaf; not pruned; categories as ranks (rule 2)",
            n=self.smallest_leaf,
        )

    def fit(self, records: Records, labels: Ints, classes: int) -> TreeModel:
        """Return a scikit-learn tree fitted to records and their labels, 0 .. classes-1, with its number of leaves."""
        from sklearn.tree import DecisionTreeClassifier

        encoder = Encoder.fit(records)
        tree = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=self.smallest_leaf, random_state=SEED)
        tree.fit(to_tree_input(encoder, records), labels)
        return TreeModel(encoder, tree, int(tree.get_n_leaves()))


# --- suite --------------------------------------------------------------------------------

FULL_TARGETS = 5
"""Number of targets predicted by every learner; further ones only by naive Bayes, the cheapest."""
_COSTS = {
    "naive-bayes": 1,
    "naive-bayes-corrected": 1,
    "decision-tree": 10,
    "multilayer-perceptron": 10,
    "decision-tree-local": 60,
}
_OTHER_COST = 18
_RECONSTRUCTING = ("naive-bayes", "decision-tree", "multilayer-perceptron", "nearest-5")
"""Learners that are also tried on reconstructed records."""
_RECONSTRUCTED_TEXTS = {
    "naive-bayes-global": "learner.naive-bayes-global",
    "naive-bayes-by-class": "learner.naive-bayes-by-class",
    "decision-tree-global": "learner.decision-tree-global",
    "decision-tree-by-class": "learner.decision-tree-by-class",
    "decision-tree-local": "learner.decision-tree-local",
    "multilayer-perceptron-global": "learner.multilayer-perceptron-global",
    "multilayer-perceptron-by-class": "learner.multilayer-perceptron-by-class",
    "nearest-5-global": "learner.nearest-5-global",
    "nearest-5-by-class": "learner.nearest-5-by-class",
}


@dataclass(frozen=True)
class KnownNoise:
    """The noise that a method declares for one column.

    Attributes
    ----------
    variance
        Of the noise added, in the column's unit squared.
    cell_term
        What drawing again inside cells added (see ``Noise``).
    reflected
        Whether noise is reflected at zero: then its variance cannot be taken off, for it is not added.
    """

    variance: float
    cell_term: float = 0.0
    reflected: bool = False


@dataclass(frozen=True, eq=False)
class Reconstructable:
    """The known noise of columns, for learners that learn from reconstructed distributions.

    Attributes
    ----------
    way
        Over all records, class by class, or class by class at every node of a tree.
    systems
        Cells and kernels by column.
    levels
        int64, shape (released rows,): the privacy level of each row's noise; None where they are hidden, as they are
        from recipients.
    """

    way: Way
    systems: Mapping[str, CellSystem]
    levels: Ints | None = None

    def among(self, names: Sequence[str]) -> NoisyColumns | None:
        """Return the noisy columns among the named numeric ones, by index; None if there is none."""
        noise_of = {index: self.systems[name] for index, name in enumerate(names) if name in self.systems}
        return NoisyColumns(noise_of) if noise_of else None


@dataclass(frozen=True)
class Leaves:
    """How many leaves a tree has when it is grown on all used records, before and after."""

    original: Figure
    released: Figure


@dataclass(frozen=True)
class ModelResult:
    """The scores of one learner on one task.

    Attributes
    ----------
    target
        The column that is predicted.
    task
        What of it.
    learner
        Id of the learner.
    text
        Text id of what the learner is called and how it learns.
    scores
        How often it is right.
    leaves
        Of a tree; None for others.
    for_recipient
        Whether someone who has only the release can learn so.
    """

    target: str
    task: Sentence
    learner: str
    text: str
    scores: Scores
    leaves: Leaves | None = None
    for_recipient: bool = True


@dataclass(frozen=True)
class _Run:
    """One learner to be measured, and the learner that learns from the release instead, if another."""

    task: Task
    learner: Learner
    text: str
    released_learner: Learner | None = None

    @property
    def id(self) -> str:
        """Id of the learner that learns from the release."""
        return (self.released_learner or self.learner).id

    @property
    def cost(self) -> int:
        """Expected cost of the run, 1 for naive Bayes, as a weight for its share of the progress bar."""
        return _COSTS.get(self.id, _OTHER_COST)


def measure_models(
    before: Sequence[Column],
    after: Sequence[Column],
    targets: Sequence[str],
    twins: Ints | None,
    *,
    noise: Mapping[str, KnownNoise] | None = None,
    reconstruction: Reconstructable | None = None,
) -> tuple[ModelResult, ...]:
    """Return how well each learner predicts each target column from the other columns, one result for each run.

    Results come target by target, and within a target task by task and learner by learner. The first five of
    ``targets``, those not released included, get all learners, further ones naive Bayes alone (also with the noise
    taken off, or on reconstructed records), without the task of predicting a whole number. A target that is not
    released gives one result without figures.

    Parameters
    ----------
    before, after
        The released columns in the same order, as they were and as they are.
    targets
        Names of the columns to predict.
    twins
        For each original record the index of its released version, -1 where it has none; None: rows do not correspond.
    noise
        Known noise by column: if a predictor has noise that was not reflected at bounds, naive Bayes is measured a
        second time with it taken off.
    reconstruction
        How learners may learn from reconstructed distributions: those that can are then measured once more, if a
        predictor is noisy.
    """
    names = [column.name for column in before]
    results: list[ModelResult] = []
    for number, target in enumerate(targets):
        with progress.part(number / len(targets), (number + 1) / len(targets)):
            if target not in names:
                why = Scores.absent(lazy("the column is not released"))
                results.append(ModelResult(target, ITS_VALUE, NaiveBayes().id, "learner.naive-bayes", why))
                continue
            target_index = names.index(target)
            pairs = [(old, new) for old, new in zip(before, after, strict=True) if old.name != target]
            predictors = [source for source, _ in pairs], [released for _, released in pairs]
            numbers = list_number_columns(*predictors)
            known_noise = _known_noise(numbers, noise or {})
            pair = paired_records(*predictors)
            if reconstruction is not None and reconstruction.levels is not None:
                pair = pair[0], replace(pair[1], levels=reconstruction.levels)
            tasks = tasks_of(before[target_index], after[target_index])
            runs = [run for task in tasks for run in _list_learner_runs(task, known_noise, number < FULL_TARGETS)]
            noisy = reconstruction.among(numbers) if reconstruction is not None else None
            if reconstruction is not None and noisy is not None:
                runs = _add_reconstructed_runs(runs, noisy, reconstruction.way)
            results += _measure_runs(runs, pair, twins)
    return tuple(results)


def _add_reconstructed_runs(runs: Sequence[_Run], noisy: NoisyColumns, way: Way) -> list[_Run]:
    """Return the runs, and after each whose learner can use reconstructed records a further run on these.

    Learners that can are naive Bayes without correction, the decision tree, the neural network and the five nearest
    neighbours. The further run learns from the original as before, and from the release after reconstruction.
    """
    all_runs: list[_Run] = []
    for run in runs:
        all_runs.append(run)
        if run.released_learner is None and run.learner.id in _RECONSTRUCTING:
            leaf = run.learner.smallest_leaf if isinstance(run.learner, DecisionTree) else 1
            learners = learners_reconstructing(way, noisy, {run.learner.id: run.learner}, leaf)
            learner = learners[run.learner.id]
            all_runs.append(replace(run, text=_RECONSTRUCTED_TEXTS[learner.id], released_learner=learner))
    return all_runs


def leaf_size(records: int) -> int:
    """Return the fewest records in a leaf of a tree: one in five hundred of the records, at least 2 and at most 20."""
    return int(np.clip(records // 500, 2, 20))


def _list_learner_runs(task: Task, noise: Noise | None, full: bool) -> list[_Run]:
    """Return the learners to measure on a task: naive Bayes alone, or with ``full`` all of them.

    These are naive Bayes, the decision tree, the network, and one and five nearest neighbours. With ``noise`` naive
    Bayes is run a second time, with the noise taken off. A task of whole numbers is for one and five nearest neighbours
    alone, and only if ``full``: else the list is empty.
    """
    if task.tolerance:
        numbers = (NearestNumber(1), "learner.nearest-1"), (NearestNumber(5), "learner.nearest-5")
        return [_Run(task, learner, text) for learner, text in numbers] if full else []
    runs = [_Run(task, NaiveBayes(), "learner.naive-bayes")]
    if noise is not None:
        runs.append(_Run(task, NaiveBayes(), "learner.naive-bayes-corrected", NaiveBayes(noise)))
    if full:
        used = min(int(task.known.sum()), DecisionTree.most_rows)
        learners: tuple[tuple[Learner, str], ...] = (
            (DecisionTree(leaf_size(used)), "learner.decision-tree"),
            (Network(), "learner.multilayer-perceptron"),
            (NearestNeighbours(1), "learner.nearest-1"),
            (NearestNeighbours(5), "learner.nearest-5"),
        )
        runs += [_Run(task, learner, text) for learner, text in learners]
    return runs


def _known_noise(names: Sequence[str], noise: Mapping[str, KnownNoise]) -> Noise | None:
    """Return the noise that known methods added to the predictors, in the order of ``names``; None if there is none.

    It has two parts for each predictor: the variance of the noise, and what drawing again inside cells added. Both are
    0 for a predictor without known noise, and for one whose noise was reflected (turned back at bounds), since this
    cannot be subtracted. None where this concerns all of them.
    """
    added = {name: law for name, law in noise.items() if not law.reflected}
    if not any(name in added for name in names):
        return None
    none = KnownNoise(0.0)
    noises = [added.get(name, none) for name in names]
    return Noise(
        np.array([law.variance for law in noises]),
        np.array([law.cell_term for law in noises]),
    )


def _measure_runs(runs: Sequence[_Run], pair: tuple[Records, Records], twins: Ints | None) -> list[ModelResult]:
    """Return a result for each run, in order, learnt and tested on the records before and after in ``pair``.

    ``twins`` has for each record before the index of its row after, -1 without one; None where rows do not correspond.
    The result of a decision tree without reconstruction also has its numbers of leaves. That of naive Bayes with the
    noise taken off has a note if variances were raised to the floor.
    """
    total, done = sum(run.cost for run in runs), 0
    model_results = []
    plain: dict[tuple[Sentence, str], Scores] = {}
    for run in runs:
        with progress.part(done / total, (done + run.cost) / total):
            done += run.cost
            seen: list[Classifier] = []
            same = (run.task.question, run.learner.id)
            scores = cross_validate(
                run.task,
                run.learner,
                *pair,
                twins,
                released_learner=run.released_learner,
                watch=seen.append if run.released_learner is not None else None,
                original_scores=plain.get(same) if run.released_learner is not None else None,
            )
            plain.setdefault(same, scores)
            leaves = None
            if isinstance(run.learner, DecisionTree) and run.released_learner is None:
                leaves = _compare_leaf_counts(run.task, run.learner, *pair, twins)
            model_results.append(
                ModelResult(run.task.target, run.task.question, run.id, run.text, _add_floor_note(scores, seen), leaves)
            )
    return model_results


def _add_floor_note(scores: Scores, seen: Sequence[Classifier]) -> Scores:
    """Return the scores with a note on how many corrected variances were raised to the floor.

    ``seen`` are the models fitted on released records. Without a raised variance, or if the figure of the release is
    absent, the scores come back unchanged. The note is added to ``released_true_labels``, in front of the note it has.
    """
    fitted = [model for model in seen if isinstance(model, NaiveBayesModel)]
    corrected, floored = sum(model.corrected for model in fitted), sum(model.floored for model in fitted)
    if not floored or scores.released_true_labels.value is None:
        return scores
    raised = lazy(
        "{n} of {all} corrected variances were too small and were raised to the least allowed", n=floored, all=corrected
    )
    figure = scores.released_true_labels
    return replace(scores, released_true_labels=replace(figure, note=join_remarks(raised, figure.note)))


def _compare_leaf_counts(
    task: Task, tree: DecisionTree, original: Records, released: Records, twins: Ints | None
) -> Leaves:
    """Return the number of leaves of a tree grown on the original records and of one grown on the released ones.

    Of more than 10,000 original records a fixed sample takes part, with its released versions; where rows do not
    correspond, each table has its own sample. Both are absent, with a reason, where nothing can be learnt, and either
    one is where its records have no label.
    """
    why = find_obstacle(task, original)
    if why is not None:
        return Leaves(Figure.absent(why), Figure.absent(why))
    rows = sample_rows(len(original), tree.most_rows)
    released_rows = twins[rows] if twins is not None else sample_rows(len(released), tree.most_rows)
    released_rows = released_rows[released_rows >= 0]
    sides = (
        (original, rows[task.known[rows]], task.before),
        (released, released_rows[task.known_after[released_rows]], task.after),
    )
    figures = []
    for records, used, labels in sides:
        if not len(used):
            figures.append(Figure.absent(lazy("no value in one of the tables")))
            continue
        side = Side(records.take(used), labels[used], np.full(len(used), -1, dtype=np.int64))
        leaves = RESULTS.get(
            ("leaves", make_learner_key(tree), task.classes, side.whole), partial(_count_tree_leaves, tree, side, task)
        )
        figures.append(Figure(int(leaves[0]), n=len(used), unit="leaves", method=tree.method))
    return Leaves(*figures)


def _count_tree_leaves(tree: DecisionTree, side: Side, task: Task) -> Ints:
    """Return the number of leaves of a tree grown on all records of ``side``, as an array of one number."""
    return np.array([tree.fit(side.records, side.labels, task.classes).leaves], dtype=np.int64)
