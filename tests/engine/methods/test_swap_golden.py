"""Li & Sarkar's worked example, number by number."""

from __future__ import annotations

import itertools
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from swap_support import CATEGORIES, GOLDEN, life_insurance, stream, streams

from ppdm_desktop.engine.identifiability.classes import (
    COLLECTIVE,
    UNIDENTIFIABLE,
    UNIQUE,
    equivalence_classes,
    identifiable_records,
)
from ppdm_desktop.engine.methods.algorithms.swapping.balance import least_departure
from ppdm_desktop.engine.methods.algorithms.swapping.column import search
from ppdm_desktop.engine.methods.algorithms.swapping.greedy import greedy_search
from ppdm_desktop.engine.methods.algorithms.swapping.posterior import posterior, posterior_drop
from ppdm_desktop.engine.methods.algorithms.swapping.problem import GROUP_MEMBER, SwapProblem
from ppdm_desktop.engine.methods.base.declaration import find_method
from ppdm_desktop.engine.methods.bayes_swap import BayesSwap

UNIQUE_ROWS = [1, 6, 7, 10, 13, 16]
MEMBERS = [2, 4, 11]
ROWS = np.array([*UNIQUE_ROWS, *MEMBERS]) - 1
DEMAND = np.array([0] * 6 + [GROUP_MEMBER] * 3)


def codes(table: dict[str, str]) -> np.ndarray:
    return np.array([CATEGORIES.index(table[str(row + 1)]) for row in ROWS])


@pytest.fixture(scope="module")
def example() -> SwapProblem:
    """The paper's participants: all of U and the first member of each group."""
    table = life_insurance()
    truth = table.column("amount").category_codes.astype(np.int64)
    quasi = [column.category_codes for column in table.with_role("quasi-identifier")]
    classes = equivalence_classes(table.with_role("quasi-identifier"), 16)
    shares = posterior(quasi, truth, 3, classes, ROWS)
    return SwapProblem(posterior_drop(shares, truth[ROWS]), truth[ROWS], DEMAND, np.array([3]))


def test_statuses_of_all_sixteen() -> None:
    table = life_insurance()
    classes = equivalence_classes(table.with_role("quasi-identifier"), 16)
    found = identifiable_records(classes, table.column("amount").category_codes)
    expected = {"U": UNIQUE, "": UNIDENTIFIABLE}
    wanted = [expected.get(row["status"], COLLECTIVE) for row in GOLDEN["table1"]]
    assert found.status.tolist() == wanted
    assert found.groups == 3
    for name in ("V1", "V2", "V3"):
        members = [at for at, row in enumerate(GOLDEN["table1"]) if row["status"] == name]
        assert len(set(classes.ids[members].tolist())) == 1


def test_posteriors_are_the_exact_fractions() -> None:
    table = life_insurance()
    truth = table.column("amount").category_codes.astype(np.int64)
    assert table.column("amount").categories == tuple(CATEGORIES)
    quasi = [column.category_codes for column in table.with_role("quasi-identifier")]
    classes = equivalence_classes(table.with_role("quasi-identifier"), 16)
    found = posterior(quasi, truth, 3, classes, np.arange(16))
    for row, given in GOLDEN["posterior_all16"].items():
        exact = [float(Fraction(text)) for text in given["exact"]]
        np.testing.assert_allclose(found[int(row) - 1], exact, atol=1e-14)
    printed = 0
    for row, given in GOLDEN["printed_table3"].items():
        np.testing.assert_allclose(found[int(row) - 1], given, atol=5.1e-5)
        printed += len(given)
    assert printed == 27


@pytest.mark.parametrize("part", ["U", "V"])
def test_phase_one_keeps_the_marginal(part: str) -> None:
    given = GOLDEN["phase1"][part]
    sizes = np.array([given["N"]])
    assert least_departure(sizes, np.array([given["m"]]), np.zeros(3, dtype=np.int64)) == given["objective"] == 0


