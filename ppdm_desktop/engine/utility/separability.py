"""Whether a model can tell released from original records (propensity score; Woo et al. 2009, Snoke et al. 2018)."""

from __future__ import annotations

import warnings
from dataclasses import replace
from itertools import combinations

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Bools, Floats
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.utility.models.features import Encoder, Records
from ppdm_desktop.engine.utility.regression import fit_logistic, independent_columns
from ppdm_desktop.engine.wording.catalogue import Sentence, lazy, remarks_in, untranslated
from ppdm_desktop.engine.wording.values import round_to_digits

MOST_NAMES = 10
MOST_TERMS = 200
_SAYS_NOTHING = lazy(
    "too few records for this figure to say anything: a model of {terms} terms distinguishes any two tables that "
    "have {records} records together"
)
_RIDGE = 1e-3


def propensity_error(before: Records, after: Records) -> Figure:
    """Return pMSE, the mean squared distance of the propensity score from the share of released records.

    Original and released records are pooled, and a logistic model predicts which ones are released; its probability is
    the propensity score. Its terms are all columns (with the 10 most common names of each), and squares and products of
    two columns as long as there are no more than 200 terms in all. 0 means that the two cannot be distinguished. With a
    share c of released records, c(1 - c) (a quarter for tables of equal length) means that every record is recognised.
    Two tables drawn from the same people give about c(1 - c) times terms / records; the note says so, or that there are
    too few records for the figure to say anything.

    The figure is absent without a column, with fewer than two records in a table, or where every column is constant.

    Parameters
    ----------
    before, after
        The released columns of both tables; rows need not correspond.
    """
    unit = "squared probability"
    if before.width == 0:
        return Figure.absent(lazy("needs at least two released columns"), unit=unit)
    if len(before) < 2 or len(after) < 2:
        return Figure.absent(lazy("every column is constant, or there are too few records"), unit=unit)
    encoder = Encoder.fit(_stack_records(before, after), MOST_NAMES)
    main = np.concatenate([encoder.matrix(before), encoder.matrix(after)]).astype(np.float64)
    progress.check()
    terms, products = _build_model_terms(main, encoder, _find_changed_columns(before, after))
    if not terms.shape[1]:
        return Figure.absent(lazy("every column is constant, or there are too few records"), unit=unit)
    progress.check()
    released = np.concatenate([np.zeros(len(before)), np.ones(len(after))])
    share = len(after) / len(released)
    score = _fit_propensity_scores(terms, released)
    value = float(((score - share) ** 2).mean())
    count = terms.shape[1]
    model = untranslated("logistic model of {terms} terms", terms=count)
    if products:
        model = untranslated(
            "logistic model of {terms} terms, {n} of them products of two columns", terms=count, n=products
        )
    return Figure(value, n=len(released), unit=unit, method=model, note=_explain_pmse(count, len(released), share))


def main_effects_error(before: Records, after: Records) -> tuple[Figure, Figure]:
    """Return pMSE of a logistic model of all columns without products, and its ratio S to what chance would give.

    If released records are drawn from a correct model of the original, pMSE is on average (k - 1) (1 - c)^2 c / n for
    k coefficients, n records and a share c of released ones (Snoke et al. 2018), so that S is near 1. It is 1 / (1 -
    c) for two samples of the same people, and below 1 for swapped or averaged values.

    Both are absent where a table has fewer than two records; where the columns give more than 400 terms, the constant
    included; and where, without terms that follow from others, only the constant is left, or at least as many terms as
    there are records.

    Parameters
    ----------
    before, after
        The released columns of both tables; rows need not correspond.
    """
    together = _stack_records(before, after)
    released = np.repeat([0.0, 1.0], [len(before), len(after)])
    design = _build_design_matrix(together)
    if design.shape[1] > 2 * MOST_TERMS or min(len(before), len(after)) < 2:
        absent = Figure.absent(lazy("too many categories or too few records for a model of all columns"))
        return absent, absent
    design = design[:, independent_columns(design)]
    k, n, share = design.shape[1], len(released), len(after) / len(released)
    if k < 2 or k >= n:
        absent = Figure.absent(lazy("every column is constant, or there are too few records"))
        return absent, absent
    value = float(((fit_logistic(design, released).fitted - share) ** 2).mean())
    model = untranslated("logistic model of {terms} terms", terms=k - 1)
    ratio = value / ((k - 1) * (1 - share) ** 2 * share / n)
    return Figure(value, n=n, unit="squared probability", method=model), Figure(ratio, n=n, unit="ratio", method=model)


