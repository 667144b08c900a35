"""What the program remembers: looks, habits and who releases, never data, in one JSON file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.files.opening import SETTINGS, read_json
from ppdm_desktop.engine.files.saving import private_folder, save_whole

_MOST_PIXELS = 20_000


@dataclass(frozen=True)
class Settings:
    """Scale, appearance and habits.

    ``plugins`` names the distributions of others that are switched on from the next start on. ``size`` is the width
    and height of the window when it was closed, and ``record`` what the release record was last filled with.
    """

    scale: float = 1.0
    appearance: str = "system"
    language: str = "system"
    copy_original: bool = False
    plugins: tuple[str, ...] = ()
    size: tuple[int, ...] = ()
    record: Mapping[str, str] = field(default_factory=dict)


def read_settings(folder: Path) -> Settings:
    """Return the settings, defaults where the file is absent or damaged."""
    try:
        stored: Any = read_json(folder / "settings.json", SETTINGS)
    except (OSError, ValueError, InputError):
        return Settings()
    if not isinstance(stored, dict):
        return Settings()
    defaults = asdict(Settings())
    kept = {key: value for key, value in stored.items() if key in defaults and isinstance(value, type(defaults[key]))}
    if isinstance(plugins := stored.get("plugins"), list):
        kept["plugins"] = tuple(map(str, plugins))
    if isinstance(size := stored.get("size"), list) and len(size) == 2 and all(type(pixels) is int for pixels in size):
        kept["size"] = tuple(min(max(pixels, 0), _MOST_PIXELS) for pixels in size)
    kept["record"] = {key: text for key, text in kept.get("record", {}).items() if isinstance(text, str)}
    return replace(Settings(), **kept)


def write_settings(folder: Path, settings: Settings) -> None:
    """Save the settings whole or not at all."""
    private_folder(folder)
    save_whole(folder / "settings.json", json.dumps(asdict(settings), indent=2).encode("utf-8"))
