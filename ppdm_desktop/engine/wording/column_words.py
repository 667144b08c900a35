"""What a column's kind and role are called in a sentence, in the words that the window has for them."""

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
    """Return what a column of this kind holds, as in "a column of ranked values"."""
    return Note(_KINDS[kind])


def kinds_words(kinds: Iterable[str]) -> Terms:
    """Return what columns of these kinds hold, as a list in a fixed order."""
    return Terms(tuple(map(kind_words, sorted(kinds))))


def role_words(role: str | None) -> Note:
    """Return a role by the name it has on screen; None is a column that nobody has decided on."""
    return Note(_ROLES[role or None])


def roles_words(roles: Iterable[str]) -> Terms:
    """Return several roles, as a list in a fixed order."""
    return Terms(tuple(map(role_words, sorted(roles))))
