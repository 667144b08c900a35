"""Set up, run, test and check the project with one command.

    python3 packaging/dev.py run                    open the window on the bundled sample
    python3 packaging/dev.py test                   all tests
    python3 packaging/dev.py test --thorough        the long cases as well, as before a release
    python3 packaging/dev.py test tests/cli -k gate only these tests; arguments go to pytest
    python3 packaging/dev.py lint                   the checks: style, types, dependencies, contracts, limits of size
    python3 packaging/dev.py check                  the checks, then all tests, as .ci/run does
    python3 packaging/dev.py test --no-window       the tests of engine and command line, without Qt
    python3 packaging/dev.py bundle                 make and check dist/ppdm-desktop, which needs no Python
    python3 packaging/dev.py deliver                what is given away of it; see packaging/deliver.py
    python3 packaging/dev.py fetch --for win_amd64 DIR   collect the packages of another system
    python3 packaging/dev.py guide --language de    make the printable guide; see packaging/guide.py
    python3 packaging/dev.py cover                  what the tests of the gravest modules leave out; packaging/cover.py
    python3 packaging/dev.py mutate --minutes 30    change these modules a little: do tests notice? packaging/mutate.py
    python3 packaging/dev.py docs                   the documentation as a site, in build/site; packaging/docs.py
    python3 packaging/dev.py words check            what is not translated yet; see packaging/words.py

Where there is no screen, ``run`` does the same job without a window.

Each command first makes ``.venv`` beside ``pyproject.toml`` when it is missing or out of date,
with the pinned packages of ``packaging/requirements.txt``. Where packages come from is decided by
pip's own configuration; ``--find-links DIR`` takes them from a folder instead, for sites without
a network. Packages of the system are installed only after a yes: on the terminal, by ``--yes``, or where ``CI`` is
set. Only the standard library is used here, and Python 3.8 or newer understands this file,
so that it can say in words which Python is needed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
STAMP = VENV / "ppdm-stamp.json"
PINS = ROOT / "packaging" / "requirements.txt"
SUPPORTED = ((3, 11), (3, 12), (3, 13))

SAMPLE = Path("sample-data", "life-insurance.csv")
RELEASE = Path("release-of-sample")

SCRIPTS = ("words", "guide", "fetch", "deliver", "bundle", "cover", "mutate", "docs")
"""Commands that are a file of their own; what follows goes to it."""
OF_THE_WINDOW = ("pyside6-essentials", "shiboken6", "pytest-qt")
"""Packages that only the window and its tests need."""

MOST_WORKERS = 8
CHECKS = (
    ("mypy", ("-m", "mypy", "--no-error-summary")),  # the longest one first, or it would run alone at the end
    ("ruff check", ("-m", "ruff", "check", "--quiet", ".")),
    ("ruff format", ("-m", "ruff", "format", "--check", "--quiet", ".")),
    ("deptry", ("-m", "deptry", "--no-ansi", "ppdm_desktop")),
    ("codespell", ("-m", "codespell_lib")),
    ("lint-imports", ("-c", "from importlinter.cli import lint_imports_command as run; run()", "--no-logo")),
    ("limits of size", ("packaging/yardstick.py",)),
)


class Stop(Exception):
    """Something cannot be done; the text says what and what would help."""


def main(arguments: list[str] | None = None) -> int:
    """Set up the project and run the command; return the exit code."""
    parser = argparse.ArgumentParser(
        description="Set up, run, test and check the project.",
        epilog=f"Further arguments of 'test' and 'check' go to pytest, of {', '.join(SCRIPTS)} to packaging/NAME.py.",
        allow_abbrev=False,
    )
    parser.add_argument(
        "command",
        choices=("run", "test", "lint", "check", *SCRIPTS),
    )
    parser.add_argument(
        "--find-links",
        metavar="DIR",
        type=Path,
        help="take the packages from this folder, not from a network",
    )
    parser.add_argument("--no-window", action="store_true", help="with run and test: without Qt and what it needs")
    parser.add_argument("--yes", action="store_true", help="install packages of the system without asking")
    options, rest = parser.parse_known_args(arguments)
    if rest and options.command not in ("test", "check", *SCRIPTS):
        parser.error("unknown arguments: " + " ".join(rest))
    if options.no_window and options.command not in ("run", "test"):
        parser.error("--no-window goes with run and test")
    global _agreed
    _agreed = options.yes or bool(os.environ.get("CI"))
    try:
        set_up(options.find_links, window=not options.no_window)
        if options.command == "lint":
            return 1 if lint() else 0
        if options.command in ("words", "fetch", "docs"):
            return script(options.command, rest)
        problem = None if options.no_window else prepare_screen(options.command == "run")
        if options.command == "run":
            return run(problem, window=not options.no_window)
        if problem:
            raise Stop(problem)
        if options.command in ("test", "check"):
            failed_checks = lint() if options.command == "check" else []
            return test(rest, window=not options.no_window) or bool(failed_checks)
        return script(options.command, rest)
    except Stop as problem:
        print(f"\n{problem}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def script(name: str, rest: list[str]) -> int:
    """Run packaging/NAME.py with the Python of ``.venv``; return its exit code."""
    command = [str(venv_python()), str(ROOT / "packaging" / f"{name}.py"), *rest]
    return subprocess.run(command, check=False, env=clean_environment()).returncode


# --- set-up -------------------------------------------------------------------------------


def set_up(find_links: Path | None, *, window: bool = True) -> None:
    """Bring ``.venv`` up to date with this checkout; without the window, Qt may be left out."""
    if find_links is not None and not find_links.is_dir():
        raise Stop(f"The folder given with --find-links does not exist: {find_links}")
    python, version = find_python()
    found = read_stamp()
    # What has the window serves those who do not need it as well.
    wanted = wanted_stamp(version, window or found.get("window") == "yes")
    if any(found.get(key) != wanted[key] for key in ("python", "requirements", "place")):
        make_venv(python)
        install_pins(find_links, window=window)
        wanted, found = wanted_stamp(version, window), {}
    elif wanted["window"] != found.get("window"):
        install_pins(find_links, window=True)
    if found != wanted:
        install_project()
        STAMP.write_text(json.dumps(wanted, indent=1), "utf-8")
    compile_translations()


def wanted_stamp(version: tuple[int, int], window: bool) -> dict[str, str]:
    """Return the description that an up-to-date ``.venv`` has."""
    project = b"".join((ROOT / name).read_bytes() for name in ("pyproject.toml", "setup.py"))
    return {
        "python": f"{version[0]}.{version[1]}",
        "requirements": hashlib.sha256(PINS.read_bytes()).hexdigest(),
        "place": str(ROOT),
        "project": hashlib.sha256(project).hexdigest(),
        "window": "yes" if window else "no",
    }


def read_stamp() -> dict[str, str]:
    """Return the description of the present ``.venv``; empty when it is absent, unfinished or broken."""
    try:
        stamp = json.loads(STAMP.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    works = venv_python().exists() and version_of(str(venv_python())) is not None
    return stamp if works and isinstance(stamp, dict) else {}


def find_python() -> tuple[str, tuple[int, int]]:
    """Return path and version of a supported Python: the running one, else another one installed."""
    # Started from inside .venv itself, the Python it was made from has to be used.
    own = getattr(sys, "_base_executable", None) or sys.executable
    if sys.version_info[:2] in SUPPORTED:
        return own, (sys.version_info[0], sys.version_info[1])
    for minor in SUPPORTED:
        path = shutil.which(f"python{minor[0]}.{minor[1]}")
        if path and version_of(path) == minor:
            return path, minor
    here = ".".join(map(str, sys.version_info[:2]))
    install_system("python3.11", "python3.11-venv")
    path = shutil.which("python3.11")
    if path and version_of(path) == (3, 11):
        return path, (3, 11)
    raise Stop(
        f"Python 3.11, 3.12 or 3.13 is needed; this is {here} and no other was found.\n"
        "On Debian 12 or Ubuntu 22.04 and newer: apt-get install python3.11 python3.11-venv "
        "(or the same with 3.12 or 3.13)."
    )


def version_of(python: str) -> tuple[int, int] | None:
    """Return the version of a Python; None when it does not run."""
    ask = "import sys; print(*sys.version_info[:2])"
    try:
        done = subprocess.run([python, "-c", ask], capture_output=True, text=True, check=False, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return None
    parts = done.stdout.split()
    return (int(parts[0]), int(parts[1])) if done.returncode == 0 and len(parts) == 2 else None


def make_venv(python: str) -> None:
    """Make an empty ``.venv``, after removing one that is out of date."""
    if not can_make_venvs(python):
        version = version_of(python) or (3, 11)
        package = f"python{version[0]}.{version[1]}-venv"
        if not install_system(package) or not can_make_venvs(python):
            raise Stop(
                f"{python} cannot make virtual environments: its modules venv or ensurepip are missing.\n"
                f"On Debian and Ubuntu: apt-get install {package} (or python3-venv)."
            )
    if VENV.exists():
        if not (VENV / "pyvenv.cfg").exists():
            raise Stop(f"{VENV} exists and is no virtual environment. Move it away and try again.")
        say("removing the old .venv")
        shutil.rmtree(VENV)
    say("making .venv")
    done = subprocess.run([python, "-m", "venv", str(VENV)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise Stop(f"The virtual environment could not be made.\n{tail(done.stdout + done.stderr)}")


def can_make_venvs(python: str) -> bool:
    """Return whether a Python can make virtual environments (Debian ships that part separately)."""
    ask = [python, "-c", "import venv, ensurepip"]
    return subprocess.run(ask, capture_output=True, check=False).returncode == 0


def install_system(*packages: str) -> bool:
    """Install Debian packages if the user agrees; return whether it worked."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0 or shutil.which("apt-get") is None:
        return False
    if not agreed(packages):
        return False
    say("installing " + " ".join(packages))
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (
        ["apt-get", "update"],
        ["apt-get", "install", "-y", "--no-install-recommends", *packages],
    ):
        if subprocess.run(command, env=environment, capture_output=True, check=False).returncode:
            return False
    return True


