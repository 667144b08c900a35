"""People taken out of a condensed release: nobody who joined or left can be worked out from both releases."""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from leaving_support import changed, people, released, statistics, text_of, worked_out, write
from optional import existing
from thoroughness import examples

from ppdm_desktop.engine.attacks.differencing import Seen, compute_anonymity_sets
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.methods.algorithms.condensation.dynamic import add_records
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.gate.results import CheckResult
from ppdm_desktop.engine.release.top_up import previous_release
from ppdm_desktop.engine.release.top_up.rows import Merged
from ppdm_desktop.engine.release.top_up.run import mark_leaving_people
from ppdm_desktop.engine.release.verify import verify
from ppdm_desktop.engine.release.writing.export import evaluate

NEEDS = (5, 5, 5, 8)


def judged(candidate: Candidate) -> CheckResult:
    return next(each for each in evaluate(candidate).checks if each.id == "joined-or-left")


def lines(out: Path) -> Counter[str]:
    return Counter((out / "release" / "data.csv").read_text(encoding="utf-8").splitlines()[1:])


# --- the whole way --------------------------------------------------------------------------------


@pytest.mark.parametrize("more", ["", "\ndynamic = true"])
def test_fifty_arrive_and_twenty_leave(tmp_path: Path, more: str) -> None:
    old, new = people(1, 150, NEEDS), people(2, 50, NEEDS)
    earlier = released(tmp_path, old, more)
    leavers = old[::7][:20]
    candidate = changed(earlier, new, leavers)
    assert judged(candidate).status == "green"
    write(candidate, tmp_path / "out2")
    before, after = statistics(earlier), statistics(tmp_path / "out2")
    top_up = candidate.steps[0].result.detail["top_up"]
    assert (top_up["left"], top_up["new_records"]) == (20, 50)
    assert 30 <= top_up["added"] <= 50
    assert int(after.moments.n.sum()) == 150 - 20 + top_up["added"] == sum(lines(tmp_path / "out2").values())
    assert (after.moments.n >= after.moments.pmax).all()
    for each in top_up["sizes_by_need"]:
        assert each["smallest_group"] >= each["asked"]
    members = after.members
    assert len(members.marks) == int(after.moments.n.sum())
    # Every family holds as many rows as people, and groups as large as the strictest of them asks.
    sizes = np.zeros(int(members.family.max()) + 1, dtype=np.int64)
    np.add.at(sizes, members.family, after.moments.n)
    assert np.array_equal(sizes, np.bincount(members.of, minlength=len(sizes)))
    assert int(before.moments.n.sum()) == 150


def test_who_left_leaves_once_and_the_release_is_repeated_from_its_key(tmp_path: Path) -> None:
    old = people(1, 90, NEEDS)
    earlier = released(tmp_path, old)
    write(changed(earlier, people(2, 40, NEEDS), old[:4]), tmp_path / "out2")
    assert verify(tmp_path / "out2", tmp_path / "new2.csv").result == "identical"
    with pytest.raises(InputError) as told:
        changed(tmp_path / "out2", [], old[:1], seed=3)
    assert told.value.id == "error.top-up.not-in"
    write(changed(tmp_path / "out2", [], [*old[5:7], *people(2, 1, NEEDS)], seed=4), tmp_path / "out3")
    assert verify(tmp_path / "out3", tmp_path / "gone4.csv").result == "identical"
    assert sum(lines(tmp_path / "out3").values()) == sum(lines(tmp_path / "out2").values()) - 3


