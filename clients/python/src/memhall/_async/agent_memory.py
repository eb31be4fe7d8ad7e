"""Memory of agents in namespaces."""

from __future__ import annotations

from typing import Any, Mapping, Optional, Sequence, Union, cast

from .._agent_memory import CommittedMemory, CorrectedMemory, FoundMemories, Namespaces, read_result, to_message
from .._requests import Call, to_wire
from ..errors import NotFoundError
from .client_area import AsyncClientArea


class AsyncAgentMemoryClient(AsyncClientArea):
    """
    Client for agent memory in namespaces, in the server's own store or in its memory plugin. It has one method for each tool
    that models call over MCP. Memories are strings, or mappings with the members of the tool.
    """

    async def commit_memory(self, memory: Union[str, Mapping[str, Any]]) -> CommittedMemory:
        """Stores a memory: ``content`` and, if wanted, ``namespace``, ``kind``, ``pin``, ``expires_at``, ``propagation``."""
        return cast(CommittedMemory, await self._call(CommittedMemory, "commit_memory", _content(memory)))

    async def commit_summary(self, summary: Union[str, Mapping[str, Any]]) -> CommittedMemory:
        """Stores a summary, which expires in 30 days unless ``expires_at`` says otherwise."""
        return cast(CommittedMemory, await self._call(CommittedMemory, "commit_summary", _content(summary)))

    async def search_memory(
        self,
        query: Optional[str] = None,
        *,
        namespaces: Optional[Sequence[str]] = None,
        kinds: Optional[Sequence[str]] = None,
        limit: Optional[int] = None,
    ) -> FoundMemories:
        """Searches everything that the token may read. Without a query, pinned memories come first, then the newest."""
        search = {"query": query, "namespaces": namespaces, "kinds": kinds, "limit": limit}
        given = {name: value for name, value in search.items() if value is not None}
        return cast(FoundMemories, await self._call(FoundMemories, "search_memory", given))

    async def update_memory(self, memory_id: str, change: Mapping[str, Any]) -> CorrectedMemory:
        """Changes a memory of any surface: ``content``, ``pin``, ``tags``, ``expires_at``, where ``None`` removes the expiry."""
        given = {"memory_id": memory_id, **change}
        return cast(CorrectedMemory, await self._call(CorrectedMemory, "update_memory", given))

    async def forget_memory(self, memory_id: str, *, namespace: Optional[str] = None) -> bool:
        """Deletes the memory permanently. Returns False if there is none, or not in the given namespace."""
        place = {"namespace": namespace} if namespace is not None else {}
        try:
            await self._call(Any, "forget_memory", {"memory_id": memory_id, **place})
        except NotFoundError:
            return False
        return True

    async def list_namespaces(self) -> Namespaces:
        return cast(Namespaces, await self._call(Namespaces, "list_namespaces", {}))

    async def list_readable_namespaces(self) -> Namespaces:
        return cast(Namespaces, await self._call(Namespaces, "list_readable_namespaces", {}))

    async def list_writable_namespaces(self) -> Namespaces:
        return cast(Namespaces, await self._call(Namespaces, "list_writable_namespaces", {}))

    async def _call(self, kind: Any, tool: str, arguments: Mapping[str, Any]) -> Any:
        query = {"user_id": self._options.user_id}
        message = to_message(tool, to_wire(arguments))
        return read_result(kind, tool, await self._answer(Call("mcp.post", query=query, raw=message, has_user=False)))


def _content(memory: Union[str, Mapping[str, Any]]) -> Mapping[str, Any]:
    return {"content": memory} if isinstance(memory, str) else memory
