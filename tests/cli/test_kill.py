"""Killed at any moment, a release is complete or absent; the next run leaves no orphans."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from support import Command, Job, accepting

_KILLS = 100


def _arguments(job: Job) -> list[str]:
    parts = ["release", job.source, "--recipe", job.recipe, "--out", job.out, "--seed", 1, "--replace", *accepting()]
    return [sys.executable, "-m", "ppdm_desktop", *map(str, parts)]


def _complete(out: Path, command: Command, source: Path) -> bool:
    return command("verify", out, "--input", source).code == 0


@pytest.mark.slow
def test_killed_at_random_moments(job: Job, command: Command) -> None:
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    started = time.monotonic()
    subprocess.run(_arguments(job), check=True, env=environment, capture_output=True)
    whole = time.monotonic() - started
    good = (job.out / "release" / "data.csv").read_bytes()
    moments = np.random.default_rng(20261121)
    absent = landed = 0
    for _ in range(_KILLS):
        # Half of the kills while the old release stands, half with nothing there; most of
        # them late, when files are being written.
        if moments.random() < 0.5 and job.out.exists():
            subprocess.run(["rm", "-r", str(job.out)], check=True)
        wait = whole * (0.5 + 0.6 * moments.random())
        child = subprocess.Popen(_arguments(job), env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            child.wait(timeout=wait)
        except subprocess.TimeoutExpired:
            child.send_signal(signal.SIGKILL)
            child.wait()
        if job.out.exists():
            landed += 1
            assert (job.out / "release" / "data.csv").read_bytes() == good
            assert _complete(job.out, command, job.source)
        else:
            absent += 1
    assert landed > 0
    assert absent > 0
    subprocess.run(_arguments(job), check=True, env=environment, capture_output=True)
    left = {path.name for path in job.folder.iterdir()}
    assert left == {"people.csv", "people.recipe.toml", "out"}
    assert _complete(job.out, command, job.source)
