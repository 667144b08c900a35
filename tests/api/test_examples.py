"""The examples in the library's docstrings run and print what they say."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

from ppdm_desktop import api
from ppdm_desktop.engine.samples import find_sample

REASONS = {
    "reading-and-roles": "each customer bought exactly one contract with this company",
    "who-is-found": "the article prints all sixteen rows where anybody can read them",
    "what-is-learnt": "no statistic about so few can separate risk from coincidence",
    "keys-and-draws": "readers should get the same numbers when they repeat this",
}
FOUND = [each for each in doctest.DocTestFinder().find(api) if each.examples]


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sixteen customers of the sample, with short names of columns."""
    path = tmp_path_factory.mktemp("examples") / "people.csv"
    sample = find_sample("life-insurance")
    path.write_bytes(sample.make(sample.settled({})))
    return path


@pytest.fixture(scope="module")
def known(people: Path) -> dict[str, object]:
    """What the examples know besides the library."""
    recipe = api.suggest(people).recipe(type="research")
    candidate = api.protect(people, recipe.with_step("random-swap", proportion=0.3), seed=1)
    evaluation = api.judge(candidate)
    return {
        "people": str(people),
        "recipe": recipe,
        "candidate": candidate,
        "evaluation": evaluation,
        "reasons": REASONS,
    }


@pytest.mark.thorough
@pytest.mark.parametrize("example", FOUND, ids=lambda each: each.name)
def test_an_example_prints_what_it_says(example: doctest.DocTest, known: dict[str, object], tmp_path: Path) -> None:
    example.globs |= {**known, "folder": tmp_path / "out"}
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    said: list[str] = []
    assert runner.run(example, out=said.append).failed == 0, "".join(said)


def test_every_function_has_an_example() -> None:
    with_example = {each.name.removeprefix("ppdm_desktop.api.") for each in FOUND}
    functions = {name for name in api.__all__ if callable(getattr(api, name)) and name.islower()}
    assert functions <= with_example, functions - with_example
