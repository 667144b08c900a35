"""An earlier condensed release, with what is needed to add records to it: statistics and released rows."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.files import opening
from ppdm_desktop.engine.files.opening import RELEASED, REPORT, read_file, read_json
from ppdm_desktop.engine.methods.algorithms.condensation.statistics import FILE_NAME, Statistics
from ppdm_desktop.engine.recipe.load import read_recipe
from ppdm_desktop.engine.recipe.models import Recipe
from ppdm_desktop.engine.release.evaluate.release_files import DICTIONARY, NOTE
from ppdm_desktop.engine.release.storage.atomic_folder import INTERNAL, MANIFEST, RELEASE
from ppdm_desktop.engine.release.writing.export import RECIPE, compare_files, read_manifest
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.writing import read_table
from ppdm_desktop.engine.table.writing.base import UnreadableFile, Written
from ppdm_desktop.engine.table.writing.registry import find_writer, release_formats
from ppdm_desktop.engine.wording.values import Names

TOP_UP = "top-up.json"
EARLIER_STATISTICS, EARLIER_DATA = f"earlier-{FILE_NAME}", "earlier-data"


@dataclass(frozen=True, eq=False)
class EarlierRelease:
    """What is known of an earlier condensed release; never its original records.

    Attributes
    ----------
    folder
        The folder it was read from.
    recipe
        Its complete recipe.
    statistics
        The groups' statistics.
    rows
        The released columns, texts as released, in the order of the file.
    files
        The bytes of two files: statistics and data.
    manifest_sha256
        Hash of the manifest of the folder.
    leaving
        Marks (keyed hashes) of the people who leave.
    only_leaving
        Whether nobody is added, so that the source file of the top-up is that of the people who leave.
    """

    folder: Path
    recipe: Recipe
    statistics: Statistics
    rows: tuple[Column, ...]
    files: tuple[bytes, bytes]
    manifest_sha256: str
    leaving: tuple[str, ...] = ()
    only_leaving: bool = False

    @cached_property
    def sha256(self) -> str:
        """SHA-256 over the earlier statistics and data file, as hexadecimal text.

        The random draws of a top-up depend on it.
        """
        parts = b"".join(hashlib.sha256(data).digest() for data in self.files)
        return hashlib.sha256(b"ppdm-1 earlier" + parts).hexdigest()

    def files_to_store(self) -> Mapping[str, bytes]:
        """Return the files to store with a top-up, bytes by name, so that it can be repeated from its own folder.

        They are a JSON file with the earlier files' hashes and the marks of those who leave (if anybody does), the
        earlier statistics, and the earlier data. Nothing is written.
        """
        statistics, data = self.files
        described: dict[str, object] = {
            "format": 1,
            "earlier": {
                "manifest_sha256": self.manifest_sha256,
                "statistics_sha256": hashlib.sha256(statistics).hexdigest(),
                "data_sha256": hashlib.sha256(data).hexdigest(),
            },
        }
        if self.leaving:
            described["leaving"] = {"marks": list(self.leaving), "alone": self.only_leaving}
        return {
            TOP_UP: json.dumps(described, indent=2).encode("utf-8") + b"\n",
            EARLIER_STATISTICS: statistics,
            EARLIER_DATA + find_writer(self.recipe.release.format).suffix: data,
        }


def read_earlier(directory: Path) -> EarlierRelease:
    """Return the earlier release in a folder, to which records are to be added.

    Raises
    ------
    InputError
        When the folder holds no release, the release is not condensed or was never finished, or a
        file in the folder is not as it was written.
    RecipeError
        When the folder holds no recipe that can be read.
    """
    directory = Path(directory)
    listed = read_unchanged(directory)
    if f"{INTERNAL}/{FILE_NAME}" not in listed:
        raise InputError("error.top-up.not-condensed", file=str(directory))
    manifest = read_file(directory / INTERNAL / MANIFEST, opening.MANIFEST)
    statistics, rows = directory / INTERNAL / FILE_NAME, _find_data_file(directory, listed)
    recipe = read_recipe(directory / INTERNAL / RECIPE, formats=release_formats())
    sha = hashlib.sha256(manifest).hexdigest()
    return _parse_earlier_release(directory, recipe, (read_file(statistics, REPORT), read_file(rows, RELEASED)), sha)


def read_unchanged(directory: Path) -> Mapping[str, Any]:
    """Return the content of a release's manifest (hashes by path), after checking that its files are unchanged.

    Raises
    ------
    InputError
        When there is no manifest, a file is missing or changed, there is one more, or the log does not fit the report.
    """
    listed = read_manifest(directory)
    findings = compare_files(directory, listed)
    if findings:
        names = Names.of([finding.path for finding in findings])
        raise InputError("error.top-up.changed", file=str(directory), args={"files": names})
    return listed


def _find_data_file(directory: Path, listed: Mapping[str, Any]) -> Path:
    """Return the path of the data file among the files that a manifest lists (``listed``, by path).

    It lies in the folder ``release`` itself and is neither the data dictionary nor the note to the recipient. Raise
    InputError unless there is exactly one; a draft has none.
    """
    others = (f"{RELEASE}/{DICTIONARY}", f"{RELEASE}/{NOTE}")
    data = [path for path in listed if path.rpartition("/")[0] == RELEASE and path not in others]
    if len(data) != 1:
        raise InputError("error.top-up.draft", file=str(directory))
    return directory / data[0]


def read_released(directory: Path) -> tuple[Column, ...]:
    """Return the columns of a release in the order of its data file, each text as there.

    Signs that guard texts against being read as formulas are removed.

    Raises
    ------
    InputError
        When there is no manifest, a file in the folder is not as it was written, or the data are missing (a draft) or
        cannot be read.
    RecipeError
        When the folder holds no recipe that can be read.
    """
    directory = Path(directory)
    data = read_file(_find_data_file(directory, read_unchanged(directory)), RELEASED)
    recipe = read_recipe(directory / INTERNAL / RECIPE, formats=release_formats())
    guarded = recipe.release.formula_guard and find_writer(recipe.release.format).takes_guard
    try:
        return read_table(Written(data, recipe.release.format, guarded, 0, recipe.input.decimal or "."))
    except UnreadableFile as error:
        raise InputError("error.top-up.unreadable", file=str(directory)) from error


def read_stored(directory: Path, recipe: Recipe) -> EarlierRelease:
    """Return the earlier release that a top-up's own folder holds in ``internal/``, with the marks of those who left.

    Raises
    ------
    InputError
        When it is not there or not readable.
    """
    inside = Path(directory) / INTERNAL
    try:
        described = read_json(inside / TOP_UP, REPORT)
        sha = str(described["earlier"]["manifest_sha256"])
        leaving = described.get("leaving", {"marks": [], "alone": False})
        marks, only_leaving = tuple(str(mark) for mark in leaving["marks"]), bool(leaving["alone"])
        files = (
            read_file(inside / EARLIER_STATISTICS, REPORT),
            read_file(inside / (EARLIER_DATA + find_writer(recipe.release.format).suffix), RELEASED),
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError("error.top-up.unreadable", file=str(directory)) from error
    return replace(_parse_earlier_release(directory, recipe, files, sha), leaving=marks, only_leaving=only_leaving)


def _parse_earlier_release(
    directory: Path, recipe: Recipe, files: tuple[bytes, bytes], manifest_sha256: str
) -> EarlierRelease:
    """Return the earlier release made of the bytes of its statistics and data file, after checking that they fit.

    They fit if every column has as many rows, and every group as many, as the statistics say. ``files`` are these two;
    raises InputError where they cannot be read or do not fit.
    """
    release = recipe.release
    guarded = release.formula_guard and find_writer(release.format).takes_guard
    written = Written(files[1], release.format, guarded, 0, recipe.input.decimal or ".")
    try:
        statistics = Statistics.from_json(files[0])
        rows = read_table(written)
        n, released = statistics.moments.n, statistics.layout.released
        fits = all(len(column) == len(released) for column in rows) and bool(
            np.array_equal(np.bincount(released, minlength=len(n)), n)
        )
    except (ValueError, UnreadableFile) as error:  # a negative number of a group is a ValueError as well
        raise InputError("error.top-up.unreadable", file=str(directory)) from error
    if not fits:
        raise InputError("error.top-up.unreadable", file=str(directory))
    return EarlierRelease(directory, recipe, statistics, rows, files, manifest_sha256)
