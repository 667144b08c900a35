"""Re-make packaging/requirements.txt: every version and every hash, for every supported machine.

Run it with the Python of the project's .venv::

    .venv/bin/python packaging/lock.py             # same versions where the ranges allow it
    .venv/bin/python packaging/lock.py --upgrade   # newest versions

Where wheels come from is decided by pip's own configuration; nothing of it is written down.
pip is asked for one report per Python version and platform. It judges the conditions of
dependencies ("only on Windows") by the machine it runs on, so this script judges them again for
each target, asks for what is missing there, and drops what is not needed there.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

HERE = Path(__file__).resolve().parent
RANGES = HERE / "requirements.in"
PINS = HERE / "requirements.txt"

PYTHONS = ("3.11", "3.12", "3.13")
GLIBC_MINORS = range(35, 4, -1)

HEAD = """\
# Every version and hash that the program is built, run and tested with. Made by
# packaging/lock.py from packaging/requirements.in: change that file, not this one.
# For Python {pythons} on Linux (x86-64), Windows (x86-64) and macOS (Apple silicon).
# There are hashes for Linux (aarch64), Windows (ARM) and macOS (Intel) too, where wheels exist. Without one:
{without}
"""


@dataclass(frozen=True)
class Platform:
    """A kind of machine, in pip's tags and in the markers of dependency conditions."""

    tags: tuple[str, ...]
    markers: dict[str, str] = field(hash=False)

    @property
    def name(self) -> str:
        """Return the value of ``sys_platform`` on it."""
        return self.markers["sys_platform"]


def _linux(machine: str) -> Platform:
    """Return Linux on a processor."""
    years = ("2014",) if machine == "aarch64" else ("2014", "2010", "1")
    tags = (*(f"manylinux_2_{minor}" for minor in GLIBC_MINORS), *(f"manylinux{year}" for year in years))
    markers = {"sys_platform": "linux", "platform_system": "Linux", "os_name": "posix", "platform_machine": machine}
    return Platform(tuple(f"{tag}_{machine}" for tag in tags), markers)


def _windows(tag: str, machine: str) -> Platform:
    """Return Windows on a processor."""
    markers = {"sys_platform": "win32", "platform_system": "Windows", "os_name": "nt", "platform_machine": machine}
    return Platform((tag,), markers)


def _macos(machine: str, oldest: int) -> Platform:
    """Return macOS on a processor, from its oldest supported version."""
    tags = tuple(f"macosx_{major}_0_{kind}" for major in range(15, oldest - 1, -1) for kind in (machine, "universal2"))
    older = tuple(f"macosx_10_{minor}_{kind}" for minor in range(16, 8, -1) for kind in (machine, "universal2"))
    markers = {"sys_platform": "darwin", "platform_system": "Darwin", "os_name": "posix", "platform_machine": machine}
    return Platform(tags + (older if machine == "x86_64" else ()), markers)


TARGETS = {
    "linux_x86_64": _linux("x86_64"),
    "win_amd64": _windows("win_amd64", "AMD64"),
    "macosx_arm64": _macos("arm64", 11),
    "linux_aarch64": _linux("aarch64"),
    "win_arm64": _windows("win_arm64", "ARM64"),
    "macosx_x86_64": _macos("x86_64", 11),
}
"""Kinds of machine, by what they are called here."""
PLATFORMS = tuple(TARGETS[name] for name in ("linux_x86_64", "win_amd64", "macosx_arm64"))
"""Those for which everything has to be there."""
WHERE_WHEELS_ARE = ("linux_aarch64", "win_arm64", "macosx_x86_64")
"""Those that get the hashes of the wheels there are."""


@dataclass
class Wheel:
    """One line of pip's report."""

    name: str
    version: str
    sha256: str
    needs: list[Requirement]


@dataclass
class Pin:
    """One entry of requirements.txt while it is collected."""

    version: str
    hashes: set[str] = field(default_factory=set)
    targets: set[tuple[str, str]] = field(default_factory=set)


class LockError(Exception):
    """The list cannot be made; the text says why."""


