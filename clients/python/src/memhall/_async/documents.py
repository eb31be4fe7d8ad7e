"""The governed documents of one user, and what is around them."""

from __future__ import annotations

import uuid
from typing import Any, List, Mapping, Optional, cast

import httpx

from .. import _models as models
from .._rebase import rebase_document_patch
from .._requests import Call, to_filters
from ..errors import EtagMismatchError, PatchConflictError
from .client_area import AsyncClientArea
from .documents_learning import AsyncConversations, AsyncReplays, AsyncUnresolvedPatches
from .documents_registry import AsyncProfiles, AsyncSchemas
from .transport import AsyncToken


class AsyncDocumentsClient(AsyncClientArea):
    """
    Client for the governed documents of one user: ``documents``, ``events`` and context assembly, ``conversations``,
    ``replays`` and ``unresolved`` patches; and the ``profiles``, ``schemas`` and ``review_queue`` of the tenant.

    Patches, replacements and requests are mappings with the members of the API. Other parameters are those of all clients.

    :param tenant_id: the tenant of the token
    :param user_id: the owner of the documents
    """

    def __init__(
        self,
        base_url: str,
        token: AsyncToken,
        *,
        tenant_id: str,
        user_id: str,
        timeout: float = 30.0,
        retries: int = 2,
        off_the_record: bool = False,
        http: Optional[httpx.AsyncClient] = None,
    ) -> None:
        super().__init__(
            base_url, token, timeout=timeout, retries=retries, user_id=user_id, off_the_record=off_the_record, http=http
        )
        self._tenant_id = tenant_id

    @property
    def documents(self) -> AsyncDocuments:
        return AsyncDocuments(self)

    @property
    def events(self) -> AsyncEvents:
        return AsyncEvents(self)

    @property
    def conversations(self) -> AsyncConversations:
        return AsyncConversations(self)

    @property
    def replays(self) -> AsyncReplays:
        return AsyncReplays(self)

    @property
    def unresolved(self) -> AsyncUnresolvedPatches:
        return AsyncUnresolvedPatches(self, "unresolved")

    @property
    def review_queue(self) -> AsyncUnresolvedPatches:
        return AsyncUnresolvedPatches(self, "unresolvedQueue")

    @property
    def profiles(self) -> AsyncProfiles:
        return AsyncProfiles(self)

    @property
    def schemas(self) -> AsyncSchemas:
        return AsyncSchemas(self)

    async def assemble_context(self, request: Mapping[str, Any]) -> models.Context:
        """Returns the documents that an agent should know for a conversation, by priority and within a budget."""
        return cast(models.Context, await self._answer(self._call("context.assemble", body=request)))

    async def audit(self, **filters: Any) -> models.AuditRecords:
        """Returns a page of the audit records of changes, newest first."""
        return cast(models.AuditRecords, await self._answer(self._call("audit.list", query=to_filters(filters))))

    async def forget(self) -> models.ErasureAnswer:
        """Erases everything about the user and returns a receipt. Needs the role admin. Raises LegalHoldError."""
        return cast(models.ErasureAnswer, await self._answer(self._call("users.forget")))

    async def check_receipt(self, receipt_id: str) -> Optional[models.CheckedReceipt]:
        """Reads a receipt and counts again what is left; ``None`` if there is no such receipt. Needs the role admin."""
        call = self._call("receipts.check", {"receipt_id": receipt_id})
        return cast(Optional[models.CheckedReceipt], await self._find(call))

    def _call(self, operation: str, path: Optional[Mapping[str, str]] = None, **parts: Any) -> Call:
        user = {"tenant_id": self._tenant_id, "user_id": self._options.user_id or ""}
        return Call(operation, path={**user, **(path or {})}, has_user=False, **parts)


