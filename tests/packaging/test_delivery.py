"""Deliveries of a small bundle: the same bytes each time, whole, signed, without a path of the machine; installed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from importlib import metadata
from pathlib import Path
from types import ModuleType

import pytest

from ppdm_desktop.cli.commands.self_test import LIST, list_of

from .conftest import load_script

pytestmark = pytest.mark.thorough

WHEN = 1_700_000_000
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="made for Linux")


@pytest.fixture(scope="session")
def deliver() -> ModuleType:
    return load_script("deliver")


def bill(machine: str, clean: str = "true") -> str:
    said = {"version": "0.1.0", "commit": "c0ffee", "clean": clean, "machine": machine}
    properties = [{"name": f"ppdm-desktop:{name}", "value": value} for name, value in said.items()]
    component = {"name": "ppdm-desktop", "version": "0.1.0+202311142213.c0ffee", "properties": properties}
    return json.dumps({"metadata": {"timestamp": "2023-11-14T22:13:20Z", "component": component}})


def small_bundle(folder: Path, repository: Path, machine: str = "linux-x86_64", **more: str) -> Path:
    """Write what a bundle has, around a program that is a script."""
    linux = repository / "packaging" / "delivery" / "linux"
    share = folder / "share"
    for name, place in (("ppdm-desktop.desktop", "applications"), ("ppdm-desktop.xml", "mime/packages")):
        (share / place).mkdir(parents=True)
        shutil.copy(linux / name, share / place)
    icons = share / "icons" / "hicolor" / "scalable" / "apps"
    icons.mkdir(parents=True)
    shutil.copy(repository / "resources" / "icons" / "app.svg", icons / "ppdm-desktop.svg")
    (folder / "_internal").mkdir()
    (folder / "_internal" / "data.txt").write_text("data", "utf-8")
    (folder / "_internal" / "link.txt").symlink_to("data.txt")
    (folder / "ppdm-desktop").write_text("#!/bin/sh\necho started\n", "utf-8")
    (folder / "ppdm-desktop").chmod(0o700)
    for name in ("install.sh", "uninstall.sh"):
        shutil.copy(linux / name, folder)
    for name, text in {
        "LICENSE": "licence",
        "LICENSES.txt": "licences",
        "SBOM.cdx.json": bill(machine),
        **more,
    }.items():
        (folder / name).write_text(text, "utf-8")
    relist(folder)
    return folder


def relist(folder: Path) -> None:
    (folder / LIST).write_text(list_of(folder), "utf-8", newline="\n")


@pytest.fixture(autouse=True)
def _is_translated(deliver: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deliver, "delivery_problems", list)


def test_an_untranslated_sentence_stops_a_delivery(
    deliver: ModuleType,
    bundle: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(deliver, "delivery_problems", lambda: ["de: risk: not translated: A sentence."])
    assert deliver.main(["--bundle", str(bundle), "--out", str(tmp_path / "out")]) == 1
    assert not (tmp_path / "out").exists()
    assert "de: risk: not translated: A sentence." in capsys.readouterr().err


@pytest.fixture
def bundle(tmp_path: Path, repository: Path) -> Path:
    return small_bundle(tmp_path / "one" / "ppdm-desktop", repository)


# --- archives -----------------------------------------------------------------------------


def test_a_delivery_is_the_same_bytes_wherever_and_whenever_it_is_made(
    deliver: ModuleType, bundle: Path, tmp_path: Path, repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = small_bundle(tmp_path / "another place" / "built", repository)
    for path in other.rglob("*"):
        os.utime(path, (5, 5), follow_symlinks=False)
    (other / "_internal" / "data.txt").chmod(0o600)
    first, second = tmp_path / "first", tmp_path / "second"
    assert deliver.main(["--bundle", str(bundle), "--out", str(first)]) == 0
    assert deliver.main(["--bundle", str(other), "--out", str(second), "--against", str(first)]) == 0
    assert capsys.readouterr().out.splitlines()[-1].endswith("byte for byte as first")
    name = "ppdm-desktop-0.1.0+202311142213.c0ffee-linux-x86_64"
    assert {f"{name}.tar.gz", f"{name}.files.sha256", f"{name}.cdx.json", "READ-FIRST.txt", "SHA256SUMS"} <= {
        path.name for path in first.iterdir()
    }
    with tarfile.open(first / f"{name}.tar.gz") as tar:
        members = tar.getmembers()
    assert [each.name for each in members] == sorted(each.name for each in members)
    assert {(each.mtime, each.uid, each.uname) for each in members} == {(WHEN, 0, "root")}
    modes = {each.name.rpartition("/")[2]: each.mode for each in members}
    assert (modes["ppdm-desktop"], modes["data.txt"], modes["install.sh"]) == (0o755, 0o644, 0o755)


def test_a_changed_file_is_named_when_two_deliveries_are_compared(
    deliver: ModuleType, bundle: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    assert deliver.main(["--bundle", str(bundle), "--out", str(first)]) == 0
    (bundle / "_internal" / "data.txt").write_text("DATA", "utf-8")
    relist(bundle)
    assert deliver.main(["--bundle", str(bundle), "--out", str(second), "--against", str(first)]) == 1
    said = capsys.readouterr().out.splitlines()[-1]
    assert ".tar.gz" in said
    assert "READ-FIRST.txt" not in said


@pytest.mark.skipif(shutil.which("sha256sum") is None, reason="sha256sum is not here")
def test_the_checksums_name_every_other_file(deliver: ModuleType, bundle: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert deliver.main(["--bundle", str(bundle), "--out", str(out)]) == 0
    done = subprocess.run(["sha256sum", "-c", "SHA256SUMS"], cwd=out, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count(": OK") == len(list(out.iterdir())) - 1


# --- what stops one -----------------------------------------------------------------------


def test_the_words_to_read_first_are_the_guides_in_each_language(deliver: ModuleType) -> None:
    said = deliver.first_words()
    assert "Install on a computer without a network" in said
    assert "sha256sum --check SHA256SUMS" in said
    assert said.count("SHA256SUMS.asc") >= 2
    assert "`" not in said


@pytest.mark.parametrize("fault", ["missing list", "changed file", "unclean", "path", "path in an archive"])
def test_what_must_not_be_given_away_stops_the_delivery(
    deliver: ModuleType, bundle: Path, tmp_path: Path, fault: str, capsys: pytest.CaptureFixture[str]
) -> None:
    here = f"{deliver.ROOT}/ppdm_desktop/x.py"
    if fault == "missing list":
        (bundle / LIST).unlink()
    elif fault == "changed file":
        (bundle / "_internal" / "data.txt").write_text("DATA", "utf-8")
    else:
        if fault == "unclean":
            (bundle / "SBOM.cdx.json").write_text(bill("linux-x86_64", clean="false"), "utf-8")
        elif fault == "path":
            (bundle / "_internal" / "data.txt").write_text(here, "utf-8")
        else:
            with zipfile.ZipFile(bundle / "_internal" / "x.zip", "w", zipfile.ZIP_DEFLATED) as packed:
                packed.writestr("x.pyc", here * 3)
        relist(bundle)
    out = tmp_path / "out"
    assert deliver.main(["--bundle", str(bundle), "--out", str(out)]) == 1
    assert not out.exists()
    said = capsys.readouterr().err
    wanted = {
        "missing list": "is no bundle",
        "changed file": "_internal/data.txt",
        "unclean": "in no commit",
        "path": "_internal/data.txt: ",
        "path in an archive": "_internal/x.zip!x.pyc: ",
    }
    assert wanted[fault] in said


@pytest.mark.parametrize(
    ("path", "rest", "neutral_path"),
    [
        (b"/srv/ann/python", b"/lib\0", b"/usr/local/lib"),
        # Linkers let "3.11.7" be the end of the path: written over, Python would no longer know its version.
        (b"/opt/ann/.versions/3.11.7", b"\0", b"/usr/local/3.11.7"),
    ],
)
def test_a_path_of_the_build_is_written_over_with_as_many_bytes(path: bytes, rest: bytes, neutral_path: bytes) -> None:
    from delivery.traces import neutral

    made = neutral(b"\0" + path + rest, [path])
    assert len(made) == 1 + len(path) + len(rest)
    assert b"ann" not in made
    assert os.path.normpath(made.strip(b"\0")) == neutral_path


# --- signature ----------------------------------------------------------------------------


@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="ssh-keygen is not here")
def test_checksums_are_signed_with_a_key_that_is_named(deliver: ModuleType, bundle: Path, tmp_path: Path) -> None:
    key, out = tmp_path / "key", tmp_path / "out"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(key)], check=True)
    assert deliver.main(["--bundle", str(bundle), "--out", str(out), "--sign", f"ssh:{key}"]) == 0
    people = tmp_path / "publishers"
    people.write_text("us " + key.with_suffix(".pub").read_text("utf-8"), "utf-8")
    check = ["ssh-keygen", "-Y", "verify", "-f", str(people), "-I", "us", "-n", "ppdm-desktop"]
    check += ["-s", str(out / "SHA256SUMS.sig")]
    sums = (out / "SHA256SUMS").read_bytes()
    assert subprocess.run(check, input=sums, capture_output=True, check=False).returncode == 0
    assert subprocess.run(check, input=sums + b"x", capture_output=True, check=False).returncode != 0


# --- Debian's package and the user's own installation -------------------------------------


@LINUX
@pytest.mark.skipif(shutil.which("dpkg") is None, reason="dpkg is not here")
def test_the_debian_package_is_installed_and_removed_with_nothing_left(bundle: Path, tmp_path: Path) -> None:
    from delivery.debian import write_deb

    deb, system = tmp_path / "x.deb", tmp_path / "system"
    write_deb(bundle, deb, "0.1.0", "x86_64", WHEN)
    for folder in ("updates", "info"):
        (system / "var" / "lib" / "dpkg" / folder).mkdir(parents=True)
    for name in ("status", "available"):
        (system / "var" / "lib" / "dpkg" / name).touch()
    # There is no glibc in that system, and the user of a test need not be root.
    dpkg = ["dpkg", f"--root={system}", "--force-depends", "--force-not-root", "--force-bad-path", "--log=/dev/null"]

    def files() -> list[str]:
        found = (path.relative_to(system).as_posix() for path in system.rglob("*"))
        return sorted(each for each in found if not each.startswith("var"))

    done = subprocess.run([*dpkg, "--install", str(deb)], capture_output=True, text=True, check=False)
    if done.returncode and "permi" in done.stderr.lower():
        pytest.skip("dpkg needs rights here that this user has not")
    assert done.returncode == 0, done.stderr
    assert "usr/share/applications/ppdm-desktop.desktop" in files()
    said = subprocess.run(["sh", str(system / "usr/lib/ppdm-desktop/ppdm-desktop")], capture_output=True, check=True)
    assert said.stdout == b"started\n"
    subprocess.run([*dpkg, "--purge", "ppdm-desktop"], capture_output=True, text=True, check=True)
    assert files() == []


def tools_without(folder: Path, *names: str) -> str:
    """Return a path with the programs of this system but some."""
    folder.mkdir()
    for place in map(Path, os.environ["PATH"].split(os.pathsep)):
        for tool in place.iterdir() if place.is_dir() else ():
            if tool.name not in names and not (folder / tool.name).is_symlink():
                (folder / tool.name).symlink_to(tool)
    return str(folder)


@LINUX
@pytest.mark.parametrize("bare", [False, True], ids=["with a desktop", "bare"])
def test_a_user_installs_updates_and_removes_without_a_trace(bundle: Path, tmp_path: Path, bare: bool) -> None:
    home = tmp_path / "home of ann"
    home.mkdir()
    of_desktops = ("update-mime-database", "update-desktop-database")
    tools = tools_without(tmp_path / "tools", *of_desktops) if bare else os.environ["PATH"]

    def run(script: Path, *words: str) -> subprocess.CompletedProcess[str]:
        environment = {"HOME": str(home), "PATH": tools}
        return subprocess.run([str(script), *words], capture_output=True, text=True, check=False, env=environment)

    def done(script: Path, *words: str) -> str:
        ran = run(script, *words)
        assert ran.returncode == 0, ran.stderr
        return ran.stdout

    done(bundle / "install.sh")
    command = home / ".local" / "bin" / "ppdm-desktop"
    assert subprocess.run([str(command)], capture_output=True, text=True, check=True).stdout == "started\n"
    entry = (home / ".local/share/applications/ppdm-desktop.desktop").read_text("utf-8")
    place = home / ".local" / "lib" / "ppdm-desktop"
    assert f'\nExec="{place}/ppdm-desktop" %f\n' in entry
    assert (home / ".local/share/mime/packages/ppdm-desktop.xml").is_file()
    # A newer one takes its place, and nothing of the old one stays.
    (bundle / "_internal" / "data.txt").rename(bundle / "_internal" / "newer.txt")
    (bundle / "_internal" / "link.txt").unlink()
    relist(bundle)
    done(bundle / "install.sh")
    assert sorted(path.name for path in (place / "_internal").iterdir()) == ["newer.txt"]
    # A damaged one is refused, and the one that is there stays.
    (bundle / "_internal" / "newer.txt").write_text("damaged", "utf-8")
    assert run(bundle / "install.sh").returncode == 1
    assert (place / "_internal" / "newer.txt").read_text("utf-8") == "data"
    settings = home / ".config" / "PPDM Desktop"
    settings.mkdir(parents=True)
    assert run(place / "uninstall.sh", "--all").returncode == 2
    assert place.exists()
    done(place / "uninstall.sh")
    assert [path.relative_to(home).as_posix() for path in home.rglob("*")] == [".config", ".config/PPDM Desktop"]


# --- bill, icon, TLS ------------------------------------------------------------------------


def test_the_bill_names_what_is_pinned_with_licence_and_source(repository: Path) -> None:
    from delivery.sbom import document, python_part
    from delivery.version import Commit

    pins = (repository / "packaging" / "requirements.txt").read_text("utf-8")
    part = python_part(metadata.distribution("numpy"))
    assert f"numpy=={part['version']} " in pins
    assert part["purl"] == f"pkg:pypi/numpy@{part['version']}"
    assert part["licenses"]
    assert part["externalReferences"][0]["url"].startswith("https://")
    commit = Commit("c0ffee" * 6, WHEN, tagged=False, clean=True)
    whole = document([part], commit)
    assert whole == document([part], commit)
    assert whole["serialNumber"] != document([], commit)["serialNumber"]
    assert whole["metadata"]["timestamp"] == "2023-11-14T22:13:20Z"
    assert whole["dependencies"][0]["dependsOn"] == [part["bom-ref"]]


WITHOUT_TLS = (
    "import sys\n"
    "class Without:\n"
    "    def find_spec(self, name, path=None, target=None):\n"
    "        if name in ('ssl', '_ssl', '_hashlib', '_sqlite3'): raise ModuleNotFoundError(name)\n"
    "sys.meta_path.insert(0, Without())\n"
    "exec(open({hook!r}).read())\n"
    "{uses}"
    "try:\n    import ssl\nexcept ImportError:\n    print('none')\n"
)
USES = {
    "stdnum": (
        "from stdnum import iban\n"
        "import hashlib\n"
        "assert iban.is_valid('GB82 WEST 1234 5698 7654 32')\n"
        "assert len(hashlib.shake_256(b'x').digest(40)) == 40\n"
    ),
    "pyarrow": (
        "import io, pyarrow\n"
        "from pyarrow import parquet\n"
        "file = io.BytesIO()\n"
        "parquet.write_table(pyarrow.table({'a': ['x', None]}), file)\n"
        "assert parquet.ParquetFile(file).read().to_pydict() == {'a': ['x', None]}\n"
    ),
}


@pytest.mark.parametrize("name", USES)
def test_what_asks_for_tls_loads_without_it_and_nothing_else_finds_one(name: str, repository: Path) -> None:
    pytest.importorskip(name)
    hook = repository / "packaging" / "delivery" / "without_tls.py"
    code = WITHOUT_TLS.replace("{hook!r}", repr(str(hook))).replace("{uses}", USES[name])
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "none\n"), done.stderr
