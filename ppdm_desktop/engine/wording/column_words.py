"""The names of column kinds and roles in sentences, as the window shows them."""

from __future__ import annotations

from collections.abc import Iterable

from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Terms

_KINDS = {
    "numeric": "kind.numeric",
    "ordinal": "kind.ordinal",
    "nominal": "kind.nominal",
    "date": "kind.date",
    "text": "kind.text",
}
_ROLES = {
    "identifier": "role.identifier",
    "quasi-identifier": "role.quasi-identifier",
    "confidential": "role.confidential",
    "other": "role.other",
    "privacy-level": "role.privacy-level",
    "left-out": "role.left-out",
    None: "role.none",
}


def kind_words(kind: str) -> Note:
    """Return the words for a kind of column, such as "ranked values"."""
    return Note(_KINDS[kind])


def kinds_words(kinds: Iterable[str]) -> Terms:
    """Return the words for several kinds as a list in a fixed order."""
    return Terms(tuple(map(kind_words, sorted(kinds))))


def role_words(role: str | None) -> Note:
    """Return the name of a role on screen; None means that nobody has decided on it."""
    return Note(_ROLES[role or None])


def roles_words(roles: Iterable[str]) -> Terms:
    """Return the names of several roles as a list in a fixed order."""
    return Terms(tuple(map(role_words, sorted(roles))))
