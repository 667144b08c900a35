"""Closing the window while work is deaf: does every process end by itself, without an abort?

Each close is a process of its own (a fork of one that has loaded the program, so that loading is paid once). Its
window starts work that sleeps for a minute without looking up, is closed at once, and has to be gone with status 0
before the work is. Counted are processes that ended otherwise: by a signal (Qt aborts where a thread at work is
destroyed), with another status, or not in time. Run from the repository's root:

    python -m tests.benchmarks.closing
    python -m tests.benchmarks.closing --closes 10
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

DEAF = 60.0
"""Seconds that the work sleeps; and about the time after which a close counts as one that did not end."""


def close_once(folder: Path) -> int:
    """Open the window, start deaf work, close; the status is that of the program."""
    from PySide6.QtCore import QTimer

    import ppdm_desktop.ui.app as app

    os.environ.update(QT_QPA_PLATFORM="offscreen", HOME=str(folder), XDG_CONFIG_HOME=str(folder))
    tempfile.tempdir = str(folder)
    build = app.build_window

    def built(*given: Any, **more: Any) -> Any:
        window = build(*given, **more)
        vars(window.context.dialogs)["ask"] = lambda *asked: "stop"

        def begin() -> None:
            window.runner.start("deaf", lambda: time.sleep(DEAF), window._job_ended)
            QTimer.singleShot(20, window.close)

        QTimer.singleShot(0, begin)
        return window

    vars(app)["build_window"] = built
    return app.run_window([])


def ended(folder: Path) -> str:
    """Close in a fork and return how it ended."""
    number = os.fork()
    if number == 0:
        status = 70
        try:
            status = close_once(folder)
        finally:
            os._exit(status)
    until = time.monotonic() + DEAF - 5
    while time.monotonic() < until:
        done, status = os.waitpid(number, os.WNOHANG)
        if done:
            return f"status {os.WEXITSTATUS(status)}" if os.WIFEXITED(status) else f"signal {os.WTERMSIG(status)}"
        time.sleep(0.02)
    os.kill(number, 9)
    os.waitpid(number, 0)
    return "not in time"


def main() -> int:
    """Count and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--closes", type=int, default=100)
    given = parser.parse_args()
    import ppdm_desktop.__main__
    import ppdm_desktop.ui.app  # noqa: F401  (loaded once, before the forks)

    found, left = Counter[str](), 0
    for _ in range(given.closes):
        with tempfile.TemporaryDirectory(prefix="closing-") as made:
            found[ended(Path(made))] += 1
            left += sum(path.name.startswith(("ppdm-desktop-", "session-")) for path in Path(made).rglob("*"))
    print(f"{given.closes} closes: {dict(found)}; private folders and crash files left: {left}")
    return 0 if found == {"status 0": given.closes} and not left else 1


if __name__ == "__main__":
    sys.exit(main())
