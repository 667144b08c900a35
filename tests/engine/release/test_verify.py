"""``verify``: identical, different, not possible."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from gate_cases import ROLES as ROLE_LETTERS
from gate_cases import make_candidate
from support import AUDIT_CHECKS, DISCLOSURE_CHECKS, reasons_for

from ppdm_desktop.engine import decision_log
from ppdm_desktop.engine.errors import InputError, RecipeError
from ppdm_desktop.engine.release.verify import Verification, destroy_key, verify
from ppdm_desktop.engine.release.writing.export import export
from ppdm_desktop.engine.report.model import RULES
from ppdm_desktop.engine.wording.texts import explain, render

COLUMNS: dict[str, Any] = {
    "Q": [str(i // 2) for i in range(40)],
    "C": ["x", "y", "x", "y", "z"] * 8,
    "N": [f"{i % 4}.5" for i in range(40)],
}
ROLES: dict[str, Any] = {"Q": {"role": "q", "kind": "nominal"}, "C": "c", "N": {"role": "o", "kind": "numeric"}}
ACCEPTS = reasons_for(
    (*DISCLOSURE_CHECKS, "people-counted", "rare-values", *AUDIT_CHECKS, "reversible-method", "guessable-key")
)


def release(tmp_path: Path, format: str = "csv", steps: bool = True, **more: Any) -> tuple[Path, Path]:
    assert ROLE_LETTERS
    parts: dict[str, Any] = {"steps": [{"method": "random-swap"}]} if steps else {}
    candidate = make_candidate(tmp_path / "in", COLUMNS, ROLES, "internal", release={"format": format}, **parts)
    out = tmp_path / "out"
    export(candidate, out, accepts=ACCEPTS, **more)
    return out, candidate.prepared.path


def check(out: Path, source: Path, result: str, id: str) -> Verification:
    found = verify(out, source)
    assert (found.result, found.reason.id) == (result, id)
    assert render(found.reason.id, found.reason.arguments).sentence
    json.dumps(found.document())
    return found


@pytest.mark.parametrize("format", ["csv", "xlsx", "sav", "dta"])
def test_identical(tmp_path: Path, format: str) -> None:
    out, source = release(tmp_path, format)
    assert check(out, source, "identical", "verify.identical").cells == 0


def changed(name: str, change: Callable[[bytes], bytes], *, forged: bool = False) -> Callable[[Path], object]:
    """Return what changes a file of a release; a forger writes the manifest anew, too."""

    def do(out: Path) -> None:
        (out / name).write_bytes(change((out / name).read_bytes()))
        if forged:
            enter(out, name)

    return do


def other_cell(data: bytes) -> bytes:
    return data.replace(b",x,", b",z,", 1)


DATA, DICTIONARY, RECIPE = "release/data.csv", "release/data-dictionary.csv", "internal/recipe.toml"


@pytest.mark.parametrize(
    ("change", "id", "cells"),
    [
        (changed(DATA, lambda _: b""), "verify.different.unreadable", None),
        (changed(DATA, lambda _: b"\xff\xfe"), "verify.different.unreadable", None),
        (changed(DATA, lambda _: b'Q,C,N\r\n"open'), "verify.different.unreadable", None),
        (changed(DATA, other_cell, forged=True), "verify.different.cells", 1),
        (changed(DICTIONARY, lambda data: data + b"x", forged=True), "verify.different.dictionary", None),
        (changed("internal/release.key", lambda _: b"ab" * 32), "verify.different.cells", None),
        (changed(RECIPE, lambda data: data + b"\n"), "verify.different.files", None),
    ],
)
def test_what_was_changed_is_found(
    tmp_path: Path, change: Callable[[Path], object], id: str, cells: int | None
) -> None:
    out, source = release(tmp_path)
    change(out)
    found = check(out, source, "different", id)
    assert cells is None or found.cells == cells


def test_missing_extra_and_changed_files(tmp_path: Path) -> None:
    out, source = release(tmp_path)
    (out / "release/release-note.html").unlink()
    (out / "release/extra.txt").write_text("x")
    (out / "internal/report.html").write_text("x")
    found = check(out, source, "different", "verify.different.files")
    assert {(each.path, each.state) for each in found.files} == {
        ("release/release-note.html", "missing"),
        ("release/extra.txt", "extra"),
        ("internal/report.html", "changed"),
    }


@pytest.mark.parametrize(("more", "id"), [({"keep_key": False}, "no-key"), ({"draft": True}, "draft")])
def test_without_a_key_or_a_data_file_it_is_not_possible(tmp_path: Path, more: dict[str, Any], id: str) -> None:
    out, source = release(tmp_path, **more)
    check(out, source, "not possible", f"verify.not-possible.{id}")


def test_a_destroyed_key_is_recorded(tmp_path: Path) -> None:
    out, source = release(tmp_path)
    refuse = patch.object(decision_log, "write_log", side_effect=PermissionError(13, "no"))
    with refuse, pytest.raises(InputError, match="not-writable"):
        destroy_key(out, "N. N.")
    destroy_key(out, "N. N.", now=datetime(2026, 1, 2, tzinfo=UTC))
    assert decision_log.read_log(out / "internal/decisions.jsonl")[-1].event == "key-destroyed"
    assert not (out / "internal/release.key").exists()
    record = json.loads((out / "internal/key-destroyed.json").read_text())
    assert record == {"format": 1, "destroyed": "2026-01-02T00:00:00Z", "operator": "N. N."}
    check(out, source, "not possible", "verify.not-possible.destroyed")
    with pytest.raises(InputError) as raised:
        destroy_key(out, None)
    assert explain(raised.value)


def test_wrong_or_missing_input(tmp_path: Path) -> None:
    out, source = release(tmp_path)
    source.write_text(source.read_text() + "9,x,1.5\n")
    for path, id in ((source, "error.verify.wrong-input"), (tmp_path / "none.csv", "error.verify.no-input")):
        with pytest.raises(InputError) as raised:
            verify(out, path)
        assert raised.value.id == id
        assert explain(raised.value)


@pytest.mark.parametrize(
    "manifest",
    [
        None,
        b"",
        b"[]",
        b"{}",
        b'{"format": 2, "files": {}}',
        b'{"format": 1, "files": {"../../x": "0"}}',
        b"[" * 10_000,
    ],
)
def test_a_folder_that_is_no_release(tmp_path: Path, manifest: bytes | None) -> None:
    out, source = release(tmp_path)
    file = out / "internal/manifest.json"
    file.unlink()
    if manifest is not None:
        file.write_bytes(manifest)
    with pytest.raises(InputError) as raised:
        verify(out, source)
    too_deep = manifest is not None and manifest.startswith(b"[[")
    assert raised.value.id == ("error.read.too-deep" if too_deep else "error.verify.not-a-release")


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    _, source = release(tmp_path)
    with pytest.raises(InputError) as raised:
        verify(tmp_path / "gone", source)
    assert raised.value.id == "error.verify.no-such-folder"


# --- releases of other rules --------------------------------------------------------------------


def with_rules(out: Path, rules: int) -> None:
    """Write the rules into a report, and the report's new hash into the manifest."""
    report = out / "internal/report.json"
    document = json.loads(report.read_bytes())
    document["program"]["rules"] = rules
    report.write_text(json.dumps(document))
    enter(out, "internal/report.json")


