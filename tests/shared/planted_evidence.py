"""Releases in each of which some checks find what they look for, and others find nothing."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from gate_cases import (
    HandMade,
    attack_entry,
    attacked,
    evidence_of,
    make_candidate,
    proof,
    randomised,
    share,
    with_step,
)
from verdict_cases import text_of

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.methods.algorithms.condensation.change import Change, Renewed
from ppdm_desktop.engine.methods.base.step import Settings
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.release.candidate.pipeline import prepare, run_candidate
from ppdm_desktop.engine.release.gate.base import find_check
from ppdm_desktop.engine.release.gate.draws import Draws
from ppdm_desktop.engine.release.gate.evidence import Evidence, ReleaseTexts
from ppdm_desktop.engine.release.storage.ledger import DrawEntry, History, LedgerEntry
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.writing.limits import ExcelLimits

CONFIRMED: dict[str, Any] = {"input": {"one_row_per_person": True}}
SAFE: dict[str, Any] = {"Q": ["a"] * 30 + ["b"] * 30, "C": ["x", "y", "z"] * 20}
ROLES: dict[str, Any] = {"Q": {"role": "q", "kind": "nominal"}, "C": {"role": "c", "kind": "nominal"}}
ALONE: dict[str, Any] = {"Q": ["1", "2", "3", "4"], "C": ["x", "y", "x", "y"]}
EARLIER = LedgerEntry("a" * 64, "b" * 64, "2026-03-01", ("Q", "C"), "d" * 64, (), None)


class Shift(HandMade):
    """Writes each value with a mark that anyone can take off."""

    id = "shift"

    def undo(self, column: Column, settings: Settings) -> Column:
        return column.with_values(np.arange(len(column)), [value.removeprefix("+") for value in column.values()])


def _safe(folder: Path) -> Evidence:
    evidence = evidence_of(make_candidate(folder, SAFE, ROLES, "public", **CONFIRMED))
    found = (
        attack_entry("linkage", success=share(0.01, 0.05)),
        attack_entry("inference", column="C", success=share(0.3), control=share(0.3), advantage=share(0.0, 0.04)),
        attack_entry("rank", column="C", success=share(0.3), control=share(0.3), advantage=share(0.0)),
    )
    return replace(evidence, attacks=found, history=History(()))


def _swapped(folder: Path) -> Evidence:
    """Swap two values by a step with declared bounds, and judge after every attack; nothing is wrong with it."""
    candidate = make_candidate(folder, SAFE, ROLES, privacy={"default": "cautious"}, **CONFIRMED)
    detail = {"columns": {"C": {"bounds_source": "declared"}}, "small_groups": 0, "small_records": 0, "groups": 4}
    values = [SAFE["C"][1], SAFE["C"][0], *SAFE["C"][2:]]
    return attacked(with_step(candidate, {"C": values}, [randomised("C", [0] * 60)], detail=detail))


def _in_order(folder: Path) -> Evidence:
    """Draw and leave the rows in the order of the source."""
    candidate = make_candidate(folder, SAFE, ROLES, "public", release={"shuffle_rows": False}, **CONFIRMED)
    return evidence_of(with_step(candidate, {"C": [SAFE["C"][1], SAFE["C"][0], *SAFE["C"][2:]]}))


def _drawn_again(folder: Path) -> Evidence:
    """Draw a column that an earlier release of the source holds with other draws."""
    moved = {"C": [SAFE["C"][1], SAFE["C"][0], *SAFE["C"][2:]]}
    candidate = with_step(make_candidate(folder, SAFE, ROLES, "public", **CONFIRMED), moved)
    return replace(evidence_of(candidate), history=History((replace(EARLIER, drawn=("C",)),)))


def _drawn_often(folder: Path, type: str) -> Evidence:
    """Swap as above, after five draws of which the fourth told somebody's value for certain."""
    candidate = make_candidate(folder, SAFE, ROLES, type, **CONFIRMED)
    moved = with_step(candidate, {"C": [SAFE["C"][1], SAFE["C"][0], *SAFE["C"][2:]]}, [randomised("C", [0] * 60)])
    check = find_check("certain-disclosure")
    drawn = [
        DrawEntry("a" * 64, (), f"{place:064x}", "2026-03-01", type, {check.id: "red"} if place == 4 else {})
        for place in range(1, 6)
    ]
    return replace(
        evidence_of(moved), draws=Draws(tuple(drawn), 6), results=(check.verdict(text_of(check.id, "green")),)
    )


