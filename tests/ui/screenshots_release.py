"""States of the Release page that are photographed one after another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event
from typing import Any

from optional import existing
from support import reason_for
from ui_support import Person, let_work

from ppdm_desktop.engine.recipe.models import StepSection
from ppdm_desktop.ui.pages.release import page as release_page
from ppdm_desktop.ui.pages.release.work import export_work

DIGITS = (StepSection(method="bit-plus-plus", columns=("hours-per-week",)),)


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
        yield "-failed", lambda: fail_to_write(person, folder)
        held = Held(person)
        yield "-writing", held.begin
        held.let_go()
        yield "-written", lambda: write(person)
        yield "-verified", lambda: person.click("button_verify")
        yield "-destroy", lambda: person.click("button_destroy_key")
        yield "-again", lambda: write_again(person)
    yield "-public", lambda: ask_for_the_public(person)


class Held:
    """A writing that never comes to its end until it is let go, so that it can be photographed."""

    def __init__(self, person: Person) -> None:
        self._person = person
        self._go_on = Event()

    def begin(self) -> None:
        """Begin to write; from now on the person does not wait for the end."""

        def held(*_given: Any, **_more: Any) -> Any:
            def work(progress: Any) -> None:
                done = 0.4
                while not self._go_on.wait(0.1):
                    # Goes on without ever coming to its end: what stands still is not told again.
                    done += (0.8 - done) / 100
                    progress.report(done, "doing.exporting")

            return work

        vars(release_page)["export_work"] = held
        self._person.settle = lambda seconds=None: let_work(400)  # type: ignore[method-assign]
        self._person.click("button_write_release")
        let_work(800)

    def let_go(self) -> None:
        """Stop it; nothing was written."""
        vars(release_page)["export_work"] = export_work
        del self._person.settle
        self._person.click("button_cancel_job")


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
    for name in reasons(person):
        person.type(name, reason_for(name.removeprefix("reason_")))


def fail_to_write(person: Person, folder: Path) -> None:
    """Write below a file, where no folder can be."""
    taken = folder.with_name("not-a-folder.txt")
    taken.write_text("taken", encoding="utf-8")
    person.type("edit_folder", str(taken / "out"))
    write(person)
    person.type("edit_folder", str(folder))


def write(person: Person) -> None:
    """Write the release."""
    person.click("button_write_release", settle=False)
    person.settle(person.patience)


def write_again(person: Person) -> None:
    """Try to write another release over the first, and be asked."""
    person.click("button_destroy_key_safe")
    person.click("button_new_release")
    person.window.go_to("release")
    person.settle()
    answer_all(person)
    write(person)
    person.click("button_replace_release")


def ask_for_the_public(person: Person) -> None:
    """For everybody, and where it can be with nothing but digits moved: checks that block."""
    session = person.session
    recipe = session.decisions.recipe
    release = recipe.release.model_copy(update={"type": "public"})
    roles = {name: section.role for name, section in recipe.columns.items()}
    can_be = all(roles.get(name) == "confidential" for name in existing(existing(DIGITS[0]).columns))
    session.decide_recipe("who", release=release, steps=DIGITS if can_be else recipe.steps)
    for step in ("risk", "protect"):
        person.window.go_to(step)
        person.settle()
    person.click("button_add_to_queue")
    person.window.go_to("compare")
    person.window.show_tab("map")
    person.settle()
    person.choose("combo_candidate", session.candidates[-1].name)
    person.click("button_choose_candidate")
