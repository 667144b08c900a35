"""Adding records to a condensed release: from statistics alone, nobody short, nobody sticking out."""

from __future__ import annotations

import hashlib
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cases import case_rows, case_text
from condensing_support import pooled
from hypothesis import given
from hypothesis import strategies as st
from optional import existing
from support import AUDIT_CHECKS, DISCLOSURE_CHECKS, not_analysed, reasons_for, red_checks
from thoroughness import examples

from ppdm_desktop.engine.errors import GateBlocked, InputError, RecipeError
from ppdm_desktop.engine.methods.algorithms.condensation.dynamic.add_records import Added, add_records
from ppdm_desktop.engine.methods.algorithms.condensation.dynamic.groups import GroupStream
from ppdm_desktop.engine.methods.algorithms.condensation.dynamic.run import Arrivals
from ppdm_desktop.engine.methods.algorithms.condensation.moments import group_moments
from ppdm_desktop.engine.methods.algorithms.condensation.statistics import FILE_NAME, Statistics
from ppdm_desktop.engine.methods.algorithms.condensation.values import ValueBlocks
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.load import read_recipe
from ppdm_desktop.engine.release.attack_audit.base import audit
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.candidate.pipeline import prepare, run_candidate
from ppdm_desktop.engine.release.gate.base import all_checks
from ppdm_desktop.engine.release.top_up.previous_release import EARLIER_STATISTICS, read_earlier
from ppdm_desktop.engine.release.top_up.rows import EARLIER_LEVEL
from ppdm_desktop.engine.release.top_up.run import top_up
from ppdm_desktop.engine.release.verify import verify
from ppdm_desktop.engine.release.writing.export import Exported, evaluate, export
from ppdm_desktop.engine.wording.numbers import Numbers
from ppdm_desktop.engine.wording.values import format_sentence_value

RECIPE = case_text("top-up-many.toml")
TREE = 'algorithm = "tree"'
BY_CLASS = '\nper = "class"\nclass = "Sex"'
DYNAMIC = "\ndynamic = true"
HEADER = "Id,Age,Pay,Born,Grade,Town,Sex,Level"
CHECKS = (
    *AUDIT_CHECKS,
    *DISCLOSURE_CHECKS,
    "guessable-key",
    "rare-values",
    "small-groups",
    "level-readback",
)
ACCEPTS = reasons_for(CHECKS)


def people(seed: int, rows: int, *, gaps: bool = False, levels: tuple[int, ...] = (3, 6), shift: float = 0) -> str:
    """A file of invented people; ids are different for each seed."""
    rng = np.random.default_rng(seed)

    def blank(text: str) -> str:
        return text if not gaps or rng.random() > 0.15 else ""

    lines = [HEADER]
    for row in range(rows):
        lean = rng.normal() + shift
        born = np.datetime64("1980-06-15") + np.timedelta64(int(900 * lean), "D")
        fields = [
            f"n{seed}x{row}",
            blank(str(int(45 + 10 * lean))),
            blank(f"{2_000 + 400 * lean:.1f}"),
            blank(str(born)),
            blank(f"g{min(max(round(lean + 2), 0), 4)}"),
            blank(str(rng.choice(["Delft", "Ghent", "Bonn"]))),
            str(rng.choice(["f", "m"])),
            str(rng.choice(levels)),
        ]
        lines.append(",".join(fields))
    return "\n".join(lines) + "\n"


def released(folder: Path, text: str, recipe: str = RECIPE, seed: int = 1) -> Path:
    """Release a file and delete it."""
    source, written = folder / "old.csv", folder / "recipe.toml"
    source.write_text(text, encoding="utf-8")
    written.write_text(recipe, encoding="utf-8")
    prepared = prepare(source, read_recipe(written), need_type=True)
    candidate = run_candidate(prepared, Key.from_seed(seed))
    accepts = reasons_for(all_checks()) if "person = " in recipe else ACCEPTS
    export(candidate, folder / "out1", accepts=accepts, analyses=not_analysed(), attacks=())
    source.unlink()
    return folder / "out1"


def added(earlier: Path, text: str, name: str = "new.csv", seed: int = 2) -> Candidate:
    path = earlier.parent / name
    path.write_text(text, encoding="utf-8")
    return top_up(read_earlier(earlier), path, Key.from_seed(seed))


def exported(candidate: Candidate, out: Path) -> Exported:
    return export(candidate, out, accepts=ACCEPTS, analyses=not_analysed(), attacks=())


def lines_of(out: Path) -> list[str]:
    return (out / "release" / "data.csv").read_text(encoding="utf-8").splitlines()[1:]


def statistics(out: Path) -> Statistics:
    return Statistics.from_json((out / "internal" / FILE_NAME).read_bytes())


