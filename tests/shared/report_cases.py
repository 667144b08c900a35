"""What the tests of report, certificate and PDF share: a report, the worst one, and reading a PDF."""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from gate_cases import make_candidate, randomised, with_step

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.release.attack_audit.base import label_entries
from ppdm_desktop.engine.release.evaluate.evaluate import evaluate
from ppdm_desktop.engine.release.gate.results import CAUSES
from ppdm_desktop.engine.release.writing.export import Evaluation
from ppdm_desktop.engine.report.model import (
    AttackEntry,
    AttackTail,
    CheckEntry,
    DecisionEntry,
    LevelEntry,
    LevelProofEntry,
    ReasonEntry,
    Report,
    Sentence,
)
from ppdm_desktop.engine.table.levels import Demand
from ppdm_desktop.engine.wording.catalogue import untranslated
from ppdm_desktop.engine.wording.values import Term

CREATED = datetime(2026, 11, 21, 10, 58, 3, tzinfo=UTC)
ROWS = 24
COLUMNS = {
    "City": ["Delft", "Bonn"] * 12,
    "Age": [str(20 + i % 8) for i in range(ROWS)],
    "Illness": ["flu", "cold", "flu", "flu"] * 6,
    "Name": [f"n{i}" for i in range(ROWS)],
}
ROLES = {"City": "q", "Age": {"role": "q", "kind": "numeric"}, "Illness": "c", "Name": "i"}
LONG = "A_name_without_a_single_space_" * 8
WORDY = "The board looked at this at length and found nothing against it, given what is known today. " * 12


def judged_candidate(folder: Path) -> Evaluation:
    """Judge a small table with one value swapped."""
    candidate = make_candidate(folder, COLUMNS, ROLES)
    values = list(COLUMNS["Illness"])
    values[0], values[1] = values[1], values[0]
    stepped = with_step(
        candidate,
        {"Illness": values},
        [randomised("Illness", [0] * ROWS)],
        detail={"objective": 1.5, "infinite": float("inf"), "sizes": (1, 2)},
    )
    return evaluate(stepped, created=CREATED)


def worst_report(report: Report, *, many: int = 30) -> Report:
    """Return a report with many levels, checks and attacks, and names and reasons as long as can be."""
    levels = [
        LevelEntry(
            name=f"{LONG}{n}",
            demand=Demand(group=n + 2, intervals=50, noise=2.0, swap=0.5, selection_noise=1.0),
            records=123_456_789,
        )
        for n in range(many)
    ]
    proofs = [
        LevelProofEntry(
            step=step, column=LONG, level=level.name, records=123_456_789, covered=123_456_000, not_covered=789,
            demanded=0.123456789, least_achieved=0.111111, worst_row=987_654_321, met=n % 2 == 0, privacy_loss=0.25,
        )
        for step in (1, 2)
        for n, level in enumerate(levels)
    ]  # fmt: skip
    checks = [
        each.model_copy(
            update={"status": "amber", "limit": 123_456_789, "figure": Figure(987_654_321)}
        )
        for each in [each for each in report.verdict.checks if not each.on_certificate][:many]
    ]  # fmt: skip
    reasons = reasons_for_each_cause(checks, WORDY)
    operator = report.operator.model_copy(
        update={"name": WORDY, "approver": LONG, "note": WORDY, "review_date": "2027-11-21"}
    )
    columns = [replace(column, name=LONG) for column in report.utility.columns]
    return report.model_copy(
        update={
            "privacy": report.privacy.model_copy(update={"levels": levels}),
            "verdict": report.verdict.model_copy(
                update={
                    "levels": proofs,
                    "checks": [*report.verdict.figures, *checks],
                    "decision": DecisionEntry(
                        status="released-with-reasons",
                        released=True,
                        blocked_by=[],
                        accepted=[check.id for check in checks],
                        reasons=reasons,
                    ),
                    "attacks": [attack(n) for n in range(many)],
                }
            ),
            "operator": operator,
            "utility": report.utility.model_copy(update={"columns": columns}),
        }
    )


def reasons_for_each_cause(checks: Sequence[CheckEntry], text: str) -> list[ReasonEntry]:
    """Return a reason for each cause of some checks, as a report keeps it."""
    causes = [cause for cause in CAUSES.values() if any(check.cause == cause.id for check in checks)]
    return [
        ReasonEntry(
            cause=cause.id,
            title=cause.text,
            reason=f"{cause.id} {text}",
            at=None,
            checks={check.id: 1 for check in checks if check.cause == cause.id},
        )
        for cause in causes
    ]


