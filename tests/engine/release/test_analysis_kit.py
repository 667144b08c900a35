"""The analysis kit: what it says of the noise, that gate and verify see it, and that its script corrects results."""

from __future__ import annotations

import hashlib
import json
import math
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import kit_support
import numpy as np
import pytest
from gate_cases import make_candidate
from ill_people import CONFIRMED, NOISE, ROLES, people
from support import reasons_for

from ppdm_desktop.engine.errors import RecipeError
from ppdm_desktop.engine.noise.kernels import NoiseLaw as Law
from ppdm_desktop.engine.noise.kernels import level_kernel
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.evaluate.release_files import build_release_files
from ppdm_desktop.engine.release.gate.base import find_check
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.measures.analyses import known_noise
from ppdm_desktop.engine.release.measures.analysis_kit import noise_law
from ppdm_desktop.engine.release.measures.utility import measure
from ppdm_desktop.engine.release.top_up.previous_release import read_released
from ppdm_desktop.engine.release.verify import DIFFERENT, IDENTICAL, verify
from ppdm_desktop.engine.release.writing.export import evaluate, export
from ppdm_desktop.engine.release.writing.zip import pack_release
from ppdm_desktop.engine.report.public.analysis_kit import KIT, LAW, R_SCRIPT, README, SCRIPT, kit_script

FILES = {README, LAW, SCRIPT, R_SCRIPT}


def made(folder: Path, *, kit: bool = True, step: dict[str, Any] | None = None, **more: Any) -> Candidate:
    release = {"type": "internal", "analysis_kit": kit, **more.pop("release", {})}
    columns = more.pop("columns", None) or people(600)
    given = {"steps": [step or {**NOISE, "parameters": {"snr": 1.0}}], "release": release, **CONFIRMED, **more}
    return make_candidate(folder, columns, ROLES, **given)


def written(candidate: Candidate, out: Path) -> Path:
    checks = evaluate(candidate).checks
    accepts = reasons_for(each.id for each in checks if each.status in ("amber", "not-run"))
    return export(candidate, out, accepts=accepts).path / "release"


def evidence_of(candidate: Candidate) -> Evidence:
    return build_release_files(candidate, measure(candidate), lambda _, data: data)


def status(evidence: Evidence, check: str) -> str:
    return find_check(check).judge(evidence).status


# --- the folder ---------------------------------------------------------------------------


@pytest.mark.thorough
def test_a_kit_is_in_the_folder_the_manifest_the_archive_and_the_note(tmp_path: Path) -> None:
    candidate = made(tmp_path)
    release = written(candidate, tmp_path / "out")
    assert {each.name for each in (release / KIT).iterdir()} == FILES
    listed = json.loads((tmp_path / "out/internal/manifest.json").read_text())["files"]
    assert {f"release/{KIT}/{name}" for name in FILES} <= set(listed)
    for name in (SCRIPT, R_SCRIPT):
        assert (release / KIT / name).read_bytes() == kit_script(name)
    assert KIT in (release / "release-note.html").read_text()
    pack_release(tmp_path / "out", tmp_path / "release.zip")
    with zipfile.ZipFile(tmp_path / "release.zip") as archive:
        assert {f"release/{KIT}/{name}" for name in FILES} <= set(archive.namelist())
    assert verify(tmp_path / "out", candidate.prepared.path).result == IDENTICAL


def test_nobody_gets_one_who_did_not_ask_and_the_data_are_the_same(tmp_path: Path) -> None:
    without, with_kit = made(tmp_path / "a", kit=False), made(tmp_path / "b")
    one, other = written(without, tmp_path / "one"), written(with_kit, tmp_path / "other")
    assert not (one / KIT).exists()
    assert KIT not in (one / "release-note.html").read_text()
    assert [column.name for column in read_released(tmp_path / "other")] == list(with_kit.released.names)
    assert without.prepared.draws_sha256 == with_kit.prepared.draws_sha256
    assert (one / "data.csv").read_bytes() == (other / "data.csv").read_bytes()


