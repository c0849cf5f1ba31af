"""The examples run, each in a folder of its own."""
from __future__ import annotations

import os
import pathlib
import subprocess
import sys

import pytest

from conftest import ROOT

EXAMPLES = sorted((ROOT / "python" / "examples").glob("*.py"))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: str(path.stem))
def test_example(example: pathlib.Path, tmp_path: pathlib.Path) -> None:
    if "matplotlib" in example.read_text():
        pytest.importorskip("matplotlib")
    done = subprocess.run([sys.executable, str(example)], cwd=tmp_path, env={**os.environ, "MPLBACKEND": "Agg"},
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    if example.stem == "machado_2012":
        assert len(example.read_text().splitlines()) <= 30 and len(list(tmp_path.glob("*.svg"))) == 7
