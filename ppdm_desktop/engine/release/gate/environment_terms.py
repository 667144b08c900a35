"""Words that must not be in a release: names of the computer, its user, and the source."""

from __future__ import annotations

import getpass
import os
from pathlib import Path

from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.gate.evidence import HostMetadata
from ppdm_desktop.engine.table.column import Column

SHORTEST = 3
MOST_VALUES = 5_000
"""At most this many different values of each left-out column are searched for in the release."""


def _find_user_name() -> list[str]:
    """Return a list with the user's name; empty if it is unknown."""
    try:
        return [getpass.getuser()]
    except (KeyError, OSError, ImportError):
        return []


def _find_host_names() -> list[str]:
    """Return the computer's name with and without its domain; empty texts if it is unknown."""
    name = os.uname().nodename if hasattr(os, "uname") else os.environ.get("COMPUTERNAME", "")
    return [name, name.partition(".")[0]]


def _find_home_folder() -> list[str]:
    """Return a list with the path of the home folder; empty if it is unknown."""
    try:
        return [str(Path.home())]
    except RuntimeError:
        return []


def collect_host_metadata(candidate: Candidate) -> HostMetadata:
    """Return the words that must not be in a release of this candidate.

    Words of this machine are the names of user, computer, home folder and source, with the source's path. Private words
    are these, the folders on the path, names and values of columns that are not released (of more than 5,000 values an
    evenly spread sample), values behind codes, sheet names, the key and secret settings. Words of fewer than three
    characters are left out, and each word is listed once.
    """
    prepared = candidate.prepared
    path = prepared.path.absolute()
    machine = [*_find_user_name(), *_find_host_names(), *_find_home_folder(), str(path), str(path.parent), path.name]
    folders = [part for part in path.parent.parts if part != path.anchor]
    sheets = [prepared.account.sheet or "", *prepared.account.sheets]
    private = [*machine, path.stem, *folders, *sheets, candidate.key.hex()]
    for column in prepared.original.columns:
        if column.name not in candidate.released_names:
            private += [column.name, column.header, column.label, *_sample_texts(column)]
        elif column.name not in candidate.described_names:
            private += _sample_texts(column)  # in their place stand codes
    for step in candidate.steps:
        private += [str(step.settings.values[name]) for name in sorted(step.method.private_parameters)]
    return HostMetadata(_select_long_texts(private), _select_long_texts(machine))


def _sample_texts(column: Column) -> list[str]:
    """Return a column's different texts, without missing ones.

    If there are more than 5,000, an evenly spread sample.
    """
    texts = [text for text in column.texts if text not in column.missing_texts]
    return texts[:: max(1, -(-len(texts) // MOST_VALUES))]


def _select_long_texts(texts: list[str]) -> tuple[str, ...]:
    """Return the different texts, without outer blanks, that have at least three characters."""
    kept = (word.strip() for word in texts)
    return tuple(dict.fromkeys(word for word in kept if len(word) >= SHORTEST))
