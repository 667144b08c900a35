"""The work behind opening: reading a file, reading it again, opening a project (no Qt here)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.models import ColumnSection, InputSection, Recipe
from ppdm_desktop.engine.table.reading import Reading, hash_file, read_source
from ppdm_desktop.ui.state.column_facts import ColumnFacts, find_facts
from ppdm_desktop.ui.state.project import Project, read_project
from ppdm_desktop.ui.state.session import CandidateEntry, Session

READ_KEYS = ("sheet", "encoding", "delimiter", "decimal", "header_row", "missing")
# What was guessed under another choice means nothing under the new one.
_GUESSED_AGAIN = {"sheet": ("decimal", "header_row"), "encoding": (), "delimiter": ("decimal", "header_row")}


@dataclass(frozen=True, eq=False)
class Opened:
    """A file that was read, with what is shown of its columns."""

    path: Path
    reading: Reading
    facts: Mapping[str, ColumnFacts]
    project: Project | None = None
    project_path: Path | None = None


@dataclass(frozen=True, eq=False)
class OriginalWanted:
    """A project whose original is not where it was, or is not what it was.

    Attributes
    ----------
    tried
        The file that was looked at.
    found
        Its SHA-256, or None when there is no such file.
    """

    project: Project
    project_path: Path
    tried: Path
    found: str | None


def read_file(path: Path, options: InputSection | None = None) -> Callable[[Progress], Opened]:
    """Return the work that reads a file and looks at its columns."""

    def work(progress: Progress) -> Opened:
        reading = read_source(path, options or InputSection(), progress.part(0.0, 0.8))
        return Opened(path, reading, find_facts(reading, progress.part(0.8, 1.0)))

    return work


def read_saved(path: Path, original: Path | None = None) -> Callable[[Progress], Opened | OriginalWanted]:
    """Return the work that opens a project, on ``original`` when the file is elsewhere now."""

    def work(progress: Progress) -> Opened | OriginalWanted:
        project = read_project(path)
        source = original or project.path
        if not source.is_file():
            return OriginalWanted(project, path, source, None)
        found = hash_file(source, progress.part(0.0, 0.2))
        if found != project.sha256:
            return OriginalWanted(project, path, source, found)
        options = project.recipe.input.model_copy(update={"sha256": project.sha256})
        reading = read_source(source, options, progress.part(0.2, 0.8))
        return Opened(source, reading, find_facts(reading, progress.part(0.8, 1.0)), project, path)

    return work


def suggested_columns(reading: Reading, facts: Mapping[str, ColumnFacts]) -> dict[str, ColumnSection]:
    """Return the recipe's columns as suggested, to be confirmed by a person."""
    return {
        name: ColumnSection.model_validate({"role": facts[name].role, "kind": facts[name].kind})
        for name in reading.table.names
    }


def begin(session: Session, opened: Opened) -> None:
    """Put what was read into the session: a new file with suggestions, or a project with its decisions."""
    reading = opened.reading
    options = reading.options.model_copy(update={"sha256": reading.account.sha256})
    project = opened.project
    if project is None:
        recipe = Recipe(recipe=1, input=options, columns=suggested_columns(reading, opened.facts))
        session.opened(opened.path, reading, recipe, frozenset(), opened.facts)
        session.project = None
        return
    kept = {name: each for name, each in project.recipe.columns.items() if name in reading.table or name == "*"}
    columns = {**suggested_columns(reading, opened.facts), **kept}
    recipe = project.recipe.model_copy(update={"input": options, "columns": columns})
    confirmed, weights = project.confirmed & set(kept), tuple(project.weights.items())
    session.opened(opened.path, reading, recipe, confirmed, opened.facts, weights)
    session.candidates = [
        CandidateEntry(
            name,
            each,
            Key.fresh(),
            session.basis(each),
            created,
            status="again",
            given=project.titles.get(name, ""),
        )
        for name, each, created in project.candidates
    ]
    session.remember_draws(project.draws)
    session.project, session.saved = opened.project_path, session.decisions
    session.changed()


def take_again(session: Session, opened: Opened) -> None:
    """Put another reading of the same file into the session; what a person decided stays where names match."""
    reading = opened.reading
    if not _differs(session.decisions.recipe.input, reading.options):
        # Undo and redo already brought the decisions; only the table had to follow.
        session.reading, session.facts = reading, opened.facts
        session.changed()
        return
    columns = {
        name: _carried(session, name, suggested) for name, suggested in suggested_columns(reading, opened.facts).items()
    }
    session.reread(reading, reading.options, columns, opened.facts)


def _carried(session: Session, name: str, suggested: ColumnSection) -> ColumnSection:
    """Return what becomes of a column's section when the file is read differently."""
    section, facts = session.decisions.recipe.columns.get(name), session.facts.get(name)
    if section is None or facts is None:
        return suggested
    if facts.kind == suggested.kind:
        untouched = section == ColumnSection.model_validate({"role": facts.role, "kind": facts.kind})
        return suggested if untouched and name not in session.decisions.confirmed else section
    if name not in session.decisions.confirmed:
        return suggested
    if section.kind == facts.kind:
        # The kind was never the person's own choice, and the values no longer bear it out.
        return ColumnSection(role=section.role, kind=suggested.kind)
    return section


def _differs(first: InputSection, second: InputSection) -> bool:
    return any(getattr(first, key) != getattr(second, key) for key in READ_KEYS)


def read_differently(session: Session) -> bool:
    """Say whether the table in memory was read in another way than decided (after undo or redo)."""
    reading = session.reading
    return reading is not None and _differs(session.decisions.recipe.input, reading.options)


def keep_reading(session: Session, label: str) -> None:
    """Decide again for the table in memory, when reading it in the way decided has failed."""
    reading = session.reading
    if reading is not None and read_differently(session):
        kept = {key: getattr(reading.options, key) for key in READ_KEYS}
        session.decide_recipe(label, input=session.decisions.recipe.input.model_copy(update=kept))


def options_with(options: InputSection, key: str, value: object) -> InputSection:
    """Return reading options with one of them corrected; what hangs on it is guessed anew."""
    changes: dict[str, object] = dict.fromkeys(_GUESSED_AGAIN.get(key, ()))
    changes[key] = value
    return options.model_copy(update=changes)


def options_guessed(options: InputSection) -> InputSection:
    """Return reading options with nothing but guesses."""
    return options.model_copy(update=dict.fromkeys(READ_KEYS))


def one_file(paths: Iterable[Path]) -> tuple[Path | None, str]:
    """Return the one file that was dropped, or the text id of why it is not taken."""
    found = list(paths)
    if not found:
        return None, "error.open.nothing"
    if len(found) > 1:
        return None, "error.open.several"
    if found[0].is_dir():
        return None, "error.read.folder"
    return found[0], ""