def enter(out: Path, name: str) -> None:
    """Write the hash of a file that was changed into the manifest."""
    manifest = out / "internal/manifest.json"
    listed = json.loads(manifest.read_bytes())
    listed["files"][name] = hashlib.sha256((out / name).read_bytes()).hexdigest()
    manifest.write_text(json.dumps(listed))


def test_a_release_of_other_rules_is_not_decided_where_a_run_makes_something_else(tmp_path: Path) -> None:
    out, source = release(tmp_path)
    changed(DATA, other_cell, forged=True)(out)
    with_rules(out, RULES + 1)
    assert check(out, source, "not possible", "verify.not-possible.other-rules").files == ()
    with_rules(out, RULES)
    check(out, source, "different", "verify.different.cells")


def test_a_release_of_other_rules_that_comes_out_alike_is_identical(tmp_path: Path) -> None:
    out, source = release(tmp_path)
    with_rules(out, RULES + 1)
    check(out, source, "identical", "verify.identical")


def test_a_recipe_of_other_rules_that_cannot_be_run_is_not_held_against_it(tmp_path: Path) -> None:
    out, source = release(tmp_path)
    changed(RECIPE, lambda data: data.replace(b"random-swap", b"a-method-to-come"), forged=True)(out)
    with_rules(out, RULES + 1)
    check(out, source, "not possible", "verify.not-possible.other-rules")
    with_rules(out, RULES)
    with pytest.raises(RecipeError):
        verify(out, source)


def test_files_of_other_rules_are_still_compared(tmp_path: Path) -> None:
    out, source = release(tmp_path)
    with_rules(out, RULES + 1)
    changed(DATA, other_cell)(out)
    found = check(out, source, "different", "verify.different.files")
    assert [(each.path, each.state) for each in found.files] == [("release/data.csv", "changed")]
    source.write_bytes(b"another file")
    with pytest.raises(InputError):
        verify(out, source)
