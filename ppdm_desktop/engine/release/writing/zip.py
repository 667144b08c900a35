"""A ZIP of the files for the recipient and of no other files."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.files.opening import RELEASED, read_file
from ppdm_desktop.engine.files.saving import save_whole
from ppdm_desktop.engine.release.storage.atomic_folder import RELEASE, to_input_error

_NEUTRAL = (2000, 1, 1, 0, 0, 0)
_MODE = 0o644 << 16


def pack_release(out: Path, target: Path) -> int:
    """Write a folder's ``release/`` part as a ZIP with neutral times and modes; return the size of the ZIP in bytes.

    Equal folders give equal files. ``internal/`` is never included. An existing ``target`` is replaced.

    Raises
    ------
    InputError
        When there is no ``release/`` or it cannot be read, or the target cannot be written; no part of the ZIP is left
        behind then.
    """
    folder = out / RELEASE
    try:
        if not folder.is_dir():
            raise InputError("error.verify.not-a-release", file=str(out))
        data = _zip_folder(folder)
        save_whole(target, data, private=False)
    except OSError as error:
        raise to_input_error(error, target) from error
    return len(data)


def _zip_folder(folder: Path) -> bytes:
    """Return the bytes of a ZIP of a folder's files, sorted by path and dated 1 January 2000; links are left out.

    Their paths inside the ZIP begin with ``release/``, whatever the folder is called.
    """
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        files = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
        for name, path in sorted((file.relative_to(folder).as_posix(), file) for file in files):
            entry = zipfile.ZipInfo(f"{RELEASE}/{name}", _NEUTRAL)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            entry.external_attr = _MODE
            archive.writestr(entry, read_file(path, RELEASED))
    return made.getvalue()