@pytest.mark.parametrize("name", sorted(FILES))
def test_verify_sees_a_kit_that_was_changed_or_lost(tmp_path: Path, name: str) -> None:
    candidate = made(tmp_path)
    file = written(candidate, tmp_path / "out") / KIT / name
    file.write_bytes(file.read_bytes() + b" ")
    found = verify(tmp_path / "out", candidate.prepared.path)
    assert found.result == DIFFERENT
    assert [(each.path, each.state) for each in found.files] == [(f"release/{KIT}/{name}", "changed")]
    file.unlink()
    found = verify(tmp_path / "out", candidate.prepared.path)
    assert [(each.path, each.state) for each in found.files] == [(f"release/{KIT}/{name}", "missing")]


def test_verify_makes_the_kit_again(tmp_path: Path) -> None:
    """A law that was changed together with the manifest is still another than that of the run."""
    candidate = made(tmp_path)
    file = written(candidate, tmp_path / "out") / KIT / LAW
    manifest = tmp_path / "out/internal/manifest.json"
    listed = json.loads(manifest.read_text())
    file.write_bytes(file.read_bytes().replace(b'"gaussian"', b'"uniform"'))
    listed["files"][f"release/{KIT}/{LAW}"] = hashlib.sha256(file.read_bytes()).hexdigest()
    manifest.write_text(json.dumps(listed))
    found = verify(tmp_path / "out", candidate.prepared.path)
    assert (found.result, found.reason.id) == (DIFFERENT, "verify.different.kit")


def test_a_kit_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecipeError) as error:
        export(made(tmp_path / "a", release={"format": "xlsx"}), tmp_path / "out")
    assert error.value.id == "error.export.kit-format"
    other = {"method": "microaggregation", "columns": ["Wage"]}
    with pytest.raises(RecipeError) as error:
        export(made(tmp_path / "b", step=other), tmp_path / "out")
    assert error.value.id == "error.export.kit-no-noise"
    assert not (tmp_path / "out").exists()


# --- what it may say ----------------------------------------------------------------------


def test_traces_in_the_kit_are_seen(tmp_path: Path) -> None:
    evidence = evidence_of(made(tmp_path))
    kit = {**evidence.texts.kit, README: evidence.texts.kit[README] + b"written at 2026-11-23T10:11:12\n"}
    assert status(replace(evidence, texts=replace(evidence.texts, kit=kit)), "metadata") == "red"


def test_the_law_is_that_of_the_noise_rounded(tmp_path: Path) -> None:
    rules = {"rules": [{"where": [{"column": "Sex", "equals": "s1"}], "level": "paranoid"}]}
    candidate = made(tmp_path, privacy=rules)
    law = noise_law(candidate, "data.csv")
    (group,) = law.noise
    assert group.columns == ["Wage"]
    assert sum(group.shares) == pytest.approx(1.0, abs=1e-12)
    assert group.bounds == [(0.0, 100.0)]
    known = known_noise(candidate)["Wage"]
    variance = float(np.array(group.shares) @ np.array(group.sd[0]) ** 2)
    assert variance == pytest.approx(known.variance, rel=1e-3)
    kit = kit_support.kit_module()
    whole = kit.noise_covariance(law.model_dump(mode="json"), ["Wage"])[0, 0]
    assert whole == pytest.approx(known.variance + known.cell_term, rel=3e-3)
    said = evidence_of(candidate).texts.kit[LAW].decode()
    assert "paranoid" not in said
    for value in [*group.sd[0], *group.band[0]]:
        assert value == float(f"{value:.4g}")
    assert all(share == round(share, 2) for share in group.shares)


def test_a_level_of_a_few_people_is_not_told_apart(tmp_path: Path) -> None:
    """Two of 600 people ask for more: their noise is in the variance, but nobody reads that they are two."""
    columns = people(600)
    columns["Sex"] = ["s2" if row in (3, 70) else value for row, value in enumerate(columns["Sex"])]
    rules = {"rules": [{"where": [{"column": "Sex", "equals": "s2"}], "level": "paranoid"}]}
    candidate = made(tmp_path, columns=columns, privacy=rules)
    levels = candidate.steps[0].result.detail["columns"]["Wage"]["levels"]
    assert sorted(each["records"] for each in levels) == [2, 598]
    (group,) = noise_law(candidate, "data.csv").noise
    assert group.shares == [1.0]
    assert group.sd[0][0] ** 2 == pytest.approx(known_noise(candidate)["Wage"].variance, rel=1e-3)


