"""What attacks answer where there is little to attack, and what they say of results at their edges."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import gate_cases
import numpy as np
import pytest
from cases import case_rows
from gate_cases import HandMade, attack_entry, made_by, make_candidate, share, with_step
from report_cases import judged_candidate

from ppdm_desktop.engine.errors import PpdmError
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.methods.base.declaration import all_methods
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.release.attack_audit.attack_person import attack_person
from ppdm_desktop.engine.release.attack_audit.base import (
    Attack,
    AttackEvidence,
    LargeFigure,
    all_attacks,
    audit,
    find_attack,
    share_of,
)
from ppdm_desktop.engine.release.attack_audit.identity_attacks import rows_of_levels
from ppdm_desktop.engine.release.attack_audit.prepared_attack import NO_PERSON, prepare_attack
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.report.model import Report
from ppdm_desktop.engine.wording.catalogue import untranslated
from ppdm_desktop.engine.wording.texts import Note, render_stored
from ppdm_desktop.engine.wording.values import Number, Ratio, Share, Versus

ROWS = 40

RNG = np.random.default_rng(5)

COLUMNS = {
    "Age": [str(20 + each) for each in RNG.integers(0, 30, ROWS)],
    "City": [f"c{each}" for each in RNG.integers(0, 3, ROWS)],
    "Bonus": [str(each) for each in RNG.integers(100, 900, ROWS)],
    "Pay": [str(each) for each in RNG.integers(1_000, 9_000, ROWS)],
    "Ill": [f"i{each}" for each in RNG.integers(0, 2, ROWS)],
}

ROLES: dict[str, Any] = {
    "Age": {"role": "q", "kind": "numeric"},
    "City": "q",
    "Bonus": {"role": "c", "kind": "numeric", "bounds": [0, 1_000]},
    "Pay": {"role": "c", "kind": "numeric", "bounds": [0, 10_000]},
    "Ill": "c",
}

STEPS = [
    {"method": "microaggregation", "columns": ["Age"]},
    {"method": "two-phase-noise", "columns": ["Bonus"]},
    {"method": "bit-plus-plus", "columns": ["Pay"]},
    {"method": "random-swap", "columns": ["Ill"]},
]


@pytest.fixture(scope="module")
def candidate(tmp_path_factory: pytest.TempPathFactory) -> Candidate:
    return make_candidate(tmp_path_factory.mktemp("treated"), COLUMNS, ROLES, steps=STEPS)


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    return judged_candidate(tmp_path_factory.mktemp("judged")).report


def with_rows(candidate: Candidate, rows: Sequence[int]) -> Candidate:
    """Return the candidate as if only some rows of its last table were released."""
    kept = np.array(rows, dtype=np.int64)
    return replace(
        candidate,
        final=candidate.final.take(kept),
        released=candidate.released.take(np.arange(len(kept))),
        row_order=np.arange(len(kept)),
    )


# --- nothing to attack ----------------------------------------------------------------------


@pytest.mark.parametrize("attack", all_attacks().values(), ids=lambda attack: attack.id)
def test_where_no_record_is_left_nothing_is_attacked_but_the_key(candidate: Candidate, attack: Attack) -> None:
    nobody = with_rows(candidate, [])
    why, found = attack.applies(nobody), made_by(attack.id, nobody)
    if attack.kind == "searching":
        assert why is None
        assert [each.sampled for each in found] == [0]
    else:
        assert (why, found) == ("attack.why-not.no-records", ())


def test_every_attack_on_the_same_people_has_something_to_attack_where_records_are_left(candidate: Candidate) -> None:
    """So that the case above speaks of the records, and not of steps that do not call for an attack."""
    called = {id for id, each in all_attacks().items() if each.applies(candidate) is None}
    assert called >= {"singling-out", "linkage", "nearest-record", "inference", "rank", "noise-filter", "averaging"}
    assert called >= {"digit-inverse", "seed-search"}


@pytest.mark.parametrize(("roles", "attack", "why"), case_rows("attack-answers-why-there-is-nothing-to-attack"))
def test_why_there_is_nothing_to_attack(roles: dict[str, Any], attack: str, why: str, tmp_path: Path) -> None:
    candidate = make_candidate(tmp_path, COLUMNS, {**ROLES, **roles})
    assert find_attack(attack).applies(candidate) == why
    assert made_by(attack, candidate) == ()


def test_a_swapped_column_of_free_text_is_not_retraced_and_one_beside_it_is(tmp_path: Path) -> None:
    """Nobody compares free texts word by word; the step names both."""
    said = make_candidate(tmp_path, COLUMNS, {**ROLES, "City": {"role": "c", "kind": "text"}})
    swapped = with_step(said, {name: COLUMNS[name][::-1] for name in ("City", "Ill")})
    assert [each.column for each in made_by("rank", swapped)] == ["Ill"]
    assert find_attack("rank").applies(swapped) is None


class Grouping(HandMade):
    """Rows that were made of groups."""

    correspondence = "group"


def test_rows_of_groups_have_no_swap_to_retrace(candidate: Candidate) -> None:
    grouped = with_step(candidate, {"City": COLUMNS["City"][::-1]}, method=Grouping())
    assert made_by("rank", grouped) == ()
    assert made_by("averaging", grouped) == ()


def test_a_step_of_averages_that_is_left_out_of_the_release_is_not_attacked(candidate: Candidate) -> None:
    """The step treated one column, which a person then left out: its groups say nothing any more."""
    step = candidate.steps[0]
    gone = replace(step, settings=replace(step.settings, columns=("Shoe size",)))
    assert made_by("nearest-record", replace(candidate, steps=(gone, *candidate.steps[1:]))) == ()
    assert len(made_by("nearest-record", candidate)) == 1


def test_a_swap_that_a_later_step_leaves_too_few_rows_of_is_not_foretold(candidate: Candidate) -> None:
    """Who was treated is known by row of the step; where rows were taken out later, nobody is told from another."""
    some = with_rows(candidate, range(10))
    assert {each.column for each in made_by("averaging", candidate)} == {"Bonus", "Ill"}
    assert {each.column for each in made_by("averaging", some)} == {"Bonus"}


def test_what_is_not_measured_has_no_figure_and_no_limit(report: Report) -> None:
    nothing = attack_entry("noise-filter", further={"ratio": Figure.absent(untranslated("no error"), unit="ratio")})
    for id in ("noise-filter", "row-averaging", "inference", "rank", "digit-inverse"):
        attack = find_attack(id)
        assert attack.large_figure(nothing, report).figure is None
        assert attack.limit(nothing, report) is None
    alone = attack_entry("noise-filter", success=Figure(0.7, unit="noise sd"))
    assert find_attack("noise-filter").large_figure(alone, report) == LargeFigure(
        Number(0.7), Note("attack.unit.noise")
    )
    beside = attack_entry("noise-filter", success=Figure(0.7, unit="noise sd"), control=Figure(0.8, unit="noise sd"))
    words = Note("attack.beside.alone", {"figure": Number(0.8)})
    assert find_attack("row-averaging").large_figure(beside, report).beside == words
    gained = attack_entry("inference", success=share(0.6), advantage=Figure(0.1, 0.05, 0.15, 100, "share"))
    assert find_attack("inference").large_figure(gained, report).figure == Versus(0.1, 0.05, "points")
    lost = attack_entry("inference", success=share(0.6), advantage=Figure(-0.1, -0.15, -0.05, 100, "share"))
    assert find_attack("inference").large_figure(lost, report).figure == Versus(0.0, 0.05, "points"), "nothing gained"
    only = attack_entry("inference", success=share(0.6))
    assert find_attack("inference").large_figure(only, report).figure == Share(60, 100)


# --- people with several rows ----------------------------------------------------------------

WHO = [each for each in range(36) for _ in range(2)]

"""Each of 36 people has two rows, by the two digits of their number in base six."""

STAYS = {
    "who": [str(each) for each in WHO],
    "place": [f"p{(each // 6, each % 6)[row % 2]}" for row, each in enumerate(WHO)],
    "pay": [str(1_000 + 10 * each) for each in WHO],
    "care": [f"k{each % 3}" for each in WHO],
}

OF_STAYS: dict[str, Any] = {
    "who": "i",
    "place": {"role": "q", "kind": "nominal"},
    "pay": {"role": "c", "kind": "numeric", "bounds": [0, 5_000]},
    "care": "c",
}


def stays(folder: Path, *, in_order: bool, roles: dict[str, Any] = OF_STAYS, **more: Any) -> Candidate:
    order: dict[str, Any] = {"input": {"person": "who"}, "release": {"shuffle_rows": not in_order}}
    return make_candidate(folder, STAYS, roles, **order, **more)


@pytest.mark.parametrize("in_order", [True, False])
def test_whose_rows_can_be_put_together_is_linked_by_all_of_them(in_order: bool, tmp_path: Path) -> None:
    """Alone, each row is that of a third of the people or so; the pair of both is one person's."""
    changed = list(STAYS["place"])
    changed[0], changed[7] = "p5", "p5"  # a row each of two people
    candidate = with_step(stays(tmp_path, in_order=in_order), {"place": changed})
    (result,) = made_by("linkage", candidate)
    shown = [tuple(changed[2 * each : 2 * each + 2]) for each in range(36)]
    known = [tuple(STAYS["place"][2 * each : 2 * each + 2]) for each in range(36)]
    alike, gain = Counter(shown), []
    for person in range(36):
        # One row is known: of the released rows that look alike, one is taken at random.
        rows = [(value, changed.count(value)) for value in known[person]]
        by_row = max(shown[person].count(value) / count for value, count in rows)
        by_all = 1 / alike[known[person]] if in_order and known[person] == shown[person] else 0.0
        gain.append(max(by_row, by_all))
    assert result.success.value == pytest.approx(sum(gain) / 36)
    assert result.sampled == 36
    assert (sum(gain) / 36 > 0.9) == in_order