def test_greedy_path_of_table_three_step_by_step(example: SwapProblem) -> None:
    start = codes(GOLDEN["phase1_start"])
    assert example.value(start) == pytest.approx(float(Fraction(GOLDEN["phase1_sum_exact"])), abs=1e-12)
    assert example.value(start) == pytest.approx(GOLDEN["phase1_sum_printed"], abs=1e-4)
    end, rounds = greedy_search(example, start)
    assert len(rounds) == GOLDEN["greedy_rounds"] == 1
    made = [(sorted(int(ROWS[at]) + 1 for at in swap[:2]), swap[2]) for swap in rounds[0]]
    for (rows, cost), expected in zip(made, GOLDEN["greedy_swaps"], strict=True):
        assert rows == expected["records"]
        assert cost == pytest.approx(expected["cost"], abs=1e-12)
    assert end.tolist() == codes(GOLDEN["phase2_final"]).tolist()
    assert example.value(end) == pytest.approx(float(Fraction(GOLDEN["phase2_sum_exact"])), abs=1e-12)
    assert f"{example.value(end):.4f}" == "2.4238"


def searched(problem: SwapProblem, rows: np.ndarray) -> float:
    part = problem.part(rows)
    changes = problem.changes if (part.demand != GROUP_MEMBER).any() else np.array([0])
    found = search(part.cost, part.cost, part.truth, part.demand, changes, np.array([4, 6, 6]), stream(), "exact")
    assert found.status == "proven"
    assert found.slack == 0
    return found.value


def test_exact_optimum_pooled_and_separate(example: SwapProblem) -> None:
    whole = np.arange(9)
    pooled = searched(example, whole)
    assert pooled == pytest.approx(464342 / 217455, abs=1e-12)
    assert f"{pooled:.6f}" == "2.135348"
    separate = searched(example, whole[:6]) + searched(example, whole[6:])
    assert separate == pytest.approx(27934036 / 11525115, abs=1e-12)
    assert f"{separate:.6f}" == "2.423753"


def test_exact_optimum_is_the_unique_assignment(example: SwapProblem) -> None:
    found = search(
        example.cost, example.cost, example.truth, DEMAND, example.changes, np.array([4, 6, 6]), stream(), "exact"
    )
    assert found.choice.tolist() == codes(GOLDEN["exact"]["pooled_C3"]["assignment"]).tolist()


def balanced_starts(example: SwapProblem) -> list[np.ndarray]:
    """All starts in which U and V each keep their marginal and three of U change."""
    found = []
    for unique in itertools.product(range(3), repeat=6):
        if (np.array(unique) != example.truth[:6]).sum() != 3:
            continue
        if not np.array_equal(np.bincount(unique, minlength=3), np.bincount(example.truth[:6], minlength=3)):
            continue
        for members in ((1, 2, 0), (2, 0, 1)):
            choice = np.array([*unique, *members])
            assert example.violation(choice) is None
            found.append(choice)
    return found


def test_greedy_from_all_32_starts(example: SwapProblem) -> None:
    starts = balanced_starts(example)
    assert len(starts) == 32
    ends = Counter(round(example.value(greedy_search(example, each)[0]), 9) for each in starts)
    expected = {round(float(value), 9): count for value, count in GOLDEN["greedy_from_all_32_balanced_starts"].items()}
    assert dict(ends) == expected


def test_greedy_from_the_printed_flows_always_ends_at_the_printed_sum(example: SwapProblem) -> None:
    printed = codes(GOLDEN["phase1_start"])

    def flows(choice: np.ndarray) -> Counter[tuple[int, int]]:
        unique = [(int(a), int(b)) for a, b in zip(example.truth[:6], choice[:6]) if a != b]
        members = [(int(a) + 3, int(b) + 3) for a, b in zip(example.truth[6:], choice[6:])]
        return Counter(unique + members)

    same = [each for each in balanced_starts(example) if flows(each) == flows(printed)]
    assert len(same) == 8
    for each in same:
        end, _ = greedy_search(example, each)
        assert example.value(end) == pytest.approx(2.423753342, abs=1e-9)


def test_faithful_mode_reaches_the_papers_sum() -> None:
    table, method = life_insurance(), find_method("bayes-swap")
    for seed in range(8):
        settings = method.settings(table, None, BayesSwap.profiles["paper"])
        result = method.run(table, settings, streams(seed))
        detail = result.detail["columns"]["amount"]
        assert detail["m"] == 3
        assert detail["group_members_changed"] == 3
        assert detail["least_departure"] == [0, 0]
        ends = (2.355861328, 2.423753342, 2.777232799)
        assert min(abs(detail["objective"] - each) for each in ends) < 1e-9
