"""Everything that the user may read, whichever surface wrote it."""

from __future__ import annotations

from datetime import datetime
from typing import Any, AsyncIterator, Dict, List, Mapping, Optional, Sequence, Union, cast

from .. import _models as models
from .._events import EventData
from .._requests import Call, to_filters
from .client_area import AsyncClientArea, each_item

Moment = Union[datetime, str]
NewMemory = Union[str, Mapping[str, Any]]


class AsyncOneMemoryClient(AsyncClientArea):
    """
    Client for everything that the user may read, whichever surface wrote it.

    Memories, queries and changes are strings or mappings with the members of the API, such as ``content`` and ``tags``.
    """

    async def remember(self, memory: NewMemory, *, idempotency_key: Optional[str] = None) -> models.AnyMemory:
        """Remembers one thing. Updates the memory of the same kind with the same ``external_id``, or else with the same content."""
        stored = await self.remember_many([memory], idempotency_key=idempotency_key)
        return stored[0]

    async def remember_many(
        self, memories: Sequence[NewMemory], *, idempotency_key: Optional[str] = None
    ) -> List[models.AnyMemory]:
        """Remembers up to 500 things, all or none. Returns them in order."""
        given = [{"content": one} if isinstance(one, str) else dict(one) for one in memories]
        headers = {"Idempotency-Key": idempotency_key}
        answer = await self._answer(Call("memory.remember", body={"memories": given}, headers=headers))
        return cast(List[models.AnyMemory], answer.memories)

    async def recall(self, query: Union[str, Mapping[str, Any]], **fields: Any) -> models.RecallResults:
        """
        Recalls by words and meaning, best match first. Fields are those of the API, such as ``limit``, ``kinds``, ``as_of`` or
        ``explain``. Copies of one statement by the same author are one result.
        """
        body = {**_query(query), **fields, "group_by": "memory"}
        return cast(models.RecallResults, await self._answer(Call("memory.recall", body=body)))

    async def recall_sessions(self, query: Union[str, Mapping[str, Any]], **fields: Any) -> List[models.RecallSession]:
        """Returns the sessions that match best, ranked on all their memories."""
        body = {**_query(query), **fields, "group_by": "session"}
        answer = await self._answer(Call("memory.recall", body=body))
        return cast(List[models.RecallSession], answer.results)

    async def why_recalled(
        self, id: str, query: Union[str, Mapping[str, Any]], **fields: Any
    ) -> Optional[models.RecallReason]:
        """Says why a recall returns a memory, or what keeps it out. ``None``: there is none, or the user may not read it."""
        body = {**_query(query), **fields, "memory_id": id}
        return cast(Optional[models.RecallReason], await self._find(Call("memory.why", body=body)))

    async def get_memory(self, id: str) -> Optional[models.MemoryGetResponse]:
        """Returns a memory with where it comes from, who changed it, and its ETag."""
        return cast(Optional[models.MemoryGetResponse], await self._find(Call("memory.get", path={"id": id})))

    async def list_memories(
        self, *, limit: Optional[int] = None, cursor: Optional[str] = None, **filters: Any
    ) -> models.MemoryPage:
        """Returns one page, newest first. Filters are ``kind``, ``namespace``, ``session_id``, ``tag``, ``external_id``, ``from_``, ``to``."""
        query = {**to_filters(filters), "limit": limit, "cursor": cursor}
        return cast(models.MemoryPage, await self._answer(Call("memory.list", query=query)))

    def all_memories(self, *, limit: Optional[int] = None, **filters: Any) -> AsyncIterator[models.AnyMemory]:
        """Yields all memories that match the filters, newest first. ``limit`` is the size of a page."""
        return each_item(lambda cursor: self.list_memories(limit=limit, cursor=cursor, **filters), "memories")

    def export_memory(self, format: str = "jsonl") -> AsyncIterator[str]:
        """
        Yields the text of an export of everything the user owns, as it arrives: JSON Lines for programs, or ``markdown`` for
        people. The last line says that it is complete.
        """
        return self._transport.stream(Call("memory.export", query={"format": format}), self._options)

    async def update_memory(self, id: str, change: Mapping[str, Any], *, if_match: str) -> models.MemoryUpdateResponse:
        """Changes a memory. Raises PreconditionFailedError if somebody else changed it since; ``*`` changes it in any case."""
        call = Call("memory.update", path={"id": id}, raw=change, headers={"If-Match": if_match})
        return cast(models.MemoryUpdateResponse, await self._answer(call))

    async def forget_memory(self, id: str, *, copies: Optional[bool] = None, if_match: Optional[str] = None) -> bool:
        """Forgets a memory and what was derived from it alone. Returns False if there was no such memory."""
        headers = {"If-Match": if_match}
        return await self._remove(Call("memory.forget", path={"id": id}, query={"copies": copies}, headers=headers))

    async def list_changes(self, *, after: Optional[str] = None, limit: Optional[int] = None) -> models.Changes:
        """Returns a page of what changed after a cursor, oldest first: ids only. ``now`` begins with the next change."""
        return cast(models.Changes, await self._answer(Call("changes.list", query={"after": after, "limit": limit})))

    async def follow_changes(self, *, after: Optional[str] = None) -> AsyncIterator[models.Change]:
        """
        Yields what changes, as it happens, from now on or after a cursor. Ends when the server closes or the token expires: call
        it again with the cursor of the last change.
        """
        call = Call("changes.list", query={"after": after}, headers={"Accept": "text/event-stream"})
        events = EventData()
        async for text in self._transport.stream(call, self._options):
            for change in events.feed(text, models.Change):
                yield change

    async def get_settings(self) -> models.UserSettings:
        """Returns what the user has set: the time zone whose days and weeks are meant."""
        return cast(models.UserSettings, await self._answer(Call("users.getSettings")))

    async def set_time_zone(self, time_zone: str) -> models.UserSettings:
        """Sets the time zone whose days and weeks the user means, by its IANA name."""
        return cast(models.UserSettings, await self._answer(Call("users.putSettings", body={"time_zone": time_zone})))

    async def put_fact(self, subject: str, attribute: str, value: str, **fields: Any) -> models.Fact:
        """States a fact. Returns it as it is stored: ``unconfirmed`` if a more trusted statement contradicts it."""
        body = {"subject": subject, "attribute": attribute, "value": value, **fields}
        return cast(models.Fact, (await self._answer(Call("facts.put", body=body))).fact)

    async def list_facts(
        self, *, limit: Optional[int] = None, cursor: Optional[str] = None, **filters: Any
    ) -> models.FactPage:
        """Returns one page, last recorded first. Filters are ``subject``, ``attribute``, ``as_of``, ``known_at``, ``include_superseded``."""
        query = {**filters, "limit": limit, "cursor": cursor}
        return cast(models.FactPage, await self._answer(Call("facts.list", query=query)))

    def all_facts(self, *, limit: Optional[int] = None, **filters: Any) -> AsyncIterator[models.Fact]:
        """Yields all facts that match the filters, last recorded first."""
        return each_item(lambda cursor: self.list_facts(limit=limit, cursor=cursor, **filters), "facts")

    async def get_fact(
        self, id: str, *, as_of: Optional[Moment] = None, known_at: Optional[Moment] = None
    ) -> Optional[models.FactsGetResponse]:
        """Returns a fact with its evidence, the facts it replaces, and how it came to its state."""
        call = Call("facts.get", path={"fact_id": id}, query={"as_of": as_of, "known_at": known_at})
        return cast(Optional[models.FactsGetResponse], await self._find(call))

    async def retract_fact(self, id: str, *, reason: Optional[str] = None) -> models.Fact:
        """The fact was never true. What it had superseded is current again."""
        return await self._change_fact("facts.retract", id, reason)

    async def correct_fact(self, id: str, value: str, *, reason: Optional[str] = None) -> models.FactsCorrectResponse:
        """The fact was never true, another value is. Returns the fact with that value, and the one that was wrong."""
        body = {"value": value, "reason": reason}
        return cast(models.FactsCorrectResponse, await self._answer(Call("facts.correct", path={"fact_id": id}, body=body)))

    async def confirm_fact(self, id: str, *, reason: Optional[str] = None) -> models.Fact:
        """Makes a fact count as the caller's own statement."""
        return await self._change_fact("facts.confirm", id, reason)

    async def reject_fact(self, id: str, *, reason: Optional[str] = None) -> models.Fact:
        """Rejects a fact that is unconfirmed."""
        return await self._change_fact("facts.reject", id, reason)

    async def undo_fact(self, id: str, *, reason: Optional[str] = None) -> models.Fact:
        """Takes back the last change of a fact, and what followed from it for other facts."""
        return await self._change_fact("facts.undo", id, reason)

    async def list_subjects(
        self, *, limit: Optional[int] = None, cursor: Optional[str] = None, **times: Moment
    ) -> models.SubjectList:
        """Returns one page of the people, places, projects and things that facts are about, by name."""
        query: Dict[str, Any] = {**times, "limit": limit, "cursor": cursor}
        return cast(models.SubjectList, await self._answer(Call("subjects.list", query=query)))

    def all_subjects(self, *, limit: Optional[int] = None, **times: Moment) -> AsyncIterator[models.SubjectSummary]:
        """Yields all subjects, by name."""
        return each_item(lambda cursor: self.list_subjects(limit=limit, cursor=cursor, **times), "subjects")

    async def get_subject(self, subject: str, **times: Moment) -> Optional[models.SubjectPage]:
        """Returns the page of a subject, by any of its names; ``None`` if nothing was known about it."""
        call = Call("subjects.get", path={"subject": subject}, query=times)
        return cast(Optional[models.SubjectPage], await self._find(call))

    async def merge_subjects(self, subject: str, alias: str) -> models.SubjectPage:
        """Makes a name mean the same as the subject. Returns the page of both."""
        call = Call("subjects.merge", path={"subject": subject}, body={"with": alias})
        return cast(models.SubjectPage, await self._answer(call))

    async def split_subject(self, subject: str, alias: str) -> models.SubjectPage:
        """Takes back a merge, and restores what it changed. Returns the page of the subject."""
        call = Call("subjects.split", path={"subject": subject}, body={"alias": alias})
        return cast(models.SubjectPage, await self._answer(call))

    async def get_attribute(self, tenant_id: str, name: str) -> Optional[models.Attribute]:
        """Returns an attribute of the tenant, else a built-in one; ``None`` if nothing is known about it."""
        path = {"tenant_id": tenant_id, "name": name}
        return cast(Optional[models.Attribute], await self._find(Call("attributes.get", path=path, has_user=False)))

    async def put_attribute(self, tenant_id: str, name: str, attribute: Mapping[str, Any]) -> models.Attribute:
        """Defines an attribute for a tenant, or redefines a built-in one. For administrators."""
        path = {"tenant_id": tenant_id, "name": name}
        call = Call("attributes.put", path=path, body=attribute, has_user=False)
        return cast(models.Attribute, await self._answer(call))

    async def go_off_the_record(self, session_id: str, *, until: Optional[Moment] = None) -> models.RecordState:
        """Takes a session off the record: nothing that comes from it is stored, through any surface that names it."""
        call = Call("offTheRecord.start", path={"session_id": session_id}, body={"until": until})
        return cast(models.RecordState, await self._answer(call))

    async def go_on_the_record(self, session_id: str) -> None:
        """Puts a session on the record again."""
        await self._answer(Call("offTheRecord.end", path={"session_id": session_id}))

    async def get_record_state(self, session_id: str) -> models.RecordState:
        """Says whether a session is off the record."""
        call = Call("offTheRecord.get", path={"session_id": session_id})
        return cast(models.RecordState, await self._answer(call))

    async def list_off_the_record(
        self, *, limit: Optional[int] = None, cursor: Optional[str] = None
    ) -> models.RecordStates:
        """Returns one page of the sessions that are off the record, ordered by id."""
        call = Call("offTheRecord.list", query={"limit": limit, "cursor": cursor})
        return cast(models.RecordStates, await self._answer(call))

    def all_off_the_record(self, *, limit: Optional[int] = None) -> AsyncIterator[models.RecordState]:
        """Yields all sessions that are off the record, ordered by id."""
        return each_item(lambda cursor: self.list_off_the_record(limit=limit, cursor=cursor), "sessions")

    async def revert_source(
        self, tenant_id: str, filter: Mapping[str, Any], *, dry_run: bool = True
    ) -> models.SourcesRevertResponse:
        """Takes back everything that a source wrote or caused, or only counts it. For administrators."""
        body = {"filter": filter, "dry_run": dry_run}
        call = Call("sources.revert", path={"tenant_id": tenant_id}, body=body, has_user=False)
        return cast(models.SourcesRevertResponse, await self._answer(call))

    async def list_reverts(
        self, tenant_id: str, *, limit: Optional[int] = None, cursor: Optional[str] = None
    ) -> models.SourceRevertList:
        """Lists what was taken back and can be restored, newest first. For administrators."""
        query = {"limit": limit, "cursor": cursor}
        call = Call("sources.list", path={"tenant_id": tenant_id}, query=query, has_user=False)
        return cast(models.SourceRevertList, await self._answer(call))

    async def undo_revert(self, tenant_id: str, revert_id: str) -> models.RevertCounts:
        """Restores what was taken back. For administrators."""
        path = {"tenant_id": tenant_id, "revert_id": revert_id}
        answer = await self._answer(Call("sources.undo", path=path, has_user=False))
        return cast(models.RevertCounts, answer.counts)

    async def list_webhooks(self, tenant_id: str) -> List[models.Webhook]:
        """Lists the endpoints that learn what changes in a tenant. For administrators."""
        answer = await self._answer(Call("webhooks.list", path={"tenant_id": tenant_id}, has_user=False))
        return cast(List[models.Webhook], answer.webhooks)

    async def get_webhook(self, tenant_id: str, name: str) -> Optional[models.Webhook]:
        """Returns a webhook. For administrators."""
        answer = await self._find(Call("webhooks.get", path=_webhook(tenant_id, name), has_user=False))
        return None if answer is None else cast(models.Webhook, answer.webhook)

    async def put_webhook(
        self, tenant_id: str, name: str, *, url: str, events: Sequence[str], secret: Optional[str] = None
    ) -> models.Webhook:
        """Creates a webhook, or changes one. A new one needs a secret. For administrators."""
        body = {"url": url, "events": list(events), "secret": secret}
        answer = await self._answer(Call("webhooks.put", path=_webhook(tenant_id, name), body=body, has_user=False))
        return cast(models.Webhook, answer.webhook)

    async def delete_webhook(self, tenant_id: str, name: str) -> bool:
        """Deletes a webhook. Returns False if there was none. For administrators."""
        return await self._remove(Call("webhooks.delete", path=_webhook(tenant_id, name), has_user=False))

    async def test_webhook(self, tenant_id: str, name: str) -> models.WebhookTest:
        """Sends a delivery without changes, and returns what came of it. For administrators."""
        call = Call("webhooks.test", path=_webhook(tenant_id, name), has_user=False)
        return cast(models.WebhookTest, await self._answer(call))

    async def list_deliveries(
        self,
        tenant_id: str,
        name: str,
        *,
        status: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> models.WebhookDeliveryPage:
        """Lists what a webhook was sent, newest first. For administrators."""
        query = {"status": status, "limit": limit, "cursor": cursor}
        call = Call("webhooks.listDeliveries", path=_webhook(tenant_id, name), query=query, has_user=False)
        return cast(models.WebhookDeliveryPage, await self._answer(call))

    async def get_delivery(self, tenant_id: str, name: str, delivery_id: str) -> models.WebhookDeliveryWithChanges:
        """Returns a delivery of a webhook, with its changes. For administrators."""
        path = {**_webhook(tenant_id, name), "delivery_id": delivery_id}
        call = Call("webhooks.getDelivery", path=path, has_user=False)
        return cast(models.WebhookDeliveryWithChanges, await self._answer(call))

    async def retry_delivery(self, tenant_id: str, name: str, delivery_id: str) -> models.WebhookDelivery:
        """Sends a delivery again now, if it waits for that or was given up. For administrators."""
        path = {**_webhook(tenant_id, name), "delivery_id": delivery_id}
        answer = await self._answer(Call("webhooks.retryDelivery", path=path, has_user=False))
        return cast(models.WebhookDelivery, answer.delivery)

    async def _change_fact(self, operation: str, id: str, reason: Optional[str]) -> models.Fact:
        answer = await self._answer(Call(operation, path={"fact_id": id}, body={"reason": reason}))
        return cast(models.Fact, answer.fact)


def _query(query: Union[str, Mapping[str, Any]]) -> Dict[str, Any]:
    return {"query": query} if isinstance(query, str) else dict(query)


def _webhook(tenant_id: str, name: str) -> Dict[str, str]:
    return {"tenant_id": tenant_id, "name": name}