def test_of_each_level_all_rows_of_each_person_are_looked_for(tmp_path: Path) -> None:
    levels = {"default": "normal", "rules": [{"where": {"column": "care", "equals": "k1"}, "level": "cautious"}]}
    candidate = stays(tmp_path, in_order=True, privacy=levels)
    weak, strict = rows_of_levels(candidate, 1_000)
    assert strict.tolist() == [row for row, each in enumerate(WHO) if each % 3 == 1]
    assert sorted([*weak, *strict]) == list(range(72))
    few = rows_of_levels(candidate, 5)
    for rows in few:
        people = Counter(WHO[row] for row in rows)
        assert len(people) == 5
        assert set(people.values()) == {2}
    assert rows_of_levels(replace(candidate, final=replace(candidate.final, levels=None)), 5) == []


def test_one_value_of_each_person_is_undone(tmp_path: Path) -> None:
    """Nobody counts twice because they came twice."""
    candidate = stays(tmp_path, in_order=False, steps=[{"method": "bit-plus-plus", "columns": ["pay"]}])
    (result,) = made_by("digit-inverse", candidate)
    assert (result.success.value, result.success.n, result.sampled) == (1.0, 36, 36)


def test_a_key_from_a_number_is_not_looked_for_where_the_order_says_nothing(tmp_path: Path) -> None:
    roles = {**OF_STAYS, "who": "l"}
    drawn: dict[str, Any] = {"key": Key.from_seed(3), "steps": [{"method": "random-swap", "columns": ["care"]}]}
    kept = make_candidate(tmp_path, STAYS, roles, release={"shuffle_rows": False}, **drawn)
    (result,) = made_by("seed-search", kept)
    assert (result.sampled, result.severity) == (0, "serious")
    shuffled = make_candidate(tmp_path, STAYS, roles, **drawn)
    (result,) = made_by("seed-search", shuffled)
    assert (result.sampled, result.severity) == (4, "total"), "0, 1, 2 and 3 were tried"