def test_bounds_from_the_data_are_not_said(tmp_path: Path) -> None:
    roles = {**ROLES, "Wage": {"role": "c", "kind": "numeric"}}
    step = {**NOISE, "parameters": {"snr": 1.0, "intervals": 10}}
    release = {"type": "internal", "analysis_kit": True}
    candidate = make_candidate(tmp_path, people(600), roles, steps=[step], release=release, **CONFIRMED)
    detail = candidate.steps[0].result.detail["columns"]["Wage"]
    assert detail["bounds_source"] == "data"
    (group,) = noise_law(candidate, "data.csv").noise
    assert (group.bounds, group.band, group.step) == ([None], [[0.0]], [0.0])
    known = known_noise(candidate)["Wage"]
    assert known.cell_term > 0.01 * known.variance
    assert group.sd[0][0] ** 2 == pytest.approx(known.variance + known.cell_term, rel=1e-3), "the strength holds them"


def test_columns_that_another_step_went_over_are_not_in_it(tmp_path: Path) -> None:
    steps = [{**NOISE, "columns": ["Wage"]}, {"method": "microaggregation", "columns": ["Wage"]}]
    candidate = make_candidate(
        tmp_path, people(600), ROLES, steps=steps, release={"type": "internal", "analysis_kit": True}, **CONFIRMED
    )
    assert noise_law(candidate, "data.csv").noise == []
    assert evidence_of(candidate).texts.kit == {}


def test_shares_of_changed_categories_can_be_corrected(tmp_path: Path) -> None:
    """The kit states the chance of a new draw and the shares; by them the share of a part of the table is right."""
    columns, roles = people(4_000), {**ROLES, "Illness": "c", "Wage": "o"}
    columns["Illness"] = ["rare" if row < 3 else text for row, text in enumerate(columns["Illness"])]
    true = np.array(columns["Wage"]).astype(int) > 50
    given = {"steps": [{"method": "pram", "columns": ["Illness"], "parameters": {"swap": 0.3}}], **CONFIRMED}
    candidate = make_candidate(tmp_path, columns, roles, release={"type": "internal", "analysis_kit": True}, **given)
    evidence = evidence_of(candidate)
    assert set(evidence.texts.kit) == {README, LAW}
    assert status(evidence, "release-text") == "green"
    (stated,) = noise_law(candidate, "data.csv").categories
    truth, shown = (np.array(table.column("Illness").values()) for table in (candidate.prepared.table, candidate.final))
    assert set(stated.shares) == {text for text in set(shown) if (shown == text).sum() >= 3}
    for text in ("i0", "i1"):
        share, people_in_part = float((shown[true] == text).mean()), int(true.sum())
        corrected = (share - stated.redrawn * stated.shares[text]) / (1 - stated.redrawn)
        error = (share * (1 - share) / people_in_part) ** 0.5 / (1 - stated.redrawn)
        assert abs(corrected - (truth[true] == text).mean()) < 4 * error
        assert abs(share - (truth[true] == text).mean()) > 4 * error


# --- what the script makes of it ----------------------------------------------------------


def run(script: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-I", str(script), *arguments], capture_output=True, text=True, check=True, cwd=script.parent
    )
    return done.stdout


