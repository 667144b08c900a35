"""Regressions on the original and on the release: closed figures, refused fits, and pMSE with its yardstick."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn.linear_model import LogisticRegression
from thoroughness import examples

from ppdm_desktop.engine.errors import RecipeError
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.load import parse_recipe
from ppdm_desktop.engine.release.candidate.model import match_source_columns
from ppdm_desktop.engine.release.candidate.pipeline import prepare, run_candidate
from ppdm_desktop.engine.release.measures.analyses import compare_conclusions, proposed_models
from ppdm_desktop.engine.table.column import Column, NumberStyle
from ppdm_desktop.engine.utility.conclusions import compare_regressions, interval_overlap
from ppdm_desktop.engine.utility.models.features import Records
from ppdm_desktop.engine.utility.regression import fit_linear, fit_logistic, independent_columns
from ppdm_desktop.engine.utility.separability import main_effects_error

RNG = np.random.default_rng(4)
ROWS = 400
AGE, SEX = RNG.integers(20, 70, ROWS), RNG.choice(["f", "m", "x"], ROWS)
PAY = np.round(1_000 + 30 * AGE + 200 * (SEX == "m") + RNG.normal(0, 300, ROWS)).astype(int)
ILL = np.where(RNG.random(ROWS) < 1 / (1 + np.exp(3 - 0.06 * AGE)), "yes", "no")


def column(name: str, values: Any, kind: str = "nominal") -> Column:
    texts = list(map(str, values))
    return Column.from_texts(name, texts, kind=kind, style=NumberStyle.seen_in(texts) if kind == "numeric" else None)


AGES, SEXES, PAYS, ILLS = (
    column("age", AGE, "numeric"),
    column("sex", SEX),
    column("pay", PAY, "numeric"),
    column("ill", ILL),
)


@pytest.mark.parametrize(
    ("b0", "error", "b1", "overlap"),
    [
        (-5.09478441983, 0.342094198997, -4.72728433417, 0.7259475757),
        (0.04362709519, 0.002954838933, 0.03996920687, 0.6841953341),
        (1.18226410342, 0.09075953335, 0.98160954799, 0.4360005467),
    ],
)
def test_golden_overlaps(b0: float, error: float, b1: float, overlap: float) -> None:
    """Figures of synthpop's ``compare.fit.synds``."""
    assert interval_overlap(b0, error, b1) == pytest.approx(overlap, abs=1e-9)


def test_fits_equal_those_of_other_libraries() -> None:
    line = stats.linregress(AGE, PAY)
    fit = fit_linear(np.column_stack([np.ones(ROWS), AGE]), PAY.astype(float))
    assert fit.values.tolist() == pytest.approx([line.intercept, line.slope], rel=1e-9)
    assert fit.errors.tolist() == pytest.approx([line.intercept_stderr, line.stderr], rel=1e-9)
    answer = (ILL == "yes").astype(float)
    design = np.column_stack([np.ones(ROWS), AGE])
    chances = fit_logistic(design, answer)
    other = LogisticRegression(C=np.inf, tol=1e-12, max_iter=10_000).fit(AGE[:, None], answer)
    assert chances.values.tolist() == pytest.approx([other.intercept_[0], other.coef_[0, 0]], rel=1e-4)
    information = (design * (chances.fitted * (1 - chances.fitted))[:, None]).T @ design
    assert chances.errors == pytest.approx(np.sqrt(np.diag(np.linalg.inv(information))), rel=1e-6)
    dependent = np.column_stack([np.ones(ROWS), AGE, 2 * AGE + 5, SEX == "m", np.zeros(ROWS)])
    assert independent_columns(dependent.astype(float)).tolist() == [True, True, False, True, False]


def test_the_unchanged_release_says_the_same() -> None:
    for answer, kind in ((PAYS, "linear"), (ILLS, "logistic")):
        found = compare_regressions((answer, answer), [(AGES, AGES), (SEXES, SEXES)])
        assert (found.kind, found.kept, found.of, found.overlap.value, found.note) == (kind, 3, 3, 1.0, None)
        assert [str(entry.term) for entry in found.coefficients] == ["“age”", "“sex”: “m”", "“sex”: “x”"]


