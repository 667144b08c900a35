"""``verify --figure``: each figure of a release worked out again from the file as it lies there."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gate_cases import make_candidate
from support import not_analysed, reasons_for
from thoroughness import every_third

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.release import verify_figure as module
from ppdm_desktop.engine.release.attack_audit.base import all_attacks
from ppdm_desktop.engine.release.gate.base import all_checks
from ppdm_desktop.engine.release.verify import DIFFERENT, IDENTICAL, NOT_POSSIBLE, Verification, destroy_key
from ppdm_desktop.engine.release.verify_figure import Refigured, recompute_figures, verify_figure
from ppdm_desktop.engine.release.writing.export import evaluate, export
from ppdm_desktop.engine.wording.texts import all_texts, render
from ppdm_desktop.engine.wording.values import Quoted

ROWS = 240
RNG = np.random.default_rng(12)
AGE, CITY = RNG.integers(20, 60, ROWS), RNG.choice(["Delft", "Bonn", "Ghent"], ROWS)
COLUMNS: dict[str, Any] = {
    "Id": [f"p{row:03}" for row in range(ROWS)],
    "Age": [str(value) for value in AGE],
    "City": [str(value) for value in CITY],
    "Pay": [str(value) for value in RNG.integers(1_000, 9_000, ROWS)],
    "Ill": [str(name) for name in RNG.choice(["flu", "cold", "gout"], ROWS)],
}
ROLES: dict[str, Any] = {
    "Id": "i",
    "Age": {"role": "q", "kind": "numeric"},
    "City": "q",
    "Pay": {"role": "c", "kind": "numeric", "bounds": [0, 10_000]},
    "Ill": "c",
}
SWAP = {"method": "random-swap", "columns": ["Ill"]}
DRAWN = {**ROLES, "Pay": {**ROLES["Pay"], "bins": {"method": "equal-frequency", "count": 4, "release": "draw"}}}
NUMBERS = {name: each for name, each in ROLES.items() if name in ("Id", "Age", "Pay")} | {"City": "l", "Ill": "l"}
RELEASES: dict[str, tuple[dict[str, Any], list[dict[str, Any]], dict[str, Any]]] = {
    "no step": (ROLES, [], {}),
    "noise and swap": (ROLES, [{"method": "two-phase-noise", "columns": ["Pay"]}, SWAP], {}),
    "numbers drawn in bins, swapped": (DRAWN, [{"method": "bayes-swap", "columns": ["Pay"]}], {}),
    "averages, then a swap": (ROLES, [{"method": "microaggregation", "columns": ["Pay"]}, SWAP], {}),
    "ranges in a workbook": (ROLES, [{"method": "mondrian"}], {"format": "xlsx"}),
    "rows removed": (ROLES, [SWAP, {"method": "suppress", "parameters": {"k": 2, "most": 0.9}}], {}),
    "made-up rows": (NUMBERS, [{"method": "condensation"}], {}),
    "order kept": (ROLES, [SWAP], {"shuffle_rows": False}),
}


def released(folder: Path, name: str) -> tuple[Path, Path]:
    """Make one of the releases; return its folder and the source."""
    roles, steps, release = RELEASES[name]
    candidate = make_candidate(folder / "in", COLUMNS, roles, "internal", steps=steps, release=release)
    verdict = evaluate(candidate).report
    out = folder / "out"
    export(
        candidate,
        out,
        accepts=reasons_for(all_checks()),
        attacks=tuple(verdict.verdict.attacks or ()),
        original=verdict.original,
        analyses=not_analysed(),
    )
    return out, candidate.prepared.path


def refigured(out: Path, source: Path) -> Refigured:
    found = recompute_figures(out, source)
    assert isinstance(found, Refigured)
    return found


def edited(out: Path, name: str, change: Callable[[bytes], bytes]) -> None:
    """Change a file of the release and put its new hash into the manifest, as a forger would."""
    path, manifest = out / name, out / "internal/manifest.json"
    data = change(path.read_bytes())
    path.write_bytes(data)
    document = json.loads(manifest.read_text("utf-8"))
    document["files"][name] = hashlib.sha256(data).hexdigest()
    manifest.write_text(json.dumps(document), "utf-8")


def put(column: int, of_row: Callable[[int], str]) -> Callable[[bytes], bytes]:
    """Write a column of a CSV file anew."""

    def change(data: bytes) -> bytes:
        head, *rows = data.decode("utf-8-sig").split("\r\n")
        cells = [row.split(",") for row in rows if row]
        for place, row in enumerate(cells):
            row[column] = of_row(place)
        return ("\r\n".join([head, *(",".join(row) for row in cells)]) + "\r\n").encode("utf-8")

    return change


@pytest.mark.parametrize("name", every_third(RELEASES))
def test_every_figure_is_found_again(tmp_path: Path, name: str) -> None:
    found = refigured(*released(tmp_path, name))
    assert list(found.checks) == list(found.printed) == list(all_checks())
    for id in (*all_checks(), *{each.id for each in found.attacks}):
        verified = found.verified(id)
        if id in all_checks() and all_checks()[id].of_history:
            assert (verified.result, verified.reason.id) == (NOT_POSSIBLE, "verify.figure.history")
        else:
            assert (verified.result, verified.found) == (IDENTICAL, verified.printed), id
        assert render(verified.reason.id, verified.reason.arguments).sentence
        json.dumps(verified.document())


def test_the_figure_is_that_of_the_bytes_on_the_disk(tmp_path: Path) -> None:
    out, source = released(tmp_path, "order kept")
    truth = COLUMNS["Ill"]
    before = refigured(out, source)
    edited(out, "release/data.csv", put(3, lambda row: truth[row]))
    after = refigured(out, source)
    assert before.checks["certain-disclosure"].hits == before.printed["certain-disclosure"].hits
    classes: dict[tuple[str, str], int] = {}
    for age, city in zip(COLUMNS["Age"], COLUMNS["City"], strict=True):
        classes[age, city] = classes.get((age, city), 0) + 1
    # Where every value is the true one, whoever is alone in a class is certain, and others may be.
    assert (after.checks["certain-disclosure"].hits or 0) >= sum(size == 1 for size in classes.values()) > 0
    for id in ("certain-disclosure", "certain-by-all"):
        verified = after.verified(id)
        assert (verified.result, verified.reason.id) == (DIFFERENT, "verify.figure.different")
        assert verified.found != verified.printed == before.verified(id).printed
        assert verified.found[0].found in render(verified.reason.id, verified.reason.arguments).sentence
    # Attacks read the file, too; what the cells do not touch is as it was.
    assert after.verified("rank").result == DIFFERENT
    assert after.verified("rows-read").result == IDENTICAL


def test_one_cell_is_enough(tmp_path: Path) -> None:
    out, source = released(tmp_path, "no step")

    def change(data: bytes) -> bytes:
        first, row, *rest = data.split(b"\r\n")
        cells = row.split(b",")
        cells[1] = b"Nowhere"
        return b"\r\n".join([first, b",".join(cells), *rest])

    assert refigured(out, source).verified("rare-values").result == IDENTICAL
    edited(out, "release/data.csv", change)
    for id in ("rare-values", "written-back"):
        assert verify_figure(out, source, id).result == DIFFERENT, id


def test_a_file_that_is_not_as_the_manifest_says_is_different_whatever_the_figure(tmp_path: Path) -> None:
    out, source = released(tmp_path, "no step")
    (out / "internal/report.json").write_bytes((out / "internal/report.json").read_bytes() + b" ")
    found = verify_figure(out, source, "linkage")
    assert (found.result, found.reason.id, found.found) == (DIFFERENT, "verify.different.files", ())


@pytest.mark.parametrize("data", [b"", b"Age,City\r\n1,2\r\n", b'Age,City,Pay,Ill\r\n"open'])
def test_a_file_that_is_another_table_is_different(tmp_path: Path, data: bytes) -> None:
    out, source = released(tmp_path, "no step")
    edited(out, "release/data.csv", lambda _: data)
    assert verify_figure(out, source, "class-size").result == DIFFERENT


def test_without_the_key_it_is_not_possible(tmp_path: Path) -> None:
    out, source = released(tmp_path, "no step")
    destroy_key(out, None)
    found = verify_figure(out, source, "class-size")
    assert (found.result, found.reason.id) == (NOT_POSSIBLE, "verify.not-possible.destroyed")


def test_a_release_of_an_older_format_is_not_possible(tmp_path: Path) -> None:
    out, source = released(tmp_path, "no step")
    edited(out, "internal/report.json", lambda data: data.replace(b'"format": 3', b'"format": 2', 1))
    found = recompute_figures(out, source)
    assert isinstance(found, Verification)
    assert (found.result, found.reason.id) == (NOT_POSSIBLE, "verify.figure.other-version")


def test_an_attack_that_was_not_made_has_no_figure(tmp_path: Path) -> None:
    out, source = released(tmp_path, "no step")
    assert "averaging" in all_attacks()
    found = verify_figure(out, source, "averaging")
    assert (found.result, found.reason.id) == (NOT_POSSIBLE, "verify.figure.not-printed")


def test_an_id_that_nothing_has_is_refused_before_any_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "recompute_figures", None)
    for id, text, near in (
        ("certain-disclosures", "error.verify.unknown-figure-near", "certain-disclosure"),
        ("xyz", "error.verify.unknown-figure", ""),
    ):
        with pytest.raises(InputError) as caught:
            verify_figure(tmp_path, tmp_path / "x", id)
        assert (caught.value.id, caught.value.arguments["near"]) == (text, Quoted(near))
        assert text in all_texts()