def agreed(packages: tuple[str, ...]) -> bool:
    """Return whether the user agrees to install system packages; False without a terminal to ask on."""
    if _agreed:
        return True
    if not sys.stdin.isatty():
        return False
    return input(f"dev: install {' '.join(packages)} with apt-get? [y/N] ").strip().lower() in ("y", "yes")


_agreed = False


def prepare_screen(real: bool) -> str | None:
    """Install the system libraries that Qt needs if the user agrees; return in words what is still missing, or None.

    Tests and the bundle's check draw without a screen, which needs fewer of them.
    """
    environment = clean_environment() if real else clean_environment(QT_QPA_PLATFORM="offscreen")
    if real and sys.platform == "linux" and not has_screen():
        environment["QT_QPA_PLATFORM"] = "offscreen"
    for attempt in range(2):
        command = [str(venv_python()), "-m", "ppdm_desktop.cli.display_check"]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, env=environment)
        if done.returncode:
            return f"Qt could not be examined:\n{tail(done.stderr)}"
        found = json.loads(done.stdout)
        packages = [str(name) for name in found["packages"]]
        if not packages or (attempt == 0 and not install_system(*packages)):
            break
    if not packages:
        return None
    missing = ", ".join(map(str, found["basic"] + found["screen"]))
    return f"Qt needs what is missing here: {missing}.\nOn Debian and Ubuntu: apt-get install {' '.join(packages)}"


