"""Remove environment variables by which Qt would load plug-ins or styles from elsewhere."""

from __future__ import annotations

import os

_VARIABLES = ("QT_PLUGIN_PATH", "QT_QPA_PLATFORM_PLUGIN_PATH", "QT_STYLE_OVERRIDE")


def ignore_plugin_variables() -> None:
    """Remove three variables of the environment by which Qt would load plug-ins and styles from elsewhere.

    Must be called before the Qt application is created.
    """
    for name in _VARIABLES:
        os.environ.pop(name, None)
