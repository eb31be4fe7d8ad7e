"""The session, called as the OpenAI Agents SDK calls it: `Session` is its published protocol."""

from __future__ import annotations

import asyncio
from typing import Any, Awaitable, Callable, List, NamedTuple, Optional, Protocol, runtime_checkable

import pytest
from conftest import Server

from memhall import AsyncMemoryClient, AsyncOneMemoryClient, InvalidRequestError
from memhall.agents import MemhallSession


@runtime_checkable
class Session(Protocol):
    """Stands in for ``agents.memory.Session``, which the tests do not need to have installed."""

    session_id: str
    session_settings: Optional[Any] = None

    async def get_items(self, limit: Optional[int] = None) -> List[Any]: ...

    async def add_items(self, items: List[Any]) -> None: ...

    async def pop_item(self) -> Optional[Any]: ...

    async def clear_session(self) -> None: ...


class SessionSettings(NamedTuple):
    limit: Optional[int] = None


turn: List[Any] = [
    {"role": "user", "content": "How is the weather in Ghent?"},
    {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAA"},
    {"type": "function_call", "call_id": "c1", "name": "weather", "arguments": '{"city":"Ghent"}', "status": None},
    {"type": "function_call_output", "call_id": "c1", "output": " Drizzle, é 11 degrees.\n"},
    {
        "type": "message",
        "id": "msg_1",
        "role": "assistant",
        "status": "completed",
        "content": [{"type": "output_text", "text": "Take an umbrella.", "annotations": [], "logprobs": []}],
    },
]


def run(server: Server, user: str, check: Callable[[AsyncMemoryClient], Awaitable[None]]) -> None:
    async def connected() -> None:
        async with AsyncMemoryClient(server.url, server.token(user)) as client:
            await check(client)

    asyncio.run(connected())


def test_keeps_the_items_of_a_conversation(server: Server) -> None:
    async def check(client: AsyncMemoryClient) -> None:
        session: Session = MemhallSession("chat-1", client)
        assert isinstance(session, Session) and session.session_id == "chat-1"
        assert await session.get_items() == [] and await session.pop_item() is None
        await session.add_items([])
        await session.add_items(turn)
        await session.add_items([{"role": "developer", "content": [{"type": "input_text", "text": "Be brief."}]}])
        items = await MemhallSession("chat-1", client).get_items()
        assert items[:5] == turn and items[5]["role"] == "developer"
        assert await session.get_items(2) == items[-2:] and await session.get_items(0) == []
        assert await MemhallSession("chat-1", client, session_settings=SessionSettings(1)).get_items() == items[-1:]
        assert await session.pop_item() == items[5] and await session.pop_item() == turn[4]
        assert await session.get_items() == turn[:4]
        for other in [MemhallSession("chat-2", client), MemhallSession("chat-1", client, agent_id="other")]:
            assert await other.get_items() == []
            await other.clear_session()
        await session.clear_session()
        assert await session.get_items() == []

    run(server, "agents-items", check)


def test_is_recalled(server: Server) -> None:
    async def check(client: AsyncMemoryClient) -> None:
        await MemhallSession("chat-1", client).add_items(turn)
        roles = [one.role for one in (await client.recent_interactions("openai-agents")).entries]
        assert roles == ["assistant", "tool", "tool", "tool", "user"]
        async with AsyncOneMemoryClient(server.url, server.token("agents-recall")) as memory:
            (found,) = (await memory.recall("umbrella")).results
            assert found.text == "Take an umbrella."
            assert (await memory.recall("drizzle")).results[0].trust == "tool"

    run(server, "agents-recall", check)


def test_keeps_long_conversations_in_order(server: Server) -> None:
    async def check(client: AsyncMemoryClient) -> None:
        session = MemhallSession("chat-1", client)
        items = [{"role": "user", "content": str(number)} for number in range(501)]
        await session.add_items(items)
        await session.add_items([{"role": "user", "content": letter * 150_000} for letter in "abcdefg"])
        assert (await session.get_items(508))[:501] == items
        assert [len(one["content"]) for one in await session.get_items(7)] == [150_000] * 7
        with pytest.raises(InvalidRequestError):
            await session.add_items([{"role": "user", "content": "x" * 250_000}])
        popped = await asyncio.gather(*(session.pop_item() for _ in range(8)))
        assert sorted(one["content"][:3] for one in popped) == ["500", *(letter * 3 for letter in "abcdefg")]
        assert len(await session.get_items()) == 500

    run(server, "agents-long", check)