def _build_design_matrix(records: Records) -> Floats:
    """Return a design matrix, float64, shape (records, terms): a constant, the numbers, and indicators of the names.

    A numeric column gives two terms, its value (0 where missing) and an indicator of missing values. A column of names
    gives an indicator for each code that occurs, except the lowest; missing counts as a code. Only the next 201 codes
    get one.
    """
    columns = [np.ones(len(records))]
    for number in records.numbers.T:
        missing = np.isnan(number)
        columns += [np.where(missing, 0.0, number), missing.astype(np.float64)]
    for codes in records.codes.T:
        used = np.unique(codes)[1 : MOST_TERMS + 2]
        columns += [(codes == code).astype(np.float64) for code in used]
    return np.column_stack(columns)


def is_uninformative(figure: Figure) -> bool:
    """Return whether the figure's note says that there are too few records for pMSE to say anything."""
    return any(isinstance(part, Sentence) and part.english == _SAYS_NOTHING.english for part in remarks_in(figure.note))


def _explain_pmse(terms: int, records: int, share: float) -> Sentence:
    """Return a sentence on how to read pMSE: its value for two samples of the same people, and its maximum.

    ``share`` is the share of released records. If there are at least as many ``terms`` as ``records``, the sentence
    says that the figure has no meaning.
    """
    most = share * (1 - share)
    if terms >= records:
        return replace(_SAYS_NOTHING, values={"terms": terms, "records": records})
    return lazy(
        "two samples of the same people would give about {expected}; a model that is always right would give {most}",
        expected=round_to_digits(most * terms / records, 2),
        most=round_to_digits(most, 3),
    )


def _stack_records(before: Records, after: Records) -> Records:
    """Return the records of both tables as one, those of ``before`` first; without privacy levels.

    Both have the same columns and codes.
    """
    return Records(
        np.concatenate([before.numbers, after.numbers]),
        np.concatenate([before.codes, after.codes]),
        before.sizes,
        before.ranked,
    )


def _find_changed_columns(before: Records, after: Records) -> Bools:
    """Return which columns differ in any row, numeric ones first, bool, shape (columns,).

    All are True where the tables differ in number of rows, so that rows cannot correspond. Two missing values count as
    equal.
    """
    if len(before) != len(after):
        return np.ones(before.width, dtype=np.bool_)
    numbers = (before.numbers != after.numbers) & ~(np.isnan(before.numbers) & np.isnan(after.numbers))
    return np.concatenate([numbers.any(axis=0), (before.codes != after.codes).any(axis=0)])


def _build_model_terms(main: Floats, encoder: Encoder, changed: Bools) -> tuple[Floats, int]:
    """Return the terms of the model as standardised columns, and how many of them are products.

    Terms are the encoded columns, then squares of numbers and products of terms of two columns until there are 200 in
    all, those of a changed column first, then squares first; squares count as products. The first indicator of a column
    of names is the reference and has no term. Constant terms are left out.

    ``main`` holds all encoded columns, shape (records, columns), and ``changed`` flags each source column.
    """
    sources, numeric = encoder.sources, len(encoder.means)
    varies = np.ptp(main, axis=0) > 0
    kept = []
    seen: set[int] = set()
    for column in np.flatnonzero(varies).tolist():
        source = int(sources[column])
        if source >= numeric and source not in seen:
            seen.add(source)
            continue
        kept.append(column)
    squares = [(a, a) for a in kept if a < numeric]
    pairs = [(a, b) for a, b in combinations(kept, 2) if sources[a] != sources[b]]
    ordered = sorted([*squares, *pairs], key=lambda pair: not (changed[sources[pair[0]]] or changed[sources[pair[1]]]))
    chosen = ordered[: max(0, MOST_TERMS - len(kept))]
    made = np.column_stack([main[:, kept], *(main[:, a] * main[:, b] for a, b in chosen)])
    spread = made.std(axis=0)
    used = spread > 1e-9
    return (made[:, used] - made[:, used].mean(axis=0)) / spread[used], int(used[len(kept) :].sum())


def _fit_propensity_scores(terms: Floats, released: Floats) -> Floats:
    """Return each record's propensity score, shape (records,): its probability of being released, by a logistic model.

    The model has a small ridge. ``released`` is 1 for released records and 0 for original ones.
    """
    from sklearn.exceptions import ConvergenceWarning  # late: only analyses need it
    from sklearn.linear_model import LogisticRegression

    progress.report(0.0, "doing.utility")
    model = LogisticRegression(C=1 / (_RIDGE * len(terms)), solver="newton-cholesky", tol=1e-9)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return np.asarray(model.fit(terms, released).predict_proba(terms)[:, 1])
