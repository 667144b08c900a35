"""Run first in the bundle: two libraries that import ``ssl`` get an empty module of that name, since TLS is not packed.

stdnum names it at its head, for look-ups that nobody makes here; pyarrow asks where the system keeps its certificates,
for files on other computers, which are not packed. All others find that there is none, as they do with a Python that
was built without OpenSSL.
"""

import sys
import types
from importlib.abc import MetaPathFinder

_ASK = ("stdnum.util", "pyarrow._fs")


def _no_certificates():
    """Return the certificate paths of a system without certificates."""
    return types.SimpleNamespace(cafile=None, capath=None)


class _Empty(MetaPathFinder):
    """Provides an empty ``ssl`` module while one of the two libraries is loaded."""

    def find_spec(self, name, path=None, target=None):
        """Return the module's usual specification, with its loading wrapped."""
        if name not in _ASK:
            return None
        for finder in [each for each in sys.meta_path if each is not self]:
            spec = finder.find_spec(name, path, target)
            if spec is not None:
                spec.loader.exec_module = _with_empty(spec.loader.exec_module)
                return spec
        return None


def _with_empty(run):
    """Return a function that loads a module while an empty ``ssl`` is in place."""

    def exec_module(module):
        """Load a module while an empty ``ssl`` is in place."""
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