def test_one_person_alone_leaves_and_only_rows_go(tmp_path: Path) -> None:
    old = people(1, 63, (5,))
    earlier = released(tmp_path, old)
    group = statistics(earlier)
    large = np.flatnonzero(group.moments.n > group.moments.pmax)
    members = group.members
    place = int(np.flatnonzero(np.isin(members.of, large))[0])
    who = next(each for each in old if members.marks[place] in _marks(earlier, [each]))
    candidate = changed(earlier, [], [who])
    write(candidate, tmp_path / "out2")
    gone, new = lines(earlier) - lines(tmp_path / "out2"), lines(tmp_path / "out2") - lines(earlier)
    assert (sum(gone.values()), sum(new.values())) == (1, 0)
    result = judged(candidate)
    assert (result.status, result.limit) == ("green", 1)
    assert result.sentence.arguments["among"] == int(group.moments.n[members.of[place]])


def _marks(earlier: Path, rows: list[tuple[float, float, str, int]]) -> tuple[str, ...]:
    path = earlier.parent / "asked.csv"
    path.write_text(text_of(rows), encoding="utf-8")
    return mark_leaving_people(previous_release.read_earlier(earlier), path, only_leaving=True).leaving


def test_a_group_that_becomes_too_small_is_dissolved_into_its_neighbour(tmp_path: Path) -> None:
    old = people(1, 60, (5,))
    earlier = released(tmp_path, old)
    before = statistics(earlier)
    members = before.members
    group = int(np.argmin(before.moments.n - before.moments.pmax))
    assert before.moments.n[group] == before.moments.pmax[group]
    who = [
        each for each in old if _marks(earlier, [each])[0] == members.marks[int(np.flatnonzero(members.of == group)[0])]
    ]
    with pytest.raises(InputError) as refused:
        changed(earlier, [(40.0, 2000.0, "Oslo", 5)], who[:1])
    assert refused.value.row == 2, "rows that move to another group are not counted"
    candidate = changed(earlier, [], who[:1])
    assert candidate.steps[0].result.detail["top_up"]["groups_dissolved"] == 1
    write(candidate, tmp_path / "out2")
    after = statistics(tmp_path / "out2")
    assert len(after.moments.n) == len(before.moments.n) - 1
    assert (after.moments.n >= after.moments.pmax).all()
    assert int(after.moments.n.sum()) == 59
    gone = lines(earlier) - lines(tmp_path / "out2")
    old_rows = (earlier / "release" / "data.csv").read_text(encoding="utf-8").splitlines()[1:]
    assert {old_rows[row] for row in np.flatnonzero(before.layout.released == group)} <= set(gone)
    assert judged(candidate).status == "green"


def test_nothing_of_who_left_is_left_in_what_is_kept(tmp_path: Path) -> None:
    """Somebody far from all others leaves: the next release knows them from no statistics."""
    old = [*people(1, 60, (5,)), (99.0, 99_000.0, "Bonn", 5)]
    earlier = released(tmp_path, old)
    assert statistics(earlier).moments.covariance[:, 1, 1].max() > 1e8
    kept = _marks(earlier, [old[-1]])[0]
    write(changed(earlier, [], [old[-1]]), tmp_path / "out2")
    after = statistics(tmp_path / "out2")
    assert kept not in after.members.marks
    released_rows = (earlier / "release" / "data.csv").read_text(encoding="utf-8").splitlines()[1:]
    shown = max(float(line.split(",")[1]) for line in released_rows)
    # What is known of the group now is what its artificial rows say, which everybody had.
    assert after.moments.mean[:, 1].max() <= shown


# --- what is refused --------------------------------------------------------------------------------


def test_strangers_are_refused(tmp_path: Path) -> None:
    old = people(1, 60, (5,))
    earlier = released(tmp_path, old)
    with pytest.raises(InputError) as told:
        changed(earlier, [], [old[0], (20.0, 1.5, "Bonn", 5)])
    assert (told.value.id, told.value.row) == ("error.top-up.not-in", 3)
    with pytest.raises(InputError) as twice:
        changed(earlier, [], [old[0], old[0]])
    assert twice.value.id == "error.top-up.not-in"


