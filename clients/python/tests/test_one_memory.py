from __future__ import annotations

import asyncio
import json
import re
from datetime import datetime, timezone
from pathlib import Path

import pytest
from conftest import Server, root

from memhall import (
    AsyncOneMemoryClient,
    ForbiddenError,
    InvalidRequestError,
    MemhallError,
    OneMemoryClient,
    PreconditionFailedError,
    UnauthenticatedError,
)


def connect(server: Server, user: str, **claims: object) -> OneMemoryClient:
    return OneMemoryClient(server.url, lambda: server.token(user, **claims))


def test_remembers_recalls_corrects_and_forgets(server: Server) -> None:
    with connect(server, "ann") as memory:
        tea = memory.remember("I take my tea without milk.")
        assert (tea.kind, tea.trust, tea.origin.surface, tea.origin.author) == ("note", "user", "api", "ann")
        assert tea.recorded_at.tzinfo == timezone.utc
        many = memory.remember_many(
            ["The kettle is blue.", {"content": "Tea is served at four.", "kind": "fact", "tags": ["house"]}]
        )
        assert [one.kind for one in many] == ["note", "fact"]
        results = memory.recall("tea", explain=True).results
        assert sorted(one.text for one in results) == ["I take my tea without milk.", "Tea is served at four."]
        assert memory.recall({"query": "tea", "limit": 1}).results[0].explain is None
        found = memory.get_memory(tea.id)
        assert found is not None and found.history[0].user_id == "ann"
        changed = memory.update_memory(tea.id, {"content": "I take my tea with milk."}, if_match=found.etag)
        assert changed.memory.content == "I take my tea with milk." and changed.etag != found.etag
        with pytest.raises(PreconditionFailedError) as stale:
            memory.update_memory(tea.id, {"pin": True}, if_match=found.etag)
        assert (stale.value.code, stale.value.status) == ("ETAG_MISMATCH", 412)
        why = memory.why_recalled(many[0].id, "tea")
        assert why is not None and not why.returned
        assert memory.forget_memory(tea.id) is True
        assert memory.forget_memory(tea.id) is False
        assert memory.get_memory(tea.id) is None
        assert memory.why_recalled(tea.id, "tea") is None


def test_pages_through_everything(server: Server) -> None:
    with connect(server, "pages") as memory:
        memory.remember_many([f"Heron {number}." for number in range(25)], idempotency_key="once")
        memory.remember_many([f"Heron {number}." for number in range(25)], idempotency_key="once")
        assert len({one.id for one in memory.all_memories(limit=10)}) == 25
        assert memory.list_memories(limit=10, kind="fact").memories == []
        export = "".join(memory.export_memory()).strip().split("\n")
        assert json.loads(export[-1])["counts"]["memories"] == 25
        assert "".join(memory.export_memory("markdown")).startswith("# Memory of pages")


def test_filters_by_time(server: Server) -> None:
    with connect(server, "times") as memory:
        memory.remember({"content": "Then.", "occurred_at": datetime(2024, 5, 1, tzinfo=timezone.utc)})
        memory.remember({"content": "Later.", "occurred_at": "2025-05-01T00:00:00Z"})
        found = memory.list_memories(from_=datetime(2025, 1, 1, tzinfo=timezone.utc)).memories
        assert [one.content for one in found] == ["Later."]
        assert found[0].occurred_at == datetime(2025, 5, 1, tzinfo=timezone.utc)


def test_facts_and_subjects(server: Server) -> None:
    with connect(server, "facts") as memory:
        bergen = memory.put_fact("me", "lives in", "Bergen", valid_from="2020-01-01T00:00:00Z")
        oslo = memory.put_fact("me", "lives in", "Oslo", valid_from="2024-01-01T00:00:00Z")
        assert [one.value for one in memory.list_facts().facts] == ["Oslo"]
        assert [one.value for one in memory.list_facts(as_of="2022-01-01T00:00:00Z").facts] == ["Bergen"]
        assert memory.undo_fact(oslo.id, reason="a test").status == "retracted"
        assert [one.value for one in memory.all_facts()] == ["Bergen"]
        found = memory.get_fact(bergen.id)
        assert found is not None and found.fact.status == "current"
        page = memory.get_subject("me")
        assert page is not None and page.facts[0].value == "Bergen"
        assert [one.subject for one in memory.all_subjects()] == [page.subject]
        assert memory.get_fact("nothing") is None
        corrected = memory.correct_fact(bergen.id, "Stavanger", reason="a slip")
        assert (corrected.fact.value, corrected.retracted.id) == ("Stavanger", bergen.id)
        assert memory.retract_fact(corrected.fact.id).status == "retracted"


