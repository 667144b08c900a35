"""Load plug-ins (methods, attacks and readers of other packages), only when a person names them.

A plug-in is an installed distribution with entry points in the groups of ``GROUPS``; each entry point is a class that
declares one method, attack or reader. Its files are hashed before any of its code runs, and each class has to pass a
quick test. Its code can do whatever the person running the program can do: enabling a plug-in is a matter of trust, and
the release names every enabled plug-in.
"""

from __future__ import annotations

import hashlib
import importlib.util
import sys
import threading
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from importlib.metadata import Distribution, EntryPoint
from pathlib import Path
from typing import Any

from ppdm_desktop.engine import plugins as plugin_registry
from ppdm_desktop.engine.errors import RecipeError
from ppdm_desktop.engine.methods.base.declaration import METHODS, Method
from ppdm_desktop.engine.plugins import Plugin, plugin_name
from ppdm_desktop.engine.registry import Registry
from ppdm_desktop.engine.release.attack_audit.base import ATTACKS, Attack
from ppdm_desktop.engine.table.reading.base import READERS, Reader
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.texts import Note, add_texts, all_texts, remove_texts
from ppdm_desktop.engine.wording.values import Name, Names, Quoted, Reason, Term

OWN = "ppdm-desktop"
_LOCK = threading.Lock()
_refused_before: dict[str, Note] = {}
"""Why plug-ins were refused, by the hash of their files: what was imported once is not imported again."""


@dataclass(frozen=True)
class _Group:
    """A kind of declaration that plug-ins may add: methods, attacks or readers."""

    word: str
    base: type[Any]
    registry: Registry[Any]


GROUPS: Mapping[str, _Group] = {
    "ppdm_desktop.methods": _Group("method", Method, METHODS),
    "ppdm_desktop.attacks": _Group("attack", Attack, ATTACKS),
    "ppdm_desktop.readers": _Group("reader", Reader, READERS),
}
"""The groups of entry points. Methods come first: an attack is tried on what its method made."""


@dataclass(frozen=True)
class Installed:
    """A plug-in as its installation metadata describe it; none of its code has run.

    Attributes
    ----------
    name
        Name of the plug-in in recipes.
    version, publisher
        Version and publisher from the metadata.
    """

    name: str
    version: str
    publisher: str


class _RefusedPlugin(Exception):
    """Raised when a plug-in is refused; ``why`` is the reason."""

    def __init__(self, why: Note) -> None:
        """Set the reason for the refusal."""
        super().__init__(why.id)
        self.why = why


def describe_plugin(plugin: Installed | Plugin) -> str:
    """Return name, version and publisher of a plug-in, as a sentence; "?" stands for an unknown publisher."""
    return _(
        "{name} {version} by {publisher}, not part of PPDM Desktop.",
        name=Name(plugin.name),
        version=Term(plugin.version),
        publisher=Term(plugin.publisher or "?"),
    )


def is_bundle() -> bool:
    """Return whether this is a bundled program with its own Python; such a program never loads plug-ins."""
    return bool(getattr(sys, "frozen", False))


def installed() -> tuple[Installed, ...]:
    """Return the installed plug-ins, sorted by name; empty in a bundled program."""
    return tuple(_read_plugin_metadata(name, dist) for name, (dist, _) in sorted(_find_distributions().items()))


def _find_distributions() -> dict[str, tuple[Distribution, dict[str, list[EntryPoint]]]]:
    """Return the installed distributions (Python packages) that are plug-ins, with their entry points by group.

    The key is the normalised name. Empty in a bundled program; this program itself is left out.
    """
    entry_points_by_name: dict[str, tuple[Distribution, dict[str, list[EntryPoint]]]] = {}
    if is_bundle():
        return entry_points_by_name
    for group in GROUPS:
        for point in metadata.entry_points(group=group):
            if point.dist is None or (name := plugin_name(point.dist.name)) == OWN:
                continue
            entry_points_by_name.setdefault(name, (point.dist, {}))[1].setdefault(group, []).append(point)
    return entry_points_by_name


