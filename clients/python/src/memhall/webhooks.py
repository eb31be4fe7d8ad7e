"""What webhooks send."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import time
from dataclasses import dataclass
from datetime import datetime
from typing import Any, List, Literal, Optional

from ._decode import decode

_header = re.compile(r"t=(\d{1,12}),v1=([0-9a-f]{64})")


@dataclass(frozen=True)
class SentChange:
    at: datetime
    operation: str
    kind: str
    id: str
    user_id: Optional[str] = None
    workspace_id: Optional[str] = None
    namespace: Optional[str] = None
    visibility: Optional[Literal["public"]] = None


@dataclass(frozen=True)
class SentChanges:
    #: The same at every attempt to send this delivery.
    id: str
    webhook: str
    tenant_id: str
    changes: List[SentChange]


class WebhookSignatureError(ValueError):
    """The request was not signed with this secret, or too long ago."""


def verify_webhook(
    body: bytes, signature: Optional[str], secret: str, *, tolerance_seconds: float = 300
) -> SentChanges:
    """
    Returns what a webhook sent. Raises WebhookSignatureError.

    :param body: exactly as it was received
    :param signature: the header ``Memhall-Signature``
    :param tolerance_seconds: how old a request may be, so that a recorded one cannot be sent again
    """
    found = _header.fullmatch(signature or "")
    if found is None:
        raise WebhookSignatureError("The request has no valid Memhall-Signature header.")
    seconds, given = found.groups()
    expected = hmac.new(secret.encode(), f"{seconds}.".encode() + body, hashlib.sha256).hexdigest()
    if not hmac.compare_digest(expected, given):
        raise WebhookSignatureError(
            "The signature of the webhook does not match. Is the secret the one that the webhook has?"
        )
    if abs(time.time() - int(seconds)) > tolerance_seconds:
        raise WebhookSignatureError(f"The webhook was signed more than {tolerance_seconds:g} seconds ago.")
    value: Any = json.loads(body)
    sent: SentChanges = decode(SentChanges, value)
    return sent
