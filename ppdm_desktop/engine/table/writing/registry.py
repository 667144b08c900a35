"""All formats of data files that can be written."""

from __future__ import annotations

from ppdm_desktop.engine.errors import RecipeError
from ppdm_desktop.engine.recipe.load import describe_allowed_names
from ppdm_desktop.engine.table.writing.base import WRITERS, Writer
from ppdm_desktop.engine.wording.values import Term


def all_writers() -> dict[str, Writer]:
    """Return every writer by its id, in the order in which lists show them."""
    return WRITERS.all()


def release_formats() -> tuple[str, ...]:
    """Return the ids of the formats that a released file may have, in the order in which lists show them."""
    return tuple(id for id, writer in all_writers().items() if writer.release)


def find_writer(id: str) -> Writer:
    """Return the writer of a format's id, such as ``csv``.

    Raises
    ------
    RecipeError
        When no writer has this id; it names the allowed ones.
    """
    writers = all_writers()
    if id not in writers:
        raise RecipeError(
            "error.recipe.bad-value",
            args={"key": Term("release.format"), "reason": Term(describe_allowed_names(writers, id))},
        )
    return writers[id]
