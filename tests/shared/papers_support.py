"""Papers that came back changed."""

from __future__ import annotations

import zipfile
from pathlib import Path


def rewritten(path: Path, old: str, new: str) -> Path:
    """Return a copy of a DOCX file in which a piece of its text is another."""
    copy = path.with_name(f"copy-{path.name}")
    with zipfile.ZipFile(path) as before, zipfile.ZipFile(copy, "w") as after:
        for name in before.namelist():
            data = before.read(name)
            if name == "word/document.xml":
                assert old.encode() in data, old
                data = data.replace(old.encode(), new.encode(), 1)
            after.writestr(name, data)
    return copy
