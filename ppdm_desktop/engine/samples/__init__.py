"""The samples: small or large invented tables, each with a recipe that releases it."""

from __future__ import annotations

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.samples.agrawal import AGRAWAL
from ppdm_desktop.engine.samples.employees import EMPLOYEES
from ppdm_desktop.engine.samples.life_insurance import LIFE_INSURANCE
from ppdm_desktop.engine.samples.salary_offers import SALARY_OFFERS
from ppdm_desktop.engine.samples.sample import BLOCK, DEFAULT_SEED, Sample, SampleColumn

SAMPLES = (LIFE_INSURANCE, EMPLOYEES, AGRAWAL, SALARY_OFFERS)
SAMPLE_NAMES = tuple(sample.name for sample in SAMPLES)

__all__ = ["BLOCK", "DEFAULT_SEED", "SAMPLES", "SAMPLE_NAMES", "Sample", "SampleColumn", "find_sample", "sample_files"]


def find_sample(name: str) -> Sample:
    """Return a sample by its name.

    Raises
    ------
    InputError
        When there is no such sample.
    """
    for sample in SAMPLES:
        if sample.name == name:
            return sample
    raise InputError("error.sample.unknown", args={"name": name, "known": ", ".join(SAMPLE_NAMES)})


def sample_files(
    name: str, *, rows: int | None = None, function: int | None = None, seed: int | None = None
) -> tuple[bytes, str]:
    """Return a sample's CSV bytes and its recipe's text.

    Parameters
    ----------
    name
        One of ``SAMPLE_NAMES``.
    rows, function, seed
        As ``Sample.columns``.

    Raises
    ------
    InputError
        When there is no such sample, or it does not come so.
    """
    sample = find_sample(name)
    return b"".join(sample.blocks(rows, function, seed)), sample.recipe()
