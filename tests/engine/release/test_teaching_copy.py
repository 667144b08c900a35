"""A teaching copy shows what a method does where protection alone would hold it back; it is never a release."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gate_cases import make_candidate
from support import not_analysed, reasons_for, red_checks

from ppdm_desktop.engine.errors import GateBlocked, PpdmError
from ppdm_desktop.engine.recipe.load import read_recipe
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.evaluate.evaluate import evaluate
from ppdm_desktop.engine.release.gate.base import all_checks
from ppdm_desktop.engine.release.storage.ledger import history_of
from ppdm_desktop.engine.release.verify import DIFFERENT, IDENTICAL, verify
from ppdm_desktop.engine.release.writing.export import Exported, export
from ppdm_desktop.engine.report.documents import CERTIFICATE_PDF, REPORT_PDF

ROWS = 40
STOPPING = {
    "rows-read", "roles-decided", "identifiers-gone", "near-identifiers", "identifier-patterns", "free-text",
    "keys-released", "roles-overruled", "confidential-chosen", "written-back", "source-unchanged", "formula-cells",
    "file-limits", "metadata", "guessable-key", "release-text",
}  # fmt: skip
"""Reading, roles, identifiers, patterns, free text, codes, read-back, formulas, metadata and key."""
rng = np.random.default_rng(4)
TABLE = {
    "Height": [str(150 + int(n)) for n in rng.integers(0, 50, ROWS)],
    "Weight": [str(50 + int(n)) for n in rng.integers(0, 50, ROWS)],
    "Pay": [str(1000 + int(n)) for n in rng.integers(0, 900, ROWS)],
}
NUMBER = {"kind": "numeric", "bounds": [0, 5000]}
ROLES: dict[str, Any] = {
    "Height": {"role": "q", **NUMBER},
    "Weight": {"role": "q", **NUMBER},
    "Pay": {"role": "c", **NUMBER},
}
PAPER = {"method": "condensation", "profile": "paper", "parameters": {"group": 3}}


def condensed(
    folder: Path, table: dict[str, list[str]] | None = None, *, teaching: bool = True, **more: Any
) -> Candidate:
    """As the paper condenses: groups of three in three columns, without a floor."""
    made = {**TABLE, **(table or {})}
    type = more.pop("type", "internal")
    release = {"teaching_copy": True} if teaching else {}
    roles = {**ROLES, **more.pop("roles", {})}
    return make_candidate(folder, made, roles, type, steps=[PAPER], release=release, **more)


def written(candidate: Candidate, out: Path, **more: Any) -> Exported:
    """Write it with a reason for what does not judge protection and only asks for one."""
    asked = [
        each.id
        for each in evaluate(candidate).checks
        if each.status in ("amber", "not-run") and not all_checks()[each.id].on_protection
    ]
    return export(candidate, out, accepts=reasons_for(asked), analyses=not_analysed(), **more)


def page(html: str) -> bytes:
    return html.encode()


def test_what_stops_it_is_declared_by_the_checks() -> None:
    assert {id for id, check in all_checks().items() if not check.on_protection} >= STOPPING
    assert {"small-groups", "levels-met", "class-size", "linkage"} <= {
        id for id, check in all_checks().items() if check.on_protection
    }


def test_the_papers_condensation_is_written_for_teaching_and_not_released(tmp_path: Path) -> None:
    with pytest.raises(GateBlocked):
        written(condensed(tmp_path / "a", teaching=False), tmp_path / "released")
    assert not (tmp_path / "released").exists()
    candidate = condensed(tmp_path / "b")
    ledger = tmp_path / "ledger.json"
    renderers = {CERTIFICATE_PDF: page, REPORT_PDF: page}
    done = written(candidate, tmp_path / "shown", renderers=renderers, ledger=ledger)
    assert sorted(path.name for path in (tmp_path / "shown").iterdir()) == ["internal", "teaching-copy"]
    assert not done.report["verdict"]["decision"]["released"]
    assert done.report["release"]["teaching_copy"]
    assert done.report["steps"][0]["mode"] == "own"  # its group size is written; all else is the paper's
    data = list((tmp_path / "shown" / "teaching-copy").iterdir())
    assert len(data) == 3
    documents = [
        *data,
        *(path for path in (tmp_path / "shown" / "internal").iterdir() if path.suffix in (".html", ".pdf")),
    ]
    assert all(path.name.startswith("teaching-copy-not-for-release-") for path in documents)
    pages = [path for path in documents if path.suffix in (".html", ".pdf")]
    assert len(pages) == 5
    for each in pages:
        assert "Teaching copy, not for release" in each.read_text("utf-8"), each.name
    certificate = next(path for path in pages if path.name.endswith(CERTIFICATE_PDF)).read_text("utf-8")
    assert "Release record" not in certificate
    history = history_of(candidate, ledger)
    assert history is not None
    assert history.others == ()


def test_verify_says_what_it_is(tmp_path: Path) -> None:
    candidate = condensed(tmp_path / "in")
    written(candidate, tmp_path / "shown")
    found = verify(tmp_path / "shown", candidate.prepared.path)
    assert (found.result, found.teaching_copy) == (IDENTICAL, True)
    assert found.document()["teaching_copy"] is True
    assert read_recipe(tmp_path / "shown" / "internal" / "recipe.toml").release.teaching_copy
    (data,) = (tmp_path / "shown" / "teaching-copy").glob("*data.csv")
    data.write_bytes(data.read_bytes().replace(b"1", b"2", 1))
    found = verify(tmp_path / "shown", candidate.prepared.path)
    assert (found.result, found.teaching_copy) == (DIFFERENT, True)


@pytest.mark.parametrize(
    ("table", "roles", "stopped_by"),
    [
        ({"Mail": [f"p{n}@example.org" for n in range(ROWS)]}, {"Mail": "o"}, "identifier-patterns"),
        ({"Area": ["a", "b"] * (ROWS // 2)}, {}, "roles-decided"),
    ],
    ids=["patterns", "roles"],
)
def test_what_is_no_protection_still_stops_it(
    table: dict[str, list[str]], roles: dict[str, str], stopped_by: str, tmp_path: Path
) -> None:
    candidate = condensed(tmp_path / "in", table, roles=roles)
    with pytest.raises(GateBlocked) as blocked:
        written(candidate, tmp_path / "out")
    red = red_checks(blocked.value)
    assert stopped_by in red
    assert not any(all_checks()[id].on_protection for id in red), "protection does not hold back a teaching copy"
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("type", "name", "more", "id"),
    [
        *((type, "out", {}, "not-internal") for type in ("research", "public")),
        ("internal", "people-list-release", {}, "place-of-release"),
        ("internal", "people-list-release-2", {}, "place-of-release"),
        ("internal", "release", {}, "place-of-release"),
        ("internal", "out", {"draft": True}, "draft"),
    ],
)
def test_where_no_teaching_copy_is_written(
    type: str, name: str, more: dict[str, bool], id: str, tmp_path: Path
) -> None:
    with pytest.raises(PpdmError) as refused:
        written(condensed(tmp_path / "in", type=type), tmp_path / name, **more)
    assert refused.value.id == f"error.teaching.{id}"
    assert not (tmp_path / name).exists()


def test_never_in_place_of_a_release(tmp_path: Path) -> None:
    candidate = condensed(tmp_path / "in")
    written(candidate, tmp_path / "out")
    manifest = tmp_path / "out" / "internal" / "manifest.json"
    assert all(path.startswith(("internal/", "teaching-copy/")) for path in json.loads(manifest.read_text())["files"])
    (tmp_path / "out" / "teaching-copy").rename(tmp_path / "out" / "release")
    with pytest.raises(PpdmError) as refused:
        written(candidate, tmp_path / "out", replace=True)
    assert refused.value.id == "error.teaching.place-of-release"


def test_the_same_bytes_as_the_release_it_is_not(tmp_path: Path) -> None:
    one, other = (condensed(tmp_path / name, teaching=name == "a") for name in ("a", "b"))
    assert one.prepared.recipe_sha256 == other.prepared.recipe_sha256
    assert [column.values() for column in one.released.columns] == [
        column.values() for column in other.released.columns
    ]
