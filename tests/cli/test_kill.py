"""Killed while it writes, a release is complete or absent; the next run leaves no orphans."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest
from support import Command, Job, accepting


def run(job: Job, wait: float | None = None) -> int:
    """Return the status of a release in a process of its own, killed when it is not done after so many seconds."""
    parts = ["release", job.source, "--recipe", job.recipe, "--out", job.out, "--seed", 1, "--replace", *accepting()]
    command = [sys.executable, "-m", "ppdm_desktop", *map(str, parts)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            return process.wait(wait)
        except subprocess.TimeoutExpired:
            process.kill()
            return process.wait() or 1


@pytest.mark.slow
@pytest.mark.thorough
def test_killed_at_late_moments(job: Job, command: Command) -> None:
    """Few moments, all of them late, when files are written; each operation: ``test_killed_at_any_operation``."""
    started = time.monotonic()
    assert run(job) == 0
    whole = time.monotonic() - started
    good = (job.out / "release" / "data.csv").read_bytes()
    for share in (0.75, 0.9):
        run(job, whole * share)
        # The next command brings back what was moved aside, where the system cannot exchange two folders.
        assert command("verify", job.out, "--input", job.source).code == 0
        assert (job.out / "release" / "data.csv").read_bytes() == good
    assert run(job) == 0
    assert {path.name for path in job.folder.iterdir()} == {"people.csv", "people.recipe.toml", "out"}
