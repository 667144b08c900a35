"""The base class of samples: everything the program needs to know about a sample is declared in its class.

The command line, the window's cards, the self-test and the tests are made from these classes; there is no second
list.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from importlib import resources
from pathlib import Path
from typing import Any, ClassVar

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.methods.base.parameters import Parameter
from ppdm_desktop.engine.registry import Registry
from ppdm_desktop.engine.wording.catalogue import Sentence
from ppdm_desktop.engine.wording.values import Name, Value

ROWS = "rows"

Options = Mapping[str, Any]
"""Values by the name of an option; the sample's default holds for None and for missing names."""


class Sample(ABC):
    """An invented table and the recipe that releases it; each sample is a subclass in its own module."""

    id: ClassVar[str]
    title: ClassVar[Sentence]
    """Title in the window; ``{n}`` stands for the default number of rows."""
    order: ClassVar[int]
    """Position in lists; the program proposes the first."""
    default_rows: ClassVar[int]
    """Number of rows unless the option asks for another."""
    options: ClassVar[tuple[Parameter, ...]] = ()
    reasons: ClassVar[Mapping[str, Sentence]] = {}
    """Reasons that the tour writes for amber checks of this sample, by cause."""

    @abstractmethod
    def make(self, options: Options) -> bytes:
        """Return the bytes of the CSV file: UTF-8, with commas and line feeds; the same options give the same bytes.

        Raises
        ------
        InputError
            For an option that this sample does not have, or a value that does not fit.
        """

    def pieces(self, options: Options) -> Iterator[bytes]:
        """Yield the bytes of the CSV file in pieces, so that a large one need not fit into memory."""
        yield self.make(options)

    def recipe(self) -> str:
        """Return the text of the recipe that releases the sample."""
        return find_sample_file(f"{self.id}.recipe.toml").read_text(encoding="utf-8")

    def file(self) -> Path | None:
        """Return the path of the bundled CSV file; None for a sample that is generated on demand."""
        return None

    def settled(self, options: Options) -> dict[str, Any]:
        """Return a value for every option of the sample, the default where none is given or the value is None.

        Raises
        ------
        InputError
            For an option that this sample does not have, or a value that does not fit.
        """
        chosen = {name: value for name, value in options.items() if value is not None}
        option_of = {parameter.name: parameter for parameter in self.options}
        for name, value in chosen.items():
            names: dict[str, Value] = {"name": Name(self.id), "option": Name(name)}
            if name not in option_of:
                raise InputError("error.sample.no-option", args=names)
            if (problem := option_of[name].problem(value)) is not None:
                raise InputError("error.sample.option", args={**names, "problem": problem})
        return {name: chosen.get(name, parameter.default) for name, parameter in option_of.items()}


SAMPLES: Registry[Sample] = Registry("ppdm_desktop.engine.samples")
register = SAMPLES.register


def find_sample_file(name: str) -> Path:
    """Return the path of a file in the samples' folder of the program's resources; it is not checked that it exists."""
    return Path(str(resources.files("ppdm_desktop.resources") / "samples" / name))
