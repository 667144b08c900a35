"""What the files of ``resources/papers`` declare: a paper's tables and figures, their printed values, and the sweep.

A file is a recipe that the program itself can sweep, or names a measured function for what no sweep can be, or both.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, model_validator

from ppdm_desktop.engine.recipe.load import parse_recipe, read_sweep_section
from ppdm_desktop.engine.recipe.models import Recipe, SweepSection
from ppdm_desktop.engine.release.sweep.run import MEASURES

FOLDER = resources.files("ppdm_desktop.resources") / "papers"
PAPERS = (
    "Li & Sarkar 2004",
    "Aggarwal & Yu 2005",
    "Liu, Kantarcioglu & Thuraisingham 2008",
    "Vijayarani & Tamilarasi 2011",
    "Zhu, Li & Wu 2009",
)


class Part(BaseModel):
    """A part of a file; a key it does not know is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Item(Part):
    """One value of a table or figure, or one sentence about it as an inequality.

    Attributes
    ----------
    what
        What it is of; the measured function calls it so.
    printed, within
        As printed, and how far ours may be from it to count as reproduced.
    at_least, at_most
        Where a figure has no numbers: what the paper's sentence comes to.
    measure, at, less_at, error
        How a sweep has it: this figure's mean at this value, less that at another; taken from 1.
    """

    what: str
    printed: float | None = None
    within: float | None = None
    at_least: float | None = None
    at_most: float | None = None
    measure: Literal[tuple(each.id for each in MEASURES)] | None = None  # type: ignore[valid-type]
    at: float | str | bool | None = None
    less_at: float | str | bool | None = None
    error: bool = False

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if (self.printed is None) != (self.within is None):
            raise ValueError("a printed value needs its tolerance")
        if (self.measure is None) != (self.at is None):
            raise ValueError("a measure of the sweep needs the value at which it is read")
        return self

    @property
    def is_judged(self) -> bool:
        """Whether there is anything to reproduce; else the value is shown only."""
        return any(each is not None for each in (self.printed, self.at_least, self.at_most))

    def missed_by(self, ours: float) -> float:
        """Return how far ours is from the printed value, or short of the sentence."""
        found = [0.0]
        if self.printed is not None:
            found.append(abs(ours - self.printed))
        if self.at_least is not None:
            found.append(self.at_least - ours)
        if self.at_most is not None:
            found.append(ours - self.at_most)
        return max(found)

    def holds(self, ours: float) -> bool:
        """Say whether ours reproduces it."""
        return self.missed_by(ours) <= (self.within or 0.0) + 1e-12


class Shown(Part):
    """A table or figure of a paper.

    Attributes
    ----------
    id
        As the paper calls it.
    shows
        What it shows.
    why
        In one line why it cannot be matched, as far as that is known; of one without figures, why there is nothing to
        measure.
    more
        What else a reader has to know of how it was read, measured or judged.
    across, up
        What stands on the axes where it is drawn.
    lines
        Which curves are drawn; all when left out.
    """

    id: str
    shows: str
    why: str = ""
    more: str = ""
    across: str = ""
    up: str = ""
    lines: tuple[str, ...] = ()
    items: tuple[Item, ...] = ()


class Data(Part):
    """What it is made on: a public file, a bundled sample, or what the benchmark makes."""

    file: str | None = None
    sample: str | None = None
    made: str | None = None
    rows: int | None = None

    @model_validator(mode="after")
    def _one(self) -> Self:
        if sum(each is not None for each in (self.file, self.sample, self.made)) != 1:
            raise ValueError("data are a file, a sample or made")
        return self


class Paper(Part):
    """The table ``[paper]`` of a file.

    Attributes
    ----------
    source
        The paper.
    data
        What the sweep is made on.
    measured
        The function that measures what no sweep can.
    curves
        Which figures of the sweep are drawn, each with a band from the lowest to the highest key.
    shown
        The paper's tables and figures.
    """

    source: Literal[PAPERS]  # type: ignore[valid-type]
    data: Data | None = None
    measured: str | None = None
    curves: tuple[Literal[tuple(each.id for each in MEASURES)], ...] = ()  # type: ignore[valid-type]
    shown: tuple[Shown, ...]


@dataclass(frozen=True)
class Declared:
    """One file.

    Attributes
    ----------
    name
        Its stem.
    path
        The file.
    paper
        What it says of the paper.
    recipe, sweep
        What the program sweeps; None where no sweep can show it.
    """

    name: str
    path: Path
    paper: Paper
    recipe: Recipe | None
    sweep: SweepSection | None


def read(path: Path) -> Declared:
    """Read one file."""
    document = tomllib.loads(path.read_text(encoding="utf-8"))
    paper = Paper.model_validate(document["paper"])
    recipe = parse_recipe(document, file=str(path)) if "recipe" in document else None
    sweep = read_sweep_section(path)
    if (recipe is None) != (sweep is None) or (recipe is not None and paper.data is None):
        raise ValueError(f"{path.name}: a recipe needs data and what to try")
    if (recipe is None) != (not paper.curves):
        raise ValueError(f"{path.name}: of a sweep it has to be said which figures are drawn")
    return Declared(path.stem, path, paper, recipe, sweep)


def all_declared() -> Mapping[str, Declared]:
    """Return every file by its name, paper by paper."""
    with resources.as_file(FOLDER) as folder:
        found = [read(path) for path in sorted(folder.glob("*.toml"))]
    return {each.name: each for each in sorted(found, key=lambda each: PAPERS.index(each.paper.source))}
