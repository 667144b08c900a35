"""Values of sentences are typed: texts and bare floats are refused, by mypy and at run time."""

from __future__ import annotations

import ast
import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from source_trees import nodes_of

import ppdm_desktop
from ppdm_desktop.engine.errors import GateBlocked, InputError
from ppdm_desktop.engine.report.model import Sentence as KeptSentence
from ppdm_desktop.engine.wording.catalogue import _, lazy
from ppdm_desktop.engine.wording.texts import Note, render, render_stored
from ppdm_desktop.engine.wording.values import AttachedData, Name, Names, Share, Term

PACKAGE = Path(ppdm_desktop.__file__).parent
SECRET = "a cell's text"
UNTYPED: list[Any] = [SECRET, 0.5, np.float64(0.5), np.float32(0.5), None, ["a", "b"], {"is": "share"}, b"x"]
SPEAKERS: dict[str, Callable[[Any], object]] = {
    "_": lambda value: _("row {row:place}", row=value),
    "lazy": lambda value: lazy("row {row:place}", row=value),
    "said": lambda value: lazy("row {row:place}").format(row=value),
    "note": lambda value: Note("error.mondrian.level-names", {"row": value}),
    "error": lambda value: InputError("error.mondrian.level-names", args={"row": value}),
    "text": lambda value: render("level.number", {"row": value, "size": 1}),
    "report": lambda value: KeptSentence.of("gate.reversal.green", {"row": value}),
}


@pytest.mark.parametrize("speaker", SPEAKERS)
@pytest.mark.parametrize("value", UNTYPED, ids=lambda value: type(value).__name__)
def test_what_does_not_say_what_it_means_is_refused(speaker: str, value: Any) -> None:
    with pytest.raises(TypeError, match=rf"row is a {type(value).__name__}") as refused:
        SPEAKERS[speaker](value)
    assert SECRET not in str(refused.value)
    named = {"_": "row {row", "lazy": "row {row", "said": "row {row", "report": "gate.reversal.green"}
    assert {**named, "text": "level.number"}.get(speaker, "error.mondrian.level-names") in str(refused.value)


@pytest.mark.parametrize("speaker", SPEAKERS)
@pytest.mark.parametrize("value", [7, np.int64(7), np.uint8(7), Name("x"), lazy("not allowed here")])
def test_what_says_what_it_means_is_taken(speaker: str, value: Any) -> None:
    SPEAKERS[speaker](value)


# --- what a report keeps -----------------------------------------------------------------


def test_a_report_keeps_what_is_counted_and_says_it_again() -> None:
    values = {"k": np.int64(2), "k_min": 5, "records": Share(1, 60), "columns": Names(("Pay",))}
    kept = KeptSentence.of("gate.class-size.amber-open", values)  # type: ignore[arg-type] # NumPy's ints are counts
    again = KeptSentence.model_validate_json(kept.model_dump_json())
    assert again.note.arguments == values
    assert render_stored(again.id, again.arguments) == render("gate.class-size.amber-open", again.note.arguments)


def test_data_beside_a_sentence_is_kept_plain_and_never_said() -> None:
    rows = [{"column": "T", "rows": [3]}]
    assert KeptSentence.of("x", {"found": AttachedData(rows)}).model_dump() == {"id": "x", "arguments": {"found": rows}}
    with pytest.raises(TypeError, match="AttachedData"):
        _("row {row}", row=AttachedData(rows))


def test_a_blocked_release_crosses_a_process_border_with_its_report() -> None:
    blocked = GateBlocked("error.gate.red", args={"red": Term("a")}, report={"x": 1}, notes=(Note("y"),))
    again = pickle.loads(pickle.dumps(blocked))
    assert (again.arguments, again.report, again.notes) == (blocked.arguments, {"x": 1}, (Note("y"),))


# --- in the code --------------------------------------------------------------------------

_SAYING = {"_", "lazy", "said", "verdict", "stated", "refusal"}
_HOLDING = {"Note", "render", "of", "InputError", "RecipeError", "GateBlocked", "PpdmError", "Sentence"}
_NO_VALUES = {"variant", "counted"}


def untyped_in(code: str) -> Iterator[tuple[int, str]]:
    """Yield the values of sentences in a module that are texts or floats, with their lines.

    A sentence of the report that is not made by ``of``, which looks at its values, is one as well.
    """
    for node in nodes_of(code):
        if not isinstance(node, ast.Call):
            continue
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        values: list[ast.expr | None] = []
        if called in _SAYING:
            values += [each.value for each in node.keywords if each.arg not in _NO_VALUES]
        if called in _HOLDING:
            given = [*node.args, *(each.value for each in node.keywords if each.arg in ("args", "arguments"))]
            values += [value for each in given if isinstance(each, ast.Dict) for value in each.values]
        for value in values:
            if value is not None and _is_untyped(value):
                yield value.lineno, ast.unparse(value)
        if called == "Sentence" and any(each.arg == "arguments" for each in node.keywords):
            yield node.lineno, "Sentence(arguments=...)"


def _is_untyped(value: ast.expr) -> bool:
    if isinstance(value, ast.IfExp):
        return _is_untyped(value.body) or _is_untyped(value.orelse)
    if isinstance(value, ast.Call):
        name = value.func.attr if isinstance(value.func, ast.Attribute) else getattr(value.func, "id", "")
        return name in ("str", "repr", "float", "join", "format", "format_map", "_", "fill")
    if isinstance(value, ast.BinOp):
        return _is_untyped(value.left) or _is_untyped(value.right)
    return isinstance(value, ast.JoinedStr) or (isinstance(value, ast.Constant) and not isinstance(value.value, int))


def test_no_value_of_a_sentence_is_a_text_or_a_float() -> None:
    found = [
        f"{path.relative_to(PACKAGE).as_posix()}:{line}: {value}"
        for path in sorted(PACKAGE.rglob("*.py"))
        for line, value in untyped_in(path.read_text(encoding="utf-8"))
    ]
    assert found == []