def has_screen() -> bool:
    """Return whether a window could be seen."""
    if sys.platform != "linux":
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"))


def install_pins(find_links: Path | None, *, window: bool = True) -> None:
    """Install the pinned packages, each checked against its hash, and print the progress; return a problem or None."""
    source = ["--no-index", "--find-links", str(find_links.resolve())] if find_links else []
    with tempfile.TemporaryDirectory(prefix="ppdm-dev-") as place:
        pins = Path(place) / "pins.txt"
        pins.write_text(pins_without(PINS.read_text("utf-8"), () if window else OF_THE_WINDOW), "utf-8")
        command = [*pip("install"), "--only-binary", ":all:", "--require-hashes", "-r", str(pins), *source]
        command.remove("--quiet")
        code, said = watched(command)
    if code:
        raise Stop(
            f"The pinned packages could not be installed. pip says:\n{tail(said)}\n"
            "Without a network: collect them where there is one, by\n"
            "  python3 packaging/dev.py fetch --for SYSTEM DIR\n"
            "and give that folder here with --find-links DIR."
        )


def pins_without(text: str, names: tuple[str, ...]) -> str:
    """Return a list of pins without some packages."""
    kept, keep = [], True
    for line in text.splitlines(keepends=True):
        if not line.startswith((" ", "#")):
            keep = line.partition("==")[0] not in names
        if keep:
            kept.append(line)
    return "".join(kept)