def detail(done: Exported) -> dict[str, Any]:
    found: dict[str, Any] = done.report["steps"][0]["detail"]
    return found


# --- the whole way ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("more", "gaps"),
    [("", False), ("", True), (BY_CLASS, False), (BY_CLASS + DYNAMIC, True), ('\ncategories = "together"', True)],
)
def test_three_releases_each_from_the_one_before(tmp_path: Path, more: str, gaps: bool) -> None:
    recipe = RECIPE.replace(TREE, TREE + more)
    earlier = released(tmp_path, people(1, 120, gaps=gaps), recipe)
    for turn, rows in ((2, 90), (3, 40)):
        out = tmp_path / f"out{turn}"
        new = tmp_path / f"new{turn}.csv"
        done = exported(added(earlier, people(turn, rows, gaps=gaps), new.name, seed=turn), out)
        assert done.decision.released
        before, after = statistics(earlier), statistics(out)
        figures = detail(done)["top_up"]
        assert isinstance(figures, dict)
        assert (after.moments.n >= after.moments.pmax).all()
        assert int(after.moments.n.sum()) == int(before.moments.n.sum()) + figures["added"]
        assert len(lines_of(out)) == int(after.moments.n.sum())
        assert np.bincount(after.layout.released, minlength=len(after.moments.n)).tolist() == after.moments.n.tolist()
        _repeated_and_redrawn(earlier, out, before, after)
        assert verify(out, new).result == "identical"
        earlier = out


def _repeated_and_redrawn(earlier: Path, out: Path, before: Statistics, after: Statistics) -> None:
    """Untouched groups show their very lines again; no line of a redrawn group is left."""
    old, new = lines_of(earlier), lines_of(out)
    untouched = 0
    for group, size in enumerate(before.moments.n.tolist()):
        was = Counter(old[row] for row in np.flatnonzero(before.layout.released == group))
        now = Counter(new[row] for row in np.flatnonzero(after.layout.released == group))
        joined = after.moments.n[group] != size or not np.array_equal(
            after.moments.mean[group], before.moments.mean[group]
        )
        if not joined:
            untouched += 1
            assert was == now
        else:
            assert was != now
    assert untouched


def test_record_by_record_is_released_and_repeated_from_its_key(tmp_path: Path) -> None:
    released(tmp_path, people(1, 120), RECIPE.replace(TREE, TREE + DYNAMIC))
    (tmp_path / "again.csv").write_text(people(1, 120), encoding="utf-8")
    assert verify(tmp_path / "out1", tmp_path / "again.csv").result == "identical"


def test_the_papers_split_rule_is_stopped_where_it_leaves_somebody_short(tmp_path: Path) -> None:
    more = DYNAMIC + '\nsplit_rule = "paper"\nfirst_records = 40'
    with pytest.raises(GateBlocked) as told:
        released(tmp_path, people(1, 200, levels=(3, 3, 3, 20)), RECIPE.replace(TREE, TREE + more))
    assert "levels-met" in red_checks(told.value)
    assert not (tmp_path / "out1").exists()


def test_the_same_key_as_before_draws_independently(tmp_path: Path) -> None:
    earlier = released(tmp_path, people(1, 60), seed=1)
    one = added(earlier, people(2, 60), seed=1)
    other = added(earlier, people(3, 60), seed=1)
    assert one.streams.input_sha256 != other.streams.input_sha256
    assert one.row_order.tolist() != other.row_order.tolist()


def test_the_statistics_of_the_earlier_release_are_kept_as_they_were(tmp_path: Path) -> None:
    earlier = released(tmp_path, people(1, 80))
    exported(added(earlier, people(2, 40)), tmp_path / "out2")
    kept = (tmp_path / "out2" / "internal" / EARLIER_STATISTICS).read_bytes()
    assert kept == (earlier / "internal" / FILE_NAME).read_bytes()


def test_the_report_proves_each_level_and_lists_who_waits_only_inside(tmp_path: Path) -> None:
    earlier = released(tmp_path, people(1, 80))
    text = people(2, 30) + "n2late,44,1900.0,1980-01-01,g2,Delft,f,55\n"
    out = tmp_path / "out2"
    done = exported(added(earlier, text), out)
    pending = detail(done)["pending"]
    assert isinstance(pending, list)
    assert {"row": 32, "why": "no-group"} in pending
    proofs = done.report["verdict"]["levels"]
    assert {proof["level"] for proof in proofs} >= {"normal", "group 6", EARLIER_LEVEL}
    assert all(proof["met"] for proof in proofs)
    added_new = sum(proof["records"] for proof in proofs if proof["level"] != EARLIER_LEVEL)
    assert added_new == 31 - len(pending)
    note = (out / "release" / "release-note.html").read_text(encoding="utf-8")
    assert "wait" not in note.casefold()
    assert all("n2late" not in path.read_text("utf-8", "replace") for path in out.rglob("*.*"))


