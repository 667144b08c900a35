"""The font of documents, and replacements for letters that no available font has."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import cache

from PySide6.QtGui import QFont, QFontDatabase, QRawFont

from ppdm_desktop.ui.look.fonts import FAMILY, load_fonts

_ALIASES = frozenset({"Monospace", "Sans Serif", "Serif"})
"""Names that Qt lists even on a system without fonts, where examining them would end the process."""
_NEEDED = "Ag019%"
_UNSEEN = frozenset({"Cc", "Cf", "Mn", "Me", "Zl", "Zp"})
"""Unicode categories of characters that a font need not have: combining and invisible ones."""
_JOINING = ("liga", "clig", "dlig", "hlig", "calt")
"""OpenType features that draw several letters as one glyph."""


@cache
def font_family() -> str | None:
    """Return the font family of documents; None if there is no usable font.

    It is the program's own or, if Qt cannot load that, the first of the system's families, by name, that has the
    letters needed. It is looked for once.
    """
    if load_fonts():
        return FAMILY
    return next(
        (name for name in _list_font_families(QFontDatabase.WritingSystem.Latin) if _has_letters(name, _NEEDED)), None
    )


def document_font(family: str) -> QFont:
    """Return the font of a document, of this family and without ligatures.

    In a PDF a ligature such as "fi" is one character, which a search for "f" or "i" does not find.
    """
    font = QFont(family)
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    for feature in _JOINING:
        font.setFeature(QFont.Tag(feature), 0)
    return font


def replace_missing_letters(text: str) -> str:
    """Return a text in which letters that no available font has are replaced by their code points.

    Unlike an empty box, ``[U+6771]`` still distinguishes names. A blank that no font has becomes a space. Letters up to
    U+00FF are taken to be in every font.
    """
    foreign = _make_replacements(frozenset(letter for letter in text if letter > "\u00ff"))
    return text.translate(foreign) if foreign else text


@cache
def _make_replacements(letters: frozenset[str]) -> dict[int, str]:
    """Return, by code point, a replacement such as ``[U+1F600]`` for each letter that no font can draw.

    White space becomes a space. Letters that can be drawn or are invisible are not in the result.
    """
    left = {letter for letter in letters if unicodedata.category(letter) not in _UNSEEN}
    for name in (font_family(), *_list_font_families(QFontDatabase.WritingSystem.Any)):
        if not left:
            break
        if name is not None:
            raw = QRawFont.fromFont(QFont(name))
            left = {letter for letter in left if not raw.supportsCharacter(ord(letter))}
    spaces = {ord(letter): " " for letter in left if letter.isspace()}
    return {ord(letter): f"[U+{ord(letter):04X}]" for letter in left} | spaces


def _list_font_families(system: QFontDatabase.WritingSystem) -> list[str]:
    """Return the installed font families for a writing system, sorted, without aliases and private families."""
    families = QFontDatabase.families(system)
    return sorted(name for name in families if name not in _ALIASES and not QFontDatabase.isPrivateFamily(name))


def _has_letters(family: str, letters: Iterable[str]) -> bool:
    """Return whether a font family can be loaded and has all of these letters."""
    raw = QRawFont.fromFont(QFont(family))
    return raw.isValid() and all(raw.supportsCharacter(ord(letter)) for letter in letters)
