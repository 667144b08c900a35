"""Exchange of neighbouring values and post-randomisation: closed figures, promises by level, planted failures."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from generalising_support import candidate_of, release
from hypothesis import given
from hypothesis import strategies as st
from number_support import applied
from swap_support import stream
from thoroughness import examples

from ppdm_desktop.engine.attacks.swap_belief import Swapped, observe_neighbour_swaps, observe_swapped_rows
from ppdm_desktop.engine.errors import InputError, PpdmError
from ppdm_desktop.engine.methods.algorithms.swapping.rank_blocks import RankBlocks
from ppdm_desktop.engine.methods.base.declaration import find_method
from ppdm_desktop.engine.methods.base.step import Settings, StepResult
from ppdm_desktop.engine.methods.pram import LevelChances
from ppdm_desktop.engine.release.disclosure.beliefs import belief_of
from ppdm_desktop.engine.release.disclosure.released import Released
from ppdm_desktop.engine.release.verify import verify
from ppdm_desktop.engine.table.column import Column, NumberStyle, Table
from ppdm_desktop.engine.table.levels import DEFAULT_LEVELS, RecordLevels
from ppdm_desktop.engine.table.people import People, renumber_by_appearance

RANKS, CHANCES = find_method("rank-swap"), find_method("pram")


def table_of(
    texts: list[str],
    levels: list[int] | int = 0,
    persons: list[int] | None = None,
    kind: str = "",
    linked: bool = False,
) -> Table:
    """Return a table of one confidential column, given the index of each row's level and its person."""
    kind = kind or ("numeric" if texts[0].lstrip("-").isdigit() else "nominal")
    style = NumberStyle.seen_in([text for text in texts if text]) if kind == "numeric" else None
    column = Column.from_texts("x", texts, role="confidential", kind=kind, style=style, missing_texts=frozenset({""}))
    codes = np.full(len(texts), levels) if isinstance(levels, int) else np.array(levels)
    people = None
    if persons is not None:
        people = People(renumber_by_appearance(np.array(persons)), np.zeros(len(texts), dtype=np.bool_), linked=linked)
    asked = RecordLevels(DEFAULT_LEVELS, codes.astype(np.int32), {"default": len(texts)})
    return Table((column,), np.arange(1, len(texts) + 1), asked, people)


def run(method: Any, table: Table, seed: int = 1, **parameters: Any) -> tuple[Settings, StepResult]:
    return method.settings(table, ["x"], parameters), applied(method.id, table, seed, ["x"], **parameters)


# --- closed figures ---------------------------------------------------------------------------------------


def test_values_of_a_block_are_exchanged_evenly() -> None:
    """Of a block of L, 1 - 1/L move, (L² - 1)/(3 L) ranks on average, and none 2 L or more."""
    blocks = RankBlocks.draw(np.arange(10_000), np.arange(10_000), np.full(10_000, 5), 0.05, stream())
    lengths = np.diff(blocks.starts, append=10_000)
    assert (blocks.people == lengths).all()
    assert (lengths[1:-1] == 500).all()
    assert (lengths[[0, -1]] >= 500).all()
    assert (lengths[[0, -1]] < 1_000).all()
    distance = np.abs(blocks.drawn - np.arange(10_000))
    assert (blocks.of_unit == blocks.of_unit[blocks.drawn]).all()
    middle = distance[lengths[0] : 10_000 - lengths[-1]].reshape(-1, 500)
    expected, moved = (500**2 - 1) / (3 * 500), 1 - 1 / 500
    assert abs((middle > 0).mean() - moved) < 4 * (moved * (1 - moved) / middle.size) ** 0.5
    assert abs(middle.mean() - expected) < 4 * middle.std() / middle.size**0.5
    firsts = {
        int(RankBlocks.draw(np.arange(30), np.arange(30), np.full(30, 5), 0.1, stream(n)).starts[1]) for n in range(60)
    }
    assert firsts == {5, 6, 7, 8, 9}, "the first cut is drawn"


