"""Background work of the page Open: read a file, read it again, open a project (no Qt here)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
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
from ppdm_desktop.engine.release.writing.disk_and_memory import check_store, should_keep_on_disk
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
    """A file as read, with facts about its columns, proposed corrections and, if it was opened by one, the project."""

    path: Path
    reading: Reading
    facts: Mapping[str, ColumnFacts]
    proposals: tuple[Proposal, ...]
    project: Project | None = None
    project_path: Path | None = None


@dataclass(frozen=True, eq=False)
class OriginalWanted:
    """A project that cannot be opened because its source file is missing or has changed.

    Attributes
    ----------
    tried
        The path at which the source was looked for.
    sha256
        SHA-256 of the file at that path, or None if there is no file.
    """

    project: Project
    project_path: Path
    tried: Path
    sha256: str | None


def open_code_store(source: Path) -> CodeStore | None:
    """Return disk storage for the columns of a file that may not fit in memory; None if memory is enough.

    The storage is deleted with the last column that uses it.

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
    """Return a file as read, with facts about its columns and proposed corrections.

    ``options`` are the reading options; without them all are guessed. Raises InputError for a file that cannot be read
    with these options, or whose columns fit neither in memory nor on the disk.
    """
    named = tuple(plugin.name for plugin in plugins.switched_on())
    reading = progress.part(0.0, 0.5).run(
        read_source, path, options or InputSection(), plugins=named, store=open_code_store(path)
    )
    return progress.part(0.5, 1.0).run(describe_reading, path, reading)


def describe_reading(path: Path, reading: Reading) -> Opened:
    """Return a reading of a file with facts about its columns and proposed corrections."""
    facts = progress.part(0.0, 0.8).run(find_facts, reading)
    return Opened(path, reading, facts, progress.part(0.8, 1.0).run(propose_repairs, reading))


def read_saved(path: Path, original: Path | None = None) -> Opened | OriginalWanted:
    """Return an opened project with its source file, or an ``OriginalWanted`` if the user has to choose the source.

    The latter is returned if the source is missing, has another hash than in the project, or lies on a network and was
    not named by the user. ``original`` is the path of the source if the user named one. Raises a PpdmError if the file
    is no project, or if the source cannot be read as the project says.
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
    opened = progress.part(0.5, 1.0).run(describe_reading, source, reading)
    return replace(opened, project=project, project_path=path)


def suggested_columns(reading: Reading, facts: Mapping[str, ColumnFacts]) -> dict[str, ColumnSection]:
    """Return suggested recipe entries by column; columns whose role the user has to decide are left out."""
    suggested = ((name, _suggested_section(facts[name])) for name in reading.table.names)
    return {name: section for name, section in suggested if section is not None}


def _suggested_section(facts: ColumnFacts) -> ColumnSection | None:
    """Return the suggested recipe entry of a column (role, kind, order of values); None if no role is suggested."""
    if facts.role is None:
        return None
    return ColumnSection.model_validate({"role": facts.role, **facts.kind_and_order})


def start_session(session: Session, opened: Opened) -> None:
    """Start the session with a file as read and suggestions, or with a project and its decisions.

    A new recipe is pre-filled with the texts of the last release record. A project keeps decisions only on columns that
    are still in the table, other columns get suggestions, and its candidates are listed to be made again.
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
            default_title=project.titles.get(name, ""),
        )
        for name, recipe, created in project.candidates
    ]
    session.remember_draws(project.draws)
    session.saved = session.decisions
    session.changed()


def take_again(session: Session, opened: Opened) -> None:
    """Replace the session's table by another reading of the same file; decisions on columns are carried over by name.

    A decision that was not confirmed can be replaced by the new suggestion (``_carry_over_section``). If the options
    are those already decided (after undo or redo), only the table is replaced; otherwise the new options are recorded
    as a decision.
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
    recipe = session.decisions.recipe.model_copy(update={"input": reading.options, "columns": columns})
    confirmed = session.decisions.confirmed & {*reading.table.names, rows}
    session.adopt(reading, opened.facts, recipe, confirmed, session.decisions.to_try)


def _carry_over_section(session: Session, name: str, new: ColumnFacts) -> ColumnSection | None:
    """Return a column's recipe entry after another reading of the file; None if its role has to be decided.

    The user has to do so if the new suggestion applies and has no role. The new suggestion replaces the entry if the
    column had none, or the user has neither changed nor confirmed it. Otherwise it depends on the kind that the two
    readings suggest:

    - Same kind: the entry stays. Its order of values follows the new reading if it was the suggested one.
    - Another kind: an unconfirmed entry is replaced by the new suggestion, even if the user changed it. A confirmed
      entry keeps its role and gets the new kind and order; if the user chose its kind, all of it stays.
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
    """Return whether two sets of reading options differ in an option that changes the table."""
    return any(_extract_reading_part(first, key) != _extract_reading_part(second, key) for key in READ_KEYS)


def _extract_reading_part(options: InputSection, key: str) -> object:
    """Return the value of a reading option; of ``repair`` only the repairs of cells, not how rows are combined."""
    return options.repairs_of_cells if key == "repair" else getattr(options, key)


def read_differently(session: Session) -> bool:
    """Return whether the table in memory was read with other options than decided, as after undo or redo.

    False without a table.
    """
    reading = session.reading
    return reading is not None and _is_read_differently(session.decisions.recipe.input, reading.options)


def keep_reading(session: Session) -> None:
    """Put the options with which the table in memory was read back into the recipe, because reading with others failed.

    This is a decision. Nothing happens if they are the same.
    """
    reading = session.reading
    if reading is not None and read_differently(session):
        kept = {key: getattr(reading.options, key) for key in READ_KEYS}
        session.decide_recipe(input=session.decisions.recipe.input.model_copy(update=kept))


def set_reading_option(options: InputSection, key: str, value: object) -> InputSection:
    """Return reading options with option ``key`` changed; options that depend on it are guessed again.

    After another sheet or delimiter these are the decimal mark, the header row and all corrections; after another
    header row the names of columns and the corrections of cells.
    """
    changes = _list_default_options(_GUESSED_AGAIN.get(key, ()))
    changes[key] = value
    return options.model_copy(update=changes)


def _list_default_options(keys: Iterable[str]) -> dict[str, object]:
    """Return the default values of these reading options."""
    return {key: InputSection.model_fields[key].get_default() for key in keys}


def reset_to_guessed(options: InputSection) -> InputSection:
    """Return reading options in which all that change the table are guessed again; who is a person stays decided."""
    return options.model_copy(update=_list_default_options(READ_KEYS))


def pick_single_file(paths: Iterable[Path]) -> tuple[Path | None, str]:
    """Return (path, "") if exactly one file was dropped, else (None, text id of the refusal).

    Nothing, several files, and a folder are refused.
    """
    path_list = list(paths)
    if not path_list:
        return None, "error.open.nothing"
    if len(path_list) > 1:
        return None, "error.open.several"
    if path_list[0].is_dir():
        return None, "error.read.folder"
    return path_list[0], ""