def test_attacks_look_at_groups_and_one_is_said_to_be_lacking(tmp_path: Path) -> None:
    earlier = released(tmp_path, people(1, 80))
    candidate = added(earlier, people(2, 60))
    sizes = np.bincount(existing(candidate.steps[0].result.row_groups))
    entries = {entry.id: entry for entry in audit(candidate)}
    assert "inference" not in entries
    for id in ("linkage", "nearest-record"):
        assert 0 < existing(entries[id].success.value) <= 1 / sizes.min()
        assert entries[id].severity != "serious"
    checks = {check.id: check for check in evaluate(candidate).checks}
    assert checks["audit-complete"].status == "amber"
    lacking = checks["audit-complete"].sentence.arguments["attacks"]
    assert format_sentence_value(lacking, Numbers("en")) == "“Guessing values of the added records”"


# --- who joins, and who waits ---------------------------------------------------------------------


def grouped(points: np.ndarray, group: np.ndarray, needs: np.ndarray) -> GroupStream:
    return GroupStream.of(group_moments(points, group, needs), counts=np.bincount(group)[:, None], blocks=np.array([0]))


def joined(stream: GroupStream, points: np.ndarray, needs: np.ndarray, earlier: tuple[np.ndarray, np.ndarray]) -> Added:
    names = tuple(f"c{at}" for at in range(points.shape[1]))
    blocks = ValueBlocks((names,), (((None,) * len(names),),), np.array([-1]))
    records = Arrivals(points, np.ones(points.shape, dtype=np.bool_), np.zeros((len(points), 1), dtype=np.int64), needs)
    one = np.zeros(len(points), dtype=np.int64), np.zeros(stream.count, dtype=np.int64)
    return add_records(stream, records, *one, blocks, np.zeros((1, 0)), "tree", earlier)


OLD = np.array([[0.0], [1.0], [2.0], [3.0], [100.0], [101.0], [102.0], [103.0]]), np.repeat([0, 1], 4)


def two_groups() -> GroupStream:
    return grouped(*OLD, np.array([4, 2, 2, 2, 4, 2, 2, 2]))


@pytest.mark.parametrize(
    ("points", "needs", "waiting", "founded", "sizes", "changed"),
    [
        # Fewer join than the strictest of a group asks for: it stays, and they wait, or are enough by themselves.
        ([1.0, 2.0, 1.5], [4, 4, 4], {0: "too-few", 1: "too-few", 2: "too-few"}, 0, [4, 4], [False, False]),
        ([1.0, 2.0, 1.5], [2, 2, 2], {}, 3, [4, 4, 3], [False, False, True]),
        ([50.0 + at for at in range(12)], [12] * 12, {}, 12, [4, 4, 12], [False, False, True]),
        # Enough join: the group changes and splits.
        ([1.0, 2.0, 1.5, 0.5, 101.0], [2] * 5, {4: "too-few"}, 0, [4, 4, 4], [True, False, True]),
        # A strict newcomer does not keep the others out.
        ([1.0, 2.0, 1.5, 0.5, 1.2], [2, 2, 2, 2, 9], {4: "too-few"}, 0, [4, 4, 4], [True, False, True]),
    ],
)
def test_who_joins_a_group_and_who_waits(
    points: list[float], needs: list[int], waiting: dict[int, str], founded: int, sizes: list[int], changed: list[bool]
) -> None:
    stream = two_groups()
    found = joined(stream, np.array(points)[:, None], np.array(needs), OLD)
    assert (found.why, found.founded) == (waiting, founded)
    assert np.flatnonzero(found.group < 0).tolist() == list(waiting)
    assert stream.n[: stream.count].tolist() == sizes
    assert stream.changed[: stream.count].tolist() == changed


