"""Server-sent events."""

from __future__ import annotations

import json
from typing import Any, Iterator, Type, TypeVar

from ._decode import decode

Item = TypeVar("Item")


class EventData:
    """Cuts the text of a stream into events, and decodes their data."""

    def __init__(self) -> None:
        self._rest = ""

    def feed(self, text: str, kind: Type[Item]) -> Iterator[Item]:
        *events, self._rest = (self._rest + text).split("\n\n")
        for event in events:
            lines = [line[len("data:") :].lstrip() for line in event.splitlines() if line.startswith("data:")]
            if lines:
                value: Any = json.loads("\n".join(lines))
                yield decode(kind, value)
