"""One person attacked: summed over everybody it is the whole audit; single people are as they must be."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cases import case_rows
from gate_cases import made_by, make_candidate
from optional import existing

from ppdm_desktop.engine.release.attack_audit.attack_person import MOST_NEAR, AttackedRecord, attack_record
from ppdm_desktop.engine.release.attack_audit.prepared_attack import RecordAttack, prepare_attack
from ppdm_desktop.engine.release.candidate.model import Candidate

ROWS = 150
RNG = np.random.default_rng(11)
AGE = RNG.integers(18, 60, ROWS)
CITY = RNG.choice(["Delft", "Bonn", "Ghent"], ROWS)
PAY = (2_000 + 60 * AGE + RNG.normal(0, 900, ROWS)).round().astype(int)
COLUMNS: dict[str, Any] = {
    "Age": [str(value) for value in AGE],
    "City": [str(value) for value in CITY],
    "Pay": [str(value) for value in PAY],
    "Ill": [str(value) for value in np.where(RNG.random(ROWS) < 0.6, np.where(AGE > 40, "gout", "flu"), "cold")],
}
ROLES: dict[str, Any] = {
    "Age": {"role": "q", "kind": "numeric"},
    "City": "q",
    "Pay": {"role": "c", "kind": "numeric"},
    "Ill": "c",
}
STEPS: dict[str, Any] = dict(case_rows("one-record-steps", lists=True))


def made(folder: Path, kind: str, columns: dict[str, list[str]] | None = None) -> Candidate:
    return usual(kind) if columns is None else make_candidate(folder, columns, ROLES, steps=STEPS[kind])


@cache
def usual(kind: str) -> Candidate:
    """Return the table above after a step, made once for all tests."""
    with tempfile.TemporaryDirectory() as folder:
        return make_candidate(Path(folder), COLUMNS, ROLES, steps=STEPS[kind])


@cache
def everybody(candidate: Candidate) -> tuple[RecordAttack, list[AttackedRecord]]:
    attack = prepare_attack(candidate)
    return attack, [attack_record(attack, int(number)) for number in attack.numbers]


@pytest.mark.thorough
@pytest.mark.parametrize("kind", [kind for kind in STEPS if kind != "made-up"])
def test_all_people_together_are_the_audit(tmp_path: Path, kind: str) -> None:
    candidate = made(tmp_path, kind)
    _, found = everybody(candidate)
    there = [each for each in found if not each.removed]
    assert len(there) == candidate.final.rows
    for entry in made_by("linkage", candidate):
        assert entry.sampled == len(there)
        assert np.mean([each.named for each in there]) == pytest.approx(entry.success.value)
    entries = made_by("inference", candidate)
    assert [entry.column for entry in entries] == ["Pay", "Ill"]
    for place, entry in enumerate(entries):
        guesses = [each.guesses[place] for each in there]
        assert {guess.column for guess in guesses} == {entry.column}
        assert np.mean([guess.right for guess in guesses]) == pytest.approx(entry.success.value)
        without = [guess.control_value == guess.truth_value for guess in guesses]
        assert np.mean(without) == pytest.approx(entry.control.value)
        sure = [guess.right and guess.sure for guess in guesses]
        assert np.mean(sure) == pytest.approx(entry.tail.share_sure_and_right.value)
        sure = [right and existing(guess.control_chance) >= 0.95 for right, guess in zip(without, guesses, strict=True)]
        assert np.mean(sure) == pytest.approx(entry.tail.control.value)


def test_digits_are_undone_for_each(tmp_path: Path) -> None:
    candidate = made(tmp_path, "digits")
    _, found = everybody(candidate)
    (entry,) = made_by("digit-inverse", candidate)
    undone = [each.undone[0] for each in found]
    assert np.mean([each.right for each in undone]) == entry.success.value == 1.0
    assert [each.value for each in undone] == [each.truth for each in undone] == COLUMNS["Pay"]
    assert all(each.shown != each.truth for each in undone)
    assert {(each.attack, each.column, each.tolerance) for each in undone} == {("digit-inverse", "Pay", 0.0)}


BOTH: dict[str, Any] = {
    "method": "two-phase-noise",
    "columns": ["Pay", "Bonus"],
    "parameters": {"bounds": {"Pay": [0, 9000], "Bonus": [0, 2500]}},
}


def noisy(folder: Path, **columns: Any) -> tuple[Candidate, dict[str, list[str]]]:
    told = {**COLUMNS, "Bonus": [str(value) for value in (PAY // 5 + RNG.integers(-40, 40, ROWS)).tolist()], **columns}
    roles = {**ROLES, "Bonus": {"role": "c", "kind": "numeric"}}
    return make_candidate(folder, told, roles, steps=[BOTH]), told


def test_noise_is_filtered_for_each_as_the_audit_does_for_all(tmp_path: Path) -> None:
    candidate, told = noisy(tmp_path)
    _, found = everybody(candidate)
    entries = {entry.column: entry for entry in made_by("noise-filter", candidate)}
    assert list(entries) == ["Pay", "Bonus"]
    for place, (name, entry) in enumerate(entries.items()):
        values = [each.filtered[place] for each in found]
        assert {value.column for value in values} == {name}
        assert entry.sampled == len(values) == ROWS

        def root(part: Any, values: Any = values) -> Any:
            return np.sqrt(np.mean([getattr(value, part) ** 2 for value in values]))

        assert root("off") == pytest.approx(entry.success.value)
        assert root("off_alone") == pytest.approx(entry.control.value)
        assert root("off") / root("off_alone") == pytest.approx(entry.further["ratio"].value)
        # The noise is what its size says.
        assert root("off_shown") == pytest.approx(1, rel=0.2)
        for value, each in zip(values, found, strict=True):
            assert value.truth == told[existing(name)][each.number - 2]
            assert value.off == pytest.approx(abs(existing(value.guess) - float(value.truth)) / existing(value.noise))
            assert value.off_shown == pytest.approx(abs(float(value.shown) - float(value.truth)) / value.noise)
        # Whose guess is nearest has nobody nearer, whose is farthest everybody; between, as many as are nearer.
        order = np.argsort([existing(value.off) for value in values])
        assert np.asarray([value.as_near for value in values])[order] == pytest.approx(np.arange(1, ROWS + 1) / ROWS)


def test_filtered_values_stand_in_the_released_file(tmp_path: Path) -> None:
    candidate, _ = noisy(tmp_path)
    _, found = everybody(candidate)
    for row, number in enumerate(candidate.final.row_numbers[candidate.row_order].tolist()):
        value = found[number - 2].filtered[0]
        column = candidate.released.column("Pay")
        assert value.shown == column.texts[column.codes[row]]


def test_whoever_lacks_a_number_is_passed_over_as_in_the_audit(tmp_path: Path) -> None:
    candidate, _ = noisy(tmp_path, Pay=["", *COLUMNS["Pay"][1:]])
    _, found = everybody(candidate)
    entry = made_by("noise-filter", candidate)[0]
    assert entry.sampled == ROWS - 1
    first = found[0].filtered
    assert [(value.column, value.guess, value.off, value.as_near) for value in first] == [
        ("Pay", None, None, None),
        ("Bonus", None, None, None),
    ]
    assert (first[0].shown, first[0].truth) == ("", "")
    off = [existing(each.filtered[0].off) for each in found[1:]]
    assert np.sqrt(np.mean(np.square(off))) == pytest.approx(entry.success.value)


def test_people_beyond_the_sample_are_guessed_with_what_it_teaches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ppdm_desktop.engine.release.attack_audit.noise_filter_model.MOST_RECORDS", 60)
    candidate, _ = noisy(tmp_path)
    attack, found = everybody(candidate)
    entry = made_by("noise-filter", candidate)[0]
    assert entry.sampled == 60
    (step,) = attack.noisy
    looked_at = [found[row].filtered[0].off for row in step.rows.tolist()]
    assert np.sqrt(np.mean(np.square(looked_at))) == pytest.approx(entry.success.value)
    assert all(each.filtered[0].off is not None for each in found)
    assert {round(60 * existing(each.filtered[0].as_near), 6) % 1 for each in found} == {0.0}


def test_noise_is_not_filtered_for_somebody_left_out(tmp_path: Path) -> None:
    steps = [STEPS["noise"][0], STEPS["removed"][0]]
    _, found = everybody(make_candidate(tmp_path, COLUMNS, ROLES, steps=steps))
    assert {bool(each.filtered) for each in found if each.removed} == {False}
    assert {bool(each.filtered) for each in found if not each.removed} == {True}


@pytest.mark.parametrize("kind", STEPS)
def test_what_is_shown_stands_in_the_released_file(tmp_path: Path, kind: str) -> None:
    candidate = made(tmp_path, kind)
    attack, found = everybody(candidate)
    for each in found[:20]:
        assert 1 <= len(each.nearest) <= MOST_NEAR
        assert dict(each.known) == {name: COLUMNS[name][each.number - 2] for name in ("Age", "City")}
        for near in each.nearest:
            row = near.row - 1
            shown = dict(zip((*attack.columns, *attack.confidential), (*near.values, *near.confidential), strict=True))
            for name, text in shown.items():
                column = candidate.released.column(name)
                assert text == column.texts[column.codes[row]]
        apart = [near.distance for near in each.nearest]
        assert apart == sorted(apart)
        assert apart[0] >= 0
        # Ranges are the release's: who was left out of it may lie beyond them.
        assert apart[-1] <= 1 or each.removed
        assert each.tied >= apart[:-1].count(apart[0])


def test_a_copy_gives_everybody_away_among_those_alike(tmp_path: Path) -> None:
    attack, found = everybody(made(tmp_path, "nothing"))
    assert attack.correspondence == "record"
    for each, alike in zip(found, attack.set_sizes.tolist(), strict=True):
        assert each.tied == alike
        assert (each.own_tied, each.group_size, each.farther) == (1, 1, 0)
        assert each.named == each.found == 1 / alike
        assert sum(near.own for near in each.nearest) == 1
        assert each.nearest[0].distance == 0
        for guess in each.guesses:
            assert guess.shown == guess.truth == COLUMNS[guess.column][each.number - 2]


def test_groups_have_names_and_sizes(tmp_path: Path) -> None:
    candidate = made(tmp_path, "groups")
    attack, found = everybody(candidate)
    assert attack.correspondence == "group"
    groups = existing(candidate.steps[0].result.row_groups)
    sizes = np.bincount(groups)
    for each in found:
        assert each.group_size >= 5
        assert each.named == pytest.approx(each.found / each.group_size)
        own = [near for near in each.nearest if near.own]
        assert own
        assert {near.group_size for near in own} == {each.group_size}
        assert len({near.group for near in own}) == 1
        for near in each.nearest:
            assert near.group_size == sizes[existing(near.group) - 1]
        assert each.guesses[0].shown is None


def test_made_up_records_are_nobodys(tmp_path: Path) -> None:
    attack, found = everybody(made(tmp_path, "made-up"))
    assert attack.correspondence == "none"
    assert attack.noisy == ()
    told = list(zip(COLUMNS["Age"], COLUMNS["City"], strict=True))
    assert attack.set_sizes.tolist() == [told.count(each) for each in told], "counted in the source's own words"
    for each in found:
        assert not each.removed
        assert (each.own_tied, each.group_size, each.named, each.farther) == (0, 0, 0.0, None)
        assert not any(near.own for near in each.nearest)
        for guess in each.guesses:
            assert 0 < guess.chance <= 1
            assert (guess.control_value, guess.control_chance, guess.shown) == (None, None, None)


def test_who_was_removed_has_no_record_and_no_control(tmp_path: Path) -> None:
    candidate = made(tmp_path, "removed")
    attack, found = everybody(candidate)
    gone = [each for each in found if each.removed]
    assert len(gone) == ROWS - candidate.final.rows > 0
    assert {each.number for each in gone} == set(attack.numbers.tolist()) - set(candidate.final.row_numbers.tolist())
    for each in gone:
        assert (each.group_size, each.named, each.own_tied, each.undone) == (0, 0.0, 0, ())
        assert all(guess.control_value is None and guess.shown is None for guess in each.guesses)
        assert [guess.truth for guess in each.guesses] == [COLUMNS[name][each.number - 2] for name in ("Pay", "Ill")]


def test_a_missing_truth_is_never_right(tmp_path: Path) -> None:
    columns = {**COLUMNS, "Ill": ["", *COLUMNS["Ill"][1:]], "Age": [*COLUMNS["Age"][:-1], ""]}
    attack, found = everybody(made(tmp_path, "swap", columns))
    first = found[0].guesses[1]
    assert (first.truth, first.truth_value, first.truth_chance, first.right) == ("", None, None, False)
    assert dict(found[-1].known)["Age"] == ""
    assert found[-1].nearest[0].own


def test_one_value_for_all_is_known_without_looking(tmp_path: Path) -> None:
    columns = {**COLUMNS, "Ill": ["flu"] * ROWS}
    attack = prepare_attack(made(tmp_path, "nothing", columns))
    guess = attack_record(attack, 5).guesses[1]
    assert (guess.value, guess.chance, guess.control_value, guess.control_chance) == ("flu", 1.0, "flu", 1.0)
    assert guess.right


def test_the_order_of_rows_is_the_files(tmp_path: Path) -> None:
    candidate = made(tmp_path, "swap")
    plain = replace(
        candidate, row_order=np.arange(ROWS), released=candidate.released.take(np.argsort(candidate.row_order))
    )
    one = attack_record(prepare_attack(candidate), 8)
    other = attack_record(prepare_attack(plain), 8)
    assert one.guesses == other.guesses
    assert [near.row for near in other.nearest if near.own] == [7]


def test_a_row_that_is_not_there(tmp_path: Path) -> None:
    attack = prepare_attack(made(tmp_path, "nothing"))
    for number in (0, 1, ROWS + 2):
        with pytest.raises(ValueError, match="no row"):
            attack_record(attack, number)