def test_each_block_has_as_many_people_as_its_strictest_member_asks_for() -> None:
    rng = np.random.default_rng(3)
    demands = rng.choice([5, 10, 20, 50], 3_000, p=[0.9, 0.06, 0.03, 0.01])
    blocks = RankBlocks.draw(rng.permutation(3_000), np.arange(3_000), demands, 0.001, stream())
    strictest = [demands[blocks.of_unit == block].max() for block in range(len(blocks.people))]
    assert (blocks.people >= strictest).all()
    assert blocks.people.min() < 20


@pytest.mark.parametrize(
    ("counts", "swap", "redrawn", "used"),
    [
        ([40, 30, 20, 10], 0.5, 5 / 7, 0.5),
        ([76, 24], 0.5, 1.0, 0.3648),
        ([98, 2], 0.5, 1.0, 0.0392),
        ([50, 50], 0.02, 0.05, 0.025),
    ],
    ids=["four values", "most that can change", "nearly one value", "as much doubt as the level asks"],
)
def test_the_chances_change_what_is_asked_and_keep_the_shares(
    counts: list[int], swap: float, redrawn: float, used: float
) -> None:
    chances = LevelChances.of(swap, DEFAULT_LEVELS[0], np.array(counts))
    shares = np.array(counts) / sum(counts)
    assert (chances.redrawn, chances.used) == pytest.approx((redrawn, used), abs=1e-12)
    matrix = (1 - chances.redrawn) * np.eye(len(counts)) + chances.redrawn * chances.shares
    assert shares @ matrix == pytest.approx(shares, abs=1e-15)
    if len(counts) == 4:
        first = [0.5714285714285714, 0.21428571428571427, 0.14285714285714288, 0.07142857142857144]
        assert matrix[0] == pytest.approx(first, abs=1e-15)
        assert matrix[3, 3] == pytest.approx(0.35714285714285715, abs=1e-15)


@pytest.mark.parametrize("redrawn", [0.05, 0.1, 1 / 3, 5 / 7])
def test_the_share_of_doubt_that_stays_is_the_chance_of_a_new_draw(redrawn: float) -> None:
    """For each shown value, measured as the verdict does, among people who are all unique."""
    people, shares = 40_000, np.array([0.4, 0.3, 0.2, 0.1])
    texts = [f"v{code}" for code in np.repeat(np.arange(4), (shares * people).astype(int))]
    _, result = run(CHANCES, table_of(texts), swap=redrawn * (1 - float((shares**2).sum())))
    truth = np.repeat(np.arange(4), (shares * people).astype(int))
    shown = result.table.column("x").category_codes.astype(np.int64)
    ids = np.arange(people)
    observations = observe_swapped_rows(Swapped(truth, shown, 4, ids, people, lambda rows: np.zeros(len(rows))))
    for value in range(4):
        rows = np.flatnonzero(shown == value)
        belief = float(observations.shares[observations.of[rows]][:, [value]].mean())
        doubt, error = (1 - belief) / (1 - shares[value]), (belief * (1 - belief) / len(rows)) ** 0.5
        assert abs(doubt - redrawn) < 4 * error / (1 - shares[value])
    moved = np.bincount(shown) / people - shares
    assert (np.abs(moved) < 4 * (redrawn * shares * (1 - shares) / people) ** 0.5 * 2).all()


# --- promises ---------------------------------------------------------------------------------------------


