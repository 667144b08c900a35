"""The attack audit on Compare: the report's own figures, details by keyboard, and one person attacked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from audit_support import attacked, dialog_of, rows_of, to_audit
from cases import case_rows
from optional import existing
from protect_support import ROLES, small_csv
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QWidget
from ui_support import Person, find, go_through, let_work

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.methods.base.declaration import all_methods, find_method
from ppdm_desktop.engine.recipe.models import StepSection
from ppdm_desktop.engine.release.attack_audit.attack_person import attack_record
from ppdm_desktop.engine.release.attack_audit.prepared_attack import prepare_attack
from ppdm_desktop.engine.report.model import AttackEntry, AttackTail, Report, Sentence
from ppdm_desktop.engine.report.report_texts import attack_figures
from ppdm_desktop.engine.wording.catalogue import numbers_of, untranslated
from ppdm_desktop.engine.wording.values import Term
from ppdm_desktop.ui.pages.compare.audit.states import (
    facts_of,
    group_attacks,
    headline_of,
    join_facts,
    state_of,
)
from ppdm_desktop.ui.state.number_texts import percent

NUMBERS = {"quasi-identifier": ("age", "city"), "confidential": ("illness", "weight")}
BOUNDS: dict[str, object] = {"bounds": {"weight": [40, 70]}}
STEPS = {
    "nothing": (),
    "swap": (StepSection(method="bayes-swap", columns=("illness",)),),
    "noise": (StepSection(method="two-phase-noise", columns=("weight",), parameters=BOUNDS),),
    "digits": (StepSection(method="bit-plus-plus", columns=("weight",)),),
    "groups": (StepSection(method="condensation"),),
    "made-up": (StepSection(method="data-reconstruction"),),
}
EXPECTED = {
    "nothing": {"singling-out", "inference"},
    "swap": {"singling-out", "inference", "rank", "averaging", "seed-search"},
    "noise": {"singling-out", "inference", "noise-filter", "averaging", "seed-search"},
    "digits": {"singling-out", "inference", "digit-inverse"},
    "groups": {"singling-out", "linkage", "nearest-record", "inference"},
    "made-up": {"singling-out"},
}


def at_audit(window: Any, dialogs: Any, folder: Path, kind: str = "swap", roles: Any = NUMBERS) -> Person:
    person = Person(window, dialogs)
    go_through(person, small_csv(folder), roles, until="compare", steps=STEPS[kind])
    to_audit(person)
    return person


def report_of(person: Person, place: int = 0) -> Report:
    return person.session.candidates[place].judged.report  # type: ignore[no-any-return]


def lines_of(person: Person) -> list[Any]:
    """The lines of the audit, from above."""
    found = [each for each in person.see("list_audit").findChildren(QWidget) if type(each).__name__ == "AttackLine"]
    return [each for each in found if each.isVisible()]


def details_buttons(person: Person) -> list[QAbstractButton]:
    inside = person.see("list_audit").findChildren(QAbstractButton)
    return [each for each in inside if each.objectName().startswith("button_details_")]


# --- the list -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=[pytest.mark.thorough] * bool(place % 3)) for place, kind in enumerate(STEPS)]
)
def test_every_attack_of_the_report_stands_in_the_list_and_one_person_is_attacked(
    window: Any, dialogs: Any, tmp_path: Path, kind: str
) -> None:
    person = at_audit(window, dialogs, tmp_path, kind)
    report = report_of(person)
    assert {entry.id for entry in report.verdict.attacks or []} == EXPECTED[kind]
    groups = group_attacks(report)
    shown = [line for group in groups for line in group.lines]
    certain = [line for line in shown if line.key == "certain"]
    assert len(certain) == (report.verdict.certain_by_others is not None)
    assert [each.accessibleName().split(". ")[0] for each in lines_of(person)] == [line.word for line in shown]
    assert person.words("label_audit") == headline_of(groups)[1]
    told = " ".join(f"{line.second} {join_facts(facts_of(report, line, line.entry))}" for line in shown if line.entry)
    for id in (*all_methods(), "normal", report.release.type):
        assert f'"{id}"' not in told
        assert f" {id} can be undone" not in told
    assert (str(find_method("bit-plus-plus").title) in told) == (kind == "digits")
    assert {line.key for line in shown if line.entry is None} - {"certain"} == (
        {"no_match", "chosen", "no_control"} if kind == "made-up" else set()
    )
    works = sum(line.severity == "amber" for line in shown)
    tabs = person.see("tabs_compare")
    assert tabs.tabIcon(tabs.currentIndex()).isNull() == (works == 0)
    assert ("succeeded" in tabs.tabBar().accessibleTabName(tabs.currentIndex())) == (works > 0)
    for button in details_buttons(person):
        person.click(button.objectName())
        panel = person.see(button.objectName().removeprefix("button_"))
        assert panel.height() > 100
    for entry in report.verdict.attacks or []:
        if entry.id != "seed-search":
            words = attack_figures(entry)[0].text
            assert any(words in each.accessibleDescription() for each in panels(person))
    check_one_person(person, kind)


def panels(person: Person) -> list[QWidget]:
    return [each for each in person.see("list_audit").findChildren(QWidget) if type(each).__name__ == "Details"]


def test_details_are_reached_and_opened_by_keyboard(window: Any, dialogs: Any, tmp_path: Path) -> None:
    person = at_audit(window, dialogs, tmp_path, "swap")
    buttons = details_buttons(person)
    assert len(buttons) == sum(
        line.entry is not None for group in group_attacks(report_of(person)) for line in group.lines
    )
    seen, widget = [], person.see("button_attack_record")
    for _ in range(2_000):
        widget = widget.nextInFocusChain()
        if widget in buttons:
            seen.append(widget)
        if widget is person.see("button_attack_record"):
            break
    assert seen == buttons
    for button in buttons:
        assert button.focusPolicy() & Qt.FocusPolicy.TabFocus
        button.setFocus()
        QTest.keyClick(button, Qt.Key.Key_Space)
        panel = person.see(button.objectName().removeprefix("button_"))
        QTest.keyClick(button, Qt.Key.Key_Space)
        assert not panel.isVisible()
    for each in person.see("tab_audit").findChildren(QWidget):
        if each.isVisible() and each.focusPolicy() & Qt.FocusPolicy.TabFocus:
            text = each.text() if isinstance(each, QAbstractButton) else ""
            assert each.accessibleName() or text, each.objectName()


# --- no attack ------------------------------------------------------------------------------


# --- one record ---------------------------------------------------------------------------


def check_one_person(person: Person, kind: str) -> None:
    """Attack row 9 in the dialog; it shows what the engine finds."""
    candidate = person.session.candidates[0].candidate
    engine = attack_record(prepare_attack(candidate), 9)
    dialog = dialog_of(person)
    attacked(person, dialog, 9)
    near = rows_of(dialog, "table_nearest")
    assert [row[0] for row in near] == [str(each.row) for each in engine.nearest]
    assert [row[2].startswith("✓") for row in near] == [each.own for each in engine.nearest]
    guesses = rows_of(dialog, "table_guesses")
    assert [(row[0], row[1], row[5]) for row in guesses] == [
        (each.column, each.value, each.truth) for each in engine.guesses
    ]
    shown = {each.objectName() for each in dialog.findChildren(QWidget)}
    assert ("table_undone" in shown) == (kind == "digits")
    assert ("table_filtered" in shown) == (kind == "noise")
    if kind == "noise":
        (value,) = engine.filtered
        (row,) = rows_of(dialog, "table_filtered")
        assert row[:2] == ("weight", value.shown)
        assert float(row[2]) == pytest.approx(value.guess, abs=value.noise / 50)
        off, share = (numbers_of("en").number(value.off), percent(value.as_near))
        assert (row[3], row[5]) == (value.truth, f"{off} × the noise")
        assert row[6:] == (share, row[7])
        assert row[7].startswith("✓" if existing(value.off) < existing(value.off_shown) else "×")
    said = find(dialog, "strip_attacked").text.text()
    original = small_rows(person)
    alike = {row[0]: row[1] for row in dialog.picker.model.rows}
    for number, values in enumerate(original, start=2):
        same = original.count(values)
        assert alike[str(number)] == ("unique" if same == 1 else str(same))
    if kind == "made-up":
        assert {row[3] for row in guesses} == {"–"}
    elif kind == "groups":
        assert "group" in said
        assert all("group" in row[2] and "rows" in row[2] for row in near)
    elif kind == "digits":
        assert rows_of(dialog, "table_undone") == [
            ("weight", engine.undone[0].shown, engine.undone[0].truth, engine.undone[0].truth, "✓ right")
        ]
    dialog.close()


def small_rows(person: Person) -> list[tuple[str, ...]]:
    """What is known of each person of the source, as it stands there."""
    original = person.session.candidates[0].candidate.prepared.original
    columns = [original.column(name) for name in NUMBERS["quasi-identifier"]]
    return list(zip(*([each.texts[code] for code in each.codes] for each in columns), strict=True))


@pytest.mark.thorough
def test_people_are_found_and_forgotten(window: Any, dialogs: Any, tmp_path: Path) -> None:
    path = small_csv(tmp_path)
    lines = path.read_text(encoding="utf-8").splitlines()
    # Rows 1 and 2 look alike, so that they come last in the list.
    lines[2] = lines[1]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    person = Person(window, dialogs)
    go_through(person, path, ROLES, until="compare", steps=STEPS["swap"])
    to_audit(person)
    dialog = dialog_of(person)
    rows = dialog.picker.model.rows
    assert len(rows) == 60
    assert [row[0] for row in rows[-2:]] == ["2", "3"]
    assert [row[1] for row in rows[-2:]] == ["2", "2"]
    assert rows[0][1] == "unique"
    dialog.picker.search.setFocus()
    QTest.keyClicks(dialog.picker.search, "bonn")
    person.settle()
    assert {row[3] for row in dialog.picker.model.rows} == {"Bonn"}
    QTest.keyClick(dialog.picker.search, Qt.Key.Key_Return)
    person.settle()
    first = dialog.picker.model.rows[0][0]
    assert f"Row {first}" in find(dialog, "card_nearest").title.text()
    dialog.picker.search.setText("²")
    person.settle()
    # Whom nobody found is not attacked, by the button or by Enter, until a row is typed.
    assert not dialog.picker.button.isEnabled()
    QTest.keyClick(dialog.picker.search, Qt.Key.Key_Return)
    person.settle()
    assert f"Row {first}" in find(dialog, "card_nearest").title.text()
    dialog.picker.number.setValue(7 if first != "7" else 8)
    assert dialog.picker.button.isEnabled()
    dialog.picker.search.setText("bonn ")
    person.settle()
    assert dialog.picker.button.isEnabled()
    dialog.close()
    let_work(10)
    assert not [
        each for each in dialog.findChildren(QWidget) if each.objectName() == "table_guesses" and each.isVisible()
    ]
    assert dialog.picker.model.rows == []
    assert dialog.picker.search.text() == ""
    assert dialog._people is None


# --- words, without a window --------------------------------------------------------------


def entry(id: str, severity: Any, low: float | None = 0.2, column: str | None = "Pay") -> AttackEntry:
    share = Figure(0.4, 0.3, 0.5, n=50, unit="share", method=untranslated("made up"))
    gain = Figure(0.3, low, 0.4, n=50, unit="share") if low is not None else Figure(0.3, unit="share")
    return AttackEntry(
        id=id,
        column=column,
        knows=Sentence.of("attack.knows.columns", {"columns": Term("x")}),
        success=share,
        control=Figure(0.1, unit="share"),
        chance=Figure(0.02, unit="share"),
        advantage=gain,
        tail=AttackTail(share_sure_and_right=share, control=share),
        tolerance=None,
        sampled=50,
        severity=severity,
        sentence=Sentence.of("attack.none"),
        levels=[],
        further={},
    )


@pytest.mark.parametrize(("id", "severity", "low", "state"), case_rows("compare-audit-when-an-attack-works"))
def test_when_an_attack_works(id: str, severity: str, low: float | None, state: str) -> None:
    assert state_of(entry(id, severity, low)) == state
