"""Settings in a Python program (pelicanconf.py, Nikola's conf.py): parsed, never run.

A name counts only where the program's top level sets it to a literal, or to other such names put together.
"""

from __future__ import annotations

import ast
import warnings
from typing import Any

_LARGEST = 1024 * 1024  # characters


class _UnknownError(Exception):
    """The expression is no literal."""


def literals(text: str) -> dict[str, Any]:
    """The names that a program sets to literals; {} if it cannot be parsed."""
    if len(text) > _LARGEST:
        return {}
    try:
        with warnings.catch_warnings():
            # An escape that Python does not know is a warning for the file's author.
            warnings.simplefilter("ignore")
            body = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    known: dict[str, Any] = {}
    for node in body:
        if isinstance(node, ast.Assign):
            names = [target.id for target in node.targets if isinstance(target, ast.Name)]
            value: ast.expr | None = node.value
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names, value = [node.target.id], node.value
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            names, value = [node.target.id], None
        else:
            continue
        for name in names:
            known.pop(name, None)
            if value is not None:
                try:
                    known[name] = _value(value, known)
                except (_UnknownError, RecursionError):
                    continue
    return known


def _value(node: ast.expr, known: dict[str, Any]) -> Any:
    match node:
        case ast.Constant():
            return node.value
        case ast.Tuple(elts=items) | ast.List(elts=items):
            return [_value(item, known) for item in items]
        case ast.Dict(keys=keys, values=values):
            found = {}
            for key, value in zip(keys, values, strict=True):
                if key is None:
                    raise _UnknownError
                name = _value(key, known)
                if not isinstance(name, (str, int)):
                    raise _UnknownError
                found[name] = _value(value, known)
            return found
        case ast.Name(id=name) if name in known:
            return known[name]
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            one, other = _value(left, known), _value(right, known)
            if isinstance(one, str) and isinstance(other, str) and len(one) + len(other) < _LARGEST:
                return one + other
        case ast.Call(func=ast.Name(id="dict"), args=[], keywords=keywords):
            return {keyword.arg: _value(keyword.value, known) for keyword in keywords if keyword.arg}
    raise _UnknownError