@examples(600)  # each method takes half of them or all
@given(
    seed=st.integers(0, 10**6),
    kind=st.sampled_from(["numeric", "ordinal"]),
    several=st.booleans(),
    within=st.booleans(),
)
def test_every_table_keeps_its_values_and_serves_each_level(seed: int, kind: str, several: bool, within: bool) -> None:
    rng = np.random.default_rng(seed)
    people = int(rng.integers(55, 120))
    rows = people + (int(rng.integers(60)) if several else 0)
    person = np.concatenate([np.arange(people), rng.integers(people, size=rows - people)])
    level = rng.choice(4, people, p=[0.7, 0.2, 0.08, 0.02])
    value = rng.lognormal(2, 1, people).astype(int)[person] + (rng.integers(3, size=rows) if within else 0)
    texts = [str(number) if kind == "numeric" else f"{number:06}" for number in value.tolist()]
    gone = rng.random(people) < 0.04
    texts = ["" if gone[of] else text for of, text in zip(person.tolist(), texts, strict=True)]
    texts[0] = texts[0] or ("7" if kind == "numeric" else "000007")
    table = table_of(texts, level[person].tolist(), person.tolist() if several else None, kind)
    for method in (RANKS, CHANCES) if kind == "ordinal" else (RANKS,):
        try:
            settings, result = run(method, table, seed)
        except InputError:  # too few people have a value
            continue
        after = result.table.column("x").values()
        assert [text == "" for text in after] == [text == "" for text in texts]
        by_person: dict[int, set[tuple[str, str]]] = {}
        for of, old, new in zip(person.tolist(), texts, after, strict=True):
            by_person.setdefault(of, set()).add((old, new))
        units = list(zip(texts, after, strict=True))
        if all(len({old for old, _ in pairs}) == 1 for pairs in by_person.values()):
            assert all(len(pairs) == 1 for pairs in by_person.values()), "rows of a person change alike"
            units = [next(iter(pairs)) for pairs in by_person.values()]
        if method is not RANKS:
            continue
        assert Counter(old for old, _ in units) == Counter(new for _, new in units)
        assert isinstance(result.in_memory, dict)
        block = result.in_memory["x"]
        for index in range(int(block.max()) + 1):
            members = set(person[block == index].tolist())
            assert len(members) >= max(DEFAULT_LEVELS[level[of]].demand.group for of in members)
        served = result.protections[0].protected
        assert all(len(set(value[block == block[row]])) > 1 for row in np.flatnonzero(served).tolist())


NUMBERS = [str(number) for number in np.random.default_rng(2).permutation(400).tolist()]
WORDS = [f"w{code}" for code in np.random.default_rng(2).integers(4, size=400).tolist()]
LEVELS = [3 if row % 10 == 0 else 0 for row in range(400)]


