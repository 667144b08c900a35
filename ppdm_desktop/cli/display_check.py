"""Check without Qt whether a window can be opened on this computer, and what is missing.

``python -m ppdm_desktop.cli.display_check`` prints the same as one JSON document for the set-up script.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.values import Term

# Debian's package of each system library that Qt's wheels leave to the system.
PACKAGES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libX11.so.6": "libx11-6",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
    "libwayland-egl.so.1": "libwayland-egl1",
    "libxcb.so.1": "libxcb1",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render.so.0": "libxcb-render0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-util.so.1": "libxcb-util1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libz.so.1": "zlib1g",
    "libzstd.so.1": "libzstd1",
}
_BASIC = ("QtGui.abi3.so", "QtWidgets.abi3.so", "QtSvg.abi3.so", "Qt/plugins/platforms/libqoffscreen.so")
_MISSING = re.compile(r"^\s*(\S+) => not found", re.MULTILINE)


def qt_folder() -> Path | None:
    """Return the folder of Qt in the bundle or in the installed package PySide6; None if there is none."""
    bundle = getattr(sys, "_MEIPASS", None)
    if bundle is not None:
        return Path(bundle) / "PySide6"
    module_spec = importlib.util.find_spec("PySide6")
    places = module_spec.submodule_search_locations if module_spec is not None else None
    return Path(next(iter(places))) if places else None


def choose_qt_platform(environment: Mapping[str, str], system: str = sys.platform) -> str | None:
    """Return the name of the Qt platform for this screen; None if there is no screen.

    It is the value of ``QT_QPA_PLATFORM``, up to a colon, if that is set. Else it is ``wayland`` or ``xcb`` on Linux,
    and on other systems ``system`` itself, such as ``win32``.
    """
    chosen = environment.get("QT_QPA_PLATFORM", "").partition(":")[0]
    if chosen:
        return chosen
    if system != "linux":
        return system
    if environment.get("WAYLAND_DISPLAY"):
        return "wayland"
    return "xcb" if environment.get("DISPLAY") else None


def missing_libraries(files: list[Path]) -> list[str]:
    """Return the system libraries, sorted by name, that these files need and that are not installed.

    Libraries of Qt itself do not count, and files that do not exist are ignored. Empty if the program ``ldd`` is
    missing.
    """
    ldd = shutil.which("ldd")
    if ldd is None:
        return []
    missing: set[str] = set()
    for file in files:
        if file.exists():
            process = subprocess.run([ldd, str(file)], capture_output=True, text=True, check=False, timeout=60)
            missing.update(_MISSING.findall(process.stdout))
    # Qt's own libraries lie beside each other; ldd does not always see that.
    return sorted(name for name in missing if not name.startswith(("libQt6", "libpyside6", "libshiboken6")))


def report_missing_libraries() -> dict[str, Any]:
    """Return whether a window can be opened, and which system libraries are missing, as a JSON document.

    Its keys are ``qt`` (whether Qt is installed), ``platform`` (its name for this screen), the missing libraries
    ``basic`` (for any window) and ``screen`` (for this screen), and the ``packages`` that contain them. Libraries are
    looked for only on Linux.
    """
    where = choose_qt_platform(os.environ)
    folder = qt_folder()
    result: dict[str, Any] = {"qt": folder is not None, "platform": where, "basic": [], "screen": [], "packages": []}
    if folder is None or sys.platform != "linux":
        return result
    basic = missing_libraries([folder / name for name in _BASIC])
    plugin = [folder / "Qt/plugins/platforms" / f"libq{where}.so"] if where else []
    screen = [name for name in missing_libraries(plugin) if name not in basic]
    packages = {PACKAGES.get(name, name) for name in (*basic, *screen)}
    return {**result, "basic": basic, "screen": screen, "packages": sorted(packages)}


def explain_missing_window() -> str | None:
    """Return in words why no window can be opened here; None if one can.

    The reason is that Qt is not installed, that there is no screen, or that system libraries are missing; the last
    comes with the command that installs them.
    """
    result = report_missing_libraries()
    if not result["qt"]:
        return _("The window needs the package PySide6-Essentials, which is not installed.")
    if result["platform"] is None:
        return _("There is no screen here to open a window on.")
    missing = [*result["basic"], *result["screen"]]
    if missing:
        libraries = _("The window needs missing system libraries: {libraries}.", libraries=Term(", ".join(missing)))
        install = Term(" ".join(["apt-get install", *result["packages"]]))
        return f"{libraries}\n{_('On Debian and Ubuntu: {command}', command=install)}"
    return None


if __name__ == "__main__":
    sys.stdout.write(json.dumps(report_missing_libraries()) + "\n")
