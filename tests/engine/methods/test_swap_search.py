"""Phase I and phase II against integer programmes, brute force and the paper's own rules."""

from __future__ import annotations

import itertools
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from cases import case_rows
from hypothesis import given
from hypothesis import strategies as st
from swap_support import CATEGORIES, GOLDEN, life_insurance, milp_departure, milp_optimum, problems, stream, streams
from thoroughness import examples

from ppdm_desktop.engine.identifiability.classes import equivalence_classes
from ppdm_desktop.engine.methods.algorithms.swapping import balance, core, greedy
from ppdm_desktop.engine.methods.algorithms.swapping.column import Exhaustive, search_choice, search_pool
from ppdm_desktop.engine.methods.algorithms.swapping.core import lower_bound, solve_exact
from ppdm_desktop.engine.methods.algorithms.swapping.dual import Dual, Multipliers
from ppdm_desktop.engine.methods.algorithms.swapping.greedy import greedy_round, greedy_search, is_admissible_swap
from ppdm_desktop.engine.methods.algorithms.swapping.open_values import Pool
from ppdm_desktop.engine.methods.algorithms.swapping.participants import (
    find_identified_people,
    posterior,
    posterior_drop,
)
from ppdm_desktop.engine.methods.algorithms.swapping.problem import GROUP_MEMBER, SwapProblem
from ppdm_desktop.engine.methods.algorithms.swapping.start import balanced_start, count_changeable_records
from ppdm_desktop.engine.methods.base.declaration import find_method
from ppdm_desktop.engine.methods.bayes_swap import BayesSwap


def start_of(problem: SwapProblem, seed: int = 1) -> np.ndarray:
    choice, least = balanced_start(problem.truth, problem.demand, problem.changes, problem.marginal(), stream(seed))
    assert least == 2 * problem.slack
    return choice


# --- phase I ----------------------------------------------------------------------------


