"""States of the Release page that are photographed one after another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from tests.ui_support import Person


def release_states(person: Person, folder: Path) -> Iterator[tuple[str, Callable[[], None]]]:
    """Yield name and way of each state; each begins where the one before ended.

    Parameters
    ----------
    folder
        Where the release is written.
    """
    yield "", lambda: person.type("edit_folder", str(folder))
    if reasons(person):
        yield "-typed", lambda: write_some(person)
        yield "-answered", lambda: answer_all(person)
    if person.see("button_write_release").isEnabled():
        yield "-written", lambda: write(person)
        yield "-verified", lambda: person.click("button_verify")
        yield "-destroy", lambda: person.click("button_destroy_key")
        yield "-again", lambda: write_again(person)


def reasons(person: Person) -> list[str]:
    """Return the names of the fields that want a reason."""
    lines = person.see("list_gate").findChildren(object)
    names = [each.objectName() for each in lines if each.objectName().startswith("reason_") and each.isVisible()]
    return [name for name in names if not name.startswith("reason_problem")]


def write_some(person: Person) -> None:
    """A reason that is too short, one that counts, and one that says the same."""
    texts = ("too short", "Agreed with the data protection officer on 3 November.")
    for name, text in zip(reasons(person), (*texts, texts[-1]), strict=False):
        person.type(name, text)


def answer_all(person: Person) -> None:
    """A reason of its own for every check."""
    for place, name in enumerate(reasons(person), start=1):
        person.type(name, f"Agreed with the data protection officer, item {place} of the minutes.")


def write(person: Person) -> None:
    """Write the release."""
    person.click("button_write_release", settle=False)
    person.settle(person.patience)


def write_again(person: Person) -> None:
    """Try to write another release over the first, and be asked."""
    person.click("button_destroy_key_safe")
    person.click("button_new_release")
    person.click("button_choose_candidate")
    answer_all(person)
    write(person)
    if person.sees("button_replace_release"):
        person.click("button_replace_release")
