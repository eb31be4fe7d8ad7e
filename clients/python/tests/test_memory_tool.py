from __future__ import annotations

import asyncio

import pytest
from conftest import Server

from memhall import AsyncMemoryToolClient, InvalidRequestError, MemoryToolClient, OneMemoryClient


def test_carries_out_what_a_model_asks_for(server: Server) -> None:
    token = server.token("nora")
    with MemoryToolClient(server.url, token) as files:
        note = {"command": "create", "path": "/memories/tea.md", "file_text": "Nora takes tea without milk.\n"}
        assert files.run(note).content == "File created successfully at: /memories/tea.md"
        again = files.run(note)
        assert again.is_error and "already exists" in again.content
        assert "tea.md" not in files.run({"command": "view", "path": "/memories"}, agent_id="planner").content
        seen = files.run({"command": "view", "path": "/memories/tea.md", "view_range": [1, 1]})
        assert not seen.is_error and seen.content.endswith("1\tNora takes tea without milk.")
        with pytest.raises(InvalidRequestError):
            files.run({"command": "create", "path": "/memories/tea.md"})
    with OneMemoryClient(server.url, token) as memory:
        assert memory.recall("tea").results[0].text == "Nora takes tea without milk."


def test_is_asynchronous_too(server: Server) -> None:
    async def run() -> None:
        async with AsyncMemoryToolClient(server.url, server.token("backend", roles=["service"]), user_id="omar") as files:
            await files.run({"command": "create", "path": "/memories/omar.md", "file_text": "x"})
            assert "omar.md" in (await files.run({"command": "view", "path": "/memories"})).content
            nora = files.with_options(user_id="nora")
            assert "omar.md" not in (await nora.run({"command": "view", "path": "/memories"})).content

    asyncio.run(run())
