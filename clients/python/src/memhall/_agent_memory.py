"""What the memory tools of the Model Context Protocol answer."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Dict, List, Mapping, Optional

from . import _models as models
from ._decode import decode
from .errors import MemhallError, error_class


@dataclass(frozen=True)
class CommittedMemory:
    memory_id: str
    namespace: str
    #: Number of secrets that were removed before the memory was stored.
    redactions: int
    expires_at: Optional[datetime] = None


@dataclass(frozen=True)
class FoundMemory:
    memory_id: str
    kind: str
    content: str
    #: Where it comes from, when, and who wrote it, in words. The API calls it ``from``.
    from_: str
    #: Whether it is the user's own, and not somebody else's words.
    own: bool
    trust: str
    origin: models.AnyMemoryOrigin
    occurred_at: datetime
    created_at: datetime
    namespace: Optional[str] = None
    expires_at: Optional[datetime] = None
    pinned: Optional[bool] = None
    propagation: Optional[Dict[str, Any]] = None
    score: Optional[float] = None


@dataclass(frozen=True)
class FoundMemories:
    memories: List[FoundMemory]
    #: Number of further matches that were left out because the result would be too long.
    omitted: Optional[int] = None
    #: The server's memory plugin did not answer: its memories are missing.
    incomplete: Optional[bool] = None


@dataclass(frozen=True)
class CorrectedMemory:
    memory_id: str
    kind: str
    trust: str
    redactions: int
    namespace: Optional[str] = None
    expires_at: Optional[datetime] = None


@dataclass(frozen=True)
class Namespace:
    name: str
    kind: str
    writable: bool


@dataclass(frozen=True)
class Namespaces:
    namespaces: List[Namespace]


#: Errors of tools have the status 200, so their codes say what they are.
_status_of = {
    "INVALID_REQUEST": 400,
    "UNKNOWN_FIELD": 400,
    "FORBIDDEN": 403,
    "NOT_FOUND": 404,
    "CONFLICT": 409,
    "OWNED_BY_RECORD": 409,
    "CONTENT_BLOCKED": 422,
    "QUOTA_EXCEEDED": 429,
    "UNAVAILABLE": 503,
}


def to_message(tool: str, arguments: Mapping[str, Any]) -> Dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}


def read_result(kind: Any, tool: str, answer: Any) -> Any:
    """Returns what a tool answered. Raises MemhallError."""
    result = (answer or {}).get("result") or {}
    if result.get("isError"):
        error = json.loads(result["content"][0]["text"])["error"]
        status = _status_of.get(error["code"], 200)
        raise error_class(status, error["code"])(
            error["code"],
            error["message"],
            status=status,
            details=error.get("details"),
            request_id=error.get("request_id"),
            retry_after_seconds=error.get("retry_after_seconds"),
        )
    found = result.get("structuredContent")
    if found is None:
        raise MemhallError("PROTOCOL", f"The server sent no result for {tool}.", status=200)
    for memory in found.get("memories", []):
        memory["from_"] = memory.pop("from", "")
    return decode(kind, found)
