"""Builds wheels of the package with CMake (PEP 517): `pip install .`, without a network as well.

The library is built in build/wheel, or taken from a build that is there: CAROM_BUILD_DIR. Without access to npm's
packages the report page is left out, and reports are static."""
from __future__ import annotations

import base64
import hashlib
import os
import pathlib
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from typing import Any, List, Optional

ROOT = pathlib.Path(__file__).resolve().parents[1]
VERSION = (ROOT / "VERSION").read_text().split()[0]
METADATA = f"""Metadata-Version: 2.1
Name: carom
Version: {VERSION}
Summary: Multibody simulation with compliant contact
License: Apache-2.0
Requires-Python: >=3.9
Requires-Dist: cffi
Requires-Dist: numpy
Provides-Extra: plot
Requires-Dist: matplotlib; extra == "plot"
Provides-Extra: frame
Requires-Dist: pandas; extra == "frame"
"""


def _run(*command: str) -> None:
    print(" ".join(command), flush=True)
    subprocess.run(command, check=True)


def _configure(folder: str, *more: str) -> None:
    _run("cmake", "-S", str(ROOT), "-B", folder, "-DCMAKE_BUILD_TYPE=Release", "-DCAROM_BUILD_TESTS=OFF",
         "-DCAROM_BUILD_CLI=OFF", "-DCAROM_BUILD_EXAMPLES=OFF", f"-DCAROM_PYTHON_EXECUTABLE={sys.executable}", *more)


def _built() -> str:
    """A build folder with the package in it."""
    folder = os.environ.get("CAROM_BUILD_DIR")
    if folder:
        return folder
    folder = str(ROOT / "build" / "wheel")
    try:
        _configure(folder, "-DCAROM_VIEWER=ON")
        _run("cmake", "--build", folder, "--target", "carom_page")
    except subprocess.CalledProcessError:
        print("the report page cannot be built here: reports will be static", flush=True)
        _configure(folder, "-DCAROM_VIEWER=OFF")
    _run("cmake", "--build", folder, "--target", "carom_python")
    return folder


def prepare_metadata_for_build_wheel(metadata_directory: str, config_settings: Any = None) -> str:
    """What pip asks before it has anything built."""
    info = pathlib.Path(metadata_directory) / f"carom-{VERSION}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(METADATA)
    return info.name


def build_wheel(wheel_directory: str, config_settings: Any = None, metadata_directory: Optional[str] = None) -> str:
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    tag, folder = f"cp39-abi3-{platform}", _built()
    name, info, records = f"carom-{VERSION}-{tag}.whl", f"carom-{VERSION}.dist-info", []  # type: str, str, List[str]
    with tempfile.TemporaryDirectory() as stage, \
            zipfile.ZipFile(pathlib.Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        _run("cmake", "--install", folder, "--component", "python", "--prefix", stage, "--strip")

        def add(path: str, data: bytes) -> None:
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            records.append(f"{path},sha256={digest},{len(data)}\n")
            wheel.writestr(path, data)

        for file in sorted(pathlib.Path(stage).rglob("carom/*")):
            add(f"carom/{file.name}", file.read_bytes())
        add(f"{info}/METADATA", METADATA.encode())
        add(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: carom\nRoot-Is-Purelib: false\nTag: {tag}\n".encode())
        add(f"{info}/LICENSE", (ROOT / "LICENSE").read_bytes())
        wheel.writestr(f"{info}/RECORD", "".join(records) + f"{info}/RECORD,,\n")
    return name


def build_sdist(sdist_directory: str, config_settings: Any = None) -> str:
    """The sources as git has them."""
    name = f"carom-{VERSION}"
    target = pathlib.Path(sdist_directory) / f"{name}.tar.gz"
    subprocess.run(["git", "archive", "--format=tar.gz", f"--prefix={name}/", "-o", str(target), "HEAD"], check=True,
                   cwd=ROOT)
    return target.name
