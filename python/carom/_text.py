"""Dictionaries as model texts."""
from __future__ import annotations

import json
import math
import os
from typing import Any, List, Mapping

from ._errors import ModelError, Problem
from ._library import plain


class _Writer:
    """JSON in lines: an entry of the model, and each part that it lists, has a line of its own."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.lines: List[str] = [""]

    def add(self, text: str) -> None:
        self.lines[-1] += text

    def refuse(self, path: str, text: str) -> ModelError:
        line, column = len(self.lines), len(self.lines[-1]) + 1
        return ModelError(text, (Problem(f"{self.name}:{line}:{column}: {path or 'the model'}: {text}", self.name, line,
                                         column, path, remedy=text.partition("; ")[2]),))

    def value(self, value: Any, path: str, depth: int) -> None:
        value = plain(value)
        if isinstance(value, Mapping):
            self.mapping(value, path, depth)
        elif isinstance(value, (list, tuple)):
            self.add("[")
            for k, item in enumerate(value):
                self.add(", " if k else "")
                self.value(item, f"{path}[{k}]", 9)
            self.add("]")
        elif value is None or isinstance(value, (bool, int)):
            self.add(json.dumps(value))
        elif isinstance(value, float):
            self.add(repr(value) if math.isfinite(value) else json.dumps(str(value)))
        elif isinstance(value, (str, os.PathLike)):
            self.add(json.dumps(os.fspath(value), ensure_ascii=False))
        else:
            raise self.refuse(path, f"{type(value).__name__} is no type of a value; give a number, a text, a list "
                                    "or a dictionary")

    def mapping(self, value: Mapping[Any, Any], path: str, depth: int) -> None:
        self.add("{")
        for k, (key, item) in enumerate(value.items()):
            self.add(", " if k and depth > 1 else "," if k else "")
            if depth <= 1:
                self.lines.append(" " * (2 * depth + 2))
            if not isinstance(key, str):
                raise self.refuse(path, f"the key {key!r} is no text; keys of a model are names")
            self.add(json.dumps(key, ensure_ascii=False) + ": ")
            self.value(item, f"{path}.{key}" if path else key, depth + 1)
        self.add("}")


def model_text(model: Mapping[str, Any], name: str) -> str:
    """The text of a model that is given as a dictionary."""
    writer = _Writer(name)
    writer.mapping(model, "", 0)
    return "\n".join(writer.lines) + "\n"
