"""``compare`` from the command line: text, the four keys, exit codes, refusals in words, nothing written."""

from __future__ import annotations

from support import PEOPLE, Command, Job, accept_arguments

SHOWN = [line.split(",")[2:] for line in PEOPLE.splitlines()]


def write(job: Job, rows: list[list[str]], name: str = "shown.csv") -> None:
    """Write the released file."""
    (job.folder / name).write_text("\n".join(",".join(row) for row in rows) + "\n", encoding="utf-8")


def test_one_document_with_the_report_s_sections(job: Job, command: Command) -> None:
    write(job, SHOWN)
    before = job.listing()
    found = command("compare", job.source, job.folder / "shown.csv", "--recipe", job.recipe, "--json")
    assert found.code == 0, found.err
    assert list(found.document) == ["input", "verdict", "original", "risk", "utility"]
    assert found.document["risk"]["after"]["scope"] == found.document["risk"]["before"]["scope"]
    assert found.document["input"]["rows_read"] == 8
    assert {entry["id"] for entry in found.document["verdict"]["attacks"]} >= {"singling-out", "inference"}
    assert job.listing() == before


def test_the_same_figures_as_the_report(job: Job, command: Command) -> None:
    job.edit("[release]", "[release]\nshuffle_rows = false")
    draft = command("release", job.source, "--recipe", job.recipe, "--out", job.out, "--draft", "--seed", 3, "--json")
    accepts = accept_arguments(draft.document["verdict"]["decision"]["blocked_by"])
    made = command(
        "release", job.source, "--recipe", job.recipe, "--out", job.folder / "two", "--seed", 3, "--json", *accepts
    )
    assert made.code == 0, made.err
    released = job.folder / "two" / "release" / "data.csv"
    found = command("compare", job.source, released, "--recipe", job.recipe, "--json")
    assert found.code == 0, found.err
    report = made.document
    for part in ("input", "risk", "utility"):
        assert found.document[part] == report[part]
    ours = [entry for entry in report["verdict"]["attacks"] if entry["id"] != "seed-search"]
    assert found.document["verdict"]["attacks"] == ours
    assert "key" in found.err
