"""Runs the examples of the README."""

from __future__ import annotations

import asyncio
import re
import sys
import types
from pathlib import Path
from typing import Any, Dict, List

import pytest
from conftest import Server

here = Path(__file__).parent
readme = (here.parent / "README.md").read_text()
examples = re.findall(r"^```python\n(.*?)^```", readme, re.MULTILINE | re.DOTALL)


class Bus:
    """A message bus of the reader's own."""

    def __init__(self) -> None:
        self.messages: List[Any] = []

    def publish(self, *message: Any) -> None:
        self.messages.append(message)


class Builder:
    """Stands in for a graph of LangGraph that is being built."""

    def compile(self, *, store: Any) -> Any:
        return store


class Runner:
    """Stands in for the runner of the OpenAI Agents SDK, which reads the session and adds to it."""

    @staticmethod
    async def run(agent: str, text: str, *, session: Any) -> int:
        known = len(await session.get_items())
        await session.add_items([{"role": "user", "content": text}, {"role": "assistant", "content": "Noted."}])
        return known


def run(code: str, names: Dict[str, Any]) -> None:
    if "await " in code:
        imports, body = code.split("\n\n", 1)
        code = f"{imports}\nasync def main():\n" + re.sub("^", "    ", body, flags=re.MULTILINE)
    exec(compile(code, "README.md", "exec"), names)
    if "main" in names:
        asyncio.run(names["main"]())


def test_there_are_examples() -> None:
    assert len(examples) == 7


@pytest.mark.parametrize("example", examples)
def test_the_examples_run(server: Server, example: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(here / "stand_ins"))
    monkeypatch.delitem(sys.modules, "memhall.langgraph", raising=False)
    agents = types.ModuleType("agents")
    setattr(agents, "Agent", lambda name: name)
    setattr(agents, "Runner", Runner)
    monkeypatch.setitem(sys.modules, "agents", agents)
    names: Dict[str, Any] = {
        "token": server.token("me", tenant_id="default", roles=["admin"]),
        "bus": Bus(),
        "builder": Builder(),
        "result": {"found": 3},
    }
    code = example.replace("http://127.0.0.1:8010", server.url)
    if "TaskContext" not in code:
        run(code, names)
        return
    begun, ended = code.split("# later")
    run(begun, names)
    names["TaskContext"].restore_by_subtask(names["memory"], "task-1:hardware").finish_sub_task("task-1:hardware")
    run(f"# later{ended}", names)
    assert [message[0] for message in names["bus"].messages] == ["search.requested"] * 2 + ["research.done"]
