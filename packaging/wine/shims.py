"""What Wine lacks of Windows and NumPy or Qt ask for; only the rig sees it.

- Complex functions of C99: Wine's ``ucrtbase.dll`` has them by name alone. They are compiled from the compiler's own,
  and the DLL gets a new list of exports that sends the names there.
- ``icuuc.dll``, a part of Windows since 10 1809: empty functions of the names that Qt asks for. Without a converter Qt
  takes its own.
- ``python3.dll``: sends each name of the stable interface on to ``python311.dll``.
"""

from __future__ import annotations

import struct
from importlib import import_module
from pathlib import Path
from typing import Any

_ONE = ("cabs", "carg", "cimag", "creal")
_SAME = (
    *("catan", "ccos", "ccosh", "cexp", "clog", "csin", "csinh", "csqrt", "ctan", "ctanh"),
    *("cacos", "cacosh", "casin", "casinh", "catanh", "conj", "cproj", "clog10"),
)
_STUB = "crealf"
"""An export that surely is one: what begins with the same bytes is one, too."""
_HEAD = """#include <complex.h>
typedef struct { float r, i; } F;
typedef struct { double r, i; } D;
static D fd(double complex z) { D d = {__real__ z, __imag__ z}; return d; }
static F ff(float complex z) { F d = {__real__ z, __imag__ z}; return d; }
static double complex td(D a) { double complex z; __real__ z = a.r; __imag__ z = a.i; return z; }
static float complex tf(F a) { float complex z; __real__ z = a.r; __imag__ z = a.i; return z; }
static double complex own_clog10(double complex z) { return clog(z) / 2.302585092994045684; }
static float complex own_clog10f(float complex z) { return clogf(z) / 2.302585092994045684f; }
"""
_SECTION = 0x40000040  # initialised data, readable


def complex_source() -> tuple[str, str]:
    """Return the C source of the complex functions, and the ``.def`` file with their exported names.

    A long double is a double in Microsoft's world.
    """
    lines, names = [_HEAD], []
    for name in _ONE:
        lines.append(f"double w_{name}(D a) {{ return {name}(td(a)); }}")
        lines.append(f"double w_{name}l(D a) {{ return {name}(td(a)); }}")
        lines.append(f"float w_{name}f(F a) {{ return {name}f(tf(a)); }}")
        names += [name, f"{name}l", f"{name}f"]
    for name in _SAME:
        own = f"own_{name}" if name == "clog10" else name
        lines.append(f"D w_{name}(D a) {{ return fd({own}(td(a))); }}")
        lines.append(f"D w_{name}l(D a) {{ return fd({own}(td(a))); }}")
        lines.append(f"F w_{name}f(F a) {{ return ff({own}f(tf(a))); }}")
        names += [name, f"{name}l", f"{name}f"]
    lines.append("D w_cpow(D a, D b) { return fd(cpow(td(a), td(b))); }")
    lines.append("D w_cpowl(D a, D b) { return fd(cpow(td(a), td(b))); }")
    lines.append("F w_cpowf(F a, F b) { return ff(cpowf(tf(a), tf(b))); }")
    names += ["cpow", "cpowl", "cpowf"]
    exports = "".join(f"{name}=w_{name}\n" for name in names)
    return "\n".join(lines) + "\n", f"LIBRARY ppdmcomplex\nEXPORTS\n{exports}"


def forwarding_source(name: str, to: str, library: Any) -> str:
    """Return the ``.def`` file of a DLL that forwards every name to another library."""
    names = [each.name.decode() for each in library.DIRECTORY_ENTRY_EXPORT.symbols if each.name]
    return f"LIBRARY {name}\nEXPORTS\n" + "".join(f"{each}={to}.{each}\n" for each in names)


def icu_source(names: list[str]) -> str:
    """Return the C source of empty ICU functions; the one that opens a converter reports that there is none."""
    opening = "void *ucnv_open(const char *name, int *error) { if (error) *error = 4; return 0; }\n"
    others = [name for name in names if name != "ucnv_open"]
    return (opening if "ucnv_open" in names else "") + "".join(
        f"void *{each}(void) {{ return 0; }}\n" for each in others
    )


