"""PyInstaller hook: the modules that pyreadstat's compiled modules import, which PyInstaller cannot see."""

from PyInstaller import isolated


def loaded() -> list[str]:
    """Return the names of the modules that reading loads."""
    import sys

    import pyreadstat  # noqa: F401  only to see what that loads

    return sorted(name for name in sys.modules if name.partition(".")[0] in ("pyreadstat", "narwhals"))


hiddenimports = isolated.call(loaded)
