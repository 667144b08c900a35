"""Papers of small releases, and papers that came back changed."""

from __future__ import annotations

import hashlib
import json
import shutil
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from findings import CREATED, make_release

from ppdm_desktop.engine.dossier.dossier import DOSSIER, build_dossier
from ppdm_desktop.engine.release.evaluate.evaluate import evaluate
from ppdm_desktop.engine.report.model import Report
from ppdm_desktop.engine.wording.catalogue import speak_language

ANSWERS = {"eu": {"means": "Lists of voters, a day of work"}, "agreement": {"deleted": "the last day of the study"}}


@cache
def report_of(name: str) -> Report:
    """Return the report on one of the small releases."""
    return evaluate(make_release(name, Path(mkdtemp())), created=CREATED).report


@cache
def folder_of(name: str, language: str = "en") -> Path:
    """Return a release folder with nothing in it but report.json and dossier.json."""
    folder = Path(mkdtemp())
    (folder / "internal").mkdir()
    (folder / "internal" / "report.json").write_bytes(report_of(name).to_json())
    with speak_language(language):
        (folder / "internal" / DOSSIER).write_bytes(build_dossier(report_of(name), ANSWERS))
    return folder


def at(document: Any, path: str) -> Any:
    """Return what stands at a path of report.json."""
    for key in path.split("/")[1:]:
        document = document[int(key)] if isinstance(document, list) else document[key]
    return document


def restate_report(folder: Path) -> None:
    """Write into dossier.json that it was made of report.json as that is now."""
    file = folder / "internal" / DOSSIER
    document = json.loads(file.read_text("utf-8"))
    document["report_sha256"] = hashlib.sha256((folder / "internal" / "report.json").read_bytes()).hexdigest()
    file.write_text(json.dumps(document), "utf-8")


def edited(path: Path, change: Callable[[str], str]) -> None:
    """Change the text of a DOCX file's document."""
    with zipfile.ZipFile(path) as package:
        parts = {name: package.read(name) for name in package.namelist()}
    before = parts["word/document.xml"].decode("utf-8")
    after = change(before)
    assert after != before, path
    parts["word/document.xml"] = after.encode("utf-8")
    with zipfile.ZipFile(path, "w") as package:
        for name, data in parts.items():
            package.writestr(name, data)


def rewritten(path: Path, old: str, new: str) -> Path:
    """Return a copy of a DOCX file in which a piece of its text is another."""
    copy = Path(shutil.copy(path, path.with_name(f"copy-{path.name}")))
    edited(copy, lambda text: text.replace(old, new, 1))
    return copy
