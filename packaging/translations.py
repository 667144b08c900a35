"""Compile the translations: write the ``.mo`` file that the program reads beside each ``.po`` file.

``dev.py``, the tests, ``bundle.py`` and ``setup.py`` do this by themselves. ``.mo`` files are not committed. Run as a
script, it compiles what is missing or older than its ``.po`` file.
"""

from __future__ import annotations

import sys
from pathlib import Path

LOCALE = Path(__file__).resolve().parent.parent / "resources" / "locale"


def compile_translations(locale: Path = LOCALE, *, outdated_only: bool = False) -> list[Path]:
    """Write a ``.mo`` file beside each ``.po`` file and return the files written.

    Untranslated and fuzzy messages are left out of it; the program says them in English.

    Parameters
    ----------
    locale
        The folder that holds ``de/LC_MESSAGES/messages.po`` and so on.
    outdated_only
        Leave a ``.mo`` file that is newer than its ``.po`` file as it is.

    Raises
    ------
    babel.messages.pofile.PoFileError
        For a ``.po`` file that cannot be read, as with the marks of an unfinished merge.
    """
    written = []
    for source in sorted(locale.glob("*/LC_MESSAGES/*.po")):
        target = source.with_suffix(".mo")
        if outdated_only and target.exists() and target.stat().st_mtime_ns > source.stat().st_mtime_ns:
            continue
        # Imported here, because a start with nothing to compile must be quick.
        from babel.messages.mofile import write_mo
        from babel.messages.pofile import PoFileError, read_po

        with source.open("rb") as file:
            try:
                catalog = read_po(file, abort_invalid=True)
            except PoFileError as error:
                error.add_note(f"in {source}")
                raise
        unfinished = target.with_suffix(".mo.part")
        with unfinished.open("wb") as file:
            write_mo(file, catalog)
        unfinished.replace(target)
        written.append(target)
    return written


if __name__ == "__main__":
    for path in compile_translations(outdated_only=True):
        print(f"compiled {path.parent.parent.name}/{path.name}")
    sys.exit()
