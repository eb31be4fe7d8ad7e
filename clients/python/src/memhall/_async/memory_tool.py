"""Files that a model keeps as its memory."""

from __future__ import annotations

from typing import Any, Mapping, Optional, cast

from .. import _models as models
from .._requests import Call
from .client_area import AsyncClientArea


class AsyncMemoryToolClient(AsyncClientArea):
    """Client for files that a model keeps as its memory, with the tool ``memory_20250818`` of Anthropic's API."""

    async def run(self, command: Mapping[str, Any], *, agent_id: Optional[str] = None) -> models.ToolResult:
        """
        Carries out one command, which is the input that the model gave the tool. What the model did wrong is a result too,
        with ``is_error``.

        :param agent_id: the agent whose files they are. Default: that of the token; without one, the files are the user's own
        """
        call = Call("files.run", body={**command, "agent_id": agent_id})
        return cast(models.ToolResult, await self._answer(call))
