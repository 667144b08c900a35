"""The local ledger of releases."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from optional import existing

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.release.storage import ledger
from ppdm_desktop.engine.release.storage.file_lock import hold_lock
from ppdm_desktop.engine.release.storage.ledger import (
    DrawEntry,
    LedgerEntry,
    read_draws,
    read_ledger,
    remember_draws,
    remember_release,
)

FIRST = LedgerEntry("a" * 64, "b" * 64, "2026-03-01", ("Age", "Pay"), "1" * 64, (), None)
OTHER = LedgerEntry("c" * 64, "b" * 64, "2026-03-02", ("Age",), "2" * 64, (), None)


def test_what_was_released_is_remembered(tmp_path: Path) -> None:
    path = tmp_path / "settings" / "ledger.json"
    assert read_ledger(path) == ()
    for entry in (FIRST, OTHER, FIRST):
        remember_release(path, entry)
    assert read_ledger(path) == (FIRST, OTHER, FIRST)
    assert [each.name for each in path.parent.iterdir()] == ["ledger.json"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"format": 3, "releases": []}',
        *(json.dumps({"format": n, "since": None, "releases": [], "draws": []}) for n in (0, 2, 4, "3", None)),
        json.dumps({"format": 3, "since": None, "releases": [{"day": "2026-01-01"}], "draws": []}),
        json.dumps({"format": 3, "since": None, "releases": [{**FIRST.__dict__, "day": "yesterday"}], "draws": []}),
    ],
)
def test_another_file_is_refused_and_kept(tmp_path: Path, text: str) -> None:
    path = tmp_path / "ledger.json"
    path.write_text(text, encoding="utf-8")
    draws = [DrawEntry("a" * 64, (), "1" * 64, "2026-03-01", "research", {})]
    enter_draws = partial(remember_draws, entries=draws, day="2026-03-02")
    for ask in (read_ledger, read_draws, partial(remember_release, entry=FIRST), enter_draws):
        with pytest.raises(InputError) as refused:
            ask(path)
        assert refused.value.id == "error.ledger.unreadable"
    assert path.read_text(encoding="utf-8") == text


ADD = """
import sys
from pathlib import Path
from ppdm_desktop.engine.release.storage.ledger import LedgerEntry, remember_release
for number in range(int(sys.argv[3])):
    draw = f"{sys.argv[2]}-{number}"
    entry = LedgerEntry("a" * 64, "b" * 64, "2026-03-01", ("Age",), draw, (), None)
    remember_release(Path(sys.argv[1]), entry, once=True)
"""
HOLD = """
import sys, time
from pathlib import Path
from ppdm_desktop.engine.release.storage import ledger
def write(path, entries):
    path.with_name(path.name + ".1.new").write_text("{", encoding="utf-8")
    print("held", flush=True)
    time.sleep(60)
ledger._write_ledger = write
entry = ledger.LedgerEntry("a" * 64, "b" * 64, "2026-03-01", ("Age",), "lost", (), None)
ledger.remember_release(Path(sys.argv[1]), entry)
"""


def started(code: str, *arguments: Any) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", code, *map(str, arguments)], stdout=subprocess.PIPE, text=True)


def test_processes_that_release_at_once_lose_no_entry(tmp_path: Path) -> None:
    path = tmp_path / "ledger.json"
    processes = [started(ADD, path, name, 15) for name in ("one", "two", "three", "four")]
    assert [process.wait(120) for process in processes] == [0, 0, 0, 0]
    for process in processes:
        existing(process.stdout).close()
    draws = [entry.draw for entry in read_ledger(path)]
    assert sorted(draws) == sorted(f"{name}-{n}" for name in ("one", "two", "three", "four") for n in range(15))
    assert [each.name for each in path.parent.iterdir()] == ["ledger.json"]


def test_a_process_ended_while_it_writes_blocks_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "ledger.json"
    remember_release(path, FIRST)
    holder = started(HOLD, path)
    try:
        assert existing(holder.stdout).readline().strip() == "held"
        with pytest.raises(TimeoutError), hold_lock(path.with_name("ledger.json.lock"), 0.1):
            pytest.fail("the lock was given twice")
    finally:
        holder.kill()
        holder.wait(60)
        existing(holder.stdout).close()
    monkeypatch.setattr(ledger, "_PATIENCE", 0.0)  # the lock is free at once, or never
    remember_release(path, OTHER)
    assert read_ledger(path) == (FIRST, OTHER)
    assert [each.name for each in path.parent.iterdir()] == ["ledger.json"]