@pytest.mark.parametrize(
    ("method", "texts", "persons", "id"),
    [
        (RANKS, ["1", "2", "3"], None, "error.method.too-few"),
        (RANKS, NUMBERS, [row // 2 for row in range(400)], "error.mondrian.rows-put-together"),
        (CHANCES, WORDS, [row // 2 for row in range(400)], "error.mondrian.rows-put-together"),
    ],
)
def test_what_cannot_work_is_refused(method: Any, texts: list[str], persons: list[int] | None, id: str) -> None:
    table = table_of(texts, 0, persons, linked=persons is not None)
    with pytest.raises(PpdmError) as refused:
        method.check(table, method.settings(table, ["x"], {}))
    assert refused.value.id == id


def test_too_few_people_are_refused_though_the_row_that_asks_for_more_has_no_value() -> None:
    table = table_of([*"1234567", ""], [0] * 7 + [1], [*range(7), 0])
    with pytest.raises(InputError) as refused:
        RANKS.check(table, RANKS.settings(table, ["x"], {}))
    assert refused.value.id == "error.method.too-few"


@pytest.mark.parametrize(
    ("method", "role", "refusal"),
    [
        (RANKS, "quasi-identifier", None),
        (CHANCES, "quasi-identifier", None),
        (RANKS, "other", "error.step.unfit-role"),
        (find_method("two-phase-noise"), "quasi-identifier", "error.step.unfit-role"),
    ],
    ids=["ranks of known values", "chances of known values", "a column of no role", "noise"],
)
def test_details_that_others_know_can_be_exchanged_but_get_no_noise(
    method: Any, role: str, refusal: str | None
) -> None:
    table = table_of(NUMBERS, kind="ordinal" if method is CHANCES else "numeric")
    table = table.replacing(replace(table.column("x"), role=role))
    if refusal is None:
        assert run(method, table)[1].protections[0].protected.all()
        return
    with pytest.raises(PpdmError) as refused:
        method.settings(table, ["x"], {})
    assert refused.value.id == refusal


@pytest.mark.parametrize(
    ("method", "texts", "ids"),
    [
        (RANKS, ["7"] * 50, ["note.rank-swap.nothing"]),
        (RANKS, ["0"] * 900 + list(map(str, range(1, 101))), ["note.rank-swap.equals"]),
        (CHANCES, ["a"] * 50, ["note.pram.nothing"]),
        (CHANCES, ["a"] * 76 + ["b"] * 24, ["note.pram.less"]),
    ],
    ids=["one number", "nine tenths are 0", "one word", "few can change"],
)
def test_what_cannot_change_is_said(method: Any, texts: list[str], ids: list[str]) -> None:
    settings, result = run(method, table_of(texts))
    assert [note.id for note in result.notes] == ids
    assert method.effect(table_of(texts), settings).id in {f"note.{method.id}.effect", f"note.{method.id}.nothing"}
    if len(set(texts)) == 1:
        assert result.table.column("x").values() == texts
        assert not result.protections[0].protected.any()


# --- what an intruder believes -----------------------------------------------------------------------------


def beliefs(truth: np.ndarray[Any, Any], shown: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return the belief in the shown number and the greatest belief in any, by person."""
    values, codes = np.unique(truth, return_inverse=True)
    observations = observe_neighbour_swaps(codes, values.astype(np.float64), shown.astype(np.float64))
    dense = observations.shares.toarray()
    assert dense.sum(axis=1) == pytest.approx(1)
    return np.asarray([dense[of].max() for of in observations.of])


def test_a_shown_number_is_believed_as_often_as_it_is_true_in_its_pool() -> None:
    truth = np.arange(1_000)
    swapped = RankBlocks.draw(truth, truth, np.full(1_000, 5), 0.05, stream()).permuted(truth)
    assert beliefs(truth, truth).min() == 1
    assert beliefs(truth, swapped).max() < 0.25
    half = np.where(np.arange(1_000) % 2, truth, swapped)
    assert 0.4 < np.median(beliefs(truth, half)) < 0.65
    zeros = np.concatenate([np.zeros(900), np.arange(1, 101)])
    moved = RankBlocks.draw(zeros.astype(int), np.arange(1_000), np.full(1_000, 5), 0.05, stream()).permuted(zeros)
    assert (beliefs(zeros, moved)[(zeros == 0) & (moved == 0)] > 0.9).all()


PEOPLE = [
    {"age": str(20 + row % 23), "city": f"c{row % 7}", "pay": str(1_000 + 7 * row), "ill": f"i{row % 4}"}
    for row in np.random.default_rng(4).permutation(600).tolist()
]
ROLES: dict[str, Any] = {
    "row": "x",
    "age": {"role": "q", "kind": "numeric"},
    "city": "q",
    "pay": {"role": "c", "kind": "numeric"},
    "ill": "c",
}
EXCHANGED = {"method": "rank-swap", "columns": ["pay"]}
DRAWN = {"method": "pram", "columns": ["ill"]}
EMPTIED = {"method": "local-suppression", "parameters": {"most": 1}}


@pytest.mark.parametrize("steps", [(EXCHANGED, DRAWN), (EMPTIED, EXCHANGED)], ids=["both", "cells emptied before"])
def test_releases_are_repeated_and_measured(tmp_path: Path, steps: tuple[dict[str, Any], ...]) -> None:
    found = release(tmp_path, PEOPLE, ROLES, steps)
    assert verify(found.out, found.source).result == "identical"
    assert Counter(line["pay"] for line in found.rows) == Counter(person["pay"] for person in PEOPLE)
    candidate = candidate_of(tmp_path, PEOPLE, ROLES, steps, "internal")
    released = Released(candidate, candidate.final, candidate.prepared.table.column)
    belief = belief_of(released, "pay")
    assert belief.family == "swapped"
    assert not belief.others.certain.any()
