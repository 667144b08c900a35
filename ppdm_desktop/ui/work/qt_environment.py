"""What the environment must not tell Qt: where its plug-ins lie, and how widgets look."""

from __future__ import annotations

import os

_VARIABLES = ("QT_PLUGIN_PATH", "QT_QPA_PLATFORM_PLUGIN_PATH", "QT_STYLE_OVERRIDE")


def ignore_plugin_variables() -> None:
    """Forget variables by which a plug-in from elsewhere would be loaded; before Qt's application is made."""
    for name in _VARIABLES:
        os.environ.pop(name, None)
