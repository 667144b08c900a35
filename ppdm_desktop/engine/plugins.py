"""The enabled plug-ins, and which methods, attacks and readers belong to them.

A plug-in is an installed distribution that offers methods, attacks or readers by entry points. Nothing is loaded here:
``ppdm_desktop.plugins`` does this and checks what it loads. The engine only ensures that a recipe can use the plug-ins
that it names and no others.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Plugin:
    """An enabled plug-in.

    Attributes
    ----------
    name
        Name of the installed distribution, by which a recipe names the plug-in.
    version, publisher
        Version and publisher from its metadata.
    sha256
        Hash of the files that the distribution's RECORD lists.
    methods, attacks, readers
        Ids of the methods, attacks and readers that it adds.
    """

    name: str
    version: str
    publisher: str
    sha256: str
    methods: frozenset[str] = frozenset()
    attacks: frozenset[str] = frozenset()
    readers: frozenset[str] = frozenset()


_switched_on: dict[str, Plugin] = {}
_SEPARATORS = re.compile(r"[-_.]+")


def plugin_name(name: str) -> str:
    """Return a distribution's name in its standard form (PEP 503): lower case, with runs of "-", "_" and "." as "-"."""
    return _SEPARATORS.sub("-", name.strip()).lower()


def switched_on() -> tuple[Plugin, ...]:
    """Return the enabled plug-ins of this process, sorted by name."""
    return tuple(_switched_on[name] for name in sorted(_switched_on))


def find(name: str) -> Plugin | None:
    """Return the enabled plug-in of exactly this name; None if none is enabled."""
    return _switched_on.get(name)


def switch_on(plugin: Plugin) -> None:
    """Enable a plug-in, so that recipes can name it, in place of an enabled one with the same name.

    Its methods, attacks and readers must be registered already.
    """
    _switched_on[plugin.name] = plugin


def switch_off(name: str) -> None:
    """Disable a plug-in, so that no recipe can name it; nothing happens if it is not enabled."""
    _switched_on.pop(name, None)


def of_method(id: str) -> Plugin | None:
    """Return the enabled plug-in to which a method belongs; None for the program's own methods and unknown ones."""
    return next((plugin for plugin in switched_on() if id in plugin.methods), None)


def of_reader(id: str) -> Plugin | None:
    """Return the enabled plug-in to which a reader belongs; None for the program's own readers and unknown ones."""
    return next((plugin for plugin in switched_on() if id in plugin.readers), None)


def not_on(used: Iterable[str]) -> tuple[str, ...]:
    """Return those of the given plug-in names that are not enabled, in the given order."""
    return tuple(name for name in used if name not in _switched_on)


def attacks_of_others(used: Collection[str]) -> frozenset[str]:
    """Return the ids of the attacks of all enabled plug-ins that are missing in ``used``.

    ``used`` are the names of the plug-ins that the recipe names. The program's own attacks are never returned.
    """
    return frozenset(id for plugin in switched_on() if plugin.name not in used for id in plugin.attacks)