def watched(command: list[str], every: float = 2.0) -> tuple[int, str]:
    """Run pip and print its progress; return its exit code and output."""
    before = installed_packages()
    last = ""
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as out:
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT, cwd=ROOT, env=clean_environment())
        try:
            while True:
                try:
                    code = process.wait(every)
                except subprocess.TimeoutExpired:
                    code = None
                out.seek(0)
                said = out.read()
                now = progress_of(said, installed_packages() - before)
                if now and now != last:
                    say(now)
                    last = now
                if code is not None:
                    return code, said
        finally:
            if process.poll() is None:
                process.kill()


def progress_of(said: str, installed: int) -> str:
    """Return pip's progress in words, from its output and the number of new packages; "" at the beginning."""
    lines = said.splitlines()
    found = [line.split()[1].partition("==")[0] for line in lines if line.startswith("Collecting ")]
    planned = [line for line in lines if line.startswith("Installing collected packages:")]
    if planned:
        return f"installed {installed} of {planned[-1].count(',') + 1} packages"
    return f"fetched {len(found)} packages, now {found[-1]}" if found else ""


def installed_packages() -> int:
    """Return how many packages are in ``.venv``, without looking into folders that pip may be writing."""
    places = [VENV / "Lib" / "site-packages", *VENV.glob("lib/python*/site-packages")]
    return sum(name.endswith(".dist-info") for place in places if place.is_dir() for name in os.listdir(place))


def install_project() -> None:
    """Install the project in editable mode."""
    say("installing the project")
    command = [*pip("install"), "--no-deps", "--no-build-isolation", "--no-index", "--editable", str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, env=clean_environment())
    if done.returncode:
        raise Stop(f"The project could not be installed. pip says:\n{tail(done.stdout + done.stderr)}")


def compile_translations() -> None:
    """Compile the translations that are missing or older than their source."""
    command = [str(venv_python()), str(ROOT / "packaging" / "translations.py")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=clean_environment())
    if done.returncode:
        raise Stop(f"The translations could not be compiled.\n{tail(done.stderr)}")


def pip(command: str) -> list[str]:
    """Return the first words of a pip command in ``.venv``."""
    return [str(venv_python()), "-m", "pip", command, "--disable-pip-version-check", "--no-input", "--quiet"]


def venv_python() -> Path:
    """Return the path of the Python of ``.venv``."""
    return VENV / "Scripts" / "python.exe" if os.name == "nt" else VENV / "bin" / "python"


def clean_environment(**more: str) -> dict[str, str]:
    """Return this process's environment without variables that change where Python looks."""
    without = ("PYTHONHOME", "PYTHONPATH", "VIRTUAL_ENV", "__PYVENV_LAUNCHER__")
    return {**{name: value for name, value in os.environ.items() if name not in without}, **more}


def say(what: str) -> None:
    """Print what is being done."""
    print(f"dev: {what}", flush=True)


def tail(text: str, lines: int = 15) -> str:
    """Return the last lines of a program's output."""
    return "\n".join(text.strip().splitlines()[-lines:])


# --- commands -----------------------------------------------------------------------------


