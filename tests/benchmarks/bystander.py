"""A process that only sleeps: where it wakes late too, the processors were busy elsewhere.

Run by itself as ``python -m tests.benchmarks.bystander BEAT_MS LATE_MS``, it prints each of its late beats, and ends
when its input does.
"""

from __future__ import annotations

import subprocess
import sys
import threading
import time


class Bystander:
    """Beats in a process of its own.

    Parameters
    ----------
    beat_ms, late_ms
        How long it sleeps each time, and from which pause on it says so.
    """

    def __init__(self, beat_ms: float, late_ms: float) -> None:
        command = [sys.executable, "-m", "tests.benchmarks.bystander", str(beat_ms), str(late_ms)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def stop(self) -> list[tuple[float, float]]:
        """Return beginning and end of each of its late beats, by ``time.perf_counter``, which all processes share."""
        said, _ = self._process.communicate(timeout=10)
        pauses = [line.split() for line in said.splitlines()]
        return [(float(begin), float(end)) for begin, end in pauses]


def _end_with_input(ended: threading.Event) -> None:
    sys.stdin.read()
    ended.set()


def main() -> None:
    """Beat until the input ends."""
    beat, late = (float(each) / 1000 for each in sys.argv[1:3])
    ended = threading.Event()
    threading.Thread(target=_end_with_input, args=(ended,), daemon=True).start()
    last = time.perf_counter()
    while not ended.is_set():
        time.sleep(beat)
        now = time.perf_counter()
        if now - last > late:
            sys.stdout.write(f"{last} {now}\n")
        last = now


if __name__ == "__main__":
    main()
