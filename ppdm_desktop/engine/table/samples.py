"""The samples that come with the program: a small file and the recipe that releases it."""

from __future__ import annotations

from importlib import resources

from ppdm_desktop.engine.errors import InputError

SAMPLE_NAMES = ("life-insurance",)


def sample_files(name: str) -> tuple[bytes, str]:
    """Return a sample's CSV bytes and its recipe's text.

    Raises
    ------
    InputError
        When there is no such sample.
    """
    if name not in SAMPLE_NAMES:
        raise InputError("error.sample.unknown", args={"name": name, "known": ", ".join(SAMPLE_NAMES)})
    folder = resources.files("ppdm_desktop.resources") / "samples"
    data = (folder / f"{name}.csv").read_bytes()
    return data, (folder / f"{name}.recipe.toml").read_text(encoding="utf-8")
