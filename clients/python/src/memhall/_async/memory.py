"""The memory service: knowledge, interactions, skills, working memory, tasks, plans and sessions."""

from __future__ import annotations

from typing import Any, AsyncIterator, Mapping, Optional, Sequence, cast

from .. import _models as models
from .._requests import Call
from .client_area import AsyncClientArea, each_item


class AsyncMemoryClient(AsyncClientArea):
    """
    Client for the memory service.

    What is stored or changed is given as a mapping with the members of the API.
    """

    async def store_knowledge(self, knowledge: Mapping[str, Any]) -> models.SemanticEntry:
        """Stores an entry. Replaces the entry with the same ``external_id``, or else the one with the same content."""
        return cast(models.SemanticEntry, await self._answer(Call("semantic.store", body=knowledge)))

    async def query_knowledge(self, query: str, **fields: Any) -> models.SemanticEntries:
        """Searches by words and meaning, best match first."""
        return cast(models.SemanticEntries, await self._answer(Call("semantic.query", body={"query": query, **fields})))

    async def get_knowledge(self, id: str) -> Optional[models.SemanticEntry]:
        return cast(Optional[models.SemanticEntry], await self._find(Call("semantic.get", path={"id": id})))

    async def get_knowledge_by_external_id(
        self, external_id: str, *, is_public: Optional[bool] = None
    ) -> Optional[models.SemanticEntry]:
        """Returns the private entry of the user with this external id, or the public one of the tenant."""
        call = Call("semantic.byExternalId", query={"external_id": external_id, "is_public": is_public})
        return cast(Optional[models.SemanticEntry], await self._find(call))

    async def list_knowledge(
        self, *, limit: Optional[int] = None, cursor: Optional[str] = None, **filters: Any
    ) -> models.SemanticEntries:
        """Returns one page of the user's and, unless excluded, the tenant's public entries, newest first."""
        query = {**filters, "limit": limit, "cursor": cursor}
        return cast(models.SemanticEntries, await self._answer(Call("semantic.list", query=query)))

    def all_knowledge(self, *, limit: Optional[int] = None, **filters: Any) -> AsyncIterator[models.SemanticEntry]:
        """Yields all entries that match the filters, newest first. ``limit`` is the size of a page."""
        return each_item(lambda cursor: self.list_knowledge(limit=limit, cursor=cursor, **filters), "entries")

    async def delete_knowledge(self, id: str) -> bool:
        """Returns False if there was no such entry."""
        return await self._remove(Call("semantic.delete", path={"id": id}))

    async def delete_knowledge_by_external_id(self, external_id: str, *, is_public: Optional[bool] = None) -> bool:
        """Returns False if there was no such entry."""
        query = {"external_id": external_id, "is_public": is_public}
        return await self._remove(Call("semantic.deleteByExternalId", query=query))

    async def delete_matching_knowledge(self, **filters: Any) -> int:
        """Deletes the private entries of the user that match every given filter, all or none. Returns how many there were."""
        answer = await self._answer(Call("semantic.deleteMany", query=filters))
        return cast(int, answer.deleted_count)

    async def log_interaction(self, interaction: Mapping[str, Any]) -> models.EpisodicEntry:
        """Logs one interaction: ``agent_id``, ``role``, ``content`` and, if known, ``session_id`` and ``occurred_at``."""
        return cast(models.EpisodicEntry, await self._answer(Call("episodic.log", body=interaction)))

    async def log_interactions(self, interactions: Sequence[Mapping[str, Any]]) -> models.EpisodicEntries:
        """Logs up to 500 interactions, all or none."""
        call = Call("episodic.log", body={"entries": [dict(one) for one in interactions]})
        return cast(models.EpisodicEntries, await self._answer(call))

    async def recent_interactions(
        self,
        agent_id: str,
        *,
        session_id: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> models.EpisodicEntries:
        """Returns one page, newest interaction first; without a ``limit``, ten interactions."""
        query = {"agent_id": agent_id, "session_id": session_id, "limit": limit, "cursor": cursor}
        return cast(models.EpisodicEntries, await self._answer(Call("episodic.recent", query=query)))

    def all_interactions(
        self, agent_id: str, *, session_id: Optional[str] = None, limit: Optional[int] = None
    ) -> AsyncIterator[models.EpisodicEntry]:
        """Yields all interactions of an agent, newest first."""

        def page(cursor: Optional[str]) -> Any:
            return self.recent_interactions(agent_id, session_id=session_id, limit=limit, cursor=cursor)

        return each_item(page, "entries")

    async def get_interaction(self, id: str) -> Optional[models.EpisodicEntry]:
        return cast(Optional[models.EpisodicEntry], await self._find(Call("episodic.get", path={"id": id})))

    async def delete_interaction(self, id: str) -> bool:
        """Returns False if there was no such interaction."""
        return await self._remove(Call("episodic.delete", path={"id": id}))

    async def search_interactions(
        self, agent_id: str, text: str, *, limit: Optional[int] = None
    ) -> models.EpisodicEntries:
        """Returns the best match first."""
        query = {"agent_id": agent_id, "q": text, "limit": limit}
        return cast(models.EpisodicEntries, await self._answer(Call("episodic.search", query=query)))

    async def delete_interactions(self, agent_id: str, session_id: str) -> int:
        """Deletes all interactions of an agent in a session, all or none. Returns how many there were."""
        query = {"agent_id": agent_id, "session_id": session_id}
        return cast(int, (await self._answer(Call("episodic.forgetSession", query=query))).deleted_count)

    async def store_skill(self, skill: Mapping[str, Any]) -> models.ProceduralEntry:
        return cast(models.ProceduralEntry, await self._answer(Call("procedural.store", body=skill)))

    async def relevant_skills(
        self, agent_id: str, text: str, *, limit: Optional[int] = None
    ) -> models.ProceduralEntries:
        """Returns the procedures that match what the agent is about to do."""
        query = {"agent_id": agent_id, "q": text, "limit": limit}
        return cast(models.ProceduralEntries, await self._answer(Call("procedural.context", query=query)))

    async def get_skill(self, id: str) -> Optional[models.ProceduralEntry]:
        return cast(Optional[models.ProceduralEntry], await self._find(Call("procedural.get", path={"id": id})))

    async def list_skills(
        self, *, limit: Optional[int] = None, cursor: Optional[str] = None, **filters: Any
    ) -> models.ProceduralEntries:
        """Returns one page, newest first."""
        query = {**filters, "limit": limit, "cursor": cursor}
        return cast(models.ProceduralEntries, await self._answer(Call("procedural.list", query=query)))

    def all_skills(self, *, limit: Optional[int] = None, **filters: Any) -> AsyncIterator[models.ProceduralEntry]:
        """Yields all procedures that match the filters, newest first."""
        return each_item(lambda cursor: self.list_skills(limit=limit, cursor=cursor, **filters), "entries")

    async def delete_skill(self, id: str) -> bool:
        """Returns False if there was no such procedure."""
        return await self._remove(Call("procedural.delete", path={"id": id}))

    async def delete_skills(self, **filters: Any) -> int:
        """Deletes the procedures of an agent, all or none. Returns how many there were."""
        return cast(int, (await self._answer(Call("procedural.deleteMany", query=filters))).deleted_count)

    async def set_plan_state(
        self,
        plan_id: str,
        key: str,
        value: Any,
        *,
        ttl_seconds: Optional[int] = None,
        session_id: Optional[str] = None,
        if_match: Optional[str] = None,
        only_if_absent: bool = False,
    ) -> models.WorkingEntry:
        """Sets a value of working memory; any JSON value, also ``None``. Raises PreconditionFailedError, as conditions say."""
        call = Call(
            "working.put",
            path={"plan_id": plan_id, "key": key},
            body={"ttl_seconds": ttl_seconds, "session_id": session_id},
            raw={"value": value},
            headers=_conditions(if_match, only_if_absent),
        )
        return cast(models.WorkingEntry, await self._answer(call))

    async def get_plan_state(self, plan_id: str, key: str) -> Optional[models.WorkingEntry]:
        """Returns a value with its ETag; ``None`` if there is none."""
        call = Call("working.get", path={"plan_id": plan_id, "key": key})
        return cast(Optional[models.WorkingEntry], await self._find(call))

    async def list_plan_state(
        self, plan_id: str, *, prefix: Optional[str] = None, limit: Optional[int] = None, cursor: Optional[str] = None
    ) -> models.WorkingList:
        """Returns one page, sorted by key; with a prefix, of the keys that begin with it."""
        query = {"prefix": prefix, "limit": limit, "cursor": cursor}
        call = Call("working.list", path={"plan_id": plan_id}, query=query)
        return cast(models.WorkingList, await self._answer(call))

    def all_plan_state(
        self, plan_id: str, *, prefix: Optional[str] = None, limit: Optional[int] = None
    ) -> AsyncIterator[Any]:
        """Yields all values of a plan, sorted by key; with a prefix, those whose keys begin with it."""
        return each_item(
            lambda cursor: self.list_plan_state(plan_id, prefix=prefix, limit=limit, cursor=cursor), "entries"
        )

    async def delete_plan_state(self, plan_id: str, key: str, *, if_match: Optional[str] = None) -> bool:
        """Deletes one value. Returns False if there was none."""
        path = {"plan_id": plan_id, "key": key}
        return await self._remove(Call("working.delete", path=path, headers={"If-Match": if_match}))

    async def clear_plan_state(self, plan_id: str) -> models.WorkingCleared:
        """Deletes the whole working memory of a plan."""
        call = Call("working.clear", path={"plan_id": plan_id})
        return cast(models.WorkingCleared, await self._answer(call))

    async def store_task_context(
        self, task: Mapping[str, Any], *, if_match: Optional[str] = None, only_if_absent: bool = False
    ) -> models.TaskContextStored:
        """Stores a task context. Replaces all fields of an existing context with the same id."""
        call = Call("tasks.store", body=task, headers=_conditions(if_match, only_if_absent))
        return cast(models.TaskContextStored, await self._answer(call))

    async def get_task_context(self, task_id: str) -> Optional[models.TaskContextEntry]:
        return cast(Optional[models.TaskContextEntry], await self._find(Call("tasks.get", path={"task_id": task_id})))

    async def get_task_by_subtask(self, sub_task_id: str) -> Optional[models.TaskContextEntry]:
        """Returns the task that is waiting for a sub-task, or ``None``."""
        call = Call("tasks.bySubTask", path={"subtask_id": sub_task_id})
        return cast(Optional[models.TaskContextEntry], await self._find(call))

    async def update_task_context(
        self, task_id: str, change: Mapping[str, Any], *, if_match: Optional[str] = None
    ) -> models.TaskContextEntry:
        call = Call("tasks.update", path={"task_id": task_id}, body={}, raw=change, headers={"If-Match": if_match})
        return cast(models.TaskContextEntry, await self._answer(call))

    async def list_task_contexts(
        self,
        *,
        plan_id: Optional[str] = None,
        stale_for_seconds: Optional[int] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> models.TaskContextList:
        """Returns one page, least recently changed first, without data and state of the tasks."""
        query = {"plan_id": plan_id, "stale_for": stale_for_seconds, "limit": limit, "cursor": cursor}
        return cast(models.TaskContextList, await self._answer(Call("tasks.list", query=query)))

    def all_task_contexts(
        self,
        *,
        plan_id: Optional[str] = None,
        stale_for_seconds: Optional[int] = None,
        limit: Optional[int] = None,
    ) -> AsyncIterator[models.TaskContextSummary]:
        """Yields all task contexts, least recently changed first."""

        def page(cursor: Optional[str]) -> Any:
            return self.list_task_contexts(
                plan_id=plan_id, stale_for_seconds=stale_for_seconds, limit=limit, cursor=cursor
            )

        return each_item(page, "task_contexts")

    async def change_sub_tasks(self, task_id: str, change: Mapping[str, Any]) -> models.SubTasksChanged:
        """
        Changes the list atomically. ``became_empty`` is true for exactly one caller, even with concurrent changes. With
        ``lease_seconds``, that caller also gets the lease of the task.
        """
        call = Call("tasks.changeSubTasks", path={"task_id": task_id}, body=change)
        return cast(models.SubTasksChanged, await self._answer(call))

    async def take_task_lease(
        self, task_id: str, *, lease_id: Optional[str] = None, lease_seconds: Optional[int] = None
    ) -> models.TaskLease:
        """Takes the lease of a task that waits for no sub-task, or renews the lease ``lease_id``. Raises ConflictError."""
        body = {"lease_id": lease_id, "lease_seconds": lease_seconds}
        call = Call("tasks.takeLease", path={"task_id": task_id}, body=body)
        return cast(models.TaskLease, await self._answer(call))

    async def release_task_lease(self, task_id: str, lease_id: str) -> bool:
        """Lets a lease expire now. Returns False if there is no such task context."""
        call = Call("tasks.releaseLease", path={"task_id": task_id}, query={"lease_id": lease_id})
        return await self._remove(call)

    async def delete_task_context(
        self, task_id: str, *, lease_id: Optional[str] = None, if_match: Optional[str] = None
    ) -> bool:
        """With a lease, raises ConflictError if another worker has taken it. Returns False if there was no such task context."""
        headers = {"If-Match": if_match}
        call = Call("tasks.delete", path={"task_id": task_id}, query={"lease_id": lease_id}, headers=headers)
        return await self._remove(call)

    async def create_plan(self, plan: Mapping[str, Any]) -> models.Plan:
        """Raises ConflictError if a plan with this id exists."""
        return cast(models.Plan, await self._answer(Call("plans.create", body=plan)))

    async def list_plans(
        self,
        *,
        status: Optional[str] = None,
        session_id: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> models.PlanList:
        """Returns one page, newest first, without the plans' state. ``active`` means running or paused."""
        query = {"status": status, "session_id": session_id, "limit": limit, "cursor": cursor}
        return cast(models.PlanList, await self._answer(Call("plans.list", query=query)))

    def all_plans(
        self, *, status: Optional[str] = None, session_id: Optional[str] = None, limit: Optional[int] = None
    ) -> AsyncIterator[models.PlanSummary]:
        """Yields all plans, newest first, without their state."""

        def page(cursor: Optional[str]) -> Any:
            return self.list_plans(status=status, session_id=session_id, limit=limit, cursor=cursor)

        return each_item(page, "plans")

    async def get_plan(self, plan_id: str) -> Optional[models.Plan]:
        return cast(Optional[models.Plan], await self._find(Call("plans.get", path={"plan_id": plan_id})))

    async def get_plan_by_correlation(self, correlation_id: str) -> Optional[models.Plan]:
        """Returns the plan that is waiting for an event, or ``None``."""
        call = Call("plans.byCorrelation", path={"correlation_id": correlation_id})
        return cast(Optional[models.Plan], await self._find(call))

    async def update_plan(
        self, plan_id: str, change: Mapping[str, Any], *, if_match: Optional[str] = None
    ) -> models.Plan:
        """Raises ConflictError if the change gives a finished plan a different status."""
        call = Call("plans.update", path={"plan_id": plan_id}, body={}, raw=change, headers={"If-Match": if_match})
        return cast(models.Plan, await self._answer(call))

    async def change_correlations(self, plan_id: str, change: Mapping[str, Any]) -> models.CorrelationsChanged:
        """Changes the ids of awaited events atomically. ``removed`` names each id for exactly one caller."""
        call = Call("plans.changeCorrelations", path={"plan_id": plan_id}, body=change)
        return cast(models.CorrelationsChanged, await self._answer(call))

    async def delete_plan(self, plan_id: str, *, if_match: Optional[str] = None) -> bool:
        """Deletes a plan and its working memory. Returns False if there was no such plan."""
        return await self._remove(Call("plans.delete", path={"plan_id": plan_id}, headers={"If-Match": if_match}))

    async def create_session(self, session: Mapping[str, Any]) -> models.Session:
        """Raises ConflictError if a session with this id exists."""
        return cast(models.Session, await self._answer(Call("sessions.create", body=session)))

    async def list_sessions(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> models.SessionList:
        """Returns one page, newest interaction first."""
        query = {"limit": limit, "cursor": cursor}
        return cast(models.SessionList, await self._answer(Call("sessions.list", query=query)))

    def all_sessions(self, *, limit: Optional[int] = None) -> AsyncIterator[models.Session]:
        """Yields all sessions, newest interaction first."""
        return each_item(lambda cursor: self.list_sessions(limit=limit, cursor=cursor), "sessions")

    async def get_session(self, session_id: str) -> Optional[models.SessionPage]:
        """Returns a session with its newest plans."""
        call = Call("sessions.get", path={"session_id": session_id})
        return cast(Optional[models.SessionPage], await self._find(call))

    async def update_session(
        self, session_id: str, change: Mapping[str, Any], *, if_match: Optional[str] = None
    ) -> models.Session:
        headers = {"If-Match": if_match}
        call = Call("sessions.update", path={"session_id": session_id}, body={}, raw=change, headers=headers)
        return cast(models.Session, await self._answer(call))

    async def touch_session(self, session_id: str) -> models.Session:
        """Sets the time of the session's last interaction to now."""
        return await self.update_session(session_id, {})

    async def delete_session(self, session_id: str, *, if_match: Optional[str] = None) -> bool:
        """Deletes a session but keeps its plans. Returns False if there was no such session."""
        headers = {"If-Match": if_match}
        return await self._remove(Call("sessions.delete", path={"session_id": session_id}, headers=headers))


def _conditions(if_match: Optional[str], only_if_absent: bool) -> Mapping[str, Optional[str]]:
    return {"If-Match": if_match, "If-None-Match": "*" if only_if_absent else None}
