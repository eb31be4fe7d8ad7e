"""A session of the OpenAI Agents SDK in Memhall."""

from __future__ import annotations

import json
from typing import Any, Dict, Iterator, List, Mapping, Optional

from . import _models as models
from ._async.memory import AsyncMemoryClient

_page_size = 100
_most_entries = 500
#: Of one request, whose limit is 1 MiB.
_most_bytes = 900_000
#: Of a text that is also in the metadata.
_most_characters = 100_000
_roles = {"user": "user", "assistant": "assistant", "system": "system", "developer": "system"}


class MemhallSession:
    """
    The history of a conversation, as the OpenAI Agents SDK keeps it. Each item is one interaction of episodic memory: its text
    is what recall finds, and the rest of the item is in ``metadata``, up to 65,536 characters. Calls of tools and what they
    return have the role ``tool``.

    :param client: the memory service; ``with_options(user_id=...)`` says for whom a service token acts
    :param agent_id: the agent whose interactions they are; sessions of different agents share nothing
    :param session_settings: those of the SDK; their ``limit`` counts where a call says none
    """

    def __init__(
        self,
        session_id: str,
        client: AsyncMemoryClient,
        *,
        agent_id: str = "openai-agents",
        session_settings: Any = None,
    ) -> None:
        self.session_id = session_id
        self.session_settings = session_settings
        self._client = client
        self._agent_id = agent_id

    async def get_items(self, limit: Optional[int] = None) -> List[Any]:
        """Returns the items, oldest first; with a limit, the latest."""
        most = limit if limit is not None else getattr(self.session_settings, "limit", None)
        items: List[Any] = []
        if most is not None and most <= 0:
            return items
        page = min(most or _page_size, _page_size)
        async for one in self._client.all_interactions(self._agent_id, session_id=self.session_id, limit=page):
            items.append(_to_item(one))
            if len(items) == most:
                break
        return items[::-1]

    async def add_items(self, items: List[Any]) -> None:
        """Adds items after the others. All or none, unless they are more than 500 or 900 kB, which are several requests."""
        for entries in _requests(self._to_entry(item) for item in items):
            await self._client.log_interactions(entries)

    async def pop_item(self) -> Optional[Any]:
        """Removes the last item and returns it. Of several callers at once, each gets another item."""
        while True:
            last = await self._client.recent_interactions(self._agent_id, session_id=self.session_id, limit=1)
            if len(last.entries) == 0:
                return None
            if await self._client.delete_interaction(last.entries[0].id):
                return _to_item(last.entries[0])

    async def clear_session(self) -> None:
        """Removes all items."""
        await self._client.delete_interactions(self._agent_id, self.session_id)

    def _to_entry(self, item: Mapping[str, Any]) -> Dict[str, Any]:
        text = _text_of(item)
        entry = {"agent_id": self._agent_id, "session_id": self.session_id, "role": _roles.get(item.get("role", ""), "tool")}
        for name in ("content", "output"):
            if item.get(name) == text:
                rest = {key: value for key, value in item.items() if key != name}
                return {**entry, "content": text, "metadata": {"item": rest, "text": name}}
        return {**entry, "content": text[:_most_characters], "metadata": {"item": item}}


def _to_item(entry: models.EpisodicEntry) -> Any:
    item, name = entry.metadata["item"], entry.metadata.get("text")
    return item if name is None else {**item, name: entry.content}


def _text_of(item: Mapping[str, Any]) -> str:
    """Returns what recall finds: what is said, the call of a tool or what it returned, or else the type of the item."""
    said = _texts(item.get("content")) or _texts(item.get("output")) or _texts(item.get("summary"))
    call = " ".join(str(item[name]) for name in ("name", "arguments") if item.get(name))
    return ("\n".join(said) or call or str(item.get("type", "item"))).encode("utf-8", "replace").decode()


def _texts(content: Any) -> List[str]:
    if isinstance(content, str):
        return [content] if content.strip() else []
    parts = content if isinstance(content, list) else []
    texts = [part.get("text") or part.get("refusal") for part in parts if isinstance(part, Mapping)]
    return [text for text in texts if isinstance(text, str) and text.strip()]


def _requests(entries: Iterator[Dict[str, Any]]) -> Iterator[List[Dict[str, Any]]]:
    """Groups entries so that each group fits into one request."""
    group: List[Dict[str, Any]] = []
    size = 0
    for entry in entries:
        more = len(json.dumps(entry)) + 2
        if group and (len(group) == _most_entries or size + more > _most_bytes):
            yield group
            group, size = [], 0
        group.append(entry)
        size += more
    if group:
        yield group
