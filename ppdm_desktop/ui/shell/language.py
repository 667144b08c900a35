"""The window's language: it is set before the first text is shown, also for Qt's own texts."""

from __future__ import annotations

import os

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from ppdm_desktop.cli.language import SYSTEM as SYSTEM_VARIABLES
from ppdm_desktop.engine.wording.catalogue import SOURCE, _, language, list_languages, match_language, set_language
from ppdm_desktop.engine.wording.pseudo import PSEUDO

SYSTEM = "system"
"""The choice "as the system"."""


def chosen_language(choice: str) -> str:
    """Return the language code for a choice, which is a code or ``SYSTEM``.

    ``SYSTEM`` gives the language of the environment variables that commands heed, else the system's, if the program is
    translated into it, else English. A code that is not offered gives English, too; the code of the artificial test
    language is accepted.
    """
    if choice == SYSTEM:
        return match_language(next(filter(None, map(os.environ.get, SYSTEM_VARIABLES)), QLocale.system().name()))
    return choice if choice in (*list_languages(), PSEUDO) else SOURCE


def switch_language(choice: str) -> None:
    """Switch all texts, Qt's own dialogs, and the formats of numbers to the chosen language.

    English uses British formats. Qt's dialogs stay English if Qt has no translation, and before the application exists.
    """
    code = chosen_language(choice)
    set_language(code)
    british = QLocale(QLocale.Language.English, QLocale.Country.UnitedKingdom)
    QLocale.setDefault(british if code in (SOURCE, PSEUDO) else QLocale(code))
    app = QCoreApplication.instance()
    if app is None or code in (SOURCE, PSEUDO):
        return
    translator = QTranslator(app)
    if translator.load(f"qtbase_{code}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
        QCoreApplication.installTranslator(translator)


def language_choices() -> list[tuple[str, str]]:
    """Return (choice, label) pairs: first ``SYSTEM``, then the code of each language, labelled in that language."""
    return [(SYSTEM, _("As the system")), *((language.code, language.name) for language in list_languages().values())]


def needs_restart(choice: str) -> bool:
    """Return whether a choice means another language than the present one, so that a restart is needed."""
    return chosen_language(choice) != language()


def describe_language(choice: str) -> str:
    """Return notes on a language: used from the next start, and translation not reviewed; "" if neither applies."""
    code, notes = chosen_language(choice), []
    if needs_restart(choice):
        notes.append(_("This is used the next time the program starts."))
    if code in list_languages() and not list_languages()[code].reviewed:
        notes.append(_("This translation has not yet been checked by a data protection expert."))
    return " ".join(notes)