def _read_plugin_metadata(name: str, dist: Distribution) -> Installed:
    """Return a plug-in's name, version and publisher as its metadata have them; none of its code runs.

    The publisher is the first author or maintainer in the metadata, "" without any.
    """
    about = dist.metadata
    keys = ("Author", "Author-email", "Maintainer", "Maintainer-email")
    publisher = next((str(about[key]) for key in keys if key in about), "")
    return Installed(name, dist.version, publisher)


def switch_on(names: Collection[str]) -> None:
    """Enable plug-ins, so that recipes can name them; plug-ins already enabled stay enabled.

    They are enabled one after the other: those before one that fails stay enabled.

    Raises
    ------
    RecipeError
        When a plug-in is not installed or is refused, or in a bundled program, which never loads any.
    """
    wanted = [name for name in map(plugin_name, names) if plugin_registry.find(name) is None]
    if wanted and is_bundle():
        raise RecipeError("error.plugins.bundle", args={"plugins": Names.of(wanted)})
    for name in wanted:
        if (why := why_refused(name)) is not None:
            raise RecipeError("error.plugins.refused", args={"plugin": Quoted(name), "reason": why})


def why_refused(name: str) -> Note | None:
    """Try to enable one plug-in; return why it is refused, or None if it is now enabled.

    Raises
    ------
    RecipeError
        When no plug-in of this name is installed.
    """
    name = plugin_name(name)
    with _LOCK:
        if plugin_registry.find(name) is not None:
            return None
        distribution = _find_distributions().get(name)
        if distribution is None:
            raise RecipeError("error.plugins.not-installed", args={"plugin": Quoted(name)})
        try:
            plugin_registry.switch_on(_load_plugin(_read_plugin_metadata(name, distribution[0]), *distribution))
        except _RefusedPlugin as refused:
            return refused.why
        return None


def switch_off(name: str) -> None:
    """Disable a plug-in, so that no recipe can use it; do nothing if it is not enabled.

    Its modules stay imported until the program ends.
    """
    with _LOCK:
        plugin = plugin_registry.find(plugin_name(name))
        if plugin is None:
            return
        plugin_registry.switch_off(plugin.name)
        for group, ids in zip(GROUPS.values(), (plugin.methods, plugin.attacks, plugin.readers), strict=True):
            for id in ids:
                remove_texts(group.registry.all()[id].texts)
                group.registry.forget(id)


# --- loading one ------------------------------------------------------------------------------


def _load_plugin(about: Installed, dist: Distribution, points: Mapping[str, Sequence[EntryPoint]]) -> Plugin:
    """Hash, import, register and test all declarations of a plug-in; return the plug-in.

    Raise _RefusedPlugin with the reason if one fails; then none stays registered. Files that were refused before are
    refused at once.
    """
    files = _list_plugin_files(dist)
    sha256 = _hash_files(files)
    if (why := _refused_before.get(sha256)) is not None:
        raise _RefusedPlugin(why)
    added: dict[str, list[type[Any]]] = {}
    try:
        for name, group in GROUPS.items():
            for point in sorted(points.get(name, ()), key=lambda entry_point: entry_point.name):
                declared = _import_declaration(point, group, files)
                _register_declaration(declared, group)
                added.setdefault(name, []).append(declared)
        for name, entry_points in added.items():
            for declared in entry_points:
                _test_declaration(declared, GROUPS[name])
    except BaseException as error:
        if isinstance(error, _RefusedPlugin):
            _refused_before[sha256] = error.why
        for name, entry_points in added.items():
            for declared in entry_points:
                GROUPS[name].registry.forget(declared.id)
                remove_texts(declared.texts)
        raise
    methods, attacks, readers = (frozenset(declared.id for declared in added.get(name, ())) for name in GROUPS)
    return Plugin(about.name, about.version, about.publisher, sha256, methods, attacks, readers)


def _list_plugin_files(dist: Distribution) -> dict[str, Path]:
    """Return the paths of a distribution's files, without RECORD and compiled code, by their names in RECORD.

    Raises
    ------
    _RefusedPlugin
        When the distribution has no RECORD, or one of these files is missing.
    """
    if dist.read_text("RECORD") is None:
        raise _RefusedPlugin(Note("plugins.why-not.no-record"))
    files = {}
    for listed in dist.files or ():
        # The list cannot hold its own hash, and each Python compiles code for itself.
        if listed.name == "RECORD" or listed.suffix == ".pyc":
            continue
        path = Path(str(listed.locate()))
        if not path.is_file():
            raise _RefusedPlugin(Note("plugins.why-not.file-missing", {"file": Term(listed.as_posix())}))
        files[listed.as_posix()] = path
    return files


