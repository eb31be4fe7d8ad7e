"""Client for Memhall, a memory service for AI agents."""

from __future__ import annotations

from . import _models as models
from ._async.memory import AsyncMemoryClient
from ._async.one_memory import AsyncOneMemoryClient
from ._sync.memory import MemoryClient
from ._sync.one_memory import OneMemoryClient
from .errors import (
    ConflictError,
    ForbiddenError,
    InvalidRequestError,
    MemhallError,
    NotFoundError,
    PreconditionFailedError,
    QuotaExceededError,
    UnauthenticatedError,
    UnavailableError,
)
from .webhooks import SentChange, SentChanges, WebhookSignatureError, verify_webhook

__all__ = [
    "AsyncMemoryClient",
    "AsyncOneMemoryClient",
    "ConflictError",
    "ForbiddenError",
    "InvalidRequestError",
    "MemhallError",
    "MemoryClient",
    "NotFoundError",
    "OneMemoryClient",
    "PreconditionFailedError",
    "QuotaExceededError",
    "SentChange",
    "SentChanges",
    "UnauthenticatedError",
    "UnavailableError",
    "WebhookSignatureError",
    "models",
    "verify_webhook",
]
