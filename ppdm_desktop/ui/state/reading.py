"""Background work of opening: read a file, read it again, open a project (no Qt here)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ppdm_desktop.engine import plugins, progress
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.files.opening import leads_to_network
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.models import (
    ColumnSection,
    InputSection,
    OperatorSection,
    PluginsSection,
    Recipe,
    ReleaseSection,
)
from ppdm_desktop.engine.release.writing.room import check_store, should_keep_on_disk
from ppdm_desktop.engine.table.reading import Reading, hash_file, read_source
from ppdm_desktop.engine.table.reading.proposals import Proposal, propose_repairs
from ppdm_desktop.engine.table.stored.code_store import CodeStore
from ppdm_desktop.engine.wording.catalogue import SOURCE, language, list_languages
from ppdm_desktop.ui.state.column_facts import ColumnFacts, find_facts
from ppdm_desktop.ui.state.person_answer import find_row_count_column
from ppdm_desktop.ui.state.project import Project, read_project
from ppdm_desktop.ui.state.session import CandidateEntry, Session

_REPAIR_KEYS = ("last_row", "names", "leave_out", "people", "repair", "readings")
_SHARE_OF_MEMORY = 0.5
"""Largest share of the free memory for one version, because the window holds several and other programs need some."""
READ_KEYS = ("sheet", "encoding", "delimiter", "decimal", "header_row", "missing", "dictionary", *_REPAIR_KEYS)
# What was guessed or repaired under another choice means nothing under the new one.
_GUESSED_AGAIN = {
    "sheet": ("decimal", "header_row", *_REPAIR_KEYS),
    "delimiter": ("decimal", "header_row", *_REPAIR_KEYS),
    "header_row": ("names", "repair", "readings"),
}


@dataclass(frozen=True, eq=False)
class Opened:
    """A file that was read, with the facts on its columns."""

    path: Path
    reading: Reading
    facts: Mapping[str, ColumnFacts]
    project: Project | None = None
    project_path: Path | None = None
    proposals: tuple[Proposal, ...] = ()


@dataclass(frozen=True, eq=False)
class OriginalWanted:
    """A project whose source file is missing or has changed.

    Attributes
    ----------
    tried
        The path that was tried.
    found
        SHA-256 of the file there, or None if there is none.
    """

    project: Project
    project_path: Path
    tried: Path
    found: str | None


def open_code_store(source: Path) -> CodeStore | None:
    """Return storage on disk for the columns of a file that may not fit in memory; None for memory.

    The storage is deleted with the last column that uses it. It is closed before the error is raised.

    Raises
    ------
    InputError
        When there is not enough disk space.
    """
    if not should_keep_on_disk(source, judged=True, share=_SHARE_OF_MEMORY):
        return None
    store = CodeStore()
    try:
        check_store(store.path, source)
    except InputError:
        store.close()
        raise
    return store


def read_file(path: Path, options: InputSection | None = None) -> Opened:
    """Return a file as read, with facts on its columns and proposed corrections.

    Columns may be kept on disk. ``options`` are the reading options, all guessed without them. Raises InputError for a
    file that cannot be read so.
    """
    named = tuple(plugin.name for plugin in plugins.switched_on())
    reading = progress.part(0.0, 0.5).run(
        read_source, path, options or InputSection(), plugins=named, store=open_code_store(path)
    )
    facts = progress.part(0.5, 0.9).run(find_facts, reading)
    return Opened(path, reading, facts, proposals=progress.part(0.9, 1.0).run(propose_repairs, reading))


def read_saved(path: Path, original: Path | None = None) -> Opened | OriginalWanted:
    """Return an opened project; ``original`` is the source file if it was moved.

    If the source is missing, on a network nobody chose, or has another hash, the project and what is wanted come back
    instead.
    """
    project = read_project(path)
    source = original or project.path
    # Even a look would tell a computer on the network who looks; nobody chose that one.
    if (original is None and leads_to_network(source)) or not source.is_file():
        return OriginalWanted(project, path, source, None)
    digest = progress.part(0.0, 0.2).run(hash_file, source)
    if digest != project.sha256:
        return OriginalWanted(project, path, source, digest)
    options = project.recipe.input.model_copy(update={"sha256": project.sha256})
    reading = progress.part(0.2, 0.5).run(
        read_source, source, options, plugins=project.recipe.plugins.use, store=open_code_store(source)
    )
    facts = progress.part(0.5, 0.9).run(find_facts, reading)
    return Opened(source, reading, facts, project, path, progress.part(0.9, 1.0).run(propose_repairs, reading))


def suggested_columns(reading: Reading, facts: Mapping[str, ColumnFacts]) -> dict[str, ColumnSection]:
    """Return the suggested recipe sections by column; columns whose role the user has to decide are left out."""
    suggested = ((name, _suggested_section(facts[name])) for name in reading.table.names)
    return {name: section for name, section in suggested if section is not None}


def _suggested_section(facts: ColumnFacts) -> ColumnSection | None:
    """Return the suggested section of a column, None if no role is suggested."""
    if facts.role is None:
        return None
    return ColumnSection.model_validate({"role": facts.role, **facts.kind_and_order})


def start_session(session: Session, opened: Opened) -> None:
    """Start the session with what was read: a new file with suggestions, or a project with its decisions.

    A new file takes the texts of the last record; a project keeps decisions only on columns still in the table. The
    runs of a project are listed to be run again.
    """
    reading = opened.reading
    options = reading.options.model_copy(update={"sha256": reading.account.sha256})
    project = opened.project
    session.proposals = opened.proposals
    if project is None:
        # A project speaks the window's language from its beginning; a recipe that says nothing means English.
        code = language() if language() in list_languages() else SOURCE
        owner = plugins.of_reader(reading.account.format)
        recipe = Recipe(
            recipe=1,
            plugins=PluginsSection(use=() if owner is None else (owner.name,)),
            input=options,
            columns=suggested_columns(reading, opened.facts),
            release=ReleaseSection(note_language=code, report_language=code),
            operator=OperatorSection.model_validate(
                {key: text for key, text in session.last_record.items() if key in OperatorSection.model_fields}
            ),
        )
        session.opened(opened.path, reading, recipe, frozenset(), opened.facts)
        return
    reserved = ("*", find_row_count_column(project.recipe.input))
    kept = {
        name: column for name, column in project.recipe.columns.items() if name in reading.table or name in reserved
    }
    columns = {**suggested_columns(reading, opened.facts), **kept}
    recipe = project.recipe.model_copy(update={"input": options, "columns": columns})
    confirmed = project.confirmed & set(kept)
    project_path, to_try = opened.project_path, project.to_try
    session.opened(opened.path, reading, recipe, confirmed, opened.facts, project_path, to_try, project.log)
    session.candidates = [
        CandidateEntry(
            name,
            recipe,
            Key.fresh(),
            session.basis(recipe),
            created,
            status="again",
            given=project.titles.get(name, ""),
        )
        for name, recipe, created in project.candidates
    ]
    session.remember_draws(project.draws)
    session.saved = session.decisions
    session.changed()


def take_again(session: Session, opened: Opened) -> None:
    """Take another reading of the same file into the session; decisions are kept for columns of the same name.

    If the options are those decided (after undo or redo), only the table is replaced; else the new options are a
    decision.
    """
    reading = opened.reading
    session.proposals = opened.proposals
    if not _is_read_differently(session.decisions.recipe.input, reading.options):
        # Undo and redo already brought the decisions; only the table had to follow.
        session.replace_reading(reading, opened.facts)
        return
    carried = ((name, _carry_over_section(session, name, opened.facts[name])) for name in reading.table.names)
    columns = {name: section for name, section in carried if section is not None}
    before, rows = session.decisions.recipe.columns, find_row_count_column(reading.options)
    if rows is not None and rows in before:
        columns.setdefault(rows, before[rows])
    session.reread(reading, reading.options, columns, opened.facts)


def _carry_over_section(session: Session, name: str, new: ColumnFacts) -> ColumnSection | None:
    """Return a column's section after another reading of the file; None if the user has to decide.

    A section that the user did not change or confirm becomes the new suggestion. Of a confirmed one the role stays;
    kind and order follow the new reading if the user had left them as suggested.
    """
    section, facts = session.decisions.recipe.columns.get(name), session.facts.get(name)
    suggested = _suggested_section(new)
    if section is None or facts is None:
        return suggested
    if facts.kind == new.kind:
        untouched = section == _suggested_section(facts)
        if untouched and name not in session.decisions.confirmed:
            return suggested
        is_suggested = section.order == (facts.order or None)
        return section.model_copy(update={"order": new.order or None}) if is_suggested else section
    if name not in session.decisions.confirmed:
        return suggested
    if section.kind == facts.kind:
        # The kind was never the person's own choice, and the values no longer bear it out.
        return ColumnSection.model_validate({"role": section.role, **new.kind_and_order})
    return section


def _is_read_differently(first: InputSection, second: InputSection) -> bool:
    """Return whether two sets of options give different readings of a file."""
    return any(_extract_reading_part(first, key) != _extract_reading_part(second, key) for key in READ_KEYS)


def _extract_reading_part(options: InputSection, key: str) -> object:
    """Return the value of an option by its key; of repairs only those of cells, not the later combining of rows."""
    return options.repairs_of_cells if key == "repair" else getattr(options, key)


def read_differently(session: Session) -> bool:
    """Return whether the table in memory was read with other options than decided (after undo or redo).

    False without a table.
    """
    reading = session.reading
    return reading is not None and _is_read_differently(session.decisions.recipe.input, reading.options)


def keep_reading(session: Session) -> None:
    """Decide the options of the table in memory again, because reading with the decided ones failed.

    Nothing happens if they are the same.
    """
    reading = session.reading
    if reading is not None and read_differently(session):
        kept = {key: getattr(reading.options, key) for key in READ_KEYS}
        session.decide_recipe(input=session.decisions.recipe.input.model_copy(update=kept))


def set_reading_option(options: InputSection, key: str, value: object) -> InputSection:
    """Return reading options with the one called ``key`` changed; options that depend on it are guessed again."""
    changes = _list_default_options(_GUESSED_AGAIN.get(key, ()))
    changes[key] = value
    return options.model_copy(update=changes)


def _list_default_options(keys: Iterable[str]) -> dict[str, object]:
    """Return the default values of these reading options."""
    return {key: InputSection.model_fields[key].get_default() for key in keys}


def reset_to_guessed(options: InputSection) -> InputSection:
    """Return reading options with all that affect the reading guessed; answers on people stay."""
    return options.model_copy(update=_list_default_options(READ_KEYS))


def pick_single_file(paths: Iterable[Path]) -> tuple[Path | None, str]:
    """Return (path, "") of the single dropped file, or (None, text id of why it is refused).

    Nothing, several files, and a folder are refused.
    """
    found_paths = list(paths)
    if not found_paths:
        return None, "error.open.nothing"
    if len(found_paths) > 1:
        return None, "error.open.several"
    if found_paths[0].is_dir():
        return None, "error.read.folder"
    return found_paths[0], ""
