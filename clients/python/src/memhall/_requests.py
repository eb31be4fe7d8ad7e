"""What a call sends, and what its response means. Nothing here waits."""

from __future__ import annotations

import dataclasses
import json
import random
import re
from datetime import datetime, timezone
from typing import Any, Dict, Mapping, Optional, Union
from urllib.parse import quote

import httpx

from ._decode import decode
from ._operations import operations
from .errors import MemhallError, UnavailableError, error_class

_first_delay_seconds = 0.2
_longest_delay_seconds = 10.0
_retryable = (429, 502, 503, 504)


@dataclasses.dataclass(frozen=True)
class Options:
    """Options of calls. See the clients for their meaning."""

    timeout: float = 30.0
    retries: int = 2
    user_id: Optional[str] = None
    off_the_record: bool = False


@dataclasses.dataclass(frozen=True)
class Call:
    """One call of an operation. Members that are ``None`` are not sent; those of ``raw`` are sent as they are."""

    operation: str
    path: Mapping[str, str] = dataclasses.field(default_factory=dict)
    query: Optional[Mapping[str, Any]] = None
    body: Optional[Mapping[str, Any]] = None
    raw: Optional[Mapping[str, Any]] = None
    headers: Mapping[str, Optional[str]] = dataclasses.field(default_factory=dict)
    #: Whether the operation is about one user, for whom a service token can act.
    has_user: bool = True

    @property
    def method(self) -> str:
        return operations[self.operation][0]

    @property
    def is_idempotent(self) -> bool:
        return self.method == "GET" or self.headers.get("Idempotency-Key") is not None


def to_request(
    http: Union[httpx.Client, httpx.AsyncClient],
    call: Call,
    base_url: str,
    token: str,
    options: Options,
    timeout: httpx.Timeout,
) -> httpx.Request:
    method, template, _ = operations[call.operation]
    user = {"user_id": options.user_id} if call.has_user else {}
    query, body = call.query, call.body
    if body is None and call.raw is None:
        query = {**(query or {}), **user}
    else:
        body = {**(body or {}), **user}
    headers = {"Authorization": f"Bearer {token}", **_present(call.headers)}
    content = None
    if body is not None or call.raw is not None:
        content = json.dumps({**_present(body or {}), **to_wire(call.raw or {})}).encode()
        headers["Content-Type"] = "application/json"
    if options.off_the_record:
        headers["Off-The-Record"] = "true"
    path = re.sub(r"\{(\w+)\}", lambda found: quote(call.path[found.group(1)], safe=""), template)
    params = {name: _query_value(value) for name, value in _present(query or {}).items()}
    url = base_url.rstrip("/") + path
    return http.build_request(method, url, params=params, headers=headers, content=content, timeout=timeout)


def read_response(call: Call, response: httpx.Response) -> Any:
    """Returns the decoded response, with its ETag if it has one. Raises MemhallError."""
    if response.is_error:
        raise to_error(response)
    if response.content == b"":
        return None
    try:
        value = response.json()
    except ValueError as cause:
        message = "The response is not JSON. Is this a Memhall server?"
        raise MemhallError("PROTOCOL", message, status=response.status_code) from cause
    answer = decode(operations[call.operation][2], value)
    tag = response.headers.get("etag")
    if tag is not None and any(one.name == "etag" for one in dataclasses.fields(answer)):
        return dataclasses.replace(answer, etag=tag)
    return answer


def to_error(response: httpx.Response) -> MemhallError:
    """Returns the error that a response describes. Its body must have been read."""
    status = response.status_code
    retry_after = response.headers.get("retry-after")
    more = {
        "request_id": response.headers.get("x-request-id"),
        "retry_after_seconds": float(retry_after) if retry_after is not None and retry_after.isdigit() else None,
    }
    try:
        error = response.json()["error"]
        kind = error_class(status, error["code"])
        return kind(error["code"], error["message"], status=status, details=error.get("details"), **more)
    except (ValueError, KeyError, TypeError):
        return error_class(status)("PROTOCOL", f"The server responded with status {status}.", status=status, **more)


def to_network_error(call: Call, cause: httpx.TransportError) -> MemhallError:
    if isinstance(cause, httpx.TimeoutException):
        return UnavailableError("TIMEOUT", f"{call.operation} timed out.")
    return UnavailableError("NETWORK", f"The server could not be reached for {call.operation}.")


def retry_delay_seconds(call: Call, error: MemhallError, attempt: int, options: Options) -> Optional[float]:
    """Returns how long to wait before the next attempt: growing, or as the server says. ``None``: there is none."""
    is_retryable = error.status in _retryable or error.code in ("NETWORK", "TIMEOUT")
    if not is_retryable or not call.is_idempotent or attempt > options.retries:
        return None
    backoff: float = _first_delay_seconds * 2 ** (attempt - 1) * (0.5 + random.random())
    return min(_longest_delay_seconds, max(backoff, error.retry_after_seconds or 0.0))


def to_filters(filters: Mapping[str, Any]) -> Dict[str, Any]:
    """``from`` is a keyword of Python, so it is called ``from_``."""
    return {"from" if name == "from_" else name: value for name, value in filters.items()}


def _present(members: Mapping[str, Any]) -> Dict[str, Any]:
    return {name: value for name, value in to_wire(members).items() if value is not None}


def to_wire(value: Any) -> Any:
    """Returns JSON, with times as the API writes them."""
    if isinstance(value, datetime):
        aware = value if value.tzinfo is not None else value.astimezone()
        return aware.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    if isinstance(value, Mapping):
        return {key: to_wire(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [to_wire(one) for one in value]
    return value


def _query_value(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