@st.composite
def settings_of_phase_one(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    categories, classes = draw(st.integers(2, 5)), draw(st.integers(1, 4))
    cells = draw(st.lists(st.integers(0, 9), min_size=classes * categories, max_size=classes * categories))
    available = np.array(cells).reshape(classes, categories)
    changes = np.array([draw(st.integers(0, int(row.sum()))) for row in available])
    few = st.one_of(st.just(0), st.integers(0, 12))
    forced = np.array(draw(st.lists(few, min_size=categories, max_size=categories)))
    return available, changes, forced


@pytest.mark.thorough
@given(settings_of_phase_one())
@examples(300)
def test_closed_form_is_the_integer_optimum(given_: tuple[np.ndarray, np.ndarray, np.ndarray]) -> None:
    available, changes, forced = given_
    assert balance.least_departure(available, changes, forced) == milp_departure(available, changes, forced)


@pytest.mark.thorough
@given(settings_of_phase_one())
@examples(300)
def test_flows_reach_the_least_departure(given_: tuple[np.ndarray, np.ndarray, np.ndarray]) -> None:
    available, changes, forced = given_
    leaving = balance.balanced_outflow(available, changes, forced)
    assert (leaving <= available).all()
    assert np.array_equal(leaving.sum(axis=1), changes)
    total = leaving.sum(axis=0) + forced
    arriving = balance.balanced_inflow(total, available.sum(axis=0) + forced)
    flows = balance.flow_matrix(total, arriving)
    assert not flows.diagonal().any()
    assert np.array_equal(flows.sum(axis=1), total)
    assert np.array_equal(flows.sum(axis=0), arriving)
    assert np.abs(total - arriving).sum() == balance.least_departure(available, changes, forced)


def test_many_classes_are_decided_by_a_flow(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    for shape in ((3, 4), (4, 3)):
        for _ in range(100):
            available = rng.integers(0, 6, size=shape)
            changes = np.array([rng.integers(0, row.sum() + 1) for row in available])
            forced = rng.integers(0, 5, size=shape[1])
            found = []
            # All sets of either, the sets of categories alone, and neither.
            for most in (8, 3, 0):
                with monkeypatch.context() as patch:
                    patch.setattr(balance, "_MOST_SETS", most)
                    found.append(balance.least_largest_outflow(available, changes, forced))
            assert len(set(found)) == 1


# --- the exact search -------------------------------------------------------------------


@pytest.mark.thorough
@given(problems())
@examples(400)
def test_exact_search_equals_integer_programming(problem: SwapProblem) -> None:
    solution = solve_exact(problem, start_of(problem))
    assert problem.violation(solution.choice) is None
    assert solution.status == "proven"
    assert solution.value == pytest.approx(problem.value(solution.choice), abs=1e-9)
    assert solution.value == pytest.approx(milp_optimum(problem), abs=1e-5)
    assert solution.bound <= solution.value
    assert lower_bound(problem) <= solution.value + 1e-9


@given(problems(most_records=40, most_categories=5))
@examples(60)
def test_small_cores_are_proven_too(problem: SwapProblem) -> None:
    before = core.CORE_START
    core.CORE_START = 2
    try:
        solution = solve_exact(problem, start_of(problem))
    finally:
        core.CORE_START = before
    assert problem.violation(solution.choice) is None
    assert solution.status == "proven"
    assert solution.value == pytest.approx(milp_optimum(problem), abs=1e-5)


def random_problem(rng: np.random.Generator, records: int, skew: float) -> SwapProblem:
    """Posterior differences of records of which a share ``skew`` is in the first category."""
    categories, classes = int(rng.integers(3, 6)), int(rng.integers(1, 4))
    truth = np.where(rng.random(records) < skew, 0, rng.integers(categories, size=records))
    shares = rng.dirichlet(np.ones(categories), size=records)
    demand = rng.integers(-1, classes, size=records)
    sizes = np.bincount(demand + 1, minlength=classes + 1)[1:]
    changes = np.array([rng.integers(0, size + 1) for size in sizes])
    available, forced = count_changeable_records(truth, demand, classes, categories)
    slack = balance.least_departure(available, changes, forced) // 2
    return SwapProblem(shares[np.arange(records), truth][:, None] - shares, truth, demand, changes, slack)


@pytest.mark.parametrize("skew", [0.0, 0.6, 0.9])
def test_larger_problems_with_and_without_departure(skew: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(core, "CORE_START", 20)
    rng = np.random.default_rng(int(10 * skew))
    moved = 0
    for _ in range(15):
        problem = random_problem(rng, 120, skew)
        solution = solve_exact(problem, start_of(problem))
        assert problem.violation(solution.choice) is None
        assert solution.status == "proven"
        assert solution.value == pytest.approx(milp_optimum(problem), abs=1e-5)
        assert lower_bound(problem) <= solution.value + 1e-9
        moved += problem.slack > 0
    assert (moved > 5) == (skew > 0.5)


def test_a_search_cut_short_says_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(8)
    records = 400
    # Few different costs: hundreds of records are undecided, and a core of three proves nothing.
    cost = rng.integers(0, 4, size=(records, 4)) / 4 + rng.normal(scale=1e-6, size=(records, 4))
    problem = SwapProblem(cost, rng.integers(4, size=records), np.zeros(records, int), np.array([200]))
    optimum = milp_optimum(problem)
    monkeypatch.setattr(core, "CORE_START", 3)
    monkeypatch.setattr(core, "CORE_LIMIT", 3)
    solution = solve_exact(problem, start_of(problem))
    assert solution.status == "bounded"
    assert problem.violation(solution.choice) is None
    assert solution.bound <= optimum + 1e-6 <= solution.value + 2e-6


@pytest.mark.parametrize("loser", [None, 0, 2])
def test_the_dual_is_the_least_over_all_marginals_of_the_departure(loser: int | None) -> None:
    rng = np.random.default_rng(11)
    truth = np.sort(rng.integers(3, size=9))
    problem = SwapProblem(rng.random((9, 3)), truth, np.zeros(9, int), np.array([4]), slack=2)
    at = Multipliers(np.array([0.5, -0.25, 0.125]), np.array([0.0625]))
    costs = problem.cost - at.category
    costs[np.arange(9), truth] -= at.keep[0]
    moves = [(gains, loses) for gains in range(3) for loses in range(3) if loser in (None, loses) and gains != loses]
    marginal = np.bincount(truth, minlength=3)
    totals = [marginal + 2 * (np.eye(3)[gains] - np.eye(3)[loses]) for gains, loses in moves]
    least = costs.min(axis=1).sum() + 5 * at.keep[0] + min(float(at.category @ total) for total in totals)
    assert Dual(problem, loser).reduced(at).sharp == pytest.approx(least, abs=1e-9)


@pytest.mark.parametrize(
    ("how", "blurred", "prove", "proven"),
    case_rows("swap-search-a-pool-names-the-least-true-cost"),
)
def test_a_pool_names_the_least_true_cost(how: Exhaustive, blurred: bool, prove: bool, proven: bool) -> None:
    rng = np.random.default_rng(4)
    truth, costs = rng.integers(3, size=30), rng.random((30, 3))
    holding, leaving, coming = np.bincount(truth, minlength=3), np.array([4, 3, 2]), np.array([2, 3, 4])
    pool = Pool(holding, np.zeros(3, int), 9, False, None)
    minimised = rng.random((30, 3)) if blurred else costs
    searched = search_pool(pool, leaving, coming, costs, minimised, truth, stream(), how, prove=prove)
    target = holding - leaving + coming
    optimum = milp_optimum(SwapProblem(costs, truth, truth, leaving, target=target))
    assert (searched.optimum is not None) == proven
    assert searched.optimum is None or searched.optimum.proven == pytest.approx(optimum, abs=1e-5)
    assert np.bincount(searched.choice, minlength=3).tolist() == target.tolist()


# --- the paper's search -----------------------------------------------------------------


@pytest.mark.thorough
@given(problems(most_records=14), st.integers(0, 3))
@examples(300)
def test_exact_is_never_above_greedy(problem: SwapProblem, seed: int) -> None:
    start = start_of(problem, seed)
    swapped = greedy_search(problem, start)
    assert problem.violation(swapped) is None
    assert problem.value(swapped) <= problem.value(start) + 1e-9
    assert solve_exact(problem, start).value <= problem.value(swapped) + 1e-9


def appendix_rules(first: greedy.State, second: greedy.State) -> bool:
    """The paper's Appendix A, rules 1 to 4, for one level."""
    (group_a, a, b), (group_b, c, d) = first, second
    if b == d:
        return False
    perturbed_a, perturbed_b = a != b, c != d
    unique_a, unique_b = group_a != GROUP_MEMBER, group_b != GROUP_MEMBER
    if not perturbed_a and not perturbed_b:
        return False  # rule 1: two unperturbed records of U
    if (not perturbed_a and not unique_b) or (not perturbed_b and not unique_a):
        return False  # rule 2: U unperturbed with V
    cross = a != c
    if cross and not (perturbed_a and perturbed_b):
        return False  # rule 3
    return not cross or len({a, b, c, d}) == 4  # rule 4


def test_admissible_is_the_papers_appendix() -> None:
    checked = 0
    for categories in (2, 3, 4, 5):
        states = [
            (group, truth, now)
            for group in (GROUP_MEMBER, 0)
            for truth in range(categories)
            for now in range(categories)
            if group == 0 or truth != now
        ]
        for first, second in itertools.product(states, states):
            assert is_admissible_swap(first, second) == appendix_rules(first, second), (first, second)
            checked += 1
    assert checked > 2_000


# --- li & Sarkar's worked example, number by number -----------------------------------------------


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
    found = find_identified_people(classes, table.column("amount").category_codes, table.persons)
    status = [row["status"] for row in GOLDEN["table1"]]
    assert found.unique.tolist() == [at for at, letter in enumerate(status) if letter == "U"]
    assert found.collective.tolist() == [at for at, letter in enumerate(status) if letter not in ("U", "")]
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
    for row, golden in GOLDEN["posterior_all16"].items():
        exact = [float(Fraction(text)) for text in golden["exact"]]
        np.testing.assert_allclose(found[int(row) - 1], exact, atol=1e-14)
    printed = 0
    for row, shares in GOLDEN["printed_table3"].items():
        np.testing.assert_allclose(found[int(row) - 1], shares, atol=5.1e-5)
        printed += len(shares)
    assert printed == 27


def test_greedy_path_of_table_three_step_by_step(example: SwapProblem) -> None:
    start = codes(GOLDEN["phase1_start"])
    assert example.value(start) == pytest.approx(float(Fraction(GOLDEN["phase1_sum_exact"])), abs=1e-12)
    assert example.value(start) == pytest.approx(GOLDEN["phase1_sum_printed"], abs=1e-4)
    end = start.copy()
    rounds = list(iter(lambda: greedy_round(example, end), []))
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
    found = search_choice(
        part.cost, part.cost, part.truth, part.demand, changes, np.array([4, 6, 6]), stream(), "exact"
    )
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
    ends = Counter(round(example.value(greedy_search(example, each)), 9) for each in starts)
    expected = {round(float(value), 9): count for value, count in GOLDEN["greedy_from_all_32_balanced_starts"].items()}
    assert dict(ends) == expected


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
