"""Make a delivery of a bundle: archive, Debian package, bill of materials, checksums, and a signature where asked.

Started by ``python3 packaging/dev.py deliver``. Without ``--bundle`` the bundle of the checked-out commit is made
first; with it, that folder is packed as it is, for example one that was built on Windows. Nothing is delivered while
a sentence of this checkout is not translated.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from delivery import installer, msi
from delivery.archive import entries, write_tar, write_zip
from delivery.debian import ARCHITECTURES, write_deb
from delivery.problems import Stop, say
from delivery.signing import TOOLS, sign
from delivery.traces import find_traces, traces_of_here
from delivery.version import Commit
from words import Fault, delivery_problems

from ppdm_desktop.cli.commands.self_test import LIST, compare
from ppdm_desktop.engine.wording.catalogue import list_languages, speak_language
from ppdm_desktop.ui.state.help_topics import find_topic

ROOT = Path(__file__).resolve().parent.parent
BUNDLE = ROOT / "dist" / "ppdm-desktop"
BILL = "SBOM.cdx.json"
FIRST = "READ-FIRST.txt"
SUMS = "SHA256SUMS"
TOPIC = "guide.delivery"


@dataclass(frozen=True)
class Bundle:
    """A bundle, and what its own bill of materials says of it.

    Attributes
    ----------
    folder
        Where it lies.
    version, commit, machine
        What it was made of, and for which system and processor.
    clean
        Whether the checkout held that commit and nothing else.
    when
        The commit's time, in seconds since 1970.
    """

    folder: Path
    version: str
    commit: str
    machine: str
    clean: bool
    when: int

    @classmethod
    def at(cls, folder: Path) -> Bundle:
        """Return the bundle in a folder.

        Raises
        ------
        Stop
            When the folder is no whole bundle.
        """
        missing = [name for name in (LIST, BILL, "LICENSES.txt", "LICENSE") if not (folder / name).is_file()]
        if missing:
            raise Stop(f"{folder} is no bundle: {', '.join(missing)} is not there. Make one with dev.py bundle.")
        about = json.loads((folder / BILL).read_text("utf-8"))["metadata"]
        said = {each["name"].partition(":")[2]: each["value"] for each in about["component"]["properties"]}
        when = int(datetime.fromisoformat(about["timestamp"]).timestamp())
        version = str(about["component"]["version"])
        return cls(folder, version, said["commit"], said["machine"], said["clean"] == "true", when)

    @property
    def name(self) -> str:
        """Return the name of the archive and of the folder in it."""
        return f"ppdm-desktop-{self.version}-{self.machine}"


def main(arguments: Sequence[str]) -> int:
    """Make the delivery and print its content; return the exit code."""
    parser = argparse.ArgumentParser(prog="dev.py deliver", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--bundle", type=Path, metavar="DIR", help="pack this bundle; without it one is made")
    parser.add_argument("--out", type=Path, metavar="DIR", default=ROOT / "dist" / "delivery")
    parser.add_argument("--sign", metavar="TOOL:KEY", help=f"sign the checksums; TOOL is one of {', '.join(TOOLS)}")
    parser.add_argument("--against", type=Path, metavar="DIR", help="name the files that differ from another delivery")
    given = parser.parse_args(arguments)
    try:
        check_translations()
        bundle = Bundle.at(given.bundle or made())
        check(bundle)
        write(bundle, given.out)
        if given.sign:
            say(f"signed: {sign(given.out / SUMS, given.sign).name}")
        else:
            say("not signed, because no key was named (--sign TOOL:KEY)")
        if given.against:
            return 1 if said_differences(given.against, given.out) else 0
    except (Stop, Fault) as problem:
        print(f"\n{problem}", file=sys.stderr)
        return 1
    return 0


def check_translations() -> None:
    """Raise Stop if a sentence is not translated into every language.

    Raises
    ------
    Stop
        Naming what is not translated.
    """
    problems = delivery_problems()
    if problems:
        raise Stop(f"{len(problems)} translations are missing (dev.py words check):\n" + "\n".join(problems[:20]))


def made() -> Path:
    """Make the bundle of the current commit; return its folder."""
    if not Commit.of(ROOT).clean:
        raise Stop("The checkout differs from its commit. Commit the changes first: a delivery is made of one commit.")
    if subprocess.run([sys.executable, str(ROOT / "packaging" / "bundle.py")], check=False).returncode:
        raise Stop("There is no bundle to pack.")
    return BUNDLE


def check(bundle: Bundle) -> None:
    """Raise Stop if a bundle differs from its list, is of no commit, or holds traces of this machine.

    Raises
    ------
    Stop
        Naming what is wrong.
    """
    if not bundle.clean:
        raise Stop("This bundle was made of changes that are in no commit. Commit them and make it again.")
    found = compare(bundle.folder, bundle.folder / LIST)
    if not found.same:
        wrong = ", ".join((*found.changed, *found.missing, *found.added)[:20])
        raise Stop(f"The bundle is not as {LIST} in it says: {wrong}")
    traces = find_traces(bundle.folder, traces_of_here(ROOT))
    if traces:
        raise Stop("Paths of this machine stand in the bundle:\n" + "\n".join(traces[:20]))
    say(f"{found.listed} files as listed, none with a path of this machine")


def write(bundle: Bundle, out: Path) -> None:
    """Write all files of the delivery into a new folder."""
    if out.exists() and not (out / SUMS).exists() and any(out.iterdir()):
        raise Stop(f"{out} holds something else. Name an empty folder with --out.")
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    system, _, machine = bundle.machine.partition("-")
    if system == "windows":
        write_zip(bundle.folder, out / f"{bundle.name}.zip", bundle.name, bundle.when)
        if shutil.which(installer.TOOL):
            installer.write_setup(bundle.folder, out / f"{bundle.name}-setup.exe", bundle.version, bundle.when)
        else:
            say(f"not made: the installer for one user (setup.exe), because {installer.TOOL} is not here")
        if shutil.which(msi.TOOL):
            msi.write_msi(bundle.folder, out / f"{bundle.name}.msi", bundle.version, bundle.when)
        else:
            say(f"not made: the installer for all users (.msi), because {msi.TOOL} is not here")
    else:
        write_tar(bundle.folder, out / f"{bundle.name}.tar.gz", bundle.name, bundle.when)
    if system == "linux" and machine in ARCHITECTURES:
        deb = out / f"ppdm-desktop_{bundle.version}_{ARCHITECTURES[machine]}.deb"
        if shutil.which("dpkg-deb"):
            write_deb(bundle.folder, deb, bundle.version, machine, bundle.when)
        else:
            say("not made: the Debian package, because dpkg-deb is not here")
    shutil.copyfile(bundle.folder / LIST, out / f"{bundle.name}.files.sha256")
    shutil.copyfile(bundle.folder / BILL, out / f"{bundle.name}.cdx.json")
    (out / FIRST).write_text(first_words(), "utf-8", newline="\n")
    sums = "".join(f"{hash_of(path)}  {name}\n" for name, path in entries(out))
    (out / SUMS).write_text(sums, "utf-8", newline="\n")
    for name, path in entries(out):
        say(f"{name}: {path.stat().st_size / 1e6:.1f} MB")


def first_words() -> str:
    """Return the guide's text on carrying, checking and installing, in every language, as plain text."""
    said = []
    for code in list_languages():
        with speak_language(code):
            topic = find_topic(TOPIC)
            parts = "\n\n".join(part for part in topic.parts.values() if part)
            said.append(f"{topic.title}\n{'=' * len(topic.title)}\n\n{parts.replace('**', '').replace('`', '')}\n")
    return "\n\n".join(said)


def hash_of(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def said_differences(before: Path, after: Path) -> list[str]:
    """Print the files that differ between two deliveries or bundles; return their names."""
    found = differences(before, after)
    say(f"differs from {before.name}: {', '.join(found)}" if found else f"byte for byte as {before.name}")
    return found


def differences(before: Path, after: Path) -> list[str]:
    """Return the files that differ between two folders, except the signature, which holds its time."""
    both = [
        {name: hash_of(path) for name, path in entries(folder) if path.is_file() and not name.startswith(f"{SUMS}.")}
        for folder in (before, after)
    ]
    return sorted(name for name in both[0].keys() | both[1].keys() if both[0].get(name) != both[1].get(name))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
