"""The window's language: chosen once, before the first sentence is said; Qt's own few words follow it."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from ppdm_desktop.engine.wording.catalogue import SOURCE, languages, matching, set_language
from ppdm_desktop.engine.wording.pseudo import PSEUDO

SYSTEM = "system"
"""The choice of whoever wants what the system speaks."""


def chosen_language(choice: str) -> str:
    """Return the language a choice stands for: the system's where there is a catalogue of it, else English."""
    if choice == SYSTEM:
        return matching(QLocale.system().name())
    return choice if choice in (*languages(), PSEUDO) else SOURCE


def speak(choice: str) -> None:
    """Say everything in the chosen language from here on, the words of Qt's own dialogs, too."""
    code = chosen_language(choice)
    set_language(code)
    british = QLocale(QLocale.Language.English, QLocale.Country.UnitedKingdom)
    QLocale.setDefault(british if code in (SOURCE, PSEUDO) else QLocale(code))
    app = QCoreApplication.instance()
    if app is None or code in (SOURCE, PSEUDO):
        return
    words = QTranslator(app)
    if words.load(f"qtbase_{code}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
        QCoreApplication.installTranslator(words)
