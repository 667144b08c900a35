"""What the command-line tests share: a small table with its recipe, and a command's outcome."""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, dataclass, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from cases import case_text
from hypothesis import assume, currently_in_test_context

from ppdm_desktop.engine.errors import GateBlocked
from ppdm_desktop.engine.figure import Figure, measures_of
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.gate.base import find_check
from ppdm_desktop.engine.release.measures.analyses import Analyses
from ppdm_desktop.engine.release.writing.export import Exported, export
from ppdm_desktop.engine.utility.models.suite import ModelResult
from ppdm_desktop.engine.utility.whole_table import TableFigures
from ppdm_desktop.engine.wording.catalogue import untranslated
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Terms


@dataclass(frozen=True)
class Outcome:
    """What a command said."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """The JSON document on stdout."""
        return json.loads(self.out)


Command = Callable[..., Outcome]


PEOPLE = """Id,Name,Age,City,Illness
007,Null,30,Delft,flu
008,Bo,30,Delft,cold
009,Cy,31,Ghent,flu
010,Di,31,Ghent,flu
011,Ed,32,NA,cold
012,Flo,33,Bonn,ulcer
013,Gus,33,Bonn,cold
014,Hal,34,Lille,ulcer
"""

RECIPE = case_text("support-recipe.toml")

# What a small table, or one whose attacks a test leaves out, may meet; by chance a draw is better than one before.
AUDIT_CHECKS = ("linkage", "inference", "reversal", "dependencies", "audit-complete", "redrawn")
# What a small table shows of its people, who are easily alone in it.
DISCLOSURE_CHECKS = (
    "class-size",
    "certain-disclosure",
    "certain-by-all",
    "most-exposed",
    "rare-secret",
    "singling-out",
    "near-identifiers",
    "keys-released",
    "roles-overruled",
    "diversity",
    "levels-met",
)
ACCEPTS = (*AUDIT_CHECKS, *DISCLOSURE_CHECKS, "earlier-release", "rare-values", "guessable-key")
KEY_FILE = hashlib.sha256(b"key file of a test").hexdigest()
"""What a key file may hold: 64 hexadecimal digits without a pattern."""
_LETTERS = str.maketrans("0123456789abcdef", "bcdfghklmnoprstu")


def write_columns(path: Path, columns: Mapping[str, Iterable[object]]) -> None:
    """Write columns by name as a CSV file."""
    write_lines(path, columns, zip(*columns.values(), strict=True))


def write_lines(path: Path, head: Iterable[object], rows: Iterable[Iterable[object]]) -> None:
    """Write a head and rows as a CSV file."""
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([head, *rows])


def reason_for(cause: str) -> str:
    """Return a written reason for a cause: a sentence with three words that no other cause's has.

    Sentences that differ by the name of the cause alone are no reasons of their own.
    """
    own = hashlib.sha256(cause.encode()).hexdigest().translate(_LETTERS)
    return f"a small invented table of a test, called {own[:7]} {own[7:14]} {own[14:21]}"


def reasons_for(checks: Iterable[str]) -> dict[str, str]:
    """Return a written reason for the cause of each check, by cause."""
    return {cause: reason_for(cause) for cause in dict.fromkeys(find_check(check).cause.id for check in checks)}


def accept_arguments(checks: Iterable[str]) -> list[str]:
    """Return the command's arguments that give a reason for the cause of each check."""
    return [part for cause, reason in reasons_for(checks).items() for part in ("--accept", f"{cause}={reason}")]


def accepting(*more: str) -> list[str]:
    """Return the --accept arguments for every amber a small table may meet."""
    return accept_arguments((*ACCEPTS, *more))


@dataclass(frozen=True)
class Job:
    """A source and its recipe in a folder of their own."""

    folder: Path
    source: Path
    recipe: Path
    out: Path

    def edit(self, old: str, new: str) -> None:
        """Change a piece of the recipe."""
        text = self.recipe.read_text(encoding="utf-8")
        assert old in text
        self.recipe.write_text(text.replace(old, new), encoding="utf-8")

    def listing(self) -> set[str]:
        """Everything that lies in the folder."""
        return {str(path.relative_to(self.folder)) for path in self.folder.rglob("*")}


def red_checks(stopped: GateBlocked) -> list[str]:
    """Return the ids of the checks that the message names as stopping a release whatever is written about them."""
    named = stopped.arguments.get("red")
    assert isinstance(named, Terms)
    return [str(text.arguments["id"]) for text in named.texts if isinstance(text, Note)]


def export_or_reject(candidate: Candidate, out: Path, accepts: Mapping[str, str] | None = None) -> Exported:
    """Export a release of a random table, for tests of what its methods promise.

    Raises
    ------
    UnsatisfiedAssumption
        When the gate stops the release for nothing but telling too many people's value: hypothesis draws another table.
    """
    try:
        return export(
            candidate,
            out,
            accepts=accepts,
            created=datetime.now(UTC),
            analyses=not_analysed(),
            attacks=(),
            replace=out.exists(),
        )
    except GateBlocked as stopped:
        if currently_in_test_context():
            assume(red_checks(stopped) != ["certain-disclosure"])
        raise


def not_analysed(*models: ModelResult) -> Analyses:
    """Analyses without a figure, but with the given results of learners, for tests that look at other things."""
    none = Figure.absent(untranslated("left out for a test"))
    needed = (each for each in fields(Analyses) if each.default is MISSING and each.default_factory is MISSING)
    empty: dict[str, Any] = {each.name: () for each in needed}
    table = TableFigures.model_validate(dict.fromkeys(measures_of(TableFigures), none))
    return Analyses(**{**empty, "models": models, "table": table})
