"""Every text id that the code can raise exists, every entry is used, and every place can be filled."""

from __future__ import annotations

import ast
import pickle
import re
import string
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib import resources
from pathlib import Path

import pytest
from source_trees import nodes_of

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.release.storage.atomic_folder import check_target
from ppdm_desktop.engine.table.patterns import PATTERNS
from ppdm_desktop.engine.wording.texts import (
    COMMAND_LINE_ONLY,
    PARTS,
    SectionTexts,
    TextEntry,
    all_texts,
    declare_text,
    describe_location,
    explain,
    render,
)
from ppdm_desktop.engine.wording.values import Names, Term, Terms

PACKAGE = Path(__file__).resolve().parents[3] / "ppdm_desktop"
AREAS = sorted({id.partition(".")[0] for id in all_texts()})
_ID = re.compile(rf"({'|'.join(AREAS)})\.[a-z0-9-]+(\.[a-z0-9-]+)*")


@cache
def _ids_in_code() -> set[str]:
    """Return the ids that stand in the code; none is put together from parts, as a rule of the sources has it."""
    ids: set[str] = set()
    for path in PACKAGE.rglob("*.py"):
        for node in nodes_of(path.read_text(encoding="utf-8")):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and _ID.fullmatch(node.value):
                ids.add(node.value)
    return ids


# Literals that look like an id and are something else.
HELP = PACKAGE.parent / "resources" / "help" / "en"
NOT_TEXTS = {"release.key", "certificate.html", "certificate.pdf", *(page.stem for page in HELP.glob("*.md"))}


def test_texts_read_one_by_one_are_those_of_the_whole_file() -> None:
    raw = (resources.files("ppdm_desktop.resources") / "texts" / "en.toml").read_text(encoding="utf-8")
    whole = tomllib.loads(raw)
    found = SectionTexts(raw)
    assert list(found) == list(whole)
    for id, entry in whole.items():
        assert set(entry) <= {*PARTS, "or_reason"}
        parts = entry.get("title", ""), entry.get("sentence", ""), entry.get("remedy", "")
        assert found[id] == TextEntry(*parts, entry.get("or_reason", False))
    # A line of its own in brackets is the one thing that divides: within a text it would cut it in two.
    assert SectionTexts(raw.replace("\n", "\r\n")) == found
    with pytest.raises(KeyError):
        found["error.no.such"]


def test_no_two_texts_have_one_id() -> None:
    with pytest.raises(ValueError, match="two texts"):
        declare_text(PATTERNS["e-mail"].plural)


def test_every_id_in_the_code_exists() -> None:
    assert sorted(_ids_in_code() - set(all_texts()) - NOT_TEXTS) == []


def test_every_entry_is_used() -> None:
    assert sorted(set(all_texts()) - _ids_in_code()) == []


def _faults(id: str, text: TextEntry) -> Iterator[str]:
    if not (text.sentence.strip() or text.title.strip()):
        yield f"{id} says nothing"
    if id.startswith("error.") and id != "error.work.cancelled" and not text.remedy.strip():
        yield f"{id} does not say what to do"
    for part in (text.title, text.sentence, text.remedy):
        for _, name, forms, _ in string.Formatter().parse(part):
            if name is not None and not name.isidentifier():
                yield f"{id} has a place without a name: {{{name}}}"
            if forms and "|" in forms and forms.count("|") != 1:
                yield f"{id} needs one form for 1 and another for all else: {forms}"


def test_entries_say_something_and_their_places_have_names() -> None:
    assert [fault for id, text in all_texts().items() for fault in _faults(id, text)] == []


def test_an_error_is_one_line_with_its_place() -> None:
    error = InputError(
        "error.levels.unknown-text",
        file="a.csv",
        column="L",
        row=7,
        args={"found": Names(("x{y}",)), "known": Term("z"), "people": 1, "rows": Terms(("7",))},
    )
    line = explain(error)
    assert line.startswith("a.csv, column “L”, row 7: ")
    assert "x{y}" in line
    assert "\n" not in line
    assert "x{y}" not in error.log_line()


def test_a_missing_argument_is_a_fault_of_the_program() -> None:
    with pytest.raises(KeyError):
        render("error.recipe.missing-key", {})


def test_no_text_leaves_the_number_open() -> None:
    assert [id for id, text in all_texts().items() if "(s)" in f"{text.title} {text.sentence} {text.remedy}"] == []


_RECIPE = re.compile(r"--[a-z]|\[[a-z\"\[]|\b[a-z_0-9]+ = |\bin (a|the) recipe\b|\bthe recipe\b|\bunder \[")
# Only the command line says these: it has what they speak of.
_ONLY_THERE = (
    "error.accept.",
    "error.compare.",
    "error.files.",
    "error.log.",
    "error.recipe.",
    "error.sample.",
    "error.sweep.exists",
    "error.sweep.nothing-to-try",
    "note.compare.",
)


def test_the_window_speaks_no_recipe() -> None:
    remedies = {id: text.remedy for id, text in all_texts().items() if not id.startswith(_ONLY_THERE)}
    in_window = {id: COMMAND_LINE_ONLY.sub("", remedy) for id, remedy in remedies.items()}
    assert {id: remedy for id, remedy in in_window.items() if _RECIPE.search(remedy)} == {}


def test_what_the_window_leaves_out_of_a_remedy_is_said_elsewhere() -> None:
    assert [id for id, text in all_texts().items() if "cli>" in COMMAND_LINE_ONLY.sub("", text.remedy)] == []
    shown = render("gate.people-counted.amber", {})
    assert "one_row_per_person = true" in shown.remedy
    assert "one_row_per_person" not in shown.window
    assert "One row per person" in shown.window


def test_an_amber_remedy_ends_with_the_choice_to_give_a_reason() -> None:
    amber, red = render("gate.row-order.amber", {}), render("gate.row-order.red", {})
    assert amber.window == f"{red.window} Or give a reason why this is acceptable here."


def test_an_error_is_explained_in_the_words_of_the_door() -> None:
    error = InputError("error.export.exists", file="out")
    assert "--replace" in explain(error)
    assert "--replace" not in explain(error, window=True)
    assert explain(error, window=True).startswith("out: ")


def test_an_error_says_where_it_happened(tmp_path: Path) -> None:
    with pytest.raises(InputError) as refused:
        check_target(tmp_path, tmp_path / "source.csv", replace=False)
    # The error crosses the border of the process that writes.
    for error in (refused.value, pickle.loads(pickle.dumps(refused.value))):
        assert describe_location(error) == f"{tmp_path.name}:"
        assert explain(error).startswith(f"{tmp_path}: ")
    assert describe_location(InputError("error.read.empty", column="Age", row=5)) == "Column “Age”, row 5:"
    assert describe_location(InputError("error.read.empty")) == ""
