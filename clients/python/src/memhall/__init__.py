"""Client for Memhall, a memory service for AI agents."""

from __future__ import annotations

from . import _models as models
from ._agent_memory import CommittedMemory, CorrectedMemory, FoundMemories, FoundMemory, Namespace, Namespaces
from ._async.agent_memory import AsyncAgentMemoryClient
from ._async.documents import AsyncDocumentsClient
from ._async.memory import AsyncMemoryClient
from ._async.memory_tool import AsyncMemoryToolClient
from ._async.one_memory import AsyncOneMemoryClient
from ._async.plan_context import AsyncPlanContext
from ._async.task_context import AsyncTaskContext
from ._state import TaskResponse, WaitingPlan
from ._sync.agent_memory import AgentMemoryClient
from ._sync.documents import DocumentsClient
from ._sync.memory import MemoryClient
from ._sync.memory_tool import MemoryToolClient
from ._sync.one_memory import OneMemoryClient
from ._sync.plan_context import PlanContext
from ._sync.task_context import TaskContext
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
    "AgentMemoryClient",
    "AsyncAgentMemoryClient",
    "AsyncDocumentsClient",
    "AsyncMemoryClient",
    "AsyncMemoryToolClient",
    "AsyncOneMemoryClient",
    "AsyncPlanContext",
    "AsyncTaskContext",
    "CommittedMemory",
    "ConflictError",
    "CorrectedMemory",
    "DocumentsClient",
    "EtagMismatchError",
    "ForbiddenError",
    "FoundMemories",
    "FoundMemory",
    "IdempotencyConflictError",
    "InvalidRequestError",
    "LegalHoldError",
    "MemhallError",
    "MemoryClient",
    "MemoryToolClient",
    "Namespace",
    "Namespaces",
    "NotFoundError",
    "OneMemoryClient",
    "PatchConflictError",
    "PatchRejectedError",
    "PlanContext",
    "PreconditionFailedError",
    "QuotaExceededError",
    "SchemaValidationError",
    "SentChange",
    "SentChanges",
    "TaskContext",
    "TaskResponse",
    "UnauthenticatedError",
    "UnavailableError",
    "WaitingPlan",
    "WebhookSignatureError",
    "models",
    "verify_webhook",
]
