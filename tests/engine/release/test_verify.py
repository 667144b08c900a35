"""``verify``: identical, different, not possible."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from gate_cases import ROLES as ROLE_LETTERS
from gate_cases import make_candidate
from support import AUDIT_CHECKS, DISCLOSURE_CHECKS

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.progress import silent
from ppdm_desktop.engine.release.verify import Verification, destroy_key, verify
from ppdm_desktop.engine.release.writing.export import export
from ppdm_desktop.engine.texts import explain, render

COLUMNS: dict[str, Any] = {
    "Q": [str(i // 2) for i in range(40)],
    "C": ["x", "y", "x", "y", "z"] * 8,
    "N": [f"{i % 4}.5" for i in range(40)],
}
ROLES: dict[str, Any] = {"Q": {"role": "q", "kind": "nominal"}, "C": "c", "N": {"role": "o", "kind": "numeric"}}
REASON = "a small invented table for a test"
ACCEPTS = {
    id: REASON
    for id in (
        *DISCLOSURE_CHECKS,
        "one-row-per-person",
        "rare-values",
        *AUDIT_CHECKS,
        "reversible-method",
        "guessable-key",
    )
}


def release(tmp_path: Path, format: str = "csv", steps: bool = True, **more: Any) -> tuple[Path, Path]:
    assert ROLE_LETTERS
    parts: dict[str, Any] = {"steps": [{"method": "random-swap"}]} if steps else {}
    candidate = make_candidate(tmp_path / "in", COLUMNS, ROLES, "internal", release={"format": format}, **parts)
    out = tmp_path / "out"
    export(candidate, out, accepts=ACCEPTS, **more)
    return out, candidate.prepared.path


def check(out: Path, source: Path, result: str, id: str) -> Verification:
    found = verify(out, source, silent())
    assert (found.result, found.reason.id) == (result, id)
    assert render(found.reason.id, found.reason.arguments).sentence
    json.dumps(found.document())
    return found


@pytest.mark.parametrize("format", ["csv", "xlsx"])
def test_identical(tmp_path: Path, format: str) -> None:
    out, source = release(tmp_path, format)
    assert check(out, source, "identical", "verify.identical").cells == 0


def test_one_changed_cell_is_counted(tmp_path: Path) -> None:
    out, source = release(tmp_path)
    data = out / "release/data.csv"
    rows = data.read_bytes().split(b"\r\n")
    rows[5] = rows[5].replace(b".5", b".7")
    data.write_bytes(b"\r\n".join(rows))
    found = check(out, source, "different", "verify.different.cells")
    assert found.cells == 1
    assert [(each.path, each.state) for each in found.files] == [("release/data.csv", "changed")]


@pytest.mark.parametrize("data", [b"", b"\xff\xfe", b'Q,C,N\r\n"open'])
def test_unreadable_data(tmp_path: Path, data: bytes) -> None:
    out, source = release(tmp_path)
    (out / "release/data.csv").write_bytes(data)
    check(out, source, "different", "verify.different.unreadable")


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


def test_a_forged_manifest_does_not_hide_a_changed_cell(tmp_path: Path) -> None:
    import hashlib

    out, source = release(tmp_path)
    data = out / "release/data.csv"
    data.write_bytes(data.read_bytes().replace(b",x,", b",z,", 1))
    manifest = json.loads((out / "internal/manifest.json").read_text())
    manifest["files"]["release/data.csv"] = hashlib.sha256(data.read_bytes()).hexdigest()
    (out / "internal/manifest.json").write_text(json.dumps(manifest))
    assert check(out, source, "different", "verify.different.cells").cells == 1


def test_a_changed_dictionary_with_a_forged_manifest(tmp_path: Path) -> None:
    import hashlib

    out, source = release(tmp_path)
    file = out / "release/data-dictionary.csv"
    file.write_bytes(file.read_bytes() + b"x")
    manifest = json.loads((out / "internal/manifest.json").read_text())
    manifest["files"]["release/data-dictionary.csv"] = hashlib.sha256(file.read_bytes()).hexdigest()
    (out / "internal/manifest.json").write_text(json.dumps(manifest))
    check(out, source, "different", "verify.different.dictionary")


def test_another_key_is_different(tmp_path: Path) -> None:
    out, source = release(tmp_path)
    (out / "internal/release.key").write_text("ab" * 32)
    assert check(out, source, "different", "verify.different.cells").cells


def test_a_changed_recipe_is_different(tmp_path: Path) -> None:
    out, source = release(tmp_path)
    recipe = out / "internal/recipe.toml"
    recipe.write_text(recipe.read_text() + "\n")
    check(out, source, "different", "verify.different.files")


def test_without_a_key_it_is_not_possible(tmp_path: Path) -> None:
    out, source = release(tmp_path, keep_key=False)
    check(out, source, "not possible", "verify.not-possible.no-key")


def test_a_destroyed_key_is_recorded(tmp_path: Path) -> None:
    out, source = release(tmp_path)
    destroy_key(out, "N. N.", now=datetime(2026, 1, 2, tzinfo=UTC))
    assert not (out / "internal/release.key").exists()
    record = json.loads((out / "internal/key-destroyed.json").read_text())
    assert record == {"format": 1, "destroyed": "2026-01-02T00:00:00Z", "operator": "N. N."}
    check(out, source, "not possible", "verify.not-possible.destroyed")
    with pytest.raises(InputError) as raised:
        destroy_key(out, None)
    assert explain(raised.value)


def test_a_draft_is_not_possible(tmp_path: Path) -> None:
    out, source = release(tmp_path, draft=True)
    check(out, source, "not possible", "verify.not-possible.draft")


def test_wrong_or_missing_input(tmp_path: Path) -> None:
    out, source = release(tmp_path)
    source.write_text(source.read_text() + "9,x,1.5\n")
    for path, id in ((source, "error.verify.wrong-input"), (tmp_path / "none.csv", "error.verify.no-input")):
        with pytest.raises(InputError) as raised:
            verify(out, path, silent())
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
        verify(out, source, silent())
    assert raised.value.id == "error.verify.not-a-release"


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    _, source = release(tmp_path)
    with pytest.raises(InputError) as raised:
        verify(tmp_path / "gone", source, silent())
    assert raised.value.id == "error.verify.no-such-folder"