def _bare(folder: Path) -> Evidence:
    """Release a copy of a table in which everybody stands out, in the order of the source, under a guessable key."""
    columns = {
        **{name: values * 6 for name, values in ALONE.items()},
        "Q": [str(place) for place in range(24)],
        "Mail": [f"ann{place}@example.org" for place in range(24)],
        "Note": [f"said it hurt {place} times" for place in range(24)],
        "Id": [f"Person {place}" for place in range(24)],
        "Copy": [f"Person {place}" for place in range(24)],
        "Sum": ["=1+1"] * 24,
        "Forgotten": ["u"] * 24,
    }
    roles = {
        **ROLES,
        "Mail": {"role": "o", "kind": "nominal"},
        "Note": {"role": "o", "kind": "text"},
        "Id": "i",
        "Copy": {"role": "o", "kind": "nominal"},
        "Sum": {"role": "o", "kind": "nominal"},
    }
    release = {"shuffle_rows": False, "formula_guard": False}
    candidate = make_candidate(folder, columns, roles, "public", key=Key.from_seed(1), release=release)
    return replace(evidence_of(candidate), source_sha256=None, history=History((EARLIER,)))


def _tempered(folder: Path) -> Evidence:
    """Release the same to researchers: much is a matter of a reason there."""
    columns = {
        "Q": [str(place) for place in range(20)],
        "C": ["x", "y"] * 10,
        "Mail": ["ann@example.org"] + [f"word {place % 3}" for place in range(19)],
        "Note": ["she said it hurt"] * 4 + ["no remark"] * 16,
    }
    roles = {**ROLES, "Mail": {"role": "o", "kind": "nominal"}, "Note": {"role": "o", "kind": "text"}}
    candidate = make_candidate(folder, columns, roles, key=Key.from_seed(1))
    return replace(evidence_of(candidate), history=History((), is_readable=False))


def _misread(folder: Path, bad: int) -> Evidence:
    candidate = make_candidate(folder, SAFE, ROLES)
    path = candidate.prepared.path
    path.write_text("\n".join(path.read_text().splitlines() + ["a,b,c"] * bad) + "\n")
    prepared = prepare(path, candidate.prepared.recipe)
    return evidence_of(run_candidate(prepared, candidate.key))


def _damaged(folder: Path) -> Evidence:
    evidence = evidence_of(make_candidate(folder, SAFE, ROLES))
    assert evidence.read_back is not None
    first, second = evidence.read_back
    return replace(evidence, as_written=(first, second.with_values(np.array([3]), ["w"])))


def _told(folder: Path) -> Evidence:
    """Let the note name this computer."""
    evidence = evidence_of(make_candidate(folder, SAFE, ROLES))
    words = replace(evidence.host_metadata, private_words=("wopr-7",), machine_words=("wopr-7",))
    note = evidence.texts.note.replace(b"</body>", b"<p>made on wopr-7</p></body>")
    return replace(evidence, host_metadata=words, texts=ReleaseTexts(note, evidence.texts.dictionary))


def _workbook(folder: Path) -> Evidence:
    """Write a workbook with a formula, larger than a worksheet takes."""
    candidate = make_candidate(folder, SAFE, ROLES, release={"format": "xlsx"})
    evidence = evidence_of(candidate)
    assert evidence.written is not None
    stream = io.BytesIO(evidence.written.data)
    with zipfile.ZipFile(stream, "a") as package:
        package.writestr("xl/worksheets/sheet2.xml", "<c><f>1+1</f></c>")
    limits = ExcelLimits(rows=2_000_000, columns=2, long_cells=0, control_cells=0)
    written = evidence.written.holding(stream.getvalue())
    return replace(evidence, written=written, limits=limits, breaches=limits.breaches)


