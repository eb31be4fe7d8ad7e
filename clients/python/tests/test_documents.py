from __future__ import annotations

import asyncio
import re
from typing import Any, Dict

import httpx
import pytest
from conftest import Server, root

from memhall import (
    AsyncDocumentsClient,
    ConflictError,
    DocumentsClient,
    EtagMismatchError,
    ForbiddenError,
    IdempotencyConflictError,
    LegalHoldError,
    NotFoundError,
    PreconditionFailedError,
    PatchRejectedError,
    SchemaValidationError,
)
from memhall.errors import error_class

place = ("user", "user_dynamic.json")


def patch_of(**operation: Any) -> Dict[str, Any]:
    common = {"profile_id": "project-copilot-v1", "binding_id": "user_dynamic", "reason": "live_update"}
    return {**common, "ops": [operation]}


def append(preference: object) -> Dict[str, Any]:
    return patch_of(op="add", path="/content/preferences/-", value=preference)


def connect(server: Server, user: str, **more: Any) -> DocumentsClient:
    token = server.token("robot", roles=["admin"])
    return DocumentsClient(server.url, token, tenant_id="t1", user_id=user, **more)


def test_reads_patches_replaces_and_lists(server: Server) -> None:
    with connect(server, "dora") as memory:
        documents = memory.documents
        assert documents.get(*place) is None
        created = documents.patch(*place, append("tea"), create=True)
        assert created.document.content["preferences"] == ["tea"] and not created.idempotency_replay
        read = documents.get(*place)
        assert read is not None and (read.etag, read.document) == (created.etag, created.document)
        replacement = {**append(""), "document": {"content": {"preferences": ["coffee"]}}}
        del replacement["ops"]
        replaced = documents.replace(*place, replacement, if_match=created.etag)
        versions = documents.history(*place).versions
        assert [(one.version, one.etag) for one in versions] == [(2, replaced.etag), (1, created.etag)]
        assert len(documents.history(*place, limit=1).versions) == 1
        then = documents.get(*place, at=created.document.updated_at)
        assert then is not None and then.etag == created.etag
        (listed,) = documents.list(namespace="user").documents
        assert (listed.path, listed.etag, listed.version) == ("user_dynamic.json", replaced.etag, 2)
        assert documents.list(namespace="other").documents == []
        assert memory.with_options(user_id="somebody").documents.get(*place) is None


def test_says_what_forbids_a_change(server: Server) -> None:
    documents = connect(server, "errol").documents
    first = documents.patch(*place, append("tea"), create=True, idempotency_key="errol-1")
    again = documents.patch(*place, append("tea"), if_match="*", idempotency_key="errol-1")
    assert again.idempotency_replay and again.etag == first.etag
    with pytest.raises(IdempotencyConflictError):
        documents.patch(*place, append("coffee"), if_match="*", idempotency_key="errol-1")
    second = documents.patch(*place, append("milk"), if_match=first.etag)
    with pytest.raises(EtagMismatchError) as stale:
        documents.patch(*place, append("sugar"), if_match=first.etag)
    assert (stale.value.status, stale.value.latest_etag) == (412, second.etag)
    with pytest.raises(EtagMismatchError):
        documents.patch(*place, append("sugar"), create=True)
    rejected = {
        "PATH_NOT_WRITABLE": patch_of(op="add", path="/content/secrets", value=1),
        "PATCH_APPLY_FAILED": patch_of(op="remove", path="/content/preferences/9"),
    }
    for code, patch in rejected.items():
        with pytest.raises(PatchRejectedError) as error:
            documents.patch(*place, patch, if_match="*")
        assert error.value.code == code
    with pytest.raises(SchemaValidationError) as invalid:
        documents.patch(*place, append({"not": "a string"}), if_match="*")
    assert "/preferences/" in str(invalid.value.details)
    with pytest.raises(NotFoundError) as missing:
        documents.patch(*place, {**append("x"), "profile_id": "none"}, if_match="*")
    assert missing.value.code == "PROFILE_NOT_FOUND"
    someone = DocumentsClient(server.url, server.token("eve"), tenant_id="t1", user_id="errol")
    with pytest.raises(ForbiddenError):
        someone.documents.get(*place)
    now = documents.get(*place)
    assert now is not None and now.document.content["preferences"] == ["tea", "milk"]


def test_a_write_is_sent_again_with_its_key(server: Server) -> None:
    keys = []

    class Flaky(httpx.HTTPTransport):
        """Loses the response of the first request, after the server has applied it."""

        def handle_request(self, request: httpx.Request) -> httpx.Response:
            response = super().handle_request(request)
            keys.append(request.headers["idempotency-key"])
            if len(keys) == 1:
                response.read()
                raise httpx.ReadError("The response is lost.", request=request)
            return response

    with httpx.Client(transport=Flaky()) as http:
        written = connect(server, "fay", http=http).documents.patch(*place, append("tea"), create=True)
    assert written.idempotency_replay and written.document.content["preferences"] == ["tea"]
    assert len(keys) == 2 and keys[0] == keys[1]