def _hash_files(files: Mapping[str, Path]) -> str:
    """Return one SHA-256, in hexadecimal digits, of the names and contents of all these files."""
    whole = hashlib.sha256()
    for name in sorted(files):
        whole.update(f"{hashlib.sha256(files[name].read_bytes()).hexdigest()}  {name}\n".encode())
    return whole.hexdigest()


def _import_declaration(point: EntryPoint, group: _Group, files: Mapping[str, Path]) -> type[Any]:
    """Return the class of an entry point, imported after a check that its module is a file of its own distribution.

    Raise _RefusedPlugin if it is not, cannot be imported, is no declaration of the group, or registers itself.
    """
    own_files = {path.resolve() for path in files.values()}
    top = point.module.partition(".")[0]
    try:
        module_spec = importlib.util.find_spec(top)
    except (ImportError, ValueError):
        module_spec = None
    if module_spec is None or module_spec.origin is None or Path(module_spec.origin).resolve() not in own_files:
        raise _RefusedPlugin(Note("plugins.why-not.not-its-own", {"id": Quoted(point.value)}))
    before = frozenset(group.registry.all())
    try:
        declared = point.load()
    except Exception as error:
        reason = Reason(type(error).__name__)
        raise _RefusedPlugin(
            Note("plugins.why-not.not-imported", {"id": Quoted(point.value), "reason": reason})
        ) from error
    plugin_id = getattr(declared, "id", None)
    if not (isinstance(declared, type) and issubclass(declared, group.base) and isinstance(plugin_id, str)):
        raise _RefusedPlugin(
            Note("plugins.why-not.not-declared", {"id": Quoted(point.value), "group": Term(group.word)})
        )
    file = getattr(sys.modules.get(declared.__module__), "__file__", None)
    if file is None or Path(file).resolve() not in own_files:
        raise _RefusedPlugin(Note("plugins.why-not.not-its-own", {"id": Quoted(plugin_id)}))
    if itself := frozenset(group.registry.all()) - before:
        for id in itself:
            group.registry.forget(id)
        raise _RefusedPlugin(Note("plugins.why-not.registers", {"id": Quoted(plugin_id)}))
    return declared


def _register_declaration(declared: type[Any], group: _Group) -> None:
    """Register a class of a plug-in with its texts, or neither.

    Raise _RefusedPlugin if its id or one of its text ids is taken, or if the registry refuses it.
    """
    if declared.id in group.registry.all():
        raise _RefusedPlugin(Note("plugins.why-not.taken", {"id": Quoted(declared.id)}))
    here = all_texts()
    taken = [id for id in declared.texts if id in here] or list(add_texts(declared.texts))
    if taken:
        raise _RefusedPlugin(Note("plugins.why-not.text-taken", {"id": Term(taken[0])}))
    try:
        group.registry.register(declared)
    except Exception as error:
        remove_texts(declared.texts)
        raise _make_refusal(declared, error) from error


def _test_declaration(declared: type[Any], group: _Group) -> None:
    """Test a class with the quick battery for methods, attacks or readers; raise _RefusedPlugin if it fails."""
    # Only here: the batteries bring what draws and judges whole releases.
    from ppdm_desktop.testing import check_attack, check_method, check_reader_declared

    try:
        if group.base is Method:
            check_method(declared, quick=True)
        elif group.base is Attack:
            check_attack(declared, quick=True)
        else:
            check_reader_declared(declared)
    except Exception as error:
        raise _make_refusal(declared, error) from error


def _make_refusal(declared: type[Any], error: Exception) -> _RefusedPlugin:
    """Return the refusal of a class that raised an error.

    The reason is the message of a failed test, else only the class of the error.
    """
    reason = str(error) if isinstance(error, AssertionError) else type(error).__name__
    return _RefusedPlugin(Note("plugins.why-not.fails", {"id": Quoted(declared.id), "reason": Reason(reason)}))
