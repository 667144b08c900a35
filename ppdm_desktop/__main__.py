"""The entry point of the program: opens the window, or runs a command of the command line."""

from __future__ import annotations

import mmap
import multiprocessing
import os
import sys

# One thread for linear algebra: sums in another order could change a released value.
for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"):
    os.environ[_name] = "1"
# Without it joblib asks another program of the system how many processors there are.
os.environ["LOKY_MAX_CPU_COUNT"] = "1"

_LEAST_MEMORY = 128 * 2**20
"""Bytes that must be free to begin at all."""


def main() -> int:
    """Open the window, or run the command named on the command line, and return the exit code of the program.

    The code is 1 if there is not enough memory to start, if a part does not load, or if Ctrl+C stops it while it loads.
    """
    multiprocessing.freeze_support()
    try:
        # Libraries that find no room while they load may end the process with words of their own.
        mmap.mmap(-1, _LEAST_MEMORY).close()
    except (OSError, MemoryError) as error:
        return _report_load_failure(error)
    try:
        from ppdm_desktop.cli.crash_file import prevent_core_dumps
        from ppdm_desktop.cli.main import run

        prevent_core_dumps()
        return run(sys.argv[1:])
    except KeyboardInterrupt:
        # While the parts are loaded there is no console and no language yet; later the command line says more.
        if sys.stderr is not None:
            sys.stderr.write("error: Stopped before the work began. Nothing was written.\n")
        return 1
    except (MemoryError, ImportError) as error:
        return _report_load_failure(error)


def _report_load_failure(error: Exception) -> int:
    """Print why the program cannot start (no memory left, or an incomplete installation) and what to do; return 1.

    On Windows without a console, the message is shown in a message box. The 1 is the exit code.
    """
    message = str(error).casefold()
    starved = isinstance(error, OSError | MemoryError) or "memory" in message or "failed to map" in message
    kind = "There is not enough memory to start" if starved else "A part of the program does not load"
    text = f"{kind}. Nothing was written. Close other programs, or install it again."
    if sys.stderr is not None:
        sys.stderr.write(f"error: {text}\n")
    elif sys.platform == "win32":
        from ppdm_desktop.cli.streams import show_message_box

        show_message_box("PPDM Desktop", text)
    return 1


if __name__ == "__main__":
    sys.exit(main())
