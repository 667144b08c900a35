"""What the papers of a release are worth: changes that are caught, numbers that stand in the report, fields filled.

    .venv/bin/python -m tests.benchmarks.dossier [--sizes 48 60 90 120]

Releases of a small table by five methods in two languages and four sizes are checked as they are; every second size has
a record card and, in the end, an approval. Those of the second size are checked with twenty changes each, too: of a
figure in report.json, of dossier.json, of a paper, of the data file and of a line of the log. Whoever changes something
writes the manifest again. Exit status 1 where a change escapes, an honest release is reported, or a number of a form is
none of report.json.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import json
import random
import re
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from gate_cases import make_candidate
from papers_support import at, edited
from support import reasons_for

from ppdm_desktop.engine.decision_log import FILE, Entry, extend_log, read_log, write_log
from ppdm_desktop.engine.dossier.dossier import Dossier
from ppdm_desktop.engine.dossier.papers import check_paper, chosen_forms, write_papers
from ppdm_desktop.engine.errors import GateBlocked, InputError
from ppdm_desktop.engine.release.writing.export import export
from ppdm_desktop.engine.report.model import Operator
from tests.engine.dossier.test_papers import FORMS, leaves, unexplained
from tests.engine.release.test_verifier import METHODS, ROLES

verifier = importlib.import_module("ppdm_desktop.resources.verifier.check_release")
LANGUAGES = ("en", "de")
TOWNS = ("Bonn", "Köln", "Ulm")
FIGURE = re.compile(r'(?<=preserve">)[^<]*\d[^<]*(?=</w:t></w:r></w:sdtContent>)')
CARD = dict.fromkeys(Operator.model_fields, "stated") | {
    "special_categories": True,
    "review_date": "2027-11-29",
    "expires": "2028-11-29",
    "release_day": "2026-11-29",
}
Change = Callable[[Path, random.Random], Path | None]


def make_release(folder: Path, method: str, language: str, rows: int, has_card: bool) -> Path:
    """Return a release of a small table, with a record card or without; reasons are given for all that holds it up."""
    form, step = METHODS[method]
    columns: dict[str, Any] = {
        "city": [TOWNS[row % 3] for row in range(rows)],
        "age": [str(20 + row % 7) for row in range(rows)],
        "pay": ["" if row == 7 else f"{1000 + row * 37 % 400}.5" for row in range(rows)],
        "=note": [("-a", "'=b", "NA")[row % 4 % 3] for row in range(rows)],
    }
    wanted = {"format": form, "note_language": language, "report_language": language}
    more: dict[str, Any] = {"input": {"one_row_per_person": True}, "steps": [step]}
    more |= {"operator": CARD} if has_card else {}
    candidate = make_candidate(folder, columns, ROLES, "internal", release=wanted, **more)
    ledger = folder / "ledger.json" if has_card else None
    log = extend_log((), [Entry("opened"), Entry("prepared")], at="2026-11-29T08:00:00Z", who="A. Officer")
    try:
        return export(candidate, folder / "out", log=log, ledger=ledger).path
    except GateBlocked as blocked:
        held = (blocked.report or {})["verdict"]["decision"]["blocked_by"]
        return export(candidate, folder / "out", log=log, ledger=ledger, accepts=reasons_for(held)).path


def other_digit(text: str, draw: random.Random) -> str:
    """Return a text with another digit in one place."""
    place = draw.choice([found.start() for found in re.finditer(r"[0-9]", text)])
    digit = draw.choice([digit for digit in "0123456789" if digit != text[place]])
    return text[:place] + digit + text[place + 1 :]


def change_report(folder: Path, draw: random.Random) -> None:
    """Raise a number of report.json that a paper prints by itself."""
    file = folder / "internal/report.json"
    report = json.loads(file.read_text("utf-8"))
    values = json.loads((folder / "internal/dossier.json").read_text("utf-8"))["values"]
    cells = [cell for blocks in values.values() for block in blocks for row in block["rows"] for cell in row]
    paths = {path for cell in cells for path in cell["paths"] if type(at(report, path)) in (int, float)}
    *parents, last = draw.choice(sorted(paths)).split("/")
    section = at(report, "/".join(parents))
    section[int(last) if isinstance(section, list) else last] += draw.choice([1, 2, 7])
    file.write_text(json.dumps(report), "utf-8")


def change_dossier(folder: Path, draw: random.Random) -> None:
    """Change a digit in a text of dossier.json."""
    file = folder / "internal/dossier.json"
    document = json.loads(file.read_text("utf-8"))
    asked = {field["value"] for form in document["forms"] for field in form["fields"] if field["filled"]}
    blocks = [block for key in sorted(asked - {"fact:try-first"}) for block in document["values"][key]]
    cells = [cell for block in blocks for row in block["rows"] for cell in row if re.search("[0-9]", cell["text"])]
    cell = draw.choice(cells)
    cell["text"] = other_digit(cell["text"], draw)
    file.write_text(json.dumps(document), "utf-8")


def change_paper(folder: Path, draw: random.Random) -> Path:
    """Change a digit in a locked field of a paper, and return the paper."""
    docx = draw.choice(sorted((folder / "papers").glob("*.docx")))

    def change(text: str) -> str:
        """Return the document with the other digit."""
        figure = draw.choice(list(FIGURE.finditer(text)))
        return text[: figure.start()] + other_digit(figure.group(), draw) + text[figure.end() :]

    edited(docx, change)
    return docx


def change_data(folder: Path, draw: random.Random) -> None:
    """Change a byte of the data file to another digit or letter."""
    (file,) = (folder / "release").glob("data.*")
    data = bytearray(file.read_bytes())
    place = draw.choice([place for place, byte in enumerate(data) if chr(byte).isalnum()])
    data[place] ^= 1
    file.write_bytes(data)


def change_log(folder: Path, draw: random.Random) -> None:
    """Change a letter or digit in a line of the log."""
    file = folder / "internal/decisions.jsonl"
    text = file.read_text("utf-8")
    place = draw.choice([found.start() for found in re.finditer(r'(?<=: ")[^"]|(?<=":")[^"]|[0-9](?=[,}])', text)])
    file.write_text(text[:place] + ("8" if text[place] != "8" else "9") + text[place + 1 :], "utf-8")


CHANGES: dict[str, Change] = {
    "report.json": change_report,
    "dossier.json": change_dossier,
    "DOCX": change_paper,
    "data": change_data,
    "log": change_log,
}


def write_manifest(folder: Path) -> None:
    """Write the manifest as it would be for the files of a folder."""
    file = folder / "internal/manifest.json"
    manifest = json.loads(file.read_text("utf-8"))
    manifest["files"] = {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in manifest["files"]}
    file.write_text(json.dumps(manifest), "utf-8")


def find_reports(folder: Path, papers: list[Path], source: Path | None) -> Iterator[str]:
    """Yield which of verifier and ``dossier --check`` reports something in a release."""
    for paper in papers:
        try:
            result = verifier.check(folder, source, paper)
            if any(line[-1] == verifier.DIFFERENT for line in result.lines):
                yield "verifier"
        except Exception:
            yield "verifier"
        try:
            if check_paper(folder, paper)[1]:
                yield "--check"
        except InputError:
            yield "--check"


def count_numbers(folder: Path, language: str) -> tuple[int, list[str]]:
    """Return how many numbers the forms print, and those that are none of report.json."""
    report, seen, wrong = json.loads((folder / "internal/report.json").read_text("utf-8")), 0, []
    dossier = Dossier(folder)
    for form in chosen_forms([]):
        fields = dossier.paper(form, internal=True).fields
        for cell in (cell for field in fields for block in field.blocks for row in block.rows for cell in row):
            if "/release/threshold_source" not in cell.paths:
                values = [leaf for path in cell.paths for leaf in leaves(at(report, path))]
                wrong += unexplained(cell.text, values, language)
                seen += len(re.findall("[0-9]+", cell.text))
    return seen, wrong


def count_changes_caught(folder: Path, copy: Path) -> Counter[tuple[str, bool]]:
    """Return how many changes of a release are caught and escape, by what is changed; ``copy`` is a folder to use."""
    outcomes: Counter[tuple[str, bool]] = Counter()
    for kind, number in ((kind, number) for kind in CHANGES for number in range(4)):
        shutil.copytree(folder, copy)
        changed = CHANGES[kind](copy, random.Random(f"{folder.parent.name} {kind} {number}"))
        write_manifest(copy)
        papers = [changed] if changed else sorted((copy / "papers").glob("*.docx"))
        is_caught = any(find_reports(copy, papers, None))
        outcomes[kind, is_caught] += 1
        if not is_caught:
            print(f"escaped: {folder.parent.name}, {kind}, {number}")
        shutil.rmtree(copy)
    return outcomes


def approve(folder: Path) -> None:
    """Write into the log of a release that it was approved."""
    file = folder / "internal" / FILE
    write_log(file, extend_log(read_log(file), [Entry("approved")], at="2026-11-30T08:00:00Z", who="A. Chair"))


def main() -> int:
    """Print all figures; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[48, 60, 90, 120])
    sizes = parser.parse_args().sizes
    outcomes: Counter[tuple[str, bool]] = Counter()
    honest, alarms, numbers, wrong = 0, 0, 0, list[str]()
    filled: dict[str, Counter[str]] = {"figures alone": Counter(), "record card and approval": Counter()}
    with tempfile.TemporaryDirectory() as place:
        for method, language, rows in ((m, each, n) for m in METHODS for each in LANGUAGES for n in sizes):
            folder = make_release(
                Path(place) / f"{method} {language} {rows}", method, language, rows, rows in sizes[1::2]
            )
            papers = [docx for docx, _paper in write_papers(folder, chosen_forms([]))]
            (source,) = folder.parent.glob("*.csv")
            honest, alarms = honest + 1, alarms + any(find_reports(folder, papers, source))
            seen, odd = count_numbers(folder, language)
            numbers, wrong = numbers + seen, wrong + odd
            if rows == sizes[:2][-1]:
                outcomes += count_changes_caught(folder, folder.parent / "copy")
            known = "record card and approval" if rows in sizes[1::2] else "figures alone"
            if known != "figures alone":
                approve(folder)
            for paper in (Dossier(folder).paper(form) for form in chosen_forms(FORMS)):
                filled[known] += {f"{paper.form.id} filled": paper.filled, f"{paper.form.id} asked": len(paper.fields)}
            print(f"{folder.parent.name}: done", flush=True)
    for kind in CHANGES:
        print(f"{kind}: {outcomes[kind, True]} of {outcomes[kind, True] + outcomes[kind, False]} changes caught")
    print(f"{alarms} false alarms on {honest} honest releases")
    print(f"{numbers} numbers of forms, {len(wrong)} of them in no value of report.json")
    for known, counts in filled.items():
        shares = {form: counts[f"{form} filled"] / (counts[f"{form} asked"] or 1) for form in FORMS}
        whole = sum(counts[f"{form} filled"] for form in FORMS) / (sum(counts[f"{form} asked"] for form in FORMS) or 1)
        print(
            f"filled by {known}: all {whole:.1%}, " + ", ".join(f"{form} {share:.0%}" for form, share in shares.items())
        )
    return 1 if alarms or wrong or any(not is_caught for _kind, is_caught in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main())
