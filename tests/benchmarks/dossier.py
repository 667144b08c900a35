"""What the papers of a release are worth: changes that are caught, numbers that stand in the report, fields filled.

    .venv/bin/python -m tests.benchmarks.dossier [--sizes 48 60 90 120]

Releases of a small table by five methods in two languages and four sizes are checked as they are; those of the second
size also with twenty changes each, of a figure in report.json, of dossier.json, of a paper, of the data file and of a
line of the log. Whoever changes something writes the manifest again. Exit status 1 where a change escapes, an honest
release is reported, or a number of a form is none of report.json.
"""

from __future__ import annotations

import argparse
import hashlib
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

from ppdm_desktop.engine.decision_log import Entry, extend_log
from ppdm_desktop.engine.dossier.dossier import Dossier
from ppdm_desktop.engine.dossier.papers import check_paper, chosen_forms, write_papers
from ppdm_desktop.engine.errors import GateBlocked, InputError
from ppdm_desktop.engine.release.writing.export import export
from ppdm_desktop.resources.verifier import check_release as verifier
from tests.engine.dossier.test_papers import leaves, unexplained
from tests.engine.release.test_verifier import METHODS, ROLES

TOWNS = ("Bonn", "Köln", "Ulm")
FIGURE = re.compile(r'(?<=preserve">)[^<]*\d[^<]*(?=</w:t></w:r></w:sdtContent>)')
OPERATOR = {"name": "A. Officer", "dataset": "Pay of 2026", "review_date": "2027-11-29"}
Change = Callable[[Path, random.Random], Path | None]


def make_release(folder: Path, method: str, language: str, rows: int) -> Path:
    """Return a release of a small table; reasons are given for all that holds it up."""
    form, step = METHODS[method]
    columns: dict[str, Any] = {
        "city": [TOWNS[row % 3] for row in range(rows)],
        "age": [str(20 + row % 7) for row in range(rows)],
        "pay": ["" if row == 7 else f"{1000 + row * 37 % 400}.5" for row in range(rows)],
        "=note": [("-a", "'=b", "NA")[row % 4 % 3] for row in range(rows)],
    }
    wanted = {"format": form, "note_language": language, "report_language": language}
    more: dict[str, Any] = {"input": {"one_row_per_person": True}, "steps": [step], "operator": OPERATOR}
    candidate = make_candidate(folder, columns, ROLES, "internal", release=wanted, **more)
    log = extend_log((), [Entry("opened"), Entry("prepared")], at="2026-11-29T08:00:00Z", who="A. Officer")
    try:
        return export(candidate, folder / "out", log=log).path
    except GateBlocked as blocked:
        held = (blocked.report or {})["verdict"]["decision"]["blocked_by"]
        return export(candidate, folder / "out", log=log, accepts=reasons_for(held)).path


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


def main() -> int:
    """Print all figures; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[48, 60, 90, 120])
    sizes = parser.parse_args().sizes
    caught: Counter[tuple[str, bool]] = Counter()
    honest, alarms, numbers, wrong = 0, 0, 0, list[str]()
    shares: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as place:
        for method, language, rows in ((m, each, n) for m in METHODS for each in ("en", "de") for n in sizes):
            home = Path(place) / f"{method}-{language}-{rows}"
            folder = make_release(home, method, language, rows)
            written = write_papers(folder, chosen_forms([]))
            for _docx, paper in written:
                shares.setdefault(paper.form.id, []).append(paper.filled / len(paper.fields))
            (source,) = home.glob("*.csv")
            honest += 1
            alarms += bool(list(find_reports(folder, [docx for docx, _paper in written], source)))
            seen, odd = count_numbers(folder, language)
            numbers, wrong = numbers + seen, wrong + odd
            for kind, change in CHANGES.items() if rows == sizes[min(1, len(sizes) - 1)] else ():
                for number in range(4):
                    copy = home / f"{kind}-{number}"
                    shutil.copytree(folder, copy)
                    paper_of = change(copy, random.Random(f"{method}{language}{kind}{number}"))
                    write_manifest(copy)
                    papers = [paper_of] if paper_of else sorted((copy / "papers").glob("*.docx"))
                    found = set(find_reports(copy, papers, None))
                    caught[kind, bool(found)] += 1
                    if not found:
                        print("escaped:", method, language, kind, number)
                    shutil.rmtree(copy)
            print(f"{method} {language} {rows} rows: done", flush=True)
    for kind in CHANGES:
        print(f"{kind}: {caught[kind, True]} of {caught[kind, True] + caught[kind, False]} changes caught")
    print(f"{alarms} false alarms on {honest} honest releases")
    print(f"{numbers} numbers of forms, {len(wrong)} of them in no value of report.json: {wrong[:9]}")
    for form, filled in shares.items():
        print(f"{form}: at least {min(filled):.0%} filled, at most {max(filled):.0%}")
    return 1 if alarms or wrong or any(not is_caught for _kind, is_caught in caught) else 0


if __name__ == "__main__":
    sys.exit(main())
