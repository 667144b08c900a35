"""Named colours for light and dark appearance (no Qt here; a test computes the contrast of every pair)."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

from ppdm_desktop.engine.report.scene.bands import AMOUNT, DENSITY, DIVERGING, RISK


@dataclass(frozen=True)
class Tokens:
    """The colours of one appearance, named by their use."""

    window: str
    surface: str
    sunken: str
    text: str
    text2: str
    text3: str
    control: str
    line: str
    accent: str
    on_accent: str
    link: str
    selection: str
    passed: str
    passed_tint: str
    amber: str
    amber_tint: str
    blocks: str
    blocks_tint: str
    original: str
    original_line: str
    plain_bar: str
    changed_tint: str
    risk: tuple[str, ...]
    amount: tuple[str, ...]
    density: tuple[str, ...]
    diverging: tuple[str, ...]
    kinds: tuple[str, ...]
    roles: dict[str, str] = field(hash=False)


LIGHT = Tokens(
    window="#F4F6F8",
    surface="#FFFFFF",
    sunken="#EBEFF3",
    text="#1A2027",
    text2="#4D5864",
    text3="#5F6B77",
    control="#7F8A96",
    line="#D8DEE5",
    accent="#12588C",
    on_accent="#FFFFFF",
    link="#0F5286",
    selection="#E3EEF7",
    passed="#1A7040",
    passed_tint="#E4F3EA",
    amber="#8A5300",
    amber_tint="#FCF1DC",
    blocks="#B3261E",
    blocks_tint="#FBE9E7",
    original="#C9D0D7",
    original_line="#7F8A96",
    plain_bar="#6F8CA3",
    changed_tint="#FDE9BE",
    risk=RISK,
    amount=AMOUNT,
    density=DENSITY,
    diverging=DIVERGING,
    kinds=("#12588C", "#CB5603", "#08A873", "#100059", "#6D2E10"),
    roles={
        "identifier": "#A62A52",
        "quasi-identifier": "#9A4A06",
        "confidential": "#6A479C",
        "other": "#4D5864",
        "privacy-level": "#0B6B66",
        "left-out": "#5F6B77",
    },
)

DARK = Tokens(
    window="#14181D",
    surface="#1C2229",
    sunken="#11151A",
    text="#E9EDF1",
    text2="#B4BEC8",
    text3="#98A3AE",
    control="#76828F",
    line="#323B45",
    accent="#6FB3E6",
    on_accent="#0B1A26",
    link="#86C1EE",
    selection="#1B3347",
    passed="#6CC792",
    passed_tint="#173326",
    amber="#E8B25A",
    amber_tint="#3A2C12",
    blocks="#F28B82",
    blocks_tint="#42201D",
    original="#4A545E",
    original_line="#76828F",
    plain_bar="#6A8AA6",
    changed_tint="#3A2412",
    risk=("#2E2A26", "#4C2C15", "#6B3413", "#A04E18", "#CF7526", "#EDA24B", "#F9CE86", "#FFF1CF"),
    amount=tuple(reversed(AMOUNT)),
    density=("#1F5A8F", "#2E6CA0", "#3F80B3", "#5C98C6", "#86B3D2", "#B4D0E4", "#E3EEF6"),
    diverging=("#9FCDF0", "#5297CA", "#2C5478", "#39434D", "#7A4720", "#CB7A31", "#F7BF7D"),
    kinds=("#6FB3E6", "#E0B23C", "#3FD9A0", "#E6F2FF", "#8D7BEA"),
    roles={
        "identifier": "#F08BB0",
        "quasi-identifier": "#F0A860",
        "confidential": "#BFA0EA",
        "other": "#B4BEC8",
        "privacy-level": "#5CC9C1",
        "left-out": "#98A3AE",
    },
)


def luminance(colour: str) -> float:
    """Return the relative luminance of ``#RRGGBB`` by WCAG 2: 0 for black to 1 for white."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first: str, second: str) -> float:
    """Return the contrast ratio of two colours by WCAG 2, from 1 (equal) to 21 (black and white), in any order."""
    high, low = sorted((luminance(first), luminance(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@lru_cache(maxsize=1024)  # asked for by every cell of a map that is drawn
def choose_text_colour(ground: str) -> str:
    """Return the text colour, dark (#1A2027) or white, with the higher contrast on a background ``#RRGGBB``."""
    return max(("#1A2027", "#FFFFFF"), key=lambda colour: contrast(colour, ground))
