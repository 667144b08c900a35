"""The kernels of the linear algebra that processors have of their own, and how to compute as another one does.

NumPy brings OpenBLAS with code for many processors and takes the code of the one that it runs on. Each adds products
in an order of its own, so that sums differ in their last digits. ``OPENBLAS_CORETYPE`` has it take the code of an
older processor; that of a newer one ends the process.
"""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache

import pytest

KERNELS = {
    "SkylakeX": {},
    "Haswell": {},
    "Sandybridge": {},
    "Nehalem": {
        "NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4 AVX512_ICL AVX512_SPR",
        "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-AVX512F",
    },
    "NEOVERSEN1": {},
    "ARMV8": {},
}
"""Each kernel with what else differs on its processor: of one without AVX2 and FMA also logarithms and exponentials."""
_SUMS = """
import numpy, threadpoolctl
values = numpy.linspace(0.1, 9, 5000).reshape(50, 100)
values @ values.T
print(*{pool["architecture"] for pool in threadpoolctl.threadpool_info() if pool["internal_api"] == "openblas"})
"""


def as_on(kernel: str, threads: int) -> dict[str, str]:
    """Return the environment of a process in which linear algebra works as on another processor."""
    count = str(threads)
    more = {"OPENBLAS_CORETYPE": kernel, "OPENBLAS_NUM_THREADS": count, "OMP_NUM_THREADS": count}
    return {**os.environ, **more, **KERNELS[kernel]}


@cache
def architecture(kernel: str | None = None) -> str | None:
    """Return the kernel that a process takes where one is asked for; None where it ends or has no OpenBLAS."""
    environment = {name: value for name, value in os.environ.items() if name != "OPENBLAS_CORETYPE"}
    environment = environment if kernel is None else as_on(kernel, 1)
    run = subprocess.run([sys.executable, "-c", _SUMS], env=environment, capture_output=True, text=True, check=False)
    return run.stdout.strip() or None if run.returncode == 0 else None


def runs(kernel: str) -> bool:
    """Say whether this processor can run a kernel; a name that OpenBLAS does not know leaves it with its own."""
    return architecture(kernel) == kernel


def other_kernel() -> str | None:
    """Return the oldest kernel that this processor can run beside its own; None where there is none."""
    own = architecture()
    return next((kernel for kernel in reversed(KERNELS) if kernel != own and runs(kernel)), None)


def skip_unless_it_runs(kernel: str) -> None:
    """Skip the test where this processor cannot run a kernel."""
    if not runs(kernel):
        pytest.skip(f"this processor cannot run the linear algebra of {kernel}")