def test_changes(server: Server) -> None:
    with connect(server, "changes") as memory:
        after = memory.list_changes(after="now").next_cursor
        first = memory.remember("The first.")
        page = memory.list_changes(after=after)
        assert [(one.operation, one.id) for one in page.changes] == [("memory.remember", first.id)]
        for change in memory.follow_changes(after=after):
            assert (change.id, change.at) == (first.id, page.changes[0].at)
            break


def test_settings_and_off_the_record(server: Server) -> None:
    with connect(server, "quiet") as memory:
        assert memory.set_time_zone("Europe/Oslo").time_zone == "Europe/Oslo"
        assert memory.get_settings().time_zone == "Europe/Oslo"
        memory.with_options(off_the_record=True).remember("Not stored.")
        assert memory.list_memories().memories == []
        assert memory.go_off_the_record("s1").session_id == "s1"
        assert [one.session_id for one in memory.all_off_the_record()] == ["s1"]
        memory.go_on_the_record("s1")
        assert list(memory.all_off_the_record()) == []


def test_acts_for_others_with_a_service_token(server: Server) -> None:
    with connect(server, "robot", roles=["service"]) as service:
        service.with_options(user_id="bea").remember("For Bea.")
        assert [one.content for one in service.with_options(user_id="bea").list_memories().memories] == ["For Bea."]
        assert service.list_memories().memories == []
    with connect(server, "eve") as eve, pytest.raises(ForbiddenError):
        eve.with_options(user_id="bea").list_memories()


def test_administers_a_tenant(server: Server) -> None:
    with connect(server, "boss", roles=["admin"], tenant_id="t9") as admin:
        attribute = {"single": True, "ends_alone": True, "synonyms": [], "patterns": []}
        assert admin.put_attribute("t9", "shoe size", attribute).single is True
        assert admin.get_attribute("t9", "shoe size") is not None
        assert admin.revert_source("t9", {"author": "nobody"}).dry_run is True
        assert admin.list_reverts("t9").reverts == []
        hook = admin.put_webhook("t9", "crm", url="https://example.org/", events=["*"], secret="a long secret of it")
        assert admin.list_webhooks("t9") == [hook] and admin.get_webhook("t9", "crm") == hook
        assert admin.list_deliveries("t9", "crm").deliveries == []
        assert admin.delete_webhook("t9", "crm") is True and admin.get_webhook("t9", "crm") is None


def test_errors_say_what_happened(server: Server) -> None:
    with connect(server, "ann") as memory:
        with pytest.raises(InvalidRequestError) as refused:
            memory.remember({"content": "x", "colour": "blue"})
        assert refused.value.code == "UNKNOWN_FIELD" and refused.value.request_id
    with OneMemoryClient(server.url, "nonsense") as nobody, pytest.raises(UnauthenticatedError):
        nobody.list_memories()
    with OneMemoryClient("http://127.0.0.1:9", "x", retries=0) as nowhere, pytest.raises(MemhallError) as lost:
        nowhere.recall("tea")
    assert (lost.value.code, lost.value.status) == ("NETWORK", 0)


def test_is_asynchronous_too(server: Server) -> None:
    async def run() -> None:
        async def token() -> str:
            return server.token("async")

        async with AsyncOneMemoryClient(server.url, token) as memory:
            stored = await asyncio.gather(*(memory.remember(f"Number {number}.") for number in range(5)))
            assert len({one.id for one in stored}) == 5
            assert {one.id async for one in memory.all_memories(limit=2)} == {one.id for one in stored}
            assert (await memory.recall("number 3")).results[0].text == "Number 3."
            assert [text async for text in memory.export_memory()]
            with pytest.raises(PreconditionFailedError):
                await memory.update_memory(stored[0].id, {"pin": True}, if_match='"nonsense"')

    asyncio.run(run())


def test_has_the_names_of_the_typescript_client() -> None:
    for kind, files in {
        OneMemoryClient: ["one-memory", "facts", "off-the-record", "sources", "webhooks"],
        AsyncOneMemoryClient: ["one-memory", "facts", "off-the-record", "sources", "webhooks"],
    }.items():
        for file in files:
            source = (root / "packages" / "client" / "src" / f"{file}-client.ts").read_text()
            for name in re.findall(r"^  (?:async )?([a-z]\w*)\(", source, re.MULTILINE):
                snake = re.sub(r"[A-Z]", lambda found: f"_{found.group().lower()}", name)
                assert name == "constructor" or hasattr(kind, snake), f"{kind.__name__} lacks {snake}"
    assert (Path(__file__).parents[1] / "src" / "memhall" / "py.typed").exists()
