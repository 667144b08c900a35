"""The attack audit on Compare: the report's own figures, details by keyboard, and one person attacked."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from audit_support import attacked, dialog_of, rows_of, to_audit
from optional import existing
from protect_support import ROLES, small_csv
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget
from ui_support import Person, find, go_through, let_work, wait_until

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.methods.base.registry import all_methods, find_method
from ppdm_desktop.engine.progress import silent
from ppdm_desktop.engine.recipe.models import StepSection
from ppdm_desktop.engine.release.attack_audit.attack_person import attack_record
from ppdm_desktop.engine.release.attack_audit.attacked_person import AttackedRecord, FilteredValue
from ppdm_desktop.engine.release.attack_audit.base import LargeFigure
from ppdm_desktop.engine.release.attack_audit.prepared_attack import prepare_attack
from ppdm_desktop.engine.release.attack_audit.registry import find_attack
from ppdm_desktop.engine.report.model import AttackEntry, AttackTail, Report, Sentence
from ppdm_desktop.engine.report.report_words import attack_figures
from ppdm_desktop.engine.wording.catalogue import numbers_of, untranslated
from ppdm_desktop.engine.wording.texts import render_kept
from ppdm_desktop.engine.wording.values import Change, Term
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.pages.compare.audit.chart import attack_scene
from ppdm_desktop.ui.pages.compare.audit.facts import all_words, facts_of
from ppdm_desktop.ui.pages.compare.audit.guess_words import amount, filtered_rows, filtered_words
from ppdm_desktop.ui.pages.compare.audit.states import (
    AttackShown,
    GroupShown,
    figure_parts,
    groups_shown,
    headline_of,
    state_of,
)
from ppdm_desktop.ui.pages.compare.audit.tab import AuditTab
from ppdm_desktop.ui.state.number_words import percent
from ppdm_desktop.ui.widgets.basic import Text

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
    groups = groups_shown(report)
    shown = [line for group in groups for line in group.lines]
    certain = [line for line in shown if line.key == "certain"]
    assert len(certain) == (report.verdict.certain_by_others is not None)
    assert [each.accessibleName().split(". ")[0] for each in lines_of(person)] == [line.word for line in shown]
    assert person.words("label_audit") == headline_of(groups)[1]
    told = " ".join(f"{line.second} {all_words(facts_of(report, line, line.entry))}" for line in shown if line.entry)
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
        assert button.accessibleName().startswith("Details: ")
        person.click(button.objectName())
        panel = person.see(button.objectName().removeprefix("button_"))
        assert "When it counts as a success" in panel.accessibleDescription()
        assert panel.height() > 100
    for entry in report.verdict.attacks or []:
        if entry.id != "seed-search":
            words = attack_figures(entry)[0].words
            assert any(words in each.accessibleDescription() for each in panels(person))
    check_one_person(person, kind)


def panels(person: Person) -> list[QWidget]:
    return [each for each in person.see("list_audit").findChildren(QWidget) if type(each).__name__ == "Details"]


@pytest.mark.thorough
def test_what_is_undone_works_and_says_what_to_do(window: Any, dialogs: Any, tmp_path: Path) -> None:
    person = at_audit(window, dialogs, tmp_path, "digits")
    line = person.see("attack_digit_inverse")
    everyone = "60 of 60"
    assert line.accessibleName().startswith("Attack succeeded. Shifting the digits back. ")
    assert f"the true value for {everyone} rows." in line.accessibleName()
    assert person.see("figure_digit_inverse").accessibleName() == everyone
    person.click("button_details_digit_inverse")
    said = person.see("details_digit_inverse").accessibleDescription()
    assert "What to do: Protect this column with a method that needs a key" in said
    assert "only the exact value" in said
    assert "Methods that can be undone" in said
    chart = person.see("chart_attack_digit_inverse")
    assert [bar.role for bar in chart.scene.bars] == ["released", "third", "original"]
    assert chart.scene.bars[0].values == (1.0,)
    assert chart.scene.rules[0].at == pytest.approx(chart.scene.bars[1].values[0] + 0.05)
    person.click("button_as_table_attack_digit_inverse")
    rows = person.see("table_attack_digit_inverse_figures").model().rows
    assert rows[0][:2] == ("Share of rows", "60 of 60 (93% to 100%)")


@pytest.mark.thorough
def test_groups_have_their_levels_and_limits(window: Any, dialogs: Any, tmp_path: Path) -> None:
    person = at_audit(window, dialogs, tmp_path, "groups")
    entry = next(each for each in report_of(person).verdict.attacks or [] if each.id == "linkage")
    person.click("button_details_linkage")
    rows = person.see("table_attack_levels_linkage").model().rows
    assert len(rows) == len(entry.levels) == 1
    assert rows[0][0] == "Basic"
    assert rows[0][3] == percent(entry.levels[0].limit) == "20%"
    scene = person.see("chart_attack_linkage").scene
    assert [rule.at for rule in scene.rules] == [entry.levels[0].limit]
    before = report_of(person).risk.before.scope.quasi_identifiers
    assert before is not None
    assert person.see("figure_linkage").accessibleName().endswith(f"before: {percent(before.marketer)}")


def test_details_are_reached_and_opened_by_keyboard(window: Any, dialogs: Any, tmp_path: Path) -> None:
    person = at_audit(window, dialogs, tmp_path, "swap")
    buttons = details_buttons(person)
    assert len(buttons) == sum(
        line.entry is not None for group in groups_shown(report_of(person)) for line in group.lines
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
        assert button.text() == "Close"
        assert button.accessibleName().startswith("Close details: ")
        QTest.keyClick(button, Qt.Key.Key_Space)
        assert not panel.isVisible()
    for each in person.see("tab_audit").findChildren(QWidget):
        if each.isVisible() and each.focusPolicy() & Qt.FocusPolicy.TabFocus:
            text = each.text() if isinstance(each, QAbstractButton) else ""
            assert each.accessibleName() or text, each.objectName()


@pytest.mark.thorough
def test_another_candidate_and_stale_results(window: Any, dialogs: Any, tmp_path: Path) -> None:
    person = Person(window, dialogs)
    go_through(person, small_csv(tmp_path), NUMBERS, until="protect")
    session = person.session
    for kind in ("swap", "digits"):
        session.decide_recipe("steps", steps=STEPS[kind])
        person.click("button_add_to_queue")
    person.click("button_next")
    person.choose("combo_candidate", "C2")
    to_audit(person)
    assert person.sees("attack_digit_inverse")
    person.choose("combo_candidate", "C1")
    assert person.sees("attack_rank")
    assert not person.sees("attack_digit_inverse")
    session.set_column("change", ["weight"], role="other")
    person.settle()
    window.show_page("compare")
    to_audit(person)
    assert person.sees("attack_rank")
    assert any("is out of date" in each.text.text() for each in strips(person))


def strips(person: Person) -> list[Any]:
    page = find(person.window, "page_compare")
    return [each for each in page.findChildren(QWidget) if type(each).__name__ == "Strip" and each.isVisible()]


# --- attacks that were not made -------------------------------------------------------------


def without_attacks(person: Person) -> None:
    entry = person.session.candidates[0]
    report = entry.judged.report
    verdict = report.verdict.model_copy(update={"attacks": []})
    entry.judged = replace(entry.judged, report=report.model_copy(update={"verdict": verdict}))
    person.session.changed()
    person.settle()


def test_nothing_to_show_yet(window: Any, qtbot: Any) -> None:
    tab = AuditTab(window.context)
    qtbot.addWidget(tab)
    tab.show()
    tab.show_entry(None)
    assert find(tab, "label_audit").text() == "No version yet."
    for name in ("button_run_audit", "button_attack_record", "list_audit"):
        assert not find(tab, name).isVisible()


@pytest.mark.thorough
def test_attacks_are_made_on_a_click(window: Any, dialogs: Any, tmp_path: Path) -> None:
    person = at_audit(window, dialogs, tmp_path)
    before = list(report_of(person).verdict.attacks or [])
    without_attacks(person)
    assert person.words("label_audit") == "Version 1 has not been tested yet."
    assert not person.sees("list_audit")
    person.click("button_run_audit")
    assert report_of(person).verdict.attacks == before
    assert person.sees("list_audit")
    assert not person.sees("button_run_audit")


@pytest.mark.thorough
def test_attacks_are_stopped_and_fail_in_words(
    window: Any, dialogs: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = at_audit(window, dialogs, tmp_path)
    without_attacks(person)
    begun = threading.Event()

    def endless(_candidate: Any, *, progress: Any) -> Any:
        while True:
            begun.set()
            progress.report(0.4, "doing.audit")
            threading.Event().wait(0.01)

    monkeypatch.setattr("ppdm_desktop.ui.pages.compare.audit.tab.evaluate", endless)
    person.click("button_run_audit", settle=False)
    wait_until(begun.is_set)
    wait_until(lambda: "40" in person.words("label_audit_knows"))
    person.click("button_cancel_audit")
    assert person.sees("button_run_audit")
    assert report_of(person).verdict.attacks == []

    def failing(_candidate: Any, *, progress: Any) -> Any:
        raise InputError("error.swap.one-value", column="illness")

    monkeypatch.setattr("ppdm_desktop.ui.pages.compare.audit.tab.evaluate", failing)
    person.click("button_run_audit")
    assert "illness" in person.see("strip_audit").text.text()
    assert person.sees("button_run_audit")


# --- one record ---------------------------------------------------------------------------


def check_one_person(person: Person, kind: str) -> None:
    """Attack row 9 in the dialog; it shows what the engine finds."""
    candidate = person.session.candidates[0].candidate
    engine = attack_record(prepare_attack(candidate, silent()), 9, silent())
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
        told = " ".join(each.text() for each in find(dialog, "card_filtered").findChildren(QLabel))
        assert f"is {off} times the usual noise away from the true value" in told
        assert f"for {share} of the rows" in told
    said = find(dialog, "strip_attacked").text.text()
    original = small_rows(person)
    alike = {row[0]: row[1] for row in dialog.picker.model.rows}
    for number, values in enumerate(original, start=2):
        same = original.count(values)
        assert alike[str(number)] == ("unique" if same == 1 else str(same))
    if kind == "made-up":
        assert said.startswith("No released record belongs to this row")
        assert {row[3] for row in guesses} == {"no record to leave out"}
    elif kind == "groups":
        assert "group" in said
        assert all("group" in row[2] and "rows" in row[2] for row in near)
    elif kind == "digits":
        assert rows_of(dialog, "table_undone") == [
            ("weight", engine.undone[0].shown, engine.undone[0].truth, engine.undone[0].truth, "✓ recovered")
        ]
    dialog.close()


def small_rows(person: Person) -> list[tuple[str, ...]]:
    """What is known of each person of the source, as it stands there."""
    original = person.session.candidates[0].candidate.prepared.original
    columns = [original.column(name) for name in NUMBERS["quasi-identifier"]]
    return list(zip(*([each.texts[code] for code in each.codes] for each in columns), strict=True))


@pytest.mark.thorough
def test_nobody_is_looked_for_among_records_of_nobody(window: Any, dialogs: Any, tmp_path: Path) -> None:
    person = at_audit(window, dialogs, tmp_path, "made-up")
    groups = {group.key: group for group in groups_shown(report_of(person))}
    match, chosen = groups["finding"].lines
    (control,) = [line for line in groups["guessing"].lines if line.key != "certain"]
    assert [line.word for line in (match, chosen, control)] == ["Not made", "Note", "Not made"]
    assert chosen.second.endswith("may recognise a selected person: “illness” and “weight”.")
    # Under some keys the generated values happen to give a guess more than it should have.
    assert person.words("label_audit").endswith(("1 result is marked as a note.", "1 of 3 attacks succeeded."))
    line = person.see("attack_no_match")
    assert line.button is None
    assert "Not made. No person can be looked for." in line.accessibleName()
    assert person.sees("button_details_singling_out")


def reached(start: QWidget, most: int = 40) -> list[str]:
    """Names of what Tab reaches after a control."""
    found: list[str] = []
    each = start.nextInFocusChain()
    while len(found) < most and each is not start:
        if (
            existing(each).focusPolicy() & Qt.FocusPolicy.TabFocus
            and existing(each).isVisible()
            and existing(each).isEnabled()
        ):
            found.append(existing(each).objectName())
        each = existing(each).nextInFocusChain()
    return found


@pytest.mark.thorough
def test_tab_goes_down_the_page(window: Any, dialogs: Any, tmp_path: Path) -> None:
    person = at_audit(window, dialogs, tmp_path, "noise")
    buttons = [each.objectName() for each in details_buttons(person)]
    order = reached(person.see("button_attack_record"))
    assert order[: len(buttons)] == buttons
    person.click("button_details_noise_filter")
    order = reached(person.see("button_details_noise_filter"))
    # The chart is read with the keys, row by row.
    inside = {f"{each}_attack_noise_filter" for each in ("chart", "button_keep", "button_as_table")}
    assert set(order[:3]) == inside
    assert order[3] == buttons[buttons.index("button_details_noise_filter") + 1]
    dialog = dialog_of(person)
    attacked(person, dialog, 9)
    order = reached(dialog.picker.table)
    assert order[:4] == ["table_nearest", "table_guesses", "table_filtered", "button_close_attack"]
    # A row more or less sideways never leaves half a row in sight.
    table = dialog.picker.table
    for width in (900, 500, 1100):
        dialog.resize(width, 700)
        let_work(40)
        assert table.height() == table.maximumHeight() == table._wanted_height()
    dialog.close()


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
    dialog.picker.search.setText("nobody has this")
    person.settle()
    assert dialog.picker.said.text() == "No row has this value."
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
    table = find(dialog, "table_guesses")
    QGuiApplication.clipboard().setText("untouched")
    table.setFocus()
    QTest.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "untouched"
    QTest.keyClick(table, Qt.Key.Key_F2)
    popup = find(dialog, "popup_whole_text")
    popup.close()
    dialog.close()
    let_work(10)
    assert not [
        each for each in dialog.findChildren(QWidget) if each.objectName() == "table_guesses" and each.isVisible()
    ]
    assert dialog.picker.model.rows == []
    assert dialog._people is None


@pytest.mark.thorough
def test_closing_early_leaves_nothing(
    window: Any, dialogs: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = at_audit(window, dialogs, tmp_path)

    def endless(_candidate: Any, progress: Any) -> Any:
        while True:
            progress.report(0.4, "doing.audit")
            threading.Event().wait(0.01)

    monkeypatch.setattr("ppdm_desktop.ui.pages.compare.audit.record.prepare_attack", endless)
    person.click("button_attack_record", settle=False)
    dialog = person.see("dialog_attack_record")
    wait_until(lambda: person.window.runner.is_running("attack-ready"))
    assert not dialog.picker.button.isEnabled()
    assert not dialog.picker.table.isVisible()
    dialog.close()
    person.settle()
    assert not person.window.runner.is_running()
    monkeypatch.undo()
    again = dialog_of(person)
    assert again is dialog
    again.close()


@pytest.mark.thorough
def test_details_fit_whatever_the_size(make_window: Any, dialogs: Any, tmp_path: Path) -> None:
    window = make_window(1280, 800)
    person = at_audit(window, dialogs, tmp_path, "groups")
    for button in details_buttons(person):
        person.click(button.objectName())
    for scale, width in ((0.75, 1280), (1.0, 900), (2.0, 1280), (2.0, 900), (3.0, 1280)):
        theme().set_scale(scale)
        window.resize(width, 800)
        let_work(80)
        area = person.see("tabs_compare").currentWidget()
        wide = max(
            (each for each in area.widget().findChildren(QWidget) if each.isVisible()),
            key=lambda each: each.minimumSizeHint().width(),
        )
        assert area.horizontalScrollBar().maximum() == 0, f"{scale}, {width}: {wide.objectName()} {type(wide)}"
        texts = [each for each in area.widget().findChildren(Text) if each.isVisible() and each.wordWrap()]
        for _ in range(40):  # a busy machine needs longer to find every height
            if all(each.height() + 2 >= each.heightForWidth(each.width()) for each in texts):
                break
            let_work(50)
        for each in texts:
            assert each.height() + 2 >= each.heightForWidth(each.width()), each.text()


# --- words, without a window --------------------------------------------------------------


def test_what_is_gained_has_a_sign(qapp: Any) -> None:
    def parts(gain: float) -> tuple[str, str, str]:
        return figure_parts(LargeFigure(Change(gain)))

    # What is said in words alone is no figure to stand out.
    assert parts(0.0) == ("", "no change", "")
    assert parts(0.0001) == ("", "less than +0.1 percentage points", "")
    assert parts(0.012) == ("+1.2", "percentage points", "")
    assert parts(-0.33) == ("−33", "percentage points", "")


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


@pytest.mark.parametrize(
    ("id", "severity", "low", "state"),
    [
        ("linkage", "none", 0.0, "passed"),
        ("linkage", "some", 0.1, "passed"),
        ("linkage", "serious", 0.1, "amber"),
        ("nearest-record", "some", 0.1, "passed"),
        ("singling-out", "some", None, "note"),
        ("singling-out", "serious", None, "amber"),
        ("inference", "none", -0.1, "passed"),
        ("inference", "some", 0.01, "note"),
        ("inference", "some", 0.06, "amber"),
        ("inference", "serious", -0.01, "note"),
        ("inference", "serious", 0.01, "amber"),
        ("rank", "some", 0.01, "amber"),
        ("rank", "serious", -0.2, "note"),
        ("digit-inverse", "total", 0.9, "amber"),
        ("noise-filter", "some", 0.1, "amber"),
        ("averaging", "none", None, "note"),
        ("seed-search", "total", None, "amber"),
    ],
)
def test_when_an_attack_works(id: str, severity: str, low: float | None, state: str) -> None:
    assert state_of(entry(id, severity, low)) == state


def test_what_is_guessed_behind_noise_is_said_plainly(qapp: Any) -> None:
    age = FilteredValue("age", "51", "38", 10.0, 39.24, 0.124, 0.6, 1.3, 0.1)
    pay = FilteredValue("pay", "40100", "40000", 2_000.0, 44_123.0, 2.06, 1.0, 0.05, 0.97)
    gap = FilteredValue("pay", "", "", 2_000.0, None, None, None, None, None)

    def found(*values: FilteredValue) -> AttackedRecord:
        return AttackedRecord(1, False, (), (), 0, 0, 0, 1, 0.0, 0.0, None, (), (), values)

    assert filtered_rows(found(age, pay, gap)) == [
        ("age", "51", "39.2", "38", "10", "0.124 × the noise", "10%", "✓ closer than released"),
        ("pay", "40100", "44,123", "40000", "2,000", "2.06 × the noise", "97%", "× no closer than released"),
        ("pay", "∅ missing", "–", "∅ missing", "2,000", "–", "–", "– a number is missing"),
    ]
    assert filtered_words(found(age, pay)) == "Closer to the true value than the released number: “age”."
    assert filtered_words(found(pay, pay)) == "No guess is closer to the true value than the released number."
    assert filtered_words(found(gap)) == "A number of this person is missing, so nothing can be guessed."
    assert filtered_words(found(age)) == (
        "The guess at “age” is 0.124 times the usual noise away from the true value; the released number is 1.3 times "
        "away. Guesses are as close or closer for 10% of the people."
    )
    assert [amount(value, noise) for value, noise in ((0.12345, 0.3), (3.0, 0.0), (1e-9, 1e-12))] == [
        "0.123",
        "3",
        "less than 0.001",
    ]


@pytest.mark.parametrize(
    ("states", "words"),
    [
        (["passed"] * 3, "All attacks failed."),
        (["passed", "note"], "No attack succeeded. 1 result is marked as a note."),
        (["passed", "note", "note"], "No attack succeeded. 2 results are marked as a note."),
        (["amber", "passed", "note"], "1 of 3 attacks succeeded."),
        (["amber", "amber", *["passed"] * 4], "2 of 6 attacks succeeded."),
        (["amber"] * 4, "All attacks succeeded."),
        (["amber"], "The attack succeeded."),
        (["amber"] * 13 + ["passed"], "13 of 14 attacks succeeded."),
        (["passed", "not-run"], "All attacks that could be made failed."),
        (["amber", "not-run"], "The attack succeeded."),
        (["passed", "note", "not-run"], "No attack succeeded. 1 result is marked as a note."),
    ],
)
def test_the_head_counts(qapp: Any, states: list[str], words: str) -> None:
    lines = tuple(AttackShown(str(n), state, "", "", "", "", "", "", None) for n, state in enumerate(states))
    state, said = headline_of([GroupShown("x", "", "", lines)])
    assert said == words
    assert state == ("amber" if "amber" in states else "passed")


@pytest.mark.parametrize(
    "kind", ["noise", *(pytest.param(each, marks=pytest.mark.thorough) for each in ("groups", "digits", "swap"))]
)
def test_the_facts_name_the_check_that_judges(window: Any, dialogs: Any, tmp_path: Path, kind: str) -> None:
    report = report_of(at_audit(window, dialogs, tmp_path, kind))
    checks = {
        check.id: render_kept(check.sentence.id, check.sentence.arguments).title for check in report.verdict.checks
    }
    seen = 0
    for group in groups_shown(report):
        for line in group.lines:
            if line.entry is not None:
                judged_by = find_attack(line.entry.id).judged_by
                said_of = [fact.words for fact in facts_of(report, line, line.entry) if fact.label == "Release check"]
                assert said_of[0].startswith(f"{checks[judged_by]}: ")
                seen += 1
    assert seen == len(report.verdict.attacks or ()) > 0
    if kind == "groups":
        told = person_words(report, "nearest_record")
        assert "Undoing the protection: " in told
        assert "Finding a person in the release: " not in told


def person_words(report: Report, key: str) -> str:
    """All facts of one line."""
    line = next(line for group in groups_shown(report) for line in group.lines if line.key == key)
    return all_words(facts_of(report, line, existing(line.entry)))


@pytest.mark.thorough
@pytest.mark.parametrize("measured", [True, False])
def test_small_print_tells_of_thin_lines_only_where_there_are_some(
    window: Any, dialogs: Any, tmp_path: Path, measured: bool
) -> None:
    report = report_of(at_audit(window, dialogs, tmp_path, "nothing"))
    attack = entry("singling-out", "serious")
    if not measured:
        attack = attack.model_copy(update={"success": Figure(0.4, unit="share")})
    scene = existing(attack_scene(report, attack, "title"))
    assert ("Thin lines" in scene.source) == measured
