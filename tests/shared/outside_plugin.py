"""A distribution of somebody else, installed into a folder as pip would: files, METADATA, entry points and RECORD."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from pathlib import Path

NAME, VERSION, PUBLISHER = "Outside.Shuffle", "1.2", "Somebody Else"
MODULE = "outside_shuffle"
SOURCE = Path(__file__).parents[1] / "fixtures" / "plugin" / f"{MODULE}.py"
CARDS = SOURCE.with_name("outside_cards.py")
"""A reader in a module of its own, which only some tests install as well."""
ENTRIES = {
    "ppdm_desktop.methods": {"shuffle": f"{MODULE}:Shuffle"},
    "ppdm_desktop.attacks": {"stay": f"{MODULE}:Stay"},
}
READS = {"ppdm_desktop.readers": {"cards": f"{CARDS.stem}:Cards"}}


def install(
    folder: Path,
    *,
    text: str | None = None,
    entries: Mapping[str, Mapping[str, str]] = ENTRIES,
    record: bool = True,
    left_out: tuple[str, ...] = (),
    reader: bool = False,
) -> Path:
    """Write the distribution, with its reader where that is asked for; return its module's file."""
    info = folder / f"{MODULE}-{VERSION}.dist-info"
    info.mkdir(parents=True)
    module = folder / f"{MODULE}.py"
    module.write_text(SOURCE.read_text("utf-8") if text is None else text, "utf-8")
    about = f"Metadata-Version: 2.1\nName: {NAME}\nVersion: {VERSION}\nAuthor: {PUBLISHER}\nSummary: Shuffles.\n"
    (info / "METADATA").write_text(about, "utf-8")
    more = []
    if reader:
        entries = {**entries, **READS}
        more.append(folder / CARDS.name)
        more[0].write_text(CARDS.read_text("utf-8"), "utf-8")
    lines = []
    for group, points in entries.items():
        lines += [f"[{group}]", *(f"{name} = {value}" for name, value in points.items())]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n", "utf-8")
    if record:
        files = [module, *more, info / "METADATA", info / "entry_points.txt"]
        rows = [_row(folder, path) for path in files if path.name not in left_out]
        (info / "RECORD").write_text("\n".join([*rows, f"{info.name}/RECORD,,"]) + "\n", "utf-8")
    return module


def _row(folder: Path, path: Path) -> str:
    data = path.read_bytes()
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{path.relative_to(folder).as_posix()},sha256={digest},{len(data)}"
