"""The same released data on another processor: linear algebra and logarithms differ there in their last digits."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import tomli_w

from ppdm_desktop.engine.samples import sample_files

OLDER_PROCESSOR = {
    "NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4 AVX512_ICL AVX512_SPR",
    "OPENBLAS_CORETYPE": "Nehalem",
    "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-AVX512F",
}
"""What has NumPy, linear algebra and the C library take the code they have for a processor without AVX2 and FMA."""
CASES = (
    ("employees", "two-phase-noise"),
    ("employees", "condensation"),
    ("employees", "microaggregation"),
    # Names alone: many steps of its search gain the same, and many records lie equally far along an axis.
    ("salary-offers", "condensation"),
)
LAST_DIGITS = """
import hashlib, numpy
values = numpy.linspace(0.1, 9, 5000).reshape(50, 100)
found = numpy.exp(values), numpy.log(values), values @ values.T
print(hashlib.sha256(b"".join(each.tobytes() for each in found)).hexdigest())
"""


RELEASED = """
import hashlib, pathlib, sys
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.load import read_recipe
from ppdm_desktop.engine.release.candidate.pipeline import prepare, run_candidate
from ppdm_desktop.engine.table.writing.registry import find_writer
source, recipe = map(pathlib.Path, sys.argv[1:])
candidate = run_candidate(prepare(source, read_recipe(recipe)), Key.from_seed(7))
print(hashlib.sha256(find_writer("csv").write(candidate.released, guarded=True).data).hexdigest())
"""


def printed(script: str, *words: str | Path, **more: str) -> str:
    """Return what a script prints in a process of its own, on this processor or as on another one."""
    command = [sys.executable, "-c", script, *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ, **more}).stdout


@pytest.mark.thorough
@pytest.mark.skipif(
    sys.platform != "linux" or platform.machine() != "x86_64", reason="another processor is played on Linux alone"
)
def test_the_same_data_on_a_processor_with_other_last_digits(tmp_path: Path) -> None:
    if printed(LAST_DIGITS) == printed(LAST_DIGITS, **OLDER_PROCESSOR):
        pytest.skip("this processor computes as the older one does")
    for sample, method in CASES:
        data, text = sample_files(sample, rows=200)
        source, recipe = tmp_path / f"{sample}.csv", tmp_path / "recipe.toml"
        source.write_bytes(data)
        document = {**tomllib.loads(text), "steps": [{"method": method}], "release": {"type": "internal"}}
        document.pop("accept", None)
        recipe.write_text(tomli_w.dumps(document), "utf-8")
        here, there = (printed(RELEASED, source, recipe, **way) for way in ({}, OLDER_PROCESSOR))
        assert here == there, (sample, method)
