"""``suggest`` from the command line: a document, and recipes that can be released."""

from __future__ import annotations

import json

from support import Command, Job

from ppdm_desktop.engine.methods.base.declaration import Family


def test_versions_as_a_document_and_as_recipes_that_are_never_overwritten(job: Job, command: Command) -> None:
    folder = job.source.parent / "versions"
    options = ("suggest", job.source, "--recipe", job.recipe, "--write", folder, "--seed", 1, "--json")
    found = command(*options)
    assert found.code == 0, found.err
    document = json.loads(found.out)
    versions = document["versions"]
    assert {version["family"] for version in versions} <= {family.id for family in Family}
    assert all(version["kept"].startswith("Kept: ") and version["verdict"]["checks"] for version in versions)
    written = sorted(path.name for path in folder.iterdir()) if versions else []
    assert len(written) == len(versions)
    assert versions or document["blocking"] or document["refusals"]
    again = command(*options)
    assert (again.code, "cannot be written" in again.err) == ((2, True) if versions else (0, False))
