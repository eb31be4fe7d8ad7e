from __future__ import annotations

import asyncio
import re

import pytest
from conftest import Server, root

from memhall import AsyncMemoryClient, ConflictError, MemoryClient, PreconditionFailedError


@pytest.fixture
def memory(server: Server, request: pytest.FixtureRequest) -> MemoryClient:
    return MemoryClient(server.url, server.token(request.node.name))


def test_knowledge(memory: MemoryClient) -> None:
    stored = memory.store_knowledge({"content": "Docker runs containers.", "external_id": "doc-1"})
    assert memory.query_knowledge("containers").entries[0].id == stored.id
    assert memory.get_knowledge(stored.id) is not None
    found = memory.get_knowledge_by_external_id("doc-1")
    assert found is not None and found.id == stored.id
    memory.store_knowledge({"content": "Podman, too.", "tags": ["tools"]})
    assert len(list(memory.all_knowledge(limit=1, include_public=False))) == 2
    assert memory.delete_matching_knowledge(tag="tools") == 1
    assert memory.delete_knowledge_by_external_id("doc-1") is True
    assert memory.delete_knowledge(stored.id) is False


def test_interactions_and_skills(memory: MemoryClient) -> None:
    memory.log_interaction({"agent_id": "a", "role": "user", "content": "Hello.", "session_id": "s"})
    logged = memory.log_interactions([{"agent_id": "a", "role": "assistant", "content": "Hi, I am a heron."}] * 2)
    assert len(logged.entries) == 2
    assert [one.role for one in memory.all_interactions("a", limit=1)] == ["assistant", "assistant", "user"]
    assert memory.search_interactions("a", "heron").entries[0].content == "Hi, I am a heron."
    assert memory.delete_interactions("a", "s") == 1
    assert memory.delete_interaction(logged.entries[0].id) is True
    assert memory.get_interaction(logged.entries[0].id) is None
    skill = memory.store_skill({"agent_id": "a", "procedure_type": "skill", "content": "Stand still, then strike."})
    assert memory.relevant_skills("a", "strike").entries[0].id == skill.id
    assert [one.id for one in memory.all_skills(agent_id="a")] == [skill.id]
    assert memory.delete_skill(skill.id) is True and memory.get_skill(skill.id) is None


def test_working_memory(memory: MemoryClient) -> None:
    entry = memory.set_plan_state("p", "k", None, only_if_absent=True)
    assert (entry.value, entry.etag != "") == (None, True)
    with pytest.raises(PreconditionFailedError):
        memory.set_plan_state("p", "k", 1, only_if_absent=True)
    changed = memory.set_plan_state("p", "k", {"a": [1, None]}, if_match=entry.etag, ttl_seconds=60)
    assert changed.value == {"a": [1, None]} and changed.expires_at is not None
    with pytest.raises(PreconditionFailedError):
        memory.delete_plan_state("p", "k", if_match=entry.etag)
    assert [one.key for one in memory.all_plan_state("p")] == ["k"]
    assert [one.key for one in memory.all_plan_state("p", prefix="k")] == ["k"]
    assert list(memory.all_plan_state("p", prefix="l")) == []
    assert memory.delete_plan_state("p", "k") is True and memory.get_plan_state("p", "k") is None
    assert memory.clear_plan_state("p").deleted_count == 0


def test_tasks_plans_and_sessions(memory: MemoryClient) -> None:
    session = memory.create_session({"session_id": "s", "agent_id": "a"})
    assert memory.touch_session("s").etag != session.etag
    plan = memory.create_plan({"plan_id": "p", "goal_event": "research.requested", "session_id": "s"})
    with pytest.raises(ConflictError):
        memory.create_plan({"plan_id": "p", "goal_event": "again"})
    assert memory.update_plan("p", {"status": "paused"}, if_match=plan.etag).status == "paused"
    assert [one.plan_id for one in memory.all_plans(status="active")] == ["p"]
    memory.change_correlations("p", {"add": ["c1"]})
    waiting = memory.get_plan_by_correlation("c1")
    assert waiting is not None and waiting.plan_id == "p"
    page = memory.get_session("s")
    assert page is not None and [one.plan_id for one in page.plans] == ["p"]
    task = memory.store_task_context({"task_id": "t", "plan_id": "p", "event_type": "x", "sub_tasks": ["s1"]})
    assert memory.get_task_by_subtask("s1") is not None
    done = memory.change_sub_tasks("t", {"remove": ["s1"], "lease_seconds": 30})
    assert done.became_empty and done.etag != task.etag
    with pytest.raises(ConflictError):
        memory.take_task_lease("t")
    assert [one.task_id for one in memory.all_task_contexts(plan_id="p")] == ["t"]
    assert memory.delete_task_context("t", lease_id=done.lease.lease_id if done.lease else None) is True
    assert memory.delete_plan("p") is True and memory.delete_session("s") is True


def test_is_asynchronous_too(server: Server) -> None:
    async def run() -> None:
        async with AsyncMemoryClient(server.url, server.token("async-service")) as memory:
            await memory.store_knowledge({"content": "Docker runs containers."})
            assert [one.content async for one in memory.all_knowledge()] == ["Docker runs containers."]
            assert await memory.get_plan("none") is None

    asyncio.run(run())


def test_has_the_names_of_the_typescript_client() -> None:
    for file in ["knowledge", "working-memory", "task", "state"]:
        source = (root / "packages" / "client" / "src" / f"{file}-client.ts").read_text()
        for name in re.findall(r"^  (?:async )?([a-z]\w*)\(", source, re.MULTILINE):
            snake = re.sub(r"[A-Z]", lambda found: f"_{found.group().lower()}", name)
            assert name == "constructor" or hasattr(MemoryClient, snake), f"MemoryClient lacks {snake}"
