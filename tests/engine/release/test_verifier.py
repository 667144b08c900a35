"""The verifier in every release: silent on honest releases, and no changed figure escapes it."""

from __future__ import annotations

import hashlib
import io
import json
import re
import runpy
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from importlib import resources
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from gate_cases import make_candidate
from papers_support import restate_report
from support import reasons_for

from ppdm_desktop.engine.errors import GateBlocked
from ppdm_desktop.engine.release.writing.export import VERIFIER, export

ROWS = 60
COLUMNS: dict[str, Any] = {
    "city": [("Bonn", "Köln", "Ulm")[row % 3] for row in range(ROWS)],
    "age": [str(20 + row % 7) for row in range(ROWS)],
    "pay": ["" if row == 7 else f"{1000 + row * 37 % 400}.5" for row in range(ROWS)],
    "=note": [("-a", "'=b", "NA")[row % 4 % 3] for row in range(ROWS)],
}
ROLES: dict[str, Any] = {
    "city": "q",
    "age": {"role": "q", "kind": "numeric"},
    "pay": {"role": "c", "kind": "numeric"},
    "=note": "c",
}
METHODS: dict[str, tuple[str, dict[str, Any]]] = {
    "rounded": ("csv", {"method": "round", "columns": ["pay"], "parameters": {"base": 100}}),
    "grouped": ("xlsx", {"method": "mondrian", "columns": ["city", "age"], "parameters": {"k": 5}}),
    "suppressed": (
        "csv",
        {"method": "local-suppression", "columns": ["city", "age"], "parameters": {"k": 3, "most": 0.5}},
    ),
    "swapped": ("xlsx", {"method": "rank-swap", "columns": ["pay"]}),
    "artificial": ("csv", {"method": "condensation"}),
}
Change = Callable[[Path], None]