def main() -> int:
    """Resolve for every target and write requirements.txt; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--upgrade", action="store_true", help="newest versions instead of today's pins")
    parser.add_argument("--add-wheels", action="store_true", help="keep today's pins and only look for further wheels")
    parser.add_argument("--constraint", type=Path, help="a file of versions to keep to")
    arguments = parser.parse_args()
    wanted = read_ranges(RANGES.read_text("utf-8"))
    keep: dict[str, str] = {}
    if arguments.constraint:
        keep = read_versions(arguments.constraint.read_text("utf-8"))
    elif PINS.exists() and not arguments.upgrade:
        keep = read_versions(PINS.read_text("utf-8"))
    try:
        pins = read_pins(PINS.read_text("utf-8")) if arguments.add_wheels else collect(wanted, keep)
        without = {name: add_wheels(pins, TARGETS[name]) for name in WHERE_WHEELS_ARE}
    except LockError as error:
        print(error, file=sys.stderr)
        return 1
    PINS.write_text(render(pins, without), "utf-8", newline="\n")
    print(f"{PINS.name}: {len(pins)} packages, {sum(len(pin.hashes) for pin in pins.values())} hashes")
    return 0


def read_ranges(text: str) -> list[Requirement]:
    """Return the requirements in a requirements.in."""
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    return [Requirement(line) for line in lines if line]


def read_versions(text: str) -> dict[str, str]:
    """Return the version of each package in a pin or freeze list, by name."""
    found = re.findall(r"^([A-Za-z0-9][\w.-]*)==([^\s;\\]+)", text, flags=re.MULTILINE)
    return {canonicalize_name(name): version for name, version in found}


def read_pins(text: str) -> dict[str, Pin]:
    """Return the pins of a list written by `render`, with the targets that their conditions mean."""
    pins: dict[str, Pin] = {}
    lines = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    for block in filter(str.strip, re.sub(r" *\\\n *", " ", lines).splitlines()):
        head, *hashes = block.split(" --hash=sha256:")
        wanted = Requirement(head.strip())
        targets = {
            (python, platform.name)
            for python in PYTHONS
            for platform in PLATFORMS
            if applies(wanted, frozenset(), python, platform)
        }
        (exact,) = wanted.specifier
        pins[canonicalize_name(wanted.name)] = Pin(exact.version, {each.strip() for each in hashes}, targets)
    return pins


def collect(wanted: list[Requirement], keep: dict[str, str]) -> dict[str, Pin]:
    """Return pins for every target; the first one (lowest Python, Linux) sets the versions."""
    versions = dict(keep)
    pins: dict[str, Pin] = {}
    for python in PYTHONS:
        for platform in PLATFORMS:
            print(f"Python {python}, {platform.name} ...", file=sys.stderr, flush=True)
            wheels = resolve(wanted, versions, python, platform)
            exact = [Requirement(f"{wheel.name}=={wheel.version}") for wheel in wheels]
            # The same versions once more with the oldest system first: other wheels, other hashes.
            older = ask_pip(exact, {}, python, platform.tags[::-1], "--no-deps")
            for wheel in [*wheels, *older]:
                pin = pins.setdefault(wheel.name, Pin(wheel.version))
                if pin.version != wheel.version:
                    raise LockError(f"{wheel.name} {pin.version} has no wheel for {python} on {platform.name}.")
                pin.hashes.add(wheel.sha256)
                pin.targets.add((python, platform.name))
                versions[wheel.name] = wheel.version
    return dict(sorted(pins.items()))


def add_wheels(pins: dict[str, Pin], platform: Platform) -> set[str]:
    """Add the hashes of a platform's wheels to the pins; return packages that lack a wheel for some Python."""
    without: set[str] = set()
    for python in PYTHONS:
        asked = {name: pin for name, pin in pins.items() if (python, platform.name) in pin.targets}
        while asked:
            exact = [Requirement(f"{name}=={pin.version}") for name, pin in asked.items()]
            print(f"Python {python}, {platform.tags[0]} ...", file=sys.stderr, flush=True)
            try:
                for tags in (platform.tags, platform.tags[::-1]):
                    for wheel in ask_pip(exact, {}, python, tags, "--no-deps"):
                        pins[wheel.name].hashes.add(wheel.sha256)
                break
            except LockError as error:
                refused = set(re.findall(r"No matching distribution found for ([\w.-]+)==", str(error)))
                missing = {canonicalize_name(name) for name in refused} & set(asked)
                if not missing:
                    raise
                without |= missing
                asked = {name: pin for name, pin in asked.items() if name not in missing}
    return without


