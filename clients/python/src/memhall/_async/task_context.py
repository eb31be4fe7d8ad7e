"""Tasks that outlive their workers."""

from __future__ import annotations

import copy
import uuid
from typing import Any, Awaitable, Callable, Dict, List, Mapping, Optional, Sequence, Type, TypeVar

from .. import _models as models
from .._state import TaskResponse, max_tries
from ..errors import ConflictError, EtagMismatchError, MemhallError, NotFoundError
from .memory import AsyncMemoryClient

Self = TypeVar("Self", bound="AsyncTaskContext")
Part = TypeVar("Part")


class AsyncTaskContext:
    """
    A task that outlives its worker. The worker delegates sub-tasks and may exit. When the result of a sub-task arrives, the
    task is restored by the id of that sub-task.

    Between these steps, one worker at a time has the lease of the task. If it dies, the message that it was handling is
    delivered again, and its receiver takes the lease over once it has expired. Until then the receiver gets ConflictError
    with the code ``LEASE_HELD``: it must return the message to the queue.

    :param task: mapping with ``task_id``, ``event_type`` and, if known, ``plan_id``, ``response_event``, ``response_topic``,
        ``data``, ``state``
    :param lease_seconds: how long this worker has for the next step of the task before another one may take over
    """

    def __init__(self, memory: AsyncMemoryClient, task: Mapping[str, Any], *, lease_seconds: int = 60) -> None:
        self._memory = memory
        self._task: Mapping[str, Any] = task
        self._lease_seconds = lease_seconds
        #: State of the worker. ``save`` stores it.
        self.state: Dict[str, Any] = dict(task.get("state") or {})
        self._stored: Dict[str, Any] = {}
        self._sub_tasks: List[str] = []
        self._lease: Optional[models.TaskLease] = None
        self._etag: Optional[str] = None

    @classmethod
    async def begin(
        cls: Type[Self], memory: AsyncMemoryClient, task: Mapping[str, Any], *, lease_seconds: int = 60
    ) -> Optional[Self]:
        """
        Stores a requested task, or restores it if the request has been delivered before. ``step`` says what is left to do. If
        a worker died before it could delegate or complete the task, this one takes over. Raises ConflictError ``LEASE_HELD``
        while that is not certain. Returns ``None`` if the task was completed in the last 24 hours: drop the request.
        """
        new = cls(memory, task, lease_seconds=lease_seconds)
        try:
            await new.save()
            return new
        except EtagMismatchError:
            pass
        known = await cls.restore(memory, new.task_id, lease_seconds=lease_seconds)
        if known is None or known._sub_tasks:
            return known
        try:
            await known.take_lease()
            return known
        except NotFoundError:
            return None
        except ConflictError as error:
            if error.code != "CONFLICT":
                raise
            return await cls.restore(memory, new.task_id, lease_seconds=lease_seconds)

    @classmethod
    async def restore(
        cls: Type[Self], memory: AsyncMemoryClient, task_id: str, *, lease_seconds: int = 60
    ) -> Optional[Self]:
        """Returns ``None`` if there is no such task."""
        return cls._from(memory, await memory.get_task_context(task_id), lease_seconds)

    @classmethod
    async def restore_by_subtask(
        cls: Type[Self], memory: AsyncMemoryClient, sub_task_id: str, *, lease_seconds: int = 60
    ) -> Optional[Self]:
        """Returns ``None`` if no task is waiting for this sub-task."""
        return cls._from(memory, await memory.get_task_by_subtask(sub_task_id), lease_seconds)

    @classmethod
    def _from(
        cls: Type[Self], memory: AsyncMemoryClient, entry: Optional[models.TaskContextEntry], lease_seconds: int
    ) -> Optional[Self]:
        if entry is None:
            return None
        task = cls(memory, {"task_id": entry.task_id}, lease_seconds=lease_seconds)
        task._take(entry)
        return task

    @property
    def task_id(self) -> str:
        return str(self._task["task_id"])

    @property
    def plan_id(self) -> Optional[str]:
        return self._task.get("plan_id")

    @property
    def event_type(self) -> str:
        return str(self._task["event_type"])

    @property
    def data(self) -> Mapping[str, Any]:
        """The original request."""
        return self._task.get("data") or {}

    @property
    def sub_tasks(self) -> Sequence[str]:
        """As last read or changed by this object."""
        return self._sub_tasks

    @property
    def step(self) -> str:
        """
        What this worker has to do next: ``delegate``, ``complete``, or ``wait`` if the task waits for sub-tasks or another
        worker has its lease.
        """
        return self._lease.next if self._lease is not None else "wait"

    async def save(self) -> None:
        """
        Stores a new task and takes its lease, or stores the state of a task that this object has stored or read. Raises
        EtagMismatchError if a new task's id exists or was completed in the last 24 hours (use ``begin`` where that can
        happen), or if another worker changed the state since (use ``update_state``).
        """
        if self._etag is None:
            await self._store()
            return
        for tries_left in range(max_tries - 1, -1, -1):
            try:
                change = {"state": self.state}
                self._take(await self._memory.update_task_context(self.task_id, change, if_match=self._etag))
                return
            except EtagMismatchError:
                if tries_left == 0:
                    raise
                entry = await self._read()
                # If only the list of sub-tasks or the lease changed, the state can still be stored.
                if entry.state != self._stored:
                    raise
                self._etag = entry.etag

    async def update_state(self, change: Callable[[Dict[str, Any]], Dict[str, Any]]) -> None:
        """
        Changes the stored state, and tries again if other workers change it too. ``change`` gets a copy of the stored state and
        may run several times.
        """
        await self._save_if_new()
        for tries_left in range(max_tries - 1, -1, -1):
            try:
                self.state = change(copy.deepcopy(self._stored))
                await self.save()
                return
            except EtagMismatchError:
                if tries_left == 0:
                    raise
                await self.refresh()

    async def refresh(self) -> None:
        """Reads the stored task again and discards unsaved state."""
        self._take(await self._read())

    async def take_lease(self) -> None:
        """
        Takes the lease of a task that waits for no sub-task, or renews it. Raises ConflictError ``LEASE_HELD`` if another
        worker has it, and ``LEASE_LOST`` if another worker has taken it from this one.
        """
        self._lease = await self._memory.take_task_lease(
            self.task_id, lease_id=self._lease_id, lease_seconds=self._lease_seconds
        )

    async def release(self) -> None:
        """Gives the lease back, so that another worker can take over at once. Does nothing without a lease."""
        if self._lease is None:
            return
        await self._memory.release_task_lease(self.task_id, self._lease.lease_id)
        self._lease = None

    async def delegate(self, send: Callable[[str], Awaitable[object]], sub_task_id: Optional[str] = None) -> str:
        """
        Delegates a sub-task and returns its id. It is added to the list before ``send`` is called, so that its result always
        finds the task. If ``send`` fails, it is removed again. For several sub-tasks use ``delegate_all``: a task is complete
        as soon as its list is empty.
        """
        id = sub_task_id or str(uuid.uuid4())
        await self._save_if_new()
        await self._change_sub_tasks({"add": [id], "lease_id": self._lease_id})
        try:
            await send(id)
        except BaseException:
            await self._change_sub_tasks({"remove": [id]})
            raise
        return id

    async def delegate_all(
        self,
        parts: Sequence[Part],
        send: Callable[[str, Part], Awaitable[object]],
        id_of: Optional[Callable[[Part], str]] = None,
    ) -> List[str]:
        """
        Delegates several sub-tasks and returns their ids. All are added to the list before the first is sent, so the task
        cannot be complete before the last result. If ``send`` fails, they stay in the list: let the request be delivered
        again, and call ``resend_all``. That takes ids that are the same each time.
        """
        await self._save_if_new()
        ids = [id_of(part) if id_of is not None else str(uuid.uuid4()) for part in parts]
        if ids:
            await self._change_sub_tasks({"add": ids, "lease_id": self._lease_id})
        for id, part in zip(ids, parts):
            await send(id, part)
        return ids

    async def resend_all(
        self, parts: Sequence[Part], send: Callable[[str, Part], Awaitable[object]], id_of: Callable[[Part], str]
    ) -> List[str]:
        """Sends those sub-tasks again that the task still waits for, and returns their ids."""
        awaited = [(id_of(part), part) for part in parts if id_of(part) in self._sub_tasks]
        for id, part in awaited:
            await send(id, part)
        return [id for id, _ in awaited]

    async def finish_sub_task(self, sub_task_id: str) -> bool:
        """
        Removes a sub-task from the list. Returns True if it was the last one: this worker then has the lease of the task and
        completes it. Exactly one worker gets True. If that worker dies, the next one that handles the same result gets True
        when the lease has expired; until then this raises ConflictError ``LEASE_HELD``. Store what the result says before.
        """
        try:
            changed = await self._change_sub_tasks({"remove": [sub_task_id], "lease_seconds": self._lease_seconds})
        except NotFoundError:
            return False
        return changed.lease is not None

    async def complete(self, result: Any, send: Callable[[TaskResponse], Awaitable[object]]) -> None:
        """
        Sends the response, then deletes the task. Raises ConflictError ``LEASE_LOST`` or NotFoundError, without sending, if
        another worker has taken over. If the worker dies while it sends, or sending takes longer than the lease, the response
        may be sent again: it has the same ``task_id``.
        """
        if self._lease is not None:
            await self.take_lease()
        event, topic = self._task.get("response_event"), self._task.get("response_topic") or "action-results"
        try:
            await send(TaskResponse(self.task_id, event, topic, result))
        except BaseException:
            try:
                await self.release()
            except MemhallError:
                pass
            raise
        await self._memory.delete_task_context(self.task_id, lease_id=self._lease_id)
        self._etag = self._lease = None

    @property
    def _lease_id(self) -> Optional[str]:
        return self._lease.lease_id if self._lease is not None else None

    async def _save_if_new(self) -> None:
        if self._etag is None:
            await self.save()

    async def _change_sub_tasks(self, change: Mapping[str, Any]) -> models.SubTasksChanged:
        changed = await self._memory.change_sub_tasks(self.task_id, change)
        self._sub_tasks, self._lease = changed.sub_tasks, changed.lease
        return changed

    def _take(self, entry: models.TaskContextEntry) -> None:
        names = ("task_id", "event_type", "response_topic", "data", "plan_id", "response_event")
        self._task = {name: getattr(entry, name) for name in names}
        self.state, self._stored = entry.state, copy.deepcopy(entry.state)
        self._sub_tasks, self._etag = entry.sub_tasks, entry.etag

    async def _store(self) -> None:
        task = {**self._task, "state": self.state, "lease_seconds": self._lease_seconds}
        stored = await self._memory.store_task_context(task, only_if_absent=True)
        self._stored = copy.deepcopy(self.state)
        self._etag, self._lease = stored.etag, stored.lease

    async def _read(self) -> models.TaskContextEntry:
        entry = await self._memory.get_task_context(self.task_id)
        if entry is None:
            raise NotFoundError("NOT_FOUND", f"Task {self.task_id} no longer exists.", status=404)
        return entry