def imports_of(pe: Any, library: str) -> list[str]:
    """Return the names that a file imports from a library."""
    found = [each for each in pe.DIRECTORY_ENTRY_IMPORT if each.dll.decode().lower() == library]
    return sorted({name.name.decode() for each in found for name in each.imports if name.name})


def with_forwarded(pe: Any, data: bytes, library: str, names: set[str]) -> tuple[bytes, int]:
    """Return a DLL whose stub exports are forwarded to another library, and how many were forwarded.

    Parameters
    ----------
    pe
        The DLL, read by pefile with its exports.
    data
        Its bytes.
    library
        Where they are sent, without ending.
    names
        Those that the library has.
    """
    directory = pe.DIRECTORY_ENTRY_EXPORT
    listed = directory.struct
    named = sorted((each.name.decode(), each.ordinal - listed.Base) for each in directory.symbols if each.name)
    sent = {each.ordinal - listed.Base: each.forwarder for each in directory.symbols if each.forwarder}
    begin = {
        each.name.decode(): pe.get_data(each.address, 7)
        for each in directory.symbols
        if each.name and not each.forwarder
    }
    stubs = {name for name, code in begin.items() if code == begin[_STUB]} & names
    sent.update({place: f"{library}.{name}".encode() for name, place in named if name in stubs})

    count = listed.NumberOfFunctions
    places = list(struct.unpack(f"<{count}I", pe.get_data(listed.AddressOfFunctions, 4 * count)))
    page = pe.OPTIONAL_HEADER.SectionAlignment
    last = max(pe.sections, key=lambda each: each.VirtualAddress)
    start: int = -(-(last.VirtualAddress + last.Misc_VirtualSize) // page) * page
    head = 40 + 4 * count + 6 * len(named)
    texts = bytearray()

    def put(text: bytes) -> int:
        """Add a text to the export section; return its address."""
        at: int = start + head + len(texts)
        texts.extend(text + b"\0")
        return at

    own = put(b"ucrtbase.dll")
    for place, target in sent.items():
        places[place] = put(target)
    spelt = [put(name.encode()) for name, _ in named]
    at_names, at_numbers = start + 40 + 4 * count, start + 40 + 4 * count + 4 * len(named)
    table = struct.pack(
        "<IIHHIIIIIII", 0, 0, 0, 0, own, listed.Base, count, len(named), start + 40, at_names, at_numbers
    )
    table += struct.pack(f"<{count}I", *places) + struct.pack(f"<{len(named)}I", *spelt)
    table += struct.pack(f"<{len(named)}H", *(place for _, place in named))
    return _with_section(pe, data, table + bytes(texts), start), len(stubs)


def _with_section(pe: Any, data: bytes, body: bytes, start: int) -> bytes:
    """Return a DLL with one more section that holds its exports."""
    step, page = pe.OPTIONAL_HEADER.FileAlignment, pe.OPTIONAL_HEADER.SectionAlignment
    place = -(-len(data) // step) * step
    size = -(-len(body) // step) * step
    new = bytearray(data.ljust(place, b"\0") + body.ljust(size, b"\0"))
    header = pe.sections[-1].get_file_offset() + 40
    if header + 40 > pe.OPTIONAL_HEADER.SizeOfHeaders or any(data[header : header + 40]):
        raise ValueError("no room for one more section")
    new[header : header + 40] = struct.pack(
        "<8sIIIIIIHHI", b".ppdm", len(body), start, size, place, 0, 0, 0, 0, _SECTION
    )
    file, optional = pe.FILE_HEADER.get_file_offset(), pe.OPTIONAL_HEADER.get_file_offset()
    struct.pack_into("<H", new, file + 2, pe.FILE_HEADER.NumberOfSections + 1)
    struct.pack_into("<I", new, optional + 56, -(-(start + len(body)) // page) * page)
    struct.pack_into("<II", new, pe.OPTIONAL_HEADER.DATA_DIRECTORY[0].get_file_offset(), start, len(body))
    return bytes(new)


def read_library(path: Path, *directories: int) -> Any:
    """Return a DLL as pefile reads it, with the given directories: 0 for exports, 1 for imports."""
    pe = import_module("pefile").PE(str(path), fast_load=True)
    pe.parse_data_directories(list(directories))
    return pe
