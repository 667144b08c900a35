"""Release as a person uses it: reasons, export, what goes wrong, afterwards; and the same bytes on the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from flow_support import write_reasons
from protect_support import at_step
from PySide6.QtWidgets import QLabel, QLineEdit
from support import reason_for
from ui_support import Person, find

from ppdm_desktop.engine.recipe.models import AcceptSection
from ppdm_desktop.ui.state.gate_rows import (
    BLOCKS,
    PASSED,
    GateRow,
    list_required_checks,
)

GOOD = "The recipients have signed that they look up nobody"


@pytest.fixture
def person(window: Any, dialogs: Any, tmp_path: Path) -> Person:
    """At Release with a swap chosen, the folder named, every role decided and no reason written."""
    person = at_step(window, dialogs, tmp_path, "release")
    person.type("edit_folder", str(tmp_path / "out"))
    return person


def write(person: Person) -> Path:
    write_reasons(person)
    person.click("button_write_release")
    return Path(find(person.window, "edit_folder").text())


def test_what_passed_is_one_line_and_nothing_moves_while_a_reason_is_typed(person: Person) -> None:
    page = find(person.window, "page_release")
    passed = next(row.id for row in page._rows if row.state == PASSED and not row.on_agreement)
    assert not person.sees(f"gate_{passed}")
    person.click("fold_checks_passed")
    assert person.sees(f"gate_{passed}")
    person.click("fold_checks_passed")
    fields = [each for each in find(person.window, "list_gate").findChildren(QLineEdit) if each.isVisible()]
    tops = [each.mapTo(page, each.rect().topLeft()).y() for each in fields]
    person.type(fields[0].objectName(), "too short")
    assert person.sees(fields[0].objectName().replace("reason_", "reason_problem_"))
    person.type(fields[0].objectName(), GOOD)
    assert [each.mapTo(page, each.rect().topLeft()).y() for each in fields] == tops
    assert not person.sees("record_dpo")
    person.click("fold_record")
    assert person.sees("record_dpo")


def test_the_release_is_written_and_only_release_is_opened(person: Person) -> None:
    out = write(person)
    assert sorted(each.name for each in (out / "release").iterdir()) == [
        "data-dictionary.csv",
        "data.csv",
        "release-note.html",
    ]
    assert (out / "internal" / "release.key").is_file()
    assert person.sees("panel_done")
    assert person.window._areas["release"].verticalScrollBar().value() == 0, "what became of it is to be seen"
    assert person.sees("strip_internal")
    person.click("button_open_folder")
    assert person.dialogs.shown == [out / "release"]
    person.dialogs.can_show = False
    person.click("button_open_folder")
    assert str(out / "release") in person.see("strip_result").text.text()
    person.click("button_verify")
    assert "exactly the same data" in person.see("strip_result").text.text()
    assert (result := person.see("strip_result")).hasFocus(), "the answer, never the button that destroys the key"
    assert result.visibleRegion().boundingRect() == result.rect(), "all of the answer is in sight"
    listed = [name for name, _ in find(person.window, "tree_release").files]
    assert sorted(listed) == sorted(each.name for each in (out / "release").iterdir())
    inside = [name for name, _ in find(person.window, "tree_internal").files]
    assert sorted(inside) == sorted(each.name for each in (out / "internal").iterdir())
    person.click("button_new_release")
    assert person.window.current == "compare"
    assert not person.see("button_next").isEnabled(), "another version is to be chosen"


@pytest.mark.thorough
def test_the_written_candidate_is_the_one_that_was_looked_at(person: Person) -> None:
    shown = person.session.chosen.candidate.released
    out = write(person)
    lines = (out / "release" / "data.csv").read_text(encoding="utf-8-sig").splitlines()
    assert lines[0].split(",") == list(shown.names)
    columns = [column.values() for column in shown.columns]
    assert [tuple(line.split(",")) for line in lines[1:]] == list(zip(*columns, strict=True))


def test_an_existing_folder_is_refused_and_replaced_only_by_its_typed_name(person: Person, tmp_path: Path) -> None:
    out = write(person)
    before = (out / "internal" / "release.key").read_bytes()
    person.click("button_new_release")
    person.click("button_choose_candidate")
    person.window.go_to("release")
    person.settle()
    person.click("button_write_release")
    assert "exists" in person.see("strip_release_failed").text.text()
    assert not person.sees("panel_done")
    person.click("button_replace_release")
    assert not person.see("button_replace_release_confirm").isEnabled()
    person.click("button_replace_release_safe")
    assert (out / "internal" / "release.key").read_bytes() == before
    person.click("button_replace_release")
    person.type("edit_replace_release", "out", enter=False)
    person.click("button_replace_release_confirm")
    assert person.sees("panel_done")
    assert sorted(each.name for each in tmp_path.glob(".ppdm-*")) == []


def test_an_original_that_changed_blocks_the_export(person: Person, tmp_path: Path) -> None:
    write_reasons(person)
    source = person.session.decisions.path
    source.write_text(source.read_text(encoding="utf-8") + "99,Delft,flu,50\n", encoding="utf-8")
    person.click("button_write_release")
    assert person.see("strip_release_failed").isVisible()
    assert not (tmp_path / "out").exists()
    assert find(person.window, "page_release")._rows[0].id == "source-unchanged"
    assert not person.see("button_write_release").isEnabled()


@pytest.mark.parametrize("format", ["xlsx", "sav", "dta"])
def test_the_format_is_judged_anew_and_nothing_is_drawn_again(person: Person, format: str) -> None:
    candidate = person.session.chosen.candidate
    person.click(f"seg_format_{format}")
    assert [name for name, _ in find(person.window, "tree_release").files][0] == f"data.{format}"
    assert person.session.chosen.candidate is candidate
    out = write(person)
    assert (out / "release" / f"data.{format}").is_file()


@pytest.mark.thorough
def test_a_stale_candidate_cannot_be_written(person: Person) -> None:
    write_reasons(person)
    person.session.set_column(["city"], role="other")
    person.settle()
    assert not person.see("button_write_release").isEnabled()


# --- reasons that belong to something else ----------------------------------------------------------


def given(person: Person, cause: str) -> AcceptSection:
    section: AcceptSection = person.session.decisions.recipe.accept[cause]
    return section


@pytest.mark.thorough
@pytest.mark.parametrize("change", [{"type": None, "checks": {}}, {"type": "research"}])
def test_an_old_reason_is_shown_and_counts_once_it_is_confirmed(person: Person, change: dict[str, Any]) -> None:
    first, *_ = write_reasons(person)
    accept = dict(person.session.decisions.recipe.accept)
    whole = accept[first]
    person.session.decide_recipe(accept={**accept, first: whole.model_copy(update=change)})
    person.settle()
    assert not person.see("button_write_release").isEnabled()
    assert person.see(f"reason_{first}").text() == reason_for(first)
    assert "confirm" in person.words(f"reason_problem_{first}").casefold()
    find(person.window, "list_gate").parent().flush()
    assert given(person, first) != whole
    person.click(f"button_confirm_{first}")
    assert given(person, first) == whole
    assert not person.sees(f"button_confirm_{first}")
    assert person.see("button_write_release").isEnabled()


@pytest.mark.thorough
def test_a_teaching_copy_is_a_plain_choice_and_no_release(person: Person, tmp_path: Path) -> None:
    window = person.window
    person.click("fold_files")
    box = find(window, "check_teaching_copy")
    assert box.isVisible()
    assert not person.see("button_write_release").isEnabled()
    person.type("edit_folder", str(tmp_path / "shown"))
    person.tick("check_teaching_copy")
    assert person.session.decisions.recipe.release.teaching_copy
    assert not find(window, "tree_release").isVisible()
    assert all(name.startswith("teaching-copy-not-for-release-") for name, _ in find(window, "tree_teaching").files)
    rows = [GateRow(id, "", BLOCKS, "", "", "", "", "") for id in ("small-groups", "free-text")]
    assert list_required_checks(rows, teaching=True) == rows[1:]
    assert list_required_checks(rows, teaching=False) == rows
    write(person)
    out = Path(find(window, "edit_folder").text())
    assert sorted(path.name for path in out.iterdir()) == ["internal", "teaching-copy"]
    shown = [each.text() for each in find(window, "panel_done").findChildren(QLabel) if each.isVisible()]
    assert "For teaching inside your organisation only. Do not pass this folder on." in shown
    assert "For teaching inside your organisation only. Do not pass this folder on." in shown
    assert not [each for each in shown if each.startswith(("Share only", "You may share"))]
    assert not find(window, "button_save_zip").isVisible()
    person.click("button_verify")
    assert person.sees("strip_result")
    assert person.session.released is None