def test_where_no_detail_is_known_and_nothing_differs_nobody_is_near_and_nothing_is_guessed(tmp_path: Path) -> None:
    columns = {**COLUMNS, "Ill": [""] * ROWS}
    attack = prepare_attack(make_candidate(tmp_path, columns, {"Ill": "c", "Bonus": ROLES["Bonus"]}))
    (record,) = attack_person(attack, int(attack.numbers[3])).records
    assert (record.nearest, record.tied, record.found, record.named) == ((), 0, 0.0, 0.0)
    assert record.guesses == ()
    assert attack.known.values.numbers.size == 0
    attack = prepare_attack(make_candidate(tmp_path, columns, {"Ill": "c", "City": "q", "Bonus": ROLES["Bonus"]}))
    (record,) = attack_person(attack, int(attack.numbers[3])).records
    assert [each.column for each in record.guesses] == ["Bonus"], "where all are missing there is none to guess"


def test_who_was_left_out_is_still_known_by_their_other_rows(tmp_path: Path) -> None:
    """A row that a step removed: what was released of the same person, or nobody's where none was."""
    candidate = stays(tmp_path, in_order=True)
    some, none = with_rows(candidate, range(1, 72)), with_rows(candidate, range(2, 72))
    assert prepare_attack(some, 0).owner[-1] == 0
    assert prepare_attack(none, 0).owner[-1] == NO_PERSON


