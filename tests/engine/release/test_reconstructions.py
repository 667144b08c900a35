"""The curves of a candidate: original, perturbed, reconstructed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cases import case_rows
from support import write_lines

from ppdm_desktop.engine.errors import Cancelled
from ppdm_desktop.engine.methods.base.declaration import METHODS
from ppdm_desktop.engine.methods.two_phase_noise import TwoPhaseNoise
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.load import parse_recipe
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.candidate.pipeline import prepare, run_candidate
from ppdm_desktop.engine.release.measures.analyses import known_noise
from ppdm_desktop.engine.release.measures.noise_reconstruction import (
    MOST_CELLS,
    classes_to_reconstruct,
    reconstruction_curves,
    support_edges,
)

ROWS = 4000
LEVELS = ("normal", "paranoid")
AGE: dict[str, Any] = {"role": "confidential", "kind": "numeric", "bounds": [17, 90]}


def released(path: Path, names: list[str], rows: Iterable[Sequence[object]], **recipe: Any) -> Candidate:
    """Write a table and run a recipe on it; ages are confidential."""
    write_lines(path, names, rows)
    document = {"recipe": 1, "input": {"one_row_per_person": True}, "release": {"type": "internal"}, **recipe}
    return run_candidate(prepare(path, parse_recipe(document)), Key.from_seed(3))


def crowd() -> tuple[list[bool], list[int]]:
    """Return who is old, and the ages of a two-peaked crowd."""
    rng = np.random.default_rng(12)
    old = rng.random(ROWS) < 0.4
    ages = np.clip(np.where(old, rng.normal(70, 5, ROWS), rng.normal(32, 5, ROWS)), 17, 90).round().astype(int)
    return old.tolist(), ages.tolist()


def candidate(folder: Path, *steps: dict[str, object]) -> Candidate:
    """Ages with gaps, a plain column beside them, and two levels."""
    rows = (
        (1000 + row % 700, "" if row % 50 == 0 else age, LEVELS[row % 4 == 0]) for row, age in enumerate(crowd()[1])
    )
    columns = {
        "pay": {"role": "confidential", "kind": "numeric"},
        "age": AGE,
        "level": {"role": "privacy-level"},
    }
    names, privacy = ["pay", "age", "level"], {"column": "level"}
    return released(folder / "people.csv", names, rows, columns=columns, privacy=privacy, steps=list(steps))


def with_peaks(folder: Path) -> Candidate:
    """Ages beside the peak that each belongs to."""
    old, ages = crowd()
    rows = zip(ages, ("old" if each else "young" for each in old), strict=True)
    columns = {"age": AGE, "peak": {"role": "other", "kind": "nominal"}}
    return released(folder / "peaks.csv", ["age", "peak"], rows, columns=columns, steps=[noise(snr=1.0)])


def noise(**parameters: Any) -> dict[str, object]:
    return {"method": "two-phase-noise", "columns": ["age"], "parameters": parameters}


@pytest.mark.parametrize("declared", [True, False])
def test_noise_is_known_where_its_method_declares_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, declared: bool
) -> None:
    class Noise(TwoPhaseNoise):
        id, adds_known_noise = "trial-noise", declared

    monkeypatch.setitem(METHODS._entries, Noise.id, Noise())
    made = candidate(tmp_path, {**noise(snr=4.0), "method": Noise.id})
    wanted = ["age"] if declared else []
    assert [curve.column for curve in reconstruction_curves(made)] == wanted
    assert list(known_noise(made)) == wanted


@pytest.mark.parametrize("parameters", [{}, {"mode": "faithful"}, {"phases": "one"}, {"noise": "uniform"}])
def test_the_original_comes_back(tmp_path: Path, parameters: dict[str, object]) -> None:
    made = candidate(tmp_path, noise(snr=4.0, **parameters))
    (curve,) = reconstruction_curves(made)
    assert curve.column == "age"
    assert curve.settled
    assert curve.notes == ()
    assert not curve.level_known
    assert curve.l1_reconstructed < 0.6 * curve.l1_perturbed
    for shares in (curve.original, curve.reconstructed):
        assert shares.sum() == pytest.approx(1.0)
        assert len(shares) == len(curve.edges) - 1
    assert curve.perturbed.sum() + curve.beyond == pytest.approx(1.0)
    assert 0 <= curve.beyond <= 0.003
    assert curve.l1_perturbed == pytest.approx(np.abs(curve.perturbed - curve.original).sum() + curve.beyond)


def test_the_shares_are_those_of_the_tables(tmp_path: Path) -> None:
    made = candidate(tmp_path, noise())
    (curve,) = reconstruction_curves(made)
    before, after = made.prepared.table.column("age"), made.released.column("age")
    assert int((~before.missing).sum()) == ROWS - ROWS // 50
    for column, shares in ((before, curve.original), (after, curve.perturbed)):
        values = column.numbers[~column.missing]
        counted = [
            np.mean((values >= low) & (values < high))
            for low, high in zip(curve.edges[:-1], curve.edges[1:], strict=True)
        ]
        assert shares == pytest.approx(counted)


@pytest.mark.parametrize(
    ("step", "bounds", "h", "expected"), case_rows("reconstructions-the-cells-of-the-support", lists=True)
)
def test_the_cells_of_the_support(step: float, bounds: list[float], h: float, expected: float) -> None:
    edges = support_edges({"step": step, "bounds": bounds, "h": h, "origin": bounds[0] - step / 2})
    assert np.diff(edges) == pytest.approx(np.full(len(edges) - 1, expected))
    assert len(edges) - 1 <= MOST_CELLS
    assert edges[-1] > bounds[1] > edges[-2]


def test_the_work_can_be_stopped(tmp_path: Path) -> None:
    made = candidate(tmp_path, noise())
    progress = Progress()
    progress.cancel()
    with pytest.raises(Cancelled):
        progress.run(reconstruction_curves, made)


def test_curves_by_class_put_the_classes_together_again(tmp_path: Path) -> None:
    made = candidate(tmp_path, noise(snr=1.0))
    assert classes_to_reconstruct(made) == (), "there is no released column with few values"
    peaks = with_peaks(tmp_path)
    assert classes_to_reconstruct(peaks) == ("peak",)
    (together,) = reconstruction_curves(peaks)
    (by,) = reconstruction_curves(peaks, by="peak")
    assert (together.by, by.by) == (None, "peak")
    assert by.reconstructed.sum() == pytest.approx(1.0)
    assert by.original.tolist() == together.original.tolist()
    assert by.l1_reconstructed < together.l1_reconstructed
