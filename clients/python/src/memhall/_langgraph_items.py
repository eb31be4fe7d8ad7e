"""Which items of a LangGraph store match, and what of them is searchable."""

from __future__ import annotations

import json
import re
from typing import Any, Callable, Dict, Iterable, List, Literal, Mapping, Optional, Sequence, Tuple, Union

_max_indexed_characters = 100_000


def _number(value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        return float("nan")


_comparisons: Dict[str, Callable[[Any, Any], bool]] = {
    "$eq": lambda value, wanted: bool(value == wanted),
    "$ne": lambda value, wanted: bool(value != wanted),
    "$gt": lambda value, wanted: _number(value) > _number(wanted),
    "$gte": lambda value, wanted: _number(value) >= _number(wanted),
    "$lt": lambda value, wanted: _number(value) < _number(wanted),
    "$lte": lambda value, wanted: _number(value) <= _number(wanted),
    "$in": lambda value, wanted: isinstance(wanted, list) and value in wanted,
    "$nin": lambda value, wanted: not isinstance(wanted, list) or value not in wanted,
}


def passes_filter(value: Mapping[str, Any], filter: Optional[Mapping[str, Any]]) -> bool:
    """Returns whether every named member meets its condition: an equal value, or operators such as ``{"$gte": 3}``."""
    return all(_meets(value.get(name), wanted) for name, wanted in (filter or {}).items())


def _meets(value: Any, wanted: Any) -> bool:
    """Compares as LangGraph's own store does: an object names some members of the value, a list names all elements."""
    if isinstance(wanted, dict):
        if any(name.startswith("$") for name in wanted):
            return all(_comparison(name)(value, operand) for name, operand in wanted.items())
        return isinstance(value, dict) and all(_meets(value.get(name), one) for name, one in wanted.items())
    if isinstance(wanted, (list, tuple)):
        is_list = isinstance(value, (list, tuple)) and len(value) == len(wanted)
        return is_list and all(_meets(one, other) for one, other in zip(value, wanted))
    return bool(value == wanted)


def _comparison(name: str) -> Callable[[Any, Any], bool]:
    if name not in _comparisons:
        raise ValueError(f"Unsupported operator: {name}")
    return _comparisons[name]


def is_below(namespace: Sequence[str], prefix: Sequence[str]) -> bool:
    """Compares whole labels: ``("user1",)`` is not a prefix of ``("user10",)``."""
    return tuple(namespace[: len(prefix)]) == tuple(prefix)


def meets_conditions(namespace: Sequence[str], conditions: Iterable[Any]) -> bool:
    return all(_matches(namespace, one.match_type == "prefix", one.path) for one in conditions)


def _matches(namespace: Sequence[str], is_prefix: bool, path: Tuple[str, ...]) -> bool:
    if len(path) > len(namespace):
        return False
    start = 0 if is_prefix else len(namespace) - len(path)
    return all(label in ("*", namespace[start + at]) for at, label in enumerate(path))


def indexed_text(value: Mapping[str, Any], index: Union[Literal[False], List[str], None]) -> str:
    """Returns the searchable text of a value: the texts at the given paths, or all texts if no paths are given."""
    if index is False:
        return ""
    paths: List[List[str]] = [[]] if index is None else [re.findall(r"[^.\[\]]+", path) for path in index]
    text = "\n".join(text for path in paths for text in _texts_at(value, path))
    return text[:_max_indexed_characters].encode("utf-8", "replace").decode().strip()


def _texts_at(value: Any, path: Sequence[str]) -> List[str]:
    """Returns the texts at a path such as ``chapters[*].title``, ``authors[-1].name`` or ``$``, which means everything."""
    if len(path) == 0 or path[0] == "$":
        return _texts_in(value)
    step, rest = path[0], path[1:]
    if step == "*":
        return [text for member in _members(value) for text in _texts_at(member, rest)]
    try:
        return _texts_at(value[int(step)] if isinstance(value, list) else value[step], rest)
    except (IndexError, KeyError, TypeError, ValueError):
        return []


def _texts_in(value: Any) -> List[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, (bool, int, float)):
        return [json.dumps(value)]
    return [text for member in _members(value) for text in _texts_in(member)]


def _members(value: Any) -> List[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return list(value) if isinstance(value, (list, tuple)) else []
