"""What the papers of a release are worth: changes that are caught, numbers that stand in the report, fields filled.

    .venv/bin/python -m tests.benchmarks.dossier [--sizes 48 60 90 120]

Releases of a small table by five methods in two languages and four sizes are checked as they are; every second size has
a record card and an approval. Those of the second size are checked with twenty changes each, too: of figures in
report.json, dossier.json and papers, of the data file and the log. Whoever changes something writes the manifest again.
Exit status 1 where a change escapes, an honest release is reported, or a number of a form is none of report.json.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from gate_cases import make_candidate
from papers_support import at
from support import reasons_for

from ppdm_desktop.engine.decision_log import FILE, Entry, extend_log, read_log, write_log
from ppdm_desktop.engine.dossier.dossier import Dossier, Paper
from ppdm_desktop.engine.dossier.papers import check_paper, chosen_forms, write_papers
from ppdm_desktop.engine.errors import GateBlocked, InputError
from ppdm_desktop.engine.release.writing.export import export
from ppdm_desktop.engine.report.model import Operator
from ppdm_desktop.engine.wording.catalogue import speak_language
from tests.engine.dossier.test_changed_papers import CHANGES, LANGUAGES, verifier
from tests.engine.dossier.test_papers import FORMS, leaves, unexplained
from tests.engine.release.test_verifier import METHODS, ROLES

CARD = {key: f"stated {key}" for key in Operator.model_fields} | {
    "special_categories": True, "review_date": "2027-11-29", "expires": "2028-11-29", "release_day": "2026-11-29",
}  # fmt: skip
KINDS = (*CHANGES, "data")
FIGURES, ALL = "figures alone", "record card and approval"
TIME, WHO = "2026-11-29T08:00:00Z", "A. Chair"


def make_release(folder: Path, method: str, language: str, rows: int, known: str) -> Path:
    """Return a release of a small table; reasons are given for all that holds it up."""
    form, step = METHODS[method]
    columns: dict[str, Any] = {
        "city": [("Bonn", "Köln", "Ulm")[row % 3] for row in range(rows)],
        "age": [str(20 + row % 7) for row in range(rows)],
        "pay": ["" if row == 7 else f"{1000 + row * 37 % 400}.5" for row in range(rows)],
        "=note": [("-a", "'=b", "NA")[row % 4 % 3] for row in range(rows)],
    }
    wanted = {"format": form, "note_language": language, "report_language": language}
    more: dict[str, Any] = {"input": {"one_row_per_person": True}, "steps": [step]}
    more |= {"operator": CARD} if known == ALL else {}
    candidate = make_candidate(folder, columns, ROLES, "internal", release=wanted, **more)
    log = extend_log((), [Entry("opened"), Entry("prepared")], at=TIME, who=WHO)
    given: dict[str, Any] = {"log": log, "ledger": folder / "ledger.json" if known == ALL else None}
    try:
        out = export(candidate, folder / "out", **given).path
    except GateBlocked as blocked:
        held = (blocked.report or {})["verdict"]["decision"]["blocked_by"]
        out = export(candidate, folder / "out", **given, accepts=reasons_for(held)).path
    if known == ALL:
        file = out / "internal" / FILE
        write_log(file, extend_log(read_log(file), [Entry("approved")], at=TIME, who=WHO))
    return out


def find_reports(folder: Path, paper: Path, source: Path | None) -> Iterator[bool]:
    """Yield whether the verifier, and whether ``dossier --check``, reports something in a release."""
    try:
        yield any(line[-1] == verifier.DIFFERENT for line in verifier.check(folder, source, paper).lines)
    except Exception:
        yield True
    try:
        yield bool(check_paper(folder, paper)[1])
    except InputError:
        yield True


def change_data(folder: Path, _docx: Path, _paper: Paper) -> None:
    """Change the middle byte of the data file."""
    (file,) = (folder / "release").glob("data.*")
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)


def is_change_caught(folder: Path, language: str, kind: str, docx: Path, paper: Paper) -> bool:
    """Return whether one change of a copy of a release is reported, although the manifest was written again."""
    copy = folder.parent / "copy"
    shutil.copytree(folder, copy)
    changed = copy / "papers" / docx.name
    with speak_language(language):
        {**CHANGES, "data": change_data}[kind](copy, changed, paper)
    file = copy / "internal/manifest.json"
    manifest = json.loads(file.read_text("utf-8"))
    manifest["files"] = {name: hashlib.sha256((copy / name).read_bytes()).hexdigest() for name in manifest["files"]}
    file.write_text(json.dumps(manifest), "utf-8")
    is_caught = any(find_reports(copy, changed, None))
    shutil.rmtree(copy)
    return is_caught


def count_numbers(folder: Path, language: str) -> tuple[int, int]:
    """Return how many numbers the forms print, and how many of them are none of report.json."""
    report, seen, wrong = json.loads((folder / "internal/report.json").read_text("utf-8")), 0, 0
    papers = [Dossier(folder).paper(form, internal=True) for form in chosen_forms([])]
    blocks = (block for paper in papers for field in paper.fields for block in field.blocks)
    for cell in (cell for block in blocks for row in block.rows for cell in row):
        if "/release/threshold_source" not in cell.paths:  # a source of the literature, with its years
            values = [leaf for path in cell.paths for leaf in leaves(at(report, path))]
            wrong += len(unexplained(cell.text, values, language)) if cell.paths else 0
            seen += len(re.findall("[0-9]+", cell.text)) if cell.paths else 0
    return seen, wrong


def main() -> int:
    """Print all figures; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[48, 60, 90, 120])
    sizes = parser.parse_args().sizes
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as place:
        for method, language, rows in ((m, each, n) for m in METHODS for each in LANGUAGES for n in sizes):
            known = ALL if rows in sizes[1::2] else FIGURES
            folder = make_release(Path(place) / f"{method} {language} {rows}", method, language, rows, known)
            written = [pair for pair in write_papers(folder, chosen_forms([])) if pair[0].parents[1] == folder]
            (source,) = folder.parent.glob("*.csv")
            counts["honest"] += 1
            counts["alarms"] += any(any(find_reports(folder, docx, source)) for docx, _paper in written)
            seen, wrong = count_numbers(folder, language)
            counts += Counter(numbers=seen, wrong=wrong)
            changes = islice(zip(cycle(KINDS), cycle(written)), 20 if rows == sizes[:2][-1] else 0)
            for kind, (docx, paper) in changes:
                outcome = "caught" if is_change_caught(folder, language, kind, docx, paper) else "escaped"
                counts[f"{kind} {outcome}"] += 1
            for paper in (paper for _docx, paper in written if paper.form.id in FORMS):
                for form in (paper.form.id, "all"):
                    counts += Counter({f"{known} {form} filled": paper.filled, f"{known} {form}": len(paper.fields)})
            print(f"{folder.parent.name}: done", flush=True)
    for kind in KINDS:
        print(f"{kind}: {counts[f'{kind} caught']} changes caught, {counts[f'{kind} escaped']} escaped")
    print(f"{counts['honest']} honest releases, {counts['alarms']} of them reported")
    print(f"{counts['numbers']} numbers of forms, {counts['wrong']} of them in no value of report.json")
    for known, form in ((known, form) for known in (FIGURES, ALL) for form in (*FORMS, "all")):
        share = counts[f"{known} {form} filled"] / (counts[f"{known} {form}"] or 1)
        print(f"{form}, filled by {known}: {share:.1%}")
    return int(bool(counts["alarms"] + counts["wrong"] + sum(counts[f"{kind} escaped"] for kind in KINDS)))


if __name__ == "__main__":
    sys.exit(main())
