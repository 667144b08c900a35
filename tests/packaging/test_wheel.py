"""An installed wheel carries every module and every resource."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.thorough

# Compiled translations are made by the build itself, as from a fresh clone.
LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.pyc", "*.egg-info", "*.mo")

READ = """
import importlib.resources, json, sys
root = importlib.resources.files("ppdm_desktop.resources")
import ppdm_desktop
names = json.loads(sys.stdin.read())
sizes = {name: len(root.joinpath(*name.split("/")).read_bytes()) for name in names}
print(json.dumps({"package": ppdm_desktop.__file__, "sizes": sizes}))
"""


@pytest.fixture(scope="module")
def wheel(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    # Built from a copy: a build leaves traces in its folder, and old traces get into a wheel.
    source = tmp_path_factory.mktemp("source")
    for name in ("ppdm_desktop", "resources"):
        shutil.copytree(repository / name, source / name, ignore=LEFT_OUT)
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE", "packaging/translations.py"):
        (source / name).parent.mkdir(exist_ok=True)
        shutil.copy(repository / name, source / name)
    probe = source / "resources" / "texts" / "deeper" / "probe.txt"
    probe.parent.mkdir(parents=True)
    probe.write_text("found", "utf-8")
    out = tmp_path_factory.mktemp("wheel")
    pip("wheel", "--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", str(out), str(source))
    (built,) = out.glob("*.whl")
    return built


def pip(*words: str) -> None:
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_resources_are_found_in_an_installed_wheel(repository: Path, wheel: Path, tmp_path: Path) -> None:
    target = tmp_path / "installed"
    pip("install", "--no-deps", "--no-index", "--target", str(target), str(wheel))
    root = repository / "resources"
    names = [
        path.relative_to(root).as_posix()
        for path in sorted(root.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    ]
    # -I -S: neither this checkout nor the editable install of it can answer instead.
    code = f"import sys; sys.path.insert(0, {str(target)!r})\n{READ}"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code],
        input=json.dumps([*names, "texts/deeper/probe.txt"]),
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert Path(answer["package"]).is_relative_to(target)
    assert answer["sizes"].pop("texts/deeper/probe.txt") == len("found")
    assert answer["sizes"] == {name: (root / name).stat().st_size for name in names}
    assert answer["sizes"]["locale/de/LC_MESSAGES/messages.mo"] > 0


@pytest.mark.slow
def test_the_wheel_has_every_module_and_nothing_else(repository: Path, wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        inside = {name for name in archive.namelist() if name.endswith(".py")}
    expected = {path.relative_to(repository).as_posix() for path in (repository / "ppdm_desktop").rglob("*.py")}
    # What is Python among the resources: the folder itself, and the script that recipients are given.
    given = {path.relative_to(repository).as_posix() for path in (repository / "resources").rglob("*.py")}
    assert given == {
        "resources/__init__.py",
        "resources/analysis-kit/noise_kit.py",
        "resources/verifier/check_release.py",
    }
    assert inside == expected | {f"ppdm_desktop/{name}" for name in given}
