"""``sweep`` from the command line: rows as they come, a document, a folder that can be continued, refusals."""

from __future__ import annotations

import json

from support import Command, Job


def swept(command: Command, job: Job, *options: object) -> tuple[int, str, str]:
    found = command(
        "sweep",
        job.source,
        "--recipe",
        job.recipe,
        "--over",
        "proportion=0.3,0.6",
        "--repeats",
        2,
        "--no-attacks",
        *options,
    )
    return found.code, found.out, found.err


def with_share(job: Job) -> None:
    job.edit('method = "bayes-swap"', 'method = "random-swap"')


def test_a_folder_that_is_continued_under_its_own_key(job: Job, command: Command) -> None:
    with_share(job)
    folder = job.folder / "range"
    assert swept(command, job, "--out", folder)[0] == 0
    rows = (folder / "sweep.jsonl").read_text("utf-8").splitlines()
    assert len(rows) == 5
    (folder / "sweep.jsonl").write_text("\n".join(rows[:3]) + "\n", "utf-8")
    code, _, err = swept(command, job, "--out", folder)
    assert code != 0
    assert "--resume" in err
    code, out, err = swept(command, job, "--out", folder, "--resume", "--json")
    assert code == 0, err
    kept = (folder / "sweep.jsonl").read_text("utf-8").splitlines()
    assert kept[:3] == rows[:3]
    assert [{**json.loads(row), "seconds": 0} for row in kept] == [{**json.loads(row), "seconds": 0} for row in rows]
    assert len(json.loads(out)["rows"]) == 4


def test_a_recipe_may_say_what_to_try(job: Job, command: Command) -> None:
    with_share(job)
    plain = job.recipe.read_text("utf-8")
    job.recipe.write_text(plain + '[sweep]\nover = "proportion=0.3,0.6"\nrepeats = 2\nattacks = false\n', "utf-8")
    asked = json.loads(swept(command, job, "--json", "--seed", 1)[1])
    found = command("sweep", job.source, "--recipe", job.recipe, "--json", "--seed", 1)
    assert found.code == 0, found.err
    said = json.loads(found.out)
    for row in (*asked["rows"], *said["rows"]):
        del row["seconds"]
    assert said == asked
    # What is written on the command line comes before it.
    found = command("sweep", job.source, "--recipe", job.recipe, "--json", "--over", "proportion=0.5", "--repeats", 1)
    assert [(row["value"], row["repeat"]) for row in json.loads(found.out)["rows"]] == [(0.5, 1)]
    job.recipe.write_text(plain + '[sweep]\nover = "proportion=0.3"\nrepeat = 2\n', "utf-8")
    found = command("sweep", job.source, "--recipe", job.recipe)
    assert found.code == 2
    assert "sweep.repeat" in found.err
    assert "repeats" in found.err