def _broken(folder: Path, type: str) -> Evidence:
    """Shift values by a step that can be undone, takes its bounds from the data and keeps no promise."""
    candidate = make_candidate(folder, {**SAFE, "Code": [c.upper() for c in SAFE["C"]]}, {**ROLES, "Code": "o"}, type)
    detail = {
        "columns": {"C": {"bounds_source": "data"}},
        "small_groups": 3,
        "small_records": 6,
        "groups": 9,
        "regenerated": 4,
        "floor": type != "public",
    }
    values = ["+x"] * 60
    method = Shift(proof(False))
    return evidence_of(with_step(candidate, {"C": values}, [randomised("C", [0] * 60)], method=method, detail=detail))


def _villages(folder: Path, seen: bool) -> Evidence:
    """Show, in artificial records made in groups, two towns of thirty people each, or also a village of one."""
    towns = ["Ulm", "Bonn"] * 30
    columns = {**SAFE, "Town": ["Prag", *towns[1:]] if seen else towns}
    candidate = make_candidate(folder, columns, {**ROLES, "Town": {"role": "o", "kind": "nominal"}})
    detail = {"small_groups": 0, "small_records": 0, "groups": 4, "regenerated": 0, "floor": True, "columns": {}}
    return evidence_of(with_step(candidate, {"Town": columns["Town"]}, [randomised("Town", [0] * 60)], detail=detail))


def _ranges_end_in_values(folder: Path) -> Evidence:
    """Show ranges of pay that end in what one person earns."""
    pay = [1003 + 7 * place for place in range(60)]
    roles = {**ROLES, "Pay": {"role": "c", "kind": "numeric"}}
    candidate = make_candidate(folder, {**SAFE, "Pay": [str(value) for value in pay]}, roles, "public")
    ranges = [f"{pay[0]}–{pay[19]}"] * 20 + [f"{pay[20]}–{pay[59]}"] * 40
    texts = Column.from_texts("Pay", ranges, kind="nominal", role="confidential")
    released = candidate.released.replacing(texts.take(candidate.row_order))
    return evidence_of(replace(candidate, final=candidate.final.replacing(texts), released=released))


def _served_by_nothing(folder: Path) -> Evidence:
    return evidence_of(make_candidate(folder, ALONE, ROLES, privacy={"default": "cautious"}))


def _found(folder: Path, type: str) -> Evidence:
    """Let attacks find nearly everybody."""
    evidence = evidence_of(make_candidate(folder, ALONE, ROLES, type))
    found = (
        attack_entry("linkage", success=share(0.9, 0.95)),
        attack_entry("inference", column="C", success=share(0.9), control=share(0.3), advantage=share(0.6)),
        attack_entry("rank", column="C", success=share(0.9), control=share(0.3), advantage=share(0.6)),
    )
    return replace(evidence, attacks=found)


def _filtered(folder: Path) -> Evidence:
    """Let an attack take half of the noise off again."""
    evidence = evidence_of(make_candidate(folder, SAFE, ROLES))
    ratio = Figure(0.5, low=0.45, high=0.55, n=60, unit="ratio")
    return replace(evidence, attacks=(attack_entry("noise-filter", column="C", further={"ratio": ratio}),))


def _hidden(folder: Path) -> Evidence:
    """Let an attack find people whose confidential values all stay open."""
    candidate = make_candidate(folder, ALONE, ROLES)
    swapped = with_step(candidate, {"C": ["y", "x", "x", "y"]}, [randomised("C", [0] * 4)])
    return replace(evidence_of(swapped), attacks=(attack_entry("linkage", success=share(0.9, 0.95)),))


def _levels_released(folder: Path) -> Evidence:
    """Release a copy of what each person asked for."""
    wishes = ["normal", "cautious"] * 30
    columns = {**SAFE, "Wish": wishes, "Wished": wishes}
    return evidence_of(make_candidate(folder, columns, {**ROLES, "Wish": "p", "Wished": "o"}))


def _named(folder: Path, named: int, type: str) -> Evidence:
    """Release who alone holds what one in ten holds; of everybody else one class shows all three answers."""
    values = ["z"] * 29 + ["x", "y"] * 130 + ["x"]
    columns = {"Q": [f"q{place}" for place in range(named)] + ["a"] * (290 - named), "C": values}
    return evidence_of(make_candidate(folder, columns, ROLES, type))