SHUFFLED = column("pay", RNG.permutation(PAY), "numeric")
RANGES = column("age", [f"[{20 + (age - 20) // 10 * 10}, {30 + (age - 20) // 10 * 10})" for age in AGE])
OPEN = column("age", [f"≥ {60}" if age >= 60 else f"[{age}, {age}]" for age in AGE])
NO_X = column("sex", np.where(SEX == "x", "m", SEX))
SURE = column("ill", np.where(AGE > 45, "yes", "no"))
TWICE = column("double", 2 * AGE, "numeric")


@pytest.mark.parametrize(
    ("answer", "others", "kept", "of", "note"),
    [
        ((PAYS, SHUFFLED), [(AGES, AGES)], 0, 1, ""),
        ((PAYS, PAYS), [(AGES, RANGES)], 1, 1, "middles"),
        ((PAYS, PAYS), [(AGES, OPEN)], 1, 1, "middles"),
        ((PAYS, PAYS), [(AGES, AGES), (SEXES, NO_X)], 2, 2, "no longer in “sex”"),
        ((PAYS, PAYS), [(AGES, AGES), (TWICE, TWICE)], 1, 1, "left out"),
        ((SURE, SURE), [(AGES, AGES)], 0, 0, ""),
        ((SEXES, SEXES), [(AGES, AGES)], 0, 0, "two values"),
        ((PAYS, column("pay", ["1"] * ROWS, "numeric")), [(AGES, AGES)], 0, 0, "one value"),
    ],
    ids=["shuffled", "ranges", "open range", "category gone", "dependent", "separated", "three values", "constant"],
)
def test_what_changes_or_cannot_be_estimated(answer: Any, others: Any, kept: int, of: int, note: str) -> None:
    found = compare_regressions(answer, others)
    assert (found.kept, found.of) == (kept, of)
    assert note in str(found.note or "")
    for entry in found.coefficients:
        assert (entry.is_kept is None) == (entry.overlap.value is None)


@examples(300)
@given(seed=st.integers(0, 10**6), rows=st.integers(3, 60), numeric=st.booleans(), gaps=st.booleans())
def test_any_table_is_estimated_or_refused_and_unchanged_ones_say_the_same(
    seed: int, rows: int, numeric: bool, gaps: bool
) -> None:
    rng = np.random.default_rng(seed)

    def drawn(name: str, values: int, kind: str = "nominal") -> Column:
        texts = [str(value) if not gaps or rng.random() < 0.9 else "" for value in rng.integers(0, values, rows)]
        style = NumberStyle.seen_in([text for text in texts if text]) if kind == "numeric" else None
        return Column.from_texts(name, texts, kind=kind, style=style, missing_texts=frozenset({""}))

    answer, changed = (drawn("y", 9 if numeric else 2, "numeric" if numeric else "nominal") for _ in range(2))
    explaining = [drawn("a", int(rng.integers(1, 5)), "numeric"), drawn("b", int(rng.integers(1, 5)))]
    pairs = [(column, column) for column in explaining]
    same, other = compare_regressions((answer, answer), pairs), compare_regressions((answer, changed), pairs)
    assert same.kept == same.of
    assert 0 <= other.kept <= other.of
    assert all(entry.overlap.value == 1 for entry in same.coefficients if entry.is_kept is not None)
    assert all((entry.overlap.value or 0) <= 1 for entry in other.coefficients)


def test_pmse_of_main_effects_has_its_own_yardstick() -> None:
    """S averages 1 for records drawn from the original's own distribution, 2 for two samples of the same people.

    Exchanged columns are closer than either, and a moved mean shows.
    """

    def records(numbers: np.ndarray, codes: np.ndarray) -> Records:
        return Records(numbers, codes, (3,), np.zeros(numbers.shape[1], dtype=np.bool_))

    rng = np.random.default_rng(1)
    ratios = np.zeros((60, 2))
    for turn in range(60):
        first, second = (records(rng.normal(size=(300, 4)), rng.integers(0, 3, (300, 1))) for _ in range(2))
        for place, other in enumerate((first.take(rng.integers(0, 300, 300)), second)):
            pmse, ratio = main_effects_error(first, other)
            ratios[turn, place] = float(ratio.value or 0)
            assert ratio.value == pytest.approx(float(pmse.value or 0) / (6 * 0.125 / 600), rel=1e-12)
    means, errors = ratios.mean(axis=0), ratios.std(axis=0) / 60**0.5
    assert (np.abs(means - (1, 2)) < 4 * errors).all()
    exchanged = records(first.numbers[rng.permutation(300)], first.codes)
    assert (main_effects_error(first, exchanged)[1].value or 0) < 1e-9
    assert (main_effects_error(first, records(first.numbers + 1, first.codes))[1].value or 0) > 20


