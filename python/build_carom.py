"""Writes the C source of the extension module carom._carom: build_carom.py HEADERS OUTPUT

All declarations are those of the public headers, read by the compiler's preprocessor; nothing of them stands here."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import cffi

HERE = pathlib.Path(__file__).resolve().parent


def declarations(headers: pathlib.Path) -> str:
    """The public headers without what cffi does not read: directives, attributes, functions with a body."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("stdbool.h", "stddef.h", "stdint.h"):
            (pathlib.Path(folder) / name).touch()
        text = subprocess.run(
            [*os.environ.get("CC", "cc").split(), "-E", "-P", "-nostdinc", "-I", folder, "-I", str(headers),
             "-D__attribute__(x)=", "-xc", "-"],
            input='#include "carom/carom.h"\n#include "carom/io.h"\n', capture_output=True, text=True,
            check=True).stdout
    text = re.sub(r"static inline [^;{]*\{.*?\n\}", "", text, flags=re.S)
    numbers = [name for header in sorted((headers / "carom").glob("*.h"))
               for name in re.findall(r"^#define (CAROM_[A-Z_]+) (?:[0-9]+$|\()", header.read_text(), flags=re.M)]
    return text + "".join(f"#define {name} ...\n" for name in numbers)


def main() -> None:
    headers, output = pathlib.Path(sys.argv[1]), sys.argv[2]
    ffi = cffi.FFI()
    ffi.cdef(declarations(headers) + (HERE / "glue.h").read_text())
    ffi.set_source("carom._carom", (HERE / "glue.c").read_text())
    ffi.emit_c_code(output)


if __name__ == "__main__":
    main()