def _few_share(folder: Path, role: str, alone: int) -> Evidence:
    """Let some be alone in a column that counts as unknown to others, and ten share each of its other values."""
    values = [f"v{place}" if place < alone else f"f{place // 10}" for place in range(60)]
    given = {**ROLES, "V": {"role": role, "kind": "nominal"}}
    return evidence_of(make_candidate(folder, {**SAFE, "V": values}, given, "public"))


def _codes(folder: Path) -> Evidence:
    """Release codes that stand for people one by one."""
    names, steps = [f"Person {place}" for place in range(60)], [{"method": "pseudonymise"}]
    more: dict[str, Any] = {"input": {"person": "Id"}, "steps": steps}
    return evidence_of(make_candidate(folder, {**SAFE, "Id": names}, {**ROLES, "Id": "i"}, **more))


def _levels_told(folder: Path, tells: bool) -> Evidence:
    """Change an answer by who asked for how much privacy, or by nothing that tells it."""
    wishes = ["normal", "cautious"] * 30
    candidate = make_candidate(folder, {**SAFE, "Wish": wishes}, {**ROLES, "Wish": "p"})
    values = ["x" if wish == "normal" else "y" for wish in wishes] if tells else SAFE["C"][::-1]
    return evidence_of(with_step(candidate, {"C": values}, [randomised("C", [0] * 60)]))


def _own_values(folder: Path) -> Evidence:
    """Let half of the people have a value of their own in a column that researchers get."""
    values = [f"v{place}" if place < 30 else "o" for place in range(60)]
    given = {**ROLES, "V": {"role": "o", "kind": "nominal"}}
    return evidence_of(make_candidate(folder, {**SAFE, "V": values}, given))


def _earns_most(folder: Path, type: str, most: int = 9_000) -> Evidence:
    """Release averages of five, in one of which a single person has nearly the whole sum."""
    pay = [str(most), *(str(10 + place) for place in range(59))]
    roles = {**ROLES, "Pay": {"role": "c", "kind": "numeric"}}
    steps = [{"method": "microaggregation", "parameters": {"group": 5}, "columns": ["Pay"]}]
    return evidence_of(make_candidate(folder, {**SAFE, "Pay": pay}, roles, type, steps=steps))