def test_the_script_runs_with_nothing_but_the_release_folder(tmp_path: Path) -> None:
    columns = people(3000)
    release = written(made(tmp_path, columns=columns), tmp_path / "out")
    moved = release.rename(tmp_path / "received")
    script = moved / KIT / SCRIPT
    wage = np.array(columns["Wage"], dtype=float)
    rows = {line.split()[0]: line.split() for line in run(script).splitlines()[4:] if line.startswith("Wage")}
    estimate, low, high = map(float, rows["Wage"][1:])
    assert low < wage.std(ddof=1) < high
    assert abs(estimate - wage.std(ddof=1)) < 1.5
    shown = run(script, "--regression", "Age", "Wage")
    assert "(intercept)" in shown
    bayes = run(script, "--naive-bayes", "Illness", "Wage")
    ill = np.array(columns["Illness"]) == "i1"
    part = bayes[bayes.index("Illness = i1") :].splitlines()[2].split()
    assert float(part[2]) < wage[ill].mean() < float(part[3])
    bars = [line.split() for line in run(script, "--histogram", "Wage", "--bars", "5").splitlines()[1:6]]
    found = np.array([float(each[3]) for each in bars])
    true = np.histogram(wage, np.linspace(0, 100, 6))[0] / len(wage)
    assert np.abs(found - true).sum() < 0.15
    noisy = np.histogram(made(tmp_path, columns=columns).final.column("Wage").numbers, np.linspace(0, 100, 6))[0] / 3000
    assert np.abs(found - true).sum() < 0.75 * np.abs(noisy - true).sum(), "nearer than as released"


def test_corrected_slopes_are_covered_and_those_of_the_noisy_values_are_off() -> None:
    """Of one year more of age, pay grows by two; both are shown with noise as large as their spread."""
    kit = kit_support.kit_module()
    rng = np.random.default_rng(3)
    noise = np.diag([24.0, 12.0, 7.0]) ** 2
    inside, slopes, uncorrected = 0, [], []
    for _ in range(100):
        age = rng.normal(45, 12, 800)
        years = 0.4 * (age - 45) + rng.normal(10, 5, 800)
        pay = 100 + 2 * age + 3 * years + rng.normal(0, 15, 800)
        shown = np.column_stack([pay, age, years]) + rng.multivariate_normal([0, 0, 0], noise, 800)
        slope, low, high = (each[1] for each in kit.regression(shown, noise))
        inside += low <= 2 <= high
        slopes.append(slope)
        uncorrected.append(np.linalg.lstsq(shown[:, 1:] - shown[:, 1:].mean(axis=0), shown[:, 0], rcond=None)[0][0])
    assert inside >= 90
    assert abs(np.median(slopes) - 2) < 0.25
    assert np.median(uncorrected) < 1.4


def test_intervals_of_spreads_and_covariances_cover(tmp_path: Path) -> None:
    kit = kit_support.kit_module()
    rng = np.random.default_rng(1)
    truth = np.array([[4.0, 1.5], [1.5, 9.0]])
    noise = np.array([[4.0, 0.0], [0.0, 9.0]])
    inside = np.zeros((2, 2))
    for _ in range(300):
        x = rng.multivariate_normal([0, 0], truth, 400)
        w = x + rng.multivariate_normal([0, 0], noise, 400)
        _, low, high = kit.covariance(w, noise)
        inside += (low <= truth) & (truth <= high)
    assert (inside / 300 > 0.92).all()
    assert (inside / 300 < 0.985).all(), "not because they are too wide"


@pytest.mark.parametrize("law", ["gaussian", "uniform"])
def test_the_scripts_kernel_is_the_programs(law: str) -> None:
    kit = kit_support.kit_module()
    bars, cells = np.linspace(0, 10, 11), np.linspace(-8, 18, 27)
    group = {"law": law, "shares": [1.0], "sd": [[3.0]], "band": [[0.0]], "step": [0.0], "reflected_at": [None]}
    group["reflected_above"] = [None]
    ours = level_kernel(Law(law, 3.0), bars, cells, cell_width=None)  # type: ignore[arg-type]
    np.testing.assert_allclose(kit.kernel(law, group, 0, bars, cells), ours, atol=1e-9)
    assert math.isclose(kit.kernel(law, group, 0, bars, cells)[:, 0].sum(), 1.0)
    bars, cells = np.arange(-0.5, 11), np.arange(-0.5, 31)
    for band, width in ((0.0, None), (4.0, 4.0)):
        for top, period in ((None, None), (11.5, 24.0)):
            turned = {**group, "band": [[band]], "reflected_at": [-0.5], "reflected_above": [top]}
            straight = Law(law, 3.0, period)  # type: ignore[arg-type]
            ours = level_kernel(straight, bars, cells, cell_width=width, origin=-0.5, reflected=True)
            np.testing.assert_allclose(kit.kernel(law, turned, 0, bars, cells), ours, atol=1e-9)
