"""Runs first in the bundle, which holds no TLS, for the two modules that do not load without ``ssl``.

stdnum names it at its head, for look-ups that nobody makes here; pyarrow asks where the system keeps its certificates,
for files on other computers, which are not packed. Only these two get a module of that name, which knows of no
certificates. All others find that there is none, as they do with a Python that was built without OpenSSL.
"""

import sys
import types
from importlib.abc import MetaPathFinder

_ASK = ("stdnum.util", "pyarrow._fs")


def _no_certificates():
    return types.SimpleNamespace(cafile=None, capath=None)


class _Empty(MetaPathFinder):
    """Puts an ``ssl`` without anything in place while one of these modules is loaded."""

    def find_spec(self, name, path=None, target=None):
        """Find the module as others do, and wrap how it is run."""
        if name not in _ASK:
            return None
        for finder in [each for each in sys.meta_path if each is not self]:
            spec = finder.find_spec(name, path, target)
            if spec is not None:
                spec.loader.exec_module = _with_empty(spec.loader.exec_module)
                return spec
        return None


def _with_empty(run):
    def exec_module(module):
        before = sys.modules.get("ssl")
        sys.modules["ssl"] = types.ModuleType("ssl")
        sys.modules["ssl"].get_default_verify_paths = _no_certificates
        try:
            run(module)
        finally:
            del sys.modules["ssl"]
            if before is not None:
                sys.modules["ssl"] = before

    return exec_module


sys.meta_path.insert(0, _Empty())
