"""Finding samples by their ids."""

from __future__ import annotations

from typing import Any

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.methods.base.parameters import Parameter
from ppdm_desktop.engine.samples.base import SAMPLES, Sample
from ppdm_desktop.engine.wording.values import Name, Term


def all_samples() -> dict[str, Sample]:
    """Return all samples by id, sorted by their declared order."""
    return SAMPLES.all()


def find_sample(id: str) -> Sample:
    """Return the sample with this id.

    Raises
    ------
    InputError
        When there is no such sample.
    """
    samples = all_samples()
    if id not in samples:
        raise InputError("error.sample.unknown", args={"name": Name(id), "known": Term(", ".join(samples))})
    return samples[id]


def find_bundled_sample() -> Sample:
    """Return the first sample, in declared order, that comes with the program as a file."""
    return next(sample for sample in all_samples().values() if sample.file() is not None)


def sample_options() -> dict[str, tuple[Parameter, tuple[str, ...]]]:
    """Return the options of all samples by name: each option, with the ids of the samples that have it.

    If several samples declare the same name, the option of the first sample is returned. Options are sorted by the
    largest position that they have in any sample's list, so that the seed, which is last in all of them, comes last.
    """
    places: dict[str, int] = {}
    takers_of: dict[str, tuple[Parameter, tuple[str, ...]]] = {}
    for sample in all_samples().values():
        for position, option in enumerate(sample.options):
            places[option.name] = max(position, places.get(option.name, 0))
            first, takers = takers_of.get(option.name, (option, ()))
            takers_of[option.name] = (first, (*takers, sample.id))
    return {name: takers_of[name] for name in sorted(takers_of, key=lambda name: places[name])}


def sample_files(id: str, **options: Any) -> tuple[bytes, str]:
    """Return the bytes of a sample's CSV file and the text of its recipe, for the sample's id and options.

    Raises
    ------
    InputError
        When there is no such sample, or an option is unknown or does not fit.
    """
    sample = find_sample(id)
    return sample.make(options), sample.recipe()
