"""The program's language: from the option, else from the window's settings, else from the system."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from ppdm_desktop.engine.wording.catalogue import list_languages, match_language, program_language, set_language
from ppdm_desktop.engine.wording.pseudo import PSEUDO
from ppdm_desktop.ui.state.settings import read_settings

OPTION = "--language"
SYSTEM = ("LC_ALL", "LC_MESSAGES", "LANG")
"""Where the system says its language: the first that is set counts, as everywhere."""


class UnknownLanguage(ValueError):
    """Raised for a language that does not exist; its argument is the name, empty if none was given."""


def split_language_option(arguments: Sequence[str]) -> tuple[list[str], str | None]:
    """Return (the arguments without the language option, the option's value or None).

    ``["sample", "--language", "de", "people"]`` gives ``(["sample", "people"], "de")``; ``--language=de`` is
    understood, too. Arguments after ``--`` are not searched for the option. If it is given several times, the last
    value counts.

    Raises
    ------
    UnknownLanguage
        When the option has no value, or names a language that does not exist.
    """
    kept, asked = list[str](), None
    remaining = iter(arguments)
    for argument in remaining:
        if argument == "--":
            kept += [argument, *remaining]
        elif argument == OPTION:
            asked = next(remaining, "")
        elif argument.startswith(f"{OPTION}="):
            asked = argument.partition("=")[2]
        else:
            kept.append(argument)
    if asked is not None and asked not in (*list_languages(), PSEUDO):
        raise UnknownLanguage(asked)
    return kept, asked


def usual_language(folder: Path, environment: Mapping[str, str]) -> str:
    """Return the language used without the option: that of the window's settings, else the system's, else English.

    Parameters
    ----------
    folder
        Folder of the window's settings.
    environment
        The environment variables.
    """
    if (chosen := read_settings(folder).language) in list_languages():
        return chosen
    return match_language(next((environment[name] for name in SYSTEM if environment.get(name)), None))


@contextmanager
def use_language(code: str) -> Iterator[None]:
    """Use a language in all threads inside the ``with`` block, and restore the earlier one afterwards.

    Raises ValueError for a language without a catalogue.
    """
    before = program_language()
    set_language(code)
    try:
        yield
    finally:
        set_language(before)
