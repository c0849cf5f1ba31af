"""Models: files, texts, dictionaries; parameters; errors with place, key and remedy; pickling."""
from __future__ import annotations

import pathlib
import pickle
from typing import Any, Dict

import numpy as np
import pytest

import carom
from conftest import BALL, MODELS


def test_parameters(spheres: carom.Model) -> None:
    assert spheres.parameters["K"].value == 5.5e9
    other = carom.load(MODELS / "two_spheres.yaml", K=5e9, R="0.03*m", e=np.float32(0.5))
    assert other.parameters["K"].value == 5e9 and other.parameters["R"].value == 0.03
    assert other.given == {"K": "5000000000.0", "R": "0.03*m", "e": "0.5"}
    assert other.with_parameters(K=1e9).parameters["R"].value == 0.03
    assert carom.load(MODELS / "two_spheres.yaml", parameters={"K": 3}).parameters["K"].value == 3


def test_parts(spheres: carom.Model) -> None:
    assert list(spheres.bodies) == ["left", "right"] and spheres.bodies["right"] == 1
    assert list(spheres.contacts) == ["hit"] and spheres.dimension == 2 and len(spheres.joints) == 0
    assert spheres.runs[0].until == 0.002 and spheres.runs[0].moves
    assert "Machado" in spheres.title and spheres.name == "two_spheres"
    with pytest.raises(carom.UnknownNameError, match="did you mean 'left'"):
        spheres.bodies["lefd"]
    assert spheres.bodies.get("none") is None


def test_dictionary_is_its_text() -> None:
    """The same model as a dictionary and as YAML: the same bits."""
    text = """
carom: 1
dimension: 2
gravity: [0, -9.81]
parameters: {h: 0.3, law: flores}
bodies: {ball: {mass: 1, inertia: 0.004, at: [0, h], velocity: [1, 0]}}
shapes: {skin: {type: sphere, on: ball, radius: 0.1}, floor: {type: plane, on: ground, normal: [0, 1]}}
contacts: {hit: {between: [floor, skin], normal: {law: $law, stiffness: 1e6, restitution: 0.8}}}
run: {until: 1}
"""
    a, b = carom.Model(text).run(), carom.Model(BALL).run()
    assert np.array_equal(a["body.ball.position"].values, b["body.ball.position"].values)
    assert a.impacts.tobytes() == b.impacts.tobytes()


def test_numpy_values() -> None:
    model = {**BALL, "gravity": np.array([0, -1.62]), "parameters": {"h": np.float64(0.4), "law": "flores"}}
    assert carom.Model(model).gravity == (0, -1.62, 0)


WRONG = [
    ({"bodies": {"ball": {"mas": 1, "inertia": 1}}}, "bodies.ball.mas", "unknown key 'mas'", "did you mean 'mass'?"),
    ({"bodies": {"ball": {"mass": "heavy", "inertia": 1}}}, "bodies.ball.mass", "'heavy'", ""),
    ({"bodies": {"ball": {"mass": 1, "inertia": [1, 2]}}}, "bodies.ball.inertia", "not a list", ""),
    ({"contacts": {"hit": {"between": ["flor", "skin"], "normal": {"law": "hertz", "stiffness": 1}}}},
     "contacts.hit.between[0]", "no shape 'flor'", "did you mean 'floor'?"),
    ({"contacts": {"hit": {"between": ["floor", "skin"], "normal": {"law": "florez", "stiffness": 1}}}},
     "contacts.hit.normal.law", "florez", "did you mean 'flores'?"),
    ({"run": {"until": -1}}, "run.until", "until", ""),
    ({"bodies": {"ball": {"mass": float("nan"), "inertia": 1}}}, "bodies.ball.mass", "nan", ""),
    ({"bodies": {"ball": {"mass": object(), "inertia": 1}}}, "bodies.ball.mass", "object", "give a number"),
    ({"bodies": {3: {}}}, "bodies", "the key 3", ""),
]


@pytest.mark.parametrize("change, key, part, remedy", WRONG)
def test_wrong_dictionaries(change: Dict[str, Any], key: str, part: str, remedy: str) -> None:
    with pytest.raises(carom.ModelError) as caught:
        carom.Model({**BALL, **change}, name="wrong").simulation()
    error = caught.value
    assert error.key == key and part in error.text and remedy in error.remedy
    assert error.line > 0 and error.column > 0 and error.file == "wrong"
    assert f"wrong:{error.line}:{error.column}" in str(error)


def test_wrong_files(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "m.yaml"
    path.write_text("carom: 1\ndimension: 2\nbodies:\n  a: {mas: 1, inertia: 1}\n  b: {mass: 1*kgg, inertia: 1}\n"
                    "run: {until: 1}\n")
    with pytest.raises(carom.ModelError) as caught:
        carom.load(path)
    error = caught.value
    assert (error.file, error.line, error.column, error.key) == (str(path), 4, 7, "bodies.a.mas")
    assert error.object == "body 'a'" and error.remedy == "did you mean 'mass'?"
    assert len(error.problems) == 2 and error.problems[-1].key == "bodies.b.mass"
    assert "  a: {mas: 1" in str(error) and isinstance(error, ValueError)
    with pytest.raises(carom.ModelError, match="did you mean 'K'"):
        carom.load(MODELS / "two_spheres.yaml", KK=1)
    with pytest.raises(carom.ModelError, match="carom.load"):
        carom.Model(3)  # type: ignore[arg-type]
    with pytest.raises(carom.FileError, match="none.yaml"):
        carom.load("none.yaml")
    with pytest.raises(carom.ModelError):
        carom.Model("a: [")


def test_pickling(spheres: carom.Model) -> None:
    model = spheres.with_parameters(K=5e9)
    copy = pickle.loads(pickle.dumps(model))
    assert copy.given == model.given and copy.name == model.name
    assert copy.run().impacts.tobytes() == model.run().impacts.tobytes()
    assert carom.ModelError.__module__ == "carom" and carom.load.__module__ == "carom"
    error = pickle.loads(pickle.dumps(carom.ModelError("text", (carom.Problem("text", line=3),))))
    assert error.line == 3


def test_includes_are_pickled(tmp_path: pathlib.Path) -> None:
    """A model whose robot is gone."""
    (tmp_path / "robot.urdf").write_bytes((MODELS / "robots" / "iiwa.urdf").read_bytes())
    (tmp_path / "m.yaml").write_text("carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\n"
                                     "include: {file: robot.urdf, base: fixed}\nrun: {until: 0.01}\n")
    model = carom.load(tmp_path / "m.yaml")
    data = pickle.dumps(model)
    (tmp_path / "robot.urdf").unlink()
    copy = pickle.loads(data)
    assert list(copy.bodies) == list(model.bodies) and len(copy.bodies) > 5
    a, b = copy.run(), model.run()
    assert all(np.array_equal(a[name].values, b[name].values) for name in a)


def test_lists() -> None:
    assert "flores" in carom.kinds("law") and "revolute" in carom.kinds("joint")
    assert "Flores" in carom.explain("flores")
    with pytest.raises(carom.UnknownNameError):
        carom.explain("florez")
    with pytest.raises(carom.UnknownNameError):
        carom.kinds("lawz")
    assert carom.columns()["peak_force"][0] == "N"
    assert set(carom.Ledger._fields) == set(carom.columns("ledger"))
