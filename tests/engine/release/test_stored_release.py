"""A release whose columns lie on the disk is the one that is made in memory, byte by byte and figure by figure."""

from __future__ import annotations

import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cases import case_rows
from hypothesis import given
from hypothesis import strategies as st
from thoroughness import examples

from ppdm_desktop.engine.errors import Cancelled, InputError, RecipeError
from ppdm_desktop.engine.methods.base.declaration import all_methods, find_method
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.load import parse_recipe
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.candidate.pipeline import prepare, run_candidate
from ppdm_desktop.engine.release.evaluate.evaluate import evaluate
from ppdm_desktop.engine.release.evaluate.release_files import data_bytes
from ppdm_desktop.engine.release.measures.assess import assess
from ppdm_desktop.engine.release.writing import disk_and_memory
from ppdm_desktop.engine.table.stored.code_store import CodeStore, StoredColumn

STEPS: dict[str, Any] = dict(case_rows("stored-release-steps", lists=True))
KEY = Key.from_seed(3)


def source(folder: Path, rows: int, seed: int) -> Path:
    rng = np.random.default_rng(seed)
    path = folder / "people.csv"
    lines = ["town,age,pay,weight,ill,remark"]
    for _ in range(rows):
        pay = "" if rng.random() < 0.05 else str(int(rng.normal(3000, 600)))
        town = rng.choice(["Delft", "Ghent", "Bonn"])
        ill = rng.choice(["flu", "cold", "ulcer"])
        lines.append(f"{town},{rng.integers(20, 23)},{pay},{rng.normal(70, 9):.1f},{ill},x{rng.integers(0, 9)}")
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def recipe(step: dict[str, Any] | None = None, **release: Any) -> Any:
    roles = {"town": "quasi-identifier", "age": "quasi-identifier", "remark": "other"}
    columns: dict[str, Any] = {name: {"role": role} for name, role in roles.items()}
    columns |= {name: {"role": "confidential", "kind": "numeric"} for name in ("pay", "weight")}
    columns["ill"] = {"role": "confidential"}
    return parse_recipe(
        {
            "recipe": 1,
            "input": {"one_row_per_person": True},
            "columns": columns,
            "steps": [] if step is None else [step],
            "release": {"type": "internal", **release},
        }
    )


def made(path: Path, step: dict[str, Any], store: CodeStore | None, **release: Any) -> Candidate:
    prepared = prepare(path, recipe(step, **release), need_type=True, store=store)
    return run_candidate(prepared, KEY)


def without_clock(document: Any) -> Any:
    if isinstance(document, dict):
        return {key: without_clock(each) for key, each in document.items() if key not in ("seconds", "created", "at")}
    return [without_clock(each) for each in document] if isinstance(document, list) else document


def test_every_method_that_works_record_by_record_is_tried() -> None:
    named = {id for id, method in all_methods().items() if method.record_by_record}
    assert named == {*STEPS} - {"random-swap", "mondrian"}


@pytest.mark.thorough
@pytest.mark.parametrize("method", STEPS)
@given(seed=st.integers(0, 50), rows=st.integers(90, 150), block_rows=st.integers(1, 130))
@examples(10)
def test_a_release_from_the_disk_has_the_same_bytes(method: str, seed: int, rows: int, block_rows: int) -> None:
    step = {"method": method, **STEPS[method]}
    with tempfile.TemporaryDirectory() as folder, CodeStore(block_rows) as store:
        path = source(Path(folder), rows, seed)
        here, there = made(path, step, None), made(path, step, store)
        for table in (there.final, there.released, there.prepared.original):
            assert all(isinstance(column, StoredColumn) for column in table.columns)
        assert data_bytes(there) == data_bytes(here)
        assert [each.recount.guarantee for each in there.steps] == [each.recount.guarantee for each in here.steps]
        assert [each.recount.levels for each in there.steps] == [each.recount.levels for each in here.steps]
        assert assess(there.prepared) == assess(here.prepared)