def test_pmse_of_adult_is_that_of_synthpop_and_of_another_library(data_folder: Path) -> None:
    """The figures are those of synthpop 1.9-2, ``utility.gen(method = "logit", maxorder = 0)``, for the same tables."""
    with (data_folder / "adult_train.csv").open(encoding="utf-8", newline="") as file:
        people = [row for row in csv.DictReader(file, skipinitialspace=True) if "?" not in row.values()][:5_000]
    names = ("sex", "race", "marital-status", "education", "workclass", "occupation", "class")
    codes = np.stack([np.unique([row[name] for row in people], return_inverse=True)[1] for name in names], axis=1)
    age = np.array([[float(row["age"])] for row in people])
    sizes, rng = tuple((codes.max(axis=0) + 1).tolist()), np.random.default_rng(1)
    drawn = [rng.integers(0, 5_000, 5_000) for _ in range(8)]
    before, after = (
        Records(age[drawn[0] if moved else slice(None)], moved_codes, sizes, np.zeros(1, dtype=np.bool_))
        for moved, moved_codes in (
            (False, codes),
            (True, np.stack([codes[rows, at] for at, rows in enumerate(drawn[1:])], axis=1)),
        )
    )
    pmse, ratio = main_effects_error(before, after)
    assert pmse.value == pytest.approx(0.0004353135312723, abs=1e-9)
    assert ratio.value == pytest.approx(0.7409592021656, abs=1e-6)
    marks = [np.eye(size)[np.concatenate([before.codes, after.codes])[:, at]][:, 1:] for at, size in enumerate(sizes)]
    design = np.column_stack([np.concatenate([before.numbers, after.numbers]) / 10, *marks])
    released = np.repeat([0, 1], 5_000)
    fit = LogisticRegression(C=np.inf, tol=1e-10, max_iter=10_000).fit(design, released)
    assert pmse.value == pytest.approx(((fit.predict_proba(design)[:, 1] - 0.5) ** 2).mean(), abs=1e-8)


def test_models_are_proposed_or_written_and_move_no_draw(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    rows = zip(AGE, SEX, PAY, ILL, strict=True)
    path.write_text("age,sex,pay,ill\n" + "".join(f"{','.join(map(str, row))}\n" for row in rows))
    document: dict[str, Any] = {
        "recipe": 1,
        "columns": {
            "age": {"role": "quasi-identifier", "kind": "numeric"},
            "sex": {"role": "quasi-identifier"},
            "pay": {"role": "confidential", "kind": "numeric"},
            "ill": {"role": "confidential"},
        },
        "release": {"type": "research"},
    }
    prepared = prepare(path, parse_recipe(document))
    assert [(model.y, model.x) for model in proposed_models(prepared.table)] == [
        ("pay", ("age", "sex")),
        ("ill", ("age", "sex")),
    ]
    written = prepare(path, parse_recipe({**document, "utility": {"models": [{"y": "pay", "x": ["sex"]}]}}))
    assert written.draws_sha256 == prepared.draws_sha256
    candidate = run_candidate(written, Key.from_seed(1))
    (found,) = compare_conclusions(candidate, match_source_columns(candidate), written.recipe.utility.models)
    assert (found.y, found.x, found.kept, found.of) == ("pay", ["sex"], 2, 2)
    for models in ([{"y": "pay", "x": []}], [{"y": "pay", "x": ["pay"]}], [{"y": "pay", "x": ["age"]}] * 6):
        with pytest.raises(RecipeError):
            parse_recipe({**document, "utility": {"models": models}})
