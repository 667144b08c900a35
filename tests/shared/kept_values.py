"""What holds of the dataclasses of a package: they stay as they are, and arrays are not compared by mistake."""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil
from types import ModuleType

ARRAYS = ("Floats", "Ints", "Bools", "Codes", "NDArray")


def dataclasses_of(package: ModuleType) -> list[type]:
    """Return the dataclasses that the modules right in a package declare."""
    found = []
    for each in pkgutil.iter_modules(package.__path__):
        module = importlib.import_module(f"{package.__name__}.{each.name}")
        kinds = (
            kind for kind in vars(module).values() if isinstance(kind, type) and kind.__module__ == module.__name__
        )
        found += [kind for kind in kinds if dataclasses.is_dataclass(kind)]
    return found


def can_be_set(kind: type) -> bool:
    """Say whether a field of an object of a dataclass can be set after it was made."""
    made: object = object.__new__(kind)
    try:
        setattr(made, dataclasses.fields(kind)[0].name, 0)
    except dataclasses.FrozenInstanceError:
        return False
    return True


def holds_arrays(kind: type) -> bool:
    """Say whether a dataclass compares a field that is an array, of which Python cannot say whether two are equal."""
    return any(name in str(field.type) for field in dataclasses.fields(kind) if field.compare for name in ARRAYS)


def faults_of(package: ModuleType) -> list[str]:
    """Name the dataclasses that can be changed, and those that would compare arrays by ``==``."""
    kinds = dataclasses_of(package)
    assert kinds, "nothing was looked at"
    changed = [f"{kind.__name__} can be changed" for kind in kinds if can_be_set(kind)]
    return changed + [
        f"{kind.__name__} compares arrays" for kind in kinds if holds_arrays(kind) and "__eq__" in vars(kind)
    ]