class AsyncDocuments:
    """
    The documents of one user. A write names the ETag that was read in ``if_match``, where ``*`` writes in any case, or else
    says ``create`` to write only what does not exist yet. To repeat a write safely, give it the same ``idempotency_key``;
    the default is a new one.
    """

    def __init__(self, client: AsyncDocumentsClient) -> None:
        self._client = client

    async def get(self, namespace: str, path: str, **fields: Any) -> Optional[models.DocumentAnswer]:
        """Returns ``None`` if there is no such document. Fields are ``at``, ``as_of``, ``known_at``, ``profile_id``."""
        call = self._client._call("documents.get", {"namespace": namespace, "path": path}, query=fields)
        return cast(Optional[models.DocumentAnswer], await self._client._find(call, "DOCUMENT_NOT_FOUND"))

    async def patch(
        self,
        namespace: str,
        path: str,
        patch: Mapping[str, Any],
        *,
        if_match: Optional[str] = None,
        create: bool = False,
        idempotency_key: Optional[str] = None,
    ) -> models.WriteAnswer:
        """Applies JSON Patch operations, all or none. Raises EtagMismatchError if somebody else changed the document since."""
        headers = _conditions(if_match, create, idempotency_key)
        place = {"namespace": namespace, "path": path}
        call = self._client._call("documents.patch", place, body=patch, headers=headers)
        return cast(models.WriteAnswer, await self._client._answer(call))

    async def patch_with_rebase(
        self,
        namespace: str,
        path: str,
        patch: Mapping[str, Any],
        *,
        base: Optional[models.DocumentAnswer],
        rebases: int = 1,
        idempotency_key: Optional[str] = None,
    ) -> models.WriteAnswer:
        """
        Writes a patch that was made for a version that may be stale. Keeps concurrent changes and follows array elements to
        their current index. All attempts use the same idempotency key, so nothing is applied twice. Raises PatchConflictError
        if the patch cannot be rebased.

        :param base: the document that the operations were made for, as it was read; ``None`` if there was none
        :param rebases: how often to rebase the patch on a concurrently changed document
        """
        key = idempotency_key or str(uuid.uuid4())
        current, operations = base, patch["ops"]
        for left in range(rebases, -1, -1):
            etag = current.etag if current is not None else None
            try:
                changed = {**patch, "ops": operations}
                return await self.patch(
                    namespace, path, changed, if_match=etag, create=etag is None, idempotency_key=key
                )
            except EtagMismatchError:
                current = await self.get(namespace, path)
            if current is None:
                raise PatchConflictError("The document was deleted.", None)
            if left > 0:
                operations = rebase_document_patch(base, current, patch["ops"])
        raise PatchConflictError("The document keeps being changed by others.", current)

    async def replace(
        self,
        namespace: str,
        path: str,
        replacement: Mapping[str, Any],
        *,
        if_match: Optional[str] = None,
        create: bool = False,
        idempotency_key: Optional[str] = None,
    ) -> models.WriteAnswer:
        """Replaces the content. Needs the role admin, unless the profile permits it. Raises as ``patch`` does."""
        headers = _conditions(if_match, create, idempotency_key)
        place = {"namespace": namespace, "path": path}
        call = self._client._call("documents.replace", place, body=replacement, headers=headers)
        return cast(models.WriteAnswer, await self._client._answer(call))

    async def history(
        self, namespace: str, path: str, *, limit: Optional[int] = None, cursor: Optional[str] = None
    ) -> models.DocumentHistory:
        """Returns a page of versions, newest first."""
        place = {"namespace": namespace, "path": path}
        call = self._client._call("documents.history", place, query={"limit": limit, "cursor": cursor})
        return cast(models.DocumentHistory, await self._client._answer(call))

    async def list(
        self, *, namespace: Optional[str] = None, limit: Optional[int] = None, cursor: Optional[str] = None
    ) -> models.DocumentList:
        """Returns a page of paths, ETags and sizes."""
        query = {"namespace": namespace, "limit": limit, "cursor": cursor}
        return cast(models.DocumentList, await self._client._answer(self._client._call("documents.list", query=query)))


class AsyncEvents:
    """What happened, beside the documents."""

    def __init__(self, client: AsyncDocumentsClient) -> None:
        self._client = client

    async def write(self, event: Mapping[str, Any]) -> str:
        """Writes an event and returns its id. Replaces an existing event with the same ``event_id``."""
        call = self._client._call("events.write", body={"event": event})
        return cast(str, (await self._client._answer(call)).event_id)

    async def search(self, query: Optional[str] = None, **filters: Any) -> List[models.Event]:
        """Returns the best match first, or the newest first if there is no query."""
        body = {"query": query, **to_filters(filters)}
        answer = await self._client._answer(self._client._call("events.search", body=body))
        return cast(List[models.Event], answer.results)


def _conditions(if_match: Optional[str], create: bool, idempotency_key: Optional[str]) -> Mapping[str, Optional[str]]:
    return {
        "If-Match": if_match,
        "If-None-Match": "*" if create else None,
        "Idempotency-Key": idempotency_key or str(uuid.uuid4()),
    }
