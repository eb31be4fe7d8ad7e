"""Errors of calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Mapping, Optional, Type

if TYPE_CHECKING:
    from ._models import DocumentAnswer


class MemhallError(Exception):
    """A failed call: an error that the server sent, or a failure to reach it."""

    #: The server's problem code, or ``NETWORK`` if it was unreachable, ``TIMEOUT``, or ``PROTOCOL`` if the response was not valid.
    code: str
    #: HTTP status, or 0 if there was no response.
    status: int
    message: str
    details: Mapping[str, Any]
    request_id: Optional[str]
    retry_after_seconds: Optional[float]

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: int = 0,
        details: Optional[Mapping[str, Any]] = None,
        request_id: Optional[str] = None,
        retry_after_seconds: Optional[float] = None,
    ) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.status = status
        self.message = message
        self.details = details or {}
        self.request_id = request_id
        self.retry_after_seconds = retry_after_seconds


class InvalidRequestError(MemhallError):
    """The request breaks a rule of the API (400, 422)."""


class UnauthenticatedError(MemhallError):
    """The token is missing, wrong, expired or revoked (401)."""


class ForbiddenError(MemhallError):
    """The token does not permit this (403)."""


class NotFoundError(MemhallError):
    """There is no such thing, or the caller may not see it (404)."""


class ConflictError(MemhallError):
    """What exists does not permit the change (409)."""


class IdempotencyConflictError(ConflictError):
    """The idempotency key was used before for something else (``IDEMPOTENCY_CONFLICT``)."""


class LegalHoldError(ConflictError):
    """A legal hold forbids to erase this (``LEGAL_HOLD``)."""


class PreconditionFailedError(MemhallError):
    """Somebody else changed it since (412). Read it again, and repeat the change with the new ETag."""


class EtagMismatchError(PreconditionFailedError):
    """The ETag is not the current one (``ETAG_MISMATCH``)."""

    @property
    def latest_etag(self) -> Optional[str]:
        """The current ETag, or ``None`` if there is no such thing."""
        latest: Optional[str] = self.details.get("latest_etag")
        return latest


class PatchRejectedError(InvalidRequestError):
    """A rule of the profile forbids the change of a document; ``code`` says which, such as ``PATH_NOT_WRITABLE``."""


class SchemaValidationError(PatchRejectedError):
    """The changed document would break its schema (``SCHEMA_VALIDATION_FAILED``). ``details`` say where."""


class PatchConflictError(Exception):
    """Others changed the same part of the document, or kept changing the document on every attempt. Nothing was written."""

    #: The current document, or ``None`` if it was deleted.
    latest: Optional[DocumentAnswer]

    def __init__(self, message: str, latest: Optional[DocumentAnswer]) -> None:
        super().__init__(message)
        self.latest = latest


class QuotaExceededError(MemhallError):
    """There are too many requests (429). Wait for ``retry_after_seconds``."""


class UnavailableError(MemhallError):
    """The server cannot answer now (502, 503, 504), cannot be reached, or did not answer in time."""


_by_status: Dict[int, Type[MemhallError]] = {
    400: InvalidRequestError,
    401: UnauthenticatedError,
    403: ForbiddenError,
    404: NotFoundError,
    409: ConflictError,
    412: PreconditionFailedError,
    422: InvalidRequestError,
    429: QuotaExceededError,
    502: UnavailableError,
    503: UnavailableError,
    504: UnavailableError,
}


_by_code: Dict[str, Type[MemhallError]] = {
    "ARRAY_LIMIT_EXCEEDED": PatchRejectedError,
    "CONFIDENCE_TOO_LOW": PatchRejectedError,
    "DOCUMENT_SIZE_EXCEEDED": PatchRejectedError,
    "ETAG_MISMATCH": EtagMismatchError,
    "EVIDENCE_REQUIRED": PatchRejectedError,
    "IDEMPOTENCY_CONFLICT": IdempotencyConflictError,
    "LEGAL_HOLD": LegalHoldError,
    "PATCH_APPLY_FAILED": PatchRejectedError,
    "PATCH_TOO_LARGE": PatchRejectedError,
    "PATH_NOT_WRITABLE": PatchRejectedError,
    "SCHEMA_VALIDATION_FAILED": SchemaValidationError,
}


def error_class(status: int, code: str = "") -> Type[MemhallError]:
    """Returns the class of a code, or else of a status."""
    return _by_code.get(code, _by_status.get(status, MemhallError))
