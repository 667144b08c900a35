"""Environment variables that must not influence Qt: plug-in folders and style."""

from __future__ import annotations

import os

_VARIABLES = ("QT_PLUGIN_PATH", "QT_QPA_PLATFORM_PLUGIN_PATH", "QT_STYLE_OVERRIDE")


def ignore_plugin_variables() -> None:
    """Remove variables that would make Qt load plug-ins from elsewhere; call it before the application is made."""
    for name in _VARIABLES:
        os.environ.pop(name, None)
