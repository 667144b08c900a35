"""The program's settings and the user's habits, in one JSON file that contains no data."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.files.opening import SETTINGS, read_json
from ppdm_desktop.engine.files.saving import make_private_folder, save_whole

_MOST_PIXELS = 20_000


@dataclass(frozen=True)
class Settings:
    """Text size, appearance and habits.

    ``plugins`` names the plug-ins that are switched on from the next start on. ``size`` is the width and height of the
    window when it was closed, and ``record`` the last content of the release record's fields. ``forms`` names the
    documents chosen last for a release, and ``forms_folder`` the folder with the user's own forms.
    """

    scale: float = 1.0
    appearance: str = "system"
    language: str = "system"
    copy_original: bool = False
    plugins: tuple[str, ...] = ()
    size: tuple[int, ...] = ()
    record: Mapping[str, str] = field(default_factory=dict)
    forms: tuple[str, ...] = ()
    forms_folder: str = ""


def read_settings(folder: Path) -> Settings:
    """Return the settings saved in a folder; default settings if the file is missing or damaged.

    A single value of the wrong type is replaced by its default, unknown keys are dropped, and width and height of the
    window are limited to 0 to 20,000 pixels.
    """
    try:
        stored: Any = read_json(folder / "settings.json", SETTINGS)
    except (OSError, ValueError, InputError):
        return Settings()
    if not isinstance(stored, dict):
        return Settings()
    defaults = asdict(Settings())
    kept = {key: value for key, value in stored.items() if key in defaults and isinstance(value, type(defaults[key]))}
    for key in ("plugins", "forms"):
        if isinstance(names := stored.get(key), list):
            kept[key] = tuple(map(str, names))
    if isinstance(size := stored.get("size"), list) and len(size) == 2 and all(type(pixels) is int for pixels in size):
        kept["size"] = tuple(min(max(pixels, 0), _MOST_PIXELS) for pixels in size)
    kept["record"] = {key: text for key, text in kept.get("record", {}).items() if isinstance(text, str)}
    return replace(Settings(), **kept)


def write_settings(folder: Path, settings: Settings) -> None:
    """Save the settings in a folder, completely or not at all; the folder is created if needed."""
    make_private_folder(folder)
    save_whole(folder / "settings.json", json.dumps(asdict(settings), indent=2).encode("utf-8"))
