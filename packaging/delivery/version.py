"""The commit of a bundle, and the name of a delivery made from it."""

from __future__ import annotations

import platform
import subprocess
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from delivery.problems import Stop
from ppdm_desktop import __version__

PUBLISHER = "The contributors of PPDM Desktop"


@dataclass(frozen=True)
class Commit:
    """A commit of the checkout.

    Attributes
    ----------
    id
        Its hash.
    when
        When it was made, in seconds since 1970: the time of everything in a delivery.
    tagged
        Whether it bears the tag of its version.
    clean
        Whether the checkout holds it and nothing else.
    """

    id: str
    when: int
    tagged: bool
    clean: bool

    @classmethod
    def of(cls, root: Path) -> Commit:
        """Return the current commit of a checkout."""
        id, when = _git(root, "log", "-1", "--format=%H %ct").split()
        tags = _git(root, "tag", "--points-at", "HEAD").split()
        return cls(id, int(when), f"v{__version__}" in tags, not _git(root, "status", "--porcelain"))

    @property
    def version(self) -> str:
        """Return the program's version.

        Without a tag it has the time and hash of the commit, so that later commits are newer.
        """
        if self.tagged:
            return __version__
        return f"{__version__}+{datetime.fromtimestamp(self.when, UTC):%Y%m%d%H%M}.{self.id[:8]}"

    @property
    def day(self) -> str:
        """Return the day of the commit as ISO 8601."""
        return datetime.fromtimestamp(self.when, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def this_machine() -> str:
    """Return system and processor, such as ``linux-x86_64``."""
    system = {"win32": "windows", "darwin": "macos"}.get(sys.platform, sys.platform)
    return f"{system}-{platform.machine().lower().replace('amd64', 'x86_64')}"


def _git(root: Path, *words: str) -> str:
    """Return the output of a git command; raise Stop where it fails."""
    try:
        done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=False)
    except OSError as error:
        raise Stop("git is needed: a delivery is made of one commit.") from error
    if done.returncode:
        raise Stop(f"This is no checkout of git, so the delivery could not say what it is made of.\n{done.stderr}")
    return done.stdout.strip()
