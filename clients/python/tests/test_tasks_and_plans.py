from __future__ import annotations

import asyncio
import re
from typing import Any, List, Optional, Tuple

import pytest
from conftest import Server, root

from memhall import (
    AsyncMemoryClient,
    AsyncTaskContext,
    ConflictError,
    EtagMismatchError,
    MemoryClient,
    NotFoundError,
    PlanContext,
    TaskContext,
    TaskResponse,
)

request = {"task_id": "t1", "event_type": "research.requested", "response_event": "research.done", "data": {"q": "tea"}}
parts = ["models", "hardware"]


def id_of(part: str) -> str:
    return f"t1:{part}"


def connect(server: Server, user: str) -> MemoryClient:
    return MemoryClient(server.url, server.token(user))


def test_a_task_outlives_its_worker(server: Server) -> None:
    memory = connect(server, "task-user")
    sent: List[Tuple[str, str]] = []
    responses: List[TaskResponse] = []

    def send(sub_task_id: str, part: str) -> None:
        sent.append((sub_task_id, part))

    task = TaskContext.begin(memory, request)
    assert task is not None and (task.step, task.data, task.plan_id) == ("delegate", {"q": "tea"}, None)
    with pytest.raises(ConflictError) as held:
        TaskContext.begin(memory, request)
    assert held.value.code == "LEASE_HELD"
    assert task.delegate_all(parts, send, id_of) == ["t1:models", "t1:hardware"]
    again = TaskContext.begin(memory, request)
    assert again is not None and again.step == "wait"
    assert again.resend_all(parts, send, id_of) == ["t1:models", "t1:hardware"] and len(sent) == 4

    first = TaskContext.restore_by_subtask(memory, "t1:models")
    assert first is not None and first.event_type == "research.requested"
    first.update_state(lambda state: {**state, "models": 3})
    assert first.finish_sub_task("t1:models") is False
    assert TaskContext.restore_by_subtask(memory, "t1:models") is None
    last = TaskContext.restore_by_subtask(memory, "t1:hardware")
    assert last is not None and last.state == {"models": 3} and list(last.sub_tasks) == ["t1:hardware"]
    assert last.finish_sub_task("t1:hardware") is True and last.step == "complete"

    def fail(response: TaskResponse) -> None:
        raise RuntimeError("The bus is down.")

    with pytest.raises(RuntimeError):
        last.complete({"found": 3}, fail)
    other = TaskContext.begin(memory, request)
    assert other is not None and other.step == "complete"
    other.complete({"found": 3}, responses.append)
    assert responses == [TaskResponse("t1", "research.done", "action-results", {"found": 3})]
    assert TaskContext.begin(memory, request) is None and TaskContext.restore(memory, "t1") is None
    with pytest.raises(NotFoundError):
        last.refresh()


def test_a_sub_task_that_cannot_be_sent_is_not_waited_for(server: Server) -> None:
    memory = connect(server, "sub-task-user")

    def fail(sub_task_id: str) -> None:
        raise RuntimeError("The bus is down.")

    task = TaskContext(memory, {"task_id": "t2", "event_type": "x", "state": {"a": 1}})
    with pytest.raises(RuntimeError):
        task.delegate(fail, "t2:one")
    assert TaskContext.restore_by_subtask(memory, "t2:one") is None
    sent: List[str] = []
    assert [task.delegate(sent.append)] == sent
    stale = TaskContext.restore(memory, "t2")
    assert stale is not None and stale.state == {"a": 1}
    task.state = {"a": 2}
    task.save()
    stale.state = {"a": 3}
    with pytest.raises(EtagMismatchError):
        stale.save()


def test_workers_that_change_a_task_at_once_lose_nothing(server: Server) -> None:
    async def run() -> None:
        async with AsyncMemoryClient(server.url, server.token("racing-tasks")) as memory:
            ids = [f"t3:{number}" for number in range(6)]

            async def nothing(sub_task_id: str, part: str) -> None:
                pass

            task = await AsyncTaskContext.begin(memory, {"task_id": "t3", "event_type": "x"})
            assert task is not None
            await task.delegate_all(ids, nothing, lambda part: part)

            async def finish(id: str) -> bool:
                found: Optional[AsyncTaskContext] = await AsyncTaskContext.restore_by_subtask(memory, id)
                assert found is not None
                await found.update_state(lambda state: {**state, id: True})
                return await found.finish_sub_task(id)

            assert sum(await asyncio.gather(*(finish(id) for id in ids))) == 1
            read = await memory.get_task_context("t3")
            assert read is not None and sorted(read.state) == ids

    asyncio.run(run())


def test_a_plan_outlives_its_planner(server: Server) -> None:
    memory = connect(server, "plan-user")
    plan = PlanContext(memory, {"plan_id": "p1", "goal_event": "goal", "goal_data": {"q": 1}, "current_state": "new"})
    assert (plan.status, plan.current_state, list(plan.correlation_ids)) == ("running", "new", [])
    plan.state["searches"] = 2
    plan.transition("searching", wait_for=["c1", "c2"])
    found = PlanContext.restore_by_correlation(memory, "c1")
    assert found is not None and (found.current_state, found.state) == ("searching", {"searches": 2})
    seen: List[Any] = []

    def count(waiting: Any) -> Any:
        seen.append(waiting.correlation_ids)
        return {"state": {**waiting.state, "done": True}}

    assert found.receive("c1", count) is True and found.receive("c1", count) is False
    assert (seen, found.state, list(found.correlation_ids)) == ([["c2"]], {"searches": 2, "done": True}, ["c2"])
    with pytest.raises(EtagMismatchError):
        plan.transition("reading")
    found.pause()
    assert found.status == "paused"
    found.resume()
    found.complete()
    assert (found.status, list(found.correlation_ids), found.goal_data) == ("completed", [], {"q": 1})
    with pytest.raises(ConflictError):
        found.cancel()
    with pytest.raises(ConflictError):
        PlanContext(memory, {"plan_id": "p1", "goal_event": "goal"}).save()
    found.delete()
    assert PlanContext.restore(memory, "p1") is None and found.receive("c2") is False


def test_has_the_names_of_the_typescript_client() -> None:
    def snake(name: str) -> str:
        return re.sub(r"[A-Z]", lambda found: f"_{found.group().lower()}", name)

    contexts = {"task-context": TaskContext, "stored-task": TaskContext, "plan-context": PlanContext}
    for file, context in contexts.items():
        source = (root / "packages" / "client" / "src" / f"{file}.ts").read_text()
        names = re.findall(r"^  (?:static )?(?:async |get )?([a-z]\w*)(?:<T>)?\(", source, re.MULTILINE)
        assert len(names) > 8 or file == "stored-task"
        for name in names:
            assert name == "constructor" or hasattr(context, snake(name)), f"{context.__name__} lacks {snake(name)}"
