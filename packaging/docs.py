"""Gather the documentation and build it as a site that loads nothing from anywhere.

    python3 packaging/dev.py docs            build/site, strictly: a warning is a failure
    python3 packaging/dev.py docs --gather   only the pages, in build/docs

Guide and reference are made from what the program's help says and what methods, attacks, checks and formats declare;
what is written stands in ``docs``. No page of them is written by hand, so that none can be forgotten.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGES, SETTINGS = ROOT / "build" / "docs", ROOT / "build" / "mkdocs.yml"
STEPS = ("welcome", "open", "columns", "levels", "risk", "protect", "compare", "release")
CHAPTERS = ("officer", "command-line", "delivery")
KINDS = {"method": "Methods", "attack": "Attacks", "check": "Checks"}
API = "ppdm_desktop.api"
# Pages that lie at the top of the project, and what their links are called on the site.
_TOP = {"SECURITY.md": "security.md", "CHANGELOG.md": "changelog.md"}
_LINKS = {
    "../SECURITY.md": "security.md",
    "docs/threat-model.md": "threat-model.md",
    "docs/failures-and-delivery.md": "failures-and-delivery.md",
    "README.md": "index.md",
    "CONTRIBUTING.md": "index.md",
    "../CONTRIBUTING.md": "index.md",
    "../README.md": "index.md",
}


def topic_page(id: str) -> str:
    """Return a topic of the help as a Markdown page."""
    from ppdm_desktop.ui.state.help_topics import find_topic, part_titles

    topic = find_topic(id)
    parts = [f"# {topic.title}"]
    for name, heading in part_titles().items():
        if topic.parts.get(name):
            parts += [f"## {heading}", spaced(topic.parts[name])]
    return "\n\n".join(parts) + "\n"


def spaced(text: str) -> str:
    """Return Markdown with an empty line before each list and heading, as most other readers need it."""
    lines: list[str] = []
    for line in text.splitlines():
        begins = line.startswith("- ") and not (lines and lines[-1].startswith("- "))
        if lines and lines[-1] and (begins or line.startswith("#") or lines[-1].startswith("#")):
            lines.append("")
        lines.append(line)
    return "\n".join(lines)


def formats_page() -> str:
    """Return the page of file formats as Markdown."""
    from ppdm_desktop.engine.table.reading.registry import all_readers
    from ppdm_desktop.engine.table.writing.registry import all_writers

    lines = ["# File formats", "", "## Read", "", "| id | format | endings | options of [input] it obeys | extra |"]
    lines.append("| --- | --- | --- | --- | --- |")
    for reader in all_readers().values():
        cells = (reader.title, ", ".join(reader.suffixes), ", ".join(sorted(reader.honours)), reader.extra or "")
        lines.append(f"| `{reader.id}` | {' | '.join(cells)} |")
    lines += ["", "## Written", "", "| id | format | ending | may be handed over |", "| --- | --- | --- | --- |"]
    for writer in all_writers().values():
        lines.append(f"| `{writer.id}` | {writer.title} | {writer.suffix} | {'yes' if writer.release else 'no'} |")
    return "\n".join(lines) + "\n"


def ids_of(kind: str) -> list[str]:
    """Return the ids of a kind of declaration, in the order of lists."""
    from ppdm_desktop.engine.methods.base.declaration import all_methods
    from ppdm_desktop.engine.release.attack_audit.base import all_attacks
    from ppdm_desktop.engine.release.gate.base import all_checks

    return list({"method": all_methods, "attack": all_attacks, "check": all_checks}[kind]())


def linked(text: str) -> str:
    """Return a page with links that work on the site."""
    for there, here in _LINKS.items():
        text = text.replace(f"]({there})", f"]({here})")
    return text


def pages() -> dict[str, str]:
    """Return every page as Markdown by its path on the site."""
    found = {f"guide/{step}.md": topic_page(f"page.{step}") for step in STEPS}
    found |= {f"guide/{chapter}.md": topic_page(f"guide.{chapter}") for chapter in CHAPTERS}
    for kind in KINDS:
        found |= {f"reference/{kind}s/{id}.md": topic_page(f"{kind}.{id}") for id in ids_of(kind)}
    found["reference/formats.md"] = formats_page()
    if importlib.util.find_spec(API) is not None:
        found["reference/library.md"] = f"# Functions of the library\n\n::: {API}\n"
    for path in sorted((ROOT / "docs").rglob("*.md")):
        found[path.relative_to(ROOT / "docs").as_posix()] = linked(path.read_text("utf-8"))
    return found | {name: linked((ROOT / top).read_text("utf-8")) for top, name in _TOP.items()}


def drawings() -> dict[str, bytes]:
    """Return the pictures of the pages by their path on the site."""
    docs = ROOT / "docs"
    return {path.relative_to(docs).as_posix(): path.read_bytes() for path in sorted(docs.rglob("*.svg"))}


def title_of(page: str) -> str:
    """Return a page's heading."""
    return page.partition("\n")[0].removeprefix("# ").strip()


def navigation(found: Mapping[str, str]) -> list[object]:
    """Return the navigation for mkdocs."""

    def entries(places: Iterable[str]) -> list[object]:
        """Return the navigation entries of some pages."""
        return [{title_of(found[place]): place} for place in places]

    nav: list[object] = [{"PPDM Desktop": "index.md"}]
    nav.append({"Guide": entries(f"guide/{name}.md" for name in (*STEPS, *CHAPTERS))})
    reference: list[object] = [
        {heading: entries(f"reference/{kind}s/{id}.md" for id in ids_of(kind))} for kind, heading in KINDS.items()
    ]
    reference += [{"File formats": "reference/formats.md"}]
    reference += entries(place for place in ("reference/library.md",) if place in found)
    nav.append({"Reference": reference})
    nav += entries(
        (
            "library.md",
            "extending.md",
            "window.md",
            "papers.md",
            "papers-values.md",
            "swaps.md",
            "speed.md",
            "measuring.md",
        )
    )
    nav += [{"Threat model": "threat-model.md"}, {"Failures and delivery": "failures-and-delivery.md"}]
    nav.append({"Decisions": entries(sorted(place for place in found if place.startswith("decisions/")))})
    return [*nav, *entries(_TOP.values())]


def gather(folder: Path = PAGES) -> dict[str, str]:
    """Write every page into a new folder; return the pages by path."""
    found = pages()
    shutil.rmtree(folder, ignore_errors=True)
    for place, data in {**drawings(), **{place: text.encode() for place, text in found.items()}}.items():
        path = folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Gather the pages and build the site; return the exit code."""
    parser = argparse.ArgumentParser(prog="dev.py docs", description="Build the documentation as a site.")
    parser.add_argument("--gather", action="store_true", help="only gather the pages")
    given = parser.parse_args(arguments)
    found = gather()
    print(f"{len(found)} pages in {PAGES.relative_to(ROOT)}")
    if given.gather:
        return 0
    settings = {"INHERIT": "../mkdocs.yml", "docs_dir": "docs", "site_dir": "site", "nav": navigation(found)}
    # What is JSON is YAML as well.
    SETTINGS.write_text(json.dumps(settings, ensure_ascii=False, indent=1), "utf-8")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--config-file", str(SETTINGS)]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
