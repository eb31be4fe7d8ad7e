from __future__ import annotations

import asyncio
import re
from datetime import datetime, timedelta, timezone

import pytest
from conftest import Server, root

from memhall import (
    AgentMemoryClient,
    AsyncAgentMemoryClient,
    ForbiddenError,
    InvalidRequestError,
    NotFoundError,
    UnauthenticatedError,
)


def test_commits_finds_corrects_and_forgets(server: Server) -> None:
    token = server.token("pia", workspace_id="website", team_id="blue", org_id="acme")
    with AgentMemoryClient(server.url, token) as memory:
        readable = [one.name for one in memory.list_readable_namespaces().namespaces]
        assert readable == ["workspace:website", "team:blue", "org:acme"]
        assert [one.writable for one in memory.list_writable_namespaces().namespaces] == [True, True]
        assert len(memory.list_namespaces().namespaces) == 3
        secret = f"DEPLOY_TOKEN={'a1B2' * 4}"
        release = {"content": f"Releases are cut on Thursdays. {secret}", "namespace": "team:blue", "pin": True}
        stored = memory.commit_memory(release)
        assert (stored.namespace, stored.redactions, stored.expires_at) == ("team:blue", 1, None)
        summary = memory.commit_summary("We talked about releases.")
        assert summary.expires_at is not None and summary.expires_at > datetime.now(timezone.utc)
        first, second = memory.search_memory("releases").memories
        assert (first.memory_id, first.pinned, first.origin.surface) == (stored.memory_id, True, "mcp")
        assert (second.memory_id, second.kind) == (summary.memory_id, "summary")
        assert "[REDACTED:TOKEN]" in first.content and first.from_ != ""
        assert len(memory.search_memory(kinds=["summary"], limit=1).memories) == 1
        tomorrow = datetime.now(timezone.utc) + timedelta(days=1)
        corrected = memory.update_memory(stored.memory_id, {"content": "On Fridays.", "expires_at": tomorrow})
        assert corrected.expires_at is not None and abs(corrected.expires_at - tomorrow) < timedelta(seconds=1)
        assert memory.update_memory(stored.memory_id, {"expires_at": None}).expires_at is None
        assert memory.forget_memory(stored.memory_id, namespace="workspace:website") is False
        assert memory.forget_memory(stored.memory_id, namespace="team:blue") is True
        assert memory.forget_memory(stored.memory_id) is False


def test_says_what_was_wrong(server: Server) -> None:
    memory = AgentMemoryClient(server.url, server.token("quinn", org_id="acme"))
    with pytest.raises(ForbiddenError) as error:
        memory.commit_memory({"content": "x", "namespace": "org:acme"})
    assert error.value.details["writable"] == ["workspace:quinn"] and error.value.request_id is not None
    with pytest.raises(InvalidRequestError):
        memory.commit_memory({"content": "x", "colour": "red"})
    with pytest.raises(NotFoundError):
        memory.update_memory("01a1f51a-4821-7982-a1bf-d26b7fdf26be", {"content": "x"})
    with pytest.raises(UnauthenticatedError):
        AgentMemoryClient(server.url, "nonsense").search_memory()


def test_is_asynchronous_too_and_acts_for_a_user(server: Server) -> None:
    async def run() -> None:
        token = server.token("app", roles=["service"])
        async with AsyncAgentMemoryClient(server.url, token, user_id="rosa") as memory:
            assert (await memory.commit_memory("Hers.")).namespace == "workspace:rosa"
            assert [one.content for one in (await memory.search_memory()).memories] == ["Hers."]

    asyncio.run(run())


def test_has_the_names_of_the_typescript_client() -> None:
    source = (root / "packages" / "client" / "src" / "agent-memory-client.ts").read_text()
    names = re.findall(r"^  ([a-z]\w*)\(", source, re.MULTILINE)
    assert len(names) == 9
    for name in names:
        snake = re.sub(r"[A-Z]", lambda found: f"_{found.group().lower()}", name)
        assert name == "constructor" or hasattr(AgentMemoryClient, snake), f"AgentMemoryClient lacks {snake}"
