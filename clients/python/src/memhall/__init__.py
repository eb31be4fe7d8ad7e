"""Client for Memhall, a memory service for AI agents."""

from __future__ import annotations

from . import _models as models
from ._async.documents import AsyncDocumentsClient
from ._async.memory import AsyncMemoryClient
from ._async.memory_tool import AsyncMemoryToolClient
from ._async.one_memory import AsyncOneMemoryClient
from ._sync.documents import DocumentsClient
from ._sync.memory import MemoryClient
from ._sync.memory_tool import MemoryToolClient
from ._sync.one_memory import OneMemoryClient
from .errors import (
    ConflictError,
    EtagMismatchError,
    ForbiddenError,
    IdempotencyConflictError,
    InvalidRequestError,
    LegalHoldError,
    MemhallError,
    NotFoundError,
    PatchConflictError,
    PatchRejectedError,
    PreconditionFailedError,
    QuotaExceededError,
    SchemaValidationError,
    UnauthenticatedError,
    UnavailableError,
)
from .webhooks import SentChange, SentChanges, WebhookSignatureError, verify_webhook

__all__ = [
    "AsyncDocumentsClient",
    "AsyncMemoryClient",
    "AsyncMemoryToolClient",
    "AsyncOneMemoryClient",
    "ConflictError",
    "DocumentsClient",
    "EtagMismatchError",
    "ForbiddenError",
    "IdempotencyConflictError",
    "InvalidRequestError",
    "LegalHoldError",
    "MemhallError",
    "MemoryClient",
    "MemoryToolClient",
    "NotFoundError",
    "OneMemoryClient",
    "PatchConflictError",
    "PatchRejectedError",
    "PreconditionFailedError",
    "QuotaExceededError",
    "SchemaValidationError",
    "SentChange",
    "SentChanges",
    "UnauthenticatedError",
    "UnavailableError",
    "WebhookSignatureError",
    "models",
    "verify_webhook",
]
