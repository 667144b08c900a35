"""Environment variables that must not influence Qt: plug-in folders and style."""

from __future__ import annotations

import os

_VARIABLES = ("QT_PLUGIN_PATH", "QT_QPA_PLATFORM_PLUGIN_PATH", "QT_STYLE_OVERRIDE")


def ignore_plugin_variables() -> None:
    """Remove three variables of the environment by which Qt would load plug-ins and styles from elsewhere.

    Call it before the application is made.
    """
    for name in _VARIABLES:
        os.environ.pop(name, None)
