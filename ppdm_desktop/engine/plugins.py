"""Methods, attacks and readers of others: which are switched on, and whose they are.

A plug-in is an installed distribution that offers some by entry points. Nothing is loaded here: the loader is
``ppdm_desktop.plugins``, above the engine, where what it loads is put to the test. Here stands what the engine has to
know: that a recipe only ever gets what it names, so that one that names none does what it always did.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Plugin:
    """A distribution of others that is switched on.

    Attributes
    ----------
    name
        As it is installed, and as a recipe names it.
    version, publisher
        What it says of itself.
    sha256
        Over the files that its RECORD lists.
    methods, attacks, readers
        Ids of what it adds.
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
    """Return a distribution's name in the one way of writing it (PEP 503)."""
    return _SEPARATORS.sub("-", name.strip()).lower()


def switched_on() -> tuple[Plugin, ...]:
    """Return the plug-ins that are switched on in this process, by name."""
    return tuple(_switched_on[name] for name in sorted(_switched_on))


def find(name: str) -> Plugin | None:
    """Return a plug-in that is switched on; None where none of this name is."""
    return _switched_on.get(name)


def switch_on(plugin: Plugin) -> None:
    """Let recipes name a plug-in; for the loader, once what it adds is registered."""
    _switched_on[plugin.name] = plugin


def switch_off(name: str) -> None:
    """Let no recipe name it any more."""
    _switched_on.pop(name, None)


def of_method(id: str) -> Plugin | None:
    """Return whose method it is; None for one of the program."""
    return next((plugin for plugin in switched_on() if id in plugin.methods), None)


def of_reader(id: str) -> Plugin | None:
    """Return whose reader it is; None for one of the program."""
    return next((plugin for plugin in switched_on() if id in plugin.readers), None)


def not_on(used: Iterable[str]) -> tuple[str, ...]:
    """Return the plug-ins of these names that are not switched on."""
    return tuple(name for name in used if name not in _switched_on)


def attacks_of_others(used: Collection[str]) -> frozenset[str]:
    """Return the attacks of plug-ins that are switched on and that a recipe does not name."""
    return frozenset(id for plugin in switched_on() if plugin.name not in used for id in plugin.attacks)
