"""The folder of the program's own files on this computer, found without Qt."""

from __future__ import annotations

import os
import sys
from pathlib import Path

APPLICATION = "PPDM Desktop"


def config_folder() -> Path:
    """Return the folder of the settings and of the ledger (Qt's ``AppConfigLocation``); it need not exist.

    The ledger is the file that lists the releases. On Linux the folder is ``~/.config/PPDM Desktop``, or ``PPDM
    Desktop`` in ``XDG_CONFIG_HOME`` if that is an absolute path.
    """
    if sys.platform == "win32":
        named = os.environ.get("LOCALAPPDATA", "")
        # Home is asked for only where it is needed: an account of a service may have none.
        base = Path(named) if named else Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Preferences"
    else:
        named = os.environ.get("XDG_CONFIG_HOME", "")
        base = Path(named) if named.startswith("/") else Path.home() / ".config"
    return base / APPLICATION


def ledger_file() -> Path:
    """Return the path of the ledger, the file that lists the releases made on this computer; it need not exist."""
    # Only here: the language is looked for in the folder before anything of the engine's work is loaded.
    from ppdm_desktop.engine.release.storage.ledger import FILE

    return config_folder() / FILE
