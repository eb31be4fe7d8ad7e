"""Conversations of a user, what is learned from them, and what could not be applied."""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import TYPE_CHECKING, Any, AsyncIterator, Mapping, Optional, cast

from .. import _models as models
from ..errors import UnavailableError
from .client_area import each_item

if TYPE_CHECKING:
    from .documents import AsyncDocumentsClient


class AsyncConversations:
    """Conversations of the user, stored encrypted."""

    def __init__(self, client: AsyncDocumentsClient) -> None:
        self._client = client

    async def snapshot(self, conversation_id: str, snapshot: Mapping[str, Any]) -> models.SnapshotTaken:
        """Stores a conversation and, unless ``replay`` is False, learns from it in the background."""
        path = {"conversation_id": conversation_id}
        call = self._client._call("conversations.snapshot", path, body=snapshot)
        return cast(models.SnapshotTaken, await self._client._answer(call))

    async def list_snapshots(
        self, conversation_id: str, *, limit: Optional[int] = None, cursor: Optional[str] = None
    ) -> models.ConversationsListSnapshotsResponse:
        """Returns one page. Needs the role admin."""
        query = {"limit": limit, "cursor": cursor}
        call = self._client._call("conversations.listSnapshots", {"conversation_id": conversation_id}, query=query)
        return cast(models.ConversationsListSnapshotsResponse, await self._client._answer(call))

    def each_snapshot(self, conversation_id: str, *, limit: Optional[int] = None) -> AsyncIterator[Any]:
        """Yields all of them. ``limit`` is the size of a page."""
        return each_item(lambda cursor: self.list_snapshots(conversation_id, limit=limit, cursor=cursor), "snapshots")

    async def read_snapshot(self, conversation_id: str, snapshot_id: str) -> Optional[models.Snapshot]:
        """Reads a stored conversation, which leaves an audit record; ``None`` if it is gone. Needs the role admin."""
        path = {"conversation_id": conversation_id, "snapshot_id": snapshot_id}
        call = self._client._call("conversations.readSnapshot", path)
        return cast(Optional[models.Snapshot], await self._client._find(call))


class AsyncReplays:
    """What is learned from conversations."""

    def __init__(self, client: AsyncDocumentsClient) -> None:
        self._client = client

    async def get(self, replay_id: str) -> Optional[models.Replay]:
        """Returns ``None`` if there is no such replay."""
        call = self._client._call("replays.get", {"replay_id": replay_id})
        return cast(Optional[models.Replay], await self._client._find(call))

    async def finished(self, replay_id: str, *, within: float = 300.0, every: float = 0.5) -> models.Replay:
        """
        Waits until a replay is completed or failed, and returns it. Looks ``every`` so many seconds. Raises NotFoundError if
        there is none, and UnavailableError if it takes longer than ``within``.
        """
        call = self._client._call("replays.get", {"replay_id": replay_id})
        until = monotonic() + within
        while True:
            replay = cast(models.Replay, await self._client._answer(call))
            if replay.status in ("completed", "failed"):
                return replay
            if monotonic() + every > until:
                raise UnavailableError("TIMEOUT", f"The replay {replay_id} is still {replay.status} after {within} s.")
            await asyncio.sleep(every)


class AsyncUnresolvedPatches:
    """Patches of the user that replays could not apply, oldest first; or, as the review queue, those of all users of the tenant."""

    def __init__(self, client: AsyncDocumentsClient, operations: str) -> None:
        self._client = client
        self._operations = operations

    async def list(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> models.UnresolvedListResponse:
        """Returns one page."""
        call = self._client._call(f"{self._operations}.list", query={"limit": limit, "cursor": cursor})
        return cast(models.UnresolvedListResponse, await self._client._answer(call))

    def each(self, *, limit: Optional[int] = None) -> AsyncIterator[models.UnresolvedPatch]:
        """Yields all of them. ``limit`` is the size of a page."""
        return each_item(lambda cursor: self.list(limit=limit, cursor=cursor), "patches")

    async def apply(self, patch_id: str) -> models.WriteAnswer:
        """Applies a patch to the current document. Keeps the changes of others. Raises what prevents it."""
        call = self._client._call(f"{self._operations}.apply", {"patch_id": patch_id})
        return cast(models.WriteAnswer, await self._client._answer(call))

    async def discard(self, patch_id: str) -> None:
        await self._client._answer(self._client._call(f"{self._operations}.discard", {"patch_id": patch_id}))
