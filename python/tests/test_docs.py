"""docs/python.md and the notebooks of docs/ run as they stand."""
from __future__ import annotations

import contextlib
import io
import pathlib
import re
from typing import Any, Dict

import pytest

from conftest import MODELS, ROOT

DOCS = ROOT / "docs"


@pytest.fixture
def folder(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """A folder that has the models."""
    (tmp_path / "models").symlink_to(MODELS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    return tmp_path


def test_page(folder: pathlib.Path) -> None:
    """Each block of Python, in one namespace, prints what stands below it."""
    pytest.importorskip("matplotlib").use("Agg")
    page = (DOCS / "python.md").read_text()
    blocks = re.findall(r"^```(python|text)\n(.*?)^```$", page, flags=re.M | re.S)
    names: Dict[str, Any] = {"__name__": "page"}
    printed = ""
    for kind, text in blocks:
        if kind == "text":
            assert printed == text
            printed = ""
            continue
        assert not printed, "what is printed stands below the block"
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(text, "docs/python.md", "exec"), names)
        printed = out.getvalue()
    assert not printed and len(blocks) > 15 and (folder / "loops.svg").exists()


@pytest.mark.parametrize("notebook", sorted(DOCS.glob("*.ipynb")), ids=lambda path: str(path.name))
def test_notebook(notebook: pathlib.Path, folder: pathlib.Path) -> None:
    """All cells run, in a kernel of their own; what stands in the file is not compared."""
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    pytest.importorskip("matplotlib")
    cells = nbformat.read(notebook, as_version=4)
    nbclient.NotebookClient(cells, timeout=120, kernel_name="python3").execute(cwd=str(folder))
    assert any("text/html" in output.get("data", {}) for cell in cells.cells for output in cell.get("outputs", []))