def attack(n: int, **more: Any) -> AttackEntry:
    """Return an attack with a title as long as can be."""
    success = Figure(0.7 + n / 1000, 0.6, 0.9, 2000, "share", untranslated(WORDY))
    control = Figure(0.5, 0.4, 0.6, 2000, "share", untranslated(WORDY))
    entry = AttackEntry(
        **{
            "id": ("singling-out", "inference", "rank")[n % 3],
            "column": LONG,
            "knows": Sentence.of("attack.knows.release-alone", {"columns": Term(LONG)}),
            "success": success,
            "control": control,
            "chance": control,
            "advantage": Figure(0.2, 0.1, 0.3, 2000, "share", untranslated(WORDY)),
            "tail": AttackTail(share_sure_and_right=control, control=control),
            "tolerance": None,
            "sampled": 2000,
            "severity": ("total", "serious", "some", "none")[n % 4],
            "sentence": Sentence.of(
                "attack.averaging.none-swap", {"column": Term(LONG), "alone": 1, "releases": 5, "together": 2}
            ),
            "levels": [],
            "further": {},
            **more,
        }
    )  # fmt: skip
    return label_entries([entry])[0]


def nothing_accepted(report: Report) -> Report:
    """Return a report in which every check was passed."""
    checks: list[CheckEntry] = [check for check in report.verdict.checks if check.status == "green"]
    decision = DecisionEntry(status="released", released=True, blocked_by=[], accepted=[])
    return with_verdict(report, checks=checks, decision=decision)


def with_verdict(report: Report, **changes: Any) -> Report:
    """Return a report whose verdict says something else."""
    return report.model_copy(update={"verdict": report.verdict.model_copy(update=changes)})


# --- reading a PDF -----------------------------------------------------------------------


def objects(data: bytes) -> dict[int, bytes]:
    """Return the objects of a PDF by number."""
    return {int(n): body for n, body in re.findall(rb"(?s)(\d+) 0 obj(.*?)endobj", data)}


def stream_of(body: bytes) -> bytes:
    """Return an object's stream, unpacked."""
    found = re.search(rb"(?s)stream\r?\n(.*?)\r?\nendstream", body)
    raw = found[1] if found else b""
    return zlib.decompressobj().decompress(raw) if b"FlateDecode" in body else raw


def all_bytes(data: bytes) -> bytes:
    """Return a PDF with every stream unpacked beside it, for a search."""
    return data + b"".join(stream_of(body) for body in objects(data).values() if b"stream" in body)


def pages_of(data: bytes) -> list[str]:
    """Return the text of each page as a reader would copy it, without white space.

    Every glyph must lead to a character: one that does not fails the test.
    """
    found = objects(data)
    fonts = {n: _letters(found[int(ref[1])]) for n, body in found.items()
             if (ref := re.search(rb"/ToUnicode (\d+) 0 R", body))}  # fmt: skip
    texts = []
    for body in found.values():
        if not re.search(rb"/Type /Page\b(?!s)", body):
            continue
        content = re.search(rb"/Contents (\d+) 0 R", body)
        assert content is not None
        texts.append(_text(stream_of(found[int(content[1])]), fonts))
    return texts


def _letters(body: bytes) -> dict[int, str]:
    letters: dict[int, str] = {}
    table = stream_of(body).decode("latin-1")
    for block in re.findall(r"(?s)beginbfrange(.*?)endbfrange", table):
        for first, last, rest in re.findall(r"<(\w+)>\s*<(\w+)>\s*(<\w+>|\[[^\]]*\])", block):
            units = re.findall(r"<(\w+)>", rest)
            for n, code in enumerate(range(int(first, 16), int(last, 16) + 1)):
                text = bytes.fromhex(units[min(n, len(units) - 1)]).decode("utf-16-be")
                letters[code] = text if len(units) > 1 or n == 0 else chr(ord(text) + n)
    for block in re.findall(r"(?s)beginbfchar(.*?)endbfchar", table):
        for code, unit in re.findall(r"<(\w+)>\s*<(\w+)>", block):
            letters[int(code, 16)] = bytes.fromhex(unit).decode("utf-16-be")
    return letters


def _text(content: bytes, fonts: dict[int, dict[int, str]]) -> str:
    text, font = "", {}
    for name, shown in re.findall(r"/F(\d+) [\d.]+ Tf|<([0-9a-fA-F]+)>", content.decode("latin-1")):
        if name:
            font = fonts[int(name)]
        else:
            text += "".join(font[int(shown[n : n + 4], 16)] for n in range(0, len(shown), 4))
    return re.sub(r"[\s\u200b\u00a0]+", "", text)
