"""Turns JSON into dataclasses."""

from __future__ import annotations

import dataclasses
import re
import typing
from datetime import datetime, timezone
from functools import lru_cache
from typing import Any, Dict, Mapping, Tuple, Union

_fraction = re.compile(r"\.(\d+)")


def decode(kind: Any, value: Any) -> Any:
    """Returns the value as the type says. Members that the type does not know are ignored, so that newer servers can add some."""
    if value is None or kind is Any:
        return value
    origin = typing.get_origin(kind)
    if origin is Union:
        return _decode_choice([one for one in typing.get_args(kind) if one is not type(None)], value)
    if origin is list:
        (item,) = typing.get_args(kind)
        return [decode(item, one) for one in value]
    if origin is dict:
        _, item = typing.get_args(kind)
        return {key: decode(item, one) for key, one in value.items()}
    if kind is datetime:
        return parse_time(value)
    if dataclasses.is_dataclass(kind):
        return kind(**{name: decode(type_, value[name]) for name, type_ in _members(kind)[0].items() if name in value})
    return value


def parse_time(text: str) -> datetime:
    """Reads RFC 3339 in UTC. Before Python 3.11, the standard library reads only fractions of three or six digits, and no Z."""
    padded = _fraction.sub(lambda found: f".{found.group(1):0<6.6}", text)
    return datetime.fromisoformat(padded.replace("Z", "+00:00")).astimezone(timezone.utc)


def _decode_choice(choices: "list[Any]", value: Any) -> Any:
    """Takes the first choice whose required members are there."""
    if len(choices) == 1:
        return decode(choices[0], value)
    for choice in choices:
        if dataclasses.is_dataclass(choice) and isinstance(value, Mapping):
            if all(name in value for name in _members(choice)[1]):
                return decode(choice, value)
    return value


@lru_cache(maxsize=None)
def _members(kind: Any) -> Tuple[Dict[str, Any], Tuple[str, ...]]:
    """Returns the types of the members, and the names of those that are required."""
    required = tuple(one.name for one in dataclasses.fields(kind) if one.default is dataclasses.MISSING)
    return typing.get_type_hints(kind), required
