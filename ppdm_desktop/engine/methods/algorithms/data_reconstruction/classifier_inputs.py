"""The training data of the search's classifiers: all released columns, with numbers cut into ranges for the tree."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.methods.algorithms.data_reconstruction.learners import Learner, Lessons, Mean, NaiveBayes, Tree
from ppdm_desktop.engine.methods.algorithms.data_reconstruction.masks import EQUAL_FREQUENCY, MDL, mask_of
from ppdm_desktop.engine.table.column import Column, Table

TREE, NAIVE_BAYES, BOTH = "tree", "naive-bayes", "both"
MOST_NAMES = 30
TREE_RANGES = 16


def learner_for(
    table: Table, class_name: str, masked: Sequence[tuple[Ints, bool]], extra: Sequence[Column], kind: str, weight: int
) -> Learner:
    """Return the classifier whose share of correct predictions measures how good a selection of records is.

    With ``both``, shares of correct predictions are the mean over the two classifiers. Numbers of ``extra`` are cut
    into ranges for the tree and stay numbers for naive Bayes; dates are cut for both.

    Parameters
    ----------
    table
        The step's input, only the records that have a class.
    class_name
        Name of the class column.
    masked
        For each quasi-identifier, the codes of its groups as they may be released (-1 where missing), and whether the
        groups are ranges rather than names.
    extra
        The other released columns; free text is ignored.
    kind
        ``tree``, ``naive-bayes`` or ``both``.
    weight
        How many copies of a selected record the release will have; only naive Bayes uses it.
    """
    classes = table.column(class_name).category_codes.astype(np.int64)
    width = int(classes.max(initial=0)) + 1
    readable = [column for column in extra if column.kind != "text"]
    learners: list[Learner] = []
    if kind in (TREE, BOTH):
        columns = [codes if ordered else _order_by_class(codes, classes) for codes, ordered in masked]
        for column in readable:
            codes = _encode_column(column, table, class_name, EQUAL_FREQUENCY)
            columns.append(_order_by_class(codes, classes) if column.kind == "nominal" else codes)
        learners.append(Tree(_build_lessons(columns, classes, width)))
    if kind in (NAIVE_BAYES, BOTH):
        columns = [codes for codes, _ in masked]
        columns += [_encode_column(column, table, class_name, MDL) for column in readable if column.kind != "numeric"]
        numbers = [column.numbers for column in readable if column.kind == "numeric"]
        number_matrix = np.stack(numbers, axis=1) if numbers else np.zeros((table.rows, 0))
        learners.append(NaiveBayes(_build_lessons(columns, classes, width), number_matrix, weight))
    return learners[0] if len(learners) == 1 else Mean(tuple(learners))


def _build_lessons(columns: Sequence[Ints], classes: Ints, width: int) -> Lessons:
    """Return the columns of codes and the classes as a training set; codes are raised by one, so that missing is 0.

    There must be at least one column; ``width`` is the number of classes.
    """
    shifted = [column + 1 for column in columns]
    sizes = tuple(int(column.max(initial=0)) + 1 for column in shifted)
    return Lessons(np.stack(shifted, axis=1).astype(np.int64), sizes, classes, width)


def _encode_column(column: Column, table: Table, class_name: str, method: str) -> Ints:
    """Return a column as codes, int64, shape (rows,), -1 where missing.

    Numbers and dates become at most 16 ranges or, with the method ``mdl``, as many as it finds (two if none); ordered
    categories become their ranks. Numbers and dates that cannot be cut all have the code 0. If an unordered column has
    more than 30 names, the 30 most frequent have the codes 0 to 29 and all others the code 30.
    """
    if column.kind in ("numeric", "date"):
        return mask_of(column, table, class_name, method=method, count=TREE_RANGES).values
    codes = column.category_codes.astype(np.int64)
    names = len(column.categories)
    if column.kind == "ordinal" or names <= MOST_NAMES:
        return codes
    uses = np.bincount(codes[codes >= 0], minlength=names)
    new_code = np.full(names + 1, MOST_NAMES, dtype=np.int64)
    new_code[np.argsort(-uses, kind="stable")[:MOST_NAMES]] = np.arange(MOST_NAMES)
    new_code[-1] = -1
    return new_code[codes]


def _order_by_class(codes: Ints, classes: Ints) -> Ints:
    """Return a column's category codes renumbered by the share of each category's records in the most frequent class.

    The category with the smallest share gets 0, of equal ones the lower code, so that a tree can divide the categories
    by one split. ``classes`` has each record's class. -1 (missing) stays.
    """
    names = int(codes.max(initial=-1)) + 1
    commonest = int(np.bincount(classes).argmax())
    present = codes >= 0
    uses = np.bincount(codes[present], minlength=names)
    hits = np.bincount(codes[present & (classes == commonest)], minlength=names)
    new_code = np.empty(names + 1, dtype=np.int64)
    new_code[np.argsort(hits / np.maximum(uses, 1), kind="stable")] = np.arange(names)
    new_code[-1] = -1
    return new_code[codes]