def _stays(folder: Path, input: dict[str, Any]) -> Evidence:
    """Release two stays of each of 30 people, of whom sex and town are known."""
    columns = {
        "patient": [str(place // 2) for place in range(60)],
        "sex": ["f" if place // 2 % 3 else "m" for place in range(60)],
        "town": ["n" if place // 2 % 5 else "s" for place in range(60)],
        "C": SAFE["C"],
    }
    quasi = {"role": "q", "kind": "nominal"}
    return evidence_of(
        make_candidate(folder, columns, {"patient": "i", "sex": quasi, "town": quasi, "C": ROLES["C"]}, input=input)
    )


def _sensitive(folder: Path, type: str) -> Evidence:
    """Release as it is a column that is named after what people keep to themselves."""
    return evidence_of(
        make_candidate(folder, {**SAFE, "hiv": ["no", "yes"] * 30}, {**ROLES, "hiv": "o"}, type, **CONFIRMED)
    )


def _ward_shown(folder: Path) -> Evidence:
    """Let one ward of forty, and nobody else, show one value of a column that nothing protects."""
    columns = {
        "Q": [f"w{row // 40}" for row in range(440)],
        "C": ["x", "y", "z", "u"] * 110,
        "Flag": ["a", "b"] * 200 + ["z"] * 40,
    }
    return evidence_of(make_candidate(folder, columns, {**ROLES, "Flag": "o"}, "public", **CONFIRMED))


def _visits(folder: Path) -> Evidence:
    """Release ten visits of each of 24 people by town; the column that says whose they are was removed."""
    columns = {"Q": [f"t{place % 24}" for place in range(240)], "C": SAFE["C"] * 4}
    return evidence_of(make_candidate(folder, columns, ROLES, "public", **CONFIRMED))


def _headers(folder: Path, type: str, names: str) -> Evidence:
    """Release columns of codes under headers that point to people."""
    columns = {name: ["u", "v"] * 30 for name in names.split("|")}
    return evidence_of(make_candidate(folder, {**SAFE, **columns}, {**ROLES, **dict.fromkeys(columns, "o")}, type))


def renewed(folder: Path, joined: int) -> Evidence:
    """Go on from a release of all rows but a few: those joined one group, each asking for five."""
    candidate = make_candidate(folder, SAFE, ROLES, "public", **CONFIRMED)
    own = with_step(candidate, {}, columns=("C",))
    evidence = evidence_of(own)
    rows = evidence.exported.rows
    group = np.where(np.arange(rows) < joined, 0, np.arange(rows) % 2)
    before = tuple(column.take(np.arange(joined, rows)) for column in evidence.exported.columns)
    none = np.zeros(0, dtype=np.int64)
    kept = Renewed(
        Change(
            before,
            group[joined:],
            np.arange(2),
            np.arange(2),
            np.zeros(2, dtype=np.bool_),
            group,
            group[:joined],
            np.full(joined, 5),
            none,
            none,
        )
    )
    step = own.steps[-1]
    steps = (*own.steps[:-1], replace(step, result=replace(step.result, in_memory=kept)))
    return replace(evidence, candidate=replace(own, steps=steps))


def _one_ward(folder: Path, type: str, values: list[str], kind: str, **more: Any) -> Evidence:
    """Let one of ten classes of forty people show values of its own."""
    usual = [str(9000 + 23 * place) for place in range(360)] if kind == "numeric" else [*"abcd"] * 90
    columns = {"Q": [f"w{place // 40 if place < 40 else 1 + place % 9}" for place in range(400)], "C": values + usual}
    roles = {"Q": ROLES["Q"], "C": {"role": "c", "kind": kind, **more}}
    return evidence_of(make_candidate(folder, columns, roles, type))


def _proved(folder: Path) -> Evidence:
    """Let another column prove half of the holders of a value."""
    values = ["positive"] * 60 + ["negative"] * 340
    seen = ["yes"] * 30 + ["no"] * 370
    columns = {"Q": ["a", "b"] * 200, "C": values, "Seen": seen}
    given = {**ROLES, "Seen": {"role": "o", "kind": "nominal"}}
    return evidence_of(make_candidate(folder, columns, given, "public"))


def _groups(folder: Path, type: str, smallest: int, ill: int, **more: Any) -> Evidence:
    """Release a row for each of 24 groups of people, the first of which is smallest and has another share."""
    columns = {
        "Q": [f"q{row}" for row in range(24)],
        "count": [str(smallest if row == 0 else 60 + row) for row in range(24)],
        "ill": [str(ill if row == 0 else 10 + row) for row in range(24)],
        "most": ["8000"] + ["20"] * 23,
        "sum": ["9000"] * 24,
    }
    number = {"role": "c", "kind": "numeric"}
    roles = {"Q": ROLES["Q"], "count": {**number, "role": "o"}, "ill": number, "most": {**number, "role": "l"}}
    given = {**roles, "sum": number, **more.pop("roles", {})}
    section: dict[str, Any] = {"input": {"rows": "groups", **more}}
    return evidence_of(make_candidate(folder, columns, given, type, **section))


def _rows_of_people(folder: Path, type: str) -> Evidence:
    """Call rows groups that are people, with the size of their groups beside them."""
    columns = {**SAFE, "count": ["30"] * 60}
    roles = {**ROLES, "count": {"role": "o", "kind": "numeric"}}
    return evidence_of(make_candidate(folder, columns, roles, type, input={"rows": "groups"}))


def _overruled(folder: Path, type: str) -> Evidence:
    """Call a column confidential by its name other."""
    given = {**ROLES, "hiv": {"role": "o", "kind": "nominal"}}
    return evidence_of(make_candidate(folder, {**SAFE, "hiv": ["yes", "no"] * 30}, given, type))


PLANTED: dict[str, Callable[[Path], Evidence]] = {
    "safe": _safe,
    "swapped": _swapped,
    "bare": _bare,
    "tempered": _tempered,
    "a few lines unread": lambda folder: _misread(folder, 1),
    "many lines unread": lambda folder: _misread(folder, 20),
    "damaged": _damaged,
    "told": _told,
    "workbook": _workbook,
    "broken, public": lambda folder: _broken(folder, "public"),
    "broken, research": lambda folder: _broken(folder, "research"),
    "broken, internal": lambda folder: _broken(folder, "internal"),
    "towns in artificial records": lambda folder: _villages(folder, seen=False),
    "a village in artificial records": lambda folder: _villages(folder, seen=True),
    "ranges end in people's values": _ranges_end_in_values,
    "served by nothing": _served_by_nothing,
    "found, public": lambda folder: _found(folder, "public"),
    "found, research": lambda folder: _found(folder, "research"),
    "filtered": _filtered,
    "hidden": _hidden,
    "drawn in the order of the source": _in_order,
    "drawn again": _drawn_again,
    "drawn often": lambda folder: _drawn_often(folder, "research"),
    "drawn often, public": lambda folder: _drawn_often(folder, "public"),
    "levels released": _levels_released,
    "holders named, public": lambda folder: _named(folder, 29, "public"),
    "holders named, research": lambda folder: _named(folder, 14, "research"),
    "few holders named": lambda folder: _named(folder, 6, "research"),
    "few share a value": lambda folder: _few_share(folder, "o", 0),
    "half have a value of their own": _own_values,
    "codes": _codes,
    "levels told": lambda folder: _levels_told(folder, tells=True),
    "levels not told": lambda folder: _levels_told(folder, tells=False),
    "nothing confidential": lambda folder: evidence_of(make_candidate(folder, SAFE, {**ROLES, "C": "o"})),
    "stays counted as people": lambda folder: _stays(folder, {"one_row_per_person": True}),
    "ten visits each, their numbers removed": _visits,
    "columns are people": lambda folder: _headers(
        folder, "research", "Anna Weber|Jan Koch|Eva Klein|Peter Wolf|Ines Abt"
    ),
    "a header is an address": lambda folder: _headers(folder, "research", "ann@example.org"),
    "two stays each": lambda folder: _stays(folder, {"person": "patient"}),
    "ten joined": lambda folder: renewed(folder, 10),
    "one joined": lambda folder: renewed(folder, 1),
    "sensitive, public": lambda folder: _sensitive(folder, "public"),
    "sensitive, research": lambda folder: _sensitive(folder, "research"),
    "one ward's value shown": _ward_shown,
    "spellings of one ward": lambda folder: _one_ward(folder, "research", ["hiv+", "HIV positive"] * 20, "nominal"),
    "nearly all of one ward": lambda folder: _one_ward(folder, "public", ["x"] * 38 + ["a"] * 2, "nominal"),
    "a low tolerance": lambda folder: _one_ward(folder, "public", ["100"] * 40, "numeric", tolerance=0.001),
    "a role overruled, public": lambda folder: _overruled(folder, "public"),
    "a role overruled, research": lambda folder: _overruled(folder, "research"),
    "a value proved": _proved,
    "one earns most, public": lambda folder: _earns_most(folder, "public"),
    "nobody earns most": lambda folder: _earns_most(folder, "public", 70),
    "one earns most, research": lambda folder: _earns_most(folder, "research"),
    "groups": lambda folder: _groups(folder, "public", 40, 5, largest={"ill": "count"}),
    "groups of four": lambda folder: _groups(folder, "public", 4, 5, largest={"sum": "most"}),
    "groups, all ill in one": lambda folder: _groups(folder, "public", 15, 100),
    "groups, all ill in a large one": lambda folder: _groups(folder, "research", 40, 100, largest={"sum": "most"}),
    "groups, none counted": lambda folder: _groups(folder, "public", 40, 5, roles={"count": "l"}),
    "groups, least declared": lambda folder: _groups(folder, "research", 40, 5, roles={"count": "l"}, least_count=20),
    "groups, of one key": lambda folder: _groups(folder, "research", 40, 5, roles={"Q": "i"}),
    "people called groups, public": lambda folder: _rows_of_people(folder, "public"),
    "people called groups, research": lambda folder: _rows_of_people(folder, "research"),
    "two secrets": lambda folder: _few_share(folder, "c", 60),
}


def planted(folder: Path) -> dict[str, Evidence]:
    """Make every one of them, each in a folder of its own."""
    return {name: make(folder / name.replace(" ", "-").replace(",", "")) for name, make in PLANTED.items()}
