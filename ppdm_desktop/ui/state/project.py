"""The project file, which holds every decision but no data and no key (contract, section 7)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ppdm_desktop.engine.decision_log import LogLine, read_lines
from ppdm_desktop.engine.errors import InputError, PpdmError
from ppdm_desktop.engine.files.opening import PROJECT, read_json
from ppdm_desktop.engine.files.opening import PROJECT_SUFFIX as PROJECT_SUFFIX
from ppdm_desktop.engine.files.saving import save_whole
from ppdm_desktop.engine.release.storage.ledger import DrawEntry, draws_adapter, machine_key
from ppdm_desktop.engine.wording.values import Quoted, Reason
from ppdm_desktop.ui.state.session import Session

if TYPE_CHECKING:
    from ppdm_desktop.engine.recipe.models import Recipe, SweepSection

FORMAT = 1


@dataclass(frozen=True, eq=False)
class Project:
    """Content of a project file.

    Attributes
    ----------
    path, sha256
        The source file and its hash.
    recipe
        The decisions.
    candidates
        (name, recipe, created) of each run, which has to be run again.
    page
        The page that was open.
    confirmed
        Columns whose role the user confirmed.
    titles
        Titles of renamed candidates, by name.
    draws
        Candidates drawn from the source so far, oldest first.
    to_try
        The range of values that an opened recipe proposed, or None.
    log
        The decisions so far.
    """

    path: Path
    sha256: str
    recipe: Recipe
    candidates: list[tuple[str, Recipe, str]]
    page: str
    confirmed: frozenset[str]
    titles: Mapping[str, str]
    draws: Sequence[DrawEntry]
    to_try: SweepSection | None
    log: Sequence[LogLine]


def project_document(session: Session, page: str, ledger: Path | None = None) -> dict[str, Any]:
    """Return the content of a session's project file as plain data for JSON, without data and keys.

    It has the source's path and hash, the decisions, the candidates as recipes, the page that is open (``page``), the
    draws made from this source, the range to try and the log of decisions. It also has summaries of the columns, made
    with the key kept beside the ledger, by which next year's file can be compared. Raise ValueError without an open
    file.
    """
    from ppdm_desktop.engine.recipe.load import to_document

    if session.reading is None or session.decisions.path is None:
        raise ValueError("there is nothing to save before a file is open")
    sha256 = session.reading.account.sha256
    draws = [draw for draw in session.draws if draw.input_sha256 == sha256]
    to_try = session.decisions.to_try
    return {
        "format": FORMAT,
        "input": {"path": str(session.decisions.path), "sha256": sha256},
        "recipe": to_document(session.decisions.recipe),
        "confirmed": sorted(session.decisions.confirmed),
        "candidates": [
            {
                "name": entry.name,
                "recipe": to_document(entry.recipe),
                "created": entry.created,
                **({"title": entry.title} if entry.title else {}),
            }
            for entry in session.candidates
        ],
        "page": page,
        **({"draws": draws_adapter().dump_python(draws, mode="json")} if draws else {}),
        **({"sweep": to_try.model_dump(mode="json")} if to_try is not None else {}),
        "log": [asdict(line) for line in session.log],
        "profiles": _compute_profiles(session, ledger),
    }


def _compute_profiles(session: Session, ledger: Path | None) -> dict[str, Any]:
    """Return {"columns": {name: summary}} for the open table, with which next year's file can be compared.

    It is made with the key kept beside the ledger (file of releases) or, without a ledger, without a key. It is
    computed once for each reading.
    """
    assert session.reading is not None
    if session.profiles.get("of") != session.reading_number:
        from ppdm_desktop.engine.release.start_like import profiles_document  # loads NumPy

        key = None if ledger is None else machine_key(ledger)
        session.profiles = {"of": session.reading_number, **profiles_document(session.reading.table, key)}
    return {name: part for name, part in session.profiles.items() if name != "of"}


def write_project(path: Path, session: Session, page: str, ledger: Path | None = None) -> None:
    """Save a project at this path, completely or not at all.

    ``page`` is the page that is open, ``ledger`` the file of releases, beside which the key for column summaries is
    kept.

    Raises
    ------
    InputError
        When the file cannot be written.
    ValueError
        When no file is open.
    """
    text = json.dumps(project_document(session, page, ledger), ensure_ascii=False, indent=1)
    try:
        save_whole(path, text.encode("utf-8"), private=False)
    except OSError as error:
        raise InputError("error.output.not-written", file=str(path), args={"reason": Reason.of(error)}) from error


def read_project(path: Path) -> Project:
    """Return the content of a project file.

    Raises
    ------
    InputError
        When the file cannot be read, is no project, or has a format that this version of the program does not know.
    RecipeError
        When its decisions do not fit the recipe format.
    """
    from ppdm_desktop.engine.recipe.load import parse_recipe
    from ppdm_desktop.engine.recipe.models import SweepSection
    from ppdm_desktop.engine.table.writing.registry import release_formats

    try:
        document = read_json(path, PROJECT)
    except OSError as error:
        raise InputError("error.read.unreadable", file=str(path), args={"reason": Reason.of(error)}) from error
    except ValueError as error:
        raise InputError("error.project.not-a-project", file=str(path)) from error
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        version = document.get("format") if isinstance(document, dict) else None
        raise InputError(
            "error.project.format",
            file=str(path),
            args={"found": version if isinstance(version, int) else Quoted(str(version))},
        )
    formats = release_formats()
    try:
        return Project(
            Path(document["input"]["path"]),
            str(document["input"]["sha256"]),
            parse_recipe(document["recipe"], file=str(path), formats=formats),
            [
                (str(item["name"]), parse_recipe(item["recipe"], file=str(path), formats=formats), str(item["created"]))
                for item in document.get("candidates", [])
            ],
            str(document.get("page", "open")),
            frozenset(map(str, document.get("confirmed", []))),
            {str(entry["name"]): str(entry["title"]) for entry in document.get("candidates", []) if "title" in entry},
            draws_adapter().validate_python(document.get("draws", [])),
            SweepSection.model_validate(document["sweep"]) if "sweep" in document else None,
            read_lines(document.get("log", [])),
        )
    except PpdmError as error:
        error.file = error.file or str(path)
        raise
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InputError("error.project.not-a-project", file=str(path)) from error
