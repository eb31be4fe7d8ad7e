"""JSON Patch (RFC 6902) on values in memory. What it accepts is what the server accepts."""

from __future__ import annotations

import copy
import re
from typing import Any, Hashable, List, Mapping, Optional, Sequence

#: Stands for the absence of a value, which is not null.
missing: Any = object()

_index = re.compile(r"0|[1-9][0-9]*")


class Refusal(Exception):
    """A change does not fit. The message is the end of a sentence."""


def parse_pointer(pointer: str) -> List[str]:
    """Returns the segments of a JSON Pointer (RFC 6901)."""
    if (pointer != "" and not pointer.startswith("/")) or re.search("~(?![01])", pointer):
        raise Refusal(f"{pointer!r} is not a JSON Pointer")
    return [segment.replace("~1", "/").replace("~0", "~") for segment in pointer.split("/")[1:]]


def format_pointer(segments: Sequence[str]) -> str:
    return "".join("/" + segment.replace("~", "~0").replace("/", "~1") for segment in segments)


def identity_of(value: Any) -> Hashable:
    """Returns the same for equal JSON values only. In Python, ``True == 1``; in JSON, it is not."""
    if isinstance(value, Mapping):
        return ("object", frozenset((name, identity_of(member)) for name, member in value.items()))
    if isinstance(value, (list, tuple)):
        return ("array", tuple(identity_of(element) for element in value))
    return (isinstance(value, bool), value)


def child_of(parent: Any, segment: str) -> Any:
    if isinstance(parent, dict):
        return parent.get(segment, missing)
    index = _array_index(segment) if isinstance(parent, list) else None
    return parent[index] if index is not None and index < len(parent) else missing


class Draft:
    """A copy of a document that changes in place."""

    def __init__(self, document: Any) -> None:
        self.root = copy.deepcopy(document)

    def get(self, path: Sequence[str]) -> Any:
        value = self.root
        for depth, segment in enumerate(path):
            value = child_of(value, segment)
            if value is missing:
                raise Refusal(f"there is nothing at {format_pointer(path[:depth + 1])}")
        return value

    def add(self, path: Sequence[str], value: Any) -> None:
        value = copy.deepcopy(value)
        if not path:
            self.root = value
            return
        parent, key = self._parent_of(path), path[-1]
        if isinstance(parent, dict):
            parent[key] = value
            return
        index = len(parent) if key == "-" else _array_index(key)
        if index is None:
            raise Refusal(f'"{key}" is not an array index')
        if index > len(parent):
            raise Refusal(f"the array has only {len(parent)} elements")
        parent.insert(index, value)

    def replace(self, path: Sequence[str], value: Any) -> None:
        self.get(path)
        value = copy.deepcopy(value)
        if not path:
            self.root = value
            return
        parent = self._parent_of(path)
        parent[int(path[-1]) if isinstance(parent, list) else path[-1]] = value

    def remove(self, path: Sequence[str]) -> None:
        self.get(path)
        if not path:
            raise Refusal("the whole document cannot be removed")
        parent = self._parent_of(path)
        del parent[int(path[-1]) if isinstance(parent, list) else path[-1]]

    def _parent_of(self, path: Sequence[str]) -> Any:
        parent = self.get(path[:-1])
        if not isinstance(parent, (dict, list)):
            raise Refusal(f"{format_pointer(path[:-1]) or 'the document'} is neither an object nor an array")
        return parent


def apply_patch(document: Any, operations: Sequence[Mapping[str, Any]]) -> Any:
    """Returns the document after all operations. Raises Refusal if one does not apply."""
    draft = Draft(document)
    for operation in operations:
        _apply(draft, operation)
    return draft.root


def _apply(draft: Draft, operation: Mapping[str, Any]) -> None:
    kind, path = operation["op"], parse_pointer(operation["path"])
    if kind == "add":
        draft.add(path, operation["value"])
    elif kind == "replace":
        draft.replace(path, operation["value"])
    elif kind == "remove":
        draft.remove(path)
    elif kind == "test":
        if identity_of(draft.get(path)) != identity_of(operation["value"]):
            raise Refusal("the value there is different")
    elif kind == "copy":
        draft.add(path, draft.get(parse_pointer(operation["from"])))
    elif kind == "move":
        _move(draft, parse_pointer(operation["from"]), path)
    else:
        raise Refusal(f"{kind!r} is not an operation of JSON Patch")


def _move(draft: Draft, source: Sequence[str], path: Sequence[str]) -> None:
    value = draft.get(source)
    if source == path:
        return
    if source == path[: len(source)]:
        raise Refusal("a value cannot be moved into itself")
    draft.remove(source)
    draft.add(path, value)


def _array_index(segment: str) -> Optional[int]:
    return int(segment) if _index.fullmatch(segment) else None