@examples(200)
@given(seed=st.integers(0, 2**32), rows=st.integers(1, 60), high=st.integers(2, 15))
def test_nobody_is_short_and_every_changed_group_had_enough_newcomers(seed: int, rows: int, high: int) -> None:
    rng = np.random.default_rng(seed)
    count = int(rng.integers(15, 50))
    group = rng.permutation(np.arange(count) % max(1, count // high))
    points = rng.normal(size=(count, 2)) * 3 + 1e3
    needs = rng.integers(1, high + 1, count)
    stream = grouped(points, group, needs)
    before = stream.moments()
    coming, asked = rng.normal(size=(rows, 2)) * 3 + 1e3, rng.integers(2, high + 1, rows)
    found = joined(stream, coming, asked, (points, group))
    after = stream.moments()
    assert (after.n >= after.pmax).all()
    there = found.group >= 0
    assert np.bincount(np.concatenate([found.old_group, found.group[there]])).tolist() == after.n.tolist()
    assert (after.n[found.group[there]] >= asked[there]).all()
    assert set(np.flatnonzero(~there)) == set(found.why)
    groups = len(before.n)
    assert np.array_equal(after.mean[:groups][~stream.changed[:groups]], before.mean[~stream.changed[:groups]])
    grown = int(after.n.sum() - before.n.sum())
    assert grown == int(there.sum())
    for at in np.flatnonzero(stream.changed[:groups]):
        assert grown >= max(before.pmax[at], after.pmax[at])
    total, mean, covariance = pooled(after.n, after.mean, after.covariance)
    every = np.vstack([points, coming[there]])
    assert total == len(every)
    assert np.allclose(mean, every.mean(axis=0), rtol=1e-9)
    wanted = np.cov(every.T, bias=True)
    assert np.abs(covariance - wanted).max() <= 1e-9 * np.abs(wanted).max()


# --- refusals -----------------------------------------------------------------------------------


def changed_row(text: str, column: str, value: str, line: int = 3) -> str:
    lines = text.splitlines()
    fields = lines[line].split(",")
    fields[HEADER.split(",").index(column)] = value
    lines[line] = ",".join(fields)
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    ("column", "value", "id"),
    case_rows("top-up-values-that-do-not-fit-are-refused-with-their-row"),
)
def test_values_that_do_not_fit_are_refused_with_their_row(tmp_path: Path, column: str, value: str, id: str) -> None:
    earlier = released(tmp_path, people(1, 60))
    with pytest.raises(InputError) as told:
        added(earlier, changed_row(changed_row(people(2, 40), "Town", "Aachen", 5), column, value))
    assert value in str(told.value.arguments)
    assert (told.value.id, told.value.column, told.value.row) == (id, column, 4)
    assert told.value.file == str(tmp_path / "new.csv")


def test_other_columns_are_refused(tmp_path: Path) -> None:
    earlier = released(tmp_path, people(1, 60))
    lines = people(2, 40).splitlines()
    with pytest.raises(InputError) as told:
        added(earlier, "\n".join([lines[0] + ",More", *(line + ",1" for line in lines[1:])]) + "\n")
    assert told.value.id == "error.top-up.new-column"
    with pytest.raises(RecipeError) as lacking:
        added(earlier, "\n".join(line.rpartition(",")[0] for line in lines) + "\n")
    assert lacking.value.column == "Level"


def test_one_lone_record_cannot_be_added(tmp_path: Path) -> None:
    earlier = released(tmp_path, people(1, 60))
    with pytest.raises(InputError) as told:
        added(earlier, people(2, 1))
    assert told.value.id == "error.top-up.nobody"


@pytest.mark.parametrize("name", ["internal/condensation.json", "release/data.csv", "internal/recipe.toml"])
def test_a_changed_folder_is_refused(tmp_path: Path, name: str) -> None:
    earlier = released(tmp_path, people(1, 60))
    file = earlier / name
    file.write_bytes(file.read_bytes() + b" ")
    with pytest.raises(InputError) as told:
        read_earlier(earlier)
    assert told.value.id == "error.top-up.changed"
    assert name in str(told.value.arguments["files"])


def test_levels_by_row_number_do_not_hold_for_new_rows(tmp_path: Path) -> None:
    text = people(1, 60)
    sha = hashlib.sha256(text.encode("utf-8")).hexdigest()
    recipe = RECIPE.replace("one_row_per_person = true", f'one_row_per_person = true\nsha256 = "{sha}"')
    recipe += '[[privacy.rows]]\nrows = [1, 2]\nlevel = "cautious"\n'
    earlier = released(tmp_path, text, recipe)
    candidate = added(earlier, people(2, 40))
    assert any(note.id == "note.top-up.row-levels" for note in candidate.steps[0].warnings)


def test_people_with_several_new_rows_are_refused(tmp_path: Path) -> None:
    recipe = RECIPE.replace("one_row_per_person = true", 'person = "Id"')
    earlier = released(tmp_path, people(1, 60), recipe)
    assert added(earlier, people(2, 30)).released.rows > 60
    first, *others = people(3, 30).splitlines()
    twice = "\n".join([first, *others, others[0].replace("Delft", "Ghent").replace("Bonn", "Ghent")]) + "\n"
    with pytest.raises(RecipeError) as refused:
        added(earlier, twice, "twice.csv")
    assert (refused.value.id, refused.value.arguments["people"]) == ("error.people.several-rows", 1)