def run(problem: str | None = None, *, window: bool = True) -> int:
    """Open the window on the bundled sample, or without a screen release the sample; return the exit code."""
    recipe = SAMPLE.with_suffix(".recipe.toml")
    SAMPLE.parent.mkdir(exist_ok=True)
    for old in (SAMPLE, recipe):
        old.unlink(missing_ok=True)
    if program("sample", "life-insurance", "--out", str(SAMPLE)):
        return 1
    if window and has_screen() and not problem:
        return program(str(SAMPLE))
    why = problem or ("There is no screen here, so the job is done without a window." if window else "")
    print(f"\n{why}" if why else "", flush=True)
    replace = ["--replace"] if RELEASE.exists() else []
    code = program("release", str(SAMPLE), "--recipe", str(recipe), "--out", str(RELEASE), *replace)
    if code:
        return code
    place = RELEASE.resolve()
    print(f"\nThe release lies in {place / 'release'}: this may be handed over.")
    print(f"What stays with you lies in {place / 'internal'}: never send it.")
    return 0


def program(*words: str) -> int:
    """Run the program and return its exit code."""
    say("ppdm-desktop " + " ".join(words))
    command = [str(venv_python()), "-m", "ppdm_desktop", *words]
    code = subprocess.run(command, check=False, env=clean_environment()).returncode
    if code:
        print(f"\nppdm-desktop {words[0]} ended with exit code {code}.", file=sys.stderr)
    return code


def lint() -> list[str]:
    """Run all checks in parallel, print their output, and return the names of those that failed."""

    def check(words: tuple[str, ...]) -> subprocess.CompletedProcess[str]:
        """Run one check and return its result."""
        command = [str(venv_python()), *words]
        together: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "encoding": "utf-8"}
        return subprocess.run(command, cwd=ROOT, check=False, env=clean_environment(), errors="replace", **together)

    failed = []
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, begun in [(name, pool.submit(check, words)) for name, words in CHECKS]:
            say(name)
            done = begun.result()
            print(done.stdout or "", end="", flush=True)
            if done.returncode:
                failed.append(name)
    say("checks failed: " + ", ".join(failed) if failed else "all checks passed")
    return failed


def test(rest: list[str], *, window: bool) -> int:
    """Run the whole test suite, or only the tests named, and return pytest's exit code.

    Nothing is printed after pytest, whose closing line is the result. Without the window there is no pytest-qt and its
    tests are not collected. A whole run leaves the seconds of each test in ``build/tests.xml``.
    """
    whole = rest in ([], ["--thorough"])
    arguments = rest
    if whole:
        # One more than there are processors: tests wait a part of their time, for timers and for children.
        workers = min((os.cpu_count() or 2) + 1, MOST_WORKERS)
        arguments = [*rest, "-n", str(workers), "--dist", "worksteal", f"--junitxml={ROOT / 'build' / 'tests.xml'}"]
    if not window:
        arguments = [*arguments, "-p", "no:pytest-qt", "--ignore", str(ROOT / "tests" / "ui")]
    # One thread per process: results must not depend on how many cores a machine has.
    threads = {f"{library}_NUM_THREADS": "1" for library in ("OPENBLAS", "OMP", "MKL")}
    environment = clean_environment(QT_QPA_PLATFORM="offscreen", **threads)
    if os.name == "nt":
        # Without a screen Qt has no fonts there but those it is shown, and measures boxes.
        environment["QT_QPA_FONTDIR"] = str(ROOT / "resources" / "fonts")
    # Many tests start the program: compiled once, it starts much sooner.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    command = [str(venv_python()), "-m", "pytest"]
    if whole:
        # Compiled before the workers start: each of them would compile all tests by itself.
        compile_tests = [*command, "--collect-only", "-q"]
        subprocess.run(compile_tests, cwd=ROOT, check=False, env=environment, stdout=subprocess.DEVNULL)
    say("pytest")
    return subprocess.run([*command, *arguments], cwd=ROOT if whole else None, check=False, env=environment).returncode


if __name__ == "__main__":
    sys.exit(main())
