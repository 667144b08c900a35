"""Collect the pinned packages of another system in a folder, to be carried to a computer without a network.

    python3 packaging/dev.py fetch --for win_amd64 DIR

pip judges the conditions in requirements.txt ("only on Windows") by the machine it runs on. Here they are judged for
the target first, so that what only the target needs is in the folder, and nothing else is.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from lock import PINS, PYTHONS, TARGETS, Platform, read_pins


def main(arguments: Sequence[str]) -> int:
    """Download the packages and print how many there are; return the exit code."""
    parser = argparse.ArgumentParser(prog="dev.py fetch", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--for", dest="target", choices=tuple(TARGETS), required=True)
    parser.add_argument("--python", choices=PYTHONS, default=PYTHONS[0], help="version of Python there")
    parser.add_argument("--find-links", type=Path, metavar="DIR", help="take them from this folder, not from a network")
    parser.add_argument("folder", type=Path, metavar="DIR", help="where the packages go")
    given = parser.parse_args(arguments)
    platform = TARGETS[given.target]
    pins = pins_for(PINS.read_text("utf-8"), given.python, platform)
    with tempfile.TemporaryDirectory(prefix="ppdm-fetch-") as place:
        listed = Path(place) / "pins.txt"
        listed.write_text("\n".join(pins) + "\n", "utf-8")
        source = ["--no-index", "--find-links", str(given.find_links)] if given.find_links else []
        command = [
            *(sys.executable, "-m", "pip", "download", "--disable-pip-version-check", "--no-input"),
            *("--only-binary", ":all:", "--require-hashes", "--no-deps"),
            *("--python-version", given.python, "--implementation", "cp"),
            *(part for tag in platform.tags for part in ("--platform", tag)),
            *("-r", str(listed), "-d", str(given.folder), *source),
        ]
        code = subprocess.run(command, check=False).returncode
    if code:
        print(
            f"\nNot every package is there for {given.target} with Python {given.python}; see above.", file=sys.stderr
        )
        return 1
    print(f"{given.folder}: {len(pins)} packages for {given.target}, Python {given.python}")
    return 0


def pins_for(text: str, python: str, platform: Platform) -> list[str]:
    """Return the pins that apply to a target, with their hashes and without their conditions."""
    return [
        f"{name}=={pin.version} " + " ".join(f"--hash=sha256:{digest}" for digest in sorted(pin.hashes))
        for name, pin in read_pins(text).items()
        if (python, platform.name) in pin.targets
    ]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