def test_assembles_context_and_finds_events(server: Server) -> None:
    memory = connect(server, "gil")
    memory.documents.patch(*place, append("Tests first."), create=True)
    request = {"profile_id": "project-copilot-v1", "conversation_hint": {"text": "Hello."}, "max_docs": 1, "debug": True}
    context = memory.assemble_context(request)
    assert context.selected_project_id is None and context.routing_debug is not None
    assert [one.document.content["preferences"] for one in context.documents] == [["Tests first."]]
    assert {one.reason for one in context.dropped_bindings} == {"missing"}
    id = memory.events.write({"digest": "Gil moved to Ghent.", "keywords": ["move"], "source_type": "chat"})
    assert [one.event_id for one in memory.events.search("Ghent")] == [id]
    assert memory.events.search(from_="2999-01-01T00:00:00Z") == []
    assert {one["actor"]["user_id"] for one in memory.audit(limit=5).records} == {"robot"}


def test_erases_a_user_with_a_receipt(server: Server) -> None:
    memory = connect(server, "hal")
    memory.documents.patch(*place, append("tea"), create=True)
    receipt = memory.forget().receipt
    checked = memory.check_receipt(receipt.id)
    assert checked is not None and memory.documents.get(*place) is None
    assert memory.check_receipt("rcpt_none") is None
    assert error_class(409, "LEGAL_HOLD") is LegalHoldError


def test_registers_profiles_and_schemas(server: Server) -> None:
    token = server.token("boss", tenant_id="t7", roles=["admin"])
    with DocumentsClient(server.url, token, tenant_id="t7", user_id="boss") as memory:
        schema = {"schema": {"type": "object", "properties": {"title": {"type": "string"}}}}
        assert memory.schemas.put("note", "1", schema) == memory.schemas.get("note", "1")
        assert memory.schemas.get("note", "2") is None
        with pytest.raises(ConflictError):
            memory.schemas.put("note", "1", {"schema": {"type": "object"}})
        assert "note" in [one.schema_id for one in memory.schemas.each(limit=1)]
        binding = {
            "binding_id": "note",
            "namespace": "user",
            "path": "note.json",
            "schema_id": "note",
            "schema_version": "1",
        }
        starter = memory.profiles.get("project-copilot-v1")
        assert starter is not None and starter.etag != "" and memory.profiles.get("none") is None
        source = {"profile_id": "notes", "document_bindings": [binding]}
        made = memory.profiles.put("notes", source, create=True)
        with pytest.raises(PreconditionFailedError):
            memory.profiles.put("notes", source, create=True)
        changed = {**source, "retention_rules": {"events_days": 60}}
        replaced = memory.profiles.put("notes", changed, if_match=made.etag)
        assert replaced.etag != made.etag and replaced.retention_rules is not None
        assert "notes" in [one["profile_id"] for one in memory.profiles.list().profiles]


def test_learns_from_conversations(server: Server) -> None:
    memory = connect(server, "jon")
    said = {"id": "m1", "role": "user", "content": "I prefer short answers.", "timestamp": "2026-01-05T10:00:00Z"}
    taken = memory.conversations.snapshot("c1", {"messages": [said], "profile_id": "project-copilot-v1"})
    assert taken.replay_id is not None
    assert memory.replays.finished(taken.replay_id, every=0.1).status == "completed"
    assert memory.replays.get("none") is None
    assert [one.snapshot_id for one in memory.conversations.each_snapshot("c1", limit=1)] == [taken.snapshot_id]
    snapshot = memory.conversations.read_snapshot("c1", taken.snapshot_id)
    assert snapshot is not None and "short answers" in str(snapshot)
    assert memory.conversations.read_snapshot("c1", "none") is None
    learned = memory.documents.get(*place)
    assert learned is not None and "short answers" in str(learned.document.content)
    for patches in [memory.unresolved, memory.review_queue]:
        assert list(patches.each()) == []
        for change in [patches.apply, patches.discard]:
            with pytest.raises(NotFoundError):
                change("none")


def test_is_asynchronous_too(server: Server) -> None:
    async def run() -> None:
        token = server.token("ida")
        async with AsyncDocumentsClient(server.url, token, tenant_id="t1", user_id="ida") as memory:
            written = await asyncio.gather(
                *(memory.documents.patch(*place, append(str(number)), if_match="*") for number in range(8))
            )
            read = await memory.documents.get(*place)
            assert read is not None and sorted(read.document.content["preferences"]) == [str(n) for n in range(8)]
            assert len({one.etag for one in written}) == 8
            assert await memory.documents.get("user", "none.json") is None

    asyncio.run(run())


def test_has_the_names_of_the_typescript_client(server: Server) -> None:
    def snake(name: str) -> str:
        return re.sub(r"[A-Z]", lambda found: f"_{found.group().lower()}", name)

    files = (root / "packages" / "client" / "src").glob("documents-*.ts")
    source = "\n".join(file.read_text() for file in files)
    memory = connect(server, "names")
    areas = re.findall(r"^  readonly (\w+): (\w+)", source, re.MULTILINE)
    assert len(areas) == 8
    for area, kind in areas:
        shared = {"ReviewQueue": "UnresolvedPatches"}.get(kind, kind)
        (body,) = re.findall(rf"export interface {shared}\b[^{{]*\{{\n(.*?)\n\}}", source, re.DOTALL)
        for name in re.findall(r"^  (\w+)\(", body, re.MULTILINE):
            assert hasattr(getattr(memory, snake(area)), snake(name)), f"{area} lacks {snake(name)}"
    for name in re.findall(r"^  async (\w+)\(", source, re.MULTILINE):
        assert hasattr(memory, snake(name)), f"DocumentsClient lacks {snake(name)}"