@pytest.fixture(scope="module", params=METHODS)
def release(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a release made by one method."""
    form, step = METHODS[request.param]
    folder = tmp_path_factory.mktemp(request.param)
    given: dict[str, Any] = {"input": {"one_row_per_person": True}, "steps": [step]}
    candidate = make_candidate(folder, COLUMNS, ROLES, "internal", release={"format": form}, **given)
    try:
        return export(candidate, folder / "out").path
    except GateBlocked as blocked:
        held = (blocked.report or {})["verdict"]["decision"]["blocked_by"]
        return export(candidate, folder / "out", accepts=reasons_for(held)).path


def check(folder: Path, *given: str) -> subprocess.CompletedProcess[str]:
    """Run the verifier that stands in the release, without any package."""
    command = [sys.executable, "-I", str(folder / "internal" / VERIFIER), *given]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)


MAIN = runpy.run_path(str(resources.files("ppdm_desktop.resources") / "verifier" / VERIFIER))["main"]


def check_here(folder: Path) -> tuple[int, str]:
    """Return the verifier's exit code and what it prints, run in this process."""
    said = io.StringIO()
    with mock.patch("sys.argv", ["", str(folder)]), redirect_stdout(said), redirect_stderr(said):
        return MAIN(), said.getvalue()


def test_an_honest_release_passes(release: Path) -> None:
    source = next(release.parent.glob("*.csv"))
    done = check(release, "--source", str(source))
    assert (done.returncode, "DIFFERENT" in done.stdout, done.stderr) == (0, False, "")
    assert int(done.stdout.split()[-5]) > 30


def edit(file: str, change: Callable[[Any], None], folder: Path) -> None:
    """Change a JSON file of ``internal/`` in place."""
    path = folder / "internal" / file
    document = json.loads(path.read_text("utf-8"))
    change(document)
    path.write_text(json.dumps(document), "utf-8")


def is_hidden(folder: Path, key: str) -> bool:
    """Return whether the verifier says that it does not compare a figure."""
    said = check_here(folder)[1]
    return f"{key}: not possible" in said or ("not counted: rows are artificial" in said and "rows_" not in key)


def set_at(key: str, folder: Path) -> None:
    """Raise the figure at a dotted path of report.json by one; skip the test where the release has no such figure."""

    def change(report: Any) -> None:
        """Change the figure."""
        *path, last = (int(part) if part.isdigit() else part for part in key.split("."))
        for part in path:
            report = report[part] if report and (not isinstance(part, int) or part < len(report)) else None
        if not report or report[last] is None:
            pytest.skip("the release has no such figure")
        if key.startswith("verdict.") and is_hidden(folder, key):
            pytest.skip("the figure needs the key")
        report[last] = report[last] + 1 if isinstance(report[last], int | float) else f"{report[last]}x"

    edit("report.json", change, folder)


def empty_a_cell(folder: Path) -> None:
    """Change one cell of the data file."""
    (path,) = (folder / "release").glob("data.*")
    path.write_bytes(path.read_bytes().replace(b"Ulm", b"Ull", 1) if path.suffix == ".csv" else b"PK")


def write_log(folder: Path, *, changed: bool) -> None:
    """Write a log of two lines, the first of them changed afterwards where wanted, and print its head in the report."""
    before, lines = "0" * 64, []
    for number, event in enumerate(("opened", "released"), start=1):
        line: dict[str, Any] = {"n": number, "event": event, "who": "Zoë", "prev": before}
        text = json.dumps(line, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        before = hashlib.sha256((before + text).encode("utf-8")).hexdigest()
        lines.append(json.dumps({**line, "hash": before}, ensure_ascii=False))
    text = "\n".join(lines) + "\n"
    (folder / "internal/decisions.jsonl").write_text(text.replace("opened", "closed") if changed else text, "utf-8")
    edit("report.json", lambda report: report.update(log={"length": 2, "head": before}), folder)


def raise_in_dossier(folder: Path) -> None:
    """Raise the number of rows read in the values of the papers by one."""

    def change(dossier: Any) -> None:
        """Change the text of the figure."""
        cells = (cell for row in dossier["values"]["fact:source"][0]["rows"] for cell in row)
        next(cell for cell in cells if cell["paths"] == ["/input/rows_read"])["text"] = str(ROWS + 1)

    edit("dossier.json", change, folder)


FIGURES = (
    "release.rows", "release.columns", "release.data_sha256", "verdict.rows_released", "columns.0.distinct_after",
    "columns.1.distinct_after", "columns.0.name", "columns.3.missing", "files.0.sha256", "files.1.bytes",
    "verdict.classes.k", "verdict.classes.below", "verdict.classes.of", "verdict.singled.by_others",
    "verdict.singled.by_all_but_secret", "verdict.singled.by_all",
    "verdict.beliefs.0.by_all.proved",
    *(f"risk.after.scope.{scope}.{key}" for scope in ("quasi_identifiers", "released")
      for key in ("records", "k", "equivalence_classes", "class_sizes.0.records", "prosecutor_mean", "marketer",
                  "share_over_threshold")),
)  # fmt: skip


def _break_report(folder: Path) -> None:
    """Leave half a JSON document."""
    (folder / "internal/report.json").write_text("{", "utf-8")


CHANGES: dict[str, tuple[int, Change]] = {
    **{key: (3, partial(set_at, key)) for key in FIGURES},
    "data file": (3, empty_a_cell),
    "page": (3, lambda folder: _replace(folder / "internal/report.html", r'(<data value=")(\d)', r"\g<1>1\2")),
    "log": (0, partial(write_log, changed=False)),
    "log changed": (3, partial(write_log, changed=True)),
    "papers changed": (3, raise_in_dossier),
    "report alone": (3, lambda folder: edit("report.json", lambda report: report["program"].update(rules=0), folder)),
    "no report": (2, _break_report),
}


def _replace(path: Path, pattern: str, text: str) -> None:
    """Replace the first match in a text file."""
    path.write_text(re.sub(pattern, text, path.read_text("utf-8"), count=1), "utf-8")


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_is_caught_although_the_manifest_agrees(release: Path, tmp_path: Path, name: str) -> None:
    folder = tmp_path / "out"
    shutil.copytree(release, folder)
    expected, change = CHANGES[name]
    change(folder)
    if name not in ("papers changed", "report alone", "no report"):
        restate_report(folder)
    manifest = folder / "internal/manifest.json"
    unlisted = {manifest, folder / "internal/release.key", folder / "internal/decisions.jsonl"}
    listed = {path for path in folder.rglob("*") if path.is_file()} - unlisted
    hashes = {path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in listed}
    manifest.write_text(json.dumps({"format": 1, "files": hashes}), "utf-8")
    is_workbook = name == "data file" and (folder / "release/data.xlsx").exists()
    code, said = check_here(folder)
    assert code == (2 if is_workbook else expected), said


@pytest.mark.parametrize("name", ["release/data-dictionary.csv", "internal/report.html", "release/another.csv"])
def test_a_file_that_differs_from_the_manifest_is_caught(release: Path, tmp_path: Path, name: str) -> None:
    folder = tmp_path / "out"
    shutil.copytree(release, folder)
    with (folder / name).open("ab") as file:
        file.write(b" ")
    assert f"file {name}" in check_here(folder)[1]


def test_the_verifier_is_short_and_needs_no_package() -> None:
    file = resources.files("ppdm_desktop.resources") / "verifier" / VERIFIER
    text = file.read_text("utf-8")
    assert len(text.splitlines()) <= 400
    imported = set(re.findall(r"^(?:import|from) (\w+)", text, re.MULTILINE))
    assert imported <= sys.stdlib_module_names