@pytest.mark.parametrize(("leaving", "id"), [(0, "nothing"), (3, "cannot-leave")], ids=["neither file", "too few left"])
def test_what_cannot_be_changed_is_refused(tmp_path: Path, leaving: int, id: str) -> None:
    old = people(1, 5, (5,))
    earlier = released(tmp_path, old)
    with pytest.raises(InputError) as told:
        changed(earlier, [], old[:leaving])
    assert told.value.id == f"error.top-up.{id}"


# --- the attack -------------------------------------------------------------------------------------


@pytest.mark.thorough
@examples(25)
@given(
    seed=st.integers(0, 2**32),
    arriving=st.integers(0, 15),
    going=st.integers(0, 5),
    dynamic=st.booleans(),
)
def test_nobody_is_worked_out_by_an_intruder_who_knows_everybody_and_every_statistic(
    seed: int, arriving: int, going: int, dynamic: bool
) -> None:
    """All differences of up to two groups are tried against all sets of up to four people (everybody asks for 5)."""
    old, new = people(seed, 34, (5, 5, 6)), people(seed + 1, arriving, (5, 6))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        earlier = released(folder, old, "\ndynamic = true" if dynamic else "")
        try:
            candidate = changed(earlier, new, old[: 3 * going : 3])
        except InputError as refused:
            if refused.id in ("error.top-up.nobody", "error.top-up.nothing", "error.top-up.cannot-leave"):
                return
            raise
        assert judged(candidate).status in ("green", "not-applicable")
        write(candidate, folder / "out2")
        before, after = statistics(earlier), statistics(folder / "out2")
    known = np.array([each[:2] for each in [*old, *new]])
    assert not list(worked_out([before, after], known, 5))
    merged = candidate.steps[0].result.in_memory
    assert isinstance(merged, Merged)
    assert (merged.sizes >= merged.pmax).all()


def test_the_gate_is_red_where_a_group_changes_for_fewer_than_they_ask(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    earlier = released(tmp_path, people(1, 60, (5,)))
    monkeypatch.setattr(add_records, "find_largest_group", lambda needs: np.arange(len(needs)))
    result = judged(changed(earlier, people(2, 5, (5,)), []))
    assert result.status == "red"
    assert existing(existing(result.figure).value) < 1
    among, asked = (result.sentence.arguments[each] for each in ("among", "asked"))
    assert isinstance(among, int)
    assert asked == 5
    assert among < 5


def test_the_gate_is_red_where_new_rows_are_drawn_from_what_was_kept_of_those_who_stayed() -> None:
    found = _seen(from_rows=False)
    assert found.left.tolist() == [1]
    assert _seen(from_rows=True).left.tolist() == [4]


def _seen(*, from_rows: bool) -> Seen:
    before = [("a",), ("b",), ("c",), ("d",), ("x",), ("y",)]
    return compute_anonymity_sets(
        before,
        np.array([0, 0, 0, 0, 1, 1]),
        [("e",), ("f",), ("g",), ("x",), ("y",)],
        np.array([0, 0, 0, 1, 1]),
        family=np.array([0, 1]),
        origin=np.array([0, 1]),
        from_rows=np.array([from_rows, False]),
        joined=np.zeros(0, dtype=np.int64),
        left=np.array([0]),
    )


def test_who_joins_is_seen_among_the_new_rows_where_the_old_ones_stay() -> None:
    found = compute_anonymity_sets(
        [("a",), ("b",), ("c",)],
        np.array([0, 0, 0]),
        [("a",), ("b",), ("c",), ("d",), ("e",), ("p",), ("q",), ("r",)],
        np.array([0, 0, 0, 0, 0, 1, 1, 1]),
        family=np.array([0]),
        origin=np.array([0, -1]),
        from_rows=np.array([False]),
        joined=np.array([0, 0, 1, 1, 1]),
        left=np.zeros(0, dtype=np.int64),
    )
    assert found.joined.tolist() == [2, 2, 3, 3, 3]