@pytest.mark.parametrize("method", ["two-phase-noise", "generalize"])
def test_it_is_judged_by_the_same_figures(tmp_path: Path, method: str) -> None:
    path, step = source(tmp_path, 80, 1), {"method": method, **STEPS[method]}
    now = datetime(2026, 1, 2, tzinfo=UTC)
    with CodeStore(33) as store:
        here, there = (
            evaluate(made(path, step, place, shuffle_rows=True), {}, created=now).report for place in (None, store)
        )
    assert without_clock(there.document()) == without_clock(here.document())
    assert {check.status for check in there.verdict.checks} != {"not-run"}
    assert here.verdict.attacks


def test_a_stop_in_a_step_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    path = source(tmp_path, 60, 4)
    progress = Progress(lambda fraction, doing: progress.cancel() if fraction > 0.4 else None)

    def stopped() -> None:
        with CodeStore() as store:
            prepared = prepare(path, recipe({"method": "two-phase-noise"}), store=store)
            assert list(place.rglob("*.codes"))
            progress.run(run_candidate, prepared, KEY)

    with pytest.raises(Cancelled):
        stopped()
    assert list(place.iterdir()) == []


# --- what does not fit ------------------------------------------------------------------------


def test_a_method_that_needs_all_records_says_so_where_they_do_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    free = disk_and_memory.BYTES_ALWAYS + 1_000 * 10 * (disk_and_memory.BYTES_A_CELL + disk_and_memory.BYTES_A_STEP)
    monkeypatch.setattr(disk_and_memory, "free_memory", lambda: free)
    swap = [find_method("bayes-swap")]
    monkeypatch.setattr(disk_and_memory, "STORED_JUDGED_ALWAYS", 0)
    disk_and_memory.refuse_beyond_memory(swap, 1_000, 10)
    with pytest.raises(RecipeError) as caught:
        disk_and_memory.refuse_beyond_memory(swap, 1_001, 10)
    assert caught.value.id == "error.stored.whole-table"
    disk_and_memory.refuse_beyond_memory([find_method("generalize")], 1_001, 10)
    monkeypatch.setattr(disk_and_memory, "free_memory", lambda: None)
    disk_and_memory.refuse_beyond_memory(swap, 10**9, 10)


def test_a_release_that_could_not_be_judged_whole_is_not_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    methods = [find_method("generalize")]
    monkeypatch.setattr(
        disk_and_memory,
        "free_memory",
        lambda: disk_and_memory.STORED_JUDGED_ALWAYS + 5_000 * disk_and_memory.BYTES_A_STORED_CELL,
    )
    disk_and_memory.refuse_beyond_memory(methods, 1_000, 5)
    with pytest.raises(InputError) as caught:
        disk_and_memory.refuse_beyond_memory(methods, 1_001, 5)
    assert caught.value.id == "error.stored.judging"


@pytest.mark.parametrize("judged", [False, True])
def test_columns_go_to_the_disk_where_memory_may_not_hold_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, judged: bool
) -> None:
    path = tmp_path / "file.csv"
    path.write_bytes(b"x" * 1000)
    times = disk_and_memory.JUDGED_TIMES if judged else disk_and_memory.READ_TIMES
    always = disk_and_memory.BYTES_ALWAYS if judged else disk_and_memory.COUNTED_ALWAYS
    monkeypatch.setattr(disk_and_memory, "free_memory", lambda: always + 1000 * times)
    assert not disk_and_memory.should_keep_on_disk(path, judged=judged)
    path.write_bytes(b"x" * 1001)
    assert disk_and_memory.should_keep_on_disk(path, judged=judged)
    monkeypatch.setattr(disk_and_memory, "free_memory", lambda: None)
    assert not disk_and_memory.should_keep_on_disk(path, judged=judged), "a system that does not say"
    assert not disk_and_memory.should_keep_on_disk(tmp_path / "none.csv", judged=judged)