# --- figures at their edges -------------------------------------------------------------------


def test_where_no_value_is_shown_there_is_no_commonest_one(tmp_path: Path) -> None:
    candidate = make_candidate(tmp_path, COLUMNS, {**ROLES, "Ill": "l", "Bonus": "l"})
    assert made_by("inference", with_step(candidate, {"Pay": [""] * ROWS})) == (), "nothing to guess in released words"
    # Rows made of groups have no words to put true values into: they are guessed from nothing.
    (result,) = made_by("inference", with_step(candidate, {"Pay": [""] * ROWS}, method=Grouping()))
    assert result.chance.value is None
    assert result.success == replace(result.control, method=result.success.method)
    assert (result.advantage.value, result.severity) == (0.0, "none")


class Shifted(HandMade):
    """A method whose digits anybody can put back."""

    attacks = ("digit-inverse",)


def test_where_there_is_no_true_value_nothing_is_recovered(tmp_path: Path) -> None:
    some = {**COLUMNS, "Pay": [*COLUMNS["Pay"][:20], *[""] * 20]}
    shifted = with_step(make_candidate(tmp_path, some, ROLES), {"Pay": some["Pay"][::-1]}, method=Shifted())
    (result,) = made_by("digit-inverse", with_rows(shifted, range(20, ROWS)))
    assert (result.chance.value, result.sampled, result.severity) == (None, 0, "none")


def test_noise_that_a_later_step_changes_again_is_not_filtered(candidate: Candidate) -> None:
    assert find_attack("noise-filter").applies(candidate) is None
    again = with_step(candidate, {"Bonus": COLUMNS["Bonus"][::-1]})
    assert find_attack("noise-filter").applies(again) == "attack.why-not.no-step"
    assert made_by("noise-filter", again) == ()
    elsewhere = with_step(candidate, {"City": COLUMNS["City"][::-1]})
    assert len(made_by("noise-filter", elsewhere)) == 1


def test_noise_beneath_which_no_value_differs_leaves_nothing_to_average(tmp_path: Path) -> None:
    """All earn the same but one in one month: what varies is the noise, and its mean tells nobody's pay."""
    pay = {**STAYS, "pay": ["1001", *["1000"] * 71]}
    noise = {"method": "two-phase-noise", "columns": ["pay"], "parameters": {"sd": 50.0}}
    more: dict[str, Any] = {"input": {"person": "who"}, "release": {"shuffle_rows": False}, "steps": [noise]}
    spreads = []
    for key in range(4):
        candidate = make_candidate(tmp_path, pay, OF_STAYS, key=Key(bytes([key]) * 32, "system"), **more)
        spreads.append(float(candidate.final.column("pay").numbers.std(ddof=1)))
        if spreads[-1] <= 50:
            assert made_by("row-averaging", candidate) == ()
            why = find_attack("row-averaging").applies(candidate)
            assert why == "attack.why-not.no-draws"
    assert min(spreads) <= 50 < max(spreads), "or nothing was tried"


