"""What the program remembers: looks and habits, never data, in one JSON file."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Settings:
    """Scale, appearance and habits; ``recent`` keeps paths of project files only, and is off at first."""

    scale: float = 1.0
    appearance: str = "system"
    language: str = "system"
    copy_original: bool = False
    recent_on: bool = False
    recent: tuple[str, ...] = ()


def read_settings(folder: Path) -> Settings:
    """Return the settings, defaults where the file is absent or damaged."""
    try:
        found: Any = json.loads((folder / "settings.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return Settings()
    if not isinstance(found, dict):
        return Settings()
    known = asdict(Settings())
    kept = {key: value for key, value in found.items() if key in known and isinstance(value, type(known[key]))}
    if isinstance(found.get("recent"), list):
        kept["recent"] = tuple(str(each) for each in found["recent"])
    return replace(Settings(), **kept)


def write_settings(folder: Path, settings: Settings) -> None:
    """Save the settings whole or not at all."""
    folder.mkdir(parents=True, exist_ok=True)
    temporary = folder / "settings.json.new"
    temporary.write_text(json.dumps(asdict(settings), indent=2), encoding="utf-8")
    os.replace(temporary, folder / "settings.json")