def resolve(wanted: list[Requirement], versions: dict[str, str], python: str, platform: Platform) -> list[Wheel]:
    """Return all wheels that one target needs, with conditions judged for that target."""
    asked = list(wanted)
    while True:
        wheels = {wheel.name: wheel for wheel in ask_pip(asked, versions, python, platform.tags)}
        needed: set[str] = set()
        missing: dict[str, Requirement] = {}
        queue = list(wanted)
        seen: set[tuple[str, frozenset[str]]] = set()
        while queue:
            requirement = queue.pop()
            name = canonicalize_name(requirement.name)
            extras = frozenset(requirement.extras)
            if (name, extras) in seen:
                continue
            seen.add((name, extras))
            if name not in wheels:
                missing[name] = requirement
                continue
            needed.add(name)
            queue.extend(need for need in wheels[name].needs if applies(need, extras, python, platform))
        if not missing:
            return [wheels[name] for name in sorted(needed)]
        for requirement in missing.values():
            requirement.marker = None
            asked.append(requirement)


def applies(need: Requirement, extras: frozenset[str], python: str, platform: Platform) -> bool:
    """Return whether a dependency applies to a target."""
    if need.marker is None:
        return True
    environment = {
        **platform.markers,
        "python_version": python,
        "python_full_version": f"{python}.0",
        "implementation_name": "cpython",
        "platform_python_implementation": "CPython",
    }
    return any(need.marker.evaluate({**environment, "extra": extra}) for extra in ("", *extras))


def ask_pip(
    asked: list[Requirement], versions: dict[str, str], python: str, tags: tuple[str, ...], *more: str
) -> list[Wheel]:
    """Return the wheels that pip would install on a target, without installing them."""
    with tempfile.TemporaryDirectory() as folder:
        constraints = Path(folder, "keep.txt")
        constraints.write_text("".join(f"{name}=={version}\n" for name, version in versions.items()), "utf-8")
        report = Path(folder, "report.json")
        command = [
            *(sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--ignore-installed"),
            *("--only-binary", ":all:", "--target", folder, "--report", str(report)),
            *("--python-version", python, "--implementation", "cp", "-c", str(constraints)),
            *(part for tag in tags for part in ("--platform", tag)),
            *more,
            *map(str, asked),
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise LockError(f"pip found no set of wheels for Python {python}, {tags[0]}:\n{done.stderr}")
        items = json.loads(report.read_text("utf-8"))["install"]
    return [read_item(item) for item in items]


def read_item(item: dict[str, dict[str, object]]) -> Wheel:
    """Return name, version, hash and dependencies from one entry of pip's report."""
    metadata = item["metadata"]
    name = canonicalize_name(str(metadata["name"]))
    archive = item["download_info"].get("archive_info")
    hashes = archive.get("hashes") if isinstance(archive, dict) else None
    digest = hashes.get("sha256") if isinstance(hashes, dict) else None
    if not isinstance(digest, str):
        raise LockError(f"The place {name} comes from gives no sha256 for it.")
    needs = metadata.get("requires_dist") or []
    if not isinstance(needs, list):
        raise LockError(f"pip's report on {name} is not understood.")
    return Wheel(name, str(metadata["version"]), digest, [Requirement(str(need)) for need in needs])


def render(pins: dict[str, Pin], without: dict[str, set[str]]) -> str:
    """Return the pins in pip's format; ``without`` has the packages that have no wheel on a platform."""
    lines = [f"# {name}: {', '.join(sorted(missing)) or 'none'}" for name, missing in without.items()]
    blocks = [HEAD.format(pythons=", ".join(PYTHONS), without="\n".join(lines))]
    for name, pin in pins.items():
        condition = marker(pin.targets)
        head = f"{name}=={pin.version}" + (f" ; {condition}" if condition else "")
        blocks.append(" \\\n".join([head, *(f"    --hash=sha256:{digest}" for digest in sorted(pin.hashes))]))
    return "\n".join(blocks) + "\n"


def marker(targets: set[tuple[str, str]]) -> str:
    """Return the shortest condition that names exactly these targets; "" for all."""
    names = tuple(platform.name for platform in PLATFORMS)
    pythons = sorted({python for python, _ in targets}, key=PYTHONS.index)
    systems = sorted({system for _, system in targets}, key=names.index)
    if len(targets) != len(pythons) * len(systems):
        each = sorted(targets)
        return " or ".join(f"(python_version == '{python}' and sys_platform == '{name}')" for python, name in each)
    parts = []
    if len(pythons) < len(PYTHONS):
        parts.append(" or ".join(f"python_version == '{python}'" for python in pythons))
    if len(systems) < len(names):
        parts.append(" or ".join(f"sys_platform == '{name}'" for name in systems))
    return parts[0] if len(parts) == 1 else " and ".join(f"({part})" for part in parts)


if __name__ == "__main__":
    sys.exit(main())