def test_of_a_person_of_whom_nothing_is_released_nothing_fits_together(tmp_path: Path) -> None:
    attack = prepare_attack(with_rows(stays(tmp_path, in_order=True), range(2, 72)))
    assert attack_person(attack, int(attack.numbers[0])).together is None
    found = attack_person(attack, int(attack.numbers[2])).together
    assert found is not None
    assert (found.rows, found.fit, found.own) == (2, 1, True)


def test_sure_is_nineteen_of_twenty_with_the_record_and_without(candidate: Candidate) -> None:
    attack = prepare_attack(candidate)
    guesses = attack_person(attack, int(attack.numbers[5])).records[0].guesses
    assert guesses
    for guess in guesses:
        assert replace(guess, chance=0.95, control_chance=0.949).sure
        assert not replace(guess, chance=0.949).sure
        assert replace(guess, truth_value=guess.value).right
        assert not replace(guess, truth_value=f"not {guess.value}").right


# --- what attacks say -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("figure", "value"),
    [
        (Figure(0.625, n=16, unit="share"), Share(10, 16)),
        (Figure(37_654 / 101_766, n=101_766, unit="share"), Share(37_654, 101_766)),
        # A mean of probabilities counts nobody: 11 of 16 equally near records each are taken with a chance of one half.
        (Figure(5.5 / 16, n=16, unit="share"), Ratio(5.5 / 16)),
        (Figure(0.05, unit="share"), Ratio(0.05)),
        (Figure.absent(untranslated("no record to attack"), unit="share"), Ratio(None)),
    ],
)
def test_people_are_counted_and_probabilities_are_not(figure: Figure, value: Share | Ratio) -> None:
    assert share_of(figure) == value


# --- attacks on tables too small, too empty or too plain for them: figures or silence, never a fault ---


RECORDS = (1, 2, 3, 8, 40)


def table(rows: int, manner: str) -> dict[str, list[str]]:
    rng = np.random.default_rng(rows)
    age = [str(value) for value in rng.integers(20, 80, rows)]
    city = [str(value) for value in rng.choice(["a", "b", "c"], rows)]
    pay = [str(value) for value in rng.integers(1000, 9000, rows)]
    ill = [str(value) for value in rng.choice(["x", "y", "z"], rows)]
    if manner == "gaps":
        for column in (age, city, pay, ill):
            for row in rng.choice(rows, max(1, rows // 4), replace=False):
                column[row] = ""
    if manner == "constant":
        age, city = ["40"] * rows, ["a"] * rows
    if manner == "one value":
        ill = ["x"] * rows
    wish = ["paranoid" if row % 5 == 0 else "cautious" if row % 3 == 0 else "" for row in range(rows)]
    return {"Age": age, "City": city, "Pay": pay, "Ill": ill, "Wish": wish}


@pytest.mark.thorough
@pytest.mark.parametrize("manner", ["plain", "gaps", "constant", "one value"])
@pytest.mark.parametrize("method", [None, *all_methods()])
def test_no_table_is_too_odd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: str | None, manner: str) -> None:
    monkeypatch.setitem(gate_cases.ROLES, "p", "privacy-level")
    roles = {
        "Age": {"role": "q", "kind": "numeric"},
        "City": "q",
        "Pay": {"role": "c", "kind": "numeric"},
        "Ill": "c",
        "Wish": "p",
    }
    attacked = 0
    for rows in RECORDS:
        steps = [{"method": method}] if method else []
        try:
            candidate = make_candidate(tmp_path / str(rows), table(rows, manner), roles, "internal", steps=steps)
        except PpdmError:
            continue  # The method refuses such a table, in words.
        entries = list(audit(candidate))
        for id in ("singling-out", "linkage", "inference"):
            entries += find_attack(id).run(AttackEvidence(candidate))
        for entry in entries:
            assert render_stored(entry.sentence.id, entry.sentence.arguments).sentence
            assert render_stored(entry.knows.id, entry.knows.arguments).sentence
            for figure in (entry.success, entry.control, entry.chance):
                assert figure.value is None or figure.value >= 0
        attacked += len(entries)
    assert attacked or method is not None
